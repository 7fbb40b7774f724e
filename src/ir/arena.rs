//! The arena: expressions, their origins, and constructors that simplify.
//!
//! Interning makes "the same value" id equality, which is what lets `(p and c) or (p and not c)` fold to `p` when both
//! arms of an `if` fall through. Simplification happens only here, so every pass sees the same normal form.

use super::ids::{Copied, Ids, Marks};
use super::*;
use crate::source::FileId;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::OnceLock;

/// Expressions of one function or one summary.
#[derive(Clone, Default, Debug)]
pub struct Arena {
    exprs: Vec<Expr>,
    /// Made where it is needed: of most that are kept, nobody asks what is in them.
    index: OnceLock<Ids>,
    /// By id, as far as any expression has one.
    origin: Vec<Origin>,
    binders: Vec<ExprId>,
    /// Sites of calls; [`SiteId`] is the index.
    pub sites: Vec<Site>,
    /// Function values; [`ClosureId`] is the index.
    pub closures: Vec<Closure>,
    fresh: u32,
    /// In how many ways a choice among choices comes to a value.
    ways: FxHashMap<ExprId, u16>,
}

/// A value that comes about in more ways than this is unknown. Choices share their arms, so the ways double with each of
/// them, and whoever goes through all would never end:
///
/// ```text
/// p = x if a else u;  q = x if b else v;  x = p if c else q        sixty times over
/// ```
const WAYS: u16 = 4096;

/// Where an expression stands, and the call whose summary brought it here.
#[derive(Clone, Copy, Debug)]
struct Origin {
    span: Span,
    /// Nothing is [`NONE`].
    via: SiteId,
}

const NONE: SiteId = SiteId(u32::MAX);

/// Of what was not written.
const NOWHERE: Origin = Origin { span: Span { file: FileId(u32::MAX), start: 0, end: 0 }, via: NONE };

