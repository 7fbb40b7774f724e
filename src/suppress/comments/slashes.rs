//! Comments of languages that begin them with two slashes.
//!
//! ```go
//! url := "http://x/"   // the comment starts here, not in the string
//! text := `// none`
//! ```

use super::{Comment, Found, line_end};
use crate::source::Language;

/// Comments from `//` to the line's end and between `/*` and `*/`. Where the head ends: at the first statement behind the
/// name of the package, or behind the attributes of the whole file.
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
                let end = at + block_length(language, rest);
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
            if let Some(end) = preamble_end(language, text, at).filter(|_| head.is_none()) {
                at = end;
                continue;
            }
            head.get_or_insert(at);
        }
        at = next;
    }
    Found { comments, head: head.unwrap_or(text.len()) }
}

/// Where `package name` or `#![..]` ends that begins here.
fn preamble_end(language: Language, text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    match language {
        Language::Go if rest.starts_with(b"package ") => {
            let name = rest.iter().position(|b| matches!(b, b'\n' | b'\r' | b';' | b'/'));
            Some(at + name.unwrap_or(rest.len()))
        }
        Language::Rust if rest.starts_with(b"#![") => {
            let mut depth = 0;
            let close = rest.iter().position(|b| {
                depth += i32::from(*b == b'[') - i32::from(*b == b']');
                *b == b']' && depth == 0
            });
            close.map(|n| at + n + 1)
        }
        _ => None,
    }
}

/// How long the comment is that begins here with `/*`. Rust's hold others.
fn block_length(language: Language, rest: &[u8]) -> usize {
    let (mut at, mut depth) = (2, 1);
    while let Some(found) = rest.get(at..).and_then(|r| memchr::memchr2(b'*', b'/', r)) {
        at += found;
        match (rest.get(at), rest.get(at + 1)) {
            (Some(b'*'), Some(b'/')) => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            (Some(b'/'), Some(b'*')) if language == Language::Rust => {
                depth += 1;
                at += 2;
            }
            _ => at += 1,
        }
    }
    rest.len()
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

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{Go, Rust};

    fn comments(language: Language, text: &str) -> Vec<(&str, bool)> {
        let found = find(language, text.as_bytes());
        found.comments.iter().map(|c| (&text[c.start..c.end], c.alone)).collect()
    }

    fn head(language: Language, text: &str) -> &str {
        &text[find(language, text.as_bytes()).head..]
    }

    #[test]
    fn not_in_strings() {
        assert_eq!(comments(Go, "x := \"//a\" // b\n"), [("// b", false)]);
        assert_eq!(comments(Go, "x := `//a\n//b` // c\n\t// d"), [("// c", false), ("// d", true)]);
        assert_eq!(comments(Go, "x := '\"' // a\ny := '\\'' // b"), [("// a", false), ("// b", false)]);
        assert_eq!(comments(Go, "x := `\\` // a"), [("// a", false)], "a backslash is nothing in a raw string");
        assert_eq!(comments(Rust, "let x = \"//a\n//b\"; // c"), [("// c", false)]);
        assert_eq!(comments(Rust, "let x = r#\"//a \" //b\"#; // c"), [("// c", false)]);
        assert_eq!(comments(Rust, "let x = br\"\\\"; // c"), [("// c", false)]);
        assert_eq!(comments(Rust, "for r in r\"//\" {} // c"), [("// c", false)], "a name that is `r`");
        assert_eq!(comments(Rust, "fn f<'a>(x: &'a str) { '\"' } // c"), [("// c", false)]);
        assert_eq!(comments(Rust, "b'\\'' // c\nb'\"' // d"), [("// c", false), ("// d", false)]);
    }

    #[test]
    fn blocks() {
        assert_eq!(comments(Go, "/* a */ x // b"), [("/* a */", true), ("// b", false)]);
        assert_eq!(comments(Go, "/* /* a */ x */"), [("/* /* a */", true)]);
        assert_eq!(comments(Rust, "/* /* a */ b */ x"), [("/* /* a */ b */", true)]);
        assert_eq!(comments(Rust, "/* open"), [("/* open", true)]);
    }

    #[test]
    fn an_open_string_of_go_ends_with_its_line() {
        assert_eq!(comments(Go, "x := \"a // b\n// c"), [("// c", true)]);
        assert_eq!(comments(Go, "x := `a\n// c"), []);
        for text in ["\"", "'", "`", "r#\"", "\"\\", "'\\", "/", "/*", "#![", "package ", "é'", "'é"] {
            comments(Go, text);
            comments(Rust, text);
        }
    }

    #[test]
    fn the_head_ends_at_the_first_statement() {
        assert_eq!(head(Go, "// a\n\npackage gc // b\n// c\nimport \"os\"\n"), "import \"os\"\n");
        assert_eq!(head(Go, "\u{feff}package gc\nfunc f() {}"), "func f() {}");
        assert_eq!(
            head(Rust, "//! Doc.\n#![allow(x)]\n#![cfg(any(a, b = \"[]\"))]\n// c\nuse std::fs;\n"),
            "use std::fs;\n"
        );
        assert_eq!(head(Rust, "#[test]\nfn f() {}"), "#[test]\nfn f() {}");
        assert_eq!(head(Go, "// only"), "");
    }
}
