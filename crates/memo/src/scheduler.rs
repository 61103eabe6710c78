//! Who runs the open jobs of a round: one after the other, on threads, or on threads and other machines.

use super::cache::{BlockCell, Waiter};
use super::job::{Job, PathPart};
use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::SummaryId;
use super::trace::Trace;
use super::{IterationEnd, SummaryGraphs, path};
use assay_cfa::Step;
use assay_cpa::algorithm::Status;
use assay_cpa::arg::{NodeId, TargetKind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The open jobs of an iteration, and how they are run. An iteration begins with the job of the program; between two
/// calls of [`iteration`](Self::iteration) nothing is at work.
///
/// Laws: every job is in one place, and a summary is handed to everybody who waits for it. Of two schedulers that come
/// to the end of an iteration both finish the root, or both find targets; in which order, and which of several targets,
/// is their own business.
pub(super) trait Scheduler<'a, D: Reduce> {
    /// Runs until the root is finished, targets are found, or the run fails. What is not finished stays open.
    fn iteration(&mut self, shared: &Shared<'a, D>, workers: &mut [D::Worker], trace: Option<&Trace>) -> IterationEnd<'a, D>;

    /// Goes on beside something who looks at targets in the jobs of `aside`, with all other jobs and until `done`. What
    /// is not finished stays open. `Stuck` where nothing can go on without those jobs; a scheduler without threads has
    /// nothing who could.
    fn beside(
        &mut self,
        _: &Shared<'a, D>,
        _: &mut [D::Worker],
        _: Option<&Trace>,
        _aside: &[Arc<BlockCell<'a, D>>],
        _done: &AtomicBool,
    ) -> IterationEnd<'a, D> {
        IterationEnd::Stuck
    }

    /// Looks at the open job of a cell; does nothing if there is none.
    fn look(&self, cell: &Arc<BlockCell<'a, D>>, look: &mut dyn FnMut(&Job<'a, D>));

    /// The open job of a cell, while nothing is at work.
    fn job_mut(&mut self, cell: &Arc<BlockCell<'a, D>>) -> Option<&mut Job<'a, D>>;

    /// Makes summaries of what is complete within open jobs, before they are given up.
    ///
    /// # Errors
    /// The run was stopped meanwhile.
    fn retire(&mut self, _: &Shared<'a, D>, _: &mut D::Worker) -> Result<(), Status> {
        Ok(())
    }
}

/// What the target is, and the steps from the program's entry to it. Every job along the path to it is still open,
/// since it waits.
pub(super) fn flat_path<'a, D: Reduce>(
    scheduler: &dyn Scheduler<'a, D>,
    shared: &Shared<'a, D>,
    worker: &mut D::Worker,
    graphs: &mut SummaryGraphs<'a, D>,
    cell: &Arc<BlockCell<'a, D>>,
    graph: SummaryId,
    node: NodeId,
) -> Option<(TargetKind, Vec<Step>)> {
    let mut kind = None;
    scheduler.look(cell, &mut |job| kind = job.graph(graph).and_then(|graph| Some(graph.exploration.arg.target(node)?.kind.clone())));
    let kind = kind?;
    let mut parts: Vec<Vec<PathPart<D::State>>> = Vec::new();
    let mut at = Some(Waiter { cell: cell.clone(), graph, node });
    while let Some(Waiter { cell, graph, node }) = at {
        let mut part = None;
        scheduler.look(&cell, &mut |job| part = job.path(graph, node));
        parts.push(part?);
        at = cell.requester();
    }
    let steps = path::open_blocks(shared, worker, graphs, parts.into_iter().rev().flatten())?;
    Some((kind, steps))
}
