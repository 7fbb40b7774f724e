//! What a loop asks of a collection that outlives the pass, and then puts the thing of the round into.
//!
//! ```text
//! for b in boats: if missing.insert(b) { continue } sink(b)       sunk where `present(missing[b])` before the pass
//! ```
//! Other rounds put other things in: what is there of this one has been there before the loop.

use super::*;

/// Filters and fields around a collection that is handed in.
const WITHIN: usize = 8;

impl Walk<'_> {
    /// The questions of a round to what the function was given, asked of that. `ends`: what the rounds leave behind.
    pub(super) fn asked_of_earlier_passes(
        &mut self,
        (b, carried, init): (BinderId, ExprId, ExprId),
        ends: &[ExprId],
        r: Rebuild<'static>,
    ) -> Rebuild<'static> {
        if !self.is_kept(init) {
            return r;
        }
        let mut keys: Vec<ExprId> = vec![];
        for end in ends {
            self.a.mentions(*end, &mut |x| {
                if let Expr::Binary(Bin::Union, _, new) = *self.a.get(x)
                    && let Expr::One(k) = *self.a.get(new)
                    && !keys.contains(&k)
                {
                    keys.push(k);
                }
                false
            });
        }
        keys.into_iter().fold(r, |r, k| {
            let of_round = self.a.mentions(k, &mut |x| *self.a.get(x) == Expr::Elem(b));
            match self.a.find(&Expr::Lookup(carried, k)).filter(|_| of_round) {
                Some(asked) => {
                    let before = self.a.mk(Expr::Lookup(init, k));
                    r.with(asked, before)
                }
                None => r,
            }
        })
    }

    /// Was it there before this function began?
    fn is_kept(&self, mut e: ExprId) -> bool {
        for _ in 0..WITHIN {
            e = match *self.a.get(e) {
                Expr::Gather { of, .. } => self.a.coll(of),
                Expr::Field(x, _) | Expr::Binary(Bin::Minus, x, _) => x,
                Expr::Param(_) => return true,
                _ => return false,
            };
        }
        false
    }
}
