//! Statements that are no loops, switches or assignments.
//!
//! ```text
//! if err := f(); err != nil {      err = f()
//!     return nil, err              if raised(err): return failed
//! }
//! go func() { … }()                (fn(): …)()
//! defer f(x)                       f(x), at the end of the function
//! delete(m, k); panic(x)           m -< k; raise panic
//! ```

use super::build::{Cx, DEPTH};
use super::kinds::{Child, K, broken, each, first, has_token, kind, parts, parts_and_errors};
use super::names::{Info, Ty};
use crate::ir::{Block, Exit, Expr, ExprId, Lit, Place, Stmt, sym};
use crate::source::Span;
use tree_sitter::Node;

impl<'a> Cx<'a> {
    /// The statements of a block, in a scope of its own.
    pub fn block(&mut self, node: Node<'a>) -> Block {
        let mut out = Vec::new();
        self.scoped(|cx| cx.block_into(node, &mut out));
        out
    }

    /// The statements of a block, in the scope at hand.
    pub fn block_into(&mut self, node: Node<'a>, out: &mut Block) {
        let known = self.failed.len();
        let mut todo: Vec<Node> = parts_and_errors(node).into_iter().rev().collect();
        while let Some(child) = todo.pop() {
            match kind(child) {
                K::StatementList => todo.extend(parts_and_errors(child).into_iter().rev()),
                // Whole statements in what is broken are what they are.
                K::Error => todo.extend(parts(child).into_iter().rev().filter(|n| is_statement(*n))),
                _ => self.stmt(child, out),
            }
        }
        self.failed.truncate(known);
    }

    /// One statement.
    pub fn stmt(&mut self, node: Node<'a>, out: &mut Block) {
        let outer = self.stmt;
        self.stmt = self.header(node);
        if self.nesting == 0 {
            self.catch_up(node, out);
        }
        if self.deeper(|cx| cx.statement(node, out)).is_none() {
            let hole = self.hole_named("too_deep", node);
            self.emit(out, Stmt::Do(hole));
        }
        out.append(&mut self.pending);
        self.stmt = outer;
    }

    /// The place of a simple statement, or of a compound one up to its brace.
    pub fn header(&self, node: Node<'a>) -> Span {
        let mark = match kind(node) {
            K::If | K::For | K::Switch | K::TypeSwitch | K::Select => "{",
            K::ExprCase | K::TypeCase | K::CommCase | K::Default => ":",
            _ => return self.span(node),
        };
        let mut cursor = node.walk();
        let found = node.children(&mut cursor).find(|n| n.kind() == mark || kind(*n) == K::Block);
        match found {
            Some(end) => {
                self.piece.span(self.facts.file, node.start_byte()..end.start_byte().max(node.start_byte() + 1))
            }
            None => self.span(node),
        }
    }

    fn statement(&mut self, node: Node<'a>, out: &mut Block) {
        match kind(node) {
            K::ExprStmt => parts(node).into_iter().for_each(|n| self.effect(n, out)),
            K::Define | K::Assign => self.assignment(node, out),
            K::Inc | K::Dec => self.count(node, out),
            K::VarDecl | K::ConstDecl => self.declaration(node, out),
            K::TypeDecl | K::Empty | K::Comment | K::Fallthrough => {}
            K::Return => self.return_(node, out),
            K::If => self.if_(node, out),
            K::For => self.for_(node, out),
            K::Switch => self.switch(node, out),
            K::TypeSwitch => self.type_switch(node, out),
            K::Select => self.select(node, out),
            K::Go => self.go(node, out),
            K::Defer => self.defer(node, out),
            K::Send => self.send(node, out),
            K::Labeled => self.labeled(node, out),
            K::Break | K::Continue => self.jump(node, out),
            K::Block => out.append(&mut self.block(node)),
            K::FuncDecl | K::Method => {
                node.body().into_iter().for_each(|b| out.append(&mut self.block(b)));
            }
            // Where the grammar takes part of a statement for an expression.
            K::Call => self.effect(node, out),
            K::Error => {}
            _ => {
                let hole = self.hole(node);
                self.emit(out, Stmt::Do(hole));
            }
        }
    }

