//! The walk: runs a body once, symbolically, and leaves no statement behind.
//!
//! There is no control-flow graph and no fixpoint. A [`State`] is forked at a branch, dropped at an exit and merged at a
//! join; a loop body is walked once, for "an arbitrary element".
//!
//! ```text
//! found = false                                  found after the loop =
//! for p in pods:                                   any e1 in pods . e1.owner == e0.name
//!   if p.owner == s.name:
//!     found = true                               secrets.delete(e0.name) is reached when
//!     break                                        not found
//! if not found: secrets.delete(s.name)
//! ```
//!
//! A condition never says how often or in which round; it says *for some element*. What a loop adds to a list becomes a
//! [`Expr::Gather`], what it sets under a condition an [`Expr::Any`]; what one round hands to the next is
//! [`Expr::Carried`] while the body is walked and is resolved to "the value before the loop, or one a round left".
//!
//! In a language with exceptions every read may end its statement: `live` is joined with `not raised(read)`, and the
//! handlers of the enclosing `try` are entered under `raised(read)`. A call of a known function is replaced by a copy of
//! its [`Summary`] ([`calls`]); an unknown one stays opaque, never wrong.

mod calls;
mod closures;
mod collections;
mod command;
mod compact;
mod correlated;
mod glance;
mod handlers;
mod joined;
mod library;
mod loops;
mod mapping;
mod merge;
mod mutate;
mod named;
mod noted;
mod paged;
mod query;
mod related;
mod rounds;
mod scope;
mod sent;
mod setting;
mod spread;
mod statement;
mod twins;
mod values;

pub use compact::{export, is_export};
pub use glance::glance;
pub use sent::sent_only;

use crate::facts::{Effect, EffectKind, FieldHistory, Pending, Read, Settled, Summary};
use crate::ir::*;
use crate::source::{FileId, Language};
use crate::vocab::{FileContext, Row, Vocab};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A function of the project.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FuncKey(pub u32);

/// A class of the project.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClassKey(pub u32);

/// What a global name stands for.
#[derive(Clone, Debug)]
pub enum Resolved {
    /// A function.
    Function(FuncKey),
    /// A class.
    Class(ClassKey),
    /// A value assigned at the top of a file: the file's summary and the value in it.
    Value(Arc<Summary>, ExprId),
    /// Something outside the project, a builtin, or an ambiguous name.
    Outside,
}

/// What a field of `self` holds when a method is entered.
#[derive(Clone, Debug)]
pub enum SelfField {
    /// Nothing is known.
    Unknown,
    /// Given from outside when the object is made, and never written again.
    Configured,
    /// Set by the constructor or the class body and never written again.
    Value(Arc<Summary>, ExprId),
    /// Other methods write it: what an earlier pass left.
    Kept,
    /// Other methods add entries to it and take them out, and none assigns it: what this process did itself.
    Registry,
    /// A method sets it and then calls what looks into it: what this pass found.
    Filled,
    /// A property: reading it calls this.
    Property(FuncKey),
}

