//! `kubectl apply --prune`: it deletes what the given files do not have, among what it takes for its own.
//!
//! ```sh
//! kubectl apply --prune --all -f out/                                   everything that was ever applied
//! kubectl apply --prune -l app.kubernetes.io/managed-by=deploy -f x     what every installation says of itself
//! kubectl apply --prune -l "x.io/environment=$ENVIRONMENT" -f x         one installation's own
//! kubectl apply --prune --applyset=shop -f x                            what that set has recorded
//! ```

use super::*;
use crate::shell::{CommandLine, Word};
use crate::vocab::tools;

/// By what a pruning command takes things for its own, where that is no identity.
pub(super) enum Prune<'a> {
    /// `--all`.
    All(&'a CommandLine),
    /// A selector that is written out.
    Label(&'a CommandLine, Word),
}

/// The commands that prune what may be another installation's.
pub(super) fn shared<'a>(deployed: &Deployed<'a>) -> Vec<Prune<'a>> {
    let prunes = |c: &&CommandLine| {
        let apply = tools().commands.clients.iter().any(|n| n == c.name()) && c.has("apply");
        c.run && apply && (c.has("--prune") || c.has("--prune=true")) && c.flag(None, "--applyset").is_none()
    };
    let one = |c: &'a CommandLine| match c.flag(Some("-l"), "--selector") {
        Some(selector) if selector.literal => Some(Prune::Label(c, selector)),
        Some(_) => None,
        None => (c.has("--all") || c.has("--all=true")).then_some(Prune::All(c)),
    };
    deployed.commands.iter().filter(prunes).filter_map(one).collect()
}

/// A finding about a command.
pub(super) fn finding(rule: &'static Rule, c: &CommandLine, message: String, help: &str) -> Finding {
    Finding {
        rule,
        severity: rule.severity,
        confidence: Confidence::High,
        message,
        help: help.to_owned(),
        at: c.at,
        statement: c.at,
        steps: vec![],
        group: c.at,
        function: c.name().to_owned(),
        fixes: vec![],
        excused: None,
    }
}
