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
    mend: None,
    check: Check::Verdict(Verdict::Unscoped, words),
    manifests: Some(pruned),
};

fn words(s: &Sweep) -> Words {
    let wide = s.candidates_width();
    let message = if s.absence_permits() {
        format!(
            "{} may belong to another installation: {wide}, and {} knows only this one",
            s.this(),
            s.reference_name()
        )
    } else {
        format!("{} may belong to another installation: {wide}", s.this())
    };
    Words {
        message,
        help: "stamp an installation id on what you create, and list only what carries your own: a selector or namespace from configuration".into(),
    }
}

/// Pruning with `--all` sweeps every namespace that is visited.
fn pruned(deployed: &Deployed) -> Vec<Finding> {
    let help = "select what is this installation's own by a label, or use an ApplySet: `--applyset=NAME`";
    let one = |p| match p {
        super::pruned::Prune::All(c) => {
            let message =
                "`--prune --all` takes every object of the pruned kinds for its own, in every namespace it visits"
                    .to_owned();
            Some(super::pruned::finding(&RULE, c, message, help))
        }
        super::pruned::Prune::Label(..) => None,
    };
    super::pruned::shared(deployed).into_iter().filter_map(one).collect()
}
