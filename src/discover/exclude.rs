//! What is not linted, by patterns.
//!
//! ```text
//! reaplint.toml     exclude = ["third_party"]       third_party/x.py, lib/third_party/x.py
//! lib/reaplint.toml exclude = ["/gen"]              lib/gen/x.py; not gen/x.py
//! ```

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::{Path, PathBuf};

/// Patterns of what is left out.
#[derive(Clone, Debug)]
pub struct Exclude {
    patterns: Gitignore,
    cwd: PathBuf,
}

impl Exclude {
    /// Patterns in the manner of `.gitignore`, relative to a folder.
    ///
    /// # Errors
    /// A pattern that is none.
    pub fn new(cwd: &Path, patterns: &[String]) -> Result<Exclude, ignore::Error> {
        let mut builder = GitignoreBuilder::new(cwd);
        for pattern in patterns.iter().filter(|pattern| !pattern.trim().is_empty()) {
            builder.add_line(None, pattern)?;
        }
        Ok(Exclude { patterns: builder.build()?, cwd: cwd.to_path_buf() })
    }

    /// Does a pattern name this path?
    pub(super) fn holds(&self, path: &Path, is_dir: bool) -> bool {
        let path = self.absolute(path);
        // A pattern says nothing of what lies outside its folder.
        path.starts_with(&self.cwd) && self.patterns.matched(path, is_dir).is_ignore()
    }

    /// Does a pattern name this path or a folder above it?
    pub fn holds_above(&self, path: &Path) -> bool {
        let path = self.absolute(path);
        let below = path.ancestors().take_while(|above| *above != self.cwd);
        let mut is_dir = path.is_dir();
        below.into_iter().any(|above| {
            let held = self.holds(above, is_dir);
            is_dir = true;
            held
        })
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        let whole = std::path::absolute(path).unwrap_or_else(|_| self.cwd.join(path));
        super::clean(&whole)
    }
}
