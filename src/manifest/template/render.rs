//! Rendering a template into a text with holes: see [the module's comment](super).
//!
//! ```text
//! {{ include "a" . | nindent 4 }}     the lines of `define "a"`, indented by 4
//! {{ toYaml .Values.x | indent 4 }}   the lines of values.yaml, indented by 4; a hole if it does not show `x`
//! {{- if a }} b: 1 {{- end }}         b: 1, under a condition
//! name: {{ .Release.Name }}-x         name: xRelease.Namex-x, with a hole
//! {{ $x }} on a line of its own       a hole of whole lines
//! ```
//! White space that `-` would trim stays, but for the lines that hold nothing else than control: blank lines mean nothing in
//! YAML.

use super::action::{Piece as Cut, PieceKind, Term, pieces};
use super::values::{Dot, Values};
use super::{Hole, Piece, Rendered};
use crate::manifest::yaml::{Kind, NodeId, Style, Tree};
use crate::source::{FileId, Span};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// What the templates of a chart share.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// `define` blocks by name: the file, its cut text, and the pieces of the body.
    defines: FxHashMap<String, Define>,
}

#[derive(Clone, Debug)]
struct Define {
    file: FileId,
    text: Arc<str>,
    body: Arc<[Cut]>,
}

/// Includes nest no deeper, and give no more text.
const DEEP: usize = 12;
const LONG: usize = 4 << 20;

/// So many blocks are included by one template: two that include each other twice would be thousands, at ten levels millions.
const INCLUDES: u32 = 4_000;

impl Chart {
    /// Makes the `define` blocks of a file known. Of two with one name the last counts, as in Helm.
    pub fn define(&mut self, file: FileId, text: &Arc<str>) {
        let cut = pieces(text);
        let mut at = 0;
        while let Some(piece) = cut.get(at) {
            at += 1;
            if let PieceKind::Define { name, .. } = &piece.kind {
                let end = block_end(&cut, at);
                let body = cut.get(at..end).unwrap_or_default().into();
                self.defines.insert(name.clone(), Define { file, text: text.clone(), body });
                at = end;
            }
        }
    }
}

/// The index of the `end` that closes a block whose body starts here.
fn block_end(cut: &[Cut], from: usize) -> usize {
    let mut depth = 0usize;
    for (at, piece) in cut.iter().enumerate().skip(from) {
        match piece.kind {
            PieceKind::If(_) | PieceKind::With(_) | PieceKind::Range(_) | PieceKind::Define { .. } => depth += 1,
            PieceKind::End => match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return at,
            },
            _ => {}
        }
    }
    cut.len()
}

/// Renders a template of a chart. With all branches there may be two where YAML has room for one; without, the branches
/// that the shipped values do not choose, and each `else` where they do not say, are holes.
///
/// ```text
/// ports: {{- if .Values.one }} [80]      all: `ports:  [80]` and a list below it, which does not parse
/// {{- else }}
/// - 81
/// {{- end }}
/// ```
pub fn render(file: FileId, text: &Arc<str>, chart: &Chart, values: &Values, branches: Branches) -> Rendered {
    let cut = pieces(text);
    let left = Cell::new(INCLUDES);
    let mut out = Out { chart, values, branches, left: &left, shared: Target::default(), open: vec![] };
    out.all(&Source { file, text, via: None }, &cut, &Dot::Root, 0);
    let mut t = out.shared;
    t.holes.sort_by_key(|h| h.at);
    // An empty file has no pieces, and is no template.
    Rendered {
        text: t.text.into(),
        pieces: t.pieces,
        holes: t.holes,
        branches: t.branches,
        valued: t.valued,
        blocks: t.blocks,
        file,
    }
}

/// Which branches of a choice are rendered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Branches {
    /// All.
    All,
    /// One of each choice.
    One,
}

#[derive(Default)]
struct Target {
    text: String,
    pieces: Vec<Piece>,
    holes: Vec<Hole>,
    branches: Vec<(Range<u32>, Option<bool>)>,
    valued: Vec<Range<u32>>,
    blocks: Vec<Range<u32>>,
}

/// The file a piece is written in, and the action of the linted file that brought it.
#[derive(Clone, Copy)]
struct Source<'a> {
    file: FileId,
    text: &'a str,
    via: Option<Span>,
}

impl Source<'_> {
    fn span(&self, range: &Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }
}

