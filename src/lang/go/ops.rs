//! Operators and conditions.
//!
//! ```text
//! x != nil, x == ""                present(x), not x
//! len(x) == 0, len(x) > 0          not x, x
//! a > b, a != b                    b < a, not a == b
//! "a/" + b                         Format("a/", b)
//! 10 * time.Minute                 600
//! err != nil                       raised(err)
//! ```

use super::build::Cx;
use super::kinds::{Child, K, first, kind, parts};
use super::names::Ty;
use crate::ir::{Bin, Expr, ExprId, Lit};
use tree_sitter::Node;

impl<'a> Cx<'a> {
    pub fn binary(&mut self, node: Node<'a>) -> ExprId {
        let (Some(left), Some(right), Some(operator)) = (node.left(), node.right(), node.operator()) else {
            return self.hole(node);
        };
        match operator.kind() {
            "&&" | "||" => self.junction(node, operator.kind()),
            "==" => self.equality(left, right),
            "!=" => {
                let same = self.equality(left, right);
                self.arena.not(same)
            }
            "<" | "<=" => self.order(left, right, operator.kind()),
            ">" | ">=" => self.order(right, left, if operator.kind() == ">" { "<" } else { "<=" }),
            "+" => self.sum(node),
            operator => {
                let (a, b) = (self.expr(left), self.expr(right));
                self.operate(operator, a, b, node)
            }
        }
    }

    /// `a && b && c`
    fn junction(&mut self, node: Node<'a>, operator: &str) -> ExprId {
        let operands = chain(node, operator);
        let known = self.failed.len();
        let mut values = Vec::new();
        for operand in operands {
            let value = self.sole(operand);
            let certain = self.fails_where(value, operator == "&&");
            self.failed.extend(certain);
            values.push(value);
        }
        self.failed.truncate(known);
        let op = if operator == "&&" { Bin::And } else { Bin::Or };
        self.fold(op, values).unwrap_or_else(|| self.hole(node))
    }

    /// `a + b + c`: text where one of them is, else a sum.
    fn sum(&mut self, node: Node<'a>) -> ExprId {
        let mut values = Vec::new();
        let mut text = false;
        for operand in chain(node, "+") {
            text |= self.is_text_node(operand);
            let value = self.expr(operand);
            text |= self.is_text(value);
            values.push(value);
        }
        if text {
            return self.concat(&values);
        }
        if values.len() > super::build::CHAIN {
            return self.fold(Bin::Add, values).unwrap_or_else(|| self.hole(node));
        }
        let mut values = values.into_iter();
        let Some(head) = values.next() else { return self.hole(node) };
        values.fold(head, |a, b| self.operate("+", a, b, node))
    }

    fn is_text_node(&self, node: Node<'a>) -> bool {
        self.ty_of(self.unwrap_paren(node)) == Ty::Text
    }

    /// `a == b`
    fn equality(&mut self, left: Node<'a>, right: Node<'a>) -> ExprId {
        let (left, right) = (self.unwrap_paren(left), self.unwrap_paren(right));
        if is_constant(left) && !is_constant(right) {
            return self.equality(right, left);
        }
        if self.is_error(left) {
            let value = self.expr(left);
            if kind(right) == K::Nil {
                let raised = self.raised(value);
                return self.arena.not(raised);
            }
            return self.error_is(value, right, right);
        }
        if let Some(same) = self.count_is(left, right) {
            return same;
        }
        let value = self.expr(left);
        self.equal((left, value), right)
    }

