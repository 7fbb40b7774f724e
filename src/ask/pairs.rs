//! Two worlds side by side: what can be different in them, all else being equal.
//!
//! ```text
//! if hinted(f):                                     reached when  hinted and present(head(f))  or  not hinted and any
//!     if not exists(head(f)): return                absent: open           present: open
//! elif not any(..): return                          but never reached where head(f) is missing and not where it is found
//! delete(f)
//! ```
//! Two open answers do not tell whether the lookup is to blame, for what is not understood is open in both. So each part of
//! a condition is given the *pairs* of values it can have, the one here and the one there. An unknown has the same value in
//! both; a lookup does not. Only if the whole can be true here and false there does what is supposed decide.

use super::*;

/// A set of pairs of truth values, one bit for each of (0,0), (0,1), (1,0), (1,1).
type Pairs = u8;

const ALL: Pairs = 0b1111;
/// The same here and there.
const SAME: Pairs = 0b1001;
/// True here, false there.
const ONLY_HERE: Pairs = 0b0100;

fn bit(here: bool, there: bool) -> Pairs {
    1 << (u8::from(here) << 1 | u8::from(there))
}

/// The pairs of a set.
fn each(p: Pairs) -> impl Iterator<Item = (bool, bool)> + Clone {
    (0..4u8).filter(move |i| p >> i & 1 == 1).map(|i| (i & 2 != 0, i & 1 != 0))
}

fn join(l: Pairs, r: Pairs, f: impl Fn(bool, bool) -> bool) -> Pairs {
    let mut out = 0;
    for (a, b) in each(l) {
        for (c, d) in each(r) {
            out |= bit(f(a, c), f(b, d));
        }
    }
    out
}

fn not(p: Pairs) -> Pairs {
    each(p).fold(0, |out, (a, b)| out | bit(!a, !b))
}

fn choose(c: Pairs, t: Pairs, f: Pairs) -> Pairs {
    let mut out = 0;
    for (c1, c2) in each(c) {
        for (t1, t2) in each(t) {
            for (f1, f2) in each(f) {
                out |= bit(if c1 { t1 } else { f1 }, if c2 { t2 } else { f2 });
            }
        }
    }
    out
}

/// Some of any number of elements: the disjunction of any of the pairs, also of none.
fn some(p: Pairs) -> Pairs {
    let none = bit(false, false);
    let one = none | p;
    join(one, one, |x, y| x || y) | none
}

/// The values that are open to an answer in each world.
fn range(here: Tri, there: Tri) -> Pairs {
    let fits = |t: Tri, v: bool| t == Maybe || (t == Yes) == v;
    each(ALL).filter(|(a, b)| fits(here, *a) && fits(there, *b)).fold(0, |out, (a, b)| out | bit(a, b))
}

/// The same condition asked in two worlds.
pub(super) struct Both<'a, 'b> {
    here: &'a Ask<'b>,
    there: &'a Ask<'b>,
    /// By what is asked and the values of the unknowns that it rests on.
    known: FxHashMap<(ExprId, bool, Bits), Pairs>,
}

/// What is not taken apart: an unknown that no lookup speaks in has one value, whatever the world.
///
/// Where a failure is supposed, every other lookup is such an unknown.
fn leaf(here: &Answer, there: &Answer, failure: bool) -> Pairs {
    let told = |a: &Answer| [&a.pro, &a.con].iter().any(|e| e.lookup() && !failure || e.failed);
    if here.tri == Maybe && there.tri == Maybe && !told(here) && !told(there) {
        return SAME;
    }
    range(here.tri, there.tri)
}

impl<'a, 'b> Both<'a, 'b> {
    pub(super) fn new(here: &'a Ask<'b>, there: &'a Ask<'b>) -> Self {
        Both { here, there, known: FxHashMap::default() }
    }

    /// Can the condition of a call hold here and not there, with what is supposed at present?
    pub(super) fn only_here(&mut self, when: ExprId) -> bool {
        let (here, there) = (self.here, self.there);
        let listed = leaf(&here.listed_subject(), &there.listed_subject(), here.world.failed.is_some());
        let reached = self.pairs(when, false);
        join(listed, reached, |x, y| x && y) & ONLY_HERE != 0
    }

