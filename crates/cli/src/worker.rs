//! Runs the work of a command on a thread with a large stack, and makes a defect in it a message instead of a crash.

use std::sync::Mutex;

/// What the panic hook heard last: the message and its place.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Runs the work; a panic anywhere in it becomes an error text.
pub(crate) fn on_large_stack<R: Send + 'static>(work: impl FnOnce() -> R + Send + Clone + 'static) -> Result<R, String> {
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let message = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
        let message = message.unwrap_or("unknown failure");
        let place = info.location().map_or(String::new(), |l| format!(" at {}:{}", l.file(), l.line()));
        let text = format!("{message}{place}");
        eprintln!("assay: internal error: {text}\nassay: this is a defect of Assay; please report it with the input and the command line");
        // The first panic is the cause; later ones are its consequences.
        PANIC.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(text);
    }));
    // The address space is reserved, not used; where even that is refused, less has to do.
    for megabytes in [1024, 256, 64] {
        let builder = std::thread::Builder::new().name("run".into()).stack_size(megabytes << 20);
        if let Ok(thread) = builder.spawn(work.clone()) {
            return thread.join().map_err(|_| {
                let text = PANIC.lock().unwrap_or_else(|e| e.into_inner()).take();
                text.unwrap_or_else(|| "unknown failure".to_string())
            });
        }
    }
    Err("no thread can be started".to_string())
}
