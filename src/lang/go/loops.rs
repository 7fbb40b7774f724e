//! Loops.
//!
//! ```text
//! for k, v := range m { … }                for v in m: k = v.#key
//! for i := range xs { f(xs[i]) }           for %1 in xs: i = %1.#index; f(%1)
//! for i := 0; i < len(xs); i++ { … }       the same
//! for x := range ch { … }                  for x in ch
//! for rows.Next() { rows.Scan(&a, &b) }    for %1 in rows: a = %1.0; b = %1.1
//! for c { … }                              for %1 in <unknown>: if not c: break
//! ```

use super::build::{Cx, Position, Target};
use super::kinds::{Child, K, each, first, has_token, kind, parts};
use super::names::{Info, Ty};
use crate::ir::{Block, Exit, Expr, ExprId, Lit, Place, Stmt, sym};
use tree_sitter::Node;

/// What the variables of a traversal are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Position and element.
    List,
    /// Key and element.
    Map,
    /// Elements, or something that goes with each.
    Each,
    /// Numbers.
    Count,
    /// Not known.
    Any,
}

impl<'a> Cx<'a> {
    pub fn for_(&mut self, node: Node<'a>, out: &mut Block) {
        let Some(body) = node.body() else {
            self.hole(node);
            return;
        };
        let label = self.label.take();
        let head = parts(node).into_iter().find(|n| *n != body && kind(*n) != K::Error);
        let positions = self.positions.len();
        let iterating = self.iterating.len();
        self.scopes.push(Default::default());
        self.nesting += 1;
        self.targets.push(Target { label, is_loop: true, written: true, update: None });
        match head {
            Some(clause) if kind(clause) == K::RangeClause => self.range(node, clause, body, out),
            Some(clause) if kind(clause) == K::ForClause => self.three_clauses(node, clause, body, out),
            Some(test) => self.while_(node, Some(test), None, body, out),
            None if self.asked(body).is_some() => self.asking_loop(body, out),
            None => self.while_(node, None, None, body, out),
        }
        self.targets.pop();
        self.nesting -= 1;
        self.scopes.pop();
        self.positions.truncate(positions);
        self.iterating.truncate(iterating);
    }

    fn three_clauses(&mut self, node: Node<'a>, clause: Node<'a>, body: Node<'a>, out: &mut Block) {
        if let Some((over, index)) = self.counted(clause) {
            let name = self.text(index);
            return self.by_position(Some(over), Some((name, true)), over, body, out);
        }
        if let Some(start) = clause.initializer() {
            self.stmt(start, out);
        }
        if let (Some(target), update) = (self.targets.last_mut(), clause.update()) {
            target.update = update;
        }
        self.while_(node, clause.condition(), clause.update(), body, out);
    }

