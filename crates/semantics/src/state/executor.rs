//! What each operation does to a state.

use super::memory::Filling;
use super::object::{Lifetime, ObjectName};
use super::state::State;
use super::value::{FreshOrigin, ObjectId, Value};
use crate::environment::ExternalMemory;
use assay_cfa::operation::{Operation, ValueSourceKind, Zone};
use assay_cfa::program::{Edge, EdgeId, Program, Storage};
use assay_term::{Term, Terms};

/// What an analysis makes of values that the program does not determine.
pub trait Semantics {
    /// Whether terms over symbols may be values. Without it, what depends on a symbol is `Unknown`.
    fn symbolic(&self) -> bool;
    /// An unconstrained value of this width.
    fn fresh(&mut self, terms: &Terms, state: &mut State, width: u32, origin: FreshOrigin) -> Value;
    /// Whether a run is concrete: an unknown value is then one that nothing may choose, and memory keeps it as such.
    fn concrete(&self) -> bool {
        false
    }
    /// The memory of the environment, where values are chosen: its object and its place.
    #[inline]
    fn environment(&self) -> Option<(ObjectId, ExternalMemory)> {
        None
    }
    /// The path does something undefined here (or may do so, where `certain` is false).
    fn undefined(&mut self, _what: Undefined, _certain: bool) {}
    /// The condition of an undefined operation (`Check`), where it has a symbolic value.
    fn undefined_if(&mut self, _what: Undefined, _condition: Term) {}
    /// The path goes on whatever the inputs are, as far as anybody knows, but surely only where the condition fails.
    fn doubtful_if(&mut self, _condition: Term) {}
}

/// Undefined behaviour that a step met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undefined {
    /// An access outside any live object, or through a pointer to none.
    Access,
    /// `free` of something that is not the start of a live heap object.
    Free,
    /// A condition that the lowering marked.
    Check(assay_cfa::operation::CheckKind),
}

/// How a condition evaluates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Truth {
    /// It holds.
    Yes,
    /// It does not hold.
    No,
    /// Undecided; the term says when it holds, where there is one.
    Maybe(Option<Term>),
    /// Surely no where the term fails, and undecided elsewhere.
    MaybeIf(Term),
}

/// What became of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepResult {
    /// The path ends here: a condition is false.
    Infeasible,
    /// The path goes on.
    Continue,
    /// The path goes on where the term holds.
    ContinueIf(Term),
    /// The operation is not supported; nothing is known beyond it.
    Unsupported,
}

/// Executes operations of a program; `terms` is an overlay on the program's.
#[derive(Clone, Copy)]
pub struct Executor<'a> {
    /// Whose operations are executed.
    pub program: &'a Program,
    /// Where values are made.
    pub terms: &'a Terms,
}

impl<'a> Executor<'a> {
    /// Of a program; `terms` is an overlay on the program's.
    pub fn new(program: &'a Program, terms: &'a Terms) -> Self {
        Executor { program, terms }
    }

    /// The state where the program begins.
    pub fn initial(&self) -> State {
        State::initial(self.program, self.terms)
    }

