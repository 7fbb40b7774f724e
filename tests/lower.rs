//! Lowering: a source file beside the text of what it is lowered to. `tests/lower/python/NAME.py` becomes `NAME.ir`.
//!
//! When they differ, what came out is written to `NAME.ir.new`: read it, then move it over the old one.

#![allow(clippy::unwrap_used)]

use reaplint::ir::{Arena, Block, Expr, ExprId, Func, Stmt, text};
use reaplint::lang::{Lowered, Notes, lower, open};
use reaplint::source::{FileId, Language, SourceFile, Span};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn source(path: &str, text: &str) -> SourceFile {
    SourceFile { id: FileId(0), path: path.into(), language: Language::Python, text: text.into() }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower/python")
}

/// The sources of the folder: name and text.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "py") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            found.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    found.sort();
    assert!(found.len() > 5);
    found
}

fn line(file: &SourceFile, span: Span) -> usize {
    file.text[..span.start as usize].matches('\n').count() + 1
}

fn shown(file: &SourceFile, lowered: &Lowered) -> String {
    let mut out = String::new();
    for f in &lowered.functions {
        writeln!(out, "# lines {} to {}", line(file, f.span), line(file, Span { start: f.span.end, ..f.span }))
            .unwrap();
        writeln!(out, "{}", text::print(f).trim_end()).unwrap();
        writeln!(out).unwrap();
    }
    for (name, path) in &lowered.module.imports {
        writeln!(out, "# import {name} = {path}").unwrap();
    }
    for path in &lowered.module.import_paths {
        writeln!(out, "# imports {path}").unwrap();
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
        let text = &file.text[error.start as usize..error.end as usize];
        writeln!(out, "# error line {}: {:?}", line(file, *error), text.lines().next().unwrap_or_default()).unwrap();
    }
    out
}

#[test]
fn sources_beside_their_ir() {
    let mut faults = Vec::new();
    for (name, text) in sources() {
        let file = source(&format!("labs/{name}.py"), &text);
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
        let file = source(&format!("labs/{name}.py"), &text);
        for f in lower(&file, None).functions {
            // Two statements speak of one traversal, which the text form cannot say.
            if f.name.as_str() == "next_without_default" {
                continue;
            }
            let printed = text::print(&f);
            let read = text::parse(&printed, FileId(0)).unwrap_or_else(|e| panic!("{name}: {e:?} in\n{printed}"));
            let again: Vec<String> = read.iter().map(text::print).collect();
            assert_eq!(again.concat().trim_end(), printed.trim_end(), "{name}");
        }
    }
}

fn start_of(file: &SourceFile, f: &Func) -> u32 {
    let before = &file.text[..f.name_span.start as usize];
    let def = before.rfind("def").unwrap();
    let head = before[..def].trim_end();
    if head.ends_with("async") { (head.len() - 5) as u32 } else { def as u32 }
}

fn facts(f: &Func) -> String {
    let sites = f.arena.sites.iter().map(|s| format!("{:?}", (s.name, s.whole, s.stmt)));
    let sites: Vec<String> = sites.collect();
    format!(
        "{} {:?} {:?} {:?} {:?} {:?}",
        text::print(f),
        (f.span, f.name_span),
        f.class,
        f.params,
        (f.is_test, &f.decorators),
        sites
    )
}

/// Each function alone is what it is in the whole file, and nothing else is lowered with it.
#[test]
fn one_function_is_the_same_as_in_the_whole() {
    for (name, text) in sources() {
        let file = source(&format!("labs/{name}.py"), &text);
        let whole = lower(&file, None);
        let top = lower(&file, Some(&[]));
        assert_eq!(top.module, whole.module);
        for f in &whole.functions {
            if f.name.starts_with('<') {
                assert!(top.functions.iter().any(|t| facts(t) == facts(f)));
                continue;
            }
            let start = start_of(&file, f);
            let range = start..f.span.end;
            let one = lower(&file, Some(std::slice::from_ref(&range)));
            assert_eq!(one.module, whole.module);
            assert_eq!(one.functions.len(), top.functions.len() + 1, "{name}.{}", f.name);
            let same = one.functions.iter().find(|o| o.name_span == f.name_span && o.name == f.name).unwrap();
            assert_eq!(facts(same), facts(f));
            let alone = top.rest.function(&file, start, &mut Notes::default()).unwrap();
            assert_eq!(facts(&alone), facts(f));
        }
    }
}

/// What is read as text is what a parse says, where there is one.
#[test]
fn classes_are_the_same_without_a_parse() {
    for (name, text) in sources() {
        let file = source(&format!("labs/{name}.py"), &text);
        let whole = lower(&file, None);
        if !whole.notes.errors.is_empty() {
            continue;
        }
        let heads = |l: Lowered| l.module.classes.into_iter().map(|c| (c.name, c.bases, c.span)).collect::<Vec<_>>();
        assert_eq!(heads(open(&file, &[])), heads(whole), "{name}");
    }
}

/// Every place is where it says.
#[test]
fn places() {
    for (name, text) in sources() {
        let file = source(&format!("labs/{name}.py"), &text);
        for f in lower(&file, None).functions {
            for site in &f.arena.sites {
                assert!(
                    site.stmt.contains(site.whole),
                    "{name}: {:?} is not in its statement",
                    text_of(&file, site.whole)
                );
                assert!(site.whole.contains(site.name));
                assert!(f.span.contains(site.whole));
            }
            each_expr(&f, &mut |arena, e| {
                let made_up = matches!(arena.get(e), Expr::Name(n) | Expr::Path(n) if n.starts_with('%'))
                    || matches!(arena.get(e), Expr::Lit(_) | Expr::Closure(_));
                assert!(made_up || arena.origin(e).is_some(), "{name}: no place for {}", text::show(arena, e));
            });
        }
    }
}

