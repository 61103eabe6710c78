//! Which local registers a location still needs.

use crate::program::{EdgeId, LocationId, Program, Scope, Storage, VarId};
use assay_base::{FastSet, IdVec};
use assay_term::{Op, Terms};

/// The local registers that are live at each location: what they hold may be read before it is written.
#[derive(Debug)]
pub struct LiveRegisters {
    /// By location, in order.
    pub live: IdVec<LocationId, Vec<VarId>>,
    /// Those that the operation of each edge reads.
    pub reads: IdVec<EdgeId, Vec<VarId>>,
}

impl LiveRegisters {
    /// By a walk backwards over every function, one for each register.
    pub fn of(program: &Program, terms: &Terms) -> Self {
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
        LiveRegisters { live, reads }
    }
}

/// Whether a variable is a register of one function.
pub fn is_local_register(program: &Program, variable: VarId) -> bool {
    let info = &program.variables[variable];
    !info.is_global() && matches!(info.storage, Storage::Register { .. })
}
