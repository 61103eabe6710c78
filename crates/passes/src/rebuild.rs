//! Puts a program together again from edges that a pass kept, changed or made: what cannot be reached is dropped,
//! locations and edges are numbered anew without gaps, in the old order.

use assay_base::IdVec;
use assay_cfa::operation::Operation;
use assay_cfa::program::{Edge, FunctionId, Location, LocationId, Program};
use std::collections::VecDeque;

/// An edge of the new program between locations of the old one.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub edge: Edge,
}

/// The edges of a program as drafts, to be changed.
pub(super) fn drafts(program: &mut Program) -> Vec<Draft> {
    let edges = std::mem::take(&mut program.edges);
    edges.iter().map(|edge| Draft { edge: edge.clone() }).collect()
}

/// Builds the program of the drafts. Edges that no path from the entry function's entry reaches are dropped, and so are
/// the locations that then have no edge, except entries and exits of functions. Functions and variables stay.
pub(super) fn rebuild(mut program: Program, drafts: Vec<Draft>) -> Program {
    let old_locations = std::mem::take(&mut program.locations);
    let mut outgoing: IdVec<LocationId, Vec<u32>> = IdVec::filled(vec![], old_locations.len());
    for (index, draft) in drafts.iter().enumerate() {
        outgoing[draft.edge.source].push(index as u32);
    }
    let reached = reach(&program, &old_locations, &drafts, &outgoing);
    let mut number: IdVec<LocationId, Option<LocationId>> = IdVec::filled(None, old_locations.len());
    let mut keep: IdVec<LocationId, bool> = reached.clone();
    for function in program.functions.iter() {
        keep[function.entry] = true;
        keep[function.exit] = true;
    }
    // A call that cannot return still has an end.
    for draft in drafts.iter().filter(|d| reached[d.edge.source]) {
        keep[draft.edge.target] = true;
    }
    for (old, location) in old_locations.iter_ids().filter(|(id, _)| keep[*id]) {
        let fresh = Location { function: location.function, outgoing: vec![], incoming: vec![], target: location.target };
        number[old] = Some(program.locations.push(fresh));
    }
    let renamed = |old: LocationId| number[old].unwrap_or(old);
    for function in program.functions.iter_mut() {
        function.entry = renamed(function.entry);
        function.exit = renamed(function.exit);
    }
    program.edges = IdVec::new();
    for draft in drafts.into_iter().filter(|d| reached[d.edge.source]) {
        let id = program.edges.next_id();
        let (source, target) = (renamed(draft.edge.source), renamed(draft.edge.target));
        program.locations[source].outgoing.push(id);
        program.locations[target].incoming.push(id);
        program.edges.push(Edge { source, target, ..draft.edge });
    }
    program
}

fn reach(
    program: &Program,
    locations: &IdVec<LocationId, Location>,
    drafts: &[Draft],
    outgoing: &IdVec<LocationId, Vec<u32>>,
) -> IdVec<LocationId, bool> {
    let mut reached: IdVec<LocationId, bool> = IdVec::filled(false, locations.len());
    let mut queue: VecDeque<LocationId> = VecDeque::new();
    // A call goes on only if its callee can reach its exit.
    let mut waiting: IdVec<FunctionId, Vec<LocationId>> = IdVec::filled(vec![], program.functions.len());
    let mut exits: IdVec<LocationId, Option<FunctionId>> = IdVec::filled(None, locations.len());
    for (id, function) in program.functions.iter_ids() {
        exits[function.exit] = Some(id);
    }
    queue.push_back(program.functions[program.entry].entry);
    while let Some(location) = queue.pop_front() {
        if std::mem::replace(&mut reached[location], true) {
            continue;
        }
        if let Some(function) = exits[location] {
            queue.extend(waiting[function].drain(..));
        }
        for &index in &outgoing[location] {
            let edge = &drafts[index as usize].edge;
            match edge.operation {
                Operation::Call { callee, .. } => {
                    let function = &program.functions[callee];
                    queue.push_back(function.entry);
                    if reached[function.exit] {
                        queue.push_back(edge.target);
                    } else {
                        waiting[callee].push(edge.target);
                    }
                }
                _ => queue.push_back(edge.target),
            }
        }
    }
    reached
}
