//! Functions that destroy, under another name.
//!
//! ```text
//! from os import remove as away          sweep calls `away`: a trigger
//! TABLE = {                              route mentions `TABLE`: a trigger
//!     "pod": api.delete_pod,
//! }
//! class Sweeper:
//!     def __init__(self, api):
//!         self.end = api.delete_pod      a mention of `.end` in another method: a trigger
//! PURGE = "DELETE FROM jobs"             a mention of `PURGE`: a trigger
//! ```
//!
//! Only within one file. Across files a name that is imported leads to a function of that file, which is looked at.

use super::FileIndex;
use super::bytes::{
    before_while, byte, byte_before, is_assigned, is_name_byte, line_start, name_around, names, past_spaces, slice,
};
use super::judge::{Hit, Page, is_called, is_handed_on};
use super::places::Context;
use super::triggers::Found;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// How many lines a table may have up to the function that is looked at.
const TABLE: usize = 64;

/// Another name.
struct Alias<'a> {
    name: &'a [u8],
    /// What counts: a call of it, a mention, a mention behind a dot.
    by: By,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Call,
    Mention,
    Field,
}

impl Page<'_> {
    /// The places where a function that destroys is used under another name.
    pub(super) fn renamed(&self, file: &FileIndex, found: &[Found], hits: &[Hit]) -> Vec<usize> {
        let mut aliases: Vec<Alias> = found.iter().filter_map(|f| self.imported(f)).collect();
        for hit in hits.iter().filter(|h| h.handed_on || h.text.is_some()) {
            let at = hit.text.unwrap_or(hit.word.start);
            let inside = file.enclosing(at as u32).and_then(|d| file.unit(d)).is_some();
            if hit.handed_on || !inside {
                aliases.extend(self.assigned(at, inside));
            }
        }
        self.uses(&aliases)
    }

    /// `from os import remove as away`, `import x.remove as away`.
    fn imported(&self, found: &Found) -> Option<Alias<'_>> {
        let Context::Idle(statement) = self.places.context(found.range.start as u32) else { return None };
        let name = name_around(self.bytes, &found.range);
        let imports = matches!(byte(self.bytes, statement.start), b'f' | b'i' | b'u');
        if found.state || !imports || !self.triggers.may_destroy(self.language, slice(self.bytes, name.clone())) {
            return None;
        }
        let at = past_spaces(self.bytes, name.end);
        let word = name_around(self.bytes, &(at..at));
        if word.start != at || slice(self.bytes, word.clone()) != b"as" {
            return None;
        }
        let at = past_spaces(self.bytes, word.end);
        let name = slice(self.bytes, name_around(self.bytes, &(at..at)));
        let other = name != slice(self.bytes, name_around(self.bytes, &found.range));
        (!name.is_empty() && other).then_some(Alias { name, by: By::Call })
    }

    /// What the function at this place is assigned to, alone or in a table. In a function only a field outlives it.
    fn assigned(&self, at: usize, in_function: bool) -> Option<Alias<'_>> {
        let mut line = line_start(self.bytes, at);
        let mut indent = usize::MAX;
        let mut target = None;
        for _ in 0..TABLE {
            let start = past_spaces(self.bytes, line);
            let blank = matches!(byte(self.bytes, start), b'\n' | b'\r' | b'#');
            if !blank && start - line < indent {
                indent = start - line;
                target = self.target(start..at).or(target);
            }
            let own_line = in_function || line == 0 || indent == 0;
            if own_line || matches!(slice(self.bytes, start..start + 4), b"def " | b"clas") {
                break;
            }
            line = line_start(self.bytes, line - 1);
        }
        let path = target?;
        let start = before_while(self.bytes, path.end, is_name_byte).max(path.start);
        let by = if start > path.start { By::Field } else { By::Mention };
        let name = slice(self.bytes, start..path.end);
        (!name.is_empty() && (by == By::Field || !in_function)).then_some(Alias { name, by })
    }

    /// The dotted name that a line assigns to.
    fn target(&self, line: Range<usize>) -> Option<Range<usize>> {
        let text = slice(self.bytes, line.clone());
        let end = text.iter().position(|b| !is_name_byte(*b) && *b != b'.').unwrap_or(text.len());
        let mut next = past_spaces(text, end);
        if byte(text, next) == b':' {
            next += text.get(next..)?.iter().position(|b| *b == b'=')?;
        }
        is_assigned(text, next).then_some(line.start..line.start + end)
    }

    fn uses(&self, aliases: &[Alias]) -> Vec<usize> {
        let mut known: FxHashMap<&[u8], By> = FxHashMap::default();
        for alias in aliases {
            let by = known.entry(alias.name).or_insert(alias.by);
            *by = if *by == alias.by { alias.by } else { By::Mention };
        }
        if known.is_empty() {
            return Vec::new();
        }
        let counts = |name: &Range<usize>| match known.get(slice(self.bytes, name.clone())) {
            Some(By::Mention) => true,
            Some(By::Call) => is_called(self.bytes, name) || is_handed_on(self.bytes, name),
            Some(By::Field) => byte_before(self.bytes, name.start) == b'.',
            None => false,
        };
        names(self.bytes).filter(counts).map(|name| name.start).filter(|at| self.is_used(*at)).collect()
    }

    fn is_used(&self, at: usize) -> bool {
        matches!(self.places.context(at as u32), Context::Code | Context::Text(_))
    }
}
