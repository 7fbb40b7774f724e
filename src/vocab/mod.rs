//! What the world calls things, as data.
//!
//! A row says what a call *is* (it destroys, lists, finds …) and which of its arguments is which. No row names a rule,
//! and no rule names a call. Rows live in `rules/vocabulary/*.toml`, one file a library:
//!
//! ```toml
//! library  = "kubernetes"
//! language = "python"
//! imports  = ["kubernetes", "kubernetes_asyncio"]
//!
//! [[call]]
//! match   = "*.delete_namespaced_*(name, namespace)"
//! role    = "destroy"
//! target  = "name"
//! shared  = true
//! example = 'core.delete_namespaced_pod(pod.metadata.name, ns)'
//! ```
//!
//! A call is matched by the tail of its name, and *backed* when the library is imported by the file or the receiver
//! descends from it; a match by name alone counts as one thing inferred (semantics, Confidence).

mod built;
mod command;
mod idioms;
pub mod listing;
mod load;
mod matching;
mod ownership;
mod pattern;
mod permissions;
mod role;
mod selectors;
mod source;
mod tools;
mod traces;
mod user;

pub use command::{CommandId, CommandMatch, CommandRow, CommandWord, command_words};
pub use idioms::idioms;
pub use load::{LoadError, builtin, builtin_files, snake};
pub use matching::{FileContext, Imports};
pub use ownership::{Ownership, Workload, ownership};
pub use pattern::Param;
pub use permissions::{Permissions, permissions};
pub use role::Role;
pub use selectors::{Kind, Selectors, selectors};
pub use tools::{Chooser, Commands, Terraform, Tools, tools};
pub use traces::DestroyingNames;
pub use user::UserRows;

use crate::ir::Sym;
use crate::source::Language;

/// A row of a [`Vocab`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RowId(pub u32);

/// What was found out about a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Matched {
    /// The row.
    pub row: RowId,
    /// The library is imported, or the receiver descends from it. Otherwise the name alone speaks.
    pub backed: bool,
}

/// What a find says when there is no such thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Absence {
    /// It returns nothing.
    #[default]
    Nothing,
    /// It fails with a "not found".
    Error,
    /// It returns an empty collection or string.
    Empty,
    /// It returns false.
    False,
}

/// How much of the rows a statement, query or cursor answers with a call gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Gives {
    /// All of them, or what the role says.
    #[default]
    Rows,
    /// The first one: `fetchrow`.
    Row,
    /// The first column: of the first row (`fetchval`, `scalar`), or of each where the role gives all (`scalars`).
    Value,
}

/// Where in a call a value stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bind {
    /// The receiver: what stands before the last name.
    Receiver,
    /// The parameter of the row's pattern with this name; positional or by keyword. A dotted rest reads fields:
    /// `options.Preconditions`.
    Arg(Sym),
    /// All positional arguments.
    All,
    /// The call itself: read as a listing, restricted by the row's `scope`, it gives what it destroys:
    /// `containers.prune(filters=..)`, `delete_collection_namespaced_pod(ns, label_selector=..)`.
    Call,
}

/// What an argument of a listing says about its elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ScopeKind {
    /// The namespace they are in.
    Namespace,
    /// A Kubernetes label selector, as text.
    LabelSelector,
    /// A Kubernetes field selector, as text.
    FieldSelector,
    /// Labels or tags as a mapping, list of pairs, or `key=value` text.
    Labels,
    /// A name prefix.
    Prefix,
    /// A project, account, bucket, directory or database: a configured one is this installation's.
    Space,
    /// A key: the listing is a lookup of what belongs to it.
    Key,
    /// Filters as keyword arguments in the manner of Django (`created__lt=x`): the whole call.
    Keywords,
    /// Conditions as expressions over the model's fields, in the manner of SQLAlchemy: all positional arguments.
    Conditions,
    /// A switch that widens the listing to every project or namespace: `all_projects=True`.
    Wide,
    /// Keys of labels that must be there, whatever their value.
    LabelKeys,
    /// A comparison in three arguments, field, operator and value: `Where("created", "<", cutoff)`.
    Comparison,
    /// By its name it lists only what is older than it is told: `list_files_before(cutoff)`. The whole call.
    Aged,
    /// Values that say by themselves what they restrict, each a call of a [`Role::Option`].
    Options,
}

