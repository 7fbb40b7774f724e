//! One destructive call, judged: the five answers, and which rules hold by them.
//!
//! ```text
//! for s in secrets.list():                 absent: Yes, by the lookup in pods      delete-on-absence
//!     if not any(p.owner == s.name         newborn: Yes                            missing-grace-period
//!                for p in pods):           pods were read before the secrets       reference-read-first
//!         secrets.delete(s.name)           failed(pods): No, it raises             no error-as-empty
//! ```
//!
//! With A = absent is not No, and a lookup speaks for it that would have held the call back; N = newborn is not No and
//! nothing was looked at again; F = foreign is not No:
//!
//! | verdict | holds when |
//! |---|---|
//! | absence | A, and (N by an observed lookup, or F) |
//! | grace | N, not atomic, and (A by an observed lookup, or, without a lookup, an age guard that lets a newborn through) |
//! | unscoped | F |
//! | read first | grace by A, and an observed reference was read before the candidates |
//! | error as empty | for some reference read r that can fail: failed(r) is not No, by r |
//! | stale | A by something kept or cached, or candidates kept from an earlier pass |
//! | partial | A by a listing of which one page was read |
//! | terminated | A and N, where a record is moved to a final state |
//!
//! A terminating write is no destructive call: only the last and error as empty, stale and partial speak of it.

use crate::ask::{
    ABSENT, Answer, Asked, FOREIGN, Facts, Look, NEWBORN, PRESENT, Question, Subject, Tri, failed, failed_alone,
    failed_and_absent, feeds, same_but_sites, succeeded_alone,
};
use crate::facts::{Effect, EffectKind, FieldHistory};
use crate::ir::{Bin, Expr, ExprId, Lit, Sym, Un};
use crate::vocab::{Absence, FieldRole, Role, Topic};
use rustc_hash::FxHashSet;

/// How sure the analysis is: by the table in the project's semantics, nothing inferred is high, one thing medium, two low.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Two or more things are inferred.
    Low,
    /// One thing is inferred from names, or an opaque condition on the target stands in the guard.
    Medium,
    /// A known library's call, a known reference, a guard wholly understood.
    High,
}

impl Confidence {
    /// As flags and reports write it.
    pub fn word(self) -> &'static str {
        match self {
            Confidence::Low => "low",
            Confidence::Medium => "medium",
            Confidence::High => "high",
        }
    }
}

/// More helpers than this between the function that is judged and a read: nobody follows that by eye.
const FAR: usize = 3;

/// What may be wrong with a destructive call.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// Absence reaches something live: delete-on-absence.
    Absence,
    /// Something a second old is reached: missing-grace-period.
    Grace,
    /// Something of another installation is reached: unscoped-sweep.
    Unscoped,
    /// What was made between two reads looks unused: reference-read-first.
    ReadFirst,
    /// A failure leaves the reference empty: error-as-empty.
    ErrorAsEmpty,
    /// The reference may be older than the question: stale-reference.
    Stale,
    /// The reference is one page of more: partial-listing.
    Partial,
    /// A record is moved to a final state by absence: absence-marks-terminated.
    Terminated,
    /// What was looked at is not what is deleted for sure: delete-without-precondition.
    Precondition,
}

/// One destructive call with its answers.
pub struct Sweep<'a> {
    facts: &'a Facts<'a>,
    /// The effect judged.
    pub effect: &'a Effect,
    /// What it is about.
    pub subject: Subject,
    /// Every reference knows the target.
    pub present: Answer,
    /// None does.
    pub absent: Answer,
    /// None does, and it was made a second ago.
    pub newborn: Answer,
    /// None of ours does, and it is another's.
    pub foreign: Answer,
    /// The first reference read whose failure lets the call through, and the answer that says so.
    pub failing: Option<(ExprId, Answer)>,
    /// The same reference asked once more after the candidates were read.
    second_look: Option<ExprId>,
    /// Nothing but the records can make the difference between the absent and the present answer.
    decided: bool,
    verdicts: Vec<Verdict>,
}

