//! The third scheduler: threads of this process and other machines. A machine is one more worker of the parallel
//! algorithm that takes jobs nothing has begun; what comes back finishes the cell as a job here would, and a job that
//! brings nothing goes back to the threads.
//!
//! A job is sent only where that helps: it must have waited a moment, since the threads would have taken it otherwise,
//! and blocks that are known to take less time than writing the question and reading the answer are never offered.
//! Small ones go together in one message, as many as make it worth its while.

use super::IterationEnd;
use super::cache::BlockCell;
use super::job::{BoxedJob, Job};
use super::parallel::{Parallel, Pool};
use super::reduce::Reduce;
use super::remote::{Explored, Remote};
use super::scheduler::Scheduler;
use super::shared::Shared;
use super::trace::{JobEvent, Trace};
use assay_cfa::blocks::BlockId;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A job waits so long before it is sent: what the threads of this process get to sooner is cheaper here.
const PATIENCE: Duration = Duration::from_millis(2);
/// A message has so much work, if there is as much; it is many times what the message itself takes.
const ENOUGH: Duration = Duration::from_millis(40);
/// What a block is taken for of which nothing is known.
const UNKNOWN: Duration = Duration::from_millis(4);
/// No more blocks than this are in a message.
const MOST: usize = 200;
/// The first jobs of a run are around all others, so that nothing else would have anything to do.
const AROUND_ALL: u64 = 2;
/// A block takes at least so many times what it costs to have it explored elsewhere, or it stays.
const WORTH: u32 = 2;
/// How often something who has nothing to send looks again.
const IDLE: Duration = Duration::from_millis(1);

/// Jobs that nothing has begun and that are worth a message, the oldest first.
pub(super) struct Offers<'a, D: Reduce> {
    list: Mutex<VecDeque<(BoxedJob<'a, D>, Instant)>>,
}

impl<D: Reduce> Default for Offers<'_, D> {
    fn default() -> Self {
        Offers { list: Mutex::default() }
    }
}

impl<'a, D: Reduce> Offers<'a, D> {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(BoxedJob<'a, D>, Instant)>> {
        self.list.lock().unwrap_or_else(|e| e.into_inner())
    }
    pub(super) fn push(&self, job: BoxedJob<'a, D>) {
        self.lock().push_back((job, Instant::now()));
    }
    fn youngest(&self) -> Option<BoxedJob<'a, D>> {
        self.lock().pop_back().map(|(job, _)| job)
    }
    /// The oldest that have waited long enough, for a machine: they are the largest, as a rule. At most half of all, so
    /// that there is something left for the threads.
    fn oldest(&self, all: bool, span: impl Fn(&Job<'a, D>) -> Duration) -> Option<Vec<BoxedJob<'a, D>>> {
        let mut list = self.lock();
        let patience = if all { Duration::ZERO } else { PATIENCE };
        let most = list.len().div_ceil(2).min(MOST);
        let (mut taken, mut work) = (Vec::new(), Duration::ZERO);
        while taken.len() < most && work < ENOUGH && list.front().is_some_and(|(_, since)| since.elapsed() >= patience) {
            if let Some((job, _)) = list.pop_front() {
                work += span(&job);
                taken.push(job);
            }
        }
        (!taken.is_empty()).then_some(taken)
    }
    pub(super) fn drain(&self) -> Vec<BoxedJob<'a, D>> {
        self.lock().drain(..).map(|(job, _)| job).collect()
    }
}

/// Whether a new job of a block may be sent.
pub(super) fn is_worth_sending<D: Reduce>(shared: &Shared<'_, D>, block: Option<BlockId>) -> bool {
    let (Some(block), Some(remote)) = (block, &shared.remote) else { return false };
    if shared.counters.jobs.load(Ordering::Relaxed) <= AROUND_ALL {
        return false;
    }
    match (shared.usual_span(block), remote.cost()) {
        _ if remote.all => true,
        (Some(span), Some(cost)) => span >= cost * WORTH,
        _ => true,
    }
}

/// Threads here, and machines elsewhere.
pub(super) struct Distributed<'a, D: Reduce> {
    parallel: Parallel<'a, D>,
}

impl<'a, D: Reduce> Distributed<'a, D> {
    pub(super) fn new(parallel: Parallel<'a, D>) -> Self {
        Distributed { parallel }
    }
}

impl<'a, D: Reduce> Scheduler<'a, D> for Distributed<'a, D> {
    /// One worker for each thread, and one for each slot of the machines.
    fn iteration(&mut self, shared: &Shared<'a, D>, workers: &mut [D::Worker], trace: Option<&Trace>) -> IterationEnd<'a, D> {
        let remote = shared.remote.as_ref().filter(|remote| !remote.is_over());
        self.parallel.run(shared, workers, trace, remote, &AtomicBool::new(false))
    }
    fn look(&self, cell: &Arc<BlockCell<'a, D>>, look: &mut dyn FnMut(&Job<'a, D>)) {
        self.parallel.look(cell, look);
    }
    fn job_mut(&mut self, cell: &Arc<BlockCell<'a, D>>) -> Option<&mut Job<'a, D>> {
        self.parallel.job_mut(cell)
    }
}

impl<'a, D: Reduce> Pool<'_, 'a, D> {
    /// A job for a thread here, of those that could be sent: the youngest, since what the thread asks for next is near.
    pub(super) fn offered(&self) -> Option<BoxedJob<'a, D>> {
        match self.remote {
            Some(remote) if remote.all && remote.workers.free() > 0 => None,
            _ => self.offers.youngest(),
        }
    }

    /// What a thread does that stands for a slot of another machine.
    pub(super) fn work_elsewhere(&self, index: usize, worker: &mut D::Worker, remote: &Remote<'a>) {
        let span = |job: &Job<'a, D>| job.cell.block.and_then(|block| self.shared.usual_span(block)).unwrap_or(UNKNOWN);
        let find = || if remote.workers.free() > 0 { self.offers.oldest(remote.all, span) } else { None };
        let idle = || {
            self.notice_stop();
            std::thread::sleep(IDLE);
        };
        self.shared.quiescence.work(find, |jobs| self.send(index, worker, remote, jobs), idle);
    }

    fn send(&self, index: usize, worker: &mut D::Worker, remote: &Remote<'a>, jobs: Vec<BoxedJob<'a, D>>) {
        let wanted = || {
            self.notice_stop();
            !self.shared.quiescence.is_stopped()
        };
        let cells: Vec<&BlockCell<'a, D>> = jobs.iter().map(|job| &*job.cell).collect();
        let found = remote.explore(self.shared, worker, &cells, &wanted);
        // The quiescence counts all of them as one that is put down at the end.
        (1..jobs.len()).for_each(|_| self.shared.quiescence.put_down());
        for (mut job, Explored { summary: found, machine, begin, end }) in jobs.into_iter().zip(found) {
            if let Some(trace) = self.trace {
                let (slice, needs) = (trace.number(), std::mem::take(&mut job.needs));
                let (block, finished) = (job.cell.block, found.is_some());
                trace.record(JobEvent { slice, needs, block, thread: index, machine, begin, end, finished });
            }
            match found {
                Some(summary) => self.finish(&|job| self.bring_back(job), &job.cell, summary),
                None => self.bring_back(job),
            }
        }
    }

    /// For the threads, not to be sent again.
    fn bring_back(&self, job: BoxedJob<'a, D>) {
        self.shared.quiescence.add();
        self.injector.push(job);
        self.wake.notify_one();
    }
}
