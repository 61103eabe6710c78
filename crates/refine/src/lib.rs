//! Generic refinement: everything between an abstract path to a target and a precision that refutes it, for any domain
//! with *strongest post + forget*.
//!
//! A target path is run at full precision ([`path`]). If the domain contradicts it, interpolants are found by testing
//! what can be forgotten ([`interpolate`]), perhaps for several sliced prefixes of which the best is chosen
//! ([`prefixes`], [`score`]); the precision then tracks what the interpolants remember ([`refiner`]). A path that the
//! domain cannot contradict goes to a [`PathCheck`], which confirms or refutes it bit by bit. Interpolants of path
//! formulas, for predicates, are in [`path_interpolants`], and the paths to them in [`trace`].

pub mod cone;
pub mod facts;
pub mod interpolate;
pub mod path;
pub mod path_interpolants;
pub mod prefixes;
pub mod refiner;
pub mod score;
pub mod trace;

pub use facts::{Difficulty, ItemFacts, ItemKind, NoScores, Scores, UnknownItems};
pub use interpolate::{ForgetOrder, Interpolants, InterpolationOptions};
pub use path::{Path, PathError, Run};
pub use path_interpolants::{Assertion, PathInterpolationError};
pub use refiner::{Alone, DomainRefiner, Growth, PathCheck, RefineOptions};
pub use score::{Criterion, Direction, Preference, Score};
pub use trace::{TraceMethod, TraceOptions};
