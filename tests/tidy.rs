//! Conventions that can be a test: the layers of ARCHITECTURE.md, module comments, the size of files.

use std::fs;
use std::path::Path;

/// A layer, and the other modules of the crate that its code may name.
const LAYERS: &[(&str, &[&str])] = &[
    ("source", &[]),
    ("ir", &["source", "vocab"]),
    ("lang", &["source", "ir"]),
    ("index", &["source", "vocab"]),
    ("vocab", &["source", "ir"]),
    ("facts", &["source", "ir"]),
    ("walk", &["source", "ir", "vocab", "facts", "lang"]),
    ("project", &["source", "ir", "lang", "index", "vocab", "facts", "walk"]),
    ("ask", &["source", "ir", "vocab", "facts"]),
    ("sweep", &["source", "ir", "vocab", "facts", "ask"]),
    ("manifest", &["source", "vocab"]),
    ("shell", &["source"]),
    ("rules", &["source", "ir", "vocab", "facts", "ask", "sweep", "manifest", "shell"]),
    ("mend", &["source", "rules", "vocab"]),
    ("report", &["source", "rules", "suppress"]),
];

/// These may use everything.
const FREE: &[&str] = &[
    "main", "app", "lib", "baseline", "changes", "check", "cli", "compare", "config", "discover", "server", "streams",
    "suppress", "fix",
];

/// Words of libraries, which only the vocabulary knows.
const LIBRARIES: &[&str] =
    &["kubernetes", "boto3", "openstack", "sqlalchemy", "django", "docker", "libvirt", "rmtree", "unlink"];

/// Where alone the world is touched: files, the environment, processes, the clock.
const EDGE: &[&str] = &[
    "main.rs",
    "app.rs",
    "app/",
    "streams.rs",
    "cli.rs",
    "cli/",
    "config.rs",
    "config/",
    "baseline.rs",
    "changes.rs",
    "changes/",
    "discover.rs",
    "discover/",
    "server/",
];

/// Crates with one place each.
const PLACES: &[(&str, &[&str])] = &[
    ("tree_sitter", &["lang/", "shell/", "mend/"]),
    ("tree_sitter_bash", &["shell/"]),
    ("tree_sitter_go", &["lang/go/", "mend/"]),
    ("tree_sitter_python", &["lang/python/", "lang/python.rs", "mend/"]),
    ("tree_sitter_rust", &["mend/"]),
    ("granit_parser", &["manifest/yaml.rs"]),
    ("hcl_edit", &["manifest/terraform.rs"]),
    ("sqlparser", &["lang/embedded/"]),
    ("miette", &["report/"]),
    ("quick_xml", &["report/xml.rs"]),
    ("percent_encoding", &["report/repository.rs", "server/uri.rs"]),
    ("lsp_server", &["server/"]),
    ("lsp_types", &["server/"]),
    ("clap", &["cli.rs", "cli/", "main.rs", "app.rs", "app/", "server/client.rs"]),
    ("ignore", &["discover.rs", "discover/"]),
    ("anstream", &["streams.rs", "app/check.rs"]),
];

/// A file of `src`: its path below it, and its lines without comments and tests.
struct Module {
    path: String,
    code: Vec<(usize, String)>,
    lines: usize,
    first: String,
}

fn modules() -> Vec<Module> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files =
        walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().map(|entry| entry.expect("src can be listed"));
    let rust = files.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "rs"));
    let read = |entry: walkdir::DirEntry| {
        let text = fs::read_to_string(entry.path()).expect("a module can be read");
        let path = entry.path().strip_prefix(&root).expect("below src");
        Module {
            path: path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"),
            code: code(&text),
            lines: text.lines().count(),
            first: text.lines().next().unwrap_or_default().to_owned(),
        }
    };
    let modules: Vec<Module> = rust.map(read).collect();
    assert!(!modules.is_empty(), "no modules in {}", root.display());
    modules
}

/// Numbered lines up to the tests, without comments.
fn code(text: &str) -> Vec<(usize, String)> {
    let own = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let numbered = own.lines().enumerate().map(|(at, line)| (at + 1, line.to_owned()));
    numbered.filter(|(_, line)| !line.trim_start().starts_with("//")).collect()
}

impl Module {
    fn below(&self, places: &[&str]) -> bool {
        places.iter().any(|place| self.path == *place || (place.ends_with('/') && self.path.starts_with(place)))
    }

    /// `walk/loops.rs` belongs to `walk`, `facts.rs` to `facts`.
    fn top(&self) -> &str {
        self.path.split(['/', '.']).next().unwrap_or_default()
    }

