//! `reaplint check`.

use super::watching::Clock;
use super::{add_ignore, fix, lint, since};
use crate::streams::Streams;
use crate::{CLEAN, FAILED, FINDINGS};
use anstream::ColorChoice;
use reaplint::check::{Options, Watched};
use reaplint::cli::{self, CheckArgs, Format, FormatSpec};
use reaplint::config::{Configs, Settings};
use reaplint::fix::Found;
use reaplint::report::lines::Places;
use reaplint::report::repository::Repository;
use reaplint::report::{self, Look, Report, summary};
use reaplint::rules::{RULES, Rule};
use reaplint::source::{Language, Sources};
use reaplint::suppress::Remark;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// The languages that are linted.
const LANGUAGES: [Language; 3] = [Language::Python, Language::Go, Language::Rust];

/// Lints, reports, and chooses the exit code.
pub fn check(args: &CheckArgs, streams: &mut Streams) -> u8 {
    match run(args, streams) {
        Ok(code) => code,
        Err(complaints) => super::refuse(&complaints, streams),
    }
}

fn run(args: &CheckArgs, streams: &mut Streams) -> Result<u8, Vec<String>> {
    streams.quiet = args.quiet;
    let clock = Arc::new(Clock::new(args));
    let configs = Configs::of_run(args)?;
    let Some(outputs) = outputs(args, streams) else { return Ok(FAILED) };
    if let Some(why) = fix::refused(args) {
        return Err(vec![why.to_owned()]);
    }
    clock.begins("find and read files", None);
    let found = lint::find(args, &configs, streams).map_err(|why| vec![why])?;
    clock.were(found.sources.files.len());
    if !found.errors.is_empty() && found.sources.files.is_empty() && found.skipped.is_empty() {
        return Ok(FAILED);
    }
    clock.begins("read configuration and vocabulary", None);
    let settings = configs.settle(&found.sources)?;
    say_rules(args, &settings, streams);
    let vocab = super::vocab_of(&settings)?;
    let options = lint::options(args, &settings);
    let watched = Watched(Some(clock.clone()));
    let outcome = reaplint::check::check(&found.sources, &vocab, &Options { watched, ..options.clone() });
    clock.clear();
    clock.begins("suppressions", None);
    if args.dump.is_some() {
        streams.out(|out| out.write_all(outcome.ir.as_bytes()));
        return Ok(CLEAN);
    }
    let run = since::Run { args, configs: &configs, settings: &settings, vocab: &vocab };
    let (holes, broken) = (outcome.holes.clone(), outcome.skipped.len());
    let places = Places::new(&found.sources);
    let (mut report, mut remarks) = lint::sort(outcome, &places, found.skipped, &settings, args.ignore_suppressions);
    let all = fix::asked(args).then(|| Found { findings: report.findings.clone(), remarks: remarks.clone(), broken });
    clock.begins("what is not new", None);
    since::leave_old_out(&mut report, &run, streams)?;
    clock.begins("fixes", None);
    let made = all.and_then(|all| fix::made(all, &report.findings, &found.sources, &run));
    if args.diff {
        return Ok(print_diff(args, &found.sources, made.as_ref(), streams));
    }
    let mut written = true;
    let places_now;
    if let Some(after) = &made {
        written = fix::write(&found.sources, after, streams);
        places_now = Places::new(after);
        (report, remarks) = linted_anew(report, &places_now, &run, &options, streams)?;
    }
    written &= args.add_ignore.as_ref().is_none_or(|reason| add_ignore::write(&mut report, reason, args, streams));
    clock.begins("report", None);
    written &= write_all(&outputs, &mut report, &found.errors, streams);
    tell(args, &report, &remarks, streams);
    if args.statistics {
        streams.note(&summary::statistics(&report, &holes));
    }
    if args.timings {
        streams.note(&clock.table());
    }
    if !args.quiet {
        streams.note(&summary::line(&report, &remarks));
    }
    let failed = !written || !found.errors.is_empty() || (args.strict && report.skipped.iter().any(|one| one.fault));
    Ok(match report.gravest() {
        _ if failed => FAILED,
        Some(gravest) if gravest >= settings.root.fail_level && !args.exit_zero => FINDINGS,
        _ => CLEAN,
    })
}

/// Prints what `--fix` would change; the exit code.
fn print_diff(args: &CheckArgs, before: &Sources, after: Option<&Sources>, streams: &mut Streams) -> u8 {
    let text = after.map(|after| reaplint::fix::diff(before, after)).unwrap_or_default();
    streams.out(|out| out.write_all(text.as_bytes()));
    if text.is_empty() || args.exit_zero { CLEAN } else { FINDINGS }
}

