//! Rules that look at a function as a whole: the functions they are shown, and what becomes of their findings.
//!
//! ```text
//! def old(core, ns):                                  no destructive call; the index marks it for `field_selector`
//!     return core.list_namespaced_secret(ns, field_selector="metadata.creationTimestamp<..")
//! ```
//! A function is shown with what the walk left of it; a test as it is written.

use crate::ask::Facts;
use crate::facts::Summary;
use crate::ir::Func;
use crate::project::Project;
use crate::rules::{self, Finding, Scene};
use crate::source::{Sources, Span};
use crate::walk::Context;
use std::sync::Arc;

/// A function to be shown.
struct Shown {
    func: Arc<Func>,
    summary: Option<Arc<Summary>>,
}

/// What the rules say of functions as a whole.
pub(super) fn findings(project: &Project) -> Vec<Finding> {
    let mut out = vec![];
    for shown in shown(project) {
        let name = super::function_name(&shown.func);
        let facts = shown.summary.as_deref().map(|s| Facts::new(s, project.vocab));
        let scene = Scene { func: &shown.func, facts, vocab: project.vocab, function: &name };
        out.extend(rules::check_function(&scene));
    }
    out.iter_mut().for_each(|f| f.at = first_line(project.sources, f.at));
    out
}

/// Every function that holds a trigger, and the tops of files that do.
fn shown(project: &Project) -> Vec<Shown> {
    let mut out = vec![];
    for file in &project.sources.files {
        for def in project.seeds(file.id) {
            let key = project.key(file.id, def);
            let Some(func) = project.func(key) else { continue };
            let summary = if func.is_test { None } else { project.summary(key) };
            if func.is_test || summary.is_some() {
                out.push(Shown { func, summary });
            }
        }
        let hit = project.indexes.get(file.id.0 as usize).is_some_and(|i| i.module_hit);
        if let Some((func, summary)) = hit.then(|| project.script(file.id)).flatten() {
            out.push(Shown { func, summary: Some(summary) });
        }
    }
    out
}

/// A primary place lies on one line.
fn first_line(sources: &Sources, at: Span) -> Span {
    match sources.text(at).find(['\n', '\r']) {
        Some(end) => Span { end: at.start + end as u32, ..at },
        None => at,
    }
}
