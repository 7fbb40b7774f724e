//! The little XML that reports need: elements, attributes, text.
//!
//! `quick-xml` (MIT, no dependency that is not here already, kept up) knows how to escape and to nest. `quick-junit` would
//! give JUnit's shape as well, and brings a calendar, random identifiers and ordered maps for it, which nobody needs for
//! a report that is the same every time. What neither does is to leave out what XML 1.0 cannot hold at all: names of
//! files and strings of programs may.

use super::plain;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io::{self, Write};

/// An element with its attributes, and what stands in it.
pub(super) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    inner: Vec<Element>,
    text: String,
}

impl Element {
    /// An empty one.
    pub(super) fn new(name: &'static str) -> Element {
        Element { name, attributes: Vec::new(), inner: Vec::new(), text: String::new() }
    }

    /// With an attribute, on one line.
    pub(super) fn with(mut self, name: &'static str, value: impl AsRef<str>) -> Element {
        self.attributes.push((name, possible(&plain(value.as_ref()))));
        self
    }

    /// With an element in it.
    pub(super) fn holding(mut self, inner: impl IntoIterator<Item = Element>) -> Element {
        self.inner.extend(inner);
        self
    }

    /// With a text in it, of several lines perhaps.
    pub(super) fn saying(mut self, text: &str) -> Element {
        let lines: Vec<String> = text.split('\n').map(|line| possible(&plain(line))).collect();
        self.text = lines.join("\n");
        self
    }
}

/// Writes a document.
pub(super) fn write(root: &Element, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    element(root, &mut writer)?;
    out.write_all(&writer.into_inner())?;
    writeln!(out)
}

fn element(one: &Element, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
    let attributes = one.attributes.iter().map(|(name, value)| (*name, value.as_str()));
    let tag = writer.create_element(one.name).with_attributes(attributes);
    if !one.text.is_empty() {
        tag.write_text_content(BytesText::new(&one.text))?;
    } else if one.inner.is_empty() {
        tag.write_empty()?;
    } else {
        tag.write_inner_content(|writer| one.inner.iter().try_for_each(|inner| element(inner, writer)))?;
    }
    Ok(())
}

/// Without the characters that no document may hold, not even escaped.
fn possible(text: &str) -> String {
    let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    text.chars().map(|c| if allowed(c) { c } else { '?' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_written_is_xml() {
        let inner = Element::new("b").with("c", "<\"&'>\u{1}\n]]>é").saying("1 < 2\n\u{0}&\u{ffff}");
        let mut out = Vec::new();
        write(&Element::new("a").holding([inner, Element::new("d")]), &mut out).unwrap();
        let wanted = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a>\n  <b c=\"&lt;&quot;&amp;&apos;&gt;? ]]&gt;é\">\
                      1 &lt; 2\n?&amp;?</b>\n  <d/>\n</a>\n";
        assert_eq!(String::from_utf8(out).unwrap(), wanted);
    }
}
