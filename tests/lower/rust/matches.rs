//! `if`, `match`, patterns.
fn branches(x: u64, s: &State) -> u64 {
    if x > 3 {
        one();
    } else if x == 0 || s.done {
        two();
    } else {
        three();
    }
    let v = if x < 5 { x } else { s.other };
    let w = if s.ok {
        let t = s.tags.len();
        t + 1
    } else {
        return 0;
    };
    let y = match x {
        0 => s.zero,
        1 | 2 => s.few,
        3..=9 => s.some,
        n if n > 100 => n,
        _ => s.many,
    };
    match s.phase {
        Phase::Running | Phase::Pending => {}
        Phase::Failed(ref e) => fail(e),
        Phase::Done { code, at: when } if code == 0 => done(when),
        Phase::Done { .. } => odd(),
        LIMIT => limit(),
        other => rest(other),
    }
    v + w + y
}

fn lets(rows: &Rows, k: u64) -> Option<u64> {
    let Some(row) = rows.get(k) else { return None };
    let (Some(id), Some(at)) = (row.id, row.at) else {
        return None;
    };
    let Row { name, tags: (first, _), .. } = load(id);
    let [a, .., b] = row.parts else { return None };
    if let Some(owner) = row.owner.as_ref()
        && let Ok(o) = rows.find(owner)
        && o.live
    {
        use_it(o, owner);
    } else {
        orphan(row);
    }
    if let Some(x) = row.x { Some(x) } else { None }
}

fn slices(xs: &[u64]) -> u64 {
    match xs {
        [] => 0,
        [one] => *one,
        [first, rest @ ..] => *first + rest.len() as u64,
    }
}

fn tuples(a: Option<u64>, b: Option<u64>) -> bool {
    match (a, b) {
        (Some(x), Some(y)) => x == y,
        (None, None) => true,
        _ => false,
    }
}

fn nested(r: Result<Option<Row>, Error>) -> u64 {
    let row = match r {
        Ok(Some(row)) => row,
        Ok(None) => return 1,
        Err(_) => return 2,
    };
    let id = match find(row) {
        Some(found) => {
            log(found);
            found.id
        }
        None => row.id,
    };
    id
}

fn shadows(x: Option<Row>) -> u64 {
    if let Some(x) = x {
        let x = x.next;
        go(x);
    }
    let y = 1;
    {
        let y = 2;
        go(y);
    }
    let y = y + 1;
    let z;
    if y > 1 {
        z = 3;
    } else {
        z = 4;
    }
    z
}

fn values(v: &Value) -> Verdict {
    let verdict = if v.gone { Verdict::Gone { id: v.id } } else { Verdict::Keep };
    if verdict == Verdict::Keep {
        return Verdict::Moved(v.id, 3);
    }
    if let Verdict::Gone { id } = verdict {
        remove(id);
    }
    let Key(text) = v.key;
    let key = Key(text);
    verdict
}
