//! Pagers: what gives a page each time it is asked gives all of them only where it is asked again.
//!
//! ```text
//! pager := disks.NewListPager(group, nil)
//! page, err := pager.NextPage(ctx)                        NewListPager(group, nil, "#page"=true): the first page
//! for pager.More() { page, err := pager.NextPage(ctx) }   NewListPager(group, nil): everything
//! ```
//! Asked for in the same loop that it was made in, it is asked once.

use super::*;
use crate::vocab::Bind;

/// What a call of which one page was read is given besides.
const ONE_PAGE: &str = "#page";

impl Walk<'_> {
    /// Notes where a call was made, which may be a pager.
    pub(super) fn note_made(&mut self, call: &Call) {
        self.made_at.insert(call.site, self.outer.len());
    }

    /// A call that gives one page of what its receiver goes through, where it is made but once.
    pub(super) fn one_page(&mut self, row: &Row, call: &Call) -> Option<Call> {
        gives_pages(row).then_some(())?;
        let pager = self.pager(call.callee)?;
        if self.made_at.get(&self.a.call_of(pager)?.site) != Some(&self.outer.len()) {
            return None;
        }
        let mut args = call.args.clone();
        args.push(Arg { name: Some(sym(ONE_PAGE)), value: self.a.bool(true) });
        Some(Call { args, ..call.clone() })
    }

    /// What is gone through, of which only a page is asked for: the listing that the pager is.
    pub(super) fn first_page(&mut self, row: &Row, call: &Call, whole: ExprId) -> ExprId {
        let Some(pager) = row.page.and_then(|_| self.query_base(whole)) else { return whole };
        let Some(made) = self.a.call_of(pager).cloned() else { return whole };
        let paged = self.row_of(pager).is_some_and(gives_pages);
        let known = made.args.iter().any(|x| x.name.is_some_and(|n| n == ONE_PAGE));
        if !paged || known || call.site == made.site || self.made_at.get(&made.site) != Some(&self.outer.len()) {
            return whole;
        }
        let mut args = made.args;
        args.push(Arg { name: Some(sym(ONE_PAGE)), value: self.a.bool(true) });
        let page = self.a.call(made.site, made.callee, args);
        self.reads.iter_mut().filter(|r| r.call == pager).for_each(|r| r.call = page);
        Rebuild::within().with(pager, page).expr(&mut self.a, whole)
    }

    /// The call that made what a method is called on.
    fn pager(&self, mut e: ExprId) -> Option<ExprId> {
        for _ in 0..CHAIN {
            e = match *self.a.get(e) {
                Expr::Field(x, _) => x,
                Expr::Call(ref c) if self.made_at.contains_key(&c.site) => return Some(e),
                Expr::Call(ref c) => c.callee,
                _ => return None,
            };
        }
        None
    }
}

/// Calls of one chain.
const CHAIN: usize = 16;

fn gives_pages(row: &Row) -> bool {
    matches!(row.page.and_then(|p| p.limit), Some(Bind::Arg(name)) if name == ONE_PAGE)
}
