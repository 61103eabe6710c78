//! Where a block's exploration goes: it leaves at the block's exits and takes inner blocks by their summaries.

use super::cache::{BlockCell, Request, Waiter};
use super::job::{Member, MemberSide, Search};
use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::{Applications, Exit, Summary, SummaryId};
use super::trace::{NO_SLICE, Need};
use assay_base::FastMap;
use assay_cfa::blocks::BlockId;
use assay_cpa::algorithm::Merge;
use assay_cpa::arg::NodeId;
use assay_cpa::domain::{Position, Successor};
use assay_cpa::scope::{ExplorationScope, Visit};
use assay_cpa::stack::{ArgStep, Head};
use assay_cpa::waitlist::Before;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// The other members of the job.
pub(super) struct Inner<'t, 'a, D: Reduce> {
    pub index: usize,
    pub component: Option<u32>,
    /// All of them; the place of this one is empty.
    pub members: &'t mut [Option<Box<Member<'a, D>>>],
    pub by_entry: &'t FastMap<(BlockId, u64), Vec<usize>>,
    pub own_entry: &'t D::State,
}

pub(super) struct BlockScope<'t, 'a, D: Reduce> {
    pub shared: &'t Shared<'a, D>,
    pub cell: &'t Arc<BlockCell<'a, D>>,
    pub graph_id: SummaryId,
    pub block: Option<BlockId>,
    pub side: &'t mut MemberSide<'a, D>,
    pub applications: Applications<'t>,
    pub inner: Inner<'t, 'a, D>,
    /// Members that are needed and not there yet, with the nodes that need them.
    pub created: Vec<(BlockId, D::State, NodeId)>,
    pub found_exits: usize,
    pub missing: &'t mut dyn FnMut(Arc<BlockCell<'a, D>>, Duration),
    pub begin: Instant,
    pub base: Duration,
    /// When the latest of the used summaries was finished on a machine with a core for every job.
    pub latest: &'t mut Duration,
    pub at_once: bool,
    pub search: Search,
    /// Nothing is waited for: what others explore is explored here, too.
    pub private: bool,
    /// Where it is noted which summaries were used, for the record of the run.
    pub needs: Option<&'t mut Vec<Need>>,
    pub stopped: bool,
    /// Another member is to go on first.
    pub switches: bool,
    /// How many states were not explored because of rules, and how many end the stretch of search: so that the order is
    /// what it would be without rules.
    pub saved: u64,
    pub stretch: Option<u64>,
}

/// A visit takes so many exits at most, so that a run can stop between them: loops of states that never repeat have
/// hundreds of thousands.
const PORTION: usize = 4096;

type Out<D> = Vec<(Head, ArgStep, Successor<<D as assay_cpa::domain::Domain>::State>)>;

