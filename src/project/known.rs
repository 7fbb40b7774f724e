//! What the names of a file lead to, found once for each.
//!
//! ```text
//! store/rows.go     rows.find(id), find(id), find(key)      the files of the folder are gone through for `find` once
//! ```
//! Only what the text of the files says is kept. A value depends on how far the walk has come, and is asked for each time.

use super::*;
use crate::source::Language;
use crate::vocab::tools;
use rustc_hash::FxHashSet;

/// The files of a package.
pub(super) type Files = Rc<[FileId]>;

/// Where a name stands at the top of a file: its definition, or else an assignment.
pub(super) type Stands = (FileId, Option<(u32, DefKind)>);

/// The places of a name in the files of a package, in their order.
type Places = Rc<[Stands]>;

/// A file of the project, and how many parts of a path name it.
type Module = Option<(FileId, usize)>;

/// The names of fields, and what their types are called.
pub(super) type FieldTypes = Arc<[(Sym, Sym)]>;

/// The answers so far.
#[derive(Default)]
pub(super) struct Known {
    tests: RefCell<FxHashMap<FileId, bool>>,
    copying: RefCell<FxHashMap<FileId, bool>>,
    packages: RefCell<FxHashMap<FileId, Files>>,
    beside: RefCell<FxHashMap<FileId, Files>>,
    places: RefCell<FxHashMap<(FileId, Sym, bool), Places>>,
    modules: RefCell<FxHashMap<(Option<FileId>, Sym), Module>>,
    methods: RefCell<FxHashMap<(ClassKey, Sym, u32), Option<FuncKey>>>,
    filled: RefCell<FxHashMap<(FileId, u32, Sym), bool>>,
    pub(super) fields: RefCell<FxHashMap<ClassKey, FieldTypes>>,
    declared: RefCell<FxHashMap<FileId, FxHashSet<u32>>>,
}

/// The answer to a question, kept from the first time it was asked.
pub(super) fn once<K: Copy + Eq + std::hash::Hash, A: Clone>(
    known: &RefCell<FxHashMap<K, A>>,
    key: K,
    find: impl FnOnce() -> A,
) -> A {
    if let Some(answer) = known.borrow().get(&key) {
        return answer.clone();
    }
    let answer = find();
    known.borrow_mut().insert(key, answer.clone());
    answer
}

impl Project<'_> {
    /// Is it a file of tests?
    pub(super) fn is_test(&self, file: FileId) -> bool {
        once(&self.known.tests, file, || lang::is_test_file(self.sources.get(file)))
    }

    /// Do its functions only copy objects from one form to another, field by field? What they give back is too large to
    /// be of use to callers, and there are thousands of them.
    pub(super) fn is_copying(&self, file: FileId) -> bool {
        once(&self.known.copying, file, || {
            let file = self.sources.get(file);
            let name = file.path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(&tools().generated.copying)) && file.is_generated()
        })
    }

    /// The files that share a name space with this one, itself first.
    pub(super) fn package(&self, file: FileId) -> Files {
        once(&self.known.packages, file, || self.find_package(file).into())
    }

    /// Where the methods of a type may stand.
    pub(super) fn beside(&self, file: FileId) -> Files {
        once(&self.known.beside, file, || self.find_beside(file))
    }

    /// Where a name stands at the top of the files of a package. `alone`: nothing is asked of what it names, so that the
    /// first definition is the last place that counts; else values do not count.
    pub(super) fn places(&self, file: FileId, name: &str, alone: bool) -> Places {
        once(&self.known.places, (file, sym(name), alone), || {
            let mut out = vec![];
            for f in self.package(file).iter().copied() {
                let top = |d: &index::Def| d.parent.is_none() && d.owner.is_empty();
                let mut defined = self.defs_named(f, name).filter(|(_, d)| top(d)).map(|(i, d)| (i, d.kind));
                match defined.next_back() {
                    Some(def) => {
                        out.push((f, Some(def)));
                        if alone {
                            break;
                        }
                    }
                    None if alone && self.assigns(f, name) => out.push((f, None)),
                    None => {}
                }
            }
            out.into()
        })
    }

    /// The longest head of a path that names a file of the project, as seen from a file.
    pub(super) fn module_of(&self, from: FileId, path: &str, parts: &[&str]) -> Module {
        let language = self.sources.get(from).language;
        // What a path of Go means is the same wherever it is written.
        let seen_from = (language != Language::Go).then_some(from);
        once(&self.known.modules, (seen_from, sym(path)), || {
            let itself = |target: FileId, n: usize| target == from && n == 1 && language == Language::Python;
            let found = |n: usize| Some((self.module_file(from, parts.get(..n)?)?, n));
            (1..parts.len()).rev().filter_map(found).find(|(target, n)| !itself(*target, *n))
        })
    }

    /// A method of a class, or of the first base that has it.
    pub(super) fn method_of(&self, class: ClassKey, name: &str, hops: u32) -> Option<FuncKey> {
        once(&self.known.methods, (class, sym(name), hops), || self.find_method(class, name, hops))
    }

    /// Is a name declared as a variable or constant outside of every definition of a file?
    pub(super) fn declares(&self, file: FileId, name: &str) -> bool {
        if !self.known.declared.borrow().contains_key(&file) {
            let found = self.find_declared(file);
            self.known.declared.borrow_mut().insert(file, found);
        }
        self.known.declared.borrow().get(&file).is_some_and(|names| names.contains(&index::name_hash(name)))
    }

    /// Do the methods that set a field go on to call those that look into it?
    pub(super) fn filled_on_the_way(&self, file: FileId, class: u32, field: Sym) -> bool {
        once(&self.known.filled, (file, class, field), || self.find_filled(file, class, &field))
    }
}
