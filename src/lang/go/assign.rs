//! Assignment: places, several values at once, and the values that come with an error.
//!
//! ```text
//! x, err := f()                    x = f(); err = x           (the error of `x`: see `errors`)
//! _, ok := m[k]                    ok = present(m[k])
//! v, found := g()                  v = g(); found = present(v)
//! a, b := h()                      %1 = h(); a = %1.0; b = %1.1
//! a, b = b, a                      %1 = b; %2 = a; a = %1; b = %2
//! xs = append(xs, x)               xs <- x
//! ```

use super::build::Cx;
use super::kinds::{Child, K, first, has_token, kind, parts, type_of};
use super::names::{Info, Ty, is_ctx_name, is_end_name, is_error_name, is_ok_name};
use crate::ir::{Bin, Block, Expr, ExprId, Lit, Place, Stmt, sym};
use tree_sitter::Node;

/// What an assignment declares, and of what kind.
type Declares = Option<Info>;

/// What the last of several targets is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Last {
    Error,
    Ok,
    /// Whether it is over.
    Opaque,
    Plain,
}

impl<'a> Cx<'a> {
    /// `a, b := x, y`, `a = x`, `a += x`
    pub fn assignment(&mut self, node: Node<'a>, out: &mut Block) {
        let (Some(left), Some(right)) = (node.left(), node.right()) else {
            self.hole(node);
            return;
        };
        let (left, right) = (parts(left), parts(right));
        let operator = node.operator().map(|o| o.kind()).unwrap_or("=");
        match (&left[..], &right[..]) {
            ([target], [value]) if operator != "=" && kind(node) == K::Assign => {
                self.assign_op(node, *target, operator.trim_end_matches('='), *value, out);
            }
            _ => {
                let declares = (kind(node) == K::Define).then(Info::default);
                self.assign_all(&left, &right, declares, out);
            }
        }
    }

    /// `var a, b T = x, y`
    pub fn define(&mut self, names: &[Node<'a>], values: &[Node<'a>], ty: Ty, out: &mut Block) {
        self.assign_all(names, values, Some(Info::of(ty)), out);
    }

    fn assign_all(&mut self, left: &[Node<'a>], right: &[Node<'a>], declares: Declares, out: &mut Block) {
        match (left, right) {
            ([target], [value]) => self.assign_one(*target, *value, declares, out),
            (_, [value]) => self.assign_many(left, *value, declares, out),
            _ if left.len() == right.len() => self.assign_each(left, right, declares, out),
            _ => right.iter().for_each(|n| {
                let hole = self.hole(*n);
                self.emit(out, Stmt::Do(hole));
            }),
        }
    }

    fn assign_one(&mut self, target: Node<'a>, right: Node<'a>, declares: Declares, out: &mut Block) {
        let right = self.unwrap_paren(right);
        if self.is_ctx_target(target) {
            self.declare_if(target, declares, Info::of(Ty::Ctx));
            return;
        }
        if declares.is_none() && self.append_to(target, right, out) {
            return;
        }
        let mut info = self.info_of_value(right);
        let declared = declares.map(|d| d.ty).unwrap_or_default();
        let name = self.text(target);
        let fails = match declares {
            Some(_) => {
                declared == Ty::Error
                    || info.ty == Ty::Error
                    || self.outcome(right).is_some()
                    || (self.is_call(right) || has_token(right, "<-")) && is_error_name(name)
            }
            None => match self.ty_of(target) {
                Ty::Unknown => is_error_name(name.rsplit('.').next().unwrap_or(name)),
                ty => ty == Ty::Error,
            },
        };
        let value = match fails {
            true if !self.is_call(right) => self.error_value(right),
            _ => self.expr(right),
        };
        if fails {
            info = Info::of(Ty::Error);
        } else if declared != Ty::Unknown {
            info.ty = declared;
        }
        self.store(target, value, declares.map(|_| info), out);
        if let Some((to, from)) = self.local_of(target).zip(self.local_of(right).filter(|_| kind(right) == K::Ident)) {
            self.same.push((to, from));
        }
        if declares.is_none()
            && let Some(local) = self.local_of(target)
        {
            let ty = self.ty_of(target);
            let ty = if ty == Ty::Unknown { info.ty } else { ty };
            self.info.insert(local, Info { ty, ..info });
        }
    }

