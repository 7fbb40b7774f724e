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

use super::*;

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
