//! Checks of summaries that other machines made. A check takes as long as the exploration, so, as in one process, it is
//! left to the end: when a proof is about to rest on summaries of others, each of these is asked to check what it sent.
//! Whatever nothing confirms (its maker is gone, or found a defect) is explored once more here and checked here.
//!
//! Summaries may rest on each other in circles: every graph is closed with the exits of others in place of their
//! blocks, so that by induction over the length of executions nothing is missing in any of them.

use super::check::check_summary;
use super::path::explore_again;
use super::reduce::Reduce;
use super::remote::{CONFIRM, Remote, Service, check_of, watched};
use super::shared::Shared;
use super::summary::{Known, Summary, SummaryId};
use assay_base::{ByteReader, ByteWriter, FastMap, FastSet, Id, Obstacle};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// How many are asked for in one message, so that the loss of a message costs little.
const AT_ONCE: usize = 500;

/// Summaries that are used and not checked yet: who made each, and its number there.
#[derive(Default)]
pub(super) struct Unconfirmed {
    list: Mutex<FastMap<SummaryId, (Arc<str>, u64)>>,
    /// Each name once.
    names: Mutex<FastSet<Arc<str>>>,
}

impl Unconfirmed {
    fn lock(&self) -> MutexGuard<'_, FastMap<SummaryId, (Arc<str>, u64)>> {
        self.list.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub(super) fn add(&self, id: SummaryId, from: &str, number: u64) {
        let mut names = self.names.lock().unwrap_or_else(|e| e.into_inner());
        let name = match names.get(from) {
            Some(name) => name.clone(),
            None => {
                let name: Arc<str> = from.into();
                names.insert(name.clone());
                name
            }
        };
        drop(names);
        self.lock().insert(id, (name, number));
    }
}

impl Remote<'_> {
    /// Makes sure that everything was checked that these summaries rest on and that others made.
    ///
    /// # Errors
    /// Something could not be confirmed, and why.
    pub(super) fn confirm<'d, D: Reduce>(
        &self,
        shared: &Shared<'d, D>,
        workers: &mut [D::Worker],
        root: SummaryId,
    ) -> Result<(), Obstacle> {
        let mut roots = vec![root];
        while let Some(root) = roots.pop() {
            let open: Vec<Arc<Summary<'d, D>>> = {
                let unconfirmed = self.unconfirmed.lock();
                let closure = shared.summaries.closure(root);
                closure.iter().filter_map(Known::here).filter(|summary| unconfirmed.contains_key(&summary.id)).cloned().collect()
            };
            self.ask_makers(shared, workers, &open);
            for summary in open {
                if !self.unconfirmed.lock().contains_key(&summary.id) {
                    continue;
                }
                let Some(worker) = workers.first_mut() else { return Err(Obstacle::unconfirmed("there is no worker")) };
                let again = self.explore_and_compare(shared, worker, &summary);
                let Some(again) = again else {
                    return Err(Obstacle::unconfirmed("a block that another machine explored could not be checked"));
                };
                self.counters.unconfirmed.fetch_add(1, Ordering::Relaxed);
                self.unconfirmed.lock().remove(&summary.id);
                // It may rest on others that are to be confirmed.
                roots.push(again);
            }
        }
        Ok(())
    }

    /// Asks everybody at the same time; what is confirmed is taken from the list.
    fn ask_makers<D: Reduce>(&self, shared: &Shared<'_, D>, workers: &mut [D::Worker], open: &[Arc<Summary<'_, D>>]) {
        let mut by_maker: BTreeMap<Arc<str>, Vec<(SummaryId, u64)>> = BTreeMap::new();
        {
            let unconfirmed = self.unconfirmed.lock();
            for summary in open {
                if let Some((from, number)) = unconfirmed.get(&summary.id) {
                    by_maker.entry(from.clone()).or_default().push((summary.id, *number));
                }
            }
        }
        let makers: Vec<_> = by_maker.into_iter().collect();
        let next = AtomicUsize::new(0);
        let wanted = || !shared.environment.cancel.is_stopped();
        super::parallel::on_all(workers, &|_, _| {
            while let Some((from, numbers)) = makers.get(next.fetch_add(1, Ordering::Relaxed)) {
                for part in numbers.chunks(AT_ONCE) {
                    let Some(confirmed) = self.ask_one(from, part, &wanted) else { break };
                    self.counters.confirmed.fetch_add(confirmed.len() as u64, Ordering::Relaxed);
                    let mut unconfirmed = self.unconfirmed.lock();
                    confirmed.iter().for_each(|id| {
                        unconfirmed.remove(id);
                    });
                }
            }
        });
    }

    fn ask_one(&self, from: &str, part: &[(SummaryId, u64)], wanted: &dyn Fn() -> bool) -> Option<Vec<SummaryId>> {
        let mut out = ByteWriter { bytes: vec![CONFIRM], ..ByteWriter::default() };
        out.bytes.extend_from_slice(self.code());
        out.number(part.len() as u64);
        part.iter().for_each(|(_, number)| out.number(*number));
        let reply = self.workers.ask(Some(from), &out.bytes, wanted)?;
        let (hash, rest) = reply.bytes.split_at_checked(32)?;
        if reply.from != from || check_of(&out.bytes, rest) != hash {
            return None;
        }
        let mut answer = ByteReader::new(rest);
        answer.number()?;
        let mut confirmed = Vec::new();
        for (id, _) in part {
            if answer.flag()? {
                confirmed.push(*id);
            }
        }
        answer.is_at_end().then_some(confirmed)
    }

    /// Explores the block of a summary once more and checks that: it may have no exit that the summary has not.
    fn explore_and_compare<'d, D: Reduce>(
        &self,
        shared: &Shared<'d, D>,
        worker: &mut D::Worker,
        summary: &Summary<'d, D>,
    ) -> Option<SummaryId> {
        let again = explore_again(shared, worker, summary).filter(|again| again.clean)?;
        let mut contained = again.exits.iter().all(|exit| {
            let mut at_same = summary.exits.iter().filter(|other| other.location == exit.location);
            at_same.any(|other| other.state == exit.state || shared.domain.covers(worker, &exit.state, &other.state))
        });
        // Remote summaries among them count as checked here; they are confirmed in turn.
        for known in shared.summaries.closure(again.id) {
            contained &= known.here().is_none_or(|inner| check_summary(shared, worker, inner).is_ok());
        }
        contained.then_some(again.id)
    }
}

