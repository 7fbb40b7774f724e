//! Rules and findings. A rule sees one judged destructive call (or, later, one manifest) and says at most one thing
//! about it. Rules never see syntax, never name a library, never loop over a file.

pub mod absence_marks_terminated;
pub mod delete_on_absence;
pub mod delete_without_precondition;
pub mod error_as_empty;
pub mod missing_grace_period;
pub mod missing_owner_reference;
pub mod partial_listing;
pub mod reference_read_first;
pub mod stale_reference;
pub mod test_asserts_absence_delete;
pub mod unscoped_sweep;
pub mod unsupported_field_selector;

use crate::source::Span;

/// How bad it is if the finding is right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Can destroy something live under some timing or fault.
    Warning,
    /// Destroys something live or foreign.
    Error,
}

pub use crate::sweep::Confidence;

/// The part a place plays in a finding, in the order of execution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Where the candidates are listed.
    Candidates,
    /// Where the references are read.
    Reference,
    /// Where the target is looked up.
    Lookup,
    /// What lets the call through.
    Guard,
    /// The helper or caller that takes part.
    Helper,
    /// The destructive call.
    Delete,
    /// A place in a manifest.
    Manifest,
}

/// A related place.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Where.
    pub span: Span,
    /// Its part.
    pub part: Part,
    /// What happens there, as a short clause: "every namespace is listed here".
    pub text: String,
}

/// A rule: its words. The check itself stands in the rule's own file.
#[derive(Debug)]
pub struct Rule {
    /// The name, as in `ignore[name]`.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// What happens at the primary place, for the picture: "deleted here".
    pub here: &'static str,
    /// The document, Markdown: `rules/docs/NAME.md`.
    pub doc: &'static str,
    /// The usual severity.
    pub severity: Severity,
    /// Off unless asked for.
    pub pedantic: bool,
    /// Reads code, manifests or both: the groups `code` and `manifest`.
    pub reads: Reads,
}

/// What a rule reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reads {
    /// Source code.
    Code,
    /// Manifests.
    Manifest,
    /// Either.
    Both,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Whose.
    pub rule: &'static Rule,
    /// Usually the rule's.
    pub severity: Severity,
    /// How sure.
    pub confidence: Confidence,
    /// What is wrong, as one clause: "this Deployment is deleted because no row was found for it".
    pub message: String,
    /// The smallest edit that makes it safe.
    pub help: String,
    /// The primary place, on one line: the destructive call's name.
    pub at: Span,
    /// The statement around it: a suppression on any of its lines counts.
    pub statement: Span,
    /// Related places in the order of execution; the primary place is not among them.
    pub steps: Vec<Step>,
    /// Findings with the same group are one picture: the destructive call's name, or that of its twin on the same
    /// target next to it.
    pub group: Span,
    /// The enclosing function, with its class: part of the fingerprint.
    pub function: String,
}

impl Severity {
    /// As flags, suppressions and reports write it.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Every rule.
pub static RULES: &[&Rule] = &[
    &delete_on_absence::RULE,
    &missing_grace_period::RULE,
    &unscoped_sweep::RULE,
    &reference_read_first::RULE,
    &error_as_empty::RULE,
    &absence_marks_terminated::RULE,
    &stale_reference::RULE,
    &partial_listing::RULE,
    &test_asserts_absence_delete::RULE,
    &unsupported_field_selector::RULE,
    &missing_owner_reference::RULE,
    &delete_without_precondition::RULE,
];
