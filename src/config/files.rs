//! Configuration files: which one holds for a file, and what it says.
//!
//! ```text
//! deploy/reaplint.toml     ownership-labels = ["x.io/team"]       holds for deploy/web.yaml
//! pyproject.toml           [tool.reaplint]                        holds for the other files
//! ```
//! The file closest to a linted file wins, and nothing is merged. A file that cannot be read, or has a key that is not known,
//! makes the job impossible: what was declared would silently not hold.

use crate::rules::Declared;
use crate::source::{Sources, shown};
use rustc_hash::FxHashMap;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a configuration file may say.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Table {
    /// Labels that decide who owns a workload.
    #[serde(default)]
    ownership_labels: Vec<String>,
}

/// The keys that are known.
const KEYS: &[&str] = &["ownership-labels"];

/// The files, the first one of a folder that says something wins; and the tables that hold what is ours in them.
const FILES: &[(&str, &[&str])] = &[
    (".reaplint.toml", &[]),
    ("reaplint.toml", &[]),
    ("pyproject.toml", &["tool", "reaplint"]),
    ("Cargo.toml", &["workspace", "metadata", "reaplint"]),
];

/// What the configuration files declare for the files of a run.
///
/// # Errors
/// Complaints about files that cannot be read or understood, each with the file's path.
pub fn declared(sources: &Sources) -> Result<Declared, Vec<String>> {
    let (mut of, mut complaints) = (Declared::default(), vec![]);
    let mut known: FxHashMap<PathBuf, Option<Arc<[String]>>> = FxHashMap::default();
    for file in sources.files.iter().filter(|f| !f.language.is_code()) {
        let folder = file.path.parent().unwrap_or(Path::new(""));
        if let Some(labels) = nearest(folder, &mut known, &mut complaints) {
            of.add(file.id, labels);
        }
    }
    complaints.sort();
    complaints.dedup();
    if complaints.is_empty() { Ok(of) } else { Err(complaints) }
}

type Known = FxHashMap<PathBuf, Option<Arc<[String]>>>;

/// What the closest file says, from a folder upwards.
fn nearest(folder: &Path, known: &mut Known, complaints: &mut Vec<String>) -> Option<Arc<[String]>> {
    let absolute = std::path::absolute(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()?;
    let mut passed = vec![];
    let mut found = None;
    for at in absolute.ancestors() {
        if let Some(labels) = known.get(at) {
            found.clone_from(labels);
            break;
        }
        passed.push(at.to_path_buf());
        match FILES.iter().find_map(|(name, table)| read(&at.join(name), table).transpose()) {
            Some(Ok(labels)) => {
                found = Some(labels.into());
                break;
            }
            Some(Err(why)) => {
                complaints.push(why);
                break;
            }
            None => {}
        }
    }
    for at in passed {
        known.insert(at, found.clone());
    }
    found
}

/// The labels that a file declares; nothing where it does not exist or says nothing of ours.
fn read(path: &Path, table: &[&str]) -> Result<Option<Vec<String>>, String> {
    if !path.is_file() {
        return Ok(None);
    }
    let name = shown(path);
    let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: cannot be read: {e}"))?;
    // Other tools' files may be broken in ways that are none of our business.
    let whole: toml::Value = match toml::from_str(&text) {
        Ok(value) => value,
        Err(e) if table.is_empty() => return Err(format!("{name}: {}", e.message())),
        Err(_) => return Ok(None),
    };
    let Some(ours) = table.iter().try_fold(&whole, |at, key| at.get(key)) else { return Ok(None) };
    if let Some(unknown) = ours.as_table().and_then(|t| t.keys().find(|k| !KEYS.contains(&k.as_str()))) {
        let near = KEYS.iter().min_by_key(|k| strsim::damerau_levenshtein(k, unknown));
        let near = near.map(|k| format!("; the nearest known key is `{k}`")).unwrap_or_default();
        return Err(format!("{name}: there is no key `{unknown}`{near}"));
    }
    let parsed: Table = ours.clone().try_into().map_err(|e: toml::de::Error| format!("{name}: {}", e.message()))?;
    Ok(Some(parsed.ownership_labels))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, Language, SourceFile};

    fn sources(paths: &[PathBuf]) -> Sources {
        let file = |(n, path): (usize, &PathBuf)| SourceFile {
            id: FileId(n as u32),
            path: path.clone(),
            language: Language::Yaml,
            text: "".into(),
        };
        Sources { files: paths.iter().enumerate().map(file).collect() }
    }

    #[test]
    fn the_closest_file_wins() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        std::fs::create_dir_all(root.join("a/b")).unwrap();
        std::fs::write(root.join("pyproject.toml"), "[tool.reaplint]\nownership-labels = [\"top\"]\n").unwrap();
        std::fs::write(root.join("a/reaplint.toml"), "ownership-labels = [\"a\"]\n").unwrap();
        std::fs::write(root.join("a/b/pyproject.toml"), "[tool.other]\nx = 1\n").unwrap();
        let declared = declared(&sources(&[root.join("a/b/x.yaml"), root.join("y.yaml")])).unwrap();
        assert_eq!(declared.of(FileId(0)), ["a"]);
        assert_eq!(declared.of(FileId(1)), ["top"]);
    }

    #[test]
    fn unknown_keys_are_errors() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(".reaplint.toml"), "ownership-label = []\n").unwrap();
        let errors = declared(&sources(&[dir.path().join("x.yaml")])).unwrap_err();
        assert!(
            errors[0].contains("no key `ownership-label`; the nearest known key is `ownership-labels`"),
            "{errors:?}"
        );
    }
}
