//! The text form of the IR: what is printed parses to the same, and bad text is an error, never a panic.

use reaplint::ir::text::{parse, print, show};
use reaplint::ir::*;
use reaplint::source::FileId;
use std::path::Path;

fn read(text: &str) -> Vec<Func> {
    parse(text, FileId(0)).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn printed(text: &str) -> String {
    read(text).iter().map(print).collect()
}

/// Prints alike after a second reading, and both readings have the same statements.
fn round_trip(text: &str) {
    let once = printed(text);
    assert_eq!(once, printed(&once), "{text}");
    for (a, b) in read(text).iter().zip(read(&once)) {
        assert_eq!(
            a.params.iter().map(|p| p.name).collect::<Vec<_>>(),
            b.params.iter().map(|p| p.name).collect::<Vec<_>>()
        );
        assert_eq!((a.raises, a.atomic, a.is_test, a.class), (b.raises, b.atomic, b.is_test, b.class));
        assert_eq!(a.decorators, b.decorators);
    }
}

#[test]
fn every_engine_shape_survives_printing() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engine");
    let mut shapes = 0;
    for entry in walkdir::WalkDir::new(dir).sort_by_file_name() {
        let entry = entry.expect("tests/engine is readable");
        if entry.path().extension().is_some_and(|e| e == "ir") {
            let text = std::fs::read_to_string(entry.path()).expect("shapes are text");
            for shape in text.split("# shape:").skip(1) {
                let shape = shape.split_once('\n').map_or("", |s| s.1);
                round_trip(shape);
                shapes += 1;
            }
        }
    }
    assert!(shapes >= 129, "only {shapes} shapes");
}

#[test]
fn everything_the_ir_has_survives_printing() {
    round_trip(
        r##"
@functools.cache
@"odd/path"
fn!*? Outer.Inner.run(self, x: a.b.C=f(1), *rest, **more):
  y = x."app.io/name" ++ x["quoted \"key\""] ++ x.#key ++ x.0
  "odd name" = y[("lit")] ++ y[x.k]
  $any = $any.z ++ @x.y ++ (g).h ++ g.h
  self.f = {a: 1, "b c": -2, 0: (y ? x : nothing)}
  self.f.g[x] = failed
  g.h = []
  g.h -< one(x)
  y <- format("a", x, "\u{1}\n\\")
  closure 4(p, q):
    y <- p
    closure 9(r):
      return
    z(q, closure 9)
  walk(closure 4, fn(w): w.a < 3 and not w.b, *rest, key=?7, **more)
  if ?7 == ? or ?7 < x - 1 - (2 + 3):
    pass
  else:
    for e in [[a.n | a in b.items, a.n == b.n] | b in y -- (x ++ y), true]:
      break 1
    else:
      continue
  try:
    h = (any r in y | r == x and (any s in r.all | s == r) ? r.name : nothing)
  catch notfound, a.b.Error as err:
    raise a.b.Error
  catch as err:
    return caught(h(x)(y).z())
  catch:
    raise
  present(x) or notfound(x) or raised(x)
  return not (x and y) and true
"##,
    );
}

#[test]
fn locals_and_paths_are_told_apart() {
    let f = &read("fn f(x):\n  k8s.list(x.list(), cfg.limit)\n  for d in x:\n    d.name\n")[0];
    let Stmt::Do(call) = &f.body[0] else { panic!() };
    let call = f.arena.call_of(*call).unwrap();
    assert_eq!(*f.arena.get(call.callee), Expr::Path(sym("k8s.list")));
    let inner = f.arena.call_of(call.args[0].value).unwrap();
    let Expr::Field(base, name) = *f.arena.get(inner.callee) else { panic!() };
    assert_eq!((f.arena.get(base), name.as_str()), (&Expr::Name(sym("x")), "list"));
    assert_eq!(*f.arena.get(call.args[1].value), Expr::Path(sym("cfg.limit")));
}

#[test]
fn a_call_knows_its_place() {
    let text = "fn f(x):\n  y = k8s.list(x)\n";
    let f = &read(text)[0];
    let Stmt::Let(_, call) = &f.body[0] else { panic!() };
    let site = f.arena.site(f.arena.call_of(*call).unwrap().site);
    let at = |s: reaplint::source::Span| &text[s.start as usize..s.end as usize];
    assert_eq!((at(site.name), at(site.whole), at(site.stmt)), ("list", "k8s.list(x)", "y = k8s.list(x)"));
    assert_eq!((at(f.name_span), at(f.span)), ("f", text.trim_end()));
}

#[test]
fn bad_text_is_an_error_with_its_line() {
    for (text, line) in [
        ("x = 1\n", 1),
        ("@deco\n", 1),
        ("fn f(\n", 1),
        ("fn f(x):\n  y = \n", 2),
        ("fn f(x):\n  y = \"open\n", 2),
        ("fn f(x):\n  y = [a b]\n", 2),
        ("fn f(x):\n  y = [a | b]\n", 2),
        ("fn f(x):\n  y = (x ? x)\n", 2),
        ("fn f(x):\n  y = closure 3\n", 2),
        ("fn f(x):\n  break 900\n", 2),
        ("fn f(x):\n  f(x) = 1\n", 2),
        ("fn f(x):\n  if x\n    y\n", 2),
        ("fn f(x):\n  else:\n    y\n", 2),
        ("fn f(x):\n  y = 99999999999999999999\n", 2),
        ("fn f(x):\n  y = present(x, x)\n", 2),
        ("fn f(x):\n  y = \"\\u{110000}\"\n", 2),
        ("fn f(x):\n  ~\n", 2),
    ] {
        let e = parse(text, FileId(0)).expect_err(text);
        assert_eq!(e.line, line, "{text}: {e}");
    }
    let deep = format!("fn f(x):\n  y = {}x{}\n", "(".repeat(10_000), ")".repeat(10_000));
    assert!(parse(&deep, FileId(0)).is_err());
    let deep = format!("fn f(x):\n  y = {}x\n", "not ".repeat(10_000));
    assert!(parse(&deep, FileId(0)).is_err());
    let blocks: String = (1..10_000).map(|n| format!("{}if x:\n", " ".repeat(n))).collect();
    assert!(parse(&format!("fn f(x):\n{blocks}"), FileId(0)).is_err());
}

#[test]
fn cutting_a_text_anywhere_never_panics() {
    let text = include_str!("engine/first.ir");
    for (i, _) in text.char_indices() {
        let _ = parse(&text[i..(i + 300).min(text.len())], FileId(0));
    }
}

#[test]
fn what_is_too_long_to_read_is_cut() {
    let mut a = Arena::default();
    let mut e = a.name("x");
    for _ in 0..64 {
        let f = a.mk(Expr::Binary(Bin::Add, e, e));
        e = f;
    }
    assert!(show(&a, e).len() < 100_000);
}
