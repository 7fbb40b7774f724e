//! Collections: does one hold the subject?
//!
//! ```text
//! its own list                       Yes              [x | x in xs, keep]     xs holds it, and keep
//! xs ++ ys                           either           xs -- ys                one and not the other
//! (c ? xs : ys)                      as c says        xs.items, f(xs)         as xs
//! spec of an owner                   desired          self.seen, not filled   kept from an earlier pass
//! ["a", "b"], PROTECTED              open             anything else read      what the world says
//! ```
//!
//! In the foreign world a reference knows a stranger's thing as well, if it is read from the same library and no part of
//! it is left out that the candidates have: all pods of the cluster know every secret of the cluster.

use super::subject::base_read;
use super::*;
use crate::facts::EffectKind;
use crate::vocab::FieldRole;

impl Ask<'_> {
    /// Is the subject among the candidates, and does the listing reach a stranger's?
    pub(super) fn listed_subject(&self) -> Answer {
        let Some((inner, outer)) = self.subject.collections().split_first() else {
            return Answer::sure(if self.world.foreign { No } else { Yes });
        };
        outer.iter().fold(self.drawn(*inner, true), |r, coll| r.and(self.drawn(*coll, false)))
    }

    /// Can the subject be drawn from a collection: it was listed (`reach`: also where it is a stranger's), and every
    /// filter lets it through.
    fn drawn(&self, coll: ExprId, reach: bool) -> Answer {
        // Choices share their arms: each is asked once.
        let key = ((coll, reach), self.supposing.of(coll));
        if let Some(r) = self.draws.borrow().get(&key) {
            return r.clone();
        }
        let r = self.drawn_of(coll, reach);
        self.draws.borrow_mut().insert(key, r.clone());
        r
    }

    fn drawn_of(&self, coll: ExprId, reach: bool) -> Answer {
        if self.world.newborn && self.kept(coll) {
            return Answer::seen(No, coll); // noted in an earlier pass
        }
        let nowhere = || Answer::sure(if reach && self.world.foreign { No } else { Yes });
        self.deeper(coll, || match self.a.get(coll) {
            // What an empty mapping holds under a key: it was filled somewhere out of sight.
            Expr::Field(x, _) | Expr::Lookup(x, _) if matches!(self.a.get(*x), Expr::Lit(_)) => nowhere(),
            Expr::Field(x, _) | Expr::Lookup(x, _) => self.drawn(*x, reach),
            Expr::Elem(b) => self.drawn(self.a.coll(*b), reach),
            Expr::Gather { of, keep, give } => {
                let nested = matches!(self.a.get(*give), Expr::Gather { .. } | Expr::Binary(..) | Expr::Choose(..));
                let inner = if nested { self.drawn(*give, false) } else { Answer::sure(Yes) };
                self.drawn(self.a.coll(*of), reach).and(self.truth(*keep)).and(inner)
            }
            Expr::Choose(c, t, f) => Answer::choose(self.truth(*c), self.drawn(*t, reach), self.drawn(*f, reach)),
            Expr::Binary(Bin::Union, l, r) => self.drawn(*l, reach).or(self.drawn(*r, reach)),
            Expr::Binary(Bin::Minus, l, r) => self.drawn(*l, reach).and(self.holds(*r, coll).not()),
            Expr::Lit(Lit::Empty | Lit::Nothing | Lit::Failed) => Answer::sure(No),
            // An accessor that a library's row names is a part of an answer as well: `page.volumes()`.
            Expr::Call(c) => match self.f.row(coll).filter(|r| r.role != Role::Pure || !c.args.is_empty()) {
                Some(_) if !reach || !self.world.foreign => Answer::sure(Yes),
                Some(_) if self.in_place_of_host(coll) => Answer::seen(Yes, coll),
                Some(row) if row.shared && !self.own_space(coll) => {
                    // `list_next(request, page)`: more of what was listed before, in the same scope.
                    let before = c.args.iter().map(|x| x.value).find(|x| self.goes_on(*x, coll));
                    let before = before.or_else(|| self.next_page(coll));
                    before.map_or_else(|| Answer::seen(Yes, coll), |x| self.drawn(x, reach))
                }
                Some(_) => Answer::seen(No, coll),
                // `resp.json()`, `parse(out)`, a slice: an answer in another form.
                None => match self
                    .f
                    .receiver(coll)
                    .into_iter()
                    .chain(c.args.iter().map(|x| x.value))
                    .find(|x| self.listing(*x))
                {
                    Some(x) => self.drawn(x, reach),
                    None => nowhere(),
                },
            },
            _ => nowhere(),
        })
    }

    /// Is it an earlier listing of the same library, of no subject of its own?
    fn goes_on(&self, x: ExprId, call: ExprId) -> bool {
        let elements = self.a.mentions(x, &mut |y| matches!(self.a.get(y), Expr::Elem(_)));
        let row = base_read(&self.f, x).filter(|r| self.f.is_list(*r)).and_then(|r| self.f.row(r));
        !elements && row.is_some_and(|r| self.f.row(call).is_some_and(|own| own.library == r.library))
    }

    /// Is it given a token that came with an earlier answer of the same call: `NextToken=page["NextToken"]`?
    fn next_page(&self, call: ExprId) -> Option<ExprId> {
        let c = self.a.call_of(call)?;
        let mut before = None;
        for arg in &c.args {
            self.a.mentions(arg.value, &mut |y| {
                let same = y != call && self.f.is_list(y) && self.f.called(y) == self.f.called(call);
                if same {
                    before = Some(y);
                }
                same
            });
        }
        before
    }

    /// Is it a listing, or made of one?
    fn listing(&self, e: ExprId) -> bool {
        base_read(&self.f, e).is_some()
            || matches!(self.a.get(e), Expr::Gather { .. } | Expr::Binary(Bin::Union | Bin::Minus, ..))
    }

    /// A lookup's answer, `positive` being what it is where the subject is found. A test that only lets through is a
    /// choice of candidates: it says nothing about absence, but found in ours is ownership.
    pub(super) fn looked(&self, positive: bool, at: ExprId, coll: ExprId) -> Answer {
        if self.choosing.contains(&at) && !self.world.found && !self.world.foreign {
            return Answer::seen(Maybe, at);
        }
        let reference = base_read(&self.f, coll).unwrap_or(coll);
        let look = Look {
            at,
            reference,
            desired: self.desired(coll) || identity::registry(&self.f, coll),
            kept: self.kept(coll) && !identity::registry(&self.f, coll),
            strangers: self.knows_strangers(reference),
            cached: self.f.summary.cached.contains(&reference),
        };
        let found = self.world.found || self.world.foreign && look.strangers;
        // Whether the board is known says nothing of its line: where the one must be found, the other may be missing.
        let outer = !found && !self.world.foreign && self.subject.is_only_around(&self.f, at);
        let tri = match found == positive {
            _ if outer => Maybe,
            _ if self.world.alone && !self.choosing.contains(&at) && !self.made_of_known(coll) => Maybe,
            true => Yes,
            false => No,
        };
        Answer::told(tri, Evidence { lookups: vec![look], ..Evidence::of(at) })
    }

    /// Does what is looked into come from the one read that knows the subject?
    fn made_of_known(&self, coll: ExprId) -> bool {
        let Some(read) = self.world.known_by else { return false };
        let mut made_of = FxHashSet::default();
        feeds(&self.f, vec![coll], &mut made_of);
        made_of.contains(&read)
    }

    pub(super) fn kept(&self, coll: ExprId) -> bool {
        match self.a.get(coll) {
            Expr::Field(x, f) => identity::kept(&self.f, *x, *f) || self.kept(*x),
            Expr::Lookup(x, _) => self.kept(*x),
            _ => false,
        }
    }

    /// A list of what must stay, from settings: its name says so.
    fn exclusion(&self, coll: ExprId) -> bool {
        let name = match self.a.get(coll) {
            Expr::Field(x, f) if self.f.vocab.field(*f) != Some(FieldRole::Exclusion) => return self.exclusion(*x),
            Expr::Field(_, f) => *f,
            Expr::Path(p) => {
                let last = p.rsplit('.').next().unwrap_or_default();
                // A constant of the program cannot lack a record.
                let constant = last.chars().any(char::is_alphabetic) && !last.chars().any(char::is_lowercase);
                if constant {
                    return true;
                }
                sym(last)
            }
            Expr::Param(i) => match self.f.summary.params.get(*i as usize) {
                Some(p) => *p,
                None => return false,
            },
            Expr::Call(c) if self.f.role(coll) == Some(Role::Setting) => {
                let named = c.args.iter().find_map(|x| self.a.as_str(x.value));
                return named.is_some_and(|n| self.speaks_of_exclusion(n));
            }
            _ => return false,
        };
        self.speaks_of_exclusion(&name) && identity::configured(&self.f, coll)
    }

    fn speaks_of_exclusion(&self, name: &str) -> bool {
        self.f.vocab.field(sym(name)) == Some(FieldRole::Exclusion) || self.f.vocab.speaks_of_use(name)
    }

    /// Does a collection hold the subject? `at` is the test that asks.
    pub(super) fn holds(&self, coll: ExprId, at: ExprId) -> Answer {
        let key = ((coll, at), self.supposing.of(coll) | self.supposing.of(at));
        if let Some(r) = self.held.borrow().get(&key) {
            return r.clone();
        }
        let r = self.deeper(at, || self.holds_of(coll, at));
        self.held.borrow_mut().insert(key, r.clone());
        r
    }

    fn holds_of(&self, coll: ExprId, at: ExprId) -> Answer {
        if self.subject.owns(&self.f, coll) {
            return Answer::sure(Yes);
        }
        if identity::literal(self.a, coll) && *self.a.get(coll) != Expr::Lit(Lit::Empty) || self.exclusion(coll) {
            return match self.a.get(coll) {
                Expr::Lit(Lit::Nothing | Lit::Failed) => Answer::sure(No),
                _ => self.opaque(at),
            };
        }
        match self.a.get(coll) {
            Expr::Lit(_) => Answer::sure(No),
            Expr::Field(..) if self.kept(coll) && self.world.newborn => Answer::seen(No, at),
            // What the caller keeps between passes, and this one adds to.
            Expr::Param(i) if self.world.newborn && self.f.summary.puts.iter().any(|p| p.0 == *i) => {
                Answer::seen(No, at)
            }
            Expr::Field(x, f) => {
                let spec = self.f.vocab.field(*f) == Some(FieldRole::Spec);
                let sibling = self.subject.owns_whole(&self.f, *x);
                if spec || sibling || self.kept(coll) || identity::filled(&self.f, coll) {
                    self.looked(true, at, coll)
                } else {
                    self.holds(*x, at)
                }
            }
            Expr::Binary(Bin::Union | Bin::Or | Bin::Add, l, r) => self.holds(*l, at).or(self.holds(*r, at)),
            // Of what is wanted, that which has been met is ticked off.
            Expr::Binary(Bin::Minus, l, r) if self.ticks_off(*l, *r) => self.holds(*l, at),
            Expr::Binary(Bin::Minus | Bin::Sub, l, r) => self.holds(*l, at).and(self.holds(*r, at).not()),
            Expr::Choose(c, t, f) => {
                let (t, f) = (self.holds(*t, at), self.holds(*f, at));
                // Which of them was read is no question of the subject's.
                let known = |x: &Answer| x.tri == Yes && x.pro.lookup();
                if self.world.certain && !self.mentions_subject(*c) && (known(&t) || known(&f)) {
                    return if known(&t) { t } else { f };
                }
                Answer::choose(self.truth(*c), t, f)
            }
            Expr::Gather { of, keep, give } => self.gathered(*of, *keep, *give, at),
            Expr::One(x) if self.of_subject(*x) => Answer::sure(Yes),
            Expr::Elem(b) => self.holds(self.a.coll(*b), at),
            Expr::Lookup(m, _) => self.holds(*m, at),
            Expr::Call(_) => self.call_holds(coll, at),
            Expr::Param(_) | Expr::Path(_) => self.looked(true, at, coll),
            // An object that goes through something: a cursor, a stream.
            Expr::Record(parts) if parts.iter().any(|p| p.0 == "#is") => self.looked(true, at, coll),
            _ => self.opaque(at),
        }
    }

    fn gathered(&self, of: BinderId, keep: ExprId, give: ExprId, at: ExprId) -> Answer {
        // A list of lists holds what the inner ones hold.
        if matches!(self.a.get(give), Expr::Gather { .. } | Expr::Binary(Bin::Union, ..)) {
            return self.kept_in(self.holds(give, at), keep);
        }
        let src = self.a.coll(of);
        // The subject's own list, mapped to what a lookup says of each.
        if self.subject.owns(&self.f, src) && self.keyed(give) {
            return self.present(give).and(self.truth(keep));
        }
        let mut h = self.holds(src, at);
        // What was read for each thing of a settings list: that is the read it rests on.
        if let Some(read) = base_read(&self.f, give).filter(|_| base_read(&self.f, src).is_none()) {
            h = h.mapped(|e| e.lookups.iter_mut().for_each(|l| l.reference = read));
        }
        if self.just_applied(of, give) {
            // That is no old answer either.
            h = h.mapped(|e| {
                e.lookups.iter_mut().for_each(|l| *l = Look { desired: true, kept: false, cached: false, ..*l });
            });
        }
        // A stranger's thing is known where it is listed, unless the filter keeps only ours.
        if self.world.foreign && h.tri == Yes && h.pro.lookup() && !self.restricts(keep) {
            return h;
        }
        self.kept_in(h, keep)
    }

    /// Is what is taken off a collection those of it that were met on another pass?
    ///
    /// ```text
    /// for pen in old { if wanted[pen.name] { delete(wanted, pen.name) } }
    /// for pen in other { if !wanted[pen.name] { remove(pen) } }
    /// ```
    fn ticks_off(&self, coll: ExprId, taken: ExprId) -> bool {
        let Expr::Gather { keep, give, .. } = *self.a.get(taken) else { return false };
        let met = |e: ExprId| self.a.mentions(e, &mut |x| matches!(*self.a.get(x), Expr::Lookup(c, _) if c == coll));
        met(give) || met(keep)
    }

    /// What a collection holds, and a filter lets through. Where the filter keeps nothing, no failed read is to blame.
    fn kept_in(&self, h: Answer, keep: ExprId) -> Answer {
        let k = self.truth(keep);
        // What knows the subject has it in spite of a filter that is not understood and asks nothing of the subject.
        let known = self.world.certain && h.tri == Yes && h.pro.lookup();
        if known && !self.mentions_subject(keep) {
            return h;
        }
        if self.world.failed.is_some() { k.and(h) } else { h.and(k) }
    }

    /// What a search asks of what it looks for. Where the subject is known for sure, what is asked besides is passed.
    pub(super) fn sought(&self, such: ExprId) -> Answer {
        let all = self.truth(such);
        // What is merely supposed is no more than what is not understood.
        let denied = |e: ExprId, r: &Answer| r.tri == No && !self.supposing.changes(e);
        if !self.world.certain || all.tri == Yes || denied(such, &all) {
            return all;
        }
        let mut found: Option<Answer> = None;
        let mut todo = vec![such];
        while let Some(e) = todo.pop() {
            if let Expr::Binary(Bin::And, l, r) = *self.a.get(e) {
                todo.extend([l, r]);
                continue;
            }
            let one = self.truth(e);
            if denied(e, &one) {
                return all;
            }
            if one.pro.lookup() {
                found = Some(match found {
                    Some(f) => f.and(one),
                    None => one,
                });
            }
        }
        found.unwrap_or(all)
    }

    /// Does a condition speak of the subject, rather than of the list it is on?
    fn mentions_subject(&self, e: ExprId) -> bool {
        let (mut todo, mut seen) = (vec![e], FxHashSet::default());
        while let Some(e) = todo.pop() {
            match self.a.get(e) {
                _ if !seen.insert(e) => {}
                Expr::Gather { .. } => {}
                Expr::Elem(_) if self.subject.is_inner(e) => return true,
                Expr::Elem(_) => {}
                _ => self.a.children(e, &mut |x| todo.push(x)),
            }
        }
        false
    }

    /// What was applied a moment ago is what is wanted: made of what is gone through, or the very thing that is given.
    fn just_applied(&self, of: BinderId, give: ExprId) -> bool {
        if let Some(known) = self.applied.borrow().get(&(of, give)) {
            return *known;
        }
        let found = self.find_applied(of, give);
        self.applied.borrow_mut().insert((of, give), found);
        found
    }

    fn find_applied(&self, of: BinderId, give: ExprId) -> bool {
        let top = self.outermost(of);
        let object = |t: ExprId| self.a.call_of(t).is_some() && self.f.row(t).is_none();
        let source = base_read(&self.f, self.a.coll(of));
        let gone_through = |x: ExprId| matches!(self.a.get(x), Expr::Elem(b) if self.outermost(*b) == top);
        let made = |t: ExprId| {
            // To hand on the whole of what was read makes none of it: `mirror(used)`.
            let handed_on = || source.is_some() && self.is_whole(t);
            object(t) && self.a.mentions(give, &mut |x| x == t)
                || self.a.mentions(t, &mut |x| gone_through(x)) && !handed_on()
        };
        // Of what was read elsewhere, that which is not among the candidates is made: a record, not a wish of this code.
        let read = source.filter(|r| self.f.row(*r).is_some() || self.fetched(*r));
        let own = self.subject.read(&self.f).filter(|_| read.is_some());
        let listed = self.subject.collections();
        let asked = |x: ExprId| Some(x) == own || read.is_some() && listed.contains(&x);
        // That the listing did not fail is no question about what is on it.
        let came = |c: ExprId| matches!(*self.a.get(c), Expr::Unary(Un::Not, x) if matches!(self.a.get(x), Expr::Unary(Un::Raised, _)));
        let lacking = |when: ExprId| {
            self.a.parts(when, Bin::And).into_iter().any(|c| !came(c) && self.a.mentions(c, &mut |x| asked(x)))
        };
        // An object that was put together here, once for each of them, by the client that destroys.
        let client = self.f.receiver(self.subject.call());
        let built = |e: &Effect| {
            let given = |x: &Arg| Some(x.value) == client;
            let by_it =
                self.f.receiver(e.call) == client || self.a.call_of(e.call).is_some_and(|c| c.args.iter().any(given));
            matches!(self.a.get(e.target), Expr::Record(_))
                && client.is_some()
                && by_it
                && self.is_within_pass(e.when, top)
        };
        let effects = self.f.summary.effects.iter().filter(|e| e.kind == EffectKind::Create);
        effects.filter(|e| !lacking(e.when)).any(|e| made(e.target) || built(e))
    }

    /// Does it speak of a collection as a whole, and of no element that is gone through around it?
    fn is_whole(&self, t: ExprId) -> bool {
        let (mut own, mut elements) = (vec![], vec![]);
        self.a.mentions(t, &mut |x| {
            match *self.a.get(x) {
                Expr::Gather { of, .. } | Expr::Any(of, _) => own.push(of),
                Expr::Elem(b) => elements.push(b),
                _ => {}
            }
            false
        });
        elements.iter().all(|b| own.contains(b))
    }

    /// Does a condition speak of the element of a pass around it, rather than of one of its own?
    fn is_within_pass(&self, when: ExprId, top: BinderId) -> bool {
        let (mut todo, mut seen) = (vec![when], FxHashSet::default());
        while let Some(e) = todo.pop() {
            match *self.a.get(e) {
                _ if !seen.insert(e) => {}
                Expr::Elem(b) if self.outermost(b) == top => return true,
                Expr::Gather { of: b, .. } | Expr::Any(b, _) if self.outermost(b) == top => todo.push(self.a.coll(b)),
                _ => self.a.children(e, &mut |x| todo.push(x)),
            }
        }
        false
    }

    fn outermost(&self, b: BinderId) -> BinderId {
        let mut b = b;
        for _ in 0..16 {
            let mut outer = None;
            let mut e = self.a.coll(b);
            loop {
                match self.a.get(e) {
                    Expr::Elem(o) => outer = Some(*o),
                    Expr::Field(x, _) | Expr::Lookup(x, _) => {
                        e = *x;
                        continue;
                    }
                    Expr::Gather { of, .. } => {
                        e = self.a.coll(*of);
                        continue;
                    }
                    _ => {}
                }
                break;
            }
            match outer {
                Some(o) => b = o,
                None => break,
            }
        }
        b
    }

    fn call_holds(&self, coll: ExprId, at: ExprId) -> Answer {
        let Some(c) = self.a.call_of(coll) else { return self.opaque(at) };
        let row = self.f.row(coll);
        if row.is_some_and(|r| r.over) {
            return Answer::seen(No, at);
        }
        if self.fails(coll) {
            return self.failure(No, at, coll);
        }
        if self.f.role(coll) == Some(Role::Own) {
            return self.opaque(at);
        }
        // A part of a list, or the list in another order or form.
        if self.f.called(coll).is_some_and(|n| n == "%slice") {
            return match c.args.first() {
                Some(x) if self.subject.read(&self.f) == base_read(&self.f, x.value) => self.opaque(at),
                Some(x) => self.holds(x.value, at),
                None => self.opaque(at),
            };
        }
        let form = match self.f.role(coll) {
            None if self.f.is_read(coll) => {
                let in_hand = |x: &ExprId| base_read(&self.f, *x).is_some() || self.f.role(*x) == Some(Role::Setting);
                self.f.receiver(coll).filter(in_hand)
            }
            None | Some(Role::Pure | Role::Format | Role::Wrapper | Role::Each | Role::Run) => {
                let given = || c.args.iter().map(|x| x.value).chain(self.f.receiver(coll));
                given().find(|x| self.listing(*x)).or_else(|| given().next())
            }
            _ => None,
        };
        match form {
            Some(x) => self.holds(x, at),
            None => self.looked(true, at, coll),
        }
    }

    /// Is anything in the collection?
    pub(super) fn nonempty(&self, e: ExprId) -> Answer {
        // Choices share their arms: each is asked once.
        let key = (e, self.supposing.of(e));
        if let Some(r) = self.empties.borrow().get(&key) {
            return r.clone();
        }
        let r = self.nonempty_of(e);
        self.empties.borrow_mut().insert(key, r.clone());
        r
    }

    fn nonempty_of(&self, e: ExprId) -> Answer {
        // What knows the subject is not empty.
        if self.world.certain && matches!(self.a.get(e), Expr::Gather { .. }) && !self.of_subject(e) {
            return Answer::sure(Yes);
        }
        match self.a.get(e) {
            Expr::Lit(Lit::Empty | Lit::Nothing) => Answer::sure(No),
            Expr::Binary(Bin::Union, l, r) => self.in_part(self.nonempty(*l).or(self.nonempty(*r))),
            Expr::Binary(Bin::Minus, l, _) => {
                let r = self.nonempty(*l);
                if r.tri == No { r } else { self.opaque(e) }
            }
            Expr::Choose(c, t, f) => Answer::choose(self.truth(*c), self.nonempty(*t), self.nonempty(*f)),
            Expr::One(_) => Answer::sure(Yes),
            Expr::Gather { of, keep, .. } => self.gather_nonempty(*of, *keep),
            Expr::Call(_) if self.f.is_list(e) && self.keyed(e) => self.present(e),
            Expr::Call(_) if self.fails(e) => Answer::told(No, Evidence { failed: true, ..Evidence::of(e) }),
            Expr::Field(x, _) => {
                let r = self.nonempty(*x);
                if r.tri == No { r } else { self.opaque(e) }
            }
            _ => self.opaque(e),
        }
    }

    /// Where only a part is missing, being asked whether anything is there does not see the failure.
    fn in_part(&self, r: Answer) -> Answer {
        if r.tri == Maybe && self.world.failed.is_some() { r.mapped(|e| e.failed = false) } else { r }
    }

    fn gather_nonempty(&self, of: BinderId, keep: ExprId) -> Answer {
        let src = self.a.coll(of);
        // What is in the target itself, whichever part of it.
        if self.subject.asks_itself(&self.f, src) {
            return self.opaque(src);
        }
        if self.keyed(src) {
            return self.present(src).and(self.sought(keep));
        }
        let from = self.nonempty(src);
        let mut k = self.sought(keep);
        let elem = self.a.find(&Expr::Elem(of));
        // Searched for the subject: `query(Lab).filter(id=d.id)` holds what the search finds.
        let searched = !elem.is_some_and(|x| self.of_subject(x));
        if searched && k.tri != Maybe && (k.pro.lookup() || k.con.lookup()) && !k.pro.failed && !k.con.failed {
            return k;
        }
        // An element that failed is one of many; a read that failed leaves none.
        if k.tri == No && elem.is_some_and(|x| self.a.mentions(keep, &mut |y| y == x)) {
            k = self.in_part(Answer::told(Maybe, (*k.con).clone()));
        }
        if k.tri == Yes && !k.pro.failed {
            k.tri = Maybe;
        }
        if from.tri == Maybe && k.tri == Yes { k } else { from.and(k) }
    }
}
