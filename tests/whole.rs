//! Rules that look at a function as a whole, over small programs: what each form comes to.

use reaplint::check::{Options, check};
use reaplint::source::{FileId, Language, SourceFile, Sources};
use reaplint::vocab::{Vocab, builtin};
use std::sync::LazyLock;

static VOCAB: LazyLock<Vocab> = LazyLock::new(builtin);

/// `line confidence` of every finding of a rule in one file.
fn found(rule: &str, path: &str, program: &str) -> Vec<String> {
    found_in(rule, &[(path, program)])
}

/// The same for the first of several files.
fn found_in(rule: &str, files: &[(&str, &str)]) -> Vec<String> {
    let file = |(i, (path, text)): (usize, &(&str, &str))| SourceFile {
        id: FileId(i as u32),
        path: path.into(),
        language: Language::Python,
        text: (*text).into(),
    };
    let sources = Sources { files: files.iter().enumerate().map(file).collect() };
    let program = files[0].1;
    let findings = check(&sources, &VOCAB, &Options::default()).findings;
    let line = |at: u32| program[..at as usize].matches('\n').count() + 1;
    let shown = |f: &reaplint::rules::Finding| format!("{} {}", line(f.at.start), f.confidence.word());
    findings.iter().filter(|f| f.rule.name == rule && f.at.file == FileId(0)).map(shown).collect()
}

/// The findings for the body of a function that is given clients of a cluster.
fn selector(body: &str) -> Vec<String> {
    let head = "from kubernetes import client\ndef f(core: client.CoreV1Api, batch: client.BatchV1Api, ns, x):\n";
    found("unsupported-field-selector", "f.py", &format!("{head}{}", indented(body)))
}

/// The findings for the body of a test.
fn test(name: &str, body: &str) -> Vec<String> {
    let head = "from unittest import mock\nimport janitor\n";
    let text = format!("{head}def {name}(self, api, db, monkeypatch):\n{}", indented(body));
    found("test-asserts-absence-delete", "test_f.py", &text)
}

fn indented(body: &str) -> String {
    body.lines().map(|line| format!("    {line}\n")).collect()
}

#[test]
fn selectors_are_judged_by_the_kind_that_is_listed() {
    for (call, wanted) in [
        ("core.list_namespaced_pod(ns, field_selector='status.phase=Running')", ""),
        ("core.list_namespaced_pod(ns, field_selector='status.startTime=x')", "3 high"),
        ("core.list_pod_for_all_namespaces(field_selector='spec.nodeName=a,status.phase!=b')", ""),
        ("core.list_persistent_volume(field_selector='status.phase=Released')", "3 high"),
        ("core.list_namespace(field_selector='status.phase=Active')", ""),
        ("core.list_namespaced_secret(ns, field_selector=f'type={x}')", ""),
        ("core.list_namespaced_event(ns, field_selector='involvedObject.name=' + x)", ""),
        ("batch.list_namespaced_job(ns, field_selector='status.successful=1')", ""),
        ("batch.list_namespaced_job(ns, field_selector='status.succeeded=1')", "3 high"),
        ("core.delete_collection_namespaced_pod(ns, field_selector='metadata.labels.a=b')", "3 high"),
        ("core.list_namespaced_new_thing(ns, field_selector='spec.colour=red')", ""),
        ("core.list_namespaced_new_thing(ns, field_selector='metadata.creationTimestamp=x')", "3 high"),
    ] {
        assert_eq!(selector(call).join(";"), wanted, "{call}");
    }
}

#[test]
fn selectors_are_read_as_far_as_they_are_written() {
    for (body, wanted) in [
        ("sel = 'metadata.labels.' + x\ncore.list_namespaced_pod(ns, field_selector=sel)", "3 high"),
        ("core.list_namespaced_pod(ns, field_selector=x)", ""),
        ("core.list_namespaced_pod(ns, field_selector=f'{x}=1')", ""),
        ("core.list_namespaced_pod(ns, field_selector='status.%s=1' % x)", ""),
        ("core.list_namespaced_pod(ns, field_selector='status.phase in (Failed, Unknown)')", "3 high"),
        ("core.list_namespaced_pod(ns, field_selector=None if x else 'spec.tier=a')", "3 high"),
        ("core.list_namespaced_pod(ns, field_selector=','.join(['metadata.name=a', 'spec.tier=b']))", "3 high"),
        ("opts = {'field_selector': 'spec.tier=a'}\ncore.list_namespaced_pod(ns)", ""),
    ] {
        assert_eq!(selector(body).join(";"), wanted, "{body}");
    }
}

#[test]
fn one_text_at_two_places_does_not_move_the_finding_to_the_wrong_one() {
    let body = "core.list_namespaced_pod(ns, field_selector='status.phase=Failed')\n\
                core.list_persistent_volume(field_selector='status.phase=Failed')";
    assert_eq!(selector(body), ["4 high"]);
}