    /// `a, b = b, a`: all values are there before the first is written.
    fn assign_each(&mut self, left: &[Node<'a>], right: &[Node<'a>], declares: Declares, out: &mut Block) {
        let mut values: Vec<(ExprId, Info)> = Vec::new();
        for value in right {
            let info = self.info_of_value(*value);
            values.push((self.expr(*value), info));
        }
        let locals: Vec<_> = left.iter().filter_map(|n| self.local_of(*n)).collect();
        let written: Vec<ExprId> = locals.into_iter().map(|local| self.local(local)).collect();
        let crossing =
            declares.is_none() && values.iter().any(|(v, _)| self.arena.mentions(*v, &mut |e| written.contains(&e)));
        if crossing {
            for (value, _) in &mut values {
                let temp = self.fresh();
                self.emit(out, Stmt::Let(Place::Name(temp), *value));
                let origin = self.arena.origin(*value);
                *value = self.local(temp);
                origin.into_iter().for_each(|span| {
                    self.arena.at(*value, span);
                });
            }
        }
        for (target, (value, info)) in left.iter().zip(values) {
            self.store(*target, value, declares.map(|_| info), out);
        }
    }

    /// Several targets for one value.
    fn assign_many(&mut self, left: &[Node<'a>], right: Node<'a>, declares: Declares, out: &mut Block) {
        let right = self.unwrap_paren(right);
        match (kind(right), left) {
            (K::Index, [value, ok]) => {
                let found = self.expr(right);
                self.with_ok(*value, *ok, found, None, declares, out);
            }
            (K::TypeAssert, [value, ok]) => {
                let found = self.expr(right);
                let is_it = self.opaque(right);
                self.with_ok(*value, *ok, found, Some(is_it), declares, out);
            }
            (K::Unary, [value, ok]) if has_token(right, "<-") => {
                let found = self.expr(right);
                let open = self.opaque(right);
                self.with_ok(*value, *ok, found, Some(open), declares, out);
            }
            _ if self.is_call(right) => self.assign_call(left, right, declares, out),
            _ => {
                let value = self.expr(right);
                let value = self.once(value);
                self.take_apart(left, value, declares, out);
            }
        }
    }

    /// `v, ok := m[k]`
    fn with_ok(
        &mut self,
        target: Node<'a>,
        ok: Node<'a>,
        found: ExprId,
        is_it: Option<ExprId>,
        declares: Declares,
        out: &mut Block,
    ) {
        let found = if self.text(ok) == "_" { found } else { self.once(found) };
        let mut value = found;
        if self.text(target) != "_" {
            self.store(target, found, declares, out);
            if let Some(local) = self.local_of(target) {
                value = self.local(local);
                self.at(value, target);
            }
        }
        let there = match is_it {
            Some(known) => known,
            None => self.present(value),
        };
        if self.text(ok) != "_" {
            self.at(there, ok);
            self.store(ok, there, declares.map(|_| Info::of(Ty::Bool)), out);
        }
    }

    /// `x, err := f()` and all its kin.
    fn assign_call(&mut self, left: &[Node<'a>], right: Node<'a>, declares: Declares, out: &mut Block) {
        let called = self.text(right.function().unwrap_or(right));
        let group = called == "errgroup.WithContext";
        if called.starts_with("context.With")
            && let [ctx, cancel] = left
        {
            self.declare_if(*ctx, declares, Info::of(Ty::Ctx));
            let value = self.opaque(right);
            return self.store(*cancel, value, declares, out);
        }
        let kept: Vec<Node> = left.iter().copied().filter(|n| !self.is_ctx_target(*n)).collect();
        if kept.len() < left.len() {
            let ctx: Vec<Node> = left.iter().copied().filter(|n| self.is_ctx_target(*n)).collect();
            ctx.into_iter().for_each(|n| self.declare_if(n, declares, Info::of(Ty::Ctx)));
            let [only] = kept[..] else {
                let value = self.expr(right);
                return self.take_apart(&kept, value, declares, out);
            };
            let value = if group { self.nothing() } else { self.expr(right) };
            let info = Info::of(if group { Ty::Group } else { Ty::Unknown });
            return self.store(only, value, declares.map(|_| info), out);
        }
        let Some((last, values)) = left.split_last() else { return };
        let role = self.role_of(*last, left.len());
        if role == Last::Opaque
            && let [one] = values
        {
            let value = self.expr(right);
            self.store_named(*one, value, declares, out);
            let unknown = self.opaque(*last);
            return self.store(*last, unknown, declares.map(|_| Info::of(Ty::Bool)), out);
        }
        if role == Last::Plain || role == Last::Opaque {
            let value = self.expr(right);
            let value = self.once(value);
            out.append(&mut self.pending);
            return self.take_apart(left, value, declares, out);
        }
        let mut value = self.expr(right);
        if role == Last::Ok
            && let Some(found) = self.loaded(right)
        {
            value = found;
        }
        out.append(&mut self.pending);
        if matches!(self.arena.get(value), Expr::Record(_)) {
            return self.take_apart(left, value, declares, out);
        }
        match values {
            // Of what others give besides, nobody takes notice: `entries, _, err := kv.List(prefix)`.
            [one, rest @ ..] if self.alone(*one, rest, right, value) => {
                value = self.store_named(*one, value, declares, out);
            }
            [one] => value = self.store_named(*one, value, declares, out),
            // `v, found, err := f()`
            [one, found] if role == Last::Error && self.role_of(*found, 2) == Last::Ok && self.text(*found) != "_" => {
                value = self.store_named(*one, value, declares, out);
                value = self.kept(value, right, out);
                let there = self.present(value);
                self.at(there, *found);
                self.store(*found, there, declares.map(|_| Info::of(Ty::Bool)), out);
            }
            _ => {
                value = self.once(value);
                out.append(&mut self.pending);
                self.take_apart(values, value, declares, out);
            }
        }
        if self.text(*last) == "_" {
            if matches!(self.arena.get(value), Expr::Call(_)) {
                out.push(Stmt::Do(value));
            }
            return;
        }
        let (what, ty) = match role {
            Last::Ok => (self.present(value), Ty::Bool),
            _ => (value, Ty::Error),
        };
        self.at(what, *last);
        self.store(*last, what, declares.map(|_| Info::of(ty)), out);
        if let (Last::Error, Some(error)) = (role, self.local_of(*last)) {
            self.info.insert(error, Info::of(Ty::Error));
            let error = self.local(error);
            if matches!(self.arena.get(value), Expr::Name(_)) {
                self.pairs.insert(error, value);
            }
        }
    }

    /// Is one value taken of several that a library gives? Functions of the file's own package give a record.
    fn alone(&self, one: Node<'a>, rest: &[Node<'a>], right: Node<'a>, value: ExprId) -> bool {
        let object = right.function().and_then(|f| f.operand().filter(|_| kind(f) == K::Selector));
        let own = object.is_none_or(|o| self.local_of(o) == Some(sym("self")));
        let record = matches!(self.arena.get(value), Expr::Record(_));
        self.text(one) != "_" && !own && !record && rest.iter().all(|n| self.text(*n) == "_")
    }

    /// `v, ok := m.Load(k)`
    fn loaded(&mut self, call: Node<'a>) -> Option<ExprId> {
        let (function, given) = (call.function()?, parts(call.arguments()?));
        let [key] = given[..] else { return None };
        let object = function.operand().filter(|_| function.field().is_some_and(|n| self.text(n) == "Load"))?;
        if self.static_path(function).is_some() || self.is_ctx(key) {
            return None;
        }
        let (base, key) = (self.expr(object), self.expr(key));
        Some(self.lookup(base, key))
    }

    /// Stores a value; where it went into a local, it is that from now on.
    fn store_named(&mut self, target: Node<'a>, value: ExprId, declares: Declares, out: &mut Block) -> ExprId {
        if self.text(target) == "_" {
            return value;
        }
        if self.arena.get(value) != &Expr::Lit(Lit::Nothing) && !matches!(kind(target), K::Ident) {
            let value = self.kept(value, target, out);
            self.store(target, value, declares, out);
            return value;
        }
        self.store(target, value, declares, out);
        match self.local_of(target) {
            Some(local) => {
                let name = self.local(local);
                self.at(name, target)
            }
            None => value,
        }
    }

    fn kept(&mut self, value: ExprId, _at: Node<'a>, out: &mut Block) -> ExprId {
        let value = self.once(value);
        out.append(&mut self.pending);
        value
    }

    fn take_apart(&mut self, left: &[Node<'a>], value: ExprId, declares: Declares, out: &mut Block) {
        out.append(&mut self.pending);
        for (i, target) in left.iter().enumerate() {
            if self.text(*target) == "_" {
                continue;
            }
            let part = self.arena.field(value, sym(&i.to_string()));
            self.at(part, *target);
            self.store(*target, part, declares, out);
        }
    }

    fn role_of(&self, last: Node<'a>, count: usize) -> Last {
        let name = self.text(last);
        let own = name.rsplit('.').next().unwrap_or(name);
        match self.ty_of(last) {
            Ty::Error => return Last::Error,
            Ty::Bool if count == 2 => return Last::Ok,
            // `errTypes` of which it was said that they are a list.
            Ty::Slice | Ty::Map | Ty::Int | Ty::Text => return Last::Plain,
            _ => {}
        }
        match name {
            "_" => Last::Error,
            _ if is_error_name(own) || own == "e" => Last::Error,
            _ if count == 2 && is_end_name(own) => Last::Opaque,
            _ if count == 2 && (is_ok_name(own) || self.is_tested(name)) => Last::Ok,
            _ => Last::Plain,
        }
    }

    fn is_ctx_target(&self, node: Node<'a>) -> bool {
        match kind(node) {
            K::Ident => self.ty_of(node) == Ty::Ctx || is_ctx_name(self.text(node)) && self.info_of(node).is_none(),
            K::Selector => node.field().is_some_and(|f| is_ctx_name(self.text(f))),
            _ => false,
        }
    }

    fn declare_if(&mut self, target: Node<'a>, declares: Declares, info: Info) {
        if declares.is_some() && kind(target) == K::Ident {
            self.declare(self.text(target), info);
        }
    }

    /// `xs = append(xs, a, b...)`, `m[k] = append(m[k], v)`
    fn append_to(&mut self, target: Node<'a>, right: Node<'a>, out: &mut Block) -> bool {
        let called = right.function().filter(|f| kind(right) == K::Call && self.builtin(*f) == Some("append"));
        let given = called.and(right.arguments()).map(parts).unwrap_or_default();
        let Some((head, rest)) = given.split_first() else { return false };
        if self.text(*head) != self.text(target) || rest.is_empty() {
            return false;
        }
        let place = self.place(target);
        for one in rest {
            if kind(*one) == K::VariadicArg {
                let more = first(*one).map(|n| self.expr(n)).unwrap_or_else(|| self.hole(*one));
                let before = self.read(place);
                self.at(before, target);
                let both = self.arena.union(before, more);
                self.write(place, both, target, out);
            } else {
                let value = self.expr(*one);
                self.emit(out, Stmt::Put(place, value));
            }
        }
        if let Some(local) = self.local_of(target) {
            self.unlearn(local);
        }
        true
    }

    /// Stores a value in whatever stands to the left.
    pub fn store(&mut self, target: Node<'a>, value: ExprId, declares: Declares, out: &mut Block) {
        let target = self.unwrap_paren(target);
        if self.text(target) == "_" {
            let does = self.arena.mentions(value, &mut |e| matches!(self.arena.get(e), Expr::Call(_)));
            if does {
                self.emit(out, Stmt::Do(value));
            }
            return;
        }
        let place = match declares.filter(|_| kind(target) == K::Ident) {
            Some(info) => match self.declare(self.text(target), info) {
                Some(local) => Place::Name(local),
                None => return,
            },
            None => self.place(target),
        };
        if let Place::Name(local) = place {
            self.unlearn(local);
            if declares.is_none()
                && let Some(info) = self.info.get_mut(&local)
            {
                (info.blank, info.made) = (false, false);
            }
        }
        self.write(place, value, target, out);
    }

    /// A field is written with its place.
    pub fn write(&mut self, place: Place, value: ExprId, target: Node<'a>, out: &mut Block) {
        let stmt = match place {
            Place::Field(base, field) => Stmt::Set { base, field, value, at: self.span(target) },
            _ => Stmt::Let(place, value),
        };
        self.emit(out, stmt);
    }

    /// The value at a place.
    pub fn read(&mut self, place: Place) -> ExprId {
        match place {
            Place::Name(name) => self.local(name),
            Place::Field(base, name) => self.arena.field(base, name),
            Place::Entry(base, key) => self.lookup(base, key),
        }
    }

    /// The place that an expression names. A value that is in no place gets a fresh one.
    pub fn place(&mut self, node: Node<'a>) -> Place {
        let node = self.unwrap_paren(node);
        match kind(node) {
            K::Ident | K::FieldIdent => self.place_of_name(self.text(node)),
            K::Unary => match node.operand() {
                Some(inner) => self.deeper(|cx| cx.place(inner)).unwrap_or_else(|| self.spare(node)),
                None => self.spare(node),
            },
            K::Selector => {
                let (Some(object), Some(name)) = (node.operand(), node.field()) else { return self.spare(node) };
                self.filled(object);
                let base = self.expr(object);
                let base = self.promoted(base);
                let base = self.once(base);
                Place::Field(base, sym(self.text(name)))
            }
            K::Index => {
                let (Some(object), Some(index)) = (node.operand(), node.index()) else { return self.spare(node) };
                self.filled(object);
                let base = self.expr(object);
                let base = self.once(base);
                let key = self.expr(index);
                match self.arena.get(key) {
                    Expr::Lit(Lit::Str(name)) => Place::Field(base, *name),
                    _ => Place::Entry(base, key),
                }
            }
            K::TypeInstance => match self.subscripts(node) {
                Some((base, key)) => Place::Entry(self.once(base), key),
                None => self.spare(node),
            },
            _ => self.spare(node),
        }
    }

    /// A local of which a part is written has contents of its own.
    fn filled(&mut self, node: Node<'a>) {
        let mut at = node;
        while let (K::Selector | K::Index | K::Paren, Some(inner)) = (kind(at), at.operand().or_else(|| first(at))) {
            at = inner;
        }
        if let Some(info) = self.local_of(at).and_then(|local| self.info.get_mut(&local)) {
            (info.blank, info.made) = (false, true);
        }
    }

    fn spare(&mut self, node: Node<'a>) -> Place {
        let value = self.expr(node);
        let name = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(name), value));
        Place::Name(name)
    }

