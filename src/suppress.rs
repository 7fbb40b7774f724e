//! `# reaplint: ignore[rule] reason` comments.
//!
//! ```python
//! # reaplint: file-ignore[missing-grace-period] rows are written before the workload starts      (head of the file)
//! for vm in cloud.list_vms():
//!     # reaplint: ignore[delete-on-absence] this account is ours alone                           (alone: next line)
//!     cloud.delete_vm(
//!         vm.name,  # reaplint: ignore[unscoped-sweep, missing-grace-period] the same            (a line of the call)
//!     )
//! text = "# reaplint: ignore[delete-on-absence] no comment, and so not seen"
//! ```
//!
//! The rules and a reason are required: a comment without them is reported and suppresses nothing, so that none
//! silences more than its author meant. One that matched nothing is reported as well, but only for rules that ran and
//! files that were linted whole.

pub mod add;
mod comments;
mod directive;
mod unused;

use crate::report::lines::Places;
use crate::rules::{Edit, Finding, Rule};
use crate::source::{SourceFile, Span};
use directive::Directive;
use std::ops::RangeInclusive;

/// A finding that a comment suppresses.
#[derive(Debug)]
pub struct Suppressed {
    /// The finding.
    pub finding: Finding,
    /// The comment's reason.
    pub reason: String,
    /// The comment.
    pub comment: Span,
}

/// Something to say about a comment itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Remark {
    /// The comment.
    pub at: Span,
    /// It matched nothing; otherwise it is wrong.
    pub unused: bool,
    /// What is to be said.
    pub text: String,
    /// The edit that takes it out, where it is unused.
    pub edit: Option<Edit>,
}

/// Findings told apart, and what there is to say about the comments.
#[derive(Default, Debug)]
pub struct Sorted {
    /// Not suppressed.
    pub kept: Vec<Finding>,
    /// Suppressed.
    pub suppressed: Vec<Suppressed>,
    /// In the order of places.
    pub remarks: Vec<Remark>,
}

/// Tells suppressed findings from the others.
///
/// `runs` says whether a rule runs on a file and the file was linted whole: only then is an unused comment one.
pub fn sort(
    findings: Vec<Finding>,
    places: &Places<'_>,
    rules: &[&'static Rule],
    runs: impl Fn(&str, &SourceFile) -> bool,
) -> Sorted {
    let mut sorted = Sorted::default();
    let mut entries = Vec::new();
    for file in &places.sources().files {
        // Most files have none: one search, and no lexing.
        if file.text.contains(directive::MARK) {
            read_file(file, places, rules, &mut entries, &mut sorted.remarks);
        }
    }
    for finding in findings {
        let lines = lines_of(&finding, places);
        let mut by = finding.excused.clone();
        for entry in entries.iter_mut().filter(|entry| entry.covers(&finding, &lines)) {
            entry.used = true;
            by.get_or_insert_with(|| (entry.reason.clone(), entry.comment));
        }
        match by {
            Some((reason, comment)) => sorted.suppressed.push(Suppressed { finding, reason, comment }),
            None => sorted.kept.push(finding),
        }
    }
    let sources = places.sources();
    let idle = |entry: &Entry| !entry.used && runs(entry.rule, sources.get(entry.comment.file));
    let unused = entries.iter().filter(|entry| idle(entry));
    sorted.remarks.extend(unused.map(|entry| {
        let rules = entries.iter().filter(|other| other.comment == entry.comment);
        let (gone, kept): (Vec<&Entry>, Vec<&Entry>) = rules.partition(|other| idle(other));
        let names = |of: &[&Entry]| of.iter().map(|entry| entry.rule).collect::<Vec<_>>();
        Remark {
            at: entry.comment,
            unused: true,
            text: format!("nothing to suppress here for `{}`: take it out of the comment", entry.rule),
            edit: unused::edit(sources.get(entry.comment.file), entry.comment, &names(&gone), &names(&kept)),
        }
    }));
    sorted.remarks.sort_by(|a, b| (a.at, a.unused, &a.text).cmp(&(b.at, b.unused, &b.text)));
    sorted
}

/// One rule of one comment.
struct Entry {
    rule: &'static str,
    reason: String,
    comment: Span,
    /// The lines it speaks of; `None`: the whole file.
    lines: Option<Vec<usize>>,
    used: bool,
}

impl Entry {
    fn covers(&self, finding: &Finding, lines: &[RangeInclusive<usize>]) -> bool {
        let here = |mine: &Vec<usize>| mine.iter().any(|line| lines.iter().any(|range| range.contains(line)));
        self.comment.file == finding.at.file && self.rule == finding.rule.name && self.lines.as_ref().is_none_or(here)
    }
}

/// The lines of the primary place and of the statement around it.
fn lines_of(finding: &Finding, places: &Places<'_>) -> Vec<RangeInclusive<usize>> {
    let range = |span: Span| {
        let lines = places.lines(span.file);
        lines.line_at(span.start)..=lines.line_at(span.end.max(span.start + 1) - 1)
    };
    let statement = (finding.statement.file == finding.at.file).then(|| range(finding.statement));
    std::iter::once(range(finding.at)).chain(statement).collect()
}

fn read_file(
    file: &SourceFile,
    places: &Places<'_>,
    rules: &[&'static Rule],
    entries: &mut Vec<Entry>,
    remarks: &mut Vec<Remark>,
) {
    let found = comments::find(file.language, &file.text);
    for comment in &found.comments {
        let Some(text) = file.text.get(comment.start..comment.end) else { continue };
        let Some((offset, directive)) = directive::parse(text, rules) else { continue };
        let at = Span::new(file.id, comment.start + offset, comment.end);
        let mut remark = |text: String| remarks.push(Remark { at, unused: false, text, edit: None });
        match directive {
            Err(text) => remark(text),
            Ok(directive) if directive.whole_file && comment.start > found.head => {
                let names = directive.rules.join(", ");
                remark(format!("`file-ignore[{names}]` counts only above the first statement: move it up"));
            }
            Ok(directive) => {
                directive.unknown.iter().for_each(|text| remark(text.clone()));
                let lines = (!directive.whole_file).then(|| spoken_of(comment, file, places, &found.comments));
                entries.extend(entries_of(&directive, at, lines));
            }
        }
    }
}

fn entries_of(directive: &Directive, comment: Span, lines: Option<Vec<usize>>) -> impl Iterator<Item = Entry> {
    directive.rules.iter().map(move |rule| Entry {
        rule,
        reason: directive.reason.clone(),
        comment,
        lines: lines.clone(),
        used: false,
    })
}

/// The comment's own line; if it stands alone, also the next line that holds more than a comment.
fn spoken_of(
    comment: &comments::Comment,
    file: &SourceFile,
    places: &Places<'_>,
    all: &[comments::Comment],
) -> Vec<usize> {
    let lines = places.lines(file.id);
    let line = lines.line_at(comment.start as u32);
    let alone = |line: usize| all.iter().any(|c| c.alone && lines.line_at(c.start as u32) == line);
    let mut spoken = vec![line];
    if comment.alone {
        spoken.extend((line + 1..lines.count()).find(|next| !alone(*next)));
    }
    spoken
}