impl Arena {
    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.exprs.len()
    }
    /// Gives back the room for more, where an arena is kept as it is.
    pub fn shrink(&mut self) {
        self.index.take();
        self.exprs.shrink_to_fit();
        self.origin.shrink_to_fit();
        self.binders.shrink_to_fit();
        self.sites.shrink_to_fit();
        self.ways = FxHashMap::default();
    }
    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }
    /// Every id, children before parents.
    pub fn ids(&self) -> impl Iterator<Item = ExprId> + use<> {
        (0..self.exprs.len() as u32).map(ExprId)
    }
    /// The expression of an id.
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }
    /// Interns an expression as it is. Prefer the simplifying constructors where there is one.
    pub fn mk(&mut self, e: Expr) -> ExprId {
        self.index.get_or_init(|| Ids::of(&self.exprs));
        if let Some(index) = self.index.get_mut()
            && let Some(id) = index.find_or_add(&e, &self.exprs)
        {
            return id;
        }
        self.exprs.push(e);
        ExprId(self.exprs.len() as u32 - 1)
    }
    /// The id of an expression, if it was interned before.
    pub fn find(&self, e: &Expr) -> Option<ExprId> {
        self.index.get_or_init(|| Ids::of(&self.exprs)).find(e, &self.exprs)
    }
    /// A parameter, if it is mentioned: they stand before all else.
    pub fn param(&self, i: usize) -> Option<ExprId> {
        let mut front = self.exprs.iter().take_while(|e| matches!(e, Expr::Param(_)));
        front.position(|e| matches!(e, Expr::Param(n) if usize::from(*n) == i)).map(|at| ExprId(at as u32))
    }
    /// Notes where an expression stands in the source; the first place wins.
    pub fn at(&mut self, id: ExprId, span: Span) -> ExprId {
        self.stands(id, Origin { span, via: NONE });
        id
    }
    fn stands(&mut self, id: ExprId, origin: Origin) {
        let at = id.0 as usize;
        if self.origin.len() <= at {
            self.origin.resize(at + 1, NOWHERE);
        }
        if let Some(place) = self.origin.get_mut(at).filter(|place| place.span.file == NOWHERE.span.file) {
            *place = origin;
        }
    }
    fn place(&self, id: ExprId) -> Option<Origin> {
        self.origin.get(id.0 as usize).copied().filter(|o| o.span.file != NOWHERE.span.file)
    }
    /// Where an expression stands in the source, if it was written there. A call's place is that of its site.
    pub fn origin(&self, id: ExprId) -> Option<Span> {
        match self.get(id) {
            Expr::Call(c) => Some(self.site(c.site).whole),
            _ => self.place(id).map(|o| o.span),
        }
    }
    /// The call in this function whose summary brought an expression here: it was written in a helper.
    pub fn via(&self, id: ExprId) -> Option<SiteId> {
        match self.get(id) {
            Expr::Call(c) => self.site(c.site).via,
            _ => self.place(id).map(|o| o.via).filter(|via| *via != NONE),
        }
    }
    /// The site of a call.
    pub fn site(&self, id: SiteId) -> &Site {
        &self.sites[id.0 as usize]
    }
    /// The site of a call, to add to what is known of it.
    pub fn site_mut(&mut self, id: SiteId) -> Option<&mut Site> {
        self.sites.get_mut(id.0 as usize)
    }
    /// A new site.
    pub fn new_site(&mut self, site: Site) -> SiteId {
        self.sites.push(site);
        SiteId(self.sites.len() as u32 - 1)
    }
    /// The call behind an id, if it is one.
    pub fn call_of(&self, id: ExprId) -> Option<&Call> {
        match self.get(id) {
            Expr::Call(c) => Some(c),
            _ => None,
        }
    }
    /// The traversal that will be made next: those before it were there already.
    pub fn next_binder(&self) -> BinderId {
        BinderId(self.binders.len() as u32)
    }
    /// A new traversal of a collection.
    pub fn binder(&mut self, coll: ExprId) -> BinderId {
        self.binders.push(coll);
        BinderId(self.binders.len() as u32 - 1)
    }
    /// The collection a binder runs over.
    pub fn coll(&self, b: BinderId) -> ExprId {
        self.binders[b.0 as usize]
    }
    /// A fresh hole.
    pub fn unknown(&mut self) -> ExprId {
        self.fresh += 1;
        self.mk(Expr::Unknown(self.fresh))
    }
    /// A constant.
    pub fn lit(&mut self, l: Lit) -> ExprId {
        self.mk(Expr::Lit(l))
    }
    /// `true` or `false`.
    pub fn bool(&mut self, b: bool) -> ExprId {
        self.mk(Expr::Lit(Lit::Bool(b)))
    }
    /// A string.
    pub fn str(&mut self, s: &str) -> ExprId {
        self.mk(Expr::Lit(Lit::Str(sym(s))))
    }
    /// A local.
    pub fn name(&mut self, s: &str) -> ExprId {
        self.mk(Expr::Name(sym(s)))
    }
    /// Is it a constant truth value?
    pub fn as_bool(&self, e: ExprId) -> Option<bool> {
        match self.get(e) {
            Expr::Lit(Lit::Bool(b)) => Some(*b),
            _ => None,
        }
    }
    /// Is it a constant string?
    pub fn as_str(&self, e: ExprId) -> Option<&'static str> {
        match self.get(e) {
            Expr::Lit(Lit::Str(s)) => Some(s.as_str()),
            _ => None,
        }
    }
    /// `not e`.
    pub fn not(&mut self, e: ExprId) -> ExprId {
        match *self.get(e) {
            Expr::Lit(Lit::Bool(b)) => self.bool(!b),
            Expr::Unary(Un::Not, x) => x,
            _ => self.mk(Expr::Unary(Un::Not, e)),
        }
    }
    /// Any operator with one operand.
    pub fn unary(&mut self, u: Un, e: ExprId) -> ExprId {
        if u == Un::Not {
            return self.not(e);
        }
        // A condition is no failure: `gone ? false : (failed ? err : found)` fails where it is not gone and that fails.
        match *self.get(e) {
            Expr::Binary(o @ (Bin::And | Bin::Or), l, r)
                if matches!(u, Un::Raised | Un::NotFound) && self.is_condition(l) =>
            {
                let fails = self.unary(u, r);
                let reached = if o == Bin::And { l } else { self.not(l) };
                self.and(reached, fails)
            }
            _ => self.mk(Expr::Unary(u, e)),
        }
    }
    /// Is it true or false, and never anything else?
    fn is_condition(&self, e: ExprId) -> bool {
        match *self.get(e) {
            Expr::Unary(Un::Not, x) => self.is_condition(x),
            Expr::Unary(..) | Expr::Binary(Bin::Eq | Bin::Lt, ..) | Expr::Any(..) => true,
            _ => false,
        }
    }
    /// `a and b`.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => a,
            (_, Some(false)) => b,
            _ if a == b => a,
            _ if self.denies(a, b) || self.denies(b, a) => self.bool(false),
            _ => self.mk(Expr::Binary(Bin::And, a, b)),
        }
    }
    /// Is the one the denial of the other: `x` and `not x`?
    fn denies(&self, a: ExprId, b: ExprId) -> bool {
        matches!(*self.get(a), Expr::Unary(Un::Not, x) if x == b)
    }
    /// `a or b`; what both arms of an `if` fell through to folds back to what stood before it.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(false), _) => return b,
            (_, Some(false)) => return a,
            (Some(true), _) => return a,
            (_, Some(true)) => return b,
            _ if a == b => return a,
            _ => {}
        }
        if let (&Expr::Binary(Bin::And, p, c), &Expr::Binary(Bin::And, q, d)) = (self.get(a), self.get(b))
            && p == q
        {
            let nd = self.not(d);
            if c == nd {
                return p;
            }
        }
        let nb = self.not(b);
        if a == nb {
            return self.bool(true);
        }
        self.mk(Expr::Binary(Bin::Or, a, b))
    }
    /// Both collections.
    pub fn union(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.get(a), self.get(b)) {
            (Expr::Lit(Lit::Empty), _) => b,
            (_, Expr::Lit(Lit::Empty)) => a,
            _ => self.mk(Expr::Binary(Bin::Union, a, b)),
        }
    }
    /// The first collection without the second.
    pub fn minus(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.get(a), self.get(b)) {
            (Expr::Lit(Lit::Empty), _) | (_, Expr::Lit(Lit::Empty)) => a,
            _ => self.mk(Expr::Binary(Bin::Minus, a, b)),
        }
    }
    /// Any operator with two operands.
    pub fn binary(&mut self, o: Bin, a: ExprId, b: ExprId) -> ExprId {
        match o {
            Bin::And => self.and(a, b),
            Bin::Or => self.or(a, b),
            Bin::Union => self.union(a, b),
            Bin::Minus => self.minus(a, b),
            // A helper told by a word what to do: `client("batch")` in `if kind == "namespace"`.
            Bin::Eq => match self.same_word(a, b).or_else(|| self.same_word(b, a)) {
                Some(same) => same,
                None => self.mk(Expr::Binary(o, a, b)),
            },
            _ => self.mk(Expr::Binary(o, a, b)),
        }
    }
    /// Is it this word? Told of a word, of nothing, and of a choice in which one side tells: a helper that answers with a
    /// verdict, of which its caller asks `verdict(x) == "keep"`; `status.and_then(|s| s.phase) == Some("Failed")`.
    fn same_word(&mut self, e: ExprId, word: ExprId) -> Option<ExprId> {
        let Expr::Lit(w @ (Lit::Str(_) | Lit::Num(_))) = self.get(word) else { return None };
        match *self.get(e) {
            Expr::Lit(ref x @ (Lit::Str(_) | Lit::Num(_))) => {
                let same = x == w;
                Some(self.bool(same))
            }
            Expr::Lit(Lit::Nothing | Lit::Failed) if !self.is_falsy(word) => Some(self.bool(false)),
            Expr::Choose(c, t, f) => {
                let (told, other) = (self.same_word(t, word), self.same_word(f, word));
                if told.is_none() && other.is_none() {
                    return None;
                }
                let t = told.unwrap_or_else(|| self.mk(Expr::Binary(Bin::Eq, t, word)));
                let f = other.unwrap_or_else(|| self.mk(Expr::Binary(Bin::Eq, f, word)));
                Some(self.choose(c, t, f))
            }
            _ => None,
        }
    }
    /// `t` where `c` holds, else `f`.
    pub fn choose(&mut self, c: ExprId, t: ExprId, f: ExprId) -> ExprId {
        if t == f {
            return t;
        }
        // A value as a condition: what is visibly nothing, and what visibly is something.
        if self.is_falsy(c) {
            return f;
        }
        if matches!(self.get(c), Expr::One(_)) {
            return t;
        }
        match (self.as_bool(c), self.as_bool(t), self.as_bool(f)) {
            (Some(true), ..) => return t,
            (Some(false), ..) => return f,
            (_, Some(true), Some(false)) => return c,
            (_, Some(false), Some(true)) => return self.not(c),
            (_, Some(true), _) => return self.or(c, f),
            (_, Some(false), _) => {
                let n = self.not(c);
                return self.and(n, f);
            }
            _ => {}
        }
        let ways = self.ways(t).saturating_add(self.ways(f));
        if ways > WAYS {
            return self.unknown();
        }
        let made = match *self.get(c) {
            Expr::Unary(Un::Not, x) => self.mk(Expr::Choose(x, f, t)),
            _ => self.mk(Expr::Choose(c, t, f)),
        };
        if ways > 2 {
            self.ways.insert(made, ways);
        }
        made
    }
    fn ways(&self, mut e: ExprId) -> u16 {
        while let Expr::Field(x, _) | Expr::One(x) = *self.get(e) {
            e = x;
        }
        match self.get(e) {
            Expr::Choose(..) => self.ways.get(&e).copied().unwrap_or(2),
            _ => 1,
        }
    }
    /// Is it a literal that no test lets through: nothing, false, zero, an empty collection?
    pub fn is_falsy(&self, e: ExprId) -> bool {
        matches!(self.get(e), Expr::Lit(Lit::Nothing | Lit::Empty | Lit::Bool(false) | Lit::Num(0)))
    }
    /// Is what is called named like a type?
    fn makes(&self, c: &Call) -> bool {
        let named = |p: &Sym| p.rsplit('.').next().is_some_and(|last| last.starts_with(char::is_uppercase));
        matches!(self.get(c.callee), Expr::Path(p) if named(p))
    }
    /// `base.f`: the component where the base is a record, through a choice of records too.
    pub fn field(&mut self, base: ExprId, f: Sym) -> ExprId {
        match self.get(base) {
            Expr::Record(parts) => match parts.iter().find(|p| p.0 == f) {
                Some(p) => p.1,
                None => self.mk(Expr::Field(base, f)),
            },
            // What is not there has no parts.
            Expr::Lit(Lit::Nothing | Lit::Failed) => base,
            // What an object was made with, by name: `Lab(name=n).name`.
            Expr::Call(c) if self.makes(c) && c.args.iter().any(|a| a.name == Some(f)) => {
                let given = c.args.iter().find(|a| a.name == Some(f)).map(|a| a.value);
                given.unwrap_or(base)
            }
            &Expr::Choose(c, t, g) if self.recordish(t) || self.recordish(g) => {
                let (t, g) = (self.field(t, f), self.field(g, f));
                self.choose(c, t, g)
            }
            _ => self.mk(Expr::Field(base, f)),
        }
    }
    /// Is it a record, or a choice with one near its top? Choices share arms, so the search has an end.
    fn recordish(&self, e: ExprId) -> bool {
        let (mut todo, mut steps) = (vec![e], 0);
        while let Some(x) = todo.pop() {
            steps += 1;
            match *self.get(x) {
                Expr::Record(_) => return true,
                Expr::Choose(_, t, f) if steps < 24 => todo.extend([f, t]),
                _ => {}
            }
        }
        false
    }
    /// Some element satisfies the condition.
    pub fn any(&mut self, b: BinderId, such: ExprId) -> ExprId {
        if self.as_bool(such) == Some(false) {
            return such;
        }
        // That the collection itself could not be read is no matter of its elements.
        let coll = self.coll(b);
        let failed = self.find(&Expr::Unary(Un::Raised, coll));
        if failed.is_some_and(|f| self.parts(such, Bin::Or).contains(&f)) {
            let rest = self.parts(such, Bin::Or).into_iter().filter(|p| Some(*p) != failed).collect::<Vec<_>>();
            let mut other = self.bool(false);
            for p in rest {
                other = self.or(other, p);
            }
            let other = self.any(b, other);
            return failed.map_or(other, |f| self.or(f, other));
        }
        self.mk(Expr::Any(b, such))
    }
    /// `give` for every kept element.
    pub fn gather(&mut self, of: BinderId, keep: ExprId, give: ExprId) -> ExprId {
        self.mk(Expr::Gather { of, keep, give })
    }
    /// A call.
    pub fn call(&mut self, site: SiteId, callee: ExprId, args: Vec<Arg>) -> ExprId {
        self.mk(Expr::Call(Call { site, callee, args }))
    }

    /// Every expression directly below this one, a binder's collection included.
    pub fn children(&self, e: ExprId, visit: &mut dyn FnMut(ExprId)) {
        match self.get(e) {
            Expr::Unknown(_)
            | Expr::Lit(_)
            | Expr::Name(_)
            | Expr::Path(_)
            | Expr::Carried(..)
            | Expr::Param(_)
            | Expr::Closure(_) => {}
            Expr::Elem(b) => visit(self.coll(*b)),
            Expr::Field(x, _) | Expr::Unary(_, x) | Expr::One(x) | Expr::Caught(x) => visit(*x),
            Expr::Lookup(p, q) | Expr::Binary(_, p, q) => {
                visit(*p);
                visit(*q);
            }
            Expr::Choose(c, t, f) => {
                visit(*c);
                visit(*t);
                visit(*f);
            }
            Expr::Any(b, p) => {
                visit(self.coll(*b));
                visit(*p);
            }
            Expr::Gather { of, keep, give } => {
                visit(self.coll(*of));
                visit(*keep);
                visit(*give);
            }
            Expr::Record(parts) => parts.iter().for_each(|p| visit(p.1)),
            Expr::Format(parts) => parts.iter().for_each(|p| visit(*p)),
            Expr::Call(c) => {
                visit(c.callee);
                c.args.iter().for_each(|a| visit(a.value));
            }
        }
    }

    /// A set of expressions of this arena, empty.
    pub fn marks(&self) -> Marks {
        Marks::new(self.len())
    }

    /// The parts of a conjunction or disjunction, in order.
    pub fn parts(&self, e: ExprId, op: Bin) -> Vec<ExprId> {
        let (mut out, mut todo) = (vec![], vec![e]);
        while let Some(x) = todo.pop() {
            match *self.get(x) {
                Expr::Binary(o, l, r) if o == op => todo.extend([r, l]),
                _ => out.push(x),
            }
        }
        out
    }

    /// Does an expression, or anything below it, satisfy the test?
    pub fn mentions(&self, e: ExprId, test: &mut dyn FnMut(ExprId) -> bool) -> bool {
        let (mut seen, mut todo) = (self.marks(), vec![e]);
        while let Some(x) = todo.pop() {
            if !seen.insert(x) {
                continue;
            }
            if test(x) {
                return true;
            }
            self.children(x, &mut |y| todo.push(y));
        }
        false
    }
}

