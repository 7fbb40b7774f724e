//! The names a file knows: what it imports, and the path of its own module.
//!
//! ```text
//! use std::{fs, collections::HashMap as Map};      fs = std.fs, Map = std.collections.HashMap
//! use crate::store::Rows;                          Rows = store.Rows
//! use super::rows;   in src/gc/sweep.rs            rows = gc.rows
//! mod rows;          in src/gc/mod.rs              rows = gc.rows
//! ```

use super::outline::Outline;
use crate::ir::{Sym, sym};
use std::path::Path;
use syn::UseTree;

/// One name made known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Import {
    /// The name in the file; `*` for everything.
    pub local: Sym,
    /// What it stands for.
    pub path: Sym,
}

/// The dotted path of the module in a file, within its crate: `src/gc/sweep.rs` is `gc.sweep`, `src/lib.rs` is empty.
pub(super) fn module_path(path: &Path) -> String {
    let parts: Vec<&str> = path.components().filter_map(|c| c.as_os_str().to_str()).collect();
    let root = parts.iter().rposition(|p| matches!(*p, "src" | "tests" | "benches" | "examples"));
    let inside = match root {
        Some(at) => parts.get(at + 1..).unwrap_or_default(),
        None => parts.get(parts.len().saturating_sub(1)..).unwrap_or_default(),
    };
    let mut names: Vec<&str> = inside.iter().map(|p| p.strip_suffix(".rs").unwrap_or(p)).collect();
    let top = names.len() == 1;
    if names.last().is_some_and(|last| *last == "mod" || top && matches!(*last, "lib" | "main")) {
        names.pop();
    }
    if names.first() == Some(&"bin") {
        names.remove(0);
        names.pop();
    }
    names.join(".")
}

/// Two parts of a dotted path, either of which may be empty.
pub(super) fn joined(base: &str, rest: &str) -> String {
    match (base.is_empty(), rest.is_empty()) {
        (true, _) => rest.to_string(),
        (_, true) => base.to_string(),
        _ => format!("{base}.{rest}"),
    }
}

/// A path with `crate`, `self`, `super` and `core` at its head resolved; the parts are those of the source.
pub(super) fn absolute(parts: &[String], module: &str) -> String {
    let mut base: Option<&str> = None;
    let mut rest = parts;
    while let Some((head, tail)) = rest.split_first() {
        match head.as_str() {
            "crate" | "$crate" => base = Some(""),
            "self" => base = Some(base.unwrap_or(module)),
            "super" => {
                let from = base.unwrap_or(module);
                base = Some(from.rsplit_once('.').map_or("", |(up, _)| up));
            }
            "core" | "alloc" if base.is_none() => return joined("std", &tail.join(".")),
            _ => break,
        }
        rest = tail;
    }
    joined(base.unwrap_or(""), &rest.join("."))
}

/// What one `use` makes known.
pub(super) fn read(text: &str, module: &str) -> Vec<Import> {
    let mut found = Vec::new();
    if !super::lex::too_deep(text)
        && let Ok(item) = syn::parse_str::<syn::ItemUse>(text)
    {
        tree(&item.tree, &mut Vec::new(), module, &mut found);
    }
    found
}

/// The same for an item that is parsed.
pub(super) fn of_item(item: &syn::ItemUse, module: &str) -> Vec<Import> {
    let mut found = Vec::new();
    tree(&item.tree, &mut Vec::new(), module, &mut found);
    found
}

fn tree(tree_: &UseTree, before: &mut Vec<String>, module: &str, found: &mut Vec<Import>) {
    let mut add = |local: String, parts: &[String]| {
        found.push(Import { local: sym(&local), path: sym(&absolute(parts, module)) });
    };
    match tree_ {
        UseTree::Path(path) => {
            before.push(plain(&path.ident));
            tree(&path.tree, before, module, found);
            before.pop();
        }
        UseTree::Name(name) => {
            let name = plain(&name.ident);
            if name == "self" {
                let last = before.last().cloned().unwrap_or_default();
                add(last, before);
            } else {
                before.push(name.clone());
                add(name, before);
                before.pop();
            }
        }
        UseTree::Rename(rename) => {
            let (name, local) = (plain(&rename.ident), plain(&rename.rename));
            let own = name == "self";
            if !own {
                before.push(name);
            }
            add(local, before);
            if !own {
                before.pop();
            }
        }
        UseTree::Glob(_) => add("*".to_string(), before),
        UseTree::Group(group) => {
            for item in &group.items {
                tree(item, before, module, found);
            }
        }
    }
}

/// A name without the `r#` that lets a keyword be one.
pub(super) fn plain(ident: &proc_macro2::Ident) -> String {
    let text = ident.to_string();
    match text.strip_prefix("r#") {
        Some(bare) => bare.to_string(),
        None => text,
    }
}

/// The imports of a file: those at its top, and every path imported anywhere.
pub(super) fn imports(text: &str, outline: &Outline, module: &str) -> (Vec<Import>, Vec<Sym>) {
    let (mut known, mut paths): (Vec<Import>, Vec<Sym>) = (Vec::new(), Vec::new());
    let mut seen = rustc_hash::FxHashSet::default();
    let mut later = Vec::new();
    for item in &outline.uses {
        let of = joined(module, &item.inside);
        for import in read(text.get(item.range.clone()).unwrap_or_default(), &of) {
            let of = import.path.rsplit_once('.').map(|(of, _)| sym(of));
            paths.extend(
                of.into_iter().chain([import.path]).filter(|p| !p.is_empty() && **p != *module && seen.insert(*p)),
            );
            match (item.top, item.inner) {
                (true, _) => known.push(import),
                (false, false) => later.push(import),
                _ => {}
            }
        }
    }
    // What a module inside the file imports is known of all of it, where the file itself does not say otherwise. What
    // it imports from the file around it is the file's own.
    let own = |i: &Import| *i.path == *joined(module, &i.local);
    for import in later.into_iter().filter(|i| *i.local != *"*" && !own(i)) {
        if known.iter().all(|k| k.local != import.local) {
            known.push(import);
        }
    }
    for module_ in &outline.modules {
        if known.iter().all(|k| *k.local != *module_.as_str()) {
            known.push(Import { local: sym(module_), path: sym(&joined(module, module_)) });
        }
    }
    (known, paths)
}
