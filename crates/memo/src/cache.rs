//! The cache of summaries: what was explored, what is being explored, and who waits for it.

use super::job::Job;
use super::reduce::Reduce;
use super::shared::Shared;
use super::summary::{Away, Summary, SummaryId};
use assay_base::hash::mix;
use assay_base::{Answer, FastMap, Fingerprint, Mailbox};
use assay_cfa::blocks::BlockId;
use assay_cpa::arg::NodeId;
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
    /// Who asked first: the path from the program's entry to here, as long as the job is open.
    requester: Mutex<Option<Waiter<'a, D>>>,
    /// The summary, and the nodes of other jobs that wait for it.
    pub answer: Answer<Arc<Summary<'a, D>>, Waiter<'a, D>>,
    /// The job, while it waits; and summaries that arrive while it runs.
    pub mailbox: Mailbox<Box<Job<'a, D>>, Delivery<'a, D>>,
}

/// A summary for a node that waits for it.
pub(super) type Delivery<'a, D> = (SummaryId, NodeId, Arc<Summary<'a, D>>);

impl<'a, D: Reduce> BlockCell<'a, D> {
    pub fn new(block: Option<BlockId>, precision: Fingerprint, state: D::State, requester: Option<Waiter<'a, D>>) -> Arc<Self> {
        let requester = Mutex::new(requester);
        Arc::new(BlockCell { block, precision, state, requester, answer: Answer::default(), mailbox: Mailbox::default() })
    }
    pub fn requester(&self) -> Option<Waiter<'a, D>> {
        self.requester.lock().unwrap_or_else(|e| e.into_inner()).clone()
    }
    /// Gives the answer to those who wait. Who asked first is forgotten: it would be kept in memory for nothing.
    #[must_use]
    pub fn finish(&self, summary: Arc<Summary<'a, D>>) -> Vec<Waiter<'a, D>> {
        let waiters = self.answer.give(summary);
        let requester = self.requester.lock().unwrap_or_else(|e| e.into_inner()).take();
        drop(requester);
        waiters
    }
    /// A cell whose summary is there already.
    fn finished(precision: Fingerprint, summary: Arc<Summary<'a, D>>) -> Arc<Self> {
        let (block, state) = (summary.block, summary.entry.clone());
        let requester = Mutex::default();
        Arc::new(BlockCell { block, precision, state, requester, answer: Answer::ready(summary), mailbox: Mailbox::default() })
    }
}

/// What became of a request.
pub enum Request<'a, D: Reduce> {
    Ready(Arc<Summary<'a, D>>),
    /// Someone explores it; the requesting node is noted as a waiter.
    Running,
    /// Nothing does; the cell is new and the requesting node is its first waiter.
    Missing(Arc<BlockCell<'a, D>>),
}

const SHARDS: usize = 64;

/// The cells of some keys, by the hash of the key.
struct Cells<'a, D: Reduce> {
    here: FastMap<u64, Vec<Arc<BlockCell<'a, D>>>>,
    /// What is left of cells whose summaries were moved to disk.
    away: FastMap<u64, Vec<AwayCell>>,
}

#[derive(Clone, Copy)]
struct AwayCell {
    block: BlockId,
    precision: Fingerprint,
    summary: SummaryId,
}

