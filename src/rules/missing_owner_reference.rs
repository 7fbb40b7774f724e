//! `missing-owner-reference`: see `rules/docs/missing-owner-reference.md`.
//!
//! Two places that know nothing of each other come together: where a kind is collected by label, and where one of that
//! kind is made.
//!
//! ```text
//! for item in core.list_namespaced_config_map(ns, label_selector=LABEL).items:     collected: config_map, by label,
//!     if item.labels[LABEL] not in names_of(apps):                                 decided by a list of custom objects
//!         core.delete_namespaced_config_map(..)
//!
//! @kopf.on.create(..)                                                              an owner is at hand
//! def create(name, namespace, **_):
//!     core.create_namespaced_config_map(namespace, {"metadata": {"labels": ..}})   made: labels, no owner reference
//! ```
//! An owner is at hand in a function that is called for one, and in one that makes or reads what the sweep asks about
//! in the same namespace. Whatever speaks of owners anywhere in the function keeps the rule silent.

use super::words::assigned_fields;
use super::*;
use crate::facts::{Effect, EffectKind};
use crate::ir::{Arena, Expr, ExprId, Lit, Sym, sym};
use crate::vocab::{Bind, Row, ScopeKind, Selectors, Topic, selectors};

/// The rule.
pub static RULE: Rule = Rule {
    name: "missing-owner-reference",
    summary: "creates a dependent that only a sweeper will collect",
    here: "created here",
    doc: include_str!("../../rules/docs/missing-owner-reference.md"),
    severity: Severity::Note,
    pedantic: true,
    reads: Reads::Code,
    check: Check::Made(check),
    manifests: None,
};

/// A kind that is collected by label.
#[derive(Clone, Debug)]
pub struct Collected {
    /// The word for the kind in the names of calls: `config_map`.
    pub word: String,
    /// The label's key, where it is written out.
    key: Option<String>,
    /// Words for the kinds that the sweep asks about, in the namespace of its candidates.
    owners: Vec<String>,
    /// The call that lists.
    list: Span,
    /// The call that destroys.
    delete: Span,
}

/// What a judged call collects by label.
pub fn collected(sweep: &Sweep) -> Option<Collected> {
    let facts = sweep.facts();
    let read = sweep.subject.read(facts)?;
    let word = selectors().read_word(facts.called(read)?.as_str())?.to_owned();
    let selector = scope(facts, read, ScopeKind::LabelSelector)?;
    if !sweep.subject.is_swept() || matches!(facts.arena.get(selector), Expr::Lit(Lit::Nothing | Lit::Empty)) {
        return None;
    }
    let here = scope(facts, read, ScopeKind::Namespace);
    let owner = |r: &ExprId| {
        let near = here.is_some() && scope(facts, *r, ScopeKind::Namespace) == here;
        let word = facts.called(*r).filter(|_| near).and_then(|n| selectors().read_word(n.as_str()));
        word.map(str::to_owned)
    };
    let owners = sweep.references().iter().filter_map(owner).collect();
    let list = sweep.name_of(read)?;
    Some(Collected { word, key: key_of(facts.arena, selector), owners, list, delete: sweep.places().0 })
}

/// The value that restricts a read.
fn scope(facts: &Facts, read: ExprId, kind: ScopeKind) -> Option<ExprId> {
    let (call, row) = (facts.arena.call_of(read)?, facts.row(read)?);
    let scope = row.scope.iter().find(|s| s.kind == kind)?;
    facts.vocab.bound(facts.arena, call, row, scope.bind)
}

/// The key of the first label of a selector.
fn key_of(a: &Arena, selector: ExprId) -> Option<String> {
    let mut text = String::new();
    match a.get(selector) {
        Expr::Lit(Lit::Str(s)) => text.push_str(s),
        Expr::Format(parts) => parts.iter().map_while(|p| a.as_str(*p)).for_each(|s| text.push_str(s)),
        _ => return None,
    }
    let key = text.split(['=', '!', ',', ' ']).next().unwrap_or_default();
    let whole = key.len() < text.len() || a.as_str(selector).is_some();
    (!key.is_empty() && whole).then(|| key.to_owned())
}

fn check(scene: &Scene, collected: &[Collected]) -> Vec<Finding> {
    let Some(facts) = &scene.facts else { return vec![] };
    let maker = Maker { scene, facts };
    if maker.speaks_of_owners() {
        return vec![];
    }
    facts.summary.effects.iter().filter_map(|e| maker.finding(e, collected)).collect()
}

