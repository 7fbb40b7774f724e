//! What was there before is left out: the baseline, and `--diff-base`.

use super::lint;
use crate::streams::Streams;
use reaplint::baseline::{Baseline, Entry, Matched};
use reaplint::changes::Then;
use reaplint::changes::git::{self, Found};
use reaplint::check::Options;
use reaplint::cli::CheckArgs;
use reaplint::config::{Configs, Settings};
use reaplint::discover::{Request, as_reported, whole};
use reaplint::report::Report;
use reaplint::report::lines::Places;
use reaplint::rules::RULES;
use reaplint::source::{Sources, shown};
use reaplint::vocab::Vocab;
use std::path::{Path, PathBuf};

/// The run whose report is looked at.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// What was asked for.
    pub args: &'a CheckArgs,
    /// The configuration files.
    pub configs: &'a Configs,
    /// What they come to.
    pub settings: &'a Settings,
    /// What calls mean.
    pub vocab: &'a Vocab,
}

/// Takes what is not new out of a report.
pub fn leave_old_out(report: &mut Report<'_>, run: &Run<'_>, streams: &mut Streams) -> Result<(), Vec<String>> {
    if let Some(revision) = &run.args.diff_base {
        by_revision(report, revision, run, streams).map_err(|why| vec![why])?;
    }
    match &run.settings.root.baseline {
        Some(file) => by_baseline(report, file, run, streams).map_err(|why| vec![why]),
        None => Ok(()),
    }
}

fn by_revision(report: &mut Report<'_>, revision: &str, run: &Run<'_>, streams: &mut Streams) -> Result<(), String> {
    let base = match git::base(revision)? {
        Found::Base(base) => base,
        Found::Nothing(why) => {
            streams.warn(&format!("--diff-base: {why}"));
            return Ok(());
        }
    };
    if let Some(notice) = &base.notice {
        streams.warn(&format!("--diff-base: {notice}"));
    }
    if report.findings.is_empty() {
        return Ok(());
    }
    let args = run.args;
    let request = Request { paths: &args.paths, stdin_filename: None, configs: run.configs };
    let now = report.sources();
    let Some(then) = Then::read(now, &base, &request)? else {
        report.old = report.findings.len();
        report.findings.clear();
        return Ok(());
    };
    let settings = run.configs.settle(&then.sources).map_err(|complaints| complaints.join("\n"))?;
    let options = Options { safeguards: true, ..lint::options(args, &settings) };
    let mut outcome = reaplint::check::check(&then.sources, run.vocab, &options);
    let guards = std::mem::take(&mut outcome.safeguards);
    let places = Places::new(&then.sources);
    let (before, _) = lint::sort(outcome, &places, vec![], &settings, args.ignore_suppressions);
    report.old = then.keep_new(&mut report.findings, now, &before.findings, &guards);
    Ok(())
}

fn by_baseline(report: &mut Report<'_>, file: &Path, run: &Run<'_>, streams: &mut Streams) -> Result<(), String> {
    let baseline = Baseline::read(file)?;
    let matched = laid_beside(&baseline, file, report, run);
    let mut known = matched.known.iter();
    let before = report.findings.len();
    report.findings.retain(|_| !known.next().copied().unwrap_or_default());
    report.baselined = before - report.findings.len();
    // What is old by the revision was taken out before it could be matched.
    let stale = if run.args.diff_base.is_some() { 0 } else { matched.stale.len() };
    if stale > 0 {
        let entries = if stale == 1 { "entry is" } else { "entries are" };
        let how = "`reaplint baseline --prune` drops what is gone";
        streams.warn(&format!("{}: {stale} {entries} stale: {how}", shown(&as_reported(file))));
    }
    Ok(())
}

/// A baseline beside a report.
pub fn laid_beside(baseline: &Baseline, file: &Path, report: &Report<'_>, run: &Run<'_>) -> Matched {
    let folder = folder_of(file);
    let sources = report.sources();
    let now = Baseline::of(&report.findings, sources, |path| placed(path, &folder));
    let ran = |entry: &Entry| could_find(entry, sources, &folder, run.settings);
    baseline.matched(&now, ran, |path| folder.join(path).exists())
}

/// Could this run have found an entry's finding?
fn could_find(entry: &Entry, sources: &Sources, folder: &Path, settings: &Settings) -> bool {
    let Some(rule) = RULES.iter().find(|rule| rule.name == entry.rule) else { return true };
    let linted = sources.files.iter().find(|file| placed(&file.path, folder) == entry.path);
    linted.is_some_and(|file| {
        let of = settings.of(file.id);
        of.runs(rule, file.language, &file.path)
            && rule.severity >= of.min_severity
            // A finding of low confidence may be one that would be hidden now.
            && of.min_confidence <= reaplint::rules::Confidence::Medium
    })
}

/// The folder that a baseline's paths are relative to.
pub fn folder_of(file: &Path) -> PathBuf {
    whole(file).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// A file's path as a baseline in a folder has it.
pub fn placed(path: &Path, folder: &Path) -> String {
    let whole = whole(path);
    shown(whole.strip_prefix(folder).unwrap_or(path))
}
