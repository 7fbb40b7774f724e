//! Only what is new since a revision: `--diff-base`.
//!
//! The tree of then is put together from the tree of now and git's objects, and linted as well; what was there already is
//! not reported. So a delete that nobody touched is new where its guard went:
//!
//! ```text
//! policy.py    - return row is not None and row.env == ENV        the guard, in a helper, goes
//!              + return row is None
//! janitor.py     if may_go(row): api.delete(..)                   new here, with the place where the guard stood
//! ```

pub mod git;

use crate::check::Safeguard;
use crate::compare;
use crate::discover::{self, Request};
use crate::report::fingerprint::{self, Mark};
use crate::rules::{Finding, Part, Step};
use crate::source::{FileId, SourceFile, Sources, Span, shown};
use git::Base;
use rustc_hash::FxHashMap;
use similar::{ChangeTag, TextDiff};
use std::path::{Path, PathBuf};

/// The tree of then, and how its files are called now.
#[derive(Debug)]
pub struct Then {
    /// Its files.
    pub sources: Sources,
    /// The path that a file has now, by the path it had then: only where the two differ.
    renamed: FxHashMap<PathBuf, PathBuf>,
    /// The revision, as it was asked for.
    name: String,
}

/// Longer texts of what stood there are cut.
const QUOTED: usize = 70;

impl Then {
    /// The files of then, as those of now would be found; nothing where no file differs.
    ///
    /// # Errors
    /// git could not be asked.
    pub fn read(now: &Sources, base: &Base, request: &Request<'_>) -> Result<Option<Then>, String> {
        let top = std::fs::canonicalize(&base.top).unwrap_or_else(|_| base.top.clone());
        let mut then = Then { sources: Sources::default(), renamed: FxHashMap::default(), name: base.name.clone() };
        let (mut files, mut wanted, mut differs) = (vec![], vec![], false);
        for file in &now.files {
            let Some(path) = below(&top, &file.path) else {
                files.push(file.clone());
                continue;
            };
            match base.changed.get(&path) {
                Some(old) => {
                    differs = true;
                    wanted.push((old.clone(), old_path(file, &path, old, &top)));
                    if *old != path {
                        then.renamed.insert(old_path(file, &path, old, &top), file.path.clone());
                    }
                }
                None if base.files.contains(&path) => files.push(file.clone()),
                None => differs = true,
            }
        }
        let gone =
            base.deleted.iter().filter_map(|old| Some((old.clone(), discover::would_lint(&top.join(old), request)?)));
        wanted.extend(gone);
        differs |= !wanted.is_empty();
        if !differs {
            return Ok(None);
        }
        let asked: Vec<String> = wanted.iter().map(|(old, _)| old.clone()).collect();
        let contents = base.contents(&asked)?;
        for (old, path) in wanted {
            let read = contents.get(&old).and_then(|bytes| discover::decoded(&path, bytes));
            if let Some((language, text)) = read {
                files.push(SourceFile { id: FileId(0), path, language, text });
            }
        }
        then.sources = discover::numbered(files);
        Ok(Some(then))
    }

    /// The path that a file of then has now.
    fn path_now<'a>(&'a self, path: &'a Path) -> &'a Path {
        self.renamed.get(path).map_or(path, PathBuf::as_path)
    }

    /// Leaves the findings that are new since then, and says of each which guard went. How many are old.
    pub fn keep_new(&self, findings: &mut Vec<Finding>, now: &Sources, old: &[Finding], guards: &[Safeguard]) -> usize {
        let marks = fingerprint::marks(findings, now, shown);
        let before = fingerprint::marks(old, &self.sources, |path| shown(self.path_now(path)));
        let mut lines = Changed::new(self, now);
        let touched: Vec<bool> = findings.iter().map(|f| lines.touch(f.statement)).collect();
        let new = compare::fresh(&marks, &before, |at| touched.get(at).copied().unwrap_or_default());
        let count = findings.len();
        for ((finding, mark), _) in findings.iter_mut().zip(&marks).zip(&new).filter(|(_, new)| **new) {
            self.say_what_went(finding, mark, guards, &mut lines);
        }
        let mut new = new.into_iter();
        findings.retain(|_| new.next().unwrap_or(true));
        count - findings.len()
    }

    /// Names the place of the guard that spared the target until then.
    fn say_what_went(&self, finding: &mut Finding, mark: &Mark, guards: &[Safeguard], lines: &mut Changed<'_>) {
        let same = |guard: &&Safeguard| {
            let file = self.sources.get(guard.at.file);
            shown(self.path_now(&file.path)) == mark.path
                && fingerprint::call_at(guard.at, guard.statement, &self.sources) == mark.call
        };
        let spans = guards.iter().filter(same).flat_map(|guard| &guard.spans);
        let Some(gone) = spans.filter_map(|span| lines.removed(*span)).next() else { return };
        let Gone { line, whole, place, .. } = &gone;
        let since = &self.name;
        if let Some(place) = *place {
            let text = if gone.replaced {
                format!("until {since} this read `{line}`")
            } else {
                format!("until {since} `{line}` stood before this")
            };
            match finding.steps.iter_mut().find(|known| known.span == place) {
                Some(known) => known.text = format!("{}; {text}", known.text),
                None if place == finding.at => {}
                None => finding.steps.push(Step { span: place, part: Part::Guard, text }),
            }
        }
        finding.help = format!("put back `{line}`, which stood in {whole} until {since}; or {}", finding.help);
    }
}

