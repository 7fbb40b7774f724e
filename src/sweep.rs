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
    ABSENT, Answer, Asked, BESIDE, FOREIGN, Facts, KNOWN, Look, NEWBORN, PRESENT, Question, Subject, Tri, failed,
    failed_alone, failed_and_absent, feeds, is_file, same_but_sites, succeeded_alone,
};
use crate::facts::{Effect, EffectKind, FieldHistory};
use crate::ir::{Bin, Expr, ExprId, Lit, Sym, Un};
use crate::source::Language;
use crate::vocab::{Absence, FieldRole, Role, Topic};
use rustc_hash::FxHashSet;

mod confidence;
mod either;
mod failure;
mod marked;
mod order;
mod paging;
mod replaced;
mod shared;

pub use confidence::Confidence;

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
    /// What is its own is told by what every installation says: shared-ownership-label.
    SharedLabel,
    /// A record is moved to a final state by absence: absence-marks-terminated.
    Terminated,
    /// What was looked at is not what is deleted for sure: delete-without-precondition.
    Precondition,
}

impl Verdict {
    /// Is it about the space that is swept, rather than about what is known of the target?
    fn is_of_space(self) -> bool {
        matches!(self, Verdict::Unscoped | Verdict::SharedLabel)
    }
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
    /// Another owner's things in the same space are reached, though the code tells owners apart.
    beside: Beside,
    /// The first reference read whose failure lets the call through, and the answer that says so.
    pub failing: Option<(ExprId, Answer)>,
    /// The same reference asked once more after the candidates were read.
    second_look: Option<ExprId>,
    /// Nothing but the records can make the difference between the absent and the present answer.
    decided: bool,
    /// What is found need not hold the call back: that rests on something not understood.
    open: bool,
    verdicts: Vec<Verdict>,
}

