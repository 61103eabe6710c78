//! Coverage-guided fuzzing: the compiled program runs with inputs by chance, and wherever a run does something new it
//! is kept at its next input, so that later runs begin there. New is a way that no run took, two ways one after the
//! other, or, in small programs, a state that no run had. What it finds is replayed by the interpreter: only that is a
//! violation.

use crate::run::Run;
use assay_base::hash::mix;
use assay_base::{FastMap, FastSet, Obstacle, Span, Stats};
use assay_cfa::types::CType;
use assay_cfa::{Operation, SourceId};
use assay_results::replay::{ReplayFailure, replay};
use assay_results::{Counterexample, InputOrigin, InputValue, Outcome};
use assay_semantics::compiled::{Event, Image, Snapshot, VirtualMachine};
use assay_term::Bits;
use assay_term::random::Random;

/// The memory for kept runs.
const MAX_KEPT: usize = 192 << 20;
/// States that are remembered as seen.
const MAX_STATES: usize = 2_000_000;
/// Violations that the interpreter does not confirm before the search gives up.
const MAX_REFUSED: u64 = 20;
/// Steps of a run; more, the longer nothing happens.
const SHORT: u64 = 20_000;
const LONG: u64 = 20_000_000;
/// Steps of the first one that is followed to its end.
const LONG_RUN: u64 = 50_000;
/// What going back to a kept run costs, in steps.
const RESTORE: u64 = 500;
/// Runs without anything new after which the search ends.
const MAX_BARREN: u64 = 1_000_000;
/// Steps that a replay may take: the interpreter is slower.
const REPLAY: u64 = 50_000_000;
/// Steps that are spent on a violation with fewer inputs.
const SHORTEN: u64 = 2_000_000;

/// One chosen input.
#[derive(Clone, Copy)]
struct Input {
    source: SourceId,
    width: u32,
    value: u64,
}

/// The inputs that lead somewhere, as the end of a longer list.
#[derive(Clone, Copy)]
struct Link {
    parent: u32,
    first: u32,
    last: u32,
}

/// A run that waits for an input.
struct Kept {
    snapshot: Snapshot,
    link: u32,
    source: SourceId,
    width: u32,
    /// How often it was gone on with.
    tries: u32,
}

/// Chooses values for inputs.
struct Guesses {
    chance: Random,
    /// Constants that the program compares with, by width.
    constants: FastMap<u32, Vec<u64>>,
    /// Values of a source after which something new happened.
    good: FastMap<SourceId, Vec<u64>>,
    /// Sources of floats.
    floats: FastSet<SourceId>,
    /// All inputs of a run are the same.
    same: Option<u64>,
}

impl Guesses {
    fn new(run: &Run<'_>, image: &Image<'_>) -> Guesses {
        let mut constants: FastMap<u32, Vec<u64>> = FastMap::default();
        for (width, value) in image.compared_constants() {
            constants.entry(width).or_default().push(value);
        }
        let mut floats = FastSet::default();
        for edge in run.program.edges.iter() {
            if let Operation::Havoc { target, source } = edge.operation
                && matches!(run.program.variables[target].ctype, CType::Float { .. })
            {
                floats.insert(source);
            }
        }
        Guesses { chance: Random::new(mix(run.config.seed)), constants, good: FastMap::default(), floats, same: None }
    }

    fn value(&mut self, source: SourceId, width: u32) -> u64 {
        if let Some(same) = self.same {
            return same;
        }
        if self.floats.contains(&source) && !self.chance.one_in(4) {
            return self.float(width);
        }
        let dice = self.chance.below(20);
        let good = self.good.get(&source).filter(|good| !good.is_empty());
        match (dice, good) {
            (0..=10, Some(good)) => good[self.chance.below(good.len())],
            (0..=15, _) => self.constant(width),
            (16, _) => self.chance.next_u64(),
            (17, _) => 1u64 << self.chance.below(width as usize),
            _ => self.chance.next_u64() % 10,
        }
    }