/// One argument that restricts a listing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// What it restricts.
    pub kind: ScopeKind,
    /// Where it stands.
    pub bind: Bind,
}

/// Answers that come in pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// The argument that limits the page; `None`: every answer is one page.
    pub limit: Option<Bind>,
    /// The argument that takes the continuation of an earlier answer.
    pub next: Option<Bind>,
}

/// What a method does to the collection it is called on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mutation {
    /// Adds the argument: `append`, `add`.
    Put,
    /// Adds what the argument holds: `extend`, `update`.
    Extend,
    /// Takes out the argument: `remove`, `discard`, `pop(key)`. Without argument it takes out any one.
    Take,
    /// Takes out what the argument holds: `difference_update`.
    Minus,
    /// Takes out everything.
    Clear,
    /// Takes out what the argument does not hold: `intersection_update`.
    Intersect,
}

/// A method that changes a collection in the memory of the process. It is housekeeping, never a destructive call; only
/// the receiver tells it from a library's call of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mutator {
    /// What it does.
    pub what: Mutation,
    /// Which positional argument holds the value: `insert(at, value)` has it second.
    pub arg: usize,
    /// It also gives back what was there or is there now: `pop`, `setdefault`.
    pub gives: bool,
    /// It says whether the argument was not there before: `if !seen.insert(x)`.
    pub news: bool,
    /// It gives back all there was: `drain(..)`.
    pub whole: bool,
    /// It counts only where the receiver is seen to be a collection: an API has a `Delete` as well.
    pub seen: bool,
}

/// One row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The library, for people.
    pub library: Sym,
    /// The language it is written in.
    pub language: Language,
    /// The pattern as written in the row.
    pub pattern: String,
    /// What the call does.
    pub role: Role,
    /// What it does it to.
    pub target: Option<Bind>,
    /// The key of a find.
    pub key: Option<Bind>,
    /// What a find says when there is no such thing.
    pub absence: Absence,
    /// What restricts a listing.
    pub scope: Vec<Scope>,
    /// Whether answers come in pages.
    pub page: Option<Page>,
    /// The answer may be older than the question: a cache.
    pub stale: bool,
    /// Its failure is not told: it then gives nothing, as if there were none.
    pub silent: bool,
    /// Others live in this space: cluster, cloud account, registry, the host's container runtime.
    pub shared: bool,
    /// It reaches further than one namespace or project whatever its arguments: `list_pod_for_all_namespaces`.
    pub wide: bool,
    /// It can fail.
    pub fails: bool,
    /// A name common to many libraries: even with an import it counts as inferred.
    pub guess: bool,
    /// It counts only where the receiver descends from the library: `get` is a method of every mapping.
    pub origin: bool,
    /// However much its name says, it counts only with the library: `remove_node`, `list_users`.
    pub needs_import: bool,
    /// The argument that takes a precondition.
    pub precondition: Option<Bind>,
    /// What it lists is over already: rows a trigger saw go, a trash.
    pub over: bool,
    /// `narrow`: keeps what does *not* match (`exclude`).
    pub negated: bool,
    /// How much of an answer's rows it gives.
    pub gives: Gives,
    /// What stands between the parts of the text that a `format` makes.
    pub between: Option<Sym>,
    /// The names that end the chain of calls in which its arguments are given one by one: `delete_object().key(k).send()`.
    /// Such a row matches the chain as one call, whose keywords are the names of the chain: see [`Vocab::built`].
    pub built: Vec<Sym>,
    /// The field that a [`Role::Field`] reads, where it is called otherwise.
    pub field: Option<Sym>,
    /// For people: what the target is, in the singular: "Pod", "file", "row". Used in messages.
    pub noun: Option<Sym>,
    /// A call that exactly this row matches; its test.
    pub example: String,
    /// The library file it stands in, as an index into the vocabulary's.
    library_at: usize,
    shape: pattern::Shape,
}

