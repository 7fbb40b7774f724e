//! From a judged call to a finding: the places a reader needs, in the order of execution, and the words for them.
//!
//! ```text
//! candidates   every Deployment is listed here        api.list_deployment_for_all_namespaces()
//! reference    looked up here                         session.get(Lab, name)          in rows.py
//! guard        true when nothing is found             row is None or not is_active(row)
//! helper       decided in this helper                 may_delete(row)
//! delete       (the primary place)                    api.delete_namespaced_deployment(..)
//! ```
//! A finding is built with the call it is about and at least one place it rests on; no rule builds half a finding.

use super::*;
use crate::ask::{Answer, Tri};
use crate::ir::{Expr, ExprId, SiteId};
use crate::source::Language;
use crate::vocab::Role;

/// What a rule says.
#[derive(Clone, Debug)]
pub struct Words {
    /// What is wrong, as one clause.
    pub message: String,
    /// The smallest edit that makes it safe.
    pub help: String,
}

/// Guards shown in one finding: more confuse.
const GUARDS: usize = 3;

/// In functions with more expressions than this no place is sought for what nobody wrote.
const WIDE: usize = 8_000;

/// A finding of a verdict.
pub(super) fn build(rule: &'static Rule, s: &Sweep, v: Verdict, words: Words, function: &str) -> Finding {
    let (at, statement) = s.places();
    Finding {
        rule,
        severity: rule.severity,
        confidence: s.confidence(v),
        message: words.message,
        help: words.help,
        at,
        statement,
        steps: steps(s, v, at),
        group: at,
        function: function.to_owned(),
        fixes: vec![],
        excused: None,
    }
}

/// Steps with the order in which they happen.
struct Steps {
    at: Span,
    out: Vec<(usize, Step)>,
}

impl Steps {
    fn add(&mut self, order: usize, span: Option<Span>, part: Part, text: String) {
        if let Some(span) = span
            && span != self.at
            && !self.out.iter().any(|(_, o)| o.span == span)
        {
            self.out.push((order, Step { span, part, text }));
        }
    }

    /// The calls of helpers that lead to a place.
    fn helpers(&mut self, s: &Sweep, order: usize, via: &[SiteId], text: &str) {
        for v in via {
            self.add(order, Some(s.site_name(*v)), Part::Helper, text.to_owned());
        }
    }
}

/// After every read.
const LATE: usize = usize::MAX / 2;

fn steps(s: &Sweep, v: Verdict, at: Span) -> Vec<Step> {
    let mut out = Steps { at, out: vec![] };
    let read_at = |e: ExprId| s.facts().read_at(e).map_or(LATE / 2, |n| 4 * n);
    if let Some(c) = s.candidates() {
        out.helpers(s, read_at(c), &s.chain(c), "listed by this helper");
        out.add(read_at(c) + 1, s.name_of(c), Part::Candidates, s.candidates_text(c));
    }
    for r in s.rests_on(v).into_iter().chain(s.references()) {
        if Some(r) == s.candidates() {
            continue;
        }
        let (part, text) = s.reference_text(r);
        out.helpers(s, read_at(r), &s.chain(r), "looked up by this helper");
        out.add(read_at(r) + 1, s.name_of(r), part, text);
    }
    for l in s.lookups() {
        out.add(LATE, s.facts().arena.origin(l.at), Part::Lookup, "the target is looked for here".to_owned());
    }
    for g in telling_guards(s) {
        let Some((span, via)) = s.written(g) else { continue };
        out.add(LATE + 1, Some(span), Part::Guard, s.guard_text(v).to_owned());
        out.helpers(s, LATE + 2, &s.via_chain(via), "decided by this helper");
    }
    out.add(LATE + 3, s.statement_text(), Part::Delete, "by this statement".to_owned());
    if let Some(c) = s.facts().arena.call_of(s.effect.call) {
        let via = s.facts().arena.site(c.site).via;
        out.helpers(s, LATE + 3, &s.via_chain(via), "deleted by this helper");
    }
    out.out.sort_by_key(|(order, step)| (*order, step.part));
    out.out.into_iter().map(|(_, s)| s).collect()
}

