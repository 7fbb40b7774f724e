//! The run: files in, findings out.
//!
//! ```text
//! index every file (parallel) -> lower the functions that may destroy something (parallel) -> walk them, their helpers
//! and their callers -> judge each destructive call where it can be judged -> rules
//! ```
//! An effect is copied into every caller. It is judged in the innermost function in which it rests on nothing that a
//! caller could make known; where callers decide, in each of them, and the gravest counts: a guard that only one caller
//! has does not excuse the other.

use crate::ask::Facts;
use crate::facts::{Effect, EffectKind, Settled, Summary};
use crate::index::{self, FileIndex, Triggers};
use crate::ir::Func;
use crate::ir::{Expr, ExprId};
use crate::lang;
use crate::manifest::Manifests;
use crate::manifest::kustomize::Kustomized;
use crate::project::Project;
use crate::rules::{self, Cleanup, Collected, Deployed, Finding, LabelUses as _};
use crate::source::{FileId, SourceFile, Sources, Span};
use crate::sweep::Sweep;
use crate::vocab::{Role, Vocab};
use crate::walk::FuncKey;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

mod choosers;
mod commands;
mod deployed;
pub mod examples;
mod uses;
mod watch;
mod whole;

pub use watch::{Phase, Watch, Watched};

/// How many calls up a decision is followed.
const LEVELS: usize = 3;

/// More callers than this are not followed: a name that common says nothing.
const CALLERS: usize = 24;

/// The stack of the thread that walks: expressions nest as deep as the code that made them.
const STACK: usize = 512 << 20;

/// What a run is asked for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How many threads; as many as the machine has without.
    pub threads: Option<usize>,
    /// Give a layer's result as text instead of findings.
    pub dump: Option<Dump>,
    /// Lower and judge every function, whether or not it can matter. Slow; verdicts are the same.
    pub everything: bool,
    /// Labels that decide about ownership because the configuration says so.
    pub declared: rules::Declared,
    /// Say of every destructive call what spares its target.
    pub safeguards: bool,
    /// Who watches, and may end the run: what it gives then is worth nothing.
    pub watched: Watched,
}

/// A layer whose result can be given as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dump {
    /// The lowered functions.
    Ir,
    /// What the walk leaves of them.
    Facts,
}

/// How much was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Functions that may destroy something by themselves.
    pub seeds: usize,
    /// Destructive calls judged.
    pub judged: usize,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// In the order of path, position, rule.
    pub findings: Vec<Finding>,
    /// Parts of files that were left out: the file, and where and why.
    pub skipped: Vec<(PathBuf, String)>,
    /// Syntax that was not understood, by kind of node.
    pub holes: BTreeMap<String, u32>,
    /// Figures.
    pub stats: Stats,
    /// The lowered functions, if asked for.
    pub ir: String,
    /// What spares the targets of destructive calls, if asked for.
    pub safeguards: Vec<Safeguard>,
}

/// What spares the target of a destructive call.
#[derive(Clone, PartialEq, Debug)]
pub struct Safeguard {
    /// The call's name.
    pub at: Span,
    /// The statement around it.
    pub statement: Span,
    /// The conditions by which a target is spared of which nothing is known, that is new, or that is another's.
    pub spans: Vec<Span>,
}

/// One destructive call at one place where it can be judged.
struct Judged {
    summary: Arc<Summary>,
    effect: Effect,
    func: FuncKey,
    /// Is it also asked what each failing read would do? That takes most of the time.
    closely: bool,
}

