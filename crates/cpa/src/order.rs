//! What the program's shape says about the order of exploration: ranks, loop depths and distances of locations.

use assay_base::IdVec;
use assay_cfa::{LocationId, Operation, Program};
use std::collections::VecDeque;
use std::sync::OnceLock;

/// Tables over all locations, each made when it is first asked for.
#[derive(Debug)]
pub struct LocationOrders<'a> {
    program: &'a Program,
    ranks: OnceLock<IdVec<LocationId, u32>>,
    loop_depths: OnceLock<IdVec<LocationId, u32>>,
    distances: OnceLock<IdVec<LocationId, u32>>,
}

impl<'a> LocationOrders<'a> {
    pub fn new(program: &'a Program) -> Self {
        LocationOrders { program, ranks: OnceLock::new(), loop_depths: OnceLock::new(), distances: OnceLock::new() }
    }
    /// Reverse postorder over all functions: a location comes before its successors, a callee before what follows the call, except
    /// over back edges.
    pub fn rank(&self, location: LocationId) -> u32 {
        self.ranks.get_or_init(|| ranks(self.program))[location]
    }
    /// How many loops of its function contain the location.
    pub fn loop_depth(&self, location: LocationId) -> u32 {
        self.loop_depths.get_or_init(|| loop_depths(self.program))[location]
    }
    /// The fewest edges to a target location; `u32::MAX` where none can be reached.
    pub fn distance(&self, location: LocationId) -> u32 {
        self.distances.get_or_init(|| distances(self.program))[location]
    }
}

/// Where control can go from a location, with calls both entered and stepped over.
fn successors(program: &Program, location: LocationId, over_calls_only: bool, out: &mut Vec<LocationId>) {
    for &edge in &program.locations[location].outgoing {
        let edge = &program.edges[edge];
        out.push(edge.target);
        if let (Operation::Call { callee, .. }, false) = (&edge.operation, over_calls_only) {
            out.push(program.functions[*callee].entry);
        }
    }
}

fn ranks(program: &Program) -> IdVec<LocationId, u32> {
    let count = program.locations.len();
    let mut rank = IdVec::filled(u32::MAX, count);
    let mut seen: IdVec<LocationId, bool> = IdVec::filled(false, count);
    let mut next = count as u32;
    let mut roots = vec![program.functions[program.entry].entry];
    roots.extend(program.functions.iter().map(|function| function.entry));
    for root in roots {
        if seen[root] {
            continue;
        }
        seen[root] = true;
        let mut out = Vec::new();
        successors(program, root, false, &mut out);
        let mut stack = vec![(root, out, 0)];
        while let Some((location, children, at)) = stack.last_mut() {
            if let Some(&child) = children.get(*at) {
                *at += 1;
                if !seen[child] {
                    seen[child] = true;
                    let mut out = Vec::new();
                    successors(program, child, false, &mut out);
                    stack.push((child, out, 0));
                }
            } else {
                next -= 1;
                rank[*location] = next;
                stack.pop();
            }
        }
    }
    rank
}

/// Counts for each location the natural loops around it. Loops that jumps enter in the middle count by what reaches their back edge.
fn loop_depths(program: &Program) -> IdVec<LocationId, u32> {
    let count = program.locations.len();
    let mut depth = IdVec::filled(0, count);
    // 0 unseen, 1 on the path of the search, 2 done.
    let mut colour: IdVec<LocationId, u8> = IdVec::filled(0, count);
    let mut back_edges: Vec<(LocationId, LocationId)> = Vec::new();
    for function in program.functions.iter() {
        if colour[function.entry] != 0 {
            continue;
        }
        let mut out = Vec::new();
        successors(program, function.entry, true, &mut out);
        colour[function.entry] = 1;
        let mut stack = vec![(function.entry, out, 0)];
        while let Some((location, children, at)) = stack.last_mut() {
            if let Some(&child) = children.get(*at) {
                *at += 1;
                match colour[child] {
                    0 => {
                        colour[child] = 1;
                        let mut out = Vec::new();
                        successors(program, child, true, &mut out);
                        stack.push((child, out, 0));
                    }
                    1 => back_edges.push((child, *location)),
                    _ => {}
                }
            } else {
                colour[*location] = 2;
                stack.pop();
            }
        }
    }
    back_edges.sort_unstable();
    let mut mark: IdVec<LocationId, u32> = IdVec::filled(0, count);
    let mut stamp = 0;
    let mut at = 0;
    while at < back_edges.len() {
        let head = back_edges[at].0;
        stamp += 1;
        mark[head] = stamp;
        depth[head] += 1;
        let mut stack = Vec::new();
        while at < back_edges.len() && back_edges[at].0 == head {
            stack.push(back_edges[at].1);
            at += 1;
        }
        while let Some(location) = stack.pop() {
            if mark[location] == stamp {
                continue;
            }
            mark[location] = stamp;
            depth[location] += 1;
            stack.extend(program.locations[location].incoming.iter().map(|&edge| program.edges[edge].source));
        }
    }
    depth
}

/// Searches backwards from the targets; a call may be stepped over, and a function's exit leads to every call of it.
fn distances(program: &Program) -> IdVec<LocationId, u32> {
    let mut before: IdVec<LocationId, Vec<LocationId>> = IdVec::filled(Vec::new(), program.locations.len());
    for edge in program.edges.iter() {
        before[edge.target].push(edge.source);
        if let Operation::Call { callee, .. } = &edge.operation {
            let callee = &program.functions[*callee];
            before[callee.entry].push(edge.source);
            before[edge.target].push(callee.exit);
        }
    }
    let mut distance = IdVec::filled(u32::MAX, program.locations.len());
    let mut queue: VecDeque<LocationId> = VecDeque::new();
    for location in program.locations.ids() {
        let leads_to_target = program.locations[location].target.is_some()
            || program.locations[location]
                .outgoing
                .iter()
                .any(|&edge| matches!(program.edges[edge].operation, Operation::Unsupported { .. }));
        if leads_to_target {
            distance[location] = 0;
            queue.push_back(location);
        }
    }
    while let Some(location) = queue.pop_front() {
        for &source in &before[location] {
            if distance[source] == u32::MAX {
                distance[source] = distance[location] + 1;
                queue.push_back(source);
            }
        }
    }
    distance
}
