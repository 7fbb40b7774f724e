//! Numbers and text.
//!
//! ```text
//! 24 * 3600, 1_000, 0x10, 0.5        86400, 1000, 16, 1
//! "a" 'b'                            "ab"
//! f"lab-{x:>{w}}"                    Format("lab-", x, w)
//! "lab-%s" % x, "lab-{}".format(x)   Format("lab-", x)
//! ```

use super::build::Cx;
use super::kinds::{Child, K, first, kind, parts};
use crate::ir::{Expr, ExprId, Lit};
use crate::source::Span;
use tree_sitter::Node;

/// Text longer than this is data, not a name or a statement of another language.
const LONG: usize = 16_384;

impl Cx<'_> {
    /// A number; fractions are rounded away from zero, for only zero or not matters.
    pub fn number(&mut self, node: Node) -> ExprId {
        let n = number(self.text(node));
        self.lit(Lit::Num(n))
    }

    /// A string, however it is written.
    pub fn string(&mut self, node: Node) -> ExprId {
        if self.text(node).starts_with('`') {
            // `repr` of Python 2.
            return self.hole_named("backticks", node);
        }
        let mut out = Parts::default();
        match kind(node) {
            K::Concat => parts(node).into_iter().for_each(|n| self.string_parts(n, &mut out)),
            _ => self.string_parts(node, &mut out),
        }
        if !out.formatted {
            if out.text.len() > LONG {
                return self.opaque(node);
            }
            return self.arena.str(&out.text);
        }
        let values = out.close(self);
        self.arena.mk(Expr::Format(values))
    }

    fn string_parts(&mut self, node: Node, out: &mut Parts) {
        let children = parts(node);
        let prefix = children.first().map(|n| self.text(*n).to_ascii_lowercase()).unwrap_or_default();
        let (raw, format) = (prefix.contains('r'), prefix.contains('f') || prefix.contains('t'));
        out.formatted |= format && children.iter().any(|n| kind(*n) == K::Interpolation);
        for child in children {
            match kind(child) {
                K::StringContent => {
                    out.at = out.at.or(Some(self.span(child)));
                    decode(self.text(child), raw, format, &mut out.text);
                }
                K::Interpolation => self.interpolation(child, out),
                _ => {}
            }
        }
    }

    /// `{x!r:>{width}}`
    fn interpolation(&mut self, node: Node, out: &mut Parts) {
        let Some(expression) = node.expression() else { return };
        let value = self.expr(expression);
        out.add(self, value);
        for nested in node.format_specifier().map(parts).unwrap_or_default() {
            if let Some(inner) = nested.expression().or_else(|| first(nested)) {
                let value = self.expr(inner);
                out.add(self, value);
            }
        }
    }

    /// Text and values one after the other; what is text already is taken apart, and neighbouring literals are joined.
    pub fn concat(&mut self, values: &[ExprId]) -> ExprId {
        let mut out = Parts::default();
        values.iter().for_each(|value| out.add(self, *value));
        if out.values.is_empty() {
            return self.arena.str(&out.text);
        }
        let values = out.close(self);
        self.arena.mk(Expr::Format(values))
    }

    /// `"lab-%s" % x`, `"%s/%s" % (a, b)`, `"%(a)s" % {"a": x}`
    pub fn percent(&mut self, left: Node, template: ExprId, right: Node) -> ExprId {
        let right = self.unwrap_paren(right);
        let values = match kind(right) {
            K::Tuple => parts(right).into_iter().map(|n| self.expr(n)).collect(),
            _ => vec![self.expr(right)],
        };
        match (self.arena.as_str(template), kind(left)) {
            (Some(text), K::String | K::Concat | K::Paren) => self.fill(percent_parts(text), template, values, &[]),
            _ => {
                let mut all = vec![template];
                all.extend(values);
                self.arena.mk(Expr::Format(all))
            }
        }
    }

    /// A template with its holes filled. One that does not fit its values is kept whole in front of them.
    pub fn fill(
        &mut self,
        template: Option<Vec<Slot>>,
        whole: ExprId,
        values: Vec<ExprId>,
        named: &[(String, ExprId)],
    ) -> ExprId {
        let filled = template.and_then(|slots| self.try_fill(slots, &values, named));
        match filled {
            Some(filled) => self.concat(&filled),
            None => {
                let mut all = vec![whole];
                all.extend(values);
                all.extend(named.iter().map(|n| n.1));
                self.arena.mk(Expr::Format(all))
            }
        }
    }

    fn try_fill(&mut self, slots: Vec<Slot>, values: &[ExprId], named: &[(String, ExprId)]) -> Option<Vec<ExprId>> {
        let mut filled = Vec::new();
        for slot in slots {
            filled.push(match slot {
                Slot::Text(text) => self.arena.str(&text),
                Slot::Nth(n) => *values.get(n)?,
                Slot::Named(name) => match named.iter().find(|n| n.0 == name) {
                    Some(named) => named.1,
                    None => self.record_part(*values.first()?, &name)?,
                },
            });
        }
        Some(filled)
    }

    fn record_part(&self, record: ExprId, name: &str) -> Option<ExprId> {
        match self.arena.get(record) {
            Expr::Record(fields) => fields.iter().find(|f| f.0.as_str() == name).map(|f| f.1),
            _ => None,
        }
    }
}

/// Text under construction.
#[derive(Default)]
struct Parts {
    values: Vec<ExprId>,
    text: String,
    /// Where the text begins to stand.
    at: Option<Span>,
    formatted: bool,
}

