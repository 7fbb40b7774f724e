//! Lowering of Rust: a source file beside the text of what it is lowered to. `tests/lower/rust/NAME.rs` becomes `NAME.ir`.
//!
//! When they differ, what came out is written to `NAME.ir.new`: read it, then move it over the old one.

#![allow(clippy::unwrap_used)]

use reaplint::ir::{Arena, Block, Expr, ExprId, Func, Stmt, text};
use reaplint::lang::{Lowered, Notes, lower, open, rust};
use reaplint::source::{FileId, Language, SourceFile, Span};
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn source(path: &str, text: &str) -> SourceFile {
    SourceFile { id: FileId(0), path: path.into(), language: Language::Rust, text: text.into() }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower/rust")
}

/// The sources of the folder: name and text.
fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "rs") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            found.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    found.sort();
    assert!(found.len() > 5);
    found
}

/// The sources as files of a crate.
fn files() -> Vec<(String, SourceFile)> {
    sources().into_iter().map(|(name, text)| (name.clone(), source(&format!("src/gc/{name}.rs"), &text))).collect()
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
        let text = text_of(file, *error);
        writeln!(out, "# error line {}: {:?}", line(file, *error), text.lines().next().unwrap_or_default()).unwrap();
    }
    out
}

#[test]
fn sources_beside_their_ir() {
    let mut faults = Vec::new();
    for (name, file) in files() {
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

fn facts(f: &Func) -> String {
    let sites = f.arena.sites.iter().map(|s| format!("{:?}", (s.name, s.whole, s.stmt)));
    let sites: Vec<String> = sites.collect();
    let spans = (f.span, f.name_span);
    format!("{} {:?} {:?} {:?} {:?} {:?}", text::print(f), spans, f.class, f.params, (f.is_test, &f.decorators), sites)
}

/// Each function alone is what it is in the whole file, and nothing else is lowered with it.
#[test]
fn one_function_is_the_same_as_in_the_whole() {
    for (name, file) in files() {
        let whole = lower(&file, None);
        let top = lower(&file, Some(&[]));
        assert_eq!(top.module, whole.module);
        for f in &whole.functions {
            if f.name.starts_with('<') {
                assert!(top.functions.iter().any(|t| facts(t) == facts(f)));
                continue;
            }
            let start = file.text[..f.name_span.start as usize].rfind("fn").unwrap() as u32;
            let range = start..f.span.end;
            let one = lower(&file, Some(std::slice::from_ref(&range)));
            assert_eq!(one.functions.len(), top.functions.len() + 1, "{name}.{}", f.name);
            let same = one.functions.iter().find(|o| o.name_span == f.name_span && o.name == f.name).unwrap();
            assert_eq!(facts(same), facts(f));
            let alone = top.rest.function(&file, start, &mut Notes::default()).unwrap();
            assert_eq!(facts(&alone), facts(f));
        }
    }
}

/// Every place is where it says.
#[test]
fn places() {
    for (name, file) in files() {
        for f in lower(&file, None).functions {
            for site in &f.arena.sites {
                let whole = text_of(&file, site.whole);
                assert!(site.stmt.contains(site.whole), "{name}: {whole:?} is not in {:?}", text_of(&file, site.stmt));
                assert!(site.whole.contains(site.name), "{name}: {whole:?}");
                assert!(f.span.contains(site.whole), "{name}: {whole:?}");
            }
            each_expr(&f, &mut |arena, e| {
                let made_up = matches!(arena.get(e), Expr::Name(n) | Expr::Path(n) if n.starts_with('%'))
                    || matches!(arena.get(e), Expr::Lit(_) | Expr::Closure(_));
                assert!(made_up || arena.origin(e).is_some(), "{name}: no place for {}", text::show(arena, e));
            });
        }
    }
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
                Stmt::Try { .. } | Stmt::Leave(_) => {}
            }
        }
    }
    let mut todo = Vec::new();
    block(&f.body, &mut todo);
    todo.into_iter().for_each(|e| visit(&f.arena, e));
}

#[test]
fn names_of_calls_and_statements() {
    let text = "async fn f(api: &Api) {\n    for x in api.list(\"é\").await.items {\n        go::<T>(a.b(x),\n           c);\n    }\n}\n";
    let file = source("a.rs", text);
    let f = lower(&file, None).functions.remove(1);
    let names: Vec<_> = f.arena.sites.iter().map(|s| (text_of(&file, s.name), text_of(&file, s.stmt))).collect();
    let call = "go::<T>(a.b(x),\n           c);";
    assert_eq!(names, [("list", "for x in api.list(\"é\").await.items {"), ("b", call), ("go", call)]);
}