    /// Executes an edge. A call enters the callee; [`leave`](Self::leave) comes back.
    pub fn step<S: Semantics>(&self, semantics: &mut S, state: &mut State, edge: EdgeId) -> StepResult {
        let Edge { operation, .. } = &self.program.edges[edge];
        match operation {
            Operation::Skip => StepResult::Continue,
            Operation::Assume { condition } => {
                let truth = self.truth(semantics, state, *condition);
                if let Truth::Maybe(_) = truth
                    && !self.learn(semantics, state, *condition, true)
                {
                    return StepResult::Infeasible;
                }
                self.result(truth, true)
            }
            Operation::Assign { target, value } => {
                let value = self.eval(semantics, state, *value);
                state.set(self.program, *target, value);
                StepResult::Continue
            }
            Operation::Havoc { target, source } => {
                let width = self.program.variables[*target].register_width().unwrap_or(1);
                let value = match self.program.value_sources[*source].kind {
                    ValueSourceKind::Approximation => {
                        semantics.fresh(self.terms, state, width, FreshOrigin::Approximation { edge: Some(edge) })
                    }
                    _ => semantics.fresh(self.terms, state, width, FreshOrigin::Source(*source)),
                };
                state.set(self.program, *target, value);
                StepResult::Continue
            }
            Operation::Load { target, address } => {
                let address = self.eval(semantics, state, *address);
                let width = self.program.variables[*target].register_width().unwrap_or(8);
                let value = self.load(semantics, state, address, width, edge);
                state.set(self.program, *target, value);
                StepResult::Continue
            }
            Operation::Store { address, value } => {
                let width = self.terms.width(*value);
                let address = self.eval(semantics, state, *address);
                let value = self.eval(semantics, state, *value);
                self.store(semantics, state, address, value, width, edge);
                StepResult::Continue
            }
            Operation::Copy { destination, source, size } => {
                let destination = self.eval(semantics, state, *destination);
                let source = self.eval(semantics, state, *source);
                let size = self.eval(semantics, state, *size);
                self.copy(semantics, state, destination, source, size, edge);
                StepResult::Continue
            }
            Operation::Fill { destination, byte, size } => {
                let destination = self.eval(semantics, state, *destination);
                let byte = self.eval(semantics, state, *byte);
                let size = self.eval(semantics, state, *size);
                self.fill(semantics, state, destination, Filling::Byte(byte), size, edge);
                StepResult::Continue
            }
            Operation::HavocMemory { address, size, source } => {
                let address = self.eval(semantics, state, *address);
                let size = self.eval(semantics, state, *size);
                let kind = self.program.value_sources[*source].kind;
                if kind == ValueSourceKind::Unwritten {
                    self.unwrite(state, address, size);
                    return StepResult::Continue;
                }
                let choosable = kind.is_choosable();
                self.fill(semantics, state, address, Filling::Anything { choosable }, size, edge);
                if let (Value::Pointer { object, offset }, Value::Known { low: size, .. }) = (address, size) {
                    self.mark_written(state, object, offset, size);
                }
                StepResult::Continue
            }
            Operation::Allocate { target, size, zone, zeroed } => {
                let size = self.eval(semantics, state, *size);
                let lifetime = match zone {
                    Zone::Heap => Lifetime::Heap,
                    Zone::Stack | Zone::Given => Lifetime::Frame(state.depth().saturating_sub(1)),
                    Zone::Library => Lifetime::Static,
                };
                state.overlay(*zone == Zone::Heap);
                let object = state.new_object(ObjectName::Site(edge), size, lifetime, *zeroed);
                if matches!(zone, Zone::Given | Zone::Library) {
                    self.mark_written(state, object, 0, u64::MAX);
                }
                state.set(self.program, *target, Value::Pointer { object, offset: 0 });
                StepResult::Continue
            }
            Operation::Free { address } => {
                let address = self.eval(semantics, state, *address);
                self.free(semantics, state, address);
                StepResult::Continue
            }
            Operation::Declare { object, size } => {
                let info = &self.program.variables[*object];
                // A jump back before the declaration: it is the same object until its block is left, with unknown
                // content again.
                if let (None, Value::Pointer { object: id, offset: 0 }) = (size, state.get(self.program, *object))
                    && state.object(id).is_some_and(|o| o.alive && o.name == ObjectName::Variable(*object))
                {
                    state.renew(id);
                    return StepResult::Continue;
                }
                let size = match (info.storage, size) {
                    (_, Some(size)) => self.eval(semantics, state, *size),
                    (Storage::Memory { size: Some(size), .. }, None) => Value::number(self.program.model.pointer_width(), size as u128),
                    _ => Value::Unknown,
                };
                self.end_life(state, *object);
                let lifetime = Lifetime::Frame(state.depth().saturating_sub(1));
                state.overlay(false);
                let id = state.new_object(ObjectName::Variable(*object), size, lifetime, false);
                state.set(self.program, *object, Value::Pointer { object: id, offset: 0 });
                StepResult::Continue
            }
            Operation::EndLife { object } => {
                self.end_life(state, *object);
                StepResult::Continue
            }
            Operation::Call { callee, arguments, .. } => {
                let values: Vec<Value> = arguments.iter().map(|&a| self.eval(semantics, state, a)).collect();
                state.push_frame(*callee);
                for (&parameter, value) in self.program.functions[*callee].parameters.iter().zip(values) {
                    state.set(self.program, parameter, value);
                }
                StepResult::Continue
            }
            // The program goes on as machines do.
            Operation::Check { kind, .. } if kind.goes_on() => StepResult::Continue,
            Operation::Check { kind, fails } => {
                match self.truth(semantics, state, *fails) {
                    Truth::Yes => semantics.undefined(Undefined::Check(*kind), true),
                    Truth::No => {}
                    Truth::Maybe(Some(term)) => semantics.undefined_if(Undefined::Check(*kind), term),
                    Truth::Maybe(None) | Truth::MaybeIf(_) => semantics.undefined(Undefined::Check(*kind), false),
                }
                StepResult::Continue
            }
            Operation::AssumeMemory { condition, holds } => {
                let truth = self.memory_condition(semantics, state, condition);
                if let (Truth::MaybeIf(term), false) = (truth, *holds) {
                    semantics.doubtful_if(term);
                }
                self.result(truth, *holds)
            }
            Operation::Thread(_) | Operation::Unsupported { .. } => StepResult::Unsupported,
        }
    }

