//! The commands.

mod add_ignore;
pub mod baseline;
pub mod check;
pub mod explain;
mod fix;
pub mod lint;
pub mod since;
mod watching;
pub mod why;

use crate::streams::Streams;
use crate::{CLEAN, FAILED, FINDINGS};
use clap::CommandFactory;
use reaplint::check::examples;
use reaplint::cli::{Cli, CompletionsArgs, FileArgs, ShowConfigArgs, VocabularyArgs};
use reaplint::config::{Configs, Settings, show};
use reaplint::discover::{Request, discover};
use reaplint::source::Sources;
use reaplint::vocab::{self, Vocab, listing};
use std::path::Path;

/// Complaints, and the code that goes with them.
pub fn refuse(complaints: &[String], streams: &mut Streams) -> u8 {
    complaints.iter().for_each(|one| streams.error(one));
    FAILED
}

/// The calls that are known in a run, with the user's own; complaints about those.
pub fn vocab_of(settings: &Settings) -> Result<Vocab, Vec<String>> {
    if settings.vocabulary.is_empty() {
        return Ok(vocab::builtin());
    }
    let vocab = Vocab::with_user(&settings.vocabulary).map_err(|error| vec![error.to_string()])?;
    // A row that matches nothing would silently find nothing.
    let wrong: Vec<String> = examples::of_user(&vocab).iter().filter(|e| e.wrong.is_some()).map(|e| e.line()).collect();
    if wrong.is_empty() { Ok(vocab) } else { Err(wrong) }
}

/// `reaplint config`
pub fn config(args: &ShowConfigArgs, streams: &mut Streams) -> u8 {
    let configs = match Configs::of_flags(&args.config, args.files.clone()) {
        Ok(configs) => configs,
        Err(complaints) => return refuse(&complaints, streams),
    };
    if args.show_files {
        return show_files(args, &configs, streams);
    }
    let here = [Path::new(".").to_path_buf()];
    let paths = if args.paths.is_empty() { &here[..] } else { &args.paths };
    let mut text = String::new();
    for path in paths {
        if !path.exists() {
            streams.error(&format!("{}: no such file or folder", path.display()));
            return FAILED;
        }
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
        let settings = configs.of_folder(folder);
        if paths.len() > 1 {
            text.push_str(&format!("# {}\n", path.display()));
        }
        text.push_str(&show::text(&settings));
    }
    if let Err(complaints) = configs.settle(&Sources::default()) {
        return refuse(&complaints, streams);
    }
    streams.out(|out| out.write_all(text.as_bytes()));
    CLEAN
}

fn show_files(args: &ShowConfigArgs, configs: &Configs, streams: &mut Streams) -> u8 {
    let found = discover(&Request { paths: &args.paths, stdin_filename: None, configs });
    let settings = match configs.settle(&found.sources) {
        Ok(settings) => settings,
        Err(complaints) => return refuse(&complaints, streams),
    };
    let line =
        |file: &reaplint::source::SourceFile| format!("{}: {}\n", file.shown(), show::file(settings.of(file.id)));
    let text: String = found.sources.files.iter().map(line).collect();
    streams.out(|out| out.write_all(text.as_bytes()));
    found.errors.iter().for_each(|error| streams.error(error));
    if found.errors.is_empty() { CLEAN } else { FAILED }
}

/// `reaplint vocabulary`
pub fn vocabulary(args: &VocabularyArgs, streams: &mut Streams) -> u8 {
    let configs = Configs::of_flags(&args.config, FileArgs::default());
    let settings = match configs.and_then(|configs| configs.settle(&Sources::default())) {
        Ok(settings) => settings,
        Err(complaints) => return refuse(&complaints, streams),
    };
    let vocab = match Vocab::with_user(&settings.vocabulary) {
        Ok(vocab) => vocab,
        Err(error) => return refuse(&[error.to_string()], streams),
    };
    if !args.check {
        let text = listing::text(&vocab);
        streams.out(|out| out.write_all(text.as_bytes()));
        return CLEAN;
    }
    let tested = examples::of_user(&vocab);
    let wrong = tested.iter().filter(|example| example.wrong.is_some()).count();
    let text: String = tested.iter().map(|example| format!("{}\n", example.line())).collect();
    streams.out(|out| out.write_all(text.as_bytes()));
    let rows = if tested.len() == 1 { "row" } else { "rows" };
    streams.note(&format!("{} {rows} tested, {wrong} wrong\n", tested.len()));
    if wrong == 0 { CLEAN } else { FINDINGS }
}

/// `reaplint completions`
pub fn completions(args: &CompletionsArgs, streams: &mut Streams) -> u8 {
    let mut text = vec![];
    clap_complete::generate(args.shell, &mut Cli::command(), "reaplint", &mut text);
    streams.out(|out| out.write_all(&text));
    CLEAN
}

/// `reaplint man`
pub fn man(streams: &mut Streams) -> u8 {
    let mut text = vec![];
    match manual(&mut text) {
        Ok(()) => {
            streams.out(|out| out.write_all(&text));
            CLEAN
        }
        Err(error) => refuse(&[error.to_string()], streams),
    }
}

/// The page of the program, and behind it those of its commands.
fn manual(text: &mut Vec<u8>) -> std::io::Result<()> {
    let mut command = Cli::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(text)?;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = format!("reaplint-{}", sub.get_name());
        clap_mangen::Man::new(sub.clone().name(name)).render(text)?;
    }
    Ok(())
}
