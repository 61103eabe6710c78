//! Executions that come back: the program in the interpreter, with inputs by chance. Where the same state is met again
//! at the head of a loop, what lies between can be repeated for ever, the inputs with it. Where a function is called
//! with the same parameters, globals and memory as one of its activations that has not returned, recursion never ends.

use crate::relevant::Relevance;
use assay_base::hash::mix;
use assay_base::{CancelToken, StopReason, WorkTime};
use assay_cfa::structure::Structure;
use assay_cfa::{EdgeId, FunctionId, LocationId, Operation, Program, SourceId, Step, Target};
use assay_results::replay::Recorder;
use assay_results::{Counterexample, InputOrigin, InputValue, Lasso};
use assay_semantics::environment::ENVIRONMENT_BIRTH;
use assay_semantics::interpreter::{Oracle, SeededOracle, Stop, run as interpret};
use assay_semantics::state::{ObjectName, State, Value};
use assay_term::{Bits, Terms};
use std::collections::VecDeque;
use std::time::Duration;

/// The lengths to which runs are followed.
const LENGTHS: [u64; 4] = [2_000, 20_000, 400_000, 4_000_000];
/// How often each style is tried with each length.
const TRIES: u64 = 12;
const STYLES: [Style; 6] = [Style::Same, Style::Signed, Style::Mixed, Style::Below(2), Style::Below(8), Style::Around];
/// Activations beyond this depth are not compared with those around them.
const DEEPEST: usize = 4_000;

/// How inputs are chosen.
#[derive(Clone, Copy)]
enum Style {
    /// All the same small number.
    Same,
    /// Small numbers of both signs.
    Signed,
    /// Half of them small, the others anything.
    Mixed,
    /// Below this number.
    Below(u64),
    /// Near numbers that stand in the program.
    Around,
}

struct Chance<'a> {
    style: Style,
    seed: u64,
    seeded: SeededOracle,
    asked: u64,
    /// Numbers of the program.
    constants: &'a [u128],
    /// Whether it chose what the memory of the environment holds.
    environment: bool,
}

impl Chance<'_> {
    fn number(&mut self, width: u32) -> Option<Bits> {
        self.asked += 1;
        let dice = mix(mix(self.seed) ^ self.asked);
        Some(match self.style {
            Style::Mixed => return None,
            Style::Same => Bits::new(width, u128::from(self.seed % TRIES)),
            Style::Signed => Bits::new(width, i128::from(dice % 13).wrapping_sub(6) as u128),
            Style::Below(bound) => Bits::new(width, u128::from(dice % bound)),
            Style::Around => {
                let constant = self.constants.get((dice >> 8) as usize % self.constants.len().max(1)).copied().unwrap_or(0);
                Bits::new(width, constant.wrapping_add(u128::from(dice % 3)).wrapping_sub(1))
            }
        })
    }
}

impl Oracle for Chance<'_> {
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        self.number(width).unwrap_or_else(|| self.seeded.source(source, width))
    }
    fn memory(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        self.environment |= birth == ENVIRONMENT_BIRTH;
        self.number(width).unwrap_or_else(|| self.seeded.memory(birth, offset, width))
    }
}

/// Gives recorded values again, in their order; zero when they are used up.
pub(crate) struct Again {
    values: VecDeque<Bits>,
}

impl Again {
    pub(crate) fn of(inputs: &[InputValue]) -> Again {
        Again { values: inputs.iter().map(|input| input.bits).collect() }
    }
}

impl Oracle for Again {
    fn source(&mut self, _: SourceId, width: u32) -> Bits {
        Bits::new(width, self.values.pop_front().map_or(0, Bits::value))
    }
    fn memory(&mut self, _: u32, _: u64, width: u32) -> Bits {
        self.source(SourceId(0), width)
    }
}

/// What repeats, and between which moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Repetition {
    start: u64,
    end: u64,
    recursion: bool,
}

/// An activation of a recursive function that has not returned.
struct Activation {
    function: FunctionId,
    depth: usize,
    moves: u64,
    state: State,
}

/// Looks for repetition while a run goes on.
struct Watch<'a> {
    program: &'a Program,
    structure: &'a Structure<'a>,
    relevance: &'a mut Relevance,
    moves: u64,
    calls: usize,
    /// A state at the head of a loop, after so many moves and at this depth, without what does not matter.
    saved: Option<(LocationId, usize, u64, State)>,
    visits: u64,
    period: u64,
    active: Vec<Activation>,
    found: Option<Repetition>,
}

