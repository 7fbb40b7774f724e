//! How far a listing reaches: what limits it, and whether a reference reaches as far.
//!
//! ```text
//! list(namespace=cfg.namespace)              of this installation         read_dir(temp_dir().join("loom"))    of the host
//! pods(ns), secrets(ns)                      as far as each other         pods(), secrets(ns)                  not
//! ```

use super::*;
use crate::source::Language;
use crate::vocab::{Bind, ScopeKind, Topic};

impl Ask<'_> {
    /// Is what is listed a folder that all programs of the host share?
    pub(super) fn in_place_of_host(&self, call: ExprId) -> bool {
        let mut scopes = self.scopes(call).into_iter();
        scopes.any(|(kind, value)| kind == ScopeKind::Space && identity::place_of_host(&self.f, value))
    }

    /// Is the listing limited to a namespace, project, bucket or prefix that comes from configuration?
    pub(super) fn own_space(&self, call: ExprId) -> bool {
        // Looked up by a name that comes from configuration: nobody else's is found by it.
        let key = self.f.row(call).zip(self.a.call_of(call)).and_then(|(row, c)| {
            let key = row.key.filter(|_| row.role == Role::Find)?;
            self.f.vocab.bound(self.a, c, row, key)
        });
        if key.is_some_and(|k| identity::configured(&self.f, k)) {
            return true;
        }
        let scoped = self.scopes(call).iter().any(|(kind, value)| {
            // A prefix worked out from what was told is one's own as well, by whatever it was worked out.
            let told = *kind == ScopeKind::Prefix && self.is_made_of_given(*value);
            let space = matches!(kind, ScopeKind::Namespace | ScopeKind::Space) && !self.world.beside;
            (space || *kind == ScopeKind::Prefix) && (told || identity::configured(&self.f, *value))
        });
        scoped || self.beneath_one(call)
    }

    /// Is it listed beneath one given thing, or under a selector that nobody sees?
    ///
    /// ```text
    /// list_rules(security_group_id=group.id)     list_ports(**filters)
    /// ```
    fn beneath_one(&self, call: ExprId) -> bool {
        let Some(c) = self.a.call_of(call) else { return false };
        let limits = |n: Sym, v: ExprId| identity::limits(&self.f, n, v);
        let here = c.args.iter().any(|x| match (x.name, self.a.get(x.value)) {
            (Some(n), Expr::Record(p)) if n == "**" => {
                p.iter().any(|(n, v)| limits(*n, *v) || identity::holds_given(&self.f, *v))
            }
            (Some(n), value) if n == "**" => !matches!(value, Expr::Lit(_)),
            (Some(n), _) => limits(n, x.value),
            (None, _) => false,
        });
        // `services.list(project=p).execute()`, `s3.Bucket(self.bucket).objects.all()`
        // In Go every method of a library begins so: `client.Pods(ns)`.
        let types = self.f.row(call).is_none_or(|r| r.language != Language::Go);
        here || self.f.receiver(call).is_some_and(|x| self.made_for_one(x, types))
    }

    /// No literal, and nothing that was listed: one name that the program was told or worked out.
    fn is_told(&self, e: ExprId) -> bool {
        let listed = self.a.mentions(e, &mut |x| matches!(self.a.get(x), Expr::Elem(_)));
        !listed && !identity::literal(self.a, e)
    }

    fn is_made_of_given(&self, e: ExprId) -> bool {
        let param = self.a.mentions(e, &mut |x| matches!(self.a.get(x), Expr::Param(i) if *i > 0));
        param && self.is_told(e)
    }

    /// Is it a request, or a handle, that is limited so? `types`: a name with a capital is a type.
    fn made_for_one(&self, e: ExprId, types: bool) -> bool {
        match self.a.get(e) {
            // `def wake(cluster, remote_client)`
            Expr::Param(i) => self.f.summary.params.get(*i as usize).is_some_and(|n| self.reaches_one(*n)),
            // `self.project.branches`
            Expr::Field(x, n) => {
                let container = self.f.vocab.speaks_of(Topic::Container, n);
                container && identity::given(&self.f, e) || self.made_for_one(*x, types)
            }
            Expr::Choose(_, t, f) => self.made_for_one(*t, types) && self.made_for_one(*f, types),
            // `clusters.GetClient(key)`
            Expr::Call(_) if self.scopes(e).iter().any(|(k, v)| *k == ScopeKind::Space && self.is_told(*v)) => true,
            // `client.projects.get(project_id)`
            Expr::Call(c) if self.f.is_find(e) && c.args.iter().any(|x| self.is_told(x.value)) => true,
            Expr::Call(c) => {
                let container = types && self.f.called(e).is_some_and(|n| n.starts_with(char::is_uppercase));
                container && c.args.iter().any(|x| x.name.is_none() && self.is_told(x.value)) || self.beneath_one(e)
            }
            _ => false,
        }
    }

    /// Is it the name of a client of one of many that are managed from here?
    fn reaches_one(&self, name: Sym) -> bool {
        self.f.vocab.speaks_of(Topic::FarEnd, &name) && self.f.vocab.speaks_of(Topic::Remote, &name)
    }

    /// What restricts a listing, as far as it is given.
    fn scopes(&self, call: ExprId) -> Vec<(ScopeKind, ExprId)> {
        let (Some(row), Some(c)) = (self.f.row(call), self.a.call_of(call)) else { return vec![] };
        let given = |bind: Bind| {
            let v = self.f.vocab.bound(self.a, c, row, bind)?;
            let empty = matches!(self.a.get(v), Expr::Lit(Lit::Nothing | Lit::Empty));
            (!empty && !self.f.vocab.is_everywhere(self.a, v)).then_some(v)
        };
        let mut out: Vec<_> = row.scope.iter().filter_map(|s| Some((s.kind, given(s.bind)?))).collect();
        for options in row.scope.iter().filter(|s| s.kind == ScopeKind::Options) {
            for v in self.f.vocab.bound_all(self.a, c, row, options.bind) {
                self.options(v, &mut out);
            }
        }
        out
    }

    /// What is said by options, each a call that says what it restricts.
    fn options(&self, v: ExprId, out: &mut Vec<(ScopeKind, ExprId)>) {
        match *self.a.get(v) {
            Expr::One(x) => self.options(x, out),
            Expr::Binary(Bin::Union, l, r) => {
                self.options(l, out);
                self.options(r, out);
            }
            Expr::Call(_) if self.f.role(v) == Some(Role::Option) => out.extend(self.scopes(v)),
            _ => {}
        }
    }

    /// Would a stranger's thing be known here too?
    pub(super) fn knows_strangers(&self, reference: ExprId) -> bool {
        let Some(own) = self.subject.read(&self.f) else { return false };
        let (Some(r), Some(c)) = (self.f.row(reference), self.f.row(own)) else { return false };
        if !r.shared || !c.shared || r.library != c.library || !self.same_client(reference, own) {
            return false;
        }
        let have = self.scopes(own);
        // Looked up or listed in the namespace the subject itself is in.
        let beside = |k: &ScopeKind, v: &ExprId| *k == ScopeKind::Namespace && self.of_subject(*v);
        let limits = self.scopes(reference);
        let there = limits.iter().any(|(k, v)| beside(k, v));
        if self.f.is_find(reference) {
            return there;
        }
        (there || !self.keyed(reference))
            && limits.iter().all(|(k, v)| {
                let same = have.iter().any(|(l, w)| k == l && same_but_sites(self.a, *v, *w));
                *k == ScopeKind::Wide || same || beside(k, v)
            })
    }

    /// Made alike: the same client, or another of the same library's that is told the same, but for what limits the listing.
    ///
    /// ```text
    /// client.CoreV1().Pods(ns).List(..)     client.CoreV1().Secrets(ns).List(..)
    /// ```
    fn same_client(&self, x: ExprId, y: ExprId) -> bool {
        let told = |call: ExprId, receiver: ExprId| {
            let scopes = self.bound_scopes(call);
            let mut told = vec![];
            self.a.mentions(receiver, &mut |e| {
                if let Expr::Call(c) = self.a.get(e) {
                    // Of what kind it is says nothing of whose: `Api::<Pod>::all(client)`.
                    let own = c.args.iter().filter(|x| !x.name.is_some_and(|n| n.starts_with('#')));
                    told.extend(own.map(|x| x.value).filter(|v| !scopes.contains(v)));
                }
                false
            });
            told
        };
        let (Some(p), Some(q)) = (self.f.receiver(x), self.f.receiver(y)) else { return true };
        let (of_x, of_y) = (told(x, p), told(y, q));
        let alike = of_x.len() == of_y.len() && of_x.iter().zip(&of_y).all(|(v, w)| same_but_sites(self.a, *v, *w));
        same_but_sites(self.a, p, q) || alike
    }

    fn bound_scopes(&self, call: ExprId) -> Vec<ExprId> {
        let (Some(row), Some(c)) = (self.f.row(call), self.a.call_of(call)) else { return vec![] };
        row.scope.iter().filter_map(|s| self.f.vocab.bound(self.a, c, row, s.bind)).collect()
    }
}
