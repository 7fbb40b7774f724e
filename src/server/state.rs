//! The state of a session: what is open, what was said of it, what is to be done next.

use super::answers;
use super::client::{self, Client};
use super::documents::Documents;
use super::run::{Done, Job};
use super::uri;
use super::view::View;
use crossbeam_channel::Sender;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::{
    CodeActionParams, DidChangeTextDocumentParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, HoverParams, InitializeParams, LogMessageParams, MessageType, PublishDiagnosticsParams,
    Uri,
};
use reaplint::cli::{CheckArgs, ServerArgs};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// So long nothing is linted after a change: people write words, not letters.
const TYPING: Duration = Duration::from_millis(150);

/// And so long after anything else: what comes together is linted together.
const TOGETHER: Duration = Duration::from_millis(20);

/// A session.
pub struct Server {
    out: Sender<Message>,
    client: Client,
    documents: Documents,
    /// What the last run said, by URI.
    views: BTreeMap<String, View>,
    args: CheckArgs,
    initialized: bool,
    /// What the log was told already and is still so.
    logged: BTreeSet<String>,
    asked: i32,
    /// When to lint next.
    pub due: Option<Instant>,
    /// A run is under way: what ends it.
    running: Option<Arc<AtomicBool>>,
    /// What the run under way says of an open document is old already.
    stale: bool,
    /// Something changed during the run under way.
    again: bool,
    /// The editor said that it will stop.
    pub stopping: bool,
    /// Why nothing more can be read.
    pub lost: Option<String>,
}

impl Server {
    /// Before anything is said.
    pub fn new(out: Sender<Message>, args: &ServerArgs) -> Server {
        let here = std::env::current_dir().unwrap_or_default();
        let mut config = args.config.clone();
        // A run stands elsewhere.
        for given in config.config.iter_mut().filter(|given| here.join(given).is_file()) {
            *given = here.join(&*given).to_string_lossy().into_owned();
        }
        Server {
            out,
            client: Client::default(),
            documents: Documents::default(),
            views: BTreeMap::new(),
            args: CheckArgs { config, threads: args.threads, ..CheckArgs::default() },
            initialized: false,
            logged: BTreeSet::new(),
            asked: 0,
            due: None,
            running: None,
            stale: false,
            again: false,
            stopping: false,
            lost: None,
        }
    }

