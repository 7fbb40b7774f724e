//! Rules that look at manifests, beside what the rest of the tree says of them.

use crate::manifest::Manifests;
use crate::rules::{self, Deployed, Finding};
use crate::source::{FileId, Sources};

/// What the rules say of manifests and commands.
pub(super) fn findings(deployed: &Deployed) -> Vec<Finding> {
    rules::check_manifests(deployed)
}

/// Documents that do not parse: the file, and where and why.
pub(super) fn broken<'a>(
    manifests: &'a Manifests,
    sources: &'a Sources,
) -> impl Iterator<Item = (FileId, String)> + 'a {
    manifests.broken.iter().map(|(file, at, what)| {
        let text = &sources.get(*file).text;
        let line = text.get(..*at as usize).map_or(0, |t| t.matches('\n').count()) + 1;
        (*file, format!("line {line} does not parse ({what}); the other documents were linted"))
    })
}
