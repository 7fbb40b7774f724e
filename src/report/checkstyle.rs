//! `checkstyle`: the XML of Checkstyle, which Jenkins and many others read.

use super::Report;
use super::xml::{Element, write as document};
use crate::rules::{Finding, Severity};
use crate::source::FileId;
use std::io::{self, Write};

/// Writes the whole document: a file with findings is an element, and so is each finding in it.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut files: Vec<(FileId, Vec<Element>)> = Vec::new();
    for finding in &report.findings {
        match files.last_mut() {
            Some((file, errors)) if *file == finding.at.file => errors.push(error(finding, report)),
            _ => files.push((finding.at.file, vec![error(finding, report)])),
        }
    }
    let file = |(file, errors): (FileId, Vec<Element>)| {
        Element::new("file").with("name", report.sources().get(file).shown()).holding(errors)
    };
    document(&Element::new("checkstyle").with("version", "4.3").holding(files.into_iter().map(file)), out)
}

fn error(finding: &Finding, report: &Report<'_>) -> Element {
    let at = report.places.start(finding.at);
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "info",
    };
    Element::new("error")
        .with("line", at.line.to_string())
        .with("column", at.column.to_string())
        .with("severity", severity)
        .with("message", &finding.message)
        .with("source", format!("reaplint.{}", finding.rule.name))
}
