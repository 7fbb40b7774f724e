//! The document of every rule: its sections, and its two programs. The program under `## Example` is reported for the
//! rule; the one under `## Instead` is not, nor for any other rule. And the README: what it shows of the incident is what
//! the binary prints.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{CODE_RULES, PEDANTIC};

const SECTIONS: [&str; 6] = ["What it does", "Why", "Example", "Instead", "Known limits", "Configuration"];

/// Rules whose example is not reported today. Strict: the test fails when one is.
const MISSED: [&str; 1] = ["partial-listing"];

#[test]
fn every_rule_has_a_document_with_the_same_sections() {
    let mut names: Vec<String> = fs::read_dir(folder())
        .expect("the documents can be listed")
        .map(|entry| entry.expect("an entry can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let mut wanted: Vec<String> = CODE_RULES.iter().map(|rule| format!("{rule}.md")).collect();
    wanted.sort();
    assert_eq!(names, wanted);
    for rule in CODE_RULES {
        let text = read(rule);
        assert!(text.starts_with(&format!("# {rule}\n\n## ")), "{rule}: the title is the rule's name");
        let sections: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        assert_eq!(sections, SECTIONS, "{rule}");
    }
}

#[test]
fn the_example_is_reported_and_its_better_form_is_not() {
    let mut faults = Vec::new();
    for rule in CODE_RULES {
        let text = read(rule);
        let example = lint(rule, &program(rule, &text, "Example"));
        match (example.iter().any(|found| found == rule), MISSED.contains(&rule)) {
            (false, false) => faults.push(format!("{rule}: the example is not reported ({example:?})")),
            (true, true) => faults.push(format!("{rule}: the example is reported now, take it out of MISSED")),
            _ => {}
        }
        let better = lint(rule, &program(rule, &text, "Instead"));
        if !better.is_empty() {
            faults.push(format!("{rule}: the better form is reported for {better:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn pages_name_files_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root.join(page)).expect("a page can be read");
        let words = text.split(['`', '(', ')', ' ', '\n']).filter(|word| !word.contains(['*', '<']));
        for word in words.filter(|word| ["tests/", "src/", "rules/", ".ci/"].iter().any(|dir| word.starts_with(dir))) {
            let made_up = word.contains("your");
            assert!(made_up || root.join(word).exists(), "{page} names {word}, which is not there");
        }
    }
}

/// `REAPLINT_UPDATE=1 cargo test --test docs` writes the output into the README instead.
#[test]
fn the_readme_shows_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_reaplint"));
    command.args(["check", "--isolated", "--color", "never", "fixtures/incident/before"]).current_dir(root);
    let output = command.output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).expect("the output is text");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README can be read");
    let (head, rest) = readme.split_once("```text\n").expect("the README shows an output");
    let (shown, tail) = rest.split_once("```\n<!-- incident: end -->").expect("the output has an end");
    let printed: String = printed.trim_matches('\n').lines().map(|line| format!("{}\n", line.trim_end())).collect();
    if std::env::var_os("REAPLINT_UPDATE").is_some() {
        let text = format!("{head}```text\n{printed}```\n<!-- incident: end -->{tail}");
        fs::write(root.join("README.md"), text).expect("the README can be written");
    } else {
        assert_eq!(shown, printed, "run REAPLINT_UPDATE=1 cargo test --test docs");
    }
}

/// The commands that the README shows with their output. A CI's variables would make links of places.
#[test]
fn the_readme_shows_commands_that_were_run() {
    let cases = trycmd::TestCases::new();
    let variables = ["GITHUB_SHA", "CI_COMMIT_SHA", "REAPLINT_OUTPUT_FORMAT"];
    variables.iter().fold(&cases, |cases, name| cases.env(*name, "")).case("README.md");
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/docs")
}

fn read(rule: &str) -> String {
    fs::read_to_string(folder().join(format!("{rule}.md"))).unwrap_or_else(|e| panic!("{rule}: {e}"))
}

/// The one program of a section.
fn program(rule: &str, text: &str, section: &str) -> String {
    let start = text.find(&format!("\n## {section}\n")).unwrap_or_else(|| panic!("{rule}: no {section}"));
    let body = &text[start + 1..];
    let body = body.find("\n## ").map_or(body, |end| &body[..end]);
    let blocks: Vec<&str> = body.split("```").skip(1).step_by(2).collect();
    assert_eq!(blocks.len(), 1, "{rule}: {section} has one program");
    let told = blocks[0].starts_with("python\n") || blocks[0].starts_with("yaml\n");
    assert!(told, "{rule}: {section} is Python or YAML");
    blocks[0].to_owned()
}

/// The rules reported for a program. A pedantic rule is asked for only in its own document.
fn lint(rule: &str, program: &str) -> Vec<String> {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let (language, program) = program.split_once('\n').expect("a program has a language");
    let name = match language {
        "yaml" => "example.yaml",
        _ if program.contains("def test_") => "test_example.py",
        _ => "example.py",
    };
    fs::write(scratch.path().join(name), program).expect("a file can be written");
    let asked = PEDANTIC.contains(&rule);
    let found = support::check(scratch.path(), asked).unwrap_or_else(|e| panic!("{rule}: {e}"));
    let mut rules: Vec<String> = found.into_iter().map(|f| f.rule).collect();
    rules.retain(|found| found == rule || !PEDANTIC.contains(&found.as_str()));
    rules.dedup();
    rules
}
