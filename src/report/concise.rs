//! `path:line:column: severity[rule] message`, one line a finding.

use super::{Report, plain};
use std::io::{self, Write};

/// Writes every finding.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in &report.findings {
        let place = report.places.shown(finding.at);
        let message = plain(&finding.message);
        writeln!(out, "{place}: {}[{}] {message}", finding.severity.word(), finding.rule.name)?;
    }
    Ok(())
}
