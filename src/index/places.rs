//! What a cutter finds in a file, and what each place of it is part of. Every cutter gives the same.

use super::Def;
use super::bytes::slice;
use std::ops::Range;

/// A comment or string, by its place.
pub(super) struct Token {
    pub(super) range: Range<u32>,
    /// It is a comment, or a string that is a statement of its own.
    pub(super) remark: bool,
}

/// What the cutter found.
#[derive(Default)]
pub(super) struct Cut {
    pub(super) defs: Vec<Def>,
    /// Hashes of the names of `defs`.
    pub(super) names: Vec<u32>,
    /// Hashes of called names, as they come.
    pub(super) calls: Vec<u32>,
    /// What is no code, if asked for.
    pub(super) places: Places,
}

/// Where a file holds no code that does its work.
#[derive(Default)]
pub(super) struct Places {
    /// Comments and strings in order.
    pub(super) tokens: Vec<Token>,
    /// Imports and decorators in order.
    pub(super) idle: Vec<Range<u32>>,
    /// Heads of definitions, up to and with the name, in order.
    pub(super) heads: Vec<Range<u32>>,
    /// Parts of a file that are tests though the file is none, in order.
    pub(super) tests: Vec<Range<u32>>,
}

/// What a place is part of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Context {
    /// Code.
    Code,
    /// A string that is a value.
    Text(Range<usize>),
    /// A comment, or a string that is a statement of its own.
    Remark,
    /// An import or a decorator.
    Idle(Range<usize>),
}

impl Places {
    /// The imports.
    pub(super) fn imports<'a>(&'a self, bytes: &'a [u8]) -> impl Iterator<Item = &'a Range<u32>> {
        self.idle.iter().filter(|r| bytes.get(r.start as usize) != Some(&b'@'))
    }

    /// The first of the strings that are written one after the other and are one with this one.
    pub(super) fn first_of(&self, bytes: &[u8], token: Range<usize>) -> Range<usize> {
        let mut at = self.tokens.partition_point(|t| (t.range.start as usize) < token.start);
        let mut first = token;
        while let Some(before) = at.checked_sub(1).and_then(|i| self.tokens.get(i)) {
            let between = slice(bytes, before.range.end as usize..first.start);
            if before.remark || !between.iter().all(|b| b.is_ascii_whitespace() || *b == b'\\') {
                break;
            }
            first = before.range.start as usize..before.range.end as usize;
            at -= 1;
        }
        first
    }

    /// What the byte at a place is part of.
    pub(super) fn context(&self, at: u32) -> Context {
        let wide = |r: &Range<u32>| r.start as usize..r.end as usize;
        if within(&self.heads, at) {
            return Context::Remark;
        }
        let idle = self.idle.get(self.idle.partition_point(|r| r.end <= at)).filter(|r| r.contains(&at));
        let token = self.tokens.get(self.tokens.partition_point(|t| t.range.end <= at));
        match token.filter(|t| t.range.contains(&at)) {
            Some(t) if t.remark => Context::Remark,
            _ if idle.is_some() => Context::Idle(idle.map(wide).unwrap_or_default()),
            Some(t) => Context::Text(wide(&t.range)),
            None => Context::Code,
        }
    }

    /// Are there tests in a file that is none of tests?
    pub(super) fn has_tests(&self) -> bool {
        !self.tests.is_empty()
    }

    /// Is the byte at a place part of a test in a file that is none?
    pub(super) fn in_test(&self, at: u32) -> bool {
        within(&self.tests, at)
    }
}

fn within(ranges: &[Range<u32>], at: u32) -> bool {
    ranges.get(ranges.partition_point(|r| r.end <= at)).is_some_and(|r| r.contains(&at))
}
