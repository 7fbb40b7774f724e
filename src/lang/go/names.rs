//! Names and what is known of them: Go says by block what a name is, and by its declaration of what kind.
//!
//! ```text
//! var pods corev1.PodList          a blank value: who is given `&pods` fills it
//! seen := map[string]bool{}        a map: `for k := range seen` gives its keys
//! pods, err := c.List()            an error: `err != nil` asks whether the call failed
//! ctx, cancel := context.With…     a context: who is given it does not care
//! ```

use super::build::{Cx, FileFacts};
use super::kinds::{Child, K, all, first, kind, parts, type_of};
use crate::ir::{ExprId, Sym, sym};
use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Binding {
    /// A local; the symbol differs from the name where another local of that name is around.
    Local(Sym),
    /// A value that replaces the name: the parameter of a function value that was put in place.
    Value(ExprId),
    /// An imported package.
    Import(Sym),
    /// A constant of the file that is text.
    Const(Sym),
    /// A variable of the package that is written here.
    Global,
}

/// The names of one block.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    /// What each name is.
    pub names: FxHashMap<Sym, Binding>,
}

/// Of what kind a local is, as far as its declaration says and the lowering asks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum Ty {
    #[default]
    Unknown,
    /// `error`
    Error,
    /// `context.Context`
    Ctx,
    Map,
    /// Slice or array.
    Slice,
    Chan,
    Int,
    Bool,
    Text,
    /// A time or a length of time.
    Time,
    Func,
    /// `errgroup.Group`: fails where one of its functions does.
    Group,
    /// Another type, whatever the name says: `func sweep(ctx context.Context, podCtx *scope)`.
    Other,
}

/// What is known of a local.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Info {
    /// Its kind.
    pub ty: Ty,
    /// It was declared without contents: whoever is given it fills it.
    pub blank: bool,
    /// It points at what it holds: whoever is given it may fill it.
    pub pointer: bool,
    /// It was written out with contents.
    pub made: bool,
    /// It is the variable of a traversal.
    pub element: bool,
    /// It is what a call gave that filled something else: how that ended.
    pub outcome: bool,
}

impl Info {
    pub fn of(ty: Ty) -> Self {
        Info { ty, ..Info::default() }
    }
}

/// Is it a context by its name? `logCtx` is a logger that carries fields.
pub(super) fn is_ctx_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    if lower.starts_with("log") {
        return false;
    }
    lower == "ctx" || lower == "context" || lower.ends_with("ctx") || lower.starts_with("ctx") || lower == "tctx"
}

/// Is a field a context by its name? `r.managerContext` is, `pod.Spec.SecurityContext` and `opts.KubeContext` are not.
pub(super) fn is_ctx_field(name: &str) -> bool {
    const OTHERS: [&str; 4] = ["security", "kube", "build", "template"];
    let lower = name.to_ascii_lowercase();
    let whose = lower.strip_suffix("context");
    is_ctx_name(name) || whose.is_some_and(|whose| !OTHERS.iter().any(|o| whose.ends_with(o)))
}

/// Is it an error by its name? `errs` and `errCh` hold several, `stderr` is a stream.
pub(super) fn is_error_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    if lower.ends_with("stderr") {
        return false;
    }
    let rest = name.strip_prefix("err").unwrap_or("s");
    let holds = ["s", "ors", "Ch", "Chan", "C", "Group", "List", "Count", "Msg", "Message", "Code", "Map", "Set"];
    let one = !holds.contains(&rest) && !rest.starts_with(char::is_lowercase);
    one || lower.ends_with("err") || lower.ends_with("error")
}

/// Does it say by its name whether there is something?
pub(super) fn is_ok_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(lower.as_str(), "ok" | "okay" | "found" | "exists" | "exist" | "present" | "loaded" | "known" | "hit")
        || lower.ends_with("ok")
        || lower.ends_with("found")
        || lower.ends_with("exists")
        || name.starts_with("has") && name.chars().nth(3).is_some_and(char::is_uppercase)
        || name.starts_with("is") && name.chars().nth(2).is_some_and(char::is_uppercase)
}

/// Does it say by its name that there will be no more?
pub(super) fn is_end_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["shutdown", "quit", "done", "closed", "stop", "end", "last", "more", "truncated", "timeout", "expired"]
        .iter()
        .any(|w| lower.ends_with(w))
}

