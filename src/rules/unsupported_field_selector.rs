//! `unsupported-field-selector`: see `rules/docs/unsupported-field-selector.md`.
//!
//! ```text
//! old = f"metadata.creationTimestamp<{limit}"          text "metadata.creationTimestamp<", a hole
//! core.list_namespaced_secret(ns, field_selector=old)  Secret has no such field
//! ```
//! A selector is read as far as it is written out: a field that ends in a hole is judged by its head, what stands behind
//! the operator never matters.

mod commands;

use super::selector::{Reader, Term};
use super::*;
use crate::ask::Facts;
use crate::ir::{Bin, Call, Expr, ExprId, Lit};
use crate::vocab::{Bind, Kind, Row, ScopeKind, Selectors, selectors};

/// The rule.
pub static RULE: Rule = Rule {
    name: "unsupported-field-selector",
    summary: "lists by a field that the API server cannot select",
    here: "rejected by the API server",
    doc: include_str!("../../rules/docs/unsupported-field-selector.md"),
    severity: Severity::Error,
    pedantic: false,
    reads: Reads::Both,
    mend: Some(Mend::Selector),
    check: Check::Function(check),
    manifests: Some(commands::check),
};

fn check(scene: &Scene) -> Vec<Finding> {
    let Some(facts) = &scene.facts else { return vec![] };
    let mut out = vec![];
    for e in facts.summary.selects.iter().copied() {
        let Some(call) = facts.arena.call_of(e) else { continue };
        let Some(row) = facts.row(e) else { continue };
        let Some(scope) = row.scope.iter().find(|s| s.kind == ScopeKind::FieldSelector) else { continue };
        if let Some(selector) = facts.vocab.bound(facts.arena, call, row, scope.bind) {
            let list = List { scene, facts, e, call, row };
            out.extend(list.faulty_term(selector).and_then(|term| list.finding(selector, &term)));
        }
    }
    out
}

/// A list with a field selector.
struct List<'a> {
    scene: &'a Scene<'a>,
    facts: &'a Facts<'a>,
    e: ExprId,
    call: &'a Call,
    row: &'a Row,
}

