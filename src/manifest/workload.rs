//! Workloads: objects with a pod template, their labels and those of their pods.
//!
//! ```text
//! kind: Deployment         own: {app}     pods: {app, x.io/owner}      whole: it has containers
//! kind: CronJob            own: its own; those of its jobTemplate besides
//! kind: Job, no labels     the server gives it those of its pods
//! kind: SealedSecret       has a template, and no pods: none
//! ```

use super::object::{Labels, Object, Slot};
use super::yaml::NodeId;
use crate::source::{FileId, Sources};
use crate::vocab::{Workload as Kind, ownership};
use std::sync::OnceLock;

/// Do two paths end in the same file, as far as both go? A program's folder in an image is seldom that in the tree.
fn ends_in_common(path: &str, word: &str) -> bool {
    let (a, b) = (path.rsplit('/').next(), word.rsplit('/').next());
    a == b
}

/// A workload.
#[derive(Clone, Debug)]
pub struct Workload<'a> {
    /// The object.
    pub object: Object<'a>,
    /// What the server knows of its kind.
    pub kind: &'static Kind,
    /// Its own labels.
    pub own: Labels,
    /// The labels of its pods.
    pub pods: Labels,
    /// Does it say what runs in its pods? One that does not is a patch of another.
    pub whole: bool,
    /// The fields that lead to the metadata that its own labels are in.
    metadata: &'static [&'static str],
}

/// The Jobs that a CronJob makes have metadata of their own.
const OF_JOBS: &[&str] = &["spec", "jobTemplate", "metadata"];

impl<'a> Workload<'a> {
    /// The workload that an object is, if it is one.
    pub fn of(object: Object<'a>) -> Option<Self> {
        let kind = ownership().kind(object.kind()?).filter(|k| k.is_of(object.api()))?;
        Some(Self::with(object, kind, &["metadata"]))
    }

    /// The Jobs that it makes, if it is a CronJob.
    pub fn jobs(&self) -> Option<Self> {
        let job = ownership().kind("Job").filter(|_| self.kind.name == "CronJob")?;
        let pods = Self { kind: job, own: self.object.labels(OF_JOBS), metadata: OF_JOBS, ..self.clone() };
        Some(pods)
    }

    fn with(object: Object<'a>, kind: &'static Kind, path: &'static [&'static str]) -> Self {
        let template: Vec<&str> = kind.template.iter().map(String::as_str).collect();
        let metadata: Vec<&str> = template.iter().copied().chain(["metadata"]).collect();
        let spec: Vec<&str> = template.iter().copied().chain(["spec"]).collect();
        let runs = |field: &str| object.slots(&spec).iter().any(|s| !object.doc.below(s, field).is_empty());
        let whole = kind.runs.iter().any(|field| runs(field));
        let (own, pods) = (object.labels(path), object.labels(&metadata));
        Workload { object, kind, own, pods, whole, metadata: path }
    }

    /// The `metadata` that its own labels are in; nothing where a template has none, or one for each of several cases.
    pub fn metadata(&self) -> Option<Slot> {
        let mut all = self.object.slots(self.metadata);
        if all.len() == 1 { all.pop() } else { None }
    }

    /// Its containers, each with the key of the list it is in.
    pub fn containers(&self) -> Vec<(NodeId, NodeId)> {
        let path: Vec<&str> = self.kind.template.iter().map(String::as_str).chain(["spec", "containers"]).collect();
        let lists = self.object.slots(&path);
        let of = |slot: &Slot| self.object.doc.tree.list(slot.value).iter().map(|c| (*c, slot.key)).collect::<Vec<_>>();
        lists.iter().flat_map(of).collect()
    }

    /// Is a field of a container wholly written out, without lines that are not known?
    pub fn is_written(&self, container: NodeId, field: &str) -> bool {
        let doc = self.object.doc;
        let end = doc.tree.span(container).end;
        let slots = doc.slots(container, end);
        slots.iter().filter(|s| doc.tree.text(s.key) == Some(field)).all(|s| !doc.is_open(s))
    }

    /// The workload that an object is; a Pod is one that runs by itself.
    pub fn running(object: Object<'a>) -> Option<Self> {
        if object.kind() != Some("Pod") || object.api() != "v1" {
            return Self::of(object);
        }
        static POD: OnceLock<Kind> = OnceLock::new();
        let kind = POD.get_or_init(Kind::pod);
        let own = object.labels(&["metadata"]);
        Some(Workload { object, kind, pods: own.clone(), own, whole: true, metadata: &["metadata"] })
    }

    /// The account that its pods run under.
    pub fn account(&self) -> Option<&'a str> {
        let path: Vec<&str> = self.kind.template.iter().map(String::as_str).chain(["spec"]).collect();
        let spec = self.object.at(&path)?;
        let tree = &self.object.doc.tree;
        tree.text_at(spec, &["serviceAccountName"]).or_else(|| tree.text_at(spec, &["serviceAccount"]))
    }

    /// The images of its containers.
    pub fn images(&self) -> Vec<&'a str> {
        let tree = &self.object.doc.tree;
        self.containers().iter().filter_map(|(c, _)| tree.text_at(*c, &["image"])).collect()
    }

    /// The words of its containers' commands and arguments. A flag and its value that are words of their own come as one
    /// text besides: `-n labs`.
    pub fn words(&self) -> Vec<(String, NodeId)> {
        let tree = &self.object.doc.tree;
        let mut out = vec![];
        for (container, _) in self.containers() {
            let list = |field: &str| tree.field(container, field).map(|l| tree.list(l)).unwrap_or_default();
            let words = list("command").iter().chain(list("args"));
            out.extend(words.filter_map(|n| Some((tree.text(*n)?.to_owned(), *n))));
        }
        out
    }

    /// The environment variables of its containers that have a value, and where.
    pub fn variables(&self) -> Vec<(&'a str, NodeId)> {
        let tree = &self.object.doc.tree;
        let mut out = vec![];
        for (container, _) in self.containers() {
            for entry in tree.field(container, "env").map(|l| tree.list(l)).unwrap_or_default() {
                let given = tree.text_at(*entry, &["value"]).is_some_and(|v| !v.is_empty());
                let given = given || tree.field(*entry, "valueFrom").is_some();
                out.extend(tree.text_at(*entry, &["name"]).filter(|_| given).map(|name| (name, *entry)));
            }
        }
        out
    }

    /// Does its command run the program of a file: `python -m labs.janitor`, `python /app/janitor.py`?
    pub fn runs(&self, sources: &Sources, file: FileId) -> bool {
        let path = sources.get(file).shown();
        let stem = path.rsplit_once('.').map_or(path.as_str(), |(stem, _)| stem);
        self.words().iter().flat_map(|(text, _)| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()).any(
            |word| {
                let word = word.trim_start_matches("./").trim_start_matches('/');
                let module = word.replace('.', "/");
                let ends = |whole: &str, part: &str| whole == part || whole.ends_with(&format!("/{part}"));
                let named =
                    word.contains('.') && ends(stem, &module) || word.ends_with(".py") && ends_in_common(&path, word);
                named && !word.is_empty()
            },
        )
    }

    /// Does the server give it the labels of its pods?
    pub fn is_defaulted(&self) -> bool {
        self.kind.is_defaulted(self.object.api()) && self.own.known.is_empty()
    }
}
