//! Jobs: the exploration of one block from one reduced state, as a value that can be suspended and moved between
//! threads.
//!
//! A job can have several *members*: a (block, reduced state) each, with a graph of its own. Members hand their exits
//! to each other as they find them, and are finished together, when none of them can go on. That is a fixpoint: the
//! first exits come from paths that use no other member, and every further exit from exits that were found. So a set of
//! members is complete as soon as nothing waits in any of them and they use nothing outside of the set that is not
//! complete; each graph is then closed under the exits of what it uses, which is what the checker asks for.
//!
//! Who is a member of whose job:
//! - The blocks of functions that can call each other are always members of one job, so that nothing waits in a circle.
//! - With *streams* (one thread, states are not merged) all blocks are members of the one job of the program. A path
//!   goes on behind a block as soon as the block has one exit, as it does without blocks: a block that is never
//!   finished does not hide what is behind it. Members that are complete are retired from time to time: they become
//!   summaries as those of other jobs do.

use super::block_scope::{BlockScope, Inner};
use super::cache::BlockCell;
use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::{BlockGraph, Exit, Summary, SummaryId};
use super::trace::{NO_SLICE, Need};
use assay_base::{FastMap, Obstacle};
use assay_cfa::Step;
use assay_cfa::blocks::BlockId;
use assay_cpa::algorithm::{Exploration, Status};
use assay_cpa::arg::NodeId;
use assay_cpa::stack::{ArgStep, Head, StackId};
use assay_cpa::waitlist::{Alternation, Before, Order, Waitlist};
use std::collections::BinaryHeap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// To look at a step of a path costs as much as to explore so many states.
const STEP_COSTS: u64 = 4;

/// Where the oldest is explored first, a member explores so many states before it is another one's turn. Most blocks
/// are finished in one turn, and one that has no end keeps nothing waiting.
const TURN: u64 = 1000;

/// One graph of a job.
pub struct Member<'a, D: Reduce> {
    pub graph: BlockGraph<'a, D>,
    /// Who asked first inside this job; `None` for the first member.
    pub requester: Option<(SummaryId, NodeId)>,
    pub(super) side: MemberSide<'a, D>,
    /// Its latest place among those that may have something to explore; 0 if it has none.
    queued: u64,
    /// How many functions are open around it.
    depth: u32,
}

/// A member that may have something to explore. The greatest is first: the one that is deepest in calls, or the one
/// that is least deep, or else the one that was noted last; with breadth-first search the one that was noted first.
///
/// Where waitlists are stacks, all of them are parts of one: `floor` nodes of the member were waiting before, and they
/// are the business of an older note of the same member. So nodes are explored in the order in which one stack for all
/// members would give them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Queued {
    depth: u32,
    turn: u64,
    stamp: u64,
    index: usize,
    floor: usize,
}

/// How the members of a job are searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// All waitlists are parts of one stack.
    Stack,
    /// Members take turns, the one that was noted first before all others. Breadth-first search of each graph alone
    /// would follow one path through all of them to its end.
    Turns,
    /// The member that was noted last first, and in each as its own waitlist says.
    Latest,
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
    /// The member that a node uses, and how many of its exits it has taken.
    pub taken: FastMap<NodeId, (usize, usize)>,
    /// Summaries of which a node has taken some exits, but not all, and how many.
    pub partly: FastMap<NodeId, (Arc<Summary<'a, D>>, usize)>,
}

