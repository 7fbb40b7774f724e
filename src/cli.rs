//! The command line: what can be asked, before anything is read.
//!
//! Only shapes are checked here (`--max-file-size 2MiB` is a size, `--fail-level error` is a severity); whether a rule
//! exists is [`crate::config`]'s question, whether a path exists [`crate::discover`]'s. Everything that clap refuses
//! ends the run with code 2.
//!
//! ```text
//! reaplint check src --select code --fail-level error --output-format concise --output-format json=reap.json
//! reaplint explain delete-on-absence
//! reaplint why janitor.py:9
//! ```

pub mod host;
pub mod terminal;

use crate::rules::{Confidence, Severity};
use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

/// A linter for cleanup code.
#[derive(Parser, Debug)]
#[command(
    name = "reaplint",
    version,
    about = "Finds cleanup code that deletes whatever it has no record of",
    long_about = "Finds cleanup code that deletes whatever it has no record of, before it removes something live.\n\n\
                  Exit codes: 0 nothing at or above the fail level, 1 findings, 2 the job could not be done. \
                  Nothing is sent anywhere.",
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to colour the output. Without it: a non-empty NO_COLOR, then FORCE_COLOR or CLICOLOR_FORCE, then whether
    /// the output is a terminal.
    #[arg(long, global = true, value_enum, default_value_t = ColorWhen::Auto, value_name = "WHEN")]
    pub color: ColorWhen,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Lint files and folders.
    Check(Box<CheckArgs>),
    /// Print the document of a rule: what it reports, why, and what to write instead.
    #[command(visible_alias = "rule")]
    Explain(ExplainArgs),
    /// Say for one destructive call what each question answers and from which evidence, also when it is safe.
    Why(WhyArgs),
    /// Write down the findings there are, so that only new ones are reported from now on.
    Baseline(BaselineArgs),
    /// Print the settings in force and where each comes from.
    Config(ShowConfigArgs),
    /// List the calls that are known, by library and role.
    Vocabulary(VocabularyArgs),
    /// Serve an editor over standard input and output, by the Language Server Protocol.
    Server(ServerArgs),
    /// Print the completions of a shell.
    Completions(CompletionsArgs),
    /// Print the manual page.
    Man,
}

/// When to colour.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorWhen {
    /// By the environment and the kind of output.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How findings are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A picture a destructive call.
    Full,
    /// A line a finding.
    Concise,
    /// JSON, version 1.
    Json,
    /// An object of that JSON a line.
    JsonLines,
    /// SARIF 2.1.0, as code scanning takes it.
    Sarif,
    /// Annotations of GitHub's workflows.
    Github,
    /// GitLab's Code Quality report.
    Gitlab,
    /// JUnit's XML.
    Junit,
    /// Checkstyle's XML.
    Checkstyle,
    /// reviewdog's JSON.
    Rdjson,
    /// A table for a job's summary.
    Markdown,
}

impl Format {
    /// Do fixes stand in it?
    pub fn shows_fixes(self) -> bool {
        matches!(self, Format::Json | Format::JsonLines | Format::Sarif | Format::Rdjson)
    }
}

/// The names of the forms.
const FORMATS: [(&str, Format); 11] = [
    ("full", Format::Full),
    ("concise", Format::Concise),
    ("json", Format::Json),
    ("json-lines", Format::JsonLines),
    ("sarif", Format::Sarif),
    ("github", Format::Github),
    ("gitlab", Format::Gitlab),
    ("junit", Format::Junit),
    ("checkstyle", Format::Checkstyle),
    ("rdjson", Format::Rdjson),
    ("markdown", Format::Markdown),
];

/// One `--output-format`: a form, and the file it goes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatSpec {
    /// The form.
    pub format: Format,
    /// The file; standard output (or `--output-file`) without.
    pub file: Option<PathBuf>,
}

impl FromStr for FormatSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) = match text.split_once('=') {
            Some((_, "")) => return Err("the file after `=` has no name".to_owned()),
            Some((name, file)) => (name, Some(PathBuf::from(file))),
            None => (text, None),
        };
        // An empty variable of the environment is one that is not set.
        let name = if name.is_empty() && file.is_none() { "full" } else { name };
        match FORMATS.iter().find(|(known, _)| *known == name) {
            Some((_, format)) => Ok(FormatSpec { format: *format, file }),
            None => {
                let names = FORMATS.map(|(known, _)| known).join(", ");
                Err(format!("possible formats: {names}, each also as FORMAT=FILE"))
            }
        }
    }
}

