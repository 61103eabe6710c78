//! Watches a run from outside: signals and crashes. A run that was stopped, by a signal or by the limits that its
//! session watches, and does not react is answered for.

use crate::{answer, memory};
use assay_base::{CancelToken, Limits, StopReason};
use assay_driver::usage::analysis_share;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const PERIOD: Duration = Duration::from_millis(20);
/// How long a stopped run may take to end in order.
const GRACE: Duration = Duration::from_millis(800);
/// The same for somebody who waits at a terminal.
const INTERRUPT_GRACE: Duration = Duration::from_millis(500);

/// Starts the watching threads. Called before any other thread exists, because signals are blocked in all of them.
pub(crate) fn start(cancel: CancelToken, limits: Limits) {
    watch_signals(cancel.clone());
    install_crash_handlers();
    if let Some(bytes) = limits.memory_bytes {
        memory::set_hard_limit(bytes / 100 * 97);
    }
    let spawned = std::thread::Builder::new().name("monitor".into()).spawn(move || watch_reaction(&cancel, limits));
    if let Err(error) = spawned {
        eprintln!("assay: warning: nobody answers for a run that does not react: {error}");
    }
}

/// CPU time that workers elsewhere used for this run, in microseconds.
static REMOTE: AtomicU64 = AtomicU64::new(0);

/// Says what workers elsewhere used so far.
pub(crate) fn set_remote(time: Duration) {
    REMOTE.store(u64::try_from(time.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// CPU time of the process, of its finished children, and of workers that do something for it.
pub(crate) fn cpu_time() -> Duration {
    assay_driver::usage::cpu_time() + Duration::from_micros(REMOTE.load(Ordering::Relaxed))
}

/// Answers for a run that was stopped and does not react.
fn watch_reaction(cancel: &CancelToken, limits: Limits) {
    let mut stopped_at: Option<(Instant, StopReason)> = None;
    // Long runs hold more state, so they may take longer to write their evidence.
    let grace = GRACE + limits.cpu_time.map_or(Duration::from_secs(1), |limit| limit.saturating_sub(analysis_share(limit)));
    loop {
        std::thread::sleep(PERIOD);
        let Some(reason) = cancel.stopped() else { continue };
        let (since, first) = *stopped_at.get_or_insert((Instant::now(), reason));
        let past_limit = limits.cpu_time.is_some_and(|limit| cpu_time() >= limit + Duration::from_millis(500));
        if since.elapsed() > grace || past_limit {
            answer::stopped(first);
        }
    }
}

/// Ctrl-C and termination are waited for by a thread of their own, so that the answer needs no signal handler.
fn watch_signals(cancel: CancelToken) {
    on_signal(move |signal| {
        let time = signal == libc::SIGXCPU;
        cancel.stop(if time { StopReason::Time } else { StopReason::Interrupt });
        // A moment for the run to add what it knows; then the answer comes from here.
        std::thread::sleep(INTERRUPT_GRACE);
        answer::stopped(if time { StopReason::Time } else { StopReason::Interrupt });
    });
}

/// Calls the action once, on a thread of its own, when the process is asked to end. Called before any other thread
/// exists, because the signals are blocked in all of them.
pub(crate) fn on_signal(action: impl FnOnce(i32) + Send + 'static) {
    // SAFETY: the set is initialised by sigemptyset before it is used; blocking happens before other threads exist.
    let set = unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGXCPU] {
            libc::sigaddset(&mut set, signal);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
        set
    };
    let wait = move || {
        let mut signal = 0;
        // SAFETY: both pointers are to live values.
        while unsafe { libc::sigwait(&set, &mut signal) } != 0 {}
        action(signal);
    };
    if let Err(error) = std::thread::Builder::new().name("signals".into()).spawn(wait) {
        eprintln!("assay: warning: signals are not watched: {error}");
    }
}

/// A crash below Rust (a stack overflow, a defect in a native library) still ends in a verdict.
fn install_crash_handlers() {
    extern "C" fn crashed(signal: libc::c_int) {
        answer::last_resort(match signal {
            libc::SIGSEGV | libc::SIGBUS => "internal error: stack overflow or bad memory access",
            libc::SIGABRT => "internal error: aborted",
            _ => "internal error: crashed",
        });
    }
    for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT] {
        // SAFETY: the action is fully initialised; the handler only calls what is safe in signal handlers. SA_ONSTACK
        // uses the alternate stack that the standard library gives every thread.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = crashed as *const () as usize;
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}
