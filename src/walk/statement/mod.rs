//! Statements in text become what the walk makes of everything else.
//!
//! ```text
//! cur.execute("SELECT name FROM labs WHERE owner = %s", (me,))      [e0 | e0 in rows("labs"), e0.owner == me]
//! cur.execute("DELETE FROM cart WHERE NOT EXISTS (SELECT 1          destroy e0, one of rows("cart"), when
//!   FROM item WHERE item.cart = cart.id)")                            not any e1 in rows("item") . e1.cart == e0.id
//! cur.execute("DELETE FROM labs WHERE id = %s", (lab.id,))          destroy lab.id
//! cur.execute("UPDATE jobs SET state = 'failed' WHERE ..")          terminate e0, one of rows("jobs")
//! ```
//! A table is the call `__sql__.rows(name)` with a site of its own at the place of the statement ([`rows`]): after that no
//! question knows what a table is. One statement reads a table once, however often it names it.
//!
//! **Keys.** `WHERE id = <value>` names the thing, as an argument of a method would: the value is what is destroyed, and
//! columns in further conditions are fields of what the value came from. Any other condition makes a sweep over the table.
//!
//! **Atomic.** What a statement reads for its own delete does not fail alone and leaves no time in between, so its reads
//! and effects are marked. A delete by key, and one that looks into a collection of the program, is decided outside.
//!
//! **Inferred.** Which column says "in use" is a guess within one schema: a table that only a subquery or a join reads has
//! a row that is not backed, so that a finding that rests on it is of medium confidence.
//!
//! **Cursors.** What was sent last through a cursor or connection is what `fetchall` and a loop over it give: it is kept
//! as the field `#rows` of the receiver, and so it crosses helpers like any other field.

mod bind;
mod change;
mod columns;
mod rows;
mod stated;
mod terms;

use super::*;
use crate::lang::embedded::{self, Given, Query, SourceId, Statement};
use crate::vocab::{Absence, Gives, Role};
use bind::Params;

/// One statement on its way: what its holes, sources and tables stand for.
pub(super) struct Sending {
    /// The call that sends it.
    call: ExprId,
    site: Site,
    /// Others live in what it speaks to.
    shared: bool,
    /// The call is known by its library.
    backed: bool,
    /// Values put into the text, by number.
    values: Vec<ExprId>,
    /// Values for its placeholders.
    params: Params,
    /// What a row of each source is.
    rows: FxHashMap<SourceId, rows::RowValue>,
    /// The table each source is of.
    names: FxHashMap<SourceId, String>,
    /// Each table in the order in which they were first named.
    tables: Vec<Table>,
    /// `WHERE id = <value>`: that column of that source is the value.
    key: Option<(SourceId, String, ExprId)>,
    /// The table being read now is cut off: limit, and where it goes on.
    page: Option<(ExprId, Option<ExprId>)>,
    /// Tables are read by a subquery or join.
    inside: u32,
    /// A collection of the program was looked into.
    consults: bool,
    /// How much more of the text is followed.
    budget: u32,
}

impl Sending {
    /// Nothing of it is known yet but the values that were put into its text.
    fn new(call: ExprId, site: Site, shared: bool, values: Vec<ExprId>) -> Self {
        Sending {
            call,
            shared,
            backed: site.row.is_some_and(|m| m.backed),
            values,
            params: Params::default(),
            rows: FxHashMap::default(),
            names: FxHashMap::default(),
            tables: vec![],
            key: None,
            page: None,
            inside: 0,
            consults: false,
            budget: BUDGET,
            site,
        }
    }
}

/// A table of a statement.
struct Table {
    name: String,
    /// The call that reads it.
    call: ExprId,
    /// Only a subquery or join names it.
    inside: bool,
}

/// Sources of one text that are followed; beyond it everything is opaque.
const BUDGET: u32 = 300;

