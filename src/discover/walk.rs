//! The files below folders.
//!
//! ```text
//! .git/hooks/x.py             never: version control's own
//! .github/x.py                linted, though hidden
//! build/x.py                  left out where .gitignore names build
//! vendor/x.go, venv/x.py      left out by the built-in patterns; linted with `--exclude ''`, and with `reaplint check venv`
//! target/x.rs                 left out where target/CACHEDIR.TAG says that a build fills it
//! loop -> ..                  not followed
//! ```

use super::{Candidate, language_of, reason, skip};
use crate::report::Skipped;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folders in which version control keeps its own files.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".jj", ".svn", ".bzr", ".pijul", "_darcs", "CVS"];

/// The file by which a folder says that its contents can be made again.
const MARK: &str = "CACHEDIR.TAG";

/// Patterns of what is left out.
#[derive(Clone, Debug)]
pub(super) struct Exclude {
    patterns: Gitignore,
    cwd: PathBuf,
}

impl Exclude {
    pub(super) fn new(cwd: &Path, patterns: &[String]) -> Result<Exclude, ignore::Error> {
        let mut builder = GitignoreBuilder::new(cwd);
        for pattern in patterns.iter().filter(|pattern| !pattern.trim().is_empty()) {
            builder.add_line(None, pattern)?;
        }
        Ok(Exclude { patterns: builder.build()?, cwd: cwd.to_path_buf() })
    }

    fn holds(&self, path: &Path, is_dir: bool) -> bool {
        self.patterns.matched(super::clean(&self.cwd.join(path)), is_dir).is_ignore()
    }

    /// Does a pattern name this path or a folder above it?
    pub(super) fn holds_above(&self, path: &Path) -> bool {
        let path = super::clean(&self.cwd.join(path));
        let below = path.ancestors().take_while(|above| *above != self.cwd);
        let mut is_dir = path.is_dir();
        below.into_iter().any(|above| {
            let held = self.holds(above, is_dir);
            is_dir = true;
            held
        })
    }
}

/// What one thread of the walk found.
#[derive(Default)]
struct Batch {
    candidates: Vec<Candidate>,
    skipped: Vec<Skipped>,
}

/// Adds every file below the folders.
pub(super) fn folders(
    folders: &[PathBuf],
    exclude: &Exclude,
    respect_gitignore: bool,
    candidates: &mut Vec<Candidate>,
    skipped: &mut Vec<Skipped>,
) {
    let Some((first, rest)) = folders.split_first() else { return };
    let mut builder = WalkBuilder::new(first);
    for folder in rest {
        builder.add(folder);
    }
    let exclude = exclude.clone();
    builder
        .standard_filters(respect_gitignore)
        .hidden(false)
        .threads(rayon::current_num_threads())
        .filter_entry(move |entry| entry.depth() == 0 || !left_out(entry, &exclude));
    let all = Mutex::new(Batch::default());
    builder.build_parallel().run(|| {
        let mut mine = Collector { batch: Batch::default(), all: &all };
        Box::new(move |entry| {
            match entry {
                Ok(entry) => mine.take(&entry),
                Err(error) => mine.batch.skipped.push(unreadable(&error)),
            }
            WalkState::Continue
        })
    });
    let mut all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    candidates.append(&mut all.candidates);
    skipped.append(&mut all.skipped);
}

fn left_out(entry: &DirEntry, exclude: &Exclude) -> bool {
    let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
    let version_control = is_dir && VERSION_CONTROL.iter().any(|name| entry.file_name() == *name);
    version_control || exclude.holds(entry.path(), is_dir) || is_dir && is_marked(entry.path(), exclude)
}

/// Does a folder hold the file by which caches and builds are known, and is that left out?
fn is_marked(folder: &Path, exclude: &Exclude) -> bool {
    let mark = folder.join(MARK);
    exclude.holds(&mark, false) && mark.is_file()
}

/// Gathers without a lock, and hands over at the end of the thread.
struct Collector<'a> {
    batch: Batch,
    all: &'a Mutex<Batch>,
}

impl Collector<'_> {
    fn take(&mut self, entry: &DirEntry) {
        let Some(kind) = entry.file_type() else { return };
        let link = kind.is_symlink();
        let by_name = language_of(entry.path(), false).is_some() || entry.path().extension().is_none();
        if kind.is_dir() || !by_name || (link && entry.path().is_dir()) {
            return;
        }
        self.batch.candidates.push(Candidate { path: entry.path().to_path_buf(), named: false, link });
    }
}

impl Drop for Collector<'_> {
    fn drop(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.candidates.append(&mut self.batch.candidates);
        all.skipped.append(&mut self.batch.skipped);
    }
}

fn unreadable(error: &ignore::Error) -> Skipped {
    let path = path_of(error).unwrap_or(Path::new("."));
    let why = error.io_error().map_or_else(|| error.to_string(), reason);
    skip(path, format!("cannot be read: {why}"), true)
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::Loop { child, .. } => Some(child),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}
