//! Bounded model checking and k-induction on path formulas: the program unrolled to a growing bound, with ways merged
//! where they meet. A target that a model reaches is confirmed by the path check like any other; a proof is either that
//! the bound cuts nothing, or an induction over the rounds of all loops.

mod attempts;
mod pruning;
mod questions;

use crate::config::Config;
use crate::path_check::PathChecker;
use crate::suggestions;
use assay_base::{Decision, Gauge, Obstacle, Stats, WorkTime};
use assay_cfa::structure::Structure;
use assay_cfa::{Operation, Program, Target};
use assay_cpa::{CallStacks, Environment, LocationOrders, Step};
use assay_domains::induction::{Bounds, Suggestions, interval_bounds};
use assay_domains::interval::IntervalDomain;
use assay_formula::unroll::End;
use assay_formula::{Encoder, Form, UnrollOptions, Unrolling};
use assay_results::{Outcome, RunContext};
use assay_smt::{Answer, Model, Solver};
use assay_term::Terms;
use attempts::Attempts;
use pruning::Pruning;
use questions::{Questions, Reached};
use std::time::Duration;

/// Nodes of one unrolling.
const MAX_NODES: usize = 400_000;

pub(crate) struct Bounded<'r> {
    pub config: &'r Config,
    pub program: &'r Program,
    pub structure: &'r Structure<'r>,
    pub context: &'r RunContext<'r>,
}

/// What an unrolling is made for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    Both,
    /// There is no proof any more.
    Violation,
    /// The step of an induction, tried until then; with relations of values with those at the loop's entry.
    Induction {
        relations: bool,
        until: WorkTime,
    },
}

impl Search {
    /// What is left of a time that something may take.
    fn time(self, at_most: Duration) -> Duration {
        match self {
            Search::Induction { until, .. } => at_most.min(until.left()),
            Search::Both | Search::Violation => at_most,
        }
    }
}

/// What one unrolling showed.
enum Shown {
    Safe,
    Violation(Box<Outcome>),
    /// Nothing bad within the bound, which cut something.
    Cut,
    /// Something could not be decided; whether the bound cut something.
    Undecided {
        reason: Obstacle,
        cut: bool,
    },
    Stopped,
}

/// What an induction is told about the heads of loops.
#[derive(Clone, Copy)]
struct Known<'a> {
    /// These hold.
    bounds: &'a Bounds,
    /// These may hold.
    suggested: &'a Suggestions,
}

