//! Summaries that leave memory while a run still needs them: they go to a file without a name and are read back when
//! they are asked for again.
//!
//! The file loses its name as soon as it is made, so that nothing is left of it however the run ends. A summary is
//! written in the portable form of [`Reduce::write_state`], and only if it reads back as it is; others stay in memory.
//! Nothing needs to know the entry state to read one: the caller that asks has it, and it is compared in full.

use super::reduce::Reduce;
use super::shared::Shared;
use super::store::hash;
use super::summary::{Away, Exit, Summary, SummaryId};
use assay_base::{ByteReader, ByteWriter, Id};
use assay_cfa::blocks::BlockId;
use assay_cfa::portable::Names;
use assay_cpa::arg::NodeId;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// What became of the summaries that were to leave memory.
#[derive(Debug, Default)]
pub struct SpillCounters {
    /// Removed from memory.
    pub spilled: AtomicU64,
    /// Asked for again, and put back into memory.
    pub read_back: AtomicU64,
    /// Stayed, because their states have no portable form.
    pub not_portable: AtomicU64,
    /// Bytes in the file.
    pub bytes: AtomicU64,
}

/// Where a summary is in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpillPlace {
    offset: u64,
    length: u32,
    checksum: u64,
}

/// The file, made when it is needed first.
pub struct Spill<'a> {
    names: &'a Names<'a>,
    folder: PathBuf,
    file: OnceLock<Option<File>>,
    end: AtomicU64,
    failed: AtomicBool,
    note: OnceLock<String>,
    /// What was written and read so far.
    pub counters: SpillCounters,
}

impl<'a> Spill<'a> {
    /// The file will be in the folder.
    pub fn new(folder: PathBuf, names: &'a Names<'a>) -> Self {
        Spill {
            names,
            folder,
            file: OnceLock::new(),
            end: AtomicU64::new(0),
            failed: AtomicBool::new(false),
            note: OnceLock::new(),
            counters: SpillCounters::default(),
        }
    }

    /// What the user should know.
    pub fn note(&self) -> Option<&str> {
        self.note.get().map(String::as_str)
    }
    /// Whether more can be written.
    pub(super) fn is_open(&self) -> bool {
        !self.failed.load(Ordering::Relaxed)
    }

    fn fail(&self, what: &str, error: &io::Error) {
        self.failed.store(true, Ordering::Relaxed);
        let _ = self.note.set(format!("summaries cannot be moved to {}: {what}: {error}", self.folder.display()));
    }

    fn file(&self) -> Option<&File> {
        let open = || nameless(&self.folder).map_err(|error| self.fail("no file can be made", &error)).ok();
        self.file.get_or_init(open).as_ref()
    }

    fn append(&self, bytes: &[u8]) -> Option<SpillPlace> {
        let length = u32::try_from(bytes.len()).ok()?;
        let offset = self.end.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if let Err(error) = self.file()?.write_all_at(bytes, offset) {
            self.fail("writing failed", &error);
            return None;
        }
        self.counters.bytes.fetch_add(u64::from(length), Ordering::Relaxed);
        Some(SpillPlace { offset, length, checksum: hash(2, bytes) })
    }

    fn fetch(&self, place: SpillPlace) -> Option<Vec<u8>> {
        let mut bytes = vec![0; place.length as usize];
        self.file()?.read_exact_at(&mut bytes, place.offset).ok()?;
        (hash(2, &bytes) == place.checksum).then_some(bytes)
    }

    /// Writes a summary, unless it is in the file already; `None` if it must stay in memory.
    pub(super) fn write<D: Reduce>(
        &self,
        shared: &Shared<'_, D>,
        worker: &mut D::Worker,
        block: BlockId,
        summary: &Summary<'_, D>,
    ) -> Option<SpillPlace> {
        if let Some(place) = summary.place.get() {
            return Some(*place);
        }
        let Some(record) = self.record(shared, worker, block, summary) else {
            self.counters.not_portable.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        self.append(&record)
    }

    fn record<D: Reduce>(
        &self,
        shared: &Shared<'_, D>,
        worker: &mut D::Worker,
        block: BlockId,
        summary: &Summary<'_, D>,
    ) -> Option<Vec<u8>> {
        let scope = shared.scope(block);
        let mut out = ByteWriter::default();
        out.data(&self.entry(shared, block, &summary.entry)?);
        out.number(summary.exits.len() as u64);
        for exit in &summary.exits {
            out.number(scope.block.exits.iter().position(|&location| location == exit.location)? as u64);
            out.number(exit.node.index() as u64);
            shared.domain.write_state(&summary.entry, &exit.state, self.names, &scope, &mut out)?;
        }
        let read = self.exits(shared, worker, block, &summary.entry, &out.bytes)?;
        let mut pairs = read.iter().zip(&summary.exits);
        pairs.all(|(a, b)| a.node == b.node && a.location == b.location && a.state == b.state).then_some(out.bytes)
    }

    fn entry<D: Reduce>(&self, shared: &Shared<'_, D>, block: BlockId, state: &D::State) -> Option<Vec<u8>> {
        let mut out = ByteWriter::default();
        shared.domain.write_state(state, state, self.names, &shared.scope(block), &mut out)?;
        Some(out.bytes)
    }

    /// The exits of a record, if it is of this entry.
    fn exits<D: Reduce>(
        &self,
        shared: &Shared<'_, D>,
        worker: &mut D::Worker,
        block: BlockId,
        entry: &D::State,
        record: &[u8],
    ) -> Option<Vec<Exit<D::State>>> {
        let scope = shared.scope(block);
        let mut from = ByteReader::new(record);
        if from.data()? != self.entry(shared, block, entry)? {
            return None;
        }
        let mut exits = Vec::new();
        for _ in 0..from.number()? {
            let location = *scope.block.exits.get(from.small()? as usize)?;
            let node = NodeId::from_index(from.small()? as usize);
            exits.push(Exit { node, location, state: shared.domain.read_state(worker, entry, self.names, &scope, &mut from)? });
        }
        from.is_at_end().then_some(exits)
    }

    /// Reads a summary back, if it is of this entry.
    pub(super) fn read<'d, D: Reduce>(
        &self,
        shared: &Shared<'d, D>,
        worker: &mut D::Worker,
        id: SummaryId,
        away: &Away,
        entry: &D::State,
    ) -> Option<Arc<Summary<'d, D>>> {
        let exits = self.exits(shared, worker, away.block, entry, &self.fetch(away.place)?)?;
        Some(Arc::new(Summary::of_away(id, away, entry.clone(), exits)))
    }
}

/// A file that only this process can see, and that is gone when it ends.
fn nameless(folder: &Path) -> io::Result<File> {
    // Whatever dies between these lines leaves a name that the store of the folder removes after a while.
    let path = folder.join(format!("assay-spill-{}-{:x}.part", std::process::id(), unique()));
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

/// Tells the files of one process apart.
fn unique() -> u128 {
    std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_nanos())
}
