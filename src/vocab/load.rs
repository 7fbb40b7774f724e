//! Reading rows from TOML.
use super::*;
use std::collections::{HashMap, HashSet};

/// What is wrong with a row.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct LoadError(pub String);

#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) fields: HashMap<Sym, FieldRole>,
    pub(super) finals: HashSet<String>,
    pub(super) age: Vec<String>,
    pub(super) protection: Vec<String>,
    pub(super) triggers: Vec<String>,
}
impl Words {
    pub(super) fn not_found(&self, _word: &str) -> bool {
        false
    }
    pub(super) fn speaks(&self, _name: &str, _words: &[String]) -> bool {
        false
    }
}
/// The built-in rows.
pub fn builtin() -> Vocab {
    Vocab::default()
}
