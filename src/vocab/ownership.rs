//! Labels that say whose a workload is, and the kinds that carry them twice: `rules/tables/ownership-labels.toml`.
//!
//! ```text
//! metadata: {labels: {app: lab}}                                       the Deployment's own
//! spec: {template: {metadata: {labels: {app: lab, x.io/tenant: t}}}}   its pods': `x.io/tenant` says whose
//! ```

use super::load::folded;
use super::pattern::Glob;
use serde::Deserialize;
use std::sync::OnceLock;

/// The built-in table.
const BUILTIN: &str = include_str!("../../rules/tables/ownership-labels.toml");

/// Which labels say whose a workload is, and which kinds have a template.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ownership {
    field: Vec<String>,
    marks: Vec<String>,
    core: Vec<String>,
    owners: Vec<String>,
    pod_only: Vec<String>,
    #[serde(rename = "kind")]
    kinds: Vec<Workload>,
}

/// A kind with a pod template.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// As the API spells it.
    pub name: String,
    types: Vec<String>,
    /// The fields that lead to the template, as the API spells them.
    pub template: Vec<String>,
    /// Short names on a command line.
    #[serde(default)]
    short: Vec<String>,
    /// The API groups that have it.
    groups: Vec<String>,
    /// Fields of the template's spec that say what runs.
    #[serde(default = "containers")]
    pub runs: Vec<String>,
    /// The server copies the template's labels where the object has none.
    #[serde(default)]
    pub defaults: bool,
    /// API versions, gone today, whose server did.
    #[serde(default)]
    defaults_in: Vec<String>,
}

fn containers() -> Vec<String> {
    vec!["containers".to_owned()]
}

impl Workload {
    /// A Pod: no workload by its labels, for it has no template, but one that runs.
    pub fn pod() -> Workload {
        Workload { name: "Pod".to_owned(), runs: containers(), ..Workload::default() }
    }

    /// Does the server copy the template's labels where the object, of an API version, has none?
    pub fn is_defaulted(&self, api: &str) -> bool {
        self.defaults || self.defaults_in.iter().any(|v| v == api)
    }

    /// Is it a kind of this API version's group? Where that is an expression, it may be.
    pub fn is_of(&self, api: &str) -> bool {
        let group = api.split_once('/').map_or("", |(group, _)| group);
        let told = api.contains('/') || api.starts_with('v');
        !told || self.groups.iter().any(|g| g == group)
    }
}

/// The built-in table.
pub fn ownership() -> &'static Ownership {
    static TABLE: OnceLock<Ownership> = OnceLock::new();
    TABLE.get_or_init(|| toml::from_str(BUILTIN).unwrap_or_default())
}

impl Ownership {
    /// The kind that a command line may call by a short name.
    pub fn short(&self, word: &str) -> Option<&str> {
        self.kinds.iter().find(|k| k.short.iter().any(|s| s == word)).map(|k| k.name.as_str())
    }

    /// Is it the field in which an object bears its labels?
    pub fn is_labels(&self, field: &str) -> bool {
        self.field.iter().any(|f| folded(f) == folded(field))
    }

    /// Is it a field in which a thing bears what people mark it with?
    pub fn is_mark(&self, field: &str) -> bool {
        self.marks.iter().any(|f| folded(f) == folded(field))
    }

    /// Does a label of this key say whose a thing is?
    pub fn is_core(&self, key: &str) -> bool {
        let last = key.rsplit('/').next().unwrap_or_default();
        let pod_only = self.pod_only.iter().any(|p| Glob::new(p).fits(key));
        !pod_only && self.core.iter().any(|c| folded(c) == folded(last))
    }

    /// Is it a key for who made or owns a thing, rather than for where it belongs?
    pub fn names_owner(&self, key: &str) -> bool {
        let last = key.rsplit('/').next().unwrap_or_default();
        self.owners.iter().any(|c| folded(c) == folded(last))
    }

    /// The kind that a type of a client, or a `kind:`, is.
    pub fn kind(&self, of: &str) -> Option<&Workload> {
        self.kinds.iter().find(|k| k.types.iter().any(|t| t == of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_loads() {
        assert!(ownership().kinds.len() > 5);
    }

    #[test]
    fn keys_of_owners() {
        for key in ["labs.example.com/tenant-id", "owner", "x.io/installation_id", "app.kubernetes.io/managed-by"] {
            assert!(ownership().is_core(key), "{key}");
        }
        for key in ["app", "app.kubernetes.io/name", "yelp.com/cost_owner", "sidecar.istio.io/owner", "tier"] {
            assert!(!ownership().is_core(key), "{key}");
        }
    }
}
