//! What the lowering of one function carries along, and the small steps all of it is made of.
//!
//! Expressions of Python hold statements (`:=`, `yield`, a value needed twice). Those are put in front of the statement
//! at hand:
//!
//! ```text
//! if (row := get(k)) is None:        row = get(k)
//!     a, b = f()                     if not present(row):
//!                                      %1 = f()
//!                                      a = %1.0
//!                                      b = %1.1
//! ```

use super::imports::Import;
use super::kinds::{K, first, has_token, kind, kind_name, parts};
use super::scope::{Binding, Scope};
use crate::ir::{Arena, Arg, Bin, Block, Expr, ExprId, Lit, Place, Site, Stmt, Sym, sym};
use crate::lang::Notes;
use crate::lang::piece::Piece;
use crate::source::{FileId, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

/// How deep expressions and statements may nest. Deeper ones are holes: hostile input must not end the stack, and the
/// passes that follow recurse as well.
pub(super) const DEPTH: u32 = 200;

/// How long a chain of operators may be before it is built as a balanced tree.
const CHAIN: usize = 32;

/// What all functions of a file share.
#[derive(Clone, Debug)]
pub(super) struct FileFacts {
    /// The file.
    pub file: FileId,
    /// The package it stands in, for relative imports.
    pub package: String,
    /// Its imports at the top.
    pub imports: Scope,
}

impl FileFacts {
    /// Makes the scope of a file out of its imports; the first import of a name wins.
    pub fn new(file: FileId, package: String, found: &[Import]) -> Self {
        let mut names = FxHashMap::default();
        for import in found {
            names.entry(import.local).or_insert(Binding::Import(import.path));
        }
        FileFacts { file, package, imports: Scope { names } }
    }
    /// A dotted name as written at the top of the file, its first part resolved.
    pub fn resolve(&self, dotted: &str) -> Sym {
        let (head, rest) = dotted.split_once('.').map_or((dotted, ""), |(head, rest)| (head, rest));
        match self.imports.names.get(&sym(head)) {
            Some(Binding::Import(path)) if rest.is_empty() => *path,
            Some(Binding::Import(path)) => sym(&format!("{path}.{rest}")),
            _ => sym(dotted),
        }
    }
}

/// The lowering of one function.
pub(super) struct Cx<'a> {
    pub facts: &'a FileFacts,
    pub piece: &'a Piece<'a>,
    pub notes: &'a mut Notes,
    pub arena: Arena,
    /// From the file's imports inwards.
    pub scopes: Vec<Scope>,
    /// The place of the statement at hand.
    pub stmt: Span,
    /// What has to happen before it.
    pub pending: Block,
    /// Where a generator collects: one entry for each function around.
    pub out: Vec<Option<Sym>>,
    /// Loops of the lowering, not of the source, between here and the loop a `break` means.
    pub extra_loops: u8,
    /// Comprehensions around: nothing may be put in front of a statement that speaks of their variables.
    pub comprehensions: u32,
    depth: u32,
    fresh: u32,
    renamed: u32,
    imported: FxHashSet<Sym>,
}

impl<'a> Cx<'a> {
    pub fn new(facts: &'a FileFacts, piece: &'a Piece<'a>, notes: &'a mut Notes) -> Self {
        let stmt = Span::new(facts.file, 0, 0);
        Cx {
            facts,
            piece,
            notes,
            arena: Arena::default(),
            scopes: vec![facts.imports.clone()],
            stmt,
            pending: Vec::new(),
            out: Vec::new(),
            extra_loops: 0,
            comprehensions: 0,
            depth: 0,
            fresh: 0,
            renamed: 0,
            imported: FxHashSet::default(),
        }
    }