impl<'a> Sweep<'a> {
    /// Judges an effect. Nothing for what is no destructive call, and where there is no subject.
    pub fn new(facts: &'a Facts<'a>, effect: &'a Effect) -> Option<Sweep<'a>> {
        if !matches!(effect.kind, EffectKind::Destroy | EffectKind::Terminate) {
            return None;
        }
        if replaced(facts, effect) {
            return None;
        }
        let subject = Subject::of(facts, effect)?;
        let q = Question::new(facts, effect, &subject);
        let [present, absent, newborn, foreign] = [PRESENT, ABSENT, NEWBORN, FOREIGN].map(|w| q.ask(w));
        let about = subject.asked(facts, effect.when);
        // Known reads first: they say more than a call nothing is known of.
        let mut reads = reference_reads(facts, effect, &subject);
        reads.sort_by_key(|r| facts.row(*r).is_none());
        let failing = reads.into_iter().find_map(|r| {
            let answer = failure_permits(&q, &subject, &about, &absent, r)?;
            let handled = answer.tri == Tri::Maybe && records_failure(facts, effect.when, r);
            (!handled).then_some((r, answer))
        });
        let asked = absent.tri != Tri::No && absent.pro.lookup() && present.tri != Tri::Yes;
        // Of reads that an act made on its way nobody asks what they know of the target.
        let asked = asked && !absent.pro.lookups.iter().all(|l| facts.read_by_an_act(l.reference, effect.call));
        let decided = asked && q.decides(ABSENT, PRESENT);
        let mut sweep = Sweep {
            facts,
            effect,
            subject,
            present,
            absent,
            newborn,
            foreign,
            failing,
            second_look: None,
            decided,
            verdicts: vec![],
        };
        sweep.second_look = sweep.find_second_look();
        sweep.judge();
        Some(sweep)
    }

    /// What it was judged by.
    pub fn facts(&self) -> &Facts<'a> {
        self.facts
    }
    /// The verdicts that hold.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }
    /// Does this one hold?
    pub fn is(&self, v: Verdict) -> bool {
        self.verdicts.contains(&v)
    }

    /// Absence lets the call through, and having been found would not have.
    pub fn absence_permits(&self) -> bool {
        self.decided
    }
    /// A newborn is reached.
    pub fn newborn_reached(&self) -> bool {
        self.newborn.tri != Tri::No && self.second_look.is_none()
    }
    /// A stranger's is reached.
    pub fn foreign_reached(&self) -> bool {
        let looks = self.lookups();
        // Where every record would be known whoever's it is, being another's changes nothing.
        let same = !looks.is_empty() && looks.iter().all(|l| l.strangers);
        self.foreign.tri != Tri::No && self.subject.is_swept() && !same
    }

    fn judge(&mut self) {
        let (a, n, f) = (self.absence_permits(), self.newborn_reached(), self.foreign_reached());
        let observed = self.absent.pro.observed();
        let sought = self.lookups().iter().any(|l| self.looks_for_workload(l));
        let record = self.effect.kind != EffectKind::Terminate || a && sought;
        let can_fail =
            self.failing.is_some() && self.present.tri != Tri::Yes && record && (self.subject.is_swept() || a);
        let mut found = vec![];
        let mut add = |v, holds: bool| {
            if holds {
                found.push(v);
            }
        };
        if self.effect.kind == EffectKind::Terminate {
            add(Verdict::Terminated, a && n && sought);
        } else {
            let aged = self.age_is_opaque();
            let grace = n && !self.effect.atomic;
            add(Verdict::Absence, a && (n && observed && !aged || f));
            add(Verdict::Grace, grace && (a && observed || !a && self.age_guard().is_some()));
            add(Verdict::Unscoped, f);
            add(Verdict::ReadFirst, grace && a && !self.early_reads().is_empty());
            add(Verdict::Precondition, self.precondition_missing());
        }
        add(Verdict::ErrorAsEmpty, can_fail);
        add(Verdict::Stale, a && (!self.stale().is_empty() || self.kept_candidates().is_some()));
        add(Verdict::Partial, a && self.partial_read().is_some());
        self.verdicts = found;
    }

    /// What a verdict rests on, besides the candidates: reads where they are known, else the tests.
    pub fn rests_on(&self, v: Verdict) -> Vec<ExprId> {
        match v {
            Verdict::Absence | Verdict::Terminated => self.references(),
            Verdict::Grace if self.absence_permits() => self.references(),
            Verdict::Grace => self.age_guard().into_iter().collect(),
            Verdict::Unscoped => self.candidates().into_iter().collect(),
            Verdict::ReadFirst => self.early_reads(),
            Verdict::ErrorAsEmpty => self.failing.iter().map(|f| f.0).collect(),
            Verdict::Stale => {
                let stale = self.stale().into_iter().map(|l| l.reference);
                stale.chain(self.kept_candidates()).collect()
            }
            Verdict::Partial => self.partial_read().into_iter().collect(),
            Verdict::Precondition => self.candidates().into_iter().collect(),
        }
    }

