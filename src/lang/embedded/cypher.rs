//! Cypher: clauses and patterns.
//!
//! A label is a table, a node of a pattern a source, an edge the condition that two sources are linked. What is
//! not understood is skipped up to the next clause.
//!
//! ```text
//! MATCH (a:Account {id: $id})-[:OWNS]->(b:Bucket)      takes out the rows of Bucket #1 for which a row of Account #0
//! WHERE b.seen <> $tag WITH b LIMIT 9 DETACH DELETE b    with #0.id = $id is linked, not #1.seen = $tag, and
//!                                                        #1.#space = $id
//! NOT exists((i)--())                                  no row of any label is linked to i
//! ```
//! A property that a linked node is given (`{id: $id}`) says in which part of the graph the others are: `#space`.

use super::cypher_terms::Reader;
use super::scan::{Mode, scan};
use super::*;

/// A token.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Tok {
    Word(String),
    Text(String),
    Number(i64),
    Sign(&'static str),
}

/// Longer texts are generated.
const TOKENS: usize = 4_000;

const SIGNS: &[&str] = &[
    "<>", "<=", ">=", "=~", "+=", "..", "->", "<-", "(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "=", "<", ">",
    "+", "-", "*", "/", "%", "|", "^", "&", "!",
];

/// Does a text that starts with this word look like Cypher?
pub(super) fn starts(first: &str, pieces: &[Piece]) -> bool {
    match first {
        "MATCH" | "OPTIONAL" | "UNWIND" | "DETACH" | "FOREACH" => true,
        // `MERGE INTO t` and `CREATE TABLE t` are SQL.
        "MERGE" | "CREATE" | "CALL" => {
            let text = scan(pieces, Mode { cypher: true, drop_loose: false }).text;
            let rest = text.trim_start().get(first.len()..).unwrap_or_default().trim_start();
            rest.starts_with('(') || rest.starts_with('{')
        }
        _ => false,
    }
}

pub(super) fn read(pieces: &[Piece]) -> Option<Reading> {
    let scanned = scan(pieces, Mode { cypher: true, drop_loose: true });
    let tokens = tokens(&scanned.text);
    if tokens.len() > TOKENS {
        return None;
    }
    let mut r = Reader::new(tokens, &scanned.holes);
    r.clauses(0);
    Reading::new(r.out, &scanned.holes)
}

fn tokens(text: &str) -> Vec<Tok> {
    let mut out = vec![];
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '\'' | '"' | '`' => {
                let (word, taken) = quoted(rest, c);
                out.push(if c == '`' { Tok::Word(word) } else { Tok::Text(word) });
                taken
            }
            _ if c.is_ascii_digit() => {
                let taken = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                out.push(Tok::Number(rest.get(..taken).and_then(|n| n.parse().ok()).unwrap_or(i64::MAX)));
                taken
            }
            _ if c.is_alphabetic() || c == '_' => {
                let taken = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
                out.push(Tok::Word(rest.get(..taken).unwrap_or_default().to_owned()));
                taken
            }
            _ => match SIGNS.iter().find(|s| rest.starts_with(**s)) {
                Some(s) => {
                    out.push(Tok::Sign(s));
                    s.len()
                }
                None => c.len_utf8(),
            },
        };
        rest = rest.get(taken..).unwrap_or_default().trim_start();
    }
    out
}

fn quoted(rest: &str, quote: char) -> (String, usize) {
    let mut word = String::new();
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => {
                word.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            _ if c == quote => return (word, at + 1),
            _ => word.push(c),
        }
    }
    (word, rest.len())
}

