//! Block-abstraction memoization: blocks of the program are explored on their own, and what is found is used again
//! wherever the same block is entered in the same reduced state and precision.
//!
//! A run has iterations, one for each precision. An iteration explores from the program's entry until everything is
//! explored or targets are found; the refiner decides about the flattened paths to these. A summary is used in every
//! iteration whose precision, cut to its block, is the one that it was made with; so a refinement invalidates exactly
//! what depends on what is new.
//!
//! Functions that can call each other in a circle are explored together, as a fixpoint over the exits of their blocks.
//! With one thread everything is: a path goes on behind a block as soon as the block has an exit, in the order of an
//! exploration without blocks (`job`).
//!
//! Blocks that cost more than they save are given up while the run goes on (`shared`). That changes no verdict: a state
//! at the entry of a block is either explored by its summary or by its successors, and the checker accepts each for
//! what it is.

mod block_scope;
mod cache;
mod check;
mod confirm;
mod disk;
mod distributed;
mod job;
mod parallel;
mod path;
mod paths;
mod reduce;
mod region;
mod remote;
mod rules;
mod scheduler;
mod sequential;
mod shared;
mod spill;
mod store;
mod summary;
mod trace;

pub use check::check;
pub use disk::{Disk, DiskCounters, Store};
pub use reduce::{BlockScope, NoRule, Reduce};
pub use remote::{Remote, RemoteCounters, Reply, Service, Workers};
pub use rules::KnownRule;
pub use shared::Shared;
pub use spill::{Spill, SpillCounters};
pub use store::FolderStore;
pub use summary::{Away, BlockGraph, Exit, Known, Summary, SummaryId};
pub use trace::{JobEvent, NO_SLICE, Need, Trace};

use assay_base::{Counter, Decision, Fingerprint, Obstacle, Stats, Verdict};
use assay_cfa::Operation;
use assay_cfa::Step;
use assay_cfa::blocks::Blocks;
use assay_cpa::algorithm::{Counters, Environment, ExploreConfig, Merge, Status};
use assay_cpa::arg::{NodeId, TargetKind};
use assay_cpa::cegar::{Answer, Refinement, Refiner, States, TargetPath, apply, broken_off, obstacle_of, too_many_refinements};
use assay_cpa::checker::{Checked, Defect};
use assay_cpa::stack::{Head, StackId};
use cache::BlockCell;
use distributed::Distributed;
use parallel::{Parallel, STACK_BYTES, StopOnPanic};
use scheduler::{Scheduler, flat_path};
use sequential::Sequential;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How blocks are explored and put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BamConfig {
    /// Of the graph of each block.
    pub explore: ExploreConfig,
    /// Threads of the parallel algorithm; 0 runs the sequential one.
    pub threads: usize,
    /// Gives up after so many.
    pub max_refinements: Option<u64>,
    /// Gives up when this many targets are unresolved.
    pub max_unresolved: u64,
    /// After this many states without a verdict the refiner's last resort is taken.
    pub patience: Option<u64>,
    /// Whether blocks that cost more than they save are given up.
    pub adapts: bool,
    /// After so many summaries rules are made of them; `None` for no rules.
    pub rules_after: Option<u64>,
    /// With threads: one of them begins alone, with the algorithm that follows paths behind blocks that are not
    /// finished. After so many states, and again after as many, the others join it unless rules are of use. What is
    /// complete by then is kept.
    pub alone: Option<u64>,
    /// Whether all graphs of a proof are checked. Only benchmarks switch it off.
    pub check: bool,
    /// With more bytes in use than this, graphs of finished blocks are checked at once and dropped; they are explored
    /// again where a path through them is needed.
    pub drop_graphs_above: Option<u64>,
}

impl Default for BamConfig {
    fn default() -> Self {
        // Nothing is ever removed from a block's graph, so covered states need no nodes.
        let explore = ExploreConfig { keep_covered: false, ..ExploreConfig::default() };
        BamConfig {
            explore,
            threads: 0,
            max_refinements: None,
            max_unresolved: 1000,
            patience: None,
            adapts: true,
            rules_after: Some(64),
            alone: None,
            check: true,
            drop_graphs_above: None,
        }
    }
}

