//! Jobs: the exploration of one block from one reduced state, as a value that can be suspended and moved between threads.

use super::cache::{BlockCell, Request};
use super::reduce::Reduce;
use super::shared::Shared;
use crate::algorithm::{Exploration, Merge, Status, Territory, Visit};
use crate::arg::{Arg, NodeId};
use crate::domain::{Place, Successor};
use crate::stack::{Head, StackId, Step};
use assay_base::FastMap;
use assay_cfa::blocks::BlockId;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The graph of one block with the summaries that were applied in it.
pub struct BlockGraph<'a, D: Reduce> {
    /// `None` for the whole program where its entry function is no block.
    pub block: Option<BlockId>,
    pub exploration: Exploration<'a, D>,
    /// The summary that was applied at a node.
    pub applied: FastMap<NodeId, Arc<Summary<'a, D>>>,
    /// What the numbers in [`Step::Block`] stand for: the summary and the exit in its graph.
    pub applications: Vec<(Arc<Summary<'a, D>>, NodeId)>,
}

/// A block's finished graph and its exits. Only complete explorations become summaries.
pub struct Summary<'a, D: Reduce> {
    pub graph: BlockGraph<'a, D>,
    /// The nodes at the block's exits, covered ones left out.
    pub exits: Vec<NodeId>,
    /// When it was finished on a machine with a core for every job.
    pub finished_at: Duration,
    pub number: u64,
}

impl<'a, D: Reduce> BlockGraph<'a, D> {
    /// The steps on which a node was found, from the graph's root, with blocks flattened.
    pub fn flat_path(&self, node: NodeId, out: &mut Vec<Step>) {
        for step in self.exploration.arg.path_to(node).steps {
            match step {
                Step::Block(number) => {
                    let (summary, exit) = &self.applications[number as usize];
                    summary.graph.flat_path(*exit, out);
                }
                step => out.push(step),
            }
        }
    }

    /// The nodes at the block's exits.
    pub fn exits(&self, shared: &Shared<'a, D>) -> Vec<NodeId> {
        let arg: &Arg = &self.exploration.arg;
        let is_exit = |node: NodeId| self.block.is_some_and(|block| shared.is_exit(block, arg.head(node)));
        arg.live().filter(|&node| is_exit(node) && !arg.is_covered(node) && !arg.is_target(node)).collect()
    }
}

/// A job: one reached set, owned by whoever runs it.
pub struct Job<'a, D: Reduce> {
    pub cell: Arc<BlockCell<'a, D>>,
    pub graph: BlockGraph<'a, D>,
    /// Summaries that arrived for suspended nodes.
    pub ready: FastMap<NodeId, Arc<Summary<'a, D>>>,
    /// How many nodes wait for summaries.
    pub suspended: usize,
    /// The time on a machine with a core for every job.
    pub clock: Duration,
    /// The time that was spent on it.
    pub work: Duration,
}