    pub fn text(&self, node: Node) -> &'a str {
        self.piece.text().get(node.byte_range()).unwrap_or_default()
    }
    pub fn span(&self, node: Node) -> Span {
        self.piece.span(self.facts.file, node.byte_range())
    }
    /// From the start of one node to the end of another.
    pub fn span_to(&self, from: Node, to: Node) -> Span {
        self.piece.span(self.facts.file, from.start_byte()..to.end_byte())
    }
    pub fn at(&mut self, id: ExprId, node: Node) -> ExprId {
        let span = self.span(node);
        self.arena.at(id, span)
    }

    /// Runs one level deeper; nothing where that is too deep.
    pub fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        Some(result)
    }

    /// Something not understood.
    pub fn hole(&mut self, node: Node) -> ExprId {
        self.hole_named(kind_name(node), node)
    }
    pub fn hole_named(&mut self, name: &'static str, node: Node) -> ExprId {
        *self.notes.holes.entry(name).or_default() += 1;
        self.opaque(node)
    }
    /// Something that is understood and has no value worth modelling.
    pub fn opaque(&mut self, node: Node) -> ExprId {
        let id = self.arena.unknown();
        self.at(id, node)
    }

    pub fn lit(&mut self, lit: Lit) -> ExprId {
        self.arena.lit(lit)
    }
    pub fn nothing(&mut self) -> ExprId {
        self.arena.lit(Lit::Nothing)
    }
    pub fn empty(&mut self) -> ExprId {
        self.arena.lit(Lit::Empty)
    }
    pub fn path(&mut self, path: &str) -> ExprId {
        self.arena.mk(Expr::Path(sym(path)))
    }
    pub fn present(&mut self, e: ExprId) -> ExprId {
        self.arena.mk(Expr::Unary(crate::ir::Un::Present, e))
    }
    pub fn lookup(&mut self, of: ExprId, key: ExprId) -> ExprId {
        self.arena.mk(Expr::Lookup(of, key))
    }
    pub fn one(&mut self, e: ExprId) -> ExprId {
        self.arena.mk(Expr::One(e))
    }
    /// Gives what has no syntax node of its own the place of a part it is made of; parts stand before their wholes.
    pub fn borrow_places(&mut self) {
        for id in self.arena.ids() {
            if self.arena.origin(id).is_some() {
                continue;
            }
            let mut place = None;
            self.arena.children(id, &mut |part| place = place.or(self.arena.origin(part)));
            if let Some(span) = place {
                self.arena.at(id, span);
            }
        }
    }
    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.arena.binary(Bin::Eq, a, b)
    }

    /// A call of the source. `name` is the part of it that a finding points at.
    pub fn call(&mut self, name: Span, whole: Span, callee: ExprId, args: Vec<Arg>) -> ExprId {
        let site = self.arena.new_site(Site {
            name,
            whole,
            stmt: self.stmt,
            via: None,
            row: None,
            acts: false,
            once: false,
            unheeded: false,
            sole: false,
            waited: false,
        });
        self.arena.call(site, callee, args)
    }
    /// An operation that the IR has no form for, as a call of a name no program can define.
    pub fn op(&mut self, name: &str, node: Node, values: Vec<ExprId>) -> ExprId {
        let callee = self.path(name);
        let span = self.span(node);
        let args = values.into_iter().map(|value| Arg { name: None, value }).collect();
        self.call(span, span, callee, args)
    }

    /// Joins with an operator: to the left, as written; a long chain is balanced, so that no pass recurses deep.
    pub fn fold(&mut self, op: Bin, mut items: Vec<ExprId>) -> Option<ExprId> {
        if items.len() <= CHAIN {
            let mut items = items.into_iter();
            let head = items.next()?;
            return Some(items.fold(head, |a, b| self.arena.binary(op, a, b)));
        }
        let right = items.split_off(items.len() / 2);
        let (left, right) = (self.fold(op, items)?, self.fold(op, right)?);
        Some(self.arena.binary(op, left, right))
    }

    /// A name no program can write.
    pub fn fresh(&mut self) -> Sym {
        self.fresh += 1;
        sym(&format!("%{}", self.fresh))
    }
    /// The symbol for a closure's own local: another one where a function around it has a local of that name, since the
    /// closure's body is part of that function.
    pub fn own_name(&mut self, name: Sym) -> Sym {
        let taken = self.scopes.iter().any(|s| matches!(s.names.get(&name), Some(Binding::Local(_))));
        if !taken {
            return name;
        }
        self.renamed += 1;
        sym(&format!("{name}%{}", self.renamed))
    }

    /// What a name stands for here.
    pub fn binding(&self, name: Sym) -> Option<Binding> {
        self.scopes.iter().rev().find_map(|s| s.names.get(&name).copied())
    }
    /// The value of a name.
    pub fn named(&mut self, name: &str) -> ExprId {
        let name = sym(name);
        match self.binding(name) {
            Some(Binding::Local(local)) => self.arena.mk(Expr::Name(local)),
            Some(Binding::Value(value)) => value,
            Some(Binding::Import(path)) => {
                self.imported.insert(path);
                self.arena.mk(Expr::Path(path))
            }
            Some(Binding::Global) => {
                let globals = self.path("%globals");
                self.arena.field(globals, name)
            }
            None => self.arena.mk(Expr::Path(name)),
        }
    }
    /// Is this identifier the builtin of that name, neither assigned nor imported?
    pub fn builtin(&self, node: Node) -> Option<&'a str> {
        let word = self.text(node);
        (kind(node) == K::Ident && self.binding(sym(word)).is_none()).then_some(word)
    }
    /// A path that an import gave.
    pub fn imported_path(&self, e: ExprId) -> Option<Sym> {
        match self.arena.get(e) {
            Expr::Path(path) if self.imported.contains(path) => Some(*path),
            _ => None,
        }
    }
    /// `base.f`; of an import it is a longer path.
    pub fn member(&mut self, base: ExprId, f: &str) -> ExprId {
        if let Some(path) = self.imported_path(base) {
            let path = sym(&format!("{path}.{f}"));
            self.imported.insert(path);
            return self.arena.mk(Expr::Path(path));
        }
        self.arena.field(base, sym(f))
    }

    /// Where a name is kept.
    pub fn place_of_name(&mut self, name: &str) -> Place {
        let name = sym(name);
        match self.binding(name) {
            Some(Binding::Local(local)) => Place::Name(local),
            Some(Binding::Global) => {
                let globals = self.path("%globals");
                Place::Field(globals, name)
            }
            _ => Place::Name(name),
        }
    }

    /// Appends a statement after what has to happen before it.
    pub fn emit(&mut self, out: &mut Block, stmt: Stmt) {
        out.append(&mut self.pending);
        out.push(stmt);
    }
    /// Runs with a `pending` of its own and gives back what it held.
    pub fn apart<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> (Block, T) {
        let before = std::mem::take(&mut self.pending);
        let result = run(self);
        (std::mem::replace(&mut self.pending, before), result)
    }
    /// A value that may be used more than once: kept in a fresh local where it is more than a name.
    pub fn once(&mut self, value: ExprId) -> ExprId {
        let holds_call =
            |cx: &Self| cx.arena.mentions(value, &mut |e| matches!(cx.arena.get(e), Expr::Call(_) | Expr::Closure(_)));
        if self.comprehensions > 0 || !holds_call(self) {
            return value;
        }
        let temp = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(temp), value));
        let origin = self.arena.origin(value);
        let name = self.arena.mk(Expr::Name(temp));
        if let Some(span) = origin {
            self.arena.at(name, span);
        }
        name
    }

    /// Parentheses change nothing.
    pub fn unwrap_paren<'t>(&self, mut node: Node<'t>) -> Node<'t> {
        // `(x) = v` is no tuple of one.
        let bare = |n| kind(n) == K::TuplePattern && parts(n).len() == 1 && !has_token(n, ",");
        while kind(node) == K::Paren || bare(node) {
            match first(node) {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }
}
