//! From bytes to lines and columns.
//!
//! Lines and columns count from 1, columns in code points; a byte order mark takes no column. A line ends with `\n`,
//! `\r\n` or `\r`, as Python and editors have it.

use crate::source::{FileId, Sources, Span};
use serde::Serialize;
use std::ops::Range;
use std::sync::OnceLock;

/// A place as people and machines read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in code points.
    pub column: usize,
    /// From 0, in bytes.
    pub offset: u32,
}

/// Where the lines of a text start.
#[derive(Debug)]
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<u32>,
}

impl<'a> Lines<'a> {
    /// Finds them.
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends = match byte {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n'),
                _ => false,
            };
            if ends {
                starts.push(at as u32 + 1);
            }
        }
        Lines { text, starts }
    }

    /// How many there are; at least one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line that holds a byte, from 0.
    pub fn line_at(&self, offset: u32) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The bytes of a line (from 0) without its end.
    pub fn range(&self, line: usize) -> Range<usize> {
        let end = self.text.len();
        let start = self.starts.get(line).map_or(end, |start| *start as usize);
        let next = self.starts.get(line + 1).map_or(end, |next| *next as usize);
        let whole = self.text.get(start..next).unwrap_or_default();
        start..start + whole.trim_end_matches(['\n', '\r']).len()
    }

    /// Where a byte stands.
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_at(offset);
        let start = self.starts.get(line).copied().unwrap_or_default() as usize;
        let before = self.text.get(start..offset as usize).unwrap_or_default();
        let before = if line == 0 { before.strip_prefix('\u{feff}').unwrap_or(before) } else { before };
        Position { line: line + 1, column: before.chars().count() + 1, offset }
    }
}

/// The lines of every file that is asked for.
#[derive(Debug)]
pub struct Places<'a> {
    sources: &'a Sources,
    lines: Vec<OnceLock<Lines<'a>>>,
}

impl<'a> Places<'a> {
    /// Nothing is computed yet.
    pub fn new(sources: &'a Sources) -> Self {
        Places { sources, lines: sources.files.iter().map(|_| OnceLock::new()).collect() }
    }

    /// The files.
    pub fn sources(&self) -> &'a Sources {
        self.sources
    }

    /// The lines of a file of this run.
    pub fn lines(&self, file: FileId) -> &Lines<'a> {
        let sources = self.sources;
        self.lines[file.0 as usize].get_or_init(|| Lines::new(&sources.get(file).text))
    }

    /// Where a range starts.
    pub fn start(&self, span: Span) -> Position {
        self.lines(span.file).position(span.start)
    }

    /// One past its last character.
    pub fn end(&self, span: Span) -> Position {
        self.lines(span.file).position(span.end)
    }

    /// As much of a range as stands on its first line.
    pub fn first_line(&self, span: Span) -> Span {
        let lines = self.lines(span.file);
        let end = lines.range(lines.line_at(span.start)).end;
        Span { end: span.end.min(end as u32).max(span.start), ..span }
    }

    /// `path:line:column` of its start.
    pub fn shown(&self, span: Span) -> String {
        let Position { line, column, .. } = self.start(span);
        format!("{}:{line}:{column}", super::plain(&self.sources.get(span.file).shown()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_code_points_and_a_mark_takes_none() {
        let text = "\u{feff}é🦀x\ny";
        let lines = Lines::new(text);
        assert_eq!(lines.position(3), Position { line: 1, column: 1, offset: 3 });
        assert_eq!(lines.position(9), Position { line: 1, column: 3, offset: 9 });
        assert_eq!(lines.position(11), Position { line: 2, column: 1, offset: 11 });
        assert_eq!(lines.position(12), Position { line: 2, column: 2, offset: 12 }, "one past the last character");
    }

    #[test]
    fn line_ends_of_three_kinds() {
        let text = "a\r\nb\rc\nd";
        let lines = Lines::new(text);
        let all: Vec<&str> = (0..lines.count()).map(|line| &text[lines.range(line)]).collect();
        assert_eq!(all, ["a", "b", "c", "d"]);
        assert_eq!(lines.line_at(2), 0, "the end belongs to its line");
    }
}
