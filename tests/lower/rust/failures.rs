//! Options and results.
async fn tried(db: &Db, id: u64) -> Result<u64, Error> {
    let row = db.find(id).await?;
    let other = db.load(db.key(id)?, id).await.map_err(Error::Db)?;
    let got = db.get(id).context("no row")?;
    let name = row.name.ok_or(Error::Nameless)?;
    let n = db.count().await.unwrap_or_default();
    let m = db.count().await.unwrap_or(3);
    let k = db.count().await.unwrap_or_else(|e| { warn!("{e}"); 0 });
    if db.ping().is_err() || !db.pong().await.is_ok() {
        return Err(Error::Down);
    }
    let age = row.at.unwrap();
    let must = db.must(id).expect("there");
    db.drop(id).await.ok();
    let _ = db.drop(id).await;
    Ok(n)
}

fn optional(m: &HashMap<String, Row>, k: &str) -> Option<u64> {
    let row = m.get(k)?;
    let owner = row.owner.as_ref()?;
    let parent = m.get(owner).map(|r| r.id);
    let deep = row.parent.as_ref().and_then(|p| m.get(p)).filter(|p| p.live);
    let or = row.a.or(row.b);
    let text = row.label.as_deref().unwrap_or("none");
    let none: Option<u64> = None;
    Some(parent? + none?)
}

fn questions(row: Option<Row>, res: Result<Row, Error>) -> bool {
    let a = row.is_none_or(|r| r.old);
    let b = row.as_ref().is_some_and(|r| r.live && r.id > 3);
    let c = res.as_ref().is_ok_and(|r| r.live);
    let d = row.as_ref().map_or(true, |r| r.old);
    let e = row.as_ref().map_or_else(|| false, |r| r.old);
    let f = row.as_ref().map(|r| r.id).is_none();
    let g = res.is_err_and(|e| e.is_not_found());
    let h = flag.then(|| row.id);
    let i = flag.then_some(3);
    a || b || c || d || e || f || g
}

async fn gone(api: &Api<Pod>, name: &str) -> anyhow::Result<bool> {
    match api.get(name).await {
        Ok(pod) if pod.done => return Ok(false),
        Ok(pod) => info!(pod.name),
        Err(kube::Error::Api(e)) if e.code == 404 => return Ok(true),
        Err(kube::Error::Api(ErrorResponse { code: 404, .. })) => return Ok(true),
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(true),
        Err(store::Error::NotFound { .. }) => return Ok(true),
        Err(Error::Other(e)) => warn!(%e),
        Err(e) => return Err(e.into()),
    }
    if let Err(e) = api.delete(name).await {
        if !matches!(e, Error::NoSuchKey(_)) {
            bail!("cannot delete {name}: {e}");
        }
    }
    let err = api.patch(name).await.unwrap_err();
    if err.to_string().contains("not found") || err.status() == Some(StatusCode::NOT_FOUND) {
        return Ok(true);
    }
    ensure!(name.len() > 3, "too short");
    Ok(Err(3).is_ok())
}

fn taken(&mut self) -> Vec<u64> {
    let old = std::mem::take(&mut self.pending);
    let was = std::mem::replace(&mut self.last, 5);
    let task = self.task.take();
    let guard = self.rows.lock().unwrap();
    let mut open = self.rows.lock().unwrap();
    open.insert(1, 2);
    let list = &mut self.list;
    list.push(3);
    old
}

fn tried_late(db: &Db) -> Result<bool, Error> {
    let n = a.first().unwrap_or(0) + db.second()?;
    Ok(db.ready() && db.check()? || f(db.x(), db.y()?))
}
