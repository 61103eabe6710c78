//! Paths of memoization, of which only the steps are known: the blocks of the path are abstracted once more, one after
//! the other and with all that the program knows there.

use super::{Block, NO_BLOCKS, PredicateRefiner};
use crate::run::Confirmed;
use assay_base::{Decision, Obstacle, ObstacleKind};
use assay_cpa::{Refinement, TargetKind, TargetPath};
use assay_domains::predicate::{PredicateDomain, PredicatePrecision, PredicateState, PredicateWorker, Segment};
use std::sync::Arc;

/// After so many paths exploration goes on without blocks. Each border is an abstraction that needs predicates, and
/// programs whose blocks pay are decided by then.
const MOST_WITH_BLOCKS: u64 = 16;

/// The abstractions of a path with their positions, and the path from the last of them to the target.
struct Replayed {
    abstractions: Vec<(usize, PredicateState)>,
    last: Arc<Segment>,
}

impl PredicateRefiner<'_> {
    /// As `refine`. Where predicates refute the path already, or none is found that does, a summary stands for more
    /// than the program as a whole would show: the path is excluded, and exploration goes on without blocks.
    pub(super) fn refine_without_states(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, PredicateDomain<'_>>,
        precision: &mut PredicatePrecision,
    ) -> Decision<Confirmed, Refinement> {
        if self.paths >= MOST_WITH_BLOCKS || path.domain.has_too_many_combinations() {
            return Decision::Open(Obstacle::new(ObstacleKind::CostlyBlocks, NO_BLOCKS));
        }
        let excluded = |reason| {
            let step = path.steps.len().saturating_sub(1);
            Decision::Infeasible(Refinement::Excluded { step, reason })
        };
        let Some(replayed) = replay(worker, path, precision) else {
            return match path.environment.cancel.stopped() {
                Some(reason) => Decision::Open(Obstacle::stopped(reason)),
                None => excluded(Obstacle::imprecise("a path through summaries is refuted where blocks know what is around them")),
            };
        };
        let Replayed { abstractions, last } = &replayed;
        let nexts = abstractions.iter().skip(1).map(|(_, next)| next.at.arrived.as_ref()).chain([Some(last)]);
        let blocks: Option<Vec<Block<'_>>> = abstractions
            .iter()
            .zip(nexts)
            .map(|((position, state), segment)| Some(Block { position: *position, at: &state.at, segment: segment? }))
            .collect();
        let Some(blocks) = blocks else { return Decision::Open(Obstacle::stuck("a path has no blocks")) };
        let answer = match self.search(worker, path, blocks, path.domain, precision) {
            Ok(spurious) => self.extend(worker, path, &spurious, path.domain, precision),
            Err(answer) => answer,
        };
        match answer {
            Decision::Infeasible(Refinement::Extended { grew: false, .. }) => {
                excluded(Obstacle::stuck("the refinement of an infeasible path brought nothing new"))
            }
            Decision::Open(reason) if reason.kind.is_of_a_target() && matches!(path.kind, TargetKind::Property(_)) => excluded(reason),
            answer => answer,
        }
    }
}

/// Abstracts the blocks of a path; `None` where predicates refute it.
fn replay(
    worker: &mut PredicateWorker,
    path: &TargetPath<'_, '_, PredicateDomain<'_>>,
    precision: &PredicatePrecision,
) -> Option<Replayed> {
    let (domain, stacks) = (path.domain, path.environment.stacks);
    // Other targets are where a step cannot be taken.
    let end = match path.kind {
        TargetKind::Property(_) => path.steps.len(),
        _ => path.steps.len().saturating_sub(1),
    };
    let mut state = assay_cpa::Domain::initial(domain, worker);
    let mut abstractions = Vec::new();
    let mut position = 0;
    for next in 1..end {
        let head = path.heads[next];
        if domain.ends_at(head.location) {
            let segment = domain.segment_between(stacks, path.heads[position], head, &state.at.start)?;
            let after = domain.abstraction_after(worker, &state, &segment, precision, head.location)?;
            abstractions.push((position, std::mem::replace(&mut state, after)));
            position = next;
        }
    }
    let last = match end > position {
        true => domain.segment_between(stacks, path.heads[position], path.heads[end], &state.at.start)?,
        false => state.at.start.clone(),
    };
    abstractions.push((position, state));
    Some(Replayed { abstractions, last })
}
