//! What a document says: Kubernetes objects, their names and labels.
//!
//! ```text
//! kind: List                              two objects
//! items: [{kind: Role, ..}, {..}]
//! metadata:
//!   labels:                               keys `app`, and open: the include may give any other
//!     app: web
//!     {{- include "other.labels" . | nindent 4 }}
//! ```
//! A hole belongs to the map that its indentation puts it into.

use super::template::Rendered;
use super::yaml::{Kind, NodeId, Pair, Tree};
use crate::source::{FileId, Span};
use std::ops::Range;
use std::sync::Arc;

/// A document that parsed.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its file.
    pub file: FileId,
    /// The chart whose template it is, as an index into [`super::Manifests::charts`].
    pub chart: Option<usize>,
    /// The text its tree's places are in.
    pub text: Arc<Rendered>,
    /// Its tree.
    pub tree: Tree,
    root: NodeId,
    end: u32,
}

/// A Kubernetes object: a map with a kind.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a> {
    /// Its document.
    pub doc: &'a Document,
    /// Its map.
    pub root: NodeId,
    end: u32,
}

/// A value of a map, with the range in which it may stand: from its key to the next one.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The key.
    pub key: NodeId,
    /// The value.
    pub value: NodeId,
    /// From the end of the key to the next key, or to the end of the map around it.
    pub range: Range<u32>,
    /// The column of the key, from 0.
    pub column: u32,
}

/// A label.
#[derive(Clone, PartialEq, Debug)]
pub struct Label {
    /// Its key.
    pub key: String,
    /// The places of key and value.
    pub pair: Pair,
}

/// The labels of an object or of its pods, as far as they are known.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Labels {
    /// Those that are known, in the order of the text.
    pub known: Vec<Label>,
    /// May there be others?
    pub open: bool,
    /// Did the shipped values give some, or leave some out?
    pub valued: bool,
}

impl Labels {
    /// Is a key among those known?
    pub fn has(&self, key: &str) -> bool {
        self.known.iter().any(|l| l.key == key)
    }
}

impl Document {
    pub(super) fn new(
        file: FileId,
        chart: Option<usize>,
        text: Arc<Rendered>,
        tree: Tree,
        end: u32,
    ) -> Option<Document> {
        let root = tree.root()?;
        Some(Document { file, chart, text, tree, root, end })
    }

