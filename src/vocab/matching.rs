//! Matching calls against rows.
//!
//! A call is seen as the chain of names that leads to it, through calls, fields, elements and entries:
//!
//! ```text
//! docker.from_env().containers.list()[e].remove(force=True)
//!   docker . from_env() . containers . list() . remove()
//! ```
//!
//! Its root tells where it comes from. A chain that starts in a library (`docker`) backs that library's rows; one that
//! starts in another library that destroys things excludes them, for `requests.delete(url)` is no row of Docker however
//! alike the names. A chain that starts at a local says nothing, and the file's imports decide. Without either, only
//! names that say enough by themselves count (`delete_namespaced_pod`, never a bare `delete`), and the match is not
//! backed.
//!
//! Of several rows the better backed one counts, then a whole path before an open head, then the one that asks for more
//! constants and writes out more of the names and parameters, then the earlier one. Guesses by verb come last.

use super::load::Library;
use super::pattern::{self, Glob, Way};
use super::*;
use crate::ir::{Arena, Arg, BinderId, Call, Expr, ExprId, Lit, sym};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::sync::Arc;

/// What the file a call stands in imports, and what is known of the parameters of its function.
#[derive(Clone, Debug, Default)]
pub struct FileContext {
    /// The language.
    pub language: Option<Language>,
    /// What is imported anywhere in the file.
    pub imports: Imports,
    /// The parameters of the function in order, with their types where they are annotated; a type backs a match as the
    /// call of its constructor would.
    pub params: Vec<(Sym, Option<Sym>)>,
    /// The types of the fields of the object itself, where they are declared. One without a name is embedded: its methods
    /// are the object's own.
    pub fields: Arc<[(Sym, Sym)]>,
}

impl FileContext {
    /// Do rows of a library's language speak of this file? What stands inside a statement is said in every language.
    fn reads(&self, language: Language) -> bool {
        self.language.is_none_or(|own| own == language || [own, language].contains(&Language::Ir))
    }
}

/// What a file imports, as dotted paths, and all these lie in: of `sqlalchemy.orm` also `sqlalchemy`.
#[derive(Clone, Debug, Default)]
pub struct Imports(Arc<FxHashSet<&'static str>>);

impl Imports {
    /// All of these paths.
    pub fn new(paths: &[Sym]) -> Self {
        let mut all = FxHashSet::default();
        paths.iter().flat_map(|p| prefixes(p.as_str())).for_each(|p| {
            all.insert(p);
        });
        Imports(Arc::new(all))
    }

    /// Is a module imported, or something in it?
    fn speak_of(&self, module: &str) -> bool {
        self.0.contains(module)
    }
}

/// `a.b.c`, `a.b`, `a`.
fn prefixes(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |p| p.rsplit_once('.').map(|x| x.0))
}

/// One name of a chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    /// The name.
    pub(super) name: &'static str,
    /// The call of it, where it is called (not for the last name: the call is the one that is matched).
    pub(super) call: Option<ExprId>,
    /// A call without expression: the constructor of an annotated type.
    pub(super) made: bool,
}

impl Link {
    pub(super) fn called(&self) -> bool {
        self.call.is_some() || self.made
    }
}

/// Where a chain starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    /// At a global or at an annotated type.
    Path(Sym),
    /// At a local or at something without name.
    Local(ExprId),
}

/// Whose a chain is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    /// A library that destroys things.
    Library(usize),
    /// A package that is no known library: what is called on its objects directly is its own.
    Stranger,
}

/// What stands behind a match.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Backing {
    /// The row needs no library: a method of texts, of loggers. Weaker than a name that says what it is.
    General,
    Name,
    Import,
    Origin,
}

/// Which reading of which row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    row: u32,
    way: u32,
    /// How the called name begins and ends.
    ends: Ends,
}

/// How a name begins and ends, as far as eight bytes go: tells most globs that do not match from those that may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ends {
    head: u64,
    tail: u64,
    /// Bits of the two that count.
    head_mask: u64,
    tail_mask: u64,
}

