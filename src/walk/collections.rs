//! Collections in the memory of the process: what is asked of them.
//!
//! ```text
//! known.Has(name)                present(known[name])
//! listed.Difference(known)       listed -- known
//! ```

use super::*;
use crate::vocab::Role;

impl Walk<'_> {
    /// What a row says of a collection.
    pub(super) fn of_collection(&mut self, row: &Row, call: &Call, e: ExprId) -> ExprId {
        let coll = match row.target {
            Some(b) => self.bound(call, row, b),
            None => self.receiver(call),
        };
        let given = row.key.and_then(|b| self.bound(call, row, b)).or(call.args.first().map(|a| a.value));
        let (Some(coll), Some(x)) = (coll, given) else { return e };
        match row.role {
            Role::Member => {
                let there = self.entry(coll, x);
                self.a.unary(Un::Present, there)
            }
            Role::Minus => self.a.minus(coll, x),
            Role::Union => self.a.union(coll, x),
            _ => self.intersection(coll, x),
        }
    }
}