    /// Its top.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The Kubernetes objects in it.
    pub fn objects(&self) -> Vec<Object<'_>> {
        let (mut out, mut open) = (vec![], vec![(self.root, self.end)]);
        while let Some((root, end)) = open.pop() {
            let Some(kind) = self.tree.field(root, "kind").and_then(|k| self.tree.text(k)) else { continue };
            match kind.ends_with("List").then(|| self.tree.field(root, "items")).flatten() {
                Some(items) => {
                    let items = self.tree.list(items);
                    let ends = items.iter().skip(1).map(|i| self.tree.span(*i).start).chain([end]);
                    let within: Vec<_> = items.iter().copied().zip(ends).collect();
                    open.extend(within.into_iter().rev());
                }
                None => out.push(Object { doc: self, root, end }),
            }
        }
        out
    }

    /// The place of a node in the linted file, on its first line.
    pub fn place(&self, node: NodeId) -> Span {
        self.text.place(self.line(self.tree.span(node)))
    }

    /// The place where a node is written, in whatever file of the chart.
    pub fn written(&self, node: NodeId) -> Span {
        self.text.written(self.line(self.tree.span(node)))
    }

    fn line(&self, range: Range<u32>) -> Range<u32> {
        let text = self.text.text.get(range.start as usize..range.end as usize).unwrap_or_default();
        let end = text.find(['\n', '\r']).map_or(range.end, |n| range.start + n as u32);
        range.start..end
    }

    /// Is a scalar wholly written out?
    pub fn is_literal(&self, node: NodeId) -> bool {
        self.tree.text(node).is_some() && !self.text.has_hole(self.tree.span(node))
    }

    /// The column of a byte of the rendered text, from 0.
    pub fn column(&self, at: u32) -> u32 {
        let before = self.text.text.get(..at as usize).unwrap_or_default();
        at - before.rfind('\n').map_or(0, |n| n as u32 + 1)
    }

    /// The values of a map that ends at `end`.
    pub fn slots(&self, map: NodeId, end: u32) -> Vec<Slot> {
        let pairs = self.tree.own_pairs(map);
        let ends = pairs.iter().skip(1).map(|(key, _)| self.tree.span(*key).start).chain([end]);
        let slot = |((key, value), end): (&Pair, u32)| {
            let span = self.tree.span(*key);
            let end = end.max(span.end);
            Slot { key: *key, value: *value, range: span.end..end, column: self.column(span.start) }
        };
        pairs.iter().zip(ends).map(slot).collect()
    }

    /// The values of a key in the map that stands in a slot: several, where it stands in both branches of a choice.
    pub fn below(&self, slot: &Slot, key: &str) -> Vec<Slot> {
        let own = self.slots(slot.value, slot.range.end);
        own.into_iter().filter(|s| self.tree.text(s.key) == Some(key)).collect()
    }

    /// May the map in a slot hold keys besides those that are written? By an expression, by whole lines that are not known,
    /// or by a key that is none.
    pub fn is_open(&self, slot: &Slot) -> bool {
        let node = self.tree.get(slot.value);
        if let Kind::Scalar { .. } = node.kind
            && self.text.has_hole(self.tree.span(slot.value))
        {
            return true;
        }
        let inner = self.slots(slot.value, slot.range.end);
        if inner.iter().any(|s| !self.is_literal(s.key)) {
            return true;
        }
        let deeper = |at: u32, indent: u32| inner.iter().any(|s| s.range.contains(&at) && indent > s.column);
        self.text.line_holes(slot.range.clone()).any(|h| h.indent > slot.column && !deeper(h.at, h.indent))
    }
}

impl<'a> Object<'a> {
    /// Its kind, where it is written out.
    pub fn kind(&self) -> Option<&'a str> {
        let node = self.doc.tree.field(self.root, "kind")?;
        if self.doc.is_literal(node) { self.doc.tree.text(node) } else { None }
    }

    /// Its API version, as far as it is written out.
    pub fn api(&self) -> &'a str {
        self.text(&["apiVersion"]).unwrap_or_default()
    }

    /// The text at the end of a path of keys. Expressions in it stand as words.
    pub fn text(&self, path: &[&str]) -> Option<&'a str> {
        self.doc.tree.text_at(self.root, path)
    }

    /// The node at the end of a path of keys.
    pub fn at(&self, path: &[&str]) -> Option<NodeId> {
        self.doc.tree.at(self.root, path)
    }

    /// Its name, expressions as words.
    pub fn name(&self) -> Option<&'a str> {
        self.text(&["metadata", "name"])
    }

    /// Its namespace, expressions as words.
    pub fn namespace(&self) -> Option<&'a str> {
        self.text(&["metadata", "namespace"])
    }

    /// All of it, in the linted file.
    pub fn place(&self) -> Span {
        let start = self.doc.tree.span(self.root).start;
        let (from, to) = (self.doc.text.place(start..start), self.doc.text.place(self.end..self.end));
        Span { end: to.start.max(from.end), ..from }
    }

    /// Is it there with the shipped values? Nothing where they do not say.
    pub fn shipped(&self) -> Option<bool> {
        match self.doc.tree.field(self.root, "kind") {
            Some(kind) => self.doc.text.shipped(self.doc.tree.span(kind).start),
            None => Some(true),
        }
    }

    /// The object as a slot: its own fields are below it.
    fn slot(&self) -> Slot {
        let start = self.doc.tree.span(self.root).start;
        Slot { key: self.root, value: self.root, range: start..self.end, column: 0 }
    }

    /// The values at the end of a path: several, where a key stands in both branches of a choice.
    pub fn slots(&self, path: &[&str]) -> Vec<Slot> {
        path.iter().fold(vec![self.slot()], |slots, key| slots.iter().flat_map(|s| self.doc.below(s, key)).collect())
    }

    /// The labels below the metadata at a path; open where the metadata is.
    pub fn labels(&self, metadata: &[&str]) -> Labels {
        let mut out = Labels::default();
        let holders = self.slots(metadata);
        for holder in &holders {
            out.open |= self.doc.is_open(holder) || self.is_aliased(holder.value);
            for slot in self.doc.below(holder, "labels") {
                out.open |= self.doc.is_open(&slot);
                out.valued |= self.doc.text.rests_on_values(slot.range.clone());
                for (key, value) in self.doc.tree.pairs(slot.value) {
                    if let Some(text) = self.doc.tree.text(key).filter(|_| self.doc.is_literal(key)) {
                        out.known.push(Label { key: text.to_owned(), pair: (key, value) });
                    }
                }
            }
        }
        out
    }

    /// Is a map taken over from another place, so that what it is made of is not below it in the text?
    fn is_aliased(&self, node: NodeId) -> bool {
        // An alias shares the anchor's map: what is known of it is known here, holes in it are not looked for.
        self.doc.text.is_template() && self.doc.tree.span(node) != self.doc.tree.get(node).span
    }
}

