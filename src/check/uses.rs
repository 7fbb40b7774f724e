//! By which labels code tells workloads apart: what makes a key decide in the manifests beside it.
//!
//! ```go
//! list, err := client.AppsV1().Deployments(ns).List(ctx, metav1.ListOptions{LabelSelector: "x.io/wing=" + wing})
//! for _, d := range list.Items {
//!     if d.Labels["x.io/wing"] != wing { continue }        x.io/wing, of Deployments; either would do
//! ```
//! The walk has made a condition on each element of what a selector asks for, so the two are one. Labels of other kinds, of
//! Pods above all, say nothing of workloads.

use super::{Judged, place as place_of};
use crate::ask::Facts;
use crate::ask::base_read;
use crate::ir::{Arena, Bin, Expr, ExprId, Lit, Un};
use crate::project::Project;
use crate::rules::{Cleanup, LabelUse, LabelUses};
use crate::source::Span;
use crate::sweep::{Sweep, Verdict};
use crate::vocab::{Role, ScopeKind, Workload, ownership, selectors};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use std::sync::Arc;

mod handlers;

/// What is sought once, and only if somebody asks.
pub(super) struct Sought<'a> {
    found: OnceCell<Vec<LabelUse>>,
    seek: &'a dyn Fn() -> Vec<LabelUse>,
}

impl<'a> Sought<'a> {
    /// Nothing is sought yet.
    pub(super) fn new(seek: &'a dyn Fn() -> Vec<LabelUse>) -> Self {
        Sought { found: OnceCell::new(), seek }
    }
}

impl LabelUses for Sought<'_> {
    fn all(&self) -> &[LabelUse] {
        self.found.get_or_init(self.seek)
    }
}

/// The labels that judged functions select or judge workloads by.
pub(super) fn labels(project: &Project, judged: &[Judged]) -> Vec<LabelUse> {
    let (mut out, mut seen): (Vec<LabelUse>, FxHashSet<*const crate::facts::Summary>) = (vec![], FxHashSet::default());
    for j in judged.iter().filter(|j| seen.insert(Arc::as_ptr(&j.summary))) {
        let facts = Facts::new(&j.summary, project.vocab);
        let asked = asked(facts.arena);
        for e in facts.arena.ids() {
            let Some(one) = label(&facts, e, &asked) else { continue };
            if !out.iter().any(|o| (&o.key, &o.kinds, &o.value) == (&one.key, &one.kinds, &one.value)) {
                out.push(one);
            }
        }
    }
    out.extend(handlers::labels(project));
    out.sort_by_key(|u| u.at);
    out
}

/// What each expression is compared with, if that is one text, and if it not being so is asked nowhere.
///
/// ```text
/// d.labels.app == "lab"                      "lab": another value is not spoken of
/// if d.labels.app != "lab": delete(d)        nothing: what has no label is deleted, too
/// ```
fn asked(a: &Arena) -> FxHashMap<ExprId, Option<&'static str>> {
    let mut out: FxHashMap<ExprId, Option<&'static str>> = FxHashMap::default();
    let negated: FxHashSet<ExprId> = a
        .ids()
        .filter_map(|e| match *a.get(e) {
            Expr::Unary(Un::Not, x) => Some(x),
            _ => None,
        })
        .collect();
    for e in a.ids() {
        let Expr::Binary(Bin::Eq, l, r) = *a.get(e) else { continue };
        for (x, value) in [(l, a.as_str(r)), (r, a.as_str(l))] {
            let value = value.filter(|_| !negated.contains(&e));
            out.entry(x).and_modify(|known| *known = known.filter(|k| Some(*k) == value)).or_insert(value);
        }
    }
    out
}

/// The label that an expression reads off an element of a listing of workloads.
fn label(facts: &Facts, e: ExprId, asked: &FxHashMap<ExprId, Option<&str>>) -> Option<LabelUse> {
    let a = facts.arena;
    let Expr::Field(borne, key) = *a.get(e) else { return None };
    let Expr::Field(owner, field) = *a.get(borne) else { return None };
    if !ownership().is_labels(&field) || key.as_str().starts_with('#') {
        return None;
    }
    let root = root(a, owner);
    matches!(a.get(root), Expr::Elem(_) | Expr::Call(_)).then_some(())?;
    let read = base_read(facts, root).or_else(|| swept(facts, root))?;
    let kind = kind(facts, read)?;
    let at = place(a, e).or_else(|| place(a, read))?;
    let text = format!("{}s are told apart by `{key}` here", kind.name);
    let value = asked.get(&e).copied().flatten().map(str::to_owned);
    Some(LabelUse { key: key.to_string(), value, kinds: vec![kind.name.clone()], at, text })
}

