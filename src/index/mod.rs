//! The lexical pass: every file is read once by this module, and what it finds decides what is parsed at all.
//!
//! Parsing is the dear part of a lint, and few functions can matter: only one that holds a call which destroys
//! something, the helpers it asks, and the callers that hand it its target. So nothing is parsed here. Two cheap
//! searches run over the bytes:
//!
//! ```text
//! import os                                module level, no trigger: module_hit = false
//!
//! def stale(path):                         a definition without a trigger: parsed only if one that has one
//!     return not os.path.exists(path)      asks for `stale`, which NameIndex finds
//!
//! def sweep(paths):                        `os.remove(` is a trigger: hit = true, parsed first
//!     """Remove what is stale."""          a docstring never is
//!     for p in paths:
//!         if stale(p):                     `stale` is in `calls`
//!             os.remove(p)
//! ```
//!
//! 1. [`Triggers`] looks for the words of the vocabulary, in any spelling that occurs in names, and judges each place
//!    it finds by the bytes around it.
//! 2. The cutter of the language finds the definitions and the names that are called, without a syntax tree.
//!
//! Both err on one side. A function without a trigger holds no call that the vocabulary knows to destroy; a function
//! with one may be harmless. A test compares the verdicts with and without this module: they are the same.
//!
//! Names are kept as 32-bit hashes ([`name_hash`]), never as text. Two names with one hash cost a needless look, so
//! whoever resolves a name compares the text of the definition it was given.

mod aliases;
mod braces;
mod bytes;
mod judge;
mod names;
mod places;
mod python;
mod state;
mod strings;
mod triggers;

pub use names::{DefRef, NameIndex};
pub use triggers::Triggers;

use crate::source::Language;
use std::ops::Range;

/// What a definition defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DefKind {
    /// `def`, `async def`.
    Function,
    /// `class`.
    Class,
}

/// One definition, by its place in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Def {
    /// Its name.
    pub name: Range<u32>,
    /// From `def`, `async` or `class` to the end of the last statement of its body: no blank line, no comment after it.
    pub range: Range<u32>,
    /// From the first `@` to the head of the definition; empty where there is none.
    pub decorators: Range<u32>,
    /// What it defines.
    pub kind: DefKind,
    /// The name of the type that it is a method of, where that is told at its head (`func (r *Reaper) sweep()`) or by a
    /// block around it (`impl Reaper`); empty otherwise.
    pub owner: Range<u32>,
    /// The definition around it, as an index into [`FileIndex::defs`].
    pub parent: Option<u32>,
    /// It holds a trigger. A trigger in a function inside a function counts for both, since the inner one is a block of
    /// the outer one; a trigger in a method does not count for its class, whose own hit says that the statements of
    /// its body between the methods hold one.
    pub hit: bool,
    /// It, or a function inside it, holds a name for which it is read though it destroys nothing.
    pub mention: bool,
}

impl Def {
    /// The whole definition with its decorators.
    pub fn whole(&self) -> Range<u32> {
        let start = if self.decorators.is_empty() { self.range.start } else { self.decorators.start };
        start..self.range.end
    }
}

/// What one file defines and calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileIndex {
    /// The definitions in the order of the file: an enclosing one stands before those inside it.
    pub defs: Vec<Def>,
    /// The hash of the name of each definition, in the order of [`FileIndex::defs`].
    pub names: Box<[u32]>,
    /// The hashes of all names that are called or handed on as values (`submit(reap, x)`, `target=reap`), sorted,
    /// each once.
    pub calls: Box<[u32]>,
    /// Statements at module level, outside every definition, hold a trigger.
    pub module_hit: bool,
}

impl FileIndex {
    /// Is there a trigger anywhere?
    pub fn hit(&self) -> bool {
        self.module_hit || self.defs.iter().any(|d| d.hit)
    }

