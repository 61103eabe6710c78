//! Summaries that outlive a run. The key of a summary is everything that its exits depend on: the tool with its options
//! and the property, the content of the block with all that it calls, the facts about the whole program that were used,
//! the reduced precision and the reduced state. States are written by name, as [`Reduce::write_state`] says; ids of a
//! run never leave it. Only summaries that were checked, with all that they rest on, are written.

use super::paths;
use super::reduce::{BlockScope, Reduce};
use super::shared::Shared;
use super::summary::Summary;
use assay_base::{ByteReader, ByteWriter, IdVec};
use assay_cfa::Step;
use assay_cfa::blocks::BlockId;
use assay_cfa::portable::Names;
use assay_cfa::{FunctionId, LocationId};
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A store of bytes under bytes. It may forget, but never answers with something else than was put in.
pub trait Store: Send + Sync {
    /// What was put in under exactly this key.
    fn get(&self, key: &[u8]) -> Option<Vec<u8>>;
    /// Keeps a value under a key, if it can.
    fn put(&self, key: Vec<u8>, value: Vec<u8>);
}

/// What became of the summaries that were asked for and made.
#[derive(Debug, Default)]
pub struct DiskCounters {
    /// Found and used.
    pub loaded: AtomicU64,
    /// Asked for and not there.
    pub missing: AtomicU64,
    /// Handed to the store.
    pub written: AtomicU64,
    /// Not written, because the states in them have no form that another run could read.
    pub not_portable: AtomicU64,
    /// Found, but not readable in this program.
    pub unreadable: AtomicU64,
    /// States that the used summaries stand for, as far as they were counted when they were made.
    pub states_saved: AtomicU64,
    /// Paths through used summaries that were found beside them.
    pub paths: AtomicU64,
}

pub(super) type Hash = [u8; 32];

/// The door to a store, for one run on one program.
pub struct Disk<'a> {
    store: &'a dyn Store,
    names: &'a Names<'a>,
    /// What all keys of this run have in common.
    context: Hash,
    functions: IdVec<FunctionId, OnceLock<Hash>>,
    blocks: IdVec<BlockId, OnceLock<Option<Hash>>>,
    /// What came of it so far.
    pub counters: DiskCounters,
}

/// The same in the form in which it is written.
type Exits<S> = Vec<(LocationId, S)>;

impl<'a> Disk<'a> {
    /// `context` says everything that summaries of other runs must have in common with this one: tool, options,
    /// property, data model.
    pub fn new(store: &'a dyn Store, names: &'a Names<'a>, block_count: usize, context: &str) -> Self {
        Disk {
            store,
            names,
            context: Sha256::digest(context.as_bytes()).into(),
            functions: names.program.functions.iter().map(|_| OnceLock::new()).collect(),
            blocks: (0..block_count).map(|_| OnceLock::new()).collect(),
            counters: DiskCounters::default(),
        }
    }

    /// The content of a block; `None` where the domain cannot say what it uses.
    fn content<D: Reduce>(&self, domain: &D, scope: &BlockScope<'_>) -> Option<&Hash> {
        let content = self.blocks[scope.id].get_or_init(|| {
            let mut facts = ByteWriter::default();
            domain.write_facts(self.names, scope, &mut facts)?;
            let text = self.names.block_text(scope.structure, scope.blocks, scope.id, scope.callees, &|variable| scope.touches(variable));
            let mut hash = Sha256::new();
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
            hash.update((facts.bytes.len() as u64).to_le_bytes());
            hash.update(&facts.bytes);
            let program = self.names.program;
            let mut functions: Vec<FunctionId> = scope.callees.iter().copied().chain([scope.block.function]).collect();
            functions.sort_by(|a, b| program.functions[*a].name.cmp(&program.functions[*b].name));
            functions.dedup();
            for function in functions {
                hash.update(self.functions[function].get_or_init(|| Sha256::digest(self.names.function_text(function).as_bytes()).into()));
            }
            Some(hash.finalize().into())
        });
        content.as_ref()
    }

