//! What SQL itself says by a function: forms of one value, differences of times, the first that is not null.
//!
//! ```text
//! lower(x), x::text, date_trunc('day', x)         x
//! age(x), datetime('now', '-1 day')               now() - x, now() - <span>
//! date_sub(x, interval 1 day), dateadd(day, -1, x)   x - <span>
//! ```
//! Every other function is a call by its name.

use super::Term;

/// The term of a function.
pub(super) fn function(name: &str, mut args: Vec<Term>) -> Term {
    let name = name.to_ascii_lowercase();
    match (name.as_str(), args.len()) {
        ("age", 1) => difference(now(), args.remove(0)),
        ("age", 2) => difference(args.remove(0), args.remove(0)),
        ("datetime" | "date" | "julianday" | "unixepoch" | "strftime" | "time", n) if n > 0 => sqlite_time(&name, args),
        ("date_sub" | "subdate", 2) => shifted(args.remove(0), args.remove(0), true),
        ("date_add" | "adddate", 2) => shifted(args.remove(0), args.remove(0), false),
        ("dateadd" | "timestampadd", 3) => {
            let (by, to) = (args.remove(1), args.remove(1));
            let back = matches!(&by, Term::Number(n) if *n < 0);
            shifted(to, by, back)
        }
        ("datediff" | "timestampdiff" | "date_diff" | "datediff_big", 3) => difference(args.remove(2), args.remove(1)),
        ("datediff" | "timediff" | "date_diff", 2) => difference(args.remove(0), args.remove(0)),
        ("make_interval" | "numtodsinterval", _) => Term::Span(args),
        ("coalesce" | "ifnull" | "nvl" | "isnull", n) if n > 1 => Term::Either(args),
        ("starts_with" | "startswith", 2) => Term::Starts(args.remove(0).boxed(), args.remove(0).boxed()),
        ("concat" | "concat_ws", _) => Term::Joined(args),
        (
            "lower" | "upper" | "trim" | "btrim" | "ltrim" | "rtrim" | "to_timestamp" | "timestamp" | "from_unixtime"
            | "unix_timestamp" | "tostring" | "tolower" | "toupper" | "abs",
            1,
        ) => args.remove(0),
        ("date_trunc", 2) => args.remove(1),
        ("count", 0) => Term::Count(None),
        ("count", 1) => match args.remove(0) {
            Term::Opaque(x) if x.is_empty() => Term::Count(None),
            Term::Number(_) | Term::Text(_) => Term::Count(None),
            x => Term::Count(Some(x.boxed())),
        },
        _ => Term::Call(name, args),
    }
}

/// The present instant.
pub(super) fn now() -> Term {
    Term::Call("now".into(), vec![])
}

pub(super) fn difference(from: Term, what: Term) -> Term {
    Term::Difference(from.boxed(), what.boxed())
}

fn shifted(instant: Term, by: Term, back: bool) -> Term {
    let by = span(by);
    if back { difference(instant, by) } else { Term::Sum(instant.boxed(), by.boxed()) }
}

/// A value as a span of time.
pub(super) fn span(x: Term) -> Term {
    match x {
        Term::Span(_) => x,
        // `'0 hours'`: only zero or not matters.
        Term::Text(t) => match t.split_whitespace().next().and_then(|w| w.parse::<f64>().ok()) {
            Some(n) => Term::Span(vec![Term::Number(n.abs().ceil() as i64)]),
            None => Term::Span(vec![Term::Text(t)]),
        },
        x => Term::Span(vec![x]),
    }
}

/// SQLite: `datetime('now', '-1 day')`, `datetime(x)`, `strftime('%s', 'now')`.
fn sqlite_time(name: &str, mut args: Vec<Term>) -> Term {
    if name == "strftime" {
        args.remove(0);
    }
    if args.is_empty() {
        return now();
    }
    let base = match args.remove(0) {
        Term::Text(t) if t == "now" => now(),
        x => x,
    };
    args.into_iter().fold(base, |at, by| {
        let (text, back) = match &by {
            Term::Text(t) => (t.clone(), t.trim_start().starts_with('-')),
            Term::Joined(p) => match p.first() {
                Some(Term::Text(t)) => (String::new(), t.trim_start().starts_with('-')),
                _ => (String::new(), false),
            },
            _ => (String::new(), false),
        };
        // `'start of day'`, `'utc'`, `'unixepoch'`
        let plain = !text.is_empty() && !text.contains(|c: char| c.is_ascii_digit());
        if plain { at } else { shifted(at, by, back) }
    })
}
