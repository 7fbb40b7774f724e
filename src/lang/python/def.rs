//! Functions: parameters, closures, class bodies, the statements of a module.
//!
//! ```text
//! @retry                                   decorators: retry
//! def sweep(self, api: client.Api = None): params: self, api (kubernetes.client.Api, default nothing)
//!     def keep(x): return x in used        keep = closure(x): return present(used[x])
//!     for x in api.list():
//!         yield x                          %out <- x       and every way out returns %out
//! ```

use super::build::{Cx, FileFacts};
use super::kinds::{Child, K, first, kind, parts};
use super::outline;
use super::scope::{self, Binding, Found, Scope};
use super::stmt::leave;
use crate::ir::{Block, Closure, ClosureId, Exit, Expr, ExprId, Func, Lit, Parameter, Place, Stmt, Sym, sym};
use crate::lang::piece::Piece;
use crate::lang::{ClassInfo, Notes};
use crate::source::Span;
use std::path::Path;
use tree_sitter::{Node, Tree};

/// Is it a file of tests, or of their scaffolding, by its name or the folder it is in?
pub(super) fn in_test_file(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    crate::lang::in_test_folder(path)
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || matches!(stem, "conftest" | "tests")
}

/// Where a function stands.
pub(super) struct Context<'a> {
    pub facts: &'a FileFacts,
    pub piece: &'a Piece<'a>,
    pub in_test: bool,
}

/// What is left of a file without its functions.
pub(super) struct Top<'a> {
    pub facts: &'a FileFacts,
    pub piece: &'a Piece<'a>,
    pub found: &'a Found,
    pub in_test: bool,
    pub end: usize,
}

/// `<module>`, and a `<class>` for every class whose body says something.
pub(super) fn module(tree: Option<&Tree>, top: Top, notes: &mut Notes) -> crate::lang::Top {
    let whole = Span::new(top.facts.file, 0, top.end);
    let start = Span::new(top.facts.file, 0, 0);
    let Some(root) = tree.map(Tree::root_node) else {
        let cx = Cx::new(top.facts, top.piece, notes);
        let module = func(sym("<module>"), None, Vec::new(), top.in_test, (start, whole), cx);
        return crate::lang::Top { functions: vec![module], classes: Vec::new() };
    };
    let mut cx = Cx::new(top.facts, top.piece, notes);
    let mut scope = Scope::default();
    top.found.bind(&mut scope, &mut |name| name);
    // At the top of a file a `global` statement changes nothing.
    scope.names.retain(|_, b| *b != Binding::Global);
    cx.scopes.push(scope);
    let body = cx.block(root);
    let mut functions = vec![func(sym("<module>"), None, body, top.in_test, (start, whole), cx)];
    let mut infos = Vec::new();
    for (node, name) in classes(root, top.piece) {
        let mut cx = Cx::new(top.facts, top.piece, notes);
        infos.push(class_info(&mut cx, node, sym(&name)));
        let Some(body) = node.body() else { continue };
        let mut scope = Scope::default();
        cx.bindings(body).bind(&mut scope, &mut |name| name);
        cx.scopes.push(scope);
        let body = cx.block(body);
        if !body.is_empty() {
            let (name_span, span) = (node.name().map_or(start, |n| cx.span(n)), cx.span(node));
            functions.push(func(sym("<class>"), Some(sym(&name)), body, top.in_test, (name_span, span), cx));
        }
    }
    crate::lang::Top { functions, classes: infos }
}

fn func(name: Sym, class: Option<Sym>, body: Block, is_test: bool, spans: (Span, Span), mut cx: Cx) -> Func {
    cx.borrow_places();
    cx.arena.shrink();
    Func {
        name,
        class,
        params: Vec::new(),
        body,
        raises: true,
        atomic: false,
        is_test,
        decorators: Vec::new(),
        stage: Vec::new(),
        same: Vec::new(),
        name_span: spans.0,
        span: spans.1,
        arena: cx.arena,
    }
}

