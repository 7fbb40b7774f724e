//! Go, by tree-sitter.
//!
//! A file is cut before it is parsed (`outline`): imports, types and constants are read from the text, and each function
//! is parsed alone, where it is wanted. So a broken function is one broken function.
//!
//! ```text
//! package gc                               <module>: grace = 600
//! import "os"                              os -> Path("os")
//! var grace = 10 * time.Minute
//! type Reaper struct { api Client }        class Reaper [api: Client]
//! func (r *Reaper) Sweep() error { … }     Sweep of Reaper, only where it is wanted
//! ```
//!
//! A failure is a value: after `x, err := f()` both `x` and `err` are the call, and `err != nil` asks whether it failed.
//! The files of this folder in reading order: `outline` and `imports` (text), `names`, `build` (the small steps), `func`
//! (functions), `stmt`, `loops`, `switch`, `assign` (statements), `expr`, `ops`, `errors`, `call`, `apply`, `literal`
//! (expressions).

mod apply;
mod assign;
mod build;
mod call;
mod errors;
mod expr;
mod func;
mod imports;
mod kinds;
mod literal;
mod loops;
mod names;
mod ops;
mod outline;
mod stmt;
mod switch;

use super::piece::{self, Piece};
use super::{ClassInfo, Lowered, ModuleInfo, Notes, Top};
use crate::ir::{Func, Sym, sym};
use crate::source::{FileId, SourceFile, Span};
use build::FileFacts;
use names::{Binding, Scope};
use outline::{Def, Outline};
use std::cell::RefCell;
use std::ops::Range;
use tree_sitter::{Parser, Tree};

thread_local! {
    static PARSER: RefCell<Parser> = piece::parser(kinds::language());
}

fn parse(piece: &Piece, file: FileId, notes: &mut Notes) -> Option<Tree> {
    piece::parse(&PARSER, piece, file, notes)
}

/// Is it a file of tests, or of their scaffolding?
pub(super) fn is_test_file(file: &SourceFile) -> bool {
    let named = file.path.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.ends_with("_test.go"));
    named || super::in_test_folder(&file.path)
}

/// What the functions of a file need of the rest of it; see [`super::Rest`].
#[derive(Clone, Debug)]
pub struct Rest {
    outline: Outline,
    facts: FileFacts,
    classes: Vec<ClassInfo>,
    is_test: bool,
}

/// What the text of a file says without a parse: its imports, types, constants, and where its functions stand.
fn read(file: &SourceFile) -> (ModuleInfo, Rest) {
    let text: &str = &file.text;
    let outline = outline::outline(text);
    let declarations = outline.imports.iter().filter_map(|r| text.get(r.clone()));
    let imports: Vec<imports::Import> = declarations.flat_map(imports::read).collect();
    let mut scope = Scope::default();
    for (name, value) in &outline.consts {
        scope.names.insert(sym(name), Binding::Const(sym(value)));
    }
    for import in &imports {
        for (i, local) in import.locals.iter().enumerate() {
            // A guess yields to what another import is surely called.
            let entry = scope.names.entry(*local);
            if i == 0 {
                entry.insert_entry(Binding::Import(import.path));
            } else {
                entry.or_insert(Binding::Import(import.path));
            }
        }
    }
    let fields = |t: &outline::TypeHead| t.fields.iter().map(|f| sym(f)).collect();
    let types = outline.types.iter().map(|t| (sym(&t.name), fields(t))).collect();
    let facts = FileFacts { file: file.id, scope, types };
    let class = |head: &outline::TypeHead| ClassInfo {
        name: sym(&head.name),
        bases: head.bases.iter().map(|base| facts.resolve(base)).collect(),
        // Asked for one type at a time.
        fields: Vec::new(),
        span: Span::new(file.id, head.range.start, head.range.end),
    };
    let classes: Vec<ClassInfo> = outline.types.iter().map(class).collect();
    let mut import_paths = Vec::new();
    for import in &imports {
        if !import_paths.contains(&import.path) {
            import_paths.push(import.path);
        }
    }
    let module = ModuleInfo {
        imports: imports.iter().filter_map(|i| Some((*i.locals.first()?, i.path))).collect(),
        import_paths,
        classes: classes.clone(),
    };
    (module, Rest { outline, facts, classes, is_test: is_test_file(file) })
}

impl Rest {
    /// Lowers what stands in no function; see [`super::Rest::top`].
    pub fn top(&self, file: &SourceFile, notes: &mut Notes) -> Top {
        let text: &str = &file.text;
        let (piece, tree) = self.parsed(Piece::lines(text, &self.outline.values), notes);
        let at = func::Context { facts: &self.facts, piece: &piece, is_test: self.is_test };
        let functions = vec![func::module(tree.as_ref(), at, text.len(), notes)];
        let classes = self.classes.iter().map(|class| ClassInfo { fields: self.fields(class.name), ..class.clone() });
        Top { functions, classes: classes.collect() }
    }

