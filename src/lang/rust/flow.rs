//! Branches and loops.
//!
//! ```text
//! match db.find(id).await {                      %1 = db.find(id)
//!     Ok(Some(row)) if row.live => continue,     if not raised(%1) and present(%1) and %1.live: continue
//!     Ok(_) => {}                                else: if not raised(%1): pass
//!     Err(e) => return Err(e),                         else: return failed
//! }
//! while let Some(x) = rx.recv().await { .. }     for x in rx: ..
//! ```

use super::block::Dest;
use super::build::{Cx, Loop};
use super::def::leave;
use super::guess::Kind;
use super::pattern::Bound;
use super::uses::plain;
use super::value::leaves;
use crate::ir::{Block, Exit, Expr, ExprId, Place, Rebuild, Stmt, Sym};
use syn::{Expr as E, Label, Pat};

/// Methods that give the next of several: a loop over them is a loop over what they are called on.
const NEXT: &[&str] = &[
    "next",
    "recv",
    "try_next",
    "next_entry",
    "try_recv",
    "pop",
    "pop_front",
    "pop_back",
    "pop_first",
    "pop_last",
    "join_next",
    "next_message",
    "next_page",
    "next_back",
];

/// What a `while let` traverses.
struct Traversed<'e> {
    over: &'e E,
    /// `?` stands behind it.
    tried: bool,
}

fn traversed(e: &E) -> Option<Traversed<'_>> {
    match e {
        E::Paren(x) => traversed(&x.expr),
        E::Await(x) => traversed(&x.base),
        E::Try(x) if is_transposed(&x.expr) => None,
        E::Try(x) => Some(Traversed { tried: true, ..traversed(&x.expr)? }),
        E::MethodCall(x) if NEXT.contains(&plain(&x.method).as_str()) && x.args.is_empty() => {
            Some(Traversed { over: &x.receiver, tried: false })
        }
        // `dir.next_entry().await.transpose()`: the same, and each may have failed.
        E::MethodCall(x) if is_transposed(e) => traversed(&x.receiver),
        _ => None,
    }
}

fn is_transposed(e: &E) -> bool {
    matches!(e, E::MethodCall(x) if plain(&x.method) == "transpose" && x.args.is_empty())
}

