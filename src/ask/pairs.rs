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

/// At most so many parts that occur twice are tried with each pair of their values.
const TOGETHER: usize = 2;

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

    /// The same, where a part that occurs twice is the same in both places.
    ///
    /// ```text
    /// if some { if fails(unlink(some)) { continue } }       some and not fails or not some: reached either way
    /// delete(x)
    /// ```
    fn only_here_with_same(&mut self, when: ExprId, twice: &FxHashSet<ExprId>) -> bool {
        let a = self.here.a;
        let leaf = |e: &ExprId| {
            !matches!(a.get(*e), Expr::Lit(_) | Expr::Unary(Un::Not, _) | Expr::Binary(Bin::And | Bin::Or, ..))
        };
        let open = |e: ExprId| Some((e, self.known(e).filter(|p| p.count_ones() > 1 && *p != SAME)?));
        let mut same: Vec<(ExprId, Pairs)> = twice.iter().copied().filter(leaf).filter_map(open).collect();
        // What stands above stands for what is in it.
        same.sort_unstable_by(|x, y| y.cmp(x));
        same.truncate(TOGETHER);
        same.is_empty() || self.with_same(when, &same, &mut vec![])
    }

    fn with_same(&mut self, when: ExprId, same: &[(ExprId, Pairs)], fixed: &mut Vec<(ExprId, Pairs)>) -> bool {
        let Some(((first, open), rest)) = same.split_first() else {
            self.known.clear();
            for (e, p) in fixed.iter() {
                self.known.insert(self.key(*e, false), *p);
            }
            return self.only_here(when);
        };
        each(*open).any(|(here, there)| {
            fixed.push((*first, bit(here, there)));
            let holds = self.with_same(when, rest, fixed);
            fixed.pop();
            holds
        })
    }

    fn known(&self, e: ExprId) -> Option<Pairs> {
        self.known.get(&self.key(e, false)).copied()
    }

    fn key(&self, e: ExprId, present: bool) -> (ExprId, bool, Bits) {
        (e, present, self.here.supposing.of(e) | self.there.supposing.of(e))
    }

    /// The pairs of a condition, or of whether there is something.
    fn pairs(&mut self, e: ExprId, present: bool) -> Pairs {
        let key = self.key(e, present);
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
        self.decide(here, there, true)
    }

    /// The same as long as nobody asks whether two parts are the same.
    pub fn seems_to_decide(&self, here: World, there: World) -> bool {
        self.decide(here, there, false)
    }

    fn decide(&self, here: World, there: World, closely: bool) -> bool {
        let whole = self.only_here(here, there, self.effect.when, closely);
        // Of so many that not every unknown can be tried, one must make the difference by itself.
        let guards = self.facts.arena.parts(self.effect.when, Bin::And);
        whole && (self.listed_only(here, there) || guards.into_iter().any(|g| self.only_here(here, there, g, closely)))
    }

    /// Is the target on the list in one world only?
    fn listed_only(&self, here: World, there: World) -> bool {
        let (here, there) = (self.asking(here), self.asking(there));
        leaf(&here.listed_subject(), &there.listed_subject(), here.world.failed.is_some()) & ONLY_HERE != 0
    }

    fn only_here(&self, here: World, there: World, when: ExprId, closely: bool) -> bool {
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
            both.only_here(when) && (!closely || both.only_here_with_same(when, &own))
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
