//! Loops that end after a few iterations stay inside of a block: where the test of a loop is decided by numbers that
//! are known along the path, an iteration more loses nothing, and an abstraction would lose all that no predicate says.
//!
//! A block may end anywhere, as long as it ends: the iterations of a loop and the length of a path are limited. Whether
//! one ends is decided besides alone, so that the checker finds the same.

use super::domain::{BlockEnds, PredicateDomain};
use super::state::Segment;
use assay_cfa::structure::LoopId;
use assay_cfa::{LocationId, Operation};
use assay_formula::{State, StepOutcome};
use assay_term::{Op, Term};

/// A loop that the path is in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Iteration {
    head: LocationId,
    /// How many calls are open there.
    depth: usize,
    /// How often its head was passed.
    count: u32,
}

/// In one block the head of a loop is passed so often.
const MOST_ITERATIONS: u32 = 40;
/// A loop whose test compares numbers that are further apart has too many iterations.
const FARTHEST: u128 = 32;
/// Longer paths end at the next head.
const LONGEST: u32 = 20_000;
/// The test of a loop is looked for in so many edges behind its head.
const NEAR: usize = 24;

impl PredicateDomain<'_> {
    /// The loops that a path is still in, where it goes on to a place.
    pub(super) fn iterations_at(&self, segment: &Segment, next: &State, location: LocationId) -> Vec<Iteration> {
        let mut iterations = segment.iterations.clone();
        if iterations.is_empty() {
            return iterations;
        }
        let depth = next.depth();
        let loops = self.structure.loops();
        while let Some(last) = iterations.last() {
            let inside = loops.around(location).any(|id| loops.loops[id].head == last.head);
            if depth > last.depth || depth == last.depth && inside {
                break;
            }
            iterations.pop();
        }
        iterations
    }

    /// Whether a path that comes to the head of a loop goes on without an abstraction. If so, the iteration is counted.
    pub(super) fn passes(&self, segment: &mut Segment, location: LocationId) -> bool {
        let Some(id) = self.structure.loops().head_of(location) else { return false };
        let recursive = self.structure.calls().recursive[self.program.locations[location].function];
        if recursive || self.has_borders() || matches!(self.options.ends, BlockEnds::Functions | BlockEnds::Edges) {
            return false;
        }
        if segment.length > LONGEST || !self.is_decided(&segment.formula, id) {
            return false;
        }
        let depth = segment.formula.depth();
        match segment.iterations.last_mut() {
            Some(last) if last.head == location && last.depth == depth => last.count += 1,
            _ => segment.iterations.push(Iteration { head: location, depth, count: 1 }),
        }
        segment.iterations.last().is_some_and(|last| last.count <= MOST_ITERATIONS)
    }

    /// Whether the next test of a loop compares numbers that are near each other.
    fn is_decided(&self, state: &State, id: LoopId) -> bool {
        let encoder = self.encoder();
        let loops = self.structure.loops();
        let mut state = state.clone();
        let mut at = loops.loops[id].head;
        for _ in 0..NEAR {
            let edges = &self.program.locations[at].outgoing;
            let leaves = edges.iter().any(|&edge| !loops.contains(id, self.program.edges[edge].target));
            let mut next = None;
            for &edge in edges {
                let condition = match &self.program.edges[edge].operation {
                    Operation::Assume { condition } => *condition,
                    Operation::Call { .. } => return false,
                    _ if edges.len() > 1 => return false,
                    _ => {
                        if encoder.step(&mut state, edge) != StepOutcome::Continue {
                            return false;
                        }
                        next = Some(self.program.edges[edge].target);
                        continue;
                    }
                };
                match self.terms.as_constant(encoder.eval(&state, condition)) {
                    None => return false,
                    Some(bits) if bits.is_true() => next = Some(self.program.edges[edge].target),
                    Some(_) => {}
                }
                if leaves && !self.are_near(&state, condition) {
                    return false;
                }
            }
            if leaves {
                return true;
            }
            let Some(next) = next.filter(|&next| loops.head_of(next).is_none()) else { return false };
            at = next;
        }
        false
    }

    /// Whether a condition compares two numbers of which one will soon be the other.
    fn are_near(&self, state: &State, condition: Term) -> bool {
        let terms = &*self.terms;
        let encoder = self.encoder();
        let mut node = terms.node(condition);
        while node.op == Op::Not {
            node = terms.node(node.operand(0));
        }
        if !matches!(node.op, Op::Eq | Op::UnsignedLess | Op::SignedLess) || terms.sort(node.operand(0)).is_array() {
            return false;
        }
        let [a, b] = [node.operand(0), node.operand(1)].map(|side| terms.as_constant(encoder.eval(state, side)));
        let (Some(a), Some(b)) = (a, b) else { return false };
        a.signed().saturating_sub(b.signed()).unsigned_abs() <= FARTHEST
    }
}
