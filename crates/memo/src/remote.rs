//! Blocks that other machines explore. A question is a block, the reduced state at its entry and the precision, all in
//! the portable form in which the cache on disk keeps them; the answer is its exits, in the same form. Many questions
//! go in one message, because a block can take less time than a message. How bytes travel is another caller's business
//! ([`Workers`]).
//!
//! Nothing rests on an answer that does not come: the job is then explored here. Both sides have the same program, and
//! compare that: the hash of all code is in each message, and for each question the hash of the key that either makes
//! of it, so that a question that was not understood is noticed. Answers are read as records from a disk are. Only
//! clean summaries are sent; these have written nothing into the ledger, so that no line of it has to travel. They are
//! checked with all that they rest on where they were made, most of them when a proof is about to rest on them
//! (`confirm`).

use super::cache::BlockCell;
use super::confirm::Unconfirmed;
use super::disk::{Disk, Hash};
use super::reduce::Reduce;
use super::scheduler::Scheduler;
use super::sequential::Sequential;
use super::shared::Shared;
use super::summary::{Summary, SummaryId};
use super::{Bam, IterationEnd};
use assay_base::{ByteReader, ByteWriter, FastSet, Id, Stats};
use assay_cfa::blocks::BlockId;
use sha2::{Digest, Sha256};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Those who explore blocks elsewhere.
pub trait Workers: Send + Sync {
    /// How many questions they take at a time, at most.
    fn slots(&self) -> usize;
    /// How many of them have nothing to do.
    fn free(&self) -> usize;
    /// Hands a message to one of them (to the one of this name, if one is given) and waits for the answer. `None` if
    /// nothing is free, the caller that had it is silent, or `wanted` says that it is not wanted any more.
    fn ask(&self, whom: Option<&str>, message: &[u8], wanted: &dyn Fn() -> bool) -> Option<Reply>;
}

/// An answer, and the name of the caller that gave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// As in [`Workers::ask`].
    pub from: String,
    /// What was said.
    pub bytes: Vec<u8>,
}

/// What a message begins with: blocks are to be explored.
pub(super) const EXPLORE: u8 = 0;
/// Summaries that were sent before are to be checked.
pub(super) const CONFIRM: u8 = 1;

/// What was asked, and what came of it.
#[derive(Debug, Default)]
pub struct RemoteCounters {
    /// Messages that were sent.
    pub messages: AtomicU64,
    /// Questions in them, and the bytes of the messages.
    pub sent: AtomicU64,
    /// As above.
    pub sent_bytes: AtomicU64,
    /// Summaries that came back and are used, and the bytes of the answers.
    pub received: AtomicU64,
    /// As above.
    pub received_bytes: AtomicU64,
    /// Questions without an answer; explored here.
    pub silent: AtomicU64,
    /// Questions that a worker could not answer with a summary, because there is a target in the block, or it is not
    /// portable; explored here.
    pub refused: AtomicU64,
    /// Questions whose answers were damaged, or are of something else; explored here.
    pub damaged: AtomicU64,
    /// Summaries on the server that were not what was put there; workers explored the blocks anew.
    pub damaged_in_store: AtomicU64,
    /// States that workers explored.
    pub states: AtomicU64,
    /// Summaries that were checked where they were made, after they were sent.
    pub confirmed: AtomicU64,
    /// Summaries whose maker could not be asked any more; their blocks were explored again here.
    pub unconfirmed: AtomicU64,
    /// Blocks in states, or with precisions, that have no form that another machine could read.
    pub not_portable: AtomicU64,
    /// The time from questions to answers, and that of it in which workers were exploring, in microseconds.
    pub waited_micros: AtomicU64,
    /// As above.
    pub worked_micros: AtomicU64,
    /// The time in which this side wrote questions and read answers, in microseconds.
    pub own_micros: AtomicU64,
}

