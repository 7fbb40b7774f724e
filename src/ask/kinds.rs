//! What kind of thing of a cluster a call is about: by what is known of it, the type of what it is given to fill or to write,
//! its name, or that of what it is a method of.
//!
//! ```text
//! c.List(ctx, &list)                             DeploymentList: Deployment
//! apps.delete_collection_namespaced_job(ns)      Job
//! c.AppsV1().Deployments(ns).List(ctx, o)        Deployment
//! c.PressV1().Editions(ns).Get(ctx, name, o)     Edition, which no table knows
//! Api::<Deployment>::all(c).list(&o)             Deployment
//! ```

use super::*;
use crate::vocab::{ScopeKind, ownership, selectors};

impl Facts<'_> {
    /// The kind that a call reads, makes or destroys.
    pub fn kind(&self, call: ExprId) -> Option<String> {
        self.kind_told(call).or_else(|| self.kind_named(call))
    }

    /// The same, where it is told by what is known of the call, or by the type of an argument.
    pub fn kind_told(&self, call: ExprId) -> Option<String> {
        let noun = self.row(call).and_then(|row| row.noun);
        let is_kind = |n: &str| ownership().kind(n).is_some() || selectors().spelled(n).is_some_and(|k| k.name == n);
        let by_noun = noun.filter(|n| is_kind(n)).map(|n| n.to_string());
        by_noun.or_else(|| self.arena.call_of(call)?.args.iter().find_map(|x| self.kind_of_value(x.value)))
    }

    /// The same, where its name says it, or that of what it is a method of.
    pub fn kind_named(&self, call: ExprId) -> Option<String> {
        let table = selectors();
        let method = |e: ExprId| match self.arena.get(self.arena.call_of(e)?.callee) {
            Expr::Field(_, name) => Some(*name),
            _ => None,
        };
        let by_name = || {
            let called = method(call)?;
            table.read_word(&called).or_else(|| table.made_word(&called)).map(|word| table.canonical(word))
        };
        let owner = self.receiver(call);
        let of = || {
            let given = self.arena.call_of(owner?)?.args.iter().find(|arg| arg.name.is_some_and(|n| n == "#of"))?;
            match self.arena.get(given.value) {
                Expr::Path(path) => Some(table.canonical(last(path))),
                _ => None,
            }
        };
        let by_owner = || {
            let name = method(owner?)?;
            // Any other that is asked for a namespace gives the things of a kind, in the plural.
            let other = || self.is_for_a_namespace(call, owner?).then(|| table.singular(&name)).flatten();
            table.spelled(&name).map(|k| k.name.clone()).or_else(other)
        };
        by_name().or_else(of).or_else(by_owner)
    }

    /// Is it the owner of the method that is given the namespace: `c.PressV1().Editions(ns)`?
    fn is_for_a_namespace(&self, call: ExprId, owner: ExprId) -> bool {
        let scope = || {
            let (c, row) = (self.arena.call_of(call)?, self.row(call)?);
            let scope = row.scope.iter().find(|s| s.kind == ScopeKind::Namespace)?;
            self.vocab.bound(self.arena, c, row, scope.bind)
        };
        let given = |ns: ExprId| self.arena.call_of(owner).is_some_and(|c| c.args.iter().any(|x| x.value == ns));
        scope().is_some_and(given)
    }

    /// The kind of an object, or of a list of such, by its type.
    pub fn kind_of_value(&self, value: ExprId) -> Option<String> {
        let Expr::Record(parts) = self.arena.get(value) else { return None };
        let typed = parts.iter().find(|p| p.0 == "#is").and_then(|p| self.arena.as_str(p.1))?;
        self.kind_of_type(typed)
    }

    /// The kind that a type is for, if it is for one and not for what goes with it.
    pub fn kind_of_type(&self, path: &str) -> Option<String> {
        let name = last(path);
        let name = name.strip_suffix("List").filter(|n| !n.is_empty()).unwrap_or(name);
        (!selectors().goes_along(name)).then(|| selectors().canonical(name))
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or_default()
}
