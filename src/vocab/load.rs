//! Reading rows from TOML.
//!
//! A file is one library. What does not load is an error that names the file and the row, never a row that silently
//! matches nothing:
//!
//! ```toml
//! library  = "redis"
//! language = "python"
//! imports  = ["redis"]
//!
//! [[call]]
//! match   = "*.delete(*names)"
//! role    = "destroy"
//! target  = "name"       # error: redis: call 1 (*.delete(*names)): no parameter is called `name`
//! ```

use super::command::read_command;
use super::matching::Index;
use super::pattern::Shape;
use super::source::{CallSource, FieldSource, File, List, MutatorSource, WordSource};
use super::*;
use crate::ir::sym;
use rustc_hash::{FxHashMap, FxHashSet};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../rules/vocabulary/", $name, ".toml")))),*]
    };
}

/// Every file of `rules/vocabulary`, by name; a test compares this list with the directory.
const BUILTIN: &[(&str, &str)] = files![
    "azure",
    "boto3",
    "builtins",
    "caches",
    "commands",
    "concurrency",
    "dbapi",
    "django",
    "docker",
    "files",
    "github",
    "gitlab",
    "go-aws",
    "go-azure",
    "go-blobs",
    "go-builtins",
    "go-caches",
    "go-collections",
    "go-concurrency",
    "go-containers",
    "go-controller-runtime",
    "go-ent",
    "go-errors",
    "go-files",
    "go-flags",
    "go-google",
    "go-gorm",
    "go-guess",
    "go-hashicorp",
    "go-helm",
    "go-kubernetes",
    "go-logging",
    "go-openstack",
    "go-processes",
    "go-redis",
    "go-sql",
    "go-stores",
    "go-time",
    "google",
    "googleapiclient",
    "guess",
    "http",
    "http-wrappers",
    "kubernetes",
    "kubernetes-objects",
    "libvirt",
    "logging",
    "minio",
    "ndb",
    "neo4j",
    "netbox",
    "networking",
    "nomad",
    "openstack",
    "ovs",
    "pathlib",
    "peewee",
    "processes",
    "progress",
    "prompts",
    "psutil",
    "pymongo",
    "python-errors",
    "python-sql",
    "redis",
    "rust-aws",
    "rust-caches",
    "rust-cloud",
    "rust-docker",
    "rust-errors",
    "rust-files",
    "rust-github",
    "rust-guess",
    "rust-kube",
    "rust-kv",
    "rust-logging",
    "rust-objects",
    "rust-orm",
    "rust-processes",
    "rust-prompts",
    "rust-redis",
    "rust-sql",
    "rust-std",
    "rust-stores",
    "rust-tables",
    "rust-tasks",
    "rust-time",
    "rust-windows",
    "sqlalchemy",
    "ssh",
    "statements",
    "stores",
    "tasks",
    "testing",
    "time",
    "words",
    "workflows",
];

/// The built-in vocabulary files: name and text.
pub fn builtin_files() -> &'static [(&'static str, &'static str)] {
    BUILTIN
}

/// The built-in rows.
pub fn builtin() -> Vocab {
    // A test loads every file; there is no run in which this one fails and that one did not.
    Vocab::from_toml(BUILTIN).unwrap_or_default()
}

/// What is wrong with a vocabulary file, with the file and the row.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct LoadError(pub String);

/// What stands at the head of a file.
#[derive(Debug)]
pub(super) struct Library {
    /// Dotted prefixes of what it is imported as; none: the rows need no import.
    pub(super) imports: Vec<String>,
    /// No name of it counts without an import.
    pub(super) needs_import: bool,
    /// It destroys something: an object made by it is no other library's.
    pub(super) destroys: bool,
    /// The language it is imported in.
    pub(super) language: Language,
}

/// What names say on their own.
#[derive(Debug, Default)]
pub(super) struct Words {
    pub(super) fields: FxHashMap<String, FieldRole>,
    pub(super) exact: FxHashMap<Sym, FieldRole>,
    pub(super) mutators: FxHashMap<Sym, Mutator>,
    /// What a language says for itself.
    pub(super) own_mutators: FxHashMap<(Language, Sym), Mutator>,
    pub(super) finals: FxHashSet<String>,
    pub(super) missing: FxHashSet<String>,
    /// What the folded name of a "no such thing" ends with, or starts with.
    pub(super) missing_ends: Vec<String>,
    pub(super) missing_starts: Vec<String>,
    pub(super) acting: Vec<String>,
    pub(super) forming: Vec<String>,
    pub(super) manner: Vec<String>,
    pub(super) age: Vec<String>,
    pub(super) protection: Vec<String>,
    pub(super) triggers: Vec<String>,
    pub(super) states: Vec<String>,
    pub(super) settings: Vec<String>,
    pub(super) final_words: Vec<String>,
    pub(super) memory: Vec<String>,
    pub(super) mentions: Vec<String>,
    /// The names of calls whose text is for people.
    pub(super) telling: Vec<String>,
    pub(super) handlers: Vec<String>,
    pub(super) topics: FxHashMap<Topic, Vec<String>>,
    pub(super) questions: Vec<String>,
    pub(super) harmless: Vec<String>,
    pub(super) errors: FxHashMap<String, ErrorKind>,
    pub(super) operators: FxHashMap<Sym, Operator>,
}