impl RemoteCounters {
    /// Adds them to the statistics under the names that `--stats` prints.
    pub(super) fn add_to(&self, stats: &mut Stats) {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        stats.add("messages to workers", read(&self.messages));
        stats.add("blocks sent to workers", read(&self.sent));
        stats.add("bytes of blocks sent", read(&self.sent_bytes));
        stats.add("summaries from workers", read(&self.received));
        stats.add("states explored by workers", read(&self.states));
        stats.add("bytes of answers from workers", read(&self.received_bytes));
        stats.add("blocks without an answer from workers", read(&self.silent));
        stats.add("blocks without a summary from workers", read(&self.refused));
        stats.add("damaged answers from workers", read(&self.damaged));
        stats.add("damaged summaries on the server", read(&self.damaged_in_store));
        stats.add("summaries checked by workers at the end", read(&self.confirmed));
        stats.add("summaries of workers that were gone at the end", read(&self.unconfirmed));
        stats.add("blocks that cannot be sent", read(&self.not_portable));
        stats.time("waiting for workers", Duration::from_micros(read(&self.waited_micros)));
        stats.time("writing and reading for workers", Duration::from_micros(read(&self.own_micros)));
        stats.time("work of workers", Duration::from_micros(read(&self.worked_micros)));
    }
}

/// The machines of a run, and how it speaks with them.
pub struct Remote<'a> {
    pub(super) workers: &'a dyn Workers,
    codec: Disk<'a>,
    /// Whether all blocks are left to the workers, also where that does not pay.
    pub(super) all: bool,
    /// Of all code of the program.
    code: OnceLock<Hash>,
    /// What is used and not checked yet.
    pub(super) unconfirmed: Unconfirmed,
    /// Whether nothing is asked any more.
    is_over: AtomicBool,
    /// What came of it so far.
    pub counters: RemoteCounters,
}

/// What became of a block that was sent.
pub(super) struct Explored<'d, D: Reduce> {
    /// None where it has to be explored here.
    pub(super) summary: Option<Arc<Summary<'d, D>>>,
    /// Who was at work on it, if anybody was, and when, by the clock of this machine.
    pub(super) machine: Option<Arc<str>>,
    pub(super) begin: Instant,
    pub(super) end: Instant,
}

/// Where the whole precision is the one that every run begins with, nothing has to be said about it.
fn pack_precision<D: Reduce>(codec: &Disk<'_>, shared: &Shared<'_, D>) -> Option<Vec<u8>> {
    let (domain, precision) = (shared.domain, &shared.iteration.precision);
    let fingerprint = domain.precision_fingerprint(precision);
    if fingerprint == domain.precision_fingerprint(&domain.initial_precision()) {
        return Some(Vec::new());
    }
    let mut out = ByteWriter::default();
    domain.pack_precision(precision, codec.names, &mut out)?;
    let again = domain.unpack_precision(codec.names, &mut ByteReader::new(&out.bytes))?;
    (domain.precision_fingerprint(&again) == fingerprint).then_some(out.bytes)
}

/// Of all code of a program.
fn code_of(codec: &Disk<'_>) -> Hash {
    let mut hash = Sha256::new();
    codec.names.program.functions.ids().for_each(|function| hash.update(codec.function(function)));
    hash.finalize().into()
}

/// The hash of a key: whether both sides mean the same.
fn hash_of_key(key: &[u8]) -> Hash {
    Sha256::digest(key).into()
}

/// Ties an answer to the message that it is of.
pub(super) fn check_of(message: &[u8], answer: &[u8]) -> Hash {
    let mut hash = Sha256::new();
    hash.update((message.len() as u64).to_le_bytes());
    hash.update(message);
    hash.update(answer);
    hash.finalize().into()
}

