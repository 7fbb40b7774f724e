//! Patterns: when they match, and what they bind.
//!
//! ```text
//! Some(row)                        present(v); row = v
//! Err(e) if e.is_not_found()       notfound(v)
//! State::Failed { id, .. }         v.#is == "Failed"; id = v.id
//! [first, ..]                      v; first = v.0
//! ```

use super::build::{Binding, Cx};
use super::call::is_type_name;
use super::guess::Kind;
use super::uses::plain;
use crate::ir::{Bin, Block, Expr, ExprId, Lit, Place, Stmt, Sym, Un, sym};
use crate::source::Span;
use syn::spanned::Spanned;
use syn::{Member, Pat};

/// A name that a pattern binds.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub name: String,
    pub value: ExprId,
    pub kind: Kind,
    pub at: Span,
}

/// Does a name say that there is no such thing?
pub(super) fn says_gone(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace('_', "");
    name.contains("notfound") || name.starts_with("nosuch") || name.starts_with("isnosuch") || name == "norows"
}

impl Cx<'_> {
    /// When a pattern matches a value. What it binds is added to `bound`.
    pub fn pattern(&mut self, pat: &Pat, v: ExprId, kind: Kind, bound: &mut Vec<Bound>) -> ExprId {
        let yes = self.yes();
        self.deeper(|cx| cx.matched(pat, v, kind, bound)).unwrap_or(yes)
    }

    fn matched(&mut self, pat: &Pat, v: ExprId, kind: Kind, bound: &mut Vec<Bound>) -> ExprId {
        match pat {
            Pat::Wild(_) | Pat::Rest(_) => self.yes(),
            Pat::Ident(p) => {
                let name = plain(&p.ident);
                if p.subpat.is_none() && name == "None" {
                    let here = self.present(v);
                    return self.arena.not(here);
                }
                if p.subpat.is_none() && p.by_ref.is_none() && name.starts_with(|c: char| c.is_uppercase()) {
                    return self.constant(v, &[name]);
                }
                let at = self.place(p.ident.span(), p.ident.span());
                bound.push(Bound { name, value: v, kind, at });
                match &p.subpat {
                    Some((_, sub)) => self.pattern(sub, v, kind, bound),
                    None => self.yes(),
                }
            }
            Pat::Guard(p) => {
                let test = self.pattern(&p.pat, v, kind, bound);
                let outer = self.stmt;
                self.stmt = self.place(p.if_token.span, super::span::end(&p.guard));
                let guard = self.under(bound, |cx| cx.expr(&p.guard));
                self.stmt = outer;
                // Only a failure can say that there is no such thing.
                match self.arena.get(guard) {
                    Expr::Unary(Un::NotFound, _) => guard,
                    _ => self.arena.and(test, guard),
                }
            }
            Pat::Or(p) => self.any_of(p, v, kind, bound),
            Pat::Paren(p) => self.pattern(&p.pat, v, kind, bound),
            Pat::Reference(p) => self.pattern(&p.pat, v, kind, bound),
            Pat::Type(p) => self.pattern(&p.pat, v, super::guess::kind_of_type(&p.ty), bound),
            Pat::Lit(p) => {
                let value = self.literal(&p.lit);
                self.equal(v, value)
            }
            Pat::Path(p) => {
                let parts: Vec<String> = p.path.segments.iter().map(|s| plain(&s.ident)).collect();
                self.constant(v, &parts)
            }
            Pat::Range(p) => {
                let mut test = self.yes();
                if let Some(low) = &p.start {
                    let low = self.expr(low);
                    test = self.arena.binary(Bin::Lt, low, v);
                }
                if let Some(high) = &p.end {
                    let high = self.expr(high);
                    let below = self.arena.binary(Bin::Lt, v, high);
                    test = self.arena.and(test, below);
                }
                test
            }
            Pat::Slice(p) => self.slice(p, v, bound),
            Pat::Struct(p) => self.structure(p, v, bound),
            Pat::Tuple(p) => self.parts(p.elems.iter(), v, bound),
            Pat::TupleStruct(p) => self.variant(p, v, bound),
            other => {
                let span = other.span();
                let at = self.place(span, span);
                self.hole("pattern", at)
            }
        }
    }

    /// Runs with the names of a pattern standing for their values.
    pub fn under<T>(&mut self, bound: &[Bound], run: impl FnOnce(&mut Self) -> T) -> T {
        self.scoped(|cx| {
            cx.bind_values(bound);
            run(cx)
        })
    }

    pub fn bind_values(&mut self, bound: &[Bound]) {
        for b in bound {
            self.bind(&b.name, Binding::Value(b.value, b.kind));
        }
    }

    /// `A | B`: a name is what it is in the case that matches.
    fn any_of(&mut self, p: &syn::PatOr, v: ExprId, kind: Kind, bound: &mut Vec<Bound>) -> ExprId {
        let mut all = self.arena.bool(false);
        let mut first: Option<Vec<Bound>> = None;
        for case in &p.cases {
            let mut own = Vec::new();
            let test = self.pattern(case, v, kind, &mut own);
            first = Some(match first {
                None => own,
                Some(mut merged) => {
                    for b in &mut merged {
                        if let Some(other) = own.iter().find(|o| o.name == b.name) {
                            b.value = self.arena.choose(test, other.value, b.value);
                        }
                    }
                    merged
                }
            });
            all = self.arena.or(all, test);
        }
        bound.extend(first.unwrap_or_default());
        all
    }

    /// A constant or a case without content.
    fn constant(&mut self, v: ExprId, parts: &[String]) -> ExprId {
        if let Some(gone) = self.gone_of(v) {
            return self.failure_named(gone, parts);
        }
        let value = self.constant_value(parts);
        self.equal(v, value)
    }

    /// Is a failure of the case of this name?
    fn failure_named(&mut self, gone: ExprId, parts: &[String]) -> ExprId {
        if parts.last().is_some_and(|p| says_gone(p)) {
            return gone;
        }
        let at = self.stmt;
        let unknown = self.opaque(at);
        let not = self.arena.not(gone);
        self.arena.and(not, unknown)
    }

    fn parts<'p>(&mut self, elems: impl Iterator<Item = &'p Pat>, v: ExprId, bound: &mut Vec<Bound>) -> ExprId {
        let mut test = self.yes();
        for (i, elem) in elems.enumerate() {
            if let Pat::Rest(_) = elem {
                break;
            }
            let part = self.field(v, &i.to_string());
            let holds = self.pattern(elem, part, Kind::Unknown, bound);
            test = self.arena.and(test, holds);
        }
        test
    }

    fn slice(&mut self, p: &syn::PatSlice, v: ExprId, bound: &mut Vec<Bound>) -> ExprId {
        if p.elems.is_empty() {
            return self.arena.not(v);
        }
        let rest = |p: &Pat| match p {
            Pat::Rest(_) => true,
            Pat::Ident(p) => matches!(&p.subpat, Some((_, sub)) if matches!(**sub, Pat::Rest(_))),
            _ => false,
        };
        let mut test = v;
        let open = p.elems.iter().any(rest);
        if let (true, 1) = (open, p.elems.len()) {
            test = self.yes();
        }
        if !open {
            let span = p.bracket_token.span.open();
            let at = self.place(span, p.bracket_token.span.close());
            let counted = self.opaque(at);
            test = self.arena.and(test, counted);
        }
        let count = p.elems.len() as i64;
        let mut behind = false;
        for (i, elem) in p.elems.iter().enumerate() {
            if rest(elem) {
                behind = true;
                if let Pat::Ident(name) = elem {
                    let at = self.place(name.ident.span(), name.ident.span());
                    bound.push(Bound { name: plain(&name.ident), value: v, kind: Kind::List, at });
                }
                continue;
            }
            let at = if behind { i as i64 - count } else { i as i64 };
            let part = self.field(v, &at.to_string());
            let holds = self.pattern(elem, part, Kind::Unknown, bound);
            test = self.arena.and(test, holds);
        }
        test
    }

    /// Is it of this case, where the path names one?
    fn is_case(&mut self, path: &syn::Path, v: ExprId) -> ExprId {
        let parts: Vec<String> = path.segments.iter().map(|s| plain(&s.ident)).collect();
        if let Some(gone) = self.gone_of(v) {
            return self.failure_named(gone, &parts);
        }
        match self.case_of(&parts) {
            Some(case) => {
                let is = self.field(v, "#is");
                let name = self.arena.str(&case);
                self.eq(is, name)
            }
            None => self.yes(),
        }
    }

    /// The name of the case that a path names: `State::Failed`, or an import of one.
    pub fn case_of(&self, parts: &[String]) -> Option<String> {
        let (last, before) = parts.split_last()?;
        if !is_type_name(last) {
            return None;
        }
        let imported = || {
            let path = self.facts.imports.get(&sym(last))?;
            path.rsplit('.').nth(1).map(str::to_string)
        };
        let owner = before.last().cloned().or_else(imported)?;
        // A column of a table is no case.
        (is_type_name(&owner) && owner != "Column").then(|| last.clone())
    }

    fn structure(&mut self, p: &syn::PatStruct, v: ExprId, bound: &mut Vec<Bound>) -> ExprId {
        let mut test = self.is_case(&p.path, v);
        let failure = self.gone_of(v);
        for field in &p.fields {
            let name = match &field.member {
                Member::Named(name) => plain(name),
                Member::Unnamed(index) => index.index.to_string(),
            };
            // `Err(Api(Response { code: 404, .. }))`
            if let (Some(gone), Pat::Lit(lit)) = (failure, &*field.pat)
                && let syn::Lit::Int(code) = &lit.lit
            {
                test = if matches!(code.base10_digits(), "404" | "410") { gone } else { self.failure_named(gone, &[]) };
                continue;
            }
            let part = self.field(v, &name);
            let holds = self.pattern(&field.pat, part, Kind::Unknown, bound);
            test = self.arena.and(test, holds);
        }
        test
    }

    fn variant(&mut self, p: &syn::PatTupleStruct, v: ExprId, bound: &mut Vec<Bound>) -> ExprId {
        let last = p.path.segments.last().map(|s| plain(&s.ident)).unwrap_or_default();
        let inner = p.elems.first();
        match (last.as_str(), inner) {
            ("Some" | "Ready" | "Continue", Some(inner)) => {
                let test = self.present(v);
                let there = self.there(v);
                let holds = self.pattern(inner, there, Kind::Unknown, bound);
                self.arena.and(test, holds)
            }
            ("Ok", Some(inner)) => {
                let raised = self.raised(v);
                let test = self.arena.not(raised);
                let there = self.there(v);
                let holds = self.pattern(inner, there, Kind::Unknown, bound);
                self.arena.and(test, holds)
            }
            ("Err", Some(inner)) => {
                let test = self.raised(v);
                let failure = self.failure_of(v);
                let holds = self.pattern(inner, failure, Kind::Unknown, bound);
                match self.arena.get(holds) {
                    Expr::Unary(Un::NotFound, _) => holds,
                    _ => self.arena.and(test, holds),
                }
            }
            (_, Some(inner)) if self.gone_of(v).is_some() => {
                if says_gone(&last) {
                    return self.is_case(&p.path, v);
                }
                // The failure inside a failure says as much as it.
                let holds = self.pattern(inner, v, Kind::Unknown, bound);
                match self.arena.get(holds) {
                    Expr::Lit(Lit::Bool(true)) => {
                        let at = self.stmt;
                        self.opaque(at)
                    }
                    _ => holds,
                }
            }
            _ => {
                let test = self.is_case(&p.path, v);
                let holds = self.parts(p.elems.iter(), v, bound);
                self.arena.and(test, holds)
            }
        }
    }

    /// Takes a value apart where the pattern cannot fail.
    pub fn bind_pattern(&mut self, pat: &Pat, v: ExprId, kind: Kind, out: &mut Block) {
        let mut bound = Vec::new();
        self.pattern(pat, v, kind, &mut bound);
        self.bind_locals(bound, out);
    }

    /// Makes locals of the names of a pattern.
    pub fn bind_locals(&mut self, bound: Vec<Bound>, out: &mut Block) {
        out.append(&mut self.pending);
        // A value may speak of a local that another name of the pattern is about to hide.
        for b in bound {
            let key = sym(&b.name);
            if matches!(self.arena.get(b.value), Expr::Name(n) if *n == key) {
                self.bind(&b.name, Binding::Local(key, b.kind));
                continue;
            }
            // What is asked of a failure is asked of what failed.
            if matches!(self.arena.get(b.value), Expr::Caught(_)) {
                self.bind(&b.name, Binding::Value(b.value, b.kind));
                continue;
            }
            let own: Sym = self.declare(&b.name, b.kind);
            self.arena.at(b.value, b.at);
            out.push(Stmt::Let(Place::Name(own), b.value));
        }
    }
}
