//! The only place that knows that there is more than one file.
//!
//! Files are indexed lexically ([`crate::index`]); a function is parsed and lowered when it may hold a destructive call,
//! when such a function calls it, or when it calls such a function. Its summary is made at its first use and kept.
//!
//! ```text
//! janitor.py   if not may_delete(row): ..      may_delete: imported from rows, one definition there -> lowered now
//! rows.py      def may_delete(row): ..
//! ```
//! A name with several definitions that imports, packages and receivers leave open is unresolved: opaque, never wrong.

mod fields;
mod glance;
mod known;
mod packages;
mod resolve;
mod settle;
mod written;

use crate::facts::{EffectKind, Summary};
use crate::index::{self, DefKind, FileIndex, NameIndex};
use crate::ir::{Arena, Block, Func, Handler, Stmt, Sym, sym};
use crate::lang::{self, Lowered, ModuleInfo, Notes, Rest};
use crate::source::{FileId, Language, SourceFile, Sources, Span};
use crate::vocab::{FileContext, Imports, Vocab};
use crate::walk::{self, ClassKey, Context, FuncKey, Resolved, SelfField};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// Summaries within summaries: only against a stack that never ends. Lower, and what is known of a helper would hang on
/// who asked first.
const DEPTH_LIMIT: usize = 40;

/// Expressions of a summary that callers still put in place of a call: about a screenful of code. Measured on 45 code
/// bases: with eight times as many, conditions were followed through helpers that nobody would follow by eye, what was
/// found there was false, and it took three times as long.
const EXPORT_LIMIT: usize = 300;

/// What is known of a file beyond its index.
#[derive(Default)]
struct FileInfo {
    module: ModuleInfo,
    context: FileContext,
    rest: Rest,
    /// Lowered where it is asked for.
    top: OnceCell<FileTop>,
}

/// What stands in no function of a file.
#[derive(Default)]
struct FileTop {
    module: Option<Arc<Func>>,
    class_bodies: FxHashMap<Sym, Arc<Func>>,
    /// The declared fields of each class with their types.
    field_types: FxHashMap<Sym, Vec<(Sym, Sym)>>,
}

/// Where the summary of a function stands.
enum State {
    Unmade,
    InProgress,
    Made(Option<Arc<Summary>>),
    /// Made, and let go once callers had their part of it: of a helper without effects hardly anyone asks more.
    Exported,
}

struct Entry {
    file: FileId,
    def: u32,
    func: RefCell<Option<Option<Arc<Func>>>>,
    summary: RefCell<State>,
    /// The part callers see.
    export: OnceCell<Option<Arc<Summary>>>,
    /// The parameters it adds to, where callers see nothing else of it.
    fills: OnceCell<Vec<(u16, Sym)>>,
    /// The statement it sends for callers that see nothing else of it.
    sends: OnceCell<Arc<Summary>>,
}

/// The summaries of files' own statements and of the bodies of classes.
type Tops = FxHashMap<(FileId, Sym), Option<Arc<Summary>>>;

/// The files of a run, and what was asked of them so far.
pub struct Project<'a> {
    /// The files.
    pub sources: &'a Sources,
    /// The rows.
    pub vocab: &'a Vocab,
    /// One for each file.
    pub indexes: Vec<FileIndex>,
    names: NameIndex,
    /// Last part of a module's dotted name, to its files.
    modules: FxHashMap<String, Vec<FileId>>,
    files: Vec<OnceCell<FileInfo>>,
    entries: RefCell<Vec<Rc<Entry>>>,
    keys: RefCell<FxHashMap<(FileId, u32), FuncKey>>,
    tops: RefCell<Tops>,
    depth: RefCell<usize>,
    holes: RefCell<BTreeMap<&'static str, u32>>,
    errors: RefCell<Vec<Span>>,
    decorators: RefCell<FxHashMap<Sym, bool>>,
    /// The parts of the dotted name of each file.
    parts: Vec<Vec<String>>,
    /// Looks at the text of a file or class, each taken once.
    looks: Looks,
    /// Where names lead.
    known: known::Known,
    words: glance::Words,
    /// No function is left out after a glance at it.
    pub closely: bool,
}

/// What a class inherits from, as far as it is of the project.
type Bases = Rc<[ClassKey]>;

