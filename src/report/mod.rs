//! How findings are shown. Rules do not know.
//!
//! A [`Report`] holds every finding, in the order of path, place and rule; the forms differ in what they make of it.
//! Findings of one group, which is one destructive call and its twin, are one picture in `full`, one annotation in
//! `github` and one row in `markdown`, and several entries in the other forms for machines:
//!
//! ```text
//! full      x delete-on-absence: this Deployment is deleted because no row was found for it
//!           | also missing-grace-period: a Deployment started a moment ago is deleted as well
//!            ,-[janitor.py:7:14] ...
//! concise   janitor.py:9:17: error[delete-on-absence] this Deployment is deleted because no row was found for it
//!           janitor.py:9:17: warning[missing-grace-period] a Deployment started a moment ago is deleted as well
//! ```
//!
//! Lines and columns exist from here on: [`lines`].

pub mod checkstyle;
pub mod concise;
pub mod explain;
pub mod fingerprint;
pub mod full;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod json_lines;
pub mod junit;
pub mod lines;
pub mod markdown;
pub mod rdjson;
pub mod repository;
pub mod sarif;
pub mod summary;

mod picture;
mod xml;

use crate::rules::{Confidence, Finding, Severity};
use crate::source::{Sources, Span};
use crate::suppress::Suppressed;
use lines::Places;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cmp::Reverse;
use std::path::PathBuf;
use unicode_width::UnicodeWidthStr;

/// How an output can be written to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// With colour.
    pub color: bool,
    /// With box-drawing characters.
    pub unicode: bool,
    /// Columns.
    pub width: usize,
}

impl Look {
    /// A file or a pipe: no colour, ASCII.
    pub const PLAIN: Look = Look { color: false, unicode: false, width: 100 };
}

/// A file, or a part of one, that was meant to be linted and was not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Skipped {
    /// As reported.
    pub path: PathBuf,
    /// Why, as a clause.
    pub reason: String,
    /// Something is wrong with the file: counts under `--strict`. Otherwise it was merely not for us.
    pub fault: bool,
}

/// What a run has to say.
#[derive(Debug)]
pub struct Report<'a> {
    /// The files.
    pub places: &'a Places<'a>,
    /// What is reported, in the order of path, place and rule.
    pub findings: Vec<Finding>,
    /// What would be, were it not for comments; in the same order.
    pub suppressed: Vec<Suppressed>,
    /// Files and parts of files that were left out.
    pub skipped: Vec<Skipped>,
    /// Findings left out for their confidence alone.
    pub unsure: usize,
    /// Findings left out because the baseline knows them.
    pub baselined: usize,
    /// Findings left out because they were there already in the revision that is compared with.
    pub old: usize,
}

impl<'a> Report<'a> {
    /// The files.
    pub fn sources(&self) -> &'a Sources {
        self.places.sources()
    }

    /// How many findings are this severe.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// The gravest severity there is.
    pub fn gravest(&self) -> Option<Severity> {
        self.findings.iter().map(|finding| finding.severity).max()
    }
}

/// Puts findings in the order in which every form gives them. File ids are in the order of paths.
pub fn order(findings: &mut [Finding]) {
    findings.sort_by(|a, b| (a.at, a.rule.name, &a.message).cmp(&(b.at, b.rule.name, &b.message)));
}

/// Findings with one group, the gravest first. Groups are in the order of the first finding of each.
pub fn groups(findings: &[Finding]) -> Vec<Vec<&Finding>> {
    let mut index: FxHashMap<Span, usize> = FxHashMap::default();
    let mut groups: Vec<Vec<&Finding>> = Vec::new();
    for finding in findings {
        let at = *index.entry(finding.group).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.push(finding),
            None => groups.push(vec![finding]),
        }
    }
    for group in &mut groups {
        group.sort_by_key(|finding| (gravity(finding), finding.rule.name));
    }
    groups
}

/// Groups, the gravest and surest first: what is cut off at the end is what matters least.
pub(crate) fn ranked(findings: &[Finding]) -> Vec<Vec<&Finding>> {
    let mut groups = groups(findings);
    groups.sort_by_key(|group| group.first().map(|finding| gravity(finding)));
    groups
}

/// The gravest and surest come first.
pub(crate) fn gravity(finding: &Finding) -> Reverse<(Severity, Confidence)> {
    Reverse((finding.severity, finding.confidence))
}

/// The findings of a group, but each thing that is said once: the twin on the same target says the same.
pub fn said<'a>(group: &[&'a Finding]) -> Vec<&'a Finding> {
    let mut said: Vec<&Finding> = Vec::new();
    for finding in group {
        if !said.iter().any(|other| other.rule.name == finding.rule.name && other.message == finding.message) {
            said.push(finding);
        }
    }
    said
}

/// A text on one line that leaves the terminal alone: names of files and strings of programs may hold anything.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if text.contains(picture::misleading) {
        Cow::Owned(text.replace('\n', " ").replace(picture::misleading, "?"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Lines of at most this width, but never narrower than a few words.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.width() + 1 + word.width() > width.max(24) {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}