/// A block that is open: what kind, where it began, what the shipped values say of its condition, and of those before it
/// in the same `if`.
struct Open {
    from: u32,
    /// Inside a line: a branch that the shipped values do not choose is left out.
    inline: bool,
    /// Left out; whether its hole is there already.
    hidden: Option<bool>,
    holds: Option<bool>,
    before: Option<bool>,
    branches: bool,
    dot: Dot,
}

struct Out<'a> {
    chart: &'a Chart,
    values: &'a Values,
    branches: Branches,
    /// How many more blocks may be included.
    left: &'a Cell<u32>,
    shared: Target,
    open: Vec<Open>,
}

impl Out<'_> {
    fn all(&mut self, src: &Source, cut: &[Cut], dot: &Dot, depth: usize) {
        let outer = std::mem::take(&mut self.open);
        let mut dot = dot.clone();
        let mut at = 0;
        while let Some(piece) = cut.get(at) {
            at += 1;
            if self.shared.text.len() > LONG {
                break;
            }
            match &piece.kind {
                PieceKind::Give(term) if self.left_out() && self.gives_nothing(term, &dot) => {}
                PieceKind::Text | PieceKind::Give(_) if self.left_out() => self.hide(src, piece),
                PieceKind::Text => self.copy(src, &self.trimmed(src, &piece.span)),
                PieceKind::Give(term) => self.give(src, piece, term, cut.get(at..).unwrap_or_default(), &dot, depth),
                PieceKind::Define { shown: false, .. } => {
                    at = block_end(cut, at) + 1;
                    self.clear_line();
                }
                _ => self.control(piece, cut.get(at..).unwrap_or_default(), src, &mut dot),
            }
        }
        while !self.open.is_empty() {
            self.close();
        }
        self.open = outer;
    }

    /// Is this in a branch that is left out? Inside a line those are that the shipped values do not choose.
    fn left_out(&self) -> bool {
        self.open.iter().any(|o| o.hidden.is_some() || o.inline && o.holds == Some(false))
    }

    /// Is it a mapping that the shipped values show, and show empty? Then it is nothing in any branch.
    fn gives_nothing(&self, term: &Term, dot: &Dot) -> bool {
        let Term::Call(name, operands) = indented(term).1 else { return false };
        let shown = operands.first().and_then(|x| Values::path(x, dot)).and_then(|p| self.values.get(&p));
        let empty = |(tree, node)| lines(tree, node, 0).is_some_and(|text| text.is_empty());
        name == "toYaml" && shown.is_some_and(empty)
    }

    /// What is left out may be anything that is indented as it is.
    fn hide(&mut self, src: &Source, piece: &Cut) {
        let text = src.text.get(piece.span.clone()).unwrap_or_default();
        let indent = match &piece.kind {
            PieceKind::Give(term) => indented(term).0,
            _ => text.lines().skip(1).find(|l| !l.trim().is_empty()).map(|l| l.len() - l.trim_start().len()),
        };
        let Some(indent) = indent else { return };
        if let Some(open) = self.open.iter_mut().find(|o| o.hidden == Some(false)) {
            open.hidden = Some(true);
            self.hole(indent);
        }
    }

    /// Is a branch left out, by what the shipped values say of it?
    fn hides(&self, inline: bool, holds: Option<bool>, other: bool) -> Option<bool> {
        let not_chosen = holds == Some(false) || holds.is_none() && other;
        // What is chosen inside a line is a hole in any case.
        (self.branches == Branches::One && not_chosen && (!inline || holds.is_none())).then_some(inline)
    }

    /// A text without the blanks that `-}}` before it trims, where they would indent a line.
    fn trimmed(&self, src: &Source, range: &Range<usize>) -> Range<usize> {
        let text = src.text.get(range.clone()).unwrap_or_default();
        let inner = text.trim_start_matches([' ', '\t']);
        let trims = src.text.get(..range.start).is_some_and(|before| before.ends_with("-}}"));
        let begins = self.blank_line().is_some() && !inner.is_empty() && !inner.starts_with(['\n', '\r']);
        if trims && begins { range.end - inner.len()..range.end } else { range.clone() }
    }

    fn copy(&mut self, src: &Source, range: &Range<usize>) {
        let Some(text) = src.text.get(range.clone()) else { return };
        self.mark(src.span(range), true, src.via);
        self.shared.text.push_str(text);
    }

    fn mark(&mut self, from: Span, exact: bool, via: Option<Span>) {
        let at = self.at();
        // An empty piece gives way to the next one.
        if self.shared.pieces.last().is_some_and(|p| p.at == at) {
            self.shared.pieces.pop();
        }
        self.shared.pieces.push(Piece { at, from, exact, via });
    }

    fn at(&self) -> u32 {
        self.shared.text.len() as u32
    }

    /// The last line so far, if it is blank.
    fn blank_line(&self) -> Option<usize> {
        let line = self.shared.text.rfind('\n').map_or(0, |n| n + 1);
        let last = self.shared.text.get(line..)?;
        last.chars().all(|c| c == ' ' || c == '\t').then_some(line)
    }

    /// What stands alone on its line leaves an empty one: blanks may be deeper than the block around them.
    fn clear_line(&mut self) {
        if let Some(line) = self.blank_line() {
            self.shared.text.truncate(line);
            let at = line as u32;
            while self.shared.pieces.last().is_some_and(|p| p.at > at) {
                self.shared.pieces.pop();
            }
        }
    }

    fn control(&mut self, piece: &Cut, next: &[Cut], src: &Source, dot: &mut Dot) {
        let inline = !ends_line(src, next) && (self.blank_line().is_none() || is_choice(src, next));
        if ends_line(src, next) {
            self.clear_line();
        }
        // What follows is again of the file, byte for byte.
        self.mark(src.span(&piece.span), false, src.via);
        match &piece.kind {
            PieceKind::If(term) => self.begin(self.values.holds(term, dot), true, inline, dot),
            PieceKind::With(term) => {
                self.begin(self.values.holds(term, dot), true, inline, dot);
                *dot = match Values::path(term, dot) {
                    Some(path) => Dot::Values(path),
                    None => Dot::Unknown,
                };
            }
            PieceKind::Range(over) => {
                self.begin(None, false, inline, dot);
                self.goes_through(over, dot);
                *dot = Dot::Unknown;
            }
            PieceKind::Define { .. } => self.begin(Some(true), false, false, dot),
            PieceKind::Else(term) => {
                let Some(last) = self.open.pop() else { return };
                *dot = last.dot.clone();
                let term = term.as_ref().map(|t| self.values.holds(t, dot));
                self.note(&last);
                // No branch before this one was taken?
                let before = match (last.before, last.holds) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                };
                let holds = match (before, term) {
                    (Some(true), _) => Some(false),
                    (Some(false), None) => Some(true),
                    (Some(false), Some(own)) => own,
                    (None, Some(Some(false))) => Some(false),
                    (None, _) => None,
                };
                let hidden = self.hides(last.inline, holds, true);
                self.open.push(Open { from: self.at(), hidden, holds, before, dot: last.dot, ..last });
            }
            PieceKind::End => {
                if let Some(last) = self.close() {
                    *dot = last;
                }
            }
            _ => {}
        }
    }

    fn begin(&mut self, holds: Option<bool>, branches: bool, inline: bool, dot: &Dot) {
        let hidden = self.hides(inline, holds, false).filter(|_| branches);
        self.open.push(Open {
            from: self.at(),
            inline,
            hidden,
            holds,
            before: Some(false),
            branches,
            dot: dot.clone(),
        });
    }

    /// A loop over what the shipped values leave empty gives nothing.
    fn goes_through(&mut self, over: &Term, dot: &Dot) {
        let shown = Values::path(over, dot).and_then(|path| self.values.get(&path));
        let empty = shown.is_some_and(|(tree, node)| lines(tree, node, 0).is_some_and(|text| text.is_empty()));
        let at = self.at();
        if empty && let Some(open) = self.open.last_mut() {
            open.hidden = Some(true);
            self.shared.valued.push(at..at);
        }
    }

    fn note(&mut self, open: &Open) {
        if open.inline && open.holds.is_none() {
            // What is chosen is not known: the word it is part of is not.
            let len = self.at().saturating_sub(open.from).max(1);
            self.shared.holes.push(Hole { at: open.from, len, indent: 0 });
        }
        self.shared.blocks.push(open.from..self.at());
        if open.branches {
            let range = open.from..self.at();
            self.shared.branches.push((range, open.holds));
        }
    }

    fn close(&mut self) -> Option<Dot> {
        let open = self.open.pop()?;
        self.note(&open);
        Some(open.dot)
    }

    /// An action that gives a value.
    fn give(&mut self, src: &Source, piece: &Cut, term: &Term, next: &[Cut], dot: &Dot, depth: usize) {
        let place = src.span(&piece.span);
        let via = src.via.or(Some(place));
        let (indent, inner) = indented(term);
        let alone = self.blank_line().is_some() && ends_line(src, next);
        if indent.is_none() && !alone {
            return self.word(src, piece, term, dot);
        }
        let column = match indent {
            Some(n) => n,
            None => self.shared.text.len() - self.blank_line().unwrap_or(self.shared.text.len()),
        };
        // The lines begin anew: what stands on this line, `labels:` or blanks, is ended.
        if self.blank_line().is_some() {
            self.clear_line();
        } else {
            self.mark(place, false, src.via);
            self.shared.text.push('\n');
        }
        match inner {
            Term::Call(name, operands) if name == "include" || name == "template" => {
                let define = match operands.first() {
                    Some(Term::Text(name)) => self.chart.defines.get(name),
                    _ => None,
                };
                match define {
                    Some(define) if depth < DEEP && self.left.get() > 0 => {
                        let handed = match operands.get(1) {
                            Some(Term::Path { root: true, fields }) if fields.is_empty() => Dot::Root,
                            Some(Term::Path { root: false, fields }) if fields.is_empty() => dot.clone(),
                            Some(path) => Values::path(path, dot).map_or(Dot::Unknown, Dot::Values),
                            None => Dot::Unknown,
                        };
                        let define = define.clone();
                        self.left.set(self.left.get() - 1);
                        self.include(&define, via, column, &handed, (depth, indent.is_some()));
                    }
                    _ => self.hole(column),
                }
            }
            Term::Call(name, operands) if name == "toYaml" => {
                let shown = operands.first().and_then(|x| Values::path(x, dot)).and_then(|p| self.values.get(&p));
                match shown.map(|(tree, node)| lines(tree, node, column)) {
                    Some(Some(text)) => {
                        let from = self.at();
                        self.mark(place, false, via);
                        self.shared.text.push_str(&text);
                        self.shared.valued.push(from..self.at());
                    }
                    _ => self.hole(column),
                }
            }
            _ => self.hole(column),
        }
        self.mark(src.span(&(piece.span.end..piece.span.end)), true, src.via);
    }

    fn hole(&mut self, column: usize) {
        self.shared.holes.push(Hole { at: self.at(), len: 0, indent: column as u32 });
    }

    /// An expression inside a line.
    fn word(&mut self, src: &Source, piece: &Cut, term: &Term, dot: &Dot) {
        let known = match term {
            Term::Text(text) => Some(text.clone()),
            Term::Call(..) => self.values.text(term, dot),
            _ => None,
        };
        let from = self.at();
        self.mark(src.span(&piece.span), false, src.via);
        match known.filter(|text| is_plain(text)) {
            Some(text) => self.shared.text.push_str(&text),
            None => {
                let body = src.text.get(piece.span.clone()).unwrap_or_default();
                self.shared.text.push('x');
                self.shared.text.extend(body.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '.' || *c == '_'));
                self.shared.text.push('x');
                self.shared.holes.push(Hole { at: from, len: self.at() - from, indent: 0 });
            }
        }
        self.mark(src.span(&(piece.span.end..piece.span.end)), true, src.via);
    }

    /// The body of a define, indented. Where nothing asks for that, its first line stands where the action does, and the
    /// others where they are written, if that is deep enough.
    fn include(&mut self, define: &Define, via: Option<Span>, column: usize, dot: &Dot, (depth, all): (usize, bool)) {
        let inner = Out { shared: Target::default(), open: vec![], ..*self };
        let mut inner = inner;
        let src = Source { file: define.file, text: &define.text, via };
        inner.all(&src, &define.body, dot, depth + 1);
        let depth = |l: &str| l.len() - l.trim_start().len();
        let written: Vec<&str> = inner.shared.text.lines().filter(|l| !l.trim().is_empty()).collect();
        let placed = !all && written.len() > 1 && written.iter().skip(1).all(|l| depth(l) >= column.max(1));
        let first = if placed { column.saturating_sub(written.first().map_or(0, |l| depth(l))) } else { column };
        self.indent(inner.shared, first, if placed { 0 } else { column });
    }

    /// Takes over what was rendered apart: the first line indented, and each of the others.
    fn indent(&mut self, from: Target, first: usize, others: usize) {
        let base = self.at();
        let mut shift: Vec<(u32, u32)> = vec![];
        let mut text = String::with_capacity(from.text.len());
        let (mut at, mut column) = (0, first);
        for line in from.text.split_inclusive('\n') {
            let blank = line.trim().is_empty();
            if !blank {
                text.extend(std::iter::repeat_n(' ', column));
                column = others;
            }
            shift.push((at, base + text.len() as u32 - at));
            text.push_str(line);
            at += line.len() as u32;
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        let moved = |x: u32| {
            let n = shift.partition_point(|(from, _)| *from <= x);
            x + shift.get(n.saturating_sub(1)).map_or(base, |(_, by)| *by)
        };
        let t = &mut self.shared;
        t.text.push_str(&text);
        // A piece that goes over several lines is one for each of them now.
        for (n, p) in from.pieces.iter().enumerate() {
            let end = from.pieces.get(n + 1).map_or(from.text.len() as u32, |next| next.at);
            t.pieces.push(Piece { at: moved(p.at), ..*p });
            let first = shift.partition_point(|(line, _)| *line <= p.at);
            for (line, _) in shift.iter().skip(first).take_while(|(line, _)| *line < end) {
                let start = p.from.start + (line - p.at);
                t.pieces.push(Piece { at: moved(*line), from: Span { start: start.min(p.from.end), ..p.from }, ..*p });
            }
        }
        t.pieces.sort_by_key(|p| p.at);
        t.holes.extend(from.holes.iter().map(|h| {
            let indent = if h.len == 0 { h.indent + others as u32 } else { 0 };
            Hole { at: moved(h.at), len: h.len, indent }
        }));
        t.branches.extend(from.branches.iter().map(|(r, holds)| (moved(r.start)..moved(r.end), *holds)));
        t.blocks.extend(from.blocks.iter().map(|r| moved(r.start)..moved(r.end)));
        t.valued.extend(from.valued.iter().map(|r| moved(r.start)..moved(r.end)));
    }
}

