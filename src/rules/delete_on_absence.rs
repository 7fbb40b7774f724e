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
    check: Check::Verdict(Verdict::Absence, words),
};

fn words(s: &Sweep) -> Words {
    Words {
        message: format!("{} is deleted because {}", s.this(), s.nothing_found()),
        help: format!(
            "delete only what has a record that is finished; what has no record is not yours to delete: log it and go on{}",
            s.lookup_hint()
        ),
    }
}
