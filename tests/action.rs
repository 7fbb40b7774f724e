//! The GitHub Action: `action.yml` and its scripts, run as a runner would run them, on real git repositories.
//!
//! Nothing is uploaded here, and nothing downloaded: what would be is compared.
#![cfg(unix)]

#[path = "action/runner.rs"]
mod runner;

#[path = "action/install.rs"]
mod install;

use runner::{Ran, Use, action, root, text};
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
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

fn policy(condition: &str) -> String {
    format!(
        "from app.models import Row\n\n\ndef may_go(name):\n    row = Row.objects.filter(name=name).first()\n    return {condition}\n"
    )
}

const GUARDED: &str = "row is not None and row.finished";
const UNGUARDED: &str = "row is None or row.finished";

/// A repository on GitHub, with an old fault on `main`, and a branch that takes a guard away.
struct Forge {
    dir: TempDir,
}

fn git(folder: &Path, args: &[&str]) -> String {
    let mut git = Command::new("git");
    git.current_dir(folder).args(["-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false"]);
    for name in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"] {
        git.env_remove(name);
    }
    let output = git.args(args).output().expect("git runs");
    assert!(output.status.success(), "git {args:?}: {}", text(&output.stderr));
    text(&output.stdout).trim().to_owned()
}

fn write(path: PathBuf, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
    std::fs::write(path, text).expect("a file");
}

/// A program that stands in for one that is not there.
fn program(path: PathBuf, script: &str) {
    write(path.clone(), &format!("#!/bin/sh\n{script}\n"));
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("a program");
}

