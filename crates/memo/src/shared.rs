//! What all jobs of a run share.

use super::cache::Cache;
use super::check::check_summary;
use super::disk::Disk;
use super::reduce::{BlockScope, Reduce, callees_of_blocks};
use super::remote::Remote;
use super::rules::Rules;
use super::spill::Spill;
use super::summary::{Away, Known, Summaries, Summary, SummaryId};
use assay_base::{FastSet, Fingerprint, IdVec, Quiescence};
use assay_cfa::blocks::{BlockId, BlockKind, Blocks};
use assay_cfa::{FunctionId, LocationId};
use assay_cpa::algorithm::{Environment, ExploreConfig, Status};
use assay_cpa::checker::Defect;
use assay_cpa::stack::{Head, StackId};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

/// Between two refinements: one precision, and its reductions to the blocks that were entered.
pub struct Iteration<D: Reduce> {
    pub precision: D::Precision,
    reduced: IdVec<BlockId, OnceLock<(D::Precision, Fingerprint)>>,
    /// The precision as it is sent to other machines; `None` inside where it cannot be.
    pub(super) packed: OnceLock<Option<Vec<u8>>>,
}

impl<D: Reduce> Iteration<D> {
    fn new(precision: D::Precision, blocks: &Blocks) -> Self {
        Iteration { precision, reduced: blocks.blocks.iter().map(|_| OnceLock::new()).collect(), packed: OnceLock::new() }
    }
}

/// Counters that all threads write.
#[derive(Default)]
pub struct SharedCounters {
    pub hits: AtomicU64,
    pub waits: AtomicU64,
    pub jobs: AtomicU64,
    pub slices: AtomicU64,
    pub summaries: AtomicU64,
    /// Those that a rule made, and the states of the graphs that the rules were made of.
    pub derived: AtomicU64,
    pub by_rules: AtomicU64,
    /// Blocks that were explored once more for a path through them.
    pub again: AtomicU64,
    /// States of finished graphs.
    pub states: AtomicU64,
    /// States of all graphs.
    pub explored: AtomicU64,
    /// Blocks that did not pay.
    pub given_up: AtomicU64,
    /// Graphs that were dropped because memory was short.
    pub dropped_graphs: AtomicU64,
    work_nanos: AtomicU64,
    stop_nanos: AtomicU64,
}

impl SharedCounters {
    pub fn add_work(&self, work: Duration) {
        self.work_nanos.fetch_add(work.as_nanos() as u64, Ordering::Relaxed);
    }
    /// Notes how long it took until the last job had stopped.
    pub fn add_stop(&self, time: Duration) {
        self.stop_nanos.fetch_max(time.as_nanos() as u64, Ordering::Relaxed);
    }
    /// The longest of these times.
    pub fn longest_stop(&self) -> Option<Duration> {
        Some(self.stop_nanos.load(Ordering::Relaxed)).filter(|&nanos| nanos > 0).map(Duration::from_nanos)
    }
    pub fn work(&self) -> Duration {
        Duration::from_nanos(self.work_nanos.load(Ordering::Relaxed))
    }
}

/// How many summaries a finished job moves to disk, at most, beside as many as it has made.
const SPILLED_AT_ONCE: usize = 16;

/// What a block has cost and saved so far.
#[derive(Default)]
struct BlockUse {
    /// How often it was explored, and how many states that took.
    made: AtomicU64,
    states: AtomicU64,
    /// How often that was not necessary.
    found: AtomicU64,
    /// It is no block any more.
    off: AtomicBool,
    /// How many of its jobs were finished, and how long they took with all that they waited for.
    finished: AtomicU64,
    span_nanos: AtomicU64,
}

/// A block is judged when it was entered so often.
const JUDGED_AT: u64 = 8;

/// Entering and leaving a block costs as much as exploring so many states, and one more for so many variables, because
/// states are cut and put together. That is too much where it is more than one in so many.
const COST_IN_STATES: u64 = 4;
const VARIABLES_A_STATE: u64 = 8;
const COST_SHARE: u64 = 10;

