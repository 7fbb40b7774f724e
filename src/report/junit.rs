//! `junit`: a test suite a file, a test case a rule that has findings in it.
//!
//! ```text
//! <testsuite name="janitor.py" tests="2" failures="2" skipped="0">
//!   <testcase name="delete-on-absence" classname="janitor.py" file="janitor.py" line="9" time="0"> ..
//! ```
//! Readers allow one failure in a test case, so what one rule says of one file stands in one. A file that could not be
//! linted is a test that was skipped. Where there is nothing to say one test passes, since a report without any is taken
//! for a fault.

use super::Report;
use super::xml::{Element, write as document};
use crate::rules::{Finding, Severity};
use crate::source::shown;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Test cases of a file, and how many of them were skipped.
#[derive(Default)]
struct Suite {
    cases: Vec<Element>,
    skipped: usize,
}

/// Writes the whole document.
pub fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut suites: BTreeMap<String, Suite> = BTreeMap::new();
    let mut rules: BTreeMap<(String, &str), Vec<&Finding>> = BTreeMap::new();
    for finding in &report.findings {
        let path = report.sources().get(finding.at.file).shown();
        rules.entry((path, finding.rule.name)).or_default().push(finding);
    }
    for ((path, rule), findings) in &rules {
        suites.entry(path.clone()).or_default().cases.push(failed(path, rule, findings, report));
    }
    for one in &report.skipped {
        let path = shown(&one.path);
        let case = case("linted", &path).holding([Element::new("skipped").with("message", &one.reason)]);
        let suite = suites.entry(path).or_default();
        suite.cases.push(case);
        suite.skipped += 1;
    }
    if suites.is_empty() {
        let passed = Element::new("testcase").with("name", "nothing found").with("classname", "reaplint");
        suites.entry("reaplint".to_owned()).or_default().cases.push(passed.with("time", "0"));
    }
    let whole = counted(Element::new("testsuites").with("name", "reaplint"), suites.values(), rules.len());
    let failures = |path: &String| rules.keys().filter(|(file, _)| file == path).count();
    let suite = |(path, suite): (String, Suite)| {
        let head = counted(Element::new("testsuite").with("name", &path), [&suite], failures(&path));
        head.holding(suite.cases)
    };
    document(&whole.holding(suites.into_iter().map(suite)), out)
}

/// With the counts that every suite gives.
fn counted<'a>(element: Element, suites: impl IntoIterator<Item = &'a Suite>, failures: usize) -> Element {
    let (tests, skipped) =
        suites.into_iter().fold((0, 0), |(tests, skipped), suite| (tests + suite.cases.len(), skipped + suite.skipped));
    element
        .with("tests", tests.to_string())
        .with("failures", failures.to_string())
        .with("errors", "0")
        .with("skipped", skipped.to_string())
        .with("time", "0")
}

fn case(name: &str, path: &str) -> Element {
    Element::new("testcase").with("name", name).with("classname", path).with("file", path).with("time", "0")
}

/// What a rule says of a file.
fn failed(path: &str, rule: &str, findings: &[&Finding], report: &Report<'_>) -> Element {
    let line = |finding: &&Finding| {
        let help = if finding.help.is_empty() { String::new() } else { format!("\n  help: {}", finding.help) };
        format!("{}: {}{help}", report.places.shown(finding.at), finding.message)
    };
    let lines: Vec<String> = findings.iter().map(line).collect();
    let gravest = findings.iter().map(|finding| finding.severity).max().unwrap_or(Severity::Note);
    let mut message = findings.first().map(|first| first.message.clone()).unwrap_or_default();
    if findings.len() > 1 {
        message += &format!(" (and {} more)", findings.len() - 1);
    }
    let failure = Element::new("failure").with("message", message).with("type", gravest.word());
    let line = findings.first().map_or(1, |first| report.places.start(first.at).line);
    case(rule, path).with("line", line.to_string()).holding([failure.saying(&lines.join("\n"))])
}
