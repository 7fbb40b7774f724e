//! What a text holds if it holds a call that destroys: for the prefilter, which reads texts and no syntax.
//!
//! ```text
//! match = "*.delete_namespaced_*(name, ns)"     names: delete_namespaced_*      texts: delete_namespaced_
//! match = "*.request(method='DELETE', url)"     names: request                  texts: request, delete
//! match = "*.delete(*ids).execute()"            names: execute, delete          texts: execute, delete
//! docker rm <container>                         names: none                     texts: docker, rm
//! ```

use super::pattern::{Glob, Param, Seg, Way};
use super::{Row, Vocab};
use crate::source::Language;
use rustc_hash::FxHashSet;

/// The names that stand in rows that destroy in one language.
#[derive(Clone, Debug, Default)]
pub struct DestroyingNames {
    plain: FxHashSet<String>,
    globs: Vec<Glob>,
    /// Of these a row speaks without anything before them.
    bare: Vec<Glob>,
}

impl DestroyingNames {
    /// May a call of this name, or of what a call of this name gives, destroy? Whatever its receiver and arguments.
    pub fn holds(&self, name: &str) -> bool {
        self.plain.contains(name) || self.globs.iter().any(|g| g.fits(name))
    }

    /// The same where nothing stands before the name, and it is imported from nowhere: `delete(m, k)`, `drop(x)`.
    pub fn hold_bare(&self, name: &str) -> bool {
        self.bare.iter().any(|g| g.fits(name))
    }
}

impl Vocab {
    /// The names by which a call itself destroys in this language, by any row: of `*.delete(*ids).execute()` only the last.
    pub fn destroying_calls(&self, language: Language) -> DestroyingNames {
        self.names_that_destroy(language, |way| way.last().to_vec())
    }

    /// Does a name ask whether to delete, or is it told of it: `can_delete`, `onRemove`?
    pub fn asks(&self, name: &str) -> bool {
        let snake = super::load::snake(name);
        let asks = snake.trim_start_matches('_').split('_').next().unwrap_or_default();
        self.words.questions.iter().any(|w| w == asks)
    }

    /// The names of every row that destroys and is read in this language.
    pub fn destroying_names(&self, language: Language) -> DestroyingNames {
        self.names_that_destroy(language, |way| globs(way).cloned().collect())
    }

    fn names_that_destroy(&self, language: Language, told_by: impl Fn(&Way) -> Vec<Glob>) -> DestroyingNames {
        let read = |r: &&Row| [r.language, language].contains(&Language::Ir) || r.language == language;
        let rows = || self.rows.iter().filter(|r| r.role.destroys()).filter(read);
        let ways = || rows().flat_map(|r| &r.shape.ways);
        let mut names = DestroyingNames::default();
        let alone = ways().filter(|w| !w.open && w.segs.len() == 1);
        names.bare.extend(alone.flat_map(|w| w.last()).cloned());
        for glob in ways().flat_map(told_by) {
            match glob.plain() {
                Some(name) => {
                    names.plain.insert(name.to_string());
                }
                None => names.globs.push(glob),
            }
        }
        names.globs.sort_unstable_by(|a, b| a.pieces().cmp(b.pieces()));
        names.globs.dedup();
        names
    }

    /// For every called name of every row that destroys, and every such command, what is written out in it. A text
    /// without any of the pieces of one holds no call of that one.
    pub fn destroying_texts(&self) -> Vec<Vec<String>> {
        let rows = self.destroying_ways().flat_map(|(way, params)| {
            let values = params.iter().filter_map(|p| p.value.clone());
            // Of a name in the middle only what is written out in each of its alternatives.
            let middle = way.segs.iter().skip(1).filter_map(|s| match s {
                Seg::Name { globs, .. } if globs.len() == 1 => globs.first(),
                _ => None,
            });
            let inner = way.segs.iter().flat_map(|s| match s {
                Seg::Name { params, .. } => params.as_slice(),
                Seg::Any => &[],
            });
            let values = values.chain(inner.filter_map(|p| p.value.clone()));
            let all: Vec<String> = middle.flat_map(Glob::pieces).map(str::to_string).chain(values).collect();
            way.last().iter().map(move |g| g.pieces().map(str::to_string).chain(all.iter().cloned()).collect())
        });
        let destroys = self.command_rows().map(|(_, c)| c).filter(|c| c.role.destroys());
        let commands = destroys.map(|c| c.pattern.split_whitespace().filter(|w| !w.starts_with('<')));
        rows.chain(commands.map(|words| words.map(str::to_string).collect())).collect()
    }

    fn destroying_ways(&self) -> impl Iterator<Item = (&Way, &[Param])> {
        let rows = self.rows.iter().filter(|r| r.role.destroys());
        rows.flat_map(|r| r.shape.ways.iter().map(|way| (way, r.shape.params.as_deref().unwrap_or_default())))
    }
}

/// The names of a pattern in which something is written out.
fn globs(way: &Way) -> impl Iterator<Item = &Glob> {
    let named = way.segs.iter().flat_map(|s| match s {
        Seg::Name { globs, .. } => globs.as_slice(),
        Seg::Any => &[],
    });
    named.filter(|g| g.pieces().next().is_some())
}
