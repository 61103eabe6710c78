//! Predicate analysis: exploration by blocks, and refinement by paths that the blocks allow and the program does not.

mod loop_unrolling;
mod product;
mod replay;
mod weakest_precondition;

use crate::memoize::Memoized;
use crate::path_check::PathDecision;
use crate::reported::Reported;
use crate::run::{Check, Confirmed, Run};
use crate::suggestions;
use assay_base::{Decision, Obstacle, ObstacleKind, Stats};
use assay_cfa::blocks::Blocks;
use assay_cpa::{Domain, Environment, ExploreConfig, Head, Merge, Refinement, Refiner, StackId, Step, TargetPath};
use assay_domains::predicate::{
    Abstraction, Exact, PredicateDomain, PredicateOptions, PredicatePrecision, PredicateState, PredicateWorker, Segment,
};
use assay_formula::{Encoder, Form};
use assay_refine::TraceOptions;
use assay_refine::trace::{self, TraceMethod};
use assay_results::{Findings, Outcome, Verdict};
use assay_smt::{Answer, Budget, Solver};
use assay_term::{Term, Terms};
use std::sync::Arc;
use std::time::Duration;
use weakest_precondition::Pulled;

/// Why memoization gives way to a run without blocks.
const NO_BLOCKS: &str = "blocks need predicates of their own, and more of them than they save work";

/// Runs predicate analysis on a program.
pub(crate) fn run(run: &Run<'_>, terms: Arc<Terms>) -> Outcome {
    let domain = domain(run, terms);
    let mut refiner = refiner(run);
    let mut outcome = run.explore(&domain, exploration(run), &mut refiner);
    refiner.add_to(&mut outcome.statistics);
    conclude(run, &domain, outcome)
}

/// What the outcome of an exploration says. Regions say nothing of which objects live, nor of memory that is lost
/// before a loop without an end: violations only. Where blocks are too large, cutting them may help.
fn conclude(run: &Run<'_>, domain: &PredicateDomain<'_>, mut outcome: Outcome) -> Outcome {
    let is_about_proofs = match &outcome.verdict {
        Verdict::True(_) => true,
        Verdict::False(_) => false,
        Verdict::Unknown(reason) => matches!(reason.kind, ObstacleKind::Imprecise | ObstacleKind::Stuck),
    };
    if is_about_proofs && run.program.questions.about_memory() {
        let reason = Obstacle::imprecise("predicates prove nothing about the use of memory");
        outcome = Outcome { statistics: outcome.statistics, ..Outcome::unknown(reason) };
    }
    if let Verdict::Unknown(obstacle) = &mut outcome.verdict
        && domain.should_cut()
        && !obstacle.kind.is_stop()
    {
        obstacle.kind = ObstacleKind::LargeBlocks;
    }
    outcome
}

pub(crate) use product::run as run_beside_values;

fn plain_domain<'p>(run: &'p Run<'_>, terms: Arc<Terms>) -> PredicateDomain<'p> {
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
    PredicateDomain::new(run.structure, terms, options, run.context.cancel)
}

/// With the borders of memoization's blocks, where there are such.
fn domain<'p>(run: &'p Run<'_>, terms: Arc<Terms>) -> PredicateDomain<'p> {
    let config = run.config;
    let domain = plain_domain(run, terms);
    if !config.bam || run.is_recursive() {
        return domain;
    }
    // Each border is an abstraction, which is for nothing where no block is entered twice, by this run or another.
    let blocks = Blocks::of(run.structure, config.blocks());
    if config.cache.is_some() || run.machines.is_some() || blocks.can_repeat(run.structure) { domain.with_borders(&blocks) } else { domain }
}

fn refiner<'p>(run: &'p Run<'_>) -> PredicateRefiner<'p> {
    let config = run.config;
    PredicateRefiner {
        check: run.check(),
        time: config.path_time,
        trace: config.trace,
        tracer: Solver::new(assay_smt::Config { remember: true, ..config.solver() }),
        paths: 0,
        ahead_at: 1,
        stats: Stats::default(),
        findings: run.context.findings,
        name: &config.name,
    }
}

/// Paths that meet in a block are merged before they are followed further; that is exact, so refinement goes with it.
fn exploration(run: &Run<'_>) -> ExploreConfig {
    let order = run.config.wait_order(run.is_recursive());
    ExploreConfig { order, merge: Merge::Waiting, cover_at_joins: true, ..ExploreConfig::default() }
}

