//! The cutter of Python: definitions and called names without a syntax tree.
//!
//! Python gives a definition by its indentation, so a cutter needs to know three things: where a statement begins,
//! how far it is indented, and with which word it begins.
//!
//! ```text
//! class Reaper:                    opens a definition at column 0
//!     @retry(                      a decorator: kept for the next definition
//!         times=3)                 no statement begins here, a bracket is open
//!     def run(self, lab):          opens a definition at column 4, inside Reaper
//!         text = """               no statement begins inside a string
//! def no_definition(): ...
//! """
//!         self.api.delete(lab)     `delete` is followed by a bracket: a called name
//!     # done                       a comment closes nothing
//! LIMIT = 3                        column 0: closes `run` and `Reaper`, which end after `delete(lab)`
//! ```
//!
//! Broken text is met like this: a bracket that is never closed ends where a line begins with a definition, for no
//! expression can; a string without an end ends with its line, or with the file if it has three quotes.

use super::strings::Strings;
use super::{Def, DefKind, hash_bytes};
use std::ops::Range;

/// A comment or string, by its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Token {
    pub(super) range: Range<u32>,
    pub(super) kind: TokenKind,
}

/// What stands in a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TokenKind {
    /// A comment, or a string that is a statement of its own.
    Remark,
    /// A string that is a value.
    Text,
}

/// What the cutter found.
#[derive(Default)]
pub(super) struct Cut {
    pub(super) defs: Vec<Def>,
    /// Hashes of the names of `defs`.
    pub(super) names: Vec<u32>,
    /// Hashes of called names, as they come.
    pub(super) calls: Vec<u32>,
    /// Comments and strings in order, if asked for.
    pub(super) tokens: Vec<Token>,
    /// Imports and decorators in order, if asked for: nothing in them runs when the program does its work.
    pub(super) idle: Vec<Range<u32>>,
}

/// Cuts one file; `tokens` asks for [`Cut::tokens`] and [`Cut::idle`].
pub(super) fn cut(bytes: &[u8], tokens: bool) -> Cut {
    let cutter = Cutter {
        bytes,
        strings: Strings::new(bytes),
        out: Cut::default(),
        open: Vec::new(),
        decorators: None,
        last_end: 0,
        want_tokens: tokens,
    };
    cutter.run()
}

/// Is this a byte of a name or number? Bytes outside ASCII are: no operator of Python is written with them.
#[inline]
pub(super) fn is_name_byte(b: u8) -> bool {
    class(b) == Class::Name
}

/// Is `from..to` a whole name?
pub(super) fn is_name_at(bytes: &[u8], from: usize, to: usize) -> bool {
    let before = from.checked_sub(1).and_then(|i| bytes.get(i)).is_some_and(|b| is_name_byte(*b));
    let after = bytes.get(to).is_some_and(|b| is_name_byte(*b));
    !before && !after
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    Name,
    Quote,
    Open,
    /// Brackets that close, and the comma: what ends a value.
    Close,
    Hash,
    Newline,
    Backslash,
    Other,
}

static CLASSES: [Class; 256] = {
    let mut table = [Class::Other; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = match b as u8 {
            b' ' | b'\t' | 0x0c => Class::Space,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80.. => Class::Name,
            b'"' | b'\'' => Class::Quote,
            b'(' | b'[' | b'{' => Class::Open,
            b')' | b']' | b'}' | b',' => Class::Close,
            b'#' => Class::Hash,
            b'\n' | b'\r' => Class::Newline,
            b'\\' => Class::Backslash,
            _ => Class::Other,
        };
        b += 1;
    }
    table
};

#[inline(always)]
fn class(b: u8) -> Class {
    CLASSES[b as usize]
}

/// A definition whose body is being read.
struct Open {
    def: u32,
    column: u32,
}

struct Cutter<'a> {
    bytes: &'a [u8],
    strings: Strings<'a>,
    out: Cut,
    /// From the outermost to the innermost.
    open: Vec<Open>,
    /// Where the decorators for the next definition begin.
    decorators: Option<u32>,
    /// The end of the last statement.
    last_end: usize,
    want_tokens: bool,
}

