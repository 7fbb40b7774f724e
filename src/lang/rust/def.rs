//! Functions, constants, fields.
//!
//! ```text
//! impl Reaper {                                  class Reaper
//!     async fn sweep<S: Store>(&self, s: &S) {   params: self, s (a Store)
//!         s.list().await                           return s.list()
//!     }
//! }
//! ```

use super::build::{Cx, FileFacts, Frame};
use super::guess::{self, Kind, Ret};
use super::lex::too_deep;
use super::outline::{FnPiece, Outline};
use super::uses::plain;
use crate::ir::{Arena, Block, Closure, ClosureId, Exit, Expr, ExprId, Func, Parameter, Place, Stmt, Sym, sym};
use crate::lang::{ClassInfo, Notes, Top};
use crate::source::Span;
use rustc_hash::FxHashMap;
use syn::{FnArg, GenericParam, Pat, Signature, TypeParamBound, WherePredicate};

/// What a piece could not be parsed for: noted with its place.
fn broken(facts: &FileFacts, base: usize, length: usize, error: Option<&syn::Error>, notes: &mut Notes) {
    let range = error.map_or(0..0, |e| e.span().byte_range());
    let span = match range.is_empty() {
        true => Span::new(facts.file, base, base + length),
        false => Span::new(facts.file, base + range.start, base + range.end),
    };
    notes.errors.push(span);
}

/// Parses a piece of a file.
fn parse<T: syn::parse::Parse>(text: &str, base: usize, facts: &FileFacts, notes: &mut Notes) -> Option<T> {
    if too_deep(text) {
        *notes.holes.entry("too_deep").or_default() += 1;
        broken(facts, base, text.len(), None, notes);
        return None;
    }
    match syn::parse_str(text) {
        Ok(item) => Some(item),
        Err(error) => {
            broken(facts, base, text.len(), Some(&error), notes);
            None
        }
    }
}

fn finished(name: Sym, class: Option<Sym>, body: Block, is_test: bool, spans: (Span, Span), mut cx: Cx) -> Func {
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
        same: Vec::new(),
        name_span: spans.0,
        span: spans.1,
        arena: cx.arena,
    }
}

/// One function. What cannot be parsed is a function without a body.
pub(super) fn function(text: &str, piece: &FnPiece, facts: &FileFacts, in_test: bool, notes: &mut Notes) -> Func {
    let source = text.get(piece.head..piece.range.end).unwrap_or_default();
    let name = text.get(piece.name.clone()).unwrap_or_default();
    let mut quiet = Notes::default();
    let heard = if piece.given { &mut quiet } else { &mut *notes };
    let item: Option<syn::ImplItemFn> = parse(source, piece.head, facts, heard);
    let class = piece.class.as_deref().map(sym);
    let mut cx = Cx::new(facts, notes, piece.head, class);
    cx.lines = super::span::Lines::of(source);
    let (mut params, mut body) = (Vec::new(), Vec::new());
    if let Some(item) = &item {
        cx.stmt = cx.place(item.sig.fn_token.span, item.block.brace_token.span.open());
        if let Some(head) = text.get(piece.owner.clone()).filter(|h| h.contains('<') && !too_deep(h))
            && let Ok(owner) = syn::parse_str::<syn::ItemImpl>(&format!("{head}{{}}"))
        {
            cx.read_generics(&owner.generics);
        }
        cx.read_generics(&item.sig.generics);
        (params, body) = cx.function_body(&item.sig, &item.block);
    }
    let attributes = piece.attributes.iter().filter_map(|a| decorator(text.get(a.clone())?, facts));
    let decorators = attributes.collect();
    let spans = (
        Span::new(facts.file, piece.name.start, piece.name.end),
        Span::new(facts.file, piece.range.start, piece.range.end),
    );
    Func { params, decorators, ..finished(sym(name), class, body, in_test || piece.test, spans, cx) }
}

