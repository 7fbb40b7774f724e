//! Comments that suppress findings, written into the text.
//!
//! ```python
//!     # reaplint: ignore[delete-on-absence] this account is ours alone      alone, above the statement
//!     cloud.delete_vm(vm.name)
//! ```
//! A comment that is there already and speaks of the same line gets the rule's name besides its own. Where no comment can
//! stand above, in the middle of a line that goes on, it stands at the end of the statement; where none can stand there
//! either, as in JSON, there is none. Whether what was written is read as a comment is asked of the lexer that reads it.

use super::comments::{self, Comment};
use super::directive;
use crate::report::lines::{Lines, Places};
use crate::rules::{Edit, Finding, RULES};
use crate::source::{FileId, Language, SourceFile, Span};
use std::collections::BTreeMap;
use std::ops::Range;

/// An edit, and the findings that it suppresses by their numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Added {
    /// Writes or extends a comment.
    pub edit: Edit,
    /// Which findings.
    pub findings: Vec<usize>,
}

/// The edits that suppress findings, one a statement; what cannot be suppressed by a comment is in none.
pub fn comments(findings: &[&Finding], places: &Places<'_>, reason: &str) -> Vec<Added> {
    let mut statements: BTreeMap<(FileId, usize), (Range<usize>, Vec<usize>)> = BTreeMap::new();
    for (number, finding) in findings.iter().enumerate() {
        let lines = lines_of(finding, places);
        let known = statements.entry((finding.at.file, lines.start)).or_insert((lines.clone(), vec![]));
        // The comment at the end must stand on a line of each.
        known.0.end = known.0.end.min(lines.end);
        known.1.push(number);
    }
    let mut out: Vec<Added> = vec![];
    for ((file, _), (lines, numbers)) in statements {
        let mut rules: Vec<&str> = numbers.iter().filter_map(|n| findings.get(*n)).map(|f| f.rule.name).collect();
        rules.sort_unstable();
        rules.dedup();
        let text = Text { file: places.sources().get(file), lines: places.lines(file) };
        let taken = |edit: &Edit| out.iter().any(|other| other.edit.span == edit.span);
        if let Some(edit) = text.edit(lines, &rules, reason).filter(|edit| !taken(edit)) {
            out.push(Added { edit, findings: numbers });
        }
    }
    out
}

/// The lines, from 0, of the statement around a finding; of the finding itself where they are not known.
fn lines_of(finding: &Finding, places: &Places<'_>) -> Range<usize> {
    let whole = if finding.statement.contains(finding.at) { finding.statement } else { finding.at };
    let lines = places.lines(whole.file);
    lines.line_at(whole.start)..lines.line_at(whole.end.max(whole.start + 1) - 1) + 1
}

/// What begins a comment; nothing where there are none.
fn opener(file: &SourceFile) -> Option<&'static str> {
    let json = || file.path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json"));
    match file.language {
        Language::Go | Language::Rust => Some("//"),
        Language::Yaml if json() => None,
        _ => Some("#"),
    }
}

/// A reason on one line in which no other comment begins.
pub fn tidy(reason: &str) -> String {
    let words = reason.split_whitespace().map(|word| word.trim_start_matches(['#', '/']).trim_end_matches("*/"));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

struct Text<'a> {
    file: &'a SourceFile,
    lines: &'a Lines<'a>,
}

