//! The intermediate representation: what every language is lowered to.
//!
//! Two levels. A [`Stmt`] exists only between lowering and the walk; the walk removes all of them, so everything after
//! it (summaries, questions, rules) sees [`Expr`]s in one [`Arena`] and nothing else. There is no control-flow graph, no
//! types, no fixpoint, and **no meaning**: what a call destroys or lists is the vocabulary's business.
//!
//! ```text
//! def sweep(api, session):                            fn! sweep(api, session):
//!     for d in api.list_deployment().items:             for d in api.list_deployment().items:
//!         row = session.get(Lab, d.metadata.name)         row = session.get(Lab, d.metadata.name)
//!         if row is None:                                 if not present(row):
//!             api.delete(d.metadata.name)                   api.delete(d.metadata.name)
//! ```
//!
//! Equal expressions have equal ids ([`Arena::mk`] interns), with one exception that matters: every call of the source
//! has a [`Site`] of its own, and the site is part of the expression. A list read twice is two reads; `x.name` written
//! twice is one value.

mod arena;
mod ids;
pub mod text;

pub use arena::{Arena, Rebuild};
pub use ids::{Copied, Id, Marks};

use crate::source::Span;
pub use ustr::{Ustr as Sym, ustr as sym};

/// An expression of one arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub u32);

/// One traversal of one collection. Two loops over the same list are two binders.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BinderId(pub u32);

/// One place of a call. A call copied out of a summary gets a site of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SiteId(pub u32);

/// A block with parameters: lambda, nested function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ClosureId(pub u32);

/// Constants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lit {
    /// `None`, `nil`, `null`.
    Nothing,
    /// A failure without a value: `nil, err`, `Err(e)`.
    Failed,
    /// A collection with nothing in it.
    Empty,
    /// `true`, `false`.
    Bool(bool),
    /// A whole number; fractions are rounded away from zero, for only zero or not matters.
    Num(i64),
    /// A string, without its quotes.
    Str(Sym),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Un {
    /// Negation.
    Not,
    /// There is something: `is not None`, `!= nil`, `is_some()`, truthiness of a value that is no boolean.
    Present,
    /// The operation said "no such thing": `except NotFound`, `IsNotFound(err)`.
    NotFound,
    /// The operation did not succeed: an exception left it, `err != nil`, `is_err()`.
    Raised,
}

/// Operators with two operands. `a > b` is `b < a`; `a <= b` is `a < b`: one instant more or less never matters here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bin {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Equality.
    Eq,
    /// Order.
    Lt,
    /// Sum.
    Add,
    /// Difference of numbers and times.
    Sub,
    /// Both collections.
    Union,
    /// The first collection without what the second holds.
    Minus,
}

/// A value given to a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Arg {
    /// The keyword, where it was given by one. `*` and `**` mark an unpacked sequence or mapping.
    pub name: Option<Sym>,
    /// The value.
    pub value: ExprId,
}

/// A call as written: what is called, and with what.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Call {
    /// Which call of the source this is; also the key to its places and its vocabulary row.
    pub site: SiteId,
    /// What is called: `Path("os.remove")`, `Field(receiver, "delete_pod")`, a closure, a local.
    pub callee: ExprId,
    /// The values given, in the order of the source.
    pub args: Vec<Arg>,
}

