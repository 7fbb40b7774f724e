//! `missing-owner-reference`: see `rules/docs/missing-owner-reference.md`.
//!
//! Two places that know nothing of each other come together: where a kind is collected by label, and where one of that
//! kind is made.
//!
//! ```text
//! for item in core.list_namespaced_config_map(ns, label_selector=LABEL).items:     collected: ConfigMap, by label,
//!     if item.labels[LABEL] not in names_of(apps):                                 decided by a list of custom objects
//!         core.delete_namespaced_config_map(..)
//!
//! @kopf.on.create(..)                                                              an owner is at hand
//! def create(name, namespace, **_):
//!     core.create_namespaced_config_map(namespace, {"metadata": {"labels": ..}})   made: labels, no owner reference
//!
//! c.Create(ctx, &corev1.ConfigMap{.. Namespace: edition.Namespace, Labels: .. edition.Name ..})    the edition is
//! ```
//! An owner is at hand in a function that is called for one; in one that makes or reads what the sweep asks about in the
//! same namespace; and where what is made says something of another object of its namespace that can own. Whatever speaks
//! of owners anywhere in the function keeps the rule silent.

mod owners;

use super::objects::Objects;
use super::words::assigned_fields;
use super::*;
use crate::facts::{Effect, EffectKind};
use crate::ir::{Arena, Expr, ExprId, Lit, sym};
use crate::vocab::{Bind, Role, Row, ScopeKind, Topic, ownership, selectors};
use owners::{Owners, namespace};

/// The rule.
pub static RULE: Rule = Rule {
    name: "missing-owner-reference",
    summary: "creates a dependent that only a sweeper will collect",
    here: "created here",
    doc: include_str!("../../rules/docs/missing-owner-reference.md"),
    severity: Severity::Note,
    pedantic: true,
    reads: Reads::Code,
    mend: None,
    check: Check::Made(check),
    manifests: None,
};

/// A kind that is collected by label.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The kind, as the API spells it, or as the code does: `ConfigMap`.
    pub kind: String,
    /// The keys of the labels that are asked for, as far as they are written out.
    keys: Vec<String>,
    /// The kinds that the sweep asks about, in the namespace of its candidates.
    owners: Vec<String>,
    /// The call that lists.
    list: Span,
    /// The call that destroys.
    delete: Span,
}

/// What a judged call collects by label.
pub fn collected(sweep: &Sweep) -> Option<Collected> {
    let facts = sweep.facts();
    let read = sweep.subject.read(facts).filter(|_| sweep.subject.is_swept())?;
    let kind = facts.kind(read)?;
    is_selected(facts, read).then_some(())?;
    let here = namespace(facts, read);
    let near = |r: &ExprId| here.is_some() && namespace(facts, *r) == here;
    let owners = sweep.references().into_iter().filter(near).filter_map(|r| facts.kind(r)).collect();
    let list = sweep.name_of(read)?;
    Some(Collected { kind, keys: keys_asked(sweep), owners, list, delete: sweep.places().0 })
}

/// Is the list restricted by labels, by a selector or an option, whether or not these can be seen?
fn is_selected(facts: &Facts, read: ExprId) -> bool {
    let a = facts.arena;
    let selects = |e: ExprId| {
        let Some((call, row)) = a.call_of(e).zip(facts.row(e)) else { return false };
        let mut by_label = row
            .scope
            .iter()
            .filter(|s| matches!(s.kind, ScopeKind::LabelSelector | ScopeKind::Labels | ScopeKind::LabelKeys));
        let told = |s: ExprId| !matches!(a.get(s), Expr::Lit(Lit::Nothing | Lit::Empty));
        by_label.any(|s| facts.vocab.bound(a, call, row, s.bind).is_some_and(told))
    };
    let options = a.call_of(read).map(|c| c.args.iter().filter(|x| facts.role(x.value) == Some(Role::Option)));
    selects(read) || options.is_some_and(|mut all| all.any(|x| selects(x.value)))
}

/// The keys of the labels that a sweep asks its candidates for: the walk has made conditions of what selectors say.
fn keys_asked(sweep: &Sweep) -> Vec<String> {
    let (a, mut out) = (sweep.facts().arena, vec![]);
    a.mentions(sweep.effect.when, &mut |e| {
        if let Expr::Field(labels, key) = a.get(e)
            && let Expr::Field(of, field) = a.get(*labels)
            && ownership().is_labels(field)
            && sweep.subject.is_element(root(a, *of))
            && !key.starts_with('#')
            && !out.iter().any(|k| k == key.as_str())
        {
            out.push(key.to_string());
        }
        false
    });
    out
}

fn root(a: &Arena, mut e: ExprId) -> ExprId {
    while let Expr::Field(x, _) = *a.get(e) {
        e = x;
    }
    e
}

fn check(scene: &Scene, collected: &[Collected]) -> Vec<Finding> {
    let Some(facts) = &scene.facts else { return vec![] };
    let maker = Maker { scene, facts, objects: Objects::new(facts) };
    let mut made = facts.summary.effects.iter().filter(|e| maker.is_made(e, collected)).peekable();
    if made.peek().is_none() || maker.speaks_of_owners() {
        return vec![];
    }
    made.filter_map(|e| maker.finding(e, collected)).collect()
}

/// A function that makes something.
struct Maker<'a> {
    scene: &'a Scene<'a>,
    facts: &'a Facts<'a>,
    objects: Objects<'a>,
}

