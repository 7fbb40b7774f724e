//! Rows of a user's own, from configuration files.
//!
//! ```toml
//! grace-functions = ["is_old_enough"]      # is_old_enough(lab), ages.is_old_enough(lab), lab.is_old_enough()
//!
//! [[vocabulary.call]]
//! language = "python"
//! match    = "*.retire_lab(lab)"
//! role     = "destroy"
//! target   = "lab"
//! example  = "client.retire_lab(lab)"
//! ```
//! They stand before the built-in ones, so that what a user says of a name counts. They hold for the whole run: a call
//! has one meaning, wherever it stands.

use super::command::CommandSource;
use super::load::LoadError;
use super::role::Role;
use super::source::{CallSource, File};
use crate::source::Language;
use schemars::JsonSchema;
use serde::Deserialize;

/// What calls and commands of a user's own mean.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct UserRows {
    /// Calls.
    call: Vec<CallSource>,
    /// Command lines.
    command: Vec<CommandSource>,
}

/// The languages whose calls a grace function may be called in.
const CALLING: [Language; 3] = [Language::Python, Language::Go, Language::Rust];

impl UserRows {
    /// Adds the rows of another, which may say the same.
    pub fn extend(&mut self, other: &UserRows) {
        for row in &other.call {
            self.add(row.clone());
        }
        for row in &other.command {
            if !self.command.contains(row) {
                self.command.push(row.clone());
            }
        }
    }

    fn add(&mut self, row: CallSource) {
        if !self.call.contains(&row) {
            self.call.push(row);
        }
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.call.len() + self.command.len()
    }

    /// Is nothing said?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds rows for functions that say of their first argument, or of their receiver, that it is old enough.
    pub fn add_grace_functions(&mut self, names: &[String]) {
        for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
            for language in CALLING {
                let spelled = name.replace("::", ".");
                for (pattern, target, call) in [
                    (spelled.clone(), "subject", format!("{spelled}(subject)")),
                    (format!("*.{spelled}"), "subject", format!("x.{spelled}(subject)")),
                    (format!("*.{spelled}"), "receiver", format!("x.{spelled}()")),
                ] {
                    let params = if target == "subject" { "subject, *more?" } else { "" };
                    self.add(CallSource::aged(language, format!("{pattern}({params})"), target, call));
                }
            }
        }
    }

    /// The rows as files: one for each language and what it is imported as.
    pub(super) fn files(&self) -> Result<Vec<File>, LoadError> {
        let mut files = vec![];
        for (at, row) in self.call.iter().enumerate() {
            let Some(language) = row.language else {
                let what = format!("vocabulary: call {} ({}): `language` is missing", at + 1, row.r#match);
                return Err(LoadError(what));
            };
            let mut file = File::of_user(language, row.imports.clone());
            file.call.push(row.clone());
            files.push(file);
        }
        if !self.command.is_empty() {
            let mut file = File::of_user(Language::Python, vec![]);
            file.command.extend(self.command.iter().cloned());
            files.push(file);
        }
        Ok(files)
    }
}

impl CallSource {
    fn aged(language: Language, pattern: String, target: &str, example: String) -> CallSource {
        CallSource {
            r#match: pattern,
            role: Role::Aged,
            example,
            target: Some(target.to_owned()),
            language: Some(language),
            ..CallSource::default()
        }
    }
}
