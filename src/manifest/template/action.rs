//! A template cut into text and actions, and actions read as calls.
//!
//! ```text
//! app: {{ .Values.app | quote }}      Text "app: "   Give: quote(.Values.app)
//! {{- if not .Values.off }}           If: not(.Values.off)
//! {{/* said }} so */}}                Control: a comment holds what it likes
//! {{- $x := include "a.b" . -}}       Control: an assignment gives nothing
//! {{ include "a.b" . | nindent 4 }}   Give: nindent(4, include("a.b", .))
//! ```
//! A pipe hands its value on as the last operand, so `x | f 1` is `f(1, x)`.

use std::ops::Range;

/// A piece of a template, with its bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct Piece {
    /// Its bytes; of an action with its braces.
    pub span: Range<usize>,
    /// What it is.
    pub kind: PieceKind,
}

/// What a piece is.
#[derive(Clone, PartialEq, Debug)]
pub enum PieceKind {
    /// Text.
    Text,
    /// Gives a value.
    Give(Term),
    /// `if`, or `else if` after an `else`.
    If(Term),
    /// `with`.
    With(Term),
    /// `range`, with what it goes through.
    Range(Term),
    /// `else`, with the condition of an `else if`.
    Else(Option<Term>),
    /// `end`.
    End,
    /// `define "name"` or `block "name"`.
    Define {
        /// Its name.
        name: String,
        /// A block is shown where it stands.
        shown: bool,
    },
    /// A comment, an assignment, `break`: gives nothing.
    Nothing,
}

/// An expression of a template.
#[derive(Clone, PartialEq, Debug)]
pub enum Term {
    /// `.Values.a.b`, `$.Values.a`, `.`: the path from the root's or the dot's fields.
    Path {
        /// It starts at `$`.
        root: bool,
        /// The fields.
        fields: Vec<String>,
    },
    /// Text in quotes.
    Text(String),
    /// A number, `true`, `false`, `nil`.
    Word(String),
    /// A function with its operands.
    Call(String, Vec<Term>),
    /// Anything else: a variable, a field of a call.
    Unknown,
}

/// Expressions nest no deeper.
const DEEP: usize = 24;

/// Cuts a template. A brace that is not closed is text.
pub fn pieces(text: &str) -> Vec<Piece> {
    let (mut out, mut at) = (vec![], 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find("{{")) {
        let start = at + found;
        let Some(end) = action_end(text, start + 2) else { break };
        push_text(&mut out, at..start);
        let body = text.get(start + 2..end - 2).unwrap_or_default();
        out.push(Piece { span: start..end, kind: kind(body) });
        at = end;
    }
    push_text(&mut out, at..text.len());
    out
}

fn push_text(out: &mut Vec<Piece>, span: Range<usize>) {
    if !span.is_empty() {
        out.push(Piece { span, kind: PieceKind::Text });
    }
}

/// One past the `}}` of an action whose body starts here.
fn action_end(text: &str, from: usize) -> Option<usize> {
    let body = text.get(from..)?;
    let comment = body.trim_start_matches('-').trim_start();
    if comment.starts_with("/*") {
        let close = body.find("*/")?;
        return Some(from + close + body.get(close..)?.find("}}")? + 2);
    }
    let (mut quote, mut escaped) = (None, false);
    for (at, byte) in body.bytes().enumerate() {
        match (quote, byte) {
            (Some(b'"' | b'\''), _) if escaped => escaped = false,
            (Some(b'"' | b'\''), b'\\') => escaped = true,
            // A string ends with its line: an apostrophe in a strange place must not swallow the file.
            (Some(b'"' | b'\''), b'\n') => quote = None,
            (Some(q), b) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'' | b'`') => quote = Some(byte),
            (None, b'}') if body.as_bytes().get(at + 1) == Some(&b'}') => return Some(from + at + 2),
            (None, _) => {}
        }
    }
    None
}

