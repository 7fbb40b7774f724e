//! Python, by tree-sitter.
//!
//! A file is cut before it is parsed (`outline`): its skeleton (all that stands in no function) and each function are
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
//! The files of this folder in reading order: `outline` (text), `imports` and `scope` (names),
//! `build` (the small steps), `def` (functions), `stmt`, `assign`, `pattern` (statements), `expr`, `ops`,
//! `call`, `comp`, `literal` (expressions).

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
mod scope;
mod stmt;

use super::piece::{self, Piece};
use super::{ClassInfo, Lowered, ModuleInfo, Notes, Top};
use crate::ir::{Func, Sym, sym};
use crate::source::{FileId, SourceFile, Span};
use build::FileFacts;
use outline::{Def, Outline};
use std::cell::RefCell;
use std::ops::Range;
use std::path::Path;
use tree_sitter::{Parser, Tree};

thread_local! {
    static PARSER: RefCell<Parser> = piece::parser(kinds::language());
}

fn parse(piece: &Piece, file: FileId, notes: &mut Notes) -> Option<Tree> {
    piece::parse(&PARSER, piece, file, notes)
}

/// Is it a file of tests, or of their scaffolding?
pub(super) fn is_test_file(file: &SourceFile) -> bool {
    def::in_test_file(&file.path)
}

/// The dotted name of the module in a file: `labs/rows.py` is `labs.rows`, `labs/__init__.py` is `labs`.
pub fn module_path(path: &Path) -> String {
    imports::module_of(path)
}

/// What the functions of a file need of the rest of it; see [`super::Rest`].
#[derive(Clone, Debug)]
pub struct Rest {
    outline: Outline,
    facts: FileFacts,
    in_test: bool,
}

/// What the text of a file says without a parse: its imports, what its classes inherit from, and where its functions stand.
///
/// ```text
/// from . import db           read as text
/// try: import yaml           shares its line: the skeleton is parsed for it
/// ```
fn read(file: &SourceFile) -> (ModuleInfo, Rest) {
    let text: &str = &file.text;
    let outline = outline::outline(text);
    let package = imports::package_of(&file.path);
    let imports = match outline.hidden_imports {
        true => parsed_imports(file, &outline, &package),
        false => {
            let statements = outline.top_imports.iter().filter_map(|i| text.get(i.clone()));
            statements.flat_map(|s| imports::read(s, &package)).collect()
        }
    };
    let import_paths = import_paths(text, &outline, &package, &imports);
    let facts = FileFacts::new(file.id, package, &imports);
    let class = |head: &outline::ClassHead| ClassInfo {
        name: sym(&head.name),
        bases: head.bases.iter().map(|base| facts.resolve(base)).collect(),
        fields: Vec::new(),
        span: Span::new(file.id, head.range.start, head.range.end),
    };
    let module = ModuleInfo {
        imports: imports.iter().map(|i| (i.local, i.path)).collect(),
        import_paths,
        classes: outline.classes.iter().map(class).collect(),
    };
    (module, Rest { outline, facts, in_test: is_test_file(file) })
}

fn parsed_imports(file: &SourceFile, outline: &Outline, package: &str) -> Vec<imports::Import> {
    let skeleton = skeleton(&file.text, outline);
    let tree = parse(&skeleton, file.id, &mut Notes::default());
    tree.map(|t| scope::bindings(t.root_node(), skeleton.text(), package).imports).unwrap_or_default()
}

impl Rest {
    /// Lowers the skeleton of the file; see [`super::Rest::top`].
    pub fn top(&self, file: &SourceFile, notes: &mut Notes) -> Top {
        let skeleton = skeleton(&file.text, &self.outline);
        let tree = parse(&skeleton, file.id, notes);
        let names = |t: &Tree| scope::bindings(t.root_node(), skeleton.text(), &self.facts.package);
        let found = tree.as_ref().map(names).unwrap_or_default();
        let (facts, in_test) = (&self.facts, self.in_test);
        let top = def::Top { facts, piece: &skeleton, found: &found, in_test, end: file.text.len() };
        def::module(tree.as_ref(), top, notes)
    }

