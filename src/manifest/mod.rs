//! Manifests: YAML, JSON and templates of them, as documents whose keys and values know their places.
//!
//! ```text
//! deploy/web.yaml            read as it is; each document by itself, a broken one costs no other
//! chart/templates/web.yaml   rendered with holes (`template`), with the chart's own `define` blocks and values
//! data/orders.json           holds no `kind`: not parsed
//! ```
//! What a document means is in [`object`]; nothing here knows a rule.

pub mod kustomize;
pub mod markers;
pub mod object;
mod patches;
pub mod rbac;
pub mod split;
pub mod template;
pub mod terraform;
pub mod workload;
pub mod yaml;

use crate::source::{FileId, Language, SourceFile, Sources};
use crate::vocab::tools;
use memchr::memmem;
use object::{Document, Object};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use template::values::Values;
use template::{Branches, Chart, Rendered, render};
use yaml::Tree;

/// The manifests of a run.
#[derive(Debug, Default)]
pub struct Manifests {
    /// Every document that may be one, in the order of files.
    pub documents: Vec<Document>,
    /// Documents that do not parse: the file, the byte, and what is wrong.
    pub broken: Vec<(FileId, u32, String)>,
    /// The folders of charts, outermost first where one lies in another.
    pub charts: Vec<PathBuf>,
}

/// Words of which a document that matters holds at least one: objects have a kind, kustomizations resources or labels.
const TELLING: &[&str] =
    &["kind", "resources", "bases", "components", "labels", "discriminator", "kubectl", "velero", "jmespath"];

impl Manifests {
    /// Reads every manifest.
    pub fn read(sources: &Sources) -> Manifests {
        let yaml: Vec<&SourceFile> = sources.files.iter().filter(|f| f.language == Language::Yaml).collect();
        let charts = charts(&yaml);
        let shared: Vec<Shared> = charts.par_iter().map(|c| Shared::read(c, &charts, sources)).collect();
        let telling: Vec<_> = TELLING.iter().map(memmem::Finder::new).collect();
        let one = |f: &&SourceFile| {
            if !telling.iter().any(|w| w.find(f.text.as_bytes()).is_some()) {
                return (vec![], vec![]);
            }
            let chart = charts.iter().rposition(|c| f.path.starts_with(c.join("templates")));
            documents(f, chart, chart.and_then(|c| shared.get(c)))
        };
        let read: Vec<_> = yaml.par_iter().map(one).collect();
        let mut out = Manifests { charts, ..Manifests::default() };
        for (documents, broken) in read {
            out.documents.extend(documents);
            out.broken.extend(broken);
        }
        out.terraform(sources);
        out
    }

    /// Reads the Kubernetes resources of Terraform.
    fn terraform(&mut self, sources: &Sources) {
        let files = sources.files.iter().filter(|f| f.language == Language::Terraform);
        let files: Vec<&SourceFile> = files.collect();
        let telling: FxHashSet<&Path> = files
            .iter()
            .filter(|f| f.text.contains(tools().terraform.prefix.as_str()))
            .filter_map(|f| f.path.parent())
            .collect();
        let near = files.into_iter().filter(|f| f.path.parent().is_some_and(|p| telling.contains(p)));
        let (mut parsed, near): (Vec<_>, Vec<_>) = (vec![], near.collect());
        let read: Vec<_> = near.par_iter().map(|f| (f.id, terraform::parse(f))).collect();
        for (id, one) in read {
            match one {
                Ok(one) => parsed.push(one),
                Err((at, what)) => self.broken.push((id, at, what)),
            }
        }
        let locals = terraform::Locals::of(&parsed);
        self.documents.extend(parsed.iter().flat_map(|f| terraform::objects(f, &locals)));
    }

    /// Every Kubernetes object, those in lists among them.
    pub fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        self.documents.iter().flat_map(Document::objects)
    }
}

/// The folders that hold a `Chart.yaml`, outermost first.
fn charts(files: &[&SourceFile]) -> Vec<PathBuf> {
    let named = |f: &&&SourceFile| f.path.file_name().is_some_and(|n| n == "Chart.yaml" || n == "Chart.yml");
    let mut out: Vec<PathBuf> =
        files.iter().filter(named).filter_map(|f| f.path.parent().map(Path::to_path_buf)).collect();
    out.sort_by_key(|p| p.components().count());
    out
}

