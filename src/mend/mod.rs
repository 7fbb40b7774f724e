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
use crate::source::Sources;
use code::Code;

/// Adds a fix to each finding that has none and whose code has the shape for one.
pub fn propose(findings: &mut [Finding], sources: &Sources) {
    for finding in findings.iter_mut().filter(|finding| finding.fixes.is_empty()) {
        let fix = finding.rule.mend.and_then(|mend| fix(finding, mend, sources));
        finding.fixes.extend(fix);
    }
}

fn fix(finding: &Finding, mend: Mend, sources: &Sources) -> Option<Fix> {
    let (message, edits) = match mend {
        Mend::Guard => ("let only what was found through", guard::edits(finding, sources)?),
        Mend::Failure => ("let the failure end the sweep", failure::edits(finding, sources)?),
        Mend::Order => ("list the candidates first", order::edits(finding, sources)?),
        Mend::Age => ("spare what is younger than ten minutes", age::edits(finding, sources)?),
        Mend::Selector => ("ask in the code what the server cannot be asked", selector::edits(finding, sources)?),
        Mend::Precondition => ("delete only the object that was looked at", precondition::edits(finding, sources)?),
    };
    Some(Fix { message: message.to_owned(), applicability: Applicability::Unsafe, edits })
}

/// The code of a file, if its language has a grammar.
fn code<'a>(sources: &'a Sources, file: crate::source::FileId) -> Option<Code<'a>> {
    Code::of(sources.get(file))
}

/// An edit of a range of a file.
fn edit(code: &Code<'_>, range: std::ops::Range<usize>, replacement: impl Into<String>) -> Edit {
    Edit { span: crate::source::Span::new(code.file, range.start, range.end), replacement: replacement.into() }
}
