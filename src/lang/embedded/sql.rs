//! SQL statements, by sqlparser.
//!
//! A text is tried in the dialects in turn, the stricter first. What follows here turns its tree into the neutral
//! description: names into numbered sources, joins into conditions, `WITH` into the queries it names.
//!
//! ```text
//! WITH u AS (SELECT id FROM f EXCEPT SELECT f_id FROM m)      takes out f #0 for which a row of
//! DELETE FROM f USING u WHERE f.id = u.id                       (f #1 without m #2) has #3.id = #0.id
//! ```

use super::scan::{Mode, Scanned, scan, with_holes};
use super::terms::DEEP;
use super::*;
use sqlparser::ast;
use sqlparser::dialect::{Dialect, GenericDialect, MsSqlDialect, MySqlDialect, PostgreSqlDialect};
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, Tokenizer};

/// Words that start a statement that reads or changes something.
const ACTS: &[&str] = &[
    "SELECT", "DELETE", "UPDATE", "INSERT", "WITH", "TRUNCATE", "DROP", "MERGE", "REPLACE", "CALL", "KILL", "VALUES",
    "PERFORM", "EXPLAIN",
];

/// Words that start one that may stand beside it.
const BESIDE: &[&str] =
    &["BEGIN", "START", "SET", "CREATE", "ALTER", "PRAGMA", "LOCK", "ANALYZE", "VACUUM", "DECLARE", "GRANT", "USE"];

/// More tokens than this are generated text, and their tree may be too deep.
const TOKENS: usize = 4_000;

pub(super) fn starts(first: &str) -> bool {
    ACTS.contains(&first) || BESIDE.contains(&first)
}

pub(super) fn read(pieces: &[Piece]) -> Option<Reading> {
    let scanned = scan(pieces, Mode { cypher: false, drop_loose: false });
    if let Some(found) = parse(&scanned) {
        return Some(found);
    }
    if scanned.loose
        && let Some(found) = parse(&scan(pieces, Mode { cypher: false, drop_loose: true }))
    {
        return Some(found);
    }
    named(&scanned)
}

fn parse(scanned: &Scanned) -> Option<Reading> {
    let dialects: [&dyn Dialect; 4] = [&PostgreSqlDialect {}, &GenericDialect {}, &MySqlDialect {}, &MsSqlDialect {}];
    for dialect in dialects {
        let Ok(tokens) = Tokenizer::new(dialect, &scanned.text).tokenize() else { continue };
        let words = tokens.iter().filter(|t| !matches!(t, Token::Whitespace(_))).count();
        if words > TOKENS || is_deep(&tokens) {
            return None;
        }
        let Some(parsed) = statements(dialect, tokens) else { continue };
        let mut lower = Lower::new(&scanned.holes);
        for statement in &parsed {
            lower.statement(statement);
        }
        return Reading::new(lower.out, &scanned.holes);
    }
    None
}

