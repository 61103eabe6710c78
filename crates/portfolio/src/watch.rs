//! Who uses how much: the CPU time of nodes that run side by side, their memory, and who is to be stopped.

use assay_base::{CancelToken, Limits, StopReason};
use std::time::Duration;

/// In thousandths of the memory limit: a node that is not the only one left is stopped here, so that others can go on
/// in its place.
const MEMORY_SHARE: u64 = 800;
/// In thousandths: a node that has taken less than this is not the one to blame.
const OWN_SHARE: u64 = 100;

/// One running node.
pub(crate) struct Watched {
    pub token: CancelToken,
    /// The CPU time it may use; without one it runs until another caller stops it.
    pub budget: Option<Duration>,
    pub spent: Duration,
    memory_at_start: u64,
    /// Whether something can follow when its memory is freed.
    pub replaceable: bool,
    /// Whether it is kept when its share is used up, because a later node goes on with it.
    pub kept: bool,
}

impl Watched {
    pub(crate) fn new(token: CancelToken, budget: Option<Duration>, replaceable: bool, kept: bool) -> Self {
        let memory_at_start = token.memory_in_use();
        Watched { token, budget, spent: Duration::ZERO, memory_at_start, replaceable, kept }
    }

    /// Counts time and stops the node where its share is used up.
    pub(crate) fn charge(&mut self, time: Duration, limits: Limits) {
        self.spent += time;
        if self.budget.is_some_and(|budget| self.spent >= budget) {
            match self.kept {
                true => self.token.pause(),
                false => self.token.stop(StopReason::Time),
            }
        }
        if let Some(limit) = limits.memory_bytes.filter(|_| self.replaceable) {
            let memory = self.token.memory_in_use();
            if memory >= limit / 1000 * MEMORY_SHARE && memory >= self.memory_at_start + limit / 1000 * OWN_SHARE {
                self.token.stop(StopReason::Memory);
            }
        }
    }
}
