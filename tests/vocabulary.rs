//! The vocabulary: how rows match, and that every built-in row matches its own example.

use reaplint::ir::{Arena, Arg, Bin, Call, Expr, ExprId, Lit, Site, Sym, sym};
use reaplint::source::{FileId, Language, Span};
use reaplint::vocab::*;

/// A call of a dotted path or of a method, without places.
fn call(a: &mut Arena, callee: ExprId, args: &[(Option<&str>, ExprId)]) -> ExprId {
    let span = Span::new(FileId(0), 0, 0);
    let site = a.new_site(Site {
        name: span,
        whole: span,
        stmt: span,
        via: None,
        row: None,
        acts: false,
        once: false,
        unheeded: false,
        sole: false,
        waited: false,
    });
    let args = args.iter().map(|(n, v)| Arg { name: n.map(sym), value: *v }).collect();
    a.call(site, callee, args)
}
fn path(a: &mut Arena, p: &str) -> ExprId {
    a.mk(Expr::Path(sym(p)))
}
fn method(a: &mut Arena, base: ExprId, name: &str, args: &[(Option<&str>, ExprId)]) -> ExprId {
    let callee = a.mk(Expr::Field(base, sym(name)));
    call(a, callee, args)
}
fn rows(body: &str) -> Vocab {
    let head = "library = 'lib'\nlanguage = 'python'\nimports = ['lib']\n";
    Vocab::from_toml(&[("lib", &format!("{head}{body}"))]).expect("rows load")
}
fn file(imports: &[&str]) -> FileContext {
    let imports: Vec<Sym> = imports.iter().map(|i| sym(i)).collect();
    FileContext { language: Some(Language::Python), imports: Imports::new(&imports), ..FileContext::default() }
}
fn of(a: &Arena, e: ExprId) -> &Call {
    a.call_of(e).expect("a call")
}

const DELETE: &str =
    "[[call]]\nmatch = '*.delete(name, ns?)'\nrole = 'destroy'\ntarget = 'name'\nexample = 'x.delete(n)'";

#[test]
fn a_bare_verb_needs_the_library() {
    let v = rows(DELETE);
    let mut a = Arena::default();
    let (api, name) = (a.name("api"), a.name("n"));
    let e = method(&mut a, api, "delete", &[(None, name)]);
    assert_eq!(v.matched(&a, of(&a, e), &file(&[])), None);
    let m = v.matched(&a, of(&a, e), &file(&["lib.client"])).expect("imported");
    assert!(m.backed);
    let row = v.row(m.row);
    assert_eq!(v.bound(&a, of(&a, e), row, row.target.unwrap()), Some(name));
}

#[test]
fn the_receivers_origin_backs_a_match_and_excludes_others() {
    let other = "library = 'other'\nlanguage = 'python'\nimports = ['other']\n[[call]]\nmatch = '*.wipe(x)'\n\
                 role = 'destroy'\ntarget = 'x'\nexample = 'o.wipe(x)'";
    let lib = format!("library = 'lib'\nlanguage = 'python'\nimports = ['lib']\n{DELETE}");
    let v = Vocab::from_toml(&[("lib", &lib), ("other", other)]).unwrap();
    let mut a = Arena::default();
    let name = a.name("n");
    for (root, context, want) in [("lib.connect", &[][..], true), ("other.connect", &["lib", "other"], false)] {
        let made = path(&mut a, root);
        let made = call(&mut a, made, &[]);
        let list = method(&mut a, made, "things", &[]);
        let each = a.binder(list);
        let each = a.mk(Expr::Elem(each));
        let e = method(&mut a, each, "delete", &[(None, name)]);
        assert_eq!(v.matched(&a, of(&a, e), &file(context)).is_some_and(|m| m.backed), want, "{root}");
    }
}

#[test]
fn an_annotated_parameter_is_an_origin() {
    let v = rows(DELETE);
    let mut a = Arena::default();
    let (api, param, name) = (a.name("api"), a.mk(Expr::Param(0)), a.name("n"));
    let context = FileContext { params: vec![(sym("api"), Some(sym("lib.Client")))], ..file(&[]) };
    for base in [api, param] {
        let e = method(&mut a, base, "delete", &[(None, name)]);
        assert!(v.matched(&a, of(&a, e), &context).is_some_and(|m| m.backed));
    }
}

