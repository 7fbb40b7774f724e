//! The edit that adds labels to a workload's own metadata, in the manner of what is there.
//!
//! ```text
//! labels:              labels: {app: web}      metadata:         "labels": {
//!   app: web           labels: {app: web,        name: x           "app": "web",
//! + x.io/owner: a        x.io/owner: a}        + labels:         + "x.io/owner": "a"
//!                                              +   x.io/owner: a
//! ```
//! Values are copied as they are written, with their quotes and expressions. Where what is there cannot be added to in one
//! place, there is no fix.

use super::*;
use crate::manifest::object::{Document, Label, Slot};
use crate::manifest::workload::Workload as Manifest;
use crate::manifest::yaml::{Kind, NodeId, Style};
use std::ops::Range;

/// The fix that adds labels of the pods to the workload.
pub(super) fn fix(sources: &Sources, w: &Manifest, labels: &[Label]) -> Option<Fix> {
    if labels.is_empty() {
        return None;
    }
    let metadata = w.metadata()?;
    let file = Text { doc: w.object.doc, text: &sources.get(w.object.doc.file).text };
    // Which blocks of Jinja a place stands in is not known.
    if w.object.doc.chart.is_none() && file.text.contains("{%") {
        return None;
    }
    let pairs: Vec<(String, String)> = labels.iter().map(|l| file.pair(l, &metadata)).collect::<Option<_>>()?;
    let own = w.object.doc.below(&metadata, "labels");
    let edit = match own.as_slice() {
        [] => file.whole(&metadata, &pairs),
        [labels] => file.among(labels, &pairs),
        _ => None,
    }?;
    let kind = &w.kind.name;
    let message = match pairs.as_slice() {
        [(key, _)] => format!("add {key} to the {kind}'s own labels"),
        several => format!("add {} labels to the {kind}'s own", several.len()),
    };
    Some(Fix { message, applicability: Applicability::Safe, edits: vec![edit] })
}

/// A file to be edited.
struct Text<'a> {
    doc: &'a Document,
    text: &'a str,
}

