//! Suppression comments, over findings made by hand.

mod hand;

use hand::Hand;
use reaplint::report::lines::Places;
use reaplint::report::summary;
use reaplint::rules::{Finding, Rule};
use reaplint::suppress;

static RULES: &[&Rule] = &[&hand::ABSENCE, &hand::SWEEP, &hand::GRACE];

/// Two rules on `api.delete_lab(...)`, the whole call being the statement: what stays, and what is said.
fn sorted(text: &str) -> (Vec<&'static str>, Vec<String>) {
    sorted_in("janitor.py", text)
}

/// The same in a file of another language.
fn sorted_in(name: &str, text: &str) -> (Vec<&'static str>, Vec<String>) {
    let mut hand = Hand::new(&[(name, text)]);
    let start = text.find("api.delete_lab(").expect("a call");
    let end = start + text[start..].find(')').expect("its end") + 1;
    let absence = hand.finding(&hand::ABSENCE, 0, "delete_lab", &text[start..end]);
    let sweep = Finding { rule: &hand::SWEEP, ..absence.clone() };
    hand.findings = vec![absence, sweep];
    let places = Places::new(&hand.sources);
    let sorted = suppress::sort(hand.findings.clone(), &places, RULES, |rule, _| rule != hand::GRACE.name);
    let kept = sorted.kept.iter().map(|finding| finding.rule.name).collect();
    let remarks = summary::remarks(&sorted.remarks, &places);
    (kept, remarks.lines().map(str::to_owned).collect())
}

fn kept(text: &str) -> Vec<&'static str> {
    sorted(text).0
}

const BOTH: [&str; 2] = ["delete-on-absence", "unscoped-sweep"];

#[test]
fn on_the_line_on_a_line_of_the_statement_or_alone_above() {
    let comment = "# reaplint: ignore[delete-on-absence] ours alone";
    for text in [
        format!("api.delete_lab(x)  {comment}\n"),
        format!("api.delete_lab(  {comment}\n    x,\n)\n"),
        format!("api.delete_lab(\n    x,  {comment}\n)\n"),
        format!("api.delete_lab(\n    {comment}\n    x,\n)\n"),
        format!("api.delete_lab(\r\n    x,\r\n)  {comment}\r\n"),
        format!("if y:\n    {comment}\n    api.delete_lab(x)\n"),
        format!(
            "if y:\n    {comment}\n    # more\n    # reaplint: ignore[missing-grace-period] x\n    api.delete_lab(x)\n"
        ),
    ] {
        assert_eq!(sorted(&text), (vec!["unscoped-sweep"], vec![]), "{text}");
    }
}

#[test]
fn not_elsewhere() {
    let comment = "# reaplint: ignore[delete-on-absence] ours alone";
    for text in [
        format!("x = 1  {comment}\napi.delete_lab(x)\n"),
        format!("api.delete_lab(x)\n{comment}\n"),
        format!("{comment}\n\napi.delete_lab(x)\n"),
        format!("{comment}\ny = 1\napi.delete_lab(x)\n"),
    ] {
        let (kept, remarks) = sorted(&text);
        assert_eq!(kept, BOTH, "{text}");
        assert!(remarks[0].contains("nothing to suppress here for `delete-on-absence`"), "{remarks:?}");
    }
    assert_eq!(kept(&format!("x = '{comment}'; api.delete_lab(x)\n")), BOTH, "a string is no comment");
}

#[test]
fn several_rules_at_once() {
    assert_eq!(kept("api.delete_lab(x)  # reaplint: ignore[delete-on-absence, unscoped-sweep] ours\n"), [""; 0]);
}