impl Ends {
    fn new(head: &str, tail: &str) -> Self {
        let first = head.bytes().take(8).zip(0..).map(|(b, i)| (b, 8 * i));
        let last = tail.bytes().rev().take(8).zip(0..).map(|(b, i)| (b, 8 * i));
        let bits = |all: &mut dyn Iterator<Item = (u8, u32)>| {
            all.fold((0, 0), |(bits, mask), (b, at)| (bits | u64::from(b) << at, mask | 0xff << at))
        };
        let ((head, head_mask), (tail, tail_mask)) = (bits(&mut { first }), bits(&mut { last }));
        Ends { head, tail, head_mask, tail_mask }
    }

    /// May a name with these ends match a glob with those?
    fn may_match(&self, glob: &Ends) -> bool {
        self.head & glob.head_mask == glob.head && self.tail & glob.tail_mask == glob.tail
    }
}

/// Rows by the name that is called.
#[derive(Debug, Default)]
pub(super) struct Index {
    plain: FxHashMap<Sym, Vec<Entry>>,
    /// Globs by the first byte of their head.
    headed: FxHashMap<u8, Vec<Entry>>,
    /// Whole paths that end in a bare `*`, by their first name.
    rooted: FxHashMap<Sym, Vec<Entry>>,
    loose: Vec<Entry>,
    /// What libraries are imported as, by language: `github` is a library of Python, and the head of most paths of Go.
    modules: FxHashMap<Language, Modules>,
    /// The names that end a chain of which a row makes one call.
    ends: FxHashSet<Sym>,
}

/// What the libraries of a language are imported as.
#[derive(Debug, Default)]
struct Modules {
    all: FxHashSet<String>,
    /// Those that destroy things; of several the first.
    destroying: FxHashMap<String, usize>,
}

impl Index {
    pub(super) fn of(rows: &[Row], libraries: &[Library]) -> Self {
        let mut index = Index::default();
        for (i, library) in libraries.iter().enumerate() {
            let modules = index.modules.entry(library.language).or_default();
            modules.all.extend(library.imports.iter().cloned());
            for module in library.imports.iter().filter(|_| library.destroys) {
                modules.destroying.entry(module.clone()).or_insert(i);
            }
        }
        for (r, row) in rows.iter().enumerate() {
            index.ends.extend(row.built.iter().copied());
            for (w, way) in row.shape.ways.iter().enumerate() {
                for glob in way.last() {
                    let ends = Ends::new(glob.head(), glob.tail());
                    index.add(glob, way, Entry { row: r as u32, way: w as u32, ends });
                }
            }
        }
        index
    }

    /// Does a name end chains?
    pub(super) fn ends(&self, name: Sym) -> bool {
        self.ends.contains(&name)
    }

    fn add(&mut self, glob: &Glob, way: &Way, entry: Entry) {
        let place = match (glob.plain(), glob.head().bytes().next(), way.root()) {
            (Some(name), ..) => self.plain.entry(sym(name)).or_default(),
            (None, Some(first), _) => self.headed.entry(first).or_default(),
            (None, None, Some(root)) => self.rooted.entry(sym(root)).or_default(),
            (None, None, None) => &mut self.loose,
        };
        if place.last() != Some(&entry) {
            place.push(entry);
        }
    }

    /// The first name of a called path, if whole libraries are known by it.
    fn roots(&self, arena: &Arena, callee: ExprId) -> Option<Sym> {
        let mut e = callee;
        for _ in 0..LONGEST {
            e = match arena.get(e) {
                Expr::Field(base, _) => *base,
                Expr::Call(c) => c.callee,
                Expr::Path(path) => return path.as_str().split('.').next().map(sym),
                _ => return None,
            };
        }
        None
    }

    fn candidates(&self, name: Sym, root: Option<Sym>) -> impl Iterator<Item = Entry> {
        let first = name.bytes().next().and_then(|b| self.headed.get(&b));
        let rooted = root.and_then(|r| self.rooted.get(&r));
        let own = Ends::new(&name, &name);
        let globs =
            first.into_iter().chain(rooted).flatten().chain(&self.loose).filter(move |e| own.may_match(&e.ends));
        self.plain.get(&name).into_iter().flatten().chain(globs).copied()
    }
}

