//! `delete-without-precondition`: see `rules/docs/delete-without-precondition.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "delete-without-precondition",
    summary: "checks an object and later deletes whatever has its name",
    here: "deleted here",
    doc: include_str!("../../rules/docs/delete-without-precondition.md"),
    severity: Severity::Note,
    pedantic: true,
    reads: Reads::Code,
    mend: Some(Mend::Precondition),
    check: Check::Verdict(Verdict::Precondition, words),
    manifests: None,
};

fn words(s: &Sweep) -> Words {
    let help = match s.effect.by {
        Some(_) => "say in the WHERE clause what was checked; when no row was deleted, it is another one by now",
        None => "pass the uid or resourceVersion that was checked as a precondition of the delete",
    };
    Words {
        message: format!(
            "{} is checked, and then whatever has its name is deleted: it may have been recreated since",
            s.this()
        ),
        help: help.into(),
    }
}
