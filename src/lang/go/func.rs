//! Functions: parameters, results, function values, and what stands in no function.
//!
//! ```text
//! func (r *Reaper) Sweep(ctx context.Context, pods []v1.Pod) (n int, err error) {
//!     defer r.done()
//!     keep := func(p v1.Pod) bool { return r.known[p.Name] }
//!     …
//! }
//! fn Reaper.Sweep(self, pods: k8s.io.api.core.v1.Pod):     a context is no parameter
//!   n = 0; err = nothing                                    named results
//!   keep = fn(p): return self.known[p.Name]
//!   …
//!   self.done()                                             what was put off
//! ```

use super::build::{Cx, Results};
use super::kinds::{Child, K, all, each, first, has_token, kind, parts, type_of};
use super::names::{Info, Ty, declared, type_path};
use super::outline::Def;
use crate::ir::{Block, Closure, ClosureId, Exit, Expr, ExprId, Func, Lit, Parameter, Place, Stmt, Sym, sym};
use crate::lang::Notes;
use crate::source::Span;
use tree_sitter::{Node, Tree};

/// A function without parameters and body.
fn func(name: Sym, class: Option<Sym>, body: Block, is_test: bool, spans: (Span, Span), mut cx: Cx) -> Func {
    cx.borrow_places();
    cx.arena.shrink();
    Func {
        name,
        class,
        params: Vec::new(),
        body,
        raises: false,
        atomic: false,
        is_test,
        decorators: Vec::new(),
        stage: Vec::new(),
        same: cx.same,
        name_span: spans.0,
        span: spans.1,
        arena: cx.arena,
    }
}

/// Where a function stands.
pub(super) struct Context<'a> {
    pub facts: &'a super::build::FileFacts,
    pub piece: &'a crate::lang::piece::Piece<'a>,
    pub is_test: bool,
}

/// One function.
pub(super) fn function(text: &str, tree: Option<&Tree>, def: &Def, at: Context, notes: &mut Notes) -> Func {
    let mut cx = Cx::new(at.facts, at.piece, notes);
    let root = tree.map(Tree::root_node);
    let node = root.and_then(declaration);
    let (mut params, mut body) = (Vec::new(), Vec::new());
    cx.stmt = Span::new(at.facts.file, def.range.start, def.name.end);
    if let Some(node) = node {
        cx.root = Some(node);
        cx.scopes.push(Default::default());
        if let Some(receiver) = node.receiver() {
            params.push(cx.receiver(receiver));
        }
        params.extend(node.parameters().map(|list| cx.parameter_list(list)).unwrap_or_default());
        let results = cx.result_list(node);
        // A body that is never closed stands beside its head.
        body = node.body().or(root).map(|b| cx.function_body(b, results)).unwrap_or_default();
    } else if let Some(root) = root {
        // The head is broken; what follows it may not be.
        cx.root = Some(root);
        cx.scopes.push(Default::default());
        let mut lists = Vec::new();
        each(root, &mut |n| {
            if kind(n) == K::ParamList {
                lists.push(n);
            }
            matches!(kind(n), K::SourceFile | K::Error)
        });
        if let Some(class) = &def.class {
            cx.guess_receiver(text, def, class);
            params.push(Parameter { name: sym("self"), default: None, type_path: None });
        }
        if let Some(list) = lists.get(usize::from(def.class.is_some())) {
            params.extend(cx.parameter_list(*list));
        }
        body = cx.function_body(root, Results::default());
    }
    let file = at.facts.file;
    let spans = (Span::new(file, def.name.start, def.name.end), Span::new(file, def.range.start, def.range.end));
    let name = text.get(def.name.clone()).unwrap_or_default();
    Func { params, ..func(sym(name), def.class.as_deref().map(sym), body, at.is_test, spans, cx) }
}

/// The declaration in a piece that is one function.
fn declaration(root: Node) -> Option<Node> {
    parts(root).into_iter().find(|n| matches!(kind(*n), K::FuncDecl | K::Method))
}

