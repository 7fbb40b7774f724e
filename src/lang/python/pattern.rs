//! `match`: a chain of `if`s. A pattern is a condition on the value, and names for parts of it.
//!
//! ```text
//! match pod.status:                       if pod.status.phase == "Failed": A
//!     case Status(phase="Failed"): A      else: if (x := pod.status).0 …
//!     case [x, *rest] if x.ok: B
//!     case _: C                           else: C
//! ```

use super::build::{Cx, DEPTH};
use super::kinds::{Child, K, first, has_token, kind, parts};
use crate::ir::{Arg, Bin, Block, Expr, ExprId, Lit, Place, Stmt, Sym, sym};
use tree_sitter::Node;

/// What a pattern asks and gives.
struct Matched {
    when: ExprId,
    names: Vec<(Sym, ExprId)>,
}

impl Cx<'_> {
    pub fn match_(&mut self, node: Node, out: &mut Block) {
        let Some(body) = node.body() else { return };
        let mut cursor = node.walk();
        let subjects: Vec<Node> = node.children_by_field_name("subject", &mut cursor).collect();
        let values: Vec<ExprId> = subjects.iter().map(|n| self.expr(*n)).collect();
        let value = match values[..] {
            [one] => one,
            _ => {
                let fields = values.into_iter().enumerate().map(|(i, v)| (sym(&i.to_string()), v)).collect();
                self.arena.mk(Expr::Record(fields))
            }
        };
        let value = self.subject(value, body);
        out.append(&mut self.pending);
        let mut arms = Vec::new();
        for case in parts(body).into_iter().filter(|n| kind(*n) == K::CaseClause) {
            if arms.len() as u32 >= DEPTH {
                self.hole_named("too_deep", case);
                break;
            }
            arms.push(self.case(case, value));
        }
        let mut last: Block = Vec::new();
        for (mut before, when, then) in arms.into_iter().rev() {
            match self.arena.as_bool(when) {
                Some(true) => before.extend(then),
                _ => before.push(Stmt::If(when, then, last)),
            }
            last = before;
        }
        out.append(&mut last);
    }

    /// The value all patterns ask about; under a name of its own where it is a call, or speaks of a name that a pattern
    /// sets: `match x: case [x, y]`.
    fn subject(&mut self, value: ExprId, body: Node) -> ExprId {
        let set = self.bindings(body).names;
        let set: Vec<ExprId> = set.iter().filter_map(|n| self.local(*n)).collect();
        if !self.arena.mentions(value, &mut |e| set.contains(&e)) {
            return self.once(value);
        }
        let temp = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(temp), value));
        self.arena.mk(Expr::Name(temp))
    }

    fn local(&mut self, name: Sym) -> Option<ExprId> {
        match self.place_of_name(&name) {
            Place::Name(local) => Some(self.arena.mk(Expr::Name(local))),
            _ => None,
        }
    }

    /// One case: what stands before its condition, the condition, and the body. A guard speaks of the names, so they
    /// are set before it is asked.
    fn case(&mut self, node: Node, value: ExprId) -> (Block, ExprId, Block) {
        self.stmt = self.header(node);
        let patterns: Vec<Node> =
            parts(node).into_iter().filter(|n| !matches!(kind(*n), K::Block | K::IfClause)).collect();
        let matched = match patterns[..] {
            [one] => self.pattern(one, value),
            [first, ..] => self.sequence(&patterns, value, first),
            [] => self.unknown_pattern(node),
        };
        let mut lets: Block = Vec::new();
        for (name, part) in matched.names {
            let place = self.place_of_name(&name);
            lets.push(Stmt::Let(place, part));
        }
        let Some(guard) = node.guard() else {
            let body = node.consequence().map(|b| self.block(b)).unwrap_or_default();
            lets.extend(body);
            return (Vec::new(), matched.when, lets);
        };
        let (mut before, test) = self.apart(|cx| match first(guard) {
            Some(test) => cx.cond(test),
            None => cx.hole(guard),
        });
        lets.append(&mut before);
        let when = self.arena.and(matched.when, test);
        let body = node.consequence().map(|b| self.block(b)).unwrap_or_default();
        (lets, when, body)
    }

    fn pattern(&mut self, node: Node, value: ExprId) -> Matched {
        self.at(value, node);
        self.deeper(|cx| cx.pattern_at(node, value)).unwrap_or_else(|| {
            let when = self.hole_named("too_deep", node);
            Matched { when, names: Vec::new() }
        })
    }

    fn pattern_at(&mut self, node: Node, value: ExprId) -> Matched {
        let children = parts(node);
        match kind(node) {
            K::CasePattern => match children[..] {
                [] => self.irrefutable(),
                [one] => self.pattern(one, value),
                _ => self.unknown_pattern(node),
            },
            K::DottedName => {
                let word = self.text(node);
                if word.contains('.') {
                    let constant = self.dotted(word);
                    return self.is_equal(value, constant);
                }
                Matched { when: self.arena.bool(true), names: vec![(sym(word), value)] }
            }
            K::AsPattern => {
                let (Some(inner), Some(name)) = (children.first(), children.last()) else {
                    return self.unknown_pattern(node);
                };
                let mut matched = self.pattern(*inner, value);
                matched.names.push((sym(self.text(*name)), value));
                matched
            }
            K::UnionPattern => self.alternatives(&children, value),
            // `(p)` is `p`.
            K::TuplePattern => match children[..] {
                [one] if !has_token(node, ",") => self.pattern(one, value),
                _ => self.sequence(&children, value, node),
            },
            K::ListPattern | K::List | K::Tuple => self.sequence(&children, value, node),
            K::DictPattern => self.mapping_pattern(&children, value),
            K::ClassPattern => self.class_pattern(node, &children, value),
            K::KeywordPattern => match children[..] {
                [name, inner] => {
                    let part = self.arena.field(value, sym(self.text(name)));
                    self.pattern(inner, part)
                }
                // `Pod(name=_)`
                [_] => self.irrefutable(),
                _ => self.unknown_pattern(node),
            },
            K::SplatPattern => Matched {
                when: self.arena.bool(true),
                names: children.first().map(|n| (sym(self.text(*n)), value)).into_iter().collect(),
            },
            K::String | K::Concat | K::True | K::False | K::None | K::Integer | K::Float | K::ComplexPattern => {
                let constant = self.constant(node);
                self.is_equal(value, constant)
            }
            _ => self.unknown_pattern(node),
        }
    }

    fn irrefutable(&mut self) -> Matched {
        Matched { when: self.arena.bool(true), names: Vec::new() }
    }
    fn unknown_pattern(&mut self, node: Node) -> Matched {
        Matched { when: self.hole(node), names: Vec::new() }
    }
    fn is_equal(&mut self, value: ExprId, constant: ExprId) -> Matched {
        Matched { when: self.equal(value, constant), names: Vec::new() }
    }

    /// A constant in a pattern. The sign of a number is a token in front of it; `1 + 2j` is a number of no interest.
    fn constant(&mut self, node: Node) -> ExprId {
        match kind(node) {
            K::DottedName => self.dotted(self.text(node)),
            K::ComplexPattern => self.opaque(node),
            _ => {
                let value = self.expr(node);
                let negative = node.prev_sibling().is_some_and(|n| n.kind() == "-");
                match *self.arena.get(value) {
                    Expr::Lit(Lit::Num(n)) if negative => self.lit(Lit::Num(n.saturating_neg())),
                    _ => value,
                }
            }
        }
    }

    /// `Color.RED`
    fn dotted(&mut self, text: &str) -> ExprId {
        let mut names = text.split('.').map(str::trim);
        let head = names.next().unwrap_or_default();
        let mut value = self.named(head);
        for name in names {
            value = self.member(value, name);
        }
        value
    }

    /// `case A(x) | B(x)`: a name is the part of the alternative that holds.
    fn alternatives(&mut self, children: &[Node], value: ExprId) -> Matched {
        let mut alternatives = Vec::new();
        for child in children {
            alternatives.push(self.pattern(*child, value));
        }
        let tests = alternatives.iter().map(|m| m.when).collect();
        let when = self.fold(Bin::Or, tests).unwrap_or_else(|| self.arena.bool(true));
        let mut alternatives = alternatives.into_iter().rev();
        let mut names = alternatives.next().map(|m| m.names).unwrap_or_default();
        for other in alternatives {
            for (name, part) in other.names {
                match names.iter_mut().find(|n| n.0 == name) {
                    Some(known) => known.1 = self.arena.choose(other.when, part, known.1),
                    None => names.push((name, part)),
                }
            }
        }
        Matched { when, names }
    }

    /// `[a, b, *rest]`: as many as it names, and each as its pattern says.
    fn sequence(&mut self, children: &[Node], value: ExprId, node: Node) -> Matched {
        let star = children.iter().position(|n| is_splat(*n));
        let mut matched = self.irrefutable();
        matched.when = self.length(value, children.len() - usize::from(star.is_some()), star.is_some(), node);
        for (i, child) in children.iter().enumerate() {
            let part = match star {
                Some(star) if i == star => self.op("%slice", *child, vec![value]),
                Some(star) if i > star => self.arena.field(value, sym(&format!("-{}", children.len() - i))),
                _ => self.arena.field(value, sym(&i.to_string())),
            };
            let inner = self.pattern(*child, part);
            matched.when = self.arena.and(matched.when, inner.when);
            matched.names.extend(inner.names);
        }
        matched
    }

    /// ```text
    /// case []:        not v
    /// case [a, b]:    len(v) == 2      (nothing to ask of a tuple that is written out)
    /// case [a, *b]:   v                (at least one)
    /// case [*a]:      true
    /// ```
    fn length(&mut self, value: ExprId, count: usize, open: bool, node: Node) -> ExprId {
        if let Expr::Record(fields) = self.arena.get(value) {
            let fits = if open { fields.len() >= count } else { fields.len() == count };
            return self.arena.bool(fits);
        }
        match (count, open) {
            (0, true) => self.arena.bool(true),
            (0, false) => self.arena.not(value),
            (1, true) => value,
            _ => {
                let length = self.op("len", node, vec![value]);
                let number = self.lit(Lit::Num(i64::try_from(count).unwrap_or(i64::MAX)));
                let op = if open { Bin::Lt } else { Bin::Eq };
                let (a, b) = if open { (number, length) } else { (length, number) };
                self.arena.binary(op, a, b)
            }
        }
    }

    /// `{"kind": k, **rest}`: the keys are there, and each value as its pattern says.
    fn mapping_pattern(&mut self, children: &[Node], value: ExprId) -> Matched {
        let mut matched = self.irrefutable();
        let mut children = children.iter();
        while let Some(key) = children.next() {
            if is_splat(*key) {
                let rest = self.pattern(*key, value);
                matched.names.extend(rest.names);
                continue;
            }
            let Some(pattern) = children.next() else { break };
            let part = self.entry(*key, value);
            let (there, inner) = (self.present(part), self.pattern(*pattern, part));
            matched.when = self.arena.and(matched.when, there);
            matched.when = self.arena.and(matched.when, inner.when);
            matched.names.extend(inner.names);
        }
        matched
    }

    fn entry(&mut self, key: Node, value: ExprId) -> ExprId {
        let key = if kind(key) == K::CasePattern { first(key).unwrap_or(key) } else { key };
        let key = self.constant(key);
        match *self.arena.get(key) {
            Expr::Lit(Lit::Str(name)) => self.arena.field(value, name),
            Expr::Lit(Lit::Num(n)) => self.arena.field(value, sym(&n.to_string())),
            _ => self.lookup(value, key),
        }
    }

    /// `Pod(name, phase="Failed")`: it is one, and each field as its pattern says. The one position of a builtin class
    /// is the value itself.
    fn class_pattern(&mut self, node: Node, children: &[Node], value: ExprId) -> Matched {
        let Some((class, fields)) = children.split_first() else { return self.unknown_pattern(node) };
        let name = self.text(*class);
        let builtin = matches!(
            name,
            "bool" | "bytearray" | "bytes" | "dict" | "float" | "frozenset" | "int" | "list" | "set" | "str" | "tuple"
        );
        let class_value = self.dotted(name);
        let (callee, span) = (self.path("isinstance"), self.span(*class));
        let args = [value, class_value].map(|value| Arg { name: None, value }).into();
        let whole = self.span(node);
        let mut matched = Matched { when: self.call(span, whole, callee, args), names: Vec::new() };
        for (i, field) in fields.iter().enumerate() {
            let inner = if kind(*field) == K::CasePattern { first(*field).unwrap_or(*field) } else { *field };
            let part = match kind(inner) {
                K::KeywordPattern => value,
                _ if builtin => value,
                _ => self.arena.field(value, sym(&i.to_string())),
            };
            let inner = self.pattern(*field, part);
            matched.when = self.arena.and(matched.when, inner.when);
            matched.names.extend(inner.names);
        }
        matched
    }
}

fn is_splat(node: Node) -> bool {
    match kind(node) {
        K::SplatPattern => true,
        K::CasePattern => first(node).is_some_and(is_splat),
        _ => false,
    }
}
