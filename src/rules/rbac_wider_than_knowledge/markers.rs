//! Markers that give a right everywhere to a program whose caches see a few namespaces.
//!
//! ```text
//! marker for jobs, everywhere + caches limited to namespaces + the same file deletes Jobs      reported
//! ```

use super::*;
use crate::manifest::markers::{Marker, Markers};

/// What the rule says of markers.
pub(super) fn check(deployed: &Deployed) -> Vec<Finding> {
    let markers = Markers::read(deployed.sources);
    markers.wide.iter().filter_map(|m| finding(deployed, m, &markers.limits)).collect()
}

fn finding(deployed: &Deployed, marker: &Marker, limits: &[Span]) -> Option<Finding> {
    let folder = |s: &Span| deployed.sources.get(s.file).path.parent();
    let near = limits.iter().find(|s| folder(s) == folder(&marker.at));
    let limit = near.or(limits.first().filter(|_| limits.len() == 1))?;
    let deletes = |c: &&Cleanup| {
        let covered = marker.resources.contains(&c.plural) && !permissions().is_cluster_scoped(&c.plural);
        covered && c.at.file == marker.at.file
    };
    let delete = deployed.cleanups.iter().find(deletes)?;
    Some(Finding {
        rule: &RULE,
        severity: RULE.severity,
        confidence: Confidence::High,
        message: format!(
            "this marker makes a ClusterRole that may delete {} in every namespace, and the manager sees a few alone",
            marker.resources.join(", ")
        ),
        help: "add `namespace=NAME` to the marker, so that a Role is made for the namespace it works in".to_owned(),
        at: marker.at,
        statement: marker.at,
        steps: vec![
            Step { span: *limit, part: Part::Reference, text: "the caches are limited to namespaces here".to_owned() },
            Step { span: delete.at, part: Part::Delete, text: "deleted here".to_owned() },
        ],
        group: marker.at,
        function: String::new(),
        fixes: vec![],
        excused: None,
    })
}
