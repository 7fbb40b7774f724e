//! `sarif`: SARIF 2.1.0 as GitHub's code scanning takes it.
//!
//! What decides the form is what code scanning does with it:
//!
//! ```text
//! an alert shows only if all lines of its place are in the diff     the place is the name of the call, on one line
//! the first sentence of the message is the title                    message, then the steps as links, then the help
//! `[text](id)` in it links a related place                          candidates, reference, guard, .. in this order
//! code flows are shown step by step                                 the same, and the call at the end
//! old alerts close when a file comes without them                   it is written even when it is empty
//! `primaryLocationLineHash` tells old from new                      `line_hash`
//! more than 25 000 results are refused                              the gravest and surest are kept, and it is said
//! ```
//! Suppressed findings are results with a suppression. Paths are relative to the root of the repository; what lies
//! outside has an absolute address.

mod line_hash;
mod model;
mod rules;

use super::lines::Places;
use super::repository::{Repository, Seen, encoded};
use super::{Report, fingerprint, gravity, plain};
use crate::rules::{Applicability, Confidence, Finding, Fix, Part, RULES, Step};
use crate::source::{FileId, Span};
use crate::suppress::Suppressed;
use model::{
    Artifact, Automation, Base, Change, CodeFlow, Driver, Entry, EntryProperties, FlowStep, Invocation, Location, Log,
    Logical, Message, Notice, NoticeKind, Physical, Reference, Region, Repair, RepairProperties, Replacement, Run,
    Suppression, ThreadFlow, Tool,
};
use rules::{sentence, stopped};
use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// Results in a run.
const RESULTS: usize = 25_000;
/// Places of a result, and steps of a flow.
const STEPS: usize = 1_000;
/// Bytes of a line that is quoted: of one that a tool wrote the place is enough.
const LINE: usize = 500;
/// What relative paths are relative to.
const ROOT: &str = "%SRCROOT%";

/// The kinds of notices: what was skipped, what could not be done, what is left out here.
const SKIPPED: usize = 0;
const FAILED: usize = 1;
const CUT: usize = 2;
const NOTICES: [(&str, &str, &str); 3] = [
    ("skipped", "FileSkipped", "A file, or a part of one, was not linted."),
    ("failed", "JobFailed", "A part of the job could not be done."),
    ("left-out", "ResultsLeftOut", "There are more findings than code scanning takes."),
];

/// Writes the whole log. `errors` is what could not be done.
pub fn write(report: &Report<'_>, repository: &Repository, errors: &[String], out: &mut dyn Write) -> io::Result<()> {
    write_at_most(RESULTS, report, repository, errors, out)
}

/// What there is to say where findings are left out.
pub fn notice_of(report: &Report<'_>) -> Option<String> {
    left_out(report.findings.len() + report.suppressed.len(), RESULTS)
}

fn left_out(all: usize, limit: usize) -> Option<String> {
    let text = || format!("{} of {all} findings are left out of the SARIF: code scanning takes {limit}", all - limit);
    (all > limit).then(text)
}

/// The same for another limit.
fn write_at_most(
    limit: usize,
    report: &Report<'_>,
    repository: &Repository,
    errors: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let view = View { places: report.places, repository };
    let mut items = items(report);
    let all = items.len();
    cut(&mut items, limit);
    let mut notices = notices(report, &view, errors);
    notices.extend(left_out(all, limit).map(|text| notice(CUT, "warning", stopped(&text), None)));
    let hashes = hashes(&items, report);
    let run = Run {
        tool: Tool { driver: driver() },
        invocations: [Invocation { execution_successful: errors.is_empty(), tool_execution_notifications: notices }],
        original_uri_base_ids: BTreeMap::from([(
            ROOT,
            Base { description: Message { text: "The root of the repository.".into() } },
        )]),
        automation_details: Automation { id: "reaplint/" },
        column_kind: "unicodeCodePoints",
        results: Results { items: &items, view: &view, hashes: &hashes },
    };
    let log = Log { schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] };
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

fn driver() -> Driver {
    let home = env!("CARGO_PKG_HOMEPAGE");
    let kind = |(id, name, text): (&'static str, &'static str, &'static str)| NoticeKind {
        id,
        name,
        short_description: Message { text: text.into() },
        full_description: Message { text: text.into() },
        help: Message { text: text.into() },
    };
    Driver {
        name: "reaplint",
        version: env!("CARGO_PKG_VERSION"),
        semantic_version: env!("CARGO_PKG_VERSION"),
        information_uri: (!home.is_empty()).then_some(home),
        rules: RULES.iter().map(|rule| rules::entry(rule)).collect(),
        notifications: NOTICES.map(kind).into(),
    }
}

/// A finding that becomes a result.
struct Item<'a> {
    finding: &'a Finding,
    print: String,
    suppressed: Option<&'a Suppressed>,
}

