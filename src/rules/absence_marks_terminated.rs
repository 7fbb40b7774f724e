//! `absence-marks-terminated`: see `rules/docs/absence-marks-terminated.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "absence-marks-terminated",
    summary: "marks a record as over because its workload was not found",
    here: "marked as over here",
    doc: include_str!("../../rules/docs/absence-marks-terminated.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Code,
};
