//! Which registers can decide where an execution goes, and which of them are still needed at a place. What the others
//! hold only keeps states apart that go on alike.

use assay_base::{FastMap, FastSet, IdVec};
use assay_cfa::structure::LiveRegisters;
use assay_cfa::{LocationId, Operation, Program, Scope, VarId};
use assay_term::{Op, Term, Terms};

/// The registers that do not matter at a location.
pub(crate) struct Relevance {
    live: LiveRegisters,
    matters: IdVec<VarId, bool>,
    idle: FastMap<LocationId, Vec<VarId>>,
}

impl Relevance {
    /// By a walk over the whole program.
    pub(crate) fn of(program: &Program, terms: &Terms) -> Relevance {
        let live = LiveRegisters::of(program, terms);
        Relevance { live, matters: matters(program, terms), idle: FastMap::default() }
    }

    /// Registers of the whole program, and of the function that a location is in, whose values cannot change what
    /// happens from there on.
    pub(crate) fn idle(&mut self, program: &Program, location: LocationId) -> &[VarId] {
        let (live, matters) = (&self.live.live[location], &self.matters);
        self.idle.entry(location).or_insert_with(|| {
            let function = program.locations[location].function;
            let is_idle = |&variable: &VarId| {
                let info = &program.variables[variable];
                let needed = info.scope == Scope::Global || live.contains(&variable);
                info.register_width().is_some() && !(matters[variable] && needed)
            };
            program.globals.iter().chain(&program.functions[function].locals).copied().filter(is_idle).collect()
        })
    }
}

/// Whether a register can have a part in a decision, an address, or what is in memory.
fn matters(program: &Program, terms: &Terms) -> IdVec<VarId, bool> {
    let symbols = |term: Term| {
        let mut found: FastSet<VarId> = FastSet::default();
        terms.post_order([term], |_, node| {
            if node.op == Op::Symbol {
                found.extend(program.variable_of(node.symbol()));
            }
        });
        found
    };
    let mut flows: IdVec<VarId, Vec<VarId>> = IdVec::filled(vec![], program.variables.len());
    let mut matters = IdVec::filled(false, program.variables.len());
    let mut work: Vec<VarId> = vec![];
    for edge in program.edges.iter() {
        match &edge.operation {
            Operation::Assign { target, value } => flows[*target].extend(symbols(*value)),
            Operation::Call { callee, arguments, result } => {
                let callee = &program.functions[*callee];
                for (&parameter, &argument) in callee.parameters.iter().zip(arguments) {
                    flows[parameter].extend(symbols(argument));
                }
                if let (Some(target), Some(value)) = (result, callee.result) {
                    flows[*target].push(value);
                }
            }
            other => other.terms().into_iter().for_each(|term| work.extend(symbols(term))),
        }
    }
    while let Some(variable) = work.pop() {
        if !std::mem::replace(&mut matters[variable], true) {
            work.extend(&flows[variable]);
        }
    }
    matters
}
