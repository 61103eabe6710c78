//! From `--config` and `--set` to an analysis.

use crate::errors::Error;
use assay_base::{CancelToken, Stats};
use assay_cfa::Program;
use assay_cfa::interpreter::{SeededOracle, Stop};
use assay_results::replay::Recorder;
use assay_results::{Analysis, Counterexample, Outcome, RunContext, UnknownReason};

/// The analysis of a configuration.
pub fn analysis(_config: &str, _settings: &[String]) -> Result<Box<dyn Analysis>, Error> {
    Ok(Box::new(Trial))
}

/// Runs the program with a few random inputs. A violation that is found is one; a program that asks for no input has
/// only one run, so its end is a proof.
struct Trial;

impl Analysis for Trial {
    fn name(&self) -> &str {
        "trial"
    }
    fn run(&mut self, program: &Program, context: &RunContext<'_>) -> Outcome {
        for seed in 0..100 {
            let (stop, counterexample) = try_seed(program, seed, context.cancel);
            match stop {
                Stop::Target(..) => return Outcome::violation(counterexample),
                Stop::Finished | Stop::Halted(_) if counterexample.inputs.is_empty() => return Outcome::proof(vec![]),
                _ => {}
            }
            if let Some(reason) = context.cancel.stopped() {
                return Outcome::stopped(reason);
            }
        }
        let mut outcome = Outcome::unknown(UnknownReason::GaveUp("no violation in 100 random runs".to_string()));
        outcome.statistics = Stats::default();
        outcome
    }
}

fn try_seed(program: &Program, seed: u64, cancel: &CancelToken) -> (Stop, Counterexample) {
    let mut oracle = SeededOracle(seed);
    let mut recorder = Recorder::new(program, &mut oracle);
    let (stop, path) = recorder.run(1_000_000, cancel);
    let inputs = std::mem::take(&mut recorder.asked);
    let target = if let Stop::Target(target, _) = stop { target } else { assay_cfa::Target::UnreachCall };
    (stop, Counterexample { path, inputs, target })
}
