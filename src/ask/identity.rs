//! What is this installation's own: identity told by the value.
//!
//! ```text
//! d.labels.instance == cfg.instance_id      No in the foreign world        the value comes from outside
//! d.namespace == self.namespace             No
//! d.labels.app == "lab"                     open                           every installation says "lab"
//! d.kind == self.kind                       open                           a kind names no owner
//! ```
//!
//! A value is this installation's if it descends from a parameter, a configured field, a setting or a global of the
//! program, and from nothing that was read. Literals never are, and a value with a literal to fall back on is not either.

use super::*;
use crate::facts::FieldHistory;
use crate::vocab::{FieldRole, Topic};

/// Does a value come from outside by configuration, and from nothing read?
pub(super) fn configured(f: &Facts, e: ExprId) -> bool {
    configured_in(f, e, &Known::default())
}

/// Is it known without a look outside: configured, written out, or a folder of the host?
pub(super) fn told(f: &Facts, e: ExprId) -> bool {
    configured(f, e) || literal(f.arena, e) || place_of_host(f, e)
}

/// Is it a folder that all programs of the host share, or one in it that every installation calls alike?
///
/// ```text
/// env::temp_dir(), env::temp_dir().join("loom")      yes
/// env::temp_dir().join(session)                      no
/// ```
pub(super) fn place_of_host(f: &Facts, e: ExprId) -> bool {
    match f.arena.get(e) {
        Expr::Format(parts) => match parts.split_first() {
            Some((head, rest)) => place_of_host(f, *head) && rest.iter().all(|x| f.arena.as_str(*x).is_some()),
            None => false,
        },
        _ => f.row(e).is_some_and(|r| r.is_place_of_host()),
    }
}

/// What was found out on the way: values share their parts.
#[derive(Default)]
struct Known {
    configured: RefCell<FxHashMap<ExprId, bool>>,
    found: RefCell<FxHashMap<ExprId, bool>>,
}

fn configured_in(f: &Facts, e: ExprId, known: &Known) -> bool {
    match f.arena.get(e) {
        Expr::Param(_) => true,
        Expr::Lit(_) => false,
        _ => once(&known.configured, e, || configured_by(f, e, known)),
    }
}

fn configured_by(f: &Facts, e: ExprId, known: &Known) -> bool {
    let a = f.arena;
    let configured = |f: &Facts, x: ExprId| configured_in(f, x, known);
    let any = |parts: &[ExprId]| {
        parts.iter().any(|x| configured(f, *x)) && parts.iter().all(|x| configured(f, *x) || literal(a, *x))
    };
    match a.get(e) {
        // A constant of the file itself whose value nobody sees says the same everywhere.
        Expr::Path(p) => p.contains('.') || p.chars().any(char::is_lowercase),
        Expr::Field(_, name) if identifies(f, *name) && found_by_given(f, e, known) => true,
        Expr::Field(x, name) => !kept(f, *x, *name) && !filled(f, e) && configured(f, *x),
        Expr::Lookup(x, k) => configured(f, *x) && (configured(f, *k) || literal(a, *k)),
        Expr::Unary(_, x) | Expr::One(x) => configured(f, *x),
        Expr::Elem(b) => configured(f, a.coll(*b)),
        // Where it failed nothing is compared with it.
        Expr::Choose(_, t, g) if failed(a, *t) => configured(f, *g),
        Expr::Choose(_, t, g) if failed(a, *g) => configured(f, *t),
        Expr::Choose(_, t, g) => configured(f, *t) && configured(f, *g),
        Expr::Format(parts) => any(parts),
        Expr::Binary(Bin::And | Bin::Or | Bin::Eq | Bin::Lt, ..) => false,
        Expr::Binary(_, l, r) => any(&[*l, *r]),
        Expr::Gather { of, give, .. } => configured(f, a.coll(*of)) && configured(f, *give),
        Expr::Call(c) if names(f, e) => any(&c.args.iter().map(|x| x.value).collect::<Vec<_>>()),
        Expr::Call(c) => match f.role(e) {
            Some(Role::Setting) => !place_of_host(f, e),
            Some(Role::Own) => true,
            Some(Role::Format | Role::Pure | Role::Wrapper) | None => {
                let from = f.receiver(e).is_some_and(|x| configured(f, x));
                let given: Vec<_> = c.args.iter().map(|x| x.value).collect();
                // What a function of elsewhere makes of a name that was told: `labels.Valid(plate.name)`.
                let made = f.row(e).is_none() && matches!(a.get(c.callee), Expr::Path(_));
                if from || made && given.iter().any(|x| configured(f, *x)) {
                    given.iter().all(|x| configured(f, *x) || literal(a, *x))
                } else {
                    !f.is_read(e) && any(&given)
                }
            }
            _ => false,
        },
        _ => false,
    }
}

