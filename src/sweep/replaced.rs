//! Is what is destroyed made again at once? Then it is replaced, not given up.
//!
//! ```text
//! if lexists(dest): unlink(dest)        the link that is made follows wherever the file was removed, unless a step fails
//! symlink(src, dest)
//! ```

use super::*;

/// Is the same thing made again right away, on every path? What was there is replaced, not given up.
///
/// ```text
/// if lexists(dest): unlink(dest)
/// symlink(src, dest)
/// ```
pub(super) fn replaced(facts: &Facts, effect: &Effect) -> bool {
    // A record whose state was written is stored: it is not made anew.
    if effect.kind == EffectKind::Terminate {
        return false;
    }
    let a = facts.arena;
    let later = facts.summary.effects.iter().skip_while(|e| *e != effect);
    let mut made = later.filter(|e| e.kind == EffectKind::Create && same_but_sites(a, e.target, effect.target));
    let own = a.parts(effect.when, Bin::And).into_iter().collect();
    made.any(|m| follows(a, m.when, &own))
}

/// Does a condition hold wherever these do, as long as nothing fails?
fn follows(a: &crate::ir::Arena, e: ExprId, own: &FxHashSet<ExprId>) -> bool {
    own.contains(&e)
        || never_raised(a, e)
        || match *a.get(e) {
            Expr::Binary(Bin::And, l, r) => follows(a, l, own) && follows(a, r, own),
            Expr::Binary(Bin::Or, l, r) => follows(a, l, own) || follows(a, r, own),
            Expr::Lit(Lit::Bool(b)) => b,
            _ => false,
        }
}

/// Nothing failed on the way.
fn never_raised(a: &crate::ir::Arena, e: ExprId) -> bool {
    let Expr::Unary(Un::Not, mut x) = *a.get(e) else { return false };
    loop {
        x = match *a.get(x) {
            Expr::Unary(Un::Raised, _) => return true,
            Expr::Binary(Bin::And, _, r) => r,
            Expr::Any(_, such) => such,
            _ => return false,
        };
    }
}

/// Did this very run make it, on the way to the call? It goes because what was to become of it failed.
///
/// ```text
/// create_dir(&out)?;
/// if unpack(&archive, &out).is_err() { remove_dir_all(&out) }
/// ```
pub(super) fn made_here(facts: &Facts, effect: &Effect) -> bool {
    let a = facts.arena;
    let earlier = facts.summary.effects.iter().take_while(|e| *e != effect);
    let own = a.parts(effect.when, Bin::And).into_iter().collect();
    let file = |e: &Effect| facts.row(e.call).is_some_and(|r| !r.guess && is_file(r));
    earlier
        .filter(|e| e.kind == EffectKind::Create && file(e))
        .filter(|e| same_but_sites(a, e.target, effect.target))
        .any(|e| follows(a, e.when, &own))
}