/// The classes of a file with their full names, outer before inner; those inside functions are not here.
fn classes<'t>(root: Node<'t>, piece: &Piece) -> Vec<(Node<'t>, String)> {
    let mut found = Vec::new();
    let mut todo = vec![(root, String::new())];
    while let Some((node, outer)) = todo.pop() {
        let mut outer = outer;
        match kind(node) {
            K::ClassDef => {
                let own = node.name().and_then(|n| piece.text().get(n.byte_range())).unwrap_or_default();
                outer = if outer.is_empty() { own.to_string() } else { format!("{outer}.{own}") };
                found.push((node, outer.clone()));
            }
            K::Module | K::Block | K::If | K::Elif | K::Else | K::Try | K::Except | K::Finally => {}
            K::With | K::For | K::While | K::Decorated | K::Match | K::CaseClause => {}
            _ => continue,
        }
        todo.extend(parts(node).into_iter().rev().map(|n| (n, outer.clone())));
    }
    found
}

fn class_info(cx: &mut Cx, node: Node, name: Sym) -> ClassInfo {
    let mut bases = Vec::new();
    for base in node.superclasses().map(parts).unwrap_or_default() {
        // `Base[T]` inherits from `Base`.
        let base = if kind(base) == K::Subscript { base.value().unwrap_or(base) } else { base };
        if !matches!(kind(base), K::Ident | K::Attribute) {
            continue;
        }
        let value = cx.expr(base);
        bases.extend(cx.path_of(value));
    }
    let mut fields = Vec::new();
    for statement in node.body().map(parts).unwrap_or_default() {
        let Some(one) = first(statement).filter(|n| kind(*n) == K::Assignment) else { continue };
        let (Some(left), Some(written)) = (one.left(), scope::annotated(one, cx.piece.text())) else { continue };
        fields.push((sym(cx.text(left)), cx.facts.resolve(&written)));
    }
    let span = match (node.name(), node.superclasses()) {
        (_, Some(end)) | (Some(end), None) => cx.span_to(node, end),
        _ => cx.span(node),
    };
    ClassInfo { name, bases, fields, span }
}

/// One function.
pub(super) fn function(text: &str, tree: Option<&Tree>, def: &outline::Def, at: Context, notes: &mut Notes) -> Func {
    let Context { facts, piece, in_test } = at;
    let name = text.get(def.name.clone()).unwrap_or_default();
    let mut cx = Cx::new(facts, piece, notes);
    let root = tree.map(Tree::root_node);
    let node = root.and_then(|root| find(root, K::FuncDef));
    let mut params = Vec::new();
    let mut body = Vec::new();
    let mut stage = Vec::new();
    let mut end = def.range.end;
    if let Some(node) = node {
        cx.stmt = cx.header(node);
        stage = cx.stage(node);
        let list = node.parameters().map(|n| cx.parameter_list(n)).unwrap_or_default();
        params = list.iter().map(|p| cx.parameter(p)).collect();
        cx.pending.clear();
        body = node.body().map(|b| cx.function_body(&list, b, false).1).unwrap_or_default();
        if !node.has_error() {
            end = cx.span(node).end as usize;
        }
    } else if let Some(root) = root {
        // The head is broken; what follows it may not be.
        let list = find(root, K::Params).map(|n| cx.parameter_list(n)).unwrap_or_default();
        params = list.iter().map(|p| cx.parameter(p)).collect();
        body = cx.function_body(&list, root, false).1;
    }
    let start = def.decorators.first().map_or(def.range.start, |d| d.start);
    let class = def.class.as_deref().map(sym);
    let test_class = def.class.as_deref().and_then(|c| c.rsplit('.').next()).is_some_and(|c| c.starts_with("Test"));
    Func {
        params,
        stage,
        decorators: def.decorators.iter().filter_map(|d| decorator(text.get(d.clone())?, facts)).collect(),
        ..func(
            sym(name),
            class,
            body,
            in_test || (test_class && name.starts_with("test")),
            (Span::new(facts.file, def.name.start, def.name.end), Span::new(facts.file, start, end)),
            cx,
        )
    }
}

/// `@functools.lru_cache(maxsize=1)` is the path in front of the brackets.
fn decorator(text: &str, facts: &FileFacts) -> Option<Sym> {
    let text = text.strip_prefix('@')?.trim_start();
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(text.len());
    let path = text.get(..end).filter(|p| !p.is_empty())?;
    Some(facts.resolve(path))
}

/// The first node of a kind that stands in no other statement.
fn find(root: Node, wanted: K) -> Option<Node> {
    let mut todo = vec![root];
    while let Some(node) = todo.pop() {
        if kind(node) == wanted {
            return Some(node);
        }
        if matches!(kind(node), K::Module | K::Error | K::Decorated) {
            todo.extend(parts(node).into_iter().rev());
        }
    }
    None
}

