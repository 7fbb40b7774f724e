//! Conditions: what a test comes to.
//!
//! ```text
//! present(F)             F = db.get(e0.id)      what the world says of F
//! notfound(F), raised(F) where F fails with "not found" when there is none: the same
//! F.status == "active"   absent: No, for what is taken from nothing is nothing; present: open
//! raised(failed)         Yes: a failure is a value; raised of a list, a text, a record: No
//! e0.phase == "Failed"   No: the subject is alive
//! ```

use super::*;
use crate::vocab::{Absence, FieldRole};

/// What is asked of a choice of values.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Of {
    Present,
    NotFound,
    Raised,
}

impl Ask<'_> {
    /// Choices share their arms: what is asked of one is asked once.
    fn once_of(&self, e: ExprId, of: Of, ask: impl FnOnce() -> Answer) -> Answer {
        let key = ((e, of), self.supposing.of(e));
        if let Some(r) = self.choices.borrow().get(&key) {
            return r.clone();
        }
        let r = ask();
        self.choices.borrow_mut().insert(key, r.clone());
        r
    }

    pub(super) fn truth(&self, e: ExprId) -> Answer {
        let key = (e, self.supposing.of(e));
        if let Some(r) = self.truths.borrow().get(&key) {
            return r.clone();
        }
        let made = self.made.get(&e);
        let r = match self.supposing.get(e) {
            Some(t) => self.supposed(*made.unwrap_or(&t), e),
            None => self.deeper(e, || self.truth_of(e)),
        };
        // Open as far as the worlds go, and settled by the read having been made at all.
        let r = match made {
            Some(t) if r.tri == Maybe && !r.pro.lookup() && !r.con.lookup() => Answer::seen(*t, e),
            _ => r,
        };
        self.truths.borrow_mut().insert(key, r.clone());
        r
    }

    fn truth_of(&self, e: ExprId) -> Answer {
        match self.a.get(e) {
            Expr::Lit(Lit::Bool(b)) => Answer::sure(if *b { Yes } else { No }),
            Expr::Lit(Lit::Nothing | Lit::Empty | Lit::Failed | Lit::Num(0)) => Answer::sure(No),
            Expr::Lit(Lit::Str(s)) if s.is_empty() => Answer::sure(No),
            Expr::Lit(_) => Answer::sure(Yes),
            Expr::Unary(Un::Not, x) => self.truth(*x).not(),
            Expr::Unary(Un::Present, x) => self.present_at(*x, e),
            Expr::Unary(Un::NotFound, x) => self.not_found(*x, e),
            Expr::Unary(Un::Raised, x) => self.raised(*x, e),
            Expr::Binary(Bin::And, ..) => self.conjunction(e),
            Expr::Binary(Bin::Or, l, r) => self.truth(*l).or(self.truth(*r)),
            Expr::Binary(Bin::Eq, l, r) => self.equal(*l, *r, e),
            Expr::Binary(Bin::Lt, l, r) => self.less(*l, *r, e),
            Expr::Binary(Bin::Union | Bin::Minus, ..) | Expr::Gather { .. } | Expr::One(_) => self.nonempty(e),
            Expr::Choose(c, t, f) if f == c || self.a.is_falsy(*f) => self.truth(*c).and(self.truth(*t)),
            Expr::Choose(c, t, f) if t == c => self.truth(*c).or(self.truth(*f)),
            Expr::Choose(c, t, f) => Answer::choose(self.truth(*c), self.truth(*t), self.truth(*f)),
            Expr::Any(b, such) => self.any(*b, *such, e),
            Expr::Call(_) if self.asks_for_subject(e) => Answer::seen(No, e),
            Expr::Call(_) if self.prefix_identity(e) => self.owned(e),
            Expr::Call(_) if self.f.role(e) == Some(Role::Aged) && self.given_subject(e) => self.old_enough(e),
            Expr::Lookup(..) | Expr::Call(_) | Expr::Field(..) => self.present_at(e, e),
            Expr::Param(_) | Expr::Path(_) => self.limit_is_set(e).unwrap_or_else(|| self.opaque(e)),
            _ => self.opaque(e),
        }
    }

    /// Guards stand one after the other, so their conjunction is as long as the function.
    fn conjunction(&self, e: ExprId) -> Answer {
        let (mut parts, mut at) = (vec![], e);
        while let Expr::Binary(Bin::And, l, r) = *self.a.get(at) {
            parts.push(r);
            at = l;
        }
        parts.push(at);
        let mut all = self.truth(at);
        for part in parts.iter().rev().skip(1) {
            if all.tri == No && self.supposing.any() {
                break; // what else is unknown was found out before anything was supposed
            }
            all = all.and(self.truth(*part));
        }
        all
    }

    /// A test that only what is old enough passes.
    fn old_enough(&self, e: ExprId) -> Answer {
        let tri = if self.world.newborn { No } else { Maybe };
        Answer::told(tri, Evidence { age: true, ..Evidence::of(e) })
    }

    /// A test that only this installation's things pass.
    fn owned(&self, e: ExprId) -> Answer {
        if self.world.foreign { Answer::seen(No, e) } else { self.opaque(e) }
    }

    /// Something set only when a thing is over, of the subject or of the active row found about it.
    fn over_mark(&self, e: ExprId) -> bool {
        let Some((x, f)) = self.f.field(e) else { return false };
        self.f.vocab.field(f) == Some(FieldRole::End) && self.supposed_alive(x)
    }

    /// The subject, or the active row found about it. A failed read is its own fault also where the subject is over:
    /// what it would have said may be why the subject is still there.
    pub(super) fn supposed_alive(&self, x: ExprId) -> bool {
        self.world.failed.is_none() && self.of_subject(x) || self.known_row(x)
    }

    /// A row found about the subject: where it is found, it is an active one.
    pub(super) fn known_row(&self, e: ExprId) -> bool {
        self.world.found
            && match self.a.get(e) {
                Expr::Call(_) => self.keyed(e),
                Expr::Choose(_, t, f) => self.known_row(*t) || self.known_row(*f),
                Expr::Elem(b) => !self.of_subject(e) && !self.subject.owns(&self.f, self.a.coll(*b)),
                Expr::Lookup(c, k) => self.of_subject(*k) && !self.of_subject(*c) && !self.subject.owns(&self.f, *c),
                _ => false,
            }
    }

    fn present_at(&self, x: ExprId, at: ExprId) -> Answer {
        if let Some(t) = self.supposing.get(at).or_else(|| self.supposing.get(x)) {
            return self.supposed(t, at);
        }
        if let Some(set) = self.limit_is_set(x) {
            return set;
        }
        // Of two instants there always is a difference.
        if matches!(self.a.get(x), Expr::Binary(Bin::Sub, ..)) && self.tells_time(x) {
            return Answer::sure(Yes);
        }
        let r = self.present(x);
        // Open for no better reason than itself: the test is the unknown.
        if r.is_atom(x) && x != at { self.opaque(at) } else { r }
    }

    /// Is there something?
    pub(super) fn present(&self, e: ExprId) -> Answer {
        match self.a.get(e) {
            Expr::Lit(Lit::Nothing | Lit::Empty | Lit::Failed) => Answer::sure(No),
            Expr::Lit(_) | Expr::Elem(_) | Expr::Record(_) | Expr::Format(_) | Expr::Closure(_) => Answer::sure(Yes),
            Expr::Gather { .. } | Expr::Binary(Bin::Union | Bin::Minus, ..) | Expr::One(_) => self.nonempty(e),
            Expr::Choose(c, t, f) => {
                self.once_of(e, Of::Present, || Answer::choose(self.truth(*c), self.present(*t), self.present(*f)))
            }
            // A span between two instants: it is there.
            Expr::Binary(Bin::Sub, l, r) if self.is_now(*l) || self.is_now(*r) => Answer::sure(Yes),
            Expr::Unary(..) | Expr::Binary(..) | Expr::Any(..) => self.truth(e),
            Expr::Lookup(c, k) => self.entry(*c, *k, e),
            Expr::Call(_) if self.keyed(e) => {
                if self.fails(e) {
                    return self.failure(No, e, e);
                }
                self.looked(true, e, e)
            }
            _ if self.over_mark(e) || self.world.newborn && self.marked(e) => Answer::seen(No, e),
            Expr::Path(_) if self.is_dawn(e) => Answer::sure(No),
            Expr::Call(_) if self.f.is_list(e) => self.nonempty(e),
            // What it is looked up by is there.
            Expr::Field(x, f)
                if self.world.certain && self.of_subject(*x) && self.f.vocab.field(*f) == Some(FieldRole::Key) =>
            {
                Answer::sure(Yes)
            }
            Expr::Field(x, _) => self.absent(*x).unwrap_or_else(|| self.opaque(e)),
            _ => self.opaque(e),
        }
    }

    /// `present(c[k])`
    fn entry(&self, c: ExprId, k: ExprId, e: ExprId) -> Answer {
        if let Some(answer) = self.one_of_literals(c, k, e) {
            return answer;
        }
        if self.of_subject(k) && (self.subject.lists_itself(&self.f, c, k) || self.f.is_beside(c, k)) {
            return self.opaque(e);
        }
        if self.of_subject(k) && !self.of_subject(c) {
            return self.holds(c, e);
        }
        if self.world.newborn && self.of_subject(c) && self.names_mark(k) {
            return Answer::seen(No, e);
        }
        // `f"/{self.name}" in container.names`
        if !self.of_subject(k) && self.lists_names(c) && identity::given(&self.f, k) {
            return self.owned(e);
        }
        // What nothing is known of has no entries.
        self.absent(c).or_else(|| self.absent(k)).unwrap_or_else(|| self.opaque(e))
    }

    /// `k in ("Failed", "Succeeded")`: comparisons with each.
    fn one_of_literals(&self, c: ExprId, k: ExprId, e: ExprId) -> Option<Answer> {
        let mut items = vec![];
        let mut todo = vec![c];
        while let Some(x) = todo.pop() {
            match self.a.get(x) {
                Expr::Binary(Bin::Union, l, r) => todo.extend([*l, *r]),
                Expr::One(x) if identity::literal(self.a, *x) || self.word(*x).is_some_and(is_constant) => {
                    items.push(*x);
                }
                _ => return None,
            }
        }
        let each = items.into_iter().map(|x| self.equal(k, x, e));
        each.reduce(Answer::or)
    }

    fn names_mark(&self, k: ExprId) -> bool {
        self.a.as_str(k).is_some_and(|s| self.f.vocab.field(sym(s)) == Some(FieldRole::Mark))
    }

    /// The answer where the read that was supposed to fail is what is asked.
    pub(super) fn failure(&self, tri: Tri, at: ExprId, read: ExprId) -> Answer {
        let look = Look { at, reference: read, desired: false, kept: false, cached: false, strangers: false };
        Answer::told(tri, Evidence { failed: true, lookups: vec![look], ..Evidence::of(at) })
    }

    /// A lookup that found nothing, or failed: whatever is taken from it is not there either.
    pub(super) fn absent(&self, e: ExprId) -> Option<Answer> {
        let key = (e, self.supposing.of(e));
        if let Some(known) = self.absences.borrow().get(&key) {
            return known.clone();
        }
        if self.depth.get() > DEEP {
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let r = self.absence(e);
        self.depth.set(self.depth.get() - 1);
        self.absences.borrow_mut().insert(key, r.clone());
        r
    }

    fn absence(&self, e: ExprId) -> Option<Answer> {
        let decided = |r: Answer| (r.tri == No && (r.con.lookup() || r.con.failed)).then_some(r);
        match self.a.get(e) {
            // When the subject itself was made is no question about a record of it.
            Expr::Field(..) if self.birth(e) => None,
            Expr::Field(x, _) => self.absent(*x),
            Expr::Lookup(c, k) if self.f.is_beside(*c, *k) => None,
            Expr::Lookup(c, k) if self.of_subject(*k) && !self.of_subject(*c) => {
                self.absent(*c).or_else(|| decided(self.holds(*c, e)))
            }
            Expr::Lookup(x, _) => self.absent(*x),
            Expr::Gather { of, .. } => self.absent(self.a.coll(*of)),
            Expr::Elem(b) if !self.of_subject(e) => self.absent(self.a.coll(*b)),
            Expr::Call(_) if self.keyed(e) => decided(self.present(e)),
            Expr::Call(c) => {
                let plain = self.f.role(e).is_none_or(|r| matches!(r, Role::Pure | Role::Format));
                let given = c.args.iter().filter(|_| plain).find_map(|x| self.absent(x.value));
                given.or_else(|| self.f.receiver(e).and_then(|x| self.absent(x)))
            }
            Expr::Binary(Bin::Add | Bin::Sub, l, r) => self.absent(*l).or_else(|| self.absent(*r)),
            Expr::Choose(..) => decided(self.present(e)),
            _ => None,
        }
    }

    /// `except NotFound`
    fn not_found(&self, e: ExprId, at: ExprId) -> Answer {
        match self.a.get(e) {
            Expr::Lit(_) | Expr::Record(_) | Expr::Gather { .. } | Expr::Format(_) => Answer::sure(No),
            Expr::Choose(c, _, f)
                if matches!(self.a.get(*c), Expr::Any(..)) && matches!(self.a.get(*f), Expr::Lit(Lit::Failed)) =>
            {
                // That it could not be asked for says nothing of that.
                match self.sought_in(*c).filter(|read| self.fails(*read)) {
                    Some(_) => Answer::told(No, Evidence { failed: true, ..Evidence::of(e) }),
                    None => self.truth(*c).not(),
                }
            }
            Expr::Choose(c, t, f) => self.once_of(e, Of::NotFound, || {
                let t = self.handed_on(*c, *t).unwrap_or(*t);
                Answer::choose(self.truth(*c), self.not_found(t, t), self.not_found(*f, *f))
            }),
            Expr::Call(_) if self.fails(e) => Answer::told(No, Evidence { failed: true, ..Evidence::of(e) }),
            // Asked for as such, so it is an absence even where nothing is known of the call.
            Expr::Call(_) if self.keyed(e) || self.unknown_find(e) => self.looked(false, e, e),
            _ => self.opaque(at),
        }
    }

    /// What failed, where a failure is handed on for that: `x, err := get(key); if err != nil { return nil, err }`.
    fn handed_on(&self, c: ExprId, failed: ExprId) -> Option<ExprId> {
        if !matches!(self.a.get(failed), Expr::Lit(Lit::Failed)) {
            return None;
        }
        match *self.a.get(c) {
            Expr::Unary(Un::Raised, read) => Some(read),
            Expr::Binary(Bin::And, l, r) => self.handed_on(r, failed).or_else(|| self.handed_on(l, failed)),
            _ => None,
        }
    }

    /// Of `any e in READ . ..`: the read.
    fn sought_in(&self, c: ExprId) -> Option<ExprId> {
        let Expr::Any(b, _) = *self.a.get(c) else { return None };
        base_read(&self.f, self.a.coll(b))
    }

    /// `except Exception`, `err != nil`
    pub(super) fn raised(&self, e: ExprId, at: ExprId) -> Answer {
        match self.a.get(e) {
            // A listing with its selector.
            Expr::Gather { of, give, .. }
                if matches!(self.a.get(*give), Expr::Elem(b) if b == of) && self.f.is_list(self.a.coll(*of)) =>
            {
                self.raised(self.a.coll(*of), at)
            }
            Expr::Lit(Lit::Failed) => Answer::sure(Yes),
            // A value is no failure.
            Expr::Lit(_) | Expr::Record(_) | Expr::Gather { .. } | Expr::Elem(_) | Expr::Format(_) => Answer::sure(No),
            Expr::Binary(..) | Expr::Unary(..) | Expr::One(_) => Answer::sure(No),
            Expr::Choose(c, t, f) => match self.sought_in(*c).filter(|read| self.fails(*read)) {
                Some(read) => self.failure(Yes, read, read),
                None => self.once_of(e, Of::Raised, || {
                    Answer::choose(self.truth(*c), self.raised(*t, *t), self.raised(*f, *f))
                }),
            },
            _ if self.subject.owns_whole(&self.f, e) => Answer::sure(No),
            // It goes because it cannot be read itself: that says nothing of its use.
            Expr::Call(_) if self.choosing.contains(&at) && self.subject.asks_itself(&self.f, e) => self.opaque(at),
            // Whoever does not answer raises nothing.
            Expr::Call(_) if self.f.row(e).is_some_and(|r| r.silent) => Answer::sure(No),
            Expr::Call(_) if self.fails(e) => self.failure(Yes, e, e),
            Expr::Call(_) if self.f.is_find(e) && self.given_subject(e) => match self.f.row(e).map(|r| r.absence) {
                Some(Absence::Error) => self.looked(false, e, e),
                Some(Absence::Nothing) if self.always_gives(e) => self.looked(false, e, e),
                _ => Answer::sure(No),
            },
            // A step that must succeed says of nobody's whose it is.
            Expr::Call(_) if self.world.foreign && self.choosing.contains(&e) => self.opaque(at),
            Expr::Call(_) if self.unknown_find(e) && self.only_failure_asked(e) => self.looked(false, e, e),
            // One read fails at a time.
            Expr::Call(_) => Answer::sure(No),
            Expr::Field(x, _) => self.raised(*x, at),
            _ => self.opaque(at),
        }
    }

    fn is_now(&self, e: ExprId) -> bool {
        self.f.role(e) == Some(Role::Now)
    }

    /// An unknown read that is given the subject and is no method of it. What is given a specification beside it compares
    /// the two: `matches_spec(request, permit.spec)`.
    fn unknown_find(&self, e: ExprId) -> bool {
        let Some(c) = self.a.call_of(e) else { return false };
        let spec = |x: &Arg| matches!(self.a.get(x.value), Expr::Field(_, f) if self.f.vocab.field(*f) == Some(FieldRole::Spec));
        let compares = matches!(self.a.get(c.callee), Expr::Path(_)) && c.args.iter().any(spec);
        !compares
            && self.f.row(e).is_none()
            && self.f.is_read(e)
            && !self.f.is_act(e)
            && !self.f.called(e).is_some_and(|n| self.f.vocab.forms(&n))
            && c.args.iter().any(|x| self.of_subject(x.value))
            && !self.f.receiver(e).is_some_and(|x| self.of_subject(x))
    }

    /// A guessed find whose answer is looked into, and never asked whether there is one: where there is none it failed. Only
    /// where a failure is a value.
    ///
    /// ```text
    /// match jobs.get(id).await { Ok(job) => job.state.is_active(), Err(_) => false }
    /// ```
    fn always_gives(&self, e: ExprId) -> bool {
        let guessed = self.f.row(e).is_some_and(|r| r.guess && r.language != crate::source::Language::Python);
        guessed && self.value_used.contains(&e) && self.a.find(&Expr::Unary(Un::Present, e)).is_none()
    }

    /// Of this call only the failure is asked for, so that the failure says "there is none".
    fn only_failure_asked(&self, e: ExprId) -> bool {
        !self.value_used.contains(&e)
    }

    /// The answer of a person who was asked for the subject by name: nobody says yes to what is alive.
    ///
    /// ```text
    /// if !confirm(f"Delete lab {lab.name}?") { continue }
    /// ```
    fn asks_for_subject(&self, e: ExprId) -> bool {
        let mut at = e;
        loop {
            at = match self.a.get(at) {
                Expr::Field(x, _) => *x,
                Expr::Call(_) if self.f.role(at) == Some(Role::Prompt) => break,
                // `input(question).strip().lower()`
                Expr::Call(c)
                    if self.f.row(at).is_none() && c.args.iter().all(|x| identity::literal(self.a, x.value)) =>
                {
                    match self.f.receiver(at) {
                        Some(x) => x,
                        None => return false,
                    }
                }
                _ => return false,
            };
        }
        let question =
            self.f.row(at).zip(self.a.call_of(at)).and_then(|(row, c)| self.f.vocab.bound(self.a, c, row, row.target?));
        question.is_some_and(|x| self.of_subject(x))
    }

    fn equal(&self, l: ExprId, r: ExprId, e: ExprId) -> Answer {
        if self.asks_for_subject(l) || self.asks_for_subject(r) {
            return Answer::seen(No, e);
        }
        for (s, o) in [(l, r), (r, l)] {
            // `query.count() == 0`
            if let (Expr::Lit(Lit::Num(0)), Some(any)) = (self.a.get(o), self.some(s)) {
                return any.not();
            }
            let nothing = matches!(self.a.get(o), Expr::Lit(Lit::Nothing | Lit::Empty));
            if let Some(x) = self.absent(s).filter(|_| !nothing) {
                return x;
            }
            // `deleted = 1`: so says what is over.
            let marked = self.over_mark(s) && identity::literal(self.a, o) && !self.a.is_falsy(o);
            if marked || self.final_state(s, o) {
                return Answer::seen(No, e);
            }
        }
        for (s, o) in [(l, r), (r, l)] {
            // `unused[k] == kv.revision`: what was noted of it in an earlier pass. There is no note of what is new.
            if self.world.newborn && self.noted_before(s) && !self.a.is_falsy(o) {
                return Answer::seen(No, e);
            }
            if !self.of_subject(s) || self.of_subject(o) {
                continue;
            }
            if let Some(answer) = self.stamped(s, e, o) {
                return answer;
            }
            // What a lookup of the subject returned is no element to search for.
            if let Some(b) = searched(self.a, o).filter(|_| !self.keyed_value(o)) {
                return self.holds(self.a.coll(b), e);
            }
            if self.identity(s, o) {
                return self.owned(e);
            }
        }
        self.opaque(e)
    }

    /// What a field that is kept from pass to pass holds of the subject.
    fn noted_before(&self, e: ExprId) -> bool {
        matches!(*self.a.get(e), Expr::Lookup(c, k) if self.of_subject(k) && !self.of_subject(c) && self.kept(c))
    }

    fn keyed_value(&self, e: ExprId) -> bool {
        match self.a.get(e) {
            Expr::Field(x, _) => self.keyed_value(*x),
            Expr::Lookup(c, k) => self.of_subject(*k) || self.keyed_value(*c),
            Expr::Call(_) => self.keyed(e),
            _ => false,
        }
    }

    /// A final state that the subject, or the active row found about it, does not have.
    ///
    /// When a read fails the question is whether that alone opens the way: what is over may still be wanted by whoever
    /// that read would have told of, so nothing is supposed about it.
    fn final_state(&self, s: ExprId, o: ExprId) -> bool {
        if self.world.failed.is_some() {
            return false;
        }
        let Some(word) = self.word(o) else { return false };
        self.f.vocab.is_final(word) && self.bears_state(s, word)
    }

    /// Is it the state in words of the subject, or of the active row found about it: or else another word?
    ///
    /// ```text
    /// (d.status.reason ? d.status.reason : "") == "Evicted"
    /// ```
    fn bears_state(&self, s: ExprId, word: &str) -> bool {
        let state = |f: Sym| self.f.vocab.field(f) == Some(FieldRole::State);
        match *self.a.get(s) {
            Expr::Choose(_, t, f) => {
                let other =
                    |e: ExprId| matches!(self.a.get(e), Expr::Lit(Lit::Str(w)) if !w.eq_ignore_ascii_case(word));
                let (own, also) = (self.bears_state(t, word), self.bears_state(f, word));
                own && (also || other(f)) || also && other(t)
            }
            _ => self.f.field(s).is_some_and(|(x, f)| {
                let within = self.f.field(x).is_some_and(|(_, outer)| state(outer));
                (state(f) || within) && self.supposed_alive(x)
            }),
        }
    }

    /// In Go a constant begins with what it is a state of: `Succeeded` of `PodSucceeded`.
    fn state_in(&self, word: &'static str) -> &'static str {
        let at = word.rfind(char::is_uppercase).filter(|at| *at > 0 && word.starts_with(char::is_uppercase));
        let end = at.and_then(|at| word.get(at..)).filter(|end| self.f.vocab.is_final(end));
        match end {
            Some(end) if !self.f.vocab.is_final(word) && !word.ends_with(&format!("Not{end}")) => end,
            _ => word,
        }
    }

    /// The word that a constant stands for: `"failed"`, `JobState.FAILED`, also with `.value` behind it or converted:
    /// `JobState.FAILED.to_int()`.
    fn word(&self, o: ExprId) -> Option<&'static str> {
        let last = |p: Sym| p.as_str().trim_end_matches(".value").rsplit('.').next();
        match *self.a.get(o) {
            Expr::Lit(Lit::Str(w)) => last(w),
            Expr::Path(w) => last(w).map(|word| self.state_in(word)),
            Expr::Field(x, f) if f == "value" => self.word(x),
            Expr::Field(_, f) => last(f),
            Expr::Call(ref c) if c.args.is_empty() => match *self.a.get(c.callee) {
                Expr::Path(p) => last(sym(p.as_str().rsplit_once('.')?.0)),
                Expr::Field(x, _) => self.word(x),
                _ => None,
            },
            _ => None,
        }
    }

    /// `e0.seen_in == run`: as good as the reads of the run that stamps.
    fn stamped(&self, s: ExprId, e: ExprId, o: ExprId) -> Option<Answer> {
        let (_, f) = self.f.field(s)?;
        if self.f.vocab.field(f) != Some(FieldRole::Stamp) {
            return None;
        }
        if self.world.newborn {
            return Some(Answer::seen(Yes, e)); // the run that stamps is the only writer
        }
        let mut r = self.looked(true, e, o);
        if self.world.failed.is_some() {
            for effect in self.f.summary.effects.iter().filter(|x| x.kind == crate::facts::EffectKind::Create) {
                let reached = self.truth(effect.when);
                if reached.tri == No && reached.con.failed {
                    r = self.failure(No, e, o);
                }
            }
        }
        Some(r)
    }

    fn any(&self, b: BinderId, such: ExprId, e: ExprId) -> Answer {
        let t = self.sought(such);
        // A search in nothing.
        if self.world.failed.is_some() {
            let some = self.nonempty(self.a.coll(b));
            if some.tri == No {
                return some;
            }
        }
        let both = join(t.pro, &t.con);
        let ev = Evidence { exprs: vec![e], ..(*both).clone() };
        let tri = match t.tri {
            Yes if !ev.lookup() && !ev.failed => Maybe, // there may be no element at all
            t => t,
        };
        Answer::told(tri, ev)
    }
}

