//! `--add-ignore`: every finding of every fixture gets a comment, the second run finds nothing, and a third writes nothing.

mod run;

use run::Folder;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The files below a folder.
fn files(folder: &Path) -> BTreeMap<PathBuf, String> {
    let all = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.expect("the folder can be listed"));
    let texts = all.filter(|entry| entry.file_type().is_file()).filter_map(|entry| {
        let text = fs::read_to_string(entry.path()).ok()?;
        Some((entry.path().strip_prefix(folder).expect("below").to_path_buf(), text))
    });
    texts.collect()
}

#[test]
fn whatever_is_found_can_be_suppressed() {
    let folder = Folder::new();
    for (path, text) in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")) {
        // A comment that is a mark of the tests would be the program's own.
        folder.write(path.to_str().expect("a name"), &text);
    }
    let before = files(folder.path());
    let broken = |run: &run::Run| run.err.lines().filter(|line| line.contains("does not parse")).count();
    let run = folder.run("check --isolated --pedantic --min-confidence low -q --output-format json-lines");
    let found = run.out.lines().count();
    assert!(found > 300, "{found}");
    let skipped = broken(&folder.run("check --isolated"));
    let run = folder
        .run("check --isolated --pedantic --min-confidence low --output-format json-lines --add-ignore=ours:alone");
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(run.err.contains(&format!("suppressed {found} findings with ")), "{}", run.err);
    assert_eq!(broken(&run), skipped);
    let after = files(folder.path());
    let again =
        folder.run("check --isolated --pedantic --min-confidence low --output-format concise --add-ignore=ours:alone");
    assert_eq!((again.code, again.out.as_str()), (0, ""), "{}", again.err);
    assert_eq!(broken(&again), skipped, "what was written leaves every file what it was");
    assert!(!again.err.contains("unused suppression"), "{}", again.err);
    assert!(files(folder.path()) == after, "a second run writes nothing");
    // Nothing but comments came.
    for (path, text) in &before {
        let strip = |text: &str| {
            let lines = text.lines().map(|line| line.split("# reaplint: ignore").next().unwrap_or_default());
            let lines = lines.map(|line| line.split("// reaplint: ignore").next().unwrap_or_default().trim_end());
            lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
        };
        assert_eq!(strip(text), strip(&after[path]), "{}", path.display());
    }
}

const JANITOR: &str = "import shutil
from pathlib import Path


def sweep(db):
    for folder in Path('/srv/labs').iterdir():
        if db.query(Lab).filter(Lab.name == folder.name).first() is None:
            shutil.rmtree(folder)
";

#[test]
fn a_comment_that_is_there_is_extended_and_the_reason_is_kept() {
    let folder = Folder::new();
    folder.write("janitor.py", JANITOR);
    let run = folder.run("check --select delete-on-absence --add-ignore=one");
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    assert!(run.err.contains("suppressed 1 finding with 1 comment\n"), "{}", run.err);
    folder.run("check --add-ignore=two");
    let text = fs::read_to_string(folder.path().join("janitor.py")).expect("a file");
    let comments: Vec<&str> = text.lines().filter(|line| line.contains("reaplint:")).collect();
    assert_eq!(comments.len(), 1, "{text}");
    assert!(comments[0].starts_with("            # reaplint: ignore[delete-on-absence, "), "{text}");
    assert!(comments[0].ends_with("] one; two"), "{text}");
    assert_eq!(folder.run("check").code, 0);
}

#[test]
fn a_reason_is_required_and_nothing_else_is_written() {
    let folder = Folder::new();
    folder.write("janitor.py", JANITOR);
    for flags in ["--add-ignore", "--add-ignore=", "--add-ignore=#", "--add-ignore=x --fix"] {
        assert_eq!(folder.run(&format!("check {flags}")).code, 2, "{flags}");
    }
    // Standard input is no file that could be written.
    let run = folder.run_with("check --add-ignore=x --stdin-filename janitor.py -", JANITOR.as_bytes());
    assert_eq!(run.code, 1);
    assert!(run.err.contains("no comment can be written here"), "{}", run.err);
    assert_eq!(fs::read_to_string(folder.path().join("janitor.py")).expect("a file"), JANITOR);
    // What JSON cannot hold, an annotation says.
    folder.write("web.json", WEB);
    let run = folder.run("check --config ownership-labels=['x.io/owner'] --add-ignore=x web.json");
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.err.contains("`reaplint.dev/ignore-ownership-label-missing: reason`"), "{}", run.err);
}

const WEB: &str = r#"{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "labels": {"app": "web"}},
  "spec": {"selector": {"matchLabels": {"app": "web"}},
    "template": {"metadata": {"labels": {"app": "web", "x.io/owner": "a"}}, "spec": {"containers": []}}}}
"#;
