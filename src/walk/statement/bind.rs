//! The text of a statement, and the values for its holes.
//!
//! ```text
//! QUERY = "DELETE FROM {} WHERE id = %s"          pieces: "DELETE FROM ", table, " WHERE id = %s"
//! cur.execute(QUERY.format(table), (job.id,))     placeholder 0: job.id
//! cur.executemany(text, [(x.id,) for x in xs])    the text for each x in xs, placeholder 0: x.id
//! session.run(text, tag=tag)                      placeholder `tag`
//! ```

use super::*;
use crate::lang::embedded::{Hole, Piece};

/// A piece of a text over the walked arena.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Part {
    Text(&'static str),
    Value(ExprId),
}

/// The values for placeholders.
#[derive(Clone, Default, Debug)]
pub(super) struct Params {
    /// By position, where they are written out.
    list: Vec<ExprId>,
    /// By name.
    named: Vec<(Sym, ExprId)>,
    /// All of them in one value that is not taken apart.
    whole: Option<ExprId>,
    /// How many placeholders there are.
    count: usize,
}

/// More ways to write one text are one opaque text.
const WAYS: usize = 6;

/// A value in which nothing is visibly text after so many parts is none: one that is made of that many is no statement
/// that anybody could read.
const SEARCHED: usize = 2_000;

/// Which parts of a value are text. They are shared, so each is looked at once:
///
/// ```text
/// b = b.set(f(b)) if p else b.set(g(b))       thirty times over
/// ```
type Texts = FxHashMap<ExprId, bool>;

/// Names of keywords that hold the values rather than being one.
const HOLDERS: &[&str] = &["params", "parameters", "args", "vars", "values", "argslist", "vars_list", "bind_params"];

/// Pieces as the reader takes them, with the values by number.
pub(super) fn numbered(parts: &[Part]) -> (Vec<Piece<'static>>, Vec<ExprId>) {
    let mut values = vec![];
    let pieces = parts
        .iter()
        .map(|p| match p {
            Part::Text(t) => Piece::Text(t),
            Part::Value(e) => {
                values.push(*e);
                Piece::Value(values.len() as u32 - 1)
            }
        })
        .collect();
    (pieces, values)
}

