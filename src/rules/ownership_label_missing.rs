//! `ownership-label-missing`: see `rules/docs/ownership-label-missing.md`.
//!
//! A key decides because code or a command selects workloads by it, because the configuration says so, or because it is a
//! word for ownership. Only the last is a guess, and a warning.
//!
//! ```text
//! kubectl delete deploy -l x.io/shift=night             x.io/shift decides about Deployments,
//! V1Deployment(metadata=V1ObjectMeta(labels=own), ..)      so one that is built without it, or
//! kind: Deployment                                         written without it, is told apart by what it lacks
//! ```

mod builder;
mod fix;
mod manifest;

use super::*;
use crate::vocab::ownership;

/// The rule.
pub static RULE: Rule = Rule {
    name: "ownership-label-missing",
    summary: "a workload's pods say whose it is, and the workload itself does not",
    here: "lacks the label",
    doc: include_str!("../../rules/docs/ownership-label-missing.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Both,
    mend: None,
    check: Check::Function(builder::check),
    manifests: Some(manifest::check),
};

/// Why a key decides.
enum Why<'a> {
    Used(&'a LabelUse),
    Declared,
    Core,
}

impl<'a> Why<'a> {
    /// Why a key that the pods of a kind carry decides, if it does: the value is what they carry, where it is written out.
    fn of(key: &str, kind: &str, value: Option<&str>, uses: &'a [LabelUse], declared: &[String]) -> Option<Self> {
        if let Some(used) = uses.iter().find(|u| u.key == key && u.concerns(kind, value)) {
            return Some(Why::Used(used));
        }
        if declared.iter().any(|k| k == key) {
            return Some(Why::Declared);
        }
        ownership().is_core(key).then_some(Why::Core)
    }

    /// What is known is an error, what is guessed a warning.
    fn severity(&self) -> Severity {
        if matches!(self, Why::Core) { Severity::Warning } else { Severity::Error }
    }

    fn words(&self, kind: &str) -> String {
        match self {
            Why::Used(_) => format!("{} are told apart by it", plural(kind)),
            Why::Declared => "the configuration declares it to decide about ownership".to_owned(),
            Why::Core => format!("who reads the {kind} cannot tell whose it is"),
        }
    }

    /// The place that proves it.
    fn step(&self) -> Option<Step> {
        let Why::Used(used) = self else { return None };
        Some(Step { span: used.at, part: Part::Candidates, text: used.text.clone() })
    }
}
