//! Which registers may hold a value that was never written, by looking at the automaton only: each function for itself,
//! with facts about the whole program (which objects may be unwritten, and where unwritten values may have been stored)
//! until nothing changes.

use assay_base::{ByteRanges, FastMap, FastSet, IdVec};
use assay_cfa::operation::{Operation, ValueSourceKind, Zone};
use assay_cfa::program::{EdgeId, FunctionId, LocationId, Program, Role, Storage, VarId};
use assay_cfa::structure::Order;
use assay_term::{Op, Term, Terms};
use std::collections::BTreeSet;

/// What was found.
pub(super) struct Suspects {
    /// Registers that may be unwritten, wherever a function may be, by their slots.
    at: IdVec<LocationId, Slots>,
    /// Global registers and results that may be.
    everywhere: FastSet<VarId>,
    loads: FastSet<EdgeId>,
    shadowed: FastSet<VarId>,
    /// Those of them to which a jump may lead past the declaration.
    passed: FastSet<VarId>,
    /// Those of them that are what the program returns to the system.
    given: FastSet<VarId>,
}

impl Suspects {
    pub(super) fn is_empty(&self) -> bool {
        self.shadowed.is_empty()
    }

    pub(super) fn needs_shadow(&self, register: VarId) -> bool {
        self.shadowed.contains(&register)
    }

    pub(super) fn is_suspect_load(&self, edge: EdgeId) -> bool {
        self.loads.contains(&edge)
    }

    /// The registers of a value that may be unwritten at a location.
    pub(super) fn among(&self, program: &Program, terms: &Terms, at: LocationId, value: Term) -> Vec<VarId> {
        let variables = terms.free_symbols(value).into_iter().filter_map(|symbol| program.variable_of(symbol));
        let is_suspect = |&variable: &VarId| match program.variables[variable].is_global() {
            true => self.everywhere.contains(&variable),
            false => self.at[at].contains(program.variables[variable].slot) || self.everywhere.contains(&variable),
        };
        variables.filter(is_suspect).collect()
    }

    /// Whether the register is what the program returns to the system.
    pub(super) fn is_given(&self, register: VarId) -> bool {
        self.given.contains(&register)
    }

    pub(super) fn may_be_passed(&self, register: VarId) -> bool {
        self.passed.contains(&register)
    }
}

/// A set of slots of a frame.
#[derive(Clone, PartialEq, Eq, Default)]
struct Slots(Vec<u64>);

impl Slots {
    fn contains(&self, slot: u32) -> bool {
        self.0.get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
    }

    fn set(&mut self, slot: u32, value: bool) {
        let at = slot as usize / 64;
        if value && self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        if let Some(word) = self.0.get_mut(at) {
            *word = *word & !(1 << (slot % 64)) | u64::from(value) << (slot % 64);
        }
    }

    /// Adds another set; whether that changed anything.
    fn extend(&mut self, other: &Slots) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut changed = false;
        for (word, &more) in self.0.iter_mut().zip(&other.0) {
            changed |= *word | more != *word;
            *word |= more;
        }
        changed
    }
}

/// What is known at a location.
#[derive(Clone, PartialEq, Default)]
struct Known {
    unwritten: Slots,
    /// Variables that nothing was done to since the function began.
    untouched: Slots,
    /// What was surely written of objects of the function.
    written: FastMap<VarId, ByteRanges>,
}

impl Known {
    /// The caller that comes in both cases knows what both know; whether anything changed.
    fn join(&mut self, other: &Known) -> bool {
        let before = self.written.len();
        let mut changed = self.unwritten.extend(&other.unwritten) | self.untouched.extend(&other.untouched);
        self.written.retain(|object, ranges| {
            let Some(others) = other.written.get(object) else { return false };
            let common = ranges.common(others);
            changed |= common != *ranges;
            *ranges = common;
            true
        });
        changed || self.written.len() != before
    }
}

/// Where an address leads.
enum Destination {
    /// To an object of the program, at an offset if it is constant.
    Of(VarId, Option<u64>),
    Anywhere,
}

