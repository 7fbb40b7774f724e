//! Objects that choose workloads by their labels, or demand labels of them: `rules/tables/tools.toml` says which.
//!
//! ```yaml
//! kind: ClusterCleanupPolicy                                     # Kyverno deletes Deployments by x.io/season
//! spec: {match: {any: [{resources: {kinds: [Deployment], selector: {matchLabels: {x.io/season: old}}}}]}}
//! ---
//! kind: ValidatingAdmissionPolicy                                # nobody may write one without x.io/owner
//! spec: {validations: [{expression: "'x.io/owner' in object.metadata.labels"}]}
//! ---
//! rules: [{resources: [deployments], jmespath: "!(metadata.labels.owner)", ttl: 4d}]      # kube-janitor
//! ```
//! What chooses Pods alone says nothing of workloads.

use super::commands::kind_of;
use crate::lang::in_test_folder;
use crate::manifest::Manifests;
use crate::manifest::object::{Document, Object};
use crate::manifest::yaml::{NodeId, Tree};
use crate::rules::LabelUse;
use crate::source::{Sources, Span};
use crate::vocab::{Chooser, tools};

/// The labels that objects choose workloads by.
pub(super) fn labels(manifests: &Manifests, sources: &Sources) -> Vec<LabelUse> {
    let mut out = vec![];
    for doc in &manifests.documents {
        // What a test's policy chooses, it chooses among the test's own.
        if in_test_folder(&sources.get(doc.file).path) {
            continue;
        }
        let objects = doc.objects();
        out.extend(objects.iter().flat_map(chosen));
        out.extend(objects.iter().filter_map(stamped));
        out.extend(janitor(doc));
    }
    out
}

/// A label, and the one value it is chosen by.
type Asked = (String, Option<String>, NodeId);

fn chosen(o: &Object) -> Vec<LabelUse> {
    let (Some(kind), api) = (o.kind(), o.api()) else { return vec![] };
    let group = api.split_once('/').map_or("", |(group, _)| group);
    let mut out = vec![];
    for c in tools().choosers.iter().filter(|c| c.is(group, kind)) {
        for holder in c.at.iter().flat_map(|path| all(&o.doc.tree, o.root, path)) {
            let Some(kinds) = kinds(&o.doc.tree, holder, &c.about) else { continue };
            for (key, value, node) in asked(o.doc, holder, c) {
                let text = format!("{} by `{key}` here", c.does);
                out.push(LabelUse { key, kinds: kinds.clone(), value, at: o.doc.place(node), text });
            }
        }
    }
    out
}

/// What one holder of selectors asks for.
fn asked(doc: &Document, holder: NodeId, c: &Chooser) -> Vec<Asked> {
    let tree = &doc.tree;
    let of = |paths: &[String]| paths.iter().flat_map(|path| all(tree, holder, path)).collect::<Vec<_>>();
    let mut out: Vec<Asked> = of(&c.selectors).into_iter().flat_map(|s| selected(doc, s)).collect();
    let demanded = of(&c.demanded).into_iter().flat_map(|map| tree.pairs(map)).map(|(key, _)| key);
    let keys = demanded.chain(of(&c.keys)).filter(|k| doc.is_literal(*k));
    out.extend(keys.filter_map(|k| Some((tree.text(k)?.to_owned(), None, k))));
    for node in of(&c.expressions) {
        let keys = tree.text(node).map(read_labels).unwrap_or_default();
        out.extend(keys.into_iter().map(|key| (key, None, node)));
    }
    // `(x)`, `=(x)`: what is not demanded of all.
    out.retain(|(key, ..)| !key.contains(['(', '*', '?']) && !key.is_empty());
    out
}

/// The labels of a selector: `matchLabels`, `matchExpressions`.
fn selected(doc: &Document, selector: NodeId) -> Vec<Asked> {
    let tree = &doc.tree;
    let mut out = vec![];
    for (key, value) in tree.field(selector, "matchLabels").map(|m| tree.pairs(m)).unwrap_or_default() {
        let told = tree.text(value).filter(|v| doc.is_literal(value) && !v.contains(['*', '?']));
        out.extend(tree.text(key).map(|k| (k.to_owned(), told.map(str::to_owned), key)));
    }
    for term in tree.field(selector, "matchExpressions").map(|l| tree.list(l)).unwrap_or_default() {
        let Some(key) = tree.field(*term, "key") else { continue };
        let values = tree.field(*term, "values").map(|l| tree.list(l)).unwrap_or_default();
        let value = match (tree.text_at(*term, &["operator"]), values) {
            (Some("In"), [one]) if doc.is_literal(*one) => tree.text(*one).map(str::to_owned),
            _ => None,
        };
        out.extend(tree.text(key).map(|k| (k.to_owned(), value, key)));
    }
    out.retain(|(_, _, key)| doc.is_literal(*key));
    out
}

/// The workload kinds that are spoken of: none for all, nothing where it is about other kinds.
fn kinds(tree: &Tree, holder: NodeId, about: &[String]) -> Option<Vec<String>> {
    let told: Vec<&str> =
        about.iter().flat_map(|path| all(tree, holder, path)).filter_map(|node| tree.text(node)).collect();
    named(&told)
}

fn named(told: &[&str]) -> Option<Vec<String>> {
    if told.is_empty() || told.iter().any(|t| t.rsplit('/').next() == Some("*")) {
        return Some(vec![]);
    }
    let mut out: Vec<String> = told.iter().filter_map(|t| kind_of(t.rsplit('/').next()?)).collect();
    out.dedup();
    (!out.is_empty()).then_some(out)
}