    /// The same file with a trigger everywhere, in a file of `tests` in every function: for a run that looks at
    /// everything.
    pub fn all_hit(mut self, tests: bool) -> Self {
        self.defs.iter_mut().for_each(|d| (d.hit, d.mention) = (true, true));
        self.module_hit = !tests;
        self
    }

    /// May this file call the name, or hand it on as a value?
    pub fn calls_name(&self, name: &str) -> bool {
        self.calls.binary_search(&name_hash(name)).is_ok()
    }

    /// The innermost definition that holds this byte of the file; its decorators are not part of it.
    pub fn enclosing(&self, offset: u32) -> Option<u32> {
        let after = self.defs.partition_point(|d| d.range.start <= offset);
        let mut at = u32::try_from(after.checked_sub(1)?).ok();
        while let Some(i) = at {
            let def = self.defs.get(i as usize)?;
            if offset < def.range.end {
                return at;
            }
            at = def.parent;
        }
        None
    }

    /// The function that is lowered as a whole when this definition matters: the outermost function around it, or
    /// itself. A method that says what it is a method of stands for itself, wherever it is written. `None` for a class that
    /// stands in no function.
    pub fn unit(&self, def: u32) -> Option<u32> {
        let (mut unit, mut at) = (None, Some(def));
        while let Some(i) = at {
            let def = self.defs.get(i as usize)?;
            if def.kind == DefKind::Function {
                unit = at;
                if !def.owner.is_empty() {
                    break;
                }
            }
            at = def.parent;
        }
        unit
    }

    /// The functions ([`FileIndex::unit`]s) that hold a trigger, in the order of the file.
    pub fn seeds(&self) -> Vec<u32> {
        let hits = (0..).zip(&self.defs).filter(|(_, d)| d.hit && d.kind == DefKind::Function);
        let mut units: Vec<u32> = hits.filter_map(|(i, _)| self.unit(i)).collect();
        units.dedup();
        units
    }

    /// The definition whose name starts at this byte.
    pub fn named_at(&self, offset: u32) -> Option<u32> {
        self.defs.binary_search_by_key(&offset, |d| d.name.start).ok().map(|i| i as u32)
    }

    /// The functions ([`FileIndex::unit`]s) whose text mentions a name as a whole word other than as their own name,
    /// in the order of the file, each once. `None` stands for statements outside every function.
    pub fn mentions(&self, text: &str, name: &str) -> Vec<Option<u32>> {
        let mut units = Vec::new();
        if name.is_empty() {
            return units;
        }
        for at in bytes::find_name(text.as_bytes(), name.as_bytes()) {
            let own = |d: &Def| d.name.start as usize == at;
            let place = self.enclosing(at as u32);
            if place.and_then(|d| self.defs.get(d as usize)).is_some_and(own) {
                continue;
            }
            let unit = place.and_then(|d| self.unit(d));
            if !units.contains(&unit) {
                units.push(unit);
            }
        }
        units
    }

    /// Drops the hits of tests that cannot matter: of a file of tests, or of the tests inside another file.
    fn keep_tests(&mut self, text: &str, triggers: &Triggers, places: &places::Places, whole: bool) {
        let part = |range: &Range<u32>| text.get(range.start as usize..range.end as usize).unwrap_or_default();
        let imports = places.imports(text.as_bytes()).any(|import| triggers.sweeps(part(import)));
        self.module_hit &= !whole;
        for unit in self.seeds() {
            let Some(def) = self.defs.get(unit as usize) else { continue };
            if !whole && !places.in_test(def.range.start) {
                continue;
            }
            let name = part(&def.name);
            let named =
                name.get(..4).is_some_and(|n| n.eq_ignore_ascii_case("test")) || places.in_test(def.range.start);
            if !named || !triggers.test_matters(part(&def.range), name, imports) {
                let end = def.range.end;
                let inside = self.defs.iter_mut().skip(unit as usize).take_while(|d| d.range.start < end);
                inside.for_each(|d| d.hit = false);
            }
        }
    }

