//! Named counters and timers of a run, in a stable order.

use std::collections::BTreeMap;
use std::time::Duration;

/// Plain data: each analysis owns one and merges those of its workers at the end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    pub counters: BTreeMap<&'static str, u64>,
    pub times: BTreeMap<&'static str, Duration>,
}

impl Stats {
    pub fn add(&mut self, name: &'static str, count: u64) {
        *self.counters.entry(name).or_default() += count;
    }
    /// Keeps the larger of the old and the new value.
    pub fn max(&mut self, name: &'static str, count: u64) {
        let slot = self.counters.entry(name).or_default();
        *slot = (*slot).max(count);
    }
    pub fn time(&mut self, name: &'static str, duration: Duration) {
        *self.times.entry(name).or_default() += duration;
    }
    pub fn merge(&mut self, other: &Stats) {
        for (name, count) in &other.counters {
            self.add(name, *count);
        }
        for (name, duration) in &other.times {
            self.time(name, *duration);
        }
    }
}
