//! Graphs of blocks, the summaries that they become, and the store in which summaries know each other by number.
//!
//! Summaries of recursive functions rest on each other in circles; numbers instead of references keep that harmless.

use super::disk::Hash;
use super::reduce::Reduce;
use super::region::Region;
use super::rules::KnownRule;
use super::shared::Shared;
use super::spill::SpillPlace;
use super::trace::NO_SLICE;
use assay_base::{FastMap, FastSet, Id, id_type};
use assay_cfa::LocationId;
use assay_cfa::blocks::BlockId;
use assay_cpa::algorithm::{Counters, Exploration};
use assay_cpa::arg::NodeId;
use assay_cpa::stack::ArgStep;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, RwLock};
use std::time::Duration;

id_type! {
    /// A summary, also while its graph is still explored.
    pub struct SummaryId("M");
}

/// The graph of one block with the summaries that were applied in it.
pub struct BlockGraph<'a, D: Reduce> {
    /// The summary that it becomes.
    pub id: SummaryId,
    /// `None` for the whole program where its entry function is no block.
    pub block: Option<BlockId>,
    /// The reduced state at the entry, before it was cut to the precision.
    pub entry: D::State,
    /// The graph, from the reduced entry.
    pub exploration: Exploration<'a, D>,
    /// The summary that was applied at a node.
    pub applied: FastMap<NodeId, SummaryId>,
    /// What the numbers in [`ArgStep::Block`] stand for: the summary and the exit in its graph.
    pub applications: Vec<(SummaryId, NodeId)>,
    /// The same in reverse.
    numbers: FastMap<(SummaryId, NodeId), u32>,
}

/// A exit of a block.
#[derive(Clone)]
pub struct Exit<S> {
    /// Its node in the graph; a mere number where the summary never had one.
    pub node: NodeId,
    /// Where it leaves.
    pub location: LocationId,
    /// As the block sees it.
    pub state: S,
}

/// What there is to know about one block in one reduced state: its exits, and the graph that shows that there are no
/// others. Only complete explorations become summaries.
///
/// A graph can be dropped once it was checked, and explored anew when a path through it is asked for.
pub struct Summary<'a, D: Reduce> {
    /// Under which it is applied and found.
    pub id: SummaryId,
    /// `None` for the whole program where its entry function is no block.
    pub block: Option<BlockId>,
    /// The reduced state at the entry, before it was cut to the precision.
    pub entry: D::State,
    /// The exits in the order of their nodes, covered ones left out.
    pub exits: Vec<Exit<D::State>>,
    /// The summaries that were applied in the graph, each once.
    pub rests_on: Vec<SummaryId>,
    /// Neither a target nor a call that was cut off is in the graph, nor in anything that it rests on.
    pub clean: bool,
    /// When it was finished on a machine with a core for every job.
    pub finished_at: Duration,
    /// What exploring it took.
    pub counters: Counters,
    /// The stretch of work in which it was finished, where these are recorded.
    pub slice: u32,
    /// Where it is on disk, if it was there before.
    pub(super) place: OnceLock<SpillPlace>,
    /// Under which key other runs find it, if they do.
    pub(super) key: OnceLock<Hash>,
    /// Where its exploration went, with what it rests on; only where summaries are written for other runs.
    pub(super) region: OnceLock<Arc<Region>>,
    /// What is said of its entry and others.
    pub(super) rule: OnceLock<KnownRule<D::Rule>>,
    /// The summary whose rule made this one, so that nothing of it was explored.
    pub(super) base: Option<Arc<Summary<'a, D>>>,
    graph: Mutex<Option<Arc<BlockGraph<'a, D>>>>,
    checked: AtomicBool,
}

/// What stays in memory of a summary that was moved to disk. It was clean and checked.
pub struct Away {
    /// The whole program is never moved.
    pub block: BlockId,
    /// As in the summary.
    pub rests_on: Vec<SummaryId>,
    /// As in the summary.
    pub counters: Counters,
    pub(super) place: SpillPlace,
    key: Option<Hash>,
    region: Option<Arc<Region>>,
    finished_at: Duration,
    slice: u32,
}

