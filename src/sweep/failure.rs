//! Does a failed read leave the reference empty, and the call reached?
//!
//! ```text
//! try: used = set(list_pods())          used is made of list_pods(): its failure empties it
//! except ApiException: used = set()
//! for s in secrets:
//!     if s.name not in used: delete(s)
//! try: audit.send(s)                    a step that failed hides no record
//! except AuditError: log()
//! ```

use super::*;
use crate::vocab::Row;

/// The first read whose failure lets the call through, and the answer that says so.
pub(super) fn failing(q: &Question, subject: &Subject, absent: &Answer) -> Option<(ExprId, Answer)> {
    let (facts, effect) = (q.facts(), q.effect());
    let about = subject.asked(facts, effect.when);
    // Known reads first: they say more than a call nothing is known of.
    let mut reads = reference_reads(facts, effect, subject);
    reads.sort_by_key(|r| facts.row(*r).is_none());
    reads.into_iter().find_map(|r| {
        let answer = failure_permits(q, subject, &about, absent, r)?;
        let handled = answer.tri == Tri::Maybe && records_failure(facts, effect.when, r);
        (!handled).then_some((r, answer))
    })
}

/// Does the failure of this one read let the call through, where its success would not have?
fn failure_permits(q: &Question, subject: &Subject, about: &Asked, absent: &Answer, r: ExprId) -> Option<Answer> {
    let facts = q.facts();
    if facts.read_by_an_act(r, q.effect().call) {
        return None;
    }
    // One of several sources fails: the others need not know the target.
    let source = |l: &Look| {
        let mut made_of = FxHashSet::default();
        feeds(facts, vec![l.at, l.reference], &mut made_of);
        made_of.contains(&r)
    };
    let decides = absent.pro.lookups.iter().chain(&absent.con.lookups).any(source);
    // `if err := file.Close(); err != nil { return err }`: a step that asks for nothing, and gives nothing to look into.
    let asks = facts.arena.call_of(r).is_none_or(|c| !c.args.is_empty() || facts.arena.param(0) == facts.receiver(r));
    if !asks && facts.is_act(r) && !q.looks_into(r) {
        return None;
    }
    if !decides && (facts.is_act(r) || !about.exprs.contains(&r) || own_word(facts, subject, r)) {
        return None;
    }
    let answer = q.ask(if decides { failed_alone(r) } else { failed(r) });
    if answer.tri == Tri::No || !answer.pro.failed {
        return None;
    }
    // Else a step that failed, not a record that is missing.
    let looked_into = answer.pro.lookups.iter().any(|l| l.reference == r && l.at != r);
    let backed = facts.arena.call_of(r).and_then(|c| facts.arena.site(c.site).row).is_some_and(|m| m.backed);
    let listed = backed && facts.is_list(r);
    if !decides && !looked_into && !about.stamped && !listed && !keyed(facts, subject, r) {
        return None;
    }
    // Where something must be found for the call to be reached, a failure reaches nothing.
    let reached = q.ask(failed_and_absent(r)).tri != Tri::No;
    (reached && q.decides(failed_alone(r), succeeded_alone(r))).then_some(answer)
}

/// `entry.metadata()`: the target says something of itself, and nobody knows what.
fn own_word(facts: &Facts, subject: &Subject, r: ExprId) -> bool {
    let plain = facts.arena.call_of(r).is_some_and(|c| c.args.is_empty());
    plain && facts.row(r).is_none() && facts.receiver(r).is_some_and(|x| subject.is_inner(x))
}

/// The reads a guard rests on that can fail: all but the candidates'. A read can fail if its row says so or if the code
/// looks at its failure; one statement's reads do not fail alone.
fn reference_reads(facts: &Facts, effect: &Effect, subject: &Subject) -> Vec<ExprId> {
    let a = facts.arena;
    let mut reached = FxHashSet::default();
    let made = facts.summary.effects.iter().filter(|e| e.kind == EffectKind::Create).map(|e| e.when);
    for when in made.chain([effect.when, effect.target]) {
        a.mentions(when, &mut |x| {
            reached.insert(x);
            false
        });
    }
    let own = subject.reads(facts);
    let mut out = vec![];
    for r in &facts.summary.reads {
        let asked = a.find(&Expr::Unary(Un::Raised, r.call)).is_some_and(|x| reached.contains(&x));
        let row = facts.row(r.call);
        // `exists(path)` answers in any case.
        let answers = row.is_some_and(|row| row.absence == Absence::False && !row.fails);
        // In Rust a failure is taken out of the answer before anything can be made of it.
        let open = |row: &Row| row.guess && row.language == Language::Rust;
        let sole = a.call_of(r.call).is_some_and(|c| a.site(c.site).sole);
        let fallible = !answers && (asked || !sole && row.is_some_and(|row| row.fails && !open(row)));
        let wanted = reached.contains(&r.call) && !r.atomic && !own.contains(&r.call) && !out.contains(&r.call);
        if wanted && fallible && !parses(facts, subject, r.call) {
            out.push(r.call);
        }
    }
    out
}

/// Does the guard consult something that is filled when the read fails?
///
/// ```text
/// except SourceError: silent.add(source.tag)      not any t in [e.tag | e in sources, raised(open(e))] | ..
/// ```
fn records_failure(facts: &Facts, when: ExprId, r: ExprId) -> bool {
    let a = facts.arena;
    let Some(raised) = a.find(&Expr::Unary(Un::Raised, r)) else { return false };
    a.mentions(when, &mut |x| match *a.get(x) {
        Expr::Any(_, such) => grants(a, such, raised),
        Expr::Gather { keep, .. } => grants(a, keep, raised),
        _ => false,
    })
}

/// Is it among what makes a condition true, not among what makes it false?
fn grants(a: &crate::ir::Arena, e: ExprId, x: ExprId) -> bool {
    if e == x {
        return true;
    }
    match *a.get(e) {
        Expr::Binary(Bin::And | Bin::Or, l, r) => grants(a, l, x) || grants(a, r, x),
        Expr::Choose(c, t, f) => grants(a, c, x) || grants(a, t, x) || grants(a, f, x),
        _ => false,
    }
}

/// A function of a module, or a parser, that is given nothing but the target and what is specified for it: it takes the
/// target apart, it looks nothing up.
fn parses(facts: &Facts, subject: &Subject, r: ExprId) -> bool {
    let Some(call) = facts.arena.call_of(r) else { return false };
    let function = matches!(facts.arena.get(call.callee), Expr::Path(_));
    facts.row(r).is_none()
        && (function || facts.called(r).is_some_and(|n| facts.vocab.forms(&n)))
        && !call.args.is_empty()
        && call.args.iter().all(|x| match facts.arena.get(x.value) {
            Expr::Lit(_) => true,
            // `matches_spec(request, certificate.spec)`
            Expr::Field(_, f) if function && facts.vocab.field(*f) == Some(FieldRole::Spec) => true,
            _ => subject.holds(facts, x.value),
        })
        && call.args.iter().any(|x| subject.holds(facts, x.value))
}
