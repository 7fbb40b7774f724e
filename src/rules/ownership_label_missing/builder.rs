//! The rule on code that builds workloads.
//!
//! An object is looked at as it is written: a constructor, a struct or a mapping of a kind that has a pod template, and what
//! is written to its fields afterwards; so is one that a function is given to fill in. The labels are followed through
//! variables and helpers; what cannot be followed may hold anything.
//!
//! ```text
//! own = {"app": name}                                     its own labels: app
//! pods = {**own, "labs.io/installation-id": me}           its pods': app, labs.io/installation-id
//! V1Deployment(metadata=V1ObjectMeta(labels=own), spec=..(template=..(metadata=V1ObjectMeta(labels=pods))))
//!              ^ labs.io/installation-id says whose it is, and is not here
//!
//! func fill(d *appsv1.Deployment) { d.Labels = own; d.Spec.Template.Labels = pods }
//!                                     ^ neither here
//! ```

use super::*;
use crate::ir::{Arena, Block, Expr, ExprId, Func, Stmt};
use crate::rules::objects::{Keys, Objects, spelled};
use crate::vocab::{Ownership, Workload};

/// What the rule says of a function.
pub(super) fn check(scene: &Scene) -> Vec<Finding> {
    let Some(facts) = &scene.facts else { return vec![] };
    let builder = Builder { scene, facts, a: facts.arena, table: ownership(), objects: Objects::new(facts) };
    facts.arena.ids().filter_map(|e| builder.finding(e)).collect()
}

/// A function that builds objects.
struct Builder<'a> {
    scene: &'a Scene<'a>,
    facts: &'a Facts<'a>,
    a: &'a Arena,
    table: &'static Ownership,
    objects: Objects<'a>,
}

impl Builder<'_> {
    fn finding(&self, object: ExprId) -> Option<Finding> {
        let kind = self.kind(object)?;
        let given = matches!(self.a.get(object), Expr::Param(_));
        let own = match self.objects.labels(object) {
            Some(labels) => self.own_keys(labels),
            // What another has made may bear labels already.
            None => Keys { known: vec![], open: given },
        };
        if own.open || own.known.is_empty() && kind.defaults {
            return None;
        }
        let template = kind.template.iter().try_fold(object, |at, field| self.objects.member(at, field))?;
        let labels = self.objects.labels(template)?;
        let pods = self.objects.keys(labels).known;
        let (key, why) = self.missing(kind, &own, pods)?;
        let named = format!("`{key}`");
        let at = self.own_place(object)?;
        let pods_place =
            self.objects.member(template, "metadata").and_then(|m| self.place(m)).or_else(|| self.place(labels));
        let carried = |span| Step { span, part: Part::Reference, text: format!("the pods carry {named}") };
        let mut steps: Vec<Step> = pods_place.map(carried).into_iter().chain(why.step()).collect();
        steps.retain(|s| s.span != at);
        let (name, words) = (&kind.name, why.words(&kind.name));
        Some(Finding {
            rule: &RULE,
            severity: why.severity(),
            confidence: if matches!(why, Why::Core) { Confidence::Medium } else { Confidence::High },
            message: format!("this {name} does not carry {named}, which its pods carry: {words}"),
            help: format!("put {named} into the {name}'s own labels too, and leave its selector as it is"),
            at,
            statement: at,
            steps,
            group: at,
            function: self.scene.function.to_owned(),
            fixes: vec![],
            excused: None,
        })
    }

    /// The first label that decides and that the object lacks; what is proven comes first.
    fn missing<'w>(
        &'w self,
        kind: &Workload,
        own: &Keys,
        pods: Vec<(&'static str, Option<&'static str>)>,
    ) -> Option<(&'static str, Why<'w>)> {
        let lacks = pods.into_iter().filter(|(k, _)| !own.known.iter().any(|o| o.0 == *k));
        let mut lacks = lacks.peekable();
        lacks.peek()?;
        let (uses, declared) = (self.scene.uses.all(), self.scene.declared);
        let told = |(k, v)| Why::of(k, &kind.name, v, uses, declared).map(|why| (k, why));
        lacks.filter_map(told).min_by_key(|(_, why)| matches!(why, Why::Core))
    }

    /// The kind that is built: by the type that is made, by what it says of itself, or by the type of what is filled in.
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
            Expr::Param(i) => self.table.kind(&last(self.scene.func.params.get(*i as usize)?.type_path?.as_str())),
            _ => None,
        }
    }

    /// The keys that the object itself has. What helpers wrote into the mapping counts here, and not for the pods: it may
    /// be there in neither case.
    fn own_keys(&self, labels: ExprId) -> Keys {
        let mut keys = self.objects.keys(labels);
        let written = self.facts.summary.writes.iter().filter(|w| w.0 == labels);
        keys.known.extend(written.map(|w| (w.1.as_str(), self.a.as_str(w.2))));
        keys
    }

    /// Where the object gets the labels that it has itself.
    fn own_place(&self, object: ExprId) -> Option<Span> {
        let given = matches!(self.a.get(object), Expr::Param(_));
        let assigned = || labels_assigned(self.scene.func);
        let meta =
            || self.objects.member(object, "metadata").and_then(|m| self.place(m)).or_else(|| self.place(object));
        if given { assigned().or(Some(self.scene.func.name_span)) } else { meta() }
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

/// Where a local's own labels are assigned: `d.Labels = own`, `d.metadata.labels = own`.
fn labels_assigned(func: &Func) -> Option<Span> {
    let meta = spelled("metadata");
    let is_own = |base: ExprId| match *func.arena.get(base) {
        Expr::Name(_) => true,
        Expr::Field(of, f) => meta.contains(&f) && matches!(func.arena.get(of), Expr::Name(_)),
        _ => false,
    };
    let bodies = std::iter::once(&func.body).chain(func.arena.closures.iter().map(|c| &c.body));
    bodies.into_iter().find_map(|b| assigned(b, &is_own))
}

fn assigned(b: &Block, is_own: &dyn Fn(ExprId) -> bool) -> Option<Span> {
    b.iter().find_map(|s| match s {
        Stmt::Set { base, field, at, .. } => (ownership().is_labels(field) && is_own(*base)).then_some(*at),
        Stmt::If(_, t, f) => assigned(t, is_own).or_else(|| assigned(f, is_own)),
        Stmt::For { body, whole, .. } => assigned(body, is_own).or_else(|| assigned(whole, is_own)),
        Stmt::Try { body, handlers } => {
            assigned(body, is_own).or_else(|| handlers.iter().find_map(|h| assigned(&h.body, is_own)))
        }
        _ => None,
    })
}
