//! Edits that mend what a rule reports, where the shape of the code allows: what `--unsafe-fixes` makes.
//!
//! ```text
//! return row is None or not is_active(row)      guard       row is not None and not is_active(row)
//! except ApiError: pods = []                    failure     raise
//! pods = list_pods(); secrets = list_secrets()  order       the other way round
//! api.delete_namespaced_pod(pod.metadata.name)  age         if now - pod.metadata.creation_timestamp < ten minutes: continue
//! field_selector="spec.image=old"               selector     a condition in the code
//! c.Delete(ctx, p.Name, DeleteOptions{})        precondition  DeleteOptions{Preconditions: NewUIDPreconditions(p.UID)}
//! ```
//! What is needed to mend is a rule's data ([`Mend`]); where the places are, its finding says; how a language writes it, is
//! known here alone. Each may change what a program means, and none is made unless the rule has nothing more to say
//! afterwards: [`crate::fix`] tries them out. What holds a comment is not rewritten.

mod age;
mod code;
mod failure;
mod guard;
mod order;
mod precondition;
mod selector;

use crate::rules::{Applicability, Edit, Finding, Fix, Mend};
use crate::source::{FileId, Sources};
use code::Code;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// Adds a fix to each finding that has none and whose code has the shape for one.
pub fn propose(findings: &mut [Finding], sources: &Sources) {
    let files = Files { sources, known: RefCell::default() };
    for finding in findings.iter_mut().filter(|finding| finding.fixes.is_empty()) {
        let fix = finding.rule.mend.and_then(|mend| fix(finding, mend, &files));
        finding.fixes.extend(fix);
    }
}

fn fix(finding: &Finding, mend: Mend, files: &Files<'_>) -> Option<Fix> {
    let (message, edits) = match mend {
        Mend::Guard => ("let only what was found through", guard::edits(finding, files)?),
        Mend::Failure => ("let the failure end the sweep", failure::edits(finding, files)?),
        Mend::Order => ("list the candidates first", order::edits(finding, files)?),
        Mend::Age => ("spare what is younger than ten minutes", age::edits(finding, files)?),
        Mend::Selector => ("ask in the code what the server cannot be asked", selector::edits(finding, files)?),
        Mend::Precondition => ("delete only the object that was looked at", precondition::edits(finding, files)?),
    };
    Some(Fix { message: message.to_owned(), applicability: Applicability::Unsafe, edits })
}

/// The files of a run, each parsed once and only if it is asked for.
struct Files<'a> {
    sources: &'a Sources,
    known: RefCell<FxHashMap<FileId, Option<Rc<Code<'a>>>>>,
}

impl<'a> Files<'a> {
    /// The code of a file, if its language has a grammar.
    fn code(&self, file: FileId) -> Option<Rc<Code<'a>>> {
        let mut known = self.known.borrow_mut();
        known.entry(file).or_insert_with(|| Code::of(self.sources.get(file)).map(Rc::new)).clone()
    }
}

/// An edit of a range of a file.
fn edit(code: &Code<'_>, range: std::ops::Range<usize>, replacement: impl Into<String>) -> Edit {
    Edit { span: crate::source::Span::new(code.file, range.start, range.end), replacement: replacement.into() }
}
