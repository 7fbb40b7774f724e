//! What a field holds where every object of its type is written out with the same constant.
//!
//! ```text
//! const node = "bridge"                                     b.node is "bridge", whoever runs the program
//! func New(c *api.Client) *Bridge { return &Bridge{client: c, node: node} }
//! ```
//! So is what a flag of the command line is where nobody says otherwise.
//! A type of Python says so in its constructor. In Go and Rust the objects are found in the text, so that only what looks
//! like a constant is read.

use super::*;
use crate::ir::{Exit, Expr, ExprId, Lit, Place};
use crate::source::Language;

/// Where an object is written out: the file, and the text between its braces.
type Written = (FileId, Range<u32>);

/// All of one type.
pub(super) type Objects = Rc<[Written]>;

/// More objects of one type than this are not compared.
const MANY: usize = 16;

impl Project<'_> {
    /// The constant that a field is given wherever an object of the type is made.
    pub(super) fn written_constant(&self, file: FileId, class: u32, field: Sym) -> Option<(Arc<Summary>, ExprId)> {
        let objects = self.objects(file, class);
        if let Some(found) = self.written_place(&objects, field) {
            return Some(found);
        }
        let mut values = objects.iter().map(|(f, range)| field_value(self.text(*f, range), &field));
        let first = values.next()??;
        if !looks_constant(first) || !values.all(|v| v == Some(first)) {
            return None;
        }
        let (at, range) = objects.first()?;
        let found = if first.starts_with('"') {
            self.written_text(*at, range.start, field)?
        } else {
            match self.resolve_path(*at, &first.replace("::", "."), 3) {
                Resolved::Value(s, v) => (s, v),
                _ => return None,
            }
        };
        matches!(found.0.arena.get(found.1), Expr::Lit(Lit::Str(_))).then_some(found)
    }

    /// A folder that all programs of the host share, where the one object that is written out has it.
    ///
    /// ```text
    /// let root = std::env::temp_dir().join("loom"); Self { root }
    /// ```
    fn written_place(&self, objects: &[Written], field: Sym) -> Option<(Arc<Summary>, ExprId)> {
        let [(file, range)] = objects else { return None };
        let index = self.index(*file);
        let unit = index.enclosing(range.start).and_then(|i| index.unit(i))?;
        let around = self.text(*file, &index.defs.get(unit as usize)?.range);
        // Lowering a function for each field of an object takes long: a line must speak of the value and of such a folder.
        let value = field_value(self.text(*file, range), &field).unwrap_or(field.as_str());
        let places = |text: &str| self.vocab.places_of_host().iter().any(|name| text.contains(name.as_str()));
        if !places(value) && !around.lines().any(|line| line.contains(value) && places(line)) {
            return None;
        }
        let key = self.key(*file, unit);
        // What a test puts into an object, it made for itself.
        if self.in_test_file(key) {
            return None;
        }
        let entry = self.entry(key)?;
        let func = self.lowered(&entry, &mut Notes::default())?;
        let part = func.arena.ids().find_map(|e| match func.arena.get(e) {
            Expr::Record(parts) => parts.iter().find(|p| p.0 == field).map(|p| p.1),
            _ => None,
        })?;
        // Nothing else of the function is looked at: it may call what the field is asked for.
        let made = |n: Sym| {
            func.body.iter().find_map(|s| match s {
                Stmt::Let(Place::Name(own), value) if *own == n => Some(*value),
                _ => None,
            })
        };
        let value = match *func.arena.get(part) {
            Expr::Name(n) => made(n)?,
            _ => part,
        };
        let sum = self.summarize(&func, &vec![Stmt::Leave(Exit::Return(value))])?;
        let place = |e: ExprId| {
            let row = sum.arena.call_of(e).and_then(|c| sum.arena.site(c.site).row);
            row.is_some_and(|m| self.vocab.row(m.row).is_place_of_host())
        };
        let fixed = match sum.arena.get(sum.returns) {
            Expr::Format(parts) => parts.iter().all(|x| place(*x) || sum.arena.as_str(*x).is_some()),
            _ => place(sum.returns),
        };
        let returns = sum.returns;
        fixed.then_some((sum, returns))
    }

    /// A text that is written out in an object, as the function around it has it.
    fn written_text(&self, file: FileId, at: u32, field: Sym) -> Option<(Arc<Summary>, ExprId)> {
        let index = self.index(file);
        let unit = index.enclosing(at).and_then(|i| index.unit(i))?;
        let sum = self.full(self.key(file, unit))?;
        let part = sum.arena.ids().find_map(|e| match sum.arena.get(e) {
            Expr::Record(parts) => parts.iter().find(|p| p.0 == field).map(|p| p.1),
            _ => None,
        })?;
        Some((sum, part))
    }

    /// Where objects of a type are written out, in the files that may hold its methods.
    fn objects(&self, file: FileId, class: u32) -> Objects {
        if let Some(known) = self.looks.objects.borrow().get(&(file, class)) {
            return known.clone();
        }
        let found: Objects = self.objects_in_text(file, class).into();
        self.looks.objects.borrow_mut().insert((file, class), found.clone());
        found
    }

    fn objects_in_text(&self, file: FileId, class: u32) -> Vec<Written> {
        let rust = self.sources.get(file).language == Language::Rust;
        let name = self.def_name(file, class);
        let mut heads = vec![(name.to_owned() + if rust { " {" } else { "{" }, false)];
        if rust {
            heads.push(("Self {".to_owned(), true));
        }
        let mut out = vec![];
        for f in self.beside(file).iter().copied().filter(|f| *f == file || !self.is_test(*f)) {
            let text = &self.sources.get(f).text;
            for (head, own) in &heads {
                for at in memchr::memmem::find_iter(text.as_bytes(), head.as_bytes()) {
                    let open = at + head.len();
                    let method =
                        || self.owned_methods(file, class).iter().any(|(g, m)| *g == f && self.holds(f, *m, at));
                    if begins_object(text.get(..at).unwrap_or_default()) && (!own || method()) {
                        let end = text.get(open - 1..).and_then(fields::closing).map_or(open, |n| open - 1 + n - 1);
                        out.push((f, open as u32..end as u32));
                    }
                    if out.len() > MANY {
                        return vec![];
                    }
                }
            }
        }
        out
    }

    /// Is a flag of this name declared in the package with no value of its own, and not asked for?
    ///
    /// ```text
    /// Flags: []cli.Flag{&cli.DurationFlag{Name: "min-age"}}
    /// ```
    pub(super) fn declared_without_value(&self, file: FileId, name: &str) -> bool {
        let quoted = format!("\"{name}\"");
        let package = self.package(file);
        let mut declared = package.iter().flat_map(|f| {
            let text: &str = &self.sources.get(*f).text;
            let places = memchr::memmem::find_iter(text.as_bytes(), quoted.as_bytes());
            places.filter_map(|at| flag_around(text, at)).collect::<Vec<_>>()
        });
        let empty = |flag: &str| ["Value", "Required"].iter().all(|f| field_value(flag, f).is_none());
        declared.next().is_some_and(empty) && declared.all(empty)
    }

    fn holds(&self, file: FileId, def: u32, at: usize) -> bool {
        self.index(file).defs.get(def as usize).is_some_and(|d| d.range.contains(&(at as u32)))
    }
}

