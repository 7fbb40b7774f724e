//! Of a function that is too large to be put in place: the statement that it sends for its callers.
//!
//! ```text
//! def query(self, text):                   query("SELECT ..") gives the rows of the text; what else the function
//!     .. a screenful of connecting ..        does, and in what it wraps the answer, is not followed
//!     cursor.execute(text)
//! ```

use super::*;
use crate::vocab::Role;

/// A summary that only sends: where exactly one statement of the function is a parameter of it.
pub fn sent_only(s: &Summary, vocab: &Vocab) -> Option<Summary> {
    let mut texts: Vec<(u16, &Pending)> = vec![];
    for p in &s.pending {
        let Some(at) = text_of(s, p.call, vocab) else { continue };
        if !texts.iter().any(|t| t.0 == at) {
            texts.push((at, p));
        }
    }
    let [(_, sent)] = texts[..] else { return None };
    let call = s.arena.call_of(sent.call)?;
    let Expr::Field(_, method) = *s.arena.get(call.callee) else { return None };
    let mut a = Arena::default();
    for i in 0..s.params.len() {
        a.mk(Expr::Param(i as u16));
    }
    let through = a.unknown();
    let callee = a.mk(Expr::Field(through, method));
    let given = |x: &Arg| match *s.arena.get(x.value) {
        Expr::Param(i) => Some((x.name, i)),
        _ => None,
    };
    let args = call.args.iter().filter_map(given).collect::<Vec<_>>();
    let args = args.into_iter().map(|(name, i)| Arg { name, value: a.mk(Expr::Param(i)) }).collect();
    let site = a.new_site(s.arena.site(call.site).clone());
    let call = a.call(site, callee, args);
    let (when, never) = (a.bool(true), a.bool(false));
    Some(Summary {
        returns: call,
        raises: never,
        raises_missing: never,
        writes: vec![],
        puts: vec![],
        globals: vec![],
        defaults: vec![None; s.params.len()],
        fields: FxHashMap::default(),
        fed: vec![],
        selects: vec![],
        cached: FxHashSet::default(),
        params: s.params.clone(),
        is_method: s.is_method,
        truncated: s.truncated,
        own_reads: false,
        reads: vec![],
        effects: vec![],
        pending: vec![Pending { call, when, after: 0 }],
        arena: a,
    })
}

/// The parameter that is the text of a statement.
fn text_of(s: &Summary, call: ExprId, vocab: &Vocab) -> Option<u16> {
    let c = s.arena.call_of(call)?;
    let row = vocab.row(s.arena.site(c.site).row?.row);
    let text = match (row.role, row.target) {
        (Role::Statement | Role::Execute, Some(b)) => vocab.bound(&s.arena, c, row, b),
        (Role::Statement | Role::Execute, None) => c.args.first().map(|x| x.value),
        _ => None,
    };
    match s.arena.get(text?) {
        Expr::Param(i) => Some(*i),
        _ => None,
    }
}

impl Walk<'_> {
    /// The summary of a function; of one that is too large what it sends, where the whole text is seen here. What a caller
    /// two steps away puts into it is not followed.
    pub(super) fn summary_for(&mut self, key: FuncKey, receiver: Option<ExprId>, args: &[Arg]) -> Option<Arc<Summary>> {
        if let Some(whole) = self.ctx.summary(key) {
            return Some(whole);
        }
        let sent = self.ctx.sends(key)?;
        let text = sent.pending.first().and_then(|p| text_of(&sent, p.call, self.ctx.vocab()))?;
        let given = *self.arguments(&sent, receiver, args).get(text as usize)?;
        let own = self.class.is_some();
        let open = self.a.mentions(given, &mut |x| match *self.a.get(x) {
            Expr::Param(i) => i > 0 || !own,
            _ => false,
        });
        (self.is_text(given) && !open).then_some(sent)
    }
}