impl Row {
    /// Does it list things of a namespace, or of all: things of two namespaces may have the same name?
    pub fn namespaced(&self) -> bool {
        self.scope.iter().any(|s| s.kind == ScopeKind::Namespace)
    }
    /// Does it give a folder that all programs of the host share?
    pub fn is_place_of_host(&self) -> bool {
        self.role == Role::Setting && self.shared
    }
    /// Is it in Go a bare verb on any receiver, which a map of the process may have as well?
    fn is_bare(&self, way: &pattern::Way, name: &str) -> bool {
        self.language == Language::Go && way.open && way.segs.len() == 1 && !way.specific(name, true)
    }
    /// The parameters of the called name; nothing where the row does not look at arguments.
    pub fn params(&self) -> Option<&[Param]> {
        self.shape.params.as_deref()
    }
}

/// Whose fault an exception type speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// Everything: `Exception`.
    Any,
    /// A key or index that is not there: `KeyError`.
    Key,
    /// The program's own: `ValueError`; no read of the outside raises it.
    Program,
    /// Anything else: an error of some library, or the project's own.
    Other,
}

/// What a method or function of a query language says about a field: `Lab.id.in_(ids)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operator {
    /// The receiver is one of the argument.
    In,
    /// It is none of them.
    NotIn,
    /// It is the argument, or nothing where that is nothing.
    Is,
    /// It is not.
    IsNot,
    /// All of the arguments hold.
    And,
    /// One of them holds.
    Or,
    /// The argument does not hold.
    Not,
    /// There is a row under the relation.
    Related,
    /// The receiver is less than the argument, or before it.
    Less,
    /// It is more, or after it.
    More,
}

/// What the name of a field says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldRole {
    /// When the thing was made or changed last: `creation_timestamp`, `st_mtime`.
    Birth,
    /// Set by an earlier pass: `orphaned-since`, `missing_since`, `last_seen`.
    Mark,
    /// Set only when the thing is over: `deletionTimestamp`, `expires_at`, `exit_code`.
    End,
    /// Holds the state in words: `status`, `phase`.
    State,
    /// Holds the run that saw it last: `lastupdated`.
    Stamp,
    /// The specification of an owner: `spec`.
    Spec,
    /// Names an owner: labels, annotations, tags, namespace, owner, name.
    Ownerlike,
    /// A list of what must stay, from settings: `protected`, `exclude`, `keep`.
    Exclusion,
    /// Identifies a thing: `name`, `id`, `uid`, `key`, `path`, `arn`, `digest`.
    Key,
}

