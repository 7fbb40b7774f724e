//! What the walk leaves of a function: values, reads, effects. No statement is left.

use crate::ir::{Arena, ExprId, Func, Sym};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// A read of something outside the function: a known listing or lookup, or any call nothing is known of. Reads stand in
/// the order in which they happen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Read {
    /// The call.
    pub call: ExprId,
    /// It is one statement with the delete it decides (SQL).
    pub atomic: bool,
    /// The conditions of the arms it stands in, where it does: a read that fails was made.
    pub under: Option<ExprId>,
}

/// What an effect does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EffectKind {
    /// Something outside the process is destroyed.
    Destroy,
    /// A record is moved to a final state.
    Terminate,
    /// Something outside is made or updated.
    Create,
}

/// Something done to the world, with the condition under which it is done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    /// What is done.
    pub kind: EffectKind,
    /// The call, or the assignment's place as `Field(base, f)` for a state written.
    pub call: ExprId,
    /// Where it stands when it is no call.
    pub at: Option<crate::source::Span>,
    /// What it is done to.
    pub target: ExprId,
    /// When it is reached, from the head of the function.
    pub when: ExprId,
    /// Decided and done by one statement.
    pub atomic: bool,
    /// In a statement: the table, and the column that names the row, where no other condition goes with it.
    pub by: Option<(Sym, Sym)>,
    /// How many of the summary's reads happen before it.
    pub after: usize,
    /// Where it can be judged.
    pub settled: Settled,
    /// Done because something failed, which is then raised on: what was begun is taken back.
    pub taken_back: bool,
}

/// Where an effect can be judged: in the innermost function in which it rests on nothing a caller could make known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// It rests on a parameter, or on a field that another method fills: callers know more.
    Open,
    /// Here.
    Here,
    /// In a function called from here.
    Below,
    /// Here, unless whoever calls waits for the cache that a reference is read from.
    Cached,
    /// The same, in a function that was called.
    CachedBelow,
}

/// What is known of a field of an object between passes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldHistory {
    /// Methods other than the constructor put something in it: on a path that did not write it, it holds what an
    /// earlier pass left.
    Kept,
    /// The same, and no method fills it from elsewhere: entries are added and taken one by one, so it is this process's own
    /// record of what it did.
    Registry,
    /// A method fills it and then, on its way, calls those that look into it: it holds what was found in this pass.
    Filled,
    /// Set from outside when the object is made, never written again: configuration.
    Configured,
}

/// The walk's result for one function.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Owns every id below.
    pub arena: Arena,
    /// Parameter names, `self` among them; `*rest` and `**rest` keep their stars.
    pub params: Vec<Sym>,
    /// A method: the first parameter is the object it belongs to.
    pub is_method: bool,
    /// Values of parameters that are not given.
    pub defaults: Vec<Option<ExprId>>,
    /// What it returns, given that it returns; over [`crate::ir::Expr::Param`].
    pub returns: ExprId,
    /// When it is left by an exception.
    pub raises: ExprId,
    /// When it is left by a "no such thing".
    pub raises_missing: ExprId,
    /// Fields of its parameters it leaves written: base, field, value.
    pub writes: Vec<(ExprId, Sym, ExprId)>,
    /// What it adds to collections that are parameters: parameter, new value in terms of the old (`Param(i)`).
    pub puts: Vec<(u16, ExprId)>,
    /// Values of the names assigned at the top of a file or in a class body; empty for functions.
    pub globals: Vec<(Sym, ExprId)>,
    /// Reads in order.
    pub reads: Vec<Read>,
    /// Effects in order.
    pub effects: Vec<Effect>,
    /// What is known of the fields of `self`.
    pub fields: FxHashMap<(ExprId, Sym), FieldHistory>,
    /// Of fields of `self` that are kept between passes: the fields that those asked who put something in them.
    pub fed: Vec<(Sym, Sym)>,
    /// Calls that may mean more once a caller says what a parameter is: a callback, a command line with a hole.
    pub pending: Vec<Pending>,
    /// Calls that are given a field selector: the server may reject what it says. Those of callees only where a caller
    /// gives it.
    pub selects: Vec<ExprId>,
    /// Results remembered from earlier calls: reads made inside a memoised function.
    pub cached: FxHashSet<ExprId>,
    /// Some reads are kept for the rules that look at a function as a whole; nothing else rests on them.
    pub own_reads: bool,
    /// The function was too large or too deep somewhere: what is missing is opaque, never wrong.
    pub truncated: bool,
}

/// A call whose meaning rests on a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pending {
    /// The call.
    pub call: ExprId,
    /// When it is reached.
    pub when: ExprId,
    /// How many of the summary's reads happen before it.
    pub after: usize,
}

/// A lowered function and where it belongs, shared between summaries.
pub type FuncRef = Arc<Func>;
