//! Patterns of calls: what a row's `match` means.
//!
//! A pattern is a chain of names with dots between them, read from its end. The last name is the called one, and its
//! parentheses name the parameters, so that a row can say which of them is the target.
//!
//! ```text
//! os.remove(path)                       exactly this path, however it was imported
//! *.delete_namespaced_*(name, ns?)      any receiver; `*` in a name is a glob; `?` may be left out
//! *.objects.**.delete()                 `**`: any number of names or calls between
//! *.delete(*ids).execute()              a call in the middle: its arguments bind, but do not decide
//! *.{filter,where}(*conditions)         braces write several patterns of one row
//! *.delete_volume(VolumeId|volume_id)   one parameter, several keywords
//! *.delete_*(**given)                   every further keyword
//! *.get(*, name, namespace?)            behind a lone `*`: by keyword only
//! *.request(method='DELETE', url)       a parameter that must be given as this text, number, `True` or `False`
//! *.get(model=<type>, key)              a parameter that must be given a class, by its name
//! os.kill(pid, signal='0|SIGHUP')       one of several constants
//! *.ask(message.#is='Drop*')            the first word of a name: `DropQueue`
//! *.list(filter.match_any=<given>)      something must be given, whatever it is
//! *.Pods(ns).List(opts.Limit='0')       a field of what is given
//! *.Get(key, *opts=<call WithLimit>)     one of those must be a call of this name
//! *.List(namespace=<word>, options)     anything but an object that is written out
//! ```
//!
//! Positional arguments bind by position and keywords by name. More positional arguments than parameters is another
//! call (`xs.remove(x)` is no `container.remove()`); more keywords is not, for nobody lists every option.

use super::matching::Link;
use crate::ir::{Arena, Arg, Expr, ExprId, Lit, Sym, sym};

/// A parameter of a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// The names it is given by as a keyword; the first is what the row calls it.
    pub names: Vec<Sym>,
    /// It may be left out.
    pub optional: bool,
    /// It takes every further positional argument.
    pub rest: bool,
    /// It is given by keyword only.
    pub keyword: bool,
    /// What must be given for it, in lower case.
    pub value: Option<String>,
    /// It is this field of what is given that must be so.
    pub field: Option<Sym>,
}

/// The pattern of a row, taken apart.
#[derive(Clone, Default, Debug)]
pub(super) struct Shape {
    /// One for each way to read the braces that reach over more than one name.
    pub(super) ways: Vec<Way>,
    /// The parameters of the called name; nothing where the row does not look at arguments.
    pub(super) params: Option<Vec<Param>>,
}

/// One reading of a pattern.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// It starts with `*`: any receiver.
    pub(super) open: bool,
    /// From the called name back to the head.
    pub(super) segs: Vec<Seg>,
}

/// A name of a pattern.
#[derive(Clone, Debug)]
pub(super) enum Seg {
    /// `**`: any number of names.
    Any,
    /// One of several names, called or not, with the parameters of a call in the middle.
    Name { globs: Vec<Glob>, called: bool, params: Vec<Param> },
}

/// A name with `*` in it, cut at the stars.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Glob(Vec<String>);

impl Glob {
    /// A glob is its pieces between stars: `delete_*` is `["delete_", ""]`, a plain name has one piece.
    pub(super) fn new(text: &str) -> Self {
        Glob(text.split('*').map(str::to_string).collect())
    }
    /// The name, where it has no star.
    pub(super) fn plain(&self) -> Option<&str> {
        match self.0.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }
    /// How many bytes of it are written out.
    fn written(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }
    /// What every match starts with.
    pub(super) fn head(&self) -> &str {
        self.0.first().map(String::as_str).unwrap_or_default()
    }
    /// What every match ends with.
    pub(super) fn tail(&self) -> &str {
        self.0.last().map(String::as_str).unwrap_or_default()
    }
    /// The pieces that are written out.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str).filter(|p| !p.is_empty())
    }
    /// Does a name match?
    pub(super) fn fits(&self, name: &str) -> bool {
        let [head, middle @ .., tail] = self.0.as_slice() else {
            return self.plain() == Some(name);
        };
        let Some(mut rest) = name.strip_prefix(head.as_str()) else { return false };
        for piece in middle {
            match rest.find(piece.as_str()) {
                Some(at) => rest = &rest[at + piece.len()..],
                None => return false,
            }
        }
        rest.ends_with(tail.as_str())
    }
}

