//! Numbers, text, and composite literals.
//!
//! ```text
//! 0x10, 1_000, 0.5, 'a'                16, 1000, 1, 97
//! "a\n", `raw`                         "a⏎", "raw"
//! T{A: x}, &T{A: x}                    Record(A = x)
//! map[string]string{"a": x, k: y}      Union(Record(a = x), One(y))
//! []string{a, b}, [2]T{{A: x}}         Union(One(a), One(b)), One(Record(A = x))
//! map[string]bool{}, struct{}{}        an empty collection, true
//! time.Time{}, var t time.Time         the instant that stands for none
//! ```

use super::build::Cx;
use super::kinds::{Child, K, first, kind, parts, type_of};
use super::names::Ty;
use crate::ir::{Bin, Expr, ExprId, Lit, Sym, sym};
use tree_sitter::Node;

/// Text longer than this is data, not a name or a statement of another language.
const LONG: usize = 16_384;

/// How the entries of a literal are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Holds {
    /// Elements in order.
    Elements,
    /// Keys that are values.
    Entries,
    /// Names of fields.
    Fields,
}

impl<'a> Cx<'a> {
    /// A number; fractions are rounded away from zero, for only zero or not matters.
    pub fn number(&mut self, node: Node<'a>) -> ExprId {
        let n = number(self.text(node));
        self.lit(Lit::Num(n))
    }

    /// A string, however it is written.
    pub fn string(&mut self, node: Node<'a>) -> ExprId {
        let text = self.text(node);
        if text.len() > LONG {
            return self.opaque(node);
        }
        let mut out = String::new();
        match kind(node) {
            K::RawString => out.push_str(text.trim_matches('`')),
            _ => {
                for part in parts(node) {
                    match kind(part) {
                        K::Escape => out.push_str(&escaped(self.text(part))),
                        _ => out.push_str(self.text(part)),
                    }
                }
            }
        }
        self.arena.str(&out)
    }

    /// `T{…}`
    pub fn composite(&mut self, node: Node<'a>) -> ExprId {
        let Some(body) = node.body() else { return self.hole(node) };
        if let Some(ty) = type_of(node)
            && kind(ty) == K::StructType
            && parts(body).is_empty()
        {
            return self.arena.bool(true);
        }
        if let Some(ty) = type_of(node)
            && self.kind_of_type(ty) == Ty::Time
            && parts(body).is_empty()
        {
            return self.zero_time(ty);
        }
        let value = self.literal_value(body, type_of(node));
        match type_of(node).and_then(|ty| self.option_type(ty)) {
            // It says by its type what is to be done with its contents: as `T(x)` does.
            Some((callee, ty)) => {
                let callee = self.path(&callee);
                let (name, whole) = (self.span(ty), self.span(node));
                self.call(name, whole, callee, vec![value])
            }
            None => value,
        }
    }

    /// A mapping or list of an imported type that is named by what it does: `client.MatchingLabels{…}`.
    fn option_type(&self, ty: Node<'a>) -> Option<(Sym, Node<'a>)> {
        let name = ty.name().filter(|_| kind(ty) == K::QualifiedType)?;
        let verb = ["Matching", "Has", "With", "In"]
            .iter()
            .any(|v| self.text(name).strip_prefix(v).is_some_and(|rest| rest.starts_with(char::is_uppercase)));
        let options = verb && !self.text(name).ends_with("Options");
        options.then(|| (self.facts.resolve(self.text(ty)), name))
    }

    /// The entries of a literal; one inside another may leave out its type.
    pub fn literal_value(&mut self, node: Node<'a>, ty: Option<Node<'a>>) -> ExprId {
        let entries = parts(node);
        let holds = self.holds(ty, &entries);
        let inner = ty.and_then(|t| match kind(t) {
            K::MapType => t.value(),
            K::SliceType | K::ArrayType | K::OpenArrayType => t.element(),
            _ => None,
        });
        let (mut fields, mut items): (Vec<(Sym, ExprId)>, Vec<ExprId>) = Default::default();
        for (i, entry) in entries.iter().enumerate() {
            if kind(*entry) == K::KeyedElement {
                self.entry(*entry, holds, inner, &mut fields, &mut items);
                continue;
            }
            let value = self.element_value(*entry, inner);
            match holds {
                Holds::Fields => {
                    let name = ty.and_then(|t| self.field_at(t, i));
                    fields.push((name.unwrap_or_else(|| sym(&i.to_string())), value));
                }
                _ => items.push(self.one(value)),
            }
        }
        // What it is, where that is told: `appsv1.Deployment{..}`.
        if holds == Holds::Fields
            && let Some(ty) = ty.filter(|t| kind(*t) == K::QualifiedType)
        {
            fields.push(self.says_what(ty));
        }
        if !fields.is_empty() || holds == Holds::Fields && items.is_empty() {
            items.insert(0, self.arena.mk(Expr::Record(fields)));
        }
        self.fold(Bin::Union, items).unwrap_or_else(|| self.empty())
    }