#[test]
fn positional_arguments_must_fit_and_keywords_may_be_more() {
    let v = rows(DELETE);
    let mut a = Arena::default();
    let (api, n) = (a.name("api"), a.name("n"));
    let context = file(&["lib"]);
    let mut fits = |args: &[(Option<&str>, ExprId)]| {
        let e = method(&mut a, api, "delete", args);
        v.matched(&a, of(&a, e), &context).is_some()
    };
    assert!(fits(&[(None, n)]));
    assert!(fits(&[(Some("name"), n), (Some("force"), n)]));
    assert!(fits(&[(None, n), (None, n)]));
    assert!(!fits(&[]));
    assert!(!fits(&[(None, n), (None, n), (None, n)]));
    assert!(fits(&[(Some("**"), n)]));
}

#[test]
fn a_whole_path_wins_over_an_open_head() {
    let v = rows(
        "[[call]]\nmatch = '*.remove(x)'\nrole = 'pure'\nexample = 'x.remove(n)'\n\
         [[call]]\nmatch = 'lib.remove(path)'\nrole = 'destroy'\ntarget = 'path'\nexample = 'lib.remove(p)'",
    );
    let mut a = Arena::default();
    let (f, p) = (path(&mut a, "lib.remove"), a.name("p"));
    let e = call(&mut a, f, &[(None, p)]);
    let m = v.matched(&a, of(&a, e), &file(&["lib"])).unwrap();
    assert_eq!(v.row(m.row).pattern, "lib.remove(path)");
}

#[test]
fn a_call_in_the_middle_gives_its_arguments() {
    let v = rows(
        "[[call]]\nmatch = '*.delete(disk|instance).execute()'\nrole = 'destroy'\ntarget = 'disk'\nexample = 'x'\n\
         [[call]]\nmatch = '*.objects.**.first()'\nrole = 'first'\nexample = 'x'",
    );
    let mut a = Arena::default();
    let (api, d) = (a.name("api"), a.name("d"));
    let del = method(&mut a, api, "delete", &[(Some("instance"), d)]);
    let e = method(&mut a, del, "execute", &[]);
    let m = v.matched(&a, of(&a, e), &file(&["lib"])).unwrap();
    let row = v.row(m.row);
    assert_eq!(v.bound(&a, of(&a, e), row, row.target.unwrap()), Some(d));

    let objects = path(&mut a, "app.models.Job.objects");
    let q = method(&mut a, objects, "filter", &[]);
    let q = method(&mut a, q, "exclude", &[]);
    let e = method(&mut a, q, "first", &[]);
    assert!(v.matched(&a, of(&a, e), &file(&[])).is_some_and(|m| !m.backed));
}

#[test]
fn a_guess_is_never_backed_and_spares_memory() {
    let guess = "library = 'guess'\nlanguage = 'python'\n[[call]]\nmatch = '*.delete_*(x)'\nrole = 'destroy'\n\
                 target = 'x'\nguess = true\nexample = 'x.delete_it(n)'";
    let v = Vocab::from_toml(&[("guess", guess)]).unwrap();
    let mut a = Arena::default();
    let (api, n, key, memory) = (a.name("api"), a.name("n"), a.str("key"), a.lit(Lit::Empty));
    let e = method(&mut a, api, "delete_thing", &[(None, n)]);
    assert_eq!(v.matched(&a, of(&a, e), &file(&[])).map(|m| m.backed), Some(false));
    let e = method(&mut a, api, "delete_thing", &[(None, key)]);
    assert_eq!(v.matched(&a, of(&a, e), &file(&[])), None);
    let e = method(&mut a, memory, "delete_thing", &[(None, n)]);
    assert_eq!(v.matched(&a, of(&a, e), &file(&[])), None);
}