/// `#[tokio::test(flavor = "x")]` is the path in front of the brackets.
fn decorator(text: &str, facts: &FileFacts) -> Option<Sym> {
    let text = text.strip_prefix('#')?.trim_start().strip_prefix('[')?.trim_start();
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(text.len());
    let path = text.get(..end).filter(|p| !p.is_empty())?;
    let parts: Vec<String> = path.split("::").map(str::to_string).collect();
    let known = matches!(path, "doc" | "allow" | "inline" | "must_use" | "cfg" | "expect" | "warn" | "deny");
    (!known).then(|| sym(&facts.resolve(&parts)))
}

impl Cx<'_> {
    /// What type parameters are bound by: `S: Store` is a `Store`.
    fn read_generics(&mut self, generics: &syn::Generics) {
        let first = |list: &syn::punctuated::Punctuated<TypeParamBound, syn::Token![+]>| {
            list.iter().find_map(|b| match b {
                TypeParamBound::Trait(t) => Some(t.path.clone()),
                _ => None,
            })
        };
        let mut found: Vec<(String, syn::Path)> = Vec::new();
        for param in &generics.params {
            if let GenericParam::Type(t) = param
                && let Some(path) = first(&t.bounds)
            {
                found.push((plain(&t.ident), path));
            }
        }
        for predicate in generics.where_clause.iter().flat_map(|w| &w.predicates) {
            if let WherePredicate::Type(t) = predicate
                && let syn::Type::Path(of) = &t.bounded_ty
                && let Some(of) = of.path.get_ident()
                && let Some(path) = first(&t.bounds)
            {
                found.push((plain(of), path));
            }
        }
        for (name, path) in found {
            let path = self.resolve(&path);
            self.generics.insert(name, path);
        }
    }

    fn function_body(&mut self, sig: &Signature, block: &syn::Block) -> (Vec<Parameter>, Block) {
        self.frames.push(Frame { ret: guess::ret_of(&sig.output), loops: Vec::new() });
        let (mut params, mut out) = (Vec::new(), Vec::new());
        for input in &sig.inputs {
            match input {
                FnArg::Receiver(_) => {
                    let name = self.declare("self", Kind::Unknown);
                    let type_path = self.class;
                    params.push(Parameter { name, default: None, type_path });
                }
                FnArg::Typed(typed) => {
                    let kind = guess::kind_of_type(&typed.ty);
                    let name = self.parameter(&typed.pat, kind, &mut out);
                    let type_path = self.type_path(&typed.ty).map(|p| sym(&p));
                    params.push(Parameter { name, default: None, type_path });
                }
            }
        }
        let dest = match sig.output {
            syn::ReturnType::Default => super::block::Dest::Discard,
            _ => super::block::Dest::Return,
        };
        self.block_in_scope(block, dest, &mut out);
        out.append(&mut self.pending);
        self.frames.pop();
        (params, out)
    }

    /// The name of a parameter; a pattern is taken apart at the head of the body.
    pub fn parameter(&mut self, pat: &Pat, kind: Kind, out: &mut Block) -> Sym {
        match pat {
            Pat::Ident(p) if p.subpat.is_none() => {
                let name = self.declare(&plain(&p.ident), kind);
                if kind == Kind::Function {
                    self.functions.insert(name);
                }
                name
            }
            Pat::Type(p) => self.parameter(&p.pat, guess::kind_of_type(&p.ty), out),
            Pat::Reference(p) => self.parameter(&p.pat, kind, out),
            _ => {
                let name = self.fresh();
                let value = self.name(name);
                self.bind_pattern(pat, value, kind, out);
                name
            }
        }
    }

    /// A function inside a function is a block of it.
    pub fn nested_function(&mut self, item: &syn::ItemFn, out: &mut Block) {
        let name = self.declare(&plain(&item.sig.ident), Kind::Unknown);
        let span = self.place(item.sig.ident.span(), item.sig.ident.span());
        let inner = |cx: &mut Self| {
            let (params, body) = cx.function_body(&item.sig, &item.block);
            (params.into_iter().map(|p| p.name).collect(), body)
        };
        let Some((_, (params, body))) = self.deeper(|cx| cx.apart(|cx| cx.scoped(inner))) else {
            self.hole("too_deep", span);
            return;
        };
        let closure = self.close(params, body);
        self.functions.insert(name);
        self.arena.at(closure, span);
        self.emit(out, Stmt::Let(Place::Name(name), closure));
    }

    pub fn close(&mut self, params: Vec<Sym>, body: Block) -> ExprId {
        self.arena.closures.push(Closure { params, body });
        let id = ClosureId(self.arena.closures.len() as u32 - 1);
        self.arena.mk(Expr::Closure(id))
    }

    /// `|x| ..` as a value.
    pub fn closure(&mut self, c: &syn::ExprClosure) -> ExprId {
        let frame = Frame { ret: guess::ret_of(&c.output), loops: Vec::new() };
        let (_, (params, body)) = self.apart(|cx| {
            cx.scoped(|cx| {
                cx.frames.push(frame);
                let mut out = Vec::new();
                let params: Vec<Sym> = c.inputs.iter().map(|p| cx.parameter(p, Kind::Unknown, &mut out)).collect();
                cx.into(&c.body, super::block::Dest::Return, &mut out);
                cx.frames.pop();
                (params, out)
            })
        });
        self.close(params, body)
    }
}