/// What names speak of, by one of their parts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    /// Asking for something by a key, or for all there is: `find`, `get`, `rows`.
    Lookup,
    /// What is known of a thing: `row`, `record`, `registered`.
    Record,
    /// That there is none: `without`, `missing`, `unknown`.
    Lacking,
    /// Going through all there is: `sweep`, `reap`, `janitor`.
    Sweeping,
    /// Going through all there is, or clearing up after one thing: `cleanup`, `purge`.
    Clearing,
    /// Destroying: `delete`, `kill`.
    Destroying,
    /// Having been destroyed, or that it is: `deleted`, `reaps`.
    Gone,
    /// Being nobody's, and so to be destroyed: `orphan`, `zombie`.
    Doomed,
    /// Staying: `kept`, `not_deleted`.
    Kept,
    /// Something that is looked up beside what a sweep is about: a setting, a lock, the time.
    Beside,
    /// A name that may be given again to another thing when the first is gone: `name`, `path`; no `id`.
    Reused,
    /// Making one object the owner of another.
    Owning,
    /// Having been found to be nobody's: `orphans`, `condemned`, `to_delete`.
    Unused,
    /// Being in somebody's use, as the thing itself says: `allocated`, `in_use`.
    Taken,
    /// How often, or for how long, something has been found so: `days`, `strikes`.
    Passes,
    /// A parameter that takes what restricts a listing: `Filters`.
    Filter,
    /// Speaking to a server: `client`, `session`.
    Remote,
    /// One thing, though its name ends like that of many: `status`.
    Singular,
    /// Bringing one thing to the state of another: `sync_to_disk`.
    Mirroring,
    /// Finding out what is in use, of which the rest is garbage: `mark`. The whole name.
    Tracing,
    /// Giving the pieces of a text as a list: `readlines`.
    Lines,
    /// The instant from which time is counted: `UNIX_EPOCH`.
    Epoch,
    /// The instant that stands for none, and before which there is none.
    Dawn,
    /// Being an instant, or made of one: `timestamp`, `uuid_from_time`.
    Timed,
    /// A parameter that is given the present instant: `now`.
    Present,
    /// Asking how a text begins or ends: `startswith`.
    Affix,
    /// Asking how a text begins.
    Head,
    /// Holding a thing back from going, as a finalizer does.
    Finalizer,
    /// Asking whether a text matches a pattern: `fullmatch`.
    Pattern,
    /// What something is like, rather than what it belongs to: `kind`, `level`.
    Likeness,
    /// One thing in which others are kept: `repository`, `bucket`.
    Container,
    /// A type of collections in the memory of the process: `list`, `MutableSet`.
    Collecting,
    /// A constant for every namespace there is: `NamespaceAll`.
    Everywhere,
    /// Running once what one is given to run: `with_transaction`, `retry`.
    Once,
    /// Running what one is given to run for each of several: `walk`, `for_each_tx`.
    Walking,
    /// A field in which a thing bears what others wrote on it: `labels`, `annotations`.
    Borne,
    /// What a thing is called, or is told by: `label_for`, `safe_name`.
    Naming,
    /// How a question begins that is answered by yes or no: `is_missing`.
    YesNo,
    /// What lies at the other end, and is one of many that are managed from here: `remote_client`.
    FarEnd,
}

/// All rows of a run: the built-in ones and the user's.
#[derive(Debug, Default)]
pub struct Vocab {
    rows: Vec<Row>,
    /// How many of them, from the start, are a user's own.
    own: usize,
    places: std::sync::OnceLock<Vec<String>>,
    commands: Vec<CommandRow>,
    /// One for each of `commands`.
    command_facts: Vec<Row>,
    libraries: Vec<load::Library>,
    index: matching::Index,
    words: load::Words,
}

impl Vocab {
    /// Is it a row of a user's own? What a user says of a name counts before what the project's function of that name does.
    pub fn is_users(&self, id: RowId) -> bool {
        (id.0 as usize) < self.own
    }

    /// Are there rows of a user's own?
    pub fn has_users_rows(&self) -> bool {
        self.own > 0
    }

