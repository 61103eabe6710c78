//! Memoization of blocks: states without the registers that the block cannot touch, and these put back.

use super::domain::{BddDomain, BddWorker};
use super::precision::BddPrecision;
use super::state::BddState;
use assay_base::{Fingerprint, Id};
use assay_cfa::VarId;
use assay_cpa::Place;
use assay_cpa::bam::{BlockScope, Reduce};
use biodivine_lib_bdd::BddVariable;

impl BddDomain<'_> {
    fn bits_of(&self, state: &BddState, wanted: impl Fn(VarId) -> bool) -> Vec<BddVariable> {
        state.bdd().support_set().into_iter().filter(|bit| wanted(self.encoding.owners[bit.to_index()])).collect()
    }
}

impl Reduce for BddDomain<'_> {
    fn reduce(&self, _: &mut BddWorker, state: &BddState, block: &BlockScope<'_>) -> BddState {
        let gone = self.bits_of(state, |variable| !block.touches(variable));
        if gone.is_empty() { state.clone() } else { BddState::new(state.bdd().exists(&gone)) }
    }

    /// What the block does not write has its old value, in all relations that it was in; the exit adds what the block found. Codes
    /// of other values that the block chose can be those of values outside: but then it could as well have chosen any
    /// code that is free there, and the exit has that choice too.
    fn expand(&self, _: &mut BddWorker, outer: &BddState, exit: &BddState, _: &Place<'_>, block: &BlockScope<'_>) -> Option<BddState> {
        let effects = &block.block.effects;
        let writes = |variable: VarId| {
            effects.touches_everything && block.touches(variable)
                || effects.writes.binary_search_by_key(&variable.index(), |v| v.index()).is_ok()
        };
        let gone = self.bits_of(outer, writes);
        let bdd = if gone.is_empty() { outer.bdd().and(exit.bdd()) } else { outer.bdd().exists(&gone).and(exit.bdd()) };
        (!bdd.is_false()).then(|| BddState::new(bdd))
    }

    fn reduce_precision(&self, precision: &BddPrecision, block: &BlockScope<'_>) -> BddPrecision {
        let tracked = precision.tracked.restricted(
            |function| block.executes_in(function),
            |location| block.executes(location) || block.block.exits.contains(&location),
            |&variable| block.touches(variable),
        );
        BddPrecision { tracked }
    }

    fn precision_fingerprint(&self, precision: &BddPrecision) -> Fingerprint {
        let hash = |variable: &VarId| Fingerprint::of_bytes(self.program.variables[*variable].name.as_bytes()).0;
        let low = precision.tracked.fingerprint(|variable| hash(variable) as u64);
        let high = precision.tracked.fingerprint(|variable| (hash(variable) >> 64) as u64);
        Fingerprint(u128::from(low) | u128::from(high) << 64)
    }
}
