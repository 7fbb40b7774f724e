//! The calls that are known, by library and role: `reaplint vocabulary`.
//!
//! ```text
//! redis (python)
//!   destroy    *.delete(*names)
//!   list       *.scan_iter(match?)
//! ```

use super::{Role, Vocab};
use crate::source::Language;
use std::collections::BTreeMap;

/// Library and language, then role, then patterns.
type Libraries = BTreeMap<(String, String), BTreeMap<String, Vec<String>>>;

/// As text.
pub fn text(vocab: &Vocab) -> String {
    let mut libraries = Libraries::new();
    for (_, row) in vocab.rows() {
        add(&mut libraries, row.library.as_str(), language(row.language), row.role, &row.pattern);
    }
    for (_, row) in vocab.command_rows() {
        add(&mut libraries, row.library.as_str(), "commands".to_owned(), row.role, &row.pattern);
    }
    let mut out = String::new();
    for ((library, language), roles) in libraries {
        out.push_str(&format!("{library} ({language})\n"));
        for (role, patterns) in roles {
            patterns.iter().for_each(|pattern| out.push_str(&format!("  {role:12} {pattern}\n")));
        }
    }
    out
}

fn add(libraries: &mut Libraries, library: &str, language: String, role: Role, pattern: &str) {
    let roles = libraries.entry((library.to_owned(), language)).or_default();
    let patterns = roles.entry(named(role)).or_default();
    if !patterns.iter().any(|known| known == pattern) {
        patterns.push(pattern.to_owned());
    }
}

fn language(language: Language) -> String {
    format!("{language:?}").to_lowercase()
}

/// As vocabulary files spell it.
fn named(role: Role) -> String {
    let mut out = String::new();
    for c in format!("{role:?}").chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(c.to_lowercase());
    }
    out
}
