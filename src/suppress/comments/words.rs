//! Comments of languages in which `#` begins one only where a word may begin: YAML, shell, Terraform.
//!
//! ```yaml
//! image: web#1     # the comment starts here, not at `#1`
//! text: "a # b"    # nor in quotes
//! note: it's       # an apostrophe inside a word opens none
//! ```

use super::{Comment, Found, line_end};

/// Comments from `#` to the line's end. Where the head ends: at the first line that holds something else.
pub(super) fn find(text: &[u8]) -> Found {
    let mut comments = Vec::new();
    let mut head = None;
    let mut at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    while at < text.len() {
        let end = line_end(text, at);
        let line = text.get(at..end).unwrap_or_default();
        let blank = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        if let Some(start) = hash(line) {
            comments.push(Comment { start: at + start, end, alone: start == blank });
        }
        let says = blank < line.len() && line.get(blank) != Some(&b'#') && !line.starts_with(b"---");
        if says && head.is_none() {
            head = Some(at);
        }
        at = end + 1;
    }
    Found { comments, head: head.unwrap_or(text.len()) }
}

/// Where the comment of a line starts.
fn hash(line: &[u8]) -> Option<usize> {
    let (mut quote, mut before) = (None, b' ');
    for (at, b) in line.iter().enumerate() {
        match quote {
            Some(q) if *b == q && before != b'\\' => quote = None,
            Some(_) => {}
            None if *b == b'#' && matches!(before, b' ' | b'\t') => return Some(at),
            None if matches!(b, b'"' | b'\'') && (before.is_ascii_whitespace() || b"[{(,:=".contains(&before)) => {
                quote = Some(*b);
            }
            None => {}
        }
        before = *b;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_word_may_begin() {
        let comments = |text: &'static str| -> Vec<&str> {
            find(text.as_bytes()).comments.iter().map(|c| &text[c.start..c.end]).collect()
        };
        assert_eq!(comments("a: b#1 # c\n"), ["# c"]);
        assert_eq!(comments("a: \"b # c\" # d\nb: it's # e\r\n# f"), ["# d", "# e", "# f"]);
        assert!(comments("a: {b: '#'}").is_empty());
    }

    #[test]
    fn the_head_ends_at_the_first_line_that_says_something() {
        let text = "\u{feff}# a\n---\n# b\nkind: X # c\n";
        assert_eq!(&text[find(text.as_bytes()).head..], "kind: X # c\n");
    }
}
