//! A report with everything that a form for machines can stumble over: odd paths, texts with the signs of every syntax,
//! columns behind wide characters and a byte order mark, places of several lines, fixes, suppressions, skipped files.

#![allow(dead_code)]

use crate::hand::{self, Hand};
use reaplint::report::Skipped;
use reaplint::report::lines::Places;
use reaplint::report::{Report, order};
use reaplint::rules::{Applicability, Confidence, Edit, Finding, Fix, Part, Severity};
use reaplint::source::{FileId, Span};
use reaplint::suppress::Suppressed;

/// The signs of every syntax.
pub const SIGNS: &str =
    "\"100%\" of <it>'s & more: a|b, [c](1) @you, `d|e_f`, `g` ##[error]h ]]> \\ *i* _j_ \u{1b}[2J\u{202e}";

pub const PATHS: [&str; 2] = ["jobs/a b,100%: é/reap.py", "ops/#1 [x](y)|z`.py"];

const REAP: &str = "\u{feff}def sweep(api):\r
    for lab in api.list_labs():  # 研究\r
        '🧹'; api.delete_lab(\r
            lab,\r
        )\r
    api.drop_quota('é', lab)  # reaplint: ignore[unscoped-sweep] ours\r
";

const OPS: &str = "def f(c):\n\tc.kill(); c.remove()\n";

/// Findings and what is suppressed.
pub fn hand() -> (Hand, Vec<Suppressed>) {
    let mut hand = Hand::new(&[(PATHS[0], REAP), (PATHS[1], OPS)]);
    let listed = hand.step(0, "list_labs", Part::Candidates, "every [lab](x) is \\listed here");
    let guard = hand.step(1, "kill(); c.remove()", Part::Guard, "two at once");
    let call = "delete_lab(\r\n            lab,\r\n        )";
    let mut absence = hand.finding(&hand::ABSENCE, 0, call, call);
    absence.message = format!("this lab is deleted, {SIGNS}");
    absence.help = format!("delete less; {SIGNS}");
    absence.steps = vec![listed, guard];
    absence.fixes = fixes(&hand);
    let mut grace = Finding { rule: &hand::GRACE, severity: Severity::Warning, steps: Vec::new(), ..absence.clone() };
    grace.message = "a lab of a moment ago is deleted as well".into();
    grace.confidence = Confidence::Medium;
    grace.fixes = Vec::new();
    let mut note = hand.finding(&hand::GRACE, 1, "kill", "c.kill(); c.remove()");
    note.severity = Severity::Note;
    note.message = "killed".into();
    note.function = String::new();
    let twin = Finding { at: hand.span(1, "remove"), ..note.clone() };
    let mut quiet = hand.finding(&hand::SWEEP, 0, "drop_quota", "drop_quota('é', lab)");
    quiet.message = "this quota may be another's".into();
    hand.findings = vec![absence, grace, note, twin];
    order(&mut hand.findings);
    let comment = hand.span(0, "# reaplint: ignore[unscoped-sweep] ours");
    let suppressed = vec![Suppressed { finding: quiet, reason: format!("ours; {SIGNS}"), comment }];
    (hand, suppressed)
}

/// One that only adds, one of two edits, one for people.
fn fixes(hand: &Hand) -> Vec<Fix> {
    let at = hand.span(0, "drop_quota");
    let before = Edit { span: Span { end: at.start, ..at }, replacement: "if known:\n        ".into() };
    let over = Edit { span: hand.span(0, "            lab,\r\n"), replacement: "lab\r\n".into() };
    let fix = |applicability, edits: &[&Edit]| Fix {
        message: "ask first".into(),
        applicability,
        edits: edits.iter().map(|edit| (*edit).clone()).collect(),
    };
    vec![
        fix(Applicability::Safe, &[&before]),
        fix(Applicability::Unsafe, &[&over, &before]),
        fix(Applicability::Display, &[&over]),
    ]
}

/// The report of them.
pub fn report<'a>(findings: Vec<Finding>, suppressed: Vec<Suppressed>, places: &'a Places<'a>) -> Report<'a> {
    let skipped = |path: &str, reason: &str, fault| Skipped { path: path.into(), reason: reason.into(), fault };
    let skipped =
        vec![skipped("big <1>.py", "larger than 2 MiB", false), skipped("é\u{1}|`.py", "not UTF-8: 100%, \u{0}", true)];
    Report { places, findings, suppressed, skipped, unsure: 0, baselined: 0, old: 0 }
}

/// As many findings as wanted, in a file with a line for each; every third is a warning, every fifth of low confidence.
pub fn many(count: usize) -> Hand {
    let text = "api.delete_lab(lab)\n".repeat(count);
    let mut hand = Hand::new(&[("many.py", &text)]);
    let mut one = Hand::new(&[("many.py", "delete_lab")]).finding(&hand::ABSENCE, 0, "delete_lab", "delete_lab");
    one.message = "this lab is deleted because no row was found for it".into();
    let finding = |number: usize| {
        let start = 20 * number + 4;
        let at = Span::new(FileId(0), start, start + 10);
        let mut finding = Finding { at, group: at, statement: at, ..one.clone() };
        if number % 3 == 2 {
            finding.severity = Severity::Warning;
        }
        if number % 5 == 4 {
            finding.confidence = Confidence::Low;
        }
        finding
    };
    hand.findings = (0..count).map(finding).collect();
    hand
}
