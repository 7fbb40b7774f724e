//! Closures, run where something applies them.
//!
//! ```text
//! .filter(|x| !used.contains(&x.id))       not present(used[e.id])
//! .map(Result::ok)                         raised(e) ? nothing : e
//! .map(|x| { for t in x.tags { .. } })     statements, and a value
//! ```

use super::block::Dest;
use super::build::{Cx, Frame};
use super::guess::{self, Kind, Ret};
use super::span;
use super::uses::plain;
use super::value::{End, returns};
use crate::ir::{Block, Exit, Expr, ExprId, Handler, Place, Rebuild, Stmt};
use crate::source::Span;
use syn::Expr as E;

/// What a body comes to.
pub(super) struct Applied {
    /// What has to happen for it; empty where it is a value.
    pub before: Block,
    /// The value.
    pub value: ExprId,
}

impl Cx<'_> {
    /// A function value applied to values.
    pub fn apply(&mut self, f: &E, values: &[(ExprId, Kind)], ret: Ret) -> Applied {
        match f {
            E::Closure(c) => {
                let ret = match &c.output {
                    syn::ReturnType::Default => ret,
                    told => guess::ret_of(told),
                };
                self.body(&c.body, ret, |cx| {
                    for (pat, (value, kind)) in c.inputs.iter().zip(values) {
                        let mut bound = Vec::new();
                        cx.pattern(pat, *value, *kind, &mut bound);
                        cx.bind_values(&bound);
                    }
                })
            }
            E::Paren(x) => self.apply(&x.expr, values, ret),
            E::Reference(x) => self.apply(&x.expr, values, ret),
            _ => {
                let value = self.apply_named(f, values);
                Applied { before: Vec::new(), value }
            }
        }
    }

    /// A function by its name.
    fn apply_named(&mut self, f: &E, values: &[(ExprId, Kind)]) -> ExprId {
        let first = values.first().map(|v| v.0);
        if let (E::Path(path), Some(value)) = (f, first) {
            let parts: Vec<String> = path.path.segments.iter().map(|s| plain(&s.ident)).collect();
            let last = parts.last().cloned().unwrap_or_default();
            let owner = parts.len().checked_sub(2).and_then(|i| parts.get(i)).cloned().unwrap_or_default();
            match (owner.as_str(), last.as_str()) {
                ("Result", "ok") | ("Option" | "Result", "is_some" | "is_none" | "is_ok" | "is_err") => {
                    return self.asked(value, &last);
                }
                (_, "Some") => {
                    self.certain.insert(value);
                    return value;
                }
                (
                    _,
                    "Ok" | "from" | "into" | "to_string" | "to_owned" | "clone" | "new" | "as_str" | "as_ref"
                    | "identity",
                )
                | ("String" | "PathBuf" | "Arc" | "Box" | "Rc", _)
                    if values.len() == 1 =>
                {
                    return value;
                }
                ("Vec" | "String" | "str", "is_empty") => return self.arena.not(value),
                _ => {}
            }
        }
        let callee = self.expr(f);
        let at = self.span(f);
        let name = match f {
            E::Path(p) => p.path.segments.last().map_or(at, |s| self.place(s.ident.span(), s.ident.span())),
            _ => at,
        };
        self.call(name, at, callee, values.iter().map(|v| v.0).collect())
    }

    /// `ok()`, `is_some()` and the like.
    pub fn asked(&mut self, value: ExprId, what: &str) -> ExprId {
        match what {
            "ok" => {
                let raised = self.raised(value);
                let nothing = self.nothing();
                self.arena.choose(raised, nothing, value)
            }
            "is_some" => self.present(value),
            "is_none" => {
                let here = self.present(value);
                self.arena.not(here)
            }
            "is_ok" => {
                let raised = self.raised(value);
                self.arena.not(raised)
            }
            _ => self.raised(value),
        }
    }

    /// The body of a closure, in place.
    pub fn body(&mut self, body: &E, ret: Ret, bind: impl FnOnce(&mut Self)) -> Applied {
        let at = self.place(span::start(body), span::start(body));
        self.body_of(at, ret, false, |cx, out| {
            bind(cx);
            match inner_body(body) {
                E::Async(x) => cx.block_in_scope(&x.block, Dest::Return, out),
                body => cx.into(body, Dest::Return, out),
            }
        })
    }

    /// `here`: it runs here and now, not for each of several or under a condition.
    fn body_of(&mut self, at: Span, ret: Ret, here: bool, run: impl FnOnce(&mut Self, &mut Block)) -> Applied {
        let since = self.declared.len();
        let mut out = Vec::new();
        let certain = std::mem::take(&mut self.certain);
        let stmt = self.stmt;
        let (rest, ()) = self.apart(|cx| {
            cx.scoped(|cx| {
                cx.frames.push(Frame { ret, loops: Vec::new() });
                run(cx, &mut out);
                cx.frames.pop();
            });
        });
        self.stmt = stmt;
        out.extend(rest);
        if here {
            out = self.hoisted(out, None);
        }
        let applied = self.settle_body(out, since, at);
        self.certain.extend(certain);
        applied
    }

    fn settle_body(&mut self, mut out: Block, since: usize, at: Span) -> Applied {
        if let Some(value) = self.as_value(&out, End::Return, since) {
            return Applied { before: Vec::new(), value };
        }
        let last = match out.last() {
            Some(Stmt::Leave(Exit::Return(value))) => Some(*value),
            _ => None,
        };
        if let Some(value) = last {
            out.pop();
            if !returns(&out) {
                return Applied { before: out, value };
            }
            out.push(Stmt::Leave(Exit::Return(value)));
        } else if !returns(&out) {
            let value = self.nothing();
            return Applied { before: out, value };
        }
        // It returns in the middle: a block of its own, called once.
        let closure = self.close(Vec::new(), out);
        self.arena.at(closure, at);
        let call = self.call(at, at, closure, Vec::new());
        let temp = self.fresh();
        let value = self.named_at(temp, call);
        Applied { before: vec![Stmt::Let(Place::Name(temp), call)], value }
    }

    /// Puts what has to happen in front of the statement; gives the value.
    pub fn in_place(&mut self, applied: Applied) -> ExprId {
        self.pending.extend(applied.before);
        applied.value
    }

    /// A value under a condition, with what has to happen for it.
    pub fn when(&mut self, test: ExprId, yes: Applied, no: ExprId) -> ExprId {
        if yes.before.is_empty() {
            return self.choose(test, yes.value, no);
        }
        match self.arena.as_bool(test) {
            Some(true) => return self.in_place(yes),
            Some(false) => return no,
            None => {}
        }
        let temp = self.fresh();
        let mut then = yes.before;
        if !super::value::leaves(&then) {
            then.push(Stmt::Let(Place::Name(temp), yes.value));
        }
        self.pending.push(Stmt::If(test, then, vec![Stmt::Let(Place::Name(temp), no)]));
        self.name(temp)
    }

    /// An async block, run where it stands.
    pub fn async_block(&mut self, x: &syn::ExprAsync) -> ExprId {
        let at = self.place(x.async_token.span, x.async_token.span);
        let applied = self.body_of(at, Ret::Other, true, |cx, out| cx.block_in_scope(&x.block, Dest::Return, out));
        self.in_place(applied)
    }

    /// Statements with some expressions replaced.
    pub fn rebuilt(&mut self, block: Block, copy: &mut Rebuild) -> Block {
        block.into_iter().map(|s| self.rebuilt_stmt(s, copy)).collect()
    }

    fn rebuilt_stmt(&mut self, stmt: Stmt, copy: &mut Rebuild) -> Stmt {
        let a = &mut self.arena;
        match stmt {
            Stmt::Let(place, v) => {
                let place = rebuilt_place(a, place, copy);
                Stmt::Let(place, copy.expr(a, v))
            }
            Stmt::Put(place, v) => {
                let place = rebuilt_place(a, place, copy);
                Stmt::Put(place, copy.expr(a, v))
            }
            Stmt::Drop(place, v) => {
                let place = rebuilt_place(a, place, copy);
                Stmt::Drop(place, copy.expr(a, v))
            }
            Stmt::Set { base, field, value, at } => {
                Stmt::Set { base: copy.expr(a, base), field, value: copy.expr(a, value), at }
            }
            Stmt::Do(v) => Stmt::Do(copy.expr(a, v)),
            Stmt::If(c, yes, no) => {
                let c = copy.expr(a, c);
                Stmt::If(c, self.rebuilt(yes, copy), self.rebuilt(no, copy))
            }
            Stmt::For { var, over, body, whole } => {
                let over = copy.expr(a, over);
                Stmt::For { var, over, body: self.rebuilt(body, copy), whole: self.rebuilt(whole, copy) }
            }
            Stmt::Try { body, handlers } => {
                let body = self.rebuilt(body, copy);
                let handlers =
                    handlers.into_iter().map(|h| Handler { body: self.rebuilt(h.body.clone(), copy), ..h }).collect();
                Stmt::Try { body, handlers }
            }
            Stmt::Leave(Exit::Return(v)) => Stmt::Leave(Exit::Return(copy.expr(a, v))),
            leave => leave,
        }
    }

    /// Rewrites the bodies of closures that are called where they stand.
    pub fn rebuild_closures(&mut self, block: &[Stmt], from: ExprId, to: ExprId) {
        let mut ids = Vec::new();
        each_value(block, &mut |e| {
            if let Expr::Call(c) = self.arena.get(e)
                && let Expr::Closure(id) = self.arena.get(c.callee)
            {
                ids.push(*id);
            }
        });
        for id in ids {
            let Some(body) = self.arena.closures.get(id.0 as usize).map(|c| c.body.clone()) else { continue };
            let mut copy = Rebuild::within().with(from, to);
            let body = self.rebuilt(body, &mut copy);
            if let Some(closure) = self.arena.closures.get_mut(id.0 as usize) {
                closure.body = body;
            }
        }
    }
}

fn each_value(block: &[Stmt], visit: &mut dyn FnMut(ExprId)) {
    for stmt in block {
        match stmt {
            Stmt::Let(_, v) | Stmt::Put(_, v) | Stmt::Do(v) => visit(*v),
            Stmt::If(_, a, b) => {
                each_value(a, visit);
                each_value(b, visit);
            }
            Stmt::For { body, .. } => each_value(body, visit),
            _ => {}
        }
    }
}

fn rebuilt_place(a: &mut crate::ir::Arena, place: Place, copy: &mut Rebuild) -> Place {
    match place {
        Place::Name(n) => Place::Name(n),
        Place::Field(b, f) => Place::Field(copy.expr(a, b), f),
        Place::Entry(b, k) => Place::Entry(copy.expr(a, b), copy.expr(a, k)),
    }
}

/// An async block as the body of a closure is what the closure does.
fn inner_body(body: &E) -> &E {
    match body {
        E::Paren(x) => inner_body(&x.expr),
        _ => body,
    }
}
