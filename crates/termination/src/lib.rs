//! Termination: whether every execution of a program ends. Loops and recursion are shown to end by ranking functions,
//! and executions that never end are looked for: a state that comes back, or a set of states that is never left.

mod invariant;
mod lasso;
mod rank;
mod relevant;
mod walk;

use assay_base::{AssumptionClass, Obstacle, Span};
use assay_cfa::Program;
use assay_cfa::structure::{LiveRegisters, Structure};
use assay_results::{Outcome, RunContext};
use assay_smt::{Config, Solver};
use assay_term::Terms;
use std::time::Duration;
use walk::{Stop, Walker, has_outside_pointers};

/// Decides whether every execution of the program ends.
pub fn run(program: &Program, solver: &Config, context: &RunContext<'_>) -> Outcome {
    if program.syntax.threads > 0 {
        return Outcome::unknown(Obstacle::unsupported("threads, where it is asked whether executions end"));
    }
    let structure = Structure::new(program);
    let mut search = lasso::Search::new(program, &structure);
    if let Some(found) = search.run(context.cancel, Duration::from_millis(300)) {
        return Outcome::violation(found);
    }
    if search.ends {
        return Outcome::proof(vec![]);
    }
    let terms = Terms::overlay(program.terms.clone());
    let live = LiveRegisters::of(program, &terms);
    let mut reason = "the loops were not looked at to their end".to_string();
    let share = context.limits.cpu_time.unwrap_or(Duration::from_secs(900));
    for vague in [false, true] {
        if !vague && has_outside_pointers(program) {
            continue;
        }
        let time = share.mul_f64(0.5);
        let mut walker = Walker::new(program, &structure, &terms, &live, Solver::new(solver.clone()), context.cancel, time, vague);
        match walker.run() {
            Ok(()) if walker.open.is_empty() => {
                if !walker.ranked.is_empty() {
                    context.ledger.note(AssumptionClass::Rules, Span::NONE, "behaviour that is undefined ends an execution");
                }
                let mut outcome = Outcome::proof(vec![]);
                for one in &walker.ranked {
                    let measure = if one.measure.is_empty() { "no iteration is completed".to_string() } else { one.measure.join(", ") };
                    outcome.notes.push(format!("{} ends: {measure}", walker.place(one.head)));
                }
                outcome.notes.sort();
                outcome.notes.dedup();
                return outcome;
            }
            Ok(()) => {
                let places: Vec<String> = walker.open.iter().map(|cycle| walker.place(cycle.head)).collect();
                reason = format!("nothing shows that the loop or recursion at {} ends", places.join(", "));
            }
            Err(Stop::Memory) => {
                continue;
            }
            Err(Stop::Because(why)) => reason = why,
            Err(Stop::Stopped) => {}
        }
        break;
    }
    if let Some(found) = search.run(context.cancel, share.mul_f64(0.4).max(Duration::from_secs(2))) {
        return Outcome::violation(found);
    }
    if let Some(stopped) = context.cancel.stopped() {
        return Outcome::stopped(stopped);
    }
    Outcome::unknown(Obstacle::imprecise(reason))
}
