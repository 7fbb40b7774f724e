//! What kind of value an expression has, as far as its form tells: `.map` of an option is not `.map` of an iterator.
//!
//! ```text
//! xs.iter()                    many, one after the other
//! m.get(k), e.ok()             one or none
//! f().await                    one or a failure
//! HashMap::new()               a map: `for (k, v) in &m` takes keys and values
//! ```

use super::build::{Binding, Cx};
use super::uses::plain;
use syn::{Expr, GenericArgument, PathArguments, Type, TypeParamBound};

/// A kind of value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Kind {
    /// Not told.
    #[default]
    Unknown,
    /// One or none.
    Option,
    /// One or a failure.
    Result,
    /// An iterator or stream.
    Iter,
    /// A map.
    Map,
    /// Any other collection.
    List,
    /// A function.
    Function,
    /// A statement that is put together.
    Statement,
}

/// What a function gives back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ret {
    /// One or none: `?` leaves with nothing.
    Option,
    /// A map.
    Map,
    /// Anything else: `?` leaves with a failure.
    Other,
}

/// Methods that give an iterator.
const ITERATORS: &[&str] = &[
    "iter",
    "iter_mut",
    "into_iter",
    "into_keys",
    "into_values",
    "keys",
    "values",
    "values_mut",
    "drain",
    "filter_map",
    "flat_map",
    "chain",
    "zip",
    "enumerate",
    "skip",
    "skip_while",
    "take_while",
    "map_while",
    "step_by",
    "chunks",
    "windows",
    "lines",
    "split",
    "splitn",
    "rsplit",
    "split_whitespace",
    "chars",
    "bytes",
    "rev",
    "peekable",
    "fuse",
    "par_iter",
    "into_par_iter",
    "buffer_unordered",
    "buffered",
    "try_filter",
    "try_filter_map",
    "and_then_stream",
    "difference",
    "intersection",
    "union",
    "symmetric_difference",
    "into_stream",
    "components",
    "ancestors",
    "dedup",
    "unique",
    "sorted",
    "sorted_by",
    "sorted_by_key",
    "unique_by",
    "chunk_by",
    "tuple_windows",
    "ready_chunks",
    "try_flatten",
    "flatten_ok",
    "filter_ok",
    "map_ok",
    "try_buffer_unordered",
    "extract_if",
    "scan",
    "inspect",
    "split_terminator",
    "read_dir_iter",
    "cycle",
    "range",
    "range_mut",
];

/// Methods that pass on what they are called on.
const SAME: &[&str] = &[
    "clone",
    "as_ref",
    "as_mut",
    "as_deref",
    "as_deref_mut",
    "cloned",
    "copied",
    "to_owned",
    "borrow",
    "borrow_mut",
    "boxed",
    "boxed_local",
    "by_ref",
    "unwrap_lock",
    "filter",
    "inspect_err",
    "instrument",
];

/// Methods that give one or none.
const OPTIONS: &[&str] = &[
    "ok",
    "err",
    "get",
    "get_mut",
    "first",
    "last",
    "pop",
    "pop_front",
    "pop_back",
    "next",
    "find",
    "position",
    "min",
    "max",
    "min_by_key",
    "max_by_key",
    "min_by",
    "max_by",
    "nth",
    "strip_prefix",
    "strip_suffix",
    "parent",
    "file_name",
    "file_stem",
    "extension",
    "find_map",
    "split_once",
    "rsplit_once",
    "split_first",
    "split_last",
    "checked_sub",
    "checked_add",
    "to_str",
    "take",
    "next_back",
    "get_or_insert",
    "get_key_value",
    "pop_first",
    "pop_last",
    "or",
    "or_else",
    "first_key_value",
    "last_key_value",
    "reduce",
    "rposition",
    "zip_option",
    "transpose_option",
    "and_then_option",
    "is_some_then",
    "then",
    "then_some",
    "checked_duration_since",
];

impl Kind {
    /// The kind of a type of this name.
    pub fn of_name(name: &str) -> Kind {
        match name {
            "Fn" | "FnMut" | "FnOnce" | "AsyncFn" | "AsyncFnMut" => Kind::Function,
            "Option" => Kind::Option,
            "Result" => Kind::Result,
            "Iterator"
            | "IntoIterator"
            | "Stream"
            | "DoubleEndedIterator"
            | "ExactSizeIterator"
            | "BoxStream"
            | "LocalBoxStream"
            | "TryStream" => Kind::Iter,
            _ if name.ends_with("Map") => Kind::Map,
            "Vec" | "VecDeque" | "SmallVec" | "LinkedList" | "BinaryHeap" => Kind::List,
            _ if name.ends_with("Set") => Kind::List,
            _ => Kind::Unknown,
        }
    }
}

