//! Runs the built binary in a folder of its own.

#![allow(dead_code)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A folder that goes away with the test.
pub struct Folder(tempfile::TempDir);

/// What a run left.
#[derive(Debug)]
pub struct Run {
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
    /// The exit code; -1 where a signal ended the run.
    pub code: i32,
}

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, with the folders above it.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder above")).expect("folders");
        std::fs::write(path, text).expect("written");
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path().join(path)).expect("read")
    }

    /// Runs with arguments split at spaces.
    pub fn run(&self, arguments: &str) -> Run {
        self.run_with(arguments, b"")
    }

    /// Runs with something on standard input.
    pub fn run_with(&self, arguments: &str, input: &[u8]) -> Run {
        let mut command = command();
        command.args(arguments.split_whitespace()).current_dir(self.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("started");
        // A run that does not read its input closes the pipe.
        let _ = child.stdin.take().expect("piped").write_all(input);
        let output = child.wait_with_output().expect("ended");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Run { out: text(output.stdout), err: text(output.stderr), code: output.status.code().unwrap_or(-1) }
    }
}

/// The binary, with nothing in its environment that changes what it prints.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reaplint"));
    for name in ["NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CLICOLOR", "TERM", "REAPLINT_OUTPUT_FORMAT"] {
        command.env_remove(name);
    }
    // A CI says by these where it is.
    let ci = ["GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA", "GITHUB_WORKSPACE"];
    for name in ci.into_iter().chain(["CI_PROJECT_URL", "CI_COMMIT_SHA", "CI_PROJECT_DIR"]) {
        command.env_remove(name);
    }
    command
}

impl Run {
    /// The files that `-v` lists.
    pub fn linted(&self) -> Vec<&str> {
        self.err.lines().filter_map(|line| line.strip_prefix("linted: ")).collect()
    }

    /// The last line of standard error.
    pub fn last(&self) -> &str {
        self.err.lines().last().unwrap_or_default()
    }
}
