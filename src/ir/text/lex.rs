//! One line of IR text as tokens.

use super::{ident_part, ident_start};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A word, keyword or name.
    Word,
    /// Digits.
    Num,
    /// A string with its quotes.
    Str,
    /// Everything else.
    Mark,
}

/// A token with its byte range in the whole text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tok<'s> {
    pub(super) kind: Kind,
    pub(super) text: &'s str,
    pub(super) start: usize,
    pub(super) end: usize,
}

const LONG: &[&str] = &["==", "++", "--", "<-", "-<", "**"];
const SHORT: &str = "()[]{}.,:|=<+-?*@$!";

/// The tokens of `line`, which starts at byte `base` of the text; or what is wrong and where.
pub(super) fn lex(line: &str, base: usize) -> Result<Vec<Tok<'_>>, (usize, String)> {
    let mut out = vec![];
    let mut at = 0;
    while let Some(rest) = line.get(at..).filter(|r| !r.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (kind, len) = token(rest, first).ok_or_else(|| (base + at, format!("cannot read {first:?}")))?;
        out.push(Tok { kind, text: &rest[..len], start: base + at, end: base + at + len });
        at += len;
    }
    Ok(out)
}

fn token(rest: &str, first: char) -> Option<(Kind, usize)> {
    let run = |ok: &dyn Fn(char) -> bool| rest.find(|c| !ok(c)).unwrap_or(rest.len());
    if first == '"' {
        return string(rest).map(|n| (Kind::Str, n));
    }
    if first.is_ascii_digit() {
        return Some((Kind::Num, run(&|c| c.is_ascii_digit())));
    }
    // `#key`, `#index`: what is known of an element besides itself.
    if first == '#' || ident_start(first) {
        let n = rest.char_indices().skip(1).find(|(_, c)| !ident_part(*c)).map_or(rest.len(), |(i, _)| i);
        return Some((Kind::Word, n));
    }
    if let Some(long) = LONG.iter().find(|l| rest.starts_with(**l)) {
        return Some((Kind::Mark, long.len()));
    }
    SHORT.contains(first).then_some((Kind::Mark, first.len_utf8()))
}

/// The length of a string literal with its quotes.
fn string(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(i + 1),
            _ => {}
        }
    }
    None
}

/// The text between the quotes.
pub(super) fn unquote(token: &str) -> Option<String> {
    let inner = token.strip_prefix('"')?.strip_suffix('"')?;
    let mut out = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next()? {
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            't' => out.push('\t'),
            'u' => {
                let hex: String = chars.by_ref().skip(1).take_while(|c| *c != '}').collect();
                out.push(u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32)?);
            }
            c => out.push(c),
        }
    }
    Some(out)
}

/// A string literal for the text.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