impl Cutter<'_> {
    fn run(mut self) -> Cut {
        let mut at = if self.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        while let Some((start, column)) = self.next_statement(at) {
            self.close(column);
            at = self.statement(start, column);
        }
        self.close(0);
        let Cutter { bytes, strings, mut out, .. } = self;
        out.calls.extend(strings.calls.iter().filter_map(|at| name_before(bytes, *at)).map(hash_bytes));
        out
    }

    /// Passes blank lines and comments. Gives the first byte of the next statement and its column, a tab reaching to
    /// the next multiple of eight.
    fn next_statement(&mut self, mut at: usize) -> Option<(usize, u32)> {
        let mut column = 0u32;
        loop {
            match *self.bytes.get(at)? {
                b' ' => column += 1,
                b'\t' => column = (column | 7) + 1,
                b'\n' | b'\r' | 0x0c => column = 0,
                b'#' => {
                    at = self.comment(at);
                    continue;
                }
                _ => return Some((at, column)),
            }
            at += 1;
        }
    }

    /// Ends the definitions that a statement at this column is not part of.
    fn close(&mut self, column: u32) {
        while self.open.last().is_some_and(|open| open.column >= column) {
            let Some(open) = self.open.pop() else { return };
            if let Some(def) = self.out.defs.get_mut(open.def as usize) {
                def.range.end = (self.last_end as u32).max(def.name.end);
            }
        }
    }

    /// Reads one statement, or its head if it has a body. Gives where to go on.
    fn statement(&mut self, start: usize, column: u32) -> usize {
        let word = word_at(self.bytes, start);
        let mut after = start;
        let mut idle = false;
        match word {
            b"def" | b"class" | b"async" => {
                if let Some((name, kind)) = definition(self.bytes, start) {
                    after = name.end;
                    self.define(start, column, name, kind);
                }
            }
            b"from" | b"import" => idle = true,
            b"" if self.bytes.get(start) == Some(&b'@') => {
                idle = true;
                self.decorators.get_or_insert(start as u32);
            }
            _ => {}
        }
        if self.bytes.get(start) != Some(&b'@') {
            self.decorators = None;
        }
        let next = self.tokens(after, after == start);
        if idle {
            self.idle(start, next, word);
        }
        next
    }

    /// An import or decorator. What is imported under another name counts as called: the calls name the other one.
    fn idle(&mut self, start: usize, end: usize, word: &[u8]) {
        if self.want_tokens {
            self.out.idle.push(start as u32..end as u32);
        }
        if word.is_empty() {
            return;
        }
        let statement = self.bytes.get(start..end).unwrap_or_default();
        for at in memchr::memmem::find_iter(statement, b" as ") {
            if let Some(name) = name_before(statement, at) {
                self.out.calls.push(hash_bytes(name));
            }
        }
    }

    fn define(&mut self, start: usize, column: u32, name: Range<usize>, kind: DefKind) {
        let def = self.out.defs.len() as u32;
        let start = start as u32;
        self.out.names.push(hash_bytes(self.bytes.get(name.clone()).unwrap_or_default()));
        self.out.defs.push(Def {
            name: name.start as u32..name.end as u32,
            range: start..name.end as u32,
            decorators: self.decorators.take().map_or(start..start, |from| from..start),
            kind,
            parent: self.open.last().map(|open| open.def),
            hit: false,
        });
        self.open.push(Open { def, column });
    }

    /// Passes a comment; gives its end, before the line break.
    fn comment(&mut self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let end = at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        self.token(at, end, TokenKind::Remark);
        end
    }

    #[inline]
    fn token(&mut self, start: usize, end: usize, kind: TokenKind) {
        if self.want_tokens {
            self.out.tokens.push(Token { range: start as u32..end as u32, kind });
        }
    }

    /// Reads to the end of the statement's line, over all lines that brackets, strings and backslashes join to it.
    /// Called names are collected on the way.
    fn tokens(&mut self, start: usize, from_start: bool) -> usize {
        let bytes = self.bytes;
        let mut at = start;
        let mut depth = 0u32;
        // The last byte that is no space; `a` for a name, `"` for a string.
        let mut last = b'\n';
        let mut name = start..start;
        // What stood before the dotted name that `name` ends.
        let mut before = b'\n';
        let mut code_end = bytes.len();
        while let Some(&b) = bytes.get(at) {
            match class(b) {
                Class::Space => at += 1,
                Class::Name => {
                    let end = name_end(bytes, at);
                    if let Some(quote) = quote_after_prefix(bytes, at, end) {
                        at = self.string(at, quote, from_start && at == start);
                        last = b'"';
                        continue;
                    }
                    if last != b'.' {
                        before = last;
                    }
                    name = at..end;
                    at = end;
                    last = b'a';
                }
                Class::Quote => {
                    at = self.string(at, at, from_start && at == start);
                    last = b'"';
                }
                Class::Open => {
                    if b == b'(' && last == b'a' {
                        self.call(name.clone());
                    }
                    depth += 1;
                    last = b;
                    at += 1;
                }
                Class::Close => {
                    if last == b'a' && may_hand_on(before) {
                        self.call(name.clone());
                    }
                    depth = depth.saturating_sub(u32::from(b != b','));
                    last = b;
                    at += 1;
                }
                Class::Hash => {
                    code_end = at;
                    at = self.comment(at);
                    if depth == 0 {
                        break;
                    }
                }
                Class::Newline => {
                    at += 1;
                    if depth == 0 || definition(bytes, line_start(bytes, at)).is_some() {
                        code_end = at;
                        break;
                    }
                }
                Class::Backslash => at += if bytes.get(at + 1..at + 3) == Some(b"\r\n") { 3 } else { 2 },
                Class::Other => {
                    last = b;
                    at += 1;
                }
            }
        }
        self.last_end = trimmed(bytes, start, code_end);
        if last == b'a' && may_hand_on(before) {
            self.call(name);
        }
        at.min(bytes.len())
    }

    /// Passes a string; `alone` if a statement begins with it: a docstring.
    #[inline]
    fn string(&mut self, start: usize, quote: usize, alone: bool) -> usize {
        let prefix = self.bytes.get(start..quote).unwrap_or_default();
        let end = if prefix.is_empty() { self.strings.plain(quote) } else { self.strings.end(prefix, quote) };
        self.token(start, end, if alone { TokenKind::Remark } else { TokenKind::Text });
        end
    }

    #[inline]
    fn call(&mut self, name: Range<usize>) {
        let name = self.bytes.get(name).unwrap_or_default();
        if !name.first().is_some_and(u8::is_ascii_digit) {
            self.out.calls.push(hash_bytes(name));
        }
    }
}

