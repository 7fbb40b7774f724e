//! Statements.
//!
//! ```text
//! while q:                     for %1 in <unknown>:
//!     x = q.pop()                if not q: break
//! else:                            done()          (what a loop that ran to its end does)
//!     done()                     x = q.pop()
//! ```

use super::build::{Cx, DEPTH};
use super::comp::Shape;
use super::kinds::{Child, K, broken, broken_head, first, has_token, kind, parts};
use super::scope;
use crate::ir::{Arg, Block, Exit, Expr, ExprId, Handler, Lit, Place, Rebuild, Stmt, Sym, sym};
use crate::source::Span;
use tree_sitter::Node;

impl Cx<'_> {
    /// The statements of a block.
    pub fn block(&mut self, node: Node) -> Block {
        let mut out = Vec::new();
        let broken = kind(node) == K::Error;
        for child in parts(node).into_iter().filter(|n| !broken || is_statement(*n)) {
            self.stmt(child, &mut out);
        }
        out
    }

    /// One statement.
    pub fn stmt(&mut self, node: Node, out: &mut Block) {
        let outer = self.stmt;
        self.stmt = self.header(node);
        if self.deeper(|cx| cx.statement(node, out)).is_none() {
            let hole = self.hole_named("too_deep", node);
            self.emit(out, Stmt::Do(hole));
        }
        out.append(&mut self.pending);
        self.stmt = outer;
    }

    /// The place of a simple statement, or of a compound one up to its colon.
    pub fn header(&self, node: Node) -> Span {
        let compound = matches!(
            kind(node),
            K::If
                | K::Elif
                | K::For
                | K::While
                | K::Try
                | K::With
                | K::Match
                | K::FuncDef
                | K::ClassDef
                | K::CaseClause
                | K::Except
        );
        if compound {
            let mut cursor = node.walk();
            let colon = node.children(&mut cursor).find(|n| !n.is_named() && n.kind() == ":");
            if let Some(colon) = colon {
                return self.span_to(node, colon);
            }
        }
        self.span(node)
    }

    fn statement(&mut self, node: Node, out: &mut Block) {
        match kind(node) {
            K::ExprStmt => parts(node).into_iter().for_each(|n| self.effect(n, out)),
            K::Return => self.return_(node, out),
            K::If => self.if_(node, out),
            K::For => self.for_(node, out),
            K::While => self.while_(node, out),
            K::Try => self.try_(node, out),
            K::With => self.with(node, out),
            K::Match => self.match_(node, out),
            K::Del => self.del(node, out),
            K::Raise => self.raise(node, out),
            K::Assert => self.assert(node, out),
            K::Break => out.push(Stmt::Leave(Exit::Break(self.extra_loops))),
            K::Continue => out.push(Stmt::Leave(Exit::Continue(self.extra_loops))),
            K::FuncDef => self.nested_function(node, out),
            K::ClassDef => self.nested_class(node, out),
            K::Decorated => {
                if let Some(definition) = node.definition() {
                    self.statement(definition, out);
                }
            }
            K::Print | K::Exec => self.old_statement(node, out),
            K::TypeAlias => self.type_alias(node, out),
            K::Pass | K::Global | K::Nonlocal | K::Import | K::ImportFrom | K::Future | K::Comment => {}
            K::Block | K::Module => parts(node).into_iter().for_each(|n| self.stmt(n, out)),
            // Noted with its place when the piece was parsed. Whole statements in it are what they are.
            K::Error => parts(node).into_iter().filter(|n| is_statement(*n)).for_each(|n| self.stmt(n, out)),
            _ => {
                let hole = self.hole(node);
                self.emit(out, Stmt::Do(hole));
            }
        }
    }

    /// `type X = int` gives a name to something that is no value of interest. The grammar takes `type(x).f = g(y)` for
    /// one too: what is written there is evaluated.
    fn type_alias(&mut self, node: Node, out: &mut Block) {
        let (Some(left), Some(right)) = (node.left(), node.right()) else { return };
        if self.text(left).starts_with(|c: char| c.is_alphabetic() || c == '_') {
            let place = self.place_of_name(self.text(left));
            let value = self.opaque(node);
            out.push(Stmt::Let(place, value));
        } else {
            self.expr_for_effects(right, out);
        }
    }

    /// An expression for its effects. What decides whether the effect happens becomes a statement:
    ///
    /// ```text
    /// x and x.close()                  if x: x.close()
    /// f() if c else g()                if c: f() else: g()
    /// [f(x) for x in xs if x.ok]       for x in xs: if x.ok: f(x)
    /// ```
    pub fn effect(&mut self, node: Node, out: &mut Block) {
        let node = self.unwrap_paren(node);
        match kind(node) {
            _ if broken(node) => self.expr_for_effects(node, out),
            K::Assignment => self.assign(node, out),
            K::AugAssign => self.assign_op(node, out),
            K::Await => first(node).into_iter().for_each(|n| self.effect(n, out)),
            K::Tuple | K::ExprList => parts(node).into_iter().for_each(|n| self.effect(n, out)),
            K::String | K::Ellipsis | K::Ident | K::None | K::True | K::False | K::Integer => {
                if parts(node).iter().any(|n| kind(*n) == K::Interpolation) {
                    self.expr_for_effects(node, out);
                }
            }
            K::Conditional => {
                let [yes, test, no] = parts(node)[..] else { return };
                self.branch(test, false, |cx, out| cx.effect(yes, out), |cx, out| cx.effect(no, out), out);
            }
            K::BoolOp => {
                let (Some(left), Some(right)) = (node.left(), node.right()) else { return };
                let negate = has_token(node, "or");
                self.branch(left, negate, |cx, out| cx.effect(right, out), |_, _| {}, out);
            }
            K::ListComp | K::SetComp | K::Generator => self.comprehension_as_loops(node, out),
            K::Yield => self.yield_(node, out),
            _ => {
                self.expr_for_effects(node, out);
                if self.ends_the_process(node) {
                    out.push(Stmt::Leave(Exit::Raise(Some(sym("SystemExit")))));
                }
            }
        }
    }

    /// Is this a call that does not come back? It leaves as `raise SystemExit` does.
    ///
    /// ```text
    /// except OSError: sys.exit(2)      except OSError: sys.exit(2); raise SystemExit
    /// ```
    fn ends_the_process(&mut self, node: Node) -> bool {
        let called = node.function().filter(|f| kind(node) == K::Call && self.text(*f).ends_with("exit"));
        let Some(called) = called else { return false };
        let (_, callee) = self.apart(|cx| cx.expr(called));
        self.path_of(callee).is_some_and(|path| matches!(path.as_str(), "sys.exit" | "os._exit" | "exit"))
    }

    fn branch(
        &mut self,
        test: Node,
        negate: bool,
        then: impl FnOnce(&mut Self, &mut Block),
        or: impl FnOnce(&mut Self, &mut Block),
        out: &mut Block,
    ) {
        let mut when = self.cond(test);
        if negate {
            when = self.arena.not(when);
        }
        out.append(&mut self.pending);
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        self.deeper(|cx| {
            then(cx, &mut yes);
            or(cx, &mut no);
        });
        out.push(Stmt::If(when, yes, no));
    }

    fn expr_for_effects(&mut self, node: Node, out: &mut Block) {
        let value = self.expr(node);
        out.append(&mut self.pending);
        self.run_value(value, out);
    }

    /// Evaluates a value for its effects. A collection that was made of calls only for their effects is a loop:
    /// `list(map(os.remove, xs))`.
    fn run_value(&mut self, value: ExprId, out: &mut Block) {
        let does =
            |cx: &Self| cx.arena.mentions(value, &mut |e| matches!(cx.arena.get(e), Expr::Call(_) | Expr::Unknown(_)));
        if !does(self) {
            return;
        }
        let Expr::Gather { of, keep, give } = *self.arena.get(value) else {
            out.push(Stmt::Do(value));
            return;
        };
        let var = self.fresh();
        let (over, element) = (self.arena.coll(of), self.arena.mk(Expr::Elem(of)));
        let name = self.arena.mk(Expr::Name(var));
        let mut copy = Rebuild::within().with(element, name);
        let (keep, give) = (copy.expr(&mut self.arena, keep), copy.expr(&mut self.arena, give));
        let mut inner = Vec::new();
        self.run_value(give, &mut inner);
        let body = if self.arena.as_bool(keep) == Some(true) { inner } else { vec![Stmt::If(keep, inner, Vec::new())] };
        out.push(Stmt::For { var, over, body, whole: Vec::new() });
    }

    /// In a generator every way out returns what was collected.
    fn return_(&mut self, node: Node, out: &mut Block) {
        let value = match first(node) {
            Some(value) => self.expr(value),
            None => self.nothing(),
        };
        out.append(&mut self.pending);
        match self.out.last().copied().flatten() {
            Some(collected) => {
                self.run_value(value, out);
                let collected = self.arena.mk(Expr::Name(collected));
                out.push(Stmt::Leave(Exit::Return(collected)));
            }
            None => out.push(Stmt::Leave(Exit::Return(value))),
        }
    }

    /// ```text
    /// if a: A                 if a: A
    /// elif b: B               else: if b: B
    /// else: C                       else: C
    /// ```
    fn if_(&mut self, node: Node, out: &mut Block) {
        let mut arms: Vec<(Block, ExprId, Block)> = Vec::new();
        let mut last = Vec::new();
        let mut cursor = node.walk();
        let clauses: Vec<Node> = node.children(&mut cursor).filter(|n| matches!(kind(*n), K::Elif | K::Else)).collect();
        for clause in std::iter::once(node).chain(clauses) {
            if kind(clause) == K::Else {
                last = clause.body().map(|b| self.block(b)).unwrap_or_default();
                continue;
            }
            if arms.len() as u32 >= DEPTH {
                self.hole_named("too_deep", clause);
                break;
            }
            self.stmt = self.header(clause);
            let Some(test) = clause.condition() else { continue };
            let (before, when) =
                self.apart(|cx| if broken_head(clause) { cx.hole_named("ERROR", test) } else { cx.cond(test) });
            let then = clause.consequence().map(|b| self.block(b)).unwrap_or_default();
            arms.push((before, when, then));
        }
        for (mut before, when, then) in arms.into_iter().rev() {
            before.push(Stmt::If(when, then, last));
            last = before;
        }
        out.append(&mut last);
    }

    /// ```text
    /// for k, v in m.items():      for %1 in m:
    ///     …                         k = %1.#key
    ///                               v = %1
    /// ```
    fn for_(&mut self, node: Node, out: &mut Block) {
        let (Some(left), Some(right)) = (node.left(), node.right()) else {
            self.hole(node);
            return;
        };
        let (over, shape) =
            if broken_head(node) { (self.hole_named("ERROR", right), Shape::Plain) } else { self.iteration(right) };
        out.append(&mut self.pending);
        let plain = match (kind(left), self.place_if_local(left)) {
            (K::Ident, Some(local)) if shape.is_plain() => Some(local),
            _ => None,
        };
        let var = plain.unwrap_or_else(|| self.fresh());
        let mut body = Vec::new();
        let element = self.arena.mk(Expr::Name(var));
        self.at(element, left);
        if plain.is_none() {
            let value = self.element(&shape, element);
            self.assign_to(left, value, &mut body);
        }
        let outer = std::mem::take(&mut self.extra_loops);
        body.append(&mut node.body().map(|b| self.block(b)).unwrap_or_default());
        self.extra_loops = outer;
        let whole = node.alternative().and_then(|n| n.body()).map(|b| self.block(b)).unwrap_or_default();
        out.push(Stmt::For { var, over, body, whole });
    }

    fn while_(&mut self, node: Node, out: &mut Block) {
        let Some(test) = node.condition() else { return };
        let outer = std::mem::take(&mut self.extra_loops);
        let (mut body, when) =
            self.apart(|cx| if broken_head(node) { cx.hole_named("ERROR", test) } else { cx.cond(test) });
        let always = match self.arena.get(when) {
            Expr::Lit(Lit::Bool(b)) => *b,
            Expr::Lit(Lit::Num(n)) => *n != 0,
            _ => false,
        };
        if !always {
            // What runs when the condition fails stands inside the loop here, so its exits are one loop farther away.
            self.extra_loops = outer + 1;
            let mut done = node.alternative().and_then(|n| n.body()).map(|b| self.block(b)).unwrap_or_default();
            self.extra_loops = 0;
            leave(&mut done, Exit::Break(0));
            let over = self.arena.not(when);
            body.push(Stmt::If(over, done, Vec::new()));
        }
        body.append(&mut node.body().map(|b| self.block(b)).unwrap_or_default());
        self.extra_loops = outer;
        let (var, over) = (self.fresh(), self.opaque(test));
        out.push(Stmt::For { var, over, body, whole: Vec::new() });
    }

    /// ```text
    /// try: A                      try: A; B
    /// except E as e: H            except E as e: H
    /// else: B                     C
    /// finally: C
    /// ```
    fn try_(&mut self, node: Node, out: &mut Block) {
        let mut body = node.body().map(|b| self.block(b)).unwrap_or_default();
        let (mut handlers, mut after) = (Vec::new(), Vec::new());
        for clause in parts(node) {
            match kind(clause) {
                K::Except => handlers.push(self.handler(clause)),
                K::Else => body.append(&mut clause.body().map(|b| self.block(b)).unwrap_or_default()),
                K::Finally => after = parts(clause).last().map(|b| self.block(*b)).unwrap_or_default(),
                _ => {}
            }
        }
        match handlers.is_empty() {
            true => out.append(&mut body),
            false => out.push(Stmt::Try { body, handlers }),
        }
        out.append(&mut after);
    }

    fn handler(&mut self, clause: Node) -> Handler {
        self.stmt = self.header(clause);
        let children = parts(clause);
        let (block, tests): (Vec<Node>, Vec<Node>) = children.into_iter().partition(|n| kind(*n) == K::Block);
        let mut handler = Handler { types: Vec::new(), bind: None, body: Vec::new(), span: self.span(clause) };
        match tests[..] {
            [] => {}
            [test] if kind(test) == K::AsPattern => {
                let inner = parts(test);
                inner.first().into_iter().for_each(|n| self.exceptions(*n, &mut handler.types));
                handler.bind = test.alias().and_then(|n| self.bound_name(n));
            }
            [test, alias] if clause.alias() == Some(alias) || self.old_alias(alias) => {
                self.exceptions(test, &mut handler.types);
                handler.bind = self.bound_name(alias);
            }
            _ => tests.iter().for_each(|n| self.exceptions(*n, &mut handler.types)),
        }
        handler.body = block.first().map(|b| self.block(*b)).unwrap_or_default();
        handler
    }

    /// `except E, e:` of Python 2 and `except A, B:` of Python 3.14 are told apart by the case of the second name.
    fn old_alias(&self, node: Node) -> bool {
        kind(node) == K::Ident && self.text(node).starts_with(|c: char| c.is_lowercase() || c == '_')
    }

    fn bound_name(&mut self, node: Node) -> Option<Sym> {
        match self.place_of_name(self.text(node)) {
            Place::Name(name) => Some(name),
            _ => None,
        }
    }

    /// The types of `except (A, m.B)`. A type that is computed is named by its text.
    pub fn exceptions(&mut self, node: Node, types: &mut Vec<Sym>) {
        match kind(node) {
            K::Tuple | K::ExprList | K::List | K::Paren | K::ListSplat => {
                for inner in parts(node) {
                    self.deeper(|cx| cx.exceptions(inner, types));
                }
            }
            _ => {
                let (_, value) = self.apart(|cx| cx.expr(node));
                types.push(self.path_of(value).unwrap_or_else(|| sym(self.text(node))));
            }
        }
    }

    /// The dotted path of a value that is one.
    pub fn path_of(&self, value: ExprId) -> Option<Sym> {
        match self.arena.get(value) {
            Expr::Path(path) => Some(*path),
            Expr::Field(base, name) => Some(sym(&format!("{}.{name}", self.path_of(*base)?))),
            _ => None,
        }
    }

    /// ```text
    /// with a as b, c: A               b = a; c; A
    /// with suppress(E): A             try: A  except E: (nothing)
    /// ```
    fn with(&mut self, node: Node, out: &mut Block) {
        let clause = parts(node).into_iter().find(|n| kind(*n) == K::WithClause);
        let mut items = Vec::new();
        for item in clause.map(parts).unwrap_or_default() {
            let value = self.unwrap_paren(item.value().unwrap_or(item));
            match kind(value) {
                K::Tuple if parts(value).iter().any(|n| kind(*n) == K::AsPattern) => items.extend(parts(value)),
                _ => items.push(value),
            }
        }
        let Some(body) = node.body() else { return };
        self.with_items(&items, body, out);
    }

    fn with_items(&mut self, items: &[Node], body: Node, out: &mut Block) {
        for (i, item) in items.iter().enumerate() {
            if let Some(types) = self.suppressed(*item) {
                let mut inner = Vec::new();
                let rest = items.get(i + 1..).unwrap_or_default();
                if self.deeper(|cx| cx.with_items(rest, body, &mut inner)).is_none() {
                    self.hole_named("too_deep", *item);
                }
                let handler = Handler { types, bind: None, body: Vec::new(), span: self.span(*item) };
                out.push(Stmt::Try { body: inner, handlers: vec![handler] });
                return;
            }
            match (kind(*item), item.alias()) {
                (K::AsPattern, Some(alias)) => {
                    let value = match first(*item) {
                        Some(value) => self.expr(value),
                        None => self.hole(*item),
                    };
                    self.assign_to(first(alias).unwrap_or(alias), value, out);
                }
                _ => self.expr_for_effects(*item, out),
            }
        }
        out.append(&mut self.block(body));
    }

    /// The types of `contextlib.suppress(..)`.
    fn suppressed(&mut self, item: Node) -> Option<Vec<Sym>> {
        let item = if kind(item) == K::AsPattern { first(item)? } else { item };
        let callee = item.function().filter(|f| self.text(*f).ends_with("suppress"))?;
        let (_, callee) = self.apart(|cx| cx.expr(callee));
        if self.imported_path(callee)?.as_str() != "contextlib.suppress" {
            return None;
        }
        let mut types = Vec::new();
        parts(item.arguments()?).into_iter().for_each(|n| self.exceptions(n, &mut types));
        Some(types)
    }

    /// The type of `raise E(..)` and `raise E`; `raise` and `raise e` have none written out.
    fn raise(&mut self, node: Node, out: &mut Block) {
        let raised = parts(node).into_iter().find(|n| node.cause() != Some(*n));
        let raised = raised.map(|n| if kind(n) == K::ExprList { first(n).unwrap_or(n) } else { n });
        let what = raised.map(|n| self.unwrap_paren(n)).map(|n| n.function().unwrap_or(n));
        let path = what.and_then(|what| {
            let (_, value) = self.apart(|cx| cx.expr(what));
            self.path_of(value)
        });
        out.push(Stmt::Leave(Exit::Raise(path)));
    }

    fn assert(&mut self, node: Node, out: &mut Block) {
        let Some(test) = first(node) else { return };
        let value = self.cond(test);
        let keyword = {
            let start = node.start_byte();
            self.piece.span(self.facts.file, start..start + "assert".len())
        };
        let (callee, whole) = (self.path("assert"), self.span(node));
        let call = self.call(keyword, whole, callee, vec![Arg { name: None, value }]);
        self.emit(out, Stmt::Do(call));
    }

    /// `print x, y` and `exec code in scope` of Python 2 are the calls they became.
    fn old_statement(&mut self, node: Node, out: &mut Block) {
        let name = if kind(node) == K::Print { "print" } else { "exec" };
        let children = parts(node).into_iter().filter(|n| kind(*n) != K::Chevron);
        let values: Vec<ExprId> = children.map(|n| self.expr(n)).collect();
        let call = self.op(name, node, values);
        self.emit(out, Stmt::Do(call));
    }

    /// `yield v` adds to what the generator gives; `yield from xs` adds each of them. The value sent back is unknown.
    ///
    /// ```text
    /// yield from xs        for %1 in xs: %out <- %1
    /// ```
    pub fn yield_(&mut self, node: Node, out: &mut Block) {
        let Some(collected) = self.out.last().copied().flatten() else { return };
        let place = Place::Name(collected);
        if has_token(node, "from") {
            let Some(from) = first(node) else { return };
            let over = self.expr(from);
            let var = self.fresh();
            let value = self.arena.mk(Expr::Name(var));
            let body = vec![Stmt::Put(place, value)];
            self.emit(out, Stmt::For { var, over, body, whole: Vec::new() });
            return;
        }
        let value = match first(node) {
            Some(value) => self.expr(value),
            None => self.nothing(),
        };
        self.emit(out, Stmt::Put(place, value));
    }

    /// The names a body binds; see [`scope::bindings`].
    pub fn bindings(&self, body: Node) -> scope::Found {
        scope::bindings(body, self.piece.text(), &self.facts.package)
    }
}

/// Leaves a block, where it was not left already.
pub(super) fn leave(block: &mut Block, exit: Exit) {
    if !matches!(block.last(), Some(Stmt::Leave(_))) {
        block.push(Stmt::Leave(exit));
    }
}

/// Is it a statement by its form? Asked of what stands in a syntax error.
fn is_statement(node: Node) -> bool {
    matches!(
        kind(node),
        K::ExprStmt
            | K::Return
            | K::If
            | K::For
            | K::While
            | K::Try
            | K::With
            | K::Match
            | K::Del
            | K::Raise
            | K::Assert
            | K::Block
            | K::FuncDef
            | K::Decorated
    )
}
