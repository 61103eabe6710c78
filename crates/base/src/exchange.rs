//! How threads hand results to each other without losing one: an answer that many wait for, and a mailbox in which a
//! worker parks what it was doing until a message comes. Parallel memoization is built on both; `--cfg loom` tries all
//! interleavings.

#[cfg(loom)]
use loom::sync::{Mutex, MutexGuard};
#[cfg(not(loom))]
use std::sync::{Mutex, MutexGuard};

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

/// A value that is computed once. The caller that asks before it is there is told later, by the caller that computes
/// it.
#[derive(Debug)]
pub struct Answer<T, W> {
    inner: Mutex<Pending<T, W>>,
}

#[derive(Debug)]
struct Pending<T, W> {
    value: Option<T>,
    waiters: Vec<W>,
}

impl<T, W> Default for Answer<T, W> {
    fn default() -> Self {
        Answer { inner: Mutex::new(Pending { value: None, waiters: Vec::new() }) }
    }
}

impl<T: Clone, W> Answer<T, W> {
    /// An answer that is there from the start.
    pub fn ready(value: T) -> Self {
        Answer { inner: Mutex::new(Pending { value: Some(value), waiters: Vec::new() }) }
    }
    /// The value if it is there.
    pub fn get(&self) -> Option<T> {
        lock(&self.inner).value.clone()
    }
    /// Whether the value has been given.
    pub fn is_ready(&self) -> bool {
        lock(&self.inner).value.is_some()
    }
    /// The value if it is there; otherwise the waiter is noted, and [`give`](Self::give) will return it.
    pub fn ask(&self, waiter: W) -> Option<T> {
        let mut inner = lock(&self.inner);
        if inner.value.is_none() {
            inner.waiters.push(waiter);
        }
        inner.value.clone()
    }
    /// Sets the value and returns everyone who must be told.
    #[must_use]
    pub fn give(&self, value: T) -> Vec<W> {
        let mut inner = lock(&self.inner);
        inner.value = Some(value);
        std::mem::take(&mut inner.waiters)
    }
    /// Forgets those who wait.
    pub fn forget_waiters(&self) {
        let waiters = std::mem::take(&mut lock(&self.inner).waiters);
        drop(waiters);
    }
}

/// Where a worker parks something until a message for it comes.
#[derive(Debug)]
pub struct Mailbox<J, M> {
    inner: Mutex<Box<(Option<J>, Vec<M>)>>,
}

impl<J, M> Default for Mailbox<J, M> {
    fn default() -> Self {
        Mailbox { inner: Mutex::new(Box::new((None, Vec::new()))) }
    }
}

impl<J, M> Mailbox<J, M> {
    /// Parks the job, unless messages came in the meantime: then it comes back with them.
    #[must_use]
    pub fn park(&self, job: J) -> Option<(J, Vec<M>)> {
        let mut inner = lock(&self.inner);
        if inner.1.is_empty() {
            inner.0 = Some(job);
            return None;
        }
        Some((job, std::mem::take(&mut inner.1)))
    }
    /// Leaves a message. If the job is parked, both come back, and the caller must see that it goes on.
    #[must_use]
    pub fn deliver(&self, message: M) -> Option<(J, M)> {
        let mut inner = lock(&self.inner);
        match inner.0.take() {
            Some(job) => Some((job, message)),
            None => {
                inner.1.push(message);
                None
            }
        }
    }
    /// Looks at the job if it is parked.
    pub fn look<T>(&self, look: impl FnOnce(&J) -> T) -> Option<T> {
        lock(&self.inner).0.as_ref().map(look)
    }
    /// Drops the parked job and all messages.
    pub fn empty(&self) {
        let (job, messages) = std::mem::take(&mut **lock(&self.inner));
        // Dropping a job can take long and lock other mailboxes.
        drop((job, messages));
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_forgotten() {
        let answer: Answer<u32, &str> = Answer::default();
        assert_eq!((answer.ask("a"), answer.ask("b"), answer.is_ready()), (None, None, false));
        assert_eq!(answer.give(7), ["a", "b"]);
        assert_eq!((answer.ask("c"), answer.get()), (Some(7), Some(7)));
        assert_eq!(answer.give(8), Vec::<&str>::new());
        let mailbox: Mailbox<&str, u32> = Mailbox::default();
        assert_eq!(mailbox.deliver(1), None);
        assert_eq!(mailbox.park("job"), Some(("job", vec![1])));
        assert_eq!(mailbox.park("job"), None);
        assert_eq!(mailbox.look(|job| job.len()), Some(3));
        assert_eq!(mailbox.deliver(2), Some(("job", 2)));
        assert_eq!(mailbox.deliver(3), None);
        mailbox.empty();
        assert_eq!(mailbox.park("job"), None);
    }
}

#[cfg(all(test, loom))]
mod models {
    use super::*;
    use loom::sync::Arc;
    use loom::sync::atomic::{AtomicUsize, Ordering};

