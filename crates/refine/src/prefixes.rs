//! Infeasible sliced prefixes of a path: each ends in another contradiction and skips the contradicting tests before
//! it. Any of them refutes the path, so the one with the best interpolants may be chosen.

use crate::facts::{ItemFacts, ItemKind};
use crate::interpolate::Context;
use crate::path::Path;
use assay_base::StopReason;
use assay_cpa::Forget;

/// The infeasible sliced prefixes in the order of their ends, at most `limit`; none if the domain can follow the path.
/// The last step of each is the one that contradicts.
///
/// # Errors
/// The reason, if the run is stopped.
pub fn extract<'p, D: Forget, F: ItemFacts<D::Item>>(
    context: &Context<'_, D, F>,
    worker: &mut D::Worker,
    path: &Path<'p>,
    limit: usize,
) -> Result<Vec<Path<'p>>, StopReason> {
    let mut found = Vec::new();
    let mut feasible = path.clone();
    let mut state = context.domain.initial(worker);
    if context.values_alone {
        forget_constraints(context, worker, &mut state);
    }
    for index in 0..path.len() {
        if let Some(reason) = context.cancel.stopped() {
            return Err(reason);
        }
        match feasible.post(context.domain, worker, &state, index) {
            Some(next) => {
                state = next;
                if context.values_alone && feasible.is_test(index) {
                    forget_constraints(context, worker, &mut state);
                }
            }
            None => {
                found.push(feasible.prefix(index));
                // Only a test can be left out: without it the state stays as it is.
                if found.len() >= limit || !feasible.is_test(index) {
                    break;
                }
                feasible.skip(index);
            }
        }
    }
    Ok(found)
}

fn forget_constraints<D: Forget, F: ItemFacts<D::Item>>(context: &Context<'_, D, F>, worker: &mut D::Worker, state: &mut D::State) {
    let mut items = Vec::new();
    context.domain.remembered(state, &mut items);
    for item in items.iter().filter(|item| context.facts.kind(item) == ItemKind::Constraint) {
        context.domain.forget(worker, state, item);
    }
}
