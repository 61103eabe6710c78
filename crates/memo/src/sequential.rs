//! The sequential algorithm: a missing summary is computed at once, and what needs it waits. The reference for the
//! parallel one.

use super::cache::BlockCell;
use super::job::{BoxedJob, Job, JobEnd};
use super::reduce::Reduce;
use super::scheduler::Scheduler;
use super::shared::Shared;
use super::summary::Summary;
use super::trace::Trace;
use super::{Found, IterationEnd};
use assay_cpa::algorithm::Status;
use std::sync::Arc;
use std::time::Duration;

/// The open jobs of a run, each requested by the one below it. Kept from one call to the next.
pub(super) struct Sequential<'a, D: Reduce> {
    stack: Vec<BoxedJob<'a, D>>,
    /// Its jobs wait for nothing and leave nothing behind.
    private: bool,
}

impl<'a, D: Reduce> Sequential<'a, D> {
    pub(super) fn new(shared: &Shared<'a, D>, root: Arc<BlockCell<'a, D>>) -> Self {
        Sequential { stack: vec![Job::new(shared, root, Duration::ZERO)], private: false }
    }

    /// Explores a finished block once more, beside the jobs of the run, for the paths in it.
    pub(super) fn for_path(shared: &Shared<'a, D>, root: Arc<BlockCell<'a, D>>) -> Self {
        let mut job = Job::new(shared, root, Duration::ZERO);
        job.private = true;
        Sequential { stack: vec![job], private: true }
    }

    /// The job of a cell, if it is open.
    fn job(&mut self, cell: &Arc<BlockCell<'a, D>>) -> Option<&mut BoxedJob<'a, D>> {
        self.stack.iter_mut().find(|job| Arc::ptr_eq(&job.cell, cell))
    }

    /// Runs until the root is finished, a target is found, or the run fails.
    pub(super) fn run(&mut self, shared: &Shared<'a, D>, worker: &mut D::Worker) -> IterationEnd<'a, D> {
        while let Some(job) = self.stack.pop() {
            let mut child: Option<BoxedJob<'a, D>> = None;
            let private = self.private;
            let end = job.run(shared, worker, true, &mut |cell, clock| {
                let mut job = Job::new(shared, cell, clock);
                job.private = private;
                child = Some(job);
            });
            match end {
                JobEnd::Finished(cell, summary, _) => {
                    if let Some(finished) = self.finish(shared, &cell, summary) {
                        return IterationEnd::Finished(finished);
                    }
                }
                JobEnd::Interrupted(job) => {
                    self.stack.push(job);
                    self.stack.extend(child);
                    if shared.is_impatient() && !self.private {
                        return IterationEnd::Impatient;
                    }
                    if shared.quiescence.is_stopped() {
                        return IterationEnd::Failed(Status::Interrupted);
                    }
                }
                JobEnd::Target(job, graph, nodes) => {
                    let cell = job.cell.clone();
                    self.stack.push(job);
                    return IterationEnd::Targets(nodes.into_iter().map(|node| Found { cell: cell.clone(), graph, node }).collect());
                }
                // A job waits only for what is above it, and that is finished first.
                JobEnd::Waiting(_) => return IterationEnd::Stuck,
                JobEnd::Failed(job, status) => {
                    self.stack.extend(job);
                    return IterationEnd::Failed(status);
                }
            }
        }
        IterationEnd::Stuck
    }

    /// Hands a summary to those who wait for it; `Some` if it was the root's.
    fn finish(
        &mut self,
        shared: &Shared<'a, D>,
        cell: &Arc<BlockCell<'a, D>>,
        summary: Arc<Summary<'a, D>>,
    ) -> Option<Arc<Summary<'a, D>>> {
        for waiter in cell.finish(summary.clone()) {
            if let Some(job) = self.job(&waiter.cell) {
                job.deliver(shared, waiter.graph, waiter.node, summary.clone());
            }
        }
        self.stack.is_empty().then_some(summary)
    }
}

impl<'a, D: Reduce> Scheduler<'a, D> for Sequential<'a, D> {
    fn iteration(&mut self, shared: &Shared<'a, D>, workers: &mut [D::Worker], _: Option<&Trace>) -> IterationEnd<'a, D> {
        match workers.first_mut() {
            Some(worker) => self.run(shared, worker),
            None => IterationEnd::Stuck,
        }
    }

    fn look(&self, cell: &Arc<BlockCell<'a, D>>, look: &mut dyn FnMut(&Job<'a, D>)) {
        if let Some(job) = self.stack.iter().find(|job| Arc::ptr_eq(&job.cell, cell)) {
            look(job);
        }
    }

    fn job_mut(&mut self, cell: &Arc<BlockCell<'a, D>>) -> Option<&mut Job<'a, D>> {
        self.job(cell).map(|job| &mut **job)
    }

    fn retire(&mut self, shared: &Shared<'a, D>, worker: &mut D::Worker) -> Result<(), Status> {
        if shared.streams {
            self.stack.iter_mut().try_for_each(|job| job.retire(shared, worker))?;
        }
        Ok(())
    }
}
