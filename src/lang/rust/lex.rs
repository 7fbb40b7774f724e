//! The tokens of a Rust file, as far as cutting it needs them: where strings, comments and lifetimes end.
//!
//! ```text
//! let a = "fn no() {"; // }          one token for the string, none for the comment
//! 'a: loop { b'x' }                  a lifetime, a literal
//! ```

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tok {
    /// A name or keyword; raw ones without their `r#`.
    Word,
    /// A string, character or number.
    Literal,
    /// `'a`
    Lifetime,
    /// `(`, `[`, `{`
    Open(u8),
    /// `)`, `]`, `}`
    Close(u8),
    /// Any other character.
    Mark(u8),
}

/// Reads tokens from a place on.
#[derive(Clone)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn is_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str, at: usize) -> Self {
        Lexer { bytes: text.as_bytes(), at }
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn seek(&self, from: usize, wanted: &[u8]) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        memchr::memmem::find(rest, wanted).map_or(self.bytes.len(), |n| from + n)
    }

    fn word_end(&self, from: usize) -> usize {
        let rest = self.bytes.get(from..).unwrap_or_default();
        from + rest.iter().take_while(|b| is_name(**b)).count()
    }

    /// Past spaces and comments.
    fn blank(&mut self) {
        loop {
            match (self.byte(self.at), self.byte(self.at + 1)) {
                (b' ' | b'\t' | b'\n' | b'\r' | 0x0c, _) => self.at += 1,
                (b'/', b'/') => self.at = self.seek(self.at, b"\n"),
                (b'/', b'*') => self.comment(),
                _ => return,
            }
        }
    }

    fn comment(&mut self) {
        let mut depth = 0u32;
        while self.at < self.bytes.len() {
            match (self.byte(self.at), self.byte(self.at + 1)) {
                (b'/', b'*') => {
                    depth += 1;
                    self.at += 2;
                }
                (b'*', b'/') => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
    }

    /// One past a string with escapes that is opened at `quote`.
    fn quoted(&self, quote: usize, close: u8) -> usize {
        let mut at = quote + 1;
        while at < self.bytes.len() {
            match self.byte(at) {
                b'\\' => at += 2,
                b if b == close => return at + 1,
                _ => at += 1,
            }
        }
        self.bytes.len()
    }

    /// `r#"..."#`, `b"..."`, `br"..."`, `c"..."`, `b'x'`: one past it.
    fn prefixed(&self, start: usize, end: usize) -> Option<usize> {
        let prefix = self.bytes.get(start..end)?;
        if !matches!(prefix, b"r" | b"b" | b"br" | b"c" | b"cr") {
            return None;
        }
        if self.byte(end) == b'\'' && prefix == b"b" {
            return Some(self.quoted(end, b'\''));
        }
        if prefix.contains(&b'r') {
            let hashes = self.bytes.get(end..)?.iter().take_while(|b| **b == b'#').count();
            if self.byte(end + hashes) != b'"' {
                return None;
            }
            let mut close = vec![b'"'];
            close.resize(hashes + 1, b'#');
            let found = self.seek(end + hashes + 1, &close);
            return Some((found + close.len()).min(self.bytes.len()));
        }
        (self.byte(end) == b'"').then(|| self.quoted(end, b'"'))
    }

    /// A character, or a lifetime.
    fn quote(&self, start: usize) -> (Tok, usize) {
        if self.byte(start + 1) == b'\\' {
            return (Tok::Literal, self.quoted(start, b'\''));
        }
        let width = match self.byte(start + 1) {
            0..0x80 => 1,
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            0xf0.. => 4,
        };
        if self.byte(start + 1 + width) == b'\'' {
            return (Tok::Literal, start + 2 + width);
        }
        (Tok::Lifetime, self.word_end(start + 1))
    }

    fn number(&self, start: usize) -> usize {
        let mut at = self.word_end(start);
        // `1.5` is one number; `1..5` and `1.max(2)` are not.
        if self.byte(at) == b'.' && self.byte(at + 1).is_ascii_digit() {
            at = self.word_end(at + 1);
        }
        at
    }

    /// One past what was read last.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The next token without taking it.
    pub fn peek(&self) -> Option<(Tok, Range<usize>)> {
        self.clone().next()
    }

    /// Behind the bracket that closes the one just read, or at the end of the text.
    pub fn past_group(&mut self) -> usize {
        let mut depth = 1u32;
        for (tok, _) in self.by_ref() {
            match tok {
                Tok::Open(_) => depth += 1,
                Tok::Close(_) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        self.at
    }
}

impl Iterator for Lexer<'_> {
    type Item = (Tok, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        self.blank();
        let start = self.at;
        let b = *self.bytes.get(start)?;
        let (tok, end) = match b {
            b'"' => (Tok::Literal, self.quoted(start, b'"')),
            b'\'' => self.quote(start),
            b'0'..=b'9' => (Tok::Literal, self.number(start)),
            b'(' | b'[' | b'{' => (Tok::Open(b), start + 1),
            b')' | b']' | b'}' => (Tok::Close(b), start + 1),
            _ if is_name(b) => {
                let end = self.word_end(start);
                match self.prefixed(start, end) {
                    Some(end) => (Tok::Literal, end),
                    None if b == b'r' && end == start + 1 && self.byte(end) == b'#' && is_name(self.byte(end + 1)) => {
                        let end = self.word_end(end + 1);
                        self.at = end;
                        return Some((Tok::Word, start + 2..end));
                    }
                    None => (Tok::Word, end),
                }
            }
            _ => (Tok::Mark(b), start + 1),
        };
        self.at = end.clamp(start + 1, self.bytes.len());
        Some((tok, start..self.at))
    }
}

/// How deep brackets may nest in a piece for it to be parsed: the parser recurses.
const DEPTH: usize = 48;

/// How many operators may stand in front of one operand, and how many `else` may follow each other.
const PREFIX: u32 = 48;

/// How many operators one chain may have (`a.b().c()`, `a + b + c`) without a semicolon or a comma that ends it.
const CHAIN: u32 = 600;

/// Would parsing this text take more of the stack than a thread has?
pub(super) fn too_deep(text: &str) -> bool {
    let (mut prefix, mut elses) = (0u32, 0u32);
    // How long the chain is in each open bracket.
    let mut chains = vec![0u32];
    let mut after_block = false;
    for (tok, range) in Lexer::new(text, 0) {
        let word = if tok == Tok::Word { text.get(range).unwrap_or_default() } else { "" };
        let Some(chain) = chains.last_mut() else { return true };
        // A block ends a statement, where nothing joins it to what follows.
        if after_block && word != "else" && !matches!(tok, Tok::Mark(_)) {
            (*chain, elses) = (0, 0);
        }
        after_block = tok == Tok::Close(b'}');
        match tok {
            Tok::Open(_) => {
                *chain += 1;
                chains.push(0);
            }
            Tok::Close(_) => {
                chains.pop();
                if chains.is_empty() {
                    chains.push(0);
                }
            }
            Tok::Mark(b';' | b',') => (prefix, elses, *chain) = (0, 0, 0),
            Tok::Mark(_) => {
                prefix += 1;
                *chain += 1;
            }
            Tok::Word => match word {
                "else" => elses += 1,
                "mut" | "move" | "ref" | "dyn" | "async" | "return" | "break" | "unsafe" => prefix += 1,
                "as" => *chain += 1,
                _ => prefix = 0,
            },
            _ => prefix = 0,
        }
        let long = chains.last().is_some_and(|n| *n > CHAIN);
        if chains.len() > DEPTH || prefix > PREFIX || elses > PREFIX || long {
            return true;
        }
    }
    false
}
