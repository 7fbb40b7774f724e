//! What was read when: references before candidates, and what was looked at again before the delete.
//!
//! ```text
//! rows = query(Row).all()                          candidates: read first, though the statement reads them again
//! used = {u.row for u in query(User)}
//! gone = [r.id for r in rows if r.id not in used]
//! query(Row).filter(Row.id.in_(gone)).filter_by(taken=False).delete()
//!                                                  the statement asks each row once more whether it is taken
//! ```

use super::*;
use crate::ask::base_read;
use crate::vocab::Row;

impl Sweep<'_> {
    /// Observed references that were read before the candidates.
    pub fn early_reads(&self) -> Vec<ExprId> {
        let Some(own) = self.listed_at() else { return vec![] };
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

    /// When the candidates were read: where the destroying statement takes those on a list, when the list was made.
    fn listed_at(&self) -> Option<usize> {
        let facts = self.facts;
        let at = |r: ExprId| facts.read_at(r);
        let own = self.subject.read(facts).and_then(at)?;
        let noted =
            facts.arena.parts(self.effect.when, Bin::And).into_iter().filter_map(|e| match *facts.arena.get(e) {
                Expr::Unary(Un::Present, x) => match *facts.arena.get(x) {
                    Expr::Lookup(list, k) if self.subject.holds(facts, k) => base_read(facts, list),
                    _ => None,
                },
                _ => None,
            });
        let noted = noted.filter(|r| self.subject.owns(facts, *r)).filter_map(at);
        noted.chain([own]).min()
    }

    /// The same reference asked twice, the later time after the candidates were read: what was made in between shows.
    pub(super) fn find_second_look(&self) -> Option<ExprId> {
        let facts = self.facts;
        let at = |e: ExprId| facts.read_at(e);
        let own = self.subject.read(facts).and_then(at)?;
        let looks = self.lookups();
        for (i, l) in looks.iter().enumerate() {
            for m in &looks[i + 1..] {
                let (Some(x), Some(y)) = (at(l.reference), at(m.reference)) else { continue };
                if x == y || x.max(y) < own {
                    continue;
                }
                let (early, late) = if x < y { (l.reference, m.reference) } else { (m.reference, l.reference) };
                if same_but_sites(facts.arena, early, late) || self.asked_again(early, late) {
                    return Some(late);
                }
            }
        }
        self.asked_in_the_statement()
    }

    /// What was listed once for all is asked again for this one, and what is found there holds the call back by itself.
    ///
    /// ```text
    /// used = list_pods()
    /// for v in volumes:
    ///     if v.name not in used and not list_pods(volume=v.name): delete(v)
    /// ```
    fn asked_again(&self, early: ExprId, late: ExprId) -> bool {
        let facts = self.facts;
        let of_this = |r: ExprId| keyed(facts, &self.subject, r);
        let again = of_this(late) && !of_this(early) && self.reads_alike(early, late);
        again && Question::new(facts, self.effect, &self.subject).ask(succeeded_alone(late)).tri == Tri::No
    }

    /// Do two listings ask the same space for the same kind of thing, whatever they narrow it to? A web page or a file is
    /// told by what is given, not by the call.
    fn reads_alike(&self, x: ExprId, y: ExprId) -> bool {
        let facts = self.facts;
        let (Some(r), Some(s)) = (facts.row(x), facts.row(y)) else { return false };
        let told = |e: ExprId, row: &Row| {
            let Some(call) = facts.arena.call_of(e) else { return vec![] };
            let scope: Vec<_> =
                row.scope.iter().filter_map(|s| facts.vocab.bound(facts.arena, call, row, s.bind)).collect();
            let more = call.args.iter().filter(|x| {
                !scope.contains(&x.value) && !self.subject.holds(facts, x.value) && !says_nothing(facts, x.value)
            });
            more.map(|x| (x.name, x.value)).collect::<Vec<_>>()
        };
        let same =
            |v: &(Option<Sym>, ExprId), w: &(Option<Sym>, ExprId)| v.0 == w.0 && same_but_sites(facts.arena, v.1, w.1);
        let (v, w) = (told(x, r), told(y, s));
        let kind = r.noun == s.noun && r.noun.is_some_and(|n| n.starts_with(char::is_uppercase))
            || std::ptr::eq(r, s) && kind(facts, x) == kind(facts, y)
            || resource(facts, x).is_some() && resource(facts, x) == resource(facts, y);
        let args = v.len() == w.len() && v.iter().all(|v| w.iter().any(|w| same(v, w)));
        let alike = kind && args || self.same_handle(x, y) && facts.is_find(y);
        r.shared && s.shared && r.library == s.library && alike
    }

    /// Are both asked of one handle, which says by itself what things it is for?
    ///
    /// ```text
    /// client.BatchV1().Jobs(ns).List(..)       client.BatchV1().Jobs(ns).Get(name, ..)
    /// let jobs: Api<Job> = ..;                 jobs.list(..)      jobs.get_opt(name)
    /// ```
    fn same_handle(&self, x: ExprId, y: ExprId) -> bool {
        let facts = self.facts;
        let (Some(p), Some(q)) = (facts.receiver(x), facts.receiver(y)) else { return false };
        let Some(handle) = facts.arena.call_of(p).filter(|_| same_but_sites(facts.arena, p, q)) else { return false };
        let scopes: Vec<_> = match (facts.row(x), facts.arena.call_of(x)) {
            (Some(row), Some(c)) => {
                row.scope.iter().filter_map(|s| facts.vocab.bound(facts.arena, c, row, s.bind)).collect()
            }
            _ => vec![],
        };
        handle.args.iter().any(|a| a.name.is_some_and(|n| n == "#of") || scopes.contains(&a.value))
    }

    /// The destroying statement itself asks of each whether it is taken, after all references were read.
    fn asked_in_the_statement(&self) -> Option<ExprId> {
        let facts = self.facts;
        let read = self.subject.read(facts)?;
        let statement = facts.receiver(self.effect.call).and_then(|q| base_read(facts, q));
        let at = facts.read_at(read)?;
        let later = self.references().into_iter().filter_map(|r| facts.read_at(r)).all(|r| r < at);
        let again = statement == Some(read) && later;
        let mut asked = facts.arena.parts(self.effect.when, Bin::And).into_iter().filter(|_| again);
        asked.find(|e| match *facts.arena.get(*e) {
            Expr::Unary(Un::Not, x) => self.is_taken(x),
            Expr::Binary(Bin::Eq, l, r) => {
                [(l, r), (r, l)].iter().any(|(x, v)| self.is_taken(*x) && facts.arena.is_falsy(*v))
            }
            _ => false,
        })
    }

    /// The subject's own word that somebody has it.
    fn is_taken(&self, e: ExprId) -> bool {
        let facts = self.facts;
        facts.field(e).is_some_and(|(x, f)| self.subject.holds(facts, x) && facts.vocab.speaks_of(Topic::Taken, &f))
    }
}

/// Options of which none is given: `metav1.ListOptions{}`.
fn says_nothing(facts: &Facts, e: ExprId) -> bool {
    match facts.arena.get(e) {
        Expr::Lit(Lit::Nothing | Lit::Empty) => true,
        Expr::Record(parts) => parts.iter().all(|p| p.0 == "#is"),
        _ => false,
    }
}

/// What a client is of, where a call in front of the read says so: `client.Pods(ns).List()`, `client.Pods(ns).Get(name)`.
fn resource(facts: &Facts, e: ExprId) -> Option<Sym> {
    let receiver = facts.arena.call_of(facts.receiver(e)?)?;
    match *facts.arena.get(receiver.callee) {
        Expr::Field(_, f) => Some(f),
        _ => None,
    }
}

/// The names by which a listing says what it lists: `describe_instances`, `volumes.list`.
fn kind(facts: &Facts, e: ExprId) -> (Option<Sym>, Option<Sym>) {
    let name = facts.called(e);
    let telling = name.is_some_and(|n| n.contains('_'));
    let of = facts.receiver(e).filter(|_| !telling).and_then(|x| match facts.arena.get(x) {
        Expr::Field(_, f) => Some(*f),
        _ => None,
    });
    (name, of)
}
