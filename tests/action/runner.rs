//! What a runner of GitHub Actions does with a composite action: expressions, conditions, outputs, and bash.

use github_actions_expressions::{Evaluation, Expr};
use github_actions_models::action::{Action, Runs, Step, StepBody};
use github_actions_models::common::{Env, If, expr::LoE};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of this repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A use of the action in a workflow.
pub struct Use<'a> {
    /// Where `action.yml` is.
    pub action: PathBuf,
    /// What was checked out.
    pub workspace: &'a Path,
    /// Where the runner keeps its files.
    pub place: &'a Path,
    pub event: &'a str,
    pub payload: Value,
    pub inputs: Vec<(&'a str, &'a str)>,
    /// Of the runner, besides what every one has.
    pub env: Vec<(&'a str, String)>,
}

/// What came of it.
#[derive(Default, Debug)]
pub struct Ran {
    pub failed: bool,
    pub log: String,
    pub summary: String,
    pub outputs: BTreeMap<String, String>,
    /// The inputs of the upload, if there was one.
    pub upload: Option<BTreeMap<String, String>>,
}

impl Ran {
    /// The lines that a runner takes for commands.
    pub fn commands(&self) -> Vec<&str> {
        let mut pause: Option<String> = None;
        let mut commands = vec![];
        for line in self.log.lines() {
            if let Some(word) = &pause {
                if line == format!("::{word}::") {
                    pause = None;
                }
            } else if let Some(word) = line.strip_prefix("::stop-commands::") {
                pause = Some(word.to_owned());
            } else if line.starts_with("::") {
                commands.push(line);
            }
        }
        assert_eq!(pause, None, "commands are stopped for good");
        commands
    }

    /// The commands of a kind that are about a file.
    pub fn annotations(&self) -> Vec<&str> {
        self.commands().into_iter().filter(|line| line.contains(" file=")).collect()
    }

    pub fn output(&self, name: &str) -> &str {
        self.outputs.get(name).map(String::as_str).unwrap_or_default()
    }

    pub fn sarif(&self) -> Value {
        let text = std::fs::read_to_string(self.output("sarif-file")).expect("a SARIF file");
        serde_json::from_str(&text).expect("JSON")
    }
}

/// What expressions may name.
struct Contexts(Value);

impl Contexts {
    fn get(&self, path: &str) -> Value {
        path.split('.').fold(self.0.clone(), |value, key| value.get(key).cloned().unwrap_or(Value::Null))
    }

    fn evaluate(&self, text: &str) -> Evaluation {
        let expression = Expr::parse(text).expect("an expression");
        let mut flat = text.to_owned();
        let mut names: Vec<&str> = expression.contexts().iter().map(|(_, origin)| origin.raw).collect();
        // The longest first: one may be the beginning of another.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        for name in names {
            let value = match self.get(name) {
                Value::Null => "null".to_owned(),
                Value::String(text) => format!("'{}'", text.replace('\'', "''")),
                other => other.to_string(),
            };
            flat = flat.replace(name, &value);
        }
        let failed = self.get("job.failed") == Value::Bool(true);
        for (call, value) in [("success()", !failed), ("failure()", failed), ("always()", true), ("cancelled()", false)]
        {
            flat = flat.replace(call, &value.to_string());
        }
        let parsed = Expr::parse(&flat).expect("an expression without names");
        parsed.consteval().unwrap_or_else(|| literal(&parsed))
    }

    fn fill(&self, template: &str) -> String {
        let mut parts = template.split("${{");
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (expression, rest) = part.split_once("}}").expect("the end of an expression");
            filled += &self.evaluate(expression.trim()).sema().to_string();
            filled += rest;
        }
        filled
    }

    fn admits(&self, condition: Option<&If>) -> bool {
        let text = match condition {
            None => "success()".to_owned(),
            Some(If::Bool(value)) => return *value,
            Some(If::Expr(text)) => text.trim().trim_start_matches("${{").trim_end_matches("}}").trim().to_owned(),
        };
        let own = ["success()", "failure()", "always()", "cancelled()"].iter().any(|call| text.contains(call));
        let text = if own { text } else { format!("success() && ({text})") };
        self.evaluate(&text).as_boolean()
    }

    fn env(&self, env: &Env) -> BTreeMap<String, String> {
        env.iter().map(|(name, value)| (name.clone(), self.fill(&value.to_string()))).collect()
    }
}

/// A constant that stands alone.
fn literal(expression: &Expr<'_>) -> Evaluation {
    match expression {
        Expr::Literal(literal) => Evaluation::String(literal.as_str().into_owned()),
        other => panic!("{other:?} is left of an expression"),
    }
}

pub fn action(folder: &Path) -> Action {
    let text = std::fs::read_to_string(folder.join("action.yml")).expect("action.yml");
    yaml_serde::from_str(&text).expect("an action")
}