    /// `x += v`, likewise for every operator.
    fn assign_op(&mut self, node: Node<'a>, target: Node<'a>, operator: &str, right: Node<'a>, out: &mut Block) {
        let place = self.place(target);
        let before = self.read(place);
        self.at(before, target);
        let value = self.expr(right);
        let value = self.operate(operator, before, value, node);
        self.write(place, value, target, out);
    }

    /// `x++`
    pub fn count(&mut self, node: Node<'a>, out: &mut Block) {
        let Some(target) = first(node) else {
            self.hole(node);
            return;
        };
        let place = self.place(target);
        let before = self.read(place);
        self.at(before, target);
        let one = self.lit(Lit::Num(1));
        let operator = if kind(node) == K::Inc { Bin::Add } else { Bin::Sub };
        let value = self.arena.binary(operator, before, one);
        self.write(place, value, target, out);
    }

    /// What a local is that is made of an expression.
    fn info_of_value(&self, node: Node<'a>) -> Info {
        let node = self.unwrap_paren(node);
        let inner = match node.operand() {
            Some(inner) if kind(node) == K::Unary && has_token(node, "&") => inner,
            _ => node,
        };
        match kind(inner) {
            K::Composite => {
                let ty = type_of(inner).map(|t| self.kind_of_type(t)).unwrap_or_default();
                let bare = inner.body().is_none_or(|b| parts(b).is_empty());
                let blank = bare && !matches!(ty, Ty::Map | Ty::Slice);
                Info { ty, blank, made: !bare, pointer: inner != node, ..Info::default() }
            }
            K::FuncLit => Info::of(Ty::Func),
            K::String | K::RawString => Info::of(Ty::Text),
            K::Int => Info::of(Ty::Int),
            K::True | K::False => Info::of(Ty::Bool),
            K::Ident => self.info_of(inner).map(|i| Info { blank: false, ..i }).unwrap_or_default(),
            K::Slice => Info::of(Ty::Slice),
            K::Call => Info { outcome: self.fills_something(inner), ..self.info_of_call(inner) },
            _ => Info::default(),
        }
    }

    fn info_of_call(&self, node: Node<'a>) -> Info {
        let Some(function) = node.function() else { return Info::default() };
        let ty = node.arguments().and_then(first);
        match (self.builtin(function), ty) {
            (Some("make"), Some(ty)) => return Info::of(self.kind_of_type(ty)),
            (Some("new"), Some(ty)) => return Info { blank: true, pointer: true, ..Info::of(self.kind_of_type(ty)) },
            (Some("append"), _) => return Info::of(Ty::Slice),
            (Some("len" | "cap"), _) => return Info::of(Ty::Int),
            (Some("string"), _) => return Info::of(Ty::Text),
            _ => {}
        }
        let name = self.text(function.field().unwrap_or(function));
        let error = matches!(name, "Errorf") || name.starts_with("Ignore") || self.text(function) == "errors.New";
        Info::of(if error { Ty::Error } else { Ty::Unknown })
    }
}
