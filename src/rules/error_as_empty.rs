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
    mend: Some(Mend::Failure),
    check: Check::Verdict(Verdict::ErrorAsEmpty, words),
    manifests: None,
};

fn words(s: &Sweep) -> Words {
    Words {
        message: format!("when {} fails, nothing looks used, and {} is deleted", s.reference_name(), s.this()),
        help: "let the failure end the sweep: raise, or return before anything is deleted; an empty answer is only an answer when the read succeeded".into(),
    }
}
