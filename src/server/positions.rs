//! Positions as editors count them: lines from 0, and in the line whatever was agreed on.
//!
//! ```text
//! "é🦀x"   the x stands at   6 in UTF-8   3 in UTF-16   2 in UTF-32
//! ```
//! A position behind the end of its line is the line's end, one within a character that character's start: so editors
//! have it, and so no position can do harm.

use lsp_types::{Position, PositionEncodingKind, Range};
use reaplint::report::lines::Lines;
use std::ops;

/// How characters of a line are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of 16 bits: what holds where nothing is agreed on.
    #[default]
    Utf16,
    /// Code points.
    Utf32,
}

impl Encoding {
    /// The first one that a client wants and that is known.
    pub fn agreed(wanted: &[PositionEncodingKind]) -> Encoding {
        let known = |kind: &PositionEncodingKind| match kind.as_str() {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        };
        wanted.iter().find_map(known).unwrap_or_default()
    }

    /// As the protocol names it.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn width(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
            Encoding::Utf32 => 1,
        }
    }

    /// Where a byte of a text stands.
    pub fn position(self, text: &str, lines: &Lines<'_>, offset: usize) -> Position {
        let line = lines.line_at(offset as u32);
        let start = lines.range(line).start;
        let before = text.get(start..offset).unwrap_or_default();
        let character: usize = before.chars().map(|c| self.width(c)).sum();
        Position::new(line as u32, character as u32)
    }

    /// A range of bytes.
    pub fn range(self, text: &str, lines: &Lines<'_>, bytes: ops::Range<usize>) -> Range {
        Range::new(self.position(text, lines, bytes.start), self.position(text, lines, bytes.end))
    }

    /// The byte of a position.
    pub fn offset(self, text: &str, lines: &Lines<'_>, at: Position) -> usize {
        let line = at.line as usize;
        if line >= lines.count() {
            return text.len();
        }
        let range = lines.range(line);
        let (mut left, mut offset) = (at.character as usize, range.start);
        for c in text.get(range).unwrap_or_default().chars() {
            let width = self.width(c);
            if left < width {
                break;
            }
            left -= width;
            offset += c.len_utf8();
        }
        offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    #[test]
    fn characters_are_counted_as_agreed() {
        let text = "a\né🦀x\r\n";
        let lines = Lines::new(text);
        let at = text.find('x').expect("an x");
        let columns = ALL.map(|e| e.position(text, &lines, at).character);
        assert_eq!(columns, [6, 3, 2]);
        for encoding in ALL {
            let position = encoding.position(text, &lines, at);
            assert_eq!(encoding.offset(text, &lines, position), at);
        }
    }

    #[test]
    fn positions_that_are_none() {
        let text = "é🦀\nb";
        let lines = Lines::new(text);
        let offset = |line, character| Encoding::Utf16.offset(text, &lines, Position::new(line, character));
        assert_eq!(offset(0, 2), 2, "within the crab");
        assert_eq!(offset(0, 99), 6, "behind the line");
        assert_eq!(offset(9, 9), text.len(), "behind the text");
    }

    #[test]
    fn the_clients_order_counts() {
        let kinds =
            |names: &[&str]| names.iter().map(|n| PositionEncodingKind::from(n.to_string())).collect::<Vec<_>>();
        assert_eq!(Encoding::agreed(&kinds(&["utf-8", "utf-16"])), Encoding::Utf8);
        assert_eq!(Encoding::agreed(&kinds(&["utf-7", "utf-32"])), Encoding::Utf32);
        assert_eq!(Encoding::agreed(&[]), Encoding::Utf16);
    }
}
