//! The candidates listed first, and what is in use read last.
//!
//! ```text
//! pods = list_pods()                      secrets = list_secrets()
//! used = {p.secret for p in pods}         pods = list_pods()
//! secrets = list_secrets()                used = {p.secret for p in pods}
//! ```
//! The read of what is in use moves behind the listing, with everything between the two that rests on it. Where the
//! listing rests on it, or something that stays gives it a value, nothing is moved.

use super::code::{Code, around, below, has_comment, statement_of};
use super::{Files, edit};
use crate::rules::{Edit, Finding, Part, Step};
use crate::source::Language;
use tree_sitter::Node;

/// The edits, where both reads are statements of one block.
pub(super) fn edits(finding: &Finding, files: &Files<'_>) -> Option<Vec<Edit>> {
    // Where the reads stand in helpers, it is the calls of those that are put in order.
    let reads = |parts: &'static [Part]| finding.steps.iter().filter(move |step| parts.contains(&step.part));
    for candidates in reads(&[Part::Candidates, Part::Helper]) {
        for reference in reads(&[Part::Reference, Part::Lookup, Part::Helper]) {
            if let Some(edits) = swapped(reference, candidates, files) {
                return Some(edits);
            }
        }
    }
    None
}

fn swapped(reference: &Step, candidates: &Step, files: &Files<'_>) -> Option<Vec<Edit>> {
    if reference.span.file != candidates.span.file || reference.span.start >= candidates.span.start {
        return None;
    }
    let code = files.code(reference.span.file)?;
    let (first, second) = (statement_of(code.at(reference.span)?)?, statement_of(code.at(candidates.span)?)?);
    let block = first.parent()?;
    if second.parent()?.id() != block.id() || first.id() == second.id() || assigned(&code, second).is_empty() {
        return None;
    }
    let mut cursor = block.walk();
    let all: Vec<Node<'_>> = block.named_children(&mut cursor).collect();
    let at = |node: Node<'_>| all.iter().position(|other| other.id() == node.id());
    let (from, to) = (at(first)?, at(second)?);
    let to = to + usize::from(all.get(to + 1).is_some_and(|next| checks_error(&code, *next)));
    let between = all.get(from..=to)?;
    let moved = moving(&code, between, at(second)? - from)?;
    let lines = |node: Node<'_>| code.line_start(node.start_byte())..code.line_end(node.end_byte());
    // Only whole lines are moved, and no remark is torn from what it is about.
    let alone = |node: &Node<'_>| {
        let range = lines(*node);
        !has_comment(*node) && code.slice(range.start..range.end).trim() == code.text_of(*node)
    };
    if between.iter().any(|node| node.kind().contains("comment") || !alone(node)) {
        return None;
    }
    let end = lines(*between.last()?).end;
    let mut text = String::new();
    let mut edits = vec![];
    for (node, _) in between.iter().zip(&moved).filter(|(_, moved)| **moved) {
        text.push_str(code.slice(lines(*node)));
        edits.push(edit(&code, lines(*node), ""));
    }
    edits.push(edit(&code, end..end, text));
    Some(edits)
}

/// Which of the statements, from the read of what is in use on, must move with it; nothing where the listing itself, or
/// its check, would have to.
fn moving(code: &Code<'_>, statements: &[Node<'_>], listing: usize) -> Option<Vec<bool>> {
    let mut names: Vec<&str> = assigned(code, *statements.first()?);
    let mut moved = vec![true];
    for (at, statement) in statements.iter().enumerate().skip(1) {
        let follows = checks_error(code, *statement) && moved.last() == Some(&true);
        let rests = mentions(code, *statement, &names) || follows;
        if at >= listing {
            if rests && !(at > listing && checks_error(code, *statement)) {
                return None;
            }
            moved.push(false);
            continue;
        }
        let leaves = below(*statement).iter().any(|n| matches!(n.kind(), "return_statement" | "return_expression"));
        if !rests && (leaves || assigned(code, *statement).iter().any(|name| names.contains(name))) {
            return None;
        }
        if rests {
            names.extend(assigned(code, *statement));
        }
        moved.push(rests);
    }
    Some(moved)
}

/// The names that a statement gives a value, an error's aside: every read has one.
fn assigned<'a>(code: &Code<'a>, statement: Node<'_>) -> Vec<&'a str> {
    let targets = below(statement).into_iter().filter_map(|node| match node.kind() {
        "assignment" | "short_var_declaration" | "assignment_statement" | "for_statement" | "range_clause" => {
            node.child_by_field_name("left")
        }
        "let_declaration" => node.child_by_field_name("pattern"),
        "named_expression" => node.child_by_field_name("name"),
        _ => None,
    });
    let names = targets.flat_map(below).filter(|node| node.kind() == "identifier").map(|node| code.text_of(node));
    names.filter(|name| !matches!(*name, "err" | "_" | "ok")).collect()
}

fn mentions(code: &Code<'_>, statement: Node<'_>, names: &[&str]) -> bool {
    below(statement).iter().any(|node| {
        let field = node.parent().is_some_and(|p| {
            p.child_by_field_name("attribute")
                .or_else(|| p.child_by_field_name("field"))
                .is_some_and(|f| f.id() == node.id())
        });
        node.kind() == "identifier" && !field && names.contains(&code.text_of(*node))
    })
}

/// `if err != nil { .. }` behind a read.
fn checks_error(code: &Code<'_>, node: Node<'_>) -> bool {
    let condition = node.child_by_field_name("condition").map(|c| code.text_of(c)).unwrap_or_default();
    code.language == Language::Go
        && node.kind() == "if_statement"
        && node.child_by_field_name("initializer").is_none()
        && condition == "err != nil"
        && around(node).next().is_some()
}
