//! The lexical pass: definitions as the parser sees them, triggers, names.

use reaplint::index::{Def, DefKind, FileIndex, NameIndex, Triggers, index, index_tests, name_hash};
use reaplint::source::{FileId, Language};

fn words(list: &str) -> Vec<String> {
    list.split_whitespace().map(str::to_owned).collect()
}

fn triggers() -> Triggers {
    let verbs = words("delete remove destroy terminate prune evict reap unlink kill rmtree rm drop del orphan");
    let told = words("info warning _");
    Triggers::new(&verbs, &words("status state phase"), &words("failed terminated lost shutdown")).telling(&told)
}

fn read(text: &str) -> FileIndex {
    index(Language::Python, text, &triggers())
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
        "pool.submit(Path(p).unlink)",
        "pool.submit(api.pods()[0].delete, p)",
        "call(\n        os.remove,\n        p)",
        "run = api.delete_pod",
        "run = api.delete_pod if wet else None",
        "table = {'pod': self.delete_pod}",
        "return delete_pod",
        "task_delete.delay(x)",
        "link(nl.IP_LINK_DEL, index=i)",
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
        "found = 'lost'\n    job.state = found",
        "job.vm_state = vm_states.SHUT_DOWN",
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
        "say('Cannot find %s, '\n        'so delete it', x)",
        "LOG.info('delete %s', x)",
        "LOG.warning(\n        _('Cannot find it. '\n          'Will delete and remove %s'), x)",
        "pass  # os.remove(x)",
        "'''os.remove(x)'''",
        "from os import (remove, unlink)",
        "job.status = 'running'",
        "if job.status == 'failed': pass",
        "x = {'status': 'failed'}",
        "status_code = 'failed'",
        "found = 'fine'\n    job.state = found",
    ] {
        assert_eq!(hits(&format!("def f():\n    {line}\n")), "", "{line}");
    }
    assert_eq!(hits("@app.delete('/x')\n@patch('os.remove')\ndef delete_x(x): pass\nclass DeleteX(Y): pass\n"), "");
}

#[test]
fn another_name_for_what_destroys() {
    let import = "from os import (path, remove as away)\n@away\ndef a(x):\n    away(x)\ndef b(x):\n    return far\n";
    assert_eq!(hits(import), "a");
    let table = "TABLE: dict = {\n    # all\n    'pod': api.delete_pod,\n}\ndef a(k): TABLE[k](1)\ndef b(): pass\n";
    assert_eq!(hits(table), "a module");
    let field = "class A:\n    def __init__(self):\n        self.end = api.delete\n    def b(self): self.end(1)\n    def c(self, end): end(1)\n    run = staticmethod(\n        os.remove)\n    def d(self): self.run(1)\n";
    assert_eq!(hits(field), "A __init__ b d");
    let local = "def a():\n    run = os.remove\n    run(1)\ndef b(run): run(1)\n";
    assert_eq!(hits(local), "a");
}

#[test]
fn in_a_test_only_what_is_asserted_counts() {
    let hit =
        |line: &str| index_tests(Language::Python, &format!("def test_f():\n    {line}\n"), &triggers()).defs[0].hit;
    for line in [
        "api.delete_pod.assert_called_once_with('p')",
        "assert api.delete.called",
        "assert (\n        kind ==\n        'orphan'\n    )",
        "self.assertEqual(\n        ['p'], find_orphan(api))",
    ] {
        assert!(hit(line), "{line}");
    }
    for line in
        ["api.delete_pod('p')", "assert x\n    os.remove(x)", "job.status = 'failed'", "for x in y:\n  delete(x)"]
    {
        assert!(!hit(line), "{line}");
    }
}

#[test]
fn a_test_of_nothing_that_sweeps_cannot_matter() {
    let rows = "library = 'lib'\nlanguage = 'python'\n[[words]]\nlist = 'trigger'\nwords = ['delete']\n\
                [[words]]\nlist = 'sweeping'\nwords = ['reap']\n[[words]]\nlist = 'gone'\nwords = ['deleted']\n\
                [[words]]\nlist = 'doomed'\nwords = ['zombie']";
    let triggers = Triggers::of(&reaplint::vocab::Vocab::from_toml(&[("lib", rows)]).unwrap());
    let hit = |text: &str| index_tests(Language::Python, text, &triggers).defs.iter().any(|d| d.hit);
    let test = "def test_a(api):\n    run(api)\n    api.delete.assert_called_once()\n";
    assert!(!hit(test));
    assert!(hit(&test.replace("run", "reap")) && hit(&test.replace("test_a", "test_row_missing_is_deleted")));
    assert!(hit(&format!("from labs.reaper import run\n{test}")) && !hit(&format!("# reap\n{test}")));
    assert!(!hit(&test.replace("run", "reap").replace("test_a", "helper")));
    assert!(hit("class A:\n    def test_b(self):\n        assert zombie(vm)\n"));
}

#[test]
fn a_constant_may_be_a_final_word() {
    let far = "# far\n".repeat(2000);
    assert_eq!(hits(&format!("OVER = 'terminated'\n{far}def a(job):\n    job.status = OVER\n")), "a");
    assert_eq!(hits(&format!("OVER = 'fine'\n{far}def a(job):\n    job.status = OVER\n")), "");
}