impl Away {
    pub(super) fn of<D: Reduce>(summary: &Summary<'_, D>, block: BlockId, place: SpillPlace) -> Away {
        let Summary { finished_at, slice, counters, .. } = *summary;
        Away {
            block,
            rests_on: summary.rests_on.clone(),
            counters,
            place,
            key: summary.key.get().copied(),
            region: summary.region.get().cloned(),
            finished_at,
            slice,
        }
    }
}

impl<'a, D: Reduce> BlockGraph<'a, D> {
    /// A graph in which nothing was applied yet.
    pub fn new(id: SummaryId, block: Option<BlockId>, entry: D::State, exploration: Exploration<'a, D>) -> Self {
        let (applied, numbers) = (FastMap::default(), FastMap::default());
        BlockGraph { id, block, entry, exploration, applied, applications: Vec::new(), numbers }
    }

    /// The parts that change while the exploration runs.
    pub(super) fn split(&mut self) -> (&mut Exploration<'a, D>, Applications<'_>) {
        let applications = Applications { applied: &mut self.applied, applications: &mut self.applications, numbers: &mut self.numbers };
        (&mut self.exploration, applications)
    }

    /// The exits of the block, collected from the graph.
    pub fn exits(&self, shared: &Shared<'a, D>) -> Vec<Exit<D::State>> {
        let arg = &self.exploration.arg;
        let is_exit = |node: NodeId| self.block.is_some_and(|block| shared.is_exit(block, arg.head(node)));
        let nodes = arg.live().filter(|&node| is_exit(node) && !arg.is_covered(node) && !arg.is_target(node));
        let exit = |node| Some(Exit { node, location: arg.head(node).location, state: self.exploration.reached.get(node)?.clone() });
        nodes.filter_map(exit).collect()
    }

    /// The numbers of the applied summaries, each once, in order.
    pub fn rests_on(&self) -> Vec<SummaryId> {
        let mut ids: Vec<SummaryId> = self.applied.values().copied().collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Whether nothing in this graph alone forbids a proof.
    pub fn is_clean(&self) -> bool {
        self.exploration.arg.targets().next().is_none() && self.exploration.counters.cut_calls == 0
    }
}

impl<'a, D: Reduce> Summary<'a, D> {
    /// The summary of a graph that is explored to its end; `clean` also speaks for what it rests on.
    pub fn of_graph(shared: &Shared<'a, D>, graph: BlockGraph<'a, D>, clean: bool, finished_at: Duration, slice: u32) -> Self {
        Summary {
            id: graph.id,
            block: graph.block,
            entry: graph.entry.clone(),
            exits: graph.exits(shared),
            rests_on: graph.rests_on(),
            clean,
            finished_at,
            counters: graph.exploration.counters,
            slice,
            place: OnceLock::new(),
            key: OnceLock::new(),
            region: OnceLock::new(),
            rule: OnceLock::new(),
            base: None,
            graph: Mutex::new(Some(Arc::new(graph))),
            checked: AtomicBool::new(false),
        }
    }

    /// A summary without a graph, from an earlier run that checked it with all that it rests on.
    pub fn of_exits(id: SummaryId, block: BlockId, entry: D::State, exits: Vec<(LocationId, D::State)>) -> Self {
        let exit = |(index, (location, state))| Exit { node: NodeId::from_index(index), location, state };
        Summary {
            id,
            block: Some(block),
            entry,
            exits: exits.into_iter().enumerate().map(exit).collect(),
            rests_on: Vec::new(),
            clean: true,
            finished_at: Duration::ZERO,
            counters: Counters::default(),
            slice: NO_SLICE,
            place: OnceLock::new(),
            key: OnceLock::new(),
            region: OnceLock::new(),
            rule: OnceLock::new(),
            base: None,
            graph: Mutex::new(None),
            checked: AtomicBool::new(true),
        }
    }

