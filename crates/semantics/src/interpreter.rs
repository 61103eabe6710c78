//! The concrete interpreter: runs a program with chosen inputs. It replays counterexamples, so it believes nothing: it
//! stops where behaviour is undefined (but for signed wrap) and where the path depends on a value that nothing chose.

use crate::acceleration::Acceleration;
use crate::environment::ExternalMemory;
use crate::state::{Executor, FreshOrigin, ObjectId, Semantics, State, StepResult, Undefined, Value};
use assay_base::CancelToken;
use assay_cfa::Step;
use assay_cfa::operation::{CheckKind, Operation};
use assay_cfa::program::{EdgeId, LocationId, Program, SourceId};
use assay_cfa::property::Target;
use assay_term::random::Random;
use assay_term::{Bits, Terms};

/// Chooses values: of inputs, of body-less functions, and of memory that was never written, that of the environment
/// among it.
pub trait Oracle {
    /// The value that a source of the program gives next.
    fn source(&mut self, source: SourceId, width: u32) -> Bits;
    /// `birth` counts the objects made on the path, from 1; globals have 0, and the environment has
    /// [`ENVIRONMENT_BIRTH`](crate::environment::ENVIRONMENT_BIRTH).
    fn memory(&mut self, birth: u32, offset: u64, width: u32) -> Bits;
    /// As [`memory`](Self::memory), of bytes that nothing ever wrote.
    fn unwritten(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        self.memory(birth, offset, width)
    }
    /// Whether every source gives zero from now on.
    fn only_zeros(&self) -> bool {
        false
    }
    /// After so many moves, so many iterations of a loop were passed over that go like the last one.
    fn accelerated(&mut self, _moves: u64, _iterations: u64) {}
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// A target location was reached.
    Target(Target, LocationId),
    /// The program returned from its entry function.
    Finished,
    /// The program ended early (`abort`, `exit`, a false assumption).
    Halted(LocationId),
    /// Undefined behaviour.
    Undefined(Undefined, EdgeId),
    /// The successor depends on an approximation or on the addresses of objects.
    Undetermined(EdgeId),
    /// A construct that is not modelled.
    Unsupported(EdgeId),
    /// The limit of steps, or the token.
    Limit,
}

/// A finished run.
#[derive(Debug)]
pub struct Run {
    /// Why it ended.
    pub stop: Stop,
    /// Edges that were taken.
    pub steps: u64,
    /// The state at the end.
    pub state: State,
}

struct Concrete<'o> {
    oracle: &'o mut dyn Oracle,
    environment: Option<(ObjectId, ExternalMemory)>,
    undefined: Option<Undefined>,
}

impl Semantics for Concrete<'_> {
    fn symbolic(&self) -> bool {
        false
    }
    fn fresh(&mut self, _: &Terms, _: &mut State, width: u32, origin: FreshOrigin) -> Value {
        match origin {
            FreshOrigin::Source(source) => Value::known(self.oracle.source(source, width)),
            FreshOrigin::Memory { birth, offset, given: true } => Value::known(self.oracle.memory(birth, offset, width)),
            FreshOrigin::Memory { birth, offset, given: false } => Value::known(self.oracle.unwritten(birth, offset, width)),
            FreshOrigin::Forgotten(_) | FreshOrigin::Approximation { .. } => Value::Unknown,
        }
    }
    fn concrete(&self) -> bool {
        true
    }
    fn environment(&self) -> Option<(ObjectId, ExternalMemory)> {
        self.environment
    }
    fn undefined(&mut self, what: Undefined, _certain: bool) {
        if what != Undefined::Check(CheckKind::SignedOverflow) {
            self.undefined.get_or_insert(what);
        }
    }
}

