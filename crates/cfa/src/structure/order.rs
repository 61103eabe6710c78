//! Reverse postorder of each function, and the edges that go back in the depth-first search behind it.

use crate::program::{EdgeId, FunctionId, LocationId, Program};
use assay_base::{Id, IdVec};

/// The reverse postorder of every function.
#[derive(Clone, Debug)]
pub struct Order {
    /// The place of a location in its function's reverse postorder; [`Order::NONE`] where the function's entry does not
    /// reach it.
    pub position: IdVec<LocationId, u32>,
    /// The locations of each function that its entry reaches, in reverse postorder. A call goes on at its edge's end.
    pub sequence: IdVec<FunctionId, Vec<LocationId>>,
    /// The edges whose end was still open in the depth-first search. Every cycle has one.
    pub retreating: Vec<EdgeId>,
}

#[derive(Clone, Copy, PartialEq)]
enum Mark {
    New,
    Open,
    Done,
}

impl Order {
    /// The position of what is not reached.
    pub const NONE: u32 = u32::MAX;

    /// Computes the reverse postorder by a depth-first search in each function.
    pub fn of(program: &Program) -> Self {
        let mut marks: IdVec<LocationId, Mark> = IdVec::filled(Mark::New, program.locations.len());
        let mut position = IdVec::filled(Self::NONE, program.locations.len());
        let mut sequence = IdVec::new();
        let mut retreating = vec![];
        let mut stack: Vec<(LocationId, usize)> = vec![];
        for function in program.functions.iter() {
            let mut finished: Vec<LocationId> = vec![];
            if marks[function.entry] == Mark::New {
                marks[function.entry] = Mark::Open;
                stack.push((function.entry, 0));
            }
            while let Some((location, next)) = stack.last_mut() {
                let outgoing = &program.locations[*location].outgoing;
                // The last edge first: the first edge's successors then come first in the reverse postorder.
                let Some(&edge) = outgoing.len().checked_sub(*next + 1).and_then(|i| outgoing.get(i)) else {
                    marks[*location] = Mark::Done;
                    finished.push(*location);
                    stack.pop();
                    continue;
                };
                *next += 1;
                let target = program.edges[edge].target;
                match marks[target] {
                    Mark::New => {
                        marks[target] = Mark::Open;
                        stack.push((target, 0));
                    }
                    Mark::Open => retreating.push(edge),
                    Mark::Done => {}
                }
            }
            finished.reverse();
            for (index, &location) in finished.iter().enumerate() {
                position[location] = index as u32;
            }
            sequence.push(finished);
        }
        retreating.sort_unstable_by_key(|e| e.index());
        Order { position, sequence, retreating }
    }

    /// Whether its function's entry reaches the location (calls are assumed to return).
    pub fn is_reached(&self, location: LocationId) -> bool {
        self.position[location] != Self::NONE
    }
}
