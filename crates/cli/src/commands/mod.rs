//! One module a command.

pub mod lists;
pub mod verify;
