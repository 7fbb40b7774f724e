//! A file by its declarations, without a parse: where its functions stand, and what is left without them.
//!
//! ```text
//! package gc                                   (nothing)
//! import "os"                                  an import, read as text
//! const label = "lab/owner"                    a constant, read as text
//! type Reaper struct { client.Client; n int }  a class with the base `client.Client`
//! func (r *Reaper) Sweep() { … }               function `Sweep` of `Reaper`, parsed alone where it is wanted
//! ```
//!
//! Strings and comments are known, and which brace closes which. Damage stays small: `func` at the very start of a line
//! begins a declaration, whatever is open before it.

use std::ops::Range;

/// A function at the top of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Def {
    /// From `func` to the brace that closes its body.
    pub range: Range<usize>,
    /// Its name.
    pub name: Range<usize>,
    /// The type it is a method of.
    pub class: Option<String>,
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TypeHead {
    /// Its name.
    pub name: String,
    /// Name and kind: `Reaper struct`.
    pub range: Range<usize>,
    /// What it embeds, as written, without `*` and type arguments.
    pub bases: Vec<String>,
    /// The names of its fields in order, those of what it embeds among them.
    pub fields: Vec<String>,
    /// The fields whose type has a name, with that name as written; without pointers, slices and type arguments.
    pub typed: Vec<(String, String)>,
}

/// What the text of a file says.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    /// Its functions in order.
    pub defs: Vec<Def>,
    /// Its types in order.
    pub types: Vec<TypeHead>,
    /// Its import declarations.
    pub imports: Vec<Range<usize>>,
    /// Its constants with the text they stand for.
    pub consts: Vec<(String, String)>,
    /// Its declarations of variables and constants.
    pub values: Vec<Range<usize>>,
    /// What begins like a function and has no name.
    pub broken: Vec<Range<usize>>,
}

/// A token of the text.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Token {
    Word,
    Text,
    /// End of a line.
    Line,
    /// A byte of punctuation.
    Mark(u8),
}

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
}

