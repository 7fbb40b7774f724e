//! Triggers: the places that may destroy something, found by words.
//!
//! The words are those of the vocabulary; a name that holds none of them is in no row that destroys. One search finds
//! the places, and the bytes around each are read by hand:
//!
//! ```text
//! api.delete_pod(name)            a call                                    counts
//! pool.submit(shutil.rmtree, p)   a function handed on                      counts
//! task_delete.delay(x)            a method of a function                    counts
//! cur.execute("DELETE FROM t")    text that is a statement or command       counts
//! run(["docker", "rm", x])        a word alone in its text                  counts
//! assert vm in removed            an assertion                              counts
//! job.status = "failed"           a field of state with a final word        counts
//! def delete_pod(name):           the head of a definition                  does not
//! @app.delete("/pods")            a decorator; an import                    does not
//! on_delete=CASCADE, deleted = 0  a name that is neither called nor handed  does not
//! log("Cannot delete %s", x)      prose: a capital, then small letters      does not
//! # delete it, """Deletes it."""  a comment, a docstring                    does not
//! ```
//!
//! A word counts at the head of a part of a name (`lr_del`, `autoDelete`); a long one anywhere (`softdelete`), a short
//! one only as a whole part (`rm`, not `format`). Each is looked for in small letters, in capitals, and with a capital
//! in front, which is how names are spelled.

use super::python::{Token, TokenKind, is_name_byte};
use aho_corasick::packed::{self, MatchKind};
use aho_corasick::{AhoCorasick, Span};
use std::ops::Range;

/// A word of this length counts in the middle of a part of a name.
const LONG: usize = 5;
/// A word up to this length must be a whole part.
const SHORT: usize = 3;
/// How many spellings one packed search takes.
const PACKED: usize = 64;
/// How far behind a field of state its value is looked for, and before it the word that says it is written.
const NEAR: usize = 160;

/// What the search looks for, made once for a run.
#[derive(Debug)]
pub struct Triggers {
    searches: Vec<Search>,
    words: Vec<Word>,
    finals: Option<AhoCorasick>,
}

#[derive(Debug)]
struct Word {
    length: usize,
    state: bool,
}

/// One search and the word each of its patterns spells.
#[derive(Debug)]
struct Search {
    engine: Engine,
    words: Vec<u32>,
}

#[derive(Debug)]
enum Engine {
    Packed(packed::Searcher),
    Plain(AhoCorasick),
}

/// A word found where it counts as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) range: Range<usize>,
    state: bool,
}

impl Triggers {
    /// `verbs` are the words of calls that destroy. `states` are the names of fields that hold a state: they count only
    /// where one of the `finals`, the words for states that end something, is written to them. All in small letters.
    pub fn new(verbs: &[String], states: &[String], finals: &[String]) -> Self {
        let all = verbs.iter().map(|w| (w, false)).chain(states.iter().map(|w| (w, true)));
        let mut words = Vec::new();
        let mut spellings: Vec<(String, u32)> = Vec::new();
        for (text, state) in all.filter(|(text, _)| !text.is_empty()) {
            let word = words.len() as u32;
            words.push(Word { length: text.len(), state });
            spellings.extend(spelled(text).map(|spelling| (spelling, word)));
        }
        // A longer word wins over its own head.
        spellings.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
        spellings.dedup_by(|a, b| a.0 == b.0);
        let searches = spellings.chunks(PACKED).filter_map(Search::new).collect();
        let finals = AhoCorasick::builder().ascii_case_insensitive(true).build(finals.iter().filter(|w| !w.is_empty()));
        Triggers { searches, words, finals: finals.ok() }
    }

    /// Does the name, dotted path or text hold a word where it counts? What a row of the vocabulary matches must.
    pub fn covers(&self, text: &str) -> bool {
        self.search(text.as_bytes()).iter().any(|found| !found.state)
    }

    /// Every word of the text that counts as one, in order.
    pub(super) fn search(&self, bytes: &[u8]) -> Vec<Found> {
        let mut found = Vec::new();
        for search in &self.searches {
            let mut at = 0;
            while let Some((pattern, range)) = search.find(bytes, at) {
                let word = search.words.get(pattern).and_then(|w| self.words.get(*w as usize));
                at = range.start + 1;
                let Some(word) = word else { continue };
                if counts(bytes, &range, word.length) {
                    at = if word.state { at } else { range.end };
                    found.push(Found { range, state: word.state });
                }
            }
        }
        if self.searches.len() > 1 {
            found.sort_by_key(|f| f.range.start);
        }
        found
    }

