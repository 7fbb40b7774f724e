//! Rows against their own examples: a row that does not match what it was written for would silently find nothing.
//!
//! ```text
//! match   = "*.retire_lab(lab)"
//! example = "client.retire_lab(lab)"      def example(client, lab):     read as code, the call is one of the row's
//!                                             client.retire_lab(lab)
//! ```

use crate::ir::{Arena, Call, Stmt};
use crate::lang::Lowered;
use crate::source::{FileId, Language, SourceFile};
use crate::vocab::{Bind, CommandRow, FileContext, Imports, Role, Row, RowId, Vocab, command_words};

/// A row and what became of its example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// The library.
    pub library: String,
    /// The row's pattern.
    pub pattern: String,
    /// The example.
    pub example: String,
    /// What the example is read as instead, if it is.
    pub wrong: Option<String>,
}

impl Example {
    /// For people, on one line.
    pub fn line(&self) -> String {
        let Example { library, pattern, example, wrong } = self;
        match wrong {
            None => format!("{library}: `{pattern}` matches `{example}`"),
            Some(said) => format!("{library}: `{pattern}` does not match its example `{example}`: {said}"),
        }
    }
}

/// Every row.
pub fn all(vocab: &Vocab) -> Vec<Example> {
    let calls = vocab.rows().map(|(id, row)| call(vocab, id, row));
    calls.chain(vocab.command_rows().map(|(_, row)| command(vocab, row))).collect()
}

/// The rows of a user's own.
pub fn of_user(vocab: &Vocab) -> Vec<Example> {
    let own = vocab.rows().take_while(|(id, _)| vocab.is_users(*id));
    // Those of grace functions are made from their names.
    let written = own.filter(|(_, row)| row.role != Role::Aged);
    let calls = written.map(|(id, row)| call(vocab, id, row));
    let commands = vocab.command_rows().filter(|(_, row)| row.library.as_str() == USER);
    calls.chain(commands.map(|(_, row)| command(vocab, row))).collect()
}

/// The library that a user's rows are of.
const USER: &str = "vocabulary";

fn command(vocab: &Vocab, row: &CommandRow) -> Example {
    let mut arena = Arena::default();
    let text = arena.str(&row.example);
    let found = command_words(&arena, text).and_then(|words| vocab.command(&words));
    let wrong = match found {
        // The braces of a pattern make several rows with one example.
        Some(found) if vocab.command_row(found.row).example == row.example => None,
        Some(found) => Some(format!("it is `{}`", vocab.command_row(found.row).pattern)),
        None => Some("it is nothing that is known".to_owned()),
    };
    let (library, pattern) = (row.library.as_str().to_owned(), row.pattern.clone());
    Example { library, pattern, example: row.example.clone(), wrong }
}

fn call(vocab: &Vocab, id: RowId, row: &Row) -> Example {
    let wrong = mismatch(vocab, id, row);
    let (library, pattern) = (row.library.as_str().to_owned(), row.pattern.clone());
    Example { library, pattern, example: row.example.clone(), wrong }
}

fn mismatch(vocab: &Vocab, id: RowId, row: &Row) -> Option<String> {
    let lowered = lowered_example(row, vocab.imports(row));
    let Some(function) = lowered.functions.iter().find(|f| f.name == "example") else {
        return Some("it cannot be read".to_owned());
    };
    // Go's out-arguments are assigned what the call gives.
    let last = function.body.iter().rev().find_map(|s| match s {
        Stmt::Do(e) | Stmt::Let(_, e) => function.arena.call_of(*e),
        _ => None,
    });
    // What only says in another form what an operator says is no call any more where its language is read.
    if last.is_none() && row.language == Language::Go && lowered.notes == Default::default() {
        return None;
    }
    let context = FileContext {
        language: Some(row.language),
        imports: Imports::new(&lowered.module.import_paths),
        params: function.params.iter().map(|p| (p.name, p.type_path)).collect(),
        ..FileContext::default()
    };
    let mut arena = function.arena.clone();
    let built = last.and_then(|c| vocab.built(&mut arena, c, &context));
    let Some(last) = built.as_ref().or(last) else { return Some("it is no call".to_owned()) };
    match vocab.matched(&arena, last, &context) {
        None => Some("it is nothing that is known".to_owned()),
        Some(m) if m.row != id => Some(format!("it is `{}` of {}", vocab.row(m.row).pattern, vocab.row(m.row).library)),
        Some(m) if m.backed == row.guess => Some(format!("backed: {}", m.backed)),
        Some(_) => unbound(vocab, row, arena, last),
    }
}

