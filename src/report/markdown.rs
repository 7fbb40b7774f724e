//! `markdown`: a table for the summary of a job, or for a comment.
//!
//! ```text
//! | severity | where | what |
//! | --- | --- | --- |
//! | error | [janitor.py:9](https://github.com/..) | **delete-on-absence**: this Deployment is deleted .. |
//! ```
//! A row a destructive call, the gravest and surest first: GitHub takes 1 MiB of a step and drops the whole of what is
//! larger, so the table ends before, with a count of what it leaves out. Places are links where the environment says
//! which commit of which repository this is.

use super::repository::Repository;
use super::{Report, plain, ranked, said};
use crate::rules::{Confidence, Finding, Severity};
use crate::source::shown;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Bytes: below 1 MiB, with room for what others write into the same summary.
const LIMIT: usize = 1_000_000;
/// Files that are named as skipped.
const NAMED: usize = 20;

/// Writes the table.
pub fn write(report: &Report<'_>, repository: &Repository, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(table(report, repository, LIMIT).as_bytes())
}

fn table(report: &Report<'_>, repository: &Repository, limit: usize) -> String {
    let tail = tail(report);
    let mut text = head(report);
    let groups = ranked(&report.findings);
    if !groups.is_empty() {
        text += "\n| severity | where | what |\n| --- | --- | --- |\n";
    }
    let room = limit.saturating_sub(tail.len() + 200);
    let mut shown = 0;
    for group in &groups {
        let row = row(group, report, repository);
        if text.len() + row.len() > room {
            break;
        }
        text += &row;
        shown += 1;
    }
    if shown < groups.len() {
        let left = groups.len() - shown;
        let _ = writeln!(text, "\n{left} more of {} are left out here: the log has them.", groups.len());
    }
    text + &tail
}

fn head(report: &Report<'_>) -> String {
    let kinds = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let counts = kinds.map(|(severity, word)| (report.count(severity), word));
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts.map(|(count, word)| counted(*count, word)).collect();
    let found = if counts.is_empty() { "nothing found".to_owned() } else { counts.join(", ") };
    format!("### reaplint: {found}\n")
}

fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn row(group: &[&Finding], report: &Report<'_>, repository: &Repository) -> String {
    let Some(first) = group.first() else { return String::new() };
    let line = report.places.start(first.at).line;
    let path = &report.sources().get(first.at.file).path;
    let place = escaped(&plain(&format!("{}:{line}", shown(path))));
    let place = match repository.link(path, line) {
        Some(link) => format!("[{place}]({link})"),
        None => place,
    };
    let mut what = Vec::new();
    for finding in said(group) {
        let sure = match finding.confidence {
            Confidence::High => "",
            Confidence::Medium => " (medium confidence)",
            Confidence::Low => " (low confidence)",
        };
        what.push(format!("**{}**: {}{sure}", finding.rule.name, escaped(&plain(&finding.message))));
    }
    if !first.help.is_empty() {
        what.push(format!("help: {}", escaped(&plain(&first.help))));
    }
    format!("| {} | {place} | {} |\n", first.severity.word(), what.join("<br>"))
}

/// Counts, and what was skipped.
fn tail(report: &Report<'_>) -> String {
    let mut counts = vec![format!("{} linted", counted(report.sources().counts().0, "file"))];
    if !report.suppressed.is_empty() {
        counts.push(format!("{} suppressed", report.suppressed.len()));
    }
    if !report.skipped.is_empty() {
        counts.push(format!("{} skipped", report.skipped.len()));
    }
    let mut text = format!("\n{}\n", counts.join(", "));
    if !report.skipped.is_empty() {
        text += "\n<details><summary>skipped</summary>\n\n";
        for one in report.skipped.iter().take(NAMED) {
            let _ = writeln!(text, "- {}: {}", escaped(&plain(&shown(&one.path))), escaped(&plain(&one.reason)));
        }
        if report.skipped.len() > NAMED {
            let _ = writeln!(text, "- and {} more", report.skipped.len() - NAMED);
        }
        text += "\n</details>\n";
    }
    text
}

/// A text as Markdown shows it as it is, but for what stands between backticks: that is code.
fn escaped(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // A backtick without its partner is a character like others.
    let paired = parts.len() % 2 == 1;
    let mut out = String::with_capacity(text.len() + 8);
    for (at, part) in parts.iter().enumerate() {
        let code = paired && at % 2 == 1;
        if at > 0 {
            out += if paired { "`" } else { "\\`" };
        }
        for c in part.chars() {
            match c {
                '|' => out += "\\|",
                _ if code => out.push(c),
                '<' => out += "&lt;",
                '>' => out += "&gt;",
                '&' => out += "&amp;",
                // A mention writes to somebody.
                '@' => out += "&#64;",
                '\\' | '*' | '_' | '[' | ']' | '~' | '#' | '!' => {
                    out.push('\\');
                    out.push(c);
                }
                _ => out.push(c),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_text_and_code_is_code() {
        assert_eq!(escaped("a_b | *c* @d <e>"), "a\\_b \\| \\*c\\* &#64;d &lt;e&gt;");
        assert_eq!(escaped("`a_b | c` d_e"), "`a_b \\| c` d\\_e");
        assert_eq!(escaped("a ` b_c"), "a \\` b\\_c");
    }
}
