//! When workers that take jobs from queues, and make new ones while they work, are done: when no job is in a queue or
//! in hands. Parallel memoization is built on it; `--cfg loom` tries all interleavings.

#[cfg(loom)]
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
#[cfg(not(loom))]
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The count of jobs that are in queues and in hands, and the word to stop.
#[derive(Debug)]
pub struct Quiescence {
    active: AtomicUsize,
    halt: AtomicBool,
}

impl Default for Quiescence {
    fn default() -> Self {
        Quiescence { active: AtomicUsize::new(0), halt: AtomicBool::new(false) }
    }
}

impl Quiescence {
    /// Begins with so many jobs in queues. Nothing may be at work.
    pub fn begin(&self, jobs: usize) {
        self.active.store(jobs, Ordering::SeqCst);
        self.halt.store(jobs == 0, Ordering::SeqCst);
    }
    /// Takes back the word to stop, for someone who works alone.
    pub fn go_on(&self) {
        self.halt.store(false, Ordering::SeqCst);
    }
    /// One job more. It must be said before the job is put where others can take it, by someone who has a job in hands.
    pub fn add(&self) {
        self.active.fetch_add(1, Ordering::SeqCst);
    }
    /// Asks all workers to stop.
    pub fn stop(&self) {
        self.halt.store(true, Ordering::SeqCst);
    }
    /// Whether everybody was asked to stop, or nothing is left to do.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }
    /// A job is no longer in hands: it is finished, or parked where a message brings it back. The last one stops
    /// everybody. The caller that [works](Self::work) does not say it for the one that it was handed.
    pub fn put_down(&self) {
        if self.active.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.stop();
        }
    }

    /// Works until everybody stops: takes jobs, runs them, and is idle for a moment where there are none.
    pub fn work<J>(&self, mut find: impl FnMut() -> Option<J>, mut run: impl FnMut(J), mut idle: impl FnMut()) {
        while !self.halt.load(Ordering::SeqCst) {
            match find() {
                Some(job) => {
                    run(job);
                    self.put_down();
                }
                None => idle(),
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn the_crew_works_until_all_is_done() {
        let quiescence = Quiescence::default();
        quiescence.begin(0);
        assert!(quiescence.is_stopped(), "there is nothing to do");
        quiescence.begin(1);
        let (queue, done) = (Mutex::new(vec![10u32]), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let run = |job: u32| {
                        done.fetch_add(1, Ordering::SeqCst);
                        for _ in 0..if job == 0 { 0 } else { 2 } {
                            quiescence.add();
                            queue.lock().expect("no panic").push(job - 1);
                        }
                    };
                    quiescence.work(|| queue.lock().expect("no panic").pop(), run, std::thread::yield_now);
                });
            }
        });
        assert_eq!((done.load(Ordering::SeqCst), queue.lock().expect("no panic").len()), ((1 << 11) - 1, 0));
    }
}

/// The scheduler of parallel memoization in small: jobs on queues from which others steal, answers that jobs wait for,
/// mailboxes in which they are parked. The queues are those of the standard library behind a lock; what is modelled is
/// what the quiescence does with them.
#[cfg(all(test, loom))]
mod models {
    use super::*;
    use crate::{Answer, Mailbox};
    use loom::sync::{Arc, Mutex};
    use std::collections::VecDeque;

    /// Job 0 is the root; a job is at a step of its own and has got so many answers.
    #[derive(Clone, Copy, Debug)]
    struct Job {
        number: usize,
        step: usize,
        got: usize,
    }

    struct World {
        quiescence: Quiescence,
        queues: [Mutex<VecDeque<Job>>; 2],
        /// The result of each job, and who waits for it.
        answers: Vec<Answer<usize, usize>>,
        /// Where each job is parked.
        mailboxes: Vec<Mailbox<Job, usize>>,
        /// Whom each job needs.
        needs: Vec<Vec<usize>>,
        begun: Mutex<Vec<bool>>,
        finished: Vec<AtomicUsize>,
        stops_at_root: bool,
    }

    impl World {
        fn new(needs: Vec<Vec<usize>>, stops_at_root: bool) -> Arc<World> {
            let count = needs.len();
            let world = World {
                quiescence: Quiescence::default(),
                queues: [Mutex::new(VecDeque::new()), Mutex::new(VecDeque::new())],
                answers: (0..count).map(|_| Answer::default()).collect(),
                mailboxes: (0..count).map(|_| Mailbox::default()).collect(),
                needs,
                begun: Mutex::new((0..count).map(|number| number == 0).collect()),
                finished: (0..count).map(|_| AtomicUsize::new(0)).collect(),
                stops_at_root,
            };
            world.quiescence.begin(1);
            world.queues[0].lock().expect("no panic").push_back(Job { number: 0, step: 0, got: 0 });
            Arc::new(world)
        }

