//! Tests of generic refinement with a toy domain: known values of registers, and constraints `x == c` on unknown ones.
//! Trace checkers are tested on random programs.

mod interpolation;
mod prefixes;
mod programs;
mod random;
mod refinement;
mod toy;
mod trace;
