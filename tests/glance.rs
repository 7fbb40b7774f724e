//! A glance at a function says whether a call that stands in it may destroy anything, and errs on one side.

use reaplint::check::triggers;
use reaplint::index;
use reaplint::project::Project;
use reaplint::source::{FileId, Language, SourceFile, Sources};
use reaplint::vocab::builtin;

const HEAD: &str = r#"package tide
import (
    "database/sql"
    "os"
    "time"
)
type Store struct { db *sql.DB }
func (s *Store) send(text string) error { _, err := s.db.Exec(text); return err }
func (s *Store) removeOld(paths []string) { for _, p := range paths { os.RemoveAll(p) } }
func (s *Store) rows() *Table { return open(s) }
func (s *Store) seen() map[string]bool { return map[string]bool{} }
func collect(into *[]string) { *into = append(*into, "a") }
func walk(f func(string)) { f("a") }
type List struct { Paths []string }
func (l *List) fillPaths() { l.Paths = append(l.Paths, "a") }
func each(paths []string, f func(string) error) { for _, p := range paths { f(p) } }
"#;

/// Of the function `f` behind the head.
fn may_destroy(body: &str) -> bool {
    let text = format!("{HEAD}func (s *Store) f(paths []string, at time.Time) {{\n{body}\n}}\n");
    let vocab = builtin();
    let file = SourceFile { id: FileId(0), path: "tide.go".into(), language: Language::Go, text: text.as_str().into() };
    let indexes = vec![index::index(Language::Go, &text, &triggers(&vocab))];
    let last = indexes[0].defs.len() as u32 - 1;
    let sources = Sources { files: vec![file] };
    let project = Project::new(&sources, &vocab, indexes);
    project.may_destroy_itself(project.key(FileId(0), last))
}

#[test]
fn what_helpers_destroy_is_destroyed_in_them() {
    assert!(!may_destroy("s.removeOld(paths)"));
    assert!(!may_destroy("if len(paths) > 0 { s.removeOld(paths) }"));
    assert!(!may_destroy("known := map[string]bool{}; delete(known, \"a\")"));
}

#[test]
fn a_call_that_stands_here_is_seen() {
    assert!(may_destroy("os.RemoveAll(paths[0])"));
    assert!(may_destroy("for _, p := range paths { defer os.Remove(p) }"));
    assert!(may_destroy("go func() { os.RemoveAll(paths[0]) }()"));
}

#[test]
fn what_a_helper_is_given_to_do_is_not_ruled_out() {
    assert!(may_destroy("each(paths, os.Remove)"));
    assert!(may_destroy("each(paths, func(p string) error { return os.Remove(p) })"));
    assert!(may_destroy("s.send(\"DELETE FROM boats\")"));
    assert!(!may_destroy("s.send(\"SELECT deleted FROM boats\")"));
}

#[test]
fn what_a_helper_may_have_filled_is_not_empty() {
    assert!(may_destroy("var old []string; collect(&old); for _, p := range old { os.Remove(p) }"));
    assert!(may_destroy("old := &List{Paths: nil}; old.fillPaths(); for _, p := range old.Paths { os.Remove(p) }"));
    assert!(may_destroy(
        "var old []string; walk(func(p string) { old = append(old, p) }); for _, p := range old { os.Remove(p) }"
    ));
    assert!(!may_destroy("var old []string; for _, p := range old { os.Remove(p) }"));
}

#[test]
fn what_a_helper_gave_may_be_anything() {
    assert!(may_destroy("s.rows().Delete(paths[0])"));
    assert!(may_destroy("rows := s.rows(); rows.Delete(paths[0])"));
}
