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
    mend: None,
    check: Check::Verdict(Verdict::Stale, words),
    manifests: None,
};

fn words(s: &Sweep) -> Words {
    Words {
        message: format!(
            "{} is deleted by an answer that may be old: {} is cached or kept from an earlier pass",
            s.this(),
            s.reference_name()
        ),
        help: "read it again from the source just before the delete, and let the delete depend on that".into(),
    }
}