fn root(a: &Arena, mut e: ExprId) -> ExprId {
    while let Expr::Field(x, _) = *a.get(e) {
        e = x;
    }
    e
}

/// The call that destroys all that a selector selects: `delete_collection_namespaced_deployment(ns, label_selector=s)`.
fn swept(facts: &Facts, mut e: ExprId) -> Option<ExprId> {
    while let Expr::Elem(of) | Expr::Gather { of, .. } = facts.arena.get(e) {
        e = facts.arena.coll(*of);
    }
    facts.role(e).filter(|r| *r == Role::Destroy).map(|_| e)
}

/// The kind of workload that a call gives or destroys.
fn kind(facts: &Facts, call: ExprId) -> Option<&'static Workload> {
    // Others than clusters have things of these names, too, but not with such selectors.
    let selects = facts.row(call).is_some_and(|row| row.scope.iter().any(|s| s.kind == ScopeKind::LabelSelector));
    let workload = |name: String| ownership().kind(&name);
    let named = || facts.kind_named(call).filter(|_| selects);
    facts.kind_told(call).and_then(workload).or_else(|| named().and_then(workload))
}

/// A judged call on objects of a cluster is noted, once for all the ways to it.
pub(super) fn note_cleanup(out: &mut Vec<Cleanup>, facts: &Facts, j: &Judged, sweep: Option<&Sweep>) {
    let (Some(at), Some(plural)) = (place_of(&j.summary, &j.effect), destroyed(facts, j)) else { return };
    let unscoped = sweep.is_some_and(|s| s.is(Verdict::Unscoped) && s.absence_permits());
    match out.iter_mut().find(|c| c.at == at) {
        Some(known) => known.unscoped |= unscoped,
        None => out.push(Cleanup { plural, at, unscoped, variables: variables(facts, j.effect.call) }),
    }
}

/// The kind that a call destroys, as permissions spell it.
fn destroyed(facts: &Facts, j: &Judged) -> Option<String> {
    let kind = |noun: &str| selectors().spelled(noun).map(|k| k.plural());
    let by_noun = facts.row(j.effect.call).and_then(|row| row.noun).and_then(|noun| kind(&noun));
    let typed = |e: ExprId| match facts.arena.get(root(facts.arena, e)) {
        Expr::Record(parts) => parts.iter().find(|p| p.0 == "#is").and_then(|p| kind(facts.arena.as_str(p.1)?)),
        _ => None,
    };
    let filled = |e: ExprId| {
        let call = facts.arena.call_of(root(facts.arena, e))?;
        call.args.iter().find_map(|arg| typed(arg.value))
    };
    by_noun.or_else(|| typed(j.effect.target)).or_else(|| filled(j.effect.target))
}

/// The environment variables that the namespace of a call is read from.
fn variables(facts: &Facts, call: ExprId) -> Vec<String> {
    let of = || {
        let (c, row) = (facts.arena.call_of(call)?, facts.row(call)?);
        let scope = row.scope.iter().find(|s| s.kind == ScopeKind::Namespace)?;
        facts.vocab.bound(facts.arena, c, row, scope.bind)
    };
    let Some(namespace) = of() else { return vec![] };
    let mut out = vec![];
    facts.arena.mentions(namespace, &mut |x| {
        match facts.arena.get(x) {
            Expr::Path(p) => out.extend(p.as_str().rsplit('.').next().map(str::to_owned)),
            Expr::Lit(Lit::Str(s)) => out.push(s.to_string()),
            Expr::Field(_, f) => out.push(f.to_string()),
            _ => {}
        }
        false
    });
    out.retain(|name| name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'));
    out
}

fn place(a: &Arena, e: ExprId) -> Option<Span> {
    match a.call_of(e) {
        Some(call) => Some(a.site(call.site).name),
        None => a.origin(e),
    }
}
