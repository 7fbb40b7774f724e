//! `unscoped-sweep`: see `rules/docs/unscoped-sweep.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "unscoped-sweep",
    summary: "sweeps a space that others share",
    here: "deleted here",
    doc: include_str!("../../rules/docs/unscoped-sweep.md"),
    severity: Severity::Error,
    pedantic: false,
    reads: Reads::Code,
};
