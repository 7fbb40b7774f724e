//! Loops, labels, streams.
fn loops(xs: &[Row], m: &HashMap<u64, Row>, n: usize) -> bool {
    for x in xs {
        if x.skip {
            continue;
        }
        go(x);
    }
    for (i, x) in xs.iter().enumerate() {
        at(i, x);
    }
    for (a, b) in xs.iter().zip(other()) {
        both(a, b);
    }
    for (k, v) in m {
        pair(k, v);
    }
    for (_, v) in m.iter().filter(|(k, v)| v.live && used.contains(k)) {
        pair(0, v);
    }
    for &(ref a, b) in pairs {
        pair(a, b);
    }
    for i in 0..xs.len() {
        at(i, xs[i]);
    }
    for i in 0..n {
        count(i);
    }
    for chunk in xs.chunks(100) {
        send(chunk);
    }
    'outer: for x in xs {
        for y in &x.parts {
            if y.bad {
                continue 'outer;
            }
            if y.worst {
                break 'outer;
            }
            break;
        }
    }
    while n < limit() {
        step();
    }
    while let Some(job) = queue.pop_front() {
        run(job);
    }
    while let Some(Row { id, .. }) = cursor() {
        run(id);
    }
    loop {
        if done() {
            break;
        }
    }
    let found = loop {
        match poll() {
            Some(v) => break v,
            None => wait(),
        }
    };
    let value = 'block: {
        if found {
            break 'block 1;
        }
        2
    };
    value == 1
}

async fn streams(op: &Operator, rx: &mut Receiver<u64>) -> Result<(), Error> {
    while let Some(x) = rx.recv().await {
        take(x);
    }
    let mut rows = op.list("x").await?;
    while let Some(row) = rows.try_next().await? {
        take(row);
    }
    while let Some(Ok(row)) = rows.next().await {
        take(row);
    }
    loop {
        let entry = match rows.try_next().await {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            Err(e) => return Err(e),
        };
        take(entry);
    }
    loop {
        let Some(page) = rows.next_page().await? else { break };
        take(page);
    }
    for entry in fs::read_dir("a")? {
        let entry = entry?;
        fs::remove_file(entry.path())?;
    }
    for entry in WalkDir::new("a").into_iter().filter_map(|e| e.ok()) {
        take(entry);
    }
    let entries = fs::read_dir("b").unwrap();
    for entry in entries.flatten() {
        take(entry);
    }
    Ok(())
}

/// Each may have failed.
pub async fn entries(mut dir: tokio::fs::ReadDir) {
    while let Some(found) = dir.next_entry().await.transpose() {
        let Ok(entry) = found else { break };
        remove(entry.path());
    }
}
