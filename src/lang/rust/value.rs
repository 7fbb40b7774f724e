//! Statements that come to a value, and whether a value is there.
//!
//! ```text
//! let n = if c { a } else { b };                n = c ? a : b
//! |x| { let k = x.id; !used.contains(&k) }      not present(used[x.id])
//! raised(present(x) ? x : failed)               not present(x)
//! ```

use super::build::Cx;
use super::guess::Kind;
use crate::ir::{Block, Exit, Expr, ExprId, Lit, Place, Rebuild, Stmt, Sym, Un};

/// How many branches a body may have to be written as one value: what follows a branch is written twice.
const BRANCHES: u32 = 12;

/// Where a body leaves its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// It is returned.
    Return,
    /// It is kept in a local.
    Temp(Sym),
}

/// Does every way through a block leave it?
pub(super) fn leaves(block: &[Stmt]) -> bool {
    match block.last() {
        Some(Stmt::Leave(_)) => true,
        Some(Stmt::If(_, a, b)) => leaves(a) && leaves(b),
        _ => false,
    }
}

/// May a block return?
pub(super) fn returns(block: &[Stmt]) -> bool {
    block.iter().any(|s| match s {
        Stmt::Leave(Exit::Return(_)) => true,
        Stmt::If(_, a, b) => returns(a) || returns(b),
        Stmt::For { body, whole, .. } => returns(body) || returns(whole),
        Stmt::Try { body, handlers } => returns(body) || handlers.iter().any(|h| returns(&h.body)),
        _ => false,
    })
}