/// A size in bytes, and how the user wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// Bytes.
    pub bytes: u64,
    /// For messages: `2 MiB`.
    pub shown: String,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || "a size is a number of bytes, or has a unit: 4096, 512KiB, 2MiB, 1GiB".to_owned();
        let text = text.trim();
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let (number, unit) = text.split_at(digits);
        let (factor, unit) = match unit.trim().to_ascii_lowercase().as_str() {
            "" | "b" | "bytes" => (1, "bytes"),
            "k" | "kib" => (1 << 10, "KiB"),
            "kb" => (1000, "kB"),
            "m" | "mib" => (1 << 20, "MiB"),
            "mb" => (1_000_000, "MB"),
            "g" | "gib" => (1 << 30, "GiB"),
            "gb" => (1_000_000_000, "GB"),
            _ => return Err(bad()),
        };
        let number: u64 = number.parse().map_err(|_| bad())?;
        let bytes = number.checked_mul(factor).ok_or_else(bad)?;
        // Offsets are 32 bits wide, see `source::Span`.
        if bytes >= u64::from(u32::MAX) {
            return Err("files of 4 GiB and above are not linted".to_owned());
        }
        Ok(Size { bytes, shown: format!("{number} {unit}") })
    }
}

/// What to print instead of linting, for tests of the engine.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dump {
    /// The functions as lowered.
    Ir,
    /// What the walk leaves of every function that was looked at: effects and their conditions.
    Facts,
}

/// `reaplint check`.
#[derive(Args, Clone, Debug, Default)]
pub struct CheckArgs {
    /// Files and folders; `-` reads standard input.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// The path under which standard input is linted and reported.
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<PathBuf>,

    /// Which rules.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Exit with 1 if there is a finding of at least this severity [default: warning].
    #[arg(long, value_name = "SEVERITY", value_parser = severity(), help_heading = "Rules")]
    pub fail_level: Option<Severity>,
    /// Report what `reaplint: ignore` comments suppress, too.
    #[arg(long, help_heading = "Rules")]
    pub ignore_suppressions: bool,

    /// Write a comment with this reason above every finding, so that it is suppressed from now on; report what is left.
    #[arg(long, value_name = "REASON", require_equals = true, value_parser = reason(), conflicts_with_all = ["fix", "diff"],
          help_heading = "Rules")]
    pub add_ignore: Option<String>,

    /// full, concise, json, json-lines, sarif, github, gitlab, junit, checkstyle, rdjson or markdown; several may be
    /// given, each also as FORMAT=FILE.
    #[arg(
        long,
        value_name = "FORMAT[=FILE]",
        env = "REAPLINT_OUTPUT_FORMAT",
        hide_env_values = true,
        help_heading = "Output"
    )]
    pub output_format: Vec<FormatSpec>,
    /// Write the findings to this file instead of standard output.
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output_file: Option<PathBuf>,
    /// Make the edits that are safe, in place, and report what is left.
    #[arg(long, help_heading = "Fixes")]
    pub fix: bool,
    /// With --fix or --diff: also edits that may change what a program means. Each is tried out first.
    #[arg(long, help_heading = "Fixes")]
    pub unsafe_fixes: bool,
    /// Print what --fix would change as a diff, and change nothing; exit with 1 if there is something.
    #[arg(long, help_heading = "Fixes")]
    pub diff: bool,
    /// Count findings by rule, and what was not understood by kind of syntax (on standard error).
    #[arg(long, help_heading = "Output")]
    pub statistics: bool,
    /// Say how long each part of the run took (on standard error).
    #[arg(long, help_heading = "Output")]
    pub timings: bool,
    /// Show no progress; it is shown on a terminal only.
    #[arg(long, help_heading = "Output")]
    pub no_progress: bool,
    /// Print findings and errors only.
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Output")]
    pub quiet: bool,
    /// Say more: the rules in force, the files linted, each suppressed finding with its reason.
    #[arg(short, long, help_heading = "Output")]
    pub verbose: bool,
    /// Exit with 0 even if there are findings.
    #[arg(long, help_heading = "Output")]
    pub exit_zero: bool,
    /// Exit with 2 if a file could not be read or a part of one could not be parsed.
    #[arg(long, help_heading = "Output")]
    pub strict: bool,

    /// Leave out the findings that this file knows, which `reaplint baseline` wrote.
    #[arg(long, value_name = "FILE", help_heading = "Old findings")]
    pub baseline: Option<PathBuf>,
    /// Report only what is new since this revision of the git repository, or since where it was branched off from it.
    #[arg(long, value_name = "REV", help_heading = "Old findings")]
    pub diff_base: Option<String>,
    /// Leave out the files that git does not track; for hooks, which judge a commit.
    #[arg(long, help_heading = "Files")]
    pub no_untracked: bool,

    /// Which files.
    #[command(flatten)]
    pub files: FileArgs,
    /// Which configuration.
    #[command(flatten)]
    pub config: ConfigArgs,

    /// Use this many threads.
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Print the lowered functions instead of findings.
    #[arg(long, value_enum, hide = true, value_name = "WHAT")]
    pub dump: Option<Dump>,
}

