//! What a program reads off an answer's rows.
//!
//! ```text
//! cur.execute("SELECT id, name AS n FROM t")      rows("t", #columns={0: "id", 1: "name", n: "name"})
//! row = cur.fetchone()                            row[0], row["id"] are the row's `id`; row.n is its `name`
//! cur.execute("SELECT count(*) FROM t")           row = (any e in rows("t") ? a number : 0)
//! if row[0] == 0: ..                              not any e in rows("t")
//! ```
//! Which column stands where is said by the call for the table, so that it is still known in a caller.

use super::*;

impl Walk<'_> {
    /// `row["0"]`, `row.name` of a row of an answer: a position or an alias is the column it stands for.
    pub(in super::super) fn row_field(&mut self, row: ExprId, field: Sym) -> ExprId {
        match *self.a.get(row) {
            // A truth value or a number has no columns.
            Expr::Unary(..) | Expr::Any(..) | Expr::Binary(Bin::And | Bin::Or | Bin::Eq | Bin::Lt, ..) => return row,
            _ if self.counts(row) => return row,
            Expr::One(x) if field == "0" || field == "-1" => return x,
            _ => {}
        }
        if let Some(columns) = self.columns_of_row(row) {
            let column = self.a.field(columns, field);
            if let Some(c) = self.a.as_str(column) {
                return self.a.field(row, sym(c));
            }
        }
        self.a.field(row, field)
    }

    /// Is it how many rows there are, or none?
    pub(in super::super) fn counts(&self, e: ExprId) -> bool {
        matches!(*self.a.get(e), Expr::Choose(_, t, f) if self.is_count(t) && *self.a.get(f) == Expr::Lit(Lit::Num(0)))
    }

    /// A comparison with how many rows there are: with none or one it asks whether there is one.
    pub(in super::super) fn count_test(&mut self, o: Bin, l: ExprId, r: ExprId) -> ExprId {
        let number = |w: &Self, e: ExprId| match w.a.get(e) {
            Expr::Lit(Lit::Num(n)) => Some(*n),
            _ => None,
        };
        let (count, other, first) = if self.counts(l) { (l, r, true) } else { (r, l, false) };
        let some = match *self.a.get(count) {
            Expr::Choose(c, ..) => c,
            _ => return self.a.binary(o, l, r),
        };
        match (o, number(self, other), first) {
            (Bin::Eq, Some(0), _) | (Bin::Lt, Some(0 | 1), true) => self.a.not(some),
            (Bin::Lt, Some(0), false) => some,
            // More than one, exactly two: open where there is some.
            (Bin::Lt, Some(_), false) | (Bin::Eq, Some(_), _) => {
                let open = self.a.unknown();
                self.a.and(some, open)
            }
            _ => self.a.binary(o, l, r),
        }
    }

    /// Is it the number of rows of something?
    fn is_count(&self, e: ExprId) -> bool {
        let Some(c) = self.a.call_of(e) else { return false };
        matches!(self.a.get(c.callee), Expr::Path(p) if *p == "__sql__.count")
    }

    /// Is it a row of an answer whose columns are known?
    pub(super) fn has_columns(&self, row: ExprId) -> bool {
        match *self.a.get(row) {
            Expr::Record(_) => true,
            Expr::Choose(_, t, f) => self.counts(row) || self.has_columns(t) || self.has_columns(f),
            _ => self.columns_of_row(row).is_some(),
        }
    }

    /// The columns asked for, of a row of an answer.
    fn columns_of_row(&self, row: ExprId) -> Option<ExprId> {
        match *self.a.get(row) {
            Expr::Elem(b) => self.columns_of(self.a.coll(b)),
            Expr::Choose(_, t, f) => self.columns_of_row(t).or_else(|| self.columns_of_row(f)),
            _ => None,
        }
    }

    pub(super) fn columns_of(&self, rows: ExprId) -> Option<ExprId> {
        match self.a.get(rows) {
            Expr::Call(c) => c.args.iter().find(|a| a.name.is_some_and(|n| n == "#columns")).map(|a| a.value),
            Expr::Gather { of, give, .. } if *self.a.get(*give) == Expr::Elem(*of) => self.columns_of(self.a.coll(*of)),
            Expr::Binary(Bin::Union, l, r) => self.columns_of(*l).or_else(|| self.columns_of(*r)),
            _ => None,
        }
    }
}