/// Expressions.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// Not modelled. The number keeps two unknowns apart.
    Unknown(u32),
    /// A constant.
    Lit(Lit),
    /// A local; before the walk only.
    Name(Sym),
    /// A global with its imports resolved: `os.remove`, `kubernetes.client`; without import the name as written, which
    /// is then a global of the file itself or a builtin.
    Path(Sym),
    /// A local or field (`x`, `self.x`) as the iteration before left it; inside the walk only. The number is the loop's.
    Carried(Sym, u32),
    /// A parameter, after the walk.
    Param(u16),
    /// The element a binder stands for.
    Elem(BinderId),
    /// `x.f`, `x["f"]` with a literal key, `x.get("f")` on a record.
    Field(ExprId, Sym),
    /// `m[k]`, `m.get(k)`: what a collection knows about a key. `k in m` is `Present(Lookup(m, k))`.
    Lookup(ExprId, ExprId),
    /// A call.
    Call(Call),
    /// One operand.
    Unary(Un, ExprId),
    /// Two operands.
    Binary(Bin, ExprId, ExprId),
    /// A gated merge: the second where the first holds, else the third.
    Choose(ExprId, ExprId, ExprId),
    /// Some element satisfies the condition: search loops, `any(..)`, early return out of a loop.
    Any(BinderId, ExprId),
    /// `give` for every element for which `keep` holds: comprehension, filter and map, collect loop.
    Gather {
        /// The traversal.
        of: BinderId,
        /// The filter.
        keep: ExprId,
        /// What is collected.
        give: ExprId,
    },
    /// A collection of exactly this one. A list display is a union of these.
    One(ExprId),
    /// Several values under names: tuple (`"0"`, `"1"`), struct, mapping display with literal keys.
    Record(Vec<(Sym, ExprId)>),
    /// Text made of parts: f-string, `"a" + b`, `os.path.join`, `str(x)`. Opaque, but descends from its parts.
    Format(Vec<ExprId>),
    /// A function value whose body is part of the enclosing function.
    Closure(ClosureId),
    /// Inside a handler, the exception caught: the expression is when it is a "no such thing". After `except E as e`,
    /// `e` is this.
    Caught(ExprId),
}

/// Where a value is kept.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    /// A local.
    Name(Sym),
    /// A field of a value: `self.seen`.
    Field(ExprId, Sym),
    /// An entry of a collection: `m[k]`. Groups are flattened: see [`Stmt::Put`].
    Entry(ExprId, ExprId),
}

/// A sequence of statements.
pub type Block = Vec<Stmt>;

/// Statements.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// Assignment.
    Let(Place, ExprId),
    /// Assignment to a field, with its place: `x.status = "failed"` may be what a finding points at.
    Set {
        /// The value whose field it is.
        base: ExprId,
        /// The field.
        field: Sym,
        /// What is written.
        value: ExprId,
        /// What stands to the left of the `=`.
        at: Span,
    },
    /// Add a value to the collection at a place: `append`, `add`, `m[k] = v`, `yield`. Adding to a group
    /// (`m.setdefault(k, []).append(v)`) adds `v` to `m`.
    Put(Place, ExprId),
    /// Take a key out of the collection at a place: `discard`, `del m[k]`, `pop(k)`.
    Drop(Place, ExprId),
    /// Evaluate for its effects.
    Do(ExprId),
    /// A branch.
    If(ExprId, Block, Block),
    /// A loop. `while c` is a loop over an unknown with `if not c: break` in front.
    For {
        /// The loop variable; a pattern is one fresh name, taken apart at the head of the body.
        var: Sym,
        /// What is traversed.
        over: ExprId,
        /// The body.
        body: Block,
        /// Runs when the loop ran to its end (`for .. else`).
        whole: Block,
    },
    /// `try` with its handlers. `finally` follows as plain statements; `else` stands at the end of the body.
    Try {
        /// What is tried.
        body: Block,
        /// The handlers, in order.
        handlers: Vec<Handler>,
    },
    /// Leave by one of the exits.
    Leave(Exit),
}

/// One `except`.
#[derive(Clone, PartialEq, Debug)]
pub struct Handler {
    /// The exception types named, resolved like a [`Expr::Path`]; empty catches everything.
    pub types: Vec<Sym>,
    /// The name the exception is bound to.
    pub bind: Option<Sym>,
    /// The body.
    pub body: Block,
    /// The whole clause.
    pub span: Span,
}