impl Reader<'_> {
    /// Clauses up to the end, or to a closing parenthesis of their own.
    fn clauses(&mut self, depth: u32) {
        while let Some(tok) = self.peek().cloned() {
            if depth > 0 && matches!(tok, Tok::Sign(")" | "}")) {
                return;
            }
            if !self.clause(depth) {
                self.at += 1;
            }
        }
    }

    /// One clause; `false`: none starts here.
    fn clause(&mut self, depth: u32) -> bool {
        if self.word("OPTIONAL") {
            self.word("MATCH");
            self.matched(Join::Outer);
        } else if self.word("MATCH") {
            self.matched(Join::Inner);
        } else if self.word("WITH") {
            self.with();
        } else if self.word("UNWIND") {
            let rows = self.term();
            if self.word("AS")
                && let Some(name) = self.name()
            {
                self.bind(name, Relation::Value(rows));
            }
        } else if self.word("MERGE") || self.word("CREATE") {
            self.made();
        } else if self.word("SET") {
            self.set();
        } else if self.word("DETACH") || self.word("DELETE") {
            self.word("DELETE");
            self.delete();
        } else if self.word("RETURN") {
            self.gives();
        } else if self.word("CALL") {
            if self.sign("{") && depth < 8 {
                self.clauses(depth + 1);
                self.sign("}");
            }
        } else if self.word("FOREACH") {
            self.foreach(depth);
        } else if self.word("UNION") {
            self.clear();
        } else {
            return false;
        }
        true
    }

    /// Patterns and the condition on them.
    fn matched(&mut self, join: Join) {
        let from = self.sources.len();
        let mut found = vec![];
        loop {
            self.pattern(&mut found);
            if !self.sign(",") {
                break;
            }
        }
        if self.word("WHERE") {
            found.push(self.term());
        }
        if join == Join::Inner {
            self.keep.extend(found);
            return;
        }
        let on = found.into_iter().fold(Term::Bool(true), Term::and);
        for s in self.sources.iter_mut().skip(from) {
            s.join = join;
            s.on = on.clone();
        }
    }

    fn with(&mut self) {
        loop {
            self.word("DISTINCT");
            if !self.sign("*") {
                let term = self.term();
                if self.word("AS")
                    && let Some(name) = self.name()
                {
                    self.alias(name, term);
                }
            }
            if !self.sign(",") {
                break;
            }
        }
        self.order();
        if self.word("WHERE") {
            let term = self.term();
            self.keep.push(term);
        }
    }

    /// `ORDER BY x SKIP n LIMIT m`
    fn order(&mut self) {
        loop {
            if self.word("ORDER") {
                self.word("BY");
            } else if self.word("LIMIT") {
                self.limited = true;
            } else if !self.word("SKIP") {
                return;
            }
            loop {
                self.term();
                let _ = ["ASC", "DESC", "ASCENDING", "DESCENDING"].iter().any(|w| self.word(w));
                if !self.sign(",") {
                    break;
                }
            }
        }
    }

    fn made(&mut self) {
        let from = self.sources.len();
        let mut found = vec![];
        loop {
            self.pattern(&mut found);
            if !self.sign(",") {
                break;
            }
        }
        let labels: Vec<_> = self.sources.iter().skip(from).map(|s| s.of.clone()).collect();
        self.keep.extend(found);
        let mut assigned = false;
        while self.word("ON") {
            let _ = self.word("CREATE") || self.word("MATCH");
            assigned |= self.word("SET");
            self.set();
        }
        if !assigned && !self.is_word("SET") {
            let tables = labels.into_iter().filter_map(|of| match of {
                Relation::Table(t) => Some(Statement::Insert(t, vec![], None)),
                _ => None,
            });
            self.out.extend(tables);
        }
    }

    /// `a.x = 1, a += $map, a:Label`
    fn set(&mut self) {
        let mut assigned: Vec<(SourceId, String, Term)> = vec![];
        while let Some(name) = self.name() {
            let source = self.source_of(&name);
            let field = if self.sign(".") { self.name() } else { None };
            let valued = self.sign("+=") || self.sign("=");
            if valued {
                let value = self.term();
                assigned.extend(source.map(|s| (s, field.unwrap_or_else(|| "#all".into()), value)));
            } else {
                while self.sign(":") {
                    self.name();
                }
            }
            if !self.sign(",") {
                break;
            }
        }
        let mut done = vec![];
        for (s, ..) in &assigned {
            if !done.contains(s) {
                done.push(*s);
            }
        }
        for s in done {
            let set = assigned.iter().filter(|a| a.0 == s).map(|a| (a.1.clone(), a.2.clone())).collect();
            let change = self.change(s);
            self.out.push(Statement::Update(change, set));
        }
    }

    fn delete(&mut self) {
        while let Some(name) = self.name() {
            if let Some(s) = self.source_of(&name) {
                let change = self.change(s);
                self.out.push(Statement::Delete(change, vec![]));
            }
            if !self.sign(",") {
                break;
            }
        }
    }

    fn gives(&mut self) {
        let mut give = vec![];
        loop {
            self.word("DISTINCT");
            if self.sign("*") {
                give.extend(self.sources.iter().map(|s| Given { name: None, term: Term::Row(s.id) }));
            } else {
                let from = self.at;
                let term = self.term();
                let written = self.written(from);
                let alias = if self.word("AS") { self.name() } else { None };
                give.push(Given { name: Some(alias.unwrap_or(written)), term });
            }
            if !self.sign(",") {
                break;
            }
        }
        self.limited = false;
        self.order();
        if !self.out.iter().any(|s| matches!(s, Statement::Delete(..))) && !self.sources.is_empty() {
            let limit = self.limited.then_some(Term::Opaque(vec![]));
            let keep = self.keep.iter().cloned().fold(Term::Bool(true), Term::and);
            let body = Body::Select(Select { sources: self.sources.clone(), keep, give, grouped: false });
            self.out.push(Statement::Query(Query { body, limit, offset: None }));
        }
        self.clear();
    }

    fn foreach(&mut self, depth: u32) {
        if !self.sign("(") {
            return;
        }
        if let Some(name) = self.name()
            && self.word("IN")
        {
            let rows = self.term();
            self.bind(name, Relation::Value(rows));
        }
        if self.sign("|") && depth < 8 {
            self.clauses(depth + 1);
        }
        self.sign(")");
    }

    /// What is changed, with everything it rests on.
    fn change(&self, main: SourceId) -> Change {
        let mut sources = self.sources.clone();
        if let Some(at) = sources.iter().position(|s| s.id == main) {
            let mut first = sources.remove(at);
            first.join = Join::Inner;
            first.on = Term::Bool(true);
            sources.insert(0, first);
        }
        let mut keep = self.keep.clone();
        for linked in self.linked_with(main) {
            let given = self.keep.iter().filter_map(|t| match t {
                Term::Same(l, r) => match (&**l, &**r) {
                    (Term::Column(s, _), v @ Term::Hole(_)) if *s == linked => Some(v.clone()),
                    _ => None,
                },
                _ => None,
            });
            let space = Term::Column(main, "#space".into());
            keep.extend(given.map(|v| Term::Same(space.clone().boxed(), v.boxed())).collect::<Vec<_>>());
        }
        // What is given from outside and not spoken of is no condition.
        let silent = |s: &Source| matches!(s.of, Relation::Value(_)) && !keep.iter().any(|t| t.mentions(s.id));
        sources.retain(|s| s.id == main || !silent(s));
        Change { sources, keep: keep.into_iter().fold(Term::Bool(true), Term::and) }
    }

    /// The nodes an edge leads to, over any number of edges.
    fn linked_with(&self, main: SourceId) -> Vec<SourceId> {
        let mut out = vec![main];
        let mut at = 0;
        while let Some(&s) = out.get(at) {
            at += 1;
            for t in &self.keep {
                let Term::Linked(a, b) = t else { continue };
                for (x, y) in [(a, b), (b, a)] {
                    if *x == s && !out.contains(y) {
                        out.push(*y);
                    }
                }
            }
        }
        out.retain(|s| *s != main);
        out
    }

    fn clear(&mut self) {
        self.sources.clear();
        self.keep.clear();
        self.names.clear();
        self.limited = false;
    }
}
