//! The cutter of languages with braces: definitions and called names of Go and Rust, without a syntax tree.
//!
//! Such a cutter needs to know where strings and comments are, and which brace closes which.
//!
//! ```text
//! type Reaper struct { .. }                  a class
//! func (r *Reaper) Sweep(ctx Context) {      a definition with the owner `Reaper`
//!     text := `func no() {`                  no definition begins in a string
//!     r.api.Delete(ctx, x)                   `Delete` is followed by a bracket: a called name
//! }                                          the brace that closes the first one ends it
//!
//! impl Sweep for Reaper {                    what stands in it has the owner `Reaper`
//!     fn sweep(&self) { .. }
//! }
//! #[cfg(test)] mod tests { .. }              a part that is tests
//! ```
//!
//! Broken text is met like this: a brace too many closes nothing, a definition that is never closed ends with the file.

use super::bytes::{byte, is_name_byte, past_spaces, slice};
use super::places::{Cut, Token};
use super::{Def, DefKind, hash_bytes};
use std::ops::Range;

/// Whose strings, comments and keywords they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Syntax {
    /// Go.
    Go,
    /// Rust.
    Rust,
}

/// Cuts one file; `places` asks for [`Cut::places`].
pub(super) fn cut(bytes: &[u8], syntax: Syntax, places: bool) -> Cut {
    let cutter = Cutter {
        bytes,
        syntax,
        out: Cut::default(),
        open: Vec::new(),
        head: None,
        recent: Recent { last: b'\n', before: b'\n', name: 0..0 },
        attribute: None,
        tested: None,
        group: None,
        want_places: places,
    };
    cutter.run()
}

/// What an open bracket holds.
enum Open {
    /// The body of a definition.
    Body(u32),
    /// Methods of a type, in a trait the trait.
    Methods(Range<u32>, Option<u32>),
    /// Tests, from here on.
    Tests(u32),
    /// Round, square, or a brace of no matter.
    Other,
}

/// A head that has been read and waits for its brace.
enum Head {
    /// A definition whose name is known.
    Def(u32),
    /// Methods of this type, in a trait the trait.
    Methods(Range<u32>, Option<u32>),
    /// A module of tests, from here on.
    Tests(u32),
}

struct Cutter<'a> {
    bytes: &'a [u8],
    syntax: Syntax,
    out: Cut,
    open: Vec<Open>,
    /// With how many brackets are open around it.
    head: Option<(Head, usize)>,
    recent: Recent,
    /// The last attribute says `test`: where it begins.
    attribute: Option<u32>,
    /// A test that is being read, and where it begins.
    tested: Option<(u32, u32)>,
    /// Inside `type ( .. )`: how many brackets are open.
    group: Option<usize>,
    want_places: bool,
}

/// What was read last.
struct Recent {
    /// The last byte that is no space; [`NAME`] for a name, a quote for a string.
    last: u8,
    /// What stands before the dotted name that `name` ends.
    before: u8,
    /// The last name.
    name: Range<usize>,
}

const NAME: u8 = b'a';