/// Lints files.
pub fn check(sources: &Sources, vocab: &Vocab, options: &Options) -> Outcome {
    if options.dump == Some(Dump::Ir) {
        return dump(sources);
    }
    on_big_stack(options.threads, || {
        let watched = &options.watched;
        let project = open(sources, vocab, options);
        watched.begins(Phase::Walk, None);
        let judged = judge_all(&project, watched);
        if options.dump == Some(Dump::Facts) {
            return dump_facts(&project, &judged);
        }
        let (mut findings, mut collected, mut cleanups) = (vec![], vec![], vec![]);
        let mut safeguards = options.safeguards.then(Vec::new);
        watched.begins(Phase::Ask, Some(judged.len()));
        for j in &judged {
            if watched.stopped() {
                return Outcome::default();
            }
            watched.one_done();
            findings.extend(findings_of(&project, j, &mut collected, &mut cleanups, safeguards.as_mut()));
        }
        watched.begins(Phase::Manifests, None);
        let manifests = Manifests::read(sources);
        let commands = commands::all(sources, &manifests);
        watched.begins(Phase::Rules, None);
        if watched.stopped() {
            return Outcome::default();
        }
        let seek = || {
            let told = [commands::labels(&commands), choosers::labels(&manifests, sources)];
            uses::labels(&project, &judged).into_iter().chain(told.into_iter().flatten()).collect()
        };
        let uses = uses::Sought::new(&seek);
        findings.extend(deployed::findings(&Deployed {
            manifests: &manifests,
            kustomized: &Kustomized::read(&manifests, sources),
            sources,
            uses: if manifests.documents.is_empty() { &[] } else { uses.all() },
            cleanups: &cleanups,
            commands: &commands,
            declared: &options.declared,
        }));
        findings.extend(whole::findings(&project, &options.declared, &uses));
        findings.extend(whole::findings_of_makers(&project, &collected, &uses));
        let stats =
            Stats { seeds: sources.files.iter().map(|f| project.seeds(f.id).len()).sum(), judged: judged.len() };
        Outcome {
            findings: settle_findings(sources, findings),
            skipped: broken_parts(&project, &manifests),
            holes: project.holes().into_iter().map(|(k, n)| (k.to_owned(), n)).collect(),
            stats,
            ir: String::new(),
            safeguards: safeguards.unwrap_or_default(),
        }
    })
}

/// The text form of everything that is lowered.
fn dump(sources: &Sources) -> Outcome {
    let mut out = Outcome::default();
    for f in &sources.files {
        for func in lang::lower(f, None).functions {
            out.ir.push_str(&crate::ir::text::print(&func));
        }
    }
    out
}

/// Every judged effect with its condition, and the reads before it.
fn dump_facts(project: &Project, judged: &[Judged]) -> Outcome {
    let mut out = Outcome::default();
    for j in judged {
        let a = &j.summary.arena;
        let name = project.func(j.func).map_or("<module>".to_owned(), |f| f.name.to_string());
        let show = |e| crate::ir::text::show(a, e);
        out.ir.push_str(&format!(
            "{name}: {:?} {}\n  target {}\n  when {}\n",
            j.effect.kind,
            show(j.effect.call),
            show(j.effect.target),
            show(j.effect.when)
        ));
        let facts = Facts::new(&j.summary, project.vocab);
        if let Some(s) = Sweep::new(&facts, &j.effect) {
            let from = s.candidates().map(show).unwrap_or_default();
            out.ir.push_str(&format!("  candidates {from}\n"));
            for l in s.lookups() {
                let what = if l.desired { "wish" } else { "lookup" };
                out.ir.push_str(&format!("  {what} {} in {}\n", show(l.at), show(l.reference)));
            }
            out.ir.push_str(&format!("  verdicts {:?}\n", s.verdicts()));
        }
        for (i, r) in j.summary.reads.iter().enumerate() {
            let after = if i < j.effect.after { "read" } else { "later" };
            let row = a.call_of(r.call).and_then(|c| a.site(c.site).row).map(|m| project.vocab.row(m.row));
            let known = row.map_or("?".to_owned(), |r| format!("{:?} {}", r.role, r.pattern));
            out.ir.push_str(&format!("  {after} {} [{known}]\n", show(r.call)));
        }
    }
    out
}

/// Runs where deep expressions have room, with as many threads as asked for. Where no such pool can be had, here.
fn on_big_stack<T: Send>(threads: Option<usize>, f: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.unwrap_or(0)).stack_size(STACK).build();
    match pool {
        Ok(p) => p.install(f),
        Err(_) => f(),
    }
}

/// The words by which the index tells what may matter.
pub fn triggers(vocab: &Vocab) -> Triggers {
    Triggers::of(vocab)
}

