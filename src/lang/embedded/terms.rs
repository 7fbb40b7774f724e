//! Expressions of SQL.
//!
//! ```text
//! status IN ('done', 'failed') AND t < now() - interval '1 hour'
//! name LIKE 'lab-%'                       it starts with "lab-"
//! id = ANY(%s), (a, b) IN (SELECT ..)     it is one of these
//! labels ->> 'env', x::int, x AT TIME ZONE 'utc'
//! ```

use super::functions::{difference, function, span};
use super::scan::with_holes;
use super::sql::{Lower, last_name};
use super::*;
use sqlparser::ast::{self, BinaryOperator as Op, Expr as E};

/// Expressions nested deeper are not understood.
pub(super) const DEEP: u32 = 100;

impl Lower<'_> {
    pub(super) fn term(&mut self, e: &E) -> Term {
        if self.depth > DEEP {
            return Term::Opaque(vec![]);
        }
        self.depth += 1;
        let term = self.expression(e);
        self.depth -= 1;
        term
    }

    fn expression(&mut self, e: &E) -> Term {
        match e {
            E::Identifier(i) => self.identifier(i),
            E::CompoundIdentifier(parts) => self.compound(parts),
            E::Value(v) => self.value(&v.value),
            E::Nested(x) | E::Collate { expr: x, .. } | E::AtTimeZone { timestamp: x, .. } => self.term(x),
            E::Cast { expr, data_type, .. } => {
                let x = self.term(expr);
                if matches!(data_type, ast::DataType::Interval { .. }) { span(x) } else { x }
            }
            E::TypedString(t) => self.value(&t.value.value),
            E::Interval(i) => {
                let x = self.term(&i.value);
                span(x)
            }
            E::IsNull(x) => Term::Present(self.term(x).boxed()).negated(),
            E::IsNotNull(x) => Term::Present(self.term(x).boxed()),
            E::IsTrue(x) | E::IsNotFalse(x) => self.term(x),
            E::IsFalse(x) | E::IsNotTrue(x) => self.term(x).negated(),
            E::IsDistinctFrom(a, b) => Term::Same(self.term(a).boxed(), self.term(b).boxed()).negated(),
            E::IsNotDistinctFrom(a, b) => Term::Same(self.term(a).boxed(), self.term(b).boxed()),
            E::In { expr, target, negated, .. } => {
                let x = self.term(expr);
                let members = self.target(target);
                signed(Term::In(x.boxed(), Box::new(members)), *negated)
            }
            E::Between { expr, negated, low, high } => {
                let (x, low, high) = (self.term(expr), self.term(low), self.term(high));
                let above = Term::Less(low.boxed(), x.clone().boxed());
                signed(above.and(Term::Less(x.boxed(), high.boxed())), *negated)
            }
            E::Like { negated, expr, pattern, .. } | E::ILike { negated, expr, pattern, .. } => {
                let (x, pattern) = (self.term(expr), self.term(pattern));
                signed(like(x, pattern), *negated)
            }
            E::SimilarTo { negated, expr, pattern, .. } | E::RLike { negated, expr, pattern, .. } => {
                let given = vec![self.term(expr), self.term(pattern)];
                signed(Term::Call("like".into(), given), *negated)
            }
            E::AnyOp { left, compare_op, right, .. } => self.quantified(left, compare_op, right, false),
            E::AllOp { left, compare_op, right } => self.quantified(left, compare_op, right, true),
            E::UnaryOp { op, expr } => {
                let x = self.term(expr);
                match (op, x) {
                    (ast::UnaryOperator::Not, x) => x.negated(),
                    (ast::UnaryOperator::Minus, Term::Number(n)) => Term::Number(n.saturating_neg()),
                    (_, x) => x,
                }
            }
            E::BinaryOp { left, op, right } => self.binary(left, op, right),
            E::Exists { subquery, negated } => signed(Term::Exists(Rc::new(self.query(subquery))), *negated),
            E::Subquery(q) => Term::Scalar(Rc::new(self.query(q))),
            E::Function(f) => self.call(f),
            E::Extract { expr, .. } => Term::Call("extract".into(), vec![self.term(expr)]),
            E::Ceil { expr, .. } | E::Floor { expr, .. } | E::Trim { expr, .. } => self.term(expr),
            E::Convert { expr, .. } => self.term(expr),
            E::Substring { expr, .. } => Term::Call("substring".into(), vec![self.term(expr)]),
            E::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())
            }
            E::Tuple(parts) => Term::Tuple(parts.iter().map(|x| self.term(x)).collect()),
            E::Array(a) => Term::Tuple(a.elem.iter().map(|x| self.term(x)).collect()),
            E::Prefixed { value, .. } => self.term(value),
            E::JsonAccess { value, .. } => Term::Opaque(vec![self.term(value)]),
            E::CompoundFieldAccess { root, .. } => Term::Opaque(vec![self.term(root)]),
            _ => Term::Opaque(vec![]),
        }
    }

    fn identifier(&mut self, i: &ast::Ident) -> Term {
        if let Some(hole) = with_holes(&i.value, self.holes) {
            return hole;
        }
        match self.bare(&i.value) {
            Some(s) => Term::Column(s, i.value.clone()),
            // MySQL and SQLite write text so, too.
            None if i.quote_style == Some('"') => Term::Text(i.value.clone()),
            None => Term::Opaque(vec![]),
        }
    }

    fn compound(&mut self, parts: &[ast::Ident]) -> Term {
        let [.., prefix, column] = parts else { return Term::Opaque(vec![]) };
        match self.prefixed(&prefix.value) {
            Some(s) => match with_holes(&column.value, self.holes) {
                Some(hole) => Term::Opaque(vec![Term::Row(s), hole]),
                None => Term::Column(s, column.value.clone()),
            },
            None => match with_holes(&prefix.value, self.holes) {
                // `{table}.column`: the source of that name.
                Some(_) => match self.bare(&column.value) {
                    Some(s) => Term::Column(s, column.value.clone()),
                    None => Term::Opaque(vec![]),
                },
                None => Term::Opaque(vec![]),
            },
        }
    }

    fn value(&mut self, v: &ast::Value) -> Term {
        match v {
            ast::Value::Number(n, _) => match n.parse::<f64>() {
                Ok(x) => Term::Number(if x < 0.0 { x.floor() } else { x.ceil() } as i64),
                Err(_) => Term::Opaque(vec![]),
            },
            ast::Value::Boolean(b) => Term::Bool(*b),
            ast::Value::Null => Term::Null,
            ast::Value::Placeholder(_) => Term::Opaque(vec![]),
            other => {
                let text = other.clone().into_string().unwrap_or_default();
                with_holes(&text, self.holes).unwrap_or(Term::Text(text))
            }
        }
    }

    fn target(&mut self, t: &ast::InTarget) -> Members {
        match t {
            ast::InTarget::Subquery(q) => Members::Query(Rc::new(self.query(q))),
            ast::InTarget::List(values) => {
                let mut list: Vec<Term> = values.iter().map(|x| self.term(x)).collect();
                match list.as_slice() {
                    // `IN ({placeholders})`, `IN (%s)`: one value or many.
                    [Term::Hole(_) | Term::Joined(_)] => match list.pop() {
                        Some(x) => Members::Value(x.boxed()),
                        None => Members::List(list),
                    },
                    _ => Members::List(list),
                }
            }
            ast::InTarget::Unnest(expr) => {
                let x = self.term(expr);
                members(x)
            }
            ast::InTarget::Table { .. } => Members::Value(Term::Opaque(vec![]).boxed()),
        }
    }

    /// `x = ANY(y)`, `x <> ALL(y)`
    fn quantified(&mut self, left: &E, op: &Op, right: &E, all: bool) -> Term {
        let (x, y) = (self.term(left), self.term(right));
        let test = Term::In(x.clone().boxed(), Box::new(members(y.clone())));
        match op {
            Op::Eq if !all => test,
            Op::NotEq if all => test.negated(),
            _ => Term::Opaque(vec![x, y]),
        }
    }

    fn binary(&mut self, left: &E, op: &Op, right: &E) -> Term {
        if let Some(term) = self.chain(left, op, right) {
            return term;
        }
        let (x, y) = (self.term(left), self.term(right));
        let same = |x: Term, y: Term| Term::Same(x.boxed(), y.boxed());
        match op {
            Op::Eq | Op::Spaceship => equal(x, y),
            Op::NotEq => equal(x, y).negated(),
            Op::Lt | Op::LtEq => Term::Less(x.boxed(), y.boxed()),
            Op::Gt | Op::GtEq => Term::Less(y.boxed(), x.boxed()),
            Op::Plus => Term::Sum(x.boxed(), y.boxed()),
            Op::Minus => difference(x, y),
            Op::Multiply | Op::Divide => match (&x, &y) {
                (Term::Span(_), _) => Term::Span(vec![y]),
                (_, Term::Span(_)) => Term::Span(vec![x]),
                (_, Term::Number(_)) => x,
                (Term::Number(_), _) => y,
                _ => Term::Opaque(vec![x, y]),
            },
            Op::StringConcat => Term::Joined(vec![x, y]),
            Op::Arrow | Op::LongArrow => match y {
                Term::Text(key) => Term::Part(x.boxed(), key),
                y => Term::Opaque(vec![x, y]),
            },
            Op::PGStartsWith => Term::Starts(x.boxed(), y.boxed()),
            Op::PGLikeMatch | Op::PGILikeMatch => like(x, y),
            Op::PGNotLikeMatch | Op::PGNotILikeMatch => like(x, y).negated(),
            Op::PGRegexMatch | Op::PGRegexIMatch | Op::Regexp | Op::Match | Op::Glob => {
                Term::Call("like".into(), vec![x, y])
            }
            Op::PGRegexNotMatch | Op::PGRegexNotIMatch => Term::Call("like".into(), vec![x, y]).negated(),
            Op::Xor => same(x, y).negated(),
            _ => Term::Opaque(vec![x, y]),
        }
    }

    /// `a AND b AND c ..`: the tree leans to the left, however long it is.
    fn chain(&mut self, left: &E, op: &Op, right: &E) -> Option<Term> {
        if !matches!(op, Op::And | Op::Or) {
            return None;
        }
        let mut parts = vec![right];
        let mut rest = left;
        while let E::BinaryOp { left, op: inner, right } = rest
            && inner == op
        {
            parts.push(right);
            rest = left;
        }
        parts.push(rest);
        let terms = parts.into_iter().rev().map(|x| self.term(x)).collect();
        Some(if *op == Op::And { Term::And(terms) } else { Term::Or(terms) })
    }

    fn case(&mut self, operand: Option<&E>, arms: &[ast::CaseWhen], or: Option<&E>) -> Term {
        let operand = operand.map(|x| self.term(x));
        let arms = arms
            .iter()
            .map(|a| {
                let c = self.term(&a.condition);
                let c = match &operand {
                    Some(x) => Term::Same(x.clone().boxed(), c.boxed()),
                    None => c,
                };
                (c, self.term(&a.result))
            })
            .collect();
        let or = or.map_or(Term::Null, |x| self.term(x));
        Term::Case(arms, or.boxed())
    }

    pub(super) fn call(&mut self, f: &ast::Function) -> Term {
        if f.over.is_some() {
            return Term::Opaque(vec![]);
        }
        let args = match &f.args {
            ast::FunctionArguments::None => vec![],
            ast::FunctionArguments::Subquery(q) => vec![Term::Scalar(Rc::new(self.query(q)))],
            ast::FunctionArguments::List(list) => list.args.iter().map(|a| self.argument(a)).collect(),
        };
        function(&last_name(&f.name), args)
    }

    pub(super) fn argument(&mut self, a: &ast::FunctionArg) -> Term {
        let (ast::FunctionArg::Named { arg, .. }
        | ast::FunctionArg::ExprNamed { arg, .. }
        | ast::FunctionArg::Unnamed(arg)) = a;
        match arg {
            ast::FunctionArgExpr::Expr(e) => self.term(e),
            _ => Term::Opaque(vec![]),
        }
    }
}

