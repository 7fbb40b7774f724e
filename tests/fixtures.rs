//! Every folder of `fixtures/` is one case: `before/` holds a fault, `after/` the same program without it, and a clean
//! case has `before/` alone. What the linter should say stands in the code, at the end of the line of the destructive
//! call:
//!
//! ```text
//! core.delete_namespaced_secret(name, ns)  # want: delete-on-absence, missing-grace-period
//! ```
//!
//! Strict both ways: every mark is reported with its primary place on that line, and nothing else is reported, at default
//! confidence, in `before/` or in `after/`. What is known to be wrong is marked, too: `want-missed: RULE` for a fault
//! that is not reported today, `want-wrong: RULE` for a report that is no fault. Such a mark fails when things get
//! *better*, so that the commit that repairs it takes it away (`REAPLINT_UPDATE=1 cargo test --test fixtures` does, where
//! the mark stands in the code).
//!
//! In the incident, whose code people are shown, the marks stand in `case.toml` instead (`[[want]]`).
//!
//! The marks are taken off before the linter sees the files. The pedantic rules run only where a case names one, and
//! only those that it names are compared.

mod support;

use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use support::{CODE_RULES, Found, PEDANTIC};

/// The head of a case: `case.toml`.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    id: String,
    language: String,
    rules: Vec<String>,
    /// Of a clean case: the rules that someone reading in haste would expect.
    #[serde(default)]
    near: Vec<String>,
    summary: String,
    /// Marks of `before/` that do not stand in the code, because people are shown it.
    #[serde(default)]
    want: Vec<ListedMark>,
    #[serde(default, rename = "want-missed")]
    missed: Vec<ListedMark>,
    #[serde(default, rename = "want-wrong")]
    wrong: Vec<ListedMark>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedMark {
    file: String,
    line: usize,
    rules: Vec<String>,
}

struct Case {
    head: Head,
    folder: PathBuf,
}

/// What the marks of a folder say.
#[derive(Default)]
struct Marks {
    want: BTreeSet<Found>,
    missed: BTreeSet<Found>,
    wrong: BTreeSet<Found>,
}

#[test]
fn every_mark_is_reported_and_nothing_else_is() {
    let parts = |case: Case| {
        let parts = ["before", "after"].into_iter().filter(|part| case.folder.join(part).is_dir());
        parts.flat_map(|part| compare(&case, part)).collect::<Vec<_>>()
    };
    let faults: Vec<String> = cases().into_par_iter().flat_map(parts).collect();
    assert!(faults.is_empty(), "{} differences\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn heads_agree_with_marks() {
    for case in cases() {
        let (head, name) = (&case.head, case.folder.file_name().expect("a folder has a name"));
        assert_eq!(head.id, name.to_string_lossy(), "the id is the name of the folder");
        assert!(
            ["python", "go", "rust", "yaml", "helm", "terraform", "shell"].contains(&head.language.as_str()),
            "{}: language",
            head.id
        );
        assert!(!head.summary.is_empty(), "{}: a summary", head.id);
        let before = read_marks(&case, "before");
        let named: BTreeSet<&str> = before.want.iter().chain(&before.missed).map(|m| m.rule.as_str()).collect();
        assert_eq!(named, head.rules.iter().map(String::as_str).collect(), "{}: rules and marks differ", head.id);
        assert_eq!(head.rules.is_empty(), !case.folder.join("after").is_dir(), "{}: a fault has a twin", head.id);
        assert!(head.near.is_empty() || head.rules.is_empty(), "{}: `near` is for clean cases", head.id);
        if case.folder.join("after").is_dir() {
            let after = read_marks(&case, "after");
            assert!(after.want.is_empty() && after.missed.is_empty(), "{}: a mark in after/", head.id);
        }
    }
}

#[test]
fn every_rule_has_faulty_and_clean_cases() {
    let mut faulty: BTreeMap<String, usize> = BTreeMap::new();
    let mut clean: BTreeMap<String, usize> = BTreeMap::new();
    for case in cases() {
        case.head.rules.into_iter().for_each(|rule| *faulty.entry(rule).or_default() += 1);
        case.head.near.into_iter().for_each(|rule| *clean.entry(rule).or_default() += 1);
    }
    for rule in CODE_RULES {
        assert!(faulty.get(rule).is_some_and(|n| *n >= 2), "{rule} has fewer than two faulty cases");
        assert!(clean.get(rule).is_some_and(|n| *n >= 2), "{rule} has fewer than two clean cases");
    }
    let known: BTreeSet<&str> = CODE_RULES.into_iter().collect();
    for rule in faulty.keys().chain(clean.keys()) {
        assert!(known.contains(rule.as_str()), "no rule is named {rule}");
    }
}

/// All cases, by name.
fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut folders: Vec<PathBuf> = fs::read_dir(&root)
        .expect("fixtures can be listed")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.join("case.toml").is_file())
        .collect();
    folders.sort();
    assert!(!folders.is_empty(), "no fixtures in {}", root.display());
    folders.into_iter().map(read_case).collect()
}

