//! What a field of `self` holds when a method is entered.
//!
//! ```text
//! class Janitor:
//!     def __init__(self, api=None):
//!         self.api = api or client.AppsV1Api()      api: a value, made once
//!         self.namespace = namespace                namespace: configured
//!         self.seen = set()                         seen: kept, for `run` adds to it
//! ```
//! The methods that write a field are found in the text of the class, so that only those matter that are read.

use super::*;
use crate::ir::{Expr, Lit};
use crate::source::Language;

/// How a class writes a field.
#[derive(Clone, Copy, Default)]
pub(super) struct Writers {
    constructor: bool,
    /// By assignment, outside the constructor, of anything but an empty collection.
    assigned: bool,
    /// By assignment of an empty one.
    emptied: bool,
    /// By a method that changes a collection, outside the constructor.
    grown: bool,
}

impl Project<'_> {
    pub(super) fn field_of(&self, class: ClassKey, field: Sym, hops: u32) -> SelfField {
        let Some((file, def)) = self.class_place(class) else { return SelfField::Unknown };
        if let Some(p) = self.property(class, field) {
            return SelfField::Property(p);
        }
        let w = self.writers(file, def, field);
        let init = if w.constructor { self.constructed(class, field) } else { None };
        let made = init.as_ref().is_some_and(|(s, v)| matches!(s.arena.get(*v), Expr::Call(_) | Expr::Choose(..)));
        if w.assigned || (w.grown && !made) {
            if w.assigned && self.filled_on_the_way(file, def, field) {
                return SelfField::Filled;
            }
            let empty = || init.as_ref().is_none_or(|(s, v)| matches!(s.arena.get(*v), Expr::Lit(_) | Expr::Call(_)));
            return if w.grown && !w.assigned && empty() { SelfField::Registry } else { SelfField::Kept };
        }
        if w.emptied {
            return SelfField::Kept;
        }
        if matches!(self.sources.get(file).language, Language::Go | Language::Rust) {
            return match self.written_constant(file, def, field) {
                Some((s, v)) => SelfField::Value(s, v),
                None => SelfField::Configured,
            };
        }
        if w.constructor {
            return match init {
                Some((s, v)) => match s.arena.get(v) {
                    Expr::Param(_) | Expr::Unknown(_) => SelfField::Configured,
                    Expr::Lit(Lit::Nothing) => SelfField::Configured,
                    _ => SelfField::Value(s, v),
                },
                None => SelfField::Configured,
            };
        }
        if let Some(body) = self.top(file, Some(sym(self.def_name(file, def))))
            && let Some((_, v)) = body.globals.iter().find(|g| g.0 == field)
        {
            // `name = Column(String)` declares what its instances hold; the call is not what they hold.
            let declared = matches!(body.arena.get(*v), Expr::Call(_));
            return if declared { SelfField::Unknown } else { SelfField::Value(body.clone(), *v) };
        }
        if hops == 0 {
            return SelfField::Unknown;
        }
        for b in self.bases(file, def).iter() {
            match self.field_of(*b, field, hops - 1) {
                SelfField::Unknown => {}
                known => return known,
            }
        }
        SelfField::Unknown
    }

    /// Do the methods that set a field go on to call those that look into it?
    ///
    /// ```text
    /// def sync(self): self.found = discover(); self._tidy()        _tidy looks into self.found
    /// ```
    pub(super) fn find_filled(&self, file: FileId, class: u32, field: &str) -> bool {
        let inside = (0..).zip(&self.index(file).defs).filter(|(_, d)| d.parent == Some(class)).map(|(i, _)| (file, i));
        let methods: Vec<(FileId, u32)> = inside.chain(self.owned_methods(file, class)).collect();
        let names: Vec<&str> = methods.iter().map(|(f, m)| self.def_name(*f, *m)).collect();
        let named = |name: &str| names.iter().position(|n| *n == name);
        let texts: Vec<(&str, &str)> = methods.iter().map(|(f, m)| self.own_name(*f, *m)).collect();
        let sets = |(own, text): (&str, &str)| {
            uses(text, own, field).any(|after| writes(after, self.vocab) == Some(How::Assigned))
        };
        let constructor = |i: &usize| CONSTRUCTORS.contains(&names[*i]);
        let mut writers = (0..methods.len()).filter(|i| !constructor(i) && sets(texts[*i])).peekable();
        writers.peek().is_some()
            && writers.all(|w| {
                let (mut todo, mut seen) = (vec![w], vec![false; methods.len()]);
                while let Some(i) = todo.pop() {
                    let (own, text) = texts[i];
                    if i != w && uses(text, own, field).next().is_some() {
                        return true;
                    }
                    for next in called(text, own).filter_map(named) {
                        if !std::mem::replace(&mut seen[next], true) {
                            todo.push(next);
                        }
                    }
                }
                false
            })
    }

    /// The fields that are asked by the methods that put something into one, and by those that call these.
    ///
    /// ```text
    /// fn spare(&self, names) { self.loose.extend(names) }
    /// fn part(&self, leaf) { self.spare(self.shelves.remove(leaf).names()) }        loose: from shelves
    /// ```
    pub(super) fn find_fed_from(&self, file: FileId, class: u32, (field, except): (&str, &str)) -> Vec<Sym> {
        let inside = (0..).zip(&self.index(file).defs).filter(|(_, d)| d.parent == Some(class)).map(|(i, _)| (file, i));
        let methods: Vec<(FileId, u32)> = inside.chain(self.owned_methods(file, class)).collect();
        let methods = methods.into_iter().filter(|(f, m)| self.def_name(*f, *m) != except);
        let texts: Vec<(&str, (&str, &str))> =
            methods.map(|(f, m)| (self.def_name(f, m), self.own_name(f, m))).collect();
        let puts = |(own, text): (&str, &str)| uses(text, own, field).any(|after| writes(after, self.vocab).is_some());
        let putting: Vec<&str> = texts.iter().filter(|(_, t)| puts(*t)).map(|(name, _)| *name).collect();
        let feeds = |(name, (own, text)): &&(&str, (&str, &str))| {
            putting.contains(name) || called(text, own).any(|c| putting.contains(&c))
        };
        let mut from: Vec<Sym> = texts
            .iter()
            .filter(feeds)
            .flat_map(|(_, (own, text))| called(text, own))
            .filter(|n| *n != field && !n.is_empty() && !texts.iter().any(|(name, _)| name == n))
            .map(sym)
            .collect();
        from.sort_by_key(|n| n.as_str());
        from.dedup();
        from
    }

    fn property(&self, class: ClassKey, field: Sym) -> Option<FuncKey> {
        let key = self.method_of(class, field.as_str(), 4)?;
        let (file, def) = self.place(key)?;
        let range = self.index(file).defs.get(def as usize)?.decorators.clone();
        self.text(file, &range).contains("property").then_some(key)
    }

    /// The value the constructor leaves in a field.
    fn constructed(&self, class: ClassKey, field: Sym) -> Option<(Arc<Summary>, crate::ir::ExprId)> {
        let init = self.method_of(class, "__init__", 4)?;
        let s = self.full(init)?;
        let own = s.arena.param(0)?;
        let v = s.writes.iter().find(|w| w.0 == own && w.1 == field)?.2;
        Some((s, v))
    }

    fn writers(&self, file: FileId, class: u32, field: Sym) -> Writers {
        let at = (file, class, field);
        if let Some(known) = self.looks.writers.borrow().get(&at) {
            return *known;
        }
        let found = self.writers_in_text(file, class, field.as_str());
        self.looks.writers.borrow_mut().insert(at, found);
        found
    }

    fn writers_in_text(&self, file: FileId, class: u32, field: &str) -> Writers {
        let mut out = Writers::default();
        for (f, method) in self.owned_methods(file, class) {
            let (own, text) = self.own_name(f, method);
            for how in uses(text, own, field).filter_map(|after| writes(after, self.vocab)) {
                match how {
                    How::Assigned => out.assigned = true,
                    How::Emptied => out.emptied = true,
                    How::Grown => out.grown = true,
                }
            }
        }
        let index = self.index(file);
        let Some(d) = index.defs.get(class as usize) else { return out };
        let text = self.text(file, &d.range);
        let needle = format!("self.{field}");
        for at in memchr::memmem::find_iter(text.as_bytes(), needle.as_bytes()) {
            let after = text.get(at + needle.len()..).unwrap_or_default();
            let Some(how) = writes(after, self.vocab) else { continue };
            let offset = d.range.start + at as u32;
            let unit = index.enclosing(offset).and_then(|i| index.unit(i));
            match unit.map(|u| self.def_name(file, u)) {
                Some(name) if CONSTRUCTORS.contains(&name) => {
                    out.constructor |= how != How::Grown;
                }
                _ if how == How::Assigned => out.assigned = true,
                _ if how == How::Emptied => out.emptied = true,
                _ => out.grown = true,
            }
        }
        out
    }
}

