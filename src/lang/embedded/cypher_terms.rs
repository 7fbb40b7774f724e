//! Patterns and expressions of Cypher.
//!
//! ```text
//! (a:Account {id: $id})-[r:OWNS]->(:Bucket)     sources a, r, and one without name; a.id = $id; links
//! WHERE NOT (i)<-[:IMAGE]-() AND i.t < $limit   a pattern in a condition: such rows exist
//! ```

use super::cypher::Tok;
use super::functions::{difference, now};
use super::scan::with_holes;
use super::terms::{DEEP, equal};
use super::*;

pub(super) struct Reader<'h> {
    pub(super) tokens: Vec<Tok>,
    pub(super) at: usize,
    holes: &'h [Hole],
    /// Every node, edge and list of the clauses so far.
    pub(super) sources: Vec<Source>,
    pub(super) names: Vec<(String, Term)>,
    pub(super) keep: Vec<Term>,
    pub(super) limited: bool,
    pub(super) out: Vec<Statement>,
    next: u32,
    depth: u32,
    steps: u32,
}

/// A text may be read twice from a parenthesis on; this many terms are enough for any.
const STEPS: u32 = 40_000;

impl<'h> Reader<'h> {
    pub(super) fn new(tokens: Vec<Tok>, holes: &'h [Hole]) -> Self {
        Reader {
            tokens,
            at: 0,
            holes,
            sources: vec![],
            names: vec![],
            keep: vec![],
            limited: false,
            out: vec![],
            next: 0,
            depth: 0,
            steps: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<&Tok> {
        self.tokens.get(self.at)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Tok::Word(w)) if w.eq_ignore_ascii_case(word))
    }