impl<'a> Watch<'a> {
    fn new(program: &'a Program, structure: &'a Structure<'a>, relevance: &'a mut Relevance) -> Self {
        let (saved, active, found) = (None, vec![], None);
        Watch { program, structure, relevance, moves: 0, calls: 0, saved, visits: 0, period: 1, active, found }
    }

    fn see(&mut self, step: Step, state: &State) {
        self.moves += 1;
        if self.found.is_some() {
            return;
        }
        let program = self.program;
        let edge = &program.edges[step.edge()];
        let location = match (step, &edge.operation) {
            (Step::Edge(_), Operation::Call { callee, .. }) => {
                self.calls += 1;
                self.enter(*callee, state);
                program.functions[*callee].entry
            }
            (Step::Return(_), _) => {
                self.calls = self.calls.saturating_sub(1);
                while self.active.last().is_some_and(|last| last.depth > self.calls) {
                    self.active.pop();
                }
                edge.target
            }
            _ => edge.target,
        };
        if self.structure.loops().is_head(location) {
            self.at_head(location, state);
        }
    }

    fn at_head(&mut self, location: LocationId, state: &State) {
        if let Some((place, depth, moves, saved)) = &self.saved
            && *place == location
            && *depth == self.calls
        {
            let now = masked(self.program, self.relevance, location, state);
            if now == *saved {
                self.found = Some(Repetition { start: *moves, end: self.moves, recursion: false });
                return;
            }
        }
        self.visits += 1;
        if self.visits == self.period {
            let now = masked(self.program, self.relevance, location, state);
            self.saved = Some((location, self.calls, self.moves, now));
            (self.visits, self.period) = (0, self.period * 2);
        }
    }

    fn enter(&mut self, function: FunctionId, state: &State) {
        if !self.structure.calls().recursive[function] || self.active.len() > DEEPEST {
            return;
        }
        // The nearest ones are those that repeat first.
        let others = self.active.iter().rev().filter(|other| other.function == function).take(8);
        for other in others {
            if self.same_call(function, &other.state, state) {
                self.found = Some(Repetition { start: other.moves, end: self.moves, recursion: true });
                return;
            }
        }
        let (depth, moves) = (self.calls, self.moves);
        self.active.push(Activation { function, depth, moves, state: state.clone() });
    }

    /// Whether two activations of a function begin with the same parameters, globals and memory: then they go on alike,
    /// because what lies below them on the stack they see through memory alone.
    fn same_call(&self, function: FunctionId, a: &State, b: &State) -> bool {
        let program = self.program;
        let parameters = &program.functions[function].parameters;
        let known = |value: Value| value != Value::Unknown;
        let same = |&&variable: &&assay_cfa::VarId| {
            let (x, y) = (a.get(program, variable), b.get(program, variable));
            x == y && known(x)
        };
        parameters.iter().all(|v| same(&v)) && program.globals.iter().all(|v| same(&v)) && same_memory(a, b)
    }
}

/// Whether two states have the same objects with the same content.
fn same_memory(a: &State, b: &State) -> bool {
    let list = |state: &State| {
        let mut objects = vec![];
        state.for_each_object(|id, object| objects.push((id, object.clone())));
        objects
    };
    list(a) == list(b)
}

/// The state without the registers that do not matter at the location.
fn masked(program: &Program, relevance: &mut Relevance, location: LocationId, state: &State) -> State {
    let mut state = state.clone();
    for &variable in relevance.idle(program, location) {
        state.set(program, variable, Value::Unknown);
    }
    state
}

/// Whether a run wrote to the memory of the environment, at addresses that were made up.
fn touches_environment(state: &State) -> bool {
    let mut touched = false;
    state.for_each_object(|_, object| {
        if object.name == ObjectName::Environment {
            object.for_each_cell(|_| touched = true);
        }
    });
    touched
}

/// Searches with runs of growing length.
pub(crate) struct Search<'a> {
    program: &'a Program,
    structure: &'a Structure<'a>,
    relevance: Relevance,
    constants: Vec<u128>,
    /// How many runs were made of each length.
    done: usize,
    open: Vec<bool>,
    /// A run that asked for nothing came to its end: it is the only one.
    pub(crate) ends: bool,
}

impl<'a> Search<'a> {
    pub(crate) fn new(program: &'a Program, structure: &'a Structure<'a>) -> Self {
        let terms = Terms::overlay(program.terms.clone());
        let relevance = Relevance::of(program, &terms);
        let constants = constants(program, &terms);
        let open = vec![true; STYLES.len() * TRIES as usize];
        Search { program, structure, relevance, constants, done: 0, open, ends: false }
    }

