//! The engine on shapes: functions in the IR's text form with the verdicts they must get.
//!
//! A shape is a header and some functions, of which the first is judged. The letters: D delete-on-absence,
//! G missing-grace-period, U unscoped-sweep, R reference-read-first, E error-as-empty, S stale-reference,
//! P partial-listing, T absence-marks-terminated; `low` and `medium` after them say how sure the gravest may be.
//! `ENGINE=NAME cargo test --test engine -- --nocapture` prints the walked condition and the answers of a shape.

use reaplint::ask::{ABSENT, Answer, FOREIGN, Facts, NEWBORN, PRESENT, Question, Tri};
use reaplint::facts::Summary;
use reaplint::ir::text::{parse, show};
use reaplint::ir::*;
use reaplint::rules::Confidence;
use reaplint::source::{FileId, Language};
use reaplint::sweep::{Sweep, Verdict};
use reaplint::vocab::{FileContext, Vocab};
use reaplint::walk::{self, ClassKey, Context, FuncKey, Resolved, SelfField};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine")
}

fn files(ext: &str) -> Vec<PathBuf> {
    let all = walkdir::WalkDir::new(dir()).sort_by_file_name();
    let all = all.into_iter().map(|e| e.expect("tests/engine is readable").into_path());
    all.filter(|p| p.extension().is_some_and(|e| e == ext)).collect()
}

fn vocab() -> Vocab {
    let texts: Vec<_> = files("toml")
        .into_iter()
        .map(|p| (p.display().to_string(), std::fs::read_to_string(&p).expect("a vocabulary is text")))
        .collect();
    // Libraries first: of two rows that match equally well the earlier one counts.
    let mut texts: Vec<_> = texts.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    texts.sort_by_key(|(n, _)| !n.contains("vocab/"));
    Vocab::from_toml(&texts).unwrap_or_else(|e| panic!("{e}"))
}

/// The functions of one shape are the whole project.
struct Shape<'v> {
    vocab: &'v Vocab,
    funcs: Vec<Func>,
    classes: Vec<Sym>,
    summaries: RefCell<HashMap<u32, Option<Arc<Summary>>>>,
}

impl<'v> Shape<'v> {
    fn new(vocab: &'v Vocab, text: &str) -> Self {
        let funcs = parse(text, FileId(0)).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut classes: Vec<Sym> = vec![];
        for f in &funcs {
            if let Some(c) = f.class
                && !classes.contains(&c)
            {
                classes.push(c);
            }
        }
        Shape { vocab, funcs, classes, summaries: RefCell::default() }
    }
    fn find(&self, class: Option<Sym>, name: Sym) -> Option<FuncKey> {
        let at = self.funcs.iter().position(|f| f.class == class && f.name == name)?;
        Some(FuncKey(at as u32))
    }
    fn writes(&self, class: Sym, field: Sym) -> (bool, bool) {
        let mut by = (false, false);
        for f in self.funcs.iter().filter(|f| f.class == Some(class)) {
            if writes(&f.body, field) {
                *if f.name == "__init__" { &mut by.0 } else { &mut by.1 } = true;
            }
        }
        by
    }
}

fn writes(b: &Block, field: Sym) -> bool {
    b.iter().any(|s| match s {
        Stmt::Let(Place::Field(_, f), _) | Stmt::Put(Place::Field(_, f), _) | Stmt::Drop(Place::Field(_, f), _) => {
            *f == field
        }
        Stmt::Set { field: f, .. } => *f == field,
        Stmt::If(_, t, f) => writes(t, field) || writes(f, field),
        Stmt::For { body, whole, .. } => writes(body, field) || writes(whole, field),
        Stmt::Try { body, handlers } => writes(body, field) || handlers.iter().any(|h| writes(&h.body, field)),
        _ => false,
    })
}

impl Context for Shape<'_> {
    fn vocab(&self) -> &Vocab {
        self.vocab
    }
    fn file(&self, _: FileId) -> FileContext {
        FileContext { language: Some(Language::Ir), ..Default::default() }
    }
    fn resolve(&self, _: FileId, path: Sym) -> Resolved {
        match self.find(None, path) {
            Some(f) => Resolved::Function(f),
            None => Resolved::Outside,
        }
    }
    fn method(&self, class: ClassKey, name: Sym) -> Option<FuncKey> {
        self.find(Some(self.classes[class.0 as usize]), name)
    }
    fn unique_method(&self, _: FileId, _: Sym) -> Option<FuncKey> {
        None
    }
    fn self_field(&self, class: ClassKey, field: Sym) -> SelfField {
        match self.writes(self.classes[class.0 as usize], field) {
            (_, true) => SelfField::Kept,
            (true, false) => SelfField::Configured,
            _ => SelfField::Unknown,
        }
    }
    fn summary(&self, f: FuncKey) -> Option<Arc<Summary>> {
        if let Some(s) = self.summaries.borrow().get(&f.0) {
            return s.clone();
        }
        self.summaries.borrow_mut().insert(f.0, None);
        let s = Arc::new(walk::summarize(&self.funcs[f.0 as usize], self));
        self.summaries.borrow_mut().insert(f.0, Some(s.clone()));
        Some(s)
    }
    fn is_cached(&self, f: FuncKey) -> bool {
        self.funcs[f.0 as usize].decorators.iter().any(|d| d == "cached")
    }
    fn class_of(&self, func: &Func) -> Option<ClassKey> {
        let at = self.classes.iter().position(|c| Some(*c) == func.class)?;
        Some(ClassKey(at as u32))
    }
}

