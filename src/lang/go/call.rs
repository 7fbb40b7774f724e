//! Calls. Most stay calls; those that only say in another form what an operator says become it.
//!
//! ```text
//! c.List(ctx, &pods, opts)             pods = c.List(pods, opts)       whoever waits is left out, what is filled is written
//! make(map[K]V), append(xs, a)         an empty collection, Union(xs, One(a))
//! a.Before(b), a.After(b), t.Add(-d)   a < b, b < a, t - d
//! x.IsZero(), x.DeepCopy()             not present(x), x
//! pod.GetName(), rows.Err()            Field(pod, Name), rows
//! ```

use super::build::Cx;
use super::kinds::{Child, K, first, has_token, kind, parts};
use super::names::Ty;
use crate::ir::{Arg, Bin, Expr, ExprId, Lit, Place, Stmt, Sym, sym};
use tree_sitter::Node;

impl<'a> Cx<'a> {
    pub fn call_node(&mut self, node: Node<'a>) -> ExprId {
        let (Some(function), Some(arguments)) = (node.function(), node.arguments()) else { return self.hole(node) };
        let given = parts(arguments);
        if let Some(value) = self.special(node, function, &given) {
            return value;
        }
        let name = function.field().filter(|_| kind(function) == K::Selector).unwrap_or(function);
        let filled = self.filled_by(function, self.text(name), &given);
        let callee = match (kind(function), function.operand(), function.field()) {
            (K::Selector, Some(object), Some(name)) => {
                let base = self.expr(object);
                let member = self.member(base, self.text(name));
                self.at(member, function)
            }
            // `f[T](x)`
            (K::Index, Some(object), _) if self.is_generic(function) => self.expr(object),
            _ => self.expr(function),
        };
        let args = self.args(&given);
        let (name, whole) = (self.span(name), self.span(node));
        let call = self.call_with(name, whole, callee, args);
        self.fill_all(filled, call, node)
    }

    /// `pick[*Pod](xs)` reads like a conversion: the function that is called.
    pub fn generic_call(&mut self, node: Node<'a>) -> Option<ExprId> {
        let (function, path) = self.generic(node)?;
        let given = node.operand()?;
        let callee = self.path(&path);
        let args = self.args(&[given]);
        let (name, whole) = (self.span(function), self.span(node));
        Some(self.call_with(name, whole, callee, args))
    }

    /// It is one where the name is a type's: one of this file, or a collection.
    fn generic(&self, node: Node<'a>) -> Option<(Node<'a>, Sym)> {
        const COLLECTIONS: [&str; 4] = ["Set", "Map", "Slice", "Pointer"];
        let function = super::kinds::type_of(node).filter(|t| kind(*t) == K::GenericType)?;
        let path = super::names::type_path(function, self.piece.text(), self.facts)?;
        let last = path.rsplit('.').next().unwrap_or_default();
        let is_type = self.facts.types.contains_key(&path) || COLLECTIONS.contains(&last);
        (!is_type).then_some((function, path))
    }

    /// Is it a call, also of a function with the type it is for?
    pub fn is_call(&self, node: Node<'a>) -> bool {
        kind(node) == K::Call || kind(node) == K::TypeConversion && self.generic(node).is_some()
    }

    /// Is `f[T]` a function with the type it is for, rather than an entry of a collection?
    fn is_generic(&self, function: Node<'a>) -> bool {
        let (Some(object), Some(index)) = (function.operand(), function.index()) else { return false };
        let word = self.text(index).rsplit('.').next().unwrap_or_default();
        let ty = word.starts_with(char::is_uppercase)
            || matches!(word, "string" | "int" | "int64" | "bool" | "any" | "byte");
        ty && self.local_of(object).is_none() && matches!(kind(object), K::Ident | K::Selector)
    }

