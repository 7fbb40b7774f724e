//! Command lines, word by word: of scripts, Makefiles, Dockerfiles, and of the texts in YAML that are run.
//!
//! ```sh
//! kubectl apply -f "$dir" --prune -l app=web      kubectl | apply | -f | $dir (not written out) | --prune | -l | app=web
//! kubectl get pods | xargs kubectl delete         two commands
//! run: kubectl -n ${{ env.NS }} delete job x      (YAML) an expression is a word that is not written out
//! ```
//! What a command means is no business of this layer; pipelines are not followed.

use crate::source::{FileId, Span};
use std::cell::RefCell;
use tree_sitter::{Node, Parser};

/// A command with its words.
#[derive(Clone, PartialEq, Debug)]
pub struct CommandLine {
    /// The words, the command's name first.
    pub words: Vec<Word>,
    /// Its place, on its first line.
    pub at: Span,
    /// Is it run where it stands, rather than told in a text that may be about anything?
    pub run: bool,
}

/// A word of a command.
#[derive(Clone, PartialEq, Debug)]
pub struct Word {
    /// Its text, without quotes.
    pub text: String,
    /// Is it wholly written out?
    pub literal: bool,
    /// Its place.
    pub at: Span,
}

impl CommandLine {
    /// The command's name, without folders.
    pub fn name(&self) -> &str {
        self.words.first().map_or("", |w| w.text.rsplit('/').next().unwrap_or_default())
    }

    /// Is a word among its words?
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w.text == word)
    }

    /// The value of a flag: `-l x`, `-lx`, `--selector x`, `--selector=x`.
    pub fn flag(&self, short: Option<&str>, long: &str) -> Option<Word> {
        let mut words = self.words.iter().skip(1).peekable();
        while let Some(word) = words.next() {
            if word.text == long || short.is_some_and(|s| word.text == s) {
                return words.peek().map(|w| (*w).clone());
            }
            let joined = word.text.strip_prefix(long).and_then(|rest| rest.strip_prefix('='));
            let short = short.and_then(|s| word.text.strip_prefix(s)).filter(|_| !word.text.starts_with("--"));
            if let Some(text) = joined.or(short.map(|s| s.strip_prefix('=').unwrap_or(s))).filter(|t| !t.is_empty()) {
                return Some(Word { text: text.to_owned(), ..word.clone() });
            }
        }
        None
    }
}

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// The commands of a text that starts at a byte of a file. Text that is no shell has fewer.
pub fn commands(file: FileId, text: &str, base: usize, run: bool) -> Vec<CommandLine> {
    let masked = masked(text);
    let tree = PARSER.with_borrow_mut(|parser| {
        let parser = parser.get_or_insert_with(|| {
            let mut parser = Parser::new();
            // A grammar of another version is a fault of the build, and leaves the text without commands.
            let _ = parser.set_language(&tree_sitter_bash::LANGUAGE.into());
            parser
        });
        parser.parse(&masked, None)
    });
    let Some(tree) = tree else { return vec![] };
    let (mut out, mut cursor) = (vec![], tree.walk());
    // In order, without recursion: scripts nest as deep as they like.
    loop {
        let node = cursor.node();
        if node.kind() == "command" {
            out.extend(command(file, &masked, base, node, run));
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return out;
            }
        }
    }
}

/// Expressions of other languages, as variables of the same length.
fn masked(text: &str) -> String {
    let mut out = text.to_owned();
    for (open, close) in [("${{", "}}"), ("{{", "}}")] {
        let mut at = 0;
        while let Some(start) = out.get(at..).and_then(|rest| rest.find(open)).map(|n| at + n) {
            let Some(end) = out.get(start..).and_then(|rest| rest.find(close)).map(|n| start + n + close.len()) else {
                break;
            };
            let word: String = std::iter::once('$').chain(std::iter::repeat_n('x', end - start - 1)).collect();
            out.replace_range(start..end, &word);
            at = end;
        }
    }
    out
}

fn command(file: FileId, text: &str, base: usize, node: Node, run: bool) -> Option<CommandLine> {
    let mut cursor = node.walk();
    let words: Vec<Word> = node
        .children(&mut cursor)
        .filter(|n| !matches!(n.kind(), "variable_assignment" | "file_redirect" | "herestring_redirect" | "comment"))
        .filter_map(|n| word(file, text, base, n))
        .collect();
    let first = words.first()?;
    // What is set for it stands before its name, and may go over several lines.
    let start = (first.at.start as usize).checked_sub(base)?;
    let end = text.get(start..node.end_byte())?.find('\n').map_or(node.end_byte(), |n| start + n);
    let at = Span { end: (base + end) as u32, ..first.at };
    Some(CommandLine { at, words, run })
}