impl Vocab {
    /// The row a call matches, after the walk has put values for locals: the receiver may be the result of a call of a
    /// library, which then backs the match.
    pub fn matched(&self, arena: &Arena, call: &Call, file: &FileContext) -> Option<Matched> {
        let name = called_name(arena, call)?;
        let head = self.index.roots(arena, call.callee);
        let mut candidates = self.index.candidates(name, head).peekable();
        candidates.peek()?;
        let (links, root) = self.chain(arena, call, file);
        let from = self.origin(&links, root, file);
        let mut best = None;
        for entry in candidates {
            let row = self.rows.get(entry.row as usize)?;
            let way = row.shape.ways.get(entry.way as usize)?;
            // Most of those alike in name are of another language.
            if !file.reads(row.language) {
                continue;
            }
            let Some(weight) = way.fits(&links, matches!(root, Root::Path(_))) else { continue };
            if !ended(row, call)
                || !row.shape.params.as_ref().is_none_or(|p| pattern::arguments_fit(arena, p, &call.args))
                || !middle_fits(arena, row, way, &links, matches!(root, Root::Path(_)))
                || ((row.guess || row.is_bare(way, &name))
                    && row.role.destroys()
                    && self.harmless(arena, call, row, &links, root, file))
                || row.role.destroys() && way.open && receiver(arena, call).is_some_and(|r| self.gives_lines(arena, r))
                || row.guess && row.role == Role::Find && self.says_otherwise(row, &name)
            {
                continue;
            }
            let held = row.role.asks_collection() && receiver(arena, call).is_some_and(|r| in_memory(arena, r));
            let backing = if held { Some(Backing::Import) } else { self.backing(row, way, name, root, from, file) };
            let Some(backing) = backing else { continue };
            let named = pattern::named(row.shape.params.as_deref().unwrap_or_default(), &call.args);
            let backed = backing != Backing::Name && (backing == Backing::Origin || !row.guess);
            let asked = row.shape.params.iter().flatten().filter(|p| p.value.is_some()).count();
            let score = (!row.guess, backing, !way.open, asked, weight, named, Reverse(entry.row));
            if best.as_ref().is_none_or(|(s, _)| score > *s) {
                best = Some((score, Matched { row: RowId(entry.row), backed }));
            }
        }
        best.map(|b| b.1)
    }

    /// The names that lead to a call. Where the field it starts from has a type of a library, that is its origin.
    fn chain(&self, arena: &Arena, call: &Call, file: &FileContext) -> (Vec<Link>, Root) {
        if !file.fields.is_empty() {
            let fields: Vec<(Sym, Sym)> =
                file.fields.iter().filter(|f| self.known(f.1, file) || elsewhere(f.1, file)).copied().collect();
            let (links, root) = chain(arena, call, file, &fields);
            if matches!(root, Root::Path(p) if self.known(p, file)) || is_strange(&links, root, file) {
                return (links, root);
            }
        }
        chain(arena, call, file, &[])
    }

    /// Does a path lie in a library?
    fn known(&self, path: Sym, file: &FileContext) -> bool {
        self.modules(file).any(|modules| prefixes(path.as_str()).any(|m| modules.all.contains(m)))
    }

    /// Is a call by its name and origin the head of a chain that a row makes one call of?
    pub(super) fn heads(&self, arena: &Arena, call: &Call, file: &FileContext) -> bool {
        let Some(name) = called_name(arena, call) else { return false };
        let mut seen = None;
        self.index.candidates(name, self.index.roots(arena, call.callee)).any(|entry| {
            let Some(row) = self.rows.get(entry.row as usize).filter(|r| !r.built.is_empty()) else { return false };
            let Some(way) = row.shape.ways.get(entry.way as usize) else { return false };
            let (links, root) = seen.get_or_insert_with(|| self.chain(arena, call, file));
            file.reads(row.language)
                && way.fits(links, matches!(root, Root::Path(_))).is_some()
                && self.backing(row, way, name, *root, self.origin(links, *root, file), file).is_some()
        })
    }

