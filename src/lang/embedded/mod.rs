//! Statements inside text: SQL and Cypher, read into a small neutral description.
//!
//! A front end hands over a text with values in it; what the program does with the answer is not known here. Neither is
//! it known what a table holds or what a function of the database does: those are names.
//!
//! ```text
//! "SELECT name FROM labs WHERE owner = %s"        rows of labs #0 with #0.owner = <first parameter>, of each #0.name
//! "DELETE FROM cart c WHERE NOT EXISTS            takes out the rows of cart #0 for which no row of item #1 has
//!    (SELECT 1 FROM item i WHERE i.cart = c.id)"  #1.cart = #0.id
//! "MATCH (h:Host) WHERE h.seen <> $tag DELETE h"  takes out the rows of Host #0 with not #0.seen = <parameter tag>
//! ```
//!
//! Every `FROM x` is a [`Source`] with a number of its own, and every column says which source it is of, so that a reader
//! of the description needs no names. A column without a prefix is of the innermost source that can have it.
//!
//! **Values** stand in the text as holes ([`Hole`]): those put in by the program (`f"... {table} ..."`) and placeholders
//! (`?`, `%s`, `$1`, `:name`, `%(name)s`, `$name`). A value that stands where a clause may begin
//! (`f"DELETE FROM jobs {where}"`) is one more condition.
//!
//! Reading never fails: a text that is no statement, or one of an unknown kind, gives nothing; a part that is not
//! understood is [`Term::Opaque`].

mod cypher;
mod cypher_terms;
mod functions;
mod scan;
mod sql;
mod terms;

#[cfg(test)]
mod tests;

use std::rc::Rc;

/// A piece of a text: written out, or a value with its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece<'a> {
    /// As written.
    Text(&'a str),
    /// A value; the number is the caller's.
    Value(u32),
}

/// A value from outside the text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Hole {
    /// Part of the text: the number of [`Piece::Value`].
    Value(u32),
    /// A placeholder by its position, from 0.
    At(u32),
    /// A placeholder by its name.
    Named(String),
}

/// One occurrence of a table, or of something like it, in one statement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SourceId(pub u32);

/// What a text asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// Gives rows.
    Query(Query),
    /// Takes rows out; those it gives back, if any.
    Delete(Change, Vec<Given>),
    /// Assigns to columns of rows.
    Update(Change, Vec<(String, Term)>),
    /// Puts rows in: where, and values by column.
    Insert(Term, Vec<String>, Option<Query>),
    /// Takes out whole tables, or other things with a name: `DROP`, `TRUNCATE`, `KILL`.
    Drop(Vec<Term>),
}

/// Rows that are changed: those of the first source for which rows of the others exist.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// What is changed comes first.
    pub sources: Vec<Source>,
    /// The condition over all of them.
    pub keep: Term,
}

/// A source of rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// Its number.
    pub id: SourceId,
    /// Where the rows come from.
    pub of: Relation,
    /// How it is joined with those before it.
    pub join: Join,
    /// The condition of the join.
    pub on: Term,
}

/// Where rows come from.
#[derive(Clone, PartialEq, Debug)]
pub enum Relation {
    /// A table or a label of nodes by name.
    Table(Term),
    /// Edges of a graph that lead to nodes of this label.
    Edges(Term),
    /// Another query: in parentheses or by a name of a `WITH`.
    Query(Rc<Query>),
    /// Rows of this table that the same text took out.
    Gone(Term),
    /// A collection given from outside: `unnest(%s)`, `UNWIND $rows`.
    Value(Term),
}

/// How a source is joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Join {
    /// A row must exist.
    Inner,
    /// A row may exist; without one its columns are null.
    Outer,
    /// No row may exist.
    Without,
}

/// Rows asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct Query {
    /// Which.
    pub body: Body,
    /// At most so many.
    pub limit: Option<Term>,
    /// From this one on.
    pub offset: Option<Term>,
}

/// The body of a query.
#[derive(Clone, PartialEq, Debug)]
pub enum Body {
    /// From sources.
    Select(Select),
    /// Both.
    Union(Box<Body>, Box<Body>),
    /// The first without the second.
    Except(Box<Body>, Box<Body>),
    /// What both give.
    Intersect(Box<Body>, Box<Body>),
    /// A query in parentheses, or named.
    Nested(Rc<Query>),
    /// Rows written out.
    Values(Vec<Vec<Term>>),
}

