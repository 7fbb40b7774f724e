//! Who may destroy what, and where: bindings, the roles they name, and the rules of those.
//!
//! ```text
//! ClusterRoleBinding -> ClusterRole                          every namespace
//! RoleBinding in a, RoleBinding in b -> ClusterRole          a and b
//! ClusterRole with aggregationRule                           the rules of the ClusterRoles that its selectors choose
//! ClusterRoleBinding -> edit                                 a role that every cluster has; the binding is all there is
//! ```
//! A role whose kind is an expression is neither one nor the other, and what the shipped values leave out is not there.

use super::Manifests;
use super::object::Object;
use super::yaml::NodeId;
use crate::vocab::permissions;
use rustc_hash::FxHashSet;

/// A right to destroy in every namespace, given to a service account.
#[derive(Clone, Debug)]
pub struct Grant<'a> {
    /// The binding.
    pub binding: Object<'a>,
    /// The object whose text gives the right: a role; of a built-in one the binding.
    pub role: Object<'a>,
    /// The role's name in the binding.
    pub role_name: &'a str,
    /// What gives it: an item of the role's rules, or the binding's `roleRef`.
    pub at: NodeId,
    /// The resources, as the item spells them; `*` for all.
    pub resources: Vec<&'a str>,
    /// Do they belong to the API groups of custom kinds alone?
    pub custom: bool,
    /// The account, expressions as words.
    pub account: &'a str,
    /// Its namespace, if one is named.
    pub namespace: Option<&'a str>,
}

impl Grant<'_> {
    /// Does it reach objects of a kind that every cluster has, by the plural of the kind in small letters?
    pub fn covers(&self, plural: &str) -> bool {
        !self.custom && self.resources.iter().any(|r| *r == "*" || *r == plural)
    }
}

/// Every right to destroy, in all namespaces, what a Role could name.
pub fn wide_grants(manifests: &Manifests) -> Vec<Grant<'_>> {
    let shipped = |o: &Object| o.shipped() != Some(false);
    let objects: Vec<Object> = manifests.objects().filter(shipped).collect();
    let own = own_cluster_scoped(&objects);
    let mut out = vec![];
    for binding in objects.iter().filter(|o| o.kind() == Some("ClusterRoleBinding")) {
        let tree = &binding.doc.tree;
        let Some(name) = binding.text(&["roleRef", "name"]) else { continue };
        let subjects = binding.at(&["subjects"]).map(|s| tree.list(s)).unwrap_or_default();
        for subject in subjects.iter().filter(|s| tree.text_at(**s, &["kind"]) == Some("ServiceAccount")) {
            let Some(account) = tree.text_at(*subject, &["name"]) else { continue };
            let namespace = tree.text_at(*subject, &["namespace"]);
            for (role, at, resources, custom) in rights(&objects, binding, name, &own) {
                out.push(Grant { binding: *binding, role, role_name: name, at, resources, custom, account, namespace });
            }
        }
    }
    out
}

/// Custom kinds of the tree that are in no namespace, by their plural.
fn own_cluster_scoped<'a>(objects: &[Object<'a>]) -> FxHashSet<&'a str> {
    let custom = objects.iter().filter(|o| o.kind() == Some("CustomResourceDefinition"));
    let wide = custom.filter(|o| o.text(&["spec", "scope"]) == Some("Cluster"));
    wide.filter_map(|o| o.text(&["spec", "names", "plural"])).collect()
}

type Right<'a> = (Object<'a>, NodeId, Vec<&'a str>, bool);

/// What a role of a name gives.
fn rights<'a>(objects: &[Object<'a>], binding: &Object<'a>, name: &'a str, own: &FxHashSet<&str>) -> Vec<Right<'a>> {
    let near = |o: &&Object<'a>| o.doc.chart == binding.doc.chart || o.doc.chart.is_none();
    let roles = objects.iter().filter(|o| o.kind() == Some("ClusterRole")).filter(near);
    let named: Vec<Object> = roles.clone().filter(|o| o.name() == Some(name)).copied().collect();
    if named.is_empty() {
        let reference = binding.at(&["roleRef"]).and_then(|_| binding.doc.tree.pair(binding.root, "roleRef"));
        return match (permissions().is_built_in(name), reference) {
            (true, Some((key, _))) => vec![(*binding, key, vec!["*"], false)],
            _ => vec![],
        };
    }
    let mut out = vec![];
    for role in named {
        let chosen: Vec<Object> = match role.at(&["aggregationRule", "clusterRoleSelectors"]) {
            Some(selectors) => {
                let selectors = role.doc.tree.list(selectors);
                roles.clone().filter(|o| selectors.iter().any(|s| selects(&role, *s, o))).copied().collect()
            }
            None => vec![role],
        };
        out.extend(chosen.iter().flat_map(|r| items(r, own)));
    }
    out
}

/// Does a selector of a role choose another role, by its labels?
fn selects(role: &Object, selector: NodeId, other: &Object) -> bool {
    let Some(wanted) = role.doc.tree.field(selector, "matchLabels") else { return false };
    let wanted = role.doc.tree.pairs(wanted);
    let fits = |(key, value): &(NodeId, NodeId)| {
        let (Some(key), Some(value)) = (role.doc.tree.text(*key), role.doc.tree.text(*value)) else { return false };
        other.text(&["metadata", "labels", key]) == Some(value)
    };
    !wanted.is_empty() && wanted.iter().all(fits)
}

/// The items of a role that give a right to destroy what a Role could name.
fn items<'a>(role: &Object<'a>, own: &FxHashSet<&str>) -> Vec<Right<'a>> {
    let tree = &role.doc.tree;
    let rules = role.at(&["rules"]).map(|r| tree.list(r)).unwrap_or_default();
    let texts = |item: NodeId, key: &str| -> Vec<&'a str> {
        let list = tree.field(item, key).map(|l| tree.list(l)).unwrap_or_default();
        list.iter().filter_map(|x| tree.text(*x)).collect()
    };
    let mut out = vec![];
    for item in rules {
        let verbs = texts(*item, "verbs");
        let named = !texts(*item, "resourceNames").is_empty() && !verbs.contains(&"deletecollection");
        if !verbs.iter().any(|v| permissions().destroys(v)) || named {
            continue;
        }
        if role.doc.text.shipped(tree.span(*item).start) == Some(false) {
            continue;
        }
        let resources: Vec<&str> = texts(*item, "resources")
            .into_iter()
            .filter(|r| !permissions().is_cluster_scoped(r) && !own.contains(r.split('/').next().unwrap_or_default()))
            .collect();
        if !resources.is_empty() {
            let groups = texts(*item, "apiGroups");
            let custom = !groups.is_empty() && groups.iter().all(|g| g.contains('.') && !g.ends_with(".k8s.io"));
            out.push((*role, *item, resources, custom));
        }
    }
    out
}