impl Cx<'_> {
    /// Runs inside a loop of the function.
    pub fn inside<T>(
        &mut self,
        label: Option<&Label>,
        value: Option<Sym>,
        block: bool,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let label = label.map(|l| plain(&l.name.ident));
        if let Some(frame) = self.frames.last_mut() {
            frame.loops.push(Loop { label, value, block });
        }
        let result = run(self);
        if let Some(frame) = self.frames.last_mut() {
            frame.loops.pop();
        }
        result
    }

    /// How many loops out a `break` or `continue` leads, and where it leaves a value.
    pub fn exit(&self, label: Option<&syn::Lifetime>) -> (u8, Option<Sym>) {
        let loops = self.frames.last().map(|f| f.loops.as_slice()).unwrap_or_default();
        let wanted = |l: &Loop| match label {
            Some(label) => l.label.as_deref() == Some(plain(&label.ident).as_str()),
            None => !l.block,
        };
        let found = loops.iter().rev().enumerate().find(|(_, l)| wanted(l));
        found.map_or((0, None), |(n, l)| (u8::try_from(n).unwrap_or(u8::MAX), l.value))
    }

    /// A condition with the names it binds; they stand for their values until they are made locals.
    pub fn test(&mut self, e: &E, bound: &mut Vec<Bound>) -> ExprId {
        match e {
            E::Let(x) => {
                let kind = self.kind(&x.expr);
                let value = self.expr(&x.expr);
                let value = self.once(value);
                let mut own = Vec::new();
                let test = self.pattern(&x.pat, value, kind, &mut own);
                self.bind_values(&own);
                bound.append(&mut own);
                test
            }
            E::Binary(x) if matches!(x.op, syn::BinOp::And(_)) && holds_let(e) => {
                let left = self.test(&x.left, bound);
                let right = self.test(&x.right, bound);
                self.arena.and(left, right)
            }
            E::Paren(x) => self.test(&x.expr, bound),
            _ => self.expr(e),
        }
    }

    pub fn if_(&mut self, x: &syn::ExprIf, dest: Dest, out: &mut Block) {
        let outer = self.stmt;
        self.stmt = self.place(x.if_token.span, x.then_branch.brace_token.span.open());
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        let test = self.scoped(|cx| {
            let mut bound = Vec::new();
            let test = cx.test(&x.cond, &mut bound);
            out.append(&mut cx.pending);
            cx.scoped(|cx| {
                cx.bind_locals(bound, &mut then);
                cx.block_in_scope(&x.then_branch, dest, &mut then);
            });
            test
        });
        match &x.else_branch {
            Some((_, e)) => self.into(e, dest, &mut otherwise),
            None => {
                if let Dest::Temp(temp) = dest {
                    let nothing = self.nothing();
                    otherwise.push(Stmt::Let(Place::Name(temp), nothing));
                }
            }
        }
        self.branch(test, then, otherwise, out);
        self.stmt = outer;
    }

    /// A branch whose condition may be settled.
    fn branch(&mut self, test: ExprId, then: Block, otherwise: Block, out: &mut Block) {
        match self.arena.as_bool(test) {
            Some(true) => out.extend(then),
            Some(false) => out.extend(otherwise),
            None => out.push(Stmt::If(test, then, otherwise)),
        }
    }

    pub fn match_(&mut self, x: &syn::ExprMatch, dest: Dest, out: &mut Block) {
        let outer = self.stmt;
        self.stmt = self.place(x.match_token.span, x.brace_token.span.open());
        let kind = self.kind(&x.expr);
        let value = self.expr(&x.expr);
        let value = self.once(value);
        out.append(&mut self.pending);
        if !leaves(out) {
            self.arms(&x.arms, value, kind, dest, out);
        }
        self.stmt = outer;
    }

    fn arms(&mut self, arms: &[syn::Arm], value: ExprId, kind: Kind, dest: Dest, out: &mut Block) {
        // From the first to the last, each in the `else` of the one before.
        let mut made: Vec<(Block, ExprId, Block)> = Vec::new();
        for (i, arm) in arms.iter().enumerate() {
            let mut bound = Vec::new();
            let (before, mut test) = self.apart(|cx| cx.pattern(&arm.pat, value, kind, &mut bound));
            // Some arm always matches.
            if i + 1 == arms.len() && !matches!(arm.pat, Pat::Guard(_)) {
                test = self.yes();
            }
            let mut body = Vec::new();
            let header = self.stmt;
            self.scoped(|cx| {
                cx.bind_locals(bound, &mut body);
                cx.stmt = cx.span(&arm.body);
                match &*arm.body {
                    E::Block(b) if b.label.is_none() => cx.block_in_scope(&b.block, dest, &mut body),
                    e => cx.into(e, dest, &mut body),
                }
            });
            self.stmt = header;
            made.push((before, test, body));
            if self.arena.as_bool(test) == Some(true) {
                break;
            }
        }
        let mut rest = Vec::new();
        for (mut before, test, body) in made.into_iter().rev() {
            self.branch(test, body, rest, &mut before);
            rest = before;
        }
        out.append(&mut rest);
    }

    pub fn loop_(&mut self, x: &syn::ExprLoop, dest: Dest, out: &mut Block) {
        let value = match dest {
            Dest::Temp(temp) => Some(temp),
            Dest::Discard => None,
            Dest::Return => Some(self.fresh()),
        };
        let at = self.place(x.loop_token.span, x.loop_token.span);
        let mut body = Vec::new();
        let var = self.fresh();
        let over = match first_next(&x.body) {
            Some(call) => {
                let over = self.expr(&call.receiver);
                out.append(&mut self.pending);
                let element = self.name(var);
                self.certain.insert(element);
                self.next = Some((call, element));
                over
            }
            None => self.opaque(at),
        };
        self.inside(x.label.as_ref(), value, false, |cx| cx.block(&x.body, Dest::Discard, &mut body));
        self.next = None;
        out.push(Stmt::For { var, over, body, whole: Vec::new() });
        if let (Dest::Return, Some(value)) = (dest, value) {
            let value = self.name(value);
            leave(out, Exit::Return(value));
        }
    }

    pub fn while_(&mut self, x: &syn::ExprWhile, out: &mut Block) {
        let outer = self.stmt;
        self.stmt = self.place(x.while_token.span, x.body.brace_token.span.open());
        if let E::Let(l) = &*x.cond
            && let Some(found) = traversed(&l.expr)
            && let Some(inner) = behind_some(&l.pat)
        {
            self.traverse(x, found, inner, out);
        } else {
            self.while_test(x, out);
        }
        self.stmt = outer;
    }

    fn while_test(&mut self, x: &syn::ExprWhile, out: &mut Block) {
        let at = self.span(&x.cond);
        let mut body = Vec::new();
        self.scoped(|cx| {
            let mut bound = Vec::new();
            let test = cx.test(&x.cond, &mut bound);
            body.append(&mut cx.pending);
            if cx.arena.as_bool(test) != Some(true) {
                let not = cx.arena.not(test);
                body.push(Stmt::If(not, vec![Stmt::Leave(Exit::Break(0))], Vec::new()));
            }
            cx.scoped(|cx| {
                cx.bind_locals(bound, &mut body);
                cx.inside(x.label.as_ref(), None, false, |cx| cx.block_in_scope(&x.body, Dest::Discard, &mut body));
            });
        });
        let (var, over) = (self.fresh(), self.opaque(at));
        out.push(Stmt::For { var, over, body, whole: Vec::new() });
    }

    /// `while let Some(x) = rows.try_next().await? { .. }`
    fn traverse(&mut self, x: &syn::ExprWhile, found: Traversed, inner: &Pat, out: &mut Block) {
        let kind = self.kind(found.over);
        let over = self.expr(found.over);
        let over = if kind == Kind::Map { self.entries(over) } else { over };
        out.append(&mut self.pending);
        self.loop_over((over, inner), (x.label.as_ref(), &x.body), found.tried, out);
    }

    pub fn for_(&mut self, x: &syn::ExprForLoop, out: &mut Block) {
        let outer = self.stmt;
        self.stmt = self.place(x.for_token.span, x.body.brace_token.span.open());
        let kind = self.kind(&x.expr);
        self.many = true;
        let over = self.expr(&x.expr);
        self.many = false;
        let over = if kind == Kind::Map { self.entries(over) } else { over };
        out.append(&mut self.pending);
        if !leaves(out) {
            self.loop_over((over, &x.pat), (x.label.as_ref(), &x.body), false, out);
        }
        self.stmt = outer;
    }

    /// A loop over a collection. Keys, positions and pairs are made of the element:
    ///
    /// ```text
    /// for (i, x) in xs.iter().enumerate() { .. }       for %1 in xs: i = %1.#index; x = %1; ..
    /// ```
    fn loop_over(
        &mut self,
        (over, pat): (ExprId, &Pat),
        (label, block): (Option<&Label>, &syn::Block),
        tried: bool,
        out: &mut Block,
    ) {
        let made = match *self.arena.get(over) {
            Expr::Gather { of, keep, give } if !self.does(give) && *self.arena.get(give) != Expr::Elem(of) => {
                Some((of, keep, give))
            }
            _ => None,
        };
        let mut body = Vec::new();
        self.scopes.push(Default::default());
        let pat = unwrapped(pat);
        let plain_name = match pat {
            Pat::Ident(p) if p.subpat.is_none() && made.is_none() => Some(&p.ident),
            _ => None,
        };
        let (var, over) = match (plain_name, made) {
            (Some(name), _) => {
                let var = self.declare(&plain(name), Kind::Unknown);
                let value = self.name(var);
                let at = self.place(name.span(), name.span());
                self.arena.at(value, at);
                (var, over)
            }
            (None, made) => {
                let var = self.fresh();
                let mut value = self.name(var);
                let mut over = over;
                if let Some((of, keep, give)) = made {
                    over = self.arena.coll(of);
                    let element = self.arena.mk(Expr::Elem(of));
                    let mut copy = Rebuild::within().with(element, value);
                    let keep = copy.expr(&mut self.arena, keep);
                    value = copy.expr(&mut self.arena, give);
                    if self.arena.as_bool(keep) != Some(true) {
                        let not = self.arena.not(keep);
                        body.push(Stmt::If(not, vec![Stmt::Leave(Exit::Continue(0))], Vec::new()));
                    }
                }
                let mut bound = Vec::new();
                let test = self.pattern(pat, value, Kind::Unknown, &mut bound);
                if self.arena.as_bool(test) != Some(true) {
                    let not = self.arena.not(test);
                    body.push(Stmt::If(not, vec![Stmt::Leave(Exit::Break(0))], Vec::new()));
                }
                self.bind_locals(bound, &mut body);
                (var, over)
            }
        };
        if tried {
            let value = self.name(var);
            let raised = self.raised(value);
            let failed = self.failed();
            body.insert(0, Stmt::If(raised, vec![Stmt::Leave(Exit::Return(failed))], Vec::new()));
        }
        self.inside(label, None, false, |cx| cx.block_in_scope(block, Dest::Discard, &mut body));
        self.scopes.pop();
        out.push(Stmt::For { var, over, body, whole: Vec::new() });
    }
}

