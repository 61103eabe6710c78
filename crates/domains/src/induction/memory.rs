//! Induction and the lives of objects.
//!
//! A state of any iteration has the objects that are alive where the loop is entered. That is what every iteration
//! finds if no iteration makes or ends objects that live on. A loop that ends the life of a variable that is alive
//! where it is entered is not cut. (Variables that an iteration declares are gone before its end, or nothing at the
//! head of the loop points to them but what the loop itself has written, which has any value then.)
//!
//! Where accesses to memory are the question, a loop that allocates or releases memory is not cut either. Where they
//! are not, no access can tell that an object has been released, but comparisons can: the address of one that is made
//! later may be the same. So in any iteration of a loop that releases memory, and past a call that does, the objects of
//! the heap have no place that is theirs alone ([`State::doubt_places`]).
//!
//! An execution that runs for ever is at the head of some loop again and again. Memory that is lost stays lost, so it
//! is enough that in any iteration of each loop nothing is lost, where what the loop may have changed counts for
//! nothing.

use super::InductionDomain;
use crate::value::{ValueSemantics, ValueState};
use assay_base::FastMap;
use assay_cfa::structure::{Effects, LoopId, Structure};
use assay_cfa::{MemoryCondition, Operation, Program, VarId};
use assay_semantics::state::{Executor, State, Truth, Value};

/// What the loops of a program do to the lives of objects.
pub(super) struct Lives {
    /// Whether a property asks about memory.
    pub asked: bool,
    loops: FastMap<LoopId, Changes>,
}

struct Changes {
    allocates: bool,
    /// Variables whose life begins or ends in the loop.
    variables: Vec<VarId>,
}

impl Lives {
    pub(super) fn of(structure: &Structure<'_>, effects: &FastMap<LoopId, Effects>) -> Self {
        let program = structure.program;
        let changes = structure.loops().loops.iter_ids().map(|(id, info)| {
            let edges = info.locations.iter().flat_map(|&location| program.locations[location].outgoing.iter());
            let variables = edges.filter_map(|&edge| match program.edges[edge].operation {
                Operation::Declare { object, .. } | Operation::EndLife { object } => Some(object),
                _ => None,
            });
            (id, Changes { allocates: effects[&id].allocates, variables: variables.collect() })
        });
        Lives { asked: program.questions.about_memory(), loops: changes.collect() }
    }

    /// Why a loop that is entered in this state cannot be cut.
    pub(super) fn refuses(&self, program: &Program, state: &State, id: LoopId) -> Option<&'static str> {
        let changes = &self.loops[&id];
        let alive = |&variable: &VarId| state.get(program, variable) != Value::Unknown;
        (self.asked && changes.allocates || changes.variables.iter().any(alive))
            .then_some("a loop that induction does not cut: it makes or ends objects that live longer than an iteration")
    }
}

impl InductionDomain<'_, '_> {
    /// Whether every object of the heap is surely reached from some variable.
    pub(super) fn nothing_is_lost(&self, state: &mut ValueState) -> bool {
        let machine = Executor::new(self.structure.program, &self.values.terms);
        let mut semantics = ValueSemantics { symbolic: true, log: None };
        machine.memory_condition(&mut semantics, &mut state.values, &MemoryCondition::AllReachable) == Truth::Yes
    }
}