/// A parameter in the source.
pub(super) struct Declared<'t> {
    name: Sym,
    stars: &'static str,
    default: Option<Node<'t>>,
    type_path: Option<Sym>,
    /// Python 2: `def f((a, b))`.
    pattern: Option<Node<'t>>,
}

impl<'a> Cx<'a> {
    /// The decorators of a definition that was parsed with them.
    fn stage(&mut self, node: Node) -> Vec<ExprId> {
        let around = node.parent().filter(|p| kind(*p) == K::Decorated).map(parts).unwrap_or_default();
        let decorators = around.into_iter().filter(|n| kind(*n) == K::Decorator).filter_map(first);
        let (_, values) = self.apart(|cx| decorators.map(|n| cx.expr(n)).collect());
        values
    }

    fn parameter_list<'t>(&mut self, node: Node<'t>) -> Vec<Declared<'t>> {
        parts(node).into_iter().filter_map(|n| self.declared(n)).collect()
    }

    fn declared<'t>(&mut self, node: Node<'t>) -> Option<Declared<'t>> {
        let type_path = scope::annotated(node, self.piece.text()).map(|t| self.facts.resolve(&t));
        let mut target = match kind(node) {
            K::DefaultParam | K::TypedDefaultParam => node.name()?,
            K::TypedParam => first(node)?,
            K::KeywordSep | K::PosSep => return None,
            _ => node,
        };
        let default = match kind(node) {
            K::DefaultParam | K::TypedDefaultParam => node.value(),
            _ => None,
        };
        let mut stars = "";
        if let K::ListSplatPattern | K::DictSplatPattern | K::ListSplat | K::DictSplat = kind(target) {
            stars = if matches!(kind(target), K::DictSplatPattern | K::DictSplat) { "**" } else { "*" };
            target = first(target)?;
        }
        let pattern = (kind(target) == K::TuplePattern).then_some(target);
        let name = if pattern.is_some() { self.fresh() } else { sym(self.text(target)) };
        // `*names: str` says what each of them is.
        let type_path = type_path.filter(|_| stars.is_empty());
        Some(Declared { name, stars, default, type_path, pattern })
    }

    /// A default is a value of the scope around the function.
    fn parameter(&mut self, declared: &Declared) -> Parameter {
        Parameter {
            name: shown(declared.stars, declared.name),
            default: declared.default.map(|n| self.expr(n)),
            type_path: declared.type_path,
        }
    }

    /// The body of a function: its names, then its statements. A generator collects what it yields:
    ///
    /// ```text
    /// def f(xs):                %out = []
    ///     for x in xs:          for x in xs:
    ///         yield x             %out <- x
    ///                           return %out
    /// ```
    fn function_body(&mut self, params: &[Declared], body: Node, closure: bool) -> (Vec<Sym>, Block) {
        let found = self.bindings(body);
        let (mut scope, mut names) = (Scope::default(), Vec::new());
        let own = |cx: &mut Self, name| if closure { cx.own_name(name) } else { name };
        for param in params {
            let local = own(self, param.name);
            scope.names.insert(param.name, Binding::Local(local));
            names.push(shown(param.stars, local));
            for leaf in param.pattern.map(|p| self.pattern_names(p)).unwrap_or_default() {
                let local = own(self, leaf);
                scope.names.insert(leaf, Binding::Local(local));
            }
        }
        found.bind(&mut scope, &mut |name| own(self, name));
        let collected = found.yields.then(|| own(self, sym("%out")));
        if let Some(name) = collected {
            scope.names.insert(sym("%out"), Binding::Local(name));
        }
        self.scopes.push(scope);
        self.out.push(collected);
        let mut out = Vec::new();
        if let Some(name) = collected {
            let empty = self.empty();
            out.push(Stmt::Let(Place::Name(name), empty));
        }
        for param in params {
            if let (Some(pattern), Place::Name(name)) = (param.pattern, self.place_of_name(&param.name)) {
                let value = self.arena.mk(Expr::Name(name));
                self.assign_to(pattern, value, &mut out);
            }
        }
        out.append(&mut self.block(body));
        if let Some(name) = collected {
            let value = self.arena.mk(Expr::Name(name));
            leave(&mut out, Exit::Return(value));
        }
        self.out.pop();
        self.scopes.pop();
        (names, out)
    }

    fn pattern_names(&mut self, pattern: Node) -> Vec<Sym> {
        let nothing = self.lit(Lit::Nothing);
        let leaves = self.leaves(pattern, nothing);
        leaves.into_iter().map(|(n, _)| sym(self.text(n))).collect()
    }

    /// A function inside a function is a block of it. Its decorators are left out: what it is registered with does not
    /// change what it does.
    pub fn nested_function(&mut self, node: Node, out: &mut Block) {
        let Some(name) = node.name() else { return };
        let closure = self.closure_of(node);
        self.at(closure, node);
        let place = self.place_of_name(self.text(name));
        self.emit(out, Stmt::Let(place, closure));
    }

    fn closure_of(&mut self, node: Node) -> ExprId {
        let mut list = node.parameters().map(|n| self.parameter_list(n)).unwrap_or_default();
        // `def later(path=path)` keeps a value that its loop would change: it is that value.
        list.retain(|p| p.default.is_none_or(|d| self.text(d) != p.name.as_str()));
        let Some(body) = node.body() else { return self.hole(node) };
        let outer = (self.comprehensions, self.extra_loops);
        (self.comprehensions, self.extra_loops) = (0, 0);
        let (_, (params, block)) = self.apart(|cx| cx.function_body(&list, body, true));
        (self.comprehensions, self.extra_loops) = outer;
        self.close(params, block)
    }

    fn close(&mut self, params: Vec<Sym>, body: Block) -> ExprId {
        self.arena.closures.push(Closure { params, body });
        let id = ClosureId(self.arena.closures.len() as u32 - 1);
        self.arena.mk(Expr::Closure(id))
    }

    /// `lambda x: v` is a block that returns `v`. A lambda all of whose parameters have defaults keeps values that its
    /// loop would change; they are what the defaults are:
    ///
    /// ```text
    /// later(lambda p=path: use(p))       later(fn(): use(path))
    /// ```
    pub fn lambda(&mut self, node: Node) -> ExprId {
        let list = node.parameters().map(|n| self.parameter_list(n)).unwrap_or_default();
        let Some(body) = node.body() else { return self.hole(node) };
        let kept: Vec<ExprId> = match list.iter().all(|p| p.default.is_some()) {
            true => list.iter().filter_map(|p| p.default).map(|n| self.expr(n)).collect(),
            false => Vec::new(),
        };
        let mut scope = Scope::default();
        let mut params = Vec::new();
        for (i, param) in list.iter().enumerate() {
            let binding = match kept.get(i) {
                Some(value) => Binding::Value(*value),
                None => {
                    let own = self.own_name(param.name);
                    params.push(shown(param.stars, own));
                    Binding::Local(own)
                }
            };
            scope.names.insert(param.name, binding);
        }
        let outer = std::mem::take(&mut self.comprehensions);
        self.scopes.push(scope);
        self.out.push(None);
        let (mut block, value) = self.apart(|cx| {
            for (pattern, param) in list.iter().filter_map(|p| Some((p.pattern?, p))) {
                let whole = cx.named(&param.name);
                cx.bind_values(pattern, whole);
            }
            cx.expr(body)
        });
        self.out.pop();
        self.scopes.pop();
        self.comprehensions = outer;
        block.push(Stmt::Leave(Exit::Return(value)));
        self.close(params, block)
    }

    /// A class inside a function is the record of its methods.
    pub fn nested_class(&mut self, node: Node, out: &mut Block) {
        // At the top of a file a class has functions of its own.
        if self.out.is_empty() {
            return;
        }
        let (Some(name), Some(body)) = (node.name(), node.body()) else { return };
        let mut methods = Vec::new();
        for statement in parts(body) {
            let method = if kind(statement) == K::Decorated { statement.definition() } else { Some(statement) };
            if let Some(method) = method.filter(|m| kind(*m) == K::FuncDef)
                && let Some(name) = method.name()
            {
                methods.push((sym(self.text(name)), self.closure_of(method)));
            }
        }
        let value = if methods.is_empty() { self.opaque(node) } else { self.arena.mk(Expr::Record(methods)) };
        self.at(value, node);
        let place = self.place_of_name(self.text(name));
        self.emit(out, Stmt::Let(place, value));
    }
}

fn shown(stars: &str, name: Sym) -> Sym {
    if stars.is_empty() { name } else { sym(&format!("{stars}{name}")) }
}
