//! The framework of configurable program analysis: traits of domains, the reachability graph, reached sets, the CPA
//! algorithm, the CEGAR loop and the checker of final graphs. It knows no domain and no solver.
//!
//! A domain implements [`Domain`]; location and call stack are not part of its states but the fixed [`Head`] that the
//! framework keeps beside them.

pub mod capability;
pub mod domain;
pub mod stack;
pub mod view;

pub use capability::{Forget, PrecisionScope, Refinable, StrongestPost};
pub use domain::{Adjustment, Domain, Mark, Move, Place, Projection, Successor, Successors};
pub use stack::{CallStacks, Head, StackId, Step};
pub use view::{NoView, Pointee, StateView, View};