fn open<'a>(sources: &'a Sources, vocab: &'a Vocab, options: &Options) -> Project<'a> {
    let triggers = triggers(vocab);
    options.watched.begins(Phase::Index, Some(sources.files.len()));
    let read = |f: &SourceFile| {
        let tests = lang::is_test_file(f);
        if options.everything {
            return index::index(f.language, &f.text, &triggers).all_hit(tests);
        }
        if tests {
            index::index_tests(f.language, &f.text, &triggers)
        } else {
            index::index(f.language, &f.text, &triggers)
        }
    };
    let read = |f: &SourceFile| {
        let index = read(f);
        options.watched.one_done();
        index
    };
    let indexes: Vec<FileIndex> = sources.files.par_iter().map(read).collect();
    let mut project = Project::new(sources, vocab, indexes);
    project.closely = options.everything;
    let jobs: Vec<(FileId, Vec<std::ops::Range<u32>>)> = sources
        .files
        .iter()
        .filter_map(|f| {
            let index = project.indexes.get(f.id.0 as usize)?;
            let seeds = project.seeds(f.id);
            if seeds.is_empty() && !index.module_hit && !options.everything {
                return None;
            }
            let ranges = seeds.iter().filter_map(|d| index.defs.get(*d as usize)).map(|d| d.range.clone()).collect();
            Some((f.id, ranges))
        })
        .collect();
    options.watched.begins(Phase::Lower, Some(jobs.iter().map(|(_, ranges)| ranges.len().max(1)).sum()));
    let lowered: Vec<_> = jobs.par_iter().map(|(id, ranges)| (*id, lang::open(sources.get(*id), ranges))).collect();
    for (id, l) in lowered {
        project.adopt(id, l);
    }
    project
}

/// Where in the source an effect is: its call's name in the function that holds it.
fn place(s: &Summary, e: &Effect) -> Option<Span> {
    match s.arena.call_of(e.call) {
        Some(c) => Some(s.arena.site(c.site).name),
        None => e.at,
    }
}

/// Every destructive call, at every place where it is to be judged.
fn judge_all(project: &Project, watched: &Watched) -> Vec<Judged> {
    let mut out = vec![];
    let mut level: Vec<FuncKey> = vec![];
    for f in &project.sources.files {
        let seeds = project.seeds(f.id).into_iter().map(|d| project.key(f.id, d));
        let seeds = seeds.filter(|k| !project.in_test_file(*k));
        // What a test deletes, it made for itself.
        let seeds = seeds.filter(|k| project.func(*k).is_some_and(|x| !x.is_test));
        level.extend(seeds.filter(|k| destroys_itself(project, *k)));
        judge_top(project, f.id, &mut out);
    }
    let mut seen: FxHashSet<FuncKey> = level.iter().copied().collect();
    for depth in 0..=LEVELS {
        let mut next = vec![];
        for f in std::mem::take(&mut level) {
            if watched.stopped() {
                return out;
            }
            watched.one_done();
            judge_function(project, f, depth == LEVELS, &mut next, &mut out);
        }
        next.retain(|f| seen.insert(*f));
        level = next;
    }
    some_copies(&mut out);
    out
}

/// How many expressions are looked at for one call, all its copies together, before some are left out; and how many in
/// the worlds in which a read fails, of which there are many.
const LOOKED_AT: (usize, usize) = (240_000, 30_000);

/// So many copies of a call are judged however large its function is.
const COPIES: usize = 4;

/// A loop over several lists is one loop after the other, and a choice of what is deleted one call after the other: nested
/// in each other they make hundreds of copies of one call, which differ in little. In a large function some speak for
/// all: every so many-th, for neighbours differ least.
///
/// ```text
/// for a in xs + ys + zs:                    3 copies
///     for b in a.first + a.second:          6 copies
///         delete(b.id if c else b.name)     12 copies
/// ```
fn some_copies(judged: &mut Vec<Judged>) {
    let of = |j: &Judged| (j.func, place(&j.summary, &j.effect), j.effect.kind);
    let mut all: FxHashMap<_, usize> = FxHashMap::default();
    judged.iter().for_each(|j| *all.entry(of(j)).or_default() += 1);
    let mut seen: FxHashMap<_, usize> = FxHashMap::default();
    judged.retain_mut(|j| {
        let at = of(j);
        let many = all.get(&at).copied().unwrap_or_default();
        let n = seen.entry(at).or_default();
        *n += 1;
        let size = j.summary.arena.len().max(1);
        // The n-th of many is taken where n * wanted / many reaches the next whole number.
        let takes = |looked_at: usize| {
            let wanted = COPIES.max(looked_at / size);
            many <= wanted || *n * wanted / many != (*n - 1) * wanted / many
        };
        j.closely = takes(LOOKED_AT.1);
        j.closely || takes(LOOKED_AT.0)
    });
}