    /// The read the candidates come from, else the collection they are drawn from.
    pub fn candidates(&self) -> Option<ExprId> {
        self.subject.read(self.facts).or(self.subject.candidates())
    }
    /// The lookups that decide the absent answer.
    pub fn lookups(&self) -> &[Look] {
        &self.absent.pro.lookups
    }
    /// What those look into, each once, in the order in which they are read.
    pub fn references(&self) -> Vec<ExprId> {
        let mut out: Vec<ExprId> = vec![];
        for l in self.lookups() {
            if !out.contains(&l.reference) {
                out.push(l.reference);
            }
        }
        out.sort_by_key(|r| self.facts.read_at(*r).unwrap_or(usize::MAX));
        out
    }
    /// The conditions that let the call through where nothing is known of the target.
    pub fn guards(&self) -> &[ExprId] {
        if self.absence_permits() { &self.absent.pro.exprs } else { &self.newborn.pro.exprs }
    }

    /// Without a lookup: the age guard that a newborn gets through, because it is inverted or fails open.
    pub fn age_guard(&self) -> Option<ExprId> {
        if self.absent.pro.lookup() || !self.subject.is_swept() || self.newborn.tri == Tri::No {
            return None;
        }
        let birth = |e: ExprId| {
            self.facts.arena.mentions(e, &mut |x| match self.facts.field(x) {
                Some((base, f)) => {
                    self.facts.vocab.field(f) == Some(FieldRole::Birth) && self.subject.holds(self.facts, base)
                }
                None => matches!(self.facts.role(x), Some(Role::Birth | Role::Age)),
            })
        };
        let order = |x: ExprId| match *self.facts.arena.get(x) {
            Expr::Binary(Bin::Lt, l, r) => birth(l) || birth(r),
            _ => false,
        };
        let compared = self.facts.arena.mentions(self.effect.when, &mut |x| order(x));
        let guards = self.newborn.pro.exprs.iter().copied();
        guards.filter(|_| compared).find(|e| asks_age(self.facts.arena, *e, &order, &birth))
    }

    /// Observed references that were read before the candidates.
    pub fn early_reads(&self) -> Vec<ExprId> {
        let Some(own) = self.subject.read(self.facts).and_then(|r| self.facts.read_at(r)) else { return vec![] };
        let mut out = vec![];
        for l in self.lookups().iter().filter(|l| !l.desired) {
            let early = self.facts.read_at(l.reference).is_some_and(|at| at < own);
            // What is looked up for each target has no moment of its own.
            let each = self.facts.is_find(l.reference) && keyed(self.facts, &self.subject, l.reference);
            if early && !each && !out.contains(&l.reference) {
                out.push(l.reference);
            }
        }
        out
    }

    /// Lookups in something kept from an earlier pass, remembered from an earlier call, or served from a cache.
    pub fn stale(&self) -> Vec<Look> {
        let old = |l: &&Look| l.kept || l.cached || self.facts.row(l.reference).is_some_and(|r| r.stale);
        self.lookups().iter().filter(old).copied().collect()
    }

    /// The candidates are themselves a verdict kept from an earlier pass.
    pub fn kept_candidates(&self) -> Option<ExprId> {
        let coll = self.subject.candidates()?;
        let Expr::Field(x, f) = *self.facts.arena.get(coll) else { return None };
        // A field of whatever was listed or given holds what belongs to it, not what this code found out.
        if !matches!(self.facts.arena.get(x), Expr::Param(0)) {
            return None;
        }
        let written = self.facts.summary.writes.iter().any(|w| (w.0, w.1) == (x, f));
        let history = self.facts.summary.fields.get(&(x, f));
        let kept = matches!(history, Some(FieldHistory::Kept | FieldHistory::Registry));
        (written || kept).then_some(coll)
    }

