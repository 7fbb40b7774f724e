//! `test-asserts-absence-delete`: see `rules/docs/test-asserts-absence-delete.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "test-asserts-absence-delete",
    summary: "a test asserts that a missing record means deletion",
    here: "asserted here",
    doc: include_str!("../../rules/docs/test-asserts-absence-delete.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Code,
    check: Check::Function(check),
};

fn check(_scene: &Scene) -> Vec<Finding> {
    vec![]
}
