//! Puts the property on the automaton: checks become branches to target locations, so that every analysis has them
//! and none needs to know what an overflow or a leak is.
//!
//! The front end marks everything that some property asks about. What nobody asks for is taken out first (overflow
//! checks, ends of lives that nothing can tell), so that the program is as small as if it had never been there; then
//! new locations and edges are appended. What was asked stays in `program.questions`.

use super::initialised;
use super::strip::Strip;
use assay_base::{FastMap, FastSet, Id, IdVec};
use assay_cfa::checks::{CHECKS, Check};
use assay_cfa::operation::{CheckKind, MemoryCondition, Operation, ValueSource, ValueSourceKind, Zone};
use assay_cfa::program::{Edge, EdgeId, FunctionId, Location, LocationId, Mark, MarkKind, Origin, Program, Storage, VarId};
use assay_cfa::property::{CheckedPlace, Property, Questions, Target};
use assay_cfa::structure::{Order, escaped};
use assay_term::{Op, Term, Terms};

/// Keeps what the properties ask for, and adds the branches to targets.
///
/// - `UnreachCall`: each call of the function ends in an `UnreachCall` target; `UnreachLabel` likewise for a label.
/// - `NoOverflow`: each overflow check becomes a branch; where it fails a `NoOverflow` target is reached.
/// - `NoDivisionByZero`, `NoInvalidShift`: likewise for these checks.
/// - `Never`: likewise for the checks of a row of the table.
/// - `NoUninitialisedRead`: a test before each use of a value that may never have been written ([`initialised`]).
/// - `MemorySafety`: each access is preceded by a test that its bytes are in one live object, for a write one that is
///   no string literal (else `ValidDeref`, as for a call through a pointer that leads to no function), each `free` by a
///   test of its argument (else `ValidFree`), and where the program ends every live heap object must be reachable from
///   variables (else `ValidMemtrack`); `ValidDeref`, `ValidFree` and `ValidMemtrack` ask for one of these alone. Memory
///   that was lost stays lost, so looking at the end is enough; loops that have no way out are ends too, and are looked
///   at in each round.
/// - `MemoryCleanup`: where the program ends no heap object is alive (else `ValidMemcleanup`).
/// - `Termination`: an execution ends where a check fails; no place is a target.
///
/// A program that allocates nothing on the heap has nothing to lose there.
///
/// The program ends at the exit of its entry function (where `main`'s variables are gone) and where it halts (`abort`,
/// `exit`, …). Other properties add nothing.
pub fn instrument(mut program: Program, properties: &[Property]) -> Program {
    for property in properties {
        property.targets().iter().for_each(|&target| program.questions.insert(target));
    }
    if !program.edges.iter().any(|edge| matches!(edge.operation, Operation::Allocate { zone: Zone::Heap, .. })) {
        program.questions.remove(Target::ValidMemtrack);
        program.questions.remove(Target::ValidMemcleanup);
    }
    let asked = program.questions;
    let marks = std::mem::take(&mut program.marks);
    foreign_values(&mut program);
    if asked.about_memory() {
        forget_unknown_sizes(&mut program, &marks.elsewhere);
    }
    let mut strip = Strip::new(program);
    if !asked.about_accesses() {
        leave_out_reads(&mut strip, &marks.reads);
    }
    for property in properties {
        match property {
            Property::UnreachCall { function } | Property::CoverCall { function } => end_in_calls(&mut strip, &marks.places, function),
            Property::UnreachLabel { label } => end_in_marks(&mut strip, &marks.places, MarkKind::Label, label, Target::UnreachLabel),
            _ => {}
        }
    }
    let observed = if asked.about_memory() { FastSet::default() } else { ends_that_show(&strip.program) };
    strip.contract(|operation| match operation {
        Operation::Check { kind: CheckKind::SignedOverflow, .. } => {
            !asked.contains(Target::NoOverflow) && !asked.contains(Target::Termination)
        }
        Operation::EndLife { object } => !asked.about_memory() && !observed.contains(object),
        Operation::Check { kind: CheckKind::CallTarget, .. } => !asked.about_accesses(),
        Operation::Check { kind: CheckKind::Given, .. } => !asked.contains(Target::UninitialisedRead),
        Operation::Check { kind, .. } if kind.goes_on() => !further(asked).any(|check| check.kind == Some(*kind)),
        _ => false,
    });
    let mut program = strip.finish();
    if asked.contains(Target::UninitialisedRead) {
        program = initialised::instrument(program);
    }
    let terms = Terms::overlay(std::mem::take(&mut program.terms));
    let mut pass = Pass { program: &mut program, terms: &terms, targets: FastMap::default() };
    if asked.contains(Target::NoOverflow) {
        pass.checks(&[CheckKind::SignedOverflow, CheckKind::DivisionOverflow], Target::NoOverflow);
    }
    if asked.contains(Target::DivisionByZero) {
        pass.checks(&[CheckKind::DivisionByZero], Target::DivisionByZero);
    }
    if asked.contains(Target::InvalidShift) {
        pass.checks(&[CheckKind::ShiftRange], Target::InvalidShift);
    }
    for check in further(asked) {
        check.kind.iter().for_each(|&kind| pass.checks(&[kind], check.target));
    }
    if asked.contains(Target::ValidMemtrack) {
        pass.ends(MemoryCondition::AllReachable, Target::ValidMemtrack, true);
    }
    if asked.contains(Target::ValidMemcleanup) {
        pass.ends(MemoryCondition::NothingAllocated, Target::ValidMemcleanup, false);
    }
    if asked.about_accesses() {
        pass.accesses();
    }
    if asked.contains(Target::ValidDeref) {
        pass.checks(&[CheckKind::CallTarget], Target::ValidDeref);
    }
    if asked.contains(Target::Termination) {
        pass.end_where_undefined();
    }
    program.terms = terms.freeze();
    // Nobody has to care about memory for the sake of a program that never touches any.
    for kind in [Target::ValidDeref, Target::ValidFree] {
        if !program.locations.iter().any(|location| location.target == Some(kind)) {
            program.questions.remove(kind);
        }
    }
    program
}