impl Text<'_> {
    fn line(&self, line: usize) -> &str {
        self.file.text.get(self.lines.range(line)).unwrap_or_default()
    }

    fn edit(&self, lines: Range<usize>, rules: &[&str], reason: &str) -> Option<Edit> {
        let opener = opener(self.file)?;
        let reason = tidy(reason);
        if let Some(edit) = self.joined(&lines, rules, &reason) {
            return Some(edit);
        }
        let comment = format!("{opener} reaplint: ignore[{}] {reason}", rules.join(", "));
        self.above(lines.start, &comment).or_else(|| self.behind(lines.end.checked_sub(1)?, &comment))
    }

    /// Into a comment that speaks of the statement already.
    fn joined(&self, lines: &Range<usize>, rules: &[&str], reason: &str) -> Option<Edit> {
        if !self.file.text.contains(directive::MARK) {
            return None;
        }
        let found = comments::find(self.file.language, &self.file.text);
        let line_of = |c: &Comment| self.lines.line_at(c.start as u32);
        let alone = |line: usize| found.comments.iter().any(|c| c.alone && line_of(c) == line);
        let mut first = lines.start;
        while first.checked_sub(1).is_some_and(alone) {
            first -= 1;
        }
        let near = found.comments.iter().filter(|c| (first..lines.end).contains(&line_of(c)));
        near.rev().find_map(|comment| self.extended(comment, rules, reason))
    }

    /// A comment with more rules and another reason.
    fn extended(&self, comment: &Comment, rules: &[&str], reason: &str) -> Option<Edit> {
        let text = self.file.text.get(comment.start..comment.end)?;
        let (_, Ok(known)) = directive::parse(text, RULES)? else { return None };
        let open = text.find(directive::MARK)? + text.get(text.find(directive::MARK)?..)?.find('[')? + 1;
        let close = open + text.get(open..)?.find(']')?;
        let end = close + text.get(close..)?.find(known.reason.as_str())? + known.reason.len();
        if known.whole_file {
            return None;
        }
        let mut names: Vec<&str> = text.get(open..close)?.split(',').map(str::trim).filter(|n| !n.is_empty()).collect();
        names.extend(rules.iter().filter(|rule| !known.rules.contains(*rule)));
        let said = text.get(close..end)?;
        let more = if known.reason.contains(reason) { String::new() } else { format!("; {reason}") };
        let span = Span::new(self.file.id, comment.start + open, comment.start + end);
        Some(Edit { span, replacement: format!("{}{said}{more}", names.join(", ")) })
    }

    /// A line of its own above a line, as far to the right.
    fn above(&self, line: usize, comment: &str) -> Option<Edit> {
        let own = self.line(line);
        let bom = if line == 0 && own.starts_with('\u{feff}') { 3 } else { 0 };
        let rest = own.get(bom..)?;
        let indent = rest.get(..rest.len() - rest.trim_start_matches([' ', '\t']).len())?;
        let before = line.checked_sub(1).map_or("", |before| self.line(before));
        if before.trim_end().ends_with('\\') || self.folded(line) {
            return None;
        }
        let at = self.lines.range(line).start + bom;
        let text = format!("{indent}{comment}{}", self.line_end());
        self.checked(at, text, at + indent.len(), true)
    }

    /// At the end of a line.
    fn behind(&self, line: usize, comment: &str) -> Option<Edit> {
        let own = self.line(line);
        if own.trim_end().ends_with('\\') || self.folded(line) {
            return None;
        }
        let at = self.lines.range(line).end;
        self.checked(at, format!("  {comment}"), at + 2, false)
    }

    /// What is inserted, if it is read as a comment there.
    fn checked(&self, at: usize, text: String, start: usize, alone: bool) -> Option<Edit> {
        let mut whole = self.file.text.to_string();
        whole.insert_str(at, &text);
        let found = comments::find(self.file.language, &whole);
        let read = found.comments.iter().any(|c| c.start == start && c.alone == alone);
        read.then(|| Edit { span: Span::new(self.file.id, at, at), replacement: text })
    }

    fn line_end(&self) -> &'static str {
        if self.file.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    /// Does a line stand in a text of YAML whose lines are joined to one, or in quotes? A comment there would be text, or end
    /// it. In a text that keeps its lines, it is the shell's.
    fn folded(&self, line: usize) -> bool {
        if self.file.language != Language::Yaml {
            return false;
        }
        let depth = |text: &str| text.len() - text.trim_start_matches(' ').len();
        let (mut inner, mut goes_on) = (depth(self.line(line)), None);
        for above in (0..line).rev().map(|n| self.line(n)).filter(|text| !text.trim().is_empty()) {
            if depth(above) >= inner || above.trim_start().starts_with('#') {
                continue;
            }
            let head = above.split(" #").next().unwrap_or_default().trim_end();
            match block(head) {
                Some('|') => return false,
                Some(_) => return true,
                None => goes_on = goes_on.or(Some(!opens(head, inner))),
            }
            inner = depth(above);
        }
        goes_on.unwrap_or_default()
    }
}

/// The sign with which a line begins a text of several lines: `run: |-`.
fn block(head: &str) -> Option<char> {
    let sign = head.rsplit([' ', ':']).next()?;
    // A pipe between two commands is none.
    let before = head.strip_suffix(sign)?.trim_end();
    let word = before.rsplit(' ').next().unwrap_or_default();
    if !(before.ends_with(':') || word == "-" || word.starts_with(['!', '&'])) {
        return None;
    }
    let mut chars = sign.chars();
    let first = chars.next().filter(|c| matches!(c, '|' | '>'))?;
    chars.all(|c| matches!(c, '-' | '+' | '0'..='9')).then_some(first)
}

