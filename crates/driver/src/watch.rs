//! Watches the limits of a session: a thread that stops its token where CPU time or memory is used up.

use crate::request::Meters;
use crate::usage;
use assay_base::{CancelToken, Limits, StopReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const PERIOD: Duration = Duration::from_millis(20);
/// Reading the resident size costs a system call and more; it is read each time that is a multiple of this.
const RESIDENT: u32 = 5;

/// Watches until it is dropped.
pub(crate) struct Watch(Arc<AtomicBool>);

impl Watch {
    /// Starts the thread.
    pub(crate) fn start(cancel: CancelToken, limits: Limits, meters: Meters) -> std::io::Result<Watch> {
        let over = Arc::new(AtomicBool::new(false));
        if limits != Limits::default() {
            let over = over.clone();
            std::thread::Builder::new().name("limits".into()).spawn(move || watch(&over, &cancel, limits, meters))?;
        }
        Ok(Watch(over))
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn watch(over: &AtomicBool, cancel: &CancelToken, limits: Limits, meters: Meters) {
    let share = limits.cpu_time.map(usage::analysis_share);
    let mut times = 0u32;
    while !over.load(Ordering::Relaxed) {
        std::thread::sleep(PERIOD);
        times = times.wrapping_add(1);
        if share.is_some_and(|share| (meters.cpu_time)() >= share) {
            cancel.stop(StopReason::Time);
        }
        if let Some(limit) = limits.memory_bytes {
            let counted = (meters.memory)();
            let resident = if counted == 0 || times.is_multiple_of(RESIDENT) { usage::resident() } else { None };
            let held = resident.unwrap_or(0).max(counted);
            cancel.set_memory_in_use(held);
            if held >= limit / 10 * 9 {
                cancel.stop(StopReason::Memory);
            }
        }
    }
}
