//! The names in an expression of a test, as written: what they speak of is all that is asked of them.
//!
//! ```text
//! janitor.Janitor(apps).sweep()        janitor, Janitor, sweep
//! [d.name for d in report.deleted]     report, deleted
//! apps.delete_deployment.call_count    apps, delete_deployment, call_count
//! ```

use crate::ir::{Arena, Bin, Block, Expr, ExprId, Lit, Stmt, Sym, Un};

/// The names that lead to a value, outermost first. Arguments are not among them.
pub(super) fn names(a: &Arena, e: ExprId) -> Vec<&'static str> {
    let mut out = vec![];
    let mut at = e;
    for _ in 0..32 {
        at = match a.get(at) {
            Expr::Name(n) => {
                out.push(n.as_str().split('%').next().unwrap_or_default());
                break;
            }
            Expr::Path(p) => {
                out.extend(p.as_str().rsplit('.'));
                break;
            }
            Expr::Field(base, f) => {
                out.push(f.as_str());
                *base
            }
            Expr::Call(c) => match (a.get(c.callee), c.args.first()) {
                // `len(deleted)`
                (Expr::Path(p), Some(arg)) if p.as_str() == "len" => arg.value,
                _ => c.callee,
            },
            Expr::Lookup(base, _) | Expr::Unary(Un::Present, base) | Expr::One(base) => *base,
            Expr::Gather { of, .. } => a.coll(*of),
            _ => break,
        };
    }
    out.retain(|n| !n.is_empty());
    out.reverse();
    out
}

/// The last of them: what the value itself is called.
pub(super) fn last_name(a: &Arena, e: ExprId) -> &'static str {
    names(a, e).pop().unwrap_or_default()
}

/// Is it nothing, visibly: `None`, `[]`, `0`, `False`, `""`, and collections and records of such?
pub(super) fn is_nothing(a: &Arena, e: ExprId) -> bool {
    match a.get(e) {
        Expr::Lit(Lit::Nothing | Lit::Failed | Lit::Empty | Lit::Bool(false) | Lit::Num(0)) => true,
        Expr::Lit(Lit::Str(text)) => text.is_empty(),
        Expr::One(x) => is_nothing(a, *x),
        Expr::Binary(Bin::Union, x, y) => is_nothing(a, *x) && is_nothing(a, *y),
        Expr::Record(parts) => parts.iter().all(|p| is_nothing(a, p.1)),
        _ => false,
    }
}

/// The fields that statements assign to: `meta["owner"] = x`.
pub(super) fn assigned_fields(b: &Block) -> Vec<Sym> {
    let mut out = vec![];
    for s in b {
        match s {
            Stmt::Set { field, .. } => out.push(*field),
            Stmt::If(_, t, f) => out.extend([t, f].into_iter().flat_map(assigned_fields)),
            Stmt::For { body, whole, .. } => out.extend([body, whole].into_iter().flat_map(assigned_fields)),
            Stmt::Try { body, handlers } => {
                out.extend(assigned_fields(body));
                out.extend(handlers.iter().flat_map(|h| assigned_fields(&h.body)));
            }
            _ => {}
        }
    }
    out
}
