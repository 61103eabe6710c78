//! What a run asks of a domain beyond exploring: figures for the user, invariants of a proof, and what some domains can
//! do besides.

use crate::memoize::Memoized;
use crate::run::{Confirmed, Run};
use assay_base::Stats;
use assay_cpa::{Domain, Environment, Exploration, ExploreConfig, Refiner};
use assay_results::Invariant;

/// A domain that the menu can run. Everything has a default, so that `impl Reported for NewDomain {}` is enough to
/// begin with.
pub(crate) trait Reported: Domain + Sized {
    /// Adds what a worker counted, and (once a run) what the final precision tracks.
    fn statistics(&self, _worker: &Self::Worker, _precision: Option<&Self::Precision>, _stats: &mut Stats) {}

    /// What a finished graph proves, as far as C can express it.
    fn invariants(_exploration: &Exploration<'_, Self>) -> Vec<Invariant> {
        vec![]
    }

    /// Domains that widen win back what that lost: from a finished graph, the precision for another exploration. `None`
    /// where that would bring nothing.
    fn descend(_exploration: &Exploration<'_, Self>) -> Option<Self::Precision> {
        None
    }

    /// Explores block by block; `None` for a domain that cannot. One that can (it implements `Reduce`) calls
    /// [`Run::memoize`].
    fn memoize<R: Refiner<Self, Evidence = Confirmed>>(
        &self,
        _run: &Run<'_>,
        _environment: Environment<'_>,
        _explore: ExploreConfig,
        _refiner: &mut R,
        _stats: &mut Stats,
    ) -> Option<Memoized<Self::Precision>> {
        None
    }
}
