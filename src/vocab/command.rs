//! Command lines as calls: `["kubectl", "delete", "pod", name, "-n", ns]`.
//!
//! A command row is a pattern of words. Options are taken out first, wherever they stand, so that the pattern speaks of
//! the words that are left:
//!
//! ```text
//! kubectl delete {pod,pods,po} <name>       braces: one of these; `<name>`: what is destroyed, one or more words
//! kubectl delete *                          `*`: any one word
//! aws ec2 terminate-instances --instance-ids <id>     an option that must be there, with its value
//! docker compose rm <service?>              zero or more
//! gh api <path> -X DELETE                   one word, where more of the pattern follows
//! ```
//!
//! Which options take a value is said by the row (`values`, and every option of `scope`); any other option stands alone.
//! A program that is a value (`[self.kubectl, "delete", ...]`) matches by the words behind it, which counts as inferred.

use super::pattern::braces;
use super::{Absence, Role, ScopeKind};
use crate::ir::{Arena, Bin, Expr, ExprId, Lit, Sym, sym};
use serde::Deserialize;

/// One word of a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CommandWord {
    /// A word as written.
    Word(String),
    /// A value.
    Hole(ExprId),
    /// A word that starts with a text and goes on with a value: `--selector=` and `app={name}`.
    Joined(String, ExprId),
}

/// A command row of a [`super::Vocab`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CommandId(pub u32);

/// What is known of a command line.
#[derive(Clone, PartialEq, Debug)]
pub struct CommandMatch {
    /// The row.
    pub row: CommandId,
    /// The program is written out; otherwise the words behind it alone speak.
    pub backed: bool,
    /// The words that name what it is done to.
    pub target: Vec<CommandWord>,
    /// What restricts it: the values of options such as `--namespace`.
    pub scope: Vec<(ScopeKind, CommandWord)>,
    /// It is done to everything in that scope: `--all`.
    pub all: bool,
}

/// A row for command lines.
#[derive(Clone, Debug)]
pub struct CommandRow {
    /// The library, for people.
    pub library: Sym,
    /// The pattern as written.
    pub pattern: String,
    /// What the command does.
    pub role: Role,
    /// What a find says when there is no such thing.
    pub absence: Absence,
    /// Others live in this space.
    pub shared: bool,
    /// It reaches further than one namespace whatever its options.
    pub wide: bool,
    /// What the target is, in the singular.
    pub noun: Option<Sym>,
    /// A command line that this row matches; its test.
    pub example: String,
    scope: Vec<(ScopeKind, Vec<String>)>,
    all: Vec<String>,
    values: Vec<String>,
    words: Vec<Piece>,
    options: Vec<Demand>,
}

/// A word of a pattern.
#[derive(Clone, PartialEq, Debug)]
enum Piece {
    Word(String),
    Any,
    /// What is destroyed; `true`: may be missing.
    Target(bool),
}

/// An option that must be there.
#[derive(Clone, Debug)]
struct Demand {
    name: String,
    target: bool,
}

#[derive(Clone, PartialEq, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CommandSource {
    /// The command: its words, `<name>` for what it is done to, `<name?>` where that may be missing.
    r#match: String,
    /// What the command does.
    role: Role,
    /// A command line that this row matches; it is checked.
    example: String,
    /// What a find says when there is no such thing.
    #[serde(default)]
    absence: Absence,
    /// Others live in the space it works on.
    #[serde(default)]
    shared: bool,
    /// It reaches further than one namespace, whatever its options.
    #[serde(default)]
    wide: bool,
    /// What it is done to, in the singular, as messages name it.
    noun: Option<String>,
    /// The options that restrict it.
    #[serde(default)]
    scope: Vec<OptionScope>,
    /// The options by which it is done to everything.
    #[serde(default)]
    all: Vec<String>,
    /// The options that take a value.
    #[serde(default)]
    values: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct OptionScope {
    kind: ScopeKind,
    options: Vec<String>,
}

impl CommandSource {
    pub(super) fn pattern(&self) -> &str {
        &self.r#match
    }
}