/// The nodes at the ends of a path; `*` goes through a list.
fn all(tree: &Tree, from: NodeId, path: &str) -> Vec<NodeId> {
    path.split('.').filter(|step| !step.is_empty()).fold(vec![from], |at, step| match step {
        "*" => at.into_iter().flat_map(|n| tree.list(n).iter().copied()).collect(),
        _ => at.into_iter().filter_map(|n| tree.field(n, step)).collect(),
    })
}

/// The label that Argo CD knows its objects by, where one of its own is chosen.
fn stamped(o: &Object) -> Option<LabelUse> {
    let names = &tools().argo;
    if o.kind() != Some("ConfigMap") || o.name() != Some(&names.object) {
        return None;
    }
    let (_, node) = o.doc.tree.pair(o.at(&["data"])?, &names.label_key)?;
    let key = o.doc.tree.text(node).filter(|k| !k.is_empty() && *k != names.default_key && o.doc.is_literal(node))?;
    let text = format!("Argo CD tells what is its own by `{key}` here");
    Some(LabelUse { key: key.to_owned(), kinds: vec![], value: None, at: o.doc.place(node), text })
}

/// The rules of kube-janitor, in a file of their own or in the text of a ConfigMap.
fn janitor(doc: &Document) -> Vec<LabelUse> {
    let names = &tools().janitor;
    if !doc.text.text.contains(names.expression.as_str()) {
        return vec![];
    }
    let mut out = rules(&doc.tree, doc.root(), |node| doc.place(node));
    for (key, value) in doc.tree.field(doc.root(), "data").map(|d| doc.tree.pairs(d)).unwrap_or_default() {
        let text = doc.tree.text(value).filter(|t| t.contains(names.expression.as_str()));
        let inner = text.and_then(|t| Tree::parse(t, 0).ok());
        if let Some((tree, root)) = inner.as_ref().and_then(|t| Some((t, t.root()?))) {
            out.extend(rules(tree, root, |_| doc.place(key)));
        }
    }
    out
}

fn rules(tree: &Tree, root: NodeId, place: impl Fn(NodeId) -> Span) -> Vec<LabelUse> {
    let names = &tools().janitor;
    let mut out = vec![];
    for rule in tree.field(root, &names.rules).map(|l| tree.list(l)).unwrap_or_default() {
        let Some(node) = tree.field(*rule, &names.expression).filter(|_| tree.field(*rule, &names.limit).is_some())
        else {
            continue;
        };
        let resources = tree.field(*rule, &names.resources).map(|l| tree.list(l)).unwrap_or_default();
        let resources: Vec<&str> = resources.iter().filter_map(|r| tree.text(*r)).collect();
        let Some(kinds) = named(&resources) else { continue };
        for key in tree.text(node).map(read_labels).unwrap_or_default() {
            let text = format!("a rule deletes by `{key}` here");
            out.push(LabelUse { key, kinds: kinds.clone(), value: None, at: place(node), text });
        }
    }
    out
}

/// How expressions come to an object's labels.
const LABELS: &str = "metadata.labels";

/// The labels of an object that an expression reads, in CEL or JMESPath. Those of its pods are none.
///
/// ```text
/// 'x.io/owner' in object.metadata.labels        x.io/owner
/// object.metadata.labels["x.io/owner"] == me    x.io/owner
/// has(object.metadata.labels.owner)             owner
/// !(spec.template.metadata.labels.owner)        nothing
/// ```
fn read_labels(text: &str) -> Vec<String> {
    let mut out: Vec<String> = vec![];
    for (at, _) in text.match_indices(LABELS) {
        let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + LABELS.len()..).unwrap_or_default());
        if before.ends_with("template.") {
            continue;
        }
        let key = key_after(after).or_else(|| key_before(before));
        out.extend(key.filter(|k| !k.is_empty() && !out.contains(k)));
    }
    out
}

/// `["k"]`, `.k`, `."k"`, also with the `?` of what may be missing.
fn key_after(text: &str) -> Option<String> {
    let quoted = |text: &str| {
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`'))?;
        text.get(1..)?.split_once(quote).map(|(key, _)| key.to_owned())
    };
    if let Some(inside) = text.strip_prefix("[?").or_else(|| text.strip_prefix('[')) {
        return quoted(inside.trim_start());
    }
    let rest = text.strip_prefix(".?").or_else(|| text.strip_prefix('.'))?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    // `labels.exists(k, ..)` is a call.
    let called = rest.get(end..)?.starts_with('(');
    quoted(rest).or_else(|| rest.get(..end).filter(|_| !called).map(str::to_owned))
}

/// `"k" in object.`
fn key_before(text: &str) -> Option<String> {
    let text = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.').trim_end();
    let text = text.strip_suffix("in")?.trim_end();
    let quote = text.chars().next_back().filter(|c| matches!(c, '"' | '\''))?;
    text.strip_suffix(quote)?.rsplit_once(quote).map(|(_, key)| key.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_expressions() {
        let one = |text: &str| read_labels(text).join(" ");
        assert_eq!(one("'x.io/owner' in object.metadata.labels"), "x.io/owner");
        assert_eq!(one("has(object.metadata.labels) && \"a\" in object.metadata.labels"), "a");
        assert_eq!(one("object.metadata.labels[\"x.io/owner\"] == 'me'"), "x.io/owner");
        assert_eq!(one("object.metadata.?labels[?'a']"), "");
        assert_eq!(one("object.metadata.labels[?'a'].orValue('')"), "a");
        assert_eq!(one("!(metadata.labels.owner) && metadata.labels.\"x.io/b\""), "owner x.io/b");
        assert_eq!(one("!(spec.template.metadata.labels.owner)"), "");
        assert_eq!(one("object.metadata.labels.exists(k, k == 'a')"), "");
        assert_eq!(one("metadata.labels"), "");
    }
}
