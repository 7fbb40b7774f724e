//! Comments of languages that begin them with two slashes.
//!
//! ```go
//! url := "http://x/"   // the comment starts here, not in the string
//! text := `// none`
//! ```

use super::{Comment, Found, line_end};
use crate::source::Language;

/// Comments from `//` to the line's end and between `/*` and `*/`. Where the head ends: at the first statement that imports
/// nothing and names no package.
pub(super) fn find(language: Language, text: &[u8]) -> Found {
    let mut comments = Vec::new();
    let (mut at, mut alone) = (if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }, true);
    let mut head = None;
    while let Some(&b) = text.get(at) {
        let next = match b {
            b'/' if text.get(at + 1) == Some(&b'/') => {
                let end = line_end(text, at);
                comments.push(Comment { start: at, end, alone });
                at = end;
                continue;
            }
            b'/' if text.get(at + 1) == Some(&b'*') => {
                let rest = text.get(at..).unwrap_or_default();
                let end = at + memchr::memmem::find(rest, b"*/").map_or(rest.len(), |n| n + 2);
                comments.push(Comment { start: at, end, alone });
                at = end;
                continue;
            }
            b'\n' | b'\r' => {
                alone = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' => at + 1,
            b'"' => string_end(language, text, at),
            b'`' if language == Language::Go => raw_end(text, at + 1, b"`"),
            b'r' if language == Language::Rust => raw_string_end(text, at).unwrap_or(at + 1),
            b'\'' => rune_end(text, at),
            _ => at + 1,
        };
        if !b.is_ascii_whitespace() {
            alone = false;
            head.get_or_insert(at);
        }
        at = next;
    }
    Found { comments, head: head.unwrap_or(text.len()) }
}

fn string_end(language: Language, text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(b) = text.get(at) {
        match b {
            b'\\' => at += 2,
            b'"' => return at + 1,
            b'\n' if language == Language::Go => return at,
            _ => at += 1,
        }
    }
    text.len()
}

fn raw_end(text: &[u8], from: usize, close: &[u8]) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    memchr::memmem::find(rest, close).map_or(text.len(), |n| from + n + close.len())
}

/// `r"..."`, `r#"..."#`, where the `r` begins a word or stands behind a `b`.
fn raw_string_end(text: &[u8], at: usize) -> Option<usize> {
    let before = at.checked_sub(1).and_then(|i| text.get(i)).copied().unwrap_or(b' ');
    if before.is_ascii_alphanumeric() && before != b'b' || before == b'_' {
        return None;
    }
    let hashes = text.get(at + 1..)?.iter().take_while(|b| **b == b'#').count();
    if text.get(at + 1 + hashes) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.resize(hashes + 1, b'#');
    Some(raw_end(text, at + 2 + hashes, &close))
}

/// `'x'`, `'\''`; a lifetime is one byte.
fn rune_end(text: &[u8], at: usize) -> usize {
    let inside = text.get(at + 1..text.len().min(at + 12)).unwrap_or_default();
    let from = if inside.first() == Some(&b'\\') { 2 } else { 1 };
    let near = if from == 2 { inside.len() } else { inside.len().min(5) };
    match inside.get(from..near).and_then(|rest| rest.iter().position(|b| *b == b'\'')) {
        Some(n)
            if from == 2
                || inside
                    .get(..from + n)
                    .is_some_and(|x| std::str::from_utf8(x).is_ok_and(|s| s.chars().count() == 1)) =>
        {
            at + 1 + from + n + 1
        }
        _ => at + 1,
    }
}