    /// Comes back from a call: drops the callee's frame and hands over the result.
    pub fn leave<S: Semantics>(&self, semantics: &mut S, state: &mut State, call: EdgeId) -> StepResult {
        let Operation::Call { callee, result, .. } = &self.program.edges[call].operation else {
            return StepResult::Infeasible;
        };
        let value = self.program.functions[*callee].result.map(|register| state.get(self.program, register));
        if let Some(value) = value {
            state.escape(value);
        }
        state.pop_frame();
        if let Some(target) = *result {
            let width = self.program.variables[target].register_width().unwrap_or(1);
            let value = match value {
                Some(value) if value != Value::Unknown => value,
                _ => semantics.fresh(self.terms, state, width, FreshOrigin::Approximation { edge: Some(call) }),
            };
            state.set(self.program, target, value);
        }
        StepResult::Continue
    }

    /// The truth of a condition of width 1.
    pub fn truth<S: Semantics>(&self, semantics: &mut S, state: &mut State, condition: Term) -> Truth {
        match self.eval(semantics, state, condition) {
            Value::Known { low, .. } => {
                if low & 1 == 1 {
                    Truth::Yes
                } else {
                    Truth::No
                }
            }
            Value::Term(term) => Truth::Maybe(Some(term)),
            _ => Truth::Maybe(None),
        }
    }

    fn result(&self, truth: Truth, wanted: bool) -> StepResult {
        match truth {
            Truth::Yes if wanted => StepResult::Continue,
            Truth::No if !wanted => StepResult::Continue,
            Truth::Yes | Truth::No => StepResult::Infeasible,
            Truth::MaybeIf(term) if wanted => StepResult::ContinueIf(term),
            Truth::Maybe(None) | Truth::MaybeIf(_) => StepResult::Continue,
            Truth::Maybe(Some(term)) => StepResult::ContinueIf(if wanted { term } else { self.terms.not(term) }),
        }
    }

    fn end_life(&self, state: &mut State, variable: assay_cfa::program::VarId) {
        if let Value::Pointer { object, .. } = state.get(self.program, variable) {
            state.kill(object);
            state.set(self.program, variable, Value::Unknown);
        }
    }
}