/// The statements between semicolons. Those that declare or configure something need not be understood; `None` where
/// another is not, or none is.
fn statements(dialect: &dyn Dialect, tokens: Vec<Token>) -> Option<Vec<ast::Statement>> {
    let mut out = vec![];
    for part in tokens.split(|t| *t == Token::SemiColon) {
        let first = part.iter().find(|t| !matches!(t, Token::Whitespace(_)));
        let changes = match first {
            None => continue,
            Some(Token::Word(w)) => ACTS.contains(&w.value.to_ascii_uppercase().as_str()),
            Some(_) => true,
        };
        match Parser::new(dialect).with_tokens(part.to_vec()).parse_statements() {
            Ok(parsed) => out.extend(parsed),
            Err(_) if changes => return None,
            Err(_) => {}
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Nested parentheses beyond any statement written by hand.
fn is_deep(tokens: &[Token]) -> bool {
    let mut depth = 0i32;
    tokens.iter().any(|t| {
        match t {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth -= 1,
            _ => {}
        }
        depth > 40
    })
}

/// `DROP <kind> [IF EXISTS] <value>`, `KILL <value>` of kinds that the parser does not know.
fn named(scanned: &Scanned) -> Option<Reading> {
    let mut words = scanned.text.split(|c: char| c.is_whitespace() || c == ';').filter(|w| !w.is_empty());
    let verb = words.next()?;
    if !["DROP", "KILL"].iter().any(|v| verb.eq_ignore_ascii_case(v)) {
        return None;
    }
    let what = words.find_map(|w| with_holes(w.trim_matches(['"', '`', '\'']), &scanned.holes))?;
    Reading::new(vec![Statement::Drop(vec![what])], &scanned.holes)
}

/// A name that a part of a statement can be called by.
struct Known {
    alias: String,
    id: SourceId,
    /// The columns it gives, where that is known.
    columns: Option<Vec<String>>,
}

/// What a name of a `WITH` stands for.
enum Common {
    Query(Rc<Query>),
    Gone(Term),
}

pub(super) struct Lower<'h> {
    pub(super) holes: &'h [Hole],
    out: Vec<Statement>,
    common: Vec<(String, Common)>,
    scopes: Vec<Vec<Known>>,
    sources: u32,
    pub(super) depth: u32,
}

impl<'h> Lower<'h> {
    fn new(holes: &'h [Hole]) -> Self {
        Lower { holes, out: vec![], common: vec![], scopes: vec![], sources: 0, depth: 0 }
    }

    fn statement(&mut self, s: &ast::Statement) {
        match s {
            ast::Statement::Query(q) => {
                let from = self.out.len();
                let q = self.query(q);
                // `WITH x AS (..) DELETE ..`: what was found on the way is the statement.
                if self.out.len() == from || q.body != Body::Values(vec![]) {
                    self.out.push(Statement::Query(q));
                }
            }
            ast::Statement::Delete(d) => self.delete(d),
            ast::Statement::Update(u) => self.update(u),
            ast::Statement::Insert(i) => self.insert(i),
            ast::Statement::Merge(m) => self.merge(m),
            ast::Statement::Truncate(t) => {
                let names = t.table_names.iter().map(|n| self.table_name(&n.name)).collect();
                self.out.push(Statement::Drop(names));
            }
            ast::Statement::Drop { names, temporary: false, .. } => {
                let names = names.iter().map(|n| self.table_name(n)).collect();
                self.out.push(Statement::Drop(names));
            }
            ast::Statement::Call(f) => {
                let term = self.call(f);
                self.out.push(Statement::Query(alone(term)));
            }
            ast::Statement::Explain { statement, analyze: true, .. } => self.statement(statement),
            _ => {}
        }
    }

    pub(super) fn query(&mut self, q: &ast::Query) -> Query {
        let names = self.common.len();
        for cte in q.with.iter().flat_map(|w| &w.cte_tables) {
            self.common_table(cte);
        }
        let body = self.set(&q.body);
        let (mut limit, mut offset) = match &q.limit_clause {
            Some(ast::LimitClause::LimitOffset { limit, offset, .. }) => {
                (limit.as_ref().map(|l| self.term(l)), offset.as_ref().map(|o| self.term(&o.value)))
            }
            Some(ast::LimitClause::OffsetCommaLimit { offset, limit }) => {
                (Some(self.term(limit)), Some(self.term(offset)))
            }
            None => (None, None),
        };
        if let Some(n) = q.fetch.as_ref().and_then(|f| f.quantity.as_ref()) {
            limit = Some(self.term(n));
        }
        if let ast::SetExpr::Select(s) = &*q.body
            && let Some(top) = &s.top
        {
            limit = Some(match &top.quantity {
                Some(ast::TopQuantity::Constant(n)) => Term::Number(*n as i64),
                Some(ast::TopQuantity::Expr(e)) => self.term(e),
                None => Term::Opaque(vec![]),
            });
        }
        offset = offset.filter(|o| *o != Term::Number(0));
        self.common.truncate(names);
        Query { body, limit, offset }
    }

    fn common_table(&mut self, cte: &ast::Cte) {
        let name = cte.alias.name.value.clone();
        let changed = match &*cte.query.body {
            ast::SetExpr::Delete(s) => Some((s, true)),
            ast::SetExpr::Update(s) | ast::SetExpr::Insert(s) | ast::SetExpr::Merge(s) => Some((s, false)),
            _ => None,
        };
        let Some((statement, gone)) = changed else {
            let q = self.query(&cte.query);
            self.common.push((name, Common::Query(Rc::new(q))));
            return;
        };
        let from = self.out.len();
        self.statement(statement);
        let table = self.out.get(from..).unwrap_or_default().iter().find_map(|s| match s {
            Statement::Delete(c, _) | Statement::Update(c, _) => table_of(c),
            Statement::Insert(t, ..) => Some(t.clone()),
            _ => None,
        });
        let table = table.unwrap_or(Term::Opaque(vec![]));
        let common = match gone {
            true => Common::Gone(table),
            false => {
                let (source, _) = self.source(Relation::Table(table));
                Common::Query(Rc::new(Query::plain(Body::Select(Select {
                    give: vec![Given { name: None, term: Term::Row(source.id) }],
                    sources: vec![source],
                    keep: Term::Bool(true),
                    grouped: false,
                }))))
            }
        };
        self.common.push((name, common));
    }

    fn set(&mut self, s: &ast::SetExpr) -> Body {
        if self.depth > DEEP {
            return Body::Values(vec![]);
        }
        self.depth += 1;
        let body = self.set_expression(s);
        self.depth -= 1;
        body
    }

    fn set_expression(&mut self, s: &ast::SetExpr) -> Body {
        match s {
            ast::SetExpr::Select(s) => Body::Select(self.select(s)),
            ast::SetExpr::Query(q) => Body::Nested(Rc::new(self.query(q))),
            ast::SetExpr::SetOperation { left, op, right, .. } => {
                let (l, r) = (Box::new(self.set(left)), Box::new(self.set(right)));
                match op {
                    ast::SetOperator::Union => Body::Union(l, r),
                    ast::SetOperator::Except | ast::SetOperator::Minus => Body::Except(l, r),
                    ast::SetOperator::Intersect => Body::Intersect(l, r),
                }
            }
            ast::SetExpr::Values(v) => {
                Body::Values(v.rows.iter().map(|r| r.content.iter().map(|e| self.term(e)).collect()).collect())
            }
            ast::SetExpr::Delete(s) | ast::SetExpr::Update(s) | ast::SetExpr::Insert(s) | ast::SetExpr::Merge(s) => {
                self.statement(s);
                Body::Values(vec![])
            }
            ast::SetExpr::Table(_) => Body::Values(vec![]),
        }
    }

    fn select(&mut self, s: &ast::Select) -> Select {
        self.scopes.push(vec![]);
        let (sources, joined) = self.sources(&s.from);
        let mut keep = joined;
        for e in s.prewhere.iter().chain(&s.selection).chain(&s.qualify) {
            keep = keep.and(self.term(e));
        }
        let give = s.projection.iter().flat_map(|i| self.item(i)).collect();
        if let Some(h) = &s.having {
            let h = self.term(h);
            keep = keep.and(having(h, &sources));
        }
        let grouped = match &s.group_by {
            ast::GroupByExpr::All(_) => true,
            ast::GroupByExpr::Expressions(by, _) => !by.is_empty(),
        };
        self.scopes.pop();
        Select { sources, keep, give, grouped }
    }

    /// What stands behind `FROM`; conditions of joins that belong to no one source come with it.
    fn sources(&mut self, from: &[ast::TableWithJoins]) -> (Vec<Source>, Term) {
        let mut out: Vec<Source> = vec![];
        let mut keep = Term::Bool(true);
        for t in from {
            let first = self.factor(&t.relation);
            out.extend(first);
            for j in &t.joins {
                let before = out.len();
                let added = self.factor(&j.relation);
                out.extend(added);
                let (join, constraint) = joined(&j.join_operator);
                if matches!(j.join_operator, ast::JoinOperator::Right(_) | ast::JoinOperator::RightOuter(_)) {
                    out.iter_mut().take(before).for_each(|s| s.join = Join::Outer);
                }
                let on = constraint.map_or(Term::Bool(true), |c| self.constraint(c, &out, before));
                match out.get_mut(before) {
                    Some(s) => {
                        s.join = join;
                        s.on = on;
                    }
                    None => keep = keep.and(on),
                }
            }
        }
        (out, keep)
    }

    fn constraint(&mut self, c: &ast::JoinConstraint, sources: &[Source], at: usize) -> Term {
        match c {
            ast::JoinConstraint::On(e) => self.term(e),
            ast::JoinConstraint::Using(names) | ast::JoinConstraint::UsingAlias(names, _) => {
                let (Some(l), Some(r)) = (sources.first(), sources.get(at)) else { return Term::Opaque(vec![]) };
                names.iter().fold(Term::Bool(true), |all, n| {
                    let name = last_name(n);
                    let (l, r) = (Term::Column(l.id, name.clone()), Term::Column(r.id, name));
                    all.and(Term::Same(l.boxed(), r.boxed()))
                })
            }
            ast::JoinConstraint::Natural => Term::Opaque(vec![]),
            ast::JoinConstraint::None => Term::Bool(true),
        }
    }

    fn factor(&mut self, t: &ast::TableFactor) -> Vec<Source> {
        match t {
            ast::TableFactor::Table { name, alias, args: None, .. } => {
                let plain = last_name(name);
                let common = self.common.iter().rev().find(|c| name.0.len() == 1 && c.0.eq_ignore_ascii_case(&plain));
                let of = match common {
                    Some((_, Common::Query(q))) => Relation::Query(q.clone()),
                    Some((_, Common::Gone(t))) => Relation::Gone(t.clone()),
                    None => Relation::Table(self.table_name(name)),
                };
                vec![self.known_as(of, alias.as_ref(), &plain)]
            }
            ast::TableFactor::Table { name, alias, args: Some(args), .. } => {
                let given = args.args.iter().map(|a| self.argument(a)).collect();
                vec![self.known_as(Relation::Value(first(given)), alias.as_ref(), &last_name(name))]
            }
            ast::TableFactor::Derived { subquery, alias, .. } => {
                let q = self.query(subquery);
                vec![self.known_as(Relation::Query(Rc::new(q)), alias.as_ref(), "")]
            }
            ast::TableFactor::Function { name, args, alias, .. } => {
                let given = args.iter().map(|a| self.argument(a)).collect();
                vec![self.known_as(Relation::Value(first(given)), alias.as_ref(), &last_name(name))]
            }
            ast::TableFactor::TableFunction { expr, alias } => {
                let given = self.term(expr);
                vec![self.known_as(Relation::Value(given), alias.as_ref(), "")]
            }
            ast::TableFactor::UNNEST { alias, array_exprs, .. } => {
                let given = array_exprs.iter().map(|e| self.term(e)).collect();
                vec![self.known_as(Relation::Value(first(given)), alias.as_ref(), "unnest")]
            }
            ast::TableFactor::NestedJoin { table_with_joins, .. } => {
                let (sources, _) = self.sources(std::slice::from_ref(table_with_joins));
                sources
            }
            _ => vec![self.known_as(Relation::Value(Term::Opaque(vec![])), None, "")],
        }
    }

    fn source(&mut self, of: Relation) -> (Source, Option<Vec<String>>) {
        let id = SourceId(self.sources);
        self.sources += 1;
        let columns = match &of {
            Relation::Query(q) => columns(&q.body),
            _ => None,
        };
        (Source { id, of, join: Join::Inner, on: Term::Bool(true) }, columns)
    }

    fn known_as(&mut self, of: Relation, alias: Option<&ast::TableAlias>, plain: &str) -> Source {
        let (source, mut columns) = self.source(of);
        if let Some(a) = alias
            && !a.columns.is_empty()
        {
            columns = Some(a.columns.iter().map(|c| c.name.value.clone()).collect());
        }
        let alias = alias.map_or(plain, |a| a.name.value.as_str()).to_owned();
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(Known { alias, id: source.id, columns });
        }
        source
    }

    /// Under a prefix: the innermost source of that name. `None`: there is none.
    pub(super) fn prefixed(&self, prefix: &str) -> Option<SourceId> {
        let all = self.scopes.iter().rev().flatten();
        all.into_iter().find(|k| k.alias.eq_ignore_ascii_case(prefix)).map(|k| k.id)
    }

    /// Without a prefix: the innermost source that can have such a column.
    pub(super) fn bare(&self, column: &str) -> Option<SourceId> {
        let gives = |k: &&Known| k.columns.iter().flatten().any(|c| c.eq_ignore_ascii_case(column));
        for scope in self.scopes.iter().rev() {
            let open = || scope.iter().find(|k| k.columns.is_none());
            if let Some(k) = scope.iter().find(gives).or_else(open) {
                return Some(k.id);
            }
        }
        None
    }

    fn item(&mut self, i: &ast::SelectItem) -> Vec<Given> {
        match i {
            ast::SelectItem::UnnamedExpr(e) => {
                let term = self.term(e);
                let name = match &term {
                    Term::Column(_, c) => Some(c.clone()),
                    Term::Call(f, _) => Some(f.clone()),
                    Term::Count(_) => Some("count".into()),
                    Term::Exists(_) => Some("exists".into()),
                    _ => None,
                };
                vec![Given { name, term }]
            }
            ast::SelectItem::ExprWithAlias { expr, alias } => {
                vec![Given { name: Some(alias.value.clone()), term: self.term(expr) }]
            }
            ast::SelectItem::Wildcard(_) => {
                let ids: Vec<_> = self.scopes.last().into_iter().flatten().map(|k| k.id).collect();
                ids.into_iter().map(|id| Given { name: None, term: Term::Row(id) }).collect()
            }
            ast::SelectItem::QualifiedWildcard(ast::SelectItemQualifiedWildcardKind::ObjectName(n), _) => {
                let id = self.prefixed(&last_name(n));
                id.map(|id| Given { name: None, term: Term::Row(id) }).into_iter().collect()
            }
            _ => vec![Given { name: None, term: Term::Opaque(vec![]) }],
        }
    }

    fn delete(&mut self, d: &ast::Delete) {
        self.scopes.push(vec![]);
        let (ast::FromTable::WithFromKeyword(from) | ast::FromTable::WithoutKeyword(from)) = &d.from;
        let using = d.using.as_deref().unwrap_or_default();
        let named = d.tables.first().map(last_name);
        // `DELETE FROM a USING a JOIN b`: `a` is the one of the join.
        let again = from.first().and_then(|t| factor_name(&t.relation)).filter(|name| {
            let factors =
                using.iter().flat_map(|t| std::iter::once(&t.relation).chain(t.joins.iter().map(|j| &j.relation)));
            factors.into_iter().any(|f| factor_name(f).as_deref() == Some(name))
        });
        let (mut sources, mut keep) = if again.is_some() { (vec![], Term::Bool(true)) } else { self.sources(from) };
        let (more, joins) = self.sources(using);
        sources.extend(more);
        keep = keep.and(joins);
        if let Some(name) = named.or(again) {
            self.bring_first(&mut sources, &name);
        }
        if let Some(e) = &d.selection {
            keep = keep.and(self.term(e));
        }
        let back = d.returning.iter().flatten().flat_map(|i| self.item(i)).collect();
        self.scopes.pop();
        self.out.push(Statement::Delete(Change { sources, keep }, back));
    }

    /// Puts the source of a name first, whose join becomes a condition like any other.
    fn bring_first(&mut self, sources: &mut Vec<Source>, name: &str) {
        let Some(id) = self.prefixed(name) else { return };
        let Some(at) = sources.iter().position(|s| s.id == id).filter(|at| *at > 0) else { return };
        let mut main = sources.remove(at);
        let on = std::mem::replace(&mut main.on, Term::Bool(true));
        if let Some(first) = sources.first_mut() {
            first.on = std::mem::replace(&mut first.on, Term::Bool(true)).and(on);
        }
        main.join = Join::Inner;
        sources.insert(0, main);
    }

    fn update(&mut self, u: &ast::Update) {
        self.scopes.push(vec![]);
        let (mut sources, mut keep) = self.sources(std::slice::from_ref(&u.table));
        if let Some(ast::UpdateTableFromKind::BeforeSet(from) | ast::UpdateTableFromKind::AfterSet(from)) = &u.from {
            let (more, joins) = self.sources(from);
            sources.extend(more);
            keep = keep.and(joins);
        }
        if let Some(e) = &u.selection {
            keep = keep.and(self.term(e));
        }
        let set = self.assignments(&u.assignments);
        self.scopes.pop();
        self.out.push(Statement::Update(Change { sources, keep }, set));
    }

    fn assignments(&mut self, all: &[ast::Assignment]) -> Vec<(String, Term)> {
        let mut out = vec![];
        for a in all {
            let value = self.term(&a.value);
            match &a.target {
                ast::AssignmentTarget::ColumnName(n) => out.push((last_name(n), value)),
                ast::AssignmentTarget::Tuple(names) => {
                    out.extend(names.iter().map(|n| (last_name(n), Term::Opaque(vec![]))));
                }
            }
        }
        out
    }

    fn insert(&mut self, i: &ast::Insert) {
        let ast::TableObject::TableName(name) = &i.table else { return };
        let table = self.table_name(name);
        let columns = i.columns.iter().map(last_name).collect();
        let rows = i.source.as_ref().map(|q| self.query(q));
        self.out.push(Statement::Insert(table, columns, rows));
    }

    fn merge(&mut self, m: &ast::Merge) {
        self.scopes.push(vec![]);
        let mut sources = self.factor(&m.table);
        sources.extend(self.factor(&m.source));
        let on = self.term(&m.on);
        let mut made = vec![];
        for c in &m.clauses {
            let keep = c.predicate.as_ref().map_or(Term::Bool(true), |p| self.term(p));
            let without = matches!(c.clause_kind, ast::MergeClauseKind::NotMatchedBySource);
            let mut sources = sources.clone();
            for s in sources.iter_mut().skip(1) {
                s.join = if without { Join::Without } else { Join::Inner };
                s.on = on.clone();
            }
            let change = Change { sources, keep };
            made.push(match &c.action {
                ast::MergeAction::Delete { .. } => Statement::Delete(change, vec![]),
                ast::MergeAction::Update(u) => {
                    let ast::MergeUpdateKind::Set(set) = &u.kind else { continue };
                    Statement::Update(change, self.assignments(set))
                }
                ast::MergeAction::Insert(_) => {
                    Statement::Insert(table_of(&change).unwrap_or(Term::Opaque(vec![])), vec![], None)
                }
                _ => continue,
            });
        }
        self.scopes.pop();
        self.out.extend(made);
    }

    /// A table's name without schema; with values in it a text.
    pub(super) fn table_name(&self, n: &ast::ObjectName) -> Term {
        let name = last_name(n);
        with_holes(&name, self.holes).unwrap_or(Term::Text(name))
    }
}

/// A query without sources.
fn alone(term: Term) -> Query {
    Query::plain(Body::Select(Select {
        sources: vec![],
        keep: Term::Bool(true),
        give: vec![Given { name: None, term }],
        grouped: false,
    }))
}

fn first(terms: Vec<Term>) -> Term {
    terms.into_iter().next().unwrap_or(Term::Opaque(vec![]))
}

fn table_of(c: &Change) -> Option<Term> {
    match &c.sources.first()?.of {
        Relation::Table(t) => Some(t.clone()),
        _ => None,
    }
}

/// `HAVING count(x.id) = 0` where `x` may be missing: no row of `x`.
fn having(h: Term, sources: &[Source]) -> Term {
    let counted = match &h {
        Term::Same(a, b) => match (&**a, &**b) {
            (Term::Count(Some(c)), Term::Number(0)) | (Term::Number(0), Term::Count(Some(c))) => Some(c),
            _ => None,
        },
        _ => None,
    };
    match counted.map(|c| &**c) {
        Some(Term::Column(s, c)) if sources.iter().any(|x| x.id == *s && x.join == Join::Outer) => {
            Term::Present(Term::Column(*s, c.clone()).boxed()).negated()
        }
        _ => Term::Opaque(vec![]),
    }
}

fn joined(o: &ast::JoinOperator) -> (Join, Option<&ast::JoinConstraint>) {
    use ast::JoinOperator as J;
    match o {
        J::Left(c) | J::LeftOuter(c) | J::FullOuter(c) => (Join::Outer, Some(c)),
        J::Anti(c) | J::LeftAnti(c) => (Join::Without, Some(c)),
        J::Join(c) | J::Inner(c) | J::CrossJoin(c) | J::Semi(c) | J::LeftSemi(c) | J::StraightJoin(c) => {
            (Join::Inner, Some(c))
        }
        J::Right(c) | J::RightOuter(c) | J::RightSemi(c) | J::RightAnti(c) => (Join::Inner, Some(c)),
        J::AsOf { constraint, .. } => (Join::Inner, Some(constraint)),
        J::OuterApply | J::LeftArrayJoin => (Join::Outer, None),
        _ => (Join::Inner, None),
    }
}

/// The names a query gives, where all of them are known.
fn columns(b: &Body) -> Option<Vec<String>> {
    match b {
        Body::Select(s) => s.give.iter().map(|g| g.name.clone()).collect(),
        Body::Union(l, _) | Body::Except(l, _) | Body::Intersect(l, _) => columns(l),
        Body::Nested(q) => columns(&q.body),
        Body::Values(_) => None,
    }
}

pub(super) fn last_name(n: &ast::ObjectName) -> String {
    n.0.last().and_then(|p| p.as_ident()).map(|i| i.value.clone()).unwrap_or_default()
}

/// What a table is called in the statement.
fn factor_name(t: &ast::TableFactor) -> Option<String> {
    match t {
        ast::TableFactor::Table { alias: Some(a), .. } => Some(a.name.value.clone()),
        ast::TableFactor::Table { name, .. } => Some(last_name(name)),
        _ => None,
    }
}