impl Walk<'_> {
    /// The ways a text may be written, each with its condition. Empty where nothing of it is visible.
    pub(super) fn texts(&mut self, e: ExprId) -> Vec<(ExprId, Vec<Part>)> {
        let yes = self.a.bool(true);
        let mut out = self.ways(e, yes, &mut { SEARCHED });
        out.retain(|(_, parts)| parts.iter().any(|p| matches!(p, Part::Text(t) if !t.trim().is_empty())));
        out
    }

    /// Is a text, or a part of it, a parameter?
    pub(super) fn is_handed_in(&mut self, e: ExprId) -> bool {
        let yes = self.a.bool(true);
        let ways = self.ways(e, yes, &mut { SEARCHED });
        let param = |p: &Part| matches!(p, Part::Value(v) if matches!(self.a.get(*v), Expr::Param(_)));
        ways.iter().any(|(_, parts)| parts.iter().any(param))
    }

    /// `left`: so many parts are still taken apart.
    fn ways(&mut self, e: ExprId, when: ExprId, left: &mut usize) -> Vec<(ExprId, Vec<Part>)> {
        if *left == 0 {
            return vec![(when, vec![Part::Value(e)])];
        }
        *left -= 1;
        match self.a.get(e).clone() {
            Expr::Lit(Lit::Str(t)) => vec![(when, vec![Part::Text(t.as_str())])],
            Expr::Lit(Lit::Num(n)) => vec![(when, vec![Part::Text(sym(&n.to_string()).as_str())])],
            Expr::Format(parts) => match self.a.joined(e) {
                // A list of texts that are written out, or one hole.
                Some((between, coll)) => match self.texts_joined(between, coll) {
                    Some(parts) => self.joined_ways(&parts, when, left),
                    None => vec![(when, vec![Part::Value(coll)])],
                },
                None => self.joined_ways(&parts, when, left),
            },
            Expr::Binary(Bin::Add, l, r) => self.joined_ways(&[l, r], when, left),
            Expr::Choose(c, t, f) if self.is_text(t) || self.is_text(f) => {
                let n = self.a.not(c);
                let (wt, wf) = (self.a.and(when, c), self.a.and(when, n));
                let mut out = self.ways(t, wt, left);
                out.extend(self.ways(f, wf, left));
                out
            }
            // `for text in (PURGE, PRUNE): cur.execute(text)`: each of them.
            Expr::Elem(b) => match self.texts_of(self.a.coll(b)) {
                Some(texts) => texts.into_iter().flat_map(|t| self.ways(t, when, left)).collect(),
                None => vec![(when, vec![Part::Value(e)])],
            },
            Expr::Call(c) => match self.text_given(&c) {
                Some(x) => self.ways(x, when, left),
                None => vec![(when, vec![Part::Value(e)])],
            },
            _ => vec![(when, vec![Part::Value(e)])],
        }
    }

    /// The texts of a list that is written out.
    fn texts_of(&self, coll: ExprId) -> Option<Vec<ExprId>> {
        self.texts_among(coll, &mut Texts::default())
    }

    fn texts_among(&self, coll: ExprId, seen: &mut Texts) -> Option<Vec<ExprId>> {
        let mut items = vec![];
        let written = self.display(coll, &mut items) && !items.is_empty();
        let texts = written && items.iter().all(|x| self.is_text_seen(*x, seen));
        (texts && items.len() <= 4 * WAYS).then_some(items)
    }

    fn joined_ways(&mut self, parts: &[ExprId], when: ExprId, left: &mut usize) -> Vec<(ExprId, Vec<Part>)> {
        let mut out = vec![(when, vec![])];
        for p in parts {
            let mut next = vec![];
            for (w, head) in &out {
                for (w, tail) in self.ways(*p, *w, left) {
                    let mut all: Vec<Part> = head.clone();
                    all.extend(tail);
                    next.push((w, all));
                }
            }
            if next.len() > WAYS {
                next = out;
                next.iter_mut().for_each(|(_, all)| all.push(Part::Value(*p)));
            }
            out = next;
        }
        out
    }

    /// Is some of a value visibly text, so that it is no query object?
    pub(in super::super) fn is_text(&self, e: ExprId) -> bool {
        self.is_text_seen(e, &mut Texts::default())
    }

    fn is_text_seen(&self, e: ExprId, seen: &mut Texts) -> bool {
        match self.a.get(e) {
            Expr::Lit(Lit::Str(_)) | Expr::Format(_) => return true,
            Expr::Choose(..) | Expr::Binary(Bin::Add, ..) | Expr::Call(_) | Expr::Elem(_) => {}
            _ => return false,
        }
        if let Some(known) = seen.get(&e) {
            return *known;
        }
        if seen.len() >= SEARCHED {
            return false;
        }
        // No value is made of itself; while it is looked at, it counts.
        seen.insert(e, false);
        let found = match self.a.get(e) {
            Expr::Choose(_, l, r) | Expr::Binary(_, l, r) => self.is_text_seen(*l, seen) || self.is_text_seen(*r, seen),
            Expr::Call(c) => self.text_among(c, seen).is_some(),
            Expr::Elem(b) => self.texts_among(self.a.coll(*b), seen).is_some(),
            _ => false,
        };
        seen.insert(e, found);
        found
    }

    /// The text in another form: `dedent(text)`, `text.strip()`, `" ".join([text, text])`.
    fn text_given(&self, c: &Call) -> Option<ExprId> {
        self.text_among(c, &mut Texts::default())
    }

    fn text_among(&self, c: &Call, seen: &mut Texts) -> Option<ExprId> {
        // What is known to do something with a text does not give that text.
        let known = self.a.site(c.site).row.map(|m| self.ctx.vocab().row(m.row).role);
        if !known.is_none_or(|r| matches!(r, Role::Wrapper | Role::Format | Role::Pure)) {
            return None;
        }
        if let Expr::Field(x, m) = *self.a.get(c.callee)
            && m != "join"
            && self.is_text_seen(x, seen)
        {
            return Some(x);
        }
        let mut plain = c.args.iter().filter(|a| a.name.is_none()).map(|a| a.value);
        plain.next().filter(|x| c.args.len() == 1 && self.is_text_seen(*x, seen))
    }

    /// A method of a visible text that gives a text; `None`: it is something else.
    pub(in super::super) fn text_method(&mut self, recv: ExprId, name: Sym, args: &[Arg]) -> Option<ExprId> {
        if !self.is_text(recv) {
            return None;
        }
        match name.as_str() {
            "format" => self.filled(recv, args),
            // Of a statement made by a library: values for it, or what it gives.
            "bindparams" | "columns" | "strip" | "lstrip" | "rstrip" => Some(recv),
            "join" => self.joined_text(recv, args),
            _ => None,
        }
    }

    /// `" ".join(["SELECT a", "FROM b"])`
    fn joined_text(&mut self, recv: ExprId, args: &[Arg]) -> Option<ExprId> {
        let parts = self.texts_joined(recv, args.first()?.value)?;
        Some(self.a.mk(Expr::Format(parts)))
    }

    /// The parts of a text that is joined of texts written out.
    fn texts_joined(&self, between: ExprId, coll: ExprId) -> Option<Vec<ExprId>> {
        let mut items = vec![];
        self.display(coll, &mut items).then_some(())?;
        if items.is_empty() || !items.iter().any(|x| self.is_text(*x)) {
            return None;
        }
        let mut parts = vec![];
        for x in items {
            if !parts.is_empty() {
                parts.push(between);
            }
            parts.push(x);
        }
        Some(parts)
    }

    /// The members of a list or tuple that is written out.
    fn display(&self, e: ExprId, out: &mut Vec<ExprId>) -> bool {
        match self.a.get(e) {
            Expr::Lit(Lit::Empty) => true,
            _ if out.len() >= SEARCHED => false,
            Expr::One(x) => {
                out.push(*x);
                true
            }
            Expr::Binary(Bin::Union, l, r) => self.display(*l, out) && self.display(*r, out),
            Expr::Record(parts) => {
                let plain = parts.iter().enumerate().all(|(i, p)| p.0 == i.to_string().as_str());
                out.extend(parts.iter().map(|p| p.1));
                plain
            }
            _ => false,
        }
    }

    /// `"DELETE FROM {} WHERE {column} = 1".format(table, column=c)`
    fn filled(&mut self, recv: ExprId, args: &[Arg]) -> Option<ExprId> {
        let [(_, parts)] = &self.texts(recv)[..] else { return None };
        let mut positional = args.iter().filter(|a| a.name.is_none()).map(|a| a.value);
        let mut out = vec![];
        for p in parts.clone() {
            let Part::Text(text) = p else {
                if let Part::Value(v) = p {
                    out.push(v);
                }
                continue;
            };
            let mut rest = text;
            while let Some((head, name, tail)) = field(rest) {
                out.push(self.a.str(head));
                let number = name.parse::<usize>().ok();
                let value = match number {
                    _ if name.is_empty() => positional.next(),
                    Some(n) => args.iter().filter(|a| a.name.is_none()).nth(n).map(|a| a.value),
                    None => args.iter().find(|a| a.name.is_some_and(|x| x == name)).map(|a| a.value),
                };
                out.push(value.unwrap_or_else(|| self.a.unknown()));
                rest = tail;
            }
            out.push(self.a.str(rest));
        }
        Some(self.a.mk(Expr::Format(out)))
    }

    /// What a call gives for placeholders; one entry for each time the text is sent.
    pub(super) fn params(&mut self, call: &Call, text: ExprId, count: usize) -> Vec<(ExprId, Params)> {
        let yes = self.a.bool(true);
        let at = call.args.iter().position(|a| a.value == text).map_or(0, |at| at + 1);
        let by_place = |a: &&Arg| a.name.is_none_or(|n| n == "*");
        let mut given: Vec<ExprId> = call.args.iter().skip(at).filter(by_place).map(|a| a.value).collect();
        // `query_row(text, params, |row| row.get(0))`: what reads a row is no value.
        given.retain(|v| !matches!(self.a.get(*v), Expr::Closure(_)));
        let mut params = Params { count, ..Params::default() };
        for a in &call.args {
            let Some(name) = a.name.filter(|n| !n.starts_with('*')) else { continue };
            if a.value == text {
                continue;
            }
            if HOLDERS.contains(&name.as_str()) {
                given.push(a.value);
            } else {
                params.named.push((name, a.value));
            }
        }
        given.extend(call.args.iter().filter(|a| a.name.is_some_and(|n| n == "**")).map(|a| a.value));
        let one = match given[..] {
            [] => return vec![(yes, params)],
            [one] => one,
            _ => {
                params.list = given;
                return vec![(yes, params)];
            }
        };
        if self.written_out(one, &mut params) {
            return vec![(yes, params)];
        }
        params.whole = Some(one);
        if count == 0 || !self.collection(one) {
            return vec![(yes, params)];
        }
        // Rows of values, one for each time.
        let mut out = vec![];
        for p in self.spread(one) {
            let mut each = Params { whole: Some(p.elem), ..params.clone() };
            if self.written_out(p.elem, &mut each) {
                each.whole = None;
            }
            out.push((p.keep, each));
        }
        if out.is_empty() { vec![(yes, params)] } else { out }
    }

    fn written_out(&self, e: ExprId, params: &mut Params) -> bool {
        let mut list = vec![];
        if self.display(e, &mut list) {
            // `[(a,), (b,)]`: a list of rows.
            let rows = list.iter().all(|x| matches!(self.a.get(*x), Expr::Record(_)));
            if list.is_empty() || !rows {
                params.list = list;
                return true;
            }
            return false;
        }
        if let Expr::Record(parts) = self.a.get(e) {
            params.named.extend(parts.iter().copied());
            return true;
        }
        false
    }

    /// The value of a hole.
    pub(super) fn hole(&mut self, hole: &Hole, said: &Sending) -> ExprId {
        match hole {
            Hole::Value(n) => said.values.get(*n as usize).copied().unwrap_or_else(|| self.a.unknown()),
            Hole::At(n) => match (said.params.list.get(*n as usize), said.params.whole) {
                (Some(v), _) => *v,
                (None, Some(w)) if said.params.count == 1 => w,
                (None, Some(w)) => self.row_field(w, sym(&n.to_string())),
                (None, None) => self.a.unknown(),
            },
            Hole::Named(name) => match (said.params.named.iter().find(|p| p.0 == name.as_str()), said.params.whole) {
                (Some(p), _) => p.1,
                (None, Some(w)) => self.row_field(w, sym(name)),
                (None, None) => self.a.unknown(),
            },
        }
    }

    /// The collection behind `IN ({placeholders})` with a value for each.
    pub(super) fn placeholders(&mut self, hole: &Hole, said: &Sending) -> Option<ExprId> {
        if !matches!(hole, Hole::Value(_)) || said.params.count > 0 {
            return None;
        }
        said.params.whole
    }
}

/// Text before the next `{field}`, the field's name, and the text behind it; `{{` and `}}` stand for themselves.
fn field(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = text.get(from..)?.find('{')? + from;
        if text.get(open + 1..)?.starts_with('{') {
            from = open + 2;
            continue;
        }
        let close = text.get(open..)?.find('}')? + open;
        let inside = text.get(open + 1..close)?;
        let name = inside.split([':', '!', '.', '[']).next().unwrap_or_default();
        return Some((text.get(..open)?, name, text.get(close + 1..)?));
    }
}