    /// A constant of the program, or a value next to one.
    fn constant(&mut self, width: u32) -> u64 {
        let Some(constants) = self.constants.get(&width).filter(|constants| !constants.is_empty()) else {
            return self.chance.next_u64() % 4;
        };
        let constant = constants[self.chance.below(constants.len())];
        match self.chance.below(6) {
            0 => constant.wrapping_add(1),
            1 => constant.wrapping_sub(1),
            _ => constant,
        }
    }

    /// A float between two constants of the program, or one of a small size.
    fn float(&mut self, width: u32) -> u64 {
        let number = |bits: u64| if width == 32 { f64::from(f32::from_bits(bits as u32)) } else { f64::from_bits(bits) };
        let part = (self.chance.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let sign = if self.chance.one_in(2) { -1.0 } else { 1.0 };
        let end = |chance: &mut Random, constants: Option<&Vec<u64>>| match constants {
            Some(constants) if !constants.is_empty() && !chance.one_in(5) => number(constants[chance.below(constants.len())]),
            _ => (chance.below(3) as f64) * if chance.one_in(2) { -1.0 } else { 1.0 },
        };
        let constants = self.constants.get(&width);
        let (from, to) = (end(&mut self.chance, constants), end(&mut self.chance, constants));
        let value = match self.chance.below(8) {
            0 => sign * from,
            1 => sign * part * (2f64).powi(self.chance.below(40) as i32 - 20),
            2 => return self.chance.next_u64(),
            _ => from * sign + part * (to - from * sign),
        };
        if width == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
    }

    /// A value was good: something new happened after it.
    fn reward(&mut self, input: Input) {
        let good = self.good.entry(input.source).or_default();
        if good.len() < 256 {
            good.push(input.value);
        } else {
            let at = self.chance.below(256);
            good[at] = input.value;
        }
    }
}

/// The runs to go on with, and the inputs that lead to them.
#[derive(Default)]
struct Corpus {
    links: Vec<Link>,
    inputs: Vec<Input>,
    /// Runs that took a new way; none is ever dropped.
    ways: Vec<Kept>,
    /// Runs in a new state: the latest.
    states: Vec<Kept>,
    oldest: usize,
    bytes: usize,
}

impl Corpus {
    fn link(&mut self, parent: u32, suffix: &[Input]) -> u32 {
        let first = self.inputs.len() as u32;
        self.inputs.extend_from_slice(suffix);
        self.links.push(Link { parent, first, last: self.inputs.len() as u32 });
        self.links.len() as u32 - 1
    }

    /// All inputs that lead to a link, and a rest.
    fn all(&self, mut link: u32, suffix: &[Input]) -> Vec<Input> {
        let mut parts = vec![suffix];
        while let Some(&Link { parent, first, last }) = self.links.get(link as usize) {
            parts.push(&self.inputs[first as usize..last as usize]);
            link = parent;
        }
        parts.into_iter().rev().flatten().copied().collect()
    }

    fn keep(&mut self, kept: Kept, way: bool) {
        let bytes = kept.snapshot.bytes();
        if way && self.bytes + bytes <= MAX_KEPT {
            self.bytes += bytes;
            self.ways.push(kept);
        } else if self.bytes + bytes <= MAX_KEPT {
            self.bytes += bytes;
            self.states.push(kept);
        } else if !self.states.is_empty() {
            self.oldest = (self.oldest + 1) % self.states.len();
            self.states[self.oldest] = kept;
        }
    }

