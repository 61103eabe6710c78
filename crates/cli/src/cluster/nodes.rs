//! Analyses that run on workers: each node of a portfolio is a job, and here it looks like any other analysis.
//!
//! What a worker says is data: a violation counts only after its inputs were replayed here, and a proof is believed
//! because the worker is under the same credentials and the same build (docs/cluster.md).

use super::blocks::Shared;
use super::packed::Packed;
use crate::arguments::UsageError;
use crate::batch::Finished;
use crate::errors::{Error, Fault};
use crate::monitor;
use assay_analyses::Config;
use assay_base::{AssumptionClass, CancelToken, Fact, FastMap, Obstacle, ObstacleKind, Span, StopReason};
use assay_cfa::Program;
use assay_cluster::{Asking, Cluster, Job, Kept, News};
use assay_driver::choice::Elsewhere;
use assay_results::task::sha256;
use assay_results::{Analysis, Invariant, InvariantKind, Outcome, RunContext};
use assay_term::Bits;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// How long a waiting analysis sleeps before it looks whether it is stopped.
const PERIOD: Duration = Duration::from_millis(20);
/// News can be missed: this often, the result is asked for.
const ASKING: Duration = Duration::from_secs(2);
/// After so long without a worker the run gives up.
const ALONE: Duration = Duration::from_secs(30);
/// What a replay may take.
const REPLAY_STEPS: u64 = 100_000_000;

/// One run over a cluster: the program on the server, and what is heard of the jobs.
pub(crate) struct Nodes {
    cluster: Cluster,
    run: String,
    packed: Packed,
    heard: Arc<Heard>,
    /// How many jobs workers can run at a time.
    pub(crate) slots: usize,
    _kept: Kept,
}

/// What is heard.
#[derive(Default)]
struct Heard {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    done: Vec<String>,
    cpu: FastMap<String, Duration>,
    /// There is nobody who could do anything.
    alone: bool,
}

impl std::fmt::Debug for Nodes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "run {} on {} slots", self.run, self.slots)
    }
}

impl Nodes {
    /// Puts the program on the server. The options are those that every node has in common.
    pub(crate) fn new(cluster: Cluster, options: &[(String, Option<String>)], inputs: &[PathBuf]) -> Result<Nodes, Error> {
        let workers = cluster.workers().map_err(Error::Cluster)?;
        let ours = workers.iter().filter(|worker| worker["build"] == cluster.build());
        let slots = ours.map(|worker| worker["slots"].as_u64().unwrap_or(1)).sum::<u64>() as usize;
        if slots == 0 {
            let others = super::refused(&cluster, &workers);
            let refused =
                if others.is_empty() { String::new() } else { format!("; refused, because they are other builds: {}", others.join(", ")) };
            return Err(UsageError(format!("no worker of this build ({}) is there{refused}", cluster.build())).into());
        }
        let packed = Packed::pack(options, inputs, &cluster).map_err(|reason| Error::Usage(UsageError(reason)))?;
        let run = format!("v-{}", super::unique_name());
        let kept = cluster.keep_alive(&run);
        let news = cluster.news(&run).map_err(Error::Cluster)?;
        let heard = Arc::new(Heard::default());
        let (listener, watched) = (heard.clone(), cluster.clone());
        let listen = move || {
            let mut seen = Instant::now();
            let mut asked = Instant::now();
            loop {
                match news.recv_timeout(ASKING) {
                    Ok(News::Done(key)) => listener.lock().done.push(key),
                    Ok(News::Cpu(key, time)) => listener.used(&key, time),
                    Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
                    Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return,
                }
                if asked.elapsed() >= ASKING {
                    asked = Instant::now();
                    let there = watched.workers().is_ok_and(|workers| workers.iter().any(|worker| worker["build"] == watched.build()));
                    seen = if there { Instant::now() } else { seen };
                    listener.lock().alone = seen.elapsed() > ALONE;
                }
                listener.changed.notify_all();
            }
        };
        let started = std::thread::Builder::new().name("news".into()).spawn(listen);
        started.map_err(|error| Error::Fault(Fault::Defect(format!("no thread can be started: {error}"))))?;
        Ok(Nodes { cluster, run, packed, heard, slots, _kept: kept })
    }

