//! Manifests as users meet them: every form of YAML, broken and hostile input, safe fixes, configuration, suppression.

mod run;

use run::Folder;
use std::fmt::Write;

/// A Deployment whose pods carry an owner that it lacks.
fn workload(labels: &str) -> String {
    format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n{labels}spec:\n  template:\n    metadata:\n      \
         labels:\n        app: web\n        x.example.com/owner: 'team a' # whose\n    spec:\n      containers:\n      - {{name: web, image: web}}\n"
    )
}

fn fixed(text: &str) -> String {
    let folder = Folder::new();
    folder.write("web.yaml", text);
    let run = folder.run("check --fix --output-format concise");
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    assert!(run.err.starts_with("fixed 1 finding\n"), "{}", run.err);
    let again = folder.run("check --fix --output-format concise");
    assert_eq!((again.code, again.err.as_str()), (0, "1 file linted: nothing found\n"));
    folder.read("web.yaml")
}

#[test]
fn a_fix_adds_the_label_and_nothing_else() {
    let text = workload("  labels:\n    app: web   # what\n");
    let want = text.replacen("app: web   # what\n", "app: web   # what\n    x.example.com/owner: 'team a'\n", 1);
    assert_eq!(fixed(&text), want);
    let text = workload("  labels: {app: web}\n");
    assert_eq!(fixed(&text), text.replacen("{app: web}", "{app: web, x.example.com/owner: 'team a'}", 1));
    let text = workload("  labels: {}\n");
    assert_eq!(fixed(&text), text.replacen("{}", "{x.example.com/owner: 'team a'}", 1));
    let text = workload("");
    assert_eq!(fixed(&text), text.replacen("  name", "  labels:\n    x.example.com/owner: 'team a'\n  name", 1));
    let text = workload("  labels:\n");
    assert_eq!(fixed(&text), text.replacen("labels:\n", "labels:\n    x.example.com/owner: 'team a'\n", 1));
}

#[test]
fn a_fix_keeps_line_ends_and_the_byte_order_mark() {
    let text = format!("\u{feff}{}", workload("  labels:\n    app: web\n").replace('\n', "\r\n"));
    let want = text.replacen("    app: web\r\n", "    app: web\r\n    x.example.com/owner: 'team a'\r\n", 1);
    assert_eq!(fixed(&text), want);
}

#[test]
fn a_fix_of_json_is_json() {
    let text = r#"{
  "apiVersion": "batch/v1", "kind": "CronJob",
  "metadata": {
    "name": "web",
    "labels": {
      "app": "web"
    }
  },
  "spec": {"jobTemplate": {"spec": {"template": {
    "metadata": {"labels": {"app": "web", "x.example.com/owner": "a"}},
    "spec": {"containers": [{"name": "web"}]}
  }}}}
}
"#;
    let folder = Folder::new();
    folder.write("web.json", text);
    assert_eq!(folder.run("check --fix").code, 0);
    let new = folder.read("web.json");
    assert_eq!(
        new,
        text.replacen("\"app\": \"web\"\n", "\"app\": \"web\",\n      \"x.example.com/owner\": \"a\"\n", 1)
    );
    serde_json::from_str::<serde_json::Value>(&new).expect("JSON");
}

#[test]
fn a_value_that_means_something_else_elsewhere_is_not_copied() {
    let template = workload("  labels:\n    app: web\n").replace(
        "        x.example.com/owner: 'team a' # whose\n",
        "        {{- with .Values.own }}\n        x.example.com/owner: {{ .name }}\n        {{- end }}\n",
    );
    let folder = Folder::new();
    folder.write("Chart.yaml", "name: web\n");
    folder.write("values.yaml", "own: {name: a}\n");
    folder.write("templates/web.yaml", &template);
    let run = folder.run("check --fix --output-format concise");
    assert_eq!(run.code, 1, "reported, and left to people: {}", run.err);
    assert_eq!(folder.read("templates/web.yaml"), template);
}

#[test]
fn in_jinja_there_is_no_fix() {
    let text = workload("  labels: {app: web}\n")
        .replace("        app: web\n", "        {% if a %}\n        app: web\n        {% endif %}\n");
    let folder = Folder::new();
    folder.write("web.yaml.j2", &text);
    assert_eq!(folder.run("check --fix").code, 1);
    assert_eq!(folder.read("web.yaml.j2"), text);
}

