//! What a test arranges: a lookup that finds nothing.
//!
//! ```text
//! monkeypatch.setattr(janitor, "find_lab", lambda name: None)      find_lab finds nothing
//! db.get.return_value = None                                       db.get
//! rows.find.side_effect = NotFound("web")                          rows.find
//! with mock.patch("volumes.rows.find", return_value=None):         find
//! reap(conn, find_row=lambda name: None, known=set())              find_row; known
//! let rows = MemoryRows::default(); Reaper::new(cloud, rows)       rows, where the test is called so: `without_row`
//! ```

use super::Scene;
use super::words::{is_nothing, names};
use crate::ir::{Arg, Block, Call, Exit, Expr, ExprId, Lit, Place, Stmt, Sym};
use crate::source::Span;
use crate::vocab::Topic;
use rustc_hash::FxHashMap;

/// A lookup that was made to find nothing.
pub(super) struct Nothing {
    /// The names that lead to it.
    pub names: Vec<&'static str>,
    /// Where it is arranged.
    pub at: Span,
}

/// Reads the arrangements of a test.
pub(super) struct Stage<'a> {
    scene: &'a Scene<'a>,
    /// Locals that hold a function or an object.
    locals: FxHashMap<Sym, ExprId>,
    found: Vec<Nothing>,
}

/// Every lookup that a test makes find nothing, in order.
pub(super) fn arranged(scene: &Scene) -> Vec<Nothing> {
    let mut stage = Stage { scene, locals: FxHashMap::default(), found: vec![] };
    let func = scene.func;
    stage.block(&func.body);
    for e in func.arena.ids() {
        if let Some(call) = func.arena.call_of(e) {
            stage.call(call);
        }
    }
    stage.left_empty();
    let mut found = stage.found;
    found.sort_by_key(|n| n.at);
    found
}

impl<'a> Stage<'a> {
    /// Stores of records that are made empty, never filled, and handed on, in a test whose name says that there is none.
    fn left_empty(&mut self) {
        let (a, vocab) = (&self.scene.func.arena, self.scene.vocab);
        if !vocab.speaks_of(Topic::Lacking, &self.scene.func.name) {
            return;
        }
        let calls: Vec<&Call> = a.ids().filter_map(|e| a.call_of(e)).collect();
        let is = |e: ExprId, local: Sym| matches!(a.get(e), Expr::Name(n) if *n == local);
        for (&local, &value) in &self.locals {
            let made = match a.get(value) {
                Expr::Lit(Lit::Empty) => true,
                Expr::Call(c) => c.args.is_empty() && matches!(names(a, value).last(), Some(&("default" | "new"))),
                _ => false,
            };
            let filled =
                calls.iter().any(|c| matches!(a.get(c.callee), Expr::Field(on, f) if is(*on, local) && f != "clone"));
            let handed = calls.iter().flat_map(|c| &c.args).any(|x| is(x.value, local));
            if let Some(at) = a.origin(value).filter(|_| made && handed && !filled)
                && vocab.speaks_of(Topic::Record, &local)
            {
                self.found.push(Nothing { names: vec![local.as_str()], at });
            }
        }
    }

    /// What is assigned.
    fn block(&mut self, b: &Block) {
        for s in b {
            match s {
                Stmt::Let(Place::Name(name), value) => {
                    self.locals.insert(*name, *value);
                    self.object(*name, *value);
                }
                Stmt::Let(Place::Field(base, field), value) => self.written(*base, *field, *value, None),
                Stmt::Set { base, field, value, at } => self.written(*base, *field, *value, Some(*at)),
                Stmt::If(_, t, f) => {
                    self.block(t);
                    self.block(f);
                }
                Stmt::For { body, whole, .. } => {
                    self.block(body);
                    self.block(whole);
                }
                Stmt::Try { body, handlers } => {
                    self.block(body);
                    handlers.iter().for_each(|h| self.block(&h.body));
                }
                _ => {}
            }
        }
    }

