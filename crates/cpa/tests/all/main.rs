//! Tests of the framework with a toy domain: constants of registers.

mod bam;
mod cegar;
mod checker;
mod explore;
mod programs;
mod random;
mod store;
mod structures;
mod toy;