fn kind(body: &str) -> PieceKind {
    let body = body.strip_prefix('-').unwrap_or(body);
    let body = body.strip_suffix('-').unwrap_or(body).trim();
    let (word, rest) = body.split_once(|c: char| c.is_whitespace() || c == '(').unwrap_or((body, ""));
    let rest =
        if body.as_bytes().get(word.len()) == Some(&b'(') { body.get(word.len()..).unwrap_or(rest) } else { rest };
    match word {
        "if" => PieceKind::If(term(rest)),
        "with" => PieceKind::With(term(rest)),
        "range" => PieceKind::Range(term(rest.split_once(":=").map_or(rest, |(_, over)| over))),
        "else" => {
            let rest = rest.trim();
            PieceKind::Else(rest.strip_prefix("if").or(rest.strip_prefix("with")).map(term))
        }
        "end" => PieceKind::End,
        "define" | "block" => match term(rest) {
            Term::Text(name) => PieceKind::Define { name, shown: false },
            Term::Call(_, _) | Term::Path { .. } | Term::Word(_) | Term::Unknown => match first_text(rest) {
                Some(name) => PieceKind::Define { name, shown: word == "block" },
                None => PieceKind::Define { name: String::new(), shown: false },
            },
        },
        "break" | "continue" | "" => PieceKind::Nothing,
        _ if body.starts_with("/*") => PieceKind::Nothing,
        _ if word.starts_with('$') && is_assignment(rest) => PieceKind::Nothing,
        _ => PieceKind::Give(term(body)),
    }
}

fn is_assignment(rest: &str) -> bool {
    let rest = rest.trim_start();
    rest.starts_with(":=") || rest.starts_with('=') || rest.starts_with(',')
}

fn first_text(rest: &str) -> Option<String> {
    let rest = rest.trim_start().strip_prefix('"')?;
    Some(rest.get(..rest.find('"')?)?.to_owned())
}

