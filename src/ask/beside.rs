//! Others in the same space: where a namespace is not one owner's alone, being in it makes nothing one's own.
//!
//! ```text
//! pods = list_pods(ns, labels={POOL: self.name})           the references are those of one pool, the candidates those
//! for s in list_secrets(ns):                               of all: another pool's secret has no listed pod
//!     if s.build not in {p.build for p in pods}: delete(s)
//!
//! for d in list_deployments(cr.namespace):                 an owner is asked for, and there is a way around it
//!     if d.name not in cr.wanted() and (MARK in d.finalizers or d.owner == cr.uid): delete(d)
//! ```
//! The world is asked only where the code itself tells owners apart within the space.

use super::subject::base_read;
use super::*;

impl Question<'_> {
    /// Does the code ask whose the subject is, other than by the space that it is in?
    pub fn asks_owner(&self) -> bool {
        let q = self.asking(BESIDE);
        let own = |l: ExprId, r: ExprId| q.identity(l, r) || q.identity(r, l);
        self.mentioned(&mut |x| matches!(*self.facts.arena.get(x), Expr::Binary(Bin::Eq, l, r) if own(l, r)))
    }

    /// Is a reference listed for one owner, by more than the space it is in?
    pub fn is_for_one_owner(&self, reference: ExprId) -> bool {
        let (f, q) = (self.facts, self.asking(BESIDE));
        let listed = |e: ExprId| f.is_list(e) && f.row(e).is_some_and(|r| r.shared && !r.guess);
        if !listed(reference) || !self.subject.read(f).is_some_and(listed) {
            return false;
        }
        let of_it = |e: ExprId| {
            f.arena.mentions(e, &mut |x| match *f.arena.get(x) {
                Expr::Elem(b) => base_read(f, f.arena.coll(b)) == Some(reference),
                _ => false,
            })
        };
        let own = |l: ExprId, r: ExprId| of_it(l) && q.restricts_owner(l, r);
        self.mentioned(&mut |x| match *f.arena.get(x) {
            Expr::Binary(Bin::Eq, l, r) => own(l, r) || own(r, l),
            _ => false,
        })
    }

    fn mentioned(&self, test: &mut dyn FnMut(ExprId) -> bool) -> bool {
        let mut conditions = self.subject.collections().iter().copied().chain([self.effect.when]);
        conditions.any(|c| self.facts.arena.mentions(c, test))
    }
}

impl Ask<'_> {
    /// The namespace something is in, where that names nobody.
    pub(super) fn names_shared_space(&self, bears: ExprId) -> bool {
        let space = |f: Sym| f == "#space" || f.eq_ignore_ascii_case("namespace");
        self.world.beside && self.f.field(bears).is_some_and(|(_, f)| space(f))
    }
}
