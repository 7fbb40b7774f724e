//! Names to definitions: through imports first, then by the shape of the tree.
//!
//! ```text
//! from labs.rows import may_delete      labs.rows.may_delete: the file whose path ends in labs/rows.py, and in it
//!                                       the definition or value of that name; a package's __init__ hands on its imports
//! ```

use super::*;
use crate::index::DefRef;
use crate::ir::{Call, Expr, Site};
use crate::source::{Language, SourceFile};
use crate::vocab::Role;
use rustc_hash::FxHashSet;

/// More definitions of a name than this are not told apart.
const MANY: usize = 8;

/// The dotted name of a file: `labs/rows.py` is `labs.rows`, `labs/__init__.py` is `labs`. A Go file is a part of its
/// folder's package; of Rust's paths `src`, `lib.rs`, `main.rs` and `mod.rs` are no part.
pub(super) fn module_parts(f: &SourceFile) -> Vec<String> {
    let mut parts: Vec<String> = f
        .path
        .components()
        .filter_map(|c| match c {
            std::path::Component::Normal(s) => Some(s.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    // A manifest is no module, whatever it is called.
    if !f.language.is_code() {
        return vec![];
    }
    let Some(last) = parts.pop() else { return parts };
    let stem = last.rsplit_once('.').map_or(last.as_str(), |x| x.0);
    match f.language {
        Language::Go => parts.iter_mut().for_each(|p| *p = p.replace(['-', '.'], "_")),
        Language::Rust => {
            parts.retain(|p| p != "src");
            if !matches!(stem, "lib" | "main" | "mod") {
                parts.push(stem.to_owned());
            }
            parts.iter_mut().for_each(|p| *p = p.replace('-', "_"));
        }
        _ if stem != "__init__" => parts.push(stem.to_owned()),
        _ => {}
    }
    parts
}

impl Project<'_> {
    /// The class of a definition.
    pub(super) fn class_key(&self, file: FileId, def: u32) -> Option<ClassKey> {
        let d = self.index(file).defs.get(def as usize)?;
        // A class shares the numbering of functions: one definition, one key.
        (d.kind == DefKind::Class).then(|| ClassKey(self.key(file, def).0))
    }

    pub(super) fn class_place(&self, class: ClassKey) -> Option<(FileId, u32)> {
        self.place(FuncKey(class.0))
    }

    pub(super) fn resolve_path(&self, file: FileId, path: &str, hops: u32) -> Resolved {
        if hops == 0 || path.starts_with('%') {
            return Resolved::Outside;
        }
        let (head, rest) = path.split_once('.').map_or((path, ""), |x| x);
        // A name of the file itself.
        if let Some(r) = self.in_file(file, head, rest) {
            return r;
        }
        if rest.is_empty() {
            return Resolved::Outside;
        }
        let parts: Vec<&str> = path.split('.').collect();
        // The longest module name that is a file of the project.
        if let Some((target, n)) = self.module_of(file, path, &parts) {
            let name = parts[n];
            let rest = parts.get(n + 1..).unwrap_or_default().join(".");
            if let Some(r) = self.in_file(target, name, &rest) {
                return r;
            }
            // Handed on by a package: `from .rows import may_delete` in its `__init__`.
            let onward = self.info(target).module.imports.iter().find(|i| i.0 == name).map(|i| i.1);
            if let Some(p) = onward {
                let p = if rest.is_empty() { p.as_str().to_owned() } else { format!("{p}.{rest}") };
                return self.resolve_path(target, &p, hops - 1);
            }
        }
        Resolved::Outside
    }

    /// A definition or value at the top of a file, or a method of its class.
    fn in_file(&self, file: FileId, name: &str, rest: &str) -> Option<Resolved> {
        self.places(file, name, rest.is_empty()).iter().find_map(|at| self.in_one_file(*at, name, rest))
    }

    fn in_one_file(&self, (file, found): known::Stands, name: &str, rest: &str) -> Option<Resolved> {
        if let Some((def, kind)) = found {
            return match (kind, rest) {
                (DefKind::Function, "") => Some(Resolved::Function(self.key(file, def))),
                (DefKind::Class, "") => self.class_key(file, def).map(Resolved::Class),
                (DefKind::Class, member) if !member.contains('.') => {
                    let class = self.class_key(file, def)?;
                    match self.method_of(class, member, 4) {
                        Some(m) => Some(Resolved::Function(m)),
                        None => match self.field_of(class, sym(member), 3) {
                            SelfField::Value(s, v) => Some(Resolved::Value(s, v)),
                            _ => None,
                        },
                    }
                }
                _ => None,
            };
        }
        let top = self.top(file, None)?;
        let value = top.globals.iter().find(|g| g.0 == name)?.1;
        Some(Resolved::Value(top, value))
    }

    /// Is a name assigned at the left margin? A look at the text spares walking a file for every builtin.
    pub(super) fn assigns(&self, file: FileId, name: &str) -> bool {
        let at = (file, sym(name));
        if let Some(known) = self.looks.assigned.borrow().get(&at) {
            return *known;
        }
        let found = self.assigns_in_text(file, name);
        self.looks.assigned.borrow_mut().insert(at, found);
        found
    }

    fn assigns_in_text(&self, file: FileId, name: &str) -> bool {
        if matches!(self.sources.get(file).language, Language::Go | Language::Rust) {
            return self.declares(file, name);
        }
        let text = &self.sources.get(file).text;
        let bytes = text.as_bytes();
        // `NAME =`, `A, NAME = ..`, `NAME: int = ..` at the left margin.
        let names = |c: &u8| c.is_ascii_alphanumeric() || matches!(c, b'_' | b',' | b' ' | b'(' | b'*');
        let head = |line: &[u8]| [&b"class "[..], b"def ", b"from ", b"import "].iter().any(|w| line.starts_with(w));
        memchr::memmem::find_iter(bytes, name.as_bytes()).any(|at| {
            let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
            let after = bytes.get(at + name.len());
            let before = at.checked_sub(1).and_then(|i| bytes.get(i));
            let word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_';
            let whole = !before.is_some_and(word) && !after.is_some_and(|c| word(c) || matches!(c, b'.' | b'('));
            whole && bytes[start..at].iter().all(names) && bytes.get(start) != Some(&b' ') && !head(&bytes[start..at])
        })
    }

    /// `var name = ..`, `const NAME: T = ..`, a line of `var ( .. )`: the hashes of all such names of a file.
    pub(super) fn find_declared(&self, file: FileId) -> FxHashSet<u32> {
        let bytes = self.sources.get(file).text.as_bytes();
        let (mut out, mut at) = (FxHashSet::default(), 0);
        let tops = self.index(file).defs.iter().filter(|d| d.parent.is_none()).map(|d| d.range.clone());
        for def in tops.chain(std::iter::once(bytes.len() as u32..0)) {
            let between = bytes.get(at..def.start as usize).unwrap_or_default();
            between.split(|b| *b == b'\n').for_each(|line| declared_by(line, &mut out));
            at = at.max(def.end as usize);
        }
        out
    }

    /// The file of a dotted module name, as seen from a file: of several with that ending, the nearest.
    pub(super) fn module_file(&self, from: FileId, parts: &[&str]) -> Option<FileId> {
        if self.sources.get(from).language == Language::Go {
            return self.go_package(parts);
        }
        let files = self.modules.get(*parts.last()?)?;
        let here = self.parts.get(from.0 as usize)?;
        let fits = files.iter().filter_map(|f| {
            let own = self.parts.get(f.0 as usize)?;
            let ends =
                own.len() >= parts.len() && own[own.len() - parts.len()..].iter().zip(parts).all(|(a, b)| a == b);
            let shared = own.iter().zip(here).take_while(|(a, b)| a == b).count();
            // A bare name is a neighbour or at the root, not something deep in another package.
            let near = parts.len() > 1 || own.len() == 1 || shared + 1 >= own.len();
            (ends && near).then_some((own.len() == parts.len(), shared, *f))
        });
        let mut best: Option<(bool, usize, FileId)> = None;
        let mut tie = false;
        for x in fits {
            match best {
                Some(b) if (x.1, x.0) < (b.1, b.0) => {}
                Some(b) if (x.1, x.0) == (b.1, b.0) => tie = true,
                _ => {
                    best = Some(x);
                    tie = false;
                }
            }
        }
        best.filter(|_| !tie).map(|b| b.2)
    }

    pub(super) fn find_method(&self, class: ClassKey, name: &str, hops: u32) -> Option<FuncKey> {
        let (file, def) = self.class_place(class)?;
        let mut own = self.defs_named(file, name).filter(|(_, d)| d.parent == Some(def) && d.kind == DefKind::Function);
        if let Some((i, _)) = own.next_back() {
            return Some(self.key(file, i));
        }
        if let Some(m) = self.owned_method(file, def, name) {
            return Some(m);
        }
        if hops == 0 {
            return None;
        }
        self.bases(file, def).iter().find_map(|b| self.method_of(*b, name, hops - 1))
    }

    /// The classes of the project that a class inherits from.
    pub(super) fn bases(&self, file: FileId, def: u32) -> Bases {
        if let Some(known) = self.looks.bases.borrow().get(&(file, def)) {
            return known.clone();
        }
        let found: Bases = self.bases_written(file, def).into();
        self.looks.bases.borrow_mut().insert((file, def), found.clone());
        found
    }

    fn bases_written(&self, file: FileId, def: u32) -> Vec<ClassKey> {
        let Some(d) = self.index(file).defs.get(def as usize) else { return vec![] };
        let range = d.range.clone();
        let info = self.info(file);
        let class = info
            .module
            .classes
            .iter()
            .find(|c| range.start <= c.span.start && c.span.end <= range.end && c.span.start < range.start + 512);
        let Some(class) = class.filter(|c| c.name.as_str().rsplit('.').next() == Some(self.def_name(file, def))) else {
            return vec![];
        };
        class
            .bases
            .iter()
            .filter_map(|b| match self.resolve_path(file, b.as_str(), 3) {
                Resolved::Class(k) => Some(k),
                _ => None,
            })
            .collect()
    }

    /// The type of a name: that of the file, else the only one outside tests.
    pub(super) fn only_type(&self, file: FileId, name: &str) -> Option<ClassKey> {
        let name = name.rsplit('.').next()?;
        let defs = self.names.definitions(name);
        let types = |own: bool| {
            let mut found = defs.iter().filter(move |d| own == (d.file == file)).filter(|d| {
                let kind = self.index(d.file).defs.get(d.def as usize).map(|x| x.kind);
                let told = own || !looks_like_test(self.sources.get(d.file));
                kind == Some(DefKind::Class) && told && self.def_name(d.file, d.def) == name
            });
            found.next().filter(|_| found.next().is_none())
        };
        let found = types(true).or_else(|| types(false))?;
        self.class_key(found.file, found.def)
    }

    /// The one method of the project with this name: outside tests, and only where the name says something.
    pub(super) fn only_method(&self, file: FileId, name: &str) -> Option<FuncKey> {
        let telling =
            name.contains('_') || name.len() > 9 || name.get(1..).is_some_and(|n| n.contains(char::is_uppercase));
        if name.starts_with("__") || !telling {
            return None;
        }
        match self.methods(name, Some(file))[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// The methods of the project with this name, outside tests.
    pub(super) fn methods_of_any_class(&self, name: &str) -> Vec<FuncKey> {
        self.methods(name, None)
    }

    /// Methods with a name, outside tests but for those of one file. None where many definitions have it.
    fn methods(&self, name: &str, here: Option<FileId>) -> Vec<FuncKey> {
        let defs = self.names.definitions(name);
        if defs.len() > MANY {
            return vec![];
        }
        // What destroys by its name may be told to a client of whoever has the trait: `agent.delete_route(route)`.
        let speaks = self.words.destroy(self.vocab, Some(Language::Rust), name);
        let is_method = |d: &&DefRef| {
            let index = self.index(d.file);
            let own = index.defs.get(d.def as usize);
            let parent = own.and_then(|x| index.defs.get(x.parent? as usize));
            let owned = own.is_some_and(|x| !x.owner.is_empty());
            (owned || parent.is_some_and(|p| p.kind == DefKind::Class))
                && self.def_name(d.file, d.def) == name
                && (here == Some(d.file) || !looks_like_test(self.sources.get(d.file)))
                && (speaks || !own.is_some_and(|x| self.is_promised(d.file, x.range.end)))
        };
        defs.iter().filter(is_method).map(|d| self.key(d.file, d.def)).collect()
    }

    /// A method of a Rust trait without a body: whoever has the trait defines it.
    fn is_promised(&self, file: FileId, end: u32) -> bool {
        let source = self.sources.get(file);
        let bytes = source.text.as_bytes();
        let next = bytes.get(end as usize..).unwrap_or_default().iter().find(|b| !b.is_ascii_whitespace());
        source.language == Language::Rust && next == Some(&b';')
    }

    /// Does a decorator remember results?
    pub(super) fn remembers(&self, path: Sym, language: Language) -> bool {
        if let Some(known) = self.decorators.borrow().get(&path) {
            return *known;
        }
        let mut a = Arena::default();
        let callee = a.mk(Expr::Path(path));
        let span = Span::new(FileId(0), 0, 0);
        let site = a.new_site(Site {
            name: span,
            whole: span,
            stmt: span,
            via: None,
            row: None,
            acts: false,
            once: false,
            unheeded: false,
            sole: false,
            waited: false,
        });
        let call = Call { site, callee, args: vec![] };
        a.mk(Expr::Call(call.clone()));
        let file = FileContext { imports: Imports::new(&[path]), language: Some(language), ..FileContext::default() };
        let row = self.vocab.matched(&a, &call, &file).map(|m| self.vocab.row(m.row).role);
        let yes = row == Some(Role::Cached);
        self.decorators.borrow_mut().insert(path, yes);
        yes
    }
}

/// The names at the head of a line that declares variables or constants.
fn declared_by(line: &[u8], out: &mut FxHashSet<u32>) {
    let heads: [&[u8]; 6] = [b"var ", b"const ", b"static ", b"pub ", b"\t", b"pub("];
    if !heads.iter().any(|head| line.starts_with(head)) {
        return;
    }
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let (mut at, stops) = (0, |b: u8| !is_word(b) && !b", \t()".contains(&b));
    while let Some(b) = line.get(at).copied().filter(|b| !stops(*b)) {
        let rest = line.get(at..).unwrap_or_default();
        let length = rest.iter().take_while(|b| is_word(**b)).count();
        // What a dot follows is a package.
        if length > 0
            && line.get(at + length) != Some(&b'.')
            && let Ok(name) = std::str::from_utf8(rest.get(..length).unwrap_or_default())
        {
            out.insert(index::name_hash(name));
        }
        at += length.max(usize::from(!is_word(b)));
    }
}

/// A test file by the conventions of its language: fakes in it are no definitions for others.
pub(super) fn looks_like_test(f: &SourceFile) -> bool {
    let shown = f.shown();
    let name = shown.rsplit('/').next().unwrap_or_default();
    name.starts_with("test_")
        || name.ends_with("_test.py")
        || name.ends_with("_test.go")
        || name.ends_with("_test.rs")
        || name == "conftest.py"
        || shown.split('/').any(|p| matches!(p, "tests" | "test" | "testing" | "fakes" | "mocks"))
}