impl Text<'_> {
    /// The range of a node in the file; nothing for what is written elsewhere.
    fn range(&self, node: NodeId) -> Option<Range<usize>> {
        let span = self.doc.written(node);
        let own = span.file == self.doc.file && self.doc.place(node) == span;
        own.then_some(span.start as usize..span.end as usize)
    }

    /// A label as it is written.
    fn pair(&self, label: &Label, metadata: &Slot) -> Option<(String, String)> {
        let (key, value) = label.pair;
        // An expression may mean something else, or a condition may not hold, where it is copied to.
        if !self.doc.text.alike(self.doc.tree.span(key).start, self.doc.tree.span(metadata.key).start) {
            return None;
        }
        let one_line = |node| {
            let node = self.doc.tree.get(node);
            matches!(node.kind, Kind::Scalar { style: Style::Plain | Style::Quoted, .. })
        };
        if !one_line(key) || !one_line(value) {
            return None;
        }
        let key = self.text.get(self.range(key)?)?;
        // An alias may stand before its anchor where it is copied to.
        let value = match self.doc.tree.span(value) == self.doc.tree.get(value).span {
            true => self.value(value)?,
            false => self.doc.tree.text(value).filter(|_| !self.doc.text.is_template())?.to_owned(),
        };
        let variable = value.match_indices('$').any(|(at, _)| !value[at + 1..].starts_with('.'));
        if self.doc.text.is_template() && variable {
            return None;
        }
        let fits = !key.contains(['\n', '\r']) && !value.contains(['\n', '\r']);
        fits.then(|| (key.to_owned(), value))
    }

    /// A value as it is written: of one that holds expressions, all that stands between the colon and the line's end.
    fn value(&self, node: NodeId) -> Option<String> {
        let span = self.doc.text.place(self.doc.tree.span(node));
        if span.file != self.doc.file {
            return None;
        }
        let text = self.text.get(span.start as usize..span.end as usize)?;
        Some(text.to_owned())
    }

    /// How a line ends here.
    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// One past the line of a byte, without its end.
    fn end_of_line(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.find(['\n', '\r']).unwrap_or(rest.len())
    }

    fn column(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        at - before.rfind('\n').map_or(0, |n| n + 1)
    }

    fn insert(&self, at: usize, text: String) -> Option<Edit> {
        Some(Edit { span: Span::new(self.doc.file, at, at), replacement: text })
    }

    /// Adds labels to those that are there.
    fn among(&self, labels: &Slot, pairs: &[(String, String)]) -> Option<Edit> {
        let node = self.doc.tree.get(labels.value);
        if self.doc.tree.span(labels.value) != node.span {
            return None;
        }
        let own = self.doc.tree.own_pairs(labels.value);
        if node.flow {
            let range = self.range(labels.value)?;
            return match own.last() {
                Some((_, last)) => self.after(self.range(*last)?.end, *own.first()?, pairs),
                None => self.braces(range, pairs),
            };
        }
        if own.is_empty() {
            // `labels:` and nothing behind it: the key's line goes on below it.
            let key = self.range(labels.key)?;
            if self.doc.is_open(labels) || !self.doc.tree.is_null(labels.value) {
                return None;
            }
            return self.lines(self.end_of_line(key.end), self.column(key.start) + 2, pairs);
        }
        // Behind the last one that is written here, else at the head.
        let last = own.iter().rev().find_map(|(_, value)| self.range(*value));
        let first = self.doc.tree.span(own.first()?.0).start;
        let indent = self.doc.column(first) as usize;
        match last {
            Some(last) => self.lines(self.end_of_line(last.end), indent, pairs),
            None => self.lines(self.end_of_line(self.range(labels.key)?.end), indent, pairs),
        }
    }

    /// Lines behind the end of a line.
    fn lines(&self, at: usize, indent: usize, pairs: &[(String, String)]) -> Option<Edit> {
        let end = self.line_end();
        let line = |(key, value): &(String, String)| format!("{end}{}{key}: {value}", " ".repeat(indent));
        self.insert(at, pairs.iter().map(line).collect())
    }

    /// Behind the last value of a map in braces: on lines of their own where that is how it is written.
    fn after(&self, at: usize, first: (NodeId, NodeId), pairs: &[(String, String)]) -> Option<Edit> {
        let key = self.range(first.0)?.start;
        let before = self.text.get(key - self.column(key)..key)?;
        let between = match before.trim().is_empty() {
            true => format!(",{}{before}", self.line_end()),
            false => ", ".to_owned(),
        };
        let one = |(key, value): &(String, String)| format!("{between}{key}: {}", flow(value));
        self.insert(at, pairs.iter().map(one).collect())
    }

    /// Into an empty pair of braces.
    fn braces(&self, range: Range<usize>, pairs: &[(String, String)]) -> Option<Edit> {
        let inside = self.text.get(range.clone())?.strip_prefix('{')?.strip_suffix('}')?;
        inside.trim().is_empty().then_some(())?;
        let all: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}: {}", flow(value))).collect();
        self.insert(range.start + 1, all.join(", "))
    }

    /// A whole map of labels, for metadata that has none.
    fn whole(&self, metadata: &Slot, pairs: &[(String, String)]) -> Option<Edit> {
        let own = self.doc.tree.own_pairs(metadata.value);
        let (first, last) = (own.first()?, own.last()?);
        let key = self.range(first.0)?;
        if !self.doc.tree.get(metadata.value).flow {
            let indent = self.column(key.start);
            let step = indent.saturating_sub(self.column(self.range(metadata.key)?.start)).max(1);
            let end = self.line_end();
            let labels = pairs.iter().map(|(k, v)| format!("{}{k}: {v}{end}{}", " ".repeat(step), " ".repeat(indent)));
            let text: String = std::iter::once(format!("labels:{end}{}", " ".repeat(indent))).chain(labels).collect();
            return self.insert(key.start, text);
        }
        let quoted = self.text.get(key.clone())?.starts_with('"');
        let all: Vec<String> = pairs.iter().map(|(k, v)| format!("{k}: {}", flow(v))).collect();
        let name = if quoted { "\"labels\"" } else { "labels" };
        let value = format!("{{{}}}", all.join(", "));
        // A value in braces of its own may end on a later line than it begins.
        let end = self.doc.text.place(self.doc.tree.span(last.1));
        self.after(end.end as usize, *first, &[(name.to_owned(), value)])
    }
}

/// A plain value as it may stand between braces.
fn flow(value: &str) -> String {
    let written = value.starts_with(['"', '\'', '{']);
    match written || !value.contains([',', '[', ']', '{', '}']) {
        true => value.to_owned(),
        false => format!("\"{value}\""),
    }
}