/// The further checks that are asked for.
fn further(asked: Questions) -> impl Iterator<Item = &'static Check> {
    CHECKS.iter().filter(move |check| asked.contains(check.target))
}

/// The places of a program at which its questions are asked, each once, in the order of their kinds and places.
pub fn checked_places(program: &Program) -> Vec<CheckedPlace> {
    let place = |edge: &Edge| Some((program.locations[edge.target].target?, edge.span));
    let mut places: Vec<CheckedPlace> = program.edges.iter().filter_map(place).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Asks no longer at this place: whoever fails there ends, and what comes behind it is judged for the others. Ids stay.
pub fn settle(program: &mut Program, place: CheckedPlace) {
    for id in program.edges.ids().collect::<Vec<_>>() {
        let Edge { source, target, span, .. } = program.edges[id];
        if program.locations[target].target != Some(place.0) || span != place.1 {
            continue;
        }
        program.locations[target].incoming.retain(|&edge| edge != id);
        let function = program.locations[source].function;
        let end = program.locations.push(Location { function, outgoing: vec![], incoming: vec![id], target: None });
        program.edges[id].target = end;
    }
}

/// Variables whose end shows even where nobody asks about memory: what is declared later may have the same address.
fn ends_that_show(program: &Program) -> FastSet<VarId> {
    let ended = |edge: &Edge| match edge.operation {
        Operation::EndLife { object } => Some(object),
        _ => None,
    };
    let mut ended: FastSet<VarId> = program.edges.iter().filter_map(ended).collect();
    if !ended.is_empty() {
        let escaped = escaped(program);
        ended.retain(|&object| escaped[object]);
    }
    ended
}

/// What comes from somewhere else may have addresses in it: where memory is in question, nobody may choose what they
/// lead to.
fn foreign_values(program: &mut Program) {
    let about_memory = program.questions.about_memory();
    for source in program.value_sources.iter_mut() {
        source.kind = match source.kind {
            ValueSourceKind::Foreign | ValueSourceKind::SystemForeign if about_memory => ValueSourceKind::Approximation,
            ValueSourceKind::Foreign => ValueSourceKind::External,
            ValueSourceKind::SystemForeign => ValueSourceKind::System,
            kind => kind,
        };
    }
}

/// Where memory is in question, the address of an object whose size nobody knows is any address.
fn forget_unknown_sizes(program: &mut Program, objects: &[VarId]) {
    if objects.is_empty() {
        return;
    }
    let terms = Terms::overlay(program.terms.clone());
    let named = |value: Term| {
        let mut symbols = vec![];
        terms.post_order([value], |_, node| symbols.extend((node.op == Op::Address).then(|| node.symbol())));
        objects.iter().copied().find(|object| symbols.contains(&object.symbol()))
    };
    for edge in program.edges.ids().collect::<Vec<_>>() {
        if let Operation::Assign { target, value } = program.edges[edge].operation
            && let Some(object) = named(value)
        {
            let (name, span) = (program.variables[object].source_name.clone(), program.edges[edge].span);
            let source = program.value_sources.push(ValueSource { kind: ValueSourceKind::Approximation, name, span });
            program.edges[edge].operation = Operation::Havoc { target, source };
        }
    }
    let width = program.model.pointer_width();
    let mut unknown = vec![];
    for (id, variable) in program.variables.iter_ids() {
        for (offset, value) in &variable.initial {
            let Some(object) = named(*value) else { continue };
            let name = program.variables[object].source_name.clone();
            let source = program.value_sources.push(ValueSource { kind: ValueSourceKind::Approximation, name, span: variable.span });
            unknown.push(match variable.storage {
                Storage::Register { .. } => Operation::Havoc { target: id, source },
                Storage::Memory { .. } => Operation::HavocMemory {
                    address: terms.add(terms.address(id.symbol(), width), terms.number(width, u128::from(*offset))),
                    size: terms.number(width, u128::from(terms.width(*value) / 8)),
                    source,
                },
            });
        }
    }
    program.terms = terms.freeze();
    for operation in unknown {
        let start = program.entry;
        let (entry, span) = (program.functions[start].entry, program.functions[start].span);
        let first = program.locations.push(Location { function: start, outgoing: vec![], incoming: vec![], target: None });
        let edge = program.edges.push(Edge { source: first, target: entry, operation, span, origin: Origin::Internal });
        program.locations[first].outgoing.push(edge);
        program.locations[entry].incoming.push(edge);
        program.functions[start].entry = first;
    }
}

/// What is only read to see whether it can be is not looked at.
fn leave_out_reads(strip: &mut Strip, reads: &[(LocationId, LocationId)]) {
    for &(start, end) in reads {
        let (span, origin) = match strip.program.locations[start].outgoing.first() {
            Some(&first) => (strip.program.edges[first].span, strip.program.edges[first].origin),
            None => continue,
        };
        let edge = strip.program.edges.push(Edge { source: start, target: end, operation: Operation::Skip, span, origin });
        strip.program.locations[end].incoming.push(edge);
        strip.cut_after(start);
        strip.program.locations[start].outgoing.push(edge);
    }
}

/// Every call of the function ends in a target.
fn end_in_calls(strip: &mut Strip, places: &[Mark], function: &str) {
    let is_called = |name: &str| name.strip_prefix(function).is_some_and(|rest| rest.is_empty() || rest.starts_with('#'));
    for id in strip.program.edges.ids().collect::<Vec<_>>() {
        let Edge { source, operation: Operation::Call { callee, .. }, .. } = strip.program.edges[id] else { continue };
        if !is_called(&strip.program.functions[callee].name) || strip.is_dead(source) {
            continue;
        }
        strip.forget_incoming(id);
        let target = new_target(&mut strip.program, source, Target::UnreachCall);
        strip.program.edges[id].operation = Operation::Skip;
        strip.program.edges[id].target = target;
        strip.program.locations[target].incoming.push(id);
    }
    end_in_marks(strip, places, MarkKind::Call, function, Target::UnreachCall);
    // Nothing is assumed about a function that nobody comes back from.
    strip.program.assumptions.retain(|assumption| assumption.fact.function_without_body() != Some(function));
}

/// Every such place ends in a target.
fn end_in_marks(strip: &mut Strip, places: &[Mark], kind: MarkKind, name: &str, kind_of_target: Target) {
    for mark in places.iter().filter(|mark| mark.kind == kind && mark.name == name) {
        if strip.is_dead(mark.location) {
            continue;
        }
        strip.cut_after(mark.location);
        let target = new_target(&mut strip.program, mark.location, kind_of_target);
        let edge = Edge { source: mark.location, target, operation: Operation::Skip, span: mark.span, origin: mark.origin };
        let edge = strip.program.edges.push(edge);
        strip.program.locations[mark.location].outgoing.push(edge);
        strip.program.locations[target].incoming.push(edge);
    }
}

fn new_target(program: &mut Program, beside: LocationId, target: Target) -> LocationId {
    let function = program.locations[beside].function;
    program.locations.push(Location { function, outgoing: vec![], incoming: vec![], target: Some(target) })
}

struct Pass<'a> {
    program: &'a mut Program,
    terms: &'a Terms,
    /// One target location a function and kind.
    targets: FastMap<(FunctionId, Target), LocationId>,
}

