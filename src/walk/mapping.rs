//! Mappings that are filled entry by entry under keys that are written out.
//!
//! ```text
//! filters = {}                                        filters = {label: [f"{k}={v}" | k, v in tags]}
//! filters["label"] = []
//! for k, v in tags.items():
//!     filters["label"].append(f"{k}={v}")
//! containers.list(filters=filters)                    is given what the mapping holds by then
//! ```
//! Such an entry is a part of the local that holds the mapping. An object that was made elsewhere keeps its fields in the
//! heap, for others may know it by another name.
//!
//! What is read, changed and written back in its own place destroys what is left out of it:
//! ```text
//! policy = get_policy(p)
//! policy["bindings"] = [b for b in policy["bindings"] if b["role"] != role]      the others
//! policy["bindings"].append(b)                                                   nothing
//! set_policy(p, policy)
//! ```

use super::*;
use crate::vocab::Role;

/// Choices nested deeper than this are no mapping that is followed.
const CHOICES: u32 = 6;

impl Walk<'_> {
    /// The place of a field or of an entry under a literal key.
    pub(super) fn field_key(&mut self, base: ExprId, f: Sym, s: &mut State) -> Key {
        match self.mapping_named(base, s) {
            Some(n) => Key::Part(n, f),
            None => Key::Field(self.value(base, s), f),
        }
    }

    /// The local that holds a mapping made here, where the expression of the source is one.
    pub(super) fn mapping_named(&self, base: ExprId, s: &State) -> Option<Sym> {
        let Expr::Name(n) = *self.func.arena.get(base) else { return None };
        s.env.get(&n).is_some_and(|v| self.is_mapping(*v, 0)).then_some(n)
    }

    /// Was it written out here: an empty mapping, or one with literal keys?
    fn is_mapping(&self, e: ExprId, depth: u32) -> bool {
        match *self.a.get(e) {
            Expr::Lit(Lit::Empty) => true,
            Expr::Record(_) => self.mappings.contains(&e),
            Expr::Choose(_, t, f) => depth < CHOICES && self.is_mapping(t, depth + 1) && self.is_mapping(f, depth + 1),
            _ => false,
        }
    }

    /// A mapping that a helper wrote out is one here, too; an object or a tuple is none.
    ///
    /// ```text
    /// labels = base(name)             {app: name}
    /// labels["owner"] = me            {app: name, owner: me}
    /// ```
    pub(super) fn note_mapping(&mut self, e: ExprId) {
        let told = |name: &Sym| name.as_str().starts_with('#') || name.as_str().bytes().all(|b| b.is_ascii_digit());
        if matches!(self.a.get(e), Expr::Record(parts) if !parts.iter().any(|p| told(&p.0))) {
            self.mappings.insert(e);
        }
    }

    /// What a mapping holds under a key.
    pub(super) fn part(&mut self, mapping: ExprId, f: Sym) -> ExprId {
        match *self.a.get(mapping) {
            Expr::Record(ref parts) if !parts.iter().any(|p| p.0 == f) => self.a.lit(Lit::Nothing),
            Expr::Lit(Lit::Empty) => self.a.lit(Lit::Nothing),
            Expr::Choose(c, t, g) => {
                let (t, g) = (self.part(t, f), self.part(g, f));
                self.a.choose(c, t, g)
            }
            _ => self.a.field(mapping, f),
        }
    }

    /// The mapping with something else under a key.
    pub(super) fn with_part(&mut self, mapping: ExprId, f: Sym, v: ExprId) -> ExprId {
        let mut parts = match *self.a.get(mapping) {
            Expr::Record(ref parts) => parts.clone(),
            Expr::Choose(c, t, g) => {
                let (t, g) = (self.with_part(t, f, v), self.with_part(g, f, v));
                return self.a.choose(c, t, g);
            }
            _ => vec![],
        };
        match parts.iter_mut().find(|p| p.0 == f) {
            Some(p) => p.1 = v,
            None => parts.push((f, v)),
        }
        let made = self.a.mk(Expr::Record(parts));
        self.mappings.insert(made);
        made
    }
}

impl Walk<'_> {
    /// What a filtered copy leaves out, at the innermost filters: the element and the condition that keeps it.
    ///
    /// ```text
    /// {bindings: [b ++ {members: [m | m in b.members, m in known]} | b in policy.bindings]}      m, unless m in known
    /// ```
    pub(super) fn left_out(&mut self, e: ExprId, out: &mut Vec<(ExprId, ExprId)>) {
        match self.a.get(e).clone() {
            Expr::Record(parts) => parts.iter().for_each(|p| self.left_out(p.1, out)),
            Expr::One(x) => self.left_out(x, out),
            Expr::Choose(_, t, f) => {
                self.left_out(t, out);
                self.left_out(f, out);
            }
            Expr::Binary(Bin::Union, l, r) if self.has_record(l) || self.has_record(r) => {
                self.left_out(l, out);
                self.left_out(r, out);
            }
            _ if self.collection(e) => {
                for p in self.spread(e) {
                    let before = out.len();
                    self.left_out(p.elem, out);
                    if out.len() == before && self.a.as_bool(p.keep) != Some(true) {
                        out.push((p.elem, p.keep));
                    }
                }
            }
            _ => {}
        }
    }

    /// Has something of what was read been written anew, other than with more in it?
    pub(super) fn cut_out(&self, s: &State) -> bool {
        let read = |e: ExprId| {
            self.a.mentions(e, &mut |x| match *self.a.get(x) {
                Expr::Elem(b) | Expr::Gather { of: b, .. } => self.query_base(self.a.coll(b)).is_some(),
                _ => self.row_of(x).is_some_and(|r| r.role == Role::List),
            })
        };
        s.heap.iter().any(|((base, f), v)| read(*base) && !self.grown(*v, *base, *f))
    }

    /// Is it what stood in the field, with more in it or as it was? The parts of a listing are the listing.
    fn grown(&self, v: ExprId, base: ExprId, f: Sym) -> bool {
        match *self.a.get(v) {
            _ if v == base => true,
            Expr::Field(x, g) => (x, g) == (base, f),
            Expr::Binary(Bin::Union, l, _) => self.grown(l, base, f),
            Expr::Choose(_, t, g) => self.grown(t, base, f) && self.grown(g, base, f),
            _ => false,
        }
    }

    /// Does it leave out nothing that was read: only where it was read from is said?
    pub(super) fn is_scope(&self, keep: ExprId) -> bool {
        self.a.parts(keep, Bin::And).into_iter().all(|c| match *self.a.get(c) {
            Expr::Binary(Bin::Eq, l, _) => matches!(self.a.get(l), Expr::Field(_, f) if *f == "#space"),
            _ => self.a.as_bool(c) == Some(true),
        })
    }

    fn has_record(&self, e: ExprId) -> bool {
        match self.a.get(e) {
            Expr::Record(_) => spread::boxed(&self.a, e).is_none(),
            Expr::Binary(Bin::Union, l, r) => self.has_record(*l) || self.has_record(*r),
            _ => false,
        }
    }
}
