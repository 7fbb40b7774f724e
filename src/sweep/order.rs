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
        let noted = conjuncts(facts, self.effect.when).into_iter().filter_map(|e| match *facts.arena.get(e) {
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
                if x != y && x.max(y) > own && same_but_sites(facts.arena, l.reference, m.reference) {
                    return Some(if x < y { m.reference } else { l.reference });
                }
            }
        }
        self.asked_in_the_statement()
    }

    /// The destroying statement itself asks of each whether it is taken, after all references were read.
    fn asked_in_the_statement(&self) -> Option<ExprId> {
        let facts = self.facts;
        let read = self.subject.read(facts)?;
        let statement = facts.receiver(self.effect.call).and_then(|q| base_read(facts, q));
        let at = facts.read_at(read)?;
        let later = self.references().into_iter().filter_map(|r| facts.read_at(r)).all(|r| r < at);
        let again = statement == Some(read) && later;
        let mut asked = conjuncts(facts, self.effect.when).into_iter().filter(|_| again);
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

/// The conditions that all must hold.
fn conjuncts(facts: &Facts, when: ExprId) -> Vec<ExprId> {
    let (mut out, mut todo) = (vec![], vec![when]);
    while let Some(e) = todo.pop() {
        match *facts.arena.get(e) {
            Expr::Binary(Bin::And, l, r) => todo.extend([l, r]),
            _ => out.push(e),
        }
    }
    out
}
