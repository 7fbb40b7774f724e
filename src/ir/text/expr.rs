//! Expressions, from the weakest operator to the atoms.

use super::lex::{Kind, unquote};
use super::parse::{Parser, Res, named};
use super::reserved;
use crate::ir::*;
use crate::source::Span;

impl<'s> Parser<'s, '_> {
    pub(super) fn closure_params(&mut self) -> Res<Vec<Sym>> {
        self.want("(")?;
        let mut params = vec![];
        while !self.eat(")") {
            params.push(self.name()?);
            if self.text() != ")" {
                self.want(",")?;
            }
        }
        Ok(params)
    }
    pub(super) fn new_closure(&mut self, params: Vec<Sym>, body: Block) -> ClosureId {
        self.a.closures.push(Closure { params, body });
        ClosureId(self.a.closures.len() as u32 - 1)
    }

    pub(super) fn expr(&mut self) -> Res<ExprId> {
        self.deeper(Self::or)
    }
    fn placed(&mut self, start: usize, e: ExprId) -> ExprId {
        let span = Span::new(self.file, start, self.before());
        self.a.at(e, span)
    }
    fn or(&mut self) -> Res<ExprId> {
        let start = self.here();
        let mut l = self.and()?;
        while self.eat("or") {
            let r = self.and()?;
            l = self.a.or(l, r);
            l = self.placed(start, l);
        }
        Ok(l)
    }
    fn and(&mut self) -> Res<ExprId> {
        let start = self.here();
        let mut l = self.not()?;
        while self.eat("and") {
            let r = self.not()?;
            l = self.a.and(l, r);
            l = self.placed(start, l);
        }
        Ok(l)
    }
    fn not(&mut self) -> Res<ExprId> {
        let start = self.here();
        if self.eat("not") {
            let x = self.deeper(Self::not)?;
            let e = self.a.not(x);
            return Ok(self.placed(start, e));
        }
        let l = self.sum()?;
        let op = match self.text() {
            "==" => Bin::Eq,
            "<" => Bin::Lt,
            _ => return Ok(l),
        };
        self.i += 1;
        let r = self.sum()?;
        let e = self.a.binary(op, l, r);
        Ok(self.placed(start, e))
    }
    fn sum(&mut self) -> Res<ExprId> {
        let start = self.here();
        let mut l = self.postfix()?;
        loop {
            let op = match self.text() {
                "+" => Bin::Add,
                "-" => Bin::Sub,
                "++" => Bin::Union,
                "--" => Bin::Minus,
                _ => return Ok(l),
            };
            self.i += 1;
            let r = self.postfix()?;
            l = self.a.binary(op, l, r);
            l = self.placed(start, l);
        }
    }

    /// An atom with its fields, lookups and calls.
    fn postfix(&mut self) -> Res<ExprId> {
        let start = self.here();
        let (mut e, mut bare_path) = self.atom()?;
        let mut name_at = start;
        loop {
            if self.text() == "." {
                name_at = self.tok(1).map_or(self.here(), |t| t.start);
                let is_word = self.tok(1).is_some_and(|t| t.kind == Kind::Word && !t.text.starts_with('#'));
                match *self.a.get(e) {
                    Expr::Path(p) if bare_path && is_word => {
                        let word = self.tok(1).map_or("", |t| t.text);
                        e = self.a.mk(Expr::Path(sym(&format!("{p}.{word}"))));
                        self.i += 2;
                    }
                    _ => {
                        self.i += 1;
                        let f = self.key_word()?;
                        e = self.a.field(e, f);
                        bare_path = false;
                    }
                }
            } else if self.eat("[") {
                e = self.lookup(e)?;
                bare_path = false;
            } else if self.text() == "(" {
                let name = Span::new(self.file, name_at, self.before());
                e = self.call(e, start, name)?;
                bare_path = false;
            } else {
                return Ok(self.placed(start, e));
            }
            e = self.placed(start, e);
        }
    }
    fn key_word(&mut self) -> Res<Sym> {
        match self.tok(0).filter(|t| t.kind == Kind::Num) {
            Some(t) => {
                self.i += 1;
                Ok(sym(t.text))
            }
            None => self.name(),
        }
    }
    /// `m["name"]` is a field, `m[k]` a lookup.
    fn lookup(&mut self, m: ExprId) -> Res<ExprId> {
        let literal = self.tok(0).filter(|t| t.kind == Kind::Str && self.tok(1).is_some_and(|n| n.text == "]"));
        if let Some(f) = literal.as_ref().and_then(named) {
            self.i += 2;
            return Ok(self.a.field(m, f));
        }
        let k = self.expr()?;
        self.want("]")?;
        Ok(self.a.mk(Expr::Lookup(m, k)))
    }
    fn call(&mut self, callee: ExprId, start: usize, name: Span) -> Res<ExprId> {
        let args = self.args()?;
        let whole = Span::new(self.file, start, self.before());
        let line = &self.lines[self.line];
        let stmt = Span::new(self.file, line.start, line.end);
        let site = self.a.new_site(Site {
            name,
            whole,
            stmt,
            via: None,
            row: None,
            acts: false,
            once: false,
            unheeded: false,
            sole: false,
            waited: false,
        });
        Ok(self.a.call(site, callee, args))
    }
    fn args(&mut self) -> Res<Vec<Arg>> {
        self.want("(")?;
        let mut args = vec![];
        while !self.eat(")") {
            let name = if self.tok(1).is_some_and(|t| t.text == "=") {
                let n = self.name()?;
                self.i += 1;
                Some(n)
            } else {
                ["**", "*"].into_iter().find(|s| self.eat(s)).map(sym)
            };
            let value = self.expr()?;
            args.push(Arg { name, value });
            if self.text() != ")" {
                self.want(",")?;
            }
        }
        Ok(args)
    }

    /// An atom, and whether it is a path that goes on with the next dot.
    fn atom(&mut self) -> Res<(ExprId, bool)> {
        let start = self.here();
        let Some(t) = self.tok(0) else { return self.fail("expected a value") };
        if t.kind == Kind::Word {
            return self.word(t.text);
        }
        self.i += 1;
        let e = match (t.kind, t.text) {
            (Kind::Num, _) => {
                self.i -= 1;
                let n = self.number()?;
                self.a.lit(Lit::Num(n))
            }
            (Kind::Str, _) => match unquote(t.text) {
                Some(s) => self.a.str(&s),
                None => return Err((start, "a string with a bad escape".into())),
            },
            (_, "-") => {
                let n: i64 = self.number()?;
                self.a.lit(Lit::Num(-n))
            }
            (_, "(") => self.deeper(Self::bracket)?,
            (_, "[") => self.deeper(Self::gather)?,
            (_, "{") => self.deeper(Self::record)?,
            (_, "?") => self.unknown()?,
            (_, "$") => match self.tok(0).filter(|t| t.kind == Kind::Num) {
                Some(_) => {
                    let n = self.number()?;
                    self.a.mk(Expr::Param(n))
                }
                None => {
                    let n = self.name()?;
                    self.a.mk(Expr::Name(n))
                }
            },
            (_, "@") => {
                let p = self.path()?;
                self.a.mk(Expr::Path(p))
            }
            _ => return Err((start, format!("unexpected `{}`", t.text))),
        };
        Ok((self.placed(start, e), false))
    }
    /// The same number is the same unknown; without one it is a new one.
    fn unknown(&mut self) -> Res<ExprId> {
        if self.tok(0).is_none_or(|t| t.kind != Kind::Num || t.start != self.before()) {
            return Ok(self.a.unknown());
        }
        let n: u32 = self.number()?;
        if let Some(&e) = self.unknowns.get(&n) {
            return Ok(e);
        }
        let e = self.a.unknown();
        self.unknowns.insert(n, e);
        Ok(e)
    }
    fn bracket(&mut self) -> Res<ExprId> {
        let e = self.expr()?;
        if !self.eat("?") {
            self.want(")")?;
            return Ok(e);
        }
        let t = self.expr()?;
        self.want(":")?;
        let f = self.expr()?;
        self.want(")")?;
        Ok(self.a.choose(e, t, f))
    }
    /// `[give | x in coll, keep]`: the binder is read first, so that `give` knows its name.
    fn gather(&mut self) -> Res<ExprId> {
        if self.eat("]") {
            return Ok(self.a.lit(Lit::Empty));
        }
        let give_at = self.i;
        let mut depth = 0;
        while let Some(t) = self.tok(0) {
            match t.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "|" if depth == 0 => break,
                _ => {}
            }
            if depth < 0 {
                break;
            }
            self.i += 1;
        }
        let bar = self.i;
        self.want("|")?;
        let of = self.binder()?;
        self.want(",")?;
        let keep = self.expr()?;
        let end = self.i;
        self.i = give_at;
        let give = self.expr()?;
        if self.i != bar {
            return self.fail("expected `|`");
        }
        self.i = end;
        self.want("]")?;
        Ok(self.a.gather(of, keep, give))
    }
    /// `x in coll`
    fn binder(&mut self) -> Res<BinderId> {
        let name = self.name()?;
        self.want("in")?;
        let coll = self.sum()?;
        let b = self.a.binder(coll);
        let e = self.a.mk(Expr::Elem(b));
        self.scope.push((name, e));
        Ok(b)
    }
    fn record(&mut self) -> Res<ExprId> {
        let mut parts = vec![];
        while !self.eat("}") {
            let n = self.key_word()?;
            self.want(":")?;
            let e = self.expr()?;
            parts.push((n, e));
            if self.text() != "}" {
                self.want(",")?;
            }
        }
        Ok(self.a.mk(Expr::Record(parts)))
    }

    /// A word: constant, question, binder, function value, local or path.
    fn word(&mut self, w: &'s str) -> Res<(ExprId, bool)> {
        let start = self.here();
        self.i += 1;
        let applied = self.text() == "(";
        let e = match w {
            "nothing" => self.a.lit(Lit::Nothing),
            "failed" => self.a.lit(Lit::Failed),
            "true" | "false" => self.a.bool(w == "true"),
            "any" => {
                let b = self.binder()?;
                self.want("|")?;
                let such = self.expr()?;
                self.a.any(b, such)
            }
            "fn" => {
                let params = self.closure_params()?;
                self.want(":")?;
                let e = self.expr()?;
                let id = self.new_closure(params, vec![Stmt::Leave(Exit::Return(e))]);
                self.a.mk(Expr::Closure(id))
            }
            "closure" => {
                let n: u32 = self.number()?;
                match self.closures.get(&n) {
                    Some(&id) => self.a.mk(Expr::Closure(id)),
                    None => return self.fail(format!("no closure {n} before this line")),
                }
            }
            "present" | "notfound" | "raised" | "caught" | "one" | "format" | "prev" if applied => self.question(w)?,
            _ if reserved(w)
                && !matches!(w, "present" | "notfound" | "raised" | "caught" | "one" | "format" | "prev") =>
            {
                return Err((start, format!("unexpected `{w}`")));
            }
            _ => return Ok(self.variable(w, start)),
        };
        Ok((self.placed(start, e), false))
    }
    fn variable(&mut self, w: &str, start: usize) -> (ExprId, bool) {
        let w = sym(w);
        let (e, path) = match self.scope.iter().rev().find(|s| s.0 == w) {
            Some(s) => (s.1, false),
            None if self.locals.contains(&w) => (self.a.mk(Expr::Name(w)), false),
            None => (self.a.mk(Expr::Path(w)), true),
        };
        (self.placed(start, e), path)
    }
    fn question(&mut self, w: &str) -> Res<ExprId> {
        if w == "prev" {
            self.want("(")?;
            let n = self.name()?;
            self.want(",")?;
            let k = self.number()?;
            self.want(")")?;
            return Ok(self.a.mk(Expr::Carried(n, k)));
        }
        let args: Vec<_> = self.args()?.into_iter().map(|x| x.value).collect();
        let e = match (w, &args[..]) {
            ("format", _) => Expr::Format(args),
            ("present", [x]) => Expr::Unary(Un::Present, *x),
            ("notfound", [x]) => Expr::Unary(Un::NotFound, *x),
            ("raised", [x]) => Expr::Unary(Un::Raised, *x),
            ("caught", [x]) => Expr::Caught(*x),
            ("one", [x]) => Expr::One(*x),
            _ => return self.fail(format!("`{w}` takes one value")),
        };
        Ok(self.a.mk(e))
    }
}
