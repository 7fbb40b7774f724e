//! Function values: a lambda or nested function is run on the state at hand where it is applied.
//!
//! ```text
//! def drop(n): api.delete(n)         delete e0.name   when  not present(known[e0.name])
//! for n in names:
//!     if n not in known: drop(n)
//! ```

use super::loops::{Body, SiteSpans};
use super::*;

impl Walk<'_> {
    /// Applies a function value: a closure, a project function, a method, a library function.
    pub(super) fn apply(&mut self, f: ExprId, args: Vec<Arg>, at: SiteSpans, s: &mut State) -> ExprId {
        let site = Site { name: at.0, whole: at.1, stmt: at.2, via: None, row: None, acts: false, once: false };
        self.dispatch(f, None, args, site, s)
    }

    /// Runs a closure's body here. Its returns end the body, not the function around it.
    pub(super) fn run_closure(&mut self, id: ClosureId, args: &[Arg], s: &mut State) -> Option<ExprId> {
        let func = self.func;
        let cl = func.arena.closures.get(id.0 as usize)?;
        if self.closures.contains(&id) || self.closures.len() > 3 {
            return None;
        }
        let mut inner = s.clone();
        let mut shadowed = vec![];
        for (i, p) in cl.params.iter().enumerate() {
            let name = star_free(*p);
            let given =
                args.iter().find(|a| a.name == Some(name)).or_else(|| args.iter().filter(|a| a.name.is_none()).nth(i));
            let v = match given {
                Some(a) => a.value,
                None => self.a.unknown(),
            };
            shadowed.push((name, inner.env.insert(name, v)));
        }
        self.closures.push(id);
        let mut ex = Exits::default();
        let end = self.block(&cl.body, Some(inner), &mut ex);
        self.closures.pop();
        let nothing = self.a.lit(Lit::Nothing);
        let (value, last) = self.gather_returns(ex.returns, end, nothing);
        match last {
            Some(mut after) => {
                for (name, old) in shadowed {
                    match old {
                        Some(v) => after.env.insert(name, v),
                        None => after.env.remove(&name),
                    };
                }
                *s = after;
            }
            // It always raises.
            None => s.live = self.a.bool(false),
        }
        Some(value)
    }

    /// A function value handed to something nothing is known of: without parameters it is run once, with parameters
    /// for each thing that call may give it. What is called for a transaction, a lock, a retry runs it once.
    ///
    /// ```text
    /// m.txn(func(tx) { .. })         the same state before and after: no round hands anything on to the next
    /// ```
    pub(super) fn run_callbacks(&mut self, call: ExprId, args: &[Arg], once: bool, s: &mut State) {
        for a in args {
            let Expr::Closure(id) = *self.a.get(a.value) else { continue };
            let Some(cl) = self.func.arena.closures.get(id.0 as usize) else { continue };
            if cl.params.is_empty() || once {
                self.run_closure(id, &[], s);
            } else {
                self.apply_each(a.value, call, s);
            }
        }
    }

    /// Does a call run once what it is given to run?
    pub(super) fn runs_once(&self, call: &Call) -> bool {
        self.a.site(call.site).once
    }

    /// Applies a function value to every element of a collection.
    pub(super) fn apply_each(&mut self, f: ExprId, coll: ExprId, s: &mut State) {
        let Some(span) = self.place_of(f).or_else(|| self.place_of(coll)) else { return };
        for src in self.spread(coll) {
            let mut ex = Exits::default();
            let body = Body::Apply(f, (span, span, span));
            if let Some(after) = self.loop_over(src, body, &vec![], s.clone(), &mut ex) {
                *s = after;
            }
        }
    }

    /// Applies a function value to every element of a collection, at the place of a call; gives the results.
    pub(super) fn map_each(&mut self, f: ExprId, coll: ExprId, at: SiteId, s: &mut State) -> ExprId {
        let site = self.a.site(at).clone();
        let mut out = self.a.lit(Lit::Empty);
        for src in self.spread(coll) {
            let mut ex = Exits::default();
            self.applied = None;
            let body = Body::Apply(f, (site.name, site.whole, site.stmt));
            if let Some(after) = self.loop_over(src, body, &vec![], s.clone(), &mut ex) {
                *s = after;
            }
            let Some(v) = self.applied.take() else { continue };
            let v = self.as_element(v);
            let g = self.a.gather(src.binder, src.keep, v);
            out = self.a.union(out, g);
        }
        out
    }

    /// What may raise for one element may raise for some.
    pub(super) fn raised_in_each(&mut self, b: BinderId, from: usize) {
        for i in from..self.risky.len() {
            let r = self.risky[i];
            let raised = self.a.any(b, r.raised);
            let missing = self.a.any(b, r.missing);
            self.risky[i] = Risk { raised, missing, ..r };
        }
    }

    /// Some place of the source an expression stands at or descends from.
    pub(super) fn place_of(&self, e: ExprId) -> Option<crate::source::Span> {
        let mut found = None;
        self.a.mentions(e, &mut |x| {
            found = self.a.origin(x);
            found.is_some()
        });
        found.or(Some(self.func.name_span))
    }
}
