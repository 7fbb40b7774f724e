//! A stream cut into its documents at `---` and `...`, so that an error costs one document.
//!
//! ```text
//! %YAML 1.2            a head belongs to the document after it
//! ---
//! a: 1                 document 1
//! --- # next
//! b: [                 document 2, broken
//! ---
//! c: 3                 document 3
//! ```
//! A line of `---` inside a block scalar is always indented, and so is none.

use std::ops::Range;

/// The documents of a stream as byte ranges. What holds nothing but white space and comments is left out. A document
/// begins with its `---`, so that what stands on that line is read.
pub fn split(text: &str) -> Vec<Range<usize>> {
    let (mut out, mut from, mut at) = (vec![], 0, 0);
    let mut head = false;
    for line in text.split_inclusive('\n') {
        let begins = is_mark(line, "---");
        let ends = is_mark(line, "...");
        // Directives stand before the mark of their document.
        if begins && !head {
            push(&mut out, text, from..at);
            from = at;
        }
        head = line.starts_with('%') || head && !begins;
        at += line.len();
        if ends {
            push(&mut out, text, from..at);
            from = at;
        }
    }
    push(&mut out, text, from..text.len());
    out
}

fn is_mark(line: &str, mark: &str) -> bool {
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n']))
}

fn push(out: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let holds = text.get(range.clone()).is_some_and(|document| {
        document.lines().any(|line| {
            let line = line.trim_start_matches('\u{feff}').trim();
            !line.is_empty() && !line.starts_with('#') && line != "---" && line != "..."
        })
    });
    if holds {
        out.push(range);
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    fn parts(text: &str) -> Vec<&str> {
        split(text).into_iter().map(|r| &text[r]).collect()
    }

    #[test]
    fn marks_cut() {
        assert_eq!(parts("a: 1\n---\nb: 2\n--- # c\nc: 3"), ["a: 1\n", "---\nb: 2\n", "--- # c\nc: 3"]);
        assert_eq!(parts("---\n---\n# nothing\n---\r\na: 1\r\n"), ["---\r\na: 1\r\n"]);
        assert_eq!(parts("a: 1\n...\nb: 2\n"), ["a: 1\n...\n", "b: 2\n"]);
        assert_eq!(parts("--- {a: 1}\n--- {a: 2}\n"), ["--- {a: 1}\n", "--- {a: 2}\n"]);
    }

    #[test]
    fn directives_go_with_their_document() {
        assert_eq!(parts("%YAML 1.2\n---\na: 1\n---\nb: 2\n"), ["%YAML 1.2\n---\na: 1\n", "---\nb: 2\n"]);
    }

    #[test]
    fn what_only_looks_like_a_mark() {
        assert_eq!(parts("a: |\n  ---\n  b\n---x: 1\n").len(), 1);
    }
}