impl Walk<'_> {
    /// A call that sends a text: what the text says, and else an opaque read.
    pub(super) fn statement(&mut self, row: &Row, call: &Call, e: ExprId, s: &mut State) -> ExprId {
        let prepared = self.prepared(row, call);
        let call = prepared.as_ref().unwrap_or(call);
        let text = match row.target {
            Some(b) => self.bound(call, row, b),
            None => call.args.first().map(|a| a.value),
        };
        let sent = text.and_then(|t| self.send(t, row, call, e, s));
        let rows = match sent {
            Some(rows) => rows,
            None => {
                // What is sent may be known to a caller.
                if text.is_some_and(|t| self.is_handed_in(t)) {
                    self.note_pending(e, s);
                }
                self.read(e);
                self.run_callbacks(e, &call.args, self.runs_once(call), s);
                e
            }
        };
        if let Some(cursor) = self.receiver(call) {
            s.heap.insert((cursor, sym("#rows")), rows);
        }
        let given = self.given_of(row.gives, rows);
        if row.absence == Absence::Error && row.gives != Gives::Rows { self.or_fails(given) } else { given }
    }

    /// What was prepared is sent by a method of its own, which is given the values alone.
    ///
    /// ```text
    /// let mut stmt = conn.prepare("DELETE FROM job WHERE id = ?1")?;      stmt is the text
    /// stmt.execute([id])?;                                                execute(stmt, [id])
    /// ```
    fn prepared(&mut self, row: &Row, call: &Call) -> Option<Call> {
        let text = self.receiver(call).filter(|r| self.is_text(*r))?;
        let given = row.target.and_then(|b| self.bound(call, row, b));
        if given == Some(text) || given.is_some_and(|t| self.is_text(t)) {
            return None;
        }
        let mut call = call.clone();
        call.args.insert(0, Arg { name: None, value: text });
        Some(call)
    }

    /// Sends a text where one is visible.
    pub(super) fn send(&mut self, text: ExprId, row: &Row, call: &Call, e: ExprId, s: &mut State) -> Option<ExprId> {
        let texts = self.texts(text);
        let (mut out, mut sent) = (None, vec![]);
        for (when, pieces) in texts.into_iter().rev() {
            let (pieces, values) = bind::numbered(&pieces);
            let reading = embedded::read(&pieces);
            let live = s.live;
            s.live = self.a.and(live, when);
            let rows = reading.map(|r| {
                let (rows, said) = self.run_reading(&r, values, text, row, call, e, s);
                sent.push((said, r));
                rows
            });
            s.live = live;
            out = match (rows, out) {
                (Some(r), Some(o)) => Some(self.a.choose(when, r, o)),
                (r, o) => r.or(o),
            };
        }
        // What one way of writing it may raise says nothing of the other.
        for (said, reading) in sent {
            self.read_tables(&said, &reading, e);
        }
        out
    }

    #[allow(clippy::too_many_arguments)]
    fn run_reading(
        &mut self,
        reading: &embedded::Reading,
        values: Vec<ExprId>,
        text: ExprId,
        row: &Row,
        call: &Call,
        e: ExprId,
        s: &mut State,
    ) -> (ExprId, Sending) {
        let mut site = self.a.site(call.site).clone();
        // Tables stand in the text, where that is written in the call.
        if let Some(span) = self.a.origin(text).filter(|span| site.whole.contains(*span)) {
            site.name = span;
        }
        let params = self.params(call, text, reading.placeholders);
        let mut said = Sending::new(e, site, row.shared, values);
        let mut answer = e;
        // `executemany(text, rows)`: the text for each of them.
        for (keep, params) in params {
            let live = s.live;
            s.live = self.a.and(live, keep);
            said.params = params;
            for statement in &reading.statements {
                answer = self.run_statement(statement, &mut said, s).unwrap_or(answer);
            }
            s.live = live;
        }
        (answer, said)
    }

    /// Notes the reads of a text. Those of a change are one with it, and of a query only the first can fail, for all of
    /// them.
    fn read_tables(&mut self, said: &Sending, reading: &embedded::Reading, e: ExprId) {
        let changes = reading.statements.iter().any(|s| !matches!(s, Statement::Query(_)));
        let atomic = changes || self.func.atomic;
        let first = said.tables.iter().position(|t| !t.inside).unwrap_or(0);
        for (at, table) in said.tables.iter().enumerate() {
            if atomic || at != first {
                self.reads.push(Read { call: table.call, atomic: true, under: None });
            } else {
                self.read(table.call);
            }
        }
        if changes {
            self.risk_of(e);
        } else if said.tables.is_empty() {
            self.read(e);
        }
    }

    /// One statement; the rows it gives, if any.
    fn run_statement(&mut self, statement: &Statement, said: &mut Sending, s: &State) -> Option<ExprId> {
        match statement {
            Statement::Query(q) => {
                if self.acts(q, said, s) {
                    return None;
                }
                Some(self.answer(q, said))
            }
            Statement::Delete(change, back) => {
                for hit in self.hits(change, said) {
                    self.done(EffectKind::Destroy, hit, said, s);
                }
                self.gone(change, back, said)
            }
            Statement::Update(change, set) => {
                let set: Vec<(Sym, ExprId)> =
                    set.iter().map(|(column, value)| (sym(column), self.value_of_term(value, said))).collect();
                let ends = self.ends(&set);
                if !ends && self.state_is_handed_in(&set) {
                    self.note_pending(said.call, s);
                }
                let kind = if ends { EffectKind::Terminate } else { EffectKind::Create };
                for hit in self.hits(change, said) {
                    self.done(kind, hit, said, s);
                }
                None
            }
            Statement::Insert(_, columns, rows) => {
                for hit in self.inserted(columns, rows.as_ref(), said) {
                    self.done(EffectKind::Create, hit, said, s);
                }
                None
            }
            Statement::Drop(names) => {
                for name in names {
                    let target = self.value_of_term(name, said);
                    let when = self.a.bool(true);
                    self.done(EffectKind::Destroy, change::Hit { target, when, atomic: false, by: None }, said, s);
                }
                None
            }
        }
    }

    fn done(&mut self, kind: EffectKind, hit: change::Hit, said: &Sending, s: &State) {
        let here = self.here(s);
        let when = self.a.and(here, hit.when);
        let from = self.effects.len();
        self.affect_one(kind, said.call, hit.target, when);
        for effect in self.effects.iter_mut().skip(from) {
            effect.atomic |= hit.atomic;
            effect.by = hit.by;
        }
    }

    /// As much of an answer as a call gives.
    pub(super) fn given_of(&mut self, gives: Gives, rows: ExprId) -> ExprId {
        match gives {
            Gives::Rows => rows,
            Gives::Row => self.first_of(rows),
            Gives::Value => {
                let row = self.first_of(rows);
                self.first_value(row)
            }
        }
    }

    /// One row or none, where it fails that there is none: `db.QueryRow(..).Scan(&x)`.
    fn or_fails(&mut self, row: ExprId) -> ExprId {
        match *self.a.get(row) {
            Expr::Choose(c, t, f) => {
                let f = self.or_fails(f);
                self.a.choose(c, t, f)
            }
            Expr::Lit(Lit::Nothing) => self.a.lit(Lit::Failed),
            _ => row,
        }
    }

    /// The first column of each row: `scalars()`.
    pub(super) fn first_column(&mut self, rows: ExprId) -> ExprId {
        if self.columns_of(rows).is_none() {
            return rows;
        }
        let mut out = self.a.lit(Lit::Empty);
        for p in self.spread(rows) {
            let give = self.row_field(p.elem, sym("0"));
            let g = self.a.gather(p.binder, p.keep, give);
            out = self.a.union(out, g);
        }
        out
    }

    /// The first column of a row of an answer; the row of a model is its value.
    pub(super) fn first_value(&mut self, row: ExprId) -> ExprId {
        if self.has_columns(row) { self.row_field(row, sym("0")) } else { row }
    }

    pub(super) fn first_of(&mut self, rows: ExprId) -> ExprId {
        if let Expr::One(x) = *self.a.get(rows) {
            return x;
        }
        let mut out = self.a.lit(Lit::Nothing);
        for p in self.spread(rows).into_iter().rev() {
            let some = self.a.any(p.binder, p.keep);
            out = self.a.choose(some, p.elem, out);
        }
        out
    }

    /// What was sent last through a cursor; anything else as it is.
    pub(super) fn rows_in(&self, e: ExprId, s: &State) -> ExprId {
        s.heap.get(&(e, sym("#rows"))).copied().unwrap_or(e)
    }

    /// A text that a function sends and its caller knows: what it gives is put in its place before anything that rests on
    /// it is copied. It stands where the text is said: `self.run("DELETE ..")`. The calls that were sent.
    pub(super) fn send_pending(
        &mut self,
        sum: &Summary,
        r: &mut Rebuild,
        here: ExprId,
        site: &Site,
        s: &State,
    ) -> Vec<ExprId> {
        let mut sent = vec![];
        for p in &sum.pending {
            let Some(m) = sum.arena.call_of(p.call).and_then(|c| sum.arena.site(c.site).row) else { continue };
            let row = self.ctx.vocab().row(m.row).clone();
            if !matches!(row.role, Role::Statement | Role::Execute) {
                continue;
            }
            let copy = r.expr(&mut self.a, p.call);
            let Some(call) = self.a.call_of(copy).cloned() else { continue };
            let said = self.a.new_site(Site { row: Some(m), ..site.clone() });
            let call = Call { site: said, ..call };
            let e = self.a.mk(Expr::Call(call.clone()));
            let mut inner = s.clone();
            inner.live = r.expr(&mut self.a, p.when);
            self.outer.push(here);
            let rows = self.statement(&row, &call, e, &mut inner);
            self.outer.pop();
            r.done.insert(p.call, rows);
            // That it fails is said where it is sent.
            let never = self.a.bool(false);
            for u in [Un::Raised, Un::NotFound] {
                if let Some(x) = sum.arena.find(&Expr::Unary(u, p.call)) {
                    r.done.insert(x, never);
                }
            }
            sent.push(p.call);
        }
        sent
    }

    /// The functions of the database that a query calls on what it gives: `SELECT pg_terminate_backend(pid) ..`. `false`:
    /// it only reads.
    fn acts(&mut self, q: &Query, said: &mut Sending, s: &State) -> bool {
        let embedded::Body::Select(select) = &q.body else { return false };
        let mut acted = false;
        for Given { term, .. } in &select.give {
            let embedded::Term::Call(name, _) = term else { continue };
            let Some(kind) = self.function_effect(name) else { continue };
            acted = true;
            let change = embedded::Change { sources: select.sources.clone(), keep: select.keep.clone() };
            for hit in self.calls_on_rows(&change, term, said) {
                self.done(kind, hit, said, s);
            }
        }
        acted
    }
}
