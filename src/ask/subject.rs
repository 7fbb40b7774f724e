//! What a destructive call is about, and what descends from it.
//!
//! ```text
//! for ns in list_namespace():                        binders of the subject, innermost first: pod, ns
//!     for pod in list_pod(ns.name):                  its own list: list_pod(e0.name)
//!         used[pod.labels.app]                       descends from the subject: e1.labels.app
//!         row = db.get(pod.id)                       row does not: it is what a lookup returned
//! ```
//!
//! The outer element belongs to the subject only if it was itself listed: a loop over configured regions says which part
//! of the world is looked at, not what is deleted.

use super::*;
use crate::vocab::{Absence, FieldRole};

/// What is supposed something about.
#[derive(Debug)]
pub struct Subject {
    /// Elements, or else the parameter or read, that the target descends from.
    roots: Vec<ExprId>,
    /// Traversals of the elements, innermost first.
    chain: Vec<BinderId>,
    /// The collections its elements come from.
    own: Vec<ExprId>,
    /// What those are made of, where they are unions, choices or remainders.
    parts: Vec<ExprId>,
    /// Elements of other passes over its own collection, inside filters: the subject again.
    aliases: FxHashSet<ExprId>,
    /// What is destroyed, and the call that does it.
    target: ExprId,
    call: ExprId,
    when: ExprId,
    descends: RefCell<FxHashMap<ExprId, bool>>,
    inner_sought: std::cell::OnceCell<bool>,
}

/// What a condition asks about the subject.
pub struct Asked {
    /// What it is looked up in and compared with, and what those are made of.
    pub exprs: FxHashSet<ExprId>,
    /// By which run it was seen last is among it.
    pub stamped: bool,
}

impl Subject {
    /// The subject of an effect, if its target descends from something.
    pub fn of(facts: &Facts, effect: &Effect) -> Option<Subject> {
        if is_own(facts, effect.target) {
            return None;
        }
        let mut s = Subject {
            roots: vec![],
            chain: vec![],
            own: vec![],
            parts: vec![],
            aliases: FxHashSet::default(),
            target: effect.target,
            call: effect.call,
            when: effect.when,
            descends: RefCell::default(),
            inner_sought: std::cell::OnceCell::new(),
        };
        let elems = elements(facts, effect.target);
        // Of several elements the one that was listed for the others.
        let chains = elems.iter().map(|b| chain(facts, *b));
        if let Some(chain) = chains.reduce(|best, c| if c.len() > best.len() { c } else { best }) {
            s.roots = chain.iter().filter_map(|b| facts.arena.find(&Expr::Elem(*b))).collect();
            s.own = chain.iter().map(|b| facts.arena.coll(*b)).collect();
            s.chain = chain;
            s.own.iter().for_each(|o| parts(facts, *o, &mut s.parts));
            s.find_aliases(facts, effect.when);
            s.aliases.extend(found_by(facts, effect.target, &s.roots));
        } else {
            s.roots = vec![source(facts, effect.target)?];
        }
        Some(s)
    }

    /// The collection the subject is an element of, if it is one.
    pub fn candidates(&self) -> Option<ExprId> {
        self.own.first().copied()
    }
    /// Is the subject an element of something that was traversed, rather than given or read on its own?
    pub fn is_swept(&self) -> bool {
        !self.chain.is_empty()
    }
    /// The call that destroys it.
    pub(super) fn call(&self) -> ExprId {
        self.call
    }
    /// When it is destroyed.
    pub(super) fn when(&self) -> ExprId {
        self.when
    }
    /// Is it the subject itself, rather than something of it?
    pub(super) fn holds_root(&self, e: ExprId) -> bool {
        self.roots.contains(&e)
    }
    /// Is it the element that is spoken of, or one that it was listed for?
    pub fn is_element(&self, e: ExprId) -> bool {
        self.roots.contains(&e) || self.aliases.contains(&e)
    }
    /// Is it an element of a listing, where the target is named by a field of such an element?
    fn is_object(&self, a: &Arena, e: ExprId) -> bool {
        let of_nothing = |x: ExprId| match *a.get(x) {
            Expr::Field(base, _) => matches!(a.get(base), Expr::Lit(_)),
            ref x => matches!(x, Expr::Lit(_)),
        };
        match *a.get(e) {
            Expr::Elem(_) => a.mentions(
                self.target,
                &mut |y| matches!(*a.get(y), Expr::Field(base, _) if matches!(a.get(base), Expr::Elem(_))),
            ),
            Expr::Choose(_, t, f) => [t, f].iter().all(|x| of_nothing(*x) || self.is_object(a, *x)),
            _ => false,
        }
    }
    /// Is it the subject itself, not what it was listed for?
    pub fn is_inner(&self, e: ExprId) -> bool {
        self.roots.first() == Some(&e)
    }
    /// Is it one of those that the code or its caller names, rather than of a listing: a constant, a parameter?
    pub fn is_told(&self, facts: &Facts) -> bool {
        let told = |e: ExprId| identity::told(facts, e);
        self.read(facts).is_none() && self.own.first().is_some_and(|e| told(*e))
    }
    /// Did a caller ask for this very target, by its id or name?
    pub fn asked_by_name(&self, facts: &Facts, when: ExprId) -> bool {
        let sought = self.sought_for(facts);
        self.own.iter().chain([&when]).chain(&sought).any(|e| identity::asked_by_name(facts, self, *e))
    }

