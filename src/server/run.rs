//! One run: a folder of the workspace as it is on disk, with the texts of the editor laid over it.
//!
//! The run stands in the folder that it lints, so it is the same run as `cd FOLDER && reaplint check`. Documents outside
//! of all folders are linted each by itself. What an editor has open and a configuration leaves out is not linted.

use super::documents::Document;
use super::positions::Encoding;
use super::view::{View, Viewer};
use crate::app::{lint, since, vocab_of};
use crate::streams::Streams;
use reaplint::check::{Options, Phase, Watch, Watched, check};
use reaplint::cli::{CheckArgs, ColorWhen};
use reaplint::config::Configs;
use reaplint::discover::{self, Found, Request, as_reported, decoded, discover, numbered};
use reaplint::report::lines::Places;
use reaplint::report::{Report, Skipped};
use reaplint::source::{FileId, SourceFile, shown};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is to be linted.
#[derive(Clone, Debug)]
pub struct Job {
    /// The folders of the workspace.
    pub folders: Vec<PathBuf>,
    /// What is open.
    pub open: Vec<Document>,
    /// How positions are counted.
    pub encoding: Encoding,
    /// The flags.
    pub args: CheckArgs,
    /// Set where nobody wants the result any more.
    pub stop: Arc<AtomicBool>,
}

/// Ends a run.
#[derive(Debug)]
struct Stop(Arc<AtomicBool>);

impl Watch for Stop {
    fn begins(&self, _: Phase, _: Option<usize>) {}

    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Done {
    /// What there is to say of each open document.
    pub views: Vec<View>,
    /// Why there is nothing to say: the configuration is wrong, say.
    pub errors: Vec<String>,
    /// What was left out, and why.
    pub skipped: Vec<String>,
}

/// Lints.
pub fn run(job: &Job) -> Done {
    let mut done = Done::default();
    let mut left: Vec<&Document> = job.open.iter().collect();
    // The innermost folder first: a document belongs to it alone.
    let mut folders: Vec<&PathBuf> = job.folders.iter().collect();
    folders.sort_by_key(|folder| std::cmp::Reverse(folder.components().count()));
    for folder in folders {
        let (own, others): (Vec<_>, Vec<_>) = left.into_iter().partition(|one| below(&one.path, folder).is_some());
        left = others;
        if !own.is_empty() {
            settle(Place { folder, alone: None }, &own, job, &mut done);
        }
    }
    for one in left {
        let (Some(folder), Some(name)) = (one.path.parent(), one.path.file_name()) else { continue };
        settle(Place { folder, alone: Some(Path::new(name)) }, &[one], job, &mut done);
    }
    done
}

/// The path of a document from a folder, whichever of its names the editor uses.
fn below(path: &Path, folder: &Path) -> Option<PathBuf> {
    let direct = path.strip_prefix(folder).ok().map(Path::to_path_buf);
    direct.or_else(|| {
        let real = std::fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?);
        Some(real.strip_prefix(std::fs::canonicalize(folder).ok()?).ok()?.to_path_buf())
    })
}

/// What a run is about.
#[derive(Clone, Copy)]
struct Place<'a> {
    folder: &'a Path,
    /// One file in it, not the folder.
    alone: Option<&'a Path>,
}

/// Lints one folder; documents of which nothing is known have nothing to be said of.
fn settle(place: Place<'_>, open: &[&Document], job: &Job, done: &mut Done) {
    let before = done.views.len();
    if let Err(errors) = lint_folder(place, open, job, done) {
        done.errors.extend(errors);
    }
    let told: Vec<String> = done.views.iter().skip(before).map(|view| view.uri.as_str().to_owned()).collect();
    let silent = open.iter().filter(|one| !told.iter().any(|uri| uri == one.uri.as_str()));
    done.views.extend(silent.map(|one| View::empty(one)));
}

