//! The documents that are open, with the text that the editor has.

use super::positions::Encoding;
use super::uri;
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use reaplint::report::lines::Lines;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// One of them.
#[derive(Clone, Debug)]
pub struct Document {
    /// As the editor names it.
    pub uri: Uri,
    /// Where it is, or would be, on disk.
    pub path: PathBuf,
    /// The editor's number of the text.
    pub version: i32,
    /// The text.
    pub text: Arc<str>,
}

/// All of them.
#[derive(Debug, Default)]
pub struct Documents {
    open: BTreeMap<String, Document>,
}

impl Documents {
    /// One is opened; false for what is no file.
    pub fn open(&mut self, uri: Uri, version: i32, text: &str) -> bool {
        let Some(path) = uri::to_path(&uri) else { return false };
        let document = Document { path, version, text: Arc::from(text), uri: uri.clone() };
        self.open.insert(uri.as_str().to_owned(), document);
        true
    }

    /// One changes; false for what is not open.
    pub fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: &[TextDocumentContentChangeEvent],
        encoding: Encoding,
    ) -> bool {
        let Some(document) = self.open.get_mut(uri.as_str()) else { return false };
        let mut text = document.text.to_string();
        for change in changes {
            match change.range {
                None => text.clone_from(&change.text),
                Some(range) => {
                    let lines = Lines::new(&text);
                    let start = encoding.offset(&text, &lines, range.start);
                    let end = encoding.offset(&text, &lines, range.end).max(start);
                    text.replace_range(start..end, &change.text);
                }
            }
        }
        document.text = Arc::from(text);
        document.version = version;
        true
    }

    /// One is closed; false for what was not open.
    pub fn close(&mut self, uri: &Uri) -> bool {
        self.open.remove(uri.as_str()).is_some()
    }

    /// One of them.
    pub fn get(&self, uri: &Uri) -> Option<&Document> {
        self.open.get(uri.as_str())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Document> {
        self.open.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::{Position, Range};

    fn changed(text: &str, changes: &[(Option<[u32; 4]>, &str)]) -> String {
        let uri: Uri = "file:///a.py".parse().expect("a URI");
        let mut documents = Documents::default();
        assert!(documents.open(uri.clone(), 1, text));
        let range = |[a, b, c, d]: [u32; 4]| Range::new(Position::new(a, b), Position::new(c, d));
        let event = |(at, new): &(Option<[u32; 4]>, &str)| TextDocumentContentChangeEvent {
            range: at.map(range),
            range_length: None,
            text: (*new).to_owned(),
        };
        let events: Vec<_> = changes.iter().map(event).collect();
        assert!(documents.change(&uri, 2, &events, Encoding::Utf16));
        documents.get(&uri).expect("it is open").text.to_string()
    }

    #[test]
    fn changes_follow_each_other() {
        assert_eq!(changed("ab\ncd\n", &[(Some([0, 1, 1, 1]), "X"), (Some([0, 0, 0, 0]), "é")]), "éaXd\n");
        assert_eq!(changed("🦀a", &[(Some([0, 2, 0, 3]), "b")]), "🦀b");
        assert_eq!(changed("a", &[(None, "b"), (Some([7, 7, 9, 9]), "c")]), "bc");
        assert_eq!(changed("ab", &[(Some([0, 2, 0, 1]), "c")]), "abc", "a range that runs backwards");
    }

    #[test]
    fn what_is_not_open_does_not_change() {
        let mut documents = Documents::default();
        let uri: Uri = "untitled:x".parse().expect("a URI");
        assert!(!documents.open(uri.clone(), 1, ""));
        assert!(!documents.change(&uri, 2, &[], Encoding::Utf8));
        assert!(!documents.close(&uri));
    }
}
