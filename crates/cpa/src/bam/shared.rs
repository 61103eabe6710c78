//! What all jobs of a run share.

use super::cache::Cache;
use super::check::check_summary;
use super::disk::Disk;
use super::reduce::{BlockScope, Reduce, callees_of_blocks};
use super::summary::{Summaries, Summary};
use crate::algorithm::{Environment, ExploreConfig, Status};
use crate::checker::Defect;
use crate::stack::{Head, StackId};
use assay_base::{FastSet, Fingerprint, IdVec};
use assay_cfa::blocks::{BlockId, BlockKind, Blocks};
use assay_cfa::{FunctionId, LocationId};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::Duration;

/// Between two refinements: one precision, and its reductions to the blocks that were entered.
pub struct Round<D: Reduce> {
    pub precision: D::Precision,
    reduced: IdVec<BlockId, OnceLock<(D::Precision, Fingerprint)>>,
}

/// Counters that all threads write.
#[derive(Default)]
pub struct SharedCounters {
    pub hits: AtomicU64,
    pub waits: AtomicU64,
    pub jobs: AtomicU64,
    pub slices: AtomicU64,
    pub summaries: AtomicU64,
    /// Blocks that were explored once more for a path through them.
    pub again: AtomicU64,
    /// States of finished graphs.
    pub states: AtomicU64,
    /// Graphs that were dropped because memory was short.
    pub dropped_graphs: AtomicU64,
    work_nanos: AtomicU64,
}

impl SharedCounters {
    pub fn add_work(&self, work: Duration) {
        self.work_nanos.fetch_add(work.as_nanos() as u64, Ordering::Relaxed);
    }
    pub fn work(&self) -> Duration {
        Duration::from_nanos(self.work_nanos.load(Ordering::Relaxed))
    }
}

pub struct Shared<'a, D: Reduce> {
    pub environment: Environment<'a>,
    pub domain: &'a D,
    pub blocks: &'a Blocks,
    pub explore: ExploreConfig,
    pub round: Round<D>,
    pub cache: Cache<'a, D>,
    pub summaries: Summaries<'a, D>,
    pub counters: SharedCounters,
    /// Summaries of other runs, and those of this one that they may use.
    pub disk: Option<Disk<'a>>,
    /// With more bytes in use than this, graphs that are checked are dropped.
    pub drop_graphs_above: Option<u64>,
    /// Every job returns soon after this is set.
    pub halt: AtomicBool,
    /// Finished summaries that may still have their graphs.
    with_graph: Mutex<Vec<Weak<Summary<'a, D>>>>,
    callees: IdVec<BlockId, FastSet<FunctionId>>,
    is_entry: IdVec<LocationId, bool>,
}

impl<'a, D: Reduce> Shared<'a, D> {
    pub fn new(environment: Environment<'a>, domain: &'a D, blocks: &'a Blocks, explore: ExploreConfig, precision: D::Precision) -> Self {
        let mut is_entry = IdVec::filled(false, environment.program.locations.len());
        for block in blocks.blocks.iter() {
            is_entry[block.entry] = true;
        }
        let round = Round { precision, reduced: blocks.blocks.iter().map(|_| OnceLock::new()).collect() };
        Shared {
            environment,
            domain,
            blocks,
            explore,
            round,
            cache: Cache::default(),
            summaries: Summaries::default(),
            counters: SharedCounters::default(),
            disk: None,
            drop_graphs_above: None,
            halt: AtomicBool::new(false),
            with_graph: Mutex::default(),
            callees: callees_of_blocks(&environment.orders.structure, blocks),
            is_entry,
        }
    }

    /// Begins a new round with another precision, and drops the summaries that were made with what it replaces. What is kept rests only
    /// on what is kept: a precision that is the same for a block is the same for all that it executes.
    pub fn set_precision(&mut self, precision: D::Precision) {
        self.round = Round { precision, reduced: self.blocks.blocks.iter().map(|_| OnceLock::new()).collect() };
        let kept = self.cache.retain(|cell| cell.block.is_some_and(|block| self.precision_of(block).1 == cell.precision));
        self.summaries.keep_only(kept);
    }

    /// Takes care of the finished summaries of one job: those that other runs may use are checked and written, and where memory is short,
    /// graphs are checked and dropped.
    pub(super) fn keep(&self, worker: &mut D::Worker, finished: &[Arc<Summary<'a, D>>]) -> Result<(), Status> {
        if let Some(disk) = &self.disk {
            let mut sound = true;
            for summary in finished {
                sound &= self.settle(worker, summary)?;
            }
            if sound {
                finished.iter().for_each(|summary| disk.store(self, worker, summary));
            }
        }
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
            }
        }
        Ok(())
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

    /// The precision of this round, cut to a block.
    pub fn precision_of(&self, block: BlockId) -> &(D::Precision, Fingerprint) {
        self.round.reduced[block].get_or_init(|| {
            let reduced = self.domain.reduce_precision(&self.round.precision, &self.scope(block));
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

    /// The block that begins at this head, inside of what is being explored: the outermost one that is not around the exploration itself.
    #[inline]
    pub fn inner_block(&self, own: Option<BlockId>, head: Head) -> Option<BlockId> {
        if !self.is_entry[head.location] {
            return None;
        }
        let around = |id: BlockId| {
            head.stack == StackId::EMPTY && std::iter::successors(own, |&own| self.blocks.blocks[own].parent).any(|outer| outer == id)
        };
        self.blocks.starting_at(head.location).iter().copied().find(|&id| !around(id))
    }
}