/// A function of a module that makes a name of what it is given: `labels.OwnerLabel(pool)`.
pub(super) fn names(f: &Facts, e: ExprId) -> bool {
    let function = f.arena.call_of(e).is_some_and(|c| matches!(f.arena.get(c.callee), Expr::Path(_)));
    function && f.row(e).is_none_or(|r| r.guess) && f.called(e).is_some_and(|n| f.vocab.speaks_of(Topic::Naming, &n))
}

/// Does a field tell one object, or its place, from all others?
fn identifies(f: &Facts, name: Sym) -> bool {
    f.vocab.field(name) == Some(FieldRole::Key) || name.eq_ignore_ascii_case("namespace")
}

/// Is it a part of the one object that was asked for by a name that was told?
///
/// ```text
/// zoo = client.get(request.name)      zoo.uid is the one that the caller named
/// pen = client.get(zoo.spec.pen)      and pen.uid the one that it names
/// ```
fn found_by_given(f: &Facts, e: ExprId, known: &Known) -> bool {
    let mut at = e;
    loop {
        at = match *f.arena.get(at) {
            Expr::Field(x, _) => x,
            Expr::Choose(_, t, g) if failed(f.arena, t) => g,
            Expr::Choose(_, t, g) if failed(f.arena, g) => t,
            _ => break,
        };
    }
    once(&known.found, at, || match *f.arena.get(at) {
        Expr::Choose(_, t, g) => found_by_given(f, t, known) && found_by_given(f, g, known),
        _ => {
            let key = f.row(at).zip(f.arena.call_of(at)).and_then(|(row, c)| {
                let key = row.key.filter(|_| row.role == Role::Find && row.shared)?;
                f.vocab.bound(f.arena, c, row, key)
            });
            key.is_some_and(|k| tells_one(f, k, known))
        }
    })
}

/// A key that was told, or that an object found by one names: `{Namespace: zoo.namespace, Name: zoo.spec.pen}`.
fn tells_one(f: &Facts, key: ExprId, known: &Known) -> bool {
    match f.arena.get(key) {
        Expr::Record(parts) => {
            let told: Vec<_> = parts.iter().filter(|p| !p.0.starts_with('#')).map(|p| p.1).collect();
            let all = |x: &ExprId| literal(f.arena, *x) || tells_one(f, *x, known);
            told.iter().all(all) && told.iter().any(|x| !literal(f.arena, *x))
        }
        Expr::Field(..) => configured_in(f, key, known) || found_by_given(f, key, known),
        _ => configured_in(f, key, known),
    }
}

/// The same, or what the object itself was told, whoever set it since: `d.name == self.name`.
pub(super) fn given(f: &Facts, e: ExprId) -> bool {
    given_in(f, e, &mut { PARTS })
}

/// A text of more parts than this was given by nobody, and a literal of more was not written out by hand: parts are
/// shared, so `x = f"{x}-{x}"` has twice as many each time.
const PARTS: usize = 20_000;

