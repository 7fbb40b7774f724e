//! Python, by tree-sitter.
