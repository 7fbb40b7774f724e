//! The keys of vocabulary files, as written.

use super::command::CommandSource;
use super::*;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) library: String,
    pub(super) language: Language,
    #[serde(default)]
    pub(super) imports: Vec<String>,
    /// Even a name that says much counts only with the library: `list_users` is said everywhere.
    #[serde(default)]
    pub(super) needs_import: bool,
    #[serde(default)]
    pub(super) call: Vec<CallSource>,
    #[serde(default)]
    pub(super) command: Vec<CommandSource>,
    #[serde(default)]
    pub(super) field: Vec<FieldSource>,
    #[serde(default)]
    pub(super) words: Vec<WordSource>,
    #[serde(default)]
    pub(super) mutator: Vec<MutatorSource>,
    #[serde(default)]
    pub(super) operator: Vec<OperatorSource>,
}

impl File {
    /// A file with nothing in it yet.
    pub(super) fn of_user(language: Language, imports: Vec<String>) -> File {
        File {
            library: "vocabulary".to_owned(),
            language,
            imports,
            needs_import: false,
            call: vec![],
            command: vec![],
            field: vec![],
            words: vec![],
            mutator: vec![],
            operator: vec![],
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OperatorSource {
    pub(super) names: Vec<String>,
    pub(super) means: Operator,
}

#[derive(Clone, PartialEq, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CallSource {
    /// The call: the tail of its name with its parameters, `*.retire_lab(lab, force?)`.
    pub(super) r#match: String,
    /// What the call does.
    pub(super) role: Role,
    /// A call that this row matches; it is checked.
    pub(super) example: String,
    /// What it is done to: a parameter, `receiver`, `call` or `all`.
    pub(super) target: Option<String>,
    /// By what it finds: a parameter or `receiver`.
    pub(super) key: Option<String>,
    /// What a find says when there is no such thing.
    #[serde(default)]
    pub(super) absence: Absence,
    /// What restricts it.
    #[serde(default)]
    pub(super) scope: Vec<ScopeSource>,
    /// How a listing is divided into pages.
    pub(super) page: Option<PageSource>,
    /// It reads a cache that may lag behind.
    #[serde(default)]
    pub(super) stale: bool,
    /// A failure looks like an empty answer.
    #[serde(default)]
    pub(super) silent: bool,
    /// What a listing gives.
    #[serde(default)]
    pub(super) gives: Gives,
    /// Others live in the space it works on.
    #[serde(default)]
    pub(super) shared: bool,
    /// It reaches further than one namespace, whatever its arguments.
    #[serde(default)]
    pub(super) wide: bool,
    /// It can fail.
    #[serde(default)]
    pub(super) fails: bool,
    /// The name alone speaks: what rests on it is one thing inferred.
    #[serde(default)]
    pub(super) guess: bool,
    /// What it returns is an object of this library.
    #[serde(default)]
    pub(super) origin: bool,
    /// It counts only where the library is imported.
    #[serde(default)]
    pub(super) needs_import: bool,
    /// The argument that makes the server check what is deleted.
    pub(super) precondition: Option<String>,
    /// What it destroys is over by itself.
    #[serde(default)]
    pub(super) over: bool,
    /// It takes out what it names instead of keeping it.
    #[serde(default)]
    pub(super) negated: bool,
    /// What it is done to, in the singular, as messages name it.
    pub(super) noun: Option<String>,
    /// The field through which rows belong together.
    pub(super) between: Option<String>,
    /// The field that it reads.
    pub(super) field: Option<String>,
    /// The names of a builder whose last call this is.
    #[serde(default)]
    pub(super) built: Vec<String>,
    /// The language. In configuration files only, where it is required.
    pub(super) language: Option<Language>,
    /// What the library is imported as, dotted; without, the row needs no import. In configuration files only.
    #[serde(default)]
    pub(super) imports: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ScopeSource {
    pub(super) kind: ScopeKind,
    pub(super) arg: String,
}

#[derive(Clone, PartialEq, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PageSource {
    pub(super) limit: Option<String>,
    pub(super) next: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FieldSource {
    pub(super) role: FieldRole,
    pub(super) names: Vec<String>,
    /// The names count in this very spelling only.
    #[serde(default)]
    pub(super) exact: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WordSource {
    pub(super) list: List,
    pub(super) words: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum List {
    Final,
    NotFound,
    Acting,
    Forming,
    Manner,
    Age,
    Protection,
    Trigger,
    State,
    Memory,
    Mention,
    Telling,
    Handler,
    Question,
    Harmless,
    Setting,
    AnyError,
    KeyError,
    ProgramError,
    #[serde(untagged)]
    Topic(Topic),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MutatorSource {
    pub(super) names: Vec<String>,
    pub(super) what: Mutation,
    #[serde(default)]
    pub(super) arg: usize,
    #[serde(default)]
    pub(super) gives: bool,
    #[serde(default)]
    pub(super) news: bool,
    #[serde(default)]
    pub(super) whole: bool,
    #[serde(default)]
    pub(super) seen: bool,
}
