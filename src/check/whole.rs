//! Rules that look at a function as a whole: the functions they are shown, and what becomes of their findings.
//!
//! ```text
//! def old(core, ns):                                  no destructive call; the index marks it for `field_selector`
//!     return core.list_namespaced_secret(ns, field_selector="metadata.creationTimestamp<..")
//! ```
//! A function is shown with what the walk left of it; a test as it is written.

use crate::ask::Facts;
use crate::facts::Summary;
use crate::ir::{Expr, ExprId, Func, Sym};
use crate::project::Project;
use crate::rules::{self, Collected, Declared, Finding, LabelUses, Scene};
use crate::source::{Sources, Span};
use crate::vocab::{ownership, selectors};
use crate::walk::FuncKey;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// More callers of a list are not looked at.
const CALLERS: usize = 24;

/// How many calls up the owner of what is made is looked for.
const LEVELS: usize = 2;

/// A function to be shown.
struct Shown {
    func: Arc<Func>,
    summary: Option<Arc<Summary>>,
}

/// What the rules say of functions as a whole.
pub(super) fn findings(project: &Project, declared: &Declared, uses: &dyn LabelUses) -> Vec<Finding> {
    let mut out = vec![];
    for shown in shown(project) {
        let name = super::function_name(&shown.func);
        let facts = shown.summary.as_deref().map(|s| Facts::new(s, project.vocab));
        let declared = declared.of(shown.func.name_span.file);
        let scene = Scene { func: &shown.func, facts, vocab: project.vocab, function: &name, uses, declared };
        out.extend(rules::check_function(&scene));
    }
    out.iter_mut().for_each(|f| f.at = first_line(project.sources, f.at));
    out
}

/// What the rules say of functions that make something of a kind that is collected by label elsewhere. Such functions
/// need hold no trigger; they are looked for only where there is a sweep that collects.
pub(super) fn findings_of_makers(project: &Project, collected: &[Collected], uses: &dyn LabelUses) -> Vec<Finding> {
    let makers = makers(project, collected);
    let mut out = vec![];
    for key in makers {
        let (Some(func), Some(summary)) = (function(project, key), project.full(key)) else {
            continue;
        };
        let name = super::function_name(&func);
        let facts = Some(Facts::new(&summary, project.vocab));
        let scene = Scene { func: &func, facts, vocab: project.vocab, function: &name, uses, declared: &[] };
        out.extend(rules::check_maker(&scene, collected));
    }
    out
}

/// Functions that may make something that is collected, and those that call them.
fn makers(project: &Project, collected: &[Collected]) -> Vec<FuncKey> {
    let mut kinds: Vec<&str> = collected.iter().map(|c| c.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let (mut makers, mut seen) = (vec![], FxHashSet::default());
    for kind in kinds {
        makers.extend(selectors().makers(kind).flat_map(|name| project.users(&name)));
        makers.extend(makers_of_types(project, kind));
    }
    makers.retain(|key| !project.in_test_file(*key) && seen.insert(*key));
    let mut at = 0;
    for _ in 0..LEVELS {
        let callers: Vec<FuncKey> = makers.iter().skip(at).flat_map(|f| few_callers(project, *f)).collect();
        at = makers.len();
        makers.extend(callers.into_iter().filter(|key| seen.insert(*key)));
    }
    makers
}

/// Functions that speak of a kind by its name, and make something; the name may stand in a helper that builds it.
fn makers_of_types(project: &Project, kind: &str) -> Vec<FuncKey> {
    let mut out = project.speaking_of(kind);
    out.extend(project.speaking_of(&rules::plural(kind)));
    out.retain(|key| !project.in_test_file(*key));
    let callers: Vec<FuncKey> = out.iter().flat_map(|f| few_callers(project, *f)).collect();
    out.extend(callers);
    let calls: Vec<String> = selectors().creators().iter().map(|name| format!(".{name}(")).collect();
    out.retain(|key| project.source_of(*key).is_some_and(|text| calls.iter().any(|call| text.contains(call))));
    out
}

/// The callers of a function, where its name is not one that everything has.
fn few_callers(project: &Project, f: FuncKey) -> Vec<FuncKey> {
    let callers = project.callers(f, CALLERS);
    if callers.len() > CALLERS { vec![] } else { callers.into_iter().filter(|c| !project.in_test_file(*c)).collect() }
}

/// A function that is no test.
fn function(project: &Project, key: FuncKey) -> Option<Arc<Func>> {
    if project.in_test_file(key) { None } else { project.func(key).filter(|f| !f.is_test) }
}

/// Every test and other function that is read for what it speaks of or was walked, the callers that say what one of them lists by, and the tops of files.
fn shown(project: &Project) -> Vec<Shown> {
    let (mut out, mut keys) = (vec![], vec![]);
    for file in &project.sources.files {
        let seeds = project.seeds(file.id).into_iter().map(|def| project.key(file.id, def));
        keys.extend(seeds.filter(|key| project.is_test_or_mention(*key) || project.is_walked(*key)));
        let hit = project.indexes.get(file.id.0 as usize).is_some_and(|i| i.module_hit);
        if let Some((func, summary)) = hit.then(|| project.script(file.id)).flatten() {
            out.push(Shown { func, summary: Some(summary) });
        }
    }
    let mut at = 0;
    while let Some(key) = keys.get(at).copied() {
        at += 1;
        let Some(func) = project.func(key) else { continue };
        let summary = if func.is_test { None } else { project.full(key) };
        if summary.as_ref().is_some_and(|s| is_told_what_to_select(s)) {
            let callers = project.callers(key, usize::MAX);
            keys.extend(callers.into_iter().filter(|c| !keys.contains(c)).take(CALLERS).collect::<Vec<_>>());
        }
        if func.is_test || summary.is_some() {
            let func = if fills_in(&func) { project.as_written(key).unwrap_or(func) } else { func };
            out.push(Shown { func, summary });
        }
    }
    out
}

/// Is it given a workload, whose labels it may assign?
fn fills_in(func: &Func) -> bool {
    let kind = |path: Sym| ownership().kind(path.as_str().rsplit('.').next().unwrap_or_default());
    func.params.iter().any(|p| p.type_path.and_then(kind).is_some())
}

/// Does a caller say what is listed by?
fn is_told_what_to_select(s: &Summary) -> bool {
    let param = |e: ExprId| matches!(s.arena.get(e), Expr::Param(_));
    let given = |e: &ExprId| {
        s.arena.call_of(*e).is_some_and(|c| c.args.iter().any(|x| s.arena.mentions(x.value, &mut |y| param(y))))
    };
    s.selects.iter().any(given)
}

/// A primary place lies on one line.
fn first_line(sources: &Sources, at: Span) -> Span {
    match sources.text(at).find(['\n', '\r']) {
        Some(end) => Span { end: at.start + end as u32, ..at },
        None => at,
    }
}
