//! Kubernetes objects in Terraform, told as the manifests that they make.
//!
//! ```text
//! resource "kubernetes_deployment_v1" "web" {      apiVersion: apps/v1
//!   metadata {                                     kind: Deployment
//!     labels = { app = local.name }                metadata:
//!   }                                                labels:
//!   spec { template { .. } }                           app: xvar.namex
//! }                                                spec: {template: ..}
//! ```
//! `local.x` is what the folder's `locals` say; `merge(..)` is all that its operands hold; anything else may hold anything.
//! Every key and value keeps the place it is written at.

use super::object::Document;
use super::template::{Rendered, Writer};
use super::yaml::Tree;
use crate::source::{FileId, SourceFile, Span};
use crate::vocab::tools;
use hcl_edit::Span as _;
use hcl_edit::expr::{Expression, TraversalOperator};
use hcl_edit::structure::{Block, Body, Structure};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Brackets nest no deeper.
const DEEP: usize = 200;

/// Values are followed no further than this.
const FAR: usize = 24;

/// What a folder's `locals` say.
#[derive(Default, Debug)]
pub(super) struct Locals(FxHashMap<PathBuf, FxHashMap<String, (FileId, Expression)>>);

/// A file that parsed.
pub(super) struct Parsed {
    file: FileId,
    folder: PathBuf,
    body: Body,
}

/// Reads a file; an error is the byte and what is wrong.
pub(super) fn parse(f: &SourceFile) -> Result<Parsed, (u32, String)> {
    if let Some(at) = too_deep(&f.text) {
        return Err((at as u32, "brackets nest too deep".to_owned()));
    }
    let folder = f.path.parent().unwrap_or(Path::new("")).to_path_buf();
    match hcl_edit::parser::parse_body(&f.text) {
        Ok(body) => Ok(Parsed { file: f.id, folder, body }),
        Err(e) => {
            let place = e.location();
            let line = f.text.split_inclusive('\n').take(place.line().saturating_sub(1)).map(str::len).sum::<usize>();
            Err((line as u32, e.message().to_owned()))
        }
    }
}

/// Where brackets nest too deep: the parser goes down as deep as they do.
fn too_deep(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, b) in text.bytes().enumerate() {
        match b {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEP {
            return Some(at);
        }
    }
    None
}

impl Locals {
    /// The locals of all files, by folder.
    pub(super) fn of(files: &[Parsed]) -> Locals {
        let mut out = Locals::default();
        for f in files {
            for block in f.body.get_blocks("locals") {
                for a in block.body.attributes() {
                    let folder = out.0.entry(f.folder.clone()).or_default();
                    folder.insert(a.key.as_str().to_owned(), (f.file, a.value.clone()));
                }
            }
        }
        out
    }

    fn get(&self, folder: &Path, name: &str) -> Option<&(FileId, Expression)> {
        self.0.get(folder)?.get(name)
    }
}

/// The objects of a file.
pub(super) fn objects(f: &Parsed, locals: &Locals) -> Vec<Document> {
    let mut out = vec![];
    for block in f.body.get_blocks("resource") {
        let labels: Vec<&str> = block.labels.iter().map(|l| l.as_str()).collect();
        let Some((api, kind)) = labels.first().and_then(|t| tools().terraform.kind(t)) else { continue };
        let mut write = Write { out: Writer::new(f.file), locals, folder: &f.folder, file: f.file };
        let head = span(f.file, block.ident.span());
        write.out.line(0, "apiVersion", head, Some((api, head)));
        write.out.line(0, "kind", head, Some((kind, head)));
        write.body(&block.body, 0, 0);
        let text: Arc<Rendered> = Arc::new(write.out.done());
        if let Ok(tree) = Tree::parse(&text.text, 0) {
            let end = text.text.len() as u32;
            out.extend(Document::new(f.file, None, text, tree, end));
        }
    }
    out
}

fn span(file: FileId, range: Option<std::ops::Range<usize>>) -> Span {
    let range = range.unwrap_or_default();
    Span::new(file, range.start, range.end)
}

/// `match_labels` as the API spells it.
fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let mut out = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut chars = word.chars();
        out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        out.push_str(chars.as_str());
    }
    out
}

struct Write<'a> {
    out: Writer,
    locals: &'a Locals,
    folder: &'a Path,
    file: FileId,
}

