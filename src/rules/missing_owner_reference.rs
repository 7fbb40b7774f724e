//! `missing-owner-reference`: see `rules/docs/missing-owner-reference.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "missing-owner-reference",
    summary: "creates a dependent that only a sweeper will collect",
    here: "created here",
    doc: include_str!("../../rules/docs/missing-owner-reference.md"),
    severity: Severity::Note,
    pedantic: true,
    reads: Reads::Code,
    check: Check::Function(check),
};

fn check(_scene: &Scene) -> Vec<Finding> {
    vec![]
}
