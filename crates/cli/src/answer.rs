//! The last thing a verification run does: it prints exactly one verdict and ends the process without dropping
//! anything. Whoever comes first wins: the analysis, the watchdog, a signal, a panic or the allocator.

use assay_base::StopReason;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::mpsc;
use std::time::Duration;

/// Exit status of a run with the verdict unknown.
pub(crate) const UNKNOWN: i32 = 20;

static ANSWERED: AtomicBool = AtomicBool::new(false);
static FORM: AtomicU8 = AtomicU8::new(Form::Verdict as u8);

/// What an answer looks like that somebody else gives in the place of the command.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// The line with the verdict.
    Verdict,
    /// A JSON document.
    Json,
    /// A line of a command that gives no verdicts.
    Stopped,
}

pub(crate) fn set_form(form: Form) {
    FORM.store(form as u8, Ordering::SeqCst);
}

type Fallback = Box<dyn FnOnce(StopReason) -> String + Send>;

/// Answers for a run that does not react, with all that can be said without it.
static FALLBACK: Mutex<Option<Fallback>> = Mutex::new(None);
/// How long such an answer may take.
const FALLBACK_TIME: Duration = Duration::from_secs(2);

/// From now on a run that is stopped and does not react is answered by this: it writes the files that were asked for,
/// and gives the text to print.
pub(crate) fn set_fallback(fallback: impl FnOnce(StopReason) -> String + Send + 'static) {
    *FALLBACK.lock().unwrap_or_else(|error| error.into_inner()) = Some(Box::new(fallback));
}

/// Answers for a run that was stopped and does not react: with everything, or at least with the verdict.
pub(crate) fn stopped(reason: StopReason) -> ! {
    let fallback = FALLBACK.try_lock().ok().and_then(|mut slot| slot.take());
    if let Some(fallback) = fallback {
        let (sender, receiver) = mpsc::channel();
        let thread = std::thread::Builder::new().name("answer".into()).spawn(move || {
            let _ = sender.send(fallback(reason));
        });
        if thread.is_ok()
            && let Ok(text) = receiver.recv_timeout(FALLBACK_TIME)
            && !text.is_empty()
        {
            give(&text, UNKNOWN);
        }
    }
    last_resort(match reason {
        StopReason::Time => "time limit",
        StopReason::Memory => "memory limit",
        StopReason::Interrupt => "interrupted",
        StopReason::Cancelled => "cancelled",
    })
}

/// Prints the text, which holds the verdict, and ends the process.
pub(crate) fn give(text: &str, exit_status: i32) -> ! {
    claim();
    write_all(1, text.as_bytes());
    // SAFETY: _exit has no preconditions. Nothing is dropped, on purpose: tearing down gigabytes of states takes
    // seconds.
    unsafe { libc::_exit(exit_status) }
}

/// Answers `unknown(reason)`, in the form of the command, without touching the heap or a lock, so that it works in a
/// signal handler, inside the allocator and while another thread hangs. The reason must not contain a quote.
pub(crate) fn last_resort(reason: &str) -> ! {
    claim();
    let (before, after): (&[u8], &[u8]) = match FORM.load(Ordering::SeqCst) {
        form if form == Form::Json as u8 => (b"{\"verdict\": \"unknown\", \"reason\": \"", b"\"}\n"),
        form if form == Form::Stopped as u8 => (b"stopped: ", b"\n"),
        _ => (b"verdict: unknown(", b")\n"),
    };
    write_all(1, before);
    write_all(1, reason.as_bytes());
    write_all(1, after);
    // SAFETY: as in `give`.
    unsafe { libc::_exit(UNKNOWN) }
}

/// Only the first caller returns; every later one waits for the end of the process that the first one brings.
fn claim() {
    if ANSWERED.swap(true, Ordering::SeqCst) {
        loop {
            // SAFETY: pause has no preconditions and is safe in signal handlers.
            unsafe { libc::pause() };
        }
    }
}

fn write_all(descriptor: i32, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: the pointer and the length describe a live slice.
        let written = unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(0) => return,
            Ok(count) => bytes = &bytes[count..],
            Err(_) if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