    /// What an object of an imported type is, as a field of it.
    pub fn says_what(&mut self, ty: Node<'a>) -> (Sym, ExprId) {
        let name = self.text(ty).rsplit('.').next().unwrap_or_default();
        (sym("#is"), self.arena.str(name))
    }

    fn holds(&self, ty: Option<Node<'a>>, entries: &[Node<'a>]) -> Holds {
        let Some(ty) = ty else {
            let keyed = entries.first().is_some_and(|e| kind(*e) == K::KeyedElement);
            return if keyed || entries.is_empty() { Holds::Fields } else { Holds::Elements };
        };
        match kind(ty) {
            K::MapType => Holds::Entries,
            K::SliceType | K::ArrayType | K::OpenArrayType => Holds::Elements,
            K::PointerType | K::ParenType => self.holds(first(ty), entries),
            _ => {
                let name = self.text(ty).split('[').next().unwrap_or_default();
                let name = name.rsplit('.').next().unwrap_or_default();
                let mapping = ["Labels", "Fields", "Tags", "Annotations", "Map", "Eq", "Values"];
                let by_name = mapping.iter().any(|m| name.ends_with(m)) || matches!(name, "M" | "H" | "JSON" | "Set");
                let plain = entries.iter().all(|e| kind(*e) != K::KeyedElement);
                match () {
                    _ if name.ends_with("Map") && kind(ty) == K::QualifiedType && self.names_fields(entries) => {
                        Holds::Fields
                    }
                    _ if by_name && !entries.is_empty() && !plain => Holds::Entries,
                    _ if by_name && entries.is_empty() && name != "Values" => Holds::Entries,
                    _ if plain && !entries.is_empty() && is_plural(name) => Holds::Elements,
                    _ => Holds::Fields,
                }
            }
        }
    }

    /// Are all keys names that begin with a capital, and none of them one of the file's own: `corev1.ConfigMap{Data: d}`?
    fn names_fields(&self, entries: &[Node<'a>]) -> bool {
        let field = |e: &Node<'a>| {
            let key = e.key().map(|k| first(k).unwrap_or(k));
            key.is_some_and(|k| {
                let named = matches!(kind(k), K::Ident | K::FieldIdent);
                named && self.text(k).starts_with(char::is_uppercase) && self.local_of(k).is_none()
            })
        };
        !entries.is_empty() && entries.iter().all(field)
    }

    /// `Key: value`. Of a key that is not written out, only the value is kept, or the key of a constant.
    fn entry(
        &mut self,
        entry: Node<'a>,
        holds: Holds,
        inner: Option<Node<'a>>,
        fields: &mut Vec<(Sym, ExprId)>,
        items: &mut Vec<ExprId>,
    ) {
        let (Some(key), Some(value)) = (entry.key(), entry.value()) else {
            self.hole(entry);
            return;
        };
        let value = self.element_value(value, inner);
        let key_node = first(key).unwrap_or(key);
        let local = self.local_of(key_node).is_some();
        if holds == Holds::Fields && matches!(kind(key_node), K::Ident | K::FieldIdent) && !local {
            fields.push((sym(self.text(key_node)), value));
            return;
        }
        if holds == Holds::Fields && kind(key_node) == K::Ident {
            fields.push((sym(self.text(key_node)), value));
            return;
        }
        let key = self.expr(key);
        match *self.arena.get(key) {
            Expr::Lit(Lit::Str(name)) => fields.push((name, value)),
            Expr::Lit(Lit::Num(_)) if holds == Holds::Elements => items.push(self.one(value)),
            Expr::Lit(Lit::Num(n)) => fields.push((sym(&n.to_string()), value)),
            // A constant of a package: the walk knows what it says.
            Expr::Path(constant) => fields.push((sym(&format!("={constant}")), value)),
            _ => {
                let constant = match self.arena.get(value) {
                    Expr::Record(fields) => fields.iter().all(|f| f.0.starts_with('#')),
                    other => matches!(other, Expr::Lit(_)),
                };
                let one = self.one(if constant { key } else { value });
                items.push(one);
            }
        }
    }

    /// The name of a field by its position, of a type of the file.
    fn field_at(&self, ty: Node<'a>, at: usize) -> Option<Sym> {
        self.facts.types.get(&sym(self.text(ty)))?.get(at).copied()
    }

    fn element_value(&mut self, node: Node<'a>, ty: Option<Node<'a>>) -> ExprId {
        let inner = if kind(node) == K::LiteralElement { first(node).unwrap_or(node) } else { node };
        match kind(inner) {
            K::LiteralValue => match self.deeper(|cx| cx.literal_value(inner, ty)) {
                Some(value) => self.at(value, inner),
                None => self.hole_named("too_deep", inner),
            },
            _ => self.expr(inner),
        }
    }

    /// Text and values one after the other; what is text already is taken apart, and neighbouring literals are joined.
    pub fn concat(&mut self, values: &[ExprId]) -> ExprId {
        let mut flat: Vec<ExprId> = Vec::new();
        for value in values {
            let parts = match self.arena.get(*value) {
                Expr::Format(parts) if self.arena.joined(*value).is_none() => parts.clone(),
                _ => vec![*value],
            };
            for part in parts {
                let joined = flat.last().and_then(|l| self.arena.as_str(*l)).zip(self.arena.as_str(part));
                match joined {
                    Some((a, b)) => {
                        let both = self.arena.str(&format!("{a}{b}"));
                        flat.pop();
                        flat.push(both);
                    }
                    None => flat.push(part),
                }
            }
        }
        flat.retain(|p| self.arena.as_str(*p) != Some(""));
        match flat[..] {
            [] => self.arena.str(""),
            [one] if self.is_text(one) => one,
            _ => self.format(flat),
        }
    }

    /// `fmt.Sprintf("%s/%d", a, b)`: the text with its values. One that does not fit them is kept whole in front.
    pub fn formatted(&mut self, template: ExprId, values: Vec<ExprId>) -> ExprId {
        let pieces = self.arena.as_str(template).map(verbs).filter(|p| p.len() == values.len() + 1);
        let Some(pieces) = pieces else {
            let mut all = vec![template];
            all.extend(values);
            return self.format(all);
        };
        let mut all = Vec::new();
        let mut values = values.into_iter();
        for piece in pieces {
            all.push(self.arena.str(&piece));
            all.extend(values.next());
        }
        all.retain(|p| self.arena.as_str(*p) != Some(""));
        self.concat(&all)
    }
}

