//! From bytes to text, or the reason why not.
//!
//! Only UTF-8 is read: offsets in reports are those of the file, and a text decoded from something else has others.
//! What Python calls a coding line is only used to say what the file probably is:
//!
//! ```text
//! # -*- coding: latin-1 -*-
//! # caf\xe9                      not UTF-8 (byte 0xe9 in line 2; its coding line says latin-1)
//! ```

/// The text, a byte order mark included.
pub(super) fn text(bytes: &[u8]) -> Result<&str, String> {
    if let Some(name) = wide(bytes) {
        return Err(format!("{name} text; only UTF-8 is read"));
    }
    if bytes.contains(&0) {
        return Err("binary: it holds NUL bytes".to_owned());
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let line = 1 + bytes.iter().take(at).filter(|byte| **byte == b'\n').count();
        let byte = bytes.get(at).copied().unwrap_or_default();
        let coding = coding(bytes).map(|name| format!("; its coding line says {name}")).unwrap_or_default();
        format!("not UTF-8 (byte {byte:#04x} in line {line}{coding})")
    })
}

fn wide(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => Some("UTF-32"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16"),
        _ => None,
    }
}

/// The name in a comment of the first two lines: `coding: NAME` or `coding=NAME`.
fn coding(bytes: &[u8]) -> Option<String> {
    bytes.split(|byte| *byte == b'\n').take(2).find_map(|line| {
        let line = String::from_utf8_lossy(line);
        let comment = line.trim_start().strip_prefix('#')?;
        let (_, rest) = comment.split_once("coding")?;
        let name = rest.strip_prefix([':', '='])?.trim_start();
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c)).unwrap_or(name.len());
        name.get(..end).filter(|name| !name.is_empty()).map(str::to_owned)
    })
}

#[cfg(test)]
mod tests {
    use super::text;

    fn refused(bytes: &[u8]) -> String {
        text(bytes).expect_err("refused")
    }

    #[test]
    fn utf8_with_and_without_a_mark() {
        assert_eq!(text("\u{feff}é = 1".as_bytes()), Ok("\u{feff}é = 1"));
        assert_eq!(text(b""), Ok(""));
    }

    #[test]
    fn the_reason_says_what_it_probably_is() {
        assert_eq!(refused(b"x = 1\n# \xe9\n"), "not UTF-8 (byte 0xe9 in line 2)");
        assert_eq!(
            refused(b"#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\n# \xe9\n"),
            "not UTF-8 (byte 0xe9 in line 3; its coding line says latin-1)"
        );
        assert_eq!(refused(b"\xff\xfex\0"), "UTF-16 text; only UTF-8 is read");
        assert_eq!(refused(b"\xfe\xff\0x"), "UTF-16 text; only UTF-8 is read");
        assert_eq!(refused(b"x\0y"), "binary: it holds NUL bytes");
    }
}
