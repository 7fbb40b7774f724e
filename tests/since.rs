//! Old findings: the baseline, and `--diff-base` on real git repositories.

use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

const JANITOR: &str = "\
from kubernetes import client

from policy import may_go

api = client.CoreV1Api()


def sweep():
    for pod in api.list_pod_for_all_namespaces().items:
        if may_go(pod.metadata.name):
            api.delete_namespaced_pod(pod.metadata.name, pod.metadata.namespace)
";

const GUARDED: &str = "\
from app.models import Row


def may_go(name):
    row = Row.objects.filter(name=name).first()
    return row is not None and row.finished
";

const UNGUARDED: &str = "\
from app.models import Row


def may_go(name):
    row = Row.objects.filter(name=name).first()
    return row is None or row.finished
";

struct Repo {
    dir: TempDir,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Repo {
    fn new(files: &[(&str, &str)]) -> Repo {
        let repo = Repo { dir: tempfile::tempdir().expect("a folder") };
        repo.git(&["init", "-q", "-b", "main"]);
        files.iter().for_each(|(path, text)| repo.write(path, text));
        repo.commit("first");
        repo
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    fn git(&self, args: &[&str]) -> String {
        let mut git = Command::new("git");
        git.current_dir(self.dir.path()).args([
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@x.io",
            "-c",
            "commit.gpgsign=false",
        ]);
        // Hooks of the repository this is run from must not reach into the one made here.
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
            git.env_remove(name);
        }
        let output = git.args(args).output().expect("git runs");
        assert!(output.status.success(), "git {args:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    fn run_in(&self, folder: &str, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reaplint"));
        for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "REAPLINT_OUTPUT_FORMAT"] {
            command.env_remove(name);
        }
        command.current_dir(self.path(folder)).args(args).output().expect("reaplint runs")
    }

    fn run(&self, args: &[&str]) -> Output {
        self.run_in("", args)
    }

    /// Exit code, the concise lines, and standard error.
    fn check(&self, args: &[&str]) -> (Option<i32>, Vec<String>, String) {
        let all: Vec<&str> = ["check", "--output-format", "concise"].iter().chain(args).copied().collect();
        let output = self.run(&all);
        (output.status.code(), text(&output.stdout).lines().map(str::to_owned).collect(), text(&output.stderr))
    }
}

fn rules(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.split('[').nth(1)?.split(']').next()).collect()
}

#[test]
fn a_guard_that_goes_makes_the_untouched_delete_new() {
    let repo = Repo::new(&[("janitor.py", JANITOR), ("policy.py", GUARDED)]);
    assert_eq!(repo.check(&[]).1, [""; 0]);
    repo.git(&["checkout", "-q", "-b", "change"]);
    repo.write("policy.py", UNGUARDED);
    repo.commit("drop the guard");

    let (code, lines, _) = repo.check(&["--diff-base", "main"]);
    assert_eq!(code, Some(1));
    assert_eq!(rules(&lines), ["delete-on-absence", "missing-grace-period", "unscoped-sweep"]);
    assert!(lines.iter().all(|line| line.starts_with("janitor.py:11:17:")), "{lines:?}");

    let github = text(&repo.run(&["check", "--output-format", "github", "--diff-base", "main"]).stdout);
    assert_eq!(github.lines().count(), 1, "{github}");
    assert!(github.starts_with("::error file=janitor.py,line=11,col=17"), "{github}");
    assert!(github.contains("policy.py%3A6") || github.contains("policy.py:6"), "{github}");

    let full = text(&repo.run(&["check", "--diff-base", "main"]).stdout);
    assert_eq!(full.matches("[janitor.py:11:17]").count(), 1, "{full}");
    assert!(full.contains("until main this read `return row is not None and row.finished`"), "{full}");
    assert!(
        full.replace("\n        ", " ")
            .contains("put back `return row is not None and row.finished`, which stood in policy.py:6 until main"),
        "{full}"
    );

    let sarif = text(&repo.run(&["check", "--output-format", "sarif", "--diff-base", "main"]).stdout);
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 3);
    for result in results {
        assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 11);
        let related = result["relatedLocations"].as_array().expect("related");
        let gone = related.iter().find(|one| one["message"]["text"].as_str().is_some_and(|t| t.contains("until main")));
        let gone = gone.unwrap_or_else(|| panic!("{result}"));
        assert_eq!(gone["physicalLocation"]["artifactLocation"]["uri"], "policy.py");
    }
}