impl<'a, D: Reduce> BlockScope<'_, 'a, D> {
    /// Takes exits of a summary, from one on.
    fn apply(
        &mut self,
        worker: &mut D::Worker,
        node: NodeId,
        head: Head,
        state: &D::State,
        summary: Arc<Summary<'a, D>>,
        first: usize,
        out: &mut Out<D>,
    ) -> Visit {
        let Some(block) = summary.block else { return Visit::Applied };
        // A state that can grow takes everything at once: it would begin again with what it has become.
        let grows = self.shared.explore.merge != Merge::Sep;
        let end = if grows { summary.exits.len() } else { summary.exits.len().min(first + PORTION) };
        for exit in &summary.exits[first..end] {
            expand(self.shared, &mut self.applications, worker, block, summary.id, head, state, exit, out);
        }
        self.applications.note(node, summary.id);
        if end == summary.exits.len() {
            return Visit::Applied;
        }
        self.side.partly.insert(node, (summary, end));
        Visit::AppliedInPart
    }

    /// A finished summary, or what a rule says.
    fn known(&self, worker: &mut D::Worker, block: BlockId, reduced: &D::State) -> Option<Arc<Summary<'a, D>>> {
        let (shared, found) = (self.shared, self.shared.cache.peek(self.shared, block, reduced));
        // What a member has explored in part is not made anew; a disk was asked before there was a member.
        if found.is_some() || self.member_of(block, reduced).is_some() {
            return found;
        }
        let found = shared.cache.fetch(shared, worker, block, reduced);
        if found.is_some() || self.private {
            return found;
        }
        shared.derive(worker, block, reduced)
    }

    /// The member of the job that explores the block from this very state.
    fn member_of(&self, block: BlockId, reduced: &D::State) -> Option<usize> {
        let Inner { index, members, by_entry, own_entry, .. } = &self.inner;
        let is_it = |&i: &usize| match &members[i] {
            Some(member) => member.graph.entry == *reduced,
            None => i == *index && **own_entry == *reduced,
        };
        by_entry.get(&(block, self.shared.domain.hash(reduced)))?.iter().copied().find(is_it)
    }

    /// Suspends the state until the new cell's job is done.
    fn wait_for(&mut self, cell: Arc<BlockCell<'a, D>>) -> Visit {
        self.side.suspended += 1;
        (self.missing)(cell, (self.base + self.begin.elapsed()).max(*self.latest));
        self.stopped = self.at_once;
        Visit::Suspend
    }

    /// Takes the exits that a member of the same job has found so far; it is told when there are more. With `reduced`
    /// the member is looked for, and asked for where there is none.
    fn take_from_member(
        &mut self,
        worker: &mut D::Worker,
        node: NodeId,
        head: Head,
        state: &D::State,
        block: BlockId,
        reduced: D::State,
        out: &mut Out<D>,
    ) -> Visit {
        let Some(found) = self.member_of(block, &reduced) else {
            self.created.push((block, reduced, node));
            if self.shared.streams && self.shared.explore.order.calls != Before::ShallowerFirst && self.search != Search::Turns {
                self.switches = true;
            }
            return Visit::Applied;
        };
        self.shared.found(block);
        self.take_exits(worker, node, head, state, block, found, out)
    }

    fn take_exits(
        &mut self,
        worker: &mut D::Worker,
        node: NodeId,
        head: Head,
        state: &D::State,
        block: BlockId,
        found: usize,
        out: &mut Out<D>,
    ) -> Visit {
        let taken = self.side.taken.get(&node).map(|&(_, count)| count);
        // A state that can grow takes everything again with what it has become, perhaps from another member.
        let grows = self.shared.explore.merge != Merge::Sep;
        let first = if grows { 0 } else { taken.unwrap_or(0) };
        let index = self.inner.index;
        let (id, side): (SummaryId, &mut MemberSide<'a, D>) = match &mut self.inner.members[found] {
            Some(member) => (member.graph.id, &mut member.side),
            None => (self.graph_id, &mut *self.side),
        };
        if taken.is_none() || (grows && !side.subscribers.contains(&(index, node))) {
            side.subscribers.push((index, node));
        }
        let count = side.exits.len();
        let end = if grows { count } else { count.min(first + PORTION) };
        for exit in &side.exits[first..end] {
            expand(self.shared, &mut self.applications, worker, block, id, head, state, exit, out);
        }
        self.side.taken.insert(node, (found, end));
        self.applications.note(node, id);
        if end == count { Visit::Applied } else { Visit::AppliedInPart }
    }
}

fn expand<D: Reduce>(
    shared: &Shared<'_, D>,
    applications: &mut Applications<'_>,
    worker: &mut D::Worker,
    block: BlockId,
    summary: SummaryId,
    head: Head,
    state: &D::State,
    exit: &Exit<D::State>,
    out: &mut Out<D>,
) {
    let target = Head { location: exit.location, stack: head.stack };
    let place = Position { program: shared.environment.program, head: target };
    if let Some(expanded) = shared.domain.expand(worker, state, &exit.state, &place, &shared.scope(block)) {
        out.push((target, applications.step(summary, exit.node), Successor { state: expanded, mark: None }));
    }
}