/// One consistent copy of expressions, with some replaced: `from` may be another arena (a summary put in place) or a
/// clone-free self copy (`None`). One new binder and one new site for each old one, so that an element that left its
/// loop stays the same element, and a call made twice by two uses of a helper stays two calls.
pub struct Rebuild<'a> {
    /// The arena the ids of the input belong to; `None` for the arena written to.
    pub from: Option<&'a Arena>,
    /// What is replaced, and what was built so far.
    pub done: Copied<ExprId>,
    binders: Copied<BinderId>,
    sites: Copied<SiteId>,
    /// The call in the caller that brings the copy here: copied calls get sites of their own under it.
    pub via: Option<SiteId>,
}

impl<'a> Rebuild<'a> {
    /// A copy out of another arena, under the call `via`.
    pub fn out_of(from: &'a Arena, via: Option<SiteId>) -> Self {
        Rebuild { from: Some(from), done: Copied::default(), binders: Copied::default(), sites: Copied::default(), via }
    }
    /// A copy within one arena: sites stay, binders are made anew only where their collection changes.
    pub fn within() -> Self {
        Rebuild { from: None, done: Copied::default(), binders: Copied::default(), sites: Copied::default(), via: None }
    }
    /// Replaces an expression.
    pub fn with(mut self, from: ExprId, to: ExprId) -> Self {
        self.done.insert(from, to);
        self
    }