    /// The fields of a type whose type has a name; see [`super::Rest::fields`].
    pub fn fields(&self, class: Sym) -> Vec<(Sym, Sym)> {
        let head = self.outline.types.iter().find(|head| class == head.name.as_str());
        let typed = head.into_iter().flat_map(|head| &head.typed);
        typed.map(|(name, ty)| (sym(name), self.facts.resolve(ty))).collect()
    }

    /// Lowers the functions for which the test of their range holds, in the order of the source.
    fn functions(&self, file: &SourceFile, notes: &mut Notes, wanted: impl Fn(&Range<usize>) -> bool) -> Vec<Func> {
        let wanted = self.outline.defs.iter().filter(|d| wanted(&d.range));
        wanted.map(|def| self.lower(&file.text, def, notes)).collect()
    }

    /// Parses a piece; once more where it holds what the grammar does not know: `new` of a value.
    fn parsed<'a>(&self, piece: Piece<'a>, notes: &mut Notes) -> (Piece<'a>, Option<Tree>) {
        let (known, gave_up) = (notes.errors.len(), notes.holes.clone());
        let tree = parse(&piece, self.facts.file, notes);
        let broken = tree.as_ref().is_none_or(|t| t.root_node().has_error());
        let Some(again) = broken.then(|| newer(piece.text())).flatten() else { return (piece, tree) };
        notes.errors.truncate(known);
        notes.holes = gave_up;
        let piece = piece.with_text(again);
        let tree = parse(&piece, self.facts.file, notes);
        (piece, tree)
    }

    fn lower(&self, text: &str, def: &Def, notes: &mut Notes) -> Func {
        let (piece, tree) = self.parsed(Piece::new(text, def.range.clone(), &[]), notes);
        let at = func::Context { facts: &self.facts, piece: &piece, is_test: self.is_test };
        func::function(text, tree.as_ref(), def, at, notes)
    }

    /// The function that this byte of the file stands in; see [`super::Rest::function`].
    pub fn function(&self, file: &SourceFile, at: u32, notes: &mut Notes) -> Option<Func> {
        self.functions(file, notes, |range| range.contains(&(at as usize))).pop()
    }
}

/// What `new` is called where it is given a value.
const NEW: &str = "nEw";

/// The text with `new(3)`, `new("a")`, `new(f(x))` of Go 1.26 under a name that the grammar takes for a function.
fn newer(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut found) = (text, false);
    while let Some(at) = rest.find("new(") {
        let (before, after) = rest.split_at(at);
        let inside = after.get(4..).unwrap_or_default();
        let word = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.'));
        let ty = inside.starts_with(['[', '*'])
            || ["map[", "chan ", "func(", "struct", "interface"].iter().any(|t| inside.starts_with(t));
        out.push_str(before);
        let plain = word || ty;
        found |= !plain;
        out.push_str(if plain { "new(" } else { "nEw(" });
        rest = inside;
    }
    out.push_str(rest);
    found.then_some(out)
}

/// Lowers functions of a Go file, and nothing else; see [`super::open`].
pub fn open(file: &SourceFile, wanted: &[Range<u32>]) -> Lowered {
    let (module, rest) = read(file);
    let broken = |range: &Range<usize>| Span::new(file.id, range.start, range.end);
    let mut notes = Notes { errors: rest.outline.broken.iter().map(broken).collect(), ..Notes::default() };
    let is_wanted = |range: &Range<usize>| wanted.iter().any(|w| range.contains(&(w.start as usize)));
    let functions = rest.functions(file, &mut notes, is_wanted);
    Lowered { functions, module, notes, rest: super::Rest::Go(Box::new(rest)) }
}

/// Lowers a Go file; see [`super::lower`].
pub fn lower(file: &SourceFile, wanted: Option<&[Range<u32>]>) -> Lowered {
    let mut lowered = open(file, wanted.unwrap_or(&[]));
    let super::Rest::Go(rest) = &lowered.rest else { return lowered };
    let top = rest.top(file, &mut lowered.notes);
    if wanted.is_none() {
        lowered.functions = rest.functions(file, &mut lowered.notes, |_| true);
    }
    lowered.module.classes = top.classes;
    lowered.functions.splice(0..0, top.functions);
    lowered.notes.errors.sort();
    lowered
}

/// An import path as a dotted one: `k8s.io/client-go/kubernetes` is `k8s.io.client_go.kubernetes`.
pub fn dotted(path: &str) -> String {
    imports::dotted(path)
}
