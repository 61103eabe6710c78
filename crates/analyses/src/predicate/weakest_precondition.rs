//! What a path demands, pulled back to the beginnings of its blocks: weakest preconditions over the unsatisfiable core,
//! in the program's own terms.
//!
//! Each block is followed from a state of which nothing is known, so its conditions are said of the variables and cells
//! at its beginning; those of later blocks are pulled through it by putting in what it computes. At the start of the
//! program nothing is left to know, and the conditions that contradict each other there are those that matter
//! everywhere: at each border the assertion is that what remains of them does not hold. Where an input of the path is
//! in the path, what the path makes of the variables is asserted in its place.

use assay_cpa::Step;
use assay_domains::predicate::PredicateDomain;
use assay_formula::{Encoder, Form, Stable, State, StepOutcome};
use assay_smt::{Answer, Budget, Solver};
use assay_term::{Op, Term};

/// Assertions over stable symbols.
pub(super) struct Pulled {
    /// For the beginning of each block: what predicates must be able to say there.
    pub assertions: Vec<Vec<Term>>,
}

/// A condition of the path with its number.
type Condition = (usize, Term);

impl Pulled {
    /// `starts` are the beginnings of the blocks (the first is the start of the program), `steps` what is taken from
    /// each. `None` where the path is not infeasible by what can be pulled.
    pub(super) fn of(
        domain: &PredicateDomain<'_>,
        solver: &mut Solver,
        starts: &[&State],
        steps: &[Vec<Step>],
        budget: &Budget,
    ) -> Option<Pulled> {
        let encoder = domain.encoder();
        let terms = &*domain.terms;
        let mut borders: Vec<Vec<Condition>> = vec![vec![]; starts.len()];
        let mut later: Vec<Condition> = Vec::new();
        let mut count = 0;
        for index in (0..starts.len()).rev() {
            let mut state = starts[index].clone();
            let open = follow(&encoder, &mut state, &steps[index]);
            let mut here: Vec<Condition> = Vec::new();
            for &condition in state.conditions() {
                here.push((count, condition));
                count += 1;
            }
            if open {
                here.extend(later.iter().filter_map(|&(number, term)| Some((number, pull(domain, &encoder, &state, index, term)?))));
            }
            later = here.clone();
            borders[index] = here;
            if budget.cancel.is_stopped() {
                return None;
            }
        }
        let core = core(&encoder, solver, starts[0], &borders[0], budget)?;
        let mut assertions = vec![vec![]; starts.len()];
        let values = values(domain, steps);
        for (index, conditions) in borders.iter().enumerate().skip(1) {
            let left: Vec<Term> = conditions.iter().filter(|(number, _)| core.contains(number)).map(|&(_, term)| term).collect();
            if left.is_empty() {
                continue;
            }
            let mut alone = left.clone();
            alone.extend(encoder.facts(starts[index], left.iter().copied()));
            if solver.check(terms, &alone, budget).is_unsat() {
                continue;
            }
            for term in left {
                if is_stable(&encoder, term) {
                    assertions[index].push(term);
                } else if let Some(values) = values.get(index) {
                    assertions[index].extend(definite(&encoder, values, term));
                }
            }
        }
        Some(Pulled { assertions })
    }
}

/// Takes steps; `false` where a condition is false whatever the values.
fn follow(encoder: &Encoder<'_>, state: &mut State, steps: &[Step]) -> bool {
    steps.iter().all(|&step| encoder.follow(state, step) == StepOutcome::Continue)
}

/// A condition behind a block, said of its beginning; inputs of later blocks get names of their own.
fn pull(domain: &PredicateDomain<'_>, encoder: &Encoder<'_>, end: &State, block: usize, term: Term) -> Option<Term> {
    let terms = &*domain.terms;
    let mut known = true;
    let result = terms.substitute(term, &mut |node| match encoder.stable_of(node.symbol(), node.op) {
        Some(stable) => {
            let value = encoder.stable_value(end, stable);
            known &= value.is_some();
            value
        }
        None if node.op == Op::Symbol && !terms.symbol_name(node.symbol()).contains('#') => {
            let name = format!("{}#{}", terms.symbol_name(node.symbol()), block + 1);
            Some(terms.named(&name, node.sort))
        }
        None => None,
    });
    known.then_some(result)
}

/// The numbers of conditions that contradict each other.
fn core(encoder: &Encoder<'_>, solver: &mut Solver, start: &State, conditions: &[Condition], budget: &Budget) -> Option<Vec<usize>> {
    let mut query: Vec<Term> = conditions.iter().map(|&(_, term)| term).collect();
    if let Some(&(number, _)) = conditions.iter().find(|(_, term)| encoder.terms.is_false(*term)) {
        return Some(vec![number]);
    }
    query.extend(encoder.facts(start, query.clone()));
    match solver.check_minimal(encoder.terms, &query, budget) {
        Answer::Unsat(core) => Some(core.into_iter().filter_map(|index| conditions.get(index).map(|c| c.0)).collect()),
        _ => None,
    }
}

fn is_stable(encoder: &Encoder<'_>, term: Term) -> bool {
    let mut stable = true;
    encoder.terms.post_order([term], |_, node| {
        if matches!(node.op, Op::Symbol | Op::Address) {
            let function = node.op == Op::Address && encoder.program.function_of(node.symbol()).is_some();
            stable &= function || encoder.stable_of(node.symbol(), node.op).is_some();
        }
    });
    stable
}

/// The exact states at the beginnings of blocks, as far as the path goes.
fn values(domain: &PredicateDomain<'_>, steps: &[Vec<Step>]) -> Vec<State> {
    let encoder = Encoder { keep_inputs: false, ..Encoder::new(domain.program, &domain.terms, Form::Substituted) };
    let mut state = encoder.initial();
    let mut result = vec![state.clone()];
    for steps in steps {
        if !follow(&encoder, &mut state, steps) {
            break;
        }
        result.push(state.clone());
    }
    result
}

/// What the path makes of the registers that a term speaks of, where that is a number.
fn definite(encoder: &Encoder<'_>, values: &State, term: Term) -> Vec<Term> {
    let terms = encoder.terms;
    let mut result = Vec::new();
    terms.post_order([term], |_, node| {
        if node.op == Op::Symbol
            && let Some(stable @ (Stable::Register { .. } | Stable::Cell { .. })) = encoder.stable_of(node.symbol(), node.op)
            && let Some(value) = encoder.stable_value(values, stable)
            && terms.as_constant(value).is_some()
        {
            result.push(terms.eq(terms.symbol(node.symbol()), value));
        }
    });
    result
}
