//! `missing-grace-period`: see `rules/docs/missing-grace-period.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "missing-grace-period",
    summary: "deletes what was created a moment ago",
    here: "deleted here",
    doc: include_str!("../../rules/docs/missing-grace-period.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Code,
};
