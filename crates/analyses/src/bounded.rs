//! Bounded model checking and k-induction on path formulas: the program unrolled to a growing bound, with ways merged
//! where they meet. A target that a model reaches is confirmed by the path check like any other; a proof is either that
//! the bound cuts nothing, or an induction over the rounds of all loops.

use crate::config::Config;
use crate::path_check::{PathChecker, PathVerdict};
use crate::suggestions;
use assay_base::{CancelToken, FastSet, Gauge, Id, Obstacle, Stats};
use assay_cfa::structure::Structure;
use assay_cfa::{FunctionId, LocationId, Operation, Program, Target};
use assay_cpa::{CallStacks, Environment, LocationOrders, Step};
use assay_domains::induction::{Bounds, Suggestions, interval_bounds};
use assay_domains::interval::IntervalDomain;
use assay_formula::unroll::{End, Visitor};
use assay_formula::{Encoder, Form, State, UnrollOptions, Unrolling};
use assay_results::{Outcome, RunContext, UnknownReason};
use assay_smt::{Answer, Budget, Model, Solver};
use assay_term::{Term, Terms};
use std::time::{Duration, Instant};

/// Nodes of one unrolling.
const MAX_NODES: usize = 400_000;
/// Inductions over more rounds are not tried: what they would find, larger bounds find as well.
const MAX_ROUNDS: u32 = 8;
/// Inductions with bounds of variables and relations with a loop's entry are tried from this bound on. They cost
/// several times as much as those without, and many loops are left for good by then.
const STRONGER_FROM: u32 = 4;
/// So many ends are asked for in one question.
const MANY: usize = 4;
/// What questions for rounds of loops may take in any case.
const PRUNING_TIME: Duration = Duration::from_millis(500);

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
    /// The step of an induction; with relations of values with those at the loop's entry.
    Induction {
        relations: bool,
    },
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

/// Whether something may reach one of several ends.
enum Reached {
    None,
    /// This one is worth asking for first.
    Any(usize),
}

/// Asks whether a further round of a loop can be reached.
struct Pruning<'a> {
    encoder: &'a Encoder<'a>,
    solver: &'a mut Solver,
    cancel: &'a CancelToken,
    budget: Budget,
    stats: &'a mut Stats,
    begin: Instant,
    /// The time that questions took.
    asking: Duration,
    known: Known<'a>,
}

/// What an induction is told about the heads of loops.
#[derive(Clone, Copy)]
struct Known<'a> {
    /// These hold.
    bounds: &'a Bounds,
    /// These may hold.
    suggested: &'a Suggestions,
}

impl Pruning<'_> {
    /// Questions may take as long as the unrolling itself, and a little more: in large programs most rounds can be
    /// reached, and asking for each of them would be all that is done.
    fn may_ask(&self) -> bool {
        self.asking <= self.begin.elapsed().saturating_sub(self.asking) + PRUNING_TIME
    }
}

