//! `rdjson`: what reviewdog reads, to make comments of it on any forge.
//!
//! reviewdog counts columns in bytes of UTF-8, and replaces what lies between two of them, so here alone columns are no
//! characters. A fix of several edits is left out: each suggestion there is one that can be taken by itself.

use super::Report;
use super::lines::Places;
use crate::rules::{Applicability, Finding, Fix, Severity, Step};
use crate::source::Span;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Document<'a> {
    source: Source,
    diagnostics: Vec<Diagnostic<'a>>,
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
}

#[derive(Serialize)]
struct Diagnostic<'a> {
    message: String,
    location: Location,
    severity: &'static str,
    code: Code<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Related<'a>>,
}

#[derive(Serialize)]
struct Code<'a> {
    value: &'a str,
}

#[derive(Serialize)]
struct Location {
    path: String,
    range: Range,
}

#[derive(Serialize)]
struct Range {
    start: Point,
    end: Point,
}

#[derive(Serialize)]
struct Point {
    line: usize,
    column: usize,
}

#[derive(Serialize)]
struct Suggestion<'a> {
    range: Range,
    text: &'a str,
}

#[derive(Serialize)]
struct Related<'a> {
    message: &'a str,
    location: Location,
}

/// Writes the whole document.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let diagnostics = report.findings.iter().map(|finding| diagnostic(finding, report.places));
    let document = Document { source: Source { name: "reaplint" }, diagnostics: diagnostics.collect() };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

fn diagnostic<'a>(finding: &'a Finding, places: &Places<'_>) -> Diagnostic<'a> {
    let related = |step: &'a Step| Related { message: &step.text, location: location(step.span, places) };
    let help = if finding.help.is_empty() { String::new() } else { format!("\nhelp: {}", finding.help) };
    Diagnostic {
        message: format!("{}{help}", finding.message),
        location: location(finding.at, places),
        severity: match finding.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Note => "INFO",
        },
        code: Code { value: finding.rule.name },
        suggestions: finding.fixes.iter().filter_map(|fix| suggestion(fix, finding, places)).collect(),
        related_locations: finding.steps.iter().map(related).collect(),
    }
}

fn suggestion<'a>(fix: &'a Fix, finding: &Finding, places: &Places<'_>) -> Option<Suggestion<'a>> {
    let [edit] = &fix.edits[..] else { return None };
    let taken = fix.applicability != Applicability::Display && edit.span.file == finding.at.file;
    taken.then(|| Suggestion { range: range(edit.span, places), text: &edit.replacement })
}

fn location(span: Span, places: &Places<'_>) -> Location {
    Location { path: places.sources().get(span.file).shown(), range: range(span, places) }
}

fn range(span: Span, places: &Places<'_>) -> Range {
    let lines = places.lines(span.file);
    let point = |offset: u32| {
        let line = lines.line_at(offset);
        Point { line: line + 1, column: (offset as usize).saturating_sub(lines.range(line).start) + 1 }
    };
    Range { start: point(span.start), end: point(span.end) }
}