/// Methods that make an object.
const CONSTRUCTORS: [&str; 5] = ["__init__", "__post_init__", "setUp", "__new__", "__attrs_post_init__"];

/// What stands behind each mention of a field of the object itself.
fn uses<'a>(text: &'a str, own: &'a str, field: &'a str) -> impl Iterator<Item = &'a str> {
    let needle = memchr::memmem::Finder::new(&format!("{own}.{field}")).into_owned();
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(at) = needle.find(text.as_bytes().get(from..)?).filter(|_| !own.is_empty()) {
            let begins = stands_alone(text, from + at);
            from += at + needle.needle().len();
            let rest = text.get(from..)?;
            if begins && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                return Some(rest);
            }
        }
        None
    })
}

/// Does a name begin here, rather than go on?
fn stands_alone(text: &str, at: usize) -> bool {
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.')
}

/// What stands behind each `self.`, by whatever name the object goes.
fn members<'a>(text: &'a str, own: &'a str) -> impl Iterator<Item = &'a str> {
    let named = move |at: &usize| !own.is_empty() && stands_alone(text, *at);
    let places = text.match_indices(own).map(|(at, _)| at).filter(named);
    places.filter_map(move |at| text.get(at + own.len()..)?.strip_prefix('.'))
}

/// What is named on the object itself: methods that are called or handed on among it.
fn called<'a>(text: &'a str, own: &'a str) -> impl Iterator<Item = &'a str> {
    members(text, own).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest.get(..end)
    })
}

