//! The command line: read what it asks for, lint, report, choose the exit code.
//!
//! Findings go to standard output, everything else to standard error. The code is 0 for nothing at or above the fail
//! level, 1 for findings, 2 where the job could not be done; a reader that goes away changes nothing about it.

mod app;
mod server;
mod streams;

use clap::Parser;
use reaplint::cli::{Cli, Command};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use streams::Streams;

/// Values are made and dropped by the million, nearly all of them small: taking room for them was a sixth of a run.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
        Command::Check(args) => app::check::check(args, &mut streams),
        Command::Explain(args) => app::explain::explain(args, &mut streams),
        Command::Why(args) => app::why::why(args, &mut streams),
        Command::Baseline(args) => app::baseline::baseline(args, &mut streams),
        Command::Config(args) => app::config(args, &mut streams),
        Command::Vocabulary(args) => app::vocabulary(args, &mut streams),
        Command::Server(args) => server::serve(args, &mut streams),
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