impl Words {
    pub(super) fn field(&self, name: Sym) -> Option<FieldRole> {
        self.exact.get(&name).or_else(|| self.folded_field(name.as_str())).copied()
    }

    /// Fields are asked for all the time, and most names are short and plain: those are folded without a new text.
    fn folded_field(&self, name: &str) -> Option<&FieldRole> {
        let mut room = [0u8; 64];
        if name.len() > room.len() || !name.is_ascii() {
            return self.fields.get(&folded(name));
        }
        let mut len = 0;
        let letters = name.bytes().filter(u8::is_ascii_alphanumeric);
        for (place, letter) in room.iter_mut().zip(letters) {
            *place = letter.to_ascii_lowercase();
            len += 1;
        }
        self.fields.get(std::str::from_utf8(room.get(..len)?).ok()?)
    }
}

/// A word without case and without the joints between its parts: `creation_timestamp` is `creationtimestamp`.
pub(super) fn folded(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Is one of the words a part of the name, or a run of its parts? `is_older_than` speaks of `older`, `storage` does not
/// speak of `age`, `inUse` speaks of `in_use`.
pub(super) fn speaks(name: &str, words: &[String]) -> bool {
    let mut parts = String::with_capacity(name.len() + 8);
    parts.push('_');
    snake_into(name, &mut parts);
    parts.push('_');
    words.iter().any(|w| parts.contains(w.as_str()))
}

/// `isOlderThan`, `is-older.than` as `is_older_than`, `getVMLabel` as `get_vm_label`, `listVMs` as `list_vms`.
pub fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    snake_into(name, &mut out);
    out
}

fn snake_into(name: &str, out: &mut String) {
    let (mut lower, mut upper) = (false, 0);
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_ascii_lowercase() {
            let plural = c == 's' && !chars.peek().is_some_and(char::is_ascii_lowercase);
            if upper > 1
                && !plural
                && let Some(last) = out.pop()
            {
                out.push('_');
                out.push(last);
            }
            out.push(c);
            (lower, upper) = (true, 0);
            continue;
        }
        if !c.is_alphanumeric() {
            out.push('_');
            (lower, upper) = (false, 0);
            continue;
        }
        upper = if c.is_ascii_uppercase() { upper + 1 } else { 0 };
        if c.is_uppercase() && lower {
            out.push('_');
        }
        lower = !c.is_uppercase();
        out.extend(c.to_lowercase());
    }
}

impl Vocab {
    /// Rows from files, each with the name that errors speak of. Of two rows that match equally well the earlier one
    /// counts, so a user's own files stand first.
    pub fn from_toml(files: &[(&str, &str)]) -> Result<Vocab, LoadError> {
        let mut vocab = Vocab::default();
        for (name, text) in files {
            vocab.read(name, text)?;
        }
        vocab.index = Index::of(&vocab.rows, &vocab.libraries);
        Ok(vocab)
    }

    /// The built-in rows, and before them a user's.
    ///
    /// # Errors
    /// A row of the user's that does not load, by its place in the configuration.
    pub fn with_user(user: &UserRows) -> Result<Vocab, LoadError> {
        let mut vocab = Vocab::default();
        for file in user.files()? {
            vocab.take("vocabulary", file)?;
        }
        vocab.own = vocab.rows.len();
        for (name, text) in BUILTIN {
            vocab.read(name, text)?;
        }
        vocab.index = Index::of(&vocab.rows, &vocab.libraries);
        Ok(vocab)
    }

    fn read(&mut self, name: &str, text: &str) -> Result<(), LoadError> {
        self.take(name, toml::from_str(text).map_err(|e| LoadError(format!("{name}: {e}")))?)
    }