fn word(file: FileId, text: &str, base: usize, node: Node) -> Option<Word> {
    let raw = text.get(node.byte_range())?;
    let literal = !raw.contains('$') && !raw.contains('`');
    let text: String = raw.chars().filter(|c| !matches!(c, '"' | '\'' | '\\')).collect();
    let at = Span::new(file, base + node.start_byte(), base + node.end_byte());
    Some(Word { text, literal, at })
}

/// The recipes of a Makefile, or the commands of a file that builds an image, each of which begins with a `step`: everything
/// else is blank, so that places stay.
pub fn recipes(text: &str, step: Option<&str>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut goes_on = false;
    for line in text.split_inclusive('\n') {
        let first = !goes_on;
        let runs = goes_on || step.map_or(line.starts_with('\t'), |s| line.trim_start().starts_with(s));
        goes_on = runs && line.trim_end().ends_with('\\');
        let blank = |s: &str| s.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect::<String>();
        if !runs || !line.is_ascii() {
            // A character of several bytes is as many blanks.
            out.extend(line.bytes().map(|b| if b == b'\n' { '\n' } else { ' ' }));
            continue;
        }
        let body = line.trim_start_matches([' ', '\t']);
        let body = if !first {
            body
        } else if let Some(step) = step {
            body.strip_prefix(step).unwrap_or(body)
        } else {
            body.trim_start_matches(['@', '-', '+'])
        };
        out.push_str(&blank(line.get(..line.len() - body.len()).unwrap_or_default()));
        out.push_str(body);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Vec<String>> {
        let words =
            |c: CommandLine| c.words.into_iter().map(|w| if w.literal { w.text } else { format!("?{}", w.text) });
        commands(FileId(0), text, 0, true).into_iter().map(|c| words(c).collect()).collect()
    }

    #[test]
    fn words_of_commands() {
        assert_eq!(
            read("A=1 kubectl apply -f \"$dir\" \\\n  --prune -l 'app=web' >x || true"),
            [vec!["kubectl", "apply", "-f", "?$dir", "--prune", "-l", "app=web"], vec!["true"]]
        );
        assert_eq!(read("if a; then b | xargs c; fi"), [vec!["a"], vec!["b"], vec!["xargs", "c"]]);
        assert_eq!(read("kubectl -n ${{ env.NS }} get x")[0][2].chars().next(), Some('?'));
        assert!(read("").is_empty() && !read("\u{0}((((").is_empty() || read("((((").is_empty());
    }

    #[test]
    fn flags_in_each_form() {
        let flag = |text: &str| commands(FileId(0), text, 0, true)[0].flag(Some("-l"), "--selector").map(|w| w.text);
        for text in ["k x -l a=b", "k -la=b x", "k x --selector a=b", "k --selector=a=b", "k -l=a=b"] {
            assert_eq!(flag(text).as_deref(), Some("a=b"), "{text}");
        }
        assert_eq!(flag("k x --label a"), None);
    }

    #[test]
    fn recipes_alone() {
        let text = "all: é\n\t@kubectl get \\\n\t  pods\nX = 1\n";
        let out = recipes(text, None);
        assert_eq!(out.len(), text.len());
        assert_eq!(read(&out), [vec!["kubectl", "get", "pods"]]);
        let text =
            ".PHONY: a\na:\n\t@kubectl -n p scale deploy,sts \\\n\t\t--selector 'x.y/z' --replicas=0\n\tkubectl get\n";
        assert_eq!(
            read(&recipes(text, None)),
            [
                vec!["kubectl", "-n", "p", "scale", "deploy,sts", "--selector", "x.y/z", "--replicas=0"],
                vec!["kubectl", "get"]
            ]
        );
        assert_eq!(read(&recipes("FROM x\nRUN rm -rf /tmp/a\n", Some("RUN "))), [vec!["rm", "-rf", "/tmp/a"]]);
    }

    #[test]
    fn what_is_set_for_a_command_may_have_lines() {
        let text = "A=\"1\n2\" kubectl get pods \\\n  -A";
        let all = commands(FileId(0), text, 7, true);
        let at = all[0].at;
        assert_eq!(text.get(at.start as usize - 7..at.end as usize - 7), Some("kubectl get pods \\"));
    }

    #[test]
    fn hostile_nesting_ends() {
        commands(FileId(0), &"$(".repeat(20_000), 0, true);
        commands(FileId(0), &"{ ".repeat(20_000), 0, true);
    }
}
