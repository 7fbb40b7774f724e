//! Rows of another table that belong to a row, asked by the relation's own name.
//!
//! ```text
//! Card.objects.filter(guests=None)            [e0 | e0 in .., not any e1 in related("guests") | e1.of == e0.pk]
//! delete(Recipe).where(~Recipe.menus.any())
//! Card.objects.annotate(held=Count("guests")).filter(held=0)
//! ```
//! A column of the row itself that is empty is the row's own word; a name in the plural is that of a relation.

use super::*;
use crate::vocab::{Role, Topic};

impl Walk<'_> {
    /// Is there a row that is related to an element under a name of many? Nothing where the name is no such.
    pub(super) fn related(&mut self, elem: ExprId, name: Sym) -> Option<ExprId> {
        let vocab = self.ctx.vocab();
        let last = name.rsplit('_').next().unwrap_or_default();
        let many = last.ends_with('s') && !vocab.speaks_of(Topic::Singular, last);
        let Expr::Elem(of) = *self.a.get(elem) else { return None };
        if !many || vocab.field(name).is_some() {
            return None;
        }
        self.related_rows(elem, of, name)
    }

    fn related_rows(&mut self, elem: ExprId, of: BinderId, name: Sym) -> Option<ExprId> {
        let base = self.query_base(self.a.coll(of))?;
        if !self.row_of(base).is_some_and(|r| matches!(r.role, Role::Query | Role::DeleteQuery)) {
            return None;
        }
        let site = self.a.site(self.a.call_of(base)?.site).clone();
        let value = self.a.str(name.as_str());
        let rows = self.within_statement("related", vec![Arg { name: None, value }], site, true);
        self.read(rows);
        let b = self.a.binder(rows);
        let one = self.a.mk(Expr::Elem(b));
        let (of, key) = (self.a.field(one, sym("of")), self.a.field(elem, sym("pk")));
        let same = self.a.binary(Bin::Eq, of, key);
        Some(self.a.any(b, same))
    }

    /// `annotate(held=Count("guests"))`: a field of the query's rows that counts others.
    pub(super) fn note_counts(&mut self, call: &Call, rows: ExprId) {
        let Some(base) = self.query_base(rows) else { return };
        for (field, value) in call.args.iter().filter_map(|x| Some((x.name?, x.value))) {
            let Some(row) = self.row_of(value).filter(|r| r.role == Role::Count) else { continue };
            let Some(count) = self.a.call_of(value).filter(|c| !some_only(&self.a, c)) else { continue };
            let of = row.target.and_then(|b| self.ctx.vocab().bound(&self.a, count, row, b));
            if let Some(Expr::Lit(Lit::Str(relation))) = of.map(|x| self.a.get(x)) {
                self.counts.insert((base, field), *relation);
            }
        }
    }

    /// The query of which only the number of rows is asked: `jobs::table.filter(c).count()`.
    pub(super) fn query_counted(&self, e: ExprId) -> Option<ExprId> {
        let c = self.a.call_of(e).filter(|c| matches!(self.a.get(c.callee), Expr::Path(p) if *p == "len"))?;
        let [ref rows] = c.args[..] else { return None };
        self.query_base(rows.value).map(|_| rows.value)
    }

    /// How many rows a query has: some number, or none.
    pub(super) fn how_many(&mut self, counted: ExprId, row: &Row, call: &Call, e: ExprId) -> ExprId {
        let q = self.query_counted(counted);
        let some = self.exists_in(q, row, call, e);
        let site = self.a.site(call.site).clone();
        let number = self.within_statement("count", vec![], site, true);
        let none = self.a.lit(Lit::Num(0));
        self.a.choose(some, number, none)
    }

    /// `filter(held=0)`, `held__lt=1`, `held__gt=0`: is nothing, or something, related?
    pub(super) fn counted(&mut self, parts: &[&str], how: &str, v: ExprId, elem: ExprId) -> Option<ExprId> {
        let ([field], Expr::Elem(of)) = (parts, self.a.get(elem)) else { return None };
        let of = *of;
        let base = self.query_base(self.a.coll(of))?;
        let relation = *self.counts.get(&(base, sym(field)))?;
        let Expr::Lit(Lit::Num(n)) = *self.a.get(v) else { return None };
        let none = match (how, n) {
            ("" | "exact" | "lte", 0) | ("lt", 1) => true,
            ("gt" | "ne", 0) | ("gte", 1) => false,
            _ => return None,
        };
        if self.ctx.vocab().field(relation) == Some(crate::vocab::FieldRole::Key) {
            return None;
        }
        let some = self.related_rows(elem, of, relation)?;
        Some(if none { self.a.not(some) } else { some })
    }
}

/// Is a count told more than the relation and switches? Then it counts some of the rows only.
fn some_only(a: &Arena, count: &Call) -> bool {
    count.args.iter().any(|x| x.name.is_some() && !matches!(a.get(x.value), Expr::Lit(_)))
}