#[test]
fn a_broken_document_costs_no_other() {
    let folder = Folder::new();
    folder.write("a.yaml", format!("kind: X\na: [1\n---\n{}", workload("")));
    folder.write("b.yaml", "kind: \"X\n");
    folder.write("c.tf", "resource \"kubernetes_job\" \"x\" {\n");
    folder.write("not.json", "{\"kind\": }");
    let run = folder.run("check --output-format concise");
    assert!(run.out.starts_with("a.yaml:6:1: warning[ownership-label-missing]"), "{}", run.out);
    for (file, line) in [("a.yaml", 2), ("b.yaml", 1), ("c.tf", 1)] {
        let start = format!("skipped: {file}: line {line} does not parse (");
        assert!(run.err.lines().any(|l| l.starts_with(&start)), "{start}: {}", run.err);
    }
    assert_eq!(folder.run("check --strict --exit-zero").code, 2);
}

#[test]
fn hostile_manifests_end() {
    let folder = Folder::new();
    folder.write("deep.yaml", format!("kind: {}", "[".repeat(200_000)));
    let mut laughs = "kind: X\na0: &a0 [x, x]\n".to_owned();
    (1..60).for_each(|n| writeln!(laughs, "a{n}: &a{n} [*a{}, *a{}]", n - 1, n - 1).expect("written"));
    folder.write("laughs.yaml", laughs);
    let mut merges = "kind: Deployment\nm0: &m0 {a: b}\n".to_owned();
    (1..60).for_each(|n| writeln!(merges, "m{n}: &m{n} {{<<: [*m{0}, *m{0}]}}", n - 1).expect("written"));
    folder.write("merges.yaml", format!("{merges}metadata: {{labels: *m59}}\n"));
    folder.write("deep.tf", format!("x = \"kubernetes_\"\ny = {}", "[".repeat(200_000)));
    folder.write("minus.tf", format!("x = \"kubernetes_\"\ny = {}1", "!".repeat(200_000)));
    folder.write("chart/Chart.yaml", "name: x\n");
    folder.write("chart/templates/a.yaml", "kind: X\nv:\n  {{ include \"a\" . | nindent 2 }}\n{{ define \"a\" }}{{ include \"a\" . | indent 3 }}\n{{ include \"a\" . | indent 3 }}{{ end }}\n");
    let ten = "{{ include \"t\" . | indent 1 }}\n".repeat(10);
    let head =
        |name: &str| format!("kind: X\nv:\n  {{{{ include \"{name}\" . | nindent 2 }}}}\n{{{{ define \"{name}\" }}}}");
    folder.write("chart/templates/c.yaml", format!("{}{ten}{{{{ end }}}}", head("t")));
    let lines = "a{{ .b }}: {{ .c }}\n".repeat(30_000);
    folder.write("chart/templates/d.yaml", format!("{}{lines}{{{{ end }}}}", head("l")));
    folder.write(
        "chart/templates/b.yaml",
        format!("kind: {}{}\n", "{{ if .a }}x".repeat(20_000), "{{ end }}".repeat(10_000)),
    );
    folder.write("run.sh", format!("kubectl get {}", "$(".repeat(100_000)));
    folder.write("tabs.yaml", "kind:\tX\nmetadata:\t{name:\tx}\n...\n# end\n");
    let run = folder.run("check -v");
    assert!(run.code == 0 && run.linted().len() == 12, "{} {}", run.code, run.err);
    assert!(run.err.contains("skipped: deep.yaml: line 1 does not parse"), "{}", run.err);
    assert!(run.err.contains("skipped: deep.tf: line 2 does not parse (brackets nest too deep)"), "{}", run.err);
}

