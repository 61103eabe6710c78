//! Large blocks are cut where every path comes by: there, all forms of the block have met, so that one abstraction more
//! is all that a cut costs, and each half of the block has a formula of half the size.
//!
//! A place of a function that every path to its exit goes through is such a place, or in a loop every path back to the
//! head; as long as calls that are open were made at such places, too. Whether a block is cut is decided besides
//! alone, so that the checker finds the same.

use super::domain::PredicateDomain;
use super::state::Segment;
use assay_base::{FastMap, FastSet, IdVec};
use assay_cfa::structure::Structure;
use assay_cfa::{FunctionId, LocationId, Operation, Step};

/// Blocks are cut that are so long, in edges.
const LONG: u32 = 40;

/// Where blocks can be cut; nothing is known where they are not.
#[derive(Default)]
pub(super) struct Cuts {
    /// Places that all paths go through, whichever branches they take.
    common: IdVec<LocationId, bool>,
    /// Heads of loops in which a function is called, through others, too.
    around: FastMap<FunctionId, Vec<LocationId>>,
}

impl Cuts {
    pub(super) fn of(structure: &Structure<'_>) -> Self {
        let program = structure.program;
        let (loops, calls) = (structure.loops(), structure.calls());
        let common = program.locations.ids().map(|location| structure.is_common(location)).collect();
        let mut around: FastMap<FunctionId, FastSet<LocationId>> = FastMap::default();
        // Callers before callees; in recursion there are no cuts.
        for &function in calls.components.iter().rev().flatten() {
            let mut heads: FastSet<LocationId> = FastSet::default();
            for &site in &calls.sites[function] {
                let source = program.edges[site].source;
                heads.extend(loops.around(source).map(|id| loops.loops[id].head));
                heads.extend(around.get(&program.locations[source].function).into_iter().flatten().copied());
            }
            around.insert(function, heads);
        }
        let sorted = |set: FastSet<LocationId>| {
            let mut list: Vec<LocationId> = set.into_iter().collect();
            list.sort_unstable();
            list
        };
        Cuts { common, around: around.into_iter().map(|(function, heads)| (function, sorted(heads))).collect() }
    }
}

impl PredicateDomain<'_> {
    /// How many calls were open where a path left the common places, if it did: its step leads from `path` to where so
    /// many calls are open.
    pub(super) fn aside(&self, segment: &Segment, step: Step, depth: usize) -> Option<usize> {
        match segment.aside {
            Some(below) => (depth > below).then_some(below),
            None => {
                let edge = &self.program.edges[step.edge()];
                let enters = matches!(edge.operation, Operation::Call { .. }) && !step.is_return();
                (enters && !self.cuts.common[edge.source]).then_some(depth - 1)
            }
        }
    }

    /// Whether a block is cut at the end of a path.
    pub(super) fn is_cut(&self, segment: &Segment, location: LocationId) -> bool {
        self.cuts_blocks()
            && segment.length >= LONG
            && segment.aside.is_none()
            && self.cuts.common[location]
            && self.program.locations[location].incoming.len() == 1
    }

    /// Heads of loops whose predicates are followed at a place where blocks are cut, too; the innermost first.
    pub(super) fn heads_around(&self, location: LocationId) -> impl Iterator<Item = LocationId> {
        let loops = self.structure.loops();
        let function = self.program.locations[location].function;
        let own = loops.around(location).map(|id| loops.loops[id].head);
        own.chain(self.cuts.around.get(&function).into_iter().flatten().copied())
    }

    /// Where predicates of a place are noted: what is found at one cut of a loop is followed at all of them, because
    /// each is a part of one iteration.
    pub(super) fn tracked_at(&self, location: LocationId) -> Vec<LocationId> {
        if !self.cuts_blocks() || self.ends_at(location) {
            return vec![location];
        }
        let own = self.structure.loops().innermost[location].map(|id| self.structure.loops().loops[id].head);
        let heads: Vec<LocationId> = own.map_or_else(|| self.heads_around(location).collect(), |head| vec![head]);
        if heads.is_empty() { vec![location] } else { heads }
    }
}
