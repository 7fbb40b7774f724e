//! Markers from which Kubebuilder makes roles: without `namespace=` a ClusterRole.
//!
//! ```go
//! // +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;list;delete       everywhere
//! Cache: cache.Options{DefaultNamespaces: ..}                                  sees a few namespaces
//! err := r.Delete(ctx, &job)                                                   and deletes Jobs
//! ```

use super::*;
use crate::source::{Language, SourceFile};

/// How a marker begins.
const MARK: &str = "+kubebuilder:rbac:";

/// What limits the caches of a manager to namespaces.
const LIMIT: &str = "DefaultNamespaces:";

/// What the rule says of markers.
pub(super) fn check(deployed: &Deployed) -> Vec<Finding> {
    let go: Vec<&SourceFile> = deployed.sources.files.iter().filter(|f| f.language == Language::Go).collect();
    let marked: Vec<&SourceFile> = go.iter().copied().filter(|f| f.text.contains(MARK)).collect();
    if marked.is_empty() {
        return vec![];
    }
    let limits = |f: &&SourceFile| limit(&f.text).map(|at| Span::new(f.id, at, at + LIMIT.len() - 1));
    let limits: Vec<Span> = go.iter().filter_map(limits).collect();
    marked.into_iter().flat_map(|f| file(deployed, f, &limits)).collect()
}

/// The place that limits a manager's caches. A map that begins empty may stay so, and no namespaces are all of them.
fn limit(text: &str) -> Option<usize> {
    let at = text.find(LIMIT)?;
    let value = text.get(at + LIMIT.len()..)?.lines().next()?;
    let empty = value.split_once('{').is_some_and(|(_, inside)| inside.trim_start().starts_with('}'));
    (!empty).then_some(at)
}

fn file(deployed: &Deployed, f: &SourceFile, limits: &[Span]) -> Vec<Finding> {
    let mut out = vec![];
    for (at, _) in f.text.match_indices(MARK) {
        let line = f.text.get(at..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        let before = f.text.get(..at).unwrap_or_default().lines().last().unwrap_or_default();
        if !before.trim_start().starts_with("//") {
            continue;
        }
        let text = line.split_whitespace().next().unwrap_or_default();
        let part = |name: &str| {
            let parts = text.get(MARK.len()..).unwrap_or_default().split(',');
            parts
                .filter_map(|p| p.split_once('='))
                .find(|(key, _)| *key == name)
                .map(|(_, value)| value.trim_matches('"'))
        };
        let verbs = part("verbs").unwrap_or_default();
        if part("namespace").is_some() || !verbs.split(';').any(|v| permissions().destroys(v)) {
            continue;
        }
        let resources = part("resources").unwrap_or_default();
        let near = |s: &&Span| beside(deployed, s.file, f.id);
        let limit = limits.iter().find(near).or(limits.first().filter(|_| limits.len() == 1));
        let deletes = |c: &&Cleanup| {
            let covered = resources.split(';').any(|r| r == c.plural) && !permissions().is_cluster_scoped(&c.plural);
            covered && c.at.file == f.id
        };
        let (Some(limit), Some(delete)) = (limit, deployed.cleanups.iter().find(deletes)) else { continue };
        let place = Span::new(f.id, at, at + text.len());
        out.push(Finding {
            rule: &RULE,
            severity: RULE.severity,
            confidence: Confidence::High,
            message: format!("this marker makes a ClusterRole that may delete {resources} in every namespace, and the manager sees a few alone"),
            help: "add `namespace=NAME` to the marker, so that a Role is made for the namespace it works in".to_owned(),
            at: place,
            statement: place,
            steps: vec![
                Step { span: *limit, part: Part::Reference, text: "the caches are limited to namespaces here".to_owned() },
                Step { span: delete.at, part: Part::Delete, text: "deleted here".to_owned() },
            ],
            group: place,
            function: String::new(),
            fixes: vec![],
            excused: None,
        });
    }
    out
}

/// Do two files stand in one folder?
fn beside(deployed: &Deployed, a: FileId, b: FileId) -> bool {
    deployed.sources.get(a).path.parent() == deployed.sources.get(b).path.parent()
}