/// What the walk may ask about the rest of the project. An answer that is not there is opaque, never wrong.
pub trait Context {
    /// The rows.
    fn vocab(&self) -> &Vocab;
    /// What a file imports.
    fn file(&self, file: FileId) -> FileContext;
    /// What a global name of a file stands for.
    fn resolve(&self, file: FileId, path: Sym) -> Resolved;
    /// The type of a name that a written-out object bears: that of the file, else the only one of the run.
    fn type_named(&self, _file: FileId, _name: Sym) -> Option<ClassKey> {
        None
    }
    /// A method of a class or of its bases.
    fn method(&self, class: ClassKey, name: Sym) -> Option<FuncKey>;
    /// The only method of the project with this name, where the name is telling enough to trust.
    fn unique_method(&self, file: FileId, name: Sym) -> Option<FuncKey>;
    /// Every method of the project with this name outside tests; none where there are too many to read.
    fn methods_named(&self, _name: Sym) -> Vec<FuncKey> {
        vec![]
    }
    /// The declared types of the fields of a class, and without a name what is embedded in it.
    fn field_types(&self, _class: ClassKey) -> Arc<[(Sym, Sym)]> {
        Arc::default()
    }
    /// What the body of a class assigns, in the order of its fields.
    fn class_body(&self, _class: ClassKey) -> Option<Arc<Summary>> {
        None
    }
    /// What a field of `self` holds on entry.
    fn self_field(&self, class: ClassKey, field: Sym) -> SelfField;
    /// The fields that are asked, in methods other than this one, by who puts something into a field of the class.
    fn fed_from(&self, _class: ClassKey, _field: Sym, _except: Sym) -> Vec<Sym> {
        vec![]
    }
    /// The summary of a function; `None` while it is being made (recursion) or where a limit is reached.
    fn summary(&self, f: FuncKey) -> Option<Arc<Summary>>;
    /// Does a function of the project destroy anything, by all that is known of its body? One that is being walked right
    /// now is judged where it stands.
    fn destroys(&self, _f: FuncKey) -> bool {
        true
    }
    /// The parameters that a function adds to, where its summary is too large to be put in place: what it adds is then not
    /// known, but that it does.
    fn fills(&self, _f: FuncKey) -> Vec<(u16, Sym)> {
        vec![]
    }
    /// The statement that a function sends for its callers, where its summary is too large to be put in place: what it makes
    /// of the answer is then not known.
    fn sends(&self, _f: FuncKey) -> Option<Arc<Summary>> {
        None
    }
    /// Is a setting of this name declared as nothing, where nobody says otherwise?
    fn declared_empty(&self, _file: FileId, _name: &str) -> bool {
        false
    }
    /// May a call of this name destroy anything, by a row of the vocabulary for a language?
    fn destroys_by_name(&self, _language: Option<Language>, _name: &str) -> bool {
        true
    }
    /// The same of the name of a function.
    fn sounds_destructive(&self, _f: FuncKey) -> bool {
        true
    }
    /// May a text be a statement or command that destroys, or a word of one?
    fn speaks_of_destroying(&self, _text: &str) -> bool {
        true
    }
    /// Is it a memoised function?
    fn is_cached(&self, f: FuncKey) -> bool;
    /// Does a failing call leave functions of this language: known per function by [`Func::raises`].
    fn class_of(&self, func: &Func) -> Option<ClassKey>;
}

/// Expressions per function; beyond it everything new is opaque.
const EXPR_LIMIT: usize = 60_000;

/// Locals, fields written so far, and the condition under which this point is reached.
#[derive(Clone)]
struct State {
    env: BTreeMap<Sym, ExprId>,
    /// Fields written, by the value of their base: `self.present`, `job.status`.
    heap: BTreeMap<(ExprId, Sym), ExprId>,
    live: ExprId,
}

/// A place values are kept in, over the walked arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Name(Sym),
    Field(ExprId, Sym),
    /// What the mapping that a local holds has under a literal key.
    Part(Sym, Sym),
}

/// The ways out of a block that were taken.
#[derive(Default)]
struct Exits {
    breaks: Vec<(u8, State)>,
    continues: Vec<(u8, State)>,
    returns: Vec<(State, ExprId)>,
}

impl Exits {
    /// How many ways out there are, but for exceptions.
    fn ways(&self) -> usize {
        self.breaks.len() + self.continues.len() + self.returns.len()
    }
}

/// What kind of exception may leave a call.
#[derive(Clone, Copy, PartialEq, Debug)]
enum RiskKind {
    /// A read of something outside failed.
    Read,
    /// A key was not in a mapping.
    Key,
    /// What is no number or time was read as one.
    Parse,
    /// Raised by a statement, with its type where known.
    Raised(Option<Sym>),
}

/// An exception that may be under way since the enclosing `try` began.
#[derive(Clone, Copy, Debug)]
struct Risk {
    raised: ExprId,
    missing: ExprId,
    kind: RiskKind,
}