    /// The pairs of a condition, or of whether there is something.
    fn pairs(&mut self, e: ExprId, present: bool) -> Pairs {
        let key = (e, present, self.here.supposing.of(e) | self.there.supposing.of(e));
        if let Some(p) = self.known.get(&key) {
            return *p;
        }
        let ask = |q: &Ask| if present { q.present(e) } else { q.truth(e) };
        let (here, there) = (ask(self.here), ask(self.there));
        let open = range(here.tri, there.tri);
        // Taking it apart can only narrow what the answers leave open.
        let parts = if here.tri == Maybe || there.tri == Maybe { self.parts(e, present) } else { None };
        let p = match parts.map(|p| p & open) {
            Some(p) if p != 0 => p,
            _ => leaf(&here, &there, self.here.world.failed.is_some()),
        };
        self.known.insert(key, p);
        p
    }

    fn parts(&mut self, e: ExprId, present: bool) -> Option<Pairs> {
        let a = self.here.a;
        Some(match *a.get(e) {
            Expr::Choose(c, t, f) => {
                let c = self.pairs(c, false);
                choose(c, self.pairs(t, present), self.pairs(f, present))
            }
            Expr::Unary(Un::Not, x) => not(self.pairs(x, false)),
            Expr::Unary(Un::Present, x) if !present => self.pairs(x, true),
            Expr::Binary(Bin::And, l, r) => {
                let l = self.pairs(l, false);
                join(l, self.pairs(r, false), |x, y| x && y)
            }
            Expr::Binary(Bin::Or, l, r) => {
                let l = self.pairs(l, false);
                join(l, self.pairs(r, false), |x, y| x || y)
            }
            Expr::Any(_, such) => some(self.pairs(such, false)),
            _ => return None,
        })
    }
}

impl Question<'_> {
    /// Can it be that the call is reached in one world and not in the other, all else being equal? Two open answers do not
    /// tell: see the head of this module.
    pub fn decides(&self, here: World, there: World) -> bool {
        let whole = self.only_here(here, there, self.effect.when);
        // Of so many that not every unknown can be tried, one must make the difference by itself.
        let guards = self.facts.arena.parts(self.effect.when, Bin::And);
        whole && (self.listed_only(here, there) || guards.into_iter().any(|g| self.only_here(here, there, g)))
    }

    /// Is the target on the list in one world only?
    fn listed_only(&self, here: World, there: World) -> bool {
        let (here, there) = (self.asking(here), self.asking(there));
        leaf(&here.listed_subject(), &there.listed_subject(), here.world.failed.is_some()) & ONLY_HERE != 0
    }

    fn only_here(&self, here: World, there: World, when: ExprId) -> bool {
        let (mut here, mut there) = (self.asking(here), self.asking(there));
        here.listed_subject();
        here.truth(when);
        let own = polarity::twice(self.facts.arena, &[when]);
        let mut unknown = here.unknowns();
        if when != self.effect.when {
            unknown.retain(|x| own.contains(x));
        }
        let open = self.split(unknown);
        here.suppose(&open);
        there.suppose(&open);
        let mut both = Both::new(&here, &there);
        Supposed::all(&open).any(|values| {
            here.supposing.set(values);
            there.supposing.set(values);
            both.only_here(when)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reached_either_way_is_not_decided() {
        let (unknown, lookup) = (SAME, bit(false, true));
        let guarded = join(unknown, lookup, |x, y| x && y);
        let either = join(guarded, not(unknown), |x, y| x || y);
        assert_eq!(guarded & ONLY_HERE, 0);
        assert_eq!(either & ONLY_HERE, 0);
        assert_ne!(not(guarded) & ONLY_HERE, 0);
    }

    #[test]
    fn a_search_may_have_nothing_to_search_in() {
        assert_eq!(some(bit(false, true)), bit(false, false) | bit(false, true));
        assert_eq!(range(No, Maybe), bit(false, false) | bit(false, true));
        assert_eq!(choose(bit(true, false), bit(true, true), bit(false, false)), ONLY_HERE);
    }
}
