//! Permissions of Kubernetes, and who is a cleaner by name: `rules/tables/permissions.toml`.
//!
//! ```text
//! verbs: ["get", "delete"]        destroys
//! resources: ["nodes"]            no Role can name it
//! name: lab-janitor               a cleaner; metrics-collector is none
//! ```

use serde::Deserialize;
use std::sync::OnceLock;

/// The built-in table.
const BUILTIN: &str = include_str!("../../rules/tables/permissions.toml");

/// What permissions mean.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Permissions {
    verbs: Vec<String>,
    cluster_scoped: Vec<String>,
    built_in: Vec<String>,
    cleaners: Vec<String>,
    collects: Vec<String>,
    flags: Vec<String>,
    variables: Vec<String>,
}

/// The built-in table.
pub fn permissions() -> &'static Permissions {
    static TABLE: OnceLock<Permissions> = OnceLock::new();
    TABLE.get_or_init(|| toml::from_str(BUILTIN).unwrap_or_default())
}

impl Permissions {
    /// Does a verb destroy?
    pub fn destroys(&self, verb: &str) -> bool {
        self.verbs.iter().any(|v| v == verb)
    }

    /// Is a resource in no namespace? A subresource is where its resource is.
    pub fn is_cluster_scoped(&self, resource: &str) -> bool {
        let resource = resource.split('/').next().unwrap_or_default();
        self.cluster_scoped.iter().any(|r| r == resource)
    }

    /// Is it a role that every cluster has, with the right to delete?
    pub fn is_built_in(&self, role: &str) -> bool {
        self.built_in.iter().any(|r| r == role)
    }

    /// Does a name say that what bears it cleans up?
    pub fn is_cleaner(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let any = |list: &[String]| words.iter().any(|w| list.iter().any(|l| l == w));
        any(&self.cleaners) && !any(&self.collects)
    }

    /// Does a flag, without its dashes, say which namespaces a program works in?
    pub fn is_namespace_flag(&self, flag: &str) -> bool {
        self.flags.iter().any(|f| f == flag)
    }

    /// Does an environment variable?
    pub fn is_namespace_variable(&self, name: &str) -> bool {
        self.variables
            .iter()
            .any(|v| name.strip_suffix(v.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('_')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cleaners() {
        let table = permissions();
        assert!(table.destroys("delete"));
        for name in ["lab-janitor", "node-survey-gc", "xRelease.Namex-sweeper", "prune_jobs"] {
            assert!(table.is_cleaner(name), "{name}");
        }
        for name in ["metrics-collector", "otel-collector", "gcp-auth", "web"] {
            assert!(!table.is_cleaner(name), "{name}");
        }
        assert!(table.is_namespace_variable("OPERATOR_NAMESPACE") && !table.is_namespace_variable("XNAMESPACE"));
    }
}
