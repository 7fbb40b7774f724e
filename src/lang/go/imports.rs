//! Imports, read as text: what name a package has in a file, and its path with dots.
//!
//! ```text
//! import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"    metav1 = k8s.io.apimachinery.pkg.apis.meta.v1
//! import "github.com/redis/go-redis/v9"                   redis  = github.com.redis.go_redis
//! import _ "embed"                                        no name, but an imported path
//! ```
//!
//! A package may call itself other than its folder. What such names have in common is guessed: `go-redis` is `redis`.

use crate::ir::{Sym, sym};

/// One import.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Import {
    /// The names it may have in the file; the likeliest first, none for `_`. `*` is `import . "x"`.
    pub locals: Vec<Sym>,
    /// Its path, dotted.
    pub path: Sym,
}

/// The imports of one declaration: `import "a"`, `import ( … )`. Comments are read around.
pub(super) fn read(declaration: &str) -> Vec<Import> {
    let mut found = Vec::new();
    let rest = declaration.trim_start().strip_prefix("import").unwrap_or_default();
    let rest = rest.trim_start().strip_prefix('(').unwrap_or(rest);
    for line in rest.split(['\n', ';']) {
        let line = line.trim();
        let line = line.split_once("*/").map_or(line, |(_, after)| after.trim());
        let Some(open) = line.find(['"', '`']) else { continue };
        let (name, quoted) = line.split_at(open);
        if name.contains("//") {
            continue;
        }
        let Some(path) = quoted.get(1..).and_then(|q| q.split(['"', '`']).next()) else { continue };
        found.extend(import(name.trim(), path));
    }
    found
}

fn import(name: &str, path: &str) -> Option<Import> {
    if path.is_empty() {
        return None;
    }
    let locals = match name {
        "_" => Vec::new(),
        "." => vec![sym("*")],
        "" => guesses(path),
        name => vec![sym(name)],
    };
    Some(Import { locals, path: sym(&dotted(path)) })
}

/// A path with dots, without the version of the module: `github.com/redis/go-redis/v9` is `github.com.redis.go_redis`.
/// `k8s.io/api/autoscaling/v2` is a version of an interface of its own, and stays.
pub(super) fn dotted(path: &str) -> String {
    let grouped = path.starts_with("k8s.io/api/") || path.contains("/apis/") || path.contains("/api/");
    let mut parts: Vec<&str> = path.split('/').filter(|p| !p.is_empty() && *p != ".").collect();
    if !grouped && parts.len() > 1 && parts.last().is_some_and(|p| is_major(p)) {
        parts.pop();
    }
    let last = parts.len().saturating_sub(1);
    let clean = |(i, part): (usize, &str)| {
        let part = match part.rsplit_once('.') {
            Some((head, version)) if i == last && is_major(version) => head,
            _ => part,
        };
        part.replace(|c: char| !(c.is_alphanumeric() || c == '.' || c == '_'), "_")
    };
    let parts: Vec<String> = parts.into_iter().enumerate().map(clean).collect();
    parts.join(".")
}

/// `v2`, `v13`; version one is never written.
fn is_major(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|n| !n.is_empty() && n != "1" && n.chars().all(|c| c.is_ascii_digit()))
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v').is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
}

/// What a package may call itself, by its path.
fn guesses(path: &str) -> Vec<Sym> {
    let parts: Vec<&str> = path.split('/').collect();
    let at = match parts.len() {
        0 | 1 => 0,
        n if parts.last().is_some_and(|p| is_major(p)) => n - 2,
        n => n - 1,
    };
    let part = parts.get(at).copied().unwrap_or_default();
    let part = match part.rsplit_once('.') {
        Some((head, tail)) if is_version(tail) || tail == "go" => head,
        _ => part,
    };
    let bare = part.strip_prefix("go-").unwrap_or(part);
    let bare = bare.strip_suffix("-go").unwrap_or(bare);
    let tail = bare.rsplit('-').next().unwrap_or(bare);
    let mut names: Vec<Sym> = Vec::new();
    for name in [bare.replace(['-', '.'], ""), part.replace(['-', '.'], ""), bare.replace('-', "_"), tail.to_string()] {
        let plain = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
        if plain && !names.contains(&sym(&name)) {
            names.push(sym(&name));
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bound(text: &str) -> Vec<String> {
        let shown = |i: &Import| format!("{}={}", i.locals.first().map_or("_", |l| l.as_str()), i.path);
        read(text).iter().map(shown).collect()
    }

    #[test]
    fn declarations() {
        assert_eq!(bound("import \"os/exec\""), ["exec=os.exec"]);
        assert_eq!(
            bound(
                "import (\n\t\"fmt\" // x\n\n\tmetav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\t// \"no\"\n\t_ \"embed\"\n\t. \"a/b\"\n)"
            ),
            ["fmt=fmt", "metav1=k8s.io.apimachinery.pkg.apis.meta.v1", "_=embed", "*=a.b"]
        );
        assert_eq!(bound("import (\"a\"; \"b\")"), ["a=a", "b=b"]);
        assert_eq!(
            bound(
                "import (\n\"github.com/redis/go-redis/v9\"\n\"gopkg.in/yaml.v3\"\n\"github.com/nats-io/nats.go\"\n\"github.com/minio/minio-go/v7\"\n)"
            ),
            [
                "redis=github.com.redis.go_redis",
                "yaml=gopkg.in.yaml",
                "nats=github.com.nats_io.nats.go",
                "minio=github.com.minio.minio_go"
            ]
        );
        assert_eq!(bound("import v2 \"k8s.io/api/autoscaling/v2\""), ["v2=k8s.io.api.autoscaling.v2"]);
        assert_eq!(bound("import"), Vec::<String>::new());
    }
}
