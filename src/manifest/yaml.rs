//! One YAML or JSON document as a tree of places: every key and value knows its bytes.
//!
//! ```text
//! metadata: {labels: {app: web}}      Map[ metadata -> Map[ labels -> Map[ app -> "web" ] ] ]
//! <<: *base                           the pairs of the anchored map, after the map's own
//! "app": 1                            a key is its text, however it is quoted; a scalar keeps its text, `1` and `"1"`
//! app: a                              a key that stands twice is there twice; the first is found
//! app: b
//! ```
//! Nothing is expanded: an alias points to its anchor. A document that does not parse gives its error and what stood
//! before it is dropped; the stream's other documents are read by themselves ([`super::split`]).

use granit_parser::{Event, Options, Parser, ScalarStyle, StructureStyle};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// A node of a [`Tree`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

/// A key with its value.
pub type Pair = (NodeId, NodeId);

/// What a node is.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// A scalar, after escapes. A missing value is an empty plain scalar.
    Scalar {
        /// Its text.
        text: Box<str>,
        /// Was it quoted, or a block?
        style: Style,
    },
    /// A sequence.
    List(Vec<NodeId>),
    /// A mapping, in the order of the source.
    Map(Vec<Pair>),
    /// `*name`: the node of the anchor.
    Alias(NodeId),
}

/// How a scalar is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Bare words.
    Plain,
    /// In quotes.
    Quoted,
    /// After `|` or `>`.
    Block,
}

/// A node.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Its bytes in the text that was parsed.
    pub span: Range<u32>,
    /// What it is.
    pub kind: Kind,
    /// Written in braces or brackets, so that indentation means nothing below it.
    pub flow: bool,
}

/// A document.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    root: Option<NodeId>,
}

/// Why a document does not parse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Where, as a byte of the text.
    pub at: u32,
    /// What is wrong, as a clause.
    pub what: String,
}

/// Documents that nest deeper are not read.
const DEEP: usize = 200;

/// How many maps one map may take in by `<<`, over however many steps.
const MERGES: usize = 32;

impl Tree {
    /// Reads one document. `base` is added to every place.
    ///
    /// # Errors
    /// Syntax errors, and nesting over 200 levels.
    pub fn parse(text: &str, base: u32) -> Result<Tree, Error> {
        let mut options = Options::default();
        options.set_emit_comments(false);
        options.emit_unresolved_aliases = true;
        options.flow_nesting_limit = DEEP;
        options.block_nesting_limit = DEEP;
        let mut build = Build { tree: Tree::default(), open: vec![], anchors: FxHashMap::default(), base };
        let mut parser = Parser::new_from_str_with_options(text, options);
        while let Some(event) = parser.next_event() {
            match event {
                Ok((event, span)) => {
                    let bytes = span.byte_range().unwrap_or_default();
                    // What follows the first document is no part of it.
                    if matches!(event, Event::DocumentEnd) && build.tree.root.is_some() {
                        break;
                    }
                    build.take(event, base + bytes.start as u32..base + bytes.end as u32);
                }
                Err(e) => {
                    let at = e.marker().byte_offset().unwrap_or_default().min(text.len()) as u32;
                    return Err(Error { at: base + at, what: e.info() });
                }
            }
        }
        Ok(build.tree)
    }

    /// The top of the document; nothing where it is empty.
    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// A node, behind aliases.
    pub fn get(&self, id: NodeId) -> &Node {
        let node = &self.nodes[id.0 as usize];
        match node.kind {
            // An anchor stands before its alias, so this ends.
            Kind::Alias(to) if to < id => self.get(to),
            _ => node,
        }
    }

    /// The place of a node: of an alias its own, not that of its anchor.
    pub fn span(&self, id: NodeId) -> Range<u32> {
        self.nodes[id.0 as usize].span.clone()
    }

