//! Edits to files: those of several findings together, tried out before anything is kept.
//!
//! ```text
//! two findings, each with a fix of its own place     both are made
//! two fixes that touch each other                    the first one; the other in the next turn, if it is still needed
//! a fix after which the rule still speaks,           taken back
//! or another one begins to, or that does not parse
//! ```
//! What is safe comes first, then kind by kind what is not: a guard that is turned round leaves nothing for a test of age to
//! do. After each turn everything is linted again, and the next one starts from that. Nothing is written here.

use crate::mend;
use crate::rules::{Applicability, Edit, Finding, Fix};
use crate::source::{FileId, Sources};
use crate::suppress::Remark;
use rustc_hash::{FxHashMap, FxHashSet};
use similar::TextDiff;
use std::collections::BTreeMap;

/// What is found in a tree.
#[derive(Debug, Default)]
pub struct Found {
    /// What is reported.
    pub findings: Vec<Finding>,
    /// What there is to say of suppressions.
    pub remarks: Vec<Remark>,
    /// How many parts did not parse.
    pub broken: usize,
}

/// A finding as it is known from one text to the next: the file, the rule, the function.
type Known = (FileId, &'static str, String);

/// More turns than this change nothing any more.
const TURNS: usize = 40;

/// Makes every fix that may be made, in memory. `found` is what there is in the tree, `lint` finds it in another one, `wanted`
/// says which findings are to be mended. The tree as it is then; nothing where no fix holds.
pub fn all(
    start: &Sources,
    mut found: Found,
    lint: &dyn Fn(&Sources) -> Found,
    wanted: &dyn Fn(&Finding) -> bool,
    reckless: bool,
) -> Option<Sources> {
    let mut sources: Option<Sources> = None;
    let mut refused: FxHashSet<(Known, String)> = FxHashSet::default();
    for _ in 0..TURNS {
        let now = sources.as_ref().unwrap_or(start);
        mend::propose(&mut found.findings, now);
        let Some(turn) = Turn::next(&found, now, wanted, reckless, &refused) else { break };
        let next = changed(now, &turn.edits);
        let after = lint(&next);
        let bad = turn.bad(&found, &after);
        if bad.is_empty() {
            (sources, found) = (Some(next), after);
        } else {
            refused.extend(bad);
        }
    }
    sources
}

/// The fixes of one turn.
struct Turn<'a> {
    edits: BTreeMap<FileId, Vec<Edit>>,
    /// The findings they are to mend, with the words of the fix.
    made: Vec<(&'a Finding, &'a Fix)>,
}

