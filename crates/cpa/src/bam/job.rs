//! Jobs: the exploration of one block from one reduced state, as a value that can be suspended and moved between threads.
//!
//! The blocks of functions that can call each other are explored by one job together: each (block, reduced state) that they reach is
//! a member of the job. Members hand their exits to each other as they find them, and all are finished at once, when none of them can go
//! on. That is a fixpoint: the first exits come from paths that do not recurse, and every further exit from exits that were found.

use super::cache::BlockCell;
use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::{BlockGraph, Exit, Summary, SummaryId};
use super::territory::{BlockTerritory, Inner};
use super::trace::{NO_SLICE, Need};
use crate::algorithm::{Exploration, Status};
use crate::arg::NodeId;
use crate::stack::{ArgStep, Head, StackId};
use assay_base::FastMap;
use assay_cfa::Step;
use assay_cfa::blocks::BlockId;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// One graph of a job.
pub struct Member<'a, D: Reduce> {
    pub graph: BlockGraph<'a, D>,
    /// Who asked first inside this job; `None` for the first member.
    pub requester: Option<(SummaryId, NodeId)>,
    pub(super) side: MemberSide<'a, D>,
    /// Whether it is among those that may have something to explore.
    queued: bool,
}

/// What belongs to a member but is touched while its graph is explored.
pub(super) struct MemberSide<'a, D: Reduce> {
    /// Summaries that arrived for suspended nodes.
    pub ready: FastMap<NodeId, Arc<Summary<'a, D>>>,
    /// How many nodes wait for summaries of other jobs.
    pub suspended: usize,
    /// The exits in the order in which they were found.
    pub exits: Vec<Exit<D::State>>,
    /// The nodes of members that use the exits.
    pub subscribers: Vec<(usize, NodeId)>,
    /// How many exits of the member that it uses a node has taken.
    pub taken: FastMap<NodeId, usize>,
}

/// A job: one reached set, or those of a recursive component, owned by whoever runs it.
pub struct Job<'a, D: Reduce> {
    pub cell: Arc<BlockCell<'a, D>>,
    pub members: Vec<Member<'a, D>>,
    /// The component of the call graph whose blocks are members.
    component: Option<u32>,
    by_entry: FastMap<(BlockId, u64), Vec<usize>>,
    by_id: FastMap<SummaryId, usize>,
    /// Members that may have something to explore; the last one is first.
    work: Vec<usize>,
    /// The time on a machine with a core for every job.
    clock: Duration,
    /// The time that was spent on it.
    spent: Duration,
    /// It only looks for a path through a block that is finished: nothing of it is kept, and it waits for nobody.
    pub private: bool,
    /// The stretch of work that is being done, and what it had to wait for; only where these are recorded.
    pub slice: u32,
    pub needs: Vec<Need>,
}

/// Jobs are moved often, so they are kept in boxes.
pub type BoxedJob<'a, D> = Box<Job<'a, D>>;

