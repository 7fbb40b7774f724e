//! `stale-reference`: see `rules/docs/stale-reference.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "stale-reference",
    summary: "decides by a cached answer",
    here: "deleted here",
    doc: include_str!("../../rules/docs/stale-reference.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Code,
};
