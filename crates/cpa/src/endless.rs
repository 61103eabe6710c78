//! Paths that never end. Lost memory is looked for where a program ends, because what was lost stays lost; a proof of
//! that kind says nothing about executions that follow a cycle for ever, so it counts only where the graph has no
//! such circle.

use crate::algorithm::{Exploration, post};
use crate::arg::NodeId;
use crate::domain::{Domain, Successors};
use crate::stack::Head;
use assay_base::{FastSet, Id};
use assay_cfa::Step;
use assay_cfa::structure::Order;
use assay_cfa::{EdgeId, LocationId, MemoryCondition, Operation, Program};

/// The edge that is taken where memory was lost, if the program is asked about that.
pub fn lost_memory(program: &Program) -> Option<EdgeId> {
    program.edges.iter_ids().find(|(_, edge)| looks_for_lost_memory(&edge.operation, false)).map(|(id, _)| id)
}

/// The nodes from which no path leads to an end or to another look at the memory. `seen` says which nodes the proof
/// rests on.
///
/// A state from which an end can be reached needs no look of its own: what is lost in it is lost at that end.
pub fn endless_nodes<D: Domain>(exploration: &Exploration<'_, D>, seen: &[bool]) -> Vec<NodeId> {
    let Exploration { arg, environment, .. } = exploration;
    let program = environment.program;
    let mut before: Vec<Vec<NodeId>> = vec![vec![]; seen.len()];
    let mut ends: Vec<bool> = vec![false; seen.len()];
    let mut stack: Vec<NodeId> = Vec::new();
    let nodes = || seen.iter().enumerate().filter(|(_, seen)| **seen).map(|(index, _)| NodeId::from_index(index));
    for node in nodes() {
        let mut is_last = true;
        let mut follow = |next: NodeId| {
            is_last = false;
            before[next.index()].push(node);
        };
        if arg.is_covered(node) {
            arg.coverers(node).for_each(&mut follow);
        } else {
            arg.children(node).for_each(|(_, child)| follow(child));
        }
        let outgoing = &program.locations[arg.head(node).location].outgoing;
        if is_last || outgoing.iter().any(|&edge| looks_for_lost_memory(&program.edges[edge].operation, true)) {
            ends[node.index()] = true;
            stack.push(node);
        }
    }
    while let Some(node) = stack.pop() {
        for &earlier in &before[node.index()] {
            if !std::mem::replace(&mut ends[earlier.index()], true) {
                stack.push(earlier);
            }
        }
    }
    nodes().filter(|node| !ends[node.index()]).collect()
}

/// A node of a graph of the whole program in which memory may have been lost, and from which no end is reached. What
/// was lost is lost as well where the next iteration of a loop begins, so that only those places are looked at: no
/// value is along its path from one place to another there.
pub(crate) fn lost_for_ever<D: Domain>(exploration: &Exploration<'_, D>, worker: &mut D::Worker, seen: &[bool]) -> Option<NodeId> {
    let Exploration { arg, reached, domain, precision, environment, .. } = exploration;
    let program = environment.program;
    let edge = lost_memory(program)?;
    let endless = endless_nodes(exploration, seen);
    if endless.is_empty() {
        return None;
    }
    let retreating = Order::of(program).retreating;
    let iterations: FastSet<LocationId> = retreating.iter().map(|&edge| program.edges[edge].target).collect();
    endless.into_iter().filter(|&node| iterations.contains(&arg.head(node).location)).find(|&node| {
        let Some(state) = reached.get(node) else { return true };
        let source = arg.head(node);
        let target = Head { location: program.edges[edge].target, stack: source.stack };
        let mut out = Successors::new();
        let unsupported = post(*domain, worker, precision, program, state, source, Step::Edge(edge), target, &mut out);
        unsupported || !out.items.is_empty()
    })
}

fn looks_for_lost_memory(operation: &Operation, found: bool) -> bool {
    matches!(operation, Operation::AssumeMemory { condition: MemoryCondition::AllReachable, holds } if *holds == found)
}
