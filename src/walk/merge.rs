//! Joining states, and reading and writing places.
//!
//! ```text
//! if c: x = 1          x after the `if` is (c ? 1 : 2); a field written in one arm only keeps its old
//! else: x = 2          value in the other
//! ```

use super::*;

impl Walk<'_> {
    /// The state after a branch on `c`. A dead arm is `None`, never a state full of unknowns.
    pub(super) fn merge(&mut self, c: ExprId, t: Option<State>, f: Option<State>) -> Option<State> {
        let (t, f) = match (t, f) {
            (Some(t), Some(f)) => (t, f),
            (t, f) => return t.or(f),
        };
        let live = self.a.or(t.live, f.live);
        let State { mut env, mut heap, .. } = t;
        for (k, v) in &mut env {
            // Assigned in one arm only: where it is used at all, that arm was taken.
            if let Some(&other) = f.env.get(k).filter(|other| *other != v) {
                *v = self.a.choose(c, *v, other);
            }
        }
        for (k, v) in f.env {
            env.entry(k).or_insert(v);
        }
        for (k, v) in &mut heap {
            let other = f.heap.get(k).copied().unwrap_or_else(|| self.unwritten(k.0, k.1));
            *v = self.a.choose(c, *v, other);
        }
        for (k, v) in f.heap {
            heap.entry(k).or_insert_with(|| {
                let was = self.unwritten(k.0, k.1);
                self.a.choose(c, was, v)
            });
        }
        Some(State { env, heap, live })
    }

    /// What a field holds that an arm left alone.
    ///
    /// ```text
    /// pens := list(selector);  if local { pens.Items = append(pens.Items, more.Items...) }      else what the selector lets through
    /// ```
    fn unwritten(&mut self, base: ExprId, f: Sym) -> ExprId {
        match *self.a.get(base) {
            Expr::Gather { of, .. } if f != "#key" && self.a.call_of(self.a.coll(of)).is_some() => base,
            _ => self.a.mk(Expr::Field(base, f)),
        }
    }

    /// Where a place of the source is, over the walked arena; an entry is its collection. `None`: nowhere that is
    /// followed.
    pub(super) fn key(&mut self, p: Place, s: &mut State) -> Option<Key> {
        match p {
            Place::Name(n) => Some(Key::Name(n)),
            Place::Field(b, f) => Some(self.field_key(b, f, s)),
            Place::Entry(m, _) => self.key_of_expr(m, s),
        }
    }

    /// The place an expression of the source reads from: a local, a field, and for entries and `setdefault` the
    /// collection around them.
    pub(super) fn key_of_expr(&mut self, e: ExprId, s: &mut State) -> Option<Key> {
        match self.func.arena.get(e).clone() {
            Expr::Name(n) => Some(Key::Name(n)),
            Expr::Field(b, f) => Some(self.field_key(b, f, s)),
            Expr::Lookup(m, _) => self.key_of_expr(m, s),
            Expr::Call(c) => match *self.func.arena.get(c.callee) {
                Expr::Field(m, f) if f == "setdefault" => self.key_of_expr(m, s),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn place_get(&mut self, k: Key, s: &State) -> ExprId {
        match k {
            Key::Name(n) => self.local(n, s),
            Key::Field(b, f) => self.read_field(b, f, s),
            Key::Part(n, f) => {
                let whole = self.local(n, s);
                self.part(whole, f)
            }
        }
    }

    pub(super) fn place_set(&mut self, k: Key, v: ExprId, s: &mut State) {
        match k {
            Key::Name(n) => {
                s.env.insert(n, v);
            }
            Key::Field(b, f) => {
                s.heap.insert((b, f), v);
            }
            Key::Part(n, f) => {
                let whole = self.local(n, s);
                let filled = self.with_part(whole, f, v);
                s.env.insert(n, filled);
            }
        }
    }

    pub(super) fn local(&mut self, n: Sym, s: &State) -> ExprId {
        match s.env.get(&n) {
            Some(&e) => e,
            None => self.a.mk(Expr::Name(n)),
        }
    }

    /// Assignment.
    pub(super) fn assign(&mut self, place: Place, v: ExprId, s: &mut State) {
        match place {
            Place::Name(n) => {
                s.env.insert(n, v);
            }
            Place::Field(b, f) => {
                let key = self.field_key(b, f, s);
                self.place_set(key, v, s);
            }
            Place::Entry(m, k) => {
                let key = self.value(k, s);
                // `labels[LABEL] = v` of a mapping that was written out here.
                if let Some(name) = self.a.as_str(key).map(sym)
                    && let Some(local) = self.mapping_named(m, s)
                {
                    return self.place_set(Key::Part(local, name), v, s);
                }
                if *self.a.get(v) == Expr::Lit(Lit::Empty) && self.makes_room(key, s) {
                    return;
                }
                // A map keeps its values; where the value says nothing of where it came from, the key does.
                let keep = if spread::descends(&self.a, v) || !spread::descends(&self.a, key) { v } else { key };
                let one = self.a.mk(Expr::One(keep));
                self.grow(place, one, s);
            }
        }
    }

    /// `if k not in groups: groups[k] = set()`: what is added comes later.
    fn makes_room(&self, key: ExprId, s: &State) -> bool {
        self.a.parts(s.live, Bin::And).into_iter().any(|part| match *self.a.get(part) {
            Expr::Unary(Un::Not, x) => match *self.a.get(x) {
                Expr::Unary(Un::Present, there) => matches!(*self.a.get(there), Expr::Lookup(_, k) if k == key),
                _ => false,
            },
            _ => false,
        })
    }

    /// `x.status = "terminated"`: a record is moved to a final state, an effect of its own.
    pub(super) fn state_written(&mut self, base: ExprId, f: Sym, v: ExprId, at: crate::source::Span, s: &State) {
        if self.ctx.vocab().field(f) != Some(crate::vocab::FieldRole::State) || !self.final_word(v) {
            return;
        }
        let when = self.here(s);
        let call = self.a.mk(Expr::Field(base, f));
        self.effect(EffectKind::Terminate, call, base, when);
        if let Some(e) = self.effects.last_mut() {
            e.at = Some(at);
        }
    }

    /// Adds a collection to the one at a place.
    pub(super) fn grow(&mut self, place: Place, more: ExprId, s: &mut State) {
        if let Some(key) = self.key(place, s) {
            let old = self.place_get(key, s);
            let new = self.a.union(old, more);
            self.place_set(key, new, s);
        }
    }
}

/// Is it a collection that things were added to or taken out of?
pub(super) fn is_grown(a: &Arena, e: ExprId) -> bool {
    let (mut todo, mut seen) = (vec![e], FxHashSet::default());
    while let Some(x) = todo.pop() {
        match *a.get(x) {
            Expr::Binary(Bin::Union | Bin::Minus, ..) => return true,
            Expr::Choose(_, t, f) if seen.insert(x) => todo.extend([t, f]),
            _ => {}
        }
    }
    false
}

/// Is a value the old one with things added or taken out?
pub(super) fn grows_from(a: &Arena, e: ExprId, old: ExprId) -> bool {
    let (mut todo, mut seen) = (vec![e], FxHashSet::default());
    while let Some(x) = todo.pop() {
        if x == old || !seen.insert(x) {
            continue;
        }
        match *a.get(x) {
            Expr::Binary(Bin::Union | Bin::Minus, l, _) => todo.push(l),
            Expr::Choose(_, t, f) => todo.extend([t, f]),
            // `old.retain(..)`
            Expr::Gather { of, give, .. } if *a.get(give) == Expr::Elem(of) => todo.push(a.coll(of)),
            // `[] ++ x` is `x`.
            Expr::Gather { .. } | Expr::One(_) if *a.get(old) == Expr::Lit(Lit::Empty) => {}
            _ => return false,
        }
    }
    true
}
