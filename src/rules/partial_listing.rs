//! `partial-listing`: see `rules/docs/partial-listing.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "partial-listing",
    summary: "decides by the first page of a longer answer",
    here: "deleted here",
    doc: include_str!("../../rules/docs/partial-listing.md"),
    severity: Severity::Error,
    pedantic: false,
    reads: Reads::Code,
    mend: None,
    check: Check::Verdict(Verdict::Partial, words),
    manifests: None,
};

fn words(s: &Sweep) -> Words {
    Words {
        message: format!(
            "{} is one page of a longer list: what is on the next page looks unused, and {} is deleted",
            s.reference_name(),
            s.this()
        ),
        help: "read all pages (a paginator, or the continuation token until there is none) before anything is deleted"
            .into(),
    }
}
