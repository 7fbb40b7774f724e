//! `try` and its handlers.
//!
//! ```text
//! try:                              row = raised(F) ? (notfound(F) ? nothing : raises on) : F
//!     row = find(key)
//! except NotFound:
//!     row = None
//! ```
//! What is visibly nothing raises where it is read as a number or a time:
//! ```text
//! try:                                                  made = d.tags ? d.tags.born : now()
//!     made = parse(d.tags["born"] if d.tags else "")
//! except ValueError:
//!     made = now()
//! ```
//! What a handler destroys before it raises on takes back what was begun, and is no verdict on anything:
//! ```text
//! try: fetch(src, part)
//! except OSError: remove(part); raise
//! ```
//! What may have raised in the body is known from the walk of the body ([`Risk`]); each handler takes what its types
//! catch, the rest goes on outward.

use super::*;

/// How much of an exception a handler takes.
#[derive(Clone, Copy, PartialEq)]
enum Takes {
    Nothing,
    Missing,
    All,
}

impl Walk<'_> {
    pub(super) fn try_stmt(&mut self, body: &Block, handlers: &[Handler], s: State, x: &mut Exits) -> Option<State> {
        let outer = std::mem::take(&mut self.risky);
        let mut res = self.block(body, Some(s.clone()), x);
        let mut mine = std::mem::replace(&mut self.risky, outer);
        for h in handlers {
            let never = self.a.bool(false);
            let (mut here, mut nf) = (never, never);
            for r in &mut mine {
                let taken = match self.takes(h, r) {
                    Takes::Nothing => continue,
                    Takes::Missing => r.missing,
                    Takes::All => r.raised,
                };
                here = self.a.or(here, taken);
                nf = self.a.or(nf, r.missing);
                // What is taken here is not there for the next handler.
                let left = self.a.not(taken);
                r.raised = if taken == r.raised { never } else { self.a.and(r.raised, left) };
                r.missing = never;
            }
            if self.a.as_bool(here) == Some(false) {
                continue;
            }
            let mut inner = s.clone();
            inner.live = self.a.and(s.live, here);
            if let Some(n) = h.bind {
                let c = self.a.mk(Expr::Caught(nf));
                inner.env.insert(n, c);
            }
            self.caught.push(Risk { raised: here, missing: nf, kind: RiskKind::Raised(None) });
            let (done, ways) = (self.effects.len(), x.ways());
            let r = self.block(&h.body, Some(inner), x);
            self.caught.pop();
            if r.is_none() && x.ways() == ways {
                self.effects.iter_mut().skip(done).for_each(|e| e.taken_back = true);
            }
            res = self.merge(here, r, res);
        }
        let rest: Vec<Risk> = mine.into_iter().filter(|r| self.a.as_bool(r.raised) != Some(false)).collect();
        // A key looked up in vain outside any handler for it ends the function; that is the language's own check and
        // says nothing about the outside, so it is not followed.
        self.risky.extend(rest.into_iter().filter(|r| r.kind != RiskKind::Key));
        res
    }

    fn takes(&self, h: &Handler, r: &Risk) -> Takes {
        let vocab = self.ctx.vocab();
        if h.types.is_empty() {
            return Takes::All;
        }
        let mut best = Takes::Nothing;
        for t in &h.types {
            let name = t.as_str().rsplit('.').next().unwrap_or_default();
            let kind = vocab.error_kind(name);
            let takes = match (r.kind, kind) {
                (_, ErrorKind::Any) => Takes::All,
                (RiskKind::Key, ErrorKind::Key) => Takes::All,
                (RiskKind::Key, _) | (RiskKind::Parse, ErrorKind::Key) => Takes::Nothing,
                (RiskKind::Parse, _) => Takes::All,
                (RiskKind::Raised(Some(raised)), _) if last_part(raised) == name => Takes::All,
                (_, _) if vocab.is_not_found(name) => Takes::Missing,
                (RiskKind::Raised(_), _) => Takes::Nothing,
                (RiskKind::Read, ErrorKind::Program | ErrorKind::Key) => Takes::Nothing,
                (RiskKind::Read, ErrorKind::Other) => Takes::All,
            };
            if takes == Takes::All || best == Takes::Nothing {
                best = takes;
            }
        }
        best
    }
}

impl Walk<'_> {
    /// Reads a value as a number or a time, which fails where it is visibly nothing.
    pub(super) fn parses(&mut self, value: ExprId) {
        let raised = self.is_nothing(value, 0);
        if self.a.as_bool(raised) != Some(false) {
            let missing = self.a.bool(false);
            self.risky.push(Risk { raised, missing, kind: RiskKind::Parse });
        }
    }

    /// When a value is visibly nothing.
    fn is_nothing(&mut self, e: ExprId, depth: u32) -> ExprId {
        match *self.a.get(e) {
            Expr::Lit(Lit::Nothing) => self.a.bool(true),
            Expr::Lit(Lit::Str(s)) => self.a.bool(s.is_empty()),
            Expr::Choose(c, t, f) if depth < ARMS => {
                let (t, f) = (self.is_nothing(t, depth + 1), self.is_nothing(f, depth + 1));
                self.a.choose(c, t, f)
            }
            _ => self.a.bool(false),
        }
    }
}

/// Choices nested deeper than this hold no value that is visibly nothing.
const ARMS: u32 = 4;

use crate::vocab::ErrorKind;

fn last_part(p: Sym) -> &'static str {
    p.as_str().rsplit('.').next().unwrap_or_default()
}
