//! Macros whose arguments are expressions.
//!
//! ```text
//! info!("kept {}", x.id)                log.info("kept {}", x.id)          a call
//! format!("{base}/{}", x.id)            format(base, "/", x.id)
//! vec![a, b]                            [a] ++ [b]
//! json!({"name": n})                    {name: n}
//! matches!(v, Some(x) if x.ok)          present(v) and v.ok
//! bail!("no"), ensure!(c, "no")         return failed
//! select! { _ = a => x, v = b => y }    if ?: x else: if ?: v = b; y
//! ```

use super::block::Dest;
use super::build::Cx;
use super::guess::Kind;
use super::uses::plain;
use crate::ir::{Arg, Exit, Expr, ExprId, Lit, Stmt, Sym, sym};
use crate::source::Span;
use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{Expr as E, Macro, Pat, Token};

/// Macros that only say something.
const LOGS: &[&str] =
    &["trace", "debug", "info", "warn", "error", "event", "log", "println", "eprintln", "print", "eprint"];

/// The tokens between commas.
fn chunks(tokens: &TokenStream, mark: char) -> Vec<TokenStream> {
    let mut all: Vec<Vec<TokenTree>> = vec![Vec::new()];
    for tree in tokens.clone() {
        match &tree {
            TokenTree::Punct(p) if p.as_char() == mark => all.push(Vec::new()),
            _ => {
                if let Some(last) = all.last_mut() {
                    last.push(tree);
                }
            }
        }
    }
    all.into_iter().filter(|c| !c.is_empty()).map(|c| c.into_iter().collect()).collect()
}

fn parsed(tokens: TokenStream) -> Option<E> {
    syn::parse2(tokens).ok()
}

/// The elements that `vec![a, b]` is given.
pub(super) fn elements(tokens: &TokenStream) -> Option<Vec<E>> {
    chunks(tokens, ',').into_iter().map(parsed).collect()
}

/// One argument: an expression, or one under a name (`key = value`, `key: value`), as log macros take them.
fn argument(tokens: &TokenStream) -> Option<(Option<String>, E)> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let sigil = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if matches!(p.as_char(), '%' | '?'));
    let at = trees.iter().position(|t| matches!(t, TokenTree::Punct(p) if matches!(p.as_char(), '=' | ':')));
    let single = |at: usize| {
        let next = trees.get(at + 1);
        !matches!(next, Some(TokenTree::Punct(p)) if matches!(p.as_char(), '=' | ':' | '>'))
    };
    if let Some(at) = at.filter(|at| *at > 0 && single(*at)) {
        let named = trees.get(..at)?.iter().all(|t| match t {
            TokenTree::Ident(_) => true,
            TokenTree::Punct(p) => p.as_char() == '.',
            _ => false,
        });
        let Some(TokenTree::Ident(name)) = trees.first().filter(|_| named) else { return whole(&trees, sigil) };
        let rest: Vec<TokenTree> = trees.get(at + 1..)?.iter().skip_while(|t| sigil(t)).cloned().collect();
        return Some((Some(plain(name)), parsed(rest.into_iter().collect())?));
    }
    whole(&trees, sigil)
}

fn whole(trees: &[TokenTree], sigil: impl Fn(&TokenTree) -> bool) -> Option<(Option<String>, E)> {
    let rest = trees.iter().skip_while(|t| sigil(t)).cloned().collect();
    Some((None, parsed(rest)?))
}

/// A part of a format string: text, or the name or position of a value.
enum Piece {
    Text(String),
    Name(String),
    Next,
}

fn template(text: &str) -> Vec<Piece> {
    let (mut pieces, mut plain_text) = (Vec::new(), String::new());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' if chars.peek() == Some(&'{') => {
                chars.next();
                plain_text.push('{');
            }
            '}' => {
                chars.next_if_eq(&'}');
                plain_text.push('}');
            }
            '{' => {
                let hole: String = chars.by_ref().take_while(|c| *c != '}').collect();
                if !plain_text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain_text)));
                }
                let name = hole.split(':').next().unwrap_or_default().trim();
                pieces.push(if name.is_empty() { Piece::Next } else { Piece::Name(name.to_string()) });
            }
            c => plain_text.push(c),
        }
    }
    if !plain_text.is_empty() {
        pieces.push(Piece::Text(plain_text));
    }
    pieces
}

