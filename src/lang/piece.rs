//! A part of a file that is parsed alone, and its way back to the offsets of the file.
//!
//! ```text
//! class A:                      the skeleton: `class A:` and `x = 1`, joined; a place in it is found by the table
//!     def m(self): …            0 -> 0, 9 -> 33
//!     x = 1
//! ```

use super::Notes;
use crate::source::{FileId, Span};
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::{ControlFlow, Range};
use std::thread::LocalKey;
use tree_sitter::{Language, ParseOptions, ParseState, Parser, Tree};

/// A part of a file: some ranges of it, joined.
pub(super) struct Piece<'a> {
    text: Cow<'a, str>,
    /// Offset in the piece to offset in the file, for each range.
    starts: Vec<(usize, usize)>,
}

impl<'a> Piece<'a> {
    /// The range of a text without the `cuts` (in order) that fall into it.
    pub fn new(text: &'a str, range: Range<usize>, cuts: &[Range<usize>]) -> Self {
        let first = cuts.partition_point(|c| c.end <= range.start);
        let cuts = cuts.iter().skip(first).take_while(|c| c.start < range.end);
        let mut kept: Vec<Range<usize>> = Vec::new();
        let mut at = range.start;
        for cut in cuts {
            if cut.start > at {
                kept.push(at..cut.start);
            }
            at = at.max(cut.end);
        }
        if at < range.end || kept.is_empty() {
            kept.push(at.min(range.end)..range.end);
        }
        if let [one] = kept.as_slice() {
            let whole = text.get(one.clone()).unwrap_or_default();
            return Piece { text: Cow::Borrowed(whole), starts: vec![(0, one.start)] };
        }
        let (mut joined, mut starts) = (String::new(), Vec::new());
        for part in kept {
            starts.push((joined.len(), part.start));
            joined.push_str(text.get(part).unwrap_or_default());
        }
        Piece { text: Cow::Owned(joined), starts }
    }

    /// Some ranges of a text, each on lines of its own.
    pub fn lines(text: &'a str, ranges: &[Range<usize>]) -> Self {
        if let [one] = ranges {
            return Piece::new(text, one.clone(), &[]);
        }
        let (mut joined, mut starts) = (String::new(), Vec::new());
        for range in ranges {
            starts.push((joined.len(), range.start));
            joined.push_str(text.get(range.clone()).unwrap_or_default());
            joined.push('\n');
        }
        Piece { text: Cow::Owned(joined), starts }
    }

    /// The same part with another text of the same length.
    pub fn with_text(self, text: String) -> Self {
        Piece { text: Cow::Owned(text), starts: self.starts }
    }

    pub fn text(&'a self) -> &'a str {
        &self.text
    }

    fn back(&self, offset: usize) -> usize {
        let after = self.starts.partition_point(|s| s.0 <= offset);
        match self.starts.get(after.saturating_sub(1)) {
            Some((from, to)) => offset - from + to,
            None => offset,
        }
    }

    /// The place in the file.
    pub fn span(&self, file: FileId, range: Range<usize>) -> Span {
        let start = self.back(range.start);
        let end = if range.end > range.start { self.back(range.end - 1) + 1 } else { start };
        Span::new(file, start, end)
    }
}

/// A parser of a grammar. One for each thread is enough: to make one takes as long as to parse a short function.
pub(super) fn parser(language: &Language) -> RefCell<Parser> {
    let mut parser = Parser::new();
    // Fails only for a grammar of another ABI, which a test would have found; then every parse gives nothing.
    let _ = parser.set_language(language);
    RefCell::new(parser)
}

/// Parses a piece and notes its syntax errors. `None` where the parser gave up: recovery from input that is nothing of
/// the language at all takes time that grows faster than the input, so its steps are counted.
pub(super) fn parse(
    with: &'static LocalKey<RefCell<Parser>>,
    piece: &Piece,
    file: FileId,
    notes: &mut Notes,
) -> Option<Tree> {
    let text = piece.text.as_bytes();
    let mut steps = 1000 + text.len() / 10;
    let mut patience = |_: &ParseState| {
        steps = steps.saturating_sub(1);
        if steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut patience);
    let mut read = |at: usize, _| text.get(at..).unwrap_or_default();
    let tree = with.with_borrow_mut(|parser| {
        let tree = parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            parser.reset();
        }
        tree
    });
    match &tree {
        Some(tree) if tree.root_node().has_error() => errors(tree, piece, file, notes),
        Some(_) => {}
        None => {
            notes.errors.push(piece.span(file, 0..text.len()));
            *notes.holes.entry("gave_up").or_default() += 1;
        }
    }
    tree
}

/// Notes every outermost error node and every token that is missing.
fn errors(tree: &Tree, piece: &Piece, file: FileId, notes: &mut Notes) {
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let wrong = node.is_error() || node.is_missing();
        if wrong {
            notes.errors.push(piece.span(file, node.byte_range()));
        }
        if !wrong && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
