//! Function values: a lambda or nested function is run on the state at hand where it is applied.
//!
//! ```text
//! def drop(n): api.delete(n)         delete e0.name   when  not present(known[e0.name])
//! for n in names:
//!     if n not in known: drop(n)
//! ```

use super::loops::{Body, SiteSpans};
use super::*;

/// Choices nested deeper than this say nothing of a failure.
const CHOICES: u32 = 6;

/// Function values within function values deeper than this are not run.
const ROUNDS: usize = 3;

impl Walk<'_> {
    /// Applies a function value: a closure, a project function, a method, a library function.
    pub(super) fn apply(&mut self, f: ExprId, args: Vec<Arg>, at: SiteSpans, s: &mut State) -> ExprId {
        let site = Site {
            name: at.0,
            whole: at.1,
            stmt: at.2,
            via: None,
            row: None,
            acts: false,
            once: false,
            unheeded: false,
            sole: false,
            waited: false,
        };
        self.dispatch(f, None, args, site, s)
    }

    /// Runs a closure's body here. Its returns end the body, not the function around it.
    pub(super) fn run_closure(&mut self, id: ClosureId, args: &[Arg], s: &mut State) -> Option<ExprId> {
        let func = self.func;
        let cl = func.arena.closures.get(id.0 as usize)?;
        if self.closures.contains(&id) || self.closures.len() > 3 {
            return None;
        }
        let (entered, risks) = (s.live, self.risky.len());
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
        self.ran.insert(id);
        self.closures.push(id);
        // Applied again, it calls again.
        let once = self.once.take();
        let mut ex = Exits::default();
        let end = self.block(&cl.body, Some(inner), &mut ex);
        self.once = once;
        self.closures.pop();
        let nothing = self.a.lit(Lit::Nothing);
        let (value, last) = self.gather_returns(ex.returns, end, nothing);
        match last {
            Some(mut after) => {
                let left = |r: &Risk| matches!(r.kind, RiskKind::Raised(_));
                // Whichever way it returns, what stands behind the call goes on.
                if !self.func.raises && !self.risky.iter().skip(risks).any(left) {
                    after.live = entered;
                }
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

    /// Function values that are kept or given back are run by somebody, some time after the function has ended.
    ///
    /// ```text
    /// return &cobra.Command{RunE: func(cmd, args) error { .. delete(s) .. }}
    /// ```
    pub(super) fn run_kept(&mut self, last: &mut State) {
        let yes = self.a.bool(true);
        let method = self.class.is_some();
        let of_self = |a: &Arena, e: ExprId| method && *a.get(e) == Expr::Param(0);
        for _ in 0..ROUNDS {
            let kept = |w: &Self, id: ClosureId| !w.ran.contains(&id) && w.a.find(&Expr::Closure(id)).is_some();
            let all = (0..self.func.arena.closures.len() as u32).map(ClosureId);
            let ids: Vec<ClosureId> = all.filter(|id| kept(self, *id)).collect();
            if ids.is_empty() {
                return;
            }
            for id in ids {
                let mut s = State { live: yes, ..last.clone() };
                let (risks, done) = (self.risky.len(), self.effects.len());
                self.began = risks;
                let given = self.told(id);
                self.run_closure(id, &given, &mut s);
                self.ran.insert(id);
                self.risky.truncate(risks);
                // Why a caller had the function made says nothing of when it is run.
                for e in self.effects.iter_mut().skip(done).filter(|e| e.kind != EffectKind::Create) {
                    e.settled = Settled::Here;
                }
                // What it writes to what it was given is all that is written there.
                for (key, v) in s.heap {
                    if !of_self(&self.a, key.0) {
                        last.heap.entry(key).or_insert(v);
                    }
                }
            }
        }
    }

    /// What whoever runs a function value tells it: nobody sees what, but that it is told.
    fn told(&mut self, id: ClosureId) -> Vec<Arg> {
        let params = self.func.arena.closures.get(id.0 as usize).map(|c| c.params.clone()).unwrap_or_default();
        let given = |p: Sym| Expr::Path(sym(&format!("%given.{}", star_free(p))));
        params.into_iter().map(|p| Arg { name: None, value: self.a.mk(given(p)) }).collect()
    }

    /// A function value handed to something nothing is known of: without parameters it is run once, with parameters
    /// for each thing that call may give it. What is called for a transaction, a lock, a retry runs it once. Gives when one
    /// of them fails, and with it the call.
    ///
    /// ```text
    /// m.txn(func(tx) { .. })                      the same state before and after: no round hands anything on to the next
    /// err := store.Walk(func(p Page) error { more, err := read(p); if err != nil { return err }; .. })
    /// err != nil                                  raised(store.Walk) or any p | raised(read(p))
    /// ```
    pub(super) fn run_callbacks(&mut self, call: ExprId, args: &[Arg], once: bool, s: &mut State) -> ExprId {
        let mut fails = self.a.bool(false);
        for a in args {
            let Expr::Closure(id) = *self.a.get(a.value) else { continue };
            let Some(cl) = self.func.arena.closures.get(id.0 as usize) else { continue };
            let one = if cl.params.is_empty() || once {
                self.run_closure(id, &[], s).map(|v| self.fails_by(v, CHOICES))
            } else {
                self.apply_each(a.value, call, s)
            };
            // What one round knows of another is not followed.
            if let Some(one) = one.filter(|one| !self.func.raises && !self.is_carried(*one)) {
                fails = self.a.or(fails, one);
            }
        }
        fails
    }

    /// The answer of a call whose callbacks may make it fail.
    pub(super) fn failing_with(&mut self, fails: ExprId, answer: ExprId) -> ExprId {
        let failed = self.a.lit(Lit::Failed);
        self.a.choose(fails, failed, answer)
    }

    /// When is what a function value returned a failure, as far as its own text says so?
    fn fails_by(&mut self, v: ExprId, left: u32) -> ExprId {
        match *self.a.get(v) {
            Expr::Lit(Lit::Failed) => self.a.bool(true),
            Expr::Choose(c, t, f) if left > 0 => {
                let (t, f) = (self.fails_by(t, left - 1), self.fails_by(f, left - 1));
                self.a.choose(c, t, f)
            }
            Expr::Call(_) => match self.a.find(&Expr::Unary(Un::Raised, v)) {
                Some(raised) => raised,
                None => self.a.bool(false),
            },
            _ => self.a.bool(false),
        }
    }

    /// Does a call run once what it is given to run?
    pub(super) fn runs_once(&self, call: &Call) -> bool {
        self.a.site(call.site).once
    }

    fn is_carried(&self, e: ExprId) -> bool {
        self.a.mentions(e, &mut |x| matches!(self.a.get(x), Expr::Carried(..)))
    }

    /// Applies a function value to every element of a collection. Gives when it fails for some.
    fn apply_each(&mut self, f: ExprId, coll: ExprId, s: &mut State) -> Option<ExprId> {
        let span = self.place_of(f).or_else(|| self.place_of(coll))?;
        let mut fails = self.a.bool(false);
        for src in self.spread(coll) {
            let mut ex = Exits::default();
            self.applied = None;
            let body = Body::Apply(f, (span, span, span));
            if let Some(after) = self.loop_over(src, body, &vec![], s.clone(), &mut ex) {
                *s = after;
            }
            let Some(v) = self.applied.take() else { continue };
            let one = self.fails_by(v, CHOICES);
            let one = self.a.and(src.keep, one);
            let some = self.a.any(src.binder, one);
            fails = self.a.or(fails, some);
        }
        Some(fails)
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