    /// What a search asked of the subject before it became a part of the target.
    ///
    /// ```text
    /// for e in entries { if e.name == name { other = e } }      delete({Parent: dir, Name: other.name})
    /// ```
    fn sought_for(&self, facts: &Facts) -> Vec<ExprId> {
        let mut out = vec![];
        facts.arena.mentions(self.target, &mut |x| {
            if let Expr::Choose(c, t, _) = *facts.arena.get(x)
                && self.holds(facts, t)
            {
                out.extend(facts.arena.parts(c, Bin::And).into_iter().filter_map(|p| match *facts.arena.get(p) {
                    Expr::Any(b, such) if self.chain.contains(&b) => Some(such),
                    _ => None,
                }));
            }
            false
        });
        out
    }
    /// Does an expression speak of what the subject was listed for, and not of the subject itself?
    pub(super) fn is_only_around(&self, facts: &Facts, e: ExprId) -> bool {
        let Some((inner, outer)) = self.roots.split_first() else { return false };
        let own = |x: ExprId| x == *inner || self.aliases.contains(&x);
        !outer.is_empty()
            && !facts.arena.mentions(e, &mut |x| own(x))
            && facts.arena.mentions(e, &mut |x| outer.contains(&x))
            && *self.inner_sought.get_or_init(|| self.is_sought(facts, *inner))
    }

    /// Is the subject itself looked for in something, rather than only what it was listed for?
    fn is_sought(&self, facts: &Facts, inner: ExprId) -> bool {
        let a = facts.arena;
        let about = |e: ExprId| a.mentions(e, &mut |x| x == inner || self.aliases.contains(&x));
        a.mentions(self.when, &mut |x| match *a.get(x) {
            Expr::Lookup(c, k) => about(k) && !about(c),
            Expr::Call(ref c) => facts.is_find(x) && c.args.iter().any(|arg| about(arg.value)),
            _ => false,
        })
    }
    /// All collections its elements come from, innermost first: filters in them are conditions too.
    pub fn collections(&self) -> &[ExprId] {
        &self.own
    }
    /// The read its candidates come from.
    pub fn read(&self, facts: &Facts) -> Option<ExprId> {
        let e = self.candidates().or(self.roots.first().copied())?;
        base_read(facts, e)
    }
    /// Every read its elements come from, the outer ones included.
    pub fn reads(&self, facts: &Facts) -> Vec<ExprId> {
        self.own.iter().filter_map(|e| base_read(facts, *e)).collect()
    }
    /// Is it the subject's own collection, read once or again?
    pub fn owns(&self, facts: &Facts, e: ExprId) -> bool {
        self.own.contains(&e)
            || self.parts.contains(&e)
            || facts.is_list(e) && self.own.iter().any(|o| same_but_sites(facts.arena, *o, e))
            || matches!(facts.arena.get(e), Expr::Field(..))
                && self.own.iter().any(|o| same_but_sites(facts.arena, *o, e))
    }
    /// Is it the subject's own collection, or the answer it is a part of?
    pub(super) fn owns_whole(&self, facts: &Facts, e: ExprId) -> bool {
        self.owns(facts, e)
            || self.own.iter().any(|o| {
                let mut x = *o;
                while let Expr::Field(y, _) = facts.arena.get(x) {
                    x = *y;
                    if x == e {
                        return true;
                    }
                }
                false
            })
    }

