//! Methods: those that pass on what they are called on, and the questions to options and results.
//!
//! ```text
//! xs.iter().cloned().collect()      xs
//! f().ok()                          raised(f()) ? nothing : f()
//! row.is_none_or(|r| r.old)         not present(row) or row.old
//! f().unwrap_or_default()           raised(f()) or not present(f()) ? [] : f()
//! ```

use super::apply::Applied;
use super::build::{Binding, Cx};
use super::guess::{Kind, Ret};
use super::uses::plain;
use crate::ir::{Exit, Expr, ExprId, Stmt, sym};
use syn::{Expr as E, ExprMethodCall};

/// Methods without arguments that give what they are called on, in another form.
const SAME: &[&str] = &[
    "iter",
    "iter_mut",
    "into_iter",
    "par_iter",
    "into_par_iter",
    "clone",
    "cloned",
    "copied",
    "as_ref",
    "as_mut",
    "as_deref",
    "as_deref_mut",
    "as_str",
    "as_slice",
    "as_mut_slice",
    "as_path",
    "as_bytes",
    "as_os_str",
    "to_string",
    "to_owned",
    "to_vec",
    "to_path_buf",
    "into",
    "into_owned",
    "into_boxed_slice",
    "into_string",
    "into_inner",
    "into_vec",
    "to_string_lossy",
    "display",
    "borrow",
    "borrow_mut",
    "lock",
    "try_lock",
    "read",
    "write",
    "deref",
    "deref_mut",
    "collect",
    "collect_vec",
    "try_collect",
    "boxed",
    "boxed_local",
    "by_ref",
    "rev",
    "fuse",
    "peekable",
    "into_stream",
    "into_values",
    "into_keys",
    "keys",
    "values",
    "values_mut",
    "into_future",
    "sort",
    "sort_unstable",
    "sorted",
    "dedup",
    "unique",
    "transpose",
    "try_into",
    "to_str",
    "as_os_string",
    "into_os_string",
    "in_current_span",
    "compat",
    "trim",
    "shrink_to_fit",
    "as_inner",
    "into_iter_sorted",
    "into_boxed",
    "to_bytes",
    "await",
    "into_bytes",
    "copied_iter",
    "bytes_stream",
    "into_async_read",
    "blocking_lock",
    "blocking_read",
    "blocking_write",
    "upgrade_value",
    "freeze",
];

/// Methods with arguments that give what they are called on.
const SAME_WITH: &[&str] = &[
    "map_err",
    "context",
    "with_context",
    "wrap_err",
    "wrap_err_with",
    "inspect",
    "inspect_err",
    "inspect_ok",
    "instrument",
    "buffer_unordered",
    "buffered",
    "try_buffer_unordered",
    "try_buffered",
    "sort_by",
    "sort_by_key",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "sorted_by",
    "sorted_by_key",
    "dedup_by_key",
    "dedup_by",
    "unique_by",
    "ready_chunks",
    "or_raise",
    "change_context",
    "attach_printable",
    "with_subscriber",
    "map_into",
    "sort_by_cached_key",
];

/// Methods that iterators alone have: what they are called on is one.
const OF_ITERATORS: &[&str] = &[
    "collect",
    "try_collect",
    "collect_vec",
    "filter_map",
    "flat_map",
    "for_each",
    "enumerate",
    "buffer_unordered",
    "buffered",
    "try_buffer_unordered",
    "fold",
    "partition",
    "unzip",
    "sum",
    "for_each_concurrent",
    "try_for_each",
    "try_for_each_concurrent",
    "any",
    "all",
    "rev",
    "sorted",
    "max_by_key",
    "min_by_key",
    "take_while",
    "skip_while",
    "try_filter",
    "try_filter_map",
];

/// Methods that iterators have too, and that give an iterator.
const PASSING: &[&str] = &[
    "map", "filter", "inspect", "cloned", "copied", "then", "map_ok", "map_err", "zip", "chain", "take", "skip",
    "flatten",
];

