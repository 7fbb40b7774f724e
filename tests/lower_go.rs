//! Lowering of Go: a source file beside the text of what it is lowered to. `tests/lower/go/NAME.go` becomes `NAME.ir`.
//!
//! When they differ, what came out is written to `NAME.ir.new`: read it, then move it over the old one.

#![allow(clippy::unwrap_used)]

use reaplint::ir::text;
use reaplint::lang::{Lowered, Notes, lower, open};
use reaplint::source::{FileId, Language, SourceFile, Span};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn source(path: &str, text: &str) -> SourceFile {
    SourceFile { id: FileId(0), path: path.into(), language: Language::Go, text: text.into() }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower/go")
}

/// The sources of the folder: name and text.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "go") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            found.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    found.sort();
    assert!(found.len() >= 15);
    found
}

fn line(file: &SourceFile, span: Span) -> usize {
    file.text[..span.start as usize].matches('\n').count() + 1
}

fn text_of(file: &SourceFile, span: Span) -> &str {
    &file.text[span.start as usize..span.end as usize]
}

fn shown(file: &SourceFile, lowered: &Lowered) -> String {
    let mut out = String::new();
    for f in &lowered.functions {
        writeln!(out, "{}", text::print(f).trim_end()).unwrap();
        writeln!(out).unwrap();
    }
    for (name, path) in &lowered.module.imports {
        writeln!(out, "# import {name} = {path}").unwrap();
    }
    for class in &lowered.module.classes {
        let bases: Vec<&str> = class.bases.iter().map(|b| b.as_str()).collect();
        let fields: Vec<String> = class.fields.iter().map(|f| format!("{}: {}", f.0, f.1)).collect();
        let place = line(file, class.span);
        writeln!(out, "# class {}({}) [{}] line {place}", class.name, bases.join(", "), fields.join(", ")).unwrap();
    }
    for (kind, count) in &lowered.notes.holes {
        writeln!(out, "# hole {kind}: {count}").unwrap();
    }
    for error in &lowered.notes.errors {
        let text = text_of(file, *error).lines().next().unwrap_or_default();
        writeln!(out, "# error line {}: {text:?}", line(file, *error)).unwrap();
    }
    out
}

#[test]
fn sources_beside_their_ir() {
    let mut faults = Vec::new();
    for (name, text) in sources() {
        let file = source(&format!("labs/{name}.go"), &text);
        let got = shown(&file, &lower(&file, None));
        let path = folder().join(format!("{name}.ir"));
        let wanted = std::fs::read_to_string(&path).unwrap_or_default();
        if got != wanted {
            std::fs::write(path.with_extension("ir.new"), got).unwrap();
            faults.push(name);
        }
    }
    assert!(faults.is_empty(), "differ from what is written beside them: {}", faults.join(", "));
}

/// What was printed reads back: the text form and the front end agree about names and paths.
#[test]
fn what_is_printed_can_be_read() {
    for (name, text) in sources() {
        let file = source(&format!("labs/{name}.go"), &text);
        for f in lower(&file, None).functions {
            // Two statements speak of one traversal, which the text form cannot say.
            if f.name.ends_with("_shared") {
                continue;
            }
            let printed = text::print(&f);
            let read = text::parse(&printed, FileId(0)).unwrap_or_else(|e| panic!("{name}: {e:?} in\n{printed}"));
            let again: Vec<String> = read.iter().map(text::print).collect();
            assert_eq!(again.concat().trim_end(), printed.trim_end(), "{name}");
        }
    }
}

/// Each function alone is what it is in the whole file, and nothing else is lowered with it.
#[test]
fn one_function_is_the_same_as_in_the_whole() {
    for (name, text) in sources() {
        let file = source(&format!("labs/{name}.go"), &text);
        let whole = lower(&file, None);
        let top = lower(&file, Some(&[]));
        assert_eq!(top.module, whole.module);
        for f in whole.functions.iter().filter(|f| !f.name.starts_with('<')) {
            assert!(text_of(&file, f.span).starts_with("func"));
            let range = f.span.start..f.span.end;
            let one = lower(&file, Some(std::slice::from_ref(&range)));
            assert_eq!(one.module, whole.module);
            assert_eq!(one.functions.len(), top.functions.len() + 1, "{name}.{}", f.name);
            let same = one.functions.iter().find(|o| o.name_span == f.name_span && o.name == f.name).unwrap();
            assert_eq!(text::print(same), text::print(f));
            let alone = top.rest.function(&file, f.span.start + 2, &mut Notes::default()).unwrap();
            assert_eq!(text::print(&alone), text::print(f));
            assert_eq!((alone.span, alone.class, &alone.params), (f.span, f.class, &f.params));
        }
    }
}

/// What is read as text is what a parse says.
#[test]
fn classes_are_the_same_without_a_parse() {
    for (name, text) in sources() {
        let file = source(&format!("labs/{name}.go"), &text);
        let heads = |l: Lowered| l.module.classes.into_iter().map(|c| (c.name, c.bases, c.span)).collect::<Vec<_>>();
        assert_eq!(heads(open(&file, &[])), heads(lower(&file, None)), "{name}");
    }
}

