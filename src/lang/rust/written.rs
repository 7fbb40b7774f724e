//! Statements that are put together piece by piece.
//!
//! ```text
//! let mut q = QueryBuilder::new("DELETE FROM lab ");       q = "DELETE FROM lab "
//! q.push("WHERE owner = ").push_bind(owner);               q = format(q, "WHERE owner = "); q = format(q, owner)
//! q.build().execute(&pool).await?;                         sqlx.query(q).execute(pool)
//! ```
//! What is given to be bound stands in its place.

use super::build::{Binding, Cx};
use super::guess::Kind;
use super::uses::plain;
use crate::ir::{Expr, ExprId, Place, Stmt, Sym};
use syn::{Expr as E, ExprMethodCall};

/// Methods that write what they are given.
const WRITES: &[&str] = &["push", "push_str", "sql", "push_sql", "append_sql"];
/// Methods that write a place for a value.
const BINDS: &[&str] = &["push_bind", "push_values", "push_tuples", "separated", "param", "push_bind_unseparated"];
/// Methods that leave the text as it is.
const LEAVES: &[&str] = &["bind", "bind_ref", "binds", "reset"];
/// Methods that give the statement.
const GIVES: &[&str] = &["build", "build_query_as", "build_query_scalar", "query", "build_with_arguments"];

impl Cx<'_> {
    /// `QueryBuilder::new(..)`: the text that it begins with.
    pub fn begun_statement(&mut self, e: &E) -> Option<ExprId> {
        let E::Call(call) = e else { return None };
        let E::Path(path) = &*call.func else { return None };
        let parts: Vec<String> = path.path.segments.iter().map(|s| plain(&s.ident)).collect();
        let [.., of, new] = parts.as_slice() else { return None };
        if of != "QueryBuilder" || new != "new" {
            return None;
        }
        match call.args.first() {
            None => Some(self.arena.str("")),
            Some(text) => {
                let text = self.expr(text);
                matches!(self.arena.get(text), Expr::Lit(_) | Expr::Format(_)).then_some(text)
            }
        }
    }

    /// A method of a statement that is put together in a local.
    pub fn statement_step(&mut self, name: &str, x: &ExprMethodCall) -> Option<ExprId> {
        if ![WRITES, BINDS, LEAVES, GIVES].iter().any(|list| list.contains(&name)) {
            return None;
        }
        let local = self.statement_of(&x.receiver)?;
        // The steps before this one.
        if let E::MethodCall(before) = &*x.receiver {
            self.method_call(before);
        }
        let text = self.name(local);
        if GIVES.contains(&name) {
            let place = self.place(x.method.span(), x.method.span());
            let callee = self.path("sqlx.query");
            return Some(self.call(place, place, callee, vec![text]));
        }
        if !LEAVES.contains(&name) {
            let more = match x.args.first().filter(|_| WRITES.contains(&name) || name == "push_bind") {
                Some(given) => self.expr(given),
                None => self.arena.unknown(),
            };
            let whole = self.format(vec![text, more]);
            self.pending.push(Stmt::Let(Place::Name(local), whole));
        }
        Some(self.name(local))
    }

    /// The local in which a statement is put together, behind the steps of a chain.
    fn statement_of(&self, e: &E) -> Option<Sym> {
        match e {
            E::MethodCall(x) => {
                let step = plain(&x.method);
                let known = [WRITES, BINDS, LEAVES].iter().any(|list| list.contains(&step.as_str()));
                if known { self.statement_of(&x.receiver) } else { None }
            }
            E::Path(path) => match self.binding(&plain(path.path.get_ident()?)) {
                Some(Binding::Local(name, Kind::Statement)) => Some(name),
                _ => None,
            },
            E::Reference(x) => self.statement_of(&x.expr),
            E::Paren(x) => self.statement_of(&x.expr),
            _ => None,
        }
    }
}
