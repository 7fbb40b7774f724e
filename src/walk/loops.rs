//! Loops, walked once.
//!
//! After the body each final state is read as a list of (condition, value): assigned `v` under `c` becomes
//! `Choose(any . c, v, before)`; added `x` under `c` becomes `Union(before, [x | e in L, c])`; left by `break` under `c`:
//! what follows a whole run is live under `not any . c`; returned under `c`: the rest of the function is live under
//! `not any . c`.
//!
//! ```text
//! for p in pods:                     used = [] ++ [e0.owner | e0 in pods, e0.alive]
//!   if p.alive: used.append(p.owner)
//! ```

use super::spread::Source;
use super::*;
use std::collections::BTreeMap;

/// What runs for each element.
#[derive(Clone, Copy)]
pub(super) enum Body<'b> {
    /// Statements, with the loop variable bound.
    Block(Sym, &'b Block),
    /// A function value applied to the element.
    Apply(ExprId, SiteSpans),
}

/// The places of a call that stands for an application in a loop.
pub(super) type SiteSpans = (crate::source::Span, crate::source::Span, crate::source::Span);

impl Walk<'_> {
    pub(super) fn for_loop(
        &mut self,
        var: Sym,
        over: ExprId,
        body: &Block,
        whole: &Block,
        mut s: State,
        x: &mut Exits,
    ) -> Option<State> {
        let before = self.risky.len();
        let coll = self.value(over, &mut s);
        let coll = self.rows_in(coll, &s);
        self.guard(before, &mut s);
        let parts = self.spread(coll);
        let none = vec![];
        let mut cur = Some(s);
        // `for x in a + b`: one loop after the other.
        for (n, part) in parts.iter().enumerate() {
            let whole = if n + 1 == parts.len() { whole } else { &none };
            cur = self.loop_over(*part, Body::Block(var, body), whole, cur?, x);
        }
        if parts.is_empty() { self.block(whole, cur, x) } else { cur }
    }

    pub(super) fn loop_over(
        &mut self,
        src: Source,
        body: Body,
        whole: &Block,
        s: State,
        x: &mut Exits,
    ) -> Option<State> {
        let b = src.binder;
        self.loops += 1;
        let number = self.loops;
        let mut inner = s.clone();
        inner.live = src.keep;
        let mut carried: BTreeMap<Key, ExprId> = BTreeMap::new();
        let mut counted = vec![];
        let (bound, block) = match body {
            Body::Block(var, block) => {
                inner.env.insert(var, src.elem);
                (Some(var), Some(block))
            }
            // A block applied to each element works on the places around it.
            Body::Apply(f, _) => (None, closure_block(self.func, &self.a, f)),
        };
        let mut named: Vec<Sym> = bound.into_iter().collect();
        if let Some(block) = block {
            for (key, assigned) in self.written(block, &mut inner) {
                named.extend(local_of(key));
                let own = bound.is_some_and(|var| key == Key::Name(var));
                if self.counts_in(key, &s) {
                    counted.push(key);
                    let some = self.a.unknown();
                    self.place_set(key, some, &mut inner);
                } else if !own && self.exists(key, &s) && (assigned || self.may_grow(key, &s)) {
                    let c = self.a.mk(Expr::Carried(self.key_name(key), number));
                    carried.insert(key, c);
                    self.place_set(key, c, &mut inner);
                }
            }
        }
        let marks = (self.effects.len(), self.reads.len(), self.risky.len());
        self.outer.push(s.live);
        let mut ex = Exits::default();
        let end = match body {
            Body::Block(_, block) => self.block(block, Some(inner), &mut ex),
            Body::Apply(f, spans) => {
                let from = self.risky.len();
                let args = self.each_given(f, src.elem);
                let v = self.apply(f, args, spans, &mut inner);
                self.applied = Some(v);
                self.guard(from, &mut inner);
                Some(inner)
            }
        };
        self.outer.pop();
        let (breaks, far_breaks): (Vec<_>, Vec<_>) = ex.breaks.drain(..).partition(|b| b.0 == 0);
        let (continues, far_continues): (Vec<_>, Vec<_>) = ex.continues.drain(..).partition(|c| c.0 == 0);
        let breaks: Vec<State> = breaks.into_iter().map(|b| b.1).collect();
        let finals: Vec<State> =
            end.into_iter().chain(continues.into_iter().map(|c| c.1)).chain(breaks.iter().cloned()).collect();
        let mut after = s.clone();
        for (&key, &c) in &carried {
            let init = self.place_get(key, &s);
            let acc = self.left_behind(b, key, c, init, &finals);
            self.place_set(key, acc, &mut after);
        }
        for key in counted {
            let some = self.a.unknown();
            self.place_set(key, some, &mut after);
        }
        self.put_in_rounds(b, &named, &s, &finals, &mut after);
        self.settle_carried(b, &carried, &s, &finals, marks, &mut after, &mut ex);
        // Locals first assigned inside keep the value of some round.
        for st in &finals {
            for (k, v) in &st.env {
                after.env.entry(*k).or_insert(*v);
            }
            for (k, v) in &st.heap {
                if !carried.contains_key(&Key::Field(k.0, k.1)) && !after.heap.contains_key(k) {
                    after.heap.insert(*k, *v);
                }
            }
        }
        self.raised_inside(src, marks.2, &mut after);
        self.far_exits(b, &s, ex.returns, far_breaks, far_continues, &mut after, x);
        if breaks.is_empty() {
            return self.block(whole, Some(after), x);
        }
        let mut broke = self.a.bool(false);
        for st in &breaks {
            let some = self.a.any(b, st.live);
            broke = self.a.or(broke, some);
        }
        let ran_out = self.a.not(broke);
        let mut fall = after.clone();
        fall.live = self.a.and(after.live, ran_out);
        let mut jump = after;
        jump.live = self.a.and(jump.live, broke);
        let fall = self.block(whole, Some(fall), x);
        self.merge(broke, Some(jump), fall)
    }

    /// A method called `add` or `remove` changes a collection of this process only on a collection: a client keeps its
    /// origin, by which its calls are known.
    fn may_grow(&mut self, key: Key, s: &State) -> bool {
        let init = self.place_get(key, s);
        self.collection(init) || !matches!(self.a.get(init), Expr::Call(_) | Expr::Path(_) | Expr::Elem(_))
    }

    /// A number in a mapping that a loop counts up: how much it comes to is not followed.
    fn counts_in(&mut self, key: Key, s: &State) -> bool {
        matches!(key, Key::Part(..)) && {
            let at = self.place_get(key, s);
            matches!(self.a.get(at), Expr::Lit(Lit::Num(_)) | Expr::Unknown(_))
        }
    }

    fn exists(&self, key: Key, s: &State) -> bool {
        match key {
            Key::Name(n) => s.env.contains_key(&n),
            Key::Field(..) => true,
            Key::Part(n, _) => s.env.get(&n).is_some_and(|v| !matches!(self.a.get(*v), Expr::Carried(..))),
        }
    }

    fn key_name(&self, key: Key) -> Sym {
        match key {
            Key::Name(n) => n,
            Key::Field(b, f) => sym(&format!("{}.{f}", b.0)),
            Key::Part(n, f) => sym(&format!("{n}.{f}")),
        }
    }

    /// What the functions called in each round put into locals that are only handed to them, or that a closure captures.
    ///
    /// ```text
    /// for n in names: look(n, found)        found = [] ++ [e1 | e1 in fetch(e0) | e0 in names]
    /// ```
    pub(super) fn put_in_rounds(&mut self, b: BinderId, named: &[Sym], s: &State, finals: &[State], after: &mut State) {
        for (name, &init) in s.env.iter().filter(|(name, _)| !named.contains(name)) {
            if !self.collection(init) && !matches!(self.a.get(init), Expr::Param(_)) {
                continue;
            }
            let left: Vec<ExprId> = finals.iter().filter_map(|f| f.env.get(name).copied()).collect();
            if left.iter().any(|v| *v != init) && left.iter().all(|v| merge::grows_from(&self.a, *v, init)) {
                let grown = self.left_behind(b, Key::Name(*name), init, init, finals);
                after.env.insert(*name, grown);
            }
        }
    }

    /// The value of a place after the loop, from what each way through the body left in it.
    fn left_behind(&mut self, b: BinderId, key: Key, carried: ExprId, init: ExprId, finals: &[State]) -> ExprId {
        let mut acc = init;
        for st in finals {
            let at_end = self.place_get(key, st);
            let mut leaves = vec![];
            self.leaves(at_end, st.live, &mut leaves);
            for (c, leaf) in leaves {
                if leaf == carried {
                    continue;
                }
                let c = self.but_for_order(c, leaf, carried);
                let (mut adds, mut drops) = (vec![], vec![]);
                if self.changes(leaf, carried, &mut adds, &mut drops) {
                    for give in adds {
                        let g = self.collected(b, c, give);
                        acc = self.a.union(acc, g);
                    }
                    for give in drops {
                        let g = self.collected(b, c, give);
                        acc = self.a.minus(acc, g);
                    }
                } else {
                    let some = self.a.any(b, c);
                    acc = self.a.choose(some, leaf, acc);
                }
            }
        }
        acc
    }

    /// The newest of a list is one of them: that it is newer than what was found before says nothing of any one.
    ///
    /// ```text
    /// for o in objects: if o.modified > newest: newest = o.modified        newest is some o.modified, if any
    /// ```
    fn but_for_order(&mut self, c: ExprId, leaf: ExprId, carried: ExprId) -> ExprId {
        let order = |a: &Arena, p: ExprId| match *a.get(p) {
            Expr::Binary(Bin::Lt, l, r) => (l, r) == (leaf, carried) || (l, r) == (carried, leaf),
            _ => false,
        };
        let parts = self.a.parts(c, Bin::And);
        if !parts.iter().any(|p| order(&self.a, *p)) {
            return c;
        }
        let mut rest = self.a.bool(true);
        for p in parts.into_iter().filter(|p| !order(&self.a, *p)).collect::<Vec<_>>() {
            rest = self.a.and(rest, p);
        }
        rest
    }

    /// What one round adds, over all rounds: one thing each, or a whole collection each.
    pub(super) fn collected(&mut self, b: BinderId, keep: ExprId, give: ExprId) -> ExprId {
        let give = super::spread::boxed(&self.a, give).unwrap_or(give);
        match *self.a.get(give) {
            Expr::One(x) => self.a.gather(b, keep, x),
            Expr::Lit(Lit::Empty) => give,
            Expr::Gather { .. } => self.a.gather(b, keep, give),
            // One where there is one: `trees.extend(path.map(Tree::at))`.
            Expr::Choose(c, t, f)
                if matches!((self.a.get(t), self.a.get(f)), (Expr::One(_), Expr::Lit(Lit::Empty))) =>
            {
                let keep = self.a.and(keep, c);
                self.collected(b, keep, t)
            }
            _ => {
                // `used.extend(page.items)`: everything in it.
                let yes = self.a.bool(true);
                let inner = self.a.binder(give);
                let elem = self.a.mk(Expr::Elem(inner));
                let each = self.a.gather(inner, yes, elem);
                self.a.gather(b, keep, each)
            }
        }
    }

    /// `prev ++ x` means: this path added x; `prev -- x`: it took x out.
    pub(super) fn changes(
        &self,
        leaf: ExprId,
        carried: ExprId,
        adds: &mut Vec<ExprId>,
        drops: &mut Vec<ExprId>,
    ) -> bool {
        if leaf == carried {
            return true;
        }
        match *self.a.get(leaf) {
            Expr::Binary(Bin::Union, old, new) => {
                let known = self.changes(old, carried, adds, drops);
                if known {
                    adds.push(new);
                }
                known
            }
            Expr::Binary(Bin::Minus, old, gone) => {
                let known = self.changes(old, carried, adds, drops);
                if known {
                    drops.push(gone);
                }
                known
            }
            // `[] ++ x` is `x`.
            Expr::Gather { .. } | Expr::One(_) if *self.a.get(carried) == Expr::Lit(Lit::Empty) => {
                adds.push(leaf);
                true
            }
            _ => false,
        }
    }

    pub(super) fn leaves(&mut self, e: ExprId, c: ExprId, out: &mut Vec<(ExprId, ExprId)>) {
        match *self.a.get(e) {
            Expr::Choose(g, t, f) if out.len() < 32 => {
                let ct = self.a.and(c, g);
                self.leaves(t, ct, out);
                let ng = self.a.not(g);
                let cf = self.a.and(c, ng);
                self.leaves(f, cf, out);
            }
            // choose(c, true, prev) was simplified to `c or prev`.
            Expr::Binary(Bin::Or, l, r) if matches!(self.a.get(r), Expr::Carried(..)) => {
                let t = self.a.bool(true);
                let ct = self.a.and(c, l);
                out.push((ct, t));
                out.push((c, r));
            }
            // choose(c, false, prev) was simplified to `not c and prev`.
            Expr::Binary(Bin::And, l, r) if matches!(self.a.get(r), Expr::Carried(..)) => {
                let f = self.a.bool(false);
                let nl = self.a.not(l);
                let ct = self.a.and(c, nl);
                out.push((ct, f));
                out.push((c, r));
            }
            _ => out.push((c, e)),
        }
    }

    /// What the body itself saw of a carried place: the value before the loop, or the one a round before left.
    #[allow(clippy::too_many_arguments)]
    fn settle_carried(
        &mut self,
        b: BinderId,
        carried: &BTreeMap<Key, ExprId>,
        s: &State,
        finals: &[State],
        marks: (usize, usize, usize),
        after: &mut State,
        ex: &mut Exits,
    ) {
        if carried.is_empty() {
            return;
        }
        let (mut values, mut ends) = (vec![], FxHashMap::default());
        let mut first = Rebuild::within();
        for (&key, &c) in carried {
            let init = self.place_get(key, s);
            let last = finals.first().map(|st| self.place_get(key, st)).unwrap_or(c);
            first = first.with(c, init);
            values.push((c, init, last));
            ends.insert(c, finals.iter().map(|st| self.place_get(key, st)).collect::<Vec<_>>());
        }
        // A value handed on may itself speak of other carried places: what the first round made of what stood before the
        // loop, then what a later round made of that. Two levels tell a token loop from a single page.
        let mut second = Rebuild::within();
        for &(c, init, last) in &values {
            let seen = self.seen(c, init, last, &mut first);
            second = second.with(c, seen);
        }
        let mut r = Rebuild::within();
        for &(c, init, last) in &values {
            let seen = self.seen(c, init, last, &mut second);
            r = r.with(c, seen);
            r = self.asked_of_earlier_passes((b, c, init), ends.get(&c).map_or(&[], Vec::as_slice), r);
        }
        for i in marks.0..self.effects.len() {
            let mut e = self.effects[i];
            e.when = r.expr(&mut self.a, e.when);
            e.target = r.expr(&mut self.a, e.target);
            e.call = r.expr(&mut self.a, e.call);
            self.effects[i] = e;
        }
        for i in marks.1..self.reads.len() {
            let was = self.reads[i].call;
            let now = r.expr(&mut self.a, was);
            self.reads[i].call = now;
            if now != was {
                // `req.execute()`: what `req` is was open while the body was walked.
                self.match_again(now);
            }
        }
        for i in marks.2..self.risky.len() {
            self.risky[i].raised = r.expr(&mut self.a, self.risky[i].raised);
            self.risky[i].missing = r.expr(&mut self.a, self.risky[i].missing);
        }
        for v in after.env.values_mut().chain(after.heap.values_mut()) {
            *v = r.expr(&mut self.a, *v);
        }
        for (st, v) in &mut ex.returns {
            *v = r.expr(&mut self.a, *v);
            st.live = r.expr(&mut self.a, st.live);
            for left in st.env.values_mut().chain(st.heap.values_mut()) {
                *left = r.expr(&mut self.a, *left);
            }
        }
        for (_, st) in ex.breaks.iter_mut().chain(&mut ex.continues) {
            st.live = r.expr(&mut self.a, st.live);
        }
    }

    /// The value before the loop, or what a round made of what it saw.
    fn seen(&mut self, c: ExprId, init: ExprId, last: ExprId, before: &mut Rebuild) -> ExprId {
        // What rounds before took out was there before the loop.
        if last == c || self.only_taken(last, c) {
            return init;
        }
        let once = before.expr(&mut self.a, last);
        let some = self.a.unknown();
        // The first round's value first: what a later round goes on with was scoped there.
        self.a.choose(some, init, once)
    }

    fn only_taken(&self, e: ExprId, c: ExprId) -> bool {
        match *self.a.get(e) {
            Expr::Binary(Bin::Minus, l, _) => l == c || self.only_taken(l, c),
            Expr::Choose(_, t, f) => (t == c || self.only_taken(t, c)) && (f == c || self.only_taken(f, c)),
            _ => false,
        }
    }

    /// What may raise in the body ends the function too: for an element that is traversed at all, where there is a choice
    /// of what to traverse.
    fn raised_inside(&mut self, src: Source, from: usize, after: &mut State) {
        for i in from..self.risky.len() {
            let r = self.risky[i];
            let raised = self.a.and(src.keep, r.raised);
            let raised = self.a.any(src.binder, raised);
            let missing = self.a.and(src.keep, r.missing);
            let missing = self.a.any(src.binder, missing);
            self.risky[i] = Risk { raised, missing, kind: r.kind };
            if self.func.raises {
                let none = self.a.not(raised);
                after.live = self.a.and(after.live, none);
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn far_exits(
        &mut self,
        b: BinderId,
        s: &State,
        returns: Vec<(State, ExprId)>,
        breaks: Vec<(u8, State)>,
        continues: Vec<(u8, State)>,
        after: &mut State,
        x: &mut Exits,
    ) {
        for (mut st, v) in returns {
            let some = self.a.any(b, st.live);
            st.live = self.a.and(s.live, some);
            x.returns.push((st, v));
            let none = self.a.not(some);
            after.live = self.a.and(after.live, none);
        }
        for (list, is_break) in [(breaks, true), (continues, false)] {
            for (n, st) in list {
                let some = self.a.any(b, st.live);
                let mut out = after.clone();
                out.live = self.a.and(s.live, some);
                let none = self.a.not(some);
                after.live = self.a.and(after.live, none);
                let exits = if is_break { &mut x.breaks } else { &mut x.continues };
                exits.push((n.saturating_sub(1), out));
            }
        }
    }

    /// What a function value is given for each thing: the thing, and what else is told of it. Whether telling failed is
    /// not known of the thing.
    fn each_given(&mut self, f: ExprId, elem: ExprId) -> Vec<Arg> {
        let mut args = vec![Arg { name: None, value: elem }];
        let Expr::Closure(id) = *self.a.get(f) else { return args };
        let Some(cl) = self.func.arena.closures.get(id.0 as usize) else { return args };
        for (i, name) in cl.params.iter().enumerate().skip(1) {
            let failure = name.starts_with("err");
            let value = if failure { self.a.unknown() } else { self.a.field(elem, sym(&format!("#{i}"))) };
            args.push(Arg { name: None, value });
        }
        args
    }

    /// The places a block may write; `true`: by assignment, `false`: by a method that may change a collection.
    fn written(&mut self, b: &Block, s: &mut State) -> BTreeMap<Key, bool> {
        let mut places = vec![];
        let mutates = |m: Sym, seen: bool| {
            let known = self.ctx.vocab().mutator(self.file.language, m);
            known.is_some_and(|mu| mu.seen == seen)
        };
        written_places(&self.func.arena, &|m| mutates(m, false), b, &mut places);
        let sure = places.len();
        written_places(&self.func.arena, &|m| mutates(m, true), b, &mut places);
        let bound: Vec<Sym> = places.iter().filter_map(|p| name_of(p.0)).collect();
        let mut out = BTreeMap::new();
        for (i, (p, assigned)) in places.into_iter().enumerate() {
            let key = match p {
                Place::Name(n) => Some(Key::Name(n)),
                // Fields of what is bound inside the loop belong to one round.
                Place::Field(base, f) => self.stable_field(base, f, &bound, s),
                Place::Entry(m, _) => match *self.func.arena.get(m) {
                    Expr::Name(n) => Some(Key::Name(n)),
                    Expr::Field(base, f) => self.stable_field(base, f, &bound, s),
                    _ => None,
                },
            };
            if let Some(key) = key {
                let held = i < sure || assigned || {
                    let now = self.place_get(key, s);
                    self.collection(now)
                };
                if !held {
                    continue;
                }
                *out.entry(key).or_insert(false) |= assigned;
            }
        }
        out
    }

    /// A field of what does not change with the loop, or a part of a mapping that is not written as a whole.
    fn stable_field(&mut self, base: ExprId, f: Sym, bound: &[Sym], s: &State) -> Option<Key> {
        match self.mapping_named(base, s) {
            Some(n) if bound.contains(&n) => None,
            Some(n) => Some(Key::Part(n, f)),
            None => self.stable_base(base, bound, s).map(|b| Key::Field(b, f)),
        }
    }

    /// The value of a base that does not change with the loop: `self`, a parameter, an object an outer local holds.
    fn stable_base(&mut self, base: ExprId, bound: &[Sym], s: &State) -> Option<ExprId> {
        match *self.func.arena.get(base) {
            Expr::Name(n) if !bound.contains(&n) => {
                s.env.get(&n).copied().filter(|v| matches!(self.a.get(*v), Expr::Param(_) | Expr::Call(_)))
            }
            Expr::Path(p) => Some(self.a.mk(Expr::Path(p))),
            _ => None,
        }
    }
}

fn closure_block<'f>(func: &'f Func, a: &Arena, f: ExprId) -> Option<&'f Block> {
    match a.get(f) {
        Expr::Closure(id) => func.arena.closures.get(id.0 as usize).map(|c| &c.body),
        _ => None,
    }
}

