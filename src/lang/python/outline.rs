//! A file by its logical lines, without a parse: where its functions stand, and what is left without them.
//!
//! A parse costs a hundred times what this pass costs, so only what was asked for is parsed: each function alone, and
//! the *skeleton* of the file, which is everything that stands in no function.
//!
//! ```text
//! import os                                 skeleton
//! class Janitor:                            skeleton
//!     grace = 600                           skeleton
//!     @retry                                decorator of `sweep`
//!     def sweep(self, api): …               function `sweep` of `Janitor`, parsed alone where it is wanted
//! ```
//!
//! The pass also keeps damage small: no keyword that starts a definition can stand inside brackets, so a bracket left
//! open ends there and costs one function, not the rest of the file.

use std::ops::Range;

/// A function that stands in no other function.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Def {
    /// From `def` or `async` to the end of its last line.
    pub range: Range<usize>,
    /// Its name.
    pub name: Range<usize>,
    /// Its decorators, each from `@` to the end of its line.
    pub decorators: Vec<Range<usize>>,
    /// The class it is a method of, with the classes around that one: `Outer.Inner`.
    pub class: Option<String>,
}

/// The head of a class that stands in no function.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ClassHead {
    /// From `class` to the end of the name or of what it inherits from.
    pub range: Range<usize>,
    /// Its name, with the classes around it.
    pub name: String,
    /// The names it inherits from, as written.
    pub bases: Vec<String>,
}

/// What the pass finds.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// The functions, in order.
    pub defs: Vec<Def>,
    /// The classes, in order.
    pub classes: Vec<ClassHead>,
    /// Whole lines that belong to functions, decorators included: what the skeleton leaves out.
    pub bodies: Vec<Range<usize>>,
    /// Statements that import, at any depth.
    pub imports: Vec<Range<usize>>,
    /// Those of them that stand in no function or class: the names of the file.
    pub top_imports: Vec<Range<usize>>,
    /// Another import may share its line with what stands before it: `try: import json`.
    pub hidden_imports: bool,
    /// Type parameter lists, `[T: Base = int]`: no meaning here, and newer than the grammar in parts.
    pub generics: Vec<Range<usize>>,
}

/// A block that is open: the indentation of its head, and what it is.
struct Open {
    indent: usize,
    what: Head,
}

enum Head {
    Class(String),
    Def(usize),
}

/// One logical line.
struct Line {
    start: usize,
    text: usize,
    end: usize,
    indent: usize,
}

/// Reads a file.
pub(super) fn outline(text: &str) -> Outline {
    let mut out = Outline::default();
    let mut open: Vec<Open> = Vec::new();
    let mut decorators: Vec<Line> = Vec::new();
    let mut lines = Lines { bytes: text.as_bytes(), at: if text.starts_with('\u{feff}') { 3 } else { 0 } };
    while let Some(line) = lines.next_line() {
        while open.last().is_some_and(|o| line.indent <= o.indent) {
            open.pop();
        }
        let words = Words { text, at: line.text, end: line.end };
        let inside = open.iter().rev().find_map(|o| match o.what {
            Head::Def(index) => Some(index),
            Head::Class(_) => None,
        });
        if let Some(def) = inside {
            extend(&mut out, def, &line);
        }
        if open.is_empty() && !out.hidden_imports {
            out.hidden_imports = hides_import(text.get(line.text..line.end).unwrap_or_default());
        }
        statement(&mut out, &mut open, &mut decorators, inside.is_some(), line, words);
    }
    out
}

/// May an import stand behind a colon or semicolon of the line? Text that looks like it counts as well.
fn hides_import(line: &str) -> bool {
    line.match_indices([':', ';']).any(|(at, _)| {
        let rest = line.get(at + 1..).unwrap_or_default().trim_start();
        rest.starts_with("import") || rest.starts_with("from")
    })
}

/// A line of the body of a function.
fn extend(out: &mut Outline, def: usize, line: &Line) {
    if let Some(def) = out.defs.get_mut(def) {
        def.range.end = line.end;
    }
    if let Some(body) = out.bodies.last_mut() {
        body.end = line.end;
    }
}