impl Forge {
    fn new() -> Forge {
        let forge = Forge { dir: tempfile::tempdir().expect("a folder") };
        let origin = forge.path("origin");
        write(origin.join("janitor.py"), JANITOR);
        write(origin.join("policy.py"), &policy(GUARDED));
        write(origin.join("old/janitor.py"), &JANITOR.replace("from policy", "from old.policy"));
        write(origin.join("old/policy.py"), &policy(UNGUARDED));
        git(&origin, &["init", "-q", "-b", "main"]);
        forge.commit("first");
        git(&origin, &["checkout", "-q", "-b", "change"]);
        write(origin.join("policy.py"), &policy(UNGUARDED));
        forge.commit("take the guard away");
        git(&origin, &["checkout", "-q", "main"]);
        write(origin.join("notes.py"), "x = 1\n");
        forge.commit("main goes on");
        // What GitHub checks out for a pull request.
        git(&origin, &["checkout", "-q", "-b", "merge", "main"]);
        git(&origin, &["merge", "-q", "--no-ff", "--no-edit", "change"]);
        forge
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn commit(&self, message: &str) {
        git(&self.path("origin"), &["add", "-A"]);
        git(&self.path("origin"), &["commit", "-q", "-m", message]);
    }

    fn id(&self, name: &str) -> String {
        git(&self.path("origin"), &["rev-parse", name])
    }

    /// What `actions/checkout` makes of a branch.
    fn checkout(&self, branch: &str, depth: Option<&str>) -> PathBuf {
        let clone = self.path("workspace");
        let url = format!("file://{}", self.path("origin").display());
        let mut args = vec!["clone", "-q", "--branch", branch];
        args.extend(depth.map(|depth| ["--depth", depth]).into_iter().flatten());
        git(self.dir.path(), &[&args[..], &[&url, clone.to_str().expect("a path")]].concat());
        clone
    }

    fn pull_request(&self, from: &str) -> Value {
        json!({ "number": 7, "pull_request": {
            "base": { "sha": self.id("main~1") },
            "head": { "sha": self.id("change"), "repo": { "full_name": from, "fork": from != "owner/project" } },
        } })
    }

    fn run(&self, workspace: &Path, event: (&str, Value), inputs: &[(&str, &str)], env: &[(&str, String)]) -> Ran {
        let built = Path::new(env!("CARGO_BIN_EXE_reaplint")).parent().expect("a folder").display();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut inputs = inputs.to_vec();
        inputs.push(("version", "none"));
        let mut env = env.to_vec();
        env.push(("PATH", format!("{}:{built}:{path}", self.path("bin").display())));
        let place = self.path("runner");
        std::fs::create_dir_all(&place).expect("a folder");
        let (event, payload) = event;
        Use { action: root().to_path_buf(), workspace, place: &place, event, payload, inputs, env }.run()
    }
}

fn push() -> (&'static str, Value) {
    ("push", json!({ "before": "0", "after": "1" }))
}

fn rules(ran: &Ran) -> usize {
    ran.sarif()["runs"][0]["results"].as_array().map_or(0, Vec::len)
}

#[test]
fn a_pull_request_hears_of_what_it_brings_and_of_nothing_else() {
    let forge = Forge::new();
    let workspace = forge.checkout("merge", None);
    let ran = forge.run(&workspace, ("pull_request", forge.pull_request("owner/project")), &[], &[]);
    assert!(ran.failed, "{}", ran.log);
    assert_eq!((ran.output("exit-code"), ran.output("findings")), ("1", "3"), "{}", ran.log);
    assert_eq!(ran.output("version"), env!("CARGO_PKG_VERSION"));
    assert_eq!(ran.annotations().len(), 1, "{}", ran.log);
    assert!(ran.annotations()[0].contains("file=janitor.py,line=11,"), "{}", ran.log);
    assert!(ran.log.contains(GUARDED), "{}", ran.log);
    assert_eq!(rules(&ran), 3);
    assert!(ran.summary.contains("janitor.py") && !ran.summary.contains("old/"), "{}", ran.summary);
    let upload = ran.upload.as_ref().expect("an upload");
    assert_eq!(upload["sarif_file"], ran.output("sarif-file"));
    assert_eq!((upload["category"].as_str(), upload["token"].as_str()), ("reaplint", "secret"));
}

#[test]
fn a_fork_is_not_uploaded_for() {
    let forge = Forge::new();
    let workspace = forge.checkout("merge", None);
    let ran = forge.run(&workspace, ("pull_request", forge.pull_request("somebody/project")), &[], &[]);
    assert!(ran.failed && ran.upload.is_none());
    assert_eq!(ran.annotations().len(), 1);
    assert!(
        ran.commands().iter().any(|line| line.starts_with("::notice") && line.contains("from a fork")),
        "{}",
        ran.log
    );
    // Who insists is left to what the upload says.
    let insists = [("upload-sarif", "true")];
    let ran = forge.run(&workspace, ("pull_request", forge.pull_request("somebody/project")), &insists, &[]);
    assert!(ran.upload.is_some());
    let bot = [("GITHUB_ACTOR", "dependabot[bot]".to_owned())];
    let ran = forge.run(&workspace, ("pull_request", forge.pull_request("owner/project")), &[], &bot);
    assert!(ran.upload.is_none() && ran.log.contains("Dependabot"), "{}", ran.log);
}

#[test]
fn a_token_that_may_not_is_not_made_to_upload() {
    let forge = Forge::new();
    let workspace = forge.checkout("main", None);
    program(
        forge.path("bin/curl"),
        "cat >\"$(dirname \"$0\")/asked\"; echo \"$@\" >>\"$(dirname \"$0\")/asked\"; printf 403",
    );
    let ran = forge.run(&workspace, push(), &[], &[]);
    assert!(ran.upload.is_none() && ran.log.contains("security-events: write"), "{}", ran.log);
    let asked = std::fs::read_to_string(forge.path("bin/asked")).unwrap();
    assert!(asked.starts_with("authorization: Bearer secret\n"), "{asked}");
    assert_eq!(asked.matches("secret").count(), 1, "a token among the arguments: {asked}");
    program(forge.path("bin/curl"), "printf 404");
    assert!(forge.run(&workspace, push(), &[], &[]).upload.is_some(), "nothing was ever uploaded");
}

#[test]
fn a_push_hears_of_everything() {
    let forge = Forge::new();
    let workspace = forge.checkout("main", None);
    let ran = forge.run(&workspace, push(), &[], &[]);
    assert_eq!((ran.failed, ran.output("exit-code"), rules(&ran)), (true, "1", 3), "{}", ran.log);
    assert!(ran.annotations()[0].contains("file=old/janitor.py"), "{}", ran.log);
    assert!(ran.upload.is_some());
    let since = [("diff-base", "main~1")];
    let ran = forge.run(&workspace, push(), &since, &[]);
    assert_eq!((ran.failed, ran.output("findings")), (false, "0"), "{}", ran.log);
    let ran = forge.run(&workspace, push(), &[("diff-base", "nowhere")], &[]);
    assert_eq!((ran.failed, ran.output("exit-code")), (true, "2"), "{}", ran.log);
}

#[test]
fn a_merge_queue_hears_of_its_group() {
    let forge = Forge::new();
    let workspace = forge.checkout("merge", None);
    let event =
        ("merge_group", json!({ "merge_group": { "base_sha": forge.id("main"), "head_sha": forge.id("merge") } }));
    let ran = forge.run(&workspace, event, &[], &[]);
    assert_eq!((ran.output("exit-code"), ran.output("findings")), ("1", "3"), "{}", ran.log);
    let event = ("merge_group", json!({ "merge_group": { "base_sha": forge.id("merge") } }));
    let ran = forge.run(&workspace, event, &[], &[]);
    assert_eq!((ran.output("exit-code"), ran.output("findings")), ("0", "0"), "{}", ran.log);
}

#[test]
fn a_shallow_clone_hears_of_everything_and_why() {
    let forge = Forge::new();
    let workspace = forge.checkout("merge", Some("1"));
    let event = || ("pull_request", forge.pull_request("owner/project"));
    let ran = forge.run(&workspace, event(), &[], &[]);
    assert_eq!((ran.output("exit-code"), ran.output("findings")), ("1", "6"), "{}", ran.log);
    let notices: Vec<&str> = ran.commands().into_iter().filter(|line| line.starts_with("::notice")).collect();
    assert!(notices.len() == 1 && notices[0].contains("fetch-depth: 0"), "{notices:?}");
    // Two commits are enough, since the merge's first parent is what it merged into.
    std::fs::remove_dir_all(&workspace).unwrap();
    let workspace = forge.checkout("merge", Some("2"));
    let ran = forge.run(&workspace, event(), &[], &[]);
    assert_eq!((ran.output("exit-code"), ran.output("findings")), ("1", "3"), "{}", ran.log);
    assert!(!ran.log.contains("::notice"), "{}", ran.log);
    // Without git's folder, as after a download.
    std::fs::remove_dir_all(workspace.join(".git")).unwrap();
    let ran = forge.run(&workspace, event(), &[], &[]);
    assert_eq!(ran.output("findings"), "6", "{}", ran.log);
    assert!(ran.log.contains("this is no git repository"), "{}", ran.log);
}

#[test]
fn nothing_to_find_passes_and_closes_what_was_open() {
    let forge = Forge::new();
    let workspace = forge.checkout("main", None);
    std::fs::remove_dir_all(workspace.join("old")).unwrap();
    let ran = forge.run(&workspace, push(), &[], &[]);
    assert_eq!((ran.failed, ran.output("exit-code"), ran.output("findings")), (false, "0", "0"), "{}", ran.log);
    assert_eq!(rules(&ran), 0);
    assert!(ran.upload.is_some(), "an empty file is uploaded, too");
    assert!(ran.commands().is_empty(), "{:?}", ran.commands());
}

#[test]
fn a_job_that_is_not_done_is_not_uploaded() {
    let forge = Forge::new();
    let workspace = forge.checkout("main", None);
    write(workspace.join("reaplint.toml"), "selct = []\n");
    let ran = forge.run(&workspace, push(), &[], &[]);
    assert_eq!((ran.failed, ran.output("exit-code"), ran.output("findings")), (true, "2", ""), "{}", ran.log);
    assert!(ran.upload.is_none() && ran.output("sarif-file").is_empty());
    assert!(ran.log.contains("selct"), "{}", ran.log);
    assert!(ran.commands().iter().any(|line| line.starts_with("::error title=reaplint::")), "{}", ran.log);
    // A path that is not there: the rest is linted, and would close the alerts of what is not.
    std::fs::remove_file(workspace.join("reaplint.toml")).unwrap();
    let ran = forge.run(&workspace, push(), &[("paths", "old nowhere")], &[]);
    assert_eq!((ran.output("exit-code"), ran.upload.is_none()), ("2", true), "{}", ran.log);
}

#[test]
fn inputs_reach_the_program_whole() {
    let forge = Forge::new();
    let workspace = forge.checkout("main", None);
    let hole = "$(touch hole) `touch hole` \"; touch hole; \"";
    for name in ["-x", "a b", "$(touch hole)"] {
        write(workspace.join("svc").join(name).join("janitor.py"), &JANITOR.replace("from policy", "from none"));
    }
    let of = |inputs: &[(&str, &str)]| forge.run(&workspace, push(), inputs, &[]);
    let paths =
        [("working-directory", "svc"), ("paths", "-x 'a b'\n'$(touch hole)'"), ("args", "--verbose --select ALL")];
    let ran = of(&paths);
    for path in ["linted: -x/janitor.py", "linted: a b/janitor.py", "linted: $(touch hole)/janitor.py"] {
        assert!(ran.log.contains(path), "{path} in {}", ran.log);
    }
    let ran = of(&[("args", hole), ("paths", hole), ("config", hole), ("baseline", hole), ("category", hole)]);
    assert_eq!(ran.output("exit-code"), "2");
    for name in ["hole", "svc/hole"] {
        assert!(!workspace.join(name).exists(), "an input is run: {}", ran.log);
    }
    let ran = of(&[("paths", "'old")]);
    assert!(ran.failed && ran.log.contains("quotes in the input `paths` do not match"), "{}", ran.log);
    let ran = of(&[("paths", "old"), ("fail-level", "none"), ("annotations", "false"), ("summary", "false")]);
    assert_eq!((ran.failed, ran.output("exit-code"), ran.output("findings")), (false, "0", "3"), "{}", ran.log);
    assert!(ran.annotations().is_empty() && ran.summary.is_empty());
    let ran = of(&[("paths", "old"), ("config", "min-severity = \"error\"\nignore = [\"delete-on-absence\"]")]);
    assert!(ran.output("findings").parse::<u8>().is_ok_and(|count| count < 3), "{}", ran.log);
    let ran = of(&[("paths", "old"), ("sarif", "false")]);
    assert!(ran.output("sarif-file").is_empty() && ran.upload.is_none() && ran.output("exit-code") == "1");
    for (name, value) in
        [("sarif", "yes"), ("upload-sarif", "maybe"), ("min-severity", "bad"), ("working-directory", "none")]
    {
        let ran = of(&[(name, value)]);
        assert!(ran.failed && ran.upload.is_none(), "{name}: {value}: {}", ran.log);
        assert!(ran.commands().iter().any(|line| line.starts_with("::error")), "{name}: {value}: {}", ran.log);
    }
}

#[test]
fn what_is_linted_gives_no_commands() {
    let forge = Forge::new();
    let workspace = forge.checkout("main", None);
    let hostile = "::error file=x::y";
    write(
        workspace.join("svc/janitor.py"),
        &JANITOR
            .replace("policy", "none")
            .replace("def sweep():", &format!("def sweep():\n    \"\"\"\n{hostile}\n    \"\"\"")),
    );
    write(workspace.join("svc/a\n::warning file=a::b/janitor.py"), &JANITOR.replace("policy", "none"));
    let ran = forge.run(&workspace, push(), &[("paths", "svc")], &[]);
    assert_eq!(ran.output("exit-code"), "1", "{}", ran.log);
    let spoken: Vec<&str> = ran.commands();
    assert!(spoken.iter().all(|line| line.contains("janitor.py") && line.contains("title=")), "{spoken:?}");
}

#[test]
fn what_others_wrote_is_pinned() {
    let workflows = std::fs::read_dir(root().join(".github/workflows")).unwrap().map(|entry| entry.unwrap().path());
    for path in workflows.chain([root().join("action.yml")]) {
        let text = std::fs::read_to_string(&path).unwrap();
        let uses = text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "));
        for used in uses.filter(|used| *used != "./") {
            let (_, pin) = used.split_once('@').expect("a revision");
            let (sha, version) = pin.split_once(" # v").unwrap_or_else(|| panic!("{}: {used}", path.display()));
            assert!(sha.len() == 40 && sha.bytes().all(|byte| byte.is_ascii_hexdigit()), "{}: {used}", path.display());
            assert_eq!(version.split('.').count(), 3, "{}: {used}", path.display());
        }
    }
    let action = action(root());
    assert!(action.inputs.values().all(|input| input.description.is_some() && input.default.is_some()));
}