impl Write<'_> {
    fn body(&mut self, body: &Body, indent: usize, depth: usize) {
        if depth > DEEP {
            return;
        }
        for s in body.iter() {
            match s {
                Structure::Attribute(a) => {
                    let key = span(self.file, a.key.span());
                    self.attribute(&camel(a.key.as_str()), key, self.file, &a.value, indent, 0);
                }
                Structure::Block(b) if !tools().terraform.is_item(b.ident.as_str()) => {
                    self.out.line(indent, &camel(b.ident.as_str()), span(self.file, b.ident.span()), None);
                    // A block that is made for each of something may hold anything.
                    if b.ident.as_str() == "dynamic" {
                        self.out.hole(indent + 2);
                    } else {
                        self.body(&b.body, indent + 2, depth + 1);
                    }
                }
                Structure::Block(_) => {}
            }
        }
        for (one, list) in tools().terraform.lists() {
            let items: Vec<&Block> = body.get_blocks(one).collect();
            let Some(first) = items.first() else { continue };
            self.out.line(indent, list, span(self.file, first.ident.span()), None);
            for item in items {
                self.out.item(indent + 2, span(self.file, item.ident.span()));
                self.body(&item.body, indent + 4, depth + 1);
            }
        }
    }

    fn attribute(&mut self, key: &str, at: Span, file: FileId, value: &Expression, indent: usize, far: usize) {
        match value {
            Expression::Parenthesis(inner) => self.attribute(key, at, file, inner.inner(), indent, far),
            Expression::Array(list) => {
                self.out.line(indent, key, at, None);
                for item in list.iter() {
                    let (text, place) = self.scalar(file, item, far);
                    self.out.element(indent + 2, text.as_deref(), place);
                }
            }
            _ if self.is_map(value, far) => {
                self.out.line(indent, key, at, None);
                self.map(file, value, indent + 2, far);
            }
            _ => {
                let (text, place) = self.scalar(file, value, far);
                match text {
                    Some(text) => self.out.line(indent, key, at, Some((&text, place))),
                    None => self.out.open(indent, key, at, place),
                }
            }
        }
    }

    /// Is it a map, as far as can be told?
    fn is_map(&self, value: &Expression, far: usize) -> bool {
        match value {
            Expression::Object(_) => true,
            Expression::FuncCall(call) => call.name.name.as_str() == "merge",
            Expression::Parenthesis(inner) => self.is_map(inner.inner(), far),
            _ => far < FAR && self.local(value).is_some_and(|(_, v)| self.is_map(v, far + 1)),
        }
    }

    /// What a `local.x` stands for.
    fn local(&self, value: &Expression) -> Option<&(FileId, Expression)> {
        let Expression::Traversal(t) = value else { return None };
        let name = match (t.expr.as_variable().map(|v| v.as_str()), t.operators.as_slice()) {
            (Some("local"), [one]) => match one.value() {
                TraversalOperator::GetAttr(name) => name.as_str(),
                _ => return None,
            },
            _ => return None,
        };
        self.locals.get(self.folder, name)
    }

    /// The pairs of a map; a hole for what may hold anything.
    fn map(&mut self, file: FileId, value: &Expression, indent: usize, far: usize) {
        match value {
            Expression::Parenthesis(inner) => self.map(file, inner.inner(), indent, far),
            Expression::Object(object) => {
                for (key, value) in object.iter() {
                    let place = span(file, key.span());
                    let name = match key {
                        hcl_edit::expr::ObjectKey::Ident(name) => Some(name.as_str().to_owned()),
                        hcl_edit::expr::ObjectKey::Expression(e) => self.scalar(file, e, far).0,
                    };
                    match name {
                        Some(name) => self.attribute(&name, place, file, value.expr(), indent, far + 1),
                        None => self.out.hole(indent),
                    }
                }
            }
            Expression::FuncCall(call) if call.name.name.as_str() == "merge" && far < FAR => {
                for arg in call.args.iter() {
                    self.map(file, arg, indent, far + 1);
                }
            }
            _ => match self.local(value).filter(|_| far < FAR).cloned() {
                Some((file, value)) if self.is_map(&value, far) => self.map(file, &value, indent, far + 1),
                _ => self.out.hole(indent),
            },
        }
    }

    /// The text of a value, if it is written out.
    fn scalar(&self, file: FileId, value: &Expression, far: usize) -> (Option<String>, Span) {
        let place = span(file, value.span());
        let text = match value {
            Expression::String(text) => Some(text.as_str().to_owned()),
            Expression::Bool(b) => Some(b.to_string()),
            Expression::Number(n) => Some(n.value().to_string()),
            Expression::Parenthesis(inner) => return self.scalar(file, inner.inner(), far),
            _ => match self.local(value) {
                Some((other, value)) if far < FAR => return (self.scalar(*other, value, far + 1).0, place),
                _ => None,
            },
        };
        (text, place)
    }
}
