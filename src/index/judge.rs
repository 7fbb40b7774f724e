//! Which words are triggers, by the bytes around them.
//!
//! ```text
//! api.delete_pod(name)            a call                                    counts
//! pool.submit(shutil.rmtree, p)   a function handed on                      counts
//! pool.submit(Path(p).unlink)     a method of what a call gives             counts
//! link(IP_LINK_DEL, index=i)      a constant handed on                      counts
//! task_delete.delay(x)            a method of a function                    counts
//! cur.execute("DELETE FROM t")    text that is a statement or command       counts
//! run(["docker", "rm", x])        a word alone in its text                  counts
//! assert vm in removed            an assertion                              counts
//! job.status = "failed"           a field of state with a final word        counts
//! def delete_pod(name):           the head of a definition                  does not
//! DropQueue { queue }             a message that asks for it      counts
//! @app.delete("/pods")            a decorator; an import                    does not
//! on_delete=CASCADE, deleted = 0  a name that is neither called nor handed  does not
//! say("Cannot delete %s", x)      prose: a capital, then small letters      does not
//! LOG.info("delete %s", x)        text for people                           does not
//! log.Error(err, "delete", "n", x) in Go behind other arguments, too          does not
//! # delete it, """Deletes it."""  a comment, a docstring                    does not
//! ```
//!
//! In a file of tests only what is asserted counts: what a test deletes, it made for itself.
//!
//! ```text
//! api.delete_pod.assert_called_once_with("p-1")    counts
//! assert find_orphans(api) == ["p-1"]              counts
//! api.delete_pod("p-1")                            does not
//! ```

use super::bytes::{
    before_while, byte, byte_before, find_name, is_name_byte, line_start, name_around, part_ends, past_spaces, slice,
    word_before,
};
use super::places::{Context, Places};
use super::state;
use super::triggers::{Found, Triggers};
use crate::source::Language;
use std::ops::Range;

/// How many lines above a word the head of its statement is looked for.
const STATEMENT: usize = 6;
/// How far before a text the macro is looked for that it is given to.
const MACRO: usize = 240;
/// Macros of Rust that are given a command line without quotes.
const LINES: [&[u8]; 4] = [b"run_cmd", b"run_fun", b"spawn", b"spawn_with_output"];

/// A trigger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Hit {
    pub(super) word: Range<usize>,
    /// A function handed on, not called: it may be called under another name.
    pub(super) handed_on: bool,
    /// Part of a text that starts here: a statement that may be sent under another name.
    pub(super) text: Option<usize>,
}

/// One text, with what is needed to judge places of it.
#[derive(Clone, Copy)]
pub(super) struct Page<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) language: Language,
    pub(super) places: &'a Places,
    pub(super) triggers: &'a Triggers,
    /// A file of tests.
    pub(super) tests: bool,
}

