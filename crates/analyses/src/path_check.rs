//! The last word on a path to a target: a bit-precise path formula, a model of it, and the replay of the model's inputs
//! by the concrete interpreter. Only what the replay confirms is called a violation.

use crate::path_formula;
use crate::random::touches_environment;
use assay_base::hash::mix;
use assay_base::{CancelToken, Decision, FastMap, Obstacle, Stats};
use assay_cfa::{Program, SourceId, Target};
use assay_cpa::Step;
use assay_domains::value::{PathSymbol, PathSymbols, ValueSemantics};
use assay_results::replay::Recorder;
use assay_results::{Counterexample, InputOrigin, InputValue, replay};
use assay_semantics::environment::ENVIRONMENT_BIRTH;
use assay_semantics::interpreter::{Oracle, Stop, run as interpret};
use assay_semantics::state::{Executor, FreshOrigin, Semantics, State, StepResult, Undefined, Value};
use assay_smt::{Answer, Budget, Config, Solver};
use assay_term::{Bits, Term, Terms};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// What became of a path: confirmed by a replay that reached the target, or refuted by the positions of steps whose
/// conditions contradict each other.
pub type PathDecision = Decision<Box<Counterexample>, Vec<usize>>;

/// How a path is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PathCheckMode {
    /// By running it in the symbolic state.
    State,
    /// By its path formula.
    Formula,
    /// By the symbolic state; where that does not decide, the formula may find the inputs that the replay confirms.
    #[default]
    Either,
    /// By both; where they contradict each other, nothing is concluded.
    Both,
}

/// Steps of a replay beyond which it is given up, per step of the path.
const REPLAY_FACTOR: u64 = 4;

/// Checks paths of one program, with terms in an overlay of its own.
pub struct PathChecker<'p> {
    program: &'p Program,
    terms: Arc<Terms>,
    solver: Solver,
    cancel: CancelToken,
    time: Duration,
    mode: PathCheckMode,
}

/// What is given where no value is known.
#[derive(Clone, Copy)]
enum Later {
    Same(u128),
    /// Nothing or one, by chance.
    Chance(u64),
}

/// What is tried one after the other.
const LATER: [Later; 4] = [Later::Same(0), Later::Same(1), Later::Chance(1), Later::Chance(2)];

/// Gives each source its values in order, and others later.
#[derive(Clone)]
struct Given {
    sources: FastMap<SourceId, VecDeque<Bits>>,
    later: Later,
    /// How many of the later ones were asked for.
    asked: u64,
    /// Whether memory of the environment was asked for.
    environment: bool,
}

impl Given {
    fn next(&mut self) -> u128 {
        self.asked += 1;
        match self.later {
            Later::Same(value) => value,
            Later::Chance(seed) => u128::from(mix(mix(seed) ^ self.asked) & 1),
        }
    }
}

impl Oracle for Given {
    fn only_zeros(&self) -> bool {
        matches!(self.later, Later::Same(0)) && self.sources.values().all(VecDeque::is_empty)
    }
    fn source(&mut self, source: SourceId, width: u32) -> Bits {
        let value = self.sources.get_mut(&source).and_then(VecDeque::pop_front).map(Bits::value);
        let value = value.unwrap_or_else(|| self.next());
        Bits::new(width, value)
    }
    fn memory(&mut self, birth: u32, _: u64, width: u32) -> Bits {
        self.environment |= birth == ENVIRONMENT_BIRTH;
        Bits::new(width, 0)
    }
}

/// Collects what a path demands.
struct PathSemantics<'a> {
    symbols: &'a mut PathSymbols,
    /// Conditions that a replay had better avoid: of undefined behaviour, and of what nobody knows.
    defined: &'a mut Vec<Term>,
    undefined: bool,
}

impl Semantics for PathSemantics<'_> {
    fn symbolic(&self) -> bool {
        true
    }
    fn fresh(&mut self, terms: &Terms, state: &mut State, width: u32, origin: FreshOrigin) -> Value {
        ValueSemantics { symbolic: true, log: Some(self.symbols) }.fresh(terms, state, width, origin)
    }
    fn undefined(&mut self, what: Undefined, certain: bool) {
        self.undefined |= certain && what != Undefined::Check(assay_cfa::CheckKind::SignedOverflow);
    }
    fn undefined_if(&mut self, what: Undefined, condition: Term) {
        if what != Undefined::Check(assay_cfa::CheckKind::SignedOverflow) {
            self.defined.push(condition);
        }
    }
    fn doubtful_if(&mut self, condition: Term) {
        self.defined.push(condition);
    }
}