impl Cx<'_> {
    /// A body as one value, if it does nothing else. `since`: which locals are its own.
    pub fn as_value(&mut self, block: &[Stmt], end: End, since: usize) -> Option<ExprId> {
        let mut budget = BRANCHES;
        let mut asked = Vec::new();
        let value = self.evaluated(vec![block], &[], (end, since), (&mut budget, &mut asked))?;
        // What was called for its effect alone would be lost.
        let heard = asked.iter().all(|call| self.arena.mentions(value, &mut |e| e == *call));
        heard.then_some(value)
    }

    fn evaluated(
        &mut self,
        mut todo: Vec<&[Stmt]>,
        env: &[(ExprId, ExprId)],
        how: (End, usize),
        (budget, asked): (&mut u32, &mut Vec<ExprId>),
    ) -> Option<ExprId> {
        let mut env = env.to_vec();
        let (end, since) = how;
        loop {
            let Some(block) = todo.pop() else {
                return (end == End::Return).then(|| self.nothing());
            };
            let Some((head, rest)) = block.split_first() else { continue };
            todo.push(rest);
            match head {
                Stmt::Let(Place::Name(name), value) => {
                    let value = self.with_locals(*value, &env);
                    if end == End::Temp(*name) {
                        return Some(value);
                    }
                    if !self.declared.get(since..)?.contains(name) {
                        return None;
                    }
                    if self.does(value) {
                        asked.push(value);
                    }
                    let local = self.name(*name);
                    env.retain(|e| e.0 != local);
                    env.push((local, value));
                }
                Stmt::If(test, yes, no) => {
                    *budget = budget.checked_sub(1)?;
                    let test = self.with_locals(*test, &env);
                    let branch = |block| {
                        let mut todo = todo.clone();
                        todo.push(block);
                        todo
                    };
                    let (yes, no) = (branch(yes), branch(no));
                    let yes = self.evaluated(yes, &env, how, (budget, asked))?;
                    let no = self.evaluated(no, &env, how, (budget, asked))?;
                    return Some(self.choose(test, yes, no));
                }
                Stmt::Do(remark) if self.remarks.contains(remark) => {}
                Stmt::Leave(Exit::Return(value)) if end == End::Return => {
                    return Some(self.with_locals(*value, &env));
                }
                _ => return None,
            }
        }
    }

    fn with_locals(&mut self, e: ExprId, env: &[(ExprId, ExprId)]) -> ExprId {
        if env.is_empty() {
            return e;
        }
        let mut copy = Rebuild::within();
        for (from, to) in env {
            copy = copy.with(*from, *to);
        }
        copy.expr(&mut self.arena, e)
    }

    /// What a block that left its value in `temp` comes to: as one value where it can, else the local.
    pub fn settle(&mut self, block: Block, temp: Sym, since: usize) -> ExprId {
        let rest = self.hoisted(block, Some(temp));
        if let Some(value) = self.as_value(&rest, End::Temp(temp), since) {
            return value;
        }
        self.settle_last(rest, temp, since)
    }

    /// What is asked of somebody is asked once, in front.
    pub fn hoisted(&mut self, mut block: Block, temp: Option<Sym>) -> Block {
        let calls = |cx: &Self, s: &Stmt| match s {
            Stmt::Let(Place::Name(n), v) => Some(*n) != temp && cx.does(*v),
            Stmt::Do(v) => cx.remarks.contains(v),
            _ => false,
        };
        let count = block.iter().take_while(|s| calls(self, s)).count();
        let rest = block.split_off(count);
        self.pending.append(&mut block);
        rest
    }

    fn settle_last(&mut self, mut block: Block, temp: Sym, since: usize) -> ExprId {
        match block.pop() {
            Some(Stmt::Let(Place::Name(name), value)) if name == temp => {
                self.pending.append(&mut block);
                value
            }
            Some(Stmt::If(test, yes, no)) if leaves(&yes) && !leaves(&no) && !no.is_empty() => {
                self.pending.append(&mut block);
                self.pending.push(Stmt::If(test, yes, Vec::new()));
                self.settle(no, temp, since)
            }
            Some(Stmt::If(test, yes, no)) if leaves(&no) && !leaves(&yes) && !yes.is_empty() => {
                self.pending.append(&mut block);
                let not = self.arena.not(test);
                self.pending.push(Stmt::If(not, no, Vec::new()));
                self.settle(yes, temp, since)
            }
            last => {
                let left = last.as_ref().is_some_and(|s| leaves(std::slice::from_ref(s)));
                self.pending.append(&mut block);
                self.pending.extend(last);
                if left { self.nothing() } else { self.name(temp) }
            }
        }
    }

    /// Did the operation fail that gave this value?
    pub fn raised(&mut self, v: ExprId) -> ExprId {
        match *self.arena.get(v) {
            Expr::Lit(Lit::Failed) => self.yes(),
            Expr::Lit(_) | Expr::Record(_) | Expr::Format(_) | Expr::One(_) | Expr::Closure(_) | Expr::Any(..) => {
                self.arena.bool(false)
            }
            Expr::Binary(..) => self.arena.bool(false),
            Expr::Gather { of, keep, give } => match self.arena.get(give) {
                Expr::Call(_) | Expr::Choose(..) => {
                    let failed = self.raised(give);
                    let such = self.arena.and(keep, failed);
                    self.arena.any(of, such)
                }
                _ => self.arena.bool(false),
            },
            Expr::Choose(c, t, f) => {
                let (t, f) = (self.raised_arm(t), self.raised_arm(f));
                self.choose(c, t, f)
            }
            _ => self.arena.unary(Un::Raised, v),
        }
    }

    /// A field or entry is there or not, but it does not fail.
    fn raised_arm(&mut self, v: ExprId) -> ExprId {
        match self.arena.get(v) {
            Expr::Field(..) | Expr::Lookup(..) => self.arena.bool(false),
            _ if self.options.contains(&v) => self.arena.bool(false),
            _ => self.raised(v),
        }
    }

    /// Is there a value?
    pub fn present(&mut self, v: ExprId) -> ExprId {
        match *self.arena.get(v) {
            Expr::Lit(Lit::Nothing | Lit::Failed) => self.arena.bool(false),
            _ if self.certain.contains(&v) => self.yes(),
            Expr::Lit(_) | Expr::Record(_) | Expr::Format(_) | Expr::One(_) | Expr::Closure(_) => self.yes(),
            Expr::Gather { .. } => self.yes(),
            Expr::Choose(c, t, f) => {
                let (t, f) = (self.present(t), self.present(f));
                self.choose(c, t, f)
            }
            _ => self.arena.unary(Un::Present, v),
        }
    }

    /// Is there no value, for whichever reason?
    pub fn missing(&mut self, v: ExprId, kind: Kind) -> ExprId {
        let here = self.present(v);
        let missing = self.arena.not(here);
        let plain = matches!(self.arena.get(v), Expr::Field(..) | Expr::Lookup(..) | Expr::Elem(_));
        match kind {
            Kind::Option => missing,
            Kind::Result => self.raised(v),
            _ if plain => missing,
            _ => {
                let raised = self.raised(v);
                self.arena.or(raised, missing)
            }
        }
    }

    /// The value, where it is known to be there.
    pub fn there(&mut self, v: ExprId) -> ExprId {
        match *self.arena.get(v) {
            Expr::Choose(_, t, f) if self.absent(f) => self.there(t),
            Expr::Choose(_, t, f) if self.absent(t) => self.there(f),
            Expr::Gather { of, keep, give } if matches!(self.arena.get(give), Expr::Choose(..)) => {
                let give = self.there(give);
                self.arena.gather(of, keep, give)
            }
            _ => v,
        }
    }

    fn absent(&self, v: ExprId) -> bool {
        matches!(self.arena.get(v), Expr::Lit(Lit::Nothing | Lit::Failed))
    }

    /// The failure of an operation, as a value.
    pub fn failure_of(&mut self, v: ExprId) -> ExprId {
        let gone = self.arena.unary(Un::NotFound, v);
        self.arena.mk(Expr::Caught(gone))
    }

    /// When is a failure a "no such thing"? `e`, `e.code`, `e.kind()` of a failure.
    pub fn gone_of(&self, mut e: ExprId) -> Option<ExprId> {
        for _ in 0..8 {
            match self.arena.get(e) {
                Expr::Caught(when) => return Some(*when),
                Expr::Field(x, _) => e = *x,
                Expr::Call(c) => match self.arena.get(c.callee) {
                    Expr::Field(x, _) => e = *x,
                    _ => return None,
                },
                _ => return None,
            }
        }
        None
    }
}