/// A job: one reached set, or those of a recursive component, owned by the caller that runs it.
pub struct Job<'a, D: Reduce> {
    pub cell: Arc<BlockCell<'a, D>>,
    /// The members; `None` for one that was retired, and for the one that is running.
    pub members: Vec<Option<Box<Member<'a, D>>>>,
    /// The component of the call graph whose blocks are members.
    component: Option<u32>,
    by_entry: FastMap<(BlockId, u64), Vec<usize>>,
    by_id: FastMap<SummaryId, usize>,
    /// Members that may have something to explore; places that are not their latest are skipped.
    work: BinaryHeap<Queued>,
    stamps: u64,
    /// Where depth-first and breadth-first search of all members alternate.
    alternation: Option<Alternation>,
    /// How many members ran out of work since some were retired.
    idle: usize,
    /// How many were left when some were retired last.
    open: usize,
    /// The time on a machine with a core for every job.
    clock: Duration,
    /// When it was asked for, on that machine.
    asked_at: Duration,
    /// The time that was spent on it.
    spent: Duration,
    /// It only looks for a path through a block that is finished: nothing of it is kept, and it waits for nothing.
    pub private: bool,
    /// The stretch of work that is being done, and what it had to wait for; only where these are recorded.
    pub slice: u32,
    pub needs: Vec<Need>,
}

