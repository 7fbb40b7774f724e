//! Python, by tree-sitter.
//!
//! A file is cut before it is parsed ([`outline`]): its skeleton (all that stands in no function) and each function are
//! parsed apart, and a function that nobody asked for is not parsed. So a broken function is one broken function.
//!
//! ```text
//! from kubernetes import client            <module>: api = kubernetes.client.CoreV1Api()
//! api = client.CoreV1Api()
//!
//! class Janitor:                           <class> of Janitor: grace = 600
//!     grace = 600
//!
//!     def sweep(self): …                   sweep of Janitor, only where it is wanted
//! ```
//!
//! The files of this folder in reading order: [`outline`] and [`piece`] (text), [`imports`] and [`scope`] (names),
//! [`build`] (the small steps), [`def`] (functions), [`stmt`], [`assign`], [`pattern`] (statements), [`expr`], [`ops`],
//! [`call`], [`comp`], [`literal`] (expressions).

mod assign;
mod build;
mod call;
mod comp;
mod def;
mod expr;
mod imports;
mod kinds;
mod literal;
mod ops;
mod outline;
mod pattern;
mod piece;
mod scope;
mod stmt;

use super::{Lowered, ModuleInfo, Notes};
use crate::ir::{Func, Sym, sym};
use crate::source::SourceFile;
use build::FileFacts;
use outline::{Def, Outline};
use piece::{Piece, Pieces};
use std::ops::Range;
use std::path::Path;

/// The dotted name of the module in a file: `labs/rows.py` is `labs.rows`, `labs/__init__.py` is `labs`.
pub fn module_path(path: &Path) -> String {
    imports::module_of(path)
}

/// Lowers a Python file; see [`super::lower`].
pub fn lower(file: &SourceFile, wanted: Option<&[Range<u32>]>) -> Lowered {
    let text: &str = &file.text;
    let outline = outline::outline(text);
    let package = imports::package_of(&file.path);
    let mut pieces = Pieces::new();
    let mut notes = Notes::default();
    let mut module = ModuleInfo { import_paths: import_paths(text, &outline, &package), ..ModuleInfo::default() };

    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut cuts = outline.bodies.clone();
    cuts.extend(outline.generics.iter().cloned());
    cuts.sort_by_key(|c| c.start);
    let skeleton = Piece::new(text, start..text.len(), &cuts);
    let tree = pieces.parse(&skeleton, file.id, &mut notes);
    let found = tree.as_ref().map(|t| scope::bindings(t.root_node(), skeleton.text(), &package)).unwrap_or_default();
    module.imports = found.imports.iter().map(|i| (i.local, i.path)).collect();
    let facts = FileFacts::new(file.id, package, &found.imports);
    let in_test = def::in_test_file(&file.path);

    let top = def::Top { facts: &facts, piece: &skeleton, found: &found, in_test, end: text.len() };
    let mut functions = def::module(tree.as_ref(), top, &mut module, &mut notes);
    for def in outline.defs.iter().filter(|d| is_wanted(d, wanted)) {
        functions.push(function(text, def, &outline, &facts, in_test, &mut pieces, &mut notes));
    }
    if let Some(rest) = functions.get_mut(1..) {
        rest.sort_by_key(|f| f.span.start);
    }
    Lowered { functions, module, notes }
}

fn is_wanted(def: &Def, wanted: Option<&[Range<u32>]>) -> bool {
    let Some(wanted) = wanted else { return true };
    wanted.iter().any(|w| def.range.contains(&(w.start as usize)))
}

fn function(
    text: &str,
    def: &Def,
    outline: &Outline,
    facts: &FileFacts,
    in_test: bool,
    pieces: &mut Pieces,
    notes: &mut Notes,
) -> Func {
    let piece = Piece::new(text, def.range.clone(), &outline.generics);
    let tree = pieces.parse(&piece, facts.file, notes);
    def::function(text, tree.as_ref(), def, def::Context { facts, piece: &piece, in_test }, notes)
}

/// Every path imported anywhere, each once, in the order of the file.
fn import_paths(text: &str, outline: &Outline, package: &str) -> Vec<Sym> {
    let mut seen = rustc_hash::FxHashSet::default();
    let statements = outline.imports.iter().filter_map(|i| text.get(i.clone()));
    let all = statements.flat_map(|s| imports::read(s, package)).flat_map(|i| [i.module, i.full]);
    all.filter(|path| *path != sym("") && seen.insert(*path)).collect()
}
