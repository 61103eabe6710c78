//! Summaries that outlive a run. The key of a summary is everything that its exits depend on but for code: the tool
//! with its options and the property, what the block touches, the facts about the whole program that were used, the
//! reduced precision and the reduced state. The code is in the record: where the exploration went (`region`), and the
//! text of whole functions where states speak of places in them. So there can be several records under one key, one for
//! each version of the code, and that one is used whose code this program has. States are written by name, as
//! [`Reduce::write_state`] says; ids of a run never leave it. Only summaries that were checked, with all that they rest
//! on, are written.

use super::paths;
use super::reduce::{BlockScope, Reduce};
use super::region::{Growing, Mismatch, Region, Regions};
use super::shared::Shared;
use super::summary::{Known, Summary, SummaryId};
use assay_base::{ByteReader, ByteWriter, FastSet, IdVec};
use assay_cfa::Step;
use assay_cfa::blocks::BlockId;
use assay_cfa::portable::Names;
use assay_cfa::{FunctionId, LocationId};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// A store of bytes under bytes. It may forget, but never answers with something else than was put in.
pub trait Store: Send + Sync {
    /// Offers what was put in under exactly this key, the youngest first, until something is accepted.
    fn find(&self, key: &[u8], accept: &mut dyn FnMut(Vec<u8>) -> bool);
    /// What was put in last under exactly this key.
    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        let mut found = None;
        self.find(key, &mut |value| {
            found = Some(value);
            true
        });
        found
    }
    /// Keeps a value under a key, if it can.
    fn put(&self, key: Vec<u8>, value: Vec<u8>);
    /// How many values were found that are not what was put in.
    fn damaged(&self) -> u64 {
        0
    }
}

/// What became of the summaries that were asked for and made.
#[derive(Debug, Default)]
pub struct DiskCounters {
    /// Found and used.
    pub loaded: AtomicU64,
    /// Asked for and not there: no run had entered the block in this state and with this precision.
    pub missing: AtomicU64,
    /// There, but of other code, by the function whose code is another one.
    pub changed: Mutex<BTreeMap<String, u64>>,
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
    pub(super) store: &'a dyn Store,
    pub(super) names: &'a Names<'a>,
    /// What all keys of this run have in common.
    context: Hash,
    functions: IdVec<FunctionId, OnceLock<Hash>>,
    blocks: IdVec<BlockId, OnceLock<Option<Content>>>,
    regions: Regions<'a>,
    /// What came of it so far.
    pub counters: DiskCounters,
}

/// What is the same for all summaries of a block, and the functions in which it speaks of places.
struct Content {
    hash: Hash,
    places_in: BTreeSet<String>,
}