#[cfg(test)]
mod tests {
    use super::super::template::values::Values;
    use super::super::template::{Branches, Chart, render};
    use super::*;

    fn read(text: &str, helpers: &str, values: &str) -> Document {
        let (text, helpers): (Arc<str>, Arc<str>) = (text.into(), helpers.into());
        let mut chart = Chart::default();
        chart.define(FileId(1), &helpers);
        let rendered = match text.contains("{{") {
            true => render(FileId(0), &text, &chart, &Values::read(values), Branches::All),
            false => Rendered::plain(FileId(0), text.clone()),
        };
        let rendered = Arc::new(rendered);
        let tree = Tree::parse(&rendered.text, 0).unwrap_or_else(|e| panic!("{e:?}\n{}", rendered.text));
        let end = rendered.text.len() as u32;
        Document::new(FileId(0), None, rendered, tree, end).unwrap()
    }

    fn labels(doc: &Document, path: &[&str]) -> (Vec<String>, bool) {
        let objects = doc.objects();
        let labels = objects.first().unwrap().labels(path);
        (labels.known.into_iter().map(|l| l.key).collect(), labels.open)
    }

    #[test]
    fn labels_of_plain_manifests() {
        let doc = read("kind: Job\nmetadata: {labels: {a: 1, \"b\": 2}}\n", "", "");
        assert_eq!(labels(&doc, &["metadata"]), (vec!["a".into(), "b".into()], false));
        let doc = read("kind: Job\nmetadata:\n  name: x\n", "", "");
        assert_eq!(labels(&doc, &["metadata"]), (vec![], false));
        let doc = read("kind: List\nitems:\n- kind: Job\n  metadata: {labels: {a: 1}}\n- kind: Pod\n", "", "");
        assert_eq!(doc.objects().iter().filter_map(Object::kind).collect::<Vec<_>>(), ["Job", "Pod"]);
    }