impl Shape {
    /// Reads a pattern.
    pub(super) fn parse(text: &str) -> Result<Shape, String> {
        let mut shape = Shape::default();
        for text in expand(text, &|inside| inside.contains(['.', '(']))? {
            let (way, params) = way(&text)?;
            shape.ways.push(way);
            shape.params = params;
        }
        Ok(shape)
    }
    /// Every parameter a row may bind: of the called name, then of the calls in the middle.
    pub(super) fn bindable(&self) -> impl Iterator<Item = &Param> {
        let middle = self.ways.iter().flat_map(|w| &w.segs).flat_map(|s| match s {
            Seg::Name { params, .. } => params.as_slice(),
            Seg::Any => &[],
        });
        self.params.iter().flatten().chain(middle)
    }
}

impl Way {
    /// The called names.
    pub(super) fn last(&self) -> &[Glob] {
        match self.segs.first() {
            Some(Seg::Name { globs, .. }) => globs,
            _ => &[],
        }
    }
    /// The first name of a whole path, where it is written out.
    pub(super) fn root(&self) -> Option<&str> {
        match self.segs.last() {
            Some(Seg::Name { globs, .. }) if !self.open => match globs.as_slice() {
                [one] => one.plain(),
                _ => None,
            },
            _ => None,
        }
    }
    /// Does the name alone say enough to be believed without an import: `delete_namespaced_*`, `objects.filter`, but
    /// never a bare `delete`? `camel`: words are joined by capitals, as in `ContainerRemove`.
    pub(super) fn specific(&self, name: &str, camel: bool) -> bool {
        let humps = |p: &str| p.as_bytes().windows(2).any(|w| w[0].is_ascii_lowercase() && w[1].is_ascii_uppercase());
        let joined = |g: &Glob| g.pieces().any(|p| p.trim_matches('_').contains('_') || camel && humps(p));
        let middle = self.segs.iter().skip(1).any(|s| match s {
            Seg::Name { globs, .. } => globs.iter().all(|g| g.pieces().next().is_some()),
            Seg::Any => false,
        });
        !self.open || middle || self.last().iter().any(|g| joined(g) && g.fits(name))
    }
    /// Does a chain of names match? `grounded`: the chain starts at a global rather than at a local. The answer is how
    /// much of it is written out in the pattern: more is more exact.
    pub(super) fn fits(&self, chain: &[Link], grounded: bool) -> Option<usize> {
        go(&self.segs, chain, true, self.open, grounded)
    }
}

/// Which name of the chain each call in the middle of a pattern stands for, with its parameters.
pub(super) fn middle<'w>(way: &'w Way, chain: &[Link], grounded: bool) -> Vec<(&'w [Param], usize)> {
    let mut out = Vec::new();
    let (mut segs, mut at, mut last) = (way.segs.as_slice(), 0, true);
    while let Some((seg, rest)) = segs.split_first() {
        let fits = |n: usize| go(rest, chain.get(n..).unwrap_or_default(), false, way.open, grounded).is_some();
        match seg {
            Seg::Any => match (at..=chain.len()).find(|n| fits(*n)) {
                Some(n) => at = n,
                None => break,
            },
            Seg::Name { called, params, .. } => {
                if *called && !last {
                    out.push((params.as_slice(), at));
                }
                at += 1;
            }
        }
        (segs, last) = (rest, false);
    }
    out
}

fn go(segs: &[Seg], chain: &[Link], last: bool, open: bool, grounded: bool) -> Option<usize> {
    match segs.split_first() {
        None => {
            let fits = if open { !chain.is_empty() || !grounded } else { chain.is_empty() && grounded };
            fits.then_some(0)
        }
        Some((Seg::Any, rest)) => {
            (0..=chain.len()).find_map(|n| go(rest, chain.get(n..).unwrap_or_default(), false, open, grounded))
        }
        Some((Seg::Name { globs, called, .. }, rest)) => {
            let (link, back) = chain.split_first()?;
            if !last && link.called() != *called {
                return None;
            }
            let glob = globs.iter().filter(|g| g.fits(link.name)).max_by_key(|g| g.written())?;
            Some(glob.written() + go(rest, back, false, open, grounded)?)
        }
    }
}

