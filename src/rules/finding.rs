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
    }
}

fn steps(s: &Sweep, v: Verdict, at: Span) -> Vec<Step> {
    let mut out: Vec<(usize, Step)> = vec![];
    let mut add = |order: usize, span: Option<Span>, part: Part, text: String| {
        if let Some(span) = span
            && span != at
            && !out.iter().any(|(_, o)| o.span == span)
        {
            out.push((order, Step { span, part, text }));
        }
    };
    let read_at = |e: ExprId| s.facts().read_at(e).map_or(usize::MAX / 4, |n| 2 * n);
    if let Some(c) = s.candidates() {
        add(read_at(c), s.name_of(c), Part::Candidates, s.candidates_text(c));
    }
    for r in s.rests_on(v).into_iter().chain(s.references()) {
        if Some(r) == s.candidates() {
            continue;
        }
        let find = matches!(s.facts().role(r), Some(Role::Find | Role::First | Role::Exists));
        let (part, text) =
            if find { (Part::Lookup, "looked up here") } else { (Part::Reference, "what is in use is read here") };
        add(read_at(r), s.name_of(r), part, text.to_owned());
        for via in s.chain(r) {
            add(read_at(r) + 1, Some(s.site_name(via)), Part::Helper, "read by this helper".to_owned());
        }
    }
    let late = usize::MAX / 2;
    for l in s.lookups() {
        add(late, s.facts().arena.origin(l.at), Part::Lookup, "the target is looked for here".to_owned());
    }
    for g in s.guards().iter().take(GUARDS) {
        if s.lookups().iter().any(|l| l.at == *g) {
            continue;
        }
        add(
            late + 1,
            s.facts().arena.origin(*g),
            Part::Guard,
            "lets the call through when nothing is found".to_owned(),
        );
    }
    if let Some(c) = s.facts().arena.call_of(s.effect.call) {
        for via in s.via_chain(c.site) {
            add(late + 2, Some(s.site_name(via)), Part::Helper, "deleted by this helper".to_owned());
        }
    }
    out.sort_by_key(|(order, step)| (*order, step.part));
    out.into_iter().map(|(_, s)| s).collect()
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

    /// The calls of helpers that a call was copied under, outermost first.
    fn via_chain(&self, s: SiteId) -> Vec<SiteId> {
        let mut out = vec![];
        let mut at = self.facts().arena.site(s).via;
        while let Some(v) = at {
            out.push(v);
            at = self.facts().arena.site(v).via;
        }
        out.reverse();
        out
    }

    fn chain(&self, e: ExprId) -> Vec<SiteId> {
        self.facts().arena.call_of(e).map_or(vec![], |c| self.via_chain(c.site))
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

    /// "no row was found for it", "it is not in what `find_lab` returned".
    pub fn nothing_found(&self) -> String {
        let refs = self.references();
        let Some(r) = refs.first() else { return "nothing was found for it".into() };
        match self.facts().row(*r).and_then(|r| r.noun) {
            Some(n) => format!("no {n} was found for it"),
            None => match self.facts().called(*r) {
                Some(f) => format!("`{f}` does not know it"),
                None => "nothing was found for it".into(),
            },
        }
    }

    /// "`list_pods`", or "what is in use".
    pub fn reference_name(&self) -> String {
        let r = self.failing.as_ref().map(|f| f.0).or_else(|| self.references().first().copied());
        match r.and_then(|r| self.facts().called(r)) {
            Some(f) => format!("`{f}`"),
            None => "what is in use".into(),
        }
    }

    /// "the candidates", or "the Secrets".
    pub fn candidates_name(&self) -> String {
        match self.candidates().and_then(|c| self.facts().row(c)?.noun) {
            Some(n) => format!("the {n}s"),
            None => "the candidates".into(),
        }
    }

    /// "every namespace is listed", "the whole account is listed".
    pub fn candidates_width(&self) -> String {
        let row = self.candidates().and_then(|c| self.facts().row(c));
        match row {
            Some(r) if r.wide => {
                format!("every {} is listed, of everybody", r.noun.map_or("one".to_owned(), |n| n.to_string()))
            }
            Some(r) => {
                format!("{} are listed without an own id", r.noun.map_or("they".to_owned(), |n| format!("{n}s")))
            }
            None => "the list reaches further than this installation".into(),
        }
    }

    fn candidates_text(&self, c: ExprId) -> String {
        match self.facts().row(c) {
            Some(r) if r.wide => format!("every {} is listed here", r.noun.map_or("one".to_owned(), |n| n.to_string())),
            Some(r) if r.noun.is_some() => {
                format!("the {}s are listed here", r.noun.map_or(String::new(), |n| n.to_string()))
            }
            _ => "the candidates come from here".to_owned(),
        }
    }

    /// The shape of the safe condition, where the guard is a lookup by key.
    pub fn lookup_hint(&self) -> &'static str {
        let find = self.references().first().is_some_and(|r| self.facts().is_find(*r));
        if find { " (`row is not None and not is_active(row)`)" } else { "" }
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
        for e in evidence(answer).iter().take(4) {
            if let Some(span) = s.name_of(*e) {
                out.push_str(&format!("           {}\n", one_line(sources.text(span))));
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
