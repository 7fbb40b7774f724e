//! SARIF: against the schema, read back by other types, and as code scanning reads it.
//!
//! The schema is the one that `serde-sarif` brings, so that none is kept here; `cargo metadata` knows where it lies.
//! `.ci/sarif` runs a validator over the same.

mod awkward;
mod hand;
mod run;

use reaplint::report::lines::Places;
use reaplint::report::repository::Repository;
use reaplint::report::{Report, json, sarif};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

fn schema() -> &'static jsonschema::Validator {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let mut command = Command::new(env!("CARGO"));
        // Crates for other systems need not be there.
        command.args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", &host()]);
        let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let packages = metadata["packages"].as_array().expect("packages");
        let found = packages.iter().find(|package| package["name"] == "serde-sarif").expect("the crate is there");
        let manifest = Path::new(found["manifest_path"].as_str().expect("a path"));
        let text = std::fs::read_to_string(manifest.with_file_name("src").join("schema.json")).expect("the schema");
        // Its expression for a language has a bracket too many, which not every engine lets pass.
        let schema = serde_json::from_str(&text.replace("{2}]?$", "{2}$")).expect("JSON");
        jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
    })
}

/// The system, as cargo calls it.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host").to_owned()
}

/// A log that the schema allows, and that other types read and write the same.
fn valid(text: &str) -> Value {
    let log: Value = serde_json::from_str(text).expect("JSON");
    let faults: Vec<String> =
        schema().iter_errors(&log).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let read: serde_sarif::sarif::Sarif = serde_json::from_str(text).expect("SARIF");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), log, "nothing is there that SARIF does not have");
    log
}

fn written(report: &Report<'_>, errors: &[String]) -> String {
    let repository = Repository::new(Path::new("/r"), Path::new("/r/my services"), None);
    let mut out = Vec::new();
    sarif::write(report, &repository, errors, &mut out).expect("written");
    String::from_utf8(out).expect("text")
}

/// The log of the awkward report.
fn awkward_log() -> Value {
    let (hand, suppressed) = awkward::hand();
    let places = Places::new(&hand.sources);
    valid(&written(&awkward::report(hand.findings.clone(), suppressed, &places), &["a%b: no such file".to_owned()]))
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().expect("results")
}

#[test]
fn everything_awkward() {
    let mut log = awkward_log();
    let rules = log.pointer_mut("/runs/0/tool/driver/rules").expect("rules");
    // The documents of the rules are no matter of this test.
    *rules = rules.as_array().expect("rules").iter().map(|rule| rule["id"].clone()).collect();
    let text = serde_json::to_string_pretty(&log).expect("JSON");
    insta::assert_snapshot!(text.replace(env!("CARGO_PKG_VERSION"), "VERSION"));
}

#[test]
fn without_findings_it_is_written_all_the_same() {
    let hand = hand::Hand::new(&[]);
    let places = Places::new(&hand.sources);
    let report = Report { skipped: Vec::new(), ..awkward::report(Vec::new(), Vec::new(), &places) };
    let log = valid(&written(&report, &[]));
    assert_eq!(log["runs"][0]["results"], json!([]));
    assert_eq!(log["runs"][0]["invocations"], json!([{"executionSuccessful": true, "toolExecutionNotifications": []}]));
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    assert_eq!(rules.len(), reaplint::rules::RULES.len(), "all rules, not those that found something");
}

#[test]
fn what_is_suppressed_says_why_and_the_rest_says_that_it_is_not() {
    let log = awkward_log();
    let reasons: Vec<&Value> = results(&log).iter().map(|result| &result["suppressions"]).collect();
    let suppressed: Vec<&&Value> = reasons.iter().filter(|reason| **reason != &json!([])).collect();
    assert_eq!((reasons.len(), suppressed.len()), (5, 1));
    assert_eq!(suppressed[0][0]["kind"], "inSource");
    assert_eq!(suppressed[0][0]["justification"], format!("ours; {}", awkward::SIGNS));
    assert_eq!(suppressed[0][0]["location"]["physicalLocation"]["region"]["startColumn"], 31);
}

