//! `reaplint explain`.

use crate::streams::Streams;
use crate::{CLEAN, FAILED};
use reaplint::cli::{ExplainArgs, ExplainFormat};
use reaplint::config::nearest;
use reaplint::report::explain;
use reaplint::rules::RULES;

/// The documents of rules.
pub fn explain(args: &ExplainArgs, streams: &mut Streams) -> u8 {
    let rules: Vec<_> =
        RULES.iter().copied().filter(|rule| args.all || args.rule.as_deref() == Some(rule.name)).collect();
    if let (Some(name), true) = (&args.rule, rules.is_empty()) {
        let near = nearest(name, RULES, &[]).map(|near| format!("; did you mean `{near}`?"));
        let known: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
        let known = || format!("; the rules are {}", known.join(", "));
        streams.error(&format!("there is no rule `{name}`{}", near.unwrap_or_else(known)));
        return FAILED;
    }
    let text = match args.output_format {
        ExplainFormat::Text => explain::text(&rules, streams.look),
        ExplainFormat::Markdown => explain::markdown(&rules),
        ExplainFormat::Json => explain::json(&rules, args.all).unwrap_or_default() + "\n",
    };
    streams.out(|out| out.write_all(text.as_bytes()));
    CLEAN
}
