//! A test of the target's age before it is deleted.
//!
//! ```text
//! for pod in pods:
//!     + if datetime.now(timezone.utc) - pod.metadata.creation_timestamp < timedelta(minutes=10):
//!     +     continue
//!     api.delete_namespaced_pod(pod.metadata.name, ns)
//! ```
//! Where the call itself shows what knows the time: an object of Kubernetes by its own name, or a path of the host. The
//! test leaves the loop's turn, so there must be one, and it must be the one that goes through the targets.

mod imports;

use super::code::{Code, FUNCTIONS, LOOPS, around, below, parts, statement_of, within_function};
use super::{Files, edit};
use crate::rules::{Edit, Finding};
use crate::source::Language;
use crate::vocab::idioms;
use tree_sitter::Node;

/// The edits: the test, and what it needs imported.
pub(super) fn edits(finding: &Finding, files: &Files<'_>) -> Option<Vec<Edit>> {
    let code = files.code(finding.at.file)?;
    let call = call_at(&code, code.at(finding.at)?)?;
    let statement = statement_of(call)?;
    let mut edits = vec![];
    let test = match code.language {
        Language::Python => python(&code, call, &mut edits)?,
        Language::Go => go(&code, call, &mut edits)?,
        Language::Rust => rust(&code, call)?,
        _ => return None,
    };
    goes_through(&code, call, &test.subject)?;
    let (nl, indent, step) = (code.newline(), code.indent(statement), code.step());
    let lines = match code.language {
        Language::Python => format!("{indent}if {}:{nl}{indent}{step}continue{nl}", test.young),
        Language::Go => format!("{indent}if {} {{{nl}{indent}{step}continue{nl}{indent}}}{nl}", test.young),
        _ => format!("{indent}if {} {{{nl}{indent}{step}continue;{nl}{indent}}}{nl}", test.young),
    };
    let at = code.line_start(statement.start_byte());
    edits.push(edit(&code, at..at, lines));
    Some(edits)
}

/// A condition that holds for what is young.
struct Test {
    young: String,
    /// The name that it asks.
    subject: String,
}

/// The call whose name stands in a place.
pub(super) fn call_at<'t>(code: &Code<'_>, node: Node<'t>) -> Option<Node<'t>> {
    let call = around(node).find(|node| matches!(node.kind(), "call" | "call_expression"))?;
    let function = call.child_by_field_name("function")?;
    // The name is the end of what is called, not a part of an argument.
    (function.end_byte() == node.end_byte() && !code.text_of(call).is_empty()).then_some(call)
}

/// The innermost loop is the one whose variable the subject is, or is taken from.
fn goes_through(code: &Code<'_>, call: Node<'_>, subject: &str) -> Option<()> {
    let root = root_of(subject);
    let inner = within_function(call).find(|node| LOOPS.contains(&node.kind()))?;
    let variable = match inner.child_by_field_name("left").or_else(|| inner.child_by_field_name("pattern")) {
        Some(left) => left,
        None => parts(inner).into_iter().find(|part| part.kind() == "range_clause")?.child_by_field_name("left")?,
    };
    let names = |node: Node<'_>| {
        below(node).into_iter().filter(|n| n.kind() == "identifier").map(|n| code.text_of(n)).collect::<Vec<_>>()
    };
    if names(variable).contains(&root) {
        return Some(());
    }
    // `path = os.path.join(root, name)`, inside the loop.
    let body = inner.child_by_field_name("body")?;
    let mut words = value_of(code, body, root)?.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| names(variable).contains(&word)).then_some(())
}

