//! A collection as the lists its elements come from.
//!
//! ```text
//! stale = [x for x in listed if old(x)]        for s in stale: delete(s)
//! ```
//! An element of a gathered list *is* an element of the list it was gathered from, so what kept it there (`old(e0)`) is
//! known of it in the second loop. This carries a decision from where a list is filled to where it is deleted from,
//! through returns, fields and queues.

use super::*;

/// One source of elements: a traversal, the condition under which it gives, and what it gives.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub binder: BinderId,
    pub keep: ExprId,
    pub elem: ExprId,
}

/// More sources than this are one opaque collection: a literal list of twenty names is no twenty loops.
const MANY: usize = 8;

/// Parts looked at to find them.
const STEPS: usize = 256;

impl Walk<'_> {
    pub(super) fn spread(&mut self, coll: ExprId) -> Vec<Source> {
        let mut out = vec![];
        let yes = self.a.bool(true);
        if self.is_literal_list(coll) && !self.lists_objects(coll) {
            return vec![self.opaque_source(coll)];
        }
        let outer = std::mem::replace(&mut self.spread_steps, 0);
        self.spread_into(coll, yes, &mut out);
        let too_many = self.spread_steps > STEPS;
        self.spread_steps = outer;
        if out.len() > MANY || too_many {
            return vec![self.opaque_source(coll)];
        }
        self.given_anyway(&mut out);
        out
    }

    /// `{*asked, *[v for v in versions if v not in asked]}`: what is in `asked` is in it either way.
    fn given_anyway(&mut self, out: &mut [Source]) {
        let whole: Vec<ExprId> =
            out.iter().filter(|p| self.a.as_bool(p.keep) == Some(true)).map(|p| self.a.coll(p.binder)).collect();
        if whole.is_empty() || out.len() < 2 {
            return;
        }
        for p in out {
            let mut keep = self.a.bool(true);
            for c in self.a.parts(p.keep, Bin::And) {
                let left_out = match *self.a.get(c) {
                    Expr::Unary(Un::Not, x) => self.a.parts(x, Bin::And).iter().any(|x| match *self.a.get(*x) {
                        Expr::Unary(Un::Present, l) => {
                            matches!(*self.a.get(l), Expr::Lookup(m, _) if whole.contains(&m))
                        }
                        _ => false,
                    }),
                    _ => false,
                };
                if !left_out {
                    keep = self.a.and(keep, c);
                }
            }
            p.keep = keep;
        }
    }

    pub(super) fn opaque_source(&mut self, coll: ExprId) -> Source {
        let binder = self.a.binder(coll);
        Source { binder, keep: self.a.bool(true), elem: self.a.mk(Expr::Elem(binder)) }
    }

    fn is_literal_list(&self, e: ExprId) -> bool {
        let (mut todo, mut seen) = (vec![e], FxHashSet::default());
        while let Some(x) = todo.pop() {
            if !seen.insert(x) {
                continue;
            }
            match *self.a.get(x) {
                Expr::One(y) if matches!(self.a.get(y), Expr::Lit(_) | Expr::Path(_)) || !descends(&self.a, y) => {}
                Expr::Binary(Bin::Union, l, r) => todo.extend([l, r]),
                _ => return false,
            }
        }
        true
    }

    /// `[Folder(), Item()]`: objects of the project's classes, each of which answers by methods of its own.
    fn lists_objects(&self, e: ExprId) -> bool {
        match *self.a.get(e) {
            Expr::One(x) => self.class_of_value(x).is_some(),
            Expr::Binary(Bin::Union, l, r) => self.lists_objects(l) && self.lists_objects(r),
            _ => false,
        }
    }

    fn spread_into(&mut self, coll: ExprId, when: ExprId, out: &mut Vec<Source>) {
        // Choices share their arms: the ways through them may be more than anyone can walk.
        self.spread_steps += 1;
        if out.len() > MANY || self.spread_steps > STEPS {
            return;
        }
        match self.a.get(coll).clone() {
            Expr::Lit(_) => {}
            Expr::Gather { of: _, keep, give } if matches!(self.a.get(give), Expr::Gather { .. }) => {
                let keep = self.a.and(when, keep);
                self.spread_into(give, keep, out);
            }
            Expr::Gather { of, keep, give } => {
                let keep = self.a.and(when, keep);
                self.add_source(Source { binder: of, keep, elem: give }, out);
            }
            Expr::Binary(Bin::Union | Bin::Add, l, r) => {
                self.spread_into(l, when, out);
                self.spread_into(r, when, out);
            }
            Expr::Binary(Bin::Minus | Bin::Sub, l, r) => {
                let from = out.len();
                self.spread_into(l, when, out);
                for p in out.iter_mut().skip(from) {
                    let l = self.a.mk(Expr::Lookup(r, p.elem));
                    let held = self.a.unary(Un::Present, l);
                    let n = self.a.not(held);
                    p.keep = self.a.and(p.keep, n);
                }
            }
            // A collection that is itself an element.
            Expr::Record(_) if boxed(&self.a, coll).is_some() => {
                let inner = boxed(&self.a, coll).unwrap_or(coll);
                self.spread_into(inner, when, out);
            }
            Expr::One(x) => match elem_root(&self.a, x) {
                // An element on its own: what is known of it is known here.
                Some(binder) => out.push(Source { binder, keep: when, elem: x }),
                None => {
                    let s = self.opaque_source(coll);
                    out.push(Source { keep: when, elem: x, ..s });
                }
            },
            Expr::Choose(c, t, f) => {
                let wt = self.a.and(when, c);
                let nc = self.a.not(c);
                let wf = self.a.and(when, nc);
                self.spread_into(t, wt, out);
                self.spread_into(f, wf, out);
            }
            // A batch of a list: its elements are elements of the list.
            Expr::Call(_) if self.batched(coll) => {
                if let Some(whole) = batch_of(&self.a, coll) {
                    self.spread_into(whole, when, out);
                }
            }
            // The entries of a map of groups, taken by key: the groups' members.
            Expr::Lookup(m, k) if self.collection(m) => {
                let groups = self.spread(m);
                for g in groups {
                    let mut keep = self.a.and(when, g.keep);
                    if let Some(key) = key_of_group(&self.a, g.elem).filter(|key| is_word(&self.a, *key)) {
                        let same = self.a.binary(Bin::Eq, key, k);
                        keep = self.a.and(keep, same);
                    }
                    self.spread_into(g.elem, keep, out);
                }
            }
            _ => {
                let s = self.opaque_source(coll);
                self.add_source(Source { keep: when, ..s }, out);
            }
        }
    }

    /// Two filters over one list, chosen between or added: still one loop, with either condition.
    fn add_source(&mut self, new: Source, out: &mut Vec<Source>) {
        let coll = self.a.coll(new.binder);
        let Some(old) = out.iter_mut().find(|p| self.a.coll(p.binder) == coll) else {
            out.push(new);
            return;
        };
        let (from, to) = (self.a.mk(Expr::Elem(new.binder)), self.a.mk(Expr::Elem(old.binder)));
        let mut r = Rebuild::within().with(from, to);
        let (keep, elem) = (r.expr(&mut self.a, new.keep), r.expr(&mut self.a, new.elem));
        if elem != old.elem {
            out.push(new);
            return;
        }
        old.keep = self.a.or(old.keep, keep);
    }

    /// Is it a batch of a list that was gathered here, or that a caller gathered?
    fn batched(&self, coll: ExprId) -> bool {
        self.collection(coll)
            || batch_of(&self.a, coll).is_some_and(|whole| matches!(self.a.get(whole), Expr::Param(_)))
    }

    /// A value as one element of a collection.
    pub(super) fn as_element(&mut self, v: ExprId) -> ExprId {
        if self.collection(v) { self.a.mk(Expr::Record(vec![(sym(ALL), v)])) } else { v }
    }

    /// Members of a group that is held under one of a few words, which tells them from those of other groups.
    ///
    /// ```text
    /// for x in xs: groups[verdict(x)].append(x)        for x in groups["over"]: delete(x)     those of which it says "over"
    /// ```
    pub(super) fn group_under(&mut self, key: ExprId, members: ExprId) -> Option<ExprId> {
        // What a function says that a caller gives is not known yet.
        let open = self.a.call_of(key).is_some_and(|c| matches!(self.a.get(c.callee), Expr::Param(_)));
        let group = || vec![(sym(ALL), members), (sym(KEY), key)];
        (open || is_word(&self.a, key)).then(|| self.a.mk(Expr::Record(group())))
    }

    /// Does it hold such groups?
    pub(super) fn holds_groups(&self, e: ExprId) -> bool {
        let (mut todo, mut seen) = (vec![e], FxHashSet::default());
        while let Some(x) = todo.pop() {
            match *self.a.get(x) {
                _ if !seen.insert(x) => {}
                Expr::Gather { give, .. } | Expr::One(give) if key_of_group(&self.a, give).is_some() => return true,
                Expr::Binary(Bin::Union | Bin::Minus, l, r) | Expr::Choose(_, l, r) => todo.extend([r, l]),
                _ => {}
            }
        }
        false
    }

    /// Is it visibly a collection of this process: gathered, joined, displayed?
    pub(super) fn collection(&self, e: ExprId) -> bool {
        let (mut todo, mut seen) = (vec![e], FxHashSet::default());
        while let Some(x) = todo.pop() {
            match *self.a.get(x) {
                Expr::Gather { .. }
                | Expr::Binary(Bin::Union | Bin::Minus, ..)
                | Expr::One(_)
                | Expr::Lit(Lit::Empty) => {
                    return true;
                }
                Expr::Choose(_, t, f) if seen.insert(x) => todo.extend([f, t]),
                Expr::Call(_) => todo.extend(batch_of(&self.a, x)),
                _ => {}
            }
        }
        false
    }
}

