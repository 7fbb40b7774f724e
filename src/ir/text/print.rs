//! Functions and expressions as text.

use super::lex::quote;
use super::{plain, reserved};
use crate::ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// A whole function. Parsing it again gives the same function.
pub fn print(f: &Func) -> String {
    let mut p = Printer::new(&f.arena);
    p.locals = locals(f);
    for d in &f.decorators {
        let path = p.path(d);
        p.out.push_str(&format!("@{}\n", path.trim_start_matches('@')));
    }
    let marks = [(f.raises, "!"), (f.atomic, "*"), (f.is_test, "?")];
    let marks: String = marks.iter().filter(|m| m.0).map(|m| m.1).collect();
    let class = f.class.map(|c| format!("{}.", word(&c))).unwrap_or_default();
    let params: Vec<_> = f.params.iter().map(|x| p.parameter(x)).collect();
    let head = format!("fn{marks} {class}{}({}):\n", word(&f.name), params.join(", "));
    p.out.push_str(&head);
    p.block(&f.body, 1);
    p.out
}

/// One expression, for messages and dumps. Conditions share parts, so what is too long to read is cut with `…`.
pub fn show(arena: &Arena, e: ExprId) -> String {
    let mut p = Printer::new(arena);
    p.budget = 4000;
    p.expr(e, OR)
}

/// Binding strength, weakest first.
type Level = u8;
const OR: Level = 0;
const AND: Level = 1;
const NOT: Level = 2;
const CMP: Level = 3;
const SUM: Level = 4;
const ATOM: Level = 5;
/// Deeper than any parser lets expressions nest.
const DEEP: u32 = 1500;

struct Printer<'a> {
    a: &'a Arena,
    out: String,
    locals: FxHashSet<Sym>,
    /// Numbers in the order of appearance, so that a parsed copy prints alike.
    binders: FxHashMap<BinderId, usize>,
    unknowns: FxHashMap<u32, usize>,
    closures: FxHashMap<ClosureId, usize>,
    budget: usize,
    depth: u32,
}

impl<'a> Printer<'a> {
    fn new(a: &'a Arena) -> Self {
        Printer {
            a,
            out: String::new(),
            locals: FxHashSet::default(),
            binders: FxHashMap::default(),
            unknowns: FxHashMap::default(),
            closures: FxHashMap::default(),
            budget: usize::MAX,
            depth: 0,
        }
    }

    fn parameter(&mut self, p: &Parameter) -> String {
        let stars = p.name.chars().take_while(|c| *c == '*').count();
        let mut s = format!("{}{}", &p.name[..stars], word(&p.name[stars..]));
        if let Some(t) = p.type_path {
            let _ = write!(s, ": {}", self.path(&t).trim_start_matches('@'));
        }
        if let Some(d) = p.default {
            let _ = write!(s, "={}", self.expr(d, OR));
        }
        s
    }

