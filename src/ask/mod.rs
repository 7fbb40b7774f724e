//! The questions: what the condition of a destructive call comes to in a given world.
//!
//! ```text
//! for d in api.list_deployment():          delete(e0.name) is reached when
//!     row = db.get(d.labels.lab)             not present(F) or not (F.status == "active")      F = db.get(e0.labels.lab)
//!     if row is None or row.status != "active":
//!         api.delete(d.name)               absent: F is not there, so present(F) is No, so the call is reached: Yes
//! ```
//!
//! **One subject.** What is deleted descends from one element, its *subject*; everything is judged about that one thing.
//! Where a list is listed for each element of another, both are it:
//! ```text
//! for ns in api.list_namespace():
//!     for pod in api.list_pod(ns.name):    subject of delete(pod): the pod, and the namespace it is in
//! ```
//!
//! **One bit for a collection**: does it hold the subject? Its own list does. A filter does if its source does and the
//! filter lets it through, a union if either does. Any other collection computed at run time is *what we know*, and its
//! bit is what the world says. So is a lookup by something of the subject, a listing keyed by it, and a search for an
//! element that equals it in something:
//! ```text
//! present(used[e0.name])     db.get(e0.id)     sg.ports(e0.id)     any r in rows | r.key == e0.name
//! ```
//! A list of literals or a constant is never what we know, for it cannot lack a record.
//!
//! **Three values, two sides.** An answer is Yes, No or Maybe, with what speaks for it (`pro`) and against it (`con`);
//! `not` swaps the sides. In `present(row) or force` the row never speaks for the delete, however it is answered.
//!
//! **Time is an order**, not numbers: `cutoff < newborn < now < later`, `tiny < grace`, so `now - created < min_age` is Yes
//! for a newborn whatever `min_age` is ([`clock`]).
//!
//! **Polarity.** A test that only ever lets the call through chooses candidates: that it found nothing says nothing.
//! ```text
//! if ns not in watched: continue           absent: open          foreign: No (found in ours is owned)
//! if name in used: continue                absent: decides
//! ```
//!
//! **Alive.** In every world the subject is alive: no final state, no deletion mark, not expired. Evidence that it is
//! finished therefore answers every question with No, and no rule needs to know of it.
//!
//! **Opaque guards pass.** What is not understood is Maybe, and never protects; an unknown call that is given the subject
//! is noted in the evidence ([`Evidence::opaque`]).
//!
//! Nothing here reports, and nothing here knows a library: what a call or a field is stands in its row.

mod beside;
mod clock;
mod holds;
mod identity;
mod kinds;
mod owner;
mod pairs;
mod passes;
mod polarity;
mod scope;
mod subject;
mod suppose;
mod truth;
mod world;

use crate::facts::{Effect, Summary};
use crate::ir::*;
use crate::vocab::{Role, Row, Vocab};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
pub use subject::{Asked, Subject, base_read, feeds, is_file, same_but_sites};
use suppose::{Bits, Supposed};
use truth::Of;
pub use world::*;

/// What a question may look at.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// Owns the expressions; that of the summary.
    pub arena: &'a Arena,
    /// What calls and fields are.
    pub vocab: &'a Vocab,
    /// What the walk left.
    pub summary: &'a Summary,
}

