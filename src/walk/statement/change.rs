//! What a statement changes.
//!
//! ```text
//! DELETE FROM labs WHERE id = %s AND NOT busy         the value, when not (what it came from).busy
//! DELETE FROM labs WHERE id = ANY(%s)                 each of the values
//! DELETE FROM labs WHERE id NOT IN (SELECT ..)        an element of rows("labs"), when ..
//! ```

use super::rows::RowValue;
use super::*;
use crate::lang::embedded::{Change, Members, Relation, Source, Term};
use crate::vocab::FieldRole;
use crate::walk::spread;

/// Something that is changed, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) target: ExprId,
    pub(super) when: ExprId,
    /// Decided by the statement itself.
    pub(super) atomic: bool,
    /// The table, and the column that alone names the row.
    pub(super) by: Option<(Sym, Sym)>,
}

/// The thing a condition names: which conjunct, which column, its values with their conditions.
struct Named {
    at: usize,
    column: String,
    values: Vec<(ExprId, ExprId)>,
}

impl Walk<'_> {
    pub(super) fn hits(&mut self, change: &Change, said: &mut Sending) -> Vec<Hit> {
        self.rows_changed(change, None, said)
    }

    /// A function called on each row of a query.
    pub(super) fn calls_on_rows(&mut self, change: &Change, call: &Term, said: &mut Sending) -> Vec<Hit> {
        self.rows_changed(change, Some(call), said)
    }

    fn rows_changed(&mut self, change: &Change, call: Option<&Term>, said: &mut Sending) -> Vec<Hit> {
        let Some((main, others)) = change.sources.split_first() else {
            let target = match call {
                Some(Term::Call(_, args)) if !args.is_empty() => args.first().map(|t| self.value_of_term(t, said)),
                _ => None,
            };
            let when = self.value_of_term(&change.keep, said);
            return target.map(|target| Hit { target, when, atomic: false, by: None }).into_iter().collect();
        };
        let mut conjuncts = change.keep.conjuncts();
        conjuncts.extend(main.on.conjuncts());
        let (given, others): (Vec<&Source>, Vec<&Source>) = others
            .iter()
            .partition(|x| matches!(x.of, Relation::Value(_)) && x.join == crate::lang::embedded::Join::Inner);
        let mut outer = self.a.bool(true);
        for x in given {
            outer = self.bind_given(x, outer, said);
            conjuncts.extend(x.on.conjuncts());
        }
        let named = self.named(main, &conjuncts, said);
        let mut hits = match named {
            Some(named) => self.by_key(main, &others, conjuncts, named, call, said),
            None => self.swept(main, &others, &conjuncts, call, said),
        };
        for h in &mut hits {
            h.when = self.a.and(outer, h.when);
        }
        hits
    }

    /// One element of a collection of the program.
    fn bind_given(&mut self, x: &Source, outer: ExprId, said: &mut Sending) -> ExprId {
        let parts = self.parts_of(x, None, said);
        let (elem, keep) = match parts[..] {
            [one] => (one.elem, one.keep),
            _ => {
                let Relation::Value(t) = &x.of else { return outer };
                let coll = self.collection_given(t, said);
                let one = self.opaque_source(coll);
                (one.elem, one.keep)
            }
        };
        said.rows.insert(x.id, RowValue::One(elem));
        self.a.and(outer, keep)
    }

    fn by_key(
        &mut self,
        main: &Source,
        others: &[&Source],
        mut conjuncts: Vec<&Term>,
        named: Named,
        call: Option<&Term>,
        said: &mut Sending,
    ) -> Vec<Hit> {
        conjuncts.remove(named.at);
        let mut out = vec![];
        let mut by = None;
        if let Relation::Table(Term::Text(t)) = &main.of {
            said.names.insert(main.id, t.to_lowercase());
            let alone = conjuncts.is_empty() && others.is_empty();
            by = alone.then(|| (sym(&t.to_lowercase()), sym(&named.column)));
        }
        for (value, keep) in named.values {
            let row = self.row_behind(value);
            said.rows.insert(main.id, RowValue::One(row));
            said.key = Some((main.id, named.column.clone(), value));
            let when = self.satisfied(others, &conjuncts, said, &|_| false, &mut |w, _| w.a.bool(true));
            let when = self.a.and(keep, when);
            let target = self.target(value, call, said);
            out.push(Hit { target, when, atomic: false, by });
        }
        said.key = None;
        out
    }

    fn swept(
        &mut self,
        main: &Source,
        others: &[&Source],
        conjuncts: &[&Term],
        call: Option<&Term>,
        said: &mut Sending,
    ) -> Vec<Hit> {
        let mut out = vec![];
        for p in self.parts_of(main, None, said) {
            said.rows.insert(main.id, RowValue::One(p.elem));
            let when = self.satisfied(others, conjuncts, said, &|_| false, &mut |w, _| w.a.bool(true));
            let when = self.a.and(p.keep, when);
            let target = self.target(p.elem, call, said);
            out.push(Hit { target, when, atomic: !said.consults, by: None });
        }
        out
    }

    fn target(&mut self, row: ExprId, call: Option<&Term>, said: &mut Sending) -> ExprId {
        match call {
            Some(Term::Call(_, args)) if !args.is_empty() => match args.first() {
                Some(t) => self.value_of_term(t, said),
                None => row,
            },
            _ => row,
        }
    }

    /// The conjunct that names the thing, if one does.
    fn named(&mut self, main: &Source, conjuncts: &[&Term], said: &mut Sending) -> Option<Named> {
        let asks = conjuncts.iter().any(|t| t.asks());
        let table = match &main.of {
            Relation::Table(Term::Text(t)) => t.as_str(),
            _ => "",
        };
        let mut best: Option<Named> = None;
        for (at, t) in conjuncts.iter().enumerate() {
            let Some((column, values)) = self.values_of(t, main.id, said) else { continue };
            let key = self.names_rows(table, column);
            let drawn = values.iter().all(|v| spread::elem_root(&self.a, v.0).is_some());
            let constant = values.iter().any(|v| matches!(self.a.get(v.0), Expr::Lit(_) | Expr::Unknown(_)));
            if constant || !(key || drawn && !asks) {
                continue;
            }
            let named = Named { at, column: column.to_owned(), values };
            if key {
                return Some(named);
            }
            best = best.or(Some(named));
        }
        best
    }

    /// The values that a column must have.
    fn values_of<'t>(
        &mut self,
        t: &'t Term,
        main: SourceId,
        said: &mut Sending,
    ) -> Option<(&'t str, Vec<(ExprId, ExprId)>)> {
        let yes = self.a.bool(true);
        match t {
            Term::Same(l, r) => {
                let (column, value) = match (&**l, &**r) {
                    (Term::Column(s, c), v) if *s == main && from_outside(v, said) => (c, v),
                    (v, Term::Column(s, c)) if *s == main && from_outside(v, said) => (c, v),
                    _ => return None,
                };
                let value = self.value_of_term(value, said);
                // `WHERE id = %s` sent for a list of ids.
                Some((column, vec![(value, yes)]))
            }
            Term::In(x, members) => {
                let Term::Column(s, column) = &**x else { return None };
                if *s != main {
                    return None;
                }
                match &**members {
                    Members::Value(v) if from_outside(v, said) => {
                        let coll = self.collection_given(v, said);
                        let parts = self.spread(coll);
                        Some((column, parts.into_iter().map(|p| (p.elem, p.keep)).collect()))
                    }
                    Members::List(list) if list.iter().all(|v| matches!(v, Term::Hole(_))) => {
                        Some((column, list.iter().map(|v| (self.value_of_term(v, said), yes)).collect()))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Does a column tell the rows of a table apart: `id`, `name`, in `jobs` also `job_id`?
    pub(in crate::walk) fn names_rows(&self, table: &str, column: &str) -> bool {
        if self.ctx.vocab().field(sym(column)) == Some(FieldRole::Key) {
            return true;
        }
        let table = table.to_lowercase();
        let column = column.to_lowercase();
        let single = table.strip_suffix("es").filter(|t| column.starts_with(*t)).unwrap_or(table.trim_end_matches('s'));
        let rest = column.strip_prefix(single).map(|r| r.trim_start_matches('_'));
        !single.is_empty() && matches!(rest, Some("id" | "name" | "uuid" | "key" | "no" | "number"))
    }

    /// What a key was taken from: `lab` of `lab.id`, where that is a thing that was listed.
    fn row_behind(&self, value: ExprId) -> ExprId {
        match *self.a.get(value) {
            Expr::Field(x, _) if spread::elem_root(&self.a, x).is_some() => x,
            _ => value,
        }
    }

    /// What an insert makes.
    pub(super) fn inserted(&mut self, columns: &[String], rows: Option<&Query>, said: &mut Sending) -> Vec<Hit> {
        let Some(q) = rows else {
            let (target, when) = (said.call, self.a.bool(true));
            return vec![Hit { target, when, atomic: false, by: None }];
        };
        let rows = self.collected_rows(q, said, false);
        let mut out = vec![];
        for p in self.spread(rows) {
            let target = self.with_names(p.elem, columns);
            out.push(Hit { target, when: p.keep, atomic: false, by: None });
        }
        out
    }

    /// Values by position under the names of their columns.
    fn with_names(&mut self, row: ExprId, columns: &[String]) -> ExprId {
        let Expr::Record(parts) = self.a.get(row).clone() else { return row };
        let named = columns.iter().zip(&parts).map(|(c, p)| (sym(c), p.1)).collect::<Vec<_>>();
        if named.is_empty() { row } else { self.a.mk(Expr::Record(named)) }
    }

    /// Rows that a delete gives back: they are over.
    pub(super) fn gone(&mut self, change: &Change, back: &[Given], said: &mut Sending) -> Option<ExprId> {
        if back.is_empty() {
            return None;
        }
        let main = change.sources.first()?;
        let Relation::Table(name) = &main.of else { return None };
        let table = self.value_of_term(name, said);
        let gone = self.inner_call("gone", vec![table], said);
        let p = self.opaque_source(gone);
        said.rows.insert(main.id, RowValue::One(p.elem));
        let mut parts = vec![];
        for (i, g) in back.iter().enumerate() {
            let value = self.value_of_term(&g.term, said);
            parts.push((sym(&i.to_string()), value));
            parts.extend(g.name.as_deref().map(|n| (sym(n), value)));
        }
        let give = self.a.mk(Expr::Record(parts));
        Some(self.a.gather(p.binder, p.keep, give))
    }
}

/// Is it a value that the program gives, and nothing read by the statement?
fn from_outside(t: &Term, said: &Sending) -> bool {
    match t {
        Term::Hole(_) => true,
        // An element of a list of the program.
        Term::Column(s, _) | Term::Row(s) => said.rows.contains_key(s) && !said.names.contains_key(s),
        Term::Part(x, _) => from_outside(x, said),
        _ => false,
    }
}
