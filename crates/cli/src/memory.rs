//! The allocator of the binary: mimalloc with a counter, so that a run knows at any time how much memory it holds.

#[cfg(not(feature = "system-allocator"))]
use mimalloc::MiMalloc as Inner;
#[cfg(feature = "system-allocator")]
use std::alloc::System as Inner;
use std::alloc::{GlobalAlloc, Layout};
use std::cell::Cell;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// Bytes in use by all threads, up to what threads have not yet handed in.
static IN_USE: AtomicI64 = AtomicI64::new(0);
/// Where an allocation no longer succeeds but ends the run in order; `u64::MAX` while there is no limit.
static HARD_LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);

/// How much a thread counts for itself before it touches the shared counter.
const BATCH: i64 = 1 << 16;

thread_local! {
    static DELTA: Cell<i64> = const { Cell::new(0) };
}

pub(crate) struct CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Bytes in use, exact up to 64 KiB a thread.
pub(crate) fn in_use() -> u64 {
    IN_USE.load(Ordering::Relaxed).max(0) as u64
}

/// Past this many bytes an allocation ends the process with the verdict unknown(memory limit).
pub(crate) fn set_hard_limit(bytes: u64) {
    HARD_LIMIT.store(bytes, Ordering::Relaxed);
}

/// The kernel hands out pages of the usual size. Clearing huge ones was more than half of the time of explorations on a
/// virtual machine, whose host has to find such a page, too (twice as many states a second without them); a search that
/// stays in little memory loses 2%.
pub(crate) fn prefer_small_pages() {
    // SAFETY: prctl with this option only sets a flag of the process; where it is unknown, it fails without an effect.
    unsafe { libc::prctl(libc::PR_SET_THP_DISABLE, 1, 0, 0, 0) };
}

#[inline]
fn count(bytes: i64) {
    // A thread that is being torn down may have lost its cell; what it counts then goes to the shared counter directly.
    let handed_in = DELTA.try_with(|delta| {
        let sum = delta.get() + bytes;
        if sum.abs() < BATCH {
            delta.set(sum);
            0
        } else {
            delta.set(0);
            sum
        }
    });
    let sum = handed_in.unwrap_or(bytes);
    if sum != 0 {
        let now = IN_USE.fetch_add(sum, Ordering::Relaxed) + sum;
        if sum > 0 && now > 0 && now as u64 > HARD_LIMIT.load(Ordering::Relaxed) {
            crate::answer::last_resort("memory limit");
        }
    }
}

// SAFETY: every call is forwarded to the inner allocator unchanged; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for CountingAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: the caller's obligations are those of the inner allocator.
        unsafe { Inner.alloc(layout) }
    }
    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { Inner.dealloc(pointer, layout) }
    }
    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        // SAFETY: as above.
        unsafe { Inner.alloc_zeroed(layout) }
    }
    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as i64 - layout.size() as i64);
        // SAFETY: as above.
        unsafe { Inner.realloc(pointer, layout, new_size) }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_large_allocation_is_counted_and_given_back() {
        let before = super::in_use();
        let block = vec![1u8; 64 << 20];
        assert!(super::in_use() >= before + (60 << 20));
        drop(block);
        assert!(super::in_use() < before + (30 << 20));
    }
}
