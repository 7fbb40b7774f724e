//! Edits to files: those of several findings together, each text once.
//!
//! ```text
//! two findings, each with a safe fix of its own place     both are made
//! two fixes that touch each other                         the first one; the other finding stays
//! ```
//! Nothing is written here.

use crate::rules::{Applicability, Edit, Finding};
use crate::source::{FileId, Sources};
use std::collections::BTreeMap;

/// What fixing comes to.
#[derive(Debug, Default)]
pub struct Fixed {
    /// The new text of each file that changes.
    pub texts: Vec<(FileId, String)>,
    /// Which findings are mended, in the order of those that were given.
    pub mended: Vec<bool>,
}

/// Makes the fixes that are safe.
pub fn safe(findings: &[Finding], sources: &Sources) -> Fixed {
    let mut edits: BTreeMap<FileId, Vec<Edit>> = BTreeMap::new();
    let mut out = Fixed::default();
    for finding in findings {
        let fix = finding.fixes.iter().find(|f| f.applicability == Applicability::Safe && !f.edits.is_empty());
        let fits = |e: &Edit| !edits.get(&e.span.file).is_some_and(|made| made.iter().any(|m| touch(m, e)));
        let fix = fix.filter(|f| f.edits.iter().all(fits));
        out.mended.push(fix.is_some());
        for edit in fix.iter().flat_map(|f| &f.edits) {
            edits.entry(edit.span.file).or_default().push(edit.clone());
        }
    }
    for (file, mut edits) in edits {
        edits.sort_by_key(|e| (e.span.start, e.span.end));
        out.texts.push((file, applied(&sources.get(file).text, &edits)));
    }
    out
}

fn touch(a: &Edit, b: &Edit) -> bool {
    a.span.start <= b.span.end && b.span.start <= a.span.end
}

fn applied(text: &str, edits: &[Edit]) -> String {
    let (mut out, mut at) = (String::with_capacity(text.len() + 64), 0);
    for edit in edits {
        out.push_str(text.get(at..edit.span.start as usize).unwrap_or_default());
        out.push_str(&edit.replacement);
        at = edit.span.end as usize;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