    /// An expression for its effects.
    pub fn effect(&mut self, node: Node<'a>, out: &mut Block) {
        let node = self.unwrap_paren(node);
        if kind(node) == K::Call && !broken(node) && self.call_statement(node, out) {
            return;
        }
        let value = self.expr(node);
        out.append(&mut self.pending);
        let does = |cx: &Self| {
            let a = &cx.arena;
            a.mentions(value, &mut |e| matches!(a.get(e), Expr::Call(_) | Expr::Unknown(_)))
        };
        if does(self) {
            out.push(Stmt::Do(value));
        }
    }

    /// Calls that are statements: builtins, and those that do not come back.
    fn call_statement(&mut self, node: Node<'a>, out: &mut Block) -> bool {
        let (Some(function), Some(arguments)) = (node.function(), node.arguments()) else { return false };
        let given = parts(arguments);
        match (self.builtin(function), &given[..]) {
            (Some("delete"), [map, key]) => {
                let (place, key) = (self.place(*map), self.expr(*key));
                self.emit(out, Stmt::Drop(place, key));
                return true;
            }
            (Some("clear"), [map]) => {
                let (place, empty) = (self.place(*map), self.empty());
                self.emit(out, Stmt::Let(place, empty));
                return true;
            }
            (Some("panic"), _) => {
                given.iter().for_each(|n| self.effect(*n, out));
                self.emit(out, Stmt::Leave(Exit::Raise(Some(sym("panic")))));
                return true;
            }
            (Some("close" | "print" | "println" | "copy"), _) => {
                given.iter().for_each(|n| self.effect(*n, out));
                return true;
            }
            _ => {}
        }
        let done = self.for_each(function, &given, node, out)
            || self.for_positions(&given, out)
            || self.changes_map(function, &given, node, out)
            || self.stores(function, &given, out)
            || self.in_place(function, &given, node, out);
        if done {
            return true;
        }
        let name = self.text(function.field().unwrap_or(function));
        let ends = name.starts_with("Fatal") || self.text(function) == "os.Exit";
        if ends {
            let value = self.expr(node);
            self.emit(out, Stmt::Do(value));
            out.push(Stmt::Leave(Exit::Raise(Some(sym("os.Exit")))));
        }
        ends
    }

