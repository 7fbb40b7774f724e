//! Statements in text, walked: what Python code that sends them reads and does.
//!
//! A program's last function is walked with the built-in vocabulary; its other functions and its constants are the whole
//! project. What is left is shown one line each: `read`, then each effect as `destroy TARGET when CONDITION`.

use reaplint::facts::{EffectKind, Summary};
use reaplint::ir::text::show;
use reaplint::ir::*;
use reaplint::lang;
use reaplint::source::{FileId, Language, SourceFile};
use reaplint::vocab::{self, FileContext, Imports, Vocab};
use reaplint::walk::{self, ClassKey, Context, FuncKey, Resolved, SelfField};
use std::sync::Arc;

struct Program {
    vocab: Vocab,
    funcs: Vec<Func>,
    context: FileContext,
    globals: Option<Arc<Summary>>,
}

impl Program {
    fn new(text: &str) -> Program {
        let text: Arc<str> = format!("import psycopg, sqlalchemy, neo4j\n{text}").into();
        let file = SourceFile { id: FileId(0), path: "a.py".into(), language: Language::Python, text };
        let lowered = lang::lower(&file, None);
        assert!(lowered.notes.errors.is_empty(), "does not parse");
        let context = FileContext {
            language: Some(Language::Python),
            imports: Imports::new(&lowered.module.import_paths),
            ..FileContext::default()
        };
        let mut program = Program { vocab: vocab::builtin(), funcs: lowered.functions, context, globals: None };
        let top = program.funcs.iter().find(|f| f.name == "<module>").map(|f| walk::summarize(f, &program));
        program.globals = top.map(Arc::new);
        program
    }
}

impl Context for Program {
    fn vocab(&self) -> &Vocab {
        &self.vocab
    }
    fn file(&self, _: FileId) -> FileContext {
        self.context.clone()
    }
    fn resolve(&self, _: FileId, path: Sym) -> Resolved {
        if let Some(at) = self.funcs.iter().position(|f| f.class.is_none() && f.name == path) {
            return Resolved::Function(FuncKey(at as u32));
        }
        match self.globals.as_ref().and_then(|s| Some((s.clone(), s.globals.iter().find(|g| g.0 == path)?.1))) {
            Some((s, v)) => Resolved::Value(s, v),
            None => Resolved::Outside,
        }
    }
    fn method(&self, _: ClassKey, name: Sym) -> Option<FuncKey> {
        let at = self.funcs.iter().position(|f| f.class.is_some() && f.name == name)?;
        Some(FuncKey(at as u32))
    }
    fn unique_method(&self, _: FileId, _: Sym) -> Option<FuncKey> {
        None
    }
    fn self_field(&self, _: ClassKey, _: Sym) -> SelfField {
        SelfField::Unknown
    }
    fn summary(&self, f: FuncKey) -> Option<Arc<Summary>> {
        Some(Arc::new(walk::summarize(&self.funcs[f.0 as usize], self)))
    }
    fn is_cached(&self, _: FuncKey) -> bool {
        false
    }
    fn class_of(&self, func: &Func) -> Option<ClassKey> {
        func.class.map(|_| ClassKey(0))
    }
}

/// What the last function does, one line each.
fn done(text: &str) -> String {
    let program = Program::new(text);
    let func = program.funcs.iter().rfind(|f| !f.name.starts_with('<')).expect("a function");
    let s = walk::summarize(func, &program);
    let mut out = vec![];
    for r in &s.reads {
        out.push(format!("read {}{}", show(&s.arena, r.call), if r.atomic { " atomic" } else { "" }));
    }
    for e in &s.effects {
        let verb = match e.kind {
            EffectKind::Destroy => "destroy",
            EffectKind::Terminate => "terminate",
            EffectKind::Create => "create",
        };
        let atomic = if e.atomic { " atomic" } else { "" };
        out.push(format!("{verb}{atomic} {} when {}", show(&s.arena, e.target), show(&s.arena, e.when)));
    }
    if s.effects.is_empty() {
        out.push(format!("returns {}", show(&s.arena, s.returns)));
    }
    short(&out.join("\n"))
}

