//! The links before the engine: each answers what it can cheaply and leaves the rest.

pub(crate) mod cache;
pub(crate) mod flatten;
pub(crate) mod models;
pub(crate) mod parts;
pub(crate) mod polynomial;
pub(crate) mod whole;
