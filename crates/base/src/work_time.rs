//! A clock for budgets of work: the CPU time of one thread. What else the machine does, and pauses of a run, do not
//! count, so that what fits into a budget does not depend on them.

use std::ops::Add;
use std::time::Duration;

/// A moment in the work of the thread that made it: that since the thread began. Another thread has a clock of its own,
/// so the caller that hands work to one gives it a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WorkTime(Duration);

impl WorkTime {
    /// The present moment. It takes a system call: a few hundred nanoseconds.
    pub fn now() -> Self {
        WorkTime(thread_time())
    }
    /// What the thread has worked since.
    pub fn elapsed(self) -> Duration {
        thread_time().saturating_sub(self.0)
    }
    /// What the thread may still work until this moment.
    pub fn left(self) -> Duration {
        self.0.saturating_sub(thread_time())
    }
    /// Whether this moment has come.
    pub fn is_over(self) -> bool {
        thread_time() >= self.0
    }
}

impl Add<Duration> for WorkTime {
    type Output = WorkTime;
    fn add(self, span: Duration) -> WorkTime {
        WorkTime(self.0.saturating_add(span))
    }
}

fn thread_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to the structure that it is given and keeps nothing.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_work_counts() {
        let begin = WorkTime::now();
        std::thread::sleep(Duration::from_millis(300));
        assert!(begin.elapsed() < Duration::from_millis(200), "{:?}", begin.elapsed());
        let end = begin + Duration::from_millis(300);
        assert!(!end.is_over() && !end.left().is_zero());
        let mut sum = 0u64;
        while !end.is_over() {
            sum = (0..1000).fold(sum, |sum, number| std::hint::black_box(sum ^ number));
        }
        assert!(end.left().is_zero() && begin.elapsed() >= Duration::from_millis(300));
        assert!(!(WorkTime::now() + Duration::MAX).is_over());
    }
}