/// Does nothing but white space and control follow on the line?
fn ends_line(src: &Source, rest: &[Cut]) -> bool {
    for cut in rest {
        match cut.kind {
            PieceKind::Text => {
                let text = src.text.get(cut.span.clone()).unwrap_or_default();
                let line = text.split('\n').next().unwrap_or_default();
                if !line.trim().is_empty() || line.len() < text.len() {
                    return line.trim().is_empty();
                }
            }
            PieceKind::Give(_) => return false,
            _ => {}
        }
    }
    true
}

/// Is there an `else` on the line?
fn is_choice(src: &Source, rest: &[Cut]) -> bool {
    let mut depth = 0;
    for cut in rest {
        match cut.kind {
            PieceKind::Text if src.text.get(cut.span.clone()).is_none_or(|t| t.contains('\n')) => return false,
            PieceKind::If(_) | PieceKind::With(_) | PieceKind::Range(_) => depth += 1,
            PieceKind::Else(_) if depth == 0 => return true,
            PieceKind::End if depth == 0 => return false,
            PieceKind::End => depth -= 1,
            _ => {}
        }
    }
    false
}

/// The depth that a value is indented by, and the value.
fn indented(term: &Term) -> (Option<usize>, &Term) {
    let mut at = term;
    loop {
        match at {
            Term::Call(name, operands) => match (name.as_str(), operands.as_slice()) {
                ("nindent" | "indent", [Term::Word(n), inner]) => return (n.parse().ok().filter(|n| *n < 200), inner),
                ("trim", [inner]) | ("trimSuffix" | "trimPrefix", [_, inner]) => at = inner,
                _ => return (None, term),
            },
            _ => return (None, term),
        }
    }
}

/// Words that mean nothing to YAML where they stand.
fn is_plain(text: &str) -> bool {
    text != "-" && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c))
}

/// A map of scalars as lines; nothing for what is no such map. An empty one has no lines.
fn lines(tree: &Tree, node: NodeId, column: usize) -> Option<String> {
    if tree.is_null(node) {
        return Some(String::new());
    }
    let mut out = String::new();
    match &tree.get(node).kind {
        Kind::Map(_) => {}
        Kind::List(items) if items.is_empty() => return Some(out),
        _ => return None,
    }
    for (key, value) in tree.pairs(node) {
        let key = tree.text(key).filter(|k| is_plain(k))?;
        let Kind::Scalar { text, style } = &tree.get(value).kind else { return None };
        out.extend(std::iter::repeat_n(' ', column));
        let quoted = *style != Style::Plain || !is_plain(text);
        let text = if quoted { format!("'{}'", text.replace('\'', "''").replace('\n', " ")) } else { text.to_string() };
        out.push_str(&format!("{key}: {text}\n"));
    }
    Some(out)
}
