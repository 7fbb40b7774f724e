//! Is a reference one page of a longer list?
//!
//! ```text
//! page = api.list(limit=50)                                          one page
//! while True: page = api.list(token=page.next)                       the same call is given what it gave before
//! first = api.list(); while first: first = api.follow(first.next)    another call is
//! for n in range(1, pages): api.list(page=n)                         the page is counted
//! ```

use super::*;
use crate::ir::Call;

impl Sweep<'_> {
    /// A reference of which one page was read and more may follow.
    pub fn partial_read(&self) -> Option<ExprId> {
        let references = self.references();
        let over: Vec<ExprId> = references.iter().flat_map(|r| self.asked_over(*r)).collect();
        references.into_iter().chain(over).find(|r| self.is_one_page(*r))
    }

    fn is_one_page(&self, r: ExprId) -> bool {
        let facts = self.facts;
        let (Some(row), Some(call)) = (facts.row(r), facts.arena.call_of(r)) else { return false };
        let Some(page) = row.page else { return false };
        let limited = page.limit.is_none_or(|b| facts.vocab.bound(facts.arena, call, row, b).is_some());
        limited && !keyed(facts, &self.subject, r) && !self.goes_on(call) && !self.is_followed(call)
    }

    /// Is the same call given in a later round what it gave in an earlier one?
    fn goes_on(&self, call: &Call) -> bool {
        let a = self.facts.arena;
        let again = |x: ExprId| {
            a.mentions(x, &mut |y| a.call_of(y).is_some_and(|c| c.callee == call.callee || c.site == call.site))
        };
        let rounds = a.ids().filter_map(|e| a.call_of(e)).filter(|c| c.site == call.site);
        // `list(pageToken=token).execute()` has its token before the last name.
        let before = |c: &Call| match a.get(c.callee) {
            Expr::Field(x, _) => Some(*x),
            _ => None,
        };
        let mut goes_on = rounds.flat_map(|c| c.args.iter().map(|x| x.value).chain(before(c)));
        // A number that is counted up, or a token that is kept, from round to round: `options.Page += 1`.
        let counted = |x: ExprId| {
            a.mentions(x, &mut |y| match *a.get(y) {
                Expr::Choose(c, ..) => matches!(a.get(c), Expr::Unknown(_)),
                _ => false,
            })
        };
        goes_on.any(|x| again(x) || counted(x))
    }

    /// Is another call told to go on from here?
    fn is_followed(&self, call: &Call) -> bool {
        let (facts, a) = (self.facts, self.facts.arena);
        let token = |e: ExprId| {
            let row = facts.row(e)?;
            facts.vocab.bound(a, a.call_of(e)?, row, row.page?.next?)
        };
        let from_here = |n: ExprId| a.mentions(n, &mut |y| a.call_of(y).is_some_and(|c| c.site == call.site));
        a.ids().any(|e| token(e).is_some_and(from_here))
    }

    /// The listings for whose things a reference was asked one by one: `for key in page: used |= read(key)`.
    fn asked_over(&self, reference: ExprId) -> Vec<ExprId> {
        let facts = self.facts;
        let mut found = vec![];
        let Some(call) = facts.arena.call_of(reference) else { return found };
        for x in call.args.iter().map(|x| x.value) {
            facts.arena.mentions(x, &mut |y| {
                if let Expr::Elem(b) = facts.arena.get(y)
                    && !self.subject.holds(facts, y)
                {
                    found.extend(crate::ask::base_read(facts, facts.arena.coll(*b)));
                }
                false
            });
        }
        found.retain(|l| *l != reference && Some(*l) != self.candidates());
        found
    }
}
