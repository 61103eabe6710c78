//! What the program's shape says about the order of exploration.

use crate::coverage::Coverage;
use assay_cfa::structure::Structure;
use assay_cfa::{LocationId, Program};

/// Ranks, loop depths and distances of locations, computed by the automaton's room when first asked for.
#[derive(Debug)]
pub struct LocationOrders<'a> {
    /// The program's shape; blocks and domains may use it, too.
    pub structure: Structure<'a>,
    /// What has been explored of it.
    pub coverage: Coverage<'a>,
}

impl<'a> LocationOrders<'a> {
    /// Nothing is computed before it is asked for.
    pub fn new(program: &'a Program) -> Self {
        LocationOrders { structure: Structure::new(program), coverage: Coverage::new(program) }
    }
    /// Callees before callers, and each function in its reverse postorder.
    pub fn rank(&self, location: LocationId) -> u64 {
        let component = self.structure.calls().component[self.structure.program.locations[location].function];
        (u64::from(component) << 32) | u64::from(self.structure.order().position[location])
    }
    /// How many loops of its function contain the location.
    pub fn loop_depth(&self, location: LocationId) -> u32 {
        let loops = self.structure.loops();
        loops.innermost[location].map_or(0, |id| loops.loops[id].depth)
    }
    /// The fewest edges to a target location; `u32::MAX` where none can be reached.
    pub fn distance(&self, location: LocationId) -> u32 {
        self.structure.distances().to_target[location]
    }
}
