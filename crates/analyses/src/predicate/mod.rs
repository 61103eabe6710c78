//! Predicate analysis: exploration by blocks, and refinement by paths that the blocks allow and the program does not.

mod pull;

use crate::reported::Reported;
use crate::run::{Check, Confirmed, Run};
use assay_base::{Obstacle, Stats};
use assay_cpa::{ExploreConfig, Head, Merge, Refinement, Refiner, StackId, Step, TargetKind, TargetPath};
use assay_domains::predicate::{
    Abstraction, Exact, PredicateDomain, PredicateOptions, PredicatePrecision, PredicateState, PredicateWorker, Way,
};
use assay_formula::{Encoder, Form};
use assay_refine::trace::{self, TraceMethod};
use assay_refine::{PathAnswer, PathCheck, TraceOptions};
use assay_results::{Outcome, UnknownReason, Verdict};
use assay_smt::{Answer, Budget, Solver};
use assay_term::{Term, Terms};
use pull::Pulled;
use std::sync::Arc;
use std::time::Duration;

/// Runs predicate analysis on a program.
pub(crate) fn run(run: &Run<'_>, terms: Arc<Terms>) -> Outcome {
    let config = run.config;
    let options = PredicateOptions {
        kind: config.abstraction,
        ends: config.block_ends,
        max_length: config.block_length,
        splitting: config.splitting,
        families: config.families,
        scope: config.scope,
        solver: config.solver(),
        solver_time: config.solver_time,
    };
    let domain = PredicateDomain::new(run.structure, terms, options, run.context.cancel);
    let mut refiner = PredicateRefiner {
        check: run.check(),
        time: config.path_time,
        trace: config.trace,
        tracer: Solver::new(config.solver()),
        stats: Stats::default(),
    };
    // Ways that meet in a block are merged before they are followed further; that is exact, so refinement goes with it.
    let explore =
        ExploreConfig { order: config.wait_order(false), merge: Merge::Waiting, cover_at_joins: true, ..ExploreConfig::default() };
    let mut outcome = run.explore(&domain, explore, &mut refiner);
    let mut stats = std::mem::take(&mut outcome.statistics);
    // Regions say nothing of which objects live, nor of memory that is lost before a loop without an end: violations
    // only.
    if outcome.verdict == Verdict::True && run.program.questions.about_memory() {
        outcome = Outcome::unknown(UnknownReason::Imprecise("predicates prove nothing about the use of memory".to_string()));
    }
    stats.merge(&refiner.stats);
    stats.merge(&refiner.check.checker.stats());
    stats.merge(&refiner.tracer.stats());
    outcome.statistics = stats;
    outcome
}

impl Reported for PredicateDomain<'_> {
    fn statistics(&self, worker: &PredicateWorker, precision: Option<&PredicatePrecision>, stats: &mut Stats) {
        if let Some(precision) = precision {
            stats.add("precision: predicates and places", precision.len() as u64);
        }
        stats.add("predicates found", self.predicates_found() as u64);
        stats.merge(&worker.stats);
        stats.merge(&worker.solver.stats());
        stats.merge(&worker.enumerator.stats());
    }
}

/// Looks for a path through the blocks that the program can go, and for predicates where there is none.
pub(crate) struct PredicateRefiner<'p> {
    pub check: Check<'p>,
    pub time: Duration,
    /// The trace checker whose assertions become predicates; `None` for weakest preconditions by blocks.
    pub trace: Option<TraceOptions>,
    /// What trace checkers ask.
    pub tracer: Solver,
    pub stats: Stats,
}

/// Where predicates come from.
#[derive(Clone, Copy)]
enum Source {
    /// Weakest preconditions by blocks ([`Pulled`]).
    Blocks,
    Trace(TraceOptions),
}

impl Source {
    fn name(self) -> &'static str {
        match self {
            Source::Blocks => "refinement: by blocks",
            Source::Trace(_) => "refinement: by the trace checker",
        }
    }
}

/// A block of a path: where it begins, and what leads through it.
struct Block<'s> {
    /// The position of its beginning.
    position: usize,
    at: &'s Abstraction,
    way: &'s Arc<Way>,
}

impl<'p> Refiner<PredicateDomain<'p>> for PredicateRefiner<'_> {
    type Evidence = Confirmed;

    fn refine(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, PredicateDomain<'p>>,
        precision: &mut PredicatePrecision,
    ) -> Refinement<Confirmed> {
        let Some(states) = path.states.iter().copied().collect::<Option<Vec<&PredicateState>>>() else {
            return Refinement::Unresolved(Obstacle::stuck("a path has no states"));
        };
        self.refine_states(worker, path, &states, path.domain, precision)
    }
}

