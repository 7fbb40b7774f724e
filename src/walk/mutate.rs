//! Methods that change a collection of this process.
//!
//! ```text
//! seen.add(x)                      seen ++ [x]
//! rest.discard(x)                  rest -- [x]
//! if !seen.insert(x) { .. }        not present(seen[x]), asked before it is put in
//! for x in pending.drain(..)       pending as it was, and [] from then on
//! ```

use super::*;
use crate::vocab::{Mutation, Mutator};

impl Walk<'_> {
    /// A method that changes a collection of this process.
    pub(super) fn mutate(
        &mut self,
        mu: Mutator,
        recv: ExprId,
        place: Option<Key>,
        call: &Call,
        s: &mut State,
    ) -> ExprId {
        let given: Vec<ExprId> = call.args.iter().filter(|a| a.name.is_none()).map(|a| a.value).collect();
        let given: Vec<ExprId> = given.into_iter().map(|v| spread::boxed(&self.a, v).unwrap_or(v)).collect();
        let given: Vec<ExprId> = match mu.what {
            Mutation::Extend => given.into_iter().map(|v| self.added(v)).collect(),
            _ => given,
        };
        let v = given.get(mu.arg).or(given.last()).copied();
        let whole = place.map(|k| self.place_get(k, s)).unwrap_or(recv);
        let before = self.was_there(mu, recv, &given);
        let grouped = whole != recv && !matches!(self.a.get(recv), Expr::Carried(..));
        // `labels.insert(OWNER, me)` into a mapping that was written out here.
        if let (Mutation::Put, Some(Key::Name(n)), [key, value]) = (mu.what, place, &given[..])
            && let Some(name) = self.a.as_str(*key).map(sym)
            && matches!(self.a.get(whole), Expr::Record(_))
            && self.mappings.contains(&whole)
        {
            self.place_set(Key::Part(n, name), *value, s);
            return self.a.lit(Lit::Nothing);
        }
        let new = match (mu.what, v) {
            // `groups.setdefault(k, [])` makes room; what is added comes later.
            (Mutation::Put, Some(v)) if mu.gives && matches!(self.a.get(v), Expr::Lit(_)) => whole,
            (Mutation::Put, Some(v)) => {
                let mut one = self.a.mk(Expr::One(v));
                // A member of a group in a map: the map holds the group, the group holds the member.
                if grouped {
                    let group = self.group_of(recv, one);
                    one = self.a.mk(Expr::One(group));
                }
                self.a.union(whole, one)
            }
            (Mutation::Extend, Some(_)) if !grouped => given.iter().fold(whole, |acc, v| self.a.union(acc, *v)),
            (Mutation::Extend, Some(v)) => {
                let group = self.group_of(recv, v);
                let one = self.a.mk(Expr::One(group));
                self.a.union(whole, one)
            }
            (Mutation::Take, Some(v)) if !grouped => {
                let one = self.a.mk(Expr::One(v));
                self.a.minus(whole, one)
            }
            (Mutation::Minus, Some(v)) if !grouped => self.a.minus(whole, v),
            (Mutation::Clear, _) if !grouped => self.a.lit(Lit::Empty),
            (Mutation::Intersect, Some(v)) if !grouped => self.intersection(whole, v),
            _ => whole,
        };
        if let Some(k) = place
            && new != whole
        {
            self.place_set(k, new, s);
        }
        if let Some(answer) = before {
            return answer;
        }
        if mu.whole {
            return whole;
        }
        if !mu.gives {
            return self.a.lit(Lit::Nothing);
        }
        match v {
            // `first = seen.setdefault(name, now)`: what is there, else the value.
            Some(v) if mu.what == Mutation::Put && given.len() == 2 && !self.collection(v) => {
                // What earlier rounds of a loop put in stands under other keys.
                let kept = match place {
                    Some(Key::Field(b, f)) => self.a.field(b, f),
                    _ => recv,
                };
                let there = self.entry(kept, given[0]);
                let known = self.a.unary(Un::Present, there);
                self.a.choose(known, there, v)
            }
            Some(_) if mu.gives && !given.is_empty() => self.entry(recv, given[0]),
            _ => match self.spread(recv)[..] {
                // `while queue: x = queue.pop()`: any element of it.
                [src] => src.elem,
                _ => self.a.unknown(),
            },
        }
    }

    /// A step of a chain, as a statement: the local that it is a step of goes on from there.
    ///
    /// ```text
    /// let mut zfs = Command::new("zfs"); zfs.arg("destroy"); zfs.arg(name).status()?;      zfs destroy name
    /// ```
    pub(super) fn builds_on(&mut self, e: ExprId, v: ExprId, s: &mut State) {
        let source = &self.func.arena;
        let mut at = e;
        while let Some(c) = source.call_of(at) {
            let Expr::Field(x, _) = *source.get(c.callee) else { return };
            at = x;
        }
        let Expr::Name(local) = *source.get(at) else { return };
        let step = self.a.call_of(v).is_some_and(|c| self.ctx.vocab().is_building(&self.a, c, &self.file));
        if step && at != e {
            s.env.insert(local, v);
        }
    }

    /// What a collection is extended by: one object, where there is one, is one member.
    ///
    /// ```text
    /// trees.extend(path.map(|path| Tree { path }))        trees ++ (present(path) ? [Tree(path)] : [])
    /// ```
    fn added(&mut self, v: ExprId) -> ExprId {
        match *self.a.get(v) {
            Expr::Choose(c, t, f) if self.is_one_or_none(t) && self.is_one_or_none(f) => {
                let (t, f) = (self.added(t), self.added(f));
                self.a.choose(c, t, f)
            }
            Expr::Record(ref parts) if parts.iter().any(|p| p.0 == "#is") => self.a.mk(Expr::One(v)),
            Expr::Lit(Lit::Nothing) => self.a.lit(Lit::Empty),
            _ => v,
        }
    }

    fn is_one_or_none(&self, v: ExprId) -> bool {
        match self.a.get(v) {
            Expr::Record(parts) => parts.iter().any(|p| p.0 == "#is"),
            e => *e == Expr::Lit(Lit::Nothing),
        }
    }

    /// What is added to a group, as the group.
    fn group_of(&mut self, recv: ExprId, members: ExprId) -> ExprId {
        match *self.a.get(recv) {
            Expr::Lookup(_, k) => self.group_under(k, members).unwrap_or(members),
            _ => members,
        }
    }

    /// `if !seen.insert(x)`: whether it is new, asked before it is put in.
    fn was_there(&mut self, mu: Mutator, recv: ExprId, given: &[ExprId]) -> Option<ExprId> {
        let [x] = given else { return None };
        if !mu.news {
            return None;
        }
        let there = self.entry(recv, *x);
        let known = self.a.unary(Un::Present, there);
        Some(self.a.not(known))
    }

    pub(super) fn intersection(&mut self, l: ExprId, r: ExprId) -> ExprId {
        let mut out = self.a.lit(Lit::Empty);
        for p in self.spread(l) {
            let found = self.a.mk(Expr::Lookup(r, p.elem));
            let held = self.a.unary(Un::Present, found);
            let keep = self.a.and(p.keep, held);
            let g = self.a.gather(p.binder, keep, p.elem);
            out = self.a.union(out, g);
        }
        out
    }
}
