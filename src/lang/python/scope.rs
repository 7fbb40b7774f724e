//! Which name is what: locals, imports, globals, and the variables of comprehensions.
//!
//! Python decides by function, not by line: a name assigned anywhere in a function is its local everywhere in it. So one
//! pass over the function comes before its lowering.
//!
//! ```text
//! import os                        os    -> Path("os")
//! def f(xs):                       xs    -> Name
//!     global total                 total -> Field(Path("%globals"), "total")
//!     from shutil import rmtree    rmtree -> Path("shutil.rmtree")
//!     for x in xs:                 x     -> Name
//!         [rmtree(x) for x in y]   the inner x -> the element of y
//! ```

use super::imports::{self, Import};
use super::kinds::{Child, K, annotation, first, kind, parts};
use crate::ir::{ExprId, Sym, sym};
use rustc_hash::FxHashMap;
use tree_sitter::Node;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Binding {
    /// A local; the symbol differs from the name where a closure's own local would hide one of the function around it.
    Local(Sym),
    /// A value that replaces the name: the variable of a comprehension.
    Value(ExprId),
    /// An imported path.
    Import(Sym),
    /// A global that is written here.
    Global,
}

/// The names of one scope.
#[derive(Clone, Default, Debug)]
pub(super) struct Scope {
    /// What each name is.
    pub names: FxHashMap<Sym, Binding>,
}

/// What a pass over a body finds.
#[derive(Default, Debug)]
pub(super) struct Found {
    /// Names assigned, in order, possibly more than once.
    pub names: Vec<Sym>,
    /// Imports.
    pub imports: Vec<Import>,
    /// Names declared `global`.
    pub globals: Vec<Sym>,
    /// Names declared `nonlocal`.
    pub nonlocals: Vec<Sym>,
    /// It holds a `yield`.
    pub yields: bool,
}

impl Found {
    /// Adds what the body binds to a scope. An import wins over an assignment of the same name, and the first import
    /// over a later one: `try: import yaml` with `except ImportError: yaml = None` is about the library.
    pub fn bind(&self, scope: &mut Scope, rename: &mut dyn FnMut(Sym) -> Sym) {
        for name in &self.names {
            if !self.nonlocals.contains(name) {
                scope.names.entry(*name).or_insert_with(|| Binding::Local(rename(*name)));
            }
        }
        for import in self.imports.iter().rev() {
            scope.names.insert(import.local, Binding::Import(import.path));
        }
        for name in &self.globals {
            scope.names.insert(*name, Binding::Global);
        }
    }
}

/// Collects what a body binds; functions, classes and lambdas inside it are scopes of their own.
pub(super) fn bindings(body: Node, text: &str, package: &str) -> Found {
    let own = text.get(body.byte_range()).unwrap_or_default();
    let deep = own.contains(":=") || own.contains("yield");
    let mut walk = Collect { text, package, found: Found::default(), class_name: None, deep };
    let mut cursor = body.walk();
    loop {
        if walk.visit(cursor.node()) && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return walk.found;
            }
        }
    }
}

struct Collect<'a> {
    text: &'a str,
    package: &'a str,
    found: Found,
    /// The name of the class in a class pattern, which is no capture.
    class_name: Option<usize>,
    /// Expressions may bind: there is a `:=` or a `yield` somewhere.
    deep: bool,
}

impl<'a> Collect<'a> {
    fn word(&self, node: Node) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    fn add(&mut self, node: Node) {
        let word = self.word(node);
        if !word.is_empty() {
            self.found.names.push(sym(word));
        }
    }

