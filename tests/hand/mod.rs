//! Findings made by hand: places are given as pieces of text that occur once.

#![allow(dead_code)]

use reaplint::rules::{Confidence, Finding, Part, Reads, Rule, Severity, Step};
use reaplint::source::{FileId, Language, SourceFile, Sources, Span};

const fn rule(name: &'static str, severity: Severity) -> Rule {
    Rule {
        name,
        summary: "",
        here: "deleted here",
        doc: "",
        severity,
        pedantic: false,
        reads: Reads::Code,
        check: reaplint::rules::Check::Function(|_| vec![]),
        mend: None,
        manifests: None,
    }
}

/// `delete-on-absence`
pub static ABSENCE: Rule = rule("delete-on-absence", Severity::Error);
/// `unscoped-sweep`
pub static SWEEP: Rule = rule("unscoped-sweep", Severity::Error);
/// `missing-grace-period`
pub static GRACE: Rule = rule("missing-grace-period", Severity::Warning);

/// Files and findings in them.
pub struct Hand {
    pub sources: Sources,
    pub findings: Vec<Finding>,
}

impl Hand {
    /// Files in the order of their paths.
    pub fn new(files: &[(&str, &str)]) -> Hand {
        let file = |(id, (path, text)): (usize, &(&str, &str))| SourceFile {
            id: FileId(id as u32),
            path: path.into(),
            language: language(path),
            text: (*text).into(),
        };
        Hand { sources: Sources { files: files.iter().enumerate().map(file).collect() }, findings: Vec::new() }
    }

    /// The one place of a text.
    pub fn span(&self, file: u32, text: &str) -> Span {
        let all = &self.sources.get(FileId(file)).text;
        let start = all.find(text).unwrap_or_else(|| panic!("{text:?} does not occur"));
        Span::new(FileId(file), start, start + text.len())
    }

    /// A step.
    pub fn step(&self, file: u32, text: &str, part: Part, says: &str) -> Step {
        Step { span: self.span(file, text), part, text: says.into() }
    }

    /// A finding without steps.
    pub fn finding(&self, rule: &'static Rule, file: u32, at: &str, statement: &str) -> Finding {
        let at = self.span(file, at);
        Finding {
            rule,
            severity: rule.severity,
            confidence: Confidence::High,
            message: String::new(),
            help: String::new(),
            at,
            statement: self.span(file, statement),
            steps: Vec::new(),
            group: at,
            function: "sweep".into(),
            fixes: vec![],
            excused: None,
        }
    }
}

fn language(path: &str) -> Language {
    match path.rsplit('.').next() {
        Some("go") => Language::Go,
        Some("rs") => Language::Rust,
        _ => Language::Python,
    }
}