fn lint_folder(place: Place<'_>, open: &[&Document], job: &Job, done: &mut Done) -> Result<(), Vec<String>> {
    let folder = place.folder;
    std::env::set_current_dir(folder).map_err(|why| vec![format!("{}: {why}", folder.display())])?;
    let args = CheckArgs { paths: place.alone.iter().map(|name| name.to_path_buf()).collect(), ..job.args.clone() };
    let configs = Configs::of_run(&args)?;
    let mut found = discover(&Request { paths: &args.paths, stdin_filename: None, configs: &configs });
    let laid = lay_over(&mut found, place, open, &configs);
    let settings = configs.settle(&found.sources)?;
    let vocab = vocab_of(&settings)?;
    let watched = Watched(Some(Arc::new(Stop(job.stop.clone()))));
    let outcome = check(&found.sources, &vocab, &Options { watched, ..lint::options(&args, &settings) });
    let places = Places::new(&found.sources);
    let (mut report, remarks) = lint::sort(outcome, &places, found.skipped, &settings, args.ignore_suppressions);
    let mut streams = Streams::new(ColorWhen::Never);
    streams.quiet = true;
    let run = since::Run { args: &args, configs: &configs, settings: &settings, vocab: &vocab };
    since::leave_old_out(&mut report, &run, &mut streams)?;
    reaplint::mend::propose(&mut report.findings, report.places.sources());
    let viewer = Viewer { report: &report, remarks: &remarks, folder, open: &laid, encoding: job.encoding };
    done.views.extend(viewer.views());
    done.skipped.extend(skipped(&report, &laid, folder));
    Ok(())
}

/// A document of the run, by the path that the run knows it by.
#[derive(Clone, Debug)]
pub struct Laid<'a> {
    /// As reported.
    pub path: PathBuf,
    /// The document.
    pub document: &'a Document,
}

/// Lays the texts of the editor over those of the disk.
fn lay_over<'a>(found: &mut Found, place: Place<'_>, open: &[&'a Document], configs: &Configs) -> Vec<Laid<'a>> {
    let here = std::env::current_dir().unwrap_or_default();
    let mut files = std::mem::take(&mut found.sources.files);
    let mut laid = vec![];
    for document in open {
        let path = match place.alone {
            Some(name) => name.to_path_buf(),
            None => match below(&document.path, place.folder) {
                Some(path) => path,
                None => continue,
            },
        };
        let known = files.iter().position(|file| file.path == path);
        let was_skipped = found.skipped.iter().any(|one| one.path == path && one.fault);
        // What is there and was not found is left out on purpose.
        let new = || was_skipped || place.alone.is_some() || !here.join(&path).exists();
        if known.is_none() && !new() {
            continue;
        }
        let request = Request { paths: &[], stdin_filename: None, configs };
        if known.is_none() && place.alone.is_none() && discover::would_lint(&here.join(&path), &request).is_none() {
            continue;
        }
        found.skipped.retain(|one| one.path != path);
        let old = known.map(|at| files.remove(at));
        let limit = &configs.root().max_file_size;
        if document.text.len() as u64 > limit.bytes {
            let reason = format!("larger than {}", limit.shown);
            found.skipped.push(Skipped { path, reason, fault: true });
            continue;
        }
        let language = old.map(|file| file.language).or_else(|| Some(decoded(&path, document.text.as_bytes())?.0));
        let Some(language) = language else { continue };
        files.push(SourceFile { id: FileId(0), path: path.clone(), language, text: document.text.clone() });
        laid.push(Laid { path, document });
    }
    found.sources = numbered(files);
    laid
}

/// What was left out; what does not parse while it is written is not worth a word.
fn skipped(report: &Report<'_>, laid: &[Laid<'_>], folder: &Path) -> Vec<String> {
    let written = |path: &Path| laid.iter().any(|one| one.path == path);
    let told = report.skipped.iter().filter(|one| !(written(&one.path) && one.reason.contains("does not parse")));
    told.map(|one| format!("skipped: {}: {}", shown(&folder.join(as_reported(&one.path))), one.reason)).collect()
}