impl Page<'_> {
    /// The triggers among the words that were found.
    pub(super) fn hits(&self, found: &[Found]) -> Vec<Hit> {
        found.iter().filter_map(|f| self.hit(f)).collect()
    }

    fn hit(&self, found: &Found) -> Option<Hit> {
        let word = &found.range;
        let context = self.places.context(word.start as u32);
        let mut text = None;
        let (hit, handed_on) = match context {
            Context::Remark | Context::Idle(_) => return None,
            _ if self.tests => (self.in_test(word), false),
            _ if found.state => (state::is_written(self.bytes, word, self.triggers), false),
            Context::Text(token) => {
                text = Some(token.start);
                (self.in_text(token, word), false)
            }
            Context::Code => match self.in_code(word) {
                Some(handed_on) => (true, handed_on),
                None => (false, false),
            },
        };
        hit.then(|| Hit { word: word.clone(), handed_on, text })
    }

    /// Is a word of a test asserted, as code or text?
    pub(super) fn is_claim(&self, word: &Range<usize>) -> bool {
        is_asserted(self.bytes, name_around(self.bytes, word).start)
    }

    /// Is a word of text part of a statement, a command or a name, and not of prose?
    fn in_text(&self, token: Range<usize>, word: &Range<usize>) -> bool {
        let bytes = self.bytes;
        let name = name_around(bytes, word);
        if byte(bytes, name.end) == b'(' {
            return true;
        }
        if !part_ends(bytes, word.end) {
            return false;
        }
        // `"Cannot find %s, so " "delete it"` is one text.
        let first = self.places.first_of(bytes, token);
        let capitals = byte_before(bytes, word.end).is_ascii_uppercase();
        !self.is_told(first.start) && (capitals || name != *word || !is_prose(slice(bytes, first)))
    }

    /// Is the text that starts here the first argument of a call that logs or shows it, or any of a macro that does, or of
    /// a call in Go, where fields stand beside the text: `log.Error(err, "cannot delete", "name", n)`?
    fn is_told(&self, start: usize) -> bool {
        if let Some((called, is_macro)) = self.call_around(start)
            && (is_macro || self.language == Language::Go)
        {
            return self.triggers.tells(slice(self.bytes, called));
        }
        let open = before_while(self.bytes, start, |b| b.is_ascii_whitespace());
        let Some(end) = open.checked_sub(1).filter(|at| byte(self.bytes, *at) == b'(') else { return false };
        self.triggers.tells(slice(self.bytes, before_while(self.bytes, end, is_name_byte)..end))
    }

    /// The name in front of the bracket around a place, and whether that is `name!(`: fields stand before what a macro shows.
    fn call_around(&self, at: usize) -> Option<(Range<usize>, bool)> {
        let from = at.saturating_sub(MACRO);
        let mut depth = 0u32;
        for (i, b) in slice(self.bytes, from..at).iter().enumerate().rev() {
            match b {
                b')' | b']' => depth += 1,
                b'[' if depth > 0 => depth -= 1,
                b'(' if depth > 0 => depth -= 1,
                b'(' => {
                    let bang = (from + i).checked_sub(1).filter(|at| byte(self.bytes, *at) == b'!');
                    let end = bang.unwrap_or(from + i);
                    return Some((before_while(self.bytes, end, is_name_byte)..end, bang.is_some()));
                }
                b'[' | b'{' | b'}' | b';' => return None,
                _ => {}
            }
        }
        None
    }

    /// Is it a word of a command line that a macro is given bare: `run_cmd!(docker rm -f $name)`?
    fn is_in_line(&self, word: &Range<usize>) -> bool {
        let bytes = self.bytes;
        byte_before(bytes, word.start).is_ascii_whitespace()
            && matches!(byte(bytes, word.end), b' ' | b'\n')
            && self
                .call_around(word.start)
                .is_some_and(|(name, is_macro)| is_macro && LINES.contains(&slice(bytes, name)))
    }

    /// Does a test assert something of the word?
    fn in_test(&self, word: &Range<usize>) -> bool {
        let name = name_around(self.bytes, word);
        let method = slice(self.bytes, name.end..name.end + 8);
        method == b".assert_" || is_asserted(self.bytes, name.start)
    }

    /// Is a word of code called, handed on (`true`), or asserted?
    fn in_code(&self, word: &Range<usize>) -> Option<bool> {
        let bytes = self.bytes;
        let name = name_around(bytes, word);
        let known = || self.triggers.may_destroy(self.language, slice(bytes, name.clone()));
        let own = self.is_own(&name);
        if is_called(bytes, &name) {
            return (!own && known()).then_some(false);
        }
        if word.start == name.start && is_message(bytes, &name) {
            return Some(false);
        }
        let exact = part_ends(bytes, word.end);
        // In Go and Rust a function has no methods: that is a value.
        let python = matches!(self.language, Language::Python | Language::Ir);
        if python && exact && has_method_called(bytes, name.end) {
            return Some(false);
        }
        // A constant may be text: `link(IP_LINK_DEL, index=i)`.
        let constant = || !slice(bytes, name.clone()).iter().any(u8::is_ascii_lowercase);
        if exact && (!own && known() || constant()) && is_handed_on(bytes, &name) {
            return Some(true);
        }
        if exact && name == *word && self.language == Language::Rust && self.is_in_line(word) {
            return Some(false);
        }
        is_asserted(bytes, name.start).then_some(false)
    }

    /// In Go and Rust, a name with nothing before it that nothing imports: a function of the code itself, which is looked
    /// at where it stands, a local, or built in.
    ///
    /// ```text
    /// delete(m, k)     drop(lock)     release()     use std::fs::remove_file; remove_file(p): imported
    /// ```
    fn is_own(&self, name: &Range<usize>) -> bool {
        let before = before_while(self.bytes, name.start, |b| b.is_ascii_whitespace());
        if matches!(self.language, Language::Python | Language::Ir)
            || matches!(byte_before(self.bytes, before), b'.' | b':')
        {
            return false;
        }
        let text = slice(self.bytes, name.clone());
        let imports =
            |r: &Range<u32>| find_name(slice(self.bytes, r.start as usize..r.end as usize), text).next().is_some();
        !self.triggers.may_destroy_bare(self.language, text) && !self.places.imports(self.bytes).any(imports)
    }
}

