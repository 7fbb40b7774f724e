//! What git says: the commit that is compared with, what differs from it, and the texts of then.
//!
//! Nothing is checked out, and nothing is written: `merge-base`, `ls-tree`, `ls-files`, `diff --name-status` and `cat-file`.

use rustc_hash::{FxHashMap, FxHashSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The commit that is compared with.
#[derive(Debug)]
pub struct Base {
    /// As it was asked for.
    pub name: String,
    /// The working tree's folder.
    pub top: PathBuf,
    commit: String,
    /// Every file of then, relative to `top`.
    pub files: FxHashSet<String>,
    /// Files that differ, by the path they have now, and the path they had then.
    pub changed: FxHashMap<String, String>,
    /// Files of then that are not there now.
    pub deleted: Vec<String>,
    /// What the user should know of it.
    pub notice: Option<String>,
}

/// What there is to compare with.
#[derive(Debug)]
pub enum Found {
    /// A commit.
    Base(Box<Base>),
    /// Nothing, and why: everything is new.
    Nothing(String),
}

/// The merge base of a revision and what is checked out; the revision itself where they have none that is known here.
///
/// # Errors
/// What makes the comparison impossible.
pub fn base(revision: &str) -> Result<Found, String> {
    let top = top("--diff-base")?;
    let commit = |name: &str| {
        let of = format!("{name}^{{commit}}");
        text(&top, &["rev-parse", "--verify", "--quiet", "--end-of-options", &of]).map(|id| id.trim().to_owned())
    };
    let shallow = text(&top, &["rev-parse", "--is-shallow-repository"]).is_ok_and(|said| said.trim() == "true");
    let Ok(wanted) = commit(revision) else {
        if commit("HEAD").is_err() {
            return Ok(Found::Nothing("there is no commit yet: everything is new".to_owned()));
        }
        if shallow {
            let why = format!("`{revision}` is not in this shallow clone (fetch it, or clone with the whole history)");
            return Ok(Found::Nothing(format!("{why}: everything is reported")));
        }
        return Err(format!("--diff-base: there is no commit `{revision}`"));
    };
    let ancestor = text(&top, &["merge-base", "--end-of-options", "HEAD", &wanted]);
    let (commit, notice) = match ancestor {
        Ok(id) => (id.trim().to_owned(), None),
        Err(_) if shallow => (
            wanted,
            Some(format!(
                "this clone is too shallow to tell where it parted from `{revision}`: compared with `{revision}` itself"
            )),
        ),
        Err(_) => (wanted, Some(format!("nothing in common with `{revision}`: compared with it as it is"))),
    };
    let files = listed(&top, &["ls-tree", "-r", "-z", "--name-only", "--full-tree", &commit])?;
    let mut base = Base {
        name: revision.to_owned(),
        files: files.into_iter().collect(),
        changed: FxHashMap::default(),
        deleted: vec![],
        notice,
        commit,
        top,
    };
    base.differences()?;
    Ok(Found::Base(Box::new(base)))
}

/// The folder of the working tree that a flag needs.
fn top(flag: &str) -> Result<PathBuf, String> {
    let top = text(Path::new("."), &["rev-parse", "--show-toplevel"]);
    let top = top.map_err(|why| format!("{flag}: this is no git repository ({why})"))?;
    Ok(PathBuf::from(top.trim_end_matches(['\n', '\r'])))
}

/// The folder of the working tree, and the paths below it that git tracks, or is to track from the next commit on.
///
/// # Errors
/// git could not be asked.
pub fn tracked() -> Result<(PathBuf, FxHashSet<String>), String> {
    let top = top("--no-untracked")?;
    let files = listed(&top, &["ls-files", "-z"])?;
    Ok((top, files.into_iter().collect()))
}

impl Base {
    /// `M\0path\0`, `R087\0old\0new\0`: what the working tree, committed or not, differs in.
    fn differences(&mut self) -> Result<(), String> {
        let status = ["diff", "--name-status", "-z", "-M", "--no-ext-diff", "--ignore-submodules", &self.commit, "--"];
        let mut words = listed(&self.top, &status)?.into_iter();
        while let Some(kind) = words.next() {
            let Some(path) = words.next() else { break };
            match kind.chars().next() {
                Some('R' | 'C') => {
                    if let Some(new) = words.next() {
                        self.changed.insert(new, path);
                    }
                }
                Some('D') => self.deleted.push(path),
                Some('A') => {}
                _ => {
                    self.changed.insert(path.clone(), path);
                }
            }
        }
        Ok(())
    }

    /// The contents that files had then.
    ///
    /// # Errors
    /// git could not be asked.
    pub fn contents(&self, paths: &[String]) -> Result<FxHashMap<String, Vec<u8>>, String> {
        // A name with a line end cannot be asked for in a line.
        let paths: Vec<&String> = paths.iter().filter(|path| !path.contains('\n')).collect();
        if paths.is_empty() {
            return Ok(FxHashMap::default());
        }
        let mut child = command(&self.top, &["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|why| format!("--diff-base: git cannot be run: {why}"))?;
        let asked: String = paths.iter().map(|path| format!("{}:{path}\n", self.commit)).collect();
        let input = child.stdin.take();
        let writer = std::thread::spawn(move || input.map(|mut input| input.write_all(asked.as_bytes())));
        let output = child.wait_with_output().map_err(|why| format!("--diff-base: git cannot be run: {why}"))?;
        // A reader that went away shows in what it wrote.
        let _ = writer.join();
        Ok(batch(&output.stdout, &paths))
    }
}

/// `<id> blob <size>\n<bytes>\n` for each path asked for, `.. missing\n` for one that is not there.
fn batch(mut answer: &[u8], paths: &[&String]) -> FxHashMap<String, Vec<u8>> {
    let mut contents = FxHashMap::default();
    for path in paths {
        let Some(end) = answer.iter().position(|byte| *byte == b'\n') else { break };
        let (head, rest) = answer.split_at(end);
        let head = String::from_utf8_lossy(head);
        answer = rest.get(1..).unwrap_or_default();
        let size = head.rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
        let (Some(size), true) = (size, head.contains(" blob ")) else { continue };
        let Some(bytes) = answer.get(..size) else { break };
        contents.insert((*path).clone(), bytes.to_vec());
        answer = answer.get(size + 1..).unwrap_or_default();
    }
    contents
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(["-c", "core.quotePath=false"]).args(args);
    // What is asked for is the same in every language and needs no lock.
    command.env("LC_ALL", "C").env("GIT_OPTIONAL_LOCKS", "0");
    command
}

fn bytes(folder: &Path, args: &[&str]) -> Result<Vec<u8>, String> {
    let output = command(folder, args).stdin(Stdio::null()).output();
    let output = output.map_err(|why| format!("git cannot be run: {why}"))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or("git failed").trim_start_matches("fatal: ").to_owned();
    Err(said)
}

fn text(folder: &Path, args: &[&str]) -> Result<String, String> {
    bytes(folder, args).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Words that end with NUL.
fn listed(folder: &Path, args: &[&str]) -> Result<Vec<String>, String> {
    let bytes = bytes(folder, args).map_err(|why| format!("--diff-base: {why}"))?;
    let words = bytes.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    Ok(words.map(|word| String::from_utf8_lossy(word).into_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_a_batch() {
        let (a, b, c) = ("a".to_owned(), "b".to_owned(), "c".to_owned());
        let answer = b"1f2e blob 3\nx\ny\n0abc:b missing\n77aa blob 0\n\n";
        let contents = batch(answer, &[&a, &b, &c]);
        assert_eq!(contents.get("a").map(Vec::as_slice), Some(&b"x\ny"[..]));
        assert_eq!(contents.get("b"), None);
        assert_eq!(contents.get("c").map(Vec::as_slice), Some(&b""[..]));
        assert!(batch(b"1f2e blob 9\nx", &[&a]).is_empty(), "cut off");
    }
}
