//! `assay worker`: takes jobs from a server and runs each as a process of its own, until it is asked to end.

use crate::arguments::{Arguments, UsageError};
use crate::batch::Finished;
use crate::batch::process::{self, Run};
use crate::cluster::packed::Packed;
use crate::errors::{Error, Fault};
use crate::{cluster, monitor};
use assay_cluster::{Cluster, Lease, Listener};
use serde_json::json;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How long a slot waits for a job before it looks whether it is to end.
const WAIT: Duration = Duration::from_secs(2);
/// How long a slot waits for a server that is away.
const PAUSE: Duration = Duration::from_millis(500);
/// How long jobs are given back after the worker was asked to end.
const FAREWELL: Duration = Duration::from_secs(8);
/// So far back goes the rate of jobs.
const RECENT: Duration = Duration::from_secs(60);

/// What a worker counts.
#[derive(Default)]
struct Counts {
    busy: AtomicU64,
    done: AtomicU64,
    refused: AtomicU64,
    cpu_milliseconds: AtomicU64,
    recent: std::sync::Mutex<Vec<Instant>>,
}

/// What the slots of a worker share.
struct Worker {
    name: String,
    cluster: Cluster,
    listener: Listener,
    memory: Option<u64>,
    stop: Arc<AtomicBool>,
    counts: Arc<Counts>,
    /// How a session finds the server: as this worker does.
    server: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<i32, Error> {
    let access = cluster::access(arguments)?.ok_or_else(|| UsageError("a worker needs --cluster URL".to_string()))?;
    let slots = arguments.number("jobs").unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |n| n.get() as u64)).max(1);
    let memory = arguments.number("memory-limit").or_else(|| assay_driver::usage::memory_of_machine().map(|bytes| bytes / slots));
    let stop = Arc::new(AtomicBool::new(false));
    monitor::on_signal({
        let stop = stop.clone();
        move |_| {
            stop.store(true, Ordering::SeqCst);
            std::thread::sleep(FAREWELL);
            // The server does not answer; it gives the jobs of whoever is silent to others.
            remove_leftovers();
            std::process::exit(0);
        }
    });
    let connected = cluster::connect_patiently(&access)?;
    let listener = connected.listen().map_err(Error::Cluster)?;
    remove_leftovers();
    let name = cluster::unique_name();
    let counts = Arc::new(Counts::default());
    let kept = connected.register(&name, describe(&name, slots, &connected, &counts));
    if !arguments.flag("quiet") {
        eprintln!("assay: worker {name} of build {} takes {slots} jobs at a time from {}", connected.build(), access.shown());
    }
    let worker = Worker { name, cluster: connected, listener, memory, stop, counts, server: server_words(arguments)? };
    std::thread::scope(|scope| {
        for slot in 0..slots {
            let worker = &worker;
            scope.spawn(move || worker.serve(slot));
        }
    });
    drop(kept);
    Ok(0)
}

/// What the worker says of itself.
fn describe(name: &str, slots: u64, cluster: &Cluster, counts: &Arc<Counts>) -> Arc<dyn Fn() -> String + Send + Sync> {
    let (name, cluster, counts, begin) = (name.to_string(), cluster.clone(), counts.clone(), Instant::now());
    Arc::new(move || {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let mut recent = counts.recent.lock().unwrap_or_else(|error| error.into_inner());
        recent.retain(|at| at.elapsed() < RECENT);
        let (found, fetched) = cluster.content_counts();
        json!({
            "name": name, "version": env!("CARGO_PKG_VERSION"), "build": cluster.build(), "slots": slots, "busy": load(&counts.busy),
            "done": load(&counts.done), "refused": load(&counts.refused), "dropped": cluster.dropped(),
            "cpu_seconds": load(&counts.cpu_milliseconds) as f64 / 1000.0, "up_seconds": begin.elapsed().as_secs(),
            "jobs_last_minute": recent.len(), "content_found": found, "content_fetched": fetched,
        })
        .to_string()
    })
}