    /// What the rule of a summary says about another entry. It is made anew whenever it is asked for, and not checked.
    pub(super) fn of_rule(base: &Arc<Self>, id: SummaryId, entry: D::State, states: Vec<D::State>) -> Self {
        let exit = |(exit, state): (&Exit<D::State>, D::State)| Exit { node: exit.node, location: exit.location, state };
        Summary {
            id,
            block: base.block,
            entry,
            exits: base.exits.iter().zip(states).map(exit).collect(),
            rests_on: vec![base.id],
            clean: true,
            finished_at: base.finished_at,
            counters: Counters::default(),
            slice: base.slice,
            place: OnceLock::new(),
            key: OnceLock::new(),
            region: OnceLock::new(),
            rule: OnceLock::new(),
            base: Some(base.clone()),
            graph: Mutex::new(None),
            checked: AtomicBool::new(false),
        }
    }

    /// A summary that was read back.
    pub(super) fn of_away(id: SummaryId, away: &Away, entry: D::State, exits: Vec<Exit<D::State>>) -> Self {
        Summary {
            id,
            block: Some(away.block),
            entry,
            exits,
            rests_on: away.rests_on.clone(),
            clean: true,
            finished_at: away.finished_at,
            counters: away.counters,
            slice: away.slice,
            place: OnceLock::from(away.place),
            key: away.key.map(OnceLock::from).unwrap_or_default(),
            region: away.region.clone().map(OnceLock::from).unwrap_or_default(),
            rule: OnceLock::new(),
            base: None,
            graph: Mutex::new(None),
            checked: AtomicBool::new(true),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<BlockGraph<'a, D>>>> {
        self.graph.lock().unwrap_or_else(|e| e.into_inner())
    }
    /// The graph, unless it was dropped.
    pub fn graph(&self) -> Option<Arc<BlockGraph<'a, D>>> {
        self.lock().clone()
    }
    /// Whether the graph was checked against the exits of what it rests on.
    pub fn is_checked(&self) -> bool {
        self.checked.load(Ordering::Acquire)
    }
    pub(super) fn set_checked(&self) {
        self.checked.store(true, Ordering::Release);
    }
    /// Frees the graph of a summary that was checked and is clean.
    pub(super) fn drop_graph(&self) -> bool {
        if !(self.clean && self.is_checked()) {
            return false;
        }
        let graph = self.lock().take();
        graph.is_some()
    }
    /// The exit at a node.
    pub fn exit(&self, node: NodeId) -> Option<&Exit<D::State>> {
        self.exits.binary_search_by_key(&node, |exit| exit.node).ok().map(|at| &self.exits[at])
    }
}

/// Where applied summaries are noted.
pub(super) struct Applications<'g> {
    applied: &'g mut FastMap<NodeId, SummaryId>,
    applications: &'g mut Vec<(SummaryId, NodeId)>,
    numbers: &'g mut FastMap<(SummaryId, NodeId), u32>,
}

impl Applications<'_> {
    pub(super) fn note(&mut self, node: NodeId, summary: SummaryId) {
        self.applied.insert(node, summary);
    }
    /// The node's successors are explored themselves: its block was given up after a summary was applied to a smaller
    /// state.
    pub(super) fn forget(&mut self, node: NodeId) {
        self.applied.remove(&node);
    }
    /// The step to an exit of a summary.
    pub(super) fn step(&mut self, summary: SummaryId, exit: NodeId) -> ArgStep {
        let applications = &mut *self.applications;
        ArgStep::Block(*self.numbers.entry((summary, exit)).or_insert_with(|| {
            applications.push((summary, exit));
            (applications.len() - 1) as u32
        }))
    }
}

/// A finished summary: in memory, on disk, or what the rule of one says.
pub enum Known<'a, D: Reduce> {
    /// In memory.
    Here(Arc<Summary<'a, D>>),
    /// On disk.
    Away(Arc<Away>),
    /// All that the rule of this summary makes; each entry has its own.
    ByRule(Arc<Summary<'a, D>>),
}

impl<D: Reduce> Clone for Known<'_, D> {
    fn clone(&self) -> Self {
        match self {
            Known::Here(summary) => Known::Here(summary.clone()),
            Known::Away(away) => Known::Away(away.clone()),
            Known::ByRule(base) => Known::ByRule(base.clone()),
        }
    }
}

