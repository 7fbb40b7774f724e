//! The guard turned round: only what was found, and is finished, may go.
//!
//! ```text
//! row is None or not is_active(row)        row is not None and not is_active(row)
//! row == nil || !isActive(row)             row != nil && !isActive(row)
//! row.is_none_or(|row| !row.active)        row.is_some_and(|row| !row.active)
//! if row is None: return True              if row is None: return False
//! ```
//! A test for absence that stands alone, with nothing that says "finished" beside it, has no such form.

use super::code::{Code, below, function_of, has_comment, parts, within_function};
use super::{Files, edit};
use crate::rules::{Edit, Finding, Part};
use crate::source::Language;
use tree_sitter::Node;

/// The edits, where one of the guards has such a form.
pub(super) fn edits(finding: &Finding, files: &Files<'_>) -> Option<Vec<Edit>> {
    let guards = finding.steps.iter().filter(|step| matches!(step.part, Part::Guard | Part::Lookup));
    guards.rev().find_map(|step| {
        let code = files.code(step.span.file)?;
        let node = code.at(step.span)?;
        let around = within_function(node).find_map(|node| rewritten(&code, node));
        around.or_else(|| asked_later(&code, node))
    })
}

/// What is looked up gets a name, and the name is asked: `lab = find(..)`, `if lab is None or ..`.
fn asked_later(code: &Code<'_>, lookup: Node<'_>) -> Option<Vec<Edit>> {
    let given = within_function(lookup).find(|node| {
        matches!(node.kind(), "assignment" | "short_var_declaration" | "assignment_statement" | "let_declaration")
    })?;
    let target = given.child_by_field_name("left").or_else(|| given.child_by_field_name("pattern"))?;
    let name = below(target).into_iter().find(|node| node.kind() == "identifier").map(|node| code.text_of(node))?;
    let uses = below(function_of(lookup)?).into_iter().filter(|node| {
        node.start_byte() > given.end_byte() && node.kind() == "identifier" && code.text_of(*node) == name
    });
    // In the body of what asks it no answer is given any more.
    uses.into_iter().find_map(|node| {
        let asking = within_function(node).take_while(|at| !matches!(at.kind(), "block" | "statement_list"));
        asking.into_iter().find_map(|at| rewritten(code, at))
    })
}

fn rewritten(code: &Code<'_>, node: Node<'_>) -> Option<Vec<Edit>> {
    let chain = match (code.language, node.kind()) {
        (Language::Python, "boolean_operator") => operator(code, node)? == "or",
        (Language::Go | Language::Rust, "binary_expression") => operator(code, node)? == "||",
        (Language::Python | Language::Go, "if_statement") | (Language::Rust, "if_expression") => {
            return says_yes(code, node);
        }
        (Language::Rust, "call_expression") => return option_test(code, node),
        (Language::Rust, "match_arm") => return none_arm(code, node),
        _ => false,
    };
    // The whole chain, not a part of it.
    let whole = node
        .parent()
        .is_none_or(|parent| parent.kind() != node.kind() || operator(code, parent) != operator(code, node));
    if !chain || !whole || has_comment(node) {
        return None;
    }
    alternatives(code, node)
}

fn operator<'a>(code: &Code<'a>, node: Node<'_>) -> Option<&'a str> {
    Some(code.text_of(node.child_by_field_name("operator")?))
}

/// The operands of a chain of one operator, in their order. Chains lean to the left, however long they are.
fn operands<'t>(code: &Code<'_>, node: Node<'t>) -> Vec<Node<'t>> {
    let (mut out, mut at) = (vec![], node);
    loop {
        out.extend(at.child_by_field_name("right"));
        let Some(left) = at.child_by_field_name("left") else { break };
        if left.kind() != node.kind() || operator(code, left) != operator(code, node) {
            out.push(left);
            break;
        }
        at = left;
    }
    out.reverse();
    out
}

