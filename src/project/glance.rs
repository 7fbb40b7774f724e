//! Functions that need no walk with all their helpers: [`crate::walk::glance`] says that they destroy nothing themselves.

use super::*;
use crate::vocab::DestroyingNames;
use rustc_hash::FxHashSet;

/// The words by which a glance judges.
#[derive(Default)]
pub(super) struct Words {
    names: RefCell<FxHashMap<(Option<Language>, Sym), bool>>,
    rows: RefCell<FxHashMap<Option<Language>, Rc<DestroyingNames>>>,
    triggers: OnceCell<FxHashSet<String>>,
}

impl Words {
    /// May a call of this name destroy anything, by the rows of a language?
    pub(super) fn destroy(&self, vocab: &Vocab, language: Option<Language>, name: &str) -> bool {
        known::once(&self.names, (language, sym(name)), || {
            let rows = || language.map(|l| vocab.destroying_calls(l)).unwrap_or_default().into();
            language.is_none() || known::once(&self.rows, language, rows).holds(name) && !vocab.asks(name)
        })
    }

    /// May a text be a statement or command that destroys, or a word of one: `rm`, `--delete`, `DELETE FROM labs`? Of a name
    /// that is put together of several words it is none.
    pub(super) fn spoken_of(&self, vocab: &Vocab, text: &str) -> bool {
        let words = || vocab.trigger_words().iter().map(|word| word.to_ascii_lowercase()).collect();
        let words: &FxHashSet<String> = self.triggers.get_or_init(words);
        let line = text.contains(char::is_whitespace);
        let joined = |c: char| if line { c.is_alphanumeric() || c == '_' } else { c != '-' };
        let mut parts = text.split(|c| !joined(c)).filter(|part| !part.is_empty());
        let alone = line || text.trim_start_matches('-').bytes().all(|b| b != b'-');
        alone && parts.any(|part| words.contains(&part.to_ascii_lowercase()))
    }
}

impl Project<'_> {
    /// May a call that stands in the function destroy anything? Of one that was walked already that is not asked.
    pub fn may_destroy_itself(&self, f: FuncKey) -> bool {
        self.closely || self.is_walked(f) || self.func(f).is_some_and(|func| walk::glance(&func, self))
    }

    /// Is it known what a function does?
    pub fn is_walked(&self, f: FuncKey) -> bool {
        self.entry(f).is_some_and(|e| !matches!(&*e.summary.borrow(), State::Unmade))
    }

    /// Is it a test, or a function that is read for what it speaks of?
    pub fn is_test_or_mention(&self, f: FuncKey) -> bool {
        let def = self.place(f).and_then(|(file, def)| self.index(file).defs.get(def as usize));
        def.is_some_and(|def| def.mention) || self.func(f).is_some_and(|func| func.is_test)
    }
}
