//! The menu of analyses: the only place where domains, refinement and exploration are put together. A [`Config`] (a
//! preset, a file, single settings) becomes a `Box<dyn Analysis>`.

pub mod config;
mod facts;
mod induction;
mod invariants;
pub mod options;
mod path_check;
mod presets;
mod run;

pub use config::{Config, ConfigError, DomainChoice};
pub use options::{OPTIONS, OptionSpec};
pub use path_check::{PathChecker, PathVerdict};
pub use presets::{PRESETS, Preset, preset};
pub use run::build;
