//! The language server, spoken with as an editor does: over its pipes, message by message.

#[path = "support/lsp.rs"]
mod lsp;

use lsp::{Editor, applied, uri};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const JANITOR: &str = r#"from kubernetes import client
from models import Lab
from policy import may_go
from sqlalchemy import select
from sqlalchemy.orm import Session


def sweep(apps: client.AppsV1Api, db: Session):
    for deployment in apps.list_deployment_for_all_namespaces().items:
        row = db.scalars(select(Lab).where(Lab.name == deployment.metadata.name)).one_or_none()
        if may_go(row):
            apps.delete_namespaced_deployment(deployment.metadata.name, deployment.metadata.namespace)
"#;

/// The same, decided where it is deleted.
const DECIDED_HERE: &str = r#"from kubernetes import client
from models import Lab, is_active
from sqlalchemy import select
from sqlalchemy.orm import Session


def sweep(apps: client.AppsV1Api, db: Session):
    for deployment in apps.list_deployment_for_all_namespaces(label_selector="app=lab").items:
        row = db.scalars(select(Lab).where(Lab.name == deployment.metadata.name)).one_or_none()
        if row is None or not is_active(row):
            apps.delete_namespaced_deployment(deployment.metadata.name, deployment.metadata.namespace)
"#;

/// What has no record may go.
const CARELESS: &str = "def may_go(row):\n    return row is None or row.state == 'over'\n";

/// Only what is ours, and over, and old may go.
const CAREFUL: &str = "def may_go(row):\n    return row is not None and row.state == 'over'\n";

const MANIFEST: &str = "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  labels:
    app: web
spec:
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
        example.com/team: a
    spec:
      containers: []
";

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> (TempDir, PathBuf) {
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let root = scratch.path().canonicalize().expect("a folder");
    for (name, text) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders can be made");
        fs::write(path, text).expect("files can be written");
    }
    (scratch, root)
}

fn codes(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|one| one["code"].as_str().unwrap_or_default()).collect()
}

/// Is a rule spoken of?
fn speaks(diagnostics: &[Value], rule: &str) -> bool {
    let also = format!("\nalso {rule}: ");
    diagnostics.iter().any(|one| one["code"] == rule || one["message"].as_str().is_some_and(|m| m.contains(&also)))
}

/// The text that a range of UTF-16 positions holds.
fn held<'a>(text: &'a str, range: &Value) -> &'a str {
    &text[lsp::offset(text, &range["start"])..lsp::offset(text, &range["end"])]
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|one| one["title"].as_str().expect("a title")).collect()
}