/// Every call stands in its statement, its name in the call, and all in the function.
#[test]
fn places() {
    for (name, text) in sources() {
        let file = source(&format!("labs/{name}.go"), &text);
        for f in lower(&file, None).functions {
            for site in &f.arena.sites {
                let shown = text_of(&file, site.whole);
                assert!(site.stmt.contains(site.whole), "{name}: {shown:?} is not in its statement");
                assert!(site.whole.contains(site.name), "{name}: {shown:?}");
                assert!(f.span.contains(site.whole), "{name}: {shown:?}");
            }
        }
    }
}

#[test]
fn names_of_calls_and_statements() {
    let file =
        source("a.go", "package a\nfunc f() {\n\tfor _, x := range api.List(1) {\n\t\tgo a.b(x,\n\t\t\tc)\n\t}\n}\n");
    let f = lower(&file, None).functions.remove(1);
    let names: Vec<_> = f.arena.sites.iter().map(|s| (text_of(&file, s.name), text_of(&file, s.stmt))).collect();
    assert_eq!(names, [("List", "for _, x := range api.List(1) "), ("b", "go a.b(x,\n\t\t\tc)")]);
}

#[test]
fn tests_are_known_by_file() {
    for (path, is_test) in [("a/b.go", false), ("a/b_test.go", true), ("test/e2e/b.go", true), ("contest/b.go", false)]
    {
        let file = source(path, "package a\nfunc f() {}\n");
        assert!(lower(&file, None).functions.iter().all(|f| f.is_test == is_test), "{path}");
        assert!(lower(&file, None).functions.iter().all(|f| !f.raises));
    }
}

/// Every beginning of every sample, and every sample without one of its lines.
#[test]
fn broken_input() {
    for (_, text) in sources() {
        let step = (text.len() / 150).max(1);
        let cuts = (0..text.len()).step_by(step).filter(|at| text.is_char_boundary(*at));
        for at in cuts {
            let lowered = lower(&source("a.go", &text[..at]), None);
            lowered.functions.iter().for_each(|f| drop(text::print(f)));
        }
        let lines: Vec<&str> = text.lines().collect();
        for skipped in (0..lines.len()).step_by(3) {
            let rest: Vec<&str> = lines.iter().enumerate().filter(|(i, _)| *i != skipped).map(|l| *l.1).collect();
            lower(&source("a.go", &rest.join("\n")), None);
        }
    }
}

/// Input that nests without end is a hole and a note, and takes no more than a thread's stack and a moment.
#[test]
fn hostile_nesting() {
    let n = 10_000;
    let (open, close) = ("(".repeat(n), ")".repeat(n));
    for body in [
        format!("x = {open}1{close}"),
        format!("x = {open}"),
        format!("x = {}1", "-".repeat(n)),
        format!("x = {}a", "!".repeat(n)),
        format!("x = a{}", ".b(c)".repeat(n)),
        format!("x = a{}", " + b".repeat(n)),
        format!("x = a{}", " || b".repeat(n)),
        format!("x = a{}", "[0]".repeat(n)),
        format!("a{} = x", "[0]".repeat(n)),
        format!("{}{}", "if x {".repeat(n), "}".repeat(n)),
        format!("if a {{ b() }}{}", " else if c { d() }".repeat(n)),
        format!("switch x {{ {} }}", "case 1: f()\n".repeat(n)),
        format!("x = {}{}", "func() {".repeat(n), "}".repeat(n)),
        format!("x = T{}{}", "{".repeat(n), "}".repeat(n)),
        format!("{}{}", "for {".repeat(n), "}".repeat(n)),
        format!("var x {}int", "[]".repeat(n)),
        format!("var x {}int", "*".repeat(n)),
        format!("x = {}a", "<-".repeat(n)),
    ] {
        let text = format!("package a\nfunc f() {{\n{body}\n}}\n");
        let lowered = lower(&source("a.go", &text), None);
        assert!(!lowered.functions.is_empty());
        lowered.functions.iter().for_each(|f| drop(text::print(f)));
    }
}

#[test]
fn odd_input() {
    for text in
        ["", "\u{feff}", "\0\0\0", "\r\r\r", "\\", "'", "\"", "`", "func", "func (", "func f", "type", "import (", "é"]
    {
        lower(&source("a.go", text), None);
    }
    let text = "\u{feff}package a\r\nimport \"os\"\r\nfunc f() {\r\n\tos.Remove(\"é\")\r\n}\r\n";
    let file = source("a.go", text);
    let lowered = lower(&file, None);
    assert_eq!(lowered.notes, Notes::default());
    let site = &lowered.functions[1].arena.sites[0];
    assert_eq!(text_of(&file, site.whole), "os.Remove(\"é\")");
}