#[test]
fn command_lines_are_matched_by_their_words() {
    let v = rows(
        "[[command]]\nmatch = 'kubectl delete {pod,pods} <name>'\nrole = 'destroy'\nall = ['--all']\n\
         values = ['--context']\nscope = [{ kind = 'namespace', options = ['-n', '--namespace'] }]\n\
         example = 'kubectl delete pod x'\n\
         [[command]]\nmatch = 'aws ec2 terminate-instances --instance-ids <id>'\nrole = 'destroy'\n\
         example = 'aws ec2 terminate-instances --instance-ids i-1'",
    );
    let mut a = Arena::default();
    let (name, ns) = (a.name("name"), a.name("ns"));
    let mut words = |parts: &[Result<&str, ExprId>]| {
        let list = parts.iter().fold(a.lit(Lit::Empty), |list, p| {
            let value = match p {
                Ok(text) => a.str(text),
                Err(e) => *e,
            };
            let one = a.mk(Expr::One(value));
            a.binary(Bin::Union, list, one)
        });
        command_words(&a, list)
    };
    let line = words(&[Ok("sudo"), Ok("kubectl"), Ok("-n"), Err(ns), Ok("delete"), Ok("pod"), Err(name), Ok("--now")]);
    let m = v.command(&line.unwrap()).expect("a delete");
    assert_eq!(m.target, [CommandWord::Hole(name)]);
    assert_eq!(m.scope, [(ScopeKind::Namespace, CommandWord::Hole(ns))]);
    assert!(m.backed && !m.all);

    let line = words(&[Err(ns), Ok("delete"), Ok("pod"), Err(name)]);
    assert!(v.command(&line.unwrap()).is_some_and(|m| !m.backed));
    let line = words(&[Ok("kubectl"), Ok("get"), Ok("pod"), Err(name)]);
    assert_eq!(v.command(&line.unwrap()), None);
    let line = words(&[Ok("aws"), Ok("ec2"), Ok("terminate-instances"), Ok("--instance-ids"), Err(name)]);
    assert_eq!(v.command(&line.unwrap()).unwrap().target, [CommandWord::Hole(name)]);

    let parts = vec![a.str("kubectl delete pod "), name, a.str(" -n "), ns];
    let text = a.mk(Expr::Format(parts));
    let m = v.command(&command_words(&a, text).unwrap()).expect("a delete");
    assert_eq!(m.target, [CommandWord::Hole(name)]);
    assert_eq!(m.scope, [(ScopeKind::Namespace, CommandWord::Hole(ns))]);
}

#[test]
fn every_file_of_the_directory_is_built_in() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/vocabulary");
    let mut there: Vec<String> = (std::fs::read_dir(dir).expect("the directory").flatten())
        .filter_map(|e| e.file_name().to_str()?.strip_suffix(".toml").map(str::to_string))
        .collect();
    there.sort();
    let names: Vec<&str> = builtin_files().iter().map(|f| f.0).collect();
    assert_eq!(names, there);
    if let Err(e) = Vocab::from_toml(builtin_files()) {
        panic!("{e}");
    }
}

#[test]
fn a_parameter_may_have_to_be_a_constant() {
    let v = rows(
        "[[call]]\nmatch = \"*.request(method='DELETE', url)\"\nrole = 'destroy'\ntarget = 'url'\nexample = 'x'\n\
         [[call]]\nmatch = '*.request(method, url)'\nrole = 'find'\nkey = 'url'\nexample = 'x'",
    );
    let mut a = Arena::default();
    let (s, url, delete, get) = (a.name("s"), a.name("url"), a.str("delete"), a.str("GET"));
    for (verb, want) in [(delete, Role::Destroy), (get, Role::Find)] {
        let e = method(&mut a, s, "request", &[(None, verb), (None, url)]);
        let m = v.matched(&a, of(&a, e), &file(&["lib"])).expect("a row");
        assert_eq!(v.row(m.row).role, want);
    }
}

