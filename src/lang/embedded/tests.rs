//! What texts are read as. Sources are written `name#number`, columns `#number.name`, holes `$0` (a value put in), `?0`
//! (by position), `:name`.

use super::*;

fn relation(r: &Relation) -> String {
    match r {
        Relation::Table(t) => term(t).trim_matches('\'').to_string(),
        Relation::Edges(t) => format!("edge to {}", term(t).trim_matches('\'')),
        Relation::Query(q) => format!("({})", query(q)),
        Relation::Gone(t) => format!("gone {}", term(t)),
        Relation::Value(t) => format!("each {}", term(t)),
    }
}

fn sources(all: &[Source]) -> String {
    let one = |s: &Source| {
        let join = match s.join {
            Join::Inner => "",
            Join::Outer => "maybe ",
            Join::Without => "no ",
        };
        let on = if s.on == Term::Bool(true) { String::new() } else { format!(" on {}", term(&s.on)) };
        format!("{join}{}#{}{on}", relation(&s.of), s.id.0)
    };
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn terms(all: &[Term], with: &str) -> String {
    all.iter().map(term).collect::<Vec<_>>().join(with)
}

fn term(t: &Term) -> String {
    match t {
        Term::Column(s, c) => format!("#{}.{c}", s.0),
        Term::Row(s) => format!("#{}", s.0),
        Term::Hole(Hole::Value(n)) => format!("${n}"),
        Term::Hole(Hole::At(n)) => format!("?{n}"),
        Term::Hole(Hole::Named(n)) => format!(":{n}"),
        Term::Text(x) => format!("'{x}'"),
        Term::Number(n) => n.to_string(),
        Term::Bool(b) => b.to_string(),
        Term::Null => "null".into(),
        Term::Joined(p) => format!("<{}>", terms(p, " ")),
        Term::Part(x, k) => format!("{}->{k}", term(x)),
        Term::Tuple(p) => format!("({})", terms(p, ", ")),
        Term::Not(x) => format!("not {}", term(x)),
        Term::And(p) => format!("({})", terms(p, " and ")),
        Term::Or(p) => format!("({})", terms(p, " or ")),
        Term::Same(x, y) => format!("{} = {}", term(x), term(y)),
        Term::Less(x, y) => format!("{} < {}", term(x), term(y)),
        Term::Present(x) => format!("present {}", term(x)),
        Term::In(x, m) => {
            let m = match &**m {
                Members::List(list) => format!("({})", terms(list, ", ")),
                Members::Query(q) => format!("[{}]", query(q)),
                Members::Value(v) => term(v),
            };
            format!("{} in {m}", term(x))
        }
        Term::Exists(q) => format!("exists [{}]", query(q)),
        Term::Starts(x, y) => format!("{} starts {}", term(x), term(y)),
        Term::Linked(a, b) => format!("#{}--#{}", a.0, b.0),
        Term::Sum(x, y) => format!("{} + {}", term(x), term(y)),
        Term::Difference(x, y) => format!("{} - {}", term(x), term(y)),
        Term::Span(p) => format!("span({})", terms(p, ", ")),
        Term::Either(p) => format!("either({})", terms(p, ", ")),
        Term::Case(arms, or) => {
            let arms: Vec<_> = arms.iter().map(|(c, v)| format!("{} ? {}", term(c), term(v))).collect();
            format!("case({}, {})", arms.join(", "), term(or))
        }
        Term::Scalar(q) => format!("value [{}]", query(q)),
        Term::Count(None) => "count".into(),
        Term::Count(Some(x)) => format!("count({})", term(x)),
        Term::Call(f, p) => format!("{f}({})", terms(p, ", ")),
        Term::Opaque(p) => format!("?({})", terms(p, ", ")),
    }
}

fn given(g: &Given) -> String {
    match (&g.name, &g.term) {
        (Some(n), Term::Column(_, c)) if n == c => term(&g.term),
        (Some(n), t) => format!("{n}: {}", term(t)),
        (None, t) => term(t),
    }
}

fn body(b: &Body) -> String {
    match b {
        Body::Select(s) => {
            let give: Vec<_> = s.give.iter().map(given).collect();
            let from = if s.sources.is_empty() { String::new() } else { format!(" of {}", sources(&s.sources)) };
            let keep = if s.keep == Term::Bool(true) { String::new() } else { format!(" where {}", term(&s.keep)) };
            format!("{}{from}{keep}{}", give.join(", "), if s.grouped { " grouped" } else { "" })
        }
        Body::Union(a, b) => format!("{} union {}", body(a), body(b)),
        Body::Except(a, b) => format!("{} except {}", body(a), body(b)),
        Body::Intersect(a, b) => format!("{} intersect {}", body(a), body(b)),
        Body::Nested(q) => format!("({})", query(q)),
        Body::Values(rows) => format!("values {}", rows.iter().map(|r| terms(r, ", ")).collect::<Vec<_>>().join("; ")),
    }
}

fn query(q: &Query) -> String {
    let limit = q.limit.as_ref().map(|l| format!(" limit {}", term(l))).unwrap_or_default();
    let offset = q.offset.as_ref().map(|l| format!(" offset {}", term(l))).unwrap_or_default();
    format!("{}{limit}{offset}", body(&q.body))
}

fn change(c: &Change) -> String {
    let keep = if c.keep == Term::Bool(true) { String::new() } else { format!(" where {}", term(&c.keep)) };
    format!("{}{keep}", sources(&c.sources))
}

fn statement(s: &Statement) -> String {
    match s {
        Statement::Query(q) => query(q),
        Statement::Delete(c, back) => {
            let back: Vec<_> = back.iter().map(given).collect();
            let back = if back.is_empty() { String::new() } else { format!(" giving {}", back.join(", ")) };
            format!("delete {}{back}", change(c))
        }
        Statement::Update(c, set) => {
            let set: Vec<_> = set.iter().map(|(c, v)| format!("{c} := {}", term(v))).collect();
            format!("update {} set {}", change(c), set.join(", "))
        }
        Statement::Insert(t, columns, rows) => {
            let rows = rows.as_ref().map(|q| format!(" {}", query(q))).unwrap_or_default();
            format!("insert {} ({}){rows}", term(t), columns.join(", "))
        }
        Statement::Drop(names) => format!("drop {}", terms(names, ", ")),
    }
}

fn shown(pieces: &[Piece]) -> String {
    match read(pieces) {
        Some(all) => all.statements.iter().map(statement).collect::<Vec<_>>().join("; "),
        None => "nothing".into(),
    }
}

fn sql(text: &str) -> String {
    shown(&[Piece::Text(text)])
}

#[test]
fn a_query_gives_columns_of_its_sources() {
    assert_eq!(sql("SELECT id, l.name AS n FROM labs l"), "#0.id, n: #0.name of labs#0");
    assert_eq!(sql("select * from public.labs"), "#0 of labs#0");
    assert_eq!(sql("SELECT 1"), "1");
    assert_eq!(sql("SELECT count(*) FROM labs"), "count: count of labs#0");
    assert_eq!(sql("SELECT a.id, b.x FROM a JOIN b ON b.a_id = a.id"), "#0.id, #1.x of a#0, b#1 on #1.a_id = #0.id");
}

#[test]
fn placeholders_are_holes_by_position_or_name() {
    assert_eq!(sql("SELECT 1 FROM t WHERE a = %s AND b = %s"), "1 of t#0 where (#0.a = ?0 and #0.b = ?1)");
    assert_eq!(sql("SELECT 1 FROM t WHERE a = ? AND b > ?"), "1 of t#0 where (#0.a = ?0 and ?1 < #0.b)");
    assert_eq!(sql("SELECT 1 FROM t WHERE a = $2 AND b = $1::int"), "1 of t#0 where (#0.a = ?1 and #0.b = ?0)");
    assert_eq!(sql("SELECT 1 FROM t WHERE a = :a AND b = %(b)s"), "1 of t#0 where (#0.a = :a and #0.b = :b)");
    assert_eq!(sql("SELECT x::text FROM t WHERE a = '%s' -- ? %s"), "#0.x of t#0 where #0.a = '%s'");
    assert_eq!(sql("SELECT 1 FROM t WHERE a IN %s"), "1 of t#0 where #0.a in ?0");
    assert_eq!(sql("SELECT 1 FROM t WHERE a IN (?, ?)"), "1 of t#0 where #0.a in (?0, ?1)");
    assert_eq!(sql("SELECT 1 FROM t WHERE a = ANY(%s)"), "1 of t#0 where #0.a in ?0");
    assert_eq!(sql("SELECT 1 FROM t WHERE a <> ALL(%s)"), "1 of t#0 where not #0.a in ?0");
}

#[test]
fn values_stand_in_names_texts_and_conditions() {
    let t = Piece::Text;
    let v = Piece::Value;
    assert_eq!(shown(&[t("DELETE FROM "), v(7), t(" WHERE id = "), v(8)]), "delete $7#0 where #0.id = $8");
    assert_eq!(
        shown(&[t("SELECT a FROM lab_"), v(0), t(" WHERE b LIKE '"), v(1), t("%'")]),
        "#0.a of <'lab_' $0>#0 where #0.b starts $1"
    );
    assert_eq!(shown(&[t("DELETE FROM t "), v(0)]), "delete t#0 where $0");
    assert_eq!(shown(&[t("DELETE FROM t WHERE a = 1 "), v(0)]), "delete t#0 where (#0.a = 1 and $0)");
    assert_eq!(shown(&[t("SELECT a FROM t WHERE b = 2 ORDER BY a "), v(0)]), "#0.a of t#0 where #0.b = 2");
    assert_eq!(shown(&[t("DELETE FROM t WHERE id IN ("), v(0), t(")")]), "delete t#0 where #0.id in $0");
    assert_eq!(shown(&[t("DROP TABLE IF EXISTS "), v(0)]), "drop $0");
    assert_eq!(shown(&[t("DROP PUBLICATION "), v(0)]), "drop $0");
    assert_eq!(shown(&[t("TRUNCATE TABLE a, "), v(0), t(" CASCADE")]), "drop 'a', $0");
}

#[test]
fn anti_joins_keep_their_shape() {
    assert_eq!(
        sql("DELETE FROM thumbnail WHERE picture_id NOT IN (SELECT id FROM picture)"),
        "delete thumbnail#0 where not #0.picture_id in [#1.id of picture#1]"
    );
    assert_eq!(
        sql("DELETE FROM cart WHERE NOT EXISTS (SELECT 1 FROM item WHERE item.cart_id = cart.id)"),
        "delete cart#0 where not exists [1 of item#1 where #1.cart_id = #0.id]"
    );
    assert_eq!(
        sql("DELETE a FROM a LEFT JOIN b ON b.a_id = a.id WHERE b.id IS NULL"),
        "delete a#0, maybe b#1 on #1.a_id = #0.id where not present #1.id"
    );
    assert_eq!(
        sql("SELECT a.id FROM a LEFT JOIN b ON b.a_id = a.id GROUP BY a.id HAVING count(b.id) = 0"),
        "#0.id of a#0, maybe b#1 on #1.a_id = #0.id where not present #1.id grouped"
    );
    assert_eq!(
        sql("DELETE FROM a WHERE (SELECT count(*) FROM b WHERE b.a = a.id) = 0"),
        "delete a#0 where not exists [count: count of b#1 where #1.a = #0.id]"
    );
    assert_eq!(
        sql(
            "WITH used AS (SELECT f FROM m UNION SELECT f FROM s), free AS (SELECT id FROM fs EXCEPT SELECT f FROM used) \
             DELETE FROM fs x USING free WHERE x.id = free.id RETURNING x.id"
        ),
        "delete fs#4, (#2.id of fs#2 except #3.f of (#0.f of m#0 union #1.f of s#1)#3)#5 where #4.id = #5.id giving #4.id"
    );
}

#[test]
fn the_main_table_comes_first() {
    assert_eq!(
        sql("DELETE b FROM a INNER JOIN b ON b.a = a.id WHERE a.x = 1"),
        "delete b#1, a#0 on #1.a = #0.id where #0.x = 1"
    );
    assert_eq!(
        sql("UPDATE jobs SET state = 'failed', n = n + 1 FROM hosts h WHERE jobs.host = h.id"),
        "update jobs#0, hosts#1 where #0.host = #1.id set state := 'failed', n := #0.n + 1"
    );
}

#[test]
fn a_merge_is_a_change_for_each_clause() {
    assert_eq!(
        sql("MERGE INTO p AS t USING (SELECT sku FROM f ORDER BY sku LIMIT 10 OFFSET 20) AS s ON t.sku = s.sku \
             WHEN MATCHED THEN UPDATE SET x = s.sku WHEN NOT MATCHED BY SOURCE AND t.old THEN DELETE"),
        "update p#0, (#1.sku of f#1 limit 10 offset 20)#2 on #0.sku = #2.sku set x := #2.sku; \
         delete p#0, no (#1.sku of f#1 limit 10 offset 20)#2 on #0.sku = #2.sku where #0.old"
    );
}

#[test]
fn times_are_differences() {
    let keep = |text: &str| sql(&format!("DELETE FROM t WHERE {text}")).replace("delete t#0 where ", "");
    let cutoff = "#0.c < now() - span(1)";
    assert_eq!(keep("c < now() - interval '1 hour'"), cutoff);
    assert_eq!(keep("c < CURRENT_TIMESTAMP - INTERVAL '1' HOUR"), "#0.c < current_timestamp() - span(1)");
    assert_eq!(keep("c < datetime('now', '-1 day')"), cutoff);
    assert_eq!(keep("c < date_sub(now(), INTERVAL 1 DAY)"), cutoff);
    assert_eq!(keep("c < DATEADD(day, -2, now())"), "#0.c < now() - span(-2)");
    assert_eq!(keep("age(c) > '1 hour'::interval"), "span(1) < now() - #0.c");
    assert_eq!(keep("extract(epoch FROM now() - c) > 3600"), "3600 < extract(now() - #0.c)");
    assert_eq!(keep("c < now() - %s * interval '1 second'"), "#0.c < now() - span(?0)");
    assert_eq!(keep("coalesce(a, b) < now()"), "either(#0.a, #0.b) < now()");
    assert_eq!(keep("lower(c)::date BETWEEN 1 AND 2"), "(1 < #0.c and #0.c < 2)");
}

#[test]
fn parts_of_values_are_followed() {
    assert_eq!(sql("SELECT labels ->> 'env' AS env FROM t"), "env: #0.labels->env of t#0");
    assert_eq!(sql("SELECT 1 FROM t WHERE name LIKE 'lab-%'"), "1 of t#0 where #0.name starts 'lab-'");
    assert_eq!(sql("SELECT 1 FROM t WHERE name LIKE '%lab%'"), "1 of t#0 where like(#0.name, '%lab%')");
    assert_eq!(
        sql("SELECT pg_catalog.pg_drop_replication_slot(%s)"),
        "pg_drop_replication_slot: pg_drop_replication_slot(?0)"
    );
    assert_eq!(
        sql("SELECT 1 FROM t WHERE (a, b) IN (SELECT c, d FROM u)"),
        "1 of t#0 where (#0.a, #0.b) in [#1.c, #1.d of u#1]"
    );
}

#[test]
fn rows_taken_out_by_the_same_text_are_known() {
    assert_eq!(
        sql(
            "WITH gone AS (DELETE FROM link WHERE p = %s RETURNING label) DELETE FROM label WHERE id IN (SELECT label FROM gone)"
        ),
        "delete link#0 where #0.p = ?0 giving #0.label; delete label#1 where #1.id in [#2.label of gone 'link'#2]"
    );
    assert_eq!(sql("DELETE FROM a; DELETE FROM b WHERE x"), "delete a#0; delete b#1 where #1.x");
    assert_eq!(sql("BEGIN; CREATE TABLE x (y WHATEVER !); DELETE FROM a; COMMIT"), "delete a#0");
}

#[test]
fn what_is_no_statement_is_nothing() {
    for text in [
        "",
        "Cannot delete the job",
        "delete",
        "DELETE FROM",
        "SELECT FROM WHERE",
        "{}",
        "CREATE TABLE t (a int)",
        "COMMIT",
    ] {
        assert_eq!(sql(text), "nothing", "{text}");
    }
    assert_eq!(shown(&[]), "nothing");
    assert_eq!(shown(&[Piece::Value(0)]), "nothing");
}

#[test]
fn no_text_is_too_deep_or_too_long() {
    let nested = format!("SELECT {}1{}", "(".repeat(5_000), ")".repeat(5_000));
    assert_eq!(sql(&nested), "nothing");
    let chain = format!("DELETE FROM t WHERE {}", vec!["a = 1"; 900].join(" OR "));
    assert!(sql(&chain).starts_with("delete t#0 where (#0.a = 1 or "));
    let minus = format!("SELECT {}1", "1 - ".repeat(1_800));
    assert!(read(&[Piece::Text(&minus)]).is_some());
    assert_eq!(sql(&format!("DELETE FROM t WHERE {}", vec!["a = 1"; 9_000].join(" OR "))), "nothing");
    for cut in 0..60 {
        let text = "WITH a AS (DELETE FROM b RETURNING x) SELECT '%s' || \"é\" FROM a WHERE :x = ?";
        let head: String = text.chars().take(cut).collect();
        read(&[Piece::Text(&head), Piece::Value(0)]);
    }
}

#[test]
fn a_graph_is_read_by_patterns() {
    assert_eq!(
        sql("MATCH (i:Image) WHERE NOT exists((i)--()) WITH i LIMIT 1000 DETACH DELETE i RETURN count(*) AS n"),
        "delete Image#0 where not exists [1 of edge to node#1 where #0--#1]"
    );
    assert_eq!(
        sql("MATCH (:Account {id: $account})-[:RESOURCE]->(b:Bucket) WHERE b.lastupdated <> $tag DETACH DELETE b"),
        "delete Bucket#1, Account#0 where (#0.id = :account and #0--#1 and not #1.lastupdated = :tag and #1.#space = :account)"
    );
    assert_eq!(
        sql("MATCH (a:A)-[r:USES]->(b) WHERE r.seen < $t DELETE r"),
        "delete USES#1, A#0, node#2 where (#0--#2 and #1--#0 and #1--#2 and #1.seen < :t)"
    );
    assert_eq!(
        sql("MATCH (n:Host) OPTIONAL MATCH (n)<-[:ON]-(v:Vm) WITH n, count(v) AS c WHERE c = 0 DELETE n"),
        "delete Host#0, maybe Vm#1 on #0--#1 where not present #1"
    );
    assert_eq!(
        sql("MATCH (n:Host) WHERE NOT EXISTS { MATCH (n)-->(:Vm {up: true}) } AND size((n)--()) = 0 DELETE n"),
        "delete Host#0 where (not exists [1 of edge to Vm#1 where (#1.up = true and #0--#1)] and not exists [count of edge to node#2 where #0--#2])"
    );
    assert_eq!(
        sql("UNWIND $rows AS row MERGE (b:Bucket {id: row.name}) SET b.region = row.region, b.lastupdated = $tag"),
        "update Bucket#1, each :rows#0 where #1.id = #0.name set region := #0.region, lastupdated := :tag"
    );
    assert_eq!(
        sql(
            "MATCH (n:Job) WHERE n.created < datetime() - duration('P1D') AND n.state IN ['done'] RETURN n.id AS id, n"
        ),
        "#0.id, n: #0 of Job#0 where (#0.created < now() - span('P1D') and #0.state in ('done'))"
    );
    assert_eq!(sql("MATCH (n) WHERE id(n) = $id // gone\nDETACH DELETE n"), "delete node#0 where #0.id = :id");
    for cut in 0..90 {
        let text =
            "MATCH (a:A {x: 'é'})-[r:R*1..2]->(b) WHERE NOT (a)--() AND a.b IN [1, $c] DETACH DELETE a, r RETURN *";
        read(&[Piece::Text(&text.chars().take(cut).collect::<String>())]);
        read(&[Piece::Text("MATCH "), Piece::Text(&text.chars().skip(cut).collect::<String>())]);
    }
    for open in ["(", "(NOT x AND ", "(a WHERE ", "exists(", "[", "x[", "{a: ", "count{ MATCH ("] {
        read(&[Piece::Text(&format!("MATCH (a) WHERE {}1 DELETE a", open.repeat(700)))]);
    }
}
