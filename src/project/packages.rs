//! Packages of several files, and methods that stand apart from their type.
//!
//! ```text
//! store/rows.go     func (s *Store) Find(id string) ..       a method of `Store`, wherever in the folder that is
//! store/store.go    type Store struct { .. }
//! cmd/main.go       import "example.org/labs/store"           the folder `store`, for `example.org/labs` is the prefix of
//!                                                             what the run itself holds
//! ```
//! Which part of an import path names the module itself is told by the imports: under the module's own prefix nearly every
//! import is a folder of the run; under another's (`k8s.io/apimachinery`) few are, though some may be called alike.

use super::*;
use crate::source::Language;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

/// Of ten imports under a prefix, how many must be folders of the run.
const OWN: usize = 7;

/// The files of one language in each folder.
#[derive(Default)]
pub(super) struct Folders {
    /// By file, its folder.
    of: Vec<u32>,
    files: Vec<Vec<FileId>>,
}

impl Folders {
    fn of(sources: &Sources) -> Self {
        let mut out = Folders::default();
        let mut known: FxHashMap<(Language, &std::path::Path), u32> = FxHashMap::default();
        for f in &sources.files {
            let parent = f.path.parent().unwrap_or(&f.path);
            let next = out.files.len() as u32;
            let at = *known.entry((f.language, parent)).or_insert(next);
            if at == next {
                out.files.push(vec![]);
            }
            out.of.push(at);
            if let Some(files) = out.files.get_mut(at as usize) {
                files.push(f.id);
            }
        }
        out
    }
}

