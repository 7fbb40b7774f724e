//! The front end of the language: being built.

use super::{Lowered, Notes, Top};
use crate::ir::Func;
use crate::source::SourceFile;
use std::ops::Range;

/// Is it a file of tests?
pub(super) fn is_test_file(_file: &SourceFile) -> bool {
    false
}

/// What the functions of a file need of the rest of it; see [`super::Rest`].
#[derive(Clone, Debug)]
pub struct Rest {}

impl Rest {
    /// See [`super::Rest::top`].
    pub fn top(&self, _file: &SourceFile, _notes: &mut Notes) -> Top {
        Top::default()
    }

    /// See [`super::Rest::function`].
    pub fn function(&self, _file: &SourceFile, _at: u32, _notes: &mut Notes) -> Option<Func> {
        None
    }
}

/// See [`super::open`].
pub fn open(_file: &SourceFile, _wanted: &[Range<u32>]) -> Lowered {
    Lowered::default()
}

/// See [`super::lower`].
pub fn lower(_file: &SourceFile, _wanted: Option<&[Range<u32>]>) -> Lowered {
    Lowered::default()
}

/// An import path as a dotted one: `k8s.io/client-go/kubernetes` is `k8s.io.client_go.kubernetes`. A major version is no
/// part of it.
pub fn dotted(path: &str) -> String {
    let parts = path.split('/').filter(|p| !is_version(p));
    let parts: Vec<String> = parts.map(|p| unversioned(p).replace('-', "_")).collect();
    parts.join(".")
}

/// `v2`
fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()) && n != "1")
}

/// `yaml.v3` is `yaml`.
fn unversioned(part: &str) -> &str {
    match part.rsplit_once('.') {
        Some((name, version)) if version.strip_prefix('v').is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit())) => {
            name
        }
        _ => part,
    }
}
