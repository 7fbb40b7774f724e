//! In which direction each part of a condition works.
//!
//! ```text
//! watched(d) and not known(d)      watched: only lets through        known: only holds back
//! ```
//! A test that only lets through is a choice of candidates. Whatever it looks into, having found nothing there is no
//! permission: the call is simply not reached.

use crate::ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

const LETS: u8 = 1;
const HOLDS: u8 = 2;

/// The parts of a condition that only ever let the call through.
pub(super) fn choosing(a: &Arena, conditions: &[ExprId]) -> FxHashSet<ExprId> {
    let mut signs: FxHashMap<ExprId, u8> = FxHashMap::default();
    let mut todo: Vec<_> = conditions.iter().map(|c| (*c, LETS)).collect();
    while let Some((e, sign)) = todo.pop() {
        let seen = signs.entry(e).or_insert(0);
        if *seen & sign == sign {
            continue;
        }
        *seen |= sign;
        parts(a, e, sign, &mut |x, s| todo.push((x, s)));
    }
    signs.into_iter().filter(|(_, s)| *s == LETS).map(|(e, _)| e).collect()
}

fn parts(a: &Arena, e: ExprId, sign: u8, visit: &mut dyn FnMut(ExprId, u8)) {
    let flip = (sign & LETS) << 1 | sign >> 1;
    match a.get(e) {
        Expr::Unary(Un::Present, x) | Expr::One(x) => visit(*x, sign),
        // Whether a listing fails is no question to what it selects.
        Expr::Unary(Un::Raised | Un::NotFound, x) if matches!(a.get(*x), Expr::Gather { .. }) => {
            if let Expr::Gather { of, .. } = *a.get(*x) {
                visit(a.coll(of), flip);
            }
        }
        // That it was not found or did not succeed is the opposite of having it.
        Expr::Unary(_, x) => visit(*x, flip),
        Expr::Binary(Bin::Lt, l, r) => {
            visit(*l, LETS | HOLDS);
            visit(*r, LETS | HOLDS);
        }
        Expr::Binary(Bin::Minus, l, r) => {
            visit(*l, sign);
            visit(*r, flip);
        }
        Expr::Binary(_, l, r) => {
            visit(*l, sign);
            visit(*r, sign);
        }
        // `x and y`, `x or y` as values.
        Expr::Choose(c, t, f) => {
            let plain = f == c || t == c || a.is_falsy(*f);
            visit(*c, if plain { sign } else { LETS | HOLDS });
            visit(*t, sign);
            visit(*f, sign);
        }
        Expr::Any(_, such) => visit(*such, sign),
        Expr::Gather { of, keep, give } => {
            if gathered(a, a.coll(*of)) {
                visit(a.coll(*of), sign);
            }
            visit(*keep, sign);
            if matches!(a.get(*give), Expr::Gather { .. }) {
                visit(*give, sign);
            }
        }
        Expr::Lookup(c, _) if gathered(a, *c) => visit(*c, sign),
        Expr::Record(p) => p.iter().for_each(|x| visit(x.1, sign)),
        _ => {}
    }
}

/// Is it a collection made here, so that conditions stand inside it?
fn gathered(a: &Arena, e: ExprId) -> bool {
    matches!(a.get(e), Expr::Gather { .. } | Expr::Binary(..) | Expr::Choose(..))
}

/// The parts of a condition that occur more than once in it, collections included.
pub(super) fn twice(a: &Arena, conditions: &[ExprId]) -> FxHashSet<ExprId> {
    let mut times: FxHashMap<ExprId, u32> = FxHashMap::default();
    let mut todo = conditions.to_vec();
    while let Some(e) = todo.pop() {
        let n = times.entry(e).or_insert(0);
        *n += 1;
        // What stands under something that occurs twice occurs twice; a third time tells nothing new.
        if *n > 2 {
            continue;
        }
        match a.get(e) {
            Expr::Elem(_) | Expr::Field(..) => {}
            Expr::Call(c) => c.args.iter().for_each(|x| {
                if gathered(a, x.value) {
                    todo.push(x.value);
                }
            }),
            Expr::Lookup(c, _) => todo.push(*c),
            _ => a.children(e, &mut |x| todo.push(x)),
        }
    }
    times.into_iter().filter(|(_, n)| *n > 1).map(|(e, _)| e).collect()
}

/// The calls in a condition of which more is asked than whether they failed.
pub(super) fn value_used(a: &Arena, conditions: &[ExprId]) -> FxHashSet<ExprId> {
    let (mut out, mut seen, mut todo) = (FxHashSet::default(), FxHashSet::default(), conditions.to_vec());
    while let Some(e) = todo.pop() {
        if !seen.insert(e) {
            continue;
        }
        match *a.get(e) {
            Expr::Unary(Un::Raised | Un::NotFound, x) => {
                if let Expr::Call(c) = a.get(x) {
                    todo.extend(c.args.iter().map(|x| x.value));
                    continue;
                }
            }
            Expr::Call(_) => {
                out.insert(e);
            }
            _ => {}
        }
        a.children(e, &mut |x| todo.push(x));
    }
    out
}

/// What decides which of two values is taken: `x` of `a if x else b`, also under `not`.
pub(super) fn chooses(a: &Arena, conditions: &[ExprId]) -> FxHashSet<ExprId> {
    let mut out = FxHashSet::default();
    for c in conditions {
        a.mentions(*c, &mut |e| {
            if let Expr::Choose(mut c, ..) = *a.get(e) {
                while let Expr::Unary(Un::Not, x) = *a.get(c) {
                    c = x;
                }
                out.insert(c);
            }
            false
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::text::parse;
    use crate::source::FileId;

    /// What a listing selects only chooses, however often its failure is handed on.
    #[test]
    fn the_selector_of_a_listing_that_may_fail_only_chooses() {
        let text = "fn fit(zoo, pens):\n  if not raised((raised([p | p in pens, p.zoo == zoo]) ? failed : nothing)):\n    log(pens)\n";
        let funcs = parse(text, FileId(0)).unwrap_or_else(|e| panic!("{e}"));
        let Some((func, Stmt::If(condition, ..))) = funcs.first().and_then(|f| Some((f, f.body.first()?))) else {
            panic!("one function with one condition")
        };
        let selector = func.arena.ids().find(|e| matches!(func.arena.get(*e), Expr::Binary(Bin::Eq, ..)));
        let found = choosing(&func.arena, &[*condition]);
        let holds_back = |e: ExprId| {
            let mut whole = vec![*condition];
            whole.push(e);
            choosing(&func.arena, &whole).contains(&e)
        };
        assert!(found.contains(condition));
        assert!(selector.is_some_and(holds_back), "a selector that lets through lets through all the same");
    }
}