impl<'a> Facts<'a> {
    /// The facts of a summary.
    pub fn new(summary: &'a Summary, vocab: &'a Vocab) -> Self {
        Facts { arena: &summary.arena, vocab, summary }
    }
    /// The vocabulary row of a call.
    pub fn row(&self, e: ExprId) -> Option<&'a Row> {
        let call = self.arena.call_of(e)?;
        self.arena.site(call.site).row.map(|m| self.vocab.row(m.row))
    }
    /// What a call does, where that is known.
    pub fn role(&self, e: ExprId) -> Option<Role> {
        self.row(e).map(|r| r.role)
    }
    /// Does it read a collection?
    pub fn is_list(&self, e: ExprId) -> bool {
        matches!(self.role(e), Some(Role::List | Role::Query | Role::Execute))
    }
    /// Does it read one thing by a key?
    pub fn is_find(&self, e: ExprId) -> bool {
        matches!(self.role(e), Some(Role::Find | Role::First | Role::Exists))
    }
    /// Is it one of the summary's reads: a known one, or a call nothing is known of?
    pub fn is_read(&self, e: ExprId) -> bool {
        self.read_at(e).is_some()
    }
    /// Where in the order of reads it happens.
    pub fn read_at(&self, e: ExprId) -> Option<usize> {
        self.summary.reads.iter().position(|r| r.call == e)
    }
    /// The value before the last name of what is called, where it was written as a field of something.
    pub fn receiver(&self, e: ExprId) -> Option<ExprId> {
        match self.arena.get(self.arena.call_of(e)?.callee) {
            Expr::Field(x, _) => Some(*x),
            _ => None,
        }
    }
    /// What stands at the same place in another listing goes with its thing: `keys[i]` of `values[i]`.
    pub fn is_beside(&self, c: ExprId, k: ExprId) -> bool {
        // `keys, cursor, err := db.Scan(..)`
        let list = match *self.arena.get(c) {
            Expr::Field(call, f) if f == "0" => call,
            _ => c,
        };
        matches!(self.arena.get(k), Expr::Field(_, f) if f == "#index") && self.is_list(list)
    }
    /// Through how many calls of helpers the walk came to an expression.
    pub fn helpers_above(&self, e: ExprId) -> usize {
        std::iter::successors(self.arena.via(e), |s| self.arena.site(*s).via).take(64).count()
    }
    /// Was it read in the course of an act that the other call is no part of: while something was saved, sent, started?
    /// How that ended is the act's affair.
    pub fn read_by_an_act(&self, read: ExprId, other: ExprId) -> bool {
        let chain = |e: ExprId| {
            let site = self.arena.call_of(e).map(|c| c.site);
            std::iter::successors(site, |s: &SiteId| self.arena.site(*s).via).skip(1).take(64)
        };
        chain(read).any(|s| {
            let site = self.arena.site(s);
            site.acts && !chain(other).any(|o| self.arena.site(o).name == site.name)
        })
    }
    /// A call nothing is known of but that its name changes or sends something. It may be asked for what it gives; that it
    /// failed, or not, says how the act ended and nothing of what there is.
    pub fn is_act(&self, e: ExprId) -> bool {
        self.row(e).is_none() && self.called(e).is_some_and(|n| self.vocab.acts(&n))
    }
    /// The name that is called.
    pub fn called(&self, e: ExprId) -> Option<Sym> {
        match self.arena.get(self.arena.call_of(e)?.callee) {
            Expr::Field(_, f) => Some(*f),
            Expr::Path(p) => Some(p.as_str().rsplit_once('.').map_or(*p, |(_, last)| sym(last))),
            _ => None,
        }
    }
    /// A field of something, also where it is read by a method without arguments: `d.created_at`, `d.created_at()`.
    pub fn field(&self, e: ExprId) -> Option<(ExprId, Sym)> {
        match self.arena.get(e) {
            Expr::Field(x, f) => Some((*x, *f)),
            Expr::Call(c) if c.args.is_empty() && self.role(e).is_none_or(|r| r == Role::Pure) => {
                match self.arena.get(c.callee) {
                    Expr::Field(x, f) => Some((*x, *f)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// Three values, ordered so that `and` is the smaller one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Tri {
    /// Never.
    No,
    /// Open.
    Maybe,
    /// Always.
    Yes,
}
use Tri::*;

impl std::ops::Not for Tri {
    type Output = Tri;
    fn not(self) -> Tri {
        match self {
            No => Yes,
            Maybe => Maybe,
            Yes => No,
        }
    }
}

/// A reference that was asked about the subject.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Look {
    /// The test: `present(used[e0.name])`'s lookup, the call of a find, the equality of a search loop.
    pub at: ExprId,
    /// What it looks into: the call that read it where there is one, else the parameter, field or global.
    pub reference: ExprId,
    /// What the owner wants, as opposed to what others write.
    pub desired: bool,
    /// Left by an earlier pass.
    pub kept: bool,
    /// Remembered from an earlier call.
    pub cached: bool,
    /// Read with the scope of the candidates: it would know a stranger's thing as well.
    pub strangers: bool,
}

/// Why an answer is what it is.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Everything it rests on.
    pub exprs: Vec<ExprId>,
    /// The references asked.
    pub lookups: Vec<Look>,
    /// Unknown calls that are given the subject.
    pub opaque: Vec<ExprId>,
    /// The read that was supposed to fail.
    pub failed: bool,
    /// A comparison with the subject's age.
    pub age: bool,
}

/// Evidence is for people and for a few yes-or-no questions; more pieces than this help neither.
const PIECES: usize = 48;

/// As many pieces as most evidence comes to: it is put together one by one.
const ROOM: usize = 16;

impl Evidence {
    fn of(e: ExprId) -> Self {
        Evidence { exprs: vec![e], ..Default::default() }
    }
    /// Some reference was asked.
    pub fn lookup(&self) -> bool {
        !self.lookups.is_empty()
    }
    /// A reference that others write was asked.
    pub fn observed(&self) -> bool {
        self.lookups.iter().any(|l| !l.desired)
    }
    /// Something kept from an earlier pass or remembered from an earlier call was asked.
    pub fn stale(&self) -> bool {
        self.lookups.iter().any(|l| l.kept || l.cached)
    }
    fn is_empty(&self) -> bool {
        self.exprs.is_empty() && self.lookups.is_empty() && self.opaque.is_empty() && !self.failed && !self.age
    }
    /// Would joining the other add nothing?
    fn covers(&self, o: &Evidence) -> bool {
        fn all<T: PartialEq>(of: &[T], these: &[T]) -> bool {
            of.len() >= PIECES || these.iter().all(|x| holds(of, x))
        }
        (self.failed || !o.failed)
            && (self.age || !o.age)
            && all(&self.exprs, &o.exprs)
            && all(&self.lookups, &o.lookups)
            && all(&self.opaque, &o.opaque)
    }
    fn join(&mut self, o: &Evidence) {
        fn add<T: Copy + PartialEq>(to: &mut Vec<T>, more: &[T]) {
            for x in more {
                if to.len() < PIECES && !holds(to, x) {
                    to.push(*x);
                }
            }
        }
        add(&mut self.exprs, &o.exprs);
        add(&mut self.lookups, &o.lookups);
        add(&mut self.opaque, &o.opaque);
        self.failed |= o.failed;
        self.age |= o.age;
    }
}

/// Is it among these? Several are compared at once: there are few, and it is asked all the time.
fn holds<T: PartialEq>(these: &[T], x: &T) -> bool {
    these.chunks(16).any(|some| some.iter().fold(false, |found, y| found | (x == y)))
}

thread_local! {
    static NOTHING: Rc<Evidence> = Rc::default();
}

/// No evidence: one for all, for most answers have a side without any.
fn nothing() -> Rc<Evidence> {
    NOTHING.with(Rc::clone)
}

/// Both together, in place where nobody else holds the first: a conjunction is as long as the function.
fn join(mut a: Rc<Evidence>, b: &Rc<Evidence>) -> Rc<Evidence> {
    if a.is_empty() {
        b.clone()
    } else if b.is_empty() || Rc::ptr_eq(&a, b) {
        a
    } else if let Some(own) = Rc::get_mut(&mut a) {
        own.join(b);
        a
    } else if a.covers(b) {
        a
    } else {
        let mut both = Evidence { exprs: Vec::with_capacity(ROOM.max(a.exprs.len())), ..Evidence::default() };
        both.exprs.extend_from_slice(&a.exprs);
        both.lookups.extend_from_slice(&a.lookups);
        both.opaque.extend_from_slice(&a.opaque);
        (both.failed, both.age) = (a.failed, a.age);
        both.join(b);
        Rc::new(both)
    }
}

/// An answer with its reasons. No has nothing for it, Yes nothing against it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The value.
    pub tri: Tri,
    /// What speaks for it.
    pub pro: Rc<Evidence>,
    /// What speaks against it.
    pub con: Rc<Evidence>,
}

impl Answer {
    fn sure(tri: Tri) -> Self {
        Answer { tri, pro: nothing(), con: nothing() }
    }
    fn told(tri: Tri, ev: Evidence) -> Self {
        let ev = Rc::new(ev);
        match tri {
            Yes => Answer { tri, pro: ev, con: nothing() },
            No => Answer { tri, pro: nothing(), con: ev },
            Maybe => Answer { tri, pro: ev.clone(), con: ev },
        }
    }
    fn seen(tri: Tri, e: ExprId) -> Self {
        Answer::told(tri, Evidence::of(e))
    }
    fn not(self) -> Self {
        Answer { tri: !self.tri, pro: self.con, con: self.pro }
    }
    fn and(self, o: Answer) -> Self {
        let tri = self.tri.min(o.tri);
        // What is open on both sides for the same reasons stays so: the reasons are put together once.
        if Rc::ptr_eq(&self.pro, &self.con) && Rc::ptr_eq(&o.pro, &o.con) && self.tri != No && o.tri != No {
            drop(self.con);
            let both = join(self.pro, &o.pro);
            return Answer { tri, pro: both.clone(), con: both };
        }
        let pro = if tri == No { nothing() } else { join(self.pro, &o.pro) };
        let con = match (self.tri, o.tri) {
            (No, _) => self.con,
            (_, No) => o.con,
            _ => join(self.con, &o.con),
        };
        Answer { tri, pro, con }
    }
    fn or(self, o: Answer) -> Self {
        self.not().and(o.not()).not()
    }
    fn choose(c: Answer, t: Answer, f: Answer) -> Self {
        if t.tri == f.tri && t.tri != Maybe {
            // What the other arm rests on is not asked where this one is taken for sure, by no evidence.
            if c.tri != Maybe && c.pro.is_empty() && c.con.is_empty() {
                return if c.tri == Yes { t } else { f };
            }
            return Answer { tri: t.tri, pro: join(t.pro, &f.pro), con: join(t.con, &f.con) };
        }
        c.clone().and(t).or(c.not().and(f))
    }
    /// The other evidence on both sides, where there is any.
    fn mapped(self, f: impl Fn(&mut Evidence)) -> Self {
        let change = |e: &Rc<Evidence>| {
            if e.is_empty() {
                return e.clone();
            }
            let mut e = (**e).clone();
            f(&mut e);
            Rc::new(e)
        };
        Answer { tri: self.tri, pro: change(&self.pro), con: change(&self.con) }
    }
    /// Open, and by nothing but this expression itself: an atom that could be known.
    fn is_atom(&self, e: ExprId) -> bool {
        let bare = |ev: &Evidence| ev.exprs == [e] && !ev.lookup() && !ev.failed;
        self.tri == Maybe && bare(&self.pro) && bare(&self.con)
    }
}

/// Answers, by what is asked and the values of the unknowns it rests on.
type Known<K, A> = RefCell<FxHashMap<(K, Bits), A>>;

/// One question about one effect.
struct Ask<'a> {
    f: Facts<'a>,
    a: &'a Arena,
    world: World,
    subject: &'a Subject,
    /// Tests that only ever let the call through.
    choosing: &'a FxHashSet<ExprId>,
    /// Calls of which more is asked than whether they failed.
    value_used: &'a FxHashSet<ExprId>,
    /// Unknowns supposed to be known.
    supposing: Supposed,
    /// Conditions of the read that is supposed to fail: they hold.
    made: FxHashMap<ExprId, Tri>,
    /// Whether values descend from an age or a mark, in any world.
    aged: &'a RefCell<FxHashMap<ExprId, bool>>,
    /// Whether values of the subject may name an owner.
    ownerlike: &'a RefCell<FxHashMap<ExprId, bool>>,
    /// Numbers of which one more is written back.
    counted: &'a OnceCell<FxHashSet<ExprId>>,
    /// Whether the candidates belong to one thing in hand.
    of_one: &'a OnceCell<bool>,
    /// What they belong to.
    owners: &'a OnceCell<Vec<ExprId>>,
    /// Those whose names or ids they bear as labels.
    labelling: &'a OnceCell<Vec<ExprId>>,
    /// Whether what a list gives was applied a moment ago.
    applied: &'a RefCell<FxHashMap<(BinderId, ExprId), bool>>,
    truths: Known<ExprId, Answer>,
    held: Known<(ExprId, ExprId), Answer>,
    draws: Known<(ExprId, bool), Answer>,
    absences: Known<ExprId, Option<Answer>>,
    empties: Known<ExprId, Answer>,
    choices: Known<(ExprId, Of), Answer>,
    /// What the age of the subject is compared with.
    limits: OnceCell<FxHashSet<ExprId>>,
    depth: Cell<u32>,
    /// How many readings of clocks the one at hand may still be made of.
    readings: Cell<u32>,
}