impl<'a> Remote<'a> {
    /// `codec` makes the keys and reads states; its store is not asked. With `all`, whatever can be sent is sent.
    pub fn new(workers: &'a dyn Workers, codec: Disk<'a>, all: bool) -> Self {
        Remote {
            workers,
            codec,
            all,
            code: OnceLock::new(),
            unconfirmed: Unconfirmed::default(),
            is_over: AtomicBool::new(false),
            counters: RemoteCounters::default(),
        }
    }

    /// Asks nothing any more; `false` if that was so before.
    pub(super) fn give_up(&self) -> bool {
        !self.is_over.swap(true, Ordering::Relaxed)
    }
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// What a block costs this side to have it explored elsewhere; `None` before anything is known.
    pub(super) fn cost(&self) -> Option<Duration> {
        let sent = self.counters.sent.load(Ordering::Relaxed);
        self.counters.own_micros.load(Ordering::Relaxed).checked_div(sent).map(Duration::from_micros)
    }

    /// Has blocks explored elsewhere; those without a summary have to be explored here. There is one result for each.
    pub(super) fn explore<'d, D: Reduce>(
        &self,
        shared: &Shared<'d, D>,
        worker: &mut D::Worker,
        cells: &[&BlockCell<'d, D>],
        wanted: &dyn Fn() -> bool,
    ) -> Vec<Explored<'d, D>> {
        let add = |counter: &AtomicU64, count: u64| counter.fetch_add(count, Ordering::Relaxed);
        // Once for all; it says nothing about what a block costs.
        self.code();
        let begin = Instant::now();
        let nothing = || cells.iter().map(|_| Explored { summary: None, machine: None, begin, end: Instant::now() }).collect();
        let questions: Vec<Option<Vec<u8>>> = cells.iter().map(|cell| self.question(shared, cell)).collect();
        let count = questions.iter().flatten().count() as u64;
        add(&self.counters.not_portable, cells.len() as u64 - count);
        let Some(message) = self.message(shared, &questions).filter(|_| count > 0) else { return nothing() };
        let asked = Instant::now();
        let reply = self.workers.ask(None, &message, wanted);
        let waited = asked.elapsed();
        if reply.is_none() && !wanted() {
            return nothing();
        }
        add(&self.counters.messages, 1);
        add(&self.counters.sent, count);
        add(&self.counters.sent_bytes, message.len() as u64);
        let Some(Reply { from, bytes: answer }) = reply else {
            add(&self.counters.silent, count);
            return nothing();
        };
        add(&self.counters.received_bytes, answer.len() as u64);
        add(&self.counters.waited_micros, waited.as_micros() as u64);
        let Some(parts) = Answers::read(&message, &answer, count) else {
            add(&self.counters.damaged, count);
            return nothing();
        };
        add(&self.counters.damaged_in_store, parts.damaged_in_store);
        // One after the other, with half of what the messages took before the first.
        let worked: Duration = parts.list.iter().map(|part| Duration::from_micros(part.micros)).sum();
        let mut at = asked + waited.saturating_sub(worked) / 2;
        let mut parts = parts.list.into_iter();
        let mut found = Vec::with_capacity(cells.len());
        let from: Arc<str> = from.into();
        for (cell, question) in cells.iter().zip(&questions) {
            let Some(part) = question.as_ref().and_then(|_| parts.next()) else {
                found.push(Explored { summary: None, machine: None, begin: at, end: at });
                continue;
            };
            let begin = at;
            at += Duration::from_micros(part.micros);
            let summary = self.accept(shared, worker, cell, &part, &from);
            found.push(Explored { summary, machine: Some(from.clone()), begin, end: at });
        }
        add(&self.counters.own_micros, begin.elapsed().saturating_sub(waited).as_micros() as u64);
        found
    }

    pub(super) fn code(&self) -> &Hash {
        self.code.get_or_init(|| code_of(&self.codec))
    }

    /// What is said before all questions, and the questions.
    fn message<D: Reduce>(&self, shared: &Shared<'_, D>, questions: &[Option<Vec<u8>>]) -> Option<Vec<u8>> {
        let precision = shared.iteration.packed.get_or_init(|| pack_precision(&self.codec, shared)).as_ref()?;
        let mut out = ByteWriter { bytes: vec![EXPLORE], ..ByteWriter::default() };
        out.bytes.extend_from_slice(self.code());
        out.data(precision);
        out.number(questions.iter().flatten().count() as u64);
        questions.iter().flatten().for_each(|question| out.bytes.extend_from_slice(question));
        Some(out.bytes)
    }

    fn question<D: Reduce>(&self, shared: &Shared<'_, D>, cell: &BlockCell<'_, D>) -> Option<Vec<u8>> {
        let block = cell.block?;
        let key = self.codec.key(shared, block, &cell.state)?;
        let mut entry = ByteWriter::default();
        shared.domain.write_entry(&cell.state, self.codec.names, &shared.scope(block), &mut entry)?;
        let mut out = ByteWriter::default();
        out.number(block.index() as u64);
        out.bytes.extend_from_slice(&hash_of_key(&key.bytes));
        out.data(&entry.bytes);
        Some(out.bytes)
    }

    /// Makes a summary of an answer.
    fn accept<'d, D: Reduce>(
        &self,
        shared: &Shared<'d, D>,
        worker: &mut D::Worker,
        cell: &BlockCell<'d, D>,
        part: &Part<'_>,
        from: &str,
    ) -> Option<Arc<Summary<'d, D>>> {
        let add = |counter: &AtomicU64, count: u64| counter.fetch_add(count, Ordering::Relaxed);
        let block = cell.block?;
        add(&self.counters.worked_micros, part.micros);
        add(&self.counters.states, part.states);
        let Some((number, exits)) = part.found else {
            add(&self.counters.refused, 1);
            return None;
        };
        let Some(exits) = self.codec.read_exits(shared, worker, block, &cell.state, exits) else {
            add(&self.counters.damaged, 1);
            return None;
        };
        add(&self.counters.received, 1);
        shared.took(Some(block), Duration::from_micros(part.micros));
        shared.explored_elsewhere(block, part.states);
        let summary = Arc::new(Summary::of_exits(shared.summaries.reserve(), block, cell.state.clone(), exits));
        if let Some(number) = number.checked_sub(1) {
            self.unconfirmed.add(summary.id, from, number);
        }
        shared.summaries.publish(summary.clone());
        Some(summary)
    }
}

