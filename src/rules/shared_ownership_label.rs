//! `shared-ownership-label`: see `rules/docs/shared-ownership-label.md`.
//!
//! Two things are looked at: sweeps in code whose candidates are told by a label that every installation sets alike, and
//! the settings by which tools decide what is theirs.
//!
//! ```text
//! labels={"app.kubernetes.io/managed-by": "labctl"}       every installation of labctl says so
//! application.resourceTrackingMethod: label               (Argo CD) the name of an application, whose ever it is
//! --policy=sync                                           (external-dns) with the owner id that everybody has
//! discriminator: ferry                                  (kluctl) one for two targets of one cluster
//! ```

mod settings;

use super::*;

/// The rule.
pub static RULE: Rule = Rule {
    name: "shared-ownership-label",
    summary: "decides what is its own by a label that every installation sets alike",
    here: "told apart by what all share",
    doc: include_str!("../../rules/docs/shared-ownership-label.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Both,
    mend: None,
    check: Check::Verdict(Verdict::SharedLabel, words),
    manifests: Some(settings::check),
};

fn words(s: &Sweep) -> Words {
    let label = s.shared_mark().map_or("a label".to_owned(), |l| format!("`{l}`"));
    Words {
        message: format!(
            "{} is taken for this installation's by {label}, which every installation sets alike",
            s.this()
        ),
        help: "stamp an installation id from configuration on what you create, and require that label as well".into(),
    }
}