    /// The places of those words that are triggers. `tokens` are the comments and strings of the file, `idle` what
    /// does nothing, both in order.
    pub(super) fn judge(&self, bytes: &[u8], found: &[Found], tokens: &[Token], idle: &[Range<u32>]) -> Vec<u32> {
        let (mut token, mut rest) = (0, 0);
        let mut hits = Vec::new();
        for f in found {
            let at = f.range.start as u32;
            while tokens.get(token).is_some_and(|t| t.range.end <= at) {
                token += 1;
            }
            while idle.get(rest).is_some_and(|r| r.end <= at) {
                rest += 1;
            }
            if idle.get(rest).is_some_and(|r| r.contains(&at)) {
                continue;
            }
            let inside = tokens.get(token).filter(|t| t.range.contains(&at));
            let hit = match inside {
                Some(t) if t.kind == TokenKind::Remark => false,
                _ if f.state => self.state_written(bytes, &f.range),
                Some(t) => in_text(bytes, t.range.start as usize..t.range.end as usize, &f.range),
                None => in_code(bytes, &f.range),
            };
            if hit {
                hits.push(at);
            }
        }
        hits
    }

    /// `x.status = "failed"`, `x["status"] = FAILED`, `update(status="failed")`, `update({"status": "failed"})`,
    /// `setattr(x, "status", "failed")`, `set_status("failed")`, `SET status = 'failed'`.
    fn state_written(&self, bytes: &[u8], word: &Range<usize>) -> bool {
        let name = name_around(bytes, word);
        if name.end != word.end {
            return false;
        }
        let mut at = name.end;
        let quoted = matches!(byte(bytes, at), b'"' | b'\'');
        at = past_spaces(bytes, at + usize::from(quoted));
        if quoted && byte(bytes, at) == b']' {
            at = past_spaces(bytes, at + 1);
        }
        let written = match byte(bytes, at) {
            b'=' => byte(bytes, at + 1) != b'=',
            b':' | b',' => written_before(bytes, name.start),
            b'(' => !quoted && written_before(bytes, name.end),
            _ => false,
        };
        written && self.holds_final(bytes, at + 1)
    }

    /// Does the value that begins here, or its first lines, hold a final word?
    fn holds_final(&self, bytes: &[u8], start: usize) -> bool {
        let Some(finals) = &self.finals else { return false };
        let near = bytes.get(start..bytes.len().min(start + NEAR)).unwrap_or_default();
        let blank = near.iter().take_while(|b| b" \t\r\n\\([{".contains(b)).count();
        let end = near.iter().skip(blank).position(|b| *b == b'\n').map_or(near.len(), |i| blank + i);
        let value = near.get(..end).unwrap_or_default();
        let whole = |m: aho_corasick::Match| part_starts(value, m.start()) && part_ends(value, m.end());
        finals.find_overlapping_iter(value).any(whole)
    }
}

impl Search {
    fn new(spellings: &[(String, u32)]) -> Option<Self> {
        let patterns = || spellings.iter().map(|(spelling, _)| spelling);
        let packed = packed::Config::new().match_kind(MatchKind::LeftmostFirst).builder().extend(patterns()).build();
        let engine = match packed {
            Some(searcher) => Engine::Packed(searcher),
            None => {
                let kind = aho_corasick::MatchKind::LeftmostFirst;
                Engine::Plain(AhoCorasick::builder().match_kind(kind).build(patterns()).ok()?)
            }
        };
        Some(Search { engine, words: spellings.iter().map(|(_, word)| *word).collect() })
    }

    #[inline]
    fn find(&self, bytes: &[u8], at: usize) -> Option<(usize, Range<usize>)> {
        let span = Span::from(at..bytes.len());
        let found = match &self.engine {
            Engine::Packed(searcher) => searcher.find_in(bytes, span),
            Engine::Plain(searcher) => searcher.find(aho_corasick::Input::new(bytes).span(span)),
        }?;
        Some((found.pattern().as_usize(), found.range()))
    }
}

/// `delete`, `Delete`, `DELETE`.
fn spelled(word: &str) -> impl Iterator<Item = String> {
    let mut title = word.to_ascii_lowercase();
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    [word.to_ascii_lowercase(), title, word.to_ascii_uppercase()].into_iter()
}

/// Does a word stand where it counts in its name?
fn counts(bytes: &[u8], word: &Range<usize>, length: usize) -> bool {
    (length >= LONG || part_starts(bytes, word.start)) && (length > SHORT || part_ends(bytes, word.end))
}

/// Does a part of a name start here: `_delete`, `autoDelete`, `VMDelete`?
fn part_starts(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map_or(b' ', |i| byte(bytes, i));
    let here = byte(bytes, at);
    let camel = here.is_ascii_uppercase() && (before.is_ascii_lowercase() || byte(bytes, at + 1).is_ascii_lowercase());
    !before.is_ascii_alphabetic() || camel
}

/// Does a part of a name end before this byte: `delete_`, `deletePod`, not `deleted`?
fn part_ends(bytes: &[u8], at: usize) -> bool {
    let last = at.checked_sub(1).map_or(b' ', |i| byte(bytes, i));
    let after = byte(bytes, at);
    !after.is_ascii_alphabetic() || (after.is_ascii_uppercase() && last.is_ascii_lowercase())
}