fn given_in(f: &Facts, e: ExprId, left: &mut usize) -> bool {
    let own =
        |x: ExprId| matches!(f.arena.get(x), Expr::Field(base, _) if matches!(f.arena.get(*base), Expr::Param(0)));
    *left = left.saturating_sub(1);
    match f.arena.get(e) {
        _ if *left == 0 => false,
        _ if own(e) => true,
        Expr::One(x) => given_in(f, *x, left),
        Expr::Choose(_, t, g) if failed(f.arena, *t) => given_in(f, *g, left),
        Expr::Choose(_, t, g) if failed(f.arena, *g) => given_in(f, *t, left),
        Expr::Choose(_, t, g) => given_in(f, *t, left) && given_in(f, *g, left),
        // `self.name.replace("-", "_")`
        Expr::Call(c) if f.row(e).is_none() => {
            let plain = c.args.iter().all(|x| literal(f.arena, x.value));
            plain && f.receiver(e).is_some_and(|x| given_in(f, x, left)) || configured(f, e)
        }
        Expr::Format(parts) => {
            parts.iter().any(|x| given_in(f, *x, left))
                && parts.iter().all(|x| given_in(f, *x, left) || literal(f.arena, *x))
        }
        _ => configured(f, e),
    }
}

fn failed(a: &Arena, e: ExprId) -> bool {
    matches!(a.get(e), Expr::Lit(Lit::Failed))
}

/// A constant written out.
pub(super) fn literal(a: &Arena, e: ExprId) -> bool {
    literal_in(a, e, &mut { PARTS })
}

fn literal_in(a: &Arena, e: ExprId, left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    match a.get(e) {
        _ if *left == 0 => false,
        Expr::Lit(_) => true,
        Expr::One(x) => literal_in(a, *x, left),
        Expr::Format(p) => p.iter().all(|x| literal_in(a, *x, left)),
        Expr::Record(p) => p.iter().all(|x| literal_in(a, x.1, left)),
        Expr::Binary(Bin::Union | Bin::Minus | Bin::Add | Bin::Sub, l, r) => {
            literal_in(a, *l, left) && literal_in(a, *r, left)
        }
        // Arithmetic, and the length of a text.
        Expr::Call(c) => {
            let plain = matches!(a.get(c.callee), Expr::Path(p) if p.starts_with('%') || *p == "len");
            plain && !c.args.is_empty() && c.args.iter().all(|x| literal_in(a, x.value, left))
        }
        _ => false,
    }
}

/// A field that this code fills itself and that was not filled on this path: what an earlier pass left.
pub(super) fn kept(f: &Facts, base: ExprId, name: Sym) -> bool {
    let of_code = matches!(f.arena.get(base), Expr::Param(_) | Expr::Path(_));
    matches!(f.summary.fields.get(&(base, name)), Some(FieldHistory::Kept | FieldHistory::Registry))
        || of_code && f.summary.writes.iter().any(|w| (w.0, w.1) == (base, name))
}

/// A field of the object itself that was filled earlier in this pass.
pub(super) fn filled(f: &Facts, e: ExprId) -> bool {
    match f.arena.get(e) {
        Expr::Field(x, name) => f.summary.fields.get(&(*x, *name)) == Some(&FieldHistory::Filled) || filled(f, *x),
        _ => false,
    }
}

/// A field in which this process notes what it did itself: what it wants, not what it was told.
pub(super) fn registry(f: &Facts, e: ExprId) -> bool {
    match f.arena.get(e) {
        Expr::Field(x, name) => f.summary.fields.get(&(*x, *name)) == Some(&FieldHistory::Registry) || registry(f, *x),
        Expr::Lookup(x, _) => registry(f, *x),
        _ => false,
    }
}

/// Values of this key are copied from object to object by other tools, or are alike everywhere.
fn never_identity(name: Sym) -> bool {
    name.starts_with("app.kubernetes.io/") || name.starts_with("helm.sh/")
}

/// `host_id`, `deployer-id`, `accountId`: the id of something the subject belongs to, or its own.
pub(super) fn id_like(name: Sym) -> bool {
    ["_id", "-id", "Id", "ID", "_uuid", "-uuid", "Uuid", "UUID", "_arn", "Arn", "ARN"]
        .iter()
        .any(|end| name.ends_with(end))
}

/// The id of the one thing that something is a part of: `group_id`. A project, tenant or cluster is a space in which many
/// put their things.
pub(super) fn names_parent(f: &Facts, name: Sym) -> bool {
    id_like(name) && f.vocab.field(name) != Some(FieldRole::Ownerlike)
}

/// `GroupName`, `repository_name`: what something is called.
fn name_like(name: &str) -> bool {
    name.ends_with("Name") || name.ends_with("_name")
}

