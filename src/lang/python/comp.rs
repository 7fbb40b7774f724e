//! Comprehensions, traversals, and the functions of the language that take collections apart.
//!
//! ```text
//! [f(x) for x in xs if x.ok]                [x in xs | x.ok => f(x)]
//! {d.name: d for d in ds}                   [d in ds => d]           (the value speaks of the element)
//! {n: True for n in ns}                     [n in ns => n]           (the value does not: the key)
//! any(p(x) for x in xs)                     any x in xs. p(x)
//! all(p(x) for x in xs)                     not any x in xs. not p(x)
//! next((x for x in xs if c), None)          (any x in xs. c) ? x : nothing
//! for i, x in enumerate(xs)                 x = e, i = e.#index
//! for a, b in zip(xs, ys)                   a = e, b = ys[e.#index]
//! for k, v in m.items()                     v = e, k = e.#key
//! ```
//!
//! The variables of a comprehension do not survive: each is replaced by the element, or a part of it.

use super::build::Cx;
use super::kinds::{Child, K, first, kind, parts};
use super::scope::{Binding, Scope};
use crate::ir::{Block, Exit, Expr, ExprId, Place, Stmt, Sym, sym};
use tree_sitter::Node;

/// What a comprehension is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// Its elements.
    Collect,
    /// Whether one of them holds.
    Some,
    /// Whether one of them does not.
    SomeNot,
}

/// How the target of a traversal is made of the element.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// It is the element.
    Plain,
    /// `m.items()`
    Items,
    /// `enumerate(xs)`
    Indexed(Box<Shape>),
    /// `range(len(xs))`
    Index,
    /// `zip(xs, ys)`: the first is traversed, the others are looked into at the same position.
    Zip(Box<Shape>, Vec<ExprId>),
}

impl Shape {
    /// Is the target the element itself?
    pub fn is_plain(&self) -> bool {
        matches!(self, Shape::Plain)
    }
}

