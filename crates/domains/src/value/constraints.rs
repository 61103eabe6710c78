//! The set of constraints of a path, as a list that shares its older part.

use assay_base::hash::mix;
use assay_base::{FastSet, Id};
use assay_cfa::EdgeId;
use assay_term::Term;
use std::sync::Arc;

/// A condition (width 1) that holds on the path, and the edge that put it there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Constraint {
    /// The condition, a term of width 1.
    pub term: Term,
    /// The edge whose condition it was.
    pub origin: EdgeId,
}

#[derive(Debug)]
struct Link {
    constraint: Constraint,
    before: Constraints,
}

/// Newest first. Equality is that of sets of terms.
#[derive(Clone, Debug, Default)]
pub struct Constraints {
    newest: Option<Arc<Link>>,
    len: u32,
    /// The sum of the terms' hashes: equal for equal sets.
    hash: u64,
}

impl Drop for Link {
    /// Long lists are taken down without recursion.
    fn drop(&mut self) {
        let mut next = self.before.newest.take();
        while let Some(link) = next {
            match Arc::try_unwrap(link) {
                Ok(mut link) => next = link.before.newest.take(),
                Err(_) => break,
            }
        }
    }
}

impl PartialEq for Constraints {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.len == other.len && self.is_subset(other)
    }
}

impl Constraints {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.len as usize
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
    /// Adds a constraint as the newest.
    pub fn push(&mut self, constraint: Constraint) {
        let before = std::mem::take(self);
        self.len = before.len + 1;
        self.hash = before.hash.wrapping_add(mix(constraint.term.index() as u64 + 1));
        self.newest = Some(Arc::new(Link { constraint, before }));
    }
    /// The newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Constraint> {
        let mut at = self.newest.as_deref();
        std::iter::from_fn(move || {
            let link = at?;
            at = link.before.newest.as_deref();
            Some(&link.constraint)
        })
    }
    /// Whether the term is among them, the caller that put it there.
    pub fn contains(&self, term: Term) -> bool {
        self.iter().any(|c| c.term == term)
    }
    /// Whether it is the same list, in the same order.
    pub(super) fn is_same_list(&self, other: &Constraints) -> bool {
        match (&self.newest, &other.newest) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
    /// Oldest first, as solvers like prefixes.
    pub fn terms_into(&self, out: &mut Vec<Term>) {
        out.clear();
        out.extend(self.iter().map(|c| c.term));
        out.reverse();
    }
    /// Whether every constraint is one of the other's.
    pub fn is_subset(&self, other: &Constraints) -> bool {
        if self.len > other.len {
            return false;
        }
        match (&self.newest, &other.newest) {
            (None, _) => return true,
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) => return true,
            _ => {}
        }
        if self.len <= 8 {
            return self.iter().all(|c| other.contains(c.term));
        }
        let set: FastSet<Term> = other.iter().map(|c| c.term).collect();
        self.iter().all(|c| set.contains(&c.term))
    }
    /// The list without what `keep` rejects, the order kept.
    pub fn filtered(&self, mut keep: impl FnMut(&Constraint) -> bool) -> Constraints {
        self.mapped(|c| keep(c).then_some(c.term))
    }
    /// The list with other terms; `None` drops one. Nothing is copied where nothing changes.
    pub fn mapped(&self, mut change: impl FnMut(&Constraint) -> Option<Term>) -> Constraints {
        let all: Vec<Constraint> = self.iter().copied().collect();
        let new: Vec<Option<Term>> = all.iter().map(&mut change).collect();
        if all.iter().zip(&new).all(|(old, new)| *new == Some(old.term)) {
            return self.clone();
        }
        let mut result = Constraints::default();
        for (constraint, term) in all.iter().zip(new).rev() {
            if let Some(term) = term {
                result.push(Constraint { term, origin: constraint.origin });
            }
        }
        result
    }
}
