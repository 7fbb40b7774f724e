//! The text that a picture is drawn over.
//!
//! A picture is a few *boxes*: consecutive lines of one file, in the order in which execution reaches them. Their text
//! is prepared before it is drawn, so that the marks stand under what they mark on any terminal: tabs become spaces,
//! characters that would move the cursor or turn the text around become `?`, and of a line longer than the terminal
//! only the parts around its marks are kept:
//!
//! ```text
//! 3 | ...ents().items if d.metadata.name not in active: api.delete_namespaced_deploym...
//!   :                                                       ------------+------------
//! ```
//!
//! Marks of one line never overlap: the innermost keeps its place, the outer ones are cut down to what is left of them.

use super::lines::{Lines, Places};
use crate::source::{FileId, Span};
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;
use unicode_width::UnicodeWidthChar;

/// What is marked. Marks come in the order of execution.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) span: Span,
    /// The destructive call itself: never cut, and the place that the box is named after.
    pub(super) primary: bool,
}

/// A mark as drawn.
#[derive(Debug)]
pub(super) struct Drawn {
    /// In the text of the whole picture.
    pub(super) range: Range<usize>,
    /// The marks that it stands for: more than one where they mark the same characters.
    pub(super) marks: Vec<usize>,
    /// In columns from the start of the line.
    pub(super) column: usize,
}

/// Lines with marks further apart than this are two boxes.
const NEAR: usize = 8;
/// Columns that a tab leads to a multiple of.
const TAB: usize = 4;
/// Stands for what is left out.
const CUT: &str = "...";

/// The boxes of one picture; miette draws each by itself.
#[derive(Default, Debug)]
pub(super) struct Picture {
    text: String,
    boxes: Vec<Frame>,
}

#[derive(Debug)]
struct Frame {
    range: Range<usize>,
    name: String,
    /// The number of the first line, from 0.
    line: usize,
    lines: usize,
    /// Where a mark stands in its file: what the head of the box says.
    places: Vec<(Range<usize>, usize, usize)>,
}

impl Picture {
    /// Lays out the marks of one finding or group for a terminal of this width.
    pub(super) fn new(marks: &[Mark], places: &Places<'_>, width: usize) -> (Picture, Vec<Drawn>) {
        let mut picture = Picture::default();
        let mut drawn = Vec::new();
        for part in parts(marks, places) {
            picture.frame(&part, marks, places, width, &mut drawn);
        }
        (picture, drawn)
    }

    /// Does the first box show this?
    pub(super) fn opens_with(&self, drawn: &Drawn) -> bool {
        self.boxes.first().is_some_and(|frame| frame.range.contains(&drawn.range.start))
    }

    fn frame(&mut self, part: &Part, marks: &[Mark], places: &Places<'_>, width: usize, drawn: &mut Vec<Drawn>) {
        let file = places.sources().get(part.file);
        let lines = places.lines(part.file);
        let gutter = (part.lines.end).to_string().len() + 4;
        // Between two boxes lies a byte of neither, so that an empty mark at the start of one is not at the end of another.
        self.text.push('\n');
        let start = self.text.len();
        let mut seen = Vec::new();
        for line in part.lines.clone() {
            let here: Vec<usize> =
                part.marks.iter().copied().filter(|mark| line_of(&marks[*mark], lines) == line).collect();
            let ranges = separate(&here, marks, &file.text, lines.range(line));
            let row = Row::new(&file.text, lines.range(line), &ranges, width.saturating_sub(gutter));
            for (range, marks) in ranges {
                let position = lines.position(range.start as u32);
                let (from, to) = (row.at(range.start), row.at(range.end));
                let range = self.text.len() + from.0..self.text.len() + to.0.max(from.0);
                seen.push((range.clone(), position.line - 1, position.column - 1));
                drawn.push(Drawn { range, marks, column: gutter + from.1 });
            }
            self.text.push_str(&row.text);
            self.text.push('\n');
        }
        self.boxes.push(Frame {
            range: start..self.text.len(),
            name: super::plain(&file.shown()).into_owned(),
            line: part.lines.start,
            lines: part.lines.len(),
            places: seen,
        });
    }
}

