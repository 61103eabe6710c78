//! A program compiled for many concrete runs: registers are words, memory is one arena of bytes, operations are
//! instructions of a small machine. Runs are ten times as fast as in the [interpreter](crate::interpreter),
//! and can be stopped at every input, kept, and gone on with another value.
//!
//! Nothing here is evidence. The machine follows the interpreter where it can and gives up where it cannot (values of
//! more than 64 bits, pointers from outside, memory that another caller chose has zeros); the caller that finds
//! something with it has the interpreter confirm it.

mod arena;
mod code;
mod compile;
mod virtual_machine;

pub use compile::Image;
pub use virtual_machine::{Event, Snapshot, VirtualMachine};
