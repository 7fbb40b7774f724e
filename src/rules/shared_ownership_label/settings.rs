//! Settings of tools that delete what they take for their own.
//!
//! ```text
//! Argo CD       `label` with the default key, always; annotations without an installationID, where two instances are in
//!               one cluster
//! external-dns  policy sync (also where none is set), and the owner id not set, `default`, or that of another one here
//! kluctl        one constant discriminator for targets of one cluster
//! ```

use super::*;
use crate::manifest::kustomize::Kustomized;
use crate::manifest::object::{Document, Object};
use crate::manifest::yaml::NodeId;
use crate::vocab::tools;

/// What the rule says of the manifests of a run.
pub(super) fn check(deployed: &Deployed) -> Vec<Finding> {
    let mut out = argo(deployed);
    out.extend(dns(deployed));
    out.extend(deployed.manifests.documents.iter().filter_map(|d| kluctl(deployed, d)));
    out.extend(super::super::pruned::shared(deployed).into_iter().filter_map(pruning));
    out
}

fn finding(at: Span, confidence: Confidence, message: String, help: &str, of: String) -> Finding {
    Finding {
        rule: &RULE,
        severity: RULE.severity,
        confidence,
        message,
        help: help.to_owned(),
        at,
        statement: at,
        steps: vec![],
        group: at,
        function: of,
        fixes: vec![],
        excused: None,
    }
}

fn argo(deployed: &Deployed) -> Vec<Finding> {
    let names = &tools().argo;
    let is_argo = |o: &Object| {
        o.kind() == Some("ConfigMap") && o.name() == Some(&tools().argo.object) && o.at(&["data"]).is_some()
    };
    let all: Vec<Object> = deployed.manifests.objects().filter(is_argo).collect();
    let mut out = vec![];
    for (n, o) in all.iter().enumerate() {
        let data = |key: &str| o.text(&["data", key]).filter(|v| !v.is_empty());
        let line = |key: &str| o.doc.tree.pair(o.at(&["data"])?, key).map(|p| p.0);
        let of = format!("ConfigMap {}", o.namespace().unwrap_or_default());
        let method = data(&names.method).unwrap_or_default();
        if method == names.by_label {
            if data(&names.label_key).is_none_or(|k| k == names.default_key)
                && let Some(at) = line(&names.method)
            {
                let message = format!(
                    "Argo CD takes whatever carries `{}` with an application's name for its own: Helm sets that label too, and so does every other instance",
                    names.default_key
                );
                let help = "set `application.resourceTrackingMethod: annotation`, and an `installationID` where several instances share a cluster";
                out.push(finding(o.doc.place(at), Confidence::High, message, help, of));
            }
            continue;
        }
        let other = all.iter().enumerate().find(|(m, p)| *m != n && together(deployed, deployed.kustomized, o, p));
        if data(&names.installation).is_none()
            && let Some((_, other)) = other
        {
            let key = line(&names.method).or_else(|| o.doc.tree.pair(o.root, "data").map(|p| p.0));
            let Some(at) = key else { continue };
            let message = "two Argo CD instances of one cluster take each other's objects for their own: this one has no `installationID`".to_owned();
            let help = "set a different `installationID` in the argocd-cm of every instance that shares the cluster";
            let mut found = finding(o.doc.place(at), Confidence::High, message, help, of);
            let there = other.doc.tree.pair(other.root, "data").map(|p| other.doc.place(p.0));
            found.steps.extend(there.map(|span| Step {
                span,
                part: Part::Manifest,
                text: "the other instance is configured here".to_owned(),
            }));
            out.push(found);
        }
    }
    out
}

/// Are two objects of one cluster: of other namespaces, and put there by one file, folder, chart or kustomization?
fn together(deployed: &Deployed, kustomized: &Kustomized, a: &Object, b: &Object) -> bool {
    if a.namespace() == b.namespace() || a.namespace().is_none() || b.namespace().is_none() {
        return false;
    }
    let folder = |o: &Object| deployed.sources.get(o.doc.file).path.parent().map(|p| p.to_path_buf());
    a.doc.file == b.doc.file
        || folder(a) == folder(b)
        || a.doc.chart.is_some() && a.doc.chart == b.doc.chart
        || kustomized.together(a.doc.file, b.doc.file)
}

/// One external-dns: the container's arguments.
struct Dns<'a> {
    object: Object<'a>,
    /// Each argument with its place; the value of a flag may be the next one.
    args: Vec<(&'a str, NodeId)>,
    owner_by_env: bool,
    key: NodeId,
}

impl<'a> Dns<'a> {
    /// The value of a flag, and where it is.
    fn flag(&self, name: &str) -> Option<(&'a str, NodeId)> {
        let found = self.args.iter().enumerate().find_map(|(n, (text, node))| {
            let rest = text.strip_prefix("--")?.strip_prefix(name)?;
            match rest.strip_prefix('=') {
                Some(value) => Some((value, *node)),
                None if rest.is_empty() => self.args.get(n + 1).map(|(value, _)| (*value, *node)),
                None => None,
            }
        });
        found.map(|(value, node)| (value.trim_matches(['"', '\'']), node))
    }

    /// Does it delete what it takes for its own?
    fn syncs(&self) -> bool {
        let names = &tools().dns;
        let registry = self.flag(&names.registry).is_none_or(|(r, _)| names.recorded.iter().any(|x| x == r));
        registry && self.flag(&names.policy).is_none_or(|(p, _)| p == names.deletes)
    }
}

