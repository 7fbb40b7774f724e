//! Which files are linted, and their text: the only reader of the linted tree.
//!
//! A folder is walked with `.gitignore` respected, hidden files linted, version control's own folders and those that
//! tools fill left out; links to folders are not followed, so a loop of links is no loop here. A file is read once
//! however often it is reached, and one that is meant but cannot be linted is *skipped*, with a reason that is reported:
//!
//! ```text
//! reaplint check src notes.txt      src/old.py: not UTF-8 (byte 0xe9 in line 3; its coding line says latin-1)
//!                                   notes.txt: not a kind that is linted
//! ```
//!
//! What a folder holds besides, a picture or a README, is not mentioned.

mod decode;
mod exclude;
mod past;
mod walk;

pub use exclude::Exclude;
pub use past::{as_reported, decoded, numbered, whole, would_lint};

use crate::cli::Size;
use crate::config::Configs;
use crate::report::Skipped;
use crate::source::{FileId, Language, SourceFile, Sources, shown};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// What to look for.
#[derive(Debug)]
pub struct Request<'a> {
    /// Files and folders; empty means the working directory. `-` is standard input.
    pub paths: &'a [PathBuf],
    /// The path of standard input.
    pub stdin_filename: Option<&'a Path>,
    /// What holds for the files.
    pub configs: &'a Configs,
}

/// Folders that tools fill with other people's files: left out unless `--exclude` says otherwise. A folder is left out by
/// a file in it, too: many are named `target`, but only what a build fills is marked so.
pub const DEFAULT_EXCLUDE: &[&str] = &[
    ".direnv/",
    ".eggs/",
    ".ipynb_checkpoints/",
    ".mypy_cache/",
    ".nox/",
    ".pytest_cache/",
    ".ruff_cache/",
    ".tox/",
    ".venv/",
    "__pycache__/",
    "__pypackages__/",
    "node_modules/",
    "site-packages/",
    "target/CACHEDIR.TAG",
    "vendor/",
    "venv/",
];

/// What was found.
#[derive(Default, Debug)]
pub struct Found {
    /// The files to lint, in the order of their paths.
    pub sources: Sources,
    /// What is left out, in the order of paths.
    pub skipped: Vec<Skipped>,
    /// What makes the job impossible: a path that does not exist, a bad pattern. The other paths are linted all the same.
    pub errors: Vec<String>,
}

/// A file that may be linted.
#[derive(Clone, Debug)]
struct Candidate {
    /// To open it.
    path: PathBuf,
    /// Named on the command line, not found in a folder.
    named: bool,
    /// Reached by a link.
    link: bool,
}

