//! Is what is destroyed made again at once? Then it is replaced, not given up.
//!
//! ```text
//! if lexists(dest): unlink(dest)        the link that is made follows wherever the file was removed, unless a step fails
//! symlink(src, dest)
//! ```

use super::*;
use std::cell::OnceCell;

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

/// Does it stand on a list of what this very run made, one by one? It goes because a later step failed.
///
/// ```text
/// for name in names: copy(frame, wall / name); hung.push(Hook::new(wall / name))
/// if !agreed { for hook in hung { remove_file(hook.place) } }
/// ```
pub(super) fn made_one_by_one(facts: &Facts, effect: &Effect) -> bool {
    let file = |e: &&Effect| facts.row(e.call).is_some_and(|r| !r.guess && is_file(r));
    let made = facts.summary.effects.iter().filter(|e| e.kind == EffectKind::Create).filter(file);
    // Rights may be set of a file that was found; what has a name put together here is new.
    let named = |e: &ExprId| matches!(facts.arena.get(*e), Expr::Format(_));
    let made: Vec<ExprId> = made.map(|e| e.target).filter(named).collect();
    !made.is_empty()
        && matches!(facts.arena.get(effect.target), Expr::Elem(_) | Expr::Field(..))
        && bears(facts, effect.target, &made, &mut STEPS.clone())
}

/// Of a list made of many others not all are looked at.
const STEPS: usize = 200;

/// Is each of its values one of these, or an object that was given one of them?
fn bears(facts: &Facts, e: ExprId, made: &[ExprId], left: &mut usize) -> bool {
    let a = facts.arena;
    if *left == 0 {
        return false;
    }
    *left -= 1;
    if made.iter().any(|m| same_but_sites(a, *m, e)) {
        return true;
    }
    match a.get(e) {
        Expr::Elem(b) => bears(facts, a.coll(*b), made, left),
        Expr::Gather { give, .. } => bears(facts, *give, made, left),
        Expr::Field(x, _) | Expr::One(x) => bears(facts, *x, made, left),
        Expr::Lit(Lit::Empty) => true,
        Expr::Choose(_, t, f) => bears(facts, *t, made, left) && bears(facts, *f, made, left),
        Expr::Binary(Bin::Union, l, r) => bears(facts, *l, made, left) && bears(facts, *r, made, left),
        Expr::Record(parts) => parts.iter().any(|p| bears(facts, p.1, made, left)),
        // `Hook::new(place)`
        Expr::Call(c) => {
            let typed = |p: &str| p.split('.').any(|part| part.starts_with(char::is_uppercase));
            let object = matches!(a.get(c.callee), Expr::Path(p) if typed(p)) && facts.row(e).is_none();
            object && c.args.iter().any(|x| bears(facts, x.value, made, left))
        }
        _ => false,
    }
}

/// Did this very run write it under that name, and is it taken away because a later step failed?
///
/// ```text
/// client.Create({Name: note(job), Data: "starting"})
/// if err := start(job); err != nil { client.Delete(note(job)) }
/// ```
pub(super) fn written_here(facts: &Facts, effect: &Effect) -> bool {
    let a = facts.arena;
    let earlier = facts.summary.effects.iter().take_while(|e| *e != effect);
    let mut made = earlier.filter(|e| e.kind == EffectKind::Create && names(facts, e.target, effect.target));
    let failures = OnceCell::new();
    made.any(|m| {
        let steps: &Vec<ExprId> = failures.get_or_init(|| failed_steps(a, effect.when));
        steps.iter().any(|r| !a.mentions(m.when, &mut |x| x == *r))
    })
}

/// Is it an object put together here that bears a name: `{ObjectMeta: {Name: name}, Data: ..}`?
fn names(facts: &Facts, object: ExprId, name: ExprId) -> bool {
    let Expr::Record(parts) = facts.arena.get(object) else { return false };
    let own = |p: &(Sym, ExprId)| {
        facts.vocab.field(p.0) == Some(FieldRole::Key) && same_but_sites(facts.arena, p.1, name)
            || matches!(facts.arena.get(p.1), Expr::Record(_)) && names(facts, p.1, name)
    };
    parts.iter().any(own)
}

/// The failures that open the way.
fn failed_steps(a: &crate::ir::Arena, when: ExprId) -> Vec<ExprId> {
    let (mut todo, mut seen, mut found) = (vec![when], FxHashSet::default(), vec![]);
    while let Some(e) = todo.pop() {
        if !seen.insert(e) {
            continue;
        }
        match *a.get(e) {
            Expr::Unary(Un::Raised, _) => found.push(e),
            Expr::Binary(Bin::And | Bin::Or, l, r) => todo.extend([l, r]),
            Expr::Choose(c, t, f) => todo.extend([c, t, f]),
            _ => {}
        }
    }
    found
}
