//! What a domain may be able to do beyond exploring: capabilities that refinement asks for.

use crate::domain::{Domain, Move};
use assay_cfa::LocationId;
use std::fmt::Debug;
use std::hash::Hash;

/// Strongest post-condition of one step at full precision, along one path. Used to decide whether a path is feasible
/// for the domain and to interpolate by testing.
///
/// Laws: γ(post(s)) contains every concrete successor of γ(s) over the step; `None` is a contradiction: no concrete
/// state can take the step. Monotone: a smaller state gives a smaller post, and a contradiction stays one.
pub trait StrongestPost: Domain {
    /// The state after the step, with nothing forgotten.
    fn post(&self, worker: &mut Self::Worker, state: &Self::State, step: &Move<'_>) -> Option<Self::State>;
}

/// What a state remembers, as things that can be forgotten one by one.
///
/// Laws: γ(s) ⊆ γ(forget(s, x)); after `forget(s, x)`, x is not among the remembered; forgetting everything that is
/// remembered gives a state that no post of any path can contradict except by the path's own operations. The order of
/// `remembered` is deterministic and does not depend on ids that the schedule of threads decides.
pub trait Forget: StrongestPost {
    /// One remembered thing: a variable, a memory cell, a constraint, a predicate.
    type Item: Clone + Ord + Hash + Debug + Send + Sync;

    /// Appends all of it, in a fixed order.
    fn remembered(&self, state: &Self::State, out: &mut Vec<Self::Item>);

    /// The state without it.
    fn forget(&self, worker: &mut Self::Worker, state: &mut Self::State, item: &Self::Item);
}

/// How far one found fact is valid in the precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PrecisionScope {
    /// Only at the location where it was found.
    #[default]
    Location,
    /// Everywhere in the function of the location.
    Function,
    /// Everywhere in the program.
    Global,
}

/// A domain whose precision can learn to track what an interpolant remembers.
pub trait Refinable: Forget {
    /// Makes the precision track the item at the location (or in its function, or everywhere). `true` if that is new.
    fn track(&self, precision: &mut Self::Precision, at: LocationId, scope: PrecisionScope, item: &Self::Item) -> bool;

    /// The precision that tracks everything, where the domain has one and this is another.
    fn everything(&self, _precision: &Self::Precision) -> Option<Self::Precision> {
        None
    }
}
