//! Analysis with binary decision diagrams of the registers that are used as truth values or compared for equality only:
//! a state is a set of assignments, joins are exact, and thousands of combinations of features are one state.

mod cases;
mod domain;
mod encoding;
mod precision;
mod reduce;
mod refine;
mod state;
#[cfg(test)]
mod tests;
mod transfer;

pub use domain::{BddDomain, BddWorker};
pub use precision::BddPrecision;
pub use state::BddState;
