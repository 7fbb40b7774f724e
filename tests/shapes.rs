//! Parity: a small cleanup program, written once in each language, gets the same verdicts in all of them.
//!
//! Every folder of `tests/shapes/` is one shape: `shape.py`, `shape.go` and `shape.rs` do the same thing with the
//! libraries that people of each language use. What is to be reported stands at the end of the line of the destructive
//! call, and the three name the same rules:
//!
//! ```text
//! core.delete_namespaced_secret(name, ns)                               # want: delete-on-absence
//! api.delete(&name, &DeleteParams::default()).await?;                   // want: delete-on-absence
//! ```
//!
//! Each file is linted alone, at default confidence, and compared strictly both ways. `tests/shapes/README.md` says of
//! each shape in one line what it is. What a language still gets wrong stands in [`STILL_WRONG`]; a shape in that list
//! which passes fails the test, so that the commit that repairs it takes it out.
//!
//! `SHAPE=NAME cargo test --test shapes` runs the shapes whose names contain NAME.

use rayon::prelude::*;
use reaplint::check::{Options, check};
use reaplint::rules::Confidence;
use reaplint::source::{FileId, Language, SourceFile, Sources};
use reaplint::vocab::{Vocab, builtin};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

mod support;

static VOCAB: LazyLock<Vocab> = LazyLock::new(builtin);

/// The columns of the table, with the extensions of their files.
const LANGUAGES: [(Language, &str); 3] = [(Language::Python, "py"), (Language::Go, "go"), (Language::Rust, "rs")];

/// Columns that are compared. The others wait for their front end.
const ALIVE: &[&str] = &["py", "go", "rs"];

/// What is not as it should be: the shape, and the extension of the language.
const STILL_WRONG: &[(&str, &str)] = &[("queue-between-functions", "rs")];

/// A place, from line 1, and the rule that is, or should be, reported there.
type Mark = (usize, String);

#[test]
fn every_shape_gets_its_verdicts_in_every_language() {
    let asked = std::env::var("SHAPE").unwrap_or_default();
    let shapes: Vec<String> = shapes().into_iter().filter(|name| name.contains(&asked)).collect();
    let of_shape = |name: &String| {
        let alive = LANGUAGES.into_iter().filter(|(_, ext)| ALIVE.contains(ext));
        alive.filter_map(|(language, ext)| judge(name, language, ext)).collect::<Vec<_>>()
    };
    let faults: Vec<String> = shapes.par_iter().flat_map(of_shape).collect();
    assert!(faults.is_empty(), "{} of {} shapes\n{}", faults.len(), shapes.len(), faults.join("\n"));
}

#[test]
fn languages_name_the_same_rules() {
    for name in shapes() {
        let rules = rules_of(&name, "py");
        for ext in ALIVE {
            assert_eq!(rules_of(&name, ext), rules, "{name}: {ext} differs from Python");
        }
        for rule in &rules {
            assert!(support::CODE_RULES.contains(&rule.as_str()), "{name}: no rule is named {rule}");
        }
    }
}

#[test]
fn every_shape_is_told_in_a_line() {
    let text = fs::read_to_string(root().join("README.md")).expect("the README can be read");
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let told: BTreeSet<String> = rows.map(str::to_owned).collect();
    assert_eq!(told, shapes().into_iter().collect(), "README.md and the folders differ");
    assert!(told.len() >= 60, "only {} shapes", told.len());
}

#[test]
fn the_list_of_what_is_wrong_names_shapes() {
    let names = shapes();
    for (name, ext) in STILL_WRONG {
        assert!(names.iter().any(|n| n == name), "{name} is no shape");
        assert!(ALIVE.contains(ext), "{ext} is not compared");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/shapes")
}

/// The names of all shapes, in order.
fn shapes() -> Vec<String> {
    let entries = fs::read_dir(root()).expect("the shapes can be listed");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path()).filter(|path| path.is_dir());
    let mut names: Vec<String> = paths.map(|path| name_of(&path)).collect();
    names.sort();
    names
}

fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn read(name: &str, ext: &str) -> String {
    let path = root().join(name).join(format!("shape.{ext}"));
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// What is wrong with a shape in a language, in one piece of text; nothing if all is as the list says.
fn judge(name: &str, language: Language, ext: &str) -> Option<String> {
    let (program, want) = without_marks(&read(name, ext));
    let found = findings(language, ext, &program);
    let known = STILL_WRONG.contains(&(name, ext));
    match (found == want, known) {
        (true, false) | (false, true) => None,
        (true, true) => Some(format!("BETTER   {name}.{ext}: take it off the list")),
        (false, false) => Some(differences(&format!("{name}.{ext}"), &want, &found)),
    }
}

fn differences(place: &str, want: &BTreeSet<Mark>, found: &BTreeSet<Mark>) -> String {
    let tell = |kind: &str, marks: &mut dyn Iterator<Item = &Mark>| {
        marks.map(|(line, rule)| format!("{kind} {place}:{line} {rule}")).collect::<Vec<_>>()
    };
    let mut lines = tell("MISSED  ", &mut want.difference(found));
    lines.extend(tell("UNWANTED", &mut found.difference(want)));
    lines.join("\n")
}

/// What is reported by default, at its primary places.
fn findings(language: Language, ext: &str, program: &str) -> BTreeSet<Mark> {
    let path = PathBuf::from(format!("shape.{ext}"));
    let file = SourceFile { id: FileId(0), path, language, text: program.into() };
    let outcome = check(&Sources { files: vec![file] }, &VOCAB, &Options::default());
    let line = |at: u32| program.as_bytes()[..at as usize].iter().filter(|byte| **byte == b'\n').count() + 1;
    let shown = outcome.findings.iter().filter(|f| f.confidence >= Confidence::Medium);
    let asked = shown.filter(|f| !support::PEDANTIC.contains(&f.rule.name));
    asked.map(|f| (line(f.at.start), f.rule.name.to_owned())).collect()
}

/// The rules that a file names, in order.
fn rules_of(name: &str, ext: &str) -> Vec<String> {
    let (_, marks) = without_marks(&read(name, ext));
    let mut rules: Vec<String> = marks.into_iter().map(|(_, rule)| rule).collect();
    rules.sort();
    rules
}

/// Takes the marks out of a program, line numbers kept.
fn without_marks(text: &str) -> (String, BTreeSet<Mark>) {
    let (mut program, mut marks) = (String::new(), BTreeSet::new());
    for (number, line) in text.lines().enumerate() {
        let mark = ["# want: ", "// want: "].into_iter().find_map(|mark| line.split_once(mark));
        if let Some((_, rules)) = mark {
            marks.extend(rules.split(',').map(|rule| (number + 1, rule.trim().to_owned())));
        }
        program += mark.map_or(line, |(code, _)| code).trim_end();
        program.push('\n');
    }
    (program, marks)
}
