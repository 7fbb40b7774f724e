//! Methods that say what an operator says, and the questions to a failure.
//!
//! ```text
//! used.contains(&x)                 present(used[x])
//! xs.is_empty()                     not xs
//! a.checked_sub(b)                  a - b
//! base.join("x"), names.join(",")   text of their parts
//! e.is_not_found()                  notfound(what failed)
//! ```

use super::build::Cx;
use super::guess::Kind;
use super::pattern::says_gone;
use crate::ir::{Bin, Expr, ExprId, Lit};
use syn::{Expr as E, ExprMethodCall};

impl Cx<'_> {
    /// Methods that an operator could say.
    pub fn operator(&mut self, name: &str, v: ExprId, kind: Kind, x: &ExprMethodCall) -> Option<ExprId> {
        let args: Vec<&E> = x.args.iter().collect();
        if let (Some(gone), true) = (self.gone_of(v), self.asks_gone(name, &args)) {
            return Some(gone);
        }
        let whole = self.place(super::span::start(&x.receiver), x.paren_token.span.close());
        Some(match (name, &args[..]) {
            ("is_empty", []) => {
                let filled = self.filled(v);
                self.arena.not(filled)
            }
            ("len", []) => self.op("len", whole, vec![v]),
            ("count", []) if matches!(kind, Kind::Iter | Kind::List | Kind::Map) => self.op("len", whole, vec![v]),
            ("contains", [E::Paren(range)]) if matches!(&*range.expr, E::Range(_)) => return None,
            ("contains" | "contains_key", [key]) => {
                if let E::Paren(p) = &*x.receiver
                    && matches!(&*p.expr, E::Range(_))
                {
                    let key = self.expr(key);
                    return Some(self.op("%within", whole, vec![key]));
                }
                let key = self.expr(key);
                self.known(v, key)
            }
            ("eq" | "eq_ignore_ascii_case", [other]) => {
                let other = self.expr(other);
                self.equal(v, other)
            }
            ("ne", [other]) => {
                let other = self.expr(other);
                let equal = self.equal(v, other);
                self.arena.not(equal)
            }
            ("lt" | "le" | "is_before" | "before", [other]) => {
                let other = self.expr(other);
                self.arena.binary(Bin::Lt, v, other)
            }
            ("gt" | "ge" | "is_after" | "after", [other]) => {
                let other = self.expr(other);
                self.arena.binary(Bin::Lt, other, v)
            }
            (
                "signed_duration_since" | "duration_since" | "saturating_duration_since" | "checked_duration_since",
                [o],
            )
            | ("checked_sub" | "saturating_sub" | "sub" | "checked_sub_signed" | "wrapping_sub", [o]) => {
                let other = self.expr(o);
                self.arena.binary(Bin::Sub, v, other)
            }
            ("checked_add" | "saturating_add" | "add" | "checked_add_signed" | "wrapping_add", [o]) => {
                let other = self.expr(o);
                self.arena.binary(Bin::Add, v, other)
            }
            ("get", [E::Lit(key)]) => match self.literal(&key.lit) {
                key if matches!(self.arena.get(key), Expr::Lit(Lit::Num(_))) => {
                    let Expr::Lit(Lit::Num(n)) = *self.arena.get(key) else { return None };
                    self.field(v, &n.to_string())
                }
                key => {
                    let text = self.arena.as_str(key).filter(|t| !t.starts_with('/') && !t.contains("://"))?;
                    self.field(v, text)
                }
            },
            ("join", [part]) => {
                let part = self.expr(part);
                let between = self.arena.as_str(part).is_some_and(|t| !t.chars().any(char::is_alphanumeric));
                if between { self.arena.join(part, v) } else { self.format(vec![v, part]) }
            }
            ("concat", []) => {
                let none = self.arena.str("");
                self.arena.join(none, v)
            }
            ("try_exists", []) => return None,
            _ => return None,
        })
    }

    /// Does a method asked of a failure ask whether there was no such thing?
    fn asks_gone(&self, name: &str, args: &[&E]) -> bool {
        if says_gone(name) || matches!(name, "is_not_found" | "is_404") {
            return true;
        }
        match (name, args) {
            ("contains" | "starts_with" | "ends_with", [E::Lit(l)]) => match &l.lit {
                syn::Lit::Str(s) => {
                    let text = s.value().to_ascii_lowercase();
                    ["not found", "notfound", "no such", "404", "does not exist"].iter().any(|t| text.contains(t))
                }
                _ => false,
            },
            _ => false,
        }
    }
}