    /// The value a row's binding stands for in a call. The receiver of a path (`os` of `os.remove`) is only found where
    /// it was written out or made by [`Vocab::receiver`].
    pub fn bound(&self, arena: &Arena, call: &Call, row: &Row, bind: Bind) -> Option<ExprId> {
        match bind {
            Bind::Receiver => receiver(arena, call),
            Bind::Call => arena.find(&Expr::Call(call.clone())),
            Bind::All => call.args.iter().find(|a| a.name.is_none()).map(|a| a.value),
            Bind::Arg(path) => {
                let mut parts = path.as_str().split('.').map(sym);
                let name = parts.next()?;
                // `input.LoadBalancerArn|LoadBalancerName`: whichever is given.
                let part = |v| {
                    let field = |v, f: Sym| f.split('|').find_map(|f| pattern::part(arena, v, sym(f)));
                    parts.clone().try_fold(v, field)
                };
                let own = row.shape.params.as_deref().unwrap_or_default();
                if path.contains('.') && own.iter().any(|p| p.rest && p.names.contains(&name)) {
                    return pattern::rest(own, &call.args, name).into_iter().find_map(part);
                }
                part(self.parameter(arena, call, row, name)?)
            }
        }
    }

    /// Every value a binding stands for: all positional arguments, or those of a `*rest`.
    pub fn bound_all(&self, arena: &Arena, call: &Call, row: &Row, bind: Bind) -> Vec<ExprId> {
        match bind {
            Bind::All => call.args.iter().filter(|a| a.name.is_none_or(|n| n == "*")).map(|a| a.value).collect(),
            Bind::Arg(name) => {
                let own = row.shape.params.as_deref().unwrap_or_default();
                if own.iter().any(|p| p.rest && p.names.contains(&name)) {
                    return pattern::rest(own, &call.args, name);
                }
                self.bound(arena, call, row, bind).into_iter().collect()
            }
            Bind::Receiver | Bind::Call => self.bound(arena, call, row, bind).into_iter().collect(),
        }
    }

    /// The receiver of a call, made where the callee is a path: `Job.objects` of `Job.objects.filter(..)`.
    pub fn receiver(&self, arena: &mut Arena, call: &Call) -> Option<ExprId> {
        match arena.get(call.callee) {
            Expr::Field(base, _) => Some(*base),
            Expr::Path(path) => {
                let (head, _) = path.as_str().rsplit_once('.')?;
                Some(arena.mk(Expr::Path(sym(head))))
            }
            Expr::Call(_) => named_at_runtime(arena, call.callee).map(|n| n.0),
            _ => None,
        }
    }

    /// The argument of a parameter: of the call itself, or of a call in the middle of the pattern.
    fn parameter(&self, arena: &Arena, call: &Call, row: &Row, name: Sym) -> Option<ExprId> {
        if let Some(own) = &row.shape.params
            && own.iter().any(|p| p.names.contains(&name))
        {
            return pattern::argument(own, &call.args, name);
        }
        let (links, root) = chain(arena, call, &FileContext::default(), &[]);
        let grounded = matches!(root, Root::Path(_));
        let ways = &row.shape.ways;
        // Where the head is a declared type, the calls behind it are those of the pattern all the same.
        let way = ways.iter().find(|w| w.fits(&links, grounded).is_some()).or(ways.first())?;
        let (params, at) = (pattern::middle(way, &links, grounded).into_iter())
            .find(|(params, _)| params.iter().any(|p| p.names.contains(&name)))?;
        pattern::argument(params, &arena.call_of(links.get(at)?.call?)?.args, name)
    }

    /// Ends like a look-up, and begins with a verb that changes something, or that asks for a yes or no where the row gives
    /// the thing itself: `CreateIfNotExists`, `IsMissingStatus`.
    fn says_otherwise(&self, row: &Row, name: &str) -> bool {
        let snake = super::load::snake(name);
        let first = snake.trim_start_matches('_').split('_').next().unwrap_or_default();
        let asks = self.speaks_of(Topic::YesNo, first);
        self.acts(name) || asks && row.absence != crate::vocab::Absence::False
    }

    /// Is it the pieces of a text, a list of this process: `out.readlines().remove(line)`?
    fn gives_lines(&self, arena: &Arena, e: ExprId) -> bool {
        let name = arena.call_of(e).and_then(|c| called_name(arena, c));
        name.is_some_and(|n| self.speaks_of(Topic::Lines, &n))
    }

