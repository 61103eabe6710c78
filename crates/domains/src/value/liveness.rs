//! Which local registers a location still needs. A dead register only keeps equal states apart.

use assay_base::{FastSet, Id, IdVec};
use assay_cfa::{EdgeId, LocationId, Operation, Program, Role, Scope, Storage, Target, VarId};
use assay_term::{Op, Terms};

/// For every edge, the local registers of its function that are dead after it.
#[derive(Debug)]
pub struct Liveness {
    dead_after: IdVec<EdgeId, Box<[VarId]>>,
    /// Of those, for calls: the ones that the arguments do not read either, so that they are dead while the callee
    /// runs.
    dead_before_call: IdVec<EdgeId, Box<[VarId]>>,
}

impl Liveness {
    /// By a walk backwards over every function.
    pub fn new(program: &Program, terms: &Terms) -> Self {
        // A pointer that nobody reads any more still keeps its memory tracked, if it is in a variable of the program.
        let only_temporaries = program.questions.contains(Target::ValidMemtrack);
        let may_be_dead = |variable: VarId| !only_temporaries || program.variables[variable].role == Role::Temporary;
        let mut uses: IdVec<VarId, Vec<EdgeId>> = IdVec::filled(vec![], program.variables.len());
        let mut reads: IdVec<EdgeId, Vec<VarId>> = IdVec::filled(vec![], program.edges.len());
        for (id, edge) in program.edges.iter_ids() {
            let mut seen = FastSet::default();
            terms.post_order(edge.operation.terms(), |_, node| {
                if node.op == Op::Symbol
                    && let Some(variable) = program.variable_of(node.symbol())
                    && is_local_register(program, variable)
                    && seen.insert(variable)
                {
                    uses[variable].push(id);
                    reads[id].push(variable);
                }
            });
        }
        // The live range of each register: backwards from its uses up to what writes it.
        let mut live: IdVec<LocationId, Vec<VarId>> = IdVec::filled(vec![], program.locations.len());
        let mut mark: IdVec<LocationId, u32> = IdVec::filled(u32::MAX, program.locations.len());
        let mut work = Vec::new();
        for (variable, info) in program.variables.iter_ids() {
            let Scope::Local(function) = info.scope else { continue };
            if !is_local_register(program, variable) {
                continue;
            }
            let mut reach = |location: LocationId, work: &mut Vec<LocationId>| {
                if mark[location] != variable.0 {
                    mark[location] = variable.0;
                    live[location].push(variable);
                    work.push(location);
                }
            };
            for &edge in &uses[variable] {
                reach(program.edges[edge].source, &mut work);
            }
            if program.functions[function].result == Some(variable) {
                reach(program.functions[function].exit, &mut work);
            }
            while let Some(location) = work.pop() {
                for &edge in &program.locations[location].incoming {
                    let edge = &program.edges[edge];
                    if edge.operation.written_register() != Some(variable) {
                        reach(edge.source, &mut work);
                    }
                }
            }
        }
        let mut dead_after = IdVec::new();
        let mut dead_before_call = IdVec::new();
        for (id, edge) in program.edges.iter_ids() {
            let after = &live[edge.target];
            let mut dead: Vec<VarId> = live[edge.source].clone();
            dead.extend(edge.operation.written_register().filter(|&v| is_local_register(program, v)));
            if program.functions[program.locations[edge.source].function].entry == edge.source {
                // Parameters that nobody reads are dead from the start.
                dead.extend(program.functions[program.locations[edge.source].function].parameters.iter().copied());
            }
            dead.sort();
            dead.dedup();
            dead.retain(|&v| after.binary_search(&v).is_err() && may_be_dead(v));
            let before = match edge.operation {
                Operation::Call { result, .. } => dead.iter().copied().filter(|v| !reads[id].contains(v) && Some(*v) != result).collect(),
                _ => Box::default(),
            };
            dead_before_call.push(before);
            dead_after.push(dead.into_boxed_slice());
        }
        Liveness { dead_after, dead_before_call }
    }

    /// Registers that nobody reads between the edge and their next assignment.
    #[inline]
    pub fn dead_after(&self, edge: EdgeId) -> &[VarId] {
        &self.dead_after[edge]
    }
    /// Those of a call that are dead already while the callee runs.
    pub fn dead_before_call(&self, edge: EdgeId) -> &[VarId] {
        &self.dead_before_call[edge]
    }
}

fn is_local_register(program: &Program, variable: VarId) -> bool {
    let info = &program.variables[variable];
    debug_assert!(variable.index() < program.variables.len());
    !info.is_global() && matches!(info.storage, Storage::Register { .. })
}
