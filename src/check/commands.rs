//! The commands of a run, and the labels by which they tell workloads apart.
//!
//! ```text
//! kubectl scale deployment -l x.io/shift=old     x.io/shift decides about Deployments
//! kubectl delete pods -l app=web                   Pods are no workloads: nothing
//! kubectl apply --prune -l x.io/app=shop           about all kinds
//! velero backup create --selector x.io/app=shop    the same
//! ```

use crate::manifest::Manifests;
use crate::manifest::object::Document;
use crate::manifest::yaml::{Kind, NodeId, Style};
use crate::rules::LabelUse;
use crate::shell::{CommandLine, Word, commands, recipes};
use crate::source::{Language, SourceFile, Sources, Span};
use crate::vocab::{ownership, selectors, tools};
use rayon::prelude::*;

/// Every command of a run that one of the clients is in.
pub(super) fn all(sources: &Sources, manifests: &Manifests) -> Vec<CommandLine> {
    let shell = sources.files.par_iter().filter(|f| f.language == Language::Shell).flat_map_iter(script);
    let mut out: Vec<CommandLine> = shell.collect();
    out.par_extend(manifests.documents.par_iter().flat_map_iter(document));
    out.retain(|c| is_client(c.name()));
    out
}

/// Is it a program whose commands are read?
fn is_client(name: &str) -> bool {
    let table = &tools().commands;
    table.clients.iter().chain(&table.backups).any(|c| c == name)
}

/// Does a text name such a program, as a word of its own?
fn is_told(text: &str) -> bool {
    let table = &tools().commands;
    let within = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let named = |client: &String| {
        text.match_indices(client.as_str()).any(|(at, _)| {
            let (before, after) =
                (text.get(..at).unwrap_or_default(), text.get(at + client.len()..).unwrap_or_default());
            !within(before.chars().next_back()) && !within(after.chars().next())
        })
    };
    table.clients.iter().chain(&table.backups).any(named)
}

fn script(f: &SourceFile) -> Vec<CommandLine> {
    if !is_told(&f.text) {
        return vec![];
    }
    let name = f.path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let table = &tools().commands;
    let of = |names: &[String]| names.iter().any(|n| n == name);
    match (of(&table.recipes), of(&table.images)) {
        (true, _) => commands(f.id, &recipes(&f.text, None), 0, true),
        (_, true) => commands(f.id, &recipes(&f.text, Some(&table.step)), 0, true),
        _ => commands(f.id, &f.text, 0, true),
    }
}

/// The commands in the texts of a document.
fn document(doc: &Document) -> Vec<CommandLine> {
    if !is_told(&doc.text.text) {
        return vec![];
    }
    let (mut out, mut todo) = (vec![], vec![(doc.root(), false)]);
    while let Some((node, run)) = todo.pop() {
        match &doc.tree.get(node).kind {
            Kind::Map(_) => {
                for (key, value) in doc.tree.own_pairs(node) {
                    let key = doc.tree.text(*key).unwrap_or_default();
                    todo.push((*value, tools().commands.run.iter().any(|k| k == key) || key.ends_with(".sh")));
                }
            }
            Kind::List(items) => {
                out.extend(exec(doc, items).filter(|_| run));
                todo.extend(items.iter().map(|i| (*i, run)));
            }
            Kind::Scalar { text, style } if is_told(text) => {
                let span = doc.tree.span(node);
                let Some(raw) = doc.text.text.get(span.start as usize..span.end as usize) else { continue };
                let raw = if *style == Style::Block { raw } else { raw.trim_matches(['"', '\'']) };
                let lead = doc.text.text.get(span.start as usize..).and_then(|t| t.find(raw)).unwrap_or_default();
                let found = commands(doc.file, raw, span.start as usize + lead, run);
                out.extend(found.into_iter().map(|c| placed(doc, c)));
            }
            _ => {}
        }
    }
    out
}

/// A command whose words are the items of a list: `command: [kubectl, delete, ..]`.
fn exec(doc: &Document, items: &[NodeId]) -> Option<CommandLine> {
    let word = |n: &NodeId| {
        let text = doc.tree.text(*n)?.to_owned();
        Some(Word { literal: doc.is_literal(*n) && !text.contains('$'), text, at: doc.place(*n) })
    };
    let words: Vec<Word> = items.iter().map_while(word).collect();
    let first = words.first()?;
    let at = first.at;
    Some(CommandLine { at, words, run: true })
}

/// A command of a rendered text, with places of the file.
fn placed(doc: &Document, mut c: CommandLine) -> CommandLine {
    let place = |s: Span| doc.text.place(s.start..s.end);
    c.at = place(c.at);
    for w in &mut c.words {
        w.literal = w.literal && !doc.text.has_hole(w.at.start..w.at.end);
        w.at = place(w.at);
    }
    c
}

/// The labels by which commands select workloads.
pub(super) fn labels(commands: &[CommandLine]) -> Vec<LabelUse> {
    commands.iter().flat_map(uses).collect()
}

fn uses(c: &CommandLine) -> Vec<LabelUse> {
    let verb = |v: &str| c.has(v);
    let table = &tools().commands;
    let saves = table.backups.iter().any(|b| b == c.name());
    let selects = match saves {
        true => verb("create") && table.saves.iter().any(|s| verb(s)),
        false => table.selects.iter().any(|v| verb(v)) || verb("apply") && (verb("--prune") || verb("--prune=true")),
    };
    let Some(selector) = c.flag(Some("-l"), "--selector").filter(|_| selects) else { return vec![] };
    let everything = saves || verb("apply");
    let kinds: Vec<String> = if everything { vec![] } else { kinds(c) };
    if !everything && kinds.is_empty() {
        return vec![];
    }
    let what = kinds.first().map_or("objects".to_owned(), |k| format!("{k}s"));
    let one = |term: &str| {
        let end = term.find(['=', '!', ' ']).unwrap_or(term.len());
        let key = term.get(..end)?.trim();
        let value = term.strip_prefix(key)?.trim_start_matches('=');
        let told = selector.literal && term.contains('=') && !term.contains('!') && !value.is_empty();
        let value = told.then(|| value.trim().to_owned());
        let text = format!("{what} are selected by `{key}` here");
        let known = !key.is_empty() && !key.contains('$');
        known.then(|| LabelUse { key: key.to_owned(), kinds: kinds.clone(), value, at: c.at, text })
    };
    selector.text.split(',').filter_map(one).collect()
}

/// The workload kinds among a command's words: `deploy,sts`, `deployment/web`.
fn kinds(c: &CommandLine) -> Vec<String> {
    let plain = c.words.iter().skip(1).filter(|w| !w.text.starts_with('-'));
    let named = plain.flat_map(|w| w.text.split(',').collect::<Vec<_>>());
    let mut out: Vec<String> = named.filter_map(|word| kind_of(word.split('/').next()?)).collect();
    out.dedup();
    out
}

/// The workload kind that a word means: `deploy`, `deployments.apps`, `Deployment`.
pub(super) fn kind_of(word: &str) -> Option<String> {
    let word = word.split('.').next().unwrap_or_default();
    let name = ownership().short(word).or(selectors().spelled(word).map(|k| k.name.as_str())).unwrap_or(word);
    ownership().kind(name).map(|k| k.name.clone())
}