#[test]
fn every_form_of_a_workload_is_read() {
    let text = workload("  labels: {app: web}\n");
    let part = |from: &str, to: &str| text.replacen(from, to, 1);
    let forms = [
        ("a-yes-that-is-a-text.yaml", part("'team a' # whose", "yes")),
        ("an-octal-number.yaml", part("spec:\n", "spec:\n  replicas: 012\n")),
        ("a-mark-in-a-value.yaml", part("{app: web}", "{app: \"w\u{feff}eb\"}")),
        ("a-mark-between-documents.yaml", format!("kind: X\n\u{feff}---\n{text}")),
        ("carriage-returns.yaml", text.replace('\n', "\r")),
        ("tabs.yaml", part("labels: {app: web}", "labels:\t{app:\tweb}")),
        ("tags.yaml", format!("--- !!map\n{}", part("{app: web}", "!!map {app: !!str web}"))),
        ("other-letters.yaml", part("{app: web}", "{app: wéb-日本}")),
        ("documents-of-comments.yaml", format!("# a\n{text}...\n# b\n...\n---\n# nothing\n")),
        ("question-marks.yaml", part("kind: Deployment\nmetadata:\n", "? kind\n: Deployment\n? metadata\n:\n")),
        (
            "an-anchor-of-another-document.yaml",
            format!("a: &a {{x.example.com/owner: b}}\n---\n{}", part("{app: web}", "*a")),
        ),
        ("a-template-of-no-chart.yaml", part("name: web", "name: {{ include \"who\" . }}")),
        (
            "chart/templates/in-a-list.yaml",
            format!(
                "kind: List\nitems:\n{{{{- range until 3 }}}}\n- {}\n{{{{- end }}}}\n",
                text.replace('\n', "\n  ").trim_end()
            ),
        ),
        (
            "chart/templates/defined-here.yaml",
            format!(
                "{{{{- define \"here\" }}}}\nx.example.com/owner: a\n{{{{- end }}}}\n{}",
                part(
                    "        x.example.com/owner: 'team a' # whose\n",
                    "        {{- include \"here\" . | nindent 8 }}\n"
                )
            ),
        ),
        (
            "chart/templates/said-in-odd-places.yaml",
            format!("{{{{- /* a */ -}}}}\n{{{{- $x := 1 -}}}}\n{}", part("metadata:\n", "metadata: {{- /* why */}}\n")),
        ),
    ];
    let folder = Folder::new();
    folder.write("chart/Chart.yaml", "name: x\n");
    folder.write("chart/_elsewhere.tpl", "{{ define");
    for (name, text) in &forms {
        folder.write(name, text);
    }
    let run = folder.run("check --output-format concise");
    assert!(!run.err.contains("skipped:"), "{}", run.err);
    for (name, _) in &forms {
        assert_eq!(
            run.out.lines().filter(|line| line.starts_with(&format!("{name}:"))).count(),
            1,
            "{name}: {}",
            run.out
        );
    }
}

#[test]
fn configured_labels_decide() {
    let folder = Folder::new();
    folder.write("web.yaml", workload("  labels: {x.example.com/owner: b}\n").replace("app: web", "app: w"));
    assert_eq!(folder.run("check").code, 0);
    folder.write("pyproject.toml", "[tool.reaplint]\nownership-labels = [\"app\"]\n");
    let run = folder.run("check --output-format concise");
    assert!(run.out.contains("error[ownership-label-missing] this Deployment does not carry `app`"), "{}", run.out);
    assert_eq!(folder.run("check --isolated").code, 0);
    folder.write("pyproject.toml", "[tool.reaplint]\nownership_labels = [\"app\"]\n");
    let run = folder.run("check");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("there is no key `ownership_labels`; did you mean `ownership-labels`?"), "{}", run.err);
}

#[test]
fn suppressed_by_a_comment_or_an_annotation() {
    let folder = Folder::new();
    let text = workload("  labels: {app: web}\n");
    let comment = "metadata: # reaplint: ignore[ownership-label-missing] nobody sweeps these\n";
    folder.write("web.yaml", text.replacen("metadata:\n", comment, 1));
    let run = folder.run("check");
    assert_eq!((run.code, run.err.as_str()), (0, "1 file linted: nothing found; 1 suppressed\n"));
    let annotation = "  annotations: {reaplint.dev/ignore-ownership-label-missing: nobody sweeps these}\n";
    folder.write("web.yaml", text.replacen("  name: web\n", &format!("  name: web\n{annotation}"), 1));
    let run = folder.run("check -v");
    assert!(run.err.contains("suppressed: web.yaml:3:1: ownership-label-missing: nobody sweeps these"), "{}", run.err);
    assert_eq!(run.code, 0);
    let annotation = "  annotations: {reaplint.dev/ignore-ownership-label-missing: ''}\n";
    folder.write("web.yaml", text.replacen("  name: web\n", &format!("  name: web\n{annotation}"), 1));
    assert_eq!(folder.run("check").code, 1, "a reason is required");
}
