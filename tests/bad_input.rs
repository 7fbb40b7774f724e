//! Input that cannot be linted: each kind has a message and an exit code, and never stops the other files.

mod run;

use run::{Folder, Run};

/// A file beside the bad one, which is linted all the same.
fn beside(path: &str, text: impl AsRef<[u8]>) -> Folder {
    let folder = Folder::new();
    folder.write(path, text);
    folder.write("good.py", "x = 1\n");
    folder
}

/// Skipped with this reason, the other file linted, code 0, and 2 under `--strict`.
fn skipped(folder: &Folder, reason: &str) {
    let run = folder.run("check -v");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.linted().contains(&"good.py"), "{}", run.err);
    assert!(run.err.contains(&format!("skipped: bad.py: {reason}\n")), "{}", run.err);
    assert_eq!(folder.run("check --strict").code, 2);
    assert_eq!(folder.run("check --strict --exit-zero").code, 2);
    let json = folder.run("check --output-format json").out;
    assert!(json.contains(&format!("\"reason\": \"{reason}\"")), "{json}");
}

fn ends_well(run: &Run) {
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.linted().contains(&"good.py"), "{}", run.err);
}

#[test]
fn nul_bytes() {
    skipped(&beside("bad.py", b"x = 1\n\0\n"), "binary: it holds NUL bytes");
}

#[test]
fn latin_1() {
    let folder = beside("bad.py", b"# -*- coding: latin-1 -*-\nx = 'caf\xe9'\n");
    skipped(&folder, "not UTF-8 (byte 0xe9 in line 2; its coding line says latin-1)");
}

#[test]
fn utf_16() {
    let text: Vec<u8> = "\u{feff}x = 1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    skipped(&beside("bad.py", text), "UTF-16 text; only UTF-8 is read");
}

#[test]
fn utf_8_with_a_mark_is_read() {
    let folder = beside("bad.py", "\u{feff}x = 1\n");
    assert_eq!(folder.run("check --strict").err, "2 files linted: nothing found\n");
}