impl<'a> Sweep<'a> {
    /// Judges an effect. Nothing for what is no destructive call, and where there is no subject.
    pub fn new(facts: &'a Facts<'a>, effect: &'a Effect) -> Option<Sweep<'a>> {
        Sweep::judged(facts, effect, true, true)
    }

    /// The same where some verdict may hold: what is neither drawn from a listing nor looked up is asked no further.
    ///
    /// ```text
    /// def drop(api, id):                 one thing, named by the caller, and nothing that could know it
    ///     if api.state(id) != "busy": api.delete(id)
    /// ```
    ///
    /// `closely`: what happens where a read fails is asked, too.
    pub fn of_concern(facts: &'a Facts<'a>, effect: &'a Effect, closely: bool) -> Option<Sweep<'a>> {
        Sweep::judged(facts, effect, false, closely)
    }

    fn judged(facts: &'a Facts<'a>, effect: &'a Effect, whatever: bool, closely: bool) -> Option<Sweep<'a>> {
        if !matches!(effect.kind, EffectKind::Destroy | EffectKind::Terminate) {
            return None;
        }
        if effect.taken_back || replaced::replaced(facts, effect) || replaced::made_here(facts, effect) {
            return None;
        }
        if replaced::written_here(facts, effect) || replaced::made_one_by_one(facts, effect) {
            return None;
        }
        let subject = Subject::of(facts, effect)?;
        // Only what the referrers that were just deleted referred to.
        if subject.read(facts).and_then(|list| facts.row(list)).is_some_and(|row| row.over) {
            return None;
        }
        let q = Question::new(facts, effect, &subject);
        let absent = q.ask(ABSENT);
        let looked = absent.tri != Tri::No && absent.pro.lookup();
        let swept = whatever || subject.is_swept();
        if !swept && !looked {
            return None;
        }
        let present = q.ask(PRESENT);
        let asked = looked && present.tri != Tri::Yes;
        // Of reads that an act made on its way nobody asks what they know of the target.
        let asked = asked && !absent.pro.lookups.iter().all(|l| facts.read_by_an_act(l.reference, effect.call));
        let either = asked && either::gone_either_way(facts, effect, &absent.pro.lookups);
        let decided = asked && !either && q.decides(ABSENT, PRESENT);
        if !swept && !decided {
            return None;
        }
        let [newborn, foreign] = [NEWBORN, FOREIGN].map(|w| q.ask(w));
        let fails = whatever || present.tri != Tri::Yes && (effect.kind != EffectKind::Terminate || decided);
        let failing = if fails && closely && !either { failure::failing(&q, &subject, &absent) } else { None };
        // Having been found does not hold the call back for sure: whatever else is asked may.
        let seems = decided || asked && failing.is_some() && q.seems_to_decide(ABSENT, PRESENT);
        let open = seems && present.tri == Tri::Maybe && q.ask(KNOWN).tri != Tri::No;
        let beside = if decided && foreign.tri == Tri::No { Beside::of(&q, &absent) } else { Beside::default() };
        let mut sweep = Sweep {
            facts,
            effect,
            subject,
            present,
            absent,
            newborn,
            foreign,
            beside,
            failing,
            second_look: None,
            decided,
            open,
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

    /// A newborn is reached by an observed record's absence, and nothing asks how old it is.
    fn reaches_newborn(&self) -> bool {
        self.newborn_reached() && self.absent.pro.observed() && !self.age_is_opaque()
    }

    /// A field is set of an object that is written out here, or of something that this process keeps by what it keeps
    /// besides: no record is absent anywhere.
    ///
    /// ```text
    /// let node = self.nodes.entry(id).or_insert_with(|| Node::new(id)); if turn > node.turn { node.state = State::Dead }
    /// ```
    fn moves_own_state(&self) -> bool {
        let facts = self.facts;
        let assigned = facts.arena.call_of(self.effect.call).is_none() && self.effect.kind == EffectKind::Terminate;
        let new = matches!(facts.arena.get(self.effect.target), Expr::Record(_));
        let kept = !self.lookups().is_empty() && self.lookups().iter().all(|l| l.kept);
        assigned && (new || kept && self.subject.read(facts).is_none())
    }

    fn judge(&mut self) {
        if self.moves_own_state() {
            return;
        }
        let (a, n, f) = (self.absence_permits(), self.newborn_reached(), self.foreign_reached());
        let observed = self.absent.pro.observed();
        let sought = self.lookups().iter().any(|l| self.looks_for_workload(l));
        let record = self.effect.kind != EffectKind::Terminate || a && sought;
        // Where the record decides, or the failure alone does.
        let decides = a || self.present.tri == Tri::No || self.failing.as_ref().is_some_and(|f| f.1.tri == Tri::Yes);
        let can_fail = self.failing.is_some() && self.present.tri != Tri::Yes && record && decides;
        let mut found = vec![];
        let mut add = |v, holds: bool| {
            if holds {
                found.push(v);
            }
        };
        if self.effect.kind == EffectKind::Terminate {
            add(Verdict::Terminated, a && n && sought);
        } else {
            let grace = n && !self.effect.atomic;
            add(
                Verdict::Absence,
                a && (self.reaches_newborn() || f || self.beside.around_owner || self.beside.narrower),
            );
            add(Verdict::Grace, grace && (a && observed || !a && self.age_guard().is_some()));
            add(
                Verdict::Unscoped,
                (f || self.beside.narrower) && (a || !self.in_one_bucket() && !self.listed_by_mark()),
            );
            let others = f || self.beside.narrower || self.beside.around_owner;
            add(Verdict::SharedLabel, others && self.shared_mark().is_some());
            add(Verdict::ReadFirst, grace && a && !self.early_reads().is_empty());
            add(Verdict::Precondition, self.precondition_missing());
        }
        add(Verdict::ErrorAsEmpty, can_fail);
        let live = self.second_look.is_some();
        let old = !self.stale().is_empty() && !self.settled_live();
        add(Verdict::Stale, a && !live && (old || self.kept_candidates().is_some()));
        add(Verdict::Partial, a && self.partial_read().is_some());
        self.verdicts = found;
    }

    /// What a verdict rests on, besides the candidates: reads where they are known, else the tests.
    pub fn rests_on(&self, v: Verdict) -> Vec<ExprId> {
        match v {
            Verdict::Absence | Verdict::Terminated => self.references(),
            Verdict::Grace if self.absence_permits() => self.references(),
            Verdict::Grace => self.age_guard().into_iter().collect(),
            Verdict::Unscoped | Verdict::SharedLabel => self.candidates().into_iter().collect(),
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

    /// A handle of an object store is made for one bucket, and so for one place that was configured. Only who looks things
    /// up that others keep in it as well is limited.
    fn in_one_bucket(&self) -> bool {
        let row = self.subject.read(self.facts).and_then(|r| self.facts.row(r));
        row.is_some_and(|r| r.shared && is_file(r) && r.language == Language::Rust)
    }

    /// Without a lookup: the age guard that a newborn gets through, because it is inverted or fails open.
    pub fn age_guard(&self) -> Option<ExprId> {
        if self.absent.pro.lookup() || !self.subject.is_swept() || self.newborn.tri == Tri::No {
            return None;
        }
        let birth = |e: ExprId| self.tells_birth(e);
        // Of two of the candidates the elder is the first, not the old one; and what came before something else is no older
        // for that.
        let order = |x: ExprId| match *self.facts.arena.get(x) {
            Expr::Binary(Bin::Lt, l, r) if birth(l) => !birth(r) && !self.tells_when(r),
            Expr::Binary(Bin::Lt, l, r) => birth(r) && !self.tells_when(l),
            _ => false,
        };
        let compared = self.facts.arena.mentions(self.effect.when, &mut |x| order(x));
        let guards = self.newborn.pro.exprs.iter().copied();
        guards.filter(|_| compared).find(|e| asks_age(self.facts.arena, *e, &order, &birth))
    }

    /// Is it when something else came about: a time that another thing bears?
    fn tells_when(&self, e: ExprId) -> bool {
        let facts = self.facts;
        let timed = |f: Sym| matches!(facts.vocab.field(f), Some(FieldRole::Birth | FieldRole::Mark | FieldRole::End));
        facts.field(e).is_some_and(|(base, f)| timed(f) || self.tells_when(base))
    }

    /// Is it one of several things that the subject bears: a condition of its status? That says when it came to be so.
    fn is_part(&self, e: ExprId) -> bool {
        match *self.facts.arena.get(e) {
            Expr::Field(x, _) => self.is_part(x),
            Expr::Choose(_, t, f) => self.is_part(t) || self.is_part(f),
            Expr::Elem(_) => !self.subject.is_element(e),
            _ => false,
        }
    }

    /// Does a value rest on when the subject was made? How long a list of such times is does not.
    fn tells_birth(&self, e: ExprId) -> bool {
        let facts = self.facts;
        let own = |x: ExprId| self.subject.holds(facts, x) && !self.is_part(x) || self.subject.asks_itself(facts, x);
        // A value may be made of another in very many ways: each is looked at once.
        let (mut todo, mut seen) = (vec![e], FxHashSet::default());
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            if let Some((base, f)) = facts.field(e) {
                if own(base) && facts.vocab.field(f) == Some(FieldRole::Birth) {
                    return true;
                }
                todo.push(base);
                continue;
            }
            match facts.arena.get(e) {
                Expr::Call(c) => {
                    let told = matches!(facts.role(e), Some(Role::Birth | Role::Age));
                    let from = todo.len();
                    todo.extend(c.args.iter().map(|x| x.value).chain(facts.receiver(e)));
                    if told && todo[from..].iter().any(|x| own(*x)) {
                        return true;
                    }
                }
                Expr::Unary(_, x) | Expr::Field(x, _) | Expr::One(x) => todo.push(*x),
                Expr::Binary(_, l, r) | Expr::Lookup(l, r) | Expr::Choose(_, l, r) => todo.extend([*l, *r]),
                _ => {}
            }
        }
        false
    }

    /// Lookups in something kept from an earlier pass, remembered from an earlier call, or served from a cache.
    pub fn stale(&self) -> Vec<Look> {
        let old = |l: &&Look| l.kept || l.cached || self.facts.row(l.reference).is_some_and(|r| r.stale);
        self.lookups().iter().filter(old).copied().collect()
    }

    /// The caches were waited for, or what is asked besides is asked at the source, by a key.
    ///
    /// ```text
    /// if !lister.has(name) && is_not_found(client.get(name)) { delete(name) }
    /// ```
    fn settled_live(&self) -> bool {
        let facts = self.facts;
        let row = |e: ExprId| facts.arena.call_of(e).and_then(|_| facts.row(e));
        let waited = facts.arena.mentions(self.effect.when, &mut |e| row(e).is_some_and(|r| r.role == Role::Sync));
        let old = self.stale();
        let live = |l: &&Look| {
            let asked = facts.is_find(l.reference) && !old.iter().any(|o| o.reference == l.reference);
            asked && row(l.reference).is_some_and(|r| !r.guess)
        };
        let alone = |part: ExprId, own: ExprId| {
            let speaks = |of: ExprId| facts.arena.mentions(part, &mut |x| x == of);
            speaks(own) && !old.iter().any(|o| speaks(o.reference))
        };
        let parts = facts.arena.parts(self.effect.when, Bin::And);
        waited || self.lookups().iter().filter(live).any(|l| parts.iter().any(|p| alone(*p, l.reference)))
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
        // A list of what there is, or of what this process made, is no verdict: what was found unused is called so, or
        // waits in a queue that is emptied here.
        let verdict = self.facts.vocab.speaks_of(Topic::Unused, &f);
        let history = self.facts.summary.fields.get(&(x, f));
        let kept = matches!(history, Some(FieldHistory::Kept | FieldHistory::Registry));
        let mut own = self.facts.summary.writes.iter().filter(|w| (w.0, w.1) == (x, f));
        let is_empty = |e: ExprId| matches!(self.facts.arena.get(e), Expr::Lit(Lit::Empty));
        let emptied = own.any(|w| match *self.facts.arena.get(w.2) {
            Expr::Choose(_, t, f) => is_empty(t) || is_empty(f),
            _ => is_empty(w.2),
        });
        let anew = || self.lookups().iter().any(|l| self.asks_anew(x, f, l.reference));
        ((emptied || verdict && (written || kept)) && !anew()).then_some(coll)
    }

    /// Is it read where that was found which is kept in a field?
    fn asks_anew(&self, base: ExprId, kept: Sym, reference: ExprId) -> bool {
        let facts = self.facts;
        let from = |f: Sym| facts.summary.fed.contains(&(kept, f));
        facts
            .arena
            .mentions(reference, &mut |e| matches!(*facts.arena.get(e), Expr::Field(x, f) if x == base && from(f)))
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

    /// An unresolved call about the target speaks of age, or is given a duration: age is asked, and not understood.
    fn age_is_opaque(&self) -> bool {
        let facts = self.facts;
        self.newborn.pro.opaque.iter().any(|e| {
            let duration =
                facts.arena.call_of(*e).is_some_and(|c| c.args.iter().any(|x| facts.role(x.value) == Some(Role::Span)));
            duration || facts.called(*e).is_some_and(|n| facts.vocab.speaks_of_age(&n))
        })
    }
}

/// What is reached of others' things in the same space.
#[derive(Clone, Copy, Default)]
struct Beside {
    /// Whoever is asked for by the owner's specification, there is a way around the question.
    around_owner: bool,
    /// The references are listed for one owner, the candidates for all.
    narrower: bool,
}

impl Beside {
    fn of(q: &Question, absent: &Answer) -> Self {
        let looks = &absent.pro.lookups;
        let wish = looks.iter().all(|l| l.desired) && q.asks_owner();
        let narrower = looks.iter().any(|l| q.is_for_one_owner(l.reference));
        if !wish && !narrower || q.ask(BESIDE).tri == Tri::No {
            return Beside::default();
        }
        Beside { around_owner: wish, narrower }
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

fn keyed(facts: &Facts, subject: &Subject, r: ExprId) -> bool {
    if subject.asks_itself(facts, r) {
        return false;
    }
    let Some(call) = facts.arena.call_of(r) else { return false };
    call.args.iter().any(|x| subject.holds(facts, x.value))
        || facts.receiver(r).is_some_and(|x| subject.holds(facts, x))
}
