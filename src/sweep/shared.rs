//! A label by which a sweep takes things for its own, though every installation sets it alike.
//!
//! ```text
//! list(labels={"app.kubernetes.io/managed-by": "labctl"})      every installation of labctl says so
//! list(labels={"x.io/installation": cfg.id})                   this one alone
//! list(labels={"app": "lab"})                                  says what it is, not whose
//! ```

use super::*;
use crate::ir::Bin;
use crate::vocab::ownership;

impl Sweep<'_> {
    /// The key of a label that must have a written-out value, and whose word is one for an owner.
    pub fn shared_label(&self) -> Option<Sym> {
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
}
