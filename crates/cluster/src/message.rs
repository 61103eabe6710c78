//! What is said between machines, and what is seen of them.

use serde_json::Value;
use std::time::Duration;

/// Something to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// The run that it belongs to; all jobs of a run can be cancelled at once. Letters, digits and dashes.
    pub run: String,
    /// What is asked, as a hash: the result is found under it. Letters and digits.
    pub key: String,
    /// It is wanted only as long as something keeps the run alive
    /// ([`Cluster::keep_alive`](crate::Cluster::keep_alive)).
    pub leased: bool,
    /// What the worker gets.
    pub payload: Vec<u8>,
}

/// What became of a job that was handed in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Submitted {
    /// It is in the queue now.
    Queued,
    /// It was there already.
    Waiting,
}

/// What is heard of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// There is a result.
    Done(String),
    /// A job that runs has used so much CPU time.
    Cpu(String, Duration),
}

/// What lies on a server and who works for it.
#[derive(Clone, Default, Debug)]
pub struct Status {
    /// One document a worker, as it wrote it.
    pub workers: Vec<Value>,
    /// One for each build that has or had jobs.
    pub queues: Vec<Queue>,
    /// Results that are kept.
    pub results: u64,
    /// Bytes of programs and large results.
    pub content_bytes: u64,
}

/// The jobs of one build.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Queue {
    /// The name of the build.
    pub build: String,
    /// Jobs that nothing has begun.
    pub waiting: u64,
    /// Jobs that something is at work on.
    pub running: u64,
    /// Of these, how many were begun by another caller before.
    pub again: u64,
}
