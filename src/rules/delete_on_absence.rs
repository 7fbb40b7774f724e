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
    mend: Some(Mend::Guard),
    check: Check::Verdict(Verdict::Absence, words),
    manifests: Some(pruned),
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

/// Pruning deletes what the given files do not have.
fn pruned(deployed: &Deployed) -> Vec<Finding> {
    let help = "select by a label with this installation's own value, or use an ApplySet: `--applyset=NAME`";
    let one = |p: super::pruned::Prune| {
        let (c, of) = match p {
            super::pruned::Prune::All(c) => (c, "everything that was ever applied".to_owned()),
            super::pruned::Prune::Label(c, selector) => (c, format!("whatever carries `{}`", selector.text)),
        };
        let message = format!(
            "what these files do not have is deleted, among {of}: another installation's objects are not in them"
        );
        super::pruned::finding(&RULE, c, message, help)
    };
    super::pruned::shared(deployed).into_iter().map(one).collect()
}