/// The conditions to show: where absence decides, those that ask for the record. What else stands open on the way, a switch
/// or a filter, is nothing that anybody could mend.
fn telling_guards(s: &Sweep) -> Vec<ExprId> {
    let a = &s.facts().arena;
    let looks = s.lookups();
    let others = || s.guards().iter().copied().filter(|g| !looks.iter().any(|l| l.at == *g));
    if !s.absence_permits() {
        return others().take(GUARDS).collect();
    }
    let asks = |g: &ExprId| a.mentions(*g, &mut |x| looks.iter().any(|l| l.at == x));
    others().filter(asks).take(GUARDS).collect()
}

/// The words and places of a judged call, for rules.
impl Sweep<'_> {
    /// The destructive call's name, and the statement it stands in.
    pub fn places(&self) -> (Span, Span) {
        match self.facts().arena.call_of(self.effect.call) {
            Some(c) => {
                let site = self.facts().arena.site(c.site);
                (site.name, site.stmt)
            }
            None => {
                let at = self.effect.at.unwrap_or(Span { file: crate::source::FileId(0), start: 0, end: 0 });
                (at, at)
            }
        }
    }

    /// Where the text that says what is destroyed is written, if not in the call that sends it: `const PRUNE: &str = ..`.
    fn statement_text(&self) -> Option<Span> {
        let facts = self.facts();
        let c = facts.arena.call_of(self.effect.call)?;
        let row = facts.row(self.effect.call).filter(|r| matches!(r.role, Role::Statement | Role::Execute))?;
        let text = match row.target {
            Some(bind) => facts.vocab.bound(facts.arena, c, row, bind)?,
            None => c.args.first()?.value,
        };
        let whole = facts.arena.site(c.site).whole;
        let written = matches!(facts.arena.get(text), Expr::Lit(_));
        facts.arena.origin(text).filter(|at| written && !whole.contains(*at))
    }

    /// The place of an expression: the name of a call, else where it was written.
    pub fn name_of(&self, e: ExprId) -> Option<Span> {
        match self.facts().arena.call_of(e) {
            Some(c) => Some(self.facts().arena.site(c.site).name),
            None => self.facts().arena.origin(e),
        }
    }

    fn site_name(&self, s: SiteId) -> Span {
        self.facts().arena.site(s).name
    }

    /// A site and the calls it was copied under, outermost first.
    fn via_chain(&self, from: Option<SiteId>) -> Vec<SiteId> {
        let mut out = vec![];
        let mut at = from;
        while let Some(v) = at {
            out.push(v);
            at = self.facts().arena.site(v).via;
        }
        out.reverse();
        out
    }

    fn chain(&self, e: ExprId) -> Vec<SiteId> {
        self.via_chain(self.facts().arena.via(e))
    }

    /// Where an expression was written, and the call that brought it here; of what no one wrote (`any`), the narrowest
    /// part of the condition around it that someone did.
    fn written(&self, e: ExprId) -> Option<(Span, Option<SiteId>)> {
        let a = self.facts().arena;
        if let Some(span) = self.name_of(e) {
            return Some((span, a.via(e)));
        }
        if a.len() > WIDE {
            return None;
        }
        let mut best: Option<(Span, Option<SiteId>)> = None;
        a.mentions(self.effect.when, &mut |x| {
            if let Some(span) = a.origin(x)
                && best.is_none_or(|(b, _)| span.end - span.start < b.end - b.start)
                && a.mentions(x, &mut |y| y == e)
            {
                best = Some((span, a.via(x)));
            }
            false
        });
        best
    }

    /// "this Pod", "this row".
    pub fn this(&self) -> String {
        let noun = self.facts().row(self.effect.call).and_then(|r| r.noun);
        let noun = noun.or_else(|| self.candidates().and_then(|c| self.facts().row(c)?.noun));
        match noun {
            Some(n) => format!("this {n}"),
            None if matches!(self.facts().arena.get(self.effect.call), Expr::Field(..)) => "this record".into(),
            None => "this".into(),
        }
    }

    /// The noun of a row, where it says more than that it is a thing.
    fn noun(&self, e: ExprId) -> Option<String> {
        let n = self.facts().row(e)?.noun?;
        (!matches!(n.as_str(), "object" | "resource" | "thing" | "entry")).then(|| n.to_string())
    }

    /// The model or table a query reads.
    fn model(&self, r: ExprId) -> Option<String> {
        let a = self.facts().arena;
        let row = self.facts().row(r)?;
        if row.role != Role::Query {
            return None;
        }
        let c = a.call_of(r)?;
        let path = |e: ExprId| match a.get(e) {
            Expr::Path(p) => Some(p.as_str()),
            _ => None,
        };
        let named = c.args.iter().find_map(|x| path(x.value)).or_else(|| path(c.callee))?;
        let upper = |w: &&str| w.chars().next().is_some_and(char::is_uppercase);
        named.rsplit('.').find(upper).map(str::to_owned)
    }

    /// "no Lab row was found for it", "`list_pods` does not know it".
    pub fn nothing_found(&self) -> String {
        let refs = self.references();
        let Some(r) = refs.first() else { return "nothing was found for it".into() };
        if let Some(m) = self.model(*r) {
            return format!("no {m} row was found for it");
        }
        match (self.noun(*r), self.facts().called(*r)) {
            (Some(n), _) => format!("no {n} was found for it"),
            (None, Some(f)) => format!("`{f}` does not know it"),
            (None, None) => "nothing was found for it".into(),
        }
    }

    /// "the Lab rows", "`list_pods`", or "what is in use".
    pub fn reference_name(&self) -> String {
        let r = self.failing.as_ref().map(|f| f.0).or_else(|| self.references().first().copied());
        let Some(r) = r else { return "what is in use".into() };
        match (self.model(r), self.facts().called(r)) {
            (Some(m), _) => format!("the {m} table"),
            (None, Some(f)) => format!("`{f}`"),
            (None, None) => "what is in use".into(),
        }
    }

    fn reference_text(&self, r: ExprId) -> (Part, String) {
        let find = matches!(self.facts().role(r), Some(Role::Find | Role::First | Role::Exists));
        let what = self.model(r).map(|m| format!("{m} rows")).or_else(|| self.noun(r).map(|n| plural(&n)));
        match (find, what) {
            (true, _) => (Part::Lookup, "looked up here".into()),
            (false, Some(w)) => (Part::Reference, format!("the {w} are read here")),
            (false, None) => (Part::Reference, "what is in use is read here".into()),
        }
    }

    /// "the candidates", or "the Secrets".
    pub fn candidates_name(&self) -> String {
        match self.listed() {
            Some(n) => format!("the {}", plural(&n)),
            None => "the candidates".into(),
        }
    }

    /// What is listed, in the singular: the candidates' noun, else that of what is deleted.
    fn listed(&self) -> Option<String> {
        let own = self.candidates().and_then(|c| self.noun(c));
        own.or_else(|| self.noun(self.effect.call))
    }

    /// "every Pod is listed, whoever's it is", "Pods are listed without an own id".
    pub fn candidates_width(&self) -> String {
        let row = self.candidates().and_then(|c| self.facts().row(c));
        match (row, self.listed()) {
            (Some(r), Some(n)) if r.wide => format!("every {n} is listed, whoever's it is"),
            (Some(r), None) if r.wide => "everything is listed, whoever's it is".into(),
            (Some(_), Some(n)) => format!("{} are listed without an id of this installation", plural(&n)),
            (Some(_), None) => "they are listed without an id of this installation".into(),
            (None, _) => "the list reaches further than this installation".into(),
        }
    }

    fn candidates_text(&self, c: ExprId) -> String {
        match (self.facts().row(c), self.listed()) {
            (Some(r), Some(n)) if r.wide => format!("every {n} is listed here"),
            (Some(_), Some(n)) => format!("the {} are listed here", plural(&n)),
            _ => "the candidates come from here".to_owned(),
        }
    }

    /// What a guard has to do with a verdict.
    fn guard_text(&self, v: Verdict) -> &'static str {
        match v {
            Verdict::Precondition => "checked here",
            _ if self.absence_permits() => "lets the call through when nothing is found",
            Verdict::Grace => "lets through what is a second old",
            _ => "lets the call through",
        }
    }

    /// The shape of the safe condition, where the guard is a lookup by key.
    pub fn lookup_hint(&self) -> &'static str {
        let find = self.references().first().is_some_and(|r| self.facts().is_find(*r));
        let language = self.references().first().and_then(|r| self.facts().row(*r)).map(|r| r.language);
        match language {
            _ if !find => "",
            Some(Language::Go) => " (`row != nil && !isActive(row)`)",
            Some(Language::Rust) => " (`row.is_some_and(|row| !is_active(&row))`)",
            _ => " (`row is not None and not is_active(row)`)",
        }
    }
}

