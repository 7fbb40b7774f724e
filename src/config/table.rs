//! What a configuration file may say, and what is wrong with one.
//!
//! ```text
//! reaplint.toml:2:1: there is no key `ownership-label`; did you mean `ownership-labels`?
//! pyproject.toml:7:18: unknown variant `hihg`; did you mean `high`?
//! ```
//! The JSON schema in the repository is made from these types. A file of another tool in which our table stands is read
//! for that table alone; where such a file is broken, that is for its own tool to say.

use crate::rules::{Confidence, Severity};
use crate::vocab::UserRows;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The settings of reaplint. The file closest to each linted file holds; nothing is merged unless `extend` says so.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
#[schemars(title = "reaplint")]
pub struct Table {
    /// Another configuration file, relative to this one. What it says holds where this one says nothing.
    pub extend: Option<PathBuf>,
    /// The rules and groups to run: rule names, code, manifest, sql, shell, pedantic, ALL.
    pub select: Option<Vec<String>>,
    /// Rules and groups to run besides.
    pub extend_select: Option<Vec<String>>,
    /// Rules and groups to leave out.
    pub ignore: Option<Vec<String>>,
    /// Run the pedantic rules as well.
    pub pedantic: Option<bool>,
    /// Report findings of at least this severity.
    pub min_severity: Option<Severity>,
    /// Report findings of at least this confidence.
    pub min_confidence: Option<Confidence>,
    /// Exit with 1 if there is a finding of at least this severity. Read from the file closest to the working directory.
    pub fail_level: Option<Severity>,
    /// Patterns in the manner of .gitignore, relative to this file's folder, of what is not linted; they replace the
    /// built-in list of folders that tools fill.
    pub exclude: Option<Vec<String>>,
    /// Patterns of what is not linted besides.
    pub extend_exclude: Option<Vec<String>>,
    /// Leave out excluded files even when they are named on the command line.
    pub force_exclude: Option<bool>,
    /// Leave out what .gitignore and its like name. Read from the file closest to the working directory.
    pub respect_gitignore: Option<bool>,
    /// Skip larger files: a number of bytes, or with a unit, as in "2MiB". Read from the file closest to the working
    /// directory.
    pub max_file_size: Option<String>,
    /// Rules and groups that are not reported of files whose path matches the pattern, relative to this file's folder.
    pub per_path_ignores: Option<BTreeMap<String, Vec<String>>>,
    /// Labels that decide who owns a workload.
    pub ownership_labels: Option<Vec<String>>,
    /// Calls that say of their first argument, or of their receiver, that it is old enough to be deleted: a name, or the
    /// end of a dotted path.
    pub grace_functions: Option<Vec<String>>,
    /// The baseline of findings that are known, relative to this file. Read from the file closest to the working
    /// directory.
    pub baseline: Option<PathBuf>,
    /// What calls of your own mean.
    pub vocabulary: Option<UserRows>,
}

/// A `pyproject.toml`.
#[derive(Deserialize, Default)]
#[serde(default)]
struct PyProject {
    tool: PyTools,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PyTools {
    reaplint: Option<Table>,
}

/// A `Cargo.toml`.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Cargo {
    workspace: Workspace,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Workspace {
    metadata: Metadata,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Metadata {
    reaplint: Option<Table>,
}

/// Where in a file the table stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Holder {
    /// The whole file is ours.
    Own,
    /// `[tool.reaplint]`.
    PyProject,
    /// `[workspace.metadata.reaplint]`.
    Cargo,
}

impl Holder {
    /// The keys that lead to the table.
    fn path(self) -> &'static [&'static str] {
        match self {
            Holder::Own => &[],
            Holder::PyProject => &["tool", "reaplint"],
            Holder::Cargo => &["workspace", "metadata", "reaplint"],
        }
    }

    /// The table in a file; nothing where the file says nothing of ours.
    ///
    /// # Errors
    /// What is wrong, with line and column but without the file's name.
    pub fn read(self, text: &str) -> Result<Option<Table>, String> {
        if self != Holder::Own {
            // Such files are many, and few of them speak of us.
            if !text.contains("reaplint") {
                return Ok(None);
            }
            let Ok(whole) = toml::from_str::<toml::Value>(text) else { return Ok(None) };
            if self.path().iter().try_fold(&whole, |at, key| at.get(key)).is_none() {
                return Ok(None);
            }
        }
        let table = match self {
            Holder::Own => toml::from_str(text).map(Some),
            Holder::PyProject => toml::from_str(text).map(|file: PyProject| file.tool.reaplint),
            Holder::Cargo => toml::from_str(text).map(|file: Cargo| file.workspace.metadata.reaplint),
        };
        table.map_err(|error| complaint(&error, text))
    }
}

/// `2:1: there is no key ..`
fn complaint(error: &toml::de::Error, text: &str) -> String {
    let what = spoken(error.message());
    let Some(span) = error.span() else { return what };
    let before = text.get(..span.start).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{line}:{column}: {what}")
}

/// The parser's message in our words, with the name that was meant.
pub(super) fn spoken(message: &str) -> String {
    let message = message.lines().next().unwrap_or(message);
    let Some((head, known)) = message.split_once(", expected ") else { return message.to_owned() };
    // "unknown field `x`, expected one of `a`, `b`": every second piece between backticks is a name.
    let mut said = head.split('`');
    let (Some(kind), Some(name)) = (said.next(), said.next()) else { return message.to_owned() };
    let what = match kind {
        "unknown field " => format!("there is no key `{name}`"),
        "unknown variant " => format!("there is no `{name}` here"),
        _ => return message.to_owned(),
    };
    let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    match super::near(name, known.iter().copied()) {
        Some(near) => format!("{what}; did you mean `{near}`?"),
        None => format!("{what}; known are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_a_place_and_the_name_that_was_meant() {
        let own = |text: &str| Holder::Own.read(text).unwrap_err();
        assert_eq!(
            own("pedantic = true\nownership-label = []\n"),
            "2:1: there is no key `ownership-label`; did you mean `ownership-labels`?"
        );
        assert_eq!(own("min-confidence = \"hihg\""), "1:18: there is no `hihg` here; did you mean `high`?");
        assert!(own("pedantic = 3").starts_with("1:12: invalid type: integer `3`, expected a boolean"));
        assert!(own("pedantic = ").starts_with("1:12: "));
        let py = "[tool.black]\nx = 1\n[tool.reaplint]\nselekt = []\n";
        assert_eq!(Holder::PyProject.read(py).unwrap_err(), "4:1: there is no key `selekt`; did you mean `select`?");
    }

    #[test]
    fn what_is_not_ours_is_not_judged() {
        assert!(Holder::PyProject.read("[tool.black]\nreaplint = 1\n").unwrap().is_none());
        assert!(Holder::PyProject.read("[tool.reaplint\n").unwrap().is_none(), "broken: for its own tool to say");
        assert!(Holder::Cargo.read("[package]\nname = \"reaplint\"\n").unwrap().is_none());
        let cargo = "[workspace.metadata.reaplint]\npedantic = true\n";
        assert_eq!(Holder::Cargo.read(cargo).unwrap().unwrap().pedantic, Some(true));
    }
}
