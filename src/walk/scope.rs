//! Selectors are conditions on the element.
//!
//! ```text
//! list_namespaced_pod(ns, label_selector=f"app=lab,env={self.env}")
//!     [e | e in list.., e.namespace == ns and e.labels.app == "lab" and e.labels.env == self.env]
//! ```
//! After that no question knows what a selector is: whether `self.env` is an identity is told by its value, and a
//! selector that is only there `if env` is `(env ? cond : true)`.

use super::*;
use crate::vocab::{CommandWord, ScopeKind};

/// A piece of a selector's text: written out, or a value.
enum Piece {
    Text(String),
    Value(ExprId),
}

impl Walk<'_> {
    /// A listing with what its arguments say about its elements.
    pub(super) fn scoped(&mut self, row: &Row, call: &Call, e: ExprId) -> ExprId {
        if row.scope.is_empty() {
            return e;
        }
        let b = self.a.binder(e);
        let elem = self.a.mk(Expr::Elem(b));
        let conds = self.conditions(row, call, elem);
        let mut keep = self.a.bool(true);
        for c in conds {
            keep = self.a.and(keep, c);
        }
        if row.negated {
            keep = self.a.not(keep);
        }
        if self.a.as_bool(keep) == Some(true) { e } else { self.a.gather(b, keep, elem) }
    }

    /// The conditions a row's scope puts on an element.
    pub(super) fn conditions(&mut self, row: &Row, call: &Call, elem: ExprId) -> Vec<ExprId> {
        let mut out = vec![];
        for scope in &row.scope {
            match scope.kind {
                ScopeKind::Keywords => {
                    for a in &call.args {
                        if let Some(n) = a.name.filter(|n| !n.as_str().starts_with('*')) {
                            out.push(self.keyword_condition(n, a.value, elem));
                        }
                    }
                }
                ScopeKind::Conditions => {
                    if let Some(said) = self.stated(row, call, elem) {
                        out.push(said);
                        continue;
                    }
                    // A condition that is given as a keyword was read as such.
                    let plain = |v: &ExprId| call.args.iter().any(|x| x.name.is_none() && x.value == *v);
                    let given = self.ctx.vocab().bound_all(&self.a, call, row, scope.bind);
                    for v in given.into_iter().filter(plain) {
                        let along = self.condition_on_joined(v, elem);
                        out.push(along.unwrap_or_else(|| self.column_condition(v, elem)));
                    }
                }
                ScopeKind::Comparison => {
                    let given = self.ctx.vocab().bound_all(&self.a, call, row, scope.bind);
                    out.extend(self.comparison(&given, elem));
                }
                ScopeKind::Aged => {
                    let (made, limit) = (self.a.field(elem, sym("created_at")), self.a.unknown());
                    out.push(self.a.binary(Bin::Lt, made, limit));
                }
                ScopeKind::Options => {
                    for v in self.ctx.vocab().bound_all(&self.a, call, row, scope.bind) {
                        out.push(self.option(v, elem));
                    }
                }
                kind => {
                    if let Some(v) = self.bound(call, row, scope.bind) {
                        out.push(self.condition_of(kind, v, elem));
                    }
                }
            }
        }
        out
    }

    /// What the options of a command say about what it lists or deletes.
    pub(super) fn command_scope(&mut self, scope: &[(ScopeKind, CommandWord)], e: ExprId) -> ExprId {
        let b = self.a.binder(e);
        let elem = self.a.mk(Expr::Elem(b));
        let mut keep = self.a.bool(true);
        for (kind, word) in scope {
            let v = self.word_value(word);
            let c = self.condition_of(*kind, v, elem);
            keep = self.a.and(keep, c);
        }
        if self.a.as_bool(keep) == Some(true) { e } else { self.a.gather(b, keep, elem) }
    }

    fn condition_of(&mut self, kind: ScopeKind, v: ExprId, elem: ExprId) -> ExprId {
        match *self.a.get(v) {
            Expr::Lit(Lit::Nothing | Lit::Empty) => return self.a.bool(true),
            _ if kind == ScopeKind::Namespace && self.ctx.vocab().is_everywhere(&self.a, v) => {
                return self.a.bool(true);
            }
            // A filter that is only there sometimes.
            Expr::Choose(c, t, f) => {
                let (t, f) = (self.condition_of(kind, t, elem), self.condition_of(kind, f, elem));
                return self.a.choose(c, t, f);
            }
            _ => {}
        }
        match kind {
            ScopeKind::Namespace => self.same(elem, "namespace", v),
            ScopeKind::Prefix => self.same(elem, "#prefix", v),
            ScopeKind::Space => self.same(elem, "#space", v),
            ScopeKind::LabelSelector if matches!(self.a.get(v), Expr::Record(_)) => self.labels(v, elem),
            ScopeKind::LabelSelector => self.selector(v, elem, true),
            ScopeKind::FieldSelector => self.fields(v, elem),
            ScopeKind::Labels => self.labels(v, elem),
            ScopeKind::LabelKeys => self.label_keys(v, elem),
            ScopeKind::Key
            | ScopeKind::Wide
            | ScopeKind::Keywords
            | ScopeKind::Conditions
            | ScopeKind::Comparison
            | ScopeKind::Aged
            | ScopeKind::Options => self.a.bool(true),
        }
    }

    /// `"created", "<", cutoff`
    fn comparison(&mut self, given: &[ExprId], elem: ExprId) -> Option<ExprId> {
        let [field, operator, value] = *given else { return None };
        let (field, operator) = (self.a.as_str(field)?.to_owned(), self.a.as_str(operator)?.to_owned());
        let field = field.split('.').fold(elem, |e, f| self.a.field(e, sym(f)));
        let held = |w: &mut Self, coll, x| {
            let found = w.a.mk(Expr::Lookup(coll, x));
            w.a.unary(Un::Present, found)
        };
        Some(match operator.as_str() {
            "<" | "<=" => self.a.binary(Bin::Lt, field, value),
            ">" | ">=" => self.a.binary(Bin::Lt, value, field),
            "==" | "=" => self.a.binary(Bin::Eq, field, value),
            "!=" => {
                let same = self.a.binary(Bin::Eq, field, value);
                self.a.not(same)
            }
            "in" => held(self, value, field),
            "not-in" => {
                let there = held(self, value, field);
                self.a.not(there)
            }
            _ => return None,
        })
    }

    /// What an option of a listing says of an element; several where it is a list of them. Pairs are labels, and a text is
    /// the key of one.
    ///
    /// ```text
    /// opts := []ListOption{InNamespace(ns)}                  e.namespace == ns and (strict ? e.labels.owner == me : true)
    /// if strict { opts = append(opts, MatchingLabels{..}) }
    /// ```
    fn option(&mut self, v: ExprId, elem: ExprId) -> ExprId {
        match self.a.get(v).clone() {
            Expr::One(x) => self.option(x, elem),
            Expr::Binary(Bin::Union, l, r) => {
                let (l, r) = (self.option(l, elem), self.option(r, elem));
                self.a.and(l, r)
            }
            Expr::Choose(c, t, f) => {
                let (t, f) = (self.option(t, elem), self.option(f, elem));
                self.a.choose(c, t, f)
            }
            Expr::Call(call) => {
                let mut keep = self.a.bool(true);
                let row = self.ctx.vocab().matched(&self.a, &call, &self.file);
                let Some(row) = row.map(|m| self.ctx.vocab().row(m.row)) else { return keep };
                if row.role == crate::vocab::Role::Option {
                    for c in self.conditions(row, &call, elem) {
                        keep = self.a.and(keep, c);
                    }
                }
                keep
            }
            // A record of another type says it by its fields.
            Expr::Record(parts) if part(&parts, "#is").is_none() => self.labels(v, elem),
            Expr::Lit(Lit::Str(_)) | Expr::Format(_) => self.label_keys(v, elem),
            _ => self.a.bool(true),
        }
    }

    /// Keys that must be there. A text with `=` in it is no key, and asks for nothing.
    fn label_keys(&mut self, v: ExprId, elem: ExprId) -> ExprId {
        match *self.a.get(v) {
            Expr::One(x) => self.label_keys(x, elem),
            Expr::Binary(Bin::Union, l, r) => {
                let (l, r) = (self.label_keys(l, elem), self.label_keys(r, elem));
                self.a.and(l, r)
            }
            Expr::Lit(Lit::Str(k)) if k.contains('=') => self.a.bool(true),
            Expr::Format(_) => {
                let mut pieces = vec![];
                self.pieces(v, &mut pieces);
                let pair = pieces.iter().any(|p| matches!(p, Piece::Text(t) if t.contains('=')));
                if pair { self.a.bool(true) } else { self.key_there(v, elem) }
            }
            _ => self.key_there(v, elem),
        }
    }

    fn key_there(&mut self, key: ExprId, elem: ExprId) -> ExprId {
        let labels = self.a.field(elem, sym("labels"));
        let there = match self.a.as_str(key) {
            Some(k) => self.a.field(labels, sym(k)),
            None => self.a.mk(Expr::Lookup(labels, key)),
        };
        self.a.unary(Un::Present, there)
    }

    fn same(&mut self, elem: ExprId, field: &str, v: ExprId) -> ExprId {
        let f = self.a.field(elem, sym(field));
        self.a.binary(Bin::Eq, f, v)
    }

    /// A selector on fields: text, or a mapping of what an index calls them.
    ///
    /// ```text
    /// MatchingFields{"spec.nodeName": node}      e.spec.nodeName == node
    /// MatchingFields{ownerIndex: set.Name}       e.#fields.ownerIndex == set.Name
    /// ```
    fn fields(&mut self, v: ExprId, elem: ExprId) -> ExprId {
        let parts = match self.a.get(v).clone() {
            Expr::Record(parts) => parts,
            _ => return self.selector(v, elem, false),
        };
        let mut keep = self.a.bool(true);
        for (k, x) in parts.into_iter().filter(|p| !p.0.starts_with("#is")) {
            let own = ["metadata.", "spec.", "status."].iter().any(|part| k.starts_with(part));
            let field = if own {
                k.split('.').fold(elem, |e, f| self.a.field(e, sym(f)))
            } else {
                let indexed = self.a.field(elem, sym("#fields"));
                self.a.field(indexed, k)
            };
            let c = self.a.binary(Bin::Eq, field, x);
            keep = self.a.and(keep, c);
        }
        keep
    }

    /// Labels, tags or filters: a mapping, a list of `{"Name": .., "Values": [..]}`, or `key=value` text.
    fn labels(&mut self, v: ExprId, elem: ExprId) -> ExprId {
        match self.a.get(v).clone() {
            Expr::Record(parts) => {
                if let (Some(name), Some(values)) =
                    (part(&parts, "Name"), part(&parts, "Values").or(part(&parts, "Value")))
                {
                    return self.named_filter(name, values, elem);
                }
                let mut keep = self.a.bool(true);
                for (k, x) in parts.into_iter().filter(|p| !p.0.starts_with('#')) {
                    let c = match k.as_str() {
                        // Docker's filters: the text says key and value.
                        "label" | "labels" | "tag" => self.labels(x, elem),
                        "name" | "prefix" => self.same(elem, "#prefix", x),
                        _ => {
                            let labels = self.a.field(elem, sym("labels"));
                            let f = self.a.field(labels, k);
                            self.a.binary(Bin::Eq, f, x)
                        }
                    };
                    keep = self.a.and(keep, c);
                }
                keep
            }
            Expr::Binary(Bin::Union, l, r) => {
                let (l, r) = (self.labels(l, elem), self.labels(r, elem));
                self.a.and(l, r)
            }
            Expr::One(x) => self.labels(x, elem),
            // `Filter::builder().name("tag:stage").values(&stage).build()`
            Expr::Call(_) => match self.built_filter(v) {
                Some((name, values)) => self.named_filter(name, values, elem),
                None => self.same(elem, "labels", v),
            },
            Expr::Lit(Lit::Str(_)) | Expr::Format(_) => self.selector(v, elem, true),
            _ => self.same(elem, "labels", v),
        }
    }

    /// The name and the values of a filter that is built step by step.
    fn built_filter(&self, v: ExprId) -> Option<(ExprId, ExprId)> {
        let part = |name: &str| self.ctx.vocab().part(&self.a, v, sym(name));
        Some((part("name").or_else(|| part("key"))?, part("values").or_else(|| part("value"))?))
    }

    fn named_filter(&mut self, name: ExprId, values: ExprId, elem: ExprId) -> ExprId {
        let value = match *self.a.get(values) {
            Expr::One(x) => x,
            _ => values,
        };
        let field = match self.a.get(name).clone() {
            Expr::Lit(Lit::Str(n)) => match n.as_str().split_once(':') {
                Some(("tag", k)) => {
                    let tags = self.a.field(elem, sym("tags"));
                    self.a.field(tags, sym(k))
                }
                // That a tag is there.
                _ if n == "tag-key" => {
                    let tags = self.a.field(elem, sym("tags"));
                    let l = self.a.mk(Expr::Lookup(tags, value));
                    return self.a.unary(Un::Present, l);
                }
                _ => self.a.field(elem, n),
            },
            // A tag whose key is a value.
            _ => {
                let tags = self.a.field(elem, sym("tags"));
                self.a.mk(Expr::Lookup(tags, name))
            }
        };
        self.a.binary(Bin::Eq, field, value)
    }

    /// `app=lab,owner in (a,b),!skip` with values in it.
    fn selector(&mut self, v: ExprId, elem: ExprId, labels: bool) -> ExprId {
        let mut pieces = vec![];
        if !self.pieces(v, &mut pieces) {
            let f = if labels { "labels" } else { "#fields" };
            return self.same(elem, f, v);
        }
        let mut keep = self.a.bool(true);
        for term in split_terms(pieces) {
            let c = self.term(term, elem, labels);
            keep = self.a.and(keep, c);
        }
        keep
    }

    /// The text of a selector in pieces; `false` where nothing of it is written out.
    fn pieces(&self, v: ExprId, out: &mut Vec<Piece>) -> bool {
        match self.a.get(v) {
            Expr::Lit(Lit::Str(t)) => {
                // `format!("{KEY}={}", value)`: the constant and what follows it are one text.
                match out.last_mut() {
                    Some(Piece::Text(text)) => text.push_str(t.as_str()),
                    _ => out.push(Piece::Text(t.as_str().to_owned())),
                }
                true
            }
            Expr::Format(parts) => {
                let mut written = false;
                for p in parts {
                    match self.a.get(*p) {
                        Expr::Lit(Lit::Str(_)) | Expr::Format(_) => written |= self.pieces(*p, out),
                        _ => out.push(Piece::Value(*p)),
                    }
                }
                written
            }
            _ => false,
        }
    }

    fn term(&mut self, term: Vec<Piece>, elem: ExprId, labels: bool) -> ExprId {
        let (key, op, rest) = read_term(term);
        let base = if labels { self.a.field(elem, sym("labels")) } else { elem };
        let field = match key {
            Some(k) if labels => self.a.field(base, sym(&k)),
            Some(k) => k.split('.').fold(base, |e, f| self.a.field(e, sym(f))),
            // The key itself is a value.
            None => match rest.iter().find_map(value_of) {
                Some(k) => self.a.mk(Expr::Lookup(base, k)),
                None => return self.a.bool(true),
            },
        };
        match op {
            Op::Present => self.a.unary(Un::Present, field),
            Op::Absent => {
                let p = self.a.unary(Un::Present, field);
                self.a.not(p)
            }
            Op::Is | Op::IsNot => {
                let v = self.text_value(rest);
                let c = self.a.binary(Bin::Eq, field, v);
                if op == Op::IsNot { self.a.not(c) } else { c }
            }
            Op::In | Op::NotIn => {
                let coll = self.members(rest);
                let l = self.a.mk(Expr::Lookup(coll, field));
                let c = self.a.unary(Un::Present, l);
                if op == Op::NotIn { self.a.not(c) } else { c }
            }
        }
    }

    fn text_value(&mut self, rest: Vec<Piece>) -> ExprId {
        let mut parts = vec![];
        for p in rest {
            match p {
                Piece::Text(t) if t.trim().is_empty() => {}
                Piece::Text(t) => parts.push(self.a.str(t.trim())),
                Piece::Value(v) => parts.push(v),
            }
        }
        match parts[..] {
            [one] => one,
            [] => self.a.str(""),
            _ => self.a.mk(Expr::Format(parts)),
        }
    }

    /// `(a,b)` or `({','.join(ids)})`: the collection.
    fn members(&mut self, rest: Vec<Piece>) -> ExprId {
        let mut out = self.a.lit(Lit::Empty);
        for p in rest {
            match p {
                Piece::Text(t) => {
                    for w in t.split([',', '(', ')', ' ']).filter(|w| !w.is_empty()) {
                        let w = self.a.str(w);
                        let one = self.a.mk(Expr::One(w));
                        out = self.a.union(out, one);
                    }
                }
                Piece::Value(v) => {
                    let joined = self.joined(v);
                    out = self.a.union(out, joined);
                }
            }
        }
        out
    }

    /// The list behind `",".join(list)`.
    fn joined(&self, v: ExprId) -> ExprId {
        match self.a.get(v) {
            Expr::Call(c) => match (self.a.get(c.callee), c.args.first()) {
                (Expr::Field(_, m), Some(a)) if *m == "join" => a.value,
                _ => v,
            },
            Expr::Format(parts) if parts.len() == 1 => self.joined(parts[0]),
            _ => v,
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Op {
    Present,
    Absent,
    Is,
    IsNot,
    In,
    NotIn,
}

fn part(parts: &[(Sym, ExprId)], name: &str) -> Option<ExprId> {
    parts.iter().find(|p| p.0 == name).map(|p| p.1)
}

fn value_of(p: &Piece) -> Option<ExprId> {
    match p {
        Piece::Value(v) => Some(*v),
        Piece::Text(_) => None,
    }
}

/// The terms between commas that stand outside parentheses.
fn split_terms(pieces: Vec<Piece>) -> Vec<Vec<Piece>> {
    let (mut out, mut cur, mut depth) = (vec![], vec![], 0);
    for p in pieces {
        let Piece::Text(text) = p else {
            cur.push(p);
            continue;
        };
        let mut word = String::new();
        for c in text.chars() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                ',' if depth == 0 => {
                    if !word.is_empty() {
                        cur.push(Piece::Text(std::mem::take(&mut word)));
                    }
                    out.push(std::mem::take(&mut cur));
                    continue;
                }
                _ => {}
            }
            word.push(c);
        }
        if !word.is_empty() {
            cur.push(Piece::Text(word));
        }
    }
    out.push(cur);
    out.retain(|t| t.iter().any(|p| !matches!(p, Piece::Text(w) if w.trim().is_empty())));
    out
}

