//! Expressions: names, members, subscripts, and the dispatch to the rest.
//!
//! ```text
//! corev1.NamespaceAll          Path("k8s.io.api.core.v1.NamespaceAll")
//! pod.Labels["app"]            Field(Field(pod, Labels), app)
//! rows[k], xs[0], xs[a:b]      Lookup(rows, k), Field(xs, "0"), %slice(xs, a, b)
//! rows[a.B][c.D]               Lookup(Lookup(rows, a.B), c.D), though it reads like a type with arguments
//! &x, *p, x.(T), T(x)          x, p, x, x
//! ```

use super::build::Cx;
use super::kinds::{Child, K, broken, first, has_token, kind, parts};
use super::names::Binding;
use crate::ir::{Expr, ExprId, Lit, Un, sym};
use tree_sitter::Node;

impl<'a> Cx<'a> {
    /// The value of an expression.
    pub fn expr(&mut self, node: Node<'a>) -> ExprId {
        if broken(node) {
            return self.hole_named("ERROR", node);
        }
        match self.deeper(|cx| cx.value(node)) {
            Some(id) => self.at(id, node),
            None => self.hole_named("too_deep", node),
        }
    }

    fn value(&mut self, node: Node<'a>) -> ExprId {
        match kind(node) {
            K::Ident | K::TypeIdent | K::FieldIdent | K::PackageIdent => self.identifier(node),
            K::True => self.arena.bool(true),
            K::False => self.arena.bool(false),
            K::Nil => self.nothing(),
            K::Int | K::Float | K::Rune => self.number(node),
            K::String | K::RawString => self.string(node),
            K::Iota | K::Imaginary => self.opaque(node),
            K::Selector => self.selector(node),
            K::Index => self.index(node),
            K::Slice => self.slice(node),
            K::Call => self.call_node(node),
            K::Paren | K::LiteralElement | K::VariadicArg => self.inner(node),
            K::Unary => self.unary(node),
            K::Binary => self.binary(node),
            K::TypeAssert | K::TypeConversion => match (self.generic_call(node), node.operand()) {
                (Some(call), _) => call,
                (None, Some(inner)) => self.expr(inner),
                (None, None) => self.hole(node),
            },
            K::TypeInstance | K::GenericType => match self.subscripts(node) {
                Some((base, key)) => self.lookup(base, key),
                None => self.type_value(node),
            },
            K::QualifiedType => self.type_value(node),
            K::Composite => self.composite(node),
            K::LiteralValue => self.literal_value(node, None),
            K::FuncLit => self.func_lit(node),
            // A type where a value is expected: `make([]T, n)`, `new(T)`, a method expression.
            K::SliceType
            | K::MapType
            | K::ChanType
            | K::ArrayType
            | K::PointerType
            | K::FuncType
            | K::StructType
            | K::InterfaceType => self.opaque(node),
            _ => self.hole(node),
        }
    }

    fn identifier(&mut self, node: Node<'a>) -> ExprId {
        match self.text(node) {
            "_" => self.opaque(node),
            _ if self.ty_of(node) == super::names::Ty::Ctx => self.opaque(node),
            name => self.named(name),
        }
    }

    /// `rows[pod.Namespace][pod.Name]`, which reads like a type with arguments: what is looked into, and the last key.
    pub fn subscripts(&mut self, node: Node<'a>) -> Option<(ExprId, ExprId)> {
        let [of, key] = parts(node)[..] else { return None };
        Some((self.value_like_type(of)?, self.value_like_type(key)?))
    }

    /// What reads like a type, and begins with a local: a value.
    fn value_like_type(&mut self, node: Node<'a>) -> Option<ExprId> {
        let local =
            |cx: &Self, name: &str| matches!(cx.binding(sym(name)), Some(Binding::Local(_) | Binding::Value(_)));
        let text = self.text(node);
        match kind(node) {
            K::TypeIdent | K::Ident => local(self, text).then(|| self.named(text)),
            K::QualifiedType => {
                let (object, name) = text.split_once('.').filter(|(object, _)| local(self, object))?;
                let base = self.named(object);
                let base = self.promoted(base);
                Some(self.member(base, name))
            }
            K::TypeArgs | K::TypeElem => match parts(node)[..] {
                [one] => self.value_like_type(one),
                _ => None,
            },
            K::GenericType | K::TypeInstance => {
                let (base, key) = self.subscripts(node)?;
                Some(self.lookup(base, key))
            }
            _ => None,
        }
    }

    /// `pkg.Type[T]` as the thing that is called.
    fn type_value(&mut self, node: Node<'a>) -> ExprId {
        match super::names::type_path(node, self.piece.text(), self.facts) {
            Some(path) => self.path(&path),
            None => match super::kinds::type_of(node) {
                Some(inner) => self.expr(inner),
                None => self.opaque(node),
            },
        }
    }

    /// Parentheses change nothing about a value.
    fn inner(&mut self, node: Node<'a>) -> ExprId {
        match first(node) {
            Some(inner) => self.expr(inner),
            None => self.hole(node),
        }
    }

    fn selector(&mut self, node: Node<'a>) -> ExprId {
        let (Some(object), Some(name)) = (node.operand(), node.field()) else { return self.hole(node) };
        if let Some(call) = self.outcome(node) {
            return self.expr(call);
        }
        let name = self.text(name);
        let called = self.piece.text().as_bytes().get(node.end_byte()) == Some(&b'(');
        let base = if called || self.is_error(node) { self.expr(object) } else { self.sole(object) };
        let base = self.promoted(base);
        if let Some(seconds) = self.unit_of_time(base, name) {
            return self.lit(Lit::Num(seconds));
        }
        // What wraps a time adds nothing to it: `obj.CreationTimestamp.Time`.
        let stamp =
            matches!(self.arena.get(base), Expr::Field(_, f) if f.ends_with("Timestamp") || f.ends_with("Time"));
        if name == "Time" && stamp {
            return base;
        }
        self.member(base, name)
    }