impl Maker<'_> {
    fn speaks_of_owners(&self) -> bool {
        let says = |name: &str| self.scene.vocab.speaks_of(Topic::Owning, name);
        let says_it = |a: &Arena, e: ExprId| match a.get(e) {
            Expr::Field(_, f) => says(f),
            Expr::Path(p) => p.as_str().rsplit('.').next().is_some_and(says),
            Expr::Record(parts) => parts.iter().any(|p| says(&p.0)),
            Expr::Call(c) => c.args.iter().any(|x| x.name.is_some_and(|n| says(&n))),
            _ => false,
        };
        [self.facts.arena, &self.scene.func.arena].iter().any(|a| a.ids().any(|e| says_it(a, e)))
            || assigned_fields(&self.scene.func.body).iter().any(|f| says(f))
            || self.facts.summary.writes.iter().any(|w| says(&w.1))
    }

    /// Does it make one of a kind that is collected?
    fn is_made(&self, effect: &Effect, collected: &[Collected]) -> bool {
        let made = || {
            let called = self.facts.called(effect.call)?;
            let makes = selectors().creators().iter().any(|c| c == called.as_str());
            let kind = self.facts.kind(effect.call).filter(|_| makes || selectors().made_word(&called).is_some())?;
            collected.iter().any(|c| c.kind == kind).then_some(())
        };
        effect.kind == EffectKind::Create && made().is_some()
    }

    fn finding(&self, effect: &Effect, collected: &[Collected]) -> Option<Finding> {
        let (facts, a) = (self.facts, self.facts.arena);
        let (call, row) = (a.call_of(effect.call)?, facts.row(effect.call)?);
        let kind = facts.kind(effect.call)?;
        let (object, labels) = self.object(effect.call, row)?;
        let swept = collected.iter().find(|c| c.kind == kind && self.is_labelled(labels, c))?;
        let (scene, here) = (self.scene, self.namespace(effect.call, object)?);
        let owners = Owners { scene, facts, made: effect.call, object, here };
        let owner = self.handler().filter(|_| self.is_given(here)).or_else(|| owners.found(&swept.owners))?;
        let site = a.site(call.site);
        let label = swept.keys.first().map_or("its label".to_owned(), |k| format!("`{k}`"));
        let mut steps = vec![
            Step { span: owner, part: Part::Reference, text: "the owner is at hand here".to_owned() },
            Step { span: swept.list, part: Part::Candidates, text: format!("collected by {label} here") },
            Step { span: swept.delete, part: Part::Delete, text: "and deleted here".to_owned() },
        ];
        steps.retain(|s| s.span != site.name);
        Some(Finding {
            rule: &RULE,
            severity: RULE.severity,
            confidence: if site.row.is_some_and(|m| m.backed) { Confidence::High } else { Confidence::Medium },
            message: format!(
                "this {} names no owner, though one lives in its namespace: only a sweep will remove it",
                selectors().spelled(&kind).map_or("object", |k| k.name.as_str())
            ),
            help:
                "name the owner in the object's owner references: the server then removes it together with its owner, \
                   by uid and without a race"
                    .into(),
            at: site.name,
            statement: site.stmt,
            steps,
            group: site.name,
            function: self.scene.function.to_owned(),
            fixes: vec![],
            excused: None,
        })
    }

    /// What is made, and its labels, where they are written out.
    fn object(&self, call: ExprId, row: &Row) -> Option<(ExprId, ExprId)> {
        let a = self.facts.arena;
        let bind = row.target.unwrap_or(Bind::Arg(sym("body")));
        let mut body = self.scene.vocab.bound(a, a.call_of(call)?, row, bind)?;
        for _ in 0..4 {
            if let Some(labels) = self.objects.labels(body) {
                return Some((body, labels)).filter(|_| !matches!(a.get(labels), Expr::Lit(_)));
            }
            // The same body in another form.
            body = a.call_of(body).filter(|c| c.args.len() == 1).and_then(|c| c.args.first())?.value;
        }
        None
    }

    /// Does it carry a label that is collected by? A key that is not written out may be it.
    fn is_labelled(&self, labels: ExprId, swept: &Collected) -> bool {
        let keys = self.objects.keys(labels);
        keys.open || swept.keys.is_empty() || keys.known.iter().any(|k| swept.keys.iter().any(|s| s == k.0))
    }

    /// The namespace that it is made in: that of the call, or its own.
    fn namespace(&self, call: ExprId, object: ExprId) -> Option<ExprId> {
        let own = || {
            let meta = self.objects.member(object, "metadata");
            let inner = meta.and_then(|m| self.objects.member(m, "namespace"));
            inner.or_else(|| self.objects.member(object, "namespace"))
        };
        namespace(self.facts, call).or_else(own)
    }

    /// The function is called for an object.
    fn handler(&self) -> Option<Span> {
        let func = self.scene.func;
        func.decorators.iter().any(|d| self.scene.vocab.is_handler(d)).then_some(func.name_span)
    }

    /// The namespace is that of what the function was called for.
    fn is_given(&self, namespace: ExprId) -> bool {
        let root = root(self.facts.arena, namespace);
        let named = match self.facts.arena.get(root) {
            Expr::Param(i) => self.facts.summary.params.get(*i as usize),
            _ => None,
        };
        named.is_some_and(|p| root != namespace || matches!(p.as_str(), "namespace" | "ns"))
    }
}
