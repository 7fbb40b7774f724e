//! A query that takes another table along speaks of the rows of both, and of rows to which the other has none.
//!
//! ```text
//! select(File).outerjoin(Note, Note.file == File.id).where(Note.id.is_(None))
//!     [e0 | e0 in select(File), not any e1 in related("Note") | e1.file == e0.id]
//! ```
//! What the other table must not hold is asked as a search for it. Any other condition on its columns must hold of one of
//! its rows.

use super::*;

/// A table that a query takes along.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joined {
    /// The model or table.
    table: Sym,
    /// When two rows belong together, where that is said.
    on: Option<ExprId>,
}

impl Walk<'_> {
    /// `query.outerjoin(Note, on)`: the same query, with a table of which there may be no row.
    pub(super) fn take_along(&mut self, row: &Row, call: &Call, e: ExprId) -> ExprId {
        let Some(query) = self.receiver(call).map(|q| self.table_asked_of(q, call)) else { return e };
        let vocab = self.ctx.vocab();
        let bound = |w: &Self, row: &Row, call: &Call, b: Option<_>| b.and_then(|b| vocab.bound(&w.a, call, row, b));
        let (mut table, mut on) = (bound(self, row, call, row.target), bound(self, row, call, row.key));
        // `notes::table.on(notes::file.eq(files::id))`
        if let Some(given) = table.and_then(|t| self.a.call_of(t).cloned())
            && let Some(m) = vocab.matched(&self.a, &given, &self.file)
            && let told = vocab.row(m.row)
            && told.role == crate::vocab::Role::Option
        {
            on = told.key.and_then(|b| self.bound(&given, told, b));
            table = self.receiver(&given);
        }
        if let (Some(base), Some(Expr::Path(table))) = (self.query_base(query), table.map(|t| self.a.get(t).clone())) {
            self.joined.entry(base).or_default().push(Joined { table, on });
        }
        query
    }

    /// A table that is a value of its own is a query of all its rows: `frames::table.filter(..)`.
    pub(super) fn table_asked_of(&mut self, q: ExprId, call: &Call) -> ExprId {
        match *self.a.get(q) {
            Expr::Path(p) if p.as_str().ends_with(".table") => {
                let site = self.a.site(call.site).clone();
                self.within_statement("table", vec![Arg { name: None, value: q }], site, true)
            }
            _ => q,
        }
    }

    /// A condition on the columns of a table that the element's query takes along. `None`: it asks none of them.
    pub(super) fn condition_on_joined(&mut self, e: ExprId, elem: ExprId) -> Option<ExprId> {
        let Expr::Elem(of) = *self.a.get(elem) else { return None };
        if self.joined.is_empty() || !self.aliases.is_empty() {
            return None;
        }
        let base = self.query_base(self.a.coll(of))?;
        let along = self.joined.get(&base)?.iter().find(|j| self.asks_columns(e, j.table)).copied()?;
        let name = self.a.str(table_name(along.table));
        let site = self.a.site(self.a.call_of(base)?.site).clone();
        let rows = self.within_statement("related", vec![Arg { name: None, value: name }], site, true);
        self.read(rows);
        let b = self.a.binder(rows);
        let one = self.a.mk(Expr::Elem(b));
        self.aliases.push((along.table, one));
        let asked = self.column_condition(e, elem);
        let on = along.on.map(|on| self.column_condition(on, elem));
        self.aliases.pop();
        let asked = self.columns_named(asked, along.table, one);
        let on = on.map(|on| self.columns_named(on, along.table, one));
        let (asked, on) = match self.model_of(of).map(|m| self.a.get(m).clone()) {
            Some(Expr::Path(own)) => {
                (self.columns_named(asked, own, elem), on.map(|on| self.columns_named(on, own, elem)))
            }
            _ => (asked, on),
        };
        let on = on.unwrap_or_else(|| {
            let (of, key) = (self.a.field(one, sym("of")), self.a.field(elem, sym("pk")));
            self.a.binary(Bin::Eq, of, key)
        });
        let there = self.a.any(b, on);
        let (yes, found) = (self.a.bool(true), self.presences(asked, one));
        let rest = self.put_for(&found, yes, asked);
        let asked = self.put_for(&found, there, asked);
        if !self.a.mentions(rest, &mut |x| x == one) {
            return Some(asked);
        }
        let both = self.a.and(on, asked);
        Some(self.a.any(b, both))
    }

    /// Where a column is asked to be there at all: of a row that may be missing, this says that the row is there.
    fn presences(&self, asked: ExprId, one: ExprId) -> Vec<ExprId> {
        let mut found = vec![];
        self.a.mentions(asked, &mut |x| {
            if let Expr::Unary(Un::Present, of) = *self.a.get(x)
                && matches!(*self.a.get(of), Expr::Field(row, _) if row == one)
            {
                found.push(x);
            }
            false
        });
        found
    }

    fn put_for(&mut self, found: &[ExprId], value: ExprId, within: ExprId) -> ExprId {
        found.iter().fold(within, |e, x| Rebuild::within().with(*x, value).expr(&mut self.a, e))
    }

    /// The columns of a table that are left as names, as columns of one of its rows.
    fn columns_named(&mut self, e: ExprId, table: Sym, row: ExprId) -> ExprId {
        let mut found = vec![];
        self.a.mentions(e, &mut |x| {
            if let Expr::Path(p) = *self.a.get(x) {
                found.extend(self.column_in(p, table).map(|column| (x, column)));
            }
            false
        });
        found.into_iter().fold(e, |e, (x, column)| {
            let value = self.a.field(row, column);
            self.put_for(&[x], value, e)
        })
    }

    fn asks_columns(&self, e: ExprId, table: Sym) -> bool {
        self.a.mentions(e, &mut |x| matches!(*self.a.get(x), Expr::Path(p) if self.asked_of(p, table).is_some()))
    }

    /// The column that a path asks of a table: `object::Column::Id`, `notes::id`, `Note.id`, or a method of one of these.
    fn asked_of(&self, p: Sym, table: Sym) -> Option<Sym> {
        let owner = || self.column_in(sym(p.as_str().rsplit_once('.')?.0), table);
        self.column_in(p, table).or_else(owner)
    }

    fn column_in(&self, p: Sym, table: Sym) -> Option<Sym> {
        if let Some((model, column)) = self.column(p) {
            return (model == table).then_some(column);
        }
        let mut parts = p.as_str().split('.').filter(telling);
        let (column, own) = (parts.next_back()?, parts.next_back()?);
        (table.as_str().split('.').rfind(telling) == Some(own)).then(|| sym(column))
    }

    /// The column of a table taken along that a path names, while a condition on it is read.
    pub(super) fn column_of_joined(&mut self, p: Sym) -> Option<ExprId> {
        let (table, one) = *self.aliases.last()?;
        let column = self.column_in(p, table)?;
        Some(self.a.field(one, column))
    }
}

/// Parts of a path that say which table or column it is.
fn telling(part: &&str) -> bool {
    !matches!(*part, "dsl" | "columns" | "table" | "Entity")
}

/// What people call the table.
fn table_name(table: Sym) -> &'static str {
    table.as_str().split('.').rfind(telling).unwrap_or(table.as_str())
}