/// Consecutive lines of one file, and the marks in them.
struct Part {
    file: FileId,
    lines: Range<usize>,
    marks: Vec<usize>,
}

fn line_of(mark: &Mark, lines: &Lines<'_>) -> usize {
    lines.line_at(mark.span.start)
}

/// The boxes, in the order of the first mark of each, with a line before and after for the eye.
fn parts(marks: &[Mark], places: &Places<'_>) -> Vec<Part> {
    let mut by_line: Vec<(FileId, usize, usize)> = Vec::with_capacity(marks.len());
    for (index, mark) in marks.iter().enumerate() {
        by_line.push((mark.span.file, line_of(mark, places.lines(mark.span.file)), index));
    }
    by_line.sort_unstable();
    let mut parts: Vec<Part> = Vec::new();
    for (file, line, index) in by_line {
        match parts.last_mut() {
            Some(part) if part.file == file && line < part.lines.end + NEAR => {
                part.lines.end = line + 1;
                part.marks.push(index);
            }
            _ => parts.push(Part { file, lines: line..line + 1, marks: vec![index] }),
        }
    }
    for part in &mut parts {
        part.lines = around(part, places);
    }
    parts.sort_by_key(|part| part.marks.iter().min().copied());
    parts
}

/// The lines of a box with one before and one after, unless that is empty.
fn around(part: &Part, places: &Places<'_>) -> Range<usize> {
    let text = &places.sources().get(part.file).text;
    let lines = places.lines(part.file);
    let full = |line: usize| text.get(lines.range(line)).is_some_and(|line| !line.trim().is_empty());
    let Range { start, end } = part.lines.clone();
    let before = usize::from(start > 0 && full(start - 1));
    let after = usize::from(end < lines.count() && full(end));
    start - before..end + after
}

/// Ranges of a line that do not overlap, from left to right, each with its marks. Primary marks are served first, then the
/// shorter ones; what is covered wholly shares the range of what covers it.
fn separate(here: &[usize], marks: &[Mark], text: &str, line: Range<usize>) -> Vec<(Range<usize>, Vec<usize>)> {
    let within = |mark: usize| {
        let span = marks[mark].span;
        let start = (span.start as usize).min(line.end);
        start..(span.end as usize).clamp(start, line.end)
    };
    let mut order = here.to_vec();
    order.sort_by_key(|mark| (!marks[*mark].primary, within(*mark).len(), *mark));
    let mut taken: Vec<(Range<usize>, Vec<usize>)> = Vec::new();
    for mark in order {
        let range = within(mark);
        match left_of(range.clone(), &taken, text) {
            Some(free) => taken.push((free, vec![mark])),
            None => {
                let host = taken.iter().position(|(other, _)| other.start <= range.end && range.start <= other.end);
                if let Some((_, marks)) = taken.get_mut(host.unwrap_or_default()) {
                    marks.push(mark);
                }
            }
        }
    }
    for (_, marks) in &mut taken {
        marks.sort_unstable();
    }
    taken.sort_by_key(|(range, _)| range.start);
    taken
}

/// The first piece of a range that nothing else has taken and that holds more than space and punctuation.
fn left_of(range: Range<usize>, taken: &[(Range<usize>, Vec<usize>)], text: &str) -> Option<Range<usize>> {
    if range.is_empty() {
        let apart = |other: &Range<usize>| other.end < range.start || range.start < other.start;
        return taken.iter().all(|(other, _)| apart(other)).then_some(range);
    }
    let mut cuts: Vec<&Range<usize>> = taken.iter().map(|(other, _)| other).collect();
    cuts.sort_by_key(|other| other.start);
    let mut pieces = Vec::new();
    let mut from = range.start;
    for cut in cuts.into_iter().filter(|cut| cut.start < range.end && range.start < cut.end) {
        pieces.push(from..cut.start.max(from));
        from = from.max(cut.end);
    }
    if pieces.is_empty() && text.get(range.clone()).is_none_or(|text| text.trim().is_empty()) {
        return Some(range);
    }
    let untouched = pieces.is_empty();
    pieces.push(from..range.end.max(from));
    pieces.into_iter().find_map(|piece| {
        let inner = text.get(piece.clone())?;
        let worth = untouched || inner.chars().any(char::is_alphanumeric);
        let start = piece.start + (inner.len() - inner.trim_start().len());
        let end = piece.end - (inner.len() - inner.trim_end().len());
        (worth && start < end).then_some(start..end)
    })
}

