//! Layers of settings, and what they come to for a file.
//!
//! ```text
//! --min-confidence low                          a flag                       counts first
//! --config 'min-confidence = "high"'            a key on the command line
//! deploy/reaplint.toml                          the file closest to what is linted
//! reaplint.toml, which it extends
//! medium                                        what holds where nobody says anything
//! ```
//! A key of a higher layer replaces that of a lower one. What adds by its nature adds: `extend-select`, `ignore`,
//! `extend-exclude`, `per-path-ignores`, `vocabulary`.

use super::table::Table;
use super::{Selection, Selector, UnknownRule, named};
use crate::cli::{CheckArgs, Size};
use crate::discover::{DEFAULT_EXCLUDE, Exclude};
use crate::rules::{Confidence, Finding, RULES, Rule, Severity};
use crate::source::{Language, shown};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a layer comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Flags.
    Flags,
    /// `--config KEY=VALUE`.
    Key,
    /// A file.
    File(PathBuf),
}

impl Origin {
    /// A key of the layer, for people: `--select`, `reaplint.toml: select`.
    pub fn key(&self, key: &str) -> String {
        match self {
            Origin::Flags => format!("--{key}"),
            Origin::Key => format!("--config: {key}"),
            Origin::File(path) => format!("{}: {key}", shown(path)),
        }
    }
}

/// One layer of settings.
#[derive(Clone, Debug)]
pub struct Layer {
    /// What it says.
    pub table: Table,
    /// Where it comes from.
    pub origin: Origin,
    /// The folder that its patterns and paths are relative to.
    pub base: PathBuf,
}

impl Layer {
    /// What the flags of a run say.
    pub fn of_flags(args: &CheckArgs) -> Layer {
        let given = |list: &[String]| (!list.is_empty()).then(|| list.to_vec());
        let table = Table {
            select: given(&args.rules.select),
            extend_select: given(&args.rules.extend_select),
            ignore: given(&args.rules.ignore),
            pedantic: args.rules.pedantic.then_some(true),
            min_severity: args.rules.min_severity,
            min_confidence: args.rules.min_confidence,
            fail_level: args.fail_level,
            exclude: args.files.exclude.clone(),
            extend_exclude: given(&args.files.extend_exclude),
            force_exclude: args.files.force_exclude.then_some(true),
            respect_gitignore: args.files.no_respect_gitignore.then_some(false),
            baseline: args.baseline.clone(),
            max_file_size: args.files.max_file_size.as_ref().map(|size| size.shown.clone()),
            ..Table::default()
        };
        Layer { table, origin: Origin::Flags, base: std::env::current_dir().unwrap_or_default() }
    }
}

/// The settings of a file.
#[derive(Clone, Debug)]
pub struct FileSettings {
    /// The layers, the lowest first.
    pub layers: Vec<Layer>,
    /// Which rules run.
    pub selection: Selection,
    /// Findings below are left out.
    pub min_severity: Severity,
    /// Findings below are left out.
    pub min_confidence: Confidence,
    /// A finding of this severity or above makes the run fail.
    pub fail_level: Severity,
    /// What is not linted.
    pub exclude: Vec<Exclude>,
    /// Not even where it is named on the command line.
    pub force_exclude: bool,
    /// Leave out what `.gitignore` and its like name.
    pub respect_gitignore: bool,
    /// Larger files are skipped.
    pub max_file_size: Size,
    /// Labels that decide who owns a workload.
    pub ownership_labels: Arc<[String]>,
    /// The baseline.
    pub baseline: Option<PathBuf>,
    ignored: Vec<(Exclude, Vec<Selector>)>,
}

impl FileSettings {
    /// What layers come to, the lowest first.
    ///
    /// # Errors
    /// What is wrong with their values, each with its place.
    pub fn new(layers: Vec<Layer>) -> Result<FileSettings, Vec<String>> {
        let mut complaints = vec![];
        let selection = Selection::new(&layers, RULES).unwrap_or_else(|unknown| {
            complaints.extend(unknown.iter().map(UnknownRule::to_string));
            Selection::default()
        });
        let settings = FileSettings {
            selection,
            min_severity: top(&layers, |t| t.min_severity).unwrap_or(Severity::Note),
            min_confidence: top(&layers, |t| t.min_confidence).unwrap_or(Confidence::Medium),
            fail_level: top(&layers, |t| t.fail_level).unwrap_or(Severity::Warning),
            exclude: excludes(&layers, &mut complaints),
            force_exclude: top(&layers, |t| t.force_exclude).unwrap_or_default(),
            respect_gitignore: top(&layers, |t| t.respect_gitignore).unwrap_or(true),
            max_file_size: size(&layers, &mut complaints),
            ownership_labels: top(&layers, |t| t.ownership_labels.clone()).unwrap_or_default().into(),
            baseline: layers.iter().rev().find_map(|l| l.table.baseline.as_ref().map(|path| l.base.join(path))),
            ignored: ignored(&layers, &mut complaints),
            layers,
        };
        if complaints.is_empty() { Ok(settings) } else { Err(complaints) }
    }

