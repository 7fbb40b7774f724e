//! A label by which a sweep takes things for its own, though every installation sets it alike.
//!
//! ```text
//! list(labels={"app.kubernetes.io/managed-by": "labctl"})      every installation of labctl says so
//! list(labels={"x.io/installation": cfg.id})                   this one alone
//! list(labels={"app": "lab"})                                  says what it is, not whose
//! any(t.key.startswith("example.io/lab/") for t in x.tags)     of whichever lab
//! any(t.key == "example.io/lab/" + lab.id for t in x.tags)     of this one
//! ```

use super::*;
use crate::ir::{Arena, Bin, BinderId, sym};
use crate::vocab::ownership;

/// Choices nested deeper than this are no condition that people read.
const DEEP: u32 = 16;

impl Sweep<'_> {
    /// The key of a label that must have a written-out value, and whose word is one for an owner.
    fn shared_label(&self) -> Option<Sym> {
        let a = &self.facts.arena;
        a.parts(self.effect.when, Bin::And).into_iter().find_map(|part| {
            let Expr::Binary(Bin::Eq, l, r) = *a.get(part) else { return None };
            let (value, label) = match (a.as_str(l), a.as_str(r)) {
                (Some(_), None) => (l, r),
                (None, Some(_)) => (r, l),
                _ => return None,
            };
            let Expr::Field(borne, key) = *a.get(label) else { return None };
            let Expr::Field(_, field) = *a.get(borne) else { return None };
            let told = !a.as_str(value)?.is_empty() && ownership().is_labels(&field) && ownership().names_owner(&key);
            (told && self.subject.holds(self.facts, label)).then_some(key)
        })
    }
    /// The label, or the head of one, that all share.
    pub fn shared_mark(&self) -> Option<Sym> {
        self.shared_label().or_else(|| self.shared_prefix())
    }

    /// The head of a mark, of which any may follow, where one of the target's marks must begin so and nothing says whose
    /// it is.
    fn shared_prefix(&self) -> Option<Sym> {
        let a = &self.facts.arena;
        let mut parts = vec![];
        required(a, self.effect.when, true, DEEP, &mut parts);
        parts.into_iter().find_map(|part| {
            let Expr::Any(binder, told) = *a.get(part) else { return None };
            let Expr::Field(borne, field) = *a.get(a.coll(binder)) else { return None };
            let marks = ownership().is_mark(&field) && self.subject.holds(self.facts, borne);
            let heads: Vec<ExprId> = a.parts(told, Bin::And);
            let literal = |e: &ExprId| match *a.get(*e) {
                Expr::Binary(Bin::Eq, l, r) => a.as_str(l).is_some() || a.as_str(r).is_some(),
                _ => self.literal_head(*e, binder).is_some(),
            };
            let head = heads.iter().find_map(|e| self.literal_head(*e, binder));
            head.filter(|_| marks && heads.iter().all(literal))
        })
    }

    /// `t.key.startswith("example.io/")`: the text.
    fn literal_head(&self, e: ExprId, binder: BinderId) -> Option<Sym> {
        let (facts, a) = (self.facts, &self.facts.arena);
        let call = a.call_of(e).filter(|_| facts.called(e).is_some_and(|n| facts.vocab.speaks_of(Topic::Affix, &n)))?;
        let values: Vec<ExprId> = facts.receiver(e).into_iter().chain(call.args.iter().map(|x| x.value)).collect();
        let of_mark = |x: ExprId| matches!(*a.get(x), Expr::Field(b, _) if *a.get(b) == Expr::Elem(binder));
        let text = values.iter().find_map(|x| a.as_str(*x)).filter(|t| !t.is_empty())?;
        values.iter().any(|x| of_mark(*x)).then(|| sym(text))
    }
}

/// What must hold for a condition to: `not (not x or y)` asks for `x`.
fn required(a: &Arena, e: ExprId, positive: bool, left: u32, out: &mut Vec<ExprId>) {
    match *a.get(e) {
        _ if left == 0 => {}
        Expr::Binary(Bin::And, l, r) if positive => {
            [l, r].into_iter().for_each(|x| required(a, x, true, left - 1, out))
        }
        Expr::Binary(Bin::Or, l, r) if !positive => {
            [l, r].into_iter().for_each(|x| required(a, x, false, left - 1, out))
        }
        Expr::Unary(Un::Not, x) => required(a, x, !positive, left - 1, out),
        _ if positive => out.push(e),
        _ => {}
    }
}
