//! `error-as-empty`: see `rules/docs/error-as-empty.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "error-as-empty",
    summary: "takes a failed read for an empty one, and deletes",
    here: "deleted here",
    doc: include_str!("../../rules/docs/error-as-empty.md"),
    severity: Severity::Error,
    pedantic: false,
    reads: Reads::Code,
};
