//! The shape of a program: orders, dominators, loops, the call graph, distances and effects.
//!
//! Everything is near linear in the number of edges. [`Structure`] computes each part when it is first asked for.

mod calls;
mod distance;
mod dominators;
mod effects;
mod live;
mod loops;
mod order;

pub use calls::CallGraph;
pub use distance::{Distances, GoalDistances, UNREACHABLE};
pub use dominators::Dominators;
pub use effects::{Effects, EffectsTable, accessed_object, escaped, is_needed};
pub use live::{LiveRegisters, is_local_register};
pub use loops::{Loop, LoopId, Loops};
pub use order::Order;

use crate::program::{LocationId, Program};
use std::sync::OnceLock;

/// All that is known of a program's shape; shared by all threads.
#[derive(Debug)]
pub struct Structure<'p> {
    /// The program that it is the structure of.
    pub program: &'p Program,
    order: OnceLock<Order>,
    dominators: OnceLock<Dominators>,
    loops: OnceLock<Loops>,
    calls: OnceLock<CallGraph>,
    distances: OnceLock<Distances>,
    effects: OnceLock<EffectsTable>,
}

impl<'p> Structure<'p> {
    /// Nothing is computed before it is asked for.
    pub fn new(program: &'p Program) -> Self {
        Structure {
            program,
            order: OnceLock::new(),
            dominators: OnceLock::new(),
            loops: OnceLock::new(),
            calls: OnceLock::new(),
            distances: OnceLock::new(),
            effects: OnceLock::new(),
        }
    }
    /// The order of locations.
    pub fn order(&self) -> &Order {
        self.order.get_or_init(|| Order::of(self.program))
    }
    /// The dominator trees: which locations lie on every path to another.
    pub fn dominators(&self) -> &Dominators {
        self.dominators.get_or_init(|| Dominators::of(self.program))
    }
    /// The loops of all functions.
    pub fn loops(&self) -> &Loops {
        self.loops.get_or_init(|| Loops::of(self.program, self.order()))
    }
    /// The call graph: who calls whom, and its strongly connected components.
    pub fn calls(&self) -> &CallGraph {
        self.calls.get_or_init(|| CallGraph::of(self.program))
    }
    /// How far it is to targets and exits.
    pub fn distances(&self) -> &Distances {
        self.distances.get_or_init(|| Distances::of(self.program))
    }
    /// What edges, functions and loops read and write.
    pub fn effects(&self) -> &EffectsTable {
        self.effects.get_or_init(|| EffectsTable::of(self.program, self.calls()))
    }
    /// Whether every path comes by a location, whichever branches it takes: in a loop every path back to its head,
    /// elsewhere every path to the function's exit.
    pub fn is_common(&self, location: LocationId) -> bool {
        let (program, dominators) = (self.program, self.dominators());
        match self.loops().innermost[location] {
            Some(id) => self.loops().loops[id].back.iter().all(|&edge| dominators.dominates(location, program.edges[edge].source)),
            None => dominators.dominates(location, program.functions[program.locations[location].function].exit),
        }
    }
}

#[cfg(test)]
mod tests;
