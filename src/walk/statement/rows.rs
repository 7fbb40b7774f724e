//! Sources of a statement: tables as calls, queries as collections and as searches.
//!
//! ```text
//! SELECT a.id FROM a LEFT JOIN b ON b.a = a.id WHERE b.id IS NULL
//!     [e0 | e0 in rows("a"), not any e1 in rows("b") . e1.a == e0.id]
//! x IN (SELECT k FROM t WHERE c)              any e in rows("t") . e.c and e.k == x
//! id IN (SELECT id FROM own WHERE c)          c of the same row: a subquery over its own table is no reference
//! SELECT count(*) FROM t WHERE c              (any e in rows("t") . e.c ? a number : 0)
//! ```

use super::*;
use crate::lang::embedded::{Body, Join, Relation, Select, Source, Term};
use crate::walk::spread;

/// What a row of a source is.
#[derive(Clone, Debug)]
pub(super) enum RowValue {
    /// One value, its columns being fields.
    One(ExprId),
    /// Values side by side; one without a name is a row of its own.
    Given(Vec<(Option<String>, ExprId)>),
}

/// The source and column that a search is for, and which given column must equal it.
pub(super) type Own = Option<(usize, SourceId, String)>;

/// What must hold of a row that was found.
pub(super) type Found<'f, 'w> = &'f mut dyn FnMut(&mut Walk<'w>, &mut Sending, &RowValue) -> ExprId;

/// Functions that make one value of many rows.
const AGGREGATES: &[&str] = &[
    "max",
    "min",
    "sum",
    "avg",
    "array_agg",
    "string_agg",
    "json_agg",
    "jsonb_agg",
    "group_concat",
    "bool_or",
    "bool_and",
    "every",
    "total",
    "collect",
    "last_value",
    "first_value",
    "any_value",
    "stddev",
    "variance",
];

impl<'w> Walk<'w> {
    /// The call for a table: one for each table of a statement.
    pub(super) fn table(&mut self, name: &str, columns: Option<ExprId>, said: &mut Sending) -> ExprId {
        let page = said.page.take();
        let key = if page.is_some() { format!("{name} in part") } else { name.to_owned() };
        if let Some(known) = said.tables.iter().find(|t| t.name == key) {
            return known.call;
        }
        let label = self.a.str(name);
        let mut args = vec![Arg { name: None, value: label }];
        let function = match page {
            Some((limit, next)) => {
                args.extend([Some(limit), next].into_iter().flatten().map(|value| Arg { name: None, value }));
                "page"
            }
            None if said.shared => "nodes",
            None => "rows",
        };
        args.extend(columns.map(|value| Arg { name: Some(sym("#columns")), value }));
        let backed = said.backed && said.inside == 0;
        let call = self.synthetic(function, args, said, backed);
        said.tables.push(Table { name: key, call, inside: said.inside > 0 });
        call
    }

    /// The call for something else that is read by its name, one for each of a statement.
    fn table_as(&mut self, function: &str, name: &str, said: &mut Sending) -> ExprId {
        let key = format!("{function} {name}");
        if let Some(known) = said.tables.iter().find(|t| t.name == key) {
            return known.call;
        }
        let value = self.a.str(name);
        let backed = said.backed && said.inside == 0;
        let call = self.synthetic(function, vec![Arg { name: None, value }], said, backed);
        said.tables.push(Table { name: key, call, inside: said.inside > 0 });
        call
    }

    pub(super) fn row_value(&mut self, row: &RowValue) -> ExprId {
        match row {
            RowValue::One(e) => *e,
            RowValue::Given(parts) => self.record(parts),
        }
    }

    /// A row as a record: by position and by name.
    fn record(&mut self, parts: &[(Option<String>, ExprId)]) -> ExprId {
        if let [(None, e)] = parts {
            return *e;
        }
        let mut out: Vec<(Sym, ExprId)> = parts.iter().enumerate().map(|(i, p)| (sym(&i.to_string()), p.1)).collect();
        for (name, e) in parts {
            if let Some(n) = name
                && !out.iter().any(|p| p.0 == n.as_str())
            {
                out.push((sym(n), *e));
            }
        }
        self.a.mk(Expr::Record(out))
    }

    /// The rows of a query that the program gets.
    pub(super) fn answer(&mut self, q: &Query, said: &mut Sending) -> ExprId {
        self.collected_rows(q, said, true)
    }