/// What a look at the text says.
#[derive(Default)]
struct Looks {
    /// Is the name assigned at the left margin of the file?
    assigned: RefCell<FxHashMap<(FileId, Sym), bool>>,
    /// How the class writes the field.
    writers: RefCell<FxHashMap<(FileId, u32, Sym), fields::Writers>>,
    /// What the class inherits from.
    bases: RefCell<FxHashMap<(FileId, u32), Bases>>,
    /// Where objects of the class are written out.
    objects: RefCell<FxHashMap<(FileId, u32), written::Objects>>,
    /// The prefixes under which the Go packages of the run import each other.
    go_modules: OnceCell<Vec<Vec<String>>>,
    /// Which files stand beside each other.
    folders: OnceCell<packages::Folders>,
}

impl<'a> Project<'a> {
    /// A project over indexed files. Nothing is parsed yet.
    pub fn new(sources: &'a Sources, vocab: &'a Vocab, indexes: Vec<FileIndex>) -> Self {
        let names = NameIndex::new(sources.files.iter().map(|f| f.id).zip(indexes.iter()));
        let mut modules: FxHashMap<String, Vec<FileId>> = FxHashMap::default();
        let parts: Vec<_> = sources.files.iter().map(resolve::module_parts).collect();
        for (f, parts) in sources.files.iter().zip(&parts) {
            if let Some(last) = parts.last() {
                modules.entry(last.clone()).or_default().push(f.id);
            }
        }
        Project {
            sources,
            vocab,
            names,
            modules,
            files: sources.files.iter().map(|_| OnceCell::new()).collect(),
            indexes,
            entries: RefCell::default(),
            keys: RefCell::default(),
            tops: RefCell::default(),
            depth: RefCell::default(),
            holes: RefCell::default(),
            errors: RefCell::default(),
            decorators: RefCell::default(),
            parts,
            looks: Looks::default(),
            known: known::Known::default(),
            words: glance::Words::default(),
            closely: false,
        }
    }

    /// Takes up files that were lowered beforehand, in parallel: the functions that may matter by themselves.
    pub fn adopt(&self, file: FileId, lowered: Lowered) {
        let funcs = self.take(file, lowered);
        for f in funcs {
            let Some(def) = self.def_at(file, f.name_span.start) else { continue };
            let key = self.key(file, def);
            if let Some(e) = self.entry(key) {
                *e.func.borrow_mut() = Some(Some(f));
            }
        }
    }

    /// The functions of a lowered file; what its imports are is kept the first time it is seen.
    fn take(&self, file: FileId, mut lowered: Lowered) -> Vec<Arc<Func>> {
        self.note(lowered.notes);
        if let Some(cell) = self.files.get(file.0 as usize) {
            let context = FileContext {
                language: Some(self.sources.get(file).language),
                imports: Imports::new(&std::mem::take(&mut lowered.module.import_paths)),
                ..FileContext::default()
            };
            let (module, rest) = (lowered.module, lowered.rest);
            let _ = cell.set(FileInfo { module, context, rest, top: OnceCell::new() });
        }
        lowered.functions.into_iter().map(Arc::new).collect()
    }

    fn note(&self, notes: Notes) {
        for (k, n) in notes.holes {
            *self.holes.borrow_mut().entry(k).or_default() += n;
        }
        let mut errors = self.errors.borrow_mut();
        for e in notes.errors {
            if !errors.contains(&e) {
                errors.push(e);
            }
        }
    }