/// The local that a place is, or is part of.
fn local_of(key: Key) -> Option<Sym> {
    match key {
        Key::Name(n) | Key::Part(n, _) => Some(n),
        Key::Field(..) => None,
    }
}

fn name_of(p: Place) -> Option<Sym> {
    match p {
        Place::Name(n) => Some(n),
        _ => None,
    }
}

/// Every place written in a block: by assignment, or by a method that changes a collection.
fn written_places(a: &Arena, mutates: &dyn Fn(Sym) -> bool, b: &Block, out: &mut Vec<(Place, bool)>) {
    for s in b {
        match s {
            Stmt::Let(p, e) | Stmt::Put(p, e) | Stmt::Drop(p, e) => {
                out.push((*p, true));
                mutated(a, mutates, *e, out);
            }
            Stmt::Set { base, field, value, .. } => {
                out.push((Place::Field(*base, *field), true));
                mutated(a, mutates, *value, out);
            }
            Stmt::Do(e) | Stmt::Leave(Exit::Return(e)) => mutated(a, mutates, *e, out),
            Stmt::If(c, t, f) => {
                mutated(a, mutates, *c, out);
                written_places(a, mutates, t, out);
                written_places(a, mutates, f, out);
            }
            Stmt::For { over, body, whole, .. } => {
                mutated(a, mutates, *over, out);
                written_places(a, mutates, body, out);
                written_places(a, mutates, whole, out);
            }
            Stmt::Try { body, handlers } => {
                written_places(a, mutates, body, out);
                handlers.iter().for_each(|h| written_places(a, mutates, &h.body, out));
            }
            Stmt::Leave(_) => {}
        }
    }
}

