//! The book of the rules, and the table in the README: both come from the rules and their documents, so that they cannot
//! say anything else. `REAPLINT_UPDATE=1 cargo test --test book` writes them; `.ci/book` builds the book.

use reaplint::rules::{RULES, Reads, Rule};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The gravest first.
fn ranked() -> Vec<&'static Rule> {
    let mut rules = RULES.to_vec();
    rules.sort_by_key(|rule| (rule.pedantic, std::cmp::Reverse(rule.severity)));
    rules
}

fn kind(rule: &Rule) -> String {
    format!("{}{}", rule.severity.word(), if rule.pedantic { ", pedantic" } else { "" })
}

/// A table of the rules; `folder` is where the documents are from the page.
fn table(folder: &str) -> String {
    let row = |rule: &&Rule| format!("| [{0}]({folder}/{0}.md) | {1} | {2} |\n", rule.name, kind(rule), rule.summary);
    let rows: String = ranked().iter().map(row).collect();
    format!("| rule | severity | reports what |\n| --- | --- | --- |\n{rows}")
}

fn page(rule: &Rule) -> String {
    let reads = match rule.reads {
        Reads::Code => "code",
        Reads::Manifest => "manifests",
        Reads::Both => "code and manifests",
    };
    let asked = if rule.pedantic { "; runs with `--pedantic` or when selected by name" } else { "" };
    let document = format!("../../../rules/docs/{}.md", rule.name);
    // The title, what the document does not say, and the rest of the document.
    format!("{{{{#include {document}:1}}}}\n\n*{}; reads {reads}{asked}*\n{{{{#include {document}:2:}}}}\n", kind(rule))
}

fn introduction() -> String {
    format!(
        "# The rules of reaplint\n\n\
         A missing record is never permission to delete. A deletion needs positive evidence that the thing is mine, and\n\
         positive evidence that it is finished. Each rule is one way in which cleanup code goes without.\n\n\
         {}\n\
         Severity says how bad it is if the finding is right. `reaplint explain RULE` prints the same pages, and\n\
         `reaplint why FILE:LINE` says what is known of one call.\n",
        table("rules")
    )
}

fn summary() -> String {
    let link = |rule: &&Rule| format!("- [{0}](rules/{0}.md)\n", rule.name);
    let links: String = ranked().iter().map(link).collect();
    format!("# Summary\n\n[The rules of reaplint](README.md)\n\n# Rules\n\n{links}")
}

/// Every page of the book.
fn pages() -> BTreeMap<PathBuf, String> {
    let rules = ranked().into_iter().map(|rule| (PathBuf::from(format!("rules/{}.md", rule.name)), page(rule)));
    let others = [(PathBuf::from("README.md"), introduction()), (PathBuf::from("SUMMARY.md"), summary())];
    rules.chain(others).collect()
}

fn updates() -> bool {
    std::env::var_os("REAPLINT_UPDATE").is_some()
}

#[test]
fn the_book_is_made_of_the_documents() {
    let folder = root().join("book/src");
    if updates() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("rules")).expect("a folder");
        for (path, text) in pages() {
            fs::write(folder.join(path), text).expect("a page can be written");
        }
        return;
    }
    let files = walkdir::WalkDir::new(&folder).into_iter().map(|entry| entry.expect("the book can be listed"));
    let files = files.filter(|entry| entry.file_type().is_file());
    let read = |entry: walkdir::DirEntry| {
        let path = entry.path().strip_prefix(&folder).expect("below").to_path_buf();
        (path, fs::read_to_string(entry.path()).expect("a page can be read").replace("\r\n", "\n"))
    };
    let there: BTreeMap<PathBuf, String> = files.map(read).collect();
    assert_eq!(there, pages(), "run REAPLINT_UPDATE=1 cargo test --test book");
}

#[test]
fn every_link_and_every_include_leads_somewhere() {
    let folder = root().join("book/src");
    for (path, text) in pages() {
        let here = folder.join(&path);
        let here = here.parent().expect("a folder");
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let includes = text.split("{{#include ").skip(1).filter_map(|rest| rest.split([':', '}']).next());
        let mut count = 0;
        for target in links.chain(includes) {
            count += 1;
            assert!(here.join(target).is_file(), "{}: {target} leads nowhere", path.display());
        }
        assert!(count > 0, "{} says nothing", path.display());
    }
    // The documents name no other pages, which would be elsewhere in the book.
    for rule in RULES {
        assert!(!rule.doc.contains("]("), "{}: a link in a document is none in the book", rule.name);
    }
}

#[test]
fn the_readme_lists_the_rules() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).expect("the README can be read").replace("\r\n", "\n");
    let (begin, end) =
        ("<!-- rules: begin (written by REAPLINT_UPDATE=1 cargo test --test book) -->\n", "<!-- rules: end -->");
    let (head, rest) = readme.split_once(begin).expect("the README has a table of the rules");
    let (shown, tail) = rest.split_once(end).expect("the table has an end");
    let wanted = table("rules/docs");
    if updates() {
        fs::write(&path, format!("{head}{begin}{wanted}{end}{tail}")).expect("the README can be written");
    } else {
        assert_eq!(shown, wanted, "run REAPLINT_UPDATE=1 cargo test --test book");
    }
}
