//! The questions that domains of a product may ask each other.

use crate::domain::Domain;
use assay_cfa::{EdgeId, FunctionId, VarId};
use assay_term::{Bits, Term};

/// What a pointer may point into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pointee {
    /// Nothing: the null pointer.
    Null,
    /// A global, or a local of some frame.
    Variable(VarId),
    /// A function's code.
    Function(FunctionId),
    /// What the `Allocate` edge made, at any of its executions.
    Allocation(EdgeId),
}

/// Questions about one abstract state, asked by its siblings in a product. Terms are over the registers of the current
/// frame and the globals. Every answer must hold for all concrete states of the asked state; "don't know" is always
/// allowed.
pub trait View {
    /// The one value that the term has, if it is known.
    fn value_of(&mut self, _term: Term) -> Option<Bits> {
        None
    }
    /// Unsigned bounds of the term, both inclusive.
    fn range_of(&mut self, _term: Term) -> Option<(u128, u128)> {
        None
    }
    /// Whether the condition (width 1) always holds (`Some(true)`), never holds (`Some(false)`), or neither is known.
    fn implied(&mut self, condition: Term) -> Option<bool> {
        self.value_of(condition).map(|value| value.is_true())
    }
    /// All that the pointer may point into; `None` where that is unknown.
    fn may_point_to(&mut self, _pointer: Term) -> Option<Vec<Pointee>> {
        None
    }
}

/// The view where there is no sibling.
pub struct NoView;

impl View for NoView {}

/// The view of one domain's state.
pub struct StateView<'a, D: Domain> {
    /// The domain that answers.
    pub domain: &'a D,
    /// The worker of the asking thread, for a solver or scratch space.
    pub worker: &'a mut D::Worker,
    /// What is asked about.
    pub state: &'a D::State,
}

impl<D: Domain> View for StateView<'_, D> {
    fn value_of(&mut self, term: Term) -> Option<Bits> {
        self.domain.value_of(self.worker, self.state, term)
    }
    fn range_of(&mut self, term: Term) -> Option<(u128, u128)> {
        self.domain.range_of(self.worker, self.state, term)
    }
    fn implied(&mut self, condition: Term) -> Option<bool> {
        self.domain.implied(self.worker, self.state, condition)
    }
    fn may_point_to(&mut self, pointer: Term) -> Option<Vec<Pointee>> {
        self.domain.may_point_to(self.worker, self.state, pointer)
    }
}

/// Two views as one: the first that knows answers.
pub struct BothViews<'a>(pub &'a mut dyn View, pub &'a mut dyn View);

impl View for BothViews<'_> {
    fn value_of(&mut self, term: Term) -> Option<Bits> {
        self.0.value_of(term).or_else(|| self.1.value_of(term))
    }
    fn range_of(&mut self, term: Term) -> Option<(u128, u128)> {
        match (self.0.range_of(term), self.1.range_of(term)) {
            (Some(a), Some(b)) => Some((a.0.max(b.0), a.1.min(b.1))),
            (a, b) => a.or(b),
        }
    }
    fn implied(&mut self, condition: Term) -> Option<bool> {
        self.0.implied(condition).or_else(|| self.1.implied(condition))
    }
    fn may_point_to(&mut self, pointer: Term) -> Option<Vec<Pointee>> {
        self.0.may_point_to(pointer).or_else(|| self.1.may_point_to(pointer))
    }
}
