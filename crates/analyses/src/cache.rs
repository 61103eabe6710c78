//! The folder in which summaries are kept from one run to the next, and what all of a run's keys have in common.

use crate::config::{BamEngine, Config};
use assay_base::Stats;
use assay_cfa::Program;
use assay_cpa::bam::{FolderStore, Store};
use std::path::Path;
use std::time::Duration;

/// The folder of a run, if it could be opened; otherwise why not.
pub(crate) struct SummaryCache {
    store: Result<FolderStore, String>,
    known: usize,
}

impl SummaryCache {
    /// Opens the folder; a folder that cannot be used is noted, and the run goes on without it.
    pub(crate) fn open(folder: &str, config: &Config) -> SummaryCache {
        let store = FolderStore::open(Path::new(folder), config.cache_megabytes << 20);
        let store = store.map_err(|error| format!("the cache {folder} cannot be used: {error}"));
        SummaryCache { known: store.as_ref().map_or(0, FolderStore::len), store }
    }

    pub(crate) fn store(&self) -> Option<&dyn Store> {
        self.store.as_ref().ok().map(|store| store as &dyn Store)
    }

    /// What the user should know about it, after the run.
    pub(crate) fn close(&self, stats: &mut Stats) -> Vec<String> {
        let mut notes = match &self.store {
            Ok(store) => store.notes(),
            Err(error) => vec![error.clone()],
        };
        stats.add("records in the cache at the start", self.known as u64);
        if self.store.is_ok() {
            let count = |name: &str| stats.counters.get(name).copied().unwrap_or(0);
            let (reused, explored) = (count("summaries from the cache"), count("block summaries"));
            notes.push(format!("the cache had {reused} of {} summaries; {explored} blocks were explored", reused + explored));
        }
        notes
    }
}

/// Everything that a summary depends on beside its block, precision and state.
pub(crate) fn context(config: &Config, program: &Program) -> String {
    let targets: Vec<&str> = program.questions.iter().map(assay_cfa::Target::name).collect();
    // All options count, also those to come, but for these.
    let relevant = Config {
        name: String::new(),
        cache: None,
        cache_megabytes: 0,
        trace_jobs: None,
        engine: BamEngine::Auto,
        drop_graphs_at: 0,
        spill_at: 0,
        path_time: Duration::ZERO,
        ..config.clone()
    };
    format!("assay {} {}; {}; targets {targets:?}; {relevant:?}", env!("CARGO_PKG_VERSION"), this_build(), program.model.name())
}

/// Tells builds of the same version apart: a changed transfer function must not meet the summaries of the old one.
pub fn this_build() -> String {
    static HASH: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    let content = || std::env::current_exe().and_then(std::fs::read);
    HASH.get_or_init(|| content().map(|bytes| assay_results::task::sha256(&bytes)).unwrap_or_default()).clone()
}