struct Search<'a> {
    program: &'a Program,
    terms: Terms,
    /// Locals of which something may be unwritten when they are read.
    fresh: FastSet<VarId>,
    /// Whether a pointer may lead to memory that was never written.
    fresh_behind_pointers: bool,
    /// Objects into which an unwritten value may have been put.
    soiled: FastSet<VarId>,
    /// The same for objects that only pointers lead to, or for all.
    soiled_behind_pointers: bool,
    everywhere: FastSet<VarId>,
    loads: FastSet<EdgeId>,
    order: Order,
}

pub(super) fn find(program: &Program) -> Suspects {
    let terms = Terms::overlay(program.terms.clone());
    let mut search = Search {
        program,
        terms,
        fresh: FastSet::default(),
        fresh_behind_pointers: false,
        soiled: FastSet::default(),
        soiled_behind_pointers: false,
        everywhere: FastSet::default(),
        loads: FastSet::default(),
        order: Order::of(program),
    };
    search.objects();
    loop {
        let before = search.size();
        let mut at: IdVec<LocationId, Slots> = IdVec::filled(Slots::default(), program.locations.len());
        let mut untouched = at.clone();
        for function in program.functions.ids() {
            for (location, known) in search.function(function) {
                (at[location], untouched[location]) = (known.unwritten, known.untouched);
            }
        }
        if search.size() == before {
            let Search { everywhere, loads, .. } = search;
            let mut found =
                Suspects { at, everywhere, loads, shadowed: FastSet::default(), passed: FastSet::default(), given: FastSet::default() };
            found.shadow(program, &untouched);
            return found;
        }
    }
}

impl Suspects {
    /// Finds the registers that are read where they may be unwritten.
    fn shadow(&mut self, program: &Program, untouched: &IdVec<LocationId, Slots>) {
        let terms = Terms::overlay(program.terms.clone());
        let mut read: FastSet<VarId> = FastSet::default();
        for (id, edge) in program.edges.iter_ids() {
            let mut values = edge.operation.terms();
            values.extend(super::uses(program, id));
            let among = |value: Term| self.among(program, &terms, edge.source, value);
            let registers: Vec<VarId> = values.into_iter().flat_map(among).collect();
            for register in registers {
                read.insert(register);
                let variable = &program.variables[register];
                if !variable.is_global() && untouched[edge.source].contains(variable.slot) {
                    self.passed.insert(register);
                }
            }
            // The value of a call is read by the caller that takes it.
            if let Operation::Call { callee, result: Some(_), .. } = edge.operation {
                read.extend(program.functions[callee].result.filter(|result| self.everywhere.contains(result)));
            }
        }
        // The lowering's own start calls the function that the program begins with.
        let first = program.edges.iter().filter_map(|edge| match edge.operation {
            Operation::Call { callee, .. } if program.locations[edge.source].function == program.entry => Some(callee),
            _ => None,
        });
        let is_start = program.functions[program.entry].name.starts_with('$');
        let results = first.filter(|_| is_start).filter_map(|function| program.functions[function].result);
        self.given = results.filter(|result| self.everywhere.contains(result)).collect();
        read.extend(&self.given);
        self.shadowed = read;
    }
}

