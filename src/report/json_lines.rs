//! `json-lines`: each finding on a line of its own, as the object that `json` has for it.
//!
//! What was skipped and the counts are not there: whoever reads line by line wants findings alone.

use super::{Report, fingerprint, json};
use std::io::{self, Write};

/// Writes every finding.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let prints = fingerprint::all(&report.findings, report.sources());
    for (finding, print) in report.findings.iter().zip(prints) {
        serde_json::to_writer(&mut *out, &json::entry(finding, print, report.places))?;
        writeln!(out)?;
    }
    Ok(())
}