/// The five answers, for people.
pub(super) fn explain(s: &Sweep, sources: &Sources) -> String {
    let (at, _) = s.places();
    let mut out = format!("{}\n", sources.text(at));
    let verdicts: Vec<&str> =
        RULES.iter().filter(|r| matches!(r.check, Check::Verdict(v, _) if s.is(v))).map(|r| r.name).collect();
    let rows = [
        ("known", "a record knows it", &s.present),
        ("absent", "nothing is known of it", &s.absent),
        ("newborn", "nothing is known of it, and it is a second old", &s.newborn),
        ("foreign", "nothing is known of it, and it is another installation's", &s.foreign),
    ];
    for (name, what, answer) in rows {
        out.push_str(&format!("  {name:8} ({what}): {}\n", reached(answer)));
        let mut shown: Vec<String> = vec![];
        for (span, _) in evidence(answer).iter().take(8).filter_map(|e| s.written(*e)) {
            let text = one_line(sources.text(span));
            if !shown.contains(&text) {
                out.push_str(&format!("           {text}\n"));
                shown.push(text);
            }
        }
    }
    for l in s.lookups() {
        let at = s.name_of(l.at).map(|x| one_line(sources.text(x))).unwrap_or_default();
        let reference = s.name_of(l.reference).map(|x| one_line(sources.text(x))).unwrap_or_default();
        out.push_str(&format!("  looked up: {at}, in {reference}\n"));
    }
    match &s.failing {
        Some((r, _)) => {
            let call = s.name_of(*r).map(|x| one_line(sources.text(x))).unwrap_or_default();
            out.push_str(&format!("  failed   (a read fails): deleted when {call} fails\n"));
        }
        None => out.push_str("  failed   (a read fails): not deleted\n"),
    }
    let said = if verdicts.is_empty() { "nothing to report".to_owned() } else { verdicts.join(", ") };
    out.push_str(&format!("  verdict: {said}\n"));
    out
}

/// Where the conditions stand by which the target is spared.
pub(super) fn safeguards(s: &Sweep) -> Vec<Span> {
    let mut out: Vec<Span> = vec![];
    for answer in [&s.absent, &s.newborn, &s.foreign].into_iter().filter(|answer| answer.tri == Tri::No) {
        for (span, _) in evidence(answer).iter().filter_map(|e| s.written(*e)) {
            if !out.contains(&span) {
                out.push(span);
            }
        }
    }
    out
}

fn reached(a: &Answer) -> &'static str {
    match a.tri {
        Tri::No => "not deleted, because of",
        Tri::Maybe => "may be deleted, by",
        Tri::Yes => "deleted, by",
    }
}

fn evidence(a: &Answer) -> &[ExprId] {
    if a.tri == Tri::No { &a.con.exprs } else { &a.pro.exprs }
}

fn one_line(text: &str) -> String {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if joined.chars().count() > 90 { joined.chars().take(87).chain("...".chars()).collect() } else { joined }
}
