//! Abstract domains, one folder each. They know the framework and the solver, not each other.

pub mod bdd;
pub mod interval;
pub mod value;