impl<D: Reduce> ExplorationScope<D> for BlockScope<'_, '_, D> {
    fn visit(&mut self, domain: &D, worker: &mut D::Worker, node: NodeId, head: Head, state: &D::State, out: &mut Out<D>) -> Visit {
        if self.block.is_some_and(|block| self.shared.is_exit(block, head)) {
            if self.inner.component.is_some() || self.shared.streams {
                self.side.exits.push(Exit { node, location: head.location, state: state.clone() });
                self.found_exits += 1;
                self.switches |= self.shared.streams && !self.side.subscribers.is_empty() && self.search != Search::Turns;
            }
            return Visit::Leave;
        }
        if self.shared.streams
            && let Some(&(found, _)) = self.side.taken.get(&node)
        {
            // States do not grow, so it uses what it used before.
            let block = match &self.inner.members[found] {
                Some(member) => member.graph.block,
                None => self.block.filter(|_| found == self.inner.index),
            };
            return block.map_or(Visit::Applied, |block| self.take_exits(worker, node, head, state, block, found, out));
        }
        if let Some((summary, taken)) = self.side.partly.remove(&node) {
            return self.apply(worker, node, head, state, summary, taken, out);
        }
        let Some(block) = self.shared.inner_block(self.block, head) else {
            if self.shared.explore.merge != Merge::Sep {
                self.applications.forget(node);
            }
            return Visit::Expand;
        };
        if self.shared.streams {
            let reduced = domain.reduce(worker, state, &self.shared.scope(block));
            return match self.known(worker, block, &reduced) {
                Some(summary) => {
                    self.shared.found(block);
                    self.saved += summary.base.as_ref().map_or(0, |base| base.counters.states);
                    self.apply(worker, node, head, state, summary, 0, out)
                }
                None => self.take_from_member(worker, node, head, state, block, reduced, out),
            };
        }
        if self.inner.component.is_some() && self.shared.component(block) == self.inner.component {
            let reduced = domain.reduce(worker, state, &self.shared.scope(block));
            return self.take_from_member(worker, node, head, state, block, reduced, out);
        }
        // A state that can grow while it waits must ask again with what it has become.
        if let Some(summary) = self.side.ready.remove(&node)
            && self.shared.explore.merge == Merge::Sep
        {
            return self.apply(worker, node, head, state, summary, 0, out);
        }
        let reduced = domain.reduce(worker, state, &self.shared.scope(block));
        let again = self.private.then(|| reduced.clone());
        match self.shared.cache.request(self.shared, worker, block, reduced, self.cell, self.graph_id, node) {
            Request::Ready(summary) => {
                self.shared.found(block);
                *self.latest = (*self.latest).max(summary.finished_at);
                if let Some(needs) = &mut self.needs
                    && summary.slice != NO_SLICE
                {
                    needs.push(Need { slice: summary.slice, after: None });
                }
                self.apply(worker, node, head, state, summary, 0, out)
            }
            Request::Running => match again {
                Some(state) => {
                    let waiter = Waiter { cell: self.cell.clone(), graph: self.graph_id, node };
                    let cell = BlockCell::new(Some(block), self.shared.precision_of(block).1, state, Some(waiter.clone()));
                    let ready = cell.answer.ask(waiter);
                    debug_assert!(ready.is_none(), "nobody has seen the cell yet");
                    self.wait_for(cell)
                }
                None => {
                    self.shared.counters.waits.fetch_add(1, Ordering::Relaxed);
                    self.side.suspended += 1;
                    Visit::Suspend
                }
            },
            Request::Missing(cell) => self.wait_for(cell),
        }
    }

    fn is_interrupted(&self) -> bool {
        self.stopped || self.switches || self.stretch.is_some_and(|left| self.saved >= left) || self.shared.quiescence.is_stopped()
    }
}