/// What a query asks of a column.
const QUERY: &[&str] =
    &["eq", "ne", "lt", "le", "gt", "ge", "eq_any", "ne_all", "is_null", "is_not_null", "like", "desc", "asc"];

impl Cx<'_> {
    pub fn method_call(&mut self, x: &ExprMethodCall) -> ExprId {
        let name = plain(&x.method);
        let many = std::mem::take(&mut self.many);
        if let Some((_, value)) = self.next.filter(|n| std::ptr::eq(n.0, x)) {
            return value;
        }
        let special = self.statement_step(&name, x).or_else(|| self.spawned(&name, x));
        if let Some(value) = special.or_else(|| self.entry_of(&name, x)) {
            return value;
        }
        let mut kind = self.kind(&x.receiver);
        let passes = many && PASSING.contains(&name.as_str());
        if kind == Kind::Unknown && (passes || OF_ITERATORS.contains(&name.as_str())) {
            kind = Kind::Iter;
            self.many = true;
        }
        let column = self.names_column(&x.receiver, &name);
        let receiver = match (&*x.receiver, column) {
            (E::Path(path), true) => {
                let path = self.resolve(&path.path);
                self.path(&path)
            }
            _ => self.expr(&x.receiver),
        };
        self.many = false;
        let count = x.args.len();
        if count == 0 && SAME.contains(&name.as_str()) {
            return self.same(receiver, &name, kind, x);
        }
        if let Some(value) = self.optional(&name, receiver, kind, x) {
            return value;
        }
        if SAME_WITH.contains(&name.as_str()) {
            return receiver;
        }
        if column {
            return self.plain_method(receiver, x);
        }
        if let Some(value) = self.chained(&name, receiver, kind, x) {
            return value;
        }
        if let Some(value) = self.operator(&name, receiver, kind, x) {
            return value;
        }
        self.plain_method(receiver, x)
    }

    /// Is it a path of more than one part, or of no local: a column of a table, a constant? What is asked of it is part of
    /// a query: `Column::State.eq(..)`, `dsl::owner.is_null()`.
    fn names_column(&self, e: &E, method: &str) -> bool {
        let E::Path(path) = e else { return false };
        match path.path.get_ident() {
            Some(name) => {
                let name = plain(name);
                let constant = name.chars().all(|c| c.is_uppercase() || c == '_' || c.is_numeric());
                QUERY.contains(&method) && name != "self" && !constant && self.binding(&name).is_none()
            }
            None => {
                let last = path.path.segments.last().map(|s| plain(&s.ident)).unwrap_or_default();
                last.chars().any(char::is_lowercase)
            }
        }
    }

    /// Is it something that can be applied: a closure, a function by its name?
    pub fn is_function(&self, e: &E) -> bool {
        match e {
            E::Closure(_) => true,
            E::Paren(x) => self.is_function(&x.expr),
            E::Reference(x) => self.is_function(&x.expr),
            E::Path(path) => match path.path.get_ident() {
                Some(name) => match self.binding(&plain(name)) {
                    Some(Binding::Local(local, _)) => self.functions.contains(&local),
                    Some(_) => false,
                    None => true,
                },
                None => true,
            },
            _ => false,
        }
    }

    /// A method that stays a call.
    pub fn plain_method(&mut self, receiver: ExprId, x: &ExprMethodCall) -> ExprId {
        let mut earlier = vec![receiver];
        let mark = self.pending.len();
        self.many = x.method == "extend";
        let values = self.values(&x.args);
        self.many = false;
        self.keep_order(mark, &mut earlier);
        let receiver = earlier.pop().unwrap_or(receiver);
        let callee = self.arena.mk(Expr::Field(receiver, sym(&plain(&x.method))));
        let name = self.place(x.method.span(), x.method.span());
        let whole = self.place(super::span::start(&x.receiver), x.paren_token.span.close());
        self.arena.at(callee, name);
        self.call(name, whole, callee, values)
    }

    fn same(&mut self, receiver: ExprId, name: &str, kind: Kind, x: &ExprMethodCall) -> ExprId {
        match name {
            "iter" | "iter_mut" | "into_iter" if kind == Kind::Map => self.entries(receiver),
            "collect" | "try_collect" if self.kind(&E::MethodCall(x.clone())) == Kind::Map => self.as_map(receiver),
            "to_string" | "display" => receiver,
            _ => receiver,
        }
    }

    /// `m.entry(k).or_default()`: what the map holds of a key, where room is made for it; as a call that other languages have.
    fn entry_of(&mut self, name: &str, x: &ExprMethodCall) -> Option<ExprId> {
        let E::MethodCall(entry) = &*x.receiver else { return None };
        let makes = matches!(name, "or_default" | "or_insert" | "or_insert_with" | "or_insert_with_key");
        let key = entry.args.first().filter(|_| makes && entry.method == "entry" && entry.args.len() == 1)?;
        let values = self.values([&*entry.receiver, key]);
        let [map, key] = values[..] else { return None };
        let default = match x.args.first() {
            Some(E::Closure(_)) => {
                let applied = self.apply(x.args.first()?, &[(key, Kind::Unknown)], Ret::Other);
                self.in_place(applied)
            }
            Some(value) if name == "or_insert" => self.expr(value),
            // `or_insert_with(Instant::now)`; `Vec::new` makes room only.
            Some(E::Path(f)) if f.path.segments.last().is_some_and(|s| s.ident != "new" && s.ident != "default") => {
                let applied = self.apply(x.args.first()?, &[], Ret::Other);
                self.in_place(applied)
            }
            _ => self.empty(),
        };
        let callee = self.arena.mk(Expr::Field(map, sym("setdefault")));
        let name = self.place(entry.method.span(), entry.method.span());
        let whole = self.place(super::span::start(&entry.receiver), x.paren_token.span.close());
        self.arena.at(callee, name);
        Some(self.call(name, whole, callee, vec![key, default]))
    }

    /// `set.spawn(async { .. })`, `rt.block_on(f())`: what is given runs here.
    fn spawned(&mut self, name: &str, x: &ExprMethodCall) -> Option<ExprId> {
        let runs =
            matches!(name, "spawn" | "spawn_on" | "spawn_blocking" | "block_on" | "spawn_local" | "install" | "scope");
        let what = x.args.first().filter(|_| runs)?;
        match what {
            E::Async(_) => Some(self.expr(what)),
            E::Closure(c) if c.inputs.is_empty() => self.run_here(what),
            E::Call(_) | E::MethodCall(_) if name != "scope" => Some(self.expr(what)),
            _ => None,
        }
    }

    /// Methods of options and results.
    fn optional(&mut self, name: &str, v: ExprId, kind: Kind, x: &ExprMethodCall) -> Option<ExprId> {
        let args: Vec<&E> = x.args.iter().collect();
        let applies = matches!(name, "map" | "and_then" | "filter" | "or_else");
        if applies && !args.first().is_some_and(|f| self.is_function(f)) {
            return None;
        }
        Some(match (name, &args[..]) {
            ("ok" | "is_some" | "is_none" | "is_ok" | "is_err", []) => {
                let v = self.once(v);
                self.asked(v, name)
            }
            ("err", []) => {
                let v = self.once(v);
                let raised = self.raised(v);
                let (failure, nothing) = (self.failure_of(v), self.nothing());
                self.arena.choose(raised, failure, nothing)
            }
            ("unwrap" | "expect" | "unwrap_unchecked", _) => self.unwrapped(v, kind, x),
            ("unwrap_err" | "expect_err", _) => {
                let v = self.once(v);
                self.failure_of(v)
            }
            ("unwrap_or_default", []) => {
                let default = self.empty();
                self.or_else_value(v, kind, Applied { before: Vec::new(), value: default })
            }
            ("unwrap_or", [default]) => {
                let v = self.once(v);
                let default = self.expr(default);
                self.or_else_value(v, kind, Applied { before: Vec::new(), value: default })
            }
            ("unwrap_or_else", [f]) => {
                let v = self.once(v);
                let failure = [(self.failure_of(v), Kind::Unknown)];
                // `unwrap_or_else(Utc::now)`
                let told = if matches!(f, E::Path(_)) && kind != Kind::Result { &failure[..0] } else { &failure[..] };
                let applied = self.apply(f, told, Ret::Other);
                self.or_else_value(v, kind, applied)
            }
            ("is_none_or", [f]) => self.question(v, f, Kind::Option, true),
            ("is_some_and", [f]) => self.question(v, f, Kind::Option, false),
            ("is_ok_and", [f]) => self.question(v, f, Kind::Result, false),
            ("is_err_and", [f]) => {
                let v = self.once(v);
                let (raised, failure) = (self.raised(v), self.failure_of(v));
                let applied = self.apply(f, &[(failure, Kind::Unknown)], Ret::Other);
                let no = self.arena.bool(false);
                self.when(raised, applied, no)
            }
            ("map_or", [default, f]) => {
                let v = self.once(v);
                let default = self.expr(default);
                self.mapped_or(v, kind, f, default)
            }
            ("map_or_else", [default, f]) => {
                let v = self.once(v);
                let failure = self.failure_of(v);
                let default = self.apply(default, &[(failure, Kind::Unknown)], Ret::Other);
                let default = self.in_place(default);
                self.mapped_or(v, kind, f, default)
            }
            ("map" | "and_then", [f]) if !self.many(v, kind) => self.mapped(v, kind, f, name == "and_then"),
            ("filter", [f]) if kind == Kind::Option => {
                let v = self.once(v);
                let (here, there, nothing) = (self.present(v), self.there(v), self.nothing());
                let applied = self.apply(f, &[(there, Kind::Unknown)], Ret::Other);
                let no = self.arena.bool(false);
                let test = self.when(here, applied, no);
                self.arena.choose(test, there, nothing)
            }
            ("ok_or" | "ok_or_else", [_]) => self.or_failed(v),
            ("context" | "with_context" | "wrap_err", [_]) if self.optional_by_form(v, kind, x) => self.or_failed(v),
            ("or", [other]) => {
                let v = self.once(v);
                let other = self.expr(other);
                self.or_else_value(v, kind, Applied { before: Vec::new(), value: other })
            }
            ("or_else" | "or_insert_with_none", [f]) => {
                let v = self.once(v);
                let failure = self.failure_of(v);
                let applied = self.apply(f, &[(failure, Kind::Unknown)], Ret::Other);
                self.or_else_value(v, kind, applied)
            }
            ("flatten", []) if kind == Kind::Option => v,
            ("take", []) => {
                let nothing = self.nothing();
                self.emptied(v, nothing, &x.receiver)
            }
            ("then", [E::Closure(c)]) if c.inputs.is_empty() => {
                let applied = self.apply(args.first()?, &[], Ret::Other);
                let nothing = self.nothing();
                self.when(v, applied, nothing)
            }
            ("then_some", [value]) => {
                let value = self.expr(value);
                let nothing = self.nothing();
                self.arena.choose(v, value, nothing)
            }
            ("zip", [other]) if kind == Kind::Option => {
                let other = self.expr(other);
                let (a, b) = (self.present(v), self.present(other));
                let both = self.arena.and(a, b);
                let (pair, nothing) = (self.record(vec![v, other]), self.nothing());
                self.arena.choose(both, pair, nothing)
            }
            _ => return None,
        })
    }

    /// `opt.ok_or(e)`
    fn or_failed(&mut self, v: ExprId) -> ExprId {
        let v = self.once(v);
        self.options.insert(v);
        let (here, there, failed) = (self.present(v), self.there(v), self.failed());
        self.arena.choose(here, there, failed)
    }

    /// Is it an option by how it is written: a field, a getter?
    fn optional_by_form(&self, v: ExprId, kind: Kind, x: &ExprMethodCall) -> bool {
        let getter = matches!(&*x.receiver, E::MethodCall(m) if m.args.is_empty() && !matches!(plain(&m.method).as_str(), "send" | "next" | "open" | "build"));
        kind == Kind::Option || kind == Kind::Unknown && (getter || matches!(self.arena.get(v), Expr::Field(..)))
    }

    /// Is it an iterator or stream that is mapped, and no option?
    fn many(&self, v: ExprId, kind: Kind) -> bool {
        matches!(kind, Kind::Iter | Kind::List | Kind::Map) || kind == Kind::Unknown && self.is_collection(v)
    }

    /// ```text
    /// f().unwrap()         if raised(f()): raise
    /// m.get(k).unwrap()    if not present(m[k]): raise
    /// ```
    fn unwrapped(&mut self, v: ExprId, kind: Kind, x: &ExprMethodCall) -> ExprId {
        let lock = match &*x.receiver {
            E::MethodCall(m) => matches!(plain(&m.method).as_str(), "lock" | "read" | "write" | "to_str" | "try_into"),
            _ => false,
        };
        if lock || matches!(self.arena.get(v), Expr::Field(..)) {
            return self.there(v);
        }
        let v = self.once(v);
        let test = match kind {
            Kind::Option => {
                let here = self.present(v);
                self.arena.not(here)
            }
            _ => self.raised(v),
        };
        if self.arena.as_bool(test) != Some(false) {
            let leave = vec![Stmt::Leave(Exit::Raise(Some(sym("panic"))))];
            self.pending.push(Stmt::If(test, leave, Vec::new()));
        }
        self.there(v)
    }

    /// The value, or another where there is none.
    fn or_else_value(&mut self, v: ExprId, kind: Kind, other: Applied) -> ExprId {
        let v = self.once(v);
        let missing = self.missing(v, kind);
        let there = self.there(v);
        self.when(missing, other, there)
    }

    /// `is_none_or`, `is_some_and`, `is_ok_and`
    fn question(&mut self, v: ExprId, f: &E, kind: Kind, none: bool) -> ExprId {
        let v = self.once(v);
        let missing = self.missing(v, kind);
        let there = self.there(v);
        let applied = self.apply(f, &[(there, Kind::Unknown)], Ret::Other);
        let default = self.arena.bool(none);
        let here = self.arena.not(missing);
        self.when(here, applied, default)
    }

    fn mapped_or(&mut self, v: ExprId, kind: Kind, f: &E, default: ExprId) -> ExprId {
        let missing = self.missing(v, kind);
        let there = self.there(v);
        let applied = self.apply(f, &[(there, Kind::Unknown)], Ret::Other);
        let here = self.arena.not(missing);
        self.when(here, applied, default)
    }

    /// `opt.map(f)`, `result.map(f)`: what was not there stays so, what failed too.
    fn mapped(&mut self, v: ExprId, kind: Kind, f: &E, flat: bool) -> ExprId {
        let v = self.once(v);
        let there = self.there(v);
        let ret = if flat && kind == Kind::Option { Ret::Option } else { Ret::Other };
        let applied = self.apply(f, &[(there, Kind::Unknown)], ret);
        let simple = matches!(f, E::Path(_));
        if applied.value == there && applied.before.is_empty() && simple {
            return v;
        }
        let (nothing, failed) = (self.nothing(), self.failed());
        match kind {
            Kind::Result => {
                let raised = self.raised(v);
                let fine = self.arena.not(raised);
                self.when(fine, applied, failed)
            }
            Kind::Option => {
                let here = self.present(v);
                self.when(here, applied, nothing)
            }
            _ if matches!(self.arena.get(v), Expr::Field(..) | Expr::Lookup(..) | Expr::Elem(_)) => {
                let here = self.present(v);
                self.when(here, applied, nothing)
            }
            _ => {
                let raised = self.raised(v);
                let here = self.present(v);
                let inner = self.when(here, applied, nothing);
                self.arena.choose(raised, failed, inner)
            }
        }
    }
}
