//! One module a command.

pub(crate) mod batch;
pub(crate) mod cfa;
pub(crate) mod cluster;
pub(crate) mod interpret;
pub(crate) mod lists;
pub(crate) mod portfolio;
pub(crate) mod replay;
pub(crate) mod tests;
pub(crate) mod verify;
pub(crate) mod worker;
