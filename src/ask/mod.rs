//! The questions.