impl<'p> PredicateRefiner<'p> {
    fn refine_states<'d>(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, PredicateDomain<'d>>,
        states: &[&PredicateState],
        domain: &PredicateDomain<'d>,
        precision: &mut PredicatePrecision,
    ) -> Refinement<Confirmed> {
        let budget = Budget::with_time(path.environment.cancel, self.time);
        let Some(blocks) = blocks(states) else { return Refinement::Unresolved(Obstacle::stuck("a path has no blocks")) };
        let ways: Vec<Arc<Way>> = blocks.iter().map(|block| block.way.clone()).collect();
        let cancel = Some(path.environment.cancel);
        let encoder = Encoder { keep_inputs: false, cancel, ..Encoder::new(domain.program, &domain.terms, Form::Substituted) };
        let stopped = || path.environment.cancel.stopped().is_some();
        let exact = Exact::of(&encoder, &ways, &stopped);
        if let Some(reason) = path.environment.cancel.stopped() {
            return Refinement::Stopped(reason);
        }
        self.stats.add("refinement: paths", 1);
        let mut chosen = None;
        if let Some(exact) = &exact {
            let mut query = exact.state.conditions().to_vec();
            query.extend(encoder.facts(&exact.state, query.clone()));
            match worker.solver.check(&domain.terms, &query, &budget) {
                Answer::Sat(model) => {
                    let steps = exact.steps(&ways, &mut |choice| model.holds(&domain.terms, choice) == Some(true));
                    let mut answer = self.confirm(worker, path, &steps);
                    if let PathAnswer::Infeasible { .. } = answer {
                        chosen = Some(steps);
                        answer = PathAnswer::Infeasible { core: vec![] };
                    }
                    match answer {
                        PathAnswer::Confirmed(evidence) => return Refinement::Feasible(evidence),
                        PathAnswer::Unknown(reason) => return Refinement::Unresolved(reason),
                        PathAnswer::Stopped(reason) => return Refinement::Stopped(reason),
                        PathAnswer::Infeasible { .. } => {}
                    }
                }
                Answer::Unknown(reason) => match path.environment.cancel.stopped() {
                    Some(reason) => return Refinement::Stopped(reason),
                    None => return Refinement::Unresolved(Obstacle::solver(reason.to_string())),
                },
                Answer::Unsat(_) => {}
            }
        }
        let steps = match chosen {
            Some(steps) => steps,
            None => match self.allowed(worker, path, precision, &blocks, &budget) {
                Some(steps) => steps,
                None => return give_up(path, "a path that the abstraction allows was not found"),
            },
        };
        let mut first = None;
        for source in self.sources() {
            let Some(assertions) = self.assertions(worker, domain, &blocks, &steps, source, &budget) else { continue };
            let mut cut = None;
            for (block, list) in blocks.iter().zip(&assertions).skip(1) {
                for &assertion in list {
                    if domain.track(precision, path.heads[block.position].location, assertion) {
                        cut.get_or_insert(block.position);
                    }
                }
            }
            if let Some(cut) = cut {
                self.stats.add(source.name(), 1);
                return Refinement::Infeasible { cut, grew: true };
            }
            let some = blocks.iter().zip(&assertions).skip(1).find(|(_, list)| !list.is_empty()).map(|(block, _)| block.position);
            first = first.or(some);
        }
        match first {
            Some(cut) => Refinement::Infeasible { cut, grew: false },
            None => give_up(path, "a path is infeasible, and no predicate was found between its blocks that shows it"),
        }
    }

    /// The source that was chosen, and the other kind for when it says nothing new.
    fn sources(&self) -> [Source; 2] {
        let other = TraceOptions { method: TraceMethod::Atoms, core: true, live: true };
        match self.trace {
            Some(options) => [Source::Trace(options), Source::Blocks],
            None => [Source::Blocks, Source::Trace(other)],
        }
    }

    /// For the beginning of each block: what predicates must be able to say there so that the path is refuted.
    fn assertions(
        &mut self,
        worker: &mut PredicateWorker,
        domain: &PredicateDomain<'_>,
        blocks: &[Block<'_>],
        steps: &[Vec<Step>],
        source: Source,
        budget: &Budget,
    ) -> Option<Vec<Vec<Term>>> {
        match source {
            Source::Blocks => {
                let starts = blocks.iter().map(|block| &block.at.start.formula).collect::<Vec<_>>();
                Pulled::of(domain, &mut worker.solver, &starts, steps, budget).map(|pulled| pulled.assertions)
            }
            Source::Trace(options) => {
                let whole = steps.concat();
                // Names of assertions are those of stable symbols; what has another name is no predicate.
                let list = trace::refute(domain.program, &domain.terms, &whole, &mut self.tracer, options, budget).ok()?;
                let mut before = 0;
                let mut result = Vec::with_capacity(steps.len());
                for steps in steps {
                    result.push(list.get(before).map(|assertion| assertion.parts.clone()).unwrap_or_default());
                    before += steps.len();
                }
                Some(result)
            }
        }
    }

    /// A path through the blocks that the abstraction allows, found from its end: each block must lead to the
    /// combination of predicates in which the next one begins.
    fn allowed(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, PredicateDomain<'_>>,
        precision: &PredicatePrecision,
        blocks: &[Block<'_>],
        budget: &Budget,
    ) -> Option<Vec<Vec<Step>>> {
        let domain = path.domain;
        let mut result = Vec::new();
        let mut end: Vec<Term> = Vec::new();
        for (index, block) in blocks.iter().enumerate().rev() {
            let region = blocks.get(index + 1).map(|next| next.at.formula);
            let demands = domain.block_demands(block.at, block.way, &end);
            let mut answer = worker.solver.check(&domain.terms, &demands, budget);
            if answer.is_unsat() {
                // The next region is of a time when the precision was coarser.
                let demands = domain.block_demands(block.at, block.way, region.as_slice());
                answer = worker.solver.check(&domain.terms, &demands, budget);
            }
            let model = answer.model()?;
            result.push(domain.steps_within(block.way, &mut |choice| model.holds(&domain.terms, choice) == Some(true)));
            end = domain.literals(precision, path.heads[block.position].location, &mut |term| model.holds(&domain.terms, term));
        }
        result.reverse();
        Some(result)
    }

    /// Asks the bit-precise check about one path.
    fn confirm(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, PredicateDomain<'_>>,
        steps: &[Vec<Step>],
    ) -> PathAnswer<Confirmed> {
        let mut steps = steps.concat();
        if let (TargetKind::Unsupported(_), Some(&last)) = (&path.kind, path.steps.last()) {
            steps.push(last);
        }
        let one = TargetPath {
            environment: path.environment,
            domain: path.domain,
            kind: path.kind.clone(),
            heads: heads(path, &steps),
            states: vec![None; steps.len() + 1],
            steps,
        };
        self.check.check(worker, &one)
    }
}

fn give_up(path: &TargetPath<'_, '_, PredicateDomain<'_>>, reason: &str) -> Refinement<Confirmed> {
    match path.environment.cancel.stopped() {
        Some(reason) => Refinement::Stopped(reason),
        None => Refinement::Unresolved(Obstacle::imprecise(reason)),
    }
}

/// Where the steps of a path lead.
fn heads(path: &TargetPath<'_, '_, PredicateDomain<'_>>, steps: &[Step]) -> Vec<Head> {
    let (program, stacks) = (path.environment.program, path.environment.stacks);
    let mut heads = vec![path.heads[0]];
    for step in steps {
        let stack = heads.last().map_or(StackId::EMPTY, |head| head.stack);
        heads.push(match *step {
            Step::Return(edge) => {
                Head { location: program.edges[edge].target, stack: stacks.pop(stack).map_or(StackId::EMPTY, |(_, below)| below) }
            }
            Step::Edge(edge) => match program.edges[edge].operation {
                assay_cfa::Operation::Call { callee, .. } => {
                    Head { location: program.functions[callee].entry, stack: stacks.push_unbounded(stack, edge).unwrap_or(stack) }
                }
                _ => Head { location: program.edges[edge].target, stack },
            },
        });
    }
    heads
}

/// The blocks of a path: from each abstraction to the next, and from the last one to the target.
fn blocks<'s>(states: &[&'s PredicateState]) -> Option<Vec<Block<'s>>> {
    let starts: Vec<usize> = (0..states.len()).filter(|&index| states[index].is_abstraction()).collect();
    let mut blocks = Vec::new();
    for (index, &position) in starts.iter().enumerate() {
        let at = &*states[position].at;
        let way = match starts.get(index + 1) {
            Some(&next) => states[next].at.arrived.as_ref()?,
            None => states.last()?.current(),
        };
        blocks.push(Block { position, at, way });
    }
    Some(blocks)
}
