//! Functions of the standard library, and those like them, that combine collections or make text.
//!
//! ```text
//! slices.Contains(xs, x)                       present(xs[x])
//! slices.DeleteFunc(xs, func(x T) bool { p })  [x in xs | not p]
//! lo.Filter, lo.Map, lo.ContainsBy, lo.Find    [x in xs | p], [x in xs => f(x)], any x in xs. p, …
//! maps.Keys(m), sets.New(a, b)                 m, Union(One(a), One(b))
//! fmt.Sprintf("%s/%s", a, b)                   Format(a, "/", b)
//! ```

use super::build::Cx;
use super::kinds::{Child, K, kind, parts};
use super::names::{Binding, Scope, declared};
use crate::ir::{Bin, Block, Expr, ExprId, Stmt, sym};
use tree_sitter::Node;

impl<'a> Cx<'a> {
    /// A call of an imported function.
    pub fn library_call(&mut self, path: &str, given: &[Node<'a>], node: Node<'a>) -> Option<ExprId> {
        let (package, name) = path.rsplit_once('.')?;
        let package = package.rsplit('.').next().unwrap_or(package);
        match package {
            "slices" | "maps" | "lo" | "funk" => self.of_collections(name, given, node),
            "sets" | "mapset" | "set" if name.starts_with("New") && name != "NewSetFromMap" => {
                Some(self.collection(given))
            }
            "sets" if matches!(name, "KeySet" | "StringKeySet" | "List") => self.first_of(given),
            "fmt" | "strings" | "bytes" | "strconv" | "path" | "filepath" => self.of_text(package, name, given, node),
            "unstructured" if name.starts_with("Nested") => self.nested(given),
            "time" if name == "Duration" => self.first_of(given),
            "types" if name == "UID" => self.first_of(given),
            "aws" | "ptr" | "pointer" | "to" | "proto" | "utils" if is_wrapper(name) && given.len() <= 2 => {
                self.first_of(given)
            }
            _ => None,
        }
    }

    /// `unstructured.NestedString(obj.Object, "spec", "name")` is `obj.spec.name`.
    fn nested(&mut self, given: &[Node<'a>]) -> Option<ExprId> {
        let (object, names) = given.split_first()?;
        let object = match (kind(*object), object.operand(), object.field()) {
            (K::Selector, Some(inner), Some(name)) if self.text(name) == "Object" => inner,
            _ => *object,
        };
        let mut value = self.expr(object);
        for name in names {
            let key = self.expr(*name);
            value = match self.arena.get(key) {
                Expr::Lit(crate::ir::Lit::Str(name)) => {
                    let name = *name;
                    self.arena.field(value, name)
                }
                _ => self.lookup(value, key),
            };
        }
        Some(value)
    }

    fn first_of(&mut self, given: &[Node<'a>]) -> Option<ExprId> {
        given.first().map(|n| self.expr(*n))
    }

    /// `sets.New(a, b, xs...)`
    fn collection(&mut self, given: &[Node<'a>]) -> ExprId {
        let mut items = Vec::new();
        for node in given {
            let value = self.expr(*node);
            items.push(if kind(*node) == K::VariadicArg { value } else { self.one(value) });
        }
        self.fold(Bin::Union, items).unwrap_or_else(|| self.empty())
    }

    fn of_text(&mut self, package: &str, name: &str, given: &[Node<'a>], _node: Node<'a>) -> Option<ExprId> {
        let plain = given.iter().all(|n| kind(*n) != K::VariadicArg);
        Some(match (package, name, given) {
            ("fmt", "Sprintf", [template, rest @ ..]) if plain => {
                let template = self.expr(*template);
                let values = rest.iter().map(|n| self.expr(*n)).collect();
                self.formatted(template, values)
            }
            ("fmt", "Sprintf" | "Sprint" | "Sprintln", _) | ("path" | "filepath", "Join", _) => {
                let values = given.iter().map(|n| self.expr(*n)).collect();
                self.format(values)
            }
            ("strconv", "Itoa" | "FormatInt" | "FormatUint" | "Quote" | "FormatBool", [one, ..]) => {
                let value = self.expr(*one);
                self.concat_one(value)
            }
            ("strings", "Join", [xs, between]) => {
                let (xs, between) = (self.expr(*xs), self.expr(*between));
                self.arena.join(between, xs)
            }
            ("strings" | "bytes", "EqualFold" | "Equal", [one, other]) => {
                let (one, other) = (self.expr(*one), self.expr(*other));
                self.arena.binary(Bin::Eq, one, other)
            }
            ("strings", "ToLower" | "ToUpper" | "TrimSpace", [one])
            | ("path" | "filepath", "Clean" | "ToSlash" | "FromSlash", [one]) => self.expr(*one),
            _ => return None,
        })
    }

    fn concat_one(&mut self, value: ExprId) -> ExprId {
        if self.is_text(value) { value } else { self.format(vec![value]) }
    }

    fn of_collections(&mut self, name: &str, given: &[Node<'a>], node: Node<'a>) -> Option<ExprId> {
        let always = self.arena.bool(true);
        Some(match (name, given) {
            ("Contains", [xs, x]) => {
                let (xs, x) = (self.expr(*xs), self.expr(*x));
                let found = self.lookup(xs, x);
                self.present(found)
            }
            ("ContainsFunc" | "ContainsBy" | "SomeBy", [xs, f]) => self.some(*xs, *f, false, node),
            ("NoneBy", [xs, f]) => {
                let some = self.some(*xs, *f, false, node);
                self.arena.not(some)
            }
            ("EveryBy", [xs, f]) => {
                let some = self.some(*xs, *f, true, node);
                self.arena.not(some)
            }
            ("DeleteFunc" | "Reject" | "Filter", [xs, f]) => {
                let over = self.expr(*xs);
                let of = self.arena.binder(over);
                let element = self.arena.mk(Expr::Elem(of));
                self.at(element, *xs);
                let mut keep = self.applied(*f, element, node);
                if name != "Filter" {
                    keep = self.arena.not(keep);
                }
                self.arena.gather(of, keep, element)
            }
            ("Map", [xs, f]) => {
                let over = self.expr(*xs);
                let of = self.arena.binder(over);
                let element = self.arena.mk(Expr::Elem(of));
                self.at(element, *xs);
                let give = self.applied(*f, element, node);
                self.arena.gather(of, always, give)
            }
            ("Associate" | "SliceToMap", [xs, f]) => self.associated(*xs, *f, false)?,
            ("FilterMap", [xs, f]) => self.associated(*xs, *f, true)?,
            ("Ternary", [test, yes, no]) => {
                let (test, yes, no) = (self.expr(*test), self.expr(*yes), self.expr(*no));
                self.arena.choose(test, yes, no)
            }
            ("Find", [xs, f]) => {
                let over = self.expr(*xs);
                let of = self.arena.binder(over);
                let element = self.arena.mk(Expr::Elem(of));
                self.at(element, *xs);
                let such = self.applied(*f, element, node);
                let (found, nothing) = (self.arena.any(of, such), self.nothing());
                self.arena.choose(found, element, nothing)
            }
            ("Difference", [a, b]) => {
                let (a, b) = (self.expr(*a), self.expr(*b));
                let (left, right) = (self.arena.minus(a, b), self.arena.minus(b, a));
                self.record(vec![left, right])
            }
            ("Without", [xs, rest @ ..]) => {
                let xs = self.expr(*xs);
                let rest = self.collection(rest);
                self.arena.minus(xs, rest)
            }
            ("Union", [_, ..]) => {
                let all = given.iter().map(|n| self.expr(*n)).collect();
                self.fold(Bin::Union, all)?
            }
            ("Intersect", [a, b]) => {
                let (a, b) = (self.expr(*a), self.expr(*b));
                let of = self.arena.binder(a);
                let element = self.arena.mk(Expr::Elem(of));
                let found = self.lookup(b, element);
                let keep = self.present(found);
                self.arena.gather(of, keep, element)
            }
            ("KeyBy" | "GroupBy" | "PartitionBy" | "UniqBy" | "SortedFunc" | "SortedStableFunc", [xs, _]) => {
                self.expr(*xs)
            }
            (
                "Keys" | "Values" | "Clone" | "Compact" | "Sorted" | "Collect" | "All" | "Uniq" | "Reverse" | "Shuffle"
                | "Backward" | "ToPtr" | "FromPtr" | "FromPtrOr" | "ToSlicePtr" | "FromSlicePtr" | "FromEntries",
                [one, ..],
            ) => self.expr(*one),
            _ => return None,
        })
    }

    fn some(&mut self, xs: Node<'a>, f: Node<'a>, negated: bool, node: Node<'a>) -> ExprId {
        let over = self.expr(xs);
        let of = self.arena.binder(over);
        let element = self.arena.mk(Expr::Elem(of));
        self.at(element, xs);
        let mut such = self.applied(f, element, node);
        if negated {
            such = self.arena.not(such);
        }
        self.arena.any(of, such)
    }

    /// `func(x T) (K, V) { return k, v }`: the value where it speaks of the element, else the key.
    /// `func(x T) (V, bool) { return v, ok }`: the value where it is ok.
    fn associated(&mut self, xs: Node<'a>, f: Node<'a>, filters: bool) -> Option<ExprId> {
        let list = f.parameters().filter(|_| kind(f) == K::FuncLit)?;
        let name = declared(list).first()?.name?;
        let statements = parts(f.body()?);
        let only = match statements[..] {
            [one] if kind(one) == K::StatementList => parts(one),
            _ => statements,
        };
        let [only] = only[..] else { return None };
        let values = super::kinds::first(only).filter(|_| kind(only) == K::Return).map(parts)?;
        let [key, value] = values[..] else { return None };
        let over = self.expr(xs);
        let of = self.arena.binder(over);
        let element = self.arena.mk(Expr::Elem(of));
        self.at(element, xs);
        let (key, value) = self.with_value(self.text(name), element, |cx| (cx.expr(key), cx.expr(value)));
        if filters {
            return Some(self.arena.gather(of, value, key));
        }
        let speaks = self.arena.mentions(value, &mut |e| e == element);
        let always = self.arena.bool(true);
        Some(self.arena.gather(of, always, if speaks { value } else { key }))
    }

    /// A function of an element, which may be given its position too.
    fn applied(&mut self, f: Node<'a>, element: ExprId, node: Node<'a>) -> ExprId {
        let count = f.parameters().filter(|_| kind(f) == K::FuncLit).map_or(1, |list| declared(list).len());
        let index = self.arena.field(element, sym("#index"));
        let values = [element, index];
        self.applied_to(f, values.get(..count.clamp(1, 2)).unwrap_or(&values), node)
    }

    /// A function of values: its body with them for its parameters where that is one `return`, else a call.
    fn applied_to(&mut self, f: Node<'a>, values: &[ExprId], node: Node<'a>) -> ExprId {
        let f = self.unwrap_paren(f);
        if let Some((names, value)) = self.one_liner(f)
            && names.len() == values.len()
        {
            let mut scope = Scope::default();
            for (name, value) in names.iter().zip(values) {
                let name = name.map(|n| self.text(n)).unwrap_or("_");
                scope.names.insert(sym(name), Binding::Value(*value));
            }
            return self.with_scope(scope, |cx| cx.expr(value));
        }
        let callee = self.expr(f);
        let name = f.field().filter(|_| kind(f) == K::Selector).unwrap_or(f);
        let (name, whole) = (self.span(name), self.span(node));
        self.call(name, whole, callee, values.to_vec())
    }

    /// `maps.Copy(to, from)`, `maps.DeleteFunc(m, f)`
    pub fn changes_map(&mut self, function: Node<'a>, given: &[Node<'a>], node: Node<'a>, out: &mut Block) -> bool {
        let Some(path) = self.static_path(function) else { return false };
        let (true, [map, with]) = (path.starts_with("maps.") || path.contains(".maps."), given) else { return false };
        let value = match path.rsplit('.').next() {
            Some("Copy") => {
                let (to, from) = (self.expr(*map), self.expr(*with));
                self.arena.union(to, from)
            }
            Some("DeleteFunc") => {
                let over = self.expr(*map);
                let of = self.arena.binder(over);
                let element = self.arena.mk(Expr::Elem(of));
                self.at(element, *map);
                let key = self.arena.field(element, sym("#key"));
                let goes = self.applied_to(*with, &[key, element], node);
                let stays = self.arena.not(goes);
                self.arena.gather(of, stays, element)
            }
            _ => return false,
        };
        self.store(*map, value, None, out);
        true
    }

    /// Runs with a value for a name.
    fn with_value<T>(&mut self, name: &str, value: ExprId, run: impl FnOnce(&mut Self) -> T) -> T {
        let mut scope = Scope::default();
        scope.names.insert(sym(name), Binding::Value(value));
        self.with_scope(scope, run)
    }

    fn with_scope<T>(&mut self, scope: Scope, run: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(scope);
        self.inside += 1;
        let result = run(self);
        self.inside -= 1;
        self.scopes.pop();
        result
    }

    /// A function that is called with every position of a collection is a loop over it:
    ///
    /// ```text
    /// ParallelizeUntil(ctx, 10, len(xs), func(i int) { f(xs[i]) })        for x in xs: f(x)
    /// ```
    pub fn for_positions(&mut self, given: &[Node<'a>], out: &mut Block) -> bool {
        let Some(f) = given.last().copied().filter(|f| kind(*f) == K::FuncLit) else { return false };
        let names: Vec<_> = f.parameters().map(|list| declared(list)).unwrap_or_default();
        let counted = given.iter().find_map(|n| self.counted_in(*n));
        let ([one], Some(of)) = (&names[..], counted) else { return false };
        let Some(name) = one.name.map(|n| self.text(n)) else { return false };
        let over = self.expr(of);
        out.append(&mut self.pending);
        let var = self.fresh();
        let element = self.local(var);
        self.at(element, of);
        let index = self.arena.field(element, sym("#index"));
        let mut scope = Scope::default();
        let local = self.fresh();
        scope.names.insert(sym(name), Binding::Local(local));
        self.positions.push(super::build::Position { over: self.text(of).to_string(), index: local, element });
        self.scopes.push(scope);
        let closure = self.func_lit_with(f, true);
        self.scopes.pop();
        self.positions.pop();
        let (name, whole) = (self.span(f), self.span(f));
        let call = self.call(name, whole, closure, Vec::new());
        let body = vec![Stmt::Let(crate::ir::Place::Name(local), index), Stmt::Do(call)];
        out.push(Stmt::For { var, over, body, whole: Vec::new() });
        true
    }

    /// `lo.ForEach(xs, func(x T, _ int) { … })` is a loop.
    pub fn for_each(&mut self, function: Node<'a>, given: &[Node<'a>], node: Node<'a>, out: &mut Block) -> bool {
        let path = self.static_path(function);
        let ([xs, f], true) = (given, path.is_some_and(|p| p.ends_with(".lo.ForEach"))) else { return false };
        let over = self.expr(*xs);
        out.append(&mut self.pending);
        let var = self.fresh();
        let element = self.local(var);
        self.at(element, *xs);
        let (mut before, call) = self.apart(|cx| cx.applied(*f, element, node));
        before.push(Stmt::Do(call));
        out.push(Stmt::For { var, over, body: before, whole: Vec::new() });
        true
    }
}

/// `aws.String`, `aws.ToString`, `ptr.To`, `pointer.StringDeref`
fn is_wrapper(name: &str) -> bool {
    let types = ["String", "Int", "Bool", "Time", "Float", "Ptr", "Deref", "Duration"];
    name == "To"
        || types.iter().any(|t| name.starts_with(t) || name.strip_prefix("To").is_some_and(|n| n.starts_with(t)))
}
