//! The parallel algorithm: jobs are values on work-stealing queues; a missing summary suspends only the state that
//! needs it.
//!
//! A job is in exactly one place: in a queue, in the hands of a worker, or parked in its cell. Who finishes a block
//! hands the summary to the cells of those who wait; a parked job that gets one goes back into a queue.

use super::cache::BlockCell;
use super::distributed::{Offers, is_worth_sending};
use super::job::{BoxedJob, Job, JobEnd};
use super::reduce::Reduce;
use super::remote::Remote;
use super::scheduler::Scheduler;
use super::shared::Shared;
use super::summary::Summary;
use super::trace::{JobEvent, NO_SLICE, Need, Trace};
use super::{Found, IterationEnd};
use assay_cpa::algorithm::Status;
use crossbeam_deque::{Injector, Steal, Stealer, Worker as Queue};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The jobs of a run that are not parked, between two calls.
pub(super) struct Parallel<'a, D: Reduce> {
    root: Arc<BlockCell<'a, D>>,
    ready: Vec<BoxedJob<'a, D>>,
    threads: usize,
}

/// A parked job and its cell hold each other.
impl<D: Reduce> Drop for Parallel<'_, D> {
    fn drop(&mut self) {
        self.root.mailbox.empty();
    }
}

/// What the workers of one call share.
pub(super) struct Pool<'p, 'a, D: Reduce> {
    pub(super) shared: &'p Shared<'a, D>,
    root: &'p Arc<BlockCell<'a, D>>,
    pub(super) injector: Injector<BoxedJob<'a, D>>,
    /// Jobs that other machines may take; none where there are no such machines.
    pub(super) offers: Offers<'a, D>,
    pub(super) remote: Option<&'p Remote<'a>>,
    stealers: Vec<Stealer<BoxedJob<'a, D>>>,
    end: Mutex<PoolEnd<'a, D>>,
    pub(super) wake: Condvar,
    pub(super) trace: Option<&'p Trace>,
}

struct PoolEnd<'a, D: Reduce> {
    finished: Option<Arc<Summary<'a, D>>>,
    targets: Vec<Found<'a, D>>,
    failed: Option<Status>,
    leftover: Vec<BoxedJob<'a, D>>,
    /// When everybody was told to stop because of targets.
    stopped_at: Option<Instant>,
}

impl<'a, D: Reduce> Parallel<'a, D> {
    pub(super) fn new(shared: &Shared<'a, D>, root: Arc<BlockCell<'a, D>>, threads: usize) -> Self {
        let job = Job::new(shared, root.clone(), Duration::ZERO);
        Parallel { root, ready: vec![job], threads }
    }

    /// Runs on as many threads as there are workers; those above the number of threads stand for slots of other
    /// machines, if there are any.
    pub(super) fn run(
        &mut self,
        shared: &Shared<'a, D>,
        workers: &mut [D::Worker],
        trace: Option<&Trace>,
        remote: Option<&Remote<'a>>,
        done: &AtomicBool,
    ) -> IterationEnd<'a, D> {
        let threads = self.threads.clamp(1, workers.len());
        let workers = if remote.is_some() { workers } else { &mut workers[..threads] };
        shared.quiescence.begin(self.ready.len());
        // The caller that says that it is done says so before it stops the quiescence, which may have been before it
        // began.
        if done.load(Ordering::SeqCst) {
            shared.quiescence.stop();
        }
        let queues: Vec<Queue<BoxedJob<'a, D>>> = (0..threads).map(|_| Queue::new_lifo()).collect();
        let end = PoolEnd { finished: None, targets: Vec::new(), failed: None, leftover: Vec::new(), stopped_at: None };
        let pool = Pool {
            shared,
            root: &self.root,
            injector: Injector::new(),
            offers: Offers::default(),
            remote,
            stealers: queues.iter().map(Queue::stealer).collect(),
            end: Mutex::new(end),
            wake: Condvar::new(),
            trace,
        };
        for job in self.ready.drain(..) {
            pool.injector.push(job);
        }
        let queues: Vec<Mutex<Option<Queue<BoxedJob<'a, D>>>>> = queues.into_iter().map(|queue| Mutex::new(Some(queue))).collect();
        on_all(workers, &|index, worker| {
            let queue = queues.get(index).and_then(|queue| queue.lock().unwrap_or_else(|e| e.into_inner()).take());
            match (queue, remote) {
                (Some(queue), _) => pool.work(index, worker, &queue),
                (None, Some(remote)) => pool.work_elsewhere(index, worker, remote),
                (None, None) => {}
            }
        });
        let mut end = pool.end.into_inner().unwrap_or_else(|e| e.into_inner());
        if let Some(since) = end.stopped_at {
            shared.counters.add_stop(since.elapsed());
        }
        while let Steal::Success(job) = pool.injector.steal() {
            end.leftover.push(job);
        }
        end.leftover.extend(pool.offers.drain());
        self.ready = end.leftover;
        match end {
            PoolEnd { failed: Some(status), .. } => IterationEnd::Failed(status),
            PoolEnd { targets, .. } if !targets.is_empty() => IterationEnd::Targets(targets),
            PoolEnd { finished: Some(summary), .. } => IterationEnd::Finished(summary),
            _ if shared.is_impatient() => IterationEnd::Impatient,
            _ => IterationEnd::Stuck,
        }
    }
}