#[test]
fn tests_are_known_by_file_and_attribute() {
    let text =
        "fn a() {}\n#[test]\nfn b() {}\n#[cfg(test)]\nmod tests {\n    fn c() {}\n}\n#[cfg(not(test))]\nfn d() {}\n";
    let is_test = |path: &str| {
        let lowered = lower(&source(path, text), None);
        lowered.functions.iter().map(|f| f.is_test).collect::<Vec<bool>>()
    };
    assert_eq!(is_test("src/b.rs"), [false, false, true, true, false]);
    for path in ["tests/b.rs", "a/benches/b.rs", "src/tests.rs", "src/gc_test.rs", "src/gc/tests/mod.rs"] {
        assert_eq!(is_test(path), [true; 5], "{path}");
    }
}

#[test]
fn modules_by_path() {
    for (path, module) in [
        ("src/lib.rs", ""),
        ("src/main.rs", ""),
        ("crates/gc/src/sweep/rows.rs", "sweep.rows"),
        ("src/gc/mod.rs", "gc"),
        ("src/bin/reap.rs", ""),
        ("reap.rs", "reap"),
    ] {
        assert_eq!(rust::module_path(Path::new(path)), module, "{path}");
    }
}

/// Whatever stands in a file: it is lowered without a panic.
#[test]
fn truncated_sources() {
    for (_, text) in sources() {
        let ends: Vec<usize> = text.char_indices().map(|(i, _)| i).step_by(41).collect();
        for end in ends {
            lower(&source("src/a.rs", &text[..end]), None);
            open(&source("src/a.rs", &text[end..]), &[]);
        }
    }
}

/// Input that nests without end is a note, and takes no more than a thread's stack and a moment.
#[test]
fn hostile_nesting() {
    let n = 10_000;
    let (open, close) = ("(".repeat(n), ")".repeat(n));
    for body in [
        format!("let x = {open}1{close};"),
        format!("let x = {open};"),
        format!("let x = {}1;", "-".repeat(n)),
        format!("let x = {}a;", "!".repeat(n)),
        format!("let x = {}a;", "&mut ".repeat(n)),
        format!("let x = {}a;", "|x| ".repeat(n)),
        format!("let x = a{};", ".b(c)".repeat(n)),
        format!("let x = a{};", "?".repeat(n)),
        format!("let x = a{};", " + b".repeat(n)),
        format!("let x = a{};", " && b".repeat(n)),
        format!("let x = a{};", "[0]".repeat(n)),
        format!("{}1;", "x = ".repeat(n)),
        format!("if a {{}} {}", "else if c {}".repeat(n)),
        format!("match x {{ {}a{} => 1 }}", "[".repeat(n), "]".repeat(n)),
        format!("let x: {}T{} = 1;", "Vec<".repeat(n), ">".repeat(n)),
        format!("let x = {}1;", "return ".repeat(n)),
        format!("let x = a{};", " as u64".repeat(n)),
        format!("let x = a{};", "::b".repeat(n)),
        format!("{}{}", "{".repeat(n), "}".repeat(n)),
        format!("vec![{}1{}];", "[".repeat(n), "]".repeat(n)),
        format!("{}a{}", "if x { ".repeat(40), "}".repeat(40)),
        format!("{}a{}", "match x { _ => ".repeat(40), "}".repeat(40)),
        format!("f(|| {}a{})", "g(|x| ".repeat(40), ")".repeat(40)),
        format!("json!({}1{});", "{\"a\": ".repeat(n), "}".repeat(n)),
    ] {
        let file = source("a.rs", &format!("fn f() {{ {body} }}\nfn g() {{ go(); }}\n"));
        let lowered = lower(&file, None);
        assert!(!lowered.functions.is_empty());
        for f in &lowered.functions {
            text::print(f);
        }
    }
    let file = source("a.rs", &format!("fn f() {{ let x = {open}1{close}; }}"));
    assert_eq!(lower(&file, None).notes.holes.get("too_deep"), Some(&1));
}

#[test]
fn odd_input() {
    for text in [
        "",
        "\u{feff}",
        "\0\0\0",
        "\r\r\r",
        "\\",
        "'",
        "\"",
        "r#\"",
        "fn",
        "fn f",
        "#",
        "#[",
        "impl",
        "impl<",
        "use",
        "use a::{",
        "struct",
        "trait T {",
        "mod",
        "const X",
        "'a",
        "/*",
        "fn f() {",
        "macro_rules!",
        "b'",
        "é",
        "impl X for Y { fn f(",
    ] {
        lower(&source("a.rs", text), None);
    }
    let file = source("a.rs", "\u{feff}use std::fs;\r\nfn f() {\r\n\tfs::remove_file(\"é\");\r\n}\r\n");
    let lowered = lower(&file, None);
    assert_eq!(lowered.notes, Notes::default());
    let site = &lowered.functions[1].arena.sites[0];
    assert_eq!(text_of(&file, site.whole), "fs::remove_file(\"é\")");
}