/// Do the arguments of a call fit the parameters?
pub(super) fn arguments_fit(arena: &Arena, params: &[Param], args: &[Arg]) -> bool {
    let is = |a: &Arg, mark: &str| a.name.is_some_and(|n| n == mark);
    let positional = args.iter().filter(|a| a.name.is_none()).count();
    let (star, map) = (args.iter().any(|a| is(a, "*")), args.iter().any(|a| is(a, "**")));
    let places = params.iter().filter(|p| !p.rest && !p.keyword).count();
    if positional > places && !params.iter().any(|p| p.rest && !p.keyword) {
        return false;
    }
    params.iter().enumerate().all(|(i, p)| {
        // Of all that is given one must be that.
        if let (Some(want), true) = (&p.value, p.rest) {
            let own = args.iter().filter(|a| a.name.is_none()).skip(i);
            return own.into_iter().any(|a| says(arena, a.value, want));
        }
        if let (Some(want), Some(name)) = (&p.value, p.names.first()) {
            let given = argument(params, args, *name);
            let given = p.field.map_or(given, |f| given.and_then(|v| part(arena, v, f)));
            return given.is_some_and(|v| says(arena, v, want));
        }
        p.optional
            || p.rest
            || (!p.keyword && (i < positional || star))
            || map
            || args.iter().any(|a| a.name.is_some_and(|n| p.names.contains(&n)))
    })
}

/// How many of the parameters that must be given are given by themselves, not by an unpacked sequence or mapping.
pub(super) fn named(params: &[Param], args: &[Arg]) -> usize {
    let positional = args.iter().filter(|a| a.name.is_none()).count();
    let given = |i: usize, p: &Param| {
        let keyword = args.iter().any(|a| a.name.is_some_and(|n| p.names.contains(&n)));
        keyword || (!p.keyword && i < positional)
    };
    params.iter().enumerate().filter(|(i, p)| !p.optional && !p.rest && given(*i, p)).count()
}

/// Is a value this constant, or one of several: `0|SIGHUP`? A member of a module is known by its name.
fn says(arena: &Arena, value: ExprId, want: &str) -> bool {
    want.split('|').any(|w| is_constant(arena, value, w))
}

fn is_constant(arena: &Arena, value: ExprId, want: &str) -> bool {
    match arena.get(value) {
        _ if want == "<given>" => true,
        Expr::Call(c) => want.strip_prefix("<call ").and_then(|w| w.strip_suffix('>')).is_some_and(|name| {
            let called = match arena.get(c.callee) {
                Expr::Path(p) => p.as_str().rsplit('.').next().unwrap_or_default(),
                Expr::Field(_, f) => f.as_str(),
                _ => return false,
            };
            called.eq_ignore_ascii_case(name)
        }),
        // A word, not an object with fields of its own: `List(namespace, options)`, not `List(pods, options)`.
        value if want == "<word>" => !matches!(value, Expr::Record(_)),
        Expr::Lit(Lit::Str(s)) => match want.strip_suffix('*') {
            Some(head) => begins(s, head),
            None => s.eq_ignore_ascii_case(want),
        },
        Expr::Lit(Lit::Bool(b)) => want == if *b { "true" } else { "false" },
        Expr::Lit(Lit::Num(n)) => n.to_string() == want,
        Expr::Path(p) => {
            let last = p.as_str().rsplit('.').next().unwrap_or_default();
            let class = last.starts_with(char::is_uppercase) && last.contains(char::is_lowercase);
            if want == "<type>" { class } else { p.contains('.') && last.eq_ignore_ascii_case(want) }
        }
        _ => false,
    }
}

/// Is the first of the words of a name, which are joined by capitals, this one: `drop` of `DropQueue`, not of `Dropped`?
fn begins(name: &str, word: &str) -> bool {
    let head = name.get(..word.len()).is_some_and(|h| h.eq_ignore_ascii_case(word));
    head && !name.get(word.len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_lowercase()))
}

