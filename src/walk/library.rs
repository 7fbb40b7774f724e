//! Calls of libraries: what the vocabulary says of them becomes reads, effects and values.
//!
//! ```text
//! pods = core.list_namespaced_pod(ns, label_selector=f"owner={me}")     [e | e in list.., ns == .. and labels.owner == me]
//! shutil.rmtree(p)                                                      destroy p
//! seen.remove(n)            seen a set of this process                  seen -- n
//! pool.submit(shutil.rmtree, p)                                         destroy p
//! ```

use super::*;
use crate::vocab::{Bind, Gives, Matched, Role, ScopeKind, Topic};

/// How deep choices of what is destroyed are taken apart.
const ARMS: usize = 3;

impl Walk<'_> {
    pub(super) fn library_call(
        &mut self,
        callee: ExprId,
        place: Option<Key>,
        args: Vec<Arg>,
        (site, body): (Site, Option<FuncKey>),
        s: &mut State,
    ) -> ExprId {
        let id = self.a.new_site(site.clone());
        let mut call = Call { site: id, callee, args };
        let (mut callee, mut body) = (callee, body);
        if let Some(built) = self.ctx.vocab().built(&mut self.a, &call, &self.file) {
            (callee, body) = (built.callee, None);
            call = built;
        }
        let e = self.a.mk(Expr::Call(call.clone()));
        self.glance_at(&call, None);
        let method = match *self.a.get(callee) {
            Expr::Field(recv, m) => Some((recv, m)),
            _ => None,
        };
        if let Some((recv, m)) = method
            && let Some(text) = self.text_method(recv, m, &call.args)
        {
            return text;
        }
        let mutator = method.and_then(|(_, m)| self.ctx.vocab().mutator(self.file.language, m));
        let matched = self.ctx.vocab().matched(&self.a, &call, &self.file);
        let matched = matched.filter(|m| !self.only_sounds_asking(*m, &call));
        // `Job.objects.filter(..).update(state=..)` writes to the table, and changes no collection of this process.
        let assigns = matched.is_some_and(|m| m.backed && self.ctx.vocab().row(m.row).role == Role::Assign);
        let written = |w: &Self, recv| assigns && w.of_query(recv);
        if let (Some(mu), Some((recv, _))) = (mutator, method)
            && (self.collection(recv) || matches!(self.a.get(recv), Expr::Carried(..)))
            && !written(self, recv)
        {
            return self.mutate(mu, recv, place, &call, s);
        }
        // What a map of this process holds, though a client of the file has a method of that name.
        if let Some((recv, m)) = method
            && self.collection(recv)
            && !self.of_query(recv)
            && let Some(found) = self.entry_of(recv, m, &call.args)
        {
            return found;
        }
        if let Some(m) = matched
            && m.backed
        {
            return self.known(m, &call, e, s);
        }
        // What a chain has been given so far is neither read nor done.
        if matched.is_none_or(|m| !m.backed) && self.ctx.vocab().is_building(&self.a, &call, &self.file) {
            return e;
        }
        let asked =
            |m: Matched| self.ctx.vocab().row(m.row).params().is_some_and(|p| p.iter().any(|p| p.value.is_some()));
        if let (Some(mu), Some((recv, _))) = (mutator, method)
            && place.is_some()
            && !mu.seen
            // A message that asks for something to be destroyed is more than a member of a queue.
            && !matched.is_some_and(|m| self.names_destroyer(m) && asked(m))
        {
            return self.mutate(mu, recv, place, &call, s);
        }
        if let Some((recv, m)) = method
            && let Some(key) = self.ctx.unique_method(self.func.name_span.file, m)
        {
            if let Some(v) = self.put_in_place(key, Some(recv), &call.args, &site, s) {
                return v;
            }
            body = body.or(Some(key));
        }
        let v = match matched {
            Some(m) if !(self.names_destroyer(m) && self.is_housekeeping(body, method)) => self.known(m, &call, e, s),
            _ => self.unknown_call(&call, e, method, s),
        };
        if let Some(key) = body {
            self.puts_unseen(key, e, &call.args, method.is_some(), s);
        }
        v
    }

    /// A body that can be read says more than a name: nothing outside the process is destroyed in the function that is
    /// called, nor in any that may be.
    fn is_housekeeping(&self, body: Option<FuncKey>, method: Option<(ExprId, Sym)>) -> bool {
        match (body, method) {
            (Some(f), _) => !self.ctx.destroys(f),
            // What a decorator put on a function: `cached_rows.delete_key(k)`.
            (None, Some((recv, _))) if self.is_function_object(recv) => true,
            (None, Some((_, name))) => {
                let bodies = self.ctx.methods_named(name);
                !bodies.is_empty() && !bodies.iter().any(|f| self.ctx.destroys(*f))
            }
            (None, None) => false,
        }
    }

    fn is_function_object(&self, e: ExprId) -> bool {
        match self.a.get(e) {
            Expr::Path(p) => matches!(self.ctx.resolve(self.func.name_span.file, *p), Resolved::Function(_)),
            Expr::Closure(_) => true,
            _ => false,
        }
    }

    /// `ledger.confirm(order)` is given no question.
    fn only_sounds_asking(&self, m: Matched, call: &Call) -> bool {
        let row = self.ctx.vocab().row(m.row);
        let written = |e: ExprId| match self.a.get(e) {
            Expr::Format(parts) => parts.iter().any(|x| self.a.as_str(*x).is_some_and(|text| text.contains(' '))),
            _ => self.a.as_str(e).is_some_and(|text| text.contains(' ')),
        };
        row.role == Role::Prompt && row.guess && !call.args.iter().any(|x| written(x.value))
    }

    fn names_destroyer(&self, m: Matched) -> bool {
        matches!(self.ctx.vocab().row(m.row).role, Role::Destroy | Role::Terminate)
    }

    /// Nothing is known of it. On a receiver or module it may be the project's own interface to a store: a read. A bare
    /// name is a helper or builtin.
    fn unknown_call(&mut self, call: &Call, e: ExprId, method: Option<(ExprId, Sym)>, s: &mut State) -> ExprId {
        if let Some(done) = self.said_by_words(call, e, s) {
            return done;
        }
        if let Some((recv, m)) = method {
            if !self.is_remote(recv)
                && let Some(found) = self.entry_of(recv, m, &call.args)
            {
                return found;
            }
            self.read(e);
        } else if matches!(self.a.get(call.callee), Expr::Path(p) if p.contains('.')) {
            self.read(e);
        } else if matches!(self.a.get(call.callee), Expr::Param(_)) {
            self.note_pending(e, s);
        }
        self.made_of_elements(call, e, s);
        let fails = self.run_callbacks(e, &call.args, self.runs_once(call), s);
        self.failing_with(fails, e)
    }

    /// `blob.download_to(folder / blob.name)`: what an act is given of each thing on a list, it makes.
    fn made_of_elements(&mut self, call: &Call, e: ExprId, s: &State) {
        if self.makes(call.callee) {
            self.made(e, &call.args, s);
        }
    }

    /// Does a name say that something is made, changed or brought somewhere, and nothing destroyed?
    fn makes(&self, callee: ExprId) -> bool {
        let vocab = self.ctx.vocab();
        let name = match *self.a.get(callee) {
            Expr::Field(_, m) => m,
            Expr::Path(p) => sym(p.as_str().rsplit('.').next().unwrap_or_default()),
            _ => return false,
        };
        (vocab.acts(&name) || vocab.speaks_of(Topic::Mirroring, &name)) && !vocab.speaks_of(Topic::Destroying, &name)
    }

    /// The same, of an act that the project itself defines; `done`: how much was done before it. What it destroys it does
    /// not make.
    pub(super) fn made_by_act(&mut self, callee: ExprId, args: &[Arg], site: &Site, done: usize, s: &State) {
        if !self.makes(callee) || !args.iter().any(|x| self.is_of_list(x.value)) {
            return;
        }
        let gone: Vec<ExprId> =
            self.effects.iter().skip(done).filter(|e| e.kind != EffectKind::Create).map(|e| e.target).collect();
        let within = |a: &Arena, x: ExprId, y: ExprId| a.mentions(x, &mut |e| e == y);
        let kept = |a: &Arena, v: ExprId| !gone.iter().any(|t| within(a, *t, v) || within(a, v, *t));
        let args: Vec<Arg> = args.iter().filter(|x| kept(&self.a, x.value)).cloned().collect();
        let site = self.a.new_site(site.clone());
        let e = self.a.call(site, callee, args.clone());
        self.made(e, &args, s);
    }

    fn is_of_list(&self, v: ExprId) -> bool {
        self.a.mentions(v, &mut |x| matches!(self.a.get(x), Expr::Elem(_)))
    }

    fn made(&mut self, act: ExprId, args: &[Arg], s: &State) {
        let made: Vec<ExprId> = args.iter().map(|x| x.value).filter(|v| self.is_of_list(*v)).collect();
        for target in made {
            let here = self.here(s);
            self.effect(EffectKind::Create, act, target, here);
        }
    }

    /// `self.client.get(url)` asks a server, `self.rows.get(key)` a mapping.
    fn is_remote(&self, recv: ExprId) -> bool {
        let name = match *self.a.get(recv) {
            Expr::Field(_, name) => name,
            Expr::Param(i) => match self.func.params.get(i as usize) {
                Some(p) => p.name,
                None => return false,
            },
            _ => return false,
        };
        self.ctx.vocab().speaks_of(crate::vocab::Topic::Remote, &name)
    }

    pub(super) fn note_pending(&mut self, call: ExprId, s: &State) {
        let when = self.here(s);
        let after = self.reads.len();
        self.pending.push(Pending { call, when, after });
    }

    /// What a row says.
    fn known(&mut self, m: Matched, call: &Call, e: ExprId, s: &mut State) -> ExprId {
        if let Some(site) = self.a.sites.get_mut(call.site.0 as usize) {
            site.row = Some(m);
        }
        let ctx = self.ctx;
        let row = ctx.vocab().row(m.row);
        self.glance_at(call, Some(row.role));
        self.note_selector(row, call, e);
        let page = self.one_page(row, call);
        let call = page.as_ref().unwrap_or(call);
        let e = page.as_ref().map_or(e, |call| self.a.mk(Expr::Call(call.clone())));
        self.note_made(call);
        let target = |w: &mut Self| -> Option<ExprId> {
            match row.target {
                Some(b) => w.bound(call, row, b),
                None => None,
            }
        };
        match row.role {
            Role::Replace => {
                let here = self.here(s);
                let mut gone = vec![];
                if let Some(t) = target(self) {
                    self.left_out(t, &mut gone);
                }
                // What was read is written back: less than it was only where something was taken out of it.
                if !self.cut_out(s) {
                    gone.retain(|(_, keep)| !self.is_scope(*keep));
                }
                for (elem, keep) in gone {
                    let dropped = self.a.not(keep);
                    let when = self.a.and(here, dropped);
                    self.effect(EffectKind::Destroy, e, elem, when);
                }
                self.risk_of(e);
                e
            }
            Role::Destroy | Role::Terminate | Role::Create => {
                self.affect(row, call, e, s);
                self.risk_of(e);
                e
            }
            Role::List => {
                self.read(e);
                let listed = self.scoped(row, call, e);
                let listed = self.narrowed_before(call, listed).unwrap_or(listed);
                // `walk(dir, func(path) { .. })`
                let fails = self.run_callbacks(listed, &call.args, self.runs_once(call), s);
                self.failing_with(fails, listed)
            }
            Role::Pages => {
                self.read(e);
                let listed = self.scoped(row, call, e);
                let page = Arg { name: None, value: listed };
                let last = Arg { name: None, value: self.a.unknown() };
                let visit = call.args.iter().skip(1).map(|x| x.value).find(|f| self.is_function(*f));
                if let Some(f) = visit {
                    let site = self.a.site(call.site).clone();
                    self.dispatch(f, None, vec![page, last], Site { row: None, ..site }, s);
                }
                e
            }
            Role::Find => {
                self.read(e);
                let fails = self.run_callbacks(e, &call.args, self.runs_once(call), s);
                self.failing_with(fails, e)
            }
            Role::Query | Role::DeleteQuery | Role::UpdateQuery => {
                self.note_counts(call, e);
                self.query(row, call, e)
            }
            Role::Narrow => self.narrow(row, call, e),
            Role::Join => self.take_along(row, call, e),
            Role::Execute => {
                let q = target(self).or_else(|| call.args.first().map(|a| a.value));
                match q {
                    // `session.execute(text("DELETE .."))`
                    Some(q) if self.is_text(q) => self.statement(row, call, e, s),
                    _ => self.execute(q, call, e, s),
                }
            }
            Role::First => {
                let q = target(self).or_else(|| self.receiver(call));
                match q {
                    Some(q) if self.query_counted(q).is_some() => self.how_many(q, row, call, e),
                    Some(q) if self.is_text(q) => {
                        let rows = self.statement(row, call, e, s);
                        if row.gives == Gives::Rows { self.first_of(rows) } else { rows }
                    }
                    _ => {
                        let q = q.map(|q| self.rows_in(q, s));
                        let first = self.first(q, row, call, e);
                        if row.gives == Gives::Value { self.first_value(first) } else { first }
                    }
                }
            }
            Role::Exists => {
                let q = target(self).or_else(|| self.receiver(call)).map(|q| self.rows_in(q, s));
                self.exists_in(q, row, call, e)
            }
            Role::Wrapper => {
                let rows = target(self).or_else(|| self.receiver(call)).map(|q| self.rows_in(q, s)).unwrap_or(e);
                let rows = self.first_page(row, call, rows);
                if row.fails {
                    self.parses(rows);
                }
                self.note_counts(call, rows);
                if row.gives == Gives::Value { self.first_column(rows) } else { rows }
            }
            Role::NotFound => self.asks_not_found(call, e),
            Role::Field => {
                let name = match *self.a.get(call.callee) {
                    Expr::Field(_, name) => Some(name),
                    _ => None,
                };
                match (target(self), row.field.or(name)) {
                    (Some(x), Some(name)) => self.read_field(x, name, s),
                    _ => e,
                }
            }
            Role::Entry => {
                let key = row.key.and_then(|b| self.bound(call, row, b));
                match (target(self), key) {
                    (Some(x), Some(key)) => self.entry(x, key),
                    _ => e,
                }
            }
            Role::Owned => {
                let owner = row.key.and_then(|b| self.bound(call, row, b));
                let (Some(owned), Some(owner)) = (target(self), owner) else { return e };
                let (bears, names) = (self.a.field(owned, sym("owner")), self.a.field(owner, sym("uid")));
                self.a.binary(Bin::Eq, bears, names)
            }
            Role::Member | Role::Minus | Role::Union | Role::Intersect => self.of_collection(row, call, e),
            Role::Collection => match call.args.iter().find(|a| a.name.is_none()).map(|a| a.value) {
                Some(x) if !matches!(self.a.get(x), Expr::Path(_) | Expr::Closure(_) | Expr::Lit(_)) => x,
                _ => self.a.lit(Lit::Empty),
            },
            Role::Run => self.run(row, call, e, s),
            Role::Each => {
                let coll = target(self).or_else(|| call.args.get(1).map(|a| a.value));
                match (call.args.first().map(|a| a.value), coll) {
                    (Some(f), Some(coll)) => self.map_each(f, coll, call.site, s),
                    _ => e,
                }
            }
            Role::Exec => {
                let argv = match row.target {
                    Some(Bind::All) => Some(self.words_given(call)),
                    _ => target(self).or_else(|| call.args.first().map(|a| a.value)),
                };
                self.command(argv, call, e, s)
            }
            Role::Assign => {
                self.assign_fields(row, call, e, s);
                e
            }
            Role::Format => {
                // `place.to_file_path()`: what it is made of may be the receiver.
                let receiver = row.target.filter(|bind| *bind == Bind::Receiver);
                let made_of = receiver.and_then(|bind| self.ctx.vocab().bound(&self.a, call, row, bind));
                let mut parts: Vec<ExprId> = made_of.into_iter().collect();
                for a in &call.args {
                    if let (Some(between), false) = (row.between, parts.is_empty()) {
                        parts.push(self.a.str(between.as_str()));
                    }
                    parts.push(a.value);
                }
                self.a.mk(Expr::Format(parts))
            }
            Role::Statement => self.statement(row, call, e, s),
            Role::Setting => self.setting(row, call, e),
            Role::Now
            | Role::Span
            | Role::Age
            | Role::Aged
            | Role::Birth
            | Role::Cached
            | Role::Own
            | Role::Sync
            | Role::AssertCalled
            | Role::Count
            | Role::Option
            | Role::Prompt
            | Role::Pure => {
                self.run_callbacks(e, &call.args, self.runs_once(call), s);
                e
            }
        }
    }

    fn note_selector(&mut self, row: &Row, call: &Call, e: ExprId) {
        let Some(scope) = row.scope.iter().find(|x| x.kind == ScopeKind::FieldSelector) else { return };
        let given = self.bound(call, row, scope.bind);
        if given.is_some_and(|v| !matches!(self.a.get(v), Expr::Lit(Lit::Nothing | Lit::Empty))) {
            self.selects.push(e);
        }
    }

    /// A destructive or making call may fail like a read, though what it returns is no reference.
    pub(super) fn risk_of(&mut self, e: ExprId) {
        let raised = self.a.unary(Un::Raised, e);
        let missing = self.a.unary(Un::NotFound, e);
        self.risky.push(Risk { raised, missing, kind: RiskKind::Read });
    }

    pub(super) fn bound(&mut self, call: &Call, row: &Row, b: Bind) -> Option<ExprId> {
        match b {
            Bind::Receiver => self.receiver(call),
            Bind::Call => self.a.find(&Expr::Call(call.clone())),
            Bind::Arg(path) => {
                let found = self.ctx.vocab().bound(&self.a, call, row, b);
                found.or_else(|| self.field_of_given(call, row, path))
            }
            Bind::All => self.ctx.vocab().bound(&self.a, call, row, b),
        }
    }

    /// A field of something that is not written out here: `options.LabelSelector` of `List(options)`.
    fn field_of_given(&mut self, call: &Call, row: &Row, path: Sym) -> Option<ExprId> {
        let (head, rest) = path.as_str().split_once('.')?;
        let whole = self.ctx.vocab().bound(&self.a, call, row, Bind::Arg(sym(head)))?;
        let seen = matches!(self.a.get(whole), Expr::Record(_) | Expr::Lit(_) | Expr::Call(_) | Expr::Unknown(_));
        if seen || rest.contains('|') {
            return None;
        }
        Some(rest.split('.').fold(whole, |v, f| self.a.field(v, sym(f))))
    }

    pub(super) fn receiver(&mut self, call: &Call) -> Option<ExprId> {
        self.ctx.vocab().receiver(&mut self.a, call)
    }

    /// Something is done to the target; to each thing in it where it is a collection or a query.
    fn affect(&mut self, row: &Row, call: &Call, e: ExprId, s: &State) {
        let kind = match row.role {
            Role::Terminate => EffectKind::Terminate,
            Role::Create => EffectKind::Create,
            _ => EffectKind::Destroy,
        };
        let here = self.here(s);
        let targets = match row.target {
            Some(Bind::Call) => vec![self.scoped(row, call, e)],
            Some(b @ (Bind::All | Bind::Arg(_))) => self.ctx.vocab().bound_all(&self.a, call, row, b),
            Some(Bind::Receiver) => self.receiver(call).into_iter().collect(),
            None => call.args.first().map(|a| a.value).into_iter().collect(),
        };
        let targets = if targets.is_empty() { vec![self.named_or_receiver(row, call, e)] } else { targets };
        for t in targets {
            // What is made is the object itself, whatever it speaks of.
            let t = if kind == EffectKind::Create { t } else { self.addressed(t) };
            self.affect_one(kind, e, t, here);
        }
    }

    /// `DropQueue { queue: q }`: what a message speaks of.
    fn addressed(&self, t: ExprId) -> ExprId {
        let Expr::Record(parts) = self.a.get(t) else { return t };
        if !parts.iter().any(|p| p.0 == "#is") {
            return t;
        }
        let of_list = |v: ExprId| self.is_of_list(v);
        let mut values = parts.iter().filter(|p| p.0 != "#is").map(|p| p.1);
        values.clone().find(|v| of_list(*v)).or_else(|| values.next()).unwrap_or(t)
    }

    /// What is destroyed where the field that says so cannot be seen: what that is a field of, else the receiver.
    fn named_or_receiver(&mut self, row: &Row, call: &Call, e: ExprId) -> ExprId {
        let whole = match row.target {
            Some(Bind::Arg(path)) => path.split_once('.').map(|(head, _)| Bind::Arg(sym(head))),
            _ => None,
        };
        let whole = whole.and_then(|b| self.ctx.vocab().bound(&self.a, call, row, b));
        whole.or_else(|| self.receiver(call)).unwrap_or(e)
    }

    pub(super) fn affect_one(&mut self, kind: EffectKind, e: ExprId, target: ExprId, here: ExprId) {
        let target = spread::batch_of(&self.a, target).unwrap_or(target);
        let listing = self.row_of(target).is_some_and(|r| matches!(r.role, Role::List | Role::Query));
        if target == e || listing || self.collection(target) {
            // `versions.remove(Item.filter(id__in=ids))` is handed the query, and deletes no rows of the table.
            let callee = self.a.call_of(e).map(|c| self.a.get(c.callee));
            let own = matches!(callee, Some(Expr::Field(x, _)) if *x == target);
            for p in self.rows_named(target, own) {
                let when = self.a.and(here, p.when);
                self.effect(kind, e, p.target, when);
                if let Some(last) = self.effects.last_mut() {
                    last.atomic |= p.atomic;
                }
            }
        } else {
            let before = self.effects.len();
            self.effect(kind, e, target, here);
            for whole in self.effects.split_off(before) {
                self.push_arms(whole);
            }
        }
    }

    /// `found if any(..) else None`: each on its own condition, and of a search the one that was found. Also under what is
    /// read off it: `(found if .. else other).info()`.
    pub(super) fn push_arms(&mut self, whole: Effect) {
        self.arms_of(whole, ARMS);
    }

    fn arms_of(&mut self, whole: Effect, left: usize) {
        let choice = if left == 0 { None } else { self.chosen(whole.target) };
        let Some((c, t, f)) = choice else {
            self.effects.push(whole);
            return;
        };
        let found = match *self.a.get(c) {
            Expr::Any(b, such) if self.a.mentions(t, &mut |x| *self.a.get(x) == Expr::Elem(b)) => such,
            _ => c,
        };
        let other = self.a.not(c);
        for (target, gate) in [(t, found), (f, other)] {
            if !matches!(self.a.get(target), Expr::Lit(_)) {
                let when = self.a.and(whole.when, gate);
                self.arms_of(Effect { target, when, ..whole }, left - 1);
            }
        }
    }

    /// The choice that a value is, or is read off.
    fn chosen(&mut self, target: ExprId) -> Option<(ExprId, ExprId, ExprId)> {
        match *self.a.get(target) {
            Expr::Choose(c, t, f) => Some((c, t, f)),
            Expr::Field(x, name) => {
                let (c, t, f) = self.chosen(x)?;
                Some((c, self.a.field(t, name), self.a.field(f, name)))
            }
            Expr::Call(ref call) if call.args.is_empty() => match *self.a.get(call.callee) {
                Expr::Field(x, _) => self.chosen(x),
                _ => None,
            },
            _ => None,
        }
    }

    fn asks_not_found(&mut self, call: &Call, e: ExprId) -> ExprId {
        let first = call.args.first().map(|a| a.value);
        let Some(x) = first.or_else(|| self.receiver(call)) else { return e };
        match self.about_caught(x) {
            // `isinstance(e, NotFound)` names the type it asks for.
            Some(nf) if call.args.len() < 2 || self.says_not_found(call.args[1].value) => nf,
            Some(_) => e,
            None => self.a.unary(Un::NotFound, x),
        }
    }

    /// `submit(f, x)`: `f(x)`; a `partial` kept as a value is called later.
    fn run(&mut self, row: &Row, call: &Call, e: ExprId, s: &mut State) -> ExprId {
        let Some(f) = row.target.and_then(|b| self.bound(call, row, b)).or_else(|| call.args.first().map(|a| a.value))
        else {
            return e;
        };
        if !self.callable(f) {
            return f;
        }
        let is_partial =
            matches!(self.a.get(call.callee), Expr::Path(p) if p.ends_with("partial") || p.ends_with("partialmethod"));
        if is_partial {
            return e;
        }
        // What stands before the function is the runner's: `run_in_executor(None, f, x)`.
        let own = call.args.iter().position(|a| a.value == f).map_or(0, |i| i + 1);
        let mut rest: Vec<Arg> = call.args.iter().skip(own).cloned().collect();
        // `Thread(target=f, args=(x, y))`
        if let Some(i) = rest.iter().position(|a| a.name.is_some_and(|n| n == "args")) {
            let packed = rest.remove(i).value;
            let values: Vec<ExprId> = match self.a.get(packed) {
                Expr::Record(p) => p.iter().map(|x| x.1).collect(),
                Expr::One(x) => vec![*x],
                _ => vec![],
            };
            rest = values.into_iter().map(|value| Arg { name: None, value }).collect();
        }
        let site = self.a.site(call.site).clone();
        self.dispatch(f, None, rest, Site { row: None, ..site }, s)
    }

    fn callable(&self, e: ExprId) -> bool {
        match self.a.get(e) {
            Expr::Closure(_) | Expr::Path(_) | Expr::Field(..) | Expr::Param(_) => true,
            Expr::Call(_) => self.row_of(e).is_some_and(|r| r.role == Role::Run),
            Expr::Choose(_, t, f) => self.callable(*t) && self.callable(*f),
            _ => false,
        }
    }

    /// `Job.objects.filter(..).update(status="failed")`, `row.update({"state": ..})`: fields set by a call.
    fn assign_fields(&mut self, row: &Row, call: &Call, e: ExprId, s: &State) {
        let Some(t) = row.target.and_then(|b| self.bound(call, row, b)).or_else(|| self.receiver(call)) else { return };
        let mut set: Vec<(Sym, ExprId)> = call.args.iter().filter_map(|a| Some((a.name?, a.value))).collect();
        for a in call.args.iter().filter(|a| a.name.is_none()) {
            if let Expr::Record(parts) = self.a.get(a.value) {
                set.extend(parts.iter().copied());
            }
        }
        // `Update("state", "failed")`
        if let [column, value] =
            call.args[..].iter().filter(|a| a.name.is_none()).map(|a| a.value).collect::<Vec<_>>()[..]
            && let Some(column) = self.a.as_str(column)
        {
            set.push((sym(column), value));
        }
        let ends = self.ends(&set);
        if !ends && self.state_is_handed_in(&set) {
            self.note_pending(e, s);
        }
        let kind = if ends { EffectKind::Terminate } else { EffectKind::Create };
        let here = self.here(s);
        self.affect_one(kind, e, t, here);
        self.risk_of(e);
    }

    /// Is one of the fields written a state, and what is written a final one?
    pub(super) fn ends(&self, set: &[(Sym, ExprId)]) -> bool {
        set.iter().any(|(f, v)| self.is_state(*f) && self.final_word(*v))
    }

    /// `mark(job, state)`: callers say which state is written.
    pub(super) fn state_is_handed_in(&self, set: &[(Sym, ExprId)]) -> bool {
        let handed_in = |v: ExprId| {
            let mut v = v;
            while let Expr::Field(x, _) = *self.a.get(v) {
                v = x;
            }
            matches!(self.a.get(v), Expr::Param(_))
        };
        set.iter().any(|(f, v)| self.is_state(*f) && handed_in(*v))
    }

    fn is_state(&self, field: Sym) -> bool {
        self.ctx.vocab().field(field) == Some(crate::vocab::FieldRole::State)
    }

    /// Is it the name of a final state, as text or as a member of an enumeration?
    pub(super) fn final_word(&self, v: ExprId) -> bool {
        self.final_word_in(&self.a, v)
    }

    pub(super) fn final_word_in(&self, a: &Arena, v: ExprId) -> bool {
        let word = match *a.get(v) {
            Expr::Lit(Lit::Str(w)) => w.as_str(),
            Expr::Path(p) if p.contains('.') => p.as_str().rsplit('.').next().unwrap_or_default(),
            Expr::Field(x, f) if f == "value" || f == "name" => return self.final_word_in(a, x),
            Expr::Field(_, w) => w.as_str(),
            _ => return false,
        };
        self.ctx.vocab().is_final(word)
    }
}
