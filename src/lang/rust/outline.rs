//! Cutting a file into its items without a parse.
//!
//! ```text
//! use crate::store::Rows;                        a use
//! impl Sweep for Reaper {                        what stands in it is of `Reaper`, which is a `Sweep`
//!     #[instrument]
//!     pub async fn sweep(&self) { .. }           a function: from its attribute to its brace
//! }
//! #[cfg(test)] mod tests { fn f() { .. } }       a function of a test
//! ```
//!
//! Functions inside functions are part of them; the methods of types inside functions are not. What a `macro_rules!` is made of is no code.

use super::lex::{Lexer, Tok};
use std::ops::Range;

/// A function.
#[derive(Clone, Debug)]
pub(super) struct FnPiece {
    /// From its first attribute to its brace.
    pub range: Range<usize>,
    /// The part that is parsed: without attributes.
    pub head: usize,
    /// Its name.
    pub name: Range<usize>,
    /// The type or trait it is a method of.
    pub class: Option<String>,
    /// The head of the `impl` around it.
    pub owner: Range<usize>,
    /// It is a test, or stands among tests.
    pub test: bool,
    /// Its attributes.
    pub attributes: Vec<Range<usize>>,
    /// It stands in what a macro is given, and may be no Rust.
    pub given: bool,
}

/// A struct, enum, union or trait.
#[derive(Clone, Debug)]
pub(super) struct TypeItem {
    /// Its name.
    pub name: Range<usize>,
    /// The whole item without attributes.
    pub range: Range<usize>,
    /// From its keyword to the end of its name.
    pub head: Range<usize>,
    /// It is a struct: its fields can be read.
    pub is_struct: bool,
    /// It stands in what a macro is given.
    pub given: bool,
}

/// The head of an `impl`.
#[derive(Clone, Debug)]
pub(super) struct ImplHead {
    /// The type, as written, without what it is generic over.
    pub of: String,
    /// The trait.
    pub base: Option<String>,
    /// From `impl` to its brace.
    pub head: Range<usize>,
}

/// A `const` or `static`.
#[derive(Clone, Debug)]
pub(super) struct ConstItem {
    /// The item without attributes and `pub`.
    pub range: Range<usize>,
    /// The type it stands in.
    pub class: Option<String>,
}

/// A `use`.
#[derive(Clone, Debug)]
pub(super) struct UseItem {
    /// From `use` to the semicolon.
    pub range: Range<usize>,
    /// It stands at the top of the file, in no module of it.
    pub top: bool,
    /// It stands in a function.
    pub inner: bool,
    /// The modules of the file that it stands in, dotted.
    pub inside: String,
}

/// What a file consists of.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub fns: Vec<FnPiece>,
    pub types: Vec<TypeItem>,
    pub impls: Vec<ImplHead>,
    pub consts: Vec<ConstItem>,
    pub uses: Vec<UseItem>,
    /// Modules declared at the top of the file.
    pub modules: Vec<String>,
}

/// What an open brace holds.
#[derive(Clone)]
struct Around {
    class: Option<String>,
    test: bool,
    top: bool,
    given: bool,
    /// The head of the `impl`.
    head: Range<usize>,
    /// The modules of the file around it, dotted.
    inside: String,
}

impl Around {
    fn file() -> Self {
        Around { class: None, test: false, top: true, given: false, head: 0..0, inside: String::new() }
    }
}

struct Scan<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    out: Outline,
    around: Vec<Around>,
    /// Where the item that is being read begins, and the part of it behind its attributes.
    start: Option<usize>,
    head: Option<usize>,
    attributes: Vec<Range<usize>>,
    test: bool,
    /// The last token.
    last: Tok,
}

/// Cuts a file.
pub(super) fn outline(text: &str) -> Outline {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut scan = Scan::at(text, start, Around::file());
    while let Some((tok, range)) = scan.lexer.next() {
        scan.token(tok, range);
        scan.last = tok;
    }
    scan.out
}

