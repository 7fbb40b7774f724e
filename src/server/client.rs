//! What the editor can and wants, and what it is told of this server.

use super::positions::Encoding;
use super::uri;
use clap::Parser;
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, DidChangeWatchedFilesRegistrationOptions,
    FileSystemWatcher, GlobPattern, HoverProviderCapability, InitializeParams, InitializeResult, MarkupKind, OneOf,
    Registration, RegistrationParams, SaveOptions, ServerCapabilities, ServerInfo, TextDocumentSyncCapability,
    TextDocumentSyncKind, TextDocumentSyncOptions, TextDocumentSyncSaveOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};
use reaplint::cli::{CheckArgs, Cli, Command};
use std::path::PathBuf;

/// Files whose change may change what there is to say: what is linted, what configures, what leaves out.
const WATCHED: [&str; 3] = [
    "**/*.{py,pyi,go,rs,sh,bash,yaml,yml,json,tpl,tf,j2}",
    "**/{.reaplint.toml,reaplint.toml,pyproject.toml,Cargo.toml,.gitignore,Dockerfile,Makefile}",
    "**/.reaplint-baseline.json",
];

/// What the editor said of itself.
#[derive(Clone, Debug, Default)]
pub struct Client {
    /// How positions are counted.
    pub encoding: Encoding,
    /// Hovers may be Markdown.
    pub markdown: bool,
    /// Edits may name the version of a document.
    pub document_changes: bool,
    /// Diagnostics may name other places.
    pub related: bool,
    /// It can be asked to watch files.
    pub watches: bool,
    /// The folders of the workspace.
    pub folders: Vec<PathBuf>,
}

impl Client {
    /// Reads it.
    pub fn new(params: &InitializeParams) -> Client {
        let can = &params.capabilities;
        let general = can.general.as_ref().and_then(|general| general.position_encodings.as_deref());
        let document = can.text_document.as_ref();
        let workspace = can.workspace.as_ref();
        let hover = document.and_then(|d| d.hover.as_ref()).and_then(|hover| hover.content_format.as_ref());
        let edit = workspace.and_then(|w| w.workspace_edit.as_ref());
        let watched = workspace.and_then(|w| w.did_change_watched_files.as_ref());
        let published = document.and_then(|d| d.publish_diagnostics.as_ref());
        Client {
            encoding: Encoding::agreed(general.unwrap_or_default()),
            markdown: hover.is_none_or(|formats| formats.contains(&MarkupKind::Markdown)),
            document_changes: edit.and_then(|edit| edit.document_changes).unwrap_or_default(),
            related: published.and_then(|published| published.related_information).unwrap_or_default(),
            watches: watched.and_then(|watched| watched.dynamic_registration).unwrap_or_default(),
            folders: folders(params),
        }
    }
}

fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    if let Some(folders) = params.workspace_folders.as_ref().filter(|folders| !folders.is_empty()) {
        return folders.iter().filter_map(|folder| uri::to_path(&folder.uri)).collect();
    }
    // Editors of before there were workspaces of several folders.
    #[allow(deprecated)]
    let root = params.root_uri.as_ref().and_then(uri::to_path).or_else(|| params.root_path.as_ref().map(PathBuf::from));
    root.into_iter().collect()
}

/// The flags of `check` that the editor's settings hold: `{"args": ["--pedantic"]}`.
pub fn flags(params: &InitializeParams) -> Result<CheckArgs, String> {
    let Some(list) = params.initialization_options.as_ref().and_then(|options| options.get("args")) else {
        return Ok(CheckArgs::default());
    };
    let words: Vec<String> =
        serde_json::from_value(list.clone()).map_err(|_| "args: is no list of texts".to_owned())?;
    let all = ["reaplint".to_owned(), "check".to_owned()].into_iter().chain(words);
    match Cli::try_parse_from(all).map(|cli| cli.command) {
        Ok(Command::Check(args)) if args.paths.is_empty() => Ok(*args),
        Ok(_) => Err("args: the folders of the workspace are linted, and no other paths".to_owned()),
        Err(why) => Err(format!("args: {}", why.render())),
    }
}

/// What this server can do.
pub fn capabilities(client: &Client) -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
        ..TextDocumentSyncOptions::default()
    };
    let actions = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
        resolve_provider: Some(false),
        ..CodeActionOptions::default()
    };
    let folders =
        WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(OneOf::Left(true)) };
    let capabilities = ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(actions)),
        workspace: Some(WorkspaceServerCapabilities { workspace_folders: Some(folders), file_operations: None }),
        ..ServerCapabilities::default()
    };
    let version = Some(env!("CARGO_PKG_VERSION").to_owned());
    InitializeResult { capabilities, server_info: Some(ServerInfo { name: "reaplint".to_owned(), version }) }
}

/// The request to watch files.
pub fn watch() -> RegistrationParams {
    let watchers = WATCHED.map(|glob| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.into()), kind: None });
    let options = DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
    RegistrationParams {
        registrations: vec![Registration {
            id: "reaplint-files".to_owned(),
            method: "workspace/didChangeWatchedFiles".to_owned(),
            register_options: serde_json::to_value(options).ok(),
        }],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(options: serde_json::Value) -> InitializeParams {
        InitializeParams { initialization_options: Some(options), ..InitializeParams::default() }
    }

    #[test]
    fn flags_from_the_settings() {
        let args = flags(&params(serde_json::json!({"args": ["--pedantic", "--select", "code"]}))).expect("flags");
        assert!(args.rules.pedantic);
        assert_eq!(args.rules.select, ["code"]);
        for bad in [serde_json::json!("--pedantic"), serde_json::json!(["--nope"]), serde_json::json!(["src"])] {
            assert!(flags(&params(serde_json::json!({ "args": bad }))).is_err(), "{bad}");
        }
        assert!(flags(&params(serde_json::json!(7))).is_ok());
    }
}