    /// A run to go on with: the one of two that was tried less.
    fn choose(&mut self, chance: &mut Random) -> Option<&mut Kept> {
        let from_states = self.ways.is_empty() || !self.states.is_empty() && chance.one_in(2);
        let list = if from_states { &mut self.states } else { &mut self.ways };
        if list.is_empty() {
            return None;
        }
        let (a, b) = (chance.below(list.len()), chance.below(list.len()));
        let index = if list[a].tries <= list[b].tries { a } else { b };
        list[index].tries += 1;
        Some(&mut list[index])
    }
}

/// Runs until a violation is confirmed, or time is up.
pub(crate) fn run(run: &Run<'_>) -> Outcome {
    let Some(image) = Image::new(run.program) else {
        return Outcome::unknown(Obstacle::nothing_to_do("the program is too large to be compiled for runs"));
    };
    let mut fuzzer = Fuzzer {
        run,
        guesses: Guesses::new(run, &image),
        machine: VirtualMachine::new(&image),
        corpus: Corpus::default(),
        states: FastSet::default(),
        runs: 0,
        refused: 0,
        patience: SHORT,
        long_steps: 0,
        start: None,
    };
    let mut outcome = fuzzer.search();
    let mut statistics = Stats::default();
    statistics.add("runs", fuzzer.runs);
    statistics.add("steps of runs", fuzzer.machine.steps());
    statistics.add("branches taken", fuzzer.machine.coverage() as u64);
    statistics.add("runs kept", (fuzzer.corpus.ways.len() + fuzzer.corpus.states.len()) as u64);
    statistics.add("violations not confirmed", fuzzer.refused);
    outcome.statistics = statistics;
    outcome
}

struct Fuzzer<'r, 'i, 'p> {
    run: &'r Run<'r>,
    guesses: Guesses,
    machine: VirtualMachine<'i, 'p>,
    corpus: Corpus,
    states: FastSet<u64>,
    runs: u64,
    refused: u64,
    /// Steps of a run.
    patience: u64,
    /// Steps of runs that were followed to their end.
    long_steps: u64,
    /// The first input that is asked for.
    start: Option<(Snapshot, SourceId, u32)>,
}