    pub(super) fn collected_rows(&mut self, q: &Query, said: &mut Sending, top: bool) -> ExprId {
        let page = self.page_of(q, said);
        let before = std::mem::replace(&mut said.page, page);
        let rows = self.collected_body(&q.body, said, top);
        said.page = before;
        rows
    }

    /// A cut that leaves rows out; one row is an answer, not a page.
    fn page_of(&mut self, q: &Query, said: &mut Sending) -> Option<(ExprId, Option<ExprId>)> {
        let limit = q.limit.as_ref().filter(|l| !matches!(l, Term::Number(n) if *n <= 1))?;
        let limit = self.value_of_term(limit, said);
        let next = q.offset.as_ref().map(|o| self.value_of_term(o, said));
        Some((limit, next))
    }

    fn collected_body(&mut self, b: &Body, said: &mut Sending, top: bool) -> ExprId {
        match b {
            Body::Select(s) => self.collected_select(s, said, top),
            Body::Union(l, r) => {
                let (l, r) = (self.collected_body(l, said, top), self.collected_body(r, said, top));
                self.a.union(l, r)
            }
            Body::Except(l, r) => {
                let (l, r) = (self.collected_body(l, said, top), self.collected_body(r, said, top));
                self.a.minus(l, r)
            }
            Body::Intersect(l, r) => {
                let (l, r) = (self.collected_body(l, said, top), self.collected_body(r, said, top));
                self.intersection(l, r)
            }
            Body::Nested(q) => self.collected_rows(q, said, top),
            Body::Values(rows) => {
                let mut out = self.a.lit(Lit::Empty);
                for r in rows {
                    let parts: Vec<_> = r.iter().map(|t| (None, self.value_of_term(t, said))).collect();
                    let row = self.record(&parts);
                    let one = self.a.mk(Expr::One(row));
                    out = self.a.union(out, one);
                }
                out
            }
        }
    }

    fn collected_select(&mut self, s: &Select, said: &mut Sending, top: bool) -> ExprId {
        let conjuncts = s.keep.conjuncts();
        if s.sources.is_empty() {
            let row = self.given(&s.give, said);
            let row = self.lone(&row);
            return self.a.mk(Expr::One(row));
        }
        if !s.grouped && s.give.iter().any(|g| aggregated(&g.term)) {
            return self.one_of_all(s, said);
        }
        let named = |src: &Source| s.give.iter().any(|g| g.term.mentions(src.id));
        let mut sources: Vec<&Source> = s.sources.iter().collect();
        // What is given says whose rows these are.
        if let Some(at) = sources.iter().position(|x| named(x))
            && at > 0
            && sources.get(at).is_some_and(|x| x.join == Join::Inner)
            && !s.sources.first().is_some_and(named)
        {
            let main = sources.remove(at);
            sources.insert(0, main);
        }
        let Some((main, others)) = sources.split_first() else { return self.a.lit(Lit::Empty) };
        // A join's condition on what comes first is a condition like any other.
        let mut conjuncts = conjuncts;
        conjuncts.extend(main.on.conjuncts());
        let (given, rest): (Vec<&Source>, Vec<&Source>) =
            others.iter().partition(|x| x.join == Join::Inner && named(x));
        let plain = top && given.is_empty() && s.give.iter().all(|g| is_column_of(&g.term, main.id));
        let columns = if plain { Some(self.column_names(s)) } else { None };
        self.gathered(main, &given, &rest, &conjuncts, s, columns, said)
    }

    #[allow(clippy::too_many_arguments)]
    fn gathered(
        &mut self,
        main: &Source,
        given: &[&Source],
        rest: &[&Source],
        conjuncts: &[&Term],
        s: &Select,
        columns: Option<ExprId>,
        said: &mut Sending,
    ) -> ExprId {
        let mut out = self.a.lit(Lit::Empty);
        for part in self.parts_of(main, columns, said) {
            said.rows.insert(main.id, RowValue::One(part.elem));
            let (keep, give) = match given.split_first() {
                Some((next, more)) => {
                    let unbound = |t: &Term| given.iter().chain(rest).any(|x| t.mentions(x.id));
                    let (now, mut later): (Vec<&Term>, Vec<&Term>) =
                        conjuncts.iter().copied().partition(|t| !unbound(t));
                    later.extend(next.on.conjuncts());
                    let keep = self.all(&now, said);
                    said.inside += 1;
                    let inner = self.gathered(next, more, rest, &later, s, None, said);
                    said.inside -= 1;
                    (keep, inner)
                }
                None => {
                    let keep = self.satisfied(rest, conjuncts, said, &|_| false, &mut |w, _| w.a.bool(true));
                    self.bind_outer(rest, said);
                    let give = match columns {
                        Some(_) => part.elem,
                        None => {
                            let row = self.given(&s.give, said);
                            self.row_value(&row)
                        }
                    };
                    (keep, give)
                }
            };
            let keep = self.a.and(part.keep, keep);
            let g = self.a.gather(part.binder, keep, give);
            out = self.a.union(out, g);
        }
        out
    }

