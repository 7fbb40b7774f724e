//! Objects of a cluster as code builds them: a constructor, a struct or a mapping, and what is written to its fields
//! afterwards.
//!
//! ```text
//! V1Pod(metadata=V1ObjectMeta(labels=own))     labels: own
//! corev1.Pod{ObjectMeta: metav1.ObjectMeta{Labels: own}}; pod.Labels = {..}     labels: what was written last
//! {**own, "x.io/a": me}                        keys: those of own, if they are written out, and x.io/a
//! ```

use crate::ask::Facts;
use crate::ir::{Arena, Bin, Expr, ExprId, Lit, Sym, sym};

/// How deep choices and unions of labels are followed.
const DEEP: u32 = 12;

/// The objects of a function.
#[derive(Clone, Copy)]
pub(super) struct Objects<'a> {
    facts: &'a Facts<'a>,
    a: &'a Arena,
}

/// The keys of labels, with their values where these are written out.
pub(super) struct Keys {
    pub known: Vec<(&'static str, Option<&'static str>)>,
    /// There may be others.
    pub open: bool,
}

impl<'a> Objects<'a> {
    /// Those of the function that facts are about.
    pub fn new(facts: &'a Facts<'a>) -> Self {
        Objects { facts, a: facts.arena }
    }

    /// The labels of an object or template: what was written to it last.
    pub fn labels(&self, of: ExprId) -> Option<ExprId> {
        let spelled = spelled("labels");
        let set = |f: &Sym| self.written(of, *f).or_else(|| self.facts.vocab.part(self.a, of, *f));
        spelled.iter().find_map(set).or_else(|| self.member(self.member(of, "metadata")?, "labels"))
    }

    /// A field by the API's name of it, in the spellings that languages give it.
    pub fn member(&self, of: ExprId, field: &str) -> Option<ExprId> {
        spelled(field).into_iter().find_map(|f| {
            let read = || self.a.find(&Expr::Field(of, f));
            self.written(of, f).or_else(|| self.facts.vocab.part(self.a, of, f)).or_else(read)
        })
    }

    fn written(&self, base: ExprId, field: Sym) -> Option<ExprId> {
        self.facts.summary.writes.iter().find(|w| (w.0, w.1) == (base, field)).map(|w| w.2)
    }

    /// The keys of a mapping, as far as it is written out.
    pub fn keys(&self, labels: ExprId) -> Keys {
        self.some_keys(labels, DEEP)
    }

    fn some_keys(&self, labels: ExprId, left: u32) -> Keys {
        let open = || Keys { known: vec![], open: true };
        let both = |l, r| {
            let (mut l, r) = (self.some_keys(l, left - 1), self.some_keys(r, left - 1));
            l.known.extend(r.known);
            Keys { open: l.open || r.open, ..l }
        };
        match *self.a.get(labels) {
            _ if left == 0 => open(),
            Expr::Lit(Lit::Empty | Lit::Nothing) => Keys { known: vec![], open: false },
            Expr::Record(ref parts) => {
                let entry = |p: &(Sym, ExprId)| (p.0.as_str(), self.a.as_str(p.1));
                Keys { known: parts.iter().map(entry).filter(|p| !p.0.starts_with('#')).collect(), open: false }
            }
            Expr::Binary(Bin::Union | Bin::Add, l, r) => both(l, r),
            Expr::Choose(_, t, f) => both(t, f),
            _ => open(),
        }
    }
}

/// The API's name of a field, and how languages spell it. What Go embeds goes by its type.
pub(super) fn spelled(field: &str) -> Vec<Sym> {
    let mut title = field.to_owned();
    if let Some(first) = title.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let mut snake = String::new();
    for c in field.chars() {
        if c.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    let embedded = if field == "metadata" { "ObjectMeta" } else { &title };
    [field, &snake, &title, embedded].into_iter().map(sym).collect()
}
