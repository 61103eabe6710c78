//! The cache of summaries: what was explored, what is being explored, and who waits for it.

use super::job::Job;
use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::{Summary, SummaryId};
use crate::arg::NodeId;
use assay_base::hash::mix;
use assay_base::{FastMap, Fingerprint};
use assay_cfa::blocks::BlockId;
use std::sync::{Arc, Mutex, MutexGuard};

/// A node in a graph of the job of a cell.
pub struct Waiter<'a, D: Reduce> {
    pub cell: Arc<BlockCell<'a, D>>,
    pub graph: SummaryId,
    pub node: NodeId,
}

impl<D: Reduce> Clone for Waiter<'_, D> {
    fn clone(&self) -> Self {
        Waiter { cell: self.cell.clone(), ..*self }
    }
}

/// One block in one reduced state and precision: the place where its job and then its summary live.
pub struct BlockCell<'a, D: Reduce> {
    pub block: Option<BlockId>,
    pub precision: Fingerprint,
    pub state: D::State,
    /// Who asked first: the way from the program's entry to here.
    pub requester: Option<Waiter<'a, D>>,
    inner: Mutex<CellState<'a, D>>,
}

pub struct CellState<'a, D: Reduce> {
    pub summary: Option<Arc<Summary<'a, D>>>,
    /// The nodes of other jobs that wait for the summary.
    pub waiters: Vec<Waiter<'a, D>>,
    /// Summaries that arrived while the job ran.
    pub inbox: Vec<(SummaryId, NodeId, Arc<Summary<'a, D>>)>,
    /// The job, while it waits.
    pub parked: Option<Box<Job<'a, D>>>,
}

impl<'a, D: Reduce> BlockCell<'a, D> {
    pub fn new(block: Option<BlockId>, precision: Fingerprint, state: D::State, requester: Option<Waiter<'a, D>>) -> Arc<Self> {
        let inner = CellState { summary: None, waiters: Vec::new(), inbox: Vec::new(), parked: None };
        Arc::new(BlockCell { block, precision, state, requester, inner: Mutex::new(inner) })
    }
    pub fn lock(&self) -> MutexGuard<'_, CellState<'a, D>> {
        self.inner.lock().unwrap_or_else(|e| e.into_inner())
    }
}

/// What became of a request.
pub enum Request<'a, D: Reduce> {
    Ready(Arc<Summary<'a, D>>),
    /// Someone explores it; the requesting node is noted as a waiter.
    Running,
    /// Nobody does; the cell is new and the requesting node is its first waiter.
    Missing(Arc<BlockCell<'a, D>>),
}

const SHARDS: usize = 64;

type Cells<'a, D> = FastMap<u64, Vec<Arc<BlockCell<'a, D>>>>;
type Shard<'a, D> = Mutex<Cells<'a, D>>;

/// All cells, by key. The key is (block, reduced state, reduced precision); it is compared in full.
pub struct Cache<'a, D: Reduce> {
    shards: Box<[Shard<'a, D>]>,
}

impl<D: Reduce> Default for Cache<'_, D> {
    fn default() -> Self {
        Cache { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }
}

impl<'a, D: Reduce> Cache<'a, D> {
    /// Asks for a summary on behalf of a node of `requester`'s graph.
    pub fn request(
        &self,
        shared: &Shared<'a, D>,
        block: BlockId,
        state: D::State,
        requester: &Arc<BlockCell<'a, D>>,
        graph: SummaryId,
        node: NodeId,
    ) -> Request<'a, D> {
        let waiter = || Waiter { cell: requester.clone(), graph, node };
        let (key, precision) = self.key(shared, block, &state);
        let mut cells = self.shard(key);
        let same = cells.entry(key).or_default();
        let found = same.iter().find(|cell| cell.block == Some(block) && cell.precision == precision && cell.state == state).cloned();
        match found {
            Some(cell) => {
                drop(cells);
                let mut inner = cell.lock();
                match &inner.summary {
                    Some(summary) => Request::Ready(summary.clone()),
                    None => {
                        inner.waiters.push(waiter());
                        Request::Running
                    }
                }
            }
            None => {
                let cell = BlockCell::new(Some(block), precision, state, Some(waiter()));
                cell.lock().waiters.push(waiter());
                same.push(cell.clone());
                Request::Missing(cell)
            }
        }
    }

    fn key(&self, shared: &Shared<'a, D>, block: BlockId, state: &D::State) -> (u64, Fingerprint) {
        let precision = shared.precision_of(block).1;
        (mix(shared.domain.hash(state) ^ mix(u64::from(block.0) ^ precision.0 as u64)), precision)
    }

    fn shard(&self, key: u64) -> MutexGuard<'_, Cells<'a, D>> {
        self.shards[(key >> 58) as usize % SHARDS].lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Keeps a summary that nobody asked for through the cache. If someone explores the same in the meantime, that is left alone.
    pub fn publish(&self, shared: &Shared<'a, D>, summary: Arc<Summary<'a, D>>) {
        let Some(block) = summary.graph.block else { return };
        let state = &summary.graph.entry;
        let (key, precision) = self.key(shared, block, state);
        let mut cells = self.shard(key);
        let same = cells.entry(key).or_default();
        if !same.iter().any(|cell| cell.block == Some(block) && cell.precision == precision && cell.state == *state) {
            let cell = BlockCell::new(Some(block), precision, state.clone(), None);
            cell.lock().summary = Some(summary);
            same.push(cell);
        }
    }

    /// Drops everything that is not finished.
    pub fn drop_unfinished(&self) {
        for shard in &self.shards {
            let mut cells = shard.lock().unwrap_or_else(|e| e.into_inner());
            for same in cells.values_mut() {
                same.retain(|cell| {
                    let mut inner = cell.lock();
                    // A job and its cell hold each other.
                    let parked = inner.parked.take();
                    inner.waiters.clear();
                    inner.inbox.clear();
                    let finished = inner.summary.is_some();
                    drop(inner);
                    drop(parked);
                    finished
                });
            }
            cells.retain(|_, same| !same.is_empty());
        }
    }

    /// Drops what `keep` does not want and returns the summaries that are left.
    pub fn retain(&self, keep: impl Fn(&BlockCell<'a, D>) -> bool) -> Vec<Arc<Summary<'a, D>>> {
        let mut left = Vec::new();
        for shard in &self.shards {
            let mut cells = shard.lock().unwrap_or_else(|e| e.into_inner());
            cells.values_mut().for_each(|same| same.retain(|cell| keep(cell)));
            cells.retain(|_, same| !same.is_empty());
            left.extend(cells.values().flatten().filter_map(|cell| cell.lock().summary.clone()));
        }
        left
    }

    /// How many summaries there are.
    pub fn len(&self) -> usize {
        let count = |shard: &Shard<'a, D>| shard.lock().unwrap_or_else(|e| e.into_inner()).values().map(Vec::len).sum::<usize>();
        self.shards.iter().map(count).sum()
    }

    /// The finished summaries' blocks with their entry states, in no particular order.
    pub fn entries(&self) -> Vec<(BlockId, D::State)> {
        let mut entries = Vec::new();
        for shard in &self.shards {
            let cells = shard.lock().unwrap_or_else(|e| e.into_inner());
            for cell in cells.values().flatten().filter(|cell| cell.lock().summary.is_some()) {
                entries.extend(cell.block.map(|block| (block, cell.state.clone())));
            }
        }
        entries
    }
}
