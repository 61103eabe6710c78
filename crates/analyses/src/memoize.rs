//! Runs an analysis with block-abstraction memoization.

use crate::cache::{self, SummaryCache};
use crate::config::BamEngine;
use crate::machines::{Machines, NoStore};
use crate::previous_run;
use crate::reported::Reported;
use crate::run::{Confirmed, Run};
use assay_base::{Obstacle, Stats, Verdict};
use assay_cfa::blocks::Blocks;
use assay_cfa::portable::Names;
use assay_cpa::{Environment, ExploreConfig, Merge, Refiner};
use assay_memo::{Bam, BamConfig, Disk, Reduce, Remote, Spill};
use assay_results::Outcome;
use std::path::PathBuf;

/// After so many states threads share the work, where there are some: about what starting them and a worse order of
/// paths cost.
const ALONE: u64 = 20_000;

/// How far memoization came.
#[allow(clippy::large_enum_variant, reason = "there is one of it in a run")]
pub(crate) enum Memoized<P> {
    Done(Outcome),
    /// It met targets that it can neither confirm nor refute, and exploration of the whole program may: it excludes
    /// infeasible paths one by one, so that it finds another one that the program can go, and wins back what widening
    /// lost. Or refinement with blocks does not pay. Exploration begins with this precision. The notes are for the
    /// user.
    Excluded(P, Vec<String>),
}

impl Run<'_> {
    /// Explores blocks, on as many threads as the run may use, with the summaries of earlier runs where there are some.
    pub(crate) fn memoize<D: Reported + Reduce, R: Refiner<D, Evidence = Confirmed>>(
        &self,
        environment: Environment<'_>,
        domain: &D,
        explore: ExploreConfig,
        refiner: &mut R,
        stats: &mut Stats,
    ) -> Memoized<D::Precision> {
        let (config, threads) = (self.config, self.context.threads.max(1));
        let blocks = Blocks::of(self.structure, config.blocks());
        let parallel = match config.engine {
            _ if matches!(self.machines, Some(Machines::Serve(_))) => false,
            BamEngine::Auto => threads > 1 || self.workers().is_some(),
            BamEngine::Sequential => false,
            BamEngine::Parallel => true,
        };
        let memoize = BamConfig {
            explore: ExploreConfig { keep_covered: false, ..explore },
            threads: if parallel { threads } else { 0 },
            patience: (config.patience > 0).then_some(config.patience),
            adapts: config.block_kinds.adapts,
            rules_after: (config.rules_after > 0).then_some(config.rules_after),
            alone: (config.engine == BamEngine::Auto && !config.send_all).then_some(ALONE),
            drop_graphs_above: self.context.limits.memory_bytes.map(|bytes| bytes / 100 * config.drop_graphs_at),
            ..BamConfig::default()
        };
        let mut cache = config.cache.as_ref().map(|folder| SummaryCache::open(folder, config.cache_megabytes));
        let names = Names::new(self.program);
        let context = if cache.is_some() || self.machines.is_some() { cache::context(config, self.program) } else { String::new() };
        if let Some(cache) = &mut cache {
            cache.compare_runs(self.program, &context);
        }
        let store = cache.as_ref().and_then(SummaryCache::store);
        let known = store.filter(|_| config.refines()).and_then(|store| previous_run::precision(store, domain, &names, &context));
        let (precision, tracked) = known.unwrap_or_else(|| (domain.initial_precision(), vec![]));
        let mut bam = Bam::new(environment, domain, &blocks, memoize, precision);
        if let Some(store) = store {
            bam.use_disk(Disk::new(store, &names, blocks.blocks.len(), &context));
        }
        if let Some(bytes) = self.context.limits.memory_bytes {
            let folder = config.cache.as_ref().map_or_else(std::env::temp_dir, PathBuf::from);
            bam.use_spill(Spill::new(folder, &names), bytes / 100 * config.spill_at);
        }
        if let Some(served) = self.serve(domain, &mut bam, &names, &blocks, &context) {
            return served;
        }
        let elsewhere = self.workers().filter(|_| parallel);
        if let Some(workers) = elsewhere {
            let codec = Disk::new(&NoStore, &names, blocks.blocks.len(), &context);
            bam.use_remote(Remote::new(workers, codec, config.send_all));
        }
        if config.trace_jobs.is_some() {
            bam.trace_jobs();
        }
        let slots = elsewhere.map_or(0, |workers| workers.slots());
        let mut workers: Vec<D::Worker> = (0..if parallel { threads + slots } else { 1 }).map(|_| domain.worker()).collect();
        let result = bam.run(&mut workers, refiner);
        bam.add_to(stats);
        for (index, worker) in workers.iter().enumerate() {
            domain.statistics(worker, (index == 0).then(|| bam.precision()), stats);
        }
        if let (Some(file), Some(trace)) = (&config.trace_jobs, bam.trace())
            && let Err(error) = std::fs::write(file, trace.to_json(self.program, &blocks))
        {
            let reason = format!("the timeline cannot be written to {file}: {error}");
            return Memoized::Done(Outcome::unknown(Obstacle::bound(reason)));
        }
        // What memoization gave up on is nothing to begin with.
        let of_use = !result.is_unknown() || result.is_stopped();
        if let Some(store) = store.filter(|_| config.refines() && of_use) {
            previous_run::keep_precision(store, domain, bam.precision(), &names, &context);
        }
        let reuse = bam.shared().disk.as_ref().map(|disk| &disk.counters);
        let mut notes = cache.as_ref().map(|cache| cache.close(stats, reuse)).unwrap_or_default();
        if !tracked.is_empty() {
            notes.push(format!("refinement began with what an earlier run tracked: {}", cache::first_of(&tracked)));
        }
        notes.extend(bam.spill_note().map(str::to_string));
        let goes_on = bam.counters.excluded > 0 || explore.merge != Merge::Sep && config.narrowing > 0;
        let obstacle = result.obstacle().map(|obstacle| obstacle.kind);
        if obstacle.is_some_and(|kind| goes_on && kind.is_of_a_target() || kind.is_for_another()) {
            return Memoized::Excluded(bam.precision().clone(), notes);
        }
        self.context.leave((bam, workers));
        let outcome = match result {
            Verdict::True(_) => Outcome::proof(vec![]),
            Verdict::False(violation) => Outcome::violation(*violation.evidence),
            Verdict::Unknown(obstacle) => Outcome::unknown(obstacle),
        };
        Memoized::Done(Outcome { notes, ..outcome })
    }
}