#[test]
fn a_session_from_its_begin_to_its_end() {
    let (_scratch, root) = folder(&[("janitor.py", JANITOR), ("policy.py", CARELESS)]);
    let (mut editor, answer) = Editor::in_folder(&root, json!({}));
    assert_eq!(answer["serverInfo"]["name"], "reaplint");
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16", "what holds where nothing is agreed on");
    let janitor = root.join("janitor.py");
    editor.open(&janitor);
    let found = editor.diagnostics(&janitor, 1);
    assert_eq!(found.len(), 1, "one a destructive call: {found:#?}");
    assert!(speaks(&found, "delete-on-absence"));
    let one = &found[0];
    assert_eq!(one["severity"], 1);
    assert_eq!(one["source"], "reaplint");
    assert_eq!(held(JANITOR, &one["range"]), "delete_namespaced_deployment");
    let message = one["message"].as_str().expect("a message");
    assert!(message.contains("\nalso ") && message.contains("\nhelp: "), "{message}");
    // The steps, in the order of execution, in this file and the other one.
    let related = one["relatedInformation"].as_array().expect("related places");
    let texts: Vec<&str> = related.iter().map(|r| r["message"].as_str().expect("a text")).collect();
    assert_eq!(texts[0], "every Deployment is listed here");
    let guard = related.iter().find(|r| r["location"]["uri"] == uri(&root.join("policy.py"))).expect("the guard");
    assert_eq!(held(CARELESS, &guard["location"]["range"]), "row");
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn an_edit_that_is_not_saved_is_linted() {
    let (_scratch, root) = folder(&[("janitor.py", JANITOR), ("policy.py", CARELESS)]);
    let (mut editor, _) = Editor::in_folder(&root, json!({}));
    let janitor = root.join("janitor.py");
    editor.open(&janitor);
    assert_eq!(editor.diagnostics(&janitor, 1).len(), 1);
    // The guard is turned around, with two changes that follow each other.
    let line = json!({"start": {"line": 10, "character": 0}, "end": {"line": 10, "character": 23}});
    let word = json!({"start": {"line": 10, "character": 11}, "end": {"line": 10, "character": 15}});
    let changes =
        json!([{"range": line, "text": "        if none and row.state == 'over':"}, {"range": word, "text": "row"}]);
    editor.change(&janitor, 2, changes);
    let left = editor.diagnostics(&janitor, 2);
    assert!(!speaks(&left, "delete-on-absence"), "{left:#?}");
    // What is closed is no longer shown.
    editor.tell("textDocument/didClose", json!({"textDocument": {"uri": uri(&janitor)}}));
    let gone = editor.hear(|n| n.method == "textDocument/publishDiagnostics" && n.params["version"].is_null());
    assert_eq!(gone["diagnostics"], json!([]));
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn a_guard_that_goes_in_one_buffer_is_a_finding_in_another() {
    let (_scratch, root) = folder(&[("janitor.py", JANITOR), ("policy.py", CAREFUL)]);
    let (mut editor, _) = Editor::in_folder(&root, json!({}));
    let (janitor, policy) = (root.join("janitor.py"), root.join("policy.py"));
    editor.open(&janitor);
    editor.open(&policy);
    // Of the last run that there is before the edit.
    editor.diagnostics(&policy, 1);
    assert!(!speaks(&editor.diagnostics(&janitor, 1), "delete-on-absence"));
    editor.rewrite(&policy, 2, CARELESS);
    editor.diagnostics(&policy, 2);
    let found = editor.diagnostics(&janitor, 1);
    assert!(speaks(&found, "delete-on-absence"), "{found:#?}");
    // And back, on disk: what is closed is as it is there.
    editor.tell("textDocument/didClose", json!({"textDocument": {"uri": uri(&policy)}}));
    assert!(!speaks(&editor.diagnostics(&janitor, 1), "delete-on-absence"));
    // A change of a file that is not open is told by the editor.
    fs::write(&policy, CARELESS).expect("a file can be written");
    let change = json!({"changes": [{"uri": uri(&policy), "type": 2}]});
    editor.tell("workspace/didChangeWatchedFiles", change);
    assert!(speaks(&editor.diagnostics(&janitor, 1), "delete-on-absence"));
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn hovers_show_the_documents_of_the_rules() {
    let (_scratch, root) = folder(&[("janitor.py", JANITOR), ("policy.py", CARELESS)]);
    let (mut editor, _) = Editor::in_folder(&root, json!({}));
    let janitor = root.join("janitor.py");
    editor.open(&janitor);
    let range = editor.diagnostics(&janitor, 1)[0]["range"].clone();
    let document = json!({"uri": uri(&janitor)});
    let hover = editor.ask("textDocument/hover", json!({"textDocument": document, "position": range["end"]}));
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert_eq!(hover["contents"]["kind"], "markdown");
    assert_eq!(hover["range"], range);
    assert!(text.contains("# delete-on-absence\n") && text.contains("# unscoped-sweep\n"), "{text}");
    let nothing = json!({"textDocument": document, "position": {"line": 0, "character": 0}});
    assert_eq!(editor.ask("textDocument/hover", nothing), Value::Null);
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn a_comment_suppresses_and_its_edit_can_be_made() {
    for changes in [true, false] {
        let (_scratch, root) = folder(&[("janitor.py", JANITOR), ("policy.py", CARELESS)]);
        let can = json!({"capabilities": {"workspace": {"workspaceEdit": {"documentChanges": changes}}}});
        let (mut editor, _) = Editor::in_folder(&root, can);
        let janitor = root.join("janitor.py");
        editor.open(&janitor);
        let range = editor.diagnostics(&janitor, 1)[0]["range"].clone();
        let actions = editor.actions(&janitor, &range);
        let wanted = "suppress delete-on-absence with a comment";
        assert!(titles(&actions).contains(&wanted), "{actions:#?}");
        let all =
            actions.iter().find(|one| one["title"] == "suppress everything here with a comment").expect("an action");
        assert_eq!(all["kind"], "quickfix");
        assert_eq!(all["edit"].get("documentChanges").is_some(), changes);
        let text = applied(JANITOR, &all["edit"], &janitor);
        assert!(text.contains("\n            # reaplint: ignore[delete-on-absence, "), "{text}");
        editor.rewrite(&janitor, 2, &text);
        assert_eq!(editor.diagnostics(&janitor, 2), [] as [Value; 0]);
        // Another kind of action is not offered.
        let context = json!({"diagnostics": [], "only": ["refactor"]});
        let params = json!({"textDocument": {"uri": uri(&janitor)}, "range": range, "context": context});
        assert_eq!(editor.ask("textDocument/codeAction", params), json!([]));
        assert_eq!(editor.stop(), Some(0));
    }
}

#[test]
fn a_safe_fix_is_preferred_and_mends() {
    let config = "ownership-labels = [\"example.com/team\"]\n";
    let (_scratch, root) = folder(&[("deploy/web.yaml", MANIFEST), ("reaplint.toml", config)]);
    let (mut editor, _) = Editor::in_folder(&root, json!({}));
    let web = root.join("deploy/web.yaml");
    editor.open(&web);
    let found = editor.diagnostics(&web, 1);
    assert_eq!(codes(&found), ["ownership-label-missing"]);
    let actions = editor.actions(&web, &found[0]["range"]);
    assert_eq!(actions[0]["isPreferred"], true, "{actions:#?}");
    assert_eq!(actions[0]["diagnostics"][0]["code"], "ownership-label-missing");
    let text = applied(MANIFEST, &actions[0]["edit"], &web);
    // Until the new text is linted, an edit of the old one is not offered.
    editor.rewrite(&web, 2, &text);
    assert_eq!(editor.diagnostics(&web, 2), [] as [Value; 0], "{text}");
    // The comment in YAML.
    editor.rewrite(&web, 3, MANIFEST);
    let found = editor.diagnostics(&web, 3);
    let actions = editor.actions(&web, &found[0]["range"]);
    let text = applied(MANIFEST, &actions.last().expect("an action")["edit"], &web);
    assert!(text.contains("# reaplint: ignore[ownership-label-missing] "), "{text}");
    editor.rewrite(&web, 4, &text);
    assert_eq!(editor.diagnostics(&web, 4), [] as [Value; 0], "{text}");
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn an_unsafe_fix_is_offered_and_so_is_the_end_of_a_suppression() {
    let (_scratch, root) = folder(&[("janitor.py", DECIDED_HERE)]);
    let (mut editor, _) = Editor::in_folder(&root, json!({}));
    let janitor = root.join("janitor.py");
    editor.open(&janitor);
    let found = editor.diagnostics(&janitor, 1);
    let actions = editor.actions(&janitor, &found[0]["range"]);
    let fix = actions
        .iter()
        .find(|one| one["title"].as_str().is_some_and(|title| title.ends_with("(may change what it does)")));
    let fix = fix.unwrap_or_else(|| panic!("{actions:#?}"));
    assert!(fix["isPreferred"].is_null());
    let mended = applied(DECIDED_HERE, &fix["edit"], &janitor);
    editor.rewrite(&janitor, 2, &mended);
    assert!(!speaks(&editor.diagnostics(&janitor, 2), "delete-on-absence"), "{mended}");
    // The comment of before suppresses nothing any more.
    let comment = "            # reaplint: ignore[delete-on-absence] ours\n            apps.delete";
    let text = mended.replace("            apps.delete", comment);
    editor.rewrite(&janitor, 3, &text);
    let found = editor.diagnostics(&janitor, 3);
    let unused = found.iter().find(|one| one["tags"] == json!([1])).unwrap_or_else(|| panic!("{found:#?}"));
    let actions = editor.actions(&janitor, &unused["range"]);
    assert_eq!(titles(&actions)[0], "remove what suppresses nothing");
    assert_eq!(applied(&text, &actions[0]["edit"], &janitor), mended);
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn what_was_not_linted_yet_gets_no_edit() {
    let (_scratch, root) = folder(&[("janitor.py", JANITOR), ("policy.py", CARELESS)]);
    let (mut editor, _) = Editor::in_folder(&root, json!({}));
    let janitor = root.join("janitor.py");
    editor.open(&janitor);
    let range = editor.diagnostics(&janitor, 1)[0]["range"].clone();
    assert!(!editor.actions(&janitor, &range).is_empty());
    editor.rewrite(&janitor, 2, &format!("# one line more\n{JANITOR}"));
    assert_eq!(editor.actions(&janitor, &range), [] as [Value; 0]);
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn positions_are_counted_as_agreed() {
    let text = JANITOR.replace("            apps.delete", "            log('é🦀'); apps.delete");
    let wanted = [(&["utf-8", "utf-16"][..], "utf-8", 32), (&["utf-32"], "utf-32", 28), (&["utf-16"], "utf-16", 29)];
    for (offered, agreed, column) in wanted {
        let (_scratch, root) = folder(&[("janitor.py", &text), ("policy.py", CARELESS)]);
        let can = json!({"capabilities": {"general": {"positionEncodings": offered}}});
        let (mut editor, answer) = Editor::in_folder(&root, can);
        assert_eq!(answer["capabilities"]["positionEncoding"], agreed);
        let janitor = root.join("janitor.py");
        editor.open(&janitor);
        let found = editor.diagnostics(&janitor, 1);
        assert_eq!(found[0]["range"]["start"], json!({"line": 11, "character": column}), "{agreed}");
        // The edit of a range behind the crab.
        let call = json!({"start": {"line": 11, "character": column - 5}, "end": {"line": 11, "character": 999}});
        editor.change(&janitor, 2, json!([{"range": call, "text": "pass"}]));
        assert_eq!(editor.diagnostics(&janitor, 2), [] as [Value; 0], "{agreed}");
        assert_eq!(editor.stop(), Some(0));
    }
}

#[test]
fn configuration_counts_and_is_read_again() {
    let (_scratch, root) =
        folder(&[("janitor.py", JANITOR), ("policy.py", CARELESS), ("reaplint.toml", "selekt = []\n")]);
    let (mut editor, _) = Editor::in_folder(&root, json!({}));
    let janitor = root.join("janitor.py");
    editor.open(&janitor);
    assert_eq!(editor.diagnostics(&janitor, 1), [] as [Value; 0]);
    let logged = editor.hear(|n| n.method == "window/logMessage" && n.params["type"] == 1);
    let message = logged["message"].as_str().expect("a text");
    assert!(message.contains("reaplint.toml") && message.contains("select"), "{message}");
    let shown = editor.hear(|n| n.method == "window/showMessage");
    assert!(
        shown["message"].as_str().expect("a text").contains("does not lint"),
        "silence would look like no findings"
    );
    fs::write(root.join("reaplint.toml"), "ignore = [\"delete-on-absence\"]\n").expect("a file can be written");
    let change = json!({"changes": [{"uri": uri(&root.join("reaplint.toml")), "type": 2}]});
    editor.tell("workspace/didChangeWatchedFiles", change);
    let found = editor.diagnostics(&janitor, 1);
    assert!(!found.is_empty() && !speaks(&found, "delete-on-absence"), "{found:#?}");
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn files_are_watched_where_the_editor_can() {
    let (_scratch, root) = folder(&[]);
    let mut editor = Editor::silent();
    let can = json!({"capabilities": {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}}});
    editor.initialize(&[&root], can);
    editor.ask(
        "textDocument/hover",
        json!({"textDocument": {"uri": "file:///x.py"}, "position": {"line": 0, "character": 0}}),
    );
    assert!(editor.granted.iter().any(|(method, params)| {
        method == "client/registerCapability" && params.to_string().contains("reaplint.toml")
    }));
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn documents_outside_new_ones_and_those_left_out() {
    let ignored = format!("{JANITOR}# old\n");
    let config = "extend-exclude = [\"old\"]\n";
    let (_scratch, root) = folder(&[("policy.py", CARELESS), ("old/janitor.py", &ignored), ("reaplint.toml", config)]);
    let (_elsewhere, outside) = folder(&[("alone.py", &JANITOR.replace("may_go(row)", "row is None"))]);
    let (mut editor, _) = Editor::in_folder(&root, json!({}));
    // A file that is on no disk yet.
    let new = root.join("janitor.py");
    editor.open_as(&new, JANITOR);
    assert!(speaks(&editor.diagnostics(&new, 1), "delete-on-absence"));
    let old = root.join("old/janitor.py");
    editor.open(&old);
    assert_eq!(editor.diagnostics(&old, 1), [] as [Value; 0], "the configuration leaves it out");
    let alone = outside.join("alone.py");
    editor.open(&alone);
    assert!(speaks(&editor.diagnostics(&alone, 1), "delete-on-absence"), "by itself");
    // Of another kind, or no file at all.
    let note = root.join("note.txt");
    editor.open_as(&note, "delete everything");
    assert_eq!(editor.diagnostics(&note, 1), [] as [Value; 0]);
    let untitled = json!({"uri": "untitled:Untitled-1", "languageId": "python", "version": 1, "text": JANITOR});
    editor.tell("textDocument/didOpen", json!({ "textDocument": untitled }));
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn each_folder_of_the_workspace_has_its_own_configuration() {
    let (_one, first) = folder(&[("janitor.py", JANITOR), ("policy.py", CARELESS)]);
    let (_two, second) =
        folder(&[("janitor.py", JANITOR), ("policy.py", CARELESS), (".reaplint.toml", "select = []\n")]);
    let mut editor = Editor::silent();
    editor.initialize(&[&first], json!({}));
    let (a, b) = (first.join("janitor.py"), second.join("janitor.py"));
    editor.open(&a);
    assert_eq!(editor.diagnostics(&a, 1).len(), 1);
    let added = json!({"event": {"added": [{"uri": uri(&second), "name": "second"}], "removed": []}});
    editor.tell("workspace/didChangeWorkspaceFolders", added);
    editor.open(&b);
    assert_eq!(editor.diagnostics(&b, 1), [] as [Value; 0]);
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn settings_of_the_editor_are_flags() {
    let (_scratch, root) = folder(&[("janitor.py", JANITOR), ("policy.py", CARELESS)]);
    let options = json!({"initializationOptions": {"args": ["--select", "missing-grace-period"]}});
    let (mut editor, _) = Editor::in_folder(&root, options);
    let janitor = root.join("janitor.py");
    editor.open(&janitor);
    assert_eq!(codes(&editor.diagnostics(&janitor, 1)), ["missing-grace-period"]);
    assert_eq!(editor.stop(), Some(0));
    let mut editor = Editor::with_flags(&["--config", "select = [\"unscoped-sweep\"]"]);
    editor.initialize(&[&root], json!({"initializationOptions": {"args": ["--no-such-flag"]}}));
    editor.hear(|n| n.method == "window/showMessage");
    editor.open(&janitor);
    assert_eq!(codes(&editor.diagnostics(&janitor, 1)), ["unscoped-sweep"]);
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn what_is_skipped_is_logged_once() {
    let (_scratch, root) = folder(&[("janitor.py", JANITOR), ("policy.py", CARELESS), ("broken.py", "")]);
    fs::write(root.join("broken.py"), b"x = '\xe9'\n").expect("a file can be written");
    let (mut editor, _) = Editor::in_folder(&root, json!({}));
    let janitor = root.join("janitor.py");
    editor.open(&janitor);
    editor.diagnostics(&janitor, 1);
    let logged = editor.hear(|n| n.method == "window/logMessage");
    assert!(logged["message"].as_str().expect("a text").contains("broken.py: not UTF-8"), "{logged}");
    editor.tell("textDocument/didSave", json!({"textDocument": {"uri": uri(&janitor)}}));
    editor.diagnostics(&janitor, 1);
    editor.actions(&janitor, &json!({"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}));
    assert!(!editor.heard.iter().any(|n| n.method == "window/logMessage"), "{:?}", editor.heard);
    // The editor could read it, and so it is linted.
    editor.open_as(&root.join("broken.py"), &JANITOR.replace("may_go(row)", "row is None"));
    assert!(speaks(&editor.diagnostics(&root.join("broken.py"), 1), "delete-on-absence"));
    assert_eq!(editor.stop(), Some(0));
}

#[test]
fn codes_of_the_end() {
    let start = || {
        let mut editor = Editor::silent();
        editor.initialize(&[], json!({}));
        editor
    };
    assert_eq!(start().stop(), Some(0));
    let mut editor = start();
    editor.tell("exit", Value::Null);
    assert_eq!(editor.wait(), Some(1), "without `shutdown`");
    assert_eq!(start().leave(), Some(1), "the editor is gone");
    let mut editor = start();
    editor.ask("shutdown", Value::Null);
    let refused = editor.try_ask("textDocument/hover", json!({}));
    assert_eq!(refused.map_err(|(code, _)| code), Err(-32600));
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn nonsense_is_answered_and_survived() {
    let mut editor = Editor::silent();
    assert_eq!(editor.try_ask("textDocument/hover", json!({})).map_err(|(code, _)| code), Err(-32002), "too early");
    assert_eq!(editor.try_ask("initialize", json!([1])).map_err(|(code, _)| code), Err(-32602));
    editor.initialize(&[], json!({}));
    assert_eq!(editor.try_ask("initialize", json!({})).map_err(|(code, _)| code), Err(-32600));
    assert_eq!(editor.try_ask("reap/everything", json!(7)).map_err(|(code, _)| code), Err(-32601));
    assert_eq!(editor.try_ask("textDocument/codeAction", json!({"range": []})).map_err(|(code, _)| code), Err(-32602));
    editor.tell("textDocument/didOpen", json!({"textDocument": 3}));
    editor.tell("textDocument/didChange", json!({"textDocument": {"uri": "%%", "version": 1}}));
    editor.tell("$/setTrace", json!({}));
    editor.say(b"Content-Length: 5\r\n\r\n{]{]{");
    editor.hear(|n| n.method == "window/logMessage" && n.params.to_string().contains("not understood"));
    let path = Path::new("/no/such/folder/a.py");
    editor.open_as(path, JANITOR);
    editor.diagnostics(path, 1);
    let far = json!({"start": {"line": 4_000_000_000_u32, "character": 4_000_000_000_u32}, "end": {"line": 0, "character": 0}});
    editor.change(path, 2, json!([{"range": far, "text": "é"}]));
    editor.diagnostics(path, 2);
    assert_eq!(editor.stop(), Some(0));
    let mut editor = Editor::silent();
    editor.say(b"Content-Length: 99999999999999999999999\r\n\r\n");
    assert_eq!(editor.wait(), Some(2), "what follows cannot be told apart");
}