/// The walk of one function.
struct Walk<'a> {
    /// The function: statements and expressions of the input are over its arena.
    func: &'a Func,
    ctx: &'a dyn Context,
    file: FileContext,
    class: Option<ClassKey>,
    /// The output: every other id is over this one.
    a: Arena,
    reads: Vec<Read>,
    effects: Vec<Effect>,
    pending: Vec<Pending>,
    fields: FxHashMap<(ExprId, Sym), FieldHistory>,
    selects: Vec<ExprId>,
    cached: FxHashSet<ExprId>,
    /// Queries as they were sent.
    sent: FxHashSet<ExprId>,
    /// How many loops were around a call of a library.
    made_at: FxHashMap<SiteId, usize>,
    /// Calls of the source that were made for the element of the traversal at hand.
    once: Option<FxHashMap<ExprId, ExprId>>,
    /// Records that are mappings written out here, rather than objects.
    mappings: FxHashSet<ExprId>,
    /// Fields of a query's rows that say how many others are related to them: by the call that makes the query and the
    /// field, the name of the relation.
    counts: FxHashMap<(ExprId, Sym), Sym>,
    /// The tables that queries take along, by the call that makes the query.
    joined: FxHashMap<ExprId, Vec<joined::Joined>>,
    /// The tables whose columns the condition at hand may ask, and the rows these are of.
    aliases: Vec<(Sym, ExprId)>,
    /// Names of one map.
    twins: Vec<(Sym, Sym)>,
    /// The live conditions of the enclosing loops.
    outer: Vec<ExprId>,
    /// The conditions of the arms around this point.
    arms: Vec<ExprId>,
    /// Where the statement at hand is reached.
    point: Option<ExprId>,
    risky: Vec<Risk>,
    /// How many risks there were when the statement at hand began: what it has read since must have succeeded.
    began: usize,
    loops: u32,
    globals: FxHashMap<Sym, Option<ExprId>>,
    self_fields: FxHashMap<Sym, Option<ExprId>>,
    /// Elements of comprehensions being evaluated: binder of the source, element here.
    elems: Vec<(BinderId, ExprId)>,
    /// What the last application of a function value in a loop gave.
    applied: Option<ExprId>,
    /// Parts of a collection looked at by the spread at hand.
    spread_steps: usize,
    /// Locals that the call at hand is given, by their values.
    handed: Vec<(ExprId, Sym)>,
    /// Function values being applied.
    closures: Vec<ClosureId>,
    /// Those that have been.
    ran: FxHashSet<ClosureId>,
    /// Inside a handler: when the exception caught is a "no such thing".
    caught: Vec<Risk>,
    truncated: bool,
    /// Only a glance is taken.
    glance: Option<glance::Glance>,
}

/// Walks a function.
pub fn summarize(func: &Func, ctx: &dyn Context) -> Summary {
    summarize_body(func, &func.body, ctx)
}

/// Walks other statements, over the arena of a function, in its place.
pub fn summarize_body(func: &Func, body: &Block, ctx: &dyn Context) -> Summary {
    Walk::of(func, ctx).function(body)
}

impl<'a> Walk<'a> {
    /// At the head of a function.
    fn of(func: &'a Func, ctx: &'a dyn Context) -> Self {
        let file = func.name_span.file;
        let mut context = ctx.file(file);
        context.params = func.params.iter().map(|p| (p.name, p.type_path)).collect();
        let class = ctx.class_of(func);
        if let Some(class) = class {
            context.fields = ctx.field_types(class);
        }
        let twins = twins::of(func);
        Walk {
            func,
            ctx,
            file: context,
            class,
            a: Arena::default(),
            reads: vec![],
            effects: vec![],
            pending: vec![],
            fields: FxHashMap::default(),
            selects: vec![],
            cached: FxHashSet::default(),
            sent: FxHashSet::default(),
            made_at: FxHashMap::default(),
            once: None,
            mappings: FxHashSet::default(),
            counts: FxHashMap::default(),
            joined: FxHashMap::default(),
            aliases: vec![],
            twins,
            outer: vec![],
            arms: vec![],
            point: None,
            risky: vec![],
            began: 0,
            loops: 0,
            globals: FxHashMap::default(),
            self_fields: FxHashMap::default(),
            elems: vec![],
            applied: None,
            spread_steps: 0,
            handed: vec![],
            closures: vec![],
            ran: FxHashSet::default(),
            caught: vec![],
            truncated: false,
            glance: None,
        }
    }

    /// The state at the head of the function.
    fn entered(&mut self) -> State {
        let mut env = BTreeMap::new();
        for (i, p) in self.func.params.iter().enumerate() {
            let e = self.a.mk(Expr::Param(i as u16));
            env.insert(star_free(p.name), e);
        }
        let live = self.a.bool(true);
        State { env, heap: BTreeMap::new(), live }
    }

