//! `action/install.sh`: releases, builds, and what is on the PATH.

use super::runner::{Ran, Use, root, text};
use super::{git, program, write};
use serde_json::json;
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

/// A copy of the action, and a server of releases.
struct Shop {
    dir: TempDir,
}

const TARGET: &str = "x86_64-unknown-linux-musl";

impl Shop {
    fn new() -> Shop {
        let shop = Shop { dir: tempfile::tempdir().expect("a folder") };
        for name in [
            "action.yml",
            "action/common.sh",
            "action/install.sh",
            "action/lint.sh",
            "action/checksums.txt",
            "Cargo.toml",
        ]
        .iter()
        .chain(&[".ci/release", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md"])
        {
            let to = shop.path("action").join(name);
            std::fs::create_dir_all(to.parent().expect("a parent")).expect("folders");
            std::fs::copy(root().join(name), to).expect("a copy");
        }
        write(shop.path("workspace/x.py"), "x = 1\n");
        git(&shop.path("workspace"), &["init", "-q"]);
        shop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// `.ci/release`, in the copy: what it says against it, if it fails.
    fn release(&self, args: &[&str]) -> Result<(), String> {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut bash = Command::new("bash");
        bash.arg(self.path("action/.ci/release")).args(args).env("PATH", path);
        bash.env("GITHUB_REPOSITORY", "owner/project").env("GITHUB_SHA", "0123abc");
        let output = bash.output().expect("bash runs");
        if output.status.success() { Ok(()) } else { Err(text(&output.stderr)) }
    }

    /// Releases a program that calls itself by a version, as the workflow does.
    fn publish(&self, version: &str) {
        let folder = self.path(&format!("releases/owner/project/releases/download/v{version}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        let built = self.path("action/target").join(TARGET).join("release/reaplint");
        let real = env!("CARGO_BIN_EXE_reaplint");
        program(
            built,
            &format!("[ \"$1\" != --version ] || {{ echo reaplint {version}; exit; }}\nexec '{real}' \"$@\""),
        );
        let dist = folder.to_str().expect("a path");
        self.release(&["archive", TARGET, dist]).expect("an archive");
        write(folder.join(format!("reaplint-{version}.tar.gz")), "the source");
        self.release(&["checksums", dist, version]).expect("checksums");
    }

    fn run(&self, inputs: &[(&str, &str)], env: &[(&str, String)]) -> Ran {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut env = env.to_vec();
        if !env.iter().any(|(name, _)| *name == "PATH") {
            env.push(("PATH", format!("{}:{path}", self.path("bin").display())));
        }
        env.push(("GITHUB_SERVER_URL", format!("file://{}", self.path("releases").display())));
        let mut inputs = inputs.to_vec();
        inputs.push(("upload-sarif", "false"));
        Use {
            action: self.path("action"),
            workspace: &self.path("workspace"),
            place: &self.path("."),
            event: "push",
            payload: json!({}),
            inputs,
            env,
        }
        .run()
    }

    fn sums(&self) -> String {
        std::fs::read_to_string(self.path("action/action/checksums.txt")).expect("checksums")
    }
}

fn has(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[test]
fn a_release_is_taken_if_it_is_what_was_released() {
    if !has("curl") || !has("sha256sum") {
        return;
    }
    let shop = Shop::new();
    let own = env!("CARGO_PKG_VERSION");
    shop.publish(own);
    shop.publish("0.0.7");
    assert_eq!(shop.sums().lines().filter(|line| !line.starts_with('#')).count(), 2, "{}", shop.sums());
    let ran = shop.run(&[], &[]);
    assert_eq!((ran.failed, ran.output("version")), (false, own), "{}", ran.log);
    assert!(ran.log.contains(&format!("/v{own}/reaplint-{TARGET}.tar.gz")), "{}", ran.log);
    let ran = shop.run(&[("version", "v0.0.7")], &[]);
    assert_eq!((ran.failed, ran.output("version")), (false, "0.0.7"), "{}", ran.log);
    // What is there already is not fetched again.
    let releases = shop.path("releases");
    std::fs::rename(&releases, shop.path("away")).unwrap();
    let ran = shop.run(&[], &[]);
    assert!(!ran.failed && !ran.log.contains("downloading"), "{}", ran.log);
    std::fs::remove_dir_all(shop.path("tools")).unwrap();
    let ran = shop.run(&[], &[]);
    assert!(ran.failed && ran.log.contains("cannot be downloaded"), "{}", ran.log);
    std::fs::rename(shop.path("away"), &releases).unwrap();
    let asset = releases.join(format!("owner/project/releases/download/v{own}/reaplint-{TARGET}.tar.gz"));
    std::fs::write(asset, "something else").unwrap();
    let ran = shop.run(&[], &[]);
    assert!(ran.failed && ran.log.contains("is not what was released"), "{}", ran.log);
    assert!(!shop.path("tools/reaplint").join(own).join("X64/reaplint").exists());
}

#[test]
fn the_tag_is_put_on_the_commit_that_knows_the_release() {
    if !has("sha256sum") {
        return;
    }
    let shop = Shop::new();
    shop.publish("0.0.7");
    let dist = shop.path("releases/owner/project/releases/download/v0.0.7");
    let publish = || shop.release(&["publish", dist.to_str().expect("a path"), "0.0.7"]);
    let asked = shop.path("asked");
    let gh = |tags: &str| {
        let script = [
            format!("echo \"$@\" >>'{}'", asked.display()),
            format!("case \"$*\" in *git/ref/tags/v0.0.7) {tags} ;;"),
            "*PUT*) echo 99c0ffee ;; *PATCH*) exit 1 ;; *'contents/action/checksums.txt?ref=release-v0.0.7'*) echo 01d ;; esac"
                .to_owned(),
        ];
        program(shop.path("bin/gh"), &script.join("\n"));
        let _ = std::fs::remove_file(&asked);
    };
    gh("exit 1");
    assert!(publish().unwrap_err().contains("CHANGELOG.md has no heading for 0.0.7"));
    write(
        shop.path("action/CHANGELOG.md"),
        "# Changelog\n\n## [0.0.7] - today\n\n- It is there.\n\n## [0.0.6]\n\n- Old.\n",
    );
    gh("exit 0");
    assert!(publish().unwrap_err().contains("there is a tag v0.0.7 already"));
    gh("exit 1");
    publish().expect("a release");
    let asked = std::fs::read_to_string(&asked).expect("calls");
    let wanted = [
        "git/refs -f ref=refs/heads/release-v0.0.7 -f sha=0123abc",
        "--method PUT repos/owner/project/contents/action/checksums.txt -f branch=release-v0.0.7 -f sha=01d",
        "release create v0.0.7",
        "--target 99c0ffee --title v0.0.7 --notes",
        "git/refs -f ref=refs/tags/v0 -f sha=99c0ffee",
    ];
    let places: Vec<usize> =
        wanted.iter().map(|part| asked.find(part).unwrap_or_else(|| panic!("{part}: {asked}"))).collect();
    assert!(places.is_sorted(), "{asked}");
    assert!(asked.contains("- It is there.") && !asked.contains("- Old."), "{asked}");
    for name in [format!("reaplint-{TARGET}.tar.gz"), "SHA256SUMS".to_owned(), "reaplint-0.0.7.tar.gz".to_owned()] {
        assert!(asked.contains(&format!("/{name}")), "{name}: {asked}");
    }
}

#[test]
fn an_attestation_is_asked_for_where_it_is_wanted() {
    if !has("curl") || !has("sha256sum") {
        return;
    }
    let shop = Shop::new();
    shop.publish(env!("CARGO_PKG_VERSION"));
    let wanted = [("verify-attestation", "true")];
    program(shop.path("bin/gh"), "exit 1");
    let ran = shop.run(&wanted, &[]);
    assert!(ran.failed && ran.log.contains("does not attest"), "{}", ran.log);
    program(shop.path("bin/gh"), "echo asked \"$@\" with $GH_TOKEN");
    let ran = shop.run(&wanted, &[]);
    assert!(!ran.failed && ran.log.contains("--repo owner/project with secret"), "{}", ran.log);
}

#[test]
fn a_version_that_is_not_known_is_refused() {
    let shop = Shop::new();
    write(
        shop.path("action/action/checksums.txt"),
        &format!("0.0.7 00 reaplint-{TARGET}.tar.gz\n0.0.7 00 reaplint-x.zip\n"),
    );
    let ran = shop.run(&[("version", "9.9.9")], &[]);
    assert!(ran.failed && ran.log.contains("knows no release 9.9.9 for Linux on X64; it knows: 0.0.7"), "{}", ran.log);
    assert_eq!(ran.output("exit-code"), "", "nothing is linted: {}", ran.log);
    for version in ["latest", "../../etc", "1.2"] {
        let ran = shop.run(&[("version", version)], &[]);
        assert!(ran.failed && ran.log.contains("is a version as in `1.2.3`"), "{}", ran.log);
    }
}

#[test]
fn without_a_release_it_is_built_from_its_source() {
    let shop = Shop::new();
    let real = env!("CARGO_BIN_EXE_reaplint");
    let cargo = format!(
        "echo cargo \"$@\" in $PWD\nmkdir -p \"$CARGO_TARGET_DIR/release\"\ncp '{real}' \"$CARGO_TARGET_DIR/release\""
    );
    program(shop.path("bin/cargo"), &cargo);
    let ran = shop.run(&[], &[]);
    assert_eq!((ran.failed, ran.output("version")), (false, env!("CARGO_PKG_VERSION")), "{}", ran.log);
    assert!(ran.log.contains("cargo build --locked --release --bin reaplint in"), "{}", ran.log);
    // Of a kind of machine that there are no releases for.
    let ran = shop.run(&[], &[("RUNNER_ARCH", "RISCV".to_owned())]);
    assert!(!ran.failed && ran.log.contains("building it"), "{}", ran.log);
    program(shop.path("bin/cargo"), "exit 101");
    let ran = shop.run(&[], &[]);
    assert!(ran.failed && ran.log.contains("cannot be built"), "{}", ran.log);
}

#[test]
fn what_is_on_the_path_must_be_there() {
    let shop = Shop::new();
    let none = [("version", "none")];
    program(shop.path("bin/reaplint"), "exit 1");
    let ran = shop.run(&none, &[]);
    assert!(ran.failed && ran.log.contains("does not run on this machine"), "{}", ran.log);
    let ran = shop.run(&none, &[("PATH", "/usr/bin:/bin".to_owned())]);
    assert!(ran.failed && ran.log.contains("no reaplint is on the PATH"), "{}", ran.log);
}
