//! The C front end: C files to the control-flow automaton.
//!
//! [`adapter`] reads, preprocesses, parses and types through a library.

pub mod adapter;