/// The rows of a source row: one for each way its braces can be read.
pub(super) fn read_command(s: CommandSource, library: Sym) -> Result<Vec<CommandRow>, String> {
    if s.example.trim().is_empty() {
        return Err("the example is empty".into());
    }
    let make = |text: String| {
        let (words, options) = pieces(&text)?;
        Ok(CommandRow {
            library,
            role: s.role,
            absence: s.absence,
            shared: s.shared,
            wide: s.wide,
            noun: s.noun.as_deref().map(sym),
            example: s.example.clone(),
            scope: s.scope.iter().map(|x| (x.kind, x.options.clone())).collect(),
            all: s.all.clone(),
            values: s.values.clone(),
            pattern: text,
            words,
            options,
        })
    };
    braces(&s.r#match)?.into_iter().map(make).collect()
}

fn pieces(text: &str) -> Result<(Vec<Piece>, Vec<Demand>), String> {
    let (mut words, mut options) = (Vec::new(), Vec::<Demand>::new());
    let mut after_option = false;
    for word in text.split_whitespace() {
        let target = word.strip_prefix('<').and_then(|w| w.strip_suffix('>'));
        match target {
            Some(_) if after_option => {
                if let Some(last) = options.last_mut() {
                    last.target = true;
                }
            }
            Some(name) => words.push(Piece::Target(name.ends_with('?'))),
            None if word == "*" => words.push(Piece::Any),
            None if word.starts_with('-') => options.push(Demand { name: word.to_string(), target: false }),
            None => words.push(Piece::Word(word.to_string())),
        }
        after_option = word.starts_with('-');
    }
    match words.first() {
        Some(Piece::Word(_)) => Ok((words, options)),
        _ => Err("a command starts with the name of its program".into()),
    }
}

impl super::Vocab {
    /// The command row of an id.
    pub fn command_row(&self, id: CommandId) -> &CommandRow {
        &self.commands[id.0 as usize]
    }
    /// Every command row, in order.
    pub fn command_rows(&self) -> impl Iterator<Item = (CommandId, &CommandRow)> {
        self.commands.iter().enumerate().map(|(i, r)| (CommandId(i as u32), r))
    }
    /// What a command line does. The row that writes out more words counts, then the earlier one.
    pub fn command(&self, words: &[CommandWord]) -> Option<CommandMatch> {
        let words = program(words);
        let fits = self.command_rows().filter_map(|(id, row)| Some((row.weight(), row.fits(id, words)?)));
        fits.reduce(|a, b| if (b.1.backed, b.0) > (a.1.backed, a.0) { b } else { a }).map(|m| m.1)
    }
}

/// The command without what runs it: `sudo -n`, `env A=b`, `timeout 30`, `ssh host`.
fn program(words: &[CommandWord]) -> &[CommandWord] {
    let mut rest = words;
    while let Some((CommandWord::Word(first), after)) = rest.split_first() {
        if base(first) == "ssh" {
            match elsewhere(after) {
                Some(there) => rest = there,
                None => break,
            }
            continue;
        }
        let skip_numbers = match base(first) {
            "sudo" | "env" | "nohup" | "exec" | "time" | "nice" | "ionice" => false,
            "timeout" => true,
            _ => break,
        };
        let skipped = |w: &CommandWord| match w {
            CommandWord::Word(t) => {
                t.starts_with('-') || t.contains('=') || (skip_numbers && t.starts_with(|c: char| c.is_ascii_digit()))
            }
            CommandWord::Hole(_) => false,
            CommandWord::Joined(t, _) => t.contains('='),
        };
        rest = &after[after.iter().take_while(|w| skipped(w)).count()..];
    }
    rest
}

/// What is run on another host: the words behind `-p 22 host`.
fn elsewhere(words: &[CommandWord]) -> Option<&[CommandWord]> {
    let mut rest = words;
    while let Some((CommandWord::Word(option), after)) = rest.split_first()
        && option.starts_with('-')
    {
        let own =
            option.len() == 2 && option.ends_with(['p', 'i', 'o', 'l', 'F', 'J', 'c', 'm', 'b', 'e', 'S', 'L', 'R']);
        rest = after.get(usize::from(own)..)?;
    }
    rest.get(1..).filter(|there| !there.is_empty())
}

fn base(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

/// A command line with its options taken out.
#[derive(Default)]
struct Parted<'a> {
    words: Vec<&'a CommandWord>,
    /// An option, its value, and the words that follow it up to the next option.
    options: Vec<(&'a str, Option<CommandWord>, Vec<&'a CommandWord>)>,
}

impl CommandRow {
    fn weight(&self) -> usize {
        let written = self.words.iter().filter(|w| matches!(w, Piece::Word(_))).count();
        4 * (written + self.options.len()) + self.words.len()
    }

    fn fits(&self, id: CommandId, line: &[CommandWord]) -> Option<CommandMatch> {
        let (first, after) = line.split_first()?;
        let Some(Piece::Word(program)) = self.words.first() else { return None };
        let backed = match first {
            CommandWord::Word(w) if base(w) == program => true,
            // A program that is configured: two more words must agree.
            CommandWord::Hole(_) if self.words.iter().filter(|w| matches!(w, Piece::Word(_))).count() > 2 => false,
            CommandWord::Hole(_) if program.starts_with("kube") || program == "oc" => false,
            _ => return None,
        };
        let parted = self.parted(after);
        let mut target = self.words_fit(&parted)?;
        for demand in &self.options {
            let (_, value, more) = parted.options.iter().find(|o| o.0 == demand.name)?;
            if demand.target {
                target.extend(value.iter().cloned());
                target.extend(more.iter().map(|w| (*w).clone()));
            }
        }
        let mut scope = Vec::new();
        for (kind, names) in &self.scope {
            for (_, value, _) in parted.options.iter().filter(|o| names.iter().any(|n| n == o.0)) {
                scope.extend(value.clone().map(|v| (*kind, v)));
            }
        }
        let all = parted.options.iter().any(|o| self.all.iter().any(|a| a == o.0));
        Some(CommandMatch { row: id, backed, target, scope, all })
    }

    fn takes_value(&self, option: &str) -> bool {
        self.values.iter().any(|v| v == option)
            || self.scope.iter().any(|s| s.1.iter().any(|n| n == option))
            || self.options.iter().any(|d| d.target && d.name == option)
    }

    fn parted<'a>(&self, line: &'a [CommandWord]) -> Parted<'a> {
        let mut out = Parted::default();
        let mut rest = line.iter();
        let mut plain = false;
        while let Some(word) = rest.next() {
            match word {
                CommandWord::Word(w) if w == "--" => plain = true,
                CommandWord::Word(w) if !plain && w.starts_with('-') && w.len() > 1 => match w.split_once('=') {
                    Some((name, value)) => out.options.push((name, Some(CommandWord::Word(value.into())), Vec::new())),
                    None if self.takes_value(w) => out.options.push((w, rest.next().cloned(), Vec::new())),
                    None => out.options.push((w, None, Vec::new())),
                },
                CommandWord::Joined(w, value) if !plain && w.starts_with('-') => {
                    let (name, text) = w.split_once('=').unwrap_or((w, ""));
                    let value = match text {
                        "" => CommandWord::Hole(*value),
                        _ => CommandWord::Joined(text.into(), *value),
                    };
                    out.options.push((name, Some(value), Vec::new()));
                }
                _ => {
                    if let Some(last) = out.options.last_mut() {
                        last.2.push(word);
                    }
                    out.words.push(word);
                }
            }
        }
        out
    }

    /// The words that stand for the target, where the words fit.
    fn words_fit(&self, parted: &Parted) -> Option<Vec<CommandWord>> {
        // What follows a demanded option with a value is its own.
        let own: Vec<_> = (self.options.iter().filter(|d| d.target))
            .filter_map(|d| parted.options.iter().find(|o| o.0 == d.name))
            .flat_map(|o| o.2.iter())
            .collect();
        let mut words = parted.words.iter().filter(|w| !own.iter().any(|o| std::ptr::eq(**o, **w))).copied().peekable();
        let mut target = Vec::new();
        for (i, piece) in self.words.iter().enumerate().skip(1) {
            match piece {
                Piece::Target(optional) => {
                    let last = i + 1 == self.words.len();
                    let most = if last { usize::MAX } else { 1 };
                    target.extend(words.by_ref().take(most).cloned());
                    if target.is_empty() && !optional {
                        return None;
                    }
                }
                Piece::Any => _ = words.next()?,
                Piece::Word(want) => match words.next()? {
                    CommandWord::Word(w) if w == want => {}
                    _ => return None,
                },
            }
        }
        words.next().is_none().then_some(target)
    }
}

