//! The lexical pass: definitions as the parser sees them, triggers, names.

use reaplint::index::{Def, DefKind, FileIndex, NameIndex, Triggers, index, name_hash};
use reaplint::source::FileId;

fn words(list: &str) -> Vec<String> {
    list.split_whitespace().map(str::to_owned).collect()
}

fn triggers() -> Triggers {
    let verbs = words("delete remove destroy terminate prune evict reap unlink kill rmtree rm drop del orphan");
    Triggers::new(&verbs, &words("status state phase"), &words("failed terminated lost"))
}

fn read(text: &str) -> FileIndex {
    index(text, &triggers())
}

fn slice<'a>(text: &'a str, range: &std::ops::Range<u32>) -> &'a str {
    &text[range.start as usize..range.end as usize]
}

/// `kind name @decorators: first line .. last line` with the depth as indentation.
fn outline(text: &str) -> String {
    let file = read(text);
    let line = |d: &Def| {
        let mut depth = 0;
        let mut at = d.parent;
        while let Some(i) = at {
            depth += 1;
            at = file.defs[i as usize].parent;
        }
        let body = slice(text, &d.range);
        let kind = if d.kind == DefKind::Class { "class" } else { "def" };
        let decorators = slice(text, &d.decorators).split_whitespace().collect::<Vec<_>>().join(" ");
        let last = body.lines().last().unwrap_or_default().trim();
        format!("{}{kind} {} [{decorators}] {last}\n", "  ".repeat(depth), slice(text, &d.name))
    };
    file.defs.iter().map(line).collect()
}

#[test]
fn definitions_end_with_their_last_statement() {
    let text = "class Reaper:\n    @retry(\n        times=3)  # often\n    @log\n\n    def run(self, lab):\n        text = \"\"\"\ndef none(): ...\n\"\"\"\n        if lab:\n            go(lab,\n  back)  # yes\n\n    # trailing\n\n    async  def one(self): return 1\n# still inside\n    x = 3\nLIMIT = 3\ndef last():\n\treturn (\n1)";
    let wanted = "class Reaper [] x = 3\n  def run [@retry( times=3) # often @log] back)\n  def one [] async  def one(self): return 1\ndef last [] 1)\n";
    assert_eq!(outline(text), wanted);
}

#[test]
fn nested_definitions_have_parents() {
    let text =
        "def a():\n    def b():\n        class C(B):\n            def d(self): pass\n        return C\n    return b\n";
    let wanted =
        "def a [] return b\n  def b [] return C\n    class C [] def d(self): pass\n      def d [] def d(self): pass\n";
    assert_eq!(outline(text), wanted);
    let file = read(text);
    assert_eq!(file.unit(3), Some(0));
    assert_eq!(file.enclosing(text.find("pass").unwrap() as u32), Some(3));
}

#[test]
fn line_ends_byte_order_mark_tabs_and_joins() {
    let text = "\u{feff}def a():\r\n\tif x and \\\r\n\ty:\r\n\t\tpass\r\n        z = 1\r\n\r\ndef c(): pass\n";
    assert_eq!(outline(text), "def a [] z = 1\ndef c [] def c(): pass\n");
}

#[test]
fn strings_of_every_kind() {
    let text = r####"
def a():
    x = rb'\'' + u"#" + 'it''s'
    y = f"{d["k"]!r:>{w}} {{ {'}'} {f'{z:{"9"}}'}" + f'''{ {1: "'''"}[1] }'''
    z = "broken
    return R"\"" "\
def no(): pass"
def b(): return '''
def no(): pass'''  # "
def c(): return "{" + f"\{x}"
"####;
    assert_eq!(outline(text).lines().count(), 3, "{}", outline(text));
}

#[test]
fn broken_text_gives_what_it_can() {
    let text = "def a(:\n    x = (1,\n\ndef b():\n    return [f\"{x\"\n    def(\n\nclass C:\n  def\n";
    assert_eq!(outline(text).lines().count(), 3, "{}", outline(text));
    for text in ["", "\\", "'", "\"\"\"", "f'{", "@", "def", "class A", "\u{feff}", "((((", "f\"{f'{f\"{", "\t#"] {
        read(text);
    }
}

