//! `gitlab`: the report of GitLab's Code Quality, an array of entries.
//!
//! GitLab tells old entries from new ones by the fingerprint alone, and drops all but one of those that are equal, so
//! the path goes into it: two files may hold the same function.

use super::repository::Repository;
use super::{Report, fingerprint};
use crate::rules::Severity;
use serde::Serialize;
use std::io::{self, Write};

#[derive(Serialize)]
struct Entry<'a> {
    r#type: &'static str,
    categories: [&'static str; 1],
    check_name: &'a str,
    description: &'a str,
    severity: &'static str,
    fingerprint: String,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
    end: usize,
}

/// Writes the whole report.
pub fn write(report: &Report<'_>, repository: &Repository, out: &mut dyn Write) -> io::Result<()> {
    let prints = fingerprint::all(&report.findings, report.sources());
    let entry = |(finding, print): (_, String)| {
        let finding: &crate::rules::Finding = finding;
        let path = repository.path(&report.sources().get(finding.at.file).path);
        let (start, end) = (report.places.start(finding.at), report.places.end(finding.at));
        Entry {
            r#type: "issue",
            categories: ["Bug Risk"],
            check_name: finding.rule.name,
            description: &finding.message,
            severity: severity(finding.severity),
            fingerprint: fingerprint::of(&[&path, &print]),
            location: Location { path, lines: Lines { begin: start.line, end: end.line } },
        }
    };
    let entries: Vec<Entry> = report.findings.iter().zip(prints).map(entry).collect();
    serde_json::to_writer_pretty(&mut *out, &entries)?;
    writeln!(out)
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "critical",
        Severity::Warning => "major",
        Severity::Note => "minor",
    }
}
