//! The text of a statement with its values replaced by names, so that a parser can read it.
//!
//! ```text
//! SELECT a FROM t WHERE b = %s -- why       SELECT a FROM t WHERE b = __h0__
//! SELECT a FROM lab_{env} {where}           SELECT a FROM lab___h0__ WHERE __h1__
//! UPDATE t SET c = 'x%s' WHERE d::int = :d  UPDATE t SET c = 'x%s' WHERE d::int = __h0__
//! ```
//! A placeholder counts only outside quotes and comments; comments are dropped.

use super::{Hole, Piece, Term};

/// A text that a parser can read.
pub(super) struct Scanned {
    /// The text.
    pub text: String,
    /// What the names `__h0__`, `__h1__`, … stand for.
    pub holes: Vec<Hole>,
    /// Some value stands where no operand can.
    pub loose: bool,
}

/// How to read placeholders, and what to do with a value that stands where a clause may begin.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    /// `$name` alone is a placeholder.
    pub cypher: bool,
    /// Leave such values out instead of reading them as conditions.
    pub drop_loose: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Within {
    Code,
    /// Up to this quote.
    Quote(char),
    Line,
    Block,
}

struct Scan {
    mode: Mode,
    out: String,
    holes: Vec<Hole>,
    loose: bool,
    within: Within,
    /// The last word or sign of the code.
    last: String,
    /// Where in `out` it ended.
    last_end: usize,
    /// At each depth of parentheses: a `WHERE` was seen.
    filtered: Vec<bool>,
    next: u32,
}

pub(super) fn scan(pieces: &[Piece], mode: Mode) -> Scanned {
    let mut s = Scan {
        mode,
        out: String::new(),
        holes: vec![],
        loose: false,
        within: Within::Code,
        last: String::new(),
        last_end: 0,
        filtered: vec![false],
        next: 0,
    };
    for p in pieces {
        match p {
            Piece::Text(t) => s.text(t),
            Piece::Value(n) => s.value(*n),
        }
    }
    Scanned { text: s.out, holes: s.holes, loose: s.loose }
}

impl Scan {
    fn text(&mut self, text: &str) {
        let chars: Vec<char> = text.chars().collect();
        let mut i = 0;
        while let Some(&c) = chars.get(i) {
            let rest = chars.get(i..).unwrap_or_default();
            i += match self.within {
                Within::Code => self.code(c, rest),
                Within::Quote(q) => self.quoted(c, q, rest),
                Within::Line => self.line(c),
                Within::Block => self.block(rest),
            };
        }
    }

    /// One step outside quotes; how many characters it took.
    fn code(&mut self, c: char, rest: &[char]) -> usize {
        let next = rest.get(1).copied().unwrap_or(' ');
        match c {
            '\'' | '"' | '`' => {
                self.within = Within::Quote(c);
                self.push(c);
                1
            }
            '-' if next == '-' && !self.mode.cypher => self.comment(Within::Line),
            '/' if next == '/' && self.mode.cypher => self.comment(Within::Line),
            '/' if next == '*' => self.comment(Within::Block),
            _ => match self.placeholder(c, rest) {
                Some((hole, taken)) => {
                    self.hole(hole);
                    taken
                }
                None => self.sign(c, rest),
            },
        }
    }

    fn comment(&mut self, within: Within) -> usize {
        self.within = within;
        self.out.push(' ');
        2
    }

    fn line(&mut self, c: char) -> usize {
        if c == '\n' {
            self.within = Within::Code;
            self.out.push('\n');
        }
        1
    }

    fn block(&mut self, rest: &[char]) -> usize {
        if rest.starts_with(&['*', '/']) {
            self.within = Within::Code;
            return 2;
        }
        1
    }

    fn quoted(&mut self, c: char, quote: char, rest: &[char]) -> usize {
        self.out.push(c);
        if c == '\\' && self.mode.cypher {
            self.out.extend(rest.get(1));
            return 2;
        }
        if c == quote {
            // A doubled quote stands for itself.
            if rest.get(1) == Some(&quote) {
                self.out.push(quote);
                return 2;
            }
            self.within = Within::Code;
            self.last = quote.to_string();
            self.last_end = self.out.len();
        }
        1
    }

    fn sign(&mut self, c: char, rest: &[char]) -> usize {
        // `%%` is one where values are filled in.
        let taken = if rest.starts_with(&['%', '%']) { 2 } else { 1 };
        match c {
            '(' => self.filtered.push(false),
            ')' if self.filtered.len() > 1 => {
                self.filtered.pop();
            }
            ';' => {
                if let Some(f) = self.filtered.last_mut() {
                    *f = false;
                }
            }
            _ => {}
        }
        self.push(c);
        taken
    }

    fn push(&mut self, c: char) {
        self.out.push(c);
        if c.is_whitespace() {
            return;
        }
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let goes_on = self.last_end + c.len_utf8() == self.out.len();
        if !(goes_on && word(c) && self.last.chars().all(word)) {
            self.last.clear();
        }
        self.last.push(c.to_ascii_uppercase());
        self.last_end = self.out.len();
        let set_operation = matches!(self.last.as_str(), "UNION" | "EXCEPT" | "INTERSECT" | "SELECT");
        if let Some(f) = self.filtered.last_mut() {
            *f = (*f || self.last == "WHERE") && !set_operation;
        }
    }

    fn hole(&mut self, hole: Hole) {
        let name = format!("__h{}__", self.holes.len());
        // `IN %s`, `VALUES %s`: the driver writes the parentheses.
        let bare = self.within == Within::Code && !self.mode.cypher && matches!(self.last.as_str(), "IN" | "VALUES");
        self.out.push_str(&if bare { format!("({name})") } else { name });
        self.holes.push(hole);
        self.last = "?".into();
        self.last_end = self.out.len();
    }