    fn find_aliases(&mut self, facts: &Facts, when: ExprId) {
        let mut found = vec![];
        facts.arena.mentions(when, &mut |x| {
            if let Expr::Gather { of, .. } = facts.arena.get(x) {
                found.push(*of);
            }
            false
        });
        for b in found {
            if !self.chain.contains(&b)
                && self.owns(facts, facts.arena.coll(b))
                && let Some(e) = facts.arena.find(&Expr::Elem(b))
            {
                self.aliases.insert(e);
            }
        }
    }

    /// Everything a condition asks about the subject: what it is looked up in, what something of it is compared with, and
    /// what those are made of.
    pub fn asked(&self, facts: &Facts, when: ExprId) -> Asked {
        let a = facts.arena;
        let (mut roots, mut calls) = (vec![], vec![]);
        let mut stamped = false;
        let mut tests = |x: ExprId| {
            match *a.get(x) {
                Expr::Lookup(c, k) if self.holds(facts, k) && !self.holds(facts, c) => roots.push(c),
                Expr::Binary(Bin::Eq, l, r) => {
                    for (own, other) in [(l, r), (r, l)] {
                        if self.holds(facts, own) && !self.holds(facts, other) {
                            roots.push(other);
                            let field = facts.field(own).and_then(|(_, f)| facts.vocab.field(f));
                            stamped |= field == Some(FieldRole::Stamp);
                        }
                    }
                }
                Expr::Call(ref c) => {
                    let mut given = c.args.iter().map(|x| x.value).chain(facts.receiver(x));
                    if !self.asks_itself(facts, x) && given.any(|v| self.holds(facts, v)) {
                        calls.push(x);
                    }
                }
                _ => {}
            }
            false
        };
        for e in self.own.iter().copied().chain([when]) {
            a.mentions(e, &mut tests);
        }
        if stamped {
            // What the run that stamps has read.
            let made = facts.summary.effects.iter().filter(|e| e.kind == crate::facts::EffectKind::Create);
            roots.extend(made.map(|e| e.when));
        }
        let mut out = FxHashSet::from_iter(calls);
        feeds(facts, roots, &mut out);
        Asked { exprs: out, stamped }
    }

    /// Is it a question whether the target itself is there, of what kind it is, and what is in it? That nothing is says
    /// nothing about its use.
    ///
    /// ```text
    /// if not os.path.isdir(path): os.remove(path)
    /// if not os.listdir(path): os.rmdir(path)
    /// if not entry.is_dir(): os.remove(entry.path)
    /// ```
    pub fn asks_itself(&self, facts: &Facts, e: ExprId) -> bool {
        let (Some(row), Some(call), Some(own)) = (facts.row(e), facts.arena.call_of(e), facts.row(self.call)) else {
            return false;
        };
        // `fs.Remove(path)` on whatever `fs` is.
        let beside = || own.noun.is_none() && facts.receiver(e).is_some_and(|x| facts.receiver(self.call) == Some(x));
        let files = is_file(row) && (is_file(own) || beside());
        let folder = || call.args.first().filter(|_| files && facts.is_list(e)).map(|x| x.value);
        let key = row.key.and_then(|k| facts.vocab.bound(facts.arena, call, row, k)).or_else(folder);
        (files || row.absence == Absence::False && row.library == own.library)
            && key.is_some_and(|k| {
                let entry = || self.read(facts).and_then(|r| facts.row(r)).is_some_and(is_file);
                files && self.is_inner(k) && entry() || same_but_sites(facts.arena, k, self.target)
            })
    }

    /// Is it asked, by the client that destroys the target, of the target itself or of something listed beneath it? What
    /// lies beneath a thing is no older than the thing.
    ///
    /// ```text
    /// for name in bucket.list(dir): newest = max(newest, bucket.stat(name).last_modified);  ..;  bucket.delete_dir(dir)
    /// ```
    pub(super) fn asks_a_part(&self, facts: &Facts, e: ExprId) -> bool {
        let same_client = match (facts.receiver(e), facts.receiver(self.call)) {
            (Some(x), Some(y)) => facts.is_find(e) && same_but_sites(facts.arena, x, y),
            _ => false,
        };
        let mut given = facts.arena.call_of(e).into_iter().flat_map(|c| &c.args).map(|x| x.value);
        same_client && given.any(|key| self.is_beneath_target(facts, key))
    }

