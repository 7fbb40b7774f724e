//! Calls of functions. Those that only make, hold or pass on a value become that value.
//!
//! ```text
//! Some(x), Ok(x), Arc::new(x)       x
//! Err(e), None                      failed, nothing
//! Vec::new()                        []
//! tokio::spawn(async { .. })        what stands in it
//! Verdict::Gone(x)                  {0: x, #is: "Gone"}
//! Api::all(client)                  kube.Api.all(client)
//! ```

use super::build::{Binding, Cx};
use super::guess::Ret;
use super::uses::plain;
use crate::ir::{Arg, Expr, ExprId, Place, Stmt, sym};
use syn::Expr as E;

/// Is a name that of a type or case: `CamelCase`, no constant?
pub(super) fn is_type_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_uppercase()) && name.chars().any(|c| c.is_lowercase())
}

/// Collections that are made by these types.
fn is_collection_type(name: &str) -> bool {
    name.ends_with("Map")
        || name.ends_with("Set")
        || matches!(
            name,
            "Vec" | "VecDeque" | "BinaryHeap" | "LinkedList" | "SmallVec" | "JoinSet" | "FuturesUnordered"
        )
}

/// Types that hold one value.
fn is_holder(name: &str) -> bool {
    matches!(
        name,
        "Box"
            | "Arc"
            | "Rc"
            | "Mutex"
            | "RwLock"
            | "Cell"
            | "RefCell"
            | "Pin"
            | "Cow"
            | "Some"
            | "Ok"
            | "Reverse"
            | "Wrapping"
            | "Cursor"
            | "BufReader"
            | "BufWriter"
            | "ManuallyDrop"
            | "OnceCell"
    )
}

/// Functions that run what they are given.
const RUN: &[&str] =
    &["spawn", "spawn_blocking", "block_on", "block_in_place", "spawn_local", "timeout", "timeout_at", "unconstrained"];