fn hits(text: &str) -> String {
    let file = read(text);
    let names = file.defs.iter().filter(|d| d.hit).map(|d| slice(text, &d.name));
    let module = file.module_hit.then_some("module");
    names.chain(module).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_a_trigger() {
    for line in [
        "api.delete_pod(name)",
        "session.query(X)\\\n        .delete()",
        "autoDelete (x)",
        "softdelete(x)",
        "pool.submit(shutil.rmtree, p)",
        "call(\n        os.remove,\n        p)",
        "run = api.delete_pod",
        "run = api.delete_pod if wet else None",
        "table = {'pod': self.delete_pod}",
        "return delete_pod",
        "task_delete.delay(x)",
        "m.delete.assert_called_once_with(x)",
        "cur.execute('DELETE FROM t')",
        "cur.execute('Delete from t')",
        "cur.execute('select pg_drop_slot(%s)')",
        "run(['docker', 'rm', x])",
        "run(f'kubectl delete pod {x}')",
        "getattr(api, f'delete_namespaced_{kind}')",
        "print(f'Gone: {os.remove(x)}')",
        "assert x.orphaned",
        "self.assertEqual(kind, 'orphan')",
        "job.status = 'failed'",
        "job['status'] = States.FAILED",
        "q.update(\n        job_state = ok if x else lost)",
        "q.update({'status': 'failed'})",
        "q.update({Job.phase: 'lost'})",
        "setattr(x, 'status', 'failed')",
        "set_status('failed')",
        "cur.execute(\"UPDATE jobs SET state = 'lost' WHERE id = 1\")",
    ] {
        assert_eq!(hits(&format!("def f():\n    {line}\n")), "f", "{line}");
    }
}

#[test]
fn what_is_no_trigger() {
    for line in [
        "format(permission)",
        "skill(x)",
        "x = deleted",
        "f(on_delete=CASCADE)",
        "delete = 3",
        "if delete: pass",
        "log('Cannot delete %s', x)",
        "log('deleted', x)",
        "pass  # os.remove(x)",
        "'''os.remove(x)'''",
        "from os import (remove, unlink)",
        "job.status = 'running'",
        "if job.status == 'failed': pass",
        "x = {'status': 'failed'}",
        "status_code = 'failed'",
    ] {
        assert_eq!(hits(&format!("def f():\n    {line}\n")), "", "{line}");
    }
    assert_eq!(hits("@app.delete('/x')\n@patch('os.remove')\ndef delete_x(x): pass\nclass DeleteX(Y): pass\n"), "");
}

#[test]
fn a_hit_belongs_to_every_function_around_it() {
    let text = "def a():\n    def b():\n        os.remove(x)\n    def c(): pass\nclass D:\n    def e(self): os.remove(x)\n    x = os.remove(x)\nclass F:\n    def g(self, h=os.remove): pass\n";
    assert_eq!(hits(text), "a b D e g");
    assert_eq!(hits("class A:\n    def b(self): os.remove(x)\n"), "b");
    assert_eq!(hits("def b(): pass\nos.remove(x)\n"), "module");
}

#[test]
fn called_names() {
    let text = "from m import reap as r\n@cached\ndef own(a=make): one(two (three, four), key=five, k=x.six)\nt = {'a': seven}\nf'{eight(1)}'\nnine = ten\n11\n";
    let file = read(text);
    let called = words("reap cached make one two three four five six seven eight ten");
    for name in &called {
        assert!(file.calls_name(name), "{name}");
    }
    for name in ["own", "nine", "key", "x", "r"] {
        assert!(!file.calls_name(name), "{name}");
    }
    assert!(file.calls.is_sorted() && file.names.contains(&name_hash("own")));
}

#[test]
fn names_of_several_files() {
    let (a, b) = (read("def reap(): pass\ndef x(): reap()\n"), read("class C:\n    def reap(self): print()\n"));
    let c = read("map(reap, xs)\n");
    let names = NameIndex::new([(FileId(0), &a), (FileId(1), &b), (FileId(2), &c)].into_iter());
    let found: Vec<_> = names.definitions("reap").iter().map(|d| (d.file.0, d.def)).collect();
    assert_eq!(found, [(0, 0), (1, 1)]);
    assert_eq!(names.files_calling("reap").collect::<Vec<_>>(), [FileId(0), FileId(2)]);
    assert!(names.definitions("print").is_empty() && names.files_calling("print").next().is_none());
}

#[test]
fn who_mentions_a_name() {
    let text = "def reap(): pass\ndef a():\n    def b(): reap()\n    reap(); reaper()\nclass C:\n    x = reap()\n";
    let file = read(text);
    assert_eq!(file.mentions(text, "reap"), [Some(1), None]);
}

#[test]
fn many_words_need_several_searches() {
    let many: Vec<String> = (0..60).map(|i| format!("verb{i}")).chain(words("delete")).collect();
    let triggers = Triggers::new(&many, &[], &[]);
    assert!(triggers.covers("x.verb59_it") && triggers.covers("autoDelete") && !triggers.covers("verb_x"));
    assert!(!Triggers::new(&[], &[], &[]).covers("delete"));
}