    fn is_beneath_target(&self, facts: &Facts, key: ExprId) -> bool {
        let a = facts.arena;
        let target = |x: ExprId| same_but_sites(a, x, self.target);
        let listed_there = |b: BinderId| {
            let read = base_read(facts, a.coll(b)).and_then(|r| a.call_of(r));
            read.is_some_and(|c| c.args.iter().any(|x| target(x.value) || starts_with(a, x.value, &target)))
        };
        match *a.get(key) {
            Expr::Elem(b) => listed_there(b),
            Expr::Field(x, _) => matches!(*a.get(x), Expr::Elem(b) if listed_there(b)),
            _ => target(key) || starts_with(a, key, &target),
        }
    }

    /// Is it the folder that the target itself lives in, asked for the target's own name?
    ///
    /// ```text
    /// done = os.listdir(out);  if job in done: continue;  ..;  rmtree(os.path.join(out, job))
    /// ```
    pub(super) fn lists_itself(&self, facts: &Facts, coll: ExprId, key: ExprId) -> bool {
        let Some(read) = base_read(facts, coll).filter(|r| facts.is_list(*r) && facts.row(*r).is_some_and(is_file))
        else {
            return false;
        };
        let folder = facts.arena.call_of(read).and_then(|c| c.args.first()).map(|x| x.value);
        match (facts.arena.get(self.target), folder) {
            (Expr::Format(parts), Some(folder)) => {
                let named = parts.len() == 2 && parts.last() == Some(&key);
                named && parts.first().is_some_and(|p| same_but_sites(facts.arena, *p, folder))
            }
            _ => false,
        }
    }

    /// Something of the subject itself: not what a lookup by one of its keys returned.
    pub fn holds(&self, facts: &Facts, e: ExprId) -> bool {
        if self.roots.contains(&e) || self.aliases.contains(&e) {
            return true;
        }
        if let Some(&known) = self.descends.borrow().get(&e) {
            return known;
        }
        self.descends.borrow_mut().insert(e, false); // in progress; values are trees, so this is only for depth
        let of = |x: &ExprId| self.holds(facts, *x);
        let a = facts.arena;
        let r = match a.get(e) {
            Expr::Elem(b) => of(&a.coll(*b)),
            Expr::Field(x, _) | Expr::Unary(_, x) | Expr::One(x) => of(x),
            Expr::Call(c) if !facts.is_list(e) && !facts.is_find(e) => {
                c.args.iter().any(|x| of(&x.value)) || facts.receiver(e).is_some_and(|x| of(&x))
            }
            Expr::Record(p) => p.iter().any(|x| of(&x.1)),
            Expr::Format(p) => p.iter().any(of),
            Expr::Lookup(c, k) => of(c) || (self.owns(facts, *c) || facts.is_beside(*c, *k)) && of(k),
            Expr::Binary(_, l, r) => of(l) || of(r),
            Expr::Choose(_, t, f) => of(t) || of(f),
            Expr::Gather { of: b, .. } => of(&a.coll(*b)),
            _ => false,
        };
        self.descends.borrow_mut().insert(e, r);
        r
    }
}

/// What the values of expressions are made of: arms, not the conditions that choose between them; the things of a filtered
/// list, not its filters; a read, not what it was asked with.
///
/// ```text
/// busy = set(scalars(q)) if not dry(cfg.load()) else []       is made of scalars(q), not of cfg.load()
/// ```
pub fn feeds(facts: &Facts, mut roots: Vec<ExprId>, out: &mut FxHashSet<ExprId>) {
    let a = facts.arena;
    while let Some(e) = roots.pop() {
        if !out.insert(e) {
            continue;
        }
        match a.get(e) {
            Expr::Choose(_, t, f) => roots.extend([*t, *f]),
            Expr::Gather { of, keep, give } => {
                roots.extend([a.coll(*of), *give]);
                // What failed was left out of it.
                a.mentions(*keep, &mut |x| {
                    if let Expr::Unary(Un::Raised, failing) = a.get(x) {
                        roots.push(*failing);
                    }
                    false
                });
            }
            Expr::Elem(b) => roots.push(a.coll(*b)),
            Expr::Any(b, _) => roots.push(a.coll(*b)),
            Expr::Lookup(c, _) => roots.push(*c),
            Expr::Unary(Un::Raised | Un::NotFound, x) => roots.push(*x),
            // The answer of a known read is what it read.
            Expr::Call(_) if facts.is_list(e) || facts.is_find(e) => {}
            Expr::Call(c) => {
                roots.extend(facts.receiver(e));
                roots.extend(c.args.iter().map(|x| x.value));
            }
            _ => a.children(e, &mut |x| roots.push(x)),
        }
    }
}