/// What the jobs of a run share.
pub struct Shared<'a, D: Reduce> {
    /// Program, stacks, ledger and token.
    pub environment: Environment<'a>,
    /// Makes states, successors and reductions.
    pub domain: &'a D,
    /// What summaries are of.
    pub blocks: &'a Blocks,
    /// How each graph is explored.
    pub explore: ExploreConfig,
    /// The present precision, and what depends on it.
    pub iteration: Iteration<D>,
    /// Whether all blocks are explored by one job, and exits are used as they are found.
    pub streams: bool,
    /// Whether blocks that do not pay are given up.
    pub adapts: bool,
    /// How many states may still be explored before the run is impatient; `u64::MAX` for any number.
    patience: AtomicU64,
    uses: IdVec<BlockId, BlockUse>,
    /// From blocks and reduced states to summaries.
    pub cache: Cache<'a, D>,
    /// By id, the caller that made them.
    pub summaries: Summaries<'a, D>,
    /// Of all jobs together.
    pub counters: SharedCounters,
    /// Summaries of other runs, and those of this one that they may use.
    pub disk: Option<Disk<'a>>,
    /// With more bytes in use than this, graphs that are checked are dropped.
    pub drop_graphs_above: Option<u64>,
    /// Machines that explore blocks for this run.
    pub remote: Option<Remote<'a>>,
    /// What summaries say about entries that were not explored.
    pub(super) rules: Rules<'a, D>,
    /// Where summaries go with more bytes in use than this.
    pub spill: Option<(Spill<'a>, u64)>,
    /// The jobs of the parallel algorithm; every job returns soon after it is told to stop.
    pub quiescence: Quiescence,
    /// Finished summaries that may still have their graphs.
    with_graph: Mutex<VecDeque<Weak<Summary<'a, D>>>>,
    /// Summaries without graphs, the oldest first.
    without_graph: Mutex<VecDeque<Weak<Summary<'a, D>>>>,
    callees: IdVec<BlockId, FastSet<FunctionId>>,
    is_entry: IdVec<LocationId, bool>,
}

impl<'a, D: Reduce> Shared<'a, D> {
    /// Nothing is explored yet.
    pub fn new(environment: Environment<'a>, domain: &'a D, blocks: &'a Blocks, explore: ExploreConfig, precision: D::Precision) -> Self {
        let mut is_entry = IdVec::filled(false, environment.program.locations.len());
        for block in blocks.blocks.iter() {
            is_entry[block.entry] = true;
        }
        let iteration = Iteration::new(precision, blocks);
        Shared {
            environment,
            domain,
            blocks,
            explore,
            iteration,
            streams: false,
            adapts: false,
            patience: AtomicU64::new(u64::MAX),
            uses: blocks.blocks.iter().map(|_| BlockUse::default()).collect(),
            cache: Cache::default(),
            summaries: Summaries::default(),
            counters: SharedCounters::default(),
            disk: None,
            drop_graphs_above: None,
            remote: None,
            rules: Rules::new(environment.program, blocks),
            spill: None,
            quiescence: Quiescence::default(),
            with_graph: Mutex::default(),
            without_graph: Mutex::default(),
            callees: callees_of_blocks(&environment.orders.structure, blocks),
            is_entry,
        }
    }

    /// Begins a new iteration with another precision, and drops the summaries that were made with what it replaces.
    /// What is kept rests only on what is kept: a precision that is the same for a block is the same for all that it
    /// executes.
    pub fn set_precision(&mut self, precision: D::Precision) {
        self.iteration = Iteration::new(precision, self.blocks);
        let mut kept = self.cache.retain(|block, precision| self.precision_of(block).1 == precision);
        self.rules.retain_those_of(&mut kept);
        self.summaries.keep_only(&kept);
    }

    /// Drops all summaries.
    pub(super) fn forget_all(&self) {
        self.cache.retain(|_, _| false);
        self.rules.retain_those_of(&mut Vec::new());
        self.summaries.keep_only(&[]);
    }

