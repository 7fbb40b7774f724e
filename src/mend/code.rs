//! A file as a tree, with what an edit needs to know of the text around a node.

use crate::source::{FileId, Language, SourceFile, Span};
use std::ops::Range;
use tree_sitter::{Node, Parser, Tree};

/// A parsed file.
pub(super) struct Code<'a> {
    /// The file.
    pub file: FileId,
    /// Its language.
    pub language: Language,
    /// Its text.
    pub text: &'a str,
    tree: Tree,
}

/// Nodes that hold statements.
const BLOCKS: &[&str] = &["block", "statement_list", "module", "source_file"];

/// Nodes that are functions of their own.
pub(super) const FUNCTIONS: &[&str] = &[
    "function_definition",
    "lambda",
    "function_declaration",
    "method_declaration",
    "func_literal",
    "function_item",
    "closure_expression",
    "async_block",
];

/// Loops.
pub(super) const LOOPS: &[&str] =
    &["for_statement", "while_statement", "for_expression", "while_expression", "loop_expression"];

impl<'a> Code<'a> {
    /// Parses; nothing for a language without a grammar here.
    pub fn of(file: &'a SourceFile) -> Option<Code<'a>> {
        let grammar: tree_sitter::Language = match file.language {
            Language::Python => tree_sitter_python::LANGUAGE.into(),
            Language::Go => tree_sitter_go::LANGUAGE.into(),
            Language::Rust => tree_sitter_rust::LANGUAGE.into(),
            _ => return None,
        };
        let mut parser = Parser::new();
        parser.set_language(&grammar).ok()?;
        let tree = parser.parse(&*file.text, None)?;
        Some(Code { file: file.id, language: file.language, text: &file.text, tree })
    }

    /// The whole file.
    pub fn root(&self) -> Node<'_> {
        self.tree.root_node()
    }

    /// The smallest named node that holds a place.
    pub fn at(&self, span: Span) -> Option<Node<'_>> {
        self.root().named_descendant_for_byte_range(span.start as usize, span.end as usize)
    }

    /// The text of a node.
    pub fn text_of(&self, node: Node<'_>) -> &'a str {
        self.slice(node.byte_range())
    }

    /// A part of the text.
    pub fn slice(&self, range: Range<usize>) -> &'a str {
        self.text.get(range).unwrap_or_default()
    }

    /// The space before the first thing on a node's line.
    pub fn indent(&self, node: Node<'_>) -> &'a str {
        let start = self.line_start(node.start_byte());
        let line = self.text.get(start..).unwrap_or_default();
        let width = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(..width).unwrap_or_default()
    }

    /// Where the line of a byte begins.
    pub fn line_start(&self, at: usize) -> usize {
        self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
    }

    /// One past the end of the line of a byte, its line end included.
    pub fn line_end(&self, at: usize) -> usize {
        self.text.get(at..).and_then(|rest| rest.find('\n')).map_or(self.text.len(), |end| at + end + 1)
    }

    /// How lines end here.
    pub fn newline(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// One more step of indentation, as this file has it.
    pub fn step(&self) -> &'static str {
        match self.language {
            Language::Go => "\t",
            _ if self.text.lines().any(|line| line.starts_with('\t')) => "\t",
            Language::Python if self.text.lines().any(|line| line.starts_with("  ") && !line.starts_with("    ")) => {
                "  "
            }
            _ => "    ",
        }
    }
}

/// The node and what is around it, from the inside.
pub(super) fn around<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    std::iter::successors(Some(node), |node| node.parent())
}

/// The same, up to the function that holds it, without that.
pub(super) fn within_function<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    around(node).take_while(|node| !FUNCTIONS.contains(&node.kind()))
}

/// The function that holds a node.
pub(super) fn function_of(node: Node<'_>) -> Option<Node<'_>> {
    around(node).find(|node| FUNCTIONS.contains(&node.kind()))
}

/// The statement that holds a node: a child of a block.
pub(super) fn statement_of(node: Node<'_>) -> Option<Node<'_>> {
    around(node).find(|node| node.parent().is_some_and(|parent| BLOCKS.contains(&parent.kind())))
}

/// Everything below a node, itself included.
pub(super) fn below<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let (mut out, mut todo) = (vec![], vec![node]);
    while let Some(node) = todo.pop() {
        out.push(node);
        let mut cursor = node.walk();
        let mut children: Vec<Node<'t>> = node.children(&mut cursor).collect();
        children.reverse();
        todo.extend(children);
    }
    out
}

/// The named children of a node that are no comments.
pub(super) fn parts<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).filter(|child| !child.kind().contains("comment")).collect()
}

/// Is there a comment in a node?
pub(super) fn has_comment(node: Node<'_>) -> bool {
    below(node).iter().any(|node| node.kind().contains("comment"))
}
