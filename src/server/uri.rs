//! Paths and the URIs by which editors name them.
//!
//! ```text
//! /home/lab/a b.py     file:///home/lab/a%20b.py
//! C:\lab\a.py          file:///c%3A/lab/a.py      some editors write `c:`, some a capital letter
//! (no file)            untitled:Untitled-1        is not linted
//! ```

use lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::path::{Path, PathBuf};

/// What stands in a path as it is.
const KEPT: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The file that a URI names; nothing for what is no file of this host.
pub fn to_path(uri: &Uri) -> Option<PathBuf> {
    let text = uri.as_str();
    let scheme = text.get(..7).filter(|scheme| scheme.eq_ignore_ascii_case("file://"))?;
    let rest = text.get(scheme.len()..)?;
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let path = match rest.strip_prefix("localhost") {
        Some(path) if path.starts_with('/') => path,
        _ => rest,
    };
    let decoded = percent_decode_str(path).decode_utf8().ok()?.into_owned();
    if !decoded.starts_with('/') || decoded.contains('\0') {
        return None;
    }
    Some(PathBuf::from(without_drive_slash(&decoded)))
}

/// `/c:/lab` is `C:/lab`.
fn without_drive_slash(path: &str) -> String {
    let mut chars = path.chars().skip(1);
    match (chars.next(), chars.next()) {
        (Some(drive), Some(':')) if cfg!(windows) && drive.is_ascii_alphabetic() => {
            format!("{}:{}", drive.to_ascii_uppercase(), path.get(3..).unwrap_or_default())
        }
        _ => path.to_owned(),
    }
}

/// The URI of an absolute path.
pub fn of_path(path: &Path) -> Option<Uri> {
    let shown = path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    let shown = shown.strip_prefix("//?/").unwrap_or(&shown);
    let slash = if shown.starts_with('/') { "" } else { "/" };
    format!("file://{slash}{}", utf8_percent_encode(shown, &KEPT)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(uri: &str) -> Option<PathBuf> {
        to_path(&uri.parse().expect("a URI"))
    }

    #[test]
    fn there_and_back() {
        for text in ["/home/lab/a.py", "/home/a b/ü#?%.py", "/x/c:d/[1].py"] {
            let uri = of_path(Path::new(text)).expect("a URI");
            assert_eq!(to_path(&uri), Some(PathBuf::from(text)), "{}", uri.as_str());
        }
    }

    #[test]
    fn forms_of_editors() {
        assert_eq!(path("file:///a/b%2Ec.py"), Some("/a/b.c.py".into()));
        assert_eq!(path("FILE://localhost/a.py"), Some("/a.py".into()));
        assert_eq!(path("file:///a.py#L3"), Some("/a.py".into()));
        assert_eq!(path("untitled:Untitled-1"), None);
        assert_eq!(path("file://server/share/a.py"), None, "a file of another host");
        assert_eq!(path("file:///a%FF.py"), None);
        assert_eq!(path("file:///a%00.py"), None);
    }
}