/// Does what stands deeper below a line begin anew, rather than go on with the line's own value?
fn opens(head: &str, column: usize) -> bool {
    let content = head.trim_start_matches([' ', '-']);
    // `- name: x`, and below it the next key of the same map.
    let beside = head.len() - content.len() == column && head.trim_start().starts_with('-');
    let action = content.starts_with("{{") || content.starts_with("{%");
    beside || action || content.is_empty() || content.ends_with([':', '{', '[', ','])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use std::sync::Arc;

    /// The text after the rules are suppressed on a line, from 1.
    fn added(name: &str, language: Language, text: &str, lines: Range<usize>, rules: &[&str]) -> Option<String> {
        let file = SourceFile { id: FileId(0), path: name.into(), language, text: Arc::from(text) };
        let sources = Sources { files: vec![file] };
        let places = Places::new(&sources);
        let one = Text { file: sources.get(FileId(0)), lines: places.lines(FileId(0)) };
        let edit = one.edit(lines.start - 1..lines.end - 1, rules, "it is ours")?;
        let mut text = text.to_owned();
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.replacement);
        Some(text)
    }

    fn python(text: &str, lines: Range<usize>, rules: &[&str]) -> Option<String> {
        added("a.py", Language::Python, text, lines, rules)
    }

    const RULE: &[&str] = &["delete-on-absence"];

    #[test]
    fn above_and_as_far_to_the_right() {
        let text = python("if x:\r\n\tgo(\r\n\t\ta)\r\n", 2..4, RULE).expect("an edit");
        assert_eq!(text, "if x:\r\n\t# reaplint: ignore[delete-on-absence] it is ours\r\n\tgo(\r\n\t\ta)\r\n");
        let text = added("a.go", Language::Go, "\tgo()\n", 1..2, RULE).expect("an edit");
        assert_eq!(text, "\t// reaplint: ignore[delete-on-absence] it is ours\n\tgo()\n");
        let text = python("\u{feff}go()", 1..2, RULE).expect("an edit");
        assert_eq!(text, "\u{feff}# reaplint: ignore[delete-on-absence] it is ours\ngo()");
    }

    #[test]
    fn a_comment_that_is_there_names_both() {
        let text = "# reaplint: ignore[unscoped-sweep] one account  # noqa\n# more\ngo()\n";
        let wanted =
            "# reaplint: ignore[unscoped-sweep, delete-on-absence] one account; it is ours  # noqa\n# more\ngo()\n";
        assert_eq!(python(text, 3..4, RULE).as_deref(), Some(wanted));
        assert_eq!(python(wanted, 3..4, RULE).as_deref(), Some(wanted), "a second time nothing changes");
        let text = "go()  # reaplint: ignore[unscoped-sweep]: it is ours\n";
        let wanted = "go()  # reaplint: ignore[unscoped-sweep, delete-on-absence]: it is ours\n";
        assert_eq!(python(text, 1..2, RULE).as_deref(), Some(wanted));
    }

    #[test]
    fn comments_that_speak_of_something_else_stay() {
        let text = "# reaplint: ignore[unscoped-sweep] ours\na()\ngo()\n";
        let wanted =
            "# reaplint: ignore[unscoped-sweep] ours\na()\n# reaplint: ignore[delete-on-absence] it is ours\ngo()\n";
        assert_eq!(python(text, 3..4, RULE).as_deref(), Some(wanted));
        let text = "# reaplint: file-ignore[unscoped-sweep] ours\ngo()\n";
        assert!(python(text, 2..3, RULE).expect("an edit").contains("ours\n# reaplint: ignore[delete-on-absence]"));
    }

    #[test]
    fn at_the_end_where_none_can_stand_above() {
        let text = "a(); \\\ngo()\n";
        let wanted = "a(); \\\ngo()  # reaplint: ignore[delete-on-absence] it is ours\n";
        assert_eq!(python(text, 2..3, RULE).as_deref(), Some(wanted));
        let text = "x = '''\n'''; go()\n";
        let wanted = "x = '''\n'''; go()  # reaplint: ignore[delete-on-absence] it is ours\n";
        assert_eq!(python(text, 2..3, RULE).as_deref(), Some(wanted));
    }

    #[test]
    fn nowhere() {
        assert_eq!(added("a.json", Language::Yaml, "{}\n", 1..2, RULE), None);
        let folded = "run: >-\n  kubectl get x |\n  xargs kubectl delete\n";
        assert_eq!(added("a.yaml", Language::Yaml, folded, 3..4, RULE), None);
        let quoted = "run: \"kubectl get x |\n  xargs kubectl delete\"\n";
        assert_eq!(added("a.yaml", Language::Yaml, quoted, 2..3, RULE), None);
        let plain = "- run: kubectl get x |\n    xargs kubectl delete\n";
        assert_eq!(added("a.yaml", Language::Yaml, plain, 2..3, RULE), None);
        let literal = "run: |\n  kubectl get x\n  kubectl delete y\n";
        assert!(added("a.yaml", Language::Yaml, literal, 3..4, RULE).is_some());
        let nested = "run: |-  # all\n  for x in y: do\n    kubectl delete $x\n  done\n";
        assert!(added("a.yaml", Language::Yaml, nested, 3..4, RULE).is_some());
        for map in ["a:\n  b: c\n", "- a: b\n  c: d\n", "a: {\n  b: c}\n", "{{ if x }}\n  b: c\n", "-\n  b: c\n"] {
            assert!(added("a.yaml", Language::Yaml, map, 2..3, RULE).is_some(), "{map}");
        }
    }

    #[test]
    fn reasons_stay_on_their_line() {
        assert_eq!(tidy("ours\n alone #1 // */ yes"), "ours alone 1 yes");
    }
}