/// One line made ready.
struct Row {
    text: String,
    /// Byte of the file, byte and column of the row; rising.
    map: Vec<(usize, usize, usize)>,
}

impl Row {
    fn new(text: &str, line: Range<usize>, marks: &[(Range<usize>, Vec<usize>)], width: usize) -> Row {
        let cells = cells(text, line.clone());
        let total: usize = cells.iter().map(|cell| cell.width).sum();
        let whole = || std::iter::once(0..total).collect();
        let keep = if total <= width { whole() } else { kept(&cells, marks, total, width) };
        let mut row = Row { text: String::new(), map: Vec::new() };
        let (mut column, mut at) = (0, 0);
        let mut cut = false;
        for cell in &cells {
            row.map.push((cell.at, row.text.len(), column));
            // What takes no column goes with the character that it changes.
            let shown = if cell.width == 0 { !cut } else { keep.iter().any(|range| range.contains(&at)) };
            if shown {
                cell.write(&mut row.text);
                column += cell.width;
            } else if !cut {
                row.text.push_str(CUT);
                column += CUT.len();
            }
            cut = !shown;
            at += cell.width;
        }
        row.map.push((line.end, row.text.len(), column));
        row
    }

    /// Byte and column of the row for a byte of the file.
    fn at(&self, byte: usize) -> (usize, usize) {
        let next = self.map.partition_point(|(at, ..)| *at < byte);
        let found = self.map.get(next).or(self.map.last());
        found.map(|(_, byte, column)| (*byte, *column)).unwrap_or_default()
    }
}

/// A character and the columns it takes.
struct Cell {
    at: usize,
    char: char,
    width: usize,
}

impl Cell {
    fn write(&self, out: &mut String) {
        match self.char {
            '\t' => out.extend(std::iter::repeat_n(' ', self.width)),
            c if misleading(c) => out.push('?'),
            c => out.push(c),
        }
    }
}

