//! `reaplint explain` and `reaplint why`.

use super::{refuse, vocab_of};
use crate::streams::Streams;
use crate::{CLEAN, FAILED};
use reaplint::check::Options;
use reaplint::cli::{ConfigArgs, ExplainArgs, ExplainFormat, FileArgs, WhyArgs};
use reaplint::config::{Configs, nearest};
use reaplint::discover::{Request, discover};
use reaplint::report::explain;
use reaplint::report::lines::Places;
use reaplint::rules::RULES;
use reaplint::source::{FileId, Sources, Span};
use reaplint::vocab::Vocab;
use std::path::{Path, PathBuf};

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

/// What the questions answer for one call.
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
    match configs.settle(&found.sources).and_then(|settings| vocab_of(&settings)) {
        Ok(vocab) => answer(&found.sources, &vocab, file, place.line, streams),
        Err(complaints) => refuse(&complaints, streams),
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
