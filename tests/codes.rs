//! Exit codes, filters and suppression over real findings.

mod run;

use run::Folder;

/// Decided by absence, in a space that others share, with no age: two errors and a warning on one call.
const JANITOR: &str = "\
from kubernetes import client
from sqlalchemy.orm import Session

from app.models import Lab


def sweep(apps: client.AppsV1Api, db: Session):
    for d in apps.list_deployment_for_all_namespaces().items:
        row = db.get(Lab, d.metadata.name)
        if row is None or row.state == \"ended\":
            apps.delete_namespaced_deployment(d.metadata.name, d.metadata.namespace)
";

fn janitor() -> Folder {
    let folder = Folder::new();
    folder.write("janitor.py", JANITOR);
    folder
}

/// The rules that `concise` names, in order.
fn rules(folder: &Folder, flags: &str) -> Vec<String> {
    let run = folder.run(&format!("check --output-format concise {flags}"));
    let rule = |line: &str| line.split(['[', ']']).nth(1).unwrap_or_default().to_owned();
    run.out.lines().map(rule).collect()
}

#[test]
fn findings_are_one() {
    let folder = janitor();
    assert_eq!(folder.run("check").code, 1);
    assert_eq!(folder.run("check --exit-zero").code, 0);
    assert_eq!(folder.run("check nowhere janitor.py --exit-zero").code, 2);
    assert_eq!(folder.run("check --fail-level error").code, 1);
    assert_eq!(folder.run("check --fail-level error --select missing-grace-period").code, 0);
    assert_eq!(folder.run("check --select missing-grace-period").code, 1);
    assert_eq!(folder.run_with("check -", JANITOR.as_bytes()).code, 1);
}

#[test]
fn filters() {
    let folder = janitor();
    assert_eq!(rules(&folder, ""), ["delete-on-absence", "missing-grace-period", "unscoped-sweep"]);
    assert_eq!(rules(&folder, "--min-severity error"), ["delete-on-absence", "unscoped-sweep"]);
    assert_eq!(rules(&folder, "--ignore unscoped-sweep,missing-grace-period"), ["delete-on-absence"]);
    assert_eq!(rules(&folder, "--select manifest"), [""; 0]);
    let run = folder.run("check --statistics --select delete-on-absence");
    assert!(run.err.contains("findings by rule:\n      1  delete-on-absence\n"), "{}", run.err);
}

#[test]
fn a_suppressed_finding_is_counted_and_said_on_request() {
    let folder = Folder::new();
    let comment =
        "            # reaplint: ignore[delete-on-absence, unscoped-sweep, missing-grace-period] ours alone\n";
    folder
        .write("janitor.py", JANITOR.replace("            apps.delete", &format!("{comment}            apps.delete")));
    let run = folder.run("check");
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert_eq!(run.err, "1 file linted: nothing found; 3 suppressed\n");
    let run = folder.run("check -v");
    assert!(run.err.contains("suppressed: janitor.py:12:18: delete-on-absence: ours alone\n"), "{}", run.err);
    let run = folder.run("check --ignore-suppressions");
    assert_eq!((run.code, run.last()), (1, "1 file linted: 2 errors, 1 warning"));
    let json = folder.run("check --output-format json").out;
    assert!(json.contains("\"suppressed\": 3"), "{json}");
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let folder = janitor();
    folder.write("bad.py", b"\xff");
    folder.write("broken.py", "def f(:\n    ((((\n");
    let run = folder.run("check --output-format concise");
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("janitor.py:11:18: error[delete-on-absence] "), "{}", run.out);
}

#[test]
fn the_order_is_the_same_for_any_number_of_threads() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let out = |threads: &str| {
        let mut command = run::command();
        command.args([
            "check",
            "--isolated",
            "--pedantic",
            "--min-confidence",
            "low",
            "--output-format",
            "json",
            "-j",
            threads,
        ]);
        command.current_dir(&fixtures).output().expect("ended").stdout
    };
    let one = out("1");
    assert!(one.len() > 10_000, "the fixtures have findings");
    for threads in ["2", "3", "8"] {
        assert!(one == out(threads), "another order with {threads} threads");
    }
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_keeps_the_code() {
    let folder = janitor();
    for format in ["full", "concise", "json"] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = run::command();
        command.args(["check", "--output-format", format]).current_dir(folder.path()).stdout(writer);
        assert_eq!(command.status().expect("ended").code(), Some(1), "{format}");
    }
}

#[test]
fn why_answers_for_a_line_and_complains_about_others() {
    let folder = janitor();
    let run = folder.run("why janitor.py:11");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("absent"), "{}", run.out);
    let other = folder.run("why janitor.py:3");
    assert_eq!((other.code, other.out.as_str()), (2, ""));
    assert_eq!(other.err, "error: janitor.py:3: no destructive call is known on this line\n");
    assert_eq!(folder.run("why janitor.py:99").err, "error: janitor.py: has 12 lines\n");
}
