//! Calls. Most stay calls; those that only say in another form what an operator says become it.
//!
//! ```text
//! list(xs), sorted(xs, key=f), m.keys()     xs, xs, m
//! m.get("k"), getattr(o, "k", None)         Field(m, k), Field(o, k)
//! a.union(b), a.difference(b)               Union(a, b), Minus(a, b)
//! os.path.join(a, b), str(x)                Format(a, b), Format(x)
//! queue.Queue(), collections.deque(xs)      an empty collection, xs
//! xs.append(x), m.pop(k)                    calls: what they change is for the walk to decide
//! ```

use super::build::Cx;
use super::comp::Mode;
use super::kinds::{Child, K, first, kind, parts};
use super::literal::brace_parts;
use crate::ir::{Arg, Bin, Expr, ExprId, Lit, sym};
use tree_sitter::Node;

impl<'a> Cx<'a> {
    pub fn call_node(&mut self, node: Node) -> ExprId {
        let (Some(function), Some(arguments)) = (node.function(), node.arguments()) else { return self.hole(node) };
        let given = given(arguments);
        let simple = given.iter().all(|n| kind(*n) != K::KeywordArg && !super::expr::is_splat(*n));
        if let Some(name) = self.builtin(function)
            && let Some(value) = self.builtin_call(name, &given, simple, node)
        {
            return value;
        }
        let callee = match kind(function) {
            K::Attribute => {
                let (Some(object), Some(name)) = (function.object(), function.attribute()) else {
                    return self.hole(node);
                };
                let receiver = self.expr(object);
                let name = self.text(name);
                let class = matches!(self.builtin(object), Some("set" | "frozenset" | "dict" | "str" | "list"));
                if class && let Some(value) = self.unbound_call(name, &given) {
                    return value;
                }
                if !class && let Some(value) = self.method_call(receiver, name, &given, simple) {
                    return value;
                }
                if name == "format" && self.is_text(receiver) {
                    return self.formatted(receiver, &given);
                }
                let member = self.member(receiver, name);
                self.at(member, function)
            }
            _ => self.expr(function),
        };
        if let Some(path) = self.imported_path(callee)
            && let Some(value) = self.library_call(&path, &given, simple)
        {
            return value;
        }
        let args = self.args(&given);
        let name = function.attribute().unwrap_or(function);
        let (name, whole) = (self.span(name), self.span(node));
        self.call(name, whole, callee, args)
    }

    fn args(&mut self, given: &[Node]) -> Vec<Arg> {
        let mut args = Vec::new();
        for node in given {
            let (name, value) = match (kind(*node), node.name(), node.value()) {
                (K::KeywordArg, Some(name), Some(value)) => (Some(sym(self.text(name))), value),
                (K::ListSplat | K::ListSplatPattern, ..) => (Some(sym("*")), *node),
                (K::DictSplat, ..) => (Some(sym("**")), *node),
                _ => (None, *node),
            };
            let value = self.expr(value);
            args.push(Arg { name, value });
        }
        args
    }

    /// The builtins that are forms of the language rather than operations.
    fn builtin_call(&mut self, name: &str, given: &[Node], simple: bool, node: Node) -> Option<ExprId> {
        let head = given.first().copied().filter(|n| kind(*n) != K::KeywordArg && !super::expr::is_splat(*n));
        Some(match (name, head, given.len()) {
            ("set" | "frozenset" | "list" | "tuple" | "dict", None, 0) => self.empty(),
            ("dict", ..) => self.dict_call(given),
            ("iter", Some(_), 2) => return None,
            ("set" | "frozenset" | "list" | "tuple" | "reversed" | "iter", Some(one), 1) => self.collected(one),
            ("sorted", Some(one), _) => self.collected(one),
            ("enumerate" | "zip", Some(_), _) => return self.traversal_value(node),
            ("bool", Some(one), 1) => self.cond(one),
            ("str", None, 0) => self.arena.str(""),
            ("str" | "repr" | "ascii", Some(one), _) => {
                let value = self.expr(one);
                self.concat_one(value)
            }
            ("any" | "all", Some(one), 1) => self.quantified(one, name == "all"),
            // `sum(lists, [])`
            ("sum", Some(lists), 2) if self.text(*given.get(1)?) == "[]" => {
                let lists = self.coll(lists);
                self.flattened(lists)
            }
            ("next", Some(one), 1 | 2) if simple => return self.next_of(one, given.get(1).copied()),
            ("filter", Some(f), 2) if simple => self.filtered(f, *given.get(1)?, false, node),
            ("map", Some(f), 2..) if simple => return self.mapped(f, given.get(1..)?, node),
            ("getattr", Some(object), 2 | 3) if simple => {
                let field = self.literal(*given.get(1)?)?;
                let base = self.expr(object);
                self.member(base, field)
            }
            ("hasattr", Some(object), 2) if simple => {
                let field = self.literal(*given.get(1)?)?;
                let base = self.expr(object);
                let member = self.member(base, field);
                self.present(member)
            }
            _ => return None,
        })
    }