impl Search<'_> {
    fn size(&self) -> (usize, usize, bool, usize) {
        (self.soiled.len(), self.everywhere.len(), self.soiled_behind_pointers, self.loads.len())
    }

    /// Which objects are not written as a whole when they are made, and whether pointers may lead to them.
    fn objects(&mut self) {
        let program = self.program;
        for (id, edge) in program.edges.iter_ids() {
            match edge.operation {
                Operation::Declare { object, .. } if !self.is_written_at_once(id, object) => {
                    self.fresh.insert(object);
                }
                Operation::Allocate { zeroed: false, zone: Zone::Heap | Zone::Stack, .. } => self.fresh_behind_pointers = true,
                _ => {}
            }
        }
        for edge in program.edges.iter() {
            let mut escaping: Vec<Term> = vec![];
            match &edge.operation {
                Operation::Store { value, .. } => escaping.push(*value),
                Operation::Load { .. }
                | Operation::Copy { .. }
                | Operation::Fill { .. }
                | Operation::HavocMemory { .. }
                | Operation::AssumeMemory { .. } => {}
                other => escaping = other.terms(),
            }
            for value in escaping {
                let (terms, fresh) = (&self.terms, &self.fresh);
                let mut found = false;
                terms.post_order([value], |_, node| {
                    found |= node.op == Op::Address && program.variable_of(node.symbol()).is_some_and(|variable| fresh.contains(&variable));
                });
                self.fresh_behind_pointers |= found;
            }
        }
    }

    /// Whether a declared object is written as a whole before anything else can happen to it, as an initialiser does.
    fn is_written_at_once(&self, declaration: EdgeId, object: VarId) -> bool {
        let program = self.program;
        let Storage::Memory { size: Some(size), .. } = program.variables[object].storage else { return false };
        let mut written = ByteRanges::default();
        let mut location = program.edges[declaration].target;
        loop {
            if written.covers(0, size) {
                return true;
            }
            let (&[next], 1) = (&program.locations[location].outgoing[..], program.locations[location].incoming.len()) else {
                return false;
            };
            match &program.edges[next].operation {
                Operation::Store { address, value } => {
                    if let Destination::Of(to, Some(offset)) = self.place(*address)
                        && to == object
                    {
                        written.add(offset, offset + u64::from(self.terms.width(*value) / 8));
                    }
                }
                Operation::Fill { destination, size, .. } => {
                    if let (Destination::Of(to, Some(offset)), Some(bytes)) = (self.place(*destination), self.terms.as_constant(*size))
                        && to == object
                    {
                        written.add(offset, offset.saturating_add(bytes.value() as u64));
                    }
                }
                Operation::Assign { .. } | Operation::Skip | Operation::Declare { .. } | Operation::Check { .. } => {}
                _ => return false,
            }
            location = program.edges[next].target;
        }
    }

    fn place(&self, address: Term) -> Destination {
        let terms = &self.terms;
        let (mut object, mut offset, mut constant) = (None, 0u64, true);
        let mut work = vec![address];
        while let Some(term) = work.pop() {
            let node = terms.node(term);
            match node.op {
                Op::Add => work.extend([node.operand(0), node.operand(1)]),
                Op::Const => offset = offset.wrapping_add(node.constant() as u64),
                Op::Address => match self.program.variable_of(node.symbol()) {
                    Some(variable) if object.is_none() => object = Some(variable),
                    _ => return Destination::Anywhere,
                },
                _ => {
                    constant = false;
                    let mut other = false;
                    terms.post_order([term], |_, node| other |= node.op == Op::Address);
                    if other {
                        return Destination::Anywhere;
                    }
                }
            }
        }
        match object {
            Some(object) => Destination::Of(object, constant.then_some(offset)),
            None => Destination::Anywhere,
        }
    }

    /// The facts at each location of a function.
    fn function(&mut self, function: FunctionId) -> FastMap<LocationId, Known> {
        let program = self.program;
        let mut facts: FastMap<LocationId, Known> = FastMap::default();
        let mut first = Known::default();
        let is_local = |id: &&VarId| program.variables[**id].role == Role::Source && program.variables[**id].register_width().is_some();
        for &local in program.functions[function].locals.iter().filter(is_local) {
            first.unwritten.set(program.variables[local].slot, true);
            first.untouched.set(program.variables[local].slot, true);
        }
        let entry = program.functions[function].entry;
        facts.insert(entry, first);
        // In reverse postorder, so that a location is looked at again only where a loop brings something new.
        let mut work: BTreeSet<(u32, LocationId)> = BTreeSet::from([(0, entry)]);
        while let Some((_, location)) = work.pop_first() {
            let here = facts[&location].clone();
            for &edge in &program.locations[location].outgoing {
                let mut next = here.clone();
                self.step(edge, &mut next);
                let target = program.edges[edge].target;
                match facts.get_mut(&target) {
                    Some(known) => {
                        if known.join(&next) {
                            work.insert((self.order.position[target], target));
                        }
                    }
                    None => {
                        facts.insert(target, next);
                        work.insert((self.order.position[target], target));
                    }
                }
            }
        }
        facts
    }

    fn may_be_unwritten(&self, known: &Known, value: Term) -> bool {
        let mut registers = self.terms.free_symbols(value).into_iter().filter_map(|symbol| self.program.variable_of(symbol));
        registers.any(|register| {
            let variable = &self.program.variables[register];
            !variable.is_global() && known.unwritten.contains(variable.slot) || self.everywhere.contains(&register)
        })
    }

    /// A value that may be unwritten, or one that is not, goes to a register.
    fn assign(&mut self, known: &mut Known, target: VarId, unwritten: bool) {
        let variable = &self.program.variables[target];
        if variable.is_global() || variable.role == Role::Result {
            if unwritten {
                self.everywhere.insert(target);
            }
        } else {
            known.unwritten.set(variable.slot, unwritten);
            known.untouched.set(variable.slot, false);
        }
    }

    /// Whether some of the bytes may be unwritten.
    fn memory_may_be_unwritten(&self, known: &Known, address: Term, bytes: Option<u64>) -> bool {
        let (object, offset) = match self.place(address) {
            Destination::Of(object, offset) => (object, offset),
            Destination::Anywhere => return self.fresh_behind_pointers || self.soiled_behind_pointers || !self.soiled.is_empty(),
        };
        if self.soiled.contains(&object) || self.soiled_behind_pointers {
            return true;
        }
        if !self.fresh.contains(&object) {
            return false;
        }
        let size = match self.program.variables[object].storage {
            Storage::Memory { size: Some(size), .. } => size,
            _ => return true,
        };
        let (from, to) = match (offset, bytes) {
            (Some(offset), Some(bytes)) => (offset, offset.saturating_add(bytes)),
            _ => (0, size),
        };
        !known.written.get(&object).is_some_and(|written| written.covers(from, to))
    }

    /// Bytes are written, by something that may be unwritten itself.
    fn write(&mut self, known: &mut Known, address: Term, bytes: Option<u64>, unwritten: bool) {
        match self.place(address) {
            Destination::Of(object, offset) => {
                if unwritten {
                    self.soiled.insert(object);
                }
                if let (Some(offset), Some(bytes), false) = (offset, bytes, unwritten) {
                    known.written.entry(object).or_default().add(offset, offset.saturating_add(bytes));
                }
            }
            Destination::Anywhere => self.soiled_behind_pointers |= unwritten,
        }
    }

    fn step(&mut self, id: EdgeId, known: &mut Known) {
        let program = self.program;
        let constant = |terms: &Terms, size: Term| terms.as_constant(size).map(|bits| bits.value() as u64);
        match &program.edges[id].operation {
            Operation::Assign { target, value } => {
                let unwritten = self.may_be_unwritten(known, *value);
                self.assign(known, *target, unwritten);
            }
            Operation::Havoc { target, source } => {
                let unwritten = program.value_sources[*source].kind == ValueSourceKind::Uninitialised;
                self.assign(known, *target, unwritten);
            }
            Operation::Load { target, address } => {
                let bytes = program.variables[*target].register_width().map(|width| u64::from(width / 8));
                let unwritten = self.memory_may_be_unwritten(known, *address, bytes);
                if unwritten {
                    self.loads.insert(id);
                }
                self.assign(known, *target, unwritten);
            }
            Operation::Allocate { target, .. } => self.assign(known, *target, false),
            Operation::Call { callee, result: Some(target), .. } => {
                let unwritten = program.functions[*callee].result.is_some_and(|result| self.everywhere.contains(&result));
                self.assign(known, *target, unwritten);
            }
            Operation::Store { address, value } => {
                let unwritten = self.may_be_unwritten(known, *value);
                let bytes = u64::from(self.terms.width(*value) / 8);
                self.write(known, *address, Some(bytes), unwritten);
            }
            Operation::Copy { destination, source, size } => {
                let bytes = constant(&self.terms, *size);
                let unwritten = self.memory_may_be_unwritten(known, *source, bytes);
                self.write(known, *destination, bytes, unwritten);
            }
            Operation::Fill { destination: address, size, .. } | Operation::HavocMemory { address, size, .. } => {
                let bytes = constant(&self.terms, *size);
                self.write(known, *address, bytes, false);
            }
            Operation::Declare { object, .. } => {
                known.written.remove(object);
            }
            _ => {}
        }
    }
}