/// Does a destructive call stand in the function itself? A seed may be one for a word alone; that it is must not change
/// what is judged.
fn destroys_itself(project: &Project, f: FuncKey) -> bool {
    if !project.may_destroy_itself(f) {
        return false;
    }
    let (Some(func), Some(s)) = (project.func(f), project.full(f)) else { return false };
    let made = s.effects.iter().filter(|e| e.kind != EffectKind::Create);
    made.filter_map(|e| place(&s, e)).any(|at| func.span.contains(at))
}

/// Statements outside every function.
fn judge_top(project: &Project, file: FileId, out: &mut Vec<Judged>) {
    if !project.indexes.get(file.0 as usize).is_some_and(|i| i.module_hit) {
        return;
    }
    let Some((_, s)) = project.script(file) else { return };
    for e in s.effects.iter().filter(|e| !matches!(e.settled, Settled::Below | Settled::CachedBelow)) {
        out.push(Judged { summary: s.clone(), effect: *e, func: FuncKey(u32::MAX), closely: true });
    }
}

fn judge_function(project: &Project, f: FuncKey, last: bool, next: &mut Vec<FuncKey>, out: &mut Vec<Judged>) {
    let Some(s) = project.full(f) else { return };
    let mut callers: Option<Vec<(FuncKey, Arc<Summary>)>> = None;
    for e in &s.effects {
        match e.settled {
            Settled::Below | Settled::CachedBelow => continue,
            Settled::Here => out.push(Judged { summary: s.clone(), effect: *e, func: f, closely: true }),
            Settled::Cached => match waited_for(project, f, &s, e) {
                Some(above) => out.extend(above),
                None => out.push(Judged { summary: s.clone(), effect: *e, func: f, closely: true }),
            },
            Settled::Open => {
                let callers = callers.get_or_insert_with(|| if last { vec![] } else { callers_of(project, f) });
                let at = place(&s, e);
                let knowing: Vec<FuncKey> = callers
                    .iter()
                    .filter(|(_, c)| c.effects.iter().any(|x| place(c, x) == at && x.kind == e.kind))
                    .map(|c| c.0)
                    .collect();
                if knowing.is_empty() {
                    out.push(Judged { summary: s.clone(), effect: *e, func: f, closely: true });
                }
                next.extend(knowing);
            }
        }
    }
}

/// What is read from a cache is judged where that was waited for, if whoever calls waits: the effect as it stands there.
///
/// ```text
/// func (s *S) Run(stop) { if !WaitForCacheSync(stop, s.synced) { return }; wait.Until(s.sweep, every, stop) }
/// ```
fn waited_for(project: &Project, f: FuncKey, s: &Summary, e: &Effect) -> Option<Vec<Judged>> {
    let waits = |s: &Summary, e: &Effect| {
        let row = |x: ExprId| s.arena.call_of(x).and_then(|c| s.arena.site(c.site).row);
        s.arena.mentions(e.when, &mut |x| row(x).is_some_and(|m| project.vocab.row(m.row).role == Role::Sync))
    };
    let at = place(s, e);
    let (mut todo, mut seen, mut out) = (vec![f], FxHashSet::from_iter([f]), vec![]);
    while let Some(f) = todo.pop() {
        let callers = callers_of(project, f);
        if callers.is_empty() || seen.len() > CALLERS {
            return None;
        }
        for (c, summary) in callers {
            let same = |x: &&Effect| place(&summary, x) == at && x.kind == e.kind;
            let effect = *summary.effects.iter().find(same)?;
            match waits(&summary, &effect) {
                true => out.push(Judged { summary: summary.clone(), effect, func: c, closely: true }),
                false if seen.insert(c) => todo.push(c),
                false => {}
            }
        }
    }
    Some(out)
}

/// The functions that call this one and are no tests, with their summaries.
fn callers_of(project: &Project, f: FuncKey) -> Vec<(FuncKey, Arc<Summary>)> {
    let callers = project.callers(f, CALLERS);
    if callers.len() > CALLERS {
        return vec![];
    }
    let known = callers.into_iter().filter_map(|c| {
        if project.in_test_file(c) || project.func(c).is_none_or(|x| x.is_test) {
            return None;
        }
        if project.is_idle(c) { None } else { Some((c, project.full(c)?)) }
    });
    known.collect()
}