/// A line of then that went.
struct Gone {
    /// What stood there.
    line: String,
    /// Where, for people.
    whole: String,
    /// The place of now in its place, if its file is still there.
    place: Option<Span>,
    /// That place is a line which stands there instead; else it is the line behind it.
    replaced: bool,
}

/// Which lines of a file differ.
struct Changed<'a> {
    then: &'a Then,
    now: &'a Sources,
    by_path: FxHashMap<PathBuf, FileChange>,
}

/// Lines, from 0, of a file that differs.
#[derive(Default)]
struct FileChange {
    /// Those of now that were not there.
    added: Vec<usize>,
    /// Those of then that are not there, each with the line of now at its place.
    removed: FxHashMap<usize, usize>,
}

impl<'a> Changed<'a> {
    fn new(then: &'a Then, now: &'a Sources) -> Self {
        Changed { then, now, by_path: FxHashMap::default() }
    }

    /// The changes of a file, by the path of now.
    fn of(&mut self, path: &Path) -> &FileChange {
        let (then, now) = (self.then, self.now);
        self.by_path.entry(path.to_path_buf()).or_insert_with(|| {
            let new = now.files.iter().find(|f| f.path == path);
            let old = then.sources.files.iter().find(|f| then.path_now(&f.path) == path);
            match (old, new) {
                (Some(old), Some(new)) if old.text == new.text => FileChange::default(),
                (old, new) => difference(old.map_or("", |f| &f.text), new.map_or("", |f| &f.text)),
            }
        })
    }

    /// Is one of the lines of a place of now new?
    fn touch(&mut self, span: Span) -> bool {
        let file = self.now.get(span.file);
        let lines = lines_of(&file.text, span);
        let change = self.of(&file.path);
        change.added.iter().any(|line| lines.contains(line))
    }

    /// The line of a place of then, if it went.
    fn removed(&mut self, span: Span) -> Option<Gone> {
        let file = self.then.sources.get(span.file);
        let path = self.then.path_now(&file.path).to_path_buf();
        let lines = lines_of(&file.text, span);
        let change = self.of(&path);
        let (old, new) = lines.clone().find_map(|line| Some((line, *change.removed.get(&line)?)))?;
        let replaced = change.added.contains(&new);
        let now = self.now.files.iter().find(|f| f.path == path);
        Some(Gone {
            line: quoted(file.text.lines().nth(old).unwrap_or_default()),
            whole: format!("{}:{}", file.shown(), old + 1),
            place: now.and_then(|file| line_span(file, new)),
            replaced,
        })
    }
}

/// A line without the space around it, and not too long.
fn quoted(line: &str) -> String {
    let line = line.trim();
    if line.chars().count() > QUOTED {
        line.chars().take(QUOTED - 3).chain("...".chars()).collect()
    } else {
        line.to_owned()
    }
}

fn difference(old: &str, new: &str) -> FileChange {
    let mut change = FileChange::default();
    let mut next = 0;
    for one in TextDiff::from_lines(old, new).iter_all_changes() {
        match one.tag() {
            ChangeTag::Equal => next = one.new_index().map_or(next, |line| line + 1),
            ChangeTag::Insert => {
                next = one.new_index().map_or(next, |line| line + 1);
                change.added.extend(one.new_index());
            }
            ChangeTag::Delete => {
                if let Some(line) = one.old_index() {
                    change.removed.insert(line, next);
                }
            }
        }
    }
    change
}

/// The lines of a place, from 0.
fn lines_of(text: &str, span: Span) -> std::ops::RangeInclusive<usize> {
    let line = |at: u32| text.get(..at as usize).unwrap_or_default().matches('\n').count();
    line(span.start)..=line(span.end.saturating_sub(1).max(span.start))
}

/// A line without the space around it; the last one with something on it where there is no such line.
fn line_span(file: &SourceFile, line: usize) -> Option<Span> {
    let mut starts = vec![];
    let mut at = 0;
    for text in file.text.split_inclusive('\n') {
        starts.push((at, text));
        at += text.len();
    }
    let mut known = starts.iter().enumerate().filter(|(_, (_, text))| !text.trim().is_empty());
    let (_, (start, text)) = known.clone().find(|(number, _)| *number >= line).or_else(|| known.next_back())?;
    let inner = text.trim();
    let from = start + text.find(inner)?;
    Some(Span::new(file.id, from, from + inner.len()))
}

/// Leaves out the files of a git repository that it does not track: a hook judges a commit, and they are no part of it.
///
/// # Errors
/// git could not be asked.
pub fn leave_untracked_out(found: &mut discover::Found) -> Result<(), String> {
    let (top, tracked) = git::tracked()?;
    let top = std::fs::canonicalize(&top).unwrap_or(top);
    let stays = |path: &Path| below(&top, path).is_none_or(|path| tracked.contains(&path));
    let files = std::mem::take(&mut found.sources).files;
    found.sources = discover::numbered(files.into_iter().filter(|file| stays(&file.path)).collect());
    found.skipped.retain(|skipped| stays(&skipped.path));
    Ok(())
}

/// A file's path below a folder, with `/`.
fn below(top: &Path, path: &Path) -> Option<String> {
    let real = std::fs::canonicalize(path).ok()?;
    Some(shown(real.strip_prefix(top).ok()?))
}

/// The path of then, in the form of the path of now.
fn old_path(file: &SourceFile, now: &str, old: &str, top: &Path) -> PathBuf {
    if now == old { file.path.clone() } else { discover::as_reported(&top.join(old)) }
}
