//! A glance at a function: may a call that stands in it destroy anything, or write that something is over?
//!
//! Most functions that hold a trigger destroy nothing themselves: they call a function that does, take a member out of a
//! collection, or say in a log that something was removed. To see that, nothing need be known of what their helpers do,
//! and helpers are most of the work. So such a function is walked alone first; what its helpers give is *unseen*.
//!
//! ```text
//! rows := s.open()                    unseen
//! s.removeOld(rows)                   what `removeOld` destroys is destroyed in `removeOld`
//! delete(s.byName, name)              a member of a map
//! rows.Delete(name)                   by this name things are destroyed, and of the receiver nothing is known: unsure
//! s.post("DELETE FROM labs")          a helper may send what it is given: unsure
//! ```
//! A glance errs on one side: it says no only where a walk with all helpers would find nothing to judge here.

use super::*;
use crate::vocab::{Role, Topic};

/// What a glance keeps track of.
#[derive(Default)]
pub(super) struct Glance {
    /// What helpers gave.
    unseen: FxHashSet<ExprId>,
    /// Something may be destroyed that only a walk with the helpers shows.
    unsure: bool,
}

/// May a call that stands in the function destroy anything?
pub fn glance(func: &Func, ctx: &dyn Context) -> bool {
    let mut w = Walk::of(func, ctx);
    w.glance = Some(Glance::default());
    w.finds_destruction(&func.body)
}

impl Walk<'_> {
    fn finds_destruction(&mut self, body: &Block) -> bool {
        let (state, mut exits) = (self.entered(), Exits::default());
        let end = self.block(body, Some(state), &mut exits);
        // What helpers were given to run.
        if let Some(mut last) = end.or_else(|| exits.returns.pop().map(|(s, _)| s)) {
            self.run_kept(&mut last);
        }
        let stands_here = |e: &Effect| {
            let at = self.a.call_of(e.call).map(|c| self.a.site(c.site).name).or(e.at);
            e.kind != EffectKind::Create && at.is_some_and(|at| self.func.span.contains(at))
        };
        self.glance.as_ref().is_none_or(|g| g.unsure) || self.effects.iter().any(stands_here)
    }

    /// What a helper gives, at a glance. Nothing where it is too large to be put in place and called as if it destroyed: then
    /// its name speaks for it.
    pub(super) fn glanced(
        &mut self,
        key: FuncKey,
        (receiver, args): (Option<ExprId>, &[Arg]),
        once: bool,
        s: &mut State,
    ) -> Option<ExprId> {
        let unsure = args.iter().any(|x| self.asks_to_destroy(x.value));
        if self.ctx.sounds_destructive(key) && self.ctx.summary(key).is_none() {
            return None;
        }
        let opaque = self.a.unknown();
        self.gave(opaque);
        if let Some(glance) = &mut self.glance {
            glance.unsure |= unsure;
        }
        self.changed_unseen(opaque, receiver.into_iter().chain(args.iter().map(|x| x.value)), s);
        let functions: Vec<Arg> =
            args.iter().filter(|x| matches!(self.a.get(x.value), Expr::Closure(_))).cloned().collect();
        self.run_callbacks(opaque, &functions, once, s);
        Some(opaque)
    }

    /// What was empty may have been filled by a helper that could reach it.
    ///
    /// ```text
    /// var old []string; collect(dir, &old); for _, p := range old { os.Remove(p) }
    /// ```
    fn changed_unseen(&mut self, by: ExprId, given: impl Iterator<Item = ExprId>, s: &mut State) {
        let plain = |a: &Arena, v: ExprId| matches!(a.get(v), Expr::Lit(_));
        for (value, local) in self.handed.clone() {
            if plain(&self.a, value) {
                s.env.insert(local, by);
            }
        }
        s.heap.values_mut().filter(|v| plain(&self.a, **v)).for_each(|v| *v = by);
        for object in given {
            let Expr::Record(parts) = self.a.get(object) else { continue };
            let parts = parts.iter().filter(|(name, v)| name != "#is" && plain(&self.a, *v));
            s.heap.extend(parts.map(|(name, _)| ((object, *name), by)));
        }
    }

    /// Is it a function, a statement, a command, a message or a final word, by which a helper may destroy something here?
    fn asks_to_destroy(&self, v: ExprId) -> bool {
        let speaks = |text: &str| self.ctx.speaks_of_destroying(text);
        let asks = |message: &str| self.ctx.vocab().speaks_of(Topic::Destroying, message);
        let function = match *self.a.get(v) {
            Expr::Path(p) => self.destroys_by_name(p.as_str().rsplit('.').next().unwrap_or_default()),
            Expr::Field(of, name) => {
                let class = self.class_of_value(of);
                self.destroys_by_name(&name) && class.is_none_or(|class| self.ctx.method(class, name).is_some())
            }
            _ => false,
        };
        function
            || self.final_word(v)
            || self.a.mentions(v, &mut |x| match self.a.get(x) {
                Expr::Lit(Lit::Str(text)) => speaks(text) || self.ctx.vocab().is_final(text),
                Expr::Choose(_, t, f) => self.final_word(*t) || self.final_word(*f),
                Expr::Record(parts) => {
                    parts.iter().any(|(name, v)| name == "#is" && self.a.as_str(*v).is_some_and(asks))
                }
                _ => false,
            })
    }

    fn destroys_by_name(&self, name: &str) -> bool {
        self.ctx.destroys_by_name(self.file.language, name)
    }

    /// Notes, at a glance, what helpers gave.
    pub(super) fn gave(&mut self, e: ExprId) {
        if let Some(glance) = &mut self.glance {
            glance.unseen.insert(e);
        }
    }

    /// Notes, at a glance, a call by whose name something may be destroyed, depending on what helpers gave.
    pub(super) fn glance_at(&mut self, call: &Call, role: Option<Role>) {
        let Some(glance) = &self.glance else { return };
        let (receiver, name) = match *self.a.get(call.callee) {
            Expr::Field(receiver, name) => (Some(receiver), name.as_str()),
            Expr::Path(p) => (None, p.as_str().rsplit('.').next().unwrap_or_default()),
            _ => return,
        };
        let runs = role.is_some_and(|role| {
            matches!(role, Role::Exec | Role::Statement | Role::Execute | Role::Run | Role::Each | Role::Assign)
        });
        if glance.unsure || glance.unseen.is_empty() || !(runs || self.destroys_by_name(name)) {
            return;
        }
        let unseen = |x: ExprId| glance.unseen.contains(&x);
        let given = call.args.iter().map(|x| x.value).chain(receiver);
        let rests = given.into_iter().any(|v| self.a.mentions(v, &mut |x| unseen(x)));
        if let Some(glance) = &mut self.glance {
            glance.unsure = rests;
        }
    }
}