impl Ask<'_> {
    pub(super) fn of_subject(&self, e: ExprId) -> bool {
        self.subject.holds(&self.f, e)
    }
    /// A known lookup or listing that is given something of the subject.
    pub(super) fn keyed(&self, e: ExprId) -> bool {
        (self.f.is_list(e) || self.f.is_find(e))
            && !self.subject.owns_whole(&self.f, e)
            && self.given_subject(e)
            && !self.subject.asks_itself(&self.f, e)
            && !self.always_tells(e)
    }
    /// A guessed look-up that is given a whole object, and of whose answer a field is read at once: it has one for each.
    ///
    /// ```text
    /// if reader.GetStatus(copy).Error != nil { continue };  ..;  client.Delete(copy.Name)
    /// ```
    fn always_tells(&self, e: ExprId) -> bool {
        let Some(c) = self.a.call_of(e) else { return false };
        let [given] = &c.args[..] else { return false };
        let guessed = self.f.row(e).is_some_and(|r| r.guess && r.role == Role::Find);
        guessed && self.a.site(c.site).sole && self.subject.is_object(self.a, given.value) && !self.tested(e)
    }
    /// Is it asked whether there is one?
    fn tested(&self, e: ExprId) -> bool {
        self.a.find(&Expr::Unary(Un::Present, e)).is_some() || !self.value_used.contains(&e)
    }
    pub(super) fn given_subject(&self, e: ExprId) -> bool {
        let Some(c) = self.a.call_of(e) else { return false };
        c.args.iter().any(|x| self.of_subject(x.value)) || self.f.receiver(e).is_some_and(|x| self.of_subject(x))
    }
}

/// A text that begins with such a part: `dir + "/"`.
fn starts_with(a: &Arena, e: ExprId, part: &dyn Fn(ExprId) -> bool) -> bool {
    match a.get(e) {
        Expr::Format(parts) => parts.first().is_some_and(|p| part(*p)),
        Expr::Binary(Bin::Add, l, _) => part(*l),
        _ => false,
    }
}

/// The elements a value descends from, as written: through fields, calls and texts, not through filters.
fn elements(facts: &Facts, e: ExprId) -> Vec<BinderId> {
    let a = facts.arena;
    let (mut out, mut todo, mut seen) = (vec![], vec![e], FxHashSet::default());
    while let Some(e) = todo.pop() {
        if !seen.insert(e) {
            continue;
        }
        match a.get(e) {
            Expr::Elem(b) if !out.contains(b) => out.push(*b),
            Expr::Elem(_) | Expr::Gather { .. } | Expr::Any(..) => {}
            Expr::Choose(_, t, f) => todo.extend([*f, *t]),
            // What was made here descends from no thing that was there before.
            Expr::Call(_) if matches!(facts.role(e), Some(Role::Own | Role::Create)) => {}
            Expr::Call(c) => {
                todo.push(c.callee);
                todo.extend(c.args.iter().rev().map(|x| x.value));
            }
            _ => {
                let from = todo.len();
                a.children(e, &mut |x| todo.push(x));
                todo[from..].reverse();
            }
        }
    }
    out
}

/// Is it about files? To open the very file that is deleted, or to ask for it, asks the file itself.
pub fn is_file(row: &Row) -> bool {
    row.noun.is_some_and(|n| n == "file" || n == "directory")
}

