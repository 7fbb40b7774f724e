//! What the lowering of one function carries along, and the small steps all of it is made of.
//!
//! Expressions of Rust hold statements (`?`, blocks, `match`). Those are put in front of the statement at hand:
//!
//! ```text
//! let row = db.find(id).await?;      %1 = db.find(id)
//!                                    if raised(%1): return failed
//!                                    row = %1
//! ```

use super::guess::{Kind, Ret};
use super::span;
use super::uses::{Import, absolute, plain};
use crate::ir::{Arena, Arg, Bin, Block, Expr, ExprId, Lit, Place, Site, Stmt, Sym, Un, sym};
use crate::lang::Notes;
use crate::source::{FileId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// How deep expressions and statements may nest.
const DEPTH: u32 = 200;

/// How many things may be joined to the left.
const CHAIN: usize = 32;

/// What all functions of a file share.
#[derive(Clone, Debug)]
pub(super) struct FileFacts {
    /// The file.
    pub file: FileId,
    /// The dotted path of its module.
    pub module: String,
    /// Its imports.
    pub imports: FxHashMap<Sym, Sym>,
    /// What kind of value a field of this name holds, where the structs of the file agree.
    pub fields: FxHashMap<Sym, Kind>,
    /// Its constants that are texts.
    pub texts: FxHashMap<Sym, Sym>,
}

impl FileFacts {
    /// The facts of a file with these imports; the first import of a name wins.
    pub fn new(file: FileId, module: String, found: &[Import]) -> Self {
        let mut imports = FxHashMap::default();
        for import in found.iter().filter(|i| *i.local != *"*" && *i.local != *"_") {
            imports.entry(import.local).or_insert(import.path);
        }
        FileFacts { file, module, imports, fields: FxHashMap::default(), texts: FxHashMap::default() }
    }

    /// A path as written at the top of the file, as a dotted one.
    pub fn resolve(&self, parts: &[String]) -> String {
        let Some((head, rest)) = parts.split_first() else { return String::new() };
        match self.imports.get(&sym(head)) {
            Some(path) if rest.is_empty() => path.to_string(),
            Some(path) => format!("{path}.{}", rest.join(".")),
            None => absolute(parts, &self.module),
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    /// A local.
    Local(Sym, Kind),
    /// The value itself: a variable of a closure that an iterator applies.
    Value(ExprId, Kind),
    /// An import in a function.
    Import(Sym),
}

/// The names of one block.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    pub names: FxHashMap<Sym, Binding>,
}

/// A loop, or a block with a label.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub label: Option<String>,
    /// Where `break v` leaves its value.
    pub value: Option<Sym>,
    /// A block with a label: a bare `break` does not mean it.
    pub block: bool,
}

/// The function or closure at hand.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub ret: Ret,
    pub loops: Vec<Loop>,
}

/// The lowering of one function.
pub(super) struct Cx<'a> {
    pub facts: &'a FileFacts,
    pub notes: &'a mut Notes,
    /// Where the parsed text begins in the file.
    pub base: usize,
    /// Its lines.
    pub lines: span::Lines,
    pub class: Option<Sym>,
    pub arena: Arena,
    pub scopes: Vec<Scope>,
    /// The place of the statement at hand.
    pub stmt: Span,
    /// What has to happen before it.
    pub pending: Block,
    pub frames: Vec<Frame>,
    /// Every local made so far, in order.
    pub declared: Vec<Sym>,
    /// Values that were written as `Some(..)` in the closure at hand.
    pub certain: FxHashSet<ExprId>,
    /// The expression that is lowered next is an iterator, by what is asked of it.
    pub many: bool,
    /// The call that a loop over what it is called on stands for, and the element.
    pub next: Option<(*const syn::ExprMethodCall, ExprId)>,
    /// The declared type of the local at hand, and what it is generic over: `let pods: Api<Pod> = Api::all(client)`.
    pub told: Option<(String, ExprId)>,
    /// Calls that only log.
    pub remarks: FxHashSet<ExprId>,
    /// Locals that are functions.
    pub functions: FxHashSet<Sym>,
    /// Values that are options, and so do not fail.
    pub options: FxHashSet<ExprId>,
    /// Type parameters and what they are bound by.
    pub generics: FxHashMap<String, String>,
    depth: u32,
    fresh: u32,
    renamed: u32,
}

