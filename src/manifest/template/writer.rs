//! Writes a text of known keys and values, each with the place it was written at elsewhere.

use super::{Hole, Piece, Rendered};
use crate::source::{FileId, Span};

/// A text that is put together.
#[derive(Debug)]
pub struct Writer {
    file: FileId,
    text: String,
    pieces: Vec<Piece>,
    holes: Vec<Hole>,
}

impl Writer {
    /// Nothing yet. `file` is the one that is linted.
    pub fn new(file: FileId) -> Writer {
        Writer { file, text: String::new(), pieces: vec![], holes: vec![] }
    }

    /// What was put together.
    pub fn done(self) -> Rendered {
        Rendered {
            text: self.text.into(),
            pieces: self.pieces,
            holes: self.holes,
            branches: vec![],
            valued: vec![],
            blocks: vec![],
            file: self.file,
        }
    }

    fn at(&self) -> u32 {
        self.text.len() as u32
    }

    fn put(&mut self, text: &str, from: Span) {
        let at = self.at();
        self.pieces.push(Piece { at, from, exact: false, via: None });
        self.text.push_str(text);
    }

    fn begin(&mut self, indent: usize) {
        if !self.text.is_empty() && !self.text.ends_with('\n') && !self.text.ends_with("- ") {
            self.text.push('\n');
        }
        if !self.text.ends_with("- ") {
            self.text.extend(std::iter::repeat_n(' ', indent));
        }
    }

    /// A key, with its value if that is a scalar.
    pub fn line(&mut self, indent: usize, key: &str, at: Span, value: Option<(&str, Span)>) {
        self.begin(indent);
        self.put(&quoted(key), at);
        self.text.push(':');
        if let Some((value, at)) = value {
            self.text.push(' ');
            self.put(&quoted(value), at);
        }
    }

    /// A key whose value is not known.
    pub fn open(&mut self, indent: usize, key: &str, at: Span, value: Span) {
        self.line(indent, key, at, None);
        self.text.push(' ');
        let from = self.at();
        self.put("x", value);
        self.holes.push(Hole { at: from, len: 1, indent: 0 });
    }

    /// The beginning of an item that is a map: its keys follow, indented by two more.
    pub fn item(&mut self, indent: usize, at: Span) {
        self.begin(indent);
        self.put("- ", at);
    }

    /// An item that is a scalar, or not known.
    pub fn element(&mut self, indent: usize, value: Option<&str>, at: Span) {
        self.begin(indent);
        self.text.push_str("- ");
        let from = self.at();
        match value {
            Some(value) => self.put(&quoted(value), at),
            None => {
                self.put("x", at);
                self.holes.push(Hole { at: from, len: 1, indent: 0 });
            }
        }
        self.text.push('\n');
    }

    /// Whole lines that may be anything.
    pub fn hole(&mut self, indent: usize) {
        self.text.push('\n');
        self.holes.push(Hole { at: self.at(), len: 0, indent: indent as u32 });
    }
}

/// A scalar that means the same in any place.
fn quoted(text: &str) -> String {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
    match plain && text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "''").replace(['\n', '\r'], " ")),
    }
}