/// `ids[i : i + 100]`: what it is a part of. `ids[10:]` is a choice by rank, and no batch.
pub(super) fn batch_of(a: &Arena, e: ExprId) -> Option<ExprId> {
    let c = a.call_of(e)?;
    let slice = matches!(a.get(c.callee), Expr::Path(p) if *p == "%slice");
    c.args.first().filter(|_| slice && c.args.len() == 3).map(|x| x.value)
}

/// The collection behind an element that is a collection. A `Gather` whose `give` is a `Gather` is one flat collection
/// (`for a in xs for b in a`); a list of lists gives each list boxed.
pub(super) fn boxed(a: &Arena, e: ExprId) -> Option<ExprId> {
    match a.get(e) {
        Expr::Record(p) => match p[..] {
            [(name, inner)] if name == ALL => Some(inner),
            [(name, inner), (key, _)] if name == ALL && key == KEY => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

/// A collection that is an element.
const ALL: &str = "#all";
/// The key under which it is held.
const KEY: &str = "#key";

/// The key of a group that is held under one of a few words: see [`Walk::group_under`].
pub(super) fn key_of_group(a: &Arena, e: ExprId) -> Option<ExprId> {
    match a.get(e) {
        Expr::Record(p) => match p[..] {
            [(name, _), (key, word)] if name == ALL && key == KEY => Some(word),
            _ => None,
        },
        _ => None,
    }
}

/// A word written out, or a choice of such.
fn is_word(a: &Arena, e: ExprId) -> bool {
    let (mut todo, mut seen, mut words) = (vec![e], FxHashSet::default(), 0);
    while let Some(x) = todo.pop() {
        match *a.get(x) {
            _ if !seen.insert(x) => {}
            Expr::Lit(Lit::Str(_) | Lit::Num(_)) => words += 1,
            Expr::Lit(Lit::Failed | Lit::Nothing) => {}
            Expr::Choose(_, t, f) => todo.extend([t, f]),
            _ => return false,
        }
    }
    words > 0
}

/// The binder of the first element an expression descends from.
pub(super) fn elem_root(a: &Arena, e: ExprId) -> Option<BinderId> {
    let (mut todo, mut seen) = (vec![e], FxHashSet::default());
    while let Some(x) = todo.pop() {
        if !seen.insert(x) {
            continue;
        }
        match a.get(x) {
            Expr::Elem(b) => return Some(*b),
            Expr::Field(x, _) | Expr::Unary(_, x) | Expr::One(x) => todo.push(*x),
            Expr::Record(p) => todo.extend(p.iter().rev().map(|x| x.1)),
            Expr::Format(p) => todo.extend(p.iter().rev()),
            Expr::Call(c) => {
                todo.push(c.callee);
                todo.extend(c.args.iter().rev().map(|x| x.value));
            }
            Expr::Lookup(c, k) => todo.extend([*k, *c]),
            Expr::Choose(_, t, f) => todo.extend([*f, *t]),
            Expr::Binary(_, l, r) => todo.extend([*r, *l]),
            _ => {}
        }
    }
    None
}

/// Does it descend from an element or a parameter, so that it says which thing is meant?
pub(super) fn descends(a: &Arena, e: ExprId) -> bool {
    a.mentions(e, &mut |x| matches!(a.get(x), Expr::Elem(_) | Expr::Param(_)))
}