fn read_case(folder: PathBuf) -> Case {
    let text = fs::read_to_string(folder.join("case.toml")).expect("case.toml can be read");
    let head = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    Case { head, folder }
}

/// The differences between what a part of a case wants and what is reported, one a line.
fn compare(case: &Case, part: &str) -> Vec<String> {
    let folder = case.folder.join(part);
    let marks = read_marks(case, part);
    let about = |rule: &&str| case.head.rules.iter().chain(&case.head.near).any(|named| named == rule);
    let pedantic: Vec<&str> = PEDANTIC.into_iter().filter(about).collect();
    let scratch = tempfile::tempdir().expect("a temporary folder");
    copy_without_marks(&folder, scratch.path());
    let place = |found: &Found| format!("{}/{part}/{found}", case.head.id);
    let found: BTreeSet<Found> = match support::check(scratch.path(), !pedantic.is_empty()) {
        Ok(found) => found.into_iter().filter(|f| !is_unasked(f, &pedantic)).collect(),
        Err(reason) => return vec![format!("FAILED {}/{part}: {reason}", case.head.id)],
    };
    if std::env::var_os("REAPLINT_UPDATE").is_some() {
        accept_better(&folder, &marks, &found);
    }
    let mut lines = Vec::new();
    for want in &marks.want {
        if !found.contains(want) {
            lines.push(format!("MISSED   {}", place(want)));
        }
    }
    for extra in &found {
        let known = [&marks.want, &marks.missed, &marks.wrong].into_iter().any(|set| set.contains(extra));
        if !known {
            lines.push(format!("UNWANTED {}", place(extra)));
        }
    }
    for better in marks.missed.intersection(&found) {
        lines.push(format!("BETTER   {}: reported now, write `want`", place(better)));
    }
    for better in marks.wrong.difference(&found) {
        lines.push(format!("BETTER   {}: no longer reported, take `want-wrong` away", place(better)));
    }
    lines
}

/// Writes `want` for what is no longer missed, and takes away what is no longer wrong.
fn accept_better(folder: &Path, marks: &Marks, found: &BTreeSet<Found>) {
    for path in files(folder) {
        let name = relative(folder, &path);
        let text = fs::read_to_string(&path).expect("a fixture is text");
        let comment = if name.ends_with(".py") { "  #" } else { " //" };
        let mut changed = false;
        let rewrite = |(number, line): (usize, &str)| {
            let Some((code, _)) = split_marks(line) else { return format!("{line}\n") };
            let here = |f: &&Found| f.path == name && f.line == number + 1;
            let rules = |set: &mut dyn Iterator<Item = &Found>| set.map(|f| f.rule.clone()).collect::<Vec<_>>();
            let (missed, better) = marks.missed.iter().filter(here).partition::<Vec<_>, _>(|f| !found.contains(f));
            let want = rules(&mut marks.want.iter().filter(here).chain(better.iter().copied()));
            let wrong = rules(&mut marks.wrong.iter().filter(here).filter(|f| found.contains(f)));
            let missed = rules(&mut missed.into_iter());
            changed |= !better.is_empty() || wrong.len() < marks.wrong.iter().filter(here).count();
            let mut line = code.to_owned();
            for (kind, rules) in [("want", want), ("want-missed", missed), ("want-wrong", wrong)] {
                if !rules.is_empty() {
                    line += &format!("{comment} {kind}: {}", rules.join(", "));
                }
            }
            line + "\n"
        };
        let text: String = text.lines().enumerate().map(rewrite).collect();
        if changed {
            fs::write(path, text).expect("a fixture can be written");
        }
    }
}

