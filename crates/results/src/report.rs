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
    pub further: Vec<OwnViolation>,
    /// What became of every check.
    pub checks: Checks,
}

impl Report {
    /// The violations that were found, in their order.
    pub fn violations(&self) -> impl Iterator<Item = Violation<'_>> {
        let first = self.outcome.counterexample().map(|counterexample| Violation { program: &self.program, counterexample });
        let further = self.further.iter().map(|one| Violation { program: &one.program, counterexample: &one.counterexample });
        first.into_iter().chain(further)
    }

    /// File, line and column of a violation; empty where it has none.
    pub fn place(&self, violation: Violation<'_>) -> String {
        let Violation { program, counterexample } = violation;
        path::target_span(program, counterexample).map_or_else(String::new, |span| program.sources.describe(span))
    }
}

/// A violation with the automaton that its path is of: a property that is asked alone has one of its own.
#[derive(Clone, Debug)]
pub struct OwnViolation {
    /// With the targets of what was asked.
    pub program: Arc<Program>,
    /// The path and its inputs.
    pub counterexample: Counterexample,
}

/// The same, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Violation<'r> {
    /// With the targets of what was asked.
    pub program: &'r Program,
    /// The path and its inputs.
    pub counterexample: &'r Counterexample,
}

impl std::ops::Deref for Violation<'_> {
    type Target = Counterexample;

    fn deref(&self) -> &Counterexample {
        self.counterexample
    }
}

/// What became of the checks of a program.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// All that were asked for.
    pub places: Vec<CheckedPlace>,
    /// Those that a run was found to violate.
    pub violated: Vec<CheckedPlace>,
    /// Those that are proved. What a check assumes of others holds behind them only: on a path that fails one of them,
    /// nothing is said of what comes after it.
    pub proved: Vec<CheckedPlace>,
    /// The run ended before the program was read.
    pub unread: bool,
}

impl Checks {
    /// Those that are neither proved nor violated.
    pub fn open(&self) -> impl Iterator<Item = &CheckedPlace> {
        self.places.iter().filter(|place| !self.proved.contains(place) && !self.violated.contains(place))
    }

    /// Takes those that are open and of this sort as proved.
    pub fn prove(&mut self, which: impl Fn(&CheckedPlace) -> bool) {
        let open: Vec<CheckedPlace> = self.open().filter(|place| which(place)).copied().collect();
        self.proved.extend(open);
        self.proved.sort_unstable();
    }
}
