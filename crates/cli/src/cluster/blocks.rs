//! Blocks of memoization on workers. The run that asks starts a session on each slot of the workers: a job that reads
//! the program once and then explores blocks of it, until the run is over. Questions and answers are plain messages
//! between the two; sessions keep summaries on the server, where later runs find them.

use super::nodes::Nodes;
use crate::errors::Error;
use assay_analyses::{Config, Machines, Questions, Reply, Store, Wanted, Workers};
use assay_base::Obstacle;
use assay_cfa::Program;
use assay_cluster::{Asking, Cluster, Seat};
use assay_results::task::sha256;
use assay_results::{Analysis, Outcome, RunContext};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long a session waits for a question before it looks again.
const WAIT: Duration = Duration::from_secs(1);

/// How long a run that sends everything waits for the sessions.
const PATIENCE: Duration = Duration::from_secs(20);

/// The analysis of a run that asks.
pub(crate) struct Shared {
    pub(crate) nodes: Arc<Nodes>,
    pub(crate) config: Config,
}

impl Analysis for Shared {
    fn name(&self) -> &str {
        &self.config.name
    }

    fn run(&mut self, program: &Program, context: &RunContext<'_>) -> Outcome {
        let workers = match self.nodes.sessions(context) {
            Ok(asking) => Arc::new(Sessions { asking, slots: self.nodes.slots }),
            Err(reason) => return Outcome::unknown(Obstacle::failed(reason)),
        };
        // Whoever wants everything to be sent waits for those to whom it is.
        let begin = Instant::now();
        while self.config.send_all && workers.free() < workers.slots && begin.elapsed() < PATIENCE && !context.cancel.is_stopped() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let outcome = match assay_analyses::build_with(self.config.clone(), Some(Machines::Ask(workers))) {
            Ok(mut analysis) => analysis.run(program, context),
            Err(error) => Outcome::unknown(Obstacle::failed(error)),
        };
        self.nodes.end_sessions();
        outcome
    }
}

struct Sessions {
    asking: Asking,
    slots: usize,
}

impl Workers for Sessions {
    fn slots(&self) -> usize {
        self.slots
    }
    fn free(&self) -> usize {
        self.asking.ready()
    }
    fn ask(&self, whom: Option<&str>, question: &[u8], wanted: &dyn Fn() -> bool) -> Option<Reply> {
        self.asking.ask(whom, question, wanted).map(|(from, bytes)| Reply { from, bytes })
    }
}

/// A session's side.
pub(crate) struct Session {
    seat: Seat,
    store: Summaries,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a session")
    }
}

impl Session {
    /// Sits ready for a run.
    pub(crate) fn new(cluster: Cluster, run: &str) -> Result<Session, Error> {
        let seat = cluster.seat(run, &super::unique_name()).map_err(Error::Cluster)?;
        Ok(Session { seat, store: Summaries { cluster, damaged: AtomicU64::new(0) } })
    }
}

impl Questions for Session {
    fn store(&self) -> &dyn Store {
        &self.store
    }
    fn serve(&self, answer: &mut dyn FnMut(&[u8], Wanted<'_>) -> Vec<u8>) {
        // The worker that started the session ends it with the run.
        while let Ok(next) = self.seat.next(WAIT) {
            if let Some((id, question)) = next {
                let answer = answer(&question, &|| !self.seat.is_unwanted(id));
                self.seat.answer(id, &answer);
            }
        }
    }
}

/// The summaries on the server, each under the hash of its key.
struct Summaries {
    cluster: Cluster,
    damaged: AtomicU64,
}

impl Store for Summaries {
    fn find(&self, key: &[u8], accept: &mut dyn FnMut(Vec<u8>) -> bool) {
        let name = sha256(key);
        let Ok(Some(bytes)) = self.cluster.summary(&name) else { return };
        let (hash, value) = bytes.split_at(bytes.len().min(64));
        // What is there is data of somebody: it counts only if it says itself that it is whole and of this key, and
        // reads as a record.
        if check(&name, value).as_bytes() != hash || !accept(value.to_vec()) {
            eprintln!("assay: the summary {name} on the server is damaged, and dropped");
            self.damaged.fetch_add(1, Ordering::Relaxed);
        }
    }
    fn put(&self, key: Vec<u8>, value: Vec<u8>) {
        let name = sha256(&key);
        self.cluster.keep_summary(&name, [check(&name, &value).as_bytes(), &value].concat());
    }
    fn damaged(&self) -> u64 {
        self.damaged.load(Ordering::Relaxed)
    }
}

/// Ties a value to its name.
fn check(name: &str, value: &[u8]) -> String {
    sha256(&[name.as_bytes(), value].concat())
}