    /// The row of an id.
    pub fn row(&self, id: RowId) -> &Row {
        let at = id.0 as usize;
        self.rows.get(at).unwrap_or_else(|| &self.command_facts[at - self.rows.len()])
    }
    /// A command as a row: what is asked of a call is asked of a command line in the same words.
    pub fn command_as_row(&self, id: CommandId) -> RowId {
        RowId((self.rows.len() + id.0 as usize) as u32)
    }
    /// Whose fault an exception type speaks of; the last part of its path counts.
    pub fn error_kind(&self, name: &str) -> ErrorKind {
        self.words.errors.get(&load::folded(name)).copied().unwrap_or(ErrorKind::Other)
    }
    /// What a method or function of a query language says.
    pub fn operator(&self, name: Sym) -> Option<Operator> {
        self.words.operators.get(&name).copied()
    }
    /// Does a global hold configuration or environment: `os.environ`, `settings.NAMESPACE`, `app.settings.NAMESPACE`?
    pub fn is_setting(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('.').collect();
        self.words.settings.iter().any(|s| match s.split('.').collect::<Vec<_>>()[..] {
            // One word is a module or object of the project: not the value itself, and anywhere but at the end.
            [word] => parts.iter().rev().skip(1).any(|p| *p == word),
            ref long => parts.starts_with(long),
        })
    }
    /// What the library of a row is imported as; none: the row needs no import.
    pub fn imports(&self, row: &Row) -> &[String] {
        self.libraries.get(row.library_at).map(|l| l.imports.as_slice()).unwrap_or_default()
    }
    /// Every row, in order.
    pub fn rows(&self) -> impl Iterator<Item = (RowId, &Row)> {
        self.rows.iter().enumerate().map(|(i, r)| (RowId(i as u32), r))
    }
    /// What the name of a field says, in any language. Case and the joints between words do not count:
    /// `creation_timestamp`, `creationTimestamp` and `CreationTimestamp` are one.
    pub fn field(&self, name: Sym) -> Option<FieldRole> {
        self.words.field(name)
    }
    /// What a method does to a collection in a language, if it is one that changes it. What a language does not say for
    /// itself is said for all.
    pub fn mutator(&self, language: Option<Language>, name: Sym) -> Option<Mutator> {
        let own = language.and_then(|l| self.words.own_mutators.get(&(l, name)));
        own.or_else(|| self.words.mutators.get(&name)).copied()
    }
    /// Does a method of this name change a collection, in any language?
    pub fn changes(&self, name: Sym) -> bool {
        self.words.mutators.contains_key(&name) || self.words.own_mutators.iter().any(|(k, m)| k.1 == name && !m.seen)
    }
    /// Is this word, as the value of a state field, a final one: `Succeeded`, `terminated`?
    pub fn is_final(&self, word: &str) -> bool {
        self.words.finals.contains(&load::folded(last_part(word)))
    }
    /// Is this exception type, error code or status a "no such thing": `NotFound`, `404`, `ENOENT`, `DoesNotExist`?
    /// A dotted path is judged by its last part, or by the whole of it (`botocore.exceptions.ClientError` is none).
    pub fn is_not_found(&self, word: &str) -> bool {
        let last = load::folded(last_part(word));
        self.words.missing.contains(&last)
            || self.words.missing.contains(&load::folded(word))
            || self.words.missing_ends.iter().any(|end| last.ends_with(end.as_str()))
            || self.words.missing_starts.iter().any(|start| last.starts_with(start.as_str()))
    }
    /// Does the name of a call begin with a verb that changes or sends something, so that what it returns is no record of
    /// anything: `save_meta`, `send`, `startReplication`?
    pub fn acts(&self, name: &str) -> bool {
        begins(name, &self.words.acting, &self.words.manner) && !self.traces(name)
    }
    /// The first half of a collection of garbage goes by such a name: it looks for what is in use, and changes nothing.
    fn traces(&self, name: &str) -> bool {
        let own = || format!("_{}_", load::snake(name).trim_matches('_'));
        self.words.topics.get(&Topic::Tracing).is_some_and(|words| words.contains(&own()))
    }
    /// Does it begin with a verb that makes another form of what it is given: `parse`, `decode_key`?
    pub fn forms(&self, name: &str) -> bool {
        begins(name, &self.words.forming, &self.words.manner)
    }
    /// Does the name of a predicate speak of age: `is_older_than`, `expired`, `stale`?
    pub fn speaks_of_age(&self, name: &str) -> bool {
        load::speaks(name, &self.words.age)
    }
    /// Does the name of a predicate speak of protection or use: `protected`, `keep`, `in_use`?
    pub fn speaks_of_use(&self, name: &str) -> bool {
        load::speaks(name, &self.words.protection)
    }
    /// Does a name speak of this, by one of its parts?
    pub fn speaks_of(&self, topic: Topic, name: &str) -> bool {
        self.words.topics.get(&topic).is_some_and(|words| load::speaks(name, words))
    }
    /// The words of which a file or function must hold one to hold a call that destroys or terminates: for the
    /// prefilter. Lower case, at most 64; every such row and command contains one of them.
    pub fn trigger_words(&self) -> &[String] {
        &self.words.triggers
    }
    /// The words in the names of fields and setters that hold a state, for the prefilter: a state set to one of
    /// [`Vocab::final_words`] terminates without a call of its own.
    pub fn state_words(&self) -> &[String] {
        &self.words.states
    }
    /// The names of calls that give a folder of the whole host, as far as they are written out. Asked for each field of each
    /// object, and so found once.
    pub fn places_of_host(&self) -> &[String] {
        self.places.get_or_init(|| {
            let places = self.rows.iter().filter(|r| r.is_place_of_host());
            places.filter_map(|r| Some(r.pattern.rsplit('.').next()?.split('(').next()?.to_owned())).collect()
        })
    }
    /// Names that make a function worth reading though it destroys nothing: the keyword under which a list is given what
    /// the server may reject.
    pub fn mention_words(&self) -> &[String] {
        &self.words.mentions
    }
    /// Is a function under this decorator called for an object that can own others?
    pub fn is_handler(&self, decorator: &str) -> bool {
        let under = |h: &String| decorator.strip_prefix(h.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('.'));
        self.words.handlers.iter().any(under)
    }
    /// May a text hold such a decorator?
    pub fn tells_handlers(&self, text: &str) -> bool {
        self.words.handlers.iter().filter_map(|h| h.split('.').next()).any(|head| text.contains(head))
    }
    /// A field of a value as far as it is written out: of a mapping, or of what a constructor is given.
    pub fn part(&self, arena: &crate::ir::Arena, value: crate::ir::ExprId, field: Sym) -> Option<crate::ir::ExprId> {
        pattern::part(arena, value, field)
    }
    /// As a namespace: none, or the word for all of them?
    pub fn is_everywhere(&self, arena: &crate::ir::Arena, namespace: crate::ir::ExprId) -> bool {
        match arena.get(namespace) {
            crate::ir::Expr::Lit(crate::ir::Lit::Str(s)) => s.is_empty(),
            crate::ir::Expr::Path(p) => self.speaks_of(Topic::Everywhere, last_part(p)),
            _ => false,
        }
    }
    /// Words by which a test says of something that it is to go, and which no call that destroys need hold.
    pub fn claim_words(&self) -> Vec<String> {
        let words = self.words.topics.get(&Topic::Doomed).into_iter().flatten();
        words.map(|w| w.trim_matches('_').to_owned()).collect()
    }
    /// The words of some topics, of each the first part: what holds none of them speaks of none of the topics.
    pub fn topic_words(&self, topics: &[Topic]) -> Vec<String> {
        let words = topics.iter().filter_map(|t| self.words.topics.get(t)).flatten();
        words.filter_map(|w| w.trim_matches('_').split('_').next()).map(str::to_owned).collect()
    }
    /// The names of calls whose text is for people.
    pub fn telling_names(&self) -> &[String] {
        &self.words.telling
    }
    /// The final words of [`Vocab::is_final`], as written, in small letters.
    pub fn final_words(&self) -> &[String] {
        &self.words.final_words
    }
}

/// Is the first part of a name that says what is done, not how, one of the words?
fn begins(name: &str, words: &[String], manner: &[String]) -> bool {
    let snake = load::snake(name);
    let mut parts = snake.split('_').filter(|p| !p.is_empty());
    let first = parts.find(|p| !manner.iter().any(|m| m == p)).unwrap_or_default();
    words.iter().any(|w| w == first)
}

fn last_part(word: &str) -> &str {
    word.rsplit('.').next().unwrap_or(word)
}