/// Without the columns asked for, and without what no program writes.
fn short(text: &str) -> String {
    let mut out = text.to_owned();
    while let Some(at) = out.find(", \"#columns\"={") {
        let end = out[at..].find('}').map_or(out.len(), |e| at + e + 1);
        out.replace_range(at..end, "");
    }
    out.replace("__sql__.", "")
}

/// What is done, without the reads.
fn effects(text: &str) -> String {
    done(text).lines().filter(|l| !l.starts_with("read ")).collect::<Vec<_>>().join("\n")
}

/// What one statement does that is sent with the parameter `x` at hand.
fn sent(text: &str) -> String {
    effects(&format!("def f(cur, x):\n    cur.execute({text})\n"))
}

#[test]
fn a_table_is_read_by_a_call_of_its_own() {
    assert_eq!(
        done(
            "def f(cur, me):\n    cur.execute(\"SELECT name FROM labs WHERE owner = %s\", (me,))\n    return cur.fetchall()\n"
        ),
        "read rows(\"labs\")\nreturns [e0 | e0 in rows(\"labs\"), e0.owner == $1]"
    );
    // One statement reads a table once.
    assert_eq!(
        done(
            "def f(cur):\n    cur.execute(\"DELETE FROM a WHERE x IN (SELECT x FROM b) OR y IN (SELECT y FROM b)\")\n"
        ),
        "read rows(\"a\") atomic\nread rows(\"b\") atomic\n\
         destroy atomic e0 when (any e0 in rows(\"b\") | e0.x == e1.x) or (any e2 in rows(\"b\") | e2.y == e1.y)"
    );
}