#[test]
fn every_row_matches_its_example() {
    let tested = reaplint::check::examples::all(&builtin());
    assert!(tested.len() > 1500);
    let wrong: Vec<String> = tested.iter().filter(|e| e.wrong.is_some()).map(|e| e.line()).collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_row_that_destroys_holds_a_trigger() {
    let v = builtin();
    assert!(v.trigger_words().len() <= 64);
    let triggers = reaplint::index::Triggers::new(v.trigger_words(), v.state_words(), v.final_words());
    let missing: Vec<_> =
        v.destroying_texts().into_iter().filter(|ways| !ways.iter().any(|t| triggers.covers(t))).collect();
    assert!(v.destroying_texts().len() > 300);
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_verb_in_a_question_is_no_act() {
    let v = builtin();
    let mut a = Arena::default();
    let (api, n) = (a.name("backend"), a.name("n"));
    for (name, destroys) in [
        ("delete_machine", true),
        ("should_delete", false),
        ("may_destroy", false),
        ("remove_handler", false),
        ("machine_delete", true),
        ("force_delete", true),
    ] {
        let e = method(&mut a, api, name, &[(None, n)]);
        let role = v.matched(&a, of(&a, e), &file(&[])).map(|m| v.row(m.row).role);
        assert_eq!(role.is_some_and(Role::destroys), destroys, "{name}");
    }
}

#[test]
fn a_method_looked_up_by_its_name_is_that_method() {
    let v = builtin();
    let mut a = Arena::default();
    let (api, kind, name, ns) = (a.name("api"), a.name("kind"), a.name("name"), a.name("ns"));
    let parts = vec![a.str("delete_namespaced_"), kind];
    let (getattr, text) = (path(&mut a, "getattr"), a.mk(Expr::Format(parts)));
    let found = call(&mut a, getattr, &[(None, api), (None, text)]);
    let e = call(&mut a, found, &[(None, name), (None, ns)]);
    let m = v.matched(&a, of(&a, e), &file(&["kubernetes"])).expect("a row");
    let row = v.row(m.row);
    assert_eq!((row.role, m.backed), (Role::Destroy, true));
    assert_eq!(v.bound(&a, of(&a, e), row, row.target.unwrap()), Some(name));
    assert_eq!(v.bound(&a, of(&a, e), row, Bind::Receiver), Some(api));
}

#[test]
fn another_librarys_object_is_not_mistaken() {
    let v = builtin();
    let context = file(&["requests", "docker", "redis", "kubernetes"]);
    let role = |a: &Arena, e: ExprId| {
        let m = v.matched(a, of(a, e), &context)?;
        Some((v.row(m.row).library.to_string(), v.row(m.row).role))
    };
    let mut a = Arena::default();
    let url = a.name("url");
    let (session, engine) = (path(&mut a, "requests.Session"), path(&mut a, "docker.from_env"));
    let session = call(&mut a, session, &[]);
    let e = method(&mut a, session, "delete", &[(None, url)]);
    assert_eq!(role(&a, e), Some(("an HTTP client".into(), Role::Destroy)));
    let engine = call(&mut a, engine, &[]);
    let list = a.mk(Expr::Field(engine, sym("containers")));
    let list = method(&mut a, list, "list", &[]);
    let each = a.binder(list);
    let each = a.mk(Expr::Elem(each));
    let e = method(&mut a, each, "remove", &[]);
    assert_eq!(role(&a, e), Some(("docker".into(), Role::Destroy)));
    // A list has a `remove` of its own.
    let e = method(&mut a, url, "remove", &[(None, each)]);
    assert_eq!(role(&a, e), None);
}

#[test]
fn a_chain_is_one_call_with_what_was_given_to_it() {
    let v = rows(
        "[[call]]\nmatch = '*.delete_object(*, bucket?, key)'\nbuilt = ['send']\nrole = 'destroy'\ntarget = 'key'\n\
         example = 'x'\n\
         [[call]]\nmatch = 'lib.Command.new(program, *arg|args)'\nbuilt = ['status']\nrole = 'exec'\ntarget = 'all'\n\
         example = 'x'",
    );
    let mut a = Arena::default();
    let (s3, bucket, key, all) = (a.name("s3"), a.name("b"), a.name("k"), a.name("all"));
    let head = method(&mut a, s3, "delete_object", &[]);
    let set = method(&mut a, head, "set_bucket", &[(None, bucket)]);
    let either = a.choose(all, set, head);
    let step = method(&mut a, either, "key", &[(None, key)]);
    let e = method(&mut a, step, "send", &[]);
    let context = file(&["lib"]);
    let open = of(&a, step).clone();
    assert!(v.is_building(&a, &open, &context) && v.matched(&a, &open, &context).is_none());
    let end = of(&a, e).clone();
    let call = v.built(&mut a, &end, &context).expect("a delete");
    let m = v.matched(&a, &call, &context).expect("a row");
    assert_eq!(v.bound(&a, &call, v.row(m.row), v.row(m.row).target.unwrap()), Some(key));
    let nothing = a.lit(Lit::Nothing);
    let maybe = a.choose(all, bucket, nothing);
    assert!(call.args.iter().any(|x| x.name.is_some_and(|n| n == "bucket") && x.value == maybe));

    let (new, git, word, list) = (path(&mut a, "lib.Command.new"), a.str("git"), a.str("branch"), a.name("list"));
    let head = self::call(&mut a, new, &[(None, git)]);
    let step = method(&mut a, head, "arg", &[(None, word)]);
    let step = method(&mut a, step, "args", &[(None, list)]);
    let e = method(&mut a, step, "status", &[]);
    let end = of(&a, e).clone();
    let call = v.built(&mut a, &end, &context).expect("a command");
    let given: Vec<_> = call.args.iter().map(|x| (x.name.map(|n| n.to_string()), x.value)).collect();
    assert_eq!(given[..3], [(None, git), (None, word), (Some("*".into()), list)]);
}
