//! Expressions: operators, literals, places.
//!
//! ```text
//! x.len() == 0, x.is_empty()        not x
//! a > b                             b < a
//! Phase::Failed                     "Failed"
//! Row { id, at: now }               {id: id, at: now}
//! let v = f()?;                     if raised(f()): return failed
//! m[&k] = v                         an entry of m
//! ```

use super::build::{Binding, Cx};
use super::guess::{Kind, Ret};
use super::pattern::says_gone;
use super::uses::plain;
use crate::ir::{Arg, Bin, Exit, Expr, ExprId, Lit, Place, Stmt, Sym, sym};
use syn::{BinOp, Expr as E, Member, UnOp};

impl Cx<'_> {
    /// The value of an expression.
    pub fn expr(&mut self, e: &E) -> ExprId {
        let passes = matches!(e, E::MethodCall(_) | E::Paren(_) | E::Reference(_) | E::Await(_) | E::Group(_));
        self.many &= passes;
        match self.deeper(|cx| cx.expression(e)) {
            Some(id) => self.at(id, e),
            None => {
                let at = self.span(e);
                self.hole("too_deep", at)
            }
        }
    }

    fn expression(&mut self, e: &E) -> ExprId {
        match e {
            E::Array(x) => {
                let values = self.values(&x.elems);
                let ones = values.into_iter().map(|v| self.one(v)).collect();
                self.union_all(ones)
            }
            E::Repeat(x) => {
                let value = self.expr(&x.expr);
                self.one(value)
            }
            E::Assign(x) => self.assign(&x.left, &x.right),
            E::Async(x) => self.async_block(x),
            E::Await(x) => {
                let value = self.expr(&x.base);
                self.awaited(value)
            }
            E::Binary(x) => self.binary(x),
            E::Block(_)
            | E::If(_)
            | E::Match(_)
            | E::Loop(_)
            | E::While(_)
            | E::ForLoop(_)
            | E::Unsafe(_)
            | E::Const(_) => self.block_value(e),
            E::Break(x) => self.break_(x),
            E::Continue(x) => {
                let (out, _) = self.exit(x.label.as_ref());
                self.leave(Exit::Continue(out))
            }
            E::Return(x) => {
                let value = match &x.expr {
                    Some(value) => self.expr(value),
                    None => self.nothing(),
                };
                self.leave(Exit::Return(value))
            }
            E::Call(x) => self.call_expr(x),
            E::MethodCall(x) => self.method_call(x),
            E::Macro(x) => self.macro_call(&x.mac),
            E::Closure(x) => self.closure(x),
            E::Cast(x) => self.expr(&x.expr),
            E::Group(x) => self.expr(&x.expr),
            E::Paren(x) => self.expr(&x.expr),
            E::Reference(x) => self.expr(&x.expr),
            E::RawAddr(x) => self.expr(&x.expr),
            E::Field(x) => {
                let base = self.expr(&x.base);
                match &x.member {
                    Member::Named(name) => self.field(base, &plain(name)),
                    Member::Unnamed(index) => self.field(base, &index.index.to_string()),
                }
            }
            E::Index(x) => self.index(x),
            E::Let(_) => {
                let mut bound = Vec::new();
                self.scoped(|cx| cx.test(e, &mut bound))
            }
            E::Lit(x) => self.literal(&x.lit),
            E::Path(x) => self.path_value(&x.path),
            E::Range(x) => self.range(x),
            E::Struct(x) => self.structure_value(x),
            E::Try(x) => self.try_(x),
            E::TryBlock(x) => {
                let block = E::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block: x.block.clone() });
                let applied = self.body(&block, Ret::Other, |_| {});
                self.in_place(applied)
            }
            E::Tuple(x) if x.elems.is_empty() => self.nothing(),
            E::Tuple(x) => {
                let values = self.values(&x.elems);
                self.record(values)
            }
            E::Unary(x) => self.unary(x),
            E::Infer(_) => {
                let at = self.span(e);
                self.opaque(at)
            }
            _ => {
                let at = self.span(e);
                self.hole("expression", at)
            }
        }
    }

    /// A way out; what follows is never reached.
    pub fn leave(&mut self, exit: Exit) -> ExprId {
        self.pending.push(Stmt::Leave(exit));
        self.nothing()
    }

    fn break_(&mut self, x: &syn::ExprBreak) -> ExprId {
        let (out, place) = self.exit(x.label.as_ref());
        if let Some(value) = &x.expr {
            let value = self.expr(value);
            if let Some(place) = place {
                self.pending.push(Stmt::Let(Place::Name(place), value));
            }
        }
        self.leave(Exit::Break(out))
    }

    /// `f()?`
    ///
    /// ```text
    /// %1 = f()
    /// if raised(%1): return failed
    /// ```
    fn try_(&mut self, x: &syn::ExprTry) -> ExprId {
        let kind = self.kind(&x.expr);
        let value = self.expr(&x.expr);
        self.tried(value, kind)
    }

    pub fn tried(&mut self, value: ExprId, kind: Kind) -> ExprId {
        // A difference of times is there.
        if matches!(self.arena.get(value), Expr::Binary(..) | Expr::Record(_) | Expr::Format(_)) {
            return value;
        }
        if let Some(all) = self.tried_each(value) {
            return all;
        }
        let value = self.once(value);
        let option = self.frames.last().is_some_and(|f| f.ret == Ret::Option) && kind != Kind::Result;
        let (test, leave) = match option {
            true => {
                let here = self.present(value);
                (self.arena.not(here), self.nothing())
            }
            false => (self.raised(value), self.failed()),
        };
        match self.arena.as_bool(test) {
            Some(false) => {}
            Some(true) => {
                self.leave(Exit::Return(leave));
            }
            None => self.pending.push(Stmt::If(test, vec![Stmt::Leave(Exit::Return(leave))], Vec::new())),
        }
        self.there(value)
    }

    /// A constant of the source.
    pub fn literal(&mut self, lit: &syn::Lit) -> ExprId {
        let lit = match lit {
            syn::Lit::Str(s) => Lit::Str(sym(&s.value())),
            syn::Lit::ByteStr(s) => Lit::Str(sym(&String::from_utf8_lossy(&s.value()))),
            syn::Lit::CStr(s) => Lit::Str(sym(&s.value().to_string_lossy())),
            syn::Lit::Char(c) => Lit::Str(sym(&c.value().to_string())),
            syn::Lit::Byte(b) => Lit::Num(i64::from(b.value())),
            syn::Lit::Int(n) => Lit::Num(n.base10_parse().unwrap_or(i64::MAX)),
            syn::Lit::Float(n) => {
                let n: f64 = n.base10_parse().unwrap_or(1.0);
                Lit::Num(if n < 0.0 { n.floor() as i64 } else { n.ceil() as i64 })
            }
            syn::Lit::Bool(b) => Lit::Bool(b.value),
            _ => return self.arena.unknown(),
        };
        self.arena.lit(lit)
    }

    pub fn path_value(&mut self, path: &syn::Path) -> ExprId {
        let parts: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
        if let [one] = parts.as_slice() {
            match self.binding(one) {
                Some(Binding::Local(name, _)) => return self.name(name),
                Some(Binding::Value(value, _)) => return value,
                Some(Binding::Import(path)) => return self.arena.mk(Expr::Path(path)),
                None if one == "None" => return self.nothing(),
                None => {}
            }
        }
        if self.case_of(&parts).is_some() {
            return self.constant_value(&parts);
        }
        let path = self.resolve(path);
        self.path(&path)
    }

    /// A constant, or a case without content: the case is the text of its name.
    pub fn constant_value(&mut self, parts: &[String]) -> ExprId {
        match self.case_of(parts) {
            Some(case) => self.arena.str(&case),
            None => {
                let path = self.facts.resolve(parts);
                self.path(&path)
            }
        }
    }

    /// Who is waited for answers from elsewhere: `jobs.get(id).await` looks into no map of this process.
    fn awaited(&mut self, value: ExprId) -> ExprId {
        let Some(call) = self.arena.call_of(value).cloned() else { return value };
        if let Some(site) = self.arena.site_mut(call.site) {
            site.waited = true;
        }
        match *self.arena.get(call.callee) {
            Expr::Field(_, name) if name == "get" => {
                let yes = self.yes();
                let mut args = call.args;
                args.push(Arg { name: Some(sym("await")), value: yes });
                self.arena.call(call.site, call.callee, args)
            }
            _ => value,
        }
    }

    fn structure_value(&mut self, x: &syn::ExprStruct) -> ExprId {
        let mut fields: Vec<(Sym, ExprId)> = Vec::new();
        let values = self.values(x.fields.iter().map(|f| &f.expr));
        for (field, value) in x.fields.iter().zip(values) {
            let name = match &field.member {
                Member::Named(name) => plain(name),
                Member::Unnamed(index) => index.index.to_string(),
            };
            fields.push((sym(&name), value));
        }
        let parts: Vec<String> = x.path.segments.iter().map(|s| plain(&s.ident)).collect();
        if let Some(case) = self.case_of(&parts).or_else(|| self.type_of(&parts)) {
            fields.push((sym("#is"), self.arena.str(&case)));
        }
        match &x.rest {
            Some(rest) if fields.is_empty() => self.expr(rest),
            _ => self.arena.mk(Expr::Record(fields)),
        }
    }

    /// `a..b`; `0..xs.len()` are the positions of `xs`.
    fn range(&mut self, x: &syn::ExprRange) -> ExprId {
        let from_zero = match x.start.as_deref() {
            None => true,
            Some(E::Lit(l)) => matches!(&l.lit, syn::Lit::Int(n) if n.base10_digits() == "0"),
            _ => false,
        };
        if let (true, Some(E::MethodCall(end))) = (from_zero, x.end.as_deref())
            && end.method == "len"
        {
            let over = self.expr(&end.receiver);
            let of = self.arena.binder(over);
            let element = self.arena.mk(Expr::Elem(of));
            let (yes, index) = (self.yes(), self.field(element, "#index"));
            return self.arena.gather(of, yes, index);
        }
        let ends = self.values(x.start.iter().chain(x.end.iter()).map(|b| &**b));
        let at = self.place(super::span::start(&E::Range(x.clone())), super::span::end(&E::Range(x.clone())));
        self.op("range", at, ends)
    }

    /// `xs[0]`, `m[&k]`, `xs[..n]`
    fn index(&mut self, x: &syn::ExprIndex) -> ExprId {
        let base = self.expr(&x.expr);
        if let E::Range(range) = &*x.index {
            let mut values = vec![base];
            let ends = self.values(range.start.iter().chain(range.end.iter()).map(|b| &**b));
            if ends.is_empty() {
                return base;
            }
            values.extend(ends);
            let at = self.place(super::span::start(&x.expr), x.bracket_token.span.close());
            return self.op("%slice", at, values);
        }
        let key = self.expr(&x.index);
        match self.arena.get(key) {
            Expr::Lit(Lit::Num(n)) => {
                let n = n.to_string();
                self.field(base, &n)
            }
            Expr::Lit(Lit::Str(s)) => {
                let s = *s;
                self.arena.field(base, s)
            }
            _ => self.lookup(base, key),
        }
    }

    /// Where a value is kept, if it is a place.
    pub fn place_of(&self, value: ExprId) -> Option<Place> {
        match *self.arena.get(value) {
            Expr::Name(name) => Some(Place::Name(name)),
            Expr::Field(base, field) => Some(Place::Field(base, field)),
            Expr::Lookup(of, key) => Some(Place::Entry(of, key)),
            _ => None,
        }
    }

    /// Writes a place; a field with where it is written.
    pub fn write(&mut self, place: Place, value: ExprId, target: &E) {
        let stmt = match place {
            Place::Field(base, field) => Stmt::Set { base, field, value, at: self.span(target) },
            place => Stmt::Let(place, value),
        };
        self.pending.push(stmt);
    }

    fn assign(&mut self, left: &E, right: &E) -> ExprId {
        let value = self.expr(right);
        self.store(left, value);
        self.nothing()
    }

    fn store(&mut self, target: &E, value: ExprId) {
        match target {
            E::Paren(x) => self.store(&x.expr, value),
            E::Unary(x) if matches!(x.op, UnOp::Deref(_)) => self.store(&x.expr, value),
            E::Infer(_) => {
                let mut out = Vec::new();
                self.run_value(value, &mut out);
                self.pending.extend(out);
            }
            E::Tuple(x) => {
                let value = self.once(value);
                for (i, part) in x.elems.iter().enumerate() {
                    let part_value = self.field(value, &i.to_string());
                    self.store(part, part_value);
                }
            }
            E::Index(x) if !matches!(&*x.index, E::Range(_)) => {
                let (of, key) = (self.expr(&x.expr), self.expr(&x.index));
                self.pending.push(Stmt::Let(Place::Entry(of, key), value));
            }
            _ => {
                let old = self.expr(target);
                match self.place_of(old) {
                    Some(place) => self.write(place, value, target),
                    None => {
                        let mut out = Vec::new();
                        self.run_value(value, &mut out);
                        self.pending.extend(out);
                    }
                }
            }
        }
    }

    /// `!seen.insert(k)`: was it there before?
    fn seen_before(&mut self, x: &syn::ExprUnary) -> Option<ExprId> {
        let E::MethodCall(call) = &*x.expr else { return None };
        let key = call.args.first().filter(|_| call.args.len() == 1 && call.method == "insert")?;
        let (of, key) = (self.expr(&call.receiver), self.expr(key));
        let known = self.known(of, key);
        let temp = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(temp), known));
        let added = match self.place_of(of) {
            Some(place) => Stmt::Put(place, key),
            None => return Some(known),
        };
        self.pending.push(added);
        Some(self.named_at(temp, known))
    }

    fn unary(&mut self, x: &syn::ExprUnary) -> ExprId {
        if let (UnOp::Not(_), Some(seen)) = (&x.op, self.seen_before(x)) {
            return seen;
        }
        let value = self.expr(&x.expr);
        match (&x.op, self.arena.get(value)) {
            (UnOp::Not(_), _) => self.arena.not(value),
            (UnOp::Neg(_), Expr::Lit(Lit::Num(n))) => {
                let n = n.saturating_neg();
                self.arena.lit(Lit::Num(n))
            }
            (UnOp::Neg(_), _) => {
                let zero = self.arena.lit(Lit::Num(0));
                self.arena.binary(Bin::Sub, zero, value)
            }
            _ => value,
        }
    }

    fn binary(&mut self, x: &syn::ExprBinary) -> ExprId {
        match x.op {
            BinOp::And(_) | BinOp::Or(_) => return self.logic(x),
            BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) => {
                if let Some(test) = self.length_test(x) {
                    return test;
                }
            }
            _ => {}
        }
        let set = |e: &E| self.kind(e) == Kind::List;
        let sets = matches!((&*x.left, &*x.right), (E::Reference(_), E::Reference(_))) || set(&x.left) || set(&x.right);
        let values = self.values([&*x.left, &*x.right]);
        let [a, b] = values[..] else { return self.nothing() };
        let at = self.place(super::span::start(&x.left), super::span::end(&x.right));
        if let Some(op) = assigned(&x.op) {
            let value = self.operate(op, a, b, sets, at);
            match self.place_of(a) {
                Some(place) => self.write(place, value, &x.left),
                None => {
                    let mut out = Vec::new();
                    self.run_value(value, &mut out);
                    self.pending.extend(out);
                }
            }
            return self.nothing();
        }
        match x.op {
            BinOp::Eq(_) => self.equal(a, b),
            BinOp::Ne(_) => {
                let equal = self.equal(a, b);
                self.arena.not(equal)
            }
            BinOp::Lt(_) | BinOp::Le(_) => self.arena.binary(Bin::Lt, a, b),
            BinOp::Gt(_) | BinOp::Ge(_) => self.arena.binary(Bin::Lt, b, a),
            BinOp::Add(_) => self.operate('+', a, b, sets, at),
            BinOp::Sub(_) => self.operate('-', a, b, sets, at),
            BinOp::BitOr(_) => self.operate('|', a, b, sets, at),
            BinOp::BitAnd(_) => self.operate('&', a, b, sets, at),
            BinOp::Mul(_) => self.operate('*', a, b, sets, at),
            _ => self.operate('/', a, b, sets, at),
        }
    }

    /// `a && b`; what has to happen for `b` happens only where it is asked.
    fn logic(&mut self, x: &syn::ExprBinary) -> ExprId {
        let and = matches!(x.op, BinOp::And(_));
        let left = self.expr(&x.left);
        let (before, right) = self.apart(|cx| cx.expr(&x.right));
        if before.is_empty() {
            return if and { self.arena.and(left, right) } else { self.arena.or(left, right) };
        }
        let only_kept = before.iter().all(|s| matches!(s, Stmt::Let(Place::Name(n), _) if n.starts_with('%')));
        if only_kept {
            self.pending.extend(before);
            return if and { self.arena.and(left, right) } else { self.arena.or(left, right) };
        }
        let temp = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(temp), left));
        let value = self.name(temp);
        let test = if and { value } else { self.arena.not(value) };
        let mut inner = before;
        if !super::value::leaves(&inner) {
            inner.push(Stmt::Let(Place::Name(temp), right));
        }
        self.pending.push(Stmt::If(test, inner, Vec::new()));
        value
    }

    /// ```text
    /// x == None, x == false        not present(x), not x
    /// e.kind() == NotFound         notfound(..)
    /// ```
    pub fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        for (x, constant) in [(a, b), (b, a)] {
            let gone = self.gone_of(x);
            match *self.arena.get(constant) {
                Expr::Lit(Lit::Nothing) => {
                    let here = self.present(x);
                    return self.arena.not(here);
                }
                Expr::Lit(Lit::Empty) => return self.arena.not(x),
                Expr::Lit(Lit::Bool(true)) => return x,
                Expr::Lit(Lit::Bool(false)) => return self.arena.not(x),
                Expr::Lit(Lit::Num(404 | 410)) if gone.is_some() => return gone.unwrap_or(x),
                Expr::Lit(Lit::Str(s)) | Expr::Path(s)
                    if gone.is_some() && s.rsplit('.').next().is_some_and(says_gone) =>
                {
                    return gone.unwrap_or(x);
                }
                _ => {}
            }
        }
        self.eq(a, b)
    }

    /// `xs.len() == 0`, `xs.len() > 0`
    fn length_test(&mut self, x: &syn::ExprBinary) -> Option<ExprId> {
        let of = |e: &E| match e {
            E::MethodCall(m) if m.args.is_empty() && (m.method == "len" || m.method == "count") => Some(m.clone()),
            _ => None,
        };
        let number = |e: &E| match e {
            E::Lit(l) => match &l.lit {
                syn::Lit::Int(n) => n.base10_parse::<i64>().ok(),
                _ => None,
            },
            _ => None,
        };
        let (call, n, flipped) = match (of(&x.left), number(&x.right), of(&x.right), number(&x.left)) {
            (Some(call), Some(n), ..) => (call, n, false),
            (_, _, Some(call), Some(n)) => (call, n, true),
            _ => return None,
        };
        let empty = match (&x.op, n, flipped) {
            (BinOp::Eq(_), 0, _) | (BinOp::Lt(_), 1, false) | (BinOp::Le(_), 0, false) => true,
            (BinOp::Gt(_), 1, true) | (BinOp::Ge(_), 0, true) => true,
            (BinOp::Ne(_), 0, _) | (BinOp::Gt(_), 0, false) | (BinOp::Ge(_), 1, false) => false,
            (BinOp::Lt(_), 0, true) | (BinOp::Le(_), 1, true) => false,
            _ => return None,
        };
        let value = self.expr(&call.receiver);
        let value = self.filled(value);
        Some(if empty { self.arena.not(value) } else { value })
    }

    /// Is there anything in it?
    pub fn filled(&mut self, value: ExprId) -> ExprId {
        match *self.arena.get(value) {
            Expr::Gather { of, keep, .. } => self.arena.any(of, keep),
            _ => value,
        }
    }

    fn operate(&mut self, op: char, a: ExprId, b: ExprId, sets: bool, at: crate::source::Span) -> ExprId {
        if let (Expr::Lit(Lit::Num(x)), Expr::Lit(Lit::Num(y))) = (self.arena.get(a), self.arena.get(b)) {
            let (x, y) = (*x, *y);
            let folded = match op {
                '+' => Some(x.saturating_add(y)),
                '-' => Some(x.saturating_sub(y)),
                '*' => Some(x.saturating_mul(y)),
                _ => None,
            };
            if let Some(n) = folded {
                return self.arena.lit(Lit::Num(n));
            }
        }
        let number = |cx: &Self, e| matches!(cx.arena.get(e), Expr::Lit(Lit::Num(_)));
        match op {
            '+' if self.is_text(a) || self.is_text(b) => self.joined(a, b),
            '+' => self.arena.binary(Bin::Add, a, b),
            '-' if sets || self.is_collection(a) => self.arena.minus(a, b),
            '-' => self.arena.binary(Bin::Sub, a, b),
            '|' if sets => self.arena.union(a, b),
            '&' if sets => self.intersection(a, b),
            '|' if !number(self, b) => self.arena.or(a, b),
            '&' if !number(self, b) => self.arena.and(a, b),
            '*' if number(self, a) => b,
            _ if number(self, b) => a,
            _ => self.op("%arith", at, vec![a, b]),
        }
    }

    fn joined(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let mut parts = match self.arena.get(a) {
            Expr::Format(parts) => parts.clone(),
            _ => vec![a],
        };
        match self.arena.get(b) {
            Expr::Format(more) => parts.extend(more.clone()),
            _ => parts.push(b),
        }
        self.format(parts)
    }

    pub fn is_text(&self, e: ExprId) -> bool {
        matches!(self.arena.get(e), Expr::Lit(Lit::Str(_)) | Expr::Format(_))
    }
    pub fn is_collection(&self, e: ExprId) -> bool {
        matches!(
            self.arena.get(e),
            Expr::Lit(Lit::Empty)
                | Expr::One(_)
                | Expr::Gather { .. }
                | Expr::Binary(Bin::Union, ..)
                | Expr::Binary(Bin::Minus, ..)
        )
    }
}

/// The operator of `a += b`.
fn assigned(op: &BinOp) -> Option<char> {
    Some(match op {
        BinOp::AddAssign(_) => '+',
        BinOp::SubAssign(_) => '-',
        BinOp::MulAssign(_) => '*',
        BinOp::DivAssign(_) | BinOp::RemAssign(_) | BinOp::BitXorAssign(_) => '/',
        BinOp::ShlAssign(_) | BinOp::ShrAssign(_) => '/',
        BinOp::BitAndAssign(_) => '&',
        BinOp::BitOrAssign(_) => '|',
        _ => return None,
    })
}