    /// The caller that asks is either answered at once or told, never both, never neither.
    #[test]
    fn an_answer_reaches_everyone_once() {
        loom::model(|| {
            let answer: Arc<Answer<u32, usize>> = Arc::new(Answer::default());
            let askers: Vec<_> = (0..2)
                .map(|number| {
                    let answer = answer.clone();
                    loom::thread::spawn(move || answer.ask(number).is_some())
                })
                .collect();
            let told = answer.give(1);
            for (number, asker) in askers.into_iter().enumerate() {
                let at_once = asker.join().expect("no panic");
                assert!(at_once != told.contains(&number));
            }
        });
    }

    /// A job that waits for two messages goes on exactly when both are there, whichever comes last.
    #[test]
    fn a_parked_job_gets_all_messages() {
        loom::model(|| {
            let mailbox: Arc<Mailbox<usize, u32>> = Arc::new(Mailbox::default());
            let finished = Arc::new(AtomicUsize::new(0));
            let senders: Vec<_> = (0..2)
                .map(|_| {
                    let (mailbox, finished) = (mailbox.clone(), finished.clone());
                    loom::thread::spawn(move || {
                        if let Some((got, _)) = mailbox.deliver(1) {
                            go_on(&mailbox, &finished, got + 1);
                        }
                    })
                })
                .collect();
            go_on(&mailbox, &finished, 0);
            senders.into_iter().for_each(|sender| sender.join().expect("no panic"));
            assert_eq!(finished.load(Ordering::SeqCst), 1);
        });
    }

    /// The job as far as messages go: it parks until it has two.
    fn go_on(mailbox: &Mailbox<usize, u32>, finished: &AtomicUsize, mut got: usize) {
        while got < 2 {
            match mailbox.park(got) {
                None => return,
                Some((before, messages)) => got = before + messages.len(),
            }
        }
        finished.fetch_add(1, Ordering::SeqCst);
    }

    /// The scheduler in small: an outer job needs the answer of an inner one. The count of jobs in hands falls to zero
    /// only when the outer one is finished, and it is finished.
    #[test]
    fn the_last_one_out_sees_everything_finished() {
        loom::model(|| {
            let inner: Arc<Answer<u32, ()>> = Arc::new(Answer::default());
            let outer: Arc<Mailbox<(), u32>> = Arc::new(Mailbox::default());
            let (active, finished) = (Arc::new(AtomicUsize::new(2)), Arc::new(AtomicUsize::new(0)));
            let leave = |active: &AtomicUsize, finished: &AtomicUsize| {
                if active.fetch_sub(1, Ordering::SeqCst) == 1 {
                    assert_eq!(finished.load(Ordering::SeqCst), 1);
                }
            };
            let other = {
                let (inner, outer, active, finished) = (inner.clone(), outer.clone(), active.clone(), finished.clone());
                loom::thread::spawn(move || {
                    for () in inner.give(7) {
                        if outer.deliver(7).is_some() {
                            // The woken job is scheduled before this one leaves.
                            active.fetch_add(1, Ordering::SeqCst);
                            finished.fetch_add(1, Ordering::SeqCst);
                            leave(&active, &finished);
                        }
                    }
                    leave(&active, &finished);
                })
            };
            if inner.ask(()).is_some() || outer.park(()).is_some() {
                finished.fetch_add(1, Ordering::SeqCst);
            }
            leave(&active, &finished);
            other.join().expect("no panic");
            assert_eq!((active.load(Ordering::SeqCst), finished.load(Ordering::SeqCst)), (0, 1));
        });
    }
}
