//! `primaryLocationLineHash`: the fingerprint by which GitHub knows an alert again when lines move.
//!
//! GitHub's upload action computes it where it is missing; the REST interface does not, and alerts come twice. It is
//! the hash of a hundred UTF-16 units from the start of the line on, over the ends of lines:
//!
//! ```text
//! space and tab   do not count
//! \r, \r\n        count as \n
//! the end         is one unit, 65535, and zeros after it
//! hash            h := 37 h + unit, modulo 2^64, in hexadecimal
//! :n              the nth line of the file with this hash
//! ```

use rustc_hash::FxHashMap;

/// Units that go into a hash.
const WINDOW: usize = 100;
/// What follows the last character.
const END: u16 = 65535;

/// The hashes of all lines of a text.
pub(super) fn all(text: &str) -> Vec<String> {
    let (units, starts) = units(text);
    let mut seen: FxHashMap<u64, usize> = FxHashMap::default();
    let line = |start: &usize| {
        let window = units.iter().skip(*start).copied().chain(std::iter::repeat(0)).take(WINDOW);
        let hash = window.fold(0_u64, |hash, unit| hash.wrapping_mul(37).wrapping_add(u64::from(unit)));
        let times = seen.entry(hash).or_default();
        *times += 1;
        format!("{hash:x}:{times}")
    };
    starts.iter().map(line).collect()
}

/// The units that count, and which of them begin a line.
fn units(text: &str) -> (Vec<u16>, Vec<usize>) {
    let (mut units, mut starts) = (Vec::with_capacity(text.len() + 1), vec![0]);
    let mut after_return = false;
    for unit in text.encode_utf16() {
        let second = after_return && unit == u16::from(b'\n');
        after_return = unit == u16::from(b'\r');
        if second || unit == u16::from(b' ') || unit == u16::from(b'\t') {
            continue;
        }
        if after_return || unit == u16::from(b'\n') {
            units.push(u16::from(b'\n'));
            starts.push(units.len());
        } else {
            units.push(unit);
        }
    }
    units.push(END);
    (units, starts)
}

#[cfg(test)]
mod tests {
    use super::all;

    /// Computed by a program of its own, in Python:
    ///
    /// ```python
    /// def hashes(text):
    ///     lines = re.split("\r\n|\r|\n", text)
    ///     lines = [re.sub("[ \t]", "", line) for line in lines]
    ///     for number in range(len(lines)):
    ///         units = list(struct.unpack("<%dH" ..., "\n".join(lines[number:]).encode("utf-16-le"))) + [65535]
    ///         units = (units + [0] * 100)[:100]
    ///         yield "%x" % (sum(unit * 37 ** (99 - at) for at, unit in enumerate(units)) % 2**64)
    /// ```
    #[test]
    fn as_another_program_computes_it() {
        assert_eq!(all(""), ["c129715d7a2bc9a3:1"]);
        assert_eq!(all("a"), ["53b5d4aabe50d64:1"]);
        assert_eq!(all("x\nx\n"), ["8c072f39cc89b447:1", "828973aa50c68d6d:1", "c129715d7a2bc9a3:1"]);
        let call = "\tapi.delete_lab('研究 🧹')\r\n";
        let wanted = ["ae51672b4a8a57c9:1", "f479efc226e02a75:1", "8616723a53930546:1", "c129715d7a2bc9a3:1"];
        assert_eq!(all(&format!("def f(api):\r\n{call}{call}")), wanted);
        let delete = "        apps.delete_namespaced_deployment(meta.name, meta.namespace)\n";
        let text = format!("    if row is None:\n{delete}        # {}\n", "y".repeat(120));
        let wanted = ["510b603240c8f1d0:1", "f5e33f33e5b1c44e:1", "8ba8283a650a81de:1", "c129715d7a2bc9a3:1"];
        assert_eq!(all(&text), wanted);
    }

    #[test]
    fn equal_lines_are_counted() {
        let text = "x\n".repeat(300);
        let hashes = all(&text);
        assert_eq!(hashes.len(), 301);
        let first = hashes[0].strip_suffix(":1").unwrap();
        assert_eq!(hashes[1], format!("{first}:2"));
        assert_eq!(hashes[200], format!("{first}:201"));
        assert!(hashes[299].ends_with(":1"), "the end is within its reach");
    }

    #[test]
    fn space_and_the_kind_of_line_end_do_not_count() {
        assert_eq!(all("a b\n\tc\n"), all("ab\r\nc\r"));
    }
}