    /// What was not understood, by kind of syntax.
    pub fn holes(&self) -> BTreeMap<&'static str, u32> {
        self.holes.borrow().clone()
    }

    /// Syntax errors met in what was parsed.
    pub fn errors(&self) -> Vec<Span> {
        self.errors.borrow().clone()
    }

    fn info(&self, file: FileId) -> &FileInfo {
        let cell = &self.files[file.0 as usize];
        if cell.get().is_none() {
            let lowered = lang::open(self.sources.get(file), &[]);
            self.take(file, lowered);
        }
        cell.get_or_init(FileInfo::default)
    }

    /// What stands in no function of a file.
    fn file_top(&self, file: FileId) -> &FileTop {
        let info = self.info(file);
        info.top.get_or_init(|| {
            let mut notes = Notes::default();
            let top = info.rest.top(self.sources.get(file), &mut notes);
            self.note(notes);
            let mut out = FileTop::default();
            out.field_types.extend(top.classes.iter().map(|c| (c.name, c.fields.clone())));
            for f in top.functions {
                match f.class {
                    Some(c) => out.class_bodies.insert(c, Arc::new(f)).map_or((), drop),
                    None => out.module = Some(Arc::new(f)),
                }
            }
            out
        })
    }

    fn index(&self, file: FileId) -> &FileIndex {
        &self.indexes[file.0 as usize]
    }

    fn def_at(&self, file: FileId, name_start: u32) -> Option<u32> {
        let defs = &self.index(file).defs;
        defs.iter().position(|d| d.name.start == name_start).map(|i| i as u32)
    }

    /// The text of a range of a file.
    fn text(&self, file: FileId, r: &Range<u32>) -> &str {
        self.sources.text(Span { file, start: r.start, end: r.end })
    }

    /// The definitions of a name in a file.
    fn defs_named(&self, file: FileId, name: &str) -> impl DoubleEndedIterator<Item = (u32, &index::Def)> {
        let index = self.index(file);
        let hash = index::name_hash(name);
        let alike = index.names.iter().zip(&index.defs).enumerate().filter(move |(_, (h, _))| **h == hash);
        alike.filter(move |(_, (_, d))| self.text(file, &d.name) == name).map(|(i, (_, d))| (i as u32, d))
    }

    fn def_name(&self, file: FileId, def: u32) -> &str {
        match self.index(file).defs.get(def as usize) {
            Some(d) => self.text(file, &d.name),
            None => "",
        }
    }

    /// The key of a function by its definition.
    pub fn key(&self, file: FileId, def: u32) -> FuncKey {
        *self.keys.borrow_mut().entry((file, def)).or_insert_with(|| {
            let mut entries = self.entries.borrow_mut();
            entries.push(Rc::new(Entry {
                file,
                def,
                func: RefCell::default(),
                summary: RefCell::new(State::Unmade),
                export: OnceCell::new(),
                fills: OnceCell::new(),
                sends: OnceCell::new(),
            }));
            FuncKey(entries.len() as u32 - 1)
        })
    }

    fn entry(&self, f: FuncKey) -> Option<Rc<Entry>> {
        self.entries.borrow().get(f.0 as usize).cloned()
    }

    /// The file and definition of a function.
    pub fn place(&self, f: FuncKey) -> Option<(FileId, u32)> {
        self.entry(f).map(|e| (e.file, e.def))
    }

    /// A function, lowered now if it was not before. Of one that was walked only the head is left, unless it is a test.
    pub fn func(&self, f: FuncKey) -> Option<Arc<Func>> {
        let e = self.entry(f)?;
        if let Some(known) = &*e.func.borrow() {
            return known.clone();
        }
        let mut notes = Notes::default();
        let found = self.lowered(&e, &mut notes);
        self.note(notes);
        *e.func.borrow_mut() = Some(found.clone());
        found
    }

    fn find_field_types(&self, class: ClassKey) -> known::FieldTypes {
        let Some((file, def)) = self.class_place(class) else { return Arc::default() };
        // What Python annotates is told by what the constructor is given.
        if self.sources.get(file).language == Language::Python {
            return Arc::default();
        }
        let name = sym(self.def_name(file, def));
        let info = self.info(file);
        let declared = match info.rest.fields(name) {
            Some(fields) => fields,
            None => self.file_top(file).field_types.get(&name).cloned().unwrap_or_default(),
        };
        let bases = info.module.classes.iter().filter(|c| c.name == name).flat_map(|c| &c.bases);
        declared.into_iter().chain(bases.map(|b| (sym(""), *b))).collect()
    }

    /// A function as it is written, body and all, which is not kept once it was walked.
    pub fn as_written(&self, f: FuncKey) -> Option<Arc<Func>> {
        self.lowered(&*self.entry(f)?, &mut Notes::default())
    }

    /// A function with its decorators in full.
    pub fn decorated(&self, f: FuncKey) -> Option<Arc<Func>> {
        let e = self.entry(f)?;
        let name = self.index(e.file).defs.get(e.def as usize)?.name.start;
        let file = self.sources.get(e.file);
        self.info(e.file).rest.decorated(file, name, &mut Notes::default()).map(Arc::new)
    }

    /// The functions that may be called for objects that have a label: decorated in a file that tells of handlers.
    pub fn handlers(&self) -> Vec<FuncKey> {
        let mut out = vec![];
        for f in self.sources.files.iter().filter(|f| f.language.is_code() && self.vocab.tells_handlers(&f.text)) {
            for (i, def) in self.index(f.id).defs.iter().enumerate() {
                if def.kind == DefKind::Function && !def.decorators.is_empty() {
                    out.push(self.key(f.id, i as u32));
                }
            }
        }
        out.retain(|key| !self.in_test_file(*key));
        out
    }

    /// The text that a constant holds, as a file names it.
    pub fn constant(&self, file: FileId, path: Sym) -> Option<&'static str> {
        match self.resolve(file, path) {
            Resolved::Value(sum, value) => sum.arena.as_str(value),
            _ => None,
        }
    }

    fn lowered(&self, e: &Entry, notes: &mut Notes) -> Option<Arc<Func>> {
        let name = self.index(e.file).defs.get(e.def as usize)?.name.start;
        let found = self.info(e.file).rest.function(self.sources.get(e.file), name, notes);
        found.filter(|f| f.name_span.start == name).map(Arc::new)
    }

    /// What the walk leaves of a body of a function.
    fn summarize(&self, func: &Func, body: &Block) -> Option<Arc<Summary>> {
        if *self.depth.borrow() >= DEPTH_LIMIT {
            return None;
        }
        *self.depth.borrow_mut() += 1;
        let mut s = walk::summarize_body(func, body, self);
        *self.depth.borrow_mut() -= 1;
        settle::settle(&mut s, self.vocab);
        Some(Arc::new(s))
    }

    /// What the assignments at the top of a file, or of a class body, leave.
    pub fn top(&self, file: FileId, class: Option<Sym>) -> Option<Arc<Summary>> {
        let at = (file, class.unwrap_or_else(|| sym("")));
        if let Some(known) = self.tops.borrow().get(&at) {
            return known.clone();
        }
        self.tops.borrow_mut().insert(at, None);
        let top = self.file_top(file);
        let func = match class {
            None => top.module.clone(),
            Some(c) => top.class_bodies.get(&c).cloned(),
        };
        let made = func.and_then(|f| self.summarize(&f, &assignments(&f.body)));
        self.tops.borrow_mut().insert(at, made.clone());
        made
    }

    /// The statements at the top of a file as a function: what a script does.
    pub fn script(&self, file: FileId) -> Option<(Arc<Func>, Arc<Summary>)> {
        let func = self.file_top(file).module.clone()?;
        let summary = self.summarize(&func, &func.body)?;
        Some((func, summary))
    }

    /// What the walk leaves of a function, effects that are judged in it and all.
    pub fn full(&self, f: FuncKey) -> Option<Arc<Summary>> {
        let e = self.entry(f)?;
        let again = match &*e.summary.borrow() {
            State::Made(s) => return s.clone(),
            State::InProgress => return None,
            State::Exported => true,
            State::Unmade => false,
        };
        if *self.depth.borrow() >= DEPTH_LIMIT {
            return None;
        }
        *e.summary.borrow_mut() = State::InProgress;
        // Of a function that was walked only the head is left.
        let func = if again { self.lowered(&e, &mut Notes::default()) } else { self.func(f) };
        let made = func.as_ref().and_then(|func| self.summarize(func, &func.body));
        *e.summary.borrow_mut() = State::Made(made.clone());
        if let Some(func) = func.filter(|func| !func.is_test) {
            *e.func.borrow_mut() = Some(Some(Arc::new(head(&func))));
        }
        made
    }

    /// Is it known already that a function has no effect?
    pub fn is_idle(&self, f: FuncKey) -> bool {
        self.entry(f).is_some_and(|e| matches!(&*e.summary.borrow(), State::Exported))
    }

    /// May the function be judged, or asked about as a whole?
    fn is_seed(&self, e: &Entry) -> bool {
        self.index(e.file).defs.get(e.def as usize).is_some_and(|d| d.hit)
    }

    /// Is it a function of a file of tests? A look at its path spares lowering it.
    pub fn in_test_file(&self, f: FuncKey) -> bool {
        self.place(f).is_some_and(|(file, _)| self.is_test(file))
    }

    /// The units of other functions that may call this one, by name: all, or with more than `most` of them some.
    pub fn callers(&self, f: FuncKey, most: usize) -> Vec<FuncKey> {
        let Some((file, def)) = self.place(f) else { return vec![] };
        let name = self.def_name(file, def);
        // A constructor is called by its class's name.
        let name = match self.index(file).defs.get(def as usize).and_then(|d| d.parent) {
            Some(class) if name == "__init__" => self.def_name(file, class),
            _ => name,
        };
        if name.starts_with("__") {
            return vec![];
        }
        // One of them may be the function itself.
        let mut users = self.users_in(self.names.files_calling(name), name, most.saturating_add(2));
        users.retain(|key| *key != f);
        users
    }

    /// The units of functions that call this name or hand it on, though no file may define it.
    pub fn users(&self, name: &str) -> Vec<FuncKey> {
        let files = self.sources.files.iter().map(|f| f.id);
        self.users_in(files.filter(|f| self.index(*f).calls_name(name)), name, usize::MAX)
    }

    fn users_in(&self, files: impl Iterator<Item = FileId>, name: &str, enough: usize) -> Vec<FuncKey> {
        let mut out = vec![];
        for file in files {
            if out.len() >= enough {
                break;
            }
            let text = &self.sources.get(file).text;
            for unit in self.index(file).mentions(text, name).into_iter().flatten() {
                let key = self.key(file, unit);
                if !out.contains(&key) {
                    out.push(key);
                }
            }
        }
        out
    }

    /// The units of functions in languages with types whose text holds this name.
    pub fn speaking_of(&self, name: &str) -> Vec<FuncKey> {
        let typed = |f: &&SourceFile| matches!(f.language, Language::Go | Language::Rust);
        let files = self.sources.files.iter().filter(typed);
        let holds = |f: &&SourceFile| memchr::memmem::find(f.text.as_bytes(), name.as_bytes()).is_some();
        self.users_in(files.filter(holds).map(|f| f.id), name, usize::MAX)
    }

    /// The text of a function.
    pub fn source_of(&self, f: FuncKey) -> Option<&str> {
        let (file, def) = self.place(f)?;
        let range = self.index(file).defs.get(def as usize)?.whole();
        self.sources.get(file).text.get(range.start as usize..range.end as usize)
    }

    /// Every function that holds a trigger, in the order of the files.
    pub fn seeds(&self, file: FileId) -> Vec<u32> {
        let index = self.index(file);
        let mut out = vec![];
        for (i, d) in index.defs.iter().enumerate() {
            if d.hit
                && d.kind == DefKind::Function
                && let Some(u) = index.unit(i as u32)
                && !out.contains(&u)
            {
                out.push(u);
            }
        }
        out
    }
}

