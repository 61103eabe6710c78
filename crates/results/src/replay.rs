//! The replay: runs chosen inputs in the concrete interpreter. Only what it confirms is a violation, and the path and
//! values that people see are those of the run, not those of an abstraction.

use crate::{Counterexample, InputOrigin, InputValue, PathStep, arguments, explain, places, unwritten};
use assay_base::hash::mix;
use assay_base::{CancelToken, FastMap, Obstacle, ObstacleKind, Span};
use assay_cfa::operation::ValueSourceKind;
use assay_cfa::{Operation, Origin, Program, Role, SourceId, Step, Target, VarId};
use assay_semantics::interpreter::{Oracle, Stop, run};
use assay_semantics::state::State;
use assay_term::Bits;
use std::collections::VecDeque;

/// Writes to memory are named only so often: looking at them costs more than the run.
const MAX_NOTES: usize = 50_000;

/// How often a violation is run again with other choices of what C leaves open.
const CHOICES: u64 = 12;

/// Why the inputs do not violate the property.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayFailure {
    /// How the run ended instead.
    pub stop: Stop,
    /// What gave values on the way that nobody may choose: names and places.
    pub undetermined: Vec<String>,
}

/// So many things that give such values are named.
const MOST_NAMED: usize = 3;

/// What gives values on a path that nobody may choose, each once, the last first.
fn undetermined(program: &Program, path: &[PathStep]) -> Vec<String> {
    let mut found: Vec<String> = vec![];
    for step in path.iter().rev() {
        let edge = &program.edges[step.step.edge()];
        let (Operation::Havoc { source, .. } | Operation::HavocMemory { source, .. }) = edge.operation else { continue };
        let source = &program.value_sources[source];
        if source.kind != ValueSourceKind::Approximation || source.name.is_empty() || found.len() >= MOST_NAMED {
            continue;
        }
        let named = format!("{} at {}", source.name, program.sources.describe(edge.span));
        if !found.contains(&named) {
            found.push(named);
        }
    }
    found
}

impl ReplayFailure {
    /// The reason in plain words, with its place.
    pub fn describe(&self, program: &Program) -> String {
        let at = |edge| program.sources.describe(program.edges[edge].span);
        match &self.stop {
            Stop::Target(..) => "the target was reached".to_string(),
            Stop::Finished => "the run ended without reaching the target".to_string(),
            Stop::Halted(_) => "the run was ended before the target, by abort, exit or an assumption".to_string(),
            Stop::Undefined(what, edge) => format!("undefined behaviour before the target: {what:?} at {}", at(*edge)),
            Stop::Undetermined(edge) if matches!(program.edges[*edge].origin, Origin::Use { .. }) => {
                format!("bits that were never written are read at {}, but do not change what is decided", at(*edge))
            }
            Stop::Undetermined(edge) => {
                let from =
                    if self.undetermined.is_empty() { String::new() } else { format!(" (given by {})", self.undetermined.join(", ")) };
                format!("the way depends on a value that is not determined at {}{from}", at(*edge))
            }
            Stop::Unsupported(edge) => format!("an unsupported construct at {}", at(*edge)),
            Stop::Limit => "the run was too long or was stopped".to_string(),
        }
    }

    /// What stands in the way of a violation.
    pub fn obstacle(&self, program: &Program) -> Obstacle {
        let kind = if matches!(self.stop, Stop::Unsupported(_)) { ObstacleKind::Unsupported } else { ObstacleKind::Unconfirmed };
        Obstacle::new(kind, self.describe(program))
    }
}