impl Cx<'_> {
    pub fn macro_call(&mut self, mac: &Macro) -> ExprId {
        let name = mac.path.segments.last().map(|s| plain(&s.ident)).unwrap_or_default();
        let whole = self.place(super::span::path_start(&mac.path), mac.delimiter.span().close());
        match self.deeper(|cx| cx.known_macro(&name, mac, whole)) {
            Some(Some(value)) => self.arena.at(value, whole),
            Some(None) => self.other_macro(mac, whole),
            None => self.hole("too_deep", whole),
        }
    }

    fn known_macro(&mut self, name: &str, mac: &Macro, whole: Span) -> Option<ExprId> {
        Some(match name {
            "format" | "format_args" | "anyhow" | "eyre" | "concat" | "format_err" | "miette" => {
                self.formatted(&mac.tokens)
            }
            "vec" | "params" | "smallvec" | "hashset" | "btreeset" | "indexset" | "array" | "named_params" => {
                self.displayed(&mac.tokens)
            }
            "hashmap" | "btreemap" | "indexmap" | "map" => self.mapping(&mac.tokens)?,
            "json" => self.json(&mac.tokens),
            "matches" | "assert_matches" => self.matches_macro(&mac.tokens)?,
            "bail" | "eyre_bail" | "whatever" => {
                let failed = self.failed();
                self.leave(Exit::Return(failed))
            }
            "ensure" => {
                let test = self.expr(&argument(chunks(&mac.tokens, ',').first()?)?.1);
                let failed = self.failed();
                let not = self.arena.not(test);
                self.pending.push(Stmt::If(not, vec![Stmt::Leave(Exit::Return(failed))], Vec::new()));
                self.nothing()
            }
            "panic" | "unreachable" | "todo" | "unimplemented" => self.leave(Exit::Raise(Some(sym("panic")))),
            "assert" | "debug_assert" => {
                let test = self.expr(&argument(chunks(&mac.tokens, ',').first()?)?.1);
                self.asserted(mac, whole, test)
            }
            "assert_eq" | "debug_assert_eq" | "assert_ne" | "debug_assert_ne" => {
                let args = self.arguments(&mac.tokens);
                let (a, b) = (args.first()?.1, args.get(1)?.1);
                let equal = self.equal(a, b);
                let test = if name.ends_with("ne") { self.arena.not(equal) } else { equal };
                self.asserted(mac, whole, test)
            }
            "join" | "try_join" => self.join(name == "try_join", &mac.tokens),
            "select" | "select_biased" => self.select(&mac.tokens)?,
            "dbg" | "pin" | "ready" | "pin_mut" | "addr_of" | "black_box" => {
                let args = self.arguments(&mac.tokens);
                args.first()?.1
            }
            "stringify" | "line" | "file" | "column" | "module_path" => self.arena.str(&mac.tokens.to_string()),
            "cfg" => self.opaque(whole),
            _ => return self.command_line(name, mac, whole),
        })
    }

    /// The arguments of a macro; what is no expression is left out.
    fn arguments(&mut self, tokens: &TokenStream) -> Vec<(Option<Sym>, ExprId)> {
        let mut found: Vec<(Option<Sym>, ExprId)> = Vec::new();
        for chunk in chunks(tokens, ',') {
            let Some((name, e)) = argument(&chunk) else { continue };
            let mark = self.pending.len();
            let value = self.expr(&e);
            let mut earlier: Vec<ExprId> = found.iter().map(|f| f.1).collect();
            self.keep_order(mark, &mut earlier);
            found.iter_mut().zip(earlier).for_each(|(f, value)| f.1 = value);
            found.push((name.map(|n| sym(&n)), value));
        }
        found
    }

    /// A macro nothing is known of is a call: of logging most of all.
    fn other_macro(&mut self, mac: &Macro, whole: Span) -> ExprId {
        let args = self.arguments(&mac.tokens);
        if args.is_empty() && !mac.tokens.is_empty() {
            return self.hole("macro", whole);
        }
        let path = self.resolve(&mac.path);
        let callee = self.path(&path);
        let name = self.macro_name(mac, whole);
        let args = args.into_iter().map(|(name, value)| Arg { name, value }).collect();
        let call = self.call_with(name, whole, callee, args);
        if LOGS.contains(&path.rsplit('.').next().unwrap_or_default()) {
            self.remarks.insert(call);
        }
        call
    }

    pub fn macro_name(&self, mac: &Macro, whole: Span) -> Span {
        mac.path.segments.last().map_or(whole, |s| self.place(s.ident.span(), s.ident.span()))
    }

    fn asserted(&mut self, mac: &Macro, whole: Span, test: ExprId) -> ExprId {
        let callee = self.path("assert");
        let name = self.macro_name(mac, whole);
        self.call(name, whole, callee, vec![test])
    }

    /// `format!("{base}/{}", x.id)`
    fn formatted(&mut self, tokens: &TokenStream) -> ExprId {
        let args = self.arguments(tokens);
        let Some((first, rest)) = args.split_first() else { return self.arena.str("") };
        let Some(text) = self.arena.as_str(first.1) else {
            let values = args.iter().map(|a| a.1).collect();
            return self.format(values);
        };
        let mut parts = Vec::new();
        let mut next = rest.iter().filter(|a| a.0.is_none());
        for piece in template(text) {
            match piece {
                Piece::Text(t) => parts.push(self.arena.str(&t)),
                Piece::Next => parts.extend(next.next().map(|a| a.1)),
                Piece::Name(n) => match (n.parse::<usize>(), rest.iter().find(|a| a.0.is_some_and(|k| *k == *n))) {
                    (Ok(at), _) => parts.extend(rest.get(at).map(|a| a.1)),
                    (_, Some(given)) => parts.push(given.1),
                    _ => parts.extend(syn::parse_str::<syn::Ident>(&n).ok().map(|i| self.path_value(&i.into()))),
                },
            }
        }
        match parts[..] {
            [] => self.arena.str(""),
            [one] if self.arena.as_str(one).is_some() => one,
            _ => self.format(parts),
        }
    }

    /// `vec![a, b]`, `vec![a; n]`
    fn displayed(&mut self, tokens: &TokenStream) -> ExprId {
        let halves = chunks(tokens, ';');
        if let [value, _] = &halves[..] {
            let args = self.arguments(value);
            return match args.first() {
                Some((_, value)) => self.one(*value),
                None => self.empty(),
            };
        }
        let args = self.arguments(tokens);
        let ones = args.into_iter().map(|a| self.one(a.1)).collect();
        self.union_all(ones)
    }

    /// `hashmap! { k => v }`
    fn mapping(&mut self, tokens: &TokenStream) -> Option<ExprId> {
        let mut fields = Vec::new();
        for chunk in chunks(tokens, ',') {
            let trees: Vec<TokenTree> = chunk.into_iter().collect();
            let arrow = trees.windows(2).position(|w| match w {
                [TokenTree::Punct(a), TokenTree::Punct(b)] => a.as_char() == '=' && b.as_char() == '>',
                _ => false,
            })?;
            let key = parsed(trees.get(..arrow)?.iter().cloned().collect())?;
            let value = parsed(trees.get(arrow + 2..)?.iter().cloned().collect())?;
            let (key, value) = (self.expr(&key), self.expr(&value));
            fields.push((key, value));
        }
        Some(self.keyed(fields))
    }

    /// A map with these keys and values.
    pub fn keyed(&mut self, fields: Vec<(ExprId, ExprId)>) -> ExprId {
        let literal: Option<Vec<(Sym, ExprId)>> = fields.iter().map(|(k, v)| Some((self.text_of(*k)?, *v))).collect();
        match literal {
            Some(fields) if fields.is_empty() => self.empty(),
            Some(fields) => self.arena.mk(Expr::Record(fields)),
            None => {
                let ones = fields.into_iter().map(|(_, v)| self.one(v)).collect();
                self.union_all(ones)
            }
        }
    }

    /// The text of a literal, or of a constant of the file.
    pub fn text_of(&self, e: ExprId) -> Option<Sym> {
        match self.arena.get(e) {
            Expr::Lit(Lit::Str(s)) => Some(*s),
            Expr::Path(path) => self.facts.texts.get(path).copied(),
            _ => None,
        }
    }

    /// `json!({"name": n, "tags": [a, b]})`
    fn json(&mut self, tokens: &TokenStream) -> ExprId {
        let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
        let value = match &trees[..] {
            [TokenTree::Group(g)] => match g.delimiter() {
                proc_macro2::Delimiter::Brace => self.deeper(|cx| cx.json_object(&g.stream())),
                proc_macro2::Delimiter::Bracket => self.deeper(|cx| {
                    let items = chunks(&g.stream(), ',').iter().map(|c| cx.json(c)).collect::<Vec<_>>();
                    let ones = items.into_iter().map(|v| cx.one(v)).collect();
                    cx.union_all(ones)
                }),
                _ => None,
            },
            [TokenTree::Ident(name)] if name == "null" => Some(self.nothing()),
            _ => None,
        };
        match (value, parsed(tokens.clone())) {
            (Some(value), _) => value,
            (None, Some(e)) => self.expr(&e),
            (None, None) => self.arena.unknown(),
        }
    }

    fn json_object(&mut self, tokens: &TokenStream) -> ExprId {
        let mut fields = Vec::new();
        for chunk in chunks(tokens, ',') {
            let trees: Vec<TokenTree> = chunk.into_iter().collect();
            let colon = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ':' && p.spacing() == proc_macro2::Spacing::Alone);
            let Some(at) = trees.iter().position(colon) else { continue };
            let key = parsed(trees.iter().take(at).cloned().collect());
            let key = key.map(|k| self.expr(&k));
            let value: TokenStream = trees.iter().skip(at + 1).cloned().collect();
            let value = self.json(&value);
            if let Some(key) = key {
                fields.push((key, value));
            }
        }
        self.keyed(fields)
    }

    /// `matches!(v, P if guard)`
    fn matches_macro(&mut self, tokens: &TokenStream) -> Option<ExprId> {
        let parser = |input: ParseStream| {
            let value: E = input.parse()?;
            input.parse::<Token![,]>()?;
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            let guard: Option<E> = match input.parse::<Option<Token![if]>>()? {
                Some(_) => Some(input.parse()?),
                None => None,
            };
            input.parse::<Option<Token![,]>>()?;
            let _: TokenStream = input.parse()?;
            Ok((value, pat, guard))
        };
        let (value, pat, guard) = parser.parse2(tokens.clone()).ok()?;
        let kind = self.kind(&value);
        let value = self.expr(&value);
        let value = self.once(value);
        let mut bound = Vec::new();
        let test = self.pattern(&pat, value, kind, &mut bound);
        let Some(guard) = guard else { return Some(test) };
        let guard = self.under(&bound, |cx| cx.expr(&guard));
        Some(self.arena.and(test, guard))
    }

    /// `join!(a, b)`, `try_join!(a, b)`: each is run; the second fails where one of them does.
    fn join(&mut self, tries: bool, tokens: &TokenStream) -> ExprId {
        let args = self.arguments(tokens);
        let mut values = Vec::new();
        let mut failed = self.arena.bool(false);
        for (_, value) in args {
            let value = self.once(value);
            if tries {
                let raised = self.raised(value);
                failed = self.arena.or(failed, raised);
            }
            values.push(value);
        }
        let all = self.record(values);
        let failure = self.arena.lit(Lit::Failed);
        self.arena.choose(failed, failure, all)
    }

    /// `select! { v = f() => body, .. }`: which of them comes first is not known.
    fn select(&mut self, tokens: &TokenStream) -> Option<ExprId> {
        let branches = select_branches.parse2(tokens.clone()).ok()?;
        let at = self.stmt;
        let temp = self.fresh();
        let mut rest = Vec::new();
        for branch in branches.iter().rev() {
            let mut body = Vec::new();
            self.scoped(|cx| {
                let (before, ()) = cx.apart(|cx| {
                    if let Some((pat, e)) = &branch.head {
                        let value = cx.expr(e);
                        let value = cx.once(value);
                        body.append(&mut cx.pending);
                        cx.bind_pattern(pat, value, Kind::Unknown, &mut body);
                    }
                    cx.into(&branch.body, Dest::Temp(temp), &mut body);
                });
                body.extend(before);
            });
            let test = self.opaque(at);
            rest = vec![Stmt::If(test, body, rest)];
        }
        self.pending.extend(rest);
        Some(self.name(temp))
    }
}

/// One branch of a `select!`.
struct Branch {
    /// Nothing for `else` and `complete`.
    head: Option<(Pat, E)>,
    body: E,
}

fn select_branches(input: ParseStream) -> syn::Result<Vec<Branch>> {
    let mut found = Vec::new();
    if input.peek(syn::Ident) && input.peek2(Token![;]) {
        input.parse::<syn::Ident>()?;
        input.parse::<Token![;]>()?;
    }
    while !input.is_empty() {
        let bare = input.peek(Token![else]) || input.peek(syn::Ident) && input.peek2(Token![=>]);
        let head = if bare {
            input.parse::<TokenTree>()?;
            None
        } else {
            let pat = Pat::parse_multi_with_leading_vert(input)?;
            input.parse::<Token![=]>()?;
            let e: E = input.parse()?;
            if input.parse::<Option<Token![,]>>()?.is_some() {
                input.parse::<Token![if]>()?;
                input.parse::<E>()?;
            }
            Some((pat, e))
        };
        input.parse::<Token![=>]>()?;
        let body: E = input.call(E::parse_with_earlier_boundary_rule).or_else(|_| input.parse())?;
        input.parse::<Option<Token![,]>>()?;
        found.push(Branch { head, body });
    }
    Ok(found)
}