#[test]
fn fifty_megabytes() {
    let folder = beside("bad.py", "x = 1  # and so on\n".repeat(50_000_000 / 19));
    skipped(&folder, "larger than 2 MiB");
    let run = folder.run("check -v --max-file-size 64MiB");
    assert_eq!(run.linted(), ["bad.py", "good.py"]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn ten_thousand_nested_parentheses() {
    let nested =
        |call: &str| format!("import os\ndef f(x):\n    {call}{}x{}\n", "(".repeat(10_000), ")".repeat(10_000));
    for call in ["y = ", "os.remove", "if "] {
        ends_well(&beside("bad.py", nested(call)).run("check -v"));
    }
}

#[test]
fn hostile_nesting_in_go_and_rust() {
    let (open, close) = ("(".repeat(10_000), ")".repeat(10_000));
    let blocks = format!("{}{}", "{".repeat(10_000), "}".repeat(10_000));
    let elses = |test: &str, act: &str| format!("{test} {{ {act} }} else ").repeat(1_000);
    let go = [
        format!("os.Remove({open}x{close})"),
        format!("os.Remove(x); {blocks}"),
        format!("{}{{ }}", elses("if x == 1", "os.Remove(x)")),
        "os.Remove(\"no end".to_owned(),
    ];
    for body in go {
        let text = format!("package a\n\nfunc Sweep(x string) {{\n{body}\n}}\n");
        ends_well(&beside("bad.go", text).run("check -v"));
    }
    let rust = [
        format!("std::fs::remove_file({open}x{close});"),
        format!("std::fs::remove_file(x); {blocks}"),
        format!("{}{{ }}", elses("if x == 1", "std::fs::remove_file(x);")),
        "std::fs::remove_file(\"no end".to_owned(),
    ];
    for body in rust {
        let text = format!("fn sweep(x: u32) {{\n{body}\n}}\n");
        ends_well(&beside("bad.rs", text).run("check -v"));
    }
}

/// Values that come about in so many ways that nobody could go through them all, wherever they are used.
#[test]
fn a_value_in_two_to_the_sixty_ways() {
    let step = |n: usize| {
        format!("    p = x if f.a{n} else o.u{n}\n    q = x if f.b{n} else o.v{n}\n    x = p if f.c{n} else q\n")
    };
    let steps: String = (0..60).map(step).collect();
    let uses = [
        "for j in o.list_jobs():\n        if j.name not in x.names():\n            x.delete_job(j.name)",
        "for j in x:\n        if j.name not in o.names():\n            os.remove(j.name)",
        "for j in os.listdir(x):\n        if j not in x:\n            os.remove(x)",
        "if not x.get(f):\n        subprocess.run(['kubectl', 'delete', x])",
        "for j in o.list_jobs():\n        if not x or x.age < 3 and j.id != x.id:\n            o.delete_job(j, x)",
        "db.execute(x)\n    db.execute('DELETE FROM jobs WHERE id NOT IN (' + x + ')')",
    ];
    for last in uses {
        let text = format!("import os, subprocess\n\ndef f(x, f, o, db):\n{steps}    {last}\n");
        ends_well(&beside("bad.py", text).run("check -v --exit-zero"));
    }
}

/// Values that are made of themselves, each time more than once. Written out, nobody could hold the last one.
#[test]
fn a_value_made_of_itself_sixty_times() {
    let steps = [
        "x = x.a{}(x)",
        "x = x.a{}(x) if f.b{} else x.c{}(x)",
        "x = made{}(x, x)",
        "x = x + x",
        "x = [x, x]",
        "x = f'{{x}}-{{x}}'",
        "x = x[x]",
        "x = x.a == x.b",
        "x = x < x.a{}",
        "x = {{'a{}': x, 'b': x}}",
    ];
    let uses = [
        "for j in o.list_jobs():\n        if j.name not in x.names():\n            o.delete_job(x)",
        "for j in o.list_jobs():\n        if j.name != x and x:\n            o.delete_job(j.name)",
        "for j in o.list_jobs():\n        if not x or x.age < 3 and j.id != x.id:\n            o.delete_job(j, x)",
        "for j in os.listdir(x):\n        if j not in x:\n            os.remove(x + j)",
        "db.execute(x)\n    db.execute('DELETE FROM jobs WHERE id NOT IN (' + x + ')')",
    ];
    let folder = beside("bad.py", "");
    for step in steps {
        let made: String = (0..60).map(|n| format!("    {}\n", step.replace("{}", &n.to_string()))).collect();
        let made = made.replace("{{", "{").replace("}}", "}");
        let text: String =
            uses.iter().zip(0..).map(|(last, n)| format!("def f{n}(x, f, o, db):\n{made}    {last}\n\n")).collect();
        folder.write("bad.py", format!("import os\n\n{text}"));
        ends_well(&folder.run("check -v --exit-zero"));
    }
}

/// The same of a builder, as a query is put together from optional parts.
#[test]
fn a_builder_with_sixty_optional_parts() {
    let steps: String =
        (0..60).map(|n| format!("    let q = if o.a{n} {{ q.push(q.part({n})) }} else {{ q.or(q) }};\n")).collect();
    let text = format!(
        "fn sweep(o: Opts, q: Builder) {{\n{steps}    for e in std::fs::read_dir(q.path()).unwrap() {{\n        if !q.has(&e.name) {{ std::fs::remove_dir_all(e.path()).unwrap(); }}\n    }}\n}}\n"
    );
    ends_well(&beside("bad.rs", text).run("check -v --exit-zero"));
    let steps: String = (0..60)
        .map(|n| format!("\tif o.A{n} {{\n\t\tq = q.Push(q.Part({n}))\n\t}} else {{\n\t\tq = q.Or(q)\n\t}}\n"))
        .collect();
    let text = format!(
        "package a\n\nimport \"os\"\n\nfunc Sweep(o Opts, q Builder) {{\n{steps}\tos.RemoveAll(q.Path())\n}}\n"
    );
    ends_well(&beside("bad.go", text).run("check -v --exit-zero"));
}

/// A list to which much is added, each time under another condition.
#[test]
fn a_list_that_grows_under_sixty_conditions() {
    let steps: String = (0..60).map(|n| format!("    if f.a{n}:\n        xs.append(f.b{n})\n")).collect();
    let text = format!("import os\n\ndef f(f):\n    xs = []\n{steps}    for x in xs:\n        os.remove(x)\n");
    ends_well(&beside("bad.py", text).run("check -v --exit-zero"));
}

/// Loops over several lists, in each other, and in front of them many reads that may fail: hundreds of copies of one call.
#[test]
fn a_call_in_hundreds_of_copies() {
    let read = |n: usize| {
        format!(
            "    try:\n        used |= {{x.key for x in api.list_kind{n}() if x.state != k.a{n}}}\n    except ApiError:\n        log({n})\n"
        )
    };
    let reads: String = (0..30).map(read).collect();
    let lists = |of: &str| (0..7).map(|n| format!("api.list_part{n}({of})")).collect::<Vec<_>>().join(" + ");
    let text = format!(
        "def sweep(api, k, log):\n    used = set()\n{reads}    for a in {}:\n        for b in {}:\n            for c in {}:\n                if c.key not in used and (b.key not in used or log(b)) and (a.key not in used or log(a)):\n                    api.delete_part(c.id)\n",
        lists("k"),
        lists("a"),
        lists("b")
    );
    let run = beside("bad.py", text).run("check -v --exit-zero --min-confidence low --output-format concise");
    ends_well(&run);
    assert!(run.out.contains("bad.py:127:25: error[delete-on-absence]"), "{}", run.out);
}

#[test]
fn syntax_errors() {
    for text in [
        "def f(:\n    os.remove(x\n",
        "import os\nclass\n  def f(self)\nos.remove(\n",
        "'''open\n",
        "\\",
        "\r\r\r",
        "if x:\nelse\n\t\tos.remove(x))))\n",
        "",
    ] {
        ends_well(&beside("bad.py", text).run("check -v"));
    }
}

#[test]
fn an_empty_folder_is_a_warning() {
    let folder = Folder::new();
    let run = folder.run("check");
    let wanted = "warning: there is nothing to lint here: no Python, Go or Rust files\n0 files linted: nothing found\n";
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", wanted));
}

#[test]
fn a_path_that_does_not_exist_is_an_error_and_the_others_are_linted() {
    let folder = beside("notes.txt", "");
    let run = folder.run("check -v nowhere.py good.py");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("error: nowhere.py: no such file or folder\n"), "{}", run.err);
    assert_eq!(run.linted(), ["good.py"]);
    let alone = folder.run("check nowhere.py --exit-zero");
    assert_eq!((alone.code, alone.err.as_str()), (2, "error: nowhere.py: no such file or folder\n"));
    let other = folder.run("check good.py/x.py");
    assert_eq!(other.code, 2, "{}", other.err);
}

#[test]
fn a_named_file_of_another_kind_is_listed() {
    let folder = beside("notes.txt", "");
    let run = folder.run("check --strict notes.txt good.py");
    assert_eq!(run.code, 0, "nothing is wrong with the file");
    assert!(run.err.starts_with("skipped: notes.txt: not a kind that is linted\n"), "{}", run.err);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn loops_of_links() {
        let folder = beside("src/a.py", "x = 1\n");
        symlink("..", folder.path().join("src/up")).expect("a link");
        symlink("self.py", folder.path().join("self.py")).expect("a link");
        symlink("src", folder.path().join("again")).expect("a link");
        let run = folder.run("check -v");
        assert_eq!(run.code, 0);
        assert_eq!(run.linted(), ["good.py", "src/a.py"]);
        assert!(run.err.contains("skipped: self.py: cannot be read: "), "{}", run.err);
        assert_eq!(folder.run("check --strict").code, 2);
    }

    #[test]
    fn a_link_to_a_file_is_the_file() {
        let folder = beside("src/a.py", "x = 1\n");
        symlink("src/a.py", folder.path().join("a.py")).expect("a link");
        symlink("gone.py", folder.path().join("bad.py")).expect("a link");
        assert_eq!(folder.run("check -v").linted(), ["good.py", "src/a.py"]);
        skipped(&folder, "cannot be read: no such file or directory");
        assert_eq!(folder.run("check -v a.py").linted(), ["a.py"]);
    }

    #[test]
    fn unreadable_files_and_folders() {
        let folder = beside("bad.py", "x = 1\n");
        folder.write("closed/a.py", "x = 1\n");
        let mode = |path: &str, mode| {
            let path = folder.path().join(path);
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("a mode");
        };
        mode("bad.py", 0);
        mode("closed", 0);
        // Root reads whatever it likes.
        if std::fs::read(folder.path().join("bad.py")).is_err() {
            skipped(&folder, "cannot be read: permission denied");
            assert!(folder.run("check").err.contains("skipped: closed: cannot be read: permission denied\n"));
        }
        mode("closed", 0o755);
    }

    #[test]
    fn what_is_no_regular_file_is_not_opened() {
        let folder = beside("src/a.py", "x = 1\n");
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("bad.py")).status();
        if made.is_ok_and(|status| status.success()) {
            skipped(&folder, "not a regular file");
        }
    }

    #[test]
    fn a_reader_that_goes_away_keeps_the_code() {
        let folder = beside("bad.py", b"\0");
        for (flags, code) in [("", 0), ("--strict", 2)] {
            let mut command = run::command();
            command.args(["check", "--output-format", "json"]).args(flags.split_whitespace());
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            let status = command.current_dir(folder.path()).stdout(writer).status().expect("ended");
            assert_eq!(status.code(), Some(code));
        }
    }
}

