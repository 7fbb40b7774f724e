//! Findings that are known and not to be spoken of again: `.reaplint-baseline.json`.
//!
//! ```json
//! { "version": 1, "findings": [
//!   { "path": "janitor.py", "rule": "delete-on-absence", "fingerprint": "9f2c..", "message": ".." } ] }
//! ```
//! An entry holds by path, rule and fingerprint, so lines may move. An entry of a file that is no longer there holds for
//! the same finding in another file, which is most likely the file under its new name. A run over a part of the tree says
//! nothing about entries of other files: they stay, and are not called stale.

use crate::report::fingerprint;
use crate::rules::Finding;
use crate::source::Sources;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The file that `reaplint baseline` writes.
pub const FILE: &str = ".reaplint-baseline.json";

/// The form of the file.
const VERSION: u32 = 1;

/// Known findings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Baseline {
    version: u32,
    findings: Vec<Entry>,
}

/// One of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Relative to the folder of the baseline, with `/`.
    pub path: String,
    /// The rule.
    pub rule: String,
    /// What stays of it when lines move.
    pub fingerprint: String,
    /// For people.
    pub message: String,
}

/// What came of laying a baseline beside findings.
#[derive(Debug, Default)]
pub struct Matched {
    /// By the number of the finding: it is known.
    pub known: Vec<bool>,
    /// Entries whose finding is gone, though their file was linted and their rule ran.
    pub stale: Vec<Entry>,
}

impl Default for Baseline {
    fn default() -> Self {
        Baseline { version: VERSION, findings: vec![] }
    }
}

impl Baseline {
    /// Reads one.
    ///
    /// # Errors
    /// What is wrong with the file, with its name.
    pub fn read(path: &Path) -> Result<Baseline, String> {
        let name = crate::source::shown(path);
        let text = std::fs::read_to_string(path).map_err(|why| format!("{name}: cannot be read: {why}"))?;
        let baseline: Baseline = serde_json::from_str(&text).map_err(|why| format!("{name}: is no baseline: {why}"))?;
        if baseline.version != VERSION {
            return Err(format!("{name}: is a baseline of version {}, which is not known", baseline.version));
        }
        Ok(baseline)
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// How many findings are known.
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Is none known?
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The entries that findings make, in their order. `place` gives a file's path as the baseline has it.
    pub fn of(findings: &[Finding], sources: &Sources, place: impl Fn(&Path) -> String) -> Baseline {
        let prints = fingerprint::all(findings, sources);
        let entry = |(finding, fingerprint): (&Finding, String)| Entry {
            path: place(&sources.get(finding.at.file).path),
            rule: finding.rule.name.to_owned(),
            fingerprint,
            message: finding.message.clone(),
        };
        Baseline { version: VERSION, findings: findings.iter().zip(prints).map(entry).collect() }
    }

    /// Lays this baseline beside what a run found. `ran` says of an entry whether the run could have found it, `there`
    /// whether a path still exists.
    pub fn matched(&self, now: &Baseline, ran: impl Fn(&Entry) -> bool, there: impl Fn(&str) -> bool) -> Matched {
        let mut used: FxHashSet<usize> = FxHashSet::default();
        let mut known = vec![];
        for found in &now.findings {
            let alike = |at: &usize, entry: &Entry| {
                !used.contains(at) && entry.rule == found.rule && entry.fingerprint == found.fingerprint
            };
            let mut entries = self.findings.iter().enumerate().filter(|(at, entry)| alike(at, entry));
            let mut moved = entries.clone().filter(|(_, entry)| !there(&entry.path));
            let entry = entries.find(|(_, entry)| entry.path == found.path).or_else(|| moved.next());
            known.push(entry.is_some());
            used.extend(entry.map(|(at, _)| at));
        }
        let left = self.findings.iter().enumerate().filter(|(at, _)| !used.contains(at)).map(|(_, entry)| entry);
        let gone = |entry: &&Entry| ran(entry) || !there(&entry.path);
        Matched { known, stale: left.filter(gone).cloned().collect() }
    }

    /// This baseline with what was found now; without the `stale` ones, if they are given.
    pub fn refreshed(&self, now: &Baseline, known: &[bool], stale: &[Entry]) -> Baseline {
        let mut findings: Vec<Entry> = self.findings.clone();
        for entry in stale {
            if let Some(at) = findings.iter().position(|one| one == entry) {
                findings.remove(at);
            }
        }
        let new = now.findings.iter().zip(known).filter(|(_, known)| !**known).map(|(entry, _)| entry.clone());
        findings.extend(new);
        findings.sort();
        Baseline { version: VERSION, findings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, fingerprint: &str) -> Entry {
        let rule = "delete-on-absence".to_owned();
        Entry { path: path.into(), rule, fingerprint: fingerprint.into(), message: "deleted".into() }
    }

    fn baseline(entries: &[Entry]) -> Baseline {
        Baseline { findings: entries.to_vec(), ..Baseline::default() }
    }

    #[test]
    fn entries_hold_by_path_rule_and_fingerprint_as_often_as_they_stand() {
        let kept = baseline(&[entry("a.py", "1"), entry("a.py", "2")]);
        let now = baseline(&[entry("a.py", "1"), entry("a.py", "1"), entry("b.py", "2")]);
        let matched = kept.matched(&now, |_| true, |_| true);
        assert_eq!(matched.known, [true, false, false]);
        assert_eq!(matched.stale, [entry("a.py", "2")]);
    }

    #[test]
    fn a_file_under_a_new_name_is_the_same_file() {
        let kept = baseline(&[entry("old.py", "1")]);
        let matched = kept.matched(&baseline(&[entry("new.py", "1")]), |_| true, |path| path != "old.py");
        assert_eq!(matched.known, [true]);
        assert!(matched.stale.is_empty());
    }

    #[test]
    fn what_was_not_linted_stays() {
        let kept = baseline(&[entry("a.py", "1"), entry("b.py", "2")]);
        let now = baseline(&[entry("a.py", "3")]);
        let matched = kept.matched(&now, |entry| entry.path == "a.py", |_| true);
        assert_eq!(matched.stale, [entry("a.py", "1")]);
        let refreshed = kept.refreshed(&now, &matched.known, &[]);
        assert_eq!(refreshed.findings, [entry("a.py", "1"), entry("a.py", "3"), entry("b.py", "2")]);
        let pruned = kept.refreshed(&now, &matched.known, &matched.stale);
        assert_eq!(pruned.findings, [entry("a.py", "3"), entry("b.py", "2")]);
    }
}