    fn value(&mut self, n: u32) {
        if matches!(self.within, Within::Line | Within::Block) {
            return;
        }
        let clause = self.within == Within::Code && self.out.ends_with(char::is_whitespace) && self.after_operand();
        if clause {
            self.loose = true;
            if self.mode.drop_loose {
                return;
            }
            let filtered = self.filtered.last().copied().unwrap_or(false);
            self.out.push_str(if filtered { "AND " } else { "WHERE " });
            if let Some(f) = self.filtered.last_mut() {
                *f = true;
            }
        }
        let last = if self.within == Within::Code { "?" } else { "" };
        self.hole(Hole::Value(n));
        self.last = last.into();
    }

    /// Could an expression or a name end here?
    fn after_operand(&self) -> bool {
        const NEEDS_MORE: &[&str] = &[
            "SELECT",
            "DISTINCT",
            "ALL",
            "FROM",
            "JOIN",
            "INTO",
            "UPDATE",
            "TABLE",
            "TRUNCATE",
            "ONLY",
            "EXISTS",
            "SET",
            "WHERE",
            "AND",
            "OR",
            "NOT",
            "ON",
            "USING",
            "IN",
            "LIKE",
            "ILIKE",
            "BETWEEN",
            "BY",
            "HAVING",
            "LIMIT",
            "OFFSET",
            "VALUES",
            "AS",
            "IS",
            "WHEN",
            "THEN",
            "ELSE",
            "CASE",
            "INTERVAL",
            "RETURNING",
            "UNION",
            "EXCEPT",
            "INTERSECT",
            "TOP",
            "DATABASE",
            "SCHEMA",
            "VIEW",
            "INDEX",
            "ROLE",
            "USER",
            "DROP",
            "KILL",
            "CALL",
            "ANY",
            "WITH",
            "DELETE",
            "MERGE",
            "MATCH",
            "UNWIND",
        ];
        let operator = |c: char| "=<>+-*/,(|.:{[~^&!#@%".contains(c);
        !self.last.is_empty() && !self.last.ends_with(operator) && !NEEDS_MORE.contains(&self.last.as_str())
    }

    fn placeholder(&mut self, c: char, rest: &[char]) -> Option<(Hole, usize)> {
        let word =
            |at: usize| -> String { rest.iter().skip(at).take_while(|c| c.is_alphanumeric() || **c == '_').collect() };
        let before = self.out.chars().next_back().unwrap_or(' ');
        let name = word(1);
        let named = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match c {
            '$' if named => Some((Hole::Named(name.clone()), 1 + name.chars().count())),
            '$' => numbered(&name),
            _ if self.mode.cypher => None,
            '%' if name == "s" => Some((self.at(), 2)),
            '%' if rest.get(1) == Some(&'(') => {
                let name = word(2);
                let end = 2 + name.chars().count();
                let closed = rest.get(end..).is_some_and(|r| r.starts_with(&[')', 's']));
                closed.then_some((Hole::Named(name), end + 2))
            }
            '?' if !matches!(rest.get(1), Some('?' | '|' | '&')) => match numbered(&name) {
                Some(known) => Some(known),
                None => Some((self.at(), 1)),
            },
            ':' if before == ':' || before.is_alphanumeric() || rest.get(1) == Some(&':') => None,
            ':' if named => Some((Hole::Named(name.clone()), 1 + name.chars().count())),
            ':' if before != '[' => numbered(&name),
            '@' if named && before != '@' => Some((Hole::Named(name.clone()), 1 + name.chars().count())),
            _ => None,
        }
    }

    /// The next placeholder without a name.
    fn at(&mut self) -> Hole {
        self.next += 1;
        Hole::At(self.next - 1)
    }
}

fn numbered(digits: &str) -> Option<(Hole, usize)> {
    let n: u32 = digits.parse().ok()?;
    Some((Hole::At(n.saturating_sub(1)), 1 + digits.len()))
}

/// The first word of a text in capitals; empty where it starts with a value.
pub(super) fn first_word(pieces: &[Piece]) -> String {
    let scanned = scan(pieces, Mode { cypher: false, drop_loose: false });
    let text = scanned.text.trim_start_matches(|c: char| c.is_whitespace() || c == '(' || c == ';');
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').flat_map(char::to_uppercase).collect()
}

/// A text with the names of values in it as a term; `None` where there is none in it.
pub(super) fn with_holes(text: &str, holes: &[Hole]) -> Option<Term> {
    let mut parts = vec![];
    let mut rest = text;
    while let Some((before, n, after)) = next_hole(rest) {
        if !before.is_empty() {
            parts.push(Term::Text(before.to_owned()));
        }
        parts.push(Term::Hole(holes.get(n)?.clone()));
        rest = after;
    }
    if parts.is_empty() {
        return None;
    }
    if !rest.is_empty() {
        parts.push(Term::Text(rest.to_owned()));
    }
    match parts.len() {
        1 => parts.pop(),
        _ => Some(Term::Joined(parts)),
    }
}

fn next_hole(text: &str) -> Option<(&str, usize, &str)> {
    let mut from = 0;
    while let Some(at) = text.get(from..)?.find("__h").map(|i| i + from) {
        let digits = text.get(at + 3..)?;
        if let Some(end) = digits.find("__")
            && let Ok(n) = digits.get(..end)?.parse()
        {
            return Some((text.get(..at)?, n, digits.get(end + 2..)?));
        }
        from = at + 3;
    }
    None
}
