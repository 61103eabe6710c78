//! A program unrolled up to a number of iterations of each loop, with states merged where ways meet: one formula for all paths
//! within the bound.
//!
//! Nodes are visited in the weak topological order of their function, iteration by iteration and call by call, so that a
//! node's state is complete when it is taken up: every way to it within the bound has been merged in.

use crate::encoder::{Encoder, Outcome};
use crate::state::State;
use assay_base::{FastMap, Id};
use assay_cfa::interpreter::Move;
use assay_cfa::structure::Loops;
use assay_cfa::{EdgeId, LocationId, Operation, Target};
use assay_term::Term;
use std::collections::BTreeMap;

/// How far a program is unrolled.
#[derive(Clone, Copy, Debug)]
pub struct UnrollOptions {
    /// How often a loop's head is met after it was entered.
    pub iterations: u32,
    /// Calls nested deeper are cut.
    pub call_depth: usize,
    /// Nodes beyond this number are cut.
    pub max_nodes: usize,
}

impl Default for UnrollOptions {
    fn default() -> Self {
        UnrollOptions { iterations: 1, call_depth: 200, max_nodes: 1_000_000 }
    }
}

/// Decides what becomes of the ways to a node; exploration asks it before it goes on.
pub trait Visitor {
    /// Called at every loop head before a further iteration: whether anything can get here. Saying yes is always right.
    fn is_reachable(&mut self, state: &State) -> bool;
    /// Called now and then: whether to give up.
    fn is_stopped(&mut self) -> bool;
}

/// Where a way of the unrolling ended.
#[derive(Clone, Debug)]
pub struct End {
    pub node: usize,
    pub location: LocationId,
    pub state: State,
}

/// The result of an unrolling.
#[derive(Default)]
pub struct Unrolling {
    /// Targets that were met, with the states that are there.
    pub targets: Vec<(Target, End)>,
    /// Ways that the bound cut off.
    pub cut: Vec<End>,
    /// Edges that are not modelled.
    pub unsupported: Vec<(String, End)>,
    /// The program's end, or a location without a way on.
    pub finished: Vec<End>,
    /// Given up by the visitor or at the limit of nodes; nothing follows from what is missing then.
    pub stopped: bool,
    nodes: Vec<Node>,
}

/// What a node remembers for finding a path again.
#[derive(Default)]
struct Node {
    /// Moves on, the condition at their end, and where they lead.
    moves: Vec<(Move, Term, Option<usize>)>,
}

/// The place of a node in the order; lists compare element by element.
type Key = Vec<u32>;

struct Pending {
    id: usize,
    location: LocationId,
    calls: Vec<EdgeId>,
    state: State,
}

impl Unrolling {
    /// Unrolls the program from its start.
    pub fn of(encoder: &Encoder<'_>, loops: &Loops, options: UnrollOptions, visitor: &mut dyn Visitor) -> Unrolling {
        let entry = encoder.program.functions[encoder.program.entry].entry;
        Self::from(encoder, loops, options, encoder.initial(), entry, visitor)
    }

    /// Unrolls from a state whose innermost frame is at the location; the way ends with that frame.
    pub fn from(
        encoder: &Encoder<'_>,
        loops: &Loops,
        options: UnrollOptions,
        state: State,
        start: LocationId,
        visitor: &mut dyn Visitor,
    ) -> Unrolling {
        let mut unroller =
            Unroller { encoder, loops, options, waiting: BTreeMap::new(), ids: FastMap::default(), result: Unrolling::default() };
        let key = unroller.key_within(&[], start, 0);
        unroller.arrive(key, start, vec![], state);
        let mut visited = 0;
        while let Some((key, pending)) = unroller.waiting.pop_first() {
            visited += 1;
            if visited > options.max_nodes || visited % 64 == 0 && visitor.is_stopped() {
                unroller.result.stopped = true;
                break;
            }
            unroller.visit(&key, pending, visitor);
        }
        unroller.result
    }

    /// The moves from the start to an end, as a model of its conditions takes them. `holds` evaluates a truth value.
    pub fn path_to(&self, end: &End, holds: &mut dyn FnMut(Term) -> bool) -> Option<Vec<Move>> {
        let mut path = Vec::new();
        let mut at = 0;
        while at != end.node {
            let node = self.nodes.get(at)?;
            let (step, _, next) = node.moves.iter().find(|(_, condition, next)| next.is_some() && holds(*condition))?;
            path.push(*step);
            at = (*next)?;
        }
        Some(path)
    }
}

struct Unroller<'a> {
    encoder: &'a Encoder<'a>,
    loops: &'a Loops,
    options: UnrollOptions,
    waiting: BTreeMap<Key, Pending>,
    ids: FastMap<Key, usize>,
    result: Unrolling,
}