#[test]
fn selectors_are_found_where_they_are_given() {
    let rule = "unsupported-field-selector";
    let wrapped = "from kubernetes import client\n\
                   def pods(core, ns, chosen):\n    return core.list_namespaced_pod(ns, field_selector=chosen).items\n\
                   def web(core, ns):\n    return pods(core, ns, 'spec.tier=web')\n\
                   def on(core, ns, node):\n    return pods(core, ns, 'spec.nodeName=' + node)\n";
    assert_eq!(found(rule, "f.py", wrapped), ["5 high"]);
    // A list whose answer nobody uses is rejected all the same.
    let body = "for p in core.list_namespaced_pod(ns, field_selector='spec.tier=web').items:\n    print(p)";
    assert_eq!(selector(body), ["3 high"]);
    let constant = "from kubernetes import client\nOLD = 'spec.tier=web'\n\
                    def f(core, ns):\n    return core.list_namespaced_pod(ns, field_selector=OLD)\n";
    assert_eq!(found(rule, "f.py", constant), ["4 high"]);
}

#[test]
fn clients_that_name_the_kind_on_the_way() {
    let program = |kind: &str, selector: &str| {
        format!(
            "from kubernetes import dynamic\ndef f(client):\n    \
             pods = dynamic.DynamicClient(client).resources.get(api_version='v1', kind='{kind}')\n    \
             return pods.get(namespace='a', field_selector='{selector}')\n"
        )
    };
    let rule = "unsupported-field-selector";
    assert_eq!(found(rule, "f.py", &program("Pod", "status.phase=Failed")), [""; 0]);
    assert_eq!(found(rule, "f.py", &program("Pod", "spec.tier=a")), ["4 high"]);
    assert_eq!(found(rule, "f.py", &program("Widget", "spec.tier=a")), [""; 0]);
}

#[test]
fn a_lookup_can_be_made_to_find_nothing_in_many_ways() {
    let claim = "\njanitor.sweep(api)\napi.delete_server.assert_called_once_with('a')";
    for arranged in [
        "monkeypatch.setattr(janitor, 'find_row', lambda name: None)",
        "monkeypatch.setattr('janitor.find_row', lambda name: None)",
        "db.rows.get.return_value = None",
        "db.rows.get.side_effect = NotFound('a')",
        "db.rows.all.return_value = []",
        "db.get = mock.Mock(return_value=None)",
        "mock.patch('janitor.rows.find', return_value=None).start()",
        "mock.patch.object(janitor.rows, 'find', side_effect=LookupError, new=lambda n: None).start()",
        "api.rows = mock.Mock(**{'find.return_value': None})",
        "def find_row(name):\n    return None\njanitor.prepare(find_row=find_row)",
        "class Rows:\n    def find(self, name):\n        return None",
        "janitor.Janitor(api, known=set())",
        "db.records.list.return_value = SimpleNamespace(items=[])",
    ] {
        assert_eq!(test("test_sweep", &format!("{arranged}{claim}")).len(), 1, "{arranged}");
    }
    let decorated = "from unittest import mock\nclass T:\n    @mock.patch('janitor.rows.find', return_value=None)\n    \
                     def test_sweep(self, find, api):\n        sweep(api)\n        api.delete.assert_called_once_with('a')\n";
    assert_eq!(found("test-asserts-absence-delete", "test_f.py", decorated), ["6 high"]);
}

#[test]
fn destruction_can_be_asserted_in_many_ways() {
    let arranged = "db.rows.get.return_value = None\nreaped = janitor.reap(api)\n";
    for claim in [
        "api.delete_server.assert_called_once()",
        "api.delete_server.assert_has_calls([mock.call('a')])",
        "assert api.delete_server.called",
        "assert api.delete_server.call_count == 1",
        "assert api.delete_server.mock_calls == [mock.call('a')]",
        "self.assertEqual(1, api.delete_server.call_count)",
        "assert 'a' in reaped",
        "assert reaped == ['a']",
        "assert len(reaped) == 1",
        "self.assertEqual(reaped, ['a'])",
        "self.assertIn('a', reaped)",
        "assert [r.name for r in reaped] == ['a']",
        "assert janitor.is_zombie(api.server)",
        "assert janitor.is_zombie(api.server) is True",
        "self.assertTrue(janitor.is_orphan(api.server))",
        "assert janitor.verdict(api.server) == 'orphan'",
    ] {
        assert_eq!(test("test_server_without_row", &format!("{arranged}{claim}")).len(), 1, "{claim}");
    }
}