impl<'a, D: Reduce> Known<'a, D> {
    pub(super) fn rests_on(&self) -> &[SummaryId] {
        match self {
            Known::Here(summary) => &summary.rests_on,
            Known::Away(away) => &away.rests_on,
            Known::ByRule(base) => std::slice::from_ref(&base.id),
        }
    }
    /// Where its exploration went, with what it rests on, where that is known.
    pub(super) fn region(&self) -> Option<Arc<Region>> {
        match self {
            Known::Here(summary) => summary.region.get().cloned(),
            Known::Away(away) => away.region.clone(),
            Known::ByRule(_) => None,
        }
    }
    /// What exploring it took.
    pub fn counters(&self) -> &Counters {
        match self {
            Known::Here(summary) => &summary.counters,
            Known::Away(away) => &away.counters,
            Known::ByRule(base) => &base.counters,
        }
    }
    /// The summary, if it is in memory.
    pub fn here(&self) -> Option<&Arc<Summary<'a, D>>> {
        match self {
            Known::Here(summary) => Some(summary),
            Known::Away(_) | Known::ByRule(_) => None,
        }
    }
}

/// All summaries of a run.
pub struct Summaries<'a, D: Reduce> {
    list: RwLock<Vec<Option<Known<'a, D>>>>,
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
        self.set(summary.id, Known::Here(summary));
    }
    /// A number for all that the rule of a summary makes.
    pub(super) fn reserve_rule(&self, base: &Arc<Summary<'a, D>>) -> SummaryId {
        let id = self.reserve();
        self.set(id, Known::ByRule(base.clone()));
        id
    }
    pub(super) fn send_away(&self, id: SummaryId, away: Away) {
        self.set(id, Known::Away(Arc::new(away)));
    }
    fn set(&self, id: SummaryId, known: Known<'a, D>) {
        let mut list = self.list.write().unwrap_or_else(|e| e.into_inner());
        let before = list[id.index()].replace(known);
        drop(list);
        drop(before);
    }
    /// A finished summary.
    pub fn get(&self, id: SummaryId) -> Option<Known<'a, D>> {
        self.list.read().unwrap_or_else(|e| e.into_inner()).get(id.index()).cloned().flatten()
    }
    /// Whether it is finished and clean. Only clean ones are moved to disk.
    pub fn is_clean(&self, id: SummaryId) -> bool {
        match self.list.read().unwrap_or_else(|e| e.into_inner()).get(id.index()) {
            Some(Some(Known::Here(summary))) => summary.clean,
            Some(Some(Known::Away(_) | Known::ByRule(_))) => true,
            _ => false,
        }
    }

    /// Drops all but these and what they rest on.
    pub fn keep_only(&self, roots: &[SummaryId]) {
        let kept: FastSet<SummaryId> = self.closure_ids(roots).into_iter().collect();
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

    /// A summary and all that it rests on, each once. A missing one is left out; the checker notices it at the node
    /// that needs it.
    pub fn closure(&self, root: SummaryId) -> Vec<Known<'a, D>> {
        self.closure_ids(&[root]).into_iter().filter_map(|id| self.get(id)).collect()
    }

    fn closure_ids(&self, roots: &[SummaryId]) -> Vec<SummaryId> {
        let mut seen: FastSet<SummaryId> = FastSet::default();
        let mut all: Vec<SummaryId> = roots.iter().copied().filter(|&id| seen.insert(id)).collect();
        let mut at = 0;
        while at < all.len() {
            let known = self.get(all[at]);
            all.extend(known.iter().flat_map(|known| known.rests_on()).copied().filter(|&id| seen.insert(id)));
            at += 1;
        }
        all
    }
}
