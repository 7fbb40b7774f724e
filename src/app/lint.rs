//! From what was asked for to a report: find, lint, sort.

use crate::streams::Streams;
use reaplint::changes::leave_untracked_out;
use reaplint::check::{Dump, Options, Outcome};
use reaplint::cli;
use reaplint::config::{Configs, Settings};
use reaplint::discover::{Found, Request, discover};
use reaplint::report::lines::Places;
use reaplint::report::{self, Report, Skipped};
use reaplint::rules::{Finding, RULES};
use reaplint::source::SourceFile;
use reaplint::suppress::{self, Remark};
use std::path::PathBuf;

/// What a run of the engine is asked for.
pub fn options(args: &cli::CheckArgs, settings: &Settings) -> Options {
    let dump = args.dump.map(|dump| match dump {
        cli::Dump::Ir => Dump::Ir,
        cli::Dump::Facts => Dump::Facts,
    });
    let threads = args.threads.map(Into::into);
    Options { threads, dump, declared: settings.declared(), ..Options::default() }
}

/// The files, with complaints about what was named and does not exist.
///
/// # Errors
/// Which files git tracks could not be told, and is asked for.
pub fn find(args: &cli::CheckArgs, configs: &Configs, streams: &mut Streams) -> Result<Found, String> {
    if let Some(threads) = args.threads {
        // Fails only where a pool exists already, and none does.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    let request = Request { paths: &args.paths, stdin_filename: args.stdin_filename.as_deref(), configs };
    let mut found = discover(&request);
    if args.no_untracked {
        leave_untracked_out(&mut found)?;
    }
    found.errors.iter().for_each(|error| streams.error(error));
    if found.errors.is_empty() && found.sources.files.is_empty() && found.skipped.is_empty() {
        streams.warn("there is nothing to lint here: no Python, Go or Rust files");
    }
    if args.verbose {
        let linted = found.sources.files.iter().filter(|file| !file.is_generated());
        linted.for_each(|file| streams.note(&format!("linted: {}\n", file.shown())));
    }
    Ok(found)
}

/// The report: what is shown, in order; what is suppressed; what is left out.
pub fn sort<'a>(
    outcome: Outcome,
    places: &'a Places<'a>,
    mut skipped: Vec<Skipped>,
    settings: &Settings,
    ignore_suppressions: bool,
) -> (Report<'a>, Vec<Remark>) {
    let sources = places.sources();
    let admits = |finding: &Finding| {
        let file = sources.get(finding.at.file);
        settings.of(file.id).admits(finding, file.language, &file.path)
    };
    let unsure = |finding: &&Finding| {
        let file = sources.get(finding.at.file);
        settings.of(file.id).unsure(finding, file.language, &file.path)
    };
    let partly: Vec<&PathBuf> = outcome.skipped.iter().map(|(path, _)| path).collect();
    let runs = |rule: &str, file: &SourceFile| {
        let rule = RULES.iter().find(|known| known.name == rule);
        rule.is_some_and(|rule| settings.of(file.id).runs(rule, file.language, &file.path))
            && !partly.contains(&&file.path)
    };
    let mut sorted = if ignore_suppressions {
        suppress::Sorted { kept: outcome.findings, ..suppress::Sorted::default() }
    } else {
        suppress::sort(outcome.findings, places, RULES, runs)
    };
    let unsure = sorted.kept.iter().filter(unsure).count();
    sorted.kept.retain(admits);
    sorted.suppressed.retain(|one| admits(&one.finding));
    report::order(&mut sorted.kept);
    sorted.suppressed.sort_by_key(|one| (one.finding.at, one.finding.rule.name));
    let parts = outcome.skipped.iter().map(|(path, reason)| Skipped {
        path: path.clone(),
        reason: reason.clone(),
        fault: true,
    });
    skipped.extend(parts);
    skipped.sort();
    let report =
        Report { places, findings: sorted.kept, suppressed: sorted.suppressed, skipped, unsure, baselined: 0, old: 0 };
    (report, sorted.remarks)
}