    /// A reference of which one page was read and more may follow.
    pub fn partial_read(&self) -> Option<ExprId> {
        let facts = self.facts;
        let paged = |r: &ExprId| {
            let (Some(row), Some(call)) = (facts.row(*r), facts.arena.call_of(*r)) else { return false };
            let Some(page) = row.page else { return false };
            let given = |b| facts.vocab.bound(facts.arena, call, row, b);
            let limited = page.limit.is_none_or(|b| given(b).is_some());
            let again = |x: ExprId| {
                facts.arena.mentions(x, &mut |y| {
                    facts.arena.call_of(y).is_some_and(|c| c.callee == call.callee || c.site == call.site)
                })
            };
            // The same call in its first and in a later round.
            let rounds = facts.arena.ids().filter_map(|e| facts.arena.call_of(e)).filter(|c| c.site == call.site);
            // `list(pageToken=token).execute()` has its token before the last name.
            let before = |c: &crate::ir::Call| match facts.arena.get(c.callee) {
                Expr::Field(x, _) => Some(*x),
                _ => None,
            };
            let mut goes_on = rounds.flat_map(|c| c.args.iter().map(|x| x.value).chain(before(c)));
            let goes_on = goes_on.any(again);
            limited && !keyed(facts, &self.subject, *r) && !goes_on
        };
        self.references().into_iter().find(paged)
    }

    /// The destroying call could take a precondition and is given none, though it rests on an earlier read of the target.
    fn precondition_missing(&self) -> bool {
        let facts = self.facts;
        let looked_at = || {
            facts.arena.mentions(self.effect.when, &mut |x| match facts.field(x) {
                Some((base, _)) => self.subject.holds(facts, base),
                None => false,
            })
        };
        let bare = match self.effect.by {
            Some((table, column)) => facts.vocab.speaks_of(Topic::Reused, &column) && self.is_read_from(table),
            None => self.precondition_left_out(),
        };
        self.subject.is_swept() && bare && looked_at()
    }

    /// `delete(name)` where `delete(name, precondition)` could have been said.
    fn precondition_left_out(&self) -> bool {
        let facts = self.facts;
        let (Some(row), Some(call)) = (facts.row(self.effect.call), facts.arena.call_of(self.effect.call)) else {
            return false;
        };
        let Some(bind) = row.precondition else { return false };
        let given = facts.vocab.bound(facts.arena, call, row, bind);
        !given.is_some_and(|v| !matches!(facts.arena.get(v), Expr::Lit(Lit::Nothing | Lit::Empty)))
    }

    /// The candidates are rows of this table.
    fn is_read_from(&self, table: Sym) -> bool {
        let read = self.subject.read(self.facts).and_then(|r| self.facts.arena.call_of(r));
        let named = read.and_then(|c| c.args.first()).and_then(|x| self.facts.arena.as_str(x.value));
        named.is_some_and(|n| n.eq_ignore_ascii_case(&table))
    }

    /// The same reference asked twice, the later time after the candidates were read: what was made in between shows.
    fn find_second_look(&self) -> Option<ExprId> {
        let facts = self.facts;
        let at = |e: ExprId| facts.read_at(e);
        let own = self.subject.read(facts).and_then(at)?;
        let looks = self.lookups();
        for (i, l) in looks.iter().enumerate() {
            for m in &looks[i + 1..] {
                let (Some(x), Some(y)) = (at(l.reference), at(m.reference)) else { continue };
                if x != y && x.max(y) > own && same_but_sites(facts.arena, l.reference, m.reference) {
                    return Some(if x < y { m.reference } else { l.reference });
                }
            }
        }
        None
    }

    /// An unresolved call about the target speaks of age, or is given a duration: age is asked, and not understood.
    fn age_is_opaque(&self) -> bool {
        let facts = self.facts;
        self.newborn.pro.opaque.iter().any(|e| {
            let duration =
                facts.arena.call_of(*e).is_some_and(|c| c.args.iter().any(|x| facts.role(x.value) == Some(Role::Span)));
            duration || facts.called(*e).is_some_and(|n| facts.vocab.speaks_of_age(&n))
        })
    }

    /// How many things were inferred from names alone.
    pub fn inferred(&self) -> usize {
        let by_name = self.by_name(self.effect.call) as usize;
        let reference = self.lookups().iter().any(|l| self.by_name(l.reference) || !self.key_like(l.at));
        by_name + (self.absence_permits() && reference) as usize
    }

    /// Known by nothing but its name, or by how it is used.
    fn by_name(&self, e: ExprId) -> bool {
        let facts = self.facts;
        match facts.arena.call_of(e) {
            Some(c) => facts.arena.site(c.site).row.is_none_or(|m| !m.backed || facts.vocab.row(m.row).guess),
            // A state that is written: the row is the field's name.
            None => matches!(facts.arena.get(e), Expr::Param(_) | Expr::Path(_) | Expr::Unknown(_)),
        }
    }

