//! The walk.
