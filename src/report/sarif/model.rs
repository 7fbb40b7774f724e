//! As much of SARIF 2.1.0 as is written here.
//!
//! Own types, not those of a crate. `serde-sarif` (MIT) has them all, made from the schema when it is built; but it does not
//! compile by itself with today's `serde`, its generator has not been kept up, and one result with ten steps takes 40 kB in
//! it, most of that for what is absent, where code scanning takes 25 000 results. The tests read the output back with it,
//! and with the schema it brings.

use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The file.
#[derive(Serialize)]
pub(super) struct Log<R: Serialize> {
    #[serde(rename = "$schema")]
    pub(super) schema: &'static str,
    pub(super) version: &'static str,
    pub(super) runs: [Run<R>; 1],
}

/// One run of the tool. `R` gives the results one after the other, so that they are never all there.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Run<R: Serialize> {
    pub(super) tool: Tool,
    pub(super) invocations: [Invocation; 1],
    pub(super) original_uri_base_ids: BTreeMap<&'static str, Base>,
    pub(super) automation_details: Automation,
    pub(super) column_kind: &'static str,
    pub(super) results: R,
}

#[derive(Serialize)]
pub(super) struct Tool {
    pub(super) driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
    pub(super) semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) information_uri: Option<&'static str>,
    pub(super) rules: Vec<RuleEntry>,
    pub(super) notifications: Vec<NoticeKind>,
}

/// A rule.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RuleEntry {
    pub(super) id: &'static str,
    pub(super) name: String,
    pub(super) short_description: Message<'static>,
    pub(super) full_description: Message<'static>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help_uri: Option<String>,
    pub(super) help: Help,
    pub(super) default_configuration: Configuration,
    pub(super) properties: RuleProperties,
}

#[derive(Serialize)]
pub(super) struct Help {
    pub(super) text: String,
    pub(super) markdown: &'static str,
}

#[derive(Serialize)]
pub(super) struct Configuration {
    pub(super) enabled: bool,
    pub(super) level: &'static str,
}

/// What code scanning reads of a rule beyond the standard.
#[derive(Serialize)]
pub(super) struct RuleProperties {
    pub(super) precision: &'static str,
    #[serde(rename = "problem.severity")]
    pub(super) problem_severity: &'static str,
    #[serde(rename = "security-severity", skip_serializing_if = "Option::is_none")]
    pub(super) security_severity: Option<&'static str>,
    pub(super) tags: Vec<&'static str>,
}

/// A kind of notice.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoticeKind {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) short_description: Message<'static>,
    pub(super) full_description: Message<'static>,
    pub(super) help: Message<'static>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Invocation {
    pub(super) execution_successful: bool,
    pub(super) tool_execution_notifications: Vec<Notice>,
}

/// What happened besides the findings.
#[derive(Serialize)]
pub(super) struct Notice {
    pub(super) descriptor: Reference,
    pub(super) level: &'static str,
    pub(super) message: Message<'static>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) locations: Vec<Location<'static>>,
}

#[derive(Serialize)]
pub(super) struct Reference {
    pub(super) id: &'static str,
    pub(super) index: usize,
}

#[derive(Serialize)]
pub(super) struct Base {
    pub(super) description: Message<'static>,
}

#[derive(Serialize)]
pub(super) struct Automation {
    pub(super) id: &'static str,
}

#[derive(Serialize)]
pub(super) struct Message<'a> {
    pub(super) text: Cow<'a, str>,
}

/// A finding.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Entry<'a> {
    pub(super) rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rule_index: Option<usize>,
    pub(super) level: &'static str,
    pub(super) message: Message<'a>,
    pub(super) locations: [Location<'a>; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) related_locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) code_flows: Vec<CodeFlow<'a>>,
    pub(super) partial_fingerprints: BTreeMap<&'static str, String>,
    /// Empty where nothing suppresses it: all results of a run have it, or none.
    pub(super) suppressions: Vec<Suppression<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) fixes: Vec<Repair<'a>>,
    pub(super) properties: EntryProperties,
}

#[derive(Serialize)]
pub(super) struct EntryProperties {
    pub(super) confidence: &'static str,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Location<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<usize>,
    pub(super) physical_location: Physical,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) logical_locations: Vec<Logical<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<Message<'a>>,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Physical {
    pub(super) artifact_location: Artifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) region: Option<Region>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) context_region: Option<Region>,
}

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
pub(super) struct Artifact {
    pub(super) uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) uri_base_id: Option<&'static str>,
}

/// All four numbers, which code scanning requires, and what stands there.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Region {
    pub(super) start_line: usize,
    pub(super) start_column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) snippet: Option<Message<'static>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Logical<'a> {
    pub(super) fully_qualified_name: &'a str,
    pub(super) kind: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CodeFlow<'a> {
    pub(super) thread_flows: [ThreadFlow<'a>; 1],
}

#[derive(Serialize)]
pub(super) struct ThreadFlow<'a> {
    pub(super) locations: Vec<FlowStep<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FlowStep<'a> {
    pub(super) location: Location<'a>,
    pub(super) kinds: [&'static str; 1],
    pub(super) execution_order: usize,
    pub(super) importance: &'static str,
}

#[derive(Serialize)]
pub(super) struct Suppression<'a> {
    pub(super) kind: &'static str,
    pub(super) status: &'static str,
    pub(super) justification: &'a str,
    pub(super) location: Location<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Repair<'a> {
    pub(super) description: Message<'a>,
    pub(super) artifact_changes: Vec<Change<'a>>,
    pub(super) properties: RepairProperties,
}

#[derive(Serialize)]
pub(super) struct RepairProperties {
    pub(super) applicability: crate::rules::Applicability,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Change<'a> {
    pub(super) artifact_location: Artifact,
    pub(super) replacements: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Replacement<'a> {
    pub(super) deleted_region: Region,
    pub(super) inserted_content: Message<'a>,
}