/// The parts of an answer.
struct Answers<'b> {
    damaged_in_store: u64,
    list: Vec<Part<'b>>,
}

/// The answer to one question.
struct Part<'b> {
    /// How long it took, in microseconds, and how many states were explored.
    micros: u64,
    states: u64,
    /// What was found, and under which number it has to be asked for before a proof rests on it (one more than that;
    /// zero for what was checked). None where there is no summary.
    found: Option<(u64, &'b [u8])>,
}

impl<'b> Answers<'b> {
    /// Reads an answer to a message of so many questions.
    fn read(message: &[u8], answer: &'b [u8], count: u64) -> Option<Answers<'b>> {
        let (hash, rest) = answer.split_at_checked(32)?;
        if check_of(message, rest) != hash {
            return None;
        }
        let mut from = ByteReader::new(rest);
        let damaged_in_store = from.number()?;
        let mut list = Vec::new();
        for _ in 0..count {
            let (micros, states) = (from.number()?, from.number()?);
            list.push(Part { micros, states, found: if from.flag()? { Some((from.number()?, from.data()?)) } else { None } });
        }
        from.is_at_end().then_some(Answers { damaged_in_store, list })
    }
}

/// The side that explores for others.
pub struct Service<'a> {
    pub(super) codec: Disk<'a>,
    pub(super) code: Hash,
    /// Something was found that must not be: nothing is answered any more.
    pub(super) broken: bool,
    /// Summaries that were checked, with all that they rest on.
    pub(super) sound: FastSet<SummaryId>,
    /// Summaries that other runs should have once they are checked.
    pub(super) to_keep: FastSet<SummaryId>,
    /// How long it explored and how long it checked.
    explored: Duration,
    checked: Duration,
}