impl<D: Reduce> Default for Cells<'_, D> {
    fn default() -> Self {
        Cells { here: FastMap::default(), away: FastMap::default() }
    }
}

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
    /// Asks for a summary on behalf of a node of `requester`'s graph. What is not in memory is looked for on disk.
    pub fn request(
        &self,
        shared: &Shared<'a, D>,
        worker: &mut D::Worker,
        block: BlockId,
        state: D::State,
        requester: &Arc<BlockCell<'a, D>>,
        graph: SummaryId,
        node: NodeId,
    ) -> Request<'a, D> {
        let waiter = || Waiter { cell: requester.clone(), graph, node };
        let (key, precision) = self.key(shared, block, &state);
        let answer = |cell: Arc<BlockCell<'a, D>>| cell.answer.ask(waiter()).map_or(Request::Running, Request::Ready);
        let find = |cells: &Cells<'a, D>| {
            let same = cells.here.get(&key)?;
            same.iter().find(|cell| cell.block == Some(block) && cell.precision == precision && cell.state == state).cloned()
        };
        let mut cells = self.shard(key);
        if let Some(cell) = find(&cells) {
            drop(cells);
            return answer(cell);
        }
        if shared.may_derive(block) {
            drop(cells);
            if let Some(summary) = shared.derive(worker, block, &state) {
                return Request::Ready(summary);
            }
            cells = self.shard(key);
            if let Some(cell) = find(&cells) {
                drop(cells);
                return answer(cell);
            }
        }
        let mut loaded = None;
        let is_same = |cell: &&AwayCell| cell.block == block && cell.precision == precision;
        let away: Vec<SummaryId> = cells.away.get(&key).into_iter().flatten().filter(is_same).map(|cell| cell.summary).collect();
        if !away.is_empty() || shared.disk.is_some() {
            // Nothing waits for the disk behind the lock; the caller that asks for the same in the meantime may load
            // it, too.
            drop(cells);
            loaded = away.iter().find_map(|&id| shared.recall(worker, id, &state));
            if loaded.is_none() {
                loaded = shared.disk.as_ref().and_then(|disk| disk.load(shared, worker, block, &state));
            }
            cells = self.shard(key);
            if let Some(cell) = find(&cells) {
                drop(cells);
                return answer(cell);
            }
        }
        let (cell, answer) = match loaded {
            Some(summary) => {
                if let Some(same) = cells.away.get_mut(&key) {
                    same.retain(|cell| cell.summary != summary.id);
                }
                shared.is_back(&summary);
                (BlockCell::finished(precision, summary.clone()), Request::Ready(summary))
            }
            None => {
                let cell = BlockCell::new(Some(block), precision, state, Some(waiter()));
                let ready = cell.answer.ask(waiter());
                debug_assert!(ready.is_none(), "nobody has seen the cell yet");
                (cell.clone(), Request::Missing(cell))
            }
        };
        cells.here.entry(key).or_default().push(cell);
        answer
    }

    /// A finished summary, also one from a disk. Nothing else must ask at the same time.
    pub fn find(&self, shared: &Shared<'a, D>, worker: &mut D::Worker, block: BlockId, state: &D::State) -> Option<Arc<Summary<'a, D>>> {
        self.peek(shared, block, state).or_else(|| self.fetch(shared, worker, block, state))
    }

    /// A finished summary from a disk, which is in memory from then on. Nothing else must ask at the same time.
    pub(super) fn fetch(
        &self,
        shared: &Shared<'a, D>,
        worker: &mut D::Worker,
        block: BlockId,
        state: &D::State,
    ) -> Option<Arc<Summary<'a, D>>> {
        let (key, precision) = self.key(shared, block, state);
        let cells = self.shard(key);
        let is_same = |cell: &&AwayCell| cell.block == block && cell.precision == precision;
        let away: Vec<SummaryId> = cells.away.get(&key).into_iter().flatten().filter(is_same).map(|cell| cell.summary).collect();
        drop(cells);
        let recalled = away.iter().find_map(|&id| shared.recall(worker, id, state));
        let loaded = recalled.or_else(|| shared.disk.as_ref().and_then(|disk| disk.load(shared, worker, block, state)))?;
        let mut cells = self.shard(key);
        if let Some(same) = cells.away.get_mut(&key) {
            same.retain(|cell| cell.summary != loaded.id);
        }
        shared.is_back(&loaded);
        cells.here.entry(key).or_default().push(BlockCell::finished(precision, loaded.clone()));
        Some(loaded)
    }

    /// A finished summary in memory.
    pub(super) fn peek(&self, shared: &Shared<'a, D>, block: BlockId, state: &D::State) -> Option<Arc<Summary<'a, D>>> {
        let (key, precision) = self.key(shared, block, state);
        let cells = self.shard(key);
        let same = cells.here.get(&key).into_iter().flatten();
        let mut same = same.filter(|cell| cell.block == Some(block) && cell.precision == precision && cell.state == *state);
        same.find_map(|cell| cell.answer.get())
    }

    fn key(&self, shared: &Shared<'a, D>, block: BlockId, state: &D::State) -> (u64, Fingerprint) {
        let precision = shared.precision_of(block).1;
        (mix(shared.domain.hash(state) ^ mix(u64::from(block.0) ^ precision.0 as u64)), precision)
    }

    fn shard(&self, key: u64) -> MutexGuard<'_, Cells<'a, D>> {
        self.shards[(key >> 58) as usize % SHARDS].lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Keeps a summary that nothing asked for through the cache. If someone explores the same in the meantime, that is
    /// left alone.
    pub fn publish(&self, shared: &Shared<'a, D>, summary: Arc<Summary<'a, D>>) {
        let Some(block) = summary.block else { return };
        let state = &summary.entry;
        let (key, precision) = self.key(shared, block, state);
        let mut cells = self.shard(key);
        let same = cells.here.entry(key).or_default();
        if !same.iter().any(|cell| cell.block == Some(block) && cell.precision == precision && cell.state == *state) {
            same.push(BlockCell::finished(precision, summary));
        }
    }

    /// Drops everything that is not finished.
    pub fn drop_unfinished(&self) {
        for shard in &self.shards {
            let mut cells = shard.lock().unwrap_or_else(|e| e.into_inner());
            for same in cells.here.values_mut() {
                same.retain(|cell| {
                    // A job and its cell hold each other.
                    cell.mailbox.empty();
                    cell.answer.forget_waiters();
                    cell.answer.is_ready()
                });
            }
            cells.here.retain(|_, same| !same.is_empty());
        }
    }

    /// Drops the cells of blocks and precisions that `keep` does not want, and returns the summaries that are left.
    pub fn retain(&self, keep: impl Fn(BlockId, Fingerprint) -> bool) -> Vec<SummaryId> {
        let mut left = Vec::new();
        for shard in &self.shards {
            let mut cells = shard.lock().unwrap_or_else(|e| e.into_inner());
            cells.here.values_mut().for_each(|same| same.retain(|cell| cell.block.is_some_and(|block| keep(block, cell.precision))));
            cells.here.retain(|_, same| !same.is_empty());
            cells.away.values_mut().for_each(|same| same.retain(|cell| keep(cell.block, cell.precision)));
            cells.away.retain(|_, same| !same.is_empty());
            left.extend(cells.here.values().flatten().filter_map(|cell| Some(cell.answer.get()?.id)));
            left.extend(cells.away.values().flatten().map(|cell| cell.summary));
        }
        left
    }

    /// Whether requests are answered with this very summary.
    pub(super) fn holds(&self, shared: &Shared<'a, D>, block: BlockId, summary: &Arc<Summary<'a, D>>) -> bool {
        let (key, _) = self.key(shared, block, &summary.entry);
        self.shard(key).here.get(&key).is_some_and(|same| same.iter().any(|cell| is_of(cell, summary)))
    }

    /// Leaves only a note of a summary that was written to disk.
    pub(super) fn send_away(&self, shared: &Shared<'a, D>, summary: &Arc<Summary<'a, D>>, away: Away) {
        let block = away.block;
        let (key, precision) = self.key(shared, block, &summary.entry);
        let mut cells = self.shard(key);
        let Some(same) = cells.here.get_mut(&key) else { return };
        let Some(at) = same.iter().position(|cell| is_of(cell, summary)) else { return };
        let cell = same.swap_remove(at);
        if same.is_empty() {
            cells.here.remove(&key);
        }
        cells.away.entry(key).or_default().push(AwayCell { block, precision, summary: summary.id });
        shared.summaries.send_away(summary.id, away);
        drop(cells);
        drop(cell);
    }

    /// How many summaries there are.
    pub fn len(&self) -> usize {
        let count = |shard: &Shard<'a, D>| {
            let cells = shard.lock().unwrap_or_else(|e| e.into_inner());
            cells.here.values().map(Vec::len).sum::<usize>() + cells.away.values().map(Vec::len).sum::<usize>()
        };
        self.shards.iter().map(count).sum()
    }

    /// The blocks of the finished summaries in memory with their entry states, in no particular order.
    pub fn entries(&self) -> Vec<(BlockId, D::State)> {
        let mut entries = Vec::new();
        for shard in &self.shards {
            let cells = shard.lock().unwrap_or_else(|e| e.into_inner());
            for cell in cells.here.values().flatten().filter(|cell| cell.answer.is_ready()) {
                entries.extend(cell.block.map(|block| (block, cell.state.clone())));
            }
        }
        entries
    }
}

fn is_of<D: Reduce>(cell: &BlockCell<'_, D>, summary: &Arc<Summary<'_, D>>) -> bool {
    cell.answer.get().is_some_and(|there| there.id == summary.id)
}
