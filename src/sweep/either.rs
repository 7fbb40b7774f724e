//! Does the thing go either way? Then no record decides, wherever each of the ways is written.
//!
//! ```text
//! for shop in shops:
//!     if not licence(shop): close(shop); continue        closed without a licence
//!     close(shop)                                        and with one
//!     return_licence(licence(shop))
//! ```

use super::*;
use crate::ir::Arena;
use rustc_hash::FxHashMap;

/// Of a longer condition not every part is looked at.
const PARTS: usize = 600;

/// Is the same thing destroyed by another call where it is known, whatever else is asked, as long as no step fails?
pub(super) fn gone_either_way(facts: &Facts, effect: &Effect, lookups: &[Look]) -> bool {
    let a = facts.arena;
    let others = facts.summary.effects.iter().filter(|e| e.kind == effect.kind && *e != effect);
    let others: Vec<_> = others.filter(|e| same_but_sites(a, e.target, effect.target)).collect();
    if others.is_empty() {
        return false;
    }
    let asks = |e: ExprId| a.mentions(e, &mut |x| lookups.iter().any(|l| x == l.at || x == l.reference));
    let mut known = Known { a, facts: vec![], values: FxHashMap::default(), left: PARTS };
    for e in holds(a, effect.when, &mut PARTS.clone()) {
        if !asks(e) {
            known.learn(e, true);
        }
    }
    for (e, value) in leaves(a, effect.when, PARTS) {
        if asks(e) {
            known.learn(e, !value);
        }
    }
    known.value(effect.when) == Some(false) && others.into_iter().any(|e| known.value(e.when) == Some(true))
}

/// What holds wherever a condition does: of a choice, what both ways ask.
fn holds(a: &Arena, e: ExprId, left: &mut usize) -> FxHashSet<ExprId> {
    if *left == 0 {
        return FxHashSet::default();
    }
    *left -= 1;
    match *a.get(e) {
        Expr::Binary(Bin::And, l, r) => {
            let mut both = holds(a, l, left);
            both.extend(holds(a, r, left));
            both
        }
        Expr::Binary(Bin::Or, l, r) => {
            let other = holds(a, r, left);
            let both = holds(a, l, left).into_iter().filter(|x| other.contains(x));
            both.chain([e]).collect()
        }
        _ => [e].into_iter().collect(),
    }
}

/// What a condition is put together of, and whether it asks that this holds.
fn leaves(a: &Arena, when: ExprId, most: usize) -> Vec<(ExprId, bool)> {
    let (mut todo, mut seen, mut found) = (vec![(when, true)], FxHashSet::default(), vec![]);
    while let Some((e, value)) = todo.pop() {
        if !seen.insert((e, value)) || seen.len() > most {
            continue;
        }
        match *a.get(e) {
            Expr::Binary(Bin::And | Bin::Or, l, r) => todo.extend([(l, value), (r, value)]),
            Expr::Unary(Un::Not, x) => todo.push((x, !value)),
            Expr::Unary(Un::Raised | Un::NotFound, _) => {}
            _ => found.push((e, value)),
        }
    }
    found
}

/// What is known where the thing was found and no step fails.
struct Known<'a> {
    a: &'a Arena,
    facts: Vec<(ExprId, bool)>,
    values: FxHashMap<ExprId, Option<bool>>,
    left: usize,
}

impl Known<'_> {
    fn learn(&mut self, e: ExprId, value: bool) {
        match *self.a.get(e) {
            Expr::Unary(Un::Not, x) => self.learn(x, !value),
            _ => self.facts.push((e, value)),
        }
    }

    fn value(&mut self, e: ExprId) -> Option<bool> {
        if let Some(v) = self.values.get(&e) {
            return *v;
        }
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let a = self.a;
        let v = match *a.get(e) {
            Expr::Unary(Un::Raised, x) => Some(matches!(a.get(x), Expr::Lit(Lit::Failed))),
            Expr::Unary(Un::NotFound, _) => Some(false),
            Expr::Lit(Lit::Bool(b)) => Some(b),
            _ => self.worked_out(e).or_else(|| self.told(e)),
        };
        self.values.insert(e, v);
        v
    }

    /// Both values are told where it is asked both ways.
    fn told(&self, e: ExprId) -> Option<bool> {
        let mut same = self.facts.iter().filter(|f| same_but_sites(self.a, f.0, e)).map(|f| f.1);
        let first = same.next()?;
        same.all(|v| v == first).then_some(first)
    }

    fn worked_out(&mut self, e: ExprId) -> Option<bool> {
        match *self.a.get(e) {
            Expr::Unary(Un::Not, x) => self.value(x).map(|v| !v),
            Expr::Binary(Bin::And, l, r) => match (self.value(l), self.value(r)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), v) | (v, Some(true)) => v,
                _ => None,
            },
            Expr::Binary(Bin::Or, l, r) => match (self.value(l), self.value(r)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), v) | (v, Some(false)) => v,
                _ => None,
            },
            Expr::Choose(c, t, f) => match self.value(c) {
                Some(c) => self.value(if c { t } else { f }),
                None => None,
            },
            Expr::Any(_, such) => self.value(such).filter(|v| !v),
            _ => None,
        }
    }
}
