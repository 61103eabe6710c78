//! Precision: which registers are tracked where, and bounds that widening should try first.

use super::domain::IntervalDomain;
use super::state::IntervalState;
use assay_base::FastMap;
use assay_cfa::VarId;
use assay_cpa::{Domain, Head, Move, Place, ScopedPrecision};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct IntervalPrecision {
    pub tracked: ScopedPrecision<VarId>,
    /// States at the heads of loops whose bounds are tried as thresholds.
    hints: Option<Arc<FastMap<Head, IntervalState>>>,
}

impl IntervalPrecision {
    pub fn everything() -> Self {
        IntervalPrecision { tracked: ScopedPrecision::everything(), hints: None }
    }
    /// Tracks nothing yet.
    pub fn empty() -> Self {
        IntervalPrecision { tracked: ScopedPrecision::empty(), hints: None }
    }

    /// The bounds to try at a head.
    pub fn hint(&self, head: Head) -> Option<&IntervalState> {
        self.hints.as_ref()?.get(&head)
    }

    /// Drops what is not tracked at the place.
    pub(super) fn cut(&self, state: &mut IntervalState, at: &Place<'_>) {
        if !self.tracked.everything {
            let location = at.head.location;
            let function = at.program.locations[location].function;
            state.retain(at.program, &mut |variable| self.tracked.tracks(location, function, &variable));
        }
    }
}

/// Narrowing: one step down from a widened fixpoint. Its result is not believed but tried: a second exploration with it widens
/// to its bounds where they suffice, and past them where they do not.
///
/// Give it every step of the finished graph, from states that are not covered, and explore again with
/// [`finish`](Narrowing::finish)'s precision.
#[derive(Default)]
pub struct Narrowing {
    reached: FastMap<Head, IntervalState>,
}

impl Narrowing {
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in the root of the graph.
    pub fn add_root(&mut self, domain: &IntervalDomain<'_>, head: Head, state: &IntervalState) {
        self.take_in(domain, head, state.clone());
    }

    /// Takes in one step.
    pub fn add(&mut self, domain: &IntervalDomain<'_>, state: &IntervalState, step: &Move<'_>) {
        if domain.is_loop_head(step.target.location) {
            let mut next = state.clone();
            if domain.step(&mut next, step) {
                self.take_in(domain, step.target, next);
            }
        }
    }

    fn take_in(&mut self, domain: &IntervalDomain<'_>, head: Head, state: IntervalState) {
        match self.reached.get_mut(&head) {
            Some(known) => domain.join_into(known, &state),
            None => {
                self.reached.insert(head, state);
            }
        }
    }

    /// The precision with these bounds as hints, and whether there are any.
    pub fn finish(self, domain: &IntervalDomain<'_>) -> (IntervalPrecision, bool) {
        let found = !self.reached.is_empty();
        let mut precision = domain.initial_precision();
        precision.hints = Some(Arc::new(self.reached));
        (precision, found)
    }
}