    /// Is what a search compares something that identifies the target: name, id, key, the element itself?
    fn key_like(&self, at: ExprId) -> bool {
        let facts = self.facts;
        let Expr::Binary(Bin::Eq, l, r) = *facts.arena.get(at) else { return true };
        [l, r].into_iter().filter(|x| self.subject.holds(facts, *x)).any(|x| match facts.field(x) {
            Some((_, f)) => {
                matches!(facts.vocab.field(f), Some(FieldRole::Key | FieldRole::Ownerlike | FieldRole::Stamp))
                    || facts.arena.mentions(x, &mut |y| match facts.field(y) {
                        Some((_, f)) => facts.vocab.field(f) == Some(FieldRole::Ownerlike),
                        None => false,
                    })
            }
            None => true,
        })
    }

    /// How sure a verdict is.
    pub fn confidence(&self, v: Verdict) -> Confidence {
        let facts = self.facts;
        let opaque = self.opaque_guards(v);
        let protects = opaque.iter().any(|e| facts.called(*e).is_some_and(|n| facts.vocab.speaks_of_use(&n)));
        let aged = matches!(v, Verdict::Grace | Verdict::ReadFirst) && self.age_is_opaque();
        let inferred = match v {
            Verdict::Unscoped => {
                self.by_name(self.effect.call) as usize + self.candidates().is_some_and(|c| self.by_name(c)) as usize
            }
            _ => self.inferred(),
        };
        let inferred = inferred + self.far_off(v) as usize + self.by_outcome(v) as usize;
        // That a space is shared must be seen (settled question 17), and a failure or an old answer says little of a
        // guard that nothing else speaks against.
        let alone = matches!(v, Verdict::ErrorAsEmpty | Verdict::Stale) && !self.absence_permits();
        let inferred = if inferred == 1 && (alone || v == Verdict::Unscoped) { 2 } else { inferred };
        let files = self.only_file_checks();
        let asked = self.subject.is_told(facts) || self.subject.asked_by_name(facts, self.effect.when);
        if protects || aged || inferred > 1 || !self.subject.is_swept() || asked || files && !self.lists_files() {
            Confidence::Low
        } else if inferred == 1 || !opaque.is_empty() || self.narrowed() || files {
            Confidence::Medium
        } else {
            Confidence::High
        }
    }

    /// Was something looked for in what there is: a member of a collection, a thing of a known library, or what a find
    /// gives? That a call nothing is known of failed says how that call ended.
    fn looks_for_workload(&self, l: &Look) -> bool {
        let facts = self.facts;
        let member = matches!(facts.arena.get(l.at), Expr::Lookup(..) | Expr::Binary(Bin::Eq, ..));
        let row = facts.arena.call_of(l.reference).and_then(|c| facts.arena.site(c.site).row);
        let asked = || facts.arena.find(&Expr::Unary(Un::Present, l.reference)).is_some();
        member || row.is_some_and(|m| m.backed || facts.is_find(l.reference) && asked())
    }

    /// Does it rest on nothing but whether some file is there?
    fn only_file_checks(&self) -> bool {
        let check = |l: &Look| {
            self.facts.row(l.reference).is_some_and(|r| r.role == Role::Find && r.absence == Absence::False && !r.fails)
        };
        let looks = self.lookups();
        self.absence_permits() && !looks.is_empty() && looks.iter().all(check)
    }

    /// Were the candidates found in a directory?
    fn lists_files(&self) -> bool {
        let row = self.subject.read(self.facts).and_then(|r| self.facts.row(r));
        row.is_some_and(|r| r.role == Role::List && r.noun.as_deref() == Some("file"))
    }

    /// Does it rest on how a call ended that nothing is known of, and whose name asks for nothing? What it did is a guess,
    /// and that its end says something of the target is another.
    fn by_outcome(&self, v: Verdict) -> bool {
        let facts = self.facts;
        let outcome = |l: &Look| {
            let unknown = facts.arena.call_of(l.at).is_some() && facts.row(l.at).is_none();
            unknown && !facts.called(l.at).is_some_and(|n| facts.vocab.speaks_of(Topic::Lookup, &n))
        };
        let looks = self.lookups();
        v != Verdict::Unscoped && self.absence_permits() && !looks.is_empty() && looks.iter().all(outcome)
    }

    /// Does it rest on what is read only far down a chain of helpers? So long a way is itself a guess.
    fn far_off(&self, v: Verdict) -> bool {
        // Whether a workload is there is asked where the record is moved, or the helper's own end is what is recorded.
        let most = if v == Verdict::Terminated { 0 } else { FAR };
        let far = |e: ExprId| self.facts.helpers_above(e) > most;
        let reads = self.rests_on(v);
        v != Verdict::Unscoped && !reads.is_empty() && reads.iter().all(|e| far(*e))
    }

