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

use super::bytes::{before_while, is_name_byte, past_spaces, slice};
use super::places::{Cut, Token};
use super::strings::Strings;
use super::{Def, DefKind, hash_bytes};
use std::ops::Range;

/// Cuts one file; `places` asks for [`Cut::places`].
pub(super) fn cut(bytes: &[u8], places: bool) -> Cut {
    let cutter = Cutter {
        bytes,
        strings: Strings::new(bytes),
        out: Cut::default(),
        open: Vec::new(),
        decorators: None,
        last_end: 0,
        want_places: places,
    };
    cutter.run()
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
    want_places: bool,
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
        if self.want_places {
            self.out.places.idle.push(start as u32..end as u32);
        }
        if word.is_empty() {
            return;
        }
        let statement = slice(self.bytes, start..end);
        for at in memchr::memmem::find_iter(statement, b" as ") {
            if let Some(name) = name_before(statement, at) {
                self.out.calls.push(hash_bytes(name));
            }
        }
    }

    fn define(&mut self, start: usize, column: u32, name: Range<usize>, kind: DefKind) {
        let def = self.out.defs.len() as u32;
        let start = start as u32;
        self.out.names.push(hash_bytes(slice(self.bytes, name.clone())));
        self.out.defs.push(Def {
            name: name.start as u32..name.end as u32,
            range: start..name.end as u32,
            decorators: self.decorators.take().map_or(start..start, |from| from..start),
            kind,
            owner: 0..0,
            parent: self.open.last().map(|open| open.def),
            hit: false,
            mention: false,
        });
        self.open.push(Open { def, column });
    }

    /// Passes a comment; gives its end, before the line break.
    fn comment(&mut self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let end = at + memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        self.token(at, end, true);
        end
    }

    #[inline]
    fn token(&mut self, start: usize, end: usize, remark: bool) {
        if self.want_places {
            self.out.places.tokens.push(Token { range: start as u32..end as u32, remark });
        }
    }

    /// Reads to the end of the statement's line, over all lines that brackets, strings and backslashes join to it.
    /// Called names are collected on the way. `whole`: the statement begins here.
    fn tokens(&mut self, start: usize, whole: bool) -> usize {
        let bytes = self.bytes;
        let (mut at, mut depth, mut code_end) = (start, 0u32, bytes.len());
        let mut recent = Recent { last: b'\n', before: b'\n', name: start..start };
        while let Some(&b) = bytes.get(at) {
            match class(b) {
                Class::Space => at += 1,
                Class::Name => {
                    let end = name_end(bytes, at);
                    match quote_after_prefix(bytes, at, end) {
                        Some(quote) => {
                            at = self.string(at, quote, whole && at == start);
                            recent.last = b'"';
                        }
                        None => {
                            recent.named(at..end);
                            at = end;
                        }
                    }
                }
                Class::Quote => {
                    at = self.string(at, at, whole && at == start);
                    recent.last = b'"';
                }
                Class::Open => {
                    if b == b'(' && recent.last == NAME {
                        self.call(recent.name.clone());
                    }
                    depth += 1;
                    recent.last = b;
                    at += 1;
                }
                Class::Close => {
                    self.hand_on(&recent);
                    depth = depth.saturating_sub(u32::from(b != b','));
                    recent.last = b;
                    at += 1;
                }
                Class::Hash => {
                    let comment = at;
                    at = self.comment(at);
                    if depth == 0 {
                        code_end = comment;
                        break;
                    }
                }
                Class::Newline => {
                    at += 1;
                    if depth == 0 || definition(bytes, past_spaces(bytes, at)).is_some() {
                        code_end = at;
                        break;
                    }
                }
                Class::Backslash => at += if slice(bytes, at + 1..at + 3) == b"\r\n" { 3 } else { 2 },
                Class::Other => {
                    recent.last = b;
                    at += 1;
                }
            }
        }
        self.last_end = trimmed(bytes, start, code_end);
        self.hand_on(&recent);
        at.min(bytes.len())
    }

    /// Passes a string; `alone` if a statement begins with it: a docstring.
    #[inline]
    fn string(&mut self, start: usize, quote: usize, alone: bool) -> usize {
        let prefix = slice(self.bytes, start..quote);
        let end = if prefix.is_empty() { self.strings.plain(quote) } else { self.strings.end(prefix, quote) };
        self.token(start, end, alone);
        end
    }

    #[inline]
    fn call(&mut self, name: Range<usize>) {
        let name = slice(self.bytes, name);
        if !name.first().is_some_and(u8::is_ascii_digit) {
            self.out.calls.push(hash_bytes(name));
        }
    }

    /// What ends here may be a value that is handed on: argument, keyword, element, decorator.
    #[inline]
    fn hand_on(&mut self, recent: &Recent) {
        if recent.last == NAME && matches!(recent.before, b'(' | b',' | b'=' | b'[' | b'{' | b':' | b'@') {
            self.call(recent.name.clone());
        }
    }
}

/// What was read last in a statement.
struct Recent {
    /// The last byte that is no space; [`NAME`] for a name, a quote for a string.
    last: u8,
    /// What stands before the dotted name that `name` ends.
    before: u8,
    /// The last name.
    name: Range<usize>,
}

const NAME: u8 = b'a';

impl Recent {
    #[inline]
    fn named(&mut self, name: Range<usize>) {
        if self.last != b'.' {
            self.before = self.last;
        }
        self.last = NAME;
        self.name = name;
    }
}

#[inline]
fn name_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|b| class(*b) != Class::Name).unwrap_or(rest.len())
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
    slice(bytes, at..name_end(bytes, at))
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
    let after = past_spaces(bytes, end);
    let head = match kind {
        DefKind::Function => matches!(bytes.get(after), Some(b'(' | b'[' | b'\\')),
        DefKind::Class => matches!(bytes.get(after), Some(b'(' | b'[' | b':' | b'\\')),
    };
    (end > name && head).then_some((name..end, kind))
}

/// A word that spaces follow, and where they end.
fn spaced_word(bytes: &[u8], at: usize) -> Option<(&[u8], usize)> {
    let end = name_end(bytes, at);
    let next = past_spaces(bytes, end);
    (next > end).then_some((bytes.get(at..end)?, next))
}

/// The name that ends here.
fn name_before(bytes: &[u8], end: usize) -> Option<&[u8]> {
    let start = before_while(bytes, end, is_name_byte);
    (start < end).then(|| slice(bytes, start..end))
}

/// Before the spaces, line breaks and joins that end at `end`.
fn trimmed(bytes: &[u8], start: usize, end: usize) -> usize {
    let text = slice(bytes, start..end);
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0c | b'\\');
    start + text.iter().rposition(|b| !blank(b)).map_or(0, |i| i + 1)
}
