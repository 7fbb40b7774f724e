//! What several tests need: run the built binary over a folder and read its JSON.

#![allow(dead_code)]

use std::path::Path;
use std::process::Command;

/// The rules that are off unless asked for.
pub const PEDANTIC: [&str; 2] = ["missing-owner-reference", "delete-without-precondition"];

/// The rules that read code.
pub const CODE_RULES: [&str; 15] = [
    "shared-ownership-label",
    "rbac-wider-than-knowledge",
    "ownership-label-missing",
    "delete-on-absence",
    "missing-grace-period",
    "unscoped-sweep",
    "reference-read-first",
    "error-as-empty",
    "absence-marks-terminated",
    "stale-reference",
    "partial-listing",
    "test-asserts-absence-delete",
    "unsupported-field-selector",
    "missing-owner-reference",
    "delete-without-precondition",
];

/// A place and the rule that is, or should be, reported there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Found {
    /// Relative to the folder, with `/`.
    pub path: String,
    /// From 1.
    pub line: usize,
    /// The rule's name.
    pub rule: String,
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{} {}", self.path, self.line, self.rule)
    }
}

/// The findings of `reaplint check` on a folder, at default confidence, by their primary places.
pub fn check(folder: &Path, pedantic: bool) -> Result<Vec<Found>, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_reaplint"));
    command.arg("check");
    if pedantic {
        command.arg("--pedantic");
    }
    command.args(["--isolated", "--output-format", "json", "--exit-zero", "."]).current_dir(folder);
    let output = command.output().map_err(|e| e.to_string())?;
    if !output.status.success() {
        return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
    }
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).map_err(|e| format!("not the JSON of a report: {e}"))?;
    let findings = report["findings"].as_array().ok_or("the report has no list of findings")?;
    let mut found: Vec<Found> = findings.iter().map(read_finding).collect::<Result<_, _>>()?;
    found.sort();
    found.dedup();
    Ok(found)
}

fn read_finding(finding: &serde_json::Value) -> Result<Found, String> {
    let place = &finding["location"];
    let path = place["path"].as_str().ok_or("a finding has no path")?;
    let line = place["start"]["line"].as_u64().ok_or("a finding has no line")?;
    Ok(Found {
        path: path.trim_start_matches("./").to_owned(),
        line: line as usize,
        rule: finding["rule"].as_str().ok_or("a finding has no rule")?.to_owned(),
    })
}