fn signed(x: Term, negated: bool) -> Term {
    if negated { x.negated() } else { x }
}

fn members(x: Term) -> Members {
    match x {
        Term::Scalar(q) => Members::Query(q),
        Term::Tuple(list) => Members::List(list),
        x => Members::Value(x.boxed()),
    }
}

/// Equality; that nothing was counted is that there is nothing, and a query's one value is one of its values.
pub(super) fn equal(x: Term, y: Term) -> Term {
    match (x, y) {
        (Term::Scalar(q), Term::Number(0)) | (Term::Number(0), Term::Scalar(q)) if counted(&q).is_some() => {
            let rows = counted(&q).unwrap_or_else(|| (*q).clone());
            Term::Exists(Rc::new(rows)).negated()
        }
        (x, Term::Scalar(q)) | (Term::Scalar(q), x) if is_plain(&q) => Term::In(x.boxed(), Box::new(Members::Query(q))),
        (x, y) => Term::Same(x.boxed(), y.boxed()),
    }
}

/// The rows behind `SELECT count(*) FROM ..`.
fn counted(q: &Query) -> Option<Query> {
    match &q.body {
        Body::Select(s) if !s.grouped && matches!(s.give.as_slice(), [Given { term: Term::Count(_), .. }]) => {
            Some(q.clone())
        }
        _ => None,
    }
}