    /// `i := 0; i < len(xs); i++` and the same backwards: the collection and the variable.
    fn counted(&self, clause: Node<'a>) -> Option<(Node<'a>, Node<'a>)> {
        let (start, test, update) = (clause.initializer()?, clause.condition()?, clause.update()?);
        let index = first(start.left().filter(|_| kind(start) == K::Define)?)?;
        let from = first(start.right()?)?;
        let steps =
            matches!(kind(update), K::Inc | K::Dec) && first(update).map(|n| self.text(n)) == Some(self.text(index));
        let of_len = |node: Node<'a>| {
            let mut found = None;
            each(node, &mut |n| {
                let called = n.function().filter(|f| kind(n) == K::Call && self.builtin(*f) == Some("len"));
                found = found.or(called.and(n.arguments()).and_then(first));
                found.is_none()
            });
            found
        };
        let over = match kind(update) {
            K::Inc => test.right().filter(|r| kind(*r) == K::Call).and_then(of_len)?,
            _ => of_len(from)?,
        };
        let plain = matches!(kind(over), K::Ident | K::Selector);
        (steps && plain && test.left().map(|l| self.text(l)) == Some(self.text(index))).then_some((over, index))
    }

    fn while_(
        &mut self,
        node: Node<'a>,
        test: Option<Node<'a>>,
        update: Option<Node<'a>>,
        body: Node<'a>,
        out: &mut Block,
    ) {
        if let Some(test) = test.filter(|_| update.is_none())
            && self.next_loop(test, body, out)
        {
            return;
        }
        let mut block = Vec::new();
        if let Some(test) = test {
            let (mut ahead, when) = self.apart(|cx| cx.expr(test));
            block.append(&mut ahead);
            if self.arena.as_bool(when) != Some(true) {
                let done = self.arena.not(when);
                block.push(Stmt::If(done, vec![Stmt::Leave(Exit::Break(0))], Vec::new()));
            }
        }
        block.append(&mut self.block(body));
        if let Some(update) = update {
            self.stmt(update, &mut block);
        }
        let (var, over) = (self.fresh(), self.opaque(node));
        out.push(Stmt::For { var, over, body: block, whole: Vec::new() });
    }

    /// `for rows.Next()`, `for scanner.Scan()`: what is asked for the next element is traversed.
    fn next_loop(&mut self, test: Node<'a>, body: Node<'a>, out: &mut Block) -> bool {
        let Some(function) = test.function().filter(|_| kind(test) == K::Call) else { return false };
        let (Some(object), Some(name)) = (function.operand(), function.field()) else { return false };
        let given = test.arguments().map(parts).unwrap_or_default();
        let plain = given.iter().all(|n| self.is_ctx(*n));
        if !matches!(self.text(name), "Next" | "Scan") || !plain {
            return false;
        }
        let over = self.expr(object);
        out.append(&mut self.pending);
        let var = self.fresh();
        let element = self.local(var);
        self.at(element, object);
        self.iterating.push((self.text(object).to_string(), element));
        let body = self.block(body);
        out.push(Stmt::For { var, over, body, whole: Vec::new() });
        true
    }

    /// `for { x, err := it.Next(); … }`: the iterator, and the names of what it gives.
    fn asked(&self, body: Node<'a>) -> Option<(Node<'a>, Node<'a>, Node<'a>, Node<'a>)> {
        let list = first(body).filter(|n| kind(*n) == K::StatementList);
        let define = list.map_or_else(|| first(body), first).filter(|n| kind(*n) == K::Define)?;
        let (left, call) = (parts(define.left()?), first(define.right()?)?);
        let function = call.function().filter(|_| kind(call) == K::Call)?;
        let given = parts(call.arguments()?);
        let asks = matches!(self.text(function.field()?), "Next" | "Recv");
        let [value, error] = left[..] else { return None };
        let plain = asks && given.iter().all(|n| self.is_ctx(*n)) && super::names::is_error_name(self.text(error));
        plain.then_some((define, function.operand()?, value, error))
    }

    /// ```text
    /// for {                               for x in it:
    ///     x, err := it.Next()               if raised(it): return failed
    ///     if err == iterator.Done { break }
    ///     if err != nil { return err }
    /// }
    /// ```
    fn asking_loop(&mut self, body: Node<'a>, out: &mut Block) {
        let Some((define, object, value, error)) = self.asked(body) else { return };
        let over = self.expr(object);
        let over = self.once(over);
        out.append(&mut self.pending);
        let element = Info { element: true, ..Info::default() };
        let var = self.declare(self.text(value), element).unwrap_or_else(|| self.fresh());
        let mut block = Vec::new();
        if let Some(local) = self.declare(self.text(error), Info::of(Ty::Error)) {
            block.push(Stmt::Let(Place::Name(local), over));
            let error = self.local(local);
            self.ends.push(error);
        }
        let rest = parts(body).into_iter().flat_map(|n| if kind(n) == K::StatementList { parts(n) } else { vec![n] });
        self.scoped(|cx| {
            let known = cx.failed.len();
            rest.filter(|n| *n != define).for_each(|n| cx.stmt(n, &mut block));
            cx.failed.truncate(known);
        });
        self.ends.pop();
        out.push(Stmt::For { var, over, body: block, whole: Vec::new() });
    }

    fn range(&mut self, node: Node<'a>, clause: Node<'a>, body: Node<'a>, out: &mut Block) {
        let Some(right) = clause.right() else {
            self.hole(node);
            return;
        };
        let declares = has_token(clause, ":=");
        let left = clause.left().map(parts).unwrap_or_default();
        let (source, shape) = self.traversed(right);
        let names: Vec<Option<Node>> = left.iter().map(|n| Some(*n).filter(|n| self.text(*n) != "_")).collect();
        let simple =
            |cx: &Self, n: Option<Node<'a>>| n.is_none_or(|n| declares && kind(n) == K::Ident && cx.text(n) != "_");
        if !(names.iter().all(|n| simple(self, *n))) {
            return self.range_into(&left, source, shape, body, out);
        }
        match (shape, names[..].first().copied().flatten(), names.get(1).copied().flatten()) {
            (Shape::Count, index, _) => {
                let over = match self.builtin_len(source) {
                    Some(of) => return self.by_position(Some(of), index.map(|n| (self.text(n), true)), of, body, out),
                    None => self.opaque(source),
                };
                self.effect(source, out);
                self.traverse(over, None, index.map(|n| (self.text(n), true)), None, body, source, out);
            }
            (shape, Some(only), None) if names.len() == 1 => self.range_one(shape, only, source, body, out),
            (shape, key, value) => {
                let key = key.map(|n| self.text(n));
                let listed = shape == Shape::List || shape == Shape::Any && key.is_some_and(is_position);
                let over = self.sole(source);
                out.append(&mut self.pending);
                let value = value.map(|n| self.text(n));
                self.traverse(over, value, key.map(|k| (k, listed)), Some(source), body, source, out);
            }
        }
    }

    /// `for x := range xs`: elements, positions or keys.
    fn range_one(&mut self, shape: Shape, only: Node<'a>, source: Node<'a>, body: Node<'a>, out: &mut Block) {
        let name = self.text(only);
        let index = format!("{}[{name}]", self.text(source));
        let asks = self.text(body).contains(&index);
        let listed = shape == Shape::List || shape == Shape::Any && is_position(name);
        let over = self.sole(source);
        out.append(&mut self.pending);
        match listed || asks && shape != Shape::Each {
            true => self.traverse(over, None, Some((name, listed)), Some(source), body, only, out),
            false => self.traverse(over, Some(name), None, None, body, only, out),
        }
    }

    fn by_position(
        &mut self,
        of: Option<Node<'a>>,
        index: Option<(&'a str, bool)>,
        over: Node<'a>,
        body: Node<'a>,
        out: &mut Block,
    ) {
        let value = self.expr(over);
        out.append(&mut self.pending);
        self.traverse(value, None, index, of, body, over, out);
    }

    /// A loop whose variables are declared by it. `key` is a name and whether it is a position.
    #[allow(clippy::too_many_arguments)]
    fn traverse(
        &mut self,
        over: ExprId,
        value: Option<&'a str>,
        key: Option<(&'a str, bool)>,
        written: Option<Node<'a>>,
        body: Node<'a>,
        place: Node<'a>,
        out: &mut Block,
    ) {
        let fails = value.is_some_and(super::names::is_error_name);
        let element = Info { element: true, ..Info::of(if fails { Ty::Error } else { Ty::Unknown }) };
        let var = value.and_then(|v| self.declare(v, element)).unwrap_or_else(|| self.fresh());
        let name = self.local(var);
        self.at(name, place);
        let mut block = Vec::new();
        if let Some((word, listed)) = key
            && let Some(local) = self.declare(word, Info::of(if listed { Ty::Int } else { Ty::Unknown }))
        {
            let field = if listed { "#index" } else { "#key" };
            let part = self.arena.field(name, sym(field));
            self.at(part, place);
            block.push(Stmt::Let(Place::Name(local), part));
            if let Some(written) = written {
                let over = self.text(written).to_string();
                self.positions.push(Position { over, index: local, element: name });
            }
        }
        block.append(&mut self.block(body));
        out.push(Stmt::For { var, over, body: block, whole: Vec::new() });
    }

    /// `for k, v = range xs`: into places that are there already.
    fn range_into(&mut self, left: &[Node<'a>], source: Node<'a>, shape: Shape, body: Node<'a>, out: &mut Block) {
        let over = self.sole(source);
        out.append(&mut self.pending);
        let var = self.fresh();
        let element = self.local(var);
        self.at(element, source);
        let mut block = Vec::new();
        let listed = shape == Shape::List || left.first().is_some_and(|n| is_position(self.text(*n)));
        let key = match shape {
            Shape::Each | Shape::Map if left.len() == 1 => element,
            _ => self.arena.field(element, sym(if listed { "#index" } else { "#key" })),
        };
        self.at(key, source);
        for (target, value) in left.iter().zip([key, element]) {
            self.store(*target, value, None, &mut block);
        }
        block.append(&mut self.block(body));
        out.push(Stmt::For { var, over, body: block, whole: Vec::new() });
    }

    /// What a `range` runs over, and what its variables are.
    fn traversed(&self, right: Node<'a>) -> (Node<'a>, Shape) {
        let node = self.unwrap_paren(right);
        let shape = match kind(node) {
            K::Int => Shape::Count,
            K::Composite => match super::kinds::type_of(node).map(kind) {
                Some(K::MapType) => Shape::Map,
                Some(K::SliceType | K::ArrayType | K::OpenArrayType) => Shape::List,
                _ => Shape::Any,
            },
            K::Slice => Shape::List,
            K::Call => return self.called(node),
            _ => shape_of(self.ty_of(node)),
        };
        (node, shape)
    }

    /// `slices.Values(xs)`, `maps.Keys(m)`, `slices.All(xs)`, `len(xs)`
    fn called(&self, node: Node<'a>) -> (Node<'a>, Shape) {
        let function = node.function().map(|f| self.text(f)).unwrap_or_default();
        let one = node.arguments().map(parts).and_then(|a| a.first().copied());
        match (function, one) {
            ("len", _) => (node, Shape::Count),
            ("slices.All" | "slices.Backward", Some(one)) => (one, Shape::List),
            ("maps.All", Some(one)) => (one, Shape::Map),
            ("slices.Values" | "maps.Keys" | "maps.Values" | "slices.Sorted" | "slices.Collect", _) => {
                (node, Shape::Each)
            }
            _ => (node, Shape::Any),
        }
    }

    fn builtin_len(&self, node: Node<'a>) -> Option<Node<'a>> {
        let function = node.function().filter(|_| kind(node) == K::Call)?;
        let of = node.arguments().and_then(first).filter(|_| self.builtin(function) == Some("len"))?;
        matches!(kind(of), K::Ident | K::Selector | K::Index).then_some(of)
    }

    /// The element that `xs[i]` is, inside a loop over `xs` by position.
    pub fn element_at(&mut self, node: Node<'a>) -> Option<ExprId> {
        let (object, index) = (node.operand()?, node.index()?);
        let (over, index) = (self.text(object), self.local_of(index)?);
        let found = self.positions.iter().rev().find(|p| p.index == index && p.over == over)?;
        Some(found.element)
    }

    /// A statement on what a loop asks for its next element: `rows.Scan(&a, &b)`.
    pub fn taken(&mut self, node: Node<'a>) -> Option<ExprId> {
        let function = node.function()?;
        let (object, name) = (self.text(function.operand()?), self.text(function.field()?));
        let element = self.iterating.iter().rev().find(|i| i.0 == object)?.1;
        let given: Vec<Node> = node.arguments().map(parts)?.into_iter().filter(|n| !self.is_ctx(*n)).collect();
        match (name, &given[..]) {
            ("Scan", [_, ..]) => {
                for (i, target) in given.iter().enumerate() {
                    let part = self.arena.field(element, sym(&i.to_string()));
                    self.fill(*target, part);
                }
                let nothing = self.lit(Lit::Nothing);
                Some(nothing)
            }
            ("StructScan" | "Decode" | "ScanStruct" | "MapScan" | "DataTo" | "ScanRows", [target]) => {
                self.fill(*target, element);
                Some(self.lit(Lit::Nothing))
            }
            ("Value" | "Item" | "Text" | "Bytes" | "Val" | "Object" | "Current" | "Record", []) => Some(element),
            ("Key", []) => Some(self.arena.field(element, sym("#key"))),
            _ => None,
        }
    }

    /// Writes to what a pointer points at: `&x`, or a pointer.
    fn fill(&mut self, target: Node<'a>, value: ExprId) {
        self.at(value, target);
        let target = target.operand().filter(|_| kind(target) == K::Unary).unwrap_or(target);
        let mut block = Vec::new();
        self.store(target, value, None, &mut block);
        self.pending.append(&mut block);
    }

    /// An element of a channel.
    pub fn received(&mut self, channel: Node<'a>) -> ExprId {
        if self.says_done(channel) {
            return self.opaque(channel);
        }
        let value = self.expr(channel);
        match self.arena.get(value) {
            // `<-time.After(d)`
            Expr::Call(_) => value,
            _ => self.arena.field(value, sym("0")),
        }
    }
}

fn shape_of(ty: Ty) -> Shape {
    match ty {
        Ty::Map => Shape::Map,
        Ty::Slice => Shape::List,
        Ty::Chan | Ty::Func => Shape::Each,
        Ty::Int => Shape::Count,
        Ty::Text => Shape::List,
        _ => Shape::Any,
    }
}

/// Is it what one calls a position?
fn is_position(name: &str) -> bool {
    matches!(name, "i" | "j" | "n" | "ii" | "idx" | "index" | "pos") || name.ends_with("Idx") || name.ends_with("Index")
}
