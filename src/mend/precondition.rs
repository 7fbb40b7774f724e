//! A delete that holds only for the object that was looked at.
//!
//! ```text
//! c.CoreV1().Pods(ns).Delete(ctx, p.Name, metav1.DeleteOptions{})
//!     metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions(string(p.UID))}
//! r.Delete(ctx, &pod)
//!     r.Delete(ctx, &pod, client.Preconditions{UID: &pod.UID, ResourceVersion: &pod.ResourceVersion})
//! api.delete_namespaced_pod(pod.metadata.name, ns)
//!     .., body=client.V1DeleteOptions(preconditions=client.V1Preconditions(uid=pod.metadata.uid)))
//! ```

use super::age::call_at;
use super::code::{Code, has_comment, parts};
use super::{Files, edit};
use crate::rules::{Edit, Finding};
use crate::source::Language;
use crate::vocab::idioms;
use tree_sitter::Node;

/// The edits, where the call shows the object.
pub(super) fn edits(finding: &Finding, files: &Files<'_>) -> Option<Vec<Edit>> {
    let code = files.code(finding.at.file)?;
    let call = call_at(&code, code.at(finding.at)?)?;
    let list = call.child_by_field_name("arguments").filter(|list| !has_comment(*list))?;
    match code.language {
        Language::Go => go(&code, list),
        Language::Python => python(&code, list),
        _ => None,
    }
}

fn go(code: &Code<'_>, list: Node<'_>) -> Option<Vec<Edit>> {
    let all = parts(list);
    let last = *all.last()?;
    let text = code.text_of(last);
    if let Some(package) = text.strip_suffix(".DeleteOptions{}") {
        let named = all.iter().find_map(|argument| code.text_of(*argument).strip_suffix(".Name"))?;
        let package = package.trim_start_matches('&');
        let at = last.end_byte() - 1;
        let inner = format!("Preconditions: {package}.NewUIDPreconditions(string({named}.UID))");
        return Some(vec![edit(code, at..at, inner)]);
    }
    let object = text.strip_prefix('&').filter(|of| of.chars().all(|c| c.is_alphanumeric() || c == '_'))?;
    let package = code.text.contains(&idioms().go.client).then_some("client")?;
    let end = last.end_byte();
    let more = format!(", {package}.Preconditions{{UID: &{object}.UID, ResourceVersion: &{object}.ResourceVersion}}");
    Some(vec![edit(code, end..end, more)])
}

fn python(code: &Code<'_>, list: Node<'_>) -> Option<Vec<Edit>> {
    let all = parts(list);
    let text = |node: &Node<'_>| code.text_of(*node);
    if all.iter().any(|argument| text(argument).starts_with("body=") || text(argument).starts_with('*')) {
        return None;
    }
    let of =
        all.iter().find_map(|argument| text(argument).trim_start_matches("name=").strip_suffix(".metadata.name"))?;
    idioms().python.client.iter().any(|line| code.text.contains(line.as_str())).then_some(())?;
    let end = all.last()?.end_byte();
    let options = format!("client.V1DeleteOptions(preconditions=client.V1Preconditions(uid={of}.metadata.uid))");
    Some(vec![edit(code, end..end, format!(", body={options}"))])
}
