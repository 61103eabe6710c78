//! The folder in which summaries are kept from one run to the next, and what all of a run's keys have in common.

use crate::config::{BamEngine, Config};
use crate::previous_run;
use assay_base::{Counter, Stats};
use assay_cfa::Program;
use assay_memo::{DiskCounters, FolderStore, Store};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// So many names stand in a list for the user.
const MOST_NAMED: usize = 5;

/// The folder of a run, if it could be opened; otherwise why not.
pub(crate) struct SummaryCache {
    store: Result<FolderStore, String>,
    known: usize,
    /// Why earlier runs on the program are of no use.
    other_runs: Option<&'static str>,
}

impl SummaryCache {
    /// Opens the folder; a folder that cannot be used is noted, and the run goes on without it.
    pub(crate) fn open(folder: &str, megabytes: u64) -> SummaryCache {
        let store = FolderStore::open(Path::new(folder), megabytes << 20);
        let store = store.map_err(|error| format!("the cache {folder} cannot be used: {error}"));
        SummaryCache { known: store.as_ref().map_or(0, FolderStore::len), store, other_runs: None }
    }

    /// Notes that there is a run on the program, and whether there were others that this one cannot use.
    pub(crate) fn compare_runs(&mut self, program: &Program, context: &str) {
        let Ok(store) = &self.store else { return };
        let (key, mut contexts) = (previous_run::key(program, "run"), Vec::new());
        store.find(&key, &mut |value| {
            contexts.push(value);
            false
        });
        if contexts.iter().any(|known| known == context.as_bytes()) {
            return;
        }
        let build = context.split_once(';').map_or(context, |(build, _)| build);
        self.other_runs = match contexts.iter().any(|known| known.starts_with(build.as_bytes())) {
            _ if contexts.is_empty() => None,
            true => Some("earlier runs on this program had another configuration, so that their summaries cannot be used"),
            false => Some("earlier runs on this program were of another build of Assay, so that their summaries cannot be used"),
        };
        store.put(key, context.as_bytes().to_vec());
    }

    /// What is wrong with the folder.
    pub(crate) fn trouble(&self) -> Vec<String> {
        match &self.store {
            Ok(store) => store.notes(),
            Err(error) => vec![error.clone()],
        }
    }

    pub(crate) fn store(&self) -> Option<&dyn Store> {
        self.store.as_ref().ok().map(|store| store as &dyn Store)
    }

    /// What the user should know about it, after the run: what was reused, what was not, and why.
    pub(crate) fn close(&self, stats: &mut Stats, reuse: Option<&DiskCounters>) -> Vec<String> {
        let mut notes = self.trouble();
        stats.add("records in the cache at the start", self.known as u64);
        if let (Ok(_), Some(reuse)) = (&self.store, reuse) {
            let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
            let reused = read(&reuse.loaded);
            let explored = stats.count(Counter::SUMMARIES);
            let changed = reuse.changed.lock().unwrap_or_else(|e| e.into_inner());
            let asked = reused + read(&reuse.missing) + read(&reuse.unreadable) + changed.values().sum::<u64>();
            let mut text = format!("the cache had {reused} of {asked} summaries that were asked for; {explored} were made");
            let mut functions: Vec<(&String, &u64)> = changed.iter().collect();
            functions.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), name.as_str()));
            let functions: Vec<String> = functions.into_iter().map(|(name, _)| name.clone()).collect();
            let reasons = [
                (read(&reuse.missing), "of a state, or with a precision, that no earlier run had".to_string()),
                (changed.values().sum(), format!("because code changed in {}", first_of(&functions))),
                (read(&reuse.unreadable), "because their records speak of what is no longer there".to_string()),
            ];
            let reasons: Vec<String> =
                reasons.iter().filter(|(count, _)| *count > 0 && self.known > 0).map(|(count, why)| format!("{count} {why}")).collect();
            if !reasons.is_empty() {
                text.push_str(&format!(": {}", reasons.join(", ")));
            }
            notes.push(text);
        }
        notes.extend(self.other_runs.map(str::to_string));
        notes
    }
}

/// The first names of a list, and how many more there are.
pub(crate) fn first_of(names: &[String]) -> String {
    let named = names.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
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
        send_all: false,
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
