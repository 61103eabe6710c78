//! Single paths: what the interpreter ran satisfies its formula; random paths have the verdict that the symbolic state
//! has; interpolants of infeasible paths are interpolants.

use crate::programs::{random_path, random_program};
use assay_base::{CancelToken, FastMap};
use assay_cfa::{Program, SourceId, Step};
use assay_formula::{Encoder, Form, InputPlace, PathFormula, State as FormulaState, StepOutcome};
use assay_semantics::interpreter::{Oracle, SeededOracle, Stop, run};
use assay_semantics::state::{Executor, FreshOrigin, Semantics, State, StepResult, Undefined, Value};
use assay_smt::interpolate::{self, InterpolationError, Method};
use assay_smt::{Answer, Budget, Config, Solver};
use assay_term::random::Random;
use assay_term::{Bits, Sort, Term, Terms};
use std::collections::VecDeque;

/// Remembers what it answered.
struct Recording {
    oracle: SeededOracle,
    sources: FastMap<SourceId, VecDeque<Bits>>,
    memory: FastMap<(u32, u64), u8>,
}

impl Oracle for Recording {
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        let bits = self.oracle.source(source, width);
        self.sources.entry(source).or_default().push_back(bits);
        bits
    }
    fn memory(&mut self, birth: u32, offset: u64, width: u32) -> Bits {
        let mut value = 0;
        for i in 0..u64::from(width / 8) {
            let byte = *self.memory.entry((birth, offset + i)).or_insert_with(|| self.oracle.memory(birth, offset, 8).value() as u8);
            value |= u128::from(byte) << (8 * i);
        }
        Bits::new(width, value)
    }
}

/// What the interpreter chose, as equations.
fn pins(terms: &Terms, state: &FormulaState, recording: &Recording) -> Vec<Term> {
    let mut sources = recording.sources.clone();
    let mut pins = Vec::new();
    for input in state.inputs() {
        match input.place {
            InputPlace::Source(source) => {
                let bits = sources.get_mut(&source).and_then(VecDeque::pop_front).expect("the interpreter asked as often");
                pins.push(terms.eq(input.symbol, terms.constant(bits)));
            }
            InputPlace::Memory { birth, offset } => {
                let sort = terms.sort(input.symbol);
                if sort.is_array() {
                    continue;
                }
                for i in 0..sort.width() / 8 {
                    if let Some(&byte) = recording.memory.get(&(birth, offset + u64::from(i))) {
                        let part = terms.extract(input.symbol, 8 * i + 7, 8 * i);
                        pins.push(terms.eq(part, terms.number(8, u128::from(byte))));
                    }
                }
            }
        }
    }
    pins
}

#[test]
fn what_the_interpreter_ran_satisfies_its_formula() {
    let (mut moves, mut memory) = (0, 0);
    for seed in 0..80 {
        let program = random_program(seed, true);
        let terms = Terms::overlay(program.terms.clone());
        let mut recording = Recording { oracle: SeededOracle::new(seed), sources: FastMap::default(), memory: FastMap::default() };
        let mut path: Vec<Step> = Vec::new();
        let end = run(&program, &mut recording, 500, &CancelToken::default(), &mut |step, _, _| path.push(step));
        if matches!(end.stop, Stop::Undefined(..)) {
            panic!("seed {seed}: {:?}\n{}", end.stop, assay_cfa::text::print(&program));
        }
        moves += path.len();
        memory += recording.memory.len();
        for form in [Form::Substituted, Form::Defined] {
            let encoder = Encoder::new(&program, &terms, form);
            let mut state = encoder.initial();
            for &step in &path {
                assert_eq!(encoder.follow(&mut state, step), StepOutcome::Continue, "seed {seed}, {form:?}");
            }
            let mut query = pins(&terms, &state, &recording);
            query.extend_from_slice(state.conditions());
            let answer = Solver::new(Config::default()).check(&terms, &query, &Budget::default());
            assert!(answer.is_sat(), "seed {seed}, {form:?}: {answer:?}\n{}", assay_cfa::text::print(&program));
            // A run of the interpreter has no undefined behaviour.
            query.push(state.undefined());
            let answer = Solver::new(Config::default()).check(&terms, &query, &Budget::default());
            assert!(answer.is_unsat(), "seed {seed}, {form:?}: undefined behaviour that is none\n{}", assay_cfa::text::print(&program));
        }
    }
    assert!(moves > 1000 && memory > 10, "{moves} moves, {memory} bytes of memory");
}

/// The symbolic semantics of the path check, with a note whether it had to guess.
struct Symbolic {
    guessed: bool,
}

