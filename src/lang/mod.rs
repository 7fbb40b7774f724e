//! Front ends: source text to [`crate::ir`]. They know syntax and no meaning, never fail, and never look at another file.
//!
//! What a front end does not understand is a hole: an [`Expr::Unknown`](crate::ir::Expr::Unknown) with its place, counted
//! in [`Notes`] by the kind of its syntax node. That count is the to-do list of the lowering, and no file is too broken
//! to be lowered: what stands outside the broken part is.
//!
//! ```text
//! x = a if b else `c`        <module>: x = b ? a : <hole>         notes.errors: the backticks
//! ```

pub mod embedded;
pub mod go;
mod piece;
pub mod python;
pub mod rust;

use crate::ir::{Func, Sym};
use crate::source::{Language, SourceFile, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// A file, lowered.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// `<module>` first, then every function and class body that was wanted, in the order of the source.
    pub functions: Vec<Func>,
    /// What the file as a whole says.
    pub module: ModuleInfo,
    /// What was not understood.
    pub notes: Notes,
    /// For the functions that were not wanted, should they be.
    pub rest: Rest,
}

/// What stands in no function of a file, lowered.
#[derive(Clone, Debug, Default)]
pub struct Top {
    /// `<module>`, then a `<class>` for every class whose body says something.
    pub functions: Vec<Func>,
    /// Its classes.
    pub classes: Vec<ClassInfo>,
}

/// The names a file makes known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModuleInfo {
    /// Imports at the top of the file: the local name and the dotted path it stands for. `from m import *` is `("*", m)`.
    pub imports: Vec<(Sym, Sym)>,
    /// Every path imported anywhere in the file, also inside functions that were not lowered. `from a.b import c` gives
    /// `a.b` and `a.b.c`.
    pub import_paths: Vec<Sym>,
    /// Its classes.
    pub classes: Vec<ClassInfo>,
}

/// A class.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassInfo {
    /// Its name, with the classes it stands in: `Outer.Inner`.
    pub name: Sym,
    /// What it inherits from, imports resolved.
    pub bases: Vec<Sym>,
    /// Fields whose type is annotated in the class body: name and path of the type. Only where the top was lowered.
    pub fields: Vec<(Sym, Sym)>,
    /// Its head.
    pub span: Span,
}

/// What a front end did not understand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// Kind of syntax node to how often it was not understood.
    pub holes: BTreeMap<&'static str, u32>,
    /// Syntax errors.
    pub errors: Vec<Span>,
}

/// Lowers a file. `wanted`: the definitions to lower, as byte ranges that start at `def` or `async def` (decorators stand
/// before them); nothing means all. The bodies of other functions are not parsed. The statements at the top of the file,
/// imports, and class bodies without their methods are always lowered.
pub fn lower(file: &SourceFile, wanted: Option<&[Range<u32>]>) -> Lowered {
    match file.language {
        Language::Python => python::lower(file, wanted),
        Language::Go => go::lower(file, wanted),
        Language::Rust => rust::lower(file, wanted),
        // The text form of the IR has its own reader; manifests and commands have no functions.
        _ => Lowered::default(),
    }
}

/// Lowers functions of a file as [`lower`] does, and nothing else: what stands outside of them is left to [`Rest::top`],
/// for few ask. Imports and what classes inherit from are known all the same.
pub fn open(file: &SourceFile, wanted: &[Range<u32>]) -> Lowered {
    match file.language {
        Language::Python => python::open(file, wanted),
        Language::Go => go::open(file, wanted),
        Language::Rust => rust::open(file, wanted),
        _ => Lowered::default(),
    }
}

/// Is it a file of tests, or of their scaffolding, by its name or the folder it is in? Its functions are
/// [`Func::is_test`].
pub fn is_test_file(file: &SourceFile) -> bool {
    match file.language {
        Language::Python => python::is_test_file(file),
        Language::Go => go::is_test_file(file),
        Language::Rust => rust::is_test_file(file),
        _ => false,
    }
}

/// Does a path lead through a folder that holds tests and what they stand on? A client that tears its own test cluster down
/// is no janitor.
///
/// ```text
/// test/e2e/teardown.go      yes
/// internal/testutil/db.go   yes
/// kube/testing/sweep.py     no: a product may be called so
/// ```
pub(crate) fn in_test_folder(path: &std::path::Path) -> bool {
    let mut folders = path.parent().into_iter().flat_map(std::path::Path::components);
    let of_tests = ["test", "tests", "e2e", "testutil", "testutils"];
    folders.any(|c| c.as_os_str().to_str().is_some_and(|name| of_tests.contains(&name)))
}

/// What is needed to lower further functions of a file, one at a time, without looking at its top again.
///
/// ```text
/// let lowered = open(&file, &[]);                       parses nothing
/// lowered.rest.function(&file, at, &mut notes)          parses one function
/// lowered.rest.top(&file, &mut notes)                   parses imports, top-level statements, class bodies
/// ```
#[derive(Clone, Debug, Default)]
pub enum Rest {
    /// Python.
    Python(Box<python::Rest>),
    /// Go.
    Go(Box<go::Rest>),
    /// Rust.
    Rust(Box<rust::Rest>),
    /// Nothing is left.
    #[default]
    Nothing,
}

impl Rest {
    /// Lowers what stands in no function.
    pub fn top(&self, file: &SourceFile, notes: &mut Notes) -> Top {
        match self {
            Rest::Python(rest) => rest.top(file, notes),
            Rest::Go(rest) => rest.top(file, notes),
            Rest::Rust(rest) => rest.top(file, notes),
            Rest::Nothing => Top::default(),
        }
    }

    /// The declared fields of a class with their types, where they are known without lowering the top; see
    /// [`ClassInfo::fields`].
    pub fn fields(&self, class: Sym) -> Option<Vec<(Sym, Sym)>> {
        match self {
            Rest::Go(rest) => Some(rest.fields(class)),
            _ => None,
        }
    }

    /// Lowers the function in whose definition a byte of the file stands: the outermost one, but never a class. What is
    /// not understood is added to the notes. `file` is the file that was lowered.
    pub fn function(&self, file: &SourceFile, at: u32, notes: &mut Notes) -> Option<Func> {
        match self {
            Rest::Python(rest) => rest.function(file, at, notes),
            Rest::Go(rest) => rest.function(file, at, notes),
            Rest::Rust(rest) => rest.function(file, at, notes),
            Rest::Nothing => None,
        }
    }

    /// The same, with its decorators in full: see [`Func::stage`].
    pub fn decorated(&self, file: &SourceFile, at: u32, notes: &mut Notes) -> Option<Func> {
        match self {
            Rest::Python(rest) => rest.decorated(file, at, notes),
            _ => self.function(file, at, notes),
        }
    }
}
