//! Path formulas against the interpreter and against the symbolic state that path checks run on.

mod agreement;
mod blocks;
mod induction;
mod programs;
mod unrolling;