/// `<module>`: the variables and constants of the package.
pub(super) fn module(tree: Option<&Tree>, at: Context, end: usize, notes: &mut Notes) -> Func {
    let whole = Span::new(at.facts.file, 0, end);
    let start = Span::new(at.facts.file, 0, 0);
    let mut cx = Cx::new(at.facts, at.piece, notes);
    cx.scopes.push(Default::default());
    let mut body = Vec::new();
    for node in tree.map(|tree| parts(tree.root_node())).unwrap_or_default() {
        if matches!(kind(node), K::VarDecl | K::ConstDecl) {
            cx.package_values(node, &mut body);
        }
    }
    func(sym("<module>"), None, body, at.is_test, (start, whole), cx)
}

impl<'a> Cx<'a> {
    /// `func (r *Reaper)`: every `r` is `self`.
    fn receiver(&mut self, list: Node<'a>) -> Parameter {
        let name = sym("self");
        if let Some(node) = declared(list).first().and_then(|d| d.name) {
            self.receiver_is(self.text(node));
        }
        Parameter { name, default: None, type_path: None }
    }

    fn receiver_is(&mut self, name: &str) {
        if name != "_"
            && let Some(scope) = self.scopes.last_mut()
        {
            scope.names.insert(sym(name), super::names::Binding::Local(sym("self")));
        }
    }

    fn guess_receiver(&mut self, text: &str, def: &Def, class: &str) {
        let head = text.get(def.range.start..def.name.start).unwrap_or_default();
        let words = head.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let name = words.filter(|w| !w.is_empty()).nth(1).filter(|w| *w != class);
        name.into_iter().for_each(|n| self.receiver_is(n));
    }

    /// Declares the parameters; contexts are left out.
    fn parameter_list(&mut self, list: Node<'a>) -> Vec<Parameter> {
        let mut found = Vec::new();
        for one in declared(list) {
            let ty = one.ty.map(|t| self.kind_of_type(t)).unwrap_or_default();
            let name = one.name.map(|n| self.text(n)).filter(|n| *n != "_");
            let named = ty == Ty::Unknown && name.is_some_and(super::names::is_ctx_name);
            let ty = match one.ty {
                _ if one.variadic => Ty::Slice,
                // A context of the program's own: `ctx meta.Context`.
                Some(t) if named && self.text(t).ends_with("Context") => Ty::Ctx,
                Some(_) if named => Ty::Other,
                _ => ty,
            };
            let local = name.and_then(|n| self.declare(n, Info::of(ty)));
            if ty == Ty::Ctx {
                continue;
            }
            let local = local.unwrap_or_else(|| self.fresh());
            let name = if one.variadic { sym(&format!("*{local}")) } else { local };
            let path = one.ty.filter(|_| !one.variadic).and_then(|t| type_path(t, self.piece.text(), self.facts));
            found.push(Parameter { name, default: None, type_path: path });
        }
        found
    }

    /// What a function or function type says it gives. Named results are declared.
    fn result_list(&mut self, node: Node<'a>) -> Results {
        let Some(result) = node.result() else { return Results::default() };
        let (mut types, mut names) = (Vec::new(), Vec::new());
        if kind(result) == K::ParamList {
            for one in declared(result) {
                let ty = one.ty.map(|t| self.kind_of_type(t)).unwrap_or_default();
                types.push(ty);
                let word = one.name.map(|n| self.text(n));
                let local = word.and_then(|n| self.declare(n, Info { blank: false, ..Info::of(ty) }));
                if let (Some(_), Some(t)) = (word, one.ty) {
                    let local = local.unwrap_or_else(|| self.fresh());
                    let zero = self.zero(t);
                    self.pending.push(Stmt::Let(Place::Name(local), zero));
                    names.push(local);
                }
            }
        } else {
            types.push(self.kind_of_type(result));
        }
        let fails = types.last() == Some(&Ty::Error);
        let values = types.len() - usize::from(fails);
        let says_ok = values == 2 && types.get(1) == Some(&Ty::Bool);
        Results { values, fails, says_ok, names }
    }