/// `SpotInstanceRequestIds`: which ones, told one by one.
fn ids_like(name: &str) -> bool {
    ["_ids", "Ids", "_uuids", "_arns", "Arns"].iter().any(|end| name.ends_with(end))
}

/// Does an argument of this name say of which thing is listed: `security_group_id`, `Bucket`, `parent`?
pub(super) fn names_thing(f: &Facts, name: Sym) -> bool {
    matches!(f.vocab.field(name), Some(FieldRole::Key | FieldRole::Ownerlike)) || id_like(name) || name_like(&name)
}

/// Is a listing limited by what it is given under a name: to what belongs to one given thing, or to those told one by one?
pub(super) fn limits(f: &Facts, name: Sym, value: ExprId) -> bool {
    let filters = f.vocab.speaks_of(Topic::Filter, &name);
    names_thing(f, name) && (given(f, value) || f.vocab.field(name) == Some(FieldRole::Ownerlike) && one_of_a_client(f, value))
        || ids_like(&name) && !literal(f.arena, value)
        // A filter that nobody sees, or that holds something of ours, may say whose.
        || filters && (holds_given(f, value) || !spelled_out(f, value))
}

/// `connection.current_project_id`: what a client says of itself is the one project that was configured for it.
fn one_of_a_client(f: &Facts, value: ExprId) -> bool {
    let Expr::Field(x, name) = *f.arena.get(value) else { return false };
    let listed = f.arena.mentions(value, &mut |y| matches!(f.arena.get(y), Expr::Elem(_)) || f.is_list(y));
    id_like(name) && !listed && f.arena.call_of(x).is_some_and(|c| c.args.is_empty())
}

/// Are all filters written out where they are used?
fn spelled_out(f: &Facts, e: ExprId) -> bool {
    match f.arena.get(e) {
        Expr::Lit(_) => true,
        Expr::Record(parts) => parts.iter().all(|p| spelled_out(f, p.1)),
        Expr::Binary(Bin::Union, l, r) => spelled_out(f, *l) && spelled_out(f, *r),
        Expr::One(x) => spelled_out(f, *x),
        Expr::Format(parts) => parts.iter().all(|p| spelled_out(f, *p)),
        Expr::Choose(_, t, g) => spelled_out(f, *t) && spelled_out(f, *g),
        Expr::Call(_) if built(f, e).is_some() => built(f, e).into_iter().flatten().all(|x| spelled_out(f, x)),
        _ => literal(f.arena, e) || matches!(f.arena.get(e), Expr::Path(_)),
    }
}

/// Does a value hold one that is given, at any depth of records and lists: `[{"Name": "tag:lab", "Values": [self.name]}]`?
pub(super) fn holds_given(f: &Facts, e: ExprId) -> bool {
    match f.arena.get(e) {
        Expr::Record(parts) => parts.iter().any(|p| holds_given(f, p.1)),
        Expr::Binary(Bin::Union, l, r) => holds_given(f, *l) || holds_given(f, *r),
        Expr::One(x) => holds_given(f, *x),
        Expr::Call(_) if built(f, e).is_some() => built(f, e).into_iter().flatten().any(|x| holds_given(f, x)),
        _ => given(f, e),
    }
}

/// What an object is built of, step by step: `Filter::builder().name("tag:stage").values(stage).build()`.
fn built(f: &Facts, e: ExprId) -> Option<Vec<ExprId>> {
    let (mut at, mut parts) = (e, vec![]);
    loop {
        let c = f.arena.call_of(at)?;
        parts.extend(c.args.iter().map(|x| x.value));
        match f.arena.get(c.callee) {
            Expr::Field(x, _) => at = *x,
            Expr::Path(p) if p.ends_with(".builder") => return Some(parts),
            _ => return None,
        }
    }
}