    fn take(&mut self, name: &str, file: File) -> Result<(), LoadError> {
        let library = sym(&file.library);
        let imports = file.imports.iter().map(|i| dotted(file.language, i)).collect();
        let at = self.libraries.len();
        for (i, source) in file.call.into_iter().enumerate() {
            let whose = format!("{name}: call {} ({})", i + 1, source.r#match);
            let row = row(source, library, file.language, at).map_err(|e| LoadError(format!("{whose}: {e}")))?;
            self.rows.push(row);
        }
        for (i, source) in file.command.into_iter().enumerate() {
            let whose = format!("{name}: command {} ({})", i + 1, source.pattern());
            let read = read_command(source, library).map_err(|e| LoadError(format!("{whose}: {e}")))?;
            self.command_facts.extend(read.iter().map(|c| fact(c, file.language, at)));
            self.commands.extend(read);
        }
        let destroys = self.rows.iter().any(|r| r.library_at == at && r.role.destroys());
        self.libraries.push(Library { imports, needs_import: file.needs_import, destroys, language: file.language });
        self.words.read(file.field, file.words);
        self.words.read_mutators(file.language, file.mutator);
        for o in file.operator {
            self.words.operators.extend(o.names.iter().map(|n| (sym(n), o.means)));
        }
        Ok(())
    }
}

impl Words {
    /// `NotFound` alone, `*NotFound` with anything before it, `NoSuch*` with anything behind.
    fn not_found(&mut self, word: &str) {
        match (word.strip_prefix('*'), word.strip_suffix('*')) {
            (Some(end), _) => self.missing_ends.push(folded(end)),
            (None, Some(start)) => self.missing_starts.push(folded(start)),
            (None, None) => {
                self.missing.insert(folded(word));
            }
        }
    }

    fn read(&mut self, fields: Vec<FieldSource>, lists: Vec<WordSource>) {
        for f in fields {
            for name in f.names {
                if f.exact {
                    self.exact.insert(sym(&name), f.role);
                } else {
                    self.fields.insert(folded(&name), f.role);
                }
            }
        }
        for l in lists {
            match l.list {
                List::Final => {
                    self.finals.extend(l.words.iter().map(|w| folded(w)));
                    self.final_words.extend(l.words.iter().map(|w| w.to_lowercase()));
                }
                List::NotFound => l.words.iter().for_each(|w| self.not_found(w)),
                List::Acting => self.acting.extend(l.words),
                List::Forming => self.forming.extend(l.words),
                List::Manner => self.manner.extend(l.words),
                List::Age => self.age.extend(l.words.iter().map(|w| format!("_{w}_"))),
                List::Protection => self.protection.extend(l.words.iter().map(|w| format!("_{w}_"))),
                List::Trigger => self.triggers.extend(l.words),
                List::Topic(topic) => {
                    let words = l.words.iter().map(|w| format!("_{w}_"));
                    self.topics.entry(topic).or_default().extend(words);
                }
                List::Handler => self.handlers.extend(l.words),
                List::Mention => self.mentions.extend(l.words),
                List::Telling => self.telling.extend(l.words),
                List::Setting => self.settings.extend(l.words),
                List::State => self.states.extend(l.words),
                List::Question => self.questions.extend(l.words),
                List::Harmless => self.harmless.extend(l.words.iter().map(|w| format!("_{w}_"))),
                List::Memory => self.memory.extend(l.words.iter().map(|w| format!("_{w}_"))),
                List::AnyError => self.errors.extend(l.words.iter().map(|w| (folded(w), ErrorKind::Any))),
                List::KeyError => self.errors.extend(l.words.iter().map(|w| (folded(w), ErrorKind::Key))),
                List::ProgramError => self.errors.extend(l.words.iter().map(|w| (folded(w), ErrorKind::Program))),
            }
        }
    }