/// May a name after this byte be a value that is handed on: argument, keyword, element, decorator?
#[inline]
fn may_hand_on(before: u8) -> bool {
    matches!(before, b'(' | b',' | b'=' | b'[' | b'{' | b':' | b'@')
}

#[inline]
fn name_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|b| !is_name_byte(*b)).unwrap_or(rest.len())
}

/// The quote after a name that is a string's prefix: `rb"..."`.
#[inline]
fn quote_after_prefix(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    if end - start > 3 || !matches!(bytes.get(end), Some(b'"' | b'\'')) {
        return None;
    }
    let letters = bytes.get(start..end)?;
    letters.iter().all(|b| b"rbuftRBUFT".contains(b)).then_some(end)
}

fn word_at(bytes: &[u8], at: usize) -> &[u8] {
    bytes.get(at..name_end(bytes, at)).unwrap_or_default()
}

/// Past the spaces at the head of a line.
#[inline]
fn line_start(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t')) {
        at += 1;
    }
    at
}

/// The name and kind of the definition that begins here.
#[inline]
fn definition(bytes: &[u8], at: usize) -> Option<(Range<usize>, DefKind)> {
    if !matches!(bytes.get(at), Some(b'a' | b'c' | b'd')) {
        return None;
    }
    let (word, next) = spaced_word(bytes, at)?;
    let (kind, name) = match word {
        b"def" => (DefKind::Function, next),
        b"class" => (DefKind::Class, next),
        b"async" => {
            let (word, next) = spaced_word(bytes, next)?;
            (word == b"def").then_some((DefKind::Function, next))?
        }
        _ => return None,
    };
    let end = name_end(bytes, name);
    let after = line_start(bytes, end);
    let head = match kind {
        DefKind::Function => matches!(bytes.get(after), Some(b'(' | b'[' | b'\\')),
        DefKind::Class => matches!(bytes.get(after), Some(b'(' | b'[' | b':' | b'\\')),
    };
    (end > name && head).then_some((name..end, kind))
}

/// A word that spaces follow, and where they end.
fn spaced_word(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let end = name_end(bytes, at);
    let next = line_start(bytes, end);
    (next > end).then_some((bytes.get(at..end)?, next))
}

/// The name that ends here.
fn name_before(bytes: &[u8], end: usize) -> Option<&[u8]> {
    let head = bytes.get(..end)?;
    let start = head.iter().rposition(|b| !is_name_byte(*b)).map_or(0, |i| i + 1);
    (start < end).then_some(head.get(start..)?)
}

/// Before the spaces, line breaks and joins that end at `end`.
fn trimmed(bytes: &[u8], start: usize, end: usize) -> usize {
    let text = bytes.get(start..end).unwrap_or_default();
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0c | b'\\');
    start + text.iter().rposition(|b| !blank(b)).map_or(0, |i| i + 1)
}
