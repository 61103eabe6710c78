//! Opens the finished blocks on a path, down to the single steps. A graph that was dropped, or that this run never had,
//! is explored anew: the same state leads to the same exits.

use super::cache::BlockCell;
use super::job::PathPart;
use super::reduce::Reduce;
use super::sequential::Sequential;
use super::shared::Shared;
use super::summary::{BlockGraph, Summary, SummaryId};
use super::{IterationEnd, SummaryGraphs};
use assay_cfa::Step;
use assay_cpa::arg::NodeId;
use assay_cpa::stack::ArgStep;
use std::sync::Arc;

const KEPT_GRAPHS: usize = 200;

/// The path with all blocks opened; `None` if one of them cannot be.
pub(super) fn open_blocks<'a, D: Reduce>(
    shared: &Shared<'a, D>,
    worker: &mut D::Worker,
    graphs: &mut SummaryGraphs<'a, D>,
    parts: impl Iterator<Item = PathPart<D::State>>,
) -> Option<Vec<Step>> {
    // A few are kept for the next path; all of them would be what was dropped to save memory.
    if graphs.len() > KEPT_GRAPHS {
        graphs.clear();
    }
    let mut out = Vec::new();
    for part in parts {
        match part {
            PathPart::Step(step) => out.push(step),
            PathPart::Closed { summary, exit, outer } => open(shared, worker, graphs, summary, exit, &outer, &mut out)?,
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
    outer: &D::State,
    out: &mut Vec<Step>,
) -> Option<()> {
    // What is still to be written, the next on top: nested blocks can be as deep as the recursion.
    let mut stack = vec![enter(shared, worker, graphs, summary, exit, outer)?];
    while let Some((graph, steps)) = stack.last_mut() {
        match steps.next() {
            None => {
                stack.pop();
            }
            Some((from, ArgStep::Block(number))) => {
                let graph = graph.as_ref()?;
                let (inner, exit) = *graph.applications.get(number as usize)?;
                let outer = graph.exploration.reached.get(from)?;
                let next = enter(shared, worker, graphs, inner, exit, outer)?;
                stack.push(next);
            }
            Some((_, ArgStep::Step(step))) => out.push(step),
        }
    }
    Some(())
}

/// The steps through a block, with the graph that they are of; without one, no step leads through another block.
type Opened<'a, D> = (Option<Arc<BlockGraph<'a, D>>>, std::vec::IntoIter<(NodeId, ArgStep)>);

/// The graph of a summary and the steps in it to an exit.
fn enter<'a, D: Reduce>(
    shared: &Shared<'a, D>,
    worker: &mut D::Worker,
    graphs: &mut SummaryGraphs<'a, D>,
    summary: SummaryId,
    exit: NodeId,
    outer: &D::State,
) -> Option<Opened<'a, D>> {
    let known = shared.applied(worker, summary, outer)?;
    let (graph, node) = match known.graph() {
        Some(graph) => (graph, exit),
        None => {
            if let Some(steps) = path_on_disk(shared, &known, exit) {
                let steps: Vec<_> = steps.into_iter().map(|step| (exit, step.into())).collect();
                return Some((None, steps.into_iter()));
            }
            // What a rule says has the same number for every entry.
            let key = (summary, known.base.as_ref().map_or(0, |_| shared.domain.hash(&known.entry)));
            let again = match graphs.get(&key).filter(|again| known.base.is_none() || again.entry == known.entry) {
                Some(again) => again.clone(),
                None => {
                    let again = explore_again(shared, worker, &known)?;
                    graphs.insert(key, again.clone());
                    again
                }
            };
            let wanted = known.exit(exit)?;
            let mut at_same = again.exits.iter().filter(|other| other.location == wanted.location);
            // States that are joined can come out differently where others are joined first. The path to one that
            // contains the state is as good, and the caller that gets the path checks it.
            let same = at_same.clone().find(|other| other.state == wanted.state);
            let same = same.or_else(|| at_same.find(|other| shared.domain.covers(worker, &wanted.state, &other.state)))?;
            (again.graph()?, same.node)
        }
    };
    let steps = graph.exploration.arg.path_to(node).into_moves();
    Some((Some(graph), steps))
}

/// The path that another run, or this one before it dropped the graph, kept beside the summary.
fn path_on_disk<D: Reduce>(shared: &Shared<'_, D>, summary: &Summary<'_, D>, exit: NodeId) -> Option<Vec<Step>> {
    let number = summary.exits.iter().position(|other| other.node == exit)?;
    shared.disk.as_ref()?.path(summary.key.get()?, number)
}

/// Explores a block once more from the state with which its summary was made.
pub(super) fn explore_again<'a, D: Reduce>(
    shared: &Shared<'a, D>,
    worker: &mut D::Worker,
    summary: &Summary<'a, D>,
) -> Option<Arc<Summary<'a, D>>> {
    shared.quiescence.go_on();
    let fingerprint = summary.block.map(|block| shared.precision_of(block).1).unwrap_or_default();
    let cell = BlockCell::new(summary.block, fingerprint, summary.entry.clone(), None);
    match Sequential::for_path(shared, cell).run(shared, worker) {
        IterationEnd::Finished(again) => Some(again),
        _ => None,
    }
}