/// Written like a constant: `FAILED`.
fn is_constant(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_uppercase()) && !word.contains(|c: char| c.is_ascii_lowercase())
}

/// The element of a traversal that a value is taken from. Values share their parts, so each part is looked at once.
fn searched(a: &Arena, e: ExprId) -> Option<BinderId> {
    searched_once(a, e, &mut FxHashSet::default())
}

fn searched_once(a: &Arena, e: ExprId, seen: &mut FxHashSet<ExprId>) -> Option<BinderId> {
    let mut first = |parts: &[ExprId]| {
        let new = seen.insert(e);
        parts.iter().filter(|_| new).find_map(|x| searched_once(a, *x, seen))
    };
    match a.get(e) {
        Expr::Elem(b) => Some(*b),
        Expr::Field(x, _) | Expr::Unary(_, x) | Expr::One(x) => searched_once(a, *x, seen),
        Expr::Call(c) => {
            let mut parts: Vec<ExprId> = c.args.iter().map(|x| x.value).collect();
            if let Expr::Field(x, _) = a.get(c.callee) {
                parts.push(*x);
            }
            first(&parts)
        }
        Expr::Record(p) => first(&p.iter().map(|x| x.1).collect::<Vec<_>>()),
        Expr::Format(p) => first(p),
        Expr::Lookup(l, r) | Expr::Binary(_, l, r) | Expr::Choose(_, l, r) => first(&[*l, *r]),
        _ => None,
    }
}