    /// Takes a keyword if it is next.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    /// Takes a sign if it is next.
    pub(super) fn sign(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Some(Tok::Sign(s)) if *s == sign);
        self.at += usize::from(is);
        is
    }

    /// Takes a name if one is next.
    pub(super) fn name(&mut self) -> Option<String> {
        let Some(Tok::Word(w)) = self.peek() else { return None };
        let w = w.clone();
        self.at += 1;
        Some(w)
    }

    /// The tokens from a place on, as an answer's column is called without an alias.
    pub(super) fn written(&self, from: usize) -> String {
        let of = |t: &Tok| match t {
            Tok::Word(w) => w.clone(),
            Tok::Text(w) => format!("'{w}'"),
            Tok::Number(n) => n.to_string(),
            Tok::Sign(s) => (*s).to_owned(),
        };
        self.tokens.get(from..self.at).unwrap_or_default().iter().map(of).collect()
    }

    pub(super) fn alias(&mut self, name: String, term: Term) {
        self.names.push((name, term));
    }

    /// A new source under a name.
    pub(super) fn bind(&mut self, name: String, of: Relation) -> SourceId {
        let id = self.fresh(of);
        self.names.push((name, Term::Row(id)));
        id
    }

    fn fresh(&mut self, of: Relation) -> SourceId {
        let id = SourceId(self.next);
        self.next += 1;
        self.sources.push(Source { id, of, join: Join::Inner, on: Term::Bool(true) });
        id
    }

    fn named(&self, name: &str) -> Option<&Term> {
        self.names.iter().rev().find(|n| n.0 == name).map(|n| &n.1)
    }

    pub(super) fn source_of(&self, name: &str) -> Option<SourceId> {
        match self.named(name)? {
            Term::Row(s) => Some(*s),
            _ => None,
        }
    }

    /// A chain of nodes and edges; how many edges it has.
    pub(super) fn pattern(&mut self, found: &mut Vec<Term>) -> usize {
        // `p = (a)--(b)`, `shortestPath((a)--(b))`
        if matches!(self.tokens.get(self.at + 1), Some(Tok::Sign("="))) && self.name().is_some() {
            self.sign("=");
        }
        if matches!(self.peek(), Some(Tok::Word(_))) {
            self.at += 1;
            self.sign("(");
        }
        let Some(mut left) = self.node(found) else { return 0 };
        let mut edges = 0;
        while let Some(edge) = self.edge(found) {
            let Some(right) = self.node(found) else { break };
            found.push(Term::Linked(left, right));
            if let Some(edge) = edge {
                found.push(Term::Linked(edge, left));
                found.push(Term::Linked(edge, right));
            }
            left = right;
            edges += 1;
        }
        edges
    }

    /// `(name:Label {key: value})`
    fn node(&mut self, found: &mut Vec<Term>) -> Option<SourceId> {
        if !self.sign("(") {
            return None;
        }
        let name = self.name();
        let label = self.label("node");
        let id = match name.as_deref().and_then(|n| self.source_of(n)) {
            Some(id) => id,
            None => match name {
                Some(n) => self.bind(n, Relation::Table(label)),
                None => self.fresh(Relation::Table(label)),
            },
        };
        self.properties(id, found);
        if self.word("WHERE") {
            found.push(self.term());
        }
        self.sign(")").then_some(id)
    }

    fn label(&mut self, without: &str) -> Term {
        let mut label = None;
        while self.sign(":") || (label.is_some() && (self.sign("|") || self.sign("&"))) {
            self.sign("!");
            let Some(word) = self.name() else { break };
            label.get_or_insert(word);
        }
        let label = label.unwrap_or_else(|| without.to_owned());
        with_holes(&label, self.holes).unwrap_or(Term::Text(label))
    }

    /// `{key: value, ..}`
    fn properties(&mut self, id: SourceId, found: &mut Vec<Term>) {
        if let Some(Tok::Word(w)) = self.peek()
            && with_holes(w, self.holes).is_some()
        {
            // `(n $props)`
            let all = self.term();
            found.push(Term::Same(Term::Column(id, "#all".into()).boxed(), all.boxed()));
        }
        if !self.sign("{") {
            return;
        }
        while let Some(key) = self.name() {
            if !self.sign(":") {
                break;
            }
            let value = self.term();
            found.push(Term::Same(Term::Column(id, key).boxed(), value.boxed()));
            if !self.sign(",") {
                break;
            }
        }
        self.sign("}");
    }

    /// `-[r:TYPE*1..3 {..}]->`, `--`, `<--`: the source of a named edge.
    fn edge(&mut self, found: &mut Vec<Term>) -> Option<Option<SourceId>> {
        if !(self.sign("<-") || self.sign("-")) {
            return None;
        }
        let mut edge = None;
        if self.sign("[") {
            let name = self.name();
            let label = self.label("edge");
            if let Some(n) = name {
                edge = Some(match self.source_of(&n) {
                    Some(id) => id,
                    None => self.bind(n, Relation::Table(label)),
                });
            }
            if self.sign("*") {
                while matches!(self.peek(), Some(Tok::Number(_) | Tok::Sign(".." | "."))) {
                    self.at += 1;
                }
            }
            if let Some(id) = edge {
                self.properties(id, found);
            } else {
                self.skip_to("]");
            }
            self.sign("]");
        }
        let _ = self.sign("->") || self.sign("-");
        // `-->` is read as two signs.
        self.sign(">");
        Some(edge)
    }

    fn skip_to(&mut self, close: &str) {
        while let Some(t) = self.peek() {
            if matches!(t, Tok::Sign(s) if *s == close) {
                return;
            }
            self.at += 1;
        }
    }

    pub(super) fn term(&mut self) -> Term {
        self.steps += 1;
        if self.depth > DEEP || self.steps > STEPS {
            self.at = self.tokens.len();
            return Term::Opaque(vec![]);
        }
        self.depth += 1;
        let term = self.any_of();
        self.depth -= 1;
        term
    }

    fn any_of(&mut self) -> Term {
        let mut parts = vec![self.all_of()];
        while self.word("OR") || self.word("XOR") {
            parts.push(self.all_of());
        }
        one_or(parts, Term::Or)
    }

    fn all_of(&mut self) -> Term {
        let mut parts = vec![self.signed()];
        while self.word("AND") {
            parts.push(self.signed());
        }
        one_or(parts, Term::And)
    }

    fn signed(&mut self) -> Term {
        let mut negative = false;
        while self.word("NOT") {
            negative = !negative;
        }
        let term = self.compared();
        if negative { term.negated() } else { term }
    }

    fn compared(&mut self) -> Term {
        let mut l = self.sum();
        loop {
            l = if self.sign("=") {
                let r = self.sum();
                self.same(l, r)
            } else if self.sign("<>") {
                let r = self.sum();
                self.same(l, r).negated()
            } else if self.sign("<") || self.sign("<=") {
                Term::Less(l.boxed(), self.sum().boxed())
            } else if self.sign(">") || self.sign(">=") {
                Term::Less(self.sum().boxed(), l.boxed())
            } else if self.word("IN") {
                match self.sum() {
                    Term::Tuple(list) => Term::In(l.boxed(), Box::new(Members::List(list))),
                    x => Term::In(l.boxed(), Box::new(Members::Value(x.boxed()))),
                }
            } else if self.word("STARTS") {
                self.word("WITH");
                Term::Starts(l.boxed(), self.sum().boxed())
            } else if self.word("ENDS") || self.word("CONTAINS") || self.sign("=~") {
                self.word("WITH");
                let r = self.sum();
                Term::Call("like".into(), vec![l, r])
            } else if self.word("IS") {
                let negative = self.word("NOT");
                self.word("NULL");
                let there = Term::Present(l.boxed());
                if negative { there } else { there.negated() }
            } else {
                return l;
            }
        }
    }

    /// Equality; that none of what may be missing was counted is that it is missing.
    fn same(&self, l: Term, r: Term) -> Term {
        if let (Term::Count(Some(x)), Term::Number(0)) = (&l, &r)
            && let Term::Row(s) | Term::Column(s, _) = **x
            && self.sources.iter().any(|y| y.id == s && y.join == Join::Outer)
        {
            return Term::Present(Term::Row(s).boxed()).negated();
        }
        equal(l, r)
    }

    fn sum(&mut self) -> Term {
        let mut l = self.postfix();
        loop {
            l = if self.sign("+") {
                Term::Sum(l.boxed(), self.postfix().boxed())
            } else if self.sign("-") {
                difference(l, self.postfix())
            } else if self.sign("*") || self.sign("/") || self.sign("%") {
                match self.postfix() {
                    Term::Number(_) => l,
                    x if matches!(l, Term::Number(_)) => x,
                    x => Term::Opaque(vec![l, x]),
                }
            } else {
                return l;
            }
        }
    }

    fn postfix(&mut self) -> Term {
        let mut x = self.atom();
        loop {
            if self.sign(".") {
                let Some(field) = self.name() else { return x };
                x = match x {
                    Term::Row(s) => Term::Column(s, field),
                    // `datetime().epochMillis`
                    x @ (Term::Call(..) | Term::Difference(..) | Term::Sum(..)) => x,
                    x => Term::Part(x.boxed(), field),
                };
            } else if self.sign("[") {
                let index = self.term();
                self.skip_to("]");
                self.sign("]");
                x = match index {
                    Term::Text(k) => Term::Part(x.boxed(), k),
                    i => Term::Opaque(vec![x, i]),
                };
            } else {
                return x;
            }
        }
    }

    fn atom(&mut self) -> Term {
        let Some(tok) = self.peek().cloned() else { return Term::Opaque(vec![]) };
        match tok {
            Tok::Sign("(") => self.parenthesis(),
            Tok::Sign("[") => {
                self.at += 1;
                let list = self.list("]");
                Term::Tuple(list)
            }
            Tok::Sign("{") => {
                self.at += 1;
                let parts = self.map();
                Term::Opaque(parts)
            }
            Tok::Sign("-") => {
                self.at += 1;
                match self.postfix() {
                    Term::Number(n) => Term::Number(n.saturating_neg()),
                    x => x,
                }
            }
            Tok::Text(t) => {
                self.at += 1;
                with_holes(&t, self.holes).unwrap_or(Term::Text(t))
            }
            Tok::Number(n) => {
                self.at += 1;
                if self.sign(".") {
                    self.at += usize::from(matches!(self.peek(), Some(Tok::Number(_))));
                    return Term::Number(n.saturating_add(1));
                }
                Term::Number(n)
            }
            Tok::Word(w) => self.called_or_named(w),
            Tok::Sign(_) => Term::Opaque(vec![]),
        }
    }

    /// `(n)--()` is a pattern, `(a + b)` is not.
    fn parenthesis(&mut self) -> Term {
        if let Some(found) = self.there_is() {
            return found;
        }
        self.at += 1;
        let x = self.term();
        self.sign(")");
        x
    }

    /// A pattern in a condition: rows for its new names exist.
    fn there_is(&mut self) -> Option<Term> {
        let (at, sources, names, next) = (self.at, self.sources.len(), self.names.len(), self.next);
        let mut found = vec![];
        if self.pattern(&mut found) == 0 {
            self.at = at;
            self.sources.truncate(sources);
            self.names.truncate(names);
            self.next = next;
            return None;
        }
        Some(self.exists_with(sources, names, found))
    }

    fn exists_with(&mut self, sources: usize, names: usize, found: Vec<Term>) -> Term {
        let mut new = self.sources.split_off(sources.min(self.sources.len()));
        // What is asked is whether there is an edge: no second look at the nodes of that label.
        for s in &mut new {
            if let Relation::Table(label) = &s.of {
                s.of = Relation::Edges(label.clone());
            }
        }
        self.names.truncate(names);
        let keep = found.into_iter().fold(Term::Bool(true), Term::and);
        if new.is_empty() {
            return keep;
        }
        let give = vec![Given { name: None, term: Term::Number(1) }];
        Term::Exists(Rc::new(Query::plain(Body::Select(Select { sources: new, keep, give, grouped: false }))))
    }

    /// `EXISTS { MATCH .. WHERE .. }`
    fn exists_block(&mut self) -> Term {
        let (sources, names) = (self.sources.len(), self.names.len());
        let mut found = vec![];
        self.word("MATCH");
        loop {
            self.pattern(&mut found);
            if !self.sign(",") {
                break;
            }
        }
        if self.word("WHERE") {
            found.push(self.term());
        }
        self.skip_to("}");
        self.sign("}");
        self.exists_with(sources, names, found)
    }

    fn list(&mut self, close: &str) -> Vec<Term> {
        let mut out = vec![];
        while self.peek().is_some() && !self.sign(close) {
            let from = self.at;
            self.word("DISTINCT");
            if self.sign("*") {
                continue;
            }
            out.push(self.term());
            if !self.sign(",") {
                self.skip_to(close);
            }
            if self.at == from {
                self.at += 1;
            }
        }
        out
    }

    fn map(&mut self) -> Vec<Term> {
        let mut out = vec![];
        while self.name().is_some() && self.sign(":") {
            out.push(self.term());
            if !self.sign(",") {
                break;
            }
        }
        self.skip_to("}");
        self.sign("}");
        out
    }

    fn called_or_named(&mut self, word: String) -> Term {
        self.at += 1;
        if let Some(hole) = with_holes(&word, self.holes) {
            return hole;
        }
        let upper = word.to_ascii_uppercase();
        match upper.as_str() {
            "TRUE" => return Term::Bool(true),
            "FALSE" => return Term::Bool(false),
            "NULL" => return Term::Null,
            "EXISTS" | "COUNT" if self.sign("{") => {
                let there = self.exists_block();
                return if upper == "EXISTS" { there } else { counted(there) };
            }
            _ => {}
        }
        // `apoc.date.parse(..)`
        let mut name = word;
        let mut ahead = self.at;
        while let (Some(Tok::Sign(".")), Some(Tok::Word(w))) = (self.tokens.get(ahead), self.tokens.get(ahead + 1)) {
            if self.named(&name).is_some() {
                break;
            }
            name = format!("{name}.{w}");
            ahead += 2;
        }
        if !matches!(self.tokens.get(ahead), Some(Tok::Sign("("))) {
            let first = name.split('.').next().unwrap_or_default();
            return self.named(first).cloned().unwrap_or(Term::Opaque(vec![]));
        }
        self.at = ahead;
        self.function(&name.to_ascii_lowercase())
    }

    fn function(&mut self, name: &str) -> Term {
        if matches!(name, "exists" | "size") {
            let from = self.at;
            self.sign("(");
            if let Some(there) = self.there_is() {
                self.sign(")");
                return if name == "exists" { there } else { counted(there) };
            }
            self.at = from;
        }
        self.sign("(");
        let mut args = self.list(")");
        match (name, args.len()) {
            ("exists", 1) => Term::Present(args.remove(0).boxed()),
            ("id" | "elementid", 1) => match args.remove(0) {
                Term::Row(s) => Term::Column(s, "id".into()),
                x => x,
            },
            ("datetime" | "timestamp" | "date" | "localdatetime", 0) => now(),
            ("datetime" | "date" | "localdatetime" | "tolower" | "toupper" | "tostring" | "tointeger" | "trim", 1) => {
                args.remove(0)
            }
            ("duration", _) => Term::Span(args),
            ("coalesce", _) => Term::Either(args),
            ("count", 0) => Term::Count(None),
            ("count", 1) => Term::Count(Some(args.remove(0).boxed())),
            _ => Term::Call(name.to_owned(), args),
        }
    }
}

/// How many rows a test finds.
fn counted(there: Term) -> Term {
    match there {
        Term::Exists(q) => {
            let mut q = (*q).clone();
            if let Body::Select(s) = &mut q.body {
                s.give = vec![Given { name: None, term: Term::Count(None) }];
            }
            Term::Scalar(Rc::new(q))
        }
        x => Term::Opaque(vec![x]),
    }
}

fn one_or(mut parts: Vec<Term>, many: fn(Vec<Term>) -> Term) -> Term {
    match parts.len() {
        1 => parts.pop().unwrap_or(Term::Bool(true)),
        _ => many(parts),
    }
}