fn dns(deployed: &Deployed) -> Vec<Finding> {
    let names = &tools().dns;
    let all: Vec<Dns> = deployed.manifests.objects().filter_map(external_dns).filter(Dns::syncs).collect();
    let mut out = vec![];
    for (n, one) in all.iter().enumerate() {
        let owner = one.flag(&names.owner);
        let doc = one.object.doc;
        let at = one.flag(&names.policy).map_or(one.key, |(_, node)| node);
        let of = format!("external-dns {}", one.object.name().unwrap_or_default());
        let help = "set `--txt-owner-id` to a value of this installation alone, or `--policy=upsert-only`";
        match owner {
            None if one.owner_by_env => {}
            None | Some(_) if owner.is_none_or(|(id, _)| names.nobody.iter().any(|n| n == id)) => {
                let message = "external-dns deletes the DNS records whose owner is `default`: so says every installation that sets no owner id".to_owned();
                let confidence = if one.flag(&names.policy).is_some() { Confidence::High } else { Confidence::Medium };
                out.push(finding(doc.place(at), confidence, message, help, of));
            }
            Some((id, node)) if doc.is_literal(node) => {
                let same = |o: &Dns| {
                    let id = o.flag(&names.owner).is_some_and(|(other, n)| other == id && o.object.doc.is_literal(n));
                    id && names.zones.iter().all(|z| o.flag(z).map(|f| f.0) == one.flag(z).map(|f| f.0))
                        && (o.object.name(), o.object.namespace()) != (one.object.name(), one.object.namespace())
                };
                if let Some((_, other)) = all.iter().enumerate().find(|(m, o)| *m != n && same(o)) {
                    let message = format!(
                        "two external-dns delete each other's DNS records: both are owner `{id}` of the same zones"
                    );
                    let mut found = finding(doc.place(node), Confidence::Medium, message, help, of);
                    let there = other.flag(&names.owner).map(|(_, n)| other.object.doc.place(n));
                    found.steps.extend(there.map(|span| Step {
                        span,
                        part: Part::Manifest,
                        text: "the other one".to_owned(),
                    }));
                    out.push(found);
                }
            }
            _ => {}
        }
    }
    out
}

/// The external-dns that an object runs.
fn external_dns(object: Object) -> Option<Dns> {
    let workload = crate::manifest::workload::Workload::of(object)?;
    let tree = &object.doc.tree;
    for (container, key) in workload.containers() {
        let image = tree.text_at(container, &["image"]).unwrap_or_default();
        let list = |field: &str| tree.field(container, field).map(|l| tree.list(l)).unwrap_or_default();
        let args: Vec<(&str, NodeId)> =
            list("command").iter().chain(list("args")).filter_map(|n| Some((tree.text(*n)?, *n))).collect();
        let name = image.split(['@', ':']).next().unwrap_or_default();
        // Without a flag it does not run: what is written here stands for something else.
        if !name.ends_with(tools().dns.image.as_str()) || !args.iter().any(|(text, _)| text.starts_with("--")) {
            continue;
        }
        // What an expression adds may hold the owner id.
        let whole = workload.is_written(container, "args");
        let env = |n: &NodeId| tree.text_at(*n, &["name"]) == Some(tools().dns.variable.as_str());
        let owner_by_env = list("env").iter().any(env) || tree.field(container, "envFrom").is_some() || !whole;
        let key = tree.pair(container, "args").map_or(key, |p| p.0);
        return Some(Dns { object, args, owner_by_env, key });
    }
    None
}

fn kluctl(deployed: &Deployed, doc: &Document) -> Option<Finding> {
    let path = &deployed.sources.get(doc.file).path;
    let name = path.file_name()?.to_str()?;
    let names = &tools().kluctl;
    if !names.files.iter().any(|f| f == name) {
        return None;
    }
    let (key, value) = doc.tree.pair(doc.root(), &names.discriminator)?;
    let text = doc.tree.text(value).filter(|t| !t.is_empty() && doc.is_literal(value))?;
    let targets = doc.tree.list(doc.tree.field(doc.root(), &names.targets)?);
    // A target may have one of its own.
    let context = |t: &NodeId| match doc.tree.field(*t, &names.discriminator) {
        Some(_) => None,
        None => Some(doc.tree.text_at(*t, &[&names.context]).unwrap_or_default()),
    };
    let contexts: Vec<&str> = targets.iter().filter_map(context).collect();
    let shared = contexts.iter().enumerate().find(|(n, c)| contexts.iter().skip(n + 1).any(|d| d == *c))?.1;
    let place = if shared.is_empty() { "one cluster".to_owned() } else { format!("`{shared}`") };
    let message = format!(
        "`{text}` tells two targets of {place} nothing about each other: pruning one also sees the objects of the other"
    );
    let help = "make the discriminator of each target its own: `discriminator: \"NAME-{{ target.name }}\"`";
    Some(finding(doc.place(key), Confidence::High, message, help, name.to_owned()))
}

/// A command that prunes by a label that is written out.
fn pruning(p: super::super::pruned::Prune) -> Option<Finding> {
    let super::super::pruned::Prune::Label(c, selector) = p else { return None };
    let message = format!(
        "`{}` is what every installation that this command made carries: it prunes theirs as well",
        selector.text
    );
    let help = "add a label with this installation's own value to the selector, or use an ApplySet: `--applyset=NAME`";
    Some(super::super::pruned::finding(&RULE, c, message, help))
}