impl Semantics for Symbolic {
    fn symbolic(&self) -> bool {
        true
    }
    fn fresh(&mut self, terms: &Terms, state: &mut State, width: u32, origin: FreshOrigin) -> Value {
        self.guessed |= matches!(origin, FreshOrigin::Approximation { .. });
        state.symbols += 1;
        Value::Term(terms.named(&format!("machine!{}!{width}", state.symbols), Sort::bv(width)))
    }
    fn undefined(&mut self, _: Undefined, _: bool) {
        self.guessed = true;
    }
}

/// The verdict of the symbolic state: feasible or not, and whether it had to guess.
fn machine_verdict(program: &Program, terms: &Terms, path: &[Step]) -> (Answer, bool) {
    let machine = Executor::new(program, terms);
    let mut semantics = Symbolic { guessed: false };
    let mut state = machine.initial();
    let mut constraints = Vec::new();
    for step in path {
        let result = match step.is_return() {
            true => machine.leave(&mut semantics, &mut state, step.edge()),
            false => machine.step(&mut semantics, &mut state, step.edge()),
        };
        match result {
            StepResult::Continue => {}
            StepResult::ContinueIf(condition) => constraints.push(condition),
            StepResult::Infeasible => return (Answer::Unsat(vec![]), semantics.guessed),
            StepResult::Unsupported => panic!("no such operation"),
        }
    }
    (Solver::new(Config::default()).check(terms, &constraints, &Budget::default()), semantics.guessed)
}

#[test]
fn random_paths_have_the_verdict_of_the_symbolic_state() {
    let (mut feasible, mut infeasible, mut guessed) = (0, 0, 0);
    for seed in 0..110 {
        let program = random_program(seed, true);
        let terms = Terms::overlay(program.terms.clone());
        let mut random = Random::new(seed ^ 0x55);
        for _ in 0..4 {
            let path = random_path(&program, &mut random, 60);
            let (expected, machine_guessed) = machine_verdict(&program, &terms, &path);
            for form in [Form::Substituted, Form::Defined] {
                let encoder = Encoder::new(&program, &terms, form);
                let mut state = encoder.initial();
                let mut outcome = StepOutcome::Continue;
                for &step in &path {
                    outcome = encoder.follow(&mut state, step);
                    if outcome != StepOutcome::Continue {
                        break;
                    }
                }
                let mut solver = Solver::new(Config::default());
                let found = solver.check(&terms, state.conditions(), &Budget::default());
                if outcome == StepOutcome::Infeasible {
                    assert!(found.is_unsat());
                }
                if machine_guessed || state.is_approximate() {
                    guessed += 1;
                    // The caller that guesses less excludes more: only claims that both make without a guess must
                    // agree.
                    assert!(!(found.is_unsat() && expected.is_sat() && !machine_guessed), "seed {seed}, {form:?}");
                    continue;
                }
                let text = || assay_cfa::text::print(&program);
                assert_eq!(found.is_sat(), expected.is_sat(), "seed {seed}, {form:?}: {found:?}, {expected:?}\n{path:?}\n{}", text());
                assert_eq!(found.is_unsat(), expected.is_unsat(), "seed {seed}, {form:?}");
                if found.is_sat() { feasible += 1 } else { infeasible += 1 }
            }
        }
    }
    eprintln!("{feasible} feasible, {infeasible} infeasible, {guessed} with a guess");
    assert!(feasible > 100 && infeasible > 100, "{feasible} feasible, {infeasible} infeasible, {guessed} with a guess");
}

#[test]
fn infeasible_paths_have_interpolants() {
    let (mut found, mut named) = (0, 0);
    let budget = Budget { conflicts: Some(20_000), ..Budget::default() };
    for seed in 0..70 {
        let program = random_program(seed, true);
        let terms = Terms::overlay(program.terms.clone());
        let mut random = Random::new(seed ^ 0x77);
        let path = random_path(&program, &mut random, 40);
        let formula = PathFormula::of(&program, &terms, &path).expect("every operation is modelled");
        let mut solver = Solver::new(Config::default());
        for method in [Method::Craig, Method::Newton] {
            match interpolate::sequence(&mut solver, &terms, &formula.groups, method, &budget) {
                Ok(list) => {
                    assert_eq!(interpolate::check(&terms, &formula.groups, &list, &budget), None, "seed {seed}, {method:?}");
                    found += 1;
                    named += list.iter().enumerate().filter(|&(i, &t)| formula.over_variables(&program, &terms, i, t).is_some()).count();
                }
                Err(InterpolationError::Satisfiable(_)) => break,
                Err(InterpolationError::Unknown(_)) => {}
            }
        }
    }
    assert!(found > 20 && named > found, "{found} sequences, {named} assertions over variables");
}