    fn function(mut self, body: &Block) -> Summary {
        let mut state = self.entered();
        let defaults = self.func.params.iter().map(|p| p.default.map(|d| self.value(d, &mut state))).collect();
        let mut exits = Exits::default();
        let func = self.func;
        let end = self.block(body, Some(state), &mut exits);
        let nothing = self.a.lit(Lit::Nothing);
        let is_scope = matches!(func.name.as_str(), "<module>" | "<class>");
        let globals = match &end {
            Some(s) if is_scope => s.env.iter().map(|(k, v)| (*k, *v)).collect(),
            _ => vec![],
        };
        let (returns, mut last) = self.gather_returns(exits.returns, end, nothing);
        let puts = self.param_puts(&last);
        if let Some(last) = &mut last {
            self.run_kept(last);
        }
        let writes = last.map(|s| s.heap.into_iter().map(|((b, f), v)| (b, f, v)).collect()).unwrap_or_default();
        self.forget_idle_acts();
        let never = self.a.bool(false);
        let risks = std::mem::take(&mut self.risky);
        let fed = self.fed();
        let whole = Summary {
            arena: self.a,
            params: self.func.params.iter().map(|p| p.name).collect(),
            is_method: self.func.class.is_some(),
            defaults,
            returns,
            raises: never,
            raises_missing: never,
            writes,
            puts,
            globals,
            reads: self.reads,
            effects: self.effects,
            fields: self.fields,
            fed,
            pending: self.pending,
            selects: self.selects,
            cached: self.cached,
            own_reads: false,
            truncated: self.truncated,
        };
        compact::compact(whole, risks, func.raises, self.ctx.vocab())
    }

    /// What is returned, given that it returns (so the last way out needs no gate), and the state all ways out leave.
    fn gather_returns(
        &mut self,
        returns: Vec<(State, ExprId)>,
        end: Option<State>,
        nothing: ExprId,
    ) -> (ExprId, Option<State>) {
        let falls_off = end.is_some();
        let (mut value, mut last) = (nothing, end);
        for (n, (mut s, v)) in returns.into_iter().rev().enumerate() {
            let when = s.live;
            self.forget_unreturned(v, &mut s, last.as_ref());
            // Which element was searched for is told by the gate alone: `for c in cs: if c.name == n: return c`.
            let found = self.a.mentions(when, &mut |x| match *self.a.get(x) {
                Expr::Any(b, _) => self.a.mentions(v, &mut |y| *self.a.get(y) == Expr::Elem(b)),
                _ => false,
            });
            value = if n == 0 && !falls_off && !found { v } else { self.a.choose(when, v, value) };
            last = self.merge(when, Some(s), last);
        }
        (value, last)
    }

    /// Where a function fails, what it had made so far is given to nobody: its fields are those of the other ways out, and
    /// so are the collections that it had begun to fill.
    fn forget_unreturned(&self, value: ExprId, s: &mut State, last: Option<&State>) {
        if !matches!(self.a.get(value), Expr::Lit(Lit::Failed)) {
            return;
        }
        for (name, filled) in last.into_iter().flat_map(|l| &l.env) {
            let grown = |e: ExprId| merge::is_grown(&self.a, e);
            if let Some(begun) =
                s.env.get_mut(name).filter(|begun| *begun != filled && grown(**begun) && grown(*filled))
            {
                *begun = *filled;
            }
        }
        let made = |base: ExprId| self.a.call_of(base).is_some();
        let others = last.into_iter().flat_map(|l| &l.heap);
        s.heap.extend(others.filter(|((base, _), _)| made(*base)).map(|(k, v)| (*k, *v)));
    }

    /// That something was made by a call nothing is known of matters where something is destroyed.
    fn forget_idle_acts(&mut self) {
        let destroys = self.effects.iter().any(|e| e.kind != EffectKind::Create);
        if !destroys {
            let known = |a: &Arena, e: ExprId| a.call_of(e).is_none_or(|c| a.site(c.site).row.is_some());
            self.effects.retain(|e| known(&self.a, e.call));
        }
    }