#[derive(PartialEq)]
enum How {
    Assigned,
    Emptied,
    Grown,
}

/// Does the text behind `self.f` write it?
fn writes(after: &str, vocab: &Vocab) -> Option<How> {
    let first = after.chars().next()?;
    if first.is_alphanumeric() || first == '_' {
        return None;
    }
    let line = after.lines().next().unwrap_or_default();
    if after.starts_with('.') {
        return chained(line).any(|name| vocab.changes(sym(name))).then_some(How::Grown);
    }
    let (mut rest, mut entry) = (line.trim_start(), false);
    if rest.starts_with('[') {
        let close = closing(rest)?;
        rest = rest.get(close..)?.trim_start();
        entry = true;
    }
    if let Some(r) = rest.strip_prefix(':') {
        rest = r.split_once('=').map_or("", |_| "=x");
    }
    let op = rest.trim_start_matches(['+', '-', '|', '&']);
    let assigns = op.starts_with('=') && !op.starts_with("==");
    match (assigns, entry) {
        (true, true) => Some(How::Grown),
        (true, false) if is_empty(op.trim_start_matches('=')) => Some(How::Emptied),
        (true, false) => Some(How::Assigned),
        _ => None,
    }
}

/// The calls of a chain: `lock`, `unwrap` and `insert` of `.lock().unwrap().insert(x)`.
fn chained(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let call = rest.strip_prefix('.')?;
        let end = call.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let (name, after) = call.split_at(end);
        if !after.starts_with('(') {
            return None;
        }
        rest = closing(after).and_then(|close| after.get(close..)).unwrap_or_default();
        Some(name)
    })
}

/// Is it an empty collection that is assigned?
fn is_empty(value: &str) -> bool {
    let value = value.split('#').next().unwrap_or_default().trim();
    matches!(value, "{}" | "[]" | "set()" | "dict()" | "list()" | "deque()" | "OrderedDict()" | "nil")
        || value.starts_with("make(")
        || ["::new();", "::default();", "{}"].iter().any(|end| value.ends_with(end)) && !value.contains("..")
        || value.starts_with("defaultdict(")
        || value.starts_with("collections.")
}

/// Just past the bracket that closes the first one.
pub(super) fn closing(s: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in s.char_indices() {
        match c {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(i + c.len_utf8());
        }
    }
    None
}
