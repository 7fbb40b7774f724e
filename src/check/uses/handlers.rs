//! Functions that are called for the objects of a kind that have a label.
//!
//! ```text
//! @kopf.timer("apps", "v1", "deployments", interval=60, labels={"x.io/crop": kopf.PRESENT})
//! def put_away(name, namespace, **_):
//!     apps.delete_namespaced_deployment(name, namespace)          x.io/crop, of Deployments
//! ```
//! One that destroys nothing decides about nothing.

use super::*;
use crate::check::commands::kind_of;
use crate::facts::EffectKind;
use crate::ir::{Arg, Call, Func, Sym, sym};

/// The labels that handlers which destroy something are called by.
pub(super) fn labels(project: &Project) -> Vec<LabelUse> {
    let mut out = vec![];
    for key in project.handlers() {
        let Some(func) = project.decorated(key) else { continue };
        let told = told(project, &func);
        if told.is_empty() {
            continue;
        }
        let destroys = |s: Arc<crate::facts::Summary>| s.effects.iter().any(|e| e.kind != EffectKind::Create);
        if project.full(key).is_some_and(destroys) {
            out.extend(told);
        }
    }
    out
}

fn told(project: &Project, func: &Func) -> Vec<LabelUse> {
    let a = &func.arena;
    let calls = func.stage.iter().filter_map(|e| a.call_of(*e));
    let handles = |c: &&Call| matches!(a.get(c.callee), Expr::Path(p) if project.vocab.is_handler(p));
    calls.filter(handles).flat_map(|c| of(project, func, c)).collect()
}

/// What one decorator says.
fn of(project: &Project, func: &Func, call: &Call) -> Vec<LabelUse> {
    let a = &func.arena;
    let text = |e: ExprId| match a.get(e) {
        Expr::Path(p) => project.constant(func.name_span.file, *p),
        _ => a.as_str(e),
    };
    let names_kind = |x: &&Arg| x.name.is_none_or(|n| matches!(n.as_str(), "kind" | "plural" | "singular"));
    let kind = call.args.iter().filter(names_kind).find_map(|x| kind_of(text(x.value)?));
    let labels = call.args.iter().find(|x| x.name.is_some_and(|n| ownership().is_labels(&n)));
    let (Some(kind), Some(labels)) = (kind, labels) else { return vec![] };
    let Expr::Record(entries) = a.get(labels.value) else { return vec![] };
    let key = |name: Sym| match name.strip_prefix('=') {
        Some(path) => project.constant(func.name_span.file, sym(path)).map(str::to_owned),
        None => Some(name.to_string()),
    };
    let one = |(name, value): &(Sym, ExprId)| {
        let key = key(*name)?;
        let text_of_use = format!("{kind}s are handed to this by `{key}`");
        let at = func.name_span;
        Some(LabelUse { key, kinds: vec![kind.clone()], value: text(*value).map(str::to_owned), at, text: text_of_use })
    };
    entries.iter().filter_map(one).collect()
}
