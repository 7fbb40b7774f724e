//! Triggers: the places that may destroy something, found by words.
//!
//! The words are those of the vocabulary; a name that holds none of them is in no row that destroys. One search finds
//! the places; [`super::judge`] reads the bytes around each.
//!
//! A word counts at the head of a part of a name (`lr_del`, `autoDelete`); a long one anywhere (`softdelete`), a short
//! one only as a whole part (`rm`, not `format`). Each is looked for in small letters, in capitals, and with a capital
//! in front, which is how names are spelled.

use super::bytes::{part_ends, part_starts};
use crate::source::Language;
use crate::vocab::{DestroyingNames, Topic, Vocab};
use aho_corasick::packed::{self, MatchKind};
use aho_corasick::{AhoCorasick, Span};
use memchr::memmem::Finder;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A word of this length counts in the middle of a part of a name.
const LONG: usize = 5;
/// A word up to this length must be a whole part.
const SHORT: usize = 3;
/// How many spellings one packed search takes.
const PACKED: usize = 64;
/// What the search looks for, made once for a run.
#[derive(Debug)]
pub struct Triggers {
    searches: Vec<Search>,
    words: Vec<Word>,
    /// Without joints, so that `shut_down` and `shutdown` are one.
    finals: FxHashSet<Vec<u8>>,
    /// Which names holding a word are in a row of a language; without, any is.
    names: Option<[(Language, DestroyingNames); 3]>,
    /// Names that make a function worth a look though it destroys nothing, wherever they stand.
    mentions: Vec<Finder<'static>>,
    /// The names of calls whose text is for people.
    telling: FxHashSet<Vec<u8>>,
    /// In tests: what an assertion may say of a thing that is to go, besides the words of calls.
    claims: Option<Search>,
    /// In tests: what else must be spoken of.
    tests: Option<Box<TestWords>>,
}

/// What a test speaks of if it asserts that what has no record goes: what runs goes through all there is, or the
/// test's name says all of it.
#[derive(Debug)]
struct TestWords {
    sweeps: Triggers,
    gone: Triggers,
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
    /// The name of a field, and no verb.
    pub(super) state: bool,
}

impl Triggers {
    /// The triggers of a vocabulary: its words, and for a row that holds none of them (a user's own, most likely) the
    /// longest text of the row itself.
    pub fn of(vocab: &Vocab) -> Self {
        let mut verbs = vocab.trigger_words().to_vec();
        let known = Triggers::new(&verbs, &[], &[]);
        for texts in vocab.destroying_texts() {
            if !texts.iter().any(|text| known.covers(text)) {
                let text = texts.iter().map(|text| text.trim_matches('_')).max_by_key(|text| text.len());
                verbs.extend(text.map(str::to_ascii_lowercase));
            }
        }
        let of = |language| (language, vocab.destroying_names(language));
        let names = Some([Language::Python, Language::Go, Language::Rust].map(of));
        let words = |topics: &[Topic]| Triggers::new(&vocab.topic_words(topics), &[], &[]);
        let sweeps = words(&[Topic::Sweeping, Topic::Clearing, Topic::Doomed]);
        let tests = Some(Box::new(TestWords { sweeps, gone: words(&[Topic::Gone, Topic::Doomed]) }));
        Triggers { names, tests, ..Triggers::new(&verbs, vocab.state_words(), vocab.final_words()) }
            .telling(vocab.telling_names())
            .mentioning(vocab.mention_words())
            .claiming(&vocab.claim_words())
    }

    /// The same, without the text given to a call of one of these names.
    pub fn telling(self, names: &[String]) -> Self {
        Triggers { telling: names.iter().map(|n| n.clone().into_bytes()).collect(), ..self }
    }

    /// The same, and functions that mention one of these names.
    pub fn mentioning(self, names: &[String]) -> Self {
        Triggers { mentions: names.iter().map(|w| Finder::new(w).into_owned()).collect(), ..self }
    }

    /// The same, and tests that assert one of these words of something.
    pub fn claiming(self, words: &[String]) -> Self {
        let words: Vec<(String, u32)> = words.iter().map(|w| (w.clone(), 0)).collect();
        Triggers { claims: Search::new(&words), ..self }
    }

