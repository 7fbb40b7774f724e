//! Files and places in them.
//!
//! A place is a file and a byte range; nothing before [`crate::report`] knows lines or columns, so no layer can be off
//! by one about them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file of this run, as an index into [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A byte range of one file. `end` is one past the last byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte, from 0.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A range of a file. Files above 4 GiB are not linted, so `u32` holds every offset.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: start as u32, end: end as u32 }
    }
    /// Does this range hold the other one?
    pub fn contains(&self, other: Span) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }
}

/// What a file is read as.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// `.py`, `.pyi`, a Python shebang.
    Python,
    /// `.go`.
    Go,
    /// `.rs`.
    Rust,
    /// `.yaml`, `.yml`, `.json`, and templates of them.
    Yaml,
    /// `.tpl`: blocks that the templates of a chart share.
    Template,
    /// `.tf`.
    Terraform,
    /// `.sh`, `.bash`, a shell's shebang, Makefiles.
    Shell,
    /// The engine's own text form, `.ir`: tests only.
    Ir,
}

impl Language {
    /// Is it a programming language, with functions that are walked?
    pub fn is_code(self) -> bool {
        matches!(self, Language::Python | Language::Go | Language::Rust | Language::Ir)
    }

    /// Is every receiver of a type that is declared, so that a method's name is one that was meant?
    pub fn declares_types(self) -> bool {
        matches!(self, Language::Go | Language::Rust)
    }
}

/// One file, read once.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Its index.
    pub id: FileId,
    /// Relative to the working directory where it lies below it, with `/`.
    pub path: PathBuf,
    /// What it is read as.
    pub language: Language,
    /// The whole text. A byte order mark is kept, so that offsets are those of the file.
    pub text: Arc<str>,
}

impl SourceFile {
    /// The path with `/`, as every report prints it.
    pub fn shown(&self) -> String {
        shown(&self.path)
    }

    /// Does it say that a tool wrote it? It is read for what it defines, and not linted.
    pub fn is_generated(&self) -> bool {
        is_generated(self.language, &self.text)
    }
}

/// How far from the head of a file the note is looked for that says that it is generated.
const NOTE: usize = 4096;

/// Does a text say that a tool wrote it? By Go's convention: `// Code generated .. DO NOT EDIT.` on a line of its own.
pub fn is_generated(language: Language, text: &str) -> bool {
    let bytes = text.as_bytes();
    let head = bytes.get(..NOTE).unwrap_or(bytes);
    let is_note = |at: usize| {
        let begins = at.checked_sub(1).is_none_or(|before| head.get(before) == Some(&b'\n'));
        let line = head.get(at..).unwrap_or_default();
        let line = line.get(..memchr::memchr(b'\n', line).unwrap_or(line.len())).unwrap_or_default();
        begins && line.trim_ascii_end().ends_with(b" DO NOT EDIT.")
    };
    language == Language::Go && memchr::memmem::find_iter(head, b"// Code generated ").any(is_note)
}

/// A path with `/` between its parts, on every system.
pub fn shown(path: &Path) -> String {
    let parts: Vec<_> = path.components().map(|c| c.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/").replacen("//", "/", 1)
}

/// The files of a run. [`FileId`] is the index.
#[derive(Default, Debug)]
pub struct Sources {
    /// In the order of their paths.
    pub files: Vec<SourceFile>,
}

impl Sources {
    /// The file of an id.
    pub fn get(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }
    /// How many files are linted, and how many are generated and so are not.
    pub fn counts(&self) -> (usize, usize) {
        let generated = self.files.iter().filter(|f| f.is_generated()).count();
        (self.files.len() - generated, generated)
    }
    /// The text of a range; empty where the range does not fall on character borders.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}
