//! What the kinds of a cluster can be selected by in a list, and what the calls for them are named: `rules/tables/field-selectors.toml`.
//!
//! ```text
//! batch.list_namespaced_job(ns, field_selector="status.succeeded=1")
//!   Selectors::called("list_namespaced_job")     Job: metadata.name, metadata.namespace, status.successful
//! ```
//! A kind that is in no row may be anybody's: of such only what no definition can make selectable is known.

use super::load::{folded, snake};
use super::pattern::Glob;
use serde::Deserialize;
use std::sync::OnceLock;

/// The built-in table.
const BUILTIN: &str = include_str!("../../rules/tables/field-selectors.toml");

/// What kinds can be selected by.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selectors {
    common: Vec<String>,
    calls: Vec<String>,
    makes: Vec<String>,
    finds: Vec<String>,
    custom: Vec<String>,
    creates: Vec<String>,
    beside: Vec<String>,
    #[serde(default)]
    instead: Vec<Instead>,
    #[serde(rename = "kind")]
    kinds: Vec<Kind>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Instead {
    kind: Option<String>,
    head: String,
    say: String,
}

/// A kind and the fields it can be selected by besides those of every kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// As the API spells it: `PersistentVolumeClaim`.
    pub name: String,
    #[serde(default)]
    fields: Vec<String>,
}

impl Kind {
    /// As permissions spell it: `networkpolicies`.
    pub fn plural(&self) -> String {
        let one = self.name.to_ascii_lowercase();
        match one.strip_suffix('y') {
            Some(head) if !head.ends_with(['a', 'e', 'o', 'u']) => format!("{head}ies"),
            _ if one.ends_with("ss") => format!("{one}es"),
            _ if one.ends_with('s') => one,
            _ => format!("{one}s"),
        }
    }
}

/// The built-in table.
pub fn selectors() -> &'static Selectors {
    static TABLE: OnceLock<Selectors> = OnceLock::new();
    TABLE.get_or_init(|| Selectors::from_toml(BUILTIN).unwrap_or_default())
}

impl Selectors {
    fn from_toml(text: &str) -> Result<Selectors, toml::de::Error> {
        toml::from_str(text)
    }

    /// The kind that a call of this name lists: `list_pod_for_all_namespaces` lists Pods.
    pub fn called(&self, name: &str) -> Option<&Kind> {
        hole_in(&self.calls, name).and_then(|word| self.spelled(word))
    }

    /// The word for the kind in the name of a call that lists or reads it: `config_map` in `list_namespaced_config_map`.
    pub fn read_word<'n>(&self, name: &'n str) -> Option<&'n str> {
        hole_in(&self.calls, name).or_else(|| hole_in(&self.finds, name))
    }

    /// The word for the kind in the name of a call that makes one.
    pub fn made_word<'n>(&self, name: &'n str) -> Option<&'n str> {
        hole_in(&self.makes, name)
    }

    /// The names of calls that make the kind of this name.
    pub fn makers(&self, kind: &str) -> impl Iterator<Item = String> {
        let word = snake(kind);
        self.makes.iter().map(move |pattern| pattern.replace('*', &word))
    }

    /// The names of calls that make a thing of whatever kind they are asked for.
    pub fn creators(&self) -> &[String] {
        &self.creates
    }

    /// The name of a kind, given in any spelling or in the plural: as the API spells it, where the table has it.
    pub fn canonical(&self, word: &str) -> String {
        self.spelled(word).map_or_else(|| word.to_owned(), |k| k.name.clone())
    }

    /// The kind that such a plural is of: `Editions`. Nothing for what is no plural.
    pub fn singular(&self, plural: &str) -> Option<String> {
        let title = plural.starts_with(|c: char| c.is_ascii_uppercase());
        let one = match plural.strip_suffix("ies") {
            Some(head) => format!("{head}y"),
            None if ["sses", "xes", "ches", "shes"].iter().any(|end| plural.ends_with(end)) => {
                plural.strip_suffix("es")?.to_owned()
            }
            None => plural.strip_suffix('s')?.to_owned(),
        };
        title.then_some(one)
    }

    /// Is it the type of something that goes along with an object to a call: options, a key?
    pub fn goes_along(&self, ty: &str) -> bool {
        self.beside.iter().any(|b| Glob::new(b).fits(ty))
    }

    /// The kind of this name, in any spelling, also in the plural: `pods`, `persistent_volume_claim`.
    pub fn spelled(&self, word: &str) -> Option<&Kind> {
        let word = folded(word);
        let singular = |w: &str| -> Vec<String> {
            let mut all = vec![w.to_owned()];
            all.extend(w.strip_suffix("ies").map(|s| format!("{s}y")));
            all.extend(w.strip_suffix("es").map(str::to_owned));
            all.extend(w.strip_suffix('s').map(str::to_owned));
            all
        };
        let words = singular(&word);
        self.kinds.iter().find(|k| words.contains(&folded(&k.name)))
    }

    /// Does a call of this name list custom resources, whose definitions may add fields?
    pub fn is_custom(&self, name: &str) -> bool {
        let called = folded(name);
        self.custom.iter().any(|c| called.contains(&folded(c)))
    }

    /// Can a list be restricted by this field? `whole`: more may not follow it. Without a kind it is one that nothing
    /// is known of, and only what is in the way of every kind is a no.
    pub fn selectable(&self, kind: Option<&Kind>, field: &str, whole: bool) -> bool {
        let mut known = self.common.iter().chain(kind.into_iter().flat_map(|k| &k.fields));
        let fits = |known: &String| if whole { known == field } else { known.starts_with(field) };
        known.any(fits) || kind.is_none() && !field.starts_with("metadata.")
    }

    /// All that a kind can be selected by.
    pub fn fields<'a>(&'a self, kind: &'a Kind) -> impl Iterator<Item = &'a str> {
        self.common.iter().chain(&kind.fields).map(String::as_str)
    }

    /// A better way to what this field was to select.
    pub fn instead(&self, kind: Option<&Kind>, field: &str) -> Option<&str> {
        let fits = |i: &&Instead| {
            let kind_fits = i.kind.is_none() || i.kind.as_deref() == kind.map(|k| k.name.as_str());
            kind_fits && field.starts_with(&i.head)
        };
        self.instead.iter().filter(fits).max_by_key(|i| i.head.len()).map(|i| i.say.as_str())
    }
}

