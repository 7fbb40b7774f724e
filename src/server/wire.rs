//! Messages in and out: a thread that reads standard input, one that writes standard output.
//!
//! What is no message is told to the editor's log, and the next one is read. Only where the length of a message is not
//! known, what follows cannot be told apart, and the reader stops.

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::Message;
use std::io::{self, BufRead, Read};
use std::thread::{self, JoinHandle};

/// A longer message is none.
const LONGEST: u64 = 256 << 20;

/// What was read.
pub enum Incoming {
    /// A message.
    Message(Message),
    /// A text that is none, and what is wrong with it.
    Malformed(String),
    /// Nothing follows that could be told apart.
    Lost(String),
}

/// The two ends.
pub struct Wire {
    /// What comes in; closed where the input ends.
    pub incoming: Receiver<Incoming>,
    /// What goes out.
    pub outgoing: Sender<Message>,
    writer: JoinHandle<()>,
}

impl Wire {
    /// Over standard input and output.
    pub fn stdio() -> io::Result<Wire> {
        let (read, incoming) = unbounded();
        let (outgoing, write) = unbounded::<Message>();
        // It ends with the input, or with the process.
        thread::Builder::new().name("reader".to_owned()).spawn(move || {
            let mut input = io::stdin().lock();
            while let Some(one) = next(&mut input) {
                let last = matches!(one, Incoming::Lost(_));
                if read.send(one).is_err() || last {
                    break;
                }
            }
        })?;
        let writer = thread::Builder::new().name("writer".to_owned()).spawn(move || {
            let mut output = io::stdout().lock();
            // An editor that went away wants no more.
            let _ = write.into_iter().try_for_each(|message| message.write(&mut output));
        })?;
        Ok(Wire { incoming, outgoing, writer })
    }

    /// Waits until everything is written.
    pub fn close(self) {
        drop(self.outgoing);
        let _ = self.writer.join();
    }
}

/// The next message; nothing where the input ends.
fn next(input: &mut impl BufRead) -> Option<Incoming> {
    let length = match length(input) {
        Ok(length) => length?,
        Err(why) => return Some(Incoming::Lost(why)),
    };
    let mut text = Vec::new();
    match input.by_ref().take(length).read_to_end(&mut text) {
        Ok(read) if read as u64 == length => {}
        _ => return None,
    }
    Some(match serde_json::from_slice(&text) {
        Ok(message) => Incoming::Message(message),
        Err(why) => Incoming::Malformed(format!("a message is not understood: {why}")),
    })
}

/// The length that a message's head gives.
fn length(input: &mut impl BufRead) -> Result<Option<u64>, String> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(4096).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return Ok(None),
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| format!("`{line}` is no head of a message"))?;
        if name.eq_ignore_ascii_case("content-length") {
            let value = value.trim().parse().map_err(|_| format!("`{}` is no length", value.trim()))?;
            length = Some(value);
        }
    }
    match length {
        Some(length) if length <= LONGEST => Ok(Some(length)),
        Some(length) => Err(format!("a message of {length} bytes is too long")),
        None => Err("a message without its length".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> Vec<&'static str> {
        let mut out = vec![];
        while let Some(one) = next(&mut input) {
            let lost = matches!(one, Incoming::Lost(_));
            out.push(match one {
                Incoming::Message(_) => "message",
                Incoming::Malformed(_) => "malformed",
                Incoming::Lost(_) => "lost",
            });
            if lost {
                break;
            }
        }
        out
    }

    #[test]
    fn what_is_no_message_costs_no_other() {
        let good = "Content-Length: 17\r\n\r\n{\"method\":\"exit\"}";
        assert_eq!(all(format!("Content-Length: 2\r\n\r\n{{]{good}").as_bytes()), ["malformed", "message"]);
        assert_eq!(all(b"Content-Length: 3\nX-Y: z\n\n\xff\xff\xff"), ["malformed"]);
        assert_eq!(all(format!("content-length:17\r\n\r\n{}", &good[22..]).as_bytes()), ["message"]);
    }

    #[test]
    fn lengths_that_are_none() {
        assert_eq!(all(b"Content-Length: 99999999999999999999\r\n\r\n{}"), ["lost"]);
        assert_eq!(all(b"Content-Length: 999999999999\r\n\r\n{}"), ["lost"]);
        assert_eq!(all(b"Content-Length: -1\r\n\r\n{}"), ["lost"]);
        assert_eq!(all(b"GET / HTTP/1.1\r\n\r\n"), ["lost"]);
        assert_eq!(all(b"\r\n"), ["lost"]);
        assert_eq!(all(b"Content-Length: 20\r\n\r\n{"), [""; 0], "the input ends");
        assert_eq!(all(b""), [""; 0]);
    }
}