/// Is a word of code called, handed on, or asserted?
fn in_code(bytes: &[u8], word: &Range<usize>) -> bool {
    let name = name_around(bytes, word);
    let next = past_spaces(bytes, name.end);
    if byte(bytes, next) == b'(' {
        return !matches!(word_before(bytes, name.start), b"def" | b"class");
    }
    (part_ends(bytes, word.end) && handed_on(bytes, &name, next)) || asserted(bytes, name.start)
}

/// `map(os.remove, xs)`, `run = api.delete_pod`, `{"pod": self.delete_pod}`, `delete_pod.delay(x)`.
fn handed_on(bytes: &[u8], name: &Range<usize>, next: usize) -> bool {
    match byte(bytes, next) {
        b'.' => {
            let method = name_around(bytes, &(next + 1..next + 1));
            return method.start == next + 1 && !method.is_empty() && byte(bytes, method.end) == b'(';
        }
        b',' | b')' | b']' | b'}' | b'\n' | b'\r' | b'#' | 0 => {}
        b if is_name_byte(b) && next > name.end => {}
        _ => return false,
    }
    let path = before_while(bytes, name.start, |b| is_name_byte(b) || b == b'.');
    let before = before_while(bytes, path, |b| b.is_ascii_whitespace() || b == b'\\');
    match before.checked_sub(1).map_or(0, |i| byte(bytes, i)) {
        b'(' | b',' | b'=' | b'[' | b'{' | b':' => true,
        b if is_name_byte(b) => matches!(word_before(bytes, path), b"return" | b"else" | b"or" | b"and" | b"yield"),
        _ => false,
    }
}

/// Does the line begin with `assert` or `self.assert...`?
fn asserted(bytes: &[u8], at: usize) -> bool {
    let line = before_while(bytes, at, |b| b != b'\n');
    let head = bytes.get(past_spaces(bytes, line)..at).unwrap_or_default();
    head.starts_with(b"assert") || head.starts_with(b"self.assert")
}

/// Is a word of text part of a statement, a command or a name, and not of prose?
fn in_text(bytes: &[u8], token: Range<usize>, word: &Range<usize>) -> bool {
    let name = name_around(bytes, word);
    if byte(bytes, name.end) == b'(' {
        return true;
    }
    if !part_ends(bytes, word.end) {
        return false;
    }
    let text = bytes.get(token).unwrap_or_default();
    let capitals = byte(bytes, word.end.saturating_sub(1)).is_ascii_uppercase();
    capitals || name != *word || !is_prose(text)
}

/// Several words, the first with a capital in front: `Cannot delete %s`. SQL is seldom written so, but `Delete from t`
/// is no prose.
fn is_prose(token: &[u8]) -> bool {
    let quote = token.iter().position(|b| matches!(b, b'"' | b'\'')).unwrap_or(0);
    let text = token.get(quote..).unwrap_or_default().trim_ascii();
    let start = text.iter().position(|b| !matches!(b, b'"' | b'\'' | b'\\' | b' ' | b'\n')).unwrap_or(0);
    let text = text.get(start..).unwrap_or_default();
    let mut words = text.split(u8::is_ascii_whitespace);
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let capital = byte(first, 0).is_ascii_uppercase() && !byte(first, 1).is_ascii_uppercase();
    capital && second.is_some_and(|w| !w.eq_ignore_ascii_case(b"from") && !w.eq_ignore_ascii_case(b"table"))
}

/// Does a word like `update` or `set` stand shortly before?
fn written_before(bytes: &[u8], at: usize) -> bool {
    let near = bytes.get(at.saturating_sub(NEAR)..at).unwrap_or_default();
    [&b"update"[..], b"set", b"patch", b"values", b"save", b"write", b"mark", b"replace"]
        .iter()
        .any(|word| memchr::memmem::find(near, word).is_some())
}

/// The byte at a place; 0 outside the text.
#[inline]
fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// The whole name around a word.
fn name_around(bytes: &[u8], word: &Range<usize>) -> Range<usize> {
    let rest = bytes.get(word.end..).unwrap_or_default();
    let end = word.end + rest.iter().take_while(|b| is_name_byte(**b)).count();
    before_while(bytes, word.start, is_name_byte)..end
}

fn past_spaces(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

/// The place before `at` up to which all bytes pass.
fn before_while(bytes: &[u8], at: usize, pass: impl Fn(u8) -> bool) -> usize {
    let head = bytes.get(..at).unwrap_or_default();
    head.iter().rposition(|b| !pass(*b)).map_or(0, |i| i + 1)
}

/// The word that stands before a place, with spaces between.
fn word_before(bytes: &[u8], at: usize) -> &[u8] {
    let end = before_while(bytes, at, |b| matches!(b, b' ' | b'\t'));
    if end == at {
        return &[];
    }
    bytes.get(before_while(bytes, end, is_name_byte)..end).unwrap_or_default()
}