/// Counters of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BamCounters {
    /// Explorations from the program's entry on, one after each refinement.
    pub iterations: u64,
    /// Paths that were refuted.
    pub refinements: u64,
    /// Targets that were neither confirmed nor refuted.
    pub unresolved: u64,
    /// Of these, how many are on paths that no execution follows although no precision shows it.
    pub excluded: u64,
    /// Whether the last resort was taken.
    pub escalations: u64,
    /// How often the run began again without rules: a proof was rejected, or a path was not found.
    pub rules_refuted: u64,
    /// Summaries that other threads finished while a path was looked at.
    pub beside: u64,
    /// Nodes of all graphs that the checker has seen.
    pub checked_nodes: u64,
    /// The time of the longest chain of jobs that wait for each other, over all iterations.
    pub span: Duration,
}

/// A target in the graph of some block.
pub(crate) struct Found<'a, D: Reduce> {
    cell: Arc<BlockCell<'a, D>>,
    graph: SummaryId,
    node: NodeId,
}

pub(crate) enum IterationEnd<'a, D: Reduce> {
    Finished(Arc<Summary<'a, D>>),
    Targets(Vec<Found<'a, D>>),
    Failed(Status),
    /// More was explored than the run has patience for; it can go on.
    Impatient,
    /// Nothing can go on although the root is not finished: jobs wait for each other. This is a defect of ours.
    Stuck,
}

/// Graphs that were explored again, by the summary that lacked one.
type SummaryGraphs<'a, D> = assay_base::FastMap<(SummaryId, u64), Arc<Summary<'a, D>>>;

type Engine<'a, D> = Box<dyn Scheduler<'a, D> + Send + 'a>;

/// A run over one program.
pub struct Bam<'a, D: Reduce> {
    shared: Shared<'a, D>,
    config: BamConfig,
    engine: Option<Engine<'a, D>>,
    root: Option<Arc<Summary<'a, D>>>,
    graphs: SummaryGraphs<'a, D>,
    /// What was done so far.
    pub counters: BamCounters,
    /// Whether the last resort was asked for because of too many states.
    was_impatient: bool,
    /// Records when which job ran; made by [`trace_jobs`](Self::trace_jobs).
    trace: Option<Trace>,
}

impl<D: Reduce> Drop for Bam<'_, D> {
    /// Jobs and the cells that they wait for hold each other.
    fn drop(&mut self) {
        self.engine = None;
        self.shared.cache.drop_unfinished();
    }
}

impl<'a, D: Reduce> Bam<'a, D> {
    /// Explores nothing yet.
    pub fn new(environment: Environment<'a>, domain: &'a D, blocks: &'a Blocks, config: BamConfig, precision: D::Precision) -> Self {
        let mut shared = Shared::new(environment, domain, blocks, config.explore, precision);
        shared.drop_graphs_above = config.drop_graphs_above;
        shared.adapts = config.adapts;
        shared.rules.after = config.rules_after;
        // A state that grows would have to take back what was made of its exits.
        shared.streams = (config.threads == 0 || config.alone.is_some()) && config.explore.merge == Merge::Sep;
        let alone = config.alone.filter(|_| shared.streams && config.threads > 0);
        shared.set_patience(alone.into_iter().chain(config.patience).min());
        Bam {
            shared,
            config,
            engine: None,
            root: None,
            graphs: SummaryGraphs::default(),
            counters: BamCounters::default(),
            was_impatient: false,
            trace: None,
        }
    }