/// Runs the inputs; values that the list does not give are zero. The counterexample holds the inputs that were really
/// asked for, in order. Where C leaves open what a value is, the violation must come about with others as well.
pub fn replay(program: &Program, inputs: &[InputValue], max_steps: u64, cancel: &CancelToken) -> Result<Counterexample, ReplayFailure> {
    let mut oracle = QueueOracle::new(inputs);
    let mut recorder = Recorder::new(program, &mut oracle);
    let (stop, path) = recorder.run(max_steps, cancel);
    let inputs = std::mem::take(&mut recorder.asked);
    if let Stop::Target(..) = stop
        && let Some(inputs) = arguments::exact(program, &inputs)
    {
        return replay(program, &inputs, max_steps, cancel);
    }
    let open = |input: &InputValue| match input.origin {
        InputOrigin::Source(source) => program.value_sources[source].kind == ValueSourceKind::Payload,
        InputOrigin::Memory { .. } => false,
    };
    if let Stop::Target(target, _) = stop
        && inputs.iter().any(open)
    {
        for style in 0..CHOICES {
            let mut changed = inputs.clone();
            for (number, input) in changed.iter_mut().enumerate().filter(|(_, input)| open(input)) {
                input.bits = Bits::new(input.bits.width(), another(style, number as u64, input.bits.value()));
            }
            let result = run(program, &mut QueueOracle::new(&changed), max_steps, cancel, &mut |_, _, _| {});
            match result.stop {
                Stop::Target(other, _) if other == target => {}
                Stop::Target(_, location) => {
                    let edge = program.locations[location].outgoing.first().copied();
                    return Err(ReplayFailure { undetermined: vec![], stop: edge.map_or(Stop::Limit, Stop::Undetermined) });
                }
                stop => return Err(ReplayFailure { undetermined: vec![], stop }),
            }
        }
    }
    match stop {
        Stop::Target(target, _) => Ok(Counterexample::new(path, inputs, target, std::mem::take(&mut recorder.what))),
        stop => Err(ReplayFailure { undetermined: undetermined(program, &path), stop }),
    }
}

/// As [`replay`], with nothing but values, in the order in which an execution asks for them; those that are missing are
/// zero.
///
/// # Errors
/// How the run ended, if it does not violate the property.
pub fn replay_in_order(program: &Program, values: &[Bits], max_steps: u64, cancel: &CancelToken) -> Result<Counterexample, ReplayFailure> {
    let mut oracle = InOrder { values: values.iter() };
    let mut recorder = Recorder::new(program, &mut oracle);
    recorder.run(max_steps, cancel);
    let inputs = std::mem::take(&mut recorder.asked);
    replay(program, &inputs, max_steps, cancel)
}

/// Gives values from a list, whoever asks.
struct InOrder<'a> {
    values: std::slice::Iter<'a, Bits>,
}

impl Oracle for InOrder<'_> {
    fn source(&mut self, _: SourceId, width: u32) -> Bits {
        Bits::new(width, self.values.next().map_or(0, |bits| bits.value()))
    }
    fn memory(&mut self, _: u32, _: u64, width: u32) -> Bits {
        Bits::new(width, self.values.next().map_or(0, |bits| bits.value()))
    }
}

/// What else the machine may have decided where C leaves it open: nothing, everything, the contrary, and by chance.
fn another(style: u64, number: u64, bits: u128) -> u128 {
    match style {
        0 => 0,
        1 => u128::MAX,
        2 => !bits,
        _ => {
            let word = |salt| u128::from(mix(mix(style) ^ number.wrapping_mul(2) ^ salt));
            word(0) | word(1) << 64
        }
    }
}

/// Gives each source its values in order, and memory by place.
pub(crate) struct QueueOracle {
    sources: FastMap<SourceId, VecDeque<Bits>>,
    memory: FastMap<(u32, u64), Bits>,
}

impl QueueOracle {
    pub(crate) fn new(inputs: &[InputValue]) -> Self {
        let mut oracle = QueueOracle { sources: FastMap::default(), memory: FastMap::default() };
        for input in inputs {
            match input.origin {
                InputOrigin::Source(source) => oracle.sources.entry(source).or_default().push_back(input.bits),
                InputOrigin::Memory { birth, offset } => {
                    // Kept by byte, because a read may cut the memory differently.
                    for byte in 0..input.bits.width().div_ceil(8) {
                        let bits = Bits::new(8, input.bits.value() >> (8 * byte));
                        oracle.memory.insert((birth, offset + u64::from(byte)), bits);
                    }
                }
            }
        }
        oracle
    }
}

impl Oracle for QueueOracle {
    /// What the list does not give is zero.
    fn only_zeros(&self) -> bool {
        self.sources.values().all(VecDeque::is_empty)
    }
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        let value = self.sources.get_mut(&source).and_then(VecDeque::pop_front);
        Bits::new(width, value.map_or(0, Bits::value))
    }
    fn memory(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        let byte = |i: u32| self.memory.get(&(birth, offset + u64::from(i))).map_or(0, |bits| bits.value());
        Bits::new(width, (0..width.div_ceil(8)).fold(0, |value, i| value | byte(i) << (8 * i)))
    }
}

