//! Operators: logic, comparison, arithmetic on what is no number.
//!
//! ```text
//! row is None                  not present(row)
//! k not in rows                not present(rows[k])
//! phase in ("A", "B")          phase == "A" or phase == "B"
//! len(xs) == 0                 not xs
//! a > b                        b < a
//! x or y   (as a value)        x ? x : y
//! "lab-" + name                Format("lab-", name)
//! ids - set(known)             Minus(ids, known)
//! ids & known                  [x in ids | present(known[x])]
//! ```

use super::build::{Cx, DEPTH};
use super::kinds::{Child, K, kind, parts};
use crate::ir::{Bin, Expr, ExprId, Lit, Un};
use tree_sitter::Node;

impl Cx<'_> {
    /// A condition: the value as it is, with the operators of logic.
    pub fn cond(&mut self, node: Node) -> ExprId {
        let node = self.unwrap_paren(node);
        let is_logic = matches!(kind(node), K::BoolOp | K::NotOp | K::Conditional);
        let id = match kind(node) {
            _ if is_logic => match self.deeper(|cx| cx.condition(node)) {
                Some(id) => id,
                None => return self.hole_named("too_deep", node),
            },
            K::Call => match self.length_of(node) {
                Some(of) => self.coll(of),
                None => self.expr(node),
            },
            _ => return self.expr(node),
        };
        self.at(id, node)
    }

    fn condition(&mut self, node: Node) -> ExprId {
        match (kind(node), node.argument()) {
            (K::NotOp, Some(argument)) => {
                let inner = self.cond(argument);
                self.arena.not(inner)
            }
            (K::BoolOp, _) => {
                let (operands, op) = chain(node);
                let tests = operands.into_iter().map(|n| self.cond(n)).collect();
                self.fold(op, tests).unwrap_or_else(|| self.hole(node))
            }
            (K::Conditional, _) => {
                let [yes, test, no] = parts(node)[..] else { return self.hole(node) };
                let (test, yes, no) = (self.cond(test), self.cond(yes), self.cond(no));
                self.arena.choose(test, yes, no)
            }
            _ => self.hole(node),
        }
    }

    /// Logic in the place of a value: `x or y` is the first of them that is something.
    pub fn logic(&mut self, node: Node) -> ExprId {
        match kind(node) {
            K::NotOp => self.condition(node),
            K::Comparison => self.comparison(node),
            K::Conditional => {
                let [yes, test, no] = parts(node)[..] else { return self.hole(node) };
                let (test, yes, no) = (self.cond(test), self.expr(yes), self.expr(no));
                self.arena.choose(test, yes, no)
            }
            _ => {
                let (operands, op) = chain(node);
                let values: Vec<ExprId> = operands.into_iter().map(|n| self.expr(n)).collect();
                self.first_of(op, values).unwrap_or_else(|| self.hole(node))
            }
        }
    }

    /// ```text
    /// x or y       x ? x : y        (x or y, where x is true or false and nothing else)
    /// x and y      x ? y : x
    /// ```
    fn first_of(&mut self, op: Bin, values: Vec<ExprId>) -> Option<ExprId> {
        if values.len() > DEPTH as usize {
            return self.fold(op, values);
        }
        let mut values = values.into_iter().rev();
        let last = values.next()?;
        Some(values.fold(last, |rest, value| match (op, self.is_truth(value)) {
            (Bin::Or, true) => self.arena.or(value, rest),
            (_, true) => self.arena.and(value, rest),
            (Bin::Or, false) => self.arena.choose(value, value, rest),
            (_, false) => self.arena.choose(value, rest, value),
        }))
    }

    fn is_truth(&self, e: ExprId) -> bool {
        match self.arena.get(e) {
            Expr::Unary(..) | Expr::Any(..) | Expr::Lit(Lit::Bool(_)) => true,
            Expr::Binary(op, ..) => matches!(op, Bin::And | Bin::Or | Bin::Eq | Bin::Lt),
            _ => false,
        }
    }

    /// `a < b < c` is `a < b and b < c`.
    fn comparison(&mut self, node: Node) -> ExprId {
        let mut cursor = node.walk();
        let (operands, operators): (Vec<Node>, Vec<Node>) =
            node.children(&mut cursor).filter(|n| !n.is_extra()).partition(|n| n.is_named());
        if let ([left, right], [operator]) = (&operands[..], &operators[..]) {
            return self.length_test(*left, operator.kind(), *right).unwrap_or_else(|| {
                let value = self.expr(*left);
                self.compare(operator.kind(), value, *right).0
            });
        }
        let Some((head, rest)) = operands.split_first() else { return self.hole(node) };
        let mut left = self.expr(*head);
        let mut tests = Vec::new();
        for (operator, right) in operators.iter().zip(rest) {
            let (test, value) = self.compare(operator.kind(), left, *right);
            tests.push(test);
            left = value;
        }
        self.fold(Bin::And, tests).unwrap_or_else(|| self.hole(node))
    }

    /// One comparison, and the value of its right side.
    fn compare(&mut self, operator: &str, left: ExprId, right: Node) -> (ExprId, ExprId) {
        if matches!(operator, "in" | "not in") {
            let (test, of) = self.membership(left, right);
            return (if operator == "in" { test } else { self.arena.not(test) }, of);
        }
        let value = self.expr(right);
        let test = match operator {
            "<" | "<=" => self.arena.binary(Bin::Lt, left, value),
            ">" | ">=" => self.arena.binary(Bin::Lt, value, left),
            "==" | "is" => self.equal(left, value),
            _ => {
                let equal = self.equal(left, value);
                self.arena.not(equal)
            }
        };
        (test, value)
    }

    /// ```text
    /// x == None      not present(x)
    /// x == []        not x
    /// ```
    pub fn equal(&mut self, a: ExprId, b: ExprId) -> ExprId {
        for (x, constant) in [(a, b), (b, a)] {
            match self.arena.get(constant) {
                Expr::Lit(Lit::Nothing) => {
                    let present = self.present(x);
                    return self.arena.not(present);
                }
                Expr::Lit(Lit::Empty) => return self.arena.not(x),
                _ => {}
            }
        }
        self.eq(a, b)
    }

    /// `k in m` asks what `m` knows about `k`; in a display of constants it is one of several equalities.
    fn membership(&mut self, key: ExprId, of: Node) -> (ExprId, ExprId) {
        let of = self.unwrap_paren(of);
        let display = matches!(kind(of), K::Tuple | K::List | K::Set);
        let coll = self.coll(of);
        if display && let Some(values) = self.constants(of) {
            let tests = values.into_iter().map(|v| self.equal(key, v)).collect();
            let test = self.fold(Bin::Or, tests).unwrap_or_else(|| self.arena.bool(false));
            return (test, coll);
        }
        let found = self.lookup(coll, key);
        (self.present(found), coll)
    }

    /// The members of a display, where all are constants: literals and globals.
    fn constants(&mut self, display: Node) -> Option<Vec<ExprId>> {
        let members = parts(display);
        if members.len() > DEPTH as usize || members.iter().any(|n| super::expr::is_splat(*n)) {
            return None;
        }
        let values: Vec<ExprId> = members.into_iter().map(|n| self.expr(n)).collect();
        let constant = |e: &ExprId| self.path_of(*e).is_some() || matches!(self.arena.get(*e), Expr::Lit(_));
        values.iter().all(constant).then_some(values)
    }

    /// `x` of `len(x)` and of `bool(x)` where it is a condition.
    fn length_of<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let function = node.function()?;
        let [one] = parts(node.arguments()?)[..] else { return None };
        let plain = !matches!(kind(one), K::KeywordArg) && !super::expr::is_splat(one);
        (plain && kind(node) == K::Call && self.builtin(function) == Some("len")).then_some(one)
    }

    /// ```text
    /// len(x) == 0, len(x) < 1      not x
    /// len(x) > 0, len(x) >= 1      x
    /// ```
    fn length_test(&mut self, left: Node, operator: &str, right: Node) -> Option<ExprId> {
        let (of, operator, number) = match (self.length_of(left), self.length_of(right)) {
            (Some(of), None) => (of, operator, right),
            (None, Some(of)) => (of, mirrored(operator), left),
            _ => return None,
        };
        let empty = match (operator, self.text(number)) {
            ("==" | "<=" | "is", "0") | ("<", "1") => true,
            (">" | "!=" | "is not", "0") | (">=", "1") => false,
            _ => return None,
        };
        let of = self.coll(of);
        Some(if empty { self.arena.not(of) } else { of })
    }

    /// `a + b * c`. A chain is followed to the left without recursion: `a + b + c + …` is written by programs too.
    pub fn binary(&mut self, node: Node) -> ExprId {
        let mut spine = Vec::new();
        let mut at = node;
        while kind(at) == K::Binary {
            spine.push(at);
            match at.left() {
                Some(left) => at = left,
                None => return self.hole(node),
            }
        }
        let deep = spine.len() > DEPTH as usize;
        let mut value = self.expr(at);
        let mut operands = vec![value];
        for step in spine.into_iter().rev() {
            let (Some(operator), Some(right)) = (step.operator(), step.right()) else { return self.hole(node) };
            if deep {
                operands.push(self.expr(right));
                continue;
            }
            value = self.operate(operator.kind(), (value, at), right, step);
            value = self.at(value, step);
            at = step;
        }
        if !deep {
            return value;
        }
        let text = operands.iter().any(|e| self.is_text(*e));
        if text { self.arena.mk(Expr::Format(operands)) } else { self.op("%arith", node, operands) }
    }

    /// One operator. `left` is its value, with the node it came from.
    pub fn operate(&mut self, operator: &str, left: (ExprId, Node), right: Node, whole: Node) -> ExprId {
        let (a, left) = left;
        if operator == "%" && self.is_text(a) {
            return self.percent(left, a, right);
        }
        let b = if self.is_collection(a) { self.coll(right) } else { self.expr(right) };
        if let Some(folded) = self.fold_numbers(operator, a, b) {
            return folded;
        }
        match operator {
            "+" if self.is_text(a) || self.is_text(b) => self.concat(&[a, b]),
            "+" if self.is_collection(a) || self.is_collection(b) => self.arena.union(a, b),
            "+" => self.arena.binary(Bin::Add, a, b),
            "-" if self.is_set(left) || self.is_set(right) || self.is_collection(a) => self.arena.minus(a, b),
            "-" => self.arena.binary(Bin::Sub, a, b),
            "|" if self.is_truth(a) || self.is_truth(b) => self.arena.or(a, b),
            "&" if self.is_truth(a) || self.is_truth(b) => self.arena.and(a, b),
            "|" => self.arena.union(a, b),
            "&" if !self.is_number(b) => self.intersection(a, b),
            "*" | "/" | "//" | "%" | "**" | "&" | "<<" | ">>" if self.is_number(b) => a,
            "*" if self.is_number(a) => b,
            "/" if !self.is_number(a) => self.path_below(a, b),
            _ => self.op("%arith", whole, vec![a, b]),
        }
    }

    /// `base / "sub" / name`: text of its parts.
    fn path_below(&mut self, base: ExprId, name: ExprId) -> ExprId {
        let mut parts = match self.arena.get(base) {
            Expr::Format(parts) => parts.clone(),
            _ => vec![base],
        };
        parts.push(name);
        self.arena.mk(Expr::Format(parts))
    }

    /// `a & b`, `a.intersection(b)`: the members of the one that the other knows.
    pub fn intersection(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let of = self.arena.binder(a);
        let element = self.arena.mk(Expr::Elem(of));
        let found = self.lookup(b, element);
        let keep = self.present(found);
        self.arena.gather(of, keep, element)
    }

    pub fn unary(&mut self, node: Node) -> ExprId {
        let (Some(operator), Some(argument)) = (node.operator(), node.argument()) else { return self.hole(node) };
        let value = self.expr(argument);
        match (operator.kind(), self.arena.get(value)) {
            ("-", Expr::Lit(Lit::Num(n))) => {
                let n = n.saturating_neg();
                self.lit(Lit::Num(n))
            }
            ("-", _) => {
                let zero = self.lit(Lit::Num(0));
                self.arena.binary(Bin::Sub, zero, value)
            }
            ("~", Expr::Lit(Lit::Num(n))) => {
                let n = !n;
                self.lit(Lit::Num(n))
            }
            // Of a number it is a mask; of all else, a condition of a query or the rows of a table, it is `not`.
            ("~", _) => self.arena.unary(Un::Not, value),
            _ => value,
        }
    }

    fn fold_numbers(&mut self, operator: &str, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (Expr::Lit(Lit::Num(a)), Expr::Lit(Lit::Num(b))) = (self.arena.get(a), self.arena.get(b)) else {
            return None;
        };
        let (a, b) = (*a, *b);
        let n = match operator {
            "+" => a.saturating_add(b),
            "-" => a.saturating_sub(b),
            "*" => a.saturating_mul(b),
            "/" | "//" if b != 0 => a.checked_div(b)?.saturating_add(i64::from(a % b != 0)),
            "%" if b != 0 => a.checked_rem(b)?,
            "**" => a.saturating_pow(u32::try_from(b).ok()?),
            "|" => a | b,
            "&" => a & b,
            "^" => a ^ b,
            "<<" => a.checked_shl(u32::try_from(b).ok()?)?,
            ">>" => a.checked_shr(u32::try_from(b).ok()?)?,
            _ => return None,
        };
        Some(self.lit(Lit::Num(n)))
    }

    fn is_number(&self, e: ExprId) -> bool {
        matches!(self.arena.get(e), Expr::Lit(Lit::Num(_)))
    }
    /// Visibly text.
    pub fn is_text(&self, e: ExprId) -> bool {
        matches!(self.arena.get(e), Expr::Lit(Lit::Str(_)) | Expr::Format(_))
    }
    /// Visibly a collection.
    pub fn is_collection(&self, e: ExprId) -> bool {
        matches!(
            self.arena.get(e),
            Expr::Lit(Lit::Empty)
                | Expr::One(_)
                | Expr::Gather { .. }
                | Expr::Binary(Bin::Union, ..)
                | Expr::Binary(Bin::Minus, ..)
        )
    }

    /// Visibly a set, by how it is written.
    fn is_set(&self, node: Node) -> bool {
        let node = self.unwrap_paren(node);
        let Some(function) = node.function() else {
            return matches!(kind(node), K::Set | K::SetComp | K::ListComp | K::List);
        };
        if kind(function) == K::Attribute {
            let name = function.attribute().map(|n| self.text(n)).unwrap_or_default();
            return matches!(name, "union" | "intersection" | "difference" | "symmetric_difference" | "keys");
        }
        matches!(self.builtin(function), Some("set" | "frozenset"))
    }
}

/// The operands of `a or b or c`, in order.
fn chain(node: Node) -> (Vec<Node>, Bin) {
    let operator = node.operator().map(|n| n.kind());
    let mut operands = Vec::new();
    let mut at = node;
    while kind(at) == K::BoolOp && at.operator().map(|n| n.kind()) == operator {
        operands.extend(at.right());
        match at.left() {
            Some(left) => at = left,
            None => break,
        }
    }
    operands.push(at);
    operands.reverse();
    (operands, if operator == Some("or") { Bin::Or } else { Bin::And })
}

fn mirrored(operator: &str) -> &str {
    match operator {
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        same => same,
    }
}
