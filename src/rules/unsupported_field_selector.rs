//! `unsupported-field-selector`: see `rules/docs/unsupported-field-selector.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "unsupported-field-selector",
    summary: "lists by a field that the API server cannot select",
    here: "rejected by the API server",
    doc: include_str!("../../rules/docs/unsupported-field-selector.md"),
    severity: Severity::Error,
    pedantic: false,
    reads: Reads::Code,
    check: Check::Summary(check),
};

fn check(_scene: &Scene) -> Vec<Finding> {
    vec![]
}