impl Parts {
    fn flush(&mut self, cx: &mut Cx) {
        if !self.text.is_empty() {
            let text = cx.arena.str(&std::mem::take(&mut self.text));
            if let Some(at) = self.at {
                cx.arena.at(text, at);
            }
            self.values.push(text);
        }
        self.at = None;
    }
    fn add(&mut self, cx: &mut Cx, value: ExprId) {
        match cx.arena.get(value).clone() {
            Expr::Lit(Lit::Str(text)) => self.text.push_str(&text),
            Expr::Format(inner) if cx.arena.joined(value).is_none() => {
                inner.into_iter().for_each(|part| self.add(cx, part))
            }
            _ => {
                self.flush(cx);
                self.values.push(value);
            }
        }
    }
    fn close(mut self, cx: &mut Cx) -> Vec<ExprId> {
        self.flush(cx);
        self.values
    }
}

/// A part of a template.
#[derive(Debug, PartialEq)]
pub(super) enum Slot {
    /// As it stands.
    Text(String),
    /// The value at a position.
    Nth(usize),
    /// The value of a name.
    Named(String),
}

/// The parts of a template of the `%` kind.
fn percent_parts(template: &str) -> Option<Vec<Slot>> {
    let (mut slots, mut text, mut next) = (Vec::new(), String::new(), 0);
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            text.push(c);
            continue;
        }
        if chars.peek() == Some(&'%') {
            text.push('%');
            chars.next();
            continue;
        }
        let mut name = None;
        if chars.peek() == Some(&'(') {
            chars.next();
            name = Some(chars.by_ref().take_while(|c| *c != ')').collect::<String>());
        }
        // Flags, width and precision; `*` takes a value of its own.
        while chars.next_if(|c| matches!(c, '-' | '+' | ' ' | '#' | '.' | 'l' | 'h') || c.is_ascii_digit()).is_some() {}
        if !chars.next()?.is_ascii_alphabetic() {
            return None;
        }
        slots.push(Slot::Text(std::mem::take(&mut text)));
        slots.push(match name {
            Some(name) => Slot::Named(name),
            None => {
                next += 1;
                Slot::Nth(next - 1)
            }
        });
    }
    slots.push(Slot::Text(text));
    Some(slots)
}

/// The parts of a template of the `{}` kind. Fields of values (`{0.name}`) and nested holes are left alone.
pub(super) fn brace_parts(template: &str) -> Option<Vec<Slot>> {
    let (mut slots, mut text, mut next) = (Vec::new(), String::new(), 0);
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '{' && c != '}' {
            text.push(c);
            continue;
        }
        if chars.peek() == Some(&c) {
            text.push(c);
            chars.next();
            continue;
        }
        if c == '}' {
            return None;
        }
        let hole: String = chars.by_ref().take_while(|c| *c != '}').collect();
        let name = hole.split([':', '!']).next().unwrap_or_default();
        slots.push(Slot::Text(std::mem::take(&mut text)));
        slots.push(if name.is_empty() {
            next += 1;
            Slot::Nth(next - 1)
        } else if let Ok(n) = name.parse() {
            Slot::Nth(n)
        } else if name.chars().all(|c| c.is_alphanumeric() || c == '_') && !hole.contains('{') {
            Slot::Named(name.to_string())
        } else {
            return None;
        });
    }
    slots.push(Slot::Text(text));
    Some(slots)
}

/// The characters that a literal stands for, as far as they matter: names and statements hold no odd escapes.
fn decode(text: &str, raw: bool, format: bool, out: &mut String) {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if format && (c == '{' || c == '}') && chars.peek() == Some(&c) {
            chars.next();
        }
        if c != '\\' || raw {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('0') => out.push('\0'),
            Some('\n') => {}
            Some('\r') => {
                chars.next_if_eq(&'\n');
            }
            Some(c @ ('\\' | '\'' | '"')) => out.push(c),
            Some(other) => out.extend(['\\', other]),
            None => out.push('\\'),
        }
    }
}

fn number(text: &str) -> i64 {
    let text: String = text.chars().filter(|c| *c != '_').collect::<String>().to_ascii_lowercase();
    let text = text.trim_end_matches(['l', 'j']);
    let radix = |prefix: &str, radix| {
        let digits = text.strip_prefix(prefix)?;
        Some(i64::from_str_radix(digits, radix).unwrap_or(i64::MAX))
    };
    if let Some(n) = radix("0x", 16).or_else(|| radix("0o", 8)).or_else(|| radix("0b", 2)) {
        return n;
    }
    match text.parse::<i64>() {
        Ok(n) => n,
        // The cast saturates.
        Err(_) => text.parse::<f64>().map_or(i64::MAX, |f| if f > 0.0 { f.ceil() as i64 } else { f.floor() as i64 }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let read = ["1_000", "0xFFl", "0b11", "1.5", "0.0", "1e-9", "10L", "3j", "99999999999999999999"].map(number);
        assert_eq!(read, [1000, 255, 3, 2, 0, 1, 10, 3, i64::MAX]);
    }

    #[test]
    fn templates() {
        let text = |t: &str| Slot::Text(t.to_string());
        assert_eq!(percent_parts("a-%05.2f%%"), Some(vec![text("a-"), Slot::Nth(0), text("%")]));
        assert_eq!(percent_parts("%(k)s"), Some(vec![text(""), Slot::Named("k".into()), text("")]));
        assert_eq!(percent_parts("%*d"), None);
        assert_eq!(brace_parts("{{{}-{1:>3}"), Some(vec![text("{"), Slot::Nth(0), text("-"), Slot::Nth(1), text("")]));
        assert_eq!(brace_parts("{x.name}"), None);
    }

    #[test]
    fn escapes() {
        let mut out = String::new();
        decode("a\\n\\'\\\\{{b}}\\d", false, true, &mut out);
        assert_eq!(out, "a\n'\\{b}\\d");
    }
}