impl<'a, D: Reduce> Scheduler<'a, D> for Parallel<'a, D> {
    fn iteration(&mut self, shared: &Shared<'a, D>, workers: &mut [D::Worker], trace: Option<&Trace>) -> IterationEnd<'a, D> {
        self.run(shared, workers, trace, None, &AtomicBool::new(false))
    }

    fn beside(
        &mut self,
        shared: &Shared<'a, D>,
        workers: &mut [D::Worker],
        trace: Option<&Trace>,
        aside: &[Arc<BlockCell<'a, D>>],
        done: &AtomicBool,
    ) -> IterationEnd<'a, D> {
        let is_aside = |job: &BoxedJob<'a, D>| aside.iter().any(|cell| Arc::ptr_eq(&job.cell, cell));
        let (waiting, ready): (Vec<_>, Vec<_>) = self.ready.drain(..).partition(is_aside);
        self.ready = ready;
        let end = if self.ready.is_empty() { IterationEnd::Stuck } else { self.run(shared, workers, trace, None, done) };
        self.ready.extend(waiting);
        end
    }

    fn look(&self, cell: &Arc<BlockCell<'a, D>>, look: &mut dyn FnMut(&Job<'a, D>)) {
        match self.ready.iter().find(|job| Arc::ptr_eq(&job.cell, cell)) {
            Some(job) => look(job),
            None => cell.mailbox.look(|job| look(job)).unwrap_or_default(),
        }
    }

    fn job_mut(&mut self, cell: &Arc<BlockCell<'a, D>>) -> Option<&mut Job<'a, D>> {
        self.ready.iter_mut().find(|job| Arc::ptr_eq(&job.cell, cell)).map(|job| &mut **job)
    }
}

/// The stack of a worker thread: reserved, not used. Terms and states are deep in some programs.
pub(super) const STACK_BYTES: usize = 256 << 20;

/// Runs the work with each worker on a thread of its own. The calling thread is one of them, so that one worker costs
/// no thread; where the machine gives fewer threads than there are workers, those that there are have to do.
pub(super) fn on_all<W: Send>(workers: &mut [W], work: &(impl Fn(usize, &mut W) + Sync)) {
    std::thread::scope(|scope| {
        let mut pairs = workers.iter_mut().enumerate();
        let own = pairs.next();
        for (index, worker) in pairs {
            let builder = std::thread::Builder::new().name(format!("worker {index}")).stack_size(STACK_BYTES);
            if builder.spawn_scoped(scope, move || work(index, worker)).is_err() {
                break;
            }
        }
        if let Some((index, worker)) = own {
            work(index, worker);
        }
    });
}

/// Stops the others if its thread panics, so that the panic is reported instead of waited for.
pub(super) struct StopOnPanic<'s>(pub(super) &'s dyn Fn());

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