impl Reported for PredicateDomain<'_> {
    fn memoize<R: Refiner<Self, Evidence = Confirmed>>(
        &self,
        run: &Run<'_>,
        environment: Environment<'_>,
        explore: ExploreConfig,
        refiner: &mut R,
        stats: &mut Stats,
    ) -> Option<Memoized<PredicatePrecision>> {
        if !self.has_borders() {
            return None;
        }
        Some(match run.memoize(environment, self, explore, refiner, stats) {
            // Borders leave their mark on all that was made with them, so that exploration begins anew.
            Memoized::Excluded(_, notes) => {
                let reason = Obstacle::new(ObstacleKind::CostlyBlocks, NO_BLOCKS);
                Memoized::Done(Outcome { notes, ..Outcome::unknown(reason) })
            }
            done => done,
        })
    }

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
    /// How many paths were looked at.
    pub paths: u64,
    /// With so many of them, more iterations of loops are looked at.
    pub ahead_at: u64,
    pub stats: Stats,
    /// Where others find what was found here, under this name.
    pub findings: &'p Findings,
    pub name: &'p str,
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
    segment: &'s Arc<Segment>,
}

/// A path through the blocks that the abstraction allows and the program does not.
struct Spurious<'s> {
    blocks: Vec<Block<'s>>,
    /// What is taken from the beginning of each block.
    steps: Vec<Vec<Step>>,
}

impl<'p> Refiner<PredicateDomain<'p>> for PredicateRefiner<'_> {
    type Evidence = Confirmed;

    fn refine(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, PredicateDomain<'p>>,
        precision: &mut PredicatePrecision,
    ) -> Decision<Confirmed, Refinement> {
        let Some(states) = path.states.iter().copied().collect::<Option<Vec<&PredicateState>>>() else {
            return self.refine_without_states(worker, path, precision);
        };
        let Some(blocks) = blocks(&states) else { return Decision::Open(Obstacle::stuck("a path has no blocks")) };
        match self.search(worker, path, blocks, path.domain, precision) {
            Ok(spurious) => self.extend(worker, path, &spurious, path.domain, precision),
            Err(answer) => answer,
        }
    }
}

impl<'p> PredicateRefiner<'p> {
    fn add_to(&self, stats: &mut Stats) {
        stats.add("refinement: paths", self.paths);
        stats.merge(&self.stats);
        stats.merge(&self.check.checker.stats());
        stats.merge(&self.tracer.stats());
    }