    /// Is this finding reported, if nothing suppresses it?
    pub fn admits(&self, finding: &Finding, language: Language, path: &Path) -> bool {
        self.concerns(finding, language, path) && finding.confidence >= self.min_confidence
    }

    /// Is it left out for its confidence alone?
    pub fn unsure(&self, finding: &Finding, language: Language, path: &Path) -> bool {
        self.concerns(finding, language, path) && finding.confidence < self.min_confidence
    }

    fn concerns(&self, finding: &Finding, language: Language, path: &Path) -> bool {
        self.runs(finding.rule, language, path) && finding.severity >= self.min_severity
    }

    /// Does a rule run on a file?
    pub fn runs(&self, rule: &Rule, language: Language, path: &Path) -> bool {
        self.selection.admits(rule, language) && !self.ignores(rule, language, path)
    }

    fn ignores(&self, rule: &Rule, language: Language, path: &Path) -> bool {
        let holds = |selectors: &[Selector]| selectors.iter().any(|selector| selector.holds(rule, language));
        self.ignored.iter().any(|(pattern, selectors)| holds(selectors) && pattern.holds_above(path))
    }
}

/// What the highest layer says that says anything.
pub(super) fn top<T>(layers: &[Layer], key: impl Fn(&Table) -> Option<T>) -> Option<T> {
    layers.iter().rev().find_map(|layer| key(&layer.table))
}

fn excludes(layers: &[Layer], complaints: &mut Vec<String>) -> Vec<Exclude> {
    let mut out = vec![];
    let mut add = |layer: Option<&Layer>, key: &str, patterns: &[String]| {
        let here = std::env::current_dir().unwrap_or_default();
        match Exclude::new(layer.map_or(&here, |l| &l.base), patterns) {
            Ok(exclude) => out.push(exclude),
            Err(why) => {
                let place = layer.map(|l| l.origin.key(key)).unwrap_or_default();
                complaints.push(format!("{place}: {why}"));
            }
        }
    };
    match layers.iter().rev().find_map(|l| Some((l, l.table.exclude.as_ref()?))) {
        Some((layer, patterns)) => add(Some(layer), "exclude", patterns),
        None => add(None, "exclude", &DEFAULT_EXCLUDE.iter().map(|p| (*p).to_owned()).collect::<Vec<_>>()),
    }
    for layer in layers {
        if let Some(patterns) = &layer.table.extend_exclude {
            add(Some(layer), "extend-exclude", patterns);
        }
    }
    out
}

fn size(layers: &[Layer], complaints: &mut Vec<String>) -> Size {
    let usual = || Size { bytes: 2 << 20, shown: "2 MiB".to_owned() };
    let Some((layer, text)) = layers.iter().rev().find_map(|l| Some((l, l.table.max_file_size.as_ref()?))) else {
        return usual();
    };
    text.parse().unwrap_or_else(|why| {
        complaints.push(format!("{}: {why}", layer.origin.key("max-file-size")));
        usual()
    })
}

fn ignored(layers: &[Layer], complaints: &mut Vec<String>) -> Vec<(Exclude, Vec<Selector>)> {
    let mut out = vec![];
    for layer in layers {
        for (pattern, names) in layer.table.per_path_ignores.iter().flatten() {
            let place = || layer.origin.key(&format!("per-path-ignores.{pattern:?}"));
            let matcher = Exclude::new(&layer.base, std::slice::from_ref(pattern));
            let (known, unknown): (Vec<_>, Vec<_>) =
                names.iter().map(|name| named(name, place, RULES)).partition(Result::is_ok);
            complaints.extend(unknown.into_iter().filter_map(Result::err).map(|u| u.to_string()));
            match matcher {
                Ok(matcher) => out.push((matcher, known.into_iter().flatten().collect())),
                Err(why) => complaints.push(format!("{}: {why}", place())),
            }
        }
    }
    out
}