/// The place of a collection that a method changes.
fn grown_place(a: &Arena, recv: ExprId, out: &mut Vec<(Place, bool)>) {
    match *a.get(recv) {
        Expr::Name(n) => out.push((Place::Name(n), false)),
        Expr::Field(b, f) => out.push((Place::Field(b, f), false)),
        Expr::Lookup(m, k) => out.push((Place::Entry(m, k), false)),
        Expr::Choose(_, t, f) => {
            grown_place(a, t, out);
            grown_place(a, f, out);
        }
        Expr::Call(ref inner) => {
            if let Expr::Field(m, f) = *a.get(inner.callee)
                && f == "setdefault"
                && let Some(k) = inner.args.first()
            {
                out.push((Place::Entry(m, k.value), false));
            }
        }
        _ => {}
    }
}

/// Collections changed by method calls inside an expression.
fn mutated(a: &Arena, mutates: &dyn Fn(Sym) -> bool, e: ExprId, out: &mut Vec<(Place, bool)>) {
    a.mentions(e, &mut |x| {
        if let Expr::Call(c) = a.get(x)
            && let Expr::Field(recv, m) = *a.get(c.callee)
            && mutates(m)
        {
            grown_place(a, recv, out);
        }
        if let Expr::Closure(id) = *a.get(x)
            && let Some(c) = a.closures.get(id.0 as usize)
        {
            written_places(a, mutates, &c.body, out);
        }
        false
    });
}