        fn schedule(&self, worker: usize, job: Job) {
            self.quiescence.add();
            self.queues[worker].lock().expect("no panic").push_back(job);
        }

        /// From the end of the own queue, then from the front of the other's.
        fn find(&self, worker: usize) -> Option<Job> {
            let own = self.queues[worker].lock().expect("no panic").pop_back();
            own.or_else(|| self.queues[1 - worker].lock().expect("no panic").pop_front())
        }

        fn run(&self, worker: usize, mut job: Job) {
            loop {
                let needs = &self.needs[job.number];
                while job.step < needs.len() {
                    let other = needs[job.step];
                    job.step += 1;
                    // The caller that asks first makes the job; the waiter is noted before anybody can finish it.
                    let is_first = !std::mem::replace(&mut self.begun.lock().expect("no panic")[other], true);
                    let ready = self.answers[other].ask(job.number);
                    if is_first {
                        self.schedule(worker, Job { number: other, step: 0, got: 0 });
                    }
                    job.got += usize::from(ready.is_some());
                }
                if job.got == needs.len() {
                    return self.finish(worker, job.number);
                }
                match self.mailboxes[job.number].park(job) {
                    None => return,
                    Some((parked, messages)) => job = Job { got: parked.got + messages.len(), ..parked },
                }
            }
        }

        fn finish(&self, worker: usize, number: usize) {
            self.finished[number].fetch_add(1, Ordering::SeqCst);
            for waiter in self.answers[number].give(number) {
                if let Some((job, _)) = self.mailboxes[waiter].deliver(number) {
                    self.schedule(worker, Job { got: job.got + 1, ..job });
                }
            }
            if number == 0 && self.stops_at_root {
                self.quiescence.stop();
            }
        }

        fn work(&self, worker: usize) {
            self.quiescence.work(|| self.find(worker), |job| self.run(worker, job), loom::thread::yield_now);
        }

        fn all_finished_once(&self) -> bool {
            self.finished.iter().all(|count| count.load(Ordering::SeqCst) == 1)
        }
    }

    /// Runs both workers over all interleavings with few forced switches of threads, which are enough to find what goes
    /// wrong in practice.
    fn try_all(needs: &[&[usize]], stops_at_root: bool, check: impl Fn(&World) + Sync + Send + 'static) {
        let needs: Vec<Vec<usize>> = needs.iter().map(|list| list.to_vec()).collect();
        let mut model = loom::model::Builder::new();
        model.preemption_bound = Some(3);
        model.check(move || {
            let world = World::new(needs.clone(), stops_at_root);
            let other = {
                let world = world.clone();
                loom::thread::spawn(move || world.work(1))
            };
            world.work(0);
            other.join().expect("no panic");
            check(&world);
        });
    }

    /// A job that is handed over through a queue, suspends its maker and resumes it: everything is finished when
    /// everybody stops, although nothing says so but the count.
    #[test]
    fn a_suspended_job_is_resumed_before_the_crew_stops() {
        try_all(&[&[1], &[]], false, |world| {
            assert!(world.all_finished_once());
            assert!(world.quiescence.active.load(Ordering::SeqCst) == 0 && world.quiescence.is_stopped());
        });
    }

    /// Two jobs on two workers, and their maker gets both answers.
    #[test]
    fn a_job_that_needs_two_gets_both() {
        try_all(&[&[1, 2], &[], &[]], false, |world| assert!(world.all_finished_once()));
    }

    /// Two jobs need the same third one: it is explored once, and both get its answer.
    #[test]
    fn equal_requests_wait_for_the_one_that_runs() {
        try_all(&[&[1, 2], &[2], &[]], false, |world| assert!(world.all_finished_once()));
    }

    /// Jobs that wait for each other in a circle end the run instead of hanging it: the count falls to zero.
    #[test]
    fn a_circle_of_waits_is_noticed() {
        try_all(&[&[1], &[0]], false, |world| {
            assert!(world.finished.iter().all(|count| count.load(Ordering::SeqCst) == 0));
            assert!(world.quiescence.active.load(Ordering::SeqCst) == 0);
        });
    }

    /// The word to stop ends everybody, and what is left is in queues or mailboxes, never lost in between.
    #[test]
    fn a_stop_loses_no_job() {
        try_all(&[&[1], &[]], true, |world| {
            let queued: usize = world.queues.iter().map(|queue| queue.lock().expect("no panic").len()).sum();
            assert!(world.finished[0].load(Ordering::SeqCst) == 1);
            assert_eq!(queued, world.quiescence.active.load(Ordering::SeqCst));
        });
    }
}