/// Why a job returned.
pub enum JobEnd<'a, D: Reduce> {
    /// The block is explored to its end.
    Finished(Arc<BlockCell<'a, D>>, Arc<Summary<'a, D>>),
    /// Everything but the suspended nodes is explored.
    Waiting(Box<Job<'a, D>>),
    /// It can go on, but was asked not to.
    Interrupted(Box<Job<'a, D>>),
    Target(Box<Job<'a, D>>, NodeId),
    /// Stopped, broken off, or too large.
    Failed(Status),
}

impl<'a, D: Reduce> Job<'a, D> {
    pub fn new(shared: &Shared<'a, D>, cell: Arc<BlockCell<'a, D>>, clock: Duration) -> Box<Self> {
        let precision = match cell.block {
            Some(block) => shared.precision_of(block).0.clone(),
            None => shared.round.precision.clone(),
        };
        let exploration = Exploration::new(shared.environment, shared.domain, shared.explore, precision);
        let graph = BlockGraph { block: cell.block, exploration, applied: FastMap::default(), applications: Vec::new() };
        Box::new(Job { cell, graph, ready: FastMap::default(), suspended: 0, clock, work: Duration::ZERO })
    }

    /// Takes in a summary that a suspended node waited for.
    pub fn deliver(&mut self, node: NodeId, summary: Arc<Summary<'a, D>>) {
        self.clock = self.clock.max(summary.finished_at);
        self.suspended -= 1;
        self.ready.insert(node, summary);
        self.graph.exploration.resume(node);
    }

    /// Explores until the block is finished or something is missing. `missing` takes the cells of blocks that nobody explores yet.
    /// With `at_once` the job returns as soon as something is missing.
    pub fn run(
        mut self: Box<Self>,
        shared: &Shared<'a, D>,
        worker: &mut D::Worker,
        at_once: bool,
        missing: &mut dyn FnMut(Arc<BlockCell<'a, D>>, Duration),
    ) -> JobEnd<'a, D> {
        shared.counters.slices.fetch_add(1, Ordering::Relaxed);
        let begin = Instant::now();
        let base = self.clock;
        let job = &mut *self;
        let BlockGraph { exploration, applied, applications, block } = &mut job.graph;
        if exploration.arg.is_empty() {
            let entry = match *block {
                Some(block) => shared.blocks.blocks[block].entry,
                None => shared.environment.program.functions[shared.environment.program.entry].entry,
            };
            exploration.start(worker, Head { location: entry, stack: StackId::EMPTY }, job.cell.state.clone());
        }
        let mut territory = BlockTerritory {
            shared,
            cell: &job.cell,
            applied,
            applications,
            ready: &mut job.ready,
            suspended: &mut job.suspended,
            missing,
            begin,
            base,
            latest: Duration::ZERO,
            at_once,
            stopped: false,
        };
        let status = exploration.run_in(worker, &mut territory);
        let latest = territory.latest;
        let spent = begin.elapsed();
        self.work += spent;
        self.clock = (base + spent).max(latest);
        match status {
            Status::Exhausted if self.suspended == 0 => {
                let exits = self.graph.exits(shared);
                let number = shared.counters.summaries.fetch_add(1, Ordering::Relaxed);
                shared.counters.add_work(self.work);
                let job = *self;
                let summary = Summary { graph: job.graph, exits, finished_at: job.clock, number };
                JobEnd::Finished(job.cell, Arc::new(summary))
            }
            Status::Exhausted => JobEnd::Waiting(self),
            Status::Interrupted => JobEnd::Interrupted(self),
            Status::Target(node) => JobEnd::Target(self, node),
            failed => JobEnd::Failed(failed),
        }
    }
}

/// The part of the program that a block's exploration stays in: it leaves at the block's exits and takes inner blocks by their summaries.
struct BlockTerritory<'t, 'a, D: Reduce> {
    shared: &'t Shared<'a, D>,
    cell: &'t Arc<BlockCell<'a, D>>,
    applied: &'t mut FastMap<NodeId, Arc<Summary<'a, D>>>,
    applications: &'t mut Vec<(Arc<Summary<'a, D>>, NodeId)>,
    ready: &'t mut FastMap<NodeId, Arc<Summary<'a, D>>>,
    suspended: &'t mut usize,
    missing: &'t mut dyn FnMut(Arc<BlockCell<'a, D>>, Duration),
    begin: Instant,
    base: Duration,
    /// When the latest of the used summaries was finished on a machine with a core for every job.
    latest: Duration,
    at_once: bool,
    stopped: bool,
}

impl<'a, D: Reduce> BlockTerritory<'_, 'a, D> {
    fn apply(
        &mut self,
        worker: &mut D::Worker,
        node: NodeId,
        head: Head,
        state: &D::State,
        summary: Arc<Summary<'a, D>>,
        out: &mut Vec<(Head, Step, Successor<D::State>)>,
    ) {
        let Some(block) = summary.graph.block else { return };
        let scope = self.shared.scope(block);
        for &exit in &summary.exits {
            let inner = &summary.graph.exploration;
            let Some(exit_state) = inner.reached.get(exit) else { continue };
            let target = Head { location: inner.arg.head(exit).location, stack: head.stack };
            let place = Place { program: self.shared.environment.program, head: target };
            if let Some(expanded) = self.shared.domain.expand(worker, state, exit_state, &place, &scope) {
                let number = self.applications.len() as u32;
                self.applications.push((summary.clone(), exit));
                out.push((target, Step::Block(number), Successor { state: expanded, mark: None }));
            }
        }
        self.applied.insert(node, summary);
    }
}

impl<'a, D: Reduce> Territory<D> for BlockTerritory<'_, 'a, D> {
    fn visit(
        &mut self,
        domain: &D,
        worker: &mut D::Worker,
        node: NodeId,
        head: Head,
        state: &D::State,
        out: &mut Vec<(Head, Step, Successor<D::State>)>,
    ) -> Visit {
        if self.cell.block.is_some_and(|block| self.shared.is_exit(block, head)) {
            return Visit::Leave;
        }
        let Some(block) = self.shared.inner_block(self.cell.block, head) else { return Visit::Expand };
        // A state that can grow while it waits must ask again with what it has become.
        if let Some(summary) = self.ready.remove(&node)
            && self.shared.explore.merge == Merge::Sep
        {
            self.apply(worker, node, head, state, summary, out);
            return Visit::Applied;
        }
        let reduced = domain.reduce(worker, state, &self.shared.scope(block));
        match self.shared.cache.request(self.shared, block, reduced, self.cell, node) {
            Request::Ready(summary) => {
                self.shared.counters.hits.fetch_add(1, Ordering::Relaxed);
                self.latest = self.latest.max(summary.finished_at);
                self.apply(worker, node, head, state, summary, out);
                Visit::Applied
            }
            Request::Running => {
                self.shared.counters.waits.fetch_add(1, Ordering::Relaxed);
                *self.suspended += 1;
                Visit::Suspend
            }
            Request::Missing(cell) => {
                *self.suspended += 1;
                (self.missing)(cell, (self.base + self.begin.elapsed()).max(self.latest));
                self.stopped = self.at_once;
                Visit::Suspend
            }
        }
    }

    fn is_interrupted(&self) -> bool {
        self.stopped || self.shared.halt.load(Ordering::Relaxed)
    }
}
