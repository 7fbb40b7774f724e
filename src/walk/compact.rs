//! What a summary keeps: only what its callers or the questions can ask about.
//!
//! In a language with exceptions every call adds `not raised(call)` to what follows it. Most of that says nothing:
//!
//! ```text
//! log.send(x); rows = db.list(); api.delete(y)      when  not raised(send) and not raised(list)
//!                                                   kept: nothing, for no condition on `y` rests on either
//! ```
//! A failure matters where the read that fails is also looked into, or where the program itself raises. The rest is
//! dropped, and so is every expression no one can reach any more: a summary is copied into every caller, and would grow
//! with everything it ever touched.

use super::*;

/// Drops what does not matter, and moves the rest into an arena of its own.
pub(super) fn compact(mut s: Summary, risks: Vec<Risk>, raises: bool, vocab: &Vocab) -> Summary {
    let mut effects = std::mem::take(&mut s.effects);
    // What makes or stamps a thing is looked at for the reads it took: a failure there leaves the stamp unwritten.
    let made: Vec<ExprId> =
        effects.iter().filter(|e| e.kind == EffectKind::Create).flat_map(|e| [e.when, e.target]).collect();
    for e in effects.iter_mut().filter(|e| e.kind != EffectKind::Create) {
        let mut values = vec![e.target];
        if stamped(&s.arena, e.when, vocab) {
            values.extend(&made);
        }
        e.when = without_idle_failures(&mut s.arena, e.when, &values);
    }
    s.effects = effects;
    let reach = reachable(&s, &s.effects);
    let never = s.arena.bool(false);
    (s.raises, s.raises_missing) = (never, never);
    if raises {
        for r in risks {
            for part in s.arena.parts(r.raised, Bin::Or) {
                if matters(&s.arena, part, &reach) {
                    s.raises = s.arena.or(s.raises, part);
                }
            }
            for part in s.arena.parts(r.missing, Bin::Or) {
                if matters(&s.arena, part, &reach) {
                    s.raises_missing = s.arena.or(s.raises_missing, part);
                }
            }
        }
    }
    let (raised, missing) = (vec![s.raises], vec![s.raises_missing]);
    moved(&s, &s.effects, raised, missing, usize::MAX, true).unwrap_or(s)
}

/// Does a condition ask for a stamp?
fn stamped(a: &Arena, when: ExprId, vocab: &Vocab) -> bool {
    let stamp = Some(crate::vocab::FieldRole::Stamp);
    a.mentions(when, &mut |x| matches!(a.get(x), Expr::Field(_, f) if vocab.field(*f) == stamp))
}

fn is_exported(e: &Effect) -> bool {
    matches!(e.settled, Settled::Open | Settled::Cached | Settled::CachedBelow) || e.kind == EffectKind::Create
}

/// Do callers see all there is?
pub fn is_export(s: &Summary) -> bool {
    !s.own_reads && s.effects.iter().all(is_exported)
}

/// What callers see, unless it is more than so many expressions: an effect that was judged below says nothing new to them,
/// but what was made or updated does.
pub fn export(s: &Summary, most: usize) -> Option<Summary> {
    let effects: Vec<Effect> = s.effects.iter().filter(|e| is_exported(e)).copied().collect();
    let reach = reachable(s, &effects);
    let left = |raises| s.arena.parts(raises, Bin::Or).into_iter().filter(|p| matters(&s.arena, *p, &reach)).collect();
    moved(s, &effects, left(s.raises), left(s.raises_missing), most, false)
}

/// A condition without failures of reads that nothing else in it, and none of `values`, looks into.
fn without_idle_failures(a: &mut Arena, when: ExprId, values: &[ExprId]) -> ExprId {
    let all = a.parts(when, Bin::And);
    let mut seen = a.marks();
    let idle = |a: &Arena, c: ExprId| succeeds(a, c, false);
    let essential = all.iter().copied().filter(|c| !idle(a, *c));
    for e in essential.chain(values.iter().copied()).collect::<Vec<_>>() {
        mark(a, e, &mut seen);
    }
    let mut out = a.bool(true);
    for c in all {
        if !idle(a, c) || touches(a, c, &seen) {
            out = a.and(out, c);
        }
    }
    out
}

