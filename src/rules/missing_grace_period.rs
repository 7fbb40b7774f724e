//! `missing-grace-period`: see `rules/docs/missing-grace-period.md`.

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "missing-grace-period",
    summary: "deletes what was created a moment ago",
    here: "deleted here",
    doc: include_str!("../../rules/docs/missing-grace-period.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Code,
    mend: Some(Mend::Age),
    check: Check::Verdict(Verdict::Grace, words),
    manifests: None,
};

fn words(s: &Sweep) -> Words {
    let message = if s.absence_permits() {
        format!(
            "{} may have been created a moment ago, and is deleted all the same: its record is not there yet",
            s.this()
        )
    } else {
        format!("{} is deleted also when it is a second old: the age check lets it through", s.this())
    };
    Words { message, help: "skip what is younger than the slowest writer: compare its creation time with now, and skip it when there is none".into() }
}
