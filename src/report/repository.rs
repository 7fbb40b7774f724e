//! Paths as a forge reads them: from the root of the repository, wherever the linter was started.
//!
//! ```text
//! started in services/api    janitor.py        services/api/janitor.py
//!                            ../jobs/reap.py   services/jobs/reap.py
//!                            /etc/x.py         outside: no forge knows it
//! ```
//! Of URIs `percent-encoding` makes the odd characters: it is the `url` crate's own, small and without dependencies.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::path::{Component, Path};

/// What may stand in a segment of a path as it is (RFC 3986, `pchar`), short of what Markdown and shells make much of.
const KEPT: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The repository around a run.
#[derive(Clone, Debug, Default)]
pub struct Repository {
    /// The root, by its parts.
    root: Vec<String>,
    /// The working directory, by its parts.
    here: Vec<String>,
    /// The address below which files can be seen in a browser.
    address: Option<String>,
}

/// A path seen from the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Below it, with `/`.
    Inside(String),
    /// Elsewhere, absolute, with `/`.
    Outside(String),
}

impl Repository {
    /// Both folders are absolute.
    pub fn new(root: &Path, here: &Path, address: Option<String>) -> Repository {
        Repository { root: parts(root, Vec::new()), here: parts(here, Vec::new()), address }
    }

    /// A path as reported, from the root.
    pub fn seen(&self, path: &Path) -> Seen {
        let start = if path.is_absolute() { Vec::new() } else { self.here.clone() };
        let whole = parts(path, start);
        match whole.strip_prefix(&self.root[..]) {
            Some(below) => Seen::Inside(below.join("/")),
            None => Seen::Outside(format!("/{}", whole.join("/"))),
        }
    }

    /// The same as text: from the root, or absolute.
    pub fn path(&self, path: &Path) -> String {
        match self.seen(path) {
            Seen::Inside(path) | Seen::Outside(path) => path,
        }
    }

    /// Where a line can be seen in a browser.
    pub fn link(&self, path: &Path, line: usize) -> Option<String> {
        match (self.seen(path), &self.address) {
            (Seen::Inside(path), Some(address)) => Some(format!("{address}/{}#L{line}", encoded(&path))),
            _ => None,
        }
    }
}

/// A path with `/` as it stands in a URI.
pub fn encoded(path: &str) -> String {
    utf8_percent_encode(path, &KEPT).to_string()
}

/// The parts of a path, after those of the folder that it starts from.
fn parts(path: &Path, mut from: Vec<String>) -> Vec<String> {
    for component in path.components() {
        match component {
            Component::ParentDir => {
                from.pop();
            }
            Component::CurDir | Component::RootDir => {}
            Component::Prefix(prefix) => from.push(prefix.as_os_str().to_string_lossy().into_owned()),
            Component::Normal(name) => from.push(name.to_string_lossy().into_owned()),
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_the_root_wherever_it_was_started() {
        let repository = Repository::new(Path::new("/r"), Path::new("/r/services/api"), None);
        let inside = |path: &str| Seen::Inside(path.to_owned());
        assert_eq!(repository.seen(Path::new("a.py")), inside("services/api/a.py"));
        assert_eq!(repository.seen(Path::new("./b/a.py")), inside("services/api/b/a.py"));
        assert_eq!(repository.seen(Path::new("../jobs/a.py")), inside("services/jobs/a.py"));
        assert_eq!(repository.seen(Path::new("/r/a.py")), inside("a.py"));
        assert_eq!(repository.seen(Path::new("/etc/a.py")), Seen::Outside("/etc/a.py".to_owned()));
        assert_eq!(repository.seen(Path::new("../../../x/a.py")), Seen::Outside("/x/a.py".to_owned()));
        assert_eq!(Repository::default().seen(Path::new("a.py")), inside("a.py"));
    }

    #[test]
    fn links_are_encoded() {
        let at = Some("https://forge.test/a/b/blob/0c".to_owned());
        let repository = Repository::new(Path::new("/r"), Path::new("/r"), at);
        let link = repository.link(Path::new("a b/100%,x:y/é#.py"), 7);
        assert_eq!(link.as_deref(), Some("https://forge.test/a/b/blob/0c/a%20b/100%25%2Cx%3Ay/%C3%A9%23.py#L7"));
        assert_eq!(repository.link(Path::new("/etc/a.py"), 7), None);
    }
}
