//! Calls: what is called, and a copy of its summary where that is known.
//!
//! ```text
//! def keep(d):                          if not keep(d): api.delete(d.name)
//!     return find(d.id) is not None       delete reached when  not present(find(e0.id))
//! ```
//! Order of trust: a function value, a project function found by imports, a method of a known class, a row of a library
//! that is imported or that the receiver descends from, a change to a collection of this process, the only method of the
//! project with that name, a row by name alone. What is left is opaque, and counts as a read (a project's own interface
//! has no rows; what it returns may still be the reference).

use super::*;
use crate::vocab::Topic;
use rustc_hash::FxHashSet;

/// How many choices of a state that is written are taken apart.
const STATES: usize = 32;

impl Walk<'_> {
    pub(super) fn call(&mut self, c: &Call, s: &mut State) -> ExprId {
        let func = self.func;
        if let Expr::Field(recv, m) = *func.arena.get(c.callee)
            && let Expr::Choose(cond, t, f) = *func.arena.get(recv)
            && self.ctx.vocab().mutator(self.file.language, m).is_some()
        {
            return self.call_on_choice(c, m, (cond, t, f), s);
        }
        let place = match *func.arena.get(c.callee) {
            Expr::Field(recv, m) if self.ctx.vocab().mutator(self.file.language, m).is_some() => {
                self.key_of_expr(recv, s)
            }
            _ => None,
        };
        let callee = match *func.arena.get(c.callee) {
            Expr::Field(recv, m) => {
                let recv = self.value(recv, s);
                match *self.a.get(recv) {
                    Expr::Path(p) => self.a.mk(Expr::Path(sym(&format!("{p}.{m}")))),
                    // A method is no field: only a function value kept in one is followed.
                    _ => match s.heap.get(&(recv, m)) {
                        Some(&v) if self.is_function(v) => v,
                        _ => self.a.mk(Expr::Field(recv, m)),
                    },
                }
            }
            _ => self.value(c.callee, s),
        };
        let args: Vec<Arg> = c.args.iter().map(|x| Arg { name: x.name, value: self.value(x.value, s) }).collect();
        let local = |(x, given): (&Arg, &Arg)| match *func.arena.get(x.value) {
            Expr::Name(n) => Some((given.value, n)),
            _ => None,
        };
        let handed = c.args.iter().zip(&args).filter_map(local).collect();
        let args = self.unpacked(args);
        let site = func.arena.site(c.site).clone();
        let outer = std::mem::replace(&mut self.handed, handed);
        let v = self.dispatch(callee, place, args, site, s);
        self.handed = outer;
        v
    }

    /// `opts = {"device_id": vm.id}; list_ports(**opts)` is `list_ports(device_id=vm.id)`.
    fn unpacked(&self, args: Vec<Arg>) -> Vec<Arg> {
        let mut out = vec![];
        for arg in args {
            match self.a.get(arg.value) {
                Expr::Record(parts) if arg.name.is_some_and(|n| n == "**") => {
                    out.extend(parts.iter().map(|(name, value)| Arg { name: Some(*name), value: *value }));
                }
                Expr::Lit(Lit::Empty) if arg.name.is_some_and(|n| n == "**") => {}
                _ => out.push(arg),
            }
        }
        out
    }

    /// `(known if c else unknown).append(x)`: one place or the other.
    fn call_on_choice(&mut self, c: &Call, m: Sym, (cond, t, f): (ExprId, ExprId, ExprId), s: &mut State) -> ExprId {
        let func = self.func;
        let cond = self.value(cond, s);
        let args: Vec<Arg> = c.args.iter().map(|x| Arg { name: x.name, value: self.value(x.value, s) }).collect();
        let site = func.arena.site(c.site).clone();
        let arm = |w: &mut Self, recv: ExprId, gate: ExprId| {
            let mut inner = s.clone();
            inner.live = w.a.and(s.live, gate);
            let place = w.key_of_expr(recv, &mut inner);
            let recv = w.value(recv, &mut inner);
            let callee = w.a.mk(Expr::Field(recv, m));
            let v = w.dispatch(callee, place, args.clone(), site.clone(), &mut inner);
            (inner, v)
        };
        let (yes, x) = arm(self, t, cond);
        let gate = self.a.not(cond);
        let (no, y) = arm(self, f, gate);
        if let Some(merged) = self.merge(cond, Some(yes), Some(no)) {
            *s = merged;
        }
        self.a.choose(cond, x, y)
    }

    pub(super) fn is_function(&self, e: ExprId) -> bool {
        matches!(self.a.get(e), Expr::Closure(_) | Expr::Path(_) | Expr::Field(..))
    }

    /// A call of a value with values.
    pub(super) fn dispatch(
        &mut self,
        callee: ExprId,
        place: Option<Key>,
        args: Vec<Arg>,
        site: Site,
        s: &mut State,
    ) -> ExprId {
        let (mut body, done) = (None, self.effects.len());
        let called = match self.a.get(callee) {
            Expr::Field(_, name) => name.as_str(),
            Expr::Path(p) => p.rsplit('.').next().unwrap_or_default(),
            _ => "",
        };
        let vocab = self.ctx.vocab();
        let given = args.iter().any(|x| matches!(self.a.get(x.value), Expr::Closure(_)));
        let once = given && vocab.speaks_of(Topic::Once, called) && !vocab.speaks_of(Topic::Walking, called);
        let site = Site { acts: vocab.acts(called), once, ..site };
        if vocab.has_users_rows() && self.says_the_user(callee, &args, &site) {
            return self.library_call(callee, place, args, (site, None), s);
        }
        match self.a.get(callee).clone() {
            Expr::Closure(id) => {
                if let Some(v) = self.run_closure(id, &args, s) {
                    return v;
                }
            }
            // `partial(f, x)` called: `f` with both.
            Expr::Call(inner) if self.row_of(callee).is_some_and(|r| r.role == crate::vocab::Role::Run) => {
                if let Some((f, given)) = inner.args.split_first() {
                    let all = given.iter().chain(&args).cloned().collect();
                    return self.dispatch(f.value, None, all, site, s);
                }
            }
            Expr::Choose(c, t, f) if self.is_function(t) && self.is_function(f) => {
                let live = s.live;
                s.live = self.a.and(live, c);
                let x = self.dispatch(t, None, args.clone(), site.clone(), s);
                let n = self.a.not(c);
                s.live = self.a.and(live, n);
                let y = self.dispatch(f, None, args, site, s);
                s.live = live;
                return self.a.choose(c, x, y);
            }
            Expr::Path(p) => match self.ctx.resolve(self.func.name_span.file, p) {
                Resolved::Function(key) => {
                    if let Some(v) = self.put_in_place(key, None, &args, &site, s) {
                        self.made_by_act(callee, &args, &site, done, s);
                        return v;
                    }
                    body = Some(key);
                }
                Resolved::Class(class) => return self.construct(class, callee, args, site, s),
                _ if args.is_empty() => {
                    if let Some(class) = self.made_of_nothing(p) {
                        let id = self.a.new_site(site.clone());
                        let object = self.a.call(id, callee, args);
                        self.empty_fields(class, object, s);
                        return object;
                    }
                }
                _ => {}
            },
            Expr::Field(recv, m) => {
                let class = self.class_of_value(recv);
                if let Some(key) = class.and_then(|c| self.ctx.method(c, m)) {
                    if let Some(v) = self.put_in_place(key, Some(recv), &args, &site, s) {
                        self.made_by_act(callee, &args, &site, done, s);
                        return v;
                    }
                    body = Some(key);
                }
            }
            _ => {}
        }
        self.library_call(callee, place, args, (site, body), s)
    }

    /// Does a row of the user's own speak of such a call?
    fn says_the_user(&mut self, callee: ExprId, args: &[Arg], site: &Site) -> bool {
        if matches!(self.a.get(callee), Expr::Closure(_)) {
            return false;
        }
        let call = Call { site: self.a.new_site(site.clone()), callee, args: args.to_vec() };
        let vocab = self.ctx.vocab();
        vocab.matched(&self.a, &call, &self.file).is_some_and(|m| vocab.is_users(m.row))
    }

    /// The project's class a value is an object of, where the walk can see it.
    pub(super) fn class_of_value(&self, e: ExprId) -> Option<ClassKey> {
        let here = self.func.name_span.file;
        let class = |p: Sym| match self.ctx.resolve(here, p) {
            Resolved::Class(c) => Some(c),
            _ => None,
        };
        // Choices share their parts: each is looked at once.
        let (mut todo, mut seen) = (vec![e], FxHashSet::default());
        while let Some(e) = todo.pop() {
            let found = match self.a.get(e) {
                Expr::Param(0) if self.class.is_some() => self.class,
                // What a field is declared to hold.
                Expr::Field(x, name) if *self.a.get(*x) == Expr::Param(0) => {
                    self.file.fields.iter().find(|f| f.0 == *name).and_then(|f| class(f.1))
                }
                Expr::Param(i) => self.func.params.get(*i as usize).and_then(|p| p.type_path).and_then(class),
                Expr::Call(c) => match self.a.get(c.callee) {
                    Expr::Path(p) => class(*p).or_else(|| self.made_of_nothing(*p)),
                    _ => None,
                },
                // `Removal { files: 0 }`
                Expr::Record(parts) => parts.iter().find(|p| p.0 == "#is").and_then(|p| match self.a.get(p.1) {
                    Expr::Lit(Lit::Str(name)) => self.ctx.type_named(here, *name),
                    _ => None,
                }),
                // A name of the class itself: `Janitor.sweep(janitor)`, `cls.make()`.
                Expr::Path(p) => class(*p),
                Expr::Choose(_, t, f) if seen.insert(e) => {
                    todo.extend([*f, *t]);
                    None
                }
                _ => None,
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// An object of a project's class: the constructor's writes are the object's fields.
    fn construct(&mut self, class: ClassKey, callee: ExprId, args: Vec<Arg>, site: Site, s: &mut State) -> ExprId {
        let id = self.a.new_site(site.clone());
        let object = self.a.call(id, callee, args.clone());
        match self.ctx.method(class, sym("__init__")) {
            Some(init) => {
                self.put_in_place(init, Some(object), &args, &site, s);
                self.gave(object);
            }
            None => self.declared_fields(class, object, &args, s),
        }
        object
    }

    /// Is it the object that a type makes of nothing, where nobody says how?
    fn made_of_nothing(&self, path: Sym) -> Option<ClassKey> {
        let owner = path.as_str().strip_suffix(".default")?;
        match self.ctx.resolve(self.func.name_span.file, sym(owner)) {
            Resolved::Class(class) => Some(class),
            _ => None,
        }
    }

    /// Its collections are empty, its numbers zero.
    ///
    /// ```text
    /// #[derive(Default)] struct Found { items: Vec<Item>, live: usize }      Found::default() has items = [], live = 0
    /// ```
    fn empty_fields(&mut self, class: ClassKey, object: ExprId, s: &mut State) {
        for (name, of) in self.ctx.field_types(class).iter().filter(|(name, _)| !name.is_empty()) {
            let last = of.rsplit('.').next().unwrap_or_default();
            let value = match last {
                "Option" => Lit::Nothing,
                "bool" => Lit::Bool(false),
                "String" => Lit::Str(sym("")),
                _ if self.ctx.vocab().speaks_of(crate::vocab::Topic::Collecting, last) => Lit::Empty,
                _ if last.starts_with(|c: char| c.is_ascii_lowercase()) => Lit::Num(0),
                _ => continue,
            };
            let value = self.a.lit(value);
            s.heap.insert((object, *name), value);
        }
    }

    /// A class without constructor has the fields it declares: given by keyword or position, else their defaults.
    fn declared_fields(&mut self, class: ClassKey, object: ExprId, args: &[Arg], s: &mut State) {
        let Some(body) = self.ctx.class_body(class) else { return };
        for (i, (name, v)) in body.globals.iter().enumerate() {
            let by_name = args.iter().find(|a| a.name == Some(*name));
            let given = by_name.or_else(|| args.iter().filter(|a| a.name.is_none()).nth(i));
            let v = match given {
                Some(a) => a.value,
                None => {
                    let made = Rebuild::out_of(&body.arena, None).expr(&mut self.a, *v);
                    self.declared_default(made)
                }
            };
            s.heap.insert((object, *name), v);
        }
    }

    /// `field(default_factory=list)` is a new list, `field(default=x)` is `x`.
    fn declared_default(&mut self, v: ExprId) -> ExprId {
        let Some(c) = self.a.call_of(v) else { return v };
        let named = |n: &str| c.args.iter().find(|a| a.name.is_some_and(|x| x == n)).map(|a| a.value);
        match (named("default"), named("default_factory").or(named("factory"))) {
            (Some(d), _) => d,
            (None, Some(f)) if matches!(self.a.get(f), Expr::Path(p) if !p.contains('.')) => self.a.lit(Lit::Empty),
            _ => v,
        }
    }

    /// A copy of a function's summary with the arguments for its parameters. `None` where there is none.
    pub(super) fn put_in_place(
        &mut self,
        key: FuncKey,
        receiver: Option<ExprId>,
        args: &[Arg],
        site: &Site,
        s: &mut State,
    ) -> Option<ExprId> {
        if self.glance.is_some() {
            return self.glanced(key, (receiver, args), site.once, s);
        }
        let sum = self.summary_for(key, receiver, args)?;
        let via = self.a.new_site(site.clone());
        let given = self.arguments(&sum, receiver, args);
        let first = self.a.next_binder();
        let mut r = Rebuild::out_of(&sum.arena, Some(via));
        self.pass_params(&sum, &given, &mut r);
        self.pass_fields(&sum, &mut r, s);
        let here = self.here(s);
        let sent = self.send_pending(&sum, &mut r, here, site, s);
        let reads_before = self.reads.len();
        self.run_pending(&sum, &mut r, (here, first), site, &sent, s);
        // What was done again, with what is given here, was read again.
        let again = |call| sent.contains(&call) || sum.pending.iter().any(|p| p.call == call);
        for read in sum.reads.iter().filter(|x| !again(x.call)) {
            let call = r.expr(&mut self.a, read.call);
            self.rematch(call);
            let under = read.under.map(|c| r.expr(&mut self.a, c));
            let under = self.arms_with(under);
            self.reads.push(Read { call, atomic: read.atomic, under });
        }
        self.copy_effects(&sum, &mut r, here, reads_before);
        self.copy_fields(&sum, &mut r);
        for e in &sum.selects {
            let e = r.expr(&mut self.a, *e);
            self.rematch(e);
            self.selects.push(e);
        }
        for (base, f, v) in &sum.writes {
            let state = self.ctx.vocab().field(*f) == Some(crate::vocab::FieldRole::State);
            let given = state && !self.final_leaf(&sum.arena, *v);
            let (base, v) = (r.expr(&mut self.a, *base), r.expr(&mut self.a, *v));
            if given {
                self.state_given(base, *f, v, site.name, here, &mut { STATES });
            }
            s.heap.insert((base, *f), v);
        }
        self.copy_puts(&sum, &mut r, args, receiver.is_some(), s);
        let value = r.expr(&mut self.a, sum.returns);
        self.note_mapping(value);
        let raised = r.expr(&mut self.a, sum.raises);
        let missing = r.expr(&mut self.a, sum.raises_missing);
        let closures: Vec<Arg> =
            args.iter().filter(|a| matches!(self.a.get(a.value), Expr::Closure(_))).cloned().collect();
        if !closures.is_empty() && !sum.pending.iter().any(|p| calls_param(&sum.arena, p.call)) {
            let opaque = self.a.unknown();
            self.run_callbacks(opaque, &closures, site.once, s);
        }
        if self.ctx.is_cached(key) {
            for i in reads_before..self.reads.len() {
                self.cached.insert(self.reads[i].call);
            }
        }
        if self.a.as_bool(raised) != Some(false) {
            self.risky.push(Risk { raised, missing, kind: RiskKind::Read });
        }
        Some(value)
    }

    /// Is a final word written out in it, so that the callee saw by itself what it wrote?
    /// Choices share their parts, so each part is looked at once.
    fn final_leaf(&self, a: &Arena, v: ExprId) -> bool {
        let (mut rest, mut seen) = (vec![v], FxHashSet::default());
        while let Some(v) = rest.pop() {
            match a.get(v) {
                Expr::Choose(_, t, f) if seen.insert(v) => rest.extend([*t, *f]),
                Expr::Choose(..) => {}
                _ if self.final_word_in(a, v) => return true,
                _ => {}
            }
        }
        false
    }

    /// `mark(job, "failed")`: the state that the callee writes is given by the caller.
    /// `left` bounds how many choices are taken apart.
    fn state_given(
        &mut self,
        base: ExprId,
        f: Sym,
        v: ExprId,
        at: crate::source::Span,
        when: ExprId,
        left: &mut usize,
    ) {
        match *self.a.get(v) {
            Expr::Choose(c, t, e) if *left > 0 => {
                *left -= 1;
                let yes = self.a.and(when, c);
                self.state_given(base, f, t, at, yes, left);
                let nc = self.a.not(c);
                let no = self.a.and(when, nc);
                self.state_given(base, f, e, at, no, left);
            }
            _ if self.final_word(v) => {
                let call = self.a.mk(Expr::Field(base, f));
                self.effect(EffectKind::Terminate, call, base, when);
                if let Some(e) = self.effects.last_mut() {
                    e.at = Some(at);
                }
            }
            _ => {}
        }
    }

    /// The value of each parameter: by keyword, by position, else the default, else something unknown.
    pub(super) fn arguments(&mut self, sum: &Summary, receiver: Option<ExprId>, args: &[Arg]) -> Vec<ExprId> {
        let skip =
            usize::from(receiver.is_some() && sum.params.first().is_some_and(|p| matches!(p.as_str(), "self" | "cls")));
        let mut positional = args.iter().filter(|a| a.name.is_none()).map(|a| a.value);
        let unpacked = args.iter().any(|a| a.name.is_some_and(|n| n.as_str().starts_with('*')));
        let mut out = vec![];
        for (i, p) in sum.params.iter().enumerate() {
            if i < skip {
                out.extend(receiver);
                continue;
            }
            if p.as_str().starts_with("**") {
                out.push(self.named_rest(sum, args));
                continue;
            }
            if p.as_str().starts_with('*') {
                let mut all = self.a.lit(Lit::Empty);
                for v in positional.by_ref() {
                    let one = self.a.mk(Expr::One(v));
                    all = self.a.union(all, one);
                }
                if let Some(rest) = args.iter().find(|a| a.name.is_some_and(|n| n == "*")) {
                    all = self.a.union(all, rest.value);
                }
                out.push(all);
                continue;
            }
            let by_name = args.iter().find(|a| a.name == Some(*p)).map(|a| a.value);
            let v = match by_name.or_else(|| positional.next()) {
                Some(v) => v,
                None if unpacked => self.a.unknown(),
                None => match sum.defaults.get(i).copied().flatten() {
                    Some(d) => Rebuild::out_of(&sum.arena, None).expr(&mut self.a, d),
                    None => self.a.unknown(),
                },
            };
            out.push(v);
        }
        out
    }

    /// What `**rest` holds: the keywords that are no parameters. Unknown where some are handed on unseen.
    fn named_rest(&mut self, sum: &Summary, args: &[Arg]) -> ExprId {
        let named = args.iter().filter_map(|a| Some((a.name?, a.value)));
        let rest: Vec<(Sym, ExprId)> = named.filter(|(n, _)| *n != "*" && !sum.params.contains(n)).collect();
        match rest[..] {
            [] => self.a.lit(Lit::Empty),
            [(n, v)] if n == "**" => v,
            _ if rest.iter().any(|(n, _)| *n == "**") => self.a.unknown(),
            _ => self.a.mk(Expr::Record(rest)),
        }
    }

    /// Fields of what is passed in that this path has written: the callee sees them as they are now.
    fn pass_fields(&mut self, sum: &Summary, r: &mut Rebuild, s: &State) {
        if s.heap.is_empty() && self.class.is_none() {
            return;
        }
        for e in sum.arena.ids() {
            if let Expr::Field(base, f) = *sum.arena.get(e)
                && rooted_in_param(&sum.arena, base)
            {
                let base = r.expr(&mut self.a, base);
                if let Some(&v) = s.heap.get(&(base, f)) {
                    r.done.insert(e, v);
                }
            }
        }
    }

    fn copy_effects(&mut self, sum: &Summary, r: &mut Rebuild, here: ExprId, reads_before: usize) {
        for ef in &sum.effects {
            let when = r.expr(&mut self.a, ef.when);
            let target = r.expr(&mut self.a, ef.target);
            let call = r.expr(&mut self.a, ef.call);
            self.rematch(call);
            let when = self.bound_here(call, target, when);
            let when = self.a.and(here, when);
            let settled = match ef.settled {
                Settled::Open => Settled::Open,
                Settled::Cached | Settled::CachedBelow => Settled::CachedBelow,
                Settled::Here | Settled::Below => Settled::Below,
            };
            let copy = Effect { call, target, when, after: reads_before + ef.after, settled, ..*ef };
            // `purge(ids)`: what the caller knows of the list is known of each thing deleted.
            let parts = if self.collection(target) { self.spread(target) } else { vec![] };
            if parts.is_empty() {
                self.push_arms(copy);
            }
            for p in parts {
                let when = self.a.and(when, p.keep);
                self.effects.push(Effect { target: p.elem, when, ..copy });
            }
        }
    }

    fn copy_fields(&mut self, sum: &Summary, r: &mut Rebuild) {
        let mut known: Vec<_> = sum.fields.iter().map(|(k, v)| (*k, *v)).collect();
        known.sort_by_key(|((b, f), _)| (*b, f.as_str()));
        for ((base, f), history) in known {
            let base = r.expr(&mut self.a, base);
            self.fields.entry((base, f)).or_insert(history);
        }
        for read in &sum.reads {
            if sum.cached.contains(&read.call) {
                let call = r.expr(&mut self.a, read.call);
                self.cached.insert(call);
            }
        }
    }

    /// Collections the callee added to, as the caller's locals now hold them.
    fn copy_puts(&mut self, sum: &Summary, r: &mut Rebuild, args: &[Arg], method: bool, s: &mut State) {
        for (i, now) in &sum.puts {
            let v = r.expr(&mut self.a, *now);
            let Some(name) = sum.params.get(*i as usize) else { continue };
            let Some(was) = given_for(args, *i, *name, method) else { continue };
            for n in self.holders(was, s) {
                s.env.insert(n, v);
            }
        }
    }

    /// What a callee that is too large to be put in place adds to collections: whatever the call gives.
    ///
    /// ```text
    /// found = []; collect(session, found)        found = [] ++ [e0 | e0 in collect(session, [])]
    /// ```
    pub(super) fn puts_unseen(&mut self, key: FuncKey, call: ExprId, args: &[Arg], method: bool, s: &mut State) {
        for (i, name) in self.ctx.fills(key) {
            let Some(was) = given_for(args, i, name, method).filter(|e| self.is_filled(*e)) else { continue };
            let more = self.opaque_source(call);
            let more = self.a.gather(more.binder, more.keep, more.elem);
            let now = self.a.union(was, more);
            for n in self.holders(was, s) {
                s.env.insert(n, now);
            }
        }
    }

    /// Is it a collection that things are added to? A session has an `add` as well.
    fn is_filled(&self, e: ExprId) -> bool {
        let vocab = self.ctx.vocab();
        match *self.a.get(e) {
            Expr::Param(i) => {
                let of = self.func.params.get(i as usize).and_then(|p| p.type_path);
                of.is_some_and(|t| vocab.speaks_of(crate::vocab::Topic::Collecting, &t))
            }
            _ => self.collection(e),
        }
    }

    /// The locals that hold the collection that a call is given. Empty ones are not told apart by their value.
    fn holders(&self, given: ExprId, s: &State) -> Vec<Sym> {
        let same = s.env.iter().filter(|(_, x)| **x == given).map(|(k, _)| *k);
        let named = |n: &Sym| self.handed.contains(&(given, *n));
        match self.a.get(given) {
            Expr::Lit(Lit::Empty) if self.closures.is_empty() => same.filter(named).collect(),
            _ => same.collect(),
        }
    }

    /// Calls of the callee that rested on a parameter, now that it is known.
    /// They stand where that is said: `kubectl("delete", ..)` destroys, the helper that runs commands does not.
    fn run_pending(
        &mut self,
        sum: &Summary,
        r: &mut Rebuild,
        (here, first): (ExprId, BinderId),
        site: &Site,
        sent: &[ExprId],
        s: &mut State,
    ) {
        for p in sum.pending.iter().filter(|p| !sent.contains(&p.call)) {
            let call = r.expr(&mut self.a, p.call);
            let when = r.expr(&mut self.a, p.when);
            let Some(c) = self.a.call_of(call).cloned() else { continue };
            let mut inner = s.clone();
            inner.live = when;
            self.outer.push(here);
            let said = Site { row: None, ..site.clone() };
            let v = match waits_for_words(&sum.arena, p.call) {
                true => self.told_words(c, said, &mut inner),
                false => {
                    let v = self.dispatch(c.callee, None, c.args, said, &mut inner);
                    self.keep_noted(&inner, first, s);
                    v
                }
            };
            // What the callee makes of the answer, it makes of this one.
            r.done.insert(p.call, v);
            self.outer.pop();
        }
    }

    /// A read whose receiver has become known since it was matched.
    pub(super) fn match_again(&mut self, call: ExprId) {
        let Some(c) = self.a.call_of(call).cloned() else { return };
        let role = |m: crate::vocab::Matched| self.ctx.vocab().row(m.row).role;
        if let Some(m) = self.ctx.vocab().matched(&self.a, &c, &self.file)
            && matches!(role(m), crate::vocab::Role::List | crate::vocab::Role::Find)
        {
            self.a.sites[c.site.0 as usize].row = Some(m);
        }
    }

    /// A call copied out of a summary may match better now that its receiver is known.
    fn rematch(&mut self, call: ExprId) {
        let Some(c) = self.a.call_of(call).cloned() else { return };
        let row = self.a.site(c.site).row;
        let old = row.map(|r| self.ctx.vocab().row(r.row));
        // What reached far by itself may reach less far by what it was called on: `lister.List(..)` with `pods.Pods(ns)`.
        let narrows = |new: &Row| old.is_some_and(|old| old.wide && !new.wide && old.library == new.library);
        let (backed, wide) = (row.is_some_and(|r| r.backed), old.is_some_and(|r| r.wide));
        if backed && !wide {
            return;
        }
        if let Some(m) = self.ctx.vocab().matched(&self.a, &c, &self.file)
            && m.backed
            && old.is_none_or(|old| old.role == self.ctx.vocab().row(m.row).role)
            && (!backed || narrows(self.ctx.vocab().row(m.row)))
        {
            self.a.sites[c.site.0 as usize].row = Some(m);
        }
    }
}

/// What a call gives for a parameter.
fn given_for(args: &[Arg], i: u16, name: Sym, method: bool) -> Option<ExprId> {
    let at = (i as usize).wrapping_sub(usize::from(method));
    let by_name = args.iter().find(|a| a.name == Some(name));
    by_name.or_else(|| args.iter().filter(|a| a.name.is_none()).nth(at)).map(|a| a.value)
}

fn calls_param(a: &Arena, call: ExprId) -> bool {
    a.call_of(call).is_some_and(|c| matches!(a.get(c.callee), Expr::Param(_)))
}

/// A call that is open for the words of a command alone: what is called was looked for where it stands.
fn waits_for_words(a: &Arena, call: ExprId) -> bool {
    a.call_of(call).is_some_and(|c| a.site(c.site).row.is_none() && !matches!(a.get(c.callee), Expr::Param(_)))
}

fn rooted_in_param(a: &Arena, e: ExprId) -> bool {
    match a.get(e) {
        Expr::Param(_) => true,
        Expr::Field(x, _) => rooted_in_param(a, *x),
        _ => false,
    }
}
