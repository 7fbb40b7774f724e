//! Which configuration holds for a file.
//!
//! ```text
//! deploy/reaplint.toml     ownership-labels = ["x.io/team"]       holds for deploy/web.yaml
//! pyproject.toml           [tool.reaplint]                        holds for the other files
//! deploy/base.toml         extend = "../reaplint.toml"            what it does not say itself, the other one says
//! ```
//! The file closest to a linted file holds, and nothing is merged unless a file asks for it. `--config FILE` holds for all
//! files instead, `--config KEY=VALUE` stands above what holds. A file that cannot be read, or has a key that is not known,
//! makes the job impossible: what was declared would silently not hold.

use super::layers::{FileSettings, Layer, Origin};
use super::table::{Holder, Table};
use crate::cli::{CheckArgs, ConfigArgs, FileArgs};
use crate::rules::Declared;
use crate::source::{FileId, Sources, shown};
use crate::vocab::UserRows;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The files, in the order in which the first one of a folder that says something holds.
const FILES: [(&str, Holder); 4] = [
    (".reaplint.toml", Holder::Own),
    ("reaplint.toml", Holder::Own),
    ("pyproject.toml", Holder::PyProject),
    ("Cargo.toml", Holder::Cargo),
];

/// A chain of `extend` longer than this has no end.
const EXTENDED: usize = 16;

/// The configuration files of a run, read when first asked for.
#[derive(Debug)]
pub struct Configs {
    /// What stands above every file, the lowest first.
    above: Vec<Layer>,
    /// What holds where no file does, and everywhere where files are not looked for.
    bare: Arc<FileSettings>,
    look: bool,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    folders: FxHashMap<PathBuf, Arc<FileSettings>>,
    complaints: Vec<String>,
}

/// Everything a run is asked for: the settings of each file, and what holds for the run as a whole.
#[derive(Debug)]
pub struct Settings {
    /// By the number of the file.
    of: Vec<Arc<FileSettings>>,
    /// The settings of the working directory.
    pub root: Arc<FileSettings>,
    /// Rows of the user's own, of every file that holds somewhere.
    pub vocabulary: UserRows,
}

impl Settings {
    /// The settings of a file.
    pub fn of(&self, file: FileId) -> &FileSettings {
        self.of.get(file.0 as usize).unwrap_or(&self.root)
    }

    /// The labels that are declared to decide about ownership.
    pub fn declared(&self) -> Declared {
        let mut declared = Declared::default();
        for (at, settings) in self.of.iter().enumerate().filter(|(_, s)| !s.ownership_labels.is_empty()) {
            declared.add(FileId(at as u32), settings.ownership_labels.clone());
        }
        declared
    }
}

impl Configs {
    /// The configuration that the flags of a run leave to be found.
    ///
    /// # Errors
    /// What is wrong with the flags.
    pub fn of_run(args: &CheckArgs) -> Result<Configs, Vec<String>> {
        Configs::new(&args.config, Layer::of_flags(args))
    }

    /// The configuration for a command that lints nothing.
    ///
    /// # Errors
    /// What is wrong with the flags.
    pub fn of_flags(config: &ConfigArgs, files: FileArgs) -> Result<Configs, Vec<String>> {
        Configs::new(config, Layer::of_flags(&CheckArgs { files, ..CheckArgs::default() }))
    }