/// What the templates of one chart share.
#[derive(Default)]
struct Shared {
    chart: Chart,
    values: Values,
}

impl Shared {
    /// The blocks of a chart are those of the whole release: of the charts it lies in, and of those that lie in it.
    fn read(folder: &Path, charts: &[PathBuf], sources: &Sources) -> Shared {
        let outermost = charts.iter().find(|c| folder.starts_with(c) && is_within(folder, c));
        let release = outermost.map_or(folder, PathBuf::as_path);
        let mut out = Shared { chart: Chart::default(), values: Values::default() };
        for f in &sources.files {
            let template = matches!(f.language, Language::Yaml | Language::Template) && f.path.starts_with(release);
            if template && memmem::find(f.text.as_bytes(), b"define").is_some() {
                out.chart.define(f.id, &f.text);
            }
            if f.path.parent() == Some(folder) && f.path.file_name().is_some_and(|n| n == "values.yaml") {
                out.values = Values::read(&f.text);
            }
        }
        out
    }
}

/// Is a chart part of another: below its `charts` folder, step by step?
fn is_within(folder: &Path, chart: &Path) -> bool {
    match folder.strip_prefix(chart) {
        Ok(rest) => rest.as_os_str().is_empty() || rest.components().any(|c| c.as_os_str() == "charts"),
        Err(_) => false,
    }
}

/// Documents, and places where one does not parse.
type Read = (Vec<Document>, Vec<(FileId, u32, String)>);

/// The documents of a file, and those that do not parse.
fn documents(f: &SourceFile, chart: Option<usize>, shared: Option<&Shared>) -> Read {
    let told = shared.is_none() && ["{%", "{#"].iter().any(|m| memmem::find(f.text.as_bytes(), m.as_bytes()).is_some());
    if told {
        let file = SourceFile { text: without_control(&f.text).into(), ..f.clone() };
        return expressions(&file, chart, None);
    }
    expressions(f, chart, shared)
}

/// A text without the control and the comments of Jinja; every other byte stays where it is, and both branches are there.
///
/// ```text
/// {% if a %}           blank
/// owner: {{ who }}     stays
/// {% endif %}          blank
/// ```
fn without_control(text: &str) -> String {
    let mut out = text.to_owned();
    for (open, close) in [("{%", "%}"), ("{#", "#}")] {
        let mut at = 0;
        while let Some(start) = out.get(at..).and_then(|rest| rest.find(open)).map(|n| at + n) {
            let Some(end) = out.get(start..).and_then(|rest| rest.find(close)).map(|n| start + n + 2) else { break };
            let blank: String =
                out.get(start..end).unwrap_or_default().bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }).collect();
            out.replace_range(start..end, &blank);
            at = end;
        }
    }
    out
}

fn expressions(f: &SourceFile, chart: Option<usize>, shared: Option<&Shared>) -> Read {
    if memmem::find(f.text.as_bytes(), b"{{").is_none() {
        return parts(f, chart, Rendered::plain(f.id, f.text.clone()));
    }
    let none = Shared::default();
    let Shared { chart: blocks, values } = shared.unwrap_or(&none);
    let all = parts(f, chart, render(f.id, &f.text, blocks, values, Branches::All));
    if all.1.is_empty() {
        return all;
    }
    // Two branches may stand where YAML has room for one.
    let one = parts(f, chart, render(f.id, &f.text, blocks, values, Branches::One));
    if one.1.len() < all.1.len() { one } else { all }
}

fn parts(f: &SourceFile, chart: Option<usize>, text: Rendered) -> Read {
    let (mut out, mut broken) = (vec![], vec![]);
    let text = Arc::new(text);
    for range in split::split(&text.text) {
        let Some(part) = text.text.get(range.clone()) else { continue };
        if !TELLING.iter().any(|w| memmem::find(part.as_bytes(), w.as_bytes()).is_some()) {
            continue;
        }
        match Tree::parse(part, range.start as u32) {
            Ok(tree) => out.extend(Document::new(f.id, chart, text.clone(), tree, range.end as u32)),
            Err(e) => broken.push((f.id, text.place(e.at..e.at).start, e.what)),
        }
    }
    (out, broken)
}
