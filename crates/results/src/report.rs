//! What a finished run has to say, as plain data: the verdict with its evidence, every violation that was found, and
//! what became of each check. `text`, `json` and the formats of evidence files render it.

use crate::{Counterexample, Outcome, Producer, Task, path};
use assay_cfa::property::CheckedPlace;
use assay_cfa::{Program, Property};
use std::sync::Arc;

/// A finished run.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was verified, with the targets of the properties on it. It does nothing if the files were not read.
    pub program: Arc<Program>,
    /// Everything that was asked.
    pub properties: Vec<Property>,
    /// The files, and of the properties the one that the verdict speaks of, for what can name only one.
    pub task: Task,
    /// Who answers, when, with which configuration.
    pub producer: Producer,
    /// The verdict, its evidence and what it assumes.
    pub outcome: Outcome,
    /// The violations after the first.
    pub further: Vec<Counterexample>,
    /// What became of every check.
    pub checks: Checks,
}

impl Report {
    /// The violations that were found, in their order.
    pub fn violations(&self) -> impl Iterator<Item = &Counterexample> {
        self.outcome.counterexample().into_iter().chain(&self.further)
    }

    /// File, line and column of a violation; empty where it has none.
    pub fn place(&self, violation: &Counterexample) -> String {
        path::target_span(&self.program, violation).map_or_else(String::new, |span| self.program.sources.describe(span))
    }
}

/// What became of the checks of a program.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// All that were asked for.
    pub places: Vec<CheckedPlace>,
    /// Those that a run was found to violate.
    pub violated: Vec<CheckedPlace>,
    /// Whether all the others are proved.
    pub rest_proved: bool,
    /// The run ended before the program was read.
    pub unread: bool,
}

impl Checks {
    /// Those that are neither proved nor violated.
    pub fn open(&self) -> impl Iterator<Item = &CheckedPlace> {
        self.places.iter().filter(|place| !self.rest_proved && !self.violated.contains(place))
    }

    /// How many are proved.
    pub fn proved(&self) -> usize {
        if self.rest_proved { self.places.len() - self.violated.len().min(self.places.len()) } else { 0 }
    }
}