    /// The text of a scalar.
    pub fn text(&self, id: NodeId) -> Option<&str> {
        match &self.get(id).kind {
            Kind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Is there nothing: `key:`, `~`, `null`?
    pub fn is_null(&self, id: NodeId) -> bool {
        matches!(&self.get(id).kind, Kind::Scalar { text, style: Style::Plain } if matches!(&**text, "" | "~" | "null" | "Null" | "NULL"))
    }

    /// The elements of a sequence; of anything else none.
    pub fn list(&self, id: NodeId) -> &[NodeId] {
        match &self.get(id).kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    /// The pairs of a mapping as written, `<<` among them; of anything else none.
    pub fn own_pairs(&self, id: NodeId) -> &[Pair] {
        match &self.get(id).kind {
            Kind::Map(pairs) => pairs,
            _ => &[],
        }
    }

    /// The pairs of a mapping: its own, then those of the maps it takes in by `<<`.
    pub fn pairs(&self, id: NodeId) -> Vec<Pair> {
        let (mut out, mut more, mut taken) = (vec![], vec![id], 0);
        while let Some(map) = more.pop() {
            for (key, value) in self.own_pairs(map) {
                if self.text(*key) != Some("<<") {
                    out.push((*key, *value));
                    continue;
                }
                let from = if self.list(*value).is_empty() { std::slice::from_ref(value) } else { self.list(*value) };
                for map in from.iter().rev() {
                    taken += 1;
                    // What is taken in stands before: an anchor of this map itself would go round.
                    if taken <= MERGES && self.resolve(*map) != self.resolve(id) {
                        more.push(*map);
                    }
                }
            }
        }
        out
    }

    fn resolve(&self, id: NodeId) -> NodeId {
        match self.nodes[id.0 as usize].kind {
            Kind::Alias(to) if to < id => self.resolve(to),
            _ => id,
        }
    }

    /// The pair of a key in a mapping.
    pub fn pair(&self, map: NodeId, key: &str) -> Option<Pair> {
        let own = self.own_pairs(map).iter().find(|(k, _)| self.text(*k) == Some(key));
        own.copied().or_else(|| self.pairs(map).into_iter().find(|(k, _)| self.text(*k) == Some(key)))
    }

    /// The value of a key in a mapping.
    pub fn field(&self, map: NodeId, key: &str) -> Option<NodeId> {
        self.pair(map, key).map(|(_, value)| value)
    }

    /// The value at the end of a path of keys.
    pub fn at(&self, from: NodeId, path: &[&str]) -> Option<NodeId> {
        path.iter().try_fold(from, |node, key| self.field(node, key))
    }

    /// The text at the end of a path of keys.
    pub fn text_at(&self, from: NodeId, path: &[&str]) -> Option<&str> {
        self.text(self.at(from, path)?)
    }
}

/// A tree that grows.
struct Build {
    tree: Tree,
    /// The collections that are open, each with the key that waits for its value.
    open: Vec<(NodeId, Option<NodeId>)>,
    anchors: FxHashMap<usize, NodeId>,
    base: u32,
}

impl Build {
    fn take(&mut self, event: Event, span: Range<u32>) {
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
                    _ => Style::Block,
                };
                self.add(Kind::Scalar { text: text.into(), style }, span, false, anchor);
            }
            Event::SequenceStart(style, anchor, _) => self.begin(Kind::List(vec![]), span, style, anchor),
            Event::MappingStart(style, anchor, _) => self.begin(Kind::Map(vec![]), span, style, anchor),
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some((id, _)) = self.open.pop() {
                    let node = &mut self.tree.nodes[id.0 as usize];
                    node.span.end = node.span.end.max(span.end);
                }
            }
            Event::Alias(anchor) => {
                let kind = match self.anchors.get(&anchor) {
                    Some(to) => Kind::Alias(*to),
                    None => nothing(),
                };
                self.add(kind, span, false, 0);
            }
            Event::UnresolvedAlias(_) => {
                self.add(nothing(), span, false, 0);
            }
            _ => {}
        }
    }

    fn begin(&mut self, kind: Kind, span: Range<u32>, style: StructureStyle, anchor: usize) {
        let id = self.add(kind, span, style == StructureStyle::Flow, anchor);
        self.open.push((id, None));
    }

    fn add(&mut self, kind: Kind, span: Range<u32>, flow: bool, anchor: usize) -> NodeId {
        debug_assert!(span.start >= self.base);
        let id = NodeId(self.tree.nodes.len() as u32);
        self.tree.nodes.push(Node { span, kind, flow });
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        match self.open.last_mut() {
            None => self.tree.root = self.tree.root.or(Some(id)),
            Some((parent, key)) => match &mut self.tree.nodes[parent.0 as usize].kind {
                Kind::List(items) => items.push(id),
                Kind::Map(pairs) => match key.take() {
                    None => *key = Some(id),
                    Some(k) => pairs.push((k, id)),
                },
                Kind::Scalar { .. } | Kind::Alias(_) => {}
            },
        }
        id
    }
}