/// `<module>` with the constants of a file, a `<class>` for each type with constants of its own, and the fields of types.
pub(super) fn top(
    text: &str,
    outline: &Outline,
    facts: &FileFacts,
    (mut classes, in_test): (Vec<ClassInfo>, bool),
    notes: &mut Notes,
) -> Top {
    let whole = (Span::new(facts.file, 0, 0), Span::new(facts.file, 0, text.len()));
    let mut names: Vec<Option<&str>> = vec![None];
    for item in &outline.consts {
        if !names.contains(&item.class.as_deref()) {
            names.push(item.class.as_deref());
        }
    }
    let mut functions = Vec::new();
    for class in names {
        let mut arena = Arena::default();
        let mut body = Vec::new();
        let mut spans = whole;
        for item in outline.consts.iter().filter(|i| i.class.as_deref() == class) {
            let source = text.get(item.range.clone()).unwrap_or_default();
            let mut quiet = Notes::default();
            let Some((name, value)) = parse(source, item.range.start, facts, &mut quiet).and_then(constant) else {
                continue;
            };
            let mut cx = Cx::new(facts, notes, item.range.start, class.map(sym));
            cx.arena = std::mem::take(&mut arena);
            cx.stmt = Span::new(facts.file, item.range.start, item.range.end);
            cx.frames.push(Frame { ret: Ret::Other, loops: Vec::new() });
            let value = cx.expr(&value);
            cx.emit(&mut body, Stmt::Let(Place::Name(sym(&name)), value));
            cx.borrow_places();
            arena = cx.arena;
            if class.is_some() && spans == whole {
                spans = (cx.stmt, cx.stmt);
            }
        }
        if class.is_some() && body.is_empty() {
            continue;
        }
        let mut cx = Cx::new(facts, notes, 0, None);
        cx.arena = arena;
        let name = if class.is_some() { "<class>" } else { "<module>" };
        functions.push(finished(sym(name), class.map(sym), body, in_test, spans, cx));
    }
    fields(text, outline, facts, &mut classes, notes);
    Top { functions, classes }
}

/// The name and value of a `const` or `static`.
fn constant(item: syn::Item) -> Option<(String, syn::Expr)> {
    match item {
        syn::Item::Const(c) => Some((plain(&c.ident), *c.expr)),
        syn::Item::Static(s) => Some((plain(&s.ident), *s.expr)),
        _ => None,
    }
}

