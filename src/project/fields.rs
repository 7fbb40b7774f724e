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
            if w.assigned && self.filled_on_the_way(file, def, field.as_str()) {
                return SelfField::Filled;
            }
            let empty = || init.as_ref().is_none_or(|(s, v)| matches!(s.arena.get(*v), Expr::Lit(_) | Expr::Call(_)));
            return if w.grown && !w.assigned && empty() { SelfField::Registry } else { SelfField::Kept };
        }
        if w.emptied {
            return SelfField::Kept;
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
    fn filled_on_the_way(&self, file: FileId, class: u32, field: &str) -> bool {
        let index = self.index(file);
        let methods: Vec<_> = index.defs.iter().filter(|d| d.parent == Some(class)).collect();
        let named = |name: &str| methods.iter().position(|d| self.text(file, &d.name) == name);
        let texts: Vec<&str> = methods.iter().map(|d| self.text(file, &d.range)).collect();
        let sets = |text: &str| uses(text, field).any(|after| writes(after, self.vocab) == Some(How::Assigned));
        let constructor = |i: &usize| CONSTRUCTORS.contains(&self.text(file, &methods[*i].name));
        let mut writers = (0..methods.len()).filter(|i| !constructor(i) && sets(texts[*i])).peekable();
        writers.peek().is_some()
            && writers.all(|w| {
                let (mut todo, mut seen) = (vec![w], vec![false; methods.len()]);
                while let Some(i) = todo.pop() {
                    if i != w && uses(texts[i], field).next().is_some() {
                        return true;
                    }
                    for next in called(texts[i]).filter_map(named) {
                        if !std::mem::replace(&mut seen[next], true) {
                            todo.push(next);
                        }
                    }
                }
                false
            })
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
fn uses<'a>(text: &'a str, field: &'a str) -> impl Iterator<Item = &'a str> {
    let after = text.split("self.").skip(1).filter_map(move |rest| rest.strip_prefix(field));
    after.filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
}

/// What is named on the object itself: methods that are called or handed on among it.
fn called(text: &str) -> impl Iterator<Item = &str> {
    text.split("self.").skip(1).filter_map(|rest| {
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
    if let Some(call) = after.strip_prefix('.') {
        let end = call.find(|c: char| !c.is_alphanumeric() && c != '_')?;
        let (name, rest) = call.split_at(end);
        return (rest.starts_with('(') && vocab.mutator(sym(name)).is_some()).then_some(How::Grown);
    }
    let line = after.lines().next().unwrap_or_default();
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

/// Is it an empty collection that is assigned?
fn is_empty(value: &str) -> bool {
    let value = value.split('#').next().unwrap_or_default().trim();
    matches!(value, "{}" | "[]" | "set()" | "dict()" | "list()" | "deque()" | "OrderedDict()")
        || value.starts_with("defaultdict(")
        || value.starts_with("collections.")
}

/// Just past the bracket that closes the first one.
fn closing(s: &str) -> Option<usize> {
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
