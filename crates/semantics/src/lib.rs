//! What programs mean: the state of a program, what each operation does to it, the memory around it, and the concrete
//! interpreter.
//!
//! The automaton (`assay_cfa`) is data; this is its one reading. The interpreter, value analysis and symbolic execution
//! share it.

mod acceleration;
pub mod compiled;
pub mod environment;
pub mod interpreter;
pub mod state;