/// Conditions nested deeper than this are opaque.
const DEEP: u32 = 400;

/// At most so many unknowns that occur twice are tried with both values.
const SPLIT: usize = 5;

/// What the condition of an effect comes to. Nothing where what it destroys descends from nothing that was listed,
/// looked up or given: there is no subject to suppose anything about.
pub fn ask(facts: &Facts, effect: &Effect, world: World) -> Option<Answer> {
    let subject = Subject::of(facts, effect)?;
    Some(Question::new(facts, effect, &subject).ask(world))
}

/// The questions about one effect; what does not depend on the world is found out once.
pub struct Question<'a> {
    facts: &'a Facts<'a>,
    effect: &'a Effect,
    subject: &'a Subject,
    choosing: FxHashSet<ExprId>,
    value_used: FxHashSet<ExprId>,
    twice: FxHashSet<ExprId>,
    chooses: FxHashSet<ExprId>,
    aged: RefCell<FxHashMap<ExprId, bool>>,
    ownerlike: RefCell<FxHashMap<ExprId, bool>>,
    counted: OnceCell<FxHashSet<ExprId>>,
    of_one: OnceCell<bool>,
    owners: OnceCell<Vec<ExprId>>,
    labelling: OnceCell<Vec<ExprId>>,
    applied: RefCell<FxHashMap<(BinderId, ExprId), bool>>,
}

