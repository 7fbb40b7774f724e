//! The library's entry: from files to findings.

use crate::rules::Finding;
use crate::source::{Sources, Span};
use crate::vocab::Vocab;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How to run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How many threads; as many as the machine has without.
    pub threads: Option<usize>,
    /// Give the lowered functions as text.
    pub dump_ir: bool,
}

/// What came out.
#[derive(Debug, Default)]
pub struct Outcome {
    /// In the order of path, place and rule.
    pub findings: Vec<Finding>,
    /// Files and parts of files that were left out, with the reason.
    pub skipped: Vec<(PathBuf, String)>,
    /// What was not understood, by kind of syntax node.
    pub holes: BTreeMap<String, u32>,
    /// What was done.
    pub stats: Stats,
    /// The lowered functions, if asked for.
    pub ir: String,
}

/// What was done.
#[derive(Debug, Default)]
pub struct Stats {}

/// Lints.
pub fn check(_sources: &Sources, _vocab: &Vocab, _options: &Options) -> Outcome {
    Outcome::default()
}

/// What the questions answer for the destructive calls of a line, and from which evidence.
pub fn why(_sources: &Sources, _vocab: &Vocab, _options: &Options, _line: Span) -> Option<String> {
    None
}