/// Each object is found by two fields of the one before: twice as many ways to get there each time.
#[test]
fn objects_that_name_each_other_sixty_times() {
    let mut text = String::from(
        "package zoo\n\nimport \"sigs.k8s.io/controller-runtime/pkg/client\"\n\nfunc (r *R) sweep(req Request) error {\n\
         \tx := &v1.Pen{}\n\tif err := r.Get(req.NamespacedName, x); err != nil {\n\t\treturn err\n\t}\n",
    );
    let mut last = "x".to_string();
    for n in 0..60 {
        text += &format!(
            "\tx{n} := &v1.Pen{{}}\n\tif err := r.Get(client.ObjectKey{{Namespace: {last}.Namespace, Name: {last}.Spec.Next}}, \
             x{n}); err != nil {{\n\t\treturn err\n\t}}\n"
        );
        last = format!("x{n}");
    }
    text += &format!(
        "\tvar all v1.PodList\n\tif err := r.List(&all, client.MatchingLabels{{\"pen\": {last}.Name}}); err != nil {{\n\
         \t\treturn err\n\t}}\n\tfor _, p := range all.Items {{\n\t\tif err := r.Delete(&p); err != nil {{\n\t\t\treturn err\n\
         \t\t}}\n\t}}\n\treturn nil\n}}\n"
    );
    let folder = beside("bad.go", "");
    folder.write("bad.go", text);
    ends_well(&folder.run("check -v --exit-zero"));
}
