//! Path formulas: operations of the automaton as SSA terms.
//!
//! An [`Encoder`] turns operations into updates of a [`State`]: the values of registers, the content of memory objects,
//! and a list of conditions, all as terms over inputs. Two states that meet are merged with `ite` on the condition that
//! tells them apart ([`Encoder::merge`]), so that a whole block has one formula. Two forms serve two purposes
//! ([`Form`]):
//!
//! * *substituted*: every value is a term over inputs. For satisfiability: bounded model checking, the check of a path.
//! * *defined*: every assignment makes a new instance `x@n` and the equation that defines it. For interpolation: what
//!   is said between two steps is said of instances that are current there, and so of program variables ([`path`]).
//!
//! Memory is a set of objects, each a map of cells or an array of its own; a pointer is a bit-vector `base + offset`,
//! whose object is found in the structure of the term, else by a case distinction over the objects of the state. In a
//! block that begins anywhere, memory that belongs to no known object is one more array, indexed by address
//! ([`Encoder::block`], [`Encoder::opened`]). Exactness is explicit: [`State::undefined`] says when an access is
//! outside of every object, [`State::approximate`] that a value is freer than the program's.
//!
//! An encoder borrows a shared store of terms and holds nothing but options; states are plain data. Terms, states and
//! formulas made by one thread can be used by another.

mod address;
mod content;
mod cut;
mod encoder;
mod facts;
mod memory;
mod merge;
pub mod naming;
mod open;
pub mod path;
mod pointers;
mod ranges;
mod relations;
mod repeat;
mod state;
mod summary;
pub mod unroll;
mod written;

pub use content::Content;
pub use encoder::{Encoder, Form, StepOutcome};
pub use naming::Names;
pub use open::{Stable, StableObject};
pub use path::PathFormula;
pub use pointers::{KnownPointer, PointerPlace};
pub use state::{Input, InputPlace, Lifetime, Object, ObjectKey, State};
pub use unroll::{UnrollOptions, Unrolling};
