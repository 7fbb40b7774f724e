//! Iterators and streams.
//!
//! ```text
//! xs.iter().filter(|x| x.ok).map(|x| x.id)     [x in xs | x.ok => x.id]
//! xs.iter().any(|x| x.id == k)                 any x in xs. x.id == k
//! xs.iter().find(|x| x.id == k)                (any x in xs. x.id == k) ? x : nothing
//! a.difference(&b)                             a -- b
//! xs.retain(|x| x.ok)                          xs = [x in xs | x.ok]
//! xs.iter().for_each(|x| f(x))                 for x in xs: f(x)
//! for (k, v) in &m                             v = e, k = e.#key
//! ```
//!
//! A closure that is more than a value makes a loop of it, which collects what it gives.

use super::apply::Applied;
use super::build::Cx;
use super::guess::{Kind, Ret};
use super::uses::plain;
use crate::ir::{Bin, BinderId, Block, Exit, Expr, ExprId, Place, Rebuild, Stmt, Sym};
use syn::{Expr as E, ExprMethodCall};

/// A traversal: of what, which elements, and what is given for each.
#[derive(Clone, Copy, Debug)]
struct Many {
    of: BinderId,
    keep: ExprId,
    give: ExprId,
}

/// What is made of the elements for which something holds.
enum Found {
    /// Whether there is one.
    Any,
    /// Whether all are.
    All,
    /// The first.
    First,
    /// Its position.
    Position,
}

/// Methods that apply a function. A query has methods of such names: `.filter(Column::State.eq(..)).all(db)`.
const APPLY: &[&str] = &[
    "filter",
    "try_filter",
    "skip_while",
    "take_while",
    "filter_ok",
    "map",
    "then",
    "map_ok",
    "and_then",
    "map_while",
    "filter_map",
    "try_filter_map",
    "flat_map",
    "any",
    "all",
    "find",
    "position",
    "find_map",
    "partition",
    "for_each",
    "for_each_concurrent",
    "try_for_each",
    "try_for_each_concurrent",
    "fold",
    "try_fold",
    "retain",
    "retain_mut",
    "max_by_key",
    "min_by_key",
    "max_by",
    "min_by",
];