/// A pedantic finding in a case that is not about that rule.
fn is_unasked(found: &Found, asked: &[&str]) -> bool {
    PEDANTIC.contains(&found.rule.as_str()) && !asked.contains(&found.rule.as_str())
}

fn read_marks(case: &Case, part: &str) -> Marks {
    let mut marks = Marks::default();
    marks.want.extend(listed(&case.head.want, part));
    marks.missed.extend(listed(&case.head.missed, part));
    marks.wrong.extend(listed(&case.head.wrong, part));
    let folder = case.folder.join(part);
    for path in files(&folder) {
        let name = relative(&folder, &path);
        let text = fs::read_to_string(&path).expect("a fixture is text");
        for (number, line) in text.lines().enumerate() {
            let Some((_, comments)) = split_marks(line) else { continue };
            for (kind, rules) in comments {
                for rule in rules {
                    let found = Found { path: name.clone(), line: number + 1, rule };
                    match kind {
                        "want" => marks.want.insert(found),
                        "want-missed" => marks.missed.insert(found),
                        _ => marks.wrong.insert(found),
                    };
                }
            }
        }
    }
    marks
}

/// The kind of a mark and its rules.
type Mark = (&'static str, Vec<String>);

/// The marks of a part that stand in `case.toml`.
fn listed(marks: &[ListedMark], part: &str) -> Vec<Found> {
    let mut all = Vec::new();
    for mark in marks {
        if let Some(path) = mark.file.strip_prefix(&format!("{part}/")) {
            let found = |rule: &String| Found { path: path.to_owned(), line: mark.line, rule: rule.clone() };
            all.extend(mark.rules.iter().map(found));
        }
    }
    all
}

/// Takes a line apart into its code and its marks. `None`: it has none.
fn split_marks(line: &str) -> Option<(&str, Vec<Mark>)> {
    const KINDS: [&str; 3] = ["want", "want-missed", "want-wrong"];
    let mut marks = Vec::new();
    let mut code = line;
    for kind in KINDS {
        for comment in ["# ", "// ", "-- "] {
            let mark = format!("{comment}{kind}: ");
            let Some(at) = line.find(&mark) else { continue };
            let rest = line[at + mark.len()..].split(['#', '/']).next().unwrap_or_default();
            marks.push((kind, rest.split(',').map(|rule| rule.trim().to_owned()).collect()));
            if at < code.len() {
                code = &line[..at];
            }
        }
    }
    (!marks.is_empty()).then(|| (code.trim_end(), marks))
}

/// Copies a part of a case for the linter, line numbers kept.
fn copy_without_marks(from: &Path, to: &Path) {
    for path in files(from) {
        let text = fs::read_to_string(&path).expect("a fixture is text");
        let clean: String = text
            .split_inclusive('\n')
            .map(|line| match split_marks(line) {
                Some((code, _)) => format!("{code}\n"),
                None => line.to_owned(),
            })
            .collect();
        let target = to.join(relative(from, &path));
        fs::create_dir_all(target.parent().expect("a file has a folder")).expect("a folder can be made");
        fs::write(target, clean).expect("a file can be written");
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name();
    let entries = walk.into_iter().map(|entry| entry.expect("a fixture can be walked"));
    entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}

fn relative(folder: &Path, path: &Path) -> String {
    let rest = path.strip_prefix(folder).expect("a file lies in its folder");
    rest.to_string_lossy().replace('\\', "/")
}