/// A name or id of the subject's own, where no two things listed have the same: not a name across namespaces.
pub(super) fn named_once(f: &Facts, subject: &Subject, bears: ExprId) -> bool {
    let Some((x, name)) = f.field(bears) else { return subject.holds_root(bears) };
    // `item.technology.name` names another thing; `pod.metadata.name` the pod.
    let own = match f.arena.get(x) {
        Expr::Field(y, part) => subject.holds_root(*y) && *part == "metadata",
        _ => subject.holds_root(x) || !matches!(f.arena.get(x), Expr::Field(..)),
    };
    if !own {
        return false;
    }
    let across = subject.read(f).and_then(|r| f.row(r)).is_some_and(|row| row.namespaced());
    (f.vocab.field(name) == Some(FieldRole::Key) || name_like(&name)) && subject.holds(f, x) && !across
}

/// A name that the caller gives, or the code itself spells out.
fn spoken(f: &Facts, v: ExprId) -> bool {
    match f.arena.get(v) {
        Expr::Elem(b) => spoken(f, f.arena.coll(*b)),
        Expr::Format(parts) => parts.iter().all(|p| spoken(f, *p)),
        Expr::Path(_) => true,
        _ => given(f, v) || literal(f.arena, v),
    }
}

/// Did a caller ask for this very target, by its id or name: `query(Image).filter_by(id=image_id).one()`?
pub(super) fn asked_by_name(f: &Facts, subject: &Subject, when: ExprId) -> bool {
    let a = f.arena;
    let mut todo = vec![when];
    while let Some(e) = todo.pop() {
        match *a.get(e) {
            Expr::Binary(Bin::And, l, r) => todo.extend([l, r]),
            Expr::Binary(Bin::Eq, l, r) => {
                let names = |x: ExprId, v: ExprId| named_once(f, subject, x) && !subject.holds(f, v) && spoken(f, v);
                if names(l, r) || names(r, l) {
                    return true;
                }
            }
            Expr::Unary(Un::Present, x) => {
                if let Expr::Lookup(c, k) = *a.get(x)
                    && named_once(f, subject, k)
                    && !subject.holds(f, c)
                    && given(f, c)
                {
                    return true;
                }
            }
            Expr::Gather { of, keep, .. } => todo.extend([keep, a.coll(of)]),
            _ => {}
        }
    }
    false
}

