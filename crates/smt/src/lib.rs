//! The solver layer: is a conjunction of terms satisfiable, with which model, or which of them contradict each
//! other. A [`Solver`] belongs to one thread; domains keep one in their worker and pass the term store along.
//!
//! A query runs through a chain of cheap links (flattening and contradiction, remembered models, independent parts,
//! cached results) before it reaches the embedded engine, which keeps the work of the prefix that consecutive
//! queries share.

pub mod answer;
pub mod backend;
mod chain;
mod combinations;
mod engine;
pub mod interpolate;
pub mod log;
pub mod model;
pub mod solver;
mod wide;

pub use answer::{Answer, AnsweredBy, Budget, NoAnswer};
pub use backend::{Abilities, Backend, Description, Embedded, Listed, list_backends};
pub use combinations::Combinations;
pub use model::{ArrayValue, Evaluator, Model, ModelData, Value};
pub use solver::{Config, Solver};