/// A function that makes something.
struct Maker<'a> {
    scene: &'a Scene<'a>,
    facts: &'a Facts<'a>,
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

    fn finding(&self, effect: &Effect, collected: &[Collected]) -> Option<Finding> {
        let (facts, a) = (self.facts, self.facts.arena);
        let (call, row) = (a.call_of(effect.call)?, facts.row(effect.call)?);
        let word = self.word(effect.call).filter(|_| effect.kind == EffectKind::Create)?;
        let labels = self.labels(effect.call, row)?;
        let swept = collected.iter().find(|c| c.word == word && self.is_labelled(labels, c))?;
        let owner = self.handler().filter(|_| self.is_given(effect.call, row)).or_else(|| self.owner(effect, swept))?;
        let site = a.site(call.site);
        let kind = selectors().spelled(word).map_or("object", |k| k.name.as_str());
        let label = swept.key.as_ref().map_or("its label".to_owned(), |k| format!("`{k}`"));
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
                "this {kind} names no owner, though one lives in its namespace: only a sweep will remove it"
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

    /// The word for the kind that a call makes.
    fn word(&self, call: ExprId) -> Option<&'static str> {
        selectors().made_word(self.facts.called(call)?.as_str())
    }

    /// The labels of what is made, where they are written out.
    fn labels(&self, call: ExprId, row: &Row) -> Option<ExprId> {
        let (a, vocab) = (self.facts.arena, self.scene.vocab);
        let bind = row.target.unwrap_or(Bind::Arg(sym("body")));
        let mut body = vocab.bound(a, a.call_of(call)?, row, bind)?;
        let part = |e: ExprId, f: &str| vocab.part(a, e, sym(f));
        for _ in 0..4 {
            if let Some(labels) = part(body, "metadata").and_then(|m| part(m, "labels")) {
                return Some(labels).filter(|l| !matches!(a.get(*l), Expr::Lit(_)));
            }
            // The same body in another form.
            body = a.call_of(body).filter(|c| c.args.len() == 1).and_then(|c| c.args.first())?.value;
        }
        None
    }

    /// Does it carry the label that is collected by? A key that is not written out may be it.
    fn is_labelled(&self, labels: ExprId, swept: &Collected) -> bool {
        match (self.facts.arena.get(labels), &swept.key) {
            (Expr::Record(entries), Some(key)) => entries.iter().any(|e| e.0.as_str() == key),
            _ => true,
        }
    }

    /// The function is called for an object.
    fn handler(&self) -> Option<Span> {
        let func = self.scene.func;
        func.decorators.iter().any(|d| self.scene.vocab.is_handler(d)).then_some(func.name_span)
    }

    /// The namespace is that of what the function was called for.
    fn is_given(&self, call: ExprId, row: &Row) -> bool {
        let a = self.facts.arena;
        let namespace = self.namespace(call, row);
        namespace.is_some_and(|n| {
            let mut at = n;
            while let Expr::Field(base, _) = a.get(at) {
                at = *base;
            }
            let named = match a.get(at) {
                Expr::Param(i) => self.facts.summary.params.get(*i as usize).copied(),
                _ => None,
            };
            named.is_some_and(|p| at != n || speaks_of_namespace(p))
        })
    }

    fn namespace(&self, call: ExprId, row: &Row) -> Option<ExprId> {
        let scope = row.scope.iter().find(|s| s.kind == ScopeKind::Namespace)?;
        self.scene.vocab.bound(self.facts.arena, self.facts.arena.call_of(call)?, row, scope.bind)
    }

    /// What the sweep asks about is made or read here, in the same namespace.
    fn owner(&self, effect: &Effect, swept: &Collected) -> Option<Span> {
        let facts = self.facts;
        let row = facts.row(effect.call)?;
        let here = self.namespace(effect.call, row)?;
        let near = |e: ExprId| facts.row(e).and_then(|r| self.namespace(e, r)) == Some(here);
        let table: &Selectors = selectors();
        let is_owner = |word: Option<&str>| word.is_some_and(|w| swept.owners.iter().any(|o| o == w));
        let made = facts.summary.effects.iter().filter(|e| e.kind == EffectKind::Create).map(|e| e.call);
        let made = made.filter(|e| is_owner(self.word(*e)));
        let read = facts.summary.reads.iter().map(|r| r.call);
        let read = read.filter(|e| is_owner(facts.called(*e).and_then(|n| table.read_word(n.as_str()))));
        let at = made.chain(read).find(|e| *e != effect.call && near(*e))?;
        facts.arena.call_of(at).map(|c| facts.arena.site(c.site).name)
    }
}

fn speaks_of_namespace(param: Sym) -> bool {
    matches!(param.as_str(), "namespace" | "ns")
}