impl Cx<'_> {
    /// What a `for` runs over, and what it gives.
    pub fn iteration(&mut self, node: Node) -> (ExprId, Shape) {
        let node = self.unwrap_paren(node);
        if kind(node) == K::Call
            && let Some(found) = self.deeper(|cx| cx.traversal(node)).flatten()
        {
            return found;
        }
        (self.coll(node), Shape::Plain)
    }

    fn traversal(&mut self, node: Node) -> Option<(ExprId, Shape)> {
        let (function, arguments) = (node.function()?, node.arguments()?);
        let given = parts(arguments);
        let called = function.attribute().unwrap_or(function);
        if self.text(called) == "iteritems"
            && let [one] = given[..]
        {
            // `six.iteritems(m)`
            return Some((self.expr(one), Shape::Items));
        }
        if kind(function) == K::Attribute {
            let name = self.text(called);
            let items = matches!(name, "items" | "iteritems" | "viewitems") && given.is_empty();
            return items.then(|| (function.object()).map(|o| (self.expr(o), Shape::Items)))?;
        }
        let (head, rest) = given.split_first()?;
        let name = self.builtin(function)?;
        if kind(*head) == K::KeywordArg || super::expr::is_splat(*head) || kind(arguments) == K::Generator {
            return None;
        }
        match name {
            "enumerate" => {
                let (over, inner) = self.iteration(*head);
                Some((over, Shape::Indexed(Box::new(inner))))
            }
            "zip" => {
                let (over, inner) = self.iteration(*head);
                let others = rest.iter().filter(|n| kind(**n) != K::KeywordArg).map(|n| self.coll(*n)).collect();
                Some((over, Shape::Zip(Box::new(inner), others)))
            }
            "range" => {
                let last = given.last().filter(|_| given.len() <= 2)?;
                let of = last.function().filter(|f| self.builtin(*f) == Some("len")).and(last.arguments())?;
                Some((self.coll(first(of)?), Shape::Index))
            }
            "list" | "tuple" | "set" | "frozenset" | "sorted" | "reversed" | "iter" => {
                let plain = rest.iter().all(|n| kind(*n) == K::KeywordArg);
                plain.then(|| self.iteration(*head))
            }
            _ => None,
        }
    }

    /// The value of the target for an element.
    pub fn element(&mut self, shape: &Shape, e: ExprId) -> ExprId {
        match shape {
            Shape::Plain => e,
            Shape::Items => {
                let key = self.arena.field(e, sym("#key"));
                self.positions(vec![key, e])
            }
            Shape::Index => self.arena.field(e, sym("#index")),
            Shape::Indexed(inner) => {
                let index = self.arena.field(e, sym("#index"));
                let value = self.element(inner, e);
                self.positions(vec![index, value])
            }
            Shape::Zip(inner, others) => {
                let index = self.arena.field(e, sym("#index"));
                let mut values = vec![self.element(inner, e)];
                for other in others {
                    values.push(self.lookup(*other, index));
                }
                self.positions(values)
            }
        }
    }

    fn positions(&mut self, values: Vec<ExprId>) -> ExprId {
        let fields = values.into_iter().enumerate().map(|(i, v)| (sym(&i.to_string()), v)).collect();
        self.arena.mk(Expr::Record(fields))
    }

    /// `list(enumerate(xs))`: a traversal that is a value.
    pub fn traversal_value(&mut self, node: Node) -> Option<ExprId> {
        let (over, shape) = self.traversal(node)?;
        if shape.is_plain() {
            return Some(over);
        }
        let of = self.arena.binder(over);
        let element = self.arena.mk(Expr::Elem(of));
        let give = self.element(&shape, element);
        let always = self.arena.bool(true);
        Some(self.arena.gather(of, always, give))
    }

    /// A comprehension.
    pub fn comprehension(&mut self, node: Node, mode: Mode) -> ExprId {
        let clauses: Vec<Node> =
            parts(node).into_iter().filter(|n| matches!(kind(*n), K::ForIn | K::IfClause)).collect();
        let Some(body) = node.body() else { return self.hole(node) };
        self.clauses(&clauses, body, mode, &mut Vec::new())
    }

    fn clauses(&mut self, clauses: &[Node], body: Node, mode: Mode, elements: &mut Vec<ExprId>) -> ExprId {
        let Some((head, rest)) = clauses.split_first() else { return self.produced(body, mode, elements) };
        let (Some(left), Some(right)) = (head.left(), head.right()) else { return self.hole(*head) };
        let (over, shape) = self.iteration(right);
        let of = self.arena.binder(over);
        let element = self.arena.mk(Expr::Elem(of));
        self.at(element, left);
        elements.push(element);
        let value = self.element(&shape, element);
        let tests = rest.iter().take_while(|n| kind(**n) == K::IfClause).count();
        let (tests, rest) = rest.split_at(tests);
        let (keep, give) = self.inside(|cx| {
            cx.bind_values(left, value);
            let mut keep = cx.arena.bool(true);
            for test in tests {
                let test = first(*test).map(|n| cx.cond(n)).unwrap_or(keep);
                keep = cx.arena.and(keep, test);
            }
            let give = cx.deeper(|cx| cx.clauses(rest, body, mode, elements));
            (keep, give.unwrap_or_else(|| cx.hole_named("too_deep", body)))
        });
        if mode == Mode::Collect {
            return self.arena.gather(of, keep, give);
        }
        let such = self.arena.and(keep, give);
        self.arena.any(of, such)
    }

    /// Runs in a scope of its own, in which nothing can be put in front of the statement.
    fn inside<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Scope::default());
        self.comprehensions += 1;
        let result = run(self);
        self.comprehensions -= 1;
        self.scopes.pop();
        result
    }

    fn produced(&mut self, body: Node, mode: Mode, elements: &[ExprId]) -> ExprId {
        match (mode, body.key(), body.value()) {
            (Mode::Some, ..) => self.cond(body),
            (Mode::SomeNot, ..) => {
                let holds = self.cond(body);
                self.arena.not(holds)
            }
            (Mode::Collect, Some(key), Some(value)) if kind(body) == K::Pair => {
                let (key, value) = (self.expr(key), self.expr(value));
                let speaks = self.arena.mentions(value, &mut |e| elements.contains(&e));
                if speaks { value } else { key }
            }
            _ => self.expr(body),
        }
    }

    /// ```text
    /// [f(x) for x in xs if x.ok]       for x in xs: if x.ok: f(x)
    /// ```
    pub fn comprehension_as_loops(&mut self, node: Node, out: &mut Block) {
        let clauses: Vec<Node> =
            parts(node).into_iter().filter(|n| matches!(kind(*n), K::ForIn | K::IfClause)).collect();
        let Some(body) = node.body() else { return };
        let scopes = self.scopes.len();
        self.loops(&clauses, body, out);
        self.scopes.truncate(scopes);
    }

    fn loops(&mut self, clauses: &[Node], body: Node, out: &mut Block) {
        let Some((head, rest)) = clauses.split_first() else { return self.effect(body, out) };
        let mut inner = Vec::new();
        if kind(*head) == K::IfClause {
            let Some(test) = first(*head) else { return };
            let when = self.cond(test);
            out.append(&mut self.pending);
            self.deeper(|cx| cx.loops(rest, body, &mut inner));
            out.push(Stmt::If(when, inner, Vec::new()));
            return;
        }
        let (Some(left), Some(right)) = (head.left(), head.right()) else { return };
        let (over, shape) = self.iteration(right);
        out.append(&mut self.pending);
        let plain = kind(left) == K::Ident && shape.is_plain();
        let var = if plain { self.own_name(sym(self.text(left))) } else { self.fresh() };
        let element = self.arena.mk(Expr::Name(var));
        self.at(element, left);
        let value = self.element(&shape, element);
        self.scopes.push(Scope::default());
        if let (true, Some(scope)) = (plain, self.scopes.last_mut()) {
            scope.names.insert(sym(self.piece.text().get(left.byte_range()).unwrap_or_default()), Binding::Local(var));
        }
        let leaves = if plain { Vec::new() } else { self.leaves(left, value) };
        for (leaf, value) in leaves {
            let name = sym(self.text(leaf));
            let own = self.own_name(name);
            inner.push(Stmt::Let(Place::Name(own), value));
            if let Some(scope) = self.scopes.last_mut() {
                scope.names.insert(name, Binding::Local(own));
            }
        }
        self.deeper(|cx| cx.loops(rest, body, &mut inner));
        out.push(Stmt::For { var, over, body: inner, whole: Vec::new() });
    }

    /// `any(xs)`, `all(xs)`
    pub fn quantified(&mut self, argument: Node, all: bool) -> ExprId {
        let node = self.unwrap_paren(argument);
        let some = if matches!(kind(node), K::Generator | K::ListComp | K::SetComp) {
            self.comprehension(node, if all { Mode::SomeNot } else { Mode::Some })
        } else {
            let over = self.coll(node);
            self.some_of(over, all)
        };
        if all { self.arena.not(some) } else { some }
    }

    /// Some element of a collection holds, or does not.
    pub fn some_of(&mut self, over: ExprId, negated: bool) -> ExprId {
        let (of, keep, give) = match *self.arena.get(over) {
            Expr::Gather { of, keep, give } => (of, keep, give),
            _ => {
                let of = self.arena.binder(over);
                (of, self.arena.bool(true), self.arena.mk(Expr::Elem(of)))
            }
        };
        let holds = match self.arena.get(give) {
            Expr::Gather { .. } => self.some_of(give, negated),
            _ if negated => self.arena.not(give),
            _ => give,
        };
        let such = self.arena.and(keep, holds);
        self.arena.any(of, such)
    }

    /// `next(x for x in xs if c)` with or without what it gives when there is none; without, it fails.
    pub fn next_of(&mut self, argument: Node, default: Option<Node>) -> Option<ExprId> {
        let node = self.unwrap_paren(argument);
        let over = match (kind(node), node.function().and_then(|f| self.builtin(f))) {
            (K::Generator | K::ListComp, _) | (K::Call, Some("iter" | "filter" | "map" | "reversed")) => {
                self.expr(node)
            }
            _ => return None,
        };
        let (found, give) = self.first_found(over);
        let default = match default {
            Some(default) => self.expr(default),
            None => {
                if self.comprehensions == 0 {
                    let none = self.arena.not(found);
                    let leave = vec![Stmt::Leave(Exit::Raise(Some(sym("StopIteration"))))];
                    self.pending.push(Stmt::If(none, leave, Vec::new()));
                }
                self.nothing()
            }
        };
        Some(self.arena.choose(found, give, default))
    }

    fn first_found(&mut self, over: ExprId) -> (ExprId, ExprId) {
        let (of, keep, give) = match *self.arena.get(over) {
            Expr::Gather { of, keep, give } => (of, keep, give),
            _ => {
                let of = self.arena.binder(over);
                (of, self.arena.bool(true), self.arena.mk(Expr::Elem(of)))
            }
        };
        match self.arena.get(give) {
            Expr::Gather { .. } => {
                let (found, inner) = self.first_found(give);
                let such = self.arena.and(keep, found);
                (self.arena.any(of, such), inner)
            }
            _ => (self.arena.any(of, keep), give),
        }
    }

    /// `filter(f, xs)`, `filterfalse(f, xs)`
    pub fn filtered(&mut self, f: Node, xs: Node, negated: bool, whole: Node) -> ExprId {
        let (over, shape) = self.iteration(xs);
        let of = self.arena.binder(over);
        let element = self.arena.mk(Expr::Elem(of));
        let value = self.element(&shape, element);
        let mut keep = match kind(f) {
            K::None => value,
            _ => self.applied(f, vec![value], true, whole),
        };
        if negated {
            keep = self.arena.not(keep);
        }
        self.arena.gather(of, keep, value)
    }

    /// `map(f, xs, ys)`
    pub fn mapped(&mut self, f: Node, xs: &[Node], whole: Node) -> Option<ExprId> {
        let (head, rest) = xs.split_first()?;
        let (over, shape) = self.iteration(*head);
        let others: Vec<ExprId> = rest.iter().map(|n| self.coll(*n)).collect();
        let of = self.arena.binder(over);
        let element = self.arena.mk(Expr::Elem(of));
        let index = self.arena.field(element, sym("#index"));
        let mut values = vec![self.element(&shape, element)];
        for other in others {
            values.push(self.lookup(other, index));
        }
        let give = self.applied(f, values, false, whole);
        let always = self.arena.bool(true);
        Some(self.arena.gather(of, always, give))
    }

    /// A function applied to values: the body of a lambda with the values for its parameters, else a call.
    fn applied(&mut self, f: Node, values: Vec<ExprId>, test: bool, whole: Node) -> ExprId {
        let f = self.unwrap_paren(f);
        if let (K::Lambda, Some(body)) = (kind(f), f.body())
            && let Some(names) = self.simple_parameters(f, values.len())
        {
            return self.inside(|cx| {
                if let Some(scope) = cx.scopes.last_mut() {
                    scope.names.extend(names.into_iter().zip(&values).map(|(n, v)| (n, Binding::Value(*v))));
                }
                if test { cx.cond(body) } else { cx.expr(body) }
            });
        }
        match (self.builtin(f), &values[..]) {
            (Some("str" | "repr"), [one]) => return self.concat_one(*one),
            (Some("bool" | "list" | "set" | "tuple" | "dict"), [one]) => return *one,
            _ => {}
        }
        let callee = self.expr(f);
        let name = f.attribute().unwrap_or(f);
        let (name, whole) = (self.span(name), self.span(whole));
        let args = values.into_iter().map(|value| crate::ir::Arg { name: None, value }).collect();
        self.call(name, whole, callee, args)
    }

    /// Text of one value: `str(x)`.
    pub fn concat_one(&mut self, value: ExprId) -> ExprId {
        if self.is_text(value) { value } else { self.arena.mk(Expr::Format(vec![value])) }
    }

    /// The parameters of a lambda that are plain names, where there are as many as values.
    fn simple_parameters(&self, lambda: Node, count: usize) -> Option<Vec<Sym>> {
        let names = parts(lambda.parameters()?);
        let plain = names.len() == count && names.iter().all(|n| kind(*n) == K::Ident);
        plain.then(|| names.into_iter().map(|n| sym(self.text(n))).collect())
    }
}
