//! The links before the engine: each answers what it can cheaply and leaves the rest.

pub mod cache;
pub mod flatten;
pub mod models;
pub mod parts;
pub mod polynomial;
