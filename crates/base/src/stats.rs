//! Named counters and timers of a run, in a stable order.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The key of a counter or a timer. What code reads has its key here; figures for people alone are written under their
/// names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counter(&'static str);

impl Counter {
    /// Abstract states.
    pub const STATES: Counter = Counter("states");
    /// Paths that were refuted.
    pub const REFINEMENTS: Counter = Counter("refinements");
    /// Questions whether constraints can hold.
    pub const QUERIES: Counter = Counter("satisfiability queries");
    /// Of these, those that no cheaper means answered.
    pub const ANSWERED_BY_SOLVER: Counter = Counter("queries answered by the solver");
    /// Of these, those that nothing answered.
    pub const UNANSWERED: Counter = Counter("queries without an answer");
    /// Blocks that were explored.
    pub const SUMMARIES: Counter = Counter("block summaries");
    /// Wall time in the solver.
    pub const SOLVER: Counter = Counter("solver");
    /// Wall time of the run.
    pub const WALL: Counter = Counter("total (wall)");
}

impl From<Counter> for &'static str {
    fn from(counter: Counter) -> &'static str {
        counter.0
    }
}

/// Plain data: each analysis owns one and merges those of its workers at the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    /// Numbers of things, by name.
    pub counters: BTreeMap<&'static str, u64>,
    /// CPU or wall time, by name.
    pub times: BTreeMap<&'static str, Duration>,
    /// The counters of which the largest value counts.
    peaks: BTreeSet<&'static str>,
}

impl Stats {
    /// Adds to a counter, which begins at 0.
    pub fn add(&mut self, name: impl Into<&'static str>, count: u64) {
        *self.counters.entry(name.into()).or_default() += count;
    }
    /// Keeps the larger of the old and the new value.
    pub fn max(&mut self, name: &'static str, count: u64) {
        self.peaks.insert(name);
        let slot = self.counters.entry(name).or_default();
        *slot = (*slot).max(count);
    }
    /// Adds to a timer, which begins at 0.
    pub fn time(&mut self, name: impl Into<&'static str>, duration: Duration) {
        *self.times.entry(name.into()).or_default() += duration;
    }
    /// What was counted.
    pub fn count(&self, counter: Counter) -> u64 {
        self.counters.get(counter.0).copied().unwrap_or(0)
    }
    /// What was timed.
    pub fn timed(&self, counter: Counter) -> Duration {
        self.times.get(counter.0).copied().unwrap_or_default()
    }
    /// Adds what another run or worker counted; of peaks the larger stays.
    pub fn merge(&mut self, other: &Stats) {
        for (name, count) in &other.counters {
            if other.peaks.contains(name) || self.peaks.contains(name) { self.max(name, *count) } else { self.add(*name, *count) }
        }
        for (name, duration) in &other.times {
            self.time(*name, *duration);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_maximum_stays_one_when_statistics_are_merged() {
        let mut all = Stats::default();
        for (depth, states) in [(7, 10), (5, 20)] {
            let mut one = Stats::default();
            one.max("depth", depth);
            one.add("states", states);
            all.merge(&one);
        }
        assert_eq!((all.counters["depth"], all.counters["states"]), (7, 30));
    }
}
