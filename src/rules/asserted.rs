//! What a test asserts: that something was destroyed, or is to be.
//!
//! ```text
//! api.delete_pod.assert_called_once_with("p")     the destroying call was made
//! assert api.delete_pod.call_count == 1           likewise
//! assert "p" in reaped; assertEqual(deleted, ["p"])   it is among what is gone
//! assert is_zombie(vm); assertTrue(is_orphan(v))  it is named as doomed
//! assert not is_zombie(vm); assert deleted == []  says the opposite: nothing
//! ```

use super::Scene;
use super::words::{is_nothing, last_name, names};
use crate::ir::{Bin, Call, Expr, ExprId, Lit, Un};
use crate::source::Span;
use crate::vocab::{FileContext, Role, Topic};

/// How it is said.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Says {
    /// The destroying call was made.
    Called,
    /// The thing is nobody's: an orphan, a zombie.
    Doomed,
    /// The thing is among what is gone, or is to be destroyed.
    Gone,
}

/// An assertion that something is destroyed.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub says: Says,
    /// The assertion.
    pub at: Span,
    /// The name that says it.
    pub name: &'static str,
    /// What the destroying call must have been given first.
    pub given: Option<ExprId>,
}

/// Every such assertion of a test, in order.
pub(super) fn asserted(scene: &Scene) -> Vec<Claim> {
    let a = &scene.func.arena;
    let reader = Reader { scene };
    let mut out: Vec<Claim> = vec![];
    for e in a.ids() {
        let Some(call) = a.call_of(e) else { continue };
        if let Some((says, name)) = reader.assertion(call) {
            let plain = matches!(a.get(call.callee), Expr::Field(_, m) if m.starts_with("assert_"));
            let given = call.args.first().filter(|x| plain && x.name.is_none()).map(|x| x.value);
            out.push(Claim { says, at: a.site(call.site).whole, name, given });
        }
    }
    out.sort_by_key(|c| c.at);
    out
}

struct Reader<'a> {
    scene: &'a Scene<'a>,
}

type Said = Option<(Says, &'static str)>;

impl Reader<'_> {
    fn assertion(&self, call: &Call) -> Said {
        let a = &self.scene.func.arena;
        let arg = |i: usize| call.args.iter().filter(|x| x.name.is_none()).nth(i).map(|x| x.value);
        match a.get(call.callee) {
            Expr::Path(p) if p.as_str() == "assert" => self.claim(arg(0)?),
            Expr::Field(base, method) => {
                let row = self.scene.vocab.matched(a, call, &FileContext::default());
                if row.is_some_and(|m| self.scene.vocab.row(m.row).role == Role::AssertCalled) {
                    return self.destroying(*base);
                }
                let method = method.as_str().replace('_', "").to_ascii_lowercase();
                match method.as_str() {
                    "asserttrue" => self.claim(arg(0)?),
                    "assertin" => self.among(arg(1)?),
                    "assertequal" | "assertequals" | "assertcountequal" | "assertitemsequal" | "assertlistequal"
                    | "assertsetequal" | "assertis" => self.equal(arg(0)?, arg(1)?),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn claim(&self, e: ExprId) -> Said {
        let a = &self.scene.func.arena;
        match a.get(e) {
            Expr::Binary(Bin::And, l, r) => self.claim(*l).or_else(|| self.claim(*r)),
            Expr::Binary(Bin::Eq, l, r) => self.equal(*l, *r),
            // `x in reaped`
            Expr::Unary(Un::Present, x) => match a.get(*x) {
                Expr::Lookup(coll, _) => self.among(*coll),
                _ => None,
            },
            // `api.delete.called`
            Expr::Field(base, f) if matches!(f.as_str(), "called" | "called_once" | "call_count" | "await_count") => {
                self.destroying(*base)
            }
            Expr::Lookup(..) | Expr::Field(..) | Expr::Name(_) => self.gone(e),
            Expr::Call(c) => {
                let name = last_name(a, e);
                if matches!(a.get(c.callee), Expr::Path(p) if p.as_str() == "len") {
                    return self.gone(e);
                }
                self.predicate(name)
            }
            _ => None,
        }
    }

    /// `deleted == ["x"]`, `api.delete.call_count == 1`, `verdict(vm) == "orphan"`, `is_zombie(vm) is True`
    fn equal(&self, l: ExprId, r: ExprId) -> Said {
        let a = &self.scene.func.arena;
        let (e, value) =
            if matches!(a.get(l), Expr::Lit(_) | Expr::One(_) | Expr::Record(_)) { (r, l) } else { (l, r) };
        if is_nothing(a, value) || is_nothing(a, e) {
            return None;
        }
        if let Expr::Field(base, f) = a.get(e)
            && matches!(
                f.as_str(),
                "call_count"
                    | "await_count"
                    | "mock_calls"
                    | "call_args_list"
                    | "call_args"
                    | "method_calls"
                    | "await_args_list"
            )
        {
            return self.destroying(*base);
        }
        if matches!(a.get(value), Expr::Lit(Lit::Bool(true))) {
            return self.claim(e);
        }
        let word = match a.get(value) {
            Expr::Lit(Lit::Str(w)) => w.as_str(),
            Expr::Path(_) | Expr::Field(..) => last_name(a, value),
            _ => "",
        };
        if !word.contains([' ', '/']) && self.scene.vocab.speaks_of(Topic::Doomed, word) {
            return Some((Says::Doomed, word));
        }
        let counted = matches!(a.get(value), Expr::Lit(Lit::Num(_)));
        let listed =
            matches!(a.get(value), Expr::One(_) | Expr::Binary(Bin::Union, ..) | Expr::Record(_) | Expr::Gather { .. });
        if counted || listed { self.gone(e) } else { None }
    }

    /// The thing is in a collection of this name.
    fn among(&self, coll: ExprId) -> Said {
        let a = &self.scene.func.arena;
        if let Expr::Field(base, f) = a.get(coll)
            && matches!(f.as_str(), "mock_calls" | "call_args_list" | "method_calls" | "await_args_list" | "call_args")
        {
            return self.destroying(*base);
        }
        self.gone(coll)
    }

    /// A call that is asserted to have been made: does its name speak of destroying?
    fn destroying(&self, mock: ExprId) -> Said {
        let name = last_name(&self.scene.func.arena, mock);
        self.scene.vocab.speaks_of(Topic::Destroying, name).then_some((Says::Called, name))
    }

    /// Does the name of a value say that it holds what is gone, or what nobody knows?
    fn gone(&self, e: ExprId) -> Said {
        let vocab = self.scene.vocab;
        let names = names(&self.scene.func.arena, e);
        let last: Vec<_> = names.into_iter().rev().take(2).collect();
        if let Some(name) = last.iter().find(|n| vocab.speaks_of(Topic::Doomed, n)) {
            return Some((Says::Doomed, name));
        }
        last.iter().find(|n| vocab.speaks_of(Topic::Gone, n)).map(|name| (Says::Gone, *name))
    }

    /// `is_zombie`, `should_delete`, `may_reap`
    fn predicate(&self, name: &'static str) -> Said {
        let vocab = self.scene.vocab;
        if vocab.speaks_of(Topic::Doomed, name) {
            return Some((Says::Doomed, name));
        }
        let head = name.trim_start_matches('_').split('_').next().unwrap_or_default();
        let asks = matches!(head, "is" | "should" | "may" | "can" | "must" | "needs" | "to");
        let destroys = vocab.speaks_of(Topic::Destroying, name) || vocab.speaks_of(Topic::Gone, name);
        (asks && destroys).then_some((Says::Gone, name))
    }
}
