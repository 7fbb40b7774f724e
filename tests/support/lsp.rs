//! An editor: starts the server, speaks with it over its pipes, and keeps what it was told.

use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Longer than any answer takes, on a machine with much else to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor.
pub struct Editor {
    server: Child,
    input: Option<ChildStdin>,
    output: Receiver<Message>,
    /// The notifications that nobody asked about yet.
    pub heard: Vec<Notification>,
    /// What the server asked for.
    pub granted: Vec<(String, Value)>,
    asked: i32,
}

impl Editor {
    /// Starts a server, and says nothing yet.
    pub fn silent() -> Editor {
        Editor::with_flags(&["--stdio"])
    }

    /// Starts a server with flags.
    pub fn with_flags(flags: &[&str]) -> Editor {
        let mut command = Command::new(env!("CARGO_BIN_EXE_reaplint"));
        command.arg("server").args(flags).env_remove("REAPLINT_OUTPUT_FORMAT");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = command.spawn().expect("the server starts");
        let mut read = BufReader::new(server.stdout.take().expect("a pipe"));
        let (send, output) = channel();
        std::thread::spawn(move || {
            while let Some(message) = Message::read(&mut read).expect("the server writes messages") {
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let input = server.stdin.take();
        Editor { server, input, output, heard: vec![], granted: vec![], asked: 0 }
    }

    /// An editor with a folder open that can do everything; `more` is laid over what it says of itself.
    pub fn in_folder(folder: &Path, more: Value) -> (Editor, Value) {
        let mut editor = Editor::silent();
        let answer = editor.initialize(&[folder], more);
        (editor, answer)
    }

    /// Says what it can.
    pub fn initialize(&mut self, folders: &[&Path], more: Value) -> Value {
        let folders: Vec<Value> = folders.iter().map(|f| json!({"uri": uri(f), "name": "x"})).collect();
        let mut params = json!({
            "processId": null,
            "rootUri": null,
            "workspaceFolders": folders,
            "capabilities": {
                "textDocument": {"publishDiagnostics": {"relatedInformation": true}},
                "workspace": {"workspaceEdit": {"documentChanges": true}},
            },
        });
        merge(&mut params, more);
        let answer = self.ask("initialize", params);
        self.tell("initialized", json!({}));
        answer
    }

    /// A notification.
    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(Message::Notification(Notification { method: method.to_owned(), params }));
    }

    /// Bytes as they are.
    pub fn say(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the server listens");
        // A server that is gone does not listen.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    fn send(&mut self, message: Message) {
        let input = self.input.as_mut().expect("the server listens");
        message.write(input).expect("the server reads");
    }

    /// A request, and what it gives.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.try_ask(method, params).unwrap_or_else(|(code, why)| panic!("{method}: {code}: {why}"))
    }

    /// A request, and what it gives or why it is refused.
    pub fn try_ask(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        self.asked += 1;
        let wanted = RequestId::from(self.asked);
        self.send(Message::Request(Request { id: wanted.clone(), method: method.to_owned(), params }));
        let end = Instant::now() + PATIENCE;
        loop {
            match self.next(end).unwrap_or_else(|| panic!("{method} is not answered")) {
                Message::Response(Response { id, response_result }) if id == wanted => {
                    return response_result.map_err(|error| (error.code, error.message));
                }
                other => self.keep(other),
            }
        }
    }

    fn keep(&mut self, message: Message) {
        match message {
            Message::Notification(notification) => self.heard.push(notification),
            // What the server asks for is granted.
            Message::Request(Request { id, method, params }) => {
                self.granted.push((method, params));
                self.send(Message::Response(Response::new_ok(id, ())));
            }
            Message::Response(_) => {}
        }
    }

    fn next(&mut self, end: Instant) -> Option<Message> {
        match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Timeout) => panic!("nothing was said for a long time; heard: {:#?}", self.heard),
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Waits for a notification.
    pub fn hear(&mut self, wanted: impl Fn(&Notification) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.heard.iter().position(&wanted) {
                return self.heard.remove(at).params;
            }
            let message = self.next(end).expect("the server speaks");
            self.keep(message);
        }
    }

