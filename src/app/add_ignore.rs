//! `--add-ignore=REASON`: a comment for every finding there is, so that only new ones are reported from now on.

use crate::streams::Streams;
use reaplint::cli::CheckArgs;
use reaplint::discover::as_reported;
use reaplint::report::Report;
use reaplint::rules::Finding;
use reaplint::source::{FileId, Language};
use reaplint::suppress::add::{self, Added};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::path::Path;

/// Writes the comments, and takes what they suppress out of the report; false where a file could not be written. What
/// cannot hold a comment stays.
pub fn write(report: &mut Report<'_>, reason: &str, args: &CheckArgs, streams: &mut Streams) -> bool {
    let sources = report.sources();
    let typed = args.paths.iter().any(|path| path == Path::new("-"));
    let stdin = typed.then(|| as_reported(args.stdin_filename.as_deref().unwrap_or(Path::new("-"))));
    let all: Vec<&Finding> = report.findings.iter().collect();
    let mut by_file: BTreeMap<FileId, Vec<Added>> = BTreeMap::new();
    for one in add::comments(&all, report.places, reason) {
        let file = one.edit.span.file;
        if stdin.as_ref() != Some(&sources.get(file).path) {
            by_file.entry(file).or_default().push(one);
        }
    }
    let (mut done, mut comments, mut suppressed) = (true, 0, FxHashSet::default());
    for (file, mut added) in by_file {
        let file = sources.get(file);
        added.sort_by_key(|one| std::cmp::Reverse(one.edit.span.start));
        let mut text = file.text.to_string();
        for Added { edit, .. } in &added {
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.replacement);
        }
        if let Err(error) = std::fs::write(&file.path, text) {
            streams.error(&format!("{}: cannot be written: {error}", file.path.display()));
            done = false;
            continue;
        }
        comments += added.len();
        suppressed.extend(added.into_iter().flat_map(|one| one.findings));
    }
    tell_left(report, &suppressed, streams);
    let mut number = 0..report.findings.len();
    report.findings.retain(|_| number.next().is_none_or(|number| !suppressed.contains(&number)));
    if comments > 0 && !args.quiet {
        let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
        let text = format!("suppressed {} with {}\n", plural(suppressed.len(), "finding"), plural(comments, "comment"));
        streams.note(&text);
    }
    done
}

/// Says of each finding that stays why it does.
fn tell_left(report: &Report<'_>, suppressed: &FxHashSet<usize>, streams: &mut Streams) {
    let left = report.findings.iter().enumerate().filter(|(number, _)| !suppressed.contains(number));
    for (_, finding) in left {
        let rule = finding.rule.name;
        let advice = match report.sources().get(finding.at.file).language {
            Language::Yaml => {
                format!("; the annotation `reaplint.dev/ignore-{rule}: reason` on the object does the same")
            }
            _ => String::new(),
        };
        let place = report.places.shown(finding.at);
        streams.warn(&format!("{place}: {rule}: no comment can be written here{advice}"));
    }
}