impl<'a, D: Reduce> Pool<'_, 'a, D> {
    fn end(&self) -> MutexGuard<'_, PoolEnd<'a, D>> {
        self.end.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn work(&self, index: usize, worker: &mut D::Worker, queue: &Queue<BoxedJob<'a, D>>) {
        let stop = || self.stop();
        let _guard = StopOnPanic(&stop);
        let idle = || {
            let guard = self.end();
            // A push that was missed between the search and here is found after the shortest sleep.
            let waited = self.wake.wait_timeout(guard, Duration::from_micros(500));
            drop(waited.unwrap_or_else(|e| e.into_inner()));
            self.notice_stop();
        };
        self.shared.quiescence.work(|| self.find(index, queue), |job| self.run_job(index, worker, queue, job), idle);
        // The caller that is idle need not sleep to the end.
        self.wake.notify_all();
        let mut left = Vec::new();
        while let Some(job) = queue.pop() {
            left.push(job);
        }
        self.end().leftover.extend(left);
    }

    /// Stops everybody if the run is to stop.
    pub(super) fn notice_stop(&self) {
        if let Some(reason) = self.shared.environment.cancel.stopped() {
            self.end().failed.get_or_insert(Status::Stopped(reason));
            self.stop();
        }
    }

    fn stop(&self) {
        self.shared.quiescence.stop();
        self.wake.notify_all();
    }

    fn find(&self, index: usize, queue: &Queue<BoxedJob<'a, D>>) -> Option<BoxedJob<'a, D>> {
        if let Some(job) = queue.pop().or_else(|| self.offered()) {
            return Some(job);
        }
        loop {
            let mut retry = false;
            let others = (0..self.stealers.len()).map(|offset| &self.stealers[(index + offset) % self.stealers.len()]);
            let steals = others.map(Stealer::steal).chain(std::iter::once_with(|| self.injector.steal()));
            for steal in steals {
                match steal {
                    Steal::Success(job) => return Some(job),
                    Steal::Retry => retry = true,
                    Steal::Empty => {}
                }
            }
            if !retry {
                return None;
            }
        }
    }

    fn schedule(&self, queue: &Queue<BoxedJob<'a, D>>, job: BoxedJob<'a, D>) {
        self.shared.quiescence.add();
        queue.push(job);
        if self.stealers.len() > 1 {
            self.wake.notify_one();
        }
    }

    fn run_job(&self, index: usize, worker: &mut D::Worker, queue: &Queue<BoxedJob<'a, D>>, mut job: BoxedJob<'a, D>) {
        loop {
            let block = job.cell.block;
            let begin = Instant::now();
            let slice = self.trace.map_or(NO_SLICE, Trace::number);
            job.slice = slice;
            let mut end = job.run(self.shared, worker, false, &mut |cell, clock| {
                let mut job = Job::new(self.shared, cell, clock);
                if self.trace.is_some() {
                    job.needs.push(Need { slice, after: Some(begin.elapsed()) });
                }
                if self.remote.is_some() && is_worth_sending(self.shared, job.cell.block) {
                    self.shared.quiescence.add();
                    self.offers.push(job);
                    return self.wake.notify_one();
                }
                self.schedule(queue, job);
            });
            if let Some(trace) = self.trace {
                let needs = end.take_needs(slice);
                let finished = matches!(end, JobEnd::Finished(..));
                trace.record(JobEvent { slice, needs, block, thread: index, machine: None, begin, end: Instant::now(), finished });
            }
            match end {
                JobEnd::Finished(cell, summary, _) => return self.finish(&|job| self.schedule(queue, job), &cell, summary),
                JobEnd::Waiting(waiting) => match self.park(waiting) {
                    Some(goes_on) => job = goes_on,
                    None => return,
                },
                JobEnd::Interrupted(job) => {
                    self.end().leftover.push(job);
                    if self.shared.is_impatient() {
                        self.stop();
                    }
                    return;
                }
                JobEnd::Target(job, graph, nodes) => {
                    let mut end = self.end();
                    end.targets.extend(nodes.into_iter().map(|node| Found { cell: job.cell.clone(), graph, node }));
                    end.leftover.push(job);
                    end.stopped_at.get_or_insert_with(Instant::now);
                    drop(end);
                    return self.stop();
                }
                JobEnd::Failed(job, status) => {
                    let mut end = self.end();
                    end.leftover.extend(job);
                    end.failed.get_or_insert(status);
                    drop(end);
                    return self.stop();
                }
            }
        }
    }

    /// Parks a job, unless something arrived for it in the meantime.
    fn park(&self, job: BoxedJob<'a, D>) -> Option<BoxedJob<'a, D>> {
        let cell = job.cell.clone();
        let (mut job, arrived) = cell.mailbox.park(job)?;
        for (graph, node, summary) in arrived {
            job.deliver(self.shared, graph, node, summary);
        }
        Some(job)
    }

    /// Hands a summary to those who wait for it; jobs that can go on are given to `schedule`.
    pub(super) fn finish(&self, schedule: &dyn Fn(BoxedJob<'a, D>), cell: &Arc<BlockCell<'a, D>>, summary: Arc<Summary<'a, D>>) {
        let waiters = cell.finish(summary.clone());
        if Arc::ptr_eq(cell, self.root) {
            self.end().finished = Some(summary);
            return self.stop();
        }
        for waiter in waiters {
            let message = (waiter.graph, waiter.node, summary.clone());
            if let Some((mut job, (graph, node, summary))) = waiter.cell.mailbox.deliver(message) {
                job.deliver(self.shared, graph, node, summary);
                schedule(job);
            }
        }
    }
}