/// Reads an expression.
pub fn term(text: &str) -> Term {
    let mut read = Reader { rest: text.trim() };
    let term = read.pipeline(0);
    if read.rest.trim().is_empty() { term } else { Term::Unknown }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn pipeline(&mut self, depth: usize) -> Term {
        let mut value = self.call(depth, None);
        while self.eat('|') {
            value = self.call(depth, Some(value));
        }
        value
    }

    fn eat(&mut self, c: char) -> bool {
        let rest = self.rest.trim_start();
        match rest.strip_prefix(c) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// A function with operands, or one operand.
    fn call(&mut self, depth: usize, piped: Option<Term>) -> Term {
        if depth > DEEP {
            self.rest = "";
            return Term::Unknown;
        }
        let Some((head, name)) = self.operand(depth) else { return Term::Unknown };
        let mut operands = vec![];
        while let Some((operand, _)) = self.operand(depth) {
            operands.push(operand);
        }
        operands.extend(piped);
        match name {
            Some(name) if head == Term::Unknown => Term::Call(name, operands),
            _ if operands.is_empty() => head,
            _ => Term::Unknown,
        }
    }

    /// An operand; of a bare name the name besides.
    fn operand(&mut self, depth: usize) -> Option<(Term, Option<String>)> {
        let rest = self.rest.trim_start();
        let first = rest.chars().next()?;
        match first {
            '|' | ')' | ',' | '=' | ':' => None,
            '(' => {
                self.rest = rest.get(1..)?;
                let inner = self.pipeline(depth + 1);
                self.eat(')');
                // `(index .x 0).name` is a field of what is not known.
                let fields = self.path();
                Some((if fields.is_empty() { inner } else { Term::Unknown }, None))
            }
            '"' | '`' | '\'' => {
                let (text, end) = quoted(rest, first)?;
                self.rest = rest.get(end..)?;
                Some((Term::Text(text), None))
            }
            '.' => {
                self.rest = rest;
                let fields = self.path();
                Some((Term::Path { root: false, fields }, None))
            }
            '$' => {
                let name = word(rest.get(1..)?);
                self.rest = rest.get(1 + name.len()..)?;
                let fields = self.path();
                Some((if name.is_empty() { Term::Path { root: true, fields } } else { Term::Unknown }, None))
            }
            _ => {
                let name = word(rest);
                if name.is_empty() {
                    // What is not understood ends the expression: the caller sees that something is left.
                    return None;
                }
                self.rest = rest.get(name.len()..)?;
                let constant = matches!(name, "true" | "false" | "nil") || first.is_ascii_digit() || first == '-';
                match constant {
                    true => Some((Term::Word(name.to_owned()), None)),
                    false => Some((Term::Unknown, Some(name.to_owned()))),
                }
            }
        }
    }

    /// `.a.b` from here on; a lone `.` is no field.
    fn path(&mut self) -> Vec<String> {
        let mut fields = vec![];
        while let Some(rest) = self.rest.strip_prefix('.') {
            let name = word(rest);
            self.rest = rest.get(name.len()..).unwrap_or_default();
            if name.is_empty() {
                break;
            }
            fields.push(name.to_owned());
        }
        fields
    }
}

fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// The text in quotes that starts here, and one past its end.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let (mut out, mut escaped) = (String::new(), false);
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => {
                out.push(c);
                escaped = false;
            }
            '\\' if quote != '`' => escaped = true,
            _ if c == quote => return Some((out, at + c.len_utf8())),
            _ => out.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(&str, PieceKind)> {
        pieces(text).into_iter().map(|p| (&text[p.span], p.kind)).collect()
    }

    fn path(fields: &[&str]) -> Term {
        Term::Path { root: false, fields: fields.iter().map(|f| (*f).to_owned()).collect() }
    }

    #[test]
    fn text_and_actions() {
        let all = shown("a: {{ .Values.a | quote }}\n{{- end -}}");
        assert_eq!(all[0], ("a: ", PieceKind::Text));
        assert_eq!(all[1].1, PieceKind::Give(Term::Call("quote".into(), vec![path(&["Values", "a"])])));
        assert_eq!(all[3], ("{{- end -}}", PieceKind::End));
    }

    #[test]
    fn strings_and_comments_hold_braces() {
        let all = shown("{{/* a }} b */}}{{ print \"}}\" `}}` }}x{{- /* c */ -}}");
        assert_eq!(all[0], ("{{/* a }} b */}}", PieceKind::Nothing));
        assert!(matches!(&all[1].1, PieceKind::Give(Term::Call(name, ops)) if name == "print" && ops.len() == 2));
        assert_eq!(all[3].1, PieceKind::Nothing);
        assert_eq!(shown("a {{ b"), [("a {{ b", PieceKind::Text)]);
    }

    #[test]
    fn terms() {
        let include = Term::Call("include".into(), vec![Term::Text("a.b".into()), path(&[])]);
        assert_eq!(
            term("include \"a.b\" . | nindent 4"),
            Term::Call("nindent".into(), vec![Term::Word("4".into()), include])
        );
        assert_eq!(term("$.Values.x"), Term::Path { root: true, fields: vec!["Values".into(), "x".into()] });
        assert_eq!(term("$x.y"), Term::Unknown);
        assert_eq!(term("(index .a 0).b"), Term::Unknown);
        assert_eq!(
            term("and (not .Values.a) true"),
            Term::Call(
                "and".into(),
                vec![Term::Call("not".into(), vec![path(&["Values", "a"])]), Term::Word("true".into())]
            )
        );
        assert_eq!(term(&"(".repeat(5_000)), Term::Unknown);
    }

    #[test]
    fn control() {
        assert_eq!(shown("{{ define \"x.y\" }}")[0].1, PieceKind::Define { name: "x.y".into(), shown: false });
        assert_eq!(shown("{{ block \"x\" . }}")[0].1, PieceKind::Define { name: "x".into(), shown: true });
        assert_eq!(shown("{{ else if .a }}")[0].1, PieceKind::Else(Some(path(&["a"]))));
        assert_eq!(shown("{{ else }}")[0].1, PieceKind::Else(None));
        assert_eq!(shown("{{ $a := .b }}")[0].1, PieceKind::Nothing);
        assert_eq!(shown("{{ range $k, $v := .b }}")[0].1, PieceKind::Range(path(&["b"])));
        assert_eq!(shown("{{if(.a)}}")[0].1, PieceKind::If(path(&["a"])));
    }
}
