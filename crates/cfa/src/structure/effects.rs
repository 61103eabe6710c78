//! Which variables and memory a function, with all that it calls, may read and write; which registers are still needed.

use super::CallGraph;
use crate::operation::{MemoryCondition, Operation};
use crate::program::{EdgeId, FunctionId, LocationId, Program, VarId};
use assay_base::{FastMap, FastSet, Id, IdVec};
use assay_term::{Op, Term, Terms};

/// What a piece of a program may read and write. Lists are sorted by id and hold registers and memory objects. Accesses
/// through pointers whose object is not plain to see are flags: they can touch every object in
/// [`EffectsTable::escaped`] and the heap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// What may be read.
    pub reads: Vec<VarId>,
    /// What may be written.
    pub writes: Vec<VarId>,
    /// Reads through a pointer that may lead anywhere.
    pub reads_unknown_memory: bool,
    /// Writes through a pointer that may lead anywhere.
    pub writes_unknown_memory: bool,
    /// Makes or ends heap or `alloca` objects.
    pub allocates: bool,
    /// Ends heap objects.
    pub releases: bool,
    /// Takes a value from a source of unconstrained values.
    pub havocs: bool,
    /// Asks about all memory (leak tests) or contains an unsupported construct: everything may matter.
    pub touches_everything: bool,
}

impl Effects {
    /// Whether memory other than the objects in the lists may matter.
    pub fn accesses_memory(&self) -> bool {
        self.reads_unknown_memory || self.writes_unknown_memory || self.allocates || self.touches_everything
    }

    /// Takes in what a callee does to variables that are not its own.
    fn absorb(&mut self, other: &Effects, keep: impl Fn(VarId) -> bool) {
        self.reads.extend(other.reads.iter().copied().filter(|&v| keep(v)));
        self.writes.extend(other.writes.iter().copied().filter(|&v| keep(v)));
        self.reads_unknown_memory |= other.reads_unknown_memory;
        self.writes_unknown_memory |= other.writes_unknown_memory;
        self.allocates |= other.allocates;
        self.releases |= other.releases;
        self.havocs |= other.havocs;
        self.touches_everything |= other.touches_everything;
    }

    fn tidy(&mut self) {
        for list in [&mut self.reads, &mut self.writes] {
            list.sort_unstable_by_key(|v| v.index());
            list.dedup();
        }
    }
}

/// The effects of all functions.
#[derive(Clone, Debug)]
pub struct EffectsTable {
    /// Globals and locals of the function itself; what callees do to globals included.
    pub functions: IdVec<FunctionId, Effects>,
    /// The memory objects whose address is used as a value somewhere, or known outside of the program, so that an
    /// unknown pointer may point to them; indexed by variable. The caller that asks what a pointer of unknown origin
    /// can reach asks this.
    pub escaped: IdVec<VarId, bool>,
}

impl EffectsTable {
    /// Of all functions, callees first.
    pub fn of(program: &Program, calls: &CallGraph) -> Self {
        let terms = Terms::overlay(program.terms.clone());
        let mut collector =
            Collector { program, terms: &terms, leaves: FastMap::default(), escaped: IdVec::filled(false, program.variables.len()) };
        collector.at_the_start();
        let mut own: IdVec<FunctionId, Effects> = IdVec::filled(Effects::default(), program.functions.len());
        for edge in program.edges.iter() {
            collector.operation(&edge.operation, &mut own[program.locations[edge.source].function]);
            if let Operation::Call { callee, ref arguments, result } = edge.operation {
                let (parameters, value) = (&program.functions[callee].parameters, program.functions[callee].result);
                own[callee].writes.extend(parameters.iter().take(arguments.len()));
                own[callee].reads.extend(result.and(value));
            }
        }
        let escaped = collector.escaped;
        own.iter_mut().for_each(Effects::tidy);
        // Callees first; the functions of one component share what they do to globals.
        for component in &calls.components {
            let members: FastSet<FunctionId> = component.iter().copied().collect();
            let mut shared = Effects::default();
            for &function in component {
                shared.absorb(&own[function], |v| program.variables[v].is_global());
                for &callee in calls.callees[function].iter().filter(|f| !members.contains(f)) {
                    shared.absorb(&own[callee], |v| program.variables[v].is_global());
                }
            }
            shared.tidy();
            for &function in component {
                own[function].absorb(&shared, |_| true);
                own[function].tidy();
            }
        }
        EffectsTable { functions: own, escaped }
    }