    /// `db.get.return_value = None`, `rows.find = Mock(return_value=None)`
    fn written(&mut self, base: ExprId, field: Sym, value: ExprId, at: Option<Span>) {
        let a = &self.scene.func.arena;
        let mut path = names(a, base);
        let gives = match field.as_str() {
            "return_value" => self.is_nothing(value),
            "side_effect" => self.fails(value) || self.gives_nothing(value),
            name => {
                path.push(name);
                self.gives_nothing(value)
            }
        };
        if let Some(at) = at.or(a.origin(base)).filter(|_| gives) {
            self.add(path, at);
        }
    }

    /// `class Rows: def find(self, name): return None`, `rows = {"find": lambda n: None}`
    fn object(&mut self, name: Sym, value: ExprId) {
        let a = &self.scene.func.arena;
        let Expr::Record(parts) = a.get(value) else { return };
        for (method, value) in parts {
            if matches!(a.get(*value), Expr::Closure(_)) && self.gives_nothing(*value) {
                let at = a.origin(*value).unwrap_or(self.scene.func.name_span);
                self.add(vec![name.as_str(), method.as_str()], at);
            }
        }
    }

    fn call(&mut self, call: &Call) {
        let a = &self.scene.func.arena;
        let site = a.site(call.site);
        let called = match a.get(call.callee) {
            Expr::Field(_, f) => f.as_str(),
            Expr::Path(p) => p.as_str().rsplit('.').next().unwrap_or_default(),
            _ => "",
        };
        if matches!(called, "patch" | "object" | "setattr")
            && let Some(target) = self.patched(call)
        {
            let value = self.given(call, &["return_value"]).is_some_and(|v| self.is_nothing(v))
                || self.given(call, &["side_effect"]).is_some_and(|v| self.fails(v) || self.gives_nothing(v))
                || self.given(call, &["new", "value", "new_callable"]).is_some_and(|v| self.gives_nothing(v))
                || call.args.iter().filter(|x| x.name.is_none()).any(|x| self.gives_nothing(x.value));
            if value {
                self.add(target, site.whole);
            }
            return;
        }
        for arg in &call.args {
            self.argument(arg, site.whole);
        }
        // `is_zombie(vm, None)`: no record, handed over as such.
        let none = |x: &Arg| x.name.is_none() && matches!(a.get(x.value), Expr::Lit(Lit::Nothing));
        let doomed =
            [Topic::Doomed, Topic::Gone, Topic::Destroying].iter().any(|t| self.scene.vocab.speaks_of(*t, called));
        if doomed && call.args.iter().any(none) {
            self.found.push(Nothing { names: vec!["None"], at: site.whole });
        }
    }

    /// `reap(conn, find_row=lambda n: None, known=set())`, `Mock(**{"get.return_value": None})`
    fn argument(&mut self, arg: &Arg, at: Span) {
        let a = &self.scene.func.arena;
        let Some(name) = arg.name else { return };
        match (name.as_str(), a.get(arg.value)) {
            ("return_value" | "side_effect", _) => {}
            ("**", Expr::Record(parts)) => {
                for (key, value) in parts {
                    let Some(path) = key.as_str().strip_suffix(".return_value") else { continue };
                    if self.is_nothing(*value) {
                        self.add(path.split('.').collect(), at);
                    }
                }
            }
            (name, Expr::Lit(Lit::Empty)) => self.add_store(name, at),
            (name, Expr::Lit(Lit::Nothing)) if self.scene.vocab.speaks_of(Topic::Record, name) => {
                self.found.push(Nothing { names: vec![name], at });
            }
            (name, _) if self.gives_nothing(arg.value) => self.add(vec![name], at),
            _ => {}
        }
    }

    /// A collection of what is known, left empty.
    fn add_store(&mut self, name: &'static str, at: Span) {
        if self.scene.vocab.speaks_of(Topic::Record, name) || self.scene.vocab.speaks_of(Topic::Lookup, name) {
            self.found.push(Nothing { names: vec![name], at });
        }
    }