impl Ask<'_> {
    /// Something the subject bears that can name an owner: label, annotation, tag, namespace, owner, name.
    fn ownerlike(&self, e: ExprId) -> bool {
        once(self.ownerlike, e, || self.ownerlike_of(e))
    }

    fn ownerlike_of(&self, e: ExprId) -> bool {
        match self.a.get(e) {
            Expr::Field(x, name) => {
                !never_identity(*name)
                    && (self.f.vocab.field(*name) == Some(FieldRole::Ownerlike) || id_like(*name) || self.ownerlike(*x))
            }
            Expr::Lookup(x, _) | Expr::Unary(_, x) => self.ownerlike(*x),
            Expr::Elem(b) => self.ownerlike(self.a.coll(*b)),
            Expr::Gather { of, .. } => self.ownerlike(self.a.coll(*of)),
            Expr::Choose(_, t, f) => self.ownerlike(*t) || self.ownerlike(*f),
            Expr::Format(p) => p.iter().any(|x| self.ownerlike(*x)),
            Expr::Call(c) if !self.f.is_list(e) && !self.f.is_find(e) => {
                c.args.iter().any(|x| self.ownerlike(x.value)) || self.f.receiver(e).is_some_and(|x| self.ownerlike(x))
            }
            _ => false,
        }
    }

    /// Does `bears == value` say that the subject is this installation's, or the very one that was asked for?
    pub(super) fn identity(&self, bears: ExprId, value: ExprId) -> bool {
        if self.names_shared_space(bears) {
            return false;
        }
        let given = || identity::given(&self.f, value);
        let single = self.named_once(bears) || self.tells_which(bears);
        self.of_subject(bears) && (single && self.singled_out(value) || (single || self.ownerlike(bears)) && given())
    }

    /// `node.spec.provider_id`: by this there is one.
    fn tells_which(&self, bears: ExprId) -> bool {
        self.f.field(bears).is_some_and(|(_, name)| names_parent(&self.f, name))
    }

    /// A value that descends from one object, not from each of those on a list: what has it is the one that was meant.
    ///
    /// ```text
    /// for node in list_node(): if node.spec.provider_id == machine.spec.provider_id: api.delete_node(node.name)
    /// ```
    fn singled_out(&self, value: ExprId) -> bool {
        if self.of_subject(value) {
            return false;
        }
        let (mut todo, mut seen, mut found) = (vec![value], FxHashSet::default(), false);
        while let Some(x) = todo.pop() {
            match *self.a.get(x) {
                _ if !seen.insert(x) || self.a.is_falsy(x) => {}
                Expr::Choose(_, t, g) => todo.extend([t, g]),
                Expr::Field(..) => found = true,
                Expr::Call(_) if self.f.row(x).is_none_or(|r| r.role == Role::Find) => found = true,
                _ => return false,
            }
        }
        let many = |x: ExprId| matches!(self.a.get(x), Expr::Elem(_)) || self.f.is_list(x);
        found && !self.a.mentions(value, &mut |x| many(x))
    }

    pub(super) fn named_once(&self, bears: ExprId) -> bool {
        named_once(&self.f, self.subject, bears)
    }

    /// Names or ids that the subject bears: its own, or those of what it belongs to: `port.security_group_ids`.
    pub(super) fn lists_names(&self, e: ExprId) -> bool {
        let ids = self.f.field(e).is_some_and(|(x, f)| ids_like(&f) && self.of_subject(x));
        ids || self.named_once(e)
    }

    /// `d.name.startswith(self.prefix)`, `has_prefix(d.name, self.prefix)`.
    pub(super) fn prefix_identity(&self, e: ExprId) -> bool {
        let Some(c) = self.a.call_of(e) else { return false };
        let Some(name) = self.f.called(e) else { return false };
        let affix = self.f.vocab.speaks_of(Topic::Affix, &name);
        let pattern = self.f.vocab.speaks_of(Topic::Pattern, &name) && self.f.role(e) == Some(Role::Pure);
        let mut parts: Vec<_> = self.f.receiver(e).into_iter().filter(|_| affix).collect();
        parts.extend(c.args.iter().map(|x| x.value));
        let own = |bears: ExprId, value: ExprId| self.of_subject(bears) && given(&self.f, value);
        match parts[..] {
            [bears, value] if affix => own(bears, value) && self.tells_name(bears),
            // `re.match(f"machine of {self.id}", m.description)`
            [x, y] if pattern => own(x, y) || own(y, x),
            _ => false,
        }
    }

    /// A name of the subject, or a text made of one: `"/" + name.replace("_", "/")`. A kind names no owner.
    fn tells_name(&self, e: ExprId) -> bool {
        let made = match self.a.get(e) {
            Expr::Format(parts) => parts.iter().any(|p| self.tells_name(*p)),
            Expr::Binary(Bin::Add, l, r) => self.tells_name(*l) || self.tells_name(*r),
            Expr::Gather { of, give, .. } => self.tells_name(self.a.coll(*of)) || self.tells_name(*give),
            Expr::Elem(b) if !self.subject.holds_root(e) => self.tells_name(self.a.coll(*b)),
            Expr::Call(c) if self.f.role(e).is_none_or(|r| matches!(r, Role::Pure | Role::Format)) => {
                c.args.iter().any(|x| self.tells_name(x.value))
                    || self.f.receiver(e).is_some_and(|x| self.tells_name(x))
            }
            _ => false,
        };
        let named = || self.f.field(e).is_some_and(|(_, f)| self.f.vocab.field(f) == Some(FieldRole::Key));
        made || named() || self.named_once(e) || self.ownerlike(e)
    }

    /// Does a filter on the elements of a reference keep those of this installation only?
    pub(super) fn restricts(&self, keep: ExprId) -> bool {
        self.a.mentions(keep, &mut |x| match *self.a.get(x) {
            Expr::Binary(Bin::Eq, l, r) => self.restricts_owner(l, r) || self.restricts_owner(r, l),
            _ => false,
        })
    }

    /// Does `bears == value` keep what is this installation's, of whatever it is asked?
    pub(super) fn restricts_owner(&self, bears: ExprId, value: ExprId) -> bool {
        self.ownerlike(bears) && !self.names_shared_space(bears) && identity::configured(&self.f, value)
    }
}