    /// The effects of some edges of one function, with what their callees do.
    pub fn of_edges(&self, program: &Program, edges: impl IntoIterator<Item = EdgeId>) -> Effects {
        let terms = Terms::overlay(program.terms.clone());
        let mut collector = Collector { program, terms: &terms, leaves: FastMap::default(), escaped: IdVec::new() };
        let mut effects = Effects::default();
        let mut callees: Vec<FunctionId> = vec![];
        for edge in edges {
            let operation = &program.edges[edge].operation;
            collector.operation(operation, &mut effects);
            if let Operation::Call { callee, .. } = operation {
                callees.push(*callee);
            }
        }
        callees.sort_unstable_by_key(|f| f.index());
        callees.dedup();
        for callee in callees {
            effects.absorb(&self.functions[callee], |v| program.variables[v].is_global());
        }
        effects.tidy();
        effects
    }
}

/// The memory objects whose address is used as a value somewhere, or known outside of the program.
pub fn escaped(program: &Program) -> IdVec<VarId, bool> {
    let terms = Terms::overlay(program.terms.clone());
    let escaped = IdVec::filled(false, program.variables.len());
    let mut collector = Collector { program, terms: &terms, leaves: FastMap::default(), escaped };
    collector.at_the_start();
    program.edges.iter().for_each(|edge| collector.operation(&edge.operation, &mut Effects::default()));
    collector.escaped
}

/// The object that an address lies in, where the address is that of a variable plus an offset without further
/// addresses. Pointer arithmetic does not lead from one object into another.
pub fn accessed_object(program: &Program, terms: &Terms, address: Term) -> Option<VarId> {
    let mut object = None;
    let mut stack = vec![address];
    while let Some(term) = stack.pop() {
        let node = terms.node(term);
        match node.op {
            Op::Add => stack.extend([node.operand(0), node.operand(1)]),
            Op::Address if object.is_none() => object = Some(program.variable_of(node.symbol())?),
            _ => {
                let mut has_address = false;
                terms.post_order([term], |_, node| has_address |= node.op == Op::Address);
                if has_address {
                    return None;
                }
            }
        }
    }
    object
}

/// The variables in a term: those read as values, and those whose address occurs.
type Leaves = std::rc::Rc<(Vec<VarId>, Vec<VarId>)>;

struct Collector<'a> {
    program: &'a Program,
    terms: &'a Terms,
    leaves: FastMap<Term, Leaves>,
    escaped: IdVec<VarId, bool>,
}