    /// Whether a value is what stands to the right.
    pub fn equal(&mut self, left: (Node<'a>, ExprId), right: Node<'a>) -> ExprId {
        let (_, value) = left;
        match kind(right) {
            K::Nil => {
                let there = self.present(value);
                return self.arena.not(there);
            }
            K::True => return value,
            K::False => return self.arena.not(value),
            _ => {}
        }
        let other = self.expr(right);
        if self.arena.as_str(other) == Some("") {
            return self.arena.not(value);
        }
        if matches!(self.arena.get(other), Expr::Record(fields) if fields.iter().all(|f| f.0.starts_with('#'))) {
            let there = self.present(value);
            return self.arena.not(there);
        }
        if self.says_gone(other)
            && let Expr::Field(whose, _) = *self.arena.get(value)
        {
            return self.not_found(whose);
        }
        self.arena.binary(Bin::Eq, value, other)
    }

    /// `len(x) == 0`
    fn count_is(&mut self, left: Node<'a>, right: Node<'a>) -> Option<ExprId> {
        let of = self.counted_in(left)?;
        (self.text(right) == "0").then(|| {
            let value = self.expr(of);
            self.arena.not(value)
        })
    }

    /// What `len(x)` counts.
    pub fn counted_in(&self, node: Node<'a>) -> Option<Node<'a>> {
        let function = node.function().filter(|_| kind(node) == K::Call)?;
        node.arguments().and_then(first).filter(|_| self.builtin(function) == Some("len"))
    }

    /// `a < b`, and whether there is anything in what is counted.
    fn order(&mut self, small: Node<'a>, great: Node<'a>, operator: &str) -> ExprId {
        let (small, great) = (self.unwrap_paren(small), self.unwrap_paren(great));
        let count = |cx: &Self, of: Node<'a>, n: Node<'a>| cx.counted_in(of).zip(Some(cx.text(n)));
        match (count(self, great, small), count(self, small, great), operator) {
            (Some((of, "0")), _, "<") | (Some((of, "1")), _, "<=") => return self.expr(of),
            (_, Some((of, "1")), "<") | (_, Some((of, "0")), "<=") => {
                let value = self.expr(of);
                return self.arena.not(value);
            }
            _ => {}
        }
        let (a, b) = (self.expr(small), self.expr(great));
        self.arena.binary(Bin::Lt, a, b)
    }

    /// An operator on values.
    pub fn operate(&mut self, operator: &str, a: ExprId, b: ExprId, whole: Node<'a>) -> ExprId {
        if let Some(folded) = self.fold_numbers(operator, a, b) {
            return folded;
        }
        match operator {
            "+" if self.is_text(a) || self.is_text(b) => self.concat(&[a, b]),
            "+" => self.arena.binary(Bin::Add, a, b),
            "-" => self.arena.binary(Bin::Sub, a, b),
            "|" if self.is_truth(a) || self.is_truth(b) => self.arena.or(a, b),
            "&" if self.is_truth(a) || self.is_truth(b) => self.arena.and(a, b),
            "*" | "/" | "%" | "&" | "|" | "<<" | ">>" | "^" | "&^" if self.is_number(b) => a,
            "*" if self.is_number(a) => b,
            _ => self.op("%arith", whole, vec![a, b]),
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
            "/" if b != 0 => a.checked_div(b)?.saturating_add(i64::from(a.checked_rem(b)? != 0)),
            "%" if b != 0 => a.checked_rem(b)?,
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
    fn is_truth(&self, e: ExprId) -> bool {
        matches!(
            self.arena.get(e),
            Expr::Lit(Lit::Bool(_)) | Expr::Unary(..) | Expr::Binary(Bin::And | Bin::Or | Bin::Eq | Bin::Lt, ..)
        )
    }
    /// Visibly text.
    pub fn is_text(&self, e: ExprId) -> bool {
        matches!(self.arena.get(e), Expr::Lit(Lit::Str(_)) | Expr::Format(_))
    }
}

/// The operands of `a && b && c`, in order.
fn chain<'t>(node: Node<'t>, operator: &str) -> Vec<Node<'t>> {
    let mut operands = Vec::new();
    let mut at = node;
    while kind(at) == K::Binary && at.operator().map(|n| n.kind()) == Some(operator) && !super::kinds::broken(at) {
        operands.extend(at.right());
        match at.left() {
            Some(left) => at = left,
            None => break,
        }
    }
    operands.push(at);
    operands.reverse();
    operands
}

/// Is it written out, so that it belongs to the right?
fn is_constant(node: Node) -> bool {
    match kind(node) {
        K::Nil | K::True | K::False | K::Int | K::String | K::RawString | K::Float | K::Rune => true,
        K::Paren => parts(node).first().is_some_and(|n| is_constant(*n)),
        _ => false,
    }
}
