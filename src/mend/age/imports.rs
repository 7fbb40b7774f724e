//! What a test of age needs imported, where the file's own imports stand.

use super::super::code::{Code, parts};
use super::super::edit;
use crate::rules::Edit;
use tree_sitter::Node;

/// How a file of Python spells the parts of `datetime`.
pub(super) struct Names {
    pub datetime: &'static str,
    pub timedelta: &'static str,
    pub utc: &'static str,
}

/// The names of `datetime`, added to its import where they are not there.
pub(super) fn python_datetime(code: &Code<'_>, edits: &mut Vec<Edit>) -> Option<Names> {
    let short = Names { datetime: "datetime", timedelta: "timedelta", utc: "timezone.utc" };
    let all = parts(code.root());
    if all.iter().any(|node| node.kind() == "import_statement" && code.text_of(*node) == "import datetime") {
        let long = ("datetime.datetime", "datetime.timedelta", "datetime.timezone.utc");
        return Some(Names { datetime: long.0, timedelta: long.1, utc: long.2 });
    }
    let from = all.iter().find(|node| {
        let module = node.child_by_field_name("module_name").map(|name| code.text_of(name));
        node.kind() == "import_from_statement" && module == Some("datetime")
    });
    let Some(from) = from else {
        add_line(code, "from datetime import datetime, timedelta, timezone", edits);
        return Some(short);
    };
    let mut cursor = from.walk();
    let names: Vec<Node<'_>> = from.children_by_field_name("name", &mut cursor).collect();
    let known: Vec<&str> = names.iter().map(|name| code.text_of(*name)).collect();
    // `from datetime import datetime as dt` is spelled otherwise.
    if known.iter().any(|name| name.contains(" as ")) {
        return None;
    }
    let missing: Vec<&str> =
        ["datetime", "timedelta", "timezone"].into_iter().filter(|name| !known.contains(name)).collect();
    if !missing.is_empty() {
        let end = names.last()?.end_byte();
        edits.push(edit(code, end..end, format!(", {}", missing.join(", "))));
    }
    Some(short)
}

/// `import time`
pub(super) fn python_module(code: &Code<'_>, name: &str, edits: &mut Vec<Edit>) -> Option<()> {
    let all = parts(code.root());
    let mut imports = all.iter().filter(|node| node.kind() == "import_statement");
    let named = |node: &&Node<'_>| parts(**node).iter().any(|part| code.text_of(*part) == name);
    if imports.clone().any(|node| named(&node)) {
        return Some(());
    }
    // `from time import time` takes the name away.
    let taken = format!("from {name} import {name}");
    if code.text.contains(&taken) || imports.any(|node| code.text_of(*node).contains(&format!(" as {name}"))) {
        return None;
    }
    add_line(code, &format!("import {name}"), edits);
    Some(())
}

/// Modules of Python's own library that cleanup code imports: where one of them stands, another may.
const OWN: &[&str] = &[
    "argparse",
    "asyncio",
    "collections",
    "contextlib",
    "csv",
    "dataclasses",
    "datetime",
    "enum",
    "fcntl",
    "functools",
    "glob",
    "hashlib",
    "io",
    "itertools",
    "json",
    "logging",
    "os",
    "pathlib",
    "platform",
    "random",
    "re",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "traceback",
    "typing",
    "urllib",
    "uuid",
];

/// A line among the imports of Python's own library, in the order of their names, or before all others.
fn add_line(code: &Code<'_>, line: &str, edits: &mut Vec<Edit>) {
    let all = parts(code.root());
    let import = |node: &&Node<'_>| matches!(node.kind(), "import_statement" | "import_from_statement");
    let own = |node: &&Node<'_>| {
        let named = code.text_of(**node).split([' ', '.', ',']).nth(1).unwrap_or_default();
        OWN.contains(&named)
    };
    let word = line.split(' ').next().unwrap_or_default();
    let nl = code.newline();
    let like = |node: &&&Node<'_>| code.text_of(***node).starts_with(&format!("{word} "));
    let known: Vec<&Node<'_>> = all.iter().filter(import).filter(own).collect();
    let before = |node: &&&Node<'_>| code.text_of(***node) < line;
    if let Some(node) = known.iter().filter(like).rfind(before) {
        let at = code.line_end(node.end_byte());
        return edits.push(edit(code, at..at, format!("{line}{nl}")));
    }
    if let Some(node) = known.iter().find(like) {
        let at = code.line_start(node.start_byte());
        return edits.push(edit(code, at..at, format!("{line}{nl}")));
    }
    // `import os` stands before `from os import ..`.
    if let (Some(first), Some(last)) = (known.first(), known.last()) {
        let at = if word == "from" { code.line_end(last.end_byte()) } else { code.line_start(first.start_byte()) };
        return edits.push(edit(code, at..at, format!("{line}{nl}")));
    }
    if let Some(first) = all.iter().find(import) {
        let at = code.line_start(first.start_byte());
        return edits.push(edit(code, at..at, format!("{line}{nl}{nl}")));
    }
    let head = all.iter().take_while(|node| {
        node.kind() == "future_import_statement" || node.named_child(0).is_some_and(|n| n.kind() == "string")
    });
    let at = head.last().map_or(0, |node| code.line_end(node.end_byte()));
    edits.push(edit(code, at..at, format!("{line}{nl}")));
}

/// A package of Go's own library, among those of its list.
pub(super) fn go_package(code: &Code<'_>, name: &str, edits: &mut Vec<Edit>) -> Option<()> {
    let quoted = format!("\"{name}\"");
    let all = parts(code.root());
    let declarations: Vec<&Node<'_>> = all.iter().filter(|node| node.kind() == "import_declaration").collect();
    if declarations.iter().any(|node| code.text_of(**node).contains(&quoted)) {
        return Some(());
    }
    let list =
        declarations.iter().find_map(|node| parts(**node).into_iter().find(|p| p.kind() == "import_spec_list"))?;
    // Those of the library have no dot, and stand together in the order of their names.
    let specs: Vec<Node<'_>> = parts(list);
    let own = specs
        .iter()
        .take_while(|spec| !code.text_of(**spec).contains('.') && spec.child_by_field_name("name").is_none());
    let before = own.filter(|spec| code.text_of(**spec) < quoted.as_str()).last();
    let at = match before {
        Some(spec) => code.line_end(spec.end_byte()),
        None => code.line_end(list.start_byte()),
    };
    let apart = before.is_none() && specs.first().is_some_and(|spec| code.text_of(*spec).contains('.'));
    let gap = if apart { code.newline() } else { "" };
    edits.push(edit(code, at..at, format!("\t{quoted}{}{gap}", code.newline())));
    Some(())
}
