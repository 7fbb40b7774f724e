//! Counts that grow from pass to pass: what was made a second ago has been through none.
//!
//! ```text
//! days = int(tag(v, "UnusedDays"))                        a number that the thing bears, and is called so
//! if days >= 7: delete(v)
//!
//! row.strikes = row.strikes + 1                           a number of the thing, and one more is written back
//! if row.strikes >= 3: delete(row)
//! ```
//! Whatever the pass looked into before it counted: the count says that it was so in earlier passes, too.

use super::*;
use crate::facts::EffectKind;
use crate::vocab::Topic;

impl Ask<'_> {
    /// `l < r`, where one of them is such a count and the other how far it must have come.
    pub(super) fn passes(&self, l: ExprId, r: ExprId, e: ExprId) -> Option<Answer> {
        if !self.world.newborn {
            return None;
        }
        let few = |tri| Answer::told(tri, Evidence { age: true, ..Evidence::of(e) });
        if self.is_far(l) && self.counts(r) {
            Some(few(No))
        } else if self.is_far(r) && self.counts(l) {
            Some(few(Yes))
        } else {
            None
        }
    }

    /// A number of passes that nothing new has behind it: one, or what the program is told.
    fn is_far(&self, e: ExprId) -> bool {
        match self.a.get(e) {
            Expr::Lit(Lit::Num(n)) => *n > 0,
            _ => identity::configured(&self.f, e) && !self.is_unset(e),
        }
    }

    fn counts(&self, n: ExprId) -> bool {
        let about = |e: ExprId| self.a.mentions(e, &mut |x| self.subject.holds_root(x));
        let n = self.number(n);
        about(n) && (self.is_called_so(n) || self.is_written_back(n))
    }

    /// What was read as a number, behind the reading: `int(x)`, `int(x) if .. else 0`.
    fn number(&self, mut n: ExprId) -> ExprId {
        for _ in 0..NESTED {
            n = match self.a.get(n) {
                Expr::Call(c) if c.args.len() == 1 && self.f.row(n).is_none_or(|r| r.role != Role::List) => {
                    c.args[0].value
                }
                Expr::Choose(_, t, f) if matches!(self.a.get(*f), Expr::Lit(Lit::Num(_))) => *t,
                Expr::Choose(_, t, f) if matches!(self.a.get(*t), Expr::Lit(Lit::Num(_))) => *f,
                _ => return n,
            }
        }
        n
    }

    /// A field or label whose name speaks of days or passes.
    fn is_called_so(&self, n: ExprId) -> bool {
        let speaks = |w: &str| self.f.vocab.speaks_of(Topic::Passes, w) && !self.f.vocab.speaks_of_use(w);
        match self.a.get(n) {
            // `(now - then).days` is a reading of the clock.
            Expr::Field(x, f) => speaks(f) && !matches!(self.a.get(*x), Expr::Binary(..)),
            Expr::Lookup(_, k) => self.a.as_str(*k).is_some_and(speaks),
            // The label of that name, which was searched for.
            Expr::Choose(c, ..) => match self.a.get(*c) {
                Expr::Any(_, such) => self.a.mentions(*such, &mut |x| match *self.a.get(x) {
                    Expr::Binary(Bin::Eq, l, r) => [l, r].iter().any(|w| self.a.as_str(*w).is_some_and(speaks)),
                    _ => false,
                }),
                _ => false,
            },
            _ => false,
        }
    }

    /// Is one more than it written to something outside?
    fn is_written_back(&self, n: ExprId) -> bool {
        self.counted.get_or_init(|| self.find_counted()).contains(&n)
    }

    /// The numbers of which one more is written to something outside. They are the same in every world.
    fn find_counted(&self) -> FxHashSet<ExprId> {
        let summary = self.f.summary;
        let made = summary.effects.iter().filter(|e| e.kind == EffectKind::Create).map(|e| e.call);
        let mut todo: Vec<ExprId> = made.chain(summary.writes.iter().map(|w| w.2)).collect();
        let (mut seen, mut out) = (self.a.marks(), FxHashSet::default());
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            if let Expr::Binary(Bin::Add, l, r) = *self.a.get(e)
                && matches!(self.a.get(r), Expr::Lit(Lit::Num(k)) if *k > 0)
            {
                out.insert(self.number(l));
            }
            self.a.children(e, &mut |x| todo.push(x));
        }
        out
    }
}

/// Readings within readings.
const NESTED: u32 = 8;