    /// `m.Store(k, v)` of a map that several write to.
    fn stores(&mut self, function: Node<'a>, given: &[Node<'a>], out: &mut Block) -> bool {
        let (Some(object), Some(name), [key, value]) = (function.operand(), function.field(), given) else {
            return false;
        };
        if self.text(name) != "Store" || self.static_path(function).is_some() || self.is_ctx(*key) {
            return false;
        }
        let base = self.expr(object);
        let (key, value) = (self.expr(*key), self.expr(*value));
        self.emit(out, Stmt::Let(Place::Entry(base, key), value));
        true
    }

    /// `wg.Go(func() { … })`, `g.Go(func() error { … })`, `once.Do(func() { … })`: run here. A group fails where one of
    /// its functions does.
    fn in_place(&mut self, function: Node<'a>, given: &[Node<'a>], node: Node<'a>, out: &mut Block) -> bool {
        let (Some(object), Some(name), [one]) = (function.operand(), function.field(), given) else { return false };
        if !matches!(self.text(name), "Go" | "TryGo" | "Do") || kind(*one) != K::FuncLit {
            return false;
        }
        let closure = self.func_lit(*one);
        self.at(closure, *one);
        let (name, whole) = (self.span(name), self.span(node));
        let value = self.call(name, whole, closure, Vec::new());
        let mut block = Vec::new();
        let later = self.takes(node) && !self.later.is_empty();
        let written = if later { &mut block } else { out };
        match self.local_of(object) {
            Some(group) if self.ty_of(object) == Ty::Group => {
                let temp = self.fresh();
                self.emit(written, Stmt::Let(Place::Name(temp), value));
                let result = self.local(temp);
                self.at(result, *one);
                let raised = self.raised(result);
                let failed = self.lit(Lit::Failed);
                written.push(Stmt::If(raised, vec![Stmt::Let(Place::Name(group), failed)], Vec::new()));
            }
            _ => self.emit(written, Stmt::Do(value)),
        }
        if let Some(later) = self.later.last_mut() {
            later.append(&mut block);
        }
        true
    }

    /// `go f(x)`: done at once, except what takes things off a channel. That comes when they are there:
    ///
    /// ```text
    /// go func() { for x := range ch { f(x) } }()        ch <- 1
    /// ch <- 1                                           (fn(): for x in ch: f(x))()
    /// wg.Wait()                                         wg.Wait()
    /// ```
    fn go(&mut self, node: Node<'a>, out: &mut Block) {
        for call in parts(node) {
            if self.takes(call) {
                let mut block = Vec::new();
                self.effect(call, &mut block);
                if let Some(later) = self.later.last_mut() {
                    later.append(&mut block);
                }
            } else {
                self.effect(call, out);
            }
        }
    }

    /// Does a call take things off a channel, as far as it is written here?
    fn takes(&self, call: Node<'a>) -> bool {
        let given = call.arguments().map(parts).unwrap_or_default();
        let is_chan = |n: Node<'a>| self.ty_of(self.unwrap_paren(n)) == Ty::Chan;
        let body = call
            .function()
            .filter(|f| kind(*f) == K::FuncLit)
            .or(given.first().copied())
            .filter(|f| kind(*f) == K::FuncLit);
        let mut found = given.iter().any(|n| is_chan(*n));
        if let Some(body) = body {
            each(body, &mut |n| {
                found |= match kind(n) {
                    K::RangeClause => n.right().is_some_and(is_chan),
                    K::Unary => has_token(n, "<-") && n.operand().is_some_and(is_chan),
                    _ => false,
                };
                !found
            });
        }
        found
    }

    /// Before somebody waits for what was put off, closes a channel or goes through one, it is done.
    fn catch_up(&mut self, node: Node<'a>, out: &mut Block) {
        if self.later.last().is_none_or(Vec::is_empty) {
            return;
        }
        let head = self.piece.text().get(node.byte_range()).unwrap_or_default();
        let head = head.split('{').next().unwrap_or_default();
        let clause = parts(node).into_iter().find(|n| kind(*n) == K::RangeClause).and_then(|c| c.right());
        let goes_through = clause.is_some_and(|r| self.ty_of(r) == Ty::Chan);
        if (goes_through || head.contains(".Wait(") || head.starts_with("close("))
            && let Some(later) = self.later.last_mut()
        {
            out.append(later);
        }
    }

    /// What is put off in the block of the function itself stands at its end; elsewhere it is done at once, for nobody
    /// knows here whether it will have to be.
    fn defer(&mut self, node: Node<'a>, out: &mut Block) {
        let mut block = Vec::new();
        for call in parts(node) {
            self.effect(call, &mut block);
        }
        match self.deferred.last_mut().filter(|_| self.nesting == 0) {
            Some(deferred) => {
                deferred.splice(0..0, block);
            }
            None => out.append(&mut block),
        }
    }

    /// `ch <- x`
    fn send(&mut self, node: Node<'a>, out: &mut Block) {
        let Some((channel, value)) = sent(node) else {
            self.hole(node);
            return;
        };
        let (place, value) = (self.place(channel), self.expr(value));
        self.emit(out, Stmt::Put(place, value));
    }

    fn labeled(&mut self, node: Node<'a>, out: &mut Block) {
        self.label = node.label().map(|n| sym(self.text(n)));
        if let Some(inner) = parts(node).into_iter().find(|n| kind(*n) != K::LabelName) {
            self.stmt = self.header(inner);
            self.deeper(|cx| cx.statement(inner, out));
        }
        self.label = None;
    }

    /// `var x T`, `const x = 1` in a function.
    fn declaration(&mut self, node: Node<'a>, out: &mut Block) {
        let mut specs = parts(node);
        if let [one] = specs[..]
            && kind(one) == K::VarSpecList
        {
            specs = parts(one);
        }
        specs.into_iter().for_each(|spec| self.declared_values(spec, out));
    }

    fn declared_values(&mut self, spec: Node<'a>, out: &mut Block) {
        let names = super::kinds::all(spec, "name").into_iter().filter(|n| kind(*n) == K::Ident).collect::<Vec<_>>();
        if let Some(values) = spec.value() {
            let ty = super::kinds::type_of(spec).map(|t| self.kind_of_type(t)).unwrap_or_default();
            self.define(&names, &parts(values), ty, out);
            return;
        }
        for name in names {
            let Some(ty) = super::kinds::type_of(spec) else {
                // `const ( a = iota; b )`
                let (place, value) = (self.declare(self.text(name), Info::default()), self.opaque(name));
                place.into_iter().for_each(|p| out.push(Stmt::Let(Place::Name(p), value)));
                continue;
            };
            let value = self.zero(ty);
            let info = Info { blank: true, ..Info::of(self.kind_of_type(ty)) };
            if let Some(local) = self.declare(self.text(name), info)
                && info.ty != Ty::Ctx
            {
                self.emit(out, Stmt::Let(Place::Name(local), value));
            }
        }
    }

    /// ```text
    /// if a { A } else if x := f(); b { B } else { C }       if a: A
    ///                                                       else:
    ///                                                         x = f()
    ///                                                         if b: B
    ///                                                         else: C
    /// ```
    fn if_(&mut self, node: Node<'a>, out: &mut Block) {
        let mut arms: Vec<(Block, ExprId, Block)> = Vec::new();
        let mut last = Vec::new();
        let (scopes, known) = (self.scopes.len(), self.failed.len());
        let mut at = Some(node);
        self.nesting += 1;
        while let Some(clause) = at {
            if kind(clause) != K::If {
                last = self.block(clause);
                break;
            }
            if arms.len() as u32 >= DEPTH {
                self.hole_named("too_deep", clause);
                break;
            }
            self.stmt = self.header(clause);
            self.scopes.push(Default::default());
            let mut before = Vec::new();
            if let Some(first) = clause.initializer() {
                self.deeper(|cx| cx.statement(first, &mut before));
            }
            let Some(test) = clause.condition() else { break };
            let (mut ahead, when) = self.apart(|cx| cx.sole(test));
            before.append(&mut ahead);
            let outside = self.failed.len();
            let certain = self.fails_where(when, true);
            self.failed.extend(certain);
            let then = clause.consequence().map(|b| self.block(b)).unwrap_or_default();
            self.failed.truncate(outside);
            let certain = self.fails_where(when, false);
            self.failed.extend(certain);
            arms.push((before, when, then));
            at = clause.alternative();
        }
        self.nesting -= 1;
        self.scopes.truncate(scopes);
        self.failed.truncate(known);
        // `if err == nil { return x }`: after it, there is one.
        if let [(_, when, then)] = &arms[..]
            && last.is_empty()
            && matches!(then.last(), Some(Stmt::Leave(_)))
        {
            let when = *when;
            let certain = self.fails_where(when, false);
            self.failed.extend(certain);
        }
        for (mut before, when, then) in arms.into_iter().rev() {
            before.push(Stmt::If(when, then, last));
            last = before;
        }
        out.append(&mut last);
    }

    /// `break`, `continue`, with a label or without. Switches between here and there are loops in the IR only where
    /// something in them needs it.
    fn jump(&mut self, node: Node<'a>, out: &mut Block) {
        let label = first(node).map(|n| sym(self.text(n)));
        let goes_on = kind(node) == K::Continue;
        let found = self.targets.iter().rposition(|t| match label {
            Some(label) => t.label == Some(label),
            None => t.is_loop || !goes_on,
        });
        let Some(found) = found else {
            let hole = self.hole(node);
            return self.emit(out, Stmt::Do(hole));
        };
        let loops = self.targets.iter().skip(found).filter(|t| t.written).count();
        let target = self.targets.get(found).cloned();
        let Some(target) = target.filter(|t| t.written) else { return };
        let depth = u8::try_from(loops.saturating_sub(1)).unwrap_or(u8::MAX);
        if goes_on {
            if let Some(update) = target.update {
                self.stmt(update, out);
            }
            out.push(Stmt::Leave(Exit::Continue(depth)));
        } else {
            out.push(Stmt::Leave(Exit::Break(depth)));
        }
    }

    /// What a function gives, with its error: see `errors`.
    ///
    /// ```text
    /// return nil, err              return failed                 where `err` is known to be one
    /// return x, err                return raised(err) ? failed : x
    /// return x, nil                return x
    /// return f()                   return f()
    /// ```
    fn return_(&mut self, node: Node<'a>, out: &mut Block) {
        let results = self.results.last().cloned().unwrap_or_default();
        let given = first(node).map(parts).unwrap_or_default();
        let count = results.values + usize::from(results.fails);
        let value = match &given[..] {
            [] if results.names.is_empty() => self.nothing(),
            [] => {
                let mut values: Vec<ExprId> = results.names.iter().map(|n| self.local(*n)).collect();
                values.iter().for_each(|v| {
                    self.at(*v, node);
                });
                let error = if results.fails { values.pop() } else { None };
                let value = self.joined(values, results.says_ok);
                self.with_error(value, error, count)
            }
            [one] if count > 1 => self.expr(*one),
            _ => {
                let mut values = given.clone();
                let error = if results.fails { values.pop() } else { None };
                let error = error.map(|e| self.error_value(e));
                let values = values.into_iter().map(|n| self.expr(n)).collect();
                let value = self.joined(values, results.says_ok);
                let error = self.named_results(&results, error, out);
                self.with_error(value, error, count)
            }
        };
        self.leave_with(value, out);
    }

    /// What is put off may look at the error that the function is about to give.
    fn named_results(
        &mut self,
        results: &super::build::Results,
        error: Option<ExprId>,
        out: &mut Block,
    ) -> Option<ExprId> {
        let waiting = self.deferred.last().is_some_and(|d| !d.is_empty());
        if let (true, Some(error), Some(name)) = (waiting && results.fails, error, results.names.last().copied()) {
            self.emit(out, Stmt::Let(Place::Name(name), error));
            if matches!(self.arena.get(error), Expr::Call(_)) {
                return Some(self.local(name));
            }
        }
        error
    }

    /// The values of a function as one: `x, true` is `x`, `x, false` is nothing, several are a record.
    fn joined(&mut self, mut values: Vec<ExprId>, says_ok: bool) -> Option<ExprId> {
        match values[..] {
            [] => None,
            [one] => Some(one),
            [value, there] if says_ok => {
                values.clear();
                let nothing = self.nothing();
                Some(self.arena.choose(there, value, nothing))
            }
            _ => Some(self.record(values)),
        }
    }
}

/// Channel and value of `ch <- x`.
pub(super) fn sent(node: Node) -> Option<(Node, Node)> {
    match parts(node)[..] {
        [channel, value] => Some((channel, value)),
        _ => None,
    }
}

/// Is it a statement whole in itself?
fn is_statement(node: Node) -> bool {
    matches!(
        kind(node),
        K::ExprStmt
            | K::Call
            | K::Define
            | K::Assign
            | K::VarDecl
            | K::Return
            | K::If
            | K::For
            | K::Switch
            | K::TypeSwitch
            | K::Select
            | K::Go
            | K::Defer
            | K::Send
            | K::Block
            | K::StatementList
            | K::FuncDecl
            | K::Method
    )
}