    fn new(args: &ConfigArgs, flags: Layer) -> Result<Configs, Vec<String>> {
        let here = flags.base.clone();
        let (mut files, mut keys, mut complaints) = (vec![], vec![], vec![]);
        for given in &args.config {
            match key_value(given) {
                Some(text) => match Holder::Own.read(&text) {
                    Ok(table) => {
                        let table = table.unwrap_or_default();
                        keys.push(Layer { table, origin: Origin::Key, base: here.clone() });
                    }
                    Err(why) => {
                        // The place is one in a text that nobody wrote.
                        let why = why.splitn(3, ':').last().unwrap_or_default().trim().to_owned();
                        complaints.push(format!("--config {given}: {why}"));
                    }
                },
                None => files.push(Path::new(given)),
            }
        }
        if let [_, second, ..] = files[..] {
            complaints.push(format!("--config {}: one file is named already", shown(second)));
        }
        let mut layers = vec![];
        if let Some(file) = files.first() {
            match named_file(file) {
                // Patterns of a file that is named are those of the folder one stands in.
                Ok(read) => layers.extend(read.into_iter().map(|layer| Layer { base: here.clone(), ..layer })),
                Err(why) => complaints.push(why),
            }
        }
        let above: Vec<Layer> = keys.into_iter().chain([flags]).collect();
        layers.extend(above.iter().cloned());
        let bare = FileSettings::new(layers);
        match bare {
            Ok(bare) if complaints.is_empty() => Ok(Configs {
                above,
                bare: Arc::new(bare),
                look: !args.isolated && files.is_empty(),
                known: Mutex::default(),
            }),
            other => Err(complaints.into_iter().chain(other.err().into_iter().flatten()).collect()),
        }
    }

    /// The settings of the files in a folder.
    pub fn of_folder(&self, folder: &Path) -> Arc<FileSettings> {
        if !self.look {
            return self.bare.clone();
        }
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(settings) = known.folders.get(folder) {
            return settings.clone();
        }
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        let settings = self.nearest(&absolute, &mut known);
        known.folders.insert(folder.to_path_buf(), settings.clone());
        settings
    }

    /// The settings of the working directory.
    pub fn root(&self) -> Arc<FileSettings> {
        self.of_folder(Path::new("."))
    }

    /// The settings of the files of a run.
    ///
    /// # Errors
    /// Everything that is wrong with the configuration files that were read, each with its place.
    pub fn settle(&self, sources: &Sources) -> Result<Settings, Vec<String>> {
        let root = self.root();
        let of: Vec<_> =
            sources.files.iter().map(|file| self.of_folder(file.path.parent().unwrap_or(Path::new("")))).collect();
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if !known.complaints.is_empty() {
            let mut complaints = known.complaints.clone();
            complaints.sort();
            complaints.dedup();
            return Err(complaints);
        }
        let vocabulary = vocabulary(of.iter().chain([&root]));
        Ok(Settings { of, root, vocabulary })
    }

    /// The settings that the closest file gives, from a folder upwards.
    fn nearest(&self, folder: &Path, known: &mut Known) -> Arc<FileSettings> {
        let mut passed = vec![];
        let mut found = self.bare.clone();
        for at in folder.ancestors() {
            if let Some(settings) = known.folders.get(at) {
                found.clone_from(settings);
                break;
            }
            passed.push(at.to_path_buf());
            match FILES.iter().find_map(|(name, holder)| file(&at.join(name), *holder).transpose()) {
                Some(Ok(layers)) => {
                    let all = layers.into_iter().chain(self.above.iter().cloned()).collect();
                    match FileSettings::new(all) {
                        Ok(settings) => found = Arc::new(settings),
                        Err(complaints) => known.complaints.extend(complaints),
                    }
                    break;
                }
                Some(Err(why)) => {
                    known.complaints.push(why);
                    break;
                }
                None => {}
            }
        }
        for at in passed {
            known.folders.insert(at, found.clone());
        }
        found
    }
}

