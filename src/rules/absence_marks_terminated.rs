//! `absence-marks-terminated`: see `rules/docs/absence-marks-terminated.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "absence-marks-terminated",
    summary: "marks a record as over because its workload was not found",
    here: "marked as over here",
    doc: include_str!("../../rules/docs/absence-marks-terminated.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Code,
    mend: None,
    check: Check::Verdict(Verdict::Terminated, words),
    manifests: None,
};

fn words(s: &Sweep) -> Words {
    Words {
        message: format!("{} is marked as over because {}", s.this(), s.nothing_found()),
        help: "not found is not finished: note since when it is missing, and mark it only after a grace period or a second look".into(),
    }
}
