//! Iterators and collections.
fn chains(xs: &[Row], used: &HashSet<u64>, names: &[String]) -> Vec<u64> {
    let live: Vec<_> = xs.iter().filter(|x| !used.contains(&x.id)).collect();
    let ids = xs.iter().map(|x| x.id).filter(|id| *id > 3).collect::<HashSet<_>>();
    let opt = xs.iter().filter_map(|x| x.owner.clone());
    let some = xs.iter().filter_map(|x| if x.live { Some(x.id) } else { None });
    let flat = xs.iter().flat_map(|x| x.tags.iter().map(|t| t.name));
    let flat2 = xs.iter().flat_map(|x| &x.tags);
    let any = xs.iter().any(|x| x.id == 3);
    let all = xs.iter().all(|x| x.live);
    let first = xs.iter().find(|x| x.live);
    let pos = xs.iter().position(|x| x.live);
    let hit = xs.iter().find_map(|x| x.owner.as_ref());
    let (old, new): (Vec<_>, Vec<_>) = xs.iter().partition(|x| x.old);
    let diff: Vec<_> = ids.difference(used).collect();
    let more = &ids - used;
    let all_ids = ids.union(used).chain(opt);
    let both = ids.intersection(used);
    let by: HashMap<_, _> = xs.iter().map(|x| (x.id, x)).collect();
    let keys: HashMap<u64, bool> = xs.iter().map(|x| (x.id, true)).collect();
    let sum: u64 = xs.iter().map(|x| x.size).sum();
    let newest = xs.iter().max_by_key(|x| x.at);
    let some_of = xs.iter().skip(3).take(2).rev().collect::<Vec<_>>();
    let next = xs.iter().filter(|x| x.live).next();
    let joined = names.join(",");
    let total = xs.iter().fold(0, |acc, x| acc + x.size);
    let unknown = list().map(|x| x.id).collect::<Vec<_>>();
    let empty = xs.iter().filter(|x| x.live).count() == 0;
    let none = xs.is_empty() || names.len() > 0;
    let own = xs.iter().map(Row::key).filter(is_stale).map(String::from).collect();
    let tags: Vec<String> = row.tags.iter().flatten().cloned().collect();
    let nested = pod.status.as_ref().and_then(|s| s.items.as_ref()).into_iter().flatten().any(|i| i.bad);
    let disjoint = ids.is_disjoint(used);
    let subset = ids.is_subset(used);
    let stale = ids.iter().all(|id| { let k = key(id); !used.contains(&k) });
    diff
}

fn statements(xs: &[Row], known: &mut HashMap<u64, Row>, todo: &mut Vec<Row>) {
    xs.iter().for_each(|x| remove(x.id));
    xs.iter().filter(|x| x.old).for_each(|x| {
        warn!("old");
        remove(x.id)
    });
    known.retain(|k, v| v.live || *k > 3);
    todo.retain(|x| {
        if x.pinned {
            return true;
        }
        info!("drops {}", x.id);
        false
    });
    let kept: Vec<_> = todo
        .iter()
        .filter_map(|x| match parse(x) {
            Ok(p) => Some(p),
            Err(e) => {
                warn!("bad {e}");
                None
            }
        })
        .collect();
    let taken: Vec<_> = todo.drain(..).collect();
    known.entry(3).or_default().push(4);
    known.insert(1, kept);
    known.remove(&2);
    if !seen.insert(5) {
        return;
    }
    let f = |x: &Row| known.contains_key(&x.id);
    let g = xs.iter().filter(|x| f(x)).count();
}

async fn futures(xs: Vec<Row>, client: &Client) -> Result<(), Error> {
    let all = xs.iter().map(|x| client.get(x.id)).collect::<Result<Vec<_>, _>>()?;
    stream::iter(xs).for_each_concurrent(8, |x| async move { client.remove(x.id).await.ok(); }).await;
    stream::iter(all)
        .map(Ok)
        .try_for_each_concurrent(8, |x| async move {
            client.remove(x.id).await?;
            Ok::<_, Error>(())
        })
        .await?;
    let done = stream::iter(all).map(|x| async move { client.check(x).await }).buffer_unordered(4).collect::<Vec<_>>().await;
    let results = join_all(all.iter().map(|x| client.check(x))).await;
    let (a, b) = tokio::try_join!(client.a(), client.b())?;
    let (c, d) = tokio::join!(client.c(), client.d());
    tokio::spawn(async move {
        client.later().await;
    });
    let n = tokio::task::spawn_blocking(move || client.blocking()).await??;
    let handle = tokio::spawn(async move {
        let row = client.row().await?;
        client.remove(row).await
    });
    handle.await?;
    all.into_iter().try_for_each(|x| client.remove(x))?;
    client.watch(|event| async move { drop_it(event).await }).await
}

fn hints(m: &mut HashMap<u64, Vec<u64>>, set: &mut HashSet<u64>, pod: &Pod) -> bool {
    m.entry(1).or_insert_with(Vec::new).push(2);
    set.extend(listing().map(|x| x.id));
    let many = jobs(stream::iter(listing().map(|x| x.id)));
    let flat = pod.groups.iter().flat_map(|g| g.items.iter().flatten()).filter(|i| i.bad).any(|i| i.worst);
    let pairs = BTreeMap::from([("app", pod.name), (KEY, pod.owner)]);
    flat
}

const KEY: &str = "labs.example.dev/owner";
