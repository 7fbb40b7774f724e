//! Text to functions. The first thing that cannot be read ends the parse with its place.

use super::lex::{Kind, Tok, lex, unquote};
use crate::ir::*;
use crate::source::{FileId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// What could not be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct TextError {
    /// Counted from 1.
    pub line: usize,
    /// The byte offset.
    pub at: usize,
    /// What is wrong.
    pub message: String,
}

pub(super) type Res<T> = Result<T, (usize, String)>;

/// Blocks and brackets nested deeper than this are an error, not a stack overflow.
const DEEP: u32 = 200;

/// All functions of a text, in order. Spans point into it as the given file.
pub fn parse(text: &str, file: FileId) -> Result<Vec<Func>, TextError> {
    let fail = |(at, message): (usize, String)| TextError {
        line: text.get(..at).map_or(1, |t| t.matches('\n').count() + 1),
        at,
        message,
    };
    let lines = lines(text).map_err(fail)?;
    let mut out = vec![];
    let mut at = 0;
    while at < lines.len() {
        let (f, next) = function(&lines, at, file).map_err(fail)?;
        out.push(f);
        at = next;
    }
    Ok(out)
}

pub(super) struct Line<'s> {
    indent: usize,
    toks: Vec<Tok<'s>>,
    pub(super) start: usize,
    pub(super) end: usize,
}

fn lines(text: &str) -> Res<Vec<Line<'_>>> {
    let mut out = vec![];
    let mut base = 0;
    for raw in text.split_inclusive('\n') {
        let line = raw.trim();
        let start = base + (raw.len() - raw.trim_start().len());
        if !line.is_empty() && !line.starts_with('#') {
            let toks = lex(line, start)?;
            out.push(Line { indent: start - base, toks, start, end: start + line.len() });
        }
        base += raw.len();
    }
    Ok(out)
}

/// The function whose decorators or head stand at `at`, and the line after it.
fn function(lines: &[Line], at: usize, file: FileId) -> Res<(Func, usize)> {
    let first = &lines[at];
    let mut head = at;
    while lines.get(head).is_some_and(|l| l.toks[0].text == "@") {
        head += 1;
    }
    let Some(line) = lines.get(head) else { return Err((first.start, "a decorator without a function".into())) };
    let more = lines[head + 1..].iter().take_while(|l| l.indent > line.indent).count();
    let end = head + 1 + more;
    let mut p = Parser {
        a: Arena::default(),
        file,
        lines: &lines[..end],
        line: head,
        i: 0,
        locals: locals(&lines[head..end]),
        scope: vec![],
        unknowns: FxHashMap::default(),
        closures: FxHashMap::default(),
        depth: 0,
    };
    let mut decorators = vec![];
    for d in at..head {
        (p.line, p.i) = (d, 1);
        decorators.push(p.path()?);
        p.done()?;
    }
    (p.line, p.i) = (head, 0);
    let mut f = p.head()?;
    p.line += 1;
    f.body = p.block(line.indent)?;
    f.decorators = decorators;
    f.span = Span::new(file, first.start, lines[end - 1].end);
    f.arena = p.a;
    Ok((f, end))
}

/// Parameters and whatever is assigned anywhere in the function.
fn locals(lines: &[Line]) -> FxHashSet<Sym> {
    let mut out = FxHashSet::default();
    let mut add = |t: Option<&Tok>| {
        if let Some(t) = t
            && let Some(w) = named(t)
        {
            out.insert(w);
        }
    };
    for (n, l) in lines.iter().enumerate() {
        let text = |i: usize| l.toks.get(i).map_or("", |t| t.text);
        if matches!(text(1), "=" | "<-" | "-<") {
            add(l.toks.first());
        }
        if text(0) == "for" {
            add(l.toks.get(1));
        }
        if text(0) == "catch"
            && let Some(k) = l.toks.iter().position(|t| t.text == "as")
        {
            add(l.toks.get(k + 1));
        }
        for (i, t) in l.toks.iter().enumerate() {
            let params = t.text == "fn" && (text(i + 1) == "(" || n == 0) || t.text == "closure" && i == 0;
            if params {
                parameters(&l.toks[i..], &mut add);
            }
        }
    }
    out
}

/// The names at the head of each parameter: after `(` and after each comma outside brackets.
fn parameters<'s>(toks: &[Tok<'s>], add: &mut impl FnMut(Option<&Tok<'s>>)) {
    let Some(open) = toks.iter().position(|t| t.text == "(") else { return };
    let mut depth = 0;
    for (i, t) in toks.iter().enumerate().skip(open) {
        match t.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
        if depth == 1 && matches!(t.text, "(" | ",") {
            let name = toks[i + 1..].iter().find(|t| !matches!(t.text, "*" | "**"));
            add(name.filter(|t| t.text != ")"));
        }
    }
}

pub(super) fn named(t: &Tok) -> Option<Sym> {
    match t.kind {
        Kind::Word => Some(sym(t.text)),
        Kind::Str => unquote(t.text).map(|s| sym(&s)),
        _ => None,
    }
}

