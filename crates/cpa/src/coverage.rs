//! Which branches have been taken, and how far it is to one that has not: what a coverage-driven order asks.

use assay_base::IdVec;
use assay_cfa::structure::GoalDistances;
use assay_cfa::{EdgeId, LocationId, Program};
use std::sync::{Mutex, OnceLock};

/// The branches of a program with what is covered so far. Shared by all explorations of a run.
#[derive(Debug)]
pub struct Coverage<'a> {
    program: &'a Program,
    /// Whether an exploration marks every branch that one of its states takes. Test generation marks what its tests
    /// take instead.
    pub automatic: bool,
    fixed: OnceLock<GoalDistances>,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// For edges at branching locations: whether they were taken. Empty until first asked.
    taken: IdVec<EdgeId, bool>,
    distances: IdVec<LocationId, u32>,
    /// How often a state of each location was explored: a place that was tried often is worth less.
    visits: IdVec<LocationId, u32>,
    /// Whether a branch was taken since the distances were computed.
    stale: bool,
    /// Counts the computations of the distances.
    version: u32,
    /// Questions since the last one.
    asked: usize,
}

impl<'a> Coverage<'a> {
    /// Nothing is covered yet.
    pub fn new(program: &'a Program) -> Self {
        Coverage { program, automatic: true, fixed: OnceLock::new(), inner: Mutex::default() }
    }

    /// An edge was taken. `true` if it is a branch that never was before.
    pub fn take(&self, edge: EdgeId) -> bool {
        if self.program.locations[self.program.edges[edge].source].outgoing.len() < 2 {
            return false;
        }
        let mut inner = self.lock();
        let news = !std::mem::replace(&mut inner.taken[edge], true);
        inner.stale |= news;
        news
    }

    /// What a state at the location is worth, less being better: the distance to a branch that was not taken, and how
    /// often the location was explored already.
    pub fn cost(&self, location: LocationId) -> u64 {
        let inner = self.lock();
        u64::from(inner.distances[location]) + u64::from(inner.visits[location])
    }

    /// A state of the location is about to be explored.
    pub fn visit(&self, location: LocationId) {
        let mut inner = self.lock();
        inner.visits[location] = inner.visits[location].saturating_add(1);
    }

    /// The version of the distances, computed anew from time to time after branches were taken. Costs of an older
    /// version are too low at most.
    pub fn version(&self) -> u32 {
        let mut inner = self.lock();
        inner.asked += 1;
        // The computation is linear in the program; doing it once in so many steps keeps its share small.
        if inner.stale && inner.asked > self.program.edges.len() / 64 {
            self.compute(&mut inner);
        }
        inner.version
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        let mut inner = self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if inner.visits.len() != self.program.locations.len() {
            inner.taken = IdVec::filled(false, self.program.edges.len());
            inner.visits = IdVec::filled(0, self.program.locations.len());
            self.compute(&mut inner);
        }
        inner
    }

    fn compute(&self, inner: &mut Inner) {
        let goals: Vec<(LocationId, u32)> = self
            .program
            .edges
            .iter_ids()
            .filter(|(id, edge)| self.program.locations[edge.source].outgoing.len() > 1 && !inner.taken[*id])
            .map(|(_, edge)| (edge.source, 1))
            .collect();
        inner.distances = self.fixed.get_or_init(|| GoalDistances::new(self.program)).to(self.program, &goals);
        inner.stale = false;
        inner.asked = 0;
        inner.version += 1;
    }
}