impl Visitor for Pruning<'_> {
    fn is_reachable(&mut self, state: &State) -> bool {
        if !self.may_ask() {
            self.stats.add("bounded.rounds not asked for", 1);
            return true;
        }
        let begin = Instant::now();
        self.stats.add("bounded.rounds asked for", 1);
        let reachable = !self.solver.check(self.encoder.terms, state.conditions(), &self.budget).is_unsat();
        self.asking += begin.elapsed();
        if !reachable {
            self.stats.add("bounded.rounds excluded", 1);
        }
        reachable
    }
    fn is_stopped(&mut self) -> bool {
        self.cancel.is_stopped()
    }
    fn comes_to(&mut self, function: FunctionId) {
        self.cancel.meter().set(Gauge::Function, function.index() as u64 + 1);
    }
    fn invariants(&mut self, head: LocationId) -> Vec<Term> {
        self.known.bounds.terms(self.encoder.terms, head)
    }
    fn suggestions(&mut self, head: LocationId) -> Vec<Term> {
        self.known.suggested.get(&head).cloned().unwrap_or_default()
    }
    fn refuted(&mut self, state: &State, conditions: &[Term]) -> Vec<usize> {
        let terms = self.encoder.terms;
        let mut standing: Vec<usize> = (0..conditions.len()).filter(|&index| !terms.is_true(conditions[index])).collect();
        let mut refuted = Vec::new();
        let defined = terms.not(state.undefined());
        while !standing.is_empty() {
            let all = terms.and_all(standing.iter().map(|&index| conditions[index]).collect::<Vec<_>>());
            let mut query: Vec<Term> = state.conditions().iter().copied().chain([defined, terms.not(all)]).collect();
            query.extend(self.encoder.facts(state, query.iter().copied()));
            self.stats.add("bounded.candidates asked for", 1);
            match self.solver.check(terms, &query, &self.budget) {
                Answer::Unsat(_) => break,
                Answer::Sat(model) => {
                    let (good, bad) = standing.iter().partition(|&&index| model.holds(terms, conditions[index]) == Some(true));
                    let bad: Vec<usize> = bad;
                    // A model that shows nothing refutes everything.
                    standing = if bad.is_empty() { vec![] } else { good };
                    refuted.extend(if bad.is_empty() { (0..conditions.len()).collect() } else { bad });
                }
                Answer::Unknown(_) => refuted.append(&mut standing),
            }
        }
        refuted
    }
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
            return Outcome::unknown(UnknownReason::NothingToDo(format!("a loop with several entries at {place} cannot be unrolled")));
        }
        let cancel = Some(self.context.cancel);
        let encoder = Encoder { keep_inputs: false, cancel, ..Encoder::new(self.program, terms, Form::Substituted) };
        // Lost memory is looked for where the program ends, and an induction covers ways that never do.
        let inductive = self.config.induction && !self.program.questions.contains(Target::ValidMemtrack);
        let mut bound = 1;
        let mut undecided = None;
        let (none, nothing, mut bounds) = (Bounds::default(), Suggestions::default(), None);
        loop {
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
                        return Outcome::unknown(UnknownReason::of_obstacles(std::slice::from_ref(reason)));
                    }
                }
                Shown::Cut => *rounds = bound,
            }
            if inductive && undecided.is_none() && bound <= MAX_ROUNDS {
                let mut steps = vec![(bound, false)];
                let mut suggested = Suggestions::default();
                if bound >= STRONGER_FROM.min(self.config.max_bound) {
                    // One round costs least, and was left out before.
                    steps.extend((bound > 1 && bounds.is_none()).then_some((1, true)));
                    steps.push((bound, true));
                    suggested = suggestions::of(self.context.findings, self.program, terms, stats);
                }
                for (rounds, relations) in steps {
                    stats.add("bounded.inductions", 1);
                    let bounds = if relations { bounds.get_or_insert_with(|| self.interval_bounds(terms)) } else { &none };
                    let known = Known { bounds, suggested: if relations { &suggested } else { &nothing } };
                    match self.unroll(&encoder, solver, rounds, Search::Induction { relations }, known, stats) {
                        Shown::Safe => return Outcome::proof(vec![]),
                        Shown::Stopped => return self.stopped(),
                        // An induction that fails says nothing of the program.
                        Shown::Violation(_) | Shown::Cut | Shown::Undecided { .. } => {}
                    }
                }
            }
            if bound >= self.config.max_bound {
                return Outcome::unknown(UnknownReason::Bound(format!("no violation within {bound} rounds of each loop")));
            }
            bound = (bound * 2).min(self.config.max_bound);
        }
    }

    fn stopped(&self) -> Outcome {
        match self.context.cancel.stopped() {
            Some(reason) => Outcome::stopped(reason),
            None => Outcome::unknown(UnknownReason::Bound("the unrolled program has too many places".to_string())),
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
        let (induction, relations) = (matches!(search, Search::Induction { .. }), search == Search::Induction { relations: true });
        // Memory may be lost for good in a run that waits for ever.
        let progress = !self.program.questions.contains(Target::ValidMemtrack);
        let options = UnrollOptions { iterations: bound, call_depth: 100, max_nodes: MAX_NODES, induction, relations, progress };
        let budget = Budget::with_time(cancel, self.config.solver_time);
        let mut visitor = Pruning { encoder, solver, cancel, budget, stats, begin: Instant::now(), asking: Duration::ZERO, known };
        let unrolling = Unrolling::of(encoder, self.structure, options, &mut visitor);
        if unrolling.stopped {
            return Shown::Stopped;
        }
        if let Some(what) = unrolling.not_inductive {
            return Shown::Undecided { reason: Obstacle::imprecise(what), cut: false };
        }
        let mut undecided = None;
        let way = |end: &End| end.state.path();
        let ends: Vec<&End> = unrolling.targets.iter().map(|(_, end)| end).collect();
        let order = match self.reach_any(encoder, solver, &ends, &way) {
            Reached::None => vec![],
            Reached::Any(first) => (first..ends.len()).chain(0..first).collect(),
        };
        for (target, end) in order.into_iter().map(|index| &unrolling.targets[index]) {
            let answer =
                if induction { self.reach(encoder, solver, end, end.state.conditions()) } else { self.reach_defined(encoder, solver, end) };
            match answer {
                Answer::Unsat(_) => {}
                Answer::Sat(_) if induction => return Shown::Cut,
                Answer::Unknown(reason) => undecided = Some(Obstacle::solver(reason.to_string())),
                Answer::Sat(model) => match self.confirm(encoder, &unrolling, end, &model) {
                    Some(steps) => {
                        let config = self.config;
                        let mut checker =
                            PathChecker::new(self.program, self.context.cancel, config.path_time, config.path_check, config.solver());
                        match checker.check(&steps, *target) {
                            PathVerdict::Confirmed(counterexample) => {
                                return Shown::Violation(Box::new(Outcome::violation(*counterexample)));
                            }
                            PathVerdict::Infeasible(_) => {
                                undecided = Some(Obstacle::unconfirmed("a path of the unrolling is infeasible by itself"))
                            }
                            PathVerdict::Unknown(reason) => undecided = Some(reason),
                        }
                    }
                    None => undecided = Some(Obstacle::unconfirmed("a model of the unrolling shows no path")),
                },
            }
            if cancel.is_stopped() {
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
        if let Some(index) = self.find_reached(encoder, solver, &ends, &way) {
            let (what, end) = &unrolling.unsupported[index];
            undecided.get_or_insert_with(|| Obstacle::unsupported(self.describe(what, end)));
        }
        // Behind undefined behaviour the formula promises nothing.
        let ends = unrolling.targets.iter().map(|(_, end)| end);
        let ends = ends.chain(&unrolling.finished).chain(&unrolling.cut).chain(&unrolling.undefined);
        let ends: Vec<&End> = ends.chain(unrolling.unsupported.iter().map(|(_, end)| end)).collect();
        if self.find_reached(encoder, solver, &ends, &|end| end.state.undefined()).is_some() {
            undecided.get_or_insert_with(|| Obstacle::unconfirmed("an access to memory may be undefined"));
        }
        if let Some(reason) = undecided {
            return Shown::Undecided { reason, cut };
        }
        let ends: Vec<&End> = unrolling.cut.iter().collect();
        let cut = self.find_reached(encoder, solver, &ends, &way).is_some();
        if cut { Shown::Cut } else { Shown::Safe }
    }

    /// Whether any end can be reached, where there are many of them: one question is cheaper than one for each, and
    /// what is learned for one serves the others. It leaves out what is known of addresses, because that is much and
    /// seldom needed. A few ends are better asked one by one, for what they share is small.
    fn reach_any(&self, encoder: &Encoder<'_>, solver: &mut Solver, ends: &[&End], demands: &dyn Fn(&End) -> Term) -> Reached {
        let t = encoder.terms;
        let mut possible: Vec<(Term, usize)> = ends.iter().enumerate().map(|(index, end)| (demands(end), index)).collect();
        possible.retain(|&(demand, _)| !t.is_false(demand));
        let mut seen = FastSet::default();
        possible.retain(|&(demand, _)| seen.insert(demand));
        if possible.len() < MANY {
            return if possible.is_empty() { Reached::None } else { Reached::Any(possible[0].1) };
        }
        let any = t.or_all(possible.iter().map(|&(demand, _)| demand));
        match solver.check(t, &[any], &Budget::with_time(self.context.cancel, self.config.path_time)) {
            Answer::Unsat(_) => Reached::None,
            Answer::Sat(model) => {
                let met = possible.iter().find(|&&(demand, _)| model.holds(t, demand) == Some(true));
                Reached::Any(met.unwrap_or(&possible[0]).1)
            }
            Answer::Unknown(_) => Reached::Any(possible[0].1),
        }
    }

    /// An end that is not shown to be out of reach.
    fn find_reached(&self, encoder: &Encoder<'_>, solver: &mut Solver, ends: &[&End], demands: &dyn Fn(&End) -> Term) -> Option<usize> {
        let Reached::Any(first) = self.reach_any(encoder, solver, ends, demands) else { return None };
        std::iter::once(first).chain((0..ends.len()).filter(|&index| index != first)).find(|&index| {
            let answer = self.reach(encoder, solver, ends[index], &[demands(ends[index])]);
            !answer.is_unsat()
        })
    }

    /// Whether the conditions can hold together with what is known of addresses.
    fn reach(&self, encoder: &Encoder<'_>, solver: &mut Solver, end: &End, conditions: &[Term]) -> Answer {
        if conditions.iter().any(|&condition| encoder.terms.is_false(condition)) {
            return Answer::Unsat(vec![0]);
        }
        let mut query = conditions.to_vec();
        query.extend(encoder.facts(&end.state, conditions.iter().copied()));
        solver.check(encoder.terms, &query, &Budget::with_time(self.context.cancel, self.config.path_time))
    }

    /// Whether an end can be reached; without undefined behaviour on the way, if that is possible.
    fn reach_defined(&self, encoder: &Encoder<'_>, solver: &mut Solver, end: &End) -> Answer {
        let (terms, conditions) = (encoder.terms, end.state.conditions());
        let answer = self.reach(encoder, solver, end, conditions);
        let bad = terms.or(end.state.undefined(), end.state.failing());
        if !matches!(answer, Answer::Sat(_)) || terms.is_false(bad) {
            return answer;
        }
        let strict: Vec<Term> = conditions.iter().copied().chain([terms.not(bad)]).collect();
        let defined = self.reach(encoder, solver, end, &strict);
        if matches!(defined, Answer::Sat(_)) { defined } else { answer }
    }

    /// The path that a model takes to an end.
    fn confirm(&self, encoder: &Encoder<'_>, unrolling: &Unrolling, end: &End, model: &Model) -> Option<Vec<Step>> {
        unrolling.path_to(end, &mut |condition| model.holds(encoder.terms, condition) == Some(true))
    }

    fn describe(&self, what: &str, end: &End) -> String {
        let edges = self.program.locations[end.location].outgoing.iter();
        let span = edges.map(|&e| &self.program.edges[e]).find(|e| matches!(e.operation, Operation::Unsupported { .. })).map(|e| e.span);
        span.map_or_else(|| what.to_string(), |span| format!("{what} at {}", self.program.sources.describe(span)))
    }
}
