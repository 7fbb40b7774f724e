//! The wording and drawing of reports, over findings made by hand.

mod hand;

use hand::Hand;
use reaplint::report::lines::Places;
use reaplint::report::{Look, Report, Skipped, concise, fingerprint, full, json, summary};
use reaplint::rules::{Confidence, Finding, Part, Severity};

const JANITOR: &str = "\
from kubernetes import client
from lab.records import find_lab


def sweep(api: client.AppsV1Api, session):
    for d in api.list_deployment_for_all_namespaces().items:
        name = d.metadata.name
        if not should_keep(session, d):
            api.delete_namespaced_deployment(name, d.metadata.namespace)


def should_keep(session, d):
    row = find_lab(session, d.metadata.labels[\"lab\"])
    if row is None:
        return False
    return row.status == \"active\"
";

const RECORDS: &str = "\
def find_lab(session, lab):
    return session.get(Lab, lab)
";

/// The first incident: three rules on one call, with a helper and a lookup in another file.
fn incident() -> Hand {
    let mut hand = Hand::new(&[("janitor.py", JANITOR), ("lab/records.py", RECORDS)]);
    let candidates = hand.step(
        0,
        "list_deployment_for_all_namespaces",
        Part::Candidates,
        "every Deployment of every namespace is listed here",
    );
    let lookup =
        hand.step(1, "session.get(Lab, lab)", Part::Lookup, "the row is looked up here, in one environment's database");
    let guard = hand.step(0, "row is None", Part::Guard, "no row: nothing speaks for keeping it");
    let helper = hand.step(0, "not should_keep(session, d)", Part::Helper, "true when no row is found");
    let mut absence = hand.finding(
        &hand::ABSENCE,
        0,
        "delete_namespaced_deployment",
        "api.delete_namespaced_deployment(name, d.metadata.namespace)",
    );
    absence.message = "this Deployment is deleted because no row was found for it".into();
    absence.help = "delete only what has a row that is finished: `row is not None and row.status != \"active\"`".into();
    absence.steps = vec![candidates.clone(), lookup, guard, helper];
    let mut sweep = Finding { rule: &hand::SWEEP, steps: vec![candidates], ..absence.clone() };
    sweep.message = "Deployments of every namespace are swept, but the rows are those of one environment".into();
    let mut grace = Finding { rule: &hand::GRACE, severity: Severity::Warning, steps: Vec::new(), ..absence.clone() };
    grace.message = "a Deployment that was created a moment ago has no row yet and is deleted as well".into();
    hand.findings = vec![absence, sweep, grace];
    hand
}

fn report<'a>(hand: &Hand, places: &'a Places<'a>) -> Report<'a> {
    let mut findings = hand.findings.clone();
    reaplint::report::order(&mut findings);
    Report { places, findings, suppressed: Vec::new(), skipped: Vec::new(), unsure: 0, baselined: 0, old: 0 }
}

fn drawn(hand: &Hand, look: Look) -> String {
    let places = Places::new(&hand.sources);
    let mut out = Vec::new();
    full::write(&report(hand, &places), look, &mut out).expect("written");
    String::from_utf8(out).expect("text")
}

#[test]
fn incident_in_full() {
    insta::assert_snapshot!(drawn(&incident(), Look::PLAIN));
}

#[test]
fn incident_on_a_terminal() {
    insta::assert_snapshot!(drawn(&incident(), Look { unicode: true, color: false, width: 80 }));
    let colored = drawn(&incident(), Look { unicode: true, color: true, width: 80 });
    assert!(colored.contains("\u{1b}[31m×\u{1b}[0m \u{1b}[1mdelete-on-absence\u{1b}[0m: this Deployment"));
}

/// One finding on one call, with a step before it.
fn small(text: &str, candidates: &str, at: &str) -> Hand {
    let mut hand = Hand::new(&[("janitor.py", text)]);
    let listed = hand.step(0, candidates, Part::Candidates, "every lab is listed here");
    let mut finding = hand.finding(&hand::ABSENCE, 0, at, at);
    finding.message = "this lab is deleted because no row was found for it".into();
    finding.steps = vec![listed];
    hand.findings = vec![finding];
    hand
}

#[test]
fn tabs_wide_characters_and_crlf_are_placed_rightly() {
    let text =
        "\u{feff}def f(api):\r\n\tfor 実験室 in api.list_labs():  # 🧹\r\n\t\t'研究'; api.delete_lab(実験室)\r\n";
    let hand = small(text, "list_labs", "delete_lab");
    insta::assert_snapshot!(drawn(&hand, Look::PLAIN));
    let places = Places::new(&hand.sources);
    assert_eq!(places.shown(hand.findings[0].at), "janitor.py:3:13");
}

#[test]
fn of_a_long_line_the_parts_around_the_marks_are_shown() {
    let long = format!(
        "for lab in api.list_labs({}): {}api.delete_lab(lab, {})\n",
        "a, ".repeat(60),
        "b(), ".repeat(40),
        "c, ".repeat(60)
    );
    insta::assert_snapshot!(drawn(&small(&long, "list_labs", "delete_lab"), Look { width: 80, ..Look::PLAIN }));
}

#[test]
fn what_would_move_the_cursor_is_not_printed() {
    let text = "for lab in api.list_labs(): api.delete_lab(lab)  # \u{1b}[2J \u{202e}gnihton\n";
    let shown = drawn(&small(text, "list_labs", "delete_lab"), Look::PLAIN);
    assert!(shown.contains("# ?[2J ?gnihton"), "{shown}");
}

#[test]
fn twins_are_one_picture() {
    let text = "for c in docker.containers.list():\n    if c.id not in known:\n        c.kill()\n        c.remove()\n";
    let mut hand = small(text, "list", "kill");
    let mut twin = hand.findings[0].clone();
    twin.at = hand.span(0, "remove");
    let mut low = twin.clone();
    (low.rule, low.severity, low.confidence) = (&hand::GRACE, Severity::Warning, Confidence::Medium);
    low.message = "a container started a moment ago is removed as well".into();
    low.steps.push(hand.step(0, "c.id not in known", Part::Guard, "true for every container nobody has noted yet"));
    hand.findings.extend([twin, low]);
    insta::assert_snapshot!(drawn(&hand, Look::PLAIN));
}

#[test]
fn places_within_places_do_not_overlap() {
    let text = "if not should_keep(lab): api.delete_lab(lab)\n";
    let mut hand = small(text, "should_keep(lab)", "delete_lab");
    hand.findings[0].steps = vec![
        hand.step(0, "should_keep(lab)", Part::Lookup, "looked up here"),
        hand.step(0, "not should_keep(lab)", Part::Guard, "true when nothing was found"),
    ];
    insta::assert_snapshot!(drawn(&hand, Look::PLAIN));
}

#[test]
fn a_place_of_several_lines_is_marked_in_its_first() {
    let text = "for lab in api.list_labs(\n    limit=5,\n):\n    api.delete_lab(lab)\n";
    let hand = small(text, "api.list_labs(\n    limit=5,\n)", "delete_lab");
    insta::assert_snapshot!(drawn(&hand, Look::PLAIN));
}

#[test]
fn one_line_a_finding() {
    let hand = incident();
    let places = Places::new(&hand.sources);
    let mut out = Vec::new();
    concise::write(&report(&hand, &places), &mut out).expect("written");
    insta::assert_snapshot!(String::from_utf8(out).expect("text"));
}

#[test]
fn json_version_1() {
    let hand = incident();
    let places = Places::new(&hand.sources);
    let mut report = report(&hand, &places);
    report.skipped = vec![skipped("big.py", "larger than 2 MiB")];
    let mut out = Vec::new();
    json::write(&report, &mut out).expect("written");
    insta::assert_snapshot!(String::from_utf8(out).expect("text").replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

fn skipped(path: &str, reason: &str) -> Skipped {
    Skipped { path: path.into(), reason: reason.into(), fault: true }
}

#[test]
fn the_last_line_counts() {
    let hand = incident();
    let places = Places::new(&hand.sources);
    let mut report = report(&hand, &places);
    assert_eq!(summary::line(&report, &[]), "2 files linted: 2 errors, 1 warning\n");
    report.skipped = vec![
        skipped("a.py", "not UTF-8 (byte 0xe9 in line 2)"),
        skipped("b.py", "not UTF-8 (byte 0xe9 in line 7)"),
        skipped("c.py", "larger than 2 MiB"),
    ];
    report.unsure = 2;
    assert_eq!(
        summary::line(&report, &[]),
        "2 files linted: 2 errors, 1 warning; 2 below --min-confidence; \
         3 skipped (1 larger than 2 MiB, 2 not UTF-8)\n"
    );
    report.findings.clear();
    report.skipped.truncate(1);
    report.unsure = 0;
    assert_eq!(summary::line(&report, &[]), "2 files linted: nothing found; 1 skipped (not UTF-8)\n");
}

#[test]
fn a_fingerprint_stays_when_lines_move_and_tells_repeats_apart() {
    let prints = |text: &str, calls: &[usize]| {
        let mut hand = Hand::new(&[("a.py", text)]);
        let starts: Vec<usize> = text.match_indices("delete_lab").map(|(at, _)| at).collect();
        for call in calls {
            let mut finding = hand.finding(&hand::ABSENCE, 0, "def", "def");
            finding.at = reaplint::source::Span::new(reaplint::source::FileId(0), starts[*call], starts[*call] + 10);
            hand.findings.push(finding);
        }
        fingerprint::all(&hand.findings, &hand.sources)
    };
    let plain = prints("def f():\n  api.delete_lab(x)\n", &[0]);
    assert_eq!(plain, prints("def f():\n\n\n  api.delete_lab(\n    x,  # the lab\n  )\n", &[0]));
    assert_ne!(plain, prints("def f():\n  api.delete_lab(y)\n", &[0]));
    let twice = prints("def f():\n  api.delete_lab(x)\n  api.delete_lab(x)\n", &[0, 1]);
    assert_eq!(twice[0], plain[0]);
    assert_ne!(twice[1], plain[0]);
}

/// Pieces of text in any order, and places that fall where they like: every mark is drawn, and nothing panics.
#[test]
fn any_place_in_any_text_can_be_drawn() {
    let pieces = [
        "x",
        "(",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "研",
        "🧹",
        "e\u{301}",
        "\u{feff}",
        "\u{1b}[1m",
        "longer_name",
        "\u{200d}",
    ];
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for round in 0..2000 {
        let text: String = (0..random(120)).map(|_| pieces[random(pieces.len())]).collect();
        let borders: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let mut hand = Hand::new(&[("a.py", &text)]);
        let mut span = || {
            let (a, b) = (borders[random(borders.len())], borders[random(borders.len())]);
            reaplint::source::Span::new(reaplint::source::FileId(0), a.min(b), a.max(b))
        };
        let mut finding = hand.finding(&hand::ABSENCE, 0, "", "");
        finding.at = span();
        for index in 0..5 {
            // Equal places with equal parts are one step.
            let part = [Part::Candidates, Part::Reference, Part::Lookup, Part::Guard, Part::Helper][index];
            finding.steps.push(reaplint::rules::Step { span: span(), part, text: format!("step{index}") });
        }
        hand.findings = vec![finding];
        let width = 40 + round % 80;
        let shown = drawn(&hand, Look { width, ..Look::PLAIN });
        assert!((0..5).all(|index| shown.contains(&format!("step{index}"))), "{text:?}\n{shown}");
        assert!(!shown.contains("Failed to read"), "{text:?}\n{shown}");
    }
}
