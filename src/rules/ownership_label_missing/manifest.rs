//! The rule on manifests: which keys decide, and which of them are missing.
//!
//! ```yaml
//! metadata: {labels: {app: web}}                                   # <- x.io/shift is missing
//! spec: {template: {metadata: {labels: {app: web, x.io/shift: night}}}}
//! ```

use super::*;
use crate::manifest::kustomize::Kustomized;
use crate::manifest::object::{Label, Object};
use crate::manifest::workload::Workload as Manifest;

/// A label that the pods have and the workload has not.
struct Missing<'a> {
    key: String,
    why: Why<'a>,
    at: Span,
    /// The pods' label, where it is written in the workload's own document.
    label: Option<Label>,
}

/// What the rule says of every workload.
pub(super) fn check(deployed: &Deployed) -> Vec<Finding> {
    let objects: Vec<Object> = deployed.manifests.objects().collect();
    let judge = Judge { deployed, kustomized: deployed.kustomized, objects: &objects };
    objects.iter().filter_map(|o| Manifest::of(*o)).filter_map(|w| judge.worst(&w)).collect()
}

struct Judge<'a> {
    deployed: &'a Deployed<'a>,
    kustomized: &'a Kustomized,
    objects: &'a [Object<'a>],
}

impl<'a> Judge<'a> {
    /// One finding a workload: of a CronJob and the Jobs it makes, that of which more is known.
    fn worst(&self, w: &Manifest) -> Option<Finding> {
        let (own, jobs) = (self.finding(w), w.jobs().and_then(|jobs| self.finding(&jobs)));
        match (own, jobs) {
            (Some(own), Some(jobs)) => Some(if jobs.severity > own.severity { jobs } else { own }),
            (own, jobs) => own.or(jobs),
        }
    }

    fn finding(&self, w: &Manifest) -> Option<Finding> {
        if w.is_defaulted() || w.own.open {
            return None;
        }
        let missing = self.missing(w);
        let first = missing.first()?;
        let metadata = w.metadata()?;
        let doc = w.object.doc;
        let kind = &w.kind.name;
        let names: Vec<String> = missing.iter().map(|m| format!("`{}`", m.key)).collect();
        let names = listed(&names);
        let at = doc.place(metadata.key);
        let mut steps = vec![Step { span: first.at, part: Part::Manifest, text: "its pods carry it here".to_owned() }];
        let severity = first.why.severity();
        let why = first.why.words(kind);
        steps.extend(first.why.step());
        steps.retain(|s| s.span != at);
        let confidence = match (&first.why, w.own.valued || w.pods.valued) {
            (Why::Used(_) | Why::Declared, false) => Confidence::High,
            _ => Confidence::Medium,
        };
        let fixes = super::fix::fix(
            self.deployed.sources,
            w,
            &missing.iter().filter_map(|m| m.label.clone()).collect::<Vec<_>>(),
        );
        Some(Finding {
            rule: &RULE,
            severity,
            confidence,
            message: format!("this {kind} does not carry {names}, which its pods carry: {why}"),
            help: format!("add {names} to the {kind}'s own `metadata.labels`, and leave its selector as it is"),
            at,
            statement: at,
            steps,
            group: at,
            function: format!("{kind} {}", w.object.name().unwrap_or_default()),
            fixes: fixes.filter(|_| missing.iter().all(|m| m.label.is_some())).into_iter().collect(),
            excused: None,
        })
    }

    /// The labels that decide, that the pods carry, and that the workload lacks.
    fn missing(&self, w: &Manifest) -> Vec<Missing<'a>> {
        let doc = w.object.doc;
        let kind = w.kind.name.as_str();
        let (added, name) = (self.kustomized.of(doc.file), w.object.name());
        let mut out: Vec<Missing> = vec![];
        let own = w.pods.known.iter().map(|l| (l.key.clone(), doc.written(l.pair.0), Some(l.clone())));
        let given = added.map(|a| a.pods.as_slice()).unwrap_or_default().iter().filter(|l| l.reaches(kind, name));
        for (key, at, label) in own.chain(given.map(|l| (l.key.clone(), l.at, None))) {
            let cured = added.is_some_and(|a| a.own.iter().any(|l| l.key == key && l.reaches(kind, name)));
            if w.own.has(&key) || cured || out.iter().any(|m| m.key == key) {
                continue;
            }
            let value = label.as_ref().map(|l| l.pair.1).filter(|v| doc.is_literal(*v)).and_then(|v| doc.tree.text(v));
            let Some(why) = self.why(w, &key, value) else { continue };
            if self.is_merged(w, &key) {
                continue;
            }
            out.push(Missing { key, why, at, label });
        }
        // What is proven comes first.
        out.sort_by_key(|m| matches!(m.why, Why::Core));
        out
    }

    fn why(&self, w: &Manifest, key: &str, value: Option<&str>) -> Option<Why<'a>> {
        let (uses, declared) = (self.deployed.uses, self.deployed.declared.of(w.object.doc.file));
        Why::of(key, &w.kind.name, value, uses, declared)
    }

    /// A workload that does not say what it runs is a patch: it lacks what neither it nor the object it is merged into has.
    /// And an object has what a patch of it brings.
    fn is_merged(&self, w: &Manifest, key: &str) -> bool {
        let same = |o: &&Object| {
            o.kind() == w.object.kind() && o.name() == w.object.name() && o.doc.chart == w.object.doc.chart
        };
        let others =
            self.objects.iter().filter(same).filter(|o| o.root != w.object.root || o.doc.file != w.object.doc.file);
        let others: Vec<Manifest> = others.filter_map(|o| Manifest::of(*o)).filter(|o| o.whole != w.whole).collect();
        if others.iter().any(|o| o.own.has(key)) {
            return true;
        }
        !w.whole && (others.is_empty() || others.iter().any(|o| o.pods.has(key)))
    }
}

/// `a`, `b` and `c`.
fn listed(names: &[String]) -> String {
    match names.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