    /// A collection made of another: the same things.
    fn collected(&mut self, node: Node) -> ExprId {
        let node = self.unwrap_paren(node);
        match kind(node) {
            K::Generator => self.comprehension(node, Mode::Collect),
            _ => self.coll(node),
        }
    }

    fn literal(&self, node: Node) -> Option<&'a str> {
        let text = self.text(node).trim_matches(['"', '\'']);
        let name = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
        (kind(node) == K::String && name).then_some(text)
    }

    /// `dict(m, a=x, **n)`
    fn dict_call(&mut self, given: &[Node]) -> ExprId {
        let (mut items, mut fields) = (Vec::new(), Vec::new());
        for node in given {
            match (kind(*node), node.name(), node.value()) {
                (K::KeywordArg, Some(name), Some(value)) => {
                    let name = sym(self.text(name));
                    fields.push((name, self.expr(value)));
                }
                _ => items.push(self.collected(*node)),
            }
        }
        if !fields.is_empty() {
            items.push(self.keywords(fields));
        }
        self.fold(Bin::Union, items).unwrap_or_else(|| self.empty())
    }

    /// `set.union(a, *others)`
    fn unbound_call(&mut self, name: &str, given: &[Node]) -> Option<ExprId> {
        let plain = given.iter().all(|n| kind(*n) != K::KeywordArg);
        (name == "union" && plain && !given.is_empty()).then(|| self.union_of(Vec::new(), given))
    }

    /// All that these hold; `*xs` stands for all that the members of `xs` hold.
    fn union_of(&mut self, mut items: Vec<ExprId>, given: &[Node]) -> ExprId {
        for node in given {
            let coll = self.coll(*node);
            items.push(if super::expr::is_splat(*node) { self.flattened(coll) } else { coll });
        }
        self.fold(Bin::Union, items).unwrap_or_else(|| self.empty())
    }

    /// Methods of the builtin collections that only combine or pass on. A function of a module may have such a name.
    fn method_call(&mut self, receiver: ExprId, name: &str, given: &[Node], simple: bool) -> Option<ExprId> {
        match (name, given) {
            ("keys" | "values" | "items" | "copy", [])
            | ("iterkeys" | "itervalues" | "iteritems" | "viewkeys" | "viewvalues" | "viewitems", []) => {
                return Some(receiver);
            }
            _ if self.imported_path(receiver).is_some() => return None,
            ("union", _) if given.iter().all(|n| kind(*n) != K::KeywordArg) => {
                return Some(self.union_of(vec![receiver], given));
            }
            _ if !simple => return None,
            _ => {}
        }
        Some(match (name, given) {
            ("get", [key] | [key, _]) => {
                let key = self.text_literal(*key)?;
                // A path or an address is asked of a server, not of a mapping.
                if key.starts_with('/') || key.contains("://") {
                    return None;
                }
                self.arena.field(receiver, sym(&key))
            }
            ("difference", _) => {
                let mut left = receiver;
                for node in given {
                    let right = self.coll(*node);
                    left = self.arena.minus(left, right);
                }
                left
            }
            ("intersection", [other]) => {
                let other = self.coll(*other);
                self.intersection(receiver, other)
            }
            ("isdisjoint", [other]) => {
                let other = self.coll(*other);
                let both = self.intersection(receiver, other);
                self.none_of(both)
            }
            ("join", [parts]) if matches!(self.arena.get(receiver), Expr::Lit(Lit::Str(_))) => {
                let parts = self.coll(*parts);
                self.arena.join(receiver, parts)
            }
            _ => return None,
        })
    }

    fn none_of(&mut self, coll: ExprId) -> ExprId {
        match *self.arena.get(coll) {
            Expr::Gather { of, keep, .. } => {
                let some = self.arena.any(of, keep);
                self.arena.not(some)
            }
            _ => self.arena.not(coll),
        }
    }

    fn text_literal(&mut self, node: Node) -> Option<String> {
        if !matches!(kind(node), K::String | K::Concat) {
            return None;
        }
        let value = self.expr(node);
        self.arena.as_str(value).map(str::to_string)
    }

    /// `"lab-{}".format(x)`
    fn formatted(&mut self, receiver: ExprId, given: &[Node]) -> ExprId {
        let args = self.args(given);
        let splat = args.iter().any(|a| a.name.is_some_and(|n| n.starts_with('*')));
        let template = self.arena.as_str(receiver).filter(|_| !splat).and_then(brace_parts);
        let values = args.iter().filter(|a| a.name.is_none() || splat).map(|a| a.value).collect();
        let named: Vec<(String, ExprId)> =
            args.iter().filter_map(|a| Some((a.name?.to_string(), a.value))).filter(|_| !splat).collect();
        self.fill(template, receiver, values, &named)
    }

    /// Functions of the standard library that say no more than an operator or a display.
    fn library_call(&mut self, path: &str, given: &[Node], simple: bool) -> Option<ExprId> {
        Some(match (path, given) {
            ("os.path.join" | "posixpath.join" | "ntpath.join", [_, ..]) => {
                let values = self.args(given).into_iter().map(|a| a.value).collect();
                self.arena.mk(Expr::Format(values))
            }
            ("typing.cast" | "typing_extensions.cast", [_, value]) => self.expr(*value),
            ("itertools.chain", [_, ..]) => self.union_of(Vec::new(), given),
            ("itertools.chain.from_iterable", [all]) => {
                let all = self.coll(*all);
                self.flattened(all)
            }
            ("itertools.filterfalse", [f, xs]) if simple => self.filtered(*f, *xs, true, *f),
            ("six.iteritems" | "six.itervalues" | "six.iterkeys", [one]) => self.coll(*one),
            ("collections.OrderedDict", _) => self.dict_call(given),
            ("collections.deque" | "collections.Counter", [one, ..]) if kind(*one) != K::KeywordArg => self.coll(*one),
            ("collections.deque" | "collections.Counter" | "collections.defaultdict", _) => self.empty(),
            ("queue.Queue" | "queue.SimpleQueue" | "queue.LifoQueue" | "queue.PriorityQueue" | "asyncio.Queue", _) => {
                self.empty()
            }
            _ => return None,
        })
    }

    /// All that the members of a collection hold.
    fn flattened(&mut self, all: ExprId) -> ExprId {
        let always = self.arena.bool(true);
        let (outer, keep, members) = match *self.arena.get(all) {
            Expr::Gather { of, keep, give } => (of, keep, give),
            _ => {
                let of = self.arena.binder(all);
                (of, always, self.arena.mk(Expr::Elem(of)))
            }
        };
        if matches!(self.arena.get(members), Expr::Gather { .. }) {
            return all;
        }
        let inner = self.arena.binder(members);
        let give = self.arena.mk(Expr::Elem(inner));
        let each = self.arena.gather(inner, always, give);
        self.arena.gather(outer, keep, each)
    }
}

/// The arguments; a generator alone needs no parentheses of its own.
fn given(arguments: Node) -> Vec<Node> {
    if kind(arguments) == K::Generator {
        return vec![arguments];
    }
    parts(arguments)
        .into_iter()
        .map(|n| match (kind(n), first(n)) {
            // `f((*xs))`
            (K::Paren, Some(inner)) if super::expr::is_splat(inner) => inner,
            _ => n,
        })
        .collect()
}
