//! The verdicts with and without the prefilter are the same: what [`reaplint::index`] leaves out cannot matter.
//!
//! Over the fixtures, all files of a folder as one run. With `REAPLINT_TREES` set, over the trees it names as well
//! (paths with `:` between them): slow, since every function is lowered and judged.

use reaplint::check::{Options, check};
use reaplint::source::{FileId, Language, SourceFile, Sources};
use reaplint::vocab::{Vocab, builtin};
use std::path::Path;

fn sources(dir: &Path) -> Sources {
    let entries = walkdir::WalkDir::new(dir).sort_by_file_name().into_iter().filter_map(Result::ok);
    let mut sources = Sources::default();
    for entry in entries.filter(|e| e.file_type().is_file()) {
        let language = match entry.path().extension().and_then(|x| x.to_str()) {
            Some("py" | "pyi") => Language::Python,
            Some("go") => Language::Go,
            Some("rs") => Language::Rust,
            _ => continue,
        };
        let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
        let path = entry.path().strip_prefix(dir).expect("below the folder").to_path_buf();
        let id = FileId(sources.files.len() as u32);
        sources.files.push(SourceFile { id, path, language, text: text.into() });
    }
    sources
}

/// `path:byte rule confidence` of every finding.
fn verdicts(sources: &Sources, vocab: &Vocab, everything: bool) -> Vec<String> {
    let options = Options { everything, ..Options::default() };
    let found = check(sources, vocab, &options).findings;
    let shown = |f: reaplint::rules::Finding| {
        format!("{}:{} {} {:?}", sources.get(f.at.file).shown(), f.at.start, f.rule.name, f.confidence)
    };
    found.into_iter().map(shown).collect()
}

fn same(dir: &Path, vocab: &Vocab) -> usize {
    let sources = sources(dir);
    let (some, all) = (verdicts(&sources, vocab, false), verdicts(&sources, vocab, true));
    assert_eq!(some, all, "{}", dir.display());
    all.len()
}

#[test]
fn fixtures_have_the_same_verdicts_without_the_prefilter() {
    let vocab = builtin();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let folders = walkdir::WalkDir::new(root).min_depth(2).max_depth(2).into_iter().filter_map(Result::ok);
    let found: usize = folders.filter(|e| e.file_type().is_dir()).map(|e| same(e.path(), &vocab)).sum();
    assert!(found > 20, "{found}");
}

#[test]
#[ignore = "reads the trees named by REAPLINT_TREES"]
fn trees_have_the_same_verdicts_without_the_prefilter() {
    let vocab = builtin();
    let trees = std::env::var("REAPLINT_TREES").unwrap_or_default();
    for tree in trees.split(':').filter(|t| !t.is_empty()) {
        println!("{tree}: {} findings", same(Path::new(tree), &vocab));
    }
}