    /// Goes on for some time; an execution that never ends, if one is found.
    pub(crate) fn run(&mut self, cancel: &CancelToken, time: Duration) -> Option<Counterexample> {
        let until = WorkTime::now();
        let each = self.open.len();
        while self.done < LENGTHS.len() * each && !self.ends {
            if cancel.is_stopped() || until.elapsed() > time {
                return None;
            }
            let (length, number) = (LENGTHS[self.done / each], self.done % each);
            self.done += 1;
            if !self.open[number] {
                continue;
            }
            let style = STYLES[number % STYLES.len()];
            let seed = (number / STYLES.len()) as u64;
            if let Some(found) = self.one(style, seed, number, length, cancel, time.saturating_sub(until.elapsed())) {
                return Some(found);
            }
        }
        None
    }

    fn one(&mut self, style: Style, seed: u64, number: usize, length: u64, cancel: &CancelToken, time: Duration) -> Option<Counterexample> {
        let program = self.program;
        let begin = WorkTime::now();
        let seeded = SeededOracle::new(mix(seed));
        let mut chance = Chance { style, seed, seeded, asked: 0, constants: &self.constants, environment: false };
        let token = cancel.child();
        let mut watch = Watch::new(program, self.structure, &mut self.relevance);
        let mut recorder = Recorder::new(program, &mut chance);
        let run = interpret(program, &mut recorder, length, &token, &mut |step, state, _| {
            watch.see(step, state);
            if watch.found.is_some() || watch.moves.is_multiple_of(4096) && begin.elapsed() > time {
                token.stop(StopReason::Cancelled);
            }
        });
        let found = watch.found;
        let mut inputs = std::mem::take(&mut recorder.asked);
        self.open[number] = run.stop == Stop::Limit;
        if chance.environment || touches_environment(&run.state) {
            return None;
        }
        if matches!(run.stop, Stop::Finished | Stop::Halted(_)) && chance.asked == 0 {
            self.ends = true;
        }
        let found = found?;
        // Beyond the repetition nothing was needed.
        self.confirm(&mut inputs, found, cancel)
    }

    /// Runs the inputs once more, and looks again whether the two states are the same.
    fn confirm(&mut self, inputs: &mut [InputValue], found: Repetition, cancel: &CancelToken) -> Option<Counterexample> {
        let program = self.program;
        let mut watch = Watch::new(program, self.structure, &mut self.relevance);
        let mut oracle = Again::of(inputs);
        interpret(program, &mut oracle, found.end, cancel, &mut |step, state, _| watch.see(step, state));
        if watch.found != Some(found) {
            return None;
        }
        let why = match found.recursion {
            true => "the function is called with the same parameters, globals and memory as before, and has not returned",
            false => "the state at the head of the loop is the same as before",
        };
        counterexample(program, inputs, found.start, found.end, why, cancel)
    }
}

/// The numbers that stand in the conditions of a program.
fn constants(program: &Program, terms: &Terms) -> Vec<u128> {
    let mut found = vec![];
    for edge in program.edges.iter() {
        if let Operation::Assume { condition } = edge.operation {
            terms.post_order([condition], |term, _| found.extend(terms.as_constant(term).map(|bits| bits.signed() as u128)));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(256);
    found
}

/// The run up to `end` moves as a violation whose loop begins after `start` moves.
pub(crate) fn counterexample(
    program: &Program,
    inputs: &[InputValue],
    start: u64,
    end: u64,
    why: &str,
    cancel: &CancelToken,
) -> Option<Counterexample> {
    let mut oracle = Again::of(inputs);
    let mut recorder = Recorder::new(program, &mut oracle);
    let (stop, path) = recorder.run(end, cancel);
    if stop != Stop::Limit || path.len() as u64 != end || cancel.is_stopped() {
        return None;
    }
    let asked = std::mem::take(&mut recorder.asked);
    let choosable = |input: &InputValue| match input.origin {
        InputOrigin::Source(source) => program.value_sources[source].kind.is_choosable(),
        InputOrigin::Memory { birth, .. } => birth != ENVIRONMENT_BIRTH,
    };
    if !asked.iter().all(choosable) {
        return None;
    }
    let first = path.get(start as usize).map(|step| step.step.edge());
    let place = first.map_or_else(String::new, |edge| program.sources.describe(place_of(program, edge)));
    let what = format!("the execution never ends: {why} (from {place} on)");
    let mut found = Counterexample::new(path, asked, Target::Termination, what);
    found.lasso = Some(Lasso { start: start as usize, why: why.to_string() });
    Some(found)
}

fn place_of(program: &Program, edge: EdgeId) -> assay_base::Span {
    match program.edges[edge].origin {
        assay_cfa::Origin::Branch { keyword, .. } => keyword,
        _ => program.edges[edge].span,
    }
}
