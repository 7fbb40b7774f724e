//! A query that deletes by key deletes the thing that the key was taken from.
//!
//! ```text
//! delete(Slot).where(Slot.id == row.id)                 row.id, and the conditions on the slot are conditions on the row
//! delete(Slot).where(Slot.task_id.in_(gone))            each of `gone`
//! delete(Slot).where(Slot.id.in_(select(Slot.id)..))    each of the rows that are selected, in one statement
//! ```
//! So what is known of the row, or of the list that was gathered, is known of what is deleted.

use super::*;

/// Something that a query deletes.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub(super) target: ExprId,
    pub(super) when: ExprId,
    /// Decided by the statement itself.
    pub(super) atomic: bool,
}

/// A column and the values it must have.
struct Said {
    column: Sym,
    values: Vec<spread::Source>,
    /// The list that holds them: with one of them in hand it is not empty.
    list: Option<ExprId>,
    atomic: bool,
}

impl Walk<'_> {
    /// What a query finds; where it is `sent` to delete, by the keys that it is given. One that asks more of the row looks at it once more.
    pub(super) fn rows_named(&mut self, q: ExprId, sent: bool) -> Vec<Named> {
        let mut out = vec![];
        for p in self.spread(q) {
            self.read_within(p.keep);
            let conjuncts = self.a.parts(p.keep, Bin::And);
            let key = (sent && self.is_query(p.binder)).then(|| self.key_among(&conjuncts, p.elem, p.binder)).flatten();
            let Some((at, said)) = key else {
                let atomic = self.is_decided_within(p.keep);
                out.push(Named { target: p.elem, when: p.keep, atomic });
                continue;
            };
            let left = conjuncts.iter().enumerate().filter(|(i, c)| *i != at && Some(**c) != said.list);
            let rest = left.fold(self.a.bool(true), |all, (_, c)| self.a.and(all, *c));
            for v in said.values {
                out.push(Named { target: v.elem, when: self.a.and(v.keep, rest), atomic: said.atomic });
            }
        }
        out
    }

    /// The conjunct that names the thing, if one does and none asks more of it.
    fn key_among(&mut self, conjuncts: &[ExprId], row: ExprId, b: BinderId) -> Option<(usize, Said)> {
        let model = self.model_of(b);
        let table = match model.map(|m| self.a.get(m)) {
            Some(Expr::Path(p)) => p.rsplit('.').next().unwrap_or_default().to_owned(),
            _ => String::new(),
        };
        let of_row = |a: &Arena, c: ExprId| a.mentions(c, &mut |x| x == row);
        let [at] = (0..conjuncts.len()).filter(|i| of_row(&self.a, conjuncts[*i])).collect::<Vec<_>>()[..] else {
            return None;
        };
        let said = self.values_of_column(*conjuncts.get(at)?, row)?;
        // Children of a row are not the row.
        let roots: Vec<_> = said.values.iter().map(|v| spread::elem_root(&self.a, v.elem)).collect();
        let drawn = roots.into_iter().all(|b| b.is_some_and(|b| model.is_some() && self.model_of(b) == model));
        let constant = |v: &spread::Source| matches!(self.a.get(v.elem), Expr::Lit(_) | Expr::Unknown(_));
        let named = !said.values.is_empty() && !said.values.iter().any(constant);
        (named && (drawn || self.names_rows(&table, &said.column))).then_some((at, said))
    }

    /// `row.column == value`, `row.column in values`
    fn values_of_column(&mut self, c: ExprId, row: ExprId) -> Option<Said> {
        let column = |a: &Arena, e: ExprId| match *a.get(e) {
            Expr::Field(x, f) if x == row => Some(f),
            _ => None,
        };
        match *self.a.get(c) {
            Expr::Binary(Bin::Eq, l, r) => {
                let (column, v) = match (column(&self.a, l), column(&self.a, r)) {
                    (Some(f), None) => (f, r),
                    (None, Some(f)) => (f, l),
                    _ => return None,
                };
                let one = self.a.mk(Expr::One(v));
                Some(Said { column, values: self.spread(one), list: None, atomic: false })
            }
            Expr::Unary(Un::Present, l) => {
                let Expr::Lookup(coll, k) = *self.a.get(l) else { return None };
                let column = column(&self.a, k)?;
                let given = self.collection(coll) || matches!(self.a.get(coll), Expr::Param(_));
                let own = self.a.mentions(coll, &mut |x| x == row);
                if !given || own {
                    return None;
                }
                let atomic = self.is_sub_query(coll);
                Some(Said { column, values: self.spread(coll), list: Some(coll), atomic })
            }
            _ => None,
        }
    }

    /// What is asked within the statement is asked when it is sent, and fails with it.
    pub(super) fn read_within(&mut self, keep: ExprId) {
        let bases = self.queries_within(keep);
        self.reads.iter_mut().filter(|r| bases.contains(&r.call)).for_each(|r| r.atomic = true);
    }

    /// The queries that are parts of an expression, and were not sent by themselves.
    pub(super) fn queries_within(&self, e: ExprId) -> Vec<ExprId> {
        let mut out = vec![];
        self.a.mentions(e, &mut |x| {
            let coll = match *self.a.get(x) {
                Expr::Any(b, _) | Expr::Gather { of: b, .. } => self.a.coll(b),
                _ => return false,
            };
            if self.is_sub_query(coll) {
                out.extend(self.query_base(coll));
            }
            false
        });
        out
    }

    /// Is all that a statement's conditions look into a part of that statement?
    ///
    /// ```text
    /// live = select(Lab.id)                                       never sent: read when the delete is
    /// execute(delete(Run).where(Run.lab.not_in(live)))
    /// ```
    fn is_decided_within(&self, keep: ExprId) -> bool {
        let (mut within, mut before) = (false, false);
        self.a.mentions(keep, &mut |x| {
            let coll = match *self.a.get(x) {
                Expr::Any(b, _) | Expr::Gather { of: b, .. } => self.a.coll(b),
                Expr::Lookup(coll, _) => coll,
                _ => return false,
            };
            match self.is_sub_query(coll) {
                true => within = true,
                false => before = true,
            }
            false
        });
        within && !before
    }

    /// Is it a query that was made and never sent: a part of the statement it stands in?
    pub(super) fn is_sub_query(&self, coll: ExprId) -> bool {
        let Some(base) = self.query_base(coll) else { return false };
        let select = self.row_of(base).is_some_and(|r| r.role == crate::vocab::Role::Query);
        let here = self.a.call_of(base).is_some_and(|c| self.a.site(c.site).via.is_none());
        select && here && !self.sent.contains(&base) && self.is_built(base)
    }

    /// `select(Slot)`, `Query::select().from(Slot)`: made by a function, or by what only makes queries, where
    /// `session.query(Slot)` is sent by being looked into.
    pub(super) fn is_built(&self, base: ExprId) -> bool {
        let made = self.a.call_of(base).is_some_and(|c| matches!(self.a.get(c.callee), Expr::Path(_)));
        made || self.row_of(base).is_some_and(|r| r.role == crate::vocab::Role::Query && !r.fails)
    }

    fn is_query(&self, b: BinderId) -> bool {
        use crate::vocab::Role;
        let row = self.query_base(self.a.coll(b)).and_then(|base| self.row_of(base));
        row.is_some_and(|r| matches!(r.role, Role::Query | Role::DeleteQuery | Role::UpdateQuery))
    }

    /// The model or table that a query is of.
    pub(super) fn model_of(&mut self, b: BinderId) -> Option<ExprId> {
        if !self.is_query(b) {
            return None;
        }
        let base = self.query_base(self.a.coll(b))?;
        let call = self.a.call_of(base)?;
        let Some(first) = call.args.first().map(|x| x.value) else {
            // `job::Entity::find()`
            let Expr::Path(p) = *self.a.get(call.callee) else { return None };
            let model = p.as_str().rsplit_once('.')?.0;
            let type_ = model.rsplit('.').next().is_some_and(|t| t.starts_with(char::is_uppercase));
            return type_.then(|| self.a.mk(Expr::Path(sym(model))));
        };
        match *self.a.get(first) {
            Expr::Path(p) => match self.column(p) {
                Some((model, _)) => Some(self.a.mk(Expr::Path(model))),
                None => Some(first),
            },
            Expr::Param(_) => Some(first),
            Expr::Field(x, _) if matches!(self.a.get(x), Expr::Param(_) | Expr::Path(_)) => Some(x),
            _ => None,
        }
    }
}