/// What a record says about a block in a state.
struct Record<S> {
    /// How many states it stands for.
    states: u64,
    exits: Vec<(LocationId, S)>,
    region: Arc<Region>,
}

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
            regions: Regions::new(names),
            counters: DiskCounters::default(),
        }
    }

    /// What all summaries of a block have in common; `None` where the domain cannot say what it uses.
    fn content<D: Reduce>(&self, domain: &D, scope: &BlockScope<'_>) -> Option<&Content> {
        let content = self.blocks[scope.id].get_or_init(|| {
            let mut facts = ByteWriter::default();
            domain.write_facts(self.names, scope, &mut facts)?;
            let text = self.names.block_text(scope.structure, scope.blocks, scope.id, scope.callees, &|variable| scope.touches(variable));
            let mut hash = Sha256::new();
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
            hash.update((facts.bytes.len() as u64).to_le_bytes());
            hash.update(&facts.bytes);
            Some(Content { hash: hash.finalize().into(), places_in: facts.places_in })
        });
        content.as_ref()
    }

    /// The key of a block in a state, with the functions in which it speaks of places.
    pub(super) fn key<D: Reduce>(&self, shared: &Shared<'_, D>, block: BlockId, state: &D::State) -> Option<ByteWriter> {
        let scope = shared.scope(block);
        let content = self.content(shared.domain, &scope)?;
        let mut out = ByteWriter { bytes: Vec::new(), places_in: content.places_in.clone() };
        out.bytes.extend_from_slice(&self.context);
        out.bytes.extend_from_slice(&content.hash);
        shared.domain.write_precision(&shared.precision_of(block).0, self.names, &mut out)?;
        shared.domain.write_state(state, state, self.names, &scope, &mut out)?;
        Some(out)
    }

    /// The hash of all of a function's code.
    pub(super) fn function(&self, function: FunctionId) -> &Hash {
        self.functions[function].get_or_init(|| Sha256::digest(self.names.function_text(function).as_bytes()).into())
    }

    /// Whether a function has the code that it had.
    pub(super) fn is_same(&self, function: &str, hash: &[u8]) -> bool {
        self.names.function(function).is_some_and(|function| self.function(function) == hash)
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
        let (mut found, mut why) = (None, None);
        self.store.find(&key.bytes, &mut |value| match self.read(shared, worker, block, state, &value) {
            Ok(record) => {
                found = Some((record, hash_of_record(&key.bytes, &value)));
                true
            }
            Err(mismatch) => {
                why.get_or_insert(mismatch);
                false
            }
        });
        let Some((record, hash)) = found else {
            match why {
                None => {
                    self.counters.missing.fetch_add(1, Ordering::Relaxed);
                }
                Some(Mismatch::Unreadable) => {
                    self.counters.unreadable.fetch_add(1, Ordering::Relaxed);
                }
                Some(Mismatch::Changed(function)) => {
                    let mut changed = self.counters.changed.lock().unwrap_or_else(|e| e.into_inner());
                    *changed.entry(function).or_default() += 1;
                }
            }
            return None;
        };
        self.counters.loaded.fetch_add(1, Ordering::Relaxed);
        self.counters.states_saved.fetch_add(record.states, Ordering::Relaxed);
        let summary = Arc::new(Summary::of_exits(shared.summaries.reserve(), block, state.clone(), record.exits));
        let _ = summary.key.set(hash);
        let _ = summary.region.set(record.region);
        shared.summaries.publish(summary.clone());
        Some(summary)
    }

    /// The exits of a summary for something with the same code.
    pub(super) fn write_exits<D: Reduce>(&self, shared: &Shared<'_, D>, block: BlockId, summary: &Summary<'_, D>) -> Option<Vec<u8>> {
        let scope = shared.scope(block);
        let mut out = ByteWriter::default();
        out.number(summary.exits.len() as u64);
        for exit in &summary.exits {
            out.number(scope.block.exits.iter().position(|&location| location == exit.location)? as u64);
            shared.domain.write_state(&summary.entry, &exit.state, self.names, &scope, &mut out)?;
        }
        Some(out.bytes)
    }

    /// What [`write_exits`](Self::write_exits) wrote, for a state that is written as that at the other entry.
    pub(super) fn read_exits<D: Reduce>(
        &self,
        shared: &Shared<'_, D>,
        worker: &mut D::Worker,
        block: BlockId,
        entry: &D::State,
        bytes: &[u8],
    ) -> Option<Vec<(LocationId, D::State)>> {
        let scope = shared.scope(block);
        let mut from = ByteReader::new(bytes);
        let mut exits = Vec::new();
        for _ in 0..from.number()? {
            let location = *scope.block.exits.get(from.small()? as usize)?;
            exits.push((location, shared.domain.read_state(worker, entry, self.names, &scope, &mut from)?));
        }
        from.is_at_end().then_some(exits)
    }

    /// Reads a record, if it is of the code that this program has.
    fn read<D: Reduce>(
        &self,
        shared: &Shared<'_, D>,
        worker: &mut D::Worker,
        block: BlockId,
        entry: &D::State,
        value: &[u8],
    ) -> Result<Record<D::State>, Mismatch> {
        let bad = || Mismatch::Unreadable;
        let scope = shared.scope(block);
        let mut from = ByteReader::new(value);
        for _ in 0..from.number().ok_or_else(bad)? {
            let name = from.text().ok_or_else(bad)?;
            if !self.is_same(name, from.raw(32).ok_or_else(bad)?) {
                return Err(Mismatch::Changed(name.to_string()));
            }
        }
        let found = self.regions.read(&scope, from.data().ok_or_else(bad)?)?;
        let states = from.number().ok_or_else(bad)?;
        let mut exits = Vec::new();
        for _ in 0..from.number().ok_or_else(bad)? {
            let number = from.small().ok_or_else(bad)? as usize;
            let location = found.locations.get(number).filter(|location| scope.block.exits.contains(location));
            let location = *location.ok_or_else(|| Mismatch::Changed(scope.program.functions[scope.block.function].name.clone()))?;
            exits.push((location, shared.domain.read_state(worker, entry, self.names, &scope, &mut from).ok_or_else(bad)?));
        }
        from.is_at_end().then_some(Record { states, exits, region: found.region.clone() }).ok_or_else(bad)
    }

    /// Where the exploration of a summary went, with what it rests on; `None` if a graph is missing.
    fn region<D: Reduce>(&self, shared: &Shared<'_, D>, summary: &Summary<'_, D>) -> Option<Arc<Region>> {
        // Blocks of functions that call each other rest on each other in circles; no other block does. So the regions
        // of all others are made from inside out, each once.
        let mut stack = vec![(summary.id, false)];
        let mut seen: FastSet<SummaryId> = FastSet::default();
        while let Some((id, is_ready)) = stack.pop() {
            let known = shared.summaries.get(id);
            let inner = match &known {
                Some(known) if known.region().is_some() => continue,
                Some(Known::Here(inner)) => inner,
                _ if id == summary.id => return self.region_of_graphs(shared, summary),
                _ => return None,
            };
            if is_ready || inner.block.is_some_and(|block| shared.component(block).is_some()) {
                let region = self.region_of_graphs(shared, inner)?;
                let _ = inner.region.set(region);
            } else if seen.insert(id) {
                stack.push((id, true));
                stack.extend(inner.rests_on.iter().map(|&id| (id, false)));
            }
        }
        summary.region.get().cloned()
    }

    fn region_of_graphs<D: Reduce>(&self, shared: &Shared<'_, D>, summary: &Summary<'_, D>) -> Option<Arc<Region>> {
        let mut region = Growing::default();
        region.add_graph(shared, &*summary.graph()?);
        let mut seen: FastSet<SummaryId> = FastSet::default();
        seen.insert(summary.id);
        let mut work = summary.rests_on.clone();
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            let known = shared.summaries.get(id)?;
            match (known.region(), known.here()) {
                (Some(inner), _) => region.add_region(&inner),
                (None, Some(inner)) => {
                    region.add_graph(shared, &*inner.graph()?);
                    work.extend(inner.rests_on.iter().copied());
                }
                (None, None) => return None,
            }
        }
        Some(Arc::new(region.finish()))
    }

    /// Writes the checked summaries of one job, those that read back as they are, and the paths to their exits.
    pub(super) fn store_all<D: Reduce>(&self, shared: &Shared<'_, D>, worker: &mut D::Worker, summaries: &[Arc<Summary<'_, D>>]) {
        // They can rest on each other, and paths go through what they rest on.
        summaries.iter().for_each(|summary| self.store(shared, worker, summary));
        for summary in summaries {
            if let Some(key) = summary.key.get()
                && let Some(paths) = paths::write(self, shared, self.names, summary)
            {
                self.store.put(paths::key(key), paths);
            }
        }
    }

    /// The steps to an exit of a summary, down to single ones.
    pub(super) fn path(&self, key: &Hash, exit: usize) -> Option<Vec<Step>> {
        let steps = paths::read(self, self.store, self.names, key, exit)?;
        self.counters.paths.fetch_add(1, Ordering::Relaxed);
        Some(steps)
    }

    fn store<D: Reduce>(&self, shared: &Shared<'_, D>, worker: &mut D::Worker, summary: &Summary<'_, D>) {
        let Some(block) = summary.block else { return };
        match self.record(shared, worker, block, summary) {
            Some((key, value)) => {
                self.counters.written.fetch_add(1, Ordering::Relaxed);
                let _ = summary.key.set(hash_of_record(&key, &value));
                self.store.put(key, value);
            }
            None => {
                self.counters.not_portable.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// The key and the record of a summary, if it reads back as it is.
    pub(super) fn record<D: Reduce>(
        &self,
        shared: &Shared<'_, D>,
        worker: &mut D::Worker,
        block: BlockId,
        summary: &Summary<'_, D>,
    ) -> Option<(Vec<u8>, Vec<u8>)> {
        let key = self.key(shared, block, &summary.entry)?;
        let scope = shared.scope(block);
        let written = self.regions.write(&scope, &self.region(shared, summary)?)?;
        let mut exits = ByteWriter { bytes: Vec::new(), places_in: key.places_in };
        exits.data(&written.bytes);
        exits.number(summary.counters.states);
        exits.number(summary.exits.len() as u64);
        for exit in &summary.exits {
            exits.number(*written.numbers.get(&exit.location)?);
            shared.domain.write_state(&summary.entry, &exit.state, self.names, &scope, &mut exits)?;
        }
        let mut out = ByteWriter::default();
        out.number(exits.places_in.len() as u64);
        for name in &exits.places_in {
            out.text(name);
            out.bytes.extend_from_slice(self.function(self.names.function(name)?));
        }
        out.bytes.extend_from_slice(&exits.bytes);
        let record = self.read(shared, worker, block, &summary.entry, &out.bytes).ok()?;
        let same = record.exits.iter().zip(&summary.exits).all(|(read, exit)| read.0 == exit.location && read.1 == exit.state);
        same.then_some((key.bytes, out.bytes))
    }
}

/// Tells records apart, also those under the same key.
fn hash_of_record(key: &[u8], value: &[u8]) -> Hash {
    let mut hash = Sha256::new();
    hash.update((key.len() as u64).to_le_bytes());
    hash.update(key);
    hash.update(value);
    hash.finalize().into()
}
