//! Reading around a place of a text: names, parts of names, spaces. A byte outside the text is 0.
//!
//! Nothing is read further than [`REACH`] from its place, and no name further than [`NAME`]: in a file of one endless
//! line or name every place would otherwise read all of it.

use std::ops::Range;

/// How far a line or a run of spaces is followed.
const REACH: usize = 1 << 12;
/// How far a name is followed.
const NAME: usize = 1 << 8;

/// Is this a byte of a name or number? Bytes outside ASCII are: no operator is written with them.
#[inline]
pub(super) fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// The byte at a place.
#[inline]
pub(super) fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// The byte before a place.
#[inline]
pub(super) fn byte_before(bytes: &[u8], at: usize) -> u8 {
    at.checked_sub(1).map_or(0, |i| byte(bytes, i))
}

/// The bytes of a range, as far as they are there.
pub(super) fn slice(bytes: &[u8], range: Range<usize>) -> &[u8] {
    bytes.get(range).unwrap_or_default()
}

/// Is `from..to` a whole name?
pub(super) fn is_name_at(bytes: &[u8], from: usize, to: usize) -> bool {
    !is_name_byte(byte_before(bytes, from)) && !is_name_byte(byte(bytes, to))
}

/// The places of a whole name.
pub(super) fn find_name<'a>(bytes: &'a [u8], name: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    memchr::memmem::find_iter(bytes, name).filter(move |at| is_name_at(bytes, *at, at + name.len()))
}

/// The whole name around a range; the name that starts at a place, if the range is empty and stands behind no name.
pub(super) fn name_around(bytes: &[u8], range: &Range<usize>) -> Range<usize> {
    let rest = slice(bytes, range.end..bytes.len().min(range.end + NAME));
    let end = range.end + rest.iter().take_while(|b| is_name_byte(**b)).count();
    let from = range.start.saturating_sub(NAME);
    from + before_while(slice(bytes, from..range.start), range.start - from, is_name_byte)..end
}

/// Every name and number of a text.
pub(super) fn names(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = slice(bytes, at..bytes.len());
        let start = at + rest.iter().position(|b| is_name_byte(*b))?;
        let length = slice(bytes, start..bytes.len()).iter().position(|b| !is_name_byte(*b));
        at = length.map_or(bytes.len(), |n| start + n);
        Some(start..at)
    })
}

/// Where the line of a place begins.
pub(super) fn line_start(bytes: &[u8], at: usize) -> usize {
    let from = at.saturating_sub(REACH);
    from + memchr::memrchr(b'\n', slice(bytes, from..at)).map_or(0, |i| i + 1)
}

/// Past the spaces of this line.
pub(super) fn past_spaces(bytes: &[u8], at: usize) -> usize {
    at + ahead(bytes, at).iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

fn ahead(bytes: &[u8], at: usize) -> &[u8] {
    slice(bytes, at..bytes.len().min(at.saturating_add(REACH)))
}

/// How far before `at` all bytes pass.
pub(super) fn before_while(bytes: &[u8], at: usize, pass: impl Fn(u8) -> bool) -> usize {
    let from = at.saturating_sub(REACH);
    from + slice(bytes, from..at).iter().rposition(|b| !pass(*b)).map_or(0, |i| i + 1)
}

/// The word before a place, with spaces between.
pub(super) fn word_before(bytes: &[u8], at: usize) -> &[u8] {
    let end = before_while(bytes, at, |b| matches!(b, b' ' | b'\t'));
    let start = if end < at { before_while(bytes, end, is_name_byte) } else { end };
    slice(bytes, start..end)
}

/// Is there a single `=` here?
pub(super) fn is_assigned(bytes: &[u8], at: usize) -> bool {
    byte(bytes, at) == b'=' && byte(bytes, at + 1) != b'='
}

/// Does a part of a name start here: `_delete`, `autoDelete`, `VMDelete`?
pub(super) fn part_starts(bytes: &[u8], at: usize) -> bool {
    let (before, here) = (byte_before(bytes, at), byte(bytes, at));
    let camel = here.is_ascii_uppercase() && (before.is_ascii_lowercase() || byte(bytes, at + 1).is_ascii_lowercase());
    !before.is_ascii_alphabetic() || camel
}

/// Does a part of a name end before this byte: `delete_`, `deletePod`, not `deleted`?
pub(super) fn part_ends(bytes: &[u8], at: usize) -> bool {
    let (last, after) = (byte_before(bytes, at), byte(bytes, at));
    !after.is_ascii_alphabetic() || (after.is_ascii_uppercase() && last.is_ascii_lowercase())
}
