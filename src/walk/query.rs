//! Queries as values: a query builder is a listing whose conditions stand in the program.
//!
//! ```text
//! q = select(Lab).where(Lab.state == "up", Lab.seen < cutoff)     [e | e in select(Lab), e.state == "up" and e.seen < cutoff]
//! session.scalars(q).first()                                      (any e .. ? e : nothing)
//! Job.objects.exclude(id__in=known).delete()                      destroy e   when  not present(known[e.id])
//! ```
//! A narrowed listing is a [`Expr::Gather`] over the table; the first element of it is a search loop's match. So no
//! question ever speaks of queries.

use super::*;
use crate::vocab::{Operator, Role};

impl Walk<'_> {
    /// A query over a table or model. `exists(select(..))` is the query in it.
    pub(super) fn query(&mut self, row: &Row, call: &Call, e: ExprId) -> ExprId {
        let given = call.args.first().map(|x| x.value);
        if let Some(inner) = given.filter(|x| self.is_built(e) && self.is_query_made(*x)) {
            return if row.role == Role::Query { inner } else { self.changes_of(inner, call) };
        }
        if row.fails && row.role == Role::Query {
            self.read(e);
        }
        let narrowed = if row.scope.is_empty() { e } else { self.scoped(row, call, e) };
        // `select(Lab.id)`: what is given is the column.
        if let Some(x) = call.args.first().map(|a| a.value)
            && let Expr::Path(p) = *self.a.get(x)
            && let Some((_, column)) = self.column(p)
        {
            let mut out = self.a.lit(Lit::Empty);
            for src in self.spread(narrowed) {
                let give = self.a.field(src.elem, column);
                let g = self.a.gather(src.binder, src.keep, give);
                out = self.a.union(out, g);
            }
            return out;
        }
        narrowed
    }

    /// `delete(labs::table.filter(c))` is `delete(labs::table).filter(c)`.
    fn changes_of(&mut self, asked: ExprId, call: &Call) -> ExprId {
        let mut out = self.a.lit(Lit::Empty);
        for src in self.spread(asked) {
            let Some(value) = self.model_of(src.binder) else { return asked };
            let change = self.a.call(call.site, call.callee, vec![Arg { name: None, value }]);
            let b = self.a.binder(change);
            let elem = self.a.mk(Expr::Elem(b));
            let keep = Rebuild::within().with(src.elem, elem).expr(&mut self.a, src.keep);
            let g = self.a.gather(b, keep, elem);
            out = self.a.union(out, g);
        }
        out
    }

    /// `Lab.id` as a global name: the model and its column, where the name is written like one.
    pub(super) fn column(&self, p: Sym) -> Option<(Sym, Sym)> {
        let (model, column) = p.as_str().rsplit_once('.')?;
        let class = model.rsplit('.').next()?;
        // `job::Column::StartedAt` is what rows of `job::Entity` have.
        if class == "Column" && column.starts_with(char::is_uppercase) {
            let module = model.strip_suffix(class)?;
            return Some((sym(&format!("{module}Entity")), sym(&crate::vocab::snake(column))));
        }
        let upper = class.chars().next()?.is_uppercase();
        let lower = column.chars().next()?.is_lowercase();
        (upper && lower).then(|| (sym(model), sym(column)))
    }

    /// A query or collection with further conditions.
    pub(super) fn narrow(&mut self, row: &Row, call: &Call, e: ExprId) -> ExprId {
        let Some(q) = self.receiver(call) else { return e };
        let q = self.table_asked_of(q, call);
        let parts = self.spread(q);
        let mut out = self.a.lit(Lit::Empty);
        for src in parts {
            let elem = self.a.mk(Expr::Elem(src.binder));
            let conds = self.conditions(row, call, elem);
            let mut all = self.a.bool(true);
            for c in conds {
                all = self.a.and(all, c);
            }
            if row.negated {
                all = self.a.not(all);
            }
            let keep = self.a.and(src.keep, all);
            let g = self.a.gather(src.binder, keep, src.elem);
            out = self.a.union(out, g);
        }
        out
    }

    /// What a handle was narrowed to before anything was said of what is asked for.
    ///
    /// ```text
    /// db.Where("berth IS NULL").Find(&boats)      [e | e in db.Find(), not present(e.berth)]
    /// ```
    pub(super) fn narrowed_before(&mut self, call: &Call, rows: ExprId) -> Option<ExprId> {
        let handle = self.receiver(call)?;
        let Expr::Gather { of, keep, give } = *self.a.get(handle) else { return None };
        let plain = matches!(self.a.get(give), Expr::Elem(b) if *b == of);
        if !plain || self.query_base(handle).is_some_and(|q| self.row_of(q).is_some()) {
            return None;
        }
        let b = self.a.binder(rows);
        let elem = self.a.mk(Expr::Elem(b));
        let keep = Rebuild::within().with(give, elem).expr(&mut self.a, keep);
        Some(self.a.gather(b, keep, elem))
    }

    /// The query is sent: the read, or the delete, happens here.
    pub(super) fn execute(&mut self, q: Option<ExprId>, call: &Call, e: ExprId, s: &State) -> ExprId {
        let Some(q) = q else {
            self.read(e);
            return e;
        };
        let Some(base) = self.query_base(q) else {
            self.read(e);
            return e;
        };
        let (role, backed) = match self.row_of(base) {
            Some(r) => (r.role, true),
            None => (Role::Query, false),
        };
        match role {
            Role::DeleteQuery | Role::UpdateQuery => {
                if role == Role::DeleteQuery {
                    let here = self.here(s);
                    // The delete stands where the statement is sent, and is called what the statement is.
                    self.adopt_row(call, base);
                    for p in self.rows_named(q, true) {
                        let when = self.a.and(here, p.when);
                        self.effect(EffectKind::Destroy, e, p.target, when);
                        if let Some(last) = self.effects.last_mut() {
                            last.atomic |= p.atomic;
                        }
                    }
                }
                self.read(e);
                e
            }
            _ if backed => {
                // The same query, read here: a site of its own, so that the order of reads is that of the sending.
                self.adopt_row(call, base);
                self.reads.retain(|r| r.call != base);
                let Some(inner) = self.a.call_of(base).cloned() else { return e };
                let here = self.a.call(call.site, inner.callee, inner.args);
                self.read(here);
                self.read_with(q);
                self.read_within(q);
                self.sent.insert(here);
                Rebuild::within().with(base, here).expr(&mut self.a, q)
            }
            _ => {
                self.read(e);
                e
            }
        }
    }

    /// The queries that are parts of one that is sent are read with it.
    fn read_with(&mut self, q: ExprId) {
        let parts = self.queries_within(q);
        let (within, before): (Vec<Read>, Vec<Read>) = self.reads.iter().partition(|r| parts.contains(&r.call));
        self.reads = before;
        self.reads.extend(within);
    }

    fn adopt_row(&mut self, call: &Call, base: ExprId) {
        let row = self.a.call_of(base).and_then(|c| self.a.site(c.site).row);
        if let Some(site) = self.a.sites.get_mut(call.site.0 as usize) {
            site.row = row;
        }
    }

    /// Rows that are still to be read, whatever they were filtered by.
    pub(super) fn of_query(&self, e: ExprId) -> bool {
        let base = self.query_base(e).and_then(|q| self.row_of(q));
        base.is_some_and(|r| r.role == Role::Query)
    }

    /// The call that makes the query under its conditions. Choices share their arms: each is looked at once.
    pub(super) fn query_base(&self, q: ExprId) -> Option<ExprId> {
        let (mut todo, mut seen) = (vec![q], FxHashSet::default());
        while let Some(q) = todo.pop() {
            match self.a.get(q) {
                Expr::Call(_) => return Some(q),
                Expr::Gather { of, .. } => todo.push(self.a.coll(*of)),
                Expr::Choose(_, t, f) if seen.insert(q) => todo.extend([*f, *t]),
                Expr::Binary(Bin::Union, l, _) => todo.push(*l),
                _ => {}
            }
        }
        None
    }

    /// The first of a query or listing, or nothing; `get(id=..)` narrows it first.
    pub(super) fn first(&mut self, q: Option<ExprId>, row: &Row, call: &Call, e: ExprId) -> ExprId {
        let Some(q) = q else {
            self.read(e);
            return e;
        };
        let q = if row.scope.is_empty() { q } else { self.narrow(row, call, e) };
        if let Expr::One(x) = *self.a.get(q) {
            return x;
        }
        let parts = self.spread(q);
        if parts.is_empty() {
            return e;
        }
        let mut out = self.a.lit(Lit::Nothing);
        for p in parts.into_iter().rev() {
            let some = self.a.any(p.binder, p.keep);
            out = self.a.choose(some, p.elem, out);
        }
        out
    }

    pub(super) fn exists_in(&mut self, q: Option<ExprId>, row: &Row, call: &Call, e: ExprId) -> ExprId {
        let Some(q) = q else {
            self.read(e);
            return e;
        };
        let q = if row.scope.is_empty() { q } else { self.narrow(row, call, e) };
        let mut out = self.a.bool(false);
        for p in self.spread(q) {
            let some = self.a.any(p.binder, p.keep);
            out = self.a.or(out, some);
        }
        out
    }

    /// Conditions written over the model's columns, for this element: `Lab.workload == name`, `Lab.id.in_(ids)`.
    pub(super) fn column_condition(&mut self, e: ExprId, elem: ExprId) -> ExprId {
        match self.a.get(e).clone() {
            Expr::Path(p) => match (self.column_of_joined(p), self.column(p)) {
                (Some(column), _) => column,
                (None, Some((_, c))) => self.a.field(elem, c),
                (None, None) => e,
            },
            // `model.id`, where the query is of `model`.
            Expr::Field(x, f) if self.is_model_of(x, elem) => self.a.field(elem, f),
            Expr::Field(x, f) => {
                let y = self.column_condition(x, elem);
                self.a.field(y, f)
            }
            Expr::Unary(u, x) => {
                let x = self.column_condition(x, elem);
                self.a.unary(u, x)
            }
            Expr::Binary(Bin::Eq, l, r) if self.aliases.is_empty() && self.joins(l, r, elem) => {
                self.of_own_model(e, elem)
            }
            Expr::Binary(o, l, r) => {
                let (l, r) = (self.column_condition(l, elem), self.column_condition(r, elem));
                self.a.binary(o, l, r)
            }
            Expr::Choose(c, t, f) => {
                let (t, f) = (self.column_condition(t, elem), self.column_condition(f, elem));
                self.a.choose(c, t, f)
            }
            Expr::Any(..) | Expr::Gather { .. } => self.sub_query(e, elem),
            Expr::Call(c) => self.column_call(&c, e, elem),
            _ => e,
        }
    }

    fn column_call(&mut self, c: &Call, e: ExprId, elem: ExprId) -> ExprId {
        let (recv, name) = match *self.a.get(c.callee) {
            Expr::Field(r, m) => (Some(r), m),
            Expr::Path(p) => match p.as_str().rsplit_once('.') {
                Some((head, last)) => (Some(self.a.mk(Expr::Path(sym(head)))), sym(last)),
                None => (None, p),
            },
            _ => return e,
        };
        let Some(op) = self.ctx.vocab().operator(name) else { return e };
        let args: Vec<ExprId> = c.args.iter().map(|a| a.value).collect();
        if let Operator::And | Operator::Or | Operator::Not = op {
            let mut parts = args.into_iter().map(|x| self.column_condition(x, elem)).collect::<Vec<_>>().into_iter();
            let Some(first) = parts.next() else { return e };
            return match op {
                Operator::And => parts.fold(first, |l, r| self.a.and(l, r)),
                Operator::Or => parts.fold(first, |l, r| self.a.or(l, r)),
                _ => self.a.not(first),
            };
        }
        let Some(field) = recv.map(|r| self.column_asked(r, elem)) else { return e };
        if op == Operator::Related {
            return match *self.a.get(field) {
                Expr::Field(x, name) if x == elem => self.related(elem, name).unwrap_or(e),
                _ => e,
            };
        }
        let given = args.first().copied();
        let asked = match (op, given) {
            (Operator::In | Operator::NotIn, Some(coll)) => {
                let coll = self.of_own_model(coll, elem);
                let l = self.a.mk(Expr::Lookup(coll, field));
                self.a.unary(Un::Present, l)
            }
            (Operator::Less, Some(v)) => self.a.binary(Bin::Lt, field, v),
            (Operator::More, Some(v)) => self.a.binary(Bin::Lt, v, field),
            (_, Some(v)) if !matches!(self.a.get(v), Expr::Lit(Lit::Nothing)) => self.a.binary(Bin::Eq, field, v),
            _ => {
                let there = self.a.unary(Un::Present, field);
                self.a.not(there)
            }
        };
        if matches!(op, Operator::NotIn | Operator::IsNot) { self.a.not(asked) } else { asked }
    }

    /// The column that an operator is a method of. Written as a global name it is one of the table the query is of, unless
    /// the name says another.
    ///
    /// ```text
    /// diesel::delete(jobs::table).filter(jobs::state.eq("done"))      dsl::state, state
    /// ```
    fn column_asked(&mut self, receiver: ExprId, elem: ExprId) -> ExprId {
        let Expr::Path(p) = *self.a.get(receiver) else { return self.column_condition(receiver, elem) };
        if let Some(column) = self.column_of_joined(p) {
            return column;
        }
        if self.column(p).is_some() || !p.contains('.') {
            return self.column_condition(receiver, elem);
        }
        let own = match *self.a.get(elem) {
            Expr::Elem(b) => self.model_of(b),
            _ => None,
        };
        let telling = |part: &&str| !matches!(*part, "dsl" | "columns" | "table");
        let Some(Expr::Path(own)) = own.map(|m| self.a.get(m).clone()) else { return receiver };
        let mut parts = p.as_str().split('.').filter(telling);
        let (Some(column), table) = (parts.next_back(), parts.next_back()) else { return receiver };
        let of_own = own.as_str().split('.').rfind(telling) == table;
        if of_own { self.a.field(elem, sym(column)) } else { receiver }
    }

    /// `created__lt=x`, `state__in=(..)`, `owner__isnull=True`, `id=x`: a condition as a keyword.
    pub(super) fn keyword_condition(&mut self, name: Sym, v: ExprId, elem: ExprId) -> ExprId {
        let mut parts: Vec<&str> = name.as_str().split("__").collect();
        let last = parts.last().copied().unwrap_or_default();
        let known = matches!(
            last,
            "lt" | "lte" | "gt" | "gte" | "in" | "isnull" | "exact" | "iexact" | "startswith" | "contains" | "ne"
        );
        if known && parts.len() > 1 {
            parts.pop();
        }
        if let Some(counted) = self.counted(&parts, if known { last } else { "" }, v, elem) {
            return counted;
        }
        let field = parts.iter().fold(elem, |e, f| self.a.field(e, sym(f)));
        match (known, last) {
            (true, "lt" | "lte") => self.a.binary(Bin::Lt, field, v),
            (true, "gt" | "gte") => self.a.binary(Bin::Lt, v, field),
            (true, "in") => {
                let l = self.a.mk(Expr::Lookup(v, field));
                self.a.unary(Un::Present, l)
            }
            (true, "isnull") => {
                let there = self.there(&parts, field, elem);
                if self.a.as_bool(v) == Some(false) { there } else { self.a.not(there) }
            }
            (true, "ne") => {
                let same = self.a.binary(Bin::Eq, field, v);
                self.a.not(same)
            }
            (true, "startswith" | "contains") => {
                let prefix = self.a.field(field, sym("#prefix"));
                self.a.binary(Bin::Eq, prefix, v)
            }
            _ if matches!(self.a.get(v), Expr::Lit(Lit::Nothing)) => {
                let there = self.there(&parts, field, elem);
                self.a.not(there)
            }
            _ => self.a.binary(Bin::Eq, field, v),
        }
    }

    /// Is there something in a column, or a row under the name of a relation?
    fn there(&mut self, parts: &[&str], field: ExprId, elem: ExprId) -> ExprId {
        let related = match parts {
            [name] => self.related(elem, sym(name)),
            _ => None,
        };
        related.unwrap_or_else(|| self.a.unary(Un::Present, field))
    }
}
