//! Who could own what is made, and is at hand where it is made.
//!
//! ```text
//! pod, err := c.Pods(ns).Get(ctx, name, ..)
//! c.ConfigMaps(ns).Create(ctx, &corev1.ConfigMap{.. pod.Name ..}, ..)       read in the same namespace, and spoken of
//!
//! func (r *R) make(ctx, e *pressv1.Edition) error {
//!     return r.Create(ctx, &corev1.Secret{.. Namespace: e.Namespace .. e.Name ..})      handed in, likewise
//! ```
//! What a sweep asks about owns what it sweeps. Besides, programs that run can own, and the kinds of a project's own;
//! what only holds settings owns nothing.

use crate::ask::{Facts, base_read};
use crate::ir::{Expr, ExprId, sym};
use crate::rules::Scene;
use crate::rules::objects::spelled;
use crate::source::Span;
use crate::vocab::{Role, ScopeKind, ownership, selectors};

/// The namespace that a call is restricted to: by what it is given, by an option, or by the key it looks up.
pub(super) fn namespace(facts: &Facts, call: ExprId) -> Option<ExprId> {
    let a = facts.arena;
    let scoped = |e: ExprId| {
        let (call, row) = (a.call_of(e)?, facts.row(e)?);
        let scope = row.scope.iter().find(|s| s.kind == ScopeKind::Namespace)?;
        facts.vocab.bound(a, call, row, scope.bind)
    };
    let key = || {
        let (call, row) = (a.call_of(call)?, facts.row(call)?);
        let key = facts.vocab.bound(a, call, row, row.key.filter(|_| row.role == Role::Find)?)?;
        if let Some(part) = facts.vocab.part(a, key, sym("Namespace")) {
            return Some(part);
        }
        // `req.NamespacedName` is of the namespace that `req.Namespace` is.
        match *a.get(key) {
            Expr::Field(request, _) => a.find(&Expr::Field(request, sym("Namespace"))),
            _ => None,
        }
    };
    let option = || {
        let mut options = a.call_of(call)?.args.iter().filter(|x| facts.role(x.value) == Some(Role::Option));
        options.find_map(|x| scoped(x.value))
    };
    scoped(call).or_else(option).or_else(key)
}

/// Where owners are looked for.
pub(super) struct Owners<'a> {
    pub scene: &'a Scene<'a>,
    pub facts: &'a Facts<'a>,
    /// The call that makes something.
    pub made: ExprId,
    /// What it makes.
    pub object: ExprId,
    /// The namespace it is made in.
    pub here: ExprId,
}

impl Owners<'_> {
    /// Where the owner is read, made or handed in; `asked` are the kinds that the sweep asks about.
    pub fn found(&self, asked: &[String]) -> Option<Span> {
        let own = self.whose_namespace().into_iter();
        let reads = self.facts.summary.reads.iter().map(|r| r.call);
        let made = self.facts.summary.effects.iter().map(|e| e.call);
        let near = |e: &ExprId| *e != self.made && namespace(self.facts, *e) == Some(self.here);
        own.chain(made.chain(reads).filter(near)).find(|e| self.owns(*e, asked)).and_then(|e| self.place(e))
    }

    /// The object whose namespace what is made is put into.
    fn whose_namespace(&self) -> Option<ExprId> {
        let a = self.facts.arena;
        let field = |e: ExprId, name: &str| match *a.get(e) {
            Expr::Field(of, f) if spelled(name).contains(&f) => Some(of),
            _ => None,
        };
        let mut at = self.here;
        for _ in 0..4 {
            at = match *a.get(at) {
                // `x.namespace().unwrap_or_default()`
                Expr::Choose(_, t, f) => match a.get(t) {
                    Expr::Lit(_) => f,
                    _ => t,
                },
                _ => break,
            };
        }
        let of = field(at, "namespace")?;
        Some(field(of, "metadata").unwrap_or(of))
    }

    fn owns(&self, e: ExprId, asked: &[String]) -> bool {
        let Some(kind) = self.kind(e) else { return false };
        if asked.contains(&kind) {
            return true;
        }
        let can = ownership().kind(&kind).is_some() || kind == "Pod" || selectors().spelled(&kind).is_none();
        let told = self.facts.arena.mentions(self.object, &mut |x| x == e && x != self.here);
        can && told && self.is_of_a_cluster(e)
    }

    fn kind(&self, e: ExprId) -> Option<String> {
        match self.facts.arena.get(e) {
            Expr::Param(i) => self.facts.kind_of_type(self.type_of(*i)?),
            Expr::Elem(_) => self.facts.kind(base_read(self.facts, e)?),
            _ => self.facts.kind(e),
        }
    }

    fn type_of(&self, param: u16) -> Option<&'static str> {
        self.scene.func.params.get(param as usize)?.type_path.map(|p| p.as_str())
    }

    /// Is it an object of a cluster, by the API's version among the names that lead to its type, or by who reads it?
    fn is_of_a_cluster(&self, e: ExprId) -> bool {
        match self.facts.arena.get(e) {
            Expr::Param(i) => self.type_of(*i).is_some_and(is_versioned),
            Expr::Elem(_) => base_read(self.facts, e).is_some_and(|r| self.is_read_there(r)),
            _ => self.is_read_there(e),
        }
    }

    fn is_read_there(&self, e: ExprId) -> bool {
        let one = |role: Role| matches!(role, Role::Find | Role::First | Role::List);
        self.facts.row(e).is_some_and(|r| r.shared && one(r.role))
    }

    fn place(&self, e: ExprId) -> Option<Span> {
        match self.facts.arena.get(e) {
            Expr::Param(_) => Some(self.scene.func.name_span),
            Expr::Elem(_) => self.place(base_read(self.facts, e)?),
            _ => self.facts.arena.call_of(e).map(|c| self.facts.arena.site(c.site).name),
        }
    }
}

/// `api.v1.Edition`, `apis.v1alpha2.Edition`
fn is_versioned(path: &str) -> bool {
    let version = |part: &str| {
        let rest = part.strip_prefix('v').unwrap_or_default();
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.split(|c: char| c.is_ascii_digit()).all(|w| matches!(w, "" | "alpha" | "beta"))
    };
    path.rsplit('.').nth(1).is_some_and(version)
}

#[cfg(test)]
mod tests {
    use super::is_versioned;

    #[test]
    fn types_of_an_api() {
        assert!(is_versioned("example.org.press.api.v1.Edition"));
        assert!(is_versioned("press.v1alpha2.Edition"));
        assert!(!is_versioned("press.vault.Edition"));
        assert!(!is_versioned("Edition"));
    }
}