impl Pass<'_> {
    /// Each check of these kinds becomes a branch.
    fn checks(&mut self, kinds: &[CheckKind], target: Target) {
        for id in self.program.edges.ids().collect::<Vec<_>>() {
            let Operation::Check { kind: found, fails } = self.program.edges[id].operation else { continue };
            if !kinds.contains(&found) {
                continue;
            }
            if self.terms.is_false(fails) {
                self.program.edges[id].operation = Operation::Skip;
                continue;
            }
            let passes = self.terms.not(fails);
            self.program.edges[id].operation = Operation::Assume { condition: passes };
            self.branch_to_target(id, Operation::Assume { condition: fails }, target);
        }
    }

    /// Behaviour that is undefined ends an execution: the question whether executions end is about the others.
    fn end_where_undefined(&mut self) {
        for id in self.program.edges.ids().collect::<Vec<_>>() {
            let Operation::Check { kind, fails } = self.program.edges[id].operation else { continue };
            if matches!(kind, CheckKind::Given | CheckKind::CallTarget) {
                continue;
            }
            self.program.edges[id].operation = match self.terms.is_false(fails) {
                true => Operation::Skip,
                false => Operation::Assume { condition: self.terms.not(fails) },
            };
        }
    }

    fn accesses(&mut self) {
        let asked = self.program.questions;
        let ended = EndedObjects::of(self.program);
        let width = self.program.model.pointer_width();
        for id in self.program.edges.ids().collect::<Vec<_>>() {
            let number = |bits: u32| self.terms.number(width, u128::from(bits / 8));
            let mut needed: Vec<(MemoryCondition, Target)> = vec![];
            let mut access = |address: Term, size: Term, write: bool, pass: &Self| {
                if !pass.is_safe(id, address, size, write, &ended) {
                    needed.push((MemoryCondition::Accessible { address, size, write }, Target::ValidDeref));
                }
            };
            match &self.program.edges[id].operation {
                Operation::Load { target, address } => {
                    let bits = self.program.variables[*target].register_width().unwrap_or(width);
                    access(*address, number(bits), false, self);
                }
                Operation::Store { address, value } => access(*address, number(self.terms.width(*value)), true, self),
                Operation::Copy { destination, source, size } => {
                    access(*destination, *size, true, self);
                    access(*source, *size, false, self);
                }
                Operation::Fill { destination: address, size, .. } | Operation::HavocMemory { address, size, .. } => {
                    access(*address, *size, true, self);
                }
                // What the lowering asks of its own accord, as what the library demands of an argument.
                &Operation::AssumeMemory { condition: MemoryCondition::Accessible { address, size, write }, holds } => {
                    if self.is_safe(id, address, size, write, &ended) {
                        let condition = self.terms.bool(holds);
                        self.program.edges[id].operation = Operation::Assume { condition };
                    }
                    continue;
                }
                Operation::Free { address } => {
                    needed.push((MemoryCondition::Freeable { address: *address }, Target::ValidFree));
                }
                _ => {}
            }
            for (condition, target) in needed.into_iter().filter(|(_, target)| asked.contains(*target)) {
                self.test_before(id, condition, target);
            }
        }
    }

    /// Whether the access lies at a constant place inside an object that is alive whenever the edge is taken.
    fn is_safe(&self, edge: EdgeId, address: Term, size: Term, write: bool, ended: &EndedObjects) -> bool {
        let Some(size) = self.terms.as_constant(size) else { return false };
        if size.is_zero() {
            return true;
        }
        let Some((object, offset)) = self.object_and_offset(address) else { return false };
        let Storage::Memory { size: Some(object_size), constant, .. } = self.program.variables[object].storage else { return false };
        if write && constant {
            return false;
        }
        let inside = offset.checked_add(size.value()).is_some_and(|end| end <= u128::from(object_size));
        inside && (self.program.variables[object].is_global() || !ended.may_have_ended(object, self.program.edges[edge].source))
    }

    /// Reads an address as a variable's plus a constant.
    fn object_and_offset(&self, address: Term) -> Option<(VarId, u128)> {
        let node = self.terms.node(address);
        match node.op {
            Op::Address => Some((self.program.variable_of(node.symbol())?, 0)),
            Op::Add => {
                let (a, b) = (self.terms.node(node.operand(0)), self.terms.node(node.operand(1)));
                let (base, offset) = if a.op == Op::Const { (b, a) } else { (a, b) };
                if base.op != Op::Address || offset.op != Op::Const {
                    return None;
                }
                Some((self.program.variable_of(base.symbol())?, offset.constant()))
            }
            _ => None,
        }
    }

    /// Makes the condition a test where the program ends.
    fn ends(&mut self, condition: MemoryCondition, target: Target, endless_loops: bool) {
        let exit = self.program.functions[self.program.entry].exit;
        let mut places: Vec<LocationId> = vec![];
        for (id, location) in self.program.locations.iter_ids() {
            let is_end = location.outgoing.is_empty() && location.target.is_none() && self.program.functions[location.function].exit != id;
            if is_end && !location.incoming.is_empty() {
                places.push(id);
            }
        }
        if !self.program.locations[exit].incoming.is_empty() {
            places.push(exit);
        }
        if endless_loops {
            places.extend(heads_of_endless_loops(self.program));
        }
        for place in places {
            // All ways to the end go through one test, which stands in a location of its own before it.
            let function = self.program.locations[place].function;
            let test = self.new_location(function, None);
            let incoming = std::mem::take(&mut self.program.locations[place].incoming);
            let span = incoming.first().map_or(self.program.functions[function].span, |&edge| self.program.edges[edge].span);
            for &edge in &incoming {
                self.program.edges[edge].target = test;
            }
            self.program.locations[test].incoming = incoming;
            let violated = self.target_of(function, target);
            let holds = Operation::AssumeMemory { condition: condition.clone(), holds: true };
            let fails = Operation::AssumeMemory { condition: condition.clone(), holds: false };
            self.new_edge(Edge { source: test, target: place, operation: holds, span, origin: Origin::Internal });
            self.new_edge(Edge { source: test, target: violated, operation: fails, span, origin: Origin::Internal });
            if self.program.functions[function].entry == place {
                self.program.functions[function].entry = test;
            }
        }
    }

    /// Splits an edge: the test first, then the operation where it holds.
    fn test_before(&mut self, id: EdgeId, condition: MemoryCondition, target: Target) {
        let Edge { source, span, origin, .. } = self.program.edges[id];
        let function = self.program.locations[source].function;
        let middle = self.new_location(function, None);
        let origin_of_test = match origin {
            // The test is what the statement begins with, so that a path that ends in it still shows the statement.
            Origin::Statement => {
                self.program.edges[id].origin = Origin::Internal;
                Origin::Statement
            }
            _ => Origin::Internal,
        };
        let holds = Operation::AssumeMemory { condition: condition.clone(), holds: true };
        let fails = Operation::AssumeMemory { condition, holds: false };
        let violated = self.target_of(function, target);
        self.program.locations[source].outgoing.retain(|&edge| edge != id);
        self.program.locations[middle].outgoing.push(id);
        self.program.edges[id].source = middle;
        self.new_edge(Edge { source, target: middle, operation: holds, span, origin: origin_of_test });
        self.new_edge(Edge { source, target: violated, operation: fails, span, origin: origin_of_test });
    }

    /// A second way out of the edge's source, to the function's target.
    fn branch_to_target(&mut self, beside: EdgeId, operation: Operation, target: Target) {
        let Edge { source, span, origin, .. } = self.program.edges[beside];
        let violated = self.target_of(self.program.locations[source].function, target);
        self.new_edge(Edge { source, target: violated, operation, span, origin });
    }

    fn target_of(&mut self, function: FunctionId, target: Target) -> LocationId {
        if let Some(&known) = self.targets.get(&(function, target)) {
            return known;
        }
        let location = self.new_location(function, Some(target));
        self.targets.insert((function, target), location);
        location
    }

    fn new_location(&mut self, function: FunctionId, target: Option<Target>) -> LocationId {
        self.program.locations.push(Location { function, outgoing: vec![], incoming: vec![], target })
    }

    fn new_edge(&mut self, edge: Edge) {
        let (source, target) = (edge.source, edge.target);
        let id = self.program.edges.push(edge);
        self.program.locations[source].outgoing.push(id);
        self.program.locations[target].incoming.push(id);
    }
}

