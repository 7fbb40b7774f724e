//! Switches and `select`, as chains of branches.
//!
//! ```text
//! switch x {                       if x == 1 or x == 2: A
//! case 1, 2: A                     else:
//! case 3: B; fallthrough             if x == 3: B; C
//! default: C                         else: C
//! }
//! select {                         if <unknown>: for x in ch: A
//! case x := <-ch: A                else: B
//! default: B
//! }
//! ```
//!
//! A `break` in the middle of a case leaves the switch: then the switch is a loop of one round.

use super::build::{Cx, DEPTH, Target};
use super::kinds::{Child, K, all, each, first, kind, parts, type_of};
use super::names::{Info, Ty};
use super::stmt::sent;
use crate::ir::{Bin, Block, ExprId, Place, Stmt, Sym, sym};
use tree_sitter::Node;

/// One case: what stands before its test, the test, and what is done.
struct Arm {
    before: Block,
    when: ExprId,
    then: Block,
}

impl<'a> Cx<'a> {
    pub fn switch(&mut self, node: Node<'a>, out: &mut Block) {
        self.branching(node, out, |cx, out| {
            let tag = node.value().map(|tag| {
                let value = cx.expr(tag);
                let value = cx.once(value);
                out.append(&mut cx.pending);
                (tag, value)
            });
            let cases = cases(node);
            let (mut arms, mut last) = (Vec::new(), Vec::new());
            let known = cx.failed.len();
            for (i, case) in cases.iter().enumerate() {
                if kind(*case) == K::Default {
                    continue;
                }
                if arms.len() as u32 >= DEPTH {
                    cx.hole_named("too_deep", *case);
                    break;
                }
                cx.stmt = cx.header(*case);
                let tests = case.value().map(parts).unwrap_or_default();
                let (before, when) = cx.apart(|cx| cx.tested_by(tag, &tests, *case));
                let outside = cx.failed.len();
                let certain = cx.fails_where(when, true);
                cx.failed.extend(certain);
                let then = cx.case_body(&cases, i);
                cx.failed.truncate(outside);
                let certain = cx.fails_where(when, false);
                cx.failed.extend(certain);
                arms.push(Arm { before, when, then });
            }
            if let Some(i) = cases.iter().position(|c| kind(*c) == K::Default) {
                last = cx.case_body(&cases, i);
            }
            cx.failed.truncate(known);
            chain(arms, last, out);
        });
    }

    /// The head of a switch, its scope, and what a `break` in it means.
    fn branching(&mut self, node: Node<'a>, out: &mut Block, run: impl FnOnce(&mut Self, &mut Block)) {
        let label = self.label.take();
        let written = breaks_inside(node, self.piece.text(), label);
        self.scopes.push(Default::default());
        self.nesting += 1;
        if let Some(start) = node.initializer() {
            self.deeper(|cx| cx.statement_of(start, out));
        }
        self.targets.push(Target { label, is_loop: false, written, update: None });
        let mut body = Vec::new();
        self.deeper(|cx| run(cx, &mut body));
        self.targets.pop();
        self.nesting -= 1;
        self.scopes.pop();
        if written {
            let (var, once) = (self.fresh(), self.arena.bool(true));
            let over = self.one(once);
            self.at(over, node);
            out.push(Stmt::For { var, over, body, whole: Vec::new() });
        } else {
            out.append(&mut body);
        }
    }

    fn statement_of(&mut self, node: Node<'a>, out: &mut Block) {
        self.stmt(node, out);
    }

    /// When a case is taken.
    fn tested_by(&mut self, tag: Option<(Node<'a>, ExprId)>, tests: &[Node<'a>], case: Node<'a>) -> ExprId {
        let mut found = Vec::new();
        for test in tests {
            let when = match tag {
                None => self.expr(*test),
                Some((tag, value)) => self.compared(tag, value, *test),
            };
            found.push(self.at(when, *test));
        }
        self.fold(Bin::Or, found).unwrap_or_else(|| self.opaque(case))
    }

