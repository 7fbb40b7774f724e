//! Front ends: source text to [`crate::ir`]. They know syntax and no meaning, never fail, and never look at another file.
pub mod python;