impl<'a> Service<'a> {
    /// `codec` makes the keys and has the store in which summaries are kept.
    pub fn new(codec: Disk<'a>) -> Self {
        let code = code_of(&codec);
        let (sound, to_keep) = (FastSet::default(), FastSet::default());
        Service { codec, code, broken: false, sound, to_keep, explored: Duration::ZERO, checked: Duration::ZERO }
    }

    /// Answers a message: what is known here is used, then what the store has, and what took long is put there.
    /// Questions that `wanted` says nothing waits for any more are given up.
    pub fn answer<D: Reduce>(
        &mut self,
        bam: &mut Bam<'_, D>,
        worker: &mut D::Worker,
        message: &[u8],
        wanted: &(dyn Fn() -> bool + Sync),
    ) -> Vec<u8> {
        let damaged = self.codec.store.damaged();
        let mut list = ByteWriter::default();
        // A message names the code that it is about. The caller that asked notices that something is missing.
        let asked = message.split_first().and_then(|(&kind, rest)| Some((kind, rest.split_at_checked(32)?)));
        let _ = match asked {
            Some((EXPLORE, (code, rest))) if code == self.code => self.answer_all(bam, worker, rest, wanted, &mut list),
            Some((CONFIRM, (code, rest))) if code == self.code => self.confirm_all(&bam.shared, worker, rest, wanted, &mut list),
            _ => None,
        };
        let mut out = ByteWriter::default();
        out.number(self.codec.store.damaged().saturating_sub(damaged));
        out.bytes.extend_from_slice(&list.bytes);
        [check_of(message, &out.bytes).as_slice(), &out.bytes].concat()
    }

    fn answer_all<D: Reduce>(
        &mut self,
        bam: &mut Bam<'_, D>,
        worker: &mut D::Worker,
        message: &[u8],
        wanted: &(dyn Fn() -> bool + Sync),
        out: &mut ByteWriter,
    ) -> Option<()> {
        let mut from = ByteReader::new(message);
        let domain = bam.shared.domain;
        let precision = match from.data()? {
            [] => domain.initial_precision(),
            bytes => domain.unpack_precision(self.codec.names, &mut ByteReader::new(bytes))?,
        };
        if domain.precision_fingerprint(&precision) != domain.precision_fingerprint(&bam.shared.iteration.precision) {
            bam.shared.set_precision(precision);
        }
        let shared = &bam.shared;
        shared.quiescence.go_on();
        let count = from.number()?;
        watched(shared, wanted, || {
            for _ in 0..count {
                let (begin, before) = (Instant::now(), shared.counters.explored.load(Ordering::Relaxed));
                let (block, key, entry) = (from.small()?, from.raw(32)?, from.data()?);
                let found = self.answer_one(shared, worker, block, key, entry);
                out.number(begin.elapsed().as_micros() as u64);
                out.number(shared.counters.explored.load(Ordering::Relaxed) - before);
                out.flag(found.is_some());
                if let Some((number, exits)) = found {
                    out.number(number);
                    out.data(&exits);
                }
            }
            Some(())
        })
    }

