//! What the lowering of one function carries along, and the small steps all of it is made of.
//!
//! What must happen before a statement stands in `pending` until the statement is written. A local that hides another
//! one gets a symbol of its own, for all blocks of a function share its names in the IR:
//!
//! ```text
//! for _, x := range xs {           for x in xs:
//!     x := f(x)                      x%1 = f(x)
//!     if g(&y) { … }                 y = g(y)
//! }                                  if y: …
//! ```

use super::kinds::{K, first, kind, kind_name};
use super::names::{Binding, Info, Scope, Ty};
use crate::ir::{Arena, Arg, Bin, Block, Expr, ExprId, Lit, Place, Site, Stmt, Sym, Un, sym};
use crate::lang::Notes;
use crate::lang::piece::Piece;
use crate::source::{FileId, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use tree_sitter::Node;

/// How deep expressions and statements may nest. Deeper ones are holes: hostile input must not end the stack, and the
/// passes that follow recurse as well.
pub(super) const DEPTH: u32 = 200;

/// How long a chain of operators may be before it is built as a balanced tree.
pub(super) const CHAIN: usize = 32;

/// What all functions of a file share.
#[derive(Clone, Debug)]
pub(super) struct FileFacts {
    /// The file.
    pub file: FileId,
    /// Its imports and the constants that are text.
    pub scope: Scope,
    /// Its types, with the names of their fields in order.
    pub types: FxHashMap<Sym, Vec<Sym>>,
}

impl FileFacts {
    /// A type as written, `pkg.Name` or `Name`, with its import resolved.
    pub fn resolve(&self, dotted: &str) -> Sym {
        let Some((head, rest)) = dotted.split_once('.') else { return sym(dotted) };
        match self.scope.names.get(&sym(head)) {
            Some(Binding::Import(path)) => sym(&format!("{path}.{rest}")),
            _ => sym(dotted),
        }
    }
}

/// What a function gives back.
#[derive(Clone, Debug, Default)]
pub(super) struct Results {
    /// How many values there are besides the error.
    pub values: usize,
    /// The last of all is an error.
    pub fails: bool,
    /// The last value of two says whether there is the first.
    pub says_ok: bool,
    /// Their names, where they have some.
    pub names: Vec<Sym>,
}

/// What a `break` or `continue` may mean.
#[derive(Clone, Debug)]
pub(super) struct Target<'t> {
    /// Its label.
    pub label: Option<Sym>,
    /// `continue` may mean it too.
    pub is_loop: bool,
    /// It is a loop in the IR.
    pub written: bool,
    /// What is done before each further round.
    pub update: Option<Node<'t>>,
}

/// An element by its position: in `for i := range xs`, `xs[i]` is it.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// The collection, as written.
    pub over: String,
    /// The variable of the position.
    pub index: Sym,
    /// The element.
    pub element: ExprId,
}

/// The lowering of one function.
pub(super) struct Cx<'a> {
    pub facts: &'a FileFacts,
    pub piece: &'a Piece<'a>,
    pub notes: &'a mut Notes,
    pub arena: Arena,
    /// From the file's imports inwards.
    pub scopes: Vec<Scope>,
    /// What is known of a local.
    pub info: FxHashMap<Sym, Info>,
    /// The place of the statement at hand.
    pub stmt: Span,
    /// What has to happen before it.
    pub pending: Block,
    /// What the functions around give back, innermost last.
    pub results: Vec<Results>,
    /// Loops and switches around, innermost last.
    pub targets: Vec<Target<'a>>,
    /// The label of the statement at hand.
    pub label: Option<Sym>,
    /// Locals that were given what another holds.
    pub same: Vec<(Sym, Sym)>,
    /// Elements known by position.
    pub positions: Vec<Position>,
    /// What a loop asks for its next element, as written, and the element.
    pub iterating: Vec<(String, ExprId)>,
    /// Errors that say that a traversal is over: inside it, it is not.
    pub ends: Vec<ExprId>,
    /// What takes things off a channel, until who puts them there has been read; one list for each function around.
    pub later: Vec<Block>,
    /// Whether the one who waits has given up: one unknown for a function.
    pub given_up: Option<ExprId>,
    /// What is done when the function ends, in the order of the source; one list for each function around.
    pub deferred: Vec<Block>,
    /// Blocks around, inside the function.
    pub nesting: u32,
    /// Errors beside the value that the same call gave.
    pub pairs: FxHashMap<ExprId, ExprId>,
    /// Errors that are known to be some, by the conditions around.
    pub failed: Vec<ExprId>,
    /// What is lowered.
    pub root: Option<Node<'a>>,
    /// Names that stand alone as a condition somewhere in it; few ask.
    pub tested: OnceCell<FxHashSet<Sym>>,
    /// Nothing may be put in front of a statement.
    pub inside: u32,
    depth: u32,
    fresh: u32,
    renamed: u32,
    imported: FxHashSet<Sym>,
}

