//! Unknowns supposed to be known, in every combination.
//!
//! ```text
//! a.delete(x)      when  (old(x) and force) or (not old(x) and unused(x))      old: tried with Yes and with No
//! ```
//! A part of a condition need only be asked again for another value of an unknown that it rests on: `force` is asked
//! once, and so is all that the conditions of a long function have in common.

use super::*;

/// Bits of unknowns.
pub(super) type Bits = u8;

/// The unknowns and their present values.
#[derive(Default)]
pub(super) struct Supposed {
    open: Vec<ExprId>,
    /// A set bit is Yes.
    values: Cell<Bits>,
    /// For each expression the unknowns it rests on; empty where nothing is supposed.
    rests: Vec<Bits>,
}

impl Supposed {
    pub(super) fn new(q: &Ask, open: &[ExprId]) -> Self {
        let mut s = Supposed { open: open.to_vec(), values: Cell::new(0), rests: vec![] };
        if open.is_empty() {
            return s;
        }
        s.find(q.a, 0);
        // Whether a stamp was written rests on all that making and stamping rests on.
        let effects = q.f.summary.effects.iter().filter(|e| e.kind == crate::facts::EffectKind::Create);
        let made = effects.fold(0, |bits, e| bits | s.rests(e.when));
        if q.world.failed.is_some() && made != 0 {
            s.find(q.a, made);
        }
        s
    }

    /// Children stand before parents. `equal` is what comparisons rest on besides.
    fn find(&mut self, a: &Arena, equal: Bits) {
        self.rests.clear();
        self.rests.reserve(a.len());
        for e in a.ids() {
            let own = self.open.iter().position(|x| *x == e).map_or(0, |i| 1 << i);
            let mut bits = if matches!(a.get(e), Expr::Binary(Bin::Eq, ..)) { own | equal } else { own };
            a.children(e, &mut |x| bits |= self.rests(x));
            self.rests.push(bits);
        }
    }

    fn rests(&self, e: ExprId) -> Bits {
        self.rests.get(e.0 as usize).copied().unwrap_or(0)
    }

    /// Is anything supposed?
    pub(super) fn any(&self) -> bool {
        !self.open.is_empty()
    }

    /// Does an answer change with what is supposed?
    pub(super) fn changes(&self, e: ExprId) -> bool {
        self.rests(e) != 0
    }

    /// The values of the unknowns that an expression rests on: with the same ones its answer is the same.
    pub(super) fn of(&self, e: ExprId) -> Bits {
        self.rests(e) & self.values.get()
    }

    /// What an expression is supposed to be.
    pub(super) fn get(&self, e: ExprId) -> Option<Tri> {
        let i = self.open.iter().position(|x| *x == e)?;
        Some(if self.values.get() >> i & 1 == 1 { Yes } else { No })
    }

    /// Supposes other values.
    pub(super) fn set(&self, values: Bits) {
        self.values.set(values);
    }

    /// Every combination of values.
    pub(super) fn all(open: &[ExprId]) -> std::ops::Range<Bits> {
        0..1 << open.len().min(SPLIT)
    }
}

impl Question<'_> {
    /// What holds where the read that is spoken of was made: `if deep { used = list() }`. Yes or No for each condition.
    pub(super) fn made_under(&self, world: World) -> FxHashMap<ExprId, Tri> {
        let mut out = FxHashMap::default();
        let Some(read) = world.failed.or(world.known_by) else { return out };
        let a = self.facts.arena;
        let mut made = self.facts.summary.reads.iter().filter(|r| r.call == read);
        let (Some(one), None) = (made.next(), made.next()) else { return out };
        let mut todo: Vec<_> = one.under.map(|c| (c, Yes)).into_iter().collect();
        while let Some((c, holds)) = todo.pop() {
            match (a.get(c), holds) {
                (Expr::Unary(Un::Not, x), Yes) => todo.push((*x, No)),
                (Expr::Unary(Un::Not, x), No) => todo.push((*x, Yes)),
                (Expr::Binary(Bin::And, l, r), Yes) | (Expr::Binary(Bin::Or, l, r), No) => {
                    todo.extend([(*l, holds), (*r, holds)]);
                }
                _ => {}
            }
            out.insert(c, holds);
        }
        out
    }
}
