//! In which function an effect is judged.
//!
//! ```text
//! def purge(api, ids):              target: an element of a parameter -> open: the caller knows what `ids` holds
//!     for i in ids: api.delete(i)
//! def sweep(api, known):            candidates are listed here, but `known` is a parameter -> open as well
//!     for p in api.list(): ..
//! def vacuum(db, model, lost):      a statement about a model that is a parameter -> open
//!     db.execute(delete(model).where(lost))
//! def sweep(db, run):               `seen_in <> run`: the caller knows what the run has stamped -> open
//!     db.execute("DELETE ..", (run,))
//! def sweep(lister):                what a cache gives is complete where whoever calls has waited for it -> cached
//!     for p in os.listdir(d): if p not in lister.list(): ..
//! ```

use crate::facts::{Effect, FieldHistory, Settled, Summary};
use crate::ir::{Arena, Bin, Expr, ExprId};
use crate::vocab::{FieldRole, Role, Vocab};

/// Marks the effects that can be judged in this function.
pub(super) fn settle(s: &mut Summary, vocab: &Vocab) {
    let open: Vec<bool> =
        s.effects.iter().map(|e| open(s, vocab, e.target, true) || open(s, vocab, e.when, false)).collect();
    for (e, open) in s.effects.iter_mut().zip(open) {
        if e.settled == Settled::Open && !open {
            e.settled = Settled::Here;
        }
    }
    let cached: Vec<bool> = s.effects.iter().map(|e| e.settled == Settled::Here && asks_cache(s, vocab, e)).collect();
    for (e, _) in s.effects.iter_mut().zip(cached).filter(|x| x.1) {
        e.settled = Settled::Cached;
    }
}

/// Does it rest on what a cache gives?
fn asks_cache(s: &Summary, vocab: &Vocab, e: &Effect) -> bool {
    let row = |x: ExprId| s.arena.call_of(x).and_then(|c| s.arena.site(c.site).row);
    s.arena.mentions(e.when, &mut |x| row(x).is_some_and(|m| vocab.row(m.row).stale))
}

fn open(s: &Summary, vocab: &Vocab, e: ExprId, target: bool) -> bool {
    let a = &s.arena;
    let mut listed = false;
    let rests = a.mentions(e, &mut |x| match *a.get(x) {
        Expr::Lookup(c, _) => rests_on_caller(s, c),
        Expr::Elem(b) | Expr::Any(b, _) | Expr::Gather { of: b, .. } => {
            listed |= matches!(a.get(x), Expr::Elem(_));
            rests_on_caller(s, a.coll(b)) || asks_given(s, vocab, a.coll(b))
        }
        Expr::Binary(Bin::Eq | Bin::Lt, l, r) => {
            let stamp = |x: ExprId| matches!(*a.get(x), Expr::Field(_, f) if vocab.field(f) == Some(FieldRole::Stamp));
            stamp(l) && mentions_param(a, r) || stamp(r) && mentions_param(a, l)
        }
        Expr::Call(ref c) => matches!(a.get(c.callee), Expr::Param(_)),
        _ => false,
    });
    rests || target && !listed && mentions_param(a, e)
}

/// Is it a query of a model that is a parameter?
fn asks_given(s: &Summary, vocab: &Vocab, c: ExprId) -> bool {
    let Some(call) = s.arena.call_of(c) else { return false };
    let query = s.arena.site(call.site).row.map(|m| vocab.row(m.row).role);
    let model = call.args.first().map(|x| match *s.arena.get(x.value) {
        Expr::Field(x, _) => x,
        _ => x.value,
    });
    matches!(query, Some(Role::Query | Role::DeleteQuery))
        && model.is_some_and(|x| matches!(s.arena.get(x), Expr::Param(1..)))
}

fn mentions_param(a: &Arena, e: ExprId) -> bool {
    a.mentions(e, &mut |x| matches!(a.get(x), Expr::Param(_)))
}

/// Is a collection a parameter, something in one, or a field that other methods fill?
fn rests_on_caller(s: &Summary, c: ExprId) -> bool {
    match *s.arena.get(c) {
        Expr::Param(_) => true,
        Expr::Field(x, f) => match s.fields.get(&(x, f)) {
            Some(FieldHistory::Kept | FieldHistory::Registry | FieldHistory::Filled) => true,
            Some(FieldHistory::Configured) => false,
            None => !matches!(s.arena.get(x), Expr::Param(0)) && rests_on_caller(s, x),
        },
        Expr::One(x) => rests_on_caller(s, x),
        Expr::Choose(_, t, f) => rests_on_caller(s, t) || rests_on_caller(s, f),
        _ => false,
    }
}