/// Runs a program with any oracle and writes down what was asked and what happened.
pub struct Recorder<'a> {
    program: &'a Program,
    oracle: &'a mut dyn Oracle,
    /// Every chosen value so far, in order.
    pub asked: Vec<InputValue>,
    /// What was violated, in one sentence; empty if nothing was.
    pub what: String,
    /// After which moves rounds of loops were passed over, and how many.
    accelerated: Vec<(u64, u64)>,
}

impl<'a> Recorder<'a> {
    /// Values come from the oracle and are written down.
    pub fn new(program: &'a Program, oracle: &'a mut dyn Oracle) -> Self {
        Recorder { program, oracle, asked: vec![], what: String::new(), accelerated: vec![] }
    }

    /// Runs from the start of the program; gives how the run ended and its path.
    pub fn run(&mut self, max_steps: u64, cancel: &CancelToken) -> (Stop, Vec<PathStep>) {
        let program = self.program;
        let mut path = Vec::new();
        let mut noted = 0;
        let mut memory = explain::Memory::default();
        let mut what = String::new();
        let result = run(program, self, max_steps, cancel, &mut |step: Step, state, terms| {
            let known = |variable: VarId| Some((variable, state.get(program, variable).as_bits()?));
            let operation = &program.edges[step.edge()].operation;
            let values = match (operation, step.is_return()) {
                (Operation::Call { callee, .. }, false) => {
                    program.functions[*callee].parameters.iter().copied().filter_map(known).collect()
                }
                _ => operation.written_register().into_iter().filter_map(known).collect(),
            };
            let mut notes = Vec::new();
            memory.watch(program, terms, state, step.edge());
            if noted < MAX_NOTES {
                match *operation {
                    Operation::Store { address, value } => {
                        notes.extend(places::stored(program, &memory.heap, terms, state, address, value))
                    }
                    _ => notes.extend(operation.written_register().and_then(|variable| pointer(program, &memory.heap, state, variable))),
                }
                noted += notes.len();
            }
            if program.locations[program.edges[step.edge()].target].target.is_some() && !step.is_return() {
                what = memory.sentence(program, terms, state, step.edge());
            }
            path.push(PathStep { step, values, notes, passed_over: 0 });
        });
        self.what = what;
        for (moves, rounds) in self.accelerated.drain(..) {
            if let Some(step) = path.get_mut((moves as usize).saturating_sub(1)) {
                step.passed_over = rounds;
            }
        }
        let stop = match (result.stop, path.last()) {
            (Stop::Target(Target::UninitialisedRead, _), Some(last))
                if !unwritten::decides(program, &self.asked, last.step.edge(), max_steps, cancel) =>
            {
                self.what.clear();
                Stop::Undetermined(last.step.edge())
            }
            (stop, _) => stop,
        };
        (stop, path)
    }
}

/// Name and value of a variable of the source that holds an address.
fn pointer(program: &Program, names: &places::HeapNames, state: &State, variable: VarId) -> Option<(String, String)> {
    let value = state.get(program, variable);
    value.object()?;
    let variable = &program.variables[variable];
    (!variable.source_name.is_empty() && variable.role != Role::Temporary).then_some(())?;
    Some((variable.source_name.clone(), places::describe(program, names, state, value, &variable.ctype)?))
}

impl Oracle for Recorder<'_> {
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        let bits = self.oracle.source(source, width);
        let span = self.program.value_sources.get(source).map_or(Span::NONE, |s| s.span);
        self.asked.push(InputValue { origin: InputOrigin::Source(source), bits, span });
        bits
    }
    fn memory(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        let bits = self.oracle.memory(birth, offset, width);
        self.asked.push(InputValue { origin: InputOrigin::Memory { birth, offset }, bits, span: Span::NONE });
        bits
    }
    fn only_zeros(&self) -> bool {
        self.oracle.only_zeros()
    }
    fn accelerated(&mut self, moves: u64, rounds: u64) {
        self.accelerated.push((moves, rounds));
    }
}
