//! Limits of a run and the token with which everything that runs long asks whether to stop.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Why a run was stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum StopReason {
    /// The CPU time is used up.
    Time,
    /// The memory is used up.
    Memory,
    /// Ctrl-C or a termination signal.
    Interrupt,
    /// Someone else (a portfolio, a sibling job) no longer needs the result.
    Cancelled,
}

impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            StopReason::Time => "time limit",
            StopReason::Memory => "memory limit",
            StopReason::Interrupt => "interrupted",
            StopReason::Cancelled => "cancelled",
        })
    }
}

/// What a run may use. CPU time is of the process and its children, over all threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Unlimited if `None`.
    pub cpu_time: Option<Duration>,
    /// Resident memory; unlimited if `None`.
    pub memory_bytes: Option<u64>,
}

/// What a meter shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gauge {
    /// Abstract states that were reached.
    States,
    /// States that wait to be taken up.
    Waiting,
    /// Refinements of the precision so far.
    Refinements,
    /// Iterations to which loops are unrolled.
    Bound,
    /// The function that is looked at: its number, counted from 1.
    Function,
}

/// How far a run is, for the caller that watches it. Written now and then by the run, and read by nothing who decides.
#[derive(Debug, Default)]
pub struct Meter([AtomicU64; 5]);

impl Meter {
    /// Overwrites what the meter shows.
    #[inline]
    pub fn set(&self, gauge: Gauge, value: u64) {
        self.0[gauge as usize].store(value, Ordering::Relaxed);
    }
    /// The value that was set last; 0 at first.
    pub fn get(&self, gauge: Gauge) -> u64 {
        self.0[gauge as usize].load(Ordering::Relaxed)
    }
}

/// In the place of a reason: the caller that asks waits until the run may go on.
const PAUSED: u8 = u8::MAX;
/// How often who waits looks at the tokens that its own descends from.
const LOOK_UP: Duration = Duration::from_millis(20);

#[derive(Debug, Default)]
struct Shared {
    /// 0 while running, else 1 + the reason's index, or [`PAUSED`].
    stopped: AtomicU8,
    /// Whether something waits because of a pause.
    waits: AtomicBool,
    pause: Mutex<()>,
    over: Condvar,
    stopped_at: OnceLock<Instant>,
    meter: Meter,
    /// Bytes in use, kept by the allocator of the binary; 0 where nothing counts.
    memory: AtomicU64,
}

impl Shared {
    fn wake(&self) {
        drop(self.pause.lock().unwrap_or_else(PoisonError::into_inner));
        self.over.notify_all();
    }
}

/// Cheap to clone and to ask; a child stops when its parent does, not in reverse.
#[derive(Clone, Debug, Default)]
pub struct CancelToken {
    shared: Arc<Shared>,
    parent: Option<Arc<CancelToken>>,
}

impl CancelToken {
    /// A token without a parent, not stopped.
    pub fn new() -> Self {
        Self::default()
    }
    /// A token that stops with this one, and that can be stopped alone.
    pub fn child(&self) -> CancelToken {
        CancelToken { shared: Arc::default(), parent: Some(Arc::new(self.clone())) }
    }
    /// Asks the run to stop; of several reasons the first one counts.
    pub fn stop(&self, reason: StopReason) {
        let code = 1 + reason as u8;
        self.shared.stopped_at.get_or_init(Instant::now);
        let running = |now: u8| (now == 0 || now == PAUSED).then_some(code);
        let _ = self.shared.stopped.fetch_update(Ordering::AcqRel, Ordering::Acquire, running);
        self.shared.wake();
    }
    /// The caller that asks this token, or one that descends from it, waits from now on.
    pub fn pause(&self) {
        let _ = self.shared.stopped.compare_exchange(0, PAUSED, Ordering::AcqRel, Ordering::Acquire);
    }
    /// Ends a pause.
    pub fn resume(&self) {
        self.shared.waits.store(false, Ordering::Release);
        let _ = self.shared.stopped.compare_exchange(PAUSED, 0, Ordering::AcqRel, Ordering::Acquire);
        self.shared.wake();
    }
    /// Whether the run has come to a place where it waits because of a pause.
    pub fn waits(&self) -> bool {
        self.shared.waits.load(Ordering::Acquire) && self.shared.stopped.load(Ordering::Acquire) == PAUSED
    }
    /// Why it was stopped, or one that it descends from.
    #[inline]
    pub fn stopped(&self) -> Option<StopReason> {
        let reason = match self.shared.stopped.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopReason::Time),
            2 => Some(StopReason::Memory),
            3 => Some(StopReason::Interrupt),
            PAUSED => {
                self.wait();
                return self.stopped();
            }
            _ => Some(StopReason::Cancelled),
        };
        reason.or_else(|| self.parent.as_ref().and_then(|p| p.stopped()))
    }
    /// Until the pause is over, or a token that this one descends from is stopped, which then stops this one.
    #[cold]
    fn wait(&self) {
        let mut guard = self.shared.pause.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.waits.store(true, Ordering::Release);
        while self.shared.stopped.load(Ordering::Acquire) == PAUSED {
            if let Some(reason) = self.parent.as_ref().and_then(|parent| parent.stopped()) {
                drop(guard);
                self.shared.waits.store(false, Ordering::Release);
                return self.stop(reason);
            }
            guard = self.shared.over.wait_timeout(guard, LOOK_UP).unwrap_or_else(PoisonError::into_inner).0;
        }
        self.shared.waits.store(false, Ordering::Release);
    }
    /// When it was stopped, or one that it descends from.
    pub fn stopped_at(&self) -> Option<Instant> {
        let own = self.shared.stopped_at.get().copied();
        own.or_else(|| self.parent.as_ref().and_then(|parent| parent.stopped_at()))
    }
    /// Whether it was stopped, or one that it descends from.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped().is_some()
    }
    /// How far the run is that this token belongs to.
    pub fn meter(&self) -> &Meter {
        &self.shared.meter
    }
    /// Bytes in use as far as someone counts them, for this token or for one that it descends from.
    pub fn memory_in_use(&self) -> u64 {
        match (self.shared.memory.load(Ordering::Relaxed), &self.parent) {
            (0, Some(parent)) => parent.memory_in_use(),
            (bytes, _) => bytes,
        }
    }
    /// For the caller that counts: the memory in use now.
    pub fn set_memory_in_use(&self, bytes: u64) {
        self.shared.memory.store(bytes, Ordering::Relaxed);
    }
}
