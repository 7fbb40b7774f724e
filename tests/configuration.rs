//! Configuration files and `--config`, from outside: what is said, where it holds, and what is refused.

use std::path::PathBuf;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A sweep that only a user's own rows make sense of.
const JANITOR: &str = "\
from ages import is_ripe
from app.models import Row


def sweep(client):
    for lab in client.list_labs():
        if not is_ripe(lab, days=7):
            continue
        if not Row.objects.filter(name=lab.name).exists():
            client.retire_lab(lab)
";

const ROWS: &str = "\
[[vocabulary.call]]
language = \"python\"
match = \"*.retire_lab(lab)\"
role = \"destroy\"
target = \"lab\"
shared = true
example = \"client.retire_lab(lab)\"

[[vocabulary.call]]
language = \"python\"
match = \"*.list_labs()\"
role = \"list\"
wide = true
example = \"client.list_labs()\"
";

/// A sweep that needs no configuration to be known.
const PODS: &str = "\
from kubernetes import client

from app.models import Row

api = client.CoreV1Api()


def sweep():
    for pod in api.list_pod_for_all_namespaces().items:
        if not Row.objects.filter(name=pod.metadata.name).exists():
            api.delete_namespaced_pod(pod.metadata.name, pod.metadata.namespace)
";

struct Tree {
    dir: TempDir,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Tree {
        let dir = tempfile::tempdir().expect("a folder");
        for (path, text) in files {
            let path = dir.path().join(path);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            std::fs::write(path, text).expect("a file");
        }
        Tree { dir }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn run(&self, args: &[&str]) -> Output {
        self.run_in("", args)
    }

    fn run_in(&self, folder: &str, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reaplint"));
        command.current_dir(self.path(folder)).args(args).env_remove("REAPLINT_OUTPUT_FORMAT");
        command.output().expect("reaplint runs")
    }

    /// The lines of `check --output-format concise`.
    fn check(&self, args: &[&str]) -> Vec<String> {
        let all: Vec<&str> = ["check", "--output-format", "concise"].iter().chain(args).copied().collect();
        let output = self.run(&all);
        assert!(output.status.code() != Some(2), "{}", text(&output.stderr));
        text(&output.stdout).lines().map(str::to_owned).collect()
    }

    /// The complaints of a run that is refused.
    fn refused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        text(&output.stderr)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn has(lines: &[String], path: &str, rule: &str) -> bool {
    lines.iter().any(|line| line.starts_with(&format!("{path}:")) && line.contains(&format!("[{rule}]")))
}

#[test]
fn rows_of_ones_own_are_known() {
    let tree = Tree::new(&[("janitor.py", JANITOR)]);
    assert!(tree.check(&[]).is_empty(), "nothing is known of these calls");
    std::fs::write(tree.path("reaplint.toml"), ROWS).unwrap();
    let lines = tree.check(&[]);
    assert!(has(&lines, "janitor.py", "delete-on-absence"), "{lines:?}");
    assert!(has(&lines, "janitor.py", "missing-grace-period"), "{lines:?}");
    assert!(tree.check(&["--isolated"]).is_empty());
}

#[test]
fn a_row_of_ones_own_counts_before_what_the_function_does() {
    let wrapper = "class Labs:\n    def retire_lab(self, lab):\n        self.log.append(lab)\n";
    let own = format!("{wrapper}\n{}", JANITOR.replace("def sweep(client):", "def sweep(client: Labs):"));
    let tree = Tree::new(&[("janitor.py", &own), ("reaplint.toml", ROWS)]);
    assert!(has(&tree.check(&[]), "janitor.py", "delete-on-absence"));
}

#[test]
fn grace_functions_count_as_an_age_that_was_asked_for() {
    let config = format!("grace-functions = [\"is_ripe\"]\n{ROWS}");
    let tree = Tree::new(&[("janitor.py", JANITOR), ("reaplint.toml", &config)]);
    assert!(!has(&tree.check(&[]), "janitor.py", "missing-grace-period"));
    // The other way round it spares what is old.
    std::fs::write(tree.path("janitor.py"), JANITOR.replace("not is_ripe", "is_ripe")).unwrap();
    assert!(has(&tree.check(&[]), "janitor.py", "missing-grace-period"));
}

#[test]
fn grace_functions_may_be_methods_and_of_any_language() {
    let go = "\
package janitor

import (
\t\"context\"

\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"
\t\"k8s.io/client-go/kubernetes\"
)

func sweep(ctx context.Context, c kubernetes.Interface) error {
\tpods, err := c.CoreV1().Pods(\"\").List(ctx, metav1.ListOptions{})
\tif err != nil {
\t\treturn err
\t}
\tsecrets, err := c.CoreV1().Secrets(\"\").List(ctx, metav1.ListOptions{})
\tif err != nil {
\t\treturn err
\t}
\tused := map[string]bool{}
\tfor _, p := range pods.Items {
\t\tused[p.Labels[\"secret\"]] = true
\t}
\tfor _, s := range secrets.Items {
\t\tif !used[s.Name] && ages.Ripe(s) {
\t\t\t_ = c.CoreV1().Secrets(s.Namespace).Delete(ctx, s.Name, metav1.DeleteOptions{})
\t\t}
\t}
\treturn nil
}
";
    let tree = Tree::new(&[("janitor.go", go)]);
    assert!(has(&tree.check(&[]), "janitor.go", "missing-grace-period"));
    let lines = tree.check(&["--config", "grace-functions = ['ages.Ripe']"]);
    assert!(!has(&lines, "janitor.go", "missing-grace-period"), "{lines:?}");
}

#[test]
fn an_example_that_does_not_match_its_row_is_refused() {
    let wrong = ROWS.replace("\"client.retire_lab(lab)\"", "\"client.retire(lab)\"");
    let tree = Tree::new(&[("janitor.py", JANITOR), ("reaplint.toml", &wrong)]);
    let said = tree.refused(&["check"]);
    assert!(said.contains("`*.retire_lab(lab)` does not match its example `client.retire(lab)`"), "{said}");
    let output = tree.run(&["vocabulary", "--check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("`*.list_labs()` matches `client.list_labs()`"));
    assert!(text(&output.stderr).contains("2 rows tested, 1 wrong"));
    let unknown = ROWS.replace("language = \"python\"\n", "");
    std::fs::write(tree.path("reaplint.toml"), unknown).unwrap();
    assert!(tree.refused(&["check"]).contains("call 1 (*.retire_lab(lab)): `language` is missing"));
}

#[test]
fn every_kind_of_file_is_found_and_the_closest_holds() {
    let pods = [("a/b/janitor.py", PODS), ("janitor.py", PODS)];
    for (name, head) in [
        (".reaplint.toml", ""),
        ("reaplint.toml", ""),
        ("pyproject.toml", "[project]\nname = \"x\"\n[tool.reaplint]\n"),
        ("Cargo.toml", "[workspace]\nmembers = []\n[workspace.metadata.reaplint]\n"),
    ] {
        let tree = Tree::new(&pods);
        let inner = format!("{head}ignore = [\"ALL\"]\n");
        std::fs::write(tree.path("a").join(name), inner).unwrap();
        let lines = tree.check(&[]);
        assert!(has(&lines, "janitor.py", "delete-on-absence"), "{name}: {lines:?}");
        assert!(!lines.iter().any(|line| line.starts_with("a/")), "{name}: {lines:?}");
    }
    let tree = Tree::new(&pods);
    std::fs::write(tree.path("reaplint.toml"), "ignore = [\"ALL\"]\n").unwrap();
    std::fs::write(tree.path("a/reaplint.toml"), "min-confidence = \"medium\"\n").unwrap();
    assert!(has(&tree.check(&[]), "a/b/janitor.py", "delete-on-absence"), "nothing is merged");
    std::fs::write(tree.path("a/reaplint.toml"), "extend = \"../reaplint.toml\"\nmin-confidence = \"low\"\n").unwrap();
    assert!(tree.check(&[]).is_empty(), "unless it is asked for");
}

#[test]
fn extend_has_an_end() {
    let tree = Tree::new(&[
        ("janitor.py", PODS),
        ("reaplint.toml", "extend = \"other.toml\"\n"),
        ("other.toml", "extend = \"./reaplint.toml\"\n"),
    ]);
    assert!(tree.refused(&["check"]).contains("other.toml: extend: reaplint.toml is extended already"));
    std::fs::write(tree.path("other.toml"), "extend = \"none.toml\"\n").unwrap();
    assert!(tree.refused(&["check"]).contains("other.toml: extend: there is no file none.toml"));
}

#[test]
fn paths_can_be_left_out_and_rules_ignored_for_them() {
    let tree = Tree::new(&[
        ("third_party/janitor.py", PODS),
        ("lib/gen/janitor.py", PODS),
        ("old/deep/janitor.py", PODS),
        ("venv/janitor.py", PODS),
        (
            "reaplint.toml",
            "extend-exclude = [\"third_party\"]\n[per-path-ignores]\n\"old/**\" = [\"delete-on-absence\"]\n",
        ),
        ("lib/reaplint.toml", "exclude = [\"/gen\"]\n"),
    ]);
    let lines = tree.check(&[]);
    assert!(!lines.iter().any(|l| l.starts_with("third_party/") || l.starts_with("lib/") || l.starts_with("venv/")));
    assert!(!has(&lines, "old/deep/janitor.py", "delete-on-absence"), "{lines:?}");
    assert!(has(&lines, "old/deep/janitor.py", "missing-grace-period"), "{lines:?}");
    // Named files are linted all the same, unless that is forbidden.
    assert!(!tree.check(&["third_party/janitor.py"]).is_empty());
    assert!(tree.check(&["third_party/janitor.py", "--config", "force-exclude = true"]).is_empty());
    assert!(tree.check(&["--force-exclude", "third_party/janitor.py"]).is_empty());
    // A list of one's own replaces the built-in one.
    assert!(tree.check(&["--exclude", "third_party,lib,old"]).iter().any(|l| l.starts_with("venv/")));
}

#[test]
fn flags_stand_above_keys_and_keys_above_files() {
    let tree = Tree::new(&[("janitor.py", PODS), ("reaplint.toml", "select = [\"missing-grace-period\"]\n")]);
    assert!(!has(&tree.check(&[]), "janitor.py", "delete-on-absence"));
    let key = ["--config", "select = ['delete-on-absence']"];
    assert!(has(&tree.check(&key), "janitor.py", "delete-on-absence"));
    let both = [&key[..], &["--select", "missing-grace-period"]].concat();
    assert!(!has(&tree.check(&both), "janitor.py", "delete-on-absence"));
    // A value that is no TOML is a text.
    assert!(tree.check(&["--config", "min-severity=error"]).is_empty(), "a warning is none");
    let failing = tree.run(&["check", "--config", "fail-level=error", "--select", "missing-grace-period"]);
    assert_eq!(failing.status.code(), Some(0), "warnings do not fail this run");
}

#[test]
fn a_named_file_holds_for_all() {
    let tree = Tree::new(&[
        ("a/janitor.py", PODS),
        ("a/reaplint.toml", "ignore = [\"ALL\"]\n"),
        ("ci/lint.toml", "[per-path-ignores]\n\"a/*\" = [\"missing-grace-period\"]\n"),
    ]);
    let lines = tree.check(&["--config", "ci/lint.toml"]);
    assert!(has(&lines, "a/janitor.py", "delete-on-absence"), "{lines:?}");
    assert!(!has(&lines, "a/janitor.py", "missing-grace-period"), "its patterns are those of the working directory");
    assert!(tree.refused(&["check", "--config", "nowhere.toml"]).contains("nowhere.toml: no such file"));
    let two = tree.refused(&["check", "--config", "ci/lint.toml", "--config", "a/reaplint.toml"]);
    assert!(two.contains("one file is named already"), "{two}");
}

#[test]
fn what_is_wrong_is_refused_with_its_place_and_the_name_that_was_meant() {
    let tree = Tree::new(&[("janitor.py", PODS)]);
    let refused = |text: &str| {
        std::fs::write(tree.path("reaplint.toml"), text).unwrap();
        tree.refused(&["check"])
    };
    assert!(refused("x = 1\n").contains("reaplint.toml:1:1: there is no key `x`; known are extend, select"));
    assert!(refused("\nselekt = []\n").contains("reaplint.toml:2:1: there is no key `selekt`; did you mean `select`?"));
    assert!(refused("select = [\"delete-on-abcense\"]").contains(
        "reaplint.toml: select: there is no rule or group `delete-on-abcense`; did you mean `delete-on-absence`?"
    ));
    assert!(
        refused("[per-path-ignores]\n\"x\" = [\"nope\"]")
            .contains("reaplint.toml: per-path-ignores.\"x\": there is no")
    );
    assert!(refused("exclude = [\"a{b\"]").contains("reaplint.toml: exclude: "));
    assert!(refused("max-file-size = \"2 parsecs\"").contains("reaplint.toml: max-file-size: a size is"));
    assert!(refused("[[vocabulary.call]]\nmatsh = \"x\"\n").contains("there is no key `matsh`; did you mean `match`?"));
    assert!(refused("select = 3").contains("reaplint.toml:1:10: invalid type"));
    std::fs::remove_file(tree.path("reaplint.toml")).unwrap();
    assert!(tree.refused(&["check", "--config", "selekt=[]"]).contains("--config selekt=[]: there is no key `selekt`"));
}

#[test]
fn the_settings_in_force_are_shown_with_their_places() {
    let tree = Tree::new(&[
        ("a/janitor.py", PODS),
        ("a/reaplint.toml", "extend = \"../reaplint.toml\"\nmin-confidence = \"low\"\n"),
        ("reaplint.toml", "ignore = [\"pedantic\"]\nownership-labels = [\"x.io/team\"]\n"),
        ("janitor.py", PODS),
    ]);
    let shown = text(&tree.run(&["config", "a", "--config", "pedantic=true"]).stdout);
    for (key, place) in [
        ("ignore = [\"pedantic\"]", "reaplint.toml"),
        ("min-confidence = \"low\"", "a/reaplint.toml"),
        ("ownership-labels = [\"x.io/team\"]", "reaplint.toml"),
        ("pedantic = true", "--config"),
        ("fail-level = \"warning\"", "default"),
    ] {
        let line = shown.lines().find(|line| line.starts_with(key)).unwrap_or_else(|| panic!("{key} in\n{shown}"));
        assert!(line.ends_with(&format!("# {place}")), "{line}");
    }
    let files = text(&tree.run(&["config", "--show-files"]).stdout);
    assert_eq!(files, "a/janitor.py: a/reaplint.toml\njanitor.py: reaplint.toml\n");
    // What is shown is a configuration that says the same.
    let copy = tree.path("copy.toml");
    std::fs::write(&copy, &shown).unwrap();
    let again = text(&tree.run(&["config", "--config", "copy.toml"]).stdout);
    let values =
        |text: &str| text.lines().map(|l| l.split("  #").next().unwrap_or(l).trim_end().to_owned()).collect::<Vec<_>>();
    assert_eq!(values(&shown), values(&again));
}

#[test]
fn a_file_that_cannot_be_read_is_refused() {
    let tree = Tree::new(&[("janitor.py", PODS)]);
    std::fs::write(tree.path("reaplint.toml"), b"ignore = [\"\xff\"]").unwrap();
    assert!(tree.refused(&["check"]).contains("reaplint.toml: cannot be read"));
}
