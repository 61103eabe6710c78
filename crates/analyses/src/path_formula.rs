//! The check of a path by its path formula: another way to the same question as the symbolic state's, with arrays for
//! memory at computed places. It confirms by replay like the other, and it refutes only what is defined.

use crate::path_check::{PathDecision, other_target};
use assay_base::{Decision, Obstacle, Span};
use assay_cfa::{Program, Target};
use assay_cpa::Step;
use assay_formula::{Encoder, Form, InputPlace, State, StepOutcome};
use assay_results::{InputOrigin, InputValue, replay};
use assay_smt::{Answer, Budget, Model, Solver};
use assay_term::{Bits, Term, Terms};

/// Follows the steps from the entry of the program.
pub(crate) fn check(
    program: &Program,
    terms: &Terms,
    solver: &mut Solver,
    steps: &[Step],
    target: Option<Target>,
    budget: &Budget,
    max_steps: u64,
) -> PathDecision {
    let encoder = Encoder { cancel: Some(&budget.cancel), ..Encoder::new(program, terms, Form::Substituted) };
    let mut state = encoder.initial();
    // How many conditions there are before each step.
    let mut marks = Vec::with_capacity(steps.len());
    let mut infeasible = false;
    for &step in steps {
        if budget.cancel.is_stopped() {
            return Decision::Open(Obstacle::solver("the path check was stopped"));
        }
        marks.push(state.conditions().len());
        match encoder.follow(&mut state, step) {
            StepOutcome::Continue => {}
            StepOutcome::Infeasible => {
                infeasible = true;
                break;
            }
            StepOutcome::Unsupported(what) => {
                let place = program.sources.describe(program.edges[step.edge()].span);
                return Decision::Open(Obstacle::unsupported(format!("{what} at {place}")));
            }
        }
    }
    let conditions = state.conditions().to_vec();
    let facts = encoder.facts(&state, conditions.iter().copied());
    let mut query = conditions.clone();
    query.extend_from_slice(&facts);
    let model = if infeasible { None } else { defined_model(terms, solver, &state, &query, budget) };
    let model = match model {
        Some(model) => model,
        None => match solver.check(terms, &query, budget) {
            Answer::Sat(model) => model,
            Answer::Unknown(reason) => return Decision::Open(Obstacle::solver(reason.to_string())),
            Answer::Unsat(core) => {
                // Behind undefined behaviour everything may happen.
                let mut undefined = facts;
                undefined.push(state.undefined());
                if !solver.check(terms, &undefined, budget).is_unsat() {
                    return Decision::Open(Obstacle::unconfirmed("the path may run into undefined behaviour"));
                }
                let position = |condition: usize| marks.partition_point(|&mark| mark <= condition).saturating_sub(1);
                let mut core: Vec<usize> = core.into_iter().map(|i| position(i.min(conditions.len() - 1))).collect();
                core.dedup();
                return Decision::Infeasible(core);
            }
        },
    };
    let inputs = inputs(program, terms, &state, &model);
    match replay(program, &inputs, max_steps, &budget.cancel) {
        Ok(counterexample) if Some(counterexample.target) == target => Decision::Feasible(Box::new(counterexample)),
        Ok(counterexample) => Decision::Open(other_target(counterexample.target)),
        Err(failure) => Decision::Open(failure.obstacle(program)),
    }
}

/// A model in which nothing on the path is undefined, if there is one.
fn defined_model(terms: &Terms, solver: &mut Solver, state: &State, query: &[Term], budget: &Budget) -> Option<Model> {
    let bad = terms.or(state.undefined(), state.failing());
    if terms.is_false(bad) {
        return None;
    }
    let mut strict = query.to_vec();
    strict.push(terms.not(bad));
    solver.check(terms, &strict, budget).model().cloned()
}

fn inputs(program: &Program, terms: &Terms, state: &State, model: &Model) -> Vec<InputValue> {
    let mut inputs = Vec::new();
    for input in state.inputs() {
        match input.place {
            InputPlace::Source(source) => {
                let bits = value(terms, model, input.symbol);
                inputs.push(InputValue { origin: InputOrigin::Source(source), bits, span: program.value_sources[source].span });
            }
            InputPlace::Memory { birth, offset } => {
                let mut add = |offset, bits| {
                    inputs.push(InputValue { origin: InputOrigin::Memory { birth, offset }, bits, span: Span::NONE });
                };
                if !terms.sort(input.symbol).is_array() {
                    add(offset, value(terms, model, input.symbol));
                } else if let Some(array) = model.data().arrays.get(&terms.node(input.symbol).symbol()) {
                    array.entries.iter().for_each(|(&at, &bits)| add(at as u64, bits));
                }
            }
        }
    }
    inputs
}

fn value(terms: &Terms, model: &Model, symbol: Term) -> Bits {
    model.eval(terms, symbol).unwrap_or(Bits::new(terms.width(symbol), 0))
}
