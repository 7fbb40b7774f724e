//! Where the comments of a text are: a lexer that knows strings and nothing else.
//!
//! ```python
//! url = "http://x/#top"    # the comment starts here, not at `#top`
//! ```

mod slashes;
mod words;

use crate::source::Language;

/// A comment, as bytes of the text, without the line's end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Comment {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Nothing but white space stands before it on its line.
    pub(super) alone: bool,
}

/// The comments of a text.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) comments: Vec<Comment>,
    /// Where the file's head ends: the first statement that is no docstring.
    pub(super) head: usize,
}

pub(super) fn find(language: Language, text: &str) -> Found {
    match language {
        Language::Python | Language::Ir => hash(text.as_bytes()),
        Language::Go | Language::Rust => slashes::find(language, text.as_bytes()),
        Language::Yaml | Language::Template | Language::Terraform | Language::Shell => words::find(text.as_bytes()),
    }
}

/// Comments from `#` to the line's end; strings as Python has them.
fn hash(text: &[u8]) -> Found {
    let mut comments = Vec::new();
    let mut at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut alone = true;
    let mut docstring = false;
    let mut head = None;
    while let Some(byte) = text.get(at) {
        match byte {
            b'#' => {
                let end = line_end(text, at);
                comments.push(Comment { start: at, end, alone });
                at = end;
            }
            b'"' | b'\'' => {
                if head.is_none() && (docstring || !alone) {
                    head = Some(at);
                }
                docstring = true;
                alone = false;
                at = string_end(text, at);
            }
            b'\n' | b'\r' => {
                alone = true;
                at += 1;
            }
            b' ' | b'\t' | 0x0c => at += 1,
            _ => {
                // The prefix of a string belongs to it: `r"""..."""`.
                let prefix = docstring_prefix(text, at).filter(|_| alone && !docstring);
                if head.is_none() && prefix.is_none() {
                    head = Some(at);
                }
                alone = alone && prefix.is_some();
                at += prefix.unwrap_or(1);
            }
        }
    }
    Found { comments, head: head.unwrap_or(text.len()) }
}

/// The letters before a string that starts a line, if they are its prefix.
fn docstring_prefix(text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let letters = rest.iter().take(2).take_while(|byte| b"rRuUbBfFtT".contains(byte)).count();
    let quoted = matches!(rest.get(letters), Some(b'"' | b'\''));
    (letters > 0 && quoted).then_some(letters)
}

fn line_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len())
}

/// One past the string that starts here. One that is not closed ends with its line, so that one slip does not hide the
/// rest of the file.
fn string_end(text: &[u8], start: usize) -> usize {
    let quote = text.get(start).copied().unwrap_or_default();
    let triple = [quote; 3];
    let rest = text.get(start..).unwrap_or_default();
    if rest.starts_with(&triple) {
        let mut at = start + 3;
        while let Some(byte) = text.get(at) {
            match byte {
                b'\\' => at += 2,
                _ if text.get(at..).is_some_and(|rest| rest.starts_with(&triple)) => return at + 3,
                _ => at += 1,
            }
        }
        return text.len();
    }
    let mut at = start + 1;
    while let Some(byte) = text.get(at) {
        match byte {
            b'\\' if text.get(at + 1..).is_some_and(|rest| rest.starts_with(b"\r\n")) => at += 3,
            b'\\' => at += 2,
            b'\n' | b'\r' => return at,
            _ if *byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comments(text: &str) -> Vec<(&str, bool)> {
        let found = find(Language::Python, text);
        found.comments.iter().map(|c| (&text[c.start..c.end], c.alone)).collect()
    }

    fn head(text: &str) -> &str {
        &text[find(Language::Python, text).head..]
    }

    #[test]
    fn not_in_strings() {
        assert_eq!(comments("x = '#a' # b\n"), [("# b", false)]);
        assert_eq!(comments("x = '''#a\n#b''' # c\n  # d"), [("# c", false), ("# d", true)]);
        assert_eq!(comments("x = \"\\\"#a\" # b"), [("# b", false)]);
        assert_eq!(comments("x = r'\\' #a' # b"), [("# b", false)], "a raw string keeps the backslash and the quote");
        assert_eq!(comments("x = 'a\\\n#b' # c"), [("# c", false)], "the string goes on in the next line");
        assert_eq!(comments("x = 'a\\\r\n#b' # c"), [("# c", false)]);
    }

    #[test]
    fn an_open_string_ends_with_its_line() {
        assert_eq!(comments("x = 'a # b\n# c"), [("# c", true)]);
        assert_eq!(comments("x = '''a\n# c"), []);
    }

    #[test]
    fn line_ends() {
        assert_eq!(comments("# a\r\n# b\r# c"), [("# a", true), ("# b", true), ("# c", true)]);
    }

    #[test]
    fn the_head_ends_at_the_first_statement() {
        assert_eq!(head("# a\n\n'''doc'''\n# b\nimport os\n"), "import os\n");
        assert_eq!(head("\u{feff}#!/x\nr'doc'\nimport os"), "import os");
        assert_eq!(head("rest = 1"), "rest = 1");
        assert_eq!(head("'doc'; x = 1"), "; x = 1");
        assert_eq!(head("'doc'\n'more'\n"), "'more'\n");
        assert_eq!(head("# only"), "");
    }
}