/// A command line out of an expression: an argv list (also one made of parts), or a text as a shell would split it.
/// Nothing where no word of it is written out.
pub fn command_words(arena: &Arena, e: ExprId) -> Option<Vec<CommandWord>> {
    let mut out = Vec::new();
    match arena.get(e) {
        Expr::Lit(Lit::Str(_)) | Expr::Format(_) => text_words(arena, e, &mut out),
        _ => list_words(arena, e, &mut out, 64),
    }
    // `sh -c "kubectl delete .."` is the text.
    if let [CommandWord::Word(shell), CommandWord::Word(c), CommandWord::Word(text), ..] = out.as_slice()
        && matches!(base(shell), "sh" | "bash")
        && c.starts_with('-')
        && c.ends_with('c')
    {
        out = split(text).into_iter().map(CommandWord::Word).collect();
    }
    out.iter().any(|w| matches!(w, CommandWord::Word(_))).then_some(out)
}

fn list_words(arena: &Arena, e: ExprId, out: &mut Vec<CommandWord>, depth: usize) {
    if depth == 0 {
        return;
    }
    match arena.get(e) {
        Expr::Binary(Bin::Union | Bin::Add, a, b) => {
            list_words(arena, *a, out, depth - 1);
            list_words(arena, *b, out, depth - 1);
        }
        Expr::Record(parts) => parts.iter().for_each(|p| word(arena, p.1, out)),
        Expr::One(x) => word(arena, *x, out),
        Expr::Lit(Lit::Empty) => {}
        // Of two ways to go on, the one that says something.
        Expr::Choose(_, a, b) => {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            list_words(arena, *a, &mut one, depth - 1);
            let says = |words: &[CommandWord]| words.iter().any(|w| !matches!(w, CommandWord::Hole(_)));
            if !says(&one) {
                list_words(arena, *b, &mut other, depth - 1);
            }
            let first = says(&one) || !says(&other) && !matches!(arena.get(*a), Expr::Lit(_));
            out.append(if first { &mut one } else { &mut other });
        }
        _ => out.push(CommandWord::Hole(e)),
    }
}

