//! `reference-read-first`: see `rules/docs/reference-read-first.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "reference-read-first",
    summary: "reads what is in use before it lists what there is",
    here: "deleted here",
    doc: include_str!("../../rules/docs/reference-read-first.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Code,
    mend: Some(Mend::Order),
    check: Check::Verdict(Verdict::ReadFirst, words),
    manifests: None,
};

fn words(s: &Sweep) -> Words {
    Words {
        message: format!(
            "{} is read before {} are listed: what is created between the two looks unused",
            s.reference_name(),
            s.candidates_name()
        ),
        help: "list the candidates first and read what is in use last; together with a minimum age this closes the gap"
            .into(),
    }
}