impl Cutter<'_> {
    fn run(mut self) -> Cut {
        let mut at = if self.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        while let Some(&b) = self.bytes.get(at) {
            at = match b {
                b' ' | b'\t' => at + 1,
                b'\n' | b'\r' => self.line_ends(at),
                b'/' if byte(self.bytes, at + 1) == b'/' => self.comment(at, line_end(self.bytes, at)),
                b'/' if byte(self.bytes, at + 1) == b'*' => {
                    let end = self.block_comment(at);
                    self.comment(at, end)
                }
                b'"' => self.string(at, at),
                b'`' if self.syntax == Syntax::Go => self.raw(at, at + 1, b"`"),
                b'\'' => self.rune(at),
                b'#' if self.syntax == Syntax::Rust => self.attribute(at),
                b if is_name_byte(b) => self.word(at),
                b => self.mark(at, b),
            };
        }
        let end = self.bytes.len() as u32;
        while let Some(open) = self.open.pop() {
            self.close(open, end);
        }
        self.out
    }

    /// Go ends a head without a body with its line.
    fn line_ends(&mut self, at: usize) -> usize {
        self.hand_on();
        if self.syntax == Syntax::Go && self.head.as_ref().is_some_and(|h| h.1 == self.open.len()) {
            self.drop_head(at);
        }
        self.recent.last = b'\n';
        at + 1
    }

    /// A head that never has a body ends here.
    fn drop_head(&mut self, at: usize) {
        if let Some((Head::Def(def), _)) = self.head.take()
            && let Some(def) = self.out.defs.get_mut(def as usize)
        {
            def.range.end = (at as u32).max(def.name.end);
        }
    }

    fn mark(&mut self, at: usize, b: u8) -> usize {
        match b {
            b'(' => {
                if self.recent.last == NAME {
                    self.call();
                }
                self.open.push(Open::Other);
            }
            b'[' => self.open.push(Open::Other),
            b'{' => self.brace(),
            b')' | b']' | b'}' => {
                self.hand_on();
                if let Some(open) = self.open.pop() {
                    self.close(open, at as u32 + 1);
                }
                if self.group.is_some_and(|depth| depth > self.open.len()) {
                    self.group = None;
                }
            }
            b',' => self.hand_on(),
            b';' => {
                self.hand_on();
                self.attribute = None;
                if self.head.as_ref().is_some_and(|h| h.1 == self.open.len()) {
                    self.drop_head(at);
                }
            }
            _ => {}
        }
        self.recent.last = b;
        at + 1
    }

    fn brace(&mut self) {
        let word = slice(self.bytes, self.recent.name.clone());
        let literal = self.recent.last == NAME && matches!(word, b"interface" | b"struct") && self.syntax == Syntax::Go;
        let waits = self.head.as_ref().is_some_and(|h| h.1 == self.open.len());
        let is_class = |def: &u32| self.out.defs.get(*def as usize).is_some_and(|d| d.kind == DefKind::Class);
        let takes = match &self.head {
            Some((Head::Def(def), _)) => !literal || is_class(def),
            _ => true,
        };
        let open = match self.head.take_if(|_| waits && takes) {
            Some((Head::Def(def), _)) => Open::Body(def),
            Some((Head::Methods(owner, def), _)) => Open::Methods(owner, def),
            Some((Head::Tests(at), _)) => Open::Tests(at),
            None => Open::Other,
        };
        self.open.push(open);
    }

    fn close(&mut self, open: Open, end: u32) {
        match open {
            Open::Body(def) => {
                if let Some((_, from)) = self.tested.take_if(|t| t.0 == def) {
                    self.tests_end(from, end);
                }
                if let Some(def) = self.out.defs.get_mut(def as usize) {
                    def.range.end = end.max(def.name.end);
                }
            }
            Open::Tests(start) => self.tests_end(start, end),
            Open::Methods(_, Some(def)) => {
                if let Some(def) = self.out.defs.get_mut(def as usize) {
                    def.range.end = end;
                }
            }
            Open::Methods(..) | Open::Other => {}
        }
    }

    fn tests_end(&mut self, start: u32, end: u32) {
        if !self.open.iter().any(|o| matches!(o, Open::Tests(_))) {
            self.out.places.tests.push(start..end);
        }
    }

    /// A name or keyword. Gives where to go on.
    fn word(&mut self, start: usize) -> usize {
        let end = start + slice(self.bytes, start..self.bytes.len()).iter().take_while(|b| is_name_byte(**b)).count();
        let word = slice(self.bytes, start..end);
        if self.syntax == Syntax::Rust
            && word.len() <= 2
            && let Some(end) = self.prefixed(start, end)
        {
            return end;
        }
        let fresh = !matches!(self.recent.last, b'.' | b':');
        let next = match (self.syntax, word) {
            (Syntax::Go, b"func") => self.go_function(start, end),
            (Syntax::Go, b"type") if self.at_top() => self.go_type(end),
            (Syntax::Go, b"import") if self.at_top() => Some(self.go_import(start, end)),
            (Syntax::Go, _) if self.in_group() => self.class(start, start..end),
            (Syntax::Rust, b"fn") if fresh => self.rust_function(start, end),
            (Syntax::Rust, b"struct" | b"enum" | b"union" | b"trait") if fresh => self.rust_type(start, end, word),
            (Syntax::Rust, b"impl") if self.recent.last != b'(' && self.begins_item() => self.rust_impl(end),
            (Syntax::Rust, b"mod") if fresh => self.rust_module(end),
            (Syntax::Rust, b"use") if self.begins_item() => Some(self.until_semicolon(start)),
            _ => None,
        };
        if let Some(next) = next {
            return next;
        }
        self.recent.named(start..end);
        end
    }

    fn at_top(&self) -> bool {
        self.open.is_empty() && self.recent.last == b'\n'
    }

    fn in_group(&self) -> bool {
        self.group == Some(self.open.len()) && self.recent.last == b'\n'
    }

    /// Does an item begin here: after a line, a block, a semicolon, an attribute, `pub`, `unsafe`?
    fn begins_item(&self) -> bool {
        matches!(self.recent.last, b'\n' | b'}' | b'{' | b';' | b']')
            || self.recent.last == NAME
                && matches!(slice(self.bytes, self.recent.name.clone()), b"pub" | b"unsafe" | b"default" | b"const")
            || self.recent.last == b')'
    }

    /// `func name(`, `func (r *Owner[T]) name(`; a function value has no name.
    fn go_function(&mut self, start: usize, end: usize) -> Option<usize> {
        if !self.at_top() {
            return None;
        }
        let mut at = past_spaces(self.bytes, end);
        let mut owner = 0..0;
        if byte(self.bytes, at) == b'(' {
            let close = at + slice(self.bytes, at..self.bytes.len()).iter().position(|b| *b == b')' || *b == b'{')?;
            owner = receiver_type(self.bytes, at + 1..close)?;
            at = past_spaces(self.bytes, close + 1);
        }
        let name = self.name_at(at)?;
        self.define(start, name.clone(), DefKind::Function, owner);
        Some(name.end)
    }

    fn go_type(&mut self, end: usize) -> Option<usize> {
        let at = past_spaces(self.bytes, end);
        if byte(self.bytes, at) == b'(' {
            self.open.push(Open::Other);
            self.group = Some(self.open.len());
            self.recent.last = b'(';
            return Some(at + 1);
        }
        let name = self.name_at(at)?;
        self.class(at, name)
    }

    /// A type with its name.
    fn class(&mut self, start: usize, name: Range<usize>) -> Option<usize> {
        self.define(start, name.clone(), DefKind::Class, 0..0);
        Some(name.end)
    }

    fn go_import(&mut self, start: usize, end: usize) -> usize {
        let at = past_spaces(self.bytes, end);
        let stop = if byte(self.bytes, at) == b'(' { b')' } else { b'\n' };
        let rest = slice(self.bytes, at..self.bytes.len());
        let end = at + memchr::memchr(stop, rest).map_or(rest.len(), |n| n + usize::from(stop == b')'));
        self.idle(start, end);
        end
    }

    fn rust_function(&mut self, start: usize, end: usize) -> Option<usize> {
        let at = past_blanks(self.bytes, end);
        let name = self.name_at(at)?;
        let owner = self.open.iter().rev().find_map(|o| match o {
            Open::Methods(owner, _) => Some(Some(owner.clone())),
            Open::Body(_) => Some(None),
            _ => None,
        });
        if let Some(from) = self.attribute.take() {
            self.tested = Some((self.out.defs.len() as u32, from));
        }
        self.define(start, name.clone(), DefKind::Function, owner.flatten().unwrap_or(0..0));
        Some(name.end)
    }

    fn rust_type(&mut self, start: usize, end: usize, word: &[u8]) -> Option<usize> {
        let name = self.name_at(past_blanks(self.bytes, end))?;
        self.attribute = None;
        if word == b"union" && !self.begins_item() {
            return None;
        }
        self.define(start, name.clone(), DefKind::Class, 0..0);
        if word == b"trait" {
            let def = self.out.defs.len().checked_sub(1).map(|d| d as u32);
            self.head = Some((Head::Methods(name.start as u32..name.end as u32, def), self.open.len()));
        }
        Some(name.end)
    }

    /// `impl<T> Sweep for Reaper<T> {`
    fn rust_impl(&mut self, end: usize) -> Option<usize> {
        let rest = slice(self.bytes, end..self.bytes.len());
        let head = end..end + rest.iter().position(|b| matches!(b, b'{' | b';'))?;
        let owner = implemented(self.bytes, head.clone())?;
        self.attribute = None;
        self.head = Some((Head::Methods(owner, None), self.open.len()));
        self.recent.last = b'>';
        Some(head.end)
    }

    fn rust_module(&mut self, end: usize) -> Option<usize> {
        let name = self.name_at(past_blanks(self.bytes, end))?;
        let tests = self.attribute.take();
        if let Some(start) = tests {
            self.head = Some((Head::Tests(start), self.open.len()));
        }
        self.recent.named(name.clone());
        Some(name.end)
    }

    fn until_semicolon(&mut self, start: usize) -> usize {
        let rest = slice(self.bytes, start..self.bytes.len());
        let end = start + memchr::memchr(b';', rest).unwrap_or(rest.len());
        self.idle(start, end);
        end
    }

    /// `#[cfg(test)]`, `#[tokio::test]`, `#![..]`
    fn attribute(&mut self, start: usize) -> usize {
        let open = start + 1 + usize::from(byte(self.bytes, start + 1) == b'!');
        if byte(self.bytes, open) != b'[' {
            self.recent.last = b'#';
            return start + 1;
        }
        let (mut at, mut depth) = (open, 0u32);
        while let Some(&b) = self.bytes.get(at) {
            match b {
                b'[' => depth += 1,
                b']' => depth -= 1,
                b'"' => {
                    at = quoted_end(self.bytes, at);
                    continue;
                }
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        let text = slice(self.bytes, open..at);
        let word = text.split(|b| !is_name_byte(*b)).any(|w| w == b"test" || w == b"rstest" || w == b"test_case");
        if word && memchr::memmem::find(text, b"not(test").is_none() {
            self.attribute = Some(self.attribute.unwrap_or(start as u32));
        }
        self.idle(start, at);
        self.recent.last = b'\n';
        at
    }

    fn name_at(&self, at: usize) -> Option<Range<usize>> {
        let raw = self.syntax == Syntax::Rust && slice(self.bytes, at..at + 2) == b"r#";
        let at = if raw { at + 2 } else { at };
        let rest = slice(self.bytes, at..self.bytes.len());
        let length = rest.iter().take_while(|b| is_name_byte(**b)).count();
        (length > 0 && !byte(self.bytes, at).is_ascii_digit()).then_some(at..at + length)
    }

    fn define(&mut self, start: usize, name: Range<usize>, kind: DefKind, owner: Range<u32>) {
        let def = self.out.defs.len() as u32;
        let start = start as u32;
        let parent = self.open.iter().rev().find_map(|o| match o {
            Open::Body(def) => Some(*def),
            _ => None,
        });
        self.out.names.push(hash_bytes(slice(self.bytes, name.clone())));
        if self.want_places {
            self.out.places.heads.push(start..name.end as u32);
        }
        self.out.defs.push(Def {
            name: name.start as u32..name.end as u32,
            range: start..name.end as u32,
            decorators: start..start,
            kind,
            owner,
            parent,
            hit: false,
            mention: false,
        });
        self.head = Some((Head::Def(def), self.open.len()));
        self.recent.named(name);
        // A name that is being defined is not called.
        self.recent.last = b' ';
    }

    fn comment(&mut self, start: usize, end: usize) -> usize {
        self.token(start, end, true);
        end
    }

    /// Rust's nest.
    fn block_comment(&self, start: usize) -> usize {
        let (mut at, mut depth) = (start + 2, 1);
        while depth > 0 {
            let rest = slice(self.bytes, at..self.bytes.len());
            let Some(found) = memchr::memchr2(b'*', b'/', rest) else { return self.bytes.len() };
            at += found;
            match (byte(self.bytes, at), byte(self.bytes, at + 1)) {
                (b'*', b'/') => {
                    depth -= 1;
                    at += 2;
                }
                (b'/', b'*') if self.syntax == Syntax::Rust => {
                    depth += 1;
                    at += 2;
                }
                _ => at += 1,
            }
        }
        at
    }

    fn string(&mut self, start: usize, quote: usize) -> usize {
        let end = match self.syntax {
            Syntax::Go => line_string_end(self.bytes, quote),
            Syntax::Rust => quoted_end(self.bytes, quote),
        };
        self.text(start, end)
    }

    /// A string without escapes that begins behind `from` and ends with `close`.
    fn raw(&mut self, start: usize, from: usize, close: &[u8]) -> usize {
        let rest = slice(self.bytes, from..self.bytes.len());
        let end = from + memchr::memmem::find(rest, close).map_or(rest.len(), |n| n + close.len());
        self.text(start, end)
    }

    fn text(&mut self, start: usize, end: usize) -> usize {
        self.token(start, end, false);
        self.recent.last = b'"';
        end
    }

    /// `b"..."`, `r#"..."#`: a string whose prefix was read as a name.
    fn prefixed(&mut self, start: usize, end: usize) -> Option<usize> {
        let prefix = slice(self.bytes, start..end);
        if !matches!(prefix, b"r" | b"b" | b"br" | b"c" | b"cr") {
            return None;
        }
        let hashes = slice(self.bytes, end..self.bytes.len()).iter().take_while(|b| **b == b'#').count();
        let raw = prefix.contains(&b'r');
        match byte(self.bytes, end + hashes) {
            b'"' if raw => {
                let mut close = vec![b'"'];
                close.resize(hashes + 1, b'#');
                Some(self.raw(start, end + hashes + 1, &close))
            }
            b'"' if hashes == 0 => Some(self.string(start, end)),
            b'\'' if hashes == 0 && prefix == b"b" => Some(self.rune(end)),
            _ => None,
        }
    }

    /// `'x'`, `'\n'`; in Rust also the lifetime `'a`.
    fn rune(&mut self, start: usize) -> usize {
        let width = match byte(self.bytes, start + 1) {
            b'\\' => {
                let rest = slice(self.bytes, start + 3..self.bytes.len().min(start + 16));
                rest.iter().position(|b| *b == b'\'').map_or(1, |n| n + 2)
            }
            0..0x80 => 1,
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            0xf0.. => 4,
        };
        let close = start + 1 + width;
        self.recent.last = b'\'';
        if byte(self.bytes, close) == b'\'' { close + 1 } else { start + 1 }
    }

    fn token(&mut self, start: usize, end: usize, remark: bool) {
        if self.want_places {
            self.out.places.tokens.push(Token { range: start as u32..end as u32, remark });
        }
    }

    fn idle(&mut self, start: usize, end: usize) {
        if self.want_places {
            self.out.places.idle.push(start as u32..end as u32);
        }
    }

    fn call(&mut self) {
        let name = slice(self.bytes, self.recent.name.clone());
        if !name.first().is_some_and(u8::is_ascii_digit) {
            self.out.calls.push(hash_bytes(name));
        }
    }

    /// What ends here may be a value that is handed on.
    fn hand_on(&mut self) {
        if self.recent.last == NAME && matches!(self.recent.before, b'(' | b',' | b'=' | b'[' | b'{' | b':' | b'&') {
            self.call();
        }
    }
}

impl Recent {
    fn named(&mut self, name: Range<usize>) {
        if self.last != b'.' {
            self.before = self.last;
        }
        self.last = NAME;
        self.name = name;
    }
}

fn line_end(bytes: &[u8], at: usize) -> usize {
    let rest = slice(bytes, at..bytes.len());
    at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}

/// One past a string that ends with its line at the latest.
fn line_string_end(bytes: &[u8], quote: usize) -> usize {
    let mut at = quote + 1;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'"' => return at + 1,
            b'\n' => return at,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// One past a string that may have several lines.
fn quoted_end(bytes: &[u8], quote: usize) -> usize {
    let mut at = quote + 1;
    while let Some(found) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found;
        if byte(bytes, at) == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

/// Past spaces and line breaks.
fn past_blanks(bytes: &[u8], at: usize) -> usize {
    at + slice(bytes, at..bytes.len()).iter().take_while(|b| b.is_ascii_whitespace()).count()
}

/// The name of the type of a Go receiver: `r *pkg.Reaper[T]` has no package, so it is `Reaper`.
fn receiver_type(bytes: &[u8], range: Range<usize>) -> Option<Range<u32>> {
    let text = slice(bytes, range.clone());
    let end = text.iter().position(|b| *b == b'[').unwrap_or(text.len());
    let end = text.get(..end)?.iter().rposition(|b| is_name_byte(*b))? + 1;
    let start = text.get(..end)?.iter().rposition(|b| !is_name_byte(*b)).map_or(0, |n| n + 1);
    Some((range.start + start) as u32..(range.start + end) as u32)
}

/// The name of the type that an `impl` is for, out of its head.
fn implemented(bytes: &[u8], head: Range<usize>) -> Option<Range<u32>> {
    let text = slice(bytes, head.clone());
    let mut depth = 0i32;
    let (mut from, mut at) = (0, 0);
    while let Some(&b) = text.get(at) {
        match b {
            b'<' => depth += 1,
            b'>' if at > 0 && text.get(at - 1) != Some(&b'-') => depth -= 1,
            b'f' if depth == 0 && is_word(text, at, b"for") => from = at + 3,
            b'w' if depth == 0 && is_word(text, at, b"where") => break,
            _ => {}
        }
        at += 1;
        if depth == 0 && b == b'>' && from == 0 && text.get(..at)?.trim_ascii_start().first() == Some(&b'<') {
            from = at;
        }
    }
    let subject = text.get(from..at)?;
    let end = subject.iter().enumerate().skip_while(|(_, b)| !is_name_byte(**b));
    let end =
        end.skip_while(|(_, b)| is_name_byte(**b) || matches!(**b, b':' | b'&' | b'\'' | b' ')).map(|x| x.0).next();
    let path = subject.get(..end.unwrap_or(subject.len()))?;
    let end = path.iter().rposition(|b| is_name_byte(*b))? + 1;
    let start = path.get(..end)?.iter().rposition(|b| !is_name_byte(*b)).map_or(0, |n| n + 1);
    let base = head.start + from;
    Some((base + start) as u32..(base + end) as u32)
}

fn is_word(text: &[u8], at: usize, word: &[u8]) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(word))
        && !at.checked_sub(1).and_then(|i| text.get(i)).is_some_and(|b| is_name_byte(*b))
        && !text.get(at + word.len()).is_some_and(|b| is_name_byte(*b) || *b == b'<')
}