#[test]
fn what_was_there_is_not_reported_wherever_its_lines_are_now() {
    let repo = Repo::new(&[("janitor.py", JANITOR), ("policy.py", UNGUARDED)]);
    let (_, before, _) = repo.check(&[]);
    assert_eq!(before.len(), 3);
    repo.git(&["checkout", "-q", "-b", "change"]);
    repo.write("janitor.py", &format!("# moved\n\n{}", JANITOR.replace("    for pod", "    log()\n    for pod")));
    repo.commit("move");
    let (code, lines, err) = repo.check(&["--diff-base", "main"]);
    assert_eq!((code, lines.len()), (Some(0), 0), "{lines:?}");
    assert!(err.contains("3 not new"), "{err}");
    // A second delete like it is new, and it alone.
    let again = "\n\ndef again():\n    for pod in api.list_pod_for_all_namespaces().items:\n        if may_go(pod.metadata.name):\n            api.delete_namespaced_pod(pod.metadata.name, pod.metadata.namespace)\n";
    repo.write("janitor.py", &format!("{JANITOR}{again}"));
    let (code, lines, _) = repo.check(&["--diff-base", "main"]);
    assert_eq!(code, Some(1));
    assert!(lines.iter().all(|line| line.starts_with("janitor.py:17:17:")), "{lines:?}");
}

#[test]
fn of_two_alike_the_added_one_is_new() {
    let one = "\
from app.models import Row


def sweep(api):
    for pod in api.list_pod_for_all_namespaces().items:
        if not Row.objects.filter(name=pod.metadata.name).exists():
            api.delete_namespaced_pod(pod.metadata.name, pod.metadata.namespace)
";
    let two = one.replace(
        "def sweep(api):\n",
        "def sweep(api):\n    for pod in api.list_pod_for_all_namespaces().items:\n        if not Row.objects.filter(uid=pod.metadata.uid).exists():\n            api.delete_namespaced_pod(pod.metadata.name, pod.metadata.namespace)\n",
    );
    let import = "from kubernetes import client\n";
    let repo = Repo::new(&[("janitor.py", &format!("{import}{one}"))]);
    repo.write("janitor.py", &format!("{import}{two}"));
    let (_, lines, _) = repo.check(&["--diff-base", "HEAD", "--min-confidence", "low"]);
    assert!(!lines.is_empty());
    assert!(lines.iter().all(|line| line.starts_with("janitor.py:8:")), "{lines:?}");
}

#[test]
fn uncommitted_and_untracked_files_count_as_changed() {
    let repo = Repo::new(&[("janitor.py", JANITOR), ("policy.py", GUARDED)]);
    repo.write("policy.py", UNGUARDED);
    assert_eq!(repo.check(&["--diff-base", "HEAD"]).1.len(), 3, "not staged");
    repo.git(&["add", "-A"]);
    assert_eq!(repo.check(&["--diff-base", "HEAD"]).1.len(), 3, "staged");
    repo.commit("drop it");
    assert_eq!(repo.check(&["--diff-base", "HEAD"]).1.len(), 0, "committed");
    repo.write("other/janitor.py", &JANITOR.replace("from policy", "from other.policy"));
    repo.write("other/policy.py", UNGUARDED);
    let (_, lines, _) = repo.check(&["--diff-base", "HEAD"]);
    assert_eq!(lines.len(), 3, "untracked");
    assert!(lines.iter().all(|line| line.starts_with("other/janitor.py:")));
}