    /// Notes what a node binds. Is there anything of this scope below it?
    fn visit(&mut self, node: Node) -> bool {
        match kind(node) {
            K::FuncDef | K::ClassDef => {
                node.name().into_iter().for_each(|n| self.add(n));
                return false;
            }
            K::String => return self.deep,
            K::Lambda | K::Ident | K::Token | K::Comment | K::Pass => return false,
            K::Assignment | K::AugAssign | K::For | K::TypeAlias => {
                node.left().into_iter().for_each(|n| self.targets(n));
            }
            K::Del => first(node).into_iter().for_each(|n| self.targets(n)),
            K::Named => node.name().into_iter().for_each(|n| self.add(n)),
            K::Except => node.alias().into_iter().for_each(|n| self.targets(n)),
            K::AsPattern => match node.alias() {
                Some(alias) => self.targets(alias),
                None => parts(node).last().into_iter().for_each(|n| self.add(*n)),
            },
            K::ClassPattern => self.class_name = first(node).map(|n| n.id()),
            K::DottedName if self.class_name != Some(node.id()) => self.capture(node),
            K::SplatPattern => first(node).into_iter().for_each(|n| self.add(n)),
            K::Import | K::ImportFrom => {
                self.found.imports.extend(imports::read(self.word(node), self.package));
                return false;
            }
            K::Global => {
                let names: Vec<Sym> = parts(node).into_iter().map(|n| sym(self.word(n))).collect();
                self.found.globals.extend(names);
            }
            K::Nonlocal => {
                let names: Vec<Sym> = parts(node).into_iter().map(|n| sym(self.word(n))).collect();
                self.found.nonlocals.extend(names);
            }
            K::Yield => self.found.yields = true,
            K::Attribute | K::Binary | K::BoolOp | K::Call | K::Comparison | K::Conditional | K::Dict => {
                return self.deep;
            }
            K::DictComp | K::Generator | K::List | K::ListComp | K::NotOp | K::Paren | K::Set => return self.deep,
            K::SetComp | K::Subscript | K::Tuple => return self.deep,
            _ => {}
        }
        true
    }

    /// `case name:` captures, `case a.b:` and `case _:` do not.
    fn capture(&mut self, node: Node) {
        let word = self.word(node);
        if !word.contains('.') && word != "_" {
            self.add(node);
        }
    }

    fn targets(&mut self, node: Node) {
        let mut todo = vec![node];
        while let Some(node) = todo.pop() {
            match kind(node) {
                K::Ident | K::KeywordIdent => self.add(node),
                K::PatternList
                | K::TuplePattern
                | K::ListPattern
                | K::ListSplatPattern
                | K::ListSplat
                | K::Tuple
                | K::List
                | K::ExprList
                | K::Paren
                | K::Type
                | K::AsTarget => todo.extend(parts(node).into_iter().rev()),
                _ => {}
            }
        }
    }
}

/// The dotted path of a type, as far as the text of the annotation tells: `Optional["client.Api"]`, `Api | None` and
/// `Annotated[Api, …]` are all the `Api`. A union of two types is none.
///
/// ```text
/// core: client.CoreV1Api | None        kubernetes.client.CoreV1Api
/// ids: list[str]                       list
/// ```
pub(super) fn type_text(annotation: &str) -> Option<&str> {
    let text = annotation.trim();
    let text = text.strip_prefix(['"', '\'']).and_then(|t| t.strip_suffix(['"', '\''])).unwrap_or(text).trim();
    let mut members = top_level(text, '|').filter(|m| !is_none(m));
    let one = members.next()?;
    if members.next().is_some() {
        return None;
    }
    let Some((head, rest)) = one.split_once('[') else {
        return dotted(one).then_some(one);
    };
    let inside = rest.strip_suffix(']')?;
    match head.rsplit('.').next().unwrap_or(head).trim() {
        "Optional" => type_text(inside),
        "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" | "Mapped" | "InitVar" => {
            type_text(top_level(inside, ',').next()?)
        }
        "Union" => {
            let mut members = top_level(inside, ',').filter(|m| !is_none(m));
            let one = members.next()?;
            if members.next().is_some() { None } else { type_text(one) }
        }
        _ => dotted(head.trim()).then_some(head.trim()),
    }
}

fn is_none(text: &str) -> bool {
    matches!(text, "None" | "" | "NoneType")
}

fn dotted(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

/// Splits at a character that stands in no brackets.
fn top_level(text: &str, at: char) -> impl Iterator<Item = &str> {
    let mut depth = 0usize;
    text.split(move |c| {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c == at
    })
    .map(str::trim)
}

/// The annotation of a parameter or an annotated name.
pub(super) fn annotated(node: Node, text: &str) -> Option<String> {
    let written = text.get(annotation(node)?.byte_range())?;
    type_text(written).map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::type_text;

    #[test]
    fn types() {
        for (written, path) in [
            ("client.CoreV1Api", Some("client.CoreV1Api")),
            ("Optional[X]", Some("X")),
            ("typing.Optional['X']", Some("X")),
            ("X | None", Some("X")),
            ("None | X", Some("X")),
            ("\"X\"", Some("X")),
            ("'Optional[a.X]'", Some("a.X")),
            ("list[str]", Some("list")),
            ("Annotated[X, Depends(f)]", Some("X")),
            ("Union[X, None]", Some("X")),
            ("X | Y", None),
            ("Union[X, Y]", None),
            ("dict[str, int | None]", Some("dict")),
            ("None", None),
            ("f(x)", None),
        ] {
            assert_eq!(type_text(written), path, "{written}");
        }
    }
}