impl Cx<'_> {
    /// The traversal of a collection.
    fn many_of(&mut self, v: ExprId) -> Many {
        match *self.arena.get(v) {
            Expr::Gather { of, keep, give }
                if !self.does(keep) && !self.does(give) && !matches!(self.arena.get(give), Expr::Gather { .. }) =>
            {
                Many { of, keep, give }
            }
            _ => {
                let of = self.arena.binder(v);
                Many { of, keep: self.yes(), give: self.arena.mk(Expr::Elem(of)) }
            }
        }
    }

    fn gathered(&mut self, m: Many) -> ExprId {
        self.arena.gather(m.of, m.keep, m.give)
    }

    /// The entries of a map: keys and values.
    pub fn entries(&mut self, map: ExprId) -> ExprId {
        if matches!(self.arena.get(map), Expr::Gather { give, .. } if matches!(self.arena.get(*give), Expr::Record(_)))
        {
            return map;
        }
        let of = self.arena.binder(map);
        let element = self.arena.mk(Expr::Elem(of));
        let key = self.field(element, "#key");
        let (keep, give) = (self.yes(), self.record(vec![key, element]));
        self.arena.gather(of, keep, give)
    }

    /// Pairs that are collected into a map: it keeps the values, where they speak of the element, else the keys.
    pub fn as_map(&mut self, v: ExprId) -> ExprId {
        let Expr::Gather { of, keep, give } = *self.arena.get(v) else { return v };
        let Expr::Record(parts) = self.arena.get(give) else { return v };
        let [(_, key), (_, value)] = parts[..] else { return v };
        let element = self.arena.mk(Expr::Elem(of));
        let speaks = self.arena.mentions(value, &mut |e| e == element);
        self.arena.gather(of, keep, if speaks { value } else { key })
    }

    /// A loop over a traversal, in front of the statement. `body` speaks of the element.
    fn each(&mut self, m: Many, body: Block) {
        let var = self.fresh();
        let name = self.name(var);
        let (over, element) = (self.arena.coll(m.of), self.arena.mk(Expr::Elem(m.of)));
        if let Some(at) = self.arena.origin(over) {
            self.arena.at(name, at);
        }
        self.rebuild_closures(&body, element, name);
        let mut copy = Rebuild::within().with(element, name);
        let keep = copy.expr(&mut self.arena, m.keep);
        let body = self.rebuilt(body, &mut copy);
        let body = self.guarded(keep, body);
        self.pending.push(Stmt::For { var, over, body, whole: Vec::new() });
    }

    /// A local that a loop in front of the statement fills.
    fn filled_by(&mut self, first: ExprId, m: Many, body: impl FnOnce(&mut Self, Sym) -> Block) -> ExprId {
        let out = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(out), first));
        let body = body(self, out);
        self.each(m, body);
        self.name(out)
    }

    fn applied(&mut self, m: Many, f: &E, ret: Ret) -> Applied {
        self.apply(f, &[(m.give, Kind::Unknown)], ret)
    }

    /// A collection of what may fail, where the first failure leaves the function:
    ///
    /// ```text
    /// ids.iter().map(|i| get(i)).collect::<Result<Vec<_>, _>>()?      %1 = []
    ///                                                                for i in ids:
    ///                                                                  %2 = get(i)
    ///                                                                  if raised(%2): return failed
    ///                                                                  %1 <- %2
    /// ```
    pub fn tried_each(&mut self, v: ExprId) -> Option<ExprId> {
        let Expr::Gather { of, keep, give } = *self.arena.get(v) else { return None };
        if !self.does(give) || matches!(self.arena.get(give), Expr::Gather { .. }) {
            return None;
        }
        let empty = self.empty();
        Some(self.filled_by(empty, Many { of, keep, give }, |cx, out| {
            let (mut body, value) = cx.apart(|cx| cx.once(give));
            let (raised, failed) = (cx.raised(value), cx.failed());
            if cx.arena.as_bool(raised) != Some(false) {
                body.extend(cx.guarded(raised, vec![Stmt::Leave(Exit::Return(failed))]));
            }
            let value = cx.there(value);
            body.push(Stmt::Put(Place::Name(out), value));
            body
        }))
    }

    /// Methods of iterators and streams.
    pub fn chained(&mut self, name: &str, v: ExprId, kind: Kind, x: &ExprMethodCall) -> Option<ExprId> {
        let args: Vec<&E> = x.args.iter().collect();
        let whole = self.place(super::span::start(&x.receiver), x.paren_token.span.close());
        if APPLY.contains(&name) && !args.last().is_some_and(|f| self.is_function(f)) {
            return None;
        }
        Some(match (name, &args[..]) {
            ("filter" | "try_filter" | "skip_while" | "take_while" | "filter_ok", [f]) => self.filtered(v, f),
            ("map" | "then" | "map_ok" | "and_then" | "map_while", [f]) => self.each_mapped(v, f),
            ("filter_map" | "try_filter_map" | "flat_map" | "flat_map_iter" | "try_flatten_map", [f]) => {
                if name.starts_with("flat") { self.flat_mapped(v, f) } else { self.filter_mapped(v, f) }
            }
            ("flatten" | "try_flatten" | "flatten_ok", []) => self.flattened(v, &x.receiver),
            ("any", [f]) => self.found(v, f, Found::Any),
            ("all", [f]) => self.found(v, f, Found::All),
            ("find", [f @ E::Closure(_)]) => self.found(v, f, Found::First),
            ("position" | "rposition" | "find_position", [f]) => self.found(v, f, Found::Position),
            ("find_map", [f]) => {
                let all = self.filter_mapped(v, f);
                self.first_of(all)
            }
            ("next" | "try_next" | "next_back", []) if kind == Kind::Iter || self.is_collection(v) => self.first_of(v),
            ("first" | "peek", []) => self.field(v, "0"),
            ("last", []) => self.field(v, "-1"),
            ("chain" | "union", [other]) => {
                let other = self.collection(other);
                self.arena.union(v, other)
            }
            ("difference", [other]) => {
                let other = self.collection(other);
                self.arena.minus(v, other)
            }
            ("intersection", [other]) => {
                let other = self.collection(other);
                self.intersection(v, other)
            }
            ("is_disjoint", [other]) => {
                let other = self.collection(other);
                let both = self.intersection(v, other);
                let some = self.filled(both);
                self.arena.not(some)
            }
            ("is_subset" | "is_superset", [other]) => {
                let other = self.collection(other);
                let (small, large) = if name == "is_subset" { (v, other) } else { (other, v) };
                let m = self.many_of(small);
                let known = self.known(large, m.give);
                let not = self.arena.not(known);
                let such = self.arena.and(m.keep, not);
                let some = self.arena.any(m.of, such);
                self.arena.not(some)
            }
            ("zip", [other]) => {
                let other = self.collection(other);
                let m = self.many_of(v);
                let element = self.arena.mk(Expr::Elem(m.of));
                let index = self.field(element, "#index");
                let partner = self.lookup(other, index);
                let give = self.record(vec![m.give, partner]);
                self.gathered(Many { give, ..m })
            }
            ("enumerate", []) => {
                let m = self.many_of(v);
                let element = self.arena.mk(Expr::Elem(m.of));
                let index = self.field(element, "#index");
                let give = self.record(vec![index, m.give]);
                self.gathered(Many { give, ..m })
            }
            ("partition", [f]) => self.partitioned(v, f),
            ("unzip", []) => {
                let m = self.many_of(v);
                let (a, b) = (self.field(m.give, "0"), self.field(m.give, "1"));
                let (a, b) = (self.gathered(Many { give: a, ..m }), self.gathered(Many { give: b, ..m }));
                self.record(vec![a, b])
            }
            ("for_each", [f]) | ("for_each_concurrent" | "par_for_each", [_, f]) => self.for_each(v, f, false),
            ("try_for_each", [f]) | ("try_for_each_concurrent", [_, f]) => self.for_each(v, f, true),
            ("fold" | "try_fold", [first, f]) => self.folded(v, first, f),
            ("retain" | "retain_mut", [f]) => self.retained(v, kind, f, x),
            ("drain" | "split_off", [_]) | ("drain", []) => {
                let value = if kind == Kind::Map { self.entries(v) } else { v };
                let empty = self.empty();
                if name == "drain" && value == v && !self.does(v) {
                    return Some(self.emptied(v, empty, &x.receiver));
                }
                value
            }
            ("chunks" | "chunks_exact" | "chunks_mut" | "try_chunks" | "array_chunks" | "tuple_windows", _) => {
                self.one(v)
            }
            ("skip" | "step_by" | "windows" | "nth" | "split_at" | "truncate_to", [n]) | ("take", [n]) => {
                let n = self.expr(n);
                self.op("%slice", whole, vec![v, n])
            }
            ("max" | "min" | "sum" | "product", []) => self.op(name, whole, vec![v]),
            ("max_by_key" | "min_by_key" | "max_by" | "min_by", [f]) => {
                let f = self.expr(f);
                self.op(name.split('_').next().unwrap_or(name), whole, vec![v, f])
            }
            _ => return None,
        })
    }

    /// The value of an operand that is a collection; a map gives its elements.
    pub fn collection(&mut self, e: &E) -> ExprId {
        self.many = true;
        let value = self.expr(e);
        self.many = false;
        value
    }

    fn filtered(&mut self, v: ExprId, f: &E) -> ExprId {
        let m = self.many_of(v);
        let applied = self.applied(m, f, Ret::Other);
        if applied.before.is_empty() {
            let keep = self.arena.and(m.keep, applied.value);
            return self.gathered(Many { keep, ..m });
        }
        let empty = self.empty();
        self.filled_by(empty, m, |cx, out| {
            let mut body = applied.before;
            let put = vec![Stmt::Put(Place::Name(out), m.give)];
            body.extend(cx.guarded(applied.value, put));
            body
        })
    }

    fn each_mapped(&mut self, v: ExprId, f: &E) -> ExprId {
        let m = self.many_of(v);
        let applied = self.applied(m, f, Ret::Other);
        if applied.before.is_empty() {
            return self.gathered(Many { give: applied.value, ..m });
        }
        let empty = self.empty();
        self.filled_by(empty, m, |_, out| {
            let mut body = applied.before;
            if !super::value::leaves(&body) {
                body.push(Stmt::Put(Place::Name(out), applied.value));
            }
            body
        })
    }

    fn filter_mapped(&mut self, v: ExprId, f: &E) -> ExprId {
        let m = self.many_of(v);
        let applied = self.applied(m, f, Ret::Option);
        let (test, give) = (self.given(applied.value), self.there(applied.value));
        if applied.before.is_empty() {
            let keep = self.arena.and(m.keep, test);
            return self.gathered(Many { keep, give, ..m });
        }
        let empty = self.empty();
        self.filled_by(empty, m, |cx, out| {
            let mut body = applied.before;
            let put = vec![Stmt::Put(Place::Name(out), give)];
            body.extend(cx.guarded(test, put));
            body
        })
    }

    /// Does a `filter_map` give this value?
    fn given(&mut self, v: ExprId) -> ExprId {
        let here = self.present(v);
        let raised = self.raised(v);
        match (self.arena.get(v), self.arena.as_bool(raised)) {
            (Expr::Choose(..), Some(false)) | (Expr::Field(..) | Expr::Lookup(..) | Expr::Elem(_), _) => here,
            (Expr::Choose(..), None) if self.arena.mentions(v, &mut |e| e == self.failed_id()) => {
                let fine = self.arena.not(raised);
                self.arena.and(fine, here)
            }
            _ => here,
        }
    }

    fn failed_id(&self) -> ExprId {
        self.arena.find(&Expr::Lit(crate::ir::Lit::Failed)).unwrap_or(ExprId(u32::MAX))
    }

    fn flat_mapped(&mut self, v: ExprId, f: &E) -> ExprId {
        let m = self.many_of(v);
        let applied = self.applied(m, f, Ret::Other);
        if applied.before.is_empty() {
            let give = self.members(applied.value);
            return self.gathered(Many { give, ..m });
        }
        let empty = self.empty();
        self.filled_by(empty, m, |cx, out| {
            let mut body = applied.before;
            let (var, over) = (cx.fresh(), applied.value);
            let value = cx.name(var);
            let put = vec![Stmt::Put(Place::Name(out), value)];
            body.push(Stmt::For { var, over, body: put, whole: Vec::new() });
            body
        })
    }

    /// A collection as the members of it.
    fn members(&mut self, v: ExprId) -> ExprId {
        if matches!(self.arena.get(v), Expr::Gather { .. }) {
            return v;
        }
        let m = self.many_of(v);
        self.gathered(m)
    }

    /// All that the members of a collection hold; of options those that are there.
    ///
    /// ```text
    /// for entry in entries.flatten()       an iterator whose elements may fail: those that did not
    /// for x in lists.iter().flatten()      the members of the lists
    /// stream::iter(vec![a, b]).flatten()   a ++ b
    /// ```
    fn flattened(&mut self, v: ExprId, receiver: &E) -> ExprId {
        if self.lists_written(receiver) {
            return self.side_by_side(v);
        }
        // `labels.iter().flatten()` of an option: what it holds, if it holds something.
        if let E::MethodCall(x) = receiver
            && matches!(plain(&x.method).as_str(), "iter" | "into_iter" | "iter_mut")
            && (self.kind(&x.receiver) == Kind::Option || matches!(&*x.receiver, E::Field(_)))
        {
            return v;
        }
        let m = self.many_of(v);
        match *self.arena.get(m.give) {
            Expr::Elem(_) if matches!(receiver, E::Path(_) | E::Call(_) | E::Try(_) | E::Await(_)) => {
                let raised = self.raised(m.give);
                let fine = self.arena.not(raised);
                let keep = self.arena.and(m.keep, fine);
                self.gathered(Many { keep, ..m })
            }
            Expr::Choose(..) => {
                let (test, give) = (self.given(m.give), self.there(m.give));
                let keep = self.arena.and(m.keep, test);
                self.gathered(Many { keep, give, ..m })
            }
            Expr::Gather { .. } => v,
            _ => {
                let give = self.members(m.give);
                self.gathered(Many { give, ..m })
            }
        }
    }

    /// Are several collections written out side by side?
    fn lists_written(&self, e: &E) -> bool {
        let many = |e: &E| matches!(self.kind(e), Kind::Iter | Kind::List);
        match e {
            E::MethodCall(x) if matches!(plain(&x.method).as_str(), "iter" | "into_iter") => {
                self.lists_written(&x.receiver)
            }
            E::Call(x) => {
                let to_stream =
                    matches!(&*x.func, E::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "iter"));
                to_stream && x.args.len() == 1 && x.args.first().is_some_and(|given| self.lists_written(given))
            }
            E::Array(x) => !x.elems.is_empty() && x.elems.iter().all(many),
            E::Macro(x) if x.mac.path.is_ident("vec") => super::mac::elements(&x.mac.tokens)
                .is_some_and(|elements| !elements.is_empty() && elements.iter().all(many)),
            _ => false,
        }
    }

    /// `[a] ++ [b]` as `a ++ b`.
    fn side_by_side(&mut self, v: ExprId) -> ExprId {
        match *self.arena.get(v) {
            Expr::One(x) => x,
            Expr::Binary(Bin::Union, l, r) => {
                let (l, r) = (self.side_by_side(l), self.side_by_side(r));
                self.arena.union(l, r)
            }
            _ => v,
        }
    }

    fn found(&mut self, v: ExprId, f: &E, what: Found) -> ExprId {
        let m = self.many_of(v);
        let applied = self.applied(m, f, Ret::Other);
        let all = matches!(what, Found::All);
        let holds = if all { self.arena.not(applied.value) } else { applied.value };
        let element = self.arena.mk(Expr::Elem(m.of));
        let result = match what {
            Found::Position => self.field(element, "#index"),
            Found::First => m.give,
            Found::Any => self.yes(),
            Found::All => self.arena.bool(false),
        };
        let default = match what {
            Found::Any => self.arena.bool(false),
            Found::All => self.yes(),
            _ => self.nothing(),
        };
        if applied.before.is_empty() {
            let such = self.arena.and(m.keep, holds);
            let some = self.arena.any(m.of, such);
            return self.arena.choose(some, result, default);
        }
        self.filled_by(default, m, |cx, out| {
            let mut body = applied.before;
            let hit = vec![Stmt::Let(Place::Name(out), result), Stmt::Leave(Exit::Break(0))];
            body.extend(cx.guarded(holds, hit));
            body
        })
    }

    /// The first of several, if there is one.
    pub fn first_of(&mut self, v: ExprId) -> ExprId {
        let m = self.many_of(v);
        let some = self.arena.any(m.of, m.keep);
        let nothing = self.nothing();
        self.arena.choose(some, m.give, nothing)
    }

    pub fn intersection(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let m = self.many_of(a);
        let known = self.known(b, m.give);
        let keep = self.arena.and(m.keep, known);
        self.gathered(Many { keep, ..m })
    }

    fn partitioned(&mut self, v: ExprId, f: &E) -> ExprId {
        let m = self.many_of(v);
        let applied = self.applied(m, f, Ret::Other);
        if applied.before.is_empty() {
            let not = self.arena.not(applied.value);
            let (yes, no) = (self.arena.and(m.keep, applied.value), self.arena.and(m.keep, not));
            let (yes, no) = (self.gathered(Many { keep: yes, ..m }), self.gathered(Many { keep: no, ..m }));
            return self.record(vec![yes, no]);
        }
        let (empty, other) = (self.empty(), self.fresh());
        self.pending.push(Stmt::Let(Place::Name(other), empty));
        let yes = self.filled_by(empty, m, |_, out| {
            let mut body = applied.before;
            let put = |to| vec![Stmt::Put(Place::Name(to), m.give)];
            body.push(Stmt::If(applied.value, put(out), put(other)));
            body
        });
        let no = self.name(other);
        self.record(vec![yes, no])
    }

    /// `for_each(f)`, `try_for_each(f)`; of the latter the value says whether one failed.
    fn for_each(&mut self, v: ExprId, f: &E, fails: bool) -> ExprId {
        let m = self.many_of(v);
        let applied = self.applied(m, f, Ret::Other);
        let mut body = applied.before;
        if !fails {
            self.run_value(applied.value, &mut body);
            self.each(m, body);
            return self.nothing();
        }
        let nothing = self.nothing();
        let out = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(out), nothing));
        let (kept, value) = self.apart(|cx| cx.once(applied.value));
        body.extend(kept);
        let raised = self.raised(value);
        if self.arena.as_bool(raised) == Some(false) {
            self.run_value(value, &mut body);
        } else {
            let failed = self.failed();
            let stop = vec![Stmt::Let(Place::Name(out), failed), Stmt::Leave(Exit::Break(0))];
            body.extend(self.guarded(raised, stop));
        }
        self.each(m, body);
        self.name(out)
    }

    /// `fold(first, |acc, x| ..)`
    fn folded(&mut self, v: ExprId, first: &E, f: &E) -> ExprId {
        let first = self.expr(first);
        let m = self.many_of(v);
        let out = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(out), first));
        let acc = self.name(out);
        let applied = self.apply(f, &[(acc, Kind::Unknown), (m.give, Kind::Unknown)], Ret::Other);
        let mut body = applied.before;
        if !super::value::leaves(&body) && applied.value != acc {
            body.push(Stmt::Let(Place::Name(out), applied.value));
        }
        self.each(m, body);
        acc
    }

    /// `xs.retain(|x| ..)`
    fn retained(&mut self, v: ExprId, kind: Kind, f: &E, x: &ExprMethodCall) -> ExprId {
        let two = matches!(f, E::Closure(c) if c.inputs.len() == 2);
        let of = self.arena.binder(v);
        let element = self.arena.mk(Expr::Elem(of));
        let m = Many { of, keep: self.yes(), give: element };
        let applied = if two || kind == Kind::Map {
            let key = self.field(element, "#key");
            self.apply(f, &[(key, Kind::Unknown), (element, Kind::Unknown)], Ret::Other)
        } else {
            self.applied(m, f, Ret::Other)
        };
        let Some(place) = self.place_of(v) else { return self.plain_method(v, x) };
        let kept = if applied.before.is_empty() {
            self.gathered(Many { keep: applied.value, ..m })
        } else {
            let empty = self.empty();
            self.filled_by(empty, m, |cx, out| {
                let mut body = applied.before;
                body.extend(cx.guarded(applied.value, vec![Stmt::Put(Place::Name(out), element)]));
                body
            })
        };
        self.write(place, kept, &x.receiver);
        self.nothing()
    }
}
