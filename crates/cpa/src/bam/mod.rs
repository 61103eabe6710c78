//! Block-abstraction memoization: blocks of the program are explored on their own, and what is found is used again wherever the
//! same block is entered in the same reduced state.

mod reduce;

pub use reduce::{BlockScope, Reduce};
