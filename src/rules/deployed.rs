//! The manifests of a run, as rules see them: beside what the rest of the tree says of them.
//!
//! ```text
//! apps.list_namespaced_deployment(ns, label_selector="x.io/shift=night")    x.io/shift decides about Deployments
//! kind: Deployment                                                             so it must be on this one
//! ```

use crate::manifest::Manifests;
use crate::manifest::kustomize::Kustomized;
use crate::shell::CommandLine;
use crate::source::{FileId, Sources, Span};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The manifests and what there is about them.
#[derive(Clone, Copy)]
pub struct Deployed<'a> {
    /// The manifests.
    pub manifests: &'a Manifests,
    /// What kustomizations add to them.
    pub kustomized: &'a Kustomized,
    /// The files.
    pub sources: &'a Sources,
    /// Labels by which workloads are selected or judged somewhere in the tree.
    pub uses: &'a [LabelUse],
    /// Commands of scripts and of texts that are run.
    pub commands: &'a [CommandLine],
    /// Destructive calls of code on objects of a cluster.
    pub cleanups: &'a [Cleanup],
    /// Labels that the configuration declares to decide about ownership.
    pub declared: &'a Declared,
}

/// An annotation by which an object asks for a rule not to be reported of it.
pub(super) struct Excuse {
    pub rule: String,
    pub reason: String,
    pub at: Span,
    pub object: Span,
}

/// How such an annotation begins.
const EXCUSE: &str = "reaplint.dev/ignore-";

impl Deployed<'_> {
    /// `reaplint.dev/ignore-RULE: reason`; one without a reason excuses nothing.
    pub(super) fn excuses(&self) -> Vec<Excuse> {
        let mut out = vec![];
        for object in self.manifests.objects().filter(|o| o.doc.text.text.contains(EXCUSE)) {
            let Some(annotations) = object.at(&["metadata", "annotations"]) else { continue };
            let tree = &object.doc.tree;
            for (key, value) in tree.pairs(annotations) {
                let rule = tree.text(key).and_then(|k| k.strip_prefix(EXCUSE));
                let reason = tree.text(value).map(str::trim).filter(|r| !r.is_empty());
                if let (Some(rule), Some(reason)) = (rule, reason) {
                    let at = object.doc.place(key);
                    out.push(Excuse { rule: rule.to_owned(), reason: reason.to_owned(), at, object: object.place() });
                }
            }
        }
        out
    }
}

/// Labels that configuration files declare to decide about ownership, by the file they hold for.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    by_file: FxHashMap<FileId, Arc<[String]>>,
}

impl Declared {
    /// Declares labels for a file.
    pub fn add(&mut self, file: FileId, labels: Arc<[String]>) {
        self.by_file.insert(file, labels);
    }

    /// What is declared for a file.
    pub fn of(&self, file: FileId) -> &[String] {
        self.by_file.get(&file).map(|labels| &**labels).unwrap_or_default()
    }
}

/// A place that selects or judges workloads by a label.
#[derive(Clone, PartialEq, Debug)]
pub struct LabelUse {
    /// The label's key.
    pub key: String,
    /// The kinds that are selected or judged, as the API spells them; empty where the place does not say.
    pub kinds: Vec<String>,
    /// The one value that is asked for, if it is written out and its absence asks nothing.
    pub value: Option<String>,
    /// The place.
    pub at: Span,
    /// What happens there: "StatefulSets are listed by it here".
    pub text: String,
}

/// The labels by which a tree selects or judges workloads, which are sought when first asked for.
pub trait LabelUses {
    /// All of them.
    fn all(&self) -> &[LabelUse];
}

/// A destructive call in code.
#[derive(Clone, PartialEq, Debug)]
pub struct Cleanup {
    /// The kind it destroys, as permissions spell it: `deployments`.
    pub plural: String,
    /// The call.
    pub at: Span,
    /// It reaches what others own: its records are those of one environment.
    pub unscoped: bool,
    /// The environment variables that its namespace is read from.
    pub variables: Vec<String>,
}

impl LabelUse {
    /// Is this use about objects of a kind whose label has a value? One that asks for another is not.
    pub fn concerns(&self, kind: &str, value: Option<&str>) -> bool {
        let kinds = self.kinds.is_empty() || self.kinds.iter().any(|k| k == kind);
        kinds && self.value.as_deref().is_none_or(|asked| value.is_none_or(|v| v == asked))
    }
}