impl<'a> Cx<'a> {
    pub fn new(facts: &'a FileFacts, piece: &'a Piece<'a>, notes: &'a mut Notes) -> Self {
        Cx {
            facts,
            piece,
            notes,
            arena: Arena::default(),
            scopes: vec![facts.scope.clone()],
            info: FxHashMap::default(),
            stmt: Span::new(facts.file, 0, 0),
            pending: Vec::new(),
            results: Vec::new(),
            targets: Vec::new(),
            label: None,
            same: Vec::new(),
            positions: Vec::new(),
            iterating: Vec::new(),
            ends: Vec::new(),
            later: Vec::new(),
            given_up: None,
            deferred: Vec::new(),
            nesting: 0,
            pairs: FxHashMap::default(),
            failed: Vec::new(),
            root: None,
            tested: OnceCell::new(),
            inside: 0,
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
    pub fn local(&mut self, name: Sym) -> ExprId {
        self.arena.mk(Expr::Name(name))
    }
    pub fn path(&mut self, path: &str) -> ExprId {
        self.arena.mk(Expr::Path(sym(path)))
    }
    pub fn present(&mut self, e: ExprId) -> ExprId {
        self.arena.mk(Expr::Unary(Un::Present, e))
    }
    pub fn lookup(&mut self, of: ExprId, key: ExprId) -> ExprId {
        self.arena.mk(Expr::Lookup(of, key))
    }
    pub fn one(&mut self, e: ExprId) -> ExprId {
        self.arena.mk(Expr::One(e))
    }
    pub fn format(&mut self, parts: Vec<ExprId>) -> ExprId {
        self.arena.mk(Expr::Format(parts))
    }
    /// Values by position.
    pub fn record(&mut self, values: Vec<ExprId>) -> ExprId {
        let fields = values.into_iter().enumerate().map(|(i, v)| (sym(&i.to_string()), v)).collect();
        self.arena.mk(Expr::Record(fields))
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

    /// A call of the source. `name` is the part of it that a finding points at.
    pub fn call(&mut self, name: Span, whole: Span, callee: ExprId, args: Vec<ExprId>) -> ExprId {
        let args = args.into_iter().map(|value| Arg { name: None, value }).collect();
        self.call_with(name, whole, callee, args)
    }
    pub fn call_with(&mut self, name: Span, whole: Span, callee: ExprId, args: Vec<Arg>) -> ExprId {
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
        self.call(span, span, callee, values)
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

    /// Makes a name of the source a local of the innermost scope. `_` is none.
    pub fn declare(&mut self, name: &str, info: Info) -> Option<Sym> {
        if name == "_" {
            return None;
        }
        let source = sym(name);
        let here = self.scopes.last().and_then(|s| s.names.get(&source)).copied();
        let local = match here {
            Some(Binding::Local(local)) => local,
            _ => {
                let taken = self.scopes.iter().any(|s| matches!(s.names.get(&source), Some(Binding::Local(_))));
                match taken {
                    false => source,
                    true => {
                        self.renamed += 1;
                        sym(&format!("{name}%{}", self.renamed))
                    }
                }
            }
        };
        self.info.insert(local, info);
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(source, Binding::Local(local));
        }
        Some(local)
    }

    /// What a name stands for here.
    pub fn binding(&self, name: Sym) -> Option<Binding> {
        self.scopes.iter().rev().find_map(|s| s.names.get(&name).copied())
    }
    /// The local that an identifier is.
    pub fn local_of(&self, node: Node) -> Option<Sym> {
        if kind(node) != K::Ident {
            return None;
        }
        match self.binding(sym(self.text(node))) {
            Some(Binding::Local(local)) => Some(local),
            _ => None,
        }
    }
    pub fn info_of(&self, node: Node) -> Option<Info> {
        self.local_of(node).map(|local| self.info.get(&local).copied().unwrap_or_default())
    }
    pub fn ty_of(&self, node: Node) -> Ty {
        self.info_of(node).map(|i| i.ty).unwrap_or_default()
    }
    /// Is this identifier the builtin of that name, neither declared nor imported?
    pub fn builtin(&self, node: Node) -> Option<&'a str> {
        if !matches!(kind(node), K::Ident | K::TypeIdent) {
            return None;
        }
        let word = self.text(node);
        self.binding(sym(word)).is_none().then_some(word)
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
            Some(Binding::Const(text)) => self.arena.mk(Expr::Lit(Lit::Str(text))),
            Some(Binding::Global) => {
                let globals = self.path("%globals");
                self.arena.field(globals, name)
            }
            None => self.arena.mk(Expr::Path(name)),
        }
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

    /// Where a name is kept. One that is no local belongs to the package, and is written here.
    pub fn place_of_name(&mut self, name: &str) -> Place {
        let source = sym(name);
        match self.binding(source) {
            Some(Binding::Local(local)) => Place::Name(local),
            Some(Binding::Value(_)) => Place::Name(self.fresh()),
            _ => {
                if let Some(scope) = self.scopes.get_mut(1) {
                    scope.names.insert(source, Binding::Global);
                }
                let globals = self.path("%globals");
                Place::Field(globals, source)
            }
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
    /// Runs in a scope of its own.
    pub fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        self.nesting += 1;
        let positions = self.positions.len();
        let result = run(self);
        self.positions.truncate(positions);
        self.nesting -= 1;
        self.scopes.pop();
        result
    }
    /// A value that may be used more than once: kept in a fresh local where it is more than a name.
    pub fn once(&mut self, value: ExprId) -> ExprId {
        let holds_call =
            |cx: &Self| cx.arena.mentions(value, &mut |e| matches!(cx.arena.get(e), Expr::Call(_) | Expr::Closure(_)));
        if self.inside > 0 || !holds_call(self) {
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
        while kind(node) == K::Paren {
            match first(node) {
                Some(inner) => node = inner,
                None => break,
            }
        }
        node
    }
}