/// What a row binds and is not there.
fn unbound(vocab: &Vocab, row: &Row, mut arena: Arena, call: &Call) -> Option<String> {
    vocab.receiver(&mut arena, call);
    let mut binds = [row.target, row.key].into_iter().flatten();
    let none = |bind: &Bind| vocab.bound_all(&arena, call, row, *bind).is_empty();
    binds.find(none).map(|bind| format!("nothing is bound to {bind:?}"))
}

/// The whole paths a pattern may stand for, without parameters and with the braces written out.
fn whole_paths(pattern: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut depth = 0;
    for c in pattern.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let mut all = vec![plain];
    while let Some(at) = all.iter().position(|p| p.contains('{')) {
        let path = all.swap_remove(at);
        let Some((head, rest)) = path.split_once('{') else { continue };
        let Some((inside, tail)) = rest.split_once('}') else { continue };
        all.extend(inside.split(',').map(|m| format!("{head}{}{tail}", m.trim())));
    }
    all
}

/// The package that an example names by the last part of its path.
fn package_of(row: &Row, imports: &[String]) -> Option<(String, String)> {
    if row.pattern.starts_with("*.") {
        let root = row.example.split(['.', '(']).next()?;
        let whole = imports.iter().find(|i| i.rsplit('.').next() == Some(root))?;
        return Some((root.to_string(), whole.clone()));
    }
    let callee = row.example.split('(').next()?;
    let (alias, rest) = callee.split_once('.')?;
    let named = rest.split('.').next()?;
    let paths = whole_paths(&row.pattern);
    let by_name = |path: &String| {
        let head = path.strip_suffix(named)?.strip_suffix('.')?;
        (!head.contains('*')).then(|| (alias.to_string(), head.to_string()))
    };
    let of_alias = |path: &String| {
        let parts: Vec<&str> = path.split('.').collect();
        let at = parts.iter().position(|p| p == &alias || *p == "**")?;
        let head = parts.get(..at)?.join(".");
        let path = if head.is_empty() { alias.to_string() } else { format!("{head}.{alias}") };
        Some((alias.to_string(), path))
    };
    let exact = paths.iter().filter(|p| p.split('.').any(|x| x == alias)).find_map(by_name);
    exact.or_else(|| paths.iter().find_map(by_name)).or_else(|| paths.iter().find_map(of_alias))
}

/// A row's example as a file of Go.
fn go_file(row: &Row, imports: &[String]) -> String {
    let package = package_of(row, imports);
    let mut text = "package example\n\nimport (\n".to_string();
    for module in imports {
        text += &format!("\t_ \"{module}\"\n");
    }
    if let Some((alias, path)) = &package {
        text += &format!("\t{alias} \"{path}\"\n");
    }
    let builtin = row.pattern.split('(').next().is_some_and(|p| !p.contains('.'));
    let root = row.example.split(['.', '(']).next().unwrap_or_default();
    let known = |n: &str| {
        let word = ["nil", "true", "false", "map", "string"].contains(&n) || builtin && n == root;
        package.as_ref().is_some_and(|p| p.0 == n) || word
    };
    let params: Vec<_> = free_names(&row.example).into_iter().filter(|n| !known(n)).collect();
    let params = if params.is_empty() { String::new() } else { format!("{} any", params.join(", ")) };
    text + &format!(")\n\nfunc example({params}) {{\n\t{}\n}}\n", row.example)
}

