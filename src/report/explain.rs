//! A rule's document: `reaplint explain`.
//!
//! Markdown is printed as it is stored. For the terminal headings lose their `#`, and code is set off by its
//! indentation, so that it can be read and copied.

use super::Look;
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
    let mut code = false;
    for line in rule.doc.lines() {
        if line.starts_with("```") {
            code = !code;
        } else if code {
            out += format!("    {line}").trim_end();
            out.push('\n');
        } else if let Some(title) = line.strip_prefix("# ") {
            // The name stands above; another title would be a document of another rule.
            if title.trim() != rule.name {
                out += &format!("{bold}{title}{end}\n");
            }
        } else if let Some(title) = line.strip_prefix("## ") {
            out += &format!("{bold}{title}{end}\n");
        } else {
            out += line;
            out.push('\n');
        }
    }
    out
}
