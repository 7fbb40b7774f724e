//! Expressions: locals become their values, calls become reads, effects or copies of summaries.
//!
//! The right side of `and`, `or` and a choice is evaluated under the left: in `row and api.delete(row.id)` the call is
//! reached when there is a row, and may raise only then.

use super::spread::Source;
use super::*;

/// A shorter text is no statement.
const STATEMENT: usize = 12;

impl Walk<'_> {
    /// A condition keeps its value: whether it holds is the questions' business.
    pub(super) fn condition(&mut self, e: ExprId, s: &mut State) -> ExprId {
        self.value(e, s)
    }

    /// The value of an expression of the source at this point, over the walked arena.
    pub(super) fn value(&mut self, e: ExprId, s: &mut State) -> ExprId {
        if self.a.len() > EXPR_LIMIT {
            self.truncated = true;
            return self.a.unknown();
        }
        let func = self.func;
        let expr = func.arena.get(e);
        let r = match expr {
            Expr::Name(n) => return self.local(*n, s),
            Expr::Path(p) => return self.global(*p),
            Expr::Unknown(_) => self.a.unknown(),
            // A text has a place of its own: a selector, a command.
            Expr::Lit(l @ Lit::Str(_)) => {
                let text = self.a.lit(*l);
                return func.arena.origin(e).map_or(text, |at| self.a.at(text, at));
            }
            Expr::Lit(l) => {
                let r = self.a.lit(*l);
                // A text may be a statement, whose parts have a place of their own.
                if let (Lit::Str(t), Some(span)) = (l, func.arena.origin(e))
                    && t.len() >= STATEMENT
                {
                    self.a.at(r, span);
                }
                return r;
            }
            Expr::Field(b, f) => {
                let b = self.value(*b, s);
                self.read_field(b, *f, s)
            }
            Expr::Record(parts) => {
                let parts = parts.iter().map(|p| (p.0, self.value(p.1, s))).collect();
                self.mapping(parts)
            }
            Expr::Format(parts) => {
                let parts = parts.iter().map(|p| self.value(*p, s)).collect();
                self.a.mk(Expr::Format(parts))
            }
            Expr::One(x) => {
                let x = self.value(*x, s);
                self.a.mk(Expr::One(x))
            }
            Expr::Lookup(c, k) => self.subscript(*c, *k, s),
            Expr::Unary(Un::Present, x) if matches!(func.arena.get(*x), Expr::Lookup(..)) => {
                let &Expr::Lookup(c, k) = func.arena.get(*x) else { return self.a.unknown() };
                let (c, k) = (self.value(c, s), self.value(k, s));
                self.held(c, k)
            }
            Expr::Unary(u, x) => {
                let mut x = self.value(*x, s);
                // An element that is a failure is the failure of what gives the elements: `for page in pages { page? }`.
                if *u == Un::Raised
                    && let Expr::Elem(b) = *self.a.get(x)
                    && matches!(self.a.get(self.a.coll(b)), Expr::Call(_) | Expr::Gather { .. })
                {
                    x = self.a.coll(b);
                }
                self.a.unary(*u, x)
            }
            Expr::Binary(o @ (Bin::And | Bin::Or), l, r) => {
                let l = self.value(*l, s);
                let gate = if *o == Bin::And { l } else { self.a.not(l) };
                let r = self.under(gate, *r, s);
                self.a.binary(*o, l, r)
            }
            Expr::Binary(o, l, r) => {
                let (l, r) = (self.value(*l, s), self.value(*r, s));
                self.operator(*o, l, r)
            }
            // `next(x for x in xs if c)`: the match of a search.
            Expr::Choose(c, t, f) if matches!(func.arena.get(*c), Expr::Any(..)) => {
                let &Expr::Any(b, such) = func.arena.get(*c) else { return self.a.unknown() };
                self.match_of(b, such, *t, *f, s)
            }
            Expr::Choose(c, t, f) => {
                let c = self.value(*c, s);
                let t = self.under(c, *t, s);
                let n = self.a.not(c);
                let f = self.under(n, *f, s);
                self.a.choose(c, t, f)
            }
            Expr::Any(b, such) => self.any_of(*b, *such, s),
            Expr::Gather { of, keep, give } => self.gather_of(*of, *keep, *give, s),
            Expr::Call(c) => match self.made_once(e) {
                Some(known) => return known,
                None => {
                    let v = self.call(c, s);
                    self.note_once(e, v);
                    v
                }
            },
            Expr::Closure(id) => return self.a.mk(Expr::Closure(*id)),
            Expr::Elem(b) => {
                let known = self.elems.iter().rev().find(|x| x.0 == *b).map(|x| x.1);
                return known.unwrap_or_else(|| self.a.unknown());
            }
            Expr::Carried(..) | Expr::Param(_) | Expr::Caught(_) => self.a.unknown(),
        };
        if let Some(span) = func.arena.origin(e)
            && !matches!(self.a.get(r), Expr::Lit(_) | Expr::Param(_) | Expr::Elem(_))
        {
            self.a.at(r, span);
        }
        r
    }

    /// The value of an expression that is evaluated only where `gate` holds.
    fn under(&mut self, gate: ExprId, e: ExprId, s: &mut State) -> ExprId {
        let (from, live) = (self.risky.len(), s.live);
        s.live = self.a.and(live, gate);
        let r = self.value(e, s);
        s.live = live;
        for i in from..self.risky.len() {
            let risk = self.risky[i];
            let raised = self.a.and(gate, risk.raised);
            let missing = self.a.and(gate, risk.missing);
            self.risky[i] = Risk { raised, missing, ..risk };
        }
        r
    }

    /// `{"app": a, LABEL: b}`: a key that is a constant is what that says. Where it says nothing that is known, the mapping
    /// holds the value, or the key where that says more.
    fn mapping(&mut self, parts: Vec<(Sym, ExprId)>) -> ExprId {
        let (mut known, mut others) = (vec![], vec![]);
        for (name, value) in parts {
            let Some(path) = name.as_str().strip_prefix('=').filter(|p| !p.is_empty()) else {
                known.push((name, value));
                continue;
            };
            let key = self.global(sym(path));
            let name = path.rsplit('.').next().unwrap_or_default();
            match self.a.as_str(key) {
                Some(text) => known.push((sym(text), value)),
                // A constant that is out of sight goes by its name: `LABEL`, `ownerLabel`.
                None if name.contains(char::is_uppercase) => known.push((sym(name), value)),
                None => others.push(if matches!(self.a.get(value), Expr::Lit(_)) { key } else { value }),
            }
        }
        let mut made = self.a.lit(Lit::Empty);
        if !known.is_empty() || others.is_empty() {
            made = self.a.mk(Expr::Record(known));
            self.mappings.insert(made);
        }
        for x in others {
            let one = self.a.mk(Expr::One(x));
            made = self.a.union(made, one);
        }
        made
    }

    /// `c[k]`: a missing key raises, where a handler for that is about.
    fn subscript(&mut self, c: ExprId, k: ExprId, s: &mut State) -> ExprId {
        let (c, k) = (self.value(c, s), self.value(k, s));
        // `d.labels[LABEL]` is `d.labels["..."]`.
        if let Some(name) = self.a.as_str(k).map(sym)
            && !self.collection(c)
        {
            return self.read_field(c, name, s);
        }
        let r = self.entry(c, k);
        if matches!(self.a.get(r), Expr::Lookup(..)) && self.func.raises {
            let there = self.a.unary(Un::Present, r);
            // Only where it is looked up at all: under `if k in c` it is never missing.
            let missing = self.a.not(there);
            let missing = self.a.and(s.live, missing);
            self.risky.push(Risk { raised: missing, missing, kind: RiskKind::Key });
        }
        r
    }

    /// `rows.get(k)`, `rows.get(k, d)`: what is held under a key.
    pub(super) fn entry_of(&mut self, recv: ExprId, method: Sym, args: &[Arg]) -> Option<ExprId> {
        if method != "get" || args.is_empty() || args.len() > 2 || args.iter().any(|a| a.name.is_some()) {
            return None;
        }
        let found = self.entry(recv, args[0].value);
        Some(match args.get(1) {
            Some(d) if !matches!(self.a.get(d.value), Expr::Lit(Lit::Nothing)) => {
                let there = self.a.unary(Un::Present, found);
                self.a.choose(there, found, d.value)
            }
            _ => found,
        })
    }

    /// `m[k]`; the key of an element of the map itself gives the element.
    pub(super) fn entry(&mut self, c: ExprId, k: ExprId) -> ExprId {
        if let Expr::Field(e, f) = *self.a.get(k)
            && f == "#key"
            && let Expr::Elem(b) = *self.a.get(e)
            && self.a.coll(b) == c
        {
            return e;
        }
        self.a.mk(Expr::Lookup(c, k))
    }

    /// `k in c`; in text about a caught exception it may ask for a "no such thing".
    fn held(&mut self, c: ExprId, k: ExprId) -> ExprId {
        if let Some(nf) = self.about_caught(c)
            && self.says_not_found(k)
        {
            return nf;
        }
        let own = !self.collection(c) && spread::elem_root(&self.a, c).is_some();
        let l = match self.a.as_str(k).map(sym) {
            Some(name) if own => self.a.field(c, name),
            _ => self.entry(c, k),
        };
        self.a.unary(Un::Present, l)
    }

    fn operator(&mut self, o: Bin, l: ExprId, r: ExprId) -> ExprId {
        if o == Bin::Eq {
            for (x, y) in [(l, r), (r, l)] {
                if let Some(nf) = self.about_caught(x)
                    && self.says_not_found(y)
                {
                    return nf;
                }
            }
        }
        match o {
            Bin::Eq | Bin::Lt if self.counts(l) || self.counts(r) => self.count_test(o, l, r),
            Bin::Sub if self.collection(l) || self.collection(r) => self.a.minus(l, r),
            Bin::Add if self.collection(l) || self.collection(r) => self.a.union(l, r),
            _ => self.a.binary(o, l, r),
        }
    }

    /// Something read off a caught exception: when that exception is a "no such thing".
    pub(super) fn about_caught(&self, e: ExprId) -> Option<ExprId> {
        self.caught_in(e, &mut FxHashSet::default())
    }

    /// The same; what was looked at before has none.
    fn caught_in(&self, e: ExprId, seen: &mut FxHashSet<ExprId>) -> Option<ExprId> {
        match self.a.get(e) {
            Expr::Caught(nf) => Some(*nf),
            Expr::Field(x, _) | Expr::Lookup(x, _) => self.caught_in(*x, seen),
            Expr::Format(_) | Expr::Call(_) if !seen.insert(e) => None,
            Expr::Format(p) => p.iter().find_map(|x| self.caught_in(*x, seen)),
            Expr::Call(c) => {
                let given = c.args.iter().find_map(|x| self.caught_in(x.value, seen));
                given.or_else(|| self.caught_in(c.callee, seen))
            }
            _ => None,
        }
    }

    pub(super) fn says_not_found(&self, e: ExprId) -> bool {
        let vocab = self.ctx.vocab();
        match self.a.get(e) {
            Expr::Lit(Lit::Num(n)) => vocab.is_not_found(&n.to_string()),
            Expr::Lit(Lit::Str(w)) => vocab.is_not_found(w),
            Expr::Path(p) => vocab.is_not_found(p),
            Expr::Field(_, f) => vocab.is_not_found(f),
            _ => false,
        }
    }

    /// `base.f`: what was written on this path, else what the class says of it, else the field as it stands. A listing
    /// with its selector is itself what its items are read from.
    pub(super) fn read_field(&mut self, base: ExprId, f: Sym, s: &State) -> ExprId {
        if let Some(&v) = s.heap.get(&(self.where_there_is_one(base), f)) {
            return v;
        }
        match *self.a.get(base) {
            Expr::Param(0) if self.class.is_some() => self.self_field(f, base),
            Expr::Gather { of, .. } if f != "#key" && self.a.call_of(self.a.coll(of)).is_some() => base,
            Expr::Path(p) => self.global(sym(&format!("{p}.{f}"))),
            _ if !f.starts_with('#') && self.holds_groups(base) => {
                let key = self.a.str(f.as_str());
                self.entry(base, key)
            }
            _ => self.row_field(base, f),
        }
    }

    /// What something is where it is anything at all: what failed has no fields.
    fn where_there_is_one(&self, mut e: ExprId) -> ExprId {
        let none = |e: ExprId| matches!(self.a.get(e), Expr::Lit(Lit::Failed | Lit::Nothing));
        loop {
            match *self.a.get(e) {
                Expr::Choose(_, t, f) if none(t) => e = f,
                Expr::Choose(_, t, f) if none(f) => e = t,
                _ => return e,
            }
        }
    }

    fn self_field(&mut self, f: Sym, base: ExprId) -> ExprId {
        let plain = self.a.field(base, f);
        if let Some(known) = self.self_fields.get(&f) {
            return known.unwrap_or(plain);
        }
        self.self_fields.insert(f, None);
        let Some(class) = self.class else { return plain };
        let value = match self.ctx.self_field(class, f) {
            SelfField::Unknown => None,
            SelfField::Configured => {
                self.fields.insert((base, f), FieldHistory::Configured);
                None
            }
            field @ (SelfField::Kept | SelfField::Registry | SelfField::Filled) => {
                let history = match field {
                    SelfField::Registry => FieldHistory::Registry,
                    SelfField::Filled => FieldHistory::Filled,
                    _ => FieldHistory::Kept,
                };
                self.fields.insert((base, f), history);
                None
            }
            SelfField::Property(_) if self.glance.is_some() => {
                let opaque = self.a.unknown();
                self.gave(opaque);
                Some(opaque)
            }
            SelfField::Property(key) => self.ctx.summary(key).and_then(|sum| {
                (sum.params.len() == 1).then(|| {
                    let mut r = Rebuild::out_of(&sum.arena, None);
                    self.pass_params(&sum, &[base], &mut r);
                    r.expr(&mut self.a, sum.returns)
                })
            }),
            SelfField::Value(sum, v) => {
                let mut r = Rebuild::out_of(&sum.arena, None);
                let mut given = vec![base];
                for name in sum.params.iter().skip(1) {
                    // What the constructor was given is configuration.
                    let field = self.a.field(base, star_free(*name));
                    self.fields.entry((base, star_free(*name))).or_insert(FieldHistory::Configured);
                    given.push(field);
                }
                self.pass_params(&sum, &given, &mut r);
                Some(r.expr(&mut self.a, v))
            }
        };
        self.self_fields.insert(f, value);
        value.unwrap_or(plain)
    }

    /// Says of each parameter of a summary what is given for it.
    pub(super) fn pass_params(&self, sum: &Summary, given: &[ExprId], r: &mut Rebuild) {
        for (i, &g) in given.iter().enumerate() {
            if let Some(p) = sum.arena.param(i) {
                r.done.insert(p, g);
            }
        }
    }

    /// The value of a global name: a constant or object made at the top of a file is copied in, once.
    pub(super) fn global(&mut self, p: Sym) -> ExprId {
        let plain = self.a.mk(Expr::Path(p));
        if let Some(known) = self.globals.get(&p) {
            return known.unwrap_or(plain);
        }
        self.globals.insert(p, None);
        let value = match self.ctx.resolve(self.func.name_span.file, p) {
            Resolved::Value(sum, v) => Some(Rebuild::out_of(&sum.arena, None).expr(&mut self.a, v)),
            _ => None,
        };
        self.globals.insert(p, value);
        value.unwrap_or(plain)
    }

    fn any_of(&mut self, old: BinderId, such: ExprId, s: &mut State) -> ExprId {
        let mut out = self.a.bool(false);
        for src in self.sources_of(old, s) {
            let cond = self.each_of(old, src, &[such], s)[0];
            let such = self.a.and(src.keep, cond);
            let some = self.a.any(src.binder, such);
            out = self.a.or(out, some);
        }
        out
    }

    /// The first element for which a condition holds, in the form given, or the default.
    fn match_of(&mut self, old: BinderId, such: ExprId, give: ExprId, default: ExprId, s: &mut State) -> ExprId {
        let sources = self.sources_of(old, s);
        let mut out = self.value(default, s);
        for src in sources.into_iter().rev() {
            let parts = self.each_of(old, src, &[such, give], s);
            let such = self.a.and(src.keep, parts[0]);
            let some = self.a.any(src.binder, such);
            out = self.a.choose(some, parts[1], out);
        }
        out
    }

    fn gather_of(&mut self, old: BinderId, keep: ExprId, give: ExprId, s: &mut State) -> ExprId {
        let mut out = self.a.lit(Lit::Empty);
        for src in self.sources_of(old, s) {
            let parts = self.each_of(old, src, &[keep, give], s);
            let keep = self.a.and(src.keep, parts[0]);
            let nested = matches!(self.func.arena.get(give), Expr::Gather { .. });
            let v = if nested { parts[1] } else { self.as_element(parts[1]) };
            let g = self.a.gather(src.binder, keep, v);
            out = self.a.union(out, g);
        }
        out
    }

    fn sources_of(&mut self, old: BinderId, s: &mut State) -> Vec<Source> {
        let func = self.func;
        let coll = self.value(func.arena.coll(old), s);
        let coll = self.rows_in(coll, s);
        self.spread(coll)
    }

    /// What a call of the source gave for the element at hand: what a filter asks and what it gives is one call.
    ///
    /// ```text
    /// xs.try_filter_map(|x| Ok(judge(x)?.then_some(x)))       [x | not raised(judge(x)) and judge(x)]: judged once
    /// ```
    fn made_once(&self, e: ExprId) -> Option<ExprId> {
        self.once.as_ref()?.get(&e).copied()
    }

    fn note_once(&mut self, e: ExprId, v: ExprId) {
        if let Some(once) = &mut self.once {
            once.insert(e, v);
        }
    }

    /// Expressions about the element of a traversal, for the element given here. Each is evaluated under the ones before.
    fn each_of(&mut self, old: BinderId, src: Source, es: &[ExprId], s: &mut State) -> Vec<ExprId> {
        let outer = self.once.replace(FxHashMap::default());
        let out = self.for_each_of(old, src, es, s);
        self.once = outer;
        out
    }

    fn for_each_of(&mut self, old: BinderId, src: Source, es: &[ExprId], s: &mut State) -> Vec<ExprId> {
        let from = self.risky.len();
        self.outer.push(s.live);
        let mut inner = s.clone();
        inner.live = src.keep;
        self.elems.push((old, src.elem));
        let mut out = vec![];
        let mut reached = inner.live;
        for &e in es {
            reached = inner.live;
            let v = self.value(e, &mut inner);
            inner.live = self.a.and(inner.live, v);
            out.push(v);
        }
        self.elems.pop();
        self.outer.pop();
        self.raised_in_each(src.binder, from);
        if inner.env != s.env {
            let (before, left) = (s.clone(), [State { live: reached, ..inner }]);
            self.put_in_rounds(src.binder, &[], &before, &left, s);
        }
        out
    }
}
