//! Operations that concern other threads. The front end makes them, and one pass turns a program that has them into a
//! program of one thread: no analysis meets them.

use crate::program::VarId;
use assay_term::Term;

/// What a thread does to others, or where others may not come between.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ThreadOperation {
    /// A new thread begins in the function at `start`, with one argument. The register takes its number.
    Spawn {
        /// As wide as a pointer.
        target: VarId,
        /// The address of a function.
        start: Term,
        /// Of pointer width.
        argument: Term,
    },
    /// Waits until the thread has ended; the register takes what it returned.
    Join {
        /// As wide as a pointer.
        target: VarId,
        /// The number of the thread, of pointer width.
        thread: Term,
    },
    /// The thread ends with this value; without others the program does.
    Exit {
        /// Of pointer width.
        value: Term,
    },
    /// The register takes the number of the thread that runs.
    Current {
        /// As wide as a pointer.
        target: VarId,
    },
    /// From here on no other thread comes between. Such sections nest.
    AtomicBegin,
    /// Others may come between again, if no section around this one is open.
    AtomicEnd,
    /// Waits until the four bytes at the address are zero, and writes the number of the thread there, in one step.
    Acquire {
        /// Of pointer width.
        lock: Term,
    },
    /// As `Acquire`, but without waiting: the register (32 bits) says whether the bytes were zero.
    TryAcquire {
        /// A register of 32 bits.
        target: VarId,
        /// Of pointer width.
        lock: Term,
    },
    /// Writes zero to the four bytes at the address.
    Release {
        /// Of pointer width.
        lock: Term,
    },
}

impl ThreadOperation {
    /// The words of the text form, in the order of the variants.
    pub const WORDS: [&'static str; 9] =
        ["spawn", "join", "thread-exit", "current-thread", "atomic-begin", "atomic-end", "acquire", "try-acquire", "release"];

    /// As the text form begins with it.
    pub fn word(&self) -> &'static str {
        Self::WORDS[match self {
            ThreadOperation::Spawn { .. } => 0,
            ThreadOperation::Join { .. } => 1,
            ThreadOperation::Exit { .. } => 2,
            ThreadOperation::Current { .. } => 3,
            ThreadOperation::AtomicBegin => 4,
            ThreadOperation::AtomicEnd => 5,
            ThreadOperation::Acquire { .. } => 6,
            ThreadOperation::TryAcquire { .. } => 7,
            ThreadOperation::Release { .. } => 8,
        }]
    }

    /// The register that it writes.
    pub fn written_register(&self) -> Option<VarId> {
        match *self {
            ThreadOperation::Spawn { target, .. }
            | ThreadOperation::Join { target, .. }
            | ThreadOperation::Current { target }
            | ThreadOperation::TryAcquire { target, .. } => Some(target),
            _ => None,
        }
    }

    /// Its terms, each as wide as a pointer.
    pub fn terms(&self) -> Vec<Term> {
        match *self {
            ThreadOperation::Spawn { start, argument, .. } => vec![start, argument],
            ThreadOperation::Join { thread: term, .. }
            | ThreadOperation::Exit { value: term }
            | ThreadOperation::Acquire { lock: term }
            | ThreadOperation::TryAcquire { lock: term, .. }
            | ThreadOperation::Release { lock: term } => vec![term],
            ThreadOperation::Current { .. } | ThreadOperation::AtomicBegin | ThreadOperation::AtomicEnd => vec![],
        }
    }

    /// Its terms, to be changed.
    pub fn terms_mut(&mut self) -> Vec<&mut Term> {
        match self {
            ThreadOperation::Spawn { start, argument, .. } => vec![start, argument],
            ThreadOperation::Join { thread: term, .. }
            | ThreadOperation::Exit { value: term }
            | ThreadOperation::Acquire { lock: term }
            | ThreadOperation::TryAcquire { lock: term, .. }
            | ThreadOperation::Release { lock: term } => vec![term],
            ThreadOperation::Current { .. } | ThreadOperation::AtomicBegin | ThreadOperation::AtomicEnd => vec![],
        }
    }
}