    /// What a verb alone never destroys: what has a literal key, takes a handler, is visibly or by its name something in
    /// the memory of the process; and `should_delete_pod` asks.
    fn harmless(&self, arena: &Arena, call: &Call, row: &Row, links: &[Link], root: Root, file: &FileContext) -> bool {
        let name = links.first().map(|l| l.name).unwrap_or_default();
        if self.asks(name) || super::load::speaks(name, &self.words.harmless) {
            return true;
        }
        let memory = |name: &str| super::load::speaks(name, &self.words.memory);
        let local = match root {
            Root::Local(e) => local_name(arena, e, file),
            Root::Path(_) => None,
        };
        // What a call gives is another thing: `cache.client().delete_bucket(b)`.
        let near = links.iter().skip(1).take_while(|l| !l.called());
        // What a class inherits is nobody's else.
        let inherited = matches!(root, Root::Path(p) if p == "super");
        // `rdb.SRem("berths", berth)`: what a known library is told to destroy is the second.
        let told = row.target.filter(|_| !row.guess).and_then(|b| self.bound_all(arena, call, row, b).first().copied());
        // What is outside can be out of reach.
        let infallible = arena.site(call.site).unheeded;
        inherited || infallible || near.map(|l| l.name).chain(local).any(memory) || in_hand(arena, call, row, told)
    }

    /// Whose a chain is by where it starts.
    fn origin(&self, links: &[Link], root: Root, file: &FileContext) -> Option<Origin> {
        let Root::Path(path) = root else { return None };
        let of = |modules: &Modules| prefixes(path.as_str()).filter_map(|p| modules.destroying.get(p)).min().copied();
        let library = self.modules(file).filter_map(of).min().map(Origin::Library);
        library.or_else(|| (!self.known(path, file) && is_strange(links, root, file)).then_some(Origin::Stranger))
    }

    /// What libraries are imported as in the language of a file.
    fn modules(&self, file: &FileContext) -> impl Iterator<Item = &Modules> {
        self.index.modules.iter().filter(|(language, _)| file.reads(**language)).map(|(_, modules)| modules)
    }

    /// What stands behind a row's match; nothing where it may not match at all.
    fn backing(
        &self,
        row: &Row,
        way: &Way,
        name: Sym,
        root: Root,
        from: Option<Origin>,
        file: &FileContext,
    ) -> Option<Backing> {
        let library = self.libraries.get(row.library_at)?;
        let imports = &library.imports;
        if let Root::Path(path) = root
            && (!way.open || imports.iter().any(|i| starts(path.as_str(), i)))
        {
            return Some(Backing::Origin);
        }
        if row.origin {
            return None;
        }
        if imports.is_empty() {
            return Some(if row.guess { Backing::Name } else { Backing::General });
        }
        if from.is_some_and(|of| of != Origin::Library(row.library_at)) {
            return None;
        }
        let imported = imports.iter().any(|i| file.imports.speak_of(i));
        match (imported, row.guess) {
            (true, false) => Some(Backing::Import),
            (true, true) => Some(Backing::Name),
            (false, guess) => (!guess
                && !library.needs_import
                && !row.needs_import
                && way.specific(&name, row.language == Language::Go))
            .then_some(Backing::Name),
        }
    }
}

/// Is it a method of what another package declares, or a function of that package?
///
/// ```text
/// handle *cluster.Handle      handle.Delete(name)      handle.Clientset.CoreV1().Secrets(ns).Delete(name) is a library's
/// ```
fn is_strange(links: &[Link], root: Root, file: &FileContext) -> bool {
    let Root::Path(path) = root else { return false };
    elsewhere(path, file) && links.len() <= path.split('.').count() + 1
}

/// Is it declared in a package of Go that is named by its host?
fn elsewhere(path: Sym, file: &FileContext) -> bool {
    file.language == Some(Language::Go) && path.split('.').count() > 3
}

/// Has the chain that makes the call an end, where the row wants one?
fn ended(row: &Row, call: &Call) -> bool {
    row.built.is_empty() || call.args.iter().any(|a| a.name.is_some_and(|n| row.built.contains(&n)))
}