/// Finds and reads.
pub fn discover(request: &Request<'_>) -> Found {
    let mut found = Found::default();
    let cwd = std::env::current_dir().unwrap_or_default();
    let left_out = |path: &Path| {
        let settings = request.configs.of_folder(path.parent().unwrap_or(Path::new("")));
        settings.force_exclude && settings.exclude.iter().any(|exclude| exclude.holds_above(path))
    };
    let root = request.configs.root();
    let mut candidates = Vec::new();
    let mut folders = Vec::new();
    let here = [PathBuf::from(".")];
    let from_stdin = request.paths.is_empty() && request.stdin_filename.is_some();
    let paths = if request.paths.is_empty() && !from_stdin { &here[..] } else { request.paths };
    for path in paths.iter().filter(|path| !is_stdin(path)) {
        match std::fs::metadata(path) {
            _ if left_out(path) => {}
            Ok(metadata) if metadata.is_dir() => folders.push(path.clone()),
            Ok(_) => candidates.push(Candidate { path: path.clone(), named: true, link: path.is_symlink() }),
            Err(error) if is_missing(&error) => {
                found.errors.push(format!("{}: no such file or folder", shown(path)));
            }
            Err(error) => found.skipped.push(skip(path, format!("cannot be read: {}", reason(&error)), true)),
        }
    }
    walk::folders(&folders, request.configs, &mut candidates, &mut found.skipped);
    let mut read = read_all(unique(candidates), &cwd, &root.max_file_size, &mut found.skipped);
    if from_stdin || paths.iter().any(|path| is_stdin(path)) {
        let name = request.stdin_filename.unwrap_or(Path::new("-"));
        if !left_out(name) {
            match stdin(name, &root.max_file_size) {
                Ok((language, text)) => read.push((relative(name, &cwd), language, text)),
                Err(skipped) => found.skipped.push(skipped),
            }
        }
    }
    found.sources = number(read);
    found.skipped.sort();
    found
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn skip(path: &Path, reason: String, fault: bool) -> Skipped {
    Skipped { path: path.to_path_buf(), reason, fault }
}

/// One candidate a file: the named path before the found one, the file before a link to it, else the smaller path.
fn unique(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by(|a, b| (!a.named, a.link, &a.path).cmp(&(!b.named, b.link, &b.path)));
    let mut folders = FxHashMap::default();
    let mut seen = FxHashSet::default();
    candidates.retain(|candidate| seen.insert(real(candidate, &mut folders)));
    candidates
}

/// Where a candidate really is. Asked of the system once a folder, since nearly every file is no link.
fn real(candidate: &Candidate, folders: &mut FxHashMap<PathBuf, PathBuf>) -> PathBuf {
    let resolve = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    match (candidate.path.parent(), candidate.path.file_name()) {
        (Some(parent), Some(name)) if !candidate.link => {
            let parent = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
            if let Some(folder) = folders.get(parent) {
                return folder.join(name);
            }
            let folder = resolve(parent);
            let path = folder.join(name);
            folders.insert(parent.to_path_buf(), folder);
            path
        }
        _ => resolve(&candidate.path),
    }
}

type Text = (PathBuf, Language, Arc<str>);

fn read_all(candidates: Vec<Candidate>, cwd: &Path, max_size: &Size, skipped: &mut Vec<Skipped>) -> Vec<Text> {
    let read: Vec<Result<Option<Text>, Skipped>> = candidates
        .par_iter()
        .map_init(Vec::new, |room, candidate| {
            let path = relative(&candidate.path, cwd);
            match load(candidate, max_size, room) {
                Ok(Some((language, text))) => Ok(Some((path, language, text))),
                Ok(None) if candidate.named => Err(skip(&path, "not a kind that is linted".to_owned(), false)),
                Ok(None) => Ok(None),
                Err(why) => Err(skip(&path, why, true)),
            }
        })
        .collect();
    let mut texts = Vec::with_capacity(read.len());
    for one in read {
        match one {
            Ok(text) => texts.extend(text),
            Err(one) => skipped.push(one),
        }
    }
    texts
}

/// The text of a file that is linted; nothing for another kind. `bytes` is room to read into, used again and again.
fn load(candidate: &Candidate, max_size: &Size, bytes: &mut Vec<u8>) -> Result<Option<(Language, Arc<str>)>, String> {
    bytes.clear();
    let by_name = language_of(&candidate.path, candidate.named);
    if by_name.is_none() && !candidate.named && candidate.path.extension().is_some() {
        return Ok(None);
    }
    let unreadable = |error: io::Error| format!("cannot be read: {}", reason(&error));
    let metadata = std::fs::metadata(&candidate.path).map_err(unreadable)?;
    if !metadata.is_file() {
        // Opening a pipe or a device may wait for ever.
        return if by_name.is_some() { Err("not a regular file".to_owned()) } else { Ok(None) };
    }
    let mut file = match std::fs::File::open(&candidate.path) {
        Ok(file) => file,
        Err(_) if by_name.is_none() && !candidate.named => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    let language = match by_name {
        Some(language) => language,
        None => {
            Read::by_ref(&mut file).take(128).read_to_end(bytes).map_err(unreadable)?;
            let Some(language) = shebang(bytes) else { return Ok(None) };
            language
        }
    };
    if metadata.len() > max_size.bytes {
        return Err(too_large(max_size));
    }
    bytes.reserve(metadata.len() as usize + 1);
    // A file may have grown since its size was asked for.
    file.take(max_size.bytes + 1).read_to_end(bytes).map_err(unreadable)?;
    text(bytes, max_size).map(|text| Some((language, text)))
}

fn text(bytes: &[u8], max_size: &Size) -> Result<Arc<str>, String> {
    if bytes.len() as u64 > max_size.bytes { Err(too_large(max_size)) } else { decode::text(bytes).map(Arc::from) }
}

fn too_large(max_size: &Size) -> String {
    format!("larger than {}", max_size.shown)
}

/// Standard input is Python unless its name or first line says something else.
fn stdin(name: &Path, max_size: &Size) -> Result<(Language, Arc<str>), Skipped> {
    let language = match language_of(name, true) {
        Some(language) => Some(language),
        None if is_stdin(name) => Some(Language::Python),
        None => None,
    };
    let mut bytes = Vec::new();
    let read = io::stdin().lock().take(max_size.bytes + 1).read_to_end(&mut bytes);
    read.map_err(|error| skip(name, format!("cannot be read: {}", reason(&error)), true))?;
    let Some(language) = language.or_else(|| shebang(&bytes)) else {
        return Err(skip(name, "not a kind that is linted".to_owned(), false));
    };
    text(&bytes, max_size).map(|text| (language, text)).map_err(|why| skip(name, why, true))
}

/// The language that a file's name tells. The engine's own text form counts only where it is named.
fn language_of(path: &Path, named: bool) -> Option<Language> {
    let name = path.file_name().and_then(OsStr::to_str)?;
    let table = &crate::vocab::tools().commands;
    if table.recipes.iter().chain(&table.images).any(|n| n == name) {
        return Some(Language::Shell);
    }
    let extension = path.extension().and_then(OsStr::to_str)?;
    match extension {
        "py" | "pyi" => Some(Language::Python),
        "go" => Some(Language::Go),
        "rs" => Some(Language::Rust),
        "yaml" | "yml" | "json" => Some(Language::Yaml),
        "tpl" => Some(Language::Template),
        "tf" => Some(Language::Terraform),
        "sh" | "bash" => Some(Language::Shell),
        // A template is what it would give: `web.yaml.j2`.
        "j2" => language_of(Path::new(path.file_stem()?), named).filter(|l| *l == Language::Yaml),
        "ir" if named => Some(Language::Ir),
        _ => None,
    }
}

/// `#!/usr/bin/env -S uv run --script`, `#!/usr/bin/python3.12 -u`
fn shebang(head: &[u8]) -> Option<Language> {
    let line = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).strip_prefix(b"#!")?;
    let line = line.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let mut program = words.next()?;
    if program == "env" {
        program = words.find(|word| !word.starts_with('-') && !word.contains('='))?;
    }
    if program == "uv" && words.next() == Some("run") {
        return Some(Language::Python);
    }
    if matches!(program, "sh" | "bash" | "dash" | "zsh" | "ksh") {
        return Some(Language::Shell);
    }
    let rest = program.strip_prefix("python").or_else(|| program.strip_prefix("pypy"))?;
    rest.chars().all(|c| c.is_ascii_digit() || c == '.').then_some(Language::Python)
}

/// The path as reported: relative to the working directory where it lies below it, without `.` and `..` that lead nowhere.
fn relative(path: &Path, cwd: &Path) -> PathBuf {
    if is_stdin(path) {
        return path.to_path_buf();
    }
    let clean = clean(&cwd.join(path));
    match clean.strip_prefix(cwd) {
        Ok(rest) if !rest.as_os_str().is_empty() => rest.to_path_buf(),
        _ if path.is_absolute() => clean,
        _ => self::clean(path),
    }
}

/// Without `.`, and without `..` after a folder.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(clean.components().next_back(), Some(Component::Normal(_))) => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// Ids in the order of the paths as they are printed, so that findings are in that order, too.
fn number(mut texts: Vec<Text>) -> Sources {
    texts.sort_by_cached_key(|(path, ..)| shown(path));
    let file = |(id, (path, language, text)): (usize, Text)| SourceFile { id: FileId(id as u32), path, language, text };
    Sources { files: texts.into_iter().enumerate().map(file).collect() }
}

/// What went wrong, without the number of the operating system.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shebangs() {
        let python = |line: &str| shebang(line.as_bytes()) == Some(Language::Python);
        assert!(python("#!/usr/bin/env python3\nprint()"));
        assert!(python("#!/usr/bin/python3.12 -u"));
        assert!(python("#! /usr/bin/env -S VAR=1 python -u"));
        assert!(python("#!/usr/bin/env -S uv run --script"));
        assert!(python("\u{feff}#!/usr/bin/pypy3\r\n"));
        assert!(!python("#!/bin/sh\n# python"));
        assert!(!python("#!/usr/bin/pythonic"));
        assert!(!python("python"));
        assert!(!python("#!"));
    }

    #[test]
    fn paths_are_relative_to_the_working_directory_where_they_lie_below_it() {
        let path = |path: &str| shown(&relative(Path::new(path), Path::new("/home/lab")));
        assert_eq!(path("./a/../b.py"), "b.py");
        assert_eq!(path("/home/lab/src/b.py"), "src/b.py");
        assert_eq!(path("../lab/b.py"), "b.py");
        assert_eq!(path("../b.py"), "../b.py");
        assert_eq!(path("/srv/b.py"), "/srv/b.py");
    }
}
