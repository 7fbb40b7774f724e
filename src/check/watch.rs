//! Who watches a run: told what it is doing, and asked whether it may end early.
//!
//! ```text
//! --timings       when each phase began
//! progress        how much of a phase is done
//! the server      a newer text is there: what this run finds is wanted by nobody
//! ```

use std::sync::Arc;

/// What a run is doing, in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Looking through the bytes of files.
    Index,
    /// Parsing the functions that may destroy something.
    Lower,
    /// Running functions symbolically, with their helpers and callers.
    Walk,
    /// Asking of each destructive call what lets it through.
    Ask,
    /// Reading manifests and commands.
    Manifests,
    /// The rules that look at whole functions and at manifests.
    Rules,
}

impl Phase {
    /// For people: `index files`.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Index => "index files",
            Phase::Lower => "parse functions",
            Phase::Walk => "walk functions",
            Phase::Ask => "ask about deletes",
            Phase::Manifests => "read manifests and commands",
            Phase::Rules => "rules about functions and manifests",
        }
    }
}

/// Who watches.
pub trait Watch: Send + Sync + std::fmt::Debug {
    /// A phase begins. Of how many things it will look at, where that is known.
    fn begins(&self, phase: Phase, things: Option<usize>);
    /// One thing is done.
    fn one_done(&self) {}
    /// Is nobody interested any more?
    fn stopped(&self) -> bool {
        false
    }
}

/// Somebody who watches, or nobody.
#[derive(Clone, Debug, Default)]
pub struct Watched(pub Option<Arc<dyn Watch>>);

impl Watched {
    pub(super) fn begins(&self, phase: Phase, things: Option<usize>) {
        if let Some(watch) = &self.0 {
            watch.begins(phase, things);
        }
    }

    pub(super) fn one_done(&self) {
        if let Some(watch) = &self.0 {
            watch.one_done();
        }
    }

    pub(super) fn stopped(&self) -> bool {
        self.0.as_ref().is_some_and(|watch| watch.stopped())
    }
}