    const TEMPLATE: &str = "\
kind: Deployment
metadata:
  name: {{ .Release.Name }}-web
  labels:
    {{- include \"web.labels\" . | nindent 4 }}
    own: {{ .Values.own | quote }}
  {{- with .Values.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  template:
    metadata:
      labels:
{{ toYaml .Values.podLabels | indent 8 }}
        last: x
";

    #[test]
    fn includes_and_values_are_read() {
        let helpers = "{{- define \"web.labels\" -}}\napp: {{ .Chart.Name }}\n{{ include \"web.more\" . }}\n{{- end }}\n\
                       {{ define \"web.more\" }}\nmore: y\n{{ end }}";
        let doc = read(TEMPLATE, helpers, "podLabels: {team: a}\nannotations: {}\n");
        assert_eq!(labels(&doc, &["metadata"]), (vec!["app".into(), "more".into(), "own".into()], false));
        let pods = ["spec", "template", "metadata"];
        assert_eq!(labels(&doc, &pods), (vec!["team".into(), "last".into()], false));
        let doc = read(TEMPLATE, helpers, "");
        assert_eq!(labels(&doc, &pods), (vec!["last".into()], true), "values.yaml does not show podLabels");
        assert!(!labels(&doc, &["metadata"]).1, "what an annotation may hold is none of the labels' business");
    }

    #[test]
    fn what_is_not_known_is_open() {
        let doc = read(TEMPLATE, "", "podLabels: {}\n");
        assert_eq!(labels(&doc, &["metadata"]), (vec!["own".into()], true), "nobody defines web.labels");
        let doc = read("kind: A\nmetadata:\n  {{- include \"x\" . | nindent 2 }}\n", "", "");
        assert!(labels(&doc, &["metadata"]).1);
        let doc = read("kind: A\nmetadata:\n  labels: {{ .Values.labels | toJson }}\n", "", "");
        assert!(labels(&doc, &["metadata"]).1);
        let doc = read("kind: A\nmetadata:\n  labels:\n    {{ .Values.key }}: x\n", "", "");
        assert!(labels(&doc, &["metadata"]).1);
    }

    #[test]
    fn an_include_that_is_not_indented_stands_as_it_is_written() {
        let helpers = "{{ define \"web.meta\" -}}\nlabels:\n    app: a\n    owner: b\n{{ end }}";
        let text =
            "kind: A\nmetadata:\n  {{ template \"web.meta\" (dict \"x\" 1) }}\n  name: {{ .Values.dash | quote }}\n";
        let doc = read(text, helpers, "dash: '-'\n");
        assert_eq!(labels(&doc, &["metadata"]), (vec!["app".into(), "owner".into()], false));
    }

    #[test]
    fn a_choice_of_keys_in_a_line() {
        let text = "kind: {{ if .Values.s -}} Secret {{- else -}} ConfigMap {{- end }}\nmetadata: {labels: {a: b}}\n\
                    {{ if .Values.s -}} stringData: {{- else -}} data: {{- end }}\n  x: y\n";
        let doc = read(text, "", "s: false\n");
        assert!(doc.tree.field(doc.root(), "data").is_some());
        assert_eq!(doc.objects()[0].kind(), Some("ConfigMap"));
    }

    #[test]
    fn places_are_those_of_the_template() {
        let helpers = "{{- define \"web.labels\" -}}\napp: a\nowner: b\n{{- end }}";
        let doc = read(TEMPLATE, helpers, "");
        let objects = doc.objects();
        let all = objects.first().unwrap().labels(&["metadata"]).known;
        let cut = |s: Span| match s.file.0 {
            0 => &TEMPLATE[s.start as usize..s.end as usize],
            _ => &helpers[s.start as usize..s.end as usize],
        };
        assert_eq!(cut(doc.written(all[1].pair.0)), "owner");
        assert_eq!(cut(doc.place(all[1].pair.0)), "{{- include \"web.labels\" . | nindent 4 }}");
        assert_eq!(cut(doc.place(all[2].pair.0)), "own");
        let spec = doc.tree.pair(doc.root(), "spec").unwrap().0;
        assert_eq!(cut(doc.place(spec)), "spec");
    }

    #[test]
    fn choices_are_known_with_the_shipped_values() {
        let text =
            "{{- if .Values.wide }}\nkind: ClusterRole\n{{- else }}\nkind: Role\n{{- end }}\nmetadata: {name: x}\n";
        let doc = read(text, "", "wide: false\n");
        let kinds: Vec<_> =
            doc.tree.own_pairs(doc.root()).iter().filter(|p| doc.tree.text(p.0) == Some("kind")).collect();
        let shipped: Vec<_> = kinds.iter().map(|p| doc.text.shipped(doc.tree.span(p.0).start)).collect();
        assert_eq!(shipped, [Some(false), Some(true)]);
        let text = "kind: {{ if .Values.wide }}ClusterRole{{ else }}Role{{ end }}\n";
        assert_eq!(read(text, "", "wide: false\n").objects()[0].kind(), Some("Role"));
        assert_eq!(read(text, "", "wide: true\n").objects()[0].kind(), Some("ClusterRole"));
        assert_eq!(read("kind: {{ if .X }}ClusterRole{{ else }}Role{{ end }}\n", "", "").objects()[0].kind(), None);
    }
}
