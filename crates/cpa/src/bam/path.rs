//! Opens the finished blocks on a path, down to the single steps. A graph that was dropped, or that this run never had, is explored
//! anew: the same state leads to the same exits.

use super::cache::BlockCell;
use super::job::PathPart;
use super::reduce::Reduce;
use super::sequential::Sequential;
use super::shared::Shared;
use super::summary::{BlockGraph, Summary, SummaryId};
use super::{RoundEnd, SummaryGraphs};
use crate::arg::NodeId;
use crate::stack::Step;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use std::sync::atomic::Ordering;

const KEPT_GRAPHS: usize = 200;

/// The path with all blocks opened; `None` if one of them cannot be.
pub(super) fn open_blocks<'a, D: Reduce>(
    shared: &Shared<'a, D>,
    worker: &mut D::Worker,
    graphs: &mut SummaryGraphs<'a, D>,
    parts: impl Iterator<Item = PathPart>,
) -> Option<Vec<Step>> {
    // A few are kept for the next path; all of them would be what was dropped to save memory.
    if graphs.len() > KEPT_GRAPHS {
        graphs.clear();
    }
    let mut out = Vec::new();
    for part in parts {
        match part {
            PathPart::Step(step) => out.push(step),
            PathPart::Closed(summary, exit) => open(shared, worker, graphs, summary, exit, &mut out)?,
        }
    }
    Some(out)
}

fn open<'a, D: Reduce>(
    shared: &Shared<'a, D>,
    worker: &mut D::Worker,
    graphs: &mut SummaryGraphs<'a, D>,
    summary: SummaryId,
    exit: NodeId,
    out: &mut Vec<Step>,
) -> Option<()> {
    // What is still to be written, the next on top: nested blocks can be as deep as the recursion.
    let mut stack = vec![enter(shared, worker, graphs, summary, exit)?];
    while let Some((graph, steps)) = stack.last_mut() {
        match steps.next() {
            None => {
                stack.pop();
            }
            Some(Step::Block(number)) => {
                let (inner, exit) = *graph.applications.get(number as usize)?;
                stack.push(enter(shared, worker, graphs, inner, exit)?);
            }
            Some(step) => out.push(step),
        }
    }
    Some(())
}

type Opened<'a, D> = (Arc<BlockGraph<'a, D>>, std::vec::IntoIter<Step>);

/// The graph of a summary and the steps in it to an exit.
fn enter<'a, D: Reduce>(
    shared: &Shared<'a, D>,
    worker: &mut D::Worker,
    graphs: &mut SummaryGraphs<'a, D>,
    summary: SummaryId,
    exit: NodeId,
) -> Option<Opened<'a, D>> {
    let known = shared.summaries.get(summary)?;
    let (graph, node) = match known.graph() {
        Some(graph) => (graph, exit),
        None => {
            let again = match graphs.entry(summary) {
                Entry::Occupied(there) => there.into_mut(),
                Entry::Vacant(place) => place.insert(explore_again(shared, worker, &known)?),
            };
            let wanted = known.exit(exit)?;
            let same = again.exits.iter().find(|other| other.location == wanted.location && other.state == wanted.state)?;
            (again.graph()?, same.node)
        }
    };
    let steps = graph.exploration.arg.path_to(node).steps.into_iter();
    Some((graph, steps))
}

/// Explores a block once more from the state with which its summary was made.
fn explore_again<'a, D: Reduce>(shared: &Shared<'a, D>, worker: &mut D::Worker, summary: &Summary<'a, D>) -> Option<Arc<Summary<'a, D>>> {
    shared.halt.store(false, Ordering::SeqCst);
    let fingerprint = summary.block.map(|block| shared.precision_of(block).1).unwrap_or_default();
    let cell = BlockCell::new(summary.block, fingerprint, summary.entry.clone(), None);
    match Sequential::for_path(shared, cell).run(shared, worker) {
        RoundEnd::Finished(again) => Some(again),
        _ => None,
    }
}
