//! Where a run stands: the root of the repository, and where its files can be seen.
//!
//! The root is the closest folder at or above the working directory that holds `.git`; without one, the folder that a CI
//! names, if the working directory lies in it; without that, the working directory.

use crate::report::repository::Repository;
use std::path::{Path, PathBuf};

/// The repository around the working directory.
pub fn repository() -> Repository {
    let here = std::env::current_dir().unwrap_or_default();
    let env = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    Repository::new(&root(&here, env), &here, blob(env))
}

fn root(here: &Path, env: impl Fn(&str) -> Option<String>) -> PathBuf {
    let git = here.ancestors().find(|folder| folder.join(".git").exists());
    let named = || {
        let folders = ["GITHUB_WORKSPACE", "CI_PROJECT_DIR"].iter().filter_map(|name| env(name));
        folders.map(PathBuf::from).find(|folder| folder.is_absolute() && here.starts_with(folder))
    };
    git.map(Path::to_owned).or_else(named).unwrap_or_else(|| here.to_owned())
}

/// The address of the files of this commit, where a CI tells it.
fn blob(env: impl Fn(&str) -> Option<String>) -> Option<String> {
    let github = || {
        let (server, name, commit) = (env("GITHUB_SERVER_URL")?, env("GITHUB_REPOSITORY")?, env("GITHUB_SHA")?);
        Some(format!("{}/{name}/blob/{commit}", server.trim_end_matches('/')))
    };
    let gitlab = || {
        let (project, commit) = (env("CI_PROJECT_URL")?, env("CI_COMMIT_SHA")?);
        Some(format!("{}/-/blob/{commit}", project.trim_end_matches('/')))
    };
    let address = github().or_else(gitlab)?;
    // What is no address of the web makes no link.
    (address.starts_with("https://") || address.starts_with("http://")).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'a>(vars: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + Copy + 'a {
        |name| vars.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn the_closest_folder_of_git_is_the_root() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        std::fs::create_dir_all(&inner).unwrap();
        assert_eq!(root(&inner, with(&[])), inner, "there is none");
        let named = folder.path().display().to_string();
        assert_eq!(root(&inner, with(&[("CI_PROJECT_DIR", &named)])), folder.path());
        assert_eq!(root(&inner, with(&[("GITHUB_WORKSPACE", "/elsewhere")])), inner);
        std::fs::write(folder.path().join("a/.git"), "gitdir: elsewhere").unwrap();
        assert_eq!(root(&inner, with(&[("CI_PROJECT_DIR", &named)])), folder.path().join("a"));
    }

    #[test]
    fn the_address_of_files() {
        let github =
            [("GITHUB_SERVER_URL", "https://github.test/"), ("GITHUB_REPOSITORY", "a/b"), ("GITHUB_SHA", "0c")];
        assert_eq!(blob(with(&github)).as_deref(), Some("https://github.test/a/b/blob/0c"));
        assert_eq!(blob(with(&github[..2])), None);
        let gitlab = [("CI_PROJECT_URL", "https://gitlab.test/a/b"), ("CI_COMMIT_SHA", "0c")];
        assert_eq!(blob(with(&gitlab)).as_deref(), Some("https://gitlab.test/a/b/-/blob/0c"));
        assert_eq!(blob(with(&[("CI_PROJECT_URL", "javascript:x"), ("CI_COMMIT_SHA", "0c")])), None);
    }
}
