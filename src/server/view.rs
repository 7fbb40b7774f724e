//! What an editor shows of a document: one entry a destructive call, with everything that may be asked of it.

use super::documents::Document;
use super::positions::Encoding;
use super::run::Laid;
use super::uri;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString, Range,
    TextEdit, Uri,
};
use reaplint::report::{self, Report, full};
use reaplint::rules::{Applicability, Confidence, Edit, Finding, Fix, Rule, Severity, Step};
use reaplint::source::{FileId, Span};
use reaplint::suppress::{Remark, add};
use std::path::Path;

/// The name under which everything is shown.
pub const SOURCE: &str = "reaplint";

/// What stands where the reason of a suppression belongs.
const REASON: &str = "TODO: say why this is safe";

/// What there is to say of a document.
#[derive(Clone, Debug)]
pub struct View {
    /// The document.
    pub uri: Uri,
    /// The version that was linted.
    pub version: i32,
    /// In the order of their places.
    pub entries: Vec<Entry>,
}

/// A destructive call, or a comment with which something is wrong.
#[derive(Clone, Debug)]
pub struct Entry {
    /// As the editor shows it.
    pub diagnostic: Diagnostic,
    /// The rules that speak of it, the gravest first.
    pub rules: Vec<&'static Rule>,
    /// What can be done about it.
    pub actions: Vec<Action>,
}

/// Edits under a title.
#[derive(Clone, Debug)]
pub struct Action {
    /// What they do.
    pub title: String,
    /// May be made unseen.
    pub safe: bool,
    /// By document: its version, where it is open.
    pub edits: Vec<(Uri, Option<i32>, Vec<TextEdit>)>,
}

impl View {
    /// Nothing.
    pub fn empty(document: &Document) -> View {
        View { uri: document.uri.clone(), version: document.version, entries: vec![] }
    }
}

/// A report, and who looks at it.
pub struct Viewer<'a> {
    /// The report.
    pub report: &'a Report<'a>,
    /// What there is to say of comments.
    pub remarks: &'a [Remark],
    /// The folder that paths are relative to, as the editor calls it.
    pub folder: &'a Path,
    /// What is open.
    pub open: &'a [Laid<'a>],
    /// How positions are counted.
    pub encoding: Encoding,
}