    /// Records a trigger at a byte of the file.
    fn mark(&mut self, offset: u32) {
        let Some(inner) = self.enclosing(offset) else {
            self.module_hit = true;
            return;
        };
        let mut at = Some(inner);
        while let Some(i) = at {
            let Some(def) = self.defs.get_mut(i as usize) else { return };
            def.hit |= i == inner || def.kind == DefKind::Function;
            at = def.parent;
        }
    }
}

/// Reads one file. Never fails: text that is no program has fewer definitions.
pub fn index(language: Language, text: &str, triggers: &Triggers) -> FileIndex {
    read(language, text, triggers, false)
}

/// Reads one file of tests. Only what is asserted is a trigger, only in functions named as tests, and not in a
/// test that speaks of nothing that goes through all there is. Statements outside functions never are.
pub fn index_tests(language: Language, text: &str, triggers: &Triggers) -> FileIndex {
    read(language, text, triggers, true)
}

fn read(language: Language, text: &str, triggers: &Triggers, tests: bool) -> FileIndex {
    if !language.is_code() {
        return FileIndex::default();
    }
    let bytes = text.as_bytes();
    let generated = crate::source::is_generated(language, text);
    let found = if generated { Vec::new() } else { triggers.search(bytes) };
    let places = tests || !found.is_empty();
    let cut = match language {
        Language::Go => braces::cut(bytes, braces::Syntax::Go, places),
        Language::Rust => braces::cut(bytes, braces::Syntax::Rust, places),
        _ => python::cut(bytes, places),
    };
    let mut calls = cut.calls;
    calls.sort_unstable();
    calls.dedup();
    let mut file =
        FileIndex { defs: cut.defs, names: cut.names.into(), calls: calls.into_boxed_slice(), module_hit: false };
    let page = judge::Page { bytes, language, places: &cut.places, triggers, tests };
    let mut hits = page.hits(&found);
    hits.retain(|hit| tests || !cut.places.in_test(hit.word.start as u32));
    for hit in &hits {
        file.mark(hit.word.start as u32);
    }
    if tests || cut.places.has_tests() {
        let page = judge::Page { tests: true, ..page };
        let inside = |at: usize| tests || cut.places.in_test(at as u32);
        let hits = page.hits(&found).into_iter().map(|hit| hit.word.start).filter(|at| inside(*at) && !tests);
        let claimed = triggers.claimed(bytes).into_iter().filter(|word| inside(word.start) && page.is_claim(word));
        for at in hits.chain(claimed.map(|word| word.start)) {
            file.mark(at as u32);
        }
        file.keep_tests(text, triggers, &cut.places, tests);
    }
    if tests || generated {
        return file;
    }
    let renamed = page.renamed(&file, &found, &hits);
    for at in renamed {
        file.mark(at as u32);
    }
    for at in triggers.mentioned(text.as_bytes()) {
        file.mark(at as u32);
        let unit = file.enclosing(at as u32).and_then(|def| file.unit(def));
        if let Some(def) = unit.and_then(|unit| file.defs.get_mut(unit as usize)) {
            def.mention = true;
        }
    }
    file
}

/// The hash under which a name is kept.
pub fn name_hash(name: &str) -> u32 {
    hash_bytes(name.as_bytes())
}

/// A multiplication for each eight bytes: names are short, and there are millions of them.
fn hash_bytes(name: &[u8]) -> u32 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = (name.len() as u64).wrapping_mul(MIX);
    let mut chunks = name.chunks_exact(8);
    for chunk in &mut chunks {
        let word = chunk.iter().rev().fold(0u64, |w, b| (w << 8) | u64::from(*b));
        hash = (hash.rotate_left(29) ^ word).wrapping_mul(MIX);
    }
    let rest = chunks.remainder().iter().rev().fold(0u64, |w, b| (w << 8) | u64::from(*b));
    hash = (hash.rotate_left(29) ^ rest).wrapping_mul(MIX);
    ((hash ^ (hash >> 29)).wrapping_mul(MIX) >> 32) as u32
}
