//! Rows of another table that belong to a row, asked by the relation's own name.
//!
//! ```text
//! Card.objects.filter(guests=None)            [e0 | e0 in .., not any e1 in related("guests") | e1.of == e0.pk]
//! delete(Recipe).where(~Recipe.menus.any())
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
}