impl<'p> PathChecker<'p> {
    /// `time` is for one path, and `mode` says by which formulas it is checked.
    pub fn new(program: &'p Program, cancel: &CancelToken, time: Duration, mode: PathCheckMode, solver: Config) -> Self {
        let terms = Arc::new(Terms::overlay(program.terms.clone()));
        PathChecker { program, terms, solver: Solver::new(solver), cancel: cancel.clone(), time, mode }
    }

    /// What its solver did.
    pub fn stats(&self) -> Stats {
        self.solver.stats()
    }

    /// Follows the steps from the entry of the program to a target; `None` where they end at a construct that is not
    /// modelled, which no execution can be shown to pass.
    pub fn check(&mut self, steps: &[Step], target: Option<Target>) -> PathDecision {
        if self.mode == PathCheckMode::Formula {
            return self.check_formula(steps, target);
        }
        let verdict = self.check_state(steps, target);
        match (self.mode, verdict) {
            (PathCheckMode::Either, Decision::Open(reason)) => match self.check_formula(steps, target) {
                Decision::Feasible(counterexample) => Decision::Feasible(counterexample),
                // Two models of memory are not asked for one refutation: it must come from the one that explores.
                Decision::Infeasible(_) | Decision::Open(_) => Decision::Open(reason),
            },
            (PathCheckMode::Both, verdict) => match (verdict, self.check_formula(steps, target)) {
                (Decision::Infeasible(_), Decision::Feasible(_)) | (Decision::Feasible(_), Decision::Infeasible(_)) => {
                    debug_assert!(false, "the formula and the symbolic state of a path contradict each other");
                    Decision::Open(Obstacle::unconfirmed("the two checks of a path contradict each other"))
                }
                (Decision::Open(_), decided) => decided,
                (verdict, _) => verdict,
            },
            (_, verdict) => verdict,
        }
    }

    fn check_formula(&mut self, steps: &[Step], target: Option<Target>) -> PathDecision {
        let budget = Budget::with_time(&self.cancel, self.time);
        let limit = steps.len() as u64 * REPLAY_FACTOR + 10_000;
        path_formula::check(self.program, &self.terms, &mut self.solver, steps, target, &budget, limit)
    }

    fn check_state(&mut self, steps: &[Step], target: Option<Target>) -> PathDecision {
        let inputs = match self.inputs(steps) {
            Ok(inputs) => inputs,
            Err(verdict) => return verdict,
        };
        let limit = steps.len() as u64 * REPLAY_FACTOR + 10_000;
        match replay(self.program, &inputs, limit, &self.cancel) {
            Ok(counterexample) if Some(counterexample.target) == target => Decision::Feasible(Box::new(counterexample)),
            Ok(counterexample) => Decision::Open(other_target(counterexample.target)),
            Err(failure) => Decision::Open(failure.obstacle(self.program)),
        }
    }