/// Those parts of a condition that what is kept speaks of.
fn known_part(of: &Arena, c: ExprId, seen: &Marks, a: &mut Arena, r: &mut Rebuild) -> Option<ExprId> {
    let inner = |part: ExprId| match *of.get(part) {
        Expr::Unary(Un::Not, x) => x,
        _ => part,
    };
    let mut all = None;
    for part in of.parts(c, Bin::And).into_iter().filter(|part| seen.contains(inner(*part))) {
        let part = r.expr(a, part);
        all = Some(all.map_or(part, |all| a.and(all, part)));
    }
    all
}

/// Everything that values, effects and writes of a summary rest on.
fn reachable(s: &Summary, effects: &[Effect]) -> Marks {
    let mut seen = s.arena.marks();
    let effects = effects.iter().flat_map(|e| [e.when, e.target, e.call]);
    let pending = s.pending.iter().flat_map(|p| [p.call, p.when]);
    let values = s.writes.iter().flat_map(|w| [w.0, w.2]).chain(s.puts.iter().map(|p| p.1));
    let globals = s.globals.iter().map(|g| g.1).chain(s.defaults.iter().copied().flatten());
    let selects = s.selects.iter().copied();
    let roots: Vec<ExprId> =
        std::iter::once(s.returns).chain(selects).chain(effects).chain(pending).chain(values).chain(globals).collect();
    for e in roots {
        mark(&s.arena, e, &mut seen);
    }
    seen
}

fn mark(a: &Arena, e: ExprId, seen: &mut Marks) {
    let mut todo = vec![e];
    while let Some(x) = todo.pop() {
        if seen.insert(x) {
            a.children(x, &mut |y| todo.push(y));
        }
    }
}

/// Does it say of reads that they did not fail, and nothing else?
fn succeeds(a: &Arena, e: ExprId, negated: bool) -> bool {
    match *a.get(e) {
        Expr::Unary(Un::Raised | Un::NotFound, _) => negated,
        Expr::Unary(Un::Not, x) => succeeds(a, x, !negated),
        Expr::Any(_, x) => succeeds(a, x, negated),
        Expr::Binary(Bin::And | Bin::Or, l, r) => succeeds(a, l, negated) && succeeds(a, r, negated),
        _ => false,
    }
}

/// Does it speak of nothing but whether reads failed?
fn is_failure(a: &Arena, e: ExprId) -> bool {
    match *a.get(e) {
        Expr::Unary(Un::Raised | Un::NotFound, _) | Expr::Lit(Lit::Bool(_)) => true,
        Expr::Unary(Un::Not, x) | Expr::Any(_, x) => is_failure(a, x),
        Expr::Binary(Bin::And | Bin::Or, l, r) => is_failure(a, l) && is_failure(a, r),
        Expr::Choose(c, t, f) => is_failure(a, c) && is_failure(a, t) && is_failure(a, f),
        _ => false,
    }
}

/// Does a failure concern something that is looked into?
fn touches(a: &Arena, e: ExprId, looked_into: &Marks) -> bool {
    a.mentions(e, &mut |x| match a.get(x) {
        Expr::Unary(Un::Raised | Un::NotFound, r) => looked_into.contains(read_behind(a, *r)),
        _ => false,
    })
}

/// The call behind a listing with its selector, or behind something read off its answer.
fn read_behind(a: &Arena, e: ExprId) -> ExprId {
    match *a.get(e) {
        Expr::Gather { of, .. } => read_behind(a, a.coll(of)),
        Expr::Field(x, _) => read_behind(a, x),
        _ => e,
    }
}

fn matters(a: &Arena, e: ExprId, reach: &Marks) -> bool {
    a.as_bool(e) != Some(false) && (!is_failure(a, e) || touches(a, e, reach))
}