/// A row's example as a file of Rust: what it fails with and waits for is left out.
fn rust_file(row: &Row, imports: &[String]) -> String {
    let example = row.example.replace("?", "");
    let mut text = String::new();
    for module in imports {
        text += &format!("use {} as _;\n", module.replace('.', "::"));
    }
    let builtin = row.pattern.split('(').next().is_some_and(|p| !p.contains('.'));
    let root = example.split([':', '(', '!', '.']).next().unwrap_or_default();
    let known = |n: &str| (builtin || example.starts_with(&format!("{root}::"))) && n == root;
    let own = |n: &str| n.starts_with(|c: char| c.is_ascii_lowercase()) && !["true", "false"].contains(&n);
    let params: Vec<_> = free_names(&example).into_iter().filter(|n| own(n) && !known(n)).collect();
    let params: Vec<_> = params.iter().map(|n| format!("{n}: _")).collect();
    text + &format!("fn example({}) {{\n    let _ = {example};\n}}\n", params.join(", "))
}

/// A row's example, lowered.
fn lowered_example(row: &Row, imports: &[String]) -> Lowered {
    let lower = |language, path: &str, text: String| {
        let source = SourceFile { id: FileId(0), path: path.into(), language, text: text.as_str().into() };
        crate::lang::lower(&source, None)
    };
    match row.language {
        Language::Go => lower(Language::Go, "example.go", go_file(row, imports)),
        Language::Rust => lower(Language::Rust, "example.rs", rust_file(row, imports)),
        _ => lower(Language::Python, "example.py", example_file(row, imports)),
    }
}

/// A row's example as a file: what its library is imported as, and a function that makes the call.
fn example_file(row: &Row, imports: &[String]) -> String {
    let whole = !row.pattern.starts_with("*.") && row.pattern.contains('.');
    let example = &row.example;
    let names = free_names(example);
    let mut text = String::new();
    let root = example.split(['.', '(']).next().unwrap_or_default();
    let dotted = example.split('(').next().unwrap_or_default();
    for module in imports {
        text += &format!("import {module}\n");
    }
    if whole {
        text += &format!("import {root}\n");
        if let Some((module, _)) = dotted.rsplit_once('.') {
            text += &format!("import {module}\n");
        }
    }
    let known = |n: &str| imports.iter().any(|i| i.split('.').next() == Some(n)) || (whole && n == root);
    let builtin = row.pattern.split('(').next().is_some_and(|p| !p.contains('.'));
    let params: Vec<_> = (names.into_iter())
        .filter(|n| !(known(n) || n.starts_with(char::is_uppercase) || builtin && n == root))
        .filter(|n| !["os", "shutil", "signal", "True", "False", "None"].contains(&n.as_str()))
        .collect();
    for module in ["os", "shutil", "signal"].iter().filter(|m| example.contains(&format!("{m}."))) {
        text += &format!("import {module}\n");
    }
    text + &format!("def example({}):\n    {}\n", params.join(", "), example)
}

/// The names of an expression that are neither fields, keywords nor text.
fn free_names(example: &str) -> Vec<String> {
    let (mut out, mut name, mut quote, mut before) = (Vec::new(), String::new(), None, ' ');
    for (i, c) in example.char_indices().chain([(example.len(), ' ')]) {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c.is_alphanumeric() || c == '_' => name.push(c),
            None => {
                let keyword = c == '=' && !example.get(i + 1..).unwrap_or_default().starts_with('=');
                let plain = !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit());
                if plain && before != '.' && !keyword && !out.contains(&name) && !matches!(c, '"' | '\'') {
                    out.push(name.clone());
                }
                name.clear();
                before = c;
                if matches!(c, '"' | '\'') {
                    quote = Some(c);
                }
            }
        }
    }
    out
}
