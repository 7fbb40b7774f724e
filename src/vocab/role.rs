//! What calls do.

use schemars::JsonSchema;

/// What a call does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Destroys `target` outside the process.
    Destroy,
    /// Moves the record `target` to a final state.
    Terminate,
    /// Makes or updates `target` outside the process.
    Create,
    /// Writes `target` back in the place of what was there: what it held before and holds no longer is destroyed.
    Replace,
    /// Reads a collection; its elements are the candidates or the references.
    List,
    /// Reads one thing by `key`. What it says when there is none: [`Row::absence`].
    Find,
    /// Makes a query value over the table or model named by `target` (default: the first argument or the receiver):
    /// like `list`, but nothing is read until it is run or traversed. Its `scope`, and `negated`, hold as for `narrow`:
    /// `Job.objects.exclude(state="done")` makes and restricts in one.
    Query,
    /// A [`Role::Query`] whose elements are destroyed when it is executed: `delete(Job).where(..)`.
    DeleteQuery,
    /// A [`Role::Query`] whose elements are assigned to when it is executed, by an [`Role::Assign`] on it:
    /// `update(Job).where(..).values(state="failed")`.
    UpdateQuery,
    /// Restricts a query or collection (the receiver): `filter`, `where`, `exclude`. See [`Row::negated`].
    Narrow,
    /// Takes the table `target` along in a query (the receiver), of which there may be no row: `outerjoin(T, on)`. `key`
    /// is the condition under which two rows belong together.
    Join,
    /// Runs the query `target` (default: first argument): `session.execute(q)`. The read, or the delete of a
    /// [`Role::DeleteQuery`], happens here.
    Execute,
    /// The first element of `target` (default: the receiver), or nothing: `first()`, `one_or_none()`.
    First,
    /// Is there anything in `target` (default: the receiver): `exists()`, `count()`.
    Exists,
    /// How many rows there are under the relation `target` of a row: `Count("tags")`. As a keyword of a call that makes or
    /// wraps a query it is a field of its rows.
    Count,
    /// Gives `target` back unchanged or in another form of no interest here: `all()`, `scalars()`, `sorted`.
    Wrapper,
    /// Says whether its argument, a failure, is a "no such thing".
    NotFound,
    /// The present instant.
    Now,
    /// A span of time, or an instant made of literals.
    Span,
    /// The age of `target`: now minus its birth.
    Age,
    /// A value from configuration or environment.
    Setting,
    /// Calls its first argument with the others: `submit(f, x)`, `to_thread(f, x)`, `partial(f, x)`.
    Run,
    /// Calls its argument `f` for each element of the collection `target`: `map(f, xs)`.
    Each,
    /// A listing that hands its answers, page by page, to a function it is given: `DescribeVolumesPages(input, f)`.
    Pages,
    /// Is `key` in the collection `target` (default: the receiver): `known.Has(name)`?
    Member,
    /// The collection that is the receiver without what the first argument holds: `a.Difference(b)`.
    Minus,
    /// What either holds.
    Union,
    /// What both hold.
    Intersect,
    /// Does `target` name `key` as its owner: `IsControlledBy(pod, set)`?
    Owned,
    /// A value that restricts a listing it is given to: `InNamespace(ns)`. Its `scope` says how. A table that is joined
    /// (the receiver) with the condition `key`: `notes.on(condition)`.
    Option,
    /// Gives something made of its arguments: a path, a text, a number. Opaque, but descends from them.
    Format,
    /// Says of `target` that it is old enough: false for what was made a moment ago.
    Aged,
    /// The instant at which `target` was made or changed last: `os.path.getmtime(path)`.
    Birth,
    /// Sets fields of `target` (default: the receiver), given as keywords or as a mapping. It terminates where a state
    /// field is set to a final word, and makes or updates otherwise.
    Assign,
    /// Reads a field of `target` by a method: `pod.labels()`. The field has the method's name, or that of [`Row::field`].
    Field,
    /// The entry of the mapping `target` under `key`: `labels.get(k)`.
    Entry,
    /// A decorator that remembers results.
    Cached,
    /// Runs a command line given as `target`: matched against `[[command]]` rows.
    Exec,
    /// Sends a textual statement given as `target`: SQL, matched by [`crate::lang`]'s embedded reader.
    Statement,
    /// A new collection in the memory of the process, of what the first argument holds: `deque()`, `defaultdict(list)`.
    Collection,
    /// A path or name that belongs to this process alone: `tempfile.mkdtemp()`.
    Own,
    /// The clock of a mark: waits until caches are filled.
    Sync,
    /// Asks a person a question and gives the answer. Of a row that is a guess it counts only with a question written out.
    Prompt,
    /// In tests: asserts that the call named by the receiver was made.
    AssertCalled,
    /// Known to be none of the above: neither a read nor a delete.
    #[default]
    Pure,
}

impl Role {
    /// Does it ask something of a collection in the memory of the process?
    pub fn asks_collection(self) -> bool {
        matches!(self, Role::Member | Role::Minus | Role::Union | Role::Intersect)
    }

    /// Does a call of this role, or the query it makes, destroy or terminate?
    pub fn destroys(self) -> bool {
        matches!(self, Role::Destroy | Role::Terminate | Role::DeleteQuery | Role::Replace)
    }
}
