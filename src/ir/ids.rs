//! Tables over ids. Ids of an arena are dense, so a table over them is a vector: of bits for a set, of numbers for a
//! mapping. These are made and dropped for every question and every call put in place.

use super::{BinderId, Expr, ExprId, SiteId};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// An id: a number that counts from zero.
pub trait Id: Copy {
    /// The number.
    fn number(self) -> u32;
    /// The id of a number.
    fn of(number: u32) -> Self;
}

macro_rules! ids {
    ($($name:ident),*) => {
        $(impl Id for $name {
            fn number(self) -> u32 {
                self.0
            }
            fn of(number: u32) -> Self {
                $name(number)
            }
        })*
    };
}

ids!(ExprId, BinderId, SiteId);

/// A set of expressions of one arena.
#[derive(Clone, Default, Debug)]
pub struct Marks(Vec<u64>);

impl Marks {
    /// An empty set, with room for so many expressions.
    pub fn new(len: usize) -> Self {
        Marks(vec![0; len.div_ceil(64)])
    }
    /// Is it in the set?
    pub fn contains(&self, e: ExprId) -> bool {
        self.0.get(e.0 as usize / 64).is_some_and(|word| word >> (e.0 % 64) & 1 == 1)
    }
    /// Adds it; was it new?
    pub fn insert(&mut self, e: ExprId) -> bool {
        let (at, bit) = (e.0 as usize / 64, 1 << (e.0 % 64));
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        match self.0.get_mut(at) {
            Some(word) => {
                let new = *word & bit == 0;
                *word |= bit;
                new
            }
            None => false,
        }
    }
}

/// What ids of one arena have become in another.
#[derive(Clone, Debug)]
pub struct Copied<T>(Vec<u32>, PhantomData<T>);

const NONE: u32 = u32::MAX;

impl<T> Default for Copied<T> {
    fn default() -> Self {
        Copied(vec![], PhantomData)
    }
}

impl<T: Id> Copied<T> {
    /// What an id has become.
    pub fn get(&self, from: T) -> Option<T> {
        self.0.get(from.number() as usize).filter(|to| **to != NONE).map(|to| T::of(*to))
    }
    /// Says what an id becomes.
    pub fn insert(&mut self, from: T, to: T) {
        let at = from.number() as usize;
        if self.0.len() <= at {
            self.0.resize((at + 1).next_multiple_of(64), NONE);
        }
        if let Some(place) = self.0.get_mut(at) {
            *place = to.number();
        }
    }
}

/// Expressions by their value: the ids alone, for the expressions are in the arena.
#[derive(Clone, Default, Debug)]
pub(super) struct Ids {
    /// The hash and the id, or [`NONE`]. A power of two of them, at most three quarters taken.
    slots: Vec<(u32, u32)>,
}

impl Ids {
    /// A table of expressions that are there already.
    pub(super) fn of(all: &[Expr]) -> Self {
        let room = if all.is_empty() { 0 } else { (all.len() * 4 / 3 + 1).next_power_of_two() };
        let mut ids = Ids { slots: vec![(0, NONE); room] };
        for (id, e) in (0..).zip(all) {
            ids.place(hash(e), id);
        }
        ids
    }

    /// The id of an expression of the arena.
    pub(super) fn find(&self, e: &Expr, all: &[Expr]) -> Option<ExprId> {
        self.look(e, hash(e), all)
    }

    /// The id of an expression of the arena; `None` where it is new, and will be the next.
    pub(super) fn find_or_add(&mut self, e: &Expr, all: &[Expr]) -> Option<ExprId> {
        let hash = hash(e);
        let known = self.look(e, hash, all);
        if known.is_none() {
            self.add(hash, all.len());
        }
        known
    }

    fn look(&self, e: &Expr, hash: u32, all: &[Expr]) -> Option<ExprId> {
        let last = self.slots.len().checked_sub(1)?;
        let mut at = hash as usize & last;
        loop {
            match self.slots.get(at)? {
                (_, NONE) => return None,
                (h, id) if *h == hash && all.get(*id as usize) == Some(e) => return Some(ExprId(*id)),
                _ => at = (at + 1) & last,
            }
        }
    }

    fn add(&mut self, hash: u32, id: usize) {
        if (id + 1) * 4 > self.slots.len() * 3 {
            let larger = vec![(0, NONE); (self.slots.len() * 2).max(32)];
            for (hash, id) in std::mem::replace(&mut self.slots, larger) {
                self.place(hash, id);
            }
        }
        self.place(hash, id as u32);
    }

    fn place(&mut self, hash: u32, id: u32) {
        let Some(last) = self.slots.len().checked_sub(1).filter(|_| id != NONE) else { return };
        let mut at = hash as usize & last;
        while self.slots.get(at).is_some_and(|s| s.1 != NONE) {
            at = (at + 1) & last;
        }
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = (hash, id);
        }
    }
}

/// The low half of a hash, which is as good as the whole for a table this small.
fn hash(e: &Expr) -> u32 {
    let mut h = FxHasher::default();
    e.hash(&mut h);
    h.finish() as u32
}