/// All findings, the suppressed ones among them, in the order of places.
fn items<'a>(report: &'a Report<'_>) -> Vec<Item<'a>> {
    let of_kept = report.findings.iter().map(|finding| (finding, None));
    let of_suppressed = report.suppressed.iter().map(|one| (&one.finding, Some(one)));
    let all: Vec<(&Finding, Option<&Suppressed>)> = of_kept.chain(of_suppressed).collect();
    // Suppressed ones come last here, so that the others have the fingerprint that they have in every report.
    let prints = fingerprint::all(all.iter().map(|(finding, _)| *finding), report.sources());
    let item = |((finding, suppressed), print)| Item { finding, print, suppressed };
    let mut items: Vec<Item> = all.into_iter().zip(prints).map(item).collect();
    items.sort_by_key(|item| (item.finding.at, item.finding.rule.name));
    items
}

/// Keeps as many as are taken: those that matter most, in their order.
fn cut(items: &mut Vec<Item<'_>>, limit: usize) {
    if items.len() <= limit {
        return;
    }
    items.sort_by_key(|item| (item.suppressed.is_some(), gravity(item.finding)));
    items.truncate(limit);
    items.sort_by_key(|item| (item.finding.at, item.finding.rule.name));
}

/// The hashes of the lines that are wanted.
fn hashes(items: &[Item<'_>], report: &Report<'_>) -> FxHashMap<(FileId, usize), String> {
    let mut wanted: BTreeMap<FileId, Vec<usize>> = BTreeMap::new();
    for item in items {
        let at = item.finding.at;
        wanted.entry(at.file).or_default().push(report.places.start(at).line);
    }
    let mut hashes = FxHashMap::default();
    for (file, lines) in wanted {
        let all = line_hash::all(&report.sources().get(file).text);
        let known = lines.into_iter().filter_map(|line| Some(((file, line), all.get(line - 1)?.clone())));
        hashes.extend(known);
    }
    hashes
}

fn notices(report: &Report<'_>, view: &View<'_, '_>, errors: &[String]) -> Vec<Notice> {
    let failed = errors.iter().map(|error| notice(FAILED, "error", stopped(&plain(error)), None));
    let skipped = report.skipped.iter().map(|one| {
        let level = if one.fault { "warning" } else { "note" };
        notice(SKIPPED, level, format!("Skipped: {}", stopped(&plain(&one.reason))), Some(view.artifact(&one.path)))
    });
    failed.chain(skipped).collect()
}

fn notice(kind: usize, level: &'static str, text: String, file: Option<Artifact>) -> Notice {
    let id = NOTICES.get(kind).map_or("", |(id, ..)| id);
    let place = |artifact_location| Location {
        physical_location: Physical { artifact_location, ..Physical::default() },
        ..Location::default()
    };
    let message = Message { text: text.into() };
    Notice {
        descriptor: Reference { id, index: kind },
        level,
        message,
        locations: file.into_iter().map(place).collect(),
    }
}

/// The results, made one after the other.
struct Results<'a, 's> {
    items: &'a [Item<'a>],
    view: &'a View<'a, 's>,
    hashes: &'a FxHashMap<(FileId, usize), String>,
}

impl Serialize for Results<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.items.iter().map(|item| self.view.entry(item, self.hashes)))
    }
}

/// How places are seen.
struct View<'a, 's> {
    places: &'a Places<'s>,
    repository: &'a Repository,
}

impl View<'_, '_> {
    fn entry<'b>(&self, item: &'b Item<'_>, hashes: &FxHashMap<(FileId, usize), String>) -> Entry<'b> {
        let finding = item.finding;
        let line = self.places.start(finding.at).line;
        let mut prints = BTreeMap::from([("reaplintContext/v1", item.print.clone())]);
        if let Some(hash) = hashes.get(&(finding.at.file, line)) {
            prints.insert("primaryLocationLineHash", hash.clone());
        }
        let steps: Vec<&Step> = finding.steps.iter().take(STEPS - 1).collect();
        let related = |(at, step): (usize, &&'b Step)| Location {
            id: Some(at + 1),
            ..self.location(step.span, Some(&step.text))
        };
        let repairs = finding.fixes.iter().filter(|fix| fix.applicability != Applicability::Display);
        Entry {
            rule_id: finding.rule.name,
            rule_index: RULES.iter().position(|rule| rule.name == finding.rule.name),
            level: finding.severity.word(),
            message: Message { text: message(finding, &steps).into() },
            locations: [self.primary(finding)],
            related_locations: steps.iter().enumerate().map(related).collect(),
            code_flows: self.flow(finding, &steps),
            partial_fingerprints: prints,
            suppressions: item.suppressed.into_iter().map(|one| self.suppression(one)).collect(),
            fixes: repairs.map(|fix| self.repair(fix)).collect(),
            properties: EntryProperties { confidence: confidence(finding.confidence) },
        }
    }

