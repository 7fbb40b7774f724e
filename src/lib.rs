//! reaplint finds cleanup code that deletes by elimination. Modules in reading order: the pipeline.

pub mod ask;
pub mod baseline;
pub mod changes;
pub mod check;
pub mod cli;
pub mod compare;
pub mod config;
pub mod discover;
pub mod facts;
pub mod fix;
pub mod index;
pub mod ir;
pub mod lang;
pub mod manifest;
pub mod mend;
pub mod project;
pub mod report;
pub mod rules;
pub mod shell;
pub mod source;
pub mod suppress;
pub mod sweep;
pub mod vocab;
pub mod walk;
