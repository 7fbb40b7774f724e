//! `reaplint why`: what is known of one line.
//!
//! ```text
//! reaplint why jobs/reaper.py:42     a destructive call: what each question answers, and from which evidence
//! reaplint why deploy/web.yaml:7     a manifest: what is reported there, whether or not it is shown usually
//! ```

use super::{refuse, vocab_of};
use crate::streams::Streams;
use crate::{CLEAN, FAILED};
use reaplint::check::{Options, check};
use reaplint::cli::{ConfigArgs, FileArgs, WhyArgs};
use reaplint::config::{Configs, Settings};
use reaplint::discover::{Request, discover};
use reaplint::report::lines::Places;
use reaplint::report::{self, Report};
use reaplint::rules::{Finding, RULES, Reads};
use reaplint::source::{FileId, Sources, Span};
use reaplint::suppress;
use reaplint::vocab::Vocab;
use std::path::{Path, PathBuf};

/// Answers for one line.
pub fn why(args: &WhyArgs, streams: &mut Streams) -> u8 {
    let place = &args.place;
    // Callers and helpers may stand anywhere below, so the whole folder is read.
    let paths = [PathBuf::from("."), place.file.clone()];
    let configs = match Configs::of_flags(&ConfigArgs::default(), FileArgs::default()) {
        Ok(configs) => configs,
        Err(complaints) => return refuse(&complaints, streams),
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
    let settings = configs.settle(&found.sources);
    match settings.and_then(|settings| Ok((vocab_of(&settings)?, settings))) {
        Ok((vocab, settings)) => {
            let places = Places::new(&found.sources);
            Asked { places: &places, vocab: &vocab, settings: &settings, file, line: place.line }.answer(streams)
        }
        Err(complaints) => refuse(&complaints, streams),
    }
}

fn same_file(sources: &Sources, path: &Path) -> Option<FileId> {
    let real = |path: &Path| path.canonicalize().ok();
    let wanted = real(path)?;
    sources.files.iter().find(|file| real(&file.path).as_ref() == Some(&wanted)).map(|file| file.id)
}

/// A line that is asked about.
struct Asked<'a> {
    places: &'a Places<'a>,
    vocab: &'a Vocab,
    settings: &'a Settings,
    file: FileId,
    /// From 1.
    line: usize,
}

impl Asked<'_> {
    fn answer(&self, streams: &mut Streams) -> u8 {
        let sources = self.places.sources();
        let lines = self.places.lines(self.file);
        let name = sources.get(self.file).shown();
        if self.line > lines.count() {
            streams.error(&format!("{name}: has {} lines", lines.count()));
            return FAILED;
        }
        let range = lines.range(self.line - 1);
        let span = Span::new(self.file, range.start, range.end);
        if let Some(text) = reaplint::check::why(sources, self.vocab, &Options::default(), span) {
            streams.out(|out| out.write_all(text.as_bytes()));
            return CLEAN;
        }
        self.other_findings(&format!("{name}:{}", self.line), streams)
    }

    /// What is reported on a line without a destructive call: that of a manifest, or of a rule that looks at a function.
    fn other_findings(&self, place: &str, streams: &mut Streams) -> u8 {
        let options = Options { declared: self.settings.declared(), ..Options::default() };
        let findings = check(self.places.sources(), self.vocab, &options).findings;
        let own: Vec<Finding> = findings.into_iter().filter(|finding| finding.at.file == self.file).collect();
        let (here, elsewhere): (Vec<_>, Vec<_>) = own.into_iter().partition(|finding| self.is_about(finding));
        if here.is_empty() {
            return self.nothing(place, &elsewhere, streams);
        }
        let sorted = suppress::sort(here, self.places, RULES, |_, _| false);
        for one in &sorted.suppressed {
            streams.out(|out| writeln!(out, "{place}: {} is suppressed: {}", one.finding.rule.name, one.reason));
        }
        let mut findings: Vec<Finding> = sorted.kept;
        findings.extend(sorted.suppressed.into_iter().map(|one| one.finding));
        report::order(&mut findings);
        let report = Report {
            places: self.places,
            findings,
            suppressed: vec![],
            skipped: vec![],
            unsure: 0,
            baselined: 0,
            old: 0,
        };
        let look = streams.look;
        streams.out(|out| report::full::write(&report, look, out));
        CLEAN
    }

    /// Does a finding have a place on the line?
    fn is_about(&self, finding: &Finding) -> bool {
        let on_line = |span: &Span| {
            let lines = self.places.lines(span.file);
            let (first, last) = (lines.line_at(span.start), lines.line_at(span.end.max(span.start + 1) - 1));
            span.file == self.file && (first..=last).contains(&(self.line - 1))
        };
        let steps = finding.steps.iter().map(|step| &step.span);
        [&finding.at, &finding.statement].into_iter().chain(steps).any(on_line)
    }

    fn nothing(&self, place: &str, elsewhere: &[Finding], streams: &mut Streams) -> u8 {
        if self.places.sources().get(self.file).language.is_code() {
            streams.error(&format!("{place}: no destructive call is known on this line"));
            return FAILED;
        }
        let reads = |rule: &&&reaplint::rules::Rule| rule.reads != Reads::Code;
        let rules: Vec<&str> = RULES.iter().filter(reads).map(|rule| rule.name).collect();
        let mut text = format!("{place}: nothing is reported here\n");
        for finding in elsewhere {
            let line = self.places.shown(finding.at);
            text.push_str(&format!("in this file: {line}: {}: {}\n", finding.rule.name, finding.message));
        }
        text.push_str(&format!(
            "what is looked at in manifests and commands: {}; `reaplint explain RULE` says more\n",
            rules.join(", ")
        ));
        streams.out(|out| out.write_all(text.as_bytes()));
        CLEAN
    }
}
