//! Standard output and standard error.
//!
//! A reader that closed the pipe has read what it wanted: what follows is dropped, and the exit code stays. Any other
//! failure to write means that the job was not done.

use anstream::{AutoStream, ColorChoice};
use reaplint::cli::{ColorWhen, terminal};
use reaplint::report::Look;
use std::io::{self, BufWriter, IsTerminal, Write};

/// The two outputs of a run.
pub struct Streams {
    /// How standard output is written to.
    pub look: Look,
    /// What `--color` says, for files.
    pub color: ColorChoice,
    /// Errors only.
    pub quiet: bool,
    error_look: Look,
    failed: Option<io::Error>,
}

impl Streams {
    /// For a `--color`.
    pub fn new(when: ColorWhen) -> Self {
        let color = match when {
            ColorWhen::Always => ColorChoice::Always,
            ColorWhen::Never => ColorChoice::Never,
            ColorWhen::Auto => ColorChoice::Auto,
        };
        let look = terminal::look(when, io::stdout().is_terminal());
        let error_look = terminal::look(when, io::stderr().is_terminal());
        Streams { look, color, quiet: false, error_look, failed: None }
    }

    /// Writes to standard output; false if that failed.
    pub fn out(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> bool {
        let stdout = AutoStream::new(io::stdout().lock(), choice(self.look));
        let mut buffer = BufWriter::new(stdout);
        let done = write(&mut buffer).and_then(|()| buffer.flush());
        // What the buffer still holds after a failure must not be tried again when it is dropped.
        let _ = buffer.into_parts();
        match done {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                self.failed = Some(error);
                false
            }
            _ => true,
        }
    }

    /// Text for people, to standard error.
    pub fn note(&mut self, text: &str) {
        // Nobody is left to tell of a failure here.
        let _ = AutoStream::new(io::stderr().lock(), choice(self.error_look)).write_all(text.as_bytes());
    }

    /// Something that deserves a look.
    pub fn warn(&mut self, text: &str) {
        if !self.quiet {
            self.marked("\u{1b}[1;33m", "warning", text);
        }
    }

    /// Why the job could not be done.
    pub fn error(&mut self, text: &str) {
        self.marked("\u{1b}[1;31m", "error", text);
    }

    fn marked(&mut self, style: &str, word: &str, text: &str) {
        self.note(&format!("{style}{word}:\u{1b}[0m {text}\n"));
    }

    /// The least exit code that what happened to standard output asks for.
    pub fn close(&mut self) -> u8 {
        match self.failed.take() {
            Some(error) => {
                self.error(&format!("standard output cannot be written: {error}"));
                2
            }
            None => 0,
        }
    }
}

fn choice(look: Look) -> ColorChoice {
    if look.color { ColorChoice::Always } else { ColorChoice::Never }
}