/// Why a job returned.
pub enum JobEnd<'a, D: Reduce> {
    /// The block is explored to its end. What the last stretch of work had to wait for comes along.
    Finished(Arc<BlockCell<'a, D>>, Arc<Summary<'a, D>>, Vec<Need>),
    /// Everything but the suspended nodes is explored.
    Waiting(Box<Job<'a, D>>),
    /// It can go on, but was asked not to.
    Interrupted(Box<Job<'a, D>>),
    /// Targets in one of its graphs, all that were found.
    Target(Box<Job<'a, D>>, SummaryId, Vec<NodeId>),
    /// Stopped, broken off, or too large.
    Failed(Option<Box<Job<'a, D>>>, Status),
}

impl<D: Reduce> JobEnd<'_, D> {
    /// What the stretch of work that ended had to wait for. The next one of the job waits for it.
    pub fn take_needs(&mut self, slice: u32) -> Vec<Need> {
        match self {
            JobEnd::Finished(.., needs) => std::mem::take(needs),
            JobEnd::Waiting(job) | JobEnd::Interrupted(job) | JobEnd::Target(job, ..) => {
                std::mem::replace(&mut job.needs, vec![Need { slice, after: None }])
            }
            JobEnd::Failed(..) => Vec::new(),
        }
    }
}

impl<'a, D: Reduce> Job<'a, D> {
    pub fn new(shared: &Shared<'a, D>, cell: Arc<BlockCell<'a, D>>, clock: Duration) -> Box<Self> {
        shared.counters.jobs.fetch_add(1, Ordering::Relaxed);
        let component = cell.block.and_then(|block| shared.component(block));
        let (block, state) = (cell.block, cell.state.clone());
        let mut job = Job {
            cell,
            members: Vec::new(),
            component,
            by_entry: FastMap::default(),
            by_id: FastMap::default(),
            work: Vec::new(),
            clock,
            spent: Duration::ZERO,
            private: false,
            slice: NO_SLICE,
            needs: Vec::new(),
        };
        job.add_member(shared, block, state, None);
        Box::new(job)
    }

    fn add_member(
        &mut self,
        shared: &Shared<'a, D>,
        block: Option<BlockId>,
        entry: D::State,
        requester: Option<(SummaryId, NodeId)>,
    ) -> usize {
        let precision = match block {
            Some(block) => shared.precision_of(block).0.clone(),
            None => shared.round.precision.clone(),
        };
        let exploration = Exploration::new(shared.environment, shared.domain, shared.explore, precision);
        let index = self.members.len();
        if let Some(block) = block {
            self.by_entry.entry((block, shared.domain.hash(&entry))).or_default().push(index);
        }
        let graph = BlockGraph::new(shared.summaries.reserve(), block, entry, exploration);
        let side =
            MemberSide { ready: FastMap::default(), suspended: 0, exits: Vec::new(), subscribers: Vec::new(), taken: FastMap::default() };
        self.by_id.insert(graph.id, index);
        self.members.push(Member { graph, requester, side, queued: false });
        self.queue(index);
        index
    }

    pub fn graph(&self, id: SummaryId) -> Option<&BlockGraph<'a, D>> {
        Some(&self.members[*self.by_id.get(&id)?].graph)
    }
    pub fn graph_mut(&mut self, id: SummaryId) -> Option<&mut BlockGraph<'a, D>> {
        Some(&mut self.members[*self.by_id.get(&id)?].graph)
    }

    /// Takes in a summary that a suspended node waited for.
    pub fn deliver(&mut self, graph: SummaryId, node: NodeId, summary: Arc<Summary<'a, D>>) {
        self.clock = self.clock.max(summary.finished_at);
        if summary.slice != NO_SLICE {
            self.needs.push(Need { slice: summary.slice, after: None });
        }
        let Some(&index) = self.by_id.get(&graph) else { return };
        let member = &mut self.members[index];
        member.side.suspended -= 1;
        member.side.ready.insert(node, summary);
        member.graph.exploration.resume(node);
        self.queue(index);
    }

    fn queue(&mut self, index: usize) {
        if !std::mem::replace(&mut self.members[index].queued, true) {
            self.work.push(index);
        }
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
        let mut latest = Duration::ZERO;
        let stopped = loop {
            let Some(index) = self.work.pop() else { break None };
            self.members[index].queued = false;
            let status = self.run_member(shared, worker, index, at_once, begin, base, &mut latest, missing);
            if status != Status::Exhausted {
                self.queue(index);
                break Some((index, status));
            }
        };
        let spent = begin.elapsed();
        self.spent += spent;
        self.clock = (base + spent).max(latest);
        match stopped {
            None if self.members.iter().all(|member| member.side.suspended == 0) => (*self).finish(shared, worker),
            None => JobEnd::Waiting(self),
            Some((_, Status::Interrupted)) => JobEnd::Interrupted(self),
            Some((index, Status::Target(node))) => {
                let graph = &mut self.members[index].graph;
                let id = graph.id;
                let nodes = std::iter::once(node).chain(graph.exploration.take_targets()).collect();
                JobEnd::Target(self, id, nodes)
            }
            Some((_, failed)) => JobEnd::Failed(Some(self), failed),
        }
    }

    fn run_member(
        &mut self,
        shared: &Shared<'a, D>,
        worker: &mut D::Worker,
        index: usize,
        at_once: bool,
        begin: Instant,
        base: Duration,
        latest: &mut Duration,
        missing: &mut dyn FnMut(Arc<BlockCell<'a, D>>, Duration),
    ) -> Status {
        let (before, rest) = self.members.split_at_mut(index);
        let Some((member, after)) = rest.split_first_mut() else { return Status::Exhausted };
        if member.graph.exploration.arg.is_empty() {
            let program = shared.environment.program;
            let entry = match member.graph.block {
                Some(block) => shared.blocks.blocks[block].entry,
                None => program.functions[program.entry].entry,
            };
            let head = Head { location: entry, stack: StackId::EMPTY };
            let state = member.graph.entry.clone();
            member.graph.exploration.start(worker, head, state);
        }
        let (graph_id, block) = (member.graph.id, member.graph.block);
        let own_entry = member.graph.entry.clone();
        let (exploration, applications) = member.graph.split();
        let inner = Inner { index, component: self.component, before, after, by_entry: &self.by_entry, own_entry: &own_entry };
        let mut territory = BlockTerritory {
            shared,
            cell: &self.cell,
            graph_id,
            block,
            side: &mut member.side,
            applications,
            inner,
            created: Vec::new(),
            found_exits: 0,
            missing,
            begin,
            base,
            latest,
            at_once,
            private: self.private,
            needs: (self.slice != NO_SLICE).then_some(&mut self.needs),
            stopped: false,
        };
        let status = exploration.run_in(worker, &mut territory);
        exploration.flush_cuts();
        let (created, found_exits) = (std::mem::take(&mut territory.created), territory.found_exits);
        drop(territory);
        for (block, entry, node) in created {
            self.subscribe_new(shared, block, entry, index, node);
        }
        if found_exits > 0 {
            self.wake_subscribers(index);
        }
        status
    }

    /// A member that a node has asked for, made now if it is not there.
    fn subscribe_new(&mut self, shared: &Shared<'a, D>, block: BlockId, entry: D::State, asking: usize, node: NodeId) {
        let key = (block, shared.domain.hash(&entry));
        let found = self.by_entry.get(&key).and_then(|list| list.iter().copied().find(|&i| self.members[i].graph.entry == entry));
        let requester = (self.members[asking].graph.id, node);
        let index = found.unwrap_or_else(|| self.add_member(shared, Some(block), entry, Some(requester)));
        let id = self.members[index].graph.id;
        self.members[asking].graph.split().1.note(node, id);
        // It has no exits yet; the node is woken when there are some.
        self.members[index].side.subscribers.push((asking, node));
        self.members[asking].side.taken.insert(node, 0);
    }

    fn wake_subscribers(&mut self, index: usize) {
        for at in 0..self.members[index].side.subscribers.len() {
            let (member, node) = self.members[index].side.subscribers[at];
            self.members[member].graph.exploration.resume(node);
            self.queue(member);
        }
    }

    /// Turns all members into summaries. Those beside the first go into the cache, too.
    fn finish(self, shared: &Shared<'a, D>, worker: &mut D::Worker) -> JobEnd<'a, D> {
        shared.counters.add_work(self.spent);
        // Members rest on each other, so they are clean together.
        let clean = self.members.iter().all(|member| {
            member.graph.is_clean() && member.graph.applied.values().all(|id| self.by_id.contains_key(id) || shared.summaries.is_clean(*id))
        });
        let mut summaries = Vec::with_capacity(self.members.len());
        for member in self.members {
            let summary = Arc::new(Summary::of_graph(shared, member.graph, clean, self.clock, self.slice));
            let counter = if self.private { &shared.counters.again } else { &shared.counters.summaries };
            counter.fetch_add(1, Ordering::Relaxed);
            shared.counters.states.fetch_add(summary.counters.states, Ordering::Relaxed);
            shared.summaries.publish(summary.clone());
            summaries.push(summary);
        }
        let keeps = clean && !self.private;
        if keeps && let Err(status) = shared.keep(worker, &summaries) {
            return JobEnd::Failed(None, status);
        }
        let mut summaries = summaries.into_iter();
        let first = summaries.next();
        summaries.for_each(|summary| shared.cache.publish(shared, summary));
        match first {
            Some(summary) => JobEnd::Finished(self.cell, summary, self.needs),
            None => JobEnd::Failed(None, Status::Interrupted),
        }
    }

    /// The steps on which a node was found, from the entry of the job's block; finished blocks stay closed.
    pub fn path(&self, graph: SummaryId, node: NodeId) -> Option<Vec<PathPart<D::State>>> {
        let mut parts: Vec<(SummaryId, NodeId)> = Vec::new();
        let mut at = Some((graph, node));
        while let Some((graph, node)) = at {
            parts.push((graph, node));
            at = self.members[*self.by_id.get(&graph)?].requester;
        }
        let mut out = Vec::new();
        for (graph, node) in parts.into_iter().rev() {
            self.flatten(graph, node, &mut out)?;
        }
        Some(out)
    }

    fn flatten(&self, graph: SummaryId, node: NodeId, out: &mut Vec<PathPart<D::State>>) -> Option<()> {
        // What is still to be written, the next on top: nested blocks can be as deep as the recursion.
        let steps = |graph: SummaryId, node: NodeId| Some(self.graph(graph)?.exploration.arg.path_to(node).into_moves());
        let mut stack = vec![(graph, steps(graph, node)?)];
        while let Some((graph, rest)) = stack.last_mut() {
            match rest.next() {
                None => {
                    stack.pop();
                }
                Some((from, ArgStep::Block(number))) => {
                    let graph = self.graph(*graph)?;
                    let (summary, exit) = *graph.applications.get(number as usize)?;
                    match self.graph(summary) {
                        Some(_) => stack.push((summary, steps(summary, exit)?)),
                        None => out.push(PathPart::Closed { summary, exit, outer: graph.exploration.reached.get(from)?.clone() }),
                    }
                }
                Some((_, ArgStep::Step(step))) => out.push(PathPart::Step(step)),
            }
        }
        Some(())
    }
}

/// A part of a path that is being flattened.
pub enum PathPart<S> {
    Step(Step),
    /// From a state at its entry through a finished block, to this exit.
    Closed {
        summary: SummaryId,
        exit: NodeId,
        outer: S,
    },
}
