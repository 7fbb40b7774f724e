//! Import statements, read as text: the same reader serves statements that are parsed and those that are not.
//!
//! ```text
//! in labs/rows.py:
//! import os.path                  os     = os          imported: os.path
//! import numpy as np              np     = numpy
//! from . import db                db     = labs.db
//! from ..core.api import Api as A A      = core.api.Api
//! from kubernetes import *        *      = kubernetes
//! ```

use crate::ir::{Sym, sym};
use std::path::Path;

/// One name bound by an import.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Import {
    /// The local name; `*` for all names of a module.
    pub local: Sym,
    /// What it stands for.
    pub path: Sym,
    /// The module named by the statement.
    pub module: Sym,
    /// All that was named, for the vocabulary: `os.path` where the local name `os` stands for `os`.
    pub full: Sym,
}

/// The dotted name of the module in a file: `labs/rows.py` is `labs.rows`, `labs/__init__.py` is `labs`.
pub(super) fn module_of(path: &Path) -> String {
    let mut parts = package_parts(path);
    if let Some(stem) = path.file_stem().and_then(|s| s.to_str())
        && stem != "__init__"
    {
        parts.push(stem.to_string());
    }
    parts.join(".")
}

/// The package a file stands in: `labs/rows.py` stands in `labs`.
pub(super) fn package_of(path: &Path) -> String {
    package_parts(path).join(".")
}

fn package_parts(path: &Path) -> Vec<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let normal = folder.components().filter_map(|c| match c {
        std::path::Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        _ => None,
    });
    normal.collect()
}

/// Reads one import statement. Anything else gives nothing.
pub(super) fn read(statement: &str, package: &str) -> Vec<Import> {
    let words = words(statement);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["import", rest @ ..] => names(rest).map(|(name, alias)| plain(name, alias)).collect(),
        ["from", "__future__", ..] => Vec::new(),
        ["from", rest @ ..] => {
            let Some(at) = rest.iter().position(|w| *w == "import") else { return Vec::new() };
            let (module, members) = rest.split_at(at);
            let module = resolve(&module.concat(), package);
            names(members.get(1..).unwrap_or_default()).map(|(name, alias)| member(&module, name, alias)).collect()
        }
        _ => Vec::new(),
    }
}

fn plain(name: &str, alias: Option<&str>) -> Import {
    let head = name.split('.').next().unwrap_or(name);
    let (local, path) = match alias {
        Some(alias) => (alias, name),
        None => (head, head),
    };
    Import { local: sym(local), path: sym(path), module: sym(name), full: sym(name) }
}

fn member(module: &str, name: &str, alias: Option<&str>) -> Import {
    if name == "*" {
        return Import { local: sym("*"), path: sym(module), module: sym(module), full: sym(module) };
    }
    let path = if module.is_empty() { sym(name) } else { sym(&format!("{module}.{name}")) };
    Import { local: sym(alias.unwrap_or(name)), path, module: sym(module), full: path }
}

/// `a as b, c` one by one.
fn names<'a>(words: &'a [&'a str]) -> impl Iterator<Item = (&'a str, Option<&'a str>)> {
    words.split(|w| *w == ",").filter_map(|one| match one {
        [name, "as", alias] => Some((*name, Some(*alias))),
        [name, ..] => Some((*name, None)),
        [] => None,
    })
}

/// `..core` in the package `a.b` is `a.core`. More dots than packages name something outside the tree: what is left.
fn resolve(module: &str, package: &str) -> String {
    let name = module.trim_start_matches('.');
    let dots = module.len() - name.len();
    if dots == 0 {
        return name.to_string();
    }
    let mut parts: Vec<&str> = package.split('.').filter(|p| !p.is_empty()).collect();
    parts.truncate((parts.len() + 1).saturating_sub(dots));
    parts.extend(Some(name).filter(|n| !n.is_empty()));
    parts.join(".")
}

/// Names with their dots, and commas; no brackets, comments or line joins. A semicolon ends the statement.
fn words(statement: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    'lines: for line in statement.lines() {
        for c in line.chars() {
            let part = c.is_alphanumeric() || matches!(c, '_' | '.' | '*');
            if part {
                word.push(c);
                continue;
            }
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            match c {
                ',' => words.push(",".to_string()),
                ';' => break 'lines,
                '#' => break,
                _ => {}
            }
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(text: &str) -> Vec<String> {
        read(text, "a.b").iter().map(|i| format!("{}={}", i.local, i.path)).collect()
    }

    #[test]
    fn statements() {
        assert_eq!(bound("import os.path, numpy as np  # x"), ["os=os", "np=numpy"]);
        assert_eq!(bound("import a . b as c"), ["a=a"]);
        assert_eq!(bound("from . import db"), ["db=a.b.db"]);
        assert_eq!(
            bound("from ..core.api import (\n  Api as A, # the\n  Other,\n)"),
            ["A=a.core.api.Api", "Other=a.core.api.Other"]
        );
        assert_eq!(bound("from kubernetes import *; x()"), ["*=kubernetes"]);
        assert_eq!(bound("from __future__ import annotations"), Vec::<String>::new());
        assert_eq!(bound("from \\\n  .x \\\n import y"), ["y=a.b.x.y"]);
        assert_eq!(bound("from .... import y"), ["y=y"]);
    }

    #[test]
    fn modules() {
        assert_eq!(module_of(Path::new("labs/rows.py")), "labs.rows");
        assert_eq!(module_of(Path::new("./labs/__init__.py")), "labs");
        assert_eq!(package_of(Path::new("labs/__init__.py")), "labs");
        assert_eq!(package_of(Path::new("rows.py")), "");
    }
}