fn word(arena: &Arena, e: ExprId, out: &mut Vec<CommandWord>) {
    match arena.get(e) {
        Expr::Lit(Lit::Str(s)) => out.push(CommandWord::Word(s.to_string())),
        Expr::Format(parts) => out.push(match (parts.first().and_then(|p| arena.as_str(*p)), parts.as_slice()) {
            (Some(head), [_, tail]) => CommandWord::Joined(head.to_string(), *tail),
            (Some(head), _) => CommandWord::Joined(head.to_string(), e),
            (None, _) => CommandWord::Hole(e),
        }),
        _ => out.push(CommandWord::Hole(e)),
    }
}

/// `f"kubectl delete pod {name} -n {ns}"`: its text split at blanks, its values as words or ends of words.
fn text_words(arena: &Arena, e: ExprId, out: &mut Vec<CommandWord>) {
    let parts = match arena.get(e) {
        Expr::Format(parts) => parts.clone(),
        _ => vec![e],
    };
    let mut open = String::new();
    for part in parts {
        match arena.as_str(part) {
            Some(text) => {
                let joined = format!("{open}{text}");
                let ends = joined.ends_with(char::is_whitespace);
                let mut words = split(&joined);
                open = if ends { String::new() } else { words.pop().unwrap_or_default() };
                out.extend(words.into_iter().map(CommandWord::Word));
            }
            None if open.is_empty() => out.push(CommandWord::Hole(part)),
            None => out.push(CommandWord::Joined(std::mem::take(&mut open), part)),
        }
    }
    if !open.is_empty() {
        out.push(CommandWord::Word(open));
    }
}

/// A text at its blanks, without the quotes around words. What stands after a pipe or `&&` is another command and left
/// out; a redirection too.
fn split(text: &str) -> Vec<String> {
    let (mut out, mut word, mut quote, mut some) = (Vec::new(), String::new(), None, false);
    for c in text.chars() {
        match (c, quote) {
            ('\'' | '"', None) => (quote, some) = (Some(c), true),
            (c, Some(q)) if c == q => quote = None,
            (c, None) if c.is_whitespace() => {
                if some || !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
                some = false;
            }
            _ => word.push(c),
        }
    }
    if some || !word.is_empty() {
        out.push(word);
    }
    let end =
        out.iter().position(|w| matches!(w.as_str(), "|" | "||" | "&&" | ";" | ">" | "2>" | "2>&1" | "2>/dev/null"));
    out.truncate(end.unwrap_or(out.len()));
    out
}