/// `absent or B or C` becomes `present and (B or C)`.
fn alternatives(code: &Code<'_>, node: Node<'_>) -> Option<Vec<Edit>> {
    let all = operands(code, node);
    let (first, rest) = all.split_first()?;
    let (or, and) = if code.language == Language::Python { ("or", "and") } else { ("||", "&&") };
    let at = all.iter().position(|operand| present(code, *operand).is_some())?;
    let found = present(code, *all.get(at)?)?;
    if at == 0 && rest.len() == 1 {
        // Nothing moves: line breaks and brackets stay as they are.
        let between = first.end_byte()..rest.first()?.start_byte();
        let place = between.start + code.slice(between).find(or)?;
        let mut edits = vec![edit(code, first.byte_range(), found), edit(code, place..place + or.len(), and)];
        if binds_weaker(rest.first()?.kind()) {
            let range = rest.first()?.byte_range();
            edits.push(edit(code, range.start..range.start, "("));
            edits.push(edit(code, range.end..range.end, ")"));
        }
        return Some(edits);
    }
    let others = all.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, operand)| *operand);
    let others: Vec<&str> = others.map(|operand| code.text_of(operand)).collect();
    if code.text_of(node).contains('\n') || others.is_empty() {
        return None;
    }
    let others = if others.len() == 1 { others.concat() } else { format!("({})", others.join(&format!(" {or} "))) };
    Some(vec![edit(code, node.byte_range(), format!("{found} {and} {others}"))])
}

fn binds_weaker(kind: &str) -> bool {
    matches!(kind, "conditional_expression" | "lambda" | "named_expression")
}

/// A test for absence, as the test for presence.
fn present(code: &Code<'_>, node: Node<'_>) -> Option<String> {
    let text = code.text_of(node);
    match (code.language, node.kind()) {
        (_, "parenthesized_expression") => {
            let inner = *parts(node).first()?;
            present(code, inner)
        }
        (Language::Python, "not_operator") => Some(code.text_of(node.child_by_field_name("argument")?).to_owned()),
        (Language::Python, "comparison_operator") => {
            swapped(text, &[(" is None", " is not None"), (" == None", " is not None"), (" not in ", " in ")])
        }
        (Language::Go, "unary_expression") => text.strip_prefix('!').map(str::to_owned),
        (Language::Go, "binary_expression") => swapped(text, &[(" == nil", " != nil"), (" == 0", " > 0")]),
        (Language::Rust, "unary_expression") => text.strip_prefix('!').map(str::to_owned),
        (Language::Rust, "call_expression") => match text.strip_suffix(".is_empty()") {
            Some(of) => Some(format!("!{of}.is_empty()")),
            None => swapped(text, &[(".is_none()", ".is_some()")]),
        },
        _ => None,
    }
}

/// The text with the first of the words that is in it put for its opposite; nothing where it is there twice.
fn swapped(text: &str, words: &[(&str, &str)]) -> Option<String> {
    let (word, opposite) = words.iter().find(|(word, _)| text.matches(word).count() == 1)?;
    Some(text.replacen(word, opposite, 1))
}

/// `if absent { return true }`
fn says_yes(code: &Code<'_>, node: Node<'_>) -> Option<Vec<Edit>> {
    present(code, node.child_by_field_name("condition")?)?;
    let mut body = parts(node.child_by_field_name("consequence")?);
    if let [list] = body[..]
        && list.kind() == "statement_list"
    {
        body = parts(list);
    }
    let [only] = body[..] else { return None };
    let (yes, no) = if code.language == Language::Python { ("True", "False") } else { ("true", "false") };
    let text = code.text_of(only).trim_end_matches(';');
    let value = text.strip_prefix("return")?.trim();
    let end = only.start_byte() + text.len();
    (value == yes).then(|| vec![edit(code, end - yes.len()..end, no)])
}

/// `row.is_none_or(..)`, `row.map_or(true, ..)`
fn option_test(code: &Code<'_>, node: Node<'_>) -> Option<Vec<Edit>> {
    let function = node.child_by_field_name("function")?;
    let name = function.child_by_field_name("field")?;
    match code.text_of(name) {
        "is_none_or" => Some(vec![edit(code, name.byte_range(), "is_some_and")]),
        "map_or" => {
            let first = *parts(node.child_by_field_name("arguments")?).first()?;
            (code.text_of(first) == "true").then(|| vec![edit(code, first.byte_range(), "false")])
        }
        _ => None,
    }
}

/// `None => true`
fn none_arm(code: &Code<'_>, node: Node<'_>) -> Option<Vec<Edit>> {
    let (pattern, value) = (node.child_by_field_name("pattern")?, node.child_by_field_name("value")?);
    let yes = code.text_of(pattern) == "None" && code.text_of(value) == "true";
    yes.then(|| vec![edit(code, value.byte_range(), "false")])
}