/// Ways out of a block.
#[derive(Clone, PartialEq, Debug)]
pub enum Exit {
    /// Out of the function with a value.
    Return(ExprId),
    /// Out of a loop: how many loops out, 0 being the nearest.
    Break(u8),
    /// To the next round of a loop, likewise.
    Continue(u8),
    /// By an exception: its type's path where it is written out; nothing for a bare re-raise.
    Raise(Option<Sym>),
}

/// The places of a call, and what the vocabulary says of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Site {
    /// The called name alone: where a finding points.
    pub name: Span,
    /// The whole call.
    pub whole: Span,
    /// The statement it stands in: a suppression on any of its lines counts.
    pub stmt: Span,
    /// The call in the caller whose summary brought it here; `None` in the function itself.
    pub via: Option<SiteId>,
    /// What the vocabulary knows of it; set by the walk.
    pub row: Option<crate::vocab::Matched>,
    /// What is called changes or sends something, by its name; set by the walk.
    pub acts: bool,
    /// What is called runs once what it is given to run, by its name; set by the walk.
    pub once: bool,
    /// Nobody waits for it or looks at how it ended, in a language that warns of a failure nobody looks at: it has none.
    pub unheeded: bool,
    /// It is used as one value in a language where an error comes beside the value: it gives none.
    pub sole: bool,
    /// Its answer is waited for: it is a whole call, and no step towards one.
    pub waited: bool,
}

/// A function value: its parameters and its body, over the arena of the enclosing function.
#[derive(Clone, PartialEq, Debug)]
pub struct Closure {
    /// Parameter names.
    pub params: Vec<Sym>,
    /// The body; an expression lambda is a `Return`.
    pub body: Block,
}

/// A parameter of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The name; `*rest` and `**rest` keep their stars.
    pub name: Sym,
    /// The default, over the function's arena. A `Name` in it is a global.
    pub default: Option<ExprId>,
    /// The annotated type as a dotted path, imports resolved: `kubernetes.client.CoreV1Api`.
    pub type_path: Option<Sym>,
}

/// One function, lowered.
#[derive(Clone, Debug)]
pub struct Func {
    /// Its own name, `<module>` for the statements at the top of a file.
    pub name: Sym,
    /// The class or receiver type it is a method of.
    pub class: Option<Sym>,
    /// Parameters in order, `self` among them.
    pub params: Vec<Parameter>,
    /// The statements.
    pub body: Block,
    /// A failing call leaves the function (Python) instead of yielding a zero value (Go). Rust's `?` is lowered out.
    pub raises: bool,
    /// One statement that reads, decides and deletes (SQL).
    pub atomic: bool,
    /// A test or part of a test's scaffolding, by the language's conventions.
    pub is_test: bool,
    /// Decorators, attributes: paths with imports resolved (`functools.lru_cache`).
    pub decorators: Vec<Sym>,
    /// Of a test, its decorators in full, which put one thing in place of another; of others where they are asked for.
    pub stage: Vec<ExprId>,
    /// Where assigning copies nothing: the names that were given what another holds.
    pub same: Vec<(Sym, Sym)>,
    /// The name in the definition.
    pub name_span: Span,
    /// From the first decorator to the end of the body.
    pub span: Span,
    /// All expressions of the function.
    pub arena: Arena,
}

/// Texts joined.
///
/// ```text
/// f"id IN ({','.join(ids)})"        format("id IN (", format("", ",", ids), ")")
/// ```
/// Before the text between them stands an empty one, which no other text begins with.
impl Arena {
    /// The members of a collection as one text, with `between` between them.
    pub fn join(&mut self, between: ExprId, coll: ExprId) -> ExprId {
        let empty = self.str("");
        self.mk(Expr::Format(vec![empty, between, coll]))
    }

    /// What stands between the members, and the collection, where a text is made so.
    pub fn joined(&self, e: ExprId) -> Option<(ExprId, ExprId)> {
        match self.get(e) {
            Expr::Format(parts) => match parts[..] {
                [empty, between, coll] if self.as_str(empty).is_some_and(str::is_empty) => Some((between, coll)),
                _ => None,
            },
            _ => None,
        }
    }
}
