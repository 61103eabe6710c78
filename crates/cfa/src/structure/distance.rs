//! How many edges it takes at least from a location to a target, through calls and returns.

use crate::operation::Operation;
use crate::program::{EdgeId, FunctionId, LocationId, Program};
use assay_base::{Id, IdVec};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The distance where there is no path.
pub const UNREACHABLE: u32 = u32::MAX;

/// Least numbers of edges. A path takes calls and returns as they match: it may return from functions that were entered
/// before it began, and stay in functions that it enters. Edges that are not supported count as targets, because what
/// follows them is unknown.
#[derive(Clone, Debug)]
pub struct Distances {
    /// From a location to the nearest target, callers' code after the return included; [`UNREACHABLE`] where there is
    /// none.
    pub to_target: IdVec<LocationId, u32>,
    /// The same without ever returning from the location's own function.
    pub to_target_inside: IdVec<LocationId, u32>,
    /// From a location to its function's exit.
    pub to_exit: IdVec<LocationId, u32>,
}

impl Distances {
    /// To the program's own targets.
    pub fn of(program: &Program) -> Self {
        let sites = call_sites(program);
        let to_exit = distances_to_exit(program, &sites);
        let targets: Vec<(LocationId, u32)> = program
            .targets()
            .map(|(location, _)| (location, 0))
            .chain(program.edges.iter().filter(|e| matches!(e.operation, Operation::Unsupported { .. })).map(|e| (e.source, 1)))
            .collect();
        let to_target_inside = distances_to_target(program, &sites, &to_exit, &targets, None);
        let to_target = distances_to_target(program, &sites, &to_exit, &targets, Some(&to_target_inside));
        Distances { to_target, to_target_inside, to_exit }
    }
}

/// Distances to goals that change while a program is explored; what does not depend on them is computed once.
#[derive(Clone, Debug)]
pub struct GoalDistances {
    sites: Sites,
    to_exit: IdVec<LocationId, u32>,
}

impl GoalDistances {
    /// What does not depend on the goals.
    pub fn new(program: &Program) -> Self {
        let sites = call_sites(program);
        let to_exit = distances_to_exit(program, &sites);
        GoalDistances { sites, to_exit }
    }

    /// From each location to the nearest goal, callers' code after the return included. A goal is a location and what
    /// its distance begins with; [`UNREACHABLE`] where none can be reached.
    pub fn to(&self, program: &Program, goals: &[(LocationId, u32)]) -> IdVec<LocationId, u32> {
        let inside = distances_to_target(program, &self.sites, &self.to_exit, goals, None);
        distances_to_target(program, &self.sites, &self.to_exit, goals, Some(&inside))
    }
}

type Sites = IdVec<FunctionId, Vec<EdgeId>>;

fn call_sites(program: &Program) -> Sites {
    let mut sites: Sites = IdVec::filled(vec![], program.functions.len());
    for (id, edge) in program.edges.iter_ids() {
        if let Operation::Call { callee, .. } = edge.operation {
            sites[callee].push(id);
        }
    }
    sites
}

/// A queue of locations by distance (ties by id, so that the order is the same in every run).
#[derive(Default)]
struct Queue(BinaryHeap<Reverse<(u32, u32)>>);

impl Queue {
    fn push(&mut self, distance: u32, location: LocationId) {
        self.0.push(Reverse((distance, location.0)));
    }
    fn pop(&mut self) -> Option<(u32, LocationId)> {
        self.0.pop().map(|Reverse((distance, location))| (distance, LocationId::from_index(location as usize)))
    }
}

/// Knuth's generalisation of Dijkstra's algorithm: a call's length is known once its callee's entry is settled.
fn distances_to_exit(program: &Program, sites: &Sites) -> IdVec<LocationId, u32> {
    let mut distance = IdVec::filled(UNREACHABLE, program.locations.len());
    let mut queue = Queue::default();
    for function in program.functions.iter() {
        queue.push(0, function.exit);
    }
    while let Some((reached, location)) = queue.pop() {
        if distance[location] != UNREACHABLE {
            continue;
        }
        distance[location] = reached;
        for &id in &program.locations[location].incoming {
            let edge = &program.edges[id];
            let inner = match edge.operation {
                Operation::Call { callee, .. } => distance[program.functions[callee].entry],
                Operation::Unsupported { .. } => UNREACHABLE,
                _ => 0,
            };
            if inner != UNREACHABLE {
                queue.push(reached.saturating_add(inner).saturating_add(1), edge.source);
            }
        }
        let function = program.locations[location].function;
        if program.functions[function].entry == location {
            for &site in &sites[function] {
                let edge = &program.edges[site];
                let after = distance[edge.target];
                if after != UNREACHABLE {
                    queue.push(after.saturating_add(reached).saturating_add(1), edge.source);
                }
            }
        }
    }
    distance
}

/// Without `inside`: paths that never return from the function in which they begin. With it: all paths; a path that has
/// returned for the last time goes on as one of those.
fn distances_to_target(
    program: &Program,
    sites: &Sites,
    to_exit: &IdVec<LocationId, u32>,
    targets: &[(LocationId, u32)],
    inside: Option<&IdVec<LocationId, u32>>,
) -> IdVec<LocationId, u32> {
    let mut distance = IdVec::filled(UNREACHABLE, program.locations.len());
    let mut queue = Queue::default();
    match inside {
        None => targets.iter().for_each(|&(location, start)| queue.push(start, location)),
        Some(inside) => inside.iter_ids().filter(|(_, d)| **d != UNREACHABLE).for_each(|(location, &d)| queue.push(d, location)),
    }
    while let Some((reached, location)) = queue.pop() {
        if distance[location] != UNREACHABLE {
            continue;
        }
        distance[location] = reached;
        for &id in &program.locations[location].incoming {
            let edge = &program.edges[id];
            match edge.operation {
                Operation::Call { callee, .. } => {
                    let inner = to_exit[program.functions[callee].entry];
                    if inner != UNREACHABLE {
                        queue.push(reached.saturating_add(inner).saturating_add(1), edge.source);
                    }
                    if inside.is_some() {
                        queue.push(reached, program.functions[callee].exit);
                    }
                }
                Operation::Unsupported { .. } => {}
                _ => queue.push(reached.saturating_add(1), edge.source),
            }
        }
        let function = program.locations[location].function;
        if inside.is_none() && program.functions[function].entry == location {
            for &site in &sites[function] {
                queue.push(reached.saturating_add(1), program.edges[site].source);
            }
        }
    }
    distance
}