    /// Those that stand with the words of Python hold for every language that says nothing else.
    fn read_mutators(&mut self, language: Language, mutators: Vec<MutatorSource>) {
        for m in mutators {
            let read = Mutator { what: m.what, arg: m.arg, gives: m.gives, news: m.news, whole: m.whole, seen: m.seen };
            for name in m.names.iter().map(|n| sym(n)) {
                if language == Language::Python {
                    self.mutators.insert(name, read);
                } else {
                    self.own_mutators.insert((language, name), read);
                }
            }
        }
    }
}

/// Paths are dotted in every language: `std::fs` is `std.fs`, and `github.com/aws/aws-sdk-go-v2` is
/// `github.com.aws.aws_sdk_go_v2`; of `k8s.io/klog/v2` the major version is no part.
fn dotted(language: Language, text: &str) -> String {
    match language {
        Language::Rust => text.replace("::", "."),
        Language::Go => {
            let major = |end: &str| end.strip_prefix('v').is_some_and(|n| n != "1" && n.parse::<u32>().is_ok());
            let path = match text.rsplit_once(['/', '.']) {
                Some((head, end)) if major(end) => head,
                _ => text,
            };
            path.replace('/', ".").replace('-', "_")
        }
        _ => text.to_owned(),
    }
}

fn row(s: CallSource, library: Sym, language: Language, library_at: usize) -> Result<Row, String> {
    let pattern = dotted(language, &s.r#match);
    let shape = Shape::parse(&pattern)?;
    if s.example.trim().is_empty() {
        return Err("the example is empty".into());
    }
    if matches!(s.role, Role::Destroy | Role::Terminate) && s.target.is_none() {
        return Err("what it destroys is not said: `target`".into());
    }
    let bind = |text: &str| bind(&shape, text);
    let maybe = |text: &Option<String>| text.as_deref().map(bind).transpose();
    let page = match &s.page {
        Some(p) => Some(Page { limit: maybe(&p.limit)?, next: maybe(&p.next)? }),
        None => None,
    };
    Ok(Row {
        library,
        language,
        role: s.role,
        target: maybe(&s.target)?,
        key: maybe(&s.key)?,
        absence: s.absence,
        scope: s
            .scope
            .iter()
            .map(|x| Ok(Scope { kind: x.kind, bind: bind(&x.arg)? }))
            .collect::<Result<_, String>>()?,
        page,
        stale: s.stale,
        silent: s.silent,
        gives: s.gives,
        between: s.between.as_deref().map(sym),
        shared: s.shared,
        wide: s.wide,
        fails: s.fails,
        guess: s.guess,
        origin: s.origin,
        needs_import: s.needs_import,
        precondition: maybe(&s.precondition)?,
        over: s.over,
        negated: s.negated,
        noun: s.noun.as_deref().map(sym),
        field: s.field.as_deref().map(sym),
        built: s.built.iter().map(|n| sym(n)).collect(),
        example: s.example,
        pattern,
        library_at,
        shape,
    })
}

/// A command row in the form of a call's; it matches no call.
fn fact(c: &CommandRow, language: Language, library_at: usize) -> Row {
    Row {
        library: c.library,
        language,
        pattern: c.pattern.clone(),
        role: c.role,
        target: None,
        key: None,
        absence: c.absence,
        scope: vec![],
        page: None,
        stale: false,
        silent: false,
        gives: Gives::Rows,
        between: None,
        shared: c.shared,
        wide: c.wide,
        fails: true,
        guess: false,
        origin: false,
        needs_import: false,
        precondition: None,
        over: false,
        negated: false,
        built: vec![],
        field: None,
        noun: c.noun,
        example: c.example.clone(),
        library_at,
        shape: Shape { ways: vec![], params: None },
    }
}

/// `receiver`, `call`, `all`, or the name of a parameter, with fields behind it.
fn bind(shape: &Shape, text: &str) -> Result<Bind, String> {
    match text {
        "receiver" => return Ok(Bind::Receiver),
        "all" => return Ok(Bind::All),
        "call" => return Ok(Bind::Call),
        _ => {}
    }
    let head = sym(text.split('.').next().unwrap_or(text));
    if shape.bindable().any(|p| p.names.contains(&head)) {
        Ok(Bind::Arg(sym(text)))
    } else {
        Err(format!("no parameter is called `{head}`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(body: &str) -> String {
        let text = format!("library = 'lib'\nlanguage = 'python'\n{body}");
        Vocab::from_toml(&[("lib", &text)]).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn errors_name_file_and_row() {
        let no_target = error("[[call]]\nmatch = '*.delete(x)'\nrole = 'destroy'\nexample = 'a.delete(b)'");
        assert_eq!(no_target, "lib: call 1 (*.delete(x)): what it destroys is not said: `target`");
        let unbound = error("[[call]]\nmatch = '*.get(x)'\nrole = 'find'\nkey = 'y'\nexample = 'a.get(b)'");
        assert_eq!(unbound, "lib: call 1 (*.get(x)): no parameter is called `y`");
        assert!(error("[[call]]\nmatch = '*.get(x)'\nrole = 'find'\nexample = ' '").contains("example is empty"));
        assert!(error("[[call]]\nmatch = '*.get(x)'\nrole = 'find'").contains("example"));
        assert!(
            error("[[call]]\nmatch = '*.get(x)'\nrole = 'find'\nexample = 'a.get()'\ncolour = 1").contains("colour")
        );
    }

    #[test]
    fn words_are_told_by_their_parts() {
        let age = vec!["_age_".to_string(), "_in_use_".to_string()];
        assert!(speaks("_age_of", &age));
        assert!(speaks("maxAge", &age));
        assert!(!speaks("storage", &age));
        assert!(speaks("isInUse", &age));
    }
}