#[test]
fn a_delete_destroys_what_its_condition_leaves() {
    assert_eq!(
        sent(r#""DELETE FROM cart WHERE NOT EXISTS (SELECT 1 FROM item WHERE item.cart = cart.id)""#),
        "destroy atomic e0 when not (any e0 in rows(\"item\") | e0.cart == e1.id)"
    );
    assert_eq!(
        sent(r#""DELETE FROM thumb WHERE pic NOT IN (SELECT id FROM pic) AND created < now() - interval '1 day'""#),
        "destroy atomic e0 when not (any e0 in rows(\"pic\") | e0.id == e1.pic) and e1.created < now() - interval(1)"
    );
    assert_eq!(
        sent(r#""DELETE a FROM a LEFT JOIN b ON b.a = a.id WHERE b.id IS NULL""#),
        "destroy atomic e0 when not (any e0 in rows(\"b\") | e0.a == e1.id)"
    );
    assert_eq!(
        sent(r#""TRUNCATE " + x"#) + "\n" + &sent(r#"f"DROP TABLE {x}""#),
        "destroy $1 when true\ndestroy $1 when true"
    );
}

#[test]
fn a_subquery_over_the_own_table_is_no_reference() {
    assert_eq!(
        sent(r#""DELETE FROM v WHERE id IN (SELECT w.id FROM v w LEFT JOIN p ON p.v = w.id WHERE p.id IS NULL)""#),
        "destroy atomic e0 when not (any e0 in rows(\"p\") | e0.v == e1.id)"
    );
    assert_eq!(
        sent(
            r#""WITH used AS (SELECT f FROM m UNION SELECT f FROM s), free AS (SELECT id FROM fs EXCEPT SELECT f FROM used) DELETE FROM fs x USING free WHERE x.id = free.id""#
        ),
        "destroy atomic e0 when not ((any e0 in rows(\"m\") | e0.f == e1.id) or (any e2 in rows(\"s\") | e2.f == e1.id))"
    );
    // The newest few: open, for it is no lookup.
    assert_eq!(
        sent(r#""DELETE FROM log WHERE id NOT IN (SELECT id FROM log ORDER BY at DESC LIMIT 9)""#),
        "destroy atomic e0 when not ?1"
    );
}

#[test]
fn a_key_names_the_thing() {
    assert_eq!(sent(r#""DELETE FROM labs WHERE id = %s", (x,)"#), "destroy $1 when true");
    assert_eq!(sent(r#""DELETE FROM labs WHERE lab_id = :id AND NOT busy", {"id": x}"#), "destroy $1 when not $1.busy");
    assert_eq!(
        effects(
            "def f(cur, xs):\n    for x in xs.all():\n        cur.execute(\"DELETE FROM t WHERE owner = ? AND state = 'done'\", (x.name,))\n"
        ),
        "destroy e0.name when e0.state == \"done\""
    );
    assert_eq!(
        sent(r#""DELETE FROM labs WHERE id = ANY(%s)", ([j.id for j in x.jobs() if not j.live],)"#),
        "destroy e0.id when not raised($1.jobs()) and not e0.live"
    );
    // Of others nobody knows whether they name one thing: a sweep, limited to them.
    assert_eq!(
        sent(r#""DELETE FROM labs WHERE owner = %s AND NOT pinned", (x,)"#),
        "destroy atomic e0 when e0.owner == $1 and not e0.pinned"
    );
    // A collection of the program was read before: not decided by the statement.
    assert_eq!(
        sent(r#""DELETE FROM labs WHERE name NOT IN %s", (tuple(x),)"#),
        "destroy e0 when not present($1[e0.name])"
    );
    assert_eq!(
        effects("def f(cur, xs):\n    cur.executemany('DELETE FROM t WHERE id = ?', [(x.id,) for x in xs if x.old])\n"),
        "destroy e0.id when e0.old"
    );
}

#[test]
fn final_words_terminate_and_other_values_make() {
    assert_eq!(
        sent(r#""UPDATE jobs SET state = 'failed', n = 0 WHERE host NOT IN (SELECT id FROM hosts)""#),
        "terminate atomic e0 when not (any e0 in rows(\"hosts\") | e0.id == e1.host)"
    );
    assert_eq!(sent(r#""UPDATE jobs SET status = %s WHERE id = %s", ("gone", x)"#), "terminate $1 when true");
    assert_eq!(sent(r#""UPDATE jobs SET seen = now() WHERE id = %s", (x,)"#), "create $1 when true");
    assert_eq!(sent(r#""INSERT INTO jobs (id, n) VALUES (%s, 0)", (x,)"#), "create {id: $1, n: 0} when true");
}

#[test]
fn functions_of_the_database_are_rows_of_the_vocabulary() {
    assert_eq!(sent(r#""SELECT pg_drop_replication_slot(%s)", (x,)"#), "destroy $1 when true");
    assert_eq!(
        sent(
            r#""SELECT pg_catalog.pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = %s AND NOT active", (x,)"#
        ),
        "destroy $1 when not $1.active"
    );
    assert_eq!(
        sent(r#""SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle'""#),
        "destroy atomic e0.pid when e0.state == \"idle\""
    );
}

#[test]
fn a_cursor_gives_what_was_sent_last() {
    let text = r#"
def f(conn, me):
    cur = conn.cursor()
    cur.execute("SELECT id, name AS n, state FROM labs WHERE owner = %s", (me,))
    for row in cur.fetchall():
        cur.execute("SELECT 1 FROM pods WHERE lab = %s", (row[0],))
        if cur.fetchone() is None and row["n"] != row.state:
            cur.execute("DELETE FROM labs WHERE id = %s", (row[0],))
"#;
    assert_eq!(
        effects(text),
        "destroy e0.id when not raised(rows(\"labs\")) and e0.owner == $1 and not raised(rows(\"pods\")) and \
         not present(((any e1 in rows(\"pods\") | e1.lab == e0.id) ? 1 : nothing)) and not e0.name == e0.state"
    );
    assert_eq!(
        done("def f(cur):\n    cur.execute('SELECT a, b FROM t')\n    return [a for a, b in cur if b]\n"),
        "read rows(\"t\")\nreturns [e0.a | e0 in rows(\"t\"), e0.b]"
    );
    assert_eq!(
        done("def f(conn):\n    return conn.fetchval('SELECT a FROM t WHERE b = $1', conn)\n"),
        "read rows(\"t\")\nreturns ((any e0 in rows(\"t\") | e0.b == $0) ? e0 : nothing).a"
    );
    assert_eq!(
        done("def f(session):\n    return session.execute(sqlalchemy.text('SELECT a FROM t')).scalars().all()\n"),
        "read rows(\"t\")\nreturns [e0.a | e0 in rows(\"t\"), true]"
    );
}

#[test]
fn a_count_asks_whether_there_is_one() {
    let asked = |test: &str| {
        let text = format!(
            "def f(cur, x):\n    n = cur.execute('SELECT count(*) FROM t WHERE k = ?', (x,)).fetchone()[0]\n    \
             if {test}:\n        cur.execute('DELETE FROM u WHERE id = ?', (x,))\n"
        );
        effects(&text).replace("destroy $1 when not raised(rows(\"t\")) and ", "")
    };
    let some = "(any e0 in rows(\"t\") | e0.k == $1)";
    assert_eq!(asked("n == 0"), format!("not {some}"));
    assert_eq!(asked("n > 0"), some);
    assert_eq!(asked("not n"), format!("not ({some} ? count() : 0)"));
    assert_eq!(
        effects(
            "def f(cur, x):\n    if not cur.execute('SELECT EXISTS (SELECT 1 FROM t WHERE k = ?)', (x,)).fetchone()[0]:\n        cur.execute('DELETE FROM u WHERE id = ?', (x,))\n"
        ),
        format!("destroy $1 when not raised(rows(\"t\")) and not {some}")
    );
}

#[test]
fn texts_are_found_where_they_are_kept_and_handed_on() {
    let text =
        "PURGE = 'DELETE FROM {} WHERE id = %s'\ndef f(cur, x):\n    cur.execute(PURGE.format(x.table), (x.id,))\n";
    assert_eq!(effects(text), "destroy $1.id when true");
    let text = r#"
class Db:
    def q(self, text, args):
        self.cur.execute(text, args)
        return self.cur.fetchall()
    def f(self, x):
        for r in self.q("SELECT a FROM t WHERE c = %s", (x,)):
            self.q("DELETE FROM t WHERE a = %s", (r[0],))
"#;
    assert_eq!(effects(text), "destroy e0.a when not raised(rows(\"t\")) and e0.c == $1");
    let text = "def f(cur, x, old):\n    q = 'DELETE FROM t WHERE a NOT IN (SELECT a FROM b)'\n    \
                if old:\n        q += ' AND c < 3'\n    cur.execute(q)\n";
    assert_eq!(
        effects(text),
        "destroy atomic e0 when not $2 and not (any e0 in rows(\"b\") | e0.a == e1.a)\n\
         destroy atomic e0 when $2 and not (any e0 in rows(\"b\") | e0.a == e1.a) and e1.c < 3"
    );
    let text =
        "def f(cur, x):\n    for q in ('DELETE FROM t WHERE id = %s', 'TRUNCATE u'):\n        cur.execute(q, (x,))\n";
    assert_eq!(effects(text), "destroy \"u\" when true\ndestroy $1 when true");
    // What is not visible stays opaque.
    assert_eq!(
        done("def f(cur, x):\n    cur.execute(x.statement())\n"),
        "read $1.statement()\nread $0.execute($1.statement())\nreturns nothing"
    );
}

#[test]
fn a_graph_is_read_by_nodes_and_edges() {
    assert_eq!(
        effects(
            "def f(session, tag, acct):\n    session.run('MATCH (:Account {id: $a})-[:R]->(b:Bucket) WHERE b.lastupdated <> $tag DETACH DELETE b', a=acct, tag=tag)\n"
        ),
        "destroy atomic e0 when not e0.lastupdated == $1 and e0.#space == $2 and \
         (any e1 in nodes(\"account\") | e1.id == $2 and e0.#link == e1)"
    );
    assert_eq!(
        effects("def f(session):\n    session.run('MATCH (n:Host) WHERE NOT exists((n)--()) DETACH DELETE n')\n"),
        "destroy atomic e0 when not (any e0 in edges(\"node\") | e0.#link == e1)"
    );
    assert_eq!(
        effects(
            "def f(session, rows, tag):\n    session.run('UNWIND $rows AS r MERGE (b:B {id: r.name}) SET b.lastupdated = $tag', rows=rows, tag=tag)\n"
        ),
        "create e0.name when true"
    );
}

#[test]
fn only_a_table_that_is_searched_is_inferred() {
    let program = Program::new(
        "def f(cur):\n    cur.execute('DELETE FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.k = a.id)')\n",
    );
    let func = program.funcs.iter().rfind(|f| f.name == "f").expect("the function");
    let s = walk::summarize(func, &program);
    let backed = |i: usize| {
        let call = s.arena.call_of(s.reads[i].call).expect("a call");
        s.arena.site(call.site).row.expect("a row").backed
    };
    assert_eq!([backed(0), backed(1)], [true, false]);
}