impl Lexer<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// The next token with its range. Comments are no tokens; one of several lines ends a line.
    fn next(&mut self) -> Option<(Token, Range<usize>)> {
        loop {
            let start = self.at;
            let b = *self.text.get(start)?;
            self.at += 1;
            let token = match b {
                b' ' | b'\t' | b'\r' => continue,
                b'\n' => Token::Line,
                b'/' if self.byte(self.at) == b'/' => {
                    self.past(|b| b == b'\n');
                    continue;
                }
                b'/' if self.byte(self.at) == b'*' => {
                    let rest = self.text.get(self.at + 1..).unwrap_or_default();
                    let end = rest.windows(2).position(|w| w == b"*/").map_or(self.text.len(), |p| self.at + p + 3);
                    self.at = end.min(self.text.len());
                    if !self.text.get(start..self.at).unwrap_or_default().contains(&b'\n') {
                        continue;
                    }
                    Token::Line
                }
                b'"' | b'\'' => {
                    self.quoted(b);
                    Token::Text
                }
                b'`' => {
                    self.past(|b| b == b'`');
                    self.at = (self.at + 1).min(self.text.len());
                    Token::Text
                }
                b if is_word(b) => {
                    self.past(|b| !is_word(b));
                    Token::Word
                }
                b => Token::Mark(b),
            };
            return Some((token, start..self.at));
        }
    }

    fn past(&mut self, stop: impl Fn(u8) -> bool) {
        while self.text.get(self.at).is_some_and(|b| !stop(*b)) {
            self.at += 1;
        }
    }

    /// A string in quotes ends with its line at the latest.
    fn quoted(&mut self, quote: u8) {
        while let Some(b) = self.text.get(self.at) {
            match b {
                b'\\' => self.at += 2,
                b'\n' => break,
                b if *b == quote => {
                    self.at += 1;
                    break;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.text.len());
    }
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80
}

/// Goes through a file.
pub(super) fn outline(text: &str) -> Outline {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut reader =
        Reader { text, lexer: Lexer { text: text.as_bytes(), at: start }, out: Outline::default(), peeked: None };
    reader.run();
    reader.out
}

/// What the lines of a type's body say.
#[derive(Default)]
struct Members {
    bases: Vec<String>,
    fields: Vec<String>,
    typed: Vec<(String, String)>,
}

struct Reader<'a> {
    text: &'a str,
    lexer: Lexer<'a>,
    out: Outline,
    peeked: Option<(Token, Range<usize>)>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<(Token, Range<usize>)> {
        self.peeked.take().or_else(|| self.lexer.next())
    }
    fn word(&self, range: &Range<usize>) -> &'a str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    fn run(&mut self) {
        let mut fresh = true;
        while let Some((token, range)) = self.next() {
            match (token, self.word(&range)) {
                (Token::Word, "func") if fresh => self.func(range),
                (Token::Word, "import") if fresh => {
                    let end = self.declaration();
                    self.out.imports.push(range.start..end);
                }
                (Token::Word, "const") if fresh => {
                    self.group(|reader, name| reader.constant(name));
                    self.out.values.push(range.start..self.end());
                }
                (Token::Word, "type") if fresh => self.group(|reader, name| reader.type_(name)),
                (Token::Word, "var") if fresh => {
                    let end = self.declaration();
                    self.out.values.push(range.start..end);
                }
                (Token::Line | Token::Mark(b';'), _) => {
                    fresh = true;
                    continue;
                }
                _ => {}
            }
            fresh = false;
        }
    }

    /// Where what was read so far ends.
    fn end(&self) -> usize {
        self.peeked.as_ref().map_or(self.lexer.at, |(_, range)| range.start)
    }

    /// Is it `func` in the first column, where no expression begins?
    fn restarts(&self, range: &Range<usize>) -> bool {
        let first = range.start == 0 || self.lexer.byte(range.start - 1) == b'\n';
        first && self.word(range) == "func"
    }

    /// Goes to the end of a declaration: a line that ends outside of all brackets. Gives where that is.
    fn declaration(&mut self) -> usize {
        let mut depth = 0usize;
        let mut end = self.lexer.at;
        while let Some((token, range)) = self.next() {
            match token {
                Token::Mark(b'{' | b'(' | b'[') => depth += 1,
                Token::Mark(b'}' | b')' | b']') => depth = depth.saturating_sub(1),
                Token::Line | Token::Mark(b';') if depth == 0 => {
                    self.peeked = Some((token, range));
                    break;
                }
                Token::Word if self.restarts(&range) => {
                    self.peeked = Some((token, range));
                    self.lexer_line();
                    break;
                }
                _ => {}
            }
            end = self.lexer.at;
        }
        end
    }

    /// What was peeked begins a line.
    fn lexer_line(&mut self) {
        if let Some((_, range)) = self.peeked.take() {
            self.lexer.at = range.start;
            self.peeked = Some((Token::Line, range.start..range.start));
        }
    }

    /// `func (r *T[P]) name[P any](a int) (b, error) { … }`
    fn func(&mut self, start: Range<usize>) {
        let mut def = Def { range: start, name: 0..0, class: None };
        let mut last_word = "";
        let mut depth = 0usize;
        let mut square = 0usize;
        let mut named = false;
        let mut body = None;
        while let Some((token, range)) = self.next() {
            match token {
                Token::Word if self.restarts(&range) => {
                    self.peeked = Some((token, range));
                    self.lexer_line();
                    break;
                }
                Token::Word if depth == 0 && !named => (named, def.name) = (true, range.clone()),
                Token::Word if depth == 1 && !named && square == 0 => def.class = Some(self.word(&range).to_string()),
                Token::Mark(b'[') if depth == 1 && !named => square += 1,
                Token::Mark(b']') if depth == 1 && !named => square = square.saturating_sub(1),
                Token::Mark(b'{') if depth == 0 && body.is_none() && !matches!(last_word, "interface" | "struct") => {
                    (body, depth) = (Some(()), 1);
                }
                Token::Mark(b'{' | b'(' | b'[') => depth += 1,
                Token::Mark(b'}') if depth <= 1 && body.is_some() => {
                    def.range.end = range.end;
                    break;
                }
                Token::Mark(b'}' | b')' | b']') => depth = depth.saturating_sub(1),
                Token::Line if depth == 0 && body.is_none() => {
                    self.peeked = Some((token, range));
                    break;
                }
                _ => {}
            }
            if token != Token::Line {
                last_word = if token == Token::Word { self.word(&range) } else { "" };
                def.range.end = range.end;
            }
        }
        match named {
            true => self.out.defs.push(def),
            false => self.out.broken.push(def.range),
        }
    }

    /// `const x = 1`, `const ( x = 1 … )`: reads what follows each name.
    fn group(&mut self, mut read: impl FnMut(&mut Self, Range<usize>)) {
        let mut grouped = false;
        while let Some((token, range)) = self.next() {
            match token {
                Token::Mark(b'(') if !grouped => grouped = true,
                Token::Mark(b')') if grouped => return,
                Token::Word if self.restarts(&range) => {
                    self.peeked = Some((token, range));
                    return self.lexer_line();
                }
                Token::Word => {
                    read(self, range);
                    if !grouped {
                        return;
                    }
                }
                Token::Line if !grouped => {
                    self.peeked = Some((token, range));
                    return;
                }
                _ => {}
            }
        }
    }

    /// Up to the end of an entry of a group; gives its tokens.
    fn entry(&mut self) -> Vec<(Token, Range<usize>)> {
        let (mut depth, mut tokens) = (0usize, Vec::new());
        while let Some((token, range)) = self.next() {
            let ends = match token {
                Token::Mark(b'{' | b'(' | b'[') => {
                    depth += 1;
                    false
                }
                Token::Mark(b'}' | b')' | b']') if depth == 0 => true,
                Token::Mark(b'}' | b')' | b']') => {
                    depth -= 1;
                    false
                }
                Token::Line | Token::Mark(b';') => depth == 0,
                Token::Word => self.restarts(&range),
                _ => false,
            };
            if ends {
                let restarts = token == Token::Word;
                self.peeked = Some((token, range));
                if restarts {
                    self.lexer_line();
                }
                break;
            }
            tokens.push((token, range));
        }
        tokens
    }

    /// `name = "text"`, `name Type = "text"`
    fn constant(&mut self, name: Range<usize>) {
        let tokens = self.entry();
        let plain = |t: &(Token, Range<usize>)| matches!(t.0, Token::Word | Token::Mark(b'.'));
        let Some(at) = tokens.iter().position(|t| t.0 == Token::Mark(b'=')) else { return };
        let (before, after) = tokens.split_at(at);
        if let [_, (Token::Text, text)] = after
            && before.iter().all(plain)
            && let Some(text) = unquoted(self.word(text))
        {
            self.out.consts.push((self.word(&name).to_string(), text));
        }
    }

    /// `Name struct { … }`, `Name[T any] interface { … }`, `Name = other.Name`
    fn type_(&mut self, name: Range<usize>) {
        let tokens = self.entry();
        let mut rest = tokens.as_slice();
        if let Some(((Token::Mark(b'['), _), _)) = rest.split_first()
            && tokens.get(1).is_some_and(|t| t.0 == Token::Word)
        {
            rest = rest.get(closing(rest)..).unwrap_or_default();
        }
        let alias = rest.first().is_some_and(|t| t.0 == Token::Mark(b'='));
        let body = if alias { rest.get(1..).unwrap_or_default() } else { rest };
        let head = body.first().map(|t| self.word(&t.1)).unwrap_or_default();
        let mut head_end = name.end;
        let members = match head {
            "struct" | "interface" => {
                head_end = body.first().map_or(head_end, |t| t.1.end);
                self.members(body.get(1..).unwrap_or_default())
            }
            _ => Members { bases: self.dotted(body).into_iter().collect(), ..Members::default() },
        };
        let range = name.start..head_end;
        let typed = if head == "struct" { members.typed } else { Vec::new() };
        let Members { bases, fields, .. } = members;
        self.out.types.push(TypeHead { name: self.word(&name).to_string(), range, bases, fields, typed });
    }

    /// The lines of a body: those that are a type alone, and the names of all.
    fn members(&self, body: &[(Token, Range<usize>)]) -> Members {
        let inside = match body {
            [(Token::Mark(b'{'), _), inside @ .., (Token::Mark(b'}'), _)] => inside,
            _ => return Default::default(),
        };
        let (mut depth, mut line) = (0usize, Vec::new());
        let Members { mut bases, mut fields, mut typed } = Members::default();
        for token in inside.iter().cloned().chain([(Token::Line, 0..0)]) {
            match token.0 {
                Token::Mark(b'{' | b'(' | b'[') => depth += 1,
                Token::Mark(b'}' | b')' | b']') => depth = depth.saturating_sub(1),
                Token::Line | Token::Mark(b';') if depth == 0 => {
                    if let Some((Token::Text, _)) = line.last() {
                        line.pop();
                    }
                    match self.dotted(&line) {
                        Some(base) => {
                            fields.push(base.rsplit('.').next().unwrap_or_default().to_string());
                            bases.push(base);
                        }
                        None => {
                            let names = self.field_names(&line);
                            if let Some(ty) = self.type_after(&line, names.len()) {
                                typed.extend(names.iter().map(|name| (name.clone(), ty.clone())));
                            }
                            fields.extend(names);
                        }
                    }
                    line.clear();
                    continue;
                }
                _ => {}
            }
            line.push(token);
        }
        Members { bases, fields, typed }
    }

    /// The name of the type that stands after the names of a line: `a, b []*pkg.T` is of `pkg.T`.
    fn type_after(&self, line: &[(Token, Range<usize>)], names: usize) -> Option<String> {
        let mut rest = line.get((2 * names).saturating_sub(1)..)?;
        loop {
            rest = match rest {
                [(Token::Mark(b'*'), _), inner @ ..] => inner,
                [(Token::Mark(b'['), _), ..] => rest.get(closing(rest)..)?,
                [(Token::Mark(b'<'), _), (Token::Mark(b'-'), _), inner @ ..] => inner,
                [(Token::Word, word), inner @ ..] if self.word(word) == "chan" => inner,
                [(Token::Mark(b'('), _), inner @ .., (Token::Mark(b')'), _)] => inner,
                _ => return self.dotted(rest).filter(|name| !matches!(name.as_str(), "any" | "struct" | "interface")),
            };
        }
    }

    /// `a, b T`: the names before the type.
    fn field_names(&self, line: &[(Token, Range<usize>)]) -> Vec<String> {
        let mut names = Vec::new();
        for pair in line.chunks(2) {
            match pair {
                [(Token::Word, name), (Token::Mark(b','), _)] => names.push(self.word(name).to_string()),
                [(Token::Word, name), ..] => {
                    names.push(self.word(name).to_string());
                    break;
                }
                _ => break,
            }
        }
        names
    }

    /// `*pkg.Type[Args]` is `pkg.Type`; nothing where it is not a type alone.
    fn dotted(&self, tokens: &[(Token, Range<usize>)]) -> Option<String> {
        let tokens = match tokens {
            [(Token::Mark(b'*'), _), rest @ ..] => rest,
            all => all,
        };
        let end = match tokens.iter().position(|t| t.0 == Token::Mark(b'[')) {
            Some(at) if at + closing(tokens.get(at..).unwrap_or_default()) == tokens.len() => at,
            Some(_) => return None,
            None => tokens.len(),
        };
        match tokens.get(..end)? {
            [(Token::Word, one)] => Some(self.word(one).to_string()),
            [(Token::Word, package), (Token::Mark(b'.'), _), (Token::Word, name)] => {
                Some(format!("{}.{}", self.word(package), self.word(name)))
            }
            _ => None,
        }
    }
}

