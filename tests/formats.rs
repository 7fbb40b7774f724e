//! The forms for machines, over a report with everything that they can stumble over. SARIF has `tests/sarif.rs`.

mod awkward;
mod hand;

use reaplint::report::lines::Places;
use reaplint::report::repository::Repository;
use reaplint::report::{Report, checkstyle, github, gitlab, json_lines, junit, markdown, rdjson, sarif};
use reaplint::rules::{Applicability, Edit, Finding, Fix, Part, Step};
use reaplint::source::{FileId, Span};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// Started in a folder of the repository.
fn repository() -> Repository {
    let address = Some("https://forge.test/lab/janitor/blob/0c".to_owned());
    Repository::new(Path::new("/r"), Path::new("/r/my services"), address)
}

fn written(write: impl Fn(&Report<'_>, &mut dyn Write) -> io::Result<()>) -> String {
    let (hand, suppressed) = awkward::hand();
    let places = Places::new(&hand.sources);
    let report = awkward::report(hand.findings.clone(), suppressed, &places);
    text(|out| write(&report, out))
}

/// The same for a report without anything.
fn empty(write: impl Fn(&Report<'_>, &mut dyn Write) -> io::Result<()>) -> String {
    let hand = hand::Hand::new(&[]);
    let places = Places::new(&hand.sources);
    let report = Report { skipped: Vec::new(), ..awkward::report(Vec::new(), Vec::new(), &places) };
    text(|out| write(&report, out))
}

/// And for many findings.
fn of_many(count: usize, write: impl Fn(&Report<'_>, &mut dyn Write) -> io::Result<()>) -> String {
    let hand = awkward::many(count);
    let places = Places::new(&hand.sources);
    let report = Report { skipped: Vec::new(), ..awkward::report(hand.findings.clone(), Vec::new(), &places) };
    text(|out| write(&report, out))
}

fn text(write: impl Fn(&mut dyn Write) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("written");
    String::from_utf8(out).expect("text")
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn json_lines_is_an_object_a_line() {
    let text = written(json_lines::write);
    let lines: Vec<Value> = text.lines().map(json).collect();
    assert_eq!(lines.len(), 4);
    let whole = json(&written(reaplint::report::json::write));
    assert_eq!(Value::from(lines), whole["findings"], "the entries of the JSON");
    assert_eq!(empty(json_lines::write), "");
}

#[test]
fn github_annotations() {
    insta::assert_snapshot!(written(|report, out| github::write(report, &repository(), out)));
    assert_eq!(empty(|report, out| github::write(report, &repository(), out)), "");
}

/// As the runner reads it.
fn command(line: &str) -> (String, Vec<(String, String)>, String) {
    let (head, data) = line.strip_prefix("::").expect("a command").split_once("::").expect("an end");
    let (kind, properties) = head.split_once(' ').expect("properties");
    let pair = |property: &str| {
        let (name, value) = property.split_once('=').expect("a value");
        let value = value.replace("%3A", ":").replace("%2C", ",");
        (name.to_owned(), value.replace("%0A", "\n").replace("%25", "%"))
    };
    let data = data.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    (kind.to_owned(), properties.split(',').map(pair).collect(), data)
}

#[test]
fn github_reads_what_was_meant() {
    let text = written(|report, out| github::write(report, &repository(), out));
    let commands: Vec<_> = text.lines().map(command).collect();
    let [(kind, properties, data), (second, twin, _)] = &commands[..] else { panic!("{text}") };
    let value = |name: &str| properties.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    assert_eq!(kind, "error");
    assert_eq!(value("file"), Some(format!("my services/{}", awkward::PATHS[0]).as_str()));
    assert_eq!((value("line"), value("col")), (Some("3"), Some("18")));
    assert_eq!((value("endLine"), value("endColumn")), (None, None), "the place is several lines long");
    assert_eq!(value("title"), Some("delete-on-absence, missing-grace-period"), "one annotation a call");
    assert!(data.contains("\nalso missing-grace-period: a lab"), "{data}");
    assert!(data.contains("\"100%\" of <it>'s & more"), "{data}");
    assert_eq!(second, "notice");
    assert!(twin.contains(&("endColumn".to_owned(), "8".to_owned())), "{twin:?}");
}

#[test]
fn the_first_ten_of_a_kind_are_the_gravest_and_the_rest_is_counted() {
    let text = of_many(40, |report, out| github::write(report, &repository(), out));
    let lines: Vec<&str> = text.lines().collect();
    let commands: Vec<_> = lines.iter().filter(|line| line.starts_with("::")).map(|line| command(line)).collect();
    let kinds: Vec<&str> = commands.iter().map(|(kind, ..)| kind.as_str()).collect();
    assert_eq!(kinds, [["error"; 10], ["warning"; 10]].concat());
    let line = |at: usize| commands[at].1.iter().find(|(name, _)| name == "line").map(|(_, line)| line.clone());
    // The fifth is of low confidence, the third a warning.
    assert_eq!([line(0), line(3)], [Some("1".to_owned()), Some("7".to_owned())]);
    assert_eq!(
        lines[20],
        "reaplint: 17 more errors, 3 more warnings in this log; GitHub shows 10 of each kind of a step:"
    );
    assert_eq!(lines.len(), 41);
    assert!(lines[21].starts_with("reaplint: many.py:"), "{}", lines[21]);
}

#[test]
fn gitlab_report() {
    let text = written(|report, out| gitlab::write(report, &repository(), out));
    insta::assert_snapshot!(text);
    assert_eq!(empty(|report, out| gitlab::write(report, &repository(), out)), "[]\n");
}

#[test]
fn gitlab_fingerprints_are_unique() {
    let call = "def f():\n    api.delete_lab(lab)\n";
    let mut hand = hand::Hand::new(&[("a.py", call), ("b.py", call)]);
    for file in [0, 1] {
        hand.findings.push(hand.finding(&hand::ABSENCE, file, "delete_lab", "api.delete_lab(lab)"));
    }
    let places = Places::new(&hand.sources);
    let report = awkward::report(hand.findings.clone(), Vec::new(), &places);
    let entries = json(&text(|out| gitlab::write(&report, &Repository::default(), out)));
    let prints: BTreeSet<&str> = entries.as_array().unwrap().iter().filter_map(|e| e["fingerprint"].as_str()).collect();
    assert_eq!(prints.len(), 2, "the same function in two files");
    let many = json(&of_many(500, |report, out| gitlab::write(report, &repository(), out)));
    let prints: BTreeSet<String> = many.as_array().unwrap().iter().map(|e| e["fingerprint"].to_string()).collect();
    assert_eq!(prints.len(), 500, "the same call many times");
}

#[test]
fn rdjson_document() {
    let text = written(rdjson::write);
    insta::assert_snapshot!(text);
    let document = json(&text);
    let start = &document["diagnostics"][0]["location"]["range"]["start"];
    // `        '🧹'; api.` in bytes: 8 of space, 6 of the text, 6.
    assert_eq!((start["line"].as_u64(), start["column"].as_u64()), (Some(3), Some(21)));
    assert_eq!(json(&empty(rdjson::write))["diagnostics"], Value::Array(Vec::new()));
}

#[test]
fn junit_document() {
    insta::assert_snapshot!(written(junit::write));
    let nothing = empty(junit::write);
    let document = roxmltree::Document::parse(&nothing).expect("XML");
    let cases = document.descendants().filter(|node| node.has_tag_name("testcase"));
    assert_eq!(cases.count(), 1, "a report without a test is taken for a fault: {nothing}");
}

#[test]
fn checkstyle_document() {
    insta::assert_snapshot!(written(checkstyle::write));
    assert!(empty(checkstyle::write).ends_with("<checkstyle version=\"4.3\"/>\n"));
}

/// What another parser reads: the signs as they were, but for those that XML cannot hold or that move a cursor.
#[test]
fn xml_is_read_as_it_was_meant() {
    let message = format!("this lab is deleted, {}", awkward::SIGNS.replace(['\u{1b}', '\u{202e}'], "?"));
    let text = written(checkstyle::write);
    let document = roxmltree::Document::parse(&text).expect("XML");
    let files: Vec<_> = document.descendants().filter(|node| node.has_tag_name("file")).collect();
    let names: Vec<_> = files.iter().filter_map(|file| file.attribute("name")).collect();
    assert_eq!(names, awkward::PATHS);
    let errors: Vec<_> = files.iter().flat_map(|file| file.children()).filter(|node| node.is_element()).collect();
    assert_eq!(errors.iter().filter_map(|error| error.attribute("message")).next(), Some(message.as_str()));
    let severities: Vec<_> = errors.iter().filter_map(|error| error.attribute("severity")).collect();
    assert_eq!(severities, ["error", "warning", "info", "info"]);
    let text = written(junit::write);
    let document = roxmltree::Document::parse(&text).expect("XML");
    let number = |node: &roxmltree::Node, name: &str| node.attribute(name).and_then(|n| n.parse::<usize>().ok());
    let suites: Vec<_> = document.descendants().filter(|node| node.has_tag_name("testsuite")).collect();
    for suite in &suites {
        let cases: Vec<_> = suite.children().filter(|node| node.has_tag_name("testcase")).collect();
        let with = |tag: &str| cases.iter().filter(|case| case.children().any(|node| node.has_tag_name(tag))).count();
        assert_eq!(number(suite, "tests"), Some(cases.len()));
        assert_eq!(number(suite, "failures"), Some(with("failure")));
        assert_eq!(number(suite, "skipped"), Some(with("skipped")));
    }
    let root = document.root_element();
    assert_eq!(
        (number(&root, "tests"), number(&root, "failures"), number(&root, "skipped")),
        (Some(5), Some(3), Some(2))
    );
    let failures: Vec<_> = document.descendants().filter(|node| node.has_tag_name("failure")).collect();
    assert_eq!(failures[0].attribute("message"), Some(message.as_str()));
    assert_eq!(failures[2].attribute("message"), Some("killed (and 1 more)"), "one failure a file and rule");
}

#[test]
fn markdown_table() {
    let text = written(|report, out| markdown::write(report, &repository(), out));
    insta::assert_snapshot!(text);
    let rows = text.lines().filter(|line| line.starts_with('|'));
    for row in rows {
        let columns = row.replace("\\|", "").matches('|').count();
        assert_eq!(columns, 4, "three columns: {row}");
    }
    assert_eq!(
        empty(|report, out| markdown::write(report, &repository(), out)),
        "### reaplint: nothing found\n\n0 files linted\n"
    );
}

#[test]
fn a_long_table_ends_below_a_mebibyte_with_a_count() {
    let text = of_many(12_000, |report, out| markdown::write(report, &repository(), out));
    assert!(text.len() < 1 << 20, "{}", text.len());
    let rows = text.lines().filter(|line| line.starts_with("| error") || line.starts_with("| warning")).count();
    assert!(text.contains(&format!("\n{} more of 12000 are left out here", 12_000 - rows)), "{rows}");
    assert!(rows > 4_000, "{rows}");
}

/// Pieces of text in any order, and places that fall where they like: every form is written, and can be read.
#[test]
fn any_place_in_any_text_can_be_written() {
    let pieces =
        ["x", "(", " ", "\t", "\n", "\r\n", "\r", "研", "🧹", "\u{feff}", "\u{1b}[1m", "]]>", "&", "\u{ffff}", "|`"];
    let mut state = 7_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..200 {
        let mut some = |most: usize| (0..random(most)).map(|_| pieces[random(pieces.len())]).collect::<String>();
        let (text, path, says) = (some(100), some(6) + ".py", some(12));
        let borders: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let mut hand = hand::Hand::new(&[(&path, &text)]);
        let mut span = || {
            let (a, b) = (borders[random(borders.len())], borders[random(borders.len())]);
            Span::new(FileId(0), a.min(b), a.max(b))
        };
        let step = Step { span: span(), part: Part::Guard, text: says.clone() };
        let edits = vec![Edit { span: span(), replacement: says.clone() }];
        let fix = Fix { message: says.clone(), applicability: Applicability::Safe, edits };
        let finding = Finding {
            at: span(),
            message: says.clone(),
            help: says.clone(),
            steps: vec![step],
            fixes: vec![fix],
            ..hand.finding(&hand::ABSENCE, 0, "", "")
        };
        hand.findings = vec![finding];
        readable(&hand);
    }
}

fn readable(hand: &hand::Hand) {
    let places = Places::new(&hand.sources);
    let report = awkward::report(hand.findings.clone(), Vec::new(), &places);
    let xml = |text: String| assert!(roxmltree::Document::parse(&text).is_ok(), "{text}");
    xml(text(|out| junit::write(&report, out)));
    xml(text(|out| checkstyle::write(&report, out)));
    json(&text(|out| rdjson::write(&report, out)));
    json(&text(|out| gitlab::write(&report, &repository(), out)));
    let log = json(&text(|out| sarif::write(&report, &repository(), &[], out)));
    let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startLine"], region["endLine"]);
    assert_eq!(text(|out| json_lines::write(&report, out)).lines().count(), 1);
    let annotation = text(|out| github::write(&report, &repository(), out));
    assert_eq!(annotation.lines().count(), 1, "{annotation}");
    command(annotation.trim_end_matches('\n'));
    let table = text(|out| markdown::write(&report, &repository(), out));
    assert_eq!(table.lines().filter(|line| line.starts_with("| error")).count(), 1, "{table}");
}
