//! Which local registers are dead behind an edge. What they hold only keeps equal states apart.

use assay_base::IdVec;
use assay_cfa::structure::{LiveRegisters, is_local_register};
use assay_cfa::{EdgeId, Operation, Program, Role, Target, VarId};
use assay_term::Terms;

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
        // A pointer that nothing reads any more still keeps its memory tracked, if it is in a variable of the program.
        let only_temporaries = program.questions.contains(Target::ValidMemtrack);
        let may_be_dead = |variable: VarId| !only_temporaries || program.variables[variable].role == Role::Temporary;
        let LiveRegisters { live, reads } = LiveRegisters::of(program, terms);
        let mut dead_after = IdVec::new();
        let mut dead_before_call = IdVec::new();
        for (id, edge) in program.edges.iter_ids() {
            let after = &live[edge.target];
            let mut dead: Vec<VarId> = live[edge.source].clone();
            dead.extend(edge.operation.written_register().filter(|&v| is_local_register(program, v)));
            if program.functions[program.locations[edge.source].function].entry == edge.source {
                // Parameters that nothing reads are dead from the start.
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

    /// Registers that nothing reads between the edge and their next assignment.
    #[inline]
    pub fn dead_after(&self, edge: EdgeId) -> &[VarId] {
        &self.dead_after[edge]
    }
    /// Those of a call that are dead already while the callee runs.
    pub fn dead_before_call(&self, edge: EdgeId) -> &[VarId] {
        &self.dead_before_call[edge]
    }
}
