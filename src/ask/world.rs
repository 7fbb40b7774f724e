//! What is supposed: the worlds in which a destructive call is asked about.
//!
//! ```text
//! PRESENT      every record knows it             ABSENT   none does           NEWBORN, FOREIGN   and it is new, a stranger's
//! failed(r)    every record knows it, and this one read fails
//! ```

use crate::ir::ExprId;

/// What is supposed. In every world the subject is alive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct World {
    /// Looking the subject up finds it, and active.
    pub found: bool,
    /// This one read did not succeed; all others did.
    pub failed: Option<ExprId>,
    /// No other reference need know the subject: the failed one may be the only one that does.
    pub alone: bool,
    /// This one reference knows it, whether or not others do.
    pub known_by: Option<ExprId>,
    /// The subject was made a second ago and bears no mark of an earlier pass.
    pub newborn: bool,
    /// The subject belongs to another installation that runs the same code.
    pub foreign: bool,
    /// It is in the space that this installation's own things are in.
    pub beside: bool,
    /// What knows the subject does so whatever its own filters leave out.
    pub certain: bool,
}

/// Every reference knows the subject.
pub const PRESENT: World = World {
    found: true,
    failed: None,
    alone: false,
    known_by: None,
    newborn: false,
    foreign: false,
    beside: false,
    certain: false,
};
/// The same, though filters of the references are not understood.
pub const KNOWN: World = World { certain: true, ..PRESENT };
/// No reference knows it.
pub const ABSENT: World = World { found: false, ..PRESENT };
/// No reference knows it, and it was made a second ago.
pub const NEWBORN: World = World { newborn: true, ..ABSENT };
/// No reference of ours knows it, and it is another's.
pub const FOREIGN: World = World { foreign: true, ..ABSENT };
/// The same, in the very space that ours are in.
pub const BESIDE: World = World { beside: true, ..FOREIGN };

/// Every reference knows the subject, and this one read fails.
pub fn failed(read: ExprId) -> World {
    World { failed: Some(read), ..PRESENT }
}

/// The same, where the read that fails may be the only one that knows the subject.
pub fn failed_alone(read: ExprId) -> World {
    World { alone: true, ..failed(read) }
}

/// No reference knows the subject, and this one does not for it failed. Nothing is supposed about whether it is over.
pub fn failed_and_absent(read: ExprId) -> World {
    World { found: false, ..failed(read) }
}

/// The same had it succeeded: it knows the subject, and others need not.
pub fn succeeded_alone(read: ExprId) -> World {
    World { alone: true, known_by: Some(read), ..PRESENT }
}