    /// Takes a message; true where it ends the session.
    pub fn take(&mut self, message: Message) -> bool {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) if notification.method == "exit" => return true,
            Message::Notification(notification) if self.initialized && !self.stopping => self.notified(notification),
            Message::Notification(_) | Message::Response(_) => {}
        }
        false
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        match method.as_str() {
            _ if self.stopping => self.refuse(id, ErrorCode::InvalidRequest, "the server was shut down".to_owned()),
            "initialize" if self.initialized => {
                self.refuse(id, ErrorCode::InvalidRequest, "the server is initialized already".to_owned());
            }
            "initialize" => self.with(id, params, Server::initialize),
            _ if !self.initialized => {
                self.refuse(id, ErrorCode::ServerNotInitialized, "initialize comes first".to_owned());
            }
            "shutdown" => {
                self.stopping = true;
                self.answer(id, ());
            }
            "textDocument/hover" => self.with(id, params, Server::hover),
            "textDocument/codeAction" => self.with(id, params, Server::code_actions),
            _ => self.refuse(id, ErrorCode::MethodNotFound, format!("{method} is not known")),
        }
    }

    /// Answers a request whose parameters can be read.
    fn with<P: DeserializeOwned, R: Serialize>(
        &mut self,
        id: RequestId,
        params: serde_json::Value,
        answer: impl Fn(&mut Server, P) -> R,
    ) {
        match serde_json::from_value(params) {
            Ok(params) => {
                let result = answer(self, params);
                self.answer(id, result);
            }
            Err(why) => self.refuse(id, ErrorCode::InvalidParams, why.to_string()),
        }
    }

    fn notified(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        match method.as_str() {
            "initialized" => self.settled(),
            "textDocument/didOpen" => self.told(&method, params, Server::opened),
            "textDocument/didChange" => self.told(&method, params, Server::changed),
            "textDocument/didClose" => self.told(&method, params, Server::closed),
            "workspace/didChangeWorkspaceFolders" => self.told(&method, params, Server::folders_changed),
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" | "workspace/didChangeConfiguration" => {
                self.soon(TOGETHER);
            }
            _ => {}
        }
    }

    /// Takes a notification whose parameters can be read.
    fn told<P: DeserializeOwned>(&mut self, method: &str, params: serde_json::Value, take: impl Fn(&mut Server, P)) {
        match serde_json::from_value(params) {
            Ok(params) => take(self, params),
            Err(why) => self.complain(&format!("{method}: {why}")),
        }
    }

    fn initialize(&mut self, params: InitializeParams) -> lsp_types::InitializeResult {
        self.client = Client::new(&params);
        self.initialized = true;
        match client::flags(&params) {
            Ok(flags) => {
                let own = std::mem::take(&mut self.args);
                self.args = CheckArgs { threads: own.threads.or(flags.threads), ..flags };
                self.args.config.isolated |= own.config.isolated;
                self.args.config.config.extend(own.config.config);
            }
            Err(why) => self.fail(&why),
        }
        client::capabilities(&self.client)
    }

    fn settled(&mut self) {
        if self.client.watches {
            self.asked += 1;
            let id = RequestId::from(self.asked);
            let request = Request::new(id, "client/registerCapability".to_owned(), client::watch());
            self.send(Message::Request(request));
        }
        if self.client.folders.is_empty() {
            self.log(MessageType::INFO, "no folder is open: each document is linted by itself");
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        if self.documents.open(document.uri, document.version, &document.text) {
            self.soon(TOGETHER);
        }
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let document = &params.text_document;
        let encoding = self.client.encoding;
        if self.documents.change(&document.uri, document.version, &params.content_changes, encoding) {
            self.stale = true;
            self.soon(TYPING);
        }
    }

    fn closed(&mut self, params: DidCloseTextDocumentParams) {
        let uri = &params.text_document.uri;
        if self.documents.close(uri) {
            self.views.remove(uri.as_str());
            self.show(uri.clone(), None, vec![]);
            self.soon(TOGETHER);
        }
    }

    fn folders_changed(&mut self, params: DidChangeWorkspaceFoldersParams) {
        let gone: Vec<_> = params.event.removed.iter().filter_map(|folder| uri::to_path(&folder.uri)).collect();
        self.client.folders.retain(|folder| !gone.contains(folder));
        let new = params.event.added.iter().filter_map(|folder| uri::to_path(&folder.uri));
        self.client.folders.extend(new);
        self.soon(TOGETHER);
    }

    fn hover(&mut self, params: HoverParams) -> Option<lsp_types::Hover> {
        let place = params.text_document_position_params;
        let view = self.views.get(place.text_document.uri.as_str())?;
        answers::hover(view, place.position, self.client.markdown)
    }

    fn code_actions(&mut self, params: CodeActionParams) -> Vec<lsp_types::CodeActionOrCommand> {
        let Some(view) = self.views.get(params.text_document.uri.as_str()) else { return vec![] };
        let current = |uri: &Uri, version| self.documents.get(uri).is_some_and(|one| one.version == version);
        answers::code_actions(view, &params, self.client.document_changes, current)
    }

    /// Lint, but not before so much time has passed without anything else.
    fn soon(&mut self, wait: Duration) {
        self.due = Some(Instant::now() + wait);
    }

    /// What is to be linted now; nothing while a run is under way. One whose result nobody wants ends early, but only for
    /// what is typed: a folder in which something writes all the time would never be linted to the end.
    pub fn job(&mut self) -> Option<Job> {
        self.due = None;
        if let Some(stop) = &self.running {
            stop.store(self.stale, Ordering::Relaxed);
            self.again = true;
            return None;
        }
        let stop = Arc::new(AtomicBool::new(false));
        self.running = Some(stop.clone());
        self.stale = false;
        Some(Job {
            stop,
            folders: self.client.folders.clone(),
            open: self.documents.iter().cloned().collect(),
            encoding: self.client.encoding,
            args: self.args.clone(),
        })
    }

    /// Shows what a run said, but nothing of texts that the editor no longer has.
    pub fn publish(&mut self, done: Done) {
        let stopped = self.running.take().is_some_and(|stop| stop.load(Ordering::Relaxed));
        if std::mem::take(&mut self.again) {
            self.soon(Duration::ZERO);
        }
        if stopped {
            return;
        }
        for view in done.views {
            let current = self.documents.get(&view.uri).is_some_and(|one| one.version == view.version);
            if !current {
                continue;
            }
            let diagnostics = view.entries.iter().map(|entry| {
                let mut diagnostic = entry.diagnostic.clone();
                if !self.client.related {
                    diagnostic.related_information = None;
                }
                diagnostic
            });
            self.show(view.uri.clone(), Some(view.version), diagnostics.collect());
            self.views.insert(view.uri.as_str().to_owned(), view);
        }
        let now: BTreeSet<String> = done.errors.iter().chain(&done.skipped).cloned().collect();
        let said = std::mem::take(&mut self.logged);
        for error in done.errors.iter().filter(|error| !said.contains(*error)) {
            self.fail(error);
        }
        for skipped in done.skipped.iter().filter(|one| !said.contains(*one)) {
            self.log(MessageType::WARNING, skipped);
        }
        self.logged = now;
    }

    fn show(&self, uri: Uri, version: Option<i32>, diagnostics: Vec<lsp_types::Diagnostic>) {
        self.notify("textDocument/publishDiagnostics", PublishDiagnosticsParams { uri, diagnostics, version });
    }

    /// Something that was said to the server is wrong.
    pub fn complain(&self, why: &str) {
        self.log(MessageType::WARNING, why);
    }

    /// The job cannot be done: silence would look like a clean bill.
    fn fail(&self, why: &str) {
        self.log(MessageType::ERROR, why);
        let text = format!("reaplint does not lint: {why}");
        self.notify("window/showMessage", LogMessageParams { typ: MessageType::ERROR, message: text });
    }

    fn log(&self, typ: MessageType, text: &str) {
        self.notify("window/logMessage", LogMessageParams { typ, message: text.to_owned() });
    }

    fn notify(&self, method: &str, params: impl Serialize) {
        if let Ok(params) = serde_json::to_value(params) {
            self.send(Message::Notification(Notification { method: method.to_owned(), params }));
        }
    }

    fn answer(&self, id: RequestId, result: impl Serialize) {
        match serde_json::to_value(result) {
            Ok(value) => self.send(Message::Response(Response::new_ok(id, value))),
            Err(why) => self.refuse(id, ErrorCode::InternalError, why.to_string()),
        }
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, why: String) {
        self.send(Message::Response(Response::new_err(id, code as i32, why)));
    }

    fn send(&self, message: Message) {
        // Nobody is left to tell where the editor is gone.
        let _ = self.out.send(message);
    }
}