    fn src<'b>(&'b self, a: &'b Arena) -> &'b Arena {
        self.from.unwrap_or(a)
    }

    /// The copy of an expression.
    pub fn expr(&mut self, a: &mut Arena, e: ExprId) -> ExprId {
        if let Some(r) = self.done.get(e) {
            return r;
        }
        let expr = match self.from {
            Some(from) => Cow::Borrowed(from.get(e)),
            None => Cow::Owned(a.get(e).clone()),
        };
        let origin = self.src(a).place(e);
        let r = match *expr {
            Expr::Unknown(_) if self.from.is_some() => a.unknown(),
            Expr::Elem(b) => {
                let b = self.binder(a, b);
                a.mk(Expr::Elem(b))
            }
            Expr::Field(x, f) => {
                let x = self.expr(a, x);
                a.field(x, f)
            }
            Expr::Lookup(c, k) => {
                let (c, k) = (self.expr(a, c), self.expr(a, k));
                a.mk(Expr::Lookup(c, k))
            }
            Expr::Unary(u, x) => {
                let x = self.expr(a, x);
                a.unary(u, x)
            }
            Expr::Binary(o, l, r) => {
                let (l, r) = (self.expr(a, l), self.expr(a, r));
                a.binary(o, l, r)
            }
            Expr::Choose(c, t, f) => {
                let (c, t, f) = (self.expr(a, c), self.expr(a, t), self.expr(a, f));
                a.choose(c, t, f)
            }
            Expr::Any(b, such) => {
                let b = self.binder(a, b);
                let such = self.expr(a, such);
                a.any(b, such)
            }
            Expr::Gather { of, keep, give } => {
                let of = self.binder(a, of);
                let (keep, give) = (self.expr(a, keep), self.expr(a, give));
                a.gather(of, keep, give)
            }
            Expr::One(x) => {
                let x = self.expr(a, x);
                a.mk(Expr::One(x))
            }
            Expr::Caught(x) => {
                let x = self.expr(a, x);
                a.mk(Expr::Caught(x))
            }
            Expr::Record(ref parts) => {
                let parts = parts.iter().map(|p| (p.0, self.expr(a, p.1))).collect();
                a.mk(Expr::Record(parts))
            }
            Expr::Format(ref parts) => {
                let parts = parts.iter().map(|p| self.expr(a, *p)).collect();
                a.mk(Expr::Format(parts))
            }
            Expr::Call(ref c) => {
                let callee = self.expr(a, c.callee);
                let args = c.args.iter().map(|x| Arg { name: x.name, value: self.expr(a, x.value) }).collect();
                let site = self.site(a, c.site);
                a.call(site, callee, args)
            }
            // A function value does not leave the function it stands in.
            Expr::Closure(_) if self.from.is_some() => a.unknown(),
            ref e => a.mk(e.clone()),
        };
        if let Some(Origin { span, via }) = origin {
            // A copy within one arena stays where it was written; one out of a summary comes by the call.
            let via = if via == NONE { self.via.unwrap_or(NONE) } else { self.site(a, via) };
            a.stands(r, Origin { span, via });
        }
        self.done.insert(e, r);
        r
    }

    fn binder(&mut self, a: &mut Arena, b: BinderId) -> BinderId {
        if let Some(n) = self.binders.get(b) {
            return n;
        }
        let coll = self.src(a).coll(b);
        let new = self.expr(a, coll);
        let n = if self.from.is_none() && new == coll { b } else { a.binder(new) };
        self.binders.insert(b, n);
        n
    }

    fn site(&mut self, a: &mut Arena, s: SiteId) -> SiteId {
        if self.from.is_none() {
            return s;
        }
        if let Some(n) = self.sites.get(s) {
            return n;
        }
        let mut site = self.src(a).site(s).clone();
        // Helpers called by helpers: the chain is copied link by link.
        site.via = match site.via {
            Some(inner) => Some(self.site(a, inner)),
            None => self.via,
        };
        let n = a.new_site(site);
        self.sites.insert(s, n);
        n
    }
}