/// Jobs are moved often, so they are kept in boxes.
pub(super) type BoxedJob<'a, D> = Box<Job<'a, D>>;

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
            work: BinaryHeap::new(),
            stamps: 0,
            alternation: Waitlist::new(shared.explore.order).alternation().filter(|_| shared.streams),
            idle: 0,
            open: 0,
            clock,
            asked_at: clock,
            spent: Duration::ZERO,
            private: false,
            slice: NO_SLICE,
            needs: Vec::new(),
        };
        job.add_member(shared, block, state, None, 0);
        Box::new(job)
    }

    fn add_member(
        &mut self,
        shared: &Shared<'a, D>,
        block: Option<BlockId>,
        entry: D::State,
        requester: Option<(SummaryId, NodeId)>,
        depth: u32,
    ) -> usize {
        let precision = match block {
            Some(block) => shared.precision_of(block).0.clone(),
            None => shared.iteration.precision.clone(),
        };
        let exploration = Exploration::new(shared.environment, shared.domain, shared.explore, precision);
        let index = self.members.len();
        if let Some(block) = block {
            self.by_entry.entry((block, shared.domain.hash(&entry))).or_default().push(index);
        }
        let graph = BlockGraph::new(shared.summaries.reserve(), block, entry, exploration);
        let side = MemberSide {
            ready: FastMap::default(),
            suspended: 0,
            exits: Vec::new(),
            subscribers: Vec::new(),
            taken: FastMap::default(),
            partly: FastMap::default(),
        };
        self.by_id.insert(graph.id, index);
        self.members.push(Some(Box::new(Member { graph, requester, side, queued: 0, depth })));
        self.queue(shared, index);
        index
    }

    pub fn graph(&self, id: SummaryId) -> Option<&BlockGraph<'a, D>> {
        Some(&self.members[*self.by_id.get(&id)?].as_ref()?.graph)
    }
    pub fn graph_mut(&mut self, id: SummaryId) -> Option<&mut BlockGraph<'a, D>> {
        Some(&mut self.members[*self.by_id.get(&id)?].as_mut()?.graph)
    }

    /// Takes in a summary that a suspended node waited for.
    pub fn deliver(&mut self, shared: &Shared<'a, D>, graph: SummaryId, node: NodeId, summary: Arc<Summary<'a, D>>) {
        self.clock = self.clock.max(summary.finished_at);
        if summary.slice != NO_SLICE {
            self.needs.push(Need { slice: summary.slice, after: None });
        }
        let Some(&index) = self.by_id.get(&graph) else { return };
        let Some(member) = &mut self.members[index] else { return };
        member.side.suspended -= 1;
        member.side.ready.insert(node, summary);
        member.graph.exploration.resume(node);
        self.queue(shared, index);
    }

    fn search(&self, shared: &Shared<'a, D>) -> Search {
        match self.alternation {
            _ if !shared.streams => Search::Latest,
            Some(alternation) => {
                if alternation.breadth {
                    Search::Turns
                } else {
                    Search::Stack
                }
            }
            None if shared.explore.order.base == Order::Bfs => Search::Turns,
            None if Waitlist::new(shared.explore.order).is_stack() => Search::Stack,
            None => Search::Latest,
        }
    }

    /// Notes that a member has something to explore, before all others of its depth.
    fn queue(&mut self, shared: &Shared<'a, D>, index: usize) {
        self.queue_above(shared, index, 0);
    }

    fn queue_above(&mut self, shared: &Shared<'a, D>, index: usize, floor: usize) {
        let search = self.search(shared);
        let Some(member) = &mut self.members[index] else { return };
        self.stamps += 1;
        member.queued = self.stamps;
        let depth = match shared.explore.order.calls {
            Before::Ignore => 0,
            Before::DeeperFirst => member.depth,
            Before::ShallowerFirst => u32::MAX - member.depth,
        };
        let turn = if search == Search::Turns { u64::MAX - self.stamps } else { self.stamps };
        self.work.push(Queued { depth, turn, stamp: self.stamps, index, floor });
    }

    /// The next member that may have something to explore.
    fn next(&mut self, stacked: bool) -> Option<Queued> {
        loop {
            let queued = self.work.pop()?;
            let Some(member) = &mut self.members[queued.index] else { continue };
            if stacked || member.queued == queued.stamp {
                member.queued = 0;
                return Some(queued);
            }
        }
    }

    /// Begins another stretch of the search: notes of the other kind mean something else.
    fn turn(&mut self, shared: &Shared<'a, D>) {
        self.work.clear();
        self.queue_missed(shared);
    }

    /// Notes that a target stays unresolved, at the end of a path of so many steps. Looking at it was work, too: a
    /// search that goes on behind such a target comes to others like it, so that the stretch ends the sooner.
    pub fn set_unresolved(&mut self, shared: &Shared<'a, D>, (graph, node): (SummaryId, NodeId), reason: Obstacle, steps: usize) {
        if let Some(graph) = self.graph_mut(graph) {
            graph.exploration.arg.set_unresolved(node, reason);
        }
        let looked = STEP_COSTS.saturating_mul(steps as u64);
        if self.alternation.as_mut().is_some_and(|alternation| alternation.explored(looked)) {
            self.turn(shared);
        }
    }

    /// Notes all members in which something waits, also those that were asked for and have not begun.
    fn queue_missed(&mut self, shared: &Shared<'a, D>) -> bool {
        let waits = |member: &Option<Box<Member<'a, D>>>| {
            let exploration = member.as_ref().map(|member| &member.graph.exploration);
            exploration.is_some_and(|exploration| exploration.arg.is_empty() || !exploration.is_exhausted())
        };
        let missed: Vec<usize> = (0..self.members.len()).filter(|&index| waits(&self.members[index])).collect();
        missed.iter().for_each(|&index| self.queue(shared, index));
        !missed.is_empty()
    }

    /// Explores until the block is finished or something is missing. `missing` takes the cells of blocks that nothing
    /// explores yet. With `at_once` the job returns as soon as something is missing.
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
            let search = self.search(shared);
            let stacked = search == Search::Stack;
            let Some(queued) = self.next(stacked) else {
                if self.queue_missed(shared) {
                    continue;
                }
                break None;
            };
            let index = queued.index;
            let (status, explored, switches) = self.run_member(shared, worker, queued, search, at_once, begin, base, &mut latest, missing);
            let turns = self.alternation.as_mut().is_some_and(|alternation| alternation.explored(explored));
            if turns {
                self.turn(shared);
            }
            let is_at_floor =
                |member: &Member<'a, D>| stacked && queued.floor > 0 && member.graph.exploration.waitlist.len() <= queued.floor;
            match status {
                Status::Exhausted => self.idle += 1,
                Status::Interrupted if switches && (self.private || !shared.is_impatient()) => {}
                Status::Interrupted if !shared.quiescence.is_stopped() && self.members[index].as_deref().is_some_and(is_at_floor) => {}
                Status::Interrupted
                    if (turns || search == Search::Turns)
                        && !shared.quiescence.is_stopped()
                        && (self.private || !shared.is_impatient()) =>
                {
                    self.queue(shared, index);
                }
                status => {
                    self.queue(shared, index);
                    break Some((index, status));
                }
            }
            let retires = shared.streams && !self.private && self.idle > shared.retires_at().max(self.open / 2 + self.members.len() / 64);
            if retires && let Err(status) = self.retire(shared, worker) {
                break Some((index, status));
            }
        };
        let spent = begin.elapsed();
        self.spent += spent;
        self.clock = (base + spent).max(latest);
        match stopped {
            None if self.members.iter().flatten().all(|member| member.side.suspended == 0) => (*self).finish(shared, worker),
            None => JobEnd::Waiting(self),
            Some((_, Status::Interrupted)) => JobEnd::Interrupted(self),
            Some((index, Status::Target(node))) => {
                let Some(member) = &mut self.members[index] else { return JobEnd::Failed(Some(self), Status::Interrupted) };
                let id = member.graph.id;
                let nodes = std::iter::once(node).chain(member.graph.exploration.take_targets()).collect();
                JobEnd::Target(self, id, nodes)
            }
            Some((_, failed)) => JobEnd::Failed(Some(self), failed),
        }
    }

    /// Explores one member, and says how many states that made, or would have made without rules. `true` if it was left
    /// because another one is to go on first; it is queued again then.
    fn run_member(
        &mut self,
        shared: &Shared<'a, D>,
        worker: &mut D::Worker,
        queued: Queued,
        search: Search,
        at_once: bool,
        begin: Instant,
        base: Duration,
        latest: &mut Duration,
        missing: &mut dyn FnMut(Arc<BlockCell<'a, D>>, Duration),
    ) -> (Status, u64, bool) {
        let (index, stacked) = (queued.index, search == Search::Stack);
        let Some(mut member) = self.members[index].take() else { return (Status::Exhausted, 0, false) };
        if member.graph.exploration.arg.is_empty() {
            if let Some(block) = member.graph.block.filter(|_| index != 0 && shared.streams && !self.private)
                && shared.derive(worker, block, &member.graph.entry).is_some()
            {
                self.withdraw(shared, *member, index, block);
                return (Status::Exhausted, 0, false);
            }
            let program = shared.environment.program;
            let entry = match member.graph.block {
                Some(block) => shared.blocks.blocks[block].entry,
                None => program.functions[program.entry].entry,
            };
            let head = Head { location: entry, stack: StackId::EMPTY };
            let state = member.graph.entry.clone();
            member.graph.exploration.start(worker, head, state);
            if let Some(block) = member.graph.block.filter(|_| !self.private) {
                shared.begun(block);
            }
        }
        let (graph_id, block, depth) = (member.graph.id, member.graph.block, member.depth);
        let states = member.graph.exploration.counters.states;
        let patience = shared.patience().filter(|_| !self.private);
        let turn = (search == Search::Turns).then_some(TURN);
        let stretch = self.alternation.map(|alternation| alternation.left());
        member.graph.exploration.pause_at = patience.into_iter().chain(turn).chain(stretch).min().map(|left| states + left);
        if let Some(alternation) = self.alternation {
            member.graph.exploration.waitlist.set_breadth(alternation.breadth);
        }
        member.graph.exploration.floor = if stacked { queued.floor } else { 0 };
        let own_entry = member.graph.entry.clone();
        let (exploration, applications) = member.graph.split();
        let inner = Inner { index, component: self.component, members: &mut self.members, by_entry: &self.by_entry, own_entry: &own_entry };
        let mut scope = BlockScope {
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
            search,
            private: self.private,
            needs: (self.slice != NO_SLICE).then_some(&mut self.needs),
            stopped: false,
            switches: false,
            saved: 0,
            stretch,
        };
        let status = exploration.run_in(worker, &mut scope);
        exploration.flush_cuts();
        let explored = exploration.counters.states - states;
        let (created, found_exits, switches) = (std::mem::take(&mut scope.created), scope.found_exits, scope.switches);
        let saved = scope.saved;
        drop(scope);
        shared.explored(block, explored);
        self.members[index] = Some(member);
        if switches && status == Status::Interrupted {
            match stacked {
                true => self.work.push(queued),
                false => self.queue(shared, index),
            }
        }
        if found_exits > 0 {
            self.wake_subscribers(shared, index);
        }
        for (block, entry, node) in created {
            self.subscribe_new(shared, block, entry, index, node, depth);
        }
        (status, explored + saved, switches)
    }

    /// A rule speaks of a member that has not begun: those who wait for it ask again.
    fn withdraw(&mut self, shared: &Shared<'a, D>, member: Member<'a, D>, index: usize, block: BlockId) {
        self.by_id.remove(&member.graph.id);
        if let Some(same) = self.by_entry.get_mut(&(block, shared.domain.hash(&member.graph.entry))) {
            same.retain(|&other| other != index);
        }
        for (asking, node) in member.side.subscribers {
            if let Some(user) = &mut self.members[asking] {
                user.side.taken.remove(&node);
                user.graph.applied.remove(&node);
                let floor = user.graph.exploration.waitlist.len();
                user.graph.exploration.resume(node);
                self.queue_above(shared, asking, floor);
            }
        }
    }

    /// A member that a node has asked for, made now if it is not there.
    fn subscribe_new(&mut self, shared: &Shared<'a, D>, block: BlockId, entry: D::State, asking: usize, node: NodeId, depth: u32) {
        let key = (block, shared.domain.hash(&entry));
        let is_it = |&i: &usize| self.members[i].as_ref().is_some_and(|member| member.graph.entry == entry);
        let found = self.by_entry.get(&key).and_then(|list| list.iter().copied().find(is_it));
        let Some(requester) = self.members[asking].as_ref().map(|member| (member.graph.id, node)) else { return };
        let deeper = depth + u32::from(shared.scope(block).is_function());
        let index = found.unwrap_or_else(|| self.add_member(shared, Some(block), entry, Some(requester), deeper));
        // It has no exits yet; the node is woken when there are some.
        let Some(member) = &mut self.members[index] else { return };
        member.side.subscribers.push((asking, node));
        let id = member.graph.id;
        if let Some(member) = &mut self.members[asking] {
            member.graph.split().1.note(node, id);
            member.side.taken.insert(node, (index, 0));
        }
    }

    fn wake_subscribers(&mut self, shared: &Shared<'a, D>, index: usize) {
        let Some(member) = &self.members[index] else { return };
        for (member, node) in member.side.subscribers.clone() {
            if let Some(asking) = &mut self.members[member] {
                let floor = asking.graph.exploration.waitlist.len();
                asking.graph.exploration.resume(node);
                self.queue_above(shared, member, floor);
            }
        }
    }

    /// The members that are as `is` says, and all that they use in this job is so, too.
    fn closed_under_use(&self, is: impl Fn(usize, &Member<'a, D>) -> bool) -> Vec<bool> {
        let mut kept = vec![false; self.members.len()];
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.members.len()];
        let mut out: Vec<usize> = Vec::new();
        for (index, member) in self.members.iter().enumerate() {
            let Some(member) = member else { continue };
            kept[index] = is(index, member);
            if !kept[index] {
                out.push(index);
                continue;
            }
            for used in member.graph.applied.values().filter_map(|id| self.by_id.get(id)) {
                users[*used].push(index);
            }
        }
        while let Some(index) = out.pop() {
            for &user in &users[index] {
                if std::mem::replace(&mut kept[user], false) {
                    out.push(user);
                }
            }
        }
        kept
    }

    fn is_clean(&self, shared: &Shared<'a, D>, member: &Member<'a, D>) -> bool {
        let rests_on_clean = |id: &SummaryId| self.by_id.contains_key(id) || shared.summaries.is_clean(*id);
        member.graph.is_clean() && member.graph.applied.values().all(rests_on_clean)
    }

    /// Turns members that are complete into summaries that requests find. The first one is left: the job is finished
    /// with it.
    pub fn retire(&mut self, shared: &Shared<'a, D>, worker: &mut D::Worker) -> Result<(), Status> {
        self.idle = 0;
        // Nothing takes exits of a retired member, so all must have been taken.
        let has_taken = |&(user, node): &(usize, NodeId), exits: usize| match &self.members[user] {
            Some(user) => user.side.taken.get(&node).is_some_and(|&(_, count)| count == exits),
            None => true,
        };
        let is_done = |member: &Member<'a, D>| {
            let (side, exits) = (&member.side, member.side.exits.len());
            side.suspended == 0
                && side.subscribers.iter().all(|subscriber| has_taken(subscriber, exits))
                // One that was asked for and has not begun has nothing that waits, either.
                && member.graph.exploration.arg.root().is_some()
                && member.graph.exploration.is_exhausted()
                // Another precision may refute its targets, or not, so that they must be found again.
                && member.graph.exploration.arg.targets().next().is_none()
        };
        let complete = self.closed_under_use(|index, member| index != 0 && is_done(member));
        let clean = self.closed_under_use(|index, member| complete[index] && self.is_clean(shared, member));
        let mut retired = Vec::new();
        for index in (0..self.members.len()).filter(|&index| complete[index]) {
            let Some(member) = self.members[index].take() else { continue };
            self.by_id.remove(&member.graph.id);
            if let Some(block) = member.graph.block {
                let key = (block, shared.domain.hash(&member.graph.entry));
                if let Some(same) = self.by_entry.get_mut(&key) {
                    same.retain(|&other| other != index);
                }
            }
            retired.push(self.summary_of(shared, *member, clean[index]));
        }
        let kept: Vec<_> = retired.iter().filter(|summary| summary.clean).cloned().collect();
        let end = if kept.is_empty() || self.private { Ok(()) } else { shared.keep(worker, &kept) };
        // What the next time costs, too: it looks at all members that are left.
        self.open = self.members.iter().flatten().count();
        retired.iter().for_each(|summary| shared.cache.publish(shared, summary.clone()));
        if !self.private {
            shared.learn_rules(worker, &retired);
        }
        end
    }

    fn summary_of(&self, shared: &Shared<'a, D>, member: Member<'a, D>, clean: bool) -> Arc<Summary<'a, D>> {
        let summary = Arc::new(Summary::of_graph(shared, member.graph, clean, self.clock, self.slice));
        let counter = if self.private { &shared.counters.again } else { &shared.counters.summaries };
        counter.fetch_add(1, Ordering::Relaxed);
        shared.counters.states.fetch_add(summary.counters.states, Ordering::Relaxed);
        shared.summaries.publish(summary.clone());
        summary
    }

    /// Turns all members into summaries. Those beside the first go into the cache, too.
    fn finish(mut self, shared: &Shared<'a, D>, worker: &mut D::Worker) -> JobEnd<'a, D> {
        shared.counters.add_work(self.spent);
        shared.took(self.cell.block, self.clock.saturating_sub(self.asked_at));
        // Members rest on each other.
        let clean = self.closed_under_use(|_, member| self.is_clean(shared, member));
        let mut summaries = Vec::with_capacity(self.members.len());
        for (index, member) in std::mem::take(&mut self.members).into_iter().enumerate() {
            if let Some(member) = member {
                summaries.push(self.summary_of(shared, *member, clean[index]));
            }
        }
        let kept: Vec<_> = summaries.iter().filter(|summary| summary.clean).cloned().collect();
        if !kept.is_empty()
            && !self.private
            && let Err(status) = shared.keep(worker, &kept)
        {
            return JobEnd::Failed(None, status);
        }
        summaries.iter().skip(1).for_each(|summary| shared.cache.publish(shared, summary.clone()));
        // With streams nothing is left to be explored.
        if !self.private && !shared.streams {
            shared.learn_rules(worker, &summaries);
        }
        match summaries.into_iter().next() {
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
            at = self.members[*self.by_id.get(&graph)?].as_ref()?.requester;
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