/// Types that hold one value and pass on what is asked of it.
const HOLDERS: &[&str] = &[
    "Box",
    "Arc",
    "Rc",
    "Mutex",
    "RwLock",
    "Cell",
    "RefCell",
    "Cow",
    "Pin",
    "OnceCell",
    "OnceLock",
    "LazyLock",
    "Lazy",
    "MutexGuard",
    "RwLockReadGuard",
    "RwLockWriteGuard",
    "State",
    "Data",
    "Extension",
    "Weak",
];

fn inner(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(args) = arguments else { return None };
    args.args.iter().find_map(|a| match a {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

fn bounds<'t>(list: impl IntoIterator<Item = &'t TypeParamBound>) -> Option<&'t syn::Path> {
    list.into_iter().find_map(|b| match b {
        TypeParamBound::Trait(t) => Some(&t.path),
        _ => None,
    })
}

/// The name of a type, and what it is generic over first: `Api<Pod>`.
pub(super) fn of_what(ty: &Type) -> Option<(String, &Type)> {
    let Type::Path(t) = ty else { return None };
    let last = t.path.segments.last()?;
    Some((plain(&last.ident), inner(&last.arguments)?))
}

/// What the type of an associated function is generic over: `Pod` of `Api::<Pod>::all`.
pub(super) fn of_path(path: &syn::Path) -> Option<&Type> {
    let owner = path.segments.iter().rev().nth(1)?;
    inner(&owner.arguments)
}

/// The path that says what a type is: without references, and without what only holds a value.
fn head(ty: &Type, through_option: bool) -> Option<&syn::Path> {
    match ty {
        Type::Reference(t) => head(&t.elem, through_option),
        Type::Paren(t) => head(&t.elem, through_option),
        Type::Group(t) => head(&t.elem, through_option),
        Type::Ptr(t) => head(&t.elem, through_option),
        Type::ImplTrait(t) => bounds(&t.bounds),
        Type::TraitObject(t) => bounds(&t.bounds),
        Type::Path(t) => {
            let last = t.path.segments.last()?;
            let name = plain(&last.ident);
            let holder = HOLDERS.contains(&name.as_str()) || through_option && name == "Option";
            match inner(&last.arguments).filter(|_| holder) {
                Some(held) => head(held, through_option),
                None => Some(&t.path),
            }
        }
        _ => None,
    }
}

/// The kind of value of a type.
pub(super) fn kind_of_type(ty: &Type) -> Kind {
    match ty {
        Type::Array(_) | Type::Slice(_) => return Kind::List,
        Type::FnPtr(_) => return Kind::Function,
        Type::Reference(t) => return kind_of_type(&t.elem),
        _ => {}
    }
    let name = head(ty, false).and_then(|p| p.segments.last()).map(|s| plain(&s.ident));
    name.map_or(Kind::Unknown, |n| Kind::of_name(&n))
}

/// What a function that gives back a type gives back.
pub(super) fn ret_of(output: &syn::ReturnType) -> Ret {
    let syn::ReturnType::Type(_, ty) = output else { return Ret::Other };
    let mut ty = &**ty;
    loop {
        match kind_of_type(ty) {
            Kind::Option => return Ret::Option,
            Kind::Map => return Ret::Map,
            Kind::Result => match ty {
                Type::Path(t) => match t.path.segments.last().and_then(|s| inner(&s.arguments)) {
                    Some(held) if kind_of_type(held) == Kind::Map => ty = held,
                    _ => return Ret::Other,
                },
                _ => return Ret::Other,
            },
            _ => return Ret::Other,
        }
    }
}

impl Cx<'_> {
    /// The dotted path of a type, through references, boxes and `Option`.
    pub fn type_path(&self, ty: &Type) -> Option<String> {
        head(ty, true).map(|path| self.resolve(path))
    }

    /// The kind of value of an expression.
    pub fn kind(&self, e: &Expr) -> Kind {
        match e {
            Expr::Paren(x) => self.kind(&x.expr),
            Expr::Group(x) => self.kind(&x.expr),
            Expr::Reference(x) => self.kind(&x.expr),
            Expr::Unary(x) => match x.op {
                syn::UnOp::Deref(_) => self.kind(&x.expr),
                _ => Kind::Unknown,
            },
            Expr::Path(x) => match x.path.get_ident() {
                Some(name) if name == "None" => Kind::Option,
                Some(name) => match self.binding(&plain(name)) {
                    Some(Binding::Local(_, kind) | Binding::Value(_, kind)) => kind,
                    _ => Kind::Unknown,
                },
                None => Kind::Unknown,
            },
            Expr::Field(x) => match &x.member {
                syn::Member::Named(name) => {
                    self.facts.fields.get(&crate::ir::sym(&plain(name))).copied().unwrap_or_default()
                }
                syn::Member::Unnamed(_) => Kind::Unknown,
            },
            Expr::Await(x) => match &*x.base {
                Expr::MethodCall(call) if matches!(plain(&call.method).as_str(), "next" | "recv") => Kind::Option,
                Expr::MethodCall(call) if matches!(plain(&call.method).as_str(), "lock" | "read" | "write") => {
                    self.kind(&call.receiver)
                }
                Expr::MethodCall(call) if plain(&call.method).starts_with("collect") => self.kind(&x.base),
                Expr::MethodCall(call) if plain(&call.method).starts_with("instrument") => Kind::Result,
                Expr::MethodCall(_) | Expr::Call(_) => Kind::Result,
                _ => Kind::Unknown,
            },
            Expr::Range(_) => Kind::Iter,
            Expr::Array(_) | Expr::Repeat(_) => Kind::List,
            Expr::Macro(x) if x.mac.path.is_ident("vec") => Kind::List,
            Expr::Call(x) => call_kind(&x.func),
            Expr::MethodCall(x) => self.method_kind(x),
            _ => Kind::Unknown,
        }
    }

    fn method_kind(&self, x: &syn::ExprMethodCall) -> Kind {
        let name = plain(&x.method);
        let of = |cx: &Self| cx.kind(&x.receiver);
        match name.as_str() {
            "map" | "and_then" | "flatten" => match of(self) {
                Kind::List | Kind::Map => Kind::Iter,
                kind => kind,
            },
            "filter" => match of(self) {
                Kind::List | Kind::Map => Kind::Iter,
                Kind::Unknown => Kind::Iter,
                kind => kind,
            },
            "take" if !x.args.is_empty() => Kind::Iter,
            "lock" | "read" | "write" if x.args.is_empty() => of(self),
            "unwrap" | "expect" => match &*x.receiver {
                // The guard of a lock is what it guards.
                Expr::MethodCall(inner) if matches!(plain(&inner.method).as_str(), "lock" | "read" | "write") => {
                    self.kind(&inner.receiver)
                }
                _ => Kind::Unknown,
            },
            "collect" | "try_collect" => match &x.turbofish {
                Some(args) => args.args.first().map_or(Kind::List, |a| match a {
                    GenericArgument::Type(ty) => kind_of_type(ty),
                    _ => Kind::List,
                }),
                None => Kind::List,
            },
            "to_vec" => Kind::List,
            "ok_or" | "ok_or_else" | "map_err" | "context" | "with_context" | "wrap_err" | "parse" | "try_into" => {
                Kind::Result
            }
            "list" | "list_with_offset" | "into_stream" | "scan_stream" if !x.args.is_empty() => Kind::Iter,
            // Of what is no option it is seldom asked.
            "as_ref" | "as_deref" | "as_mut" | "as_deref_mut" => match of(self) {
                Kind::Unknown => Kind::Option,
                kind => kind,
            },
            n if SAME.contains(&n) => of(self),
            n if ITERATORS.contains(&n) => Kind::Iter,
            n if OPTIONS.contains(&n) => Kind::Option,
            _ => Kind::Unknown,
        }
    }
}

fn call_kind(func: &Expr) -> Kind {
    let Expr::Path(path) = func else { return Kind::Unknown };
    let mut parts = path.path.segments.iter().rev().map(|s| plain(&s.ident));
    let (last, owner) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    match (owner.as_str(), last.as_str()) {
        (_, "Some") => Kind::Option,
        (_, "Ok" | "Err" | "try_from" | "from_str" | "read_dir") => Kind::Result,
        ("stream" | "iter", _) => Kind::Iter,
        ("WalkDir" | "FuturesUnordered", _) => Kind::Iter,
        (owner, "new" | "with_capacity" | "default" | "from" | "from_iter") => Kind::of_name(owner),
        ("Arc" | "Rc" | "Box", "clone") => Kind::Unknown,
        _ => Kind::Unknown,
    }
}