/// Which rules run, and what of their findings counts.
#[derive(Args, Clone, Debug, Default)]
pub struct RuleArgs {
    /// Run these rules and groups only: rule names, code, manifest, sql, shell, pedantic, ALL.
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub select: Vec<String>,
    /// Run these besides.
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub extend_select: Vec<String>,
    /// Leave these out.
    #[arg(long, value_name = "RULE", value_delimiter = ',', help_heading = "Rules")]
    pub ignore: Vec<String>,
    /// Run the pedantic rules as well.
    #[arg(long, help_heading = "Rules")]
    pub pedantic: bool,
    /// Report findings of at least this severity [default: note].
    #[arg(long, value_name = "SEVERITY", value_parser = severity(), help_heading = "Rules")]
    pub min_severity: Option<Severity>,
    /// Report findings of at least this confidence [default: medium].
    #[arg(long, value_name = "CONFIDENCE", value_parser = confidence(), help_heading = "Rules")]
    pub min_confidence: Option<Confidence>,
}

/// Which files are linted.
#[derive(Args, Clone, Debug, Default)]
pub struct FileArgs {
    /// Leave out what these patterns match, in the manner of .gitignore, instead of the built-in list of folders that
    /// tools fill (node_modules, vendor, .venv, site-packages, .tox and the like).
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', help_heading = "Files")]
    pub exclude: Option<Vec<String>>,
    /// Leave out what these match as well.
    #[arg(long, value_name = "PATTERN", value_delimiter = ',', help_heading = "Files")]
    pub extend_exclude: Vec<String>,
    /// Leave out excluded files even when they are named on the command line.
    #[arg(long, help_heading = "Files")]
    pub force_exclude: bool,
    /// Lint what .gitignore and its like leave out.
    #[arg(long, help_heading = "Files")]
    pub no_respect_gitignore: bool,
    /// Skip larger files [default: 2MiB].
    #[arg(long, value_name = "SIZE", help_heading = "Files")]
    pub max_file_size: Option<Size>,
}

/// Which configuration holds.
#[derive(Args, Clone, Debug, Default)]
pub struct ConfigArgs {
    /// A configuration file to use instead of those found, or one setting that stands above them, as in
    /// --config 'min-confidence = "high"'. May be given several times.
    #[arg(long, value_name = "FILE|KEY=VALUE", help_heading = "Configuration")]
    pub config: Vec<String>,
    /// Take nothing from configuration files that are found.
    #[arg(long, help_heading = "Configuration")]
    pub isolated: bool,
}

/// `reaplint baseline`.
#[derive(Args, Debug)]
pub struct BaselineArgs {
    /// Drop entries whose finding is gone.
    #[arg(long)]
    pub prune: bool,
    /// The file to write [default: .reaplint-baseline.json].
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Files and folders.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Which rules.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Print errors only.
    #[arg(short, long)]
    pub quiet: bool,
    /// Which files.
    #[command(flatten)]
    pub files: FileArgs,
    /// Which configuration.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Use this many threads.
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

impl BaselineArgs {
    /// The run whose findings are written down.
    pub fn run(&self) -> CheckArgs {
        CheckArgs {
            paths: self.paths.clone(),
            rules: self.rules.clone(),
            quiet: self.quiet,
            files: self.files.clone(),
            config: self.config.clone(),
            threads: self.threads,
            ..CheckArgs::default()
        }
    }
}

/// `reaplint config`.
#[derive(Args, Debug)]
pub struct ShowConfigArgs {
    /// Files and folders whose settings are shown; the working directory without.
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// List the files that would be linted, each with the configuration file that holds for it.
    #[arg(long)]
    pub show_files: bool,
    /// Which files.
    #[command(flatten)]
    pub files: FileArgs,
    /// Which configuration.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// `reaplint vocabulary`.
#[derive(Args, Debug)]
pub struct VocabularyArgs {
    /// Test the rows of the configuration files against their examples.
    #[arg(long)]
    pub check: bool,
    /// Which configuration.
    #[command(flatten)]
    pub config: ConfigArgs,
}

/// `reaplint server`.
#[derive(Args, Debug)]
pub struct ServerArgs {
    /// Which configuration.
    #[command(flatten)]
    pub config: ConfigArgs,
    /// Use this many threads.
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// What is served over; there is nothing else, but many editors say so.
    #[arg(long, hide = true)]
    pub stdio: bool,
}

/// `reaplint completions`.
#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `reaplint explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// The rule.
    #[arg(required_unless_present = "all", conflicts_with = "all")]
    pub rule: Option<String>,
    /// Every rule.
    #[arg(long)]
    pub all: bool,
    /// How to write it.
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text, value_name = "FORMAT")]
    pub output_format: ExplainFormat,
}