/// `SELECT give FROM sources WHERE keep`.
#[derive(Clone, PartialEq, Debug)]
pub struct Select {
    /// Where from.
    pub sources: Vec<Source>,
    /// The condition.
    pub keep: Term,
    /// What is given of each row.
    pub give: Vec<Given>,
    /// One row for each of several: `GROUP BY`.
    pub grouped: bool,
}

/// A column of an answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Given {
    /// Its name: the alias, else that of the column or function.
    pub name: Option<String>,
    /// Its value.
    pub term: Term,
}

/// What an `IN` looks into.
#[derive(Clone, PartialEq, Debug)]
pub enum Members {
    /// Values written out.
    List(Vec<Term>),
    /// The answer of a query.
    Query(Rc<Query>),
    /// A collection from outside.
    Value(Box<Term>),
}

/// A value or a condition.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    /// A column of a source.
    Column(SourceId, String),
    /// A whole row.
    Row(SourceId),
    /// A value from outside.
    Hole(Hole),
    /// A text.
    Text(String),
    /// A number; fractions are rounded away from zero.
    Number(i64),
    /// A truth value.
    Bool(bool),
    /// `NULL`.
    Null,
    /// Text made of parts.
    Joined(Vec<Term>),
    /// A key of a structured value: `labels ->> 'env'`.
    Part(Box<Term>, String),
    /// Several values side by side.
    Tuple(Vec<Term>),
    /// Negation.
    Not(Box<Term>),
    /// All hold.
    And(Vec<Term>),
    /// One holds.
    Or(Vec<Term>),
    /// Equality.
    Same(Box<Term>, Box<Term>),
    /// Order.
    Less(Box<Term>, Box<Term>),
    /// It is not null.
    Present(Box<Term>),
    /// It is one of these.
    In(Box<Term>, Box<Members>),
    /// The query gives a row.
    Exists(Rc<Query>),
    /// The text starts with another.
    Starts(Box<Term>, Box<Term>),
    /// Two rows are joined by an edge of a graph.
    Linked(SourceId, SourceId),
    /// Sum, of times too.
    Sum(Box<Term>, Box<Term>),
    /// Difference, of times too.
    Difference(Box<Term>, Box<Term>),
    /// A span of time.
    Span(Vec<Term>),
    /// The first that is not null.
    Either(Vec<Term>),
    /// The value of the first condition that holds, else the last.
    Case(Vec<(Term, Term)>, Box<Term>),
    /// The one value a query gives.
    Scalar(Rc<Query>),
    /// How many rows there are, or how many of these values are not null.
    Count(Option<Box<Term>>),
    /// A function of the database by its name in small letters, without schema.
    Call(String, Vec<Term>),
    /// Not understood; what it is made of.
    Opaque(Vec<Term>),
}

impl Term {
    /// The parts of a conjunction.
    pub fn conjuncts(&self) -> Vec<&Term> {
        match self {
            Term::And(parts) => parts.iter().flat_map(Term::conjuncts).collect(),
            Term::Bool(true) => vec![],
            other => vec![other],
        }
    }

    /// Both conditions.
    fn and(self, other: Term) -> Term {
        match (self, other) {
            (Term::Bool(true), x) | (x, Term::Bool(true)) => x,
            (Term::And(mut parts), x) => {
                parts.push(x);
                Term::And(parts)
            }
            (x, y) => Term::And(vec![x, y]),
        }
    }

    fn negated(self) -> Term {
        match self {
            Term::Not(x) => *x,
            x => Term::Not(Box::new(x)),
        }
    }

    fn boxed(self) -> Box<Term> {
        Box::new(self)
    }