fn text_of(file: &SourceFile, span: Span) -> &str {
    &file.text[span.start as usize..span.end as usize]
}

fn each_expr(f: &Func, visit: &mut dyn FnMut(&Arena, ExprId)) {
    fn block(b: &Block, todo: &mut Vec<ExprId>) {
        for stmt in b {
            match stmt {
                Stmt::Let(_, e) | Stmt::Put(_, e) | Stmt::Drop(_, e) | Stmt::Do(e) => todo.push(*e),
                Stmt::Set { base, value, .. } => todo.extend([*base, *value]),
                Stmt::If(e, a, b) => {
                    todo.push(*e);
                    block(a, todo);
                    block(b, todo);
                }
                Stmt::For { over, body, whole, .. } => {
                    todo.push(*over);
                    block(body, todo);
                    block(whole, todo);
                }
                Stmt::Try { body, handlers } => {
                    block(body, todo);
                    handlers.iter().for_each(|h| block(&h.body, todo));
                }
                Stmt::Leave(_) => {}
            }
        }
    }
    let mut todo = Vec::new();
    block(&f.body, &mut todo);
    todo.into_iter().for_each(|e| visit(&f.arena, e));
}

#[test]
fn names_of_calls_and_statements() {
    let file = source("a.py", "def f(xs):\n    for x in api.list(1).items:\n        go(a.b(x),\n           c)\n");
    let f = lower(&file, None).functions.remove(1);
    let names: Vec<_> = f.arena.sites.iter().map(|s| (text_of(&file, s.name), text_of(&file, s.stmt))).collect();
    let call = "go(a.b(x),\n           c)";
    assert_eq!(names, [("list", "for x in api.list(1).items:"), ("b", call), ("go", call)]);
}

#[test]
fn tests_are_known_by_file_and_class() {
    let text = "def test_x(): pass\nclass TestA:\n    def test_y(self): pass\n    def helper(self): pass\n";
    let is_test = |path: &str| {
        let file = source(path, text);
        let found: Vec<bool> = lower(&file, None).functions.iter().map(|f| f.is_test).collect();
        found
    };
    assert_eq!(is_test("a/b.py"), [false, false, true, false]);
    for path in ["a/test_b.py", "a/b_test.py", "conftest.py", "tests/a/b.py", "a/test/b.py", "app/tests.py"] {
        assert_eq!(is_test(path), [true; 4], "{path}");
    }
}

/// Input that nests without end is a hole and a note, and takes no more than a thread's stack and a moment.
#[test]
fn hostile_nesting() {
    let n = 10_000;
    let (open, close) = ("(".repeat(n), ")".repeat(n));
    for text in [
        format!("x = {open}1{close}\n"),
        format!("def f():\n    x = {open}1{close}\n    g()\n"),
        format!("x = {open}\ndef f():\n    g()\n"),
        format!("x = {}1\n", "-".repeat(n)),
        format!("x = {}a\n", "not ".repeat(n)),
        format!("x = {}a\n", "lambda: ".repeat(n)),
        format!("x = {}c\n", "a if b else ".repeat(n)),
        format!("x = a{}\n", ".b(c)".repeat(n)),
        format!("x = a{}\n", " + b".repeat(n)),
        format!("x = a{}\n", " or b".repeat(n)),
        format!("x = a{} = 3\n", "[0]".repeat(n)),
        format!("{}a{} = x\n", "[".repeat(n), "]".repeat(n)),
        format!("if a: b\n{}", "elif c: d\n".repeat(n)),
        format!("match x:\n    case {}a{}: pass\n", "[".repeat(n), "]".repeat(n)),
        format!("try: a\nexcept {open}E{close}: pass\n"),
        format!("def f(x: {open}E{close}): pass\n"),
        format!("y = [x{}]\n", " for x in y".repeat(n / 5)),
        format!("with {}a: pass\n", "a, ".repeat(n)),
        format!(
            "def f():\n{}{}y()\n",
            (1..500).map(|i| " ".repeat(i) + "if x:\n").collect::<String>(),
            " ".repeat(600)
        ),
    ] {
        let file = source("a.py", &text);
        let lowered = lower(&file, None);
        assert!(!lowered.functions.is_empty());
        for f in &lowered.functions {
            text::print(f);
        }
    }
    let file = source("a.py", &format!("x = {open}1{close}\n"));
    assert_eq!(lower(&file, None).notes.holes.get("too_deep"), Some(&1));
}

#[test]
fn odd_input() {
    for text in [
        "", "\u{feff}", "\0\0\0", "\r\r\r", "\\", "'", "\"\"\"", "def", "def f", "@", "class A", "x = '\\", "(",
        "é = 1",
    ] {
        lower(&source("a.py", text), None);
    }
    let file = source("a.py", "\u{feff}import os\r\ndef f():\r\n\tos.remove('é')\r\n");
    let lowered = lower(&file, None);
    assert_eq!(lowered.notes, Notes::default());
    let site = &lowered.functions[1].arena.sites[0];
    assert_eq!(text_of(&file, site.whole), "os.remove('é')");
}