impl Fuzzer<'_, '_, '_> {
    fn search(&mut self) -> Outcome {
        let cancel = self.run.context.cancel;
        // The first run goes from the start to its first input.
        if let Some(outcome) = self.follow(u32::MAX, Vec::new(), LONG) {
            return outcome;
        }
        if self.corpus.ways.is_empty() && self.corpus.states.is_empty() {
            return Outcome::unknown(Obstacle::nothing_to_do("the first run ends before it asks for an input"));
        }
        let mut barren = 0u64;
        loop {
            if let Some(reason) = cancel.stopped() {
                return Outcome::stopped(reason);
            }
            let before = self.corpus.links.len();
            let Some(kept) = self.corpus.choose(&mut self.guesses.chance) else {
                return Outcome::unknown(Obstacle::bound("no run asks for another input"));
            };
            let (link, source, width) = (kept.link, kept.source, kept.width);
            self.machine.restore(&kept.snapshot);
            let input = Input { source, width, value: self.guesses.value(source, width) };
            self.machine.give(input.value);
            if let Some(outcome) = self.follow(link, vec![input], self.patience) {
                return outcome;
            }
            barren = if self.corpus.links.len() > before { 0 } else { barren + 1 };
            if barren > MAX_BARREN {
                return Outcome::unknown(Obstacle::bound(format!("nothing new in {MAX_BARREN} runs")));
            }
            if barren > 0 && barren.is_multiple_of(2000) {
                self.patience = (self.patience * 4).min(LONG);
            }
        }
    }

    /// Goes on from where the machine is, with inputs by chance.
    fn follow(&mut self, mut link: u32, mut suffix: Vec<Input>, patience: u64) -> Option<Outcome> {
        self.runs += 1;
        // Most runs are short. A fifth of the time is for those that are followed to their end.
        let allowance = (self.machine.steps() + RESTORE * self.runs) / 4 + LONG_RUN;
        let long = self.long_steps < allowance;
        let mut left = if long {
            usize::MAX
        } else if self.guesses.chance.one_in(4) {
            64
        } else {
            8
        };
        let end = self.machine.steps() + if long { patience.max(allowance - self.long_steps) } else { patience };
        self.guesses.same = (long && self.guesses.chance.one_in(2)).then(|| self.guesses.chance.next_u64() % 4);
        loop {
            let before = self.machine.steps();
            let event = self.machine.run(end.saturating_sub(before).max(1));
            self.long_steps += if long { self.machine.steps() - before + 20 } else { 0 };
            let (edges, pairs) = self.machine.take_novelty();
            if (edges || pairs)
                && let Some(&input) = suffix.last()
            {
                self.guesses.reward(input);
            }
            match event {
                Event::Input { source, width } => {
                    let new_state = !long
                        && self.states.len() < MAX_STATES
                        && self.machine.fingerprint().is_some_and(|fingerprint| self.states.insert(fingerprint));
                    let first = self.start.is_none();
                    if first {
                        self.start = Some((self.machine.snapshot(), source, width));
                    }
                    if edges || pairs || new_state || first {
                        link = self.corpus.link(link, &suffix);
                        suffix.clear();
                        let kept = Kept { snapshot: self.machine.snapshot(), link, source, width, tries: 0 };
                        self.corpus.keep(kept, edges || pairs || first);
                    }
                    if left == 0 || first || self.run.context.cancel.is_stopped() {
                        return None;
                    }
                    left -= 1;
                    let input = Input { source, width, value: self.guesses.value(source, width) };
                    suffix.push(input);
                    self.machine.give(input.value);
                }
                Event::Target(_) => return self.confirm(link, &suffix),
                Event::Ended | Event::Undefined | Event::Unsupported | Event::Limit => return None,
            }
        }
    }

    fn confirm(&mut self, link: u32, suffix: &[Input]) -> Option<Outcome> {
        let found = self.corpus.all(link, suffix);
        let short = self.shorten(found.clone());
        match self.replay(&short).or_else(|_| self.replay(&found)) {
            Ok(counterexample) => Some(Outcome::violation(counterexample)),
            Err(failure) => {
                self.refused += 1;
                (self.refused >= MAX_REFUSED).then(|| Outcome::unknown(Obstacle::of_targets(vec![failure.obstacle(self.run.program)])))
            }
        }
    }

    fn replay(&self, inputs: &[Input]) -> Result<Counterexample, ReplayFailure> {
        let value = |input: &Input| InputValue {
            origin: InputOrigin::Source(input.source),
            bits: Bits::new(input.width, input.value.into()),
            span: Span::NONE,
        };
        let inputs: Vec<InputValue> = inputs.iter().map(value).collect();
        replay(self.run.program, &inputs, REPLAY, self.run.context.cancel)
    }

    /// A violation with fewer inputs: parts of the list are left out, large ones first, as long as the error is still
    /// reached.
    fn shorten(&mut self, mut inputs: Vec<Input>) -> Vec<Input> {
        let end = self.machine.steps() + SHORTEN;
        let mut part = inputs.len().div_ceil(2);
        while part > 0 {
            let mut at = 0;
            while at < inputs.len() {
                if self.machine.steps() > end || self.run.context.cancel.is_stopped() {
                    return inputs;
                }
                let rest = [&inputs[..at], &inputs[(at + part).min(inputs.len())..]].concat();
                match self.error_with(&rest) {
                    Some(shorter) => inputs = shorter,
                    None => at += part,
                }
            }
            part /= 2;
        }
        inputs
    }

    /// The inputs that a run from the start takes from a list of values, if it gets to an error before the list is used
    /// up.
    fn error_with(&mut self, values: &[Input]) -> Option<Vec<Input>> {
        let start = self.start.as_ref()?;
        self.machine.restore(&start.0);
        let (mut source, mut width) = (start.1, start.2);
        let mut taken = Vec::new();
        for input in values {
            taken.push(Input { source, width, value: input.value });
            self.machine.give(input.value);
            match self.machine.run(LONG) {
                Event::Input { source: next, width: wide } => (source, width) = (next, wide),
                Event::Target(_) => return Some(taken),
                _ => return None,
            }
        }
        None
    }
}
