//! Was it listed by a label that says that it may go?
//!
//! ```text
//! for lease in leases.List(`labels."example.org/prune.images"`): leases.Delete(lease)      marked when it was made
//! for lease in leases.List(`labels."example.org/images"`): leases.Delete(lease)            whose are they?
//! ```
//! Whoever put such a label on a thing said by it that it ends, whatever installation it is of.

use super::*;

impl Sweep<'_> {
    /// Is what is destroyed chosen by a mark of its own?
    pub(super) fn listed_by_mark(&self) -> bool {
        let a = self.facts.arena;
        let (mut todo, mut seen) = (vec![self.effect.when], FxHashSet::default());
        todo.extend(self.subject.collections());
        while let Some(e) = todo.pop() {
            if !seen.insert(e) {
                continue;
            }
            match *a.get(e) {
                Expr::Binary(Bin::And, l, r) => todo.extend([l, r]),
                Expr::Gather { of, keep, .. } => todo.extend([keep, a.coll(of)]),
                Expr::Binary(Bin::Eq, l, r) if self.marks(l, r) || self.marks(r, l) => return true,
                Expr::Unary(Un::Present, x) if self.is_mark(x) => return true,
                _ => {}
            }
        }
        false
    }

    /// `labels == 'labels."example.org/prune"'`, `labels."example.org/prune" == "true"`
    fn marks(&self, bears: ExprId, value: ExprId) -> bool {
        let Some(text) = self.facts.arena.as_str(value) else { return false };
        if text == "true" {
            return self.is_mark(bears);
        }
        let Some((_, field)) = self.facts.field(bears) else { return false };
        let filter = text.strip_prefix("labels.").unwrap_or(text);
        let (key, rest) = match filter.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => filter.split_once('=').unwrap_or((filter, "")),
        };
        let set = rest.trim_matches(['=', '"']);
        field.eq_ignore_ascii_case("labels")
            && self.subject.holds(self.facts, bears)
            && (set.is_empty() || set == "true")
            && self.names_mark(key)
    }

    fn is_mark(&self, e: ExprId) -> bool {
        self.facts.field(e).is_some_and(|(x, f)| self.names_mark(&f) && self.subject.holds(self.facts, x))
    }

    /// `example.org/prune.images`: a key whose name begins with what is to be done to the thing.
    fn names_mark(&self, key: &str) -> bool {
        let Some((_, name)) = key.split_once('/') else { return false };
        let verb = name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        self.facts.vocab.speaks_of(Topic::Destroying, verb)
    }
}