fn statement(
    out: &mut Outline,
    open: &mut Vec<Open>,
    decorators: &mut Vec<Line>,
    inside: bool,
    line: Line,
    mut words: Words,
) {
    let first = words.word();
    match first {
        "@" if !inside => {
            decorators.push(line);
            return;
        }
        "import" | "from" => {
            out.imports.push(line.text..line.end);
            if open.is_empty() {
                out.top_imports.push(line.text..line.end);
            }
        }
        "type" => {
            words.word();
            out.generics.extend(words.generics());
        }
        "class" => {
            let name = words.name();
            out.generics.extend(words.generics());
            if !inside && let Some(name) = name {
                let own = words.text.get(name).unwrap_or_default();
                let name = class_of(open).map_or_else(|| own.to_string(), |outer| format!("{outer}.{own}"));
                let (mut end, mut bases) = (words.at, Vec::new());
                if let Some(list) = words.brackets() {
                    end = list.end;
                    bases = bases_in(words.text.get(list.start + 1..list.end - 1).unwrap_or_default());
                }
                out.classes.push(ClassHead { range: line.text..end, name: name.clone(), bases });
                open.push(Open { indent: line.indent, what: Head::Class(name) });
            }
        }
        "def" | "async" if first == "def" || words.word() == "def" => {
            let name = words.name();
            out.generics.extend(words.generics());
            if !inside && let Some(name) = name {
                let start = decorators.first().map_or(line.start, |d| d.start);
                out.bodies.push(start..line.end);
                out.defs.push(Def {
                    range: line.text..line.end,
                    name,
                    decorators: decorators.iter().map(|d| d.text..d.end).collect(),
                    class: class_of(open),
                });
                open.push(Open { indent: line.indent, what: Head::Def(out.defs.len() - 1) });
            }
        }
        _ => {}
    }
    decorators.clear();
}

/// The innermost open class.
fn class_of(open: &[Open]) -> Option<String> {
    open.iter().rev().find_map(|o| match &o.what {
        Head::Class(name) => Some(name.clone()),
        Head::Def(_) => None,
    })
}

/// The words at the head of a line.
struct Words<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Words<'a> {
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(..self.end)?.get(self.at).copied()
    }
    fn blanks(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\\' | b'\r' | b'\n' | 0x0c)) {
            self.at += 1;
        }
    }
    /// The next identifier or `@`; empty where something else stands.
    fn word(&mut self) -> &'a str {
        if self.byte() == Some(b'@') {
            self.at += 1;
            return "@";
        }
        self.name().and_then(|n| self.text.get(n)).unwrap_or_default()
    }
    fn name(&mut self) -> Option<Range<usize>> {
        self.blanks();
        let start = self.at;
        while self.byte().is_some_and(in_name) {
            self.at += 1;
        }
        (self.at > start).then_some(start..self.at)
    }
    /// `(…)` where it stands next; strings in it are taken for code.
    fn brackets(&mut self) -> Option<Range<usize>> {
        self.blanks();
        let (start, mut depth) = (self.at, 0usize);
        while let Some(byte) = self.byte() {
            self.at += 1;
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(start..self.at),
                b')' => depth -= 1,
                b'#' if depth > 0 => self.at += self.rest().find('\n').unwrap_or(0),
                _ if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }
    fn rest(&self) -> &'a str {
        self.text.get(self.at..self.end).unwrap_or_default()
    }
    /// `[…]` where it stands next. The brackets of a type parameter list hold no strings with brackets.
    fn generics(&mut self) -> Option<Range<usize>> {
        self.blanks();
        let (start, mut depth) = (self.at, 0usize);
        while let Some(byte) = self.byte() {
            match byte {
                b'[' => depth += 1,
                b']' if depth == 1 => {
                    self.at += 1;
                    return Some(start..self.at);
                }
                b']' => depth -= 1,
                _ if depth == 0 => return None,
                _ => {}
            }
            self.at += 1;
        }
        None
    }
}

/// The dotted names of a list of bases: `Base`, `db.Model`, and `Base` of `Base[T]`; nothing of `metaclass=Meta` or `f()`.
fn bases_in(list: &str) -> Vec<String> {
    let (mut depth, mut all, mut one) = (0usize, Vec::new(), String::new());
    for line in list.lines() {
        let code = line.split('#').next().unwrap_or_default();
        for c in code.chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            match c {
                ',' if depth == 0 => all.push(std::mem::take(&mut one)),
                _ => one.push(c),
            }
        }
    }
    all.push(one);
    let dotted = |name: &str| name.bytes().all(|b| in_name(b) || b == b'.') && !name.is_empty();
    let bases = all.iter().map(|one| one.trim()).map(|one| match one.split_once('[') {
        Some((head, rest)) if rest.find(']') == Some(rest.len() - 1) => head.trim(),
        _ => one,
    });
    bases.filter(|name| dotted(name)).map(str::to_string).collect()
}

fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Cuts a text into logical lines.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Lines<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    /// The next logical line that holds something other than a comment.
    fn next_line(&mut self) -> Option<Line> {
        loop {
            let start = self.at;
            let (text, indent) = self.indent(start);
            if text >= self.bytes.len() {
                return None;
            }
            self.at = text;
            match self.byte(text) {
                b'\n' | b'\r' => self.at += 1,
                b'#' => self.skip_comment(),
                _ => {
                    self.skip_statement();
                    return Some(Line { start, text, end: self.at, indent });
                }
            }
        }
    }

    /// The first byte of a line that is no blank, and its column.
    fn indent(&self, start: usize) -> (usize, usize) {
        let (mut at, mut column) = (start, 0);
        loop {
            match self.byte(at) {
                b' ' => column += 1,
                b'\t' => column = column / 8 * 8 + 8,
                0x0c => column = 0,
                _ => return (at, column),
            }
            at += 1;
        }
    }

    fn skip_comment(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
    }

    /// To the line break that ends the statement, which is passed.
    fn skip_statement(&mut self) {
        let mut depth = 0usize;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                b'"' | b'\'' => {
                    self.skip_string(byte);
                    continue;
                }
                b'#' => {
                    self.skip_comment();
                    continue;
                }
                b'\\' => self.at += if self.byte(self.at + 1) == b'\r' { 2 } else { 1 },
                b'\n' if depth == 0 || self.definition_follows() => {
                    self.at += 1;
                    return;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.bytes.len());
    }

    /// Does the line after this line break start with a definition? Then the brackets still open were never closed.
    fn definition_follows(&self) -> bool {
        let (at, _) = self.indent(self.at + 1);
        let rest = self.bytes.get(at..).unwrap_or_default();
        [&b"def "[..], b"class ", b"async def "].iter().any(|word| rest.starts_with(word))
    }

    /// Past a string literal. A short one ends at the line break at the latest.
    fn skip_string(&mut self, quote: u8) {
        let raw_length = if self.byte(self.at + 1) == quote && self.byte(self.at + 2) == quote { 3 } else { 1 };
        self.at += raw_length;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' if self.byte(self.at + 1) == b'\r' && self.byte(self.at + 2) == b'\n' => self.at += 3,
                b'\\' => self.at += 2,
                b'\n' if raw_length == 1 => return,
                _ if byte == quote && raw_length == 1 => {
                    self.at += 1;
                    return;
                }
                _ if byte == quote && self.byte(self.at + 1) == quote && self.byte(self.at + 2) == quote => {
                    self.at += 3;
                    return;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.bytes.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defs(text: &str) -> Vec<(String, Option<String>)> {
        let found = outline(text);
        found.defs.iter().map(|d| (text[d.range.clone()].to_string(), d.class.clone())).collect()
    }

    #[test]
    fn functions_end_with_their_last_line() {
        let text = "def f(a,\n      b):\n    x = '''\ndef g(): pass\n'''\n\n    # comment\n# another\n    return x\n\n\ny = 1\n";
        let found = defs(text);
        assert_eq!(found.len(), 1);
        assert!(found[0].0.ends_with("return x\n"));
    }

    #[test]
    fn methods_know_their_class() {
        let text = "class A:\n    class B:\n        def m(self): pass\n    async def n(self):\n        def inner(): pass\n\ndef f(): pass\n";
        let classes: Vec<_> = defs(text).into_iter().map(|d| d.1).collect();
        assert_eq!(classes, [Some("A.B".to_string()), Some("A".to_string()), None]);
    }

    #[test]
    fn imports_of_the_file_are_told_from_others() {
        let text = "import a\nif b:\n    from c import d\nclass E:\n    import f\ndef g():\n    import h\n";
        let found = outline(text);
        let top: Vec<_> = found.top_imports.iter().map(|i| text[i.clone()].trim()).collect();
        assert_eq!((top, found.imports.len()), (vec!["import a", "from c import d"], 4));
        assert!(!found.hidden_imports);
        for hidden in ["try: import a\nexcept E: pass\n", "import a; import b\n", "x = 1; from a import b\n"] {
            assert!(outline(hidden).hidden_imports, "{hidden}");
        }
    }

    #[test]
    fn bases_are_read_as_text() {
        let text =
            "class A(b.C, D[int], # (x\n        metaclass=M, *ms, f()):\n    class E: pass\nclass F[T](G):\n    pass\n";
        let found = outline(text);
        let heads: Vec<_> = found.classes.iter().map(|c| (c.name.as_str(), c.bases.join(" "))).collect();
        assert_eq!(heads, [("A", "b.C D".to_string()), ("A.E", String::new()), ("F", "G".to_string())]);
        assert!(text[found.classes[0].range.clone()].ends_with("f())"));
        assert_eq!(&text[found.classes[1].range.clone()], "class E");
    }

    #[test]
    fn an_open_bracket_costs_one_function() {
        let text = "def f():\n    x = g(1,\n\ndef h():\n    pass\n";
        assert_eq!(defs(text).len(), 2);
    }

    #[test]
    fn decorators_imports_and_type_parameters_are_found() {
        let text = "@a.b(\n  1)\n@c\ndef f[T: (int, str) = int](x: T):\n    from os import (\n        path,\n    )\n";
        let found = outline(text);
        assert_eq!(found.defs[0].decorators.len(), 2);
        assert_eq!(found.bodies.len(), 1);
        assert_eq!(found.bodies[0], 0..text.len());
        assert_eq!(found.imports.len(), 1);
        assert_eq!(&text[found.generics[0].clone()], "[T: (int, str) = int]");
    }
}
