//! Limits of a run and the token with which everything that runs long asks whether to stop.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
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
    /// Rounds to which loops are unrolled.
    Bound,
    /// The function that is looked at: its number, counted from 1.
    Function,
}

/// How far a run is, for whoever watches it. Written now and then by the run, and read by nobody who decides.
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

#[derive(Debug, Default)]
struct Shared {
    /// 0 while running, else 1 + the reason's index.
    stopped: AtomicU8,
    stopped_at: OnceLock<Instant>,
    meter: Meter,
    /// Bytes in use, kept by the allocator of the binary; 0 where nobody counts.
    memory: AtomicU64,
}

/// Cheap to clone and to ask; a child stops when its parent does, not the other way round.
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
        let _ = self.shared.stopped.compare_exchange(0, code, Ordering::AcqRel, Ordering::Acquire);
    }
    /// Why it was stopped, or one that it descends from.
    #[inline]
    pub fn stopped(&self) -> Option<StopReason> {
        let reason = match self.shared.stopped.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(StopReason::Time),
            2 => Some(StopReason::Memory),
            3 => Some(StopReason::Interrupt),
            _ => Some(StopReason::Cancelled),
        };
        reason.or_else(|| self.parent.as_ref().and_then(|p| p.stopped()))
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
    /// For whoever counts: the memory in use now.
    pub fn set_memory_in_use(&self, bytes: u64) {
        self.shared.memory.store(bytes, Ordering::Relaxed);
    }
}
