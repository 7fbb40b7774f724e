//! `--fix`, `--unsafe-fixes`, `--diff`.

use super::lint;
use super::since::Run;
use crate::streams::Streams;
use reaplint::cli::CheckArgs;
use reaplint::fix::{self, Found};
use reaplint::report::lines::Places;
use reaplint::rules::Finding;
use reaplint::source::Sources;
use rustc_hash::FxHashSet;
use std::path::Path;

/// Is anything to be changed?
pub fn asked(args: &CheckArgs) -> bool {
    args.fix || args.diff
}

/// What is asked for and cannot be done.
pub fn refused(args: &CheckArgs) -> Option<&'static str> {
    let stdin = args.paths.iter().any(|path| path == Path::new("-"));
    let stdin = stdin || args.paths.is_empty() && args.stdin_filename.is_some();
    (args.fix && !args.diff && stdin).then_some("--fix: standard input is not a file that could be changed; see --diff")
}

/// The tree with every fix that may be made and holds; nothing where there is none. `found` is what there is in it, `reported`
/// are the findings to mend.
pub fn made(found: Found, reported: &[Finding], sources: &Sources, run: &Run<'_>) -> Option<Sources> {
    let wanted: FxHashSet<_> = reported.iter().map(|f| (f.at.file, f.rule.name, f.function.clone())).collect();
    let lint = |sources: &Sources| {
        let outcome = reaplint::check::check(sources, run.vocab, &lint::options(run.args, run.settings));
        let broken = outcome.skipped.len();
        let places = Places::new(sources);
        let (report, remarks) = lint::sort(outcome, &places, vec![], run.settings, run.args.ignore_suppressions);
        Found { findings: report.findings, remarks, broken }
    };
    let wanted = |f: &Finding| wanted.contains(&(f.at.file, f.rule.name, f.function.clone()));
    fix::all(sources, found, &lint, &wanted, run.args.unsafe_fixes)
}

/// Writes the files that differ; false where one cannot be written.
pub fn write(before: &Sources, after: &Sources, streams: &mut Streams) -> bool {
    let mut done = true;
    for (file, text) in fix::texts(before, after) {
        let path = &before.get(file).path;
        if let Err(error) = std::fs::write(path, text) {
            streams.error(&format!("{}: cannot be written: {error}", path.display()));
            done = false;
        }
    }
    done
}