/// How a rule's document is written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExplainFormat {
    /// For the terminal.
    Text,
    /// As it is stored.
    Markdown,
    /// An object with the rule's properties; a list of them with `--all`.
    Json,
}

/// `reaplint why`.
#[derive(Args, Debug)]
pub struct WhyArgs {
    /// The line of the destructive call.
    #[arg(value_name = "FILE:LINE")]
    pub place: FileLine,
}

/// A line of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileLine {
    /// The file.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

impl FromStr for FileLine {
    type Err = String;

    /// `janitor.py:9`, also with a column as reports print it: `janitor.py:9:17`.
    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || "expected FILE:LINE, as in janitor.py:9".to_owned();
        let (head, last) = text.rsplit_once(':').ok_or_else(bad)?;
        let last: usize = last.parse().map_err(|_| bad())?;
        let (file, line) = match head.rsplit_once(':') {
            Some((file, line)) if !file.is_empty() => match line.parse() {
                Ok(line) => (file, line),
                Err(_) => (head, last),
            },
            _ => (head, last),
        };
        if file.is_empty() || line == 0 { Err(bad()) } else { Ok(FileLine { file: file.into(), line }) }
    }
}

/// A reason that says something.
fn reason() -> ValueParser {
    ValueParser::new(|text: &str| match crate::suppress::add::tidy(text).is_empty() {
        true => Err("a reason is required: why is this safe?".to_owned()),
        false => Ok(text.to_owned()),
    })
}

fn severity() -> ValueParser {
    let words = PossibleValuesParser::new(["error", "warning", "note"]);
    ValueParser::new(words.map(|word| match word.as_str() {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => Severity::Note,
    }))
}

fn confidence() -> ValueParser {
    let words = PossibleValuesParser::new(["high", "medium", "low"]);
    ValueParser::new(words.map(|word| match word.as_str() {
        "high" => Confidence::High,
        "medium" => Confidence::Medium,
        _ => Confidence::Low,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn definitions_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes() {
        let bytes = |text: &str| text.parse::<Size>().map(|size| size.bytes);
        assert_eq!(bytes("4096"), Ok(4096));
        assert_eq!(bytes("512KiB"), Ok(524_288));
        assert_eq!(bytes("2MiB"), Ok(2_097_152));
        assert_eq!(bytes("2 MB"), Ok(2_000_000));
        for bad in ["", "KiB", "2.5MiB", "-1", "2 parsecs", "4GiB", "99999999999999999999", "18446744073709551615k"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn places() {
        let place = |text: &str| text.parse::<FileLine>().map(|place| (place.file, place.line));
        assert_eq!(place("a.py:9"), Ok(("a.py".into(), 9)));
        assert_eq!(place("a.py:9:17"), Ok(("a.py".into(), 9)));
        assert_eq!(place("C:\\a.py:9"), Ok(("C:\\a.py".into(), 9)));
        for bad in ["a.py", "a.py:", "a.py:x", ":9", "a.py:0"] {
            assert!(place(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn formats() {
        let spec = |text: &str| text.parse::<FormatSpec>();
        assert_eq!(spec("json"), Ok(FormatSpec { format: Format::Json, file: None }));
        assert_eq!(spec("json=a=b"), Ok(FormatSpec { format: Format::Json, file: Some("a=b".into()) }));
        assert!(spec("json=").is_err());
        assert_eq!(spec("json-lines"), Ok(FormatSpec { format: Format::JsonLines, file: None }));
        assert_eq!(spec(""), spec("full"), "an empty variable");
        assert!(spec("=a").is_err());
        assert!(spec("sariff").is_err());
    }
}
