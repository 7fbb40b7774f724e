//! Names that other tools give to their settings and files: `rules/tables/tools.toml`.
//!
//! ```text
//! data: {installationID: a}                   tools().argo.installation
//! resource "kubernetes_job_v1" "sweep" {      Terraform::kind: batch/v1, Job
//! ```

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The built-in table.
const BUILTIN: &str = include_str!("../../rules/tables/tools.toml");

/// What is known of other tools.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tools {
    /// Argo CD.
    pub argo: Argo,
    /// external-dns.
    pub dns: Dns,
    /// kluctl.
    pub kluctl: Kluctl,
    /// Kubebuilder.
    pub markers: MarkerNames,
    /// Generated code.
    pub generated: GeneratedNames,
    /// Command lines.
    pub commands: Commands,
    /// Terraform.
    pub terraform: Terraform,
    /// Objects that choose workloads by their labels.
    pub choosers: Vec<Chooser>,
    /// kube-janitor.
    pub janitor: Janitor,
}

/// Objects that choose others by their labels, or demand labels of them. Paths are keys joined by dots; `*` goes through a
/// list.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chooser {
    group: String,
    kinds: Vec<String>,
    /// Where that stands which chooses.
    pub at: Vec<String>,
    /// In it, the selectors.
    #[serde(default)]
    pub selectors: Vec<String>,
    /// Maps of labels that must be there.
    #[serde(default)]
    pub demanded: Vec<String>,
    /// Keys of labels that must be there.
    #[serde(default)]
    pub keys: Vec<String>,
    /// Expressions that read labels.
    #[serde(default)]
    pub expressions: Vec<String>,
    /// The kinds or resources it is about.
    pub about: Vec<String>,
    /// What happens, to be followed by "by `key` here".
    pub does: String,
}

impl Chooser {
    /// Is an object of a group and kind one?
    pub fn is(&self, group: &str, kind: &str) -> bool {
        self.group == group && (self.kinds.is_empty() || self.kinds.iter().any(|k| k == kind))
    }
}

/// kube-janitor's rules.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Janitor {
    /// The key for the list of rules.
    pub rules: String,
    /// A rule's key for the resources it is about.
    pub resources: String,
    /// A rule's key for the expression that chooses.
    pub expression: String,
    /// A rule's key for how long what is chosen may live.
    pub limit: String,
}

/// Argo CD's settings.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Argo {
    /// The name of the ConfigMap.
    pub object: String,
    /// The key for how objects are tracked.
    pub method: String,
    /// Its value for tracking by label.
    pub by_label: String,
    /// The key for the label that tracks.
    pub label_key: String,
    /// The key for the id of an instance.
    pub installation: String,
    /// The label that tracks where none is set.
    pub default_key: String,
}

/// The flags of external-dns.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dns {
    /// How its image is called.
    pub image: String,
    /// The flag for what is done with records.
    pub policy: String,
    /// Its value for deleting them.
    pub deletes: String,
    /// The flag for where owners are recorded.
    pub registry: String,
    /// Its values that record them.
    pub recorded: Vec<String>,
    /// The flag for the owner.
    pub owner: String,
    /// The variable for it.
    pub variable: String,
    /// Owners that everybody is.
    pub nobody: Vec<String>,
    /// Flags that tell one's zones from another's.
    pub zones: Vec<String>,
}

/// kluctl's project file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kluctl {
    /// Its names.
    pub files: Vec<String>,
    /// The key for what tells targets apart.
    pub discriminator: String,
    /// The key for the targets.
    pub targets: String,
    /// A target's key for its cluster.
    pub context: String,
}

/// Code that a tool wrote.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneratedNames {
    /// How the names of files begin whose functions copy objects from one form to another.
    pub copying: String,
}

/// Kubebuilder's markers.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MarkerNames {
    /// How a marker for a right begins.
    pub right: String,
    /// What limits the caches of a manager to namespaces.
    pub limit: String,
}

/// Command lines.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    /// Programs that speak to a cluster.
    pub clients: Vec<String>,
    /// Programs that save what a selector selects.
    pub backups: Vec<String>,
    /// The words for what they make.
    pub saves: Vec<String>,
    /// Verbs that select objects by label.
    pub selects: Vec<String>,
    /// Keys of YAML whose text is run.
    pub run: Vec<String>,
    /// Names of files whose recipes are run.
    pub recipes: Vec<String>,
    /// Names of files that build an image.
    pub images: Vec<String>,
    /// How a command begins there.
    pub step: String,
}

/// Terraform's resources.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terraform {
    /// How a resource's type begins.
    pub prefix: String,
    suffixes: Vec<String>,
    kinds: BTreeMap<String, (String, String)>,
    lists: BTreeMap<String, String>,
}

impl Terraform {
    /// The API version and kind of a resource's type.
    pub fn kind(&self, resource: &str) -> Option<(&str, &str)> {
        let name = resource.strip_prefix(self.prefix.as_str())?;
        let name = self.suffixes.iter().find_map(|s| name.strip_suffix(s.as_str())).unwrap_or(name);
        self.kinds.get(name).map(|k| (k.0.as_str(), k.1.as_str()))
    }

    /// Blocks that are items of a list, with the list's name.
    pub fn lists(&self) -> impl Iterator<Item = (&str, &str)> {
        self.lists.iter().map(|(one, list)| (one.as_str(), list.as_str()))
    }

    /// Is a block the item of a list?
    pub fn is_item(&self, block: &str) -> bool {
        self.lists.contains_key(block)
    }
}

/// The built-in table.
pub fn tools() -> &'static Tools {
    static TABLE: OnceLock<Tools> = OnceLock::new();
    TABLE.get_or_init(|| toml::from_str(BUILTIN).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_loads() {
        assert_eq!(tools().terraform.kind("kubernetes_deployment_v1"), Some(("apps/v1", "Deployment")));
        assert_eq!(tools().terraform.kind("aws_instance"), None);
        assert!(tools().commands.clients.len() > 1);
    }
}