    /// How many states may be explored until the run is impatient.
    pub fn patience(&self) -> Option<u64> {
        Some(self.patience.load(Ordering::Relaxed)).filter(|&left| left != u64::MAX)
    }
    /// `None` for any number.
    pub fn set_patience(&self, states: Option<u64>) {
        self.patience.store(states.unwrap_or(u64::MAX), Ordering::Relaxed);
    }
    /// Whether so many states were explored that something else is to be tried.
    pub fn is_impatient(&self) -> bool {
        self.patience.load(Ordering::Relaxed) == 0
    }

    /// Notes that states of a block (or of the program around all blocks) were explored.
    pub(super) fn explored(&self, block: Option<BlockId>, states: u64) {
        self.counters.explored.fetch_add(states, Ordering::Relaxed);
        if let Some(block) = block {
            self.took_states(block, states);
        }
        let less = |left: u64| (left != u64::MAX).then(|| left.saturating_sub(states));
        // With no limit nothing changes.
        let _ = self.patience.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// Notes that another machine explored so many states for a block, so that it is not taken for one that is empty.
    pub(super) fn explored_elsewhere(&self, block: BlockId, states: u64) {
        self.took_states(block, states);
        self.begun(block);
    }

    /// What is explored of a block is what those around it take, too.
    fn took_states(&self, block: BlockId, states: u64) {
        for id in std::iter::successors(Some(block), |&id| self.blocks.blocks[id].parent) {
            self.uses[id].states.fetch_add(states, Ordering::Relaxed);
        }
    }

    /// Notes that a block was entered in a state in which it had been explored, or was being explored, before.
    pub(super) fn found(&self, block: BlockId) {
        self.counters.hits.fetch_add(1, Ordering::Relaxed);
        let found = self.uses[block].found.fetch_add(1, Ordering::Relaxed) + 1;
        if found.is_multiple_of(JUDGED_AT) {
            self.judge(block);
        }
    }

    /// Notes that a block is explored from another state. What is only asked for says nothing about its size yet.
    pub(super) fn begun(&self, block: BlockId) {
        self.uses[block].made.fetch_add(1, Ordering::Relaxed);
        self.judge(block);
    }

    /// Notes how long a job of a block took, with all that it waited for, on a machine with a core for every job.
    pub(super) fn took(&self, block: Option<BlockId>, span: Duration) {
        if let Some(block) = block {
            self.uses[block].finished.fetch_add(1, Ordering::Relaxed);
            self.uses[block].span_nanos.fetch_add(span.as_nanos() as u64, Ordering::Relaxed);
        }
    }

    /// How long jobs of a block take on average; `None` before the first was finished.
    pub(super) fn usual_span(&self, block: BlockId) -> Option<Duration> {
        let count = self.uses[block].finished.load(Ordering::Relaxed);
        self.uses[block].span_nanos.load(Ordering::Relaxed).checked_div(count).map(Duration::from_nanos)
    }

    /// Gives up a block that costs more than it saves: its states are explored as part of whatever is around it from
    /// then on. Recursive functions stay blocks, because nothing else brings their exploration to an end.
    fn judge(&self, block: BlockId) {
        let block_use = &self.uses[block];
        let (made, found) = (block_use.made.load(Ordering::Relaxed), block_use.found.load(Ordering::Relaxed));
        // What is kept on a disk may save work in other runs, and nothing knows how much.
        if !self.adapts || self.disk.is_some() || made == 0 || made + found < JUDGED_AT || self.blocks.blocks[block].recursive {
            return;
        }
        let states = block_use.states.load(Ordering::Relaxed);
        let variables = self.environment.program.globals.len() as u64;
        let cost = (COST_IN_STATES + variables / VARIABLES_A_STATE) * (made + found);
        let saved = states / made * found;
        if saved < cost && cost > states / COST_SHARE && !block_use.off.swap(true, Ordering::Relaxed) {
            self.counters.given_up.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Takes care of the finished summaries of one job: those that other runs may use are checked and written, and
    /// where memory is short, graphs are checked and dropped, and then summaries are moved to disk.
    pub(super) fn keep(&self, worker: &mut D::Worker, finished: &[Arc<Summary<'a, D>>]) -> Result<(), Status> {
        if let Some(disk) = &self.disk {
            let mut sound = true;
            for summary in finished {
                sound &= self.settle(worker, summary)?;
            }
            if sound {
                disk.store_all(self, worker, finished);
            }
        }
        // Before others lose their graphs: those of this job are not yet where requests find them.
        self.spill_some(worker, finished.len() + SPILLED_AT_ONCE);
        let Some(limit) = self.drop_graphs_above else { return Ok(()) };
        let mut with_graph = self.with_graph.lock().unwrap_or_else(|e| e.into_inner());
        with_graph.extend(finished.iter().map(Arc::downgrade));
        // A check costs as much as the exploration, so it is done only for as many as are needed, the oldest first.
        if self.environment.cancel.memory_in_use() <= limit {
            return Ok(());
        }
        let count = with_graph.len().min(finished.len() + 8);
        let oldest: Vec<_> = with_graph.drain(..count).collect();
        drop(with_graph);
        for summary in oldest.iter().filter_map(Weak::upgrade) {
            if self.settle(worker, &summary)? && summary.drop_graph() {
                self.counters.dropped_graphs.fetch_add(1, Ordering::Relaxed);
                self.may_spill(&summary);
            }
        }
        Ok(())
    }

    /// Notes a summary without a graph.
    fn may_spill(&self, summary: &Arc<Summary<'a, D>>) {
        if self.spill.is_some() {
            self.without_graph.lock().unwrap_or_else(|e| e.into_inner()).push_back(Arc::downgrade(summary));
        }
    }

    /// Moves the oldest summaries to disk, if memory is short.
    fn spill_some(&self, worker: &mut D::Worker, count: usize) {
        let Some((spill, limit)) = &self.spill else { return };
        if self.environment.cancel.memory_in_use() <= *limit || !spill.is_open() {
            return;
        }
        let mut queue = self.without_graph.lock().unwrap_or_else(|e| e.into_inner());
        let count = queue.len().min(count);
        let oldest: Vec<_> = queue.drain(..count).collect();
        drop(queue);
        for summary in oldest.iter().filter_map(Weak::upgrade) {
            if let Some(block) = summary.block
                && self.cache.holds(self, block, &summary)
                && let Some(place) = spill.write(self, worker, block, &summary)
            {
                self.cache.send_away(self, &summary, Away::of(&summary, block, place));
                spill.counters.spilled.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// A finished summary for a state at its block's entry; `None` if it is of another one or cannot be read.
    pub(super) fn recall(&self, worker: &mut D::Worker, id: SummaryId, entry: &D::State) -> Option<Arc<Summary<'a, D>>> {
        match self.summaries.get(id)? {
            Known::Here(summary) => (summary.entry == *entry).then_some(summary),
            Known::ByRule(_) => None,
            Known::Away(away) => self.spill.as_ref()?.0.read(self, worker, id, &away, entry),
        }
    }

    /// The summary that was applied to a state at its block's entry.
    pub(super) fn applied(&self, worker: &mut D::Worker, id: SummaryId, outer: &D::State) -> Option<Arc<Summary<'a, D>>> {
        match self.summaries.get(id)? {
            Known::Here(summary) => Some(summary),
            Known::ByRule(base) => {
                let entry = self.domain.reduce(worker, outer, &self.scope(base.block?));
                self.by_rule_of(worker, &base, &entry)
            }
            Known::Away(away) => {
                let entry = self.domain.reduce(worker, outer, &self.scope(away.block));
                self.spill.as_ref()?.0.read(self, worker, id, &away, &entry)
            }
        }
    }

    /// Notes that a summary came from a disk and is in the cache again.
    pub(super) fn is_back(&self, summary: &Arc<Summary<'a, D>>) {
        if let (Some((spill, _)), true) = (&self.spill, summary.place.get().is_some()) {
            spill.counters.read_back.fetch_add(1, Ordering::Relaxed);
            self.summaries.publish(summary.clone());
        }
        self.may_spill(summary);
    }

    /// Checks a graph; `false` where it has a defect, which the check of the whole proof will report.
    fn settle(&self, worker: &mut D::Worker, summary: &Summary<'a, D>) -> Result<bool, Status> {
        if !summary.clean {
            return Ok(false);
        }
        match check_summary(self, worker, summary) {
            Ok(_) => Ok(true),
            Err(Defect::Stopped(reason)) => Err(Status::Stopped(reason)),
            Err(_) => Ok(false),
        }
    }

    /// A block with what reductions look at.
    pub fn scope(&self, id: BlockId) -> BlockScope<'_> {
        BlockScope {
            program: self.environment.program,
            structure: &self.environment.orders.structure,
            blocks: self.blocks,
            id,
            block: &self.blocks.blocks[id],
            callees: &self.callees[id],
        }
    }

    /// The precision of this iteration, cut to a block.
    pub fn precision_of(&self, block: BlockId) -> &(D::Precision, Fingerprint) {
        self.iteration.reduced[block].get_or_init(|| {
            let reduced = self.domain.reduce_precision(&self.iteration.precision, &self.scope(block));
            let fingerprint = self.domain.precision_fingerprint(&reduced);
            (reduced, fingerprint)
        })
    }

    /// The block of the program's entry function, if that is one.
    pub fn main_block(&self) -> Option<BlockId> {
        let program = self.environment.program;
        let entry = program.functions[program.entry].entry;
        let blocks = self.blocks.starting_at(entry);
        blocks.iter().copied().find(|&id| self.blocks.blocks[id].kind == BlockKind::Function)
    }

    /// The state in which the program begins; where summaries are kept for other runs, as its block sees it.
    pub(super) fn program_entry(&self, worker: &mut D::Worker) -> D::State {
        let initial = self.domain.initial(worker);
        match self.main_block().filter(|_| self.disk.is_some()) {
            Some(block) => self.domain.reduce(worker, &initial, &self.scope(block)),
            None => initial,
        }
    }

    /// The component of the call graph, for blocks of functions that can be active below themselves.
    pub fn component(&self, block: BlockId) -> Option<u32> {
        let block = &self.blocks.blocks[block];
        block.recursive.then(|| self.environment.orders.structure.calls().component[block.function])
    }

    /// Whether a block's exploration ends at this head.
    #[inline]
    pub fn is_exit(&self, block: BlockId, head: Head) -> bool {
        head.stack == StackId::EMPTY && self.blocks.blocks[block].exits.contains(&head.location)
    }

    /// The block that begins at this head, inside of what is being explored: the outermost one that is not around the
    /// exploration itself and was not given up.
    #[inline]
    pub fn inner_block(&self, own: Option<BlockId>, head: Head) -> Option<BlockId> {
        if !self.is_entry[head.location] {
            return None;
        }
        self.blocks
            .starting_at(head.location)
            .iter()
            .copied()
            .find(|&id| !self.uses[id].off.load(Ordering::Relaxed) && !self.is_around(own, head, id))
    }

    /// Whether the summary of a block may stand for the steps from this head: the block begins here, and is not around
    /// the exploration itself. (A block that is around would be said to have no exits because it has none yet.)
    pub fn may_apply(&self, own: Option<BlockId>, head: Head, block: BlockId) -> bool {
        self.blocks.blocks[block].entry == head.location && !self.is_around(own, head, block)
    }

    fn is_around(&self, own: Option<BlockId>, head: Head, block: BlockId) -> bool {
        head.stack == StackId::EMPTY && std::iter::successors(own, |&own| self.blocks.blocks[own].parent).any(|outer| outer == block)
    }
}