#[test]
fn the_opposite_is_no_claim() {
    let arranged = "db.rows.get.return_value = None\nreaped = janitor.reap(api)\n";
    for claim in [
        "api.delete_server.assert_not_called()",
        "assert not api.delete_server.called",
        "assert api.delete_server.call_count == 0",
        "self.assertEqual(0, api.delete_server.call_count)",
        "self.assertFalse(api.delete_server.called)",
        "assert 'a' not in reaped",
        "assert reaped == []",
        "assert len(reaped) == 0",
        "assert not reaped",
        "self.assertEqual(reaped, [])",
        "self.assertNotIn('a', reaped)",
        "assert not janitor.is_zombie(api.server)",
        "assert janitor.is_zombie(api.server) is False",
        "assert api.method == 'DELETE'",
        "api.list_servers.assert_called_once()",
    ] {
        assert_eq!(test("test_server_without_row", &format!("{arranged}{claim}")), [""; 0], "{claim}");
    }
}

#[test]
fn tests_of_other_things_are_left_alone() {
    let silent = |name: &str, body: &str| assert_eq!(test(name, body), [""; 0], "{name}: {body}");
    // A request, though another lookup finds nothing.
    silent(
        "test_delete",
        "db.tags.get.return_value = None\njanitor.delete_server('a')\napi.delete.assert_called_once()",
    );
    silent(
        "test_cleanup",
        "db.rows.get.return_value = None\njanitor.cleanup('a')\napi.delete.assert_called_once_with('a')",
    );
    silent("test_delete_server_not_in_db", "janitor.delete_server('a')\napi.delete.assert_called_once()");
    // The record is there.
    silent("test_sweep", "db.rows.get.return_value = 1\njanitor.sweep(api)\napi.delete.assert_called_once()");
    // What is not found is no record.
    silent("test_sweep", "janitor.get_config.return_value = None\njanitor.sweep(api)\napi.delete.assert_called_once()");
    silent("test_sweep", "api.delete.return_value = None\njanitor.sweep(api)\napi.delete.assert_called_once()");
    // The name says that it stays.
    silent("test_unknown_is_kept", "db.rows.get.return_value = None\njanitor.sweep(api)\nassert 'a' in janitor.reaped");
    // No test.
    silent("helper", "db.rows.get.return_value = None\njanitor.sweep(api)\napi.delete.assert_called_once()");
}

#[test]
fn how_sure() {
    let sweep = "janitor.sweep(api)\napi.delete.assert_called_once()";
    let rows = "db.rows.get.return_value = None\n";
    assert_eq!(test("test_sweep", &format!("{rows}{sweep}")), ["6 high"]);
    assert_eq!(test("test_server_without_row_is_deleted", sweep), ["5 medium"]);
    assert_eq!(
        test("test_sweep", &format!("monkeypatch.setattr(janitor, 'find_lab', lambda n: None)\n{sweep}")),
        ["6 medium"]
    );
    // What is old and nobody's, or over, may well go.
    assert_eq!(test("test_old_server", &format!("{rows}{sweep}")), ["6 low"]);
    assert_eq!(test("test_sweep", &format!("{rows}Row(status='terminated')\n{sweep}")), ["7 low"]);
}

#[test]
fn one_finding_a_test_at_the_call_that_destroys() {
    let body = "db.rows.get.return_value = None\nassert janitor.reap(api) == ['a']\nassert 'a' in janitor.reaped\n\
                api.delete.assert_called_once_with('a')\napi.delete.assert_called()";
    assert_eq!(test("test_reap", body), ["7 high"]);
}

/// A sweep of Services by label, decided by a list of `known`.
fn sweep_of_services(selector: &str, known: &str) -> String {
    format!(
        "from kubernetes import client\ndef sweep(core, custom, ns, db):\n    known = {known}\n    \
         for s in core.list_namespaced_service(ns, {selector}).items:\n        \
         if s.metadata.labels['app'] not in known:\n            core.delete_namespaced_service(s.metadata.name, ns)\n"
    )
}

const CUSTOM: &str =
    "[x['metadata']['name'] for x in custom.list_namespaced_custom_object('g', 'v1', ns, 'apps')['items']]";

/// The findings for a function that makes a Service, with a sweep of Services in another file.
fn maker(head: &str, body: &str, sweep: &str) -> Vec<String> {
    let program = format!("import kopf\nfrom kubernetes import client\n{head}\n{}", indented(body));
    found_in("missing-owner-reference", &[("maker.py", &program), ("sweep.py", sweep)])
}

