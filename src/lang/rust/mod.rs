//! Rust, by syn.
//!
//! A file is cut before it is parsed (`outline`): each function is parsed alone, and one that nobody asked for is not
//! parsed. So what the parser does not know (nightly syntax, an edit half done) is one broken function.
//!
//! ```text
//! use kube::Api;                          Api = kube.Api
//! const KEEP: u64 = 600;                  <module>: KEEP = 600
//! impl Reaper {
//!     async fn sweep(&self) { .. }        sweep of Reaper, only where it is wanted
//! }
//! ```
//!
//! The files of this folder in reading order: `lex`, `outline`, `uses` (text), `span`, `build`, `guess` (small steps),
//! `def` (functions), `block`, `pattern` (statements), `expr`, `call`, `method`, `operator`, `chain`, `apply`, `mac`, `line`,
//! `written` (expressions), `value` (statements that are a value, and whether a value is there).

mod apply;
mod block;
mod build;
mod call;
mod chain;
mod def;
mod expr;
mod flow;
mod guess;
mod lex;
mod line;
mod mac;
mod method;
mod operator;
mod outline;
mod pattern;
mod span;
mod uses;
mod value;
mod written;

use super::{ClassInfo, Lowered, ModuleInfo, Notes, Top};
use crate::ir::{Func, sym};
use crate::source::{SourceFile, Span};
use build::FileFacts;
use outline::Outline;
use std::ops::Range;
use std::path::Path;

/// Is it a file of tests, or of their scaffolding?
pub(super) fn is_test_file(file: &SourceFile) -> bool {
    let stem = file.path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    let mut folders = file.path.parent().into_iter().flat_map(Path::components);
    let folder = folders.any(|c| c.as_os_str() == "benches");
    folder
        || super::in_test_folder(&file.path)
        || matches!(stem, "tests" | "test")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
}

/// The dotted path of the module in a file, within its crate: `src/gc/sweep.rs` is `gc.sweep`, `src/lib.rs` is empty.
pub fn module_path(path: &Path) -> String {
    uses::module_path(path)
}

/// What the functions of a file need of the rest of it; see [`super::Rest`].
#[derive(Clone, Debug)]
pub struct Rest {
    outline: Outline,
    facts: FileFacts,
    in_test: bool,
}

/// What the text of a file says without a parse of its items.
fn read(file: &SourceFile) -> (ModuleInfo, Rest) {
    let text: &str = &file.text;
    let outline = outline::outline(text);
    let module = uses::module_path(&file.path);
    let (imports, import_paths) = uses::imports(text, &outline, &module);
    let mut facts = FileFacts::new(file.id, module, &imports);
    facts.fields = def::field_kinds(text, &outline);
    facts.texts = def::texts(text, &outline);
    let info = ModuleInfo {
        imports: imports.iter().map(|i| (i.local, i.path)).collect(),
        import_paths,
        classes: classes(file, &outline, &facts),
    };
    proc_macro2::extra::invalidate_current_thread_spans();
    (info, Rest { outline, facts, in_test: is_test_file(file) })
}

/// The types of a file, with the traits that the file implements for them.
fn classes(file: &SourceFile, outline: &Outline, facts: &FileFacts) -> Vec<ClassInfo> {
    let mut found: Vec<ClassInfo> = Vec::new();
    for item in &outline.types {
        let name = sym(file.text.get(item.name.clone()).unwrap_or_default());
        let span = Span::new(file.id, item.head.start, item.head.end);
        found.push(ClassInfo { name, bases: Vec::new(), fields: Vec::new(), span });
    }
    for head in &outline.impls {
        let name = sym(outline::last_part(&head.of));
        let parts = |path: &String| path.split("::").filter(|p| !p.is_empty()).map(str::to_string).collect::<Vec<_>>();
        let base = head.base.as_ref().map(|base| sym(&facts.resolve(&parts(base))));
        match found.iter_mut().find(|c| c.name == name) {
            Some(class) => class.bases.extend(base.filter(|b| !class.bases.contains(b))),
            None => {
                let span = Span::new(file.id, head.head.start, head.head.end);
                found.push(ClassInfo { name, bases: base.into_iter().collect(), fields: Vec::new(), span });
            }
        }
    }
    found
}

impl Rest {
    /// Lowers constants and the types of fields; see [`super::Rest::top`].
    pub fn top(&self, file: &SourceFile, notes: &mut Notes) -> Top {
        let classes = classes(file, &self.outline, &self.facts);
        let top = def::top(&file.text, &self.outline, &self.facts, (classes, self.in_test), notes);
        proc_macro2::extra::invalidate_current_thread_spans();
        top
    }

    /// Lowers the functions for which the test of their number holds, in the order of the source.
    fn functions(&self, file: &SourceFile, notes: &mut Notes, wanted: impl Fn(usize) -> bool) -> Vec<Func> {
        let wanted = self.outline.fns.iter().enumerate().filter(|(i, _)| wanted(*i));
        wanted
            .map(|(_, piece)| {
                let func = def::function(&file.text, piece, &self.facts, self.in_test, notes);
                // Spans keep the text they were made of; nothing asks for them any more.
                proc_macro2::extra::invalidate_current_thread_spans();
                func
            })
            .collect()
    }

    /// The innermost function that a byte of the file stands in.
    fn innermost(&self, at: u32) -> Option<usize> {
        let around = self.outline.fns.iter().enumerate().filter(|(_, f)| f.range.contains(&(at as usize)));
        around.min_by_key(|(_, f)| f.range.len()).map(|(i, _)| i)
    }

    /// The function that this byte of the file stands in; see [`super::Rest::function`].
    pub fn function(&self, file: &SourceFile, at: u32, notes: &mut Notes) -> Option<Func> {
        let own = self.innermost(at)?;
        self.functions(file, notes, |i| i == own).pop()
    }
}

/// Lowers functions of a Rust file, and nothing else; see [`super::open`].
pub fn open(file: &SourceFile, wanted: &[Range<u32>]) -> Lowered {
    let (module, rest) = read(file);
    let mut notes = Notes::default();
    let wanted: Vec<usize> = wanted.iter().filter_map(|w| rest.innermost(w.start)).collect();
    let functions = rest.functions(file, &mut notes, |i| wanted.contains(&i));
    Lowered { functions, module, notes, rest: super::Rest::Rust(Box::new(rest)) }
}

/// Lowers a Rust file; see [`super::lower`].
pub fn lower(file: &SourceFile, wanted: Option<&[Range<u32>]>) -> Lowered {
    let mut lowered = open(file, wanted.unwrap_or(&[]));
    let super::Rest::Rust(rest) = &lowered.rest else { return lowered };
    let top = rest.top(file, &mut lowered.notes);
    if wanted.is_none() {
        lowered.functions = rest.functions(file, &mut lowered.notes, |_| true);
    }
    lowered.module.classes = top.classes;
    lowered.functions.splice(0..0, top.functions);
    lowered.notes.errors.sort();
    if let Some(functions) = lowered.functions.get_mut(1..) {
        functions.sort_by_key(|f| f.span.start);
    }
    lowered
}