/// A property of values, found out once for each: they share their parts.
fn once(known: &RefCell<FxHashMap<ExprId, bool>>, e: ExprId, find: impl FnOnce() -> bool) -> bool {
    if let Some(known) = known.borrow().get(&e) {
        return *known;
    }
    let found = find();
    known.borrow_mut().insert(e, found);
    found
}

impl<'a> Question<'a> {
    /// The questions about an effect whose subject is known.
    pub fn new(facts: &'a Facts<'a>, effect: &'a Effect, subject: &'a Subject) -> Self {
        // A list that was not taken apart, a slice of a filtered list: its filters stand in the collection.
        let mut conditions = vec![effect.when];
        conditions.extend(subject.collections());
        let choosing = polarity::choosing(facts.arena, &conditions);
        let twice = polarity::twice(facts.arena, &conditions);
        let value_used = polarity::value_used(facts.arena, &conditions);
        let chooses = polarity::chooses(facts.arena, &conditions);
        let (aged, ownerlike) = (RefCell::default(), RefCell::default());
        Question {
            facts,
            effect,
            subject,
            choosing,
            value_used,
            twice,
            chooses,
            aged,
            ownerlike,
            counted: OnceCell::new(),
            of_one: OnceCell::new(),
            owners: OnceCell::new(),
            labelling: OnceCell::new(),
            applied: RefCell::default(),
        }
    }