impl<'a> Cx<'a> {
    pub fn new(facts: &'a FileFacts, notes: &'a mut Notes, base: usize, class: Option<Sym>) -> Self {
        Cx {
            facts,
            notes,
            base,
            lines: span::Lines::default(),
            class,
            arena: Arena::default(),
            scopes: vec![Scope::default()],
            stmt: Span::new(facts.file, base, base),
            pending: Vec::new(),
            frames: Vec::new(),
            declared: Vec::new(),
            certain: FxHashSet::default(),
            options: FxHashSet::default(),
            many: false,
            next: None,
            remarks: FxHashSet::default(),
            told: None,
            functions: FxHashSet::default(),
            generics: FxHashMap::default(),
            depth: 0,
            fresh: 0,
            renamed: 0,
        }
    }

    /// The place of tokens in the file.
    pub fn place(&self, from: proc_macro2::Span, to: proc_macro2::Span) -> Span {
        let bytes = self.lines.bytes(from, to);
        Span::new(self.facts.file, self.base + bytes.start, self.base + bytes.end.max(bytes.start))
    }
    pub fn span(&self, e: &syn::Expr) -> Span {
        self.place(span::start(e), span::end(e))
    }
    pub fn at(&mut self, id: ExprId, e: &syn::Expr) -> ExprId {
        let span = self.span(e);
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
    pub fn hole(&mut self, name: &'static str, at: Span) -> ExprId {
        *self.notes.holes.entry(name).or_default() += 1;
        self.opaque(at)
    }
    /// Something that is understood and has no value worth modelling.
    pub fn opaque(&mut self, at: Span) -> ExprId {
        let id = self.arena.unknown();
        self.arena.at(id, at)
    }

    pub fn nothing(&mut self) -> ExprId {
        self.arena.lit(Lit::Nothing)
    }
    pub fn failed(&mut self) -> ExprId {
        self.arena.lit(Lit::Failed)
    }
    pub fn empty(&mut self) -> ExprId {
        self.arena.lit(Lit::Empty)
    }
    pub fn yes(&mut self) -> ExprId {
        self.arena.bool(true)
    }
    pub fn path(&mut self, path: &str) -> ExprId {
        self.arena.mk(Expr::Path(sym(path)))
    }
    pub fn name(&mut self, name: Sym) -> ExprId {
        self.arena.mk(Expr::Name(name))
    }
    pub fn lookup(&mut self, of: ExprId, key: ExprId) -> ExprId {
        self.arena.mk(Expr::Lookup(of, key))
    }
    pub fn known(&mut self, of: ExprId, key: ExprId) -> ExprId {
        let found = self.lookup(of, key);
        self.arena.unary(Un::Present, found)
    }
    pub fn one(&mut self, e: ExprId) -> ExprId {
        self.arena.mk(Expr::One(e))
    }
    pub fn format(&mut self, parts: Vec<ExprId>) -> ExprId {
        self.arena.mk(Expr::Format(parts))
    }
    pub fn record(&mut self, values: Vec<ExprId>) -> ExprId {
        let parts = values.into_iter().enumerate().map(|(i, v)| (sym(&i.to_string()), v)).collect();
        self.arena.mk(Expr::Record(parts))
    }
    pub fn field(&mut self, base: ExprId, name: &str) -> ExprId {
        self.arena.field(base, sym(name))
    }
    /// A choice; between truths it is what logic says.
    pub fn choose(&mut self, c: ExprId, t: ExprId, f: ExprId) -> ExprId {
        match self.arena.as_bool(f) {
            Some(false) => self.arena.and(c, t),
            Some(true) => {
                let not = self.arena.not(c);
                self.arena.or(not, t)
            }
            None => self.arena.choose(c, t, f),
        }
    }
    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.arena.binary(Bin::Eq, a, b)
    }
    /// All of these together: to the left, as written; of many a balanced tree, so that no pass recurses deep.
    pub fn union_all(&mut self, mut items: Vec<ExprId>) -> ExprId {
        if items.len() > CHAIN {
            let right = items.split_off(items.len() / 2);
            let (left, right) = (self.union_all(items), self.union_all(right));
            return self.arena.union(left, right);
        }
        let empty = self.empty();
        items.into_iter().fold(empty, |a, b| self.arena.union(a, b))
    }