#[test]
fn a_whole_file_by_its_head() {
    let comment = "# reaplint: file-ignore[unscoped-sweep] one tenant";
    assert_eq!(
        kept(&format!("#!/usr/bin/env python\n'''Doc.'''\n{comment}\nimport api\napi.delete_lab(x)\n")),
        [BOTH[0]]
    );
    let (kept, remarks) = sorted(&format!("import api\n{comment}\napi.delete_lab(x)\n"));
    assert_eq!(kept, BOTH);
    let wanted =
        "warning: janitor.py:2:1: `file-ignore[unscoped-sweep]` counts only above the first statement: move it up";
    assert_eq!(remarks, [wanted]);
}

#[test]
fn without_rules_or_reason_nothing_is_suppressed_and_that_is_said() {
    let (kept, remarks) = sorted("api.delete_lab(x)  # reaplint: ignore\n");
    assert_eq!(kept, BOTH);
    let wanted = "warning: janitor.py:1:20: this names no rule, so it suppresses nothing: write `ignore[rule] reason`";
    assert_eq!(remarks, [wanted]);
    let (kept, remarks) = sorted("api.delete_lab(x)  # reaplint: ignore[delete-on-absence]\n");
    assert_eq!(kept, BOTH);
    assert!(remarks[0].contains("gives no reason"), "{remarks:?}");
}

#[test]
fn an_unknown_rule_is_named_and_the_known_one_beside_it_holds() {
    let (kept, remarks) = sorted("api.delete_lab(x)  # reaplint: ignore[delete-on-abcense, unscoped-sweep] ours\n");
    assert_eq!(kept, [BOTH[0]]);
    assert_eq!(remarks.len(), 1);
    assert!(remarks[0].contains("did you mean `delete-on-absence`?"), "{remarks:?}");
}

#[test]
fn unused_only_for_rules_that_ran() {
    let (_, remarks) = sorted("api.delete_lab(x)  # reaplint: ignore[missing-grace-period] it did not run\n");
    assert_eq!(remarks, [""; 0]);
}

#[test]
fn in_go_and_rust() {
    let comment = "// reaplint: ignore[delete-on-absence] ours alone";
    for name in ["janitor.go", "janitor.rs"] {
        for text in [
            format!("api.delete_lab(x) {comment}\n"),
            format!("f() {{\n\t{comment}\n\tapi.delete_lab(\n\t\tx,\n\t)\n}}\n"),
            format!("api.delete_lab(\n\tx, {comment}\n)\n"),
            "/* reaplint: ignore[delete-on-absence] ours alone */\napi.delete_lab(x)\n".to_owned(),
            "api.delete_lab(x) /* reaplint: ignore[delete-on-absence] ours alone */\n".to_owned(),
        ] {
            assert_eq!(sorted_in(name, &text), (vec!["unscoped-sweep"], vec![]), "{name} {text}");
        }
        let text = format!("x = \"{comment}\"; api.delete_lab(x)\n");
        assert_eq!(sorted_in(name, &text), (BOTH.to_vec(), vec![]), "a string is no comment: {name}");
        let (kept, remarks) = sorted_in(name, "api.delete_lab(x) // reaplint: ignore[delete-on-absence]\n");
        assert_eq!(kept, BOTH);
        assert!(remarks[0].contains("gives no reason"), "{remarks:?}");
    }
    let go = "// Package gc.\npackage gc\n\n// reaplint: file-ignore[unscoped-sweep] one tenant\n\nimport \"os\"\napi.delete_lab(x)\n";
    assert_eq!(sorted_in("gc.go", go), (vec![BOTH[0]], vec![]));
    let rust = "//! Doc.\n#![allow(x)]\n// reaplint: file-ignore[unscoped-sweep] one tenant\nuse std::fs;\napi.delete_lab(x)\n";
    assert_eq!(sorted_in("gc.rs", rust), (vec![BOTH[0]], vec![]));
    let (kept, remarks) = sorted_in("gc.rs", &rust.replace("#![allow(x)]", "mod a;"));
    assert_eq!(kept, BOTH);
    assert!(remarks[0].contains("counts only above the first statement"), "{remarks:?}");
}
