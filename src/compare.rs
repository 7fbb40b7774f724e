//! Which findings are new: those of now beside those of then.
//!
//! A finding is the same where file, rule, function and call are the same; lines may have moved. Of several alike, as many
//! are old as there were, and those on lines that did not change before those on lines that did:
//!
//! ```text
//! then   api.delete(x)      now   api.delete(x)       new, if this line was added
//!                                 api.delete(x)       old
//! ```
//! What is left is compared once more: a function may have moved to another file, or have another name.

use crate::report::fingerprint::Mark;
use rustc_hash::FxHashMap;

/// Says of each finding of now whether it is new. `touched` says by its number whether its lines changed.
pub fn fresh(now: &[Mark], then: &[Mark], touched: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut new = vec![true; now.len()];
    let mut left: Vec<Option<&Mark>> = then.iter().map(Some).collect();
    let same: &dyn Fn(&Mark) -> Key = &|m| (&*m.path, m.rule, &*m.function, &*m.call).into();
    let moved: &dyn Fn(&Mark) -> Key = &|m| ("", m.rule, &*m.function, &*m.call).into();
    let renamed: &dyn Fn(&Mark) -> Key = &|m| (&*m.path, m.rule, "", &*m.call).into();
    for key in [same, moved, renamed] {
        take(now, &mut left, key, &touched, &mut new);
    }
    new
}

#[derive(PartialEq, Eq, Hash)]
struct Key([String; 4]);

impl From<(&str, &str, &str, &str)> for Key {
    fn from((path, rule, function, call): (&str, &str, &str, &str)) -> Key {
        Key([path, rule, function, call].map(str::to_owned))
    }
}

/// Takes those that were there already off both sides.
fn take(
    now: &[Mark],
    left: &mut [Option<&Mark>],
    key: &dyn Fn(&Mark) -> Key,
    touched: &impl Fn(usize) -> bool,
    new: &mut [bool],
) {
    let mut known: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
    for (at, mark) in left.iter().enumerate() {
        if let Some(mark) = mark {
            known.entry(key(mark)).or_default().push(at);
        }
    }
    let mut order: Vec<usize> = (0..now.len()).filter(|at| new.get(*at) == Some(&true)).collect();
    order.sort_by_key(|at| touched(*at));
    for at in order {
        let old = now.get(at).and_then(|mark| known.get_mut(&key(mark))?.pop());
        if let (Some(old), Some(new)) = (old.and_then(|old| left.get_mut(old)), new.get_mut(at)) {
            *old = None;
            *new = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice::from_ref;

    fn mark(path: &str, function: &str, call: &str) -> Mark {
        Mark { path: path.into(), rule: "delete-on-absence", function: function.into(), call: call.into() }
    }

    #[test]
    fn as_many_are_old_as_there_were() {
        let (one, other) = (mark("a.py", "f", "api.delete(x)"), mark("a.py", "f", "api.delete(y)"));
        assert_eq!(fresh(from_ref(&one), from_ref(&one), |_| false), [false]);
        assert_eq!(fresh(&[one.clone(), other.clone()], &[other], |_| false), [true, false]);
        let two = [one.clone(), one.clone()];
        assert_eq!(fresh(&two, from_ref(&one), |at| at == 0), [true, false], "the line that changed is new");
        assert_eq!(fresh(&two, &[one], |at| at == 1), [false, true]);
    }

    #[test]
    fn what_moved_or_was_renamed_is_old() {
        let then = [mark("a.py", "f", "api.delete(x)")];
        assert_eq!(fresh(&[mark("b.py", "f", "api.delete(x)")], &then, |_| true), [false]);
        assert_eq!(fresh(&[mark("a.py", "g", "api.delete(x)")], &then, |_| true), [false]);
        assert_eq!(fresh(&[mark("b.py", "g", "api.delete(x)")], &then, |_| true), [true]);
        let both = [mark("a.py", "f", "api.delete(x)"), mark("a.py", "g", "api.delete(x)")];
        assert_eq!(fresh(&both, &then, |_| false), [false, true]);
    }
}