    /// What a variable of a type holds before anything is written to it.
    pub fn zero(&mut self, ty: Node<'a>) -> ExprId {
        match kind(ty) {
            K::PointerType | K::FuncType | K::InterfaceType | K::ChanType => self.nothing(),
            K::StructType => self.record(Vec::new()),
            K::QualifiedType if self.kind_of_type(ty) == Ty::Unknown => self.blank_of(ty),
            K::Selector => self.blank_of(ty),
            _ => match self.kind_of_type(ty) {
                Ty::Map | Ty::Slice => self.empty(),
                Ty::Int => self.lit(Lit::Num(0)),
                Ty::Bool => self.arena.bool(false),
                Ty::Text => self.arena.str(""),
                Ty::Error | Ty::Group => self.nothing(),
                Ty::Time => self.zero_time(ty),
                _ if kind(ty) == K::TypeIdent => match self.text(ty) {
                    "any" | "rune" | "byte" | "float64" | "float32" => self.nothing(),
                    _ => self.record(Vec::new()),
                },
                _ => self.record(Vec::new()),
            },
        }
    }

    /// The instant that stands for none, before all others; of a span nothing.
    pub fn zero_time(&mut self, ty: Node<'a>) -> ExprId {
        if self.text(ty).ends_with("Duration") { self.lit(Lit::Num(0)) } else { self.path("time.Time.dawn") }
    }

    /// An object of an imported type, with nothing in it.
    fn blank_of(&mut self, ty: Node<'a>) -> ExprId {
        let what = self.says_what(ty);
        self.arena.mk(Expr::Record(vec![what]))
    }

    /// The statements of a function, with what was put off at their end.
    fn function_body(&mut self, body: Node<'a>, results: Results) -> Block {
        let mut out = std::mem::take(&mut self.pending);
        self.results.push(results);
        self.deferred.push(Vec::new());
        self.later.push(Vec::new());
        let nesting = std::mem::take(&mut self.nesting);
        self.block_into(body, &mut out);
        self.nesting = nesting;
        let mut deferred = self.later.pop().unwrap_or_default();
        deferred.append(&mut self.deferred.pop().unwrap_or_default());
        let at = match out.last() {
            Some(Stmt::Leave(_)) => out.len() - 1,
            _ => out.len(),
        };
        out.splice(at..at, deferred);
        self.results.pop();
        out
    }

    /// `func(x T) error { … }`: a block with parameters.
    pub fn func_lit(&mut self, node: Node<'a>) -> ExprId {
        self.func_lit_with(node, false)
    }

    /// The same; with parameters that are names already where `known`.
    pub fn func_lit_with(&mut self, node: Node<'a>, known: bool) -> ExprId {
        let Some(body) = node.body() else { return self.hole(node) };
        self.scopes.push(Default::default());
        let targets = std::mem::take(&mut self.targets);
        let failed = std::mem::take(&mut self.failed);
        let (inside, stmt) = (std::mem::take(&mut self.inside), self.stmt);
        let (_, (params, block)) = self.apart(|cx| {
            let list = node.parameters().filter(|_| !known);
            let params = list.map(|list| cx.parameter_list(list)).unwrap_or_default();
            let results = cx.result_list(node);
            (params, cx.function_body(body, results))
        });
        (self.inside, self.stmt, self.failed, self.targets) = (inside, stmt, failed, targets);
        self.scopes.pop();
        self.close(params.into_iter().map(|p| p.name).collect(), block)
    }

    pub fn close(&mut self, params: Vec<Sym>, body: Block) -> ExprId {
        self.arena.closures.push(Closure { params, body });
        let id = ClosureId(self.arena.closures.len() as u32 - 1);
        self.arena.mk(Expr::Closure(id))
    }