/// Where memory locals may have ended before their frame did.
struct EndedObjects {
    /// For the objects that some edge ends early: the locations at which they may be dead. `None` where looking would
    /// have taken too long.
    places: FastMap<VarId, Option<assay_base::FastSet<LocationId>>>,
}

impl EndedObjects {
    /// The search goes once through a function for each of its objects, which is too long for huge functions with many;
    /// past this many steps the answer is "may have ended", which costs a test that always holds.
    const STEPS: usize = 2_000_000;

    fn of(program: &Program) -> Self {
        let mut ends: FastMap<VarId, Vec<LocationId>> = FastMap::default();
        let mut order = vec![];
        for edge in program.edges.iter() {
            if let Operation::EndLife { object } = edge.operation {
                ends.entry(object).or_insert_with(|| {
                    order.push(object);
                    vec![]
                });
                ends.entry(object).or_default().push(edge.target);
            }
        }
        let mut steps = 0;
        let mut places = FastMap::default();
        for object in order {
            let mut stack = ends.remove(&object).unwrap_or_default();
            let mut seen = FastSet::default();
            while let Some(location) = stack.pop() {
                steps += 1;
                if steps > Self::STEPS {
                    break;
                }
                if !seen.insert(location) {
                    continue;
                }
                for &edge in &program.locations[location].outgoing {
                    let edge = &program.edges[edge];
                    if !matches!(edge.operation, Operation::Declare { object: again, .. } if again == object) {
                        stack.push(edge.target);
                    }
                }
            }
            places.insert(object, (steps <= Self::STEPS).then_some(seen));
        }
        EndedObjects { places }
    }

