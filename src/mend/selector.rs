//! A field selector that the server rejects, asked in the code instead.
//!
//! ```text
//! core.list_namespaced_pod(ns, field_selector="spec.image=old").items
//!     [item for item in core.list_namespaced_pod(ns).items if item.spec.image == "old"]
//! ```
//! Where the selector is one comparison that is written out at the call, and the answer's `items` are taken.

use super::code::{Code, around, has_comment, parts};
use super::{Files, edit};
use crate::rules::{Edit, Finding};
use crate::source::Language;
use crate::vocab::snake;
use tree_sitter::Node;

/// The edits.
pub(super) fn edits(finding: &Finding, files: &Files<'_>) -> Option<Vec<Edit>> {
    let code = files.code(finding.at.file).filter(|code| code.language == Language::Python)?;
    let selector = around(code.at(finding.at)?).find(|node| node.kind() == "keyword_argument")?;
    if code.text_of(selector.child_by_field_name("name")?) != "field_selector" {
        return None;
    }
    let condition = condition(&code, selector.child_by_field_name("value")?)?;
    let list = selector.parent()?;
    let call = list.parent().filter(|call| call.kind() == "call")?;
    let items = around(call)
        .skip(1)
        .take_while(|node| matches!(node.kind(), "attribute" | "await" | "parenthesized_expression"));
    let items = items.into_iter().find(|node| code.text_of(*node).ends_with(".items"))?;
    if has_comment(items) {
        return None;
    }
    Some(vec![
        edit(&code, items.start_byte()..items.start_byte(), "[item for item in "),
        edit(&code, without(&code, list, selector)?, ""),
        edit(&code, items.end_byte()..items.end_byte(), format!(" if {condition}]")),
    ])
}

/// An argument with the comma that goes with it.
fn without(code: &Code<'_>, list: Node<'_>, argument: Node<'_>) -> Option<std::ops::Range<usize>> {
    let all = parts(list);
    let at = all.iter().position(|node| node.id() == argument.id())?;
    match (at.checked_sub(1).and_then(|before| all.get(before)), all.get(at + 1)) {
        (Some(before), _) => Some(before.end_byte()..argument.end_byte()),
        (None, Some(next)) => Some(argument.start_byte()..next.start_byte()),
        (None, None) => Some(argument.start_byte()..code.text_of(list).len() - 1 + list.start_byte()),
    }
}

/// The comparison, as a condition on `item`.
fn condition(code: &Code<'_>, value: Node<'_>) -> Option<String> {
    let text = code.text_of(value);
    let (formatted, inner) = match text.strip_prefix('f') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let inner = ['"', '\''].iter().find_map(|quote| inner.strip_prefix(*quote)?.strip_suffix(*quote))?;
    let (key, operator, wanted) = split(inner)?;
    if inner.contains([',', '\\']) || key.is_empty() {
        return None;
    }
    let wanted = match wanted.strip_prefix('{').and_then(|w| w.strip_suffix('}')).filter(|_| formatted) {
        Some(name) if name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.')) => name.to_owned(),
        _ if wanted.contains(['{', '"']) => return None,
        _ => format!("\"{wanted}\""),
    };
    let found = match key.strip_prefix("metadata.labels.").or_else(|| key.strip_prefix("metadata.annotations.")) {
        Some(label) => {
            let map = key.trim_end_matches(label).trim_end_matches('.');
            format!("(item.{map} or {{}}).get(\"{label}\")")
        }
        None if key.chars().all(|c| c.is_alphanumeric() || c == '.') => {
            let parts: Vec<String> = key.split('.').map(snake).collect();
            format!("item.{}", parts.join("."))
        }
        None => return None,
    };
    Some(format!("{found} {operator} {wanted}"))
}

fn split(text: &str) -> Option<(&str, &'static str, &str)> {
    for (written, operator) in [("!=", "!="), ("==", "=="), ("=", "==")] {
        if let Some((key, value)) = text.split_once(written) {
            return Some((key.trim(), operator, value.trim()));
        }
    }
    None
}
