//! The failure of a read let out, where it is taken for an empty answer.
//!
//! ```text
//! except ApiError: pods = []               except ApiError: raise
//! if err != nil { log.Print(err) }         if err != nil { log.Print(err); return err }
//! pods, _ := list()                        pods, err := list(); if err != nil { return err }
//! list().await.unwrap_or_default()         list().await?
//! Err(_) => vec![]                         Err(error) => return Err(error.into())
//! ```
//! In Go and Rust only where the function gives an error back.

use super::code::{Code, FUNCTIONS, around, function_of, parts, statement_of, within_function};
use super::{Files, edit};
use crate::rules::{Edit, Finding, Part};
use crate::source::Language;
use tree_sitter::Node;

/// The edits, for the first of the reads whose failure is taken so.
pub(super) fn edits(finding: &Finding, files: &Files<'_>) -> Option<Vec<Edit>> {
    let reads = finding.steps.iter().filter(|s| matches!(s.part, Part::Lookup | Part::Reference | Part::Helper));
    // The read itself before the helper that makes it.
    let (reads, helpers): (Vec<_>, Vec<_>) = reads.partition(|step| step.part != Part::Helper);
    reads.into_iter().chain(helpers).find_map(|step| {
        let code = files.code(step.span.file)?;
        let node = code.at(step.span)?;
        match code.language {
            Language::Python => handler(&code, node, finding),
            Language::Go => checked(&code, node),
            Language::Rust => question(&code, node).or_else(|| arm(&code, node)),
            _ => None,
        }
    })
}

/// The last handler of the `try` around a read, for it is the one that takes most.
fn handler(code: &Code<'_>, node: Node<'_>, finding: &Finding) -> Option<Vec<Edit>> {
    let whole = within_function(node).find(|at| {
        let Some(parent) = at.parent().filter(|p| p.kind() == "try_statement") else { return false };
        parent.child_by_field_name("body").is_some_and(|body| body.id() == at.id())
    })?;
    let mut clauses = parts(whole.parent()?).into_iter().filter(|part| part.kind() == "except_clause");
    let clause = clauses.next_back()?;
    // What is deleted in the handler itself would be deleted all the same.
    let whole = crate::source::Span::new(code.file, clause.start_byte(), clause.end_byte());
    let deletes = finding.steps.iter().filter(|step| step.part == Part::Helper).map(|step| step.span);
    if deletes.chain([finding.at]).any(|at| whole.contains(at)) {
        return None;
    }
    let body = parts(clause).into_iter().find(|part| part.kind() == "block")?;
    let last = *parts(body).last()?;
    match last.kind() {
        "raise_statement" => None,
        "pass_statement" | "continue_statement" | "return_statement" => {
            Some(vec![edit(code, last.byte_range(), "raise")])
        }
        "expression_statement" if empties(code, last) => Some(vec![edit(code, last.byte_range(), "raise")]),
        _ => Some(vec![line_behind(code, last, "raise")]),
    }
}

/// A line behind a statement, and behind what else stands on its line.
fn line_behind(code: &Code<'_>, statement: Node<'_>, line: &str) -> Edit {
    let end = code.line_end(statement.end_byte());
    let rest = code.slice(statement.end_byte()..end);
    let at = statement.end_byte() + rest.trim_end_matches(['\n', '\r']).len();
    edit(code, at..at, format!("{}{}{line}", code.newline(), code.indent(statement)))
}

/// `pods = []`
fn empties(code: &Code<'_>, statement: Node<'_>) -> bool {
    let assignment = parts(statement).into_iter().find(|part| part.kind() == "assignment");
    let value = assignment.and_then(|a| a.child_by_field_name("right")).map(|value| code.text_of(value));
    value.is_some_and(|value| matches!(value, "[]" | "{}" | "()" | "set()" | "list()" | "dict()" | "None"))
}

/// The check behind `x, err := f()`, or one that is put there.
fn checked(code: &Code<'_>, node: Node<'_>) -> Option<Vec<Edit>> {
    let statement = statement_of(node)?;
    let given = returned(code, function_of(node)?)?;
    if statement.kind() == "if_statement" {
        // `if err := f(); err != nil { .. }`
        return ends_with(code, statement, &given);
    }
    let names = code.text_of(statement.child_by_field_name("left")?);
    if let Some(kept) = names.strip_suffix(", _") {
        let left = statement.child_by_field_name("left")?;
        let (nl, indent) = (code.newline(), code.indent(statement));
        let check = format!("{nl}{indent}if err != nil {{{nl}{indent}{}{given}{nl}{indent}}}", code.step());
        let end = statement.end_byte();
        return Some(vec![edit(code, left.byte_range(), format!("{kept}, err")), edit(code, end..end, check)]);
    }
    ends_with(code, statement.next_named_sibling()?, &given)
}

