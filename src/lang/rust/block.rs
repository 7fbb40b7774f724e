//! Blocks and statements.
//!
//! ```text
//! let Some(row) = rows.get(k) else { continue };      %1 = rows.get(k)
//! rows.retain(|r| r.live)                              if not present(%1): continue
//!                                                      row = %1
//!                                                      return rows.retain(..)       (the last value of a function)
//! ```

use super::build::{Binding, Cx};
use super::def::leave;
use super::guess::{self, Kind};
use super::uses::{self, plain};
use super::value::leaves;
use crate::ir::{Bin, Block, Exit, Expr, ExprId, Place, Rebuild, Stmt, Sym};
use syn::{Item, Pat};

/// What becomes of the value of a block.
#[derive(Clone, Copy, Debug)]
pub(super) enum Dest {
    /// Nothing.
    Discard,
    /// It is kept in a local.
    Temp(Sym),
    /// It is returned.
    Return,
}

impl Cx<'_> {
    /// A block with a scope of its own.
    pub fn block(&mut self, block: &syn::Block, dest: Dest, out: &mut Block) {
        self.scoped(|cx| cx.block_in_scope(block, dest, out));
    }

    /// A block whose names join those that are known already: of a function, of a loop.
    pub fn block_in_scope(&mut self, block: &syn::Block, dest: Dest, out: &mut Block) {
        for stmt in &block.stmts {
            match stmt {
                syn::Stmt::Item(Item::Use(item)) => {
                    for import in uses::of_item(item, &self.facts.module) {
                        self.bind(&import.local, Binding::Import(import.path));
                    }
                }
                syn::Stmt::Item(Item::Fn(item)) => self.nested_function(item, out),
                _ => {}
            }
        }
        let last = block.stmts.len().saturating_sub(1);
        for (i, stmt) in block.stmts.iter().enumerate() {
            let outer = self.stmt;
            let to = if i == last { dest } else { Dest::Discard };
            self.statement(stmt, to, out);
            out.append(&mut self.pending);
            self.stmt = outer;
        }
        if let (Dest::Temp(temp), false) = (dest, ends_with_value(block) || leaves(out)) {
            let nothing = self.nothing();
            out.push(Stmt::Let(Place::Name(temp), nothing));
        }
    }

    fn statement(&mut self, stmt: &syn::Stmt, dest: Dest, out: &mut Block) {
        match stmt {
            syn::Stmt::Local(local) => {
                self.stmt = self.place(local.let_token.span, local.semi_token.span);
                self.local(local, out);
            }
            syn::Stmt::Item(item) => self.item(item, out),
            syn::Stmt::Expr(e, semi) => {
                self.stmt = match semi {
                    Some(semi) => self.place(super::span::start(e), semi.span),
                    None => self.span(e),
                };
                let before = out.len();
                self.into(e, if semi.is_some() { Dest::Discard } else { dest }, out);
                if semi.is_some() && matches!(e, syn::Expr::MethodCall(_)) && before < out.len() {
                    self.unheeded(out);
                }
            }
            syn::Stmt::Macro(m) => {
                let end = m.semi_token.as_ref().map_or(m.mac.delimiter.span().close(), |s| s.span);
                self.stmt = self.place(super::span::path_start(&m.mac.path), end);
                let value = self.macro_call(&m.mac);
                let dest = if m.semi_token.is_some() { Dest::Discard } else { dest };
                self.finish(value, dest, out);
            }
        }
    }

    /// `nodes.remove_node(id);`: a failure that nobody looks at would be warned of.
    fn unheeded(&mut self, out: &Block) {
        let Some(Stmt::Do(value)) = out.last() else { return };
        let Some(site) = self.arena.call_of(*value).map(|c| c.site) else { return };
        if let Some(site) = self.arena.site_mut(site) {
            site.unheeded = true;
        }
    }

    fn item(&mut self, item: &Item, out: &mut Block) {
        let (name, value) = match item {
            Item::Const(c) => (&c.ident, &c.expr),
            Item::Static(s) => (&s.ident, &s.expr),
            _ => return,
        };
        let value = self.expr(value);
        let name = self.declare(&plain(name), Kind::Unknown);
        self.emit(out, Stmt::Let(Place::Name(name), value));
    }

    fn local(&mut self, local: &syn::Local, out: &mut Block) {
        let (pat, ty) = match &local.pat {
            Pat::Type(p) => (&*p.pat, Some(&*p.ty)),
            pat => (pat, None),
        };
        let Some(init) = &local.init else {
            // `let x;` is written later.
            if let Pat::Ident(p) = pat {
                self.declare(&plain(&p.ident), ty.map_or(Kind::Unknown, guess::kind_of_type));
            }
            return;
        };
        if let Pat::Ident(p) = pat
            && let Some(text) = self.begun_statement(&init.expr)
        {
            let name = self.declare(&plain(&p.ident), Kind::Statement);
            out.append(&mut self.pending);
            out.push(Stmt::Let(Place::Name(name), text));
            return;
        }
        let told = ty.map_or(Kind::Unknown, guess::kind_of_type);
        let kind = if told == Kind::Unknown { self.kind(&init.expr) } else { told };
        if let Pat::Wild(_) = pat {
            return self.into(&init.expr, Dest::Discard, out);
        }
        self.told = ty.and_then(guess::of_what).and_then(|(name, of)| Some((name, self.type_value(of)?)));
        let mut value = self.expr(&init.expr);
        self.told = None;
        if kind == Kind::Map {
            value = self.as_map(value);
        }
        out.append(&mut self.pending);
        if leaves(out) {
            return;
        }
        if let Some((_, otherwise)) = &init.diverge {
            let value = self.once(value);
            let mut bound = Vec::new();
            let test = self.pattern(pat, value, kind, &mut bound);
            out.append(&mut self.pending);
            let not = self.arena.not(test);
            let mut inner = Vec::new();
            self.into(otherwise, Dest::Discard, &mut inner);
            if self.arena.as_bool(not) != Some(false) {
                out.push(Stmt::If(not, inner, Vec::new()));
            }
            return self.bind_locals(bound, out);
        }
        match pat {
            Pat::Ident(p) if p.subpat.is_none() => {
                // `let store = store.clone();`
                let same = matches!(self.binding(&plain(&p.ident)), Some(Binding::Local(..))) && {
                    self.path_value(&p.ident.clone().into()) == value
                };
                let failure = matches!(self.arena.get(value), Expr::Caught(_));
                let alias = is_alias(&init.expr) && self.place_of(value).is_some();
                if same && p.mutability.is_none() || failure || alias {
                    return self.rebind(&plain(&p.ident), value, kind);
                }
                let name = self.declare(&plain(&p.ident), kind);
                if matches!(self.arena.get(value), Expr::Closure(_)) {
                    self.functions.insert(name);
                }
                if *self.arena.get(value) != Expr::Name(name) {
                    out.push(Stmt::Let(Place::Name(name), value));
                }
            }
            _ => {
                let value = self.once(value);
                self.bind_pattern(pat, value, kind, out);
            }
        }
    }

    /// A name for a value that is known already.
    fn rebind(&mut self, name: &str, value: ExprId, kind: Kind) {
        let binding = match *self.arena.get(value) {
            Expr::Name(local) => Binding::Local(local, kind),
            _ => Binding::Value(value, kind),
        };
        self.bind(name, binding);
    }

    /// An expression, and what becomes of its value.
    pub fn into(&mut self, e: &syn::Expr, dest: Dest, out: &mut Block) {
        if self.deeper(|cx| cx.put_into(e, dest, out)).is_none() {
            let at = self.span(e);
            self.hole("too_deep", at);
        }
    }

    fn put_into(&mut self, e: &syn::Expr, dest: Dest, out: &mut Block) {
        out.append(&mut self.pending);
        match e {
            syn::Expr::If(x) => self.if_(x, dest, out),
            syn::Expr::Match(x) => self.match_(x, dest, out),
            syn::Expr::Block(x) => self.labelled(x, dest, out),
            syn::Expr::Unsafe(x) => self.block(&x.block, dest, out),
            syn::Expr::Const(x) => self.block(&x.block, dest, out),
            syn::Expr::Loop(x) => self.loop_(x, dest, out),
            syn::Expr::While(x) => self.while_(x, out),
            syn::Expr::ForLoop(x) => self.for_(x, out),
            syn::Expr::Paren(x) => self.into(&x.expr, dest, out),
            syn::Expr::Group(x) => self.into(&x.expr, dest, out),
            _ => {
                let value = self.expr(e);
                self.finish(value, dest, out);
            }
        }
    }

    /// What becomes of a value.
    pub fn finish(&mut self, value: ExprId, dest: Dest, out: &mut Block) {
        out.append(&mut self.pending);
        if leaves(out) {
            return;
        }
        match dest {
            Dest::Discard => self.run_value(value, out),
            Dest::Temp(temp) => out.push(Stmt::Let(Place::Name(temp), value)),
            Dest::Return => {
                let value = if self.frames.last().is_some_and(|f| f.ret == guess::Ret::Map) {
                    self.as_map(value)
                } else {
                    value
                };
                leave(out, Exit::Return(value));
            }
        }
    }

    /// A value for its effects. What decides whether they happen becomes a statement:
    ///
    /// ```text
    /// x.map(|id| client.remove(id));         if present(x): client.remove(x)
    /// join_all(xs.map(|x| f(x))).await;      for x in xs: f(x)
    /// ```
    pub fn run_value(&mut self, value: ExprId, out: &mut Block) {
        if !self.does(value) {
            // What is not understood is kept where it stands.
            if matches!(self.arena.get(value), Expr::Unknown(_)) {
                out.push(Stmt::Do(value));
            }
            return;
        }
        match *self.arena.get(value) {
            Expr::Gather { of, keep, give } => {
                let var = self.fresh();
                let (over, element) = (self.arena.coll(of), self.arena.mk(Expr::Elem(of)));
                let name = self.name(var);
                let mut copy = Rebuild::within().with(element, name);
                let (keep, give) = (copy.expr(&mut self.arena, keep), copy.expr(&mut self.arena, give));
                let mut inner = Vec::new();
                self.run_value(give, &mut inner);
                let body = self.guarded(keep, inner);
                out.push(Stmt::For { var, over, body, whole: Vec::new() });
            }
            Expr::Choose(c, t, f) if self.does(t) || self.does(f) => {
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.run_value(t, &mut yes);
                self.run_value(f, &mut no);
                out.push(Stmt::If(c, yes, no));
            }
            Expr::Binary(Bin::And, c, x) if self.does(x) => {
                let mut yes = Vec::new();
                self.run_value(x, &mut yes);
                out.push(Stmt::If(c, yes, Vec::new()));
            }
            Expr::Binary(Bin::Or, c, x) if self.does(x) => {
                let mut yes = Vec::new();
                self.run_value(x, &mut yes);
                let not = self.arena.not(c);
                out.push(Stmt::If(not, yes, Vec::new()));
            }
            Expr::Record(ref parts) => {
                let parts: Vec<ExprId> = parts.iter().map(|p| p.1).collect();
                parts.into_iter().for_each(|p| self.run_value(p, out));
            }
            _ => out.push(Stmt::Do(value)),
        }
    }

    /// Statements under a condition that may be no condition at all.
    pub fn guarded(&mut self, keep: ExprId, inner: Block) -> Block {
        if self.arena.as_bool(keep) == Some(true) { inner } else { vec![Stmt::If(keep, inner, Vec::new())] }
    }

    /// A block, `if`, `match` or loop in the place of a value.
    pub fn block_value(&mut self, e: &syn::Expr) -> ExprId {
        let since = self.declared.len();
        let temp = self.fresh();
        let mut out = Vec::new();
        let (rest, ()) = self.apart(|cx| cx.put_into(e, Dest::Temp(temp), &mut out));
        out.extend(rest);
        self.settle(out, temp, since)
    }

    /// `{ .. }`, `'a: { .. break 'a v .. }`: the labelled one is a loop of one round.
    fn labelled(&mut self, x: &syn::ExprBlock, dest: Dest, out: &mut Block) {
        let Some(label) = &x.label else { return self.block(&x.block, dest, out) };
        let value = match dest {
            Dest::Temp(temp) => Some(temp),
            Dest::Discard => None,
            Dest::Return => Some(self.fresh()),
        };
        let mut body = Vec::new();
        self.inside(Some(label), value, true, |cx| {
            cx.block(&x.block, value.map_or(Dest::Discard, Dest::Temp), &mut body);
        });
        leave(&mut body, Exit::Break(0));
        let span = x.block.brace_token.span.open();
        let at = self.place(span, span);
        let (var, over) = (self.fresh(), self.opaque(at));
        out.push(Stmt::For { var, over, body, whole: Vec::new() });
        if let (Dest::Return, Some(value)) = (dest, value) {
            let value = self.name(value);
            leave(out, Exit::Return(value));
        }
    }
}

/// Is it another way to a place: `&mut self.rows`, `self.rows.lock().await`?
fn is_alias(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Await(x) => is_alias(&x.base),
        syn::Expr::Try(x) => is_alias(&x.expr),
        syn::Expr::Paren(x) => is_alias(&x.expr),
        syn::Expr::Reference(x) => x.mutability.is_some(),
        syn::Expr::MethodCall(x) => match plain(&x.method).as_str() {
            "lock" | "write" | "borrow_mut" | "as_mut" | "get_mut" | "blocking_lock" | "blocking_write" => {
                x.args.is_empty()
            }
            "unwrap" | "expect" | "unwrap_or_else" | "map_err" => is_alias(&x.receiver),
            _ => false,
        },
        _ => false,
    }
}

/// Does a block end with an expression that is its value?
fn ends_with_value(block: &syn::Block) -> bool {
    match block.stmts.last() {
        Some(syn::Stmt::Expr(_, semi)) => semi.is_none(),
        Some(syn::Stmt::Macro(m)) => m.semi_token.is_none(),
        _ => false,
    }
}