impl<'a> Scan<'a> {
    fn at(text: &'a str, start: usize, around: Around) -> Self {
        Scan {
            text,
            lexer: Lexer::new(text, start),
            out: Outline::default(),
            around: vec![around],
            start: None,
            head: None,
            attributes: Vec::new(),
            test: false,
            last: Tok::Mark(b';'),
        }
    }

    fn around(&self) -> Around {
        self.around.last().cloned().unwrap_or(Around::file())
    }

    fn word(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    fn item_ends(&mut self) {
        (self.start, self.head, self.test) = (None, None, false);
        self.attributes.clear();
    }

    fn token(&mut self, tok: Tok, range: Range<usize>) {
        match tok {
            Tok::Mark(b'#') => self.attribute(range.start),
            Tok::Open(b'{') => {
                let around = self.around();
                let given = around.given || matches!(self.last, Tok::Mark(b'!') | Tok::Word);
                self.around.push(Around { top: false, given, ..around });
                self.item_ends();
            }
            Tok::Close(b'}') => {
                if self.around.len() > 1 {
                    self.around.pop();
                }
                self.item_ends();
            }
            Tok::Mark(b';') => self.item_ends(),
            Tok::Open(_) => {
                self.lexer.past_group();
            }
            Tok::Word => {
                self.start = self.start.or(Some(range.start));
                self.head = self.head.or(Some(range.start));
                self.keyword(range);
            }
            _ => {}
        }
    }

    /// `#[test]`, `#[cfg(test)]`, `#![..]`
    fn attribute(&mut self, start: usize) {
        let inner = matches!(self.lexer.peek(), Some((Tok::Mark(b'!'), _)));
        if inner {
            self.lexer.next();
        }
        if !matches!(self.lexer.peek(), Some((Tok::Open(b'['), _))) {
            return;
        }
        self.lexer.next();
        let end = self.lexer.past_group();
        let test = is_test_attribute(self.text.get(start..end).unwrap_or_default());
        if inner {
            if let Some(around) = self.around.last_mut() {
                around.test |= test;
            }
            return;
        }
        self.start = self.start.or(Some(start));
        self.test |= test;
        self.attributes.push(start..end);
    }

    fn keyword(&mut self, range: Range<usize>) {
        match self.word(&range) {
            "fn" => self.function(),
            "impl" => self.implementation(range.start),
            "trait" => self.trait_(range),
            "mod" => self.module(),
            "struct" | "enum" => self.type_(range),
            "union" if matches!(self.lexer.peek(), Some((Tok::Word, _))) => self.type_(range),
            "use" => {
                let end = self.until_semicolon();
                let around = self.around();
                let range = range.start..end;
                self.out.uses.push(UseItem { range, top: around.top, inner: false, inside: around.inside });
                self.item_ends();
            }
            "const" | "static" => self.constant(range.start),
            "type" => {
                self.until_semicolon();
                self.item_ends();
            }
            "macro_rules" => self.macro_rules(),
            "extern" => {
                if let Some((Tok::Word, next)) = self.lexer.peek()
                    && self.word(&next) == "crate"
                {
                    self.until_semicolon();
                    self.item_ends();
                }
            }
            _ => {}
        }
    }

    fn macro_rules(&mut self) {
        while let Some((tok, _)) = self.lexer.next() {
            if let Tok::Open(_) = tok {
                self.lexer.past_group();
                break;
            }
            if tok == Tok::Mark(b';') {
                break;
            }
        }
        self.item_ends();
    }

    /// One past the next semicolon that stands in no bracket.
    fn until_semicolon(&mut self) -> usize {
        while let Some((tok, _)) = self.lexer.peek() {
            match tok {
                Tok::Close(_) => break,
                Tok::Open(_) => {
                    self.lexer.next();
                    self.lexer.past_group();
                }
                Tok::Mark(b';') => {
                    self.lexer.next();
                    break;
                }
                _ => {
                    self.lexer.next();
                }
            }
        }
        self.lexer.at()
    }

    /// Reads on to the brace of a body: where it stands. Nothing where the item has none.
    fn until_body(&mut self) -> Option<usize> {
        while let Some((tok, range)) = self.lexer.peek() {
            match tok {
                Tok::Open(b'{') => return Some(range.start),
                Tok::Close(_) => return None,
                Tok::Mark(b';') => {
                    self.lexer.next();
                    return None;
                }
                Tok::Open(_) => {
                    self.lexer.next();
                    self.lexer.past_group();
                }
                _ => {
                    self.lexer.next();
                }
            }
        }
        None
    }

    fn function(&mut self) {
        let Some((Tok::Word, name)) = self.lexer.peek() else { return };
        self.lexer.next();
        if self.until_body().is_none() {
            return self.item_ends();
        }
        self.lexer.next();
        let body = self.lexer.at();
        let end = self.lexer.past_group();
        let around = self.around();
        self.inner_uses(body..end);
        self.out.fns.push(FnPiece {
            range: self.start.unwrap_or(name.start)..end,
            head: self.head.unwrap_or(name.start),
            name,
            class: around.class,
            owner: around.head,
            test: around.test || self.test,
            attributes: std::mem::take(&mut self.attributes),
            given: around.given,
        });
        self.inner_types(body..end, around.test || self.test);
        self.item_ends();
    }

    /// Types inside a function, and their methods, stand for themselves.
    fn inner_types(&mut self, body: Range<usize>, test: bool) {
        let text = self.text.get(body.clone()).unwrap_or_default();
        let (inside, given) = (self.around().inside, self.around().given);
        let mut from = 0;
        for head in ["impl", "struct"].iter().flat_map(|word| memchr::memmem::find_iter(text.as_bytes(), word)) {
            let before = text.get(..head).unwrap_or_default().trim_end();
            if head < from || !(before.is_empty() || before.ends_with([';', '{', '}', ']'])) {
                continue;
            }
            let around = Around { top: false, test, given, inside: inside.clone(), ..Around::file() };
            let mut scan = Scan::at(self.text, body.start + head, around);
            scan.one_item(body.end);
            if !scan.out.impls.is_empty() {
                from = scan.lexer.at().saturating_sub(body.start);
            }
            self.out.fns.append(&mut scan.out.fns);
            self.out.types.append(&mut scan.out.types);
            self.out.impls.append(&mut scan.out.impls);
        }
    }

    /// Reads on to the end of an item that begins here.
    fn one_item(&mut self, end: usize) {
        let depth = self.around.len();
        while self.lexer.at() < end
            && let Some((tok, range)) = self.lexer.next()
        {
            self.token(tok, range);
            self.last = tok;
            let opened = !self.out.impls.is_empty() || !self.out.types.is_empty();
            if opened && self.around.len() == depth {
                break;
            }
        }
    }

    /// What functions import is known of the file, too.
    fn inner_uses(&mut self, body: Range<usize>) {
        let text = self.text.get(body.clone()).unwrap_or_default();
        let inside = self.around().inside;
        for found in memchr::memmem::find_iter(text.as_bytes(), b"use ") {
            let before = text.get(..found).unwrap_or_default().trim_end();
            let fresh = before.is_empty() || before.ends_with([';', '{', '}']);
            if fresh && let Some(length) = text.get(found..).and_then(|t| t.find(';')) {
                let start = body.start + found;
                let (range, inside) = (start..start + length + 1, inside.clone());
                self.out.uses.push(UseItem { range, top: false, inner: true, inside });
            }
        }
    }

    fn implementation(&mut self, start: usize) {
        let Some(brace) = self.until_body() else { return self.item_ends() };
        let head = self.text.get(start..brace).unwrap_or_default();
        let (base, of) = implemented(head);
        let test = self.around().test || self.test;
        let given = self.around().given;
        let class = Some(last_part(&of).to_string());
        let inside = self.around().inside;
        self.around.push(Around { class, test, top: false, given, head: start..brace, inside });
        self.out.impls.push(ImplHead { of, base, head: start..brace });
        self.lexer.next();
        self.item_ends();
    }

    fn trait_(&mut self, keyword: Range<usize>) {
        let Some((Tok::Word, name)) = self.lexer.peek() else { return };
        let item = self.head.unwrap_or(keyword.start);
        let Some(_) = self.until_body() else { return self.item_ends() };
        let class = Some(self.word(&name).to_string());
        let test = self.around().test || self.test;
        let given = self.around().given;
        let inside = self.around().inside;
        self.around.push(Around { class, test, top: false, given, head: 0..0, inside });
        let head = keyword.start..name.end;
        self.out.types.push(TypeItem { name, range: item..head.end, head, is_struct: false, given });
        self.lexer.next();
        self.item_ends();
    }

    fn module(&mut self) {
        let Some((Tok::Word, name)) = self.lexer.peek() else { return };
        let around = self.around();
        let name = self.word(&name).to_string();
        if around.top {
            self.out.modules.push(name.clone());
        }
        if self.until_body().is_some() {
            let test = around.test || self.test;
            let inside = super::uses::joined(&around.inside, &name);
            self.around.push(Around { class: None, test, top: false, inside, ..around });
            self.lexer.next();
        }
        self.item_ends();
    }

    fn type_(&mut self, keyword: Range<usize>) {
        let Some((Tok::Word, name)) = self.lexer.peek() else { return };
        let item = self.head.unwrap_or(keyword.start);
        if self.until_body().is_some() {
            self.lexer.next();
            self.lexer.past_group();
        }
        let is_struct = self.word(&keyword) == "struct";
        let head = keyword.start..name.end;
        let given = self.around().given;
        self.out.types.push(TypeItem { name, range: item..self.lexer.at(), head, is_struct, given });
        self.item_ends();
    }

    fn constant(&mut self, start: usize) {
        if let Some((Tok::Word, next)) = self.lexer.peek()
            && matches!(self.word(&next), "fn" | "unsafe" | "async" | "extern")
        {
            return;
        }
        let end = self.until_semicolon();
        let class = self.around().class;
        self.out.consts.push(ConstItem { range: start..end, class });
        self.item_ends();
    }
}

fn is_test_attribute(text: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|w| matches!(w, "test" | "rstest" | "test_case")) && !text.contains("not(test")
}

