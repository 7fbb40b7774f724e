//! Command lines: what they do is told by their words, as it is told of a call by its name.
//!
//! ```text
//! subprocess.run(["kubectl", "delete", "pod", name])      destroy name
//! self.run("sudo", "zfs", "destroy", name)                the same of a dataset, whatever `run` is
//! def zfs(self, *cmd): self.run("zfs", *cmd)              open: the caller gives the words, and it is done there
//! ```

use super::*;
use crate::vocab::{CommandWord, Matched, Role, command_words};

/// With more calls than this that wait for words, no further one does.
const WORDS_OPEN: usize = 4;

impl Walk<'_> {
    /// `create_subprocess_exec("kubectl", *args)`: the words of a command line, given one by one.
    pub(super) fn words_given(&mut self, call: &Call) -> ExprId {
        let mut all = self.a.lit(Lit::Empty);
        for arg in call.args.iter().filter(|a| a.name.is_none_or(|n| n == "*")) {
            // `cmd("docker", ["rm", name])`: a list is no word.
            let several = arg.name.is_some() || self.is_list_of_words(arg.value);
            let words = if several { arg.value } else { self.a.mk(Expr::One(arg.value)) };
            all = self.a.union(all, words);
        }
        all
    }

    fn is_list_of_words(&self, e: ExprId) -> bool {
        matches!(self.a.get(e), Expr::One(_) | Expr::Binary(Bin::Union, ..))
    }

    /// `self.run("sudo", "zfs", "destroy", name)`: whatever runs it, the words say what is done. With a hole for words that
    /// a caller gives, the caller says it.
    pub(super) fn said_by_words(&mut self, call: &Call, e: ExprId, s: &mut State) -> Option<ExprId> {
        let first = call.args.first().filter(|x| x.name.is_none_or(|n| n == "*"))?;
        if first.name.is_none() && self.a.as_str(first.value).is_none() {
            return None;
        }
        let argv = self.words_given(call);
        let words = command_words(&self.a, argv);
        if words.and_then(|w| self.ctx.vocab().command(&w)).is_some_and(|m| m.backed) {
            return Some(self.command(Some(argv), call, e, s));
        }
        if self.hands_words_on(call) && self.pending.len() < WORDS_OPEN {
            self.note_pending(e, s);
        }
        None
    }

    /// The same, once the caller has given its words.
    pub(super) fn told_words(&mut self, call: Call, site: Site, s: &mut State) -> ExprId {
        let call = Call { site: self.a.new_site(site), ..call };
        let e = self.a.mk(Expr::Call(call.clone()));
        self.said_by_words(&call, e, s).unwrap_or_else(|| {
            self.read(e);
            e
        })
    }

    /// `self.executor("sudo", *cmd)`, in a function that is given `*cmd`. What a class inherits is given other things.
    fn hands_words_on(&self, call: &Call) -> bool {
        let inherited = match *self.a.get(call.callee) {
            Expr::Field(x, _) => self.called(x).is_some_and(|p| p == "super"),
            _ => false,
        };
        let rest = |x: ExprId| match *self.a.get(x) {
            Expr::Param(i) => self.func.params.get(i as usize).is_some_and(|p| p.name.as_str().starts_with('*')),
            _ => false,
        };
        let mut given = call.args.iter().filter(|x| x.name.is_none_or(|n| n == "*"));
        let plain = given.clone().all(|x| x.name.is_some() || self.a.as_str(x.value).is_some());
        plain && !inherited && given.any(|x| x.name.is_some() && self.a.mentions(x.value, &mut |y| rest(y)))
    }

    fn called(&self, e: ExprId) -> Option<Sym> {
        match *self.a.get(self.a.call_of(e)?.callee) {
            Expr::Path(p) => Some(p),
            _ => None,
        }
    }

    /// A command line: judged by its words as a call would be.
    pub(super) fn command(&mut self, argv: Option<ExprId>, call: &Call, e: ExprId, s: &mut State) -> ExprId {
        let words = argv.and_then(|x| command_words(&self.a, x));
        let open = argv.is_some_and(|x| self.a.mentions(x, &mut |y| matches!(self.a.get(y), Expr::Param(_))));
        let Some(m) = words.as_deref().and_then(|w| self.ctx.vocab().command(w)) else {
            if open {
                self.note_pending(e, s);
            } else {
                self.read(e);
            }
            return e;
        };
        let row_id = self.ctx.vocab().command_as_row(m.row);
        let ctx = self.ctx;
        let row = ctx.vocab().row(row_id);
        if let Some(site) = self.a.sites.get_mut(call.site.0 as usize) {
            site.row = Some(Matched { row: row_id, backed: m.backed });
        }
        let values: Vec<ExprId> = m.target.iter().map(|w| self.word_value(w)).collect();
        match row.role {
            Role::Destroy | Role::Terminate | Role::Create => {
                let kind = match row.role {
                    Role::Terminate => EffectKind::Terminate,
                    Role::Create => EffectKind::Create,
                    _ => EffectKind::Destroy,
                };
                let here = self.here(s);
                if values.is_empty() || m.all {
                    let swept = self.command_scope(&m.scope, e);
                    self.affect_one(kind, e, swept, here);
                } else {
                    for v in values {
                        self.affect_one(kind, e, v, here);
                    }
                }
                self.risk_of(e);
                e
            }
            Role::List => {
                self.read(e);
                self.command_scope(&m.scope, e)
            }
            _ => {
                self.read(e);
                e
            }
        }
    }

    pub(super) fn word_value(&mut self, w: &CommandWord) -> ExprId {
        match w {
            CommandWord::Word(t) => self.a.str(t),
            CommandWord::Hole(x) => *x,
            CommandWord::Joined(t, x) => {
                let t = self.a.str(t);
                self.a.mk(Expr::Format(vec![t, *x]))
            }
        }
    }
}