/// Key, operator, and what stands behind it. No key: it is a value.
fn read_term(mut term: Vec<Piece>) -> (Option<String>, Op, Vec<Piece>) {
    let Some(Piece::Text(head)) = term.first() else {
        let op = if term.len() > 1 { Op::Is } else { Op::Present };
        term.truncate(1);
        return (None, op, term);
    };
    let head = head.trim().to_owned();
    let rest = |at: usize, term: &mut Vec<Piece>| {
        let tail = head.get(at..).unwrap_or_default().to_owned();
        let mut out = vec![Piece::Text(tail)];
        out.extend(term.drain(..).skip(1));
        out
    };
    for (mark, op) in
        [(" notin", Op::NotIn), (" in ", Op::In), (" in(", Op::In), ("!=", Op::IsNot), ("==", Op::Is), ("=", Op::Is)]
    {
        if let Some(i) = head.find(mark) {
            let at = if mark == " in(" { i + 3 } else { i + mark.len() };
            let key = head.get(..i).unwrap_or_default().trim().to_owned();
            return (Some(key), op, rest(at, &mut term));
        }
    }
    match head.strip_prefix('!') {
        Some(k) => (Some(k.to_owned()), Op::Absent, vec![]),
        None => (Some(head), Op::Present, vec![]),
    }
}
