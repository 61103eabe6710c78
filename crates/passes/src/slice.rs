//! Slicing to the property: what cannot influence whether a target is reached is taken out.
//!
//! Kept are all conditions at places from which a target can be reached, whatever they may depend on (through variables
//! and memory, regardless of the order of edges), and all loops, halts and calls that such places can run into; so that the
//! slice reaches a target exactly if the program does. Taken out are edges that write only what no kept edge
//! reads, branches that have become idle by that, and everything from which no target can be reached. Unsupported constructs count as
//! targets.

use super::rebuild::{Draft, drafts, rebuild};
use super::{EdgeMap, Transformed, skip};
use assay_base::{FastMap, IdVec};
use assay_cfa::operation::{MemoryCondition, Operation};
use assay_cfa::program::{EdgeId, FunctionId, Program, VarId};
use assay_cfa::structure::{Distances, Structure, UNREACHABLE, accessed_object};
use assay_term::{Term, Terms};

/// Each round can make more conditions idle, but later ones seldom gain much.
const ROUNDS: usize = 10;

/// Slices a program to its targets. The verdict on the slice is the verdict on the program, except that
/// termination and undefined behaviour are not looked at.
pub fn slice(program: Program) -> Transformed {
    let mut result = Transformed { edges: EdgeMap::identity(program.edges.len()), program };
    for _ in 0..ROUNDS {
        let before = result.program.edges.len();
        let next = slice_once(result.program);
        result = Transformed { edges: next.edges.after(&result.edges), program: next.program };
        if result.program.edges.len() + before / 50 >= before {
            break;
        }
    }
    result
}

fn slice_once(mut program: Program) -> Transformed {
    let distances = Distances::of(&program);
    let relevant = Relevance::of(&program, &distances);
    let terms = Terms::overlay(std::mem::take(&mut program.terms));
    let idle = idle_functions(&program, &relevant);
    let mut drafts: Vec<Draft> = drafts(&mut program);
    drafts.retain(|draft| distances.to_target[draft.edge.source] != UNREACHABLE);
    for draft in &mut drafts {
        let id = draft.originals[0];
        match &mut draft.edge.operation {
            Operation::Call { callee, .. } if idle[*callee] => draft.edge.operation = Operation::Skip,
            Operation::Call { callee, arguments, result } => {
                let parameters = &program.functions[*callee].parameters;
                for (index, argument) in arguments.iter_mut().enumerate() {
                    let width = terms.width(*argument);
                    if width <= 128 && !parameters.get(index).is_some_and(|&p| relevant.variables[p]) {
                        *argument = terms.number(width, 0);
                    }
                }
                if result.is_some_and(|r| !relevant.variables[r]) {
                    *result = None;
                }
            }
            operation if !relevant.edges[id] => *operation = Operation::Skip,
            _ => {}
        }
    }
    let drafts = skip::collapse(&program, &terms, drafts);
    program.terms = terms.freeze();
    rebuild(program, drafts)
}

/// Functions whose body is one edge without effect from entry to exit.
fn idle_functions(program: &Program, relevant: &Relevance) -> IdVec<FunctionId, bool> {
    let is_idle = |function: &assay_cfa::Function| {
        let [edge] = program.locations[function.entry].outgoing[..] else { return false };
        program.edges[edge].target == function.exit
            && program.locations[function.entry].target.is_none()
            && (!relevant.edges[edge] || program.edges[edge].operation == Operation::Skip)
            && !matches!(program.edges[edge].operation, Operation::Call { .. } | Operation::Unsupported { .. })
            && function.result.is_none_or(|result| !relevant.variables[result] || !is_read(program, function, result))
    };
    program.functions.iter().map(is_idle).collect()
}

/// Whether some call takes the function's result: without a body it would be any value, which a skip is not.
fn is_read(program: &Program, function: &assay_cfa::Function, result: VarId) -> bool {
    debug_assert_eq!(function.result, Some(result));
    program.edges.iter().any(|edge| match &edge.operation {
        Operation::Call { callee, result: Some(_), .. } => program.functions[*callee].result == Some(result),
        _ => false,
    })
}

/// What matters for reaching a target.
struct Relevance {
    variables: IdVec<VarId, bool>,
    /// Whether the edge's operation has to stay.
    edges: IdVec<EdgeId, bool>,
}

/// A place that holds values: a register or an object that no pointer can reach otherwise, or all the rest of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    Variable(VarId),
    Memory,
}

struct Marker<'a> {
    program: &'a Program,
    terms: Terms,
    escaped: IdVec<VarId, bool>,
    result: Relevance,
    /// All memory that pointers can reach.
    memory: bool,
    waiting: Vec<Place>,
    reads: FastMap<Term, std::rc::Rc<[VarId]>>,
}