impl Cx<'_> {
    pub fn call_expr(&mut self, x: &syn::ExprCall) -> ExprId {
        if let E::Path(path) = &*x.func {
            let parts: Vec<String> = path.path.segments.iter().map(|s| plain(&s.ident)).collect();
            let local = parts.len() == 1
                && matches!(
                    self.binding(parts.first().map_or("", |p| p)),
                    Some(Binding::Local(..) | Binding::Value(..))
                );
            if !local && let Some(value) = self.known_call(&parts, x) {
                return value;
            }
        }
        let callee = self.expr(&x.func);
        let values = self.values(&x.args);
        let name = match &*x.func {
            E::Path(p) => p.path.segments.last().map(|s| self.place(s.ident.span(), s.ident.span())),
            E::Paren(p) => match &*p.expr {
                E::Field(f) => Some(self.place(super::span::end(&E::Field(f.clone())), super::span::end(&p.expr))),
                _ => None,
            },
            _ => None,
        };
        let name = name.unwrap_or_else(|| self.span(&x.func));
        let whole = self.place(super::span::start(&x.func), x.paren_token.span.close());
        let call = self.call(name, whole, callee, values);
        match self.made_for(&x.func) {
            Some(of) => self.told_of(call, of),
            None => call,
        }
    }

    /// What the type is generic over whose function is called; told there, or where the value is declared.
    ///
    /// ```text
    /// Api::<Pod>::all(client)                     Api.all(client, #of=Pod)
    /// let pods: Api<Pod> = Api::all(client);      the same
    /// ```
    fn made_for(&mut self, func: &E) -> Option<ExprId> {
        let E::Path(path) = func else { return None };
        if let Some(of) = super::guess::of_path(&path.path) {
            return self.type_value(of);
        }
        let owner = path.path.segments.iter().rev().nth(1).map(|s| plain(&s.ident))?;
        self.told.take_if(|told| told.0 == owner).map(|told| told.1)
    }

    /// A type as a value.
    pub fn type_value(&mut self, ty: &syn::Type) -> Option<ExprId> {
        let path = self.type_path(ty).filter(|p| *p != "_")?;
        Some(self.path(&path))
    }

    fn told_of(&mut self, call: ExprId, of: ExprId) -> ExprId {
        let Expr::Call(c) = self.arena.get(call) else { return call };
        let mut c = c.clone();
        c.args.push(Arg { name: Some(sym("#of")), value: of });
        self.arena.mk(Expr::Call(c))
    }

    /// The calls that are forms of the language rather than operations.
    fn known_call(&mut self, parts: &[String], x: &syn::ExprCall) -> Option<ExprId> {
        let last = parts.last()?.as_str();
        let owner = parts.len().checked_sub(2).and_then(|i| parts.get(i)).map_or("", |p| p.as_str());
        let head = x.args.first();
        Some(match (owner, last, x.args.len()) {
            ("", "Some", 1) => {
                let value = self.expr(head?);
                if !matches!(self.arena.get(value), Expr::Name(_)) {
                    self.certain.insert(value);
                }
                value
            }
            (_, "Ok" | "Some", 1) => self.expr(head?),
            (_, "Err", 1) => {
                let value = self.expr(head?);
                let mut out = Vec::new();
                // An error may be made by a call that only names it.
                if self.arena.mentions(value, &mut |e| matches!(self.arena.get(e), Expr::Closure(_))) {
                    self.run_value(value, &mut out);
                }
                self.pending.extend(out);
                self.failed()
            }
            (t, "new" | "with_capacity" | "default" | "with_capacity_and_hasher" | "with_hasher", n)
                if is_collection_type(t) && (n == 0 || last != "new") =>
            {
                self.empty()
            }
            ("String" | "PathBuf" | "OsString" | "BytesMut" | "Bytes", "new" | "with_capacity", _) => {
                self.arena.str("")
            }
            (t, "from" | "from_iter", 1) if is_collection_type(t) => {
                let value = self.collection(head?);
                if t.ends_with("Map") { self.map_of(value) } else { value }
            }
            ("String" | "PathBuf" | "OsString" | "Bytes" | "Cow" | "Value", "from", 1)
            | ("String", "from_utf8_lossy", 1)
            | ("Path" | "OsStr", "new", 1)
            | ("Arc" | "Rc", "clone" | "new" | "from", 1)
            | ("Box", "pin", 1)
            | ("", "drop" | "black_box" | "identity", 1)
            | ("future", "ready" | "ok", 1)
            | ("mem", "drop", 1) => self.expr(head?),
            ("Cow", "Borrowed" | "Owned", 1) => self.expr(head?),
            (t, "new" | "from", 1) if is_holder(t) => self.expr(head?),
            ("stream" | "iter", "iter" | "from_iter", 1) => self.collection(head?),
            ("iter" | "stream", "empty", 0) => self.empty(),
            ("iter" | "stream", "once", 1) => {
                let value = self.expr(head?);
                self.one(value)
            }
            (_, "join_all" | "select_all" | "try_join_all", 1) => self.collection(head?),
            ("mem", "take", 1) => self.taken(head?, None),
            ("mem", "replace", 2) => {
                let new = x.args.iter().nth(1)?;
                self.taken(head?, Some(new))
            }
            (t, f, 1) if is_duration(t) && is_span(f) => self.expr(head?),
            (_, f, n) if RUN.contains(&f) && n > 0 => self.run(x)?,
            _ => return self.made(parts, x),
        })
    }

    /// The name of the type that a value is made of: what a message asks for is said by it.
    pub fn type_of(&self, parts: &[String]) -> Option<String> {
        let last = parts.last().filter(|last| is_type_name(last))?;
        match (last.as_str(), self.class) {
            ("Self", Some(class)) => Some(class.to_string()),
            _ => Some(last.clone()),
        }
    }

    /// A map made of pairs: with texts as keys a record.
    fn map_of(&mut self, v: ExprId) -> ExprId {
        let parts = self.arena.parts(v, crate::ir::Bin::Union);
        let pair = |cx: &Self, e: ExprId| {
            let Expr::One(one) = *cx.arena.get(e) else { return None };
            let Expr::Record(fields) = cx.arena.get(one) else { return None };
            match fields[..] {
                [(_, key), (_, value)] => Some((key, value)),
                _ => None,
            }
        };
        let pairs: Option<Vec<_>> = parts.into_iter().map(|e| pair(self, e)).collect();
        match pairs {
            Some(pairs) if pairs.iter().all(|p| self.text_of(p.0).is_some()) => self.keyed(pairs),
            Some(_) => v,
            None => self.as_map(v),
        }
    }

    /// A case with content, or a struct without names.
    fn made(&mut self, parts: &[String], x: &syn::ExprCall) -> Option<ExprId> {
        let last = parts.last()?;
        if !is_type_name(last) {
            return None;
        }
        let case = self.case_of(parts).or_else(|| self.type_of(parts));
        let values = self.values(&x.args);
        let mut fields: Vec<_> = values.into_iter().enumerate().map(|(i, v)| (sym(&i.to_string()), v)).collect();
        if let Some(case) = case {
            fields.push((sym("#is"), self.arena.str(&case)));
        }
        Some(self.arena.mk(Expr::Record(fields)))
    }

    /// What is kept at a place, which then holds something else.
    fn taken(&mut self, place: &E, new: Option<&E>) -> ExprId {
        let old = self.expr(place);
        let new = match new {
            Some(new) => self.expr(new),
            None => self.empty(),
        };
        self.emptied(old, new, place)
    }

    /// The value of a place, which from then on holds another.
    pub fn emptied(&mut self, old: ExprId, new: ExprId, target: &E) -> ExprId {
        let Some(place) = self.place_of(old) else { return old };
        let temp = self.fresh();
        self.pending.push(Stmt::Let(Place::Name(temp), old));
        self.write(place, new, target);
        self.named_at(temp, old)
    }

    /// `tokio::spawn(async move { .. })`, `timeout(d, f())`: what they are given runs here.
    fn run(&mut self, x: &syn::ExprCall) -> Option<ExprId> {
        let args: Vec<&E> = x.args.iter().collect();
        let what = args.iter().find(|e| matches!(e, E::Async(_) | E::Closure(_))).or(args.last())?;
        self.run_here(what)
    }

    /// A closure without parameters, an async block, a future: run here.
    pub fn run_here(&mut self, what: &E) -> Option<ExprId> {
        match what {
            E::Closure(c) if c.inputs.is_empty() => {
                let applied = self.apply(what, &[], Ret::Other);
                Some(self.in_place(applied))
            }
            E::Closure(_) => None,
            E::Path(_) => {
                let value = self.expr(what);
                match self.arena.get(value) {
                    Expr::Name(_) | Expr::Closure(_) | Expr::Path(_) => {
                        let at = self.span(what);
                        Some(self.call(at, at, value, Vec::new()))
                            .filter(|_| matches!(self.arena.get(value), Expr::Path(_)))
                    }
                    _ => Some(value),
                }
            }
            _ => Some(self.expr(what)),
        }
    }
}

fn is_duration(name: &str) -> bool {
    matches!(name, "Duration" | "TimeDelta" | "Span" | "SignedDuration")
}

fn is_span(name: &str) -> bool {
    let unit = name.strip_prefix("from_").or_else(|| name.strip_prefix("try_")).unwrap_or(name);
    matches!(
        unit,
        "secs"
            | "millis"
            | "micros"
            | "nanos"
            | "mins"
            | "hours"
            | "days"
            | "weeks"
            | "minutes"
            | "seconds"
            | "milliseconds"
            | "secs_f64"
            | "secs_f32"
    )
}