    /// The name of the call, and the line around it for those who do not have the file.
    fn primary<'b>(&self, finding: &'b Finding) -> Location<'b> {
        let span = self.places.first_line(finding.at);
        let lines = self.places.lines(span.file);
        let range = lines.range(lines.line_at(span.start));
        let line = Span::new(span.file, range.start, range.end);
        let mut location = self.location(span, None);
        if range.len() <= LINE {
            location.physical_location.region = Some(self.quoted(span));
            location.physical_location.context_region = Some(self.quoted(line));
        }
        location.logical_locations = self.logical(finding);
        location
    }

    /// A range with its text.
    fn quoted(&self, span: Span) -> Region {
        let text = self.places.sources().text(span).trim_start_matches('\u{feff}').to_owned();
        Region { snippet: Some(Message { text: text.into() }), ..self.region(span) }
    }

    /// The steps in the order of execution, and the place itself. Of one place alone there is no way to show.
    fn flow<'b>(&self, finding: &'b Finding, steps: &[&'b Step]) -> Vec<CodeFlow<'b>> {
        if steps.is_empty() {
            return Vec::new();
        }
        let here = (self.places.first_line(finding.at), finding.rule.here, Part::Delete);
        let all = steps.iter().map(|step| (step.span, step.text.as_str(), step.part)).chain([here]);
        let step = |(at, (span, text, part)): (usize, (Span, &'b str, Part))| FlowStep {
            location: self.location(span, Some(text)),
            kinds: [kind(part)],
            execution_order: at + 1,
            importance: if matches!(part, Part::Delete | Part::Guard) { "essential" } else { "important" },
        };
        let locations = all.enumerate().map(step).collect();
        vec![CodeFlow { thread_flows: [ThreadFlow { locations }] }]
    }

    fn logical<'b>(&self, finding: &'b Finding) -> Vec<Logical<'b>> {
        if finding.function.is_empty() {
            return Vec::new();
        }
        let language = self.places.sources().get(finding.at.file).language;
        let kind = if language.is_code() { "function" } else { "object" };
        vec![Logical { fully_qualified_name: &finding.function, kind }]
    }

    fn suppression<'b>(&self, one: &'b Suppressed) -> Suppression<'b> {
        Suppression {
            kind: "inSource",
            status: "accepted",
            justification: &one.reason,
            location: self.location(one.comment, None),
        }
    }

    /// Edits of one file together.
    fn repair<'b>(&self, fix: &'b Fix) -> Repair<'b> {
        let mut files: BTreeMap<FileId, Vec<Replacement<'b>>> = BTreeMap::new();
        for edit in &fix.edits {
            files.entry(edit.span.file).or_default().push(Replacement {
                deleted_region: self.region(edit.span),
                inserted_content: Message { text: edit.replacement.as_str().into() },
            });
        }
        let change = |(file, replacements)| Change { artifact_location: self.file(file), replacements };
        Repair {
            description: Message { text: sentence(&fix.message).into() },
            artifact_changes: files.into_iter().map(change).collect(),
            properties: RepairProperties { applicability: fix.applicability },
        }
    }

    fn location<'b>(&self, span: Span, text: Option<&'b str>) -> Location<'b> {
        let physical_location = Physical {
            artifact_location: self.file(span.file),
            region: Some(self.region(span)),
            ..Physical::default()
        };
        Location { physical_location, message: text.map(|text| Message { text: plain(text) }), ..Location::default() }
    }

    fn region(&self, span: Span) -> Region {
        let (start, end) = (self.places.start(span), self.places.end(span));
        Region {
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
            snippet: None,
        }
    }

    fn file(&self, file: FileId) -> Artifact {
        self.artifact(&self.places.sources().get(file).path)
    }

    fn artifact(&self, path: &Path) -> Artifact {
        match self.repository.seen(path) {
            Seen::Inside(path) => Artifact { uri: encoded(&path), uri_base_id: Some(ROOT) },
            Seen::Outside(path) => Artifact { uri: format!("file://{}", encoded(&path)), uri_base_id: None },
        }
    }
}

/// What is wrong; the way there, with links; what to do.
fn message(finding: &Finding, steps: &[&Step]) -> String {
    let mut text = no_links(&sentence(&plain(&finding.message)));
    if !steps.is_empty() {
        let link = |(at, step): (usize, &&Step)| format!("[{}]({})", bracketed(&plain(&step.text)), at + 1);
        let links: Vec<String> = steps.iter().enumerate().map(link).collect();
        text += &format!(" Steps: {}.", links.join("; "));
    }
    if !finding.help.is_empty() {
        text += &format!(" Help: {}", no_links(&sentence(&plain(&finding.help))));
    }
    text
}

/// A text that holds no link.
fn no_links(text: &str) -> String {
    text.replace("](", "\\](")
}

/// The text of a link.
fn bracketed(text: &str) -> String {
    text.replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]")
}

/// The words that SARIF has for the parts.
fn kind(part: Part) -> &'static str {
    match part {
        Part::Candidates | Part::Reference | Part::Lookup | Part::Manifest => "value",
        Part::Guard => "branch",
        Part::Helper => "call",
        Part::Delete => "danger",
    }
}

fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    }
}
