//! `partial-listing`: see `rules/docs/partial-listing.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "partial-listing",
    summary: "decides by the first page of a longer answer",
    here: "deleted here",
    doc: include_str!("../../rules/docs/partial-listing.md"),
    severity: Severity::Error,
    pedantic: false,
    reads: Reads::Code,
};