    fn add(&mut self, names: Vec<&'static str>, at: Span) {
        let vocab = self.scene.vocab;
        let last = names.iter().rev().take(2);
        let lookup = names.iter().any(|n| vocab.speaks_of(Topic::Lookup, n));
        let destroys = last.clone().any(|n| vocab.speaks_of(Topic::Destroying, n));
        let other = names.iter().any(|n| vocab.speaks_of(Topic::Beside, n));
        if lookup && !destroys && !other {
            self.found.push(Nothing { names, at });
        }
    }

    /// The path that a patch replaces.
    fn patched(&self, call: &Call) -> Option<Vec<&'static str>> {
        let a = &self.scene.func.arena;
        let texts = call.args.iter().filter(|x| x.name.is_none());
        let target = texts.take(2).filter_map(|x| a.as_str(x.value)).next()?;
        let mut path: Vec<&'static str> = target.split('.').collect();
        if let [first, _, ..] = call.args.as_slice()
            && path.len() == 1
        {
            let mut whole = names(a, first.value);
            whole.append(&mut path);
            return Some(whole);
        }
        Some(path)
    }

    fn given(&self, call: &Call, names: &[&str]) -> Option<ExprId> {
        call.args.iter().find(|x| x.name.is_some_and(|n| names.contains(&n.as_str()))).map(|x| x.value)
    }

    /// A value that is nothing, or a page or object with nothing in it: `SimpleNamespace(items=[])`.
    fn is_nothing(&self, e: ExprId) -> bool {
        let a = &self.scene.func.arena;
        is_nothing(a, e)
            || a.call_of(e).is_some_and(|c| {
                !c.args.is_empty()
                    && c.args.iter().all(|x| x.name.is_some() && matches!(a.get(x.value), Expr::Lit(Lit::Empty)))
            })
    }

    /// An exception that says "no such thing".
    fn fails(&self, e: ExprId) -> bool {
        let a = &self.scene.func.arena;
        let callee = a.call_of(e).map_or(e, |c| c.callee);
        let path = match a.get(callee) {
            Expr::Path(_) | Expr::Field(..) => names(a, callee).pop().unwrap_or_default(),
            _ => return false,
        };
        let code = |c: &Call| {
            c.args.iter().any(|x| match a.get(x.value) {
                Expr::Lit(Lit::Num(n)) => self.scene.vocab.is_not_found(&n.to_string()),
                _ => false,
            })
        };
        self.scene.vocab.is_not_found(path) || a.call_of(e).is_some_and(code)
    }

    /// A function that finds nothing whatever it is asked, or a mock of one.
    fn gives_nothing(&self, e: ExprId) -> bool {
        let a = &self.scene.func.arena;
        match a.get(e) {
            Expr::Closure(id) => a.closures.get(id.0 as usize).is_some_and(|c| self.ends_in_nothing(&c.body)),
            Expr::Name(n) => match self.locals.get(n).map(|v| (*v, a.get(*v))) {
                Some((v, Expr::Closure(_))) => self.gives_nothing(v),
                _ => false,
            },
            Expr::Call(c) => {
                self.given(c, &["return_value"]).is_some_and(|v| self.is_nothing(v))
                    || self.given(c, &["side_effect"]).is_some_and(|v| self.fails(v))
            }
            _ => false,
        }
    }

    fn ends_in_nothing(&self, b: &Block) -> bool {
        let a = &self.scene.func.arena;
        b.iter().all(|s| match s {
            Stmt::Leave(Exit::Return(v)) => is_nothing(a, *v),
            Stmt::Leave(Exit::Raise(Some(path))) => self.scene.vocab.is_not_found(path),
            Stmt::If(_, t, f) => self.ends_in_nothing(t) && self.ends_in_nothing(f),
            Stmt::Do(_) | Stmt::Let(..) => true,
            _ => false,
        })
    }
}
