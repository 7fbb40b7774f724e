//! Settings, and what they are where nobody says otherwise.
//!
//! ```text
//! flag.Duration("min-age", 0, "..")                       set ? what it says : 0
//! &cli.DurationFlag{Name: "min-age"} .. c.Duration("min-age")        the same, for it is declared without a value
//! ```
//! A limit of age that is nothing unless somebody sets it spares nothing as long as nobody does.

use super::*;

impl Walk<'_> {
    /// What a setting comes to.
    pub(super) fn setting(&mut self, row: &Row, call: &Call, e: ExprId) -> ExprId {
        let value = row.target.and_then(|b| self.bound(call, row, b));
        let name = row.key.and_then(|b| self.bound(call, row, b));
        let name = name.and_then(|n| self.a.as_str(n)).map(sym);
        let empty = match (value, name) {
            (Some(v), _) => *self.a.get(v) == Expr::Lit(Lit::Num(0)),
            (None, Some(name)) => self.ctx.declared_empty(self.func.name_span.file, &name),
            _ => false,
        };
        if !empty {
            return e;
        }
        let (set, zero) = (self.a.unary(Un::Present, e), self.a.lit(Lit::Num(0)));
        self.a.choose(set, e, zero)
    }
}
