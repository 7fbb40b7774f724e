//! What a chart's own `values.yaml` says: the value of a path, and whether a condition holds as shipped.
//!
//! ```text
//! values.yaml: {rbac: {cluster: false}, labels: {}}
//! if .Values.rbac.cluster                       no
//! if and .Values.rbac (not .Values.labels)      yes
//! if .Values.other                              no: what values.yaml does not show is empty
//! if .Capabilities.APIVersions.Has "batch/v1"   open
//! ```

use super::action::Term;
use crate::manifest::yaml::{Kind, NodeId, Tree};

/// The shipped values of a chart.
#[derive(Clone, Debug, Default)]
pub struct Values {
    tree: Option<Tree>,
}

/// Where `.` points in a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dot {
    /// At the root: `.Values` is there.
    Root,
    /// Into the values.
    Values(Vec<String>),
    /// Elsewhere.
    Unknown,
}

impl Values {
    /// Reads a `values.yaml`. One that does not parse shows nothing, and no condition is decided by it.
    pub fn read(text: &str) -> Values {
        Values { tree: Tree::parse(text, 0).ok() }
    }

    /// The path into the values that a path in a template means.
    pub fn path(term: &Term, dot: &Dot) -> Option<Vec<String>> {
        let Term::Path { root, fields } = term else { return None };
        match (root, dot) {
            (true, _) | (false, Dot::Root) => match fields.split_first() {
                Some((first, rest)) if first == "Values" => Some(rest.to_vec()),
                _ => None,
            },
            (false, Dot::Values(from)) => Some(from.iter().chain(fields).cloned().collect()),
            (false, Dot::Unknown) => None,
        }
    }

    /// The value at a path, if values.yaml shows it.
    pub fn get(&self, path: &[String]) -> Option<(&Tree, NodeId)> {
        let tree = self.tree.as_ref()?;
        let node = path.iter().try_fold(tree.root()?, |node, key| tree.field(node, key))?;
        Some((tree, node))
    }

    /// Does a condition hold with the shipped values? Nothing where they do not say.
    pub fn holds(&self, term: &Term, dot: &Dot) -> Option<bool> {
        self.tree.as_ref()?;
        match term {
            Term::Path { .. } => {
                let path = Values::path(term, dot)?;
                Some(self.get(&path).is_some_and(|(tree, node)| is_true(tree, node)))
            }
            Term::Word(word) => Some(word != "false" && word != "nil" && word != "0"),
            Term::Text(text) => Some(!text.is_empty()),
            Term::Call(name, operands) => self.call(name, operands, dot),
            Term::Unknown => None,
        }
    }

    fn call(&self, name: &str, operands: &[Term], dot: &Dot) -> Option<bool> {
        let mut all = operands.iter().map(|o| self.holds(o, dot));
        match (name, operands) {
            ("not" | "empty", [x]) => self.holds(x, dot).map(|b| !b),
            ("and", _) => all.try_fold(true, |sofar, x| match (sofar, x) {
                (false, _) => Some(false),
                (true, x) => x,
            }),
            ("or" | "coalesce", _) => all.try_fold(false, |sofar, x| match (sofar, x) {
                (true, _) => Some(true),
                (false, x) => x,
            }),
            ("default", [other, x]) => match self.holds(x, dot)? {
                true => Some(true),
                false => self.holds(other, dot),
            },
            ("eq", [a, b]) => Some(self.text(a, dot)? == self.text(b, dot)?),
            ("ne", [a, b]) => Some(self.text(a, dot)? != self.text(b, dot)?),
            ("len", [x]) => self.holds(x, dot),
            ("gt", [x @ Term::Call(len, _), Term::Word(zero)]) if len == "len" && zero == "0" => self.holds(x, dot),
            ("quote" | "toString" | "trim", [x]) => self.holds(x, dot),
            _ => None,
        }
    }

    /// The text of a value.
    pub fn text(&self, term: &Term, dot: &Dot) -> Option<String> {
        match term {
            Term::Text(text) | Term::Word(text) => Some(text.clone()),
            Term::Path { .. } => {
                let (tree, node) = self.get(&Values::path(term, dot)?)?;
                tree.text(node).map(str::to_owned)
            }
            Term::Call(name, operands) => match (name.as_str(), operands.as_slice()) {
                ("quote" | "squote" | "toString" | "trim" | "lower", [x]) => self.text(x, dot),
                ("default", [other, x]) => match self.holds(x, dot)? {
                    true => self.text(x, dot),
                    false => self.text(other, dot),
                },
                ("ternary", [yes, no, x]) => match self.holds(x, dot)? {
                    true => self.text(yes, dot),
                    false => self.text(no, dot),
                },
                ("printf", [Term::Text(form), x]) if form.matches('%').count() == 1 && form.contains("%s") => {
                    Some(form.replace("%s", &self.text(x, dot)?))
                }
                _ => None,
            },
            Term::Unknown => None,
        }
    }
}

/// Is a value true to a template: anything but false, zero and what is empty.
fn is_true(tree: &Tree, node: NodeId) -> bool {
    match &tree.get(node).kind {
        Kind::Scalar { text, .. } => !tree.is_null(node) && !matches!(&**text, "false" | "False" | "FALSE" | "0" | ""),
        Kind::List(items) => !items.is_empty(),
        Kind::Map(pairs) => !pairs.is_empty(),
        Kind::Alias(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::action::term;
    use super::*;

    #[test]
    fn conditions_with_the_shipped_values() {
        let values = Values::read("rbac: {cluster: false, kind: Role}\nlabels: {}\nlist: [1]\nname: \"\"\n");
        let holds = |t: &str| values.holds(&term(t), &Dot::Root);
        assert_eq!(holds(".Values.rbac.cluster"), Some(false));
        assert_eq!(holds("and .Values.rbac (not .Values.labels)"), Some(true));
        assert_eq!(holds(".Values.other.deep"), Some(false));
        assert_eq!(holds("or .Values.name .Values.list"), Some(true));
        assert_eq!(holds("eq .Values.rbac.kind \"Role\""), Some(true));
        assert_eq!(holds("gt (len .Values.list) 0"), Some(true));
        assert_eq!(holds(".Capabilities.Is"), None);
        assert_eq!(holds("and .Values.rbac.cluster .Capabilities.Is"), Some(false));
        assert_eq!(holds("and .Capabilities.Is .Values.rbac"), None);
        assert_eq!(Values::default().holds(&term(".Values.a"), &Dot::Root), None);
    }

    #[test]
    fn texts() {
        let values = Values::read("wide: true\n");
        let text = |t: &str| values.text(&term(t), &Dot::Root);
        assert_eq!(text("ternary \"ClusterRole\" \"Role\" .Values.wide").as_deref(), Some("ClusterRole"));
        assert_eq!(text("ternary \"Cluster\" \"\" .Values.wide | printf \"%sRole\"").as_deref(), Some("ClusterRole"));
        assert_eq!(text("include \"x\" ."), None);
    }
}