    /// What stands in an object's metadata is a field of the object too: `pod.ObjectMeta.Name` is `pod.Name`.
    pub fn promoted(&self, base: ExprId) -> ExprId {
        match self.arena.get(base) {
            Expr::Field(object, f) if f == "ObjectMeta" => *object,
            _ => base,
        }
    }

    /// `time.Minute` is sixty seconds.
    fn unit_of_time(&self, base: ExprId, name: &str) -> Option<i64> {
        let time = self.imported_path(base).is_some_and(|p| p == "time");
        time.then_some(match name {
            "Nanosecond" | "Microsecond" | "Millisecond" | "Second" => Some(1),
            "Minute" => Some(60),
            "Hour" => Some(3600),
            _ => None,
        })?
    }

    fn index(&mut self, node: Node<'a>) -> ExprId {
        let (Some(object), Some(index)) = (node.operand(), node.index()) else { return self.hole(node) };
        if let Some(element) = self.element_at(node) {
            return element;
        }
        let base = self.expr(object);
        // `f[T](x)`: a function with its type arguments.
        if self.imported_path(base).is_some() && !matches!(self.arena.get(base), Expr::Name(_)) && is_type_like(index) {
            return base;
        }
        let key = self.expr(index);
        match self.arena.get(key) {
            Expr::Lit(Lit::Str(name)) => {
                let name = *name;
                self.arena.field(base, name)
            }
            Expr::Lit(Lit::Num(n)) => {
                let name = sym(&n.to_string());
                self.arena.field(base, name)
            }
            _ => self.lookup(base, key),
        }
    }

    fn slice(&mut self, node: Node<'a>) -> ExprId {
        let Some(object) = node.operand() else { return self.hole(node) };
        let base = self.expr(object);
        let bounds: Vec<Node> = parts(node).into_iter().filter(|n| *n != object).collect();
        if bounds.is_empty() {
            return base;
        }
        // `xs[:0]` keeps the room and nothing in it.
        if let [zero] = bounds[..]
            && self.text(zero) == "0"
        {
            return if self.text(node).ends_with(":0]") { self.empty() } else { base };
        }
        let mut values = vec![base];
        for bound in bounds {
            values.push(self.expr(bound));
        }
        self.op("%slice", node, values)
    }

    fn unary(&mut self, node: Node<'a>) -> ExprId {
        let (Some(operator), Some(operand)) = (node.operator(), node.operand()) else { return self.hole(node) };
        match operator.kind() {
            "<-" => self.received(operand),
            "!" => {
                let value = self.sole(operand);
                self.arena.not(value)
            }
            "-" => {
                let value = self.expr(operand);
                match *self.arena.get(value) {
                    Expr::Lit(Lit::Num(n)) => self.lit(Lit::Num(n.saturating_neg())),
                    _ => {
                        let zero = self.lit(Lit::Num(0));
                        self.arena.binary(crate::ir::Bin::Sub, zero, value)
                    }
                }
            }
            "^" => {
                let value = self.expr(operand);
                self.arena.unary(Un::Not, value)
            }
            _ => self.expr(operand),
        }
    }

    /// Does it say that the one who waits has given up: `ctx.Done()`?
    pub fn says_done(&self, node: Node<'a>) -> bool {
        let function = node.function().filter(|_| kind(node) == K::Call);
        let (object, name) = match function {
            Some(f) => (f.operand(), f.field().map(|n| self.text(n)).unwrap_or_default()),
            None => return false,
        };
        name == "Done" && object.is_some_and(|o| self.is_ctx(o))
    }

    /// Whether the one who waits has given up.
    pub fn gave_up(&mut self, node: Node<'a>) -> ExprId {
        if let Some(known) = self.given_up {
            return known;
        }
        let unknown = self.opaque(node);
        self.given_up = Some(unknown);
        unknown
    }

    /// Is it visibly a context?
    pub fn is_ctx(&self, node: Node<'a>) -> bool {
        use super::names::{Ty, is_ctx_field, is_ctx_name};
        let node = self.unwrap_paren(node);
        match kind(node) {
            K::Ident => match self.info_of(node) {
                Some(info) if info.ty != Ty::Unknown => info.ty == Ty::Ctx,
                _ => is_ctx_name(self.text(node)),
            },
            K::Selector => node.field().is_some_and(|f| is_ctx_field(self.text(f))),
            K::Call => {
                let Some(function) = node.function() else { return false };
                let given = node.arguments().map(parts).unwrap_or_default();
                let (object, name) = (function.operand(), function.field().map(|n| self.text(n)));
                match (object, name) {
                    (Some(object), Some(_)) if self.text(object) == "context" => true,
                    (Some(_), Some("Context" | "UserContext" | "Ctx")) => given.is_empty(),
                    (Some(_), Some(name)) => name.contains("Context") && given.first().is_some_and(|n| self.is_ctx(*n)),
                    _ => false,
                }
            }
            K::Unary => has_token(node, "&") && node.operand().is_some_and(|n| self.is_ctx(n)),
            _ => false,
        }
    }
}

/// Is it a type rather than a key?
fn is_type_like(node: Node) -> bool {
    matches!(
        kind(node),
        K::TypeIdent | K::SliceType | K::MapType | K::PointerType | K::QualifiedType | K::Ident | K::Selector
    )
}