#[test]
fn a_vocabulary_says_which_names() {
    let rows = "library = 'lib'\nlanguage = 'python'\n[[call]]\nmatch = '*.{delete_*,*.flush}(x)'\nrole = 'destroy'\n\
                target = 'x'\nexample = 'a'\n[[call]]\nmatch = '*.retire_lab(x)'\nrole = 'destroy'\ntarget = 'x'\n\
                example = 'a'\n[[words]]\nlist = 'trigger'\nwords = ['delete', 'release']";
    let vocab = reaplint::vocab::Vocab::from_toml(&[("lib", rows)]).unwrap();
    let hit = |line: &str| index(Language::Python, line, &Triggers::of(&vocab)).module_hit;
    assert!(hit("a.delete_pod(1)") && hit("x.retire_lab(1)") && hit("run('delete')") && hit("x.flush()"));
    assert!(!hit("a.delete(1)") && !hit("lock.release()"));
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

/// What the parser says of a file, in the words of [`Def`].
fn parsed(text: &str) -> Vec<(usize, usize, usize, bool, usize)> {
    fn code_end(n: tree_sitter::Node) -> usize {
        let last = (0..n.child_count()).rev().filter_map(|i| n.child(i));
        let last = last.filter(|c| c.kind() != "comment" && !c.byte_range().is_empty()).map(code_end).next();
        last.unwrap_or(n.end_byte())
    }
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).expect("the grammar fits");
    let tree = parser.parse(text, None).expect("a tree");
    let mut found = Vec::new();
    let mut rest = vec![tree.root_node()];
    while let Some(n) = rest.pop() {
        if matches!(n.kind(), "function_definition" | "class_definition") {
            let name = n.child_by_field_name("name").expect("a name");
            let around = n.parent().filter(|p| p.kind() == "decorated_definition").unwrap_or(n);
            let class = n.kind() == "class_definition";
            found.push((n.start_byte(), code_end(n), name.start_byte(), class, around.start_byte()));
        }
        rest.extend((0..n.child_count()).filter_map(|i| n.child(i)));
    }
    found.sort_unstable();
    found
}

fn cut(text: &str) -> Vec<(usize, usize, usize, bool, usize)> {
    let row = |d: &Def| {
        let class = d.kind == DefKind::Class;
        let r = &d.range;
        (r.start as usize, r.end as usize, d.name.start as usize, class, d.whole().start as usize)
    };
    index(Language::Python, text, &Triggers::new(&[], &[], &[])).defs.iter().map(row).collect()
}

fn python_files(dir: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            python_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "py" || e == "pyi") {
            out.push(path);
        }
    }
}

/// The same definitions as the parser finds, in every file of this repository; with `REAPLINT_TREES` set, in the trees
/// it names as well, of which one definition in a thousand may differ.
#[test]
fn the_cutter_agrees_with_the_parser() {
    let mut own = Vec::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for dir in ["fixtures", "tests"] {
        python_files(&root.join(dir), &mut own);
    }
    assert!(own.len() > 20);
    for path in own {
        // On a syntax error the parser gives up more than the cutter does.
        if path.ends_with("tests/lower/python/broken.py") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(cut(&text), parsed(&text), "{}", path.display());
    }
    let mut others = Vec::new();
    for tree in std::env::var("REAPLINT_TREES").unwrap_or_default().split(':').filter(|t| !t.is_empty()) {
        python_files(std::path::Path::new(tree), &mut others);
    }
    let (mut same, mut all) = (0, 0);
    for text in others.iter().filter_map(|p| std::fs::read_to_string(p).ok()) {
        let (ours, theirs) = (cut(&text), parsed(&text));
        all += theirs.len();
        same += theirs.iter().filter(|d| ours.binary_search(d).is_ok()).count();
    }
    println!("{same} of {all} definitions are the same");
    assert!(all - same <= all / 1000, "{same} of {all}");
}

/// "No hit" proves "no such call": the example of every row that destroys is a hit.
#[test]
fn every_row_that_destroys_is_a_trigger() {
    let vocab = reaplint::vocab::builtin();
    let triggers = Triggers::of(&vocab);
    let commands =
        vocab.command_rows().filter(|(_, c)| c.role.destroys()).map(|(_, c)| format!("run({:?})", c.example));
    let calls = vocab.rows().filter(|(_, r)| r.role.destroys()).map(|(_, r)| (r.language, r.example.clone()));
    for (language, example) in calls.chain(commands.map(|c| (Language::Python, c))) {
        let text = match language {
            Language::Go => format!("package p\n\nfunc f() {{\n\tx := {example}\n}}\n"),
            Language::Rust => format!("fn f() {{\n    let x = {example};\n}}\n"),
            _ => format!("def f():\n    x = {example}\n"),
        };
        let language = if language == Language::Ir { Language::Python } else { language };
        assert!(index(language, &text, &triggers).defs[0].hit, "{example}");
    }
}

/// Does a Go function with this body hold a trigger?
fn go_hits(head: &str, body: &str) -> bool {
    let text = format!("{head}package tide\n\nfunc f() {{\n\t{body}\n}}\n");
    index(Language::Go, &text, &triggers()).hit()
}

#[test]
fn text_for_people_in_go_stands_behind_other_arguments_too() {
    assert!(!go_hits("", "log.info(err, \"cannot delete\", \"lab\", name)"));
    assert!(!go_hits("", "log.info(where(x), \"delete\")"));
    assert!(go_hits("", "log.info(err, run(\"rm\", name))"));
    assert!(go_hits("", "run(ctx, \"rm\", name)"));
}

#[test]
fn generated_go_holds_no_trigger_and_no_mention() {
    let mentions = triggers().mentioning(&words("Spec.Template"));
    let hit = |head: &str| {
        let text = format!("{head}package tide\n\nfunc f(x *T) {{\n\tx.Spec.Template = y\n}}\n");
        let file = index(Language::Go, &text, &mentions);
        (file.hit(), file.defs.iter().any(|d| d.mention))
    };
    assert_eq!(hit(""), (true, true));
    assert_eq!(hit("// Code generated by quay-gen. DO NOT EDIT.\n"), (false, false));
}
