//! Memoization of blocks: states without what the block cannot touch, and that put back.

use super::domain::IntervalDomain;
use super::precision::IntervalPrecision;
use super::state::IntervalState;
use assay_base::{Fingerprint, Id};
use assay_cfa::VarId;
use assay_cpa::Place;
use assay_cpa::bam::{BlockScope, Reduce};

impl Reduce for IntervalDomain<'_> {
    fn reduce(&self, _: &mut (), state: &IntervalState, block: &BlockScope<'_>) -> IntervalState {
        let mut reduced = state.only_top_frame();
        reduced.retain(self.program, &mut |variable| block.touches(variable));
        reduced
    }

    fn expand(
        &self,
        _: &mut (),
        outer: &IntervalState,
        exit: &IntervalState,
        _: &Place<'_>,
        block: &BlockScope<'_>,
    ) -> Option<IntervalState> {
        let effects = &block.block.effects;
        let writes =
            |variable: VarId| effects.touches_everything || effects.writes.binary_search_by_key(&variable.index(), |v| v.index()).is_ok();
        let mut result = outer.clone();
        let own = &self.program.functions[block.block.function].locals;
        for &variable in self.program.globals.iter().chain(own) {
            if !block.touches(variable) {
                continue;
            }
            let (before, after) = (outer.get(self.program, variable), exit.get(self.program, variable));
            let range = match (before, after) {
                (_, after) if writes(variable) => after,
                // What is only read has its old value, and what the way through the block says about it.
                (Some(before), Some(after)) => Some(before.meet(after)?),
                (before, after) => before.or(after),
            };
            result.set(self.program, variable, range);
        }
        Some(result)
    }

    fn reduce_precision(&self, precision: &IntervalPrecision, block: &BlockScope<'_>) -> IntervalPrecision {
        // Hints are for whole call stacks, which blocks do not know.
        let mut reduced = IntervalPrecision::empty();
        reduced.tracked = precision.tracked.restricted(
            |function| block.executes_in(function),
            |location| block.executes(location) || block.block.exits.contains(&location),
            |&variable| block.touches(variable),
        );
        reduced
    }

    fn precision_fingerprint(&self, precision: &IntervalPrecision) -> Fingerprint {
        let hash = |variable: &VarId| Fingerprint::of_bytes(self.program.variables[*variable].name.as_bytes()).0;
        let low = precision.tracked.fingerprint(|variable| hash(variable) as u64);
        let high = precision.tracked.fingerprint(|variable| (hash(variable) >> 64) as u64);
        Fingerprint(u128::from(low) | u128::from(high) << 64)
    }
}