/// What was found by something of the subject, and is itself destroyed: to have found it is no record of its use.
///
/// ```text
/// for i in list_ids(): d = lookup(i); if d.name == self.name: d.destroy()
/// ```
fn found_by(facts: &Facts, target: ExprId, roots: &[ExprId]) -> Option<ExprId> {
    let mut e = target;
    while let Expr::Field(x, _) = *facts.arena.get(e) {
        e = x;
    }
    let found = facts.is_find(e) && facts.arena.mentions(e, &mut |x| roots.contains(&x));
    found.then_some(e)
}

/// A traversal and those it was listed for, innermost first.
fn chain(facts: &Facts, b: BinderId) -> Vec<BinderId> {
    let mut out = vec![b];
    let mut at = 0;
    while let Some(&b) = out.get(at) {
        at += 1;
        let coll = facts.arena.coll(b);
        let mut outer = vec![];
        passes(facts, coll, &mut outer, &mut FxHashSet::default());
        for o in outer {
            let over = facts.arena.coll(o);
            // What is read from outside may fail; what was configured is there.
            let asked = base_read(facts, over).is_some_and(|r| facts.arena.find(&Expr::Unary(Un::Raised, r)).is_some());
            let told = !asked && identity::told(facts, over) || identity::literal(facts.arena, over);
            let listed = matches!(facts.arena.get(coll), Expr::Gather { .. }) || !told;
            if !out.contains(&o) && listed {
                out.push(o);
            }
        }
    }
    out
}

/// The collections that a union, a choice or a remainder is made of.
fn parts(facts: &Facts, coll: ExprId, out: &mut Vec<ExprId>) {
    let mut todo = vec![coll];
    while let Some(e) = todo.pop() {
        if out.contains(&e) {
            continue;
        }
        out.push(e);
        match facts.arena.get(e) {
            Expr::Binary(Bin::Union, l, r) | Expr::Choose(_, l, r) => todo.extend([*l, *r]),
            Expr::Binary(Bin::Minus, l, _) => todo.push(*l),
            _ => {}
        }
    }
    out.retain(|e| !matches!(facts.arena.get(*e), Expr::Lit(_)));
}

/// The passes over other collections that a collection was made by, and the elements it was listed for.
fn passes(facts: &Facts, coll: ExprId, out: &mut Vec<BinderId>, seen: &mut FxHashSet<ExprId>) {
    // Lists share their parts: what was looked at once says nothing new.
    if !seen.insert(coll) || seen.len() > MADE_OF {
        return;
    }
    let mut more = |x: ExprId| passes(facts, x, out, seen);
    match facts.arena.get(coll) {
        Expr::Gather { of, give, .. } => {
            if matches!(facts.arena.get(*give), Expr::Gather { .. } | Expr::Binary(..) | Expr::Choose(..)) {
                more(*give);
            }
            out.push(*of);
        }
        Expr::Binary(Bin::Union, l, r) | Expr::Choose(_, l, r) => {
            more(*l);
            more(*r);
        }
        Expr::Binary(Bin::Minus, l, _) => more(*l),
        // A part of a list, or the list in another form.
        Expr::Call(c) if facts.row(coll).is_none() && !facts.is_read(coll) => {
            c.args.iter().for_each(|x| more(x.value));
        }
        _ => out.extend(elements(facts, coll)),
    }
}

/// Without an element: the parameter or the read that the target comes from. What the process itself made or sets apart
/// is no subject, nor is a field of the object the code belongs to.
fn source(facts: &Facts, target: ExprId) -> Option<ExprId> {
    let (mut param, mut read) = (None, None);
    let own = facts.arena.mentions(target, &mut |x| {
        match facts.arena.get(x) {
            Expr::Param(_) if param.is_none() => param = Some(x),
            Expr::Call(_) if read.is_none() && facts.is_read(x) => read = Some(x),
            _ => {}
        }
        matches!(facts.role(x), Some(Role::Own | Role::Create))
    });
    if own {
        return None;
    }
    param.filter(|p| !is_self(facts, *p)).or(read)
}

/// Something this very run made, or that belongs to the process: what its call was given is not what is destroyed.
fn is_own(facts: &Facts, target: ExprId) -> bool {
    let mut e = target;
    loop {
        e = match facts.arena.get(e) {
            Expr::Field(x, _) | Expr::Lookup(x, _) | Expr::One(x) => *x,
            Expr::Call(_) => match facts.role(e) {
                Some(Role::Own | Role::Create) => return true,
                Some(_) => return false,
                None => match facts.receiver(e) {
                    Some(x) => x,
                    None => return false,
                },
            },
            _ => return false,
        };
    }
}

