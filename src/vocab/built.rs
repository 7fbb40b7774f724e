//! Builders: a call whose arguments are given one by one, in calls behind it, until one ends it.
//!
//! ```text
//! s3.delete_object().bucket(b).key(k).send()       s3.delete_object(bucket=b, key=k, send=true)
//! sqlx.query(text).bind(id).execute(pool)          sqlx.query(text, id, execute=pool)
//! Command.new("rm").arg("-r").args(more).status()  Command.new("rm", "-r", *more, status=true)
//! if all: q = q.prefix(p)    q.send()              list_objects_v2(prefix=(all ? p : nothing), send=true)
//! ```
//! A row names the ends (`built = ["send"]`) and matches the call at the head with what was given to it as keywords; the
//! names of a `*rest` parameter are given by place, and those but its first hold several. What is given twice is both.
//! Without its end a chain does nothing: no row matches it, and no step of it is a read.

use super::*;
use crate::ir::{Arena, Arg, Bin, Call, Expr, ExprId, Lit};
use rustc_hash::FxHashMap;

/// No builder of real code has more steps; made-up input may.
const STEPS: usize = 40;

/// One call of a chain.
#[derive(Clone)]
struct Step {
    call: ExprId,
    name: Sym,
    /// It is taken only on this condition, or (`false`) only without it.
    only: Vec<(ExprId, bool)>,
}

impl Vocab {
    /// The call that a chain makes, if this call ends one.
    pub fn built(&self, arena: &mut Arena, call: &Call, file: &FileContext) -> Option<Call> {
        let Expr::Field(base, end) = *arena.get(call.callee) else { return None };
        if !self.index.ends(end) {
            return None;
        }
        let steps = steps(arena, base);
        for (at, head) in steps.iter().enumerate() {
            let head = arena.call_of(head.call)?.clone();
            let mut args = head.args.clone();
            for step in steps.iter().take(at).rev() {
                given(arena, step, &mut args);
            }
            let last = call.args.first().map(|a| a.value);
            let value = last.unwrap_or_else(|| arena.bool(true));
            args.push(Arg { name: Some(end), value });
            // What was begun in another statement happens in this one.
            let here = arena.site(head.site).stmt == arena.site(call.site).stmt;
            let site = if here { head.site } else { call.site };
            let whole = Call { site, callee: head.callee, args };
            if let Some(m) = self.matched(arena, &whole, file)
                && self.row(m.row).built.contains(&end)
            {
                let call = placed(self.row(m.row), whole);
                return Some(Call { args: together(arena, call.args), ..call });
            }
        }
        None
    }

    /// Is this call a chain, or a step of one, that nothing ends? What is waited for is none: `db.list_labs().await` is the
    /// program's own, whatever a library's chains begin with.
    pub fn is_building(&self, arena: &Arena, call: &Call, file: &FileContext) -> bool {
        if arena.site(call.site).waited {
            return false;
        }
        if self.heads(arena, call, file) {
            return true;
        }
        let Expr::Field(base, _) = *arena.get(call.callee) else { return false };
        let before = steps(arena, base);
        before.iter().filter_map(|s| arena.call_of(s.call)).any(|c| self.heads(arena, c, file))
    }
}

/// The calls that lead to a value, the last one first.
fn steps(arena: &Arena, e: ExprId) -> Vec<Step> {
    steps_from(arena, e, STEPS, &mut FxHashMap::default())
}

/// The chains behind choices, by how many steps they may still have. Choices share what stands before them, so each is
/// followed once:
///
/// ```text
/// q = q.limit(n) if page else q.all()         forty times over
/// ```
type Followed = FxHashMap<(ExprId, usize), Vec<Step>>;