#[test]
fn files_that_git_does_not_track_are_no_part_of_a_commit() {
    let repo = Repo::new(&[("svc/janitor.py", JANITOR), ("svc/policy.py", GUARDED)]);
    repo.write("svc/scratch.py", &JANITOR.replace("policy", "other"));
    repo.write("svc/other.py", UNGUARDED);
    std::fs::write(repo.path("svc/old.py"), b"x = '\xe9'\n").unwrap();
    let args = ["--diff-base", "HEAD", "--strict", "--no-untracked"];
    assert_eq!(repo.check(&args[..3]).0, Some(2));
    assert_eq!(repo.check(&args[..2]).1.len(), 3);
    let (code, lines, err) = repo.check(&args);
    assert_eq!((code, lines.len()), (Some(0), 0), "{err}");
    assert!(err.contains("2 files linted"), "{err}");
    // From the index on they are, at any depth of the working directory.
    repo.git(&["add", "svc/scratch.py", "svc/other.py"]);
    let here = ["check", "--output-format", "concise", "--no-untracked", "."];
    assert_eq!(text(&repo.run_in("svc", &here).stdout).lines().count(), 3);
    std::fs::remove_dir_all(repo.path(".git")).unwrap();
    let (code, _, err) = repo.check(&["--no-untracked"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("--no-untracked: this is no git repository"), "{err}");
}

#[test]
fn renamed_and_deleted_files_are_compared_with_what_they_were() {
    let repo = Repo::new(&[("janitor.py", JANITOR), ("policy.py", UNGUARDED), ("policies/__init__.py", "")]);
    repo.git(&["checkout", "-q", "-b", "change"]);
    repo.git(&["mv", "janitor.py", "reaper.py"]);
    repo.commit("rename");
    assert_eq!(repo.check(&["--diff-base", "main"]).1, [""; 0]);
    // The guard went with its whole file.
    let repo = Repo::new(&[("janitor.py", JANITOR), ("policy.py", GUARDED)]);
    repo.git(&["checkout", "-q", "-b", "change"]);
    repo.git(&["rm", "-q", "policy.py"]);
    let inline = JANITOR.replace("from policy import may_go", "from app.models import Row");
    let inline = inline.replace("may_go(pod.metadata.name)", "not Row.objects.filter(name=pod.metadata.name).exists()");
    repo.write("janitor.py", &inline);
    repo.commit("inline the policy");
    let (_, lines, _) = repo.check(&["--diff-base", "main"]);
    assert!(rules(&lines).contains(&"delete-on-absence"), "{lines:?}");
}

#[test]
fn the_base_is_where_the_branches_parted() {
    let repo = Repo::new(&[("janitor.py", JANITOR), ("policy.py", GUARDED)]);
    repo.git(&["checkout", "-q", "-b", "change"]);
    repo.write("notes.py", "x = 1\n");
    repo.commit("something else");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("policy.py", UNGUARDED);
    repo.commit("the fault is on main");
    repo.git(&["checkout", "-q", "change"]);
    assert_eq!(repo.check(&["--diff-base", "main"]).1, [""; 0]);
    repo.git(&["merge", "-q", "--no-edit", "main"]);
    assert_eq!(repo.check(&["--diff-base", "main"]).1, [""; 0], "what was merged in is not new");
    assert_eq!(repo.check(&["--diff-base", "main~1"]).1.len(), 3);
}

#[test]
fn a_shallow_clone_says_what_it_cannot_know() {
    let origin = Repo::new(&[("janitor.py", JANITOR), ("policy.py", GUARDED)]);
    origin.git(&["checkout", "-q", "-b", "change"]);
    origin.write("policy.py", UNGUARDED);
    origin.commit("drop the guard");
    let place = tempfile::tempdir().unwrap();
    let url = format!("file://{}", origin.dir.path().display());
    let clone = place.path().join("clone");
    origin.git(&["clone", "-q", "--depth", "1", "--branch", "change", &url, clone.to_str().unwrap()]);
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_reaplint")).current_dir(&clone).args(args).output().unwrap();
        (output.status.code(), text(&output.stdout).lines().count(), text(&output.stderr))
    };
    let args = ["check", "--output-format", "concise", "--diff-base", "origin/main"];
    let (code, lines, err) = run(&args);
    assert_eq!((code, lines), (Some(1), 3));
    assert!(err.contains("`origin/main` is not in this shallow clone"), "{err}");
    origin.git(&[
        "-C",
        clone.to_str().unwrap(),
        "fetch",
        "-q",
        "--depth",
        "1",
        "origin",
        "main:refs/remotes/origin/main",
    ]);
    let (code, lines, err) = run(&args);
    assert_eq!((code, lines), (Some(1), 3));
    assert!(err.contains("compared with `origin/main` itself"), "{err}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let repo = Repo::new(&[("janitor.py", JANITOR), ("policy.py", UNGUARDED)]);
    let (code, _, err) = repo.check(&["--diff-base", "nowhere"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("--diff-base: there is no commit `nowhere`"), "{err}");
    assert_eq!(repo.check(&["--diff-base=--help"]).0, Some(2));
    std::fs::remove_dir_all(repo.path(".git")).unwrap();
    let (code, _, err) = repo.check(&["--diff-base", "main"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("this is no git repository"), "{err}");
    repo.git(&["init", "-q"]);
    let (code, lines, err) = repo.check(&["--diff-base", "HEAD"]);
    assert_eq!((code, lines.len()), (Some(1), 3));
    assert!(err.contains("there is no commit yet"), "{err}");
}

#[test]
fn a_folder_of_the_repository_is_compared_with_itself() {
    let repo = Repo::new(&[("svc/a b/janitor.py", JANITOR), ("svc/a b/policy.py", GUARDED), ("x.py", "y = 1\n")]);
    repo.write("svc/a b/policy.py", UNGUARDED);
    let output = repo.run_in("svc", &["check", "--output-format", "concise", "--diff-base", "HEAD", "a b"]);
    let lines = text(&output.stdout);
    assert_eq!(lines.lines().count(), 3, "{lines}");
    assert!(lines.lines().all(|line| line.starts_with("a b/janitor.py:")), "{lines}");
}

#[test]
fn a_suppression_that_goes_makes_its_finding_new() {
    let comment =
        "            # reaplint: ignore[delete-on-absence, missing-grace-period, unscoped-sweep] tested by hand\n";
    let call = "            api.delete_namespaced_pod";
    let repo =
        Repo::new(&[("janitor.py", &JANITOR.replace(call, &format!("{comment}{call}"))), ("policy.py", UNGUARDED)]);
    assert_eq!(repo.check(&[]).1, [""; 0]);
    repo.write("janitor.py", JANITOR);
    assert_eq!(repo.check(&["--diff-base", "HEAD"]).1.len(), 3);
}

#[test]
fn a_baseline_keeps_quiet_about_what_it_knows() {
    let repo = Repo::new(&[("janitor.py", JANITOR), ("policy.py", UNGUARDED)]);
    let written = repo.run(&["baseline"]);
    assert_eq!(written.status.code(), Some(0));
    assert!(text(&written.stderr).contains(".reaplint-baseline.json: 3 known, 3 of them new"));
    let known = ["--baseline", ".reaplint-baseline.json"];
    let (code, lines, err) = repo.check(&known);
    assert_eq!((code, lines.len()), (Some(0), 0), "{lines:?}");
    assert!(err.contains("3 in the baseline"), "{err}");
    let json = text(&repo.run(&["check", "--output-format", "json", known[0], known[1]]).stdout);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["summary"]["baselined"], 3);
    assert_eq!(json["summary"]["findings"], 0);
    // Lines move, and the file gets another name.
    repo.write("janitor.py", &format!("# one line more\n{JANITOR}"));
    assert_eq!(repo.check(&known).1, [""; 0]);
    std::fs::rename(repo.path("janitor.py"), repo.path("reaper.py")).unwrap();
    assert_eq!(repo.check(&known).1, [""; 0]);
    // The same in one more place is new.
    repo.write("janitor.py", JANITOR);
    assert_eq!(repo.check(&known).1.len(), 3);
    // From another folder it is the same file.
    std::fs::remove_file(repo.path("janitor.py")).unwrap();
    repo.write("sub/x.py", "x = 1\n");
    let args = ["check", "--output-format", "concise", "--baseline", "../.reaplint-baseline.json", ".."];
    assert_eq!(text(&repo.run_in("sub", &args).stdout), "");
    // The key of the configuration does what the flag does.
    repo.write("reaplint.toml", "baseline = \".reaplint-baseline.json\"\n");
    assert_eq!(repo.check(&[]).1, [""; 0]);
}

#[test]
fn a_baseline_is_refreshed_pruned_and_merged() {
    let repo = Repo::new(&[("a/janitor.py", JANITOR), ("b/janitor.py", JANITOR), ("policy.py", UNGUARDED)]);
    let said = |args: &[&str]| text(&repo.run(args).stderr);
    assert!(said(&["baseline"]).contains("6 known, 6 of them new"));
    let first = std::fs::read_to_string(repo.path(".reaplint-baseline.json")).unwrap();
    assert!(said(&["baseline"]).contains("6 known, 0 of them new"));
    assert_eq!(first, std::fs::read_to_string(repo.path(".reaplint-baseline.json")).unwrap());
    // A run over one folder says nothing of the other.
    std::fs::remove_file(repo.path("a/janitor.py")).unwrap();
    repo.write("a/none.py", "x = 1\n");
    let known = ["--baseline", ".reaplint-baseline.json"];
    let err = repo.check(&known).2;
    assert!(err.contains(".reaplint-baseline.json: 3 entries are stale"), "{err}");
    assert!(said(&["baseline", "b"]).contains("6 known, 0 of them new"));
    assert!(said(&["baseline", "--prune"]).contains("3 known, 0 of them new; 3 dropped"));
    assert!(!repo.check(&known).2.contains("stale"));
    // A rule that does not run does not make its entries stale.
    let only = repo.check(&["--baseline", ".reaplint-baseline.json", "--select", "error-as-empty"]).2;
    assert!(!only.contains("stale"), "{only}");
}

#[test]
fn a_baseline_that_cannot_be_read_is_refused() {
    let repo = Repo::new(&[("janitor.py", JANITOR), ("policy.py", UNGUARDED)]);
    assert!(repo.check(&["--baseline", "none.json"]).2.contains("none.json: cannot be read"));
    repo.write("bad.json", "{}");
    let (code, _, err) = repo.check(&["--baseline", "bad.json"]);
    assert_eq!(code, Some(2));
    assert!(err.contains("bad.json: is no baseline"), "{err}");
    repo.write("new.json", "{\"version\": 7, \"findings\": []}");
    assert!(repo.check(&["--baseline", "new.json"]).2.contains("a baseline of version 7"));
}