    /// The names of the parameters of a function value whose body is one `return`, and what it returns.
    pub fn one_liner(&self, node: Node<'a>) -> Option<(Vec<Option<Node<'a>>>, Node<'a>)> {
        let list = node.parameters().filter(|_| kind(node) == K::FuncLit)?;
        let names = declared(list).into_iter().map(|d| d.name).collect();
        let mut statements = parts(node.body()?);
        if let [one] = statements[..]
            && kind(one) == K::StatementList
        {
            statements = parts(one);
        }
        let [only] = statements[..] else { return None };
        let values = first(only).filter(|_| kind(only) == K::Return).map(parts)?;
        let [value] = values[..] else { return None };
        Some((names, value))
    }

    /// `var x = 1`, `const ( y = "a" )` of the package; what is counted up goes by its name.
    ///
    /// ```text
    /// const ( Idle State = iota; Busy )        Idle = "Idle"; Busy = "Busy"
    /// ```
    fn package_values(&mut self, node: Node<'a>, out: &mut Block) {
        let mut specs = Vec::new();
        each(node, &mut |n| {
            let spec = matches!(kind(n), K::VarSpec | K::ConstSpec);
            if spec {
                specs.push(n);
            }
            !spec && matches!(kind(n), K::VarDecl | K::ConstDecl | K::VarSpecList)
        });
        let mut counts = false;
        for spec in specs {
            self.stmt = self.span(spec);
            let names = all(spec, "name").into_iter().filter(|n| kind(*n) == K::Ident);
            let values = spec.value().map(parts).unwrap_or_default();
            if let [first, ..] = values[..] {
                counts = counted(first);
            }
            let names: Vec<Node> = names.collect();
            if values.len() < names.len() && values.len() == 1 {
                self.opaque_names(&names, values.first().copied(), out);
                continue;
            }
            for (i, name) in names.into_iter().enumerate() {
                let value = match (values.get(i), type_of(spec)) {
                    // One of a few: which number it has says nothing, that it is no other does.
                    (Some(_), _) if counts => self.lit(Lit::Str(sym(self.text(name)))),
                    (None, None) if counts => self.lit(Lit::Str(sym(self.text(name)))),
                    (Some(value), _) => self.expr(*value),
                    (None, Some(ty)) => self.zero(ty),
                    // `const ( a = iota; b )`
                    (None, None) => self.opaque(name),
                };
                if self.text(name) != "_" {
                    let place = Place::Name(sym(self.text(name)));
                    self.emit(out, Stmt::Let(place, value));
                }
            }
        }
    }

    /// `var a, b = f()` of the package.
    fn opaque_names(&mut self, names: &[Node<'a>], value: Option<Node<'a>>, out: &mut Block) {
        let Some(value) = value else { return };
        let value = self.expr(value);
        let value = self.once(value);
        for (i, name) in names.iter().enumerate() {
            let part = self.arena.field(value, sym(&i.to_string()));
            let place = Place::Name(sym(self.text(*name)));
            self.emit(out, Stmt::Let(place, part));
        }
    }

    /// Leaves the function with a value.
    pub fn leave_with(&mut self, value: ExprId, out: &mut Block) {
        self.emit(out, Stmt::Leave(Exit::Return(value)));
    }
}

/// Is it a constant of a row that is counted up: `iota`, `iota + 1`, `State(iota)`? One bit each may be set beside others.
fn counted(node: Node) -> bool {
    match kind(node) {
        K::Iota => true,
        K::Paren | K::LiteralElement | K::TypeConversion | K::Call | K::Binary => {
            let sums = kind(node) != K::Binary || has_token(node, "+") || has_token(node, "-");
            let inner = node.arguments().map(parts).unwrap_or_else(|| parts(node));
            sums && inner.into_iter().any(counted)
        }
        _ => false,
    }
}
