//! The state of a program: global registers, a stack of frames, and memory objects; and what each operation does to
//! it. One implementation serves the concrete interpreter, value analysis and symbolic execution: they differ in the
//! [`Semantics`] that says what an unconstrained value is.

mod chain;
mod compare;
mod condition;
mod eval;
mod executor;
mod learn;
mod memory;
mod object;
mod persistent;
mod portable;
mod reduce;
#[allow(clippy::module_inception, reason = "the state itself is what the module is named after")]
mod state;
mod value;

pub use executor::{Executor, Semantics, StepResult, Truth, Undefined};
pub use object::{Cell, Lifetime, Object, ObjectName};
pub use persistent::PersistentVec;
pub use portable::Portable;
pub use reduce::Footprint;
pub use state::{Frame, State};
pub use value::{FreshOrigin, ObjectId, Value};