    fn layer(&self) -> Option<(&'static str, &'static [&'static str])> {
        LAYERS.iter().copied().find(|(layer, _)| *layer == self.top())
    }
}

/// The names that follow `prefix::` in a line; for a list in braces the first of each entry.
fn named<'a>(line: &'a str, prefix: &str) -> Vec<&'a str> {
    let word = |text: &'a str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let starts =
        line.match_indices(prefix).filter(|(at, _)| !line[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
    let rests = starts.filter_map(|(at, _)| line[at + prefix.len()..].strip_prefix("::"));
    rests
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(list) => list.split(',').map(|entry| word(entry.trim())).collect(),
            None => vec![word(rest)],
        })
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn a_layer_knows_only_what_lies_below_it() {
    let mut faults = Vec::new();
    for module in modules() {
        let Some((layer, may)) = module.layer() else {
            if !FREE.contains(&module.top()) {
                faults.push(format!("src/{}: {} is no layer", module.path, module.top()));
            }
            continue;
        };
        for (number, line) in &module.code {
            for name in named(line, "crate").into_iter().filter(|name| *name != layer && !may.contains(name)) {
                faults.push(format!("src/{}:{number}: {layer} must not know {name}", module.path));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_walk_reads_statements_in_text_and_knows_no_other_syntax() {
    let mut faults = Vec::new();
    for module in modules().iter().filter(|module| module.path.starts_with("walk/")) {
        for (number, line) in &module.code {
            if line.replace("crate::lang::embedded", "").contains("crate::lang") {
                faults.push(format!("src/{}:{number}: of the front ends only `lang::embedded`", module.path));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn only_the_edge_touches_the_world() {
    let mut faults = Vec::new();
    for module in modules().iter().filter(|module| !module.below(EDGE)) {
        for (number, line) in &module.code {
            let std = named(line, "std").into_iter().find(|name| matches!(*name, "fs" | "env" | "process" | "net"));
            let clock =
                ["Instant::now", "SystemTime::now", "println!", "eprintln!", "io::stdout", "io::stderr", "io::stdin"]
                    .into_iter()
                    .find(|word| line.contains(word));
            if let Some(what) = std.or(clock) {
                faults.push(format!("src/{}:{number}: {what}", module.path));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_crate_has_its_place() {
    let mut faults = Vec::new();
    for module in modules() {
        for (name, places) in PLACES.iter().filter(|(_, places)| !module.below(places)) {
            for (number, line) in &module.code {
                let used = !named(line, name).is_empty() && !line.contains(&format!("::{name}"));
                if used || line.contains(&format!("use {name};")) {
                    faults.push(format!("src/{}:{number}: {name} belongs to {}", module.path, places.join(", ")));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_front_end_knows_no_meaning() {
    let mut faults = Vec::new();
    // In a statement the word is syntax.
    let front_end = |path: &str| path.starts_with("lang/") && !path.starts_with("lang/embedded/");
    for module in modules().iter().filter(|module| front_end(&module.path)) {
        for (number, line) in &module.code {
            // Python has a statement of this name, Go a builtin, and one that filters; they are syntax.
            let syntax = ["delete_statement", "\"delete\"", "\"deletefunc\""];
            let line = syntax.iter().fold(line.to_lowercase(), |line, word| line.replace(word, ""));
            if line.contains("delete") || line.contains("destroy") {
                faults.push(format!("src/{}:{number}: speaks of deleting", module.path));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn only_the_vocabulary_names_libraries() {
    let mut faults = Vec::new();
    for module in modules().iter().filter(|module| module.top() != "vocab") {
        for (number, line) in &module.code {
            // The domain of label keys is no library.
            let line = line.replace("kubernetes.io/", "");
            if let Some(word) = LIBRARIES.iter().find(|word| line.contains(**word)) {
                faults.push(format!("src/{}:{number}: {word}", module.path));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_architecture_names_every_layer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read");
    for (layer, _) in LAYERS {
        assert!(text.contains(&format!("| `{layer}` |")), "ARCHITECTURE.md does not speak of {layer}");
    }
    let tests: Vec<&str> = text.split('`').filter(|word| word.starts_with("tests/")).collect();
    // Tests of parts that have not landed are named already.
    let missing = tests.iter().filter(|word| !root.join(word).exists()).count();
    assert!(missing < tests.len(), "ARCHITECTURE.md names no test that exists");
}

#[test]
fn modules_say_what_they_are_and_are_not_long() {
    let mut faults = Vec::new();
    for module in modules() {
        if !module.first.starts_with("//! ") {
            faults.push(format!("src/{}: does not open with `//!`", module.path));
        }
        if module.lines > 700 {
            faults.push(format!("src/{}: {} lines", module.path, module.lines));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_rule_brings_its_document() {
    for rule in reaplint::rules::RULES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("rules/docs/{}.md", rule.name));
        let document = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(rule.doc, document, "{}: `explain` prints another document", rule.name);
        assert!(!rule.summary.is_empty() && !rule.summary.contains('\n'), "{}: one line of summary", rule.name);
    }
}

#[test]
fn names_are_found_in_lines() {
    assert_eq!(named("use crate::ir::{self, Sym};", "crate"), ["ir"]);
    assert_eq!(named("use crate::{ask, facts::Read};", "crate"), ["ask", "facts"]);
    assert_eq!(named("    let x = crate::vocab::builtin(crate::ir::X);", "crate"), ["vocab", "ir"]);
    assert_eq!(named("subcrate::x", "crate"), [""; 0]);
}
