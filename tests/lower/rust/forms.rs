//! Everything else: operators, places, macros, literals.
fn operators(a: u64, b: &mut Row, s: String) -> u64 {
    let x = a * 2 + 3 - b.n;
    let y = (a as f64 / 1e9) as u64;
    let z = -5 + 3;
    let w = a % b.m;
    let t = s + "/" + &b.name;
    let neg = !b.live && !(a >= x);
    let eq = b.name == "lab" && b.owner != None && b.on == true;
    let age = Utc::now() - b.at;
    let since = now.signed_duration_since(b.at) > Duration::from_secs(300);
    let later = b.at.checked_add(ttl);
    let path = base.join("sub").join(&b.name);
    let range = (200..300).contains(&b.code);
    let first = b.list[0];
    let named = b.map["key"];
    let entry = b.map[&a];
    let part = &b.list[1..];
    let got = b.map.get("key");
    let len = b.list.len();
    let same = b.name.eq_ignore_ascii_case("x");
    let has = b.labels.contains_key(KEY);
    b.n += 1;
    b.map[&a] += 2;
    *b.count = 5;
    b.status = Status::Failed;
    b.rows[a] = 3;
    let mut c = 1;
    c -= 1;
    (c, b.n) = pair();
    _ = call();
    let neg = -a;
    let addr = unsafe { ptr(&raw const a) };
    let k = const { 5 };
    a
}

fn macros(x: &Row, n: u64) -> String {
    info!(id = %x.id, ?n, "kept {} of {n}", x.name);
    log::warn!(target: "gc", "gone: {}", x.id);
    println!("{x:?}");
    let v = vec![n, 2];
    let r = vec![x; 3];
    let e: Vec<u64> = vec![];
    let j = json!({"name": x.name, "tags": [n, null], "deep": {"a": true}});
    let odd = json!({ x.key: n });
    let f = format!("{}/{name}-{0}-{}.{{x}}", x.a, x.b, name = n);
    let m = matches!(x.phase, Phase::Done | Phase::Failed { .. });
    let g = matches!(x.owner, Some(o) if o.live);
    assert!(x.ok, "not ok");
    assert_eq!(x.n, n);
    let q = sqlx::query!("SELECT 1", n);
    let h = hashmap! { "a" => n, "b" => x.b };
    dbg!(n);
    custom!(x, { n });
    odd_one!(for x in => !!);
    if n == 3 {
        panic!("no {n}");
    }
    unreachable!()
}

async fn selects(rx: &mut Receiver<u64>, token: Token) {
    loop {
        tokio::select! {
            biased;
            _ = token.cancelled() => break,
            Some(x) = rx.recv(), if token.live() => {
                take(x);
            }
            else => return,
        }
    }
}

fn literals() -> Row {
    let labels = BTreeMap::from([("app".to_string(), "labs".to_string())]);
    let key = Key::default();
    let set = HashSet::from([1, 2]);
    let b = b"bytes";
    let c = 'c';
    let r = r#"raw "text""#;
    let big = 0xffff_ffff_ffff_ffff_u64;
    let half = 1.5;
    let t = (1, "two", [3, 4]);
    Row { id: 3, labels, name: "x".into(), ..Default::default() }
}

fn builders(client: &Client) {
    let out = Command::new("rm").arg("-rf").args(["a", "b"]).output();
    let list = client.list_objects_v2().bucket("b").set_prefix(Some("p")).send();
    let q = Entity::find().filter(Column::State.eq("open")).all(client);
    client.ask(DropQueue { name: "x" });
    let message = ListQueues;
    client.send(message);
    client.send(Purge::default());
    let b = Box::new(Arc::new(Mutex::new(3)));
    let f: fn(u64) -> u64 = |x| x + 1;
    let nested = |x| move |y| x + y;
    let called = f(3);
    (client.hook)(4);
    <Row as Named>::name(client);
    let typed = parse::<u64>("3");
}