/// `name(`, except in the head of a definition.
pub(super) fn is_called(bytes: &[u8], name: &Range<usize>) -> bool {
    let next = past_spaces(bytes, name.end);
    byte(bytes, next) == b'(' && !matches!(word_before(bytes, name.start), b"def" | b"class")
}

/// `DropQueue { queue }`: a value whose type says what is asked for.
fn is_message(bytes: &[u8], name: &Range<usize>) -> bool {
    let text = slice(bytes, name.clone());
    let camel = byte(text, 0).is_ascii_uppercase() && text.iter().skip(1).any(u8::is_ascii_uppercase);
    let heads: [&[u8]; 4] = [b"impl", b"for", b"struct", b"trait"];
    camel && byte(bytes, past_spaces(bytes, name.end)) == b'{' && !heads.contains(&word_before(bytes, name.start))
}

/// `delete_pod.delay(`, `m.delete.assert_called(`.
fn has_method_called(bytes: &[u8], end: usize) -> bool {
    let method = name_around(bytes, &(end + 1..end + 1));
    byte(bytes, end) == b'.' && method.start == end + 1 && byte(bytes, method.end) == b'('
}

/// `map(os.remove, xs)`, `run(None, Path(x).unlink)`, `run = api.delete_pod`, `{"pod": self.delete_pod}`, `return delete_pod`.
pub(super) fn is_handed_on(bytes: &[u8], name: &Range<usize>) -> bool {
    let next = past_spaces(bytes, name.end);
    match byte(bytes, next) {
        b',' | b')' | b']' | b'}' | b'\n' | b'\r' | b'#' | 0 => {}
        b if is_name_byte(b) && next > name.end => {}
        _ => return false,
    }
    let path = path_start(bytes, name.start);
    let before = before_while(bytes, path, |b| b.is_ascii_whitespace() || b == b'\\');
    match byte_before(bytes, before) {
        b'(' | b',' | b'=' | b'[' | b'{' | b':' => true,
        b if is_name_byte(b) => matches!(word_before(bytes, path), b"return" | b"else" | b"or" | b"and" | b"yield"),
        _ => false,
    }
}

/// Where the path that a name ends begins: `cloud.files`, and `Path(name)` of `Path(name).unlink`.
fn path_start(bytes: &[u8], end: usize) -> usize {
    let path = |end: usize| before_while(bytes, end, |b| is_name_byte(b) || b == b'.');
    let mut start = path(end);
    while let Some(open) = opened(bytes, start) {
        start = path(open);
    }
    start
}

/// Where the bracket was opened that is closed in front of a place.
fn opened(bytes: &[u8], end: usize) -> Option<usize> {
    let last = end.checked_sub(1).filter(|at| matches!(byte(bytes, *at), b')' | b']'))?;
    let mut depth = 0;
    let from = line_start(bytes, last);
    for (i, b) in slice(bytes, from..end).iter().enumerate().rev() {
        match b {
            b')' | b']' => depth += 1,
            b'(' | b'[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(from + i);
        }
    }
    None
}

/// Does the line begin with `assert` or `self.assert...`, or one of the lines above of which it is a further part?
fn is_asserted(bytes: &[u8], at: usize) -> bool {
    let mut line = line_start(bytes, at);
    let mut indent = usize::MAX;
    for _ in 0..STATEMENT {
        let start = past_spaces(bytes, line);
        let closes = matches!(byte(bytes, start), b')' | b']' | b'}');
        if start - line < indent {
            let head = slice(bytes, start..at);
            if head.starts_with(b"assert") || head.starts_with(b"self.assert") {
                return true;
            }
            indent = start - line + usize::from(closes);
        }
        if line == 0 || indent == 0 {
            return false;
        }
        line = line_start(bytes, line - 1);
    }
    false
}

/// Several words, the first with a capital in front: `Cannot delete %s`. SQL is seldom written so, but `Delete from t`
/// is no prose.
fn is_prose(token: &[u8]) -> bool {
    let quote = token.iter().position(|b| matches!(b, b'"' | b'\'')).unwrap_or(0);
    let text = slice(token, quote..token.len());
    let start = text.iter().position(|b| !matches!(b, b'"' | b'\'' | b'\\' | b' ' | b'\n')).unwrap_or(0);
    let mut words = slice(text, start..text.len()).split(u8::is_ascii_whitespace);
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let capital = byte(first, 0).is_ascii_uppercase() && !byte(first, 1).is_ascii_uppercase();
    capital && second.is_some_and(|w| !w.eq_ignore_ascii_case(b"from") && !w.eq_ignore_ascii_case(b"table"))
}
