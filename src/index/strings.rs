//! Where a Python string ends.
//!
//! ```text
//! 'a\'b'   r"\""   """a "quoted" word"""      a backslash keeps the next byte from ending it, in raw strings too
//! f"{d["key"]:{width}}"                       a replacement field holds code, with strings of its own
//! 'no end                                     ends with its line
//! ```

/// How deep replacement fields are followed into one another; deeper ones are read as text.
const NESTING: u32 = 16;
/// How many bytes a replacement field may take before it counts as text with a stray brace.
const FIELD: usize = 1 << 14;
/// After so many stray braces in one file every string is read as text, so that no file takes long.
const STRAY: u32 = 8;

/// Skips strings of one file.
pub(super) struct Strings<'a> {
    bytes: &'a [u8],
    stray: u32,
    /// Where a parenthesis stands that opens a call inside a replacement field.
    pub(super) calls: Vec<usize>,
}

impl<'a> Strings<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Strings { bytes, stray: 0, calls: Vec::new() }
    }

    /// The end of the string whose first quote stands at `quote`, after `prefix`.
    pub(super) fn end(&mut self, prefix: &[u8], quote: usize) -> usize {
        let fields = prefix.iter().any(|b| matches!(b, b'f' | b'F' | b't' | b'T'));
        if fields && self.stray < STRAY {
            let calls = self.calls.len();
            let limit = |at: usize| at.saturating_add(FIELD);
            match self.with_fields(quote, limit(quote), 0) {
                Some(end) => return end,
                None => {
                    self.stray += 1;
                    self.calls.truncate(calls);
                }
            }
        }
        self.plain(quote)
    }

    /// The end of a string without replacement fields.
    #[inline]
    pub(super) fn plain(&self, quote: usize) -> usize {
        let bytes = self.bytes;
        let Some(&mark) = bytes.get(quote) else { return bytes.len() };
        if self.is_triple(quote, mark) {
            return self.triple(quote + 3, mark);
        }
        let mut at = quote + 1;
        while let Some(&b) = bytes.get(at) {
            if b == mark {
                return at + 1;
            }
            match b {
                b'\\' => at += self.escaped(at),
                b'\n' | b'\r' => return at,
                _ => at += 1,
            }
        }
        bytes.len()
    }

    fn triple(&self, mut at: usize, mark: u8) -> usize {
        while let Some(found) = self.bytes.get(at..).and_then(|rest| memchr::memchr2(mark, b'\\', rest)) {
            at += found;
            if self.bytes.get(at) == Some(&b'\\') {
                at += 2;
            } else if self.is_triple(at, mark) {
                return at + 3;
            } else {
                at += 1;
            }
        }
        self.bytes.len()
    }

    #[inline]
    fn is_triple(&self, at: usize, mark: u8) -> bool {
        self.bytes.get(at..at + 3) == Some(&[mark; 3])
    }

    /// The bytes a backslash takes with it: a line break of two bytes is one character.
    fn escaped(&self, at: usize) -> usize {
        if self.bytes.get(at + 1..at + 3) == Some(b"\r\n") { 3 } else { 2 }
    }

    /// The end of a string with replacement fields; `None` if its braces make no sense. A field that does not end
    /// before `limit` is none: the limit moves on with each outermost field.
    fn with_fields(&mut self, quote: usize, mut limit: usize, level: u32) -> Option<usize> {
        let mark = *self.bytes.get(quote)?;
        let triple = self.is_triple(quote, mark);
        let mut at = quote + if triple { 3 } else { 1 };
        if level > NESTING {
            return None;
        }
        loop {
            let b = *self.bytes.get(at)?;
            if b == mark && (!triple || self.is_triple(at, mark)) {
                return Some(at + if triple { 3 } else { 1 });
            }
            match b {
                b'{' if self.bytes.get(at + 1) == Some(&b'{') => at += 2,
                b'{' => {
                    if level == 0 {
                        limit = at.saturating_add(FIELD);
                    }
                    at = self.field(at + 1, limit, level)?;
                }
                b'\\' if self.bytes.get(at + 1) == Some(&b'{') => at += 1,
                b'\\' => at += self.escaped(at),
                b'\n' | b'\r' if !triple => return Some(at),
                _ => at += 1,
            }
        }
    }

    /// From after the `{` of a field to after its `}`.
    fn field(&mut self, mut at: usize, limit: usize, level: u32) -> Option<usize> {
        let mut depth = 0u32;
        let mut name = at;
        while at < limit {
            let b = *self.bytes.get(at)?;
            match b {
                b'}' if depth == 0 => return Some(at + 1),
                b':' if depth == 0 => return self.spec(at + 1, limit, level),
                b'(' | b'[' | b'{' => {
                    if b == b'(' {
                        self.calls.push(at);
                    }
                    depth += 1;
                    at += 1;
                }
                b')' | b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    at += 1;
                }
                b'"' | b'\'' => {
                    at = self.nested(name, at, limit, level)?;
                }
                _ if super::bytes::is_name_byte(b) => {
                    at += 1;
                    continue;
                }
                _ => at += 1,
            }
            name = at;
        }
        None
    }

    /// A string inside a field, whose prefix starts at `name`.
    fn nested(&mut self, name: usize, quote: usize, limit: usize, level: u32) -> Option<usize> {
        let prefix = self.bytes.get(name..quote)?;
        if prefix.len() <= 3 && prefix.iter().any(|b| matches!(b, b'f' | b'F' | b't' | b'T')) {
            return self.with_fields(quote, limit, level + 1);
        }
        Some(self.plain(quote))
    }

    /// From after the `:` of a field to after its `}`: text, and fields for the width and the like.
    fn spec(&mut self, mut at: usize, limit: usize, level: u32) -> Option<usize> {
        if level > NESTING {
            return None;
        }
        while at < limit {
            match *self.bytes.get(at)? {
                b'}' => return Some(at + 1),
                b'{' => at = self.field(at + 1, limit, level + 1)?,
                b'\n' => return None,
                _ => at += 1,
            }
        }
        None
    }
}
