//! Random runs: the program in the concrete interpreter, again and again, with inputs by chance. Finds violations that
//! most inputs lead to, however long the way is; and a program that asks for no input has one run, which proves what it
//! does not violate.

use crate::run::Run;
use assay_base::hash::mix;
use assay_base::{Obstacle, Stats};
use assay_cfa::SourceId;
use assay_results::Outcome;
use assay_results::replay::{Recorder, replay};
use assay_semantics::environment::ENVIRONMENT_BIRTH;
use assay_semantics::interpreter::{Oracle, SeededOracle, Stop, run as interpret};
use assay_semantics::state::{ObjectName, State};
use assay_term::Bits;

/// The lengths to which runs are followed, each with all styles: most violations are near, and those that are not are
/// behind long loops.
const LENGTHS: [u64; 4] = [20_000, 200_000, 5_000_000, 50_000_000];
/// How often each style is tried with each length.
const TRIES: u64 = 4;
const STYLES: [Style; 5] = [Style::Mixed, Style::Below(2), Style::Below(8), Style::Same, Style::Extreme];

/// How many inputs are extreme, before the zeros.
const FIRST: u64 = 4;

/// How inputs are chosen.
#[derive(Clone, Copy)]
enum Style {
    /// Half of them small, the others anything.
    Mixed,
    /// Below this number.
    Below(u64),
    /// All the same small number.
    Same,
    /// First the greatest or smallest number, then zeros.
    Extreme,
}

struct Chance {
    style: Style,
    seed: u64,
    seeded: SeededOracle,
    asked: u64,
    /// Whether it chose what the memory of the environment holds.
    environment: bool,
}

impl Chance {
    fn new(style: Style, seed: u64) -> Self {
        Chance { style, seed, seeded: SeededOracle::new(mix(seed)), asked: 0, environment: false }
    }

    fn number(&mut self, width: u32) -> Option<Bits> {
        self.asked += 1;
        match self.style {
            Style::Mixed => None,
            Style::Below(bound) => Some(Bits::new(width, u128::from(mix(mix(self.seed) ^ self.asked) % bound))),
            Style::Same => Some(Bits::new(width, u128::from(self.seed % TRIES))),
            Style::Extreme if self.asked > FIRST => Some(Bits::new(width, 0)),
            Style::Extreme => {
                let smallest = 1u128 << (width - 1);
                let below = |distance| smallest.wrapping_sub(distance);
                Some(Bits::new(width, [below(1), smallest, below(2), u128::MAX][(self.seed % TRIES) as usize]))
            }
        }
    }
}

impl Oracle for Chance {
    fn only_zeros(&self) -> bool {
        matches!(self.style, Style::Extreme) && self.asked >= FIRST
    }
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        self.number(width).unwrap_or_else(|| self.seeded.source(source, width))
    }
    fn memory(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        self.environment |= birth == ENVIRONMENT_BIRTH;
        self.number(width).unwrap_or_else(|| self.seeded.memory(birth, offset, width))
    }
}

/// Whether a run wrote to the memory of the environment. By chance no address leads there, so the program made one up,
/// and what it does with it is undefined.
pub(crate) fn touches_environment(state: &State) -> bool {
    let mut touched = false;
    state.for_each_object(|_, object| {
        if object.name == ObjectName::Environment {
            object.for_each_cell(|_| touched = true);
        }
    });
    touched
}

/// Runs the program until a violation is found, or everything was tried.
pub(crate) fn run(run: &Run<'_>) -> Outcome {
    let (program, cancel) = (run.program, run.context.cancel);
    let mut stats = Stats::default();
    let with = |mut outcome: Outcome, stats: Stats| {
        outcome.statistics = stats;
        outcome
    };
    // Runs that ended before are the same with more room.
    let mut open = [true; STYLES.len() * TRIES as usize];
    for length in LENGTHS {
        for attempt in 0..TRIES {
            for (index, &style) in STYLES.iter().enumerate() {
                if let Some(reason) = cancel.stopped() {
                    return with(Outcome::stopped(reason), stats);
                }
                let open = &mut open[index * TRIES as usize + attempt as usize];
                if !*open {
                    continue;
                }
                let seed = run.config.seed.wrapping_add(attempt);
                let mut chance = Chance::new(style, seed);
                let ended = interpret(program, &mut chance, length, cancel, &mut |_, _, _| {});
                stats.add("runs", 1);
                stats.add("steps of runs", ended.steps);
                *open = ended.stop == Stop::Limit;
                let environment = chance.environment || touches_environment(&ended.state);
                match ended.stop {
                    Stop::Target(..) if !environment => {
                        let mut chance = Chance::new(style, seed);
                        let mut recorder = Recorder::new(program, &mut chance);
                        recorder.run(length, cancel);
                        if let Ok(counterexample) = replay(program, &recorder.asked, length, cancel) {
                            return with(Outcome::violation(counterexample), stats);
                        }
                    }
                    Stop::Limit => {}
                    // Nobody chose anything, so this was the only run.
                    stop if chance.asked == 0 => {
                        let proved = matches!(stop, Stop::Finished | Stop::Halted(_)) && !environment;
                        let failure =
                            Obstacle::of_targets(vec![Obstacle::unconfirmed("the only run does what is not defined, or not modelled")]);
                        return with(if proved { Outcome::proof(vec![]) } else { Outcome::unknown(failure) }, stats);
                    }
                    _ => {}
                }
            }
        }
    }
    with(Outcome::unknown(Obstacle::bound("no random run violates the property")), stats)
}
