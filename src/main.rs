//! The command line: read what it asks for, lint, report, choose the exit code.
//!
//! Findings go to standard output, everything else to standard error. The code is 0 for nothing at or above the fail
//! level, 1 for findings, 2 where the job could not be done; a reader that goes away changes nothing about it.

mod app;
mod streams;

use anstream::ColorChoice;
use clap::Parser;
use reaplint::check::{Options, Outcome};
use reaplint::cli::{
    self, CheckArgs, Cli, Command, ConfigArgs, ExplainArgs, ExplainFormat, FileArgs, Format, FormatSpec, WhyArgs,
};
use reaplint::config::{Configs, Settings, nearest};
use reaplint::discover::{Found, Request, discover};
use reaplint::report::lines::Places;
use reaplint::report::repository::Repository;
use reaplint::report::{self, Look, Report, Skipped, explain, summary};
use reaplint::rules::{Finding, RULES, Rule};
use reaplint::source::{FileId, Language, SourceFile, Sources, Span};
use reaplint::suppress::{self, Remark};
use reaplint::vocab::Vocab;
use std::io::Write;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use streams::Streams;

/// Values are made and dropped by the million, nearly all of them small: taking room for them was a sixth of a run.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The languages that are linted.
const LANGUAGES: [Language; 3] = [Language::Python, Language::Go, Language::Rust];

/// Nothing at or above the fail level.
const CLEAN: u8 = 0;
/// Findings.
const FINDINGS: u8 = 1;
/// The job could not be done.
const FAILED: u8 = 2;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // A reader that went away does not matter.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(FAILED));
        }
    };
    let mut streams = Streams::new(cli.color);
    let run = || match &cli.command {
        Command::Check(args) => check(args, &mut streams),
        Command::Explain(args) => explain(args, &mut streams),
        Command::Why(args) => why(args, &mut streams),
        Command::Config(args) => app::config(args, &mut streams),
        Command::Vocabulary(args) => app::vocabulary(args, &mut streams),
        Command::Completions(args) => app::completions(args, &mut streams),
        Command::Man => app::man(&mut streams),
    };
    // A fault of the linter must not look like "findings" or like "clean".
    let code = std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        streams.error("this is a fault of reaplint, not of the files; please report it");
        FAILED
    });
    ExitCode::from(code.max(streams.close()))
}