/// `Names`, `IDs`: more than one of something.
fn is_plural(name: &str) -> bool {
    name.ends_with('s') && !name.ends_with("ss") && !name.ends_with("Status") && !name.ends_with("Options")
        || name.ends_with("List")
}

/// The text of a template between its verbs.
fn verbs(template: &str) -> Vec<String> {
    let (mut pieces, mut now) = (Vec::new(), String::new());
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '%' {
            now.push(c);
            continue;
        }
        if chars.peek() == Some(&'%') {
            chars.next();
            now.push('%');
            continue;
        }
        while chars.next_if(|c| !c.is_alphabetic()).is_some() {}
        if chars.next().is_some() {
            pieces.push(std::mem::take(&mut now));
        }
    }
    pieces.push(now);
    pieces
}

/// One escape of a string.
fn escaped(text: &str) -> String {
    let body = text.strip_prefix('\\').unwrap_or(text);
    let code = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
    let found = match body.chars().next() {
        Some('n') => Some('\n'),
        Some('t') => Some('\t'),
        Some('r') => Some('\r'),
        Some('x' | 'u' | 'U') => code(body.get(1..).unwrap_or_default(), 16),
        Some('0'..='7') => code(body, 8),
        Some('a' | 'b' | 'f' | 'v') => Some(' '),
        Some(c) => Some(c),
        None => None,
    };
    found.map(String::from).unwrap_or_default()
}

fn number(text: &str) -> i64 {
    let plain: String = text.chars().filter(|c| *c != '_').collect();
    let lower = plain.to_ascii_lowercase();
    if let Some(rune) = plain.strip_prefix('\'') {
        return rune.chars().next().map_or(0, |c| i64::from(u32::from(c)));
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(digits) = lower.strip_prefix(prefix) {
            return i64::from_str_radix(digits, radix).unwrap_or(i64::MAX);
        }
    }
    if lower.len() > 1 && lower.starts_with('0') && lower.chars().all(|c| c.is_digit(8)) {
        return i64::from_str_radix(&lower, 8).unwrap_or(i64::MAX);
    }
    match lower.parse::<i64>() {
        Ok(n) => n,
        Err(_) => match lower.parse::<f64>() {
            Ok(f) if f > 0.0 => f.ceil() as i64,
            Ok(f) => f.floor() as i64,
            Err(_) => i64::MAX,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{escaped, number, verbs};

    #[test]
    fn numbers_and_text() {
        let texts = ["0x10", "1_000", "0.5", "'a'", "010", "0b11", "1e3", "99999999999999999999"];
        assert_eq!(texts.map(number), [16, 1000, 1, 97, 8, 3, 1000, i64::MAX]);
        assert_eq!(["\\n", "\\x41", "\\u00e9", "\\101", "\\\""].map(escaped), ["\n", "A", "é", "A", "\""]);
        assert_eq!(verbs("%s-%05d of 5%% %+v"), ["", "-", " of 5% ", ""]);
        assert_eq!(verbs("%"), [""]);
    }
}