    /// Sources whose row may be missing: the row, or nothing.
    fn bind_outer(&mut self, rest: &[&Source], said: &mut Sending) {
        for x in rest.iter().filter(|x| x.join == Join::Outer) {
            said.inside += 1;
            let parts = self.parts_of(x, None, said);
            let mut row = self.a.lit(Lit::Nothing);
            for p in parts {
                said.rows.insert(x.id, RowValue::One(p.elem));
                let on = self.value_of_term(&x.on, said);
                let such = self.a.and(p.keep, on);
                let some = self.a.any(p.binder, such);
                row = self.a.choose(some, p.elem, row);
            }
            said.inside -= 1;
            said.rows.insert(x.id, RowValue::One(row));
        }
    }

    /// `SELECT count(*), max(x) FROM ..`: one row made of all.
    fn one_of_all(&mut self, s: &Select, said: &mut Sending) -> ExprId {
        let mut parts = vec![];
        for g in &s.give {
            let value = match &g.term {
                Term::Count(_) => {
                    let some = self.search(s, None, said, &mut |w, _, _| w.a.bool(true));
                    let number = self.inner_call("count", vec![], said);
                    let none = self.a.lit(Lit::Num(0));
                    self.a.choose(some, number, none)
                }
                Term::Call(name, args) if AGGREGATES.contains(&name.as_str()) => {
                    let give = args.iter().take(1).map(|t| Given { name: None, term: t.clone() }).collect();
                    let all = Select { give, ..s.clone() };
                    let rows = self.collected_select(&all, said, false);
                    self.inner_call(name, vec![rows], said)
                }
                t => self.value_of_term(t, said),
            };
            parts.push((g.name.clone(), value));
        }
        let row = self.lone(&RowValue::Given(parts));
        self.a.mk(Expr::One(row))
    }

    /// One value alone is itself, for nobody asks more of it than its first column.
    fn lone(&mut self, row: &RowValue) -> ExprId {
        match row {
            RowValue::Given(parts) if parts.len() == 1 => match parts.first() {
                Some(p) => p.1,
                None => self.a.unknown(),
            },
            row => self.row_value(row),
        }
    }

    fn given(&mut self, give: &[Given], said: &mut Sending) -> RowValue {
        let mut out = vec![];
        for g in give {
            match &g.term {
                Term::Row(s) => match said.rows.get(s).cloned() {
                    Some(RowValue::Given(parts)) if g.name.is_none() => out.extend(parts),
                    Some(row) => {
                        let e = self.row_value(&row);
                        out.push((g.name.clone(), e));
                    }
                    None => {}
                },
                t => {
                    let e = self.value_of_term(t, said);
                    out.push((g.name.clone(), e));
                }
            }
        }
        RowValue::Given(out)
    }

    /// Positions and aliases of an answer, with the columns they stand for.
    fn column_names(&mut self, s: &Select) -> ExprId {
        let mut out = vec![];
        for (i, g) in s.give.iter().enumerate() {
            let Term::Column(_, column) = &g.term else { continue };
            let value = self.a.str(column);
            out.push((sym(&i.to_string()), value));
            if let Some(n) = g.name.as_deref().filter(|n| *n != column) {
                out.push((sym(n), value));
            }
        }
        self.a.mk(Expr::Record(out))
    }

    /// Where the rows of a source come from.
    pub(super) fn parts_of(&mut self, x: &Source, columns: Option<ExprId>, said: &mut Sending) -> Vec<spread::Source> {
        if said.budget == 0 {
            let coll = self.a.unknown();
            return vec![self.opaque_source(coll)];
        }
        said.budget -= 1;
        match &x.of {
            Relation::Table(name) => {
                let value = self.value_of_term(name, said);
                let name = self.table_label(name, value);
                said.names.insert(x.id, name.clone());
                let table = self.table(&name, columns, said);
                vec![self.opaque_source(table)]
            }
            Relation::Edges(label) => {
                let value = self.value_of_term(label, said);
                let label = self.table_label(label, value);
                let edges = self.table_as("edges", &label, said);
                vec![self.opaque_source(edges)]
            }
            Relation::Gone(name) => {
                let value = self.value_of_term(name, said);
                let gone = self.inner_call("gone", vec![value], said);
                vec![self.opaque_source(gone)]
            }
            Relation::Query(q) => {
                let rows = self.collected_rows(q, said, false);
                self.spread(rows)
            }
            Relation::Value(t) => {
                let coll = self.collection_given(t, said);
                self.spread(coll)
            }
        }
    }

