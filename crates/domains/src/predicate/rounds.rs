//! Loops that end after a few rounds stay inside of a block: where the test of a loop is decided by numbers that are
//! known on the way, a round more loses nothing, and an abstraction would lose all that no predicate says.
//!
//! A block may end anywhere, as long as it ends: the rounds of a loop and the length of a way are limited. Whether one
//! ends is decided by the way alone, so that the checker finds the same.

use super::domain::{BlockEnds, PredicateDomain};
use super::state::Way;
use assay_cfa::structure::LoopId;
use assay_cfa::{LocationId, Operation};
use assay_formula::{State, StepOutcome};
use assay_term::{Op, Term};

/// A loop that the way is in.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Round {
    head: LocationId,
    /// How many calls are open there.
    depth: usize,
    /// How often its head was passed.
    count: u32,
}

/// In one block the head of a loop is passed so often.
const MOST_ROUNDS: u32 = 40;
/// A loop whose test compares numbers that are further apart has too many rounds.
const FARTHEST: u128 = 32;
/// Longer ways end at the next head.
const LONGEST: u32 = 20_000;
/// The test of a loop is looked for in so many edges behind its head.
const NEAR: usize = 24;

impl PredicateDomain<'_> {
    /// The loops that a way is still in, where it goes on to a place.
    pub(super) fn rounds_at(&self, way: &Way, next: &State, location: LocationId) -> Vec<Round> {
        let mut rounds = way.rounds.clone();
        if rounds.is_empty() {
            return rounds;
        }
        let depth = next.depth();
        let loops = self.structure.loops();
        while let Some(last) = rounds.last() {
            let inside = loops.around(location).any(|id| loops.loops[id].head == last.head);
            if depth > last.depth || depth == last.depth && inside {
                break;
            }
            rounds.pop();
        }
        rounds
    }

    /// Whether a way that comes to the head of a loop goes on without an abstraction. If so, the round is counted.
    pub(super) fn passes(&self, way: &mut Way, location: LocationId) -> bool {
        let Some(id) = self.structure.loops().head_of(location) else { return false };
        let recursive = self.structure.calls().recursive[self.program.locations[location].function];
        if recursive || self.has_borders() || matches!(self.options.ends, BlockEnds::Functions | BlockEnds::Edges) {
            return false;
        }
        if way.length > LONGEST || !self.is_decided(&way.formula, id) {
            return false;
        }
        let depth = way.formula.depth();
        match way.rounds.last_mut() {
            Some(last) if last.head == location && last.depth == depth => last.count += 1,
            _ => way.rounds.push(Round { head: location, depth, count: 1 }),
        }
        way.rounds.last().is_some_and(|last| last.count <= MOST_ROUNDS)
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
