//! Conventions of the source that a reader relies on: who may use whom, where the world is touched, how long a file is.
//! `ARCHITECTURE.md` says why; this says whether it is so.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers in reading order: a module of `src/`, and the modules it may name.
const LAYERS: [(&str, &[&str]); 12] = [
    ("source", &[]),
    ("ir", &["source", "vocab"]),
    ("lang", &["source", "ir"]),
    ("index", &["source"]),
    ("vocab", &["source", "ir"]),
    ("facts", &["source", "ir"]),
    ("walk", &["source", "ir", "vocab", "facts"]),
    ("project", &["source", "ir", "lang", "index", "vocab", "facts", "walk"]),
    ("ask", &["ir", "vocab", "facts"]),
    ("sweep", &["source", "ir", "vocab", "facts", "ask"]),
    ("rules", &["source", "ir", "vocab", "facts", "ask", "sweep"]),
    ("report", &["source", "rules", "suppress"]),
];

/// The edge: these may use everything, and only these touch files, the environment and the clock.
const EDGE: [&str; 8] = ["main", "lib", "check", "cli", "config", "discover", "streams", "suppress"];

/// Words of libraries, which only the vocabulary may know.
const LIBRARIES: [&str; 9] =
    ["kubernetes", "boto3", "openstack", "sqlalchemy", "django", "docker", "libvirt", "rmtree", "unlink"];

#[test]
fn no_layer_uses_one_it_must_not_know() {
    let allowed: BTreeMap<&str, &[&str]> = LAYERS.into_iter().collect();
    let mut faults = Vec::new();
    for (path, text) in sources() {
        let layer = layer_of(&path);
        if EDGE.contains(&layer.as_str()) {
            continue;
        }
        let Some(may) = allowed.get(layer.as_str()) else {
            faults.push(format!("{path}: src/{layer} is no layer of tests/tidy.rs"));
            continue;
        };
        for (number, line) in code_lines(&text) {
            for used in line.split("crate::").skip(1).map(first_word) {
                if allowed.contains_key(used) && used != layer && !may.contains(&used) {
                    faults.push(format!("{path}:{number}: {layer} must not know {used}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn only_the_edge_touches_the_world() {
    let world = [
        "std::fs",
        "std::env",
        "std::process",
        "io::stdout",
        "io::stderr",
        "io::stdin",
        "std::net",
        "SystemTime",
        "Instant::now",
    ];
    let mut faults = Vec::new();
    for (path, text) in sources() {
        if EDGE.contains(&layer_of(&path).as_str()) {
            continue;
        }
        for (number, line) in code_lines(&text) {
            for word in world.iter().filter(|word| line.contains(**word)) {
                faults.push(format!("{path}:{number}: {word}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn only_the_vocabulary_names_libraries() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        if ["vocab", "report", "cli"].contains(&layer_of(&path).as_str()) {
            continue;
        }
        for (number, line) in code_lines(&text) {
            for word in LIBRARIES.iter().filter(|word| line.contains(**word)) {
                faults.push(format!("{path}:{number}: {word}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn parsers_stay_in_their_front_ends() {
    for (path, text) in sources() {
        if !path.starts_with("src/lang/") {
            assert!(!code_lines(&text).any(|(_, line)| line.contains("tree_sitter")), "{path} names a parser");
        }
        if !["report", "main", "check"].contains(&layer_of(&path).as_str()) {
            assert!(!code_lines(&text).any(|(_, line)| line.contains("miette::")), "{path} draws");
        }
    }
}

#[test]
fn every_module_says_what_it_is_and_is_short() {
    for (path, text) in sources() {
        assert!(text.starts_with("//!"), "{path} does not open with its design");
        let lines = text.lines().count();
        assert!(lines <= 700, "{path} has {lines} lines");
    }
}

#[test]
#[ignore = "not every test it names has landed"]
fn the_architecture_names_every_layer() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md can be read");
    for (layer, _) in LAYERS {
        assert!(text.contains(&format!("`{layer}`")), "ARCHITECTURE.md does not speak of {layer}");
    }
    for word in text.split('`').filter(|word| word.starts_with("tests/")) {
        assert!(root().join(word).exists(), "ARCHITECTURE.md names {word}, which is not there");
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file: its path from the root of the repository, and its text.
fn sources() -> Vec<(String, String)> {
    let walk = walkdir::WalkDir::new(root().join("src")).sort_by_file_name();
    let files = walk.into_iter().map(|entry| entry.expect("src can be walked").into_path());
    let rust: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source file is text");
        let name = path.strip_prefix(root()).expect("src lies in the root").to_string_lossy().replace('\\', "/");
        (name, text)
    };
    rust.into_iter().map(read).collect()
}

/// `src/walk/loops.rs` belongs to `walk`, `src/facts.rs` to `facts`.
fn layer_of(path: &str) -> String {
    let rest = path.strip_prefix("src/").unwrap_or(path);
    rest.split(['/', '.']).next().unwrap_or_default().to_owned()
}

/// The lines that are no comments, from 1, up to the tests of a module.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let body = text.split("#[cfg(test)]").next().unwrap_or_default();
    body.lines().enumerate().map(|(i, line)| (i + 1, line)).filter(|(_, line)| !line.trim_start().starts_with("//"))
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}
