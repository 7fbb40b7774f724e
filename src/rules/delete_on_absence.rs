//! `delete-on-absence`: see `rules/docs/delete-on-absence.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "delete-on-absence",
    summary: "deletes what it has no record of",
    here: "deleted here",
    doc: include_str!("../../rules/docs/delete-on-absence.md"),
    severity: Severity::Error,
    pedantic: false,
    reads: Reads::Code,
};
