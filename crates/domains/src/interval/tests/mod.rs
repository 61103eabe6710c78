//! Laws of the interval domain, on all ranges of three bits and on random programs; the random programs and the checks
//! on them serve other domains too.

pub(crate) mod program;
pub(crate) mod soundness;

mod analysis;
mod operators;