impl Unroller<'_> {
    /// The key of a location when it is entered from outside of its loops, or from inside of the outer `kept` ones.
    fn key_within(&self, prefix: &[u32], location: LocationId, kept: usize) -> Key {
        let around: Vec<_> = self.loops.around(location).collect();
        let mut key = prefix.to_vec();
        for &id in around.iter().rev().skip(kept) {
            key.extend([self.loops.weak_position[self.loops.loops[id].head] + 1, 0]);
        }
        key.push(self.loops.weak_position[location] + 1);
        key
    }

    /// The key after a move within a function, and whether the bound cuts it.
    fn key_after(&self, key: &Key, from: LocationId, to: LocationId) -> (Key, bool) {
        let base = key.len() - 1 - 2 * self.loops.around(from).count();
        let around_to: Vec<_> = self.loops.around(to).collect();
        // Loops that are stayed in, from the outermost.
        let stayed = around_to.iter().rev().take_while(|&&id| self.loops.contains(id, from)).count();
        let mut prefix = key[..base + 2 * stayed].to_vec();
        let back = self.loops.head_of(to).is_some_and(|id| self.loops.contains(id, from));
        if back && let Some(count) = prefix.last_mut() {
            *count += 1;
            let over = *count > self.options.iterations;
            return (self.key_within(&prefix, to, stayed), over);
        }
        (self.key_within(&prefix, to, stayed), false)
    }

    fn arrive(&mut self, key: Key, location: LocationId, calls: Vec<EdgeId>, state: State) -> usize {
        let nodes = &mut self.result.nodes;
        let id = *self.ids.entry(key.clone()).or_insert_with(|| {
            nodes.push(Node::default());
            nodes.len() - 1
        });
        match self.waiting.get_mut(&key) {
            Some(pending) => pending.state = self.encoder.merge(&pending.state, &state),
            None => {
                self.waiting.insert(key, Pending { id, location, calls, state });
            }
        }
        id
    }

    fn visit(&mut self, key: &Key, pending: Pending, visitor: &mut dyn Visitor) {
        let Pending { id, location, calls, state } = pending;
        let program = self.encoder.program;
        let here = &program.locations[location];
        let end = |state: State| End { node: id, location, state };
        if let Some(target) = here.target {
            self.result.targets.push((target, end(state)));
            return;
        }
        let again = self.loops.head_of(location).is_some() && key[key.len() - 2] > 0;
        if again && !visitor.is_reachable(&state) {
            return;
        }
        if location == program.functions[here.function].exit {
            let mut calls = calls;
            let Some(call) = calls.pop() else {
                self.result.finished.push(end(state));
                return;
            };
            let mut state = state;
            self.encoder.leave(&mut state, call);
            let back_key = self.caller_key(key, call, location);
            let (next_key, over) = self.key_after(&back_key, program.edges[call].source, program.edges[call].target);
            let step = Move { edge: call, returning: true };
            self.go(id, step, next_key, over, program.edges[call].target, calls, state);
            return;
        }
        if here.outgoing.is_empty() {
            self.result.finished.push(end(state));
            return;
        }
        for &edge in &here.outgoing {
            let mut next = state.clone();
            match self.encoder.step(&mut next, edge) {
                Outcome::Continue => {}
                Outcome::Infeasible => continue,
                Outcome::Unsupported(what) => {
                    self.result.unsupported.push((what, end(next)));
                    continue;
                }
            }
            let step = Move { edge, returning: false };
            if let Operation::Call { callee, .. } = program.edges[edge].operation {
                let mut prefix = key.clone();
                prefix.push(edge.index() as u32 + 1);
                let entry = program.functions[callee].entry;
                let next_key = self.key_within(&prefix, entry, 0);
                let mut calls = calls.clone();
                calls.push(edge);
                let over = calls.len() > self.options.call_depth;
                self.go(id, step, next_key, over, entry, calls, next);
            } else {
                let to = program.edges[edge].target;
                let (next_key, over) = self.key_after(key, location, to);
                self.go(id, step, next_key, over, to, calls.clone(), next);
            }
        }
    }

    /// The key of the call's source in the caller: what comes before the callee's part.
    fn caller_key(&self, key: &Key, call: EdgeId, exit: LocationId) -> Key {
        let callee_part = 1 + 2 * self.loops.around(exit).count();
        let end = key.len() - callee_part - 1;
        debug_assert!(key[end] == call.index() as u32 + 1);
        key[..end].to_vec()
    }

    fn go(&mut self, from: usize, step: Move, key: Key, over: bool, to: LocationId, calls: Vec<EdgeId>, state: State) {
        let condition = state.path();
        if over {
            self.result.cut.push(End { node: from, location: to, state });
            self.result.nodes[from].moves.push((step, condition, None));
            return;
        }
        let id = self.arrive(key, to, calls, state);
        self.result.nodes[from].moves.push((step, condition, Some(id)));
    }
}
