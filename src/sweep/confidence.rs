//! How sure a verdict is.
//!
//! ```text
//! if not db.get(d.id): api.delete(d.name)            a known library's calls, a known reference: high
//! if not self.known(d.id): api.delete(d.name)        what the reference is says its name alone: medium
//! if not self.known(d.id): self.backend.purge(d)     two things are guessed: low
//! ```
//! Every guess counts once: a call known by its name, a reference far down a chain of helpers, the end of a call nothing is
//! known of. What a caller asked for by name, and what a guard named for its protection may keep, is reported on request.

use super::*;

/// How sure the analysis is: by the table in the project's semantics, nothing inferred is high, one thing medium, two low.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
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

impl Sweep<'_> {
    /// How many things were inferred from names alone.
    pub fn inferred(&self) -> usize {
        let by_name = self.by_name(self.effect.call) as usize;
        // What a declared interface is asked for by name is no guess of the reader's, what is done through it may be.
        let declared = self.facts.row(self.effect.call).is_some_and(|r| r.language.declares_types());
        let reference = |l: &Look| self.by_name(l.reference) && !declared || !self.key_like(l.at);
        let reference = self.lookups().iter().any(reference);
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

    /// How sure a verdict is. Where absence reaches nothing but what is another installation's, it is no surer than that
    /// the space is shared.
    pub fn confidence(&self, v: Verdict) -> Confidence {
        let own = self.confidence_of(v);
        let strangers_alone = v == Verdict::Absence && self.is(Verdict::Unscoped) && !self.reaches_newborn();
        if strangers_alone { own.min(self.confidence_of(Verdict::Unscoped)) } else { own }
    }

    fn confidence_of(&self, v: Verdict) -> Confidence {
        let facts = self.facts;
        let opaque = self.opaque_guards(v);
        let protects = opaque.iter().any(|e| facts.called(*e).is_some_and(|n| facts.vocab.speaks_of_use(&n)));
        let aged = matches!(v, Verdict::Grace | Verdict::ReadFirst) && self.age_is_opaque();
        let inferred = match v {
            Verdict::Unscoped | Verdict::SharedLabel => {
                self.by_name(self.effect.call) as usize + self.candidates().is_some_and(|c| self.by_name(c)) as usize
            }
            _ => self.inferred(),
        };
        let open = !v.is_of_space() && self.open;
        let inferred = inferred + self.far_off(v) as usize + self.by_outcome(v) as usize + open as usize;
        // That a space is shared must be seen (settled question 17), and a failure or an old answer says little of a
        // guard that nothing else speaks against.
        let alone = matches!(v, Verdict::ErrorAsEmpty | Verdict::Stale) && !self.absence_permits();
        let inferred = if inferred == 1 && (alone || v.is_of_space()) { 2 } else { inferred };
        let files = self.only_file_checks();
        let asked = self.subject.is_told(facts) || self.subject.asked_by_name(facts, self.effect.when);
        let weak = files && (!self.is_listed() || self.open);
        if protects || aged || inferred > 1 || !self.subject.is_swept() || asked || weak {
            Confidence::Low
        } else if inferred == 1 || !opaque.is_empty() || self.narrowed() || files || self.within_statement() {
            Confidence::Medium
        } else {
            Confidence::High
        }
    }

    /// Was something looked for in what there is: a member of a collection, a thing of a known library, or what a find
    /// gives? That a call nothing is known of failed says how that call ended.
    pub(super) fn looks_for_workload(&self, l: &Look) -> bool {
        let facts = self.facts;
        let member = matches!(facts.arena.get(l.at), Expr::Lookup(..) | Expr::Binary(Bin::Eq, ..));
        let row = facts.arena.call_of(l.reference).and_then(|c| facts.arena.site(c.site).row);
        let asked = || facts.arena.find(&Expr::Unary(Un::Present, l.reference)).is_some();
        member || row.is_some_and(|m| m.backed || facts.is_find(l.reference) && asked())
    }

    /// Is it one statement that looks into other tables and destroys?
    fn within_statement(&self) -> bool {
        self.effect.atomic && self.absence_permits()
    }

    /// Does it rest on nothing but whether some file is there?
    fn only_file_checks(&self) -> bool {
        let check = |l: &Look| {
            self.facts.row(l.reference).is_some_and(|r| r.role == Role::Find && r.absence == Absence::False && !r.fails)
        };
        let looks = self.lookups();
        self.absence_permits() && !looks.is_empty() && looks.iter().all(check)
    }

    /// Were the candidates listed, in a directory or in a store?
    fn is_listed(&self) -> bool {
        self.subject.read(self.facts).is_some_and(|r| self.facts.is_list(r))
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
        !v.is_of_space() && self.absence_permits() && !looks.is_empty() && looks.iter().all(outcome)
    }

    /// Does it rest on what is read only far down a chain of helpers? So long a way is itself a guess.
    fn far_off(&self, v: Verdict) -> bool {
        // Whether a workload is there is asked where the record is moved, or the helper's own end is what is recorded.
        let helper = |e: ExprId| self.facts.helpers_above(e) > 0;
        if self.effect.kind == EffectKind::Terminate {
            return self.lookups().iter().all(|l| helper(l.at) || helper(l.reference));
        }
        let far = |e: ExprId| self.facts.helpers_above(e) > FAR;
        let reads = self.rests_on(v);
        !v.is_of_space() && !reads.is_empty() && reads.iter().all(|e| far(*e))
    }

    /// Unknown calls about the target among what lets the call through.
    fn opaque_guards(&self, v: Verdict) -> &[ExprId] {
        match v {
            Verdict::Unscoped | Verdict::SharedLabel => &self.foreign.pro.opaque,
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
