//! What a comment asks for.
//!
//! ```text
//! # reaplint: ignore[rule, rule2] reason           both rules, on this line or statement
//! # noqa: E501  # reaplint: ignore[rule]: reason   after another tool's comment; a colon or dash before the reason
//! # reaplint: ignore[rule]                         no reason: suppresses nothing
//! # reaplint: ignore                               no rules: suppresses nothing
//! // reaplint: ignore[rule] reason                 in Go and Rust; also between /* and */
//! ```

use crate::config::{GROUPS, nearest};
use crate::rules::Rule;

/// What every such comment holds.
pub(super) const MARK: &str = "reaplint:";

/// What may stand before it: the signs that begin a comment.
const OPENERS: [&str; 3] = ["#", "//", "/*"];

/// A comment that suppresses something.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Directive {
    /// `file-ignore`.
    pub(super) whole_file: bool,
    pub(super) rules: Vec<&'static str>,
    /// What to say about names that are no rule.
    pub(super) unknown: Vec<String>,
    pub(super) reason: String,
}

/// The directive of a comment and where in it it starts, or what is wrong with it. Nothing for a comment that only
/// mentions the tool.
pub(super) fn parse(comment: &str, rules: &[&'static Rule]) -> Option<(usize, Result<Directive, String>)> {
    let (mark, _) = comment.match_indices(MARK).find(|(at, _)| {
        let before = comment.get(..*at).unwrap_or_default().trim_end();
        OPENERS.iter().any(|opener| before.ends_with(*opener))
    })?;
    let before = comment.get(..mark)?.trim_end();
    let start = OPENERS.iter().find_map(|opener| before.strip_suffix(*opener))?.len();
    let rest = comment.get(mark + MARK.len()..)?.trim_start();
    Some((start, directive(rest, rules)))
}

fn directive(text: &str, rules: &[&'static Rule]) -> Result<Directive, String> {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(text.len());
    let (verb, rest) = text.split_at(end);
    let whole_file = match verb {
        "ignore" => false,
        "file-ignore" => true,
        _ => {
            return Err(format!("`{verb}` is no directive: write `ignore[rule] reason` or `file-ignore[rule] reason`"));
        }
    };
    let names = rest.trim_start().strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (names, reason) = match names {
        Some((names, reason)) if names.split(',').any(|name| !name.trim().is_empty()) => (names, reason),
        _ => return Err(format!("this names no rule, so it suppresses nothing: write `{verb}[rule] reason`")),
    };
    let reason = reason_in(reason);
    if reason.is_empty() {
        return Err(format!("this gives no reason, so it suppresses nothing: write `{verb}[{}] reason`", names.trim()));
    }
    let mut directive = Directive { whole_file, rules: Vec::new(), unknown: Vec::new(), reason: reason.to_owned() };
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        match rules.iter().find(|rule| rule.name == name) {
            Some(rule) => directive.rules.push(rule.name),
            None => directive.unknown.push(unknown(name, rules)),
        }
    }
    Ok(directive)
}

/// Up to the next tool's comment, without the colon or dash some write before it.
fn reason_in(text: &str) -> &str {
    let own = [" #", " //", "*/"].iter().fold(text, |own, end| own.split(end).next().unwrap_or_default());
    let own = own.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '-' | '–' | '—')).trim_end();
    if own.starts_with('#') || own.starts_with("//") { "" } else { own }
}

fn unknown(name: &str, rules: &[&'static Rule]) -> String {
    if GROUPS.contains(&name) {
        return format!("`{name}` is a group and suppresses nothing: name the rules");
    }
    let nearest = nearest(name, rules, &[]).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("there is no rule `{name}`, so nothing is suppressed for it{nearest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Reads, Severity};

    static ABSENCE: Rule = Rule {
        name: "delete-on-absence",
        summary: "",
        here: "",
        doc: "",
        severity: Severity::Error,
        pedantic: false,
        reads: Reads::Code,
        check: crate::rules::Check::Function(|_| vec![]),
        mend: None,
        manifests: None,
    };

    fn directive(comment: &str) -> Option<Result<Directive, String>> {
        parse(comment, &[&ABSENCE]).map(|(_, directive)| directive)
    }

    fn reason(comment: &str) -> String {
        directive(comment).expect("a directive").expect("well formed").reason
    }

    fn complaint(comment: &str) -> String {
        match directive(comment).expect("a directive") {
            Err(text) => text,
            Ok(directive) => directive.unknown.join("; "),
        }
    }

    #[test]
    fn reasons() {
        assert_eq!(reason("# reaplint: ignore[delete-on-absence] ours alone"), "ours alone");
        assert_eq!(reason("#reaplint:ignore[delete-on-absence]: ours"), "ours");
        assert_eq!(reason("# noqa: X  # reaplint: ignore[ delete-on-absence ] — ours  # pylint: y"), "ours");
    }

    #[test]
    fn without_rule_or_reason_it_suppresses_nothing() {
        assert!(complaint("# reaplint: ignore").contains("names no rule"));
        assert!(complaint("# reaplint: ignore[] because").contains("names no rule"));
        assert!(complaint("# reaplint: ignore[delete-on-absence").contains("names no rule"));
        assert!(complaint("# reaplint: ignore[delete-on-absence]").contains("gives no reason"));
        assert!(complaint("# reaplint: ignore[delete-on-absence]  # noqa").contains("gives no reason"));
        assert!(complaint("# reaplint: disable[delete-on-absence] x").contains("`disable` is no directive"));
    }

    #[test]
    fn unknown_rules_are_named() {
        assert!(complaint("# reaplint: ignore[delete-on-absense] x").contains("did you mean `delete-on-absence`?"));
        assert!(complaint("# reaplint: ignore[ALL] x").contains("is a group"));
    }

    #[test]
    fn a_mention_is_no_directive() {
        assert_eq!(directive("# see reaplint: the linter"), None);
        assert_eq!(directive("# run reaplint"), None);
    }
}
