//! The front door: the chain of cheap links before the incremental engine.

use crate::answer::{Answer, Budget, UnknownReason};
use crate::model::Model;
use assay_base::Stats;
use assay_term::{Term, Terms};
use std::path::PathBuf;

/// How a solver works; plain data, resolved once.
#[derive(Clone, Debug)]
pub struct Config {
    /// Whether the chain (simplification, remembered models, cached results, independent parts) comes before
    /// the engine. Off only to measure what it is worth.
    pub chain: bool,
    /// How many models are remembered and tried on new queries.
    pub models: usize,
    /// After so many conflicts of the small engine a query goes to the large one.
    pub small_conflicts: u64,
    /// Where queries are written as SMT-LIB, one file each.
    pub dump_queries: Option<PathBuf>,
}

impl Default for Config {
    fn default() -> Self {
        Config { chain: true, models: 16, small_conflicts: 2000, dump_queries: None }
    }
}

/// One a thread. Consecutive queries should share a prefix: work done for it is kept.
pub struct Solver {
    config: Config,
    stats: Stats,
}

impl Solver {
    pub fn new(config: Config) -> Self {
        Solver { config, stats: Stats::default() }
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// What the links of the chain answered, counted.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Is the conjunction of the constraints (terms of width 1, in path order) satisfiable?
    pub fn check(&mut self, terms: &Terms, constraints: &[Term], _budget: &Budget) -> Answer {
        if let Some(index) = constraints.iter().position(|&c| terms.is_false(c)) {
            return Answer::Unsat(vec![index]);
        }
        let model = Model::default();
        if constraints.iter().all(|&c| model.holds(terms, c) == Some(true)) {
            return Answer::Sat(model);
        }
        Answer::Unknown(UnknownReason::Unsupported("this formula".into()))
    }

    /// Whether the facts imply the claim; `None` when unknown.
    pub fn implies(&mut self, terms: &Terms, facts: &[Term], claim: Term, budget: &Budget) -> Option<bool> {
        let mut constraints = facts.to_vec();
        constraints.push(terms.not(claim));
        match self.check(terms, &constraints, budget) {
            Answer::Unsat(_) => Some(true),
            Answer::Sat(_) => Some(false),
            Answer::Unknown(_) => None,
        }
    }
}