    /// Calls with every term directly below this one, those of subqueries not among them.
    pub fn parts<'t>(&'t self, visit: &mut dyn FnMut(&'t Term)) {
        match self {
            Term::Joined(x)
            | Term::Tuple(x)
            | Term::And(x)
            | Term::Or(x)
            | Term::Span(x)
            | Term::Either(x)
            | Term::Call(_, x)
            | Term::Opaque(x) => x.iter().for_each(visit),
            Term::Part(x, _) | Term::Not(x) | Term::Present(x) => visit(x),
            Term::Same(x, y) | Term::Less(x, y) | Term::Starts(x, y) | Term::Sum(x, y) | Term::Difference(x, y) => {
                visit(x);
                visit(y);
            }
            Term::In(x, members) => {
                visit(x);
                match &**members {
                    Members::List(list) => list.iter().for_each(visit),
                    Members::Value(v) => visit(v),
                    Members::Query(_) => {}
                }
            }
            Term::Case(arms, or) => {
                for (c, v) in arms {
                    visit(c);
                    visit(v);
                }
                visit(or);
            }
            Term::Count(Some(x)) => visit(x),
            _ => {}
        }
    }

    /// Does it, or anything below it, subqueries included, speak of a source?
    pub fn mentions(&self, source: SourceId) -> bool {
        match self {
            Term::Column(s, _) | Term::Row(s) => *s == source,
            Term::Linked(a, b) => *a == source || *b == source,
            Term::Exists(q) | Term::Scalar(q) => q.mentions(source),
            _ => {
                let mut found =
                    matches!(self, Term::In(_, m) if matches!(&**m, Members::Query(q) if q.mentions(source)));
                self.parts(&mut |x| found = found || x.mentions(source));
                found
            }
        }
    }

    /// Does a subquery stand in it?
    pub fn asks(&self) -> bool {
        match self {
            Term::Exists(_) | Term::Scalar(_) => true,
            Term::In(_, m) if matches!(**m, Members::Query(_)) => true,
            _ => {
                let mut found = false;
                self.parts(&mut |x| found = found || x.asks());
                found
            }
        }
    }
}

impl Query {
    fn plain(body: Body) -> Self {
        Query { body, limit: None, offset: None }
    }
    /// Does anything in it speak of a source?
    pub fn mentions(&self, source: SourceId) -> bool {
        self.body.mentions(source)
    }
}

impl Body {
    fn mentions(&self, source: SourceId) -> bool {
        match self {
            Body::Select(s) => {
                s.keep.mentions(source)
                    || s.give.iter().any(|g| g.term.mentions(source))
                    || s.sources.iter().any(|x| x.mentions(source))
            }
            Body::Union(a, b) | Body::Except(a, b) | Body::Intersect(a, b) => a.mentions(source) || b.mentions(source),
            Body::Nested(q) => q.mentions(source),
            Body::Values(rows) => rows.iter().flatten().any(|t| t.mentions(source)),
        }
    }
}

impl Source {
    fn mentions(&self, source: SourceId) -> bool {
        self.on.mentions(source)
            || match &self.of {
                Relation::Query(q) => q.mentions(source),
                Relation::Table(t) | Relation::Edges(t) | Relation::Gone(t) | Relation::Value(t) => t.mentions(source),
            }
    }
}

/// What a text says.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    /// Its statements, in order.
    pub statements: Vec<Statement>,
    /// How many placeholders it has.
    pub placeholders: usize,
}

/// Reads a text. `None`: it is no statement that is understood.
pub fn read(pieces: &[Piece]) -> Option<Reading> {
    if pieces.iter().map(Piece::len).sum::<usize>() > LONGEST {
        return None;
    }
    let first = scan::first_word(pieces);
    if cypher::starts(&first, pieces) {
        return cypher::read(pieces);
    }
    if !sql::starts(&first) {
        return None;
    }
    sql::read(pieces).or_else(|| if first == "WITH" { cypher::read(pieces) } else { None })
}

impl Reading {
    fn new(statements: Vec<Statement>, holes: &[Hole]) -> Option<Reading> {
        let placeholders = holes.iter().filter(|h| !matches!(h, Hole::Value(_))).count();
        (!statements.is_empty()).then_some(Reading { statements, placeholders })
    }
}

impl Piece<'_> {
    fn len(&self) -> usize {
        match self {
            Piece::Text(t) => t.len(),
            Piece::Value(_) => 1,
        }
    }
}

/// A longer text is data.
const LONGEST: usize = 60_000;
