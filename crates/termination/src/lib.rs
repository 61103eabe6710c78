//! Termination: whether every execution of a program ends. Loops and recursion are shown to end by ranking functions,
//! and executions that never end are looked for: a state that comes back, or a set of states that is never left.

mod lasso;
mod relevant;

use assay_cfa::Program;
use assay_cfa::structure::Structure;
use assay_results::{Outcome, RunContext, UnknownReason};
use assay_smt::Config;
use std::time::Duration;

/// Decides whether every execution of the program ends.
pub fn run(program: &Program, _solver: &Config, context: &RunContext<'_>) -> Outcome {
    let structure = Structure::new(program);
    let mut search = lasso::Search::new(program, &structure);
    if let Some(found) = search.run(context.cancel, Duration::from_secs(5)) {
        return Outcome::violation(found);
    }
    if let Some(reason) = context.cancel.stopped() {
        return Outcome::stopped(reason);
    }
    if search.ends {
        return Outcome::proof(vec![]);
    }
    Outcome::unknown(UnknownReason::Imprecise("no proof".into()))
}
