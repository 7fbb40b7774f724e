//! Files that are not on disk, as they would be found if they were: the tree of an earlier commit.

use super::{Request, Text, decode, is_stdin, language_of, number, relative, shebang};
use crate::source::{Language, SourceFile, Sources};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The path under which a file would be reported, if it were there and would be linted by its place and name.
pub fn would_lint(path: &Path, request: &Request<'_>) -> Option<PathBuf> {
    let cwd = std::env::current_dir().unwrap_or_default();
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| cwd.join(path));
    let here = [PathBuf::from(".")];
    let paths = if request.paths.is_empty() { &here[..] } else { request.paths };
    let asked = paths.iter().filter(|path| !is_stdin(path)).any(|asked| path.starts_with(real(asked)));
    let by_name = language_of(path, false).is_some() || path.extension().is_none();
    let settings = request.configs.of_folder(path.parent().unwrap_or(Path::new("")));
    let excluded = || settings.exclude.iter().any(|exclude| exclude.holds_above(path));
    (asked && by_name && !excluded()).then(|| relative(path, &cwd))
}

/// The whole path of a file, without `.` and `..`.
pub fn whole(path: &Path) -> PathBuf {
    super::clean(&std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()))
}

/// The path of a file as reports have it.
pub fn as_reported(path: &Path) -> PathBuf {
    relative(path, &std::env::current_dir().unwrap_or_default())
}

/// The language and text of a file's contents; nothing for what is not linted.
pub fn decoded(path: &Path, bytes: &[u8]) -> Option<(Language, Arc<str>)> {
    let language = language_of(path, false).or_else(|| shebang(bytes))?;
    let text = decode::text(bytes).ok()?;
    Some((language, Arc::from(text)))
}

/// Files in the order of their paths, numbered anew.
pub fn numbered(files: Vec<SourceFile>) -> Sources {
    let texts: Vec<Text> = files.into_iter().map(|file| (file.path, file.language, file.text)).collect();
    number(texts)
}
