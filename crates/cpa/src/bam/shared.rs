//! What all jobs of a run share.

use super::cache::Cache;
use super::reduce::{BlockScope, Reduce, callees_of_blocks};
use super::summary::Summaries;
use crate::algorithm::{Environment, ExploreConfig};
use crate::stack::{Head, StackId};
use assay_base::{FastSet, Fingerprint, IdVec};
use assay_cfa::blocks::{BlockId, BlockKind, Blocks};
use assay_cfa::{FunctionId, LocationId};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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
    pub slices: AtomicU64,
    pub summaries: AtomicU64,
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
    /// Every job returns soon after this is set.
    pub halt: AtomicBool,
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
            halt: AtomicBool::new(false),
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