    /// Unknown calls about the target among what lets the call through.
    fn opaque_guards(&self, v: Verdict) -> &[ExprId] {
        match v {
            Verdict::Unscoped => &self.foreign.pro.opaque,
            Verdict::ErrorAsEmpty => self.failing.as_ref().map_or(&[], |f| &f.1.pro.opaque),
            Verdict::Grace | Verdict::ReadFirst => &self.newborn.pro.opaque,
            _ => &self.absent.pro.opaque,
        }
    }

    /// Candidates limited by a namespace, or by labels that say nothing about the installation.
    fn narrowed(&self) -> bool {
        let facts = self.facts;
        let Some(read) = self.subject.read(facts) else { return false };
        let (Some(row), Some(call)) = (facts.row(read), facts.arena.call_of(read)) else { return false };
        row.scope.iter().any(|s| {
            let v = facts.vocab.bound(facts.arena, call, row, s.bind);
            v.is_some_and(|v| !matches!(facts.arena.get(v), Expr::Lit(Lit::Nothing | Lit::Empty)))
        })
    }
}

/// Is a test about age: an order of instants, or whether there is an instant at all? A time that is handed on, or is
/// equal to another, tells nobody how old a thing is.
fn asks_age(a: &crate::ir::Arena, e: ExprId, order: &dyn Fn(ExprId) -> bool, birth: &dyn Fn(ExprId) -> bool) -> bool {
    let asks = |x: ExprId| asks_age(a, x, order, birth);
    match *a.get(e) {
        Expr::Any(_, x) | Expr::Unary(Un::Not, x) => asks(x),
        Expr::Binary(Bin::And | Bin::Or, l, r) => asks(l) || asks(r),
        Expr::Choose(c, t, f) => asks(c) || asks(t) || asks(f),
        Expr::Unary(Un::Present, x) => birth(x),
        Expr::Field(..) | Expr::Lookup(..) | Expr::Call(_) => birth(e),
        _ => order(e),
    }
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
    if !decides && !about.exprs.contains(&r) {
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

fn keyed(facts: &Facts, subject: &Subject, r: ExprId) -> bool {
    if subject.asks_itself(facts, r) {
        return false;
    }
    let Some(call) = facts.arena.call_of(r) else { return false };
    call.args.iter().any(|x| subject.holds(facts, x.value))
        || facts.receiver(r).is_some_and(|x| subject.holds(facts, x))
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
        let fallible = !answers && (asked || row.is_some_and(|row| row.fails));
        let wanted = reached.contains(&r.call) && !r.atomic && !own.contains(&r.call) && !out.contains(&r.call);
        if wanted && fallible && !parses(facts, subject, r.call) {
            out.push(r.call);
        }
    }
    out
}

/// Is the same thing made again right away, on every path? What was there is replaced, not given up.
///
/// ```text
/// if lexists(dest): unlink(dest)
/// symlink(src, dest)
/// ```
fn replaced(facts: &Facts, effect: &Effect) -> bool {
    let a = facts.arena;
    let later = facts.summary.effects.iter().skip_while(|e| *e != effect);
    let mut made = later.filter(|e| e.kind == EffectKind::Create && same_but_sites(a, e.target, effect.target));
    let own = conjuncts(a, effect.when);
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

fn conjuncts(a: &crate::ir::Arena, when: ExprId) -> FxHashSet<ExprId> {
    let (mut out, mut todo) = (FxHashSet::default(), vec![when]);
    while let Some(e) = todo.pop() {
        match *a.get(e) {
            Expr::Binary(Bin::And, l, r) => todo.extend([l, r]),
            _ => {
                out.insert(e);
            }
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

/// A function of a module, or a parser, that is given nothing but the target: it takes the target apart, it looks nothing up.
fn parses(facts: &Facts, subject: &Subject, r: ExprId) -> bool {
    let Some(call) = facts.arena.call_of(r) else { return false };
    let function = matches!(facts.arena.get(call.callee), Expr::Path(_));
    facts.row(r).is_none()
        && (function || facts.called(r).is_some_and(|n| facts.vocab.forms(&n)))
        && !call.args.is_empty()
        && call.args.iter().all(|x| subject.holds(facts, x.value) || matches!(facts.arena.get(x.value), Expr::Lit(_)))
}
