//! What stays of a finding when lines move: rule, enclosing function, normalised call text.
//!
//! The call is what stands around the primary place: the names and dots before it, and the bracket after it. Space,
//! comments, quotes and a comma before a closing bracket do not count, since formatters change them:
//!
//! ```text
//! api.delete_pod(                      api.delete_pod(p.name,ns="lab")
//!     p.name,  # by name
//!     ns='lab',
//! )
//! ```
//!
//! Calls that come out alike in one function are numbered in their order.

use crate::rules::Finding;
use crate::source::{Sources, Span};
use rustc_hash::FxHashMap;
use std::path::Path;

/// The fingerprints of findings in their order.
pub fn all<'a>(findings: impl IntoIterator<Item = &'a Finding>, sources: &Sources) -> Vec<String> {
    let mut seen: FxHashMap<String, u32> = FxHashMap::default();
    let one = |finding: &Finding| {
        let call = call_at(finding.at, finding.statement, sources);
        let place = format!("{}\0{}\0{call}", finding.rule.name, finding.function);
        let times = seen.entry(format!("{}\0{place}", finding.at.file.0)).or_default();
        *times += 1;
        let hash = if *times == 1 { fnv(place.as_bytes()) } else { fnv(format!("{place}\0{times}").as_bytes()) };
        format!("{hash:032x}")
    };
    findings.into_iter().map(one).collect()
}

/// One fingerprint of several texts.
pub(super) fn of(texts: &[&str]) -> String {
    format!("{:032x}", fnv(texts.join("\0").as_bytes()))
}

/// The 128-bit hash of Fowler, Noll and Vo, variant 1a: the same on every machine and in every version.
fn fnv(bytes: &[u8]) -> u128 {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    bytes.iter().fold(START, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

/// What a finding is told by, in whatever version of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The file.
    pub path: String,
    /// The rule.
    pub rule: &'static str,
    /// The enclosing function.
    pub function: String,
    /// The normalised call.
    pub call: String,
}

/// The marks of findings in their order. `place` gives the path of a file.
pub fn marks(findings: &[Finding], sources: &Sources, place: impl Fn(&Path) -> String) -> Vec<Mark> {
    let mark = |finding: &Finding| Mark {
        path: place(&sources.get(finding.at.file).path),
        rule: finding.rule.name,
        function: finding.function.clone(),
        call: call_at(finding.at, finding.statement, sources),
    };
    findings.iter().map(mark).collect()
}

/// The normalised call whose name stands in a place; the statement where it is no call.
pub fn call_at(at: Span, statement: Span, sources: &Sources) -> String {
    let text: &str = &sources.get(at.file).text;
    let (start, end) = (at.start as usize, at.end as usize);
    let before = text.get(..start).unwrap_or_default();
    let named = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let head = before.trim_end_matches(named).len();
    let rest = text.get(end..).unwrap_or_default();
    let (from, to) = if rest.trim_start().starts_with('(') {
        (head, end + bracket(rest))
    } else {
        (statement.start as usize, statement.end as usize)
    };
    normalised(text.get(from..to).unwrap_or_default())
}

/// One past the bracket that closes the first one.
fn bracket(text: &str) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens(text) {
        match token {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + token.len();
                }
            }
            _ => {}
        }
    }
    text.len()
}

fn normalised(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (_, token) in tokens(text) {
        let first = token.chars().next().unwrap_or(' ');
        if token.trim().is_empty() || first == '#' || token == "\\" {
            continue;
        }
        if matches!(first, ')' | ']' | '}') && out.ends_with(',') {
            out.pop();
        }
        let word = |c: char| c.is_alphanumeric() || c == '_';
        if word(first) && out.chars().next_back().is_some_and(word) {
            out.push(' ');
        }
        match token.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\'')) {
            Some(inner) if !inner.contains(['"', '\\', '\'']) => {
                out.push('"');
                out.push_str(inner);
                out.push('"');
            }
            _ => out.push_str(token),
        }
    }
    out
}

/// Words, strings, comments, runs of space, and every other character for itself.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let first = rest.chars().next()?;
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            '"' | '\'' => string(rest, first),
            '#' => rest.find('\n').unwrap_or(rest.len()),
            c if c.is_whitespace() => rest.len() - rest.trim_start().len(),
            c if word(c) => rest.find(|c| !word(c)).unwrap_or(rest.len()),
            c => c.len_utf8(),
        };
        let token = rest.get(..length)?;
        let start = at;
        at += length.max(1);
        Some((start, token))
    })
}

fn string(text: &str, quote: char) -> usize {
    let triple: String = [quote; 3].iter().collect();
    if text.starts_with(&triple) {
        let inner = text.get(3..).unwrap_or_default();
        return inner.find(&triple).map_or(text.len(), |end| end + 6);
    }
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formatting_does_not_count() {
        let flat = normalised("api.delete_pod(p.name, ns=\"lab\")");
        assert_eq!(normalised("api.delete_pod(\n    p.name,  # by name\n    ns='lab',\n)"), flat);
        assert_eq!(flat, "api.delete_pod(p.name,ns=\"lab\")");
        assert_eq!(normalised("f(not  x)"), "f(not x)");
        assert_eq!(normalised("f('a # b')"), "f(\"a # b\")");
        assert_ne!(normalised("f('a b')"), normalised("f('ab')"));
    }

    #[test]
    fn the_bracket_after_the_name() {
        let text = "(a, [')'], (b)) + c";
        assert_eq!(&text[..bracket(text)], "(a, [')'], (b))");
        assert_eq!(bracket("(a"), 2, "never closed");
    }

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }
}