/// Runs the program from its start. `trace` sees every move with the state after it.
pub fn run(
    program: &Program,
    oracle: &mut dyn Oracle,
    max_steps: u64,
    cancel: &CancelToken,
    trace: &mut dyn FnMut(Step, &State, &Terms),
) -> Run {
    let terms = Terms::overlay(program.terms.clone());
    let machine = Executor::new(program, &terms);
    let mut state = machine.initial();
    let environment = ExternalMemory::of(program).map(|environment| {
        let size = Value::number(program.model.pointer_width(), u128::from(environment.size));
        (state.add_environment(size), environment)
    });
    let mut semantics = Concrete { oracle, environment, undefined: None };
    let mut location = program.functions[program.entry].entry;
    let mut calls: Vec<EdgeId> = Vec::new();
    let mut steps = 0;
    let mut acceleration = Acceleration::default();
    let stop = loop {
        let here = &program.locations[location];
        if let Some(target) = here.target {
            break Stop::Target(target, location);
        }
        if steps >= max_steps || steps % 1024 == 0 && cancel.is_stopped() {
            break Stop::Limit;
        }
        if let Some(iterations) = acceleration.arrive(program, &terms, semantics.oracle, &mut state, location, steps) {
            semantics.oracle.accelerated(steps, iterations);
        }
        steps += 1;
        if location == program.functions[here.function].exit {
            let Some(call) = calls.pop() else { break Stop::Finished };
            acceleration.leave();
            machine.leave(&mut semantics, &mut state, call);
            location = program.edges[call].target;
            trace(Step::Return(call), &state, &terms);
            continue;
        }
        let mut next = None;
        let mut undetermined = None;
        for &edge in &here.outgoing {
            match &program.edges[edge].operation {
                Operation::Assume { condition } => match machine.truth(&mut semantics, &mut state, *condition) {
                    crate::state::Truth::Yes => next = Some(edge),
                    crate::state::Truth::No => {}
                    crate::state::Truth::Maybe(_) | crate::state::Truth::MaybeIf(_) => undetermined = Some(edge),
                },
                Operation::AssumeMemory { condition, holds } => match machine.memory_condition(&mut semantics, &mut state, condition) {
                    crate::state::Truth::Yes if *holds => next = Some(edge),
                    crate::state::Truth::No if !*holds => next = Some(edge),
                    crate::state::Truth::Yes | crate::state::Truth::No => {}
                    crate::state::Truth::Maybe(_) | crate::state::Truth::MaybeIf(_) => undetermined = Some(edge),
                },
                _ => next = Some(edge),
            }
            if next.is_some() || undetermined.is_some() {
                break;
            }
        }
        if let Some(edge) = undetermined {
            break Stop::Undetermined(edge);
        }
        let Some(edge) = next else { break Stop::Halted(location) };
        let result = machine.step(&mut semantics, &mut state, edge);
        if let Some(what) = semantics.undefined.take() {
            // An operation on an address that only an approximation knows is not the program's fault.
            break Stop::Undefined(what, edge);
        }
        match result {
            StepResult::Continue => {}
            StepResult::Infeasible => break Stop::Halted(location),
            StepResult::ContinueIf(_) => break Stop::Undetermined(edge),
            StepResult::Unsupported => break Stop::Unsupported(edge),
        }
        trace(Step::Edge(edge), &state, &terms);
        acceleration.take(program, edge);
        location = match &program.edges[edge].operation {
            Operation::Call { callee, .. } => {
                calls.push(edge);
                program.functions[*callee].entry
            }
            _ => program.edges[edge].target,
        };
    };
    Run { stop, steps, state }
}

/// Values from lists, in order; zero when a list is used up.
#[derive(Clone, Debug, Default)]
pub struct ListOracle {
    /// What sources give, in the order in which they are asked; 0 when it is used up.
    pub values: std::collections::VecDeque<Bits>,
    /// Bytes of memory that was never written, by birth and offset; others are 0.
    pub memory: assay_base::FastMap<(u32, u64), u8>,
}

impl Oracle for ListOracle {
    fn source(&mut self, _: SourceId, width: u32) -> Bits {
        self.values.pop_front().map_or(Bits::new(width, 0), |bits| Bits::new(width, bits.value()))
    }
    fn memory(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        let byte = |i: u64| self.memory.get(&(birth, offset + i)).copied().unwrap_or(0);
        let value = (0..width.div_ceil(8) as u64).fold(0u128, |v, i| v | (byte(i) as u128) << (8 * i));
        Bits::new(width, value)
    }
}

/// Pseudo-random values from a seed.
#[derive(Clone, Debug)]
pub struct SeededOracle(Random);

impl SeededOracle {
    /// The same seed gives the same values.
    pub fn new(seed: u64) -> Self {
        SeededOracle(Random::new(seed))
    }
}

impl Oracle for SeededOracle {
    fn source(&mut self, _: SourceId, width: u32) -> Bits {
        let value = self.0.next_u64() as u128 | (self.0.next_u64() as u128) << 64;
        // Small values are more likely to matter than large ones.
        Bits::new(width, if self.0.next_u64().is_multiple_of(2) { value } else { value % 16 })
    }
    fn memory(&mut self, _: u32, _: u64, width: u32) -> Bits {
        Bits::new(width, self.0.next_u64() as u128 | (self.0.next_u64() as u128) << 64)
    }
}