    fn block(&mut self, b: &Block, depth: usize) {
        if b.is_empty() {
            self.line(depth, "pass");
        }
        for s in b {
            self.stmt(s, depth);
        }
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.out.push_str(&"  ".repeat(depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn stmt(&mut self, s: &Stmt, depth: usize) {
        match s {
            Stmt::Let(p, e) => self.assign(p, "=", *e, depth),
            Stmt::Set { base, field, value, .. } => self.assign(&Place::Field(*base, *field), "=", *value, depth),
            Stmt::Put(p, e) => self.assign(p, "<-", *e, depth),
            Stmt::Drop(p, e) => self.assign(p, "-<", *e, depth),
            Stmt::Do(e) => {
                self.define(*e, depth);
                let e = self.expr(*e, OR);
                self.line(depth, &e);
            }
            Stmt::If(c, t, f) => {
                self.define(*c, depth);
                let c = self.expr(*c, OR);
                self.line(depth, &format!("if {c}:"));
                self.block(t, depth + 1);
                if !f.is_empty() {
                    self.line(depth, "else:");
                    self.block(f, depth + 1);
                }
            }
            Stmt::For { var, over, body, whole } => {
                self.define(*over, depth);
                let over = self.expr(*over, OR);
                self.line(depth, &format!("for {} in {over}:", word(var)));
                self.block(body, depth + 1);
                if !whole.is_empty() {
                    self.line(depth, "else:");
                    self.block(whole, depth + 1);
                }
            }
            Stmt::Try { body, handlers } => {
                self.line(depth, "try:");
                self.block(body, depth + 1);
                for h in handlers {
                    let head = self.handler(h);
                    self.line(depth, &head);
                    self.block(&h.body, depth + 1);
                }
            }
            Stmt::Leave(x) => self.leave(x, depth),
        }
    }

    fn handler(&mut self, h: &Handler) -> String {
        let types: Vec<_> = h.types.iter().map(|t| self.path(t)).collect();
        let types = if types.is_empty() { String::new() } else { format!(" {}", types.join(", ")) };
        let bind = h.bind.map(|b| format!(" as {}", word(&b))).unwrap_or_default();
        format!("catch{types}{bind}:")
    }

    fn leave(&mut self, x: &Exit, depth: usize) {
        let text = match x {
            Exit::Return(e) if *self.a.get(*e) == Expr::Lit(Lit::Nothing) => "return".to_string(),
            Exit::Return(e) => {
                self.define(*e, depth);
                format!("return {}", self.expr(*e, OR))
            }
            Exit::Break(0) => "break".into(),
            Exit::Break(n) => format!("break {n}"),
            Exit::Continue(0) => "continue".into(),
            Exit::Continue(n) => format!("continue {n}"),
            Exit::Raise(None) => "raise".into(),
            Exit::Raise(Some(t)) => format!("raise {}", self.path(t)),
        };
        self.line(depth, &text);
    }

    fn assign(&mut self, p: &Place, how: &str, e: ExprId, depth: usize) {
        let (base, key) = match p {
            Place::Name(_) => (None, None),
            Place::Field(b, _) => (Some(*b), None),
            Place::Entry(b, k) => (Some(*b), Some(*k)),
        };
        for x in base.into_iter().chain(key).chain([e]) {
            self.define(x, depth);
        }
        let place = match p {
            Place::Name(n) if reserved(n) => format!("${n}"),
            Place::Name(n) => word(n),
            // As a place, a field of a path needs no brackets: a place is never a path.
            Place::Field(b, f) => format!("{}{}", self.expr(*b, ATOM), field(f)),
            Place::Entry(b, k) => format!("{}[{}]", self.expr(*b, ATOM), self.key(*k)),
        };
        let e = self.expr(e, OR);
        self.line(depth, &format!("{place} {how} {e}"));
    }

    /// Writes out the function values with statements that an expression uses, before its line.
    fn define(&mut self, e: ExprId, depth: usize) {
        let mut found = vec![];
        self.a.mentions(e, &mut |x| {
            if let Expr::Closure(c) = self.a.get(x) {
                found.push(*c);
            }
            false
        });
        for c in found {
            let Some(closure) = self.a.closures.get(c.0 as usize) else { continue };
            if let [Stmt::Leave(Exit::Return(e))] = closure.body[..] {
                self.define(e, depth);
            } else if !self.closures.contains_key(&c) {
                let n = self.closures.len();
                self.closures.insert(c, n);
                let params: Vec<_> = closure.params.iter().map(|p| word(p)).collect();
                self.line(depth, &format!("closure {n}({}):", params.join(", ")));
                self.block(&closure.body, depth + 1);
            }
        }
    }

    fn path(&self, p: &str) -> String {
        let plain_path = p.split('.').all(plain);
        let root = p.split('.').next().unwrap_or(p);
        match plain_path {
            false => format!("@{}", quote(p)),
            true if reserved(root) || self.locals.contains(&sym(root)) => format!("@{p}"),
            true => p.to_string(),
        }
    }

    fn key(&mut self, k: ExprId) -> String {
        match self.a.get(k) {
            Expr::Lit(Lit::Str(s)) => format!("({})", quote(s)),
            _ => self.expr(k, OR),
        }
    }

    /// The expression, in brackets where it binds weaker than `at`.
    fn expr(&mut self, e: ExprId, at: Level) -> String {
        if self.depth > DEEP || self.budget == 0 {
            return "…".into();
        }
        self.depth += 1;
        let (level, text) = self.bare(e);
        self.depth -= 1;
        if self.budget != usize::MAX {
            self.budget = self.budget.saturating_sub(8);
        }
        if level < at { format!("({text})") } else { text }
    }

    fn list(&mut self, xs: &[ExprId]) -> String {
        xs.iter().map(|x| self.expr(*x, OR)).collect::<Vec<_>>().join(", ")
    }

    fn bare(&mut self, e: ExprId) -> (Level, String) {
        let a = self.a;
        let text = match a.get(e) {
            Expr::Unknown(n) => {
                let next = self.unknowns.len() + 1;
                format!("?{}", self.unknowns.entry(*n).or_insert(next))
            }
            Expr::Lit(l) => lit(l),
            Expr::Name(n) if self.locals.contains(n) && plain(n) && !reserved(n) => n.to_string(),
            Expr::Name(n) => format!("${}", word(n)),
            Expr::Path(p) => self.path(p),
            Expr::Carried(n, k) => format!("prev({}, {k})", word(n)),
            Expr::Param(i) => format!("${i}"),
            Expr::Elem(b) => self.elem(*b),
            Expr::Field(x, f) => {
                let base = self.expr(*x, ATOM);
                let base = if matches!(a.get(*x), Expr::Path(_)) { format!("({base})") } else { base };
                format!("{base}{}", field(f))
            }
            Expr::Lookup(m, k) => format!("{}[{}]", self.expr(*m, ATOM), self.key(*k)),
            Expr::Call(c) => {
                let args: Vec<_> = c.args.iter().map(|x| self.arg(x)).collect();
                format!("{}({})", self.callee(c.callee), args.join(", "))
            }
            Expr::Unary(Un::Not, x) => return (NOT, format!("not {}", self.expr(*x, NOT))),
            Expr::Unary(u, x) => {
                let name = match u {
                    Un::NotFound => "notfound",
                    Un::Raised => "raised",
                    _ => "present",
                };
                format!("{name}({})", self.expr(*x, OR))
            }
            Expr::Binary(o, l, r) => return self.binary(*o, *l, *r),
            Expr::Choose(c, t, f) => {
                format!("({} ? {} : {})", self.expr(*c, OR), self.expr(*t, OR), self.expr(*f, OR))
            }
            Expr::Any(b, such) => {
                let coll = self.expr(a.coll(*b), SUM);
                let e = self.elem(*b);
                format!("(any {e} in {coll} | {})", self.expr(*such, OR))
            }
            Expr::Gather { of, keep, give } => {
                let coll = self.expr(a.coll(*of), SUM);
                let e = self.elem(*of);
                let keep = self.expr(*keep, OR);
                format!("[{} | {e} in {coll}, {keep}]", self.expr(*give, OR))
            }
            Expr::One(x) => format!("one({})", self.expr(*x, OR)),
            Expr::Record(parts) => {
                let parts: Vec<_> =
                    parts.iter().map(|p| format!("{}: {}", key_word(&p.0), self.expr(p.1, OR))).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Expr::Format(parts) => format!("format({})", self.list(parts)),
            Expr::Closure(c) => self.closure(*c),
            Expr::Caught(x) => format!("caught({})", self.expr(*x, OR)),
        };
        (ATOM, text)
    }

    fn binary(&mut self, o: Bin, l: ExprId, r: ExprId) -> (Level, String) {
        let (level, name) = match o {
            Bin::Or => (OR, "or"),
            Bin::And => (AND, "and"),
            Bin::Eq => (CMP, "=="),
            Bin::Lt => (CMP, "<"),
            Bin::Add => (SUM, "+"),
            Bin::Sub => (SUM, "-"),
            Bin::Union => (SUM, "++"),
            Bin::Minus => (SUM, "--"),
        };
        let left = if level == CMP { SUM } else { level };
        let right = if level == CMP { SUM } else { level + 1 };
        (level, format!("{} {name} {}", self.expr(l, left), self.expr(r, right)))
    }

    fn callee(&mut self, c: ExprId) -> String {
        match self.a.get(c) {
            Expr::Field(..) | Expr::Path(_) | Expr::Name(_) | Expr::Call(_) => self.expr(c, ATOM),
            _ => format!("({})", self.expr(c, OR)),
        }
    }

    fn arg(&mut self, x: &Arg) -> String {
        let v = self.expr(x.value, OR);
        match x.name.as_ref().map(|n| n.as_str()) {
            None => v,
            Some(stars @ ("*" | "**")) => format!("{stars}{v}"),
            Some(n) => format!("{}={v}", word(n)),
        }
    }

    fn closure(&mut self, c: ClosureId) -> String {
        let Some(closure) = self.a.closures.get(c.0 as usize) else { return "…".into() };
        let params: Vec<_> = closure.params.iter().map(|p| word(p)).collect();
        match closure.body[..] {
            [Stmt::Leave(Exit::Return(e))] => format!("(fn({}): {})", params.join(", "), self.expr(e, OR)),
            _ => {
                let next = self.closures.len();
                format!("(closure {})", self.closures.get(&c).copied().unwrap_or(next))
            }
        }
    }

    fn elem(&mut self, b: BinderId) -> String {
        let next = self.binders.len();
        let n = *self.binders.entry(b).or_insert(next);
        let mut name = format!("e{n}");
        while self.locals.contains(&sym(&name)) {
            name.insert(0, '_');
        }
        name
    }
}

fn lit(l: &Lit) -> String {
    match l {
        Lit::Nothing => "nothing".into(),
        Lit::Failed => "failed".into(),
        Lit::Empty => "[]".into(),
        Lit::Bool(b) => b.to_string(),
        Lit::Num(n) => n.to_string(),
        Lit::Str(s) => quote(s),
    }
}

/// A word where only a word can stand; in quotes when it is none.
fn word(w: &str) -> String {
    if plain(w) { w.to_string() } else { quote(w) }
}

fn key_word(w: &str) -> String {
    let digits = !w.is_empty() && w.bytes().all(|b| b.is_ascii_digit());
    let marked = w.strip_prefix('#').is_some_and(plain);
    if digits || marked { w.to_string() } else { word(w) }
}

fn field(f: &str) -> String {
    format!(".{}", key_word(f))
}

/// Names the parser will take for locals.
fn locals(f: &Func) -> FxHashSet<Sym> {
    let mut out = FxHashSet::default();
    out.extend(f.params.iter().map(|p| sym(p.name.trim_start_matches('*'))));
    assigned(&f.body, &mut out);
    for c in &f.arena.closures {
        out.extend(c.params.iter().copied());
        assigned(&c.body, &mut out);
    }
    out
}

fn assigned(b: &Block, out: &mut FxHashSet<Sym>) {
    for s in b {
        match s {
            Stmt::Let(Place::Name(n), _) | Stmt::Put(Place::Name(n), _) | Stmt::Drop(Place::Name(n), _) => {
                out.insert(*n);
            }
            Stmt::If(_, t, f) => {
                assigned(t, out);
                assigned(f, out);
            }
            Stmt::For { var, body, whole, .. } => {
                out.insert(*var);
                assigned(body, out);
                assigned(whole, out);
            }
            Stmt::Try { body, handlers } => {
                assigned(body, out);
                for h in handlers {
                    out.extend(h.bind);
                    assigned(&h.body, out);
                }
            }
            _ => {}
        }
    }
}