/// The argument a parameter stands for: by its keyword, else by its position.
pub(super) fn argument(params: &[Param], args: &[Arg], name: Sym) -> Option<ExprId> {
    let (at, param) = params.iter().enumerate().find(|(_, p)| p.names.contains(&name))?;
    // Of several names the one that the row names first: `delete_access_key(UserName=.., AccessKeyId=..)` destroys the key.
    let by_name = param.names.iter().find_map(|own| args.iter().find(|a| a.name == Some(*own)));
    if param.keyword {
        return by_name.map(|a| a.value);
    }
    let by_place = || args.iter().filter(|a| a.name.is_none()).nth(at);
    // `f(*ids)`: the unpacked sequence stands for what it holds.
    let unpacked = || args.iter().find(|a| a.name.is_some_and(|n| n == "*"));
    by_name.or_else(by_place).or_else(unpacked).map(|a| a.value)
}

/// The values a `*rest` parameter takes: every positional argument from its place on, or where there is none, every
/// keyword that is no other parameter's; the latter alone for `**rest`.
pub(super) fn rest(params: &[Param], args: &[Arg], name: Sym) -> Vec<ExprId> {
    let Some(at) = params.iter().position(|p| p.rest && p.names.contains(&name)) else {
        return argument(params, args, name).into_iter().collect();
    };
    let by_name_only = params.get(at).is_some_and(|p| p.keyword);
    let placed: Vec<ExprId> = match by_name_only {
        true => Vec::new(),
        false => args.iter().filter(|a| a.name.is_none_or(|n| n == "*")).skip(at).map(|a| a.value).collect(),
    };
    if !placed.is_empty() {
        return placed;
    }
    let free = |n: Sym| n != "*" && !params.iter().any(|p| !p.rest && p.names.contains(&n));
    args.iter().filter(|a| a.name.is_some_and(free)).map(|a| a.value).collect()
}

/// A field of a value as far as it is written out: `body.preconditions` of `V1DeleteOptions(preconditions=p)`, of
/// `{"preconditions": p}`.
pub(super) fn part(arena: &Arena, value: ExprId, field: Sym) -> Option<ExprId> {
    match arena.get(value) {
        Expr::Record(parts) => parts.iter().find(|p| p.0 == field).map(|p| p.1),
        Expr::Call(c) => {
            let by_name = || c.args.iter().find(|a| a.name == Some(field)).map(|a| a.value);
            match arena.get(c.callee) {
                // `ListParams::default().labels(selector)`
                Expr::Field(base, name) => {
                    let own = name.as_str() == field.as_str() || name.strip_prefix("set_") == Some(field.as_str());
                    let set = own.then(|| c.args.first().map_or(value, |a| a.value));
                    set.or_else(by_name).or_else(|| part(arena, *base, field))
                }
                _ => by_name(),
            }
        }
        _ => None,
    }
}

/// `a{b,c}d` as `abd`, `acd`.
pub(super) fn braces(text: &str) -> Result<Vec<String>, String> {
    expand(text, &|_| true)
}

/// Writes out the braces that pass.
fn expand(text: &str, which: &dyn Fn(&str) -> bool) -> Result<Vec<String>, String> {
    let Some(open) = text.find('{') else {
        return if text.contains('}') { Err("`}` without `{`".into()) } else { Ok(vec![text.to_string()]) };
    };
    let (head, rest) = text.split_at(open);
    let (inside, tail) = rest[1..].split_once('}').ok_or("`{` without `}`")?;
    let tails = expand(tail, which)?;
    if !which(inside) {
        return Ok(tails.iter().map(|t| format!("{head}{{{inside}}}{t}")).collect());
    }
    Ok(inside.split(',').flat_map(|m| tails.iter().map(move |t| format!("{head}{}{t}", m.trim()))).collect())
}

type Called = Option<Vec<Param>>;

fn way(text: &str) -> Result<(Way, Called), String> {
    let mut parts = pieces(text)?;
    let open = parts.len() > 1 && parts[0] == ("*".to_string(), None);
    if open {
        parts.remove(0);
    }
    parts.reverse();
    let mut called = None;
    let mut segs = Vec::new();
    for (i, (name, args)) in parts.into_iter().enumerate() {
        if name.is_empty() {
            return Err("an empty name".into());
        }
        let params = args.as_deref().map(params).transpose()?;
        segs.push(match (name.as_str(), i) {
            ("**", 0) => return Err("`**` cannot be called".into()),
            ("**", _) => Seg::Any,
            _ => Seg::Name {
                globs: braces(&name)?.iter().map(|n| Glob::new(n)).collect(),
                called: params.is_some(),
                params: if i == 0 { Vec::new() } else { params.clone().unwrap_or_default() },
            },
        });
        if i == 0 {
            called = params;
        }
    }
    Ok((Way { open, segs }, called))
}

