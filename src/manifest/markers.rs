//! Comments in Go from which Kubebuilder makes roles, and what limits a manager to namespaces.
//!
//! ```go
//! // +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get;delete                 a ClusterRole: everywhere
//! // +kubebuilder:rbac:groups=batch,resources=jobs,verbs=delete,namespace=races     a Role: no marker of ours
//! Cache: cache.Options{DefaultNamespaces: map[string]cache.Config{ns: {}}}          a limit
//! Cache: cache.Options{DefaultNamespaces: map[string]cache.Config{}}                none: it begins empty
//! ```

use crate::source::{Language, SourceFile, Sources, Span};
use crate::vocab::{permissions, tools};
use memchr::memmem;

/// A marker that gives a right to destroy in every namespace.
#[derive(Clone, PartialEq, Debug)]
pub struct Marker {
    /// Its place, without the slashes.
    pub at: Span,
    /// The resources it names.
    pub resources: Vec<String>,
}

/// The markers of a tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Markers {
    /// Those that give a right to destroy everywhere.
    pub wide: Vec<Marker>,
    /// Places that limit a manager's caches to namespaces.
    pub limits: Vec<Span>,
}

impl Markers {
    /// Finds them. Limits are looked for only where there is a marker.
    pub fn read(sources: &Sources) -> Markers {
        let names = &tools().markers;
        let go = || sources.files.iter().filter(|f| f.language == Language::Go);
        let wide: Vec<Marker> = go()
            .filter(|f| memmem::find(f.text.as_bytes(), names.right.as_bytes()).is_some())
            .flat_map(markers)
            .collect();
        if wide.is_empty() {
            return Markers::default();
        }
        let limit = |f: &SourceFile| limit(&f.text).map(|at| Span::new(f.id, at, at + names.limit.len() - 1));
        Markers { wide, limits: go().filter_map(limit).collect() }
    }
}

/// The place that limits a manager's caches. A map that begins empty may stay so, and no namespaces are all of them.
fn limit(text: &str) -> Option<usize> {
    let name = &tools().markers.limit;
    let at = memmem::find(text.as_bytes(), name.as_bytes())?;
    let value = text.get(at + name.len()..)?.lines().next()?;
    let empty = value.split_once('{').is_some_and(|(_, inside)| inside.trim_start().starts_with('}'));
    (!empty).then_some(at)
}

fn markers(f: &SourceFile) -> Vec<Marker> {
    let head = &tools().markers.right;
    let one = |at: usize| {
        let before = f.text.get(..at)?.lines().last().unwrap_or_default();
        let text = f.text.get(at..)?.split_whitespace().next()?;
        let parts: Vec<(&str, &str)> = text.get(head.len()..)?.split(',').filter_map(|p| p.split_once('=')).collect();
        let part = |name: &str| parts.iter().find(|p| p.0 == name).map(|p| p.1.trim_matches('"'));
        let destroys = part("verbs")?.split(';').any(|v| permissions().destroys(v));
        let wide = before.trim_start().starts_with("//") && part("namespace").is_none() && destroys;
        let resources = part("resources")?.split(';').map(str::to_owned).collect();
        wide.then(|| Marker { at: Span::new(f.id, at, at + text.len()), resources })
    };
    f.text.match_indices(head.as_str()).filter_map(|(at, _)| one(at)).collect()
}