fn root_of(path: &str) -> &str {
    let path = path.trim_start_matches(['&', '*']);
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// What a name is given in a block, if it is given one thing there.
fn value_of<'a>(code: &Code<'a>, block: Node<'_>, name: &str) -> Option<&'a str> {
    let mut values = below(block).into_iter().filter_map(|node| {
        let (target, value) = match node.kind() {
            "assignment" | "short_var_declaration" => {
                (node.child_by_field_name("left")?, node.child_by_field_name("right")?)
            }
            "let_declaration" => (node.child_by_field_name("pattern")?, node.child_by_field_name("value")?),
            _ => return None,
        };
        (code.text_of(target) == name).then(|| code.text_of(value))
    });
    let first = values.next()?;
    values.next().is_none().then_some(first)
}

/// The text of each argument.
fn arguments<'a>(code: &Code<'a>, call: Node<'_>) -> Vec<&'a str> {
    call.child_by_field_name("arguments").map(parts).unwrap_or_default().into_iter().map(|a| code.text_of(a)).collect()
}

/// An argument, or what it was given where it is a name.
fn written<'a>(code: &Code<'a>, call: Node<'_>, argument: &'a str) -> &'a str {
    let function = around(call).find(|node| FUNCTIONS.contains(&node.kind())).unwrap_or(code.root());
    let plain = argument.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { value_of(code, function, argument).unwrap_or(argument) } else { argument }
}

fn python(code: &Code<'_>, call: Node<'_>, edits: &mut Vec<Edit>) -> Option<Test> {
    let called = code.text_of(call.child_by_field_name("function")?);
    let all = arguments(code, call);
    let metadata = all.iter().find_map(|argument| {
        let argument = argument.split_once('=').filter(|(key, _)| *key == "name").map_or(*argument, |(_, value)| value);
        let of = written(code, call, argument).strip_suffix(".name")?;
        // `meta = pod.metadata`
        (of.ends_with(".metadata") || written(code, call, of).ends_with(".metadata")).then(|| of.to_owned())
    });
    if let Some(of) = metadata {
        let names = imports::python_datetime(code, edits)?;
        let born = format!("{of}.creation_timestamp");
        let young = format!("{}.now({}) - {born} < {}(minutes=10)", names.datetime, names.utc, names.timedelta);
        return Some(Test { young, subject: of });
    }
    let (given, method) = (&idioms().path, &idioms().path_object);
    let removes = given.calls.iter().any(|name| name == called);
    let (changed, subject) = if removes {
        (&given.changed, *all.first()?)
    } else {
        (&method.changed, method.methods.iter().find_map(|name| called.strip_suffix(name.as_str()))?)
    };
    imports::python_module(code, "time", edits)?;
    if removes {
        imports::python_module(code, &given.module, edits)?;
    }
    let young = format!("time.time() - {} < 600", changed.replace("{}", subject));
    Some(Test { young, subject: root_of(subject).to_owned() })
}

fn go(code: &Code<'_>, call: Node<'_>, edits: &mut Vec<Edit>) -> Option<Test> {
    let all = arguments(code, call);
    let dated = code.text.contains(&idioms().go.objects);
    let born = all.iter().find_map(|argument| {
        let value = written(code, call, argument);
        if let Some(of) = value.strip_suffix(".GetName()") {
            return Some((format!("{of}.GetCreationTimestamp().Time"), of.to_owned()));
        }
        if let Some(of) = value.strip_suffix(".Name") {
            return Some((format!("{of}.CreationTimestamp.Time"), of.to_owned()));
        }
        // `c.Delete(ctx, &pod)`
        let of = value.strip_prefix('&')?;
        let plain = of.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']'));
        plain.then(|| (format!("{of}.CreationTimestamp.Time"), of.to_owned()))
    });
    let (born, subject) = born.filter(|_| dated)?;
    imports::go_package(code, "time", edits)?;
    Some(Test { young: format!("time.Since({born}) < 10*time.Minute"), subject })
}

fn rust(code: &Code<'_>, call: Node<'_>) -> Option<Test> {
    let all = arguments(code, call);
    let subject = all.iter().find_map(|argument| {
        let value = written(code, call, argument.trim_start_matches('&'));
        value.trim_start_matches('&').strip_suffix(".name_any()").map(str::to_owned)
    })?;
    // The clock that the file already has.
    let clock = idioms().rust.iter().find(|clock| code.text.contains(&clock.name))?;
    let (since, span) = (clock.age.replace("{}", "t.0"), &clock.span);
    let young = format!("{subject}.creation_timestamp().is_none_or(|t| {since} < {span})");
    Some(Test { young, subject })
}