/// Just past the bracket that closes the first one.
fn closing(tokens: &[(Token, Range<usize>)]) -> usize {
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate() {
        match token.0 {
            Token::Mark(b'{' | b'(' | b'[') => depth += 1,
            Token::Mark(b'}' | b')' | b']') => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

/// The text of a literal without escapes.
fn unquoted(literal: &str) -> Option<String> {
    let inside = literal.strip_prefix('"').and_then(|l| l.strip_suffix('"'));
    let inside = inside.filter(|l| !l.contains('\\')).or_else(|| literal.strip_prefix('`')?.strip_suffix('`'));
    inside.map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let class = |d: &Def| d.class.clone().map(|c| format!("{c}.")).unwrap_or_default();
        outline(text)
            .defs
            .iter()
            .map(|d| format!("{}{}:{}", class(d), &text[d.name.clone()], &text[d.range.clone()]))
            .collect()
    }

    #[test]
    fn functions() {
        assert_eq!(
            names("package a\nfunc f() map[string]interface{} { return nil } // }\nfunc g[T any](x struct{}) {\n}\n"),
            ["f:func f() map[string]interface{} { return nil }", "g:func g[T any](x struct{}) {\n}"]
        );
        assert_eq!(
            names(
                "func (r *R[T]) m(a func() error) (err error) { x := `}`; _ = '}'; _ = \"}\\\"\" /* } */ }\nfunc ext(int) bool\nfunc (T) n() {}"
            ),
            [
                "R.m:func (r *R[T]) m(a func() error) (err error) { x := `}`; _ = '}'; _ = \"}\\\"\" /* } */ }",
                "ext:func ext(int) bool",
                "T.n:func (T) n() {}"
            ]
        );
        assert_eq!(names("func f() { if x {\n\nfunc g() {}\n"), ["f:func f() { if x {", "g:func g() {}"]);
        assert_eq!(names("var f = func() { x }\nvar (\n a = func() {}\n)\nfunc g() {}"), ["g:func g() {}"]);
    }

    #[test]
    fn declarations() {
        let text = "package a\nimport (\n \"b\"\n)\nconst x = \"1\"\nconst (\n y T = `2`\n z = iota\n w = \"a\" + b\n)\ntype A struct {\n *b.C `json:\"x\"`\n D[int]\n e, f int\n g func() struct{}\n}\ntype (\n E interface { b.F; M() }\n G = b.H\n I []int\n)\n";
        let found = outline(text);
        assert_eq!(found.consts, [("x".to_string(), "1".to_string()), ("y".to_string(), "2".to_string())]);
        let types: Vec<String> =
            found.types.iter().map(|t| format!("{}({})", &text[t.range.clone()], t.bases.join(","))).collect();
        assert_eq!(types, ["A struct(b.C,D)", "E interface(b.F)", "G(b.H)", "I()"]);
        assert_eq!(found.imports.len(), 1);
    }

    #[test]
    fn fields_are_of_the_types_they_name() {
        let text = "type A struct {\n *b.C\n d, e *p.T `json:\"d\"`\n f []*p.U\n g map[string]p.V\n h chan<- p.W\n i Set[p.X]\n j func()\n k any\n l [4]p.Y // last\n m struct{ n p.Z }\n}\ntype I interface { f(x p.T) }\n";
        let found = outline(text);
        let typed =
            |i: usize| -> String { found.types[i].typed.iter().map(|(name, ty)| format!("{name}:{ty} ")).collect() };
        assert_eq!(typed(0), "d:p.T e:p.T f:p.U h:p.W i:Set l:p.Y ");
        assert_eq!(typed(1), "");
    }

    #[test]
    fn what_has_no_name_is_told() {
        let found = outline("func (broken(x T) {\n}\n\nfunc f() {}\n");
        assert_eq!((found.defs.len(), found.broken.len()), (1, 1));
    }
}