fn nothing() -> Kind {
    Kind::Scalar { text: "".into(), style: Style::Plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        Tree::parse(text, 0).unwrap()
    }

    fn at<'a>(t: &'a Tree, path: &[&str]) -> Option<&'a str> {
        t.text_at(t.root()?, path)
    }

    #[test]
    fn keys_and_values_have_their_bytes() {
        let text = "\u{feff}# é\r\nmetadata: {name: \"é\", labels: {'app': web}}\r\n";
        let t = tree(text);
        let (key, value) = t.pair(t.at(t.root().unwrap(), &["metadata", "labels"]).unwrap(), "app").unwrap();
        let cut = |id| &text[t.span(id).start as usize..t.span(id).end as usize];
        assert_eq!((cut(key), cut(value)), ("'app'", "web"));
    }

    #[test]
    fn merges_and_aliases() {
        let t =
            tree("base: &b\n  app: a\n  tier: t\nuse:\n  <<: *b\n  app: own\nsame: *b\nlist:\n  <<: [*b, {more: 1}]\n");
        assert_eq!(at(&t, &["use", "app"]), Some("own"));
        assert_eq!(at(&t, &["use", "tier"]), Some("t"));
        assert_eq!(at(&t, &["same", "app"]), Some("a"));
        assert_eq!(at(&t, &["list", "more"]), Some("1"));
        let t = tree("a: &a\n  b: 1\n  <<: *a\n");
        assert_eq!(at(&t, &["a", "b"]), Some("1"), "a map that takes itself in ends");
    }

    #[test]
    fn keys_that_stand_twice_unknown_aliases_and_nothing() {
        let t = tree("a: 1\na: 2\nb: *nobody\nc:\nd: ~\n");
        assert_eq!(at(&t, &["a"]), Some("1"));
        let root = t.root().unwrap();
        for key in ["b", "c", "d"] {
            assert!(t.is_null(t.field(root, key).unwrap()), "{key}");
        }
    }

    #[test]
    fn json_is_yaml() {
        let t = tree("{\n\t\"kind\": \"Job\",\n\t\"metadata\": {\"labels\": null},\n\t\"n\": [1, 2]\n}\n");
        assert_eq!(at(&t, &["kind"]), Some("Job"));
        assert!(t.is_null(t.at(t.root().unwrap(), &["metadata", "labels"]).unwrap()));
    }

    #[test]
    fn errors_have_a_place_and_depth_an_end() {
        let e = Tree::parse("a: 1\nb: [1\nc: 2\n", 100).unwrap_err();
        assert!(e.at >= 105, "{e:?}");
        assert!(Tree::parse(&"[".repeat(100_000), 0).is_err());
        assert!(Tree::parse(&"a:\n ".repeat(3_000), 0).is_ok());
        let deep: String = (0..1_000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
        assert!(Tree::parse(&deep, 0).is_err());
        assert_eq!(Tree::parse("", 0).unwrap().root(), None);
    }
}