impl List<'_> {
    /// The first condition that the server cannot answer.
    fn faulty_term(&self, selector: ExprId) -> Option<Term> {
        let table = selectors();
        let kind = self.kind(table);
        self.terms(selector).into_iter().find(|t| t.odd || !table.selectable(kind, &t.field, !t.open))
    }

    /// The conditions of a selector, as text, as a mapping, or put together from parts.
    fn terms(&self, selector: ExprId) -> Vec<Term> {
        let a = self.facts.arena;
        match a.get(selector) {
            Expr::Lit(Lit::Str(_)) => self.read(&[selector]),
            Expr::Format(parts) => match a.joined(selector) {
                // `",".join([..])`
                Some((between, all))
                    if a.as_str(between) == Some(",")
                        && matches!(a.get(all), Expr::One(_) | Expr::Binary(Bin::Union, ..)) =>
                {
                    self.terms(all)
                }
                _ => self.read(parts),
            },
            Expr::Choose(_, x, y) | Expr::Binary(Bin::Union, x, y) => {
                let mut all = self.terms(*x);
                all.extend(self.terms(*y));
                all
            }
            Expr::One(x) => self.terms(*x),
            Expr::Record(entries) => {
                let at = a.origin(selector);
                let field = |name: &str| name.split("__").next().unwrap_or(name).to_owned();
                entries.iter().map(|e| Term { field: field(e.0.as_str()), at, ..Term::default() }).collect()
            }
            _ => vec![],
        }
    }

    /// The conditions of a text with holes.
    fn read(&self, parts: &[ExprId]) -> Vec<Term> {
        let mut reader = Reader::default();
        for part in parts {
            match self.facts.arena.as_str(*part) {
                Some(text) => reader.text(text, self.facts.arena.origin(*part)),
                None => reader.hole(),
            }
        }
        reader.close()
    }

    /// The kind that is listed: by the name of the call, else as it was named on the way to it.
    fn kind<'t>(&self, table: &'t Selectors) -> Option<&'t Kind> {
        let called = self.facts.called(self.e)?;
        if let Some(kind) = table.called(called.as_str()) {
            return Some(kind);
        }
        if table.is_custom(called.as_str()) {
            return None;
        }
        let named = |bind: &str| {
            let value = self.facts.vocab.bound(self.facts.arena, self.call, self.row, Bind::Arg(crate::ir::sym(bind)));
            value.and_then(|v| self.facts.arena.as_str(v))
        };
        let noun = self.row.noun.map(|n| n.as_str());
        named("kind").or_else(|| self.kind_of_receiver()).or(noun).and_then(|word| table.spelled(word))
    }

    /// `client.resources.get(kind="Pod").get(..)`, `pykube.Pod.objects(api).filter(..)`
    fn kind_of_receiver(&self) -> Option<&'static str> {
        let a = self.facts.arena;
        let mut at = self.call.callee;
        for _ in 0..8 {
            at = match a.get(at) {
                Expr::Field(base, _) => *base,
                Expr::Call(c) => {
                    let kind = c.args.iter().find(|x| x.name.is_some_and(|n| n == "kind"));
                    if let Some(word) = kind.and_then(|x| a.as_str(x.value)) {
                        return Some(word);
                    }
                    c.callee
                }
                Expr::Path(p) => {
                    let class = |word: &&str| word.starts_with(|c: char| c.is_ascii_uppercase());
                    return p.as_str().split('.').find(class);
                }
                _ => return None,
            };
        }
        None
    }

    /// The list and the calls of helpers that lead to it.
    fn calls(&self) -> impl Iterator<Item = &crate::ir::Site> {
        let a = self.facts.arena;
        std::iter::successors(Some(a.site(self.call.site)), |s| s.via.map(|v| a.site(v)))
    }

    fn finding(&self, selector: ExprId, term: &Term) -> Option<Finding> {
        let a = self.facts.arena;
        let site = a.site(self.call.site);
        let written = term.at.or(a.origin(selector)).filter(|at| self.scene.func.span.contains(*at));
        // A helper's list is its own matter, unless the selector was given here.
        if site.via.is_some() && written.is_none() {
            return None;
        }
        // One text that stands at two places has the place of the first: of another call, for all we know.
        let own = |at: Span| self.calls().any(|s| s.whole.contains(at));
        let elsewhere = |at: Span| a.sites.iter().any(|s| s.whole.contains(at));
        let at = match written {
            Some(at) if own(at) || !elsewhere(at) => at,
            _ => site.name,
        };
        let (table, kind) = (selectors(), self.kind(selectors()));
        let noun = kind.map_or("objects".to_owned(), |k| super::plural(&k.name));
        let backed = site.row.is_some_and(|m| m.backed) && !self.row.guess;
        let mut steps = vec![Step { span: site.name, part: Part::Candidates, text: format!("{noun} are listed here") }];
        steps.extend(written.map(|span| Step { span, part: Part::Guard, text: "the selector".to_owned() }));
        steps.retain(|s| s.span != at);
        Some(Finding {
            rule: &RULE,
            severity: RULE.severity,
            confidence: if backed { Confidence::High } else { Confidence::Medium },
            message: message(table, kind, &noun, term),
            help: help(table, kind, &noun, term),
            at,
            statement: if site.stmt.contains(at) { site.stmt } else { at },
            steps,
            group: at,
            function: self.scene.function.to_owned(),
            fixes: vec![],
            excused: None,
        })
    }
}

fn message(table: &Selectors, kind: Option<&Kind>, noun: &str, term: &Term) -> String {
    if table.selectable(kind, &term.field, !term.open) {
        return format!("a field selector knows only `=`, `==` and `!=`: the API server rejects this list of {noun}");
    }
    let more = if term.open { "…" } else { "" };
    format!("{noun} cannot be selected by `{}{more}`: the API server rejects the list", term.field)
}

fn help(table: &Selectors, kind: Option<&Kind>, noun: &str, term: &Term) -> String {
    if let Some(say) = table.instead(kind, &term.field) {
        return say.to_owned();
    }
    match kind {
        Some(k) => {
            let fields: Vec<String> = table.fields(k).map(|f| format!("`{f}`")).collect();
            format!("list them all and filter in code; {noun} can be selected by {} only", fields.join(", "))
        }
        None => "list them all and filter in code".to_owned(),
    }
}