/// Moves the cursor, or turns around the text that follows it.
pub(super) fn misleading(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

fn cells(text: &str, line: Range<usize>) -> Vec<Cell> {
    let mut column = 0;
    let chars = text.get(line.clone()).unwrap_or_default().char_indices();
    let mut cells = Vec::new();
    for (at, char) in chars.filter(|(_, c)| *c != '\u{feff}') {
        let width = match char {
            '\t' => TAB - column % TAB,
            c if misleading(c) => 1,
            c => c.width().unwrap_or(0),
        };
        column += width;
        cells.push(Cell { at: line.start + at, char, width });
    }
    cells
}

/// The columns of a long line that are shown: around each mark, as much as there is room for.
fn kept(cells: &[Cell], marks: &[(Range<usize>, Vec<usize>)], total: usize, width: usize) -> Vec<Range<usize>> {
    let column = |byte: usize| cells.iter().take_while(|cell| cell.at < byte).map(|cell| cell.width).sum::<usize>();
    let room = width.saturating_sub(3 * CUT.len());
    if marks.is_empty() {
        return std::iter::once(0..room).collect();
    }
    let share = (room / marks.len()).saturating_sub(CUT.len()).max(12);
    let around = |(range, _): &(Range<usize>, Vec<usize>)| {
        let (start, end) = (column(range.start), column(range.end));
        let spare = share.saturating_sub(end - start);
        let from = start.saturating_sub(spare / 2);
        // What is not needed at the line's start is of use at its end, and the other way round.
        let to = (from + share.max(spare)).min(total).max((start + share).min(end));
        to.saturating_sub(share).min(from)..to
    };
    let mut ranges: Vec<Range<usize>> = marks.iter().map(around).collect();
    // A gap that is hardly longer than what would stand for it is shown.
    let mut end = 0;
    for range in &mut ranges {
        if range.start <= end + CUT.len() + 2 {
            range.start = end;
        }
        end = range.end;
    }
    ranges
}

impl SourceCode for Picture {
    /// Every read with context gives the whole box, so that miette draws it as one; a range of two boxes is refused,
    /// so that it never joins them.
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let holds = |frame: &&Frame| frame.range.start <= start && end <= frame.range.end && start < frame.range.end;
        let frame = self.boxes.iter().find(holds).ok_or(MietteError::OutOfBounds)?;
        let range = if before > 0 { frame.range.clone() } else { start..end };
        let place = frame.places.iter().find(|(range, ..)| *range == (start..end));
        let (line, column) = match place {
            Some((_, line, column)) if before == 0 => (*line, *column),
            _ => (frame.line, 0),
        };
        let data = self.text.get(range.clone()).unwrap_or_default();
        let span = SourceSpan::new(range.start.into(), range.len());
        let contents =
            MietteSpanContents::new_named(frame.name.clone(), data.as_bytes(), span, line, column, frame.lines);
        Ok(Box::new(contents))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(text: &str, of: &str, primary: bool) -> Mark {
        let start = text.find(of).expect("the text holds it");
        Mark { span: Span::new(FileId(0), start, start + of.len()), primary }
    }

    fn separated(text: &str, spans: &[(&str, bool)]) -> Vec<(String, Vec<usize>)> {
        let marks: Vec<Mark> = spans.iter().map(|(of, primary)| mark(text, of, *primary)).collect();
        let here: Vec<usize> = (0..marks.len()).collect();
        separate(&here, &marks, text, 0..text.len()).into_iter().map(|(r, m)| (text[r].to_owned(), m)).collect()
    }

    #[test]
    fn the_inner_mark_keeps_its_place() {
        let text = "if not keep(d):";
        assert_eq!(
            separated(text, &[("not keep(d)", false), ("keep", false)]),
            [("not".to_owned(), vec![0]), ("keep".to_owned(), vec![1])]
        );
        assert_eq!(
            separated(text, &[("keep(d)", false), ("keep", true)]),
            [("keep".to_owned(), vec![1]), ("(d)".to_owned(), vec![0])]
        );
        assert_eq!(separated(text, &[("keep", false), ("keep", false)]), [("keep".to_owned(), vec![0, 1])]);
    }

    fn row(text: &str, of: &str, width: usize) -> (String, String) {
        let start = text.find(of).expect("the text holds it");
        let range = start..start + of.len();
        let row = Row::new(text, 0..text.len(), &[(range.clone(), vec![0])], width);
        let (from, to) = (row.at(range.start).0, row.at(range.end).0);
        let marked = row.text[from..to].to_owned();
        (row.text, marked)
    }

    #[test]
    fn tabs_and_controls_are_replaced() {
        assert_eq!(row("\tx\t= \u{1b}[2Jy", "y", 80), ("    x   = ?[2Jy".to_owned(), "y".to_owned()));
        assert_eq!(row("\u{feff}x", "x", 80), ("x".to_owned(), "x".to_owned()));
    }

    #[test]
    fn a_long_line_is_cut_around_its_mark() {
        let text = format!("{}delete(x){}", "a".repeat(200), "b".repeat(200));
        let (shown, marked) = row(&text, "delete", 60);
        assert_eq!(marked, "delete");
        assert!(shown.len() <= 60 && shown.starts_with("...") && shown.ends_with("..."), "{shown}");
        let (shown, marked) = row(&text, "aaaa", 60);
        assert_eq!(marked, "aaaa");
        assert!(shown.len() <= 60 && shown.starts_with("aaaa"), "{shown}");
        let long = "x".repeat(500);
        let (shown, _) = row(&long, &long, 60);
        assert!(shown.len() <= 63, "{shown}");
    }
}