/// The text between the braces of the flag that is declared around a place.
fn flag_around(text: &str, at: usize) -> Option<&str> {
    let open = text.get(..at)?.rfind('{')?;
    let close = text.get(open..).and_then(fields::closing)?;
    let object = text.get(open + 1..open + close - 1)?;
    let named = field_value(object, "Name").is_some_and(|v| text.get(at..).is_some_and(|t| t.starts_with(v)));
    (named && text.get(..open)?.ends_with("Flag")).then_some(object)
}

/// May an object begin behind this text, rather than a type, a block or a longer name?
fn begins_object(before: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | ']');
    let line = before.rsplit('\n').next().unwrap_or_default();
    let other = ["struct ", "impl ", "for ", "enum ", "union ", "trait ", "-> ", "mod ", "> "]
        .iter()
        .any(|w| line.ends_with(w));
    !before.ends_with(word) && !other && !line.trim_start().starts_with("//")
}

/// What stands for a field between the braces of an object, other than inside a further one.
fn field_value<'t>(object: &'t str, field: &str) -> Option<&'t str> {
    let mut depth = 0;
    let mut begins = true;
    for (i, c) in object.char_indices() {
        if depth == 0 && begins && c.is_alphabetic() {
            begins = false;
            let value = object.get(i..)?.strip_prefix(field).and_then(|r| r.trim_start().strip_prefix(':'));
            if let Some(value) = value {
                return Some(unwrapped(value.split([',', '\n']).next()?.trim()));
            }
        }
        match c {
            '{' | '(' | '[' => depth += 1,
            '}' | ')' | ']' => depth -= 1,
            ',' | '\n' => begins = true,
            _ => {}
        }
    }
    None
}

/// The constant of `HALL.to_owned()`, `String::from(HALL)`.
fn unwrapped(value: &str) -> &str {
    let made = value.strip_prefix("String::from(").and_then(|v| v.strip_suffix(')')).unwrap_or(value);
    [".to_owned()", ".to_string()", ".into()"].iter().find_map(|end| made.strip_suffix(end)).unwrap_or(made)
}

/// A text, or the name of something at the top of a file.
fn looks_constant(value: &str) -> bool {
    let text = value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).is_some_and(|v| !v.contains('"'));
    let mut chars = value.chars();
    let name =
        chars.next().is_some_and(char::is_alphabetic) && chars.all(|c| c.is_alphanumeric() || c == '_' || c == ':');
    text || name && !matches!(value, "nil" | "true" | "false" | "None")
}
