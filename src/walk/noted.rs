//! What a function value notes while a function of the project applies it.
//!
//! ```text
//! fn each(store, visit): for x in store.list(): visit(x)
//! used = []; each(store, fn(x): used <- x.key)           used = [] ++ [e0.key | e0 in store.list()]
//! ```
//! The callee's loops are behind the call. So what is added for one element of theirs is added for all of them.

use super::*;

/// More loops of the callee in one another than this are not followed.
const DEEP: usize = 4;

impl Walk<'_> {
    /// Keeps what a function value added to the places around it. `first`: the callee's traversals begin here.
    pub(super) fn keep_noted(&mut self, inner: &State, first: BinderId, s: &mut State) {
        for (name, &now) in &inner.env {
            let Some(&was) = s.env.get(name) else { continue };
            if now == was || !merge::grows_from(&self.a, now, was) {
                continue;
            }
            let mut leaves = vec![];
            self.leaves(now, inner.live, &mut leaves);
            let mut all = was;
            for (when, leaf) in leaves {
                let (mut adds, mut drops) = (vec![], vec![]);
                if leaf != was && self.changes(leaf, was, &mut adds, &mut drops) && drops.is_empty() {
                    for give in adds {
                        let more = self.of_every(first, when, give);
                        all = self.a.union(all, more);
                    }
                }
            }
            s.env.insert(*name, all);
        }
    }

    /// What is given for one element of the callee's traversals, for every element.
    fn of_every(&mut self, first: BinderId, when: ExprId, give: ExprId) -> ExprId {
        let around = self.traversals(first, when, give);
        let Some((inner, outer)) = around.split_first() else {
            let none = self.a.lit(Lit::Empty);
            return self.a.choose(when, give, none);
        };
        let mut all = self.collected(*inner, when, give);
        let yes = self.a.bool(true);
        for b in outer {
            all = self.a.gather(*b, yes, all);
        }
        all
    }

    /// The callee's traversals whose elements something speaks of, innermost first.
    fn traversals(&self, first: BinderId, when: ExprId, give: ExprId) -> Vec<BinderId> {
        let (mut own, mut free) = (vec![], vec![]);
        for e in [give, when] {
            self.a.mentions(e, &mut |x| {
                match *self.a.get(x) {
                    Expr::Gather { of, .. } | Expr::Any(of, _) => own.push(of),
                    Expr::Elem(b) if b >= first && !free.contains(&b) => free.push(b),
                    _ => {}
                }
                false
            });
        }
        free.retain(|b| !own.contains(b));
        free.truncate(DEEP);
        // Listed for an element of another: further in.
        let depth = |b: BinderId| {
            let coll = self.a.coll(b);
            free.iter().filter(|o| self.a.mentions(coll, &mut |x| *self.a.get(x) == Expr::Elem(**o))).count()
        };
        let mut sorted: Vec<(usize, BinderId)> = free.iter().map(|b| (depth(*b), *b)).collect();
        sorted.sort_by(|x, y| y.cmp(x));
        sorted.into_iter().map(|x| x.1).collect()
    }
}
