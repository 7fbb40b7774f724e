//! Expressions: names, members, subscripts, displays, and the dispatch to the rest.
//!
//! ```text
//! os.path.sep                  Path("os.path.sep")
//! pod.metadata["name"]         Field(Field(pod, metadata), name)
//! rows[k]                      Lookup(rows, k)
//! [a, *b]                      Union(One(a), b)
//! (a, b)                       Record(0 = a, 1 = b)
//! {"k": v, **m}                Union(Record(k = v), m)
//! ```

use super::assign::Index;
use super::build::Cx;
use super::comp::Mode;
use super::kinds::{Child, K, broken, first, kind, parts};
use crate::ir::{Bin, Expr, ExprId, Lit, Stmt, Sym, sym};
use tree_sitter::Node;

impl Cx<'_> {
    /// The value of an expression.
    pub fn expr(&mut self, node: Node) -> ExprId {
        if broken(node) {
            return self.hole_named("ERROR", node);
        }
        match self.deeper(|cx| cx.value(node)) {
            Some(id) => self.at(id, node),
            None => self.hole_named("too_deep", node),
        }
    }

    fn value(&mut self, node: Node) -> ExprId {
        match kind(node) {
            K::Ident | K::KeywordIdent => self.named(self.text(node)),
            K::True => self.arena.bool(true),
            K::False => self.arena.bool(false),
            K::None => self.nothing(),
            K::Integer | K::Float => self.number(node),
            K::String | K::Concat => self.string(node),
            K::Ellipsis => self.path("Ellipsis"),
            K::Attribute => self.attribute(node),
            K::Subscript => self.subscript(node),
            K::Call => self.call_node(node),
            K::Paren | K::Await | K::ListSplat | K::DictSplat | K::ListSplatPattern | K::Chevron => self.inner(node),
            K::List | K::Set => self.display(node),
            K::Tuple | K::ExprList | K::PatternList => self.tuple(node),
            K::Dict => self.mapping(node),
            K::ListComp | K::SetComp | K::Generator | K::DictComp => self.comprehension(node, Mode::Collect),
            K::BoolOp | K::NotOp | K::Comparison | K::Conditional => self.logic(node),
            K::Binary => self.binary(node),
            K::Unary => self.unary(node),
            K::Lambda => self.lambda(node),
            K::Named => self.walrus(node),
            K::Yield => self.yielded(node),
            K::AsPattern => self.inner(node),
            K::Type => self.inner(node),
            _ => self.hole(node),
        }
    }

    /// Parentheses, `await` and stars change nothing about a value.
    fn inner(&mut self, node: Node) -> ExprId {
        match first(node) {
            Some(inner) => self.expr(inner),
            None => self.hole(node),
        }
    }

    /// `(x := v)` is an assignment in front of the statement, and the value. In a comprehension the name is one for the
    /// value of each element, and nothing can stand in front.
    fn walrus(&mut self, node: Node) -> ExprId {
        let (Some(name), Some(value)) = (node.name(), node.value()) else { return self.hole(node) };
        let value = self.expr(value);
        if self.comprehensions > 0 {
            if let Some(scope) = self.scopes.last_mut() {
                let name = sym(self.piece.text().get(name.byte_range()).unwrap_or_default());
                scope.names.insert(name, super::scope::Binding::Value(value));
            }
            return value;
        }
        let place = self.place_of_name(self.text(name));
        self.pending.push(Stmt::Let(place, value));
        self.read(place)
    }

    fn yielded(&mut self, node: Node) -> ExprId {
        let (mut before, ()) = self.apart(|cx| {
            let mut block = Vec::new();
            cx.yield_(node, &mut block);
            block.append(&mut cx.pending);
            cx.pending = block;
        });
        self.pending.append(&mut before);
        self.opaque(node)
    }

    fn attribute(&mut self, node: Node) -> ExprId {
        let (Some(object), Some(name)) = (node.object(), node.attribute()) else { return self.hole(node) };
        let base = self.expr(object);
        self.member(base, self.text(name))
    }

    fn subscript(&mut self, node: Node) -> ExprId {
        let Some(object) = node.value() else { return self.hole(node) };
        let base = self.expr(object);
        match self.index(node) {
            Index::Whole => base,
            Index::Part(mut bounds) => {
                bounds.insert(0, base);
                self.op("%slice", node, bounds)
            }
            Index::Field(name) => self.arena.field(base, name),
            Index::Key(key) => self.lookup(base, key),
        }
    }

    /// What stands in the brackets of a subscript.
    pub fn index(&mut self, node: Node) -> Index {
        let value = node.value();
        let inside: Vec<Node> = parts(node).into_iter().filter(|n| Some(*n) != value).collect();
        let [one] = inside[..] else {
            if inside.iter().any(|n| kind(*n) == K::Slice) {
                let bounds = inside.iter().filter(|n| kind(**n) != K::Slice).map(|n| self.expr(*n)).collect();
                return Index::Part(bounds);
            }
            let values = inside.iter().map(|n| self.expr(*n)).collect();
            return Index::Key(self.record(values));
        };
        if kind(one) == K::Slice {
            let bounds: Vec<ExprId> = parts(one).into_iter().map(|n| self.expr(n)).collect();
            return if bounds.is_empty() { Index::Whole } else { Index::Part(bounds) };
        }
        let key = self.expr(one);
        match self.arena.get(key) {
            Expr::Lit(Lit::Str(name)) => Index::Field(*name),
            Expr::Lit(Lit::Num(n)) => Index::Field(sym(&n.to_string())),
            _ => Index::Key(key),
        }
    }

    fn record(&mut self, values: Vec<ExprId>) -> ExprId {
        let fields = values.into_iter().enumerate().map(|(i, v)| (sym(&i.to_string()), v)).collect();
        self.arena.mk(Expr::Record(fields))
    }

    /// A collection of exactly these.
    pub fn collection(&mut self, values: Vec<ExprId>) -> ExprId {
        let ones = values.into_iter().map(|v| self.one(v)).collect();
        self.fold(Bin::Union, ones).unwrap_or_else(|| self.empty())
    }

    /// `[a, *b]`, `{a, *b}`, and a tuple where a collection is meant: `for x in (a, b)`.
    fn display(&mut self, node: Node) -> ExprId {
        let mut items = Vec::new();
        for child in parts(node) {
            let value = self.expr(child);
            items.push(if is_splat(child) { value } else { self.one(value) });
        }
        self.fold(Bin::Union, items).unwrap_or_else(|| self.empty())
    }

    /// `a, b`: values by position; with a star in it, a collection.
    fn tuple(&mut self, node: Node) -> ExprId {
        let children = parts(node);
        if children.iter().any(|n| is_splat(*n)) {
            return self.display(node);
        }
        if children.is_empty() {
            return self.empty();
        }
        let values = children.into_iter().map(|n| self.expr(n)).collect();
        self.record(values)
    }

    /// An expression where only what it holds matters.
    pub fn coll(&mut self, node: Node) -> ExprId {
        let node = self.unwrap_paren(node);
        match kind(node) {
            K::Tuple | K::ExprList => match self.deeper(|cx| cx.display(node)) {
                Some(id) => self.at(id, node),
                None => self.hole_named("too_deep", node),
            },
            _ => self.expr(node),
        }
    }

    /// ```text
    /// {"a": x, "b": y}      Record(a = x, b = y)
    /// {**m, "a": x}         Union(m, Record(a = x))
    /// {LABEL: x}            Record(=LABEL = x): the walk knows what the constant is
    /// {k: v}                One(v): what is known of the key
    /// ```
    fn mapping(&mut self, node: Node) -> ExprId {
        let (mut fields, mut items): (Vec<(Sym, ExprId)>, Vec<ExprId>) = Default::default();
        for child in parts(node) {
            let (Some(key), Some(value)) = (child.key(), child.value()) else {
                let rest = self.expr(child);
                self.close_record(&mut fields, &mut items);
                items.push(rest);
                continue;
            };
            let (key, value) = (self.expr(key), self.expr(value));
            match *self.arena.get(key) {
                Expr::Lit(Lit::Str(name)) => fields.push((name, value)),
                Expr::Lit(Lit::Num(n)) => fields.push((sym(&n.to_string()), value)),
                Expr::Path(constant) => fields.push((sym(&format!("={constant}")), value)),
                _ => {
                    let constant = matches!(self.arena.get(value), Expr::Lit(_));
                    let one = self.one(if constant { key } else { value });
                    items.push(one);
                }
            }
        }
        self.close_record(&mut fields, &mut items);
        self.fold(Bin::Union, items).unwrap_or_else(|| self.empty())
    }

    fn close_record(&mut self, fields: &mut Vec<(Sym, ExprId)>, items: &mut Vec<ExprId>) {
        if !fields.is_empty() {
            let record = self.arena.mk(Expr::Record(std::mem::take(fields)));
            items.push(record);
        }
    }

    /// A mapping of keyword arguments: `dict(a=x)`.
    pub fn keywords(&mut self, fields: Vec<(Sym, ExprId)>) -> ExprId {
        self.arena.mk(Expr::Record(fields))
    }
}

/// `*xs`, `**m`.
pub(super) fn is_splat(mut node: Node) -> bool {
    while kind(node) == K::Paren {
        match first(node) {
            Some(inner) => node = inner,
            None => return false,
        }
    }
    matches!(kind(node), K::ListSplat | K::ListSplatPattern | K::DictSplat)
}
