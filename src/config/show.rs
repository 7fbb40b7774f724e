//! `reaplint config`: the settings in force, and where each comes from.
//!
//! ```text
//! select           = ["code"]       # --select
//! min-confidence   = "medium"       # default
//! ownership-labels = ["x.io/team"]  # deploy/reaplint.toml
//! ```
//! What is printed is a configuration file that says the same, but for the rows of a vocabulary, which are counted.

use super::layers::{FileSettings, Layer, Origin};
use super::table::Table;
use crate::discover::DEFAULT_EXCLUDE;
use crate::source::shown;
use crate::vocab::UserRows;
use std::path::Path;
use toml::Value;

/// A key, what it is set to in a layer, and what it is without.
struct Key {
    name: &'static str,
    of: fn(&Table) -> Option<Value>,
    usual: Option<Value>,
    /// Every layer's counts, not the highest one's alone.
    adds: bool,
}

/// The settings as text.
pub fn text(settings: &FileSettings) -> String {
    let mut lines = vec![];
    for key in keys() {
        let said = || settings.layers.iter().filter_map(|layer| Some((layer, (key.of)(&layer.table)?)));
        if key.adds {
            lines.extend(said().map(|(layer, value)| (assignment(key.name, &value), place(layer, key.name))));
        } else if let Some((layer, value)) = said().next_back() {
            lines.push((assignment(key.name, &value), place(layer, key.name)));
        } else if let Some(value) = &key.usual {
            lines.push((assignment(key.name, value), "default".to_owned()));
        }
    }
    let width = lines.iter().map(|(text, _)| text.chars().count()).filter(|n| *n < 60).max().unwrap_or_default();
    for layer in &settings.layers {
        let rows = layer.table.vocabulary.as_ref().map(UserRows::len).unwrap_or_default();
        if rows > 0 {
            let what = format!("# vocabulary: {rows} {}", if rows == 1 { "row" } else { "rows" });
            lines.push((what, place(layer, "vocabulary")));
        }
    }
    lines.iter().map(|(text, place)| format!("{text:width$}  # {place}\n")).collect()
}

/// The configuration file that holds, for people.
pub fn file(settings: &FileSettings) -> String {
    let file = settings.layers.iter().rev().find_map(|layer| match &layer.origin {
        Origin::File(path) => Some(shown(path)),
        Origin::Flags | Origin::Key => None,
    });
    file.unwrap_or_else(|| "no configuration file".to_owned())
}

fn place(layer: &Layer, key: &str) -> String {
    match &layer.origin {
        Origin::Flags => format!("--{key}"),
        Origin::Key => "--config".to_owned(),
        Origin::File(path) => shown(path),
    }
}

fn assignment(name: &str, value: &Value) -> String {
    format!("{name} = {value}")
}

fn list(of: &[String]) -> Value {
    Value::Array(of.iter().cloned().map(Value::String).collect())
}

fn word(of: impl serde::Serialize) -> Option<Value> {
    Value::try_from(of).ok()
}

fn path(of: &Path) -> Value {
    Value::String(shown(of))
}

/// In the order in which they are printed.
fn keys() -> Vec<Key> {
    let default_exclude: Vec<String> = DEFAULT_EXCLUDE.iter().map(|p| (*p).to_owned()).collect();
    let text = |s: &str| Some(Value::String(s.to_owned()));
    let flag = |b: bool| Some(Value::Boolean(b));
    let key = |name, of, usual| Key { name, of, usual, adds: false };
    let adding = |name, of| Key { name, of, usual: None, adds: true };
    vec![
        key("select", |t| Some(list(t.select.as_ref()?)), None),
        adding("extend-select", |t| Some(list(t.extend_select.as_ref()?))),
        adding("ignore", |t| Some(list(t.ignore.as_ref()?))),
        key("pedantic", |t| t.pedantic.map(Value::Boolean), flag(false)),
        key("min-severity", |t| word(t.min_severity?), text("note")),
        key("min-confidence", |t| word(t.min_confidence?), text("medium")),
        key("fail-level", |t| word(t.fail_level?), text("warning")),
        adding("per-path-ignores", |t| word(t.per_path_ignores.as_ref()?)),
        key("ownership-labels", |t| Some(list(t.ownership_labels.as_ref()?)), Some(list(&[]))),
        adding("grace-functions", |t| Some(list(t.grace_functions.as_ref()?))),
        key("exclude", |t| Some(list(t.exclude.as_ref()?)), Some(list(&default_exclude))),
        adding("extend-exclude", |t| Some(list(t.extend_exclude.as_ref()?))),
        key("force-exclude", |t| t.force_exclude.map(Value::Boolean), flag(false)),
        key("respect-gitignore", |t| t.respect_gitignore.map(Value::Boolean), flag(true)),
        key("max-file-size", |t| word(t.max_file_size.as_ref()?), text("2 MiB")),
        key("baseline", |t| Some(path(t.baseline.as_ref()?)), None),
    ]
}