    /// Any name that holds one of the `verbs` counts. `verbs` are the words of calls that destroy. `states` are the
    /// names of fields that hold a state: they count only where one of the `finals`, the words for states that end
    /// something, is written to them. All in small letters.
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
        // A packed search looks at as many bytes of each pattern as the shortest one has: short ones go by themselves.
        let (long, short) = spellings.split_at(spellings.partition_point(|(s, _)| s.len() > SHORT));
        let searches = long.chunks(PACKED).chain(short.chunks(PACKED)).filter_map(Search::new).collect();
        let finals = finals.iter().map(|w| folded(w.as_bytes())).filter(|w| !w.is_empty()).collect();
        Triggers {
            searches,
            words,
            finals,
            names: None,
            mentions: Vec::new(),
            telling: FxHashSet::default(),
            claims: None,
            tests: None,
        }
    }

    /// Does the name, dotted path or text hold a word where it counts? What a row of the vocabulary matches must.
    pub fn covers(&self, text: &str) -> bool {
        self.search(text.as_bytes()).iter().any(|found| !found.state)
    }

    /// May a call of this name destroy?
    pub(super) fn may_destroy(&self, language: Language, name: &[u8]) -> bool {
        let name = std::str::from_utf8(name).unwrap_or_default();
        self.names_in(language).is_none_or(|names| names.holds(name))
    }

    /// May a call of this name destroy, where nothing stands before it and nothing imports it?
    pub(super) fn may_destroy_bare(&self, language: Language, name: &[u8]) -> bool {
        let name = std::str::from_utf8(name).unwrap_or_default();
        self.names_in(language).is_some_and(|names| names.hold_bare(name))
    }

    fn names_in(&self, language: Language) -> Option<&DestroyingNames> {
        self.names.as_ref()?.iter().find(|(own, _)| *own == language).map(|(_, names)| names)
    }

    /// The places of names that make a function worth a look.
    pub(super) fn mentioned(&self, bytes: &[u8]) -> impl Iterator<Item = usize> {
        self.mentions.iter().flat_map(move |m| m.find_iter(bytes).collect::<Vec<_>>())
    }

    /// May a test matter, by its text, its name, and whether the imports of its file speak of sweeps?
    pub(super) fn test_matters(&self, test: &str, name: &str, imports: bool) -> bool {
        let Some(words) = &self.tests else { return true };
        imports || words.sweeps.covers(test) || words.gone.covers(name)
    }

    /// Is text that is given to a call of this name for people?
    pub(super) fn tells(&self, name: &[u8]) -> bool {
        self.telling.contains(name)
    }

    /// Does an import speak of sweeps?
    pub(super) fn sweeps(&self, import: &str) -> bool {
        self.tests.as_ref().is_some_and(|words| words.sweeps.covers(import))
    }

    /// The places of words that say that a thing is to go.
    pub(super) fn claimed(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let (mut found, mut at) = (Vec::new(), 0);
        while let Some((_, range)) = self.claims.as_ref().and_then(|c| c.find(bytes, at)) {
            at = range.end;
            found.push(range);
        }
        found
    }

    /// Is this word, in any spelling, one for a state that ends something?
    pub(super) fn is_final(&self, word: &[u8]) -> bool {
        self.finals.contains(&folded(word))
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

/// `delete`, `Delete`, `DELETE`; of `record_sets` also `RecordSets`.
fn spelled(word: &str) -> impl Iterator<Item = String> {
    let title = |word: &str| {
        let mut title = word.to_ascii_lowercase();
        if let Some(first) = title.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        title
    };
    let camel = word.contains('_').then(|| word.split('_').map(title).collect());
    [word.to_ascii_lowercase(), title(word), word.to_ascii_uppercase()].into_iter().chain(camel)
}

/// Does a word stand where it counts in its name?
fn counts(bytes: &[u8], word: &Range<usize>, length: usize) -> bool {
    (length >= LONG || part_starts(bytes, word.start)) && (length > SHORT || part_ends(bytes, word.end))
}

/// In small letters, and without joints.
fn folded(word: &[u8]) -> Vec<u8> {
    word.iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
}
