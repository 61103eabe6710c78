//! Abstract domains, one folder each. They know the framework and the solver, not each other; only induction builds on
//! symbolic states and on bounds.

pub mod bdd;
pub mod induction;
pub mod interval;
pub mod predicate;
pub mod value;