    fn key<D: Reduce>(&self, shared: &Shared<'_, D>, block: BlockId, state: &D::State) -> Option<Vec<u8>> {
        let scope = shared.scope(block);
        let mut out = ByteWriter::default();
        out.bytes.extend_from_slice(&self.context);
        out.bytes.extend_from_slice(self.content(shared.domain, &scope)?);
        shared.domain.write_precision(&shared.precision_of(block).0, self.names, &mut out)?;
        shared.domain.write_state(state, state, self.names, &scope, &mut out)?;
        Some(out.bytes)
    }

    /// Looks for the summary of a block in a state.
    pub(super) fn load<'d, D: Reduce>(
        &self,
        shared: &Shared<'d, D>,
        worker: &mut D::Worker,
        block: BlockId,
        state: &D::State,
    ) -> Option<Arc<Summary<'d, D>>> {
        let key = self.key(shared, block, state)?;
        let Some(value) = self.store.get(&key) else {
            self.counters.missing.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        let Some((states, exits)) = self.read_exits(shared, worker, block, state, &value) else {
            self.counters.unreadable.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        self.counters.loaded.fetch_add(1, Ordering::Relaxed);
        self.counters.states_saved.fetch_add(states, Ordering::Relaxed);
        let summary = Arc::new(Summary::of_exits(shared.summaries.reserve(), block, state.clone(), exits));
        let _ = summary.key.set(Sha256::digest(&key).into());
        shared.summaries.publish(summary.clone());
        Some(summary)
    }

    fn read_exits<D: Reduce>(
        &self,
        shared: &Shared<'_, D>,
        worker: &mut D::Worker,
        block: BlockId,
        entry: &D::State,
        value: &[u8],
    ) -> Option<(u64, Exits<D::State>)> {
        let scope = shared.scope(block);
        let mut from = ByteReader::new(value);
        let states = from.number()?;
        let mut exits = Vec::new();
        for _ in 0..from.number()? {
            let location = *scope.block.exits.get(from.small()? as usize)?;
            exits.push((location, shared.domain.read_state(worker, entry, self.names, &scope, &mut from)?));
        }
        from.is_at_end().then_some((states, exits))
    }

    /// Writes the checked summaries of one job, those that read back as they are, and the paths to their exits.
    pub(super) fn store_all<D: Reduce>(&self, shared: &Shared<'_, D>, worker: &mut D::Worker, summaries: &[Arc<Summary<'_, D>>]) {
        // They can rest on each other, and paths go through what they rest on.
        summaries.iter().for_each(|summary| self.store(shared, worker, summary));
        for summary in summaries {
            if let Some(key) = summary.key.get()
                && let Some(paths) = paths::write(shared, self.names, summary)
            {
                self.store.put(paths::key(key), paths);
            }
        }
    }

    /// The steps to an exit of a summary, down to single ones.
    pub(super) fn path(&self, key: &Hash, exit: usize) -> Option<Vec<Step>> {
        let steps = paths::read(self.store, self.names, key, exit)?;
        self.counters.paths.fetch_add(1, Ordering::Relaxed);
        Some(steps)
    }

    fn store<D: Reduce>(&self, shared: &Shared<'_, D>, worker: &mut D::Worker, summary: &Summary<'_, D>) {
        let Some(block) = summary.block else { return };
        match self.record(shared, worker, block, summary) {
            Some((key, value)) => {
                self.counters.written.fetch_add(1, Ordering::Relaxed);
                let _ = summary.key.set(Sha256::digest(&key).into());
                self.store.put(key, value);
            }
            None => {
                self.counters.not_portable.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn record<D: Reduce>(
        &self,
        shared: &Shared<'_, D>,
        worker: &mut D::Worker,
        block: BlockId,
        summary: &Summary<'_, D>,
    ) -> Option<(Vec<u8>, Vec<u8>)> {
        let key = self.key(shared, block, &summary.entry)?;
        let scope = shared.scope(block);
        let mut out = ByteWriter::default();
        out.number(summary.counters.states);
        out.number(summary.exits.len() as u64);
        for exit in &summary.exits {
            out.number(scope.block.exits.iter().position(|&location| location == exit.location)? as u64);
            shared.domain.write_state(&summary.entry, &exit.state, self.names, &scope, &mut out)?;
        }
        let (_, exits) = self.read_exits(shared, worker, block, &summary.entry, &out.bytes)?;
        let same = exits.iter().zip(&summary.exits).all(|(read, exit)| read.0 == exit.location && read.1 == exit.state);
        same.then_some((key, out.bytes))
    }
}
