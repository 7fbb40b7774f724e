//! Kustomize: which labels a kustomization adds to the objects below it.
//!
//! ```text
//! commonLabels: {x.io/env: qa}                 on every object and on its pods
//! labels: [{pairs: {x.io/owner: a}}]           on every object; with includeTemplates on its pods, too
//! transformers: [owner.yaml]                   kind: LabelTransformer: where its `fieldSpecs` say, and nowhere else
//! patches: [{patch: .., target: ..}]           what is written in it; an object in a file of its own is read as such
//! resources: [web.yaml, ../base]               files, and folders with a kustomization of their own
//! ```
//! A kustomization reaches what its resources reach. Nothing is built: what an overlay adds is known, what it takes away is
//! not looked at.

use super::Manifests;
use super::object::Document;
use super::split::split;
use super::yaml::{NodeId, Tree};
use crate::source::{FileId, Sources, Span};
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::{Component, Path, PathBuf};

/// What kustomizations add to the objects of a file.
#[derive(Clone, Debug, Default)]
pub struct Added {
    /// Labels of the objects themselves.
    pub own: Vec<AddedLabel>,
    /// Labels of their pods.
    pub pods: Vec<AddedLabel>,
}

/// A label that a kustomization adds.
#[derive(Clone, Debug)]
pub struct AddedLabel {
    /// Its key.
    pub key: String,
    /// The one kind that gets it, if not all do.
    pub kind: Option<String>,
    /// The name of the one object that gets it, if not all of the kind do.
    pub name: Option<String>,
    /// Where it is written.
    pub at: Span,
}

impl AddedLabel {
    /// Does an object of a kind and name get it?
    pub fn reaches(&self, kind: &str, name: Option<&str>) -> bool {
        let named = self.name.as_deref().is_none_or(|n| Some(n) == name);
        named && self.kind.as_deref().is_none_or(|k| k == kind)
    }
}

/// What the kustomizations of a tree add, by file.
#[derive(Debug, Default)]
pub struct Kustomized {
    /// The files that each kustomization reaches.
    reached: Vec<FxHashSet<FileId>>,
    added: FxHashMap<FileId, Added>,
}

/// Names of a kustomization's file.
const NAMES: &[&str] = &["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Fields of a kustomization that name files or folders.
const RESOURCES: &[&str] = &["resources", "bases", "components"];

/// Fields of a kustomization that hold patches.
const PATCHES: &[&str] = &["patches", "patchesStrategicMerge", "patchesJson6902"];

impl Kustomized {
    /// Reads the kustomizations among manifests.
    pub fn read(manifests: &Manifests, sources: &Sources) -> Kustomized {
        let all: Vec<&Document> = manifests.documents.iter().filter(|d| is_kustomization(d, sources)).collect();
        if all.is_empty() {
            return Kustomized::default();
        }
        let files: FxHashMap<&Path, FileId> = sources.files.iter().map(|f| (f.path.as_path(), f.id)).collect();
        let folder = |d: &Document| sources.get(d.file).path.parent().unwrap_or(Path::new("")).to_path_buf();
        let by_folder: FxHashMap<PathBuf, usize> = all.iter().enumerate().map(|(n, d)| (folder(d), n)).collect();
        let tree = Files { manifests, all: &all, files: &files, by_folder: &by_folder, folder: &folder };
        let mut out = Kustomized::default();
        for (n, d) in all.iter().enumerate() {
            let mut reached = FxHashSet::default();
            tree.reach(n, &mut FxHashSet::default(), &mut reached);
            let added = tree.added(d);
            out.reached.push(reached.clone());
            if added.own.is_empty() && added.pods.is_empty() {
                continue;
            }
            for file in reached {
                let at = out.added.entry(file).or_default();
                at.own.extend(added.own.iter().cloned());
                at.pods.extend(added.pods.iter().cloned());
            }
        }
        out
    }

    /// Does one kustomization reach both files?
    pub fn together(&self, a: FileId, b: FileId) -> bool {
        self.reached.iter().any(|files| files.contains(&a) && files.contains(&b))
    }

    /// What is added to the objects of a file.
    pub fn of(&self, file: FileId) -> Option<&Added> {
        self.added.get(&file)
    }
}

fn is_kustomization(d: &Document, sources: &Sources) -> bool {
    let name = sources.get(d.file).path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    NAMES.contains(&name)
}

struct Files<'a> {
    manifests: &'a Manifests,
    all: &'a [&'a Document],
    files: &'a FxHashMap<&'a Path, FileId>,
    by_folder: &'a FxHashMap<PathBuf, usize>,
    folder: &'a dyn Fn(&Document) -> PathBuf,
}