    fn may_have_ended(&self, object: VarId, place: LocationId) -> bool {
        match self.places.get(&object) {
            None => false,
            Some(None) => true,
            Some(Some(places)) => places.contains(&place),
        }
    }
}

/// One location of each cycle from which neither the exit of the function nor a halt can be reached.
fn heads_of_endless_loops(program: &Program) -> Vec<LocationId> {
    let mut ends: IdVec<LocationId, bool> = IdVec::filled(false, program.locations.len());
    let mut stack: Vec<LocationId> = vec![];
    for (id, location) in program.locations.iter_ids() {
        if location.outgoing.is_empty() {
            ends[id] = true;
            stack.push(id);
        }
    }
    while let Some(location) = stack.pop() {
        for &edge in &program.locations[location].incoming {
            let source = program.edges[edge].source;
            if !std::mem::replace(&mut ends[source], true) {
                stack.push(source);
            }
        }
    }
    if ends.iter().all(|&end| end) {
        return vec![];
    }
    let order = Order::of(program);
    let mut heads: Vec<LocationId> = order.retreating.iter().map(|&edge| program.edges[edge].target).filter(|&l| !ends[l]).collect();
    heads.sort_unstable_by_key(|l| l.index());
    heads.dedup();
    heads
}

#[cfg(test)]
#[path = "property_tests.rs"]
mod tests;