/// The report of the tree as it is after fixes.
fn linted_anew<'a>(
    before: Report<'_>,
    places: &'a Places<'a>,
    run: &since::Run<'_>,
    options: &Options,
    streams: &mut Streams,
) -> Result<(Report<'a>, Vec<Remark>), Vec<String>> {
    let outcome = reaplint::check::check(places.sources(), run.vocab, options);
    let count = before.findings.len();
    let (mut report, remarks) = lint::sort(outcome, places, before.skipped, run.settings, run.args.ignore_suppressions);
    report.skipped.dedup();
    since::leave_old_out(&mut report, run, streams)?;
    say_fixed(count.saturating_sub(report.findings.len()), streams);
    Ok((report, remarks))
}

/// Writes every form; false if one could not be written.
fn write_all(outputs: &[FormatSpec], report: &mut Report<'_>, errors: &[String], streams: &mut Streams) -> bool {
    // What no form shows need not be worked out.
    if outputs.iter().any(|spec| spec.format.shows_fixes()) {
        reaplint::mend::propose(&mut report.findings, report.places.sources());
    }
    let host = Host { repository: cli::host::repository(), errors };
    outputs.iter().all(|spec| write(spec, report, &host, streams))
}

fn say_fixed(count: usize, streams: &mut Streams) {
    if count > 0 {
        streams.note(&format!("fixed {count} {}\n", if count == 1 { "finding" } else { "findings" }));
    }
}

/// Where to write to, or complaints.
fn outputs(args: &CheckArgs, streams: &mut Streams) -> Option<Vec<FormatSpec>> {
    if args.stdin_filename.is_some() && !args.paths.is_empty() && !args.paths.iter().any(|path| path == Path::new("-"))
    {
        streams.error("--stdin-filename: standard input is not among the paths; add `-`");
        return None;
    }
    let mut outputs = args.output_format.clone();
    if outputs.is_empty() {
        outputs.push(FormatSpec { format: Format::Full, file: None });
    }
    for spec in outputs.iter_mut().filter(|spec| spec.file.is_none()) {
        spec.file.clone_from(&args.output_file);
    }
    let clash =
        outputs.iter().enumerate().find(|(at, spec)| outputs.iter().take(*at).any(|other| other.file == spec.file));
    if let Some((_, spec)) = clash {
        let place = spec.file.as_ref().map_or("standard output".to_owned(), |file| file.display().to_string());
        streams.error(&format!("--output-format: two formats go to {place}; write one as FORMAT=FILE"));
        return None;
    }
    Some(outputs)
}

/// The rules in force, where somebody wants to know, or where there are none.
fn say_rules(args: &CheckArgs, settings: &Settings, streams: &mut Streams) {
    let selection = &settings.root.selection;
    let runs = |rule: &&&Rule| LANGUAGES.iter().any(|language| selection.admits(rule, *language));
    let rules: Vec<&str> = RULES.iter().filter(runs).map(|rule| rule.name).collect();
    if rules.is_empty() {
        streams.warn("no rule is selected");
    } else if args.verbose {
        streams.note(&format!("rules: {}\n", rules.join(", ")));
    }
}

/// What some forms say besides the report.
struct Host<'a> {
    repository: Repository,
    /// What could not be done.
    errors: &'a [String],
}

/// Writes one form; false if that failed.
fn write(spec: &FormatSpec, report: &Report<'_>, host: &Host<'_>, streams: &mut Streams) -> bool {
    let repository = &host.repository;
    if spec.format == Format::Sarif
        && let Some(text) = report::sarif::notice_of(report)
    {
        streams.warn(&text);
    }
    let form = |out: &mut dyn Write, look: Look| match spec.format {
        Format::Full => report::full::write(report, look, out),
        Format::Concise => report::concise::write(report, out),
        Format::Json => report::json::write(report, out),
        Format::JsonLines => report::json_lines::write(report, out),
        Format::Sarif => report::sarif::write(report, repository, host.errors, out),
        Format::Github => report::github::write(report, repository, out),
        Format::Gitlab => report::gitlab::write(report, repository, out),
        Format::Junit => report::junit::write(report, out),
        Format::Checkstyle => report::checkstyle::write(report, out),
        Format::Rdjson => report::rdjson::write(report, out),
        Format::Markdown => report::markdown::write(report, repository, out),
    };
    let Some(file) = &spec.file else {
        let look = streams.look;
        return streams.out(|out| form(out, look));
    };
    let look = if streams.color == ColorChoice::Always { streams.look } else { Look::PLAIN };
    let mut text = Vec::new();
    let done = form(&mut text, look).and_then(|()| std::fs::write(file, text));
    if let Err(error) = &done {
        streams.error(&format!("{}: cannot be written: {error}", file.display()));
    }
    done.is_ok()
}

/// What there is to say besides the findings.
fn tell(args: &CheckArgs, report: &Report<'_>, remarks: &[Remark], streams: &mut Streams) {
    if args.verbose {
        streams.note(&summary::suppressed(report));
    }
    if !args.quiet {
        streams.note(&summary::skipped(report));
        streams.note(&summary::remarks(remarks, report.places));
    }
}
