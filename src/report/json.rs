//! `json`, version 1: every finding with its places, and what was left out.
//!
//! Fields are only ever added within a version.

use super::lines::{Places, Position};
use super::{Report, fingerprint};
use crate::rules::{Applicability, Confidence, Finding, Fix, Part, Severity};
use crate::source::{Span, shown};
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: Tool,
    findings: Vec<Entry<'a>>,
    skipped: Vec<Left<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Tool {
    name: &'static str,
    version: &'static str,
}

/// A finding, as every form of JSON that is our own gives it.
#[derive(Serialize)]
pub(super) struct Entry<'a> {
    rule: &'a str,
    severity: Severity,
    confidence: Confidence,
    message: &'a str,
    help: &'a str,
    location: Location,
    related: Vec<Related<'a>>,
    fixes: Vec<Repair<'a>>,
    fingerprint: String,
}

#[derive(Serialize)]
struct Related<'a> {
    role: Part,
    message: &'a str,
    location: Location,
}

#[derive(Serialize)]
struct Repair<'a> {
    message: &'a str,
    applicability: Applicability,
    edits: Vec<Change<'a>>,
}

#[derive(Serialize)]
struct Change<'a> {
    location: Location,
    replacement: &'a str,
}

#[derive(Serialize)]
struct Location {
    path: String,
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Left<'a> {
    path: String,
    reason: &'a str,
}

#[derive(Serialize)]
struct Summary {
    files: usize,
    findings: usize,
    suppressed: usize,
    baselined: usize,
    skipped: usize,
}

/// Writes the whole document.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let prints = fingerprint::all(&report.findings, report.sources());
    let findings = report.findings.iter().zip(prints).map(|(finding, print)| entry(finding, print, report.places));
    let document = Document {
        version: 1,
        tool: Tool { name: "reaplint", version: env!("CARGO_PKG_VERSION") },
        findings: findings.collect(),
        skipped: report.skipped.iter().map(|one| Left { path: shown(&one.path), reason: &one.reason }).collect(),
        summary: Summary {
            files: report.sources().counts().0,
            findings: report.findings.len(),
            suppressed: report.suppressed.len(),
            baselined: report.baselined,
            skipped: report.skipped.len(),
        },
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

/// Makes one.
pub(super) fn entry<'a>(finding: &'a Finding, fingerprint: String, places: &Places<'_>) -> Entry<'a> {
    let related = |step: &'a crate::rules::Step| Related {
        role: step.part,
        message: &step.text,
        location: location(step.span, places),
    };
    Entry {
        rule: finding.rule.name,
        severity: finding.severity,
        confidence: finding.confidence,
        message: &finding.message,
        help: &finding.help,
        location: location(finding.at, places),
        related: finding.steps.iter().map(related).collect(),
        fixes: finding.fixes.iter().map(|fix| repair(fix, places)).collect(),
        fingerprint,
    }
}

fn repair<'a>(fix: &'a Fix, places: &Places<'_>) -> Repair<'a> {
    let change =
        |edit: &'a crate::rules::Edit| Change { location: location(edit.span, places), replacement: &edit.replacement };
    Repair { message: &fix.message, applicability: fix.applicability, edits: fix.edits.iter().map(change).collect() }
}

fn location(span: Span, places: &Places<'_>) -> Location {
    Location { path: places.sources().get(span.file).shown(), start: places.start(span), end: places.end(span) }
}