    /// Values of the inputs with which an execution follows the steps, in the order of the path. They come from a model
    /// and are not replayed.
    ///
    /// # Errors
    /// `Infeasible` or `Open`, never `Feasible`.
    pub fn inputs(&mut self, steps: &[Step]) -> Result<Vec<InputValue>, PathDecision> {
        let terms = self.terms.clone();
        let machine = Executor::new(self.program, &terms);
        let mut state = machine.initial();
        let (mut symbols, mut failing) = (PathSymbols::new(), Vec::new());
        let mut constraints: Vec<Term> = Vec::new();
        let mut origins: Vec<usize> = Vec::new();
        let mut semantics = PathSemantics { symbols: &mut symbols, defined: &mut failing, undefined: false };
        for (position, step) in steps.iter().enumerate() {
            if self.cancel.is_stopped() {
                return Err(Decision::Open(Obstacle::solver("the path check was stopped")));
            }
            let result = match *step {
                Step::Edge(edge) => machine.step(&mut semantics, &mut state, edge),
                Step::Return(edge) => machine.leave(&mut semantics, &mut state, edge),
            };
            match result {
                StepResult::Continue => {}
                StepResult::ContinueIf(condition) => {
                    constraints.push(condition);
                    origins.push(position);
                }
                StepResult::Infeasible => return Err(Decision::Infeasible(vec![position])),
                StepResult::Unsupported => {
                    // It matters only if an execution gets there.
                    let budget = Budget::with_time(&self.cancel, self.time);
                    return Err(match self.solver.check(&terms, &constraints, &budget) {
                        Answer::Unsat(core) => Decision::Infeasible(core.into_iter().map(|i| origins[i]).collect()),
                        _ => Decision::Open(Obstacle::unsupported(self.program.unsupported_at(step.edge()))),
                    });
                }
            }
        }
        if semantics.undefined {
            // Behaviour is undefined on the way: what follows is nobody's promise.
            return Err(Decision::Open(Obstacle::unconfirmed("the path runs into undefined behaviour")));
        }
        let budget = Budget::with_time(&self.cancel, self.time);
        let mut model = None;
        if !failing.is_empty() {
            let mut strict = constraints.clone();
            strict.extend(failing.iter().map(|&condition| terms.not(condition)));
            if let Answer::Sat(found) = self.solver.check(&terms, &strict, &budget) {
                model = Some(found);
            }
        }
        let model = match model {
            Some(model) => model,
            None => match self.solver.check(&terms, &constraints, &budget) {
                Answer::Sat(model) => model,
                Answer::Unsat(core) => return Err(Decision::Infeasible(core.into_iter().map(|i| origins[i]).collect())),
                Answer::Unknown(reason) => return Err(Decision::Open(Obstacle::solver(reason.to_string()))),
            },
        };
        let value = |symbol: Term| {
            let width = terms.width(symbol);
            model.eval(&terms, symbol).unwrap_or(Bits::new(width, 0))
        };
        let mut inputs: Vec<InputValue> = Vec::new();
        for &PathSymbol { symbol, origin } in &symbols {
            let bits = value(symbol);
            match origin {
                FreshOrigin::Source(source) => {
                    let span = self.program.value_sources[source].span;
                    inputs.push(InputValue { origin: InputOrigin::Source(source), bits, span });
                }
                FreshOrigin::Memory { birth, offset, .. } => {
                    inputs.push(InputValue { origin: InputOrigin::Memory { birth, offset }, bits, span: assay_base::Span::NONE });
                }
                FreshOrigin::Forgotten(_) | FreshOrigin::Approximation { .. } => {}
            }
        }
        Ok(inputs)
    }

    /// A violation behind the steps: the inputs of an execution that takes them are run in the interpreter, which goes
    /// on with zeros for all that is asked for later, then with ones, and by chance. What rests on memory of the
    /// environment is not used: nobody chose what is read there behind the steps.
    pub(crate) fn run_on(&mut self, steps: &[Step], target: Target, limit: u64) -> Option<Box<Counterexample>> {
        let inputs = self.inputs(steps).ok()?;
        let mut sources: FastMap<SourceId, VecDeque<Bits>> = FastMap::default();
        for input in &inputs {
            match input.origin {
                InputOrigin::Source(source) => sources.entry(source).or_default().push_back(input.bits),
                // Such values are given by place, and what is read later may overlap them.
                InputOrigin::Memory { .. } => return None,
            }
        }
        for later in LATER {
            let given = Given { sources: sources.clone(), later, asked: 0, environment: false };
            let mut first = given.clone();
            let ended = interpret(self.program, &mut first, limit, &self.cancel, &mut |_, _, _| {});
            if matches!(ended.stop, Stop::Target(..)) && !first.environment && !touches_environment(&ended.state) {
                let mut again = given;
                let mut recorder = Recorder::new(self.program, &mut again);
                recorder.run(limit, &self.cancel);
                let found = replay(self.program, &recorder.asked, limit, &self.cancel).ok();
                if let Some(found) = found.filter(|found| found.target == target) {
                    return Some(Box::new(found));
                }
            }
            if first.asked == 0 || self.cancel.is_stopped() {
                // Another choice would change nothing.
                return None;
            }
        }
        None
    }
}

/// The replay came to another target than the path's.
pub(crate) fn other_target(target: Target) -> Obstacle {
    Obstacle::unconfirmed(format!("the replay violates {} instead", target.name()))
}
