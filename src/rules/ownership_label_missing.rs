//! `ownership-label-missing`: see `rules/docs/ownership-label-missing.md`.
//!
//! An object that is built in code is looked at as it is written: a constructor, a struct or a mapping of a kind that has a
//! pod template. The labels are followed through variables and helpers; what cannot be followed may hold anything.
//!
//! ```text
//! own = {"app": name}                                     its own labels: app
//! pods = {**own, "labs.io/installation-id": me}           its pods': app, labs.io/installation-id
//! V1Deployment(metadata=V1ObjectMeta(labels=own), spec=..(template=..(metadata=V1ObjectMeta(labels=pods))))
//!              ^ labs.io/installation-id says whose it is, and is not here
//! ```

mod fix;
mod manifest;

use super::*;
use crate::ir::{Arena, Bin, Expr, ExprId, Lit, Sym, sym};
use crate::vocab::{Ownership, Workload, ownership};

/// The rule.
pub static RULE: Rule = Rule {
    name: "ownership-label-missing",
    summary: "a workload's pods say whose it is, and the workload itself does not",
    here: "lacks the label",
    doc: include_str!("../../rules/docs/ownership-label-missing.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Both,
    check: Check::Function(check),
    manifests: Some(manifest::check),
};

/// How deep choices and unions of labels are followed.
const DEEP: u32 = 12;

fn check(scene: &Scene) -> Vec<Finding> {
    let Some(facts) = &scene.facts else { return vec![] };
    let builder = Builder { scene, a: facts.arena, table: ownership() };
    facts.arena.ids().filter_map(|e| builder.finding(e)).collect()
}

/// A function that builds objects.
struct Builder<'a> {
    scene: &'a Scene<'a>,
    a: &'a Arena,
    table: &'static Ownership,
}

/// The keys of labels.
struct Keys {
    known: Vec<&'static str>,
    /// There may be others.
    open: bool,
}

impl Builder<'_> {
    fn finding(&self, object: ExprId) -> Option<Finding> {
        let kind = self.kind(object)?;
        let meta = self.member(object, "metadata")?;
        let own = match self.member(meta, "labels") {
            Some(labels) => self.keys(labels, DEEP),
            None => Keys { known: vec![], open: false },
        };
        if own.open || own.known.is_empty() && kind.defaults {
            return None;
        }
        let template = kind.template.iter().try_fold(object, |at, field| self.member(at, field))?;
        let pods_meta = self.member(template, "metadata")?;
        let labels = self.member(pods_meta, "labels")?;
        let missing: Vec<&str> = self.keys(labels, DEEP).known;
        let missing: Vec<&str> =
            missing.into_iter().filter(|k| self.table.is_core(k) && !own.known.contains(k)).collect();
        let key = missing.first()?;
        let at = self.place(meta).or_else(|| self.place(object))?;
        let mut steps: Vec<Step> = self
            .place(pods_meta)
            .or_else(|| self.place(labels))
            .into_iter()
            .map(|span| Step { span, part: Part::Reference, text: format!("the pods carry `{key}`") })
            .collect();
        steps.retain(|s| s.span != at);
        Some(Finding {
            rule: &RULE,
            severity: RULE.severity,
            confidence: Confidence::Medium,
            message: format!(
                "this {} does not carry `{key}`, which its pods carry: who reads the {} cannot tell whose it is",
                kind.name, kind.name
            ),
            help: format!("put `{key}` into the {}'s own labels too, and leave its selector as it is", kind.name),
            at,
            statement: at,
            steps,
            group: at,
            function: self.scene.function.to_owned(),
            fixes: vec![],
            excused: None,
        })
    }

    /// The kind that is built: by the type that is made, or by what it says of itself.
    fn kind(&self, object: ExprId) -> Option<&'static Workload> {
        let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
        match self.a.get(object) {
            Expr::Call(c) => match self.a.get(c.callee) {
                Expr::Path(p) => self.table.kind(&last(p)),
                _ => None,
            },
            Expr::Record(parts) => {
                let named = |name: &str| parts.iter().find(|p| p.0 == name).map(|p| p.1);
                let typed = named("#is").and_then(|t| self.table.kind(self.a.as_str(t)?));
                typed.or_else(|| self.table.kind(named("kind").and_then(|k| self.a.as_str(k))?))
            }
            _ => None,
        }
    }

    /// A field by the API's name of it, in the spellings that languages give it.
    fn member(&self, of: ExprId, field: &str) -> Option<ExprId> {
        let mut title = field.to_owned();
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        let mut snake = String::new();
        for c in field.chars() {
            if c.is_ascii_uppercase() {
                snake.push('_');
            }
            snake.push(c.to_ascii_lowercase());
        }
        let embedded = if field == "metadata" { "ObjectMeta" } else { &title };
        [field, &snake, &title, embedded].into_iter().find_map(|f| self.scene.vocab.part(self.a, of, sym(f)))
    }

    /// The keys of a mapping that is written out.
    fn keys(&self, labels: ExprId, left: u32) -> Keys {
        let open = || Keys { known: vec![], open: true };
        let both = |l, r| {
            let (mut l, r) = (self.keys(l, left - 1), self.keys(r, left - 1));
            l.known.extend(r.known);
            Keys { open: l.open || r.open, ..l }
        };
        match *self.a.get(labels) {
            _ if left == 0 => open(),
            Expr::Lit(Lit::Empty | Lit::Nothing) => Keys { known: vec![], open: false },
            Expr::Record(ref parts) => {
                let hidden = |k: &Sym| k.as_str().starts_with('#');
                Keys { known: parts.iter().filter(|p| !hidden(&p.0)).map(|p| p.0.as_str()).collect(), open: false }
            }
            Expr::Binary(Bin::Union | Bin::Add, l, r) => both(l, r),
            Expr::Choose(_, t, f) => both(t, f),
            _ => open(),
        }
    }

    /// Where an expression is written, if that is in this function.
    fn place(&self, e: ExprId) -> Option<Span> {
        let site = self.a.call_of(e).map(|c| self.a.site(c.site));
        let span = match site {
            Some(site) if site.via.is_some() => return None,
            Some(site) => site.name,
            None => self.a.origin(e)?,
        };
        self.scene.func.span.contains(span).then_some(span)
    }
}