/// `a.b(c, d).e` as `a`, `b` with `c, d`, `e`.
fn pieces(text: &str) -> Result<Vec<(String, Option<String>)>, String> {
    let (mut out, mut rest) = (Vec::new(), text);
    loop {
        let end = rest.find(['.', '(']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let (args, after) = match after.strip_prefix('(') {
            Some(inner) => {
                let (args, after) = inner.split_once(')').ok_or("`(` without `)`")?;
                (Some(args.to_string()), after)
            }
            None => (None, after),
        };
        out.push((name.to_string(), args));
        match after.strip_prefix('.') {
            Some(next) => rest = next,
            None if after.is_empty() => return Ok(out),
            None => return Err(format!("unexpected `{after}`")),
        }
    }
}

fn params(text: &str) -> Result<Vec<Param>, String> {
    let mut out = Vec::new();
    let mut keyword = false;
    for text in text.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        if text == "*" {
            keyword = true;
        } else {
            let param = param(text)?;
            out.push(Param { keyword: keyword || param.keyword, ..param });
        }
    }
    Ok(out)
}

fn param(text: &str) -> Result<Param, String> {
    let (text, keyword) = text.strip_prefix("**").map_or((text, false), |t| (t, true));
    let (text, rest) = text.strip_prefix('*').map_or((text, keyword), |t| (t, true));
    let (text, value) = match text.split_once('=') {
        Some((text, value)) => (text, Some(value.trim_matches('\'').to_ascii_lowercase())),
        None => (text, None),
    };
    let (text, optional) = text.strip_suffix('?').map_or((text, false), |t| (t, true));
    let (text, field) = text.split_once('.').map_or((text, None), |(t, f)| (t, Some(sym(f))));
    let names: Vec<Sym> = text.split('|').map(sym).collect();
    if names.iter().any(|n| n.is_empty() || n.contains(['?', '*', ' '])) {
        return Err(format!("`{text}` is no parameter"));
    }
    Ok(Param { names, optional, rest, keyword, value, field })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_whole_names() {
        assert!(Glob::new("delete_*").fits("delete_pod"));
        assert!(!Glob::new("delete_*").fits("undelete_pod"));
        assert!(Glob::new("*_delete").fits("pg_delete"));
        assert!(Glob::new("list_*_for_all_*").fits("list_pod_for_all_namespaces"));
        assert!(!Glob::new("list_*_for_all_*").fits("list_for_all"));
        assert!(Glob::new("remove").fits("remove"));
        assert!(!Glob::new("remove").fits("remove_all"));
    }

    #[test]
    fn braces_write_several_patterns() {
        assert_eq!(braces("*.{a,b}.{c,d}()").unwrap(), ["*.a.c()", "*.a.d()", "*.b.c()", "*.b.d()"]);
        assert!(braces("a}").is_err());
        assert!(braces("{a").is_err());
    }

    #[test]
    fn broken_patterns_are_refused() {
        for bad in ["", "*.a(", "*.a(b)c", "*.a(b?c)", "a..b()", "*.**"] {
            assert!(Shape::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn only_names_that_say_enough_stand_alone() {
        let specific = |p: &str| {
            let shape = Shape::parse(p).unwrap();
            let name = p.trim_end_matches(|c| c != '(').trim_end_matches('(').rsplit('.').next().unwrap();
            let name = braces(name).unwrap().remove(0).replace('*', "x");
            shape.ways.iter().all(|w| w.specific(&name, false))
        };
        assert!(specific("*.delete_namespaced_*(name)"));
        assert!(specific("*.{delete_volume,delete_key_pair}(VolumeId)"));
        assert!(specific("*.objects.filter()"));
        assert!(specific("os.remove(path)"));
        assert!(!specific("*.delete(name)"));
        assert!(!specific("*.delete_*(name)"));
    }
}