impl Cx<'_> {
    /// The kind of a type.
    pub fn kind_of_type(&self, node: Node) -> Ty {
        let mut node = node;
        loop {
            return match kind(node) {
                K::ParenType | K::PointerType => match first(node) {
                    Some(inner) => {
                        node = inner;
                        continue;
                    }
                    None => Ty::Unknown,
                },
                K::MapType => Ty::Map,
                K::SliceType | K::ArrayType | K::OpenArrayType => Ty::Slice,
                K::ChanType => Ty::Chan,
                K::FuncType => Ty::Func,
                K::TypeIdent | K::Ident => match self.text(node) {
                    "error" => Ty::Error,
                    "bool" => Ty::Bool,
                    "string" => Ty::Text,
                    "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8" | "uint16" | "uint32"
                    | "uint64" => Ty::Int,
                    _ => Ty::Unknown,
                },
                K::QualifiedType => match self.facts.resolve(self.text(node)).as_str() {
                    "context.Context" => Ty::Ctx,
                    path if path.ends_with("errgroup.Group") => Ty::Group,
                    path if path.ends_with("meta.v1.Time") || matches!(path, "time.Time" | "time.Duration") => Ty::Time,
                    _ => Ty::Unknown,
                },
                _ => Ty::Unknown,
            };
        }
    }

    /// Does a name stand alone as a condition: `if dead`, `!dead`, `dead && …`?
    pub fn is_tested(&self, name: &str) -> bool {
        let tested = self.tested.get_or_init(|| self.root.map(|root| self.find_tested(root)).unwrap_or_default());
        tested.contains(&sym(name))
    }

    fn find_tested(&self, root: Node) -> FxHashSet<Sym> {
        let mut found = Vec::new();
        super::kinds::each(root, &mut |node| {
            match kind(node) {
                K::If => found.extend(node.condition()),
                K::Unary if super::kinds::has_token(node, "!") => found.extend(node.operand()),
                K::Binary if node.operator().is_some_and(|o| matches!(o.kind(), "&&" | "||")) => {
                    found.extend(node.left());
                    found.extend(node.right());
                }
                _ => {}
            }
            true
        });
        let names = found.into_iter().map(|n| self.unwrap_paren(n)).filter(|n| kind(*n) == K::Ident);
        names.map(|n| sym(self.text(n))).collect()
    }
}

/// The dotted path of a type: pointers, slices and type arguments are taken off.
///
/// ```text
/// *corev1.Pod, []corev1.Pod        k8s.io.api.core.v1.Pod
/// map[string]int, func(), any      none
/// ```
pub(super) fn type_path(node: Node, text: &str, facts: &FileFacts) -> Option<Sym> {
    let mut node = node;
    loop {
        let inner = match kind(node) {
            K::ParenType | K::PointerType => first(node),
            K::SliceType | K::ArrayType | K::OpenArrayType => node.element(),
            K::ChanType => node.value(),
            K::GenericType | K::TypeInstance => type_of(node),
            K::TypeIdent | K::QualifiedType | K::Ident => {
                let written: String = text.get(node.byte_range())?.split_whitespace().collect();
                return Some(facts.resolve(&written)).filter(|p| *p != sym("any"));
            }
            K::TypeElem => match parts(node)[..] {
                [one] => Some(one),
                _ => None,
            },
            _ => None,
        };
        node = inner?;
    }
}

/// A parameter in the source: its name, if any, and its type.
pub(super) struct Declared<'t> {
    /// The identifier.
    pub name: Option<Node<'t>>,
    /// The type.
    pub ty: Option<Node<'t>>,
    /// `xs ...T`
    pub variadic: bool,
}

/// The entries of a parameter list, one for each name.
pub(super) fn declared(list: Node) -> Vec<Declared> {
    let mut found = Vec::new();
    for entry in parts(list) {
        let ty = type_of(entry);
        let variadic = kind(entry) == K::VariadicParam;
        if !matches!(kind(entry), K::ParamDecl | K::VariadicParam) {
            continue;
        }
        let names = all(entry, "name");
        if names.is_empty() {
            found.push(Declared { name: None, ty, variadic });
        }
        found.extend(names.into_iter().map(|n| Declared { name: Some(n), ty, variadic }));
    }
    found
}