    /// Where that was found which waits in fields of the object until something here destroys it.
    fn fed(&self) -> Vec<(Sym, Sym)> {
        let destroys = self.effects.iter().any(|e| e.kind == EffectKind::Destroy);
        let Some(class) = self.class.filter(|_| destroys) else { return vec![] };
        let kept = |h: &FieldHistory| matches!(h, FieldHistory::Kept | FieldHistory::Registry);
        let own = self.fields.iter().filter(|((base, _), h)| kept(h) && *self.a.get(*base) == Expr::Param(0));
        let mut fed: Vec<(Sym, Sym)> = own
            .flat_map(|((_, f), _)| self.ctx.fed_from(class, *f, self.func.name).into_iter().map(|from| (*f, from)))
            .collect();
        fed.sort_by_key(|(f, from)| (f.as_str(), from.as_str()));
        fed
    }

    /// What the function adds to collections that are its parameters.
    fn param_puts(&mut self, last: &Option<State>) -> Vec<(u16, ExprId)> {
        let Some(s) = last else { return vec![] };
        let mut out = vec![];
        for (i, p) in self.func.params.iter().enumerate() {
            let Some(&now) = s.env.get(&star_free(p.name)) else { continue };
            let own = self.a.mk(Expr::Param(i as u16));
            if now != own && merge::grows_from(&self.a, now, own) {
                out.push((i as u16, now));
            }
        }
        out
    }

    fn block(&mut self, b: &Block, mut s: Option<State>, x: &mut Exits) -> Option<State> {
        for st in b {
            s = self.stmt(st, s?, x);
        }
        s
    }

    fn stmt(&mut self, st: &Stmt, s: State, x: &mut Exits) -> Option<State> {
        let outer = std::mem::replace(&mut self.began, self.risky.len());
        let point = self.point.replace(s.live);
        let after = self.one_stmt(st, s, x);
        self.point = point;
        self.began = outer;
        after
    }

    fn one_stmt(&mut self, st: &Stmt, mut s: State, x: &mut Exits) -> Option<State> {
        let before = self.risky.len();
        let twin = self.twin_written(st, &s);
        match st {
            Stmt::Let(place, e) => {
                let v = self.value(*e, &mut s);
                self.guard(before, &mut s);
                self.assign(*place, v, &mut s);
            }
            Stmt::Set { base, field, value, at } => {
                let v = self.value(*value, &mut s);
                let key = self.field_key(*base, *field, &mut s);
                self.guard(before, &mut s);
                let base = self.value(*base, &mut s);
                self.state_written(base, *field, v, *at, &s);
                self.place_set(key, v, &mut s);
            }
            Stmt::Put(place, e) => {
                let v = self.value(*e, &mut s);
                self.guard(before, &mut s);
                let one = self.a.mk(Expr::One(v));
                let group = match *place {
                    Place::Entry(_, k) => {
                        let key = self.value(k, &mut s);
                        self.group_under(key, one)
                    }
                    _ => None,
                };
                let one = group.map_or(one, |g| self.a.mk(Expr::One(g)));
                self.grow(*place, one, &mut s);
            }
            Stmt::Drop(place, e) => {
                let v = self.value(*e, &mut s);
                self.guard(before, &mut s);
                if let Some(key) = self.key(*place, &mut s) {
                    let old = self.place_get(key, &s);
                    let one = self.a.mk(Expr::One(v));
                    let new = self.a.minus(old, one);
                    self.place_set(key, new, &mut s);
                }
            }
            Stmt::Do(e) => {
                let v = self.value(*e, &mut s);
                self.builds_on(*e, v, &mut s);
                self.guard(before, &mut s);
            }
            Stmt::Leave(exit) => return self.leave(exit, s, x),
            Stmt::If(c, t, f) => {
                let c = self.condition(*c, &mut s);
                self.guard(before, &mut s);
                return self.branch(c, t, f, s, x);
            }
            Stmt::For { var, over, body, whole } => return self.for_loop(*var, *over, body, whole, s, x),
            Stmt::Try { body, handlers } => return self.try_stmt(body, handlers, s, x),
        }
        if let Some(twin) = twin {
            self.write_twins(twin, &mut s);
        }
        Some(s)
    }

