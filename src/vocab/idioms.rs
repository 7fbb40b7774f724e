//! How edits are written where a library decides what the words are: `rules/tables/idioms.toml`.
//!
//! ```text
//! os.remove(path)      os.path.getmtime(path)      when it was changed
//! path.unlink()        path.stat().st_mtime
//! ```

use serde::Deserialize;
use std::sync::OnceLock;

/// The built-in table.
const BUILTIN: &str = include_str!("../../rules/tables/idioms.toml");

/// How edits are written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Idioms {
    /// Calls that remove a path.
    pub path: PathCalls,
    /// Methods of paths.
    pub path_object: PathMethods,
    /// Go.
    pub go: GoIdioms,
    /// Python.
    pub python: PythonIdioms,
    /// The clocks of Rust.
    pub rust: Vec<RustClock>,
}

/// Calls that remove a path they are given.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathCalls {
    /// Their names.
    pub calls: Vec<String>,
    /// When the path `{}` was changed, in seconds.
    pub changed: String,
    /// What that needs imported.
    pub module: String,
}

/// Methods that remove the path they are called on.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathMethods {
    /// Their names, with the dot.
    pub methods: Vec<String>,
    /// When the path `{}` was changed, in seconds.
    pub changed: String,
}

/// What stands in a file of Go that has such things.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoIdioms {
    /// Part of the import of objects that know when they were made.
    pub objects: String,
    /// The import of a client that takes preconditions as options.
    pub client: String,
}

/// What stands in a file of Python that has such things.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PythonIdioms {
    /// Imports of a module that has the types of preconditions.
    pub client: Vec<String>,
}

/// A library of Rust that tells the time.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RustClock {
    /// The word by which a file speaks of it.
    pub name: String,
    /// How long ago `{}` was.
    pub age: String,
    /// Ten minutes.
    pub span: String,
}

/// The built-in table.
pub fn idioms() -> &'static Idioms {
    static TABLE: OnceLock<Idioms> = OnceLock::new();
    TABLE.get_or_init(|| toml::from_str(BUILTIN).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_loads() {
        let read: Idioms = toml::from_str(BUILTIN).expect("the table");
        assert!(!read.path.calls.is_empty() && read.rust.len() > 1);
    }
}