/// A known read that stands in the function itself: rules that look at whole functions see it.
fn written_here(a: &Arena, e: ExprId) -> bool {
    a.call_of(e).is_some_and(|c| a.site(c.site).via.is_none() && a.site(c.site).row.is_some())
}

/// The summary in an arena that holds nothing else, unless it is more than so many expressions; `own`: with all known
/// reads of the function itself.
fn moved(
    s: &Summary,
    effects: &[Effect],
    raised: Vec<ExprId>,
    missing: Vec<ExprId>,
    most: usize,
    own: bool,
) -> Option<Summary> {
    let mut seen = reachable(s, effects);
    raised.iter().chain(&missing).for_each(|e| mark(&s.arena, *e, &mut seen));
    let mut a = Arena::default();
    let mut r = Rebuild::out_of(&s.arena, None);
    // Parameters first: their ids are what callers look for.
    for i in 0..s.params.len() {
        if let Some(p) = s.arena.param(i) {
            r.expr(&mut a, p);
        }
    }
    let mut kept = vec![0; s.reads.len() + 1];
    let (mut reads, mut own_reads) = (vec![], false);
    for (i, read) in s.reads.iter().enumerate() {
        kept[i] = reads.len();
        let wanted = seen.contains(read.call);
        if wanted || own && written_here(&s.arena, read.call) {
            own_reads |= !wanted;
            let under = read.under.and_then(|c| known_part(&s.arena, c, &seen, &mut a, &mut r));
            reads.push(Read { call: r.expr(&mut a, read.call), under, ..*read });
        }
    }
    if a.len() > most {
        return None;
    }
    kept[s.reads.len()] = reads.len();
    let before = |n: usize| kept.get(n).copied().unwrap_or(reads.len());
    let effects = effects.iter().map(|e| Effect {
        call: r.expr(&mut a, e.call),
        target: r.expr(&mut a, e.target),
        when: r.expr(&mut a, e.when),
        after: before(e.after),
        ..*e
    });
    let effects = effects.collect();
    if a.len() > most {
        return None;
    }
    let pending = s.pending.iter().map(|p| Pending {
        call: r.expr(&mut a, p.call),
        when: r.expr(&mut a, p.when),
        after: before(p.after),
    });
    let pending = pending.collect();
    let mut any_of = |list: Vec<ExprId>, r: &mut Rebuild| {
        let mut out = a.bool(false);
        for e in list {
            let e = r.expr(&mut a, e);
            out = a.or(out, e);
        }
        out
    };
    let (raises, raises_missing) = (any_of(raised, &mut r), any_of(missing, &mut r));
    let mut known: Vec<_> = s.fields.iter().map(|(k, h)| (*k, *h)).collect();
    known.sort_by_key(|((b, f), _)| (*b, f.as_str()));
    let mut made = Summary {
        returns: r.expr(&mut a, s.returns),
        raises,
        raises_missing,
        writes: s.writes.iter().map(|w| (r.expr(&mut a, w.0), w.1, r.expr(&mut a, w.2))).collect(),
        puts: s.puts.iter().map(|p| (p.0, r.expr(&mut a, p.1))).collect(),
        globals: s.globals.iter().map(|g| (g.0, r.expr(&mut a, g.1))).collect(),
        defaults: s.defaults.iter().map(|d| d.map(|d| r.expr(&mut a, d))).collect(),
        fields: known.into_iter().map(|((b, f), h)| ((r.expr(&mut a, b), f), h)).collect(),
        fed: s.fed.clone(),
        selects: s.selects.iter().map(|e| r.expr(&mut a, *e)).collect(),
        cached: s.cached.iter().filter(|c| seen.contains(**c)).map(|c| r.expr(&mut a, *c)).collect(),
        params: s.params.clone(),
        is_method: s.is_method,
        truncated: s.truncated,
        own_reads,
        reads,
        effects,
        pending,
        arena: a,
    };
    made.arena.shrink();
    (made.arena.len() <= most).then_some(made)
}
