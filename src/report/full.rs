//! `full`: one picture a destructive call, drawn by miette.
//!
//! ```text
//!   x delete-on-absence: this Deployment is deleted because no row was found for it
//!   | also unscoped-sweep: every namespace is listed, the rows are of one environment
//!    ,-[janitor.py:7:14]
//!  7 |     for d in api.list_deployment_for_all_namespaces().items:
//!    :              ------------------+-------------------
//!    :                                `-- 1. every namespace is listed here
//!  ...
//!   help: delete only what has a row that is finished
//! ```
//!
//! The gravest rule speaks; the others are its further reasons. Marks are numbered in the order of execution, and so
//! are the boxes where the steps lie in several functions or files.

use super::picture::{Drawn, Mark, Picture};
use super::{Look, Report, groups, plain, said, wrapped};
use crate::rules::{Confidence, Finding, Part, Severity, Step};
use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode, ThemeCharacters, ThemeStyles,
};
use std::fmt;
use std::io::{self, Write};

/// Draws every group, in the order of the first finding of each.
pub fn write(report: &Report<'_>, look: Look, out: &mut dyn Write) -> io::Result<()> {
    for group in groups(&report.findings) {
        let drawing = Drawing::new(&group, report, look);
        let mut text = String::new();
        // Writing to a string does not fail, and the picture holds every range that it is asked for.
        let _ = drawing.handler(look).render_report(&mut text, &drawing);
        writeln!(out, "{}\n", tidy(&text))?;
    }
    Ok(())
}

/// Without the space and the empty lines that miette leaves at ends.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// One group, as miette sees it.
#[derive(Debug)]
struct Drawing {
    severity: Severity,
    head: String,
    help: String,
    picture: Picture,
    labels: Vec<Label>,
}

#[derive(Debug)]
struct Label {
    drawn: Drawn,
    text: String,
    primary: bool,
    part: Part,
}

impl Drawing {
    fn new(group: &[&Finding], report: &Report<'_>, look: Look) -> Drawing {
        let steps = steps(group);
        let marks: Vec<Mark> = steps.iter().map(|(step, primary)| mark(step, *primary)).collect();
        let (picture, drawn) = Picture::new(&marks, report.places, look.width);
        let label = |drawn: Drawn| {
            let of = |mark: &usize| steps.get(*mark).map(|(step, primary)| (*mark, step, *primary));
            let own: Vec<_> = drawn.marks.iter().filter_map(of).collect();
            let primary = own.iter().any(|(.., primary)| *primary);
            let column = drawn.column + drawn.range.len() / 2;
            let room = look.width.saturating_sub(column + 4);
            let says = |(mark, step, _): &(usize, &Step, bool)| wrapped(&numbered(*mark, step, steps.len()), room);
            let text = own.iter().flat_map(says).collect::<Vec<_>>().join("\n");
            let part = own.iter().map(|(_, step, _)| step.part).max().unwrap_or(Part::Delete);
            Label { drawn, text, primary, part }
        };
        let mut labels: Vec<Label> = drawn.into_iter().map(label).collect();
        labels.sort_by_key(|label| label.drawn.range.start);
        let first = group.first();
        let mut head = head(group, look);
        // Whoever looks for the place finds it at the top, whichever box comes first.
        if let Some(finding) = first.filter(|_| !labels.iter().any(|one| one.primary && picture.opens_with(&one.drawn)))
        {
            head += &format!("\nat {}", report.places.shown(finding.at));
        }
        Drawing {
            severity: first.map_or(Severity::Note, |finding| finding.severity),
            head,
            help: first.map(|finding| plain(&finding.help).into_owned()).unwrap_or_default(),
            picture,
            labels,
        }
    }

    fn handler(&self, look: Look) -> GraphicalReportHandler {
        let mut styles = if look.color { ThemeStyles::ansi() } else { ThemeStyles::none() };
        let usual = styles.highlights.clone();
        let style = |label: &Label| match label.part {
            _ if label.primary => match self.severity {
                Severity::Error => styles.error,
                Severity::Warning => styles.warning,
                Severity::Note => styles.advice,
            },
            Part::Candidates | Part::Reference => styles.help,
            Part::Helper => usual.first().copied().unwrap_or(styles.link),
            _ => usual.get(1).copied().unwrap_or(styles.link),
        };
        styles.highlights = self.labels.iter().map(style).collect();
        let characters = if look.unicode { ThemeCharacters::unicode() } else { ThemeCharacters::ascii() };
        GraphicalReportHandler::new_themed(GraphicalTheme { characters, styles })
            .with_width(look.width)
            .with_context_lines(1)
            .with_urls(false)
            .without_syntax_highlighting()
    }
}

/// Every place that takes part, once, in the order of execution: the steps, then the calls themselves. A step that
/// only a further reason has goes before the one that follows it there. With each: is it a call?
pub fn steps(group: &[&Finding]) -> Vec<(Step, bool)> {
    let mut all: Vec<(Step, bool)> = Vec::new();
    for finding in group {
        let mut before = all.len();
        for step in finding.steps.iter().rev() {
            match all.iter().position(|(other, _)| other.span == step.span && other.part == step.part) {
                Some(at) => before = at,
                None => all.insert(before, (step.clone(), false)),
            }
        }
    }
    for finding in group {
        match all.iter_mut().find(|(step, _)| step.span == finding.at) {
            Some((_, primary)) => *primary = true,
            None => all.push((here(finding), true)),
        }
    }
    all
}

/// The primary place as a step; the message stands above the picture.
fn here(finding: &Finding) -> Step {
    Step { span: finding.at, part: Part::Delete, text: finding.rule.here.to_owned() }
}

fn mark(step: &Step, primary: bool) -> Mark {
    Mark { span: step.span, primary }
}

fn numbered(index: usize, step: &Step, count: usize) -> String {
    let text = plain(&step.text);
    if count > 1 { format!("{}. {text}", index + 1) } else { text.into_owned() }
}

/// The gravest rule's message, then the others as further reasons.
fn head(group: &[&Finding], look: Look) -> String {
    let (bold, end) = if look.color { ("\u{1b}[1m", "\u{1b}[0m") } else { ("", "") };
    let mut lines = Vec::new();
    for finding in said(group) {
        let also = if lines.is_empty() { "" } else { "also " };
        let sure = match finding.confidence {
            Confidence::High => "",
            Confidence::Medium => " (medium confidence)",
            Confidence::Low => " (low confidence)",
        };
        let line = format!("{also}{}: {}{sure}", finding.rule.name, plain(&finding.message));
        // miette indents by four and leaves two columns at the right.
        let mut parts = wrapped(&line, look.width.saturating_sub(8)).into_iter();
        let first = parts.next().unwrap_or_default();
        let first = first.replacen(finding.rule.name, &format!("{bold}{}{end}", finding.rule.name), 1);
        lines.push(parts.fold(first, |whole, part| format!("{whole}\n  {part}")));
    }
    lines.join("\n")
}

impl fmt::Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.head)
    }
}

impl std::error::Error for Drawing {}

impl Diagnostic for Drawing {
    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        (!self.help.is_empty()).then(|| Box::new(&self.help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.picture)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = |label: &Label| {
            let (offset, length) = (label.drawn.range.start, label.drawn.range.len());
            let text = Some(label.text.clone());
            if label.primary {
                LabeledSpan::new_primary_with_span(text, (offset, length))
            } else {
                LabeledSpan::new(text, offset, length)
            }
        };
        Some(Box::new(self.labels.iter().map(label)))
    }
}