impl Bounded<'_> {
    pub(crate) fn run(&self) -> Outcome {
        let mut stats = Stats::default();
        let terms = Terms::overlay(self.program.terms.clone());
        let mut solver = Solver::new(self.config.solver());
        let mut rounds = 0;
        let mut outcome = self.search(&terms, &mut solver, &mut stats, &mut rounds);
        outcome.how_far.rounds = rounds;
        stats.merge(&solver.stats());
        outcome.statistics = stats;
        outcome
    }

    /// `rounds` is the last bound within which nothing is.
    fn search(&self, terms: &Terms, solver: &mut Solver, stats: &mut Stats, rounds: &mut u32) -> Outcome {
        if let Some(bad) = self.structure.loops().loops.iter().find(|l| l.irreducible) {
            let place = self.program.locations[bad.head].outgoing.first().map(|&edge| self.program.edges[edge].span);
            let place = place.map_or_else(String::new, |span| self.program.sources.describe(span));
            return Outcome::unknown(Obstacle::nothing_to_do(format!("a loop with several entries at {place} cannot be unrolled")));
        }
        let cancel = Some(self.context.cancel);
        let encoder = Encoder { keep_inputs: false, cancel, ..Encoder::new(self.program, terms, Form::Substituted) };
        // Lost memory is looked for where the program ends, and an induction covers ways that never do.
        let inductive = self.config.induction && !self.program.questions.contains(Target::ValidMemtrack);
        let mut bound = 1;
        let mut undecided = None;
        let (none, nothing, mut bounds) = (Bounds::default(), Suggestions::default(), None);
        let mut suggested = Suggestions::default();
        let mut attempts = Attempts::default();
        loop {
            let begin = WorkTime::now();
            stats.add("bounded.unrollings", 1);
            stats.max("bounded.bound", u64::from(bound));
            self.context.cancel.meter().set(Gauge::Bound, u64::from(bound));
            let search = if undecided.is_some() { Search::Violation } else { Search::Both };
            let shown = self.unroll(&encoder, solver, bound, search, Known { bounds: &none, suggested: &nothing }, stats);
            match shown {
                Shown::Safe => return Outcome::proof(vec![]),
                Shown::Violation(outcome) => return *outcome,
                Shown::Stopped => return self.stopped(),
                // There is no proof any more, but more rounds may show a violation.
                Shown::Undecided { reason, cut } => {
                    let reason = undecided.get_or_insert(reason);
                    if !cut || bound >= self.config.max_bound {
                        return Outcome::unknown(Obstacle::of_targets(vec![reason.clone()]));
                    }
                }
                Shown::Cut => *rounds = bound,
            }
            if inductive && undecided.is_none() {
                if attempts.unrolled(bound, self.config.max_bound, begin.elapsed()) {
                    suggested = suggestions::of(self.context.findings, self.program, terms, stats);
                }
                for attempt in attempts.take() {
                    let begin = WorkTime::now();
                    let Some(time) = attempts.time_for(attempt) else { continue };
                    stats.add("bounded.inductions", 1);
                    let relations = attempt.relations;
                    let bounds = if relations { bounds.get_or_insert_with(|| self.interval_bounds(terms)) } else { &none };
                    let known = Known { bounds, suggested: if relations { &suggested } else { &nothing } };
                    let search = Search::Induction { relations, until: begin + time };
                    match self.unroll(&encoder, solver, attempt.rounds, search, known, stats) {
                        Shown::Safe => return Outcome::proof(vec![]),
                        Shown::Stopped if self.context.cancel.is_stopped() => return self.stopped(),
                        Shown::Stopped | Shown::Undecided { .. } if begin.elapsed() >= time => {
                            stats.add("bounded.inductions put off", 1);
                            attempts.put_off(attempt, time);
                        }
                        // An induction that fails says nothing of the program.
                        Shown::Stopped | Shown::Violation(_) | Shown::Cut | Shown::Undecided { .. } => {}
                    }
                    attempts.tried(begin.elapsed());
                }
            }
            if bound >= self.config.max_bound {
                return Outcome::unknown(Obstacle::bound(format!("no violation within {bound} rounds of each loop")));
            }
            bound = (bound * 2).min(self.config.max_bound);
        }
    }

    fn stopped(&self) -> Outcome {
        match self.context.cancel.stopped() {
            Some(reason) => Outcome::stopped(reason),
            None => Outcome::unknown(Obstacle::bound("the unrolled program has too many places")),
        }
    }

    /// What interval analysis knows at the heads of loops.
    fn interval_bounds(&self, terms: &Terms) -> Bounds {
        let (program, cancel) = (self.program, self.context.cancel);
        let stacks = CallStacks::new(Some(self.config.call_depth));
        let orders = LocationOrders::new(program);
        let environment = Environment { program, stacks: &stacks, orders: &orders, ledger: self.context.ledger, cancel };
        interval_bounds(environment, &IntervalDomain::new(program, terms, self.structure.loops()), self.config.narrowing)
    }

    fn unroll(&self, encoder: &Encoder<'_>, solver: &mut Solver, bound: u32, search: Search, known: Known<'_>, stats: &mut Stats) -> Shown {
        let cancel = self.context.cancel;
        let (induction, relations) = match search {
            Search::Induction { relations, .. } => (true, relations),
            Search::Both | Search::Violation => (false, false),
        };
        // Memory may be lost for good in a run that waits for ever.
        let progress = !self.program.questions.contains(Target::ValidMemtrack);
        let options = UnrollOptions { iterations: bound, call_depth: 100, max_nodes: MAX_NODES, induction, relations, progress };
        let solver_time = self.config.solver_time;
        let mut visitor =
            Pruning { encoder, solver, cancel, solver_time, stats, begin: WorkTime::now(), asking: Duration::ZERO, search, known };
        let unrolling = Unrolling::of(encoder, self.structure, options, &mut visitor);
        if unrolling.stopped {
            return Shown::Stopped;
        }
        if let Some(what) = unrolling.not_inductive {
            return Shown::Undecided { reason: Obstacle::imprecise(what), cut: false };
        }
        let mut undecided = None;
        let mut questions = Questions { encoder, solver, cancel, time: self.config.path_time, search };
        let way = |end: &End| end.state.path();
        let ends: Vec<&End> = unrolling.targets.iter().map(|(_, end)| end).collect();
        let order = match questions.reach_any(&ends, &way) {
            Reached::None => vec![],
            Reached::Any(first) => (first..ends.len()).chain(0..first).collect(),
        };
        for (target, end) in order.into_iter().map(|index| &unrolling.targets[index]) {
            let answer = if induction { questions.reach(end, end.state.conditions()) } else { questions.reach_defined(end) };
            match answer {
                Answer::Unsat(_) => {}
                Answer::Sat(_) if induction => return Shown::Cut,
                Answer::Unknown(reason) => undecided = Some(Obstacle::solver(reason.to_string())),
                Answer::Sat(model) => match self.confirm(encoder, &unrolling, end, &model) {
                    Some(steps) => {
                        let config = self.config;
                        let mut checker =
                            PathChecker::new(self.program, self.context.cancel, config.path_time, config.path_check, config.solver());
                        match checker.check(&steps, Some(*target)) {
                            Decision::Feasible(counterexample) => {
                                return Shown::Violation(Box::new(Outcome::violation(*counterexample)));
                            }
                            Decision::Infeasible(_) => {
                                undecided = Some(Obstacle::unconfirmed("a path of the unrolling is infeasible by itself"))
                            }
                            Decision::Open(reason) => undecided = Some(reason),
                        }
                    }
                    None => undecided = Some(Obstacle::unconfirmed("a model of the unrolling shows no path")),
                },
            }
            if cancel.is_stopped() || search.time(Duration::MAX).is_zero() {
                return Shown::Stopped;
            }
        }
        let cut = !unrolling.cut.is_empty();
        if search == Search::Violation {
            return Shown::Undecided {
                reason: undecided.unwrap_or_else(|| Obstacle::unconfirmed("an earlier bound was not decided")),
                cut,
            };
        }
        let ends: Vec<&End> = unrolling.unsupported.iter().map(|(_, end)| end).collect();
        if let Some(index) = questions.find_reached(&ends, &way) {
            let (what, end) = &unrolling.unsupported[index];
            undecided.get_or_insert_with(|| Obstacle::unsupported(self.describe(what, end)));
        }
        // Behind undefined behaviour the formula promises nothing.
        let ends = unrolling.targets.iter().map(|(_, end)| end);
        let ends = ends.chain(&unrolling.finished).chain(&unrolling.cut).chain(&unrolling.undefined);
        let ends: Vec<&End> = ends.chain(unrolling.unsupported.iter().map(|(_, end)| end)).collect();
        if questions.find_reached(&ends, &|end| end.state.undefined()).is_some() {
            undecided.get_or_insert_with(|| Obstacle::unconfirmed("an access to memory may be undefined"));
        }
        if let Some(reason) = undecided {
            return Shown::Undecided { reason, cut };
        }
        let ends: Vec<&End> = unrolling.cut.iter().collect();
        let cut = questions.find_reached(&ends, &way).is_some();
        if cut { Shown::Cut } else { Shown::Safe }
    }

    /// The path that a model takes to an end.
    fn confirm(&self, encoder: &Encoder<'_>, unrolling: &Unrolling, end: &End, model: &Model) -> Option<Vec<Step>> {
        let mut evaluator = model.evaluator(encoder.terms);
        unrolling.path_to(end, &mut |condition| evaluator.holds(condition) == Some(true))
    }

    fn describe(&self, what: &str, end: &End) -> String {
        let edges = self.program.locations[end.location].outgoing.iter();
        let span = edges.map(|&e| &self.program.edges[e]).find(|e| matches!(e.operation, Operation::Unsupported { .. })).map(|e| e.span);
        span.map_or_else(|| what.to_string(), |span| format!("{what} at {}", self.program.sources.describe(span)))
    }
}