    /// The name of a table; one that is a value is told from others by it.
    fn table_label(&self, name: &Term, value: ExprId) -> String {
        match (name, self.a.as_str(value)) {
            (Term::Text(t), _) => t.to_lowercase(),
            (_, Some(t)) => t.to_lowercase(),
            _ => format!("#{}", value.0),
        }
    }

    fn all(&mut self, conjuncts: &[&Term], said: &mut Sending) -> ExprId {
        let yes = self.a.bool(true);
        conjuncts.iter().fold(yes, |all, t| {
            let t = self.value_of_term(t, said);
            self.a.and(all, t)
        })
    }

    /// Rows of these sources exist for which the conditions hold, and `end`; `needs` says which of them `end` speaks of.
    pub(super) fn satisfied(
        &mut self,
        sources: &[&Source],
        conjuncts: &[&Term],
        said: &mut Sending,
        needs: &dyn Fn(SourceId) -> bool,
        end: &mut dyn FnMut(&mut Walk<'w>, &mut Sending) -> ExprId,
    ) -> ExprId {
        let unbound = |t: &Term| sources.iter().any(|x| t.mentions(x.id));
        let (now, later): (Vec<&Term>, Vec<&Term>) = conjuncts.iter().copied().partition(|t| !unbound(t));
        let first = self.all(&now, said);
        let Some((x, rest)) = sources.split_first() else {
            let end = end(self, said);
            return self.a.and(first, end);
        };
        said.inside += 1;
        let found = self.joined_source(x, rest, &later, said, needs, end);
        said.inside -= 1;
        self.a.and(first, found)
    }

    fn joined_source(
        &mut self,
        x: &Source,
        rest: &[&Source],
        later: &[&Term],
        said: &mut Sending,
        needs: &dyn Fn(SourceId) -> bool,
        end: &mut dyn FnMut(&mut Walk<'w>, &mut Sending) -> ExprId,
    ) -> ExprId {
        let null_test = later.iter().position(|t| asks_missing(t, x.id));
        if x.join == Join::Without || x.join == Join::Outer && null_test.is_some() {
            let mut later = later.to_vec();
            if let Some(at) = null_test {
                later.remove(at);
            }
            let on = x.on.conjuncts();
            let some = self.some_row(x, (&on, &[]), said, &mut |w, _| w.a.bool(true));
            let none = self.a.not(some);
            let more = self.satisfied(rest, &later, said, needs, end);
            return self.a.and(none, more);
        }
        let asked = later.iter().any(|t| t.mentions(x.id));
        let joined = needs(x.id) || rest.iter().any(|r| r.on.mentions(x.id));
        if x.join == Join::Outer && !asked && !joined {
            return self.satisfied(rest, later, said, needs, end);
        }
        let with_rest = |t: &&Term| t.mentions(x.id) && rest.iter().any(|r| t.mentions(r.id));
        if joined || later.iter().any(with_rest) {
            let on = x.on.conjuncts();
            return self.some_row(x, (&on, later), said, &mut |w, said| w.satisfied(rest, later, said, needs, end));
        }
        let (mut mine, others): (Vec<&Term>, Vec<&Term>) = later.iter().copied().partition(|t| t.mentions(x.id));
        mine.extend(x.on.conjuncts());
        let some = self.some_row(x, (&mine, &[]), said, &mut |w, _| w.a.bool(true));
        let more = self.satisfied(rest, &others, said, needs, end);
        self.a.and(some, more)
    }

    /// A row of a source exists for which the conditions hold, and `end`. What `end` asks may say besides which row it is.
    fn some_row(
        &mut self,
        x: &Source,
        (conjuncts, ends): (&[&Term], &[&Term]),
        said: &mut Sending,
        end: &mut dyn FnMut(&mut Walk<'w>, &mut Sending) -> ExprId,
    ) -> ExprId {
        if let Relation::Query(q) = &x.of {
            let own = conjuncts.iter().chain(ends).find_map(|t| joined_by(t, x.id, q));
            return self.exists_row(q, own, said, &mut |w, said, row| {
                said.rows.insert(x.id, row.clone());
                let all = w.all(conjuncts, said);
                let end = end(w, said);
                w.a.and(all, end)
            });
        }
        let mut out = self.a.bool(false);
        for p in self.parts_of(x, None, said) {
            said.rows.insert(x.id, RowValue::One(p.elem));
            let all = self.all(conjuncts, said);
            let end = end(self, said);
            let such = self.a.and(all, end);
            let such = self.a.and(p.keep, such);
            let some = self.a.any(p.binder, such);
            let some = self.said_at(some, said);
            out = self.a.or(out, some);
        }
        out
    }

    /// A query gives a row of which something holds.
    pub(super) fn exists_row(&mut self, q: &Query, own: Own, said: &mut Sending, found: Found<'_, 'w>) -> ExprId {
        if said.budget == 0 {
            return self.a.unknown();
        }
        said.budget -= 1;
        let page = self.page_of(q, said);
        let before = std::mem::replace(&mut said.page, page);
        said.inside += 1;
        let some = self.exists_in_body(&q.body, own, said, found);
        said.inside -= 1;
        said.page = before;
        some
    }

    fn exists_in_body(&mut self, b: &Body, own: Own, said: &mut Sending, found: Found<'_, 'w>) -> ExprId {
        match b {
            Body::Select(s) => self.search(s, own, said, found),
            Body::Union(l, r) => {
                let l = self.exists_in_body(l, own.clone(), said, found);
                let r = self.exists_in_body(r, own, said, found);
                self.a.or(l, r)
            }
            Body::Except(l, r) => self.exists_in_body(l, own, said, &mut |w, said, row| {
                let here = found(w, said, row);
                let there = w.exists_in_body(r, None, said, &mut |w, _, other| w.same_rows(row, other));
                let not_there = w.a.not(there);
                w.a.and(here, not_there)
            }),
            Body::Intersect(l, r) => self.exists_in_body(l, own, said, &mut |w, said, row| {
                let here = found(w, said, row);
                let there = w.exists_in_body(r, None, said, &mut |w, _, other| w.same_rows(row, other));
                w.a.and(here, there)
            }),
            Body::Nested(q) => self.exists_row(q, own, said, found),
            Body::Values(rows) => {
                let mut out = self.a.bool(false);
                for r in rows {
                    let parts = r.iter().map(|t| (None, self.value_of_term(t, said))).collect();
                    let some = found(self, said, &RowValue::Given(parts));
                    out = self.a.or(out, some);
                }
                out
            }
        }
    }

    /// A search through the sources of a select.
    fn search(&mut self, s: &Select, own: Own, said: &mut Sending, found: Found<'_, 'w>) -> ExprId {
        if !s.grouped && s.give.iter().any(|g| aggregated(&g.term) && !matches!(g.term, Term::Count(_))) {
            // One value made of all rows: the newest, the greatest.
            return self.a.unknown();
        }
        let through = own.as_ref().and_then(|o| through_query(s, o));
        let mut conjuncts = s.keep.conjuncts();
        conjuncts.extend(through.iter());
        let mut sources: Vec<&Source> = s.sources.iter().collect();
        let cut = said.page.is_some();
        let same = own.as_ref().and_then(|o| self.own_source(s, o, said));
        if let Some((at, row)) = same {
            let x = sources.remove(at);
            said.rows.insert(x.id, row);
            said.page = None;
            conjuncts.extend(x.on.conjuncts());
        }
        let needs = |id: SourceId| s.give.iter().any(|g| g.term.mentions(id));
        let some = self.satisfied(&sources, &conjuncts, said, &needs, &mut |w, said| {
            let row = w.given(&s.give, said);
            found(w, said, &row)
        });
        // The newest few of one's own table: a ranking, not a reference.
        if same_is_cut(cut, &own, &sources, s) {
            let open = self.a.unknown();
            return self.a.and(some, open);
        }
        some
    }

    /// The source of a subquery that is the row asked about itself: the same table, joined by the same column.
    fn own_source(&mut self, s: &Select, own: &(usize, SourceId, String), said: &Sending) -> Option<(usize, RowValue)> {
        let (given, source, column) = own;
        let Term::Column(inner, c) = &s.give.get(*given)?.term else { return None };
        if !c.eq_ignore_ascii_case(column) {
            return None;
        }
        let at = s.sources.iter().position(|x| x.id == *inner)?;
        let Relation::Table(Term::Text(name)) = &s.sources.get(at)?.of else { return None };
        let outer = said.names.get(source)?;
        if *outer != name.to_lowercase() || s.sources.get(at)?.join != Join::Inner {
            return None;
        }
        Some((at, said.rows.get(source)?.clone()))
    }

    /// The wanted value, or values side by side, are those of the row.
    pub(super) fn same_values(&mut self, wanted: ExprId, row: &RowValue) -> ExprId {
        let values: Vec<ExprId> = match row {
            RowValue::One(e) => vec![*e],
            RowValue::Given(parts) => parts.iter().map(|p| p.1).collect(),
        };
        let tuple: Option<Vec<ExprId>> = match self.a.get(wanted) {
            Expr::Record(parts) => Some(parts.iter().map(|p| p.1).collect()),
            _ => None,
        };
        let wanted = tuple.unwrap_or_else(|| vec![wanted]);
        let yes = self.a.bool(true);
        wanted.into_iter().zip(values).fold(yes, |all, (x, y)| {
            let same = self.alike(y, x);
            self.a.and(all, same)
        })
    }

    fn same_rows(&mut self, x: &RowValue, y: &RowValue) -> ExprId {
        match x {
            RowValue::One(e) => self.same_values(*e, y),
            RowValue::Given(parts) if parts.len() == 1 => match parts.first() {
                Some(p) => self.same_values(p.1, y),
                None => self.a.unknown(),
            },
            RowValue::Given(parts) => {
                let record = parts.iter().enumerate().map(|(i, p)| (sym(&i.to_string()), p.1)).collect();
                let record = self.a.mk(Expr::Record(record));
                self.same_values(record, y)
            }
        }
    }
}

/// A subquery that hands on what another gives: the row asked about may be found in that one.
///
/// ```text
/// WITH batch AS (SELECT p.id FROM page p WHERE c) DELETE FROM page WHERE id IN (SELECT id FROM batch)
/// ```
fn through_query(s: &Select, (given, source, column): &(usize, SourceId, String)) -> Option<Term> {
    let term = &s.give.get(*given)?.term;
    let Term::Column(inner, _) = term else { return None };
    let from = s.sources.iter().find(|x| x.id == *inner)?;
    let handed = from.join == Join::Inner && matches!(from.of, Relation::Query(_));
    handed.then(|| Term::Same(Box::new(term.clone()), Box::new(Term::Column(*source, column.clone()))))
}

/// A subquery over the own table alone that is cut off.
fn same_is_cut(cut: bool, own: &Own, left: &[&Source], s: &Select) -> bool {
    cut && own.is_some() && left.len() < s.sources.len()
}

/// `x.column IS NULL`
fn asks_missing(t: &Term, source: SourceId) -> bool {
    let Term::Not(t) = t else { return false };
    let Term::Present(t) = &**t else { return false };
    matches!(&**t, Term::Column(s, _) | Term::Row(s) if *s == source)
}

/// `other.column = x.given`: which given column of `x`, and what it equals.
fn joined_by(t: &Term, x: SourceId, q: &Query) -> Option<(usize, SourceId, String)> {
    let Term::Same(l, r) = t else { return None };
    for (l, r) in [(l, r), (r, l)] {
        if let (Term::Column(s, given), Term::Column(other, column)) = (&**l, &**r)
            && *s == x
            && *other != x
        {
            return Some((given_at(&q.body, given)?, *other, column.clone()));
        }
    }
    None
}

fn given_at(b: &Body, name: &str) -> Option<usize> {
    match b {
        Body::Select(s) => s.give.iter().position(|g| g.name.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(name))),
        Body::Union(l, _) | Body::Except(l, _) | Body::Intersect(l, _) => given_at(l, name),
        Body::Nested(q) => given_at(&q.body, name),
        Body::Values(_) => None,
    }
}

fn is_column_of(t: &Term, main: SourceId) -> bool {
    matches!(t, Term::Column(s, _) | Term::Row(s) if *s == main)
}

/// Is it made of all rows together?
fn aggregated(t: &Term) -> bool {
    match t {
        Term::Count(_) => true,
        Term::Call(name, _) if AGGREGATES.contains(&name.as_str()) => true,
        Term::Exists(_) | Term::Scalar(_) | Term::Column(..) => false,
        _ => {
            let mut found = false;
            t.parts(&mut |x| found = found || aggregated(x));
            found
        }
    }
}