    /// The exits of a block, and the number as in [`Part`].
    fn answer_one<D: Reduce>(
        &mut self,
        shared: &Shared<'_, D>,
        worker: &mut D::Worker,
        block: u32,
        key: &[u8],
        entry: &[u8],
    ) -> Option<(u64, Vec<u8>)> {
        let begin = Instant::now();
        if self.broken || shared.quiescence.is_stopped() || block as usize >= shared.blocks.blocks.len() {
            return None;
        }
        let block = BlockId::from_index(block as usize);
        let mut entry = ByteReader::new(entry);
        let state = shared.domain.read_entry(worker, self.codec.names, &shared.scope(block), &mut entry)?;
        let own_key = self.codec.key(shared, block, &state).filter(|_| entry.is_at_end())?;
        if hash_of_key(&own_key.bytes) != key {
            return None;
        }
        let mut summary = shared.cache.find(shared, worker, block, &state);
        // The store is asked for what usually takes longer than asking.
        let asks = shared.usual_span(block).is_none_or(|span| span >= WORTH_KEEPING);
        if summary.is_none() && asks {
            summary = self.codec.load(shared, worker, block, &state);
            if let Some(summary) = &summary {
                shared.cache.publish(shared, summary.clone());
                self.sound.insert(summary.id);
            }
        }
        let summary = match summary {
            Some(summary) => summary,
            None => {
                let summary = explore(shared, worker, block, state)?;
                shared.cache.publish(shared, summary.clone());
                self.consider(shared, worker, &summary, begin.elapsed());
                summary
            }
        };
        if self.broken || !summary.clean {
            return None;
        }
        let number = if self.sound.contains(&summary.id) { 0 } else { summary.id.index() as u64 + 1 };
        Some((number, self.codec.write_exits(shared, block, &summary)?))
    }

    /// What took long is kept for other runs, as soon as it is checked. A check takes as long as the exploration, so it
    /// is done at once only for what is much to lose, and for some of the rest.
    fn consider<D: Reduce>(&mut self, shared: &Shared<'_, D>, worker: &mut D::Worker, summary: &Arc<Summary<'_, D>>, span: Duration) {
        self.explored += span;
        if !summary.clean || span < WORTH_KEEPING {
            return;
        }
        self.to_keep.insert(summary.id);
        if span >= MUCH_TO_LOSE || self.checked * CHECKED_SHARE <= self.explored {
            let begin = Instant::now();
            self.confirm(shared, worker, summary.id);
            self.checked += begin.elapsed();
        }
    }
}

/// Summaries that take less than this are found anew sooner than they are fetched.
const WORTH_KEEPING: Duration = Duration::from_millis(10);
/// Summaries that take more than this are checked and kept at once.
const MUCH_TO_LOSE: Duration = Duration::from_millis(200);
/// Of smaller ones, as many as can be checked in this part of the time of exploring.
const CHECKED_SHARE: u32 = 16;

/// Works while another caller looks whether it is wanted; the quiescence is told to stop when it is not.
pub(super) fn watched<D: Reduce, T>(shared: &Shared<'_, D>, wanted: &(dyn Fn() -> bool + Sync), work: impl FnOnce() -> T) -> T {
    let (quiescence, is_over) = (&shared.quiescence, AtomicBool::new(false));
    std::thread::scope(|scope| {
        // Also where the work panics, so that nothing waits for the one that watches it.
        let over = SetAtEnd(&is_over);
        let watcher = scope.spawn(|| {
            while !is_over.load(Ordering::SeqCst) {
                if !wanted() {
                    quiescence.stop();
                }
                std::thread::park_timeout(Duration::from_millis(10));
            }
        });
        let result = work();
        drop(over);
        watcher.thread().unpark();
        result
    })
}

struct SetAtEnd<'s>(&'s AtomicBool);

impl Drop for SetAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Explores a block with all that is in it, if nothing comes between.
fn explore<'a, D: Reduce>(shared: &Shared<'a, D>, worker: &mut D::Worker, block: BlockId, state: D::State) -> Option<Arc<Summary<'a, D>>> {
    let cell = BlockCell::new(Some(block), shared.precision_of(block).1, state, None);
    let mut sequential = Sequential::new(shared, cell);
    if let IterationEnd::Finished(summary) = sequential.run(shared, worker) {
        return Some(summary);
    }
    // What is complete may be asked for again.
    let _ = sequential.retire(shared, worker);
    drop(sequential);
    shared.cache.drop_unfinished();
    None
}
