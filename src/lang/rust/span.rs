//! Where expressions stand: their first and last byte, found without making tokens of them again.

use proc_macro2::{LineColumn, Span};
use std::ops::Range;
use syn::spanned::Spanned;
use syn::{Expr, Member, Path, PathArguments};

/// Where the lines of a parsed text begin. Tokens know their lines; to tell their bytes, the library goes through the
/// characters before them. Empty for a text that is not all ASCII: there a column is no byte.
#[derive(Default)]
pub(super) struct Lines(Vec<u32>);

impl Lines {
    pub fn of(text: &str) -> Self {
        if !text.is_ascii() {
            return Lines::default();
        }
        let ends = memchr::memchr_iter(b'\n', text.as_bytes());
        Lines(std::iter::once(0).chain(ends.map(|at| at as u32 + 1)).collect())
    }

    fn byte(&self, at: LineColumn) -> Option<usize> {
        self.0.get(at.line.checked_sub(1)?).map(|start| *start as usize + at.column)
    }

    /// From the first byte of one token to the last of another.
    pub fn bytes(&self, from: Span, to: Span) -> Range<usize> {
        let known = || Some(self.byte(from.start())?..self.byte(to.end())?);
        let bytes = if self.0.is_empty() { None } else { known() };
        bytes.unwrap_or_else(|| from.byte_range().start..to.byte_range().end)
    }
}

/// The first token of an expression.
pub(super) fn start(e: &Expr) -> Span {
    match e {
        Expr::Array(x) => x.bracket_token.span.open(),
        Expr::Assign(x) => start(&x.left),
        Expr::Async(x) => x.async_token.span,
        Expr::Await(x) => start(&x.base),
        Expr::Binary(x) => start(&x.left),
        Expr::Block(x) => x.label.as_ref().map_or(x.block.brace_token.span.open(), |l| l.name.apostrophe),
        Expr::Break(x) => x.break_token.span,
        Expr::Call(x) => start(&x.func),
        Expr::Cast(x) => start(&x.expr),
        Expr::Const(x) => x.const_token.span,
        Expr::Continue(x) => x.continue_token.span,
        Expr::Field(x) => start(&x.base),
        Expr::ForLoop(x) => x.label.as_ref().map_or(x.for_token.span, |l| l.name.apostrophe),
        Expr::Group(x) => start(&x.expr),
        Expr::If(x) => x.if_token.span,
        Expr::Index(x) => start(&x.expr),
        Expr::Infer(x) => x.underscore_token.span,
        Expr::Let(x) => x.let_token.span,
        Expr::Lit(x) => x.lit.span(),
        Expr::Loop(x) => x.label.as_ref().map_or(x.loop_token.span, |l| l.name.apostrophe),
        Expr::Macro(x) => path_start(&x.mac.path),
        Expr::Match(x) => x.match_token.span,
        Expr::MethodCall(x) => start(&x.receiver),
        Expr::Paren(x) => x.paren_token.span.open(),
        Expr::Path(x) => x.qself.as_ref().map_or_else(|| path_start(&x.path), |q| q.lt_token.span),
        Expr::Range(x) => match &x.start {
            Some(from) => start(from),
            None => x.limits.span(),
        },
        Expr::RawAddr(x) => x.and_token.span,
        Expr::Reference(x) => x.and_token.span,
        Expr::Repeat(x) => x.bracket_token.span.open(),
        Expr::Return(x) => x.return_token.span,
        Expr::Struct(x) => path_start(&x.path),
        Expr::Try(x) => start(&x.expr),
        Expr::TryBlock(x) => x.try_token.span,
        Expr::Tuple(x) => x.paren_token.span.open(),
        Expr::Unary(x) => x.op.span(),
        Expr::Unsafe(x) => x.unsafe_token.span,
        Expr::While(x) => x.label.as_ref().map_or(x.while_token.span, |l| l.name.apostrophe),
        Expr::Closure(x) => {
            let moved = x.capture.as_ref().map(|t| t.span);
            x.asyncness.as_ref().map(|t| t.span).or(moved).unwrap_or(x.inputs_begin.span)
        }
        other => other.span(),
    }
}

/// The last token of an expression.
pub(super) fn end(e: &Expr) -> Span {
    match e {
        Expr::Array(x) => x.bracket_token.span.close(),
        Expr::Assign(x) => end(&x.right),
        Expr::Async(x) => x.block.brace_token.span.close(),
        Expr::Await(x) => x.await_token.span,
        Expr::Binary(x) => end(&x.right),
        Expr::Block(x) => x.block.brace_token.span.close(),
        Expr::Break(x) => match (&x.expr, &x.label) {
            (Some(value), _) => end(value),
            (None, Some(label)) => label.ident.span(),
            _ => x.break_token.span,
        },
        Expr::Call(x) => x.paren_token.span.close(),
        Expr::Cast(x) => x.ty.span(),
        Expr::Closure(x) => end(&x.body),
        Expr::Const(x) => x.block.brace_token.span.close(),
        Expr::Continue(x) => x.label.as_ref().map_or(x.continue_token.span, |l| l.ident.span()),
        Expr::Field(x) => member(&x.member),
        Expr::ForLoop(x) => x.body.brace_token.span.close(),
        Expr::Group(x) => end(&x.expr),
        Expr::If(x) => x.else_branch.as_ref().map_or(x.then_branch.brace_token.span.close(), |(_, e)| end(e)),
        Expr::Index(x) => x.bracket_token.span.close(),
        Expr::Infer(x) => x.underscore_token.span,
        Expr::Let(x) => end(&x.expr),
        Expr::Lit(x) => x.lit.span(),
        Expr::Loop(x) => x.body.brace_token.span.close(),
        Expr::Macro(x) => x.mac.delimiter.span().close(),
        Expr::Match(x) => x.brace_token.span.close(),
        Expr::MethodCall(x) => x.paren_token.span.close(),
        Expr::Paren(x) => x.paren_token.span.close(),
        Expr::Path(x) => path_end(&x.path),
        Expr::Range(x) => x.end.as_ref().map_or_else(|| x.limits.span(), |e| end(e)),
        Expr::RawAddr(x) => end(&x.expr),
        Expr::Reference(x) => end(&x.expr),
        Expr::Repeat(x) => x.bracket_token.span.close(),
        Expr::Return(x) => x.expr.as_ref().map_or(x.return_token.span, |e| end(e)),
        Expr::Struct(x) => x.brace_token.span.close(),
        Expr::Try(x) => x.question_token.span,
        Expr::TryBlock(x) => x.block.brace_token.span.close(),
        Expr::Tuple(x) => x.paren_token.span.close(),
        Expr::Unary(x) => end(&x.expr),
        Expr::Unsafe(x) => x.block.brace_token.span.close(),
        Expr::While(x) => x.body.brace_token.span.close(),
        other => other.span(),
    }
}

fn member(m: &Member) -> Span {
    match m {
        Member::Named(name) => name.span(),
        Member::Unnamed(index) => index.span,
    }
}

/// The first token of a path.
pub(super) fn path_start(path: &Path) -> Span {
    match (&path.leading_colon, path.segments.first()) {
        (Some(colon), _) => colon.span(),
        (None, Some(first)) => first.ident.span(),
        (None, None) => Span::call_site(),
    }
}

fn path_end(path: &Path) -> Span {
    match path.segments.last() {
        Some(last) => match &last.arguments {
            PathArguments::None => last.ident.span(),
            PathArguments::AngleBracketed(args) => args.gt_token.span(),
            other => other.span(),
        },
        None => Span::call_site(),
    }
}