impl Use<'_> {
    pub fn run(&self) -> Ran {
        let action = action(&self.action);
        let mut contexts = Contexts(json!({
            "github": { "token": "secret", "event": self.payload, "event_name": self.event, "action_repository": "" },
            "job": { "failed": false },
            "steps": {},
        }));
        let given =
            |name: &String| self.inputs.iter().find(|(known, _)| known == name).map(|(_, value)| (*value).into());
        for (name, _) in &self.inputs {
            assert!(action.inputs.contains_key(*name), "no input {name}");
        }
        let inputs: Map<String, Value> = action
            .inputs
            .iter()
            .map(|(name, input)| {
                let default = contexts.fill(input.default.as_deref().unwrap_or_default());
                (name.clone(), given(name).unwrap_or(Value::String(default)))
            })
            .collect();
        contexts.0["inputs"] = Value::Object(inputs);
        let Runs::Composite(composite) = &action.runs else { panic!("not composite") };
        let mut ran = Ran::default();
        for (number, step) in composite.steps.iter().enumerate() {
            if contexts.admits(step.r#if.as_ref()) {
                self.step(number, step, &mut contexts, &mut ran);
            }
        }
        ran.failed = contexts.get("job.failed") == Value::Bool(true);
        let put = action
            .outputs
            .iter()
            .map(|(name, output)| (name.clone(), contexts.fill(output.value.as_deref().unwrap_or_default())));
        ran.outputs = put.collect();
        ran
    }

    fn step(&self, number: usize, step: &Step, contexts: &mut Contexts, ran: &mut Ran) {
        let LoE::Literal(env) = &step.env else { panic!("an expression for an environment") };
        match &step.body {
            StepBody::Uses { with: LoE::Literal(with), .. } => {
                assert_eq!(contexts.get("job.failed"), Value::Bool(false), "an upload after the job failed");
                ran.upload = Some(contexts.env(with));
            }
            StepBody::Uses { .. } => panic!("an expression for inputs"),
            StepBody::Run { run, .. } => {
                assert!(!run.contains("${{"), "an expression in a script: {run}");
                let (good, outputs) = self.bash(number, run, contexts.env(env), ran);
                if let Some(id) = &step.id {
                    contexts.0["steps"][id] = json!({ "outputs": outputs });
                }
                if !good {
                    contexts.0["job"]["failed"] = Value::Bool(true);
                }
            }
        }
    }

    fn bash(&self, number: usize, run: &str, env: BTreeMap<String, String>, ran: &mut Ran) -> (bool, Value) {
        let file = |name: &str| self.place.join(format!("{name}-{number}"));
        for name in ["output", "summary"] {
            std::fs::write(file(name), "").expect("a file of the runner");
        }
        let temp = self.place.join("temp");
        std::fs::create_dir_all(&temp).expect("a folder of the runner");
        let payload = self.place.join("event.json");
        std::fs::write(&payload, self.payload.to_string()).expect("the event");
        let mut bash = Command::new("bash");
        bash.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", run]);
        bash.current_dir(self.workspace).env_clear();
        for name in ["PATH", "HOME", "CARGO_HOME", "RUSTUP_HOME", "LD_LIBRARY_PATH"] {
            bash.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        bash.envs([("GITHUB_ACTIONS", "true"), ("CI", "true"), ("GITHUB_REPOSITORY", "owner/project")]);
        bash.envs([("GITHUB_EVENT_NAME", self.event), ("GITHUB_SHA", "0123abc"), ("GITHUB_ACTOR", "somebody")]);
        bash.envs([("RUNNER_OS", "Linux"), ("RUNNER_ARCH", "X64"), ("GITHUB_API_URL", "file:///nowhere")]);
        bash.envs([("GITHUB_ACTION_PATH", &self.action), ("GITHUB_WORKSPACE", &self.workspace.to_path_buf())]);
        bash.envs([
            ("RUNNER_TEMP", &temp),
            ("RUNNER_TOOL_CACHE", &self.place.join("tools")),
            ("GITHUB_EVENT_PATH", &payload),
        ]);
        bash.envs([("GITHUB_OUTPUT", file("output")), ("GITHUB_STEP_SUMMARY", file("summary"))]);
        let ran_by = bash.envs(env).envs(self.env.iter().map(|(name, value)| (*name, value))).output();
        let output = ran_by.expect("bash runs");
        ran.log += &text(&output.stdout);
        ran.log += &text(&output.stderr);
        ran.summary += &std::fs::read_to_string(file("summary")).expect("a summary");
        let put = std::fs::read_to_string(file("output")).expect("outputs");
        let put = put.lines().filter_map(|line| line.split_once('='));
        let outputs: Map<String, Value> = put.map(|(name, value)| (name.to_owned(), value.into())).collect();
        (output.status.success(), Value::Object(outputs))
    }
}