fn letter(v: Verdict) -> Option<char> {
    Some(match v {
        Verdict::Absence => 'D',
        Verdict::Grace => 'G',
        Verdict::Unscoped => 'U',
        Verdict::ReadFirst => 'R',
        Verdict::ErrorAsEmpty => 'E',
        Verdict::Stale => 'S',
        Verdict::Partial => 'P',
        Verdict::Terminated => 'T',
        Verdict::SharedLabel | Verdict::Precondition => return None,
    })
}

/// What came of a shape.
#[derive(Default)]
struct Got {
    letters: BTreeSet<char>,
    confidence: Option<Confidence>,
    asked: u32,
    flipped: u32,
}

fn judge(vocab: &Vocab, text: &str, loud: bool) -> Got {
    let shape = Shape::new(vocab, text);
    let summary = shape.summary(FuncKey(0)).expect("a first function");
    let facts = Facts::new(&summary, vocab);
    let mut got = Got::default();
    if loud {
        for r in &summary.reads {
            let row = facts.row(r.call).map_or("-", |row| row.pattern.as_str());
            println!("   read   {} ({row})", show(&summary.arena, r.call));
        }
        println!("   fields {:?}", summary.fields);
        for (base, f, v) in &summary.writes {
            println!("   write  {}.{f} = {}", show(&summary.arena, *base), show(&summary.arena, *v));
        }
    }
    for effect in &summary.effects {
        let Some(sweep) = Sweep::new(&facts, effect) else { continue };
        got.letters.extend(sweep.verdicts().iter().filter_map(|v| letter(*v)));
        got.confidence = got.confidence.max(sweep.verdicts().iter().map(|v| sweep.confidence(*v)).max());
        let q = Question::new(&facts, effect, &sweep.subject);
        for world in [PRESENT, ABSENT, NEWBORN, FOREIGN] {
            let (asked, flipped) = q.monotone(world);
            got.asked += asked;
            got.flipped += flipped;
        }
        if loud {
            for r in &summary.reads {
                let x = q.ask(reaplint::ask::failed(r.call));
                println!("   failed {} : {:?} {}", show(facts.arena, r.call), x.tri, x.pro.failed);
            }
            report(&facts, &sweep);
        }
    }
    got
}

fn report(facts: &Facts, sweep: &Sweep) {
    let a = facts.arena;
    println!("   delete {} of {}", show(a, sweep.effect.call), show(a, sweep.effect.target));
    println!("   when   {}", show(a, sweep.effect.when));
    let failing = sweep.failing.as_ref().map(|f| &f.1);
    let answers = [
        ("present", Some(&sweep.present)),
        ("absent", Some(&sweep.absent)),
        ("newborn", Some(&sweep.newborn)),
        ("foreign", Some(&sweep.foreign)),
        ("failed", failing),
    ];
    let told = |x: &Answer| {
        let side = if x.tri == Tri::No { &x.con } else { &x.pro };
        let exprs: Vec<_> = side.exprs.iter().map(|e| show(a, *e)).collect();
        format!("{:?} {}because {}", x.tri, if side.lookup() { "(by lookup) " } else { "" }, exprs.join("; "))
    };
    for (world, x) in answers {
        println!("   {world:8}{}", x.map_or("-".into(), told));
    }
    let pro = &sweep.absent.pro;
    println!("   absent: {:?} opaque {:?}", pro.lookups, pro.opaque);
    println!("   {:?} inferred {}", sweep.verdicts(), sweep.inferred());
}

#[test]
fn every_shape_gets_its_verdicts() {
    let vocab = vocab();
    let only = std::env::var("ENGINE").ok();
    let (mut wrong, mut count, mut asked) = (vec![], 0, 0);
    let mut names = BTreeSet::new();
    for file in files("ir") {
        let text = std::fs::read_to_string(&file).expect("shapes are text");
        for part in text.split("# shape:").skip(1) {
            let (head, body) = part.split_once('\n').expect("a shape has functions");
            let (name, want) = head.split_once("| want:").expect("a shape says what it wants");
            let name = name.trim();
            assert!(names.insert(name.to_string()), "two shapes are called {name}");
            let loud = only.as_ref().is_some_and(|o| name.contains(o.as_str()));
            if loud {
                println!("{name}: wants {want}");
            }
            let got = judge(&vocab, body, loud);
            let mut want = want.split_whitespace();
            let letters: BTreeSet<char> =
                want.clone().filter(|w| w.chars().all(char::is_uppercase)).flat_map(str::chars).collect();
            let sure = want.find(|w| w.chars().all(char::is_lowercase));
            let sure_got = got.confidence.map_or("", Confidence::word);
            if letters != got.letters || sure.is_some_and(|s| s != sure_got) {
                let show = |s: &BTreeSet<char>| s.iter().collect::<String>();
                wrong.push(format!(
                    "{name}: wants {} {}, got {} {sure_got}",
                    show(&letters),
                    sure.unwrap_or(""),
                    show(&got.letters)
                ));
            }
            if got.flipped > 0 {
                wrong.push(format!("{name}: {} settled answers flipped when an unknown was made known", got.flipped));
            }
            count += 1;
            asked += got.asked;
        }
    }
    println!("{count} shapes, {asked} settled answers asked again");
    assert!(wrong.is_empty(), "{} of {count} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
