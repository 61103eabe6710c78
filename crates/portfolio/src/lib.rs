//! Several analyses on one program, in one process. A portfolio is data: a state machine whose nodes are presets with a
//! share of the time that remains, and whose edges are taken on features of the program and on why a node stopped. The
//! portfolio sees only `dyn Analysis`.

mod check;
mod condition;
mod machine;
mod read;
mod run;
mod show;
mod watch;

pub use condition::{Condition, Facts, feature_names};
pub use machine::{Edge, Node, PORTFOLIOS, Portfolio};
pub use read::{Mistake, is_portfolio, read};
pub use run::{Prepared, Running};