impl<'a> Turn<'a> {
    fn next(
        found: &'a Found,
        sources: &Sources,
        wanted: &dyn Fn(&Finding) -> bool,
        reckless: bool,
        refused: &FxHashSet<(Known, String)>,
    ) -> Option<Turn<'a>> {
        let may = |fix: &&Fix| {
            fix.applicability == Applicability::Safe || reckless && fix.applicability == Applicability::Unsafe
        };
        let fixes = found.findings.iter().filter(|finding| wanted(finding)).filter_map(|finding| {
            let fix = finding.fixes.iter().filter(may).find(|fix| !fix.edits.is_empty())?;
            (!refused.contains(&told(finding, fix))).then_some((finding, fix))
        });
        let fixes: Vec<_> = fixes.collect();
        // Safe ones first, then the kind that the first rule of the list has.
        let kind =
            |(finding, fix): &(&Finding, &Fix)| (fix.applicability as usize, finding.rule.mend.map(|m| m as usize));
        let mut turn = Turn { edits: BTreeMap::new(), made: vec![] };
        if let Some(first) = fixes.iter().map(kind).min() {
            for (finding, fix) in fixes.into_iter().filter(|one| kind(one) == first) {
                if turn.take(&fix.edits) {
                    turn.made.push((finding, fix));
                }
            }
        } else {
            let own = |remark: &&Remark| sources.files.iter().any(|file| file.id == remark.at.file);
            for edit in found.remarks.iter().filter(own).filter_map(|remark| remark.edit.clone()) {
                turn.take(&[edit]);
            }
        }
        (!turn.edits.is_empty()).then_some(turn)
    }

    /// Adds edits, unless one of them touches what is there.
    fn take(&mut self, edits: &[Edit]) -> bool {
        let known = |edit: &Edit| self.edits.get(&edit.span.file).is_some_and(|all| all.contains(edit));
        let fits = |edit: &Edit| {
            known(edit) || !self.edits.get(&edit.span.file).is_some_and(|made| made.iter().any(|m| touch(m, edit)))
        };
        if !edits.iter().all(fits) {
            return false;
        }
        // Two that need the same thing imported need it once.
        let new: Vec<Edit> = edits.iter().filter(|edit| !known(edit)).cloned().collect();
        for edit in new {
            self.edits.entry(edit.span.file).or_default().push(edit);
        }
        true
    }

    /// The fixes of this turn that do not hold.
    fn bad(&self, before: &Found, after: &Found) -> Vec<(Known, String)> {
        let (old, new) = (counted(before), counted(after));
        let of = |counts: &FxHashMap<Known, usize>, known: &Known| counts.get(known).copied().unwrap_or_default();
        let grown: FxHashSet<FileId> =
            new.iter().filter(|(known, n)| **n > of(&old, known)).map(|(k, _)| k.0).collect();
        let broken = after.broken > before.broken;
        let mut made: FxHashMap<Known, usize> = FxHashMap::default();
        for (finding, _) in &self.made {
            *made.entry(known(finding)).or_default() += 1;
        }
        let bad = self.made.iter().filter(|(finding, _)| {
            let known = known(finding);
            let left = of(&old, &known).saturating_sub(of(&made, &known));
            broken || of(&new, &known) > left || grown.contains(&finding.at.file)
        });
        let bad: Vec<_> = bad.map(|(finding, fix)| told(finding, fix)).collect();
        // What another file's edit brought about is told of no one fix: none of them is kept.
        if bad.is_empty() && !grown.is_empty() { self.made.iter().map(|(f, fix)| told(f, fix)).collect() } else { bad }
    }
}

fn known(finding: &Finding) -> Known {
    (finding.at.file, finding.rule.name, finding.function.clone())
}

/// A fix of a finding, in whatever turn: lines move, words stay.
fn told(finding: &Finding, fix: &Fix) -> (Known, String) {
    let text: Vec<&str> = fix.edits.iter().map(|edit| &*edit.replacement).collect();
    (known(finding), format!("{}\0{}", fix.message, text.join("\0")))
}

fn counted(found: &Found) -> FxHashMap<Known, usize> {
    let mut counts = FxHashMap::default();
    for finding in &found.findings {
        *counts.entry(known(finding)).or_default() += 1;
    }
    counts
}

fn touch(a: &Edit, b: &Edit) -> bool {
    a.span.start <= b.span.end && b.span.start <= a.span.end
}

/// The tree with edits made.
fn changed(sources: &Sources, edits: &BTreeMap<FileId, Vec<Edit>>) -> Sources {
    let mut files = sources.files.clone();
    for file in &mut files {
        if let Some(edits) = edits.get(&file.id) {
            file.text = applied(&file.text, edits).into();
        }
    }
    Sources { files }
}

/// A text with edits made, none of which touches another.
pub fn applied(text: &str, edits: &[Edit]) -> String {
    let mut sorted: Vec<&Edit> = edits.iter().collect();
    // What is put in stands before what is put for something else at the same place.
    sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let (mut out, mut at) = (String::with_capacity(text.len() + 64), 0);
    for edit in sorted {
        out.push_str(text.get(at..edit.span.start as usize).unwrap_or_default());
        out.push_str(&edit.replacement);
        at = edit.span.end as usize;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// The files that differ, with their new texts.
pub fn texts<'a>(before: &'a Sources, after: &'a Sources) -> impl Iterator<Item = (FileId, &'a str)> {
    let pairs = before.files.iter().zip(&after.files);
    pairs.filter(|(old, new)| old.text != new.text).map(|(_, new)| (new.id, &*new.text))
}

/// The changes as a unified diff.
pub fn diff(before: &Sources, after: &Sources) -> String {
    let mut out = String::new();
    for (file, text) in texts(before, after) {
        let old = before.get(file);
        let name = old.shown();
        let diff = TextDiff::from_lines(&*old.text, text);
        out.push_str(&diff.unified_diff().header(&format!("a/{name}"), &format!("b/{name}")).to_string());
    }
    out
}