fn steps_from(arena: &Arena, e: ExprId, left: usize, followed: &mut Followed) -> Vec<Step> {
    let (mut out, mut e) = (vec![], e);
    while out.len() < left {
        match arena.get(e) {
            Expr::Call(c) => match (arena.get(c.callee), step_name(arena, c)) {
                (Expr::Field(base, _), Some(name)) => {
                    out.push(Step { call: e, name, only: vec![] });
                    e = *base;
                }
                (_, Some(name)) => {
                    out.push(Step { call: e, name, only: vec![] });
                    break;
                }
                _ => break,
            },
            // Steps that are taken on one way only, before those of both.
            Expr::Choose(c, a, b) => {
                let rest = left - out.len();
                if let Some(known) = followed.get(&(e, rest)) {
                    out.extend_from_slice(known);
                    break;
                }
                let (a, b) = (steps_from(arena, *a, rest, followed), steps_from(arena, *b, rest, followed));
                let both = either(*c, a, b);
                out.extend_from_slice(&both);
                followed.insert((e, rest), both);
                break;
            }
            _ => break,
        }
    }
    out
}

fn step_name(arena: &Arena, call: &Call) -> Option<Sym> {
    match arena.get(call.callee) {
        Expr::Field(_, name) => Some(*name),
        Expr::Path(path) => path.as_str().rsplit('.').next().map(crate::ir::sym),
        _ => None,
    }
}

fn either(cond: ExprId, mut a: Vec<Step>, mut b: Vec<Step>) -> Vec<Step> {
    let shared = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x.call == y.call).count();
    let both = a.split_off(a.len() - shared);
    b.truncate(b.len() - shared);
    // Two chains that have nothing in common are two calls: the first speaks for both.
    if both.is_empty() {
        return if a.is_empty() { b } else { a };
    }
    a.iter_mut().for_each(|s| s.only.push((cond, true)));
    b.iter_mut().for_each(|s| s.only.push((cond, false)));
    a.into_iter().chain(b).chain(both).collect()
}

/// What a step gives, as a keyword.
fn given(arena: &mut Arena, step: &Step, args: &mut Vec<Arg>) {
    let Some(call) = arena.call_of(step.call) else { return };
    let values: Vec<ExprId> = call.args.iter().map(|a| a.value).collect();
    let mut value = match values.as_slice() {
        [] => arena.bool(true),
        [one] => *one,
        several => {
            let parts = several.iter().enumerate().map(|(i, v)| (crate::ir::sym(&i.to_string()), *v)).collect();
            arena.mk(Expr::Record(parts))
        }
    };
    for (cond, so) in &step.only {
        let nothing = arena.lit(Lit::Nothing);
        let (t, f) = if *so { (value, nothing) } else { (nothing, value) };
        value = arena.choose(*cond, t, f);
    }
    let name = match step.name.as_str().strip_prefix("set_") {
        Some(rest) => crate::ir::sym(rest),
        None => step.name,
    };
    args.push(Arg { name: Some(name), value });
}

/// What the row takes by its place, so.
fn placed(row: &Row, call: Call) -> Call {
    let rest = row.params().unwrap_or_default().iter().find(|p| p.rest && !p.keyword);
    let Some(rest) = rest else { return call };
    let many = crate::ir::sym("*");
    let place = |a: Arg| match a.name.and_then(|n| rest.names.iter().position(|r| *r == n)) {
        Some(0) => Arg { name: None, ..a },
        Some(_) => Arg { name: Some(many), ..a },
        None => a,
    };
    Call { args: call.args.into_iter().map(place).collect(), ..call }
}

/// What is given twice by one name is both.
fn together(arena: &mut Arena, args: Vec<Arg>) -> Vec<Arg> {
    let mut out: Vec<Arg> = Vec::with_capacity(args.len());
    for arg in args {
        let before = out.iter_mut().find(|a| a.name.is_some_and(|n| n != "*") && a.name == arg.name);
        match before {
            Some(before) => {
                let one = |arena: &mut Arena, v: ExprId| match arena.get(v) {
                    Expr::Binary(Bin::Union, ..) => v,
                    _ => arena.mk(Expr::One(v)),
                };
                let (a, b) = (one(arena, before.value), arena.mk(Expr::One(arg.value)));
                before.value = arena.union(a, b);
            }
            None => out.push(arg),
        }
    }
    out
}