/// What stands for the `*` of the first pattern that fits.
fn hole_in<'n>(patterns: &[String], name: &'n str) -> Option<&'n str> {
    let name = name.strip_suffix("_with_http_info").unwrap_or(name);
    patterns.iter().find_map(|pattern| {
        let (head, tail) = pattern.split_once('*')?;
        name.strip_prefix(head)?.strip_suffix(tail).filter(|word| !word.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Selectors {
        Selectors::from_toml(BUILTIN).expect("the table loads")
    }

    #[test]
    fn kinds_are_told_by_the_name_of_the_call() {
        let table = table();
        let kind = |name: &str| table.called(name).map(|k| k.name.as_str());
        assert_eq!(kind("list_namespaced_pod"), Some("Pod"));
        assert_eq!(kind("list_persistent_volume_claim_for_all_namespaces"), Some("PersistentVolumeClaim"));
        assert_eq!(kind("list_namespaced_pod_with_http_info"), Some("Pod"));
        assert_eq!(kind("delete_collection_namespaced_job"), Some("Job"));
        assert_eq!(kind("list_node"), Some("Node"));
        assert_eq!(kind("list_namespaced_custom_object"), None);
        assert!(table.is_custom("list_namespaced_custom_object"));
        assert!(!table.is_custom("list_custom_resource_definition"));
        assert_eq!(table.spelled("networkpolicies").map(|k| k.name.as_str()), Some("NetworkPolicy"));
        assert_eq!(table.spelled("ingresses").map(|k| k.name.as_str()), Some("Ingress"));
    }

    #[test]
    fn fields_are_those_of_the_kind() {
        let table = table();
        let pod = table.spelled("Pod");
        assert!(table.selectable(pod, "status.phase", true));
        assert!(!table.selectable(pod, "status.startTime", true));
        assert!(table.selectable(pod, "metadata.name", true));
        assert!(table.selectable(pod, "status.pod", false));
        assert!(!table.selectable(pod, "metadata.labels.", false));
        assert!(!table.selectable(table.spelled("Job"), "status.succeeded", true));
        assert!(table.selectable(None, "spec.owner", true));
        assert!(!table.selectable(None, "metadata.creationTimestamp", true));
    }

    #[test]
    fn better_ways_are_those_of_the_kind() {
        let table = table();
        assert!(table.instead(table.spelled("Job"), "status.succeeded").is_some_and(|s| s.contains("successful")));
        assert_eq!(table.instead(table.spelled("Pod"), "status.succeeded"), None);
        assert!(table.instead(None, "metadata.labels.team").is_some());
    }
}
