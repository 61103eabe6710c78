//! Precision: which of the encoded registers are tracked where.

use super::domain::BddDomain;
use super::state::BddState;
use assay_cfa::VarId;
use assay_cpa::{Position, ScopedPrecision};
use biodivine_lib_bdd::BddVariable;

/// Which registers the diagrams speak of.
#[derive(Clone, Debug)]
pub struct BddPrecision {
    /// By place.
    pub tracked: ScopedPrecision<VarId>,
}

impl BddPrecision {
    /// Tracks whatever can be encoded.
    pub fn everything() -> Self {
        BddPrecision { tracked: ScopedPrecision::everything() }
    }
    /// Tracks nothing yet.
    pub fn empty() -> Self {
        BddPrecision { tracked: ScopedPrecision::empty() }
    }

    /// Drops what is not tracked at the place.
    pub(super) fn cut(&self, domain: &BddDomain<'_>, state: &mut BddState, at: &Position<'_>) {
        if self.tracked.everything {
            return;
        }
        let location = at.head.location;
        let function = at.program.locations[location].function;
        let gone: Vec<BddVariable> = state
            .bdd()
            .support_set()
            .into_iter()
            .filter(|bit| !self.tracked.tracks(location, function, &domain.encoding.owners[bit.to_index()]))
            .collect();
        if !gone.is_empty() {
            *state = BddState::new(state.bdd().exists(&gone));
        }
    }
}