impl Collector<'_> {
    fn leaves(&mut self, term: Term) -> Leaves {
        let (program, terms) = (self.program, self.terms);
        self.leaves
            .entry(term)
            .or_insert_with(|| {
                let (mut values, mut addresses) = (vec![], vec![]);
                terms.post_order([term], |_, node| match node.op {
                    Op::Symbol => values.extend(program.variable_of(node.symbol())),
                    Op::Address => addresses.extend(program.variable_of(node.symbol())),
                    _ => {}
                });
                std::rc::Rc::new((values, addresses))
            })
            .clone()
    }

    fn at_the_start(&mut self) {
        for (id, variable) in self.program.variables.iter_ids() {
            self.escaped[id] |= variable.exposed;
            for &(_, value) in &variable.initial {
                self.escape(value);
            }
        }
    }

    /// The term becomes a value that the program can use as a pointer.
    fn escape(&mut self, term: Term) {
        if self.escaped.is_empty() {
            return;
        }
        for &object in &self.leaves(term).1 {
            self.escaped[object] = true;
        }
    }

    fn value(&mut self, term: Term, effects: &mut Effects) {
        effects.reads.extend(&self.leaves(term).0);
        self.escape(term);
    }

    /// An address that is accessed: the object itself does not escape by that.
    fn access(&mut self, address: Term, reads: bool, writes: bool, effects: &mut Effects) {
        effects.reads.extend(&self.leaves(address).0);
        match accessed_object(self.program, self.terms, address) {
            Some(object) => {
                effects.reads.extend(reads.then_some(object));
                effects.writes.extend(writes.then_some(object));
            }
            None => {
                effects.reads_unknown_memory |= reads;
                effects.writes_unknown_memory |= writes;
                self.escape(address);
            }
        }
    }

    fn operation(&mut self, operation: &Operation, effects: &mut Effects) {
        effects.writes.extend(operation.written_register());
        match operation {
            Operation::Skip => {}
            Operation::Assume { condition: value } | Operation::Check { fails: value, .. } | Operation::Assign { value, .. } => {
                self.value(*value, effects);
            }
            Operation::Havoc { .. } => effects.havocs = true,
            Operation::Load { address, .. } => self.access(*address, true, false, effects),
            Operation::Store { address, value } => {
                self.access(*address, false, true, effects);
                self.value(*value, effects);
            }
            Operation::Copy { destination, source, size } => {
                self.access(*destination, false, true, effects);
                self.access(*source, true, false, effects);
                self.value(*size, effects);
            }
            Operation::Fill { destination, byte, size } => {
                self.access(*destination, false, true, effects);
                self.value(*byte, effects);
                self.value(*size, effects);
            }
            Operation::HavocMemory { address, size, .. } => {
                effects.havocs = true;
                self.access(*address, false, true, effects);
                self.value(*size, effects);
            }
            Operation::Allocate { size, .. } => {
                effects.allocates = true;
                self.value(*size, effects);
            }
            Operation::Free { address } => {
                effects.allocates = true;
                effects.releases = true;
                effects.writes_unknown_memory = true;
                self.value(*address, effects);
            }
            Operation::Declare { object, size } => {
                effects.writes.push(*object);
                if let Some(size) = size {
                    self.value(*size, effects);
                }
            }
            Operation::EndLife { object } => effects.writes.push(*object),
            Operation::Call { arguments, .. } => arguments.iter().for_each(|&argument| self.value(argument, effects)),
            Operation::AssumeMemory { condition, .. } => match condition {
                MemoryCondition::Accessible { address, size, .. } | MemoryCondition::Initialised { address, size } => {
                    // Only the object's size and life are asked for, but these belong to the object.
                    self.access(*address, true, false, effects);
                    self.value(*size, effects);
                }
                MemoryCondition::Freeable { address } => {
                    effects.reads_unknown_memory = true;
                    self.value(*address, effects);
                }
                MemoryCondition::AllReachable | MemoryCondition::NothingAllocated => effects.touches_everything = true,
            },
            Operation::Thread(_) | Operation::Unsupported { .. } => effects.touches_everything = true,
        }
    }
}

/// Whether what a register holds at a location may be read from there on, before it is written. (A register of the
/// whole program may be read by the caller that is called.)
pub fn is_needed(program: &Program, terms: &Terms, register: VarId, from: LocationId) -> bool {
    if program.variables[register].is_global() {
        return true;
    }
    let is_result = program.functions[program.locations[from].function].result == Some(register);
    let mut seen: FastSet<LocationId> = FastSet::default();
    let mut work = vec![from];
    while let Some(location) = work.pop() {
        if !seen.insert(location) {
            continue;
        }
        if is_result && program.functions[program.locations[location].function].exit == location {
            return true;
        }
        for edge in program.locations[location].outgoing.iter().map(|&edge| &program.edges[edge]) {
            let reads = |term: &Term| terms.free_symbols(*term).contains(&register.symbol());
            if edge.operation.terms().iter().any(reads) {
                return true;
            }
            if edge.operation.written_register() != Some(register) {
                work.push(edge.target);
            }
        }
    }
    false
}
