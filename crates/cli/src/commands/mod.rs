//! One module a command.

pub mod cfa;
pub mod interpret;
pub mod lists;
pub mod portfolio;
pub mod replay;
pub mod tests;
pub mod verify;