    /// Looks for a path to the target that the program can go, and where there is none, for one that only the
    /// abstraction allows.
    fn search<'s, D: Domain>(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, D>,
        blocks: Vec<Block<'s>>,
        domain: &PredicateDomain<'_>,
        precision: &PredicatePrecision,
    ) -> Result<Spurious<'s>, Decision<Confirmed, Refinement>> {
        let budget = Budget::with_time(path.environment.cancel, self.time);
        let segments: Vec<Arc<Segment>> = blocks.iter().map(|block| block.segment.clone()).collect();
        let cancel = Some(path.environment.cancel);
        let encoder = Encoder { keep_inputs: false, cancel, ..Encoder::new(domain.program, &domain.terms, Form::Substituted) };
        let stopped = || path.environment.cancel.stopped().is_some();
        let exact = Exact::of(&encoder, &segments, &stopped);
        if let Some(reason) = path.environment.cancel.stopped() {
            return Err(Decision::Open(Obstacle::stopped(reason)));
        }
        self.paths += 1;
        if let Some(exact) = &exact {
            let mut query = exact.state.conditions().to_vec();
            query.extend(encoder.facts(&exact.state, query.clone()));
            match worker.solver.check(&domain.terms, &query, &budget) {
                Answer::Sat(model) => {
                    let mut evaluator = model.evaluator(&domain.terms);
                    let steps = exact.steps(&segments, &mut |choice| evaluator.holds(choice) == Some(true));
                    return match self.confirm(path, &steps) {
                        Decision::Feasible(evidence) => Err(Decision::Feasible(evidence)),
                        Decision::Open(reason) => Err(Decision::Open(reason)),
                        Decision::Infeasible(_) => Ok(Spurious { blocks, steps }),
                    };
                }
                Answer::Unknown(reason) => {
                    return Err(match path.environment.cancel.stopped() {
                        Some(reason) => Decision::Open(Obstacle::stopped(reason)),
                        None => Decision::Open(Obstacle::solver(reason.to_string())),
                    });
                }
                Answer::Unsat(_) => {}
            }
        }
        if let Some(found) = self.look_ahead(worker, path, &encoder, &segments, &blocks) {
            return Err(Decision::Feasible(found));
        }
        match self.allowed(worker, path, domain, precision, &blocks, &budget) {
            Some(steps) => Ok(Spurious { blocks, steps }),
            None => Err(give_up(path, "a path that the abstraction allows was not found")),
        }
    }

    /// Finds predicates that refute the path.
    fn extend<D: Domain>(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, D>,
        spurious: &Spurious<'_>,
        domain: &PredicateDomain<'_>,
        precision: &mut PredicatePrecision,
    ) -> Decision<Confirmed, Refinement> {
        if domain.should_cut() {
            return Decision::Open(Obstacle::new(ObstacleKind::LargeBlocks, "blocks are too large for exact regions"));
        }
        let Spurious { blocks, steps } = spurious;
        let budget = Budget::with_time(path.environment.cancel, self.time);
        let mut first = None;
        for source in self.sources() {
            let Some(assertions) = self.assertions(worker, domain, blocks, steps, source, &budget) else { continue };
            self.offer(path, domain, blocks, &assertions, source);
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
                return Decision::Infeasible(Refinement::Extended { cut, grew: true });
            }
            let some = blocks.iter().zip(&assertions).skip(1).find(|(_, list)| !list.is_empty()).map(|(block, _)| block.position);
            first = first.or(some);
        }
        match first {
            Some(cut) => Decision::Infeasible(Refinement::Extended { cut, grew: false }),
            None => give_up(path, "a path is infeasible, and no predicate was found between its blocks that shows it"),
        }
    }

    /// What was found at the heads of loops may be what others need: at each of them the path ends because this holds.
    fn offer<D: Domain>(
        &self,
        path: &TargetPath<'_, '_, D>,
        domain: &PredicateDomain<'_>,
        blocks: &[Block<'_>],
        assertions: &[Vec<Term>],
        source: Source,
    ) {
        let terms = &*domain.terms;
        for (block, list) in blocks.iter().zip(assertions).skip(1).filter(|(_, list)| !list.is_empty()) {
            let all = terms.and_all(list.iter().copied());
            let holds = match source {
                // Together they are what the rest of the path demands.
                Source::Blocks => terms.not(all),
                Source::Trace(_) => all,
            };
            suggestions::offer(self.findings, domain.program, path.heads[block.position].location, self.name, terms, holds);
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
    fn allowed<D: Domain>(
        &mut self,
        worker: &mut PredicateWorker,
        path: &TargetPath<'_, '_, D>,
        domain: &PredicateDomain<'_>,
        precision: &PredicatePrecision,
        blocks: &[Block<'_>],
        budget: &Budget,
    ) -> Option<Vec<Vec<Step>>> {
        let mut result = Vec::new();
        let mut end: Vec<Term> = Vec::new();
        for (index, block) in blocks.iter().enumerate().rev() {
            let region = blocks.get(index + 1).map(|next| next.at.formula);
            let demands = domain.block_demands(block.at, block.segment, &end);
            let mut answer = worker.solver.check(&domain.terms, &demands, budget);
            if answer.is_unsat() {
                // The next region is of a time when the precision was coarser.
                let demands = domain.block_demands(block.at, block.segment, region.as_slice());
                answer = worker.solver.check(&domain.terms, &demands, budget);
            }
            let model = answer.model()?;
            let mut evaluator = model.evaluator(&domain.terms);
            result.push(domain.steps_within(block.segment, &mut |choice| evaluator.holds(choice) == Some(true)));
            end = domain.literals(precision, path.heads[block.position].location, &mut |term| model.holds(&domain.terms, term));
        }
        result.reverse();
        Some(result)
    }

    /// Asks the bit-precise check about one path.
    fn confirm<D: Domain>(&mut self, path: &TargetPath<'_, '_, D>, steps: &[Vec<Step>]) -> PathDecision {
        self.check.decide(&one_path(path, path.domain, steps))
    }
}

/// One path through the blocks, as another domain may look at it.
fn one_path<'p, 'a, D: Domain, E: Domain>(path: &TargetPath<'_, 'a, D>, domain: &'a E, steps: &[Vec<Step>]) -> TargetPath<'p, 'a, E> {
    let mut steps = steps.concat();
    if let Some(&last) = path.steps.last().filter(|_| path.kind.is_unsupported()) {
        steps.push(last);
    }
    TargetPath {
        environment: path.environment,
        domain,
        kind: path.kind.clone(),
        heads: heads(path, &steps),
        states: vec![None; steps.len() + 1],
        steps,
    }
}

fn give_up<D: Domain>(path: &TargetPath<'_, '_, D>, reason: &str) -> Decision<Confirmed, Refinement> {
    match path.environment.cancel.stopped() {
        Some(reason) => Decision::Open(Obstacle::stopped(reason)),
        None => Decision::Open(Obstacle::imprecise(reason)),
    }
}

/// Where the steps of a path lead.
fn heads<D: Domain>(path: &TargetPath<'_, '_, D>, steps: &[Step]) -> Vec<Head> {
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
        let segment = match starts.get(index + 1) {
            Some(&next) => states[next].at.arrived.as_ref()?,
            None => states.last()?.current(),
        };
        blocks.push(Block { position, at, segment });
    }
    Some(blocks)
}
