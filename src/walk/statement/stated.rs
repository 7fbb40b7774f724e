//! Conditions in text that narrow a query.
//!
//! ```text
//! db.Where("berth NOT IN ? AND state = ?", berths, "idle").Find(&boats)      not present(berths[e.berth]) and e.state == "idle"
//! ```
//! They are read as what stands behind the `WHERE` of a statement over the rows that are narrowed.

use super::bind::{Part, numbered};
use super::rows::RowValue;
use super::*;
use crate::lang::embedded::Body;

/// What a condition stands behind.
const SELECT: &str = "SELECT * FROM narrowed WHERE ";

impl Walk<'_> {
    /// What a condition that is given as text says of an element, with the values that are given behind it.
    pub(in super::super) fn stated(&mut self, row: &Row, call: &Call, elem: ExprId) -> Option<ExprId> {
        let text = call.args.first().filter(|a| a.name.is_none())?.value;
        if !self.is_text(text) {
            return None;
        }
        let texts = self.texts(text);
        let [(_, parts)] = texts.as_slice() else { return None };
        let parts: Vec<Part> = [Part::Text(SELECT)].into_iter().chain(parts.iter().map(listed)).collect();
        let (pieces, values) = numbered(&parts);
        let reading = embedded::read(&pieces)?;
        let [Statement::Query(q)] = reading.statements.as_slice() else { return None };
        let Body::Select(select) = &q.body else { return None };
        let [source] = select.sources.as_slice() else { return None };
        let e = self.a.find(&Expr::Call(call.clone()))?;
        let site = self.a.site(call.site).clone();
        let (_, params) = self.params(call, text, reading.placeholders).into_iter().next()?;
        let mut said = Sending::new(e, site, row.shared, values);
        said.params = params;
        said.rows.insert(source.id, RowValue::One(elem));
        Some(self.value_of_term(&select.keep, &mut said))
    }
}

/// A list is given for one placeholder: `IN ?`, `IN (?)`.
fn listed(part: &Part) -> Part {
    let Part::Text(text) = part else { return *part };
    let mut out = String::with_capacity(text.len());
    let mut rest = *text;
    while let Some(at) = rest.to_ascii_lowercase().find(" in ") {
        let (head, tail) = rest.split_at(at + 4);
        out.push_str(head);
        let after = tail.trim_start();
        let given = ["(?)", "?"].into_iter().find_map(|p| after.strip_prefix(p));
        rest = match given {
            Some(behind) => {
                out.push_str("UNNEST(?)");
                behind
            }
            None => tail,
        };
    }
    out.push_str(rest);
    Part::Text(sym(&out).as_str())
}