    /// The values given to a call, without contexts.
    fn args(&mut self, given: &[Node<'a>]) -> Vec<Arg> {
        let mut args = Vec::new();
        for node in given.iter().filter(|n| !self.is_ctx(**n)).copied().collect::<Vec<_>>() {
            let name = (kind(node) == K::VariadicArg).then(|| sym("*"));
            let value = self.sole(node);
            args.push(Arg { name, value });
        }
        args
    }

    /// A value that stands alone: `for _, x := range list()`, `known(list())`, `if used(x)`, `status(x).Phase`. A call that gave an error beside it would not
    /// compile.
    pub fn sole(&mut self, node: Node<'a>) -> ExprId {
        let value = self.expr(node);
        if kind(node) == K::Call
            && let Some(site) = self.arena.call_of(value).map(|c| c.site)
            && let Some(site) = self.arena.site_mut(site)
        {
            site.sole = true;
        }
        value
    }

    /// What the call is written into is what it gave.
    fn fill_all(&mut self, filled: Vec<Sym>, call: ExprId, node: Node<'a>) -> ExprId {
        let mut value = call;
        let several = filled.len() > 1;
        let whole = if several { self.once(call) } else { call };
        for (i, local) in filled.into_iter().enumerate() {
            // `row.Scan(&a, &b)`
            if several {
                value = self.arena.field(whole, sym(&i.to_string()));
                self.at(value, node);
            }
            self.pending.push(Stmt::Let(Place::Name(local), value));
            self.unlearn(local);
            if let Some(info) = self.info.get_mut(&local) {
                (info.blank, info.made) = (false, false);
            }
            value = self.local(local);
            self.at(value, node);
        }
        if several { whole } else { value }
    }

    /// The locals that a call fills: those that were declared without contents and are given by pointer, and those of
    /// which a name like `Unmarshal` says so. Functions of the file itself are seen to do it.
    pub fn filled_by(&self, function: Node<'a>, name: &str, given: &[Node<'a>]) -> Vec<Sym> {
        let own = match function.operand() {
            None => true,
            Some(object) => self.local_of(object) == Some(sym("self")) && !matches!(name, "Get" | "List" | "Scan"),
        };
        if own || self.inside > 0 {
            return Vec::new();
        }
        let mut found = Vec::new();
        for node in given {
            let pointed = node.operand().filter(|_| kind(*node) == K::Unary && has_token(*node, "&"));
            let Some(local) = self.local_of(pointed.unwrap_or(*node)) else { continue };
            let info = self.info.get(&local).copied().unwrap_or_default();
            let fills = match () {
                _ if pointed.is_none() => info.blank && info.pointer && !sends(name),
                _ if decodes(name) => true,
                _ if info.made => false,
                _ if info.blank => !sends(name),
                _ => fills(name) && info.ty != Ty::Group && !info.element,
            };
            if fills && !found.contains(&local) {
                found.push(local);
            }
        }
        found
    }

