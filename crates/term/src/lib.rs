//! The one expression language of the house: hash-consed terms over bit-vectors and arrays, and over mathematical
//! integers for solvers that have them.
//!
//! Truth values are bit-vectors of width 1 and C floats are their IEEE bit patterns with typed operations on
//! them, so that casts, unions and memory cells need no second sort and no conversion.
//!
//! A term is a `u32` id in a [`Terms`] store; equal ids mean equal terms. The terms of a program are frozen
//! in a base that is read without locks; each analysis run opens an overlay on it ([`Terms::overlay`]).

pub mod bits;
pub mod build;
pub mod eval;
pub mod facts;
pub mod float;
pub mod integer;
pub mod node;
pub mod random;
pub mod simplify;
pub mod smtlib;
pub mod store;
pub mod syntax;
pub mod text;
pub mod walk;

pub use bits::Bits;
pub use float::FloatFormat;
pub use node::{Node, Op, Round, Shape, Sort, SymbolId, Term};
pub use store::{Frozen, Terms};
pub use syntax::ReadError;