    /// Starts a session on every slot of the workers: each reads the program once and explores blocks of it for this
    /// run. Those that come later than the verdict, or never, are not missed.
    pub(crate) fn sessions(&self, context: &RunContext<'_>) -> Result<Asking, String> {
        let asking = self.cluster.asking(&self.run).map_err(|error| error.to_string())?;
        let mut packed = self.packed.clone();
        packed.set_option("serve", self.run.clone());
        packed.set_option("threads", "1".to_string());
        packed.set_option("max-violations", "1".to_string());
        if let Some(limit) = context.limits.cpu_time {
            packed.set_option("time-limit", format!("{}ms", limit.saturating_sub(monitor::cpu_time()).as_millis().max(100)));
        }
        for slot in 0..self.slots {
            let key = sha256(format!("{} session {slot}", self.run).as_bytes())[..32].to_string();
            let job = Job { run: self.run.clone(), key, leased: true, payload: packed.to_bytes() };
            self.cluster.submit(&job).map_err(|error| error.to_string())?;
        }
        Ok(asking)
    }

    /// Ends the sessions; without this they end some seconds after the run.
    pub(crate) fn end_sessions(&self) {
        let _ = self.cluster.cancel(&self.run);
    }
}

/// The slots of workers as the driver sees them.
pub(crate) struct Slots(pub(crate) Arc<Nodes>);

impl Elsewhere for Slots {
    fn node(&self, preset: &str, settings: &[(String, String)]) -> Box<dyn Analysis> {
        Box::new(Remote { nodes: self.0.clone(), name: preset.to_string(), preset: Some(preset.to_string()), settings: settings.to_vec() })
    }

    fn single(&self, name: &str) -> Box<dyn Analysis> {
        // The options name it already.
        Box::new(Remote { nodes: self.0.clone(), name: name.to_string(), preset: None, settings: vec![] })
    }

    fn sharing_blocks(&self, config: Config) -> Box<dyn Analysis> {
        Box::new(Shared { nodes: self.0.clone(), config })
    }
}

impl Heard {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|error| error.into_inner())
    }

    /// A job has used so much; what all of them used counts against the limit of the run.
    fn used(&self, key: &str, time: Duration) {
        let mut state = self.lock();
        let known = state.cpu.entry(key.to_string()).or_default();
        *known = time.max(*known);
        monitor::set_remote(state.cpu.values().sum());
    }
}

struct Remote {
    nodes: Arc<Nodes>,
    name: String,
    preset: Option<String>,
    /// Of the node; those of the command line come after them.
    settings: Vec<(String, String)>,
}

impl Analysis for Remote {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, program: &Program, context: &RunContext<'_>) -> Outcome {
        match self.ask(context) {
            Ok(Some(finished)) => outcome(program, context, &finished),
            Ok(None) => Outcome::stopped(context.cancel.stopped().unwrap_or(StopReason::Cancelled)),
            Err(reason) => Outcome::unknown(Obstacle::failed(reason)),
        }
    }
}

impl Remote {
    /// Hands the job in and waits; nothing comes back if the run was stopped.
    fn ask(&self, context: &RunContext<'_>) -> Result<Option<Finished>, String> {
        let Nodes { cluster, run, packed, heard, .. } = &*self.nodes;
        let mut packed = packed.clone();
        if let Some(preset) = &self.preset {
            packed.set_option("config", preset.clone());
        }
        packed.set_option("threads", "1".to_string());
        packed.set_option("max-violations", "1".to_string());
        packed.put_settings_first(&self.settings);
        if let Some(limit) = context.limits.cpu_time {
            let left = limit.saturating_sub(monitor::cpu_time()).max(Duration::from_millis(100));
            packed.set_option("time-limit", format!("{}ms", left.as_millis()));
        }
        let payload = packed.to_bytes();
        // A node may run again; every time is another job.
        let again = Instant::now();
        let key = sha256(format!("{run} {again:?} {}", sha256(&payload)).as_bytes())[..32].to_string();
        let job = Job { run: run.clone(), key: key.clone(), leased: true, payload };
        cluster.submit(&job).map_err(|error| error.to_string())?;
        let mut asked = Instant::now();
        loop {
            if context.cancel.is_stopped() {
                cluster.cancel_job(run, &key).map_err(|error| error.to_string())?;
                return Ok(None);
            }
            let state = heard.lock();
            let (state, _) = heard.changed.wait_timeout(state, PERIOD).unwrap_or_else(|error| error.into_inner());
            let (told, alone) = (state.done.contains(&key), state.alone);
            drop(state);
            if alone {
                let _ = cluster.cancel_job(run, &key);
                return Err("no worker of this build is left".to_string());
            }
            if !told && asked.elapsed() < ASKING {
                continue;
            }
            asked = Instant::now();
            let Some(bytes) = cluster.result(&key, true).map_err(|error| error.to_string())? else { continue };
            let _ = cluster.forget_result(&key, true);
            let finished = serde_json::from_slice::<Value>(&bytes).ok().as_ref().and_then(Finished::from_json);
            let finished = finished.ok_or("a worker's result cannot be read")?;
            heard.used(&key, Duration::try_from_secs_f64(finished.cpu_seconds).unwrap_or_default());
            return Ok(Some(finished));
        }
    }
}

