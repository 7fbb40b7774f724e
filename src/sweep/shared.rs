//! A label, name or finalizer by which a sweep takes things for its own, though every installation sets it alike.
//!
//! ```text
//! list(labels={"app.kubernetes.io/managed-by": "labctl"})      every installation of labctl says so
//! list(labels={"x.io/installation": cfg.id})                   this one alone
//! list(labels={"app": "lab"})                                  says what it is, not whose
//! any(t.key.startswith("example.io/lab/") for t in x.tags)     of whichever lab
//! any(t.key == "example.io/lab/" + lab.id for t in x.tags)     of this one
//! "x.io/lab" in x.finalizers or x.owner == lab.uid             the second is asked only where the first is not there
//! x.name.startswith("labctl-")                                 of whichever labctl
//! ```

use super::*;
use crate::ir::{Bin, BinderId, sym};
use crate::vocab::ownership;

/// Conditions nested deeper than this are none that people read.
const DEEP: u32 = 16;

impl Sweep<'_> {
    /// The label, or the head of one, the finalizer, or the head of a name, that all share.
    pub fn shared_mark(&self) -> Option<Sym> {
        self.shared_in(self.effect.when, true, DEEP)
    }

    /// What all share and a condition asks for: `not (not x or y)` asks for `x`, and so do `x and y` and `x or y`, where
    /// `x` is enough.
    fn shared_in(&self, e: ExprId, positive: bool, left: u32) -> Option<Sym> {
        let left = left.checked_sub(1)?;
        let inner = |x: ExprId| self.shared_in(x, positive, left);
        match (self.facts.arena.get(e), positive) {
            (Expr::Unary(Un::Not, x), _) => self.shared_in(*x, !positive, left),
            // However long: guards stand one after the other.
            (Expr::Binary(o @ Bin::And, ..), true) | (Expr::Binary(o @ Bin::Or, ..), false) => {
                self.facts.arena.parts(e, *o).into_iter().find_map(inner)
            }
            (Expr::Binary(Bin::Or, l, r), true) | (Expr::Binary(Bin::And, l, r), false) => {
                let alone = |x: ExprId| match (self.facts.arena.get(x), positive) {
                    (Expr::Unary(Un::Not, y), false) => self.shared_alone(*y),
                    (_, true) => self.shared_alone(x),
                    _ => None,
                };
                alone(*l).or_else(|| alone(*r)).or_else(|| inner(*l).filter(|_| inner(*r).is_some()))
            }
            (_, true) => self.shared_alone(e),
            (_, false) => None,
        }
    }

    /// What a single test asks for, where all share it.
    fn shared_alone(&self, e: ExprId) -> Option<Sym> {
        let tests = [Self::shared_label, Self::shared_prefix, Self::shared_finalizer, Self::shared_name];
        tests.iter().find_map(|test| test(self, e))
    }

    /// The key of a label that must have a written-out value, and whose word is one for an owner.
    fn shared_label(&self, e: ExprId) -> Option<Sym> {
        let a = &self.facts.arena;
        let Expr::Binary(Bin::Eq, l, r) = *a.get(e) else { return None };
        let (value, label) = match (a.as_str(l), a.as_str(r)) {
            (Some(_), None) => (l, r),
            (None, Some(_)) => (r, l),
            _ => return None,
        };
        let Expr::Field(borne, key) = *a.get(label) else { return None };
        let Expr::Field(_, field) = *a.get(borne) else { return None };
        let told = !a.as_str(value)?.is_empty() && ownership().is_mark(&field) && ownership().names_owner(&key);
        (told && (self.subject.holds(self.facts, label) || self.is_listed_by(borne))).then_some(key)
    }

    /// Is it what the candidates were listed by, of the answer that they are part of: `for r in page.reservations:
    /// for i in r.instances`?
    fn is_listed_by(&self, borne: ExprId) -> bool {
        let a = &self.facts.arena;
        let Expr::Field(x, _) = *a.get(borne) else { return false };
        let Expr::Elem(b) = *a.get(x) else { return false };
        self.candidates().is_some_and(|c| crate::ask::base_read(self.facts, a.coll(b)) == Some(c))
    }

    /// The head of a mark, of which any may follow, where one of the target's marks must begin so and nothing says whose
    /// it is.
    fn shared_prefix(&self, e: ExprId) -> Option<Sym> {
        let a = &self.facts.arena;
        let Expr::Any(binder, told) = *a.get(e) else { return None };
        let Expr::Field(borne, field) = *a.get(a.coll(binder)) else { return None };
        let marks = ownership().is_mark(&field) && self.subject.holds(self.facts, borne);
        let heads: Vec<ExprId> = a.parts(told, Bin::And);
        let literal = |e: &ExprId| match *a.get(*e) {
            Expr::Binary(Bin::Eq, l, r) => a.as_str(l).is_some() || a.as_str(r).is_some(),
            _ => self.literal_head(*e, binder).is_some(),
        };
        let head = heads.iter().find_map(|e| self.literal_head(*e, binder));
        head.filter(|_| marks && heads.iter().all(literal))
    }

    /// `t.key.startswith("example.io/")`: the text.
    fn literal_head(&self, e: ExprId, binder: BinderId) -> Option<Sym> {
        let a = &self.facts.arena;
        let (text, values) = self.begins_so(e)?;
        let of_mark = |x: ExprId| matches!(*a.get(x), Expr::Field(b, _) if *a.get(b) == Expr::Elem(binder));
        values.iter().any(|x| of_mark(*x)).then_some(text)
    }

    /// A test of how a text begins: what is written out, and what it is given.
    fn begins_so(&self, e: ExprId) -> Option<(Sym, Vec<ExprId>)> {
        let (facts, a) = (self.facts, &self.facts.arena);
        let call = a.call_of(e).filter(|_| facts.called(e).is_some_and(|n| facts.vocab.speaks_of(Topic::Head, &n)))?;
        let values: Vec<ExprId> = facts.receiver(e).into_iter().chain(call.args.iter().map(|x| x.value)).collect();
        let text = values.iter().find_map(|x| a.as_str(*x)).filter(|t| !t.is_empty())?;
        Some((sym(text), values))
    }

    /// A finalizer that is written out: `controllerutil.ContainsFinalizer(d, "x.io/lab")`, `"x.io/lab" in d.finalizers`.
    fn shared_finalizer(&self, e: ExprId) -> Option<Sym> {
        let (facts, a) = (self.facts, &self.facts.arena);
        let finalizers = |name: &str| facts.vocab.speaks_of(Topic::Finalizer, name);
        let own = |list: ExprId| match *a.get(list) {
            Expr::Field(of, f) => finalizers(&f) && self.subject.holds(facts, of),
            _ => false,
        };
        match *a.get(e) {
            Expr::Unary(Un::Present, x) => match *a.get(x) {
                Expr::Field(list, name) if own(list) => Some(name),
                Expr::Lookup(list, name) if own(list) => a.as_str(name).map(sym),
                _ => None,
            },
            Expr::Call(ref call) if facts.called(e).is_some_and(|n| finalizers(&n)) => {
                let given = call.args.iter().any(|x| self.subject.is_element(x.value));
                call.args.iter().find_map(|x| a.as_str(x.value)).filter(|_| given).map(sym)
            }
            _ => None,
        }
    }

    /// The head of the target's name that is written out: `strings.HasPrefix(d.Name, "labctl-")`. Where a record decides,
    /// it tells only among what the record is looked for.
    fn shared_name(&self, e: ExprId) -> Option<Sym> {
        let (facts, a) = (self.facts, &self.facts.arena);
        let (text, values) = self.begins_so(e).filter(|_| !self.absence_permits())?;
        let root = |of: ExprId| match *a.get(of) {
            Expr::Field(x, _) => x,
            _ => of,
        };
        let named = |x: ExprId| match *a.get(x) {
            Expr::Field(of, f) => facts.vocab.speaks_of(Topic::Reused, &f) && self.subject.is_element(root(of)),
            _ => false,
        };
        values.iter().any(|x| named(*x)).then_some(text)
    }
}
