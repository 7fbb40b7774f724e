//! Macros that are given a command line.
//!
//! ```text
//! cmd!(sh, "kubectl delete pod {name}")        cmd("kubectl", "delete", "pod", name)
//! cmd!(sh, "docker rm {ids...}")               cmd("docker", "rm", *ids)
//! run_cmd!(docker rm -f lab-$name)             run_cmd("docker", "rm", "-f", format("lab-", name))
//! run_cmd!(cd $dir; git branch -D $name)       one call after the other
//! ```
//! A value that stands in a line is one word, whatever it holds.

use super::build::Cx;
use crate::ir::{Arg, ExprId, Sym, sym};
use crate::source::Span;
use syn::Macro;
use syn::parse::{ParseStream, Parser};

/// A piece of a word.
enum Piece {
    Text(String),
    /// A name of Rust.
    Value(String),
    /// The same, of several words.
    Values(String),
}

/// Macros whose line is written in Rust's own tokens.
const BARE: &[&str] = &["run_cmd", "run_fun", "spawn", "spawn_with_output"];

impl Cx<'_> {
    /// A macro that runs a command line, where it is one.
    pub fn command_line(&mut self, name: &str, mac: &Macro, whole: Span) -> Option<ExprId> {
        if BARE.contains(&name) {
            let imported = self.resolve(&mac.path).starts_with("cmd_lib");
            let text = mac.delimiter.span().join().source_text().filter(|_| imported)?;
            let lines = lines(text.trim_matches(['(', ')', '{', '}', '[', ']']));
            let mut runs = lines.iter().map(|line| words(line, '$')).filter(|words| !words.is_empty());
            let mut last = self.run_line(mac, whole, runs.next()?);
            for words in runs {
                self.pending.push(crate::ir::Stmt::Do(last));
                last = self.run_line(mac, whole, words);
            }
            return Some(last);
        }
        if name != "cmd" && name != "sh" {
            return None;
        }
        let words = words(&written_line(mac)?, '{');
        (!words.is_empty()).then(|| self.run_line(mac, whole, words))
    }

    fn run_line(&mut self, mac: &Macro, whole: Span, words: Vec<Vec<Piece>>) -> ExprId {
        let path = self.resolve(&mac.path);
        let callee = self.path(&path);
        let args = words.into_iter().map(|word| self.word(word)).collect();
        let name = self.macro_name(mac, whole);
        self.call_with(name, whole, callee, args)
    }

    fn word(&mut self, word: Vec<Piece>) -> Arg {
        let mut many: Option<Sym> = None;
        let mut parts = Vec::new();
        for piece in word {
            parts.push(match piece {
                Piece::Text(text) => self.arena.str(&text),
                Piece::Value(text) => self.value_of(&text),
                Piece::Values(text) => {
                    many = Some(sym("*"));
                    self.value_of(&text)
                }
            });
        }
        let value = match parts[..] {
            [one] => one,
            _ => self.format(parts),
        };
        Arg { name: many, value }
    }

    fn value_of(&mut self, name: &str) -> ExprId {
        match syn::parse_str::<syn::Ident>(name.trim()) {
            Ok(name) => self.path_value(&name.into()),
            Err(_) => self.arena.unknown(),
        }
    }
}

/// The line of `cmd!(sh, "the line")`, whatever it is run in.
fn written_line(mac: &Macro) -> Option<String> {
    let parser = |input: ParseStream| {
        let place: syn::Expr = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let line: syn::LitStr = input.parse()?;
        input.parse::<Option<syn::Token![,]>>()?;
        Ok((place, line))
    };
    let (place, line) = parser.parse2(mac.tokens.clone()).ok()?;
    (!matches!(place, syn::Expr::Lit(_))).then(|| line.value())
}

/// The commands of several, as a shell parts them.
fn lines(text: &str) -> Vec<String> {
    let (mut all, mut quoted) = (vec![String::new()], None);
    for c in text.chars() {
        match (quoted, c) {
            (Some(q), _) if c == q => quoted = None,
            (None, '"' | '\'') => quoted = Some(c),
            (None, ';' | '|') => {
                all.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(line) = all.last_mut() {
            line.push(c);
        }
    }
    all
}

/// The words of a line. Values begin with `$`, or stand in braces.
fn words(line: &str, sign: char) -> Vec<Vec<Piece>> {
    let mut all: Vec<Vec<Piece>> = Vec::new();
    let mut word: Option<Vec<Piece>> = None;
    let mut quoted = None;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let word = match (quoted, c) {
            (None, c) if c.is_whitespace() => {
                all.extend(word.take());
                continue;
            }
            _ => word.get_or_insert_default(),
        };
        match (quoted, c) {
            (Some(q), _) if c == q => quoted = None,
            (None, '"' | '\'') => quoted = Some(c),
            (Some('\''), _) => letter(word, c),
            (_, '{') if sign == '{' && chars.peek() == Some(&'{') => {
                chars.next();
                letter(word, c);
            }
            (_, '}') if sign == '{' => {
                chars.next_if_eq(&'}');
                letter(word, c);
            }
            (_, '{') if sign == '{' => {
                let text: String = chars.by_ref().take_while(|c| *c != '}').collect();
                word.push(match text.strip_suffix("...") {
                    Some(many) => Piece::Values(many.to_string()),
                    None => Piece::Value(text),
                });
            }
            (_, '$') if sign == '$' => {
                let text: String = match chars.next_if(|c| matches!(c, '{' | '[')) {
                    Some(open) => {
                        let close = if open == '{' { '}' } else { ']' };
                        let name = chars.by_ref().take_while(|c| *c != close).collect::<String>();
                        if open == '[' {
                            word.push(Piece::Values(name));
                            continue;
                        }
                        name
                    }
                    None => std::iter::from_fn(|| chars.next_if(|c| c.is_alphanumeric() || *c == '_')).collect(),
                };
                word.push(Piece::Value(text));
            }
            _ => letter(word, c),
        }
    }
    all.extend(word);
    all
}

fn letter(word: &mut Vec<Piece>, c: char) {
    match word.last_mut() {
        Some(Piece::Text(text)) => text.push(c),
        _ => word.push(Piece::Text(c.to_string())),
    }
}
