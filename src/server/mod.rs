//! `reaplint server`: a language server over standard input and output.
//!
//! ```text
//! editor ── didOpen, didChange ──> state ── a quiet moment ──> run, on a thread of its own
//!        <── publishDiagnostics ──       <── views of the open documents ──
//!        ── hover, codeAction ──>        answered at once, from the views of the last run
//! ```
//! A run lints the whole folder of the workspace as it is on disk, with the texts of the editor laid over it: a guard that
//! goes in one buffer is a finding in another. One run at a time; what changes meanwhile is linted next, and what a run
//! says of a text that is no longer the editor's is dropped, if it is not stopped before it says anything.

mod answers;
mod client;
mod documents;
mod positions;
mod run;
mod state;
mod uri;
mod view;
mod wire;

use crate::streams::Streams;
use crate::{CLEAN, FAILED, FINDINGS};
use crossbeam_channel::{Receiver, Sender, after, bounded, never, select};
use reaplint::cli::ServerArgs;
use run::{Done, Job};
use state::Server;
use std::panic::AssertUnwindSafe;
use std::time::Instant;
use wire::{Incoming, Wire};

/// Serves one editor until it says to stop.
pub fn serve(args: &ServerArgs, streams: &mut Streams) -> u8 {
    let wire = match Wire::stdio() {
        Ok(wire) => wire,
        Err(why) => {
            streams.error(&why.to_string());
            return FAILED;
        }
    };
    let (jobs, todo) = bounded::<Job>(1);
    let (done, results) = bounded::<Done>(1);
    let worker = std::thread::Builder::new().name("linter".to_owned()).spawn(move || work(&todo, &done));
    if let Err(why) = worker {
        streams.error(&why.to_string());
        return FAILED;
    }
    let mut server = Server::new(wire.outgoing.clone(), args);
    let code = turn(&mut server, &wire.incoming, &jobs, &results);
    if let Some(why) = server.lost.take() {
        streams.error(&why);
    }
    drop(server);
    wire.close();
    code
}

/// Lints whatever comes. A fault of the linter costs a run, and not the server.
fn work(todo: &Receiver<Job>, done: &Sender<Done>) {
    for job in todo {
        let result = std::panic::catch_unwind(AssertUnwindSafe(|| run::run(&job))).unwrap_or_else(|_| Done {
            errors: vec!["this is a fault of reaplint, not of the files; please report it".to_owned()],
            ..Done::default()
        });
        if done.send(result).is_err() {
            break;
        }
    }
}

/// Takes what comes until the end; the exit code is 0 only where the editor said first that it will stop.
fn turn(server: &mut Server, incoming: &Receiver<Incoming>, jobs: &Sender<Job>, results: &Receiver<Done>) -> u8 {
    loop {
        let quiet = match server.due {
            Some(due) => after(due.saturating_duration_since(Instant::now())),
            None => never(),
        };
        select! {
            recv(incoming) -> one => match one {
                Ok(Incoming::Message(message)) => {
                    if server.take(message) {
                        return if server.stopping { CLEAN } else { FINDINGS };
                    }
                }
                Ok(Incoming::Malformed(why)) => server.complain(&why),
                Ok(Incoming::Lost(why)) => {
                    server.lost = Some(why);
                    return FAILED;
                }
                Err(_) => return if server.stopping { CLEAN } else { FINDINGS },
            },
            recv(results) -> done => {
                if let Ok(done) = done {
                    server.publish(done);
                }
            },
            recv(quiet) -> _ => {
                if let Some(job) = server.job() {
                    // The worker waits: no run is under way.
                    let _ = jobs.send(job);
                }
            },
        }
    }
}