impl Service<'_> {
    /// Answers for each number whether its summary was checked.
    pub(super) fn confirm_all<D: Reduce>(
        &mut self,
        shared: &Shared<'_, D>,
        worker: &mut D::Worker,
        message: &[u8],
        wanted: &(dyn Fn() -> bool + Sync),
        out: &mut ByteWriter,
    ) -> Option<()> {
        let mut from = ByteReader::new(message);
        let count = from.number()?;
        shared.quiescence.go_on();
        watched(shared, wanted, || {
            for _ in 0..count {
                let id = SummaryId::from_index(from.small()? as usize);
                out.flag(!shared.quiescence.is_stopped() && self.confirm(shared, worker, id));
            }
            Some(())
        })
    }

    /// Checks a summary and all that it rests on; what other runs should have is kept for them.
    pub(super) fn confirm<D: Reduce>(&mut self, shared: &Shared<'_, D>, worker: &mut D::Worker, id: SummaryId) -> bool {
        if self.broken || !shared.summaries.is_clean(id) {
            return false;
        }
        let (mut seen, mut work) = (FastSet::default(), vec![id]);
        while let Some(next) = work.pop() {
            if self.sound.contains(&next) || !seen.insert(next) {
                continue;
            }
            let Some(known) = shared.summaries.get(next) else { return false };
            work.extend_from_slice(known.rests_on());
            // What was moved to disk was checked before.
            if let Some(summary) = known.here()
                && let Err(defect) = check_summary(shared, worker, summary)
            {
                self.broken |= !matches!(defect, assay_cpa::checker::Defect::Stopped(_));
                return false;
            }
        }
        for id in seen {
            self.sound.insert(id);
            if self.to_keep.remove(&id)
                && let Some(summary) = shared.summaries.get(id).as_ref().and_then(Known::here)
                && let Some(block) = summary.block
                && let Some((key, record)) = self.codec.record(shared, worker, block, summary)
            {
                self.codec.store.put(key, record);
            }
        }
        true
    }
}
