//! `test-asserts-absence-delete`: see `rules/docs/test-asserts-absence-delete.md`.
//!
//! A test is read as it is written; nothing is followed out of it. Three things must come together:
//!
//! ```text
//! def test_server_without_row_is_reaped(conn):            or the name says that there is none
//!     with mock.patch("labs.rows.find", return_value=None):     a lookup finds nothing
//!         reap(conn)                                            what runs is a sweep, no request
//!     conn.delete_server.assert_called_once_with("7f3a")        the thing is destroyed
//! ```

use super::arranged::{Nothing, arranged};
use super::asserted::{Claim, Says, asserted};
use super::words::names;
use super::*;
use crate::ir::{Expr, ExprId, Lit};
use crate::vocab::{FieldRole, FileContext, Role, Topic};

/// The rule.
pub static RULE: Rule = Rule {
    name: "test-asserts-absence-delete",
    summary: "a test asserts that a missing record means deletion",
    here: "asserted here",
    doc: include_str!("../../rules/docs/test-asserts-absence-delete.md"),
    severity: Severity::Warning,
    pedantic: false,
    reads: Reads::Code,
    mend: None,
    check: Check::Function(check),
    manifests: None,
};

fn check(scene: &Scene) -> Vec<Finding> {
    let test = Test { scene, name: scene.func.name.as_str() };
    let named = test.name.get(..4).is_some_and(|n| n.eq_ignore_ascii_case("test"));
    let marked = scene.func.decorators.iter().any(|d| d.rsplit('.').next() == Some("test"));
    if !scene.func.is_test || !(named || marked) || test.speaks(Topic::Kept) {
        return vec![];
    }
    test.finding().into_iter().collect()
}

struct Test<'a> {
    scene: &'a Scene<'a>,
    name: &'static str,
}

impl Test<'_> {
    fn finding(&self) -> Option<Finding> {
        let claims = asserted(self.scene);
        let claim = claims.iter().min_by_key(|c| (c.says != Says::Called, c.at))?;
        let nothing = arranged(self.scene);
        let named = self.speaks(Topic::Lacking) && self.speaks(Topic::Record);
        if nothing.is_empty() && !named {
            return None;
        }
        let of_records = nothing.iter().find(|n| n.names.iter().any(|x| self.scene.vocab.speaks_of(Topic::Record, x)));
        let says_both = named && (self.speaks(Topic::Gone) || self.speaks(Topic::Doomed));
        let sweep = self.runs(Topic::Sweeping, claim);
        // What clears up may do so for one thing that is given: then it matters what was looked up in vain.
        let clears = self.runs(Topic::Clearing, claim).filter(|_| named || of_records.is_some());
        if sweep.or(clears).is_none() && !says_both && claim.says != Says::Doomed {
            return None;
        }
        let shown = of_records.or(nothing.first());
        let confidence = self.confidence(claim, shown, named, of_records.is_some());
        Some(self.build(claim, shown, sweep.or(clears), confidence))
    }

    /// Does the name of the test speak of it?
    fn speaks(&self, topic: Topic) -> bool {
        self.scene.vocab.speaks_of(topic, self.name)
    }

    fn confidence(&self, claim: &Claim, nothing: Option<&Nothing>, named: bool, of_records: bool) -> Confidence {
        let mut inferred = 0;
        inferred += usize::from(nothing.is_none());
        inferred += usize::from(claim.says == Says::Gone || claim.says == Says::Doomed && !named);
        inferred += usize::from(nothing.is_some() && !named && !of_records);
        match inferred {
            _ if self.is_aged() || self.is_over() => Confidence::Low,
            0 => Confidence::High,
            1 => Confidence::Medium,
            _ => Confidence::Low,
        }
    }

    /// The first call whose name speaks of going through all there is. What is given the very thing that must be destroyed
    /// is a request.
    fn runs(&self, topic: Topic, claim: &Claim) -> Option<Span> {
        let a = &self.scene.func.arena;
        let vocab = self.scene.vocab;
        a.ids().find_map(|e| {
            let call = a.call_of(e)?;
            let path = names(a, call.callee);
            // `janitor.delete_server("a")` is a request made of a janitor.
            let (last, rest) = path.split_last()?;
            let on = |n: &str| vocab.speaks_of(topic, n);
            let speaks = on(last) || rest.iter().any(|n| on(n)) && !vocab.speaks_of(Topic::Destroying, last);
            // `self.addCleanup(..)`
            let scaffold = path.last().is_some_and(|n| n.starts_with("add"));
            let asked = claim.given.is_some_and(|x| call.args.iter().any(|arg| arg.value == x));
            (speaks && !scaffold && !asked && self.role(e) != Some(Role::AssertCalled)).then(|| a.site(call.site).name)
        })
    }

    fn role(&self, e: ExprId) -> Option<Role> {
        let (a, vocab) = (&self.scene.func.arena, self.scene.vocab);
        let row = vocab.matched(a, a.call_of(e)?, &FileContext::default())?;
        Some(vocab.row(row.row).role)
    }

    /// The test is about age: a deadline is arranged, or its name says so.
    fn is_aged(&self) -> bool {
        let mut ids = self.scene.func.arena.ids();
        self.scene.vocab.speaks_of_age(self.name) || ids.any(|e| self.role(e) == Some(Role::Span))
    }

    /// The test arranges something that is over: `status="terminated"`.
    fn is_over(&self) -> bool {
        let a = &self.scene.func.arena;
        let vocab = self.scene.vocab;
        a.ids().filter_map(|e| a.call_of(e)).flat_map(|c| &c.args).any(|x| {
            let state = x.name.is_some_and(|n| vocab.field(n) == Some(FieldRole::State));
            state && matches!(a.get(x.value), Expr::Lit(Lit::Str(w)) if vocab.is_final(w))
        })
    }

    fn build(&self, claim: &Claim, nothing: Option<&Nothing>, sweep: Option<Span>, confidence: Confidence) -> Finding {
        let lookup = match nothing {
            Some(n) => {
                let name = n.names.last().copied().unwrap_or_default();
                Step { span: n.at, part: Part::Lookup, text: format!("`{name}` finds nothing") }
            }
            None => {
                let text = "the name says that there is no record".to_owned();
                Step { span: self.scene.func.name_span, part: Part::Lookup, text }
            }
        };
        let run = sweep.map(|span| Step { span, part: Part::Helper, text: "cleanup runs here".to_owned() });
        let mut steps: Vec<Step> = [Some(lookup), run].into_iter().flatten().collect();
        steps.retain(|s| !claim.at.contains(s.span));
        steps.sort_by_key(|s| s.span.start);
        let so = match claim.says {
            Says::Called => format!("asserts that `{}` is called", claim.name),
            Says::Doomed => format!("asserts that it counts as `{}`", claim.name),
            Says::Gone => "asserts that it is deleted".to_owned(),
        };
        Finding {
            rule: &RULE,
            severity: RULE.severity,
            confidence,
            message: format!("this test arranges that no record is found, and {so}: the fault becomes a requirement"),
            help: "assert the opposite: what has no record is kept; only what has a record that is finished is deleted"
                .into(),
            at: claim.at,
            statement: claim.at,
            steps,
            group: claim.at,
            function: self.scene.function.to_owned(),
            fixes: vec![],
            excused: None,
        }
    }
}