/// The call that gives the next of several, where each round of a loop begins with it:
///
/// ```text
/// loop { match rows.next().await { Some(row) => .., None => break } }       for row in rows: ..
/// ```
fn first_next(block: &syn::Block) -> Option<&syn::ExprMethodCall> {
    fn asked(e: &E) -> Option<&syn::ExprMethodCall> {
        match e {
            E::Match(x) => asked(&x.expr),
            E::Let(x) => asked(&x.expr),
            E::If(x) => asked(&x.cond),
            E::Paren(x) => asked(&x.expr),
            E::Await(x) => asked(&x.base),
            E::Try(x) => asked(&x.expr),
            E::MethodCall(x) => {
                let name = plain(&x.method);
                (NEXT.contains(&name.as_str()) && !name.starts_with("pop") && x.args.is_empty()).then_some(x)
            }
            _ => None,
        }
    }
    match block.stmts.first()? {
        syn::Stmt::Local(local) => asked(&local.init.as_ref()?.expr),
        syn::Stmt::Expr(e, _) => asked(e),
        _ => None,
    }
}

/// `&x`, `(x)`
fn unwrapped(pat: &Pat) -> &Pat {
    match pat {
        Pat::Paren(p) => unwrapped(&p.pat),
        Pat::Reference(p) => unwrapped(&p.pat),
        Pat::Type(p) => unwrapped(&p.pat),
        _ => pat,
    }
}

/// What stands in a `Some(..)`, or in the `Ok(Some(..))` of what may fail.
fn behind_some(pat: &Pat) -> Option<&Pat> {
    match pat {
        Pat::Paren(p) => behind_some(&p.pat),
        Pat::TupleStruct(p) => {
            let name = p.path.segments.last().map(|s| plain(&s.ident))?;
            let inner = p.elems.first()?;
            match (name.as_str(), inner) {
                ("Some", inner) => Some(inner),
                ("Ok", Pat::TupleStruct(_)) => behind_some(inner),
                ("Ok", inner) => Some(inner),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Is there a `let` in a chain of conditions?
fn holds_let(e: &E) -> bool {
    match e {
        E::Let(_) => true,
        E::Binary(x) if matches!(x.op, syn::BinOp::And(_)) => holds_let(&x.left) || holds_let(&x.right),
        E::Paren(x) => holds_let(&x.expr),
        _ => false,
    }
}