    /// A call of the source. `name` is the part of it that a finding points at.
    pub fn call(&mut self, name: Span, whole: Span, callee: ExprId, values: Vec<ExprId>) -> ExprId {
        let args = values.into_iter().map(|value| Arg { name: None, value }).collect();
        self.call_with(name, whole, callee, args)
    }
    /// A call with arguments of which some have names.
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
    /// An operation that the IR has no form for, as a call of a name.
    pub fn op(&mut self, name: &str, at: Span, values: Vec<ExprId>) -> ExprId {
        let callee = self.path(name);
        self.call(at, at, callee, values)
    }

    /// A name no program can write.
    pub fn fresh(&mut self) -> Sym {
        self.fresh += 1;
        let name = sym(&format!("%{}", self.fresh));
        self.declared.push(name);
        name
    }

    /// Makes a local known: another symbol where a block around has a local of that name.
    pub fn declare(&mut self, name: &str, kind: Kind) -> Sym {
        let key = sym(name);
        let own = match self.scopes.last().and_then(|s| s.names.get(&key)) {
            Some(Binding::Local(own, _)) => *own,
            _ if self.is_local(key) => {
                self.renamed += 1;
                sym(&format!("{name}%{}", self.renamed))
            }
            _ => key,
        };
        self.declared.push(own);
        self.bind(name, Binding::Local(own, kind));
        own
    }
    fn is_local(&self, name: Sym) -> bool {
        self.scopes.iter().any(|s| s.names.contains_key(&name))
    }
    pub fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.insert(sym(name), binding);
        }
    }
    /// What a name stands for here.
    pub fn binding(&self, name: &str) -> Option<Binding> {
        let name = sym(name);
        self.scopes.iter().rev().find_map(|s| s.names.get(&name).copied())
    }

    /// The dotted path of a path of the source; its generic arguments are left out.
    pub fn resolve(&self, path: &syn::Path) -> String {
        let mut parts: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
        if let Some(head) = parts.first_mut() {
            if head == "Self"
                && let Some(class) = self.class
            {
                *head = class.to_string();
                return parts.join(".");
            }
            if let Some(Binding::Import(path)) = self.binding(head) {
                *head = path.to_string();
                return parts.join(".");
            }
            if let Some(bound) = self.generics.get(head) {
                *head = bound.clone();
                return parts.join(".");
            }
        }
        self.facts.resolve(&parts)
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
        let result = run(self);
        self.scopes.pop();
        result
    }

    pub fn does(&self, value: ExprId) -> bool {
        self.arena.mentions(value, &mut |e| matches!(self.arena.get(e), Expr::Call(_)))
    }
    /// A value that is used more than once: kept in a fresh local where it is more than a name.
    pub fn once(&mut self, value: ExprId) -> ExprId {
        if !self.does(value) {
            return value;
        }
        // Of several values each is kept.
        if let Expr::Record(parts) = self.arena.get(value) {
            let parts = parts.clone();
            let kept = parts.into_iter().map(|(name, part)| (name, self.once(part))).collect();
            return self.arena.mk(Expr::Record(kept));
        }
        let temp = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(temp), value));
        self.named_at(temp, value)
    }
    /// A local that stands where its value does.
    pub fn named_at(&mut self, local: Sym, value: ExprId) -> ExprId {
        let name = self.name(local);
        let span = self.arena.origin(value).unwrap_or(self.stmt);
        self.arena.at(name, span)
    }

    /// Values in the order of the source: what was called before is kept where something has to happen in between.
    pub fn values<'e>(&mut self, list: impl IntoIterator<Item = &'e syn::Expr>) -> Vec<ExprId> {
        let mut values = Vec::new();
        for e in list {
            let mark = self.pending.len();
            let value = self.expr(e);
            self.keep_order(mark, &mut values);
            values.push(value);
        }
        values
    }
    /// Keeps earlier values where something was put in front of the statement after they were made.
    pub fn keep_order(&mut self, mark: usize, earlier: &mut [ExprId]) {
        if self.pending.len() <= mark {
            return;
        }
        let mut at = mark;
        for value in earlier.iter_mut() {
            if !self.does(*value) {
                continue;
            }
            let temp = self.fresh();
            self.pending.insert(at, Stmt::Let(Place::Name(temp), *value));
            *value = self.arena.mk(Expr::Name(temp));
            at += 1;
        }
    }

    /// Gives what has no place of its own the place of a part it is made of.
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
}
