//! Templates as text with holes: what a chart would give, as far as its files show it, and where each byte came from.
//!
//! ```text
//! labels:                                      labels:
//!   {{- include "web.labels" . | nindent 4 }}      app: web              from `define "web.labels"` in _helpers.tpl
//!   {{- if .Values.on }}                           owner: xValues.ownerx
//!     owner: {{ .Values.owner | quote }}           (a hole, for `tpl ..`: may be anything that is indented by 4)
//!   {{- end }}
//!   {{- tpl .Values.more . | nindent 4 }}
//! ```
//! Both branches of an `if` are there; which of them the shipped values choose is known besides ([`Rendered::shipped`]).
//! An expression inside a line becomes a word made of its own letters, so that two names are equal where their expressions
//! are. Nothing is evaluated but paths into `values.yaml`.

pub mod action;
mod render;
pub mod values;
mod writer;

pub use render::{Branches, Chart, render};
pub use writer::Writer;

use crate::source::{FileId, Span};
use std::ops::Range;
use std::sync::Arc;

/// A text to be read as YAML, with the place of each of its bytes.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The text.
    pub text: Arc<str>,
    /// Where it came from, in the order of the text. Empty: the file itself, byte for byte.
    pieces: Vec<Piece>,
    /// What may be anything, in the order of the text.
    holes: Vec<Hole>,
    /// Ranges of the text that stand under a condition, with what the shipped values say of it.
    branches: Vec<(Range<u32>, Option<bool>)>,
    /// Ranges of the text that came out of `values.yaml`.
    valued: Vec<Range<u32>>,
    /// Ranges of the text that stand in a block: under a condition, in a loop, where `.` is another.
    blocks: Vec<Range<u32>>,
    file: FileId,
}

/// A piece of a rendered text.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Piece {
    /// Its first byte in the text.
    at: u32,
    /// Where it is written.
    from: Span,
    /// Are its bytes those of `from`, one by one?
    exact: bool,
    /// The action of the linted file that brought it here.
    via: Option<Span>,
}

/// A part of a text that is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hole {
    /// Its first byte in the text.
    pub at: u32,
    /// How long; 0 for one that may hold whole lines.
    pub len: u32,
    /// How far its lines are indented.
    pub indent: u32,
}

impl Rendered {
    /// A file that is no template.
    pub fn plain(file: FileId, text: Arc<str>) -> Rendered {
        Rendered { text, pieces: vec![], holes: vec![], branches: vec![], valued: vec![], blocks: vec![], file }
    }

    /// The place of a range in the linted file: of what an `include` brought, the `include`.
    pub fn place(&self, range: Range<u32>) -> Span {
        self.locate(range, |p| p.via.unwrap_or(p.from), |p| p.exact && p.via.is_none())
    }

    /// The place where a range is written, in whatever file.
    pub fn written(&self, range: Range<u32>) -> Span {
        self.locate(range, |p| p.from, |p| p.exact)
    }

    fn locate(&self, range: Range<u32>, of: fn(&Piece) -> Span, exact: fn(&Piece) -> bool) -> Span {
        let whole = Span { file: self.file, start: range.start, end: range.end };
        let Some(n) = self.pieces.partition_point(|p| p.at <= range.start).checked_sub(1) else { return whole };
        let Some(piece) = self.pieces.get(n) else { return whole };
        if !exact(piece) {
            return of(piece);
        }
        let end = self.pieces.get(n + 1).map_or(self.text.len() as u32, |next| next.at);
        let from = piece.from.start + (range.start - piece.at);
        // A range that goes on in other pieces ends with this one, unless its end is of the same file.
        let to = match range.end <= end {
            true => piece.from.start + (range.end - piece.at),
            false => self.end_of(range.end, piece).unwrap_or(piece.from.start + (end - piece.at)),
        };
        Span { file: piece.from.file, start: from, end: to.max(from) }
    }

    fn end_of(&self, end: u32, first: &Piece) -> Option<u32> {
        let last = self.pieces.get(self.pieces.partition_point(|p| p.at < end).checked_sub(1)?)?;
        let shown = last.via.unwrap_or(last.from);
        if shown.file != first.from.file {
            return None;
        }
        Some(if last.exact && last.via.is_none() { last.from.start + (end - last.at) } else { shown.end })
    }

    /// Does a scalar hold an expression that is not known?
    pub fn has_hole(&self, range: Range<u32>) -> bool {
        let before = self.holes.partition_point(|h| h.at < range.end);
        self.holes.iter().take(before).any(|h| h.at + h.len > range.start)
    }

    /// The holes of whole lines within a range.
    pub fn line_holes(&self, range: Range<u32>) -> impl Iterator<Item = &Hole> {
        let from = self.holes.partition_point(|h| h.at < range.start);
        self.holes.iter().skip(from).take_while(move |h| h.at < range.end).filter(|h| h.len == 0)
    }

    /// Do two places stand in the same blocks, so that an expression means the same in both?
    pub fn alike(&self, a: u32, b: u32) -> bool {
        self.blocks.iter().all(|range| range.contains(&a) == range.contains(&b))
    }

    /// Is what stands here there with the shipped values? Nothing where they do not say.
    pub fn shipped(&self, at: u32) -> Option<bool> {
        let around = self.branches.iter().filter(|(range, _)| range.contains(&at));
        let mut known = Some(true);
        for (_, holds) in around {
            match holds {
                Some(false) => return Some(false),
                Some(true) => {}
                None => known = None,
            }
        }
        known
    }

    /// Does what stands here come out of `values.yaml`?
    pub fn is_valued(&self, at: u32) -> bool {
        self.valued.iter().any(|range| range.contains(&at))
    }

    /// Did the shipped values give, or leave empty, something in this range?
    pub fn rests_on_values(&self, range: Range<u32>) -> bool {
        self.valued.iter().any(|v| v.start < range.end && range.start <= v.end)
    }

    /// Is it a template at all?
    pub fn is_template(&self) -> bool {
        !self.pieces.is_empty()
    }
}
