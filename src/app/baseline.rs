//! `reaplint baseline`: writes down what is found, or brings what is written up to date.

use super::{lint, since};
use crate::streams::Streams;
use crate::{CLEAN, FAILED};
use reaplint::baseline::{Baseline, FILE};
use reaplint::cli::BaselineArgs;
use reaplint::config::Configs;
use reaplint::discover::as_reported;
use reaplint::report::lines::Places;
use reaplint::source::shown;
use std::path::PathBuf;

/// Lints, and writes the findings down.
pub fn baseline(args: &BaselineArgs, streams: &mut Streams) -> u8 {
    match run(args, streams) {
        Ok(code) => code,
        Err(complaints) => super::refuse(&complaints, streams),
    }
}

fn run(args: &BaselineArgs, streams: &mut Streams) -> Result<u8, Vec<String>> {
    streams.quiet = args.quiet;
    let check = args.run();
    let configs = Configs::of_run(&check)?;
    let found = lint::find(&check, &configs, streams).map_err(|why| vec![why])?;
    if !found.errors.is_empty() {
        return Ok(FAILED);
    }
    let settings = configs.settle(&found.sources)?;
    let vocab = super::vocab_of(&settings)?;
    let configured = settings.root.baseline.clone();
    let file = args.baseline.clone().or(configured).unwrap_or_else(|| PathBuf::from(FILE));
    let old = if file.exists() { Baseline::read(&file).map_err(|why| vec![why])? } else { Baseline::default() };
    let outcome = reaplint::check::check(&found.sources, &vocab, &lint::options(&check, &settings));
    let places = Places::new(&found.sources);
    let (report, _) = lint::sort(outcome, &places, found.skipped, &settings, false);
    let run = since::Run { args: &check, configs: &configs, settings: &settings, vocab: &vocab };
    let matched = since::laid_beside(&old, &file, &report, &run);
    let folder = since::folder_of(&file);
    let now = Baseline::of(&report.findings, report.sources(), |path| since::placed(path, &folder));
    let stale = if args.prune { &matched.stale[..] } else { &[] };
    let new = old.refreshed(&now, &matched.known, stale);
    std::fs::write(&file, new.text()).map_err(|why| vec![format!("{}: cannot be written: {why}", shown(&file))])?;
    let added = matched.known.iter().filter(|known| !**known).count();
    let kept = matched.stale.len() - stale.len();
    let mut said = format!("{}: {} known, {added} of them new", shown(&as_reported(&file)), new.len());
    if !stale.is_empty() {
        said.push_str(&format!("; {} dropped", stale.len()));
    }
    if kept > 0 {
        said.push_str(&format!("; {kept} stale, which --prune drops"));
    }
    if !args.quiet {
        streams.note(&format!("{said}\n"));
    }
    Ok(CLEAN)
}
