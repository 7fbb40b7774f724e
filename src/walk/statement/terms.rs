//! Values and conditions of a statement.

use super::rows::RowValue;
use super::*;
use crate::lang::embedded::{Members, Term};

/// A list of literals up to this length is one comparison for each.
const SHORT: usize = 8;

impl Walk<'_> {
    /// The value of a term. It stands where the statement is sent.
    pub(super) fn value_of_term(&mut self, t: &Term, said: &mut Sending) -> ExprId {
        let value = self.plain_value(t, said);
        if matches!(t, Term::Hole(_)) { value } else { self.said_at(value, said) }
    }

    /// Gives what was made for a statement its place.
    pub(super) fn said_at(&mut self, e: ExprId, said: &Sending) -> ExprId {
        if !matches!(self.a.get(e), Expr::Lit(_) | Expr::Param(_) | Expr::Elem(_) | Expr::Path(_) | Expr::Unknown(_)) {
            self.a.at(e, said.site.name);
        }
        e
    }

    fn plain_value(&mut self, t: &Term, said: &mut Sending) -> ExprId {
        match t {
            Term::Column(s, c) => self.column_of(*s, c, said),
            Term::Row(s) => match said.rows.get(s).cloned() {
                Some(row) => self.row_value(&row),
                None => self.a.unknown(),
            },
            Term::Hole(h) => self.hole(h, said),
            Term::Text(x) => self.a.str(x),
            Term::Number(n) => self.a.lit(Lit::Num(*n)),
            Term::Bool(b) => self.a.bool(*b),
            Term::Null => self.a.lit(Lit::Nothing),
            Term::Joined(parts) => {
                let parts = parts.iter().map(|p| self.value_of_term(p, said)).collect();
                self.a.mk(Expr::Format(parts))
            }
            Term::Part(x, key) => {
                let x = self.value_of_term(x, said);
                self.a.field(x, sym(key))
            }
            Term::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                let parts = parts.map(|(i, p)| (sym(&i.to_string()), self.value_of_term(p, said))).collect();
                self.a.mk(Expr::Record(parts))
            }
            Term::Not(x) => {
                let x = self.value_of_term(x, said);
                self.a.not(x)
            }
            Term::And(parts) => {
                let yes = self.a.bool(true);
                parts.iter().fold(yes, |all, p| {
                    let p = self.value_of_term(p, said);
                    self.a.and(all, p)
                })
            }
            Term::Or(parts) => {
                let no = self.a.bool(false);
                parts.iter().fold(no, |any, p| {
                    let p = self.value_of_term(p, said);
                    self.a.or(any, p)
                })
            }
            Term::Same(x, y) => {
                let (x, y) = (self.value_of_term(x, said), self.value_of_term(y, said));
                self.alike(x, y)
            }
            Term::Less(x, y) => {
                let (x, y) = (self.value_of_term(x, said), self.value_of_term(y, said));
                match self.counts(x) || self.counts(y) {
                    true => self.count_test(Bin::Lt, x, y),
                    false => self.a.binary(Bin::Lt, x, y),
                }
            }
            Term::Present(x) => {
                let x = self.value_of_term(x, said);
                self.a.unary(Un::Present, x)
            }
            Term::In(x, members) => self.member(x, members, said),
            Term::Exists(q) => self.exists_row(q, None, said, &mut |w, _, _| w.a.bool(true)),
            Term::Starts(x, y) => {
                let (x, y) = (self.value_of_term(x, said), self.value_of_term(y, said));
                let prefix = self.a.field(x, sym("#prefix"));
                self.a.binary(Bin::Eq, prefix, y)
            }
            Term::Linked(a, b) => self.linked(*a, *b, said),
            Term::Sum(x, y) => {
                let (x, y) = (self.value_of_term(x, said), self.value_of_term(y, said));
                self.a.binary(Bin::Add, x, y)
            }
            Term::Difference(x, y) => {
                let (x, y) = (self.value_of_term(x, said), self.value_of_term(y, said));
                self.a.binary(Bin::Sub, x, y)
            }
            Term::Span(parts) => self.database_call("interval", parts, said),
            Term::Either(parts) => self.either(parts, said),
            Term::Case(arms, or) => {
                let mut out = self.value_of_term(or, said);
                for (c, v) in arms.iter().rev() {
                    let (c, v) = (self.value_of_term(c, said), self.value_of_term(v, said));
                    out = self.a.choose(c, v, out);
                }
                out
            }
            Term::Scalar(q) => {
                said.inside += 1;
                let rows = self.collected_rows(q, said, false);
                said.inside -= 1;
                let row = self.first_of(rows);
                match self.a.get(row) {
                    Expr::Record(parts) => match parts.first() {
                        Some(p) => p.1,
                        None => row,
                    },
                    _ => self.row_field(row, sym("0")),
                }
            }
            Term::Count(_) => self.a.unknown(),
            Term::Call(name, args) => self.database_call(name, args, said),
            Term::Opaque(parts) if parts.is_empty() => self.a.unknown(),
            Term::Opaque(parts) => {
                let parts = parts.iter().map(|p| self.value_of_term(p, said)).collect();
                self.a.mk(Expr::Format(parts))
            }
        }
    }

    /// Equality; what is visibly the same, or visibly not, is decided.
    pub(super) fn alike(&mut self, x: ExprId, y: ExprId) -> ExprId {
        let known = |w: &Self, e: ExprId| matches!(w.a.get(e), Expr::Lit(_));
        match () {
            () if x == y && !matches!(self.a.get(x), Expr::Unknown(_)) => self.a.bool(true),
            () if known(self, x) && known(self, y) => self.a.bool(false),
            () if self.counts(x) || self.counts(y) => self.count_test(Bin::Eq, x, y),
            () => self.a.binary(Bin::Eq, x, y),
        }
    }

    fn column_of(&mut self, s: SourceId, column: &str, said: &Sending) -> ExprId {
        if let Some((source, name, value)) = &said.key
            && *source == s
            && name == column
        {
            return *value;
        }
        match said.rows.get(&s) {
            Some(RowValue::One(e)) => {
                let e = *e;
                self.a.field(e, sym(column))
            }
            Some(RowValue::Given(parts)) => {
                let named = parts.iter().find(|p| p.0.as_deref().is_some_and(|n| n.eq_ignore_ascii_case(column)));
                match (named, parts.iter().find(|p| p.0.is_none())) {
                    (Some(p), _) => p.1,
                    (None, Some((_, e))) => {
                        let e = *e;
                        self.a.field(e, sym(column))
                    }
                    (None, None) => self.a.unknown(),
                }
            }
            None => self.a.unknown(),
        }
    }

    fn member(&mut self, x: &Term, members: &Members, said: &mut Sending) -> ExprId {
        match members {
            Members::Query(q) => {
                let wanted = self.value_of_term(x, said);
                let own = match x {
                    Term::Column(s, c) => Some((0, *s, c.clone())),
                    _ => None,
                };
                self.exists_row(q, own, said, &mut |w, _, row| w.same_values(wanted, row))
            }
            Members::List(list) => {
                let x = self.value_of_term(x, said);
                let values: Vec<ExprId> = list.iter().map(|v| self.value_of_term(v, said)).collect();
                if values.len() <= SHORT {
                    let no = self.a.bool(false);
                    return values.into_iter().fold(no, |any, v| {
                        let same = self.alike(x, v);
                        self.a.or(any, same)
                    });
                }
                let mut all = self.a.lit(Lit::Empty);
                for v in values {
                    let one = self.a.mk(Expr::One(v));
                    all = self.a.union(all, one);
                }
                self.held_in(x, all)
            }
            Members::Value(v) => {
                let x = self.value_of_term(x, said);
                let coll = self.collection_given(v, said);
                said.consults = true;
                self.held_in(x, coll)
            }
        }
    }

    fn held_in(&mut self, x: ExprId, coll: ExprId) -> ExprId {
        let l = self.a.mk(Expr::Lookup(coll, x));
        self.a.unary(Un::Present, l)
    }

    /// The collection that a hole stands for.
    pub(super) fn collection_given(&mut self, v: &Term, said: &mut Sending) -> ExprId {
        if let Term::Hole(h) = v
            && let Some(all) = self.placeholders(h, said)
        {
            return all;
        }
        let coll = self.value_of_term(v, said);
        match *self.a.get(coll) {
            // `(tuple(ids),)`, `",".join(ids)`
            Expr::One(x) if self.collection(x) => x,
            Expr::Call(ref c) => match (self.a.get(c.callee), c.args.first()) {
                (Expr::Field(_, m), Some(a)) if *m == "join" => a.value,
                _ => coll,
            },
            Expr::Format(ref parts) if parts.len() == 1 => parts[0],
            _ => coll,
        }
    }

    fn either(&mut self, parts: &[Term], said: &mut Sending) -> ExprId {
        let mut values: Vec<ExprId> = parts.iter().map(|p| self.value_of_term(p, said)).collect();
        let Some(mut out) = values.pop() else { return self.a.unknown() };
        for v in values.into_iter().rev() {
            let there = self.a.unary(Un::Present, v);
            out = self.a.choose(there, v, out);
        }
        out
    }

    /// Two nodes with an edge between them. It is a fact about the one that is looked for.
    fn linked(&mut self, a: SourceId, b: SourceId, said: &Sending) -> ExprId {
        let row = |w: &mut Self, s: SourceId| said.rows.get(&s).cloned().map(|r| w.row_value(&r));
        let (Some(x), Some(y)) = (row(self, a), row(self, b)) else { return self.a.unknown() };
        let (from, to) = if a < b { (y, x) } else { (x, y) };
        let end = self.a.field(from, sym("#link"));
        self.a.binary(Bin::Eq, end, to)
    }

    /// A function of the database: a call, so that the vocabulary may know it.
    fn database_call(&mut self, name: &str, args: &[Term], said: &mut Sending) -> ExprId {
        let args = args.iter().map(|x| self.value_of_term(x, said)).collect();
        self.inner_call(name, args, said)
    }

    /// A call that stands in the statement, with its vocabulary row.
    pub(super) fn inner_call(&mut self, name: &str, args: Vec<ExprId>, said: &Sending) -> ExprId {
        let args = args.into_iter().map(|value| Arg { name: None, value }).collect();
        self.synthetic(name, args, said, true)
    }

    pub(super) fn synthetic(&mut self, name: &str, args: Vec<Arg>, said: &Sending, backed: bool) -> ExprId {
        self.within_statement(name, args, said.site.clone(), backed)
    }

    /// A call that stands inside a statement, at the place of the call that sends it.
    pub(in crate::walk) fn within_statement(&mut self, name: &str, args: Vec<Arg>, site: Site, backed: bool) -> ExprId {
        let callee = self.a.mk(Expr::Path(sym(&format!("__sql__.{name}"))));
        let site = self.a.new_site(Site { row: None, ..site });
        let call = Call { site, callee, args };
        let matched = self.ctx.vocab().matched(&self.a, &call, &self.file);
        if let Some(s) = self.a.sites.get_mut(site.0 as usize) {
            s.row = matched.map(|m| crate::vocab::Matched { backed: m.backed && backed, ..m });
        }
        self.a.mk(Expr::Call(call))
    }

    /// What a function of the database does to its argument, if anything.
    pub(super) fn function_effect(&mut self, name: &str) -> Option<EffectKind> {
        let callee = self.a.mk(Expr::Path(sym(&format!("__sql__.{name}"))));
        let value = self.a.unknown();
        let call = Call { site: SiteId(0), callee, args: vec![Arg { name: None, value }] };
        let m = self.ctx.vocab().matched(&self.a, &call, &self.file)?;
        match self.ctx.vocab().row(m.row).role {
            Role::Destroy => Some(EffectKind::Destroy),
            Role::Terminate => Some(EffectKind::Terminate),
            Role::Create => Some(EffectKind::Create),
            _ => None,
        }
    }
}
