//! The menu of analyses: the only place where domains, refinement and exploration are put together. A [`Config`] (a
//! preset, a file, single settings) becomes a `Box<dyn Analysis>`.

mod bounded;
mod cache;
pub mod config;
mod domains;
mod facts;
mod fuzz;
mod induction;
mod invariants;
mod machines;
mod memoize;
mod menu;
pub mod options;
mod passes;
mod path_check;
mod path_formula;
#[cfg(test)]
mod path_tests;
mod plan;
mod predicate;
mod presets;
mod previous_run;
mod random;
mod reported;
mod run;
mod suggestions;
pub mod test_generation;
mod values;

pub use assay_memo::{Reply, Store, Workers};
pub use cache::this_build;
pub use config::{AnalysisKind, Config, ConfigError, DomainChoice, Domains};
pub use machines::{Machines, Questions, Wanted};
pub use options::{OPTIONS, Setting};
pub use path_check::{PathCheckMode, PathChecker, PathDecision};
pub use plan::describe as describe_plan;
pub use presets::{PRESETS, Preset, current_name, preset};
pub use previous_run::remembering;
pub use run::{build, build_with};