/// The rows of all settings, each file's once.
fn vocabulary<'a>(all: impl Iterator<Item = &'a Arc<FileSettings>>) -> UserRows {
    let mut rows = UserRows::default();
    let mut seen: Vec<*const FileSettings> = vec![];
    let mut files: Vec<&Origin> = vec![];
    for settings in all {
        if seen.contains(&Arc::as_ptr(settings)) {
            continue;
        }
        seen.push(Arc::as_ptr(settings));
        for layer in settings.layers.iter().rev() {
            let said = layer.table.vocabulary.is_some() || layer.table.grace_functions.is_some();
            // What the command line says stands above every file.
            let again = match &layer.origin {
                Origin::File(_) => files.contains(&&layer.origin),
                Origin::Flags | Origin::Key => seen.len() > 1,
            };
            if !said || again {
                continue;
            }
            files.push(&layer.origin);
            rows.add_grace_functions(layer.table.grace_functions.as_deref().unwrap_or_default());
            if let Some(own) = &layer.table.vocabulary {
                rows.extend(own);
            }
        }
    }
    rows
}

/// The text of `KEY=VALUE`; nothing where a file is named. A value that is no TOML is a text.
fn key_value(given: &str) -> Option<String> {
    let (key, value) = given.split_once('=')?;
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '"' | '\'' | '*' | '/' | ' ');
    if key.trim().is_empty() || !key.chars().all(plain) || Path::new(given).exists() {
        return None;
    }
    let (key, value) = (key.trim(), value.trim());
    let text = format!("{key} = {value}");
    Some(if toml::from_str::<toml::Table>(&text).is_ok() { text } else { format!("{key} = {value:?}") })
}

/// The layers of a file that `--config` names.
fn named_file(path: &Path) -> Result<Vec<Layer>, String> {
    let holder = FILES.iter().find(|(name, _)| path.file_name().is_some_and(|n| n == *name)).map(|(_, h)| *h);
    match file(path, holder.unwrap_or(Holder::Own))? {
        Some(layers) => Ok(layers),
        None if path.is_file() => Err(format!("{}: says nothing about reaplint", shown(path))),
        None => Err(format!("{}: no such file", shown(path))),
    }
}

/// The layers that a file comes to, the lowest first; nothing where it does not exist or says nothing of ours.
fn file(path: &Path, holder: Holder) -> Result<Option<Vec<Layer>>, String> {
    let Some(first) = read(path, holder)? else { return Ok(None) };
    let mut layers = vec![first];
    while let Some(layer) = layers.last()
        && let Some(extend) = &layer.table.extend
    {
        let place = layer.origin.key("extend");
        let next = lexical(&layer.base.join(extend));
        let same = |l: &Layer| matches!(&l.origin, Origin::File(p) if *p == short(&next));
        if layers.iter().any(same) || layers.len() > EXTENDED {
            return Err(format!("{place}: {} is extended already", shown(&short(&next))));
        }
        let holder = FILES.iter().find(|(name, _)| next.file_name().is_some_and(|n| n == *name)).map(|(_, h)| *h);
        match read(&next, holder.unwrap_or(Holder::Own))? {
            Some(layer) => layers.push(layer),
            None if next.is_file() => return Err(format!("{place}: {} says nothing about reaplint", shown(&next))),
            None => return Err(format!("{place}: there is no file {}", shown(&short(&next)))),
        }
    }
    layers.reverse();
    Ok(Some(layers))
}

fn read(path: &Path, holder: Holder) -> Result<Option<Layer>, String> {
    if !path.is_file() {
        return Ok(None);
    }
    let near = short(path);
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: cannot be read: {e}", shown(&near)))?;
    let table = holder.read(&text).map_err(|why| format!("{}:{why}", shown(&near)))?;
    let base = std::path::absolute(path).ok().and_then(|p| p.parent().map(Path::to_path_buf)).unwrap_or_default();
    Ok(table.map(|table: Table| Layer { table, origin: Origin::File(near), base }))
}

/// A path as it is reported: relative to the working directory where it lies below it.
fn short(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let whole = lexical(&whole);
    whole.strip_prefix(&here).map(Path::to_path_buf).unwrap_or(whole)
}

/// Without `.`, and without `..` after a folder.
fn lexical(path: &Path) -> PathBuf {
    crate::discover::clean(path)
}