/// `Rows` of `store::Rows`.
pub(super) fn last_part(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The trait and the type of the head of an `impl`, both without what they are generic over.
fn implemented(head: &str) -> (Option<String>, String) {
    let (mut parts, mut depth) = (vec![String::new()], 0i32);
    let mut last = None;
    let mut skip = true;
    for (tok, range) in Lexer::new(head, "impl".len()) {
        let text = head.get(range).unwrap_or_default();
        match (tok, text) {
            (Tok::Mark(b'<'), _) => depth += 1,
            (Tok::Mark(b'>'), _) if last != Some(Tok::Mark(b'-')) => depth -= 1,
            _ if depth > 0 => {}
            (Tok::Word, "for") => parts.push(String::new()),
            (Tok::Word, "where") => break,
            (Tok::Word, "dyn" | "mut" | "const" | "unsafe") => {}
            (Tok::Word, name) => {
                skip = false;
                if let Some(part) = parts.last_mut() {
                    // `dyn A + B` is an `A`.
                    if part.is_empty() || part.ends_with("::") {
                        part.push_str(name);
                    }
                }
            }
            (Tok::Mark(b':'), _) if !skip => {
                if let Some(part) = parts.last_mut()
                    && last == Some(Tok::Mark(b':'))
                {
                    part.push_str("::");
                }
            }
            _ => {}
        }
        last = Some(tok);
    }
    let of = parts.pop().unwrap_or_default();
    (parts.pop().filter(|p| !p.is_empty()), of)
}
