//! `github`: workflow commands, which GitHub shows as annotations beside the code.
//!
//! ```text
//! ::error file=janitor.py,line=9,col=17,endLine=9,endColumn=45,title=delete-on-absence::this Deployment is deleted ..
//! ```
//! One annotation a destructive call, since each takes a place in the diff. GitHub shows ten errors, ten warnings and
//! ten notices of a step, those that come first, so the gravest and surest do. The rest is counted, and follows as plain
//! lines of the log.
//!
//! The end is given only on the line of the start: a range of several lines is drawn below the last one.

use super::repository::Repository;
use super::{Report, plain, ranked, said};
use crate::rules::{Finding, Severity};
use std::io::{self, Write};

/// Annotations of a kind that GitHub shows of a step.
const SHOWN: usize = 10;

/// Writes every group.
pub fn write(report: &Report<'_>, repository: &Repository, out: &mut dyn Write) -> io::Result<()> {
    let mut left = Vec::new();
    let mut counts = [0_usize; 3];
    for group in ranked(&report.findings) {
        let Some(first) = group.first() else { continue };
        let count = counts.get_mut(first.severity as usize);
        let shown = count.is_none_or(|count| {
            *count += 1;
            *count <= SHOWN
        });
        if shown {
            writeln!(out, "{}", annotation(&group, first, report, repository))?;
        } else {
            left.push(group);
        }
    }
    if !left.is_empty() {
        writeln!(out, "{}", more(&left))?;
    }
    for group in left {
        let Some(first) = group.first() else { continue };
        let place = report.places.shown(first.at);
        let line = format!("reaplint: {place}: {}[{}] {}", first.severity.word(), rules(&group), plain(&first.message));
        writeln!(out, "{}", inert(&line))?;
    }
    Ok(())
}

fn annotation(group: &[&Finding], first: &Finding, report: &Report<'_>, repository: &Repository) -> String {
    let path = repository.path(&report.sources().get(first.at.file).path);
    let (start, end) = (report.places.start(first.at), report.places.end(first.at));
    let kind = match first.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let ends =
        if end.line == start.line { format!(",endLine={},endColumn={}", end.line, end.column) } else { String::new() };
    let place = format!("file={},line={},col={}{ends}", property(&path), start.line, start.column);
    format!("::{kind} {place},title={}::{}", property(&rules(group)), data(&message(group, first)))
}

/// Each rule of a group once.
fn rules(group: &[&Finding]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for finding in group {
        if !names.contains(&finding.rule.name) {
            names.push(finding.rule.name);
        }
    }
    names.join(", ")
}

fn message(group: &[&Finding], first: &Finding) -> String {
    let mut lines = Vec::new();
    for finding in said(group) {
        let text = plain(&finding.message);
        lines.push(if lines.is_empty() { text.into_owned() } else { format!("also {}: {text}", finding.rule.name) });
    }
    if !first.help.is_empty() {
        lines.push(format!("help: {}", plain(&first.help)));
    }
    lines.join("\n")
}

/// `3 more errors, 1 more warning: ..`.
fn more(left: &[Vec<&Finding>]) -> String {
    let kinds = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "notice")];
    let count = |severity| left.iter().flat_map(|group| group.first()).filter(|one| one.severity == severity).count();
    let counted = kinds.map(|(severity, word)| (count(severity), word));
    let counted = counted.iter().filter(|(count, _)| *count > 0);
    let words = counted.map(|(count, word)| format!("{count} more {word}{}", if *count == 1 { "" } else { "s" }));
    let words: Vec<String> = words.collect();
    format!("reaplint: {} in this log; GitHub shows {SHOWN} of each kind of a step:", words.join(", "))
}

/// What stands after the second pair of colons.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What stands between commas.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// A line that is no command, whatever stands in it: the old form is looked for anywhere in a line.
fn inert(line: &str) -> String {
    line.replace("##[", "# #[")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_characters_do_not_end_a_command() {
        assert_eq!(property("a b,c:d%e\nf"), "a b%2Cc%3Ad%25e%0Af");
        assert_eq!(data("50% of it: a,\r\nb"), "50%25 of it: a,%0D%0Ab");
        assert_eq!(inert("##[error]x"), "# #[error]x");
    }
}