    /// Uses the summaries of other runs, and keeps those of this one for them.
    pub fn use_disk(&mut self, disk: Disk<'a>) {
        self.shared.disk = Some(disk);
    }
    /// Has other machines explore blocks. There must be one worker more for each of their slots.
    pub fn use_remote(&mut self, remote: Remote<'a>) {
        self.shared.remote = Some(remote);
    }
    /// Moves summaries to disk with more bytes in use than this. Only summaries whose graphs were dropped are moved.
    pub fn use_spill(&mut self, spill: Spill<'a>, above: u64) {
        self.shared.spill = Some((spill, above));
    }
    /// What the user should know about summaries that were to leave memory.
    pub fn spill_note(&self) -> Option<&str> {
        self.shared.spill.as_ref().and_then(|(spill, _)| spill.note())
    }
    /// From now on it is recorded when which job ran.
    pub fn trace_jobs(&mut self) {
        self.trace = Some(Trace::default());
    }
    /// What was recorded, if it was asked for.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }
    /// The finished graph of the whole program, after a run that ended in *safe*.
    pub fn root(&self) -> Option<&Arc<Summary<'a, D>>> {
        self.root.as_ref()
    }
    /// Cache, summaries and counters, for reports.
    pub fn shared(&self) -> &Shared<'a, D> {
        &self.shared
    }

    /// Runs to a verdict. There must be one worker for each thread (and for each slot of other machines), and one for
    /// the sequential algorithm.
    pub fn run<R: Refiner<D>>(&mut self, workers: &mut [D::Worker], refiner: &mut R) -> Answer<R::Evidence> {
        let outcome = self.run_iterations(workers, refiner);
        if outcome.is_stopped()
            && let Some(since) = self.shared.environment.cancel.stopped_at()
        {
            self.shared.counters.add_stop(since.elapsed());
        }
        outcome
    }

    fn run_iterations<R: Refiner<D>>(&mut self, workers: &mut [D::Worker], refiner: &mut R) -> Answer<R::Evidence> {
        if workers.is_empty() {
            return Verdict::Unknown(broken_off("there is no worker"));
        }
        loop {
            self.counters.iterations += 1;
            if self.engine.is_none()
                && let Some(root) = self.root_on_disk(&mut workers[0])
            {
                match self.conclude(workers, root) {
                    Some(outcome) => return outcome,
                    None => continue,
                }
            }
            let mut engine = self.engine.take().unwrap_or_else(|| self.begin(&mut workers[0]));
            match engine.iteration(&self.shared, workers, self.trace.as_ref()) {
                IterationEnd::Finished(root) => {
                    drop(engine);
                    if let Some(outcome) = self.conclude(workers, root) {
                        return outcome;
                    }
                }
                IterationEnd::Failed(status) => {
                    self.engine = Some(engine);
                    return Verdict::Unknown(obstacle_of(status));
                }
                IterationEnd::Impatient => {
                    let explored = self.shared.counters.explored.load(Ordering::Relaxed);
                    let alone = self.config.alone.filter(|_| self.shared.streams && self.config.threads > 0);
                    let out_of_patience = self.config.patience.is_some_and(|states| explored >= states);
                    if out_of_patience && !std::mem::replace(&mut self.was_impatient, true) {
                        self.shared.set_patience(alone);
                        self.engine = Some(engine);
                        self.escalate(refiner);
                        continue;
                    }
                    let left = self.config.patience.filter(|_| !self.was_impatient).map(|states| states.saturating_sub(explored).max(1));
                    if alone.is_none() || self.shared.rules_pay() {
                        self.shared.set_patience(alone.into_iter().chain(left).min());
                        self.engine = Some(engine);
                        continue;
                    }
                    if let Err(status) = engine.retire(&self.shared, &mut workers[0]) {
                        return Verdict::Unknown(obstacle_of(status));
                    }
                    drop(engine);
                    self.shared.cache.drop_unfinished();
                    self.shared.streams = false;
                    self.shared.set_patience(left);
                }
                IterationEnd::Stuck => return Verdict::Unknown(broken_off("blocks wait for each other")),
                IterationEnd::Targets(found) => {
                    if let Some(outcome) = self.handle(workers, refiner, engine, found) {
                        return outcome;
                    }
                }
            }
        }
    }

    fn begin(&self, worker: &mut D::Worker) -> Engine<'a, D> {
        let state = self.shared.program_entry(worker);
        let root = BlockCell::new(self.shared.main_block(), Fingerprint::default(), state, None);
        if self.config.threads == 0 || self.shared.streams {
            return Box::new(Sequential::new(&self.shared, root));
        }
        let parallel = Parallel::new(&self.shared, root, self.config.threads);
        if self.shared.remote.is_some() {
            return Box::new(Distributed::new(parallel));
        }
        Box::new(parallel)
    }

    /// The whole program as an earlier run has explored it, if nothing was changed where that run went.
    fn root_on_disk(&self, worker: &mut D::Worker) -> Option<Arc<Summary<'a, D>>> {
        let (disk, block) = (self.shared.disk.as_ref()?, self.shared.main_block()?);
        let state = self.shared.program_entry(worker);
        disk.load(&self.shared, worker, block, &state)
    }

    /// The precision of the iteration.
    pub fn precision(&self) -> &D::Precision {
        &self.shared.iteration.precision
    }

    /// Asks the refiner about a path to a target. Other threads go on meanwhile with all jobs but those in which there
    /// is one to be looked at: a summary that they finish is used in the next iteration, too, if the new precision says
    /// the same of its block. How they ended says which targets they came to, or why they cannot go on.
    fn refine_beside<R: Refiner<D>>(
        &self,
        workers: &mut [D::Worker],
        refiner: &mut R,
        engine: &mut Engine<'a, D>,
        aside: &[Arc<BlockCell<'a, D>>],
        path: &TargetPath<'_, '_, D>,
        precision: &mut D::Precision,
    ) -> (Decision<R::Evidence, Refinement>, IterationEnd<'a, D>) {
        let (own, others) = workers.split_at_mut(1);
        if others.is_empty() {
            return (refiner.refine(&mut own[0], path, precision), IterationEnd::Stuck);
        }
        let (shared, trace, done) = (&self.shared, self.trace.as_ref(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().name("beside a refinement".to_string()).stack_size(STACK_BYTES);
            let beside = builder.spawn_scoped(scope, || engine.beside(shared, others, trace, aside, &done));
            let stop = || {
                done.store(true, Ordering::SeqCst);
                shared.quiescence.stop();
            };
            let _guard = StopOnPanic(&stop);
            let said = refiner.refine(&mut own[0], path, precision);
            stop();
            // Where the machine gives no thread, nothing goes on.
            let end = beside.map_or(IterationEnd::Stuck, |beside| beside.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            (said, end)
        })
    }

    /// Asks the refiner about each found target. With a new precision the next iteration begins anew; otherwise the run
    /// goes on.
    fn handle<R: Refiner<D>>(
        &mut self,
        workers: &mut [D::Worker],
        refiner: &mut R,
        mut engine: Engine<'a, D>,
        found: Vec<Found<'a, D>>,
    ) -> Option<Answer<R::Evidence>> {
        let mut precision = self.shared.iteration.precision.clone();
        let (mut grew_at_all, mut excluded) = (false, None);
        let mut found = VecDeque::from(found);
        while let Some(Found { cell, graph, node }) = found.pop_front() {
            let worker = &mut workers[0];
            let flat = flat_path(&*engine, &self.shared, worker, &mut self.graphs, &cell, graph, node);
            let Some(path) = flat.and_then(|(kind, steps)| self.target_path(kind, steps)) else {
                if let Some(reason) = self.shared.environment.cancel.stopped() {
                    return Some(Verdict::Unknown(Obstacle::stopped(reason)));
                }
                drop(engine);
                if self.go_on_alone() || self.go_on_without_rules() {
                    return None;
                }
                return Some(Verdict::Unknown(broken_off("the path to a target is lost")));
            };
            // Without blocks the run would have lost its patience before it came to the end of such a path.
            let is_long = self.config.patience.is_some_and(|states| path.steps.len() as u64 > states);
            if is_long && !std::mem::replace(&mut self.was_impatient, true) && self.escalate(refiner) {
                let alone = self.config.alone.filter(|_| self.shared.streams && self.config.threads > 0);
                self.shared.set_patience(alone);
                return None;
            }
            // As soon as there is a new precision, what is explored with the old one is for nothing in most blocks.
            let threads = if grew_at_all || self.shared.streams { 1 } else { self.config.threads.clamp(1, workers.len()) };
            let aside: Vec<_> = found.iter().map(|other| other.cell.clone()).chain([cell.clone()]).collect();
            let finished = self.shared.counters.summaries.load(Ordering::Relaxed);
            let (said, end) = self.refine_beside(&mut workers[..threads], refiner, &mut engine, &aside, &path, &mut precision);
            self.counters.beside += self.shared.counters.summaries.load(Ordering::Relaxed) - finished;
            match end {
                IterationEnd::Targets(more) => found.extend(more),
                IterationEnd::Failed(status @ (Status::Broken { .. } | Status::StateLimit(_)))
                    if !matches!(said, Decision::Feasible(_)) =>
                {
                    self.engine = Some(engine);
                    return Some(Verdict::Unknown(obstacle_of(status)));
                }
                _ => {}
            }
            let unresolved = (cell, graph, node, path.steps.len());
            let escalated = self.counters.escalations;
            let mut states =
                OfBlocks { bam: self, refiner, engine: &mut engine, target: unresolved, grew: &mut grew_at_all, excluded: &mut excluded };
            let answer = apply(said, path.kind, path.steps, &mut states);
            if matches!(answer, Some(Verdict::False(_))) && self.shared.disk.is_some() {
                // Other runs may use what is complete, and this one has its verdict whatever becomes of it.
                let _ = engine.retire(&self.shared, &mut workers[0]);
            }
            if answer.is_some() || self.counters.escalations > escalated {
                return answer;
            }
        }
        // No proof can come of this run any more, and violations behind such a path are found only where it can be cut
        // off: the caller that called goes on without blocks.
        if let Some(reason) = excluded {
            return Some(Verdict::Unknown(Obstacle::of_targets(vec![reason])));
        }
        if let Some(limit) = self.config.max_refinements.filter(|&limit| self.counters.refinements > limit) {
            return Some(Verdict::Unknown(too_many_refinements(limit)));
        }
        if grew_at_all {
            if let Err(status) = engine.retire(&self.shared, &mut workers[0]) {
                self.engine = Some(engine);
                return Some(Verdict::Unknown(obstacle_of(status)));
            }
            drop(engine);
            self.begin_again(precision);
        } else {
            self.engine = Some(engine);
        }
        None
    }

    /// Begins another iteration. What is finished is kept where the new precision says the same about its block.
    fn begin_again(&mut self, precision: D::Precision) {
        self.engine = None;
        self.shared.cache.drop_unfinished();
        self.shared.set_precision(precision);
    }

    /// Begins again with the refiner's last resort; `false` if there is none.
    fn escalate<R: Refiner<D>>(&mut self, refiner: &mut R) -> bool {
        let Some(precision) = refiner.last_resort(self.shared.domain, &self.shared.iteration.precision) else { return false };
        self.counters.escalations += 1;
        self.begin_again(precision);
        true
    }

    /// The path with its heads; `None` where the store of call stacks is full.
    fn target_path(&self, kind: TargetKind, steps: Vec<Step>) -> Option<TargetPath<'a, 'a, D>> {
        let Environment { program, stacks, .. } = self.shared.environment;
        let mut head = Head { location: program.functions[program.entry].entry, stack: StackId::EMPTY };
        let mut heads = vec![head];
        for &step in &steps {
            head = match step {
                Step::Edge(edge) => match &program.edges[edge].operation {
                    Operation::Call { callee, .. } => {
                        Head { location: program.functions[*callee].entry, stack: stacks.push_unbounded(head.stack, edge)? }
                    }
                    _ => Head { location: program.edges[edge].target, stack: head.stack },
                },
                Step::Return(edge) => {
                    let below = stacks.pop(head.stack).map_or(StackId::EMPTY, |(_, below)| below);
                    Head { location: program.edges[edge].target, stack: below }
                }
            };
            heads.push(head);
        }
        let states = vec![None; heads.len()];
        Some(TargetPath { environment: self.shared.environment, domain: self.shared.domain, kind, heads, steps, states })
    }

    /// Begins again without the machines that explored blocks for this run, and without what they found; `false` if
    /// there are none. It is needed where a block cannot be opened, or is not confirmed: exploring it here came to
    /// other exits.
    fn go_on_alone(&mut self) -> bool {
        let goes = self.shared.remote.as_ref().is_some_and(Remote::give_up);
        if goes {
            self.forget_all();
        }
        goes
    }

    /// Begins again without rules of summaries; `false` if none was used. It is needed where a rule may have said
    /// something else than an exploration does: a proof was rejected, or a path through a block is not found.
    fn go_on_without_rules(&mut self) -> bool {
        let goes = self.shared.rules.used.swap(0, Ordering::Relaxed) > 0;
        if goes {
            self.counters.rules_refuted += 1;
            self.shared.rules.switch_off();
            self.forget_all();
        }
        goes
    }

    fn forget_all(&mut self) {
        self.root = None;
        self.engine = None;
        self.graphs.clear();
        self.shared.cache.drop_unfinished();
        self.shared.forget_all();
    }

    /// The outcome of a run whose root is finished; `None` if it has to begin again.
    fn conclude<E>(&mut self, workers: &mut [D::Worker], root: Arc<Summary<'a, D>>) -> Option<Answer<E>> {
        self.counters.span += root.finished_at;
        let mut reasons: Vec<Obstacle> = Vec::new();
        let closure = self.shared.summaries.closure(root.id);
        for graph in closure.iter().filter_map(|summary| summary.here()?.graph()) {
            let unexamined = || Obstacle::unconfirmed("a target was not examined");
            reasons.extend(graph.exploration.arg.targets().map(|(_, info)| info.unresolved.clone().unwrap_or_else(unexamined)));
        }
        if !reasons.is_empty() {
            return Some(Verdict::Unknown(Obstacle::of_targets(reasons)));
        }
        self.root = Some(root.clone());
        if !self.config.check {
            return Some(Verdict::True(Checked::default()));
        }
        let threads = self.config.threads.clamp(1, workers.len());
        match check(&self.shared, &mut workers[..threads], &root) {
            Ok(checked) => {
                self.counters.checked_nodes = checked.nodes;
                let confirmed = self.shared.remote.as_ref().map_or(Ok(()), |remote| remote.confirm(&self.shared, workers, root.id));
                match (confirmed, self.shared.environment.cancel.stopped()) {
                    (Ok(()), _) => Some(Verdict::True(checked)),
                    (Err(_), Some(reason)) => Some(Verdict::Unknown(Obstacle::stopped(reason))),
                    (Err(_), None) if self.go_on_alone() => None,
                    (Err(obstacle), None) => Some(Verdict::Unknown(Obstacle::of_targets(vec![obstacle]))),
                }
            }
            Err(defect) if !matches!(defect, Defect::Stopped(_)) && self.go_on_without_rules() => None,
            Err(defect) => Some(Verdict::Unknown(defect.into())),
        }
    }

    /// Adds all counters to the statistics under the names that `--stats` prints.
    pub fn add_to(&self, stats: &mut Stats) {
        let shared = &self.shared.counters;
        stats.add("iterations", self.counters.iterations);
        stats.add(Counter::REFINEMENTS, self.counters.refinements);
        stats.add("unresolved targets", self.counters.unresolved);
        stats.add("escalations", self.counters.escalations);
        stats.add("checked states", self.counters.checked_nodes);
        stats.add(Counter::SUMMARIES, shared.summaries.load(Ordering::Relaxed));
        stats.add("summaries used again", shared.hits.load(Ordering::Relaxed));
        stats.add("rules of summaries", self.shared.rules.count());
        stats.add("summaries made by rules", shared.derived.load(Ordering::Relaxed));
        stats.add("states that rules saved", shared.by_rules.load(Ordering::Relaxed));
        stats.add("begun again without rules", self.counters.rules_refuted);
        stats.add("waits for running blocks", shared.waits.load(Ordering::Relaxed));
        stats.add("summaries finished beside refinements", self.counters.beside);
        stats.add("jobs", shared.jobs.load(Ordering::Relaxed));
        stats.add("job slices", shared.slices.load(Ordering::Relaxed));
        stats.add("blocks", self.shared.blocks.blocks.len() as u64);
        stats.add("blocks given up", shared.given_up.load(Ordering::Relaxed));
        stats.add("blocks explored again for paths", shared.again.load(Ordering::Relaxed));
        stats.add("states explored", shared.explored.load(Ordering::Relaxed));
        stats.add("states of summaries", shared.states.load(Ordering::Relaxed));
        stats.add("graphs dropped to save memory", shared.dropped_graphs.load(Ordering::Relaxed));
        if let Some((spill, _)) = &self.shared.spill {
            let counters = &spill.counters;
            stats.add("summaries moved to disk", counters.spilled.load(Ordering::Relaxed));
            stats.add("summaries read back", counters.read_back.load(Ordering::Relaxed));
            stats.add("summaries that had to stay in memory", counters.not_portable.load(Ordering::Relaxed));
            stats.add("bytes of summaries moved to disk", counters.bytes.load(Ordering::Relaxed));
        }
        if let Some(remote) = &self.shared.remote {
            remote.counters.add_to(stats);
            stats.add("begun again without workers", u64::from(remote.is_over()));
        }
        if let Some(disk) = &self.shared.disk {
            let counters = &disk.counters;
            stats.add("summaries from the cache", counters.loaded.load(Ordering::Relaxed));
            stats.add("paths from the cache", counters.paths.load(Ordering::Relaxed));
            stats.add("states saved by the cache", counters.states_saved.load(Ordering::Relaxed));
            stats.add("summaries not in the cache", counters.missing.load(Ordering::Relaxed));
            let changed: u64 = counters.changed.lock().unwrap_or_else(|e| e.into_inner()).values().sum();
            stats.add("summaries of other code", changed);
            stats.add("summaries written to the cache", counters.written.load(Ordering::Relaxed));
            stats.add("summaries that no other run could read", counters.not_portable.load(Ordering::Relaxed));
            stats.add("cache entries that could not be read", counters.unreadable.load(Ordering::Relaxed));
        }
        stats.time("work", shared.work());
        stats.time("critical path", self.counters.span);
        if let Some(time) = shared.longest_stop() {
            stats.time("until all jobs had stopped", time);
        }
        if let Some(root) = &self.root {
            let mut counters = Counters::default();
            self.shared.summaries.closure(root.id).iter().for_each(|summary| counters.merge(summary.counters()));
            counters.add_to(stats);
        }
    }
}

/// The states of blocks. What is complete is kept until the next iteration, which has the precision that all found
/// targets have led to.
struct OfBlocks<'c, 'a, D: Reduce, R> {
    bam: &'c mut Bam<'a, D>,
    refiner: &'c mut R,
    engine: &'c mut Engine<'a, D>,
    /// Where the target is, and the length of the path to it.
    target: (Arc<BlockCell<'a, D>>, SummaryId, NodeId, usize),
    /// Whether the precision is another than the one that the states were made with.
    grew: &'c mut bool,
    /// Why a path was excluded that no precision refutes.
    excluded: &'c mut Option<Obstacle>,
}

impl<D: Reduce, R: Refiner<D>> States for OfBlocks<'_, '_, D, R> {
    fn leave(&mut self, reason: Obstacle) -> Option<Obstacle> {
        self.bam.counters.unresolved += 1;
        let (cell, graph, node, steps) = &self.target;
        if let Some(job) = self.engine.job_mut(cell) {
            job.set_unresolved(&self.bam.shared, (*graph, *node), reason.clone(), *steps);
        }
        (self.bam.counters.unresolved >= self.bam.config.max_unresolved).then(|| Obstacle::of_targets(vec![reason]))
    }

    /// A summary stands for many paths, so that one of them cannot be taken out of it.
    fn exclude(&mut self, _: usize, reason: Obstacle) -> Option<Obstacle> {
        self.bam.counters.excluded += 1;
        *self.excluded = Some(reason.clone());
        self.leave(reason)
    }

    fn retract(&mut self) {
        self.bam.counters.refinements += 1;
        *self.grew = true;
    }

    fn extend(&mut self, _: usize, grew: bool) -> Option<Obstacle> {
        if grew {
            self.retract();
            return None;
        }
        if *self.grew {
            return None;
        }
        // Every graph was made with this very precision, so the same path would come back.
        self.bam.counters.refinements += 1;
        if self.bam.escalate(self.refiner) {
            return None;
        }
        self.leave(Obstacle::stuck("the refinement of an infeasible path brought nothing new"))
    }
}
