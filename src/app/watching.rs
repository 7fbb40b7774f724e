//! What a run says of itself while it goes on: `--timings`, and the progress on a terminal.
//!
//! ```text
//! walk functions 812                 one line on standard error, written over and at last taken away
//!
//! timings:
//!    412 ms  find and read files (1204)
//!    ...
//!   2210 ms  in all
//! ```
//! Progress is shown on a terminal only, where nobody asked for quiet and no CI keeps what is written, and only of runs
//! that take a while.

use reaplint::check::{Phase, Watch};
use reaplint::cli::CheckArgs;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Runs that are shorter show nothing.
const PATIENCE: Duration = Duration::from_millis(400);

/// Nobody reads faster.
const BETWEEN: Duration = Duration::from_millis(100);

/// Keeps the time.
#[derive(Debug)]
pub struct Clock {
    start: Instant,
    shows: bool,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    phases: Vec<(&'static str, Instant, Option<usize>)>,
    done: usize,
    shown: Instant,
    dirty: bool,
    over: bool,
}

impl Clock {
    /// For a run that begins now.
    pub fn new(args: &CheckArgs) -> Clock {
        let env = |name: &str| std::env::var(name).ok();
        let shows = wanted(args, io::stderr().is_terminal(), env);
        let start = Instant::now();
        Clock {
            start,
            shows,
            state: Mutex::new(State { phases: vec![], done: 0, shown: start, dirty: false, over: false }),
        }
    }

    /// Something begins; what was going on is over.
    pub fn begins(&self, name: &'static str, things: Option<usize>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.phases.push((name, Instant::now(), things));
        state.done = 0;
        self.show(&mut state);
    }

    /// How many things the phase that goes on was about, if that is known only now.
    pub fn were(&self, things: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = state.phases.last_mut() {
            last.2 = Some(things);
        }
    }

    fn show(&self, state: &mut State) {
        if !self.shows || state.over {
            return;
        }
        let now = Instant::now();
        if now - self.start < PATIENCE || (state.dirty && now - state.shown < BETWEEN) {
            return;
        }
        let Some((name, _, things)) = state.phases.last() else { return };
        let count = match (state.done, things) {
            (0, None) => String::new(),
            (done, None) => format!(" {done}"),
            (done, Some(things)) => format!(" {done}/{things}"),
        };
        // A terminal that is gone needs no progress.
        let _ = write!(io::stderr().lock(), "\r\x1b[2K{name}{count}");
        state.shown = now;
        state.dirty = true;
    }

    /// Takes the line of progress away: from now on something else is written.
    pub fn clear(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.over = true;
        if state.dirty {
            let _ = write!(io::stderr().lock(), "\r\x1b[2K");
            state.dirty = false;
        }
    }

    /// The table of `--timings`.
    pub fn table(&self) -> String {
        let end = Instant::now();
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ends = state.phases.iter().skip(1).map(|(_, start, _)| *start).chain([end]);
        let line = |took: Duration, what: &str| format!("{:>9.1} ms  {what}\n", took.as_secs_f64() * 1000.0);
        let mut out = "timings:\n".to_owned();
        for ((name, start, things), end) in state.phases.iter().zip(ends) {
            let count = things.map(|things| format!(" ({things})")).unwrap_or_default();
            out.push_str(&line(end - *start, &format!("{name}{count}")));
        }
        out.push_str(&line(end - self.start, "in all"));
        out
    }
}

impl Watch for Clock {
    fn begins(&self, phase: Phase, things: Option<usize>) {
        Clock::begins(self, phase.name(), things);
    }

    fn one_done(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done += 1;
        self.show(&mut state);
    }
}

/// Is there somebody who would see it, and would not mind?
fn wanted(args: &CheckArgs, is_terminal: bool, env: impl Fn(&str) -> Option<String>) -> bool {
    let in_ci = env("CI").is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
    let dumb = env("TERM").as_deref() == Some("dumb");
    is_terminal && !in_ci && !dumb && !args.quiet && !args.no_progress && args.dump.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_for_people_at_a_terminal() {
        let shown = |args: &CheckArgs, terminal: bool, vars: &[(&str, &str)]| {
            wanted(args, terminal, |name| vars.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
        };
        let usual = CheckArgs::default();
        assert!(shown(&usual, true, &[]));
        assert!(shown(&usual, true, &[("CI", ""), ("TERM", "xterm")]));
        assert!(!shown(&usual, false, &[]));
        assert!(!shown(&usual, true, &[("CI", "true")]));
        assert!(!shown(&usual, true, &[("TERM", "dumb")]));
        assert!(!shown(&CheckArgs { quiet: true, ..CheckArgs::default() }, true, &[]));
        assert!(!shown(&CheckArgs { no_progress: true, ..CheckArgs::default() }, true, &[]));
    }

    #[test]
    fn each_phase_lasts_until_the_next() {
        let clock = Clock::new(&CheckArgs::default());
        clock.begins("find", None);
        clock.were(3);
        Watch::begins(&clock, Phase::Index, Some(2));
        clock.one_done();
        let table = clock.table();
        let names: Vec<&str> = table.lines().filter_map(|line| line.split(" ms  ").nth(1)).collect();
        assert_eq!(names, ["find (3)", "index files (2)", "in all"]);
    }
}
