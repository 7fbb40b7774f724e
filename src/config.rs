//! The settings in force: which rules run, what is reported, what fails the run.
//!
//! Selectors apply from the general to the special, and at one level `--ignore` after `--select`:
//!
//! ```text
//! --select ALL --ignore pedantic                 every rule but the pedantic ones
//! --ignore code --select delete-on-absence       delete-on-absence alone: a rule is more special than a group
//! --select delete-on-abcense                     code 2, and the name that was meant
//! ```

pub mod layers;
pub mod show;
pub mod table;
pub mod tree;

pub use layers::{FileSettings, Layer, Origin};
pub use tree::{Configs, Settings};

use crate::rules::{Reads, Rule};
use crate::source::Language;

/// A name that is neither a rule nor a group.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: there is no rule or group `{name}`{}", nearest.as_deref().map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
pub struct UnknownRule {
    /// Where it was given: a flag, or a key of a file.
    pub place: String,
    /// What was given.
    pub name: String,
    /// The nearest known name.
    pub nearest: Option<String>,
}

/// What a name in `--select` stands for, from the general to the special.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Selector {
    /// Every rule, the pedantic ones too.
    All,
    /// The rules that are not pedantic: what runs when nothing is selected.
    Usual,
    /// The rules that read this, the pedantic ones aside.
    Code,
    Manifest,
    /// Every finding in a file of this language.
    Sql,
    Shell,
    Pedantic,
    /// One rule.
    Rule(&'static str),
}

/// The groups by name.
pub const GROUPS: &[&str] = &["ALL", "code", "manifest", "sql", "shell", "pedantic"];

impl Selector {
    fn named(name: &str, rules: &[&'static Rule]) -> Option<Selector> {
        match name {
            "ALL" => Some(Selector::All),
            "code" => Some(Selector::Code),
            "manifest" => Some(Selector::Manifest),
            "sql" => Some(Selector::Sql),
            "shell" => Some(Selector::Shell),
            "pedantic" => Some(Selector::Pedantic),
            _ => rules.iter().find(|rule| rule.name == name).map(|rule| Selector::Rule(rule.name)),
        }
    }

    fn level(self) -> u8 {
        match self {
            Selector::All | Selector::Usual => 0,
            Selector::Code | Selector::Manifest | Selector::Sql | Selector::Shell | Selector::Pedantic => 1,
            Selector::Rule(_) => 2,
        }
    }

    fn holds(self, rule: &Rule, language: Language) -> bool {
        match self {
            Selector::All => true,
            Selector::Usual => !rule.pedantic,
            Selector::Code => !rule.pedantic && matches!(rule.reads, Reads::Code | Reads::Both),
            Selector::Manifest => !rule.pedantic && matches!(rule.reads, Reads::Manifest | Reads::Both),
            // No file of its own is read as SQL yet; the name is known, so that configurations can be shared.
            Selector::Sql => false,
            Selector::Shell => language == Language::Shell,
            Selector::Pedantic => rule.pedantic,
            Selector::Rule(name) => rule.name == name,
        }
    }
}

/// Which rules run.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Selector and whether it turns on or off; the last that holds decides.
    steps: Vec<(Selector, bool)>,
}

impl Selection {
    /// What `select`, `extend-select`, `ignore` and `pedantic` of several layers come to, the lowest layer first. A layer
    /// that selects starts anew; what a lower one leaves out stays out, unless a higher one names it as specially.
    ///
    /// # Errors
    /// The names that are neither rules nor groups, each with the place it was given.
    pub fn new<'a>(
        layers: impl IntoIterator<Item = &'a Layer>,
        rules: &[&'static Rule],
    ) -> Result<Selection, Vec<UnknownRule>> {
        let mut unknown = Vec::new();
        let mut steps = vec![(Selector::Usual, true)];
        for layer in layers {
            let table = &layer.table;
            if table.select.is_some() {
                steps.retain(|(_, on)| !on);
            }
            if let Some(pedantic) = table.pedantic {
                steps.push((Selector::Pedantic, pedantic));
            }
            let keys = [
                ("select", &table.select, true),
                ("extend-select", &table.extend_select, true),
                ("ignore", &table.ignore, false),
            ];
            for (key, names, on) in keys {
                let read = names.iter().flatten().map(|name| named(name, || layer.origin.key(key), rules));
                for selector in read {
                    match selector {
                        Ok(selector) => steps.push((selector, on)),
                        Err(one) => unknown.push(one),
                    }
                }
            }
        }
        if !unknown.is_empty() {
            return Err(unknown);
        }
        // Stable: within a level a higher layer comes later, and within a layer what is turned off.
        steps.sort_by_key(|(selector, _)| selector.level());
        Ok(Selection { steps })
    }

    /// Does this rule run on files of this language?
    pub fn admits(&self, rule: &Rule, language: Language) -> bool {
        let last = self.steps.iter().rev().find(|(selector, _)| selector.holds(rule, language));
        last.is_some_and(|(_, on)| *on)
    }
}