/// Does a dotted path lie in a module: `kubernetes.client` in `kubernetes`, `kubernetesx` not?
fn starts(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Are the calls in the middle given what the pattern asks for: `SubResource(kind='eviction').Create(pod)`? In Python
/// only how they end decides, for nobody lists every keyword.
fn middle_fits(arena: &Arena, row: &Row, way: &Way, links: &[Link], grounded: bool) -> bool {
    let fits = |(params, at): (&[Param], usize)| match links.get(at).and_then(|l| l.call).and_then(|c| arena.call_of(c))
    {
        Some(c) => pattern::arguments_fit(arena, params, &c.args),
        None => true,
    };
    row.language == Language::Python || pattern::middle(way, links, grounded).into_iter().all(fits)
}

/// A literal key, a handler, a collection that is visibly this process's.
fn in_hand(arena: &Arena, call: &Call, row: &Row, told: Option<ExprId>) -> bool {
    let handler = |a: &Arg| matches!(arena.get(a.value), Expr::Closure(_));
    let first = told.or(call.args.iter().find(|a| a.name.is_none()).map(|a| a.value));
    let asked = row.params().and_then(|p| p.first()).is_some_and(|p| p.value.is_some());
    let literal = !asked && first.is_some_and(|x| arena.as_str(x).is_some());
    // An object of a type of its own is no collection, though its fields are visible.
    let object = |r: ExprId| match arena.get(r) {
        Expr::Record(parts) => row.language == Language::Rust && parts.iter().any(|p| p.0 == "#is"),
        _ => false,
    };
    let memory = receiver(arena, call).is_some_and(|r| in_memory(arena, r) && !object(r));
    literal || memory || call.args.iter().any(handler)
}

/// Is the value visibly a collection of this process?
fn in_memory(arena: &Arena, e: ExprId) -> bool {
    match arena.get(e) {
        Expr::Lit(Lit::Empty) | Expr::Record(_) | Expr::Gather { .. } | Expr::One(_) => true,
        Expr::Binary(o, ..) => matches!(o, crate::ir::Bin::Union | crate::ir::Bin::Minus),
        _ => false,
    }
}

fn local_name(arena: &Arena, e: ExprId, file: &FileContext) -> Option<&'static str> {
    match arena.get(e) {
        Expr::Name(n) | Expr::Carried(n, _) => Some(n.as_str()),
        Expr::Param(i) => file.params.get(*i as usize).map(|p| p.0.as_str()),
        _ => None,
    }
}