/// What the rules say of a judged call; what it collects by label, and what it destroys in a cluster, is noted.
fn findings_of(
    project: &Project,
    j: &Judged,
    collected: &mut Vec<Collected>,
    cleanups: &mut Vec<Cleanup>,
    safeguards: Option<&mut Vec<Safeguard>>,
) -> Vec<Finding> {
    let func = project.func(j.func);
    if func.as_ref().is_some_and(|f| f.is_test) {
        return vec![];
    }
    let name = func.map_or("<module>".to_owned(), |f| function_name(&f));
    let facts = Facts::new(&j.summary, project.vocab);
    let sweep = Sweep::of_concern(&facts, &j.effect, j.closely);
    uses::note_cleanup(cleanups, &facts, j, sweep.as_ref());
    let Some(sweep) = sweep else { return vec![] };
    collected.extend(rules::collected(&sweep));
    if let Some(safeguards) = safeguards {
        let (at, statement) = sweep.places();
        safeguards.push(Safeguard { at, statement, spans: rules::safeguards(&sweep) });
    }
    let mut findings = rules::check(&sweep, &name);
    if let Some(first) = twin(j) {
        findings.iter_mut().for_each(|f| f.group = first);
    }
    findings
}

/// A function with its class.
fn function_name(f: &Func) -> String {
    match f.class {
        Some(c) => format!("{c}.{}", f.name),
        None => f.name.to_string(),
    }
}

/// The first of several destructive calls on the same target, one after the other: kill and remove are one picture.
fn twin(j: &Judged) -> Option<Span> {
    let all = &j.summary.effects;
    let at = all.iter().position(|e| e == &j.effect)?;
    let root = target_root(&j.summary, &j.effect)?;
    let same = |e: &&Effect| e.kind == j.effect.kind && target_root(&j.summary, e) == Some(root);
    let first = all.get(..=at)?.iter().rev().take_while(same).last()?;
    place(&j.summary, first)
}

/// The thing an effect is about: the element its target is read off.
fn target_root(s: &Summary, e: &Effect) -> Option<ExprId> {
    let mut at = e.target;
    while let Expr::Field(x, _) = *s.arena.get(at) {
        at = x;
    }
    matches!(s.arena.get(at), Expr::Elem(_)).then_some(at)
}

/// One finding a rule and place: several callers are several ways to the same call, and the surest counts.
fn settle_findings(sources: &Sources, mut findings: Vec<Finding>) -> Vec<Finding> {
    let key =
        |f: &Finding| (sources.get(f.at.file).path.clone(), f.at.start, f.rule.name, std::cmp::Reverse(f.confidence));
    findings.sort_by_cached_key(key);
    findings.dedup_by(|b, a| a.at == b.at && a.rule.name == b.rule.name);
    findings
}

/// Functions, statements and documents that did not parse.
fn broken_parts(project: &Project, manifests: &Manifests) -> Vec<(PathBuf, String)> {
    let path = |(file, why): (FileId, String)| (project.sources.get(file).path.clone(), why);
    let mut out: Vec<(PathBuf, String)> = deployed::broken(manifests, project.sources).map(path).collect();
    for span in project.errors() {
        let file = project.sources.get(span.file);
        let line = file.text.get(..span.start as usize).map_or(0, |t| t.matches('\n').count()) + 1;
        out.push((file.path.clone(), format!("line {line} does not parse; the rest was linted")));
    }
    out.sort();
    out.dedup();
    out
}

/// Says of the destructive calls in a place (a line) what each question answers and from what evidence, also where it is
/// safe. Nothing where no destructive call is known there.
pub fn why(sources: &Sources, vocab: &Vocab, options: &Options, line: Span) -> Option<String> {
    on_big_stack(options.threads, || {
        let project = open(sources, vocab, options);
        let mut out = String::new();
        for j in judge_all(&project, &options.watched) {
            let Some(at) = place(&j.summary, &j.effect).filter(|p| line.contains(*p)) else { continue };
            let facts = Facts::new(&j.summary, vocab);
            match Sweep::new(&facts, &j.effect) {
                Some(sweep) => out.push_str(&rules::explain(&sweep, sources)),
                None => out.push_str(&format!(
                    "{}: names one thing, drawn from nothing; there is nothing to ask\n",
                    sources.text(at)
                )),
            }
        }
        (!out.is_empty()).then_some(out)
    })
}
