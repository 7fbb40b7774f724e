//! Matching calls against rows.
use super::*;
use crate::ir::{Arena, Call, ExprId};

#[derive(Debug, Default)]
pub(super) struct Index {}

/// What the file a call stands in imports.
#[derive(Clone, Debug, Default)]
pub struct FileContext {
    /// The language.
    pub language: Option<Language>,
    /// Dotted paths imported anywhere in the file: `kubernetes`, `sqlalchemy.orm`.
    pub imports: Vec<Sym>,
}

impl Vocab {
    /// The row a call matches, after the walk has put values for locals: the receiver may be the result of a call of a
    /// library, which then backs the match.
    pub fn matched(&self, _arena: &Arena, _call: &Call, _file: &FileContext) -> Option<Matched> {
        None
    }
    /// The value a row's binding stands for in a call.
    pub fn bound(&self, _arena: &Arena, _call: &Call, _row: &Row, _bind: Bind) -> Option<ExprId> {
        None
    }
}
