//! `reference-read-first`: see `rules/docs/reference-read-first.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "reference-read-first",
    summary: "reads what is in use before it lists what there is",
    here: "deleted here",
    doc: include_str!("../../rules/docs/reference-read-first.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Code,
};
