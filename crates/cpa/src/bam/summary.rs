//! Graphs of blocks, the summaries that they become, and the store in which summaries know each other by number.
//!
//! Summaries of recursive functions rest on each other in circles; numbers instead of references keep that harmless.

use super::reduce::Reduce;
use super::shared::Shared;
use crate::algorithm::Exploration;
use crate::arg::NodeId;
use crate::stack::Step;
use assay_base::{FastMap, FastSet, Id, id_type};
use assay_cfa::blocks::BlockId;
use std::sync::{Arc, RwLock};
use std::time::Duration;

id_type! {
    /// A summary, also while its graph is still explored.
    pub struct SummaryId("M");
}

/// The graph of one block with the summaries that were applied in it.
pub struct BlockGraph<'a, D: Reduce> {
    pub id: SummaryId,
    /// `None` for the whole program where its entry function is no block.
    pub block: Option<BlockId>,
    /// The reduced state at the entry, before it was cut to the precision.
    pub entry: D::State,
    pub exploration: Exploration<'a, D>,
    /// The summary that was applied at a node.
    pub applied: FastMap<NodeId, SummaryId>,
    /// What the numbers in [`Step::Block`] stand for: the summary and the exit in its graph.
    pub applications: Vec<(SummaryId, NodeId)>,
    /// The same the other way round.
    numbers: FastMap<(SummaryId, NodeId), u32>,
}

/// A block's finished graph and its exits. Only complete explorations become summaries.
pub struct Summary<'a, D: Reduce> {
    pub graph: BlockGraph<'a, D>,
    /// The nodes at the block's exits, covered ones left out.
    pub exits: Vec<NodeId>,
    /// When it was finished on a machine with a core for every job.
    pub finished_at: Duration,
}

impl<'a, D: Reduce> BlockGraph<'a, D> {
    pub fn new(id: SummaryId, block: Option<BlockId>, entry: D::State, exploration: Exploration<'a, D>) -> Self {
        let (applied, numbers) = (FastMap::default(), FastMap::default());
        BlockGraph { id, block, entry, exploration, applied, applications: Vec::new(), numbers }
    }

    /// The parts that change while the exploration runs.
    pub(super) fn split(&mut self) -> (&mut Exploration<'a, D>, Applications<'_>) {
        let applications = Applications { applied: &mut self.applied, applications: &mut self.applications, numbers: &mut self.numbers };
        (&mut self.exploration, applications)
    }

    /// The nodes at the block's exits.
    pub fn exits(&self, shared: &Shared<'a, D>) -> Vec<NodeId> {
        let arg = &self.exploration.arg;
        let is_exit = |node: NodeId| self.block.is_some_and(|block| shared.is_exit(block, arg.head(node)));
        arg.live().filter(|&node| is_exit(node) && !arg.is_covered(node) && !arg.is_target(node)).collect()
    }
}

/// Where applied summaries are noted.
pub(super) struct Applications<'g> {
    applied: &'g mut FastMap<NodeId, SummaryId>,
    applications: &'g mut Vec<(SummaryId, NodeId)>,
    numbers: &'g mut FastMap<(SummaryId, NodeId), u32>,
}

impl Applications<'_> {
    pub fn note(&mut self, node: NodeId, summary: SummaryId) {
        self.applied.insert(node, summary);
    }
    /// The step to an exit of a summary.
    pub fn step(&mut self, summary: SummaryId, exit: NodeId) -> Step {
        let applications = &mut *self.applications;
        Step::Block(*self.numbers.entry((summary, exit)).or_insert_with(|| {
            applications.push((summary, exit));
            (applications.len() - 1) as u32
        }))
    }
}

/// All summaries of a run.
pub struct Summaries<'a, D: Reduce> {
    list: RwLock<Vec<Option<Arc<Summary<'a, D>>>>>,
}

impl<D: Reduce> Default for Summaries<'_, D> {
    fn default() -> Self {
        Summaries { list: RwLock::default() }
    }
}

impl<'a, D: Reduce> Summaries<'a, D> {
    /// A number for a graph that is about to be explored.
    pub fn reserve(&self) -> SummaryId {
        let mut list = self.list.write().unwrap_or_else(|e| e.into_inner());
        list.push(None);
        SummaryId::from_index(list.len() - 1)
    }
    pub fn publish(&self, summary: Arc<Summary<'a, D>>) {
        let mut list = self.list.write().unwrap_or_else(|e| e.into_inner());
        let index = summary.graph.id.index();
        list[index] = Some(summary);
    }
    /// A finished summary.
    pub fn get(&self, id: SummaryId) -> Option<Arc<Summary<'a, D>>> {
        self.list.read().unwrap_or_else(|e| e.into_inner()).get(id.index()).cloned().flatten()
    }

    /// Drops all but these and what they rest on.
    pub fn keep_only(&self, roots: Vec<Arc<Summary<'a, D>>>) {
        let kept: FastSet<SummaryId> = self.closure(roots).iter().map(|summary| summary.graph.id).collect();
        let mut list = self.list.write().unwrap_or_else(|e| e.into_inner());
        let dropped: Vec<_> = list
            .iter_mut()
            .enumerate()
            .filter(|(index, _)| !kept.contains(&SummaryId::from_index(*index)))
            .map(|(_, s)| s.take())
            .collect();
        drop(list);
        drop(dropped);
    }

    /// Some summaries and all that they rest on, each once. A missing one is left out; the checker notices it at the node that needs it.
    pub fn closure(&self, roots: Vec<Arc<Summary<'a, D>>>) -> Vec<Arc<Summary<'a, D>>> {
        let mut seen: FastSet<SummaryId> = FastSet::default();
        let mut all = roots;
        all.retain(|summary| seen.insert(summary.graph.id));
        let mut at = 0;
        while at < all.len() {
            let mut next: Vec<SummaryId> = all[at].graph.applied.values().copied().filter(|&id| seen.insert(id)).collect();
            next.sort_unstable();
            all.extend(next.into_iter().filter_map(|id| self.get(id)));
            at += 1;
        }
        all
    }
}