/// What a worker found, in terms of the program that is here.
fn outcome(program: &Program, context: &RunContext<'_>, finished: &Finished) -> Outcome {
    let document = &finished.document;
    for line in document["assumptions"].as_array().into_iter().flatten() {
        let class = match line["class"].as_str() {
            Some("over") => AssumptionClass::Over,
            Some("rules") => AssumptionClass::Rules,
            // What is not understood forbids a proof.
            _ => AssumptionClass::Under,
        };
        let text = |key: &str| line[key].as_str().map(str::to_string);
        let fact = match (text("function"), text("effect")) {
            (Some(function), Some(effect)) => Fact::NoBody { function, effect },
            _ => Fact::Sentence(text("text").unwrap_or_default()),
        };
        context.ledger.note(class, place(program, &line["place"]), fact);
    }
    let mut outcome = match finished.verdict.as_str() {
        "true" => {
            Outcome::proof(document["evidence"].as_array().into_iter().flatten().filter_map(|line| invariant(program, line)).collect())
        }
        "false" => confirmed(program, &document["evidence"]["inputs"], context.cancel),
        "unknown" => Outcome::unknown(obstacle(document["ending"].as_str().unwrap_or_default(), &finished.detail)),
        _ => Outcome::unknown(Obstacle::failed(&finished.detail)),
    };
    outcome.notes.extend(document["notes"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_string));
    if !outcome.verdict.is_unknown() {
        outcome.notes.push(format!("found by the worker {}", finished.worker));
    }
    outcome
}

/// A violation is one if its inputs lead to it here.
fn confirmed(program: &Program, inputs: &Value, cancel: &CancelToken) -> Outcome {
    let bits = |input: &Value| {
        let width = u32::try_from(input["bits"].as_u64()?).ok().filter(|width| (1..=128).contains(width))?;
        Some(Bits::new(width, input["value"].as_str()?.parse().ok()?))
    };
    let values: Option<Vec<Bits>> = inputs.as_array().and_then(|list| list.iter().map(bits).collect());
    let Some(values) = values else { return Outcome::unknown(unconfirmed("a worker's inputs cannot be read")) };
    match assay_results::replay::replay_in_order(program, &values, REPLAY_STEPS, cancel) {
        Ok(counterexample) => Outcome::violation(counterexample),
        Err(failure) => Outcome::unknown(unconfirmed(&failure.describe(program))),
    }
}

/// The position that a text describes.
fn place(program: &Program, text: &Value) -> Span {
    let text = text.as_str().unwrap_or_default();
    let mut words = text.rsplitn(3, ':');
    let (column, line, name) = (words.next(), words.next(), words.next());
    let number = |word: Option<&str>| word.and_then(|word| word.parse::<u32>().ok());
    let file = program.sources.files.ids().find(|&id| Some(program.sources.files[id].name.as_str()) == name);
    match (file, number(line), number(column)) {
        (Some(file), Some(line), Some(column)) => Span { file, line, column },
        _ => Span::NONE,
    }
}

fn invariant(program: &Program, line: &Value) -> Option<Invariant> {
    let function = line["function"].as_str()?;
    let location = program.functions.iter().find(|known| known.name == function)?.entry;
    Some(Invariant {
        kind: InvariantKind::Loop,
        location,
        expression: line["expression"].as_str()?.to_string(),
        span: place(program, &line["place"]),
        weakened: line["weakened"].as_bool().unwrap_or(true),
    })
}

fn unconfirmed(text: &str) -> Obstacle {
    Obstacle::of_targets(vec![Obstacle::unconfirmed(text)])
}

/// Why a worker's analysis stopped, so that the portfolio can go on from it.
fn obstacle(ending: &str, text: &str) -> Obstacle {
    match ObstacleKind::named(ending) {
        Some(kind) => Obstacle::new(kind, text),
        // It was ended before it could say more: that is the only way out for its time.
        None if text == "past its time limit" || text == "time limit" => Obstacle::stopped(StopReason::Time),
        None if text == "memory limit" => Obstacle::stopped(StopReason::Memory),
        _ => Obstacle::failed(text.strip_prefix("internal error: ").unwrap_or(text)),
    }
}