impl Project<'_> {
    pub(super) fn find_package(&self, file: FileId) -> Vec<FileId> {
        if self.sources.get(file).language != Language::Go {
            return vec![file];
        }
        let tests = self.is_test(file);
        let others = self.folder(file).iter().copied().filter(|f| *f != file && (tests || !self.is_test(*f)));
        std::iter::once(file).chain(others).collect()
    }

    /// The files of its language in the same folder, itself among them.
    fn folder(&self, file: FileId) -> &[FileId] {
        let folders = self.looks.folders.get_or_init(|| Folders::of(self.sources));
        let own = folders.of.get(file.0 as usize).and_then(|at| folders.files.get(*at as usize));
        own.map_or(&[], Vec::as_slice)
    }

    /// A method that stands apart from its type: in a file of its package, or beside it.
    pub(super) fn owned_method(&self, file: FileId, class: u32, name: &str) -> Option<FuncKey> {
        let owner = self.def_name(file, class);
        let found = self.beside(file).iter().copied().find_map(|f| {
            let mut defs = self.defs_named(f, name);
            defs.find(|(_, d)| d.kind == DefKind::Function && self.text(f, &d.owner) == owner).map(|(i, _)| (f, i))
        });
        found.map(|(f, i)| self.key(f, i))
    }

    /// The methods that stand apart from a type: file and definition.
    pub(super) fn owned_methods(&self, file: FileId, class: u32) -> Vec<(FileId, u32)> {
        let owner = self.def_name(file, class);
        let mut out = vec![];
        for f in self.beside(file).iter().copied() {
            let defs = (0..).zip(&self.index(f).defs);
            let owned = defs.filter(|(_, d)| !d.owner.is_empty() && self.text(f, &d.owner) == owner);
            out.extend(owned.map(|(i, _)| (f, i)));
        }
        out
    }

    /// What a method calls the object it belongs to, and its text.
    pub(super) fn own_name(&self, file: FileId, method: u32) -> (&str, &str) {
        let Some(def) = self.index(file).defs.get(method as usize) else { return ("self", "") };
        let text = self.text(file, &def.range);
        if self.sources.get(file).language != Language::Go {
            return ("self", text);
        }
        let inside = text.split_once('(').map_or("", |x| x.1).trim_start();
        let end = inside.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
        (inside.get(..end).unwrap_or_default(), text)
    }

    pub(super) fn find_beside(&self, file: FileId) -> known::Files {
        match self.sources.get(file).language {
            Language::Go => self.package(file),
            Language::Rust => {
                let others = self.folder(file).iter().copied().filter(|f| *f != file);
                std::iter::once(file).chain(others).collect()
            }
            _ => Rc::default(),
        }
    }

    /// The type that a definition is a method of, where that is told beside it.
    pub(super) fn owner_class(&self, file: FileId, def: u32) -> Option<ClassKey> {
        let owner = self.index(file).defs.get(def as usize)?.owner.clone();
        if owner.is_empty() {
            return None;
        }
        let name = self.text(file, &owner);
        self.beside(file).iter().copied().find_map(|f| {
            let mut defs = self.defs_named(f, name);
            let class = defs.find(|(_, d)| d.kind == DefKind::Class && d.parent.is_none())?.0;
            self.class_key(f, class)
        })
    }

    /// A file of the Go package with this import path.
    pub(super) fn go_package(&self, path: &[&str]) -> Option<FileId> {
        let files = self.modules.get(*path.last()?)?;
        let own = self.go_modules();
        let fits = files.iter().filter(|f| {
            let dir = &self.parts[f.0 as usize];
            let module = path.len().checked_sub(dir.len()).map(|n| &path[..n]);
            let same = |m: &[&str]| own.iter().any(|o| o.iter().map(String::as_str).eq(m.iter().copied()));
            let whole =
                module.is_some_and(|m| path.ends_with(&dir.iter().map(String::as_str).collect::<Vec<_>>()) && same(m));
            whole || self.below(path, dir, own)
        });
        let mut best: Option<FileId> = None;
        for f in fits.filter(|f| !self.is_test(**f)) {
            match best {
                Some(b) if self.parts[b.0 as usize] != self.parts[f.0 as usize] => return None,
                None => best = Some(*f),
                _ => {}
            }
        }
        best
    }

    /// The module lies below the folder that is linted: `real/labs/store` is `example.org/labs` and `store`.
    fn below(&self, path: &[&str], dir: &[String], own: &[Vec<String>]) -> bool {
        own.iter().any(|module| {
            let rest = path.get(module.len()..);
            let starts = path.iter().take(module.len()).copied().eq(module.iter().map(String::as_str));
            let root = module.last().map(String::as_str);
            let ends = |rest: &[&str]| {
                let rest: Vec<&str> = root.into_iter().chain(rest.iter().copied()).collect();
                dir.len() >= rest.len() && dir[dir.len() - rest.len()..].iter().map(String::as_str).eq(rest)
            };
            starts && rest.is_some_and(ends)
        })
    }

    fn go_modules(&self) -> &[Vec<String>] {
        self.looks.go_modules.get_or_init(|| self.find_go_modules())
    }

    /// The prefixes under which nearly every import is a folder of the run.
    fn find_go_modules(&self) -> Vec<Vec<String>> {
        let go = |f: &&crate::source::SourceFile| f.language == Language::Go;
        let written: FxHashSet<&str> = self.sources.files.iter().filter(go).flat_map(|f| imported(&f.text)).collect();
        let parts = |path: &&str| lang::go::dotted(path).split('.').map(str::to_owned).collect();
        let mut paths: Vec<Vec<String>> = written.iter().map(parts).collect();
        paths.sort();
        paths.dedup();
        let mut prefixes: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        for path in &paths {
            let Some(files) = path.last().and_then(|l| self.modules.get(l)) else { continue };
            let mut seen = vec![];
            for f in files.iter().filter(|f| self.sources.get(**f).language == Language::Go) {
                let dir = &self.parts[f.0 as usize];
                let shared = dir.iter().rev().zip(path.iter().rev()).take_while(|(a, b)| a == b).count();
                let whole = shared == dir.len();
                let root = path.len().checked_sub(shared).filter(|_| whole);
                // Below the folder that is linted, the root of the module is called as its path ends.
                let below = (1..shared).filter(|_| !whole).map(|n| path.len() - n);
                for at in root.into_iter().chain(below) {
                    let prefix = path[..at].to_vec();
                    if !prefix.is_empty() && !seen.contains(&prefix) {
                        seen.push(prefix);
                    }
                }
            }
            for prefix in seen {
                *prefixes.entry(prefix).or_default() += 1;
            }
        }
        let mut total: FxHashMap<&[String], usize> = FxHashMap::default();
        for path in &paths {
            (1..path.len()).for_each(|at| *total.entry(&path[..at]).or_default() += 1);
        }
        let own = |prefix: &[String], n: usize| n * 10 >= total.get(prefix).copied().unwrap_or(0) * OWN;
        prefixes.iter().filter(|(prefix, n)| own(prefix, **n)).map(|(prefix, _)| prefix.clone()).collect()
    }
}

/// The import paths of a Go file, read off its text.
fn imported(text: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    let lines = text.lines().take_while(|l| !l.starts_with("func ") && !l.starts_with("type "));
    lines.filter_map(move |line| {
        let line = line.trim();
        let one = line.strip_prefix("import ");
        if one.is_some_and(|l| l.trim_start().starts_with('(')) {
            inside = true;
            return None;
        }
        if inside && line.starts_with(')') {
            inside = false;
            return None;
        }
        let line = match one {
            Some(l) => l,
            None if inside => line,
            None => return None,
        };
        line.split('"').nth(1)
    })
}