fn check(args: &CheckArgs, streams: &mut Streams) -> u8 {
    streams.quiet = args.quiet;
    let configs = match Configs::of_run(args) {
        Ok(configs) => configs,
        Err(complaints) => return app::refuse(&complaints, streams),
    };
    let Some(outputs) = outputs(args, streams) else { return FAILED };
    let found = find(args, &configs, streams);
    if !found.errors.is_empty() && found.sources.files.is_empty() && found.skipped.is_empty() {
        return FAILED;
    }
    let settings = match configs.settle(&found.sources) {
        Ok(settings) => settings,
        Err(complaints) => return app::refuse(&complaints, streams),
    };
    say_rules(args, &settings, streams);
    let vocab = match app::vocab_of(&settings) {
        Ok(vocab) => vocab,
        Err(complaints) => return app::refuse(&complaints, streams),
    };
    let options = Options {
        threads: args.threads.map(Into::into),
        dump: args.dump.map(|d| match d {
            reaplint::cli::Dump::Ir => reaplint::check::Dump::Ir,
            reaplint::cli::Dump::Facts => reaplint::check::Dump::Facts,
        }),
        everything: false,
        declared: settings.declared(),
    };
    let outcome = reaplint::check::check(&found.sources, &vocab, &options);
    if args.dump.is_some() {
        streams.out(|out| out.write_all(outcome.ir.as_bytes()));
        return CLEAN;
    }
    let places = Places::new(&found.sources);
    let holes = outcome.holes.clone();
    let (mut report, remarks) = sort(outcome, &places, found.skipped, &settings, args.ignore_suppressions);
    let fixed = if args.fix { fix(&mut report, streams) } else { Some(0) };
    let host = Host { repository: cli::host::repository(), errors: &found.errors };
    let written = outputs.iter().all(|spec| write(spec, &report, &host, streams));
    tell(args, &report, &remarks, streams);
    if args.statistics {
        streams.note(&summary::statistics(&report, &holes));
    }
    if !args.quiet {
        streams.note(&summary::line(&report, &remarks));
    }
    let failed = !written
        || fixed.is_none()
        || !found.errors.is_empty()
        || (args.strict && report.skipped.iter().any(|one| one.fault));
    match report.gravest() {
        _ if failed => FAILED,
        Some(gravest) if gravest >= settings.root.fail_level && !args.exit_zero => FINDINGS,
        _ => CLEAN,
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

/// The files, with complaints about what was named and does not exist.
fn find(args: &CheckArgs, configs: &Configs, streams: &mut Streams) -> Found {
    if let Some(threads) = args.threads {
        // Fails only where a pool exists already, and none does.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build_global();
    }
    let request = Request { paths: &args.paths, stdin_filename: args.stdin_filename.as_deref(), configs };
    let found = discover(&request);
    found.errors.iter().for_each(|error| streams.error(error));
    if found.errors.is_empty() && found.sources.files.is_empty() && found.skipped.is_empty() {
        streams.warn("there is nothing to lint here: no Python, Go or Rust files");
    }
    if args.verbose {
        let linted = found.sources.files.iter().filter(|file| !file.is_generated());
        linted.for_each(|file| streams.note(&format!("linted: {}\n", file.shown())));
    }
    found
}

/// The report: what is shown, in order; what is suppressed; what is left out.
fn sort<'a>(
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
    let report = Report { places, findings: sorted.kept, suppressed: sorted.suppressed, skipped, unsure };
    (report, sorted.remarks)
}

/// Makes the safe edits, and takes what they mend out of the report: how many findings; nothing where a file could not be
/// written.
fn fix(report: &mut Report<'_>, streams: &mut Streams) -> Option<usize> {
    let sources = report.sources();
    let fixed = reaplint::fix::safe(&report.findings, sources);
    let mut done = true;
    for (file, text) in &fixed.texts {
        let path = &sources.get(*file).path;
        // Standard input is linted under a name, and not changed.
        if let Err(error) = std::fs::write(path, text) {
            streams.error(&format!("{}: cannot be written: {error}", path.display()));
            done = false;
        }
    }
    let mut mended = fixed.mended.into_iter();
    let before = report.findings.len();
    report.findings.retain(|_| !mended.next().unwrap_or_default());
    let count = before - report.findings.len();
    if count > 0 {
        streams.note(&format!("fixed {count} {}\n", if count == 1 { "finding" } else { "findings" }));
    }
    done.then_some(count)
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

fn explain(args: &ExplainArgs, streams: &mut Streams) -> u8 {
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

fn why(args: &WhyArgs, streams: &mut Streams) -> u8 {
    let place = &args.place;
    // Callers and helpers may stand anywhere below, so the whole folder is read.
    let paths = [PathBuf::from("."), place.file.clone()];
    let configs = match Configs::of_flags(&ConfigArgs::default(), FileArgs::default()) {
        Ok(configs) => configs,
        Err(complaints) => return app::refuse(&complaints, streams),
    };
    let found = discover(&Request { paths: &paths, stdin_filename: None, configs: &configs });
    if !found.errors.is_empty() {
        found.errors.iter().for_each(|error| streams.error(error));
        return FAILED;
    }
    let Some(file) = same_file(&found.sources, &place.file) else {
        let why = found.skipped.iter().find(|one| one.path.ends_with(&place.file)).map(|one| one.reason.as_str());
        streams.error(&format!("{}: {}", place.file.display(), why.unwrap_or("not a kind that is linted")));
        return FAILED;
    };
    match configs.settle(&found.sources).and_then(|settings| app::vocab_of(&settings)) {
        Ok(vocab) => answer(&found.sources, &vocab, file, place.line, streams),
        Err(complaints) => app::refuse(&complaints, streams),
    }
}

fn same_file(sources: &Sources, path: &Path) -> Option<FileId> {
    let real = |path: &Path| path.canonicalize().ok();
    let wanted = real(path)?;
    sources.files.iter().find(|file| real(&file.path).as_ref() == Some(&wanted)).map(|file| file.id)
}

fn answer(sources: &Sources, vocab: &Vocab, file: FileId, line: usize, streams: &mut Streams) -> u8 {
    let places = Places::new(sources);
    let lines = places.lines(file);
    let name = sources.get(file).shown();
    if line > lines.count() {
        streams.error(&format!("{name}: has {} lines", lines.count()));
        return FAILED;
    }
    let range = lines.range(line - 1);
    match reaplint::check::why(sources, vocab, &Options::default(), Span::new(file, range.start, range.end)) {
        Some(text) => {
            streams.out(|out| out.write_all(text.as_bytes()));
            CLEAN
        }
        None => {
            streams.error(&format!("{name}:{line}: no destructive call is known on this line"));
            FAILED
        }
    }
}