    /// In a language with exceptions the next statement runs only if this one's calls did not raise.
    fn guard(&mut self, from: usize, s: &mut State) {
        if !self.func.raises {
            return;
        }
        for i in from..self.risky.len() {
            let fine = self.a.not(self.risky[i].raised);
            s.live = self.a.and(s.live, fine);
        }
    }

    fn leave(&mut self, exit: &Exit, mut s: State, x: &mut Exits) -> Option<State> {
        match exit {
            Exit::Return(e) => {
                let before = self.risky.len();
                let v = self.value(*e, &mut s);
                self.guard(before, &mut s);
                x.returns.push((s, v));
            }
            Exit::Break(n) => x.breaks.push((*n, s)),
            Exit::Continue(n) => x.continues.push((*n, s)),
            Exit::Raise(kind) => {
                let missing = match kind {
                    Some(t) if self.ctx.vocab().is_not_found(t) => s.live,
                    // A bare re-raise hands on what was caught.
                    None => match self.caught.last().map(|c| c.missing) {
                        Some(m) => self.a.and(s.live, m),
                        None => self.a.bool(false),
                    },
                    _ => self.a.bool(false),
                };
                self.risky.push(Risk { raised: s.live, missing, kind: RiskKind::Raised(*kind) });
            }
        }
        None
    }

    fn branch(&mut self, c: ExprId, t: &Block, f: &Block, s: State, x: &mut Exits) -> Option<State> {
        let nc = self.a.not(c);
        let mut yes = s.clone();
        yes.live = self.a.and(s.live, c);
        let mut no = s;
        no.live = self.a.and(no.live, nc);
        let (yes_alive, no_alive) = (self.a.as_bool(yes.live) != Some(false), self.a.as_bool(no.live) != Some(false));
        let yes = if yes_alive { self.arm(c, t, yes, x) } else { None };
        let no = if no_alive { self.arm(nc, f, no, x) } else { None };
        self.merge(c, yes, no)
    }

    fn arm(&mut self, c: ExprId, body: &Block, s: State, x: &mut Exits) -> Option<State> {
        self.arms.push(c);
        let s = self.block(body, Some(s), x);
        self.arms.pop();
        s
    }

    /// The conditions of the arms around this point and of the ways that were not left before it, with one more.
    fn arms_with(&mut self, more: Option<ExprId>) -> Option<ExprId> {
        let mut all = None;
        for c in self.arms.clone().into_iter().chain(self.point).chain(more) {
            all = Some(all.map_or(c, |all| self.a.and(all, c)));
        }
        all
    }

    /// The condition of this point from the head of the function.
    fn here(&mut self, s: &State) -> ExprId {
        let mut w = self.a.bool(true);
        for i in 0..self.outer.len() {
            w = self.a.and(w, self.outer[i]);
        }
        w = self.a.and(w, s.live);
        // `purge(orphans())`: purged only if the argument could be read.
        for i in self.began..self.risky.len().max(self.began) {
            if self.func.raises {
                let fine = self.a.not(self.risky[i].raised);
                w = self.a.and(w, fine);
            }
        }
        w
    }

    fn effect(&mut self, kind: EffectKind, call: ExprId, target: ExprId, when: ExprId) {
        let after = self.reads.len();
        let atomic = self.func.atomic;
        self.effects.push(Effect {
            kind,
            call,
            at: None,
            target,
            when,
            atomic,
            by: None,
            after,
            settled: Settled::Open,
            taken_back: false,
        });
    }

    /// Notes a read of something outside, which may fail and, in a language with exceptions, leave the statement.
    fn read(&mut self, call: ExprId) {
        let atomic = self.func.atomic;
        let under = self.arms_with(None);
        self.reads.push(Read { call, atomic, under });
        let raised = self.a.unary(Un::Raised, call);
        let missing = self.a.unary(Un::NotFound, call);
        self.risky.push(Risk { raised, missing, kind: RiskKind::Read });
    }

    fn row_of(&self, e: ExprId) -> Option<&Row> {
        let call = self.a.call_of(e)?;
        let m = self.a.site(call.site).row?;
        Some(self.ctx.vocab().row(m.row))
    }
}

/// `*rest` and `**rest` are the locals `rest`.
fn star_free(name: Sym) -> Sym {
    let s = name.as_str();
    if s.starts_with('*') { sym(s.trim_start_matches('*')) } else { name }
}