    /// The call that is asked about.
    pub fn effect(&self) -> &'a Effect {
        self.effect
    }
    /// What is asked about.
    pub fn facts(&self) -> &'a Facts<'a> {
        self.facts
    }

    /// Does a condition rest on what a call gives, not only on whether it fails?
    pub fn looks_into(&self, call: ExprId) -> bool {
        self.value_used.contains(&call)
    }

    fn asking(&self, world: World) -> Ask<'_> {
        Ask {
            made: self.made_under(world),
            f: *self.facts,
            a: self.facts.arena,
            world,
            subject: self.subject,
            choosing: &self.choosing,
            value_used: &self.value_used,
            supposing: Supposed::default(),
            aged: &self.aged,
            ownerlike: &self.ownerlike,
            counted: &self.counted,
            of_one: &self.of_one,
            owners: &self.owners,
            labelling: &self.labelling,
            applied: &self.applied,
            truths: RefCell::default(),
            held: RefCell::default(),
            draws: RefCell::default(),
            absences: RefCell::default(),
            empties: RefCell::default(),
            choices: RefCell::default(),
            limits: OnceCell::new(),
            depth: Cell::new(0),
            readings: Cell::new(0),
        }
    }

    fn run(&self, q: &Ask) -> Answer {
        let listed = q.listed_subject();
        // Never: no reason to ask on, unless for what else is unknown.
        let settled = listed.tri == No && q.supposing.any();
        if settled { listed } else { listed.and(q.truth(self.effect.when)) }
    }

    /// The answer in a world. `x` and `not x` in one condition are three-valued noise (Maybe and Maybe): unknowns that
    /// occur more than once are tried with both values.
    pub fn ask(&self, world: World) -> Answer {
        let mut q = self.asking(world);
        let listed = q.listed_subject();
        if listed.tri == No {
            return listed; // never, whatever else is asked
        }
        let r = self.run(&q);
        let open = self.split(q.unknowns());
        if r.tri != Maybe || open.is_empty() {
            return r;
        }
        let none = nothing();
        let (mut all, mut pro, mut con): (Option<Tri>, _, _) = (None, none.clone(), none.clone());
        q.suppose(&open);
        for values in Supposed::all(&open) {
            q.supposing.set(values);
            let one = self.run(&q);
            pro = join(pro, &one.pro);
            con = join(con, &one.con);
            all = Some(match all {
                None => one.tri,
                Some(t) if t == one.tri => t,
                _ => Maybe,
            });
        }
        match all {
            Some(No) => Answer { tri: No, pro: none, con: r.con },
            Some(Yes) => Answer { tri: Yes, pro, con: none },
            _ => Answer { tri: Maybe, pro, con },
        }
    }

    /// The unknowns to be tried with both values.
    fn split(&self, mut open: Vec<ExprId>) -> Vec<ExprId> {
        open.retain(|x| self.twice.contains(x));
        if open.len() > SPLIT {
            // What decides which value was taken says which of the reads was made at all; what is asked of the subject
            // itself, how it is looked for.
            open.sort_by_key(|x| (!self.chooses.contains(x), !self.subject.holds(self.facts, *x), *x));
        }
        open.truncate(SPLIT);
        open
    }

    /// Settled answers asked again with each unknown made known: how many were asked, how many flipped. None may.
    pub fn monotone(&self, world: World) -> (u32, u32) {
        let mut q = self.asking(world);
        let base = self.run(&q);
        if base.tri == Maybe {
            return (0, 0);
        }
        let (mut asked, mut flipped) = (0, 0);
        for x in q.unknowns() {
            q = self.asking(world);
            q.suppose(&[x]);
            for values in Supposed::all(&[x]) {
                asked += 1;
                q.supposing.set(values);
                flipped += (self.run(&q).tri != base.tri) as u32;
            }
        }
        (asked, flipped)
    }
}

