//! What goes to standard error: what was skipped, remarks about suppressions, counts.
//!
//! ```text
//! skipped: big.py: larger than 2 MiB
//! warning: janitor.py:9:5: this gives no reason, so it suppresses nothing: write `ignore[rule] reason`
//! 12 files linted: 1 error, 2 warnings; 1 suppressed; 1 skipped (larger than 2 MiB)
//! ```

use super::lines::Places;
use super::{Report, plain};
use crate::rules::Severity;
use crate::source::shown;
use crate::suppress::Remark;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A line a skipped file or part of one.
pub fn skipped(report: &Report<'_>) -> String {
    let mut out = String::new();
    for one in &report.skipped {
        let _ = writeln!(out, "skipped: {}: {}", plain(&shown(&one.path)), plain(&one.reason));
    }
    out
}

/// A line a remark.
pub fn remarks(remarks: &[Remark], places: &Places<'_>) -> String {
    let mut out = String::new();
    for remark in remarks {
        let level = if remark.unused { "note" } else { "warning" };
        let _ = writeln!(out, "{level}: {}: {}", places.shown(remark.at), remark.text);
    }
    out
}

/// A line a suppressed finding, for `-v`.
pub fn suppressed(report: &Report<'_>) -> String {
    let mut out = String::new();
    for one in &report.suppressed {
        let place = report.places.shown(one.finding.at);
        let _ = writeln!(out, "suppressed: {place}: {}: {}", one.finding.rule.name, plain(&one.reason));
    }
    out
}

/// The last line.
pub fn line(report: &Report<'_>, remarks: &[Remark]) -> String {
    let mut parts = vec![findings(report)];
    if !report.suppressed.is_empty() {
        parts.push(format!("{} suppressed", report.suppressed.len()));
    }
    if report.baselined > 0 {
        parts.push(format!("{} in the baseline", report.baselined));
    }
    if report.old > 0 {
        parts.push(format!("{} not new", report.old));
    }
    let unused = remarks.iter().filter(|remark| remark.unused).count();
    if unused > 0 {
        parts.push(counted(unused, "unused suppression"));
    }
    if report.unsure > 0 {
        parts.push(format!("{} below --min-confidence", report.unsure));
    }
    if !report.skipped.is_empty() {
        parts.push(format!("{} skipped ({})", report.skipped.len(), reasons(report)));
    }
    let (linted, generated) = report.sources().counts();
    if generated > 0 {
        parts.push(format!("{generated} generated"));
    }
    format!("{} linted: {}\n", counted(linted, "file"), parts.join("; "))
}

fn findings(report: &Report<'_>) -> String {
    let kinds = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Note, "note")];
    let counts: Vec<String> = kinds
        .iter()
        .map(|(severity, word)| (report.count(*severity), word))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| counted(count, word))
        .collect();
    if counts.is_empty() { "nothing found".to_owned() } else { counts.join(", ") }
}

fn reasons(report: &Report<'_>) -> String {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &report.skipped {
        // What differs from file to file stands in brackets or after a colon.
        let kind = one.reason.split([':', '(', ';']).next().unwrap_or_default().trim();
        // Where it is says nothing of what it is.
        let kind = kind
            .strip_prefix("line ")
            .map_or(kind, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()).trim());
        *reasons.entry(kind).or_default() += 1;
    }
    if let ([(reason, _)], true) = (&reasons.iter().collect::<Vec<_>>()[..], reasons.len() == 1) {
        return (*reason).to_string();
    }
    reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect::<Vec<_>>().join(", ")
}

/// `1 file`, `2 files`.
fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// Findings by rule, and what was not understood by kind of syntax.
pub fn statistics(report: &Report<'_>, holes: &BTreeMap<String, u32>) -> String {
    let mut out = String::new();
    let mut rules: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &report.findings {
        *rules.entry(finding.rule.name).or_default() += 1;
    }
    table(&mut out, "findings by rule", rules.into_iter().collect());
    let holes = holes.iter().map(|(kind, count)| (kind.as_str(), *count as usize)).collect();
    table(&mut out, "not understood, by kind of syntax", holes);
    out
}

/// The most frequent first.
fn table(out: &mut String, title: &str, mut rows: Vec<(&str, usize)>) {
    rows.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let _ = writeln!(out, "{title}:{}", if rows.is_empty() { " none" } else { "" });
    for (name, count) in rows {
        let _ = writeln!(out, "{count:>7}  {name}");
    }
}
