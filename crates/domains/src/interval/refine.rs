//! Refinement: strongest post, and registers as the things that can be forgotten and tracked.

use super::domain::IntervalDomain;
use super::precision::IntervalPrecision;
use super::state::IntervalState;
use assay_cfa::{LocationId, VarId};
use assay_cpa::{Forget, Move, PrecisionScope, Refinable, StrongestPost};

impl StrongestPost for IntervalDomain<'_> {
    fn post(&self, _: &mut (), state: &IntervalState, step: &Move<'_>) -> Option<IntervalState> {
        let mut next = state.clone();
        self.step(&mut next, step).then_some(next)
    }
}

impl Forget for IntervalDomain<'_> {
    /// A register, in all frames that have it.
    type Item = VarId;

    fn remembered(&self, state: &IntervalState, out: &mut Vec<VarId>) {
        let start = out.len();
        state.for_each(self.program, |variable, _| out.push(variable));
        out[start..].sort_unstable();
        let mut kept = start;
        for i in start..out.len() {
            if i == start || out[i] != out[kept - 1] {
                out[kept] = out[i];
                kept += 1;
            }
        }
        out.truncate(kept);
    }

    fn forget(&self, _: &mut (), state: &mut IntervalState, item: &VarId) {
        state.retain(self.program, &mut |variable| variable != *item);
    }
}

impl Refinable for IntervalDomain<'_> {
    fn track(&self, precision: &mut IntervalPrecision, at: LocationId, scope: PrecisionScope, item: &VarId) -> bool {
        precision.tracked.track(self.program, at, scope, item)
    }

    fn everything(&self, precision: &IntervalPrecision) -> Option<IntervalPrecision> {
        (!precision.tracked.everything).then(IntervalPrecision::everything)
    }
}