/// The object a method belongs to.
fn is_self(facts: &Facts, param: ExprId) -> bool {
    matches!(facts.arena.get(param), Expr::Param(0)) && facts.summary.fields.keys().any(|(base, _)| *base == param)
}

/// A value made of more parts than this is followed no further.
const MADE_OF: usize = 2_000;

/// The call that read a collection or value: `resp` of `resp.items`, the list of a filtered list.
pub fn base_read(facts: &Facts, e: ExprId) -> Option<ExprId> {
    let mut left = MADE_OF;
    read_below(facts, e, &mut left)
}

fn read_below(facts: &Facts, e: ExprId, left: &mut usize) -> Option<ExprId> {
    let mut e = e;
    loop {
        e = match facts.arena.get(e) {
            Expr::Field(x, _) | Expr::Lookup(x, _) | Expr::One(x) => *x,
            Expr::Elem(b) | Expr::Gather { of: b, .. } => facts.arena.coll(*b),
            Expr::Choose(_, t, f) => match facts.arena.get(*t) {
                Expr::Lit(_) => *f,
                _ => *t,
            },
            Expr::Call(_) if facts.is_read(e) || facts.is_list(e) || facts.is_find(e) => {
                // `resp.json()`, `page.items()`: the answer of an earlier call in another form.
                let unknown = facts.row(e).is_none();
                match facts.receiver(e).filter(|_| unknown).and_then(|r| read_below(facts, r, left)) {
                    Some(r) => return Some(r),
                    None => return Some(e),
                }
            }
            Expr::Call(c) => {
                *left = left.checked_sub(1)?;
                let given = c.args.iter().map(|x| x.value).chain(facts.receiver(e));
                return given
                    .filter(|x| !matches!(facts.arena.get(*x), Expr::Lit(_)))
                    .find_map(|x| read_below(facts, x, left));
            }
            _ => return None,
        };
    }
}

/// The same expression, were it not for the places its calls stand at: one listing read twice.
pub fn same_but_sites(a: &Arena, x: ExprId, y: ExprId) -> bool {
    let mut todo = vec![(x, y)];
    let mut left = 200;
    while let Some((x, y)) = todo.pop() {
        if x == y {
            continue;
        }
        left -= 1;
        if left == 0 {
            return false;
        }
        match (a.get(x), a.get(y)) {
            (Expr::Call(c), Expr::Call(d)) => {
                if c.args.len() != d.args.len() || c.args.iter().zip(&d.args).any(|(p, q)| p.name != q.name) {
                    return false;
                }
                todo.push((c.callee, d.callee));
                todo.extend(c.args.iter().zip(&d.args).map(|(p, q)| (p.value, q.value)));
            }
            (Expr::Field(p, f), Expr::Field(q, g)) if f == g => todo.push((*p, *q)),
            (Expr::Lookup(p, k), Expr::Lookup(q, l)) => todo.extend([(*p, *q), (*k, *l)]),
            (Expr::Elem(b), Expr::Elem(c)) => todo.push((a.coll(*b), a.coll(*c))),
            (Expr::Unary(u, p), Expr::Unary(v, q)) if u == v => todo.push((*p, *q)),
            (Expr::Binary(o, p, q), Expr::Binary(u, r, s)) if o == u => todo.extend([(*p, *r), (*q, *s)]),
            (Expr::One(p), Expr::One(q)) => todo.push((*p, *q)),
            (Expr::Format(p), Expr::Format(q)) if p.len() == q.len() => {
                todo.extend(p.iter().copied().zip(q.iter().copied()));
            }
            (Expr::Record(p), Expr::Record(q)) if p.len() == q.len() && p.iter().zip(q).all(|(m, n)| m.0 == n.0) => {
                todo.extend(p.iter().zip(q).map(|(m, n)| (m.1, n.1)));
            }
            (Expr::Choose(c, t, f), Expr::Choose(d, u, g)) => todo.extend([(*c, *d), (*t, *u), (*f, *g)]),
            _ => return false,
        }
    }
    true
}