#[test]
fn our_fingerprint_is_the_one_of_the_json() {
    let (hand, suppressed) = awkward::hand();
    let places = Places::new(&hand.sources);
    let report = awkward::report(hand.findings.clone(), suppressed, &places);
    let mut out = Vec::new();
    json::write(&report, &mut out).expect("written");
    let json: Value = serde_json::from_slice(&out).expect("JSON");
    let wanted: BTreeSet<String> =
        json["findings"].as_array().unwrap().iter().map(|finding| finding["fingerprint"].to_string()).collect();
    let log = valid(&written(&report, &[]));
    let kept = results(&log).iter().filter(|result| result["suppressions"] == json!([]));
    let prints: BTreeSet<String> =
        kept.map(|result| result["partialFingerprints"]["reaplintContext/v1"].to_string()).collect();
    assert_eq!((prints.len(), &prints), (4, &wanted));
}

/// More than is taken: the gravest and surest stay, and it is said.
#[test]
fn twenty_five_thousand_results_at_most() {
    let hand = awkward::many(25_010);
    let places = Places::new(&hand.sources);
    let report = Report { skipped: Vec::new(), ..awkward::report(hand.findings.clone(), Vec::new(), &places) };
    let log: Value = serde_json::from_str(&written(&report, &[])).expect("JSON");
    assert_eq!(results(&log).len(), 25_000);
    let unsure = |result: &&Value| result["level"] == "warning" && result["properties"]["confidence"] == "low";
    // Every fifteenth is a warning of low confidence.
    assert_eq!(results(&log).iter().filter(unsure).count(), 25_010 / 15 - 10);
    let notice = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(notice["message"]["text"], "10 of 25010 findings are left out of the SARIF: code scanning takes 25000.");
    assert!(sarif::notice_of(&report).is_some());
}

/// The incident, a manifest with a fix, and every other fixture.
#[test]
fn real_findings_are_as_code_scanning_wants_them() {
    let mut command = run::command();
    command.args(["check", "-q", "--isolated", "--pedantic", "--output-format", "sarif", "fixtures"]);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("ended");
    let log = valid(&String::from_utf8(output.stdout).expect("text"));
    let results = results(&log);
    assert!(results.len() > 200, "{}", results.len());
    assert!(results.iter().any(|result| result["fixes"].is_array()), "a fix");
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let mut prints = BTreeSet::new();
    for result in results {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        linked(result);
        placed(&result["locations"][0]["physicalLocation"]);
        let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        assert!(prints.insert(format!("{uri} {}", result["partialFingerprints"])), "twice: {result}");
    }
}

/// Every related place is linked once from the message, in its order; the way ends at the place itself.
fn linked(result: &Value) {
    let none = Vec::new();
    let related = result["relatedLocations"].as_array().unwrap_or(&none);
    let message = result["message"]["text"].as_str().expect("a text");
    let mut at = 0;
    for (number, place) in related.iter().enumerate() {
        let id = number + 1;
        assert_eq!(place["id"], id);
        let link = format!("]({id})");
        at += message[at..].find(&link).unwrap_or_else(|| panic!("no {link} in {message}")) + link.len();
    }
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap_or(&none);
    assert_eq!(steps.len(), if related.is_empty() { 0 } else { related.len() + 1 });
    for (step, place) in steps.iter().zip(related) {
        assert_eq!(step["location"]["physicalLocation"], place["physicalLocation"]);
    }
}

/// On one line, in a file that is there, with the text that is said to stand there.
fn placed(place: &Value) {
    let uri = place["artifactLocation"]["uri"].as_str().expect("a URI");
    assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(uri)).expect("a file");
    let number = |name: &str| place["region"][name].as_u64().expect("a number") as usize;
    assert_eq!(number("startLine"), number("endLine"));
    let line = text.lines().nth(number("startLine") - 1).expect("a line");
    let (start, end) = (number("startColumn") - 1, number("endColumn") - 1);
    let shown: String = line.chars().skip(start).take(end - start).collect();
    assert!(!shown.is_empty());
    assert_eq!(place["region"]["snippet"]["text"], shown);
    assert_eq!(place["contextRegion"]["snippet"]["text"], line);
}
