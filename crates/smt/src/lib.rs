//! The solver layer: is a conjunction of terms satisfiable, with which model, or which of them contradict each
//! other. A [`Solver`] belongs to one thread; domains keep one in their worker and pass the term store along.

pub mod answer;
pub mod model;
pub mod solver;
mod wide;

pub use answer::{Answer, Budget, UnknownReason};
pub use model::{ArrayValue, Model, ModelData, Value};
pub use solver::{Config, Solver};