impl Ask<'_> {
    /// What is open for no reason but itself.
    fn unknowns(&self) -> Vec<ExprId> {
        let truths = self.truths.borrow();
        // Where one read fails, whether another lookup finds the subject is open, and the same wherever it is asked.
        let other = |r: &Answer| {
            self.world.failed.is_some() && r.tri == Maybe && r.pro.lookup() && !r.pro.failed && !r.con.failed
        };
        let atom = |e: ExprId, r: &Answer| r.is_atom(e) || other(r) && r.pro.exprs == [e] && r.con.exprs == [e];
        let mut open: Vec<_> = truths.iter().filter(|((e, _), r)| atom(*e, r)).map(|((e, _), _)| *e).collect();
        open.sort();
        open
    }

    /// Supposes values for some unknowns. What rests on none of them stays answered.
    fn suppose(&mut self, open: &[ExprId]) {
        self.supposing = Supposed::new(self, open);
        let same = |e: ExprId| !self.supposing.changes(e);
        self.truths.get_mut().retain(|(e, _), _| same(*e));
        self.held.get_mut().retain(|((coll, at), _), _| same(*coll) && same(*at));
        self.draws.get_mut().retain(|((e, _), _), _| same(*e));
        self.absences.get_mut().retain(|(e, _), _| same(*e));
        self.empties.get_mut().retain(|(e, _), _| same(*e));
        self.choices.get_mut().retain(|((e, _), _), _| same(*e));
    }

    /// Runs a part of a question unless it is nested too deep.
    fn deeper(&self, e: ExprId, f: impl FnOnce() -> Answer) -> Answer {
        if self.depth.get() > DEEP {
            return Answer::seen(Maybe, e);
        }
        self.depth.set(self.depth.get() + 1);
        let r = f();
        self.depth.set(self.depth.get() - 1);
        r
    }

    /// Open, with the unknown calls in it that are given the subject.
    fn opaque(&self, e: ExprId) -> Answer {
        Answer::told(Maybe, Evidence { opaque: self.unknown_calls(e), ..Evidence::of(e) })
    }

    /// An unknown supposed to be known: an unknown call stays one.
    fn supposed(&self, tri: Tri, e: ExprId) -> Answer {
        Answer::told(tri, Evidence { opaque: self.unknown_calls(e), ..Evidence::of(e) })
    }

    /// The unknown calls that a condition comes down to, where they are given the subject: `should_skip(d)`, also as
    /// one side of a comparison.
    fn unknown_calls(&self, e: ExprId) -> Vec<ExprId> {
        let (mut calls, mut todo, mut compared) = (vec![], vec![e], FxHashSet::default());
        while let Some(e) = todo.pop() {
            match *self.a.get(e) {
                Expr::Unary(_, x) => todo.push(x),
                Expr::Binary(Bin::Eq | Bin::Lt, l, r) if compared.insert(e) => todo.extend([r, l]),
                Expr::Call(_) if self.is_unknown_about_subject(e) => calls.push(e),
                _ => {}
            }
        }
        calls
    }

    fn is_unknown_about_subject(&self, e: ExprId) -> bool {
        let unknown = self.f.row(e).is_none() && !self.f.called(e).is_none_or(|n| n.starts_with('%'));
        unknown && self.given_subject(e)
    }

    fn fails(&self, e: ExprId) -> bool {
        self.world.failed == Some(e)
    }
}