impl Relevance {
    fn of(program: &Program, distances: &Distances) -> Self {
        let structure = Structure::new(program);
        let mut marker = Marker {
            program,
            terms: Terms::overlay(program.terms.clone()),
            escaped: structure.effects().escaped.clone(),
            result: Relevance {
                variables: IdVec::filled(false, program.variables.len()),
                edges: IdVec::filled(false, program.edges.len()),
            },
            memory: false,
            waiting: vec![],
            reads: FastMap::default(),
        };
        let asks_about_life = program.edges.iter().any(|e| matches!(e.operation, Operation::AssumeMemory { .. }));
        let mut writers: FastMap<Place, Vec<EdgeId>> = FastMap::default();
        for (id, edge) in program.edges.iter_ids().filter(|(_, e)| distances.to_target[e.source] != UNREACHABLE) {
            for place in marker.written(&edge.operation) {
                writers.entry(place).or_default().push(id);
            }
            let is_root = match &edge.operation {
                Operation::Assume { .. } | Operation::AssumeMemory { .. } | Operation::Unsupported { .. } => true,
                // Freed addresses can return, so that frees can matter to every comparison of pointers.
                Operation::Free { .. } => true,
                Operation::Allocate { .. } | Operation::Declare { .. } | Operation::EndLife { .. } => asks_about_life,
                // Calls stay as they are; what they pass on is looked at parameter by parameter.
                Operation::Call { .. } => {
                    marker.result.edges[id] = true;
                    false
                }
                _ => false,
            };
            if is_root {
                marker.keep(id);
            }
        }
        while let Some(place) = marker.waiting.pop() {
            for &id in writers.get(&place).map_or(&[][..], Vec::as_slice) {
                marker.keep_for(id, place);
            }
        }
        marker.result
    }
}

