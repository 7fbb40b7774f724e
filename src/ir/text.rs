//! The IR as text: what `--dump ir` prints and what engine tests are written in.
//!
//! ```text
//! @functools.cache
//! fn! Janitor.sweep(self, api: kubernetes.client.AppsV1Api, dry=false):
//!   used = [r.key | r in self.db.rows(), r.live]        filter and map: Gather
//!   try:
//!     used <- one("default")                             put; `used -< x` takes away
//!   catch sqlalchemy.exc.NoResultFound as e:
//!     return
//!   for d in api.list_deployment(limit=500).items:
//!     if not present(used[d.name]) or (any p in pods() | p.owner == d.name):
//!       api.delete(d.name)
//! ```
//!
//! One statement is one line, a block is indented by two. `fn!` is left by a failing call, `fn*` is one atomic
//! statement, `fn?` is a test; the marks combine. A name that is a parameter or assigned somewhere in the function is a
//! local, any other is a global, and a dotted global is one path: `k8s.list()` calls `Path("k8s.list")`, `x.list()` with
//! a local `x` calls a field. Where that reading is not meant, `$x` is a local, `@a.b` a path and `(a).b` a field of a
//! path.
//!
//! ```text
//! x.name  x."app.io/name"  x["name"]  x.#key     fields          x[k]  x[("name")]       lookups
//! a ++ b  a -- b                                  both; without   {name: e, "0": f}       record
//! nothing failed [] true 12 "text" ?              constants, hole (c ? a : b)             choice
//! present(x) notfound(x) raised(x) caught(x)      questions       one(x)  format(a, b)    collection of one, text
//! any x in xs | c    [give | x in xs, keep]       binders         fn(x): e                function value
//! closure 0(x): + block, then `closure 0`         function value with statements, defined before its use
//! ```
//!
//! What is printed parses to the same function, spans aside: spans are those of the text. Parsing never panics;
//! printing what only exists after the walk (`$0`, an element outside its binder) is for people alone.

mod expr;
mod lex;
mod parse;
mod print;

pub use parse::{TextError, parse};
pub use print::{print, show};

/// Words that mean something of their own, so that a name spelled like one needs its mark.
const RESERVED: &[&str] = &[
    "and", "any", "break", "catch", "caught", "closure", "continue", "else", "failed", "false", "fn", "for", "format",
    "if", "in", "not", "notfound", "nothing", "one", "or", "pass", "present", "prev", "raise", "raised", "return",
    "true", "try",
];

fn reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

fn ident_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '%'
}

fn ident_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '%'
}

/// Can the word stand as a name without quotes?
fn plain(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(ident_start) && chars.all(ident_part)
}
