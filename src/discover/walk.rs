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
use crate::config::{Configs, FileSettings};
use crate::report::Skipped;
use ignore::{DirEntry, WalkBuilder, WalkState};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The folders in which version control keeps its own files.
const VERSION_CONTROL: &[&str] = &[".git", ".hg", ".jj", ".svn", ".bzr", ".pijul", "_darcs", "CVS"];

/// The file by which a folder says that its contents can be made again.
const MARK: &str = "CACHEDIR.TAG";

/// What one thread of the walk found.
#[derive(Default)]
struct Batch {
    candidates: Vec<Candidate>,
    skipped: Vec<Skipped>,
}

/// Adds every file below the folders.
pub(super) fn folders(
    folders: &[PathBuf],
    configs: &Configs,
    candidates: &mut Vec<Candidate>,
    skipped: &mut Vec<Skipped>,
) {
    let Some((first, rest)) = folders.split_first() else { return };
    let mut builder = WalkBuilder::new(first);
    for folder in rest {
        builder.add(folder);
    }
    builder.standard_filters(configs.root().respect_gitignore).hidden(false).threads(rayon::current_num_threads());
    let all = Mutex::new(Batch::default());
    builder.build_parallel().run(|| {
        let mut mine = Collector { batch: Batch::default(), all: &all };
        let mut last: Option<(PathBuf, Arc<FileSettings>)> = None;
        Box::new(move |entry| {
            match entry {
                // Most entries are in the folder of the one before.
                Ok(entry) if entry.depth() > 0 => {
                    let folder = entry.path().parent().unwrap_or(Path::new(""));
                    let same = last.take().filter(|(of, _)| of == folder);
                    let (folder, settings) = same.unwrap_or_else(|| (folder.to_path_buf(), configs.of_folder(folder)));
                    let skip = left_out(&entry, &settings);
                    last = Some((folder, settings));
                    if skip {
                        return WalkState::Skip;
                    }
                    mine.take(&entry);
                }
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

fn left_out(entry: &DirEntry, settings: &FileSettings) -> bool {
    let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
    let version_control = is_dir && VERSION_CONTROL.iter().any(|name| entry.file_name() == *name);
    let held = || settings.exclude.iter().any(|exclude| exclude.holds(entry.path(), is_dir));
    version_control || held() || is_dir && is_marked(entry.path(), settings)
}

/// Does a folder hold the file by which caches and builds are known, and is that left out?
fn is_marked(folder: &Path, settings: &FileSettings) -> bool {
    let mark = folder.join(MARK);
    settings.exclude.iter().any(|exclude| exclude.holds(&mark, false)) && mark.is_file()
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