fn destroys(s: &Summary) -> bool {
    s.effects.iter().any(|e| e.kind != EffectKind::Create)
}

/// A function without its body.
fn head(f: &Func) -> Func {
    Func {
        body: vec![],
        stage: vec![],
        same: vec![],
        arena: Arena::default(),
        name: f.name,
        class: f.class,
        params: f.params.clone(),
        raises: f.raises,
        atomic: f.atomic,
        is_test: f.is_test,
        decorators: f.decorators.clone(),
        name_span: f.name_span,
        span: f.span,
    }
}

/// Of the statements at the top of a file, what they assign: its globals are known before anything it runs is.
fn assignments(b: &Block) -> Block {
    let keep = |s: &Stmt| match s {
        Stmt::Let(..) | Stmt::Put(..) | Stmt::Set { .. } => Some(s.clone()),
        Stmt::If(c, t, f) => Some(Stmt::If(*c, assignments(t), assignments(f))),
        Stmt::Try { body, handlers } => {
            let handlers = handlers.iter().map(|h| Handler { body: assignments(&h.body), ..h.clone() }).collect();
            Some(Stmt::Try { body: assignments(body), handlers })
        }
        _ => None,
    };
    b.iter().filter_map(keep).collect()
}

impl Context for Project<'_> {
    fn vocab(&self) -> &Vocab {
        self.vocab
    }

    fn file(&self, file: FileId) -> FileContext {
        self.info(file).context.clone()
    }

    fn resolve(&self, file: FileId, path: Sym) -> Resolved {
        self.resolve_path(file, path.as_str(), 4)
    }

    fn type_named(&self, file: FileId, name: Sym) -> Option<ClassKey> {
        self.only_type(file, name.as_str())
    }

    fn method(&self, class: ClassKey, name: Sym) -> Option<FuncKey> {
        self.method_of(class, name.as_str(), 6)
    }

    fn unique_method(&self, file: FileId, name: Sym) -> Option<FuncKey> {
        self.only_method(file, name.as_str())
    }

    fn methods_named(&self, name: Sym) -> Vec<FuncKey> {
        self.methods_of_any_class(name.as_str())
    }

    fn field_types(&self, class: ClassKey) -> Arc<[(Sym, Sym)]> {
        known::once(&self.known.fields, class, || self.find_field_types(class))
    }

    fn class_body(&self, class: ClassKey) -> Option<Arc<Summary>> {
        let (file, def) = self.place(FuncKey(class.0))?;
        self.top(file, Some(sym(self.def_name(file, def))))
    }

    fn self_field(&self, class: ClassKey, field: Sym) -> SelfField {
        self.field_of(class, field, 5)
    }

    fn fed_from(&self, class: ClassKey, field: Sym, except: Sym) -> Vec<Sym> {
        let Some((file, def)) = self.class_place(class) else { return vec![] };
        self.find_fed_from(file, def, (&field, &except))
    }

    fn summary(&self, f: FuncKey) -> Option<Arc<Summary>> {
        let e = self.entry(f)?;
        if let Some(known) = e.export.get() {
            return known.clone();
        }
        if self.is_copying(e.file) {
            return None;
        }
        let full = self.full(f)?;
        // A helper larger than this is opaque to its callers: put in place, it would make each of them as large.
        let whole = walk::is_export(&full);
        let idle = full.effects.is_empty();
        let (puts, params) = (full.puts.clone(), full.params.clone());
        let whole_body = full.clone();
        let export = match whole {
            true => Some(full).filter(|s| s.arena.len() <= EXPORT_LIMIT),
            false => walk::export(&full, EXPORT_LIMIT).map(Arc::new),
        };
        if export.is_none() {
            let named = |(i, _): &(u16, _)| Some((*i, *params.get(*i as usize)?));
            e.fills.get_or_init(|| puts.iter().filter_map(named).collect());
            if let Some(sent) = walk::sent_only(&whole_body, self.vocab) {
                e.sends.get_or_init(|| Arc::new(sent));
            }
        }
        let apart = !whole || export.is_none();
        if apart && idle && !self.is_seed(&e) {
            *e.summary.borrow_mut() = State::Exported;
        }
        e.export.get_or_init(|| export).clone()
    }

    fn destroys(&self, f: FuncKey) -> bool {
        match self.entry(f).map(|e| match &*e.summary.borrow() {
            _ if self.is_copying(e.file) => Some(false),
            State::InProgress | State::Exported => Some(false),
            _ => None,
        }) {
            Some(Some(known)) => known,
            _ => self.full(f).is_none_or(|s| destroys(&s)),
        }
    }

    fn fills(&self, f: FuncKey) -> Vec<(u16, Sym)> {
        self.entry(f).and_then(|e| e.fills.get().cloned()).unwrap_or_default()
    }

    fn sends(&self, f: FuncKey) -> Option<Arc<Summary>> {
        self.entry(f).and_then(|e| e.sends.get().cloned())
    }

    fn declared_empty(&self, file: FileId, name: &str) -> bool {
        self.declared_without_value(file, name)
    }

    fn destroys_by_name(&self, language: Option<Language>, name: &str) -> bool {
        self.words.destroy(self.vocab, language, name)
    }

    fn sounds_destructive(&self, f: FuncKey) -> bool {
        let Some((file, def)) = self.place(f) else { return true };
        let language = Some(self.sources.get(file).language);
        self.words.destroy(self.vocab, language, self.def_name(file, def))
    }

    fn speaks_of_destroying(&self, text: &str) -> bool {
        self.words.spoken_of(self.vocab, text)
    }

    fn is_cached(&self, f: FuncKey) -> bool {
        let Some(func) = self.func(f) else { return false };
        let language = self.sources.get(func.name_span.file).language;
        func.decorators.iter().any(|d| self.remembers(*d, language))
    }

    fn class_of(&self, func: &Func) -> Option<ClassKey> {
        func.class?;
        let file = func.name_span.file;
        if func.name == "<class>" {
            return None;
        }
        let def = self.def_at(file, func.name_span.start)?;
        if let Some(class) = self.owner_class(file, def) {
            return Some(class);
        }
        let class = self.index(file).defs.get(def as usize)?.parent?;
        self.class_key(file, class)
    }
}