impl Worker {
    fn serve(&self, slot: u64) {
        let folder = folder_of(std::process::id(), &slot.to_string());
        let given_up = |workers: &[String]| {
            let detail = format!("given up: {} workers ended while they had it ({})", workers.len(), workers.join(", "));
            Finished { verdict: "unknown".to_string(), detail, worker: self.name.clone(), ..Finished::default() }
                .to_json()
                .to_string()
                .into_bytes()
        };
        let mut away = false;
        while !self.stop.load(Ordering::SeqCst) {
            match self.listener.next(&self.name, WAIT, &given_up) {
                Ok(Some(lease)) => {
                    self.counts.busy.fetch_add(1, Ordering::Relaxed);
                    self.work(lease, &folder);
                    self.counts.busy.fetch_sub(1, Ordering::Relaxed);
                    let _ = std::fs::remove_dir_all(&folder);
                }
                Ok(None) => away = false,
                Err(error) => {
                    if !away {
                        eprintln!("assay: {error}; trying again");
                    }
                    away = true;
                    std::thread::sleep(PAUSE);
                }
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
    }

    fn work(&self, lease: Lease, folder: &Path) {
        let _ = std::fs::remove_dir_all(folder);
        let root = folder.join("root");
        let prepared = Packed::from_bytes(&lease.payload).and_then(|mut packed| {
            // What the job asks for, but not more than there is.
            let asked = packed.option("memory-limit").and_then(|text| text.parse::<u64>().ok());
            if let Some(most) = [asked, self.memory].into_iter().flatten().min() {
                packed.set_option("memory-limit", most.to_string());
            }
            let limit = packed.option("time-limit").and_then(crate::arguments::parse_duration);
            std::fs::create_dir_all(&root).map_err(|error| format!("{}: {error}", root.display()))?;
            let (inside, mut words) = packed.lay_out(&root, &self.cluster)?;
            if packed.option("serve").is_some() {
                words.splice(0..0, self.server.iter().cloned());
            }
            Ok(((inside, words), limit))
        });
        let mut finished = match prepared {
            Err(reason) => {
                eprintln!("assay: a job is refused: {reason}");
                self.counts.refused.fetch_add(1, Ordering::Relaxed);
                Finished::error(reason)
            }
            Ok(((inside, words), time_limit)) => {
                let run = Run { words: &words, folder: &inside, time_limit, sarif: &folder.join("sarif") };
                process::run(&run, &mut |cpu| {
                    lease.set_cpu(cpu);
                    !lease.is_unwanted() && !self.stop.load(Ordering::SeqCst)
                })
            }
        };
        self.counts.cpu_milliseconds.fetch_add((finished.cpu_seconds * 1000.0) as u64, Ordering::Relaxed);
        if lease.is_unwanted() {
            return lease.abandon();
        }
        if finished.verdict == "unknown" && finished.detail == process::CANCELLED {
            return lease.give_back();
        }
        finished.worker = self.name.clone();
        // Names are those of where the job came from.
        let text = finished.to_json().to_string().replace(&*root.to_string_lossy(), "");
        match lease.finish(text.as_bytes()) {
            Ok(()) => {
                self.counts.done.fetch_add(1, Ordering::Relaxed);
                self.counts.recent.lock().unwrap_or_else(|error| error.into_inner()).push(Instant::now());
            }
            Err(error) => eprintln!("assay: a result is lost, and its job will be done again: {error}"),
        }
    }
}

/// The options by which this worker finds the server, for a process in another folder.
fn server_words(arguments: &Arguments) -> Result<Vec<OsString>, Error> {
    let mut words: Vec<OsString> = arguments.text("cluster").map(|url| format!("--cluster={url}").into()).into_iter().collect();
    for name in ["creds", "nkey", "tls-ca", "tls-cert", "tls-key"] {
        if let Some(path) = arguments.path(name) {
            let path = std::path::absolute(&path).map_err(|error| Error::Fault(Fault::Unreadable { path, reason: error.to_string() }))?;
            let mut word = OsString::from(format!("--{name}="));
            word.push(path);
            words.push(word);
        }
    }
    Ok(words)
}

fn folder_of(process: u32, slot: &str) -> PathBuf {
    std::env::temp_dir().join(format!("assay-worker-{process}-{slot}"))
}

/// Removes the folders of workers that were killed.
fn remove_leftovers() {
    for path in std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let process = name.strip_prefix("assay-worker-").and_then(|rest| rest.split('-').next()).and_then(|id| id.parse::<u32>().ok());
        if process.is_some_and(|id| id == std::process::id() || !Path::new(&format!("/proc/{id}")).exists()) {
            let _ = std::fs::remove_dir_all(path);
        }
    }
}