/// The selector of a name, or what is wrong with it.
fn named(name: &str, place: impl Fn() -> String, rules: &[&'static Rule]) -> Result<Selector, UnknownRule> {
    let name = name.trim();
    let unknown = || UnknownRule { place: place(), name: name.to_owned(), nearest: nearest(name, rules, GROUPS) };
    Selector::named(name, rules).ok_or_else(unknown)
}

/// The known rule or group that is spelled most like this name, if any is near.
pub fn nearest(name: &str, rules: &[&'static Rule], groups: &[&str]) -> Option<String> {
    near(name, rules.iter().map(|rule| rule.name).chain(groups.iter().copied())).map(str::to_owned)
}

/// The known word that is spelled most like this one, if any is near.
fn near<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_ascii_lowercase().replace('_', "-");
    let distances =
        known.into_iter().map(|known| (strsim::damerau_levenshtein(&wanted, &known.to_ascii_lowercase()), known));
    let (distance, best) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= 2.max(name.len() / 3)).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use crate::rules::Severity;
    use clap::Parser;

    const fn rule(name: &'static str, pedantic: bool, reads: Reads) -> Rule {
        Rule {
            name,
            summary: "",
            here: "deleted here",
            doc: "",
            severity: Severity::Error,
            pedantic,
            reads,
            mend: None,
            check: crate::rules::Check::Function(|_| vec![]),
            manifests: None,
        }
    }
    static ABSENCE: Rule = rule("delete-on-absence", false, Reads::Code);
    static LABEL: Rule = rule("ownership-label-missing", false, Reads::Manifest);
    static SHARED: Rule = rule("shared-ownership-label", false, Reads::Both);
    static OWNER: Rule = rule("missing-owner-reference", true, Reads::Code);
    static RULES: &[&Rule] = &[&ABSENCE, &LABEL, &SHARED, &OWNER];

    fn flags(flags: &str) -> Layer {
        let words = ["reaplint", "check"].into_iter().chain(flags.split_whitespace());
        let Command::Check(args) = Cli::try_parse_from(words).expect("flags parse").command else { unreachable!() };
        Layer::of_flags(&args)
    }

    fn selected(words: &str) -> Result<Vec<&'static str>, Vec<UnknownRule>> {
        of(&[flags(words)])
    }

    fn of(layers: &[Layer]) -> Result<Vec<&'static str>, Vec<UnknownRule>> {
        let selection = Selection::new(layers, RULES)?;
        Ok(RULES.iter().filter(|rule| selection.admits(rule, Language::Python)).map(|rule| rule.name).collect())
    }

    #[test]
    fn without_flags_all_but_the_pedantic() {
        assert_eq!(selected("").unwrap(), ["delete-on-absence", "ownership-label-missing", "shared-ownership-label"]);
        assert_eq!(selected("--pedantic").unwrap().len(), 4);
        assert_eq!(selected("--select ALL").unwrap().len(), 4);
    }

    #[test]
    fn groups_are_by_what_a_rule_reads() {
        assert_eq!(selected("--select code").unwrap(), ["delete-on-absence", "shared-ownership-label"]);
        assert_eq!(selected("--select manifest").unwrap(), ["ownership-label-missing", "shared-ownership-label"]);
        assert_eq!(selected("--select pedantic").unwrap(), ["missing-owner-reference"]);
        assert_eq!(selected("--select sql,shell").unwrap(), [""; 0]);
    }

    #[test]
    fn the_more_special_selector_wins() {
        assert_eq!(selected("--select delete-on-absence --ignore code").unwrap(), ["delete-on-absence"]);
        assert_eq!(
            selected("--select ALL --ignore delete-on-absence,manifest").unwrap(),
            ["missing-owner-reference"],
            "`manifest` takes what reads both"
        );
        assert_eq!(selected("--select code --extend-select missing-owner-reference").unwrap().len(), 3);
    }

    #[test]
    fn flags_count_before_files() {
        let over = |below: &str, above: &str| of(&[flags(below), flags(above)]).unwrap();
        assert_eq!(over("--select manifest", "--select delete-on-absence"), ["delete-on-absence"]);
        assert_eq!(over("--select delete-on-absence", "--extend-select pedantic").len(), 2);
        // What a file leaves out by name stays out under a group, and is back where the flag names it.
        assert_eq!(over("--ignore delete-on-absence", "--select ALL").len(), 3);
        assert_eq!(over("--ignore delete-on-absence", "--select delete-on-absence"), ["delete-on-absence"]);
        assert_eq!(over("--select delete-on-absence", "--ignore delete-on-absence"), [""; 0]);
    }

    #[test]
    fn an_unknown_name_names_the_nearest() {
        let unknown = selected("--select delete_on_abcense --ignore qqqqqqqq").unwrap_err();
        assert_eq!(
            unknown[0].to_string(),
            "--select: there is no rule or group `delete_on_abcense`; did you mean `delete-on-absence`?"
        );
        assert_eq!(unknown[1].to_string(), "--ignore: there is no rule or group `qqqqqqqq`");
    }
}