/// The block of an `if err != nil` made to end with a return of the error.
fn ends_with(code: &Code<'_>, check: Node<'_>, given: &str) -> Option<Vec<Edit>> {
    let condition = check.child_by_field_name("condition")?;
    if check.kind() != "if_statement" || !code.text_of(condition).ends_with("!= nil") {
        return None;
    }
    let body = parts(check.child_by_field_name("consequence")?);
    let statements = body.first().filter(|list| list.kind() == "statement_list").map(|list| parts(*list))?;
    let last = *statements.last()?;
    let error = code.text_of(condition).trim_end_matches("!= nil").trim();
    let given = given.replace("err", error);
    match last.kind() {
        "return_statement" | "continue_statement" if code.text_of(last) == given => None,
        "return_statement" | "continue_statement" => Some(vec![edit(code, last.byte_range(), given)]),
        _ => Some(vec![line_behind(code, last, &given)]),
    }
}

/// `return nil, err`: what a function of Go gives back when it fails; nothing where it gives back no error.
fn returned(code: &Code<'_>, function: Node<'_>) -> Option<String> {
    let result = function.child_by_field_name("result")?;
    let types: Vec<&str> = match result.kind() {
        "parameter_list" => {
            let declared = parts(result);
            declared.iter().filter_map(|d| d.child_by_field_name("type")).map(|node| code.text_of(node)).collect()
        }
        _ => vec![code.text_of(result)],
    };
    let (last, others) = types.split_last()?;
    if *last != "error" {
        return None;
    }
    let zeros: Option<Vec<&str>> = others.iter().map(|of| zero(of)).collect();
    let all: Vec<&str> = zeros?.into_iter().chain(["err"]).collect();
    Some(format!("return {}", all.join(", ")))
}

fn zero(of: &str) -> Option<&'static str> {
    match of {
        "bool" => Some("false"),
        "string" => Some("\"\""),
        "int" | "int32" | "int64" | "uint" | "uint32" | "uint64" | "float64" => Some("0"),
        _ if of.starts_with(['*', '[']) || of.starts_with("map[") || of.starts_with("interface") => Some("nil"),
        _ => None,
    }
}

/// Does the function of Rust around a node give back a `Result`, with no closure in between?
fn fails(code: &Code<'_>, node: Node<'_>) -> bool {
    let function = around(node).find(|node| FUNCTIONS.contains(&node.kind())).filter(|f| f.kind() == "function_item");
    let returned = function.and_then(|f| f.child_by_field_name("return_type"));
    returned.is_some_and(|of| code.text_of(of).contains("Result"))
}

/// `.unwrap_or_default()`, `.unwrap_or(..)`, `.unwrap_or_else(..)` behind a read.
fn question(code: &Code<'_>, node: Node<'_>) -> Option<Vec<Edit>> {
    if !fails(code, node) {
        return None;
    }
    let call = within_function(node).find(|call| {
        let name = call.child_by_field_name("function").and_then(|f| f.child_by_field_name("field"));
        let name = name.map(|name| code.text_of(name)).unwrap_or_default();
        call.kind() == "call_expression" && name.starts_with("unwrap_or")
    })?;
    let read = call.child_by_field_name("function")?.child_by_field_name("value")?;
    Some(vec![edit(code, read.end_byte()..call.end_byte(), "?")])
}

/// `Err(_) => ..` of a `match` on a read.
fn arm(code: &Code<'_>, node: Node<'_>) -> Option<Vec<Edit>> {
    if !fails(code, node) {
        return None;
    }
    let whole = within_function(node).find(|at| at.kind() == "match_expression")?;
    let arms = parts(whole.child_by_field_name("body")?);
    let arm = arms.into_iter().find(|arm| {
        let pattern = arm.child_by_field_name("pattern").map(|p| code.text_of(p)).unwrap_or_default();
        pattern.starts_with("Err(")
    })?;
    let (pattern, value) = (arm.child_by_field_name("pattern")?, arm.child_by_field_name("value")?);
    if super::code::has_comment(value) {
        return None;
    }
    let named = code.text_of(pattern).trim_start_matches("Err(").trim_end_matches(')');
    let name = if named == "_" { "error" } else { named };
    if !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let pattern = edit(code, pattern.byte_range(), format!("Err({name})"));
    Some(vec![pattern, edit(code, value.byte_range(), format!("return Err({name}.into())"))])
}
