//! A query within a query speaks of the row of the outer one by its model's name.
//!
//! ```text
//! delete(Draft).where(~exists().where(Post.id == Draft.post_id))
//!     [e0 | e0 in delete(Draft), not any e1 in exists(Post) | e1.id == e0.post_id]
//! ```
//! A column of another model stays a name until the query that is of that model is narrowed; what then is left is of the
//! table that the inner query asks, where it names none itself.

use super::*;
use crate::vocab::Role;

impl Walk<'_> {
    /// Are the columns of two models compared, one of which may be the element's own?
    pub(super) fn joins(&mut self, l: ExprId, r: ExprId, elem: ExprId) -> bool {
        let model = |w: &Self, e: ExprId| match *w.a.get(e) {
            Expr::Path(p) => w.column(p).map(|c| c.0),
            _ => None,
        };
        let (Some(l), Some(r)) = (model(self, l), model(self, r)) else { return false };
        let Expr::Elem(b) = *self.a.get(elem) else { return false };
        l != r
            && match self.model_of(b).map(|m| self.a.get(m).clone()) {
                Some(Expr::Path(own)) => own == l || own == r,
                Some(_) => true,
                None => self.names_no_table(self.a.coll(b)),
            }
    }

    /// Is it what an element's query is of?
    pub(super) fn is_model_of(&mut self, x: ExprId, elem: ExprId) -> bool {
        match *self.a.get(elem) {
            Expr::Elem(b) => matches!(self.a.get(x), Expr::Param(_)) && self.model_of(b) == Some(x),
            _ => false,
        }
    }

    /// The columns of the element's own model for this element, and no others. A query within that asks the same model
    /// means its own rows.
    pub(super) fn of_own_model(&mut self, e: ExprId, elem: ExprId) -> ExprId {
        let Expr::Elem(b) = *self.a.get(elem) else { return e };
        match self.model_of(b).map(|m| self.a.get(m).clone()) {
            Some(Expr::Path(own)) => self.columns_bound(own, e, elem),
            _ => e,
        }
    }

    fn columns_bound(&mut self, model: Sym, e: ExprId, elem: ExprId) -> ExprId {
        let of = match *self.a.get(e) {
            Expr::Any(b, _) | Expr::Gather { of: b, .. } => self.model_of(b),
            _ => None,
        };
        if of.is_some_and(|m| *self.a.get(m) == Expr::Path(model)) {
            return e;
        }
        match *self.a.get(e) {
            Expr::Path(p) => match self.column(p) {
                Some((of, column)) if of == model => self.a.field(elem, column),
                _ => e,
            },
            Expr::Unary(u, x) => {
                let x = self.columns_bound(model, x, elem);
                self.a.unary(u, x)
            }
            Expr::Binary(o, l, r) => {
                let (l, r) = (self.columns_bound(model, l, elem), self.columns_bound(model, r, elem));
                self.a.binary(o, l, r)
            }
            Expr::Lookup(c, k) => {
                let (c, k) = (self.columns_bound(model, c, elem), self.columns_bound(model, k, elem));
                self.a.mk(Expr::Lookup(c, k))
            }
            Expr::Any(b, such) => {
                let such = self.columns_bound(model, such, elem);
                self.a.any(b, such)
            }
            Expr::Gather { of, keep, give } => {
                let (keep, give) = (self.columns_bound(model, keep, elem), self.columns_bound(model, give, elem));
                self.a.gather(of, keep, give)
            }
            _ => e,
        }
    }

    /// A query in the condition of another.
    pub(super) fn sub_query(&mut self, e: ExprId, elem: ExprId) -> ExprId {
        let e = self.of_own_model(e, elem);
        let (b, such) = match *self.a.get(e) {
            Expr::Any(b, such) => (b, such),
            Expr::Gather { of, keep, .. } => (of, keep),
            _ => return e,
        };
        let coll = self.a.coll(b);
        if !self.names_no_table(coll) {
            return e;
        }
        let mut model = None;
        self.a.mentions(such, &mut |x| {
            if let Expr::Path(p) = *self.a.get(x) {
                model = model.or(self.column(p).map(|c| c.0));
            }
            false
        });
        let Some(model) = model else { return e };
        let table = self.table_asked(coll, model);
        let inner = self.a.binder(table);
        let (from, to) = (self.a.mk(Expr::Elem(b)), self.a.mk(Expr::Elem(inner)));
        let such = self.columns_bound(model, such, to);
        let such = Rebuild::within().with(from, to).expr(&mut self.a, such);
        self.a.any(inner, such)
    }

    /// What a helper's statement asks by a condition, or of a model, that this caller hands in.
    pub(super) fn bound_here(&mut self, call: ExprId, target: ExprId, when: ExprId) -> ExprId {
        let sent = self.row_of(call).is_some_and(|r| r.role == Role::DeleteQuery);
        let Some(b) = spread::elem_root(&self.a, target).filter(|_| sent) else { return when };
        let elem = self.a.mk(Expr::Elem(b));
        let mut all = self.a.bool(true);
        for c in self.a.parts(when, Bin::And) {
            let c = match *self.a.get(c) {
                Expr::Unary(Un::Not, x) => {
                    let x = self.sub_query(x, elem);
                    self.a.not(x)
                }
                Expr::Any(..) | Expr::Gather { .. } => self.sub_query(c, elem),
                _ => self.of_own_model(c, elem),
            };
            all = self.a.and(all, c);
        }
        self.read_within(all);
        all
    }

    /// `exists()`, `select(literal(1))`: a query that does not say of which table.
    fn names_no_table(&self, coll: ExprId) -> bool {
        let Some(base) = self.query_base(coll).filter(|b| self.row_of(*b).is_some_and(|r| r.role == Role::Query))
        else {
            return false;
        };
        let first = self.a.call_of(base).and_then(|c| c.args.first()).map(|x| x.value);
        first.is_none_or(|x| matches!(self.a.get(x), Expr::Lit(_) | Expr::Call(_))) && self.is_built(base)
    }

    /// The same query with the table that its conditions speak of.
    fn table_asked(&mut self, coll: ExprId, model: Sym) -> ExprId {
        let Some(base) = self.query_base(coll) else { return coll };
        let Some(c) = self.a.call_of(base).cloned() else { return coll };
        let value = self.a.mk(Expr::Path(model));
        let asked = self.a.call(c.site, c.callee, vec![Arg { name: None, value }]);
        for read in self.reads.iter_mut().filter(|r| r.call == base) {
            read.call = asked;
        }
        asked
    }

    /// Is it a query that was made before?
    pub(super) fn is_query_made(&self, e: ExprId) -> bool {
        let made = matches!(self.a.get(e), Expr::Gather { .. } | Expr::Call(_));
        made && self.query_base(e).and_then(|b| self.row_of(b)).is_some_and(|r| r.role == Role::Query)
    }
}
