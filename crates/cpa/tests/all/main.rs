//! Tests of the framework with a toy domain: constants of registers.

mod cegar;
mod checker;
mod explore;
mod programs;
mod structures;
mod toy;
