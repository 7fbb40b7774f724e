//! Whose the candidates are: what belongs to one thing in hand is the affair of whoever holds it.
//!
//! ```text
//! def set_tags(article, names):
//!     for tag in Tag.objects.filter(article=article):        children of one object
//!         if tag.name not in names: tag.delete()             names: what their owner wants
//! ```
//! So what the caller says of them, or works out from nothing that others write, is a specification and no record.

use super::subject::base_read;
use super::*;
use crate::vocab::{FieldRole, Topic};

impl Ask<'_> {
    /// What the owner wants: a specification, the process's own settings.
    pub(super) fn desired(&self, coll: ExprId) -> bool {
        match self.a.get(coll) {
            // The specification of the one owner, not of whatever else was listed.
            Expr::Field(x, f) if self.f.vocab.field(*f) == Some(FieldRole::Spec) => {
                self.of_subject(*x) || !base_read(&self.f, *x).is_some_and(|r| self.f.is_list(r))
            }
            Expr::Field(x, _) => self.desired(*x),
            // `wanted.pop("tags")`
            Expr::Lookup(x, k) if matches!(self.a.get(*k), Expr::Lit(_)) => self.desired(*x),
            Expr::Param(i) => {
                self.owner_in_hand(coll)
                    || self.children_of_one()
                    || self.configures_place(coll, *i)
                    || self.is_found_again(coll)
            }
            Expr::Elem(b) => self.desired(self.a.coll(*b)),
            Expr::Path(p) => p.contains('.'),
            Expr::Call(_) if self.f.row(coll).is_none() => {
                self.children_of_one() && !self.fetched(coll) || self.said_by_owner(coll) || self.made_for_owner(coll)
            }
            Expr::Call(_) => {
                self.f.role(coll) == Some(Role::Setting)
                    || self.files_of_owner(coll)
                    || self.says_of_itself(coll)
                    || self.gives_what_it_made(coll)
            }
            _ => false,
        }
    }

    /// Does it come from outside: what an object does that another package makes of nothing?
    ///
    /// ```text
    /// out, err := runner.New().Execute(binary, words)      what the command finds there is no specification
    /// ```
    pub(super) fn fetched(&self, call: ExprId) -> bool {
        let Some(Expr::Call(made)) = self.f.receiver(call).map(|r| self.a.get(r)) else { return false };
        let foreign = matches!(self.a.get(made.callee), Expr::Path(p) if p.contains('.'));
        foreign && made.args.is_empty()
    }

    /// Are the candidates a part of what was found by a key of this very object? It says what it shall have, and that what
    /// it has.
    ///
    /// ```text
    /// def update(play):
    ///     for role in stored_play(play.id).roles: if role not in play.roles: delete(role)
    /// ```
    fn is_found_again(&self, object: ExprId) -> bool {
        let given = matches!(*self.a.get(object), Expr::Param(i) if i > 0 || !self.f.summary.is_method);
        let key = |x: ExprId| matches!(self.a.get(x), Expr::Field(y, f) if *y == object && self.f.vocab.field(*f) == Some(FieldRole::Key));
        let found = |c: ExprId| !base_read(&self.f, c).is_some_and(|r| self.f.is_list(r));
        given && self.subject.candidates().is_some_and(|c| found(c) && self.a.mentions(c, &mut |x| key(x)))
    }

    /// What has just been made or applied, as the call that did so says.
    ///
    /// ```text
    /// kept = insert_into(words).values(given).returning(id).get_results(db)?;  delete(words).filter(id.ne_all(kept))
    /// ```
    fn gives_what_it_made(&self, coll: ExprId) -> bool {
        let heads = std::iter::successors(Some(coll), |e| self.f.receiver(*e)).take(12);
        let mut heads = heads.filter(|e| self.a.call_of(*e).is_some());
        heads.any(|e| self.f.role(e) == Some(Role::Create))
    }

    /// A configuration says both where the candidates are and which of them are wanted, or a message does.
    ///
    /// ```text
    /// for d in read_dir(config.dest) { if !config.shims.contains(d.name) { remove(d) } }
    /// match request { Clear { rooms, books } => for b in list(rooms) { if !books.contains(b.id) { remove(b) } } }
    /// ```
    fn configures_place(&self, param: ExprId, i: u16) -> bool {
        let name = self.f.summary.params.get(i as usize);
        let setting = name.is_some_and(|n| self.f.vocab.is_setting(&format!("{n}.place")));
        (setting || self.is_message(param))
            && self.subject.read(&self.f).is_some_and(|r| self.a.mentions(r, &mut |x| x == param))
    }

    /// Is it asked which of several messages it is?
    fn is_message(&self, param: ExprId) -> bool {
        self.a.mentions(self.subject.when(), &mut |e| match *self.a.get(e) {
            Expr::Binary(Bin::Eq, l, r) => {
                let kind = |x: ExprId| matches!(*self.a.get(x), Expr::Field(y, f) if y == param && f == "#is");
                kind(l) && self.a.as_str(r).is_some() || kind(r) && self.a.as_str(l).is_some()
            }
            _ => false,
        })
    }

    /// Files that are found by way of the object the candidates belong to are its specification: `os.listdir(repo.path)` for
    /// what was filtered by `repo.pk`.
    fn files_of_owner(&self, read: ExprId) -> bool {
        if !self.f.row(read).is_some_and(super::subject::is_file) {
            return false;
        }
        let owners = self.owners.get_or_init(|| self.find_owners());
        owners.iter().any(|o| self.a.mentions(read, &mut |x| x == *o))
    }

    /// A thing's own words on what is not its own: read beside the words that name the candidates, in the one folder that
    /// was given.
    ///
    /// ```text
    /// for line in read(join(pack, "parts")).lines() { if !read(join(pack, "shared")).lines().contains(line) { remove(line) } }
    /// ```
    fn says_of_itself(&self, coll: ExprId) -> bool {
        let folder = |read: ExprId| {
            let text = self.f.is_find(read) && self.f.row(read).is_some_and(super::subject::is_file);
            let path = self.a.call_of(read).filter(|_| text)?.args.first()?.value;
            let Expr::Format(parts) = self.a.get(path) else { return None };
            let head = *parts.first()?;
            matches!(self.a.get(head), Expr::Param(_)).then_some(head)
        };
        let told = base_read(&self.f, coll).and_then(folder);
        told.is_some() && self.subject.read(&self.f).and_then(folder) == told
    }

    /// The objects that the candidates are compared with as those they belong to.
    fn find_owners(&self) -> Vec<ExprId> {
        let mut owners = vec![];
        for coll in self.subject.collections().iter().chain([&self.subject.when()]) {
            self.a.mentions(*coll, &mut |e| {
                if let Expr::Binary(Bin::Eq, l, r) = *self.a.get(e) {
                    owners.extend([(l, r), (r, l)].into_iter().filter(|(l, r)| self.owned_by(*l, *r)).map(|p| p.1));
                }
                false
            });
        }
        // `repo.pk`: the object it is the id of.
        let object = |e: ExprId| match *self.a.get(e) {
            Expr::Field(x, _) => x,
            _ => e,
        };
        owners.into_iter().map(object).collect()
    }

    /// The object at hand that the candidates were listed for: what it names as its own is what it wants.
    ///
    /// ```text
    /// for port in Port.objects.filter(switch=self):
    ///     if port.name not in self.port_names: port.delete()
    /// ```
    fn owner_in_hand(&self, x: ExprId) -> bool {
        let bears = |e: ExprId| self.of_subject(e) && !self.subject.holds_root(e);
        self.a.mentions(self.subject.when(), &mut |e| match *self.a.get(e) {
            Expr::Binary(Bin::Eq, l, r) => l == x && bears(r) || r == x && bears(l),
            _ => false,
        })
    }

    /// What the object says of itself that the candidates are listed for, by a method that cannot fail.
    ///
    /// ```text
    /// keep := cr.ShardNames();  for d in list(cr.Namespace) { if d.owner == cr.UID && !keep.Has(d.Name) .. }
    /// ```
    fn said_by_owner(&self, call: ExprId) -> bool {
        let Some(owner) = self.f.receiver(call) else { return false };
        let own = matches!(*self.a.get(owner), Expr::Param(i) if i > 0 || !self.f.summary.is_method);
        let plain = self.a.call_of(call).is_some_and(|c| c.args.is_empty());
        if !own || !plain || self.a.find(&Expr::Unary(Un::Raised, call)).is_some() {
            return false;
        }
        let part = |v: ExprId| matches!(*self.a.get(v), Expr::Field(x, _) if x == owner);
        let bears = |e: ExprId| self.of_subject(e) && !self.subject.holds_root(e);
        self.a.mentions(self.subject.when(), &mut |e| match *self.a.get(e) {
            Expr::Binary(Bin::Eq, l, r) => part(l) && bears(r) || part(r) && bears(l),
            _ => false,
        })
    }

    /// Are the candidates what belongs to one thing in hand? What the caller says of it is then its specification.
    ///
    /// ```text
    /// def set_labels(group_id, wanted):
    ///     for l in query(Label).filter_by(group_id=group_id): if l.key not in wanted: l.delete()
    /// ```
    fn children_of_one(&self) -> bool {
        *self.of_one.get_or_init(|| self.belong_to_one())
    }

    fn belong_to_one(&self) -> bool {
        self.subject.candidates().is_some_and(|c| self.beneath_given(c))
            || self.scoped_to_owner(self.subject.when())
            || self.subject.read(&self.f).is_some_and(|r| self.listed_for_one(r))
    }

    /// `security_group_rules(security_group_id=group_id)`, `ports(node=self.uuid)`, `list_agents(self.network_id)`
    fn listed_for_one(&self, read: ExprId) -> bool {
        let param = |v: ExprId| self.a.mentions(v, &mut |x| matches!(self.a.get(x), Expr::Param(_)));
        let told = |x: &Arg| {
            let own = self.f.field(x.value).map(|(_, f)| f);
            let id = x.name.or(own).is_some_and(|n| identity::names_parent(&self.f, n));
            let object =
                x.name.is_some_and(|n| !self.f.vocab.speaks_of(Topic::Likeness, &n)) && self.is_id_of_object(x.value);
            (id || object) && param(x.value)
        };
        self.a.call_of(read).is_some_and(|c| c.args.iter().any(told))
    }

    /// `repo.pk`, `self.uuid`: what tells one object that the program holds from all others.
    fn is_id_of_object(&self, value: ExprId) -> bool {
        match *self.a.get(value) {
            Expr::Field(x, f) => {
                let id = self.f.vocab.field(f) == Some(FieldRole::Key) && !self.f.vocab.speaks_of(Topic::Reused, &f);
                id && matches!(self.a.get(x), Expr::Param(_) | Expr::Field(..))
            }
            _ => false,
        }
    }

    fn scoped_to_owner(&self, keep: ExprId) -> bool {
        self.a.mentions(keep, &mut |e| match *self.a.get(e) {
            Expr::Binary(Bin::Eq, l, r) => {
                [(l, r), (r, l)].iter().any(|(bears, v)| self.owned_by(*bears, *v) || self.labelled_for(*bears, *v))
            }
            // `l.group_id in group_ids`
            Expr::Unary(Un::Present, x) => match *self.a.get(x) {
                Expr::Lookup(ids, k) => self.names_owner(k) && self.is_given_list(ids),
                _ => false,
            },
            _ => false,
        })
    }

    /// Does it bear a label made of what tells one object in hand from all others?
    ///
    /// ```text
    /// for b in list(labels: {pool: pool.name}): if b.name not in wanted(pool): delete(b)
    /// ```
    fn labelled_for(&self, bears: ExprId, value: ExprId) -> bool {
        self.of_subject(bears) && self.is_borne(bears) && self.a.mentions(value, &mut |x| self.tells_given(x))
    }

    /// Is it worked out from the object in hand that the candidates are labelled with, by a call that is no known read?
    ///
    /// ```text
    /// zoo = client.get(request.name)
    /// keep = plan(zoo, keepers);  for pen in list(labels: {zoo: zoo.uid}) { if !keep.contains(pen.name) { delete(pen) } }
    /// ```
    fn made_for_owner(&self, coll: ExprId) -> bool {
        let owners = self.labelling.get_or_init(|| self.find_labelling());
        !owners.is_empty() && self.a.mentions(coll, &mut |x| owners.contains(&x))
    }

    /// The objects that were found, or are gone through, and whose names or ids the candidates bear.
    fn find_labelling(&self) -> Vec<ExprId> {
        let mut owners = vec![];
        for when in self.subject.collections().iter().chain([&self.subject.when()]) {
            self.a.mentions(*when, &mut |e| {
                if let Expr::Binary(Bin::Eq, l, r) = *self.a.get(e) {
                    for (bears, value) in [(l, r), (r, l)] {
                        if self.of_subject(bears) && self.is_borne(bears) {
                            self.a.mentions(value, &mut |x| {
                                owners.extend(self.object_told_by(x));
                                false
                            });
                        }
                    }
                }
                false
            });
        }
        owners
    }

    /// `zoo` of `zoo.metadata.uid`, where that is one object that was found, or one of those gone through around the
    /// candidates.
    fn object_told_by(&self, key: ExprId) -> Option<ExprId> {
        let mut x = match self.a.get(key) {
            Expr::Field(x, f) if self.f.vocab.field(*f) == Some(FieldRole::Key) => *x,
            Expr::Call(c) if identity::names(&self.f, key) => c.args.first()?.value,
            _ => return None,
        };
        while let Expr::Field(y, _) = *self.a.get(x) {
            x = y;
        }
        let around = matches!(self.a.get(x), Expr::Elem(_)) && !self.subject.is_inner(x);
        (around || self.f.is_find(x)).then_some(x)
    }

    fn is_borne(&self, e: ExprId) -> bool {
        match *self.a.get(e) {
            Expr::Field(x, f) => self.f.vocab.speaks_of(Topic::Borne, &f) || self.is_borne(x),
            Expr::Lookup(x, _) => self.is_borne(x),
            _ => false,
        }
    }

    /// `pool.spec.name`, where the pool was given, and is not the object that the code belongs to.
    fn tells_given(&self, e: ExprId) -> bool {
        match self.a.get(e) {
            Expr::Field(x, f) => self.f.vocab.field(*f) == Some(FieldRole::Key) && self.is_of_given(*x),
            // `labels.OwnerLabel(pool.metadata)`
            Expr::Call(c) if identity::names(&self.f, e) => c.args.iter().any(|x| {
                let whole = matches!(self.a.get(x.value), Expr::Param(_)) && !self.is_looked_into(x.value);
                !whole && self.is_of_given(x.value)
            }),
            _ => false,
        }
    }

    /// An object that was given, and is not the one that the code belongs to; or a part of it.
    fn is_of_given(&self, mut x: ExprId) -> bool {
        while let Expr::Field(y, _) = *self.a.get(x) {
            x = y;
        }
        matches!(*self.a.get(x), Expr::Param(i) if i > 0 || !self.f.summary.is_method)
    }

    /// A list that was given, or made of one: `[d.id for d in dags]`.
    fn is_given_list(&self, ids: ExprId) -> bool {
        match *self.a.get(ids) {
            Expr::Param(_) => true,
            Expr::Gather { of, keep, .. } => self.a.as_bool(keep) == Some(true) && self.is_given_list(self.a.coll(of)),
            _ => false,
        }
    }

    fn beneath_given(&self, coll: ExprId) -> bool {
        match *self.a.get(coll) {
            Expr::Field(x, _) => match self.a.get(x) {
                Expr::Param(i) => *i > 0,
                _ => self.beneath_given(x),
            },
            Expr::Gather { of, keep, .. } => self.scoped_to_owner(keep) || self.beneath_given(self.a.coll(of)),
            Expr::Binary(Bin::Minus, l, _) => self.beneath_given(l),
            // `Project.objects.get(pk=pk).versions(..)`
            Expr::Call(_) if self.f.row(coll).is_none() => self.f.receiver(coll).is_some_and(|x| {
                let given = self.a.mentions(x, &mut |y| matches!(self.a.get(y), Expr::Param(_)));
                self.f.is_find(x) && given
            }),
            _ => false,
        }
    }

    /// `l.group_id == group_id`, `l.group == group`
    fn owned_by(&self, bears: ExprId, value: ExprId) -> bool {
        // One of those on a list is what is looked for.
        let listed = self.a.mentions(
            value,
            &mut |x| matches!(self.a.get(x), Expr::Elem(b) if !self.is_found(*b) && !self.is_the_one(value, x)),
        );
        let given = !listed && self.a.mentions(value, &mut |x| matches!(self.a.get(x), Expr::Param(_)));
        let id = |(_, f)| identity::id_like(f) && self.of_subject(bears) && self.is_id_of_object(value);
        let id = self.f.field(bears).is_some_and(id) || self.names_owner(bears);
        given && (id || self.is_key_of_given(bears, value) || self.relates(bears) && self.in_hand(bears, value))
    }

    /// Is a pass over a query, of which the first row is taken?
    fn is_found(&self, b: BinderId) -> bool {
        base_read(&self.f, self.a.coll(b)).is_some_and(|r| self.f.role(r) == Some(Role::Query))
    }

    /// The first that a search has found: `plays.find(|p| p.id == play_id)`.
    fn is_the_one(&self, value: ExprId, elem: ExprId) -> bool {
        self.a.mentions(value, &mut |x| match *self.a.get(x) {
            Expr::Choose(c, t, _) => {
                t == elem && matches!(*self.a.get(c), Expr::Any(b, _) if self.a.get(elem) == &Expr::Elem(b))
            }
            _ => false,
        })
    }

    /// `l.group == group.pk`
    fn is_key_of_given(&self, bears: ExprId, value: ExprId) -> bool {
        let (Expr::Field(x, name), Some((row, f))) = (self.a.get(value), self.f.field(bears)) else { return false };
        let key = |f: Sym| self.f.vocab.field(f) == Some(FieldRole::Key);
        key(*name) && !key(f) && matches!(self.a.get(*x), Expr::Param(_)) && self.subject.holds_root(row)
    }

    /// The id of what the subject is a part of.
    fn names_owner(&self, bears: ExprId) -> bool {
        self.f.field(bears).is_some_and(|(_, f)| identity::names_parent(&self.f, f)) && self.of_subject(bears)
    }

    /// A field of the subject itself that may hold another object, rather than what it is like.
    fn relates(&self, bears: ExprId) -> bool {
        let Some((x, f)) = self.f.field(bears) else { return false };
        let likeness = self.f.vocab.speaks_of(Topic::Likeness, &f);
        let role = self.f.vocab.field(f);
        self.subject.holds_root(x) && !likeness && matches!(role, None | Some(FieldRole::Ownerlike))
    }

    /// An object that the program holds, not a word: one that it looks into, or that it found by a key.
    ///
    /// ```text
    /// def set_tags(article, tags): Tag.objects.filter(article=article) ..       article.id stands elsewhere
    /// ```
    fn in_hand(&self, bears: ExprId, value: ExprId) -> bool {
        let found = match *self.a.get(value) {
            // The one that was found, if any.
            Expr::Choose(_, t, f) => {
                let first = |x: ExprId| matches!(self.a.get(x), Expr::Elem(_));
                let mut arms = [t, f].into_iter().filter(|x| !self.a.is_falsy(*x)).peekable();
                return arms.peek().is_some() && arms.all(|x| first(x) || self.in_hand(bears, x));
            }
            // A place in which many put their things is told by a word as often.
            Expr::Param(i) => {
                let field = self.f.field(bears).map(|(_, f)| f);
                i == 0 && self.f.summary.is_method || field.is_some_and(|f| self.f.vocab.field(f).is_none())
            }
            Expr::Call(_) => self.f.is_find(value) || self.f.is_act(value) || self.f.role(value) == Some(Role::Create),
            // `l.group == event.group`
            Expr::Field(_, name) => self.f.field(bears).is_some_and(|(_, f)| f == name),
            _ => false,
        };
        found || self.is_looked_into(value)
    }

    /// Does the program read a field of it? Texts have none, only methods.
    fn is_looked_into(&self, value: ExprId) -> bool {
        let called = |e: ExprId| self.a.ids().any(|c| self.a.call_of(c).is_some_and(|c| c.callee == e));
        let mut fields = self.a.ids().filter(|e| matches!(*self.a.get(*e), Expr::Field(x, _) if x == value));
        fields.any(|e| !called(e))
    }
}