    fn compared(&mut self, tag: Node<'a>, value: ExprId, test: Node<'a>) -> ExprId {
        if self.is_error(tag) {
            return match kind(test) {
                K::Nil => {
                    let raised = self.raised(value);
                    self.arena.not(raised)
                }
                _ => self.error_is(value, test, test),
            };
        }
        self.equal((tag, value), test)
    }

    /// The statements of a case; with `fallthrough` at their end, those of the next one too.
    fn case_body(&mut self, cases: &[Node<'a>], at: usize) -> Block {
        let mut out = Vec::new();
        for case in cases.iter().skip(at) {
            let statements = parts(*case).into_iter().filter(|n| kind(*n) == K::StatementList);
            let mut falls = false;
            for list in statements {
                falls = parts(list).last().is_some_and(|n| kind(*n) == K::Fallthrough);
                out.append(&mut self.block(list));
            }
            if !falls {
                break;
            }
        }
        out
    }

    /// `switch y := x.(type) { case T: … }`: of what type a value is, is not known.
    pub fn type_switch(&mut self, node: Node<'a>, out: &mut Block) {
        self.branching(node, out, |cx, out| {
            let Some(subject) = node.value() else { return };
            let value = cx.expr(subject);
            let value = cx.once(value);
            out.append(&mut cx.pending);
            if let Some(alias) = node.alias().and_then(first) {
                let info = cx.info_of(subject).unwrap_or_default();
                if let Some(local) = cx.declare(cx.text(alias), Info { blank: false, ..info }) {
                    out.push(Stmt::Let(Place::Name(local), value));
                }
            }
            let fails = cx.is_error(subject);
            let cases = cases(node);
            let (mut arms, mut last) = (Vec::new(), Vec::new());
            for (i, case) in cases.iter().enumerate().take(DEPTH as usize) {
                cx.stmt = cx.header(*case);
                if kind(*case) == K::Default {
                    last = cx.case_body(&cases, i);
                    continue;
                }
                let tests: Vec<ExprId> = all(*case, "type").into_iter().map(|t| cx.is_of(value, fails, t)).collect();
                let when = cx.fold(Bin::Or, tests).unwrap_or_else(|| cx.opaque(*case));
                cx.at(when, *case);
                arms.push(Arm { before: Vec::new(), when, then: cx.case_body(&cases, i) });
            }
            chain(arms, last, out);
        });
    }

    fn is_of(&mut self, value: ExprId, fails: bool, ty: Node<'a>) -> ExprId {
        let name = self.text(ty);
        match (name, fails) {
            ("nil", true) => {
                let raised = self.raised(value);
                self.arena.not(raised)
            }
            ("nil", false) => {
                let there = self.present(value);
                self.arena.not(there)
            }
            (_, true) => self.error_is(value, ty, ty),
            _ => self.opaque(ty),
        }
    }

    /// Which case is ready, is not known.
    pub fn select(&mut self, node: Node<'a>, out: &mut Block) {
        self.branching(node, out, |cx, out| {
            let cases = cases(node);
            let (mut arms, mut last) = (Vec::new(), Vec::new());
            for (i, case) in cases.iter().enumerate().take(DEPTH as usize) {
                cx.stmt = cx.header(*case);
                if kind(*case) == K::Default {
                    last = cx.case_body(&cases, i);
                    continue;
                }
                let when = cx.opaque(*case);
                arms.push(Arm { before: Vec::new(), when, then: cx.ready(&cases, i) });
            }
            let waits = cases.iter().all(|c| kind(*c) != K::Default);
            match (&arms[..], waits) {
                ([_], true) => arms.into_iter().for_each(|mut arm| out.append(&mut arm.then)),
                _ => chain(arms, last, out),
            }
        });
    }

    /// What is done when a channel is ready. Who receives from it takes its elements one by one:
    ///
    /// ```text
    /// case x := <-ch: f(x)             for x in ch: f(x)
    /// case <-ctx.Done(): return err    the one who waits has given up
    /// ```
    fn ready(&mut self, cases: &[Node<'a>], at: usize) -> Block {
        let Some(case) = cases.get(at).copied() else { return Vec::new() };
        let Some(communication) = case.communication() else { return self.case_body(cases, at) };
        let mut out = Vec::new();
        if let Some((channel, value)) = sent(communication).filter(|_| kind(communication) == K::Send) {
            let (place, value) = (self.place(channel), self.expr(value));
            self.emit(&mut out, Stmt::Put(place, value));
        }
        let channel = communication.right().and_then(|r| r.operand());
        let names = communication.left().map(parts).unwrap_or_default();
        match channel {
            Some(channel) if self.says_done(channel) => {
                let known = self.failed.len();
                let given_up = self.gave_up(channel);
                self.failed.push(given_up);
                out.append(&mut self.case_body(cases, at));
                self.failed.truncate(known);
            }
            Some(channel) if !names.is_empty() => {
                let over = self.expr(channel);
                out.append(&mut self.pending);
                let mut body = Vec::new();
                self.scopes.push(Default::default());
                let name = names.first().map(|n| self.text(*n)).unwrap_or("_");
                let ty = if super::names::is_error_name(name) { Ty::Error } else { Ty::Unknown };
                let element = Info { element: true, ..Info::of(ty) };
                let var = self.declare(name, element).unwrap_or_else(|| self.fresh());
                if let Some(ok) = names.get(1)
                    && let Some(local) = self.declare(self.text(*ok), Info::default())
                {
                    let open = self.opaque(*ok);
                    body.push(Stmt::Let(Place::Name(local), open));
                }
                self.targets.push(Target { label: None, is_loop: false, written: true, update: None });
                body.append(&mut self.case_body(cases, at));
                self.targets.pop();
                self.scopes.pop();
                out.push(Stmt::For { var, over, body, whole: Vec::new() });
            }
            _ => out.append(&mut self.case_body(cases, at)),
        }
        out
    }
}

fn cases(node: Node) -> Vec<Node> {
    parts(node)
        .into_iter()
        .filter(|n| matches!(kind(*n), K::ExprCase | K::TypeCase | K::CommCase | K::Default))
        .filter(|n| type_of(*n).is_some() || !n.is_missing())
        .collect()
}

fn chain(arms: Vec<Arm>, mut last: Block, out: &mut Block) {
    for mut arm in arms.into_iter().rev() {
        arm.before.push(Stmt::If(arm.when, arm.then, last));
        last = arm.before;
    }
    out.append(&mut last);
}

/// Is there a `break` that means this switch, and is not the last statement of a case of it?
fn breaks_inside(switch: Node, text: &str, label: Option<Sym>) -> bool {
    let mut found = false;
    each(switch, &mut |node| {
        if found || kind(node) == K::FuncLit {
            return false;
        }
        if kind(node) != K::Break {
            return true;
        }
        let named = first(node).and_then(|n| text.get(n.byte_range())).map(sym);
        let mine = match named {
            Some(name) => Some(name) == label,
            None => nearest(node) == Some(switch),
        };
        let ends_case = node.parent().is_some_and(|list| {
            let case = list.parent().and_then(|c| c.parent());
            kind(list) == K::StatementList && case == Some(switch) && parts(list).last() == Some(&node)
        });
        found = mine && !ends_case;
        false
    });
    found
}

/// The loop or switch that a `break` without a label means.
fn nearest(node: Node) -> Option<Node> {
    let mut at = node.parent();
    while let Some(around) = at {
        if matches!(kind(around), K::For | K::Switch | K::TypeSwitch | K::Select) {
            return Some(around);
        }
        at = around.parent();
    }
    None
}
