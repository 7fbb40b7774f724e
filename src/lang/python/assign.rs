//! Assignment: places, patterns of names, operators, `del`.
//!
//! ```text
//! a, (b, *c) = f()             %1 = f(); a = %1.0; b = %1.1.0; c = %slice(%1.1)
//! a, b = b, a                  %1 = (b, a); a = %1.0; b = %1.1
//! m["k"] = v                   Field(m, k) = v
//! m[k] += 1                    m[k] = m[k] + 1
//! del m[k]                     m -< k
//! OVER = enum.auto()           OVER = "OVER"
//! ```

use super::build::Cx;
use super::kinds::{Child, K, first, kind, parts};
use super::scope::Binding;
use crate::ir::{Block, Expr, ExprId, Place, Stmt, Sym, sym};
use tree_sitter::Node;

/// How a subscript reads: `m[:]`, `m["a"]`, `m[k]`.
pub(super) enum Index {
    /// `m[:]`: all of it.
    Whole,
    /// Some of it, by position.
    Part(Vec<ExprId>),
    /// A component, by a literal.
    Field(Sym),
    /// What it holds about a key.
    Key(ExprId),
}

impl Cx<'_> {
    /// `a = b = value`
    pub fn assign(&mut self, node: Node, out: &mut Block) {
        let mut targets = Vec::new();
        let mut right = Some(node);
        while let Some(one) = right.filter(|n| kind(*n) == K::Assignment) {
            targets.extend(one.left());
            right = one.right();
        }
        // `x: int` alone declares and does nothing.
        let Some(right) = right else { return };
        let mut value = if kind(right) == K::AugAssign { self.hole(right) } else { self.expr(right) };
        if targets.len() > 1 {
            value = self.once(value);
        }
        out.append(&mut self.pending);
        for target in targets {
            self.assign_to(target, value, out);
        }
    }

    /// Stores a value in whatever stands to the left.
    pub fn assign_to(&mut self, target: Node, value: ExprId, out: &mut Block) {
        let target = self.unwrap_paren(target);
        if !is_pattern(target) {
            let value = if self.is_counted(value) { self.arena.str(self.text(target)) } else { value };
            self.store(target, value, out);
            return;
        }
        let value = self.once(value);
        let mut leaves = self.leaves(target, value);
        if self.overlap(&leaves) {
            let temp = self.fresh();
            self.emit(out, Stmt::Let(Place::Name(temp), value));
            let value = self.arena.mk(Expr::Name(temp));
            leaves = self.leaves(target, value);
        }
        for (leaf, value) in leaves {
            self.store(leaf, value, out);
        }
    }

    /// `OVER = enum.auto()`: one of a few, which goes by its name.
    fn is_counted(&self, value: ExprId) -> bool {
        let called = self.arena.call_of(value).map(|c| self.arena.get(c.callee));
        matches!(called, Some(Expr::Path(p)) if *p == "enum.auto")
    }

    fn store(&mut self, target: Node, value: ExprId, out: &mut Block) {
        let place = self.place(target);
        self.write(place, value, target, out);
    }

    /// A field is written with its place.
    fn write(&mut self, place: Place, value: ExprId, target: Node, out: &mut Block) {
        let stmt = match place {
            Place::Field(base, field) => Stmt::Set { base, field, value, at: self.span(target) },
            _ => Stmt::Let(place, value),
        };
        self.emit(out, stmt);
    }

    /// Does a later value speak of a name that an earlier target overwrites?
    fn overlap(&mut self, leaves: &[(Node, ExprId)]) -> bool {
        let mut written: Vec<ExprId> = Vec::new();
        for (leaf, value) in leaves {
            let (arena, seen) = (&self.arena, &written);
            if !seen.is_empty() && arena.mentions(*value, &mut |e| seen.contains(&e)) {
                return true;
            }
            if let Some(name) = self.place_if_local(*leaf) {
                written.push(self.arena.mk(Expr::Name(name)));
            }
        }
        false
    }

    /// The names and places of a pattern, each with its part of the value.
    pub fn leaves<'t>(&mut self, target: Node<'t>, value: ExprId) -> Vec<(Node<'t>, ExprId)> {
        let mut leaves = Vec::new();
        self.collect_leaves(target, value, &mut leaves);
        leaves
    }

    fn collect_leaves<'t>(&mut self, target: Node<'t>, value: ExprId, leaves: &mut Vec<(Node<'t>, ExprId)>) {
        let target = self.unwrap_paren(target);
        if !is_pattern(target) {
            leaves.push((target, value));
            return;
        }
        let children = parts(target);
        let star = children.iter().position(|n| is_star(*n));
        for (i, child) in children.iter().enumerate() {
            let part = match star {
                Some(star) if i == star => self.rest(target, value, star, children.len() - star - 1),
                Some(star) if i > star => self.counted_back(value, children.len() - i),
                _ => self.arena.field(value, sym(&i.to_string())),
            };
            self.at(part, *child);
            let child = if is_star(*child) { first(*child).unwrap_or(*child) } else { *child };
            self.deeper(|cx| cx.collect_leaves(child, part, leaves));
        }
    }

    /// What `*rest` holds: the middle of a tuple that is written out, else some of the collection.
    fn rest(&mut self, node: Node, value: ExprId, before: usize, after: usize) -> ExprId {
        if let Expr::Record(all) = self.arena.get(value) {
            let middle = all.get(before..all.len().saturating_sub(after)).unwrap_or_default();
            let middle: Vec<ExprId> = middle.iter().map(|p| p.1).collect();
            return self.collection(middle);
        }
        self.op("%slice", node, vec![value])
    }

    fn counted_back(&mut self, value: ExprId, back: usize) -> ExprId {
        if let Expr::Record(all) = self.arena.get(value)
            && let Some(part) = all.len().checked_sub(back).and_then(|i| all.get(i))
        {
            return part.1;
        }
        self.arena.field(value, sym(&format!("-{back}")))
    }

    /// `x += v`, likewise for every operator.
    pub fn assign_op(&mut self, node: Node, out: &mut Block) {
        let (Some(left), Some(right), Some(operator)) = (node.left(), node.right(), node.operator()) else {
            self.hole(node);
            return;
        };
        let place = self.place(left);
        let before = self.read(place);
        self.at(before, left);
        let operator = operator.kind().trim_end_matches('=');
        let value = self.operate(operator, (before, left), right, node);
        self.write(place, value, left, out);
    }

    /// The value at a place.
    pub fn read(&mut self, place: Place) -> ExprId {
        match place {
            Place::Name(name) => self.arena.mk(Expr::Name(name)),
            Place::Field(base, name) => self.arena.field(base, name),
            Place::Entry(base, key) => self.lookup(base, key),
        }
    }

    /// The symbol of a target that is a local name.
    pub fn place_if_local(&self, node: Node) -> Option<Sym> {
        match (kind(node), self.binding(sym(self.text(node)))) {
            (K::Ident, Some(Binding::Local(local))) => Some(local),
            _ => None,
        }
    }

    /// The place that an expression names. A value that is in no place gets a fresh one.
    pub fn place(&mut self, node: Node) -> Place {
        let node = self.unwrap_paren(node);
        match kind(node) {
            K::Ident | K::KeywordIdent => self.place_of_name(self.text(node)),
            K::ListSplat | K::ListSplatPattern => match first(node) {
                Some(inner) => self.deeper(|cx| cx.place(inner)).unwrap_or_else(|| self.spare(node)),
                None => self.spare(node),
            },
            K::Attribute => {
                let (Some(object), Some(name)) = (node.object(), node.attribute()) else { return self.spare(node) };
                let base = self.expr(object);
                let base = self.once(base);
                Place::Field(base, sym(self.text(name)))
            }
            K::Subscript => {
                let Some(object) = node.value() else { return self.spare(node) };
                let index = self.index(node);
                if matches!(index, Index::Whole) {
                    return self.deeper(|cx| cx.place(object)).unwrap_or_else(|| self.spare(node));
                }
                let base = self.expr(object);
                let base = self.once(base);
                match index {
                    Index::Field(name) => Place::Field(base, name),
                    Index::Key(key) => Place::Entry(base, key),
                    _ => Place::Entry(base, self.opaque(node)),
                }
            }
            _ => self.spare(node),
        }
    }

    fn spare(&mut self, node: Node) -> Place {
        let value = self.expr(node);
        let name = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(name), value));
        Place::Name(name)
    }

    /// ```text
    /// del x            (nothing: the name is gone, what it named is not)
    /// del o.f          o.f = nothing
    /// del m[k]         m -< k
    /// del xs[:]        xs = []
    /// ```
    pub fn del(&mut self, node: Node, out: &mut Block) {
        for child in parts(node) {
            self.forget(child, out);
        }
    }

    fn forget(&mut self, target: Node, out: &mut Block) {
        let target = self.unwrap_paren(target);
        match kind(target) {
            K::Tuple | K::List | K::ExprList | K::PatternList | K::TuplePattern | K::ListPattern => {
                for child in parts(target) {
                    self.deeper(|cx| cx.forget(child, out));
                }
            }
            K::Attribute => {
                let nothing = self.nothing();
                self.store(target, nothing, out);
            }
            K::Subscript => {
                let Some(object) = target.value() else { return };
                let key = match self.index(target) {
                    Index::Whole => {
                        let (place, empty) = (self.place(object), self.empty());
                        return self.emit(out, Stmt::Let(place, empty));
                    }
                    Index::Part(_) => self.opaque(target),
                    Index::Field(name) => self.arena.str(&name),
                    Index::Key(key) => key,
                };
                let place = self.place(object);
                self.emit(out, Stmt::Drop(place, key));
            }
            _ => {}
        }
    }

    /// `a, b` on the left of a comprehension or in a parameter: names for values, without a statement.
    pub fn bind_values(&mut self, target: Node, value: ExprId) {
        for (leaf, value) in self.leaves(target, value) {
            let name = sym(self.text(leaf));
            if kind(leaf) == K::Ident
                && let Some(scope) = self.scopes.last_mut()
            {
                scope.names.insert(name, Binding::Value(value));
            }
        }
    }
}

/// Is it taken apart?
fn is_pattern(node: Node) -> bool {
    matches!(kind(node), K::PatternList | K::TuplePattern | K::ListPattern | K::Tuple | K::List | K::ExprList)
}

fn is_star(node: Node) -> bool {
    matches!(kind(node), K::ListSplatPattern | K::ListSplat)
}
