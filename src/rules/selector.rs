//! Reads a field selector, as far as it is written out.
//!
//! ```text
//! "spec.nodeName=", node, ",status.phase!=Failed"     spec.nodeName; status.phase
//! "metadata.labels.", key, "=x"                       metadata.labels. (open: more follows)
//! "status.phase in (Failed, Unknown)"                 status.phase (odd: no operator of a selector)
//! ```

use crate::source::Span;

/// One condition of a selector.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Term {
    /// The field, as far as it is written out.
    pub field: String,
    /// A part of the field is not written out: it goes on behind what is.
    pub open: bool,
    /// What stands behind the field is no operator that a selector knows.
    pub odd: bool,
    /// Where the text with the field stands.
    pub at: Option<Span>,
}

/// Reads texts and holes from left to right.
#[derive(Default)]
pub(super) struct Reader {
    terms: Vec<Term>,
    term: Term,
    state: State,
    /// Brackets of a list of values.
    depth: u32,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum State {
    #[default]
    Field,
    /// A blank stood behind the field: the operator is next.
    Operator,
    Value,
}

impl Reader {
    /// A text, and where it stands.
    pub fn text(&mut self, text: &str, at: Option<Span>) {
        for c in text.chars() {
            match self.state {
                State::Field => self.field(c, at),
                State::Operator if c == ' ' => {}
                State::Operator if matches!(c, '=' | '!' | ',') => self.field(c, at),
                State::Operator => {
                    self.term.odd = !self.term.open;
                    self.state = State::Value;
                }
                State::Value if c == ',' && self.depth == 0 => self.end(),
                State::Value => match c {
                    '(' => self.depth += 1,
                    ')' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                },
            }
        }
    }

    fn field(&mut self, c: char, at: Option<Span>) {
        match c {
            ',' => self.end(),
            '=' | '!' => self.state = State::Value,
            ' ' if self.term.field.is_empty() => {}
            ' ' => self.state = State::Operator,
            c if c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '[' | ']' | '\'' | '"' | '~' | '\\') => {
                // What follows a hole says nothing about what the hole is.
                if !self.term.open {
                    self.term.field.push(c);
                    self.term.at = self.term.at.or(at);
                }
            }
            _ => {
                self.term.odd = !self.term.open;
                self.state = State::Value;
            }
        }
    }

    /// Something that is not written out.
    pub fn hole(&mut self) {
        match self.state {
            State::Field => self.term.open = true,
            State::Operator => self.state = State::Value,
            State::Value => {}
        }
    }

    /// All conditions.
    pub fn close(mut self) -> Vec<Term> {
        self.end();
        self.terms
    }

    fn end(&mut self) {
        let term = std::mem::take(&mut self.term);
        if !term.field.is_empty() {
            self.terms.push(term);
        }
        self.state = State::Field;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `{}` is a hole.
    fn read(selector: &str) -> Vec<(String, bool, bool)> {
        let mut reader = Reader::default();
        for (i, text) in selector.split("{}").enumerate() {
            if i > 0 {
                reader.hole();
            }
            reader.text(text, None);
        }
        reader.close().into_iter().map(|t| (t.field, t.open, t.odd)).collect()
    }

    #[test]
    fn fields_and_operators() {
        let term = |field: &str, open, odd| (field.to_owned(), open, odd);
        assert_eq!(read("status.phase=Failed"), [term("status.phase", false, false)]);
        assert_eq!(
            read("spec.nodeName={},status.phase != a.b"),
            [term("spec.nodeName", false, false), term("status.phase", false, false)]
        );
        assert_eq!(read("metadata.labels.{}.x={}"), [term("metadata.labels.", true, false)]);
        assert_eq!(read("metadata.creationTimestamp<{}"), [term("metadata.creationTimestamp", false, true)]);
        assert_eq!(
            read("status.phase in (a,b), type==x"),
            [term("status.phase", false, true), term("type", false, false)]
        );
        assert_eq!(read("{}={}"), []);
        assert_eq!(read("{}"), []);
        assert_eq!(read("status.phase {} x"), [term("status.phase", false, false)]);
        assert_eq!(read(" , "), []);
    }
}
