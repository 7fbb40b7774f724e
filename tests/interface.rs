//! The names that others rest on: commands, flags, and what they show.

mod run;

use run::Folder;

/// Every command.
const COMMANDS: [&str; 9] =
    ["check", "explain", "why", "baseline", "config", "vocabulary", "server", "completions", "man"];

/// Every flag of `check`.
const FLAGS: &str = "--stdin-filename --select --extend-select --ignore --pedantic --min-severity --min-confidence
    --fail-level --output-format --output-file --fix --unsafe-fixes --diff --baseline --diff-base --config --isolated
    --exclude --extend-exclude --force-exclude --no-respect-gitignore --no-untracked --max-file-size --ignore-suppressions --add-ignore
    --exit-zero --strict --statistics --timings --quiet --verbose --threads --color --no-progress";

/// Flags of one letter.
const SHORT: &str = "-o -q -v -j -h";

#[test]
fn every_flag_is_in_the_help_and_every_flag_of_the_help_is_known() {
    let help = Folder::new().run("check --help").out;
    let words: Vec<&str> = help.lines().filter(|line| line.trim_start().starts_with('-')).collect();
    let flag = |word: &&str| word.starts_with("--") || word.len() > 1 && word.starts_with('-');
    let shown: Vec<&str> = words
        .iter()
        .flat_map(|line| line.split_whitespace().take_while(flag).collect::<Vec<_>>())
        .map(|word| word.trim_end_matches(',').split(['=', '[']).next().unwrap_or_default())
        .collect();
    let known: Vec<&str> = FLAGS.split_whitespace().chain(SHORT.split_whitespace()).chain(["--help"]).collect();
    for flag in &known {
        assert!(shown.contains(flag), "{flag}:\n{help}");
    }
    for flag in shown {
        assert!(known.contains(&flag), "{flag} is in no list");
    }
}

#[test]
fn every_command_says_what_it_does() {
    let folder = Folder::new();
    let help = folder.run("--help").out;
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
        let own = folder.run(&format!("{command} --help"));
        assert!(own.code == 0 && own.out.contains("Usage: reaplint "), "{command}: {}", own.err);
    }
}

/// A cleaner, a helper, a manifest.
fn tree() -> Folder {
    let folder = Folder::new();
    folder.write("janitor.py", "import shutil\n\ndef sweep(path, rows):\n    shutil.rmtree(path)\n");
    folder.write("web.yaml", WEB);
    folder
}

#[test]
fn timings_name_the_parts_of_a_run() {
    let run = tree().run("check --timings");
    let names: Vec<&str> = run.err.lines().filter_map(|line| line.split(" ms  ").nth(1)).collect();
    let wanted = [
        "find and read files (2)",
        "read configuration and vocabulary",
        "index files (2)",
        "parse functions (",
        "walk functions",
        "ask about deletes (",
        "read manifests and commands",
        "rules about functions and manifests",
        "suppressions",
        "what is not new",
        "fixes",
        "report",
        "in all",
    ];
    assert_eq!(names.len(), wanted.len(), "{}", run.err);
    for (name, wanted) in names.iter().zip(wanted) {
        assert!(name.starts_with(wanted), "{name} is not {wanted}");
    }
    assert!(!run.out.contains("timings"), "findings go to standard output, and nothing else does");
    assert!(!tree().run("check").err.contains("timings"));
}

#[test]
fn a_pipe_sees_no_progress() {
    for flags in ["check", "check --no-progress", "check -q"] {
        let run = tree().run(flags);
        assert!(!run.err.contains('\r') && !run.err.contains('\u{1b}'), "{flags}: {:?}", run.err);
    }
}

#[test]
fn findings_go_to_the_file_that_is_named() {
    let folder = tree();
    folder.write("reaplint.toml", "ownership-labels = [\"x.io/owner\"]\n");
    for flag in ["-o", "--output-file"] {
        let run = folder.run(&format!("check --output-format concise {flag} out.txt"));
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{}", run.err);
        assert!(folder.read("out.txt").contains("[ownership-label-missing]"));
    }
}

#[test]
fn rules_are_added_to_those_that_are_selected() {
    let folder = tree();
    folder.write("reaplint.toml", "ownership-labels = [\"x.io/owner\"]\n");
    assert_eq!(folder.run("check --select delete-on-absence").code, 0);
    assert_eq!(folder.run("check --select delete-on-absence --extend-select ownership-label-missing").code, 1);
}

#[test]
fn the_manual_and_the_completions_name_every_command() {
    let folder = Folder::new();
    let manual = folder.run("man").out;
    assert!(manual.starts_with(".ie") || manual.starts_with(".TH"), "{manual}");
    for command in COMMANDS {
        assert!(manual.contains(&format!("reaplint\\-{command}")), "{command}");
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let text = folder.run(&format!("completions {shell}")).out;
        assert!(COMMANDS.iter().all(|command| text.contains(command)), "{shell}");
        assert!(text.contains("add-ignore"), "{shell}");
    }
}

const WEB: &str = "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
        x.io/owner: a
    spec:
      containers: []
";

#[test]
fn why_says_of_a_manifest_what_is_reported_there() {
    let folder = tree();
    folder.write("reaplint.toml", "ownership-labels = [\"x.io/owner\"]\n");
    let found = folder.run("check --output-format concise web.yaml").out;
    let line: usize = found.split(':').nth(1).and_then(|line| line.parse().ok()).unwrap_or_else(|| panic!("{found}"));
    let run = folder.run(&format!("why web.yaml:{line}"));
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("ownership-label-missing: ") && run.out.contains("help: "), "{}", run.out);
    let other = folder.run("why web.yaml:1");
    assert_eq!(other.code, 0, "{}", other.err);
    assert!(other.out.starts_with("web.yaml:1: nothing is reported here\nin this file: web.yaml:"), "{}", other.out);
    assert!(other.out.contains("`reaplint explain RULE`"), "{}", other.out);
    // What is suppressed is said, too.
    folder.run("check --add-ignore=ours web.yaml");
    let run = folder.run(&format!("why web.yaml:{}", line + 1));
    assert!(
        run.out.starts_with(&format!("web.yaml:{}: ownership-label-missing is suppressed: ours\n", line + 1)),
        "{}",
        run.out
    );
}
