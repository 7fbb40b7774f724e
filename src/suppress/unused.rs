//! The edit that takes out of a comment what suppresses nothing.
//!
//! ```text
//! x()  # reaplint: ignore[delete-on-absence] reason                    x()
//! # reaplint: ignore[delete-on-absence, unscoped-sweep] reason         # reaplint: ignore[unscoped-sweep] reason
//! ```

use crate::rules::Edit;
use crate::source::{SourceFile, Span};

/// The edit; nothing where the comment holds more than the directive, or names what is no rule.
pub(super) fn edit(file: &SourceFile, comment: Span, gone: &[&str], kept: &[&str]) -> Option<Edit> {
    let text: &str = &file.text;
    let (start, end) = (comment.start as usize, comment.end as usize);
    let written = text.get(start..end)?;
    if written.starts_with("/*") {
        return None;
    }
    if !kept.is_empty() {
        let open = written.find('[')? + 1;
        let close = open + written.get(open..)?.find(']')?;
        let names: Vec<&str> = written.get(open..close)?.split(',').map(str::trim).collect();
        // A name that is no rule is for its author to mend.
        if names.len() != gone.len() + kept.len() {
            return None;
        }
        let span = Span::new(file.id, start + open, start + close);
        return Some(Edit { span, replacement: kept.join(", ") });
    }
    let line_start = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
    let before = text.get(line_start..start)?;
    let rest = text.get(end..)?;
    let span = if before.trim().is_empty() {
        // The whole line, with its end.
        let line_end = rest.find('\n').map_or(text.len(), |at| end + at + 1);
        Span::new(file.id, line_start, line_end)
    } else {
        Span::new(file.id, line_start + before.trim_end().len(), end)
    };
    Some(Edit { span, replacement: String::new() })
}
