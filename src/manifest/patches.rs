//! The labels that a patch brings: a part of an object that is merged, or a list of operations.
//!
//! ```yaml
//! {kind: Job, metadata: {name: a, labels: {x.io/owner: a}}}                        # its own
//! [{op: add, path: /spec/template/metadata/labels/x.io~1owner, value: a}]          # its pods'
//! ```

use super::yaml::{NodeId, Tree};
use crate::vocab::ownership;

/// A label that a patch brings, and whether it is the pods'.
pub(super) type Brought = (String, bool);

/// The labels of an object's own, in the form of a path.
const OWN: &str = "/metadata/labels";

/// The labels that a patch brings to an object of a kind.
pub(super) fn labels(tree: &Tree, root: NodeId, kind: &str) -> Vec<Brought> {
    let Some(kind) = ownership().kind(kind) else { return vec![] };
    let template: Vec<&str> = kind.template.iter().map(String::as_str).collect();
    let pods = format!("/{}{OWN}", template.join("/"));
    let mut out = vec![];
    if tree.list(root).is_empty() {
        for (path, is_pods) in [(OWN, false), (pods.as_str(), true)] {
            let steps: Vec<&str> = path.split('/').skip(1).collect();
            out.extend(keys(tree, tree.at(root, &steps)).map(|key| (key, is_pods)));
        }
    }
    for op in tree.list(root) {
        let adds = matches!(tree.text_at(*op, &["op"]), Some("add" | "replace"));
        let Some(path) = tree.text_at(*op, &["path"]).filter(|_| adds) else { continue };
        for (head, is_pods) in [(OWN, false), (pods.as_str(), true)] {
            match path.strip_prefix(head).map(|rest| rest.strip_prefix('/').ok_or(rest)) {
                Some(Ok(key)) => out.push((key.replace("~1", "/").replace("~0", "~"), is_pods)),
                Some(Err("")) => out.extend(keys(tree, tree.field(*op, "value")).map(|key| (key, is_pods))),
                _ => {}
            }
        }
    }
    out
}

fn keys(tree: &Tree, map: Option<NodeId>) -> impl Iterator<Item = String> {
    let pairs = map.map(|m| tree.pairs(m)).unwrap_or_default();
    pairs.into_iter().filter_map(|(key, _)| tree.text(key).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brought(text: &str, kind: &str) -> Vec<Brought> {
        let tree = Tree::parse(text, 0).unwrap();
        labels(&tree, tree.root().unwrap(), kind)
    }

    #[test]
    fn what_patches_bring() {
        let own = |key: &str| (key.to_owned(), false);
        let pods = |key: &str| (key.to_owned(), true);
        let merged = "{metadata: {labels: {a: b}}, spec: {template: {metadata: {labels: {c: d}}}}}";
        assert_eq!(brought(merged, "Deployment"), [own("a"), pods("c")]);
        assert_eq!(brought(merged, "CronJob"), [own("a")]);
        let ops = "- {op: add, path: /spec/template/metadata/labels/x.io~1a, value: b}\n\
                   - {op: replace, path: /metadata/labels, value: {c: d}}\n- {op: remove, path: /metadata/labels/e}\n\
                   - {op: add, path: /metadata/labelsx, value: {f: g}}\n";
        assert_eq!(brought(ops, "StatefulSet"), [pods("x.io/a"), own("c")]);
        assert_eq!(brought(ops, "Service"), []);
    }
}