pub(super) struct Parser<'s, 'l> {
    pub(super) a: Arena,
    pub(super) file: FileId,
    pub(super) lines: &'l [Line<'s>],
    pub(super) line: usize,
    pub(super) i: usize,
    pub(super) locals: FxHashSet<Sym>,
    /// Names of binders, innermost last; they last to the end of the line, so that the match found by
    /// `(any x in xs | c ? x : nothing)` has its name.
    pub(super) scope: Vec<(Sym, ExprId)>,
    pub(super) unknowns: FxHashMap<u32, ExprId>,
    pub(super) closures: FxHashMap<u32, ClosureId>,
    pub(super) depth: u32,
}

impl<'s> Parser<'s, '_> {
    pub(super) fn tok(&self, k: usize) -> Option<Tok<'s>> {
        self.lines.get(self.line)?.toks.get(self.i + k).copied()
    }
    pub(super) fn text(&self) -> &'s str {
        self.tok(0).map_or("", |t| t.text)
    }
    /// Where the next token stands, or the end of the line.
    pub(super) fn here(&self) -> usize {
        let line = self.lines.get(self.line).or(self.lines.last());
        self.tok(0).map(|t| t.start).or(line.map(|l| l.end)).unwrap_or(0)
    }
    pub(super) fn before(&self) -> usize {
        let prev = self.i.checked_sub(1).and_then(|i| self.lines.get(self.line)?.toks.get(i));
        prev.map_or(self.here(), |t| t.end)
    }
    pub(super) fn fail<T>(&self, message: impl Into<String>) -> Res<T> {
        Err((self.here(), message.into()))
    }
    pub(super) fn eat(&mut self, s: &str) -> bool {
        let yes = self.tok(0).is_some_and(|t| t.text == s && t.kind != Kind::Str);
        self.i += yes as usize;
        yes
    }
    pub(super) fn want(&mut self, s: &str) -> Res<()> {
        if self.eat(s) { Ok(()) } else { self.fail(format!("expected `{s}`")) }
    }
    fn done(&self) -> Res<()> {
        if self.tok(0).is_none() { Ok(()) } else { self.fail(format!("unexpected `{}`", self.text())) }
    }
    pub(super) fn deeper<T>(&mut self, f: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        if self.depth >= DEEP {
            return self.fail("nested too deep");
        }
        self.depth += 1;
        let r = f(self);
        self.depth -= 1;
        r
    }
    pub(super) fn name(&mut self) -> Res<Sym> {
        match self.tok(0).as_ref().and_then(named) {
            Some(n) => {
                self.i += 1;
                Ok(n)
            }
            None => self.fail("expected a name"),
        }
    }
    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Res<T> {
        match self.tok(0).filter(|t| t.kind == Kind::Num).and_then(|t| t.text.parse().ok()) {
            Some(n) => {
                self.i += 1;
                Ok(n)
            }
            None => self.fail("expected a number"),
        }
    }
    /// A dotted path, with or without its mark.
    pub(super) fn path(&mut self) -> Res<Sym> {
        self.eat("@");
        let mut path = self.name()?.to_string();
        while self.text() == "." && self.tok(1).is_some_and(|t| t.kind == Kind::Word) {
            path.push('.');
            path.push_str(self.tok(1).map_or("", |t| t.text));
            self.i += 2;
        }
        Ok(sym(&path))
    }

    /// `fn! Class.name(self, x: T = e):`
    fn head(&mut self) -> Res<Func> {
        self.want("fn")?;
        let (mut raises, mut atomic, mut is_test) = (false, false, false);
        loop {
            match self.text() {
                "!" => raises = true,
                "*" => atomic = true,
                "?" => is_test = true,
                "**" => return self.fail("one mark each"),
                _ => break,
            }
            self.i += 1;
        }
        let at = self.here();
        let mut name = self.name()?;
        let mut class = None;
        let mut name_span = Span::new(self.file, at, self.before());
        // `<module>` and class names of inner classes come in quotes or with dots.
        while self.eat(".") {
            class = Some(class.map_or(name, |c: Sym| sym(&format!("{c}.{name}"))));
            let at = self.here();
            name = self.name()?;
            name_span = Span::new(self.file, at, self.before());
        }
        self.want("(")?;
        let mut params = vec![];
        while !self.eat(")") {
            params.push(self.parameter()?);
            if self.text() != ")" {
                self.want(",")?;
            }
        }
        self.eat(":");
        self.done()?;
        let body = vec![];
        let (decorators, span, arena) = (vec![], name_span, Arena::default());
        let stage = vec![];
        Ok(Func {
            name,
            class,
            params,
            body,
            raises,
            atomic,
            is_test,
            decorators,
            stage,
            same: vec![],
            name_span,
            span,
            arena,
        })
    }
    fn parameter(&mut self) -> Res<Parameter> {
        let stars = ["**", "*"].into_iter().find(|s| self.eat(s)).unwrap_or("");
        let name = sym(&format!("{stars}{}", self.name()?));
        let type_path = if self.eat(":") { Some(self.path()?) } else { None };
        let default = if self.eat("=") { Some(self.expr()?) } else { None };
        Ok(Parameter { name, default, type_path })
    }

    fn block(&mut self, outer: usize) -> Res<Block> {
        self.deeper(|p| {
            let mut out = vec![];
            while let Some(l) = p.lines.get(p.line).filter(|l| l.indent > outer) {
                p.i = 0;
                p.scope.clear();
                p.stmt(l.indent, &mut out)?;
            }
            Ok(out)
        })
    }
    /// The line is read to its end; the next one is at hand.
    fn next_line(&mut self) -> Res<()> {
        self.done()?;
        self.line += 1;
        self.i = 0;
        Ok(())
    }
    /// The block under a head that ends in `:`.
    fn under(&mut self, indent: usize) -> Res<Block> {
        self.want(":")?;
        self.next_line()?;
        self.block(indent)
    }
    fn clause(&mut self, indent: usize, word: &str) -> bool {
        let here = self.lines.get(self.line).is_some_and(|l| l.indent == indent && l.toks[0].text == word);
        self.i = here as usize;
        here
    }

    fn stmt(&mut self, indent: usize, out: &mut Block) -> Res<()> {
        let word = self.tok(0).filter(|t| t.kind == Kind::Word).map_or("", |t| t.text);
        self.i += 1;
        match word {
            "if" => {
                let c = self.expr()?;
                let t = self.under(indent)?;
                let f = if self.clause(indent, "else") { self.under(indent)? } else { vec![] };
                out.push(Stmt::If(c, t, f));
            }
            "for" => {
                let var = self.name()?;
                self.want("in")?;
                let over = self.expr()?;
                let body = self.under(indent)?;
                let whole = if self.clause(indent, "else") { self.under(indent)? } else { vec![] };
                out.push(Stmt::For { var, over, body, whole });
            }
            "try" => {
                let body = self.under(indent)?;
                let mut handlers = vec![];
                while self.clause(indent, "catch") {
                    handlers.push(self.handler(indent)?);
                }
                out.push(Stmt::Try { body, handlers });
            }
            "closure" => {
                let n: u32 = self.number()?;
                let params = self.closure_params()?;
                let body = self.under(indent)?;
                let id = self.new_closure(params, body);
                self.closures.insert(n, id);
            }
            "pass" => self.next_line()?,
            "break" | "continue" | "raise" | "return" => {
                let x = self.exit(word)?;
                out.push(Stmt::Leave(x));
                self.next_line()?;
            }
            _ => {
                self.i -= 1;
                let s = self.simple()?;
                out.push(s);
                self.next_line()?;
            }
        }
        Ok(())
    }
    fn handler(&mut self, indent: usize) -> Res<Handler> {
        let start = self.lines[self.line].start;
        let mut types = vec![];
        while !matches!(self.text(), ":" | "as" | "") {
            types.push(self.path()?);
            self.eat(",");
        }
        let bind = if self.eat("as") { Some(self.name()?) } else { None };
        let body = self.under(indent)?;
        let end = self.lines[self.line - 1].end;
        Ok(Handler { types, bind, body, span: Span::new(self.file, start, end) })
    }
    fn exit(&mut self, word: &str) -> Res<Exit> {
        let bare = self.tok(0).is_none();
        Ok(match word {
            "break" => Exit::Break(if bare { 0 } else { self.number()? }),
            "continue" => Exit::Continue(if bare { 0 } else { self.number()? }),
            "raise" => Exit::Raise(if bare { None } else { Some(self.path()?) }),
            _ => Exit::Return(if bare { self.a.lit(Lit::Nothing) } else { self.expr()? }),
        })
    }
    fn simple(&mut self) -> Res<Stmt> {
        let start = self.i;
        let from = self.here();
        let e = self.expr()?;
        let at = Span::new(self.file, from, self.before());
        let how = self.text();
        if !matches!(how, "=" | "<-" | "-<") {
            return Ok(Stmt::Do(e));
        }
        let place = self.place(start, e)?;
        self.i += 1;
        let e = self.expr()?;
        Ok(match how {
            "=" => match place {
                Place::Field(base, field) => Stmt::Set { base, field, value: e, at },
                _ => Stmt::Let(place, e),
            },
            "<-" => Stmt::Put(place, e),
            _ => Stmt::Drop(place, e),
        })
    }
    /// What was read in front of `=` as the place it means.
    fn place(&mut self, start: usize, e: ExprId) -> Res<Place> {
        let marked = self.lines[self.line].toks.get(start).is_some_and(|t| t.text == "@");
        match *self.a.get(e) {
            Expr::Name(n) => Ok(Place::Name(n)),
            Expr::Lit(Lit::Str(s)) => Ok(Place::Name(s)),
            Expr::Field(b, f) => Ok(Place::Field(b, f)),
            Expr::Lookup(m, k) => Ok(Place::Entry(m, k)),
            Expr::Path(p) => match p.rsplit_once('.') {
                Some((base, f)) => {
                    let base = self.a.mk(Expr::Path(sym(base)));
                    Ok(Place::Field(base, sym(f)))
                }
                None if !marked => Ok(Place::Name(p)),
                None => self.fail("a path is no place"),
            },
            _ => self.fail("not a place"),
        }
    }
}
