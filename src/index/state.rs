//! Fields of state to which a final word is written: they end something without a word that says so.
//!
//! ```text
//! job.status = "failed"                    x["status"] = States.FAILED          set_status("failed")
//! query.update({"status": "failed"})       update(Job).values(status="failed")  setattr(x, "status", "failed")
//! db.Model(job).Updates(Job{State: Failed})
//! "UPDATE jobs SET status = 'failed'"      found = "lost"; job.state = found
//! ```
//!
//! `{"status": "failed"}` alone is an answer to a request, `status == "failed"` a question: neither counts.

use super::bytes::{before_while, byte, find_name, is_assigned, is_name_byte, name_around, past_spaces, slice};
use super::triggers::Triggers;
use std::ops::Range;

/// How far behind a field its value is looked for, and before it the word that says it is written.
const NEAR: usize = 160;
/// How far before a field the local that is written to it is looked for.
const LOCAL: usize = 4096;
/// How far from the head of the file a constant that is written to it is looked for.
const HEAD: usize = 1 << 14;
/// Words that say that what follows is written.
const WRITES: [&[u8]; 8] = [b"update", b"set", b"patch", b"values", b"save", b"write", b"mark", b"replace"];

/// Is a final word written to the field whose name ends with this word?
pub(super) fn is_written(bytes: &[u8], word: &Range<usize>, triggers: &Triggers) -> bool {
    let name = name_around(bytes, word);
    if name.end != word.end {
        return false;
    }
    let quoted = matches!(byte(bytes, name.end), b'"' | b'\'');
    let mut at = past_spaces(bytes, name.end + usize::from(quoted));
    if quoted && byte(bytes, at) == b']' {
        at = past_spaces(bytes, at + 1);
    }
    let written = match byte(bytes, at) {
        b'=' => is_assigned(bytes, at),
        b':' | b',' => is_near_writing(bytes, name.start),
        b'(' => !quoted && is_near_writing(bytes, name.end),
        _ => false,
    };
    if !written {
        return false;
    }
    let value = value_at(bytes, at + 1);
    holds_final(value, triggers) || is_final_local(bytes, value, name.start, triggers)
}

/// Does a name in the value end in a final word: `"failed"`, `States.JOB_FAILED`, `SHUT_DOWN`?
fn holds_final(value: &[u8], triggers: &Triggers) -> bool {
    let names = value.split(|b| !is_name_byte(*b) && *b != b'-');
    names.filter(|name| !name.is_empty()).any(|name| {
        let mut parts = (0..).zip(name).filter(|(i, b)| *i == 0 || !b.is_ascii_lowercase()).map(|(i, _)| i);
        parts.any(|i: usize| triggers.is_final(slice(name, i..name.len())))
    })
}

/// Was the name that is the value given a final word shortly before, or, a constant, in the head of the file?
fn is_final_local(bytes: &[u8], value: &[u8], before: usize, triggers: &Triggers) -> bool {
    let end = value.iter().position(|b| !is_name_byte(*b)).unwrap_or(value.len());
    let (name, rest) = value.split_at(end);
    let alone = matches!(byte(rest, past_spaces(rest, 0)), b',' | b')' | b'}' | b'#' | b'\r' | 0);
    if name.is_empty() || !alone {
        return false;
    }
    let given = |text: &[u8]| {
        find_name(text, name).any(|at| {
            let next = past_spaces(text, at + name.len());
            is_assigned(text, next) && holds_final(value_at(text, next + 1), triggers)
        })
    };
    let constant = !name.iter().any(u8::is_ascii_lowercase);
    given(slice(bytes, before.saturating_sub(LOCAL)..before)) || (constant && given(slice(bytes, 0..HEAD.min(before))))
}

/// The first line of the value that begins here.
fn value_at(bytes: &[u8], start: usize) -> &[u8] {
    let near = slice(bytes, start..bytes.len().min(start + NEAR));
    let blank = near.iter().take_while(|b| b" \t\r\n\\([{".contains(b)).count();
    let rest = slice(near, blank..near.len());
    let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    slice(rest, 0..end)
}

fn is_near_writing(bytes: &[u8], at: usize) -> bool {
    // In Go a method begins with a capital: `Updates(Job{State: "failed"})`.
    let near = slice(bytes, before_while(bytes, at, is_name_byte).saturating_sub(NEAR)..at).to_ascii_lowercase();
    WRITES.iter().any(|word| memchr::memmem::find(&near, word).is_some())
}