/// The types of the fields of structs.
fn fields(text: &str, outline: &Outline, facts: &FileFacts, classes: &mut [ClassInfo], notes: &mut Notes) {
    for item in outline.types.iter().filter(|t| t.is_struct) {
        let source = text.get(item.range.clone()).unwrap_or_default();
        let name = sym(text.get(item.name.clone()).unwrap_or_default());
        let mut quiet = Notes::default();
        let heard = if item.given { &mut quiet } else { &mut *notes };
        let Some(parsed) = parse::<syn::ItemStruct>(source, item.range.start, facts, heard) else { continue };
        let mut cx = Cx::new(facts, notes, item.range.start, Some(name));
        for param in &parsed.generics.params {
            if let GenericParam::Type(t) = param
                && let Some(TypeParamBound::Trait(bound)) = t.bounds.first()
            {
                let path = cx.resolve(&bound.path);
                cx.generics.insert(plain(&t.ident), path);
            }
        }
        let mut found = Vec::new();
        for (i, field) in parsed.fields.iter().enumerate() {
            let name = field.ident.as_ref().map_or_else(|| i.to_string(), plain);
            if let Some(path) = cx.type_path(&field.ty) {
                found.push((sym(&name), sym(&path)));
            }
        }
        if let Some(class) = classes.iter_mut().find(|c| c.name == name) {
            class.fields = found;
        }
    }
}

/// The constants of a file that are texts: `const KEY: &str = "labs.example.dev/owner";`
pub(super) fn texts(text: &str, outline: &Outline) -> FxHashMap<Sym, Sym> {
    let read = |item: &super::outline::ConstItem| {
        let (head, value) = text.get(item.range.clone())?.split_once('=')?;
        let name = head.split_whitespace().nth(1)?.trim_end_matches(':');
        let value = value.trim().strip_prefix('"')?.split_once('"')?.0;
        (!value.contains('\\')).then(|| (sym(name), sym(value)))
    };
    outline.consts.iter().filter_map(read).collect()
}

/// What kind of value the fields of structs hold, by their names; where two structs disagree it is not told.
///
/// ```text
/// struct Pool { rows: Mutex<HashMap<u64, Row>>, at: Option<Instant> }      rows: a map; at: one or none
/// ```
pub(super) fn field_kinds(text: &str, outline: &Outline) -> FxHashMap<Sym, Kind> {
    let mut kinds: FxHashMap<Sym, Kind> = FxHashMap::default();
    for item in outline.types.iter().filter(|t| t.is_struct) {
        for (name, ty) in field_texts(text.get(item.head.end..item.range.end).unwrap_or_default()) {
            let kind = kind_of_text(ty);
            let known = kinds.entry(sym(name)).or_insert(kind);
            if *known != kind {
                *known = Kind::Unknown;
            }
        }
    }
    kinds
}

/// `name: Type` of each field, as far as it stands on lines of its own.
fn field_texts(body: &str) -> impl Iterator<Item = (&str, &str)> {
    body.lines().filter_map(|line| {
        let line = line.trim().trim_end_matches(',');
        let (name, ty) = line.split_once(':').filter(|_| !line.starts_with("//"))?;
        let name = name.rsplit([' ', '{', '(']).find(|n| !n.is_empty())?;
        Some((name, ty.trim()))
    })
}

fn kind_of_text(ty: &str) -> Kind {
    let mut ty = ty.trim_start_matches('&').trim();
    loop {
        let (head, rest) = ty.split_once('<').unwrap_or((ty, ""));
        let name = head.rsplit("::").next().unwrap_or(head).trim();
        match name {
            "Arc" | "Rc" | "Box" | "Mutex" | "RwLock" | "RefCell" if !rest.is_empty() => ty = rest.trim(),
            _ => return Kind::of_name(name.trim_end_matches('>')),
        }
    }
}

/// Leaves a block, where it was not left already.
pub(super) fn leave(block: &mut Block, exit: Exit) {
    if !matches!(block.last(), Some(Stmt::Leave(_))) {
        block.push(Stmt::Leave(exit));
    }
}