    /// Lowers the functions for which the test of their range holds, in the order of the source.
    fn functions(&self, file: &SourceFile, notes: &mut Notes, wanted: impl Fn(&Range<usize>) -> bool) -> Vec<Func> {
        let wanted = self.outline.defs.iter().filter(|d| wanted(&d.range));
        wanted.map(|def| self.lower(&file.text, def, self.in_test, notes)).collect()
    }

    fn lower(&self, text: &str, def: &Def, with_decorators: bool, notes: &mut Notes) -> Func {
        let piece = match with_decorators && !def.decorators.is_empty() {
            true => decorated(text, def, &self.outline.generics),
            false => Piece::new(text, def.range.clone(), &self.outline.generics),
        };
        let tree = parse(&piece, self.facts.file, notes);
        let at = def::Context { facts: &self.facts, piece: &piece, in_test: self.in_test };
        def::function(text, tree.as_ref(), def, at, notes)
    }

    /// The function that this byte of the file stands in; see [`super::Rest::function`].
    pub fn function(&self, file: &SourceFile, at: u32, notes: &mut Notes) -> Option<Func> {
        self.functions(file, notes, |range| range.contains(&(at as usize))).pop()
    }

    /// The same, with its decorators; see [`super::Rest::decorated`].
    pub fn decorated(&self, file: &SourceFile, at: u32, notes: &mut Notes) -> Option<Func> {
        let def = self.outline.defs.iter().rfind(|d| d.range.contains(&(at as usize)))?;
        Some(self.lower(&file.text, def, true, notes))
    }
}

/// Lowers functions of a Python file, and nothing else; see [`super::open`].
pub fn open(file: &SourceFile, wanted: &[Range<u32>]) -> Lowered {
    let (module, rest) = read(file);
    let mut notes = Notes::default();
    let is_wanted = |range: &Range<usize>| wanted.iter().any(|w| range.contains(&(w.start as usize)));
    let functions = rest.functions(file, &mut notes, is_wanted);
    Lowered { functions, module, notes, rest: super::Rest::Python(Box::new(rest)) }
}

/// Lowers a Python file; see [`super::lower`].
pub fn lower(file: &SourceFile, wanted: Option<&[Range<u32>]>) -> Lowered {
    let mut lowered = open(file, wanted.unwrap_or(&[]));
    let super::Rest::Python(rest) = &lowered.rest else { return lowered };
    let top = rest.top(file, &mut lowered.notes);
    if wanted.is_none() {
        lowered.functions = rest.functions(file, &mut lowered.notes, |_| true);
    }
    lowered.module.classes = top.classes;
    lowered.functions.splice(0..0, top.functions);
    lowered.notes.errors.sort();
    if let Some(functions) = lowered.functions.get_mut(1..) {
        functions.sort_by_key(|f| f.span.start);
    }
    lowered
}

/// A function with its decorators, all at the margin.
fn decorated<'a>(text: &'a str, def: &Def, generics: &[Range<usize>]) -> Piece<'a> {
    let heads = def.decorators.iter().map(|d| d.start).chain([def.range.start]);
    let margin = |head: usize| text.get(..head).and_then(|t| t.rfind('\n')).map_or(0, |line| line + 1)..head;
    let mut cuts: Vec<Range<usize>> = heads.clone().map(margin).chain(generics.iter().cloned()).collect();
    cuts.sort_by_key(|c| c.start);
    let start = heads.min().unwrap_or(def.range.start);
    Piece::new(text, start..def.range.end, &cuts)
}

/// A file without its functions and type parameters.
fn skeleton<'a>(text: &'a str, outline: &Outline) -> Piece<'a> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut cuts = outline.bodies.clone();
    cuts.extend(outline.generics.iter().cloned());
    cuts.sort_by_key(|c| c.start);
    Piece::new(text, start..text.len(), &cuts)
}

/// Every path imported anywhere, each once. Statements that share their line with another (`try: import x`) are known
/// only where they are parsed: at the top of the file.
fn import_paths(text: &str, outline: &Outline, package: &str, top: &[imports::Import]) -> Vec<Sym> {
    let mut seen = rustc_hash::FxHashSet::default();
    let statements = outline.imports.iter().filter_map(|i| text.get(i.clone()));
    let all = statements.flat_map(|s| imports::read(s, package)).chain(top.iter().copied());
    all.flat_map(|i| [i.module, i.full]).filter(|path| *path != sym("") && seen.insert(*path)).collect()
}