impl Files<'_> {
    /// The files below a kustomization.
    fn reach(&self, from: usize, seen: &mut FxHashSet<usize>, out: &mut FxHashSet<FileId>) {
        let mut open = vec![from];
        while let Some(n) = open.pop() {
            let Some(d) = self.all.get(n).filter(|_| seen.insert(n)) else { continue };
            for entry in RESOURCES.iter().flat_map(|field| texts(d, field)) {
                let path = joined(&(self.folder)(d), entry);
                out.extend(self.files.get(path.as_path()));
                open.extend(self.by_folder.get(&path));
            }
        }
    }

    fn added(&self, d: &Document) -> Added {
        let mut out = Added::default();
        let tree = &d.tree;
        if let Some(common) = tree.field(d.root(), "commonLabels") {
            let labels = labels(d, common, None);
            out.pods.extend(labels.clone());
            out.own.extend(labels);
        }
        for entry in tree.field(d.root(), "labels").map(|l| tree.list(l)).unwrap_or_default() {
            let Some(pairs) = tree.field(*entry, "pairs") else { continue };
            let labels = labels(d, pairs, None);
            let on = |field: &str| tree.text_at(*entry, &[field]) == Some("true");
            if on("includeTemplates") || on("includeSelectors") {
                out.pods.extend(labels.clone());
            }
            out.own.extend(labels);
        }
        self.patches(d, &mut out);
        for entry in texts(d, "transformers") {
            let path = joined(&(self.folder)(d), entry);
            let Some(file) = self.files.get(path.as_path()) else { continue };
            for t in self.manifests.documents.iter().filter(|t| t.file == *file) {
                self.transformer(t, &mut out);
            }
        }
        out
    }

    /// What patches bring that are written in the kustomization, or as operations in a file.
    fn patches(&self, d: &Document, out: &mut Added) {
        let tree = &d.tree;
        let entries = PATCHES.iter().filter_map(|field| tree.field(d.root(), field)).flat_map(|l| tree.list(l));
        for entry in entries {
            let target = tree.field(*entry, "target");
            if let Some(node) = tree.field(*entry, "patch").or(Some(*entry)).filter(|n| tree.text(*n).is_some()) {
                let text = tree.text(node).unwrap_or_default();
                let parts = split(text).into_iter().filter_map(|r| Tree::parse(text.get(r)?, 0).ok());
                parts.for_each(|part| bring(d, target, &part, d.place(node), out));
            }
            let path = tree.text_at(*entry, &["path"]).map(|p| joined(&(self.folder)(d), p));
            let Some(file) = path.and_then(|p| self.files.get(p.as_path())) else { continue };
            let operations = self.manifests.documents.iter().filter(|t| t.file == *file);
            for t in operations.filter(|t| !t.tree.list(t.root()).is_empty()) {
                bring(d, target, &t.tree, t.place(t.root()), out);
            }
        }
    }

    fn transformer(&self, t: &Document, out: &mut Added) {
        let tree = &t.tree;
        if tree.text_at(t.root(), &["kind"]) != Some("LabelTransformer") {
            return;
        }
        let Some(given) = tree.field(t.root(), "labels") else { return };
        for spec in tree.field(t.root(), "fieldSpecs").map(|l| tree.list(l)).unwrap_or_default() {
            let labels = labels(t, given, tree.text_at(*spec, &["kind"]));
            match tree.text_at(*spec, &["path"]) {
                Some("metadata/labels") => out.own.extend(labels),
                Some(path) if path.ends_with("template/metadata/labels") => out.pods.extend(labels),
                _ => {}
            }
        }
    }
}

/// Adds what a patch brings to its target.
fn bring(d: &Document, target: Option<NodeId>, patch: &Tree, at: Span, out: &mut Added) {
    let Some(root) = patch.root() else { return };
    let told = |path: &[&str], field: &str| {
        let by_target = target.and_then(|t| d.tree.text_at(t, &[field]));
        by_target.or_else(|| patch.text_at(root, path)).map(str::to_owned)
    };
    let Some(kind) = told(&["kind"], "kind") else { return };
    let name = told(&["metadata", "name"], "name");
    // A target may be a pattern, or chosen by labels: then it is known of no object that it is meant.
    let chosen = |field: &str| target.is_some_and(|t| d.tree.field(t, field).is_some());
    let plain = |n: &String| n.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let sure = name.as_ref().is_none_or(plain) && !chosen("labelSelector") && !chosen("annotationSelector");
    for (key, pods) in super::patches::labels(patch, root, &kind) {
        let name = name.clone().filter(|_| sure);
        let label = AddedLabel { key, kind: Some(kind.clone()), name, at };
        match pods {
            true if sure => out.pods.push(label),
            true => {}
            false => out.own.push(label),
        }
    }
}

fn labels(d: &Document, map: NodeId, kind: Option<&str>) -> Vec<AddedLabel> {
    let label = |(key, _): (NodeId, NodeId)| {
        let text = d.tree.text(key)?.to_owned();
        Some(AddedLabel { key: text, kind: kind.map(str::to_owned), name: None, at: d.place(key) })
    };
    d.tree.pairs(map).into_iter().filter_map(label).collect()
}

/// The texts of a list.
fn texts<'a>(d: &'a Document, field: &str) -> Vec<&'a str> {
    let list = d.tree.field(d.root(), field).map(|l| d.tree.list(l)).unwrap_or_default();
    list.iter().filter_map(|x| d.tree.text(*x)).collect()
}

/// A path as it is written in a file of a folder, without `.` and `..`.
fn joined(folder: &Path, entry: &str) -> PathBuf {
    let mut out = PathBuf::new();
    for part in folder.join(entry).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}