#[test]
fn a_dependent_is_known_by_the_sweep_that_collects_it() {
    let sweep = sweep_of_services("label_selector='app'", CUSTOM);
    let handler = "@kopf.on.create('g', 'v1', 'apps')\ndef create(name, namespace, body, **_):";
    let plain = "def create(name, namespace, core, custom):";
    let make = "client.CoreV1Api().create_namespaced_service(namespace, {'metadata': {'name': name, 'labels': {'app': name}}})";
    let typed = "meta = client.V1ObjectMeta(name=name, labels={'app': name})\n\
                 client.CoreV1Api().create_namespaced_service(namespace, client.V1Service(metadata=meta))";
    assert_eq!(maker(handler, make, &sweep), ["5 high"]);
    assert_eq!(maker(handler, typed, &sweep), ["6 high"]);
    // In the namespace of the object that the handler was called for.
    let of_body = make.replace("(namespace", "(body['metadata']['namespace']");
    assert_eq!(maker(handler, &of_body, &sweep), ["5 high"]);
    assert_eq!(maker(handler, &make.replace("(namespace", "('shared'"), &sweep), [""; 0]);
    // What the sweep asks about is read here.
    let reads = format!("app = custom.get_namespaced_custom_object('g', 'v1', namespace, 'apps', name)\n{make}");
    assert_eq!(maker(plain, &reads, &sweep), ["5 high"]);
    assert_eq!(maker(plain, make, &sweep), [""; 0]);
    // Made by a helper that the handler calls.
    let helper = format!("{handler}\n    make(name, namespace)\ndef make(name, namespace):");
    assert_eq!(maker(&helper, make, &sweep), ["7 high"]);
}

#[test]
fn a_dependent_with_an_owner_or_without_a_sweep_is_left_alone() {
    let sweep = sweep_of_services("label_selector='app'", CUSTOM);
    let handler = "@kopf.on.create('g', 'v1', 'apps')\ndef create(name, namespace, body, **_):";
    let make = "svc = {'metadata': {'name': name, 'labels': {'app': name}}}\n\
                client.CoreV1Api().create_namespaced_service(namespace, svc)";
    let silent = |body: &str, sweep: &str| assert_eq!(maker(handler, body, sweep), [""; 0], "{body}\n{sweep}");
    silent(&make.replace("\nclient", "\nkopf.adopt(svc)\nclient"), &sweep);
    silent(&make.replace("'name': name", "'name': name, 'ownerReferences': [ref(body)]"), &sweep);
    silent(&make.replace("\nclient", "\nsvc['metadata']['ownerReferences'] = [ref(body)]\nclient"), &sweep);
    silent(&make.replace("'labels': {'app': name}", "'labels': {'other': name}"), &sweep);
    silent(&make.replace(", 'labels': {'app': name}", ""), &sweep);
    silent("client.CoreV1Api().create_namespaced_service(namespace, render(name))", &sweep);
    silent(make, "");
    silent(make, &sweep_of_services("limit=500", CUSTOM));
    silent(&make.replace("create_namespaced_service", "create_namespaced_secret"), &sweep);
    let plain = "def create(name, namespace, core, db):";
    assert_eq!(maker(plain, make, &sweep_of_services("label_selector='app'", "db.names()")), [""; 0]);
}

/// A helper that is too large to be put in place still sends the statement it is given.
#[test]
fn statements_sent_by_a_long_helper() {
    let notes: String = (0..80).map(|n| format!("self.note{n}(text, self.word{n}), ")).collect();
    let helper = format!(
        "import MySQLdb\n\nclass Store:\n    def ask(self, text, connection=None):\n        \
         connection = connection or MySQLdb.connect(self.host)\n        cursor = connection.cursor()\n        \
         cursor.execute(text)\n        return {{'Value': cursor.fetchall(), 'Notes': [{notes}]}}\n\n"
    );
    let rule = "delete-on-absence";
    for (unused, line) in
        [("SELECT id FROM plot WHERE id NOT IN (SELECT plot FROM lease)", true), ("SELECT id FROM plot", false)]
    {
        let use_of = format!(
            "    def clean(self):\n        found = self.ask(\"{unused}\")\n        \
             ids = [str(row[0]) for row in found['Value']]\n        \
             self.ask(f\"DELETE FROM plot WHERE id IN ({{','.join(ids)}})\")\n"
        );
        assert_eq!(found(rule, "store.py", &format!("{helper}{use_of}")).len(), usize::from(line), "{unused}");
    }
}

/// A helper that is too large to be put in place still fills the list it is given.
#[test]
fn a_list_filled_by_a_long_helper() {
    let notes: String = (0..80).map(|n| format!("session.note{n}(found, session.word{n}), ")).collect();
    let program = format!(
        "from pathlib import Path\n\ndef collect(session, found):\n    for row in session.get_rows():\n        \
         found.append(row.path)\n    return [{notes}]\n\ndef clean(base: Path, session):\n    found, gone = [], []\n    \
         collect(session, found)\n    for f in base.rglob('*.dat'):\n        if f not in found:\n            f.unlink()\n"
    );
    assert_eq!(found("delete-on-absence", "clean.py", &program).len(), 1);
}