    /// Calls that are something else.
    fn special(&mut self, node: Node<'a>, function: Node<'a>, given: &[Node<'a>]) -> Option<ExprId> {
        if let Some(value) = self.taken(node) {
            return Some(value);
        }
        if let Some(name) = self.builtin(function)
            && let Some(value) = self.builtin_call(name, given, node)
        {
            return Some(value);
        }
        let name = self.text(function.field().unwrap_or(function));
        if self.says_waiting(function, name) {
            return Some(self.gave_up(node));
        }
        if let Some(value) = self.error_call(node, name, given) {
            return Some(value);
        }
        if kind(function) == K::Paren
            && first(function).is_some_and(|n| kind(n) == K::Unary && has_token(n, "*"))
            && let [one] = given
        {
            return Some(self.expr(*one));
        }
        if let Some(path) = self.static_path(function) {
            return self.library_call(&path, given, node);
        }
        let object = function.operand().filter(|_| kind(function) == K::Selector)?;
        self.method_call(object, name, given)
    }

    /// `ctx.Err()`
    fn says_waiting(&self, function: Node<'a>, name: &str) -> bool {
        name == "Err" && function.operand().is_some_and(|o| self.is_ctx(o))
    }

    /// `pkg.Name` of an imported package.
    pub fn static_path(&self, function: Node<'a>) -> Option<Sym> {
        if matches!(kind(function), K::TypeInstance | K::GenericType | K::QualifiedType) {
            let path = super::names::type_path(function, self.piece.text(), self.facts)?;
            return Some(path).filter(|p| p.contains('.'));
        }
        let function = match kind(function) {
            K::Index if self.is_generic(function) => function.operand()?,
            _ => function,
        };
        let (object, name) = (function.operand()?, function.field()?);
        if kind(object) != K::Ident {
            return None;
        }
        match self.binding(sym(self.text(object))) {
            Some(super::names::Binding::Import(path)) => Some(sym(&format!("{path}.{}", self.text(name)))),
            _ => None,
        }
    }

    /// The builtins, and conversions to builtin types and types of the file.
    fn builtin_call(&mut self, name: &str, given: &[Node<'a>], node: Node<'a>) -> Option<ExprId> {
        Some(match (name, given) {
            ("make", [_, ..]) => self.empty(),
            ("new" | super::NEW, [what]) => self.made(*what),
            ("append", [xs, rest @ ..]) => self.appended(*xs, rest),
            ("recover", []) => self.opaque(node),
            (
                "string" | "bool" | "byte" | "rune" | "int" | "int8" | "int16" | "int32" | "int64" | "uint" | "uint8"
                | "uint16" | "uint32" | "uint64" | "uintptr" | "float32" | "float64" | "error" | "any",
                [one],
            ) => self.expr(*one),
            (_, [one]) if self.facts.types.contains_key(&sym(name)) => self.expr(*one),
            _ => return None,
        })
    }

    /// `new(T)`, and `new(x)` as of Go 1.26.
    fn made(&mut self, what: Node<'a>) -> ExprId {
        let is_type = match kind(what) {
            K::Ident | K::TypeIdent => self.local_of(what).is_none(),
            K::Selector => {
                let operand = what.operand();
                operand.is_some_and(|o| self.static_path(what).is_some() && kind(o) == K::Ident)
            }
            K::QualifiedType
            | K::GenericType
            | K::PointerType
            | K::SliceType
            | K::MapType
            | K::ArrayType
            | K::ChanType
            | K::FuncType
            | K::StructType
            | K::InterfaceType => true,
            _ => false,
        };
        if is_type { self.zero(what) } else { self.expr(what) }
    }

    fn appended(&mut self, xs: Node<'a>, rest: &[Node<'a>]) -> ExprId {
        let mut items = Vec::new();
        let head = self.expr(xs);
        // `append([]T(nil), xs...)`
        items.push(if self.arena.is_falsy(head) { self.empty() } else { head });
        for one in rest {
            let value = self.expr(*one);
            items.push(if kind(*one) == K::VariadicArg { value } else { self.one(value) });
        }
        self.fold(Bin::Union, items).unwrap_or_else(|| self.empty())
    }

    /// Methods that say no more than an operator or a field.
    fn method_call(&mut self, object: Node<'a>, name: &str, given: &[Node<'a>]) -> Option<ExprId> {
        match (name, given) {
            ("Before" | "After" | "Equal", [other]) => {
                let (a, b) = (self.expr(object), self.expr(*other));
                Some(match name {
                    "Before" => self.arena.binary(Bin::Lt, a, b),
                    "After" => self.arena.binary(Bin::Lt, b, a),
                    _ => self.arena.binary(Bin::Eq, a, b),
                })
            }
            ("Sub", [other]) => {
                let (a, b) = (self.expr(object), self.expr(*other));
                Some(self.arena.binary(Bin::Sub, a, b))
            }
            ("Add", [other]) if self.is_time(object, *other) => Some(self.later(object, *other)),
            ("IsZero" | "IsNil", []) => {
                let value = self.expr(object);
                let there = self.present(value);
                Some(self.arena.not(there))
            }
            ("DeepCopy" | "Copy" | "Clone" | "UTC" | "Local" | "DeepCopyObject", []) => Some(self.expr(object)),
            ("Context" | "WithContext" | "SetContext", [only]) if self.is_ctx(*only) => Some(self.expr(object)),
            ("Err", []) if matches!(kind(object), K::Ident | K::Selector) => Some(self.expr(object)),
            ("Wait", []) if self.ty_of(object) == Ty::Group => Some(self.expr(object)),
            (_, []) => self.getter(object, name),
            _ => None,
        }
    }

