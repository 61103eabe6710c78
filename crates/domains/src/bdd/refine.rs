//! Refinement: strongest post, and registers as the things that can be forgotten and tracked.

use super::domain::{BddDomain, BddWorker};
use super::precision::BddPrecision;
use super::state::BddState;
use assay_cfa::{LocationId, VarId};
use assay_cpa::{Forget, Move, PrecisionScope, Refinable, StrongestPost};

impl StrongestPost for BddDomain<'_> {
    fn post(&self, worker: &mut BddWorker, state: &BddState, step: &Move<'_>) -> Option<BddState> {
        self.step(worker, state, step)
    }
}

impl Forget for BddDomain<'_> {
    type Item = VarId;

    fn remembered(&self, state: &BddState, out: &mut Vec<VarId>) {
        let mut found: Vec<VarId> = state.bdd().support_set().into_iter().map(|bit| self.encoding.owners[bit.to_index()]).collect();
        found.sort_unstable();
        found.dedup();
        out.extend(found);
    }

    fn forget(&self, _: &mut BddWorker, state: &mut BddState, item: &VarId) {
        *state = BddState::new(self.forget_bits(state.bdd().clone(), self.encoding.bits(*item)));
    }
}

impl Refinable for BddDomain<'_> {
    fn track(&self, precision: &mut BddPrecision, at: LocationId, scope: PrecisionScope, item: &VarId) -> bool {
        precision.tracked.track(self.program, at, scope, item)
    }

    fn everything(&self, precision: &BddPrecision) -> Option<BddPrecision> {
        (!precision.tracked.everything).then(BddPrecision::everything)
    }
}