/// It gives values of its rows, nothing made of all of them.
fn is_plain(q: &Query) -> bool {
    matches!(&q.body, Body::Select(s)
        if !s.grouped && s.give.iter().all(|g| matches!(g.term, Term::Column(..) | Term::Hole(_))))
}

/// `x LIKE 'lab-%'`
fn like(x: Term, pattern: Term) -> Term {
    let any = |t: &str| t.contains('%');
    let prefix = match pattern {
        Term::Text(t) => match t.strip_suffix('%') {
            Some(head) if !any(head) && !head.is_empty() => Some(Term::Text(head.replace('\\', ""))),
            None if !any(&t) && !t.contains('_') => return Term::Same(x.boxed(), Term::Text(t).boxed()),
            _ => return Term::Call("like".into(), vec![x, Term::Text(t)]),
        },
        Term::Joined(mut parts) => match (parts.first(), parts.last()) {
            (Some(Term::Text(head)), _) if any(head) => None,
            (_, Some(Term::Text(tail))) if tail == "%" => {
                parts.pop();
                match parts.len() {
                    1 => parts.pop(),
                    _ => Some(Term::Joined(parts)),
                }
            }
            _ => Some(Term::Joined(parts)),
        },
        other => Some(other),
    };
    match prefix {
        Some(p) => Term::Starts(x.boxed(), p.boxed()),
        None => Term::Call("like".into(), vec![x]),
    }
}
