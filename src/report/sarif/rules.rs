//! The rules as code scanning wants to know them: all, not only those that found something.

use super::model::{Configuration, Help, Message, RuleEntry, RuleProperties};
use crate::report::{Look, explain};
use crate::rules::{Reads, Rule, Severity};

/// The longest description that is taken.
const DESCRIPTION: usize = 1024;

/// What is said of a rule beyond its words: how often it is right, whether it is about security and how much, and tags.
///
/// A fault is one of security where it crosses a border between owners: another's things are destroyed, or may be. What
/// destroys one's own is bad, and a bug.
struct More {
    rule: &'static str,
    precision: &'static str,
    security: Option<&'static str>,
    tags: &'static [&'static str],
}

const fn more(rule: &'static str, precision: &'static str, tags: &'static [&'static str]) -> More {
    More { rule, precision, security: None, tags }
}

static MORE: [More; 15] = [
    more("delete-on-absence", "high", &["data-loss"]),
    more("missing-grace-period", "high", &["data-loss", "race-condition"]),
    More { security: Some("7.5"), ..more("unscoped-sweep", "high", &["data-loss"]) },
    more("reference-read-first", "high", &["data-loss", "race-condition", "external/cwe/cwe-367"]),
    more("error-as-empty", "high", &["data-loss", "error-handling", "external/cwe/cwe-755"]),
    more("absence-marks-terminated", "medium", &["data-loss"]),
    more("stale-reference", "medium", &["data-loss", "race-condition", "external/cwe/cwe-367"]),
    more("partial-listing", "medium", &["data-loss"]),
    more("test-asserts-absence-delete", "medium", &["testing"]),
    more("ownership-label-missing", "high", &["ownership"]),
    More { security: Some("5.0"), ..more("shared-ownership-label", "medium", &["ownership"]) },
    More { security: Some("6.5"), ..more("rbac-wider-than-knowledge", "high", &["external/cwe/cwe-250"]) },
    more("unsupported-field-selector", "very-high", &["correctness"]),
    more("missing-owner-reference", "medium", &["ownership"]),
    more("delete-without-precondition", "medium", &["race-condition", "external/cwe/cwe-367"]),
];

/// A rule with all that is known of it.
pub(super) fn entry(rule: &'static Rule) -> RuleEntry {
    let help = if rule.doc.is_empty() { rule.summary } else { rule.doc };
    RuleEntry {
        id: rule.name,
        name: pascal(rule.name),
        short_description: Message { text: cut(&sentence(rule.summary)).into() },
        full_description: Message { text: cut(&what_it_does(rule)).into() },
        help_uri: help_uri(env!("CARGO_PKG_HOMEPAGE"), rule.name),
        help: Help { text: explain::text(&[rule], Look::PLAIN), markdown: help },
        default_configuration: Configuration { enabled: !rule.pedantic, level: rule.severity.word() },
        properties: properties(rule),
    }
}

fn properties(rule: &Rule) -> RuleProperties {
    let more = MORE.iter().find(|more| more.rule == rule.name);
    let security = more.and_then(|more| more.security);
    let mut tags: Vec<&'static str> = match rule.reads {
        Reads::Code => vec!["code"],
        Reads::Manifest => vec!["manifest"],
        Reads::Both => vec!["code", "manifest"],
    };
    tags.extend(security.map(|_| "security"));
    tags.extend(rule.pedantic.then_some("pedantic"));
    tags.extend(more.iter().flat_map(|more| more.tags));
    RuleProperties {
        precision: more.map_or("medium", |more| more.precision),
        problem_severity: match rule.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "recommendation",
        },
        security_severity: security,
        tags,
    }
}

/// Where the document of a rule can be read, once the project has an address.
fn help_uri(home: &str, rule: &str) -> Option<String> {
    (!home.is_empty()).then(|| format!("{}/rules/{rule}.html", home.trim_end_matches('/')))
}

/// `delete-on-absence` as `DeleteOnAbsence`.
fn pascal(name: &str) -> String {
    let upper = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('-').map(upper).collect()
}

/// With a capital in front and a full stop behind.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.trim().chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    stopped(&(first + letters.as_str()))
}

/// With a full stop behind.
pub(super) fn stopped(text: &str) -> String {
    let end = if text.is_empty() || text.ends_with(['.', '!', '?', ':']) { "" } else { "." };
    format!("{text}{end}")
}

/// The first section of the document, on one line.
fn what_it_does(rule: &Rule) -> String {
    let section = rule.doc.split_once("## What it does\n").map_or(rule.summary, |(_, rest)| rest);
    let section = section.split("\n## ").next().unwrap_or_default();
    sentence(&section.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// As much as is taken, up to a word.
fn cut(text: &str) -> String {
    if text.chars().count() <= DESCRIPTION {
        return text.to_owned();
    }
    let head: String = text.chars().take(DESCRIPTION - 3).collect();
    let head = head.rsplit_once(' ').map_or(head.as_str(), |(head, _)| head);
    format!("{head}...")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RULES;

    #[test]
    fn every_rule_is_described() {
        let known: Vec<&str> = MORE.iter().map(|more| more.rule).collect();
        let rules: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        assert_eq!(known, rules);
        for rule in RULES {
            let entry = entry(rule);
            let lengths =
                [&entry.short_description.text, &entry.full_description.text].map(|text| text.chars().count());
            assert!(lengths.iter().all(|length| (20..=DESCRIPTION).contains(length)), "{}: {lengths:?}", rule.name);
            assert!(entry.properties.tags.len() <= 10);
            assert_eq!(entry.properties.tags.contains(&"security"), entry.properties.security_severity.is_some());
            assert!(entry.help.text.contains("WHY") && entry.help.markdown.contains("## Why"), "{}", rule.name);
        }
    }

    #[test]
    fn words() {
        assert_eq!(pascal("delete-on-absence"), "DeleteOnAbsence");
        assert_eq!(sentence("a thing is gone"), "A thing is gone.");
        assert_eq!(sentence("`x` is gone"), "`x` is gone.");
        let long = cut(&"word ".repeat(400));
        assert!(long.chars().count() <= DESCRIPTION && long.ends_with("word..."), "{long}");
        let page = help_uri("https://reaplint.test/", "a-rule");
        assert_eq!(page.as_deref(), Some("https://reaplint.test/rules/a-rule.html"));
        assert_eq!(help_uri("", "a-rule"), None);
    }
}