/// `getattr(api, f"delete_namespaced_{kind}")(name, ns)`: the receiver, and the name as far as it is written out. What is
/// not stands as `%`, which only a glob matches.
fn named_at_runtime(arena: &Arena, callee: ExprId) -> Option<(ExprId, Sym)> {
    let inner = arena.call_of(callee)?;
    match (arena.get(inner.callee), inner.args.as_slice()) {
        (Expr::Path(p), [base, name, ..]) if *p == "getattr" => match arena.get(name.value) {
            Expr::Lit(Lit::Str(n)) => Some((base.value, *n)),
            Expr::Format(parts) => {
                let text: String = parts.iter().map(|p| arena.as_str(*p).unwrap_or("%")).collect();
                text.chars().any(|c| c.is_alphabetic()).then(|| (base.value, sym(&text)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The last name of what is called.
fn called_name(arena: &Arena, call: &Call) -> Option<Sym> {
    match arena.get(call.callee) {
        Expr::Call(_) => named_at_runtime(arena, call.callee).map(|n| n.1),
        Expr::Field(_, name) => Some(*name),
        Expr::Path(path) => Some(match path.as_str().rsplit_once('.') {
            Some((_, last)) => sym(last),
            None => *path,
        }),
        _ => None,
    }
}

fn receiver(arena: &Arena, call: &Call) -> Option<ExprId> {
    match arena.get(call.callee) {
        Expr::Field(base, _) => Some(*base),
        Expr::Path(path) => arena.find(&Expr::Path(sym(path.as_str().rsplit_once('.')?.0))),
        Expr::Call(_) => named_at_runtime(arena, call.callee).map(|n| n.0),
        _ => None,
    }
}

/// The names that lead to a call, from the called one back.
fn chain(arena: &Arena, call: &Call, file: &FileContext, fields: &[(Sym, Sym)]) -> (Vec<Link>, Root) {
    let mut walk = Chain { arena, file, fields, links: Vec::with_capacity(8), called: None };
    let start = match named_at_runtime(arena, call.callee) {
        Some((base, name)) => {
            walk.push(name.as_str());
            base
        }
        None => call.callee,
    };
    let root = walk.run(start);
    (walk.links, root)
}

/// No chain of real code is longer; made-up input may be.
const LONGEST: usize = 48;

struct Chain<'a> {
    arena: &'a Arena,
    file: &'a FileContext,
    /// Fields of the object itself whose types say where they come from.
    fields: &'a [(Sym, Sym)],
    links: Vec<Link>,
    called: Option<ExprId>,
}

impl Chain<'_> {
    fn run(&mut self, start: ExprId) -> Root {
        let mut e = start;
        for _ in 0..LONGEST {
            e = match self.arena.get(e) {
                Expr::Path(path) => return self.path(*path, false),
                Expr::Field(base, name) if self.own_type(*base, *name).is_some() => {
                    return self.typed(self.own_type(*base, *name), e);
                }
                Expr::Field(base, name) => {
                    // `#key` of an element: the element again, as far as names go.
                    if !name.starts_with('#') {
                        self.push(name.as_str());
                    }
                    *base
                }
                Expr::Call(c) => {
                    self.called = Some(e);
                    c.callee
                }
                Expr::Elem(b) => self.collection(*b),
                Expr::Gather { give, .. } => *give,
                Expr::Lookup(base, _) | Expr::One(base) => *base,
                Expr::Binary(crate::ir::Bin::Union | crate::ir::Bin::Minus, a, b) => self.better(*a, *b),
                Expr::Choose(_, a, b) => self.better(*a, *b),
                _ if self.links.len() == 1 && self.is_self(e) && !self.fields.is_empty() => {
                    return self.typed(self.own_type(e, sym("")), e);
                }
                Expr::Param(i) => return self.typed(self.file.params.get(*i as usize).and_then(|p| p.1), e),
                Expr::Name(n) => return self.typed(self.annotation(*n), e),
                _ => return Root::Local(e),
            };
        }
        Root::Local(e)
    }

    /// The type of a field of the object itself.
    fn own_type(&self, base: ExprId, name: Sym) -> Option<Sym> {
        let known = self.fields.iter().find(|f| f.0 == name).map(|f| f.1);
        known.filter(|_| self.is_self(base))
    }

    fn is_self(&self, e: ExprId) -> bool {
        let name = match self.arena.get(e) {
            Expr::Param(0) => self.file.params.first().map(|p| p.0),
            Expr::Name(n) => Some(*n),
            _ => None,
        };
        name.is_some_and(|n| n == "self")
    }

    fn collection(&self, b: BinderId) -> ExprId {
        self.arena.coll(b)
    }

    fn annotation(&self, name: Sym) -> Option<Sym> {
        self.file.params.iter().find(|p| p.0 == name).and_then(|p| p.1)
    }

    /// The side of a choice that has a name to follow.
    fn better(&self, a: ExprId, b: ExprId) -> ExprId {
        match self.arena.get(a) {
            Expr::Lit(_) | Expr::Unknown(_) | Expr::Carried(..) => b,
            _ => a,
        }
    }

    fn typed(&mut self, of: Option<Sym>, e: ExprId) -> Root {
        match of {
            Some(t) => self.path(t, true),
            None => Root::Local(e),
        }
    }

    fn path(&mut self, path: Sym, mut made: bool) -> Root {
        for part in path.as_str().rsplit('.') {
            self.push(part);
            if let Some(last) = self.links.last_mut() {
                last.made = std::mem::take(&mut made);
            }
        }
        Root::Path(path)
    }

    fn push(&mut self, name: &'static str) {
        self.links.push(Link { name, call: self.called.take(), made: false });
    }
}
