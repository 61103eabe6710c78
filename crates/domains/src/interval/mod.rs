//! Interval analysis: each register is known to lie in one interval on each side of its sign change. Bounds are widened
//! where loops begin, to thresholds that come from the program's constants; [`narrowed`] wins back what that lost.

mod domain;
mod narrow;
mod operators;
mod precision;
mod range;
mod reduce;
mod refine;
mod state;
#[cfg(test)]
pub(crate) mod tests;
mod transfer;
mod widening;

pub use domain::IntervalDomain;
pub use precision::{IntervalPrecision, narrowed};
pub use range::{Piece, Range};
pub use state::IntervalState;
pub use widening::{Thresholds, widen};
