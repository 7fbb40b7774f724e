//! Rules and findings. A rule sees one judged destructive call (or, later, one manifest) and says at most one thing
//! about it. Rules never see syntax, never name a library, never loop over a file.

pub mod absence_marks_terminated;
pub mod delete_on_absence;
pub mod delete_without_precondition;
pub mod error_as_empty;
pub mod missing_grace_period;
pub mod missing_owner_reference;
mod ownership_label_missing;
pub mod partial_listing;
pub mod rbac_wider_than_knowledge;
pub mod reference_read_first;
pub mod shared_ownership_label;
pub mod stale_reference;
pub mod test_asserts_absence_delete;
pub mod unscoped_sweep;
pub mod unsupported_field_selector;

mod arranged;
mod asserted;
mod deployed;
mod finding;
mod objects;
mod pruned;
mod selector;
mod words;
pub use deployed::{Cleanup, Declared, Deployed, LabelUse, LabelUses};
pub use finding::Words;
pub use missing_owner_reference::{Collected, collected};

use crate::ask::Facts;
use crate::ir::Func;
use crate::source::{Sources, Span};
use crate::sweep::{Sweep, Verdict};
use crate::vocab::Vocab;

/// How bad it is if the finding is right.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
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
    /// What is needed to mend what it reports, if code alone can tell.
    pub mend: Option<Mend>,
    /// What it looks at.
    pub check: Check,
    /// What it looks at in manifests.
    pub manifests: Option<fn(&Deployed) -> Vec<Finding>>,
}

/// What is needed to mend what a rule reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mend {
    /// A guard that lets only through what was found.
    Guard,
    /// A failure that ends the sweep.
    Failure,
    /// The reads in the other order.
    Order,
    /// A test of age.
    Age,
    /// A condition in the code instead of a selector.
    Selector,
    /// A delete that names the very object.
    Precondition,
}

/// What a rule looks at, and how.
pub enum Check {
    /// One judged destructive call: the rule speaks where this verdict holds, and finds the words for it.
    Verdict(Verdict, fn(&Sweep) -> Words),
    /// A function as a whole.
    Function(fn(&Scene) -> Vec<Finding>),
    /// No code.
    None,
    /// A function that makes something of a kind that is collected by label elsewhere.
    Made(fn(&Scene, &[Collected]) -> Vec<Finding>),
}

impl std::fmt::Debug for Check {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Check::Verdict(v, _) => write!(f, "{v:?}"),
            Check::Function(_) => write!(f, "function"),
            Check::None => write!(f, "none"),
            Check::Made(_) => write!(f, "made"),
        }
    }
}

/// A function as rules see it that look at no single destructive call.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The function as written, before any call is followed.
    pub func: &'a Func,
    /// What the walk left of it. Nothing for a test: what a test says, it says in words.
    pub facts: Option<Facts<'a>>,
    /// What names and calls mean.
    pub vocab: &'a Vocab,
    /// The function, with its class.
    pub function: &'a str,
    /// Labels by which workloads are selected or judged somewhere in the tree, sought when asked for.
    pub uses: &'a dyn LabelUses,
    /// Labels that the configuration declares for this file to decide about ownership.
    pub declared: &'a [String],
}

/// What every rule says of a judged destructive call.
pub fn check(sweep: &Sweep, function: &str) -> Vec<Finding> {
    let mut out = vec![];
    for rule in RULES {
        if let Check::Verdict(v, words) = rule.check
            && sweep.is(v)
        {
            out.push(finding::build(rule, sweep, v, words(sweep), function));
        }
    }
    out
}

/// What the rules say of a function as a whole.
pub fn check_function(scene: &Scene) -> Vec<Finding> {
    let mut out = vec![];
    for rule in RULES {
        if let Check::Function(f) = rule.check {
            out.extend(f(scene));
        }
    }
    out
}

/// What the rules say of the manifests of a run.
pub fn check_manifests(deployed: &Deployed) -> Vec<Finding> {
    let excuses = deployed.excuses();
    let mut found: Vec<Finding> = RULES.iter().filter_map(|rule| rule.manifests).flat_map(|f| f(deployed)).collect();
    for finding in &mut found {
        let excuse = excuses.iter().find(|e| e.rule == finding.rule.name && e.object.contains(finding.at));
        finding.excused = excuse.map(|e| (e.reason.clone(), e.at));
    }
    found
}

/// What the rules say of a function that makes something of a kind that is collected by label elsewhere.
pub fn check_maker(scene: &Scene, collected: &[Collected]) -> Vec<Finding> {
    let makers = RULES.iter().filter_map(|rule| match rule.check {
        Check::Made(f) => Some(f(scene, collected)),
        _ => None,
    });
    makers.flatten().collect()
}

/// The five answers of a destructive call, with the evidence for and against each, for people.
pub fn explain(sweep: &Sweep, sources: &Sources) -> String {
    finding::explain(sweep, sources)
}

/// The places of the conditions that spare the target of a destructive call.
pub fn safeguards(sweep: &Sweep) -> Vec<Span> {
    finding::safeguards(sweep)
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
    /// The enclosing function, with its class, or the object of a manifest, with its kind: part of the fingerprint.
    pub function: String,
    /// Edits that mend it.
    pub fixes: Vec<Fix>,
    /// The object that it is about asks for it not to be reported: the reason, and where it stands.
    pub excused: Option<(String, Span)>,
}

/// Edits that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct Fix {
    /// What they do: "add the label to the Deployment".
    pub message: String,
    /// May they be made unseen?
    pub applicability: Applicability,
    /// The edits, none of which touches another.
    pub edits: Vec<Edit>,
}

/// A range of a file, and the text that takes its place.
#[derive(Clone, PartialEq, Debug)]
pub struct Edit {
    /// What goes; an empty range for what is only added.
    pub span: Span,
    /// What comes.
    pub replacement: String,
}

/// How far a fix is to be trusted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// Changes nothing but what the finding is about.
    Safe,
    /// May change what the program means.
    Unsafe,
    /// For people to read.
    Display,
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
    &ownership_label_missing::RULE,
    &shared_ownership_label::RULE,
    &rbac_wider_than_knowledge::RULE,
    &unsupported_field_selector::RULE,
    &missing_owner_reference::RULE,
    &delete_without_precondition::RULE,
];

/// The plural of a noun: `Pods`, `identities`, `processes`, `Ingresses`.
pub fn plural(noun: &str) -> String {
    let before = |end: char| noun.strip_suffix(end).and_then(|head| head.chars().last());
    match noun {
        _ if before('y').is_some_and(|c| !"aeiou".contains(c)) => format!("{}ies", noun.trim_end_matches('y')),
        _ if noun.ends_with("ss") || noun.ends_with('x') || noun.ends_with("ch") => format!("{noun}es"),
        _ if noun.ends_with('s') => noun.to_owned(),
        _ => format!("{noun}s"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn nouns_have_their_plurals() {
        let all = ["Pod", "identity", "key", "process", "Ingress", "Endpoints", "Gateway", "NetworkPolicy"];
        let many = all.map(super::plural);
        let want = ["Pods", "identities", "keys", "processes", "Ingresses", "Endpoints", "Gateways", "NetworkPolicies"];
        assert_eq!(many, want);
    }
}
