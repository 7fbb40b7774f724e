//! The names of all files of a run: who defines one, who calls it.
//!
//! ```text
//! a.py: def reap(lab): lab.delete()        definitions("reap") = [a.py#0]
//! b.py: for lab in gone: reap(lab)         files_calling("reap") = [b.py]
//! ```
//!
//! Only names that some file of the run defines are kept: a call of `print` leads nowhere.

use super::{FileIndex, name_hash};
use crate::source::FileId;
use rustc_hash::FxHashMap;

/// A definition of some file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DefRef {
    /// The file.
    pub file: FileId,
    /// The definition, as an index into its [`FileIndex::defs`].
    pub def: u32,
}

/// Name to definitions, called name to files.
#[derive(Debug, Default)]
pub struct NameIndex {
    /// The hash of a name to its place in the tables.
    slots: FxHashMap<u32, u32>,
    defs: Table<DefRef>,
    callers: Table<FileId>,
}

impl NameIndex {
    /// Gathers the names of the files. The order of the files is the order of every answer.
    pub fn new<'a>(files: impl Iterator<Item = (FileId, &'a FileIndex)> + Clone) -> Self {
        let mut slots = FxHashMap::default();
        let mut defs = Vec::new();
        for (file, index) in files.clone() {
            for (def, hash) in index.names.iter().enumerate() {
                let next = slots.len() as u32;
                let slot = *slots.entry(*hash).or_insert(next);
                defs.push((slot, DefRef { file, def: def as u32 }));
            }
        }
        let mut callers = Vec::new();
        for (file, index) in files {
            callers.extend(index.calls.iter().filter_map(|hash| Some((*slots.get(hash)?, file))));
        }
        let names = slots.len();
        NameIndex { slots, defs: Table::new(names, &defs), callers: Table::new(names, &callers) }
    }

    /// Every definition of a name: functions, methods and classes. Since names are kept as hashes, a stranger may be
    /// among them, once in about a hundred thousand names: compare [`super::Def::name`] with the text.
    pub fn definitions(&self, name: &str) -> &[DefRef] {
        self.slots.get(&name_hash(name)).map_or(&[], |slot| self.defs.get(*slot))
    }

    /// Every file that calls a name some file defines, or hands it on as a value; strangers as above.
    pub fn files_calling(&self, name: &str) -> impl Iterator<Item = FileId> + '_ {
        self.slots.get(&name_hash(name)).map_or(&[][..], |slot| self.callers.get(*slot)).iter().copied()
    }
}

/// Lists of values by number, end to end in one vector.
#[derive(Debug)]
struct Table<T> {
    /// Where each list starts; one more at the end.
    starts: Vec<u32>,
    values: Vec<T>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { starts: vec![0], values: Vec::new() }
    }
}

impl<T: Copy> Table<T> {
    /// Sorts pairs of number and value by number; pairs of one number keep their order.
    fn new(lists: usize, pairs: &[(u32, T)]) -> Self {
        let mut starts = vec![0u32; lists + 1];
        for (list, _) in pairs {
            if let Some(count) = starts.get_mut(*list as usize + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut next = starts.clone();
        let mut values = pairs.first().map_or(Vec::new(), |(_, filler)| vec![*filler; pairs.len()]);
        for (list, value) in pairs {
            let Some(at) = next.get_mut(*list as usize) else { continue };
            if let Some(place) = values.get_mut(*at as usize) {
                *place = *value;
            }
            *at += 1;
        }
        Table { starts, values }
    }

    fn get(&self, list: u32) -> &[T] {
        let bounds = self.starts.get(list as usize).zip(self.starts.get(list as usize + 1));
        bounds.and_then(|(from, to)| self.values.get(*from as usize..*to as usize)).unwrap_or_default()
    }
}