impl Viewer<'_> {
    /// What there is to say of each open document.
    pub fn views(&self) -> Vec<View> {
        let groups = report::groups(&self.report.findings);
        self.open.iter().map(|laid| self.view(laid, &groups)).collect()
    }

    fn view(&self, laid: &Laid<'_>, groups: &[Vec<&Finding>]) -> View {
        let mut view = View::empty(laid.document);
        let file = self.report.sources().files.iter().find(|file| file.path == laid.path);
        let Some(file) = file.map(|file| file.id) else { return view };
        for group in groups {
            let own: Vec<&Finding> = group.iter().copied().filter(|finding| finding.at.file == file).collect();
            view.entries.extend(self.entry(&own));
        }
        view.entries.extend(self.remarks.iter().filter(|remark| remark.at.file == file).map(|one| self.remark(one)));
        view.entries.sort_by_key(|entry| (entry.diagnostic.range.start, entry.diagnostic.range.end));
        view
    }

    /// The findings of one call; nothing where there are none.
    fn entry(&self, group: &[&Finding]) -> Option<Entry> {
        let first = group.first()?;
        let said = report::said(group);
        let mut lines = vec![sure(first)];
        lines.extend(said.iter().skip(1).map(|one| format!("also {}: {}", one.rule.name, sure(one))));
        if !first.help.is_empty() {
            lines.push(format!("help: {}", first.help));
        }
        let diagnostic = Diagnostic {
            range: self.range(self.report.places.first_line(first.at)),
            severity: Some(severity(first.severity)),
            code: Some(NumberOrString::String(first.rule.name.to_owned())),
            source: Some(SOURCE.to_owned()),
            message: lines.join("\n"),
            related_information: Some(self.steps(first, group)),
            ..Diagnostic::default()
        };
        let mut rules: Vec<&'static Rule> = vec![];
        for finding in group {
            if !rules.iter().any(|rule| rule.name == finding.rule.name) {
                rules.push(finding.rule);
            }
        }
        Some(Entry { diagnostic, rules, actions: self.actions(group) })
    }

    /// The way to the call, and its twins.
    fn steps(&self, first: &Finding, group: &[&Finding]) -> Vec<DiagnosticRelatedInformation> {
        let others = full::steps(group).into_iter().filter(|(step, _)| step.span != first.at);
        let place = |(step, _): (Step, bool)| {
            let range = self.range(self.report.places.first_line(step.span));
            let location = Location { uri: self.uri(step.span.file)?, range };
            Some(DiagnosticRelatedInformation { location, message: step.text })
        };
        others.filter_map(place).collect()
    }

    fn remark(&self, remark: &Remark) -> Entry {
        let (severity, tags) = match remark.unused {
            true => (DiagnosticSeverity::INFORMATION, Some(vec![DiagnosticTag::UNNECESSARY])),
            false => (DiagnosticSeverity::WARNING, None),
        };
        let diagnostic = Diagnostic {
            range: self.range(self.report.places.first_line(remark.at)),
            severity: Some(severity),
            source: Some(SOURCE.to_owned()),
            message: remark.text.clone(),
            tags,
            ..Diagnostic::default()
        };
        let edit = remark.edit.as_ref().map(std::slice::from_ref);
        let actions = edit.and_then(|edit| self.action("remove what suppresses nothing", true, edit));
        Entry { diagnostic, rules: vec![], actions: actions.into_iter().collect() }
    }

    /// Fixes, the safe ones first, and comments that suppress.
    fn actions(&self, group: &[&Finding]) -> Vec<Action> {
        let fixes = group.iter().flat_map(|finding| &finding.fixes);
        let offered = fixes.filter(|fix| fix.applicability != Applicability::Display && !fix.edits.is_empty());
        let mut out: Vec<Action> = offered.filter_map(|fix| self.fix(fix)).collect();
        out.sort_by_key(|action| !action.safe);
        let mut names: Vec<&str> = vec![];
        for finding in group {
            let name = finding.rule.name;
            let twins: Vec<&Finding> = group.iter().copied().filter(|other| other.rule.name == name).collect();
            if !names.contains(&name) {
                names.push(name);
                out.extend(self.suppression(&twins, &format!("suppress {name} with a comment")));
            }
        }
        if names.len() > 1 {
            out.extend(self.suppression(group, "suppress everything here with a comment"));
        }
        out
    }

    fn suppression(&self, findings: &[&Finding], title: &str) -> Option<Action> {
        let added = add::comments(findings, self.report.places, REASON);
        let all: usize = added.iter().map(|one| one.findings.len()).sum();
        let edits: Vec<Edit> = added.into_iter().map(|one| one.edit).collect();
        (all == findings.len()).then(|| self.action(title, false, &edits)).flatten()
    }

    fn fix(&self, fix: &Fix) -> Option<Action> {
        let safe = fix.applicability == Applicability::Safe;
        let title = if safe { fix.message.clone() } else { format!("{} (may change what it does)", fix.message) };
        self.action(&title, safe, &fix.edits)
    }

    fn action(&self, title: &str, safe: bool, edits: &[Edit]) -> Option<Action> {
        let mut files: Vec<FileId> = edits.iter().map(|edit| edit.span.file).collect();
        files.sort();
        files.dedup();
        let of = |file: FileId| {
            let own = edits.iter().filter(|edit| edit.span.file == file);
            let edits = own.map(|edit| TextEdit::new(self.range(edit.span), edit.replacement.clone())).collect();
            Some((self.uri(file)?, self.open_of(file).map(|document| document.version), edits))
        };
        let edits: Option<Vec<_>> = files.into_iter().map(of).collect();
        Some(Action { title: title.to_owned(), safe, edits: edits.filter(|edits| !edits.is_empty())? })
    }

    fn open_of(&self, file: FileId) -> Option<&Document> {
        let path = &self.report.sources().get(file).path;
        self.open.iter().find(|laid| laid.path == *path).map(|laid| laid.document)
    }

    /// The editor's own name of a document that is open.
    fn uri(&self, file: FileId) -> Option<Uri> {
        match self.open_of(file) {
            Some(document) => Some(document.uri.clone()),
            None => uri::of_path(&self.folder.join(&self.report.sources().get(file).path)),
        }
    }

    fn range(&self, span: Span) -> Range {
        let text = &self.report.sources().get(span.file).text;
        let lines = self.report.places.lines(span.file);
        self.encoding.range(text, lines, span.start as usize..span.end as usize)
    }
}

/// A message, with how sure it is where it is not.
fn sure(finding: &Finding) -> String {
    match finding.confidence {
        Confidence::High => finding.message.clone(),
        Confidence::Medium => format!("{} (medium confidence)", finding.message),
        Confidence::Low => format!("{} (low confidence)", finding.message),
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    }
}
