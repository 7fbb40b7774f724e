//! The command line as users meet it: usage, messages, exit codes.
//!
//! `tests/cmd/*.trycmd` hold commands with their whole output; `TRYCMD=overwrite cargo test --test cli` rewrites it.

mod run;

use run::Folder;

#[test]
fn commands_and_their_output() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}

#[test]
fn hidden_files_are_linted_ignored_and_foreign_ones_are_not() {
    let folder = Folder::new();
    for path in [".github/a.py", "src/b.py", "src/.c.py", "d.pyi"] {
        folder.write(path, "x = 1\n");
    }
    for path in [".git/hooks/e.py", "build/f.py", "venv/lib/g.py", "node_modules/h.py", "notes.txt", "Makefile"] {
        folder.write(path, "x = 1\n");
    }
    folder.write(".gitignore", "build/\n");
    folder.write("bin/script", "#!/usr/bin/env python3\nx = 1\n");
    let run = folder.run("check -v");
    assert_eq!(run.linted(), [".github/a.py", "bin/script", "d.pyi", "src/.c.py", "src/b.py"]);
    assert_eq!((run.code, run.last()), (0, "5 files linted: nothing found"));
    let all = folder.run("check -v --no-respect-gitignore --exclude node_modules,/src");
    assert_eq!(all.linted(), [".github/a.py", "bin/script", "build/f.py", "d.pyi", "venv/lib/g.py"]);
    let more = folder.run("check -v --extend-exclude *.pyi");
    assert_eq!(more.linted(), [".github/a.py", "bin/script", "src/.c.py", "src/b.py"]);
}

#[test]
fn a_named_file_is_linted_unless_exclusion_is_forced() {
    let folder = Folder::new();
    folder.write("venv/a.py", "x = 1\n");
    folder.write(".git/HEAD", "");
    folder.write(".gitignore", "b.py\n");
    folder.write("b.py", "x = 1\n");
    assert_eq!(folder.run("check -v venv/a.py b.py").linted(), ["b.py", "venv/a.py"]);
    assert_eq!(folder.run("check -v venv").linted(), ["venv/a.py"]);
    let forced = folder.run("check -v --force-exclude venv/a.py b.py");
    assert_eq!((forced.linted(), forced.code), (vec!["b.py"], 0));
}

#[test]
fn paths_are_printed_relative_to_the_working_directory_and_each_file_once() {
    let folder = Folder::new();
    folder.write("src/a.py", "x = 1\n");
    let absolute = folder.path().join("src/a.py");
    let run = folder.run(&format!("check -v ./src/../src/a.py src {} .", absolute.display()));
    assert_eq!(run.linted(), ["src/a.py"]);
}

#[test]
fn standard_input() {
    let folder = Folder::new();
    assert_eq!(folder.run_with("check -v -", b"x = 1\n").linted(), ["-"]);
    assert_eq!(folder.run_with("check -v --stdin-filename src/a.py -", b"x = 1\n").linted(), ["src/a.py"]);
    let other = folder.run_with("check --stdin-filename a.txt -", b"x = 1\n");
    assert_eq!(
        (other.code, other.err.as_str()),
        (
            0,
            "skipped: a.txt: not a kind that is linted\n0 files linted: nothing found; 1 skipped (not a kind that is linted)\n"
        )
    );
    let bad = folder.run_with("check --strict -", b"x = '\xe9'\n");
    assert_eq!((bad.code, bad.last()), (2, "0 files linted: nothing found; 1 skipped (not UTF-8)"));
}

#[test]
fn output_goes_where_it_is_sent() {
    let folder = Folder::new();
    folder.write("a.py", "x = 1\n");
    let run = folder.run("check --output-format json=out.json --output-format concise=out.txt");
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert!(folder.read("out.json").contains("\"files\": 1"));
    assert_eq!(folder.read("out.txt"), "");
    folder.run("check --output-format json -o other.json");
    assert!(folder.read("other.json").contains("\"version\": 1"));
    let failed = folder.run("check --output-format json=no/such/folder.json");
    assert_eq!(failed.code, 2);
    assert!(failed.err.starts_with("error: no/such/folder.json: cannot be written: "), "{}", failed.err);
}

#[test]
fn quiet_prints_findings_and_errors_only() {
    let folder = Folder::new();
    folder.write("a.py", "x = 1  # reaplint: ignore\n");
    folder.write("b.py", "\0");
    let run = folder.run("check -q . nowhere");
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (2, "", "error: nowhere: no such file or folder\n"));
}

#[test]
fn a_suppression_without_rule_is_a_warning() {
    let folder = Folder::new();
    folder.write("a.py", "x = 1  # reaplint: ignore\n");
    let run = folder.run("check");
    assert_eq!(run.code, 0);
    assert!(run.err.starts_with("warning: a.py:1:8: this names no rule, so it suppresses nothing"), "{}", run.err);
    assert_eq!(folder.run("check --ignore-suppressions").err, "1 file linted: nothing found\n");
}

#[test]
fn statistics_go_to_standard_error() {
    let folder = Folder::new();
    folder.write("a.py", "x = 1\n");
    let run = folder.run("check --statistics --output-format json");
    assert!(run.out.starts_with('{'), "{}", run.out);
    assert!(run.err.starts_with("findings by rule: none\n"), "{}", run.err);
}

#[test]
fn colour_follows_flag_and_environment() {
    let colored = |flags: &[&str], vars: &[(&str, &str)]| {
        let mut command = run::command();
        command.args(["check", "nowhere.py"]).args(flags).envs(vars.iter().copied());
        let error = String::from_utf8(command.output().expect("ended").stderr).expect("text");
        error.contains("\u{1b}[")
    };
    assert!(!colored(&[], &[]), "a pipe");
    assert!(colored(&[], &[("FORCE_COLOR", "1")]));
    assert!(colored(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!colored(&[], &[("CLICOLOR_FORCE", "0")]));
    assert!(!colored(&[], &[("FORCE_COLOR", "1"), ("NO_COLOR", "1")]));
    assert!(colored(&[], &[("FORCE_COLOR", "1"), ("NO_COLOR", "")]));
    assert!(colored(&["--color", "always"], &[("NO_COLOR", "1")]));
    assert!(!colored(&["--color", "never"], &[("FORCE_COLOR", "1")]));
}
