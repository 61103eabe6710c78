//! Precision: which registers are tracked where, and bounds that widening should try first.

use super::domain::IntervalDomain;
use super::state::IntervalState;
use assay_base::FastMap;
use assay_cfa::VarId;
use assay_cpa::{ArgStep, Exploration, Head, Move, Position, ScopedPrecision};
use std::sync::Arc;

/// Which registers have ranges.
#[derive(Clone, Debug)]
pub struct IntervalPrecision {
    /// By place.
    pub tracked: ScopedPrecision<VarId>,
    /// States at the heads of loops whose bounds are tried as thresholds.
    hints: Option<Arc<FastMap<Head, IntervalState>>>,
}

impl IntervalPrecision {
    /// Tracks every register.
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
    pub(super) fn cut(&self, state: &mut IntervalState, at: &Position<'_>) {
        if !self.tracked.everything {
            let location = at.head.location;
            let function = at.program.locations[location].function;
            state.retain(at.program, &mut |variable| self.tracked.tracks(location, function, &variable));
        }
    }
}

/// Narrowing: one step down from the widened fixpoint that a finished exploration stands for. The result is not
/// believed but tried: a second exploration with it widens to its bounds where they suffice, and past them where they
/// do not. `None` where no loop was reached.
pub fn narrowed(exploration: &Exploration<'_, IntervalDomain<'_>>) -> Option<IntervalPrecision> {
    let (arg, reached, domain) = (&exploration.arg, &exploration.reached, exploration.domain);
    let program = exploration.environment.program;
    let mut bounds: FastMap<Head, IntervalState> = FastMap::default();
    let mut take_in = |head: Head, state: IntervalState| match bounds.get_mut(&head) {
        Some(known) => domain.join_into(known, &state),
        None => {
            bounds.insert(head, state);
        }
    };
    if let Some((root, state)) = arg.root().and_then(|root| Some((root, reached.get(root)?)))
        && domain.is_loop_head(arg.head(root).location)
    {
        take_in(arg.head(root), state.clone());
    }
    for node in arg.live().filter(|&node| !arg.is_covered(node)) {
        let Some(state) = reached.get(node) else { continue };
        for (step, child) in arg.children(node) {
            let target = arg.head(child);
            let ArgStep::Step(step) = step else { continue };
            if !domain.is_loop_head(target.location) {
                continue;
            }
            let mut next = state.clone();
            if domain.step(&mut next, &Move { program, step, edge: &program.edges[step.edge()], source: arg.head(node), target }) {
                take_in(target, next);
            }
        }
    }
    if bounds.is_empty() {
        return None;
    }
    let mut precision = exploration.precision.clone();
    precision.hints = Some(Arc::new(bounds));
    Some(precision)
}
