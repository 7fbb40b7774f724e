//! What editors ask of a document that was linted: hovers and code actions.

use super::view::{Action, Entry, View};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, DocumentChangeOperation, DocumentChanges, Hover,
    HoverContents, MarkupContent, MarkupKind, OneOf, OptionalVersionedTextDocumentIdentifier, Position, Range,
    TextDocumentEdit, TextEdit, Uri, WorkspaceEdit,
};
use reaplint::report::{Look, explain};
use std::collections::HashMap;

/// The documents of the rules that speak of a position.
pub fn hover(view: &View, at: Position, markdown: bool) -> Option<Hover> {
    let entry = view.entries.iter().find(|entry| touches(entry.diagnostic.range, Range::new(at, at)))?;
    if entry.rules.is_empty() {
        return None;
    }
    let (kind, value) = match markdown {
        true => (MarkupKind::Markdown, explain::markdown(&entry.rules)),
        false => (MarkupKind::PlainText, explain::text(&entry.rules, Look::PLAIN)),
    };
    let contents = HoverContents::Markup(MarkupContent { kind, value });
    Some(Hover { contents, range: Some(entry.diagnostic.range) })
}

/// Do two ranges share a place? The end of one belongs to it: there the cursor stands behind a word.
fn touches(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// What can be done about a range. `current` says whether a document still has a version.
pub fn code_actions(
    view: &View,
    params: &CodeActionParams,
    changes: bool,
    current: impl Fn(&Uri, i32) -> bool,
) -> Vec<CodeActionOrCommand> {
    let wanted = |only: &Vec<CodeActionKind>| {
        let quick = CodeActionKind::QUICKFIX;
        only.iter().any(|kind| kind.as_str().is_empty() || quick.as_str() == kind.as_str())
    };
    if !params.context.only.as_ref().is_none_or(wanted) || !current(&view.uri, view.version) {
        return vec![];
    }
    let near = view.entries.iter().filter(|entry| touches(entry.diagnostic.range, params.range));
    let all = near.flat_map(|entry| entry.actions.iter().map(move |action| (entry, action)));
    let fresh = all.filter(|(_, action)| {
        action.edits.iter().all(|(uri, version, _)| version.is_none_or(|version| current(uri, version)))
    });
    fresh.map(|(entry, action)| CodeActionOrCommand::CodeAction(code_action(entry, action, changes))).collect()
}

fn code_action(entry: &Entry, action: &Action, changes: bool) -> CodeAction {
    CodeAction {
        title: action.title.clone(),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![entry.diagnostic.clone()]),
        edit: Some(edit(action, changes)),
        is_preferred: action.safe.then_some(true),
        ..CodeAction::default()
    }
}

/// With the versions of documents where the editor can use them: an edit of an older text is then refused.
fn edit(action: &Action, changes: bool) -> WorkspaceEdit {
    if changes {
        let of = |(uri, version, edits): &(Uri, Option<i32>, Vec<TextEdit>)| {
            DocumentChangeOperation::Edit(TextDocumentEdit {
                text_document: OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version: *version },
                edits: edits.iter().cloned().map(OneOf::Left).collect(),
            })
        };
        let all = action.edits.iter().map(of).collect();
        return WorkspaceEdit { document_changes: Some(DocumentChanges::Operations(all)), ..WorkspaceEdit::default() };
    }
    // The key is never changed.
    #[allow(clippy::mutable_key_type)]
    let all: HashMap<Uri, Vec<TextEdit>> =
        action.edits.iter().map(|(uri, _, edits)| (uri.clone(), edits.clone())).collect();
    WorkspaceEdit { changes: Some(all), ..WorkspaceEdit::default() }
}