    /// Is `x.Add(d)` about times? Sets and counters have an `Add` too.
    fn is_time(&self, object: Node<'a>, other: Node<'a>) -> bool {
        if self.ty_of(object) == Ty::Time || self.ty_of(other) == Ty::Time {
            return true;
        }
        let (object, other) = (self.text(object), self.text(other));
        let says = |text: &str| {
            let lower = text.to_ascii_lowercase();
            ["time.", "now", "stamp", "age", "ttl", "period", "duration", "timeout", "grace", "window", "since"]
                .iter()
                .any(|w| lower.contains(w))
                || lower.ends_with("time")
                || lower.ends_with("time()")
                || lower.ends_with("at")
        };
        says(object) || says(other) || other.starts_with('-')
    }

    /// `t.Add(-d)` is `t - d`.
    fn later(&mut self, object: Node<'a>, other: Node<'a>) -> ExprId {
        let time = self.expr(object);
        let step = self.unwrap_paren(other);
        if kind(step) == K::Unary
            && has_token(step, "-")
            && let Some(step) = step.operand()
        {
            let step = self.expr(step);
            return self.arena.binary(Bin::Sub, time, step);
        }
        let step = self.expr(step);
        match *self.arena.get(step) {
            Expr::Lit(Lit::Num(n)) if n < 0 => {
                let back = self.lit(Lit::Num(n.saturating_neg()));
                self.arena.binary(Bin::Sub, time, back)
            }
            // `-10 * time.Minute`, `-1 * d`
            _ if self.text(other).trim_start().starts_with('-') => self.arena.binary(Bin::Sub, time, step),
            _ => self.arena.binary(Bin::Add, time, step),
        }
    }

    /// `pod.GetName()` is the field: of an element any such method, else those that every object has.
    fn getter(&mut self, object: Node<'a>, name: &str) -> Option<ExprId> {
        let field = name.strip_prefix("Get").filter(|f| f.starts_with(char::is_uppercase))?;
        let common = matches!(
            field,
            "Name"
                | "Namespace"
                | "UID"
                | "Labels"
                | "Annotations"
                | "OwnerReferences"
                | "CreationTimestamp"
                | "DeletionTimestamp"
                | "Finalizers"
                | "ID"
                | "Id"
                | "Kind"
                | "Status"
                | "Spec"
                | "Tags"
                | "State"
                | "Metadata"
                | "ResourceVersion"
                | "ObjectMeta"
        );
        let mut root = object;
        while let (K::Selector | K::Index | K::Paren, Some(inner)) =
            (kind(root), root.operand().or_else(|| first(root)))
        {
            root = inner;
        }
        let element = self.info_of(root).is_some_and(|i| i.element);
        if !(common || element) || self.static_path(object).is_some() {
            return None;
        }
        let base = self.expr(object);
        if self.imported_path(base).is_some() {
            return None;
        }
        Some(self.arena.field(base, sym(field)))
    }
}

/// Does a call of this name send what it is given, rather than fill it?
fn sends(name: &str) -> bool {
    let verbs = [
        "Del",
        "Remove",
        "Create",
        "Update",
        "Apply",
        "Patch",
        "Send",
        "Log",
        "Print",
        "Info",
        "Error",
        "Debug",
        "Warn",
        "Publish",
        "Post",
        "Put",
        "Write",
        "Save",
        "Insert",
        "Add",
        "Enqueue",
        "Marshal",
        "Encode",
        "Register",
        "Set",
        "Validate",
        "Sprint",
        "Fprint",
        "Start",
        "Run",
        "Evict",
        "Upsert",
        "Replace",
        "Terminate",
        "Close",
        "With",
        "New",
        "Append",
        "Push",
        "Store",
        "Watch",
        "Is",
        "Has",
        "Fatal",
        "Trace",
    ];
    verbs.iter().any(|verb| name.starts_with(verb))
}

/// Does it fill what it is given, whatever that held?
fn decodes(name: &str) -> bool {
    name.contains("Unmarshal") || name.contains("Decode") || name.contains("Scan") || name == "DataTo" || name == "Bind"
}

/// Does it read something into what it is given?
fn fills(name: &str) -> bool {
    let verbs =
        ["Get", "List", "Read", "Load", "Fill", "Find", "First", "Take", "Select", "Pluck", "Parse", "Fetch", "Query"];
    verbs.iter().any(|verb| name.starts_with(verb))
}
