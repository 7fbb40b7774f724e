//! Field selectors on command lines.
//!
//! ```sh
//! kubectl get deploy --field-selector metadata.creationTimestamp<2024-01-01      no such operator, no such field
//! kubectl delete pods --field-selector=status.phase==Failed                      fine
//! ```

use super::*;
use crate::shell::CommandLine;
use crate::vocab::{ownership, tools};

/// What the rule says of commands.
pub(super) fn check(deployed: &Deployed) -> Vec<Finding> {
    deployed.commands.iter().filter_map(finding).collect()
}

fn finding(c: &CommandLine) -> Option<Finding> {
    let names = &tools().commands;
    let client = names.clients.iter().any(|n| n == c.name()) && c.run;
    let selector = c.flag(None, "--field-selector").filter(|_| client)?;
    let mut words = c.words.iter().skip_while(|w| !names.selects.contains(&w.text)).skip(1);
    let word = words.find(|w| !w.text.starts_with('-'))?;
    let word = word.text.split(['.', '/']).next()?;
    // Of several kinds, or one that is not written out, nothing is known.
    if word.contains([',', '$']) {
        return None;
    }
    let table = selectors();
    let kind = table.spelled(ownership().short(word).unwrap_or(word));
    let mut reader = Reader::default();
    // What is not written out stands behind what is.
    for (n, part) in selector.text.split('$').enumerate() {
        if n > 0 {
            reader.hole();
        }
        let rest =
            if n > 0 { part.trim_start_matches(|c: char| c.is_alphanumeric() || "_{}".contains(c)) } else { part };
        reader.text(rest, None);
    }
    let term = reader.close().into_iter().find(|t| t.odd || !table.selectable(kind, &t.field, !t.open))?;
    let noun = kind.map_or("objects".to_owned(), |k| super::super::plural(&k.name));
    let mut steps = vec![Step { span: c.at, part: Part::Candidates, text: format!("{noun} are selected here") }];
    steps.retain(|s| s.span != selector.at);
    Some(Finding {
        rule: &RULE,
        severity: RULE.severity,
        confidence: if kind.is_some() { Confidence::High } else { Confidence::Medium },
        message: message(table, kind, &noun, &term),
        help: help(table, kind, &noun, &term),
        at: selector.at,
        statement: c.at,
        steps,
        group: c.at,
        function: c.name().to_owned(),
        fixes: vec![],
        excused: None,
    })
}