impl Marker<'_> {
    fn object(&self, address: Term) -> Place {
        match accessed_object(self.program, &self.terms, address) {
            Some(object) if !self.escaped[object] => Place::Variable(object),
            _ => Place::Memory,
        }
    }

    /// The places that an operation can change; for a call the callee's parameters and the result.
    fn written(&self, operation: &Operation) -> Vec<Place> {
        match operation {
            Operation::Store { address, .. }
            | Operation::Copy { destination: address, .. }
            | Operation::Fill { destination: address, .. }
            | Operation::HavocMemory { address, .. } => vec![self.object(*address)],
            Operation::Declare { object, .. } | Operation::EndLife { object } => {
                vec![if self.escaped[*object] { Place::Memory } else { Place::Variable(*object) }]
            }
            Operation::Allocate { target, .. } => vec![Place::Variable(*target), Place::Memory],
            Operation::Call { callee, result, .. } => {
                let parameters = self.program.functions[*callee].parameters.iter();
                parameters.chain(result).map(|&v| Place::Variable(v)).collect()
            }
            other => other.written_register().map(Place::Variable).into_iter().collect(),
        }
    }

    fn need(&mut self, place: Place) {
        let known = match place {
            Place::Variable(variable) => &mut self.result.variables[variable],
            Place::Memory => &mut self.memory,
        };
        if !std::mem::replace(known, true) {
            self.waiting.push(place);
        }
    }

    fn need_term(&mut self, term: Term) {
        let (terms, program) = (&self.terms, self.program);
        let reads = self
            .reads
            .entry(term)
            .or_insert_with(|| terms.free_symbols(term).into_iter().filter_map(|s| program.variable_of(s)).collect())
            .clone();
        reads.iter().for_each(|&variable| self.need(Place::Variable(variable)));
    }

    /// The edge writes a place that matters.
    fn keep_for(&mut self, id: EdgeId, place: Place) {
        let Operation::Call { callee, arguments, result } = &self.program.edges[id].operation else {
            self.keep(id);
            return;
        };
        let function = &self.program.functions[*callee];
        if let Place::Variable(variable) = place {
            let position = function.parameters.iter().position(|&p| p == variable);
            if let Some(&argument) = position.and_then(|index| arguments.get(index)) {
                self.need_term(argument);
            }
            if *result == Some(variable)
                && let Some(value) = function.result
            {
                self.need(Place::Variable(value));
            }
        }
    }

    /// The operation stays, and what it reads matters.
    fn keep(&mut self, id: EdgeId) {
        if std::mem::replace(&mut self.result.edges[id], true) {
            return;
        }
        let operation = &self.program.edges[id].operation;
        for term in operation.terms() {
            self.need_term(term);
        }
        match operation {
            Operation::Load { address, .. } | Operation::Copy { source: address, .. } => {
                let place = self.object(*address);
                self.need(place);
            }
            Operation::AssumeMemory { condition: MemoryCondition::AllReachable, .. } | Operation::Unsupported { .. } => {
                // Every pointer anywhere matters.
                self.need(Place::Memory);
                for variable in self.program.variables.ids() {
                    self.need(Place::Variable(variable));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;

    const HEAD: &str = "program LP64 main
source n0 input \"nondet\" 0:0:0
global a (register 32) void source \"a\"
global b (register 32) void source \"b\"
global c (register 32) void source \"c\"
global p (register 64) pointer source \"p\"
global m (memory 4 4) void source \"m\"
global k (memory 4 4) void source \"k\"
";

    #[test]
    fn what_does_not_matter_disappears() {
        check(
            &format!(
                "{HEAD}function main entry L0 exit L1
                   target L9 unreach-call
                   L0 -> L2 havoc a n0
                   L2 -> L3 havoc b n0
                   L3 -> L4 assume (== b 1:32)
                   L3 -> L5 assume (~ (== b 1:32))
                   L4 -> L6 assign c 1:32
                   L5 -> L6 assign c 2:32
                   L6 -> L7 store &m:64 c
                   L7 -> L8 assign a (+ a 1:32)
                   L8 -> L9 assume (== a 0:32)
                   L8 -> L10 assume (~ (== a 0:32))
                   L10 -> L11 havoc a n0
                   L11 -> L1 skip
                 end"
            ),
            slice,
            "function main entry L0 exit L1
               target L4 unreach-call
               E0: L0 -> L2 havoc a n0
               E1: L2 -> L3 assign a (+ a 1:32)
               E2: L3 -> L4 assume (== a 0:32)
               E3: L3 -> L5 assume (~ (== a 0:32))
             end",
        );
    }

    #[test]
    fn loops_and_memory_that_matter_stay() {
        check(
            &format!(
                "{HEAD}function main entry L0 exit L1
                   target L8 unreach-call
                   L0 -> L2 assume (<u a 9:32)
                   L0 -> L3 assume (~ (<u a 9:32))
                   L2 -> L0 assign b (+ b 1:32)
                   L3 -> L4 assign p &k:64
                   L4 -> L5 store p c
                   L5 -> L6 store &m:64 b
                   L6 -> L7 load b &k:64
                   L7 -> L8 assume (== b 7:32)
                 end"
            ),
            slice,
            "function main entry L0 exit L1
               target L7 unreach-call
               E0: L0 -> L2 assume (<u a 9:32)
               E1: L0 -> L3 assume (~ (<u a 9:32))
               E2: L2 -> L0 assign b (+ b 1:32)
               E3: L3 -> L4 assign p &k:64
               E4: L4 -> L5 store p c
               E5: L5 -> L6 load b &k:64
               E6: L6 -> L7 assume (== b 7:32)
             end",
        );
    }

    #[test]
    fn calls_lose_what_nobody_reads() {
        check(
            &format!(
                "{HEAD}function main entry L0 exit L1
                   local main::x (register 32) void source \"x\"
                   local main::y (register 32) void source \"y\"
                   target L9 unreach-call
                   L0 -> L2 havoc main::x n0
                   L2 -> L3 havoc main::y n0
                   L3 -> L4 call f main::x main::y result main::y
                   L4 -> L5 call g main::y
                   L5 -> L9 assume (== a 1:32)
                 end
                 function f entry L6 exit L7
                   local f::p (register 32) void (parameter 0) \"p\"
                   local f::q (register 32) void (parameter 1) \"q\"
                   local f::r (register 32) void result \"\"
                   L6 -> L8 assign a f::p
                   L8 -> L7 assign f::r f::q
                 end
                 function g entry L10 exit L11
                   local g::p (register 32) void (parameter 0) \"p\"
                   L10 -> L11 assign b g::p
                 end"
            ),
            slice,
            "function main entry L0 exit L1
               target L6 unreach-call
               E0: L0 -> L2 havoc main::x n0
               E1: L2 -> L3 call f main::x 0:32
               E2: L3 -> L6 assume (== a 1:32)
             end
             function f entry L4 exit L5
               E3: L4 -> L5 assign a f::p
             end
             function g entry L7 exit L8
             end",
        );
    }

    #[test]
    fn a_program_without_targets_becomes_empty() {
        check(
            &format!("{HEAD}function main entry L0 exit L1\n L0 -> L2 havoc a n0\n L2 -> L1 assume (== a 1:32)\n end"),
            slice,
            "function main entry L0 exit L1\n end",
        );
    }
}
