//! A rule's document: `reaplint explain`.
//!
//! Markdown is printed as it is stored. For the terminal paragraphs are filled anew, headings are bold or in capitals,
//! and code is set off by its indentation, so that it can be read and copied.

use super::{Look, wrapped};
use crate::rules::{Reads, Rule, Severity};
use serde::Serialize;

/// A rule as `--output-format json` gives it.
#[derive(Serialize, Debug)]
struct Entry {
    name: &'static str,
    summary: &'static str,
    severity: Severity,
    pedantic: bool,
    groups: Vec<&'static str>,
    document: &'static str,
}

/// An object for one rule, a list for all.
pub fn json(rules: &[&'static Rule], all: bool) -> serde_json::Result<String> {
    let entry = |rule: &&'static Rule| Entry {
        name: rule.name,
        summary: rule.summary,
        severity: rule.severity,
        pedantic: rule.pedantic,
        groups: groups(rule),
        document: rule.doc,
    };
    let entries: Vec<Entry> = rules.iter().map(entry).collect();
    match &entries[..] {
        [one] if !all => serde_json::to_string_pretty(one),
        entries => serde_json::to_string_pretty(entries),
    }
}

/// As stored, one after the other.
pub fn markdown(rules: &[&'static Rule]) -> String {
    let documents: Vec<&str> = rules.iter().map(|rule| rule.doc.trim_end()).collect();
    documents.join("\n\n") + "\n"
}

/// For the terminal.
pub fn text(rules: &[&'static Rule], look: Look) -> String {
    let documents: Vec<String> = rules.iter().map(|rule| document(rule, look)).collect();
    documents.join("\n\n")
}

fn groups(rule: &Rule) -> Vec<&'static str> {
    let mut groups = match rule.reads {
        Reads::Code => vec!["code"],
        Reads::Manifest => vec!["manifest"],
        Reads::Both => vec!["code", "manifest"],
    };
    if rule.pedantic {
        groups = vec!["pedantic"];
    }
    groups
}

fn document(rule: &Rule, look: Look) -> String {
    let (bold, dim, end) = if look.color { ("\u{1b}[1m", "\u{1b}[2m", "\u{1b}[0m") } else { ("", "", "") };
    let usual = if rule.pedantic { ", only with --pedantic" } else { "" };
    let mut out = format!("{bold}{}{end}\n", rule.name);
    out += &format!("{dim}{}, {}{usual}{end}\n", rule.severity.word(), groups(rule).join(" and "));
    let mut listed = false;
    for block in blocks(rule.doc) {
        let item = matches!(&block, Block::Text(text) if text.starts_with("- "));
        let gap = if item && listed { "" } else { "\n" };
        listed = item;
        match block {
            // The name stands above already.
            Block::Title(title) if title == rule.name => continue,
            Block::Title(title) if look.color => out += &format!("\n{bold}{title}{end}\n"),
            Block::Title(title) => out += &format!("\n{}\n", title.to_uppercase()),
            Block::Code(lines) => {
                out.push('\n');
                lines.iter().for_each(|line| out += &format!("{}\n", format!("    {line}").trim_end()));
            }
            Block::Text(text) => {
                out += gap;
                out += &filled(&text, look.width.min(100));
            }
        }
    }
    out
}

/// A paragraph or an item of a list; items hang by their dash.
fn filled(text: &str, width: usize) -> String {
    let (first, rest, text) = match text.strip_prefix("- ") {
        Some(item) => ("- ", "  ", item),
        None => ("", "", text),
    };
    let lines = wrapped(text, width.saturating_sub(rest.len()));
    let indented = lines.iter().enumerate().map(|(at, line)| format!("{}{line}\n", if at == 0 { first } else { rest }));
    indented.collect()
}

/// A piece of a document.
enum Block<'a> {
    Title(&'a str),
    Code(Vec<&'a str>),
    Text(String),
}

/// The pieces of a document: as much of Markdown as the documents use.
fn blocks(document: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = document.lines();
    let mut open = false;
    while let Some(line) = lines.next() {
        let starts = line.starts_with("- ");
        if line.starts_with("```") {
            blocks.push(Block::Code(lines.by_ref().take_while(|line| !line.starts_with("```")).collect()));
            open = false;
        } else if line.starts_with('#') {
            blocks.push(Block::Title(line.trim_start_matches('#').trim()));
            open = false;
        } else if line.trim().is_empty() {
            open = false;
        } else if let (Some(Block::Text(text)), true, false) = (blocks.last_mut(), open, starts) {
            text.push(' ');
            text.push_str(line.trim());
        } else {
            blocks.push(Block::Text(line.trim().to_owned()));
            open = true;
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    static RULE: Rule = Rule {
        name: "some-rule",
        summary: "",
        here: "",
        doc: "# some-rule\n\n## Why\n\nOne line\nand another.\n\n```python\nx = 1\n\ny = 2\n```\n\n- an item\n  goes on\n- next\n",
        severity: Severity::Note,
        pedantic: true,
        reads: Reads::Code,
        check: crate::rules::Check::Function(|_| vec![]),
        mend: None,
        manifests: None,
    };

    #[test]
    fn for_the_terminal() {
        let wanted = "some-rule\nnote, pedantic, only with --pedantic\n\nWHY\n\nOne line and another.\n\n    x = 1\n\n    y = 2\n\
                      \n- an item goes on\n- next\n";
        assert_eq!(text(&[&RULE], Look::PLAIN), wanted);
    }

    #[test]
    fn one_rule_is_an_object_and_all_are_a_list() {
        assert!(json(&[&RULE], false).unwrap().starts_with("{\n  \"name\": \"some-rule\""));
        assert!(json(&[&RULE], true).unwrap().starts_with("[\n"));
        assert!(markdown(&[&RULE, &RULE]).contains("- next\n\n# some-rule"));
    }
}
