//! Two names of one map: in Go, a map that is assigned to another name is not copied.
//!
//! ```text
//! own := map[string]string{"app": name}
//! pods := own                      own and pods are one map
//! pods["x.io/tenant"] = tenant     so both have the tenant
//! ```
//! Only names that are given a value once are looked at: which map they are is then known wherever they are.

use super::*;

/// The pairs of such names in a function.
pub(super) fn of(func: &Func) -> Vec<(Sym, Sym)> {
    if func.same.is_empty() {
        return vec![];
    }
    let mut given: FxHashMap<Sym, u32> = FxHashMap::default();
    count(&func.body, &mut given);
    let once = |n: &Sym| given.get(n).is_none_or(|times| *times < 2);
    func.same.iter().copied().filter(|(a, b)| a != b && once(a) && once(b)).collect()
}

fn count(b: &Block, given: &mut FxHashMap<Sym, u32>) {
    for s in b {
        match s {
            Stmt::Let(Place::Name(n), _) => *given.entry(*n).or_default() += 1,
            Stmt::If(_, t, f) => [t, f].into_iter().for_each(|b| count(b, given)),
            Stmt::For { body, whole, .. } => [body, whole].into_iter().for_each(|b| count(b, given)),
            Stmt::Try { body, handlers } => {
                count(body, given);
                handlers.iter().for_each(|h| count(&h.body, given));
            }
            _ => {}
        }
    }
}

impl Walk<'_> {
    /// The map that a statement writes an entry of, by its name, where it has another: what both hold before.
    pub(super) fn twin_written(&self, st: &Stmt, s: &State) -> Option<(Sym, ExprId)> {
        if self.twins.is_empty() {
            return None;
        }
        let map = match st {
            Stmt::Let(Place::Entry(m, _), _) | Stmt::Put(Place::Entry(m, _), _) => *m,
            Stmt::Set { base, .. } => *base,
            Stmt::Drop(Place::Name(n), _) => return s.env.get(n).map(|v| (*n, *v)),
            _ => return None,
        };
        match *self.func.arena.get(map) {
            Expr::Name(n) => s.env.get(&n).map(|v| (n, *v)),
            _ => None,
        }
    }

    /// What was written to a map is seen through its other names.
    pub(super) fn write_twins(&self, (name, before): (Sym, ExprId), s: &mut State) {
        let Some(now) = s.env.get(&name).copied() else { return };
        for (a, b) in &self.twins {
            let other = match (*a == name, *b == name) {
                (true, _) => *b,
                (_, true) => *a,
                _ => continue,
            };
            if s.env.get(&other) == Some(&before) {
                s.env.insert(other, now);
            }
        }
    }
}