    /// Waits for what is said of a version of a document.
    pub fn diagnostics(&mut self, path: &Path, version: i32) -> Vec<Value> {
        let uri = uri(path);
        let params = self.hear(|n| {
            n.method == "textDocument/publishDiagnostics" && n.params["uri"] == uri && n.params["version"] == version
        });
        // What was said before is old.
        self.heard.retain(|n| n.params["uri"] != uri);
        params["diagnostics"].as_array().expect("a list").clone()
    }

    /// Opens a document as it is on disk.
    pub fn open(&mut self, path: &Path) {
        let text = std::fs::read_to_string(path).expect("a file");
        self.open_as(path, &text);
    }

    /// Opens a document with a text.
    pub fn open_as(&mut self, path: &Path, text: &str) {
        let document = json!({"uri": uri(path), "languageId": "x", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Gives a document another text.
    pub fn rewrite(&mut self, path: &Path, version: i32, text: &str) {
        self.change(path, version, json!([{ "text": text }]));
    }

    /// Changes a document.
    pub fn change(&mut self, path: &Path, version: i32, changes: Value) {
        let document = json!({"uri": uri(path), "version": version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The code actions of a range.
    pub fn actions(&mut self, path: &Path, range: &Value) -> Vec<Value> {
        let context = json!({"diagnostics": []});
        let params = json!({"textDocument": {"uri": uri(path)}, "range": range, "context": context});
        self.ask("textDocument/codeAction", params).as_array().expect("a list").clone()
    }

    /// Says that it stops; the exit code.
    pub fn stop(mut self) -> Option<i32> {
        let answer = self.ask("shutdown", Value::Null);
        assert_eq!(answer, Value::Null);
        self.tell("exit", Value::Null);
        self.wait()
    }

    /// Says nothing more; the exit code.
    pub fn leave(mut self) -> Option<i32> {
        self.input.take();
        self.wait()
    }

    /// The exit code.
    pub fn wait(mut self) -> Option<i32> {
        self.server.wait().expect("the server ends").code()
    }
}

/// The URI of a file.
pub fn uri(path: &Path) -> String {
    let text = path.to_str().expect("a name").replace('\\', "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", text.replace('%', "%25").replace(' ', "%20"))
}

/// Lays one value over another.
fn merge(below: &mut Value, above: Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            for (key, value) in above {
                merge(below.entry(key).or_insert(Value::Null), value);
            }
        }
        (below, above) => *below = above,
    }
}

/// Makes the edits that a code action has for a document, whose positions count UTF-16.
pub fn applied(text: &str, edit: &Value, path: &Path) -> String {
    let wanted = uri(path);
    let edits: Vec<Value> = match edit["documentChanges"].as_array() {
        Some(changes) => {
            let own = changes.iter().filter(|change| change["textDocument"]["uri"] == wanted);
            own.flat_map(|change| change["edits"].as_array().expect("edits").clone()).collect()
        }
        None => edit["changes"][&wanted].as_array().cloned().unwrap_or_default(),
    };
    let mut ranges: Vec<(usize, usize, String)> = edits
        .iter()
        .map(|one| {
            let at = |end: &str| offset(text, &one["range"][end]);
            (at("start"), at("end"), one["newText"].as_str().expect("a text").to_owned())
        })
        .collect();
    ranges.sort();
    let mut out = text.to_owned();
    for (start, end, new) in ranges.into_iter().rev() {
        out.replace_range(start..end, &new);
    }
    out
}

/// The byte of a position.
pub fn offset(text: &str, position: &Value) -> usize {
    let (line, character) = (position["line"].as_u64().expect("a line"), position["character"].as_u64().expect("one"));
    let start: usize = text.split_inclusive('\n').take(line as usize).map(str::len).sum();
    let mut left = character as usize;
    let inside = text[start..].chars().take_while(|c| {
        let takes = left > 0;
        left = left.saturating_sub(c.len_utf16());
        takes
    });
    start + inside.map(char::len_utf8).sum::<usize>()
}
